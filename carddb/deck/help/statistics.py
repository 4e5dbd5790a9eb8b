"""Statistics of a deck and of many decks, archetypes among them, and the differences between two decks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

from carddb.cards.cards import Deck
from carddb.core.groups import grouped, totals
from carddb.deck.context import name_of
from carddb.findings import Finding
from carddb.game.game import GameSpec

Counts = Mapping[str, int]


class Statistics(NamedTuple):
    """The number of copies by section, type, choice and (`curves`) number fields; unknown cards by section only."""

    cards: int
    sections: Counts
    types: Counts
    choices: Mapping[str, Counts]
    curves: Mapping[str, Mapping[int | float, int]]

    def to_json(self) -> dict[str, Any]:
        curves = {
            name: [{"value": value, "count": count} for value, count in curve.items()]
            for name, curve in self.curves.items()
        }
        return {**self._asdict(), "curves": curves}


def statistics(deck: Deck, spec: GameSpec) -> Statistics:
    """Returns the statistics of a deck, with the labels and in the order of its game."""
    fields = spec.all_fields()
    sizes = {spec.section_label(key): deck.size(key) for key in spec.sections}
    sizes |= {entry.section: deck.size(entry.section) for entry in deck.entries if entry.section not in spec.sections}
    types = counts_by(deck, "type")
    choices = {
        name: _labelled(counts, field.of, field.labels)
        for name, field in fields.items()
        if field.type == "choice" and field.closed and name != "type" and (counts := counts_by(deck, name))
    }
    curves = {
        name: dict(sorted(counts.items()))
        for name, field in fields.items()
        if field.type in ("integer", "number") and (counts := counts_by(deck, name))
    }
    return Statistics(
        sum(entry.count for entry in deck.entries),
        {label: size for label, size in sizes.items() if size},
        _labelled(types, tuple(spec.types), {key: spec.label_of(key) for key in spec.types}),
        choices,
        curves,
    )


def counts_by(deck: Deck, field: str) -> Counter[Any]:
    """Returns the number of copies by the value of a field; cards without a value are left out."""
    values = ((entry.card.get(field), entry.count) for entry in deck.entries if entry.card)
    return totals((value, count) for value, count in values if value not in (None, ""))


def _labelled(counts: Mapping[Any, int], order: tuple[str, ...], labels: Mapping[str, str]) -> dict[str, int]:
    """Returns counts by the labels of the values, in the game's order."""
    keys = [*(key for key in order if key in counts), *(key for key in counts if key not in order)]
    return {labels.get(key, "") or str(key): counts[key] for key in keys}


class CountChange(NamedTuple):
    """The number of copies of one card in one section, before and after."""

    section: str
    ref: str
    name: str
    before: int
    after: int

    def to_json(self) -> dict[str, Any]:
        return self._asdict()


@dataclass(frozen=True, slots=True)
class DeckDifference:
    """Every card whose number of copies differs, by section and then by name."""

    changes: tuple[CountChange, ...]

    @property
    def only_before(self) -> tuple[CountChange, ...]:
        """The cards that only the first deck contains, sorted by section."""
        return tuple(change for change in self.changes if change.after == 0)

    @property
    def only_after(self) -> tuple[CountChange, ...]:
        """The cards that only the second deck contains, sorted by section."""
        return tuple(change for change in self.changes if change.before == 0)

    @property
    def counts(self) -> tuple[CountChange, ...]:
        """The cards that both decks contain in a section, in different numbers."""
        return tuple(change for change in self.changes if change.before and change.after)

    @property
    def copies(self) -> int:
        """The fewest copies to remove, add or move to turn the first deck into the second."""
        removed = totals((change.ref, max(change.before - change.after, 0)) for change in self.changes)
        added = totals((change.ref, max(change.after - change.before, 0)) for change in self.changes)
        return sum(max(removed[ref], added[ref]) for ref in removed)

    def to_json(self) -> dict[str, Any]:
        """Returns the JSON object of `decks diff --json`."""
        lists = {"only_a": self.only_before, "only_b": self.only_after, "counts": self.counts}
        parts = {key: [change.to_json() for change in changes] for key, changes in lists.items()}
        return {"schema": "carddb.deck-diff/1", "copies": self.copies, **parts}


