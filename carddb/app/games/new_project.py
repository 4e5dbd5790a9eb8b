"""Creating a project and the files of a new game, and the example game of the handbook."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from carddb.app.workspace.ban_file import put
from carddb.app.workspace.clock import now, today
from carddb.app.workspace.settings import FILE as SETTINGS_FILE
from carddb.app.workspace.words import user
from carddb.app.workspace.workspace import CATALOGUE, Workspace
from carddb.cards.cards import SAMPLE
from carddb.catalog.store import Catalog
from carddb.core import assets
from carddb.core.errors import GameError, OutputError, UsageError
from carddb.games import Game, GameFolder, folders, load
from carddb.games.opening.folder import GAME_FILE
from carddb.read.cards.export import write_cards
from carddb.read.cards.file import CardReading, read_cards
from carddb.read.decks.text import read_deck
from carddb.read.documents.bans import read_bans

SCHEMAS = "schema"
"""The folder of a project with JSON schemas, by which editors complete and check the project's files."""
_SMALL_GAME = "_new_game"
_PLACEHOLDER = re.compile("@(key|prefix|name)@")
_FILE_SCHEMAS = {GAME_FILE: "game", "rules.yaml": "rules", "bans.yaml": "ban-log"}
_PROGRAM = '''"""The rules of {name} that data cannot say: those of {like}. Write others in their place."""

from carddb.games.{module}.rules import *
'''


def checked_key(key: str, project: Workspace) -> str:
    """Returns `key` if a new game can have it. Raises UsageError if it is not a valid key, or if a game has it."""
    if not re.fullmatch("[a-z][a-z0-9]*(-[a-z0-9]+)*", key):
        raise UsageError(f"{key!r} cannot be the key of a game", "Use small letters, digits and hyphens: night-market.")
    if key in project.folders or _prefix(key) in {folder.prefix for folder in project.folders.values()}:
        raise UsageError(f"another game already has the key or the prefix {key!r}", "Choose another key.")
    return key


def small_game(key: str) -> dict[str, bytes]:
    """Returns the files of a small game that works and can be extended, as `{path in its folder: bytes}`."""
    words = {"key": key, "prefix": _prefix(key), "name": _name(key)}
    source = assets.templates() / _SMALL_GAME
    texts = {path.relative_to(source).as_posix(): path.read_text("utf-8") for path in _files(source)}
    return {
        name: _PLACEHOLDER.sub(lambda match: words[match[1]], text).encode() for name, text in sorted(texts.items())
    }


def game_like(folder: GameFolder, key: str) -> dict[str, bytes]:
    """Returns a game's files for a new game, by path; the `rules.py` of a bundled game is imported, not copied."""
    program = folder.path / "rules.py"
    own_files = [*folder.data_files, *sorted(folder.path.glob("*.md"))]
    own_files += [folder.cards_file] if folder.cards_file and folder.cards_file.is_file() else []
    own_files += [program] if not folder.bundled and program.is_file() else []
    own_files += _files(folder.path / "decks")
    own = {path.relative_to(folder.path).as_posix(): path for path in own_files}
    drawn = {f"templates/{path.name}": path for path in _files(folder.template_folder) if path.suffix == ".svg"}
    files = {
        name: _renamed(name, folder.read(path).decode().replace("\r\n", "\n"), folder, key)
        for name, path in {**own, **drawn}.items()
    }
    if folder.bundled and program.is_file():
        files["rules.py"] = _PROGRAM.format(name=_name(key), like=folder.key, module=folder.path.name)
    return {name: text.encode() for name, text in sorted(files.items())}


def schemas() -> dict[str, bytes]:
    """Returns the JSON schemas of the files of a project and of its game, as `{path in the project: bytes}`."""
    names = [f"{stem}.schema.json" for stem in (*_FILE_SCHEMAS.values(), "project")]
    return {f"{SCHEMAS}/{name}": (assets.schema() / name).read_bytes() for name in names}


def game_folder(path: Path) -> GameFolder:
    """Returns the game folder at `path`; its `rules.py` may not run."""
    return folders([(path, False)])[path.name]


def _files(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.rglob("*")) if path.is_file()]


