"""Work on deck files: decks convert, fix, fill, new, diff, stats, odds."""

from __future__ import annotations

import click

from carddb.cli.verb_table import VerbGroup, verbs

VERBS = {
    **verbs(
        "carddb.cli.decks.decklist",
        convert="Write a deck in another format, with every card that it has, and say what that format cannot hold.",
    ),
    **verbs(
        "carddb.cli.decks.help",
        diff="Show the cards that only one of two decks has, and those with other counts, by section.",
        fill="Add cards until a deck is legal; what it has stays as it is.",
        fix="Show the smallest change that makes a deck legal, and make it with --write.",
        new="Make a legal deck from nothing.",
    ),
    **verbs(
        "carddb.cli.decks.statistics",
        odds="Deal hands of a deck, and count how often they hold what you ask for, each part and all of it together.",
        stats="Show the numbers of a deck: by section, type and choice, curves as bars, exact odds of an opening hand.",
    ),
}


@click.group(cls=VerbGroup, verbs=dict(sorted(VERBS.items())))
def decks() -> None:
    """Work on deck files: bring them into another format, make them legal, compare and count them."""
