"""Pictures of what is printed, compared with the golden ones: nearly equal is equal, since fonts and renderers differ a
little from machine to machine."""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO
from pathlib import Path

import pypdfium2
from PIL import Image, ImageChops, ImageStat

FOLDER = Path(__file__).parent / "pictures"
FACE_DPI, PAGE_DPI = 72, 36
COLOURS = 96
"""Of a kept picture: a palette makes it half as large, and costs a mean difference of less than 1."""
MEAN, STRONG, SHARE = 3.0, 64, 0.012
"""How far pictures may differ: the mean of a channel, from 0 to 255; how many pixels differ strongly, as a share."""


def page_picture(data: bytes, page: int = 0, dpi: int = PAGE_DPI) -> Image.Image:
    """A page of a PDF."""
    with pypdfium2.PdfDocument(data) as document:
        picture: Image.Image = document[page].render(scale=dpi / 72).to_pil()
        return picture.convert("RGB")


def png_picture(data: bytes) -> Image.Image:
    return Image.open(BytesIO(data)).convert("RGB")


def difference(one: Image.Image, other: Image.Image) -> str:
    """What tells two pictures apart; nothing where they are nearly equal."""
    if one.size != other.size:
        return f"{one.size[0]} × {one.size[1]} pixels, not {other.size[0]} × {other.size[1]}"
    apart = ImageChops.difference(one, other)
    mean = sum(ImageStat.Stat(apart).mean) / 3
    strongest = apart.convert("L")
    share = sum(strongest.histogram()[STRONG:]) / (strongest.width * strongest.height)
    return f"mean {mean:.1f}, {share:.1%} differ strongly" if mean > MEAN or share > SHARE else ""


def compared(pictures: Mapping[str, Image.Image], update: bool) -> list[str]:
    """Each picture that differs from its golden one, and how. `update` writes those that differ or are missing anew."""
    faults = []
    for name, picture in pictures.items():
        path = FOLDER / f"{name}.png"
        how = difference(picture, Image.open(path).convert("RGB")) if path.is_file() else "there is no golden picture"
        if how and update:
            path.parent.mkdir(parents=True, exist_ok=True)
            small = picture.quantize(COLOURS, dither=Image.Dither.NONE)
            small.save(path, optimize=True)
        elif how:
            faults.append(f"{name}: {how}")
    return faults
