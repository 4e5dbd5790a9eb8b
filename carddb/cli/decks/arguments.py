"""Arguments and options of verbs about decks, and what they ask for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from carddb.app.decks.check import CheckRequest
from carddb.cli.options.arguments import DAY, check_options, pairs

DECK = click.Path(path_type=Path, allow_dash=True, readable=False)


def deck_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of every verb that checks a deck."""
    day = click.option("--on", "on", type=DAY, help="The day to judge by (default: today).")
    event = click.option("--event", type=DAY, help="Warn of what announced ban lists will forbid by this day.")
    game = click.option("--game", "game", metavar="G", help="The game, where the deck does not say.")
    return game(check_options(event(day(command))))


def check_request(options: dict[str, Any]) -> CheckRequest:
    """By what a deck is checked, from the options of a verb."""
    format_, pairs_ = options.pop("format_"), options.pop("options")
    return CheckRequest(format=format_, options=pairs(pairs_, "--option"), **options)
