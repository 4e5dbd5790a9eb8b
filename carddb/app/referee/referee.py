"""Questions to the referee: one, a batch, and which there are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import count, islice
from typing import Any, NamedTuple

from carddb.app.workspace.day_cards import cards_at_hand
from carddb.app.workspace.project_copy import Needs, map_project
from carddb.app.workspace.workspace import Workspace
from carddb.core.errors import UsageError
from carddb.core.executors import ExecutorRequest, open_executor
from carddb.core.names import did_you_mean
from carddb.deck.options import json_or_text
from carddb.games import Game
from carddb.games.referee import Referee
from carddb.games.schemas.question_fields import fields_of
from carddb.play.faults import possible_values
from carddb.play.question import Operation
from carddb.read.documents.questions import answer_line, value_of

_LINES_AT_ONCE, _BYTES_AT_ONCE = 500, 100_000
"""Questions that one process answers together, and about as many bytes."""


def referee(project: Workspace) -> Referee:
    """The referee of the project's games, which are loaded when they are first asked."""
    return Referee(project.folders.values(), lambda folder: project.game(folder.key))


def parse_question(text: bytes, source: str) -> Any:
    """A question as JSON. Raises UsageError."""
    try:
        return value_of(text)
    except ValueError as fault:
        raise UsageError(f"{source}: this is not JSON: {fault}", "A question is one JSON object.") from None


def answer_lines(
    referee: Referee, lines: Iterable[bytes], why: bool = False, first: int = 1
) -> Iterator[dict[str, Any]]:
    """The answer to each line of a batch, in order; a line that is no question is answered with its number.

    The numbers begin with `first`.

    With `why` every answer has its rules, else that of a line which says `"why": true`.
    """
    for number, text in enumerate(lines, first):
        line: Any = None
        try:
            line = value_of(text)
            id_, operation, question = line["id"], line["op"], line["input"]
            if not isinstance(operation, str) or not isinstance(question, dict):
                raise TypeError
            yield {"id": id_, "result": referee.ask(operation, question, why or line.get("why") is True)}
        except (UsageError, ValueError, TypeError, KeyError) as fault:
            id_ = line.get("id") if isinstance(line, dict) else None
            yield {"id": id_, "error": f"line {number}: {_fault_words(fault)}"}


class BatchLine(NamedTuple):
    """The answer to a line of a batch, as bytes, and whether the line was a question."""

    data: bytes
    is_answer: bool


def answer_batch(
    project: Workspace, lines: Iterable[bytes], why: bool, request: ExecutorRequest, size: int
) -> Iterator[BatchLine]:
    """The answers to a batch of about `size` bytes, in order, whoever gives them.

    Raises GameError for what the program of an outside game raises.
    """
    with open_executor(request, size // _BYTES_AT_ONCE) as executor:
        # Who asks this process alone may wait for each answer before the next question.
        at_once = _LINES_AT_ONCE if executor.workers else 1
        tasks = _batch_tasks(iter(lines), at_once, why)
        yield from map_project(project, executor, _batch_lines, tasks, Needs())


def _batch_tasks(lines: Iterator[bytes], at_once: int, why: bool) -> Iterator[tuple[int, Sequence[bytes], bool]]:
    """So many lines together, with the number of the first."""
    for number in count(1, at_once):
        part = list(islice(lines, at_once))
        if not part:
            return
        yield number, part, why


def _batch_lines(project: Workspace, task: tuple[int, Sequence[bytes], bool]) -> Iterator[BatchLine]:
    number, lines, why = task
    for answer in answer_lines(_opened_referee(project), lines, why, number):
        yield BatchLine(answer_line(answer), "result" in answer)


@lru_cache(maxsize=2)
def _opened_referee(project: Workspace) -> Referee:
    """The referee of a project that has many tasks."""
    return referee(project)


def operations_of(referee: Referee, chosen: str | None) -> dict[str, tuple[Operation[Any], Game]]:
    """The operations of all games, of a game by key or prefix, or the one of a name, each with its game.

    Raises UsageError.
    """
    hits = {
        name: (operation, game)
        for name, (operation, game) in referee.operations().items()
        if chosen in (None, name, name.partition(".")[0], game.key)
    }
    if not hits:
        referee.find(chosen or "")
    return hits


def schema_of(operation: Operation[Any]) -> dict[str, Any]:
    """The JSON schema of an operation's question."""
    return {"properties": {}, **operation.question.model_json_schema()}


def question_of(operation: Operation[Any], fields: Mapping[str, str]) -> dict[str, Any]:
    """Fields as texts to a question: JSON where it parses, else text. Raises UsageError for an unknown field."""
    properties = schema_of(operation)["properties"]
    question: dict[str, Any] = {}
    for name, text in fields.items():
        if name not in properties and name != "options":
            options = [field.replace("_", "-") for field in properties]
            option = name.replace("_", "-")
            raise UsageError(f"there is no field --{option}", did_you_mean(option, options))
        question[name] = text if properties.get(name, {}).get("type") == "string" else json_or_text(text)
    return question


def ask_by_fields(
    project: Workspace, game: Game, operation: Operation[Any], fields: Mapping[str, str]
) -> dict[str, Any]:
    """The answer to a question in fields; a refusal is a UsageError that names the fields there are."""
    question = question_of(operation, fields)
    if operation.wants_cards:
        answer = operation.ask(game.spec, question, cards_at_hand(project, game))
    else:
        answer = operation.ask(game.spec, question)
    reason = answer.get(game.spec.refusal_key) if answer.get("ok") is not True else None
    if not reason:
        return answer
    if reason == "bad_input":
        raise UsageError(_bad_field(answer, fields), f"Fields: {fields_of(operation)[0]}")
    code = game.rule_book.codes.get(reason)
    near = f" Did you mean {' or '.join(answer['nearest'])}?" if answer.get("nearest") else ""
    cause = code.cause if code else reason.replace("_", " ")
    field = next((name for name, text in fields.items() if text == answer.get("word")), "")
    subject = f"--{field.replace('_', '-')} {answer['word']!r}: " if field else ""
    raise UsageError(subject + cause, (code.fix if code else "") + near)


def _bad_field(answer: Mapping[str, Any], fields: Mapping[str, str]) -> str:
    """`--n cannot be '99'; it is 3 to 9`, `--cell cannot be '2,9'; cell.1 is 1 to 5`, `--hand is needed`."""
    path = str(answer["path"])
    name = path.partition(".")[0]
    lacks = f"cannot be {fields[name]!r}" if name in fields else "is needed"
    possible = possible_values(answer)
    subject = "it" if name == path else path
    return f"--{name.replace('_', '-')} {lacks}" + (f"; {subject} is {possible}" if possible else "")


def _fault_words(fault: Exception) -> str:
    if isinstance(fault, UsageError):
        return f"{fault.message}. {fault.remedy}".removesuffix(". ")
    if isinstance(fault, ValueError):
        return f"not JSON: {fault}"
    return 'a line is {"id": ..., "op": "game.operation", "input": {...}}'
