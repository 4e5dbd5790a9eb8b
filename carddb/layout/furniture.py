"""What stands around the cards of a sheet: footer, ruler, and arrows on stock that is not cut.

Lengths in micrometres. Words come as ready runs from a `Label`, so this room knows no fonts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

from carddb.layout.display import Path, Run, Shape, line
from carddb.layout.marks import HAIRLINE, INK, REACH, crop_marks
from carddb.layout.sheet import FOOTER, MARGIN, Page
from carddb.layout.stock import describe
from carddb.units import UM_PER_INCH, UM_PER_MM

Label = Callable[[str, int, int, int, str, int], tuple[Run, ...]]
"""label(text, x, y, size, "start" | "middle" | "end", angle): a line of text on its baseline."""

SCALE_NOTE = "Print at 100 %, not fitted."
_TYPE = 2300
_BASELINE = 9240
_BASELINE_BETWEEN_MARKS = 3300
_LEAST_FOOT = 5000
_GAP = 4000
_INSET = 3000

_RULER = 2 * UM_PER_INCH
_RULER_TYPE = 2000
_RULER_HALF = 3000
_RULER_WITH_LABELS = _RULER + 6500


@dataclass(frozen=True, slots=True)
class Caption:
    """What the footer says besides the sheet's own facts: game, deck, and a notice after the note on scale."""

    game: str = ""
    deck: str = ""
    notice: str = ""


def furnish(pages: Sequence[Page], caption: Caption, label: Label, aside: Label | None = None) -> list[Page]:
    """Pages with marks, ruler and footer; `aside` sets the lesser words (italic).

    A page that is the card itself stays bare.
    """
    return [replace(page, furniture=_furniture(page, caption, label, aside or label)) for page in pages]


def _furniture(page: Page, caption: Caption, label: Label, aside: Label) -> tuple[Shape, ...]:
    block, size = page.block, page.size
    if (block.width, block.height) == (size.width, size.height):
        return ()
    if not page.grid.cut:
        return (
            *_heading(page, label, aside),
            *_arrows(page, aside),
            *_lying_ruler(page, label),
            *_footer_line(page, block.bottom + 18000, caption, label, aside, _INSET),
        )
    below = size.height - block.bottom
    if below >= FOOTER:
        footer = _footer_line(page, block.bottom + _BASELINE, caption, label, aside)
    elif below >= _LEAST_FOOT:
        footer = _footer_between_marks(page, block.bottom + _BASELINE_BETWEEN_MARKS, caption, label, aside)
    else:
        footer = ()
    return (*crop_marks(page), *_standing_ruler(page, label), *footer)


def _identity(page: Page) -> str:
    return f"{page.side}s · sheet {page.number} of {page.total}"


def _joined(*parts: str) -> str:
    return " · ".join(part for part in parts if part)


def _footer_line(page: Page, y: int, caption: Caption, label: Label, aside: Label, inset: int = 0) -> tuple[Run, ...]:
    """One line from the first column's left trim to the last one's right: the longest words that fit."""
    left, end = page.block.x + inset, page.block.right - inset
    identity = _identity(page)
    notes = (f"{SCALE_NOTE} {caption.notice}".rstrip(), SCALE_NOTE, "")
    lefts = (
        _joined(caption.game, caption.deck, identity, page.grid.label),
        _joined(caption.deck, identity, page.grid.label),
        _joined(identity, page.grid.label),
        identity,
    )
    for note, done in product(notes, page.corrected or ("",)):
        right = _joined(done, note)
        runs = aside(right, end, y, _TYPE, "end", 0) if right else ()
        room = end - left - (_width(runs) + _GAP if runs else 0)
        wanted = lefts if not note else lefts[:2]
        for text in wanted:
            words = label(text, left, y, _TYPE, "start", 0)
            if _width(words) <= room:
                return (*words, *runs)
    return ()


