"""Checks that the texts on a face can be read: type size, contrast, and distance from the cut."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from carddb.core.plain_text import amount, shortened
from carddb.core.units import UM_PER_MM, Size, mm, points, to_mm
from carddb.findings import CardCount, Finding, warning
from carddb.layout.colours import contrast, mixed, shades
from carddb.layout.display_list import OPAQUE, UNSEEN, Face, Group, Path, PlacedImage, Run, Shape, walk
from carddb.layout.drawing.bleed import PAPER, Fill, one_colour
from carddb.layout.drawing.gradient import colour_at
from carddb.layout.drawing.outline import Outline
from carddb.layout.drawing.path import Extent, Matrix, edges, letter_box, letter_point, span_of_path, union
from carddb.layout.drawing.svg_parser import DrawingFault

SMALLEST_TYPE = points(6)
LEAST_CONTRAST, LEAST_OF_LARGE = 4.5, 3.0
"""The least contrast of normal text and of large text (WCAG 2.2, 1.4.3)."""
_LARGE, _LARGE_BOLD, _BOLD = points(18), points(14), 700
"""The least size of a large text, the least size of a large bold text, and the least weight of a bold text."""
_SLACK = 20
"""The tolerance for rounding, in micrometres, in a drawing that was scaled."""
_MIDDLE = 0.3
"""The height of the middle of letters above their baseline, in ems."""


_LEAST_OF_ICON = 1.3
"""The contrast to the background that some part of an icon must have, so that the icon can be told from it."""
_OVERLAP = 300
"""The distances by which the letters of two texts may overlap, across and down, in micrometres."""
_LETTERS = 500
"""The height of most small letters above the baseline, in thousandths of the em."""
_SAMPLES = 12
"""The most points of an outline at which it is compared with its background."""


class Icon(NamedTuple):
    """An icon on a face: its name, the card field that it belongs to, and its shapes."""

    name: str
    field: str
    shapes: tuple[Shape, ...]


class _LegibilityCheck:
    """Checks the texts of a face in drawing order, each against the fills drawn before it."""

    def __init__(self, size: Size, icons: Sequence[Icon]) -> None:
        self.notes: list[DrawingFault] = []
        self._texts: list[tuple[Run, Extent]] = []
        """The texts so far that no fill covers, each with the bounding rectangle of its small letters."""
        self._pictures: list[Extent] = []
        self._icon_of = {id(path): icon for icon in icons for path in walk(icon.shapes) if isinstance(path, Path)}
        self._faint: dict[int, tuple[Icon, str, str]] = {}
        self._seen: set[int] = set()
        """The `id()` of each icon of which some part differs from its background."""
        self._face = Extent(0, 0, size.width, size.height)
        self._fills: list[Fill] = []

    def check(self, shapes: Iterable[Shape], window: Extent | None = None, opacity: int = OPAQUE) -> None:
        """Checks the texts and icons in `shapes` that show in `window`; fills become their background."""
        for shape in shapes:
            if isinstance(shape, Run):
                if shape.colour != UNSEEN:
                    self._check_run(shape)
                    if opacity >= OPAQUE // 2:
                        self._check_overlap(shape)
            elif isinstance(shape, PlacedImage):
                self._pictures.append(Extent.of(shape.clip))
            elif isinstance(shape, Path):
                if id(shape) in self._icon_of:
                    self._check_icon(shape, self._icon_of[id(shape)])
                if shape.fill and shape.ops:
                    fill = Fill(shape, shape.fill, window, opacity)
                    if fill.span.left <= fill.span.right and fill.span.top <= fill.span.bottom:
                        self._fills.append(fill)
                        if self._texts and fill.opacity == OPAQUE and (core := fill.core):
                            self._texts = [(run, box) for run, box in self._texts if not core.holds(box)]
            elif isinstance(shape, Group):
                inner = span_of_path(shape.clip).within(window) if shape.clip else window
                self.check(shape.shapes, inner, opacity * shape.opacity // OPAQUE)

    def _check_overlap(self, run: Run) -> None:
        """Adds a fault if a text overlaps an earlier text with other words; the same words twice are a shadow."""
        if run.angle % 90 or not run.text.strip():
            return
        box = letter_box(run, _LETTERS, 0)
        left, top, right, bottom = box
        for other, under in self._texts:
            if under[0] >= right or left >= under[2] or under[1] >= bottom or top >= under[3]:
                continue  # most pairs are far apart: without this, a solo sheet takes a sixth longer
            common = box.common(under)
            if min(common.right - common.left, common.bottom - common.top) > _OVERLAP and other.text != run.text:
                said = {"other": " ".join(other.text.split()), "other_field": other.field}
                self._note("text_overlap", run, x_um=common.left, y_um=common.top, **said)
                break
        self._texts.append((run, box))

    def _check_icon(self, path: Path, icon: Icon) -> None:
        """Records whether a part of an icon differs from its background at any of its sample points."""
        colours = [colour for colour in (path.fill, path.stroke and path.stroke.colour) if colour]
        points = [points[-2:] for _, points in path.ops if points]
        for x, y in points[:: 1 + len(points) // _SAMPLES]:
            ground = _colour_at(self._fills, x, y)
            on_picture = any(span.left <= x <= span.right and span.top <= y <= span.bottom for span in self._pictures)
            for colour in colours:
                self._faint.setdefault(id(icon), (icon, colour, ground))
                if on_picture or contrast(colour, ground) >= _LEAST_OF_ICON:
                    self._seen.add(id(icon))

    def icon_notes(self) -> list[DrawingFault]:
        """Returns a fault for every icon of which no part differs from its background."""
        return [
            DrawingFault("icon_faint", icon.field, icon.name, {"icon": icon.name, "colour": colour, "ground": ground})
            for key, (icon, colour, ground) in self._faint.items()
            if key not in self._seen
        ]

    def _check_run(self, run: Run) -> None:
        """Adds a fault if a text is too small, has too little contrast, or is outside the face."""
        if run.size < SMALLEST_TYPE - 1:
            self._note("text_too_small", run, size_um=run.size, least_um=SMALLEST_TYPE)
        ground = one_colour(self._fills, letter_box(run)) or min(
            self._grounds(run), key=lambda ground: contrast(run.colour, ground)
        )
        ratio, least = contrast(run.colour, ground), least_contrast(run)
        if ratio < least:
            better = next(shade for shade in shades(run.colour) if contrast(shade, ground) >= least)
            seen = {"colour": run.colour, "ground": ground, "better": better}
            self._note("contrast_low", run, ratio=round(ratio, 2), least=least, **seen)
        if not self._face.holds(letter_box(run, 0, 0), _SLACK):
            self._note("text_outside", run, x_um=run.x, y_um=run.y, width_um=run.width)

    def _grounds(self, run: Run) -> Iterator[str]:
        """Yields the background colour behind the middle of each letter of a text."""
        around = letter_box(run).grown(1)
        fills = [fill for fill in self._fills if fill.span.overlaps(around)]
        x = 0
        for advance in run.advances:
            yield _colour_at(fills, *letter_point(run, x + advance / 2, run.size * _MIDDLE))
            x += advance

    def _note(self, kind: str, run: Run, **data: int | float | str) -> None:
        self.notes.append(DrawingFault(kind, run.field, run.text, data))


def least_contrast(run: Run) -> float:
    """Returns the least contrast that a text of this size and weight needs."""
    if run.size < _LARGE_BOLD:
        return LEAST_CONTRAST
    bold = any(part.isdigit() and int(part) >= _BOLD for part in run.font.split())
    return LEAST_OF_LARGE if run.size >= (_LARGE_BOLD if bold else _LARGE) else LEAST_CONTRAST


def _colour_at(fills: Sequence[Fill], x: float, y: float) -> str:
    """Returns the colour seen at a point: that of the topmost opaque fill, through the translucent fills above it."""
    ground, glazes = PAPER, list[tuple[str, int]]()
    for fill in reversed(fills):
        if fill.covers(x, y):
            colour, opacity = fill.colour, fill.opacity
            if fill.path.gradient:
                colour, own = colour_at(fill.path.gradient, x, y)
                opacity = opacity * own // OPAQUE
            if opacity == OPAQUE:
                ground = colour
                break
            glazes.append((colour, opacity))
    for glaze, opacity in reversed(glazes):
        ground = mixed(glaze, ground, opacity)
    return ground


def notes(face: Face, icons: Sequence[Icon] = ()) -> list[DrawingFault]:
    """Returns a fault for every text that is too small, has too little contrast, overlaps another or is outside the
    face, and for every icon that cannot be told from its background.
    """
    check = _LegibilityCheck(face.size, icons)
    check.check(face.shapes)
    return [*check.notes, *check.icon_notes()]


FAN = Size(mm(10), mm(30))
"""The size of the part of a card that shows when it is held in a hand, under the next card."""


def hidden_notes(
    face: Face, matrix: Matrix, signs: Sequence[Icon], fields: Sequence[str], is_right_to_left: bool
) -> list[DrawingFault]:
    """Returns a fault for each of `fields` that does not show when the card is held in a hand, under the next card.

    A field shows if a line of it, or one of the `signs` drawn for it, is wholly at the upper left (FAN), or at the
    upper right if the language is written from right to left. This part moves and grows with the drawing's `matrix`.
    """
    scale, x, y = max(1, matrix[0] / UM_PER_MM), round(matrix[4]), round(matrix[5])
    width = round(FAN.width * scale)
    left = face.size.width - x - width if is_right_to_left else x
    strip = Extent(left, 0, left + width, y + round(FAN.height * scale))
    shown = {
        run.field for run in walk(face.shapes) if isinstance(run, Run) and strip.holds(letter_box(run, _CAPITALS, 0))
    }
    for sign in signs:
        paths = [shape for shape in walk(sign.shapes) if isinstance(shape, Path) and shape.ops]
        if paths and strip.holds(union(span_of_path(path.ops) for path in paths), _SLACK):
            shown.add(sign.field)
    return [DrawingFault("hidden_in_hand", field, field) for field in fields if field not in shown]


_ABOVE, _BELOW = 720, 220
"""The heights of most letters above and below their baseline, in thousandths of the em."""
_CAPITALS = 700
"""The height of capitals above the baseline, in thousandths of the em; at the upper edge they are cut off first."""


@dataclass
class SafeArea:
    """Checks faces one by one, and reports the worst case for each card field.

    `inset` is the distance in micrometres that text must keep from the trim, and `place` is who requires it, such as a
    printer or a shop.
    """

    inset: int
    place: str
    _near: dict[str, list[tuple[int, str, CardCount]]] = field(default_factory=dict)
    """`{field: [(distance from the trim, negative outside; words; card) of each text]}`."""

    def check(self, face: Face, subject: CardCount, outline: Outline | None = None) -> None:
        """Records the texts of a face that are too near to the trim; the trim is the `outline` if there is one."""
        shape = None if outline is None or outline.straight else outline
        for run in (each for each in walk(face.shapes) if isinstance(each, Run) and each.colour != UNSEEN):
            box = letter_box(run, _ABOVE, _BELOW)
            distance = shape.inset(box) if shape else box.inset(face.size)
            if distance < self.inset - _SLACK:
                self._near.setdefault(run.field, []).append((distance, run.text, subject))

    def findings(self) -> list[Finding]:
        """Returns one warning `outside_safe` for each field, quoting the text nearest to the trim."""
        return [self._finding(name, near) for name, near in self._near.items()]

    def _finding(self, name: str, near: Sequence[tuple[int, str, CardCount]]) -> Finding:
        distance, text, subject = min(near, key=lambda each: each[0])
        cards = tuple(dict.fromkeys(card for _, _, card in near))
        more, side = len(cards) - 1, "inside" if distance >= 0 else "outside"
        message = (
            f"{subject}, {name or 'face'}: “{shortened(text, 40)}” is {to_mm(abs(distance)):.2f} mm {side} the cut, "
            f"but {self.place} requires {to_mm(self.inset):.2f} mm inside"
        )
        if more:
            message += f"; the same is true of {amount(more, 'more card')}"
        data = {"field": name, "distance_um": distance, "safe_um": self.inset}
        return warning("outside_safe", message, cards=cards, data=data, fix="Move the text inwards in the template.")


CLEAR = mm(1.5)
"""The distance that words keep from frames and rules, and from the words of other fields."""
_RULE = 0.25
"""The least length of a rule as a share of the face's width; shorter lines are parts of a drawing."""
_TOUCHING = 300
"""The distance up to which the words of two fields on one line, such as 7/8, count as one text."""
_BOX = mm(8)
"""An outline with a side shorter than this is a small shape around words, such as a flag, and not a frame."""


