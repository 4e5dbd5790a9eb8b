"""What the lines of a deck say about its numbers: claims of headings and of lines such as `15 cards (min 45)`."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from carddb.findings import Finding, Place, warning


@dataclass(slots=True)
class _Claim:
    """A heading, how many cards it says that follow, and how many do."""

    label: str
    claimed: int | None
    place: Place
    counted: int = 0


class Claims:
    """The claims of one deck in the order of its lines; `findings` has those that are wrong, when they are closed."""

    def __init__(self, findings: list[Finding]) -> None:
        self.findings = findings
        self._total = 0
        self._section: _Claim | None = None
        self._category: _Claim | None = None
        self._sizes: list[tuple[int, str, Place]] = []

    def begin_section(self, label: str, claimed: int | None, place: Place) -> None:
        """A section's heading: what was open before ends."""
        self._close_section()
        self._section = _Claim(label, claimed, place)

    def begin_category(self, label: str, claimed: int | None, place: Place) -> None:
        """The heading of a card type within a section."""
        self.close_category()
        self._category = _Claim(label, claimed, place)

    def count(self, copies: int, apart: bool = False) -> None:
        """Copies of a card stand in the next line; `apart`: not under the heading above it."""
        self._total += copies
        if self._section and not apart:
            self._section.counted += copies
        if self._category and not apart:
            self._category.counted += copies

    def size(self, claimed: int, text: str, place: Place) -> None:
        """A line that says how many cards there are: in the deck, or so far, or under the heading above it."""
        if claimed not in {self._total, *(claim.counted for claim in (self._section, self._category) if claim)}:
            self._sizes.append((claimed, text, place))

    def close_category(self) -> None:
        """The cards that follow are of no category."""
        if self._category:
            self._check(self._category)
            self._category = None

    def close(self, sizes: Callable[[], Collection[int]]) -> None:
        """The deck ends: the lines about its size are compared with it, and with its other `sizes`.

        Sites such as NetrunnerDB count a deck without the card that leads it, `49 cards (min 45)`, others without a
        sideboard.
        """
        self._close_section()
        for claimed, text, place in self._sizes:
            if claimed != self._total and claimed not in sizes():
                message = f"{text[:80]!r} is a claim about the deck, which has {self._total}; it was passed over"
                self._differs(message, self._total, claimed, place, "Add what is missing, or take the line out.")

    def _close_section(self) -> None:
        self.close_category()
        if self._section:
            self._check(self._section)
            self._section = None

    def _check(self, claim: _Claim) -> None:
        if claim.claimed is not None and claim.claimed != claim.counted:
            cards = "card" if claim.claimed == 1 else "cards"
            message = f"the heading {claim.label} says {claim.claimed} {cards}, but {claim.counted} follow"
            fix = f"Add what is missing, or write ({claim.counted})."
            self._differs(message, claim.counted, claim.claimed, claim.place, fix)

    def _differs(self, message: str, count: int, claimed: int, place: Place, fix: str) -> None:
        data = {"count": count, "claimed": claimed}
        self.findings.append(warning("count_claim_differs", message, place, data=data, fix=fix))
