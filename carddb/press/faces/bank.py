"""The faces of the cards and components in a print job, and their content streams for PDF pages."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import replace
from itertools import chain
from typing import Any, NamedTuple

from carddb.cards.cards import Card
from carddb.core.cache import LruCache, key_of
from carddb.core.errors import CarddbError, GameError, TemplateError
from carddb.core.executors import MOST, ProcessPool, can_copy
from carddb.core.groups import grouped
from carddb.core.plain_text import amount
from carddb.core.units import Size, to_mm
from carddb.findings import CardCount, Finding, error
from carddb.layout.display_list import Face, Group
from carddb.layout.drawing.face import DrawingKit, DrawnFace, Fit, draw, draw_picture
from carddb.layout.drawing.outline import Outline
from carddb.layout.ink import InkSaver, has_tinted_edge, paler_lines
from carddb.layout.prepress import for_press
from carddb.layout.sheets.imposition import Page
from carddb.layout.stock import card_size
from carddb.layout.templates.template import BASE
from carddb.paint.pdf.content_stream import ContentStream, DrawnPage
from carddb.paint.pdf.operators import StreamBuilder
from carddb.paint.pdf.prepress import Prepress
from carddb.press.faces.art import art_name, pictures_missing
from carddb.press.faces.cache import FaceCache
from carddb.press.faces.workshop import (
    Workshop,
    back_of,
    common_context,
    context_of,
    outline_of,
    own_sizes,
    shape_of,
    template_for,
    templates_of,
)

_MOST_FACES = 512
"""The most drawn faces kept in memory. Others are drawn again when needed."""

BOX = "box.svg"
"""The template for the panels of a box, a game's own or carddb's."""
_BROKEN_FACE = "_base/broken-face.svg"
"""The template for what replaces a face that cannot be drawn, so that a job continues and reports every error."""
_LONGEST_REASON = 600
"""The most characters of the reason shown on such a face."""
_ALIKE = frozenset(
    {"text_too_small", "contrast_low", "glyph_missing", "face_broken", "text_overlap", "icon_faint", "icon_unknown"}
)
"""The codes of findings that a template or its fonts can cause on many cards."""


class _FaceSource(NamedTuple):
    """The input for drawing a face: template, values and card. If `size` is None, the face has the template's size."""

    template: str
    size: Size | None
    subject: CardCount
    context: Callable[[], Mapping[str, Any]]
    picture: tuple[str, Fit] | None = None
    """The name of the picture that replaces the template if it can be shown, and how it is fitted."""
    identity: Sequence[object] = ()
    """Values that, with the workshop, determine the context; empty if they are unknown."""
    cache_key: str = ""
    """The key of the face in the cache; empty if the face is not cached."""
    shape: str = ""
    """The shape of the piece as `game.yaml` writes it; empty for a plain rectangle."""
    least_line: int = 0
    """The width in micrometres below which lines are drawn paler, because the face is shown small; 0 for none."""


