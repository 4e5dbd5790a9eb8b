"""One face alone with its trim and safe lines and what they mean, for looking closely."""

from __future__ import annotations

from dataclasses import replace

from carddb.cards.cards import Card
from carddb.core.units import UM_PER_INCH, Box, Size
from carddb.findings import Finding
from carddb.layout.display_list import Face, Path, Shape, Stroke, rectangle
from carddb.layout.sheets.ruler import Label
from carddb.paint.pdf.sheets import face_pdf
from carddb.paint.svg import svg
from carddb.press.faces.workshop import Workshop
from carddb.press.sheets.card_sheets import face_bank
from carddb.press.sheets.options import SheetOptions

SAFE = UM_PER_INCH // 8
_TRIM = Stroke("#c2185b", 150)
_SAFE_LINE = Stroke("#00838f", 150, dash=(1200, 800))
_LEGEND = (
    (_TRIM, "trim: where the card is cut"),
    (_SAFE_LINE, f"safe: {SAFE / 1000:.1f} mm inside; words stay within"),
)
_ROW = 3600
_TYPE = 2300
_SAMPLE = 6000
"""How long the sample of a line in the legend is."""


def proof_bytes(
    workshop: Workshop, card: Card, options: SheetOptions, kind: str, dpi: int = 300
) -> tuple[bytes, list[Finding]]:
    """The front of a card as `pdf`, `png` or `svg`, and what is wrong with it."""
    bank = face_bank(workshop, options)
    face = with_legend(marked(bank[bank.front(card)]), workshop.label("label"))
    book, images = workshop.studio.book, workshop.images
    if kind == "svg":
        return svg(face, book, images, lang=workshop.lang).encode(), bank.findings
    if kind == "png":
        from carddb.paint.png import png  # PDFium, 50 ms, for a PNG alone

        return png(face, book, images, dpi), bank.findings
    return face_pdf(face, book, images, lang=workshop.lang, creation=options.creation), bank.findings


def marked(face: Face) -> Face:
    """The face with its trim line and, an eighth of an inch inside, its safe line."""
    trim = Box(0, 0, face.size.width, face.size.height)
    lines = (Path(rectangle(trim), stroke=_TRIM), Path(rectangle(trim.grown(-SAFE)), stroke=_SAFE_LINE))
    return replace(face, shapes=face.shapes + lines)


def with_legend(face: Face, label: Label) -> Face:
    """The face with room beneath it, in which its lines are named."""
    width, top = face.size.width, face.size.height
    height = _ROW * (len(_LEGEND) + 1)
    shapes: list[Shape] = [Path(rectangle(Box(-SAFE, top + _TRIM.width, width + 2 * SAFE, height)), "#ffffff")]
    for number, (stroke, words) in enumerate(_LEGEND, 1):
        y = top + number * _ROW
        shapes.append(Path((("M", (SAFE, y)), ("L", (SAFE + _SAMPLE, y))), stroke=stroke))
        shapes += label(words, SAFE + _SAMPLE + 1500, y + _TYPE // 3, _TYPE, "start", 0)
    return replace(face, size=Size(width, top + height), shapes=(*face.shapes, *shapes))
