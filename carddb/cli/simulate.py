"""Whole games, played by the rules: simulate."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import click

from carddb.cli import show
from carddb.cli.fields import FREE, ask, fields, question_of, schema_of
from carddb.cli.session import Session
from carddb.errors import UsageError

if TYPE_CHECKING:
    from carddb.play.question import Operation


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
@click.pass_context
def simulate(ctx: click.Context, key: str, number: int, seed: int, json_: bool) -> int:
    """Play whole games by the rules: `carddb simulate guarda --games 10000 --players 2`.

    Reports lengths, what the first turn is worth, and win shares with 95 % intervals. Further --FIELD VALUE as in
    `carddb judge --list guarda.simulate`.
    """
    session: Session = ctx.obj
    game = session.game(key)
    if "simulate" not in game.operations:
        raise UsageError(f"{game.spec.name} cannot be played by itself", "The rules of guarda allow it.")
    operation, given = game.operations["simulate"], fields(ctx.args)
    first = ask(session, game, operation, {**given, "seed": str(seed)})
    question = question_of(operation, given)
    played = [first]
    with show.counted(f"{number} games", number, session.quiet) as step:
        step()
        for at in range(seed + 1, seed + number):
            played.append({**operation.ask(game.spec, {**question, "seed": at}), "log": None})
            step()
    report, setting = _report(played), _setting(operation, question)
    if json_:
        show.as_json({"schema": "carddb.simulate/1", "game": key, "seed": seed, "input": setting, **report})
    else:
        told = ", ".join(f"{name} {show.plain(value)}" for name, value in setting.items())
        click.echo(click.style(f"{game.spec.name}: {told}, seeds {seed} to {seed + number - 1}", bold=True))
        _tell(report)
    return 1 if report["violations"] else 0


def _setting(operation: Operation[Any], question: dict[str, Any]) -> dict[str, Any]:
    """The fields that the games were played with, those by default too."""
    known = {name: field.get("default") for name, field in schema_of(operation)["properties"].items()}
    setting = {**known, **question}
    return {name: value for name, value in setting.items() if value is not None and name not in ("seed", "log")}


def _report(played: list[dict[str, Any]]) -> dict[str, Any]:
    from carddb.play.statistics import quantile, share

    finished = [game for game in played if game["finished"]]
    lengths = sorted(game["turns"] for game in finished)
    wins = Counter(game["winner"] for game in finished if game["winner"] is not None)
    sides = sorted({side for game in played for side in game["sides"]})
    leads = sum(1 for game in finished if game["winner"] is not None and game["winner"] == game["first_side"])
    parts = {"shortest": 0.0, "quarter": 0.25, "median": 0.5, "three_quarters": 0.75, "most": 0.95, "longest": 1.0}
    return {
        "games": len(played),
        "finished": len(finished),
        "draws": sum(1 for game in finished if game["draw"]),
        "violations": sum(1 for game in played if game["violations"]),
        "lengths": {name: quantile(lengths, part) for name, part in parts.items()} if lengths else {},
        "first": _interval(share(leads, len(finished))),
        "even": 1 / len(sides) if sides else 0.0,
        "wins": {side: _interval(share(wins[side], len(finished))) for side in sides},
    }


def _interval(found: tuple[float, float, float]) -> dict[str, float]:
    return dict(zip(("share", "low", "high"), (round(part, 4) for part in found), strict=True))


def _tell(report: dict[str, Any]) -> None:
    unfinished = report["games"] - report["finished"]
    parts = [f"{report['games']} games", f"{report['draws']} draws"]
    parts += [f"{unfinished} not finished"] if unfinished else []
    parts += [f"{report['violations']} broke a rule"] if report["violations"] else []
    click.echo(", ".join(parts))
    if report["lengths"]:
        words = ", ".join(f"{name.replace('_', ' ')} {turns}" for name, turns in report["lengths"].items())
        click.echo(f"turns: {words} (most: 95 of 100 games are no longer)")
    rows = [("who begins", report["first"], report["even"])]
    rows += [(f"{side} wins", part, None) for side, part in report["wins"].items()]
    width = max(len(label) for label, _, _ in rows)
    for label, part, even in rows:
        beside = f"   an even share is {even * 100:.1f} %" if even is not None else ""
        share, low, high = (part[name] * 100 for name in ("share", "low", "high"))
        click.echo(
            f"  {label.ljust(width)}  {show.bar(part['share'])}  {share:5.1f} %  [{low:.1f} to {high:.1f}]{beside}"
        )
