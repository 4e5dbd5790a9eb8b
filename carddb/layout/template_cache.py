"""A cache of templates: what is the same on many cards is drawn once.

A rendered template is a sequence of constant texts with a card's values between them. Cards with the same constants
share a plan: the drawing's elements in order, each parsed with placeholders for its values. An element without values
is drawn once, one with values once for each set of them; texts are set anew at a place that is computed once.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import compress, count, pairwise
from operator import itemgetter
from typing import Any, NamedTuple, cast

from carddb.layout import legibility, svg_parser
from carddb.layout.art import Artwork
from carddb.layout.background import Fill
from carddb.layout.display_list import Group, Run, Shape, walk
from carddb.layout.face_drawing import FaceDrawing
from carddb.layout.geometry import letter_box
from carddb.layout.path import Matrix
from carddb.layout.template import TEXT, VALUE, Rendered, drawable
from carddb.layout.text_elements import TextPlacement
from carddb.layout.text_setting import Setter
from carddb.units import Size

_MOST_PLANS = 200
_MOST_CACHED = 400
"""Drawings of one element."""
_OPEN, _CLOSE = "\ue000", "\ue001"
_PLACEHOLDER = re.compile(f"{_OPEN}(\\d+){_CLOSE}")
_VALUE = re.compile(r'(?<==")[^"<>]+(?=")|(?<=>)[^<>]+(?=<)')
"""In the output of a macro: what stands between quotes, and what stands between tags."""
_GROUPING = ("opacity", "clip-path")
_HIDDEN = ("defs", "symbol", "clipPath")
_RUNS = {Run}

Pattern = tuple[str | int, ...]
"""A text with placeholders: constant texts, and the numbers of values."""
Key = str | tuple[str, ...]
"""The values that an element depends on."""
Background = tuple[int, ...] | None
"""The numbers of the elements drawn so far; None where others were drawn too."""


class DrawnTemplate(NamedTuple):
    """A rendered template drawn: its size, shapes, title and notes, and the pictures in it: their keys by name."""

    size: Size
    shapes: tuple[Shape, ...]
    title: str
    notes: list[svg_parser.Note]
    pictures: dict[str, str]


class DrawnElement(NamedTuple):
    """An element drawn: its shapes, its fills, whether it holds text, its notes and its pictures.

    `number` is unique in the job.
    """

    number: int
    shapes: tuple[Shape, ...]
    fills: tuple[Fill, ...]
    lettered: bool
    notes: tuple[svg_parser.Note, ...]
    pictures: dict[str, str]


class CachedElement(NamedTuple):
    """A part of the drawing that is not a plain text; `source` is a document that holds nothing else."""

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
    """The elements of some constants: `frame` are the numbers of the values in the root's own tag."""

    root: ET.Element
    frame: tuple[int, ...]
    plans: dict[tuple[Size | None, tuple[str, ...]], CachedTemplate]


