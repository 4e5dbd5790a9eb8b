"""The faces of the studio: drawn when they are looked at, the last good one kept for when its template is broken."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from carddb.app.studio.face_dependencies import FaceKeys, workshop_stamps
from carddb.app.studio.overlays import bleed_of, measures, with_overlays
from carddb.app.studio.template_faults import FileFault, fault_of
from carddb.app.workspace.clock import now
from carddb.core.errors import CarddbError, UsageError
from carddb.core.files import file_state
from carddb.findings import Finding
from carddb.layout.drawing.face import text_boxes
from carddb.layout.drawing.svg_parser import Fault
from carddb.paint.svg import svg
from carddb.press.faces.card_art import picture_paths
from carddb.press.faces.face_templates import shown_size, template_for, templates_of
from carddb.press.faces.workshop import Workshop, context_of, open_workshop
from carddb.press.sheets.card_sheets import face_bank
from carddb.press.sheets.options import SheetOptions

if TYPE_CHECKING:
    from carddb.app.workspace.workspace import Workspace
    from carddb.cards.cards import Card
    from carddb.games import Game
    from carddb.layout.display_list import Face
    from carddb.layout.drawing.text_elements import TextBox

_MOST_FACES = 600
"""Faces that are kept, each some 50 kB."""


class FaceLook(NamedTuple):
    """Which face of a card, at which card size (empty: the game's own), with how much ink and which overlays."""

    side: str = "front"
    size: str = ""
    ink: str = "full"
    overlays: tuple[str, ...] = ()

    @property
    def plain(self) -> FaceLook:
        """The same without overlays."""
        return self._replace(overlays=())


class StudioFace(NamedTuple):
    """A drawn face: its SVG, what is wrong with it, its measures in words, and when it was drawn (`14:06:21`)."""

    data: bytes
    findings: tuple[Finding, ...]
    measures: tuple[str, ...]
    drawn_at: str


@dataclass(frozen=True, slots=True)
class FaceFault:
    """Why a face could not be drawn, and the last good one, if any."""

    fault: FileFault
    last: StudioFace | None


class StudioFaces:
    """Faces of one game. It is not for several threads at once."""

    def __init__(self, project: Workspace) -> None:
        self._project = project
        self._opened: tuple[object, Workshop, FaceKeys] | None = None
        self._fault: tuple[object, FileFault] | None = None
        self._faces: OrderedDict[tuple[str, FaceLook], StudioFace] = OrderedDict()
        self._last: dict[tuple[str, FaceLook], StudioFace] = {}

    def refresh(self, game: Game, cards: Iterable[Card]) -> FileFault | None:
        """Looks what was saved, and opens templates, fonts and pictures of cards anew where they were; why that failed.

        Where it fails the last workshop stays in use.
        """
        stamps = workshop_stamps(game)
        folders = self._project.picture_folders(game)
        pictures = {str(path): file_state(path) for path in picture_paths(game.spec, cards, folders)}
        state = (id(game), stamps, pictures)
        if self._opened and self._opened[0] == state:
            return None
        if self._fault and self._fault[0] == state:
            return self._fault[1]
        try:
            workshop = open_workshop(game, (), self._project.art_folder)
        except CarddbError as error:
            self._fault = state, fault_of(game, error)
            return self._fault[1]
        self._opened, self._fault = (state, workshop, FaceKeys(workshop, stamps, folders)), None
        return None

    def key(self, card: Card, look: FaceLook) -> str:
        """What differs as soon as a face has to be drawn again; empty where there is none, or nothing can be drawn."""
        if self._opened is None:
            return ""
        key = self._opened[2].key(card, look.side, look.size, look.ink)
        return f"{key}-{'.'.join(look.overlays)}" if key and look.overlays else key

    def face(self, game: Game, card: Card, look: FaceLook) -> StudioFace | FaceFault:
        """One face of a card. Raises UsageError for a card without it."""
        key = self.key(card, look)
        face = self._faces.get((key, look))
        if face:
            self._faces.move_to_end((key, look))
            return face
        if self._opened is None:
            assert self._fault
            return FaceFault(self._fault[1], None)
        try:
            face = self._draw(self._opened[1], card, look)
        except UsageError:
            raise
        except (CarddbError, Fault) as error:
            fault = fault_of(game, error) if isinstance(error, CarddbError) else FileFault("", 0, (), error.message, "")
            return FaceFault(fault, self._last.get((card.ref, look)) or self._last.get((card.ref, look.plain)))
        self._faces[key, look] = self._last[card.ref, look] = face
        while len(self._faces) > _MOST_FACES:
            self._faces.popitem(last=False)
        return face

    def _draw(self, workshop: Workshop, card: Card, look: FaceLook) -> StudioFace:
        bank = face_bank(workshop, SheetOptions(card_size=look.size, ink=look.ink))
        number = bank.front(card) if look.side == "front" else bank.back(card)
        if number is None:
            raise UsageError(f"{card.name} has no back", "Its type has a front only.")
        face = bank[number]
        boxes = _boxes(workshop, card, look, face)
        lined = with_overlays(face, look.overlays, boxes)
        book = workshop.studio.book
        data = svg(lined, book, workshop.images, bleed=bleed_of(look.overlays)).encode()
        return StudioFace(data, tuple(bank.findings), tuple(measures(face, boxes)), now().astimezone().strftime("%X"))


def _boxes(workshop: Workshop, card: Card, look: FaceLook, face: Face) -> list[TextBox]:
    """The text boxes of a front, where they are shown."""
    if "text" not in look.overlays or look.side != "front":
        return []
    file = templates_of(workshop.game, card)[0]
    template = template_for(workshop, file, shown_size(workshop.game.spec, card, look.size))
    return text_boxes(workshop.studio, template, context_of(workshop, card), face.size)
