"""Ban lists: show, diff, why, announce, lint, log, publish."""

from __future__ import annotations

import click

from carddb.cli.verb_table import VerbGroup, verbs

VERBS = {
    **verbs(
        "carddb.cli.bans.announce",
        announce="Add announcements to the log: all of a file, or nothing of it with every fault at once.",
        lint="Test the whole log, or a file before it is loaded: windows, levels, order, unknown cards, idle waivers.",
        log=(
            "List every announcement, in the order in which they were made; or write the log to a file that can be "
            "loaded."
        ),
    ),
    **verbs(
        "carddb.cli.bans.show",
        diff="Show what changed on a list from one day to another.",
        show="Show a list as it stands on a day, with what is to come.",
        why="Say what holds a card back, or several together: by which announcement, since when, and why.",
    ),
    **verbs(
        "carddb.cli.bans.publish",
        publish=(
            "Publish ban lists: web pages, a notice, a sheet and cards to print, JSON, a feed, and text for Discord."
        ),
    ),
}


@click.group(cls=VerbGroup, verbs=dict(sorted(VERBS.items())))
def bans() -> None:
    """Ban lists: what they say on a day, why, and every announcement that made them so."""
