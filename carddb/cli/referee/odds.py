"""Exact chances: odds."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import click
from rich.cells import cell_len

from carddb.app.referee.chances import odds as exact_odds
from carddb.app.referee.chances import odds_kinds
from carddb.cli import show
from carddb.cli.referee.fields import FREE, fields
from carddb.cli.session import Session
from carddb.games import Game
from carddb.games.schemas.question_fields import fields_of


@click.command(context_settings=FREE)
@click.argument("key", metavar="GAME")
@click.argument("kind", required=False)
@click.option("--json", "json_", is_flag=True, help="As JSON, with exact fractions.")
@click.pass_context
def odds(ctx: click.Context, key: str, kind: str | None, json_: bool) -> int:
    """Show exact chances: `carddb odds rishar --off "Spearmen" --def "Soldier"`.

    Each kind of chance has fields of its own, given as --FIELD VALUE; without fields they are listed. What hands of a
    deck hold: `carddb decks odds`.
    """
    session: Session = ctx.obj
    game = session.project.game(key)
    is_field = bool(kind and kind.startswith("-"))
    name, values = (None, fields([str(kind), *ctx.args])) if is_field else (kind, fields(ctx.args))
    odds_kinds(game)
    if not values and not name:
        _explain(game)
        return 0
    answer = exact_odds(session.project, game, name, values)
    if json_:
        show.as_json({"schema": "carddb.odds/1", **answer})
    else:
        _draw(answer)
    return 0


def _explain(game: Game) -> None:
    for name, operation in game.odds.items():
        show.echo(f"{show.style(name, bold=True)}  {operation.about}")
        for line in fields_of(operation):
            show.echo(f"    {line}")


def _draw(answer: dict[str, Any]) -> None:
    """Title, a bar a line with percent and fraction, notes."""
    show.echo(show.style(answer["title"], bold=True))
    width = max((cell_len(bar["label"]) for bar in answer["bars"]), default=0)
    for bar in answer["bars"]:
        chance = Fraction(bar["chance"])
        label = bar["label"] + " " * (width - cell_len(bar["label"]))
        show.echo(f"  {label}  {show.bar(float(chance))}  {float(chance) * 100:5.1f} %  {bar['chance']}")
    for note in answer.get("notes", ()):
        show.echo(note)
