"""The front of a playtest table, at which decks of any game are played: begun and seen in the browser alone.

The page of a seat shows the zones of all, with the cards that the seat sees.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

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

    def shown(self, name: str) -> list[tuple[str, dict[str, Any]]]:
        """The cards of a zone that are shown, from the top, each with its place; of a hidden pile only the top one."""
        zone = self.view["zones"][name]
        cards = [(f"{name}:{number}", card) for number, card in enumerate(zone["cards"], 1)]
        marked = [(place, card) for place, card in cards if not card["hidden"] or card["counters"] or card["note"]]
        return cards if zone["order"] != "pile" else marked if cards[:1] == marked[:1] else cards[:1] + marked

    @property
    def draw_key(self) -> str:
        """The first zone that the seat draws from, by key: a pile of its own, or of all, that lies face down."""
        zones = (zone for zone in self.view["zones"].values() if zone["order"] == "pile" and zone["faces"] == "down")
        return next((zone["key"] for zone in zones if zone["seat"] in (self.own, None)), "")

    @property
    def hand(self) -> str:
        """The zone that cards are drawn to, by key: that of opening hands, else the first of one's own eyes."""
        zones = self.session.table.zones
        own = (key for key, zone in zones.items() if zone.faces == "own")
        return self.session.table.hand or next(own, next(iter(zones)))

    @property
    def usual_target(self) -> str:
        """The zone that cards are mostly moved to: the first in which they lie open, one's own where there is one."""
        zones = self.view["zones"]
        open_ = [name for name, zone in zones.items() if zone["order"] != "pile" and zone["faces"] == "up"]
        own = (name for name in open_ if zones[name]["seat"] in (self.own, None))
        return next(own, next(iter([*open_, *zones]), ""))

    @property
    def is_looking(self) -> bool:
        return self.own is not None and bool(self.session.looked_at.get(self.own))

    def pictures(self, pool: Pool) -> dict[str, Card]:
        """The cards of the catalogue that the seat sees, by reference."""
        refs = {
            card["ref"] for zone in self.view["zones"].values() for card in zone["cards"] if not card["hidden"]
        }  # fmt: skip
        return {ref: card for ref in refs if ref and (card := pool.get(ref)) is not None}


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
