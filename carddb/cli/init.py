"""A new project: a settings file, a cards file, one deck, and the ban lists of a game that has some."""

from __future__ import annotations

from pathlib import Path

import click

from carddb.app.new_project import new_project
from carddb.app.project import CATALOGUE
from carddb.cli.session import Session

_GAME = "empires-and-generals"


@click.command()
@click.argument("folder", default=".", type=click.Path(path_type=Path, file_okay=False), metavar="[DIR]")
@click.option("--bare", is_flag=True, help="Without the sample set: an empty cards file and no deck.")
@click.option("--game", "key", default=_GAME, show_default=True, metavar="G", help="The game.")
@click.pass_obj
def init(session: Session, folder: Path, bare: bool, key: str) -> int:
    """Begin a project: carddb.toml, cards.csv, a deck, ban lists where the game has some.

    Nothing that is there already is overwritten.
    """
    project = new_project(session.project, folder, key, bare)
    for path in project.files:
        session.say(f"made {path}")
    session.say(f"made {folder / CATALOGUE} with {project.cards} cards")
    session.say("Next: carddb load cards.csv --dry-run" + (", carddb check sample.deck" if project.has_deck else ""))
    return 0
