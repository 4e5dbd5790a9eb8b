"""A Battle begun, and taken back to its beginning."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from carddb.game.game import GameSpec
from carddb.games.rishar.battle.muster import cards_of_host, refuse_illegal
from carddb.games.rishar.battle.record import Host
from carddb.games.rishar.play.fields import Army
from carddb.games.rishar.session.session import Session
from carddb.games.rishar.session.state import BattleTable
from carddb.games.rishar.session.steps.setup import prepare
from carddb.play.question import options_in_force
from carddb.play.table.session import Rng


def new(
    spec: GameSpec,
    hosts: Mapping[Army, Host],
    names: Mapping[Army, str],
    seed: int,
    first: Army | None = None,
    options: Mapping[str, Any] | None = None,
) -> Session:
    """A Battle between two armies, at the first choice that somebody has to make.

    Raises Refusal: `army_illegal`, and what options and cards of a question raise.
    """
    readings = dict(options or {})
    rng = Rng(seed=seed)
    return seated(
        spec, BattleTable(rng=rng, names=dict(names), a=hosts["a"], b=hosts["b"], first=first, options=readings)
    )


def seated(spec: GameSpec, table: BattleTable) -> Session:
    """The Battle of a save before its first action."""
    table = table.with_(rng=Rng(seed=table.rng.seed), log=())
    options = options_in_force(spec, dict(table.options))
    hosts: dict[Army, Host] = {"a": table.a, "b": table.b}
    for army, host in hosts.items():
        refuse_illegal(spec, options, host, *cards_of_host(spec, army, host))
    return prepare(Session(spec, table, options, hosts))


def initial(session: Session) -> Session:
    """The session before its first action."""
    return seated(session.spec, session.table)
