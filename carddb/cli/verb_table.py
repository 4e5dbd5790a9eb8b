"""Groups of verbs by a table: a module is imported when its verb is called, and none for the help of a group."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

import click

VerbTable = Mapping[str, tuple[str, str, str]]
"""Verbs in the order of the help: the module that holds each, its name there, and what the help says of it.

The name is that of a command, or of a function that makes one for the verb."""


def verbs(module: str, **words: str) -> dict[str, tuple[str, str, str]]:
    """Returns the part of a table for one module, which names each verb as itself, or with a _ behind it."""
    return {name.removesuffix("_"): (module, name, text) for name, text in words.items()}


def command_at(module: str, name: str, verb: Any) -> click.Command:
    """Returns the command of a module, which is imported now; a function makes one for the verb."""
    found = getattr(importlib.import_module(module), name)
    command: click.Command = found if isinstance(found, click.Command) else found(verb)
    return command


class VerbGroup(click.Group):
    """A group of the verbs of a table."""

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
