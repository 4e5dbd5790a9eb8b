"""Arguments and options that several commands share: days, queries, readings, and processes."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from datetime import date, datetime
from pathlib import Path
from typing import Any, TypedDict, TypeVar

import click

from carddb.bans.log import YEARS
from carddb.core.executors import ExecutorRequest
from carddb.core.options import HouseReadings, Option, declared, pairs
from carddb.core.plain_text import read_tag

Verb = TypeVar("Verb", bound=Callable[..., Any] | click.Command)
FILE = click.Path(path_type=Path, allow_dash=True, readable=False)
"""A file, or `-` for standard input or output."""
PATH = click.Path(path_type=Path, readable=False)


def verb(
    name: str | None = None, cls: type[click.Command] = click.Command
) -> Callable[[Callable[..., int | None]], click.Command]:
    """Returns a decorator that makes a command of a function whose first argument is the session.

    The docstring of the function is the help text. The function returns the exit code, or None for 0.
    """

    def make(work: Callable[..., int | None]) -> click.Command:
        return click.command(name, cls=cls)(click.pass_obj(work))

    return make


json_option = click.option("--json", "json_", is_flag=True, help="As JSON.")


class ReadType(click.ParamType[Any]):
    """A Click type for values that the function `read` parses. A ValueError of that function is reported as misuse."""

    def __init__(self, read: Callable[[str], Any], name: str = "text") -> None:
        self.name = name
        self._read = read

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        try:
            return self._read(value) if isinstance(value, str) else value
        except ValueError as fault:
            self.fail(f"{fault}.", param, ctx)


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ValueError(f"{text!r} is not a day; write it as 2026-06-20") from None


def _moment(text: str) -> date | datetime:
    """Returns a day, or a moment such as 2026-06-20T12:00:00Z; without a time zone, it is in that of the ban list."""
    with suppress(ValueError):
        moment = date.fromisoformat(text) if len(text) == len("2026-06-20") else datetime.fromisoformat(text)
        if moment.year in YEARS:
            return moment
    raise ValueError(f"{text!r} is not a day or a moment; write 2026-06-20 or 2026-06-20T12:00:00Z")


DAY = ReadType(_day, "day")
known_option = click.option(
    "--known-at",
    "moment",
    type=ReadType(_moment, "moment"),
    metavar="MOMENT",
    help="Count only announcements up to this moment, or up to the end of this day (default: all).",
)


def lang_option(help_: str) -> Callable[[Verb], Verb]:
    """Returns a decorator that adds the option `--lang`, a language tag such as `ja`."""
    return click.option("--lang", default="", type=ReadType(read_tag), help=help_)


def game_option(help_: str = "The game.") -> Callable[[Verb], Verb]:
    """Returns a decorator that adds the option `--game`, the key of a game."""
    return click.option("--game", "key", metavar="G", help=help_)


LANG = lang_option("The language, as in ja (default: the game's).")
REF_GAME = game_option("The game, if several have the reference.")
QUERY_GAME = game_option("The game of a query or reference.")
CARDS_DAY = click.option("--on", "day", type=DAY, help="The cards as of this day (default: today).")
paper_option = click.option("--paper", default="letter", show_default=True, help="letter, a4, ...")


_HELD = "\0"
"""A prefix for terms that begin with a minus, so that Click does not read them as options."""
_COMPARES = re.compile(r"-[A-Za-z_]\w+\s*(?:[:=<>]|!=)")
_EXCLUDES = re.compile(r"-(?:[(\"]|[^-\W]\w{2,}$)")


class QueryCommand(click.Command):
    """A command whose arguments may be terms of a query, also terms that begin with a minus."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        options = [parameter for parameter in self.params if isinstance(parameter, click.Option)]
        short = {name for option in options for name in option.opts if len(name) == 2}
        valued = {name for option in options if not (option.is_flag or option.count) for name in option.opts}
        held = []
        for before, arg in zip(["", *args], args, strict=False):
            excludes = _COMPARES.match(arg) or (_EXCLUDES.match(arg) and arg[:2] not in short)
            held.append(_HELD + arg if excludes and before not in valued else arg)
        return super().parse_args(ctx, held)


