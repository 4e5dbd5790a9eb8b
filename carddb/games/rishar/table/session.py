"""The session of a Battle of Rishar at a table: its armies, its log and its state."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Self, get_args

from pydantic import Field

from carddb.core.names import fold
from carddb.games.rishar.battle.engagement import ArmyState
from carddb.games.rishar.battle.record import Host
from carddb.games.rishar.battle.state import BattleState
from carddb.games.rishar.play.fields import Army, Pile, Side, enemy
from carddb.games.rishar.play.powers import power_of
from carddb.play.question import Refusal, refuse
from carddb.play.table.session import TableSession, TableState

_COPY = re.compile(r"(?:(?P<before>\d+)\s+(?P<name>.+)|(?P<first>.+?)\s*(?:#|\s)\s*(?P<after>\d+))")


def card_key(state: ArmyState, text: str, *piles: Pile) -> str:
    """Returns the key of the card of an army that `text` names, preferably of a card in `piles`.

    Refuses with `no_such_card` if none fits, `card_ambiguous` if several do, with the candidates unless secret.
    """
    if text in state.cards:
        return text
    # The number of a copy stands before or after the name.
    match = _COPY.fullmatch(text.strip())
    name = fold(match["name"] or match["first"]) if match else fold(text)
    copy = (match["before"] or match["after"]) if match else None
    lying = [key for key in state.cards if state.where[key] in piles]
    hits = _hits(state, name, lying, state.cards)
    if copy is not None:
        hits = [key for key in hits if key.partition("#")[2] == copy]
    refuse(no_such_card=not hits)
    refs = {key.partition("#")[0] for key in hits}
    if len(refs) > 1:
        names = sorted({state.cards[key].name for key in hits if "hand" not in piles})
        raise Refusal("card_ambiguous", **({"hint": f"Name one of {', '.join(names)}."} if names else {}))
    return state.find(min(refs), *piles) if copy is None else hits[0]


def _hits(state: ArmyState, name: str, *lists: Collection[str]) -> list[str]:
    """Returns the keys of cards called `name`; else of cards with a word that begins so, in the first list with any."""
    names = {key: (fold(state.cards[key].name), fold(key.partition("#")[0])) for key in state.cards}
    fits: tuple[Callable[[str], bool], ...] = (
        lambda key: any(one.startswith(name) for one in names[key]),
        lambda key: f" {name}" in names[key][0],
    )
    exact = [key for key in state.cards if name in names[key]]
    by_fit = ([key for key in keys if fit(key)] for keys in lists for fit in fits)
    return exact or next(filter(None, by_fit), [])


Step = Literal[
    "tactician", "dervish", "oath", "mender", "mending", "first", "offense", "defense", "reveal", "dice",
    "reactions", "reroll", "saving", "plunder", "healing", "second_phase", "rout", "rout_saving", "rout_plunder",
    "over",
]  # fmt: skip


class BattleTable(TableState):
    """A saved Battle: the armies at its start, options, names, and the log, from which the rest is rebuilt."""

    game: Literal["rishar"] = "rishar"
    version: Literal[1] = 1
    step: Step = "offense"
    names: dict[Army, str] = Field(min_length=len(get_args(Army)))
    a: Host
    b: Host
    first: Army | None = None
    options: dict[str, Any] = Field(default={})


@dataclass(frozen=True)
class BattleSession(TableSession[BattleTable]):
    """A Battle at a table.

    `hosts` are the armies with their Commanders' choices. `battle` is never changed: an action works on a copy. `turn`
    is the record of the current turn, `turns` the records of past turns, `flights` the routs. `outcome` is the outcome
    of a Skirmish while a save or a Rogue's die is pending. `deciders` are the armies that decide at this step, the
    first of them now; `shown` are the cards that a Mender sees.
    """

    hosts: Mapping[Army, Host]
    battle: BattleState | None = None
    turn: Mapping[str, Any] = field(default_factory=dict)
    turns: tuple[Mapping[str, Any], ...] = ()
    flights: Mapping[Army, Mapping[str, Any]] = field(default_factory=dict)
    outcome: Mapping[str, Any] = field(default_factory=dict)
    deciders: tuple[Army, ...] = ()
    shown: tuple[str, ...] = ()

    # The Battle

    def fresh(self) -> Self:
        """Returns the session for a new action, with a copy of the Battle, which the action may change."""
        return replace(super().fresh(), battle=self.battle and self.battle.copy())

    @property
    def fought(self) -> BattleState:
        """The Battle. May be used only once the armies have been set up."""
        assert self.battle is not None
        return self.battle

    def army(self, army: Army) -> ArmyState:
        """Returns the state of `army` in the Battle."""
        return self.fought.states[army]

    @property
    def decider(self) -> Army:
        """The army that decides now."""
        return self.deciders[0]

    def side_of(self, army: Army) -> Side:
        """Returns the side of `army` in the current turn."""
        return self.fought.engaged.side_of(army)

    def army_on(self, side: Side) -> Army:
        """Returns the army on `side` in the current turn."""
        return self.fought.engaged.states[side].army

    def holder(self, text: str) -> Army:
        """Returns the army whose card `text` names: the army that decides now, unless only the other has it in hand."""
        for army in (self.decider, enemy(self.decider)):
            state = self.army(army)
            with suppress(Refusal):
                if state.where[card_key(state, text, "hand")] == "hand":
                    return army
        return self.decider

    def discard_die(self, army: Army, typed: int | None) -> tuple[BattleSession, int | None]:
        """Returns the session and a Battlemage's die, rolled or `typed`; None if the army has none now (R-127)."""
        state = self.army(army)
        if state.power != "battlemage" or state.used_in_phase["battlemage"]:
            return self, None
        session, (die,) = self.rolled(typed=() if typed is None else (typed,), path="die")
        return session.say(f"{session.power_words('battlemage')} rolls {die}."), die

    # Changes

    def at(self, step: Step, deciders: Sequence[Army] = ()) -> BattleSession:
        """Returns the session at `step`, which asks the armies in `deciders` in turn."""
        return replace(self.with_(step=step), deciders=tuple(deciders))

    def noted(self, **entries: Any) -> BattleSession:
        """Returns the session with `entries` added to the record of the current turn."""
        return replace(self, turn={**self.turn, **entries})

    def with_host(self, army: Army, **choices: Any) -> BattleSession:
        """Returns the session with a Commander's `choices` for this Battle stored in the army's host."""
        return replace(self, hosts={**self.hosts, army: self.hosts[army].model_copy(update=choices)})

    def with_commander(self, army: Army, **choices: Any) -> BattleSession:
        """Returns the session with `choices` stored in the Commander's own fields."""
        return self.with_host(army, commander=self.hosts[army].commander.model_copy(update=choices))

    # Words

    def name(self, army: Army) -> str:
        """Returns the name of the Commander of `army`."""
        return self.table.names[army]

    def card(self, army: Army, key: str) -> str:
        """Returns the name of a card of an army, with the number of its copy."""
        _, hash_, copy = key.partition("#")
        return f"{self.army(army).cards[key].name}{f' {hash_}{copy}' if copy else ''}"

    def on(self, side: Side) -> str:
        """Returns the name of the card on `side`."""
        return self.card(self.army_on(side), self.fought.engaged.cards[side])

    def power_words(self, power: str | None) -> str:
        """Returns the label of a power with its rule, for example `Evoker (R-139)`."""
        words = power_of(self.spec, power)
        return f"{words['label']} ({words['rule']})" if words else ""

    def say_morale(self, army: Army, before: int) -> BattleSession:
        """Returns the session with a sentence on an army's Morale if this has changed from `before`."""
        now = self.army(army).morale
        if now == before:
            return self
        verb = "loses" if now < before else "gains"
        return self.say(f"{self.name(army)} {verb} {abs(now - before)} Morale, has {now}.")
