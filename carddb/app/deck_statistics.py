"""The numbers of a deck, with the exact odds of an opening hand."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from carddb.app.clock import today
from carddb.app.deck_check import DeckSource, read_deck
from carddb.cards import Deck
from carddb.errors import UsageError
from carddb.findings import Finding, Severity
from carddb.play.chance import hypergeometric, text

if TYPE_CHECKING:
    from datetime import date

    from carddb.app.project import Project
    from carddb.deck.statistics import Statistics
    from carddb.game import GameSpec


@dataclass(frozen=True, slots=True)
class OpeningHand:
    """Hands of `drawn` cards out of `total` in a section: for each type the chances of 0, 1, 2, ... cards of it."""

    section: str
    drawn: int
    total: int
    chances: dict[str, dict[int, Fraction]]

    def to_json(self) -> dict[str, Any]:
        chances = {
            kind: {str(count): text(chance) for count, chance in counts.items()}
            for kind, counts in self.chances.items()
        }
        return {"section": self.section, "drawn": self.drawn, "total": self.total, "chances": chances}


@dataclass(frozen=True, slots=True)
class DeckStatistics:
    """The numbers of a deck; `hand` is None where no opening hand is known or the section is smaller than one."""

    name: str
    numbers: Statistics
    labels: dict[str, str]
    """The printed names of the fields."""
    hand: OpeningHand | None
    findings: tuple[Finding, ...]
    """What the reader found wrong."""

    def to_json(self) -> dict[str, Any]:
        """The shape of `decks stats --json`."""
        hand = self.hand.to_json() if self.hand else None
        return {"schema": "carddb.deck-stats/1", "deck": self.name, **self.numbers.to_json(), "opening_hand": hand}


def deck_statistics(
    project: Project, deck: DeckSource, game: str | None = None, on: date | None = None, hand: int | None = None
) -> DeckStatistics:
    """The numbers of a deck; `hand` is the size of an opening hand (None: what the game's data say).

    Raises InputError, UsageError.
    """
    from carddb.deck.statistics import statistics

    if hand is not None and hand < 1:
        raise UsageError(f"a hand of {hand} cards", "Write 1 or more.")
    read = read_deck(project, deck, game, on or today())
    spec = read.game.spec
    fields = spec.all_fields()
    labels = {name: field.label or name.replace("_", " ").capitalize() for name, field in fields.items()}
    faults = tuple(finding for finding in read.findings if finding.severity is Severity.ERROR)
    opening = _opening_hand(read.deck, spec, hand or _hand_of(spec))
    return DeckStatistics(read.deck.name, statistics(read.deck, spec), labels, opening, faults)


def _hand_of(spec: GameSpec) -> int:
    """The cards of an opening hand, as the game's data say; 0 where they do not."""
    setup = spec.data.get("setup")
    hand = setup.get("hand") if isinstance(setup, dict) else spec.data.get("hand")
    return hand if isinstance(hand, int) else 0


def _opening_hand(deck: Deck, spec: GameSpec, drawn: int) -> OpeningHand | None:
    """The odds of a hand from the first section of the game, from which cards are drawn."""
    section = next(iter(spec.sections), "")
    total = deck.size(section)
    if not 0 < drawn <= total:
        return None
    counts = Counter[str]()
    for entry in deck.entries:
        if entry.section == section and entry.card:
            counts[entry.card.type] += entry.count
    kinds = [kind for kind in spec.types if counts[kind]]
    chances = {spec.label_of(kind): hypergeometric(drawn, counts[kind], total) for kind in kinds}
    label = spec.sections[section].label or section
    return OpeningHand(label, drawn, total, chances)
