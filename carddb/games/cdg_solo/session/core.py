"""A running session: the table with the rules of its module; actions, each accepted whole or refused; undo."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, get_args

from carddb.game import GameSpec
from carddb.games.cdg_solo.cards import Cards, cards_of
from carddb.games.cdg_solo.chits import Chits, ChitsText
from carddb.games.cdg_solo.deal import Stock
from carddb.games.cdg_solo.display import Display, DisplayText, slots
from carddb.games.cdg_solo.module import Module
from carddb.games.cdg_solo.session.state import Common, Entry, Pending, Rng, Side, Step, Table
from carddb.play.question import BadInput, Part, Refusal, form_of, read, refuse, refuse_for
from carddb.play.stream import Stream


@dataclass(frozen=True)
class Session:
    """A table and the rules it is played by. Nothing is ever changed: every change is a new session."""

    spec: GameSpec
    module: Module
    table: Table
    held: Mapping[str, Cards]
    """The cards as each side holds them."""
    told: str = ""
    """What the running action has to say, in words that give no hidden card away."""

    @classmethod
    def of(cls, spec: GameSpec, module: Module, table: Table) -> Session:
        """A table with the rules of its module."""
        return cls(spec, module, table, {side: cards_of(module, table.cards, side) for side in module.side_ids})

    def cards(self, side: str) -> Cards:
        """The cards as one side holds them."""
        return self.held[side]

    @property
    def active(self) -> str:
        """The side whose round it is."""
        assert self.table.active is not None
        return self.table.active

    def side(self, name: str) -> Side:
        return self.table.sides[name]

    def other(self, name: str) -> str:
        """The opponent of a side."""
        return next(side for side in self.module.side_ids if side != name)

    def left(self, name: str) -> int:
        """The cards that a side may still play; where nothing counts them, as many as there are (SR-68)."""
        side = self.side(name)
        return side.row.unflipped if self.module.counts_chits else len(self.table.cards)

    def display(self, name: str) -> Display:
        """A side's display together with the pile it draws from."""
        display = self.side(name).display.on(self.module.layout)
        return display if self.table.common is None else replace(display, pile=slots(self.table.common.pile))

    # Changes

    def with_(self, **changes: Any) -> Session:
        """The session with parts of the table changed."""
        return replace(self, table=self.table.with_(**changes))

    def with_side(self, name: str, **changes: Any) -> Session:
        """The session with parts of a side changed."""
        return self.with_(sides={**self.table.sides, name: self.side(name).with_(**changes)})

    def with_chits(self, name: str, row: Chits) -> Session:
        """The session with a side's row of chits."""
        return self.with_side(name, chits=ChitsText(total=row.total, flipped=row.flipped))

    def with_added(self, name: str, count: int) -> Session:
        """Further chits in a side's row. Refuses `chit_over_limit`."""
        return self.with_chits(name, self.side(name).row.add(count))

    def flipped(self, name: str, count: int) -> Session:
        """The next chits of a side turned over."""
        return self.with_chits(name, self.side(name).row.flip(count)) if count and self.module.counts_chits else self

    def with_display(self, name: str, display: Display) -> Session:
        """The session with a side's display, and the pile it draws from, as they are now."""
        common = self.table.common
        if common is None:
            return self.with_side(name, display=DisplayText.model_validate(display.to_json()))
        pile = tuple(str(slot) for slot in display.stock)
        shown = DisplayText.model_validate(replace(display, pile=None).to_json())
        return self.with_side(name, display=shown).with_(common=common.with_(pile=pile))

    def pending(self, **changes: Any) -> Session:
        """The session with what its round waits for changed."""
        return self.with_(pending=self.table.pending.with_(**changes))

    def at(self, step: Step) -> Session:
        """The session at another step."""
        return self.with_(step=step)

    def say(self, text: str) -> Session:
        """The session with a sentence more to be told."""
        return replace(self, told=f"{self.told} {text}".strip())

    def warn(self, code: str) -> Session:
        """The session with a warning for the player, each once."""
        return self if code in self.table.warnings else self.with_(warnings=(*self.table.warnings, code))

    # Chance and piles

    def stream(self) -> Stream:
        """The stream of chance from where it stands."""
        return Stream(self.table.rng.seed, self.table.rng.draws)

    def after(self, stream: Stream) -> Session:
        """The session when a stream has run further."""
        return self.with_(rng=Rng(seed=stream.seed, draws=stream.draws))

    def die(self, typed: int | None, sides: int = 6) -> tuple[Session, int]:
        """A roll: as the player typed it, else from the stream."""
        if typed is not None:
            return self, typed
        stream = self.stream()
        rolled = stream.die(sides)
        return self.after(stream), rolled

    def stock(self) -> Stock:
        """The piles and discards from which cards are drawn again."""
        names = self.module.side_ids
        discards = tuple(tuple(self.side(name).discard) for name in names)
        if self.table.common is not None:
            return Stock((slots(self.table.common.pile),), (sum(discards, ()),))
        return Stock(tuple(self.display(name).stock for name in names), discards)

    def with_stock(self, stock: Stock) -> Session:
        """The session with the piles and discards as they are now."""
        session, common = self, self.table.common
        for at, name in enumerate(self.module.side_ids):
            if common is None:
                session = session.with_display(name, replace(session.display(name), pile=stock.piles[at]))
                session = session.with_side(name, discard=stock.discards[at])
            elif not stock.discards[0]:
                session = session.with_side(name, discard=())
        if common is not None:
            session = session.with_(common=common.with_(pile=tuple(str(slot) for slot in stock.piles[0])))
        return session

    def supplied(self, name: str) -> Session:
        """The session with a card on the pile of a side that is about to draw one, if there is one anywhere (SR-21)."""
        stream = self.stream()
        on_empty = self.module.options.on_empty or self.module.on_empty
        stock, how = self.stock().replenished(self.module.side_ids.index(name), on_empty, stream)
        if how is None:
            return self
        if how in ("stop", "pile_empty"):
            return self.warn("pile_empty").say("The pile is empty.")
        return self.with_stock(stock).after(stream).say(f"The pile is made anew: {how}.")