class TemplateCache:
    """Draws faces in the fonts of a setter, with the symbols of a library and pictures by name."""

    def __init__(self, setter: Setter, library: svg_parser.Library, art: Mapping[str, Artwork]) -> None:
        self._setter = setter
        self._library = library
        self._art = art
        self._drawing = FaceDrawing(setter, library, art)
        self._outlines: dict[tuple[str | None, ...], _Outline] = {}
        self._numbers = count()
        self._elements = 0
        """Elements of this face that were drawn anew."""

    def face(self, rendered: Rendered, size: Size | None) -> DrawnTemplate:
        """Draws a rendered template. Raises Fault."""
        self._elements = 0
        constants, values = split(rendered)
        plan = self._plan(constants, values, size)
        check = legibility.LegibilityCheck(plan.size)
        shapes: list[Shape] = []
        notes: list[svg_parser.Note] = []
        pictures: dict[str, str] = {}
        under: Background = ()
        set_text = self._drawing.text_elements.set
        for part in plan.parts:
            if isinstance(part, CachedText):
                place = part.places.get(part.key(values)) or self._place(part, values, plan.matrix)
                before = len(notes)
                words = set_text(place, _unescaped(part.words(values)), notes)
                shapes += words
                if words and not _check(check, place, words, under, fits=len(notes) == before):
                    under = None
                continue
            piece = part.drawn.get(part.key(values))
            if piece is None:
                piece = self._draw(part, values, plan)
            shapes += piece.shapes
            notes += piece.notes
            pictures |= piece.pictures
            if piece.lettered:
                check.check_shapes(piece.shapes)
            elif piece.fills:
                check.add_fills(piece.fills)
            else:
                continue
            under = None if under is None else (*under, piece.number)
        return DrawnTemplate(plan.size, tuple(shapes), _unescaped(plan.title(values)), notes + check.notes, pictures)

    def _plan(self, constants: tuple[str | None, ...], values: list[str], size: Size | None) -> CachedTemplate:
        outline = self._outlines.get(constants)
        if outline is None:
            try:
                outline = _outline(constants)
            except svg_parser.Fault:  # a value stands where no placeholder can: this card has a plan of its own
                return _plan(_plain(svg_parser.parse(_joined(constants, values))), values, size)
            _make_room(self._outlines, _MOST_PLANS)
            self._outlines[constants] = outline
        key = (size, tuple([values[number] for number in outline.frame]))
        plan = outline.plans.get(key)
        if plan is None:
            _make_room(outline.plans, _MOST_PLANS)
            plan = outline.plans[key] = _plan(outline.root, values, size)
        return plan

    def _draw(self, part: CachedElement, values: list[str], plan: CachedTemplate) -> DrawnElement:
        root = svg_parser.parse(_document(part.source, values))
        drawing = FaceDrawing(self._setter, self._library, self._art)
        drawing.elements = self._elements
        drawing.draw(root, plan.matrix, plan.size)
        self._elements = drawing.elements
        shapes = tuple(drawing.shapes)
        lettered = any(isinstance(shape, Run) for shape in walk(shapes))
        group = (Group(shapes, shared=True),) if shapes else ()
        fills = () if lettered else legibility.fills(shapes)
        piece = DrawnElement(next(self._numbers), group, fills, lettered, tuple(drawing.notes), drawing.pictures)
        _make_room(part.drawn, _MOST_CACHED)
        part.drawn[part.key(values)] = piece
        return piece

    def _place(self, part: CachedText, values: list[str], matrix: Matrix) -> TextPlacement:
        _make_room(part.places, _MOST_CACHED)
        element, state = _innermost(svg_parser.parse(_document(part.source, values)), matrix)
        place = part.places[part.key(values)] = self._drawing.text_elements.place(element, state)
        return place


def split(rendered: Rendered) -> tuple[tuple[str | None, ...], list[str]]:
    """Constant texts, with None for each value, and the values; the output of a macro has both."""
    pieces, kinds = rendered
    is_value, is_text = _kinds_of(kinds)
    joined = "<".join(compress(pieces, is_value))
    values = joined.split("<")
    if len(values) == kinds.count(VALUE) and joined.isprintable():
        return _with_gaps(is_value, tuple(compress(pieces, is_text))), values
    constants: list[str | None] = []
    values = []
    for piece, kind in zip(pieces, kinds, strict=True):
        if kind == TEXT:
            constants.append(piece)
        elif "<" in piece:
            text, at = drawable(str(piece)), 0
            for match in _VALUE.finditer(text):
                constants += [text[at : match.start()], None]
                values.append(match[0])
                at = match.end()
            constants.append(text[at:])
        else:
            constants.append(None)
            values.append(str(piece) if piece.isprintable() else drawable(str(piece)))
    return tuple(constants), values


@lru_cache(maxsize=_MOST_PLANS)
def _kinds_of(kinds: str) -> tuple[tuple[bool, ...], tuple[bool, ...]]:
    """Whether each piece is a value, and whether it is constant."""
    is_value = tuple([kind == VALUE for kind in kinds])
    return is_value, tuple([not value for value in is_value])


@lru_cache(maxsize=_MOST_PLANS)
def _with_gaps(is_value: tuple[bool, ...], texts: tuple[str, ...]) -> tuple[str | None, ...]:
    """Constant texts, and None where the values were."""
    left = iter(texts)
    return tuple([None if value else next(left) for value in is_value])


def _unescaped(text: str) -> str:
    if "&" not in text:
        return text
    from html import unescape  # few cards need its table

    return unescape(text)


def _reader_of(parts: Pattern) -> Callable[[Sequence[str]], str]:
    """A function that gives a text with its values."""
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
        _make_room(place.legible, _MOST_CACHED)
        place.legible[under, size] = span
    return True


def _make_room(cache: dict[Any, Any], most: int) -> None:
    """Empties a cache that is full."""
    if len(cache) >= most:
        cache.clear()


def _joined(constants: Sequence[str | None], values: Sequence[str]) -> str:
    """The text as it was rendered."""
    value = iter(values)
    return "".join([next(value) if text is None else text for text in constants])


