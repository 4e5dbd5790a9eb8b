"""A Battle of Rishar as a game at a table: its start, its save, and the exact chances of its dice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from carddb.game.game import GameSpec
from carddb.games.rishar.battle.record import Host
from carddb.games.rishar.battle.state import cards_of_host, refuse_illegal
from carddb.games.rishar.play.fields import ARMIES, SIDES, Army
from carddb.games.rishar.play.odds import clash_chances, damage_chances
from carddb.games.rishar.play.odds_shown import bars, shielded
from carddb.games.rishar.session.session import STEPS, BattleTable, Session
from carddb.games.rishar.session.steps import clash, plays, turns
from carddb.games.rishar.session.steps.clash import own_texts
from carddb.games.rishar.session.steps.turns import prepare
from carddb.games.rishar.session.view import view
from carddb.play import chance
from carddb.play.question import options_in_force
from carddb.play.table.engine import TableGame, act, actions_of
from carddb.play.table.session import Rng


def prospects(session: Session) -> list[dict[str, str]]:
    """Returns the possible results of the dice, each with its chance `n/d` (R-168, R-169); empty at other steps.

    Discards and powers that could still be used are not considered.
    """
    if session.step != "dice":
        return []
    table = session.fought.copy().engaged
    table.texts = own_texts(session, table)
    if len(table.cards) == len(SIDES):
        units = {side: table.unit(side) for side in SIDES}
        chances = clash_chances(session.spec, session.options, table.fighters)
        return bars({side: session.on(side) for side in SIDES}, shielded(units, table.fighters, chances))
    attacker = table.fighters["off"]
    damage = damage_chances(session.spec, attacker.before_dice, attacker.dice)
    if table.unit("off").no_damage:
        damage = {0: Fraction(1)}
    return [chance.bar(f"{points} Morale", share) for points, share in sorted(damage.items())]


def record(session: Session) -> dict[str, Any]:
    """Returns the Battle as the question of a replay, up to the last complete turn."""
    hosts: dict[str, Any] = {army: session.hosts[army].model_dump(mode="json", exclude_none=True) for army in ARMIES}
    return {
        **hosts,
        "first_turn": session.battle.first_turn if session.battle else ARMIES[0],
        "turns": [dict(turn) for turn in session.turns],
        "rout": {army: dict(flight) for army, flight in session.flights.items()},
        "options": dict(session.table.options),
    }


def new(
    spec: GameSpec,
    hosts: Mapping[Army, Host],
    names: Mapping[Army, str],
    seed: int,
    first: Army | None = None,
    options: Mapping[str, Any] | None = None,
) -> Session:
    """Begins a Battle between two armies, at the first choice that a Commander has to make.

    Raises Refusal (`army_illegal`) for an army with errors; errors in options and cards are raised as in questions.
    """
    readings = dict(options or {})
    rng = Rng(seed=seed)
    return seated(
        spec, BattleTable(rng=rng, names=dict(names), a=hosts["a"], b=hosts["b"], first=first, options=readings)
    )


def seated(spec: GameSpec, table: BattleTable) -> Session:
    """Returns the session of a saved table before its first action."""
    table = table.with_(rng=Rng(seed=table.rng.seed), log=())
    options = options_in_force(spec, dict(table.options))
    hosts: dict[Army, Host] = {"a": table.a, "b": table.b}
    for army, host in hosts.items():
        refuse_illegal(spec, options, host, *cards_of_host(spec, army, host))
    return prepare(Session(spec, table, options, hosts))


_USUAL = {
    "mender": "look",
    "mending": "next",
    "first": "begin",
    "reveal": "next",
    "dice": "roll",
    "reactions": "decline",
    "reroll": "roll",
    "saving": "next",
    "plunder": "roll",
    "healing": "next",
    "second_phase": "next",
    "rout": "roll",
    "rout_saving": "next",
    "rout_plunder": "roll",
}


def usual(session: Session) -> str:
    """Returns the command that Enter gives at this step, `unable` if a Commander has no card to play."""
    if session.step in ("offense", "defense"):
        return "" if session.army(session.decider).can_play else "unable"
    return _USUAL.get(session.step, "")


def _restore(spec: GameSpec, table: BattleTable) -> Session:
    """Rebuilds a saved Battle by playing its log again; the rest of the saved state is ignored. Raises Refusal."""
    session = seated(spec, table)
    for entry in table.log:
        session = act(TABLE, session, entry.action, entry.input)
    return session


TABLE: TableGame[Session] = TableGame(
    key="rishar",
    actions=actions_of(turns, plays, clash),
    steps=STEPS,
    usual=usual,
    initial=lambda session: seated(session.spec, session.table),
    view=view,
    form=BattleTable,
    restore=_restore,
    faults=lambda _: (),  # the log was played again
)


def stands_for(spec: GameSpec) -> Mapping[str, Sequence[str]]:
    """Returns the rules that the actions at the table implement, by action, such as `battle play`."""
    return {f"battle {name.replace('_', '-')}": action.rules for name, action in TABLE.actions.items()}
