"""Everything that is wrong with the faces of a job, found before any paper is spent."""

from __future__ import annotations

from collections.abc import Sequence

from carddb.cards import Card
from carddb.findings import CardCount, Finding
from carddb.layout.safe_zone import SafeArea
from carddb.press.proof import SAFE
from carddb.press.sheets import SheetOptions, face_bank, print_cards, sides
from carddb.press.workshop import Workshop


def preflight(workshop: Workshop, cards: Sequence[Card], options: SheetOptions) -> list[Finding]:
    """Findings of the job as it would be printed, and of words too near the cut.

    The sheets are made as for printing, because what a picture lacks is known only at its printed size.
    Raises UsageError, TemplateError, FontError.
    """
    bank = face_bank(workshop, options)
    subjects: dict[int, CardCount] = {}
    for card in cards:
        for number in sides(bank, card, options):
            if number is not None:
                subjects.setdefault(number, CardCount(card.ref, card.name))
    area = SafeArea(SAFE, "the safe zone of an eighth of an inch")
    bank.look = lambda number, face: area.look(face, subjects[number])
    printed = print_cards(workshop, [(card, 1) for card in cards], options, "preflight", bank=bank)
    return [*printed.findings, *area.findings()]
