"""A playtest table: its zones, how it is set up, and where each card is during play."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Literal

from pydantic import Field

from carddb.core.plain_text import whole
from carddb.game.game import GameSpec
from carddb.game.parts import ZoneSpec
from carddb.play.chance import Stream
from carddb.play.question import Count, Many, Record, Refusal, refuse
from carddb.play.table.session import Changing, Rng, TableSession, TableState


class Zone(Record):
    """A zone as stored in a save, so that the save stays readable when the game's data change."""

    label: str
    whose: Literal["player", "shared"] = "player"
    faces: Literal["up", "down", "own"] = "up"
    order: Literal["pile", "row", "grid"] = "row"
    shuffled: bool = False


def zones_of(spec: GameSpec) -> Mapping[str, ZoneSpec]:
    """Returns the zones of a game by key; by default a pile per section, a hand, cards in play, and discards."""
    piles = {
        f"deck{number}": ZoneSpec(
            label=spec.section_label(section), faces="down", order="pile", sections=(section,), shuffled=True
        )
        for number, section in enumerate(spec.sections, 1)
    }
    return spec.zones or {**piles, **_USUAL}


_USUAL: Mapping[str, ZoneSpec] = {
    "hand": ZoneSpec(label="Hand", faces="own", order="row", opening_hand=True),
    "play": ZoneSpec(label="In play", faces="up", order="grid"),
    "discard": ZoneSpec(label="Discards", faces="up", order="pile"),
}


MOST_SEATS = 4
MOST_CARDS = 1000
"""The most cards of one seat."""

Seat = Annotated[int, Field(ge=1, le=MOST_SEATS)]
"""A player's place at the table, counted from 1."""


class DeckLine(Changing):
    """Copies of a card: its reference in the catalogue (empty if the card is unknown), and its name."""

    ref: str = ""
    name: str
    count: Annotated[int, Field(ge=1, le=MOST_CARDS)] = 1


class SeatDeck(Changing):
    """The start of one player: a name, cards by zone, and how many cards of each zone form the opening hand."""

    name: str
    cards: dict[str, Many[DeckLine]]
    opening: dict[str, Count] = Field(default={})


class PlaytestTable(TableState):
    """A save: the game, its zones as they were, what each player brings, the seed, and every action.

    Everything else follows from these by replaying the log.
    """

    game: Literal["playtest"] = "playtest"
    version: Literal[1] = 1
    step: Literal["play"] = "play"
    of: str
    zones: dict[str, Zone]
    hand: str = ""
    """The zone into which opening hands are dealt."""
    seats: Annotated[tuple[SeatDeck, ...], Field(min_length=1, max_length=MOST_SEATS, strict=False)]


@dataclass(frozen=True, slots=True)
class Piece:
    """A card on the table: its index among the table's cards, its position, and what was put on it.

    `up` is None if it is face up or down as is usual in its zone. `turned` means by a quarter turn.
    """

    number: int
    up: bool | None = None
    turned: bool = False
    counters: Mapping[str, int] = field(default_factory=dict)
    note: str = ""


@dataclass(frozen=True)
class PlaytestSession(TableSession[PlaytestTable]):
    """A running playtest table.

    `cards` are all cards by index. `piles` are the cards of each zone, from the top; a player's own zone is called, for
    example, `hand.1`, a shared zone by its key. `looked_at` are the cards that each seat is looking at. `active` is the
    seat whose turn it is.
    """

    cards: tuple[DeckLine, ...] = ()
    piles: Mapping[str, tuple[Piece, ...]] = field(default_factory=dict)
    counters: Mapping[int, Mapping[str, int]] = field(default_factory=dict)
    looked_at: Mapping[int, frozenset[int]] = field(default_factory=dict)
    turn: int = 1
    active: int = 1

    def zone(self, name: str) -> Zone:
        """Returns the zone of the pile `name`. Refuses `no_such_zone`."""
        refuse(no_such_zone=name not in self.piles)
        return self.table.zones[name.partition(".")[0]]

    def owner(self, name: str) -> int | None:
        """Returns the seat to which the pile `name` belongs, or None if it is shared."""
        number = name.partition(".")[2]
        return int(number) if number else None

    def own(self, zone: str, seat: int) -> str:
        """Returns the pile of `seat` for a zone: its own, or the shared one. Refuses `no_such_zone`."""
        name = f"{zone}.{seat}" if f"{zone}.{seat}" in self.piles else zone
        refuse(no_such_zone=name not in self.piles)
        return name

    def at(self, place: str) -> tuple[str, int]:
        """Returns the pile and the index from 0 of a place such as `hand.1:3`. Refuses `no_such_card`."""
        name, _, number = place.rpartition(":")
        index = whole(number) or 0
        if name not in self.piles or not 0 < index <= len(self.piles[name]):
            raise Refusal("no_such_card", hint=f"Nothing lies at {place}.")
        return name, index - 1

    def all_see(self, name: str, piece: Piece) -> bool:
        """Returns whether everybody sees the face of a card."""
        return piece.up if piece.up is not None else self.zone(name).faces == "up"

    def sees(self, seat: int | None, name: str, piece: Piece) -> bool:
        """Returns whether a seat sees the face of a card; for None, whether everybody does."""
        if self.all_see(name, piece):
            return True
        own = piece.up is None and self.zone(name).faces == "own" and self.owner(name) == seat
        return seat is not None and (own or piece.number in self.looked_at.get(seat, ()))

    def label(self, name: str, seat: int) -> str:
        """Returns the label of a pile, with its owner's name if that is not `seat`."""
        owner = self.owner(name)
        return self.zone(name).label + (f" of {self.name(owner)}" if owner and owner != seat else "")

    def name(self, seat: int) -> str:
        """Returns the name of a seat."""
        return self.table.seats[seat - 1].name

    # Changes

    def with_pile(self, name: str, pieces: tuple[Piece, ...]) -> PlaytestSession:
        """Returns the session with the cards of a pile replaced."""
        return replace(self, piles={**self.piles, name: pieces})

    def with_piece(self, place: tuple[str, int], **changes: Any) -> PlaytestSession:
        """Returns the session with a card changed, such as its face, counters or note."""
        name, at = place
        pieces = self.piles[name]
        return self.with_pile(name, (*pieces[:at], replace(pieces[at], **changes), *pieces[at + 1 :]))

    def unseen(self, numbers: frozenset[int]) -> PlaytestSession:
        """Returns the session in which nobody looks at the cards `numbers` any more."""
        return replace(self, looked_at={seat: cards - numbers for seat, cards in self.looked_at.items()})


