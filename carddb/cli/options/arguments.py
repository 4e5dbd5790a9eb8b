"""Arguments and options of several verbs: days, queries (`-rarity:rare` excludes and is no option), languages."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any, TypeVar

import click

from carddb.core.errors import UsageError
from carddb.core.languages import language_tag


class DayType(click.ParamType[date]):
    """A day written as 2026-06-20."""

    name = "day"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> date:
        if isinstance(value, date):
            return value
        try:
            return date.fromisoformat(value)
        except ValueError:
            self.fail(f"{value!r} is not a day; write it as 2026-06-20.", param, ctx)


DAY = DayType()


Verb = TypeVar("Verb", bound=Callable[..., Any] | click.Command)

_HELD = "\0"
"""Put before such a term while Click looks at the arguments."""
_COMPARES = re.compile(r"-[A-Za-z_]\w+\s*(?:[:=<>]|!=)")
_EXCLUDES = re.compile(r"-(?:[(\"]|[^-\W]\w{2,}$)")


class QueryCommand(click.Command):
    """A command whose words may be terms of a query that begin with a minus."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        options = [parameter for parameter in self.params if isinstance(parameter, click.Option)]
        short = {name for option in options for name in option.opts if len(name) == 2}
        valued = {name for option in options if not (option.is_flag or option.count) for name in option.opts}
        held = (
            _HELD + arg if before not in valued and _excludes(arg, short) else arg
            for before, arg in zip(["", *args], args, strict=False)
        )  # fmt: skip
        return super().parse_args(ctx, list(held))


def _excludes(arg: str, short: set[str]) -> bool:
    return bool(_COMPARES.match(arg) or (_EXCLUDES.match(arg) and arg[:2] not in short))


def words(_ctx: click.Context, _param: click.Parameter, value: tuple[str, ...]) -> tuple[str, ...]:
    """The words of a query or selection as they were typed."""
    return tuple(word.removeprefix(_HELD) for word in value)


def tag(_ctx: click.Context, _param: click.Parameter, value: str) -> str:
    """The tag of a language as it is usually written; no text stays none."""
    if value and not language_tag(value):
        raise click.BadParameter(f"{value!r} is no tag of a language, such as ja or pt-BR.")
    return language_tag(value)


LANG = click.option("--lang", default="", callback=tag, help="The language, as in ja (default: the game's).")

games_option = click.option(
    "--games",
    "game_folders",
    multiple=True,
    type=click.Path(path_type=Path, readable=False),
    metavar="DIR",
    help="A further game, or a folder of games; its rules.py may run.",
)


def query_argument(name: str = "query", required: bool = False) -> Callable[[Verb], Verb]:
    """Words that are put together to a query, or a selection."""
    return click.argument(name, nargs=-1, required=required, callback=words)


def pairs(texts: tuple[str, ...], option: str) -> dict[str, str]:
    """The values of an option that is written `NAME=VALUE`. Raises UsageError for one without a value."""
    values = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise UsageError(f"{option} {text!r} has no value", f"Write {option} name=value.")
        values[name.strip()] = value.strip()
    return values


reading_option = click.option(
    "--option", "options", multiple=True, metavar="K=V", help="A house reading; see `carddb games`."
)


def check_options(command: Verb) -> Verb:
    """By what a deck is checked besides the day."""
    for option in (
        reading_option,
        click.option(
            "--edition", "editions", multiple=True, metavar="NAME", help="An edition that the table has chosen."
        ),
        click.option(
            "--format", "format_", metavar="KEY", help="A format of the game, or a file with one of your own."
        ),
    ):
        command = option(command)
    return command
