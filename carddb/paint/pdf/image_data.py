"""An image as a PDF stores it, and the conversion of an image file's encoded pixels without decoding them.

This is not part of the writer, which imports ReportLab and with it Pillow: an image that is stored as it is needs
neither.
"""

from __future__ import annotations

from typing import NamedTuple

from carddb.read.pictures import Coded, Head

COLOUR_SPACES = {1: "/DeviceGray", 3: "/DeviceRGB", 4: "/DeviceCMYK"}
"""`{number of channels: colour space in PDF}`."""


class ImageData(NamedTuple):
    """Encoded pixels: JPEG if `coding` is DCTDecode, the filtered rows of a PNG if it is FlateDecode.

    `mask` is the opacity of the pixels. A 1-bit mask is a stencil: each pixel of the image is shown or hidden.
    """

    width: int
    height: int
    channels: int
    coding: str
    data: bytes
    bits: int = 8
    palette: bytes = b""
    mask: ImageData | None = None

    @property
    def size(self) -> int:
        """The number of bytes in the file, including those of the mask."""
        return len(self.data) + (self.mask.size if self.mask else 0)

    def entries(self) -> dict[str, str]:
        """Returns the dictionary of the image XObject without the mask, in PDF syntax (ISO 32000-2, 8.9.5)."""
        colours = COLOUR_SPACES[self.channels]
        if self.palette:
            colours = f"[/Indexed /DeviceRGB {len(self.palette) // 3 - 1} <{self.palette.hex()}>]"
        entries = {
            "Type": "/XObject",
            "Subtype": "/Image",
            "Width": str(self.width),
            "Height": str(self.height),
            "BitsPerComponent": str(self.bits),
            "ColorSpace": colours,
            "Filter": f"/{self.coding}",
        }
        if self.channels == 4 and self.coding == "DCTDecode":
            entries["Decode"] = "[1 0 1 0 1 0 1 0]"  # Pillow writes the inks inverted, as Adobe's programs do
        if self.coding == "FlateDecode":
            shape = f"/Colors {self.channels} /BitsPerComponent {self.bits} /Columns {self.width}"
            entries["DecodeParms"] = f"<</Predictor 15 {shape}>>"
        return entries


def as_it_is(head: Head, coded: Coded, data: bytes) -> ImageData:
    """Returns an image whose pixels stay encoded as they are in the image file."""
    spans = b"".join(data[start:end] for start, end in coded.spans)
    coding = "DCTDecode" if head.kind == "JPEG" else "FlateDecode"
    return ImageData(head.width, head.height, coded.channels, coding, spans, coded.bits, coded.palette)
