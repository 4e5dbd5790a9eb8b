"""The reference row of the sheets: Tidewrack's cards as ReportLab's own guide would draw them.

    python tests/benchmarks/naive.py PROJECT CARDS.csv OUT.pdf [COPIES]

A Paragraph for each text, `drawImage` for each picture, nine cards on A4 with 3 mm between them and marks at the
corners of each. It stands alone, so that its process imports nothing of carddb.
"""

from __future__ import annotations

import csv
import re
import sys
from importlib.util import find_spec
from pathlib import Path

from reportlab.lib.colors import HexColor
from reportlab.lib.enums import TA_CENTER
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Paragraph

WIDTH, HEIGHT, GAP, ACROSS, DOWN = 63.5, 88.9, 3.0, 3, 3
LEFT = (A4[0] / mm - ACROSS * WIDTH - (ACROSS - 1) * GAP) / 2
TOP = (A4[1] / mm - DOWN * HEIGHT - (DOWN - 1) * GAP) / 2
INK = HexColor("#26221d")
COLOURS = {
    "beast": "#7d3b2c", "sailor": "#285878", "vessel": "#3d5f43",
    "relic": "#6a5420", "isle": "#57456e", "storm": "#545c63",
}  # fmt: skip


def register_fonts() -> None:
    package = find_spec("fontpkg_ibm_plex_sans_condensed")
    assert package is not None and package.origin is not None
    files = Path(package.origin).parent / "files"
    for name, style in (("plain", "Regular"), ("bold", "Bold"), ("italic", "Italic")):
        pdfmetrics.registerFont(TTFont(name, str(files / f"IBMPlexSansCondensed-{style}.ttf")))
    pdfmetrics.registerFontFamily("plain", normal="plain", bold="bold", italic="italic", boldItalic="bold")


def style(font: str, size: float, leading: float, centred: bool = False) -> ParagraphStyle:
    return ParagraphStyle(
        "style", fontName=font, fontSize=size, leading=leading, textColor=INK, alignment=TA_CENTER if centred else 0
    )


TITLE, LINE, RULES = style("bold", 12, 14), style("plain", 7.5, 9), style("plain", 8.5, 10.2)
STAT, FOOT = style("bold", 16, 18, True), style("plain", 6, 8, True)


def write(canvas: Canvas, text: str, look: ParagraphStyle, x: float, y: float, width: float, top: bool = False) -> None:
    """Text whose first baseline, or top, is `y` millimetres below the card's upper edge."""
    paragraph = Paragraph(text, look)
    _, height = paragraph.wrap(width * mm, 200 * mm)
    paragraph.drawOn(canvas, x * mm, (HEIGHT - y) * mm - (height if top else height - look.fontSize))


def box(canvas: Canvas, x: float, y: float, width: float, height: float, radius: float = 0) -> None:
    canvas.roundRect(x * mm, (HEIGHT - y - height) * mm, width * mm, height * mm, radius * mm, stroke=1, fill=1)


def card(canvas: Canvas, folder: Path, row: dict[str, str], total: int) -> None:
    canvas.setFillColor(HexColor(COLOURS[row["type"]]))
    canvas.rect(0, 0, WIDTH * mm, HEIGHT * mm, stroke=0, fill=1)
    canvas.setStrokeColor(INK)
    canvas.setFillColor(HexColor("#faf5e9"))
    canvas.setLineWidth(0.28 * mm)
    box(canvas, 2, 2, 59.5, 84.9, 3)
    canvas.drawImage(str(folder / row["art"]), 7.75 * mm, (HEIGHT - 47.2) * mm, 48 * mm, 33.6 * mm)
    canvas.setLineWidth(0.18 * mm)
    canvas.setFillColor(HexColor("#ffffff"))
    box(canvas, 4.75, 48.4, 54, 28.2)
    canvas.setFillColor(HexColor("#e6dbc0"))
    for x in (4.75, 48.75):
        box(canvas, x, 77.4, 10, 8.2)
    write(canvas, row["name"], TITLE, 5, 8.8, 57)
    write(canvas, row["line"], LINE, 5, 12.4, 53)
    rules = re.sub(r"\*\*(.+?)\*\*|\*(.+?)\*", lambda m: f"<b>{m[1]}</b>" if m[1] else f"<i>{m[2]}</i>", row["text"])
    write(canvas, rules, RULES, 6, 49.4, 51.5, top=True)
    write(canvas, row["attack"], STAT, 4.75, 83.45, 10)
    write(canvas, row["defense"], STAT, 48.75, 83.45, 10)
    write(canvas, f"{int(row['number']):04}/{total:04} - {row['rarity'].capitalize()}", FOOT, 16, 82.6, 31.5)


def marks(canvas: Canvas, x: float, y: float) -> None:
    canvas.setStrokeColorRGB(0, 0, 0)
    canvas.setLineWidth(0.3)
    for across, out in ((x, -1), (x + WIDTH, 1)):
        for down, below in ((y, -1), (y + HEIGHT, 1)):
            level, upright = A4[1] - down * mm, across * mm
            canvas.line((across + 0.2 * out) * mm, level, (across + 1.2 * out) * mm, level)
            canvas.line(upright, level - 0.2 * below * mm, upright, level - 1.2 * below * mm)


def main(folder: Path, cards: Path, out: str, copies: int) -> None:
    register_fonts()
    with cards.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    canvas = Canvas(out, pagesize=A4, pageCompression=1)
    for count, row in enumerate(row for row in rows for _ in range(copies)):
        place = count % (ACROSS * DOWN)
        if count and not place:
            canvas.showPage()
        x, y = LEFT + place % ACROSS * (WIDTH + GAP), TOP + place // ACROSS * (HEIGHT + GAP)
        marks(canvas, x, y)
        canvas.saveState()
        canvas.translate(x * mm, A4[1] - (y + HEIGHT) * mm)
        card(canvas, folder, row, len(rows))
        canvas.restoreState()
    canvas.save()


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], int(sys.argv[4]) if len(sys.argv) > 4 else 1)
