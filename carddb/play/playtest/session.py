"""A playtest table: its zones, how it is set up, where each card is, and what players do with the cards.

Whatever can be done with cards on a real table is allowed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Literal

from pydantic import Field

from carddb.core.groups import grouped, totals
from carddb.core.plain_text import whole
from carddb.game.frozen import replaced
from carddb.game.game import GameSpec
from carddb.game.parts import ZoneSpec
from carddb.play.chance import Stream
from carddb.play.question import BadInput, Count, Many, Record, Refusal, refuse
from carddb.play.table.engine import action
from carddb.play.table.session import Changing, Rng, TableSession, TableState


class Zone(Record):
    """A zone as stored in a save, so that the save stays readable when the game's data change."""

    label: str
    whose: Literal["player", "shared"] = "player"
    faces: Literal["up", "down", "own"] = "up"
    order: Literal["pile", "row", "grid"] = "row"
    shuffled: bool = False


def zones_of(spec: GameSpec) -> Mapping[str, ZoneSpec]:
    """Returns the zones of a game by key; by default a pile for each section, a hand, cards in play, and discards."""
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
"""The most players at a table."""
MOST_CARDS = 1000
"""The most cards of one seat."""

Seat = Annotated[int, Field(ge=1, le=MOST_SEATS)]
"""A player's place at the table, counted from 1."""


class DeckLine(Changing):
    """Copies of a card: its reference in the catalogue (empty if the card is unknown), its name, and their count."""

    ref: str = ""
    name: str
    count: Annotated[int, Field(ge=1, le=MOST_CARDS)] = 1


class SeatDeck(Changing):
    """A player's start: name, cards by zone, and the number of cards of each zone that go into the opening hand."""

    name: str
    cards: dict[str, Many[DeckLine]]
    opening: dict[str, Count] = Field(default={})


class PlaytestTable(TableState):
    """A save: key of the game (`of`), zones, what each player brings, seed and actions, from which all else follows."""

    game: Literal["playtest"] = "playtest"
    version: Literal[1] = 1
    step: Literal["play"] = "play"
    of: str
    zones: dict[str, Zone]
    hand: str = ""
    """The key of the zone into which opening hands are dealt."""
    seats: Annotated[tuple[SeatDeck, ...], Field(min_length=1, max_length=MOST_SEATS, strict=False)]


@dataclass(frozen=True, slots=True)
class Piece:
    """A card on the table: its index among the table's cards, its position, and what was put on it.

    If `up` is None, it lies face up or down as usual in its zone. If it is `turned`, it lies rotated by a quarter turn.
    """

    number: int
    up: bool | None = None
    turned: bool = False
    counters: Mapping[str, int] = field(default_factory=dict)
    note: str = ""


