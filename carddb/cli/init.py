"""A new project: a settings file, a cards file, one deck."""

from __future__ import annotations

from pathlib import Path

import click

from carddb.cli.samples import SAMPLE
from carddb.cli.session import Session, write
from carddb.errors import OutputError

_GAME = "empires-and-generals"
SETTINGS = """\
# Settings of this project; paths are taken from this folder.
game = "{key}"
catalog = "carddb.db"
"""


@click.command()
@click.argument("folder", default=".", type=click.Path(path_type=Path, file_okay=False), metavar="[DIR]")
@click.option("--bare", is_flag=True, help="Without the sample set: an empty cards file and no deck.")
@click.option("--game", "key", default=_GAME, show_default=True, metavar="G", help="The game.")
@click.pass_obj
def init(session: Session, folder: Path, bare: bool, key: str) -> int:
    """Begin a project: carddb.toml, cards.csv, a deck. Files that are there already are left alone."""
    from carddb.read.export import columns_of, write_cards

    game = session.game(key)
    files = {"carddb.toml": SETTINGS.format(key=key).encode()}
    if bare:
        columns = columns_of((), game.spec) or ["ref", "name", "type", "set"]
        files["cards.csv"] = (",".join(columns) + "\n").encode()
    else:
        cards = _samples(session, key)
        files["cards.csv"] = write_cards(cards, game.spec, "csv")
        if game.folder.decks:
            files["sample.deck"] = game.folder.decks[0].read_bytes()
    there = [name for name in files if (folder / name).exists()]
    if there:
        raise OutputError(
            f"{', '.join(there)} stand in {folder} already", "Choose another folder; nothing was written."
        )
    for name, data in files.items():
        write(folder / name, data)
        session.say(f"made {folder / name}")
    session.say(
        "Next: carddb load cards.csv --dry-run"
        + ("" if bare else ", carddb check sample.deck, carddb sheets sample.deck -o sheets.pdf")
    )
    return 0


def _samples(session: Session, key: str) -> list[tuple[str, dict[str, object]]]:
    """The sample cards for a first cards file: without their set, they become the project's own."""
    from carddb.read.table import read_cards

    game = session.game(key)
    if game.folder.cards_file is None:
        return []
    file = read_cards(game.folder.cards_file, game.spec, default_set=SAMPLE, images_root=game.folder.path)
    own = [(record.ref, dict(record.values)) for record in file.records]
    for _, values in own:
        del values["set"]
    return own
