"""What stands around the cards of a sheet and proves it: marks, ruler, how to print it, what it is.

Lengths in micrometres. Words come as ready runs from a `Label`, so this room knows no fonts. What is the same on
every sheet is made once; each page adds its number and its hash.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from carddb.layout.display_list import Group, Run, Shape
from carddb.layout.sheets.crop_marks import EDGES, NUMBER_TYPE, CutNumber, Marking, crop_marks, numbers
from carddb.layout.sheets.flip import turn_axis
from carddb.layout.sheets.grid import Grid
from carddb.layout.sheets.imposition import Page, Side
from carddb.layout.sheets.legality_stamp import legality_stamp
from carddb.layout.sheets.margin_space import MarginSpace, Where
from carddb.layout.sheets.margin_text import TYPE, MarginText, SetText, place_text
from carddb.layout.sheets.margins import GAP_AT_PERFORATIONS, insets, room_of, sides_for
from carddb.layout.sheets.pictograms import head_arrow
from carddb.layout.sheets.print_instructions import scale_ruler, turning_sign
from carddb.layout.sheets.ruler import Label
from carddb.layout.stock import describe

_LONGEST_NAME = 40
_HEADING = 11600
_DESCENT = 450
_HEX = "0123456789abcdef"
_SIDES = {"front": "fronts", "back": "backs"}
_NAME_SIDES: Mapping[str, Where] = {"bottom": "start", "left": "start", "right": "start", "top": "start"}
_REST_SIDES: Mapping[str, Where] = {"bottom": "end", "right": "start", "left": "start", "top": "end"}


class Caption(NamedTuple):
    """The words of a sheet besides its own facts.

    Game, deck, and a notice; `revision` of the catalogue, `fingerprint` a short hash of this very sheet, `printer` what
    was done for the printer that it is meant for; `stamp` is why the deck is not legal, said across the margin.
    """

    game: str = ""
    deck: str = ""
    notice: str = ""
    revision: str = ""
    fingerprint: str = ""
    printer: str = ""
    stamp: str = ""


def furnish(page: Page, caption: Caption, label: Label, aside: Label | None = None, marking: Marking = EDGES) -> Page:
    """The page with marks, ruler and words around its cards; `aside` sets the lesser words (italic).

    Nothing touches a card, its bleed or anything else. What finds no room is left out: first come the ruler, then how
    to turn the sheet, what it is (without the game, printer, stock, catalogue or deck if need be), then the notice.
    A stamp lies over what else is in the margin. A page that is the card itself stays bare. Raises UsageError where a
    stamp has no room.
    """
    if page.grid.bare and not caption.stamp:
        return page
    stamped: tuple[Shape, ...] = ()
    if caption.stamp:
        stamped = legality_stamp(page, caption.stamp, label)
    printer = page.corrected[0] if page.corrected else caption.printer
    common = caption._replace(fingerprint="0" * len(caption.fingerprint), printer=printer)
    fixed = _common_furniture(
        page.grid, page.side, page.filled, page.flip, page.total, common, label, aside or label, marking
    )
    return page._replace(furniture=(*page.furniture, fixed.shapes, *fixed.running(page, caption), *stamped))


class _CommonFurniture(NamedTuple):
    """What sheets have in common, and the name that each ends with its own words."""

    shapes: Group
    name: SetText | None

    def running(self, page: Page, caption: Caption) -> tuple[Run, ...]:
        """Number and hash of a sheet, after the last word of its name."""
        return self.name.continued(_running(page.number, page.total, caption.fingerprint)) if self.name else ()


def _running(number: int, total: int, fingerprint: str) -> str:
    return f"sheet {number} of {total}" + (f" · hash {fingerprint}" if fingerprint else "")


@lru_cache(maxsize=64)
def _common_furniture(
    grid: Grid,
    side: Side,
    filled: int,
    flip: str,
    total: int,
    caption: Caption,
    label: Label,
    aside: Label,
    marking: Marking,
) -> _CommonFurniture:
    slots = grid.slots if side == "front" else tuple(map(turn_axis(grid.paper, flip).mirror, grid.slots))
    page = Page(grid, side, 1, total, slots, filled, (), flip=flip)
    room = room_of(page, marking)
    ruler, of_scale = scale_ruler(page, room, label)
    turning, of_turning = turning_sign(page, room, label)
    name = _name(page, caption, room, label)
    rest = _rest([of_scale, of_turning, caption.notice], page, room, aside, name)
    parts: list[Sequence[Shape]] = [
        *([mark] for mark in crop_marks(page, marking)),
        *(_figure(number, label) for number in numbers(page, marking)),
        *_of_stock(page, label, aside),
        ruler,
        turning,
        *([run] for text in (name, rest) if text for run in text.runs()),
    ]
    return _CommonFurniture(Group(tuple(Group(tuple(part)) for part in parts if part)), name)


def _name(page: Page, caption: Caption, room: MarginSpace, label: Label) -> SetText | None:
    """What the sheet is, with room for its number and hash at the end."""
    text = MarginText(label, " · ")
    widest = max(_HEX, key=lambda digit: text.width([digit]))
    text = text._replace(tail=text.width([f" · {_running(page.total, page.total, widest * len(caption.fingerprint))}"]))
    game, deck = _short(caption.game), _short(caption.deck)
    sides = "fronts and backs" if page.grid.fold else _SIDES[page.side]
    stock = page.grid.label
    revision = f"catalogue {caption.revision}" if caption.revision else ""
    pieces = [part for part in (game, deck, sides, stock, revision, caption.printer) if part]
    optional = [part for part in (game, stock, revision, caption.printer, deck) if part]
    choices = [[part for part in pieces if part not in optional[:n]] for n in range(len(optional) + 1)]
    return place_text(text, (choices[:2], choices[2:]), room, sides_for(page, _NAME_SIDES), insets(page.grid))


def _rest(pieces: Sequence[str], page: Page, room: MarginSpace, aside: Label, name: SetText | None) -> SetText | None:
    """How to print, where no ruler and no sign says it, and the notice."""
    pieces = [piece for piece in pieces if piece]
    choices = [[pieces[: len(pieces) - n]] for n in range(len(pieces))]
    level = name.slot if name else None
    return place_text(MarginText(aside, " "), choices, room, sides_for(page, _REST_SIDES), insets(page.grid), level)


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1].rstrip()}…"


def _figure(number: CutNumber, label: Label) -> tuple[Run, ...]:
    box = number.box
    return label(number.text, box.x + box.width // 2, box.bottom - _DESCENT, NUMBER_TYPE, "middle", 0)


def _of_stock(page: Page, label: Label, aside: Label) -> Iterator[tuple[Shape, ...]]:
    """On stock that is not cut: a heading, and beside each turned card an arrow to its head."""
    if page.grid.cut:
        return
    block, y = page.block, page.block.y - _HEADING
    turned = ", turned to the stock" if page.grid.angle else ""
    heading = f"{len(page.slots)} cards, {describe(page.grid.card)}{turned}"
    yield label(heading, block.x + GAP_AT_PERFORATIONS, y, TYPE, "start", 0)
    yield aside(_SIDES[page.side], block.right - GAP_AT_PERFORATIONS, y, TYPE, "end", 0)
    angle = page.grid.angle if page.side == "front" else turn_axis(page.size, page.flip).turned(page.grid.angle)
    if angle in (90, 270):
        away = 1 if angle == 90 else -1
        for trim in page.trims:
            edge, middle = (trim.right if away == 1 else trim.x), trim.y + trim.height // 2
            words = aside("head of card", edge + away * 8900, middle, TYPE, "middle", angle)
            yield (head_arrow(edge + away * 3300, middle, away), *words)