@dataclass(frozen=True)
class PlaytestSession(TableSession[PlaytestTable]):
    """A running playtest table.

    `cards` are all cards by index. `piles` are the cards of each zone, from the top; keys such as `hand.1` are zones of
    one player. `counters` are those beside each seat, and `looked_at` the indices of the cards that each seat looks at.
    `active` is the seat whose turn it is.
    """

    cards: tuple[DeckLine, ...] = ()
    piles: Mapping[str, tuple[Piece, ...]] = field(default_factory=dict)
    counters: Mapping[int, Mapping[str, int]] = field(default_factory=dict)
    looked_at: Mapping[int, frozenset[int]] = field(default_factory=dict)
    turn: int = 1
    active: int = 1

    def zone(self, name: str) -> Zone:
        """Returns the zone to which the pile called `name` belongs. Refuses with `no_such_zone`."""
        refuse(no_such_zone=name not in self.piles)
        return self.table.zones[name.partition(".")[0]]

    def owner(self, name: str) -> int | None:
        """Returns the seat to which the pile `name` belongs, or None if it is shared."""
        number = name.partition(".")[2]
        return int(number) if number else None

    def own(self, zone: str, seat: int) -> str:
        """Returns the name of the pile of `seat` in a zone: its own, or the shared one. Refuses with `no_such_zone`."""
        name = f"{zone}.{seat}" if f"{zone}.{seat}" in self.piles else zone
        refuse(no_such_zone=name not in self.piles)
        return name

    def at(self, place: str) -> tuple[str, int]:
        """Returns the pile and the index, from 0, of a place such as `hand.1:3`. Refuses with `no_such_card`."""
        name, _, number = place.rpartition(":")
        index = whole(number) or 0
        if name not in self.piles or not 0 < index <= len(self.piles[name]):
            raise Refusal("no_such_card", hint=f"There is no card at {place}.")
        return name, index - 1

    def all_see(self, name: str, piece: Piece) -> bool:
        """Returns whether everybody sees the face of a card in the pile `name`."""
        return piece.up if piece.up is not None else self.zone(name).faces == "up"

    def sees(self, seat: int | None, name: str, piece: Piece) -> bool:
        """Returns whether a seat (None: everybody) sees the face of a card that is in the pile `name`."""
        if self.all_see(name, piece):
            return True
        own = piece.up is None and self.zone(name).faces == "own" and self.owner(name) == seat
        return seat is not None and (own or piece.number in self.looked_at.get(seat, ()))

    def label(self, name: str, seat: int) -> str:
        """Returns the label of a pile, followed by its owner's name if the owner is another seat than `seat`."""
        owner = self.owner(name)
        return self.zone(name).label + (f" of {self.name(owner)}" if owner and owner != seat else "")

    def name(self, seat: int) -> str:
        """Returns the name of the player at a seat. Refuses with `no_such_seat` if nobody sits there."""
        refuse(no_such_seat=seat > len(self.table.seats))
        return self.table.seats[seat - 1].name

    def with_pile(self, name: str, pieces: tuple[Piece, ...]) -> PlaytestSession:
        """Returns the session with the cards of a pile replaced."""
        return replace(self, piles={**self.piles, name: pieces})

    def with_piece(self, place: tuple[str, int], **changes: Any) -> PlaytestSession:
        """Returns the session with the card at `place` (pile, index) changed, such as its face, counters or note."""
        name, at = place
        pieces = self.piles[name]
        return self.with_pile(name, (*pieces[:at], replace(pieces[at], **changes), *pieces[at + 1 :]))

    def unseen(self, numbers: frozenset[int]) -> PlaytestSession:
        """Returns the session in which nobody looks any more at the cards with the indices `numbers`."""
        return replace(self, looked_at={seat: cards - numbers for seat, cards in self.looked_at.items()})


def new(spec: GameSpec, decks: Sequence[SeatDeck], seed: int) -> PlaytestSession:
    """Returns a new table of a game, shuffled by the seed. Refuses with `too_many_cards`, `no_such_zone`."""
    zones = {
        key: Zone.model_validate(
            replaced(zone, label=zone.label or key.replace("_", " ").capitalize()), from_attributes=True
        )
        for key, zone in zones_of(spec).items()
    }
    hand = next((key for key, zone in zones_of(spec).items() if zone.opening_hand), "")
    return laid_out(spec, PlaytestTable(rng=Rng(seed=seed), of=spec.key, zones=zones, hand=hand, seats=tuple(decks)))


def seat_deck(
    spec: GameSpec, name: str, sections: Mapping[str, Sequence[DeckLine]], hands: Iterable[tuple[str, int]]
) -> SeatDeck:
    """Returns a player's cards by zone. `hands` are pairs (section, number of its cards in the opening hand)."""
    zones = [(key, section) for key, zone in zones_of(spec).items() for section in zone.sections]
    cards = grouped((key, line) for key, section in zones for line in sections.get(section, ()))
    sizes = {section: size for section, size in hands if size and sections.get(section)}
    opening = totals((key, sizes[section]) for key, section in zones if section in sizes)
    return SeatDeck(name=name, cards={key: tuple(lines) for key, lines in cards.items()}, opening=dict(opening))


