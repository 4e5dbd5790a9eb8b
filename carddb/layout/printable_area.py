"""What of a face a printer would leave out, where the page is the card and the printer does not reach its edge."""

from __future__ import annotations

from collections.abc import Iterable

from carddb.findings import Finding, warning
from carddb.layout.display_list import Face, Run, walk
from carddb.units import Size, to_mm


def outside_printable(faces: Iterable[Face], margin: int) -> Finding | None:
    """A warning if words of some faces lie in the `margin` (micrometres) that stays unprinted; pictures may."""
    count, nearest, words = 0, margin, ""
    for face in faces:
        runs = (shape for shape in walk(face.shapes) if isinstance(shape, Run))
        distance, text = min(((_from_edge(run, face.size), run.text) for run in runs), default=(margin, ""))
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


def _from_edge(run: Run, size: Size) -> int:
    """From the nearest edge of a face to the letters of a run, taken as 70 % of the em above the baseline."""
    dx, dy = {0: (1, 0), 90: (0, 1), 180: (-1, 0), 270: (0, -1)}.get(run.angle, (0, 0))
    up = run.size * 7 // 10
    xs = (run.x, run.x + dx * run.width, run.x + dy * up)
    ys = (run.y, run.y + dy * run.width, run.y - dx * up)
    return min(*xs, *ys, size.width - max(xs), size.height - max(ys))