def crowded(face: Face, subject: CardCount) -> list[Finding]:
    """Returns a warning `text_crowded` for each field of a card whose words are nearer than CLEAR to a frame, to a
    rule, or to the words of another field.
    """
    runs = [run for run in walk(face.shapes) if isinstance(run, Run) and run.colour and not run.angle]
    boxes = [(run, letter_box(run, _CAPITALS, 0)) for run in runs if run.text.strip()]
    lines = list(_rules(face.shapes, round(face.size.width * _RULE)))
    found: dict[str, Finding] = {}
    for at, (run, box) in enumerate(boxes):
        near = [(_apart(box, line), "a line or frame") for line in lines]
        near += [
            (_apart(box, under), f"“{word.text}”")
            for word, under in boxes[:at]
            if word.field != run.field and not (word.y == run.y and _apart(box, under) <= _TOUCHING)
        ]
        distance, other = min(near, default=(CLEAR, ""))
        if distance < CLEAR - _SLACK and run.field not in found:
            message = (
                f"{subject}, {run.field or 'face'}: “{run.text}” is only {to_mm(distance):.1f} mm away from {other}; "
                f"texts need at least {to_mm(CLEAR):g} mm of clear space around them"
            )
            data = {"field": run.field, "distance_um": distance, "least_um": CLEAR}
            fix = "Move the text in the template, or shorten it."
            found[run.field] = warning("text_crowded", message, cards=(subject,), data=data, fix=fix)
    return list(found.values())


