"""Templates drawn once, and after that only what differs from card to card.

A rendered template is a chain of constant texts with a card's values between them. Cards whose constants are the
same share a plan: the drawing's elements in order, each parsed with its values left open. What has no value in it
is drawn once; what has is drawn once for each set of values; words are set anew at a place that is known already.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import compress, count, pairwise
from operator import itemgetter
from typing import Any, NamedTuple, cast

from markupsafe import Markup

from carddb.layout import legibility, svg_parser
from carddb.layout.art import Artwork
from carddb.layout.background import Fill
from carddb.layout.display_list import Group, Run, Shape
from carddb.layout.face_drawing import FaceDrawing
from carddb.layout.geometry import letter_box
from carddb.layout.path import Matrix
from carddb.layout.template import drawable
from carddb.layout.text_elements import TextPlacement
from carddb.layout.text_setting import Setter
from carddb.units import Size

_MOST_PLANS = 200
_MOST_DRAWN = 400
"""Drawings of one element that are remembered."""
_OPEN, _CLOSE = "\ue000", "\ue001"
_HOLE = re.compile(f"{_OPEN}(\\d+){_CLOSE}")
_SLOT = re.compile(r'(?<==")[^"<>]+(?=")|(?<=>)[^<>]+(?=<)')
"""In a macro's answer: what stands between quotes, and what stands between tags."""
_APART = ("opacity", "clip-path")
_HIDDEN = ("defs", "symbol", "clipPath")
_RUNS = {Run}

Pattern = tuple[str | int, ...]
"""A text with open values: constant texts, and the number of a value."""
Key = str | tuple[str, ...]
"""The values that something was drawn with."""
Background = tuple[int, ...] | None
"""The numbers of the pieces drawn so far; None where something else lies among them."""


class DrawnElement(NamedTuple):
    """An element drawn: its shapes, what of it text may stand on, whether it holds text, and what is worth a note.

    No other piece of the job has its `number`.
    """

    number: int
    shapes: tuple[Shape, ...]
    fills: tuple[Fill, ...]
    lettered: bool
    notes: tuple[svg_parser.Note, ...]


class CachedElement(NamedTuple):
    """A part of the drawing that is not a plain text; `source` is a whole document that holds nothing else."""

    source: Pattern
    key: Callable[[Sequence[str]], Key]
    drawn: dict[Key, DrawnElement]


class CachedText(NamedTuple):
    """A text: the document it stands in without its words, and its words."""

    source: Pattern
    key: Callable[[Sequence[str]], Key]
    words: Callable[[Sequence[str]], str]
    places: dict[Key, TextPlacement]


class CachedTemplate(NamedTuple):
    """The parts of a drawing in order, its size and how it gets there, and its title."""

    size: Size
    matrix: Matrix
    parts: list[CachedElement | CachedText]
    title: Callable[[Sequence[str]], str]


class _Outline(NamedTuple):
    """Constants with their elements: `frame` are the values that stand in the root's own tag."""

    root: ET.Element
    frame: tuple[int, ...]
    plans: dict[tuple[Size | None, tuple[str, ...]], CachedTemplate]


class TemplateCache:
    """Draws faces by plan, in the fonts of a setter, with the symbols of a library and pictures by name."""

    def __init__(self, setter: Setter, library: svg_parser.Library, art: Mapping[str, Artwork]) -> None:
        self._setter = setter
        self._library = library
        self._art = art
        self._drawing = FaceDrawing(setter, library, art)
        self._outlines: dict[tuple[str | None, ...], _Outline] = {}
        self._numbers = count()

    def face(
        self, pieces: Sequence[str], size: Size | None
    ) -> tuple[Size, tuple[Shape, ...], str, list[svg_parser.Note]]:
        """Size, shapes, title and notes of a rendered template. Raises Fault."""
        constants, values = split(pieces)
        plan = self._plan(constants, values, size)
        check = legibility.LegibilityCheck(plan.size)
        shapes: list[Shape] = []
        notes: list[svg_parser.Note] = []
        under: Background = ()
        put = self._drawing.lettering.put
        for part in plan.parts:
            if isinstance(part, CachedText):
                place = part.places.get(part.key(values)) or self._place(part, values, plan.matrix)
                before = len(notes)
                told = put(place, _read_as_xml(part.words(values)), notes)
                shapes += told
                if told and not _check(check, place, told, under, fits=len(notes) == before):
                    under = None
                continue
            piece = part.drawn.get(part.key(values))
            if piece is None:
                piece = self._draw(part, values, plan)
            shapes += piece.shapes
            notes += piece.notes
            if piece.lettered:
                check.check_shapes(piece.shapes)
            elif piece.fills:
                check.add_fills(piece.fills)
            else:
                continue
            under = None if under is None else (*under, piece.number)
        return plan.size, tuple(shapes), _read_as_xml(plan.title(values)), notes + check.notes

    def _plan(self, constants: tuple[str | None, ...], values: list[str], size: Size | None) -> CachedTemplate:
        outline = self._outlines.get(constants)
        if outline is None:
            try:
                outline = _outline(constants)
            except svg_parser.Fault:  # a value stands where no mark can: this card has a plan of its own
                return _plan(_plain(svg_parser.parse(_woven(constants, values))), values, size)
            _bounded(self._outlines, _MOST_PLANS)
            self._outlines[constants] = outline
        key = (size, tuple([values[hole] for hole in outline.frame]))
        plan = outline.plans.get(key)
        if plan is None:
            _bounded(outline.plans, _MOST_PLANS)
            plan = outline.plans[key] = _plan(outline.root, values, size)
        return plan

    def _draw(self, part: CachedElement, values: list[str], plan: CachedTemplate) -> DrawnElement:
        root = svg_parser.parse(_document(part.source, values))
        drawing = FaceDrawing(self._setter, self._library, self._art)
        drawing.draw(root, plan.matrix, plan.size)
        shapes = tuple(drawing.shapes)
        lettered = any(isinstance(shape, Run) for shape in _leaves(shapes))
        group = (Group(shapes, shared=True),) if shapes else ()
        fills = () if lettered else legibility.fills(shapes)
        piece = DrawnElement(next(self._numbers), group, fills, lettered, tuple(drawing.notes))
        _bounded(part.drawn, _MOST_DRAWN)
        part.drawn[part.key(values)] = piece
        return piece

    def _place(self, part: CachedText, values: list[str], matrix: Matrix) -> TextPlacement:
        _bounded(part.places, _MOST_DRAWN)
        element, state = _innermost(svg_parser.parse(_document(part.source, values)), matrix)
        place = part.places[part.key(values)] = self._drawing.lettering.place(element, state)
        return place


