"""The program: its verbs, its global options, and the one place where errors become sentences and exit codes."""

from __future__ import annotations

import importlib
import io
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from carddb.cli import show
from carddb.cli.arguments import games_option
from carddb.errors import CarddbError, InputError
from carddb.names import nearest

VERBS = {
    "demo": ("carddb.cli.demo", "demo"),
    "init": ("carddb.cli.init", "init"),
    "games": ("carddb.cli.games", "games"),
    "explain": ("carddb.cli.games", "explain"),
    "load": ("carddb.cli.catalogue", "load"),
    "export": ("carddb.cli.catalogue", "export"),
    "cards": ("carddb.cli.lookup", "cards"),
    "show": ("carddb.cli.lookup", "show"),
    "history": ("carddb.cli.lookup", "history"),
    "check": ("carddb.cli.check", "check"),
    "forecast": ("carddb.cli.check", "forecast"),
    "meta": ("carddb.cli.meta", "meta"),
    "decklist": ("carddb.cli.decklist", "decklist"),
    "decks": ("carddb.cli.decks", "decks"),
    "preflight": ("carddb.cli.proof", "preflight"),
    "sheets": ("carddb.cli.sheets", "sheets"),
    "components": ("carddb.cli.components", "components"),
    "guide": ("carddb.cli.guides", "guide"),
    "handbook": ("carddb.cli.handbook", "handbook"),
    "proof": ("carddb.cli.proof", "proof"),
    "printer": ("carddb.cli.printer", "printer"),
    "bans": ("carddb.cli.bans", "bans"),
    "judge": ("carddb.cli.referee", "judge"),
    "odds": ("carddb.cli.odds", "odds"),
    "simulate": ("carddb.cli.simulate", "simulate"),
    "solo": ("carddb.cli.solo.verbs", "solo"),
    "battle": ("carddb.cli.battle.verbs", "battle"),
    "event": ("carddb.cli.event", "event"),
    "serve": ("carddb.cli.serve", "serve"),
    "site": ("carddb.cli.serve", "site"),
    "rules": ("carddb.cli.rules", "rules"),
    "conform": ("carddb.cli.conform", "conform"),
    "doctor": ("carddb.cli.doctor", "doctor"),
}
"""Every verb with the module that holds it, in the order of the help; a module is imported when its verb is called."""

INTERRUPTED = 130
FAULTY = 3
"""The exit code of a fault of carddb's own: it could not do it."""
SHOW_CRASH = "CARDDB_SHOW_CRASH"
"""The environment variable with which a fault of carddb's own ends the program as Python has it, for tests."""


class Verbs(click.Group):
    """A group whose verbs are imported when they are needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in VERBS:
            return None
        module, name = VERBS[cmd_name]
        command: click.Command = getattr(importlib.import_module(module), name)
        return command

    def invoke(self, ctx: click.Context) -> Any:
        """Runs the verb. Click would take the end of a file for an interruption."""
        try:
            return super().invoke(ctx)
        except EOFError as fault:
            raise InputError("a file ends before it should", "Copy it again from where it came.") from fault

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in VERBS and not args[0].startswith("-"):
            near = nearest(args[0], VERBS)
            hint = f" Did you mean {near[0]}?" if near else f" Verbs: {', '.join(VERBS)}."
            ctx.fail(f"there is no verb {args[0]!r}.{hint}")
        return super().resolve_command(ctx, args)


def _version(ctx: click.Context, _param: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        from carddb.version import __version__

        show.echo(f"carddb {__version__}")
        ctx.exit()


@click.command(cls=Verbs, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option(
    "--catalog",
    type=click.Path(path_type=Path, readable=False),
    help="The catalogue, instead of carddb.db here or CARDDB_CATALOG.",
)
@games_option
@click.option("-q", "--quiet", is_flag=True, help="Only errors.")
@click.option("-v", "--verbose", is_flag=True, help="Say what is done, infos too.")
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Show the version.")
@click.pass_context
def carddb(
    ctx: click.Context, catalog: Path | None, game_folders: tuple[Path, ...], quiet: bool, verbose: bool
) -> None:
    """A card database and print-and-play generator that knows the rules of its games.

    Exit codes: 0 clean, 1 a finding of severity error, 2 misuse, 3 could not do it, 4 not checkable, 130 interrupted.
    """
    from carddb.cli.session import Session

    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        ctx.color = False
    ctx.obj = Session(catalog, game_folders, quiet, verbose)


def run(arguments: Sequence[str]) -> int:
    """Runs the program and gives its exit code; every error of the library ends here as a sentence."""
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
    except Exception as fault:  # the last resort: a fault of carddb's own, said in a sentence
        if os.environ.get(SHOW_CRASH):
            raise
        report_crash(arguments, fault)
        return FAULTY
    return result if isinstance(result, int) else 0


def report_crash(arguments: Sequence[str], fault: Exception) -> None:
    """Says on standard error what carddb could not do, and where to report it; how it came to it only with `-v`."""
    from carddb.app.crash_words import crash_words

    verb = next((argument for argument in arguments if argument in VERBS), "")
    error, remedy = crash_words(f"carddb {verb}".strip(), fault, "the command, its file and what `carddb -v` prints")
    show.echo(f"error: {error}\n{remedy}", err=True)
    if {"-v", "--verbose"}.intersection(arguments):
        import traceback

        show.echo("".join(traceback.format_exception(fault)), err=True, nl=False)
