"""Lines over a face that show where it is cut, what is safe, and where its texts may stand."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from carddb.core.units import Box, to_mm
from carddb.layout.display_list import Face, Path, Stroke, rectangle
from carddb.layout.drawing.text_elements import TextBox
from carddb.layout.sheets.grid import BLEED
from carddb.press.sheets.proof import SAFE

OVERLAYS = ("trim", "bleed", "safe", "text")
_TRIM = Stroke("#0b7a75", 200)
_BLEED = Stroke("#b0137f", 200, dash=(500, 500))
_SAFE = Stroke("#b3540a", 200, dash=(1200, 800))
_TEXT = Stroke("#1d58c9", 200, dash=(700, 500))


def bleed_of(overlays: Collection[str]) -> int:
    """How much of what lies beyond the cut is shown, in micrometres."""
    return BLEED if "bleed" in overlays else 0


def with_overlays(face: Face, overlays: Collection[str], boxes: Sequence[TextBox]) -> Face:
    """A face with the lines of some OVERLAYS over it."""
    return replace(face, shapes=(*face.shapes, *_lines(face, overlays, boxes)))


def _lines(face: Face, overlays: Collection[str], boxes: Sequence[TextBox]) -> Iterator[Path]:
    trim = Box(0, 0, face.size.width, face.size.height)
    if "text" in overlays:
        yield from (Path(rectangle(text.box), stroke=_TEXT) for text in boxes)
    if "safe" in overlays:
        yield Path(rectangle(trim.grown(-SAFE)), stroke=_SAFE)
    if "bleed" in overlays:
        yield Path(rectangle(trim.grown(BLEED - _BLEED.width // 2)), stroke=_BLEED)
    if "trim" in overlays:
        yield Path(rectangle(trim.grown(0 if "bleed" in overlays else -_TRIM.width // 2)), stroke=_TRIM)


def measures(face: Face, boxes: Sequence[TextBox]) -> list[str]:
    """The figures behind the lines: `text 65.0 × 34.4 mm`."""
    words = [f"trim {_across(Box(0, 0, face.size.width, face.size.height))}"]
    words += [f"bleed {to_mm(BLEED):g} mm", f"safe {to_mm(SAFE):.1f} mm inside"]
    return words + [f"{text.field or 'text'} {_across(text.box)}" for text in boxes]


def _across(box: Box) -> str:
    return f"{to_mm(box.width):.1f} × {to_mm(box.height):.1f} mm"
