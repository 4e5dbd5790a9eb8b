"""The print around the cards of a sheet: marks, instructions, the contents, and why a deck is not legal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from carddb.core.errors import UsageError
from carddb.core.plain_text import shortened
from carddb.core.units import UM_PER_INCH, UM_PER_MM, Box
from carddb.layout.display_list import Group, Path, Run, Shape, Stroke, line, rectangle
from carddb.layout.drawing.outline import polygon
from carddb.layout.sheets.crop_marks import EDGES, LENGTH, OFFSET, Marking, crop_marks, numbers, offset
from carddb.layout.sheets.grid import Grid, turn_axis
from carddb.layout.sheets.imposition import Page, bounds
from carddb.layout.sheets.margin_text import (
    ASCENT,
    GAP_AT_PERFORATIONS,
    PITCH,
    TYPE,
    Label,
    MarginSlot,
    MarginSpace,
    MarginText,
    SetText,
    Where,
    place_text,
    room_of,
    width,
)
from carddb.layout.stock import describe, paper_label

_GROUND, _LETTERS = "#9b1c1c", "#ffffff"
_TYPE = 2600
_THICKNESS = 3800
_BASELINE = 2800
_PADDING = 1800
_GAP = 300
_INSETS = (6350, 4200, 3000)
"""Widths of the margins that printers leave blank, from the most common to the smallest, in micrometres."""
_STAMP_HEADING = 15_000
"""The height above the cards that the heading takes on pre-cut stock."""
_LEAST = 40_000
"""The least useful length of a stamp."""


def legality_stamp(page: Page, text: str, label: Label) -> tuple[Shape, ...]:
    """Returns a light text on a dark background in the first margin with room: above, beside or below the cards.

    A text that fits nowhere is shortened. Raises UsageError if no margin has room for a stamp.
    """
    strips = list(_strips(page))
    if not strips:
        raise UsageError(
            "the margin of the sheet has no room for the stamp that says why the deck is not legal",
            "Use --stock plain with a --margin of 6.35mm or more.",
        )
    whole = width(label, text, _TYPE) + 2 * _PADDING
    strip = next((strip for strip in strips if strip.length >= whole), max(strips, key=lambda strip: strip.length))
    shown = _cut(text, strip.length - 2 * _PADDING, label)
    length = width(label, shown, _TYPE) + 2 * _PADDING
    box, middle = strip.box, strip.length // 2
    start = middle - length // 2
    background = (
        box._replace(y=box.y + start, height=length) if strip.angle else box._replace(x=box.x + start, width=length)
    )
    place = strip.at(middle, _BASELINE)
    words = [run._replace(colour=_LETTERS) for run in label(shown, *place, _TYPE, "middle", strip.angle)]
    return (Path(rectangle(background), _GROUND), *words)


def _cut(text: str, room: int, label: Label) -> str:
    """Returns as many whole words of a text as fit into `room`, and an ellipsis if words are left out."""
    words = text.split(" ")
    for count in range(len(words), 0, -1):
        shown = " ".join(words[:count])
        shown = shown if count == len(words) else shown.rstrip(" ,;:(") + " …"
        if width(label, shown, _TYPE) <= room:
            return shown
    return words[0]


def _strips(page: Page) -> Iterator[MarginSlot]:
    """Yields places for a stamp, best first: beyond the marks above, beside or below the cards, then between marks."""
    block, size = page.block, page.size
    reach = offset(page.grid) + LENGTH + _GAP if page.grid.cut else _STAMP_HEADING
    for inset in _INSETS:
        if block.y - reach - _THICKNESS >= inset:
            yield MarginSlot(Box(inset, block.y - reach - _THICKNESS, size.width - 2 * inset, _THICKNESS), 0)
        if not page.grid.cut:
            continue
        if size.width - block.right - reach - _THICKNESS >= inset:
            yield MarginSlot(Box(block.right + reach, inset, _THICKNESS, size.height - 2 * inset), 90)
        if size.height - block.bottom - reach - _THICKNESS >= inset:
            yield MarginSlot(Box(inset, block.bottom + reach, size.width - 2 * inset, _THICKNESS), 0)
    slot = next(slot for slot in page.slots if slot.bottom == block.bottom)
    below = Box(slot.x + OFFSET, block.bottom + OFFSET + _GAP, slot.width - 2 * OFFSET, _THICKNESS)
    if page.grid.cut and below.width >= _LEAST and below.bottom <= size.height:
        yield MarginSlot(below, 0)


_PICTOGRAM_INK = "#000000"
_THIN = Stroke(_PICTOGRAM_INK, 150)
_BOUND = Stroke(_PICTOGRAM_INK, 500)
_DASHED = Stroke(_PICTOGRAM_INK, 150, dash=(600, 400))
_PARTS = 100
"""The number of units along each side of the small sheet in the turning sign."""

Point = tuple[int, int]


def _sign(box: Box, page: Page) -> tuple[Shape, ...]:
    """Returns a pictogram of the sheet with a dashed fold or a bold edge to flip at, and an arrow to its back.

    The pictogram has the paper's proportions, and is as large as fits in the middle of `box`.
    """
    fold, paper, longest = page.grid.fold, page.size, max(page.size)
    upright = (fold or turn_axis(paper, page.flip)).upright
    width, height = box.width * paper.width // longest, box.height * paper.height // longest
    left, top = box.x + (box.width - width) // 2, box.y + (box.height - height) // 2

    def point(across: int, along: int) -> Point:
        """Returns a point of the pictogram; `across` and `along` the hinge are in hundredths of the small sheet."""
        x, y = (across, along) if upright else (along, across)
        return left + width * x // _PARTS, top + height * y // _PARTS

    over = (*point(80, 18), *point(24, 18), *point(24, 62))
    head = polygon((point(11, 56), point(37, 56), point(24, 80)))
    return (
        Path(polygon((point(0, 0), point(100, 0), point(100, 100), point(0, 100))), stroke=_THIN),
        line(*point(50, 0), *point(50, 100), _DASHED) if fold else line(*point(0, 0), *point(0, 100), _BOUND),
        Path((("M", point(80, 62)), ("C", over)), stroke=_THIN),
        Path(head, fill=_PICTOGRAM_INK),
    )


def head_arrow(x: int, y: int, away: int) -> Path:
    """Returns an arrow to the left (`away` is -1) or to the right (1) that shows where the top of a turned card is."""
    corners = ((0, -250), (1700, -250), (1700, -900), (3300, 0), (1700, 900), (1700, 250), (0, 250))
    return Path(polygon([(x + away * dx, y + dy) for dx, dy in corners]), fill=_PICTOGRAM_INK)


_RULER_STROKE = Stroke("#000000", 150)
_RULER_LENGTH = 2 * UM_PER_INCH
_RULER_LABEL = 7000
_AFTER = 900
_NOTE = 2800
"""The height of the line of text below a ruler."""
_NOTE_BASELINE = 2200


class _Build(NamedTuple):
    """The size of a ruler. `half` is its thickness on either side of its line; if `noted`, a text is below it.

    Its two labels are one above the other, or, if it is `slender`, side by side.
    """

    half: int
    noted: bool = False
    slender: bool = False

    @property
    def length(self) -> int:
        return _RULER_LENGTH + _AFTER + _RULER_LABEL * (2 if self.slender else 1)

    @property
    def thickness(self) -> int:
        return 2 * self.half + (_NOTE if self.noted else 0)


_BUILDS = (_Build(3000, noted=True), _Build(3000), _Build(2200, noted=True), _Build(2200))
"""The usual rulers, the best first."""
_SLENDER = _Build(1500, slender=True)
"""A ruler for margins that are too narrow for any other."""


def _ruler(slot: MarginSlot, build: _Build, label: Label) -> tuple[Shape, ...]:
    """Returns the ruler's line with its ticks and labels."""
    half = build.half

    def stroke(along: int, to_along: int, to_down: int) -> Path:
        return line(*slot.at(along, half), *slot.at(to_along, half + to_down), _RULER_STROKE)

    def words(text: str, along: int, down: int) -> tuple[Run, ...]:
        return label(text, *slot.at(_RULER_LENGTH + _AFTER + along, half + down), TYPE, "start", slot.angle)

    ticks = [stroke(at, at, -half * part // 30) for at, part in _ticks(UM_PER_MM, 50, 10, 5)]
    ticks += [stroke(at, at, half * part // 30) for at, part in _ticks(UM_PER_INCH // 8, 16, 8, 4)]
    places = ((0, 700), (_RULER_LABEL, 700)) if build.slender else ((0, -500), (0, 2000))
    return (stroke(0, _RULER_LENGTH, 0), *ticks, *words("50 mm", *places[0]), *words("2 in", *places[1]))


def _ticks(step: int, count: int, long: int, middle: int) -> Iterator[tuple[int, int]]:
    """Yields each tick of a scale as (position, length), with the length in thirtieths of the longest tick.

    Every `long`th tick is the longest, every `middle`th one is shorter, and all others are the shortest.
    """
    for tick in range(count + 1):
        yield tick * step, 30 if tick % long == 0 else 21 if tick % middle == 0 else 11


def _insets(grid: Grid) -> list[int]:
    """Returns the distances from the paper's edge to try, the largest first: the grid's margin, and usual margins."""
    return sorted({max(grid.margin, _INSETS[-1]), *_INSETS[1:]}, reverse=True)


def _sides_for(page: Page, places: Mapping[str, Where]) -> Mapping[str, Where]:
    """Returns the margins in `places` that may be used: on pre-cut stock only the bottom one, which is not torn off."""
    return places if page.grid.cut else {"bottom": places["bottom"]}


_RULER_SIDES: Mapping[str, Where] = {"left": "middle", "right": "middle", "top": "start", "bottom": "start"}
_SIGN_SIDES: Mapping[str, Where] = {"right": "middle", "left": "middle", "top": "end", "bottom": "end"}
_SIGN = 6000
_SLIM_SIGN = 4400
_BESIDE_SIGN = 1500


def has_ruler(page: Page, marking: Marking = EDGES) -> bool:
    """Returns whether the margins of a page have room for a ruler."""
    return not page.grid.bare and _ruler_place(page, room_of(page, marking)) is not None


def scale_ruler(page: Page, room: MarginSpace, label: Label) -> tuple[tuple[Shape, ...], str]:
    """Returns a ruler with paper and scale written below it, and this text if it must be printed elsewhere, else ""."""
    one_side = "" if page.flip != "none" or page.grid.fold else ", one side"
    scale = f"{paper_label(page.size)}, actual size (100 %){one_side}"
    place = _ruler_place(page, room, width(label, scale, TYPE))
    if place is None:
        return (), f"Print on {scale}."
    slot, build = place
    ruler, baseline = _ruler(slot, build, label), slot.at(0, 2 * build.half + _NOTE_BASELINE)
    if not build.noted:
        return ruler, f"Print on {scale}."
    return (*ruler, *label(scale, *baseline, TYPE, "start", slot.angle)), ""


def turning_sign(page: Page, room: MarginSpace, label: Label) -> tuple[tuple[Shape, ...], str]:
    """Returns a pictogram with words that say how to turn or fold the sheet; without room for it, only the words.

    Both are empty if the sheet has no back.
    """
    if page.flip == "none" and not page.grid.fold:
        return (), ""
    first, second = "Print on both sides", f"flip on the {page.flip.replace('-', ' ')}"
    if page.grid.fold:
        first, second = "Fold outwards at the dashed line", "glue, then cut"
    builds = ((_SIGN, (f"{first},", second)), (_SLIM_SIGN, (f"{first}, {second}",)))
    for inset, (size, lines) in product(_insets(page.grid), builds):
        words = max(width(label, line) for line in lines)
        for side, where in _sides_for(page, _SIGN_SIDES).items():
            slot = room.place(side, size + _BESIDE_SIGN + words, size, where, inset, floating=page.grid.cut)
            if slot:
                return _sign_shapes(page, slot, size, lines, label), ""
    return (), f"{first}, {second}."


def _ruler_place(page: Page, room: MarginSpace, note: int = 0) -> tuple[MarginSlot, _Build] | None:
    """Returns the position and the size of a ruler, or None if there is no room; `note` is the length of its text."""
    usual = [build for build in _BUILDS if note <= build.length or not build.noted]
    for builds, inset in product((usual, [_SLENDER]), _insets(page.grid)):
        for build, (side, where) in product(builds, _sides_for(page, _RULER_SIDES).items()):
            slot = room.place(side, build.length, build.thickness, where, inset, floating=page.grid.cut)
            if slot:
                return slot, build
    return None


def _sign_shapes(page: Page, slot: MarginSlot, size: int, lines: tuple[str, ...], label: Label) -> tuple[Shape, ...]:
    (x1, y1), (x2, y2) = slot.at(0, 0), slot.at(size, size)
    box = bounds((Box(x1, y1, 0, 0), Box(x2, y2, 0, 0)))
    top = (size - TYPE - (len(lines) - 1) * PITCH) // 2 + ASCENT
    places = [slot.at(size + _BESIDE_SIGN, top + number * PITCH) for number in range(len(lines))]
    words = [
        run for line, place in zip(lines, places, strict=True) for run in label(line, *place, TYPE, "start", slot.angle)
    ]
    return (*_sign(box, page), *words)


_LONGEST_NAME = 40
_HEADING = 11600
_DESCENT = 450
_HEX = "0123456789abcdef"
_SIDES = {"front": "fronts", "back": "backs"}
_NAME_SIDES: Mapping[str, Where] = {"bottom": "start", "left": "start", "right": "start", "top": "start"}
_REST_SIDES: Mapping[str, Where] = {"bottom": "end", "right": "start", "left": "start", "top": "end"}
_TURNED_REST_SIDES = {side: _REST_SIDES[side] for side in ("bottom", "left", "right", "top")}
"""The margins for a text beside pieces turned by 270 degrees, to which a text at the right would be upside down."""


class Caption(NamedTuple):
    """The texts of a sheet that its page does not contain: game, deck and notice.

    `revision` is the hash of the catalogue, `fingerprint` a short hash of this sheet, and `printer` says what was
    corrected for a certain printer. `stamp` says why the deck is not legal, and is printed conspicuously in the margin.
    `counted` is the word before the page's number, `sheet` or `page`.
    """

    game: str = ""
    deck: str = ""
    notice: str = ""
    revision: str = ""
    fingerprint: str = ""
    printer: str = ""
    stamp: str = ""
    counted: str = "sheet"


def furnish(page: Page, caption: Caption, label: Label, aside: Label | None = None, marking: Marking = EDGES) -> Page:
    """Returns the page with marks, ruler and texts around its cards; `aside` sets less important texts (in italics).

    Nothing covers a card, its bleed or anything else, except that a stamp may cover other things in the margin. Parts
    without room are left out. The order of precedence is: ruler, how to turn the sheet, its name (if need be without
    game, stock, catalogue, printer or deck), notice. A page that is itself the card stays unchanged, unless it has a
    stamp. Raises UsageError if there is no room for the stamp.
    """
    if page.grid.bare and not caption.stamp:
        return page
    stamped = legality_stamp(page, caption.stamp, label) if caption.stamp else ()
    printer = page.corrected[0] if page.corrected else caption.printer
    common = caption._replace(fingerprint="0" * len(caption.fingerprint), printer=printer)
    grid, flip = page.grid, page.flip
    slots = grid.slots if page.side == "front" else tuple(map(turn_axis(grid.paper, flip).mirror, grid.slots))
    kind = Page(grid, page.side, 1, page.total, slots, page.filled, (), flip=flip)
    fixed, name = _common_furniture(kind, common, label, aside or label, marking)
    running = name.continued(_running(page.number, page.total, caption)) if name else ()
    return page._replace(furniture=(*page.furniture, fixed, *running, *stamped))


def _running(number: int, total: int, caption: Caption) -> str:
    return f"{caption.counted} {number} of {total}" + (f" · {caption.fingerprint}" if caption.fingerprint else "")


@lru_cache(maxsize=64)
def _common_furniture(
    page: Page, caption: Caption, label: Label, aside: Label, marking: Marking
) -> tuple[Group, SetText | None]:
    """Returns what is printed around the cards of all sheets that differ from `page` only in number and faces.

    Also returns the name of the sheet, after which each sheet prints its own number and hash; None if it has no room.
    """
    room = room_of(page, marking)
    ruler, of_scale = scale_ruler(page, room, label)
    turning, of_turning = turning_sign(page, room, label)
    name = _name(page, caption, room, label)
    # The instructions for which no ruler or sign had room, and the notice: as many of them as there is room for.
    pieces = [piece for piece in (of_scale, of_turning, caption.notice) if piece]
    choices = [[pieces[: len(pieces) - n]] for n in range(len(pieces))]
    is_turned = page.side == "front" and all(band.angle == 270 for band in page.grid.bands)
    sides = _sides_for(page, _TURNED_REST_SIDES if is_turned else _REST_SIDES)
    rest = place_text(MarginText(aside, " "), choices, room, sides, _insets(page.grid), name.slot if name else None)
    parts: list[Sequence[Shape]] = [
        *([mark] for mark in crop_marks(page, marking)),
        *(
            label(text, box.x + box.width // 2, box.bottom - _DESCENT, TYPE, "middle", 0)
            for text, box in numbers(page, marking).items()
        ),
        *_of_stock(page, label, aside),
        ruler,
        turning,
        *([run] for text in (name, rest) if text for run in text.runs()),
    ]
    return Group(tuple(Group(tuple(part)) for part in parts if part)), name


def _name(page: Page, caption: Caption, room: MarginSpace, label: Label) -> SetText | None:
    """Returns the name of the sheet in a margin, with room for a number and hash behind it; None if it has no room."""
    text = MarginText(label, " · ")
    widest = max(_HEX, key=lambda digit: text.width([digit]))
    longest = caption._replace(fingerprint=widest * len(caption.fingerprint))
    text = text._replace(tail=text.width([f" · {_running(page.total, page.total, longest)}"]))
    own = caption.deck if caption.deck != caption.game else ""
    game, deck = (shortened(name, _LONGEST_NAME) for name in (caption.game, own))
    sides = "fronts and backs" if page.grid.fold else _SIDES[page.side]
    stock = page.grid.label
    revision = f"catalogue {caption.revision}" if caption.revision else ""
    pieces = [part for part in (game, deck, sides, stock, revision, caption.printer) if part]
    optional = [part for part in (game, stock, revision, caption.printer, deck) if part]
    choices = [[part for part in pieces if part not in optional[:n]] for n in range(len(optional) + 1)]
    return place_text(text, (choices[:2], choices[2:]), room, _sides_for(page, _NAME_SIDES), _insets(page.grid))


def _of_stock(page: Page, label: Label, aside: Label) -> Iterator[tuple[Shape, ...]]:
    """Yields what is printed only on pre-cut stock: a heading, and beside each turned card an arrow to its top."""
    if page.grid.cut:
        return
    block, y, (band,) = page.block, page.block.y - _HEADING, page.grid.bands
    turned = ", turned to the stock" if band.angle else ""
    heading = f"{len(page.slots)} cards, {describe(band.card)}{turned}"
    yield label(heading, block.x + GAP_AT_PERFORATIONS, y, TYPE, "start", 0)
    yield aside(_SIDES[page.side], block.right - GAP_AT_PERFORATIONS, y, TYPE, "end", 0)
    angle = band.angle if page.side == "front" else turn_axis(page.size, page.flip).turned(band.angle)
    if angle in (90, 270):
        away = 1 if angle == 90 else -1
        for trim in page.trims:
            edge, middle = (trim.right if away == 1 else trim.x), trim.y + trim.height // 2
            words = aside("head of card", edge + away * 8900, middle, TYPE, "middle", angle)
            yield (head_arrow(edge + away * 3300, middle, away), *words)
