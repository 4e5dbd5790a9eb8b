"""The program: its commands, its global options, and the place where errors become messages and exit codes."""

from __future__ import annotations

import io
import os
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from carddb.app.workspace.workspace import crash_words
from carddb.cli import show
from carddb.cli.options import games_option
from carddb.cli.session import Session
from carddb.cli.verb_table import VerbGroup, VerbTable, command_at, verbs
from carddb.core.errors import CarddbError, InputError
from carddb.core.names import nearest
from carddb.core.version import __version__
from carddb.games import folders

VERBS: VerbTable = {
    **verbs(
        "carddb.cli.games.demo",
        demo=(
            "Do the main job on sample data: load, check a legal and an illegal deck, print sheets, cards, lists and "
            "rules."
        ),
    ),
    **verbs(
        "carddb.cli.games.init",
        init="Begin a project: carddb.toml, cards.csv, a deck, and ban lists if the game has some.",
    ),
    **verbs(
        "carddb.cli.games.games",
        games=(
            "List the games, or what one can do: its cards, decks, lists, components, rules, and each of them by name."
        ),
        explain="Explain a finding's code or a rule: cause, fix, example, and the rule's text.",
        ask="Find the rules that answer a question in your own words, best first.",
    ),
    **verbs(
        "carddb.cli.cards.load",
        load=(
            "Load cards from CSV, TSV, XLSX, ODS, JSON or YAML, and ban lists from a bans.yaml: all of a file or "
            "nothing."
        ),
    ),
    **verbs(
        "carddb.cli.cards.lookup",
        export="Write cards to a file; loading an untouched export changes nothing.",
        cards="Search the catalogue: `carddb cards 'type:soldier strength>=6 -rarity:rare'`.",
        show="Show one card with all its fields.",
        history="Show who changed what of a card, when, from which file, in force from which day.",
    ),
    **verbs(
        "carddb.cli.decks.check",
        check="Check a deck: every finding at once, with line, rule and the smallest fix.",
        forecast=(
            "Show when, by which announcement or rotation, a deck stops being legal, and when it is legal again."
        ),
    ),
    **verbs(
        "carddb.cli.decks.meta",
        meta="Summarise many decks: cards by share, pairs, archetypes, faults and their smallest fixes.",
    ),
    **verbs(
        "carddb.cli.decks.decklist",
        decklist=(
            "Write the validated deck list: verdict, findings, tick boxes, fingerprint; for a folder of decks, one PDF."
        ),
    ),
    **verbs(
        "carddb.cli.verb_table",
        decks="Work on deck files: bring them into another format, make them legal, compare and count them.",
    ),
    **verbs("carddb.cli.printing.proof", preflight="Find what is wrong with faces before they are printed."),
    **verbs(
        "carddb.cli.printing.sheets",
        sheets=(
            "Print sheets of a deck, of cards by reference, or of a query: fronts and backs, or pictures of each card."
        ),
    ),
    **verbs(
        "carddb.cli.printing.changes",
        changes=(
            "Show what changed: cards, words, ban lists, rules, and what to print again; as release notes, page, feed, "
            "errata."
        ),
        watch="Show what changed in a card file whenever you save it, until you press Ctrl+C; nothing is loaded.",
    ),
    **verbs(
        "carddb.cli.printing.components",
        components=(
            "Print reference cards, tracks, mats, counters and sheets to write on: all of a game's, or those named."
        ),
    ),
    **verbs(
        "carddb.cli.printing.box",
        box=(
            "Print a box for a deck, or for all cards of a game or query: its net with its faces, to cut out, fold and "
            "glue."
        ),
    ),
    **verbs(
        "carddb.cli.printing.table",
        table=(
            "Lay a whole game on an online table, decks on their zones and components beside them, or draw its plan."
        ),
    ),
    **verbs(
        "carddb.cli.documents",
        guide="Write the rule sheet of a game: every rule that people need, to read or to look up by its id.",
        credits_="Write the credits of a game's pictures, artist, source and licence, and warn of those that lack one.",
        handbook="Write this manual: as PDF with contents and index, or as web pages into a folder.",
    ),
    **verbs(
        "carddb.cli.printing.proof",
        proof="Draw one face, by its reference, with its trim and safe lines; or a hand of cards, with --fan.",
    ),
    **verbs(
        "carddb.cli.printing.printer",
        printer="Bring fronts and backs together: a page to be read against a lamp, and the printer's correction.",
    ),
    **verbs(
        "carddb.cli.verb_table",
        bans="Ban lists: what they say on a day, why, and every announcement that made them so.",
    ),
    **verbs(
        "carddb.cli.referee",
        judge="Ask the referee: `carddb judge eg.resolve_attack question.json` prints the answer.",
        odds='Show exact chances: `carddb odds rishar --off "Spearmen" --def "Soldier"`.',
        simulate="Play whole games by the rules: `carddb simulate guarda --games 10000 --players 2`.",
    ),
    **{
        verb: ("carddb.cli.tables.group", "bundled_table", words)
        for verb, words in filter(None, (folder.table_verb for folder in folders().values()))
    },
    **verbs(
        "carddb.cli.verb_table",
        event="Tournaments: players, their deck lists in every version, verdicts, lists on paper.",
    ),
    **verbs(
        "carddb.cli.serve",
        serve="Open carddb in the browser: check decks, look at cards, print, ask the referee, play.",
        site="Write a game as a web site without a server: gallery, card pages, decks, PDFs, rule sheets, ban lists.",
    ),
    **verbs(
        "carddb.cli.games.conform",
        rules="Look at the rules of a game as a whole.",
        conform="Check all games, or those named: files, cards, faces, components, codes, bans.",
        doctor="Examine the installation, the project, its games, catalogue, printers and cache; say what to do.",
    ),
    **verbs(
        "carddb.cli.ci",
        ci=(
            "Check and print a game after every change: conform, faces, decks, sheets, changes; report.md and "
            "junit.xml."
        ),
    ),
    **verbs(
        "carddb.cli.restore",
        restore="Put a copy of the catalogue, or of events.db, back in the place of the file.",
    ),
}

