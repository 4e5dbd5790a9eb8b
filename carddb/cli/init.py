"""A new project: a settings file, a cards file, one deck, and the ban lists of a game that has some."""

from __future__ import annotations

from pathlib import Path

import click

from carddb.cli.clock import now, today
from carddb.cli.session import Session, user
from carddb.errors import OutputError

_GAME = "empires-and-generals"
CATALOGUE = "carddb.db"
BANS = "bans.yaml"
SETTINGS = """\
# Settings of this project; paths are taken from this folder.
game = "{key}"
catalog = "{catalogue}"
"""


@click.command()
@click.argument("folder", default=".", type=click.Path(path_type=Path, file_okay=False), metavar="[DIR]")
@click.option("--bare", is_flag=True, help="Without the sample set: an empty cards file and no deck.")
@click.option("--game", "key", default=_GAME, show_default=True, metavar="G", help="The game.")
@click.pass_obj
def init(session: Session, folder: Path, bare: bool, key: str) -> int:
    """Begin a project: carddb.toml, cards.csv, a deck, ban lists where the game has some.

    Nothing that is there already is overwritten.
    """
    from carddb.read.export import write_cards

    game = session.game(key)
    files = {"carddb.toml": SETTINGS.format(key=key, catalogue=CATALOGUE).encode()}
    if bare:
        columns = ["ref", "name", "type", *game.spec.all_fields()]
        columns = [name for name in dict.fromkeys(columns) if name != "set"]
        files["cards.csv"] = (",".join(columns) + "\n").encode()
    else:
        cards = _samples(session, key)
        files["cards.csv"] = write_cards(cards, game.spec, "csv")
        if game.folder.decks:
            files["sample.deck"] = game.folder.decks[0].read_bytes()
        if game.folder.bans_file:
            files[BANS] = game.folder.bans_file.read_bytes()
    there = [name for name in (*files, CATALOGUE) if (folder / name).exists()]
    if there:
        raise OutputError(
            f"{', '.join(there)} stand in {folder} already", "Choose another folder; nothing was written."
        )
    for name, data in files.items():
        session.write(folder / name, data)
        session.say(f"made {folder / name}")
    _catalogue(session, folder, key)
    deck = "sample.deck" in files
    session.say("Next: carddb load cards.csv --dry-run" + (", carddb check sample.deck" if deck else ""))
    return 0


def _catalogue(session: Session, folder: Path, key: str) -> None:
    """The project's own catalogue, with what its files hold and no samples."""
    from carddb.catalog.store import Catalog
    from carddb.cli.announced import put
    from carddb.read.bans import read_bans
    from carddb.read.card_file import read_cards

    game = session.game(key)
    path = folder / "cards.csv"
    file = read_cards(path, game.spec, default_set=path.stem, images_root=folder)
    with Catalog.create(folder / CATALOGUE) as catalog:
        catalog.load(
            game.spec,
            file.records,
            day=today(),
            sets=frozenset({path.stem}),
            author=user(),
            source=path.name,
            recorded_at=now(),
        )
        if (folder / BANS).is_file():
            put(catalog, game, read_bans(folder / BANS), BANS, user())
    session.say(f"made {folder / CATALOGUE} with {len(file.records)} cards")


def _samples(session: Session, key: str) -> list[tuple[str, dict[str, object]]]:
    """The sample cards for a first cards file: without their set, they become the project's own."""
    file = session.game(key).own_file
    own = [(record.ref, dict(record.values)) for record in (file.records if file else ())]
    for _, values in own:
        del values["set"]
    return own
