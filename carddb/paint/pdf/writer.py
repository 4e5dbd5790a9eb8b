"""Writes a PDF of drawings: pages, bookmarks, embedded images, fonts, and the codes of their characters."""

from __future__ import annotations

import hashlib
import re
import struct
import time
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from io import BytesIO
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any, NamedTuple

import uharfbuzz as hb
from reportlab.pdfbase import pdfdoc
from reportlab.pdfbase.ttfonts import TTFont

from carddb.core.errors import FontError
from carddb.core.units import Box, Size, to_points
from carddb.layout.colours import channels
from carddb.layout.display_list import Gradient
from carddb.layout.prepress import InkSpace
from carddb.layout.text.fonts import Font
from carddb.paint.font_subset import cut, cut_glyphs
from carddb.paint.pdf.content_stream import GlyphText
from carddb.paint.pdf.image_data import COLOUR_SPACES, ImageData
from carddb.paint.pdf.operators import ESCAPED, KNOCKOUT, OVERPRINT, UNKNOWN, number, outline
from carddb.paint.pdf.prepress import Prepress

_MOST = 0xFFFF


class CodedGlyph(NamedTuple):
    """A glyph, the characters it stands for, and the total width of its cluster, in thousandths of the em."""

    id: int
    text: str
    width: int


class GlyphEncoding(dict[CodedGlyph, int]):
    """The codes of one font's glyphs in a file; each is assigned when first looked up.

    A glyph that stands for different characters has several codes, so that text can be extracted correctly.
    """

    def __init__(self, font: Font) -> None:
        super().__init__()
        self.font = font
        self.resource = f"{font.name}+G"

    def __missing__(self, glyph: CodedGlyph) -> int:
        if len(self) == _MOST:
            return 0
        code = self[glyph] = len(self) + 1
        return code

    def shown(self, item: GlyphText) -> str:
        """Returns operators that show glyphs at the positions given by their advances, and restore the graphics state.

        The first glyph with an advance represents all characters of its cluster, and has the cluster's width. The other
        glyphs are drawn as filled outlines: as text, they would separate connected letters in extracted text.
        """
        letters: list[str] = []
        outlines: list[str] = []
        scale = 1000 / item.size
        x, rise, drift = 0, 0, 0.0
        for text, glyphs in item.clusters:
            width = sum([self.font.glyph_thousandths(glyph.id) for glyph, _ in glyphs])
            first = next((at for at, (_, advance) in enumerate(glyphs) if advance > 0), 0)
            for at, (glyph, advance) in enumerate(glyphs):
                if at == first:
                    if glyph.dy != rise:
                        letters.append(f"]TJ {glyph.dy} Ts [")
                        rise = glyph.dy
                    step = round(drift - glyph.dx * scale)
                    code = f"<{self[CodedGlyph(glyph.id, text, width)]:04X}>"
                    letters.append(f"{step}{code}" if step else code)
                    drift += width - step
                elif not item.is_invisible:
                    outlines.append(self._outline(glyph.id, item.size, x + glyph.dx, glyph.dy))
                drift -= advance * scale
                x += advance
        mode = 3 if item.is_invisible else 0
        shown = f"BT\n{mode} Tr 0 Tc /{self.resource} {item.size} Tf [{''.join(letters)}]TJ\nET\n"
        return f"q\n{item.matrix} cm\n{shown}{''.join(outlines)}Q\n"

    def _outline(self, glyph: int, size: int, x: int, y: int) -> str:
        ops = tuple(
            (letter, tuple(round(value * size) + (y if at % 2 else x) for at, value in enumerate(points)))
            for letter, points in self.font.outline(glyph)
        )
        return f"{outline(ops)}f\n" if ops else ""