def difference(before: Deck, after: Deck) -> DeckDifference:
    """Returns the difference between two decks."""
    names = {(entry.section, entry.ref): name_of(entry) for deck in (after, before) for entry in deck.entries}
    old, new = before.tally(), after.tally()
    sections = list(dict.fromkeys(section for section, _ in names))
    keys = sorted(names, key=lambda key: (sections.index(key[0]), names[key], key[1]))
    changes = (CountChange(*key, names[key], old.get(key, 0), new.get(key, 0)) for key in keys)
    return DeckDifference(tuple(change for change in changes if change.before != change.after))


@dataclass(frozen=True, slots=True)
class ChangedDeck:
    """A deck made from another.

    `faults` are what makes its cards illegal, `header_faults` what must be corrected in its header, `tries` the number
    of decks checked.
    """

    before: Deck
    deck: Deck
    faults: tuple[Finding, ...]
    header_faults: tuple[Finding, ...]
    tries: int

    @property
    def legal(self) -> bool:
        return not (self.faults or self.header_faults)

    @property
    def header_sentence(self) -> str:
        """A sentence about what the player must still do in the header, or an empty text."""
        return " The listed faults of the header remain." if self.header_faults else ""

    @property
    def difference(self) -> DeckDifference:
        """The changes between the two decks."""
        return difference(self.before, self.deck)

    def to_json(self) -> dict[str, Any]:
        """Returns the keys that `decks fix --json` and `decks fill --json` share."""
        return {
            "legal": self.legal,
            "copies": self.difference.copies,
            "tries": self.tries,
            "fingerprint": self.deck.fingerprint(),
            "faults": [fault.to_json() for fault in self.faults],
            "header_faults": [fault.to_json() for fault in self.header_faults],
        }


Copies = Mapping[str, int]
"""The number of copies of each of a deck's cards, by reference."""
MOST_PAIRED = 200
"""The number of cards, those in most decks, that are considered for pairs."""


@dataclass(frozen=True, slots=True)
class CardShare:
    """A card, the number of decks with it, its copies in all, and how many decks contain 1, 2, … copies."""

    ref: str
    decks: int
    copies: int
    by_copies: Mapping[int, int]
    share: float
    """The fraction of all decks that contain the card, 0 to 1."""

    @property
    def average(self) -> float:
        """The mean number of copies in the decks that contain the card."""
        return self.copies / self.decks

    def to_json(self) -> dict[str, Any]:
        by_copies = {str(copies): decks for copies, decks in self.by_copies.items()}
        numbers = {"decks": self.decks, "share": round(self.share, 4), "copies": self.copies, "by_copies": by_copies}
        return {"ref": self.ref, **numbers, "average": round(self.average, 2)}


@dataclass(frozen=True, slots=True)
class CardPair:
    """Two cards that decks contain together; `share` is the fraction of all decks that contain both, 0 to 1.

    `lift` is that share divided by the share expected if the cards were independent; `leverage` is the share minus the
    expected share (Piatetsky-Shapiro 1991).
    """

    first: str
    second: str
    decks: int
    share: float
    lift: float
    leverage: float

    def to_json(self) -> dict[str, Any]:
        numbers = {"share": self.share, "lift": self.lift, "leverage": self.leverage}
        rounded = {name: round(value, 4) for name, value in numbers.items()}
        return {"refs": [self.first, self.second], "decks": self.decks, **rounded}


def copies_of(deck: Deck, spec: GameSpec) -> dict[str, int]:
    """Returns `{ref: copies}` of a deck's known cards, in the sections that count."""
    entries = (entry for entry in deck.entries if entry.card and entry.count > 0)
    copies = totals((entry.ref, entry.count) for entry in entries if entry.section in spec.counted_sections)
    return dict(sorted(copies.items()))


