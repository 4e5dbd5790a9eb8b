"""The program: its commands, its global options, and the conversion of errors to messages and exit codes.

The module of a command is imported only when the command is called, not for the help of its group.
"""

from __future__ import annotations

import importlib
import io
import os
import re
import sys
import traceback
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

from carddb.app.workspace.workspace import crash_words
from carddb.cli import show
from carddb.cli.options import PATH, games_option
from carddb.cli.session import Session
from carddb.core.errors import CarddbError, InputError
from carddb.core.names import did_you_mean
from carddb.core.version import __version__
from carddb.games import folders

VerbTable = Mapping[str, tuple[str, str, str]]
"""Commands in the order of the help, as `{command: (module, name in the module, help text)}`.

In the module, the name is that of a Click command, or of a function that returns one if called with the command's name.
If the help text is empty, the first paragraph of the command's docstring replaces it.
"""


def verbs(module: str, *names: str) -> VerbTable:
    """Returns the entries for the functions called `names` in one module of `carddb.cli`.

    The command of `check_in` is `check-in`. A `_` at the end, which avoids the name of a built-in function, is left
    out.
    """
    return {name.removesuffix("_").replace("_", "-"): (f"carddb.cli.{module}", name, "") for name in names}


def command_at(module: str, name: str, verb: Any) -> click.Command:
    """Imports a module, and returns its command `name`; a function of that name is called with `verb` to make it."""
    member = getattr(importlib.import_module(module), name)
    command: click.Command = member if isinstance(member, click.Command) else member(verb)
    return command


def help_in(module: str, name: str) -> str:
    """Returns the first paragraph of a function's docstring. It reads the source, because an import takes longer."""
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
    **verbs("bans", "announce", "diff", "lint", "log", "show", "why"),
    **verbs("documents", "publish"),
}


@click.group(cls=VerbGroup, verbs=dict(sorted(BAN_VERBS.items())))
def bans() -> None:
    """Show, announce and publish ban lists: the cards on them on a day, the reasons, and the log of announcements."""


DECK_VERBS = verbs("decks.help", "convert", "diff", "fill", "fix", "new", "odds", "stats")


@click.group(cls=VerbGroup, verbs=DECK_VERBS)
def decks() -> None:
    """Work on deck files: convert them to another format, make them legal, compare them, show their statistics."""


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
    """Run tournaments: players, all versions of their deck lists, verdicts, rounds, papers to print.

    Tournaments are stored in events.db beside the catalogue. In the browser, `carddb serve` has them at /events; for an
    evening with players, use `carddb serve --event KEY --host ADDRESS`.
    """


VERBS: VerbTable = {
    **verbs("games.projects", "demo", "init"),
    **verbs("games.games", "games", "explain", "ask"),
    **verbs("cards.load", "load"),
    **verbs("cards.lookup", "export", "cards", "show", "history"),
    **verbs("decks.check", "check", "forecast"),
    **verbs("decks.meta", "meta"),
    **verbs("decks.help", "decklist"),
    **verbs("main", "decks"),
    **verbs("printing.proof", "preflight"),
    **verbs("printing.sheets", "sheets"),
    **verbs("printing.changes", "changes", "watch"),
    **verbs("printing.components", "components", "box"),
    **verbs("printing.table", "table"),
    **verbs("documents", "guide", "credits_", "handbook"),
    **verbs("printing.proof", "proof"),
    **verbs("printing.printer", "printer"),
    **verbs("main", "bans"),
    **verbs("referee", "judge", "odds", "simulate"),
    **{
        verb: ("carddb.cli.tables", "bundled_table", words)
        for verb, words in filter(None, (folder.table_verb for folder in folders().values()))
    },
    **verbs("main", "event"),
    **verbs("serve", "serve", "site"),
    **verbs("games.conform", "rules", "conform", "doctor", "ci", "restore"),
}

INTERRUPTED = 130
FAULTY = 3
"""The exit code if carddb itself could not do something."""
SHOW_CRASH = "CARDDB_SHOW_CRASH"
"""An environment variable for tests: if it is set, an internal error ends the program with Python's traceback."""


class Program(VerbGroup):
    """The commands of carddb, and of the tables of external games. It suggests the nearest for a mistyped command."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if command := super().get_command(ctx, cmd_name):
            return command
        project = Session(ctx.params.get("catalog"), ctx.params.get("game_folders", ()), True, False).project
        own = (folder for folder in project.folders.values() if not folder.bundled and folder.table_verb)
        folder = next((each for each in own if each.table_verb and each.table_verb[0] == cmd_name), None)
        if folder is None or not folder.trusted:
            return None
        return command_at("carddb.cli.tables", "table_of", project.game(folder.key))

    def invoke(self, ctx: click.Context) -> Any:
        """Runs the command. Raises InputError instead of EOFError, which Click would report as an interruption."""
        try:
            return super().invoke(ctx)
        except EOFError as fault:
            raise InputError("a file ends too early", "Copy the file again from its source.") from fault

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            hint = did_you_mean(args[0], VERBS, f"Commands: {', '.join(VERBS)}.")
            ctx.fail(f"there is no command {args[0]!r}. {hint}")
        return super().resolve_command(ctx, args)


def _version(ctx: click.Context, _param: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        show.echo(f"carddb {__version__}")
        ctx.exit()


@click.command(
    cls=Program, verbs=VERBS, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.option("--catalog", type=PATH, help="The catalogue file (default: CARDDB_CATALOG, or the project's).")
@games_option
@click.option("-q", "--quiet", is_flag=True, help="Show only errors.")
@click.option("-v", "--verbose", is_flag=True, help="Also show minor remarks.")
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Show the version.")
@click.pass_context
def carddb(
    ctx: click.Context, catalog: Path | None, game_folders: tuple[Path, ...], quiet: bool, verbose: bool
) -> None:
    """A card database and print-and-play generator that knows the rules of its games.

    Exit codes: 0 clean, 1 a finding of severity error, 2 misuse, 3 could not do it, 4 not checkable, 130 interrupted.
    """
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        ctx.color = False
    ctx.obj = Session(catalog, game_folders, quiet, verbose)


def run(arguments: Sequence[str]) -> int:
    """Runs the program, and returns its exit code. Every error of the library is printed here as a sentence."""
    try:
        result = carddb.main(list(arguments), prog_name="carddb", standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as error:
        message = io.StringIO()
        error.show(message)
        show.echo(message.getvalue(), err=True, nl=False)
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        show.echo("interrupted", err=True)
        return INTERRUPTED
    except CarddbError as error:
        show.findings(error.findings, err=True)
        show.echo(f"error: {error}", err=True)
        return error.exit_code
    except Exception as fault:  # the last resort: an internal error becomes a sentence
        if os.environ.get(SHOW_CRASH):
            raise
        report_crash(arguments, fault)
        return FAULTY
    return result if isinstance(result, int) else 0


def report_crash(arguments: Sequence[str], fault: Exception) -> None:
    """Prints on standard error that an internal error occurred and how to report it; with `-v`, also the traceback."""
    verb = next((argument for argument in arguments if argument in VERBS), "")
    error, remedy = crash_words(f"carddb {verb}".strip(), fault, "the command, its file and what `carddb -v` prints")
    show.echo(f"error: {error}\n{remedy}", err=True)
    if {"-v", "--verbose"}.intersection(arguments):
        show.echo("".join(traceback.format_exception(fault)), err=True, nl=False)
