"""The shelf of a test run: what many tests make from the same things is made once in a process.

Each answer that is kept is that of a function without a clock, chance or files of its own, and depends on nothing but
what its key names.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from carddb import games
from carddb.game.frozen import as_plain
from carddb.games.opening import game, rulebook
from carddb.games.opening.folder import GameFolder
from carddb.layout.documents.blocks import Document, DocumentFonts
from carddb.paint.documents.pieces import Figures
from carddb.press.documents import guide
from carddb.press.documents.figures import Games
from carddb.press.sheets import card_sheets

GAMES = Path(games.__file__).parent
is_open = True
"""False while a test claims that what is made twice is the same."""
_kept: dict[Hashable, tuple[Any, Any]] = {}
"""Answers by function and key, each with what it was made from, so that no other thing takes the same `id`."""


@contextmanager
def opened() -> Iterator[None]:
    """Keeps games, their rules, the figures of rule sheets, printed rule sheets, and the ink of a face."""
    with pytest.MonkeyPatch.context() as patch:
        _keep(patch, guide, "draw_figures", _figures_key)
        _keep(patch, guide, "document_pdf", _pdf_key)
        _keep(patch, guide, "html_document", _document_key)
        _keep(patch, card_sheets, "coverage", lambda face: face)
        _keep(patch, game, "_cached_spec", lambda key: key or None)
        _keep(patch, rulebook, "read_book", _bundled)
        yield


def _keep(patch: pytest.MonkeyPatch, module: ModuleType, name: str, key_of: Callable[..., Hashable]) -> None:
    """Puts a function that answers as before in the place of one; what has no key is made anew."""
    make = getattr(module, name)

    @wraps(make)
    def kept(*given: Any) -> Any:
        key = key_of(*given) if is_open else None
        if key is None:
            return make(*given)
        if (name, key) not in _kept:
            answer = make(*given)
            if answer is None:
                return None
            _kept[name, key] = answer, given
        return _kept[name, key][0]

    patch.setattr(module, name, kept)


def _bundled(folder: GameFolder) -> Path | None:
    """The files of bundled games stay as they are."""
    return folder.path if folder.path.is_relative_to(GAMES) else None


def _figures_key(shown: Iterable[object], games: Games, room: object) -> Hashable:
    """Figures of bundled games are known by what the games say, whatever their options were set to."""
    shown_games = list(games().values())
    if not all(game.folder.bundled for game in shown_games):
        return None
    return repr((shown, room, [as_plain(game.spec) for game in shown_games]))


def _pdf_key(document: Document, fonts: DocumentFonts, *rest: Any) -> Hashable:
    *options, figures = rest
    return _document_key(document, fonts, figures, *options)


def _document_key(document: Document, fonts: DocumentFonts, figures: Figures | None, *options: object) -> Hashable:
    return repr((document, options)), tuple(map(id, fonts.book.fonts.values())), figures and id(figures.pages)
