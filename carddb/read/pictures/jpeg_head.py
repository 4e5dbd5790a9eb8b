"""The head of a JPEG (ITU T.81), and what of it a PDF may take untouched."""

from __future__ import annotations

import re
from collections.abc import Iterator

from carddb.read.pictures.picture_bytes import CUT_OFF, DAMAGED, MOST_PARTS, BadPicture, Coded, Head, number, turn
from carddb.read.pictures.picture_metadata import is_srgb

_MARKER = re.compile(rb"\xff[\x01-\xcf\xd8-\xfe]")
_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_PLAIN_FRAMES = {0xC0, 0xC2}
"""Baseline and progressive, Huffman-coded: what the PDF filter DCTDecode promises to read."""
_SCAN, _END, _APP0, _EXIF, _ICC, _ADOBE, _REMARK = 0xDA, 0xD9, 0xE0, 0xE1, 0xE2, 0xEE, 0xFE
_LEFT_OUT = {*range(0xE1, 0xF0), _REMARK} - {_ADOBE}
"""Notes of the camera, its place on earth and its thumbnails do not belong into a printed sheet."""


def jpeg_head(data: bytes) -> Head:
    """The head of a JPEG that begins as one. Raises BadPicture."""
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
            raise BadPicture(DAMAGED)
        elif marker == _EXIF and body.startswith(b"Exif\0\0"):
            orientation = turn(body[6:])
        elif marker == _ICC and body.startswith(b"ICC_PROFILE\0"):
            profile[number(body, 12, 1)] = body[14:]
        elif marker == _ADOBE and body.startswith(b"Adobe"):
            transform = number(body, 11, 1)
        elif not marker:
            plain = False
    if frame is None:
        raise BadPicture(CUT_OFF)
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
            raise BadPicture(CUT_OFF)
        if data[at : match.start()].strip(b"\xff"):
            yield 0, at, match.start()
        marker, start, end = match[0][1], match.start(), match.end()
        if marker == _END:
            yield marker, start, end
            return
        size = number(data, end, 2)
        end += size
        if size < 2:
            raise BadPicture(DAMAGED)
        if marker == _SCAN:
            following = _MARKER.search(data, end)
            end = following.start() if following else len(data)
        if end > len(data):
            raise BadPicture(CUT_OFF)
        yield marker, start, end
        at = end
    raise BadPicture(DAMAGED)
