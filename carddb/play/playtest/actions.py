"""The actions of players at a playtest table. All that can be done with cards on a real table is allowed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Literal

from pydantic import Field

from carddb.play.playtest.session import MOST_SEATS, Piece, PlaytestSession, Seat
from carddb.play.question import BadInput, Many, refuse
from carddb.play.table.engine import action

AT = ["play"]
Amount = Annotated[int, Field(ge=1, le=100)]
Place = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*(\.[1-4])?:[0-9]{1,4}$")]
Sides = Annotated[int, Field(ge=2, le=1000)]
Word = Annotated[str, Field(min_length=1, max_length=40)]
Note = Annotated[str, Field(max_length=200)]
Change = Annotated[int, Field(ge=-9999, le=9999)]

MOST_DICE = 20
MOST_COUNTERS = 12
"""The most kinds of counters on a card, or at a seat."""


@action(at=AT)
def draw(session: PlaytestSession, seat: Seat, zone: str, to: str, count: Amount = 1) -> PlaytestSession:
    """Take cards from the top of a zone; `zone` and `to` are keys, and mean the seat's own where it has one."""
    session = _seated(session, seat)
    source, target = session.own(zone, seat), session.own(to, seat)
    pile = session.piles[source]
    refuse(pile_empty=not pile)
    taken = min(count, len(pile))
    session = _moved(session, [(source, at) for at in range(taken)], target, "bottom", None)
    cards = "a card" if taken == 1 else f"{taken} cards"
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
    """Move cards to a zone, in their order; without a face they are face up or down as is usual in the zone."""
    session = _seated(session, seat)
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
    """Shuffle a zone; its cards are then face up or down as is usual in the zone, and nobody looks at them any more."""
    session = _seated(session, seat)
    refuse(no_such_zone=zone not in session.piles)
    pile = [replace(piece, up=None) for piece in session.piles[zone]]
    stream = session.stream()
    stream.shuffle(pile)
    session = session.with_stream(stream).unseen(frozenset(piece.number for piece in pile))
    return session.with_pile(zone, tuple(pile)).say(f"{session.name(seat)} shuffles {session.label(zone, seat)}.")


@action(at=AT)
def flip(session: PlaytestSession, seat: Seat, cards: Many[Place]) -> PlaytestSession:
    """Turn cards over: cards that all see are turned face down, the others face up."""
    session = _seated(session, seat)
    places = _places(session, cards)
    for name, number in places:
        piece = session.piles[name][number]
        up = not session.all_see(name, piece)
        usual = session.zone(name).faces == "up"
        session = session.with_piece((name, number), up=None if up == usual else up).unseen(frozenset({piece.number}))
    pieces = [session.piles[name][number] for name, number in places]
    words = _cards_in_words(session, pieces, [True] * len(pieces))
    return session.say(f"{session.name(seat)} turns over {words}.")


@action(at=AT)
def turn(session: PlaytestSession, seat: Seat, cards: Many[Place]) -> PlaytestSession:
    """Turn cards by a quarter, or back."""
    session = _seated(session, seat)
    places = _places(session, cards)
    for name, number in places:
        session = session.with_piece((name, number), turned=not session.piles[name][number].turned)
    return session.say(f"{session.name(seat)} turns {_open_words(session, places)} by a quarter.")


@action(at=AT)
def look(session: PlaytestSession, seat: Seat, zone: str, count: Amount | None = None) -> PlaytestSession:
    """Look at the cards on top of a zone, or at all of them; the others see only that one does."""
    session = _seated(session, seat)
    refuse(no_such_zone=zone not in session.piles)
    pieces = session.piles[zone][:count]
    seen = frozenset(piece.number for piece in pieces)
    session = replace(session, looked_at={**session.looked_at, seat: session.looked_at.get(seat, frozenset()) | seen})
    cards = "a card" if len(pieces) == 1 else f"{len(pieces)} cards"
    return session.say(f"{session.name(seat)} looks at {cards} of {session.label(zone, seat)}.")


@action(at=AT, serves=lambda session: any(session.looked_at.values()))
def look_away(session: PlaytestSession, seat: Seat) -> PlaytestSession:
    """Look at no card any more that is not one's own to see."""
    session = _seated(session, seat)
    session = replace(session, looked_at={**session.looked_at, seat: frozenset()})
    return session.say(f"{session.name(seat)} looks away.")


