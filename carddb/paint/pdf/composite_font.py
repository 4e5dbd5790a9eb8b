"""A composite font (Type0, Identity-H) in a PDF: glyphs by code, and the characters that each of them reads as."""

from __future__ import annotations

import struct
import zlib
from typing import Any

import uharfbuzz as hb
from reportlab.pdfbase import pdfdoc

from carddb.paint.font_subset import cut_glyphs
from carddb.paint.pdf.glyph_encoding import GlyphEncoding

_HEAD = """/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<0000> <FFFF>
endcodespacerange
"""
_FOOT = """endcmap
CMapName currentdict /CMap defineresource pop
end
end
"""
_MOST_LINES = 100
"""Of one section of a CMap."""


def embed(encoding: GlyphEncoding, document: Any, key: str) -> None:
    """Puts the font into a ReportLab document, with the glyphs that were given codes."""
    font = encoding.font
    data = cut_glyphs(font, {glyph.id for glyph in encoding})
    name = pdfdoc.PDFName("AAAAAA+" + "-".join(key.split()).encode("ascii", "replace").decode())
    base = f"{encoding.resource} "
    file = _stream(data, Length1=len(data))
    descriptor = pdfdoc.PDFDictionary(
        {
            "Type": pdfdoc.PDFName("FontDescriptor"),
            "FontName": name,
            "Flags": 4,
            "FontBBox": pdfdoc.PDFArray(_bounds(data)),
            "ItalicAngle": 0,
            "Ascent": font.ascent,
            "Descent": -font.descent,
            "CapHeight": font.ascent,
            "StemV": font.weight // 5,
            "FontFile2": document.Reference(file, base + "file"),
        }
    )
    widths = [glyph.width for glyph in encoding]
    numbers = b"".join(glyph.id.to_bytes(2, "big") for glyph in encoding)
    descendant = pdfdoc.PDFDictionary(
        {
            "Type": pdfdoc.PDFName("Font"),
            "Subtype": pdfdoc.PDFName("CIDFontType2"),
            "BaseFont": name,
            "CIDSystemInfo": "<< /Registry (Adobe) /Ordering (Identity) /Supplement 0 >>",
            "FontDescriptor": document.Reference(descriptor, base + "descriptor"),
            "DW": 0,
            "W": f"[ 1 [ {' '.join(map(str, widths))} ] ]",
            "CIDToGIDMap": document.Reference(_stream(bytes(2) + numbers), base + "glyphs"),
        }
    )
    composite = pdfdoc.PDFDictionary(
        {
            "Type": pdfdoc.PDFName("Font"),
            "Subtype": pdfdoc.PDFName("Type0"),
            "BaseFont": name,
            "Encoding": pdfdoc.PDFName("Identity-H"),
            "DescendantFonts": pdfdoc.PDFArray([document.Reference(descendant, base + "descendant")]),
            "ToUnicode": document.Reference(_stream(_characters(encoding)), base + "characters"),
        }
    )
    document.idToObject[pdfdoc.BasicFonts].dict[encoding.resource] = document.Reference(composite, encoding.resource)


def _bounds(data: bytes) -> list[int]:
    """The box round all glyphs, in thousandths of the em: left, bottom, right, top (table head)."""
    face = hb.Face(data)
    bounds = struct.unpack_from(">4h", face.reference_table("head").data, 36)
    return [value * 1000 // face.upem for value in bounds]


def _characters(encoding: GlyphEncoding) -> bytes:
    """The ToUnicode CMap."""
    lines = [
        f"<{code:04X}> <{glyph.text.encode('utf-16-be', 'replace').hex().upper()}>" for glyph, code in encoding.items()
    ]
    parts = [lines[start : start + _MOST_LINES] for start in range(0, len(lines), _MOST_LINES)]
    sections = [f"{len(part)} beginbfchar\n{chr(10).join(part)}\nendbfchar\n" for part in parts]
    return "".join([_HEAD, *sections, _FOOT]).encode("ascii")


def _stream(data: bytes, **entries: int) -> Any:
    stream = pdfdoc.PDFStream(content=zlib.compress(data, 9))
    stream.dictionary["Filter"] = pdfdoc.PDFName("FlateDecode")
    for key, value in entries.items():
        stream.dictionary[key] = value
    return stream