# Actions

Act = Callable[..., Session]


@dataclass(frozen=True)
class Action:
    """Something that a player does: a function of the session whose further parameters are what the player says."""

    function: Act
    rules: tuple[str, ...]
    steps: frozenset[str]
    serves: Callable[[Module], bool]
    """Whether a module has anything that the action is for; it is offered only then."""
    otherwise: Callable[[Session], str]
    """Why it is refused at any other step."""

    @property
    def name(self) -> str:
        return self.function.__name__.rstrip("_")

    @property
    def about(self) -> str:
        """The first line of the docstring."""
        return (inspect.getdoc(self.function) or "").partition("\n")[0]

    @cached_property
    def form(self) -> type[Part]:
        """What the player says."""
        return form_of(self.function, without=("session",))


ACTIONS: dict[str, Action] = {}
"""Every action by name."""

ANY_STEP: frozenset[str] = frozenset(get_args(Step))


def action(
    *rules: str,
    at: Sequence[str] | frozenset[str],
    serves: Callable[[Module], bool] = lambda _: True,
    otherwise: Callable[[Session], str] = lambda _: "wrong_step",
) -> Callable[[Act], Act]:
    """Makes a function an action that is allowed at some steps; `rules` are the ids it implements."""

    def made(function: Act) -> Act:
        found = Action(function, rules, frozenset(at), serves, otherwise)
        ACTIONS[found.name] = found
        return function

    return made


def offered(session: Session) -> list[Action]:
    """The actions that the step allows and the module has something for."""
    return [found for found in ACTIONS.values() if session.table.step in found.steps and found.serves(session.module)]


def act(session: Session, name: str, said: Mapping[str, Any]) -> Session:
    """The session after an action. Raises Refusal with the reason; the session given stays as it is (SD-12, SD-23)."""
    if name not in ACTIONS:
        raise BadInput("action")
    chosen = ACTIONS[name]
    values = dict(read(chosen.form, said).__dict__)
    forced_roll = name == "roll" and session.table.step == "forced"
    refuse(roll_barred_forced_play=forced_roll)
    refuse_for(chosen.otherwise(session) if session.table.step not in chosen.steps else None)
    after = chosen.function(replace(session, told=""), **values)
    entry = Entry(action=name, input=dict(said), told=after.told)
    return after.with_(log=(*session.table.log, entry))


def begun(spec: GameSpec, module: Module, table: Table) -> Session:
    """The session at its very beginning, before any action: the table as it was made."""
    common = Common() if module.layout != "pile_in_c" else None
    empty = DisplayText(A=(), B=(), C=(), D=(), E=(), pile=None if common else ())
    start = Table(
        module=table.module,
        rng=Rng(seed=table.rng.seed),
        sides={side: Side(display=empty) for side in module.side_ids},
        common=common,
        pending=Pending(),
        cards=table.cards,
        decks=table.decks,
    )
    return Session.of(spec, module, start)


def undone(session: Session, count: int = 1) -> Session:
    """The session before its last actions, played again from the seed. Refuses `nothing_to_undo`."""
    entries = session.table.log
    if len(entries) < count:
        raise Refusal("nothing_to_undo")
    again = begun(session.spec, session.module, session.table)
    for entry in entries[: len(entries) - count]:
        again = act(again, entry.action, entry.input)
    return again
