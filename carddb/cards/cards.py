"""The frozen values that the packages without input and output work on: Card, Pool, Entry, Deck."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any, NamedTuple

from carddb.core.groups import grouped, totals
from carddb.core.names import fold
from carddb.findings import Place

SAMPLE = "sample"
"""The set of invented sample cards, which is left out as soon as a game has another set."""

DOCUMENTS = "documents"
"""The set of bundled cards that a game's own documents name, with values made up here if the documents give none.

It stays when users load their own cards, but a card of it gives way to a user's card of the same type and name.
"""


class Printing(NamedTuple):
    """One printing of a card in a set; `code` may be written wherever a card's reference may.

    `position` is the printed number in the set, `released` a date such as `2026-06-20`, `quantity` the copies in a
    playset or box. `art`, `flavor` and `artist` are its own picture, text and artist. Missing values are empty or None.
    """

    code: str
    card: str
    set: str
    position: str = ""
    released: str = ""
    art: str = ""
    quantity: int | None = None
    flavor: str = ""
    artist: str = ""

    def to_json(self) -> dict[str, Any]:
        """Returns the fields that have a value, except `card`."""
        return {name: value for name, value in self._asdict().items() if value not in ("", None) and name != "card"}


_ABSENT = object()


class Card(NamedTuple):
    """One card of a game, as it is on a certain day.

    `values` holds every field, including `name`, `type`, `set`, `art` and `emblem`, with the game's defaults filled in;
    an absent field has no key. `aliases` are former names, `printings` those beyond the card's own set, and
    `translated_names` all names, past and present, in other languages.
    """

    game: str
    ref: str
    values: Mapping[str, Any]
    aliases: tuple[str, ...] = ()
    printings: tuple[Printing, ...] = ()
    translated_names: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return str(self.values.get("name", ""))

    @property
    def type(self) -> str:
        return str(self.values.get("type", ""))

    @property
    def set(self) -> str:
        return str(self.values.get("set", ""))

    def __getitem__(self, key: Any) -> Any:
        """Returns a field's value, as in `card["strength"]`. Raises KeyError if the card has no such field."""
        if not isinstance(key, str):
            return tuple.__getitem__(self, key)
        value = self.get(key, _ABSENT)
        if value is _ABSENT:
            raise KeyError(key)
        return value

    def get(self, key: str, default: Any = None) -> Any:
        """Returns a field's value (even of `ref` and `game`), or `default` if the card has no such field."""
        if key in ("ref", "game"):
            return self.ref if key == "ref" else self.game
        return self.values.get(key, default)

    def printed(self, key: str) -> Sequence[str]:
        """Returns the values of field `key` in the card's printings: codes for `ref`, sets for `set`, else nothing."""
        if key == "ref":
            return [printing.code for printing in self.printings]
        return [printing.set for printing in self.printings] if key == "set" else ()


def stated(values: Mapping[str, Any]) -> Mapping[str, Any]:
    """Returns the values without None and without `ref`, which is not a value of a card."""
    if "ref" not in values and None not in values.values():
        return values
    return {name: value for name, value in values.items() if value is not None and name != "ref"}