@action(at=AT)
def counter(
    session: PlaytestSession, seat: Seat, name: Word, by: Change = 1, cards: Many[Place] = (), of: Seat | None = None
) -> PlaytestSession:
    """Put counters on cards or take them off; without cards beside a seat, one's own or another (`of`)."""
    session = _seated(session, seat)
    places = _places(session, cards) if cards else []
    for place in places:
        piece = session.piles[place[0]][place[1]]
        session = session.with_piece(place, counters=_counted(piece.counters, name, by))
    if places:
        return session.say(f"{session.name(seat)}: {name} {by:+} on {_open_words(session, places)}.")
    owner = of or seat
    refuse(no_such_seat=owner > len(session.table.seats))
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
    """Write a note on cards, which all can read; an empty one takes it off."""
    session = _seated(session, seat)
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
    """Roll dice, or type what those on the table show."""
    session = _seated(session, seat)
    session, faces = session.rolled(len(dice) or count, dice, sides)
    kind = "" if sides == 6 else f" (1 to {sides})"
    total = f", together {sum(faces)}" if len(faces) > 1 else ""
    return session.say(f"{session.name(seat)} rolls {', '.join(map(str, faces))}{total}{kind}.")


@action(at=AT)
def pass_(session: PlaytestSession, seat: Seat) -> PlaytestSession:
    """End one's turn: the next seat has it."""
    session = _seated(session, seat)
    following = seat % len(session.table.seats) + 1
    session = replace(session, active=following, turn=session.turn + (following == 1))
    if len(session.table.seats) == 1:
        return session.say(f"Turn {session.turn} begins.")
    return session.say(f"{session.name(seat)} passes; {session.name(following)} has turn {session.turn}.")


def _seated(session: PlaytestSession, seat: int) -> PlaytestSession:
    """Returns the session unchanged. Refuses `no_such_seat` if nobody sits at the seat."""
    refuse(no_such_seat=seat > min(len(session.table.seats), MOST_SEATS))
    return session


def _places(session: PlaytestSession, cards: Sequence[str]) -> list[tuple[str, int]]:
    """Returns zone and index of each card, once. Raises BadInput without any. Refuses `no_such_card`."""
    if not cards:
        raise BadInput("cards", hint="choose a card first")
    return list(dict.fromkeys(session.at(place) for place in cards))


def _moved(
    session: PlaytestSession, places: Sequence[tuple[str, int]], to: str, at: Literal["top", "bottom"], up: bool | None
) -> PlaytestSession:
    """Returns the session with cards moved together into the zone `to`.

    Counters and notes stay on a card only in an open zone that is no pile, since in a pile or a hand they would mark
    it.
    """
    zone = session.zone(to)
    face = None if up == {"up": True, "down": False}.get(zone.faces) else up
    taken = [session.piles[name][number] for name, number in places]
    if zone.faces == "up" and zone.order != "pile":
        pieces = [replace(piece, up=face, turned=False) for piece in taken]
    else:
        pieces = [Piece(piece.number, up=face) for piece in taken]
    numbers = frozenset(piece.number for piece in pieces)
    for name in dict.fromkeys(name for name, _ in places):
        session = session.with_pile(name, tuple(p for p in session.piles[name] if p.number not in numbers))
    # In a row or a grid a card is added after the others, in reading order.
    rest, first = session.piles[to], at == "top" and zone.order == "pile"
    return session.unseen(numbers).with_pile(to, (*pieces, *rest) if first else (*rest, *pieces))


def _open_words(session: PlaytestSession, places: Sequence[tuple[str, int]]) -> str:
    """Returns cards as text: by name if everybody sees them, the others as a number."""
    pieces = [session.piles[name][number] for name, number in places]
    shown = [session.all_see(name, piece) for (name, _), piece in zip(places, pieces, strict=True)]
    return _cards_in_words(session, pieces, shown)


def _cards_in_words(session: PlaytestSession, pieces: Sequence[Piece], shown: Sequence[bool]) -> str:
    """Returns cards as text: those that are `shown` by name, the others as a number."""
    names = [session.cards[piece.number].name for piece, is_shown in zip(pieces, shown, strict=True) if is_shown]
    hidden = len(pieces) - len(names)
    rest = [] if not hidden else ["a card" if hidden == 1 else f"{hidden} cards"]
    return ", ".join([*names, *rest])
