"""A table of Rishar: its armies, its log and its state."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Literal, get_args

from pydantic import Field

from carddb.core.names import fold
from carddb.games.rishar.battle.army_state import ArmyState
from carddb.games.rishar.battle.record import Host
from carddb.games.rishar.battle.state import BattleState
from carddb.games.rishar.play.fields import Army, Pile, Side, enemy
from carddb.games.rishar.play.powers import power_of
from carddb.play.question import Options, Refusal, refuse
from carddb.play.table.session import TableSession, TableState

_COPY = re.compile(r"(?:(?P<before>\d+)\s+(?P<name>.+)|(?P<first>.+?)\s*(?:#|\s)\s*(?P<after>\d+))")


def card_key(state: ArmyState, text: str, *piles: Pile) -> str:
    """Returns the card of an army that a text means; of several that fit, those in these piles come first.

    Refuses `no_such_card`, and `card_ambiguous` with what it may have been, where that is no secret.
    """
    if text in state.cards:
        return text
    name, copy = _parts(text)
    lying = [key for key in state.cards if state.where[key] in piles]
    hits = _hits(state, name, lying, state.cards)
    if copy is not None:
        hits = [key for key in hits if key.partition("#")[2] == copy]
    refuse(no_such_card=not hits)
    refs = {key.partition("#")[0] for key in hits}
    if len(refs) > 1:
        names = sorted({state.cards[key].name for key in hits if "hand" not in piles})
        raise Refusal("card_ambiguous", **({"hint": f"It may be {' or '.join(names)}."} if names else {}))
    return state.find(min(refs), *piles) if copy is None else hits[0]


def _parts(text: str) -> tuple[str, str | None]:
    """Returns a name and the number of a copy, which stands before or behind it."""
    match = _COPY.fullmatch(text.strip())
    if not match:
        return fold(text), None
    return fold(match["name"] or match["first"]), match["before"] or match["after"]


def _hits(state: ArmyState, name: str, *lists: Collection[str]) -> list[str]:
    """Returns the cards of that name, else those whose name or a word of it begins so; an earlier list comes first."""
    names = {key: (fold(state.cards[key].name), fold(key.partition("#")[0])) for key in state.cards}
    fits: tuple[Callable[[str], bool], ...] = (
        lambda key: any(one.startswith(name) for one in names[key]),
        lambda key: f" {name}" in names[key][0],
    )
    exact = [key for key in state.cards if name in names[key]]
    by_fit = ([key for key in keys if fit(key)] for keys in lists for fit in fits)
    return exact or next(filter(None, by_fit), [])


Step = Literal[
    "tactician",
    "dervish",
    "oath",
    "mender",
    "mending",
    "first",
    "offense",
    "defense",
    "reveal",
    "dice",
    "reactions",
    "reroll",
    "saving",
    "plunder",
    "healing",
    "second_phase",
    "rout",
    "rout_saving",
    "rout_plunder",
    "over",
]

STEPS: Mapping[str, str] = {
    "tactician": "the Tactician has another power for this Battle: choose POWER",
    "dervish": "the Dervish has one Path or one Role to fight against today: against WORD",
    "oath": "the Oathbound names a unit: name CARD",
    "mender": "the Mender may look at cards of the other hand: look, or next",
    "mending": "the Mender may have one of the cards Disabled: disable CARD, or next",
    "first": "who has the first turn? begin, or begin a, or begin b",
    "offense": "a card face down on Offense, or pass",
    "defense": "a card face down on Defense, or pass",
    "reveal": "the card may take another Role: become ROLE, or next",
    "dice": "roll; before that discard or use a power",
    "reactions": "discard, use a power, or decline; when both decline in a row it is decided",
    "reroll": "equal in everything: roll again",
    "saving": "the unit can be saved: save and with what, or next",
    "plunder": "the Rogue rolls for the kill: roll",
    "healing": "Healers may act before the Phase ends: heal HEALER CARD, or next",
    "second_phase": "the Necromancer may take a Disabled card back: back CARD, or next",
    "rout": "the victor rolls for the units of the routed army: roll",
    "rout_saving": "units can be saved: rescue CARD, or next",
    "rout_plunder": "the Rogue rolls for the dead: roll",
    "over": "the Battle is over; carddb battle report writes the campaign sheets",
}
"""What may be done at each step."""


class BattleTable(TableState):
    """The save: the armies as they came, the readings in force, who begins where that was said, the dice, the log.

    All else follows from these: the log is played again.
    """

    game: Literal["rishar"] = "rishar"
    version: Literal[1] = 1
    step: Step = "offense"
    names: dict[Army, str] = Field(min_length=len(get_args(Army)))
    a: Host
    b: Host
    first: Army | None = None
    options: dict[str, Any] = Field(default={})


@dataclass(frozen=True)
class Session(TableSession[BattleTable]):
    """A Battle at the table.

    `hosts` are the armies with what their Commanders have chosen; `battle` stands still: an action works on a copy.
    `turn` is the record of the running turn, `turns` those that are over, `flights` the routs. `outcome` is how a
    Skirmish went whose Rogue still rolls. `deciders` are the armies that decide at the step, the first of them now,
    `shown` the cards that a Mender sees.
    """

    options: Options
    hosts: Mapping[Army, Host]
    battle: BattleState | None = None
    turn: Mapping[str, Any] = field(default_factory=dict)
    turns: tuple[Mapping[str, Any], ...] = ()
    flights: Mapping[Army, Mapping[str, Any]] = field(default_factory=dict)
    outcome: Mapping[str, Any] = field(default_factory=dict)
    deciders: tuple[Army, ...] = ()
    shown: tuple[str, ...] = ()

    # The Battle

    def moving(self) -> Session:
        """Returns the session with a Battle of its own, which an action may change."""
        return replace(self, battle=self.fought.copy())

    @property
    def fought(self) -> BattleState:
        """The Battle, once the armies stand."""
        assert self.battle is not None
        return self.battle

    def army(self, army: Army) -> ArmyState:
        """Returns an army in the Battle."""
        return self.fought.states[army]

    @property
    def decider(self) -> Army:
        """The army that the step asks."""
        return self.deciders[0]

    def side_of(self, army: Army) -> Side:
        """Returns the side that an army has in the running turn."""
        return self.fought.engaged.side_of(army)

    def army_on(self, side: Side) -> Army:
        """Returns the army that has a side in the running turn."""
        return self.fought.engaged.states[side].army

    def holder(self, text: str) -> Army:
        """Returns the army that holds a card: the one that decides now, or the other where only that has it in hand."""
        for army in both(self.decider):
            state = self.army(army)
            with suppress(Refusal):
                if state.where[card_key(state, text, "hand")] == "hand":
                    return army
        return self.decider

    def discard_die(self, army: Army, typed: int | None) -> tuple[Session, int | None]:
        """Rolls the die of a Battlemage's discard, where there is one still in this Phase (R-127)."""
        state = self.army(army)
        if state.power != "battlemage" or state.used_in_phase["battlemage"]:
            return self, None
        session, (die,) = self.rolled(typed=() if typed is None else (typed,), path="die")
        return session.say(f"{session.power_words('battlemage')} rolls {die}."), die

    # Changes

    def at(self, step: Step, deciders: Sequence[Army] = ()) -> Session:
        """Returns the session at another step, which asks some armies in turn."""
        return replace(self.with_(step=step), deciders=tuple(deciders))

    def noted(self, **entries: Any) -> Session:
        """Returns the session with entries in the record of the running turn."""
        return replace(self, turn={**self.turn, **entries})

    def with_host(self, army: Army, **choices: Any) -> Session:
        """Returns the session with what a Commander has chosen for the Battle."""
        return replace(self, hosts={**self.hosts, army: self.hosts[army].model_copy(update=choices)})

    def with_commander(self, army: Army, **choices: Any) -> Session:
        """Returns the session with what a Commander has chosen as a person."""
        return self.with_host(army, commander=self.hosts[army].commander.model_copy(update=choices))

    # Words

    def name(self, army: Army) -> str:
        """Returns how a Commander is called."""
        return self.table.names[army]

    def card(self, army: Army, key: str) -> str:
        """Returns how a card of an army is called: its name, and the number of its copy."""
        _, hash_, copy = key.partition("#")
        return f"{self.army(army).cards[key].name}{f' {hash_}{copy}' if copy else ''}"

    def on(self, side: Side) -> str:
        """Returns how the card of a side is called."""
        return self.card(self.army_on(side), self.fought.engaged.cards[side])

    def power_words(self, power: str | None) -> str:
        """Returns a power with its rule: `Evoker (R-139)`."""
        words = power_of(self.spec, power)
        return f"{words['label']} ({words['rule']})" if words else ""

    def say_morale(self, army: Army, before: int) -> Session:
        """Returns the session with a sentence on an army's Morale, where it is another than before."""
        now = self.army(army).morale
        if now == before:
            return self
        verb = "loses" if now < before else "gains"
        return self.say(f"{self.name(army)} {verb} {abs(now - before)} Morale, has {now}.")


def both(first: Army) -> tuple[Army, Army]:
    """Returns both armies, one of them first."""
    return (first, enemy(first))
