"""The replay of a whole Battle from its record."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from pydantic import Field

from carddb.cards.cards import Pool
from carddb.game.game import GameSpec
from carddb.games.rishar.battle.engagement import ArmyState, resolve_rout
from carddb.games.rishar.battle.record import MAX_TURNS, Flights, Host, Turn, step
from carddb.games.rishar.battle.state import BattleState, army_before_battle, cards_of_host, use_mender
from carddb.games.rishar.play.fields import Army, enemy
from carddb.play.question import Answer, operation


@operation()
def replay(
    a: Host,
    b: Host,
    first_turn: Army,
    turns: Annotated[tuple[Turn, ...], Field(max_length=MAX_TURNS, strict=False)],
    rout: Flights | None = None,
    *,
    spec: GameSpec,
    pool: Pool,
) -> Answer:
    """Replays recorded turns: the state of the Battle afterwards, or the first step that the rules refuse.

    Cards are named by `id`; copies are `soldier#1`, `soldier#2`, and `soldier` is the first copy in the pile that the
    step needs. A Phase ends as soon as neither Commander has a card to play: the Exhausted come back to hand, and after
    the second Phase the Battle is over. After a rout, `rout` has the victor's dice. A refusal has the `index` of its
    turn, null before the first turn and in a rout, where `army` is the army whose step was refused.
    """
    hosts: dict[Army, Host] = {"a": a, "b": b}
    cards = {army: cards_of_host(spec, army, host, pool) for army, host in hosts.items()}
    states: dict[Army, ArmyState] = {}
    for army, host in hosts.items():
        with step(army, army=army, index=None):
            states[army] = army_before_battle(spec, army, host, *cards[army])
    for army, host in hosts.items():
        with step(army, army=army, index=None):
            use_mender(spec, states[army], states[enemy(army)], host.mender)
    battle = BattleState(spec, states, first_turn)
    with step("opening", index=None):
        _settle(battle, hosts)
    for index, turn in enumerate(turns):
        with step(f"turns.{index}", index=index):
            battle.play(turn)
            _settle(battle, hosts)
    for army, state in states.items():
        if state.routed:
            with step(f"rout.{army}", army=army, index=None):
                resolve_rout(state, states[enemy(army)], getattr(rout or Flights(), army))
    return battle.report()


def _settle(battle: BattleState, hosts: Mapping[Army, Host]) -> None:
    """Ends Phases and the Battle when due; `hosts` name the cards that Necromancers bring back."""
    while battle.settle():
        for army, host in hosts.items():
            if host.returned is not None:
                with step("returned", army=army):
                    battle.states[army].bring_back(host.returned)
