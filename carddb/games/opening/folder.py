"""The folders of the games, bundled or outside the package; no game is registered anywhere."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from carddb.core import assets
from carddb.core.errors import GameError
from carddb.core.files import NamedBytes, read_inside
from carddb.core.plain_text import language_chain

GAME_FILE = "game.yaml"
_PREFIX = re.compile(r"^prefix:\s*[\"']?(\w+)", re.MULTILINE)


class GameFolder(NamedTuple):
    """The folder of a game. `trusted`: its `rules.py` may run."""

    key: str
    path: Path
    bundled: bool
    trusted: bool

    def read(self, path: Path) -> bytes:
        """Returns the bytes of a file of the folder; in one of outside nothing leads out of it. Raises InputError."""
        return path.read_bytes() if self.bundled else read_inside(self.path, path)

    def source(self, path: Path) -> Path | NamedBytes:
        """Returns a file of the folder as readers take it. Raises what `read` does."""
        return path if self.bundled else NamedBytes(self.read(path), str(path))

    @property
    def has_rules(self) -> bool:
        """Returns whether the game has a program of its own."""
        return (self.path / "rules.py").is_file()

    @property
    def cards_file(self) -> Path | None:
        path = self.path / "cards.csv"
        return path if path.is_file() else None

    @property
    def guide_file(self) -> Path:
        """The game's rule sheet, where there is one."""
        return self.path / "guide.md"

    @property
    def summary_file(self) -> Path:
        """The game's rules on one page, where there is such a sheet."""
        return self.path / "summary.md"

    @property
    def own_guides(self) -> tuple[Path, Path]:
        """The rule sheet and the summary in the game's own language."""
        return self.guide_file, self.summary_file

    def guide_in(self, lang: str, *, summary: bool = False) -> Path:
        """Returns the rule sheet, or the summary, in a language, `guide.ja.md`, or one that it is a kind of; else the
        game's own.
        """
        own = self.summary_file if summary else self.guide_file
        files = (own.with_suffix(f".{tag}.md") for tag in language_chain(lang))
        return next((file for file in files if file.is_file()), own)

    @property
    def bans_file(self) -> Path | None:
        """The game's own ban lists."""
        path = self.path / "bans.yaml"
        return path if path.is_file() else None

    @property
    def prefix(self) -> str:
        """The prefix of the game's operations, read without parsing the whole of its file."""
        match = _PREFIX.search(self.read(self.path / GAME_FILE).decode("utf-8", "replace"))
        return match[1] if match else ""

    @property
    def table_verb(self) -> tuple[str, str] | None:
        """The verb of the game's table and what it does, `table/verb.txt`, known without its program; None without."""
        path = self.path / "table" / "verb.txt"
        if not path.is_file():
            return None
        verb, _, words = self.read(path).decode("utf-8", "replace").strip().partition(": ")
        return verb, words

    @property
    def data_files(self) -> list[Path]:
        """Returns the files a game is read from: YAML files of the folder, YAML and JSON files of the folders in it."""
        files, folders = _entries(self.path, (".yaml",))
        return sorted((*files, *(path for folder in folders for path in _entries(folder, (".yaml", ".json"))[0])))

    @property
    def decks(self) -> list[Path]:
        return sorted((self.path / "decks").glob("*.deck"))

    @property
    def template_folder(self) -> Path:
        """The game's own templates: beside the bundled ones, or in the folder itself."""
        return assets.templates() / self.path.name if self.bundled else self.path / "templates"

    @property
    def examples(self) -> Path:
        """The folder that shows each of the game's codes; of the bundled games it lies with the sources' tests."""
        return assets.tests() / "games" / self.path.name if self.bundled else self.path / "examples"


def folders(outside: Iterable[tuple[Path, bool]] = ()) -> dict[str, GameFolder]:
    """Returns every game by key: the bundled ones, then those of outside folders (each a game or a folder of games).

    `outside` pairs a folder with whether it was named by the user. Raises GameError for a missing folder.
    """
    games: dict[str, GameFolder] = {}
    for path in sorted(Path(__file__).parent.parent.iterdir()):
        if (path / GAME_FILE).is_file():
            games[_key(path)] = GameFolder(_key(path), path, True, True)
    for folder, trusted in outside:
        if not folder.is_dir():
            raise GameError(
                f"there is no folder {folder}", "Name a folder that holds a game, or a folder of such folders."
            )
        inside = [folder] if (folder / GAME_FILE).is_file() else sorted(p.parent for p in folder.glob(f"*/{GAME_FILE}"))
        if not inside:
            raise GameError(f"no game in {folder}", f"A game is a folder with a {GAME_FILE}.")
        for path in inside:
            games[_key(path)] = GameFolder(_key(path), path, False, trusted)
    return games


def _key(path: Path) -> str:
    return path.resolve().name.replace("_", "-")


def _entries(folder: Path, endings: tuple[str, ...]) -> tuple[list[Path], list[Path]]:
    """Returns the files of a folder whose names have one of the endings, and its folders; a link is no folder."""
    with os.scandir(folder) as scan:
        entries = [(entry.is_dir(follow_symlinks=False), entry.path) for entry in scan]
    files = [Path(path) for is_folder, path in entries if not is_folder and path.endswith(endings)]
    return files, [Path(path) for is_folder, path in entries if is_folder]
