"""The words of a command line for an action at a table, made from what the action wants to be told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from carddb.deck.options import json_or_text
from carddb.errors import UsageError

if TYPE_CHECKING:
    from carddb.play.table.action import Action

LISTED = 5
"""The most values that a usage line lists."""


def parameters(action: Action[Any, Any]) -> list[click.Parameter]:
    """What an action wants to be told: the needed values and one more in their order, the rest as options.

    The last one may be many.
    """
    schema = action.form.model_json_schema()
    needed = schema.get("required", ())
    options: list[click.Parameter] = []
    open_, closed = True, False
    for name, field in schema.get("properties", {}).items():
        many, option = _is_many(field), f"--{name.replace('_', '-')}"
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
    """What an action does, the values that its usage line does not list, and further lines of the game's own."""
    fields = action.form.model_json_schema().get("properties", {})
    listed = {name: part["enum"] for name, field in fields.items() for part in _branches(field) if "enum" in part}
    long = [
        f"{name.upper()} is one of: {', '.join(values)}." for name, values in listed.items() if len(values) > LISTED
    ]
    return "\n\n".join([action.about, *long, *(["\n".join(["\b", *further])] if further else [])])


def _branches(field: dict[str, Any]) -> list[dict[str, Any]]:
    return [part for part in field.get("anyOf", [field]) if part.get("type") != "null"]


def _is_many(field: dict[str, Any]) -> bool:
    """A list, or values by name (`CP=7`)."""
    return any(part.get("type") in ("array", "object") for part in _branches(field))


def _is_flag(field: dict[str, Any]) -> bool:
    return any(part.get("type") == "boolean" for part in _branches(field))


def _metavar(name: str, field: dict[str, Any]) -> str:
    part = _branches(field)[0]
    if "enum" in part and len(part["enum"]) <= LISTED:
        return "|".join(map(str, part["enum"]))
    return "NAME=VALUE..." if part.get("type") == "object" else name.upper() + ("..." if _is_many(field) else "")


def input_of(action: Action[Any, Any], words: dict[str, Any]) -> dict[str, Any]:
    """The words of a command line as the action wants them; what was not said is left out."""
    fields = action.form.model_json_schema().get("properties", {})
    out: dict[str, Any] = {}
    for name, word in words.items():
        if word is None or word == ():
            continue
        parts = _branches(fields[name])
        if any(part.get("type") == "object" for part in parts):
            out[name] = dict(pair(text) for text in word)
        elif _is_many(fields[name]):
            numbers = any(part.get("items", {}).get("type") == "integer" for part in parts)
            out[name] = [_number(item) if numbers else item for item in word]
        elif any(part.get("type") == "integer" for part in parts):
            out[name] = _number(word)
        else:
            out[name] = word
    return out


def _number(word: Any) -> Any:
    return int(word) if str(word).lstrip("-").isdecimal() else word


class ActionCommand(click.Command):
    """The command of an action; what it takes may be typed as `name=value` too."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, [word for arg in args for word in self._as_typed(arg)])

    def _as_typed(self, arg: str) -> list[str]:
        """A word as the command line has it: `name=value` as an option, or as the value of a single argument."""
        name, equals, value = arg.partition("=")
        param = next((param for param in self.params if param.name == name and param.nargs == 1), None)
        if not equals or param is None:
            return [arg]
        if not isinstance(param, click.Option):
            return [value]
        if param.is_flag:
            return [(param.opts if value.casefold() in _YES else param.secondary_opts)[0]]
        return [param.opts[0], value]


def typed(command: click.Command, ctx: click.Context) -> list[str]:
    """What may be typed after the name of an action at the table, in order; in brackets what may be left out."""
    options = [param for param in command.params if isinstance(param, click.Option)]
    usages = [f"[{one.name}={'yes' if one.is_flag else one.metavar}]" for one in options]
    return [*(part for part in command.collect_usage_pieces(ctx) if part != "[OPTIONS]"), *usages]


_YES = ("yes", "true", "1")


def pair(text: str) -> tuple[str, Any]:
    """`NAME=VALUE` as the name and the value, which is JSON where it parses. Raises UsageError for anything else."""
    name, equals, value = text.partition("=")
    if not equals:
        raise UsageError(f"{text!r} is no NAME=VALUE", "Write it as CP=7.")
    return name, json_or_text(value)
