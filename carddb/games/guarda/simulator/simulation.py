"""The question for a whole game."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import zip_longest
from string import ascii_lowercase
from typing import Annotated, Any, Literal

from pydantic import Field

from carddb.findings import has_errors
from carddb.game.game import GameSpec
from carddb.games.guarda.deck.players import Member, seats, team_findings, wrong_number
from carddb.games.guarda.play.field import Size
from carddb.games.guarda.play.variant import STANDARD, ModeName, Name, mode_of, variant
from carddb.games.guarda.play.winning import side
from carddb.games.guarda.simulator.play import UNDECIDED, play
from carddb.games.guarda.simulator.policies import Greedy, Policy
from carddb.games.guarda.simulator.table import Table
from carddb.play.fields import Count, Known, Many
from carddb.play.question import Answer, BadInput, Options, operation, refuse
from carddb.play.stream import Stream

MAX_TURNS = 10_000

Teams = Many[Name] | Many[Many[Name]] | dict[str, Name] | Count | None
"""A team for each player in turn, or the players of each team, or the team by player, or how many teams."""


@operation(*(f"G-{number}" for number in (4, 5, 14, 26, 27, *range(29, 33), *range(34, 94), 113)))
def simulate(
    seed: int,
    players: int = 2,
    mode: Known[ModeName] = STANDARD,
    n: Size = 5,
    teams: Teams = None,
    policy: Literal["greedy", "random"] = "greedy",
    max_turns: Annotated[int, Field(ge=1, le=MAX_TURNS)] = 2000,
    log: bool = True,
    *,
    spec: GameSpec,
    options: Options,
) -> Answer:
    """A whole game, played by the rules; `violations` are invariants that did not hold."""
    wrong = wrong_number(spec, players)
    members = [] if wrong else _members(players, teams)
    refuse(player_count=wrong, mode_unknown=mode not in spec.data["modes"])
    entries: list[dict[str, Any]] = []
    table = Table(variant(spec, options, n), mode_of(spec, mode), Stream(seed), entries if log else None)
    for member, seat in zip(members, seats(spec, players), strict=True):
        table.seat(member.id, member.team, seat)
    first, verdict = play(table, Greedy() if policy == "greedy" else Policy(), max_turns)
    return {
        "finished": verdict != UNDECIDED,
        **verdict._asdict(),
        "turns": table.turn,
        "violations": table.violations,
        "first": first.id,
        "first_side": side(first)[1],
        "sides": list(dict.fromkeys(side(player)[1] for player in table.players)),
        "players": [{"id": player.id, "team": player.team, "seat": player.seat} for player in table.players],
        "log": entries,
    }


def _members(count: int, teams: Teams) -> list[Member]:
    """The players in the order of their seats, named a, b, c unless the teams name them. Raises BadInput."""
    names = ascii_lowercase[:count]
    if not teams:
        return [Member(id=name) for name in names]
    if isinstance(teams, int):
        members = [Member(id=name, team=str(at % teams + 1)) for at, name in enumerate(names)]
    elif isinstance(teams, Mapping):
        members = [Member(id=name, team=str(team)) for name, team in teams.items()]
    else:
        members = _members_of(teams)
    if has_errors(team_findings(members)) or len({member.id for member in members}) != count or len(members) != count:
        raise BadInput("teams")
    return members


def _members_of(teams: tuple[Name, ...] | tuple[tuple[Name, ...], ...]) -> list[Member]:
    """A team for each player; or the players of each team, who sit down in turn."""
    groups = [team for team in teams if isinstance(team, tuple)]
    if not groups:
        return [Member(id=name, team=str(team)) for name, team in zip(ascii_lowercase, teams, strict=False)]
    return [
        Member(id=str(name), team=str(number))
        for turn in zip_longest(*groups)
        for number, name in enumerate(turn, 1)
        if name is not None
    ]
