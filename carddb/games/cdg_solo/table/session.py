"""The session of solo play: its state, its log and its pending events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, TypeVar, cast, get_args

from pydantic import Field

from carddb.game.game import GameSpec
from carddb.games.cdg_solo.module import CardException, Game, Module
from carddb.games.cdg_solo.play.cards import Cards, CardText, Position, cards_of, exceptions_for
from carddb.games.cdg_solo.play.deal import Stock
from carddb.games.cdg_solo.play.display import Beside, Chits, Common, Display, DisplayText, Result, Space, slots
from carddb.games.cdg_solo.play.hooks import HOOKS, Name
from carddb.games.cdg_solo.play.plays import Use
from carddb.play.question import Count, Die, Many, Record
from carddb.play.table.session import Changing, TableSession, TableState

Step = Literal[
    "setup", "round_ready", "forced", "choose_die", "choose_home", "choose_flip", "choosing", "resolving",
    "phase_over", "end_phase",
]  # fmt: skip
"""The steps of a session, which decide what may be done next (SD-10)."""

ANY_STEP: frozenset[str] = frozenset(get_args(Step))
PositionT = TypeVar("PositionT", bound=Position)


class CardFlags(Record):
    """The player's statements about a card."""

    conditions_met: bool


class Side(Changing):
    """The state of one side.

    `display` includes the pile if it is in C. `waiting` are the spaces whose cards were played in a combat, to be
    refilled when it ends; `fought` is the number of those cards. `targets` are the spaces that should hold two cards.
    """

    display: DisplayText
    hand: Count = 0
    chits: Chits = Chits(total=0, flipped=0)
    discard: Many[str] = ()
    removed: Many[str] = ()
    off_display: Beside = Beside()
    flags: dict[str, CardFlags] = Field(default={})
    rounds: Count = 0
    pass_barred: bool = False
    passed: bool = False
    bars_next: bool = False
    targets: Many[Space] = ()
    waiting: Many[Space] = ()
    fought: Count = 0
    first_round_card: str | None = None

    @property
    def conditions_met(self) -> tuple[str, ...]:
        """The cards whose conditions the player has declared met."""
        return tuple(card for card, flags in self.flags.items() if flags.conditions_met)


class Roll(Record):
    """The method dice of the round, and the result that is used."""

    dice: Many[Die]
    result: Result | None = None


class Play(Changing):
    """A play being resolved; `done` are the hooks of its event that have been carried out.

    While it is `open`, its card is still on the display, because a hook of its event replaces the usual effects.
    """

    side: str
    card: str
    mode: Use
    to: Literal["discard", "removed", "home", "fo"]
    draw2: bool = False
    open: bool = False
    done: Many[str] = ()


class Laid(Record):
    """A card that is placed face up before the deal."""

    side: str
    card: str
    space: Space


class Pending(Changing):
    """The pending parts of a round; `reactions` are events played in combat, in reaction or from beside the display."""

    play: Play | None = None
    reactions: Many[Play] = ()
    exchanged: bool = False
    c_flipped: bool = False
    c_unplayable: bool = False
    order_counts: dict[str, Count] = Field(default={})
    nominated: dict[str, Many[str]] = Field(default={})
    reshuffle: Many[str] = ()
    discarded: dict[str, Count] = Field(default={})


class SessionState(TableState):
    """A session as it is saved, including hidden cards."""

    game: Literal["cdg-solo"] = "cdg-solo"
    version: Literal[1] = 1
    module: Game
    phase_no: Count = 0
    round_no: Count = 0
    active: str | None = None
    step: Step = "setup"
    roll: Roll | None = None
    sides: dict[str, Side] = Field(default={})
    common: Common | None = None
    pending: Pending = Pending()
    laid: Many[Laid] = ()
    warnings: Many[str] = ()
    cards: dict[str, CardText]
    decks: dict[str, Many[str]]


REPLACING = frozenset({"take_card", "draw_from_discard", "tournament_redraw"})
"""The hooks that replace the usual effects of a play: refilling the event's space and flipping a chit."""


class DueEvent(NamedTuple):
    """A hook to be carried out for the event of a play, with the parameters of the card's exception."""

    play: Play
    hook: Name
    rule: Mapping[str, Any]


