"""What of a face a printer would leave out, where the page is the card and the printer does not reach its edge."""

from __future__ import annotations

from collections.abc import Iterable

from carddb.core.units import to_mm
from carddb.findings import Finding, warning
from carddb.layout.display_list import Face, Run, walk
from carddb.layout.drawing.geometry import letter_box

_ABOVE = 700
"""How far letters reach over the baseline, in thousandths of the em."""


def outside_printable(faces: Iterable[Face], margin: int) -> Finding | None:
    """A warning if words of some faces lie in the `margin` (micrometres) that stays unprinted; pictures may."""
    count, nearest, words = 0, margin, ""
    for face in faces:
        runs = (shape for shape in walk(face.shapes) if isinstance(shape, Run))
        distances = ((letter_box(run, _ABOVE, 0).inset(face.size), run.text) for run in runs)
        distance, text = min(distances, default=(margin, ""))
        count += distance < margin
        if distance < nearest:
            nearest, words = distance, text
    if not count:
        return None
    return warning(
        "outside_printable",
        f"{count} face{'s' * (count > 1)} with words in the {to_mm(margin):g} mm that the printer leaves unprinted; "
        f"“{words}” is {max(0.0, to_mm(nearest)):g} mm from the edge",
        data={"faces": count, "margin_um": margin, "nearest_um": nearest},
        fix="Use a printer that prints closer to the edge, or --stock plain and cut the cards out.",
    )
