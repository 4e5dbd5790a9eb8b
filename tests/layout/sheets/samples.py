"""Print jobs of every kind, for claims about where things lie on their sheets."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st

from carddb.core.errors import UsageError
from carddb.core.units import Size
from carddb.layout.sheets.grid import NO_GUTTER, Grid, sheet_grid
from carddb.layout.sheets.imposition import Page, impose
from carddb.layout.stock import CARDS, PAPERS, STOCKS

PLAIN = STOCKS["plain"]


@dataclass(frozen=True)
class Job:
    """Cards to be printed, and how; lengths in micrometres."""

    card: Size
    paper: Size = PAPERS["letter"]
    margin: int = 6350
    gutter: Size = NO_GUTTER
    bleed: int = 1500
    flip: str = "long-edge"
    fold: bool = False
    count: int = 1

    @property
    def grid(self) -> Grid | None:
        """The grid; None where not one card fits."""
        try:
            return sheet_grid(self.card, PLAIN, self.paper, self.margin, self.gutter, self.bleed, self.fold)
        except UsageError:
            return None

    @property
    def pages(self) -> list[Page]:
        """Front n has the number n, its back 1000 + n; no page where nothing fits."""
        grid = self.grid
        return impose([(n, 1000 + n) for n in range(self.count)], grid, self.flip) if grid else []


cards = st.one_of(
    st.sampled_from(list(CARDS.values())), st.builds(Size, st.integers(20_000, 150_000), st.integers(20_000, 150_000))
)
papers = st.sampled_from([*PAPERS.values(), PAPERS["letter"].turned, PAPERS["a4"].turned, Size(300_001, 400_003)])
gutters = st.one_of(st.just(Size(0, 0)), st.builds(Size, st.integers(0, 8_000), st.integers(0, 8_000)))
jobs = st.builds(
    Job,
    card=cards,
    paper=papers,
    margin=st.integers(0, 15_000),
    gutter=gutters,
    bleed=st.integers(0, 5_000),
    flip=st.sampled_from(["long-edge", "short-edge", "none"]),
    fold=st.booleans(),
    count=st.integers(1, 45),
)