class FaceBank:
    """The faces of a job, by number. All copies of a face have the same number.

    Not all drawn faces are kept in memory. `size` is the size of the faces that are added next; None means the size of
    their templates. `type_sizes` has the sizes of the card types that have their own; None means the sizes in the
    game's data. In a `lenient` bank, a face that cannot be drawn is replaced by one that says why. `cache` has the
    faces of earlier runs. It is not used with `prepress`, with which faces are prepared for a printing press.
    """

    def __init__(
        self,
        workshop: Workshop,
        size: Size | None = None,
        ink: str = "full",
        *,
        lenient: bool = False,
        type_sizes: Mapping[str, Size] | None = None,
        cache: FaceCache | None = None,
        prepress: Prepress | None = None,
    ) -> None:
        self.workshop = workshop
        self.prepress = prepress
        self._cache = None if prepress else cache
        self.pictures: dict[int, Mapping[str, str]] = {}
        """The keys of the pictures on each drawn face, by the face's number and the picture's file name."""
        self.findings_of: dict[int, Sequence[Finding]] = {}
        """The findings about each face drawn by this or another process or by an earlier run, by its number."""
        self.ink = ink
        self.size = size
        self.lenient = lenient
        self._type_sizes = own_sizes(workshop.game.spec) if type_sizes is None else type_sizes
        self._cards: list[Card] = []
        self._ink_saver = InkSaver(ink)
        self._sources: list[_FaceSource] = []
        self._fronts: dict[tuple[str, str], int] = {}
        """The numbers of fronts by the card's reference and values, because a job may show several printings of it."""
        self._others: dict[tuple[str, str], int] = {}
        self._faces: LruCache[int, Face] = LruCache(_MOST_FACES)
        self._sizes: dict[str, Size] = {}
        self._outline = functools.cache(functools.partial(outline_of, workshop.game))

    def __getitem__(self, number: int) -> Face:
        """Returns the face with this number. Raises TemplateError or FontError unless the bank is lenient."""
        return self._faces.get(number, lambda: self._face(number))

    def _face(self, number: int) -> Face:
        source = self._sources[number]
        try:
            drawn = self._drawn(source)
        except CarddbError as fault:
            if not self.lenient:
                raise
            natural = card_size(self.workshop.game.spec.card_size)
            size = source.size or self._sizes.get(source.template, natural)
            drawn = broken_face(self.workshop.kit, source.subject, size, fault)
        self.pictures[number] = drawn.pictures
        face, findings = self._ink_saver.face(drawn.face), drawn.findings
        if source.least_line:
            face = replace(face, shapes=paler_lines(face.shapes, source.least_line))
        if self.prepress:
            flat = "" if self.prepress.blends else self.prepress.standard
            face, of_inks = for_press(face, source.subject, self.prepress.inks, flat)
            findings = (*findings, *of_inks)
        self.findings_of.setdefault(number, findings)
        return face

    def _drawn(self, source: _FaceSource) -> DrawnFace:
        """Draws a face by its template, or the picture that replaces it, before ink is saved."""
        if source.picture is None:
            return self._by_template(source)
        size = source.size or self._by_template(source).face.size
        picture = draw_picture(self.workshop.kit, *source.picture, source.subject, size)
        if picture.face.shapes:
            return picture
        drawn = self._by_template(source)
        return drawn._replace(findings=(*picture.findings, *drawn.findings))

    def _by_template(self, source: _FaceSource) -> DrawnFace:
        context = {**source.context(), "ink_mode": self.ink}
        return draw(self.workshop.kit, source.template, context, source.subject, source.size)

    def cached(self, number: int) -> ContentStream | None:
        """Returns the content stream of a face that an earlier run drew without findings; None if it is not cached."""
        has_findings = bool(self.findings_of.get(number))
        stream = self._cache.face(self._sources[number].cache_key) if self._cache and not has_findings else None
        if stream is not None:
            self.findings_of.setdefault(number, ())
        return stream

    def cache(self, number: int, stream: ContentStream) -> None:
        """Adds a drawn face to the cache, unless it has findings, so that these are reported each time."""
        if self._cache and not self.findings_of.get(number):
            self._cache.add(self._sources[number].cache_key, stream, self.pictures.get(number, {}))

    def save_cache(self) -> None:
        """Writes the faces drawn in this run to the cache."""
        if self._cache:
            self._cache.save()

    @property
    def findings(self) -> list[Finding]:
        """The findings about all faces drawn so far. Findings that a template causes on many cards are merged.

        The first is a warning about cards without a picture, if the game has a pattern for the pictures of all cards.
        """
        missing = pictures_missing(self.workshop.game.spec, self._cards, self.workshop.picture_folders)
        return [*missing, *merge_repeats(chain.from_iterable(self.findings_of.values()))]

    def has_tinted_edge(self, number: int) -> bool:
        """Returns True if a face is coloured up to its edge."""
        return has_tinted_edge(self[number])

    def size_of(self, number: int) -> Size:
        """Returns the size of a face. Cards with the same template are assumed to be as large as the first of them."""
        source = self._sources[number]
        if source.size is not None or not source.subject.ref:
            return source.size or self[number].size
        size = self._sizes.get(source.template)
        if size is None:
            cached = self.cached(number)
            size = cached.size if cached else self[number].size
            if not any(finding.code == "face_broken" for finding in self.findings_of[number]):
                self._sizes[source.template] = size
        return size

    def outline_of(self, number: int) -> Outline | None:
        """Returns the outline of a face; None for a plain rectangle. Raises UsageError if its shape is invalid."""
        shape = self._sources[number].shape
        return self._outline(shape, self.size_of(number)) if shape else None

    def cut_out(self, number: int) -> Face:
        """Returns a face without what lies outside its outline."""
        face, outline = self[number], self.outline_of(number)
        return replace(face, shapes=(Group(face.shapes, outline.path),)) if outline else face

    def front(self, card: Card) -> int:
        """Returns the number of a card's front. Raises GameError if its type has no face."""
        key = card.ref, repr(card.values)
        number = self._fronts.get(key)
        if number is None:
            game = self.workshop.game
            template = templates_of(game, card)[0]
            if not template:
                raise GameError(f"{game.spec.name} has no face for the type {card.type!r}")
            source = self._source(template, card, card)
            if (name := card.get("face_image")) and self.ink == "full":  # with less ink, the picture would be left out
                source = source._replace(picture=(name, card.get("face_fit", "fit")))
            number = self._fronts[key] = self._number(source)
            if game.spec.art:
                self._cards.append(card)
        return number

    def _source(self, template: str, card: Card, shown: Card) -> _FaceSource:
        """Returns the input for a side of `card` that shows `shown`: the card itself, or its other face as a card."""
        spec, size = self.workshop.game.spec, self._type_sizes.get(card.type, self.size)
        subject, context = CardCount(card.ref, shown.name), functools.partial(context_of, self.workshop, shown)
        identity = (shown, art_name(spec, shown, self.workshop.picture_folders))
        return _FaceSource(template, size, subject, context, identity=identity, shape=shape_of(spec, card))

    def back(self, card: Card) -> int | None:
        """Returns the number of a card's back, or of its other face if it is double-faced; None if it has neither."""
        template, shown = back_of(self.workshop, card)
        if shown is None:
            shape, size = shape_of(self.workshop.game.spec, card), self._type_sizes.get(card.type, self.size)
            key = card.type if shape or card.type in self._type_sizes else ""
            return self.plain(template, None, key, size, shape) if template else None
        number = self._others.get((template, card.ref))
        if number is None:
            number = self._others[template, card.ref] = self._number(self._source(template, card, shown))
        return number

    def plain(
        self,
        template: str,
        extra: Mapping[str, Any] | None = None,
        key: str = "",
        size: Size | None = None,
        shape: str = "",
    ) -> int:
        """Returns the number of a face that does not show a particular card: a common back, or a component.

        `extra` has further values for the template, and `key` distinguishes faces with the same template. If `size` is
        None, the face has the bank's `size`.
        """
        stem = template.removesuffix(".svg")
        spec = self.workshop.game.spec
        component_data = self.workshop.game.hook("component_data")

        def context() -> dict[str, Any]:
            if component_data:
                return {**common_context(self.workshop), **component_data(stem, spec, dict(extra or {}))}
            return {**common_context(self.workshop), "game": {"name": spec.name, "by": spec.by}, **(extra or {})}

        number = self._others.get((template, key))
        if number is None:
            identity = () if extra else ("no card",)
            source = _FaceSource(template, size, CardCount("", stem), context, identity=identity, shape=shape)
            number = self._others[template, key] = self._number(source)
        return number

    def small(self, number: int, least_line: int) -> int:
        """Returns the number of a copy of a face whose lines thinner than `least_line` (micrometres) are paler."""
        return self._add(self._sources[number]._replace(least_line=least_line, cache_key=""))

    def page(self, template: str, context: Mapping[str, Any], folder: str = BASE) -> int:
        """Returns the number of a page drawn with a template of `folder`, by default one of carddb's own."""
        return self._add(_FaceSource(f"{folder}/{template}", None, CardCount("", template), lambda: context))

    def panel(self, box: Mapping[str, Any]) -> int:
        """Returns the number of a panel with the values `box`, drawn by the game's box template or by carddb's own."""
        workshop, spec = self.workshop, self.workshop.game.spec
        game = {"name": spec.name, "by": spec.by, "accent": spec.accent, "players": spec.players}
        folder = workshop.prefix if f"{workshop.prefix}/{BOX}" in workshop.kit.templates else BASE
        return self.page(BOX, {**common_context(workshop), "game": game, "box": box}, folder)

    def _number(self, source: _FaceSource) -> int:
        """Adds a face, drawn by the template for its own size or, without one, for the bank's. Returns its number."""
        size = source.size or self.size
        template, key = template_for(self.workshop, source.template, size), ""
        if self._cache and source.identity:
            key = key_of([json.dumps([template, size, *source.identity], default=str, sort_keys=True)])
        return self._add(source._replace(template=template, size=size, cache_key=key))

    def _add(self, source: _FaceSource) -> int:
        self._sources.append(source)
        return len(self._sources) - 1


