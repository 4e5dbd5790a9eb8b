"""Exact chances: odds."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import click

from carddb.cli import show
from carddb.cli.fields import FREE, ask, fields, schema_of
from carddb.cli.session import Session
from carddb.errors import UsageError
from carddb.names import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping

    from carddb.games import Game
    from carddb.play.question import Operation


@click.command(context_settings=FREE)
@click.argument("key", metavar="GAME")
@click.argument("kind", required=False)
@click.option("--json", "json_", is_flag=True, help="As JSON, with exact fractions.")
@click.pass_context
def odds(ctx: click.Context, key: str, kind: str | None, json_: bool) -> int:
    """Show exact chances: `carddb odds rishar --off "Spearmen" --def "Soldier"`.

    Each kind of chance has fields of its own, given as --FIELD VALUE; without fields they are listed.
    """
    session: Session = ctx.obj
    game = session.game(key)
    words = [kind, *ctx.args] if kind and kind.startswith("-") else ctx.args
    named = None if kind and kind.startswith("-") else kind
    kinds = game.odds
    if not kinds:
        raise UsageError(f"{game.spec.name} shows no chances", "carddb judge --list names what it answers.")
    if named and named not in kinds:
        raise UsageError(f"{game.spec.name} knows no chances of {named!r}", did_you_mean(named, kinds))
    given = fields(words)
    if not given and not named:
        _explain(game)
        return 0
    asked = kinds[named] if named else _fitting(kinds, given)
    answer = ask(session, game, asked, given)
    if json_:
        show.as_json({"schema": "carddb.odds/1", **answer})
    else:
        _draw(answer)
    return 0


def _fitting(kinds: Mapping[str, Operation[Any]], given: Mapping[str, str]) -> Operation[Any]:
    """The first kind that takes every field given and needs none beside them, else the first of all."""
    for operation in kinds.values():
        schema = schema_of(operation)
        if set(given) <= set(schema["properties"]) and set(schema.get("required", ())) <= set(given):
            return operation
    return next(iter(kinds.values()))


def _explain(game: Game) -> None:
    from carddb.games.question_fields import fields_of

    for name, operation in game.odds.items():
        click.echo(f"{click.style(name, bold=True)}  {operation.about}")
        for line in fields_of(operation):
            click.echo(f"    {line}")


def _draw(answer: dict[str, Any]) -> None:
    """Title, a bar a line with percent and fraction, notes."""
    from rich.cells import cell_len

    click.echo(click.style(answer["title"], bold=True))
    width = max((cell_len(bar["label"]) for bar in answer["bars"]), default=0)
    for bar in answer["bars"]:
        chance = Fraction(bar["chance"])
        label = bar["label"] + " " * (width - cell_len(bar["label"]))
        click.echo(f"  {label}  {show.bar(float(chance))}  {float(chance) * 100:5.1f} %  {bar['chance']}")
    for note in answer.get("notes", ()):
        click.echo(note)
