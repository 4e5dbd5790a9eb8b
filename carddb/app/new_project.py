"""A new project: a settings file, a cards file, one deck, ban lists where the game has some, a catalogue."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from carddb.app.announcements import put
from carddb.app.clock import now, today
from carddb.app.project import CATALOGUE
from carddb.app.words import user
from carddb.cards import SAMPLE
from carddb.errors import OutputError

if TYPE_CHECKING:
    from carddb.app.project import Project
    from carddb.games import Game

BANS = "bans.yaml"
DECK = "sample.deck"
SETTINGS = """\
# Settings of this project; paths are taken from this folder.
game = "{key}"
catalog = "{catalogue}"
"""


class NewProject(NamedTuple):
    """What was made: files in their order, and the number of cards in the catalogue."""

    files: tuple[Path, ...]
    cards: int

    @property
    def has_deck(self) -> bool:
        return any(path.name == DECK for path in self.files)


def new_project(project: Project, folder: Path, key: str, bare: bool) -> NewProject:
    """Makes the files of a project for a game. Raises OutputError where one of them is there already."""
    game = project.game(key)
    files = {"carddb.toml": SETTINGS.format(key=key, catalogue=CATALOGUE).encode(), "cards.csv": _cards(game, bare)}
    if not bare:
        if game.folder.decks:
            files[DECK] = _deck(game).read_bytes()
        if game.folder.bans_file:
            files[BANS] = game.folder.bans_file.read_bytes()
    existing = [name for name in (*files, CATALOGUE) if (folder / name).exists()]
    if existing:
        raise OutputError(
            f"{', '.join(existing)} stand in {folder} already", "Choose another folder; nothing was written."
        )
    for name, data in files.items():
        project.write(folder / name, data)
    return NewProject(tuple(folder / name for name in files), _catalogue(game, folder))


def _deck(game: Game) -> Path:
    """The deck to begin with: the first in the game's default format, or the first of all."""
    from carddb.read.deck_text import read_deck

    decks = game.folder.decks
    formats = ((path, read_deck(path.read_text("utf-8"), game.spec, game.own_cards)[0].headers) for path in decks)
    return next((path for path, headers in formats if headers.get("format") == game.spec.default_format), decks[0])


def _cards(game: Game, bare: bool) -> bytes:
    """The first cards file: the sample cards, which become the project's own, or nothing but the columns."""
    from carddb.read.export import write_cards

    if bare:
        columns = dict.fromkeys(["ref", "name", "type", *game.spec.all_fields()])
        return (",".join(name for name in columns if name != "set") + "\n").encode()
    cards = [(record.ref, dict(record.values)) for record in (game.own_file.records if game.own_file else ())]
    for _, values in cards:
        if values["set"] == SAMPLE:
            del values["set"]
    return write_cards(cards, game.spec, "csv")


def _catalogue(game: Game, folder: Path) -> int:
    """The project's own catalogue, with what its files hold and no samples; the number of its cards."""
    from carddb.catalog.store import Catalog
    from carddb.read.bans import read_bans
    from carddb.read.card_file import read_cards

    path = folder / "cards.csv"
    file = read_cards(path, game.spec, default_set=path.stem, images_root=folder)
    with Catalog.create(folder / CATALOGUE) as catalog:
        catalog.load(
            game.spec, file.records, day=today(), sets=frozenset({path.stem}), author=user(), source=path.name,
            recorded_at=now(),
        )  # fmt: skip
        if (folder / BANS).is_file():
            put(catalog, game, read_bans(folder / BANS), BANS, user())
    return len(file.records)