_ESCAPED = {**ESCAPED, "\r": "\\r", "\n": "\\n"}
_FREE = (*range(0x80, 0x100), *range(1, 0x20), 0x7F)
"""The codes of the first simple font that are not ASCII; further simple fonts use all codes but 0 and the space."""
_FREE_LATER = tuple(code for code in range(1, 0x100) if code != 0x20)
FONT_CHOSEN = re.compile(r"/(F\d+)\+0 (\d+) Tf\[\(")
"""The selection of a font and size in operators. Text never matches, because parentheses in strings are escaped."""
UNCODED = re.compile(r"[^\x00-\x7f]+")
"""Characters in operators that are not yet encoded."""


class EncodedGlyph(NamedTuple):
    """A character in an embedded font: the index of the simple font, and the byte for it, escaped."""

    subset: int
    code: str


class FontEncoding(dict[str, EncodedGlyph]):
    """The codes of one font's characters in a file; each is assigned when first looked up."""

    def __init__(self, font: Font) -> None:
        super().__init__()
        self.font = font
        self.subsets: list[list[int]] = [[0]]
        """The code points in each simple font, in the order of their codes; 0 means that a code is unused."""
        self._free: list[int] = []
        self._last = -1
        """The index of the subset that still has free codes."""

    def __missing__(self, char: str) -> EncodedGlyph:
        point = ord(char)
        if 0x20 <= point < 0x7F:
            subset, code = 0, point
        else:
            if not self._free:
                self._last += 1
                self._free = list(reversed(_FREE_LATER if self._last else _FREE))
                if self._last:
                    self.subsets.append([0])
            subset, code = self._last, self._free.pop()
        points = self.subsets[subset]
        points.extend([0] * (code + 1 - len(points)))
        points[code] = point
        glyph = self[char] = EncodedGlyph(subset, _ESCAPED.get(chr(code), chr(code)))
        return glyph

    def add(self, letters: int) -> None:
        """Assigns codes to the ASCII characters that are given as the bits of an integer."""
        for point in range(ord(UNKNOWN) + 1, 128):
            if letters >> point & 1:
                self[chr(point)]

    def encoded(self, chars: str, size: str) -> str:
        """Returns characters as they are written inside a PDF string in the first simple font at `size`.

        Around characters of other simple fonts, operators end the string, switch fonts, and begin a new string.
        """
        name = self.font.name
        out: list[str] = []
        for subset, group in groupby((self[char] for char in chars), lambda glyph: glyph.subset):
            code = "".join(glyph.code for glyph in group)
            out.append(f")]TJ\n/{name}+{subset} {size} Tf[({code})]TJ\n/{name}+0 {size} Tf[(" if subset else code)
        return "".join(out)


_TO_UNICODE = Path(__file__).with_name("to_unicode.cmap").read_text("ascii")
_MOST_LINES = 100
"""The most lines that one section of a CMap may have."""