def laid_out(spec: GameSpec, table: PlaytestTable) -> PlaytestSession:
    """Returns the session of a save, before its first action. Refuses with `too_many_cards`, `no_such_zone`."""

    def own(key: str, seat: int) -> str:
        return f"{key}.{seat}" if table.zones[key].whose == "player" else key

    stream = Stream(table.rng.seed)
    cards: list[DeckLine] = []
    seats = range(1, len(table.seats) + 1)
    piles: dict[str, list[Piece]] = {own(key, seat): [] for key in table.zones for seat in seats}
    for seat, deck in enumerate(table.seats, 1):
        refuse(too_many_cards=sum(line.count for lines in deck.cards.values() for line in lines) > MOST_CARDS)
        for key, lines in deck.cards.items():
            refuse(no_such_zone=key not in table.zones)
            pile = piles[own(key, seat)]
            for line in lines:
                pile += [Piece(len(cards) + copy) for copy in range(line.count)]
                cards += [line] * line.count
    for name, pile in piles.items():
        if table.zones[name.partition(".")[0]].shuffled:
            stream.shuffle(pile)
    for seat, deck in enumerate(table.seats, 1):
        for key, count in deck.opening.items() if table.hand else ():
            refuse(no_such_zone=not {key, table.hand} <= table.zones.keys())
            pile = piles[own(key, seat)]
            piles[own(table.hand, seat)] += pile[:count]
            del pile[:count]
    start = table.with_(rng=Rng(seed=stream.seed, draws=stream.draws), log=())
    return PlaytestSession(spec, start, cards=tuple(cards), piles={name: tuple(pile) for name, pile in piles.items()})


AT = ["play"]
Amount = Annotated[int, Field(ge=1, le=100)]
Place = Annotated[str, Field(pattern=rf"^[a-z][a-z0-9_]*(\.[1-{MOST_SEATS}])?:[0-9]{{1,4}}$")]
Sides = Annotated[int, Field(ge=2, le=1000)]
Word = Annotated[str, Field(min_length=1, max_length=40)]
Note = Annotated[str, Field(max_length=200)]
Change = Annotated[int, Field(ge=-9999, le=9999)]

MOST_DICE = 20
MOST_COUNTERS = 12
"""The most kinds of counters on a card, or at a seat."""


@action(at=AT)
def draw(session: PlaytestSession, seat: Seat, zone: str, to: str, count: Amount = 1) -> PlaytestSession:
    """Take cards from the top of a zone; `zone` and `to` are keys, and mean the seat's own zone if it has one."""
    source, target = session.own(zone, seat), session.own(to, seat)
    pile = session.piles[source]
    refuse(pile_empty=not pile)
    number = min(count, len(pile))
    session = _moved(session, [(source, at) for at in range(number)], target, "bottom", None)
    cards = "a card" if number == 1 else f"{number} cards"
    return session.say(
        f"{session.name(seat)} draws {cards} from {session.label(source, seat)} to {session.label(target, seat)}."
    )


@action(at=AT)
def move(
    session: PlaytestSession,
    seat: Seat,
    cards: Many[Place],
    to: str,
    at: Literal["top", "bottom"] = "top",
    face: Literal["up", "down"] | None = None,
) -> PlaytestSession:
    """Move cards to a zone, in their order; without `face`, they are face up or down as usual in the zone."""
    places = _places(session, cards)
    refuse(no_such_zone=to not in session.piles)
    before = [(name, session.piles[name][number]) for name, number in places]
    session = _moved(session, places, to, at, None if face is None else face == "up")
    numbers = {piece.number for _, piece in before}
    after = {piece.number: piece for piece in session.piles[to] if piece.number in numbers}
    open_ = [session.all_see(name, piece) or session.all_see(to, after[piece.number]) for name, piece in before]
    words = _cards_in_words(session, [piece for _, piece in before], open_)
    sources = " and ".join(dict.fromkeys(session.label(name, seat) for name, _ in before))
    where = f", {at}" if session.zone(to).order == "pile" and at == "bottom" else ""
    return session.say(f"{session.name(seat)} moves {words} from {sources} to {session.label(to, seat)}{where}.")