INTERRUPTED = 130
FAULTY = 3
"""The exit code if carddb itself could not do something."""
SHOW_CRASH = "CARDDB_SHOW_CRASH"
"""The environment variable with which an internal error ends the program with Python's traceback, for tests."""


class Program(VerbGroup):
    """The commands of carddb and of the tables of external games; for a mistyped one, the nearest is suggested."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if command := super().get_command(ctx, cmd_name):
            return command
        project = Session(ctx.params.get("catalog"), ctx.params.get("game_folders", ()), True, False).project
        own = (folder for folder in project.folders.values() if not folder.bundled and folder.table_verb)
        folder = next((each for each in own if each.table_verb and each.table_verb[0] == cmd_name), None)
        if folder is None or not folder.trusted:
            return None
        return command_at("carddb.cli.tables.group", "table_of", project.game(folder.key))

    def invoke(self, ctx: click.Context) -> Any:
        """Runs the command. An EOFError is converted, because Click would report it as an interruption."""
        try:
            return super().invoke(ctx)
        except EOFError as fault:
            raise InputError("a file is incomplete", "Copy it again from its source.") from fault

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            near = nearest(args[0], VERBS)
            hint = f" Did you mean {near[0]}?" if near else f" Verbs: {', '.join(VERBS)}."
            ctx.fail(f"there is no verb {args[0]!r}.{hint}")
        return super().resolve_command(ctx, args)


def _version(ctx: click.Context, _param: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        show.echo(f"carddb {__version__}")
        ctx.exit()


@click.command(
    cls=Program, verbs=VERBS, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.option(
    "--catalog",
    type=click.Path(path_type=Path, readable=False),
    help="The catalogue, instead of carddb.db here or CARDDB_CATALOG.",
)
@games_option
@click.option("-q", "--quiet", is_flag=True, help="Show only errors.")
@click.option("-v", "--verbose", is_flag=True, help="Also show small remarks on the work.")
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
    """Runs the program, and returns its exit code; every error of the library is printed here as a sentence."""
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
    """Prints what carddb could not do and where to report it on standard error; with `-v` also the traceback."""
    verb = next((argument for argument in arguments if argument in VERBS), "")
    error, remedy = crash_words(f"carddb {verb}".strip(), fault, "the command, its file and what `carddb -v` prints")
    show.echo(f"error: {error}\n{remedy}", err=True)
    if {"-v", "--verbose"}.intersection(arguments):
        show.echo("".join(traceback.format_exception(fault)), err=True, nl=False)
