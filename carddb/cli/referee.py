"""Questions about play: judge."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import click

from carddb.cli import show
from carddb.cli.session import Session
from carddb.errors import InputError, UsageError

if TYPE_CHECKING:
    from carddb.games.referee import Referee

_FILE = click.Path(path_type=Path, allow_dash=True, readable=False)


@click.command()
@click.argument("operation", required=False)
@click.argument("file", required=False, type=_FILE)
@click.option("--batch", type=_FILE, metavar="FILE", help="Many questions, one JSON object a line; - for a stream.")
@click.option("--list", "list_", is_flag=True, help="The operations with their fields; name a game or one operation.")
@click.option("--json", "json_", is_flag=True, help="With --list: as JSON Schema.")
@click.pass_obj
def judge(
    session: Session, operation: str | None, file: Path | None, batch: Path | None, list_: bool, json_: bool
) -> int:
    """Ask the referee: `carddb judge eg.resolve_attack question.json` prints the answer.

    A question is a JSON object, from a file or standard input; a refusal is an answer. In a batch each line is
    {"id": ..., "op": "eg.compare", "input": {...}} and is answered by {"id": ..., "result": {...}}.
    """
    from carddb.games.referee import Referee

    referee = Referee(session.folders.values(), lambda folder: session.game(folder.key))
    if list_:
        return _list(referee, operation, json_)
    if batch:
        with _opened(batch) as lines:
            return _answer_all(referee, lines, sys.stdout.buffer, at_once=str(batch) == "-")
    if operation is None:
        raise UsageError("which operation?", "carddb judge --list names them all.")
    referee.find(operation)
    show.as_json(referee.ask(operation, _question(file or Path("-"))))
    return 0


def _question(path: Path) -> Any:
    from carddb.read.questions import value_of

    with _opened(path) as stream:
        text = stream.read()
    try:
        return value_of(text)
    except ValueError as fault:
        raise UsageError(f"{path}: this is not JSON: {fault}", "A question is one JSON object.") from None


def _opened(path: Path) -> BinaryIO:
    if str(path) == "-":
        return sys.stdin.buffer
    try:
        return path.open("rb")
    except OSError as fault:
        raise InputError(f"{path} cannot be read: {fault.strerror}") from fault


def _answer_all(referee: Referee, lines: Iterable[bytes], out: BinaryIO, at_once: bool) -> int:
    """Answers line by line; 1 where a line was no question."""
    from carddb.read.questions import answer_line

    clean = True
    for answer in answers(referee, lines):
        clean &= "result" in answer
        out.write(answer_line(answer))
        if at_once:
            out.flush()
    out.flush()
    return 0 if clean else 1


def answers(referee: Referee, lines: Iterable[bytes]) -> Iterator[dict[str, Any]]:
    """The answer to each line of a batch, in order; a line that is no question is told with its number."""
    from carddb.read.questions import value_of

    for number, text in enumerate(lines, 1):
        asked: Any = None
        try:
            asked = value_of(text)
            name, operation, question = asked["id"], asked["op"], asked["input"]
            if not isinstance(operation, str) or not isinstance(question, dict):
                raise TypeError
            yield {"id": name, "result": referee.ask(operation, question)}
        except (UsageError, ValueError, TypeError, KeyError) as fault:
            id_ = asked.get("id") if isinstance(asked, dict) else None
            yield {"id": id_, "error": f"line {number}: {_told(fault)}"}


def _told(fault: Exception) -> str:
    if isinstance(fault, UsageError):
        return " ".join(str(fault).split("\n"))
    if isinstance(fault, ValueError):
        return f"not JSON: {fault}"
    return 'a line is {"id": ..., "op": "game.operation", "input": {...}}'


def _list(referee: Referee, chosen: str | None, json_: bool) -> int:
    from carddb.games.question_fields import fields_of
    from carddb.games.schemas import operations_schema

    known = {
        name: operation
        for name, operation in referee.operations().items()
        if chosen in (None, name, name.partition(".")[0], referee.find(name)[1].key)
    }
    if not known:
        referee.find(chosen or "")
    if json_:
        show.as_json(operations_schema(known, "the operations of the referee"))
        return 0
    for name, operation in known.items():
        click.echo(f"{click.style(name, bold=True)}  {operation.about}")
        for line in fields_of(operation):
            click.echo(textwrap.fill(line, 100, initial_indent="    ", subsequent_indent="        "))
    return 0
