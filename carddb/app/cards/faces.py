"""Faces of single cards: kept for the pages that show them, and drawn once for a script or notebook."""

from __future__ import annotations

import hashlib
import json
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Literal, NamedTuple

from carddb.app.workspace.project_copy import Needs, map_project
from carddb.app.workspace.workspace import Workspace
from carddb.cards.cards import Card
from carddb.core.errors import UsageError
from carddb.core.executors import ALONE, Executor
from carddb.games import Game
from carddb.paint.rasterizer import png_images
from carddb.paint.svg import svg
from carddb.press.faces.art import picture_paths
from carddb.press.faces.bank import FaceStreams
from carddb.press.faces.card_pictures import Pages, card_svgs
from carddb.press.faces.workshop import Workshop, back_of, open_workshop
from carddb.press.sheets.card_sheets import face_bank
from carddb.press.sheets.options import SheetOptions

Side = Literal["front", "back"]
Kind = Literal["svg", "png"]
_MOST_BYTES = 16_000_000
"""Pictures that are kept: about 200. Browsers and caches keep them too, by their address."""
_MOST_WORKSHOPS = 12
"""Games in a language that stay open."""
_DPI = 150
_AT_ONCE = 50
"""Faces that a worker draws together."""


@dataclass(frozen=True, slots=True)
class FaceRequest:
    """Which face of a card, and how: `size` is a card size by name, `lang` a language (empty: the game's own)."""

    side: Side = "front"
    kind: Kind = "svg"
    size: str = ""
    lang: str = ""


class FaceImage(NamedTuple):
    """A drawn face: its bytes, and a digest of them."""

    data: bytes
    digest: str


@dataclass
class CardFaces:
    """Draws faces, and keeps the last ones. It is not for several threads at once."""

    _workshops: OrderedDict[tuple[str, str], Workshop] = field(default_factory=OrderedDict)
    _images: OrderedDict[str, FaceImage] = field(default_factory=OrderedDict)

    def image(self, project: Workspace, game: Game, card: Card, request: FaceRequest) -> FaceImage:
        """One face of a card. Raises UsageError for a card without it, TemplateError, FontError."""
        key = face_key(game, card, request)
        image = self._images.get(key)
        if image is None:
            data = self.draw(project, game, card, request)
            image = self._images[key] = FaceImage(data, hashlib.sha256(data).hexdigest())
            while sum(len(each.data) for each in self._images.values()) > _MOST_BYTES:
                self._images.popitem(last=False)
        self._images.move_to_end(key)
        return image

    def fronts(
        self, project: Workspace, game: Game, cards: Sequence[Card], lang: str = "", executor: Executor = ALONE
    ) -> Iterator[bytes]:
        """Yields the fronts of many cards as SVG, in order, in a language (empty: the game's own).

        Raises TemplateError, FontError.
        """
        if not executor.workers:
            for card in cards:
                yield self.draw(project, game, card, FaceRequest(lang=lang))
            return
        tasks = ((game.key, lang, cards[at : at + _AT_ONCE]) for at in range(0, len(cards), _AT_ONCE))
        needs = Needs([game.key], pictures=picture_files(project, game, cards))
        yield from map_project(project, executor, _drawn_fronts, tasks, needs)

    def back_of(self, project: Workspace, game: Game, card: Card, lang: str = "") -> tuple[str, str]:
        """Returns the template of a card's back (empty: it has none), and the reference of the card that it shows."""
        template, shown = back_of(self._workshop(project, game, lang), card)
        return template, shown.ref if shown else ""

    def draw(self, project: Workspace, game: Game, card: Card, request: FaceRequest) -> bytes:
        """One face, drawn anew. Raises UsageError for a card without it, TemplateError, FontError."""
        # A bank knows a card by its reference; a new one draws the card as it is now.
        bank = face_bank(self._workshop(project, game, request.lang), SheetOptions(card_size=request.size))
        lang = bank.workshop.lang
        number = bank.front(card) if request.side == "front" else bank.back(card)
        if number is None:
            raise UsageError(f"{card.name} has no back", "Its type has a front only.")
        if request.kind == "svg":
            return svg(bank[number], bank.workshop.studio.book, bank.workshop.images, lang=lang).encode()

        return next(png_images(next(Pages(FaceStreams(bank), _DPI).jobs([number], [Path("face.png")], 1))))

    def _workshop(self, project: Workspace, game: Game, lang: str) -> Workshop:
        """Returns the workshop that draws a game's faces in a language; it is kept open."""
        key = game.key, lang
        if key not in self._workshops:
            self._workshops[key] = open_workshop(game, (), project.art_folder, lang)
            if len(self._workshops) > _MOST_WORKSHOPS:
                self._workshops.popitem(last=False)
        self._workshops.move_to_end(key)
        return self._workshops[key]


def picture_files(project: Workspace, game: Game, cards: Sequence[Card]) -> dict[str, Path]:
    """The files of the project that cards show, by their path in its folder."""
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
    """The faces of a project that has many tasks."""
    return CardFaces()


def face_key(game: Game, card: Card, request: FaceRequest) -> str:
    """A digest of what a face is drawn from, as far as the card and the request say; known without drawing it."""
    parts = [game.key, card.ref, card.values, request.side, request.kind, request.size, request.lang]
    return hashlib.sha256(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest()[:20]


def front_svg(project: Workspace, card: Card) -> bytes:
    """The front of a card as one SVG file. Raises TemplateError, FontError."""
    workshop = open_workshop(project.game(card.game), [card], project.art_folder)
    return next(data for _, data in card_svgs(face_bank(workshop, SheetOptions()), [card]))
