"""The head of a picture file, read from its bytes without decoding a pixel.

JPEG, PNG, WebP (RFC 9649), GIF, BMP and TIFF. Every loop and every length is bounded, so that a hostile file costs no
more than its own size; what cannot be read is answered by `CellFault` alone.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterator

from carddb.core.errors import CellFault
from carddb.read.pictures.picture_bytes import CUT_OFF, DAMAGED, MOST_PARTS, Coded, Head, number, turn
from carddb.read.pictures.picture_metadata import is_srgb, tags

MAX_PIXELS = 64_000_000
"""Of one picture: a card at 1200 dpi needs a third of it."""
_DEPTHS = {0: (1, 2, 4, 8, 16), 2: (8, 16), 3: (1, 2, 4, 8), 4: (8, 16), 6: (8, 16)}
_PROFILE_LIMIT = 1 << 20
_SCAN, _END, _APP0, _EXIF, _ICC, _ADOBE, _REMARK = 0xDA, 0xD9, 0xE0, 0xE1, 0xE2, 0xEE, 0xFE
_MARKER = re.compile(rb"\xff[\x01-\xcf\xd8-\xfe]")
_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_PLAIN_FRAMES = {0xC0, 0xC2}
"""Baseline and progressive, Huffman-coded: what the PDF filter DCTDecode promises to read."""
_LEFT_OUT = {*range(0xE1, 0xF0), _REMARK} - {_ADOBE}
"""Notes of the camera, its place on earth and its thumbnails do not belong into a printed sheet."""


def read_head(data: bytes) -> Head:
    """The head of a picture file of the kind of its first bytes, whatever its name.

    Raises CellFault, with the code image_too_large where there are more pixels than are ever decoded.
    """
    for signature, read in _READERS:
        if signature.match(data):
            head = read(data)
            if not (head.width and head.height):
                raise CellFault("image_invalid", "has no pixels")
            if head.width * head.height > MAX_PIXELS:
                size = f"{head.width:,} × {head.height:,} pixels"
                raise CellFault("image_too_large", f"has {size}, more than {MAX_PIXELS // 1_000_000} million")
            return head
    raise CellFault("image_invalid", "is no picture of a known kind")


def _webp(data: bytes) -> Head:
    end = 8 + number(data, 4, 4, "little")
    if end > len(data):
        raise CellFault("image_invalid", CUT_OFF)
    size: tuple[int, int] | None = None
    orientation, at = 1, 12
    for _ in range(MOST_PARTS):
        if at + 8 > end:
            break
        kind, start = data[at : at + 4], at + 8
        stop = start + number(data, at + 4, 4, "little")
        if stop > end:
            raise CellFault("image_invalid", CUT_OFF)
        size = size or _webp_size(kind, data[start : min(stop, start + 10)])
        if kind == b"EXIF":
            orientation = turn(data[start:stop].removeprefix(b"Exif\0\0"))
        at = stop + (stop & 1)
    if size is None:
        raise CellFault("image_invalid", DAMAGED)
    return Head("WEBP", *size, orientation)


def _webp_size(kind: bytes, body: bytes) -> tuple[int, int] | None:
    if kind == b"VP8X":
        return number(body, 4, 3, "little") + 1, number(body, 7, 3, "little") + 1
    if kind == b"VP8L" and body[:1] == b"\x2f":
        bits = number(body, 1, 4, "little")
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if kind == b"VP8 " and body[3:6] == b"\x9d\x01\x2a":
        return number(body, 6, 2, "little") & 0x3FFF, number(body, 8, 2, "little") & 0x3FFF
    return None


def _gif(data: bytes) -> Head:
    return Head("GIF", number(data, 6, 2, "little"), number(data, 8, 2, "little"))


def _bmp(data: bytes) -> Head:
    size = number(data, 14, 4, "little")
    if size == 12:
        return Head("BMP", number(data, 18, 2, "little"), number(data, 20, 2, "little"))
    if not 40 <= size <= 124:
        raise CellFault("image_invalid", "is no picture of a known kind")
    width, height = number(data, 18, 4, "little"), number(data, 22, 4, "little")
    return Head("BMP", width, height if height < 1 << 31 else (1 << 32) - height)


def _tiff(data: bytes) -> Head:
    entries = tags(data)
    return Head("TIFF", entries.get(256, 0), entries.get(257, 0), turn(data))


def png_head(data: bytes) -> Head:
    """The head of a PNG that begins as one. Raises CellFault."""
    spans: list[tuple[int, int]] = []
    palette, orientation, plain, head = b"", 1, True, b""
    for kind, start, end in _chunks(data):
        if kind == b"IHDR" and not head:
            head = data[start:end]
        elif not head:
            raise CellFault("image_invalid", DAMAGED)
        elif kind == b"IDAT":
            spans.append((start, end))
        elif kind == b"PLTE":
            palette = data[start:end]
        elif kind == b"eXIf":
            orientation = turn(data[start:end])
        elif kind == b"iCCP":
            plain = plain and is_srgb(_unpacked(data[start:end]))
        elif kind == b"tRNS":
            plain = False
    width, height = number(head, 0, 4), number(head, 4, 4)
    bits, colour, packing, filters, interlaced = head[8:13]
    if bits not in _DEPTHS.get(colour, ()) or packing or filters or interlaced > 1 or not spans:
        raise CellFault("image_invalid", DAMAGED)
    if colour == 3 and not 3 <= len(palette) <= 3 << bits:
        raise CellFault("image_invalid", DAMAGED)
    plain = plain and orientation == 1 and bits <= 8 and colour < 4 and not interlaced
    shades = Coded(tuple(spans), 3 if colour == 2 else 1, bits, palette if colour == 3 else b"")
    return Head("PNG", width, height, orientation, shades if plain else None)


def _chunks(data: bytes) -> Iterator[tuple[bytes, int, int]]:
    """Kind, start and end of the content of every chunk; one that matters and whose checksum is wrong is a fault."""
    view = memoryview(data)
    at = 8
    for _ in range(MOST_PARTS):
        end = at + 8 + number(data, at, 4)
        kind = data[at + 4 : at + 8]
        sound = number(data, end, 4) == zlib.crc32(view[at + 4 : end])
        if not sound and kind[:1].isupper():
            raise CellFault("image_invalid", DAMAGED)
        if kind == b"IHDR" and end - at != 21:
            raise CellFault("image_invalid", DAMAGED)
        if kind == b"IEND":
            return
        if sound:
            yield kind, at + 8, end
        at = end + 4
    raise CellFault("image_invalid", DAMAGED)


def _unpacked(chunk: bytes) -> bytes:
    """The profile in an iCCP chunk: a name, a zero, a method, deflated bytes."""
    packed = chunk.partition(b"\0")[2][1:]
    try:
        return zlib.decompressobj().decompress(packed, _PROFILE_LIMIT)
    except zlib.error:
        return b""


def jpeg_head(data: bytes) -> Head:
    """The head of a JPEG that begins as one. Raises CellFault."""
    frame: tuple[int, int, int, bytes] | None = None
    orientation, transform, plain = 1, 1, True
    profile: dict[int, bytes] = {}
    spans = [(0, 2)]
    for marker, start, end in _segments(data):
        body = data[start + 4 : end]
        if marker not in _LEFT_OUT:
            spans.append((start, end))
        if marker in _FRAMES:
            plain = plain and frame is None and marker in _PLAIN_FRAMES and body[:1] == b"\x08"
            parts = number(body, 5, 1)
            frame = number(body, 3, 2), number(body, 1, 2), parts, body[6 : 6 + 3 * parts : 3]
        elif marker == _SCAN and frame is None:
            raise CellFault("image_invalid", DAMAGED)
        elif marker == _EXIF and body.startswith(b"Exif\0\0"):
            orientation = turn(body[6:])
        elif marker == _ICC and body.startswith(b"ICC_PROFILE\0"):
            profile[number(body, 12, 1)] = body[14:]
        elif marker == _ADOBE and body.startswith(b"Adobe"):
            transform = number(body, 11, 1)
        elif not marker:
            plain = False
    if frame is None:
        raise CellFault("image_invalid", CUT_OFF)
    width, height, channels, names = frame
    colours = channels == 1 or (channels == 3 and transform == 1 and names != b"RGB")
    srgb = not profile or (channels == 3 and is_srgb(b"".join(part for _, part in sorted(profile.items()))))
    coded = Coded(tuple(spans), channels) if plain and colours and srgb and orientation == 1 else None
    return Head("JPEG", width, height, orientation, coded)


def _segments(data: bytes) -> Iterator[tuple[int, int, int]]:
    """Marker, start and end of every segment up to the last; coded data follow their scan as a part of it.

    Rubbish between segments comes as marker 0.
    """
    at = 2
    for _ in range(MOST_PARTS):
        match = _MARKER.search(data, at)
        if match is None:
            raise CellFault("image_invalid", CUT_OFF)
        if data[at : match.start()].strip(b"\xff"):
            yield 0, at, match.start()
        marker, start, end = match[0][1], match.start(), match.end()
        if marker == _END:
            yield marker, start, end
            return
        size = number(data, end, 2)
        end += size
        if size < 2:
            raise CellFault("image_invalid", DAMAGED)
        if marker == _SCAN:
            following = _MARKER.search(data, end)
            end = following.start() if following else len(data)
        if end > len(data):
            raise CellFault("image_invalid", CUT_OFF)
        yield marker, start, end
        at = end
    raise CellFault("image_invalid", DAMAGED)


_READERS: tuple[tuple[re.Pattern[bytes], Callable[[bytes], Head]], ...] = (
    (re.compile(rb"\xff\xd8\xff"), jpeg_head),
    (re.compile(rb"\x89PNG\r\n\x1a\n"), png_head),
    (re.compile(rb"RIFF....WEBP", re.S), _webp),
    (re.compile(rb"GIF8[79]a"), _gif),
    (re.compile(rb"BM"), _bmp),
    (re.compile(rb"II\x2a\0|MM\0\x2a"), _tiff),
)
