"""Prepares printing: proofs of faces, findings about them, and the calibration page for a printer."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, get_args

from carddb.cards.cards import Card
from carddb.core.units import UM_PER_INCH, UM_PER_MM, Box, Size, mm, to_mm
from carddb.findings import CardCount, Finding
from carddb.layout.calibration import (
    CELL,
    DEPTH,
    EDGE,
    FRONT_HALF,
    LETTERS,
    NUMBERS,
    RIGHT,
    SLACK,
    STEP,
    STRIP,
    ZERO,
    Calibration,
    ScaleReading,
    Vernier,
    back_lines,
    front_lines,
    page_adjustment,
    room_of,
    ruler_lengths,
    scales,
)
from carddb.layout.display_list import Face, Group, Op, Path, Run, Shape, Stroke, rectangle
from carddb.layout.drawing.face import DrawingKit, draw
from carddb.layout.drawing.legibility import SafeArea, crowded, outside_printable
from carddb.layout.drawing.outline import Outline
from carddb.layout.drawing.path import Matrix, apply, direction, multiply, place, span_of_path, union
from carddb.layout.sheets.crop_marks import FOLD
from carddb.layout.sheets.grid import turn_axis, whole_page
from carddb.layout.sheets.imposition import Page, Side
from carddb.layout.sheets.margin_text import Label
from carddb.layout.stock import paper_label, paper_size
from carddb.layout.templates.template import BASE
from carddb.paint.pdf.content_stream import DrawnPage, pictures
from carddb.paint.pdf.images import PdfImages
from carddb.paint.pdf.sheets import faces_pdf, sheets_pdf
from carddb.paint.svg import svg
from carddb.press.faces.art import undrawn
from carddb.press.faces.bank import FaceStreams
from carddb.press.faces.workshop import Workshop, house_kit
from carddb.press.sheets.card_sheets import card_sheets, face_bank
from carddb.press.sheets.options import SheetOptions

_TEMPLATE = f"{BASE}/calibration.svg"
_FAMILY = "IBM Plex Sans Condensed"
_LAMP = Size(2 * FRONT_HALF + 4_000, 24_000)
_SAMPLE_READING = ScaleReading("D", 16)


def sheet_svg(size: Size) -> str:
    """Draws a small picture of a calibration page, with numbered scales. Raises UsageError if `size` is too small."""
    kit = house_kit()
    return svg(_calibration_face(kit, Calibration(size, "long-edge"), "sheet"), kit.book, {})


def lamp_svg() -> str:
    """Draws an example of a scale as it looks when the page is held against a lamp, with its reading."""
    kit = house_kit()
    page = Calibration(paper_size("letter"), "long-edge")
    return svg(_calibration_face(kit, page, "lamp", _LAMP), kit.book, {})


def calibration_pdf(page: Calibration, creation: int = 0) -> bytes:
    """Returns a calibration page as PDF; `creation` is in seconds since 1970. Raises UsageError for too small paper."""
    kit = house_kit()
    pages = map(DrawnPage, calibration_pages(kit, page))
    title = f"Printer calibration {page.name}".rstrip()
    return sheets_pdf(pages, kit.book, {}, title=title, duplex=page.flip, creation=creation)


def calibration_pages(kit: DrawingKit, page: Calibration) -> list[Page]:
    """Returns both sides of a calibration page, drawn with its correction. Raises UsageError for too small paper."""
    grid, sides = whole_page(page.size), get_args(Side)
    return [
        Page(
            grid, side, 1, 1, grid.slots, 0, (), _calibration_face(kit, page, side).shapes,
            adjust=page_adjustment(page.correction, page.size, side),
        )
        for side in sides
    ]  # fmt: skip


def _calibration_face(kit: DrawingKit, page: Calibration, kind: str, size: Size | None = None) -> Face:
    """Draws a side of a calibration page or, as `kind` says, a picture that explains it."""
    lengths, room, size = ruler_lengths(page.size), room_of(page.size), size or page.size
    hinge, correction = turn_axis(page.size, page.flip), page.correction
    a, b, c, d, e, f = hinge.matrix
    sample = Vernier("x", _LAMP.width // 2, 6_500, 1)
    context = {
        "kind": kind, "family": _FAMILY, "width": to_mm(size.width), "height": to_mm(size.height),
        "scales": [_scale(scale) for scale in scales(page.size)],
        "sample": {**_scale(sample, _SAMPLE_READING.front - _SAMPLE_READING.back), "reading": str(_SAMPLE_READING)},
        "vernier": {
            "half": to_mm(FRONT_HALF), "slack": to_mm(SLACK), "depth": to_mm(EDGE + DEPTH), "numbers": NUMBERS,
            "zero": ZERO, "step": to_mm(STEP), "letters": LETTERS, "cell": to_mm(CELL), "strip": [*map(to_mm, STRIP)],
            "right": RIGHT,
        },
        "room": {
            **{side: to_mm(length) for side, length in room._asdict().items()},
            "right": to_mm(room.right), "bottom": to_mm(room.bottom),
        },
        "lengths": lengths and dict(zip(("across", "down"), (length // UM_PER_MM for length in lengths), strict=True)),
        "page": {
            "name": page.name or "any printer", "tray": page.tray, "paper": paper_label(page.size), "code": page.code,
            "edge": page.flip.replace("-", " "), "other_flip": page.other_flip, "command": page.command,
            "full": correction.full, "move": correction.move,
        },
        "is_upright": hinge.upright,
        "mirror": f"matrix({a} {b} {c} {d} {e / UM_PER_MM} {f / UM_PER_MM})",
    }  # fmt: skip
    return draw(kit, _TEMPLATE, context, CardCount("", "calibration page")).face


def _scale(scale: Vernier, off: int = 0) -> dict[str, Any]:
    """Returns the values of a scale for the template; `off` is the offset of its lines on the back."""
    return {
        "axis": scale.axis, "x": to_mm(scale.x), "y": to_mm(scale.y), "side": scale.side,
        "front": [[*map(to_mm, (*start, *end))] for _, start, end in front_lines(scale)],
        "back": [(long, *map(to_mm, (*start, *end))) for long, start, end in back_lines(scale, off)],
    }  # fmt: skip


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
"""The length of the sample line in the legend."""


MOST_IN_HAND = 12
"""The most cards of a hand that are drawn."""
_TURN = 4
"""The angle between two cards of a hand, in degrees, at which their corners are about 10 mm apart."""
_EDGE = Stroke("#808080", 150)


def proof_bytes(
    workshop: Workshop, cards: Sequence[Card], options: SheetOptions, kind: str, dpi: int, *, in_hand: bool
) -> tuple[bytes, list[Finding]]:
    """Returns a proof of the first card's front as a file of a `kind` (`pdf`, `png`, `svg`), and the findings about it.

    The proof has trim and safe lines. With `in_hand`, it shows all cards as they are held in a hand, without lines.
    """
    bank, book, images = face_bank(workshop, options), workshop.kit.book, workshop.images
    numbers = [bank.front(card) for card in cards]
    if in_hand:
        face = held([bank[number] for number in numbers])
    else:
        face = with_legend(marked(bank[numbers[0]], bank.outline_of(numbers[0])), workshop.label("label"))
    if kind == "svg":
        data = svg(face, book, images, lang=workshop.lang).encode()
    elif kind == "png":
        from carddb.paint.rasterizer import png  # PDFium takes 50 ms: only for a PNG

        data = png(face, book, images, dpi)
    else:
        data = faces_pdf([face], book, images, title=face.title, lang=workshop.lang, creation=options.creation)
    return data, bank.findings


def held(faces: Sequence[Face]) -> Face:
    """Returns one drawing of faces as held in a hand, each over the previous one and turned a little further."""
    reach = round(faces[0].size.height + mm(10) / math.radians(_TURN))
    places: list[tuple[Matrix, int, tuple[Op, ...]]] = []
    for number, face in enumerate(faces):
        angle = round(_TURN * (number - (len(faces) - 1) / 2))
        cos, sin = direction(angle)
        x, y = apply((cos, sin, -sin, cos, 0, 0), -face.size.width / 2, -reach)
        matrix = (cos, sin, -sin, cos, x, y)
        places.append((matrix, angle, place(rectangle(Box(0, 0, *face.size)), matrix)))
    whole = union(span_of_path(trim) for _, _, trim in places).box.grown(SAFE)
    to_page: Matrix = (1, 0, 0, 1, -whole.x, -whole.y)
    shapes: list[Shape] = [Path(rectangle(Box(0, 0, whole.width, whole.height)), "#ffffff")]
    for face, (matrix, angle, outline) in zip(faces, places, strict=True):
        trim = place(outline, to_page)
        inner = turned(face.shapes, multiply(to_page, matrix), angle)
        shapes.append(Group((Path(trim, "#ffffff"), *inner, Path(trim, stroke=_EDGE)), trim))
    return Face(Size(whole.width, whole.height), tuple(shapes))


def turned(shapes: Sequence[Shape], matrix: Matrix, angle: int) -> list[Shape]:
    """Returns shapes transformed by a matrix, which turns them by `angle` degrees clockwise."""
    out: list[Shape] = []
    for shape in shapes:
        if isinstance(shape, Group):
            inner = tuple(turned(shape.shapes, matrix, angle))
            out.append(replace(shape, shapes=inner, clip=place(shape.clip, matrix), shared=False))
        elif isinstance(shape, Path):
            gradient = shape.gradient
            gradient = gradient and gradient._replace(matrix=multiply(matrix, gradient.matrix))
            out.append(shape._replace(ops=place(shape.ops, matrix), gradient=gradient))
        elif isinstance(shape, Run):
            x, y = apply(matrix, shape.x, shape.y)
            out.append(shape._replace(x=round(x), y=round(y), angle=(shape.angle + angle) % 360))
        else:
            window, whole = place(rectangle(shape.clip), matrix), shape.box
            x, y = apply(matrix, whole.x + whole.width / 2, whole.y + whole.height / 2)
            box = whole._replace(x=round(x - whole.width / 2), y=round(y - whole.height / 2))
            clip = span_of_path(window).box
            out.append(Group((shape._replace(box=box, clip=clip, angle=shape.angle + angle),), window))
    return out


def marked(face: Face, outline: Outline | None = None) -> Face:
    """Returns the face with its trim line and, an eighth of an inch inside it, its safe line.

    The trim line is the `outline` if there is one, whose folds and perforations are drawn too.
    """
    whole = Box(0, 0, face.size.width, face.size.height)
    trim = outline.path if outline else rectangle(whole)
    safe = outline.grown(-SAFE) if outline and not outline.straight else rectangle(whole.grown(-SAFE))
    folds = (*outline.folds, *outline.perforations) if outline else ()
    lines = (Path(trim, stroke=_TRIM), Path(safe, stroke=_SAFE_LINE), *(Path(fold, stroke=FOLD) for fold in folds))
    return replace(face, shapes=face.shapes + lines)


def with_legend(face: Face, label: Label) -> Face:
    """Returns the face with a legend of its lines below it."""
    width, top = face.size.width, face.size.height
    height = _ROW * (len(_LEGEND) + 1)
    shapes: list[Shape] = [Path(rectangle(Box(-SAFE, top + _TRIM.width, width + 2 * SAFE, height)), "#ffffff")]
    for number, (stroke, words) in enumerate(_LEGEND, 1):
        y = top + number * _ROW
        shapes.append(Path((("M", (SAFE, y)), ("L", (SAFE + _SAMPLE, y))), stroke=stroke))
        shapes += label(words, SAFE + _SAMPLE + 1500, y + _TYPE // 3, _TYPE, "start", 0)
    return replace(face, size=Size(width, top + height), shapes=(*face.shapes, *shapes))


def preflight(workshop: Workshop, cards: Sequence[Card], options: SheetOptions) -> list[Finding]:
    """Returns findings about cards as they would be printed, and about texts too near the cut, a frame or other text.

    Faces and pictures are prepared as for printing, because a picture's faults are known only at its printed size.
    Raises UsageError for unknown names and for cards that do not fit the paper.
    """
    bank = face_bank(workshop, options, lenient=True)
    sheets = card_sheets(bank, [(card, 1) for card in cards], options)
    subjects: dict[int, CardCount] = {}
    for card, copy in zip(cards, sheets.copies, strict=True):
        for number in copy:
            if number is not None:
                subjects.setdefault(number, CardCount(card.ref, card.name))
    streams, area = FaceStreams(bank), SafeArea(SAFE, "the safe zone of an eighth of an inch")
    album = PdfImages(workshop.images, options.art_dpi, tight=options.tight)
    close: list[Finding] = []
    for number in dict.fromkeys(placed.face for page in sheets.pages() for placed in page.placed):
        for picture in pictures(streams[number].items):
            album.use(picture)
        area.check(bank[number], subjects[number], bank.outline_of(number))
        close += crowded(bank[number], subjects[number])
    unprinted = outside_printable((bank[number] for number in sheets.bare_faces), options.unprinted)
    return [
        *bank.findings, *([unprinted] if unprinted else []), *undrawn(album, workshop.images), *area.findings(), *close
    ]  # fmt: skip
