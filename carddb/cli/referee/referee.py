"""Questions about play: judge."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, BinaryIO

import click

from carddb.app.referee import answer_batch, operations_of, parse_question, referee
from carddb.cli import show
from carddb.cli.options import FILE, executor_options, executor_request
from carddb.cli.session import Session
from carddb.core.errors import InputError, UsageError
from carddb.core.executors import ExecutorRequest
from carddb.games.referee import Referee
from carddb.games.schemas.question_fields import fields_of, options_of


@click.command()
@click.argument("operation", required=False)
@click.argument("file", required=False, type=FILE)
@click.option("--batch", type=FILE, metavar="FILE", help="Many questions, one JSON object a line; - for a stream.")
@click.option("--list", "list_", is_flag=True, help="The operations with their fields; name a game or one operation.")
@click.option("--json", "json_", is_flag=True, help="With --list: as JSON Schema.")
@click.option("--why", is_flag=True, help="Each answer with the rules that it stands on.")
@executor_options("answer a batch", trust=True)
@click.pass_obj
def judge(
    session: Session,
    /,
    operation: str | None,
    file: Path | None,
    batch: Path | None,
    list_: bool,
    json_: bool,
    why: bool,
    **options: Any,
) -> int:
    """Ask the referee: `carddb judge eg.resolve_attack question.json` prints the answer.

    A question is a JSON object, from a file or standard input; a refusal is an answer. In a batch each line is
    {"id": ..., "op": "eg.compare", "input": {...}} and is answered by {"id": ..., "result": {...}}; with "why": true
    the result has its rules.
    """
    judges = referee(session.project)
    if list_:
        return _list(judges, operation, json_)
    if batch:
        return _answer_all(session, batch, why, executor_request(options))
    if operation is None:
        raise UsageError("which operation?", "carddb judge --list names them all.")
    judges.find(operation)
    path = file or Path("-")
    with _opened(path) as stream:
        text = stream.read()
    show.as_json(judges.ask(operation, parse_question(text, str(path)), why))
    return 0


def _opened(path: Path) -> BinaryIO:
    if str(path) == "-":
        return sys.stdin.buffer
    try:
        return path.open("rb")
    except OSError as fault:
        raise InputError(f"{path} cannot be read: {fault.strerror}") from fault


def _answer_all(session: Session, batch: Path, why: bool, request: ExecutorRequest) -> int:
    """Answers line by line; 1 where a line was no question."""
    out, is_stream = sys.stdout.buffer, str(batch) == "-"
    clean = True
    with _opened(batch) as lines:
        size = 0 if is_stream else batch.stat().st_size
        for answer in answer_batch(session.project, lines, why, request, size):
            clean &= answer.is_answer
            out.write(answer.data)
            if is_stream:
                out.flush()
    out.flush()
    return 0 if clean else 1


def _list(judges: Referee, name: str | None, json_: bool) -> int:
    from carddb.games.schemas.schemas import operations_schema  # every game's models, 40 ms, for the list alone

    operations = operations_of(judges, name)
    if json_:
        show.as_json(operations_schema(operations, "the operations of the referee"))
        return 0
    for key, (operation, _) in operations.items():
        show.echo(f"{show.style(key, bold=True)}  {operation.about}")
        _indented(fields_of(operation))
    for spec in {game.key: game.spec for _, game in operations.values() if game.spec.options}.values():
        show.echo(f"{show.style('options', bold=True)}  The house readings that every {spec.prefix} question takes.")
        _indented(options_of(spec))
    return 0


def _indented(lines: Iterable[str]) -> None:
    for line in lines:
        show.paragraph(line, 100, "    ", "        ")
