"""The files that the cards of a game came from, as they are on disk now."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import NamedTuple

from carddb.app.workspace.workspace import Workspace
from carddb.core.errors import InputError, UsageError
from carddb.games import Game
from carddb.read.cards.file import MAX_BYTES, CardFile, CardReading, format_of, read_card_bytes, with_patch
from carddb.read.cards.patch_file import is_patch, patch_path, patch_values
from carddb.read.source import read_bytes

_USUAL_NAMES = ("cards.csv", "cards.xlsx", "cards.ods", "cards.tsv", "cards.json", "cards.yaml")


class FileContents(NamedTuple):
    """The bytes of a card file, and of the patch file beside it (empty where there is none)."""

    data: bytes
    patch: bytes


class CardFileNow(NamedTuple):
    """A card file as it is on disk: its name in words, its format, its bytes, and what they say."""

    path: Path
    name: str
    fmt: str
    contents: FileContents
    cards: CardFile

    @property
    def patch_name(self) -> str:
        """The name of its patch file, as findings call it."""
        return patch_path(Path(self.name)).as_posix()

    def patch_values(self) -> dict[tuple[str, str], str]:
        """What its patch file holds, by reference and field."""
        return patch_values(self.contents.patch) if self.contents.patch else {}


def files_of(project: Workspace, game: Game, sources: Mapping[str, Collection[str]]) -> list[Path]:
    """The card files of a game that are there: those that `sources` of its cards name, and the usual ones."""
    root = project.art_folder
    source_names = {source for of_card in sources.values() for source in of_card}
    own = [] if game.folder.bundled else [game.folder.path / name for name in _USUAL_NAMES]
    usual = [root / name for name in _USUAL_NAMES] if project.settings.game == game.key else []
    paths = [path for source in sorted(source_names) if (path := path_of(project, source))]
    return list(dict.fromkeys(path for path in (*paths, *filter(Path.is_file, (*usual, *own))) if not is_patch(path)))


def path_of(project: Workspace, source: str) -> Path | None:
    """The card file that the source of a revision means; None where it is not there, or is none."""
    for folder in (project.art_folder, project.folder.absolute(), Path.cwd()):
        path = folder / source
        try:
            format_of(path)
            if path.is_file():
                return path.resolve()
        except (UsageError, OSError, ValueError):
            continue
    return None


def contents_of(path: Path) -> FileContents:
    """The bytes of a card file and its patch file. Raises InputError where one cannot be read."""
    patch = patch_path(path)
    return FileContents(_bytes(path), _bytes(patch) if patch.is_file() else b"")


def _bytes(path: Path) -> bytes:
    data, findings = read_bytes(path, MAX_BYTES)
    if findings:
        raise InputError(findings[0].message, findings[0].fix)
    return data


def read_contents(path: Path, name: str, contents: FileContents, reading: CardReading) -> CardFileNow:
    """What the contents of a card file say, with where each card stands. Raises InputError for a broken file."""
    fmt = format_of(path)
    cards = read_card_bytes(contents.data, name, fmt, reading._replace(with_sources=True))
    if contents.patch:
        cards = with_patch(cards, contents.patch, patch_path(Path(name)).as_posix(), reading)
    return CardFileNow(path, name, fmt, contents, cards)


def name_of(project: Workspace, path: Path) -> str:
    """How a file is called: from the project's folder where it lies in it."""
    root = project.art_folder.resolve()
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path)
