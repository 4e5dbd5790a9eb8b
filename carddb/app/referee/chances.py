"""Chances: exact odds of a game, and whole games played by its rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from carddb.app.referee.referee import ask_by_fields, question_of, schema_of
from carddb.app.workspace.project_copy import Needs, map_project
from carddb.app.workspace.workspace import Workspace
from carddb.core.errors import UsageError
from carddb.core.executors import HERE, ExecutorRequest, open_executor
from carddb.core.names import did_you_mean
from carddb.games import Game
from carddb.play.question import Operation
from carddb.play.statistics import interval_json, quantile, share


def odds_kinds(game: Game) -> Mapping[str, Operation[Any]]:
    """The kinds of chances that a game shows. Raises UsageError where it shows none."""
    if not game.odds:
        raise UsageError(f"{game.spec.name} shows no chances", "carddb judge --list names what it answers.")
    return game.odds


def odds(project: Workspace, game: Game, kind: str | None, fields: Mapping[str, str]) -> dict[str, Any]:
    """Exact chances of a kind, or of the first kind that the fields fit. Raises UsageError."""
    kinds = odds_kinds(game)
    if kind and kind not in kinds:
        raise UsageError(f"{game.spec.name} knows no chances of {kind!r}", did_you_mean(kind, kinds))
    return ask_by_fields(project, game, kinds[kind] if kind else _fitting(kinds, fields), fields)


@dataclass(frozen=True, slots=True)
class Simulation:
    """What many games showed: the fields they were played with, and the sums."""

    game: Game
    seed: int
    question: Mapping[str, Any]
    sums: Mapping[str, Any]

    def to_json(self) -> dict[str, Any]:
        """The shape of `simulate --json`."""
        head = {"schema": "carddb.simulate/1", "game": self.game.key, "seed": self.seed}
        return {**head, "input": dict(self.question), **self.sums}


_GAMES_AT_ONCE, _MOST_PARTS = 250, 1000
"""Games that one process plays together, a quarter of a second or more, and the most parts before they grow."""
_COUNTED = ("finished", "winner", "draw", "turns", "violations", "first_side", "sides")
"""What the sums need of a game."""


def simulate(
    project: Workspace,
    key: str,
    count: int,
    seed: int,
    fields: Mapping[str, str],
    request: ExecutorRequest = HERE,
) -> Simulation:
    """Plays `count` whole games, the first with `seed`, each further one with the next.

    Who plays them makes no difference. Raises UsageError.
    """
    game = project.game(key)
    operation = game.operations.get("simulate")
    if operation is None:
        able = [each.key for each in project.all_games() if "simulate" in each.operations]
        raise UsageError(f"{game.spec.name} cannot be played by itself", f"A game that can: {', '.join(able)}.")
    games = [ask_by_fields(project, game, operation, {**fields, "seed": str(seed)})]
    question = question_of(operation, fields)
    seeds = range(seed + 1, seed + count)
    at_once = max(_GAMES_AT_ONCE, count // _MOST_PARTS)
    tasks = [(key, question, seeds[at : at + at_once]) for at in range(0, len(seeds), at_once)]
    with project.working(f"{count} games", count) as step, open_executor(request, len(tasks)) as executor:
        step("")
        for played in map_project(project, executor, _games, tasks, Needs([key])):
            games.append(played)
            step("")
    return Simulation(game, seed, _with_defaults(operation, question), _sums(games))


def _games(project: Workspace, task: tuple[str, Mapping[str, Any], range]) -> Iterator[dict[str, Any]]:
    """Plays a game of each seed."""
    key, question, seeds = task
    game = project.game(key)
    for seed in seeds:
        played = game.operations["simulate"].ask(game.spec, {**question, "seed": seed})
        yield {name: played[name] for name in _COUNTED}


def _fitting(kinds: Mapping[str, Operation[Any]], fields: Mapping[str, str]) -> Operation[Any]:
    """The first kind that takes every field and needs none beside them, else the first of all."""
    for operation in kinds.values():
        schema = schema_of(operation)
        if set(fields) <= set(schema["properties"]) and set(schema.get("required", ())) <= set(fields):
            return operation
    return next(iter(kinds.values()))


def _with_defaults(operation: Operation[Any], question: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that the games were played with, those by default too."""
    defaults = {name: field.get("default") for name, field in schema_of(operation)["properties"].items()}
    fields = {**defaults, **question}
    return {name: value for name, value in fields.items() if value is not None and name not in ("seed", "log")}


def _sums(games: list[dict[str, Any]]) -> dict[str, Any]:
    finished = [game for game in games if game["finished"]]
    lengths = sorted(game["turns"] for game in finished)
    wins = Counter(game["winner"] for game in finished if game["winner"] is not None)
    sides = sorted({side for game in games for side in game["sides"]})
    leads = sum(1 for game in finished if game["winner"] is not None and game["winner"] == game["first_side"])
    parts = {"shortest": 0.0, "quarter": 0.25, "median": 0.5, "three_quarters": 0.75, "most": 0.95, "longest": 1.0}
    return {
        "games": len(games),
        "finished": len(finished),
        "draws": sum(1 for game in finished if game["draw"]),
        "violations": sum(1 for game in games if game["violations"]),
        "lengths": {name: quantile(lengths, part) for name, part in parts.items()} if lengths else {},
        "first": interval_json(share(leads, len(finished))),
        "even": 1 / len(sides) if sides else 0.0,
        "wins": {side: interval_json(share(wins[side], len(finished))) for side in sides},
    }