def new(spec: GameSpec, decks: Sequence[SeatDeck], seed: int) -> PlaytestSession:
    """Returns a table of a game, set up from the seed. Refuses `too_many_cards`, `no_such_zone`."""
    zones = {
        key: Zone(
            label=zone.label or key.replace("_", " ").capitalize(),
            whose=zone.whose,
            faces=zone.faces,
            order=zone.order,
            shuffled=zone.shuffled,
        )
        for key, zone in zones_of(spec).items()
    }
    hand = next((key for key, zone in zones_of(spec).items() if zone.opening_hand), "")
    return laid_out(spec, PlaytestTable(rng=Rng(seed=seed), of=spec.key, zones=zones, hand=hand, seats=tuple(decks)))


def seat_deck(
    spec: GameSpec, name: str, sections: Mapping[str, Sequence[DeckLine]], hands: Iterable[tuple[str, int]]
) -> SeatDeck:
    """Returns a player's cards by zone. `hands` gives, for each section, the number of cards in the opening hand."""
    cards: dict[str, tuple[DeckLine, ...]] = {}
    opening: dict[str, int] = {}
    sizes = dict(hands)
    for key, zone in zones_of(spec).items():
        for section in zone.sections:
            cards[key] = (*cards.get(key, ()), *sections.get(section, ()))
            if sizes.get(section) and sections.get(section):
                opening[key] = opening.get(key, 0) + sizes[section]
    return SeatDeck(name=name, cards={key: lines for key, lines in cards.items() if lines}, opening=opening)


def laid_out(spec: GameSpec, table: PlaytestTable) -> PlaytestSession:
    """Returns a table as it is before the first action. Refuses `too_many_cards`, `no_such_zone`."""
    stream = Stream(table.rng.seed)
    cards: list[DeckLine] = []
    piles: dict[str, list[Piece]] = {
        _own(key, zone, seat): [] for key, zone in table.zones.items() for seat in range(1, len(table.seats) + 1)
    }
    for seat, deck in enumerate(table.seats, 1):
        refuse(too_many_cards=sum(line.count for lines in deck.cards.values() for line in lines) > MOST_CARDS)
        for key, lines in deck.cards.items():
            refuse(no_such_zone=key not in table.zones)
            pile = piles[_own(key, table.zones[key], seat)]
            for line in lines:
                pile += [Piece(len(cards) + copy) for copy in range(line.count)]
                cards += [line] * line.count
    for name, pile in piles.items():
        if table.zones[name.partition(".")[0]].shuffled:
            stream.shuffle(pile)
    for seat, deck in enumerate(table.seats, 1):
        for key, count in deck.opening.items() if table.hand else ():
            refuse(no_such_zone=not {key, table.hand} <= table.zones.keys())
            pile = piles[_own(key, table.zones[key], seat)]
            piles[_own(table.hand, table.zones[table.hand], seat)] += pile[:count]
            del pile[:count]
    start = table.with_(rng=Rng(seed=stream.seed, draws=stream.draws), log=())
    laid = {name: tuple(pile) for name, pile in piles.items()}
    return PlaytestSession(spec, start, cards=tuple(cards), piles=laid)


def _own(key: str, zone: Zone, seat: int) -> str:
    return f"{key}.{seat}" if zone.whose == "player" else key
