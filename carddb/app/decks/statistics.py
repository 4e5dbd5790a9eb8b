"""The numbers of a deck, with the exact odds of an opening hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import Any

from carddb.app.decks.reading import DeckSource, ReadDeck, read_deck
from carddb.app.workspace.clock import today
from carddb.app.workspace.own_readings import option_texts
from carddb.app.workspace.workspace import Workspace
from carddb.cards.cards import Deck
from carddb.core.errors import UsageError
from carddb.deck import options
from carddb.deck.help.statistics import Statistics, statistics
from carddb.findings import Finding, Severity
from carddb.game.game import GameSpec
from carddb.play.chance import hypergeometric, text


@dataclass(frozen=True, slots=True)
class OpeningHand:
    """Hands of `drawn` cards out of `total` in a section: for each type the chances of 0, 1, 2, ... cards of it."""

    section: str
    drawn: int
    total: int
    chances: dict[str, dict[int, Fraction]]

    @property
    def of_one_copy(self) -> Fraction:
        """The chance that a hand holds a certain copy of a card."""
        return Fraction(self.drawn, self.total)

    def to_json(self) -> dict[str, Any]:
        chances = {
            kind: {str(count): text(chance) for count, chance in counts.items()}
            for kind, counts in self.chances.items()
        }
        one = text(self.of_one_copy)
        return {"section": self.section, "drawn": self.drawn, "total": self.total, "chances": chances, "one_copy": one}


@dataclass(frozen=True, slots=True)
class DeckStatistics:
    """The numbers of a deck; `hands` are opening hands, one a section that has its own; `notes` say what is missing."""

    name: str
    numbers: Statistics
    labels: dict[str, str]
    """The printed names of the fields."""
    hands: tuple[OpeningHand, ...]
    notes: tuple[str, ...]
    findings: tuple[Finding, ...]
    """What the reader found wrong."""

    @property
    def hand(self) -> OpeningHand | None:
        """The first opening hand, where there is one."""
        return self.hands[0] if self.hands else None

    def to_json(self) -> dict[str, Any]:
        """The shape of `decks stats --json`."""
        return {
            "schema": "carddb.deck-stats/1",
            "deck": self.name,
            **self.numbers.to_json(),
            "opening_hand": self.hand.to_json() if self.hand else None,
            "opening_hands": [hand.to_json() for hand in self.hands],
            "hand_notes": list(self.notes),
        }


def deck_statistics(
    project: Workspace, deck: DeckSource, game: str | None = None, on: date | None = None, hand: int | None = None
) -> DeckStatistics:
    """The numbers of a deck; `hand` is the size of an opening hand (None: what the game's data say).

    Raises InputError, UsageError.
    """
    if hand is not None and hand < 1:
        raise UsageError(f"a hand of {hand} cards", "Write 1 or more.")
    return statistics_of(project, read_deck(project, deck, game, on or today()), hand)


def statistics_of(project: Workspace, read: ReadDeck, hand: int | None = None) -> DeckStatistics:
    """The numbers of a deck that is read already."""
    spec = read.game.spec
    fields = spec.all_fields()
    labels = {name: field.label or name.replace("_", " ").capitalize() for name, field in fields.items()}
    faults = tuple(finding for finding in read.findings if finding.severity is Severity.ERROR)
    hands, notes = [], []
    for section, drawn, note in hand_sizes(project, read):
        opening = _opening_hand(read.deck, spec, section, hand or drawn)
        if opening:
            hands.append(opening)
        elif drawn and not note:
            name = spec.section_label(section)
            notes.append(f"A first hand has {drawn} cards, and {name} has {read.deck.size(section)}.")
        if note and not (hand and opening):
            notes.append(note)
    numbers = statistics(read.deck, spec)
    return DeckStatistics(read.deck.name, numbers, labels, tuple(hands), tuple(dict.fromkeys(notes)), faults)


def hand_sizes(project: Workspace, read: ReadDeck) -> list[tuple[str, int, str]]:
    """Sections with the cards of a first hand, 0 where no number is known, and what is to be said of it.

    They are what the game's `opening_hands(deck, spec, options)` gives, else what its data say of its first section.
    """
    spec = read.game.spec
    if own := read.game.hook("opening_hands"):
        sizes: list[tuple[str, int, str]] = own(read.deck, spec, options(spec, option_texts(project, spec.key, {})))
        return sizes
    hand = hand_data(spec).get("hand")
    drawn = hand if isinstance(hand, int) else 0
    missing = "" if drawn else "The game's data name no number of cards for a first hand."
    return [(next(iter(spec.sections), ""), drawn, str(spec.data.get("hand_note", missing)))]


def hand_data(spec: GameSpec) -> Mapping[str, Any]:
    """Where a game's data speak of the first hand: its `setup`, else the data themselves."""
    setup = spec.data.get("setup")
    return setup if isinstance(setup, dict) else spec.data


def _opening_hand(deck: Deck, spec: GameSpec, section: str, drawn: int) -> OpeningHand | None:
    """The odds of a hand from a section; None where it has fewer cards."""
    total = deck.size(section)
    if not 0 < drawn <= total:
        return None
    counts = Counter[str]()
    for entry in deck.entries:
        if entry.section == section and entry.card:
            counts[entry.card.type] += entry.count
    kinds = [kind for kind in spec.types if counts[kind]]
    chances = {spec.label_of(kind): hypergeometric(drawn, counts[kind], total) for kind in kinds}
    return OpeningHand(spec.section_label(section), drawn, total, chances)
