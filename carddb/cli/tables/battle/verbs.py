"""A Battle of Rishar: battle A.deck B.deck, then its table, its actions and its report."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, TypeAlias

import click

from carddb.app.tables.battle.beginning import BattleRequest, battle_file, begin
from carddb.app.tables.battle.report import COLUMNS, rows, sheet_pages, sheets_of, table_file
from carddb.cli import show
from carddb.cli.options.arguments import pairs, reading_option
from carddb.cli.printing.paper import paper_of, paper_options
from carddb.cli.session import Session
from carddb.cli.tables.battle.front import FRONT, with_armies
from carddb.cli.tables.group import TableGroup, table
from carddb.cli.tables.terminal import WIDTH, Terminal
from carddb.core.errors import UsageError
from carddb.findings import exit_code
from carddb.games.rishar.play.fields import Army
from carddb.games.rishar.session import Session as BattleSession
from carddb.games.rishar.session import record
from carddb.games.rishar.session.view import hand as cards_of

Battle: TypeAlias = Terminal[BattleSession]

_FILE = click.Path(path_type=Path, readable=False)

_LEAST_TEXT = 12
"""The letters that the hand shows at least of the text of a card."""


class BattleGroup(TableGroup):
    """The verbs of a Battle; anything else that stands first are the decks of a new one."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return super().get_command(ctx, "new" if _is_deck(cmd_name) else cmd_name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and _is_deck(args[0]):
            return "new", self.get_command(ctx, "new"), args
        return super().resolve_command(ctx, args)


def _is_deck(word: str) -> bool:
    return word == "-" or "/" in word or bool(Path(word).suffix) or Path(word).is_file()


@click.group(cls=BattleGroup, front=FRONT, subcommand_metavar="A.deck B.deck | COMMAND [ARGS]...")
@click.option(
    "--session", "path", type=_FILE, default=Path("battle.json"), show_default=True, help="The file of the Battle."
)
@click.option("--open", "open_", is_flag=True, help="Show what is typed at Offense and Defense too.")
@click.pass_context
def battle(ctx: click.Context, path: Path, open_: bool) -> None:
    """Fight a Battle of Rishar at the table, with armies from deck files.

    `carddb battle A.deck B.deck` begins it and sits down at the table: type cards as `soldier` or `2 spear`, Enter for
    the usual thing, `?` for what may be done. `carddb battle table` goes on with it, `carddb battle report` writes the
    campaign sheets. The file holds the hands of both, so do not look into it.
    """
    session: Session = ctx.obj
    ctx.obj = Terminal(battle_file(session.project, path), FRONT, session.quiet, open_)


@battle.command()
@click.argument("decks", nargs=2, type=_FILE, metavar="A.deck B.deck")
@click.option("--session", "path", type=_FILE, help="The file of the Battle (default: battle.json).")
@click.option("--seed", type=int, help="The seed of dice and lots (default: by chance).")
@click.option("--first", type=click.Choice(["a", "b"]), help="Who has the first turn (default: by lot, R-41).")
@click.option("--after", type=_FILE, metavar="FILE", help="The Battle before: Morale and losses are carried over.")
@click.option("--new-day", is_flag=True, help="The Battle before was on another Day.")
@click.option("--refresh", is_flag=True, help="Own Morale is back at its start (R-45).")
@click.option("--open", "open_", is_flag=True, help="Show what is typed at Offense and Defense too.")
@click.option("--force", is_flag=True, help="Write over a Battle that is there already.")
@reading_option
@click.pass_context
def new(
    ctx: click.Context,
    decks: tuple[Path, Path],
    path: Path | None,
    seed: int | None,
    first: Army | None,
    after: Path | None,
    new_day: bool,
    refresh: bool,
    open_: bool,
    force: bool,
    options: tuple[str, ...],
) -> int:
    """Begin a Battle between the armies of two decks, and sit down at the table."""
    terminal: Battle = ctx.obj
    file = terminal.file if path is None else battle_file(terminal.file.project, path)
    ctx.obj = Terminal(file, FRONT, terminal.quiet, open_ or terminal.open)
    request = BattleRequest(seed, first, pairs(options, "--option"), after, new_day, refresh, force)
    session = begin(file, decks, request)
    terminal.say(f"{file.path}: {session.name('a')} against {session.name('b')}. {session.message}".strip())
    assert ctx.parent is not None
    ctx.parent.obj = ctx.obj
    with table.make_context("table", [], parent=ctx.parent) as inner:
        return int(table.invoke(inner))


@battle.command()
@click.argument("army", metavar="a|b")
@click.pass_obj
def hand(terminal: Battle, army: str) -> int:
    """Show the hand of one army, for its Commander's eyes alone; on a terminal Enter takes it off again."""
    session = terminal.file.load()
    key = with_armies(session, {"army": army})["army"]
    if key not in session.table.names:
        raise UsageError(f"there is no army {army!r}", "Say a or b.")
    cards = cards_of(session, key)
    rows = [
        (
            card["name"],
            "-" if card["strength"] is None else str(card["strength"] + card["trained"]),
            card["role"],
            card["path"].capitalize(),
            ", ".join(card["traits"]).capitalize(),
        )
        for card in cards
    ]
    head = ("card", "S", "role", "path", "traits")
    room = WIDTH - sum(max(map(len, column)) + 2 for column in zip(head, *rows, strict=True))
    texts = [show.one_line(" ".join(card["texts"]), max(room, _LEAST_TEXT)) for card in cards]
    show.table((*head, "text"), [(*row, text) for row, text in zip(rows, texts, strict=True)])
    if sys.stdin.isatty() and sys.stdout.isatty():
        click.prompt("[Enter hides the hand]", default="", show_default=False, prompt_suffix=" > ")
        click.clear()
    return 0


@battle.command("record")
@click.pass_obj
def record_(terminal: Battle) -> int:
    """Show the Battle as the question that `carddb judge rishar.replay` answers with the same Battle."""
    show.as_json(record(terminal.file.load()))
    return 0


@battle.command()
@click.argument("files", nargs=-1, type=_FILE, metavar="[BATTLE.json]...")
@click.option("-o", "--output", type=_FILE, metavar="FILE", help="A PDF, XLSX or CSV (default: shown here).")
@paper_options
@click.pass_obj
def report(terminal: Battle, /, files: tuple[Path, ...], output: Path | None, **paper: Any) -> int:
    """Write the campaign sheet of each Commander: Battles, Upkeep due, the Killed, what is left.

    Without files it is that of the running session; several are the Battles of one Day, in their order.
    """
    project = terminal.file.project
    sheets = sheets_of(project, files or (terminal.file.path,))
    if output is None:
        show.table(COLUMNS, rows(sheets))
        return 0
    if output.suffix.lower() != ".pdf":
        project.write(output, table_file(sheets, output.suffix.lower().removeprefix(".")))
        return 0
    printed = sheet_pages(project, sheets, paper_of(paper))
    show.findings(printed.findings, err=True)
    printed.write(output)
    return exit_code(printed.findings)