@dataclass(frozen=True)
class SoloSession(TableSession[SessionState]):
    """A solo session, with the rules of its module."""

    module: Module
    cards: Mapping[str, Cards]
    """The cards by side, with the effects of the exceptions that apply to it, and then by id."""

    @classmethod
    def of(cls, spec: GameSpec, module: Module, table: SessionState) -> SoloSession:
        """Returns the session for the state `table`, with the rules of its module."""
        return cls(spec, table, module, {side: cards_of(module, table.cards, side) for side in module.side_ids})

    @property
    def active(self) -> str:
        """The side whose round it is. May be used only during a round."""
        assert self.table.active is not None
        return self.table.active

    def side(self, name: str) -> Side:
        return self.table.sides[name]

    @property
    def opponent(self) -> str:
        """The side that is not active."""
        return self.other(self.active)

    def other(self, name: str) -> str:
        """Returns the opponent of a side."""
        return next(side for side in self.module.side_ids if side != name)

    def plays_left(self, name: str) -> int:
        """Returns how many cards a side may still play; without chits, the number of all cards (SR-68)."""
        return self.side(name).chits.unflipped if self.module.counts_chits else len(self.table.cards)

    def display(self, name: str) -> Display:
        """Returns a side's display, including the pile from which it draws."""
        display = self.side(name).display.on(self.module.layout)
        return display if self.table.common is None else replace(display, pile=slots(self.table.common.pile))

    def position(self, name: str, kind: type[PositionT], **further: Any) -> PositionT:
        """Returns the position of a side, of the class `kind`; `further` are the fields that this class adds."""
        return kind(self.module, self.display(name), self.cards[name], self.plays_left(name), **further)

    @property
    def result(self) -> Result | None:
        """The result of the round's roll; None before the roll, and while several dice are to choose from."""
        return self.table.roll.result if self.table.roll else None

    # Changes

    def with_side(self, name: str, **changes: Any) -> SoloSession:
        """Returns the session with fields of a side changed."""
        return self.with_(sides={**self.table.sides, name: self.side(name).with_(**changes)})

    def with_chits_added(self, name: str, count: int) -> SoloSession:
        """Adds `count` chits to a side's row. Refuses with `chit_over_limit` if the row gets too long."""
        return self.with_side(name, chits=self.side(name).chits.add(count))

    def with_flips(self, name: str, count: int) -> SoloSession:
        """Flips the next `count` chits of a side, if the game has chits."""
        return self.with_side(name, chits=self.side(name).chits.flip(count if self.module.counts_chits else 0))

    def with_display(self, name: str, display: Display) -> SoloSession:
        """Returns the session with a new display for a side, including the pile from which it draws."""
        common = self.table.common
        shown = display if common is None else replace(display, pile=None)
        session = self.with_side(name, display=DisplayText.model_validate(shown.to_json()))
        return session if common is None else session.with_(common=common.with_(pile=tuple(map(str, display.stock))))

    def with_pending(self, **changes: Any) -> SoloSession:
        """Returns the session with fields of the pending state changed."""
        return self.with_(pending=self.table.pending.with_(**changes))

    def at(self, step: Step) -> SoloSession:
        """Returns the session at another step."""
        return self.with_(step=step)

    def warn(self, code: str) -> SoloSession:
        """Returns the session with a warning for the player; each code is added only once."""
        return self if code in self.table.warnings else self.with_(warnings=(*self.table.warnings, code))

    # Chance and piles

    def stock(self) -> Stock:
        """Returns the piles and the discards, of each side or common."""
        names = self.module.side_ids
        discards = tuple(self.side(name).discard for name in names)
        if self.table.common is not None:
            return Stock((slots(self.table.common.pile),), (sum(discards, ()),))
        return Stock(tuple(self.display(name).stock for name in names), discards)

    def with_stock(self, stock: Stock) -> SoloSession:
        """Returns the session with new piles, and without the discards that have gone into them."""
        session = self
        for at, name in enumerate(self.module.side_ids):
            own = at % len(stock.piles)
            session = session.with_display(name, replace(session.display(name), pile=stock.piles[own]))
            if not stock.discards[own]:
                session = session.with_side(name, discard=())
        return session

    def with_supply(self, name: str) -> SoloSession:
        """Refills the pile from which a side is about to draw, if it is empty (SR-21)."""
        stream = self.stream()
        on_empty = self.module.options["on_empty"] or self.module.on_empty
        stock, how = self.stock().replenished(self.module.side_ids.index(name), on_empty, stream)
        if how is None:
            return self
        if how in ("stop", "pile_empty"):
            return self.warn("pile_empty").say("The pile is empty.")
        return self.with_stock(stock).with_stream(stream).say(f"The empty pile is filled by a {how}.")

    # Events

    def hooks_of(self, side: str, card: str) -> list[tuple[Name, CardException]]:
        """Returns the hooks of a card's event when `side` plays it, each with its exception.

        A hook of an optional rule counts only if the option is set, and if the rule is for both sides or for `side`.
        """
        entries = exceptions_for(self.module, self.table.cards[card])
        by_hook = {}
        for entry in entries:
            option = entry.params.get("option")
            chosen = option is not None and self.module.options.get(option, False)
            if option is None or (chosen and entry.params.get("side") in (None, side)):
                by_hook[entry.hook] = entry
        return [(cast(Name, name), by_hook[name]) for name in HOOKS if name in by_hook]

    def is_replaced(self, side: str, card: str) -> bool:
        """Returns whether a hook of a card's event replaces the usual effects of its play by `side`."""
        return any(name in REPLACING for name, _ in self.hooks_of(side, card))

    @property
    def events(self) -> Sequence[Play]:
        """The events being played: the round's, then those in combat and reaction."""
        pending = self.table.pending
        played = (*([pending.play] if pending.play else []), *pending.reactions)
        return [play for play in played if play.mode == "event"]

    @property
    def due(self) -> list[DueEvent]:
        """The pending hooks of the events being played, each hook of a card once."""
        return [
            DueEvent(play, name, entry.params)
            for play in self.events
            for name, entry in self.hooks_of(play.side, play.card)
            if name not in play.done and (play.open or name not in REPLACING)
        ]

    def with_reaction(self, side: str, card: str) -> SoloSession:
        """Returns the session with an event added that was played in combat, in reaction or from beside the display."""
        reaction = Play(side=side, card=card, mode="event", to="discard")
        return self.with_pending(reactions=(*self.table.pending.reactions, reaction))

    def with_done(self, event: DueEvent) -> SoloSession:
        """Returns the session with a hook marked as carried out."""
        pending = self.table.pending
        if pending.play is not None and pending.play.card == event.play.card:
            return self.with_pending(play=pending.play.with_(done=(*pending.play.done, event.hook)))
        reactions = [
            play.with_(done=(*play.done, event.hook)) if play.card == event.play.card else play
            for play in pending.reactions
        ]
        return self.with_pending(reactions=tuple(reactions))
