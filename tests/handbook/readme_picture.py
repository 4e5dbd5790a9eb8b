"""The picture of the README, drawn by the program: `python -m tests.handbook.readme_picture` writes it anew."""

from __future__ import annotations

import io

from PIL import Image

from carddb.core import assets
from carddb.games import folders, load
from carddb.layout.documents.blocks import Picture
from carddb.paint.documents.html import figure_png
from carddb.press.documents.figures import draw_figures

CARDS = ("EG-CAR-016", "CAH-004", "RIS-006", "6-X", "EG-BYZ-014")
HEIGHT, GAP, DPI = 400, 24, 300
"""Pixels of a card, and between two; the resolution that they are made smaller from."""
LINE, GROUND = "#c9c6bd", "#f1efe8"


def picture() -> bytes:
    """A card of each game side by side, as PNG."""
    games = {key: game for key, folder in folders().items() if (game := load(folder)[0])}
    figures, findings = draw_figures([("README.md", Picture(f"face:{ref}", ref)) for ref in CARDS], lambda: games)
    assert not findings
    faces = [_scaled(figure_png(figures, f"face:{ref}", DPI)) for ref in CARDS]
    whole = Image.new("RGB", (sum(face.width + GAP for face in faces) + GAP, HEIGHT + 2 * GAP), GROUND)
    x = GAP
    for face in faces:
        whole.paste(face, (x, GAP))
        x += face.width + GAP
    out = io.BytesIO()
    whole.quantize(128, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
    return out.getvalue()


def _scaled(data: bytes) -> Image.Image:
    """A face with a thin line round it."""
    face = Image.open(io.BytesIO(data)).convert("RGB")
    face = face.resize((round(face.width * HEIGHT / face.height), HEIGHT), Image.Resampling.LANCZOS)
    framed = Image.new("RGB", face.size, LINE)
    framed.paste(face.crop((1, 1, face.width - 1, face.height - 1)), (1, 1))
    return framed


if __name__ == "__main__":
    (assets.handbook() / "pictures" / "cards.png").write_bytes(picture())