def _renamed(name: str, text: str, folder: GameFolder, key: str) -> str:
    """Returns the text of a game's file `name` with key, prefix and name of the new game `key` in place of the old."""
    old, place = re.escape(folder.key), re.escape(folder.path.name)
    changes: Mapping[str, tuple[str, str]] = {
        ".svg": (rf'(["\']){place}/(?=[\w.-]+\.svg["\'])', rf"\1{key}/"),
        ".md": (rf"\b(component|sheet|drawing):{old}/", rf"\1:{key}/"),
        ".deck": (rf"(?m)^(Game:\s*){old}\s*$", rf"\g<1>{key}"),
    }
    pattern, replacement = changes.get(Path(name).suffix, ("(?!)", ""))
    text = re.sub(pattern, replacement, text)
    if name == GAME_FILE:
        text = re.sub(rf"(?m)^key:\s*{old}\s*$", f"key: {key}", text)
        text = re.sub(r"(?m)^prefix:.*$", f"prefix: {_prefix(key)}", text)
        text = re.sub(r"(?m)^name:.*$", f"name: {_name(key)}", text, count=1)
    schema = _FILE_SCHEMAS.get(name)
    return f"# yaml-language-server: $schema=../{SCHEMAS}/{schema}.schema.json\n{text}" if schema else text


def _prefix(key: str) -> str:
    return key.replace("-", "_")


def _name(key: str) -> str:
    return key.replace("-", " ").title()


CHAPTER = "evening.md"
KEY = "night-market"
_BLOCK = re.compile(r"^```(?P<kind>\w+)(?: (?P<file>[\w./-]+))?\n(?P<text>.*?)^```$", re.M | re.S)
_BEGINNING = re.compile(r"[^:(=]*[:(=]")


class ChapterBlock(NamedTuple):
    """A block of the handbook chapter `CHAPTER`: commands (if `file` is empty), or lines of a file of its game."""

    file: str
    lines: tuple[str, ...]


def steps() -> Iterator[ChapterBlock]:
    """Yields the blocks of the handbook chapter `CHAPTER` that a reader carries out, in order."""
    text = (assets.handbook() / CHAPTER).read_text("utf-8")
    for block in _BLOCK.finditer(text):
        if block["file"] or block["kind"] == "console":
            yield ChapterBlock(block["file"] or "", tuple(block["text"].splitlines()))


def take(step: ChapterBlock, folder: Path) -> None:
    """Writes the lines of a block into its file of the game in `folder`, in place of lines with the same key."""
    path = folder / step.file
    lines = path.read_text("utf-8").splitlines()
    for line in step.lines:
        match = _BEGINNING.match(line)
        at = next((n for n, old in enumerate(lines) if match and old.startswith(match[0])), len(lines))
        lines[at : at + 1] = [line]
    path.write_text("\n".join(lines) + "\n", "utf-8")


def evening_games(folder: Path) -> dict[str, Game]:
    """Returns the chapter's game after all changes, and as `KEY-0` and `KEY-1` after no change and after one."""
    changes = sum(bool(step.file) for step in steps())
    games = {f"{KEY}-{number}": evening_game(folder / str(number), number) for number in (0, 1)}
    return {KEY: evening_game(folder / "end", changes), **games}


def evening_game(folder: Path, changes: int) -> Game:
    """Returns the chapter's game after its first `changes` changes, in `folder`. Raises GameError if it has errors."""
    place = folder / KEY
    for name, data in small_game(KEY).items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_bytes(data)
    for step in [step for step in steps() if step.file][:changes]:
        take(step, place)
    game, findings = load(game_folder(place)._replace(trusted=True))
    if game is None:
        raise GameError("the game of the chapter cannot be used", findings=findings)
    return game


BANS = "bans.yaml"
CARDS = "cards.csv"
DECK = "sample.deck"
SETTINGS = """\
# Settings of this project; paths are taken from this folder.
game = "{key}"
catalog = "{catalogue}"
"""
_SETTINGS_SCHEMA = "#:schema {schemas}/project.schema.json\n"


class NewProject(NamedTuple):
    """A new project: its files in order of writing, the number of cards, and commands to run in its folder next."""

    files: tuple[Path, ...]
    cards: int
    commands: tuple[str, ...]


def new_project(project: Workspace, folder: Path, key: str, bare: bool) -> NewProject:
    """Creates a project for the game `key`, if `bare` without samples. Raises OutputError if a file exists already."""
    game = project.game(key)
    settings = SETTINGS.format(key=key, catalogue=CATALOGUE) + _games_line(project.game_folders, folder)
    files = {SETTINGS_FILE: settings.encode(), CARDS: _cards(game, bare)}
    if not bare:
        if game.folder.decks:
            files[DECK] = game.folder.read(_deck(game))
        if game.folder.bans_file:
            files[BANS] = game.folder.read(game.folder.bans_file)
    with _written(project, folder, files) as paths:
        cards = _catalogue(game, folder, CARDS)
    commands = ["carddb load cards.csv --dry-run", *([f"carddb check {DECK}"] if DECK in files else [])]
    return NewProject(paths, cards, tuple(commands))


