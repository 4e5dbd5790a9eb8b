"""The fonts that a document is set in: one family for headings, one for sentences, one for labels, one for code."""

from __future__ import annotations

from dataclasses import dataclass

from carddb.layout.text.fonts import Font, FontBook

BOLD = 650
"""Where a family has both, semi-bold reads better than bold within a sentence."""
HEAVY = 700
HEAVIEST = 800


@dataclass(frozen=True)
class DocumentFonts:
    """Families of a font book by what they are used for."""

    book: FontBook
    heading: str
    text: str
    label: str
    code: str = ""
    """The family of what is typed; that of labels where there is none."""

    def font(self, role: str, weight: int = 400, italic: bool = False) -> Font:
        """The font for `heading`, `text`, `label` or `code`."""
        return self.book.pick(getattr(self, role) or self.label, weight, italic)

    def runs(self, text: str, font: Font) -> tuple[list[tuple[Font, str]], str]:
        """`text` as runs of fonts that have its characters, and the characters that none has (left out).

        What a family lacks is borrowed from that of sentences, then from the book's fallbacks.
        """
        runs, missing = self.book.split(text, font)
        lender = self.font("text", font.weight, font.italic)
        if not missing or lender is font:
            return runs, missing
        borrowed: list[tuple[Font, str]] = []
        absent = ""
        for char in text:
            parts, lacking = self.book.split(char, font)
            if lacking:
                parts, lacking = self.book.split(char, lender)
            absent += lacking
            for owner, piece in parts:
                if borrowed and borrowed[-1][0] is owner:
                    borrowed[-1] = (owner, borrowed[-1][1] + piece)
                else:
                    borrowed.append((owner, piece))
        return borrowed, absent