def _footer_between_marks(page: Page, y: int, caption: Caption, label: Label, aside: Label) -> tuple[Run, ...]:
    """Little paper below: an entry per card column, centred where no mark stands."""
    bottom = [slot for slot in page.slots if slot.bottom == page.block.bottom]
    identity = _identity(page)
    scale = (_joined(page.grid.label, "print at 100 %"), "print at 100 %")
    sheet = (_joined(caption.game, caption.deck, identity), _joined(caption.deck, identity), identity)
    notice = page.corrected or (caption.notice,)
    alone = tuple(_joined(words, done) for words, done in product(sheet, page.corrected or ("",)))
    entries = {1: (alone,), 2: (sheet, page.corrected or scale)}.get(len(bottom), (scale, sheet, notice))
    columns = {1: bottom, 2: bottom}.get(len(bottom), [bottom[0], bottom[len(bottom) // 2], bottom[-1]])
    runs: list[Run] = []
    for slot, texts in zip(columns, entries, strict=True):
        setter = aside if texts is notice else label
        for text in filter(None, texts):
            words = setter(text, slot.x + slot.width // 2, y, _TYPE, "middle", 0)
            if _width(words) <= slot.width - _GAP:
                runs.extend(words)
                break
    return tuple(runs)


def _width(runs: Sequence[Run]) -> int:
    return sum(run.width for run in runs)


def _standing_ruler(page: Page, label: Label) -> tuple[Shape, ...]:
    """A ruler along the left margin: clear of the marks where it can be, else beside a card and between them."""
    x = page.block.x
    clear = x - REACH - MARGIN
    if clear >= 2 * _RULER_HALF + UM_PER_MM and page.size.height >= _RULER_WITH_LABELS + 2 * MARGIN:
        return _ruler((MARGIN + x - REACH) // 2, (page.size.height + _RULER) // 2, label, upright=True)
    tall = [slot for slot in page.slots if slot.x == x and slot.height >= _RULER_WITH_LABELS + UM_PER_MM]
    if tall and x >= 11000:
        middle = tall[len(tall) // 2]
        foot = middle.y + (middle.height + _RULER_WITH_LABELS) // 2
        return _ruler((3000 + x) // 2, foot, label, upright=True)
    return ()


def _lying_ruler(page: Page, label: Label) -> tuple[Shape, ...]:
    block = page.block
    return _ruler(block.x + _INSET, block.bottom + 8600, label, upright=False)


def _ruler(x: int, y: int, label: Label, upright: bool) -> tuple[Shape, ...]:
    """50 mm on one side of a line, 2 in on the other, from zero at `x`, `y` upwards or to the right."""

    def stroke(along: int, across: int, to_along: int, to_across: int) -> Path:
        if upright:
            return line(x + across, y - along, x + to_across, y - to_along, HAIRLINE)
        return line(x + along, y + across, x + to_along, y + to_across, HAIRLINE)

    ticks = [stroke(at, 0, at, -reach) for at, reach in _millimetres()]
    ticks += [stroke(at, 0, at, reach) for at, reach in _inches()]
    end = _RULER + 900
    words: list[Run] = []
    for text, baseline in (("50 mm", -900), ("2 in", 2600)):
        place = (x + baseline, y - end) if upright else (x + end, y + baseline)
        words.extend(label(text, *place, _RULER_TYPE, "start", 270 if upright else 0))
    return (stroke(0, 0, _RULER, 0), *ticks, *words)


def _millimetres() -> Iterator[tuple[int, int]]:
    for tick in range(0, 51):
        at = tick * UM_PER_MM
        if tick % 10 == 0:
            yield at, _RULER_HALF
        elif tick % 5 == 0:
            yield at, 2100
        else:
            yield at, 1100


def _inches() -> Iterator[tuple[int, int]]:
    for eighth in range(17):
        at = eighth * UM_PER_INCH // 8
        yield at, _RULER_HALF if eighth % 8 == 0 else 2100 if eighth % 4 == 0 else 1100


def _heading(page: Page, label: Label, aside: Label) -> tuple[Run, ...]:
    block = page.block
    turned = ", turned to the stock" if page.grid.angle else ""
    y = block.y - 11600
    left = label(f"{len(page.slots)} cards, {describe(page.grid.card)}{turned}", block.x + _INSET, y, _TYPE, "start", 0)
    return (*left, *aside(f"{page.side}s", block.right - _INSET, y, _TYPE, "end", 0))


def _arrows(page: Page, aside: Label) -> tuple[Shape, ...]:
    """On turned cards an arrow in the margin beside each says where its head is."""
    shapes: list[Shape] = []
    for placed in page.placed:
        if placed.angle not in (90, 270):
            continue
        away = 1 if placed.angle == 90 else -1
        edge = placed.box.right if away == 1 else placed.box.x
        y = placed.box.y + placed.box.height // 2
        shapes.append(_arrow(edge + away * 3300, y, away))
        shapes.extend(aside("head of card", edge + away * 8900, y, _TYPE, "middle", placed.angle))
    return tuple(shapes)


def _arrow(x: int, y: int, away: int) -> Path:
    corners = ((0, -250), (1700, -250), (1700, -900), (3300, 0), (1700, 900), (1700, 250), (0, 250))
    points = [(x + away * dx, y + dy) for dx, dy in corners]
    return Path((("M", points[0]), *(("L", point) for point in points[1:]), ("Z", ())), fill=INK)
