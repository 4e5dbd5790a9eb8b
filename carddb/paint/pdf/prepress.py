"""The making of a PDF for a printing press (PDF/X): its inks, and the entries that say for which press it is made.

PDF/X-1a:2003 is ISO 15930-4, PDF/X-4 is ISO 15930-7.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal
from xml.sax.saxutils import escape

from carddb.core.plain_text import for_xml
from carddb.layout.prepress import InkSpace

Standard = Literal["PDF/X-1a:2003", "PDF/X-4"]
STANDARDS: Mapping[str, Standard] = MappingProxyType({"x4": "PDF/X-4", "x1a": "PDF/X-1a:2003"})
"""The standards by the names of the option `--standard`."""
USUAL: Standard = "PDF/X-4"
"""The standard that most printing houses require."""
_METADATA = Path(__file__).with_name("metadata.xml").read_text("utf-8").rstrip()
INK_LIMIT = 300
"""The greatest sum of the four inks, in percent, that dries on coated card at most printing houses."""


@dataclass(frozen=True, eq=False)
class Prepress:
    """A job for a press: the standard, the colour profile of the press and its description, and the inks.

    `pixels` converts an image of Pillow from sRGB to CMYK.
    """

    standard: Standard
    profile: bytes
    condition: str
    inks: InkSpace
    pixels: Callable[[Any], Any]

    @property
    def blends(self) -> bool:
        """True if the standard allows transparency in the file."""
        return self.standard == "PDF/X-4"

    @property
    def version(self) -> tuple[int, int]:
        """The PDF version on which the standard is based."""
        return (1, 6) if self.blends else (1, 4)

    @property
    def label(self) -> str:
        return f"{self.standard} for {self.condition}"

    def info(self) -> dict[str, str]:
        """Returns the entries of the document information that name the standard."""
        return {} if self.blends else {"GTS_PDFXVersion": self.standard, "GTS_PDFXConformance": self.standard}

    def metadata(self, title: str, creation: int, creator: str, producer: str) -> bytes:
        """Returns the XMP packet of a document; `creation` is in seconds since 1970."""
        moment = datetime.fromtimestamp(creation, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        document = uuid.uuid5(uuid.NAMESPACE_URL, f"{creator} {creation} {self.condition} {title}")
        version = "<pdfxid:GTS_PDFXVersion>PDF/X-4</pdfxid:GTS_PDFXVersion>"
        if not self.blends:
            names = ("GTS_PDFXVersion", "GTS_PDFXConformance")
            version = "".join(f"<pdfx:{name}>{self.standard}</pdfx:{name}>" for name in names)
        dates = "".join(f"<xmp:{name}>{moment}</xmp:{name}>" for name in ("CreateDate", "ModifyDate", "MetadataDate"))
        values = {"version": version, "dates": dates, "document": document, "mark": "\ufeff"}
        title = escape(for_xml(title))
        return _METADATA.format(title=title, creator=creator, producer=producer, **values).encode()
