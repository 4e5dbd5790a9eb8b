"""What a load reads, and how: files, the card files of a folder, and files from the web."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, NamedTuple

from carddb.catalog.search import natural
from carddb.core.errors import InputError
from carddb.core.files import NamedBytes
from carddb.core.options import Option
from carddb.core.plain_text import read_tag
from carddb.read.cards.patch_file import is_patch
from carddb.read.source import is_address

LoadSource = Path | NamedBytes

_ENDINGS = (".csv", ".tsv", ".xlsx", ".ods", ".json", ".yaml", ".yml", ".po")
_NO_CARDS = ("game", "rules", "labels")
"""Files of a game's folder that hold something else."""


class LoadRequest(NamedTuple):
    """The options of loading files.

    `columns` are headings of card files and the fields that they mean. `beside` is the folder whose patch files stand
    over files in memory; a file on disk has its own beside it.
    """

    # fmt: off
    game: Annotated[str | None, Option(
        "The game of the cards; needed where the project names none.", metavar="G")] = None
    set_name: Annotated[str | None, Option(
        "The set of cards that name none (default: the file's stem).", flag="--set", metavar="S")] = None
    day: Annotated[date | None, Option(
        "The day from which changes are in force (default: today).", flag="--from")] = None
    columns: Mapping[str, str] = MappingProxyType({})
    prune: Annotated[bool, Option("Retire the cards of these sets that the file lacks.")] = False
    dry_run: Annotated[bool, Option("Show what would change, and change nothing.")] = False
    force: Annotated[bool, Option("Undo edits of the studio that the file lacks.")] = False
    sheet: Annotated[str, Option("The sheet of a workbook (default: all with cards).", "", metavar="NAME")] = ""
    lang: Annotated[str, Option(
        "The files are translations into this language, as in ja.", "", read=read_tag)] = ""
    beside: Path | None = None
    html: Annotated[bool, Option(
        "Texts hold basic HTML, such as <b>, <br> and lists: make marks of it.")] = False
    reviewed: Annotated[bool, Option(
        "Translations in the files are right for the cards as they are now.")] = False
    # fmt: on


def load_sources(names: Iterable[str | Path]) -> list[LoadSource]:
    """The files that are named, those of a folder in the order of their names, and those at addresses of the web.

    Raises InputError where a folder has no card file, or an address cannot be read.
    """
    sources: list[LoadSource] = []
    for name in names:
        if isinstance(name, str) and is_address(name):
            from carddb.read.source import fetch  # HTTP and TLS, 30 ms, for an address alone

            sources.append(fetch(name))
        else:
            path = Path(name)
            sources += _card_files(path) if path.is_dir() else [path]
    return sources


def _card_files(folder: Path) -> list[Path]:
    """The card files, files of printings and ban lists of a folder, in the order of their names."""
    files = (path for path in folder.iterdir() if path.is_file() and path.suffix.lower() in _ENDINGS)
    files = (path for path in files if not path.name.startswith(".") and not is_patch(path))
    card_files = [path for path in files if path.stem.partition(".")[0] not in _NO_CARDS]
    if not card_files:
        raise InputError(f"there are no card files in {folder}", f"They end in {', '.join(_ENDINGS)}.")
    return sorted(card_files, key=lambda path: natural(path.name))


def path_of(source: LoadSource) -> Path:
    """The path of a file, or for one in memory its name as a path."""
    return source.path if isinstance(source, NamedBytes) else source