@action(at=AT)
def shuffle(session: PlaytestSession, seat: Seat, zone: str) -> PlaytestSession:
    """Shuffle a zone; its cards are then face up or down as usual in the zone, and nobody looks at them any more."""
    refuse(no_such_zone=zone not in session.piles)
    pile = [replace(piece, up=None) for piece in session.piles[zone]]
    stream = session.stream()
    stream.shuffle(pile)
    session = session.with_stream(stream).unseen(frozenset(piece.number for piece in pile))
    return session.with_pile(zone, tuple(pile)).say(f"{session.name(seat)} shuffles {session.label(zone, seat)}.")


@action(at=AT)
def flip(session: PlaytestSession, seat: Seat, cards: Many[Place]) -> PlaytestSession:
    """Turn cards over: cards that all see are turned face down, the others face up."""
    places = _places(session, cards)
    for name, number in places:
        piece = session.piles[name][number]
        up = not session.all_see(name, piece)
        usual = session.zone(name).faces == "up"
        session = session.with_piece((name, number), up=None if up == usual else up).unseen(frozenset({piece.number}))
    names = [session.cards[session.piles[name][number].number].name for name, number in places]
    return session.say(f"{session.name(seat)} turns over {', '.join(names)}.")


@action(at=AT)
def turn(session: PlaytestSession, seat: Seat, cards: Many[Place]) -> PlaytestSession:
    """Turn cards by a quarter, or back."""
    places = _places(session, cards)
    for name, number in places:
        session = session.with_piece((name, number), turned=not session.piles[name][number].turned)
    return session.say(f"{session.name(seat)} turns {_open_words(session, places)} by a quarter.")


@action(at=AT)
def look(session: PlaytestSession, seat: Seat, zone: str, count: Amount | None = None) -> PlaytestSession:
    """Look at the cards on top of a zone, or at all; the other players see only that somebody looks."""
    refuse(no_such_zone=zone not in session.piles)
    pieces = session.piles[zone][:count]
    seen = frozenset(piece.number for piece in pieces)
    session = replace(session, looked_at={**session.looked_at, seat: session.looked_at.get(seat, frozenset()) | seen})
    cards = "a card" if len(pieces) == 1 else f"{len(pieces)} cards"
    return session.say(f"{session.name(seat)} looks at {cards} of {session.label(zone, seat)}.")


@action(at=AT, serves=lambda session: any(session.looked_at.values()))
def look_away(session: PlaytestSession, seat: Seat) -> PlaytestSession:
    """Stop looking at cards that are face down, or in another player's hand."""
    session = replace(session, looked_at={**session.looked_at, seat: frozenset()})
    return session.say(f"{session.name(seat)} looks away.")


@action(at=AT)
def counter(
    session: PlaytestSession, seat: Seat, name: Word, by: Change = 1, cards: Many[Place] = (), of: Seat | None = None
) -> PlaytestSession:
    """Put counters on cards or take them off; without `cards`, beside your own seat, or the seat `of`."""
    places = _places(session, cards) if cards else []
    for place in places:
        piece = session.piles[place[0]][place[1]]
        session = session.with_piece(place, counters=_counted(piece.counters, name, by))
    if places:
        return session.say(f"{session.name(seat)}: {name} {by:+} on {_open_words(session, places)}.")
    owner = of or seat
    counters = _counted(session.counters.get(owner, {}), name, by)
    session = replace(session, counters={**session.counters, owner: counters})
    return session.say(f"{session.name(owner)}: {name} {by:+}, now {counters.get(name, 0)}.")


def _counted(counters: Mapping[str, int], name: str, by: int) -> dict[str, int]:
    """Returns counters with `by` added to the one called `name`; counters that become 0 are dropped."""
    after = {**counters, name: counters.get(name, 0) + by}
    refuse(too_many_counters=len(after) > MOST_COUNTERS)
    return {key: number for key, number in after.items() if number}


