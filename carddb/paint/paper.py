"""A PDF being written: pages, embedded fonts and pictures, bookmarks. The only module that knows ReportLab.

It stands on ReportLab's document and font objects rather than on its canvas: content comes as finished
operators, and nothing (font, date, name) enters the file that was not asked for.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from typing import Any

from reportlab.pdfbase import pdfdoc
from reportlab.pdfbase.ttfonts import TTFont

from carddb.errors import FontError
from carddb.paint.bitmap import Bitmap
from carddb.units import Box, Size, to_points

_STATES = "States"
_UNSAFE = str.maketrans({"\\": "\\\\", "(": "\\(", ")": "\\)", "\r": "\\r", "\n": "\\n"})


@dataclass(frozen=True, slots=True)
class Glyph:
    """A character in an embedded font: resource name, escaped byte, advance in thousandths of the em."""

    resource: str
    code: str
    width: float


@dataclass(frozen=True, slots=True)
class Content:
    """Operators, and the names of the XObjects they use."""

    code: str
    names: frozenset[str] = frozenset()


class _Info(pdfdoc.PDFInfo):
    """Title, program and date; no author."""

    def format(self, document: Any) -> Any:
        date = pdfdoc.PDFDate(ts=document._timeStamp)
        entries = {
            "Title": pdfdoc.PDFString(self.title),
            "Creator": pdfdoc.PDFString("carddb"),
            "Producer": pdfdoc.PDFString("ReportLab"),
            "CreationDate": date,
            "ModDate": date,
        }
        return pdfdoc.PDFDictionary(entries).format(document)


class _Moment:
    """A point in time, in the shape ReportLab dates take."""

    dhh = dmm = 0

    def __init__(self, epoch: int) -> None:
        self.t = epoch
        self.YMDhms = tuple(time.gmtime(epoch))[:6]


class _Embedded:
    """A font of this file, growing by the characters that are asked for."""

    def __init__(self, key: str, data: bytes, document: Any) -> None:
        with _embedding(key):
            self._font: Any = TTFont(key, BytesIO(data), asciiReadable=False, shapable=False)
        # Objects are filed by PostScript name, and two fonts of a job may carry the same one.
        self._font.face.name = "-".join(key.split()).encode("ascii", "replace")
        self._document = document

    def glyph(self, char: str) -> Glyph:
        with _embedding(self._font.fontName):
            [(subset, code)] = self._font.splitString(char, self._document)
            resource = self._font.getSubsetInternalName(subset, self._document)
        width = self._font.face.getCharWidth(ord(char)) if code != b"\0" else self._font.face.defaultWidth
        return Glyph(resource, code.decode("latin-1").translate(_UNSAFE), width)


class Glyphs(dict[str, Glyph]):
    """The characters of one font, embedded when first asked for."""

    def __init__(self, font: _Embedded) -> None:
        super().__init__()
        self._font = font

    def __missing__(self, char: str) -> Glyph:
        found = self[char] = self._font.glyph(char)
        return found


class Paper:
    """One PDF. `creation` is seconds since 1970, `preferences` viewer preferences by PDF name."""

    def __init__(self, title: str, lang: str, creation: int, preferences: Mapping[str, str | bool]) -> None:
        self._document = _document(title, lang, creation)
        entries = {key: _plain(value) for key, value in preferences.items()}
        self._document.Catalog.ViewerPreferences = pdfdoc.PDFDictionary(entries)
        self._states: dict[int, Any] = {}
        self._labels: list[Any] = []
        self._destinations: dict[str, Any] = {}

    def font(self, key: str, data: bytes) -> Glyphs:
        """Embeds a TrueType font, subset to the characters taken from the answer. Raises FontError."""
        return Glyphs(_Embedded(key, data, self._document))

    def picture(self, name: str, bitmap: Bitmap) -> None:
        """Puts a picture into the file, to be drawn as the unit square `/name Do`."""
        stream = _image(bitmap)
        if bitmap.mask:
            stream.dictionary["SMask"] = self._document.Reference(_image(bitmap.mask), f"{name}.mask")
        self._document.Reference(stream, name)
        self._document.updateSignature(bitmap.data)

    def form(self, name: str, content: Content, box: Box, *, blended: bool) -> None:
        """Puts a drawing into the file, to be repeated by `/name Do`; a blended one is seen through as a whole."""
        code = content.code.encode("latin-1")
        stream = pdfdoc.PDFStream(content=code, filters=[pdfdoc.PDFZCompress])
        corners = (box.x, box.y, box.right, box.bottom)
        stream.dictionary["Type"] = pdfdoc.PDFName("XObject")
        stream.dictionary["Subtype"] = pdfdoc.PDFName("Form")
        stream.dictionary["BBox"] = pdfdoc.PDFArray(corners)
        if blended:
            blend = {"Type": pdfdoc.PDFName("Group"), "S": pdfdoc.PDFName("Transparency")}
            stream.dictionary["Group"] = pdfdoc.PDFDictionary(blend)
        stream.dictionary["Resources"] = self._resources(content.names)
        self._document.Reference(stream, name)
        self._document.updateSignature(code)

    def opacity(self, thousandths: int) -> str:
        """The resource name of that opacity."""
        value = thousandths / 1000
        self._states.setdefault(thousandths, pdfdoc.PDFDictionary({"ca": value, "CA": value}))
        return f"/O{thousandths}"

    def page(self, size: Size, content: Content, label: str, trim: Box, bleed: Box) -> None:
        """Adds a page; boxes in micrometres from its top left corner."""
        page: Any = pdfdoc.PDFPage()
        whole = Box(0, 0, size.width, size.height)
        page.MediaBox = page.CropBox = _rectangle(whole, size)
        page.TrimBox, page.BleedBox = _rectangle(trim, size), _rectangle(bleed, size)
        code = content.code.encode("latin-1")
        page.Contents = pdfdoc.PDFStream(content=code, filters=[pdfdoc.PDFZCompress])
        page.Resources = self._resources(content.names)
        self._document.updateSignature(code)
        self._labels += [len(self._labels) // 2, pdfdoc.PDFDictionary({"P": pdfdoc.PDFString(label)})]
        self._document.addPage(page)

    def bookmark(self, title: str, level: int, left: float | None = None, top: float | None = None) -> None:
        """An outline entry for the page that is added next; `left`, `top` in points from its bottom left corner."""
        name = f"B{len(self._destinations)}"
        destination = self._bookmarkReference(name)
        if left is None or top is None:
            destination.fit()
        else:
            destination.xyz(round(left, 2), round(top, 2), 0)
        destination.setPage(self._document.thisPageRef())
        self._document.outline.addOutlineEntry(name, level, _writable(title), closed=level == 0)

    def finish(self) -> bytes:
        """The bytes of the file; nothing can be added afterwards. Raises FontError."""
        for font in self._document.delayedFonts:
            with _embedding(font.fontName):
                font.addObjects(self._document)
        self._document.delayedFonts = []
        if self._states:
            states = {f"O{thousandths}": state for thousandths, state in sorted(self._states.items())}
            self._document.Reference(pdfdoc.PDFDictionary(states), _STATES)
        self._document.Catalog.PageLabels = pdfdoc.PDFDictionary({"Nums": pdfdoc.PDFArray(self._labels)})
        data = self._document.GetPDFData(self)
        return data if isinstance(data, bytes) else str(data).encode("latin-1")

    def _bookmarkReference(self, name: str) -> Any:
        # ReportLab's outline asks its canvas for destinations under this name.
        return self._destinations.setdefault(name, pdfdoc.Destination(name))

    def _resources(self, names: Iterable[str]) -> Any:
        entries: dict[str, Any] = {"Font": pdfdoc.PDFObjectReference(pdfdoc.BasicFonts)}
        objects = {name: pdfdoc.PDFObjectReference(name) for name in sorted(names)}
        if objects:
            entries["XObject"] = pdfdoc.PDFDictionary(objects)
        if self._states:
            entries["ExtGState"] = pdfdoc.PDFObjectReference(_STATES)
        return pdfdoc.PDFDictionary(entries)


@contextmanager
def _embedding(key: str) -> Iterator[None]:
    """Whatever goes wrong inside is the font's fault: a broken one can make its reader fail in any way."""
    try:
        yield
    except Exception as fault:
        raise FontError(f"the font {key} cannot be embedded: {fault}", "Use another font file.") from fault


def _document(title: str, lang: str, creation: int) -> Any:
    """An empty document; its date and its ID come from the arguments, not from the clock or the environment."""
    document: Any = pdfdoc.PDFDocument(compression=1, invariant=1, pdfVersion=(1, 7), lang=lang)
    document.signature = hashlib.md5(f"{_writable(title)}\n{creation}".encode(), usedforsecurity=False)
    document._timeStamp = _Moment(creation)
    document.info = _Info()
    document.info.title = _writable(title)
    return document


def _writable(text: str) -> str:
    """A text without half characters, which no file format holds."""
    return text.encode("utf-8", "replace").decode()


def _plain(value: str | bool) -> Any:
    return ("true" if value else "false") if isinstance(value, bool) else pdfdoc.PDFName(value)


def _rectangle(box: Box, size: Size) -> Any:
    corners = (box.x, size.height - box.bottom, box.right, size.height - box.y)
    return pdfdoc.PDFArray([f"{to_points(corner):.4f}".rstrip("0").rstrip(".") for corner in corners])


def _image(bitmap: Bitmap) -> Any:
    stream = pdfdoc.PDFStream(content=bitmap.data)
    for key, value in bitmap.entries().items():
        stream.dictionary[key] = value
    return stream
