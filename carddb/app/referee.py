"""Questions to the referee, single or in batches; exact odds; and statistics of games that the computer plays."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import count, islice
from typing import Any

from carddb.app.workspace.day_cards import cards_at_hand
from carddb.app.workspace.project_copy import Needs, map_project
from carddb.app.workspace.workspace import Workspace
from carddb.core.errors import UsageError
from carddb.core.executors import HERE, ExecutorRequest, open_executor
from carddb.core.names import capital, did_you_mean, fold_word
from carddb.core.options import json_or_text
from carddb.core.plain_text import listed
from carddb.games import Game
from carddb.games.opening.spec_reader import QuestionText
from carddb.games.referee import Referee
from carddb.play.chance import interval_json, quantile, share
from carddb.play.question import EMPTY, Operation, fields_of, kind_words, possible_values, refusal_of
from carddb.read.documents.located_document import answer_line, json_value

_LINES_AT_ONCE, _BYTES_AT_ONCE = 500, 100_000
"""The number of questions that a process answers in one task, and roughly their size in bytes."""


@lru_cache(maxsize=2)
def referee(project: Workspace) -> Referee:
    """Returns the referee of the project's games; a game is loaded when it is first asked about."""
    return Referee(project.folders.values(), lambda folder: project.game(folder.key))


def parse_question(text: bytes, source: str) -> Any:
    """Returns a question in JSON as a value. Raises UsageError, naming `source`, if the text is not JSON."""
    try:
        return json_value(text)
    except ValueError as fault:
        raise UsageError(f"{source}: this is not JSON: {fault}", "Write each question as one JSON object.") from None


def answer_lines(
    referee: Referee, lines: Iterable[bytes], why: bool = False, first: int = 1
) -> Iterator[dict[str, Any]]:
    """Yields the answer to each line of a batch, in the order of the lines.

    The answer to an invalid line is an error with the line's number, counted from `first`. With `why`, every answer
    lists the rules on which it is based; otherwise only the answers to lines with `"why": true` do.
    """
    for number, text in enumerate(lines, first):
        line: Any = None
        try:
            line = json_value(text)
            id_, operation, question = line["id"], line["op"], line["input"]
            if not isinstance(operation, str) or not isinstance(question, dict):
                raise TypeError
            yield {"id": id_, "result": referee.ask(operation, question, why or line.get("why") is True)}
        except (UsageError, ValueError, TypeError, KeyError) as fault:
            id_ = line.get("id") if isinstance(line, dict) else None
            yield {"id": id_, "error": f"line {number}: {_fault_words(fault)}"}


