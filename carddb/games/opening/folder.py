"""The folders of games, inside the package or outside; a game is found by its folder, there is no register."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from carddb.core import assets
from carddb.core.errors import GameError
from carddb.core.files import NamedBytes, file_inside, read_inside
from carddb.core.plain_text import language_chain

GAME_FILE = "game.yaml"
COVER = "cover.svg"
"""The template of a game's cover picture, 150 × 90 mm."""
_PREFIX = re.compile(r"^prefix:\s*[\"']?(\w+)", re.MULTILINE)


class GameFolder(NamedTuple):
    """The folder of a game: `bundled` if it comes with carddb, `trusted` if its `rules.py` may be run."""

    key: str
    path: Path
    bundled: bool
    trusted: bool

    def read(self, path: Path) -> bytes:
        """Returns the bytes of a file. Raises InputError if a path of an outside game leads out of its folder."""
        return path.read_bytes() if self.bundled else read_inside(self.path, path)

    def source(self, path: Path) -> Path | NamedBytes:
        """Returns a file as its path or, in a game outside carddb, its named bytes. Raises InputError like `read`."""
        return path if self.bundled else file_inside(self.path, path)

    @property
    def has_rules(self) -> bool:
        """True if the game has a `rules.py`."""
        return (self.path / "rules.py").is_file()

    @property
    def cards_file(self) -> Path | None:
        path = self.path / "cards.csv"
        return path if path.is_file() else None

    @property
    def guide_file(self) -> Path:
        """The path of the game's rule sheet, which may not exist."""
        return self.path / "guide.md"

    @property
    def own_guides(self) -> tuple[Path, Path]:
        """The paths of the rule sheet and the one-page summary in the game's own language, which may not exist."""
        return self.guide_file, self.path / "summary.md"

    def guide_in(self, lang: str, *, summary: bool = False) -> Path:
        """Returns the rule sheet, or the summary, in the language `lang`, in a more general one, or the game's own."""
        own = self.own_guides[summary]
        files = (own.with_suffix(f".{tag}.md") for tag in language_chain(lang))
        return next((file for file in files if file.is_file()), own)

    @property
    def bans_file(self) -> Path | None:
        """The path of the game's own ban lists; None if there is no such file."""
        path = self.path / "bans.yaml"
        return path if path.is_file() else None

    @property
    def prefix(self) -> str:
        """The prefix of the game's operations, read without parsing the whole game file."""
        match = _PREFIX.search(self.read(self.path / GAME_FILE).decode("utf-8", "replace"))
        return match[1] if match else ""

    @property
    def table_verb(self) -> tuple[str, str] | None:
        """The verb of the game's table and its description, from `table/verb.txt`; None if there is no table."""
        path = self.path / "table" / "verb.txt"
        if not path.is_file():
            return None
        verb, _, words = self.read(path).decode("utf-8", "replace").strip().partition(": ")
        return verb, words

    @property
    def option_helps(self) -> dict[str, str]:
        """The help of options at the game's table, by `action.option`, from `table/options.txt`; empty without it."""
        path = self.path / "table" / "options.txt"
        lines = self.read(path).decode("utf-8", "replace").splitlines() if path.is_file() else ()
        return {name: words for name, _, words in (line.partition(": ") for line in lines)}

    @property
    def data_files(self) -> list[Path]:
        """The game's data files: YAML in its folder, YAML and JSON in its subfolders."""
        files, folders = _entries(self.path, (".yaml",))
        return sorted((*files, *(path for folder in folders for path in _entries(folder, (".yaml", ".json"))[0])))

    @property
    def decks(self) -> list[Path]:
        return sorted((self.path / "decks").glob("*.deck"))

    @property
    def template_folder(self) -> Path:
        """The folder of the game's own templates: for a bundled game, among the bundled templates."""
        return assets.templates() / self.path.name if self.bundled else self.path / "templates"

    @property
    def has_cover(self) -> bool:
        """True if the game has a cover picture among its templates."""
        return (self.template_folder / COVER).is_file()

    @property
    def examples(self) -> Path:
        """The folder of examples for the game's codes; for a bundled game, it is among the tests in the sources."""
        return assets.tests() / "games" / self.path.name if self.bundled else self.path / "examples"


def folders(outside: Iterable[tuple[Path, bool]] = ()) -> dict[str, GameFolder]:
    """Returns every game by key: the bundled games, then the games in outside folders.

    Each pair in `outside` is a folder (of a game, or of several games) and whether the user named it and so trusts it.
    Raises GameError for a missing folder, and for a folder without a game.
    """
    games: dict[str, GameFolder] = {}
    for path in sorted(Path(__file__).parent.parent.iterdir()):
        if (path / GAME_FILE).is_file():
            games[_key(path)] = GameFolder(_key(path), path, True, True)
    for folder, trusted in outside:
        if not folder.is_dir():
            raise GameError(f"there is no folder {folder}", "Name the folder of a game, or of several games.")
        inside = [folder] if (folder / GAME_FILE).is_file() else sorted(p.parent for p in folder.glob(f"*/{GAME_FILE}"))
        if not inside:
            raise GameError(f"there is no game in {folder}", f"Name a folder with a {GAME_FILE}.")
        for path in inside:
            games[_key(path)] = GameFolder(_key(path), path, False, trusted)
    return games


def _key(path: Path) -> str:
    return path.resolve().name.replace("_", "-")


def _entries(folder: Path, endings: tuple[str, ...]) -> tuple[list[Path], list[Path]]:
    """Returns the files in a folder with one of the given extensions, and its subfolders; a link is not a folder."""
    with os.scandir(folder) as scan:
        entries = [(entry.is_dir(follow_symlinks=False), entry.path) for entry in scan]
    files = [Path(path) for is_folder, path in entries if not is_folder and path.endswith(endings)]
    return files, [Path(path) for is_folder, path in entries if is_folder]
