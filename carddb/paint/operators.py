"""Display lists as PDF operators, in micrometres: the page's own matrix turns them into points.

Form XObjects hold what is seen through as a whole, and what a painter is asked to write once.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from carddb.layout.display import Group, Path, Picture, Run, Shape
from carddb.layout.fonts import FontBook
from carddb.layout.path import direction
from carddb.paint.alphabet import Alphabet
from carddb.paint.paper import Content, Paper
from carddb.paint.pen import Pen, number, outline
from carddb.paint.pictures import Album
from carddb.paint.subset import font_of
from carddb.units import Box, Size

_EVERYWHERE = Box(-1_000_000, -1_000_000, 4_000_000, 4_000_000)
_FORM_WORTH = 200
"""Bytes of operators above which a group of several pages is smaller as a form."""
_MOST_SHARED = 2_000


def page_matrix(size: Size) -> str:
    """From micrometres, y downwards, to points, y upwards."""
    return f"0.0028346457 0 0 -0.0028346457 0 {number(Fraction(size.height * 72, 25400))} cm 4 M\n"


class Painter:
    """Turns shapes into operators for one PDF; fonts and pictures are put into it when first drawn.

    Raises FontError and InputError for what cannot be embedded.
    """

    def __init__(self, paper: Paper, book: FontBook, images: Mapping[str, bytes]) -> None:
        self._paper = paper
        self._book = book
        self._album = images if isinstance(images, Album) else Album(images, strict=True)
        self._alphabets: dict[str, Alphabet] = {}
        self._names: dict[str, str] = {}
        self._shared: dict[int, _Shared] = {}
        self.page = 0
        """The page being drawn: what comes again on another is worth a form."""

    def shapes(self, shapes: tuple[Shape, ...], *, within: bool = False) -> Content:
        """The operators of some shapes, `within` others or on a bare page, leaving the graphics state as it was."""
        names: set[str] = set()
        pen = Pen(within=within)
        self._draw(shapes, pen, names)
        code = pen.code()
        return Content(f"q\n{code}Q\n" if code else "", frozenset(names))

    def once(self, content: Content, *, blended: bool = False) -> Content:
        """The same drawing as a form XObject: written once, however often it is drawn."""
        if not content.code:
            return content
        digest = hashlib.sha256(content.code.encode("latin-1")).hexdigest()
        key = f"{'blended' if blended else 'plain'} {digest}"
        name = self._names.get(key)
        if name is None:
            name = self._names[key] = f"X{len(self._names)}"
            self._paper.form(name, content, _EVERYWHERE, blended=blended)
        return Content(f"/{name} Do\n", frozenset({name}))

    def _draw(self, shapes: tuple[Shape, ...], pen: Pen, names: set[str]) -> None:
        for shape in shapes:
            if isinstance(shape, Run):
                pen.run(shape, self._alphabet(shape.words[0].font))
            elif isinstance(shape, Group):
                self._group(shape, pen, names)
            elif isinstance(shape, Path):
                pen.path(shape)
            else:
                self._picture(shape, pen, names)

    def _alphabet(self, key: str) -> Alphabet:
        found = self._alphabets.get(key)
        if found is None:
            found = self._alphabets[key] = self._paper.font(font_of(self._book.fonts, key))
        return found

    def _picture(self, picture: Picture, pen: Pen, names: set[str]) -> None:
        use = self._album.use(picture)
        if use is None:
            return
        name = f"I{use.number}"
        if use.bitmap:
            self._paper.picture(name, use.bitmap)
        names.add(name)
        clip = picture.clip
        window = "" if clip.contains(picture.box) else f"{clip.x} {clip.y} {clip.width} {clip.height} re W n\n"
        pen.add(f"q\n{window}{picture_matrix(use.box, picture.angle)} cm /{name} Do\nQ\n")

    def _group(self, group: Group, pen: Pen, names: set[str]) -> None:
        content = self._again(group) if group.shared else self._inside(group)
        if content.code:
            names.update(content.names)
            pen.add(content.code)

    def _inside(self, group: Group) -> Content:
        if group.opacity < 1000:
            inner = self._veiled(group)
        else:
            inner = self.shapes(group.shapes, within=True)
            if not group.clip or not inner.code:
                return inner
        window = f"{outline(group.clip)}{'W*' if group.evenodd else 'W'} n\n" if group.clip else ""
        return Content(f"q\n{window}{inner.code}Q\n" if inner.code else "", inner.names)

    def _again(self, group: Group) -> Content:
        """A shared group: its operators, and from the second page on a form where that is shorter."""
        known = self._shared.get(id(group))
        if known is None:
            if len(self._shared) >= _MOST_SHARED:
                self._shared.clear()
            known = self._shared[id(group)] = _Shared(group, self._inside(group), self.page)
        elif known.page != self.page and len(known.content.code) > _FORM_WORTH:
            known.content = self.once(known.content)
        return known.content

    def _veiled(self, group: Group) -> Content:
        """A group seen through as a whole, so that its shapes do not shine through each other."""
        state = self._paper.opacity(max(0, group.opacity))
        content = self.once(self.shapes(group.shapes, within=True), blended=True)
        return Content(f"{state} gs {content.code}" if content.code else "", content.names)


@dataclass(slots=True)
class _Shared:
    """What became of a group: kept with it, so that no other can have its id."""

    group: Group
    content: Content
    page: int


def picture_matrix(box: Box, angle: int) -> str:
    """The unit square, turned clockwise by quarters, into a box; other angles turn the box round its centre."""
    quarter = round(angle / 90) * 90
    x, y, w, h = box.x, box.y, box.width, box.height
    matrix = {
        0: (w, 0, 0, -h, x, y + h),
        90: (0, h, w, 0, x, y),
        180: (-w, 0, 0, h, x + w, y),
        270: (0, -h, -w, 0, x + w, y + h),
    }[quarter % 360]
    rest = angle - quarter
    placed = " ".join(map(number, matrix))
    if not rest:
        return placed
    cos, sin = direction(rest)
    mx, my = x + w / 2, y + h / 2
    turn = (cos, sin, -sin, cos, mx - cos * mx + sin * my, my - sin * mx - cos * my)
    return f"{' '.join(map(number, turn))} cm {placed}"