def card_shares(decks: Sequence[Copies]) -> list[CardShare]:
    """Returns every card of the decks, those in most decks first."""
    by_ref = grouped(pair for deck in decks for pair in deck.items())
    shares = [
        CardShare(ref, len(counts), sum(counts), dict(sorted(Counter(counts).items())), len(counts) / len(decks))
        for ref, counts in by_ref.items()
    ]
    return sorted(shares, key=lambda card: (-card.decks, -card.copies, card.ref))


def card_pairs(decks: Sequence[Copies], shares: Sequence[CardShare], most: int) -> list[CardPair]:
    """Returns up to `most` pairs of common cards that are together more often than by chance, by leverage."""
    total = len(decks)
    decks_with: dict[str, int] = {card.ref: 0 for card in shares[:MOST_PAIRED]}
    for at, deck in enumerate(decks):
        for ref in deck:
            if ref in decks_with:
                decks_with[ref] |= 1 << at  # a bit for each deck: pairs of 10,000 decks are counted in 0.1 s
    pairs = []
    for (first, of_first), (second, of_second) in combinations(decks_with.items(), 2):
        both = (of_first & of_second).bit_count()
        product = of_first.bit_count() * of_second.bit_count()
        if both > 1 and both * total > product:
            leverage = (both * total - product) / total**2
            low, high = min(first, second), max(first, second)
            pairs.append(CardPair(low, high, both, both / total, both * total / product, leverage))
    return sorted(pairs, key=lambda pair: (-pair.leverage, pair.first, pair.second))[:most]


NEAR = 0.3
"""The least similarity of a deck to the centre of its group, 0 to 1."""
MOST_GROUPS = 24
LEAST_SHARE = 0.02
"""The least fraction of all decks that forms an archetype, which also needs two decks."""
_ROUNDS = 3
_MOST_LONE = 40
"""The number of decks in a row that may fail to lead a group before the search for groups ends."""
_CORE = 0.75
"""The least fraction of an archetype's decks that contain each of its core cards."""
_NAMED_BY = 2
"""The number of cards that give an archetype its name."""


@dataclass(frozen=True, slots=True)
class CoreCard:
    """A card of an archetype, and the fraction of decks with it: within the archetype (`share`), and `elsewhere`."""

    ref: str
    share: float
    elsewhere: float
    average: float
    """The mean number of copies in those decks of the archetype that contain the card."""

    def to_json(self) -> dict[str, Any]:
        numbers = {"share": self.share, "elsewhere": self.elsewhere, "average": self.average}
        return {"ref": self.ref, **{name: round(value, 4) for name, value in numbers.items()}}


@dataclass(frozen=True, slots=True)
class Archetype:
    """A group of similar decks: their indices, most typical first, and the `core` of cards that most of them have.

    `named_by` are the cards that distinguish it best.
    """

    decks: tuple[int, ...]
    named_by: tuple[str, ...]
    core: tuple[CoreCard, ...]


class _Centre:
    """The mean of one deck or several, with which other decks are compared."""

    def __init__(self, copies: Mapping[str, float], weights: Mapping[str, int]) -> None:
        self._copies = copies
        self._weights = weights
        self._whole = _weight(copies, weights)

    def likeness(self, deck: Copies, whole: float) -> float:
        """Returns the similarity of a deck, 0 to 1; `whole` is the weight of all its cards."""
        copies, weights = self._copies, self._weights
        common = sum([weights[ref] * min(count, copies[ref]) for ref, count in deck.items() if ref in copies])
        either = whole + self._whole - common
        return common / either if either > 0 else 1.0