def answer_batch(
    project: Workspace, lines: Iterable[bytes], why: bool, request: ExecutorRequest, size: int
) -> Iterator[tuple[bytes, bool]]:
    """Yields the answer to each line of a batch as JSON, and whether the line was a valid question.

    `size` is roughly the batch's size in bytes. Answers are the same for any number of processes. Raises GameError.
    """
    with open_executor(request, size // _BYTES_AT_ONCE) as executor:
        # In a single process, answer each line at once: the sender may wait for the answer before it asks again.
        at_once = _LINES_AT_ONCE if executor.workers else 1
        rest = iter(lines)
        parts = iter(lambda: list(islice(rest, at_once)), [])
        tasks = ((number, part, why) for number, part in zip(count(1, at_once), parts, strict=False))
        yield from map_project(project, executor, _batch_lines, tasks, Needs())


def _batch_lines(project: Workspace, task: tuple[int, Sequence[bytes], bool]) -> Iterator[tuple[bytes, bool]]:
    number, lines, why = task
    for answer in answer_lines(referee(project), lines, why, number):
        yield answer_line(answer), "result" in answer


def operations_of(referee: Referee, chosen: str | None) -> dict[str, tuple[Operation[Any], Game]]:
    """Returns the operations that `chosen` names, with their games, as `{name: (operation, game)}`.

    `chosen` is a game's key, prefix or name, or the name of one operation (None: all). Raises UsageError for others.
    """
    title = fold_word((chosen or "").partition(":")[0])
    hits = {
        name: (operation, game)
        for name, (operation, game) in referee.operations().items()
        if chosen in (None, name, name.partition(".")[0], game.key) or title == fold_word(game.spec.name)
    }
    if not hits:
        referee.find(chosen or "")
    return hits


def schema_of(operation: Operation[Any]) -> dict[str, Any]:
    """Returns the JSON schema of the questions that an operation answers."""
    return {"properties": {}, **operation.question.model_json_schema()}


def question_of(operation: Operation[Any], fields: Mapping[str, str]) -> dict[str, Any]:
    """Returns the question whose fields are given as texts; a text in JSON is parsed, unless the field is a string.

    Raises UsageError, suggesting the nearest field, for an unknown field.
    """
    properties = schema_of(operation)["properties"]
    question: dict[str, Any] = {}
    for name, text in fields.items():
        if name not in properties and name != "options":
            options = [field.replace("_", "-") for field in properties]
            option = name.replace("_", "-")
            raise UsageError(f"there is no field --{option}", did_you_mean(option, options) or "Leave it out.")
        question[name] = text if properties.get(name, {}).get("type") == "string" else json_or_text(text)
    return question


def ask_by_fields(
    project: Workspace, game: Game, operation: Operation[Any], fields: Mapping[str, str]
) -> dict[str, Any]:
    """Returns the answer to a question whose fields are given as texts. Raises UsageError for a refusal."""
    question = question_of(operation, fields)
    answer = operation.ask(game.spec, question, cards_at_hand(project, game) if operation.wants_cards else EMPTY)
    reason = refusal_of(game.spec, answer)
    if not reason:
        return answer
    if reason == "bad_input":
        # `--n cannot be '99'; it is 3 to 9`, `--cell cannot be '2,9'; cell.1 is 1 to 5`, `--hand is needed`.
        path, properties = str(answer["path"]), schema_of(operation)["properties"]
        name = path.partition(".")[0]
        possible = possible_values(answer) or (kind_words(properties[path]) if path in properties else "")
        lacks = f"cannot be {fields[name]!r}" if name in fields else "is needed"
        may_be = f"; {'it' if name == path else path} is {possible}" if possible else ""
        raise UsageError(f"--{name.replace('_', '-')} {lacks}{may_be}", f"The fields are: {fields_of(operation)[0]}")
    code = game.rule_book.codes.get(reason)
    near = f" Did you mean {' or '.join(answer['nearest'])}?" if answer.get("nearest") else ""
    cause = code.cause if code else reason.replace("_", " ")
    field = next((name for name, text in fields.items() if text == answer.get("word")), "")
    subject = f"--{field.replace('_', '-')} {answer['word']!r}: " if field else ""
    raise UsageError(subject + cause, (code.fix if code else "") + near)


def _fault_words(fault: Exception) -> str:
    if isinstance(fault, UsageError):
        return f"{fault.message}. {fault.remedy}".removesuffix(". ")
    if isinstance(fault, ValueError):
        return f"not JSON: {fault}"
    return 'a line must be {"id": ..., "op": "game.operation", "input": {...}}'


def question_text(game: Game, name: str) -> QuestionText:
    """Returns the title and the sentences of a question; its title is `name` if the game does not describe it."""
    return game.rule_book.questions.get(name.partition(".")[2]) or QuestionText(title=name)


def entry_words(
    project: Workspace, referee: Referee, entries: Sequence[Mapping[str, Any]]
) -> dict[str, dict[str, str]]:
    """Returns `names`, of all games by key, and `titles`, of the questions to which `entries` refer, by operation."""
    names = dict.fromkeys(name for entry in entries for name in entry.get("judge", ()))
    return {
        "names": {game.key: game.spec.name for game in project.all_games()},
        "titles": {name: question_text(referee.find(name)[1], name).title for name in names},
    }


_PLACE = re.compile(r"\{([\w.]+)([%/]?)\}")
"""The place of a value in a sentence: with `%` it is a chance, written in per cent; with `/` the numbers of a cell."""
_FRACTION = re.compile(r"-?\d+/\d+")


def spoken_answer(says: Mapping[str, str], question: Mapping[str, Any], answer: Mapping[str, Any]) -> str:
    """Returns an answer in words: the sentences in `says` whose conditions are true; empty if none is.

    `says` maps conditions to sentences, as in `QuestionText`. A sentence is left out if a value in it is missing.
    """

    def value_at(path: str) -> Any:
        for given in (answer, question):
            value: Any = given
            for part in path.split("."):
                value = value.get(part) if isinstance(value, Mapping) else None
            if value is not None:
                return value
        return None

    def holds(condition: str) -> bool:
        field, equals, wanted = condition.partition("=")
        if equals:
            return _in_words(value_at(field)) == wanted.replace("_", " ")
        return condition == "always" or bool(value_at(field.lstrip("-"))) != field.startswith("-")

    spoken = []
    for conditions, text in says.items():
        is_known = all(value_at(name) is not None for name, _ in _PLACE.findall(text))
        if is_known and all(map(holds, conditions.split(","))):
            spoken.append(_PLACE.sub(lambda match: _in_words(value_at(match[1]), match[2]), text))
    return " ".join(spoken)


def answer_words(texts: Mapping[str, str], answer: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Returns the parts of an answer as pairs of name and value in words; after a chance comes the exact fraction.

    `texts` describe the keys of answers of the game. A key without a description is its own name.
    """
    parts = []
    for key, value in answer.items():
        words = _in_words(value)
        if isinstance(value, str) and _FRACTION.fullmatch(value):
            share = Fraction(value)
            words = f"{_in_words(value, '%') if 0 <= share <= 1 else words} ({value})"
        parts.append((key_words(texts.get(key, ""), key), words))
    return parts


def key_words(text: str, key: str) -> str:
    """Returns the name of a key for people: its description `text`, without `True if`, or else the key as words."""
    return capital((text or key.replace("_", " ")).removeprefix("True if ").removesuffix("."))


def _in_words(value: Any, form: str = "") -> str:
    """Returns a value as it is written in a sentence; `form` is the `%` or `/` at its place (see `_PLACE`)."""
    if form == "%":
        return f"{float(Fraction(value)):.1%}"
    if isinstance(value, Mapping):
        return listed([f"{_in_words(name)} {_in_words(each)}" for name, each in value.items()])
    if isinstance(value, list | tuple):
        return "/".join(map(str, value)) if form else listed([_in_words(each, "/") for each in value], 40)
    if value is None or isinstance(value, bool):
        return {None: "none", True: "yes", False: "no"}[value]
    if isinstance(value, str):
        return f"{float(Fraction(value)):.3g}" if _FRACTION.fullmatch(value) else value.replace("_", " ")
    return f"{value:,}"


def odds_kinds(game: Game) -> Mapping[str, Operation[Any]]:
    """Returns the kinds of odds that carddb can compute for a game, by name. Raises UsageError if there are none."""
    if not game.odds:
        raise UsageError(f"carddb computes no chances for {game.spec.name}", f"See carddb judge --list {game.key}.")
    return game.odds


def odds(project: Workspace, game: Game, kind: str | None, fields: Mapping[str, str]) -> dict[str, Any]:
    """Returns exact odds of a kind (default: the first that has all `fields`). Raises UsageError for a refusal."""
    kinds = odds_kinds(game)
    if kind and kind not in kinds:
        raise UsageError(f"{game.spec.name} has no chances called {kind!r}", did_you_mean(kind, kinds))
    return ask_by_fields(project, game, kinds[kind] if kind else _fitting(kinds, fields), fields)


@dataclass(frozen=True, slots=True)
class Simulation:
    """The statistics (`sums`) of many games that the computer played by `question`; `seed` is the first seed."""

    game: Game
    seed: int
    question: Mapping[str, Any]
    sums: Mapping[str, Any]

    def to_json(self) -> dict[str, Any]:
        """Returns what `simulate --json` shows."""
        head = {"schema": "carddb.simulate/1", "game": self.game.key, "seed": self.seed}
        return {**head, "input": dict(self.question), **self.sums}


_GAMES_AT_ONCE, _MOST_PARTS = 250, 1000
"""The fewest games that one process plays in a task (they take a quarter of a second or more), and the most tasks."""
_COUNTED = ("finished", "winner", "draw", "turns", "violations", "first_side", "sides")
"""The parts of a game's result that the statistics need."""


def simulate(
    project: Workspace, key: str, count: int, seed: int, fields: Mapping[str, str], request: ExecutorRequest = HERE
) -> Simulation:
    """Plays `count` whole games by the question's `fields`, the first with the seed `seed`, each other with the next.

    The statistics are the same for any number of processes. Raises UsageError if the computer cannot play the game.
    """
    game = project.game(key)
    operation = game.operations.get("simulate")
    if operation is None:
        able = [each.key for each in project.all_games() if "simulate" in each.operations]
        raise UsageError(f"carddb cannot play {game.spec.name}", f"Choose a game that it can play: {', '.join(able)}.")
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
    defaults = {name: field.get("default") for name, field in schema_of(operation)["properties"].items()}
    played_with = {name: value for name, value in {**defaults, **question}.items() if value is not None}
    asked = {name: value for name, value in played_with.items() if name not in ("seed", "log")}
    return Simulation(game, seed, asked, _sums(games))


def _games(project: Workspace, task: tuple[str, Mapping[str, Any], range]) -> Iterator[dict[str, Any]]:
    """Plays a game with each seed of a task, and yields the parts of its result that the statistics need."""
    key, question, seeds = task
    game = project.game(key)
    for seed in seeds:
        played = game.operations["simulate"].ask(game.spec, {**question, "seed": seed})
        yield {name: played[name] for name in _COUNTED}


def _fitting(kinds: Mapping[str, Operation[Any]], fields: Mapping[str, str]) -> Operation[Any]:
    """Returns the first kind of odds that has all of `fields` and requires no other field, or else the first kind."""
    for operation in kinds.values():
        schema = schema_of(operation)
        if set(fields) <= set(schema["properties"]) and set(schema.get("required", ())) <= set(fields):
            return operation
    return next(iter(kinds.values()))


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
