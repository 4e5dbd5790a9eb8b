"""Cards and components to faces: which template, at what size, drawn when they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from carddb.cards import Card
from carddb.errors import GameError
from carddb.findings import CardCount, Finding
from carddb.games import Game
from carddb.layout.display_list import Face
from carddb.layout.face import draw
from carddb.layout.imposition import Page
from carddb.layout.stock import CARDS
from carddb.paint.content_stream import StreamBuilder
from carddb.paint.stream_parts import ContentStream
from carddb.press.finding_groups import merge_repeats
from carddb.press.forked_workers import ForkedWorkers, helpers_for
from carddb.press.workshop import BASE, Workshop, context_of
from carddb.units import Size

if TYPE_CHECKING:
    from carddb.layout.ink_saving import InkSaver

_MOST_FACES = 512
"""Drawn faces that are remembered; others are drawn again where they come again."""
_MOST_SKETCHES = 128
"""The same of their operators, which take more room and are seldom asked for twice."""

_Kept = TypeVar("_Kept", Face, ContentStream)


class _Wanted(NamedTuple):
    """A face that was asked for: what it is drawn from, and whose it is."""

    template: str
    size: Size | None
    subject: CardCount
    context: Callable[[], Mapping[str, Any]]


class _Told(NamedTuple):
    """A face as somebody else drew it, and by key the files of its pictures."""

    digest: str
    findings: list[Finding]
    sketch: ContentStream
    pictures: dict[str, list[str]]


class FaceBank:
    """Faces of a job by number, in the order first asked for; a face has one number, whatever its copies.

    A face is drawn when it is looked at, and few are kept, so that a job of many cards needs little room. `digesting`,
    it keeps the digest of each. `look` is shown each face with its number when it is first drawn.
    """

    def __init__(self, workshop: Workshop, size: Size | None = None, ink: str = "full") -> None:
        self.workshop = workshop
        self.ink = ink
        self._lighter = ink_saver(ink)
        self.size = size
        self.digesting = False
        self.look: Callable[[int, Face], None] | None = None
        self._digests: dict[int, str] = {}
        self._wanted: list[_Wanted] = []
        self._fronts: dict[str, int] = {}
        self._plain: dict[tuple[str, str], int] = {}
        self._drawn: dict[int, Face] = {}
        self._inspected: set[int] = set()
        self._findings: list[Finding] = []
        self._sketcher = StreamBuilder(workshop.studio.book)
        self._sketches: dict[int, ContentStream] = {}
        self._ahead: ForkedWorkers[_Told] | None = None
        self._templates: dict[tuple[str, Size | None], str] = {}
        self._sizes: dict[str, Size] = {}

    def __getitem__(self, number: int) -> Face:
        """The face with that number. Raises TemplateError, FontError."""
        face = self._drawn.get(number)
        if face is None:
            wanted = self._wanted[number]
            drawn = draw(self.workshop.studio, wanted.template, wanted.context(), wanted.subject, wanted.size)
            face = self._lighter.face(drawn.face) if self._lighter else drawn.face
            if number not in self._inspected:
                self._inspected.add(number)
                self._findings.extend(drawn.findings)
                if self.look:
                    self.look(number, face)
            _keep(self._drawn, number, face, _MOST_FACES)
        return face

    def digest(self, number: int) -> str:
        """What a face looks like, in short; empty where none are kept. Raises TemplateError, FontError."""
        if self.digesting and number not in self._digests:
            self.sketch(number)
        return self._digests.get(number, "")

    def sketch(self, number: int) -> ContentStream:
        """The operators of a face. Raises TemplateError, FontError."""
        if number not in self._inspected:
            self._ask(number)
        sketch = self._sketches.get(number)
        if sketch is None:
            sketch = self._sketcher.face(self[number])
            if self.digesting and number not in self._digests:
                self._digests[number] = sketch.digest
            _keep(self._sketches, number, sketch, _MOST_SKETCHES)
        return sketch

    @contextmanager
    def helped(self, numbers: Sequence[int]) -> Iterator[None]:
        """Meanwhile other processes draw too, where it pays: `numbers` are in the order that they are asked for."""
        ahead = [number for number in numbers if number not in self._inspected and not self.look]
        self._ahead = ForkedWorkers(self._tell, ahead, helpers_for(len(ahead)))
        try:
            yield
        finally:
            self._ahead.end()
            self._ahead = None

    def _tell(self, number: int) -> _Told:
        found = len(self._findings)
        sketch = self.sketch(number)
        names = self.workshop.images.names(sketch.pictures)
        return _Told(self.digest(number), self._findings[found:], sketch, names)

    def _ask(self, number: int) -> None:
        """Takes a face that somebody else has drawn."""
        told = self._ahead.take(number) if self._ahead else None
        if told:
            self._inspected.add(number)
            self._findings.extend(told.findings)
            self.workshop.images.learn(told.pictures)
            self._digests[number] = told.digest
            _keep(self._sketches, number, told.sketch, _MOST_SKETCHES)

    @property
    def findings(self) -> list[Finding]:
        """What is wrong with the faces drawn so far: one finding for a fault that a template repeats on many cards."""
        return merge_repeats(self._findings)

    def size_of(self, number: int) -> Size:
        """The size of a face; the cards of one template are taken to be as large as the first of them."""
        wanted = self._wanted[number]
        if wanted.size is not None or not wanted.subject.ref:
            return wanted.size or self[number].size
        size = self._sizes.get(wanted.template)
        if size is None:
            size = self._sizes[wanted.template] = self[number].size
        return size

    def inked(self, page: Page) -> Page:
        """A page whose furniture is drawn with as little ink as its faces."""
        return page._replace(furniture=self._lighter.shapes(page.furniture, page.size)) if self._lighter else page

    def front(self, card: Card) -> int:
        """The number of a card's front."""
        known = self._fronts.get(card.ref)
        if known is not None:
            return known
        template = templates_of(self.workshop.game, card)[0]
        if not template:
            raise GameError(f"{self.workshop.game.spec.name} has no face for the type {card.type!r}")
        context = partial(context_of, self.workshop.game, card)
        number = self._fronts[card.ref] = self._add(template, CardCount(card.ref, card.name), context)
        return number

    def back(self, card: Card) -> int | None:
        """The number of a card's back; None where its type has none."""
        template = templates_of(self.workshop.game, card)[1]
        return self.plain(template) if template else None

    def plain(self, template: str, extra: Mapping[str, Any] | None = None, key: str = "") -> int:
        """The number of a face without a card: a back or a component; `key` tells those of one template apart."""
        stem = template.removesuffix(".svg")
        spec = self.workshop.game.spec
        make = self.workshop.game.hook("component_data")

        def context() -> dict[str, Any]:
            if make:
                return dict(make(stem, spec, dict(extra or {})))
            return {"data": spec.data, "game": {"name": spec.name, "by": spec.by}, **(extra or {})}

        number = self._plain.get((template, key))
        if number is None:
            number = self._plain[template, key] = self._add(template, CardCount("", stem), context)
        return number

    def page(self, template: str, context: Mapping[str, Any]) -> int:
        """The number of a page of the house's own, by a template of every game."""
        self._wanted.append(_Wanted(f"{BASE}/{template}", None, CardCount("", template), lambda: context))
        return len(self._wanted) - 1

    def _add(self, template: str, subject: CardCount, context: Callable[[], Mapping[str, Any]]) -> int:
        self._wanted.append(_Wanted(self._for_size(template), self.size, subject, context))
        return len(self._wanted) - 1

    def _for_size(self, template: str) -> str:
        """`unit.poker.svg` where it exists and poker is the size asked for; else `unit.svg`."""
        found = self._templates.get((template, self.size))
        if found is None:
            name = f"{self.workshop.prefix}/{template}"
            stem = name.removesuffix(".svg")
            variants = (f"{stem}.{size}.svg" for size, known in CARDS.items() if known == self.size)
            found = next((variant for variant in variants if variant in self.workshop.studio.templates), name)
            self._templates[template, self.size] = found
        return found


def _keep(kept: dict[int, _Kept], number: int, made: _Kept, most: int) -> None:
    """One more; the first of many goes for it."""
    if len(kept) >= most:
        del kept[next(iter(kept))]
    kept[number] = made


def ink_saver(mode: str) -> InkSaver | None:
    """What draws faces with less ink; None where all of it is wanted."""
    if mode == "full":
        return None
    from carddb.layout.ink_saving import InkSaver

    return InkSaver(mode)


def templates_of(game: Game, card: Card) -> tuple[str, str]:
    """Front and back of a card: by the game's own `templates_of`, else as the type has them."""
    choose = game.hook("templates_of")
    kind = game.spec.types.get(card.type)
    face, back = choose(card, game.spec) if choose else (kind.face, kind.back) if kind else ("", "")
    return str(face), str(back)
