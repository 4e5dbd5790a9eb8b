"""Arguments and options of verbs about decks, and what they ask for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from carddb.app.decks.check import CheckRequest
from carddb.cli.options.arguments import declared_options, taken

DECK = click.Path(path_type=Path, allow_dash=True, readable=False)


BY = ("format", "editions", "options")
"""By what a deck is checked besides its game and the day."""
deck_options = declared_options(CheckRequest, ("game", *BY, "event", "on"))
"""The options of every verb that checks a deck."""


def check_request(options: dict[str, Any]) -> CheckRequest:
    """By what a deck is checked, from the options of a verb."""
    return CheckRequest(**taken(CheckRequest, options))
