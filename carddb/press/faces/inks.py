"""Faces for a printing press: without transparency where it is not allowed, and with findings about too much ink."""

from __future__ import annotations

from carddb.core.units import to_mm
from carddb.findings import CardCount, Finding, error
from carddb.layout.display_list import Face
from carddb.layout.inks import opaque
from carddb.paint.pdf.prepress import Prepress


def for_press(face: Face, subject: CardCount, prepress: Prepress) -> tuple[Face, list[Finding]]:
    """Returns a face as the press prints it, and findings about transparency that is left and about too much ink."""
    findings = []
    name = f"{subject.name or face.title or 'a face'}" + (f" [{subject.ref}]" if subject.ref else "")
    cards = (subject,) if subject.ref else ()
    if not prepress.blends:
        face, left = opaque(face)
        if left:
            findings.append(
                error(
                    "transparency_left",
                    f"{name}: a transparent shape at {_place(*left[0])} lies on several colours or on a picture, and "
                    f"{prepress.standard} allows no transparency",
                    cards=cards,
                    fix="Give it an opaque colour, or put it on one colour.",
                )
            )
    heaviest, limit = prepress.inks.heaviest(face), prepress.inks.limit
    if heaviest.total > limit:
        findings.append(
            error(
                "ink_limit",
                f"{name}: the colour {heaviest.colour} at {_place(heaviest.x, heaviest.y)} takes "
                f"{heaviest.total / 10:g} % ink, and at most {limit / 10:g} % dries",
                cards=cards,
                data={"colour": heaviest.colour, "total": heaviest.total / 10, "limit": limit / 10},
                fix=f"Give {heaviest.colour} less ink under `inks` in game.yaml.",
            )
        )
    return face, findings


def _place(x: int, y: int) -> str:
    return f"{to_mm(x):.1f}, {to_mm(y):.1f} mm"