def new_game_project(project: Workspace, folder: Path, key: str, like: str | None = None) -> NewProject:
    """Creates a project with a new game that has the key `key`: a small game, or a copy of the game `like`.

    Raises UsageError if the key is invalid or taken, OutputError if a file exists already.
    """
    key = checked_key(key, project)
    own_files = game_like(project.game(like).folder, key) if like else small_game(key)
    settings = _SETTINGS_SCHEMA.format(schemas=SCHEMAS) + SETTINGS.format(key=key, catalogue=CATALOGUE)
    settings += _games_line((*project.game_folders, folder / key), folder)
    files = {SETTINGS_FILE: settings.encode(), **{f"{key}/{name}": data for name, data in own_files.items()}}
    files |= schemas()
    with _written(project, folder, files) as paths:
        game, findings = load(game_folder(folder / key))
        if game is None:
            raise GameError(f"the game {key} has errors", "Correct the errors listed above.", findings)
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


@contextmanager
def _written(project: Workspace, folder: Path, files: Mapping[str, bytes]) -> Iterator[tuple[Path, ...]]:
    """Writes the files of a project, and yields their paths; if this or the block fails, they are removed again.

    Raises OutputError if one of the files, or the catalogue, exists already.
    """
    names = [*files, CATALOGUE]
    if existing := [name for name in names if (folder / name).exists()]:
        raise OutputError(f"{folder} already has {', '.join(existing)}", "Choose another folder; nothing was written.")
    made = {parent for name in names for parent in (folder / name).parents if not parent.exists()}
    try:
        for name, data in files.items():
            project.write(folder / name, data)
        yield tuple(folder / name for name in files)
    except BaseException:
        for name in (*names, *(f"{CATALOGUE}{end}" for end in ("-wal", "-shm", "-journal"))):
            with suppress(OSError):
                (folder / name).unlink()
        for parent in sorted(made, reverse=True):
            with suppress(OSError):
                parent.rmdir()
        raise


def _games_line(game_folders: Iterable[Path], folder: Path) -> str:
    """Returns the line of a settings file that names folders of games by their paths from the project's folder."""
    paths = [Path(os.path.relpath(path, folder)).as_posix() for path in game_folders]
    return f"games = {json.dumps(paths, ensure_ascii=False)}\n" if paths else ""


def first_game(project: Workspace) -> str | None:
    """Returns the key of the only game in the user's own folders; None without one. Raises UsageError for several."""
    own_folders = folders([(path, True) for path in project.game_folders])
    keys = [key for key, folder in own_folders.items() if not folder.bundled]
    if len(keys) > 1:
        raise UsageError("--games names several games", f"Choose the game with --game: {', '.join(keys)}.")
    return next(iter(keys), None)


def _deck(game: Game) -> Path:
    """Returns the path of an example deck to begin with: the first in the game's default format, or else the first."""
    decks = game.folder.decks
    texts = ((path, game.folder.read(path).decode()) for path in decks)
    formats = ((path, read_deck(text, game.spec, game.own_cards)[0].headers) for path, text in texts)
    return next((path for path, headers in formats if headers.get("format") == game.spec.default_format), decks[0])


def _cards(game: Game, bare: bool) -> bytes:
    """Returns the first card file of a project: the sample cards as its own, or if `bare`, only the headings."""
    if bare:
        columns = dict.fromkeys(["ref", "name", "type", *game.spec.all_fields()])
        return (",".join(name for name in columns if name != "set") + "\n").encode()
    cards = [(record.ref, dict(record.values)) for record in (game.own_file.records if game.own_file else ())]
    for _, values in cards:
        if values["set"] == SAMPLE:
            del values["set"]
    return write_cards(cards, game.spec, "csv")


def _catalogue(game: Game, folder: Path, cards_file: str) -> int:
    """Creates a project's catalogue from its card file and its ban lists, and returns the number of its cards."""
    path = folder / cards_file
    file = read_cards(path, CardReading(game.spec, path.stem, (folder, path.parent)))
    with Catalog.create(folder / CATALOGUE) as catalog:
        catalog.load(
            game.spec, file.records, day=today(), sets=frozenset({path.stem}), author=user(), source=path.name,
            recorded_at=now(),
        )  # fmt: skip
        bans = path.parent / BANS
        if bans.is_file():
            put(catalog, game, read_bans(bans), BANS, user())
    return len(file.records)