def broken_face(kit: DrawingKit, subject: CardCount, size: Size, fault: CarddbError) -> DrawnFace:
    """Draws a face that names its card and says why it cannot be drawn, with the finding `face_broken`.

    `kit` must have carddb's own templates.
    """
    place = f"{fault.template}:{fault.line}" if isinstance(fault, TemplateError) else ""
    words = {
        "name": str(subject),
        "reason": f"Not drawn: {fault.message}. {fault.remedy}"[:_LONGEST_REASON],
        "width": to_mm(size.width),
        "height": to_mm(size.height),
    }
    face = draw(kit, _BROKEN_FACE, words, subject, size).face
    finding = error(
        "face_broken", f"{subject}: the face cannot be drawn: {fault.message}", cards=(subject,), data={"field": place},
        fix=fault.remedy or "Correct the template.",
    )  # fmt: skip
    return DrawnFace(face, (finding,))


def merge_repeats(findings: Iterable[Finding]) -> list[Finding]:
    """Merges findings with the same code and field about several cards, if a template or its fonts are the cause."""
    groups = grouped(
        ((each.code, *map(each.data.get, ("field", "characters", "icon"))) if each.code in _ALIKE else number, each)
        for number, each in enumerate(findings)
    )
    merged = []
    for first, *others in groups.values():
        cards = tuple(dict.fromkeys(card for finding in (first, *others) for card in finding.cards))
        more = f"{first.message}; the same on {amount(len(cards) - 1, 'more face')}"
        merged.append(first._replace(message=more, cards=cards) if len(cards) > 1 else first)
    return merged


