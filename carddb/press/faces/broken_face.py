"""What stands for a face that cannot be drawn, so that a job of many cards goes on and names every fault."""

from __future__ import annotations

from carddb.core.errors import CarddbError, TemplateError
from carddb.core.units import Size, to_mm
from carddb.findings import CardCount, error
from carddb.layout.drawing.face import DrawnFace, Studio, draw

_TEMPLATE = "_base/broken-face.svg"
_LONGEST = 600
"""Characters of a reason that are shown on the face."""


def broken_face(studio: Studio, subject: CardCount, size: Size, fault: CarddbError) -> DrawnFace:
    """A face that says whose it is and why it is not drawn, with the finding `face_broken`.

    `studio` has carddb's own templates.
    """
    name = f"{subject.name} [{subject.ref}]" if subject.ref else subject.name
    place = f"{fault.template}:{fault.line}" if isinstance(fault, TemplateError) else ""
    words = {
        "name": name,
        "reason": f"Not drawn: {fault.message}. {fault.remedy}"[:_LONGEST],
        "width": to_mm(size.width),
        "height": to_mm(size.height),
    }
    face = draw(studio, _TEMPLATE, words, subject, size).face
    finding = error(
        "face_broken", f"{name}: the face cannot be drawn: {fault.message}", cards=(subject,), data={"field": place},
        fix=fault.remedy or "Mend the template.",
    )  # fmt: skip
    return DrawnFace(face, (finding,))
