"""Whether the words of a face keep their distance from the cut."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from carddb.core.units import to_mm
from carddb.findings import CardCount, Finding, warning
from carddb.layout.display_list import UNSEEN, Face, Run, walk
from carddb.layout.drawing.geometry import letter_box

_ABOVE, _BELOW = 720, 220
"""How far most letters reach over and under their baseline, in thousandths of the em."""
_SLACK = 20
_ABOVE = 700
"""How far letters reach over the baseline, in thousandths of the em."""


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
        """One warning `outside_safe` a field, with its nearest words."""
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
    """The words whose letters come nearer to an edge than that, and how near."""
    for run in (shape for shape in walk(face.shapes) if isinstance(shape, Run) and shape.colour != UNSEEN):
        distance = letter_box(run, _ABOVE, _BELOW).inset(face.size)
        if distance < inset:
            yield run, distance


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
