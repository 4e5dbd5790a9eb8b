"""The head of a PNG (ISO 15948), and what of it a PDF may take untouched."""

from __future__ import annotations

import zlib
from collections.abc import Iterator

from carddb.read.pictures.picture_bytes import DAMAGED, MOST_PARTS, BadPicture, Coded, Head, number, turn
from carddb.read.pictures.picture_metadata import is_srgb

_DEPTHS = {0: (1, 2, 4, 8, 16), 2: (8, 16), 3: (1, 2, 4, 8), 4: (8, 16), 6: (8, 16)}
_PROFILE_LIMIT = 1 << 20


def png_head(data: bytes) -> Head:
    """The head of a PNG that begins as one. Raises BadPicture."""
    spans: list[tuple[int, int]] = []
    palette, orientation, plain, head = b"", 1, True, b""
    for kind, start, end in _chunks(data):
        if kind == b"IHDR" and not head:
            head = data[start:end]
        elif not head:
            raise BadPicture(DAMAGED)
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
        raise BadPicture(DAMAGED)
    if colour == 3 and not 3 <= len(palette) <= 3 << bits:
        raise BadPicture(DAMAGED)
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
            raise BadPicture(DAMAGED)
        if kind == b"IHDR" and end - at != 21:
            raise BadPicture(DAMAGED)
        if kind == b"IEND":
            return
        if sound:
            yield kind, at + 8, end
        at = end + 4
    raise BadPicture(DAMAGED)


def _unpacked(chunk: bytes) -> bytes:
    """The profile in an iCCP chunk: a name, a zero, a method, deflated bytes."""
    packed = chunk.partition(b"\0")[2][1:]
    try:
        return zlib.decompressobj().decompress(packed, _PROFILE_LIMIT)
    except zlib.error:
        return b""
