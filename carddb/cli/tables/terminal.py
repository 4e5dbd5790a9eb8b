"""A table on a terminal: how an action is typed, taken, saved and told."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

import click

from carddb.app.tables.file import TableFile
from carddb.app.tables.seat import YES, branches, is_many
from carddb.cli import show
from carddb.play.question import Refusal
from carddb.play.table.engine import Action, act
from carddb.play.table.front import WIDTH, Parameter
from carddb.play.table.session import TableSession

LISTED = 5
"""The most values that a usage line lists."""


FILE = click.Path(path_type=Path, readable=False)


def parameter_of(declared: Parameter) -> click.Parameter:
    """Returns a parameter of a verb as Click has it."""
    names, metavar = declared.names.split(), declared.metavar or None
    type_: Any = (
        FILE if declared.kind in ("file", "deck", "cards", "save") else int if declared.kind == "whole" else None
    )
    if not names[0].startswith("-"):
        return click.Argument(names, required=declared.required, nargs=declared.count, type=type_, metavar=metavar)
    if declared.kind == "flag":
        return click.Option(names, is_flag=True, help=declared.help)
    return click.Option(
        names, required=declared.required, multiple=declared.count < 0, metavar=metavar, help=declared.help,
        type=click.Choice(declared.choices) if declared.choices else type_,
    )  # fmt: skip


def parameters(action: Action[Any, Any]) -> list[click.Parameter]:
    """Returns the parameters of an action: the needed values and one more in their order, the rest as options.

    The last one may be many.
    """
    schema = action.form.model_json_schema()
    needed = schema.get("required", ())
    options: list[click.Parameter] = []
    open_, closed = True, False
    for name, field in schema.get("properties", {}).items():
        many, option = is_many(field), f"--{name.replace('_', '-')}"
        if (open_ or (many and not closed)) and not _is_flag(field):
            number = -1 if many else 1
            word = _metavar(name, field)
            shown = word if name in needed else f"[{word}]"
            options.append(click.Argument([name], required=name in needed, nargs=number, metavar=shown))
            open_ = name in needed and not many
            closed = many
        elif _is_flag(field):
            options.append(click.Option([f"{option}/--no-{name.replace('_', '-')}"], default=None))
        else:
            options.append(click.Option([option], multiple=many, metavar=_metavar(name, field)))
    return options


def help_of(action: Action[Any, Any], further: Sequence[str]) -> str:
    """Returns an action's help: what it does, the values that its usage line lacks, and lines of the game's own."""
    fields = action.form.model_json_schema().get("properties", {})
    listed = {name: part["enum"] for name, field in fields.items() for part in branches(field) if "enum" in part}
    long = [
        f"{name.upper()} is one of: {', '.join(values)}." for name, values in listed.items() if len(values) > LISTED
    ]
    return "\n\n".join([action.about, *long, *(["\n".join(["\b", *further])] if further else [])])


def _is_flag(field: dict[str, Any]) -> bool:
    return any(part.get("type") == "boolean" for part in branches(field))


def _metavar(name: str, field: dict[str, Any]) -> str:
    part = branches(field)[0]
    if "enum" in part and len(part["enum"]) <= LISTED:
        return "|".join(map(str, part["enum"]))
    return "NAME=VALUE..." if part.get("type") == "object" else name.upper() + ("..." if is_many(field) else "")


class ActionCommand(click.Command):
    """The command of an action; what it takes may be typed as `name=value` too."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, [word for arg in args for word in self._as_typed(arg)])

    def _as_typed(self, arg: str) -> list[str]:
        """Returns a word as the command line has it: `name=value` as an option, or as the value of one argument."""
        name, equals, value = arg.partition("=")
        param = next((param for param in self.params if param.name == name and param.nargs == 1), None)
        if not equals or param is None:
            return [arg]
        if not isinstance(param, click.Option):
            return [value]
        if param.is_flag:
            return [(param.opts if value.casefold() in YES else param.secondary_opts)[0]]
        return [param.opts[0], value]


def typed(command: click.Command, ctx: click.Context) -> list[str]:
    """Returns what may be typed after an action's name at the table, in order; in brackets what may be left out."""
    options = [param for param in command.params if isinstance(param, click.Option)]
    usages = [f"[{one.name}={'yes' if one.is_flag else one.metavar}]" for one in options]
    return [*(part for part in command.collect_usage_pieces(ctx) if part != "[OPTIONS]"), *usages]


S = TypeVar("S", bound="TableSession[Any]")


@dataclass(frozen=True)
class Terminal(Generic[S]):
    """A file with a session, and how it is shown.

    `quiet` shows no table after an action; with `open` what is to be typed unseen is shown too.
    """

    file: TableFile[S]
    quiet: bool = False
    open: bool = False

    def take(self, action: Action[S, Any], words: dict[str, Any]) -> int:
        """Takes an action, saves it and tells it; a refusal changes nothing and is exit 1."""
        try:
            with self.file.locked():
                before = self.file.load()
                session = act(self.file.table, before, action.name, self.file.front.fields(before, words))
                self.file.save(session)
        except Refusal as refusal:
            return self.refused(refusal)
        self.say(session.message)
        if not self.quiet:
            self.show(session)
        return 0

    def say(self, text: str, err: bool = False, indent: str = "") -> None:
        """Prints a text, each line broken at the front's width, with the indent from its second part on."""
        width = self.file.front.width or (WIDTH if sys.stdin.isatty() else 0)
        lines = text.split("\n")
        if width:
            lines = [textwrap.fill(line, width, subsequent_indent=indent, break_on_hyphens=False) for line in lines]
        show.echo("\n".join(lines), err=err)

    def refused(self, refusal: Refusal) -> int:
        """Says why an action is refused, and what may be done instead."""
        self.say(f"refused, {self.file.reason(refusal)}", err=True)
        if now := refusal.details.get("now"):
            self.say(f"Now: {now}", err=True)
        return 1

    def show(self, session: S) -> None:
        """Prints the table."""
        show.echo(self.file.front.screen(session))
