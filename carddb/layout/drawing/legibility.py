"""Checks that a drawn face can be read: size floor, contrast, nothing outside the trim or too near to the cut."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from carddb.core.units import Size, points, to_mm
from carddb.findings import CardCount, Finding, warning
from carddb.layout.colours import contrast, mixed, shades
from carddb.layout.display_list import UNSEEN, Face, Group, Path, Run, Shape, walk
from carddb.layout.drawing.bleed import OPAQUE, PAPER, Fill
from carddb.layout.drawing.path import Span, letter_box, letter_point, span_of_path
from carddb.layout.drawing.svg_parser import Note

SMALLEST_TYPE = points(6)
LEAST_CONTRAST, LEAST_OF_LARGE = 4.5, 3.0
"""The contrast that text needs, and large text (WCAG 2.2, 1.4.3)."""
_LARGE, _LARGE_BOLD, _BOLD = points(18), points(14), 700
"""From which size on a text is large, and one that is bold; from which weight on it is bold."""
_SLACK = 20
"""Rounding of a scaled drawing, in micrometres."""
_MIDDLE = 0.3
"""The middle of the letters over their baseline, in ems."""


class _LegibilityCheck:
    """Checks the texts of a face, in drawing order, against the fills that were drawn before them."""

    def __init__(self, size: Size) -> None:
        self.notes: list[Note] = []
        self._face = Span(0, 0, size.width, size.height)
        self._fills: list[Fill] = []

    def check(self, shapes: Iterable[Shape], window: Span | None = None, opacity: int = OPAQUE) -> None:
        """Checks the texts among some shapes, clipped to a window; what is filled lies under those that follow."""
        for shape in shapes:
            if isinstance(shape, Run):
                if shape.colour != UNSEEN:
                    self._check_run(shape)
            elif isinstance(shape, Path):
                if shape.fill and shape.ops:
                    fill = Fill(shape, shape.fill, window, opacity)
                    if fill.span.left <= fill.span.right and fill.span.top <= fill.span.bottom:
                        self._fills.append(fill)
            elif isinstance(shape, Group):
                self.check(shape.shapes, _clipped(shape, window), opacity * shape.opacity // OPAQUE)

    def _check_run(self, run: Run) -> None:
        """Notes whether a run is too small, too faint, or outside the face."""
        if run.size < SMALLEST_TYPE - 1:
            self._note("text_too_small", run, size_um=run.size, least_um=SMALLEST_TYPE)
        ground = self._one_colour(letter_box(run)) or min(
            self._grounds(run), key=lambda ground: contrast(run.colour, ground)
        )
        ratio, least = contrast(run.colour, ground), least_contrast(run)
        if ratio < least:
            self._note("contrast_low", run, ratio=round(ratio, 2), least=least, colour=run.colour, ground=ground,
                       better=_readable(run.colour, ground, least))  # fmt: skip
        if not self._face.holds(letter_box(run, 0, 0), _SLACK):
            self._note("text_outside", run, x_um=run.x, y_um=run.y, width_um=run.width)

    def _grounds(self, run: Run) -> Iterator[str]:
        """Yields the colours under the middles of a run's letters."""
        x = 0
        for advance in run.advances:
            yield self._colour_at(*letter_point(run, x + advance / 2, run.size * _MIDDLE))
            x += advance

    def _note(self, kind: str, run: Run, **data: int | float | str) -> None:
        self.notes.append(Note(kind, run.field, run.text, data))

    def _one_colour(self, span: Span) -> str | None:
        """Returns the colour behind all of a rectangle; None where there may be several."""
        left, top, right, bottom = span
        for fill in reversed(self._fills):
            under = fill.span
            if under[0] < right and left < under[2] and under[1] < bottom and top < under[3]:
                solid = fill.opacity == OPAQUE and fill.core and fill.core.holds(span)
                return fill.colour if solid else None
        return PAPER

    def _colour_at(self, x: float, y: float) -> str:
        """Returns the colour that is seen at a point: that of the last fill under it, mixed with what
        is under a glaze.
        """
        glazes: list[Fill] = []
        for fill in reversed(self._fills):
            left, top, right, bottom = fill.span
            if left <= x <= right and top <= y <= bottom and fill.covers(x, y):
                if fill.opacity == OPAQUE:
                    return _glazed(fill.colour, glazes)
                glazes.append(fill)
        return _glazed(PAPER, glazes)