class Pool:
    """The cards that decks may use, found by reference, name or former name. It never changes.

    A translated name counts only if no card has it in the game's own language.
    """

    def __init__(self, cards: Iterable[Card]) -> None:
        self._by_ref = {card.ref: card for card in cards}
        cards = self._by_ref.values()
        self._by_folded_ref = grouped((card.ref.casefold(), card) for card in cards)
        self._by_code = {printing.code.casefold(): card for card in cards for printing in card.printings}
        self._by_name = grouped((card.name, card) for card in cards)
        self._by_fold = grouped((fold(card.name), card) for card in cards)
        self._by_alias = grouped((fold(alias), card) for card in cards for alias in card.aliases)
        translated = grouped((name, card) for card in cards for name in dict.fromkeys(card.translated_names))
        folded = grouped((name, card) for card in cards for name in dict.fromkeys(map(fold, card.translated_names)))
        self._by_name |= {name: cards_ for name, cards_ in translated.items() if name not in self._by_name}
        self._by_fold |= {name: cards_ for name, cards_ in folded.items() if name not in self._by_fold}

    def __iter__(self) -> Iterator[Card]:
        return iter(self._by_ref.values())

    def __len__(self) -> int:
        return len(self._by_ref)

    def __getitem__(self, ref: str) -> Card:
        """Returns the card with exactly this reference. Raises KeyError if there is none."""
        return self._by_ref[ref]

    def get(self, ref: str) -> Card | None:
        """Returns the card with exactly this reference; None if there is none."""
        return self._by_ref.get(ref)

    @cached_property
    def written(self) -> Mapping[str, Card]:
        """The cards by name and reference, as decks write them: `Name [REF]`."""
        return {f"{card.name} [{card.ref}]": card for card in self._by_ref.values()}

    def by_reference(self, ref: str) -> Card | None:
        """Returns the card with this reference (any case if one fits), else with this printing code; or None."""
        if card := self._by_ref.get(ref):
            return card
        cards = self._by_folded_ref.get(ref.casefold(), ())
        return cards[0] if len(cards) == 1 else self._by_code.get(ref.casefold())

    def named(self, name: str) -> Sequence[Card]:
        """Returns the cards with exactly this name."""
        return self._by_name.get(name, ())

    def folded(self, name: str) -> Sequence[Card]:
        """Returns the cards with this name, ignoring case, accents, punctuation and leading articles."""
        return self._by_fold.get(fold(name), ())

    def formerly(self, name: str) -> Sequence[Card]:
        """Returns the cards that formerly had this name, ignoring case, accents, punctuation and leading articles."""
        return self._by_alias.get(fold(name), ())

    def names(self) -> list[str]:
        """Returns every current name in the order of the pool, then the translated names."""
        return list(self._by_name)


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a deck: `count` copies in a section.

    `card` is None if no card of the pool fits `name`; the entry stays in the deck anyway. `printing` is the code of the
    printing that the line names, whose picture is then drawn.
    """

    section: str
    count: int
    name: str
    card: Card | None = None
    place: Place = field(default_factory=Place)
    printing: str = field(default="", compare=False)

    @property
    def ref(self) -> str:
        """The card's reference; for an unknown card, `?` and its folded name."""
        return self.card.ref if self.card else "?" + fold(self.name)


HEADER_KEYS = ("name", "game", "format", "player", "event", "date")
"""The keys of the header of a deck, in every game."""


@dataclass(frozen=True, slots=True)
class Deck:
    """A deck as read: `headers` by key (`name`, `format`, `player`, ...), and the entries in file order."""

    game: str
    entries: Sequence[Entry]
    headers: Mapping[str, str] = field(default_factory=dict)
    file: str = ""
    places: Mapping[str, Place] = field(default_factory=dict, compare=False)
    """The place of each header in the file."""

    @property
    def name(self) -> str:
        return self.headers.get("name", "")

    def size(self, section: str) -> int:
        """Returns the number of cards in a section, including misplaced and unknown cards."""
        return sum([entry.count for entry in self.entries if entry.section == section])

    def tally(self) -> dict[tuple[str, str], int]:
        """Returns the numbers of copies; their keys are pairs of section and reference."""
        return dict(totals(((entry.section, entry.ref), entry.count) for entry in self.entries))

    def digest(self) -> str:
        """Returns the SHA-256 of game and cards as 64 hex digits, whatever the order of the lines."""
        lines = sorted(f"{section}\t{ref}\t{count}".encode() for (section, ref), count in self.tally().items())
        head = [b"carddb1", self.game.encode()]
        return hashlib.sha256(b"".join(line + b"\n" for line in [*head, *lines])).hexdigest()

    def fingerprint(self) -> str:
        """Returns `carddb1:` and the first ten hex digits of the digest."""
        return "carddb1:" + self.digest()[:10]


class ReadCard(NamedTuple):
    """One card as a file gives it: only the values that the file states, and a default `set`."""

    ref: str
    values: dict[str, Any]
    place: Place


class ReadPrinting(NamedTuple):
    """One printing as a file gives it."""

    printing: Printing
    place: Place


class ReadTranslation(NamedTuple):
    """A card's translation: its values, the fields that the file contains, and the place.

    The translations of fields in `reviewed` are right for the card's present texts. `originals` are the original texts
    that the translator saw, if the file contains them.
    """

    ref: str
    lang: str
    values: dict[str, Any]
    fields: frozenset[str]
    place: Place
    reviewed: frozenset[str] = frozenset()
    originals: Mapping[str, str] = MappingProxyType({})

    def over(self, other: ReadTranslation) -> ReadTranslation:
        """Returns this row, completed with the values of the fields that only the row `other` of the same card has."""
        beside = {name: value for name, value in other.values.items() if name not in self.fields}
        return self._replace(values={**beside, **self.values}, fields=self.fields | other.fields)
