"""How a sheet is to be printed: a ruler for its scale, a sign for turning or folding it.

Lengths in micrometres.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

from carddb.core.units import Box
from carddb.layout.display_list import Shape
from carddb.layout.sheets.crop_marks import EDGES, Marking
from carddb.layout.sheets.flip import turn_axis
from carddb.layout.sheets.imposition import Page, bounds
from carddb.layout.sheets.margin_space import MarginSlot, MarginSpace, Where
from carddb.layout.sheets.margin_text import ASCENT, PITCH, TYPE, width
from carddb.layout.sheets.margins import insets, room_of, sides_for
from carddb.layout.sheets.pictograms import fold_sign, turn_sign
from carddb.layout.sheets.ruler import BUILDS, RULER_TYPE, SLENDER, Build, Label, ruler
from carddb.layout.stock import paper_label

_RULER_SIDES: Mapping[str, Where] = {"left": "middle", "right": "middle", "top": "start", "bottom": "start"}
_SIGN_SIDES: Mapping[str, Where] = {"right": "middle", "left": "middle", "top": "end", "bottom": "end"}
_SIGN = 6000
_SLIM_SIGN = 4400
_BESIDE_SIGN = 1500


def has_ruler(page: Page, marking: Marking = EDGES) -> bool:
    """Whether the margins of a page have room for a ruler."""
    return not page.grid.bare and _ruler_place(page, room_of(page, marking)) is not None


def scale_ruler(page: Page, room: MarginSpace, label: Label) -> tuple[tuple[Shape, ...], str]:
    """A ruler with the paper's name and the scale, or the words that are printed elsewhere in its place."""
    one_side = "" if page.flip != "none" or page.grid.fold else ", one side"
    scale = f"{paper_label(page.size)}, actual size (100 %){one_side}"
    place = _ruler_place(page, room, width(label, scale, RULER_TYPE))
    if place is None:
        return (), f"Print on {scale}."
    slot, build = place
    if not build.noted:
        return ruler(slot, build, label), f"Print on {scale}."
    return (*ruler(slot, build, label), *label(scale, *slot.at(*build.note), RULER_TYPE, "start", slot.angle)), ""


def turning_sign(page: Page, room: MarginSpace, label: Label) -> tuple[tuple[Shape, ...], str]:
    """A small sheet with an arrow and words beside it, or the words that are printed elsewhere in its place."""
    if page.flip == "none" and not page.grid.fold:
        return (), ""
    first, second = _turning(page)
    builds = ((_SIGN, (f"{first},", second)), (_SLIM_SIGN, (f"{first}, {second}",)))
    for inset, (size, lines) in product(insets(page.grid), builds):
        words = max(width(label, line) for line in lines)
        for side, where in sides_for(page, _SIGN_SIDES).items():
            slot = room.place(side, size + _BESIDE_SIGN + words, size, where, inset, floating=page.grid.cut)
            if slot:
                return _sign_shapes(page, slot, size, lines, label), ""
    return (), f"{first}, {second}."


def _turning(page: Page) -> tuple[str, str]:
    """What is to be done with a sheet, in two halves of a sentence."""
    if page.grid.fold:
        return "Fold outwards at the dashed line", "glue, then cut"
    return "Print on both sides", f"flip on the {page.flip.replace('-', ' ')}"


def _ruler_place(page: Page, room: MarginSpace, note: int = 0) -> tuple[MarginSlot, Build] | None:
    """Where a ruler stands, and its build; `note` is the length of the words below it."""
    usual = [build for build in BUILDS if note <= build.length or not build.noted]
    for builds, inset in product((usual, [SLENDER]), insets(page.grid)):
        for build, (side, where) in product(builds, sides_for(page, _RULER_SIDES).items()):
            slot = room.place(side, build.length, build.thickness, where, inset, floating=page.grid.cut)
            if slot:
                return slot, build
    return None


def _sign_shapes(page: Page, slot: MarginSlot, size: int, lines: tuple[str, ...], label: Label) -> tuple[Shape, ...]:
    (x1, y1), (x2, y2) = slot.at(0, 0), slot.at(size, size)
    box = bounds((Box(x1, y1, 0, 0), Box(x2, y2, 0, 0)))
    sign_shapes = (
        fold_sign(box, page.grid) if page.grid.fold else turn_sign(box, page.size, turn_axis(page.size, page.flip))
    )
    top = (size - TYPE - (len(lines) - 1) * PITCH) // 2 + ASCENT
    places = [slot.at(size + _BESIDE_SIGN, top + number * PITCH) for number in range(len(lines))]
    words = [
        run for line, place in zip(lines, places, strict=True) for run in label(line, *place, TYPE, "start", slot.angle)
    ]
    return (*sign_shapes, *words)
