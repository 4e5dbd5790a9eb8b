"""The colour profile of a printing press (ICC), and the conversion of colours and pixels through it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from io import BytesIO
from types import MappingProxyType
from typing import Any

from PIL import Image, ImageCms, ImageMath

from carddb.core.errors import UsageError
from carddb.layout.colours import channels
from carddb.layout.prepress import FULL, Ink, InkSpace
from carddb.paint.pdf.prepress import Prepress, Standard

_REMEDY = "Use the CMYK profile that your print shop recommends, such as --icc PSOcoated_v3.icc."
_LOSS = 40
"""The most ink, in thousandths, that JPEG may add to a pixel."""
_INTENT = ImageCms.Intent.RELATIVE_COLORIMETRIC


def prepress_of(
    profile: bytes,
    standard: Standard,
    named: Mapping[str, Ink],
    limit: int = FULL,
    spots: Mapping[str, str] = MappingProxyType({}),
) -> Prepress:
    """Returns a job for the press that a colour profile describes, by a standard such as PDF/X-4.

    `named`, `limit` and `spots` are as in InkSpace. Colours are converted from sRGB, relative colorimetric and with
    black point compensation. Raises UsageError if the profile is not that of a printer with four inks.
    """
    try:
        opened = ImageCms.ImageCmsProfile(BytesIO(profile))
        kind, space = opened.profile.device_class, opened.profile.xcolor_space
        condition = " ".join((opened.profile.profile_description or "").split())
    except (OSError, ValueError, ImageCms.PyCMSError) as fault:
        raise UsageError("the colour profile cannot be read", _REMEDY) from fault
    if (kind.strip(), space.strip()) != ("prtr", "CMYK"):
        wrong = f"its class is {kind.strip()!r} instead of 'prtr', its colours are {space.strip()!r} instead of 'CMYK'"
        raise UsageError(f"the colour profile is not of a CMYK printer: {wrong}", _REMEDY)
    try:
        transform = ImageCms.buildTransform(
            ImageCms.createProfile("sRGB"), opened, "RGB", "CMYK", _INTENT, ImageCms.Flags.BLACKPOINTCOMPENSATION
        )
    except (OSError, ValueError, ImageCms.PyCMSError) as fault:
        raise UsageError("the colour profile has no tables to convert sRGB into CMYK", _REMEDY) from fault

    @cache
    def ink(colour: str) -> Ink:
        pixel = ImageCms.applyTransform(Image.new("RGB", (1, 1), channels(colour)), transform)
        assert pixel
        cyan, magenta, yellow, black = (round(part * 1000 / 255) for part in pixel.tobytes())
        return cyan, magenta, yellow, black

    def pixels(image: Any) -> Any:
        return _limited(ImageCms.applyTransform(image, transform), limit)

    return Prepress(standard, profile, condition or "CMYK", InkSpace(ink, named, limit, spots), pixels)


def _limited(image: Any, limit: int) -> Any:
    """Returns CMYK pixels with colours (not black) reduced, so that the inks add up to at most `limit` thousandths."""
    if limit >= FULL:
        return image
    *colours, black = image.split()
    most = (limit - _LOSS) * 255 // 1000

    def scaled(args: dict[str, Any]) -> Any:
        total = args["c"] + args["m"] + args["y"]
        room = args["min"](most - args["k"], total)
        return args["convert"](args["part"] * room / args["max"](total, 1), "L")

    bands = dict(zip("cmy", colours, strict=True), k=black)
    parts = [ImageMath.lambda_eval(scaled, **bands, part=part) for part in colours]
    return Image.merge("CMYK", (*parts, black))
