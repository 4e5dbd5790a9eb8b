"""The commands `judge`, `odds` and `simulate`."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, BinaryIO

import click

from carddb.app.referee import answer_batch, odds_kinds, operations_of, parse_question, referee
from carddb.app.referee import odds as exact_odds
from carddb.app.referee import simulate as play_games
from carddb.cli import show
from carddb.cli.options import FILE, executor_options, executor_request, json_option, verb
from carddb.cli.session import Session
from carddb.core.errors import InputError, UsageError
from carddb.core.executors import ExecutorRequest
from carddb.core.plain_text import amount
from carddb.games.referee import Referee
from carddb.play.question import fields_of, options_of


@verb()
@click.argument("operation", required=False)
@click.argument("file", required=False, type=FILE)
@click.option("--batch", type=FILE, metavar="FILE", help="A file of questions, one JSON object a line; - for a stream.")
@click.option(
    "--list",
    "list_",
    is_flag=True,
    help="List the operations with their fields, for all games, a game or one operation.",
)
@click.option("--json", "json_", is_flag=True, help="With --list: as JSON Schema.")
@click.option("--why", is_flag=True, help="Add the rules behind each answer.")
@executor_options("answer a batch", trust=True)
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

    A question is a JSON object, from a file or standard input; a refusal is an answer too. In a batch, each line is
    {"id": ..., "op": "eg.compare", "input": {...}} and is answered by {"id": ..., "result": {...}}. With "why": true in
    it, the result includes the rules from which it follows.
    """
    judges = referee(session.project)
    if list_:
        _list(judges, operation, json_)
        return 0
    if batch:
        return _answer_all(session, batch, why, executor_request(options))
    if operation is None:
        raise UsageError("no operation was named", "Name an operation; carddb judge --list shows all.")
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
    """Answers a batch line by line. Returns the exit code: 1 if any line was not a valid question, otherwise 0."""
    out, is_stream = sys.stdout.buffer, str(batch) == "-"
    clean = True
    with _opened(batch) as lines:
        size = 0 if is_stream else batch.stat().st_size
        for answer, is_valid in answer_batch(session.project, lines, why, request, size):
            clean &= is_valid
            out.write(answer)
            if is_stream:
                out.flush()
    out.flush()
    return 0 if clean else 1


def _list(judges: Referee, name: str | None, json_: bool) -> None:
    from carddb.games.schemas import operations_schema  # imports every game's models, 40 ms, only for the list

    operations = operations_of(judges, name)
    if json_:
        return show.as_json(operations_schema(operations, "the operations of the referee"))
    for key, (operation, _) in operations.items():
        show.echo(f"{show.style(key, bold=True)}  {operation.about}")
        _indented(fields_of(operation))
    for spec in {game.key: game.spec for _, game in operations.values() if game.spec.options}.values():
        show.echo(f"{show.style('options', bold=True)}  The house readings that every {spec.prefix} question takes.")
        _indented(options_of(spec))


def _indented(lines: Iterable[str]) -> None:
    for line in lines:
        show.paragraph(line, 100, "    ", "        ")


FREE = {"ignore_unknown_options": True, "allow_extra_args": True}
"""The Click settings of a command that accepts any options, because the fields of a question are written like them."""


def fields(words: list[str]) -> dict[str, str]:
    """Returns words such as `--off-mod 2 --n=5` as `{"off_mod": "2", "n": "5"}`. Raises UsageError for other words."""
    values: dict[str, str] = {}
    rest = iter(words)
    for word in rest:
        if not word.startswith("--"):
            raise UsageError(f"{word!r} is not the value of a field", "Write --FIELD before each value.")
        name, equals, value = word.removeprefix("--").partition("=")
        text = value if equals else next(rest, None)
        if text is None:
            raise UsageError(f"--{name} has no value", f"Write --{name} VALUE.")
        values[name.replace("-", "_")] = text
    return values


@click.command(context_settings=FREE)
@click.argument("key", metavar="GAME")
@click.argument("kind", required=False)
@click.option("--json", "json_", is_flag=True, help="As JSON, with exact fractions.")
@click.pass_context
def odds(ctx: click.Context, key: str, kind: str | None, json_: bool) -> None:
    """Show exact chances: `carddb odds rishar --off "Spearmen" --def "Soldier"`.

    Each kind of chance has its own fields, given as --FIELD VALUE. Without any, the kinds and their fields are listed.
    For hands of a deck, see `carddb decks odds`.
    """
    session: Session = ctx.obj
    game = session.project.game(key)
    is_field = bool(kind and kind.startswith("-"))
    name, values = (None, fields([str(kind), *ctx.args])) if is_field else (kind, fields(ctx.args))
    odds_kinds(game)
    if not values and not name:
        for each, operation in game.odds.items():
            show.echo(f"{show.style(each, bold=True)}  {operation.about}")
            for line in fields_of(operation):
                show.echo(f"    {line}")
        return
    answer = exact_odds(session.project, game, name, values)
    if json_:
        return show.as_json({"schema": "carddb.odds/1", **answer})
    show.echo(show.style(answer["title"], bold=True))
    chances = ((bar["label"], float(Fraction(bar["chance"])), bar["chance"]) for bar in answer["bars"])
    show.bars([(label, part, f"{part * 100:5.1f} %  {exact}") for label, part, exact in chances])
    for note in answer.get("notes", ()):
        show.echo(note)


@click.command(context_settings=FREE)
@click.argument("key", metavar="GAME")
@click.option(
    "--games", "number", type=click.IntRange(1, 10_000_000), default=1000, show_default=True, metavar="N",
    help="Number of games.",
)  # fmt: skip
@click.option(
    "--seed",
    type=int,
    default=1,
    show_default=True,
    help="The seed of the first game; each next game has the next seed.",
)
@json_option
@executor_options("play", trust=True)
@click.pass_context
def simulate(ctx: click.Context, /, key: str, number: int, seed: int, json_: bool, **options: Any) -> int:
    """Play whole games by the rules: `carddb simulate guarda --games 10000 --players 2`.

    The report has the lengths of games, the advantage of the first turn, and win shares with 95 % intervals. Further
    options are --FIELD VALUE, with the fields that `carddb judge --list guarda.simulate` lists.
    """
    session: Session = ctx.obj
    simulation = play_games(session.project, key, number, seed, fields(ctx.args), executor_request(options))
    if json_:
        show.as_json(simulation.to_json())
    else:
        setting = ", ".join(f"{name} {show.plain(value)}" for name, value in simulation.question.items())
        title = f"{simulation.game.spec.name}: {setting}, seeds {seed} to {seed + number - 1}"
        show.echo(show.style(title, bold=True))
        _show_sums(simulation.sums)
    return 1 if simulation.sums["violations"] else 0


def _show_sums(report: Mapping[str, Any]) -> None:
    unfinished = report["games"] - report["finished"]
    parts = [amount(report["games"], "game"), amount(report["draws"], "draw")]
    parts += [f"{unfinished} not finished"] if unfinished else []
    parts += [f"{report['violations']} broke a rule"] if report["violations"] else []
    show.echo(", ".join(parts))
    if report["lengths"]:
        words = ", ".join(f"{name.replace('_', ' ')} {turns}" for name, turns in report["lengths"].items())
        show.echo(f"turns: {words} (most: 95 of 100 games are no longer)")
    rows = [("who begins", report["first"], f"   an even share is {report['even'] * 100:.1f} %")]
    rows += [(f"{side} wins", each, "") for side, each in report["wins"].items()]
    show.bars([(label, each["share"], show.interval(*each.values()) + beside) for label, each, beside in rows])
