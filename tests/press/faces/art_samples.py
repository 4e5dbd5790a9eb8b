"""Pictures made for tests, colour profiles, and what is seen of them on a printed page."""

from __future__ import annotations

import hashlib
import struct
from io import BytesIO

import pypdfium2
from PIL import Image, ImageDraw

from carddb.core.units import Box, Size
from carddb.layout.display_list import Face, PlacedImage
from carddb.layout.text.fonts import FontBook
from tests.paint.samples import face_pdf

Colour = tuple[int, int, int]
RED, GREEN, BLUE, YELLOW = (200, 30, 30), (30, 160, 60), (40, 60, 200), (230, 200, 40)
CORNERS = (RED, GREEN, BLUE, YELLOW)
"""Of the sample picture: upper left, upper right, lower left, lower right."""
CARD = Size(60_000, 40_000)
WHOLE = Box(0, 0, 60_000, 40_000)


def corners(width: int = 60, height: int = 40) -> Image.Image:
    """A picture with another colour in each quarter."""
    image = Image.new("RGB", (width, height), RED)
    draw = ImageDraw.Draw(image)
    draw.rectangle((width // 2, 0, width, height // 2 - 1), GREEN)
    draw.rectangle((0, height // 2, width // 2 - 1, height), BLUE)
    draw.rectangle((width // 2, height // 2, width, height), YELLOW)
    return image


def photograph(width: int, height: int) -> Image.Image:
    """A picture of many colours that does not deflate well."""
    noise = Image.effect_noise((width, height), 40)
    return Image.merge("RGB", (noise, Image.linear_gradient("L").resize(noise.size), noise.rotate(180)))


def saved(image: Image.Image, kind: str, **options: object) -> bytes:
    """A picture as a file; a PNG is packed loosely, which takes a fifth of the time."""
    out = BytesIO()
    image.save(out, kind, **({"compress_level": 1} if kind == "PNG" else {}), **options)
    return out.getvalue()


def key_of(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def printed(data: bytes, box: Box = WHOLE, clip: Box = WHOLE, angle: int = 0) -> bytes:
    """A PDF page of 60 × 40 mm with one picture."""
    face = Face(CARD, (PlacedImage(key_of(data), box, clip, angle),))
    return face_pdf(face, FontBook([]), {key_of(data): data})


def page(pdf: bytes, number: int = 0) -> Image.Image:
    """A page as it looks, two pixels a millimetre."""
    image: Image.Image = pypdfium2.PdfDocument(pdf)[number].render(scale=2 * 25.4 / 72).to_pil()
    return image.convert("RGB")


def quarters(pdf: bytes) -> tuple[Colour, ...]:
    """The colours in the middle of the four quarters of a page of 60 × 40 mm."""
    shown = page(pdf)
    return tuple(pixel(shown, x, y) for y in (10, 30) for x in (15, 45))


def pixel(image: Image.Image, x: float, y: float) -> Colour:
    """The colour at a place in millimetres."""
    return colour(image, round(2 * x), round(2 * y))


def colour(image: Image.Image, x: int, y: int) -> Colour:
    """The colour of a pixel of an RGB picture."""
    found = image.getpixel((x, y))
    assert isinstance(found, tuple)
    red, green, blue = found
    return red, green, blue


def near(one: tuple[Colour, ...], other: tuple[Colour, ...], slack: int = 8) -> bool:
    """Whether colours are alike, channel by channel."""
    return all(
        abs(a - b) <= slack for left, right in zip(one, other, strict=True) for a, b in zip(left, right, strict=True)
    )


def linear_profile(space: str = "RGB ") -> bytes:
    """A colour profile with the primaries of sRGB and no gamma: its middle grey is light (ICC.1, version 2)."""

    def xyz(x: float, y: float, z: float) -> bytes:
        return b"XYZ \0\0\0\0" + struct.pack(">3i", *(round(part * 65536) for part in (x, y, z)))

    name = b"linear\0"
    parts = {
        b"desc": b"desc\0\0\0\0" + struct.pack(">I", len(name)) + name + bytes(78),
        b"cprt": b"text\0\0\0\0none\0",
        b"wtpt": xyz(0.9642, 1.0, 0.8249),
    }
    curve = b"curv\0\0\0\0\0\0\0\0"
    if space == "GRAY":
        parts[b"kTRC"] = curve
    else:
        parts[b"rXYZ"], parts[b"gXYZ"], parts[b"bXYZ"] = (
            xyz(0.4360, 0.2225, 0.0139),
            xyz(0.3851, 0.7169, 0.0971),
            xyz(0.1431, 0.0606, 0.7141),
        )
        parts[b"rTRC"] = parts[b"gTRC"] = parts[b"bTRC"] = curve
    at = 132 + 12 * len(parts)
    table, body = struct.pack(">I", len(parts)), b""
    for key, part in parts.items():
        padded = part + bytes(-len(part) % 4)
        table += key + struct.pack(">II", at + len(body), len(part))
        body += padded
    head = struct.pack(">I4sI4s4s4s", at + len(body), b"none", 0x02400000, b"mntr", space.encode(), b"XYZ ")
    head += struct.pack(">6H", 2026, 1, 1, 0, 0, 0) + b"acsp" + bytes(28) + xyz(0.9642, 1.0, 0.8249)[8:]
    return head.ljust(128, b"\0") + table + body