def split(pieces: Sequence[str]) -> tuple[tuple[str | None, ...], list[str]]:
    """Constant texts, with None for each value, and the values; what a macro gives is both."""
    kinds = tuple(map(type, pieces))
    is_value, is_text = _parting(kinds)
    told = "<".join(compress(pieces, is_value))
    values = told.split("<")
    if len(values) == sum(is_value) and told.isprintable():
        return _spaced(is_value, tuple(compress(pieces, is_text))), values
    constants: list[str | None] = []
    values = []
    for piece in pieces:
        if not isinstance(piece, Markup):
            constants.append(piece)
        elif "<" in piece:
            text, at = drawable(str(piece)), 0
            for slot in _SLOT.finditer(text):
                constants += [text[at : slot.start()], None]
                values.append(slot[0])
                at = slot.end()
            constants.append(text[at:])
        else:
            constants.append(None)
            values.append(str(piece) if piece.isprintable() else drawable(str(piece)))
    return tuple(constants), values


@lru_cache(maxsize=_MOST_PLANS)
def _parting(kinds: tuple[type[str], ...]) -> tuple[tuple[bool, ...], tuple[bool, ...]]:
    """Which pieces of these kinds are values, and which are not."""
    is_value = tuple([kind is Markup for kind in kinds])
    return is_value, tuple([not value for value in is_value])


@lru_cache(maxsize=_MOST_PLANS)
def _spaced(is_value: tuple[bool, ...], texts: tuple[str, ...]) -> tuple[str | None, ...]:
    """Constant texts, and None where the values were."""
    left = iter(texts)
    return tuple([None if value else next(left) for value in is_value])


def _read_as_xml(text: str) -> str:
    if "&" not in text:
        return text
    from html import unescape  # few cards need its table

    return unescape(text)


def _filled(parts: Pattern) -> Callable[[Sequence[str]], str]:
    """Gives a text with its values."""
    if len(parts) == 1 and isinstance(parts[0], int):
        return itemgetter(parts[0])
    return partial(_document, parts)


def _document(parts: Pattern, values: Sequence[str]) -> str:
    return "".join([part if isinstance(part, str) else values[part] for part in parts])


def _check(
    check: legibility.LegibilityCheck, place: TextPlacement, shapes: list[Shape], under: Background, fits: bool
) -> bool:
    """Checks a text; `fits` says that it lies in its box. False where it is background for what follows."""
    if {*map(type, shapes)} != _RUNS:
        check.check_shapes(shapes)
        return False
    runs = cast("list[Run]", shapes)
    size = runs[0].size
    if place.frame and fits:
        span = place.frame
    elif len(shapes) == 1 and not place.angle:
        span = letter_box(runs[0])
    else:
        check.check_runs(runs)
        return True
    legible = place.legible.get((under, size))
    if legible and legible.holds(span):
        return True
    if check.check_text(runs, span) and under is not None:
        _bounded(place.legible, _MOST_DRAWN)
        place.legible[under, size] = span
    return True


def _leaves(shapes: Iterable[Shape]) -> Iterator[Shape]:
    for shape in shapes:
        if isinstance(shape, Group):
            yield from _leaves(shape.shapes)
        else:
            yield shape