def _rules(shapes: Iterable[Shape], least: int) -> Iterator[Extent]:
    """Yields the boxes of all vertical and horizontal lines of `least` length or more, also those of frames."""
    for shape in shapes:
        if isinstance(shape, Group) and not shape.clip:
            yield from _rules(shape.shapes, least)
        if not isinstance(shape, Path) or not shape.stroke or not shape.ops:
            continue
        whole, half = span_of_path(shape.ops), shape.stroke.width // 2
        if shape.ops[-1][0] == "Z" and min(whole.right - whole.left, whole.bottom - whole.top) < _BOX:
            continue
        for (x1, y1), (x2, y2) in edges(shape.ops, closed=False):
            left, top, right, bottom = (round(side) for side in (min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2)))
            if min(right - left, bottom - top) == 0 and max(right - left, bottom - top) >= least:
                yield Extent(left - half, top - half, right + half, bottom + half)


def _apart(one: Extent, other: Extent) -> int:
    """Returns the distance between two rectangles: the greater of the gaps across and down, 0 if they overlap."""
    across = max(one.left - other.right, other.left - one.right)
    return max(0, across, one.top - other.bottom, other.top - one.bottom)


def outside_printable(faces: Iterable[Face], margin: int) -> Finding | None:
    """Returns a warning if texts are in the `margin` (in micrometres) that printers leave blank, else None."""
    count, nearest, words = 0, margin, ""
    for face in faces:
        runs = (shape for shape in walk(face.shapes) if isinstance(shape, Run))
        distances = ((letter_box(run, _CAPITALS, 0).inset(face.size), run.text) for run in runs)
        distance, text = min(distances, default=(margin, ""))
        count += distance < margin
        if distance < nearest:
            nearest, words = distance, text
    if not count:
        return None
    return warning(
        "outside_printable",
        f"{amount(count, 'face')} {'has' if count == 1 else 'have'} words in the margin of {to_mm(margin):g} mm that "
        f"the printer cannot print; “{words}” is {max(0.0, to_mm(nearest)):g} mm from the edge of the card",
        data={"faces": count, "margin_um": margin, "nearest_um": nearest},
        fix="Use a printer that prints closer to the edge, or print with --stock plain and cut the cards out.",
    )
