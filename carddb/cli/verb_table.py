"""Groups of commands from a table; a module is imported only when its command is called, not for the group's help."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

import click

VerbTable = Mapping[str, tuple[str, str, str]]
"""Commands in the order of the help, as `{command: (module, name in the module, help text)}`.

The name is that of a command, or of a function that returns the command for a verb.
"""


def verbs(module: str, **words: str) -> dict[str, tuple[str, str, str]]:
    """Returns the entries for the commands in one module; a trailing `_` of a name is removed to form the verb."""
    return {name.removesuffix("_"): (module, name, text) for name, text in words.items()}


def command_at(module: str, name: str, verb: Any) -> click.Command:
    """Imports a module, and returns its command `name`; a function of that name is called with `verb` to make it."""
    found = getattr(importlib.import_module(module), name)
    command: click.Command = found if isinstance(found, click.Command) else found(verb)
    return command


class VerbGroup(click.Group):
    """A group of the commands in a VerbTable."""

    def __init__(self, *arguments: Any, verbs: VerbTable, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._verbs = verbs

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self._verbs)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self._verbs:
            return None
        module, name, _ = self._verbs[cmd_name]
        return command_at(module, name, cmd_name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        room = formatter.width - 6 - max(map(len, self._verbs))
        stubs = {verb: click.Command(verb, help=words) for verb, (_, _, words) in self._verbs.items()}
        with formatter.section("Commands"):
            formatter.write_dl([(verb, command.get_short_help_str(room)) for verb, command in stubs.items()])


BAN_VERBS = {
    **verbs(
        "carddb.cli.bans.announce",
        announce="Add announcements to the log: all of a file, or, if it has faults, none.",
        lint="Check the whole log, or a file before it is loaded: notice, levels, order, unknown cards, idle waivers.",
        log=(
            "List every announcement, in the order in which they were made; or write the log to a file that can be "
            "loaded."
        ),
    ),
    **verbs(
        "carddb.cli.bans.show",
        diff="Show what changed on a list from one day to another.",
        show="Show a list on a day, with announced changes.",
        why="Show which announcement restricts a card, or several cards together, since when, and why.",
    ),
    **verbs(
        "carddb.cli.bans.publish",
        publish=(
            "Publish ban lists: web pages, a notice, a sheet and cards to print, JSON, a feed, and text for Discord."
        ),
    ),
}


@click.group(cls=VerbGroup, verbs=dict(sorted(BAN_VERBS.items())))
def bans() -> None:
    """Ban lists: what they say on a day, why, and every announcement that made them so."""


DECK_VERBS = {
    **verbs(
        "carddb.cli.decks.decklist",
        convert="Write a deck in another format, with every card that it has, and say what that format cannot hold.",
    ),
    **verbs(
        "carddb.cli.decks.help",
        diff="Show the cards that only one of two decks has, and those with other counts, by section.",
        fill="Add cards until a deck is legal; its own cards stay.",
        fix="Show the smallest change that makes a deck legal, and make it with --write.",
        new="Make a legal deck from nothing.",
    ),
    **verbs(
        "carddb.cli.decks.statistics",
        odds="Deal sample hands of a deck, and count how often they meet each condition, and all conditions together.",
        stats="Show the numbers of a deck: by section, type and choice, curves as bars, exact odds of an opening hand.",
    ),
}


@click.group(cls=VerbGroup, verbs=dict(sorted(DECK_VERBS.items())))
def decks() -> None:
    """Work on deck files: bring them into another format, make them legal, compare and count them."""


EVENT_VERBS = {
    **verbs(
        "carddb.cli.events",
        change="Move the deadline, close registration, show the opened lists, or change how rounds are played.",
        forget="Remove a person with every version of the deck list; nothing of it is left in the file.",
        links="Make links for players by name, for new players or as new links for known ones.",
        lock="Lock every deck list, or one: its player cannot replace it.",
        open_="Mark deck lists of these players as open, as for a cut; `event change --open-lists` shows them to all.",
        player=(
            "Show the deck list of one player: the verdict with every finding, its versions with their differences, "
            "notes."
        ),
        submit=(
            "Hand in deck lists as the organiser: files, or folders of them. Each becomes the next version of its "
            "player's."
        ),
        unlock="Unlock every deck list until the deadline, or one even after it.",
        export="Write an event with every version of every deck list.",
        list_="List the events, the latest day first.",
        note="Write a note on a player, send them a message, give a penalty, or take one of these back.",
        new="Make an event with its name, day, format and deadline for decks.",
        print_="Write all deck lists, or the failing ones, as one PDF; the QR code of each holds its fingerprint.",
        recheck="Check every deck list again, as after an announcement, and say whose verdict has changed.",
        show_="Show the table: player, deck, verdict, first reason, fingerprint, since when.",
    ),
    **verbs(
        "carddb.cli.event_rounds",
        bye="Give a player a bye in the next round.",
        cut="End the Swiss: the best players go on by elimination, the first seed against the last.",
        drop="Leave a player out of the rounds to come; the results so far stay.",
        field="Show what the field plays: archetypes, cards, pairs, as `carddb meta` does of a folder of decks.",
        log="Show every change of the rounds, the latest first, with the number by which `event undo` takes it back.",
        pair="Pair the next round, and say why each pair was made. The first of a day checks every deck again.",
        pairings="Show the present round: tables, players, results and disputes; or print it.",
        result=(
            "Enter or correct the result of a table, as 2-1 with the first player's games first; say what it changes."
        ),
        standings="Show the standings: points and tie-breaks, in JSON with their sums, and prizes.",
        table="Give a player a table of the player's own, from the next pairing on; 0 for any table.",
        timer="Start the clock of the present round, with the event's minutes or others; 0 stops it.",
        undo="Take back the last change of the rounds, or one by its number; it stays in the log.",
    ),
    "check-in": (
        "carddb.cli.event_rounds",
        "check_in",
        "Check players in, also after the first round; a name that is not known yet is registered.",
    ),
}


@click.group(cls=VerbGroup, verbs=dict(sorted(EVENT_VERBS.items())))
def event() -> None:
    """Tournaments: players, their deck lists in every version, verdicts, lists on paper.

    They stand in events.db beside the catalogue. `carddb serve` has the same at /events, and for a club's evening
    `carddb serve --event KEY --host ADDRESS`.
    """