def _bounded(kept: dict[Any, Any], most: int) -> None:
    """Room for one more: what is full begins anew."""
    if len(kept) >= most:
        kept.clear()


def _woven(constants: Sequence[str | None], values: Sequence[str]) -> str:
    """The text as it was rendered."""
    value = iter(values)
    return "".join([next(value) if text is None else text for text in constants])


def _outline(constants: Sequence[str | None]) -> _Outline:
    """The elements of a drawing with a mark for each value. Raises Fault."""
    if any(text and _OPEN in text for text in constants):
        raise svg_parser.Fault("the template has a mark of ours in it")
    root = _plain(svg_parser.parse(_woven(constants, [f"{_OPEN}{n}{_CLOSE}" for n in range(constants.count(None))])))
    return _Outline(root, tuple(sorted({hole for text in root.attrib.values() for hole in _holes(_parts(text))})), {})


def _plain(root: ET.Element) -> ET.Element:
    """The elements by their names alone."""
    for element in root.iter():
        element.tag = svg_parser.tag_of(element)
    return root


def _plan(root: ET.Element, values: Sequence[str], size: Size | None) -> CachedTemplate:
    """The plan for one size, the values of the root's own tag put in. Raises Fault."""
    told = {name: _read_as_xml(_document(_parts(text), values)) for name, text in root.attrib.items()}
    frame = ET.Element(root.tag, told)
    target, matrix = svg_parser.fitted(frame, size)
    named = ET.Element("defs")
    named.extend(element for element in root.iter() if "id" in element.attrib)
    title = next((element for element in root.iter("title")), None)
    words = _parts("".join(title.itertext()).strip()) if title is not None else ()
    return CachedTemplate(target, matrix, list(_steps(root, (frame,), named)), _filled(words))


def _steps(
    element: ET.Element, outer: tuple[ET.Element, ...], named: ET.Element
) -> Iterator[CachedElement | CachedText]:
    """The drawing's parts in order; neighbours without a value are one part."""
    still: list[ET.Element] = []
    for child in element:
        if child.tag in _HIDDEN or child.tag == "title":
            continue
        lettered = any(inner.tag in ("text", "image", "title") for inner in child.iter())
        if not lettered and not _marked(child):
            still.append(child)
            continue
        if still:
            yield _element(still, outer, named)
            still = []
        if child.tag == "text" and not len(child):
            yield _words(child, outer)
        elif child.tag == "g" and lettered and not any(name in child.attrib for name in _APART):
            yield from _steps(child, (*outer, child), named)
        else:
            yield _element([child], outer, named)
    if still:
        yield _element(still, outer, named)


def _element(children: Sequence[ET.Element], outer: Sequence[ET.Element], named: ET.Element) -> CachedElement:
    source = _parts(_written(children, outer, named))
    return CachedElement(source, _key(source), {})


def _words(text: ET.Element, outer: Sequence[ET.Element]) -> CachedText:
    source = _parts(_written([ET.Element(text.tag, text.attrib)], outer, ET.Element("defs")))
    return CachedText(source, _key(source), _filled(_parts(text.text or "")), {})


def _written(children: Sequence[ET.Element], outer: Sequence[ET.Element], named: ET.Element) -> str:
    """A document with nothing in it but these elements, what they stand in, and what they may refer to."""
    shells = [ET.Element(element.tag, element.attrib) for element in outer]
    for shell, inner in pairwise(shells):
        shell.append(inner)
    shells[-1].extend(children)
    refers = any("href" in inner.attrib or "clip-path" in inner.attrib for inner in shells[0].iter())
    if refers and len(named):
        shells[0].insert(0, named)
    for child in children:
        child.tail = None
    return ET.tostring(shells[0], encoding="unicode")


def _innermost(root: ET.Element, matrix: Matrix) -> tuple[ET.Element, svg_parser.State]:
    """The one element that all others of a document stand round, and what holds in it. Raises Fault."""
    element, state = root, svg_parser.inherit(root, svg_parser.State(matrix, svg_parser.INITIAL))
    while len(element):
        element = element[0]
        state = svg_parser.inherit(element, state)
    return element, state


def _parts(text: str) -> Pattern:
    """A text at its marks: constants, and the numbers of values."""
    pieces = _HOLE.split(text)
    return tuple(int(piece) if at % 2 else piece for at, piece in enumerate(pieces) if at % 2 or piece)


def _holes(parts: Pattern) -> tuple[int, ...]:
    return tuple(part for part in parts if isinstance(part, int))


def _key(parts: Pattern) -> Callable[[Sequence[str]], Key]:
    """Gives the values that a part depends on."""
    holes = sorted(set(_holes(parts)))
    return itemgetter(*holes) if holes else lambda _values: ()


def _marked(element: ET.Element) -> bool:
    return _OPEN in ET.tostring(element, encoding="unicode")
