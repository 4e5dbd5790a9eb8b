"""Odds of a deck by sampling: decks odds."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import click

from carddb.app.decks.check import CheckRequest
from carddb.app.decks.odds import DeckOdds, HandRequest, deck_odds
from carddb.cli import show
from carddb.cli.decks.check import DECK
from carddb.cli.options.arguments import declared_options, executor_options, executor_request
from carddb.cli.session import Session
from carddb.core.amounts import amount
from carddb.play.statistics import Interval

_SHORT = show.BAR // 2
"""The characters of a bar."""


@click.command()
@click.argument("deck", type=DECK)
@click.option(
    "--holds",
    multiple=True,
    required=True,
    metavar="CONDITION",
    help='What a hand is to hold, a number and a query: "2 type:event", "0-1 cost>4"; repeatable.',
)
@declared_options(HandRequest)
@declared_options(CheckRequest, ("game", "on"), {"on": "The day whose cards are meant (default: today)."})
@executor_options("deal")
@click.option("--json", "json_", is_flag=True, help="As JSON.")
@click.pass_obj
def odds(session: Session, /, deck: Path, game: str | None, on: date | None, json_: bool, **options: Any) -> int:
    """Deal hands of a deck, and count how often they hold what you ask for, each part and all of it together.

    `carddb decks odds my.deck --holds "2 type:officer" --holds "1 type:tactic" --draws 3`. Shares are by sampling, with
    95 % intervals; `decks stats` has the exact chances of one type of card alone.
    """
    executor = executor_request(options)
    result = deck_odds(session.project, deck, HandRequest(**options), game, on, executor)
    if json_:
        show.as_json(result.to_json())
        return 0
    show.findings(result.findings, err=True)
    _show(result)
    return 0


def _show(odds: DeckOdds) -> None:
    """A title, how hands are kept, and the shares at each stage."""
    deal, games = odds.deal, odds.tally.games
    show.echo(show.style(f"Hands of {deal.hand} from the {len(deal.cards)} cards of {odds.section}", bold=True))
    show.echo(f"{amount(games, 'game')}, seeds {odds.seed} to {odds.seed + games - 1}")
    if odds.keep and deal.redraws != 0:
        conditions = ", ".join(map(str, odds.keep))
        show.echo(f"kept with {conditions}; {odds.hands_a_game:.2f} hands are drawn on average")
    labels = [*map(str, odds.holds), *(["all of them"] if len(odds.holds) > 1 else [])]
    width = max(map(len, labels))
    for stage in odds.stages:
        title = f"After {amount(stage.draws, 'further card')}" if stage.draws else "Opening hand"
        show.echo(show.style(title, bold=True))
        for label, share in zip(labels, (*stage.held, stage.all), strict=False):
            show.echo(f"  {label.ljust(width)}  {_bar(share)}")


def _bar(interval: Interval) -> str:
    share, low, high = interval
    return f"{show.bar(share, _SHORT)}  {share * 100:5.1f} %  [{low * 100:.1f} to {high * 100:.1f}]"
