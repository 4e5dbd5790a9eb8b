"""Faces in layers for pictures: what several of them begin with, a ground or a frame, is drawn once for all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from carddb.paint.content_stream import ContentStream, SharedStream, StreamItems
from carddb.units import Size

_BEGIN, _END = "q\n", "Q\n"
"""What the operators of a face begin and end with."""

_Ground = tuple[Size, tuple[str, ...]]
"""Shared operators that a face begins with: its size, and their digests."""


class FaceLayers(NamedTuple):
    """Pages to be drawn, and for each face those of its layers, from the lowest up, by their place among the pages."""

    pages: Sequence[ContentStream]
    layers: Sequence[tuple[int, ...]]


def face_layers(faces: Sequence[ContentStream]) -> FaceLayers:
    """The layers of some faces: the longest ground that each has in common with another, and what lies on it.

    A face that begins as no other is one layer.
    """
    count = Counter(ground for face in faces for ground in _grounds(face))
    pages: list[ContentStream] = []
    places: dict[_Ground, int] = {}
    layers: list[tuple[int, ...]] = []
    for face in faces:
        shared = [ground for ground in _grounds(face) if count[ground] > 1]
        if not shared:
            pages.append(face)
            layers.append((len(pages) - 1,))
            continue
        ground = shared[-1]
        end = 1 + len(ground[1])
        if ground not in places:
            places[ground] = len(pages)
            pages.append(face._replace(items=(*face.items[:end], _END)))
        pages.append(face._replace(items=(_BEGIN, *face.items[end:])))
        layers.append((places[ground], len(pages) - 1))
    return FaceLayers(pages, layers)


def _grounds(face: ContentStream) -> Iterator[_Ground]:
    """All that a face begins with and may have in common with others, the shortest first."""
    shared = _leading(face.items)
    return ((face.size, tuple(shared[:length])) for length in range(1, 1 + len(shared)))


def _leading(items: StreamItems) -> list[str]:
    """The digests of the shared operators that a face begins with; each leaves the graphics state as it was."""
    digests: list[str] = []
    if items[:1] == (_BEGIN,):
        for item in items[1:]:
            if not isinstance(item, SharedStream):
                break
            digests.append(item.digest)
    return digests
