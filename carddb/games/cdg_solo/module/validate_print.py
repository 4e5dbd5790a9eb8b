"""The faults of a printed kit: sizes, sheets that do not fit, results without their text (§10)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Annotated, Any

from pydantic import Field

from carddb.game.game import GameSpec
from carddb.games.cdg_solo.module.faults import Fault, answer
from carddb.games.cdg_solo.play.die import RESULTS
from carddb.play.fields import Count, Many
from carddb.play.question import Answer, BadInput, Part, operation

Length = Annotated[float, Field(gt=0, le=2000)]
TOLERANCE = Fraction("0.2")
"""How far a printed length may be off, in millimetres."""
PAGES = 2
"""Front and back (S-3, S-21)."""


class Printed(Part):
    """A printed part of a component, measured in millimetres."""

    id: str
    part: str = "face"
    width: Length
    height: Length


class Sheet(Part):
    """A tweak sheet: its pages, and the text of each result."""

    pages: Count = PAGES
    overflow: bool = False
    texts: dict[str, str | None] | None = None


class Kit(Part):
    """What is printed for a game."""

    parts: Many[Printed] = ()
    sheets: Many[Sheet] = ()


@operation("S-3", "S-20", "S-21", "SD-7", "SD-8", "SR-10", "SR-70")
def validate_print(kit: Kit, *, spec: GameSpec) -> Answer:
    """What is wrong with the printed parts of a kit."""
    return answer([*_sizes(kit, spec.data["printed"]), *_sheets(kit)])


def _sizes(kit: Kit, sizes: Mapping[str, Any]) -> Iterator[Fault]:
    for at, part in enumerate(kit.parts):
        if part.id not in sizes:
            raise BadInput(f"kit.parts.{at}.id")
        if part.part not in sizes[part.id]:
            raise BadInput(f"kit.parts.{at}.part")
        width, height = sizes[part.id][part.part]
        pairs = ((part.width, width), (part.height, height))
        if any(abs(Fraction(str(actual)) - Fraction(str(nominal))) > TOLERANCE for actual, nominal in pairs):
            message = f"{part.id} {part.part}: {part.width:g} × {part.height:g} mm instead of {width:g} × {height:g}"
            yield Fault("component_size_wrong", f"kit.parts.{at}", message)


def _sheets(kit: Kit) -> Iterator[Fault]:
    for at, sheet in enumerate(kit.sheets):
        if sheet.overflow or sheet.pages > PAGES:
            yield Fault("sheet_overflow", f"kit.sheets.{at}", f"{sheet.pages} pages; a sheet has a front and a back")
        for result in RESULTS if sheet.texts is not None else ():
            if not ((sheet.texts or {}).get(result) or "").strip():
                yield Fault("text_missing", f"kit.sheets.{at}.{result}", f"the result {result} has no text")
