"""The images of one PDF, embedded as they are if possible, else prepared for the size at which they are printed.

An image is embedded again only if it is printed so much larger, or with so much more of it visible, that the embedded
version is not good enough.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

from carddb.core.errors import DataFault, InputError
from carddb.core.units import UM_PER_INCH, Box
from carddb.layout.display_list import PlacedImage
from carddb.paint.pdf.image_data import ImageData, as_it_is
from carddb.paint.pdf.prepress import Prepress
from carddb.read.pictures import Head, read_head

_SLACK, _LITTLE_SLACK = 1.3, 1.05
"""The factors by which images may exceed the required resolution before they are reduced: normally, and if `tight`."""
_CROPPED = 0.9
"""The visible share of an image below which it is cropped, if its pixels are encoded again anyway."""
_WORTH_CROPPING = 200_000
"""The number of invisible bytes from which an image is cropped and re-encoded, even if it could be embedded as is."""


def bytes_of(files: Mapping[str, bytes], key: str) -> bytes:
    """Returns the bytes of the image with the given key. Raises InputError if it is missing."""
    data = files.get(key)
    if data is None:
        raise InputError(f"the picture {key[:12]} is needed but missing", "Load the cards with their pictures again.")
    return data


class ImageUse(NamedTuple):
    """An image to draw: its number in the file, the box of its pixels, and the pixels if they are not yet in it."""

    number: int
    box: Box
    image: ImageData | None = None


class _Crop(NamedTuple):
    """A part of an upright image, in pixels, and the factor by which it is reduced."""

    part: Box
    scale: float

    def serves(self, other: _Crop) -> bool:
        return self.part.contains(other.part) and self.scale > other.scale * 0.99

    def box(self, picture: PlacedImage, head: Head) -> Box:
        """Returns the box of this part on the page if the whole image fills `picture.box`."""
        (width, height), box, part = head.upright, picture.box, self.part
        left, top = box.x + round(box.width * part.x / width), box.y + round(box.height * part.y / height)
        right, bottom = box.x + round(box.width * part.right / width), box.y + round(box.height * part.bottom / height)
        return Box(left, top, right - left, bottom - top)


class PdfImages:
    """The images of one PDF by key; `files` has their bytes, `dpi` is the resolution to print at (0: original).

    With `tight`, images are reduced closely to `dpi`, and photographs are always JPEG. With `prepress`, they are
    converted to its inks, and if its standard allows no transparency, masks become stencils. `size` is the number of
    embedded bytes, and `finest` the highest resolution (in pixels per inch) of any image. An image that cannot be
    decoded is not drawn and is recorded in `faults` by key, or, if `strict`, raises InputError.
    """

    def __init__(
        self,
        files: Mapping[str, bytes],
        dpi: int = 0,
        *,
        tight: bool = False,
        strict: bool = False,
        prepress: Prepress | None = None,
    ) -> None:
        self.size = 0
        self.finest = 0
        self.faults: dict[str, str] = {}
        self._files = files
        self._dpi = dpi
        self._tight = tight
        self._strict = strict
        self._prepress = prepress
        self._count = 0
        self._embedded: dict[str, tuple[Head, list[tuple[int, _Crop]]]] = {}
        """The images in the file: the head of each, and its embedded crops with their numbers."""

    def use(self, picture: PlacedImage) -> ImageUse | None:
        """Returns how to draw a picture, or None if nothing of it is visible or it cannot be decoded.

        Raises InputError if the image is missing, or if it cannot be decoded and images are `strict`.
        """
        hidden = not picture.box.overlaps(picture.clip) or min(picture.box.width, picture.box.height) <= 0
        if hidden or picture.key in self.faults:
            return None
        try:
            return self._use(picture)
        except DataFault as fault:
            if self._strict:
                message = f"the picture {picture.key[:12]} {fault}"
                raise InputError(message, fault.finding.fix or "Save the picture again as PNG or JPEG.") from fault
            self.faults[picture.key] = str(fault)
            return None

    def _use(self, picture: PlacedImage) -> ImageUse:
        data = b""
        if picture.key not in self._embedded:
            data = bytes_of(self._files, picture.key)
            self._embedded[picture.key] = read_head(data), []
        head, crops = self._embedded[picture.key]
        is_upright = round(picture.angle / 90) % 2 == 0
        width = picture.box.width if is_upright else picture.box.height
        per_inch = head.upright[0] * UM_PER_INCH / width
        visible = self._visible(picture, head, per_inch)
        image = None
        number, crop = next(((n, crop) for n, crop in crops if crop.serves(visible)), (self._count, visible))
        if number == self._count:
            crop, image = self._image(head, data or bytes_of(self._files, picture.key), visible)
            crops.append((number, crop))
            self._count += 1
            self.size += image.size
        self.finest = max(self.finest, round(per_inch * crop.scale))
        return ImageUse(number, crop.box(picture, head), image)

    def _visible(self, picture: PlacedImage, head: Head, per_inch: float) -> _Crop:
        """Returns the visible part, with one more pixel on each side, and the factor that reduces it to `dpi`."""
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
        if untouched and self._prepress and (untouched.channels > 1 or untouched.palette):
            untouched = None
        fits = visible.scale == 1 and (1 - share) * len(data) < _WORTH_CROPPING
        if untouched and fits and not (self._tight and head.kind == "PNG"):
            return _Crop(whole, 1.0), untouched
        crop = _Crop(visible.part if share < _CROPPED else whole, visible.scale)
        from carddb.paint.pdf.image_decoding import prepared  # imports Pillow, which takes 30 ms

        image = prepared(head, data, crop.part, crop.scale, self._tight, self._prepress)
        if untouched and untouched.size <= image.size:
            return _Crop(whole, 1.0), untouched
        return crop, image
