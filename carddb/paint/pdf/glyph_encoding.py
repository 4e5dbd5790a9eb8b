"""Shaped glyphs as strings of a composite PDF font: a code for each glyph and the characters it stands for."""

from __future__ import annotations

from typing import NamedTuple

from carddb.layout.text.fonts import Font
from carddb.paint.pdf.content_stream import GlyphText
from carddb.paint.pdf.operators import outline

_MOST = 0xFFFF


class CodedGlyph(NamedTuple):
    """A glyph, the characters that it stands for, and the width of all glyphs that do, in thousandths of the em."""

    id: int
    text: str
    width: int


class GlyphEncoding(dict[CodedGlyph, int]):
    """The codes of one font of a file, each given when first asked for.

    One glyph has several codes where it stands for several characters, so that each reads as what it is.
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
        """The operators that show glyphs, each where its advances say, and leave the graphics state as it was.

        The first wide glyph of a cluster reads as all its characters, and is as wide as the cluster for a reader. The
        others are filled outlines: as text they would part letters that belong together.
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
