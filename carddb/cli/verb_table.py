"""Groups of commands from a table; a module is imported only when its command is called, not for the group's help."""

from __future__ import annotations

import importlib
import re
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

VerbTable = Mapping[str, tuple[str, str, str]]
"""Commands in the order of the help, as `{command: (module, name in the module, help text)}`.

The name is that of a command, or of a function that returns the command for a verb. Without a help text, it is the
first paragraph of the command's docstring.
"""


def verbs(module: str, *names: str) -> VerbTable:
    """Returns the entries for the commands in one module of `carddb.cli`, with `check-in` for the name `check_in`.

    A `_` at the end of a name, which keeps it apart from a built-in function, is left out.
    """
    return {name.removesuffix("_").replace("_", "-"): (f"carddb.cli.{module}", name, "") for name in names}


def command_at(module: str, name: str, verb: Any) -> click.Command:
    """Imports a module, and returns its command `name`; a function of that name is called with `verb` to make it."""
    found = getattr(importlib.import_module(module), name)
    command: click.Command = found if isinstance(found, click.Command) else found(verb)
    return command


def help_in(module: str, name: str) -> str:
    """Returns the first paragraph of a function's docstring, read from the source, because an import takes longer."""
    spec = find_spec(module)
    assert spec and spec.origin
    source = Path(spec.origin).read_text("utf-8")
    match = re.search(rf'^def {name}\(.*?"""(.+?)(?:"""|\n\n)', source, re.MULTILINE | re.DOTALL)
    assert match
    return match[1]


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
        stubs = {
            verb: click.Command(verb, help=words or help_in(module, name))
            for verb, (module, name, words) in self._verbs.items()
        }
        with formatter.section("Commands"):
            formatter.write_dl([(verb, command.get_short_help_str(room)) for verb, command in stubs.items()])


BAN_VERBS = {
    **verbs("bans.announce", "announce", "lint", "log"),
    **verbs("bans.show", "diff", "show", "why"),
    **verbs("bans.publish", "publish"),
}


@click.group(cls=VerbGroup, verbs=dict(sorted(BAN_VERBS.items())))
def bans() -> None:
    """Ban lists: what they say on a day, why, and every announcement that made them so."""


DECK_VERBS = {
    **verbs("decks.decklist", "convert"),
    **verbs("decks.help", "diff", "fill", "fix", "new"),
    **verbs("decks.statistics", "odds", "stats"),
}


@click.group(cls=VerbGroup, verbs=dict(sorted(DECK_VERBS.items())))
def decks() -> None:
    """Work on deck files: bring them into another format, make them legal, compare and count them."""


EVENT_VERBS = {
    **verbs(
        "events",
        *("change", "forget", "links", "lock", "open_", "player", "submit", "unlock", "export", "list_", "note", "new"),
        *("print_", "recheck", "show_"),
    ),
    **verbs(
        "event_rounds",
        *("bye", "check_in", "cut", "drop", "field", "log", "pair", "pairings", "result", "standings", "table"),
        *("timer", "undo"),
    ),
}


@click.group(cls=VerbGroup, verbs=dict(sorted(EVENT_VERBS.items())))
def event() -> None:
    """Tournaments: players, their deck lists in every version, verdicts, lists on paper.

    They stand in events.db beside the catalogue. `carddb serve` has the same at /events, and for a club's evening
    `carddb serve --event KEY --host ADDRESS`.
    """
