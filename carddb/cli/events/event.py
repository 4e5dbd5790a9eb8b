"""Tournaments without a browser: what is done with events, their players, and who may do it."""

from __future__ import annotations

import click

from carddb.cli.verb_table import VerbGroup, verbs

VERBS = {
    **verbs(
        "carddb.cli.events.players",
        change="Move the deadline, close registration, or show the opened lists.",
        forget="Remove a person with every version of the deck list, so that nothing of it is left in the file.",
        links="Make links for players by name: new players, or another link for one that there is.",
        lock="Lock every deck list, or one: its player cannot replace it.",
        open_=(
            "Open the deck lists of these players to all players, as for a cut; `event change --open-lists` shows them."
        ),
        player=(
            "Show the deck list of one player: the verdict with every finding, and its versions with their differences."
        ),
        submit=(
            "Hand in deck lists as the organiser: files, or folders of them. Each becomes the next version of its "
            "player's."
        ),
        unlock="Unlock every deck list until the deadline, or one even after it.",
    ),
    **verbs(
        "carddb.cli.events.whole",
        export="Write an event with every version of every deck list.",
        list_="List the events, the latest day first.",
        new="Make an event: its name, its day, its format, and until when decks are taken.",
        print_="Write all deck lists, or the failing ones, as one PDF; the QR code of each holds its fingerprint.",
        recheck="Check every deck list again, as after an announcement, and say whose verdict has changed.",
        show_="Show the table: player, deck, verdict, first reason, fingerprint, since when.",
    ),
}


@click.group(cls=VerbGroup, verbs=dict(sorted(VERBS.items())))
def event() -> None:
    """Tournaments: players, their deck lists in every version, verdicts, lists on paper.

    They stand in events.db beside the catalogue. `carddb serve` has the same at /events, and for a club's evening
    `carddb serve --event KEY --host ADDRESS`.
    """
