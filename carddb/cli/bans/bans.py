"""Ban lists: show, diff, why, announce, lint, log, publish."""

from __future__ import annotations

import click

from carddb.cli.verb_table import VerbGroup

VERBS = {
    "announce": (
        "carddb.cli.bans.announce",
        "announce",
        "Add announcements to the log: all of a file, or nothing of it with every fault at once.",
    ),
    "diff": (
        "carddb.cli.bans.show",
        "diff",
        "Show what changed on a list from one day to another.",
    ),
    "lint": (
        "carddb.cli.bans.announce",
        "lint",
        "Test the whole log, or a file before it is loaded: windows, levels, order, unknown cards, idle waivers.",
    ),
    "log": (
        "carddb.cli.bans.announce",
        "log",
        "List every announcement, in the order in which they were made; or write the log to a file that can be loaded.",
    ),
    "publish": (
        "carddb.cli.bans.publish",
        "publish",
        "Publish ban lists: web pages, a notice, a sheet and cards to print, JSON, a feed, and text for Discord.",
    ),
    "show": (
        "carddb.cli.bans.show",
        "show",
        "Show a list as it stands on a day, with what is to come.",
    ),
    "why": (
        "carddb.cli.bans.show",
        "why",
        "Say what holds a card back, or several together: by which announcement, since when, and why.",
    ),
}


@click.group(cls=VerbGroup, verbs=VERBS)
def bans() -> None:
    """Ban lists: what they say on a day, why, and every announcement that made them so."""