class _Grouping:
    """Groups decks that differ; `times` says how many decks are the same as each."""

    def __init__(self, decks: Sequence[Copies], times: Sequence[int], weights: Mapping[str, int], least: float) -> None:
        self._decks = decks
        self._times = times
        self._weights = weights
        self._wholes = [_weight(deck, weights) for deck in decks]
        self._least = least

    def groups(self) -> list[list[int]]:
        """Returns, for each group, the indices of its decks, nearest to the group's centre first."""
        centres = self._leaders()
        groups: list[list[tuple[float, int]]] = []
        for _ in range(_ROUNDS):
            groups = [[] for _ in centres]
            for number, deck in enumerate(self._decks):
                near = [centre.likeness(deck, self._wholes[number]) for centre in centres]
                if near and max(near) >= NEAR:
                    groups[near.index(max(near))].append((-max(near), number))
            groups = [group for group in groups if group]
            centres = [self._mean([number for _, number in group]) for group in groups]
        return [[number for _, number in sorted(group)] for group in groups]

    def _leaders(self) -> list[_Centre]:
        """Returns the first centres of groups, each found around a typical deck."""
        centres: list[_Centre] = []
        left, lone = list(range(len(self._decks))), 0
        while left and lone < _MOST_LONE and len(centres) < MOST_GROUPS:
            leader = self._most_typical(left)
            group = self._near(_Centre(self._decks[leader], self._weights), left)
            if self._size(group) >= self._least:
                centre = self._mean(group)
                centres.append(centre)
                gone, lone = {leader, *group, *self._near(centre, left)}, 0
            else:
                gone, lone = {leader}, lone + 1
            left = [number for number in left if number not in gone]
        return centres

    def _most_typical(self, numbers: Sequence[int]) -> int:
        """Returns the deck whose cards, on average, occur in most of the other decks; of equals the first."""
        holding = totals((ref, self._times[number]) for number in numbers for ref in self._decks[number])

        def typicality(number: int) -> float:
            deck = self._decks[number]
            return sum([holding[ref] for ref in deck]) / max(1, len(deck))

        return max(numbers, key=typicality)

    def _near(self, centre: _Centre, numbers: Sequence[int]) -> list[int]:
        return [at for at in numbers if centre.likeness(self._decks[at], self._wholes[at]) >= NEAR]

    def _size(self, numbers: Sequence[int]) -> int:
        return sum([self._times[number] for number in numbers])

    def _mean(self, numbers: Sequence[int]) -> _Centre:
        every = ((ref, count * self._times[at]) for at in numbers for ref, count in self._decks[at].items())
        copies = totals(every)
        total = self._size(numbers)
        return _Centre({ref: count / total for ref, count in copies.items()}, self._weights)


def archetypes(decks: Sequence[Copies]) -> list[Archetype]:
    """Returns the archetypes of the decks, largest first. A deck unlike all others belongs to none."""
    holding = Counter(ref for deck in decks for ref in deck)
    weights = {ref: len(decks) - number for ref, number in holding.items()}
    same = grouped((tuple(sorted(deck.items())), at) for at, deck in enumerate(decks))
    different = sorted(same)
    least = max(2, LEAST_SHARE * len(decks))
    grouping = _Grouping([dict(deck) for deck in different], [len(same[deck]) for deck in different], weights, least)
    members = ([at for number in group for at in same[different[number]]] for group in grouping.groups())
    large_enough = [_archetype(group, decks, holding) for group in members if len(group) >= least]
    return sorted(large_enough, key=lambda each: (-len(each.decks), each.named_by))


def _weight(deck: Mapping[str, float], weights: Mapping[str, int]) -> float:
    return sum([weights[ref] * count for ref, count in deck.items()])


def _archetype(numbers: Sequence[int], decks: Sequence[Copies], holding: Mapping[str, int]) -> Archetype:
    """Returns the archetype of the decks with the indices `numbers`; `holding` counts all decks with each card."""
    outside = max(1, len(decks) - len(numbers))
    cards = [
        CoreCard(card.ref, card.share, (holding[card.ref] - card.decks) / outside, card.average)
        for card in card_shares([decks[number] for number in numbers])
    ]
    own = sorted(cards, key=lambda card: (card.elsewhere - card.share, -card.average, card.ref))
    core = sorted(
        (card for card in cards if card.share >= _CORE), key=lambda card: (-card.share, -card.average, card.ref)
    )
    return Archetype(tuple(numbers), tuple(card.ref for card in own[:_NAMED_BY]), tuple(core))