def words(_ctx: click.Context, _param: click.Parameter, value: tuple[str, ...]) -> tuple[str, ...]:
    """Returns the words of a query or selection as the user typed them, without the prefix that hid them from Click."""
    return tuple(word.removeprefix(_HELD) for word in value)


games_option = click.option(
    "--games",
    "game_folders",
    multiple=True,
    type=PATH,
    metavar="DIR",
    help="The folder of another game, or of several; it allows their rules.py to run.",
)


def query_argument(name: str = "query", required: bool = False) -> Callable[[Verb], Verb]:
    """Returns a decorator that adds the argument whose words form a query or a selection."""
    return click.argument(name, nargs=-1, required=required, callback=words)


def declared_options(
    kind: type, names: Collection[str] = (), helps: Mapping[str, str] | None = None
) -> Callable[[Verb], Verb]:
    """Returns a decorator that adds options that the TypedDict or dataclass `kind` declares: all, or those in `names`.

    `helps` are help texts that replace the declared ones, by option.
    """

    def add(command: Verb) -> Verb:
        options = declared(kind)
        for name in reversed(list(names or options)):
            command = _as_click(options[name], (helps or {}).get(name, options[name].help))(command)
        return command

    return add


def _as_click(option: Option, help_: str) -> Callable[[Verb], Verb]:
    settings: dict[str, Any] = {"help": help_, "metavar": option.metavar or None}
    if option.type is bool:
        settings |= {"is_flag": True, "default": None if "/" in option.dashed else False}
    elif option.type is Mapping or option.is_list:
        settings["multiple"] = True
    if option.read and option.type is not Path:
        settings["type"] = ReadType(option.read)
    elif option.choices:
        settings["type"] = click.Choice(option.choices)
    elif option.type is int and (option.least, option.most) != (None, None):
        settings["type"] = click.IntRange(option.least, option.most)
    elif option.type is float:
        settings["type"] = click.FloatRange(option.least, option.most, min_open=True)
    elif option.type is Path:
        folder = option.is_folder
        readable = option.exists or folder
        settings["type"] = click.Path(
            path_type=Path, exists=option.exists, dir_okay=folder, file_okay=not folder, readable=readable
        )
    elif option.type in (int, date):
        settings["type"] = DAY if option.type is date else int
    if option.by_project:
        settings["show_default"] = option.default
    elif option.default is not None:
        settings |= {"default": option.default, "show_default": option.default != ""}
    return click.option(option.dashed, option.name, **settings)


def taken(kind: type, options: dict[str, Any]) -> dict[str, Any]:
    """Removes from `options` the options that `kind` declares, and returns them by name.

    The texts `NAME=VALUE` of an option that is a mapping become that mapping. Raises UsageError for a text without `=`.
    """
    return {
        name: pairs(options.pop(name), option.dashed) if option.type is Mapping else options.pop(name)
        for name, option in declared(kind).items()
        if name in options
    }


def executor_options(work: str, trust: bool = False) -> Callable[[Verb], Verb]:
    """Returns a decorator that adds the options for processes; only with `trust` that for rules run on a cluster."""
    names = [name for name in declared(ExecutorRequest) if trust or name != "trust"]
    jobs = f"Number of processes that {work} (default: one for each core, at most 4)."
    return declared_options(ExecutorRequest, names, {"processes": jobs})


def executor_request(options: dict[str, Any]) -> ExecutorRequest:
    """Removes the options for processes from `options`, and returns them. Raises UsageError if they conflict."""
    request = ExecutorRequest(**taken(ExecutorRequest, options))
    request.check()
    return request


class _Readings(TypedDict):
    options: HouseReadings


reading_option = declared_options(_Readings)