_WORTH = 100
"""The number of faces from which worker processes are worth starting."""
_STRETCH = 8
"""The number of faces that a worker draws in a row and sends together."""
_MOST_STREAMS = 128
"""The most content streams kept in memory, enough for a few pages. They need more memory than faces."""


class _WorkerFace(NamedTuple):
    """A face drawn by a worker, with the keys of its pictures by file name."""

    number: int
    findings: Sequence[Finding]
    stream: ContentStream
    pictures: Mapping[str, str]


class FaceStreams:
    """The content streams of a bank's faces, by number.

    `with_digests` says whether `digests` keeps a digest of the appearance of every face that was drawn, by number.
    """

    def __init__(self, bank: FaceBank, *, with_digests: bool = False) -> None:
        self.bank = bank
        self.digests: dict[int, str] = {}
        self._with_digests = with_digests
        self._builder = StreamBuilder(bank.workshop.kit.book, bank.prepress.inks if bank.prepress else None)
        self._streams: LruCache[int, ContentStream] = LruCache(_MOST_STREAMS)
        self._ahead: Iterator[_WorkerFace] = iter(())
        self._expected: set[int] = set()
        """The numbers of the faces that worker processes draw and that have not been requested yet."""
        self._arrived: dict[int, _WorkerFace] = {}

    def __getitem__(self, number: int) -> ContentStream:
        """Returns the content stream of a face, drawn now unless drawn before. Raises TemplateError, FontError."""
        return self._streams.get(number, lambda: self._stream(number))

    def _stream(self, number: int) -> ContentStream:
        stream = self.bank.cached(number) or self._from_workers(number)
        if stream is None:
            stream = self._builder.face(self.bank[number])
            self.bank.cache(number, stream)
        if self._with_digests:
            self.digests[number] = stream.digest
        return stream

    def digest(self, number: int) -> str:
        """Returns the digest of a face's appearance; it needs `with_digests=True`. Raises TemplateError, FontError."""
        if number not in self.digests:
            self[number]
        return self.digests[number]

    def drawn(self, page: Page) -> DrawnPage:
        """Returns a page with the content streams of its faces. Raises TemplateError, FontError."""
        numbers = dict.fromkeys(placed.face for placed in page.placed)
        return DrawnPage(page, {number: self[number] for number in numbers})

    @contextmanager
    def drawn_ahead(self, numbers: Sequence[int], processes: int) -> Iterator[None]:
        """Lets up to `processes` worker processes draw faces in advance, inside a `with` statement.

        `numbers` are in the order in which the faces will be requested. No process is started if there are too few
        faces, or if the system cannot fork. The drawn faces are the same with any number of processes.
        """
        bank = self.bank
        ahead = [number for number in numbers if number not in bank.findings_of and bank.cached(number) is None]
        with ExitStack() as stack:
            if processes > 1 and len(ahead) >= _WORTH and can_copy():
                with suppress(CarddbError):  # if no process can be started, this one draws all faces
                    stretches = (ahead[start : start + _STRETCH] for start in range(0, len(ahead), _STRETCH))
                    faces = ProcessPool(min(processes, MOST)).map(FaceStreams.worker_faces, self, stretches)
                    self._ahead = stack.enter_context(closing(faces))
                    self._expected = set(ahead)
                    stack.callback(self._expected.clear)
            yield

    def worker_faces(self, numbers: Sequence[int]) -> Iterator[_WorkerFace]:
        """Draws faces in a worker process, which is a copy of this one. Raises TemplateError, FontError."""
        for number in numbers:
            stream = self._builder.face(self.bank[number])
            yield _WorkerFace(number, self.bank.findings_of[number], stream, self.bank.pictures[number])

    def _from_workers(self, number: int) -> ContentStream | None:
        """Returns the content stream of a face from a worker process; None if this process has to draw it."""
        if number not in self._expected or number in self.bank.findings_of:
            return None
        while number not in self._arrived:
            try:
                face = next(self._ahead)
            except CarddbError:  # this process draws the rest, and raises the error of a face
                self._expected.clear()
                return None
            self._arrived[face.number] = face
        face = self._arrived.pop(number)
        self._expected.remove(number)
        self.bank.findings_of[number], self.bank.pictures[number] = face.findings, face.pictures
        self.bank.workshop.images.learn(face.pictures)
        self.bank.cache(number, face.stream)
        return face.stream
