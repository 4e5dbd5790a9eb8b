"""The reference row of the pictures: Tidewrack's cards drawn with Pillow, as its handbook shows it.

    python tests/benchmarks/naive_png.py PROJECT CARDS.csv FOLDER

One picture a card at 300 dots per inch with 3 mm of bleed, saved as PNG with Pillow's default compression, by one
process. It stands alone, so that its process imports nothing of carddb.
"""

from __future__ import annotations

import csv
import sys
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

DPI, BLEED = 300, 3.0
COLOURS = {
    "beast": "#7d3b2c", "sailor": "#285878", "vessel": "#3d5f43",
    "relic": "#6a5420", "isle": "#57456e", "storm": "#545c63",
}  # fmt: skip
INK = "#26221d"


def dots(length: float) -> int:
    return round(length * DPI / 25.4)


@lru_cache
def font(style: str, size: float) -> ImageFont.FreeTypeFont:
    package = find_spec("fontpkg_ibm_plex_sans_condensed")
    assert package is not None and package.origin is not None
    file = Path(package.origin).parent / "files" / f"IBMPlexSansCondensed-{style}.ttf"
    return ImageFont.truetype(str(file), round(size * DPI / 72))


@lru_cache
def picture(path: Path, width: int, height: int) -> Image.Image:
    return Image.open(path).convert("RGB").resize((width, height), Image.Resampling.LANCZOS)


def box(
    draw: ImageDraw.ImageDraw, x: float, y: float, width: float, height: float, fill: str, radius: float = 0
) -> None:
    corners = [dots(BLEED + place) for place in (x, y, x + width, y + height)]
    draw.rounded_rectangle(corners, dots(radius), fill, INK, 2)


def rules(draw: ImageDraw.ImageDraw, text: str, x: float, y: float, width: float) -> None:
    """Words set one by one, bold and italic by their marks, a new line where the next does not fit."""
    left, at, down, style = dots(BLEED + x), 0.0, dots(BLEED + y), "Regular"
    for word in text.split():
        style = "Bold" if word.startswith("**") else "Italic" if word.startswith("*") else style
        look = font(style, 8.5)
        plain = word.strip("*")
        wide = look.getlength(plain)
        if at + wide > dots(width):
            at, down = 0.0, down + round(8.5 * 1.2 * DPI / 72)
        draw.text((left + at, down), plain, INK, look)
        at += wide + look.getlength(" ")
        style = "Regular" if word.endswith("*") else style


def card(folder: Path, row: dict[str, str], total: int) -> Image.Image:
    size = dots(63.5 + 2 * BLEED), dots(88.9 + 2 * BLEED)
    image = Image.new("RGB", size, COLOURS[row["type"]])
    draw = ImageDraw.Draw(image)
    box(draw, 2, 2, 59.5, 84.9, "#faf5e9", 3)
    image.paste(picture(folder / row["art"], dots(48), dots(33.6)), (dots(BLEED + 7.75), dots(BLEED + 13.6)))
    box(draw, 4.75, 48.4, 54, 28.2, "#ffffff")
    for x, stat in ((4.75, "attack"), (48.75, "defense")):
        box(draw, x, 77.4, 10, 8.2, "#e6dbc0")
        draw.text((dots(BLEED + x + 5), dots(BLEED + 83.45)), row[stat], INK, font("Bold", 16), anchor="ms")
    draw.text((dots(BLEED + 5), dots(BLEED + 8.8)), row["name"], INK, font("Bold", 12), anchor="ls")
    draw.text((dots(BLEED + 5), dots(BLEED + 12.4)), row["line"], INK, font("Regular", 7.5), anchor="ls")
    rules(draw, row["text"], 6, 49.4, 51.5)
    foot = f"{int(row['number']):04}/{total:04} - {row['rarity'].capitalize()}"
    draw.text((dots(BLEED + 31.75), dots(BLEED + 82.6)), foot, INK, font("Regular", 6), anchor="ms")
    return image


def main(folder: Path, cards: Path, out: Path) -> None:
    out.mkdir(exist_ok=True)
    with cards.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        card(folder, row, len(rows)).save(out / f"{row['ref']}.png", compress_level=6)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3]))
