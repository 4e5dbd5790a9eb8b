"""The faults that validations report, sorted by code, then by place (SD-7)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from carddb.play.question import Answer

WARNINGS = frozenset(
    {
        "die_table_c_results_changed",
        "exception_title_mismatch",
        "card_condition_missing",
        "hand_difference_over_four",
        "mandatory_unplayed",
        "first_round_card_not_on_top",
    }
)
"""The codes that are warnings; all others are errors."""


class Fault(NamedTuple):
    """A code, a place (a dotted path), what is wrong, what mends it, and the rules it is against."""

    code: str
    where: str
    message: str
    fix: str = ""
    rules: tuple[str, ...] = ()

    @property
    def severity(self) -> str:
        return "warn" if self.code in WARNINGS else "error"

    @property
    def card(self) -> int | None:
        """The position of the card at fault, where it is one card's."""
        head, _, at = self.where.partition(".")
        return int(at) if head == "cards" else None

    def to_json(self) -> dict[str, Any]:
        fields = {"code": self.code, "severity": self.severity, "where": self.where, "message": self.message}
        return {**fields, "fix": self.fix} if self.fix else fields


def answer(faults: Iterable[Fault]) -> Answer:
    """The answer of a validation: its codes, each once, and every finding."""
    in_order = sorted(set(faults))
    return {"codes": sorted({fault.code for fault in in_order}), "findings": [fault.to_json() for fault in in_order]}
