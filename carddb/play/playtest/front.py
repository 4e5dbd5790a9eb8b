"""The playtest table as a table game, and what its pages show."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from carddb.cards.cards import Card, Pool
from carddb.core.errors import InputError
from carddb.play.playtest import session as playtest
from carddb.play.playtest.session import Piece, PlaytestSession, PlaytestTable, SeatDeck, laid_out, new
from carddb.play.question import Refusal
from carddb.play.table.engine import TableGame, actions_of, replayed
from carddb.play.table.front import SAVE_EXISTS, Board, Front, Host, Verb


def view(session: PlaytestSession, seat: int | None = None) -> dict[str, Any]:
    """Returns the table as JSON values, without cards that `seat` does not see.

    With `seat` None, only what everybody sees is shown. The cards of a zone are listed from the top.
    """
    return {
        "schema": "carddb.playtest/1",
        "of": session.table.of,
        "turn": session.turn,
        "active": session.active,
        "seats": [
            {"seat": number, "name": deck.name, "counters": dict(session.counters.get(number, {}))}
            for number, deck in enumerate(session.table.seats, 1)
        ],
        "zones": {name: _zone(session, name, seat) for name in session.piles},
    }


def _zone(session: PlaytestSession, name: str, seat: int | None) -> dict[str, Any]:
    zone = session.zone(name)
    return {
        "key": name.partition(".")[0],
        "label": zone.label,
        "seat": session.owner(name),
        "faces": zone.faces,
        "order": zone.order,
        "cards": [_piece(session, name, piece, seat) for piece in session.piles[name]],
    }


def _piece(session: PlaytestSession, name: str, piece: Piece, seat: int | None) -> dict[str, Any]:
    lying = {"turned": piece.turned, "counters": dict(piece.counters), "note": piece.note}
    if not session.sees(seat, name, piece):
        return {"hidden": True, **lying}
    card = session.cards[piece.number]
    return {"hidden": False, "name": card.name, "ref": card.ref, "all_see": session.all_see(name, piece), **lying}


TABLE: TableGame[PlaytestSession] = TableGame(
    key="playtest",
    actions=actions_of(playtest),
    steps={"play": "whatever you do with cards on a table; pass ends a turn"},
    usual=lambda _: "",
    initial=lambda session: laid_out(session.spec, session.table),
    view=view,
    form=PlaytestTable,
    restore=lambda spec, table: replayed(TABLE, laid_out(spec, table), table.log),
)


class PlaytestBoard(Board[PlaytestSession]):
    """The page of a seat, with the cards that its player sees; watchers see what everybody sees."""

    direct = frozenset(TABLE.actions)

    @property
    def own(self) -> int | None:
        """The number of the seat, from 1; None for a watcher."""
        return None if self.seat is None else int(self.seat)

    @property
    def sentence(self) -> str:
        """A sentence that says whose turn it is."""
        names = {one["seat"]: one["name"] for one in self.view["seats"]}
        turn = f"Turn {self.view['turn']}"
        return f"{turn}." if len(names) == 1 else f"{turn}: {names[self.view['active']]}."

    def shown(self, name: str) -> list[tuple[str, dict[str, Any]]]:
        """Returns (place, card) for the cards of a zone from the top; of a pile, only top, seen and marked ones."""
        zone = self.view["zones"][name]
        cards = [(f"{name}:{number}", card) for number, card in enumerate(zone["cards"], 1)]
        marked = [(place, card) for place, card in cards if not card["hidden"] or card["counters"] or card["note"]]
        return cards if zone["order"] != "pile" else marked if cards[:1] == marked[:1] else cards[:1] + marked

    @property
    def draw_key(self) -> str:
        """The key of the seat's pile for drawing: the first face-down pile that it may use; empty if there is none."""
        zones = (zone for zone in self.view["zones"].values() if zone["order"] == "pile" and zone["faces"] == "down")
        return next((zone["key"] for zone in zones if zone["seat"] in (self.own, None)), "")

    @property
    def hand(self) -> str:
        """The key of the zone for drawn cards: the zone of opening hands, else the first that only its owner sees."""
        zones = self.session.table.zones
        own = (key for key, zone in zones.items() if zone.faces == "own")
        return self.session.table.hand or next(own, next(iter(zones)))

    @property
    def usual_target(self) -> str:
        """The zone to which cards usually move: the first open zone that is not a pile, the seat's own if possible."""
        zones = self.view["zones"]
        open_ = [name for name, zone in zones.items() if zone["order"] != "pile" and zone["faces"] == "up"]
        own = (name for name in open_ if zones[name]["seat"] in (self.own, None))
        return next(own, next(iter([*open_, *zones]), ""))

    @property
    def is_looking(self) -> bool:
        return self.own is not None and bool(self.session.looked_at.get(self.own))

    def pictures(self, pool: Pool) -> dict[str, Card]:
        """Returns the cards of the catalogue that the seat sees, by reference."""
        seen = (each for zone in self.view["zones"].values() for each in zone["cards"] if not each["hidden"])
        return {ref: card for each in seen if (ref := each["ref"]) and (card := pool.get(ref)) is not None}


def _begin(host: Host, seats: Sequence[SeatDeck], seed: int) -> PlaytestSession:
    try:
        return new(host.spec, seats, seed)
    except Refusal as refusal:
        raise InputError(host.reason(refusal).partition(": ")[2]) from None


PLAYTEST: Front[PlaytestSession] = Front(
    verb="playtest",
    label="Playtest",
    taken=SAVE_EXISTS,
    hint="Begin one in the browser: carddb serve.",
    table=lambda: TABLE,
    begin=Verb("new", "", _begin),
    seats=lambda session: {str(number): deck.name for number, deck in enumerate(session.table.seats, 1)},
    seated=lambda _session, seat, _action, fields: {**fields, "seat": int(seat)},
    board=lambda _, session, seat, why_not: PlaytestBoard(
        view(session, None if seat is None else int(seat)), session, seat, why_not
    ),
)