def least_contrast(run: Run) -> float:
    """Returns the contrast that a text needs by its size and weight."""
    if run.size < _LARGE_BOLD:
        return LEAST_CONTRAST
    bold = any(part.isdigit() and int(part) >= _BOLD for part in run.font.split())
    return LEAST_OF_LARGE if run.size >= (_LARGE_BOLD if bold else _LARGE) else LEAST_CONTRAST


def _readable(colour: str, ground: str, least: float) -> str:
    """Returns the nearest shade of a text's colour that can be read on a ground."""
    return next(shade for shade in shades(colour) if contrast(shade, ground) >= least)


def _glazed(colour: str, glazes: Sequence[Fill]) -> str:
    """Returns a colour under fills that let it through, the last of them the lowest."""
    for glaze in reversed(glazes):
        colour = mixed(glaze.colour, colour, glaze.opacity)
    return colour


def notes(face: Face) -> list[Note]:
    """Notes every run that is too small, too faint or outside the face."""
    check = _LegibilityCheck(face.size)
    check.check(face.shapes)
    return check.notes


def _clipped(group: Group, window: Span | None) -> Span | None:
    """Returns the window within a group."""
    if not group.clip:
        return window
    span = span_of_path(group.clip)
    return span.common(window) if window else span


_ABOVE, _BELOW = 720, 220
"""How far most letters reach over and under their baseline, in thousandths of the em."""
_CAPITALS = 700
"""How far capitals reach over the baseline, in thousandths of the em: what a printer's edge may cut first."""


@dataclass(frozen=True, slots=True)
class _NearestWords:
    """Words that come `distance` micrometres near the trim; a negative distance is beyond it."""

    distance: int
    text: str
    subject: CardCount


@dataclass
class SafeArea:
    """Checks faces one by one, and reports the worst of each field.

    `inset` is how far inside the trim words must stay, in micrometres; `place` names the printer or shop that needs it.
    """

    inset: int
    place: str
    _worst: dict[str, _NearestWords] = field(default_factory=dict)
    _cards: dict[str, dict[CardCount, None]] = field(default_factory=dict)

    def check(self, face: Face, subject: CardCount) -> None:
        """Notes the words of a face that lie outside."""
        for run, distance in _near(face, self.inset - _SLACK):
            self._cards.setdefault(run.field, {})[subject] = None
            if run.field not in self._worst or distance < self._worst[run.field].distance:
                self._worst[run.field] = _NearestWords(distance, run.text, subject)

    def findings(self) -> list[Finding]:
        """Returns one warning `outside_safe` a field, with its nearest words."""
        return [self._finding(name, near) for name, near in self._worst.items()]

    def _finding(self, name: str, near: _NearestWords) -> Finding:
        cards = tuple(self._cards[name])
        more = len(cards) - 1
        subject = f"{near.subject.name} [{near.subject.ref}]" if near.subject.ref else near.subject.name
        words = near.text if len(near.text) <= 40 else near.text[:39] + "…"
        message = (
            f"{subject}, {name or 'face'}: “{words}” stands {to_mm(near.distance):.2f} mm inside the cut, "
            f"and {self.place} keeps {to_mm(self.inset):.2f} mm clear"
        )
        if more:
            message += f"; outside on {more} more face{'s' if more > 1 else ''}"
        data = {"field": name, "distance_um": near.distance, "safe_um": self.inset}
        return warning("outside_safe", message, cards=cards, data=data, fix="Move it inwards in the template.")


def _near(face: Face, inset: int) -> Iterator[tuple[Run, int]]:
    """Yields the words whose letters come nearer to an edge than that, and how near."""
    for run in (shape for shape in walk(face.shapes) if isinstance(shape, Run) and shape.colour != UNSEEN):
        distance = letter_box(run, _ABOVE, _BELOW).inset(face.size)
        if distance < inset:
            yield run, distance


def outside_printable(faces: Iterable[Face], margin: int) -> Finding | None:
    """Returns a warning if words of some faces lie in the `margin` (micrometres) that stays unprinted; pictures may."""
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
        f"{count} face{'s' * (count > 1)} with words in the {to_mm(margin):g} mm that the printer leaves unprinted; "
        f"“{words}” is {max(0.0, to_mm(nearest)):g} mm from the edge",
        data={"faces": count, "margin_um": margin, "nearest_um": nearest},
        fix="Use a printer that prints closer to the edge, or --stock plain and cut the cards out.",
    )
