"""Whole games, played by the rules: simulate."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from carddb.app.referee.chances import simulate as play_games
from carddb.cli import show
from carddb.cli.options.executor import executor_options, executor_request, trust_option
from carddb.cli.referee.fields import FREE, fields
from carddb.cli.session import Session


@click.command(context_settings=FREE)
@click.argument("key", metavar="GAME")
@click.option(
    "--games",
    "number",
    type=click.IntRange(1, 10_000_000),
    default=1000,
    show_default=True,
    metavar="N",
    help="How many games.",
)
@click.option(
    "--seed", type=int, default=1, show_default=True, help="The first game's seed; the next game has the next."
)
@click.option("--json", "json_", is_flag=True, help="As JSON.")
@executor_options("play")
@trust_option
@click.pass_context
def simulate(ctx: click.Context, /, key: str, number: int, seed: int, json_: bool, **options: Any) -> int:
    """Play whole games by the rules: `carddb simulate guarda --games 10000 --players 2`.

    Reports lengths, what the first turn is worth, and win shares with 95 % intervals. Further --FIELD VALUE as in
    `carddb judge --list guarda.simulate`.
    """
    session: Session = ctx.obj
    simulation = play_games(session.project, key, number, seed, fields(ctx.args), executor_request(options))
    if json_:
        show.as_json(simulation.to_json())
    else:
        setting = ", ".join(f"{name} {show.plain(value)}" for name, value in simulation.question.items())
        title = f"{simulation.game.spec.name}: {setting}, seeds {seed} to {seed + number - 1}"
        show.echo(show.style(title, bold=True))
        _show(simulation.sums)
    return 1 if simulation.sums["violations"] else 0


def _show(report: Mapping[str, Any]) -> None:
    unfinished = report["games"] - report["finished"]
    parts = [f"{report['games']} games", f"{report['draws']} draws"]
    parts += [f"{unfinished} not finished"] if unfinished else []
    parts += [f"{report['violations']} broke a rule"] if report["violations"] else []
    show.echo(", ".join(parts))
    if report["lengths"]:
        words = ", ".join(f"{name.replace('_', ' ')} {turns}" for name, turns in report["lengths"].items())
        show.echo(f"turns: {words} (most: 95 of 100 games are no longer)")
    rows = [("who begins", report["first"], report["even"])]
    rows += [(f"{side} wins", part, None) for side, part in report["wins"].items()]
    width = max(len(label) for label, _, _ in rows)
    for label, part, even in rows:
        beside = f"   an even share is {even * 100:.1f} %" if even is not None else ""
        share, low, high = (part[name] * 100 for name in ("share", "low", "high"))
        show.echo(
            f"  {label.ljust(width)}  {show.bar(part['share'])}  {share:5.1f} %  [{low:.1f} to {high:.1f}]{beside}"
        )
