"""The pictures of one PDF: put in as they came where that is possible, else prepared for the size they are printed at.

A picture is put in again only where it is printed so much larger, or with so much more of it in sight, that what was
put in before would not do.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from carddb.core.errors import CellFault, InputError
from carddb.core.units import UM_PER_INCH, Box
from carddb.layout.display_list import Picture
from carddb.paint.pdf.image_data import ImageData, as_it_is
from carddb.read.pictures import Head, read_head

_SLACK, _LITTLE_SLACK = 1.3, 1.05
"""A picture this much finer than asked for goes in as it is: made smaller it would lose more than the file gains."""
_CROPPED = 0.9
"""The part of a picture in sight below which the rest is cut off, where its pixels are coded anew anyway."""
_WORTH_CROPPING = 200_000
"""Bytes out of sight for which a picture is coded anew that could go in as it is."""


class ImageUse(NamedTuple):
    """A picture to draw: its number, the box of its pixels, and its pixels where they are not in the file yet."""

    number: int
    box: Box
    image: ImageData | None = None


class _Crop(NamedTuple):
    """A part of the upright pixels of a picture, and the scale that they are reduced by."""

    part: Box
    scale: float

    def serves(self, other: _Crop) -> bool:
        return self.part.contains(other.part) and self.scale > other.scale * 0.99

    def box(self, picture: Picture, head: Head) -> Box:
        """Returns the box of this part when the whole picture fills its own."""
        width, height = head.upright
        if (self.part.width, self.part.height) == (width, height):
            return picture.box
        box, part = picture.box, self.part
        left, top = box.x + round(box.width * part.x / width), box.y + round(box.height * part.y / height)
        right, bottom = box.x + round(box.width * part.right / width), box.y + round(box.height * part.bottom / height)
        return Box(left, top, right - left, bottom - top)


class _EmbeddedImage(NamedTuple):
    """A picture of the file: its head, and the crops of it that are embedded, by number."""

    head: Head
    crops: list[tuple[int, _Crop]]


class PdfImages(Mapping[str, bytes]):
    """The pictures of one PDF by key; `files` holds their bytes, `dpi` is what print needs (0: all there is).

    `tight`: nothing finer than `dpi` goes in, and photographs only as JPEG. `size` counts the bytes put in, and
    `finest` is the most pixels per inch that one is printed with. What cannot be decoded is not drawn and gathered in
    `faults` by key, or, where `strict`, raised as InputError.
    """

    def __init__(self, files: Mapping[str, bytes], dpi: int = 0, *, tight: bool = False, strict: bool = False) -> None:
        self.size = 0
        self.finest = 0
        self.faults: dict[str, str] = {}
        self._files = files
        self._dpi = dpi
        self._tight = tight
        self._strict = strict
        self._count = 0
        self._embedded: dict[str, _EmbeddedImage] = {}

    def __getitem__(self, key: str) -> bytes:
        return self._files[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)

    def use(self, picture: Picture) -> ImageUse | None:
        """Returns how to draw a picture; None where there is nothing to draw. Raises InputError."""
        hidden = not picture.box.overlaps(picture.clip) or min(picture.box.width, picture.box.height) <= 0
        if hidden or picture.key in self.faults:
            return None
        try:
            return self._use(picture)
        except CellFault as fault:
            if self._strict:
                message = f"the picture {picture.key[:12]} {fault}"
                raise InputError(message, "Save it again as PNG or JPEG.") from fault
            self.faults[picture.key] = str(fault)
            return None

    def _use(self, picture: Picture) -> ImageUse:
        data = b""
        embedded = self._embedded.get(picture.key)
        if embedded is None:
            data = self._data(picture.key)
            embedded = self._embedded[picture.key] = _EmbeddedImage(read_head(data), [])
        is_upright = round(picture.angle / 90) % 2 == 0
        width = picture.box.width if is_upright else picture.box.height
        per_inch = embedded.head.upright[0] * UM_PER_INCH / width
        visible = self._visible(picture, embedded.head, per_inch)
        image = None
        number, crop = next(((n, crop) for n, crop in embedded.crops if crop.serves(visible)), (self._count, visible))
        if number == self._count:
            crop, image = self._image(embedded.head, data or self._data(picture.key), visible)
            embedded.crops.append((number, crop))
            self._count += 1
            self.size += image.size
        self.finest = max(self.finest, round(per_inch * crop.scale))
        return ImageUse(number, crop.box(picture, embedded.head), image)

    def _data(self, key: str) -> bytes:
        data = self._files.get(key)
        if data is None:
            raise InputError(f"the picture {key[:12]} is drawn but not at hand", "Load the art again.")
        return data

    def _visible(self, picture: Picture, head: Head, per_inch: float) -> _Crop:
        """Returns the part in sight, a pixel more all round, and the scale that brings it down to `dpi`."""
        width, height = head.upright
        box, clip = picture.box, picture.clip
        slack = _LITTLE_SLACK if self._tight else _SLACK
        scale = self._dpi / per_inch if self._dpi and per_inch > self._dpi * slack else 1.0
        if picture.angle:
            return _Crop(Box(0, 0, width, height), scale)
        left = max(0, math.floor((clip.x - box.x) * width / box.width) - 1)
        top = max(0, math.floor((clip.y - box.y) * height / box.height) - 1)
        right = min(width, math.ceil((clip.right - box.x) * width / box.width) + 1)
        bottom = min(height, math.ceil((clip.bottom - box.y) * height / box.height) + 1)
        return _Crop(Box(left, top, right - left, bottom - top), scale)

    def _image(self, head: Head, data: bytes, visible: _Crop) -> tuple[_Crop, ImageData]:
        whole = Box(0, 0, *head.upright)
        share = visible.part.width * visible.part.height / (whole.width * whole.height)
        untouched = as_it_is(head, head.coded, data) if head.coded else None
        fits = visible.scale == 1 and (1 - share) * len(data) < _WORTH_CROPPING
        if untouched and fits and not (self._tight and head.kind == "PNG"):
            return _Crop(whole, 1.0), untouched
        crop = _Crop(visible.part if share < _CROPPED else whole, visible.scale)
        from carddb.paint.pdf.image_decoding import prepared  # Pillow, 30 ms, for pictures that are decoded alone

        image = prepared(head, data, crop.part, crop.scale, self._tight)
        if untouched and untouched.size <= image.size:
            return _Crop(whole, 1.0), untouched
        return crop, image
