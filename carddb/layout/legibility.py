"""Whether a drawn face can be read: size floor, contrast, nothing outside the trim."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from carddb.layout.background import PAPER, Fill
from carddb.layout.display_list import UNSEEN, Face, Group, Path, Run, Shape
from carddb.layout.geometry import Span, letter_box, letter_point, span_of_path, union
from carddb.layout.svg_parser import Note
from carddb.units import Size, points

SMALLEST_TYPE = points(6)
LEAST_CONTRAST = 4.5
_SLACK = 20
"""Rounding of a scaled drawing, in micrometres."""
_MIDDLE = 0.3
"""The middle of the letters over their baseline, in ems."""


class LegibilityCheck:
    """Checks the texts of a face, in drawing order, against the fills that were drawn before them."""

    def __init__(self, size: Size) -> None:
        self.notes: list[Note] = []
        self._face = Span(0, 0, size.width, size.height)
        self._fills: list[Sequence[Fill]] = []

    def add_fills(self, fills: Sequence[Fill]) -> None:
        """These fills lie under all texts that follow."""
        self._fills.append(fills)

    def check_shapes(self, shapes: Iterable[Shape], window: Span | None = None) -> None:
        """Checks the texts among some shapes, clipped to a window; what is filled lies under those that follow."""
        for shape in shapes:
            if isinstance(shape, Run):
                self.check_runs((shape,))
            elif isinstance(shape, Path):
                self.add_fills(fills((shape,), window))
            elif isinstance(shape, Group):
                self.check_shapes(shape.shapes, _clipped(shape, window))

    def check_text(self, runs: Sequence[Run], span: Span) -> bool:
        """Checks runs of one size and colour that lie within a rectangle.

        True where any such runs could be read anywhere in that rectangle.
        """
        first = runs[0]
        colour = self._one_colour(span) if self._face.holds(span) and first.size >= SMALLEST_TYPE - 1 else None
        if colour is not None and contrast(first.colour, colour) >= LEAST_CONTRAST:
            return True
        self.check_runs(runs)
        return False

    def check_runs(self, runs: Sequence[Run]) -> None:
        """Notes what is wrong with runs that belong together."""
        runs = [run for run in runs if run.colour != UNSEEN]
        if not runs:
            return
        colour = self._one_colour(union(map(letter_box, runs)))
        for run in runs:
            if run.size < SMALLEST_TYPE - 1:
                self._note("text_too_small", run, size_um=run.size, least_um=SMALLEST_TYPE)
            ratio = contrast(
                run.colour, colour or self._colour_at(*letter_point(run, run.width / 2, run.size * _MIDDLE))
            )
            if ratio < LEAST_CONTRAST:
                self._note("contrast_low", run, ratio=round(ratio, 2), least=LEAST_CONTRAST)
            if not self._face.holds(letter_box(run, 0, 0), _SLACK):
                self._note("text_outside", run, x_um=run.x, y_um=run.y, width_um=run.width)

    def _note(self, kind: str, run: Run, **data: int | float) -> None:
        self.notes.append(Note(kind, run.field, run.text, data))

    def _one_colour(self, span: Span) -> str | None:
        """The colour behind all of a rectangle; None where there may be several."""
        for fills in reversed(self._fills):
            for fill in reversed(fills):
                if fill.span.overlaps(span):
                    return fill.colour if fill.core and fill.core.holds(span) else None
        return PAPER

    def _colour_at(self, x: float, y: float) -> str:
        """The colour of the last fill under a point, else paper."""
        for fills in reversed(self._fills):
            for fill in reversed(fills):
                span = fill.span
                if span.left <= x <= span.right and span.top <= y <= span.bottom and fill.covers(x, y):
                    return fill.colour
        return PAPER


def notes(face: Face) -> list[Note]:
    """Every run that is too small, too faint or outside the face."""
    check = LegibilityCheck(face.size)
    check.check_shapes(face.shapes)
    return check.notes


def fills(shapes: Iterable[Shape], window: Span | None = None) -> tuple[Fill, ...]:
    """The fills of some shapes that show in a window, in drawing order."""
    visible: list[Fill] = []
    for shape in shapes:
        if isinstance(shape, Group):
            visible.extend(fills(shape.shapes, _clipped(shape, window)))
        elif isinstance(shape, Path) and shape.fill and shape.ops:
            fill = Fill(shape, shape.fill, window)
            if fill.span.left <= fill.span.right and fill.span.top <= fill.span.bottom:
                visible.append(fill)
    return tuple(visible)


def _clipped(group: Group, window: Span | None) -> Span | None:
    """The window within a group."""
    if not group.clip:
        return window
    span = span_of_path(group.clip)
    return span.common(window) if window else span


@lru_cache(maxsize=1024)
def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours, 1 to 21 (WCAG 2.2)."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    channels = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