def _embed_glyphs(encoding: GlyphEncoding, document: Any, key: str) -> None:
    """Embeds a font into a ReportLab document under the name `key`, with the glyphs that have codes."""
    font = encoding.font
    data = cut_glyphs(font, {glyph.id for glyph in encoding})
    face = hb.Face(data)
    bounds = struct.unpack_from(">4h", face.reference_table("head").data, 36)  # left, bottom, right, top of all glyphs
    name = pdfdoc.PDFName("AAAAAA+" + "-".join(key.split()).encode("ascii", "replace").decode())
    base = f"{encoding.resource} "
    file = _deflated(data, 9, Length1=len(data))
    descriptor = _dictionary(
        Type="/FontDescriptor",
        FontName=name,
        Flags=4,
        FontBBox=pdfdoc.PDFArray([value * 1000 // face.upem for value in bounds]),
        ItalicAngle=0,
        Ascent=font.ascent,
        Descent=-font.descent,
        CapHeight=font.ascent,
        StemV=font.weight // 5,
        FontFile2=document.Reference(file, base + "file"),
    )
    widths = [glyph.width for glyph in encoding]
    numbers = b"".join(glyph.id.to_bytes(2, "big") for glyph in encoding)
    descendant = _dictionary(
        Type="/Font",
        Subtype="/CIDFontType2",
        BaseFont=name,
        CIDSystemInfo="<< /Registry (Adobe) /Ordering (Identity) /Supplement 0 >>",
        FontDescriptor=document.Reference(descriptor, base + "descriptor"),
        DW=0,
        W=f"[ 1 [ {' '.join(map(str, widths))} ] ]",
        CIDToGIDMap=document.Reference(_deflated(bytes(2) + numbers, 9), base + "glyphs"),
    )
    composite = _dictionary(
        Type="/Font",
        Subtype="/Type0",
        BaseFont=name,
        Encoding="/Identity-H",
        DescendantFonts=pdfdoc.PDFArray([document.Reference(descendant, base + "descendant")]),
        ToUnicode=document.Reference(_deflated(_characters(encoding), 9), base + "characters"),
    )
    document.idToObject[pdfdoc.BasicFonts].dict[encoding.resource] = document.Reference(composite, encoding.resource)


def _characters(encoding: GlyphEncoding) -> bytes:
    """Returns the ToUnicode CMap of a font, which maps its codes to characters."""
    lines = [
        f"<{code:04X}> <{glyph.text.encode('utf-16-be', 'replace').hex().upper()}>" for glyph, code in encoding.items()
    ]
    parts = [lines[start : start + _MOST_LINES] for start in range(0, len(lines), _MOST_LINES)]
    sections = [f"{len(part)} beginbfchar\n{chr(10).join(part)}\nendbfchar\n" for part in parts]
    return _TO_UNICODE.format(sections="".join(sections)).encode("ascii")


VERSION = (1, 7)
"""The PDF version of all files."""
_DEFLATE = 5
"""The compression level, which is a third faster than zlib's default and makes 1 % more bytes (measured)."""
_STATES, _PLATES = "States", "Plates"
_REACH = 4_000_000
"""The distance from the origin, in micrometres, to which a gradient is drawn."""


class Content(NamedTuple):
    """Operators, and the names of the XObjects that they draw."""

    code: str
    names: frozenset[str] = frozenset()


CREATOR, PRODUCER = "carddb", "ReportLab"


class _Info(pdfdoc.PDFInfo):
    """The document information: title, program and date, without an author; for a press also its standard."""

    prepress: Prepress | None = None

    def format(self, document: Any) -> Any:
        date = pdfdoc.PDFDate(ts=document._timeStamp)
        entries: dict[str, Any] = {
            "Title": pdfdoc.PDFString(self.title),
            "Creator": pdfdoc.PDFString(CREATOR),
            "Producer": pdfdoc.PDFString(PRODUCER),
            "CreationDate": date,
            "ModDate": date,
        }
        if self.prepress:
            entries |= {key: pdfdoc.PDFString(value) for key, value in self.prepress.info().items()}
            entries["Trapped"] = pdfdoc.PDFName("False")
        return pdfdoc.PDFDictionary(entries).format(document)


class _Page(pdfdoc.PDFObject):
    """A page with its dictionary as text: for hundreds of pages, ReportLab's objects would take most of the time."""

    __RefOnly__ = 1

    def __init__(self, boxes: str, contents: str, names: list[str], states: bool, plates: bool) -> None:
        self._boxes = boxes
        self._contents = contents
        self._names = names
        self._states = states
        self._plates = plates

    def format(self, document: Any) -> bytes:
        numbers = document.idToObjectNumberAndVersion

        def to(name: str) -> str:
            return f"{numbers[name][0]} 0 R"

        objects = " ".join(f"/{name} {to(name)}" for name in self._names)
        resources = f"/Font {to(pdfdoc.BasicFonts)}"
        if objects:
            resources += f" /XObject << {objects} >>"
        if self._plates:
            resources += f" /ColorSpace {to(_PLATES)}"
        if self._states:
            resources += f" /ExtGState {to(_STATES)}"
        parent = document.Reference(document.Pages).name
        links = f"/Parent {to(parent)}\n/Contents {to(self._contents)}"
        text = f"<<\n/Type /Page\n{links}\n{self._boxes}/Resources << {resources} >>\n>>"
        return text.encode("latin-1")


class _Moment:
    """A point in time, in the form that ReportLab's dates need."""

    dhh = dmm = 0

    def __init__(self, epoch: int) -> None:
        self.t = epoch
        self.YMDhms = tuple(time.gmtime(epoch))[:6]


class PdfWriter:
    """Writes drawings into one PDF; with `prepress`, the file is made for a printing press."""

    def __init__(self, document: Any, suffix: str = " drawn", prepress: Prepress | None = None) -> None:
        """Begins to add drawings to a ReportLab document, which the caller writes and finishes.

        `suffix` ends the names of fonts, to avoid conflicts with the document's own fonts.
        """
        self._document, self._suffix, self.prepress = document, suffix, prepress
        self._states: dict[int, Any] = {}
        self._labels: list[str] = []
        self.pages = 0
        self._destinations: dict[str, Any] = {}
        self._encodings: dict[str, FontEncoding] = {}
        self._glyph_encodings: dict[str, GlyphEncoding] = {}
        self.before_embedding: list[Callable[[], None]] = []
        """Functions that `embed` calls first: they assign codes to the characters that were drawn."""

    @classmethod
    def of_file(
        cls,
        title: str,
        lang: str,
        creation: int,
        preferences: Mapping[str, str | bool],
        prepress: Prepress | None = None,
    ) -> PdfWriter:
        """Returns the writer of a new file; `creation` is in seconds since 1970, `preferences` are the viewer's."""
        version = prepress.version if prepress else VERSION
        document: Any = pdfdoc.PDFDocument(compression=1, invariant=1, pdfVersion=version, lang=lang)
        sign(document, title, creation)
        if prepress:
            _address(document, prepress, _writable(title), creation)
        entries = {
            key: str(value).lower() if isinstance(value, bool) else pdfdoc.PDFName(value)
            for key, value in preferences.items()
        }
        document.Catalog.ViewerPreferences = pdfdoc.PDFDictionary(entries)
        return cls(document, "", prepress)

    def font(self, font: Font) -> FontEncoding:
        """Returns a TrueType font's encoding; `embed` embeds the font with the characters that have codes by then."""
        return self._encodings.setdefault(font.name, FontEncoding(font))

    def glyph_font(self, font: Font) -> GlyphEncoding:
        """Returns the encoding of a font's glyphs; `embed` embeds the font with the glyphs that have codes by then."""
        return self._glyph_encodings.setdefault(font.name, GlyphEncoding(font))

    def picture(self, name: str, bitmap: ImageData) -> None:
        """Adds an image to the file, which `/name Do` then draws as the unit square."""
        entries: dict[str, Any] = bitmap.entries()
        if mask := bitmap.mask:
            of_mask = mask.entries()
            if mask.bits == 1:
                del of_mask["ColorSpace"]
                of_mask["ImageMask"] = "true"
            key = "Mask" if mask.bits == 1 else "SMask"
            entries[key] = self._document.Reference(_stream(mask.data, **of_mask), f"{name}.mask")
        self._document.Reference(_stream(bitmap.data, **entries), name)
        self._document.updateSignature(bitmap.data)

    def form(self, name: str, content: Content, box: Box, *, blended: bool) -> None:
        """Adds a drawing to the file, which `/name Do` then draws; if `blended`, it is a transparency group."""
        corners = pdfdoc.PDFArray((box.x, box.y, box.right, box.bottom))
        entries = {**_FORM, "BBox": corners, "Resources": self._resources(content.names)}
        if blended:
            entries["Group"] = _dictionary(Type="/Group", S="/Transparency")
        stream = _deflated(content.code.encode("latin-1"), **entries)
        self._document.Reference(stream, name)
        self._document.updateSignature(stream.content)

    def gradient(self, name: str, gradient: Gradient) -> None:
        """Adds a gradient to the file, which `/name Do` then draws, in its own units, over all of the clipped area."""
        # PDFium loses parts of a form whose box is very much larger than the page.
        corners = [gradient.own(x, y) for x in (-_REACH, _REACH) for y in (-_REACH, _REACH)]
        box = [*map(min, zip(*corners, strict=True)), *map(max, zip(*corners, strict=True))]
        states = {}
        if any(stop.opacity < 1000 for stop in gradient.stops):
            levels = [(stop.offset, (stop.opacity / 1000,)) for stop in gradient.padded()]
            mask = self._shading(f"{name}.mask", gradient.line, levels, box, {})
            states["G"] = _dictionary(SMask=_dictionary(S="/Luminosity", G=mask))
        colours = [(stop.offset, self._components(stop.colour)) for stop in gradient.padded()]
        self._shading(name, gradient.line, colours, box, states)

    def _components(self, colour: str) -> tuple[float, ...]:
        if self.prepress:
            return tuple(amount / 1000 for amount in self.prepress.inks.ink(colour))
        return tuple(part / 255 for part in channels(colour))

    def _shading(
        self,
        name: str,
        line: tuple[float, ...],
        stops: Sequence[tuple[float, tuple[float, ...]]],
        box: Iterable[float],
        states: Mapping[str, Any],
    ) -> Any:
        """Returns the reference to a form that draws a shading; `stops` are (offset, grey, RGB or CMYK components)."""
        steps = [(a, b) for a, b in pairwise(stops) if a[0] < b[0]]
        functions = " ".join(
            f"<< /FunctionType 2 /Domain [ 0 1 ] /C0 [ {_numbers(a[1])} ] /C1 [ {_numbers(b[1])} ] /N 1 >>"
            for a, b in steps
        )
        function = (
            f"<< /FunctionType 3 /Domain [ 0 1 ] /Functions [ {functions} ] "
            f"/Bounds [ {_numbers(a[0] for a, _ in steps[1:])} ] /Encode [ {' '.join('0 1' for _ in steps)} ] >>"
        )
        space = COLOUR_SPACES[len(stops[0][1])]
        shading = (
            f"<< /ShadingType {2 if len(line) == 4 else 3} /ColorSpace {space} /Coords [ {_numbers(line)} ] "
            f"/Extend [ true true ] /Function {function} >>"
        )
        resources: dict[str, Any] = {"Shading": f"<< /S {shading} >>"}
        if states:
            resources["ExtGState"] = pdfdoc.PDFDictionary(states)
        entries = {**_FORM, "BBox": f"[ {_numbers(box)} ]", "Resources": pdfdoc.PDFDictionary(resources)}
        if self.prepress is None or self.prepress.blends:
            entries["Group"] = f"<< /S /Transparency /CS {space} >>"
        stream = _deflated(b"/G gs /S sh\n" if states else b"/S sh\n", **entries)
        self._document.updateSignature(shading.encode())
        return self._document.Reference(stream, name)

    def opacity(self, thousandths: int) -> str:
        """Returns the resource name of an opacity, given in thousandths."""
        value = thousandths / 1000
        self._states.setdefault(thousandths, _dictionary(ca=value, CA=value))
        return f"/O{thousandths}"

    def page(self, size: Size, content: Content, label: str, trim: Box, bleed: Box) -> None:
        """Adds a page of `size`; the boxes `trim` and `bleed` are in micrometres from its top left corner."""
        deflated = _deflated(content.code.encode("latin-1"))
        stream = self._document.Reference(deflated)
        whole = Box(0, 0, size.width, size.height)
        boxes = {"MediaBox": whole, "CropBox": whole, "TrimBox": trim, "BleedBox": bleed}
        entries = "".join(f"/{name} {_rectangle(box, size)}\n" for name, box in boxes.items())
        if self.prepress and self.prepress.blends:
            entries += "/Group << /S /Transparency /CS /DeviceCMYK >>\n"
        self._document.updateSignature(deflated.content)
        self._labels.append(f"{self.pages} << /P {pdfdoc.PDFString(label).format(self._document).decode('latin-1')} >>")
        self._document.addPage(_Page(entries, stream.name, sorted(content.names), self._has_states, self._has_plates))
        self.pages += 1

    def bookmark(self, title: str, level: int, left: float | None = None, top: float | None = None) -> None:
        """Adds an outline entry for the next page; `left` and `top` are in points from its bottom left corner."""
        name = f"B{len(self._destinations)}"
        destination = self._bookmarkReference(name)
        if left is None or top is None:
            destination.fit()
        else:
            destination.xyz(round(left, 2), round(top, 2), 0)
        destination.setPage(self._document.thisPageRef())
        self._document.outline.addOutlineEntry(name, level, _writable(title), closed=level == 0)

    def finish(self) -> bytes:
        """Returns the bytes of the finished file. Raises FontError if a font cannot be embedded."""
        self.embed()
        self._document.Catalog.PageLabels = f"<< /Nums [ {' '.join(self._labels)} ] >>"
        data = self._document.GetPDFData(self)
        return data if isinstance(data, bytes) else str(data).encode("latin-1")

    def embed(self) -> None:
        """Embeds the fonts and opacities that drawings use. Raises FontError if a font cannot be embedded."""
        for assign_codes in self.before_embedding:
            assign_codes()
        key = ""
        try:
            for _, encoding in sorted(self._encodings.items()):
                key = encoding.font.key
                _embed(encoding, self._document, key + self._suffix)
            for _, glyphs in sorted(self._glyph_encodings.items()):
                key = glyphs.font.key
                _embed_glyphs(glyphs, self._document, key)
        except Exception as error:  # a broken font can make its reader fail in any way
            raise FontError(f"the font {key} cannot be embedded: {error}", "Use another file of the font.") from error
        if self.prepress and self._has_plates:
            self._document.Reference(pdfdoc.PDFDictionary(_plates(self.prepress.inks)), _PLATES)
        if self._has_states:
            states = {f"O{thousandths}": state for thousandths, state in sorted(self._states.items())}
            if self.prepress:
                states[OVERPRINT] = "<< /Type /ExtGState /OP true /op true /OPM 1 >>"
                states[KNOCKOUT] = "<< /Type /ExtGState /OP false /op false /OPM 0 >>"
            self._document.Reference(pdfdoc.PDFDictionary(states), _STATES)

    def _bookmarkReference(self, name: str) -> Any:
        # ReportLab's outline calls this method of its canvas to get destinations.
        return self._destinations.setdefault(name, pdfdoc.Destination(name))

    @property
    def _has_plates(self) -> bool:
        return bool(self.prepress and self.prepress.inks.spots)

    @property
    def _has_states(self) -> bool:
        return bool(self._states or self.prepress)

    def _resources(self, names: Iterable[str]) -> Any:
        entries: dict[str, Any] = {"Font": pdfdoc.PDFObjectReference(pdfdoc.BasicFonts)}
        objects = {name: pdfdoc.PDFObjectReference(name) for name in sorted(names)}
        if objects:
            entries["XObject"] = pdfdoc.PDFDictionary(objects)
        if self._has_plates:
            entries["ColorSpace"] = pdfdoc.PDFObjectReference(_PLATES)
        if self._has_states:
            entries["ExtGState"] = pdfdoc.PDFObjectReference(_STATES)
        return pdfdoc.PDFDictionary(entries)


def _plates(inks: InkSpace) -> dict[str, str]:
    """Returns the colour spaces of spot plates by name (ISO 32000-2, 8.6.6.4), with inks that show them on a screen."""
    spaces = {}
    for name, colour in {name: colour for colour, name in sorted(inks.spots.items())}.items():
        shown = _numbers(amount / 1000 for amount in inks.ink(colour))
        function = f"<< /FunctionType 2 /Domain [ 0 1 ] /C0 [ 0 0 0 0 ] /C1 [ {shown} ] /N 1 >>"
        spaces[name] = f"[ /Separation /{name} /DeviceCMYK {function} ]"
    return spaces


def _numbers(values: Iterable[float]) -> str:
    return " ".join(map(number, values))


def _embed(encoding: FontEncoding, document: Any, key: str) -> None:
    """Embeds a font into the file under the name `key`, with its characters at their assigned codes."""
    chars = (chr(point) for points in encoding.subsets for point in points if point)
    font: Any = TTFont(key, BytesIO(cut(encoding.font, chars)), asciiReadable=False, shapable=False)
    # ReportLab stores objects by PostScript name, and two fonts of a job may have the same one.
    font.face.name = "-".join(key.split()).encode("ascii", "replace")
    # PDF readers round advances to whole thousandths in different ways; texts are set with these rounded advances.
    font.face.charWidths = {ord(char): encoding.font.thousandths(char) for char in encoding}
    font.face.defaultWidth = encoding.font.blank
    state = font.state[document] = TTFont.State(False, font)
    state.subsets = encoding.subsets
    state.internalName = encoding.font.name
    font.addObjects(document)


_FORM: Mapping[str, Any] = {"Type": "/XObject", "Subtype": "/Form"}


def _dictionary(**entries: Any) -> Any:
    return pdfdoc.PDFDictionary(entries)


def _stream(data: bytes, **entries: Any) -> Any:
    """Returns a stream of `data` whose dictionary has these entries."""
    return pdfdoc.PDFStream(_dictionary(**entries), data)


def _deflated(data: bytes, level: int = _DEFLATE, **entries: Any) -> Any:
    """Returns a stream of `data`, deflated at once so that a long job does not keep uncompressed pages in memory."""
    return _stream(zlib.compress(data, level), Filter="/FlateDecode", **entries)


def sign(document: Any, title: str, creation: int) -> None:
    """Sets the title, date and ID of a ReportLab document, which depend on the arguments only, not on the clock."""
    document.signature = hashlib.md5(f"{_writable(title)}\n{creation}".encode(), usedforsecurity=False)
    document._timeStamp = _Moment(creation)
    document.info = _Info()
    document.info.title = _writable(title)


def _address(document: Any, prepress: Prepress, title: str, creation: int) -> None:
    """Records in a ReportLab document for which press it is made: in catalog, metadata and document information."""
    document.info.prepress = prepress
    profile = _deflated(prepress.profile, N=4)
    condition = pdfdoc.PDFString(prepress.condition)
    intent = _dictionary(
        Type="/OutputIntent",
        S="/GTS_PDFX",
        OutputConditionIdentifier=condition,
        Info=condition,
        DestOutputProfile=document.Reference(profile),
    )
    document.Catalog.__NoDefault__ = [*document.Catalog.__NoDefault__, "OutputIntents"]
    document.Catalog.OutputIntents = pdfdoc.PDFArray([intent])
    metadata = prepress.metadata(title, creation, CREATOR, PRODUCER)
    document.Catalog.Metadata = _stream(metadata, Type="/Metadata", Subtype="/XML")
    for part in (prepress.standard.encode(), prepress.profile):
        document.updateSignature(part)


def _writable(text: str) -> str:
    """Returns a text with lone surrogates replaced, because no file format can store them."""
    return text.encode("utf-8", "replace").decode()


@lru_cache(maxsize=256)
def _rectangle(box: Box, size: Size) -> str:
    corners = (box.x, size.height - box.bottom, box.right, size.height - box.y)
    return f"[ {' '.join(f'{to_points(corner):.4f}'.rstrip('0').rstrip('.') for corner in corners)} ]"