@action(at=AT)
def note(session: PlaytestSession, seat: Seat, cards: Many[Place], text: Note = "") -> PlaytestSession:
    """Write a note on cards, which all can read; an empty text removes the note."""
    places = _places(session, cards)
    for place in places:
        session = session.with_piece(place, note=text.strip())
    words = f"writes “{text.strip()}” on" if text.strip() else "takes the note off"
    return session.say(f"{session.name(seat)} {words} {_open_words(session, places)}.")


@action(at=AT)
def roll(
    session: PlaytestSession, seat: Seat, count: Annotated[int, Field(ge=1, le=MOST_DICE)] = 1, sides: Sides = 6,
    dice: Annotated[tuple[int, ...], Field(max_length=MOST_DICE, strict=False)] = (),
) -> PlaytestSession:  # fmt: skip
    """Roll dice, or enter what dice on the table show."""
    session, faces = session.rolled(len(dice) or count, dice, sides)
    kind = "" if sides == 6 else f" (1 to {sides})"
    total = f", together {sum(faces)}" if len(faces) > 1 else ""
    return session.say(f"{session.name(seat)} rolls {', '.join(map(str, faces))}{total}{kind}.")


@action(at=AT)
def pass_(session: PlaytestSession, seat: Seat) -> PlaytestSession:
    """End your turn; the next seat has the next turn."""
    following = seat % len(session.table.seats) + 1
    session = replace(session, active=following, turn=session.turn + (following == 1))
    if len(session.table.seats) == 1:
        return session.say(f"Turn {session.turn} begins.")
    return session.say(f"{session.name(seat)} passes; {session.name(following)} has turn {session.turn}.")


def _places(session: PlaytestSession, cards: Sequence[str]) -> list[tuple[str, int]]:
    """Returns (pile, index) of each card once. Raises BadInput without cards; refuses with `no_such_card`."""
    if not cards:
        raise BadInput("cards", hint="choose a card first")
    return list(dict.fromkeys(session.at(place) for place in cards))


def _moved(
    session: PlaytestSession, places: Sequence[tuple[str, int]], to: str, at: Literal["top", "bottom"], up: bool | None
) -> PlaytestSession:
    """Returns the session with cards moved together into the zone `to`; `up` None means face up or down as usual there.

    Counters and notes stay only in an open zone that is not a pile; in a pile or a hand they would mark the card.
    """
    zone = session.zone(to)
    face = None if up == {"up": True, "down": False}.get(zone.faces) else up
    before = [session.piles[name][number] for name, number in places]
    if zone.faces == "up" and zone.order != "pile":
        pieces = [replace(piece, up=face, turned=False) for piece in before]
    else:
        pieces = [Piece(piece.number, up=face) for piece in before]
    numbers = frozenset(piece.number for piece in pieces)
    for name in dict.fromkeys(name for name, _ in places):
        session = session.with_pile(name, tuple(p for p in session.piles[name] if p.number not in numbers))
    # In a row or a grid, cards are added after the others.
    rest, first = session.piles[to], at == "top" and zone.order == "pile"
    return session.unseen(numbers).with_pile(to, (*pieces, *rest) if first else (*rest, *pieces))


def _open_words(session: PlaytestSession, places: Sequence[tuple[str, int]]) -> str:
    """Returns cards as text: the names of those that everybody sees, and the number of the others."""
    pieces = [session.piles[name][number] for name, number in places]
    shown = [session.all_see(name, piece) for (name, _), piece in zip(places, pieces, strict=True)]
    return _cards_in_words(session, pieces, shown)


def _cards_in_words(session: PlaytestSession, pieces: Sequence[Piece], shown: Sequence[bool]) -> str:
    """Returns cards as text: the names of those that are `shown`, and the number of the others."""
    names = [session.cards[piece.number].name for piece, is_shown in zip(pieces, shown, strict=True) if is_shown]
    hidden = len(pieces) - len(names)
    rest = [] if not hidden else ["a card" if hidden == 1 else f"{hidden} cards"]
    return ", ".join([*names, *rest])
