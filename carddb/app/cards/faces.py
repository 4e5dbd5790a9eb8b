"""Pictures of single card faces: kept in memory for web pages, or drawn once for a script or notebook."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal, NamedTuple

from carddb.app.workspace.project_copy import Needs, map_project
from carddb.app.workspace.workspace import Workspace
from carddb.cards.cards import Card
from carddb.core.cache import LruCache
from carddb.core.errors import UsageError
from carddb.core.executors import ALONE, Executor
from carddb.games import Game
from carddb.games.opening.folder import COVER
from carddb.paint.html import Skin, skin_files, skin_of
from carddb.paint.rasterizer import png_images
from carddb.paint.svg import svg
from carddb.press.faces.art import picture_paths
from carddb.press.faces.bank import FaceStreams
from carddb.press.faces.card_pictures import Pages, card_svgs
from carddb.press.faces.workshop import Workshop, back_of, fonts_of, open_workshop
from carddb.press.sheets.card_sheets import face_bank
from carddb.press.sheets.options import SheetOptions

Side = Literal["front", "back"]
Kind = Literal["svg", "png"]
_MOST_BYTES = 16_000_000
"""The most bytes of pictures kept in memory, about 200 pictures; browsers cache them too."""
_MOST_WORKSHOPS = 12
"""The most workshops kept open, each for one game in one language."""
_DPI = 150
"""The resolution of PNG faces."""
_SCREEN_DPI = 220
"""The resolution to which pictures in SVG faces are reduced: 550 pixels across a poker card, shown 500 wide."""
_AT_ONCE = 50
"""The number of faces that a worker process draws in one task."""


@dataclass(frozen=True, slots=True)
class FaceRequest:
    """A face to draw: its side, its kind of file, its size by name and its language (empty: those of the game)."""

    side: Side = "front"
    kind: Kind = "svg"
    size: str = ""
    lang: str = ""


class FaceImage(NamedTuple):
    """A drawn face: its bytes and their SHA-256 digest."""

    data: bytes
    digest: str


class CardFaces:
    """Draws the faces of cards, and keeps the latest ones in memory. Threads must not share it."""

    def __init__(self) -> None:
        self._workshops: LruCache[tuple[str, str], Workshop] = LruCache(_MOST_WORKSHOPS)
        self._images: LruCache[str, FaceImage] = LruCache(_MOST_BYTES, lambda image: len(image.data))
        self._looks: LruCache[tuple[str, str, Skin], Mapping[str, bytes]] = LruCache(_MOST_WORKSHOPS)

    def image(self, project: Workspace, game: Game, card: Card, request: FaceRequest) -> FaceImage:
        """Returns a face of a card from memory, or else draws it. Raises what `draw` raises."""

        def drawn() -> FaceImage:
            data = self.draw(project, game, card, request)
            return FaceImage(data, hashlib.sha256(data).hexdigest())

        return self._images.get(face_key(game, card, request), drawn)

    def fronts(
        self, project: Workspace, game: Game, cards: Sequence[Card], lang: str = "", executor: Executor = ALONE
    ) -> Iterator[bytes]:
        """Yields the fronts of cards as SVG, in order, in the language `lang` (empty: the game's own)."""
        if not executor.workers:
            for card in cards:
                yield self.draw(project, game, card, FaceRequest(lang=lang))
            return
        tasks = ((game.key, lang, cards[at : at + _AT_ONCE]) for at in range(0, len(cards), _AT_ONCE))
        needs = Needs([game.key], pictures=picture_files(project, game, cards))
        yield from map_project(project, executor, _drawn_fronts, tasks, needs)

    def back_of(self, project: Workspace, game: Game, card: Card, lang: str = "") -> tuple[str, str]:
        """Returns the name of the template of a card's back, and the reference of the card that the back shows.

        Without a back, the template is empty; if the back shows no card, the reference is empty.
        """
        template, shown = back_of(self._workshop(project, game, lang), card)
        return template, shown.ref if shown else ""

    def draw(self, project: Workspace, game: Game, card: Card, request: FaceRequest) -> bytes:
        """Draws one face of a card. Raises UsageError if the card has no such face, TemplateError, FontError."""
        # A bank keeps the faces of cards by reference; only a new bank draws the card as it is now.
        bank = face_bank(self._workshop(project, game, request.lang), SheetOptions(card_size=request.size))
        lang = bank.workshop.lang
        number = bank.front(card) if request.side == "front" else bank.back(card)
        if number is None:
            raise UsageError(f"{card.name} has no back", "Choose the front.")
        if request.kind == "svg":
            return svg(
                bank.cut_out(number), bank.workshop.kit.book, bank.workshop.images, lang=lang, dpi=_SCREEN_DPI
            ).encode()
        return next(png_images(next(Pages(FaceStreams(bank), _DPI).jobs([number], [Path("face.png")], 1))))

    def look(self, project: Workspace, game: Game, letters: Iterable[str], lang: str = "") -> Mapping[str, bytes]:
        """Returns the files for the look of a game's web pages: `skin.css`, its fonts, and any cover picture, by path.

        The fonts have only the `letters`. Raises TemplateError, FontError.
        """
        fonts = fonts_of(game, lang)
        skin = skin_of(fonts, game.spec.accent, game.spec.ground)

        def made() -> Mapping[str, bytes]:
            files = skin_files(skin, fonts, letters)
            if not game.folder.has_cover:
                return files
            bank = face_bank(self._workshop(project, game, lang), SheetOptions())
            face, workshop = bank[bank.plain(COVER)], bank.workshop
            return {**files, COVER: svg(face, workshop.kit.book, workshop.images, lang=workshop.lang).encode()}

        return self._looks.get((game.key, lang, skin), made)

    def _workshop(self, project: Workspace, game: Game, lang: str) -> Workshop:
        """Returns the workshop that draws a game's faces in the language `lang`, which is opened only once."""
        return self._workshops.get((game.key, lang), lambda: open_workshop(game, (), project.art_folder, lang))


def picture_files(project: Workspace, game: Game, cards: Sequence[Card]) -> dict[str, Path]:
    """Returns the files of pictures on `cards` that are in the project's folder, as `{path in the folder: path}`."""
    folder = project.art_folder
    paths = picture_paths(game.spec, cards, [folder])
    inside = [path for path in paths if path.is_relative_to(folder) and ".." not in path.parts and path.is_file()]
    real = folder.resolve()
    return {path.relative_to(folder).as_posix(): path for path in inside if path.resolve().is_relative_to(real)}


def _drawn_fronts(project: Workspace, task: tuple[str, str, Sequence[Card]]) -> Iterator[bytes]:
    key, lang, cards = task
    faces, game = _opened_faces(project), project.game(key)
    for card in cards:
        yield faces.draw(project, game, card, FaceRequest(lang=lang))


@lru_cache(maxsize=2)
def _opened_faces(project: Workspace) -> CardFaces:
    """Returns the `CardFaces` that all tasks of a worker process use for a project."""
    return CardFaces()


def face_key(game: Game, card: Card, request: FaceRequest) -> str:
    """Returns 20 hex digits that depend on a card's values and the request; they change if the face may change."""
    parts = [game.key, card.ref, card.values, request.side, request.kind, request.size, request.lang]
    return hashlib.sha256(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest()[:20]


def front_svg(project: Workspace, card: Card) -> bytes:
    """Returns the front of a card as one SVG file. Raises TemplateError, FontError."""
    workshop = open_workshop(project.game(card.game), [card], project.art_folder)
    return next(data for _, data in card_svgs(face_bank(workshop, SheetOptions()), [card]))