def _outline(constants: Sequence[str | None]) -> _Outline:
    """The elements of a drawing with a placeholder for each value. Raises Fault."""
    if any(text and _OPEN in text for text in constants):
        raise svg_parser.Fault("the template has a mark of ours in it")
    root = _plain(svg_parser.parse(_joined(constants, [f"{_OPEN}{n}{_CLOSE}" for n in range(constants.count(None))])))
    return _Outline(
        root, tuple(sorted({number for text in root.attrib.values() for number in _value_numbers(_parts(text))})), {}
    )


def _plain(root: ET.Element) -> ET.Element:
    """The elements with names without a namespace."""
    for element in root.iter():
        element.tag = svg_parser.tag_of(element)
    return root


def _plan(root: ET.Element, values: Sequence[str], size: Size | None) -> CachedTemplate:
    """The plan for one size, the values of the root's own tag put in. Raises Fault."""
    attributes = {name: _unescaped(_document(_parts(text), values)) for name, text in root.attrib.items()}
    frame = ET.Element(root.tag, attributes)
    target, matrix = svg_parser.fitted(frame, size)
    referable = ET.Element("defs")
    referable.extend(element for element in root.iter() if "id" in element.attrib)
    title = next((element for element in root.iter("title")), None)
    words = _parts("".join(title.itertext()).strip()) if title is not None else ()
    return CachedTemplate(target, matrix, list(_elements(root, (frame,), referable)), _reader_of(words))


def _elements(
    element: ET.Element, ancestors: tuple[ET.Element, ...], referable: ET.Element
) -> Iterator[CachedElement | CachedText]:
    """The drawing's parts in order; neighbours without a value are one part."""
    static: list[ET.Element] = []
    for child in element:
        if child.tag in _HIDDEN or child.tag == "title":
            continue
        lettered = any(inner.tag in ("text", "image", "title") for inner in child.iter())
        if not lettered and not _has_values(child):
            static.append(child)
            continue
        if static:
            yield _element(static, ancestors, referable)
            static = []
        if child.tag == "text" and not len(child):
            yield _words(child, ancestors)
        elif child.tag == "g" and lettered and not any(name in child.attrib for name in _GROUPING):
            yield from _elements(child, (*ancestors, child), referable)
        else:
            yield _element([child], ancestors, referable)
    if static:
        yield _element(static, ancestors, referable)


def _element(children: Sequence[ET.Element], ancestors: Sequence[ET.Element], referable: ET.Element) -> CachedElement:
    source = _parts(_written(children, ancestors, referable))
    return CachedElement(source, _key(source), {})


def _words(text: ET.Element, ancestors: Sequence[ET.Element]) -> CachedText:
    source = _parts(_written([ET.Element(text.tag, text.attrib)], ancestors, ET.Element("defs")))
    return CachedText(source, _key(source), _reader_of(_parts(text.text or "")), {})


def _written(children: Sequence[ET.Element], ancestors: Sequence[ET.Element], referable: ET.Element) -> str:
    """A document of these elements, their ancestors, and what they may refer to."""
    shells = [ET.Element(element.tag, element.attrib) for element in ancestors]
    for shell, inner in pairwise(shells):
        shell.append(inner)
    shells[-1].extend(children)
    refers = any("href" in inner.attrib or "clip-path" in inner.attrib for inner in shells[0].iter())
    if refers and len(referable):
        shells[0].insert(0, referable)
    for child in children:
        child.tail = None
    return ET.tostring(shells[0], encoding="unicode")


def _innermost(root: ET.Element, matrix: Matrix) -> tuple[ET.Element, svg_parser.State]:
    """The innermost element of a document, and what it inherits. Raises Fault."""
    element, state = root, svg_parser.inherit(root, svg_parser.State(matrix, svg_parser.INITIAL))
    while len(element):
        element = element[0]
        state = svg_parser.inherit(element, state)
    return element, state


def _parts(text: str) -> Pattern:
    """A text split at its placeholders."""
    pieces = _PLACEHOLDER.split(text)
    return tuple(int(piece) if at % 2 else piece for at, piece in enumerate(pieces) if at % 2 or piece)


def _value_numbers(parts: Pattern) -> tuple[int, ...]:
    return tuple(part for part in parts if isinstance(part, int))


def _key(parts: Pattern) -> Callable[[Sequence[str]], Key]:
    """A function that gives the values that a part depends on."""
    numbers = sorted(set(_value_numbers(parts)))
    return itemgetter(*numbers) if numbers else lambda _values: ()


def _has_values(element: ET.Element) -> bool:
    return any(
        _OPEN in text
        for inner in element.iter()
        for text in (inner.text or "", inner.tail or "", *inner.attrib.values())
    )
