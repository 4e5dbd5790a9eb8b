"""The papers for a round of a tournament: pairings to post, result slips to sign, table numbers, and standings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from carddb.core.plain_text import shortened
from carddb.core.units import to_mm
from carddb.findings import CardCount, Finding
from carddb.games import Game
from carddb.layout.display_list import Face
from carddb.layout.drawing.face import draw
from carddb.layout.stock import paper_size
from carddb.layout.templates.template import BASE
from carddb.paint.pdf.sheets import faces_pdf
from carddb.press.faces.workshop import families_of, open_workshop

_TEMPLATE = f"{BASE}/round-papers.svg"
# Lengths on the page in millimetres, as in the template.
_TOP, _BOTTOM, _SIDE = 34.0, 16.0, 16.0
_ROW, _STANDING, _SLIP = 7.4, 6.0, 64.0
_SLIPS_BESIDE = 2
_CARDS = 4
_NARROW, _WIDE = 15.0, 19.0
"""The widths, in millimetres, of a column for places or points, and of one for tie-breaks or prizes."""
_LONGEST = 30
"""The most characters of a name that are printed."""


class Papers:
    """Collects the pages, kind by kind, for one PDF. Raises UsageError for an unknown paper."""

    def __init__(self, game: Game, title: str, paper: str) -> None:
        self._workshop = open_workshop(game)
        size = paper_size(paper)
        self._page = {"width": to_mm(size.width), "height": to_mm(size.height), "side": _SIDE, "top": _TOP}
        self._common = {
            "game": {"name": game.spec.name, "accent": game.spec.accent},
            "fonts": families_of(game.spec)._asdict(), "title": title,
        }  # fmt: skip
        self._height = to_mm(size.height) - _TOP - _BOTTOM
        self.faces: list[Face] = []
        self.findings: list[Finding] = []

    def pairings(self, subtitle: str, rows: Sequence[tuple[str, str, str]]) -> None:
        """Adds the pairings to post, in two columns; a row is (player, table, opponent)."""
        most = int((self._height - _ROW) / _ROW)
        short = [(shortened(name, _LONGEST), table, shortened(other, _LONGEST)) for name, table, other in rows]
        self._add("pairings", subtitle, short, 2 * most, row=_ROW)

    def slips(self, subtitle: str, matches: Sequence[tuple[int, Sequence[tuple[str, str]]]]) -> None:
        """Adds a slip to cut out for each match, given as (table number, (name, side) of each player)."""
        down = int((float(self._page["height"]) - 2 * _SIDE) / _SLIP)
        self._add("slips", subtitle, matches, down * _SLIPS_BESIDE, slip=_SLIP, beside=_SLIPS_BESIDE)

    def cards(self, tables: Sequence[int]) -> None:
        """Adds cards with the numbers of tables, four on a page, to stand up folded or to lie flat."""
        self._add("cards", "", tables, _CARDS)

    def standings(self, subtitle: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        """Adds a table of standings; a row is place, player, points, tie-breaks and, if there are any, prize."""
        wide = float(self._page["width"]) - 2 * _SIDE
        widths = [_NARROW, 0.0, _NARROW, *[_WIDE] * (len(heads) - 3)]
        if heads[-1] == "prize":
            widths[-1] = 2 * _NARROW
        widths[1] = wide - sum(widths)
        starts = [sum(widths[:at]) for at in range(len(widths))]
        columns = [{"head": h.capitalize(), "x": x, "wide": w} for h, x, w in zip(heads, starts, widths, strict=True)]
        most = int((self._height - _STANDING) / _STANDING)
        short = [[shortened(cell, _LONGEST) for cell in cells] for cells in rows]
        self._add("standings", subtitle, short, most, row=_STANDING, columns=columns)

    def pdf(self, created: int) -> bytes:
        """Returns all pages as PDF. `created` is in seconds since 1970. Raises InputError if there is no page."""
        workshop = self._workshop
        return faces_pdf(
            self.faces, workshop.kit.book, workshop.images, title=str(self._common["title"]), lang=workshop.lang,
            creation=created,
        )  # fmt: skip

    def _add(self, kind: str, subtitle: str, items: Sequence[Any], on_page: int, **values: Any) -> None:
        pages = [items[at : at + on_page] for at in range(0, len(items), on_page)]
        for number, own in enumerate(pages, 1):
            page = {**self._page, "number": number, "total": len(pages)}
            context = {**self._common, **values, "kind": kind, "subtitle": subtitle, "items": own, "page": page}
            drawn = draw(self._workshop.kit, _TEMPLATE, context, CardCount("", f"{kind}, page {number}"))
            self.faces.append(drawn.face)
            self.findings += drawn.findings
