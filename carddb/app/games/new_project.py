"""A new project: a settings file, a cards file, one deck, ban lists where the game has some, a catalogue.

A project may begin with a game of its own: then the game's folder holds the cards and the decks.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from carddb.app.games.new_game import SCHEMAS, checked_key, game_folder, game_like, schemas, small_game
from carddb.app.workspace.ban_file import put
from carddb.app.workspace.clock import now, today
from carddb.app.workspace.words import user
from carddb.app.workspace.workspace import CATALOGUE, Workspace
from carddb.cards.cards import SAMPLE
from carddb.catalog.store import Catalog
from carddb.core.errors import GameError, OutputError, UsageError
from carddb.games import Game, folders, load
from carddb.read.cards.export import write_cards
from carddb.read.cards.file import read_cards
from carddb.read.decks.text import read_deck
from carddb.read.documents.bans import read_bans

BANS = "bans.yaml"
CARDS = "cards.csv"
DECK = "sample.deck"
SETTINGS_FILE = "carddb.toml"
SETTINGS = """\
# Settings of this project; paths are taken from this folder.
game = "{key}"
catalog = "{catalogue}"
"""
_SETTINGS_SCHEMA = "#:schema {schemas}/project.schema.json\n"


class NewProject(NamedTuple):
    """What was made: files in their order, the number of cards in the catalogue, and commands to go on with.

    The commands are for the folder of the project.
    """

    files: tuple[Path, ...]
    cards: int
    commands: tuple[str, ...]


def new_project(project: Workspace, folder: Path, key: str, bare: bool) -> NewProject:
    """Makes the files of a project for a game. Raises OutputError where one of them is there already."""
    game = project.game(key)
    settings = SETTINGS.format(key=key, catalogue=CATALOGUE) + _games_line(project.game_folders, folder)
    files = {SETTINGS_FILE: settings.encode(), CARDS: _cards(game, bare)}
    if not bare:
        if game.folder.decks:
            files[DECK] = _deck(game).read_bytes()
        if game.folder.bans_file:
            files[BANS] = game.folder.bans_file.read_bytes()
    paths = _write(project, folder, files)
    commands = ["carddb load cards.csv --dry-run", *([f"carddb check {DECK}"] if DECK in files else [])]
    return NewProject(paths, _catalogue(game, folder, CARDS), tuple(commands))


def new_game_project(project: Workspace, folder: Path, key: str, like: str | None = None) -> NewProject:
    """Makes a project with a game of its own: a small one, or one like another.

    Raises UsageError for a key that a game has or cannot have, OutputError where a file is there already.
    """
    key = checked_key(key, project)
    own_files = game_like(project.game(like).folder, key) if like else small_game(key)
    settings = _SETTINGS_SCHEMA.format(schemas=SCHEMAS) + SETTINGS.format(key=key, catalogue=CATALOGUE)
    settings += _games_line((*project.game_folders, folder / key), folder)
    files = {SETTINGS_FILE: settings.encode(), **{f"{key}/{name}": data for name, data in own_files.items()}}
    paths = _write(project, folder, {**files, **schemas()})
    game, findings = load(game_folder(folder / key))
    if game is None:
        raise GameError(f"the game {key} cannot be used as it is", "Mend what is listed above.", findings)
    cards = _catalogue(game, folder, f"{key}/{CARDS}")
    program = f"--games {key} " if game.has_rules else ""
    first = _deck(game).name if game.folder.decks else ""
    commands = [
        *([] if like else [f"carddb conform {key}"]),
        *([f"carddb {program}check {key}/decks/{first}"] if first else []),
        *([f"carddb {program}sheets {key}/decks/{first} -o sheets.pdf"] if first else []),
        f"carddb {program}components {key} -o components.pdf",
        f"carddb {program}guide {key} -o rules.pdf",
        f"carddb {program}load {key}/{CARDS}",
    ]
    return NewProject(paths, cards, tuple(commands))


def _write(project: Workspace, folder: Path, files: Mapping[str, bytes]) -> tuple[Path, ...]:
    """Writes the files of a project. Raises OutputError where one of them, or its catalogue, is there already."""
    existing = [name for name in (*files, CATALOGUE) if (folder / name).exists()]
    if existing:
        raise OutputError(
            f"{', '.join(existing)} stand in {folder} already", "Choose another folder; nothing was written."
        )
    for name, data in files.items():
        project.write(folder / name, data)
    return tuple(folder / name for name in files)


def _games_line(game_folders: Iterable[Path], folder: Path) -> str:
    """The line of a settings file that names folders of games, as seen from the folder of the project."""
    paths = [Path(os.path.relpath(path, folder)).as_posix() for path in game_folders]
    return f"games = {json.dumps(paths, ensure_ascii=False)}\n" if paths else ""


def first_game(project: Workspace) -> str | None:
    """The one game in the folders that were named; None where there is none, or several. Raises UsageError."""
    keys = [key for key, folder in folders([(path, True) for path in project.game_folders]).items()
             if not folder.bundled]  # fmt: skip
    if len(keys) > 1:
        raise UsageError("which game?", f"Name it with --game: {', '.join(keys)}.")
    return next(iter(keys), None)


def _deck(game: Game) -> Path:
    """The deck to begin with: the first in the game's default format, or the first of all."""
    decks = game.folder.decks
    formats = ((path, read_deck(path.read_text("utf-8"), game.spec, game.own_cards)[0].headers) for path in decks)
    return next((path for path, headers in formats if headers.get("format") == game.spec.default_format), decks[0])


def _cards(game: Game, bare: bool) -> bytes:
    """The first cards file: the sample cards, which become the project's own, or nothing but the columns."""
    if bare:
        columns = dict.fromkeys(["ref", "name", "type", *game.spec.all_fields()])
        return (",".join(name for name in columns if name != "set") + "\n").encode()
    cards = [(record.ref, dict(record.values)) for record in (game.own_file.records if game.own_file else ())]
    for _, values in cards:
        if values["set"] == SAMPLE:
            del values["set"]
    return write_cards(cards, game.spec, "csv")


def _catalogue(game: Game, folder: Path, cards_file: str) -> int:
    """The project's own catalogue, with what its files hold and no samples; the number of its cards."""
    path = folder / cards_file
    file = read_cards(path, game.spec, default_set=path.stem, images_root=(folder, path.parent))
    with Catalog.create(folder / CATALOGUE) as catalog:
        catalog.load(
            game.spec, file.records, day=today(), sets=frozenset({path.stem}), author=user(), source=path.name,
            recorded_at=now(),
        )  # fmt: skip
        bans = path.parent / BANS
        if bans.is_file():
            put(catalog, game, read_bans(bans), BANS, user())
    return len(file.records)
