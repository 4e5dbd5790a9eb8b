"""The front of a playtest table, at which decks of any game are played: begun and seen in the browser alone.

The page of a seat shows the zones of all, with the cards that the seat sees.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from carddb.cards.cards import Card, Pool
from carddb.core.errors import InputError
from carddb.play.playtest.beginning import new
from carddb.play.playtest.session import PlaytestSession, SeatDeck
from carddb.play.playtest.table_game import TABLE
from carddb.play.playtest.view import view
from carddb.play.question import Refusal
from carddb.play.table.front import Front, Host, Verb, WhyNot

DIRECT = frozenset({"draw", "move", "shuffle", "flip", "turn", "look", "look_away", "counter", "note", "roll", "pass"})
"""The actions that the board has buttons for: all there are."""


class BoardPiece(NamedTuple):
    """A card in a zone: where it lies, and what of it is seen."""

    place: str
    is_hidden: bool
    name: str
    ref: str
    is_secret: bool
    """Whether others do not see what this seat sees."""
    turned: bool
    counters: Sequence[tuple[str, int]]
    note: str


class BoardZone(NamedTuple):
    """A zone: its name at the table, its owner, how many cards it has, and those that are
    shown, from the top; of a hidden pile only the top one."""

    name: str
    key: str
    label: str
    seat: int | None
    faces: str
    order: str
    size: int
    cards: Sequence[BoardPiece]


class BoardSeat(NamedTuple):
    """A seat with its zones."""

    number: int
    name: str
    is_own: bool
    is_active: bool
    counters: Sequence[tuple[str, int]]
    zones: Sequence[BoardZone]


class PlaytestBoard:
    """What the page of a seat shows; the watcher sees what all see."""

    direct = DIRECT

    def __init__(self, session: PlaytestSession, seat: str | None, _why_not: WhyNot) -> None:
        self.session = session
        self.own = None if seat is None else int(seat)
        self.view: dict[str, Any] = view(self.session, self.own)

    @property
    def sentence(self) -> str:
        """Whose turn it is."""
        names = {one["seat"]: one["name"] for one in self.view["seats"]}
        turn = f"Turn {self.view['turn']}"
        return f"{turn}." if len(names) == 1 else f"{turn}: {names[self.view['active']]}."

    @property
    def zones(self) -> list[BoardZone]:
        """Every zone."""
        return [_zone(name, zone) for name, zone in self.view["zones"].items()]

    @property
    def shared(self) -> list[BoardZone]:
        """The zones that all share."""
        return [zone for zone in self.zones if zone.seat is None]

    @property
    def seats(self) -> list[BoardSeat]:
        """The seats, one's own last, as it lies nearest."""
        seats = [
            BoardSeat(
                one["seat"], one["name"], one["seat"] == self.own, one["seat"] == self.view["active"],
                list(one["counters"].items()), [zone for zone in self.zones if zone.seat == one["seat"]],
            )
            for one in self.view["seats"]
        ]  # fmt: skip
        return sorted(seats, key=lambda seat: seat.is_own)

    @property
    def draws(self) -> list[tuple[str, str]]:
        """The zones that the seat draws from, by key, and their labels: its own piles that lie face down."""
        return [
            (zone.key, zone.label)
            for zone in self.zones
            if zone.order == "pile" and zone.faces == "down" and zone.seat in (self.own, None)
        ]

    @property
    def hand(self) -> str:
        """The zone that cards are drawn to, by key: that of opening hands, else the first of one's own eyes."""
        zones = self.session.table.zones
        own = (key for key, zone in zones.items() if zone.faces == "own")
        return self.session.table.hand or next(own, next(iter(zones)))

    @property
    def usual_target(self) -> str:
        """The zone that cards are mostly moved to: the first in which they lie open, one's own where there is one."""
        open_ = [zone for zone in self.zones if zone.order != "pile" and zone.faces == "up"]
        own = [zone for zone in open_ if zone.seat in (self.own, None)]
        return next((zone.name for zone in [*own, *open_, *self.zones]), "")

    @property
    def is_looking(self) -> bool:
        return self.own is not None and bool(self.session.looked_at.get(self.own))

    def pictures(self, pool: Pool) -> dict[str, Card]:
        """The cards of the catalogue that the seat sees, by reference."""
        refs = {
            card["ref"] for zone in self.view["zones"].values() for card in zone["cards"] if not card["hidden"]
        }  # fmt: skip
        return {ref: card for ref in refs if ref and (card := pool.get(ref)) is not None}


def _zone(name: str, zone: dict[str, Any]) -> BoardZone:
    pieces = [_piece(f"{name}:{number}", card) for number, card in enumerate(zone["cards"], 1)]
    marked = [piece for piece in pieces if not piece.is_hidden or piece.counters or piece.note]
    shown = (pieces[:1] if pieces and pieces[0] not in marked else []) + marked if zone["order"] == "pile" else pieces
    return BoardZone(name, zone["key"], zone["label"], zone["seat"], zone["faces"], zone["order"], len(pieces), shown)


def _piece(place: str, card: dict[str, Any]) -> BoardPiece:
    seen = not card["hidden"]
    return BoardPiece(
        place, not seen, card["name"] if seen else "", card["ref"] if seen else "", seen and not card["all_see"],
        card["turned"], list(card["counters"].items()), card["note"],
    )  # fmt: skip


def _begin(host: Host, seats: Sequence[SeatDeck], seed: int) -> PlaytestSession:
    try:
        return new(host.spec, seats, seed)
    except Refusal as refusal:
        raise InputError(host.reason(refusal).partition(": ")[2]) from None


def _seated(_session: PlaytestSession, seat: str, _action: str, fields: Mapping[str, Any]) -> dict[str, Any]:
    return {**fields, "seat": int(seat)}


PLAYTEST: Front[PlaytestSession] = Front(
    verb="playtest",
    label="Playtest",
    help="",
    file_help="",
    taken=("there is a table in {path} already", "Go on with it, or name another."),
    hint="Begin one in the browser: carddb serve.",
    table=lambda: TABLE,
    begin=Verb("new", "", _begin),
    begun=lambda _: "",
    seats=lambda session: {str(number): deck.name for number, deck in enumerate(session.table.seats, 1)},
    seated=_seated,
    board=PlaytestBoard,
    screen=lambda _: "",
    line=lambda _, words: words,
    fields=lambda _, words: words,
)
