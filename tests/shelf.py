"""The shelf of a test run: what many tests make from the same things is made once in a process.

Each answer that is kept is that of a function without a clock, chance or files of its own, and depends on nothing but
what its key names. Printed documents lie on the disk, so that the memory of a long run stays small.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from functools import _lru_cache_wrapper, wraps
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any

import pytest

from carddb import games
from carddb.game.frozen import as_plain
from carddb.games.opening import game, spec_reader
from carddb.games.opening.folder import GameFolder
from carddb.layout.documents.blocks import Document, DocumentFonts
from carddb.paint.documents.pdf import PdfResources
from carddb.paint.documents.pieces import Figures
from carddb.press.documents import guide
from carddb.press.documents.figures import Games
from carddb.press.sheets import card_sheets

GAMES = Path(games.__file__).parent
is_open = True
"""False while a test claims that what is made twice is the same."""
_kept: dict[Hashable, tuple[Any, Any]] = {}
"""Answers by function and key, each with what it was made from, so that no other thing takes the same `id`.

An answer that lies on the disk is the path of its file.
"""


@contextmanager
def opened() -> Iterator[None]:
    """Keeps games, their rules and cards, the figures of rule sheets, printed rule sheets, and the ink of a face."""
    with pytest.MonkeyPatch.context() as patch, TemporaryDirectory(prefix="carddb-shelf-") as folder:
        _keep(patch, guide, "draw_figures", _figures_key)
        _keep(patch, guide, "document_pdf", _pdf_key, Path(folder))
        _keep(patch, guide, "html_document", _document_key, Path(folder))
        _keep(patch, card_sheets, "coverage", lambda face: face)
        _keep(patch, game, "_cached_spec", lambda key: key or None)
        _keep(patch, game.Game, "read_own_file", _own_file_key)
        _keep(patch, spec_reader, "read_book", _bundled)
        yield


def tidy(module: ModuleType) -> None:
    """Forgets the answers that the functions of a file of tests keep, when the file is done."""
    for function in vars(module).values():
        if isinstance(function, _lru_cache_wrapper) and function.__module__ == module.__name__:
            function.cache_clear()


def _keep(
    patch: pytest.MonkeyPatch,
    module: ModuleType | type,
    name: str,
    key_of: Callable[..., Hashable],
    folder: Path | None = None,
) -> None:
    """Puts a function that answers as before in the place of one; what has no key is made anew.

    With a folder, its answers are kept there.
    """
    make = getattr(module, name)

    @wraps(make)
    def kept(*given: Any, **options: Any) -> Any:
        key = key_of(*given, **options) if is_open else None
        if key is None:
            return make(*given, **options)
        if (name, key) not in _kept:
            answer = make(*given, **options)
            if answer is None:
                return None
            if folder:
                file = folder / str(len(_kept))
                file.write_bytes(pickle.dumps(answer))
                _kept[name, key] = file, given
                return answer
            _kept[name, key] = answer, given
        answer, _ = _kept[name, key]
        return pickle.loads(answer.read_bytes()) if folder else answer

    patch.setattr(module, name, kept)


def _bundled(folder: GameFolder) -> Path | None:
    """The files of bundled games stay as they are."""
    return folder.path if folder.path.is_relative_to(GAMES) else None


def _own_file_key(of: game.Game, picture_folders: tuple[Path, ...]) -> Hashable:
    return (of.folder.path, picture_folders, id(of.spec)) if of.folder.bundled else None


def _figures_key(shown: Iterable[object], games: Games, room: object, *, width: int, for_phones: bool) -> Hashable:
    """Figures of bundled games are known by what the games say, whatever their options were set to."""
    shown_games = list(games().values())
    if not all(game.folder.bundled for game in shown_games):
        return None
    return _digest((shown, room, width, for_phones, [as_plain(game.spec) for game in shown_games]))


def _digest(value: object) -> str:
    return sha256(repr(value).encode()).hexdigest()


def _pdf_key(document: Document, printing: PdfResources) -> Hashable:
    return _document_key(document, printing.fonts, printing.figures, *printing[1:4], printing.fold)


def _document_key(document: Document, fonts: DocumentFonts, figures: Figures, *options: object) -> Hashable:
    return _digest((document, options)), tuple(map(id, fonts.book.fonts.values())), id(figures.pages)
