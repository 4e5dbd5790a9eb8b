"""The commands `init`, which begins a project, and `demo`, which shows the main job on bundled data."""

from __future__ import annotations

from pathlib import Path

import click

from carddb.app.games.demonstration import GAME, demonstrate
from carddb.app.games.new_project import first_game, new_game_project, new_project
from carddb.app.workspace.workspace import CATALOGUE
from carddb.cli import show
from carddb.cli.options import game_option, games_option, verb
from carddb.cli.session import Session
from carddb.core.errors import UsageError
from carddb.core.plain_text import amount
from carddb.findings import Severity


@verb()
@click.argument("folder", default=".", type=click.Path(path_type=Path, file_okay=False), metavar="[DIR]")
@click.option("--bare", is_flag=True, help="No sample set: only an empty cards file, and no deck.")
@game_option(f"The game (default: that of --games, or else {GAME}).")
@click.option("--new-game", "new_key", metavar="KEY", help="Begin a game of your own, in the folder DIR/KEY.")
@click.option("--like", metavar="G", help="With --new-game: start from a copy of this game.")
@games_option
def init(
    session: Session,
    folder: Path,
    bare: bool,
    key: str | None,
    new_key: str | None,
    like: str | None,
    game_folders: tuple[Path, ...],
) -> None:
    """Begin a project: carddb.toml, cards.csv, a deck, and ban lists if the game has some.

    With --new-game, the project has its own game, which works at once and can be extended. Games that --games names are
    entered in carddb.toml. Existing files are not overwritten.
    """
    session.project.game_folders += game_folders
    if new_key and (bare or key):
        message = "--bare and --game cannot be combined with --new-game"
        raise UsageError(message, "Leave --bare and --game out; --like names a game to copy.")
    if like and not new_key:
        raise UsageError("--like only works with --new-game", "Add --new-game KEY, the key of your own game.")
    if new_key:
        project = new_game_project(session.project, folder, new_key, like)
    else:
        project = new_project(session.project, folder, key or first_game(session.project) or GAME, bare)
    for path in project.files:
        session.say(f"made {path}")
    session.say(f"made {folder / CATALOGUE} with {amount(project.cards)}")
    session.say("Next:")
    for command in ([] if folder == Path() else [f"cd {folder}"]) + list(project.commands):
        session.say(f"  {command}")


@verb()
@click.option(
    "--output", default=Path("output"), type=click.Path(path_type=Path, file_okay=False), show_default=True,
    metavar="DIR", help="The folder for the files.",
)  # fmt: skip
def demo(session: Session, output: Path) -> None:
    """Do the main job on sample data: load, check a legal and an illegal deck, print sheets, cards, lists and rules."""
    reports, products = demonstrate(session.project, output)
    for path, report in reports.items():
        show.echo(show.style(f"\ncarddb check {path}", bold=True))
        show.findings(report.findings, least=Severity.INFO if session.verbose else Severity.WARNING)
        show.echo(report.sentence)
    show.echo("")
    show.table(("file", "what it is", "how to use or print it"), products)
