"""A document for reading (such as a rulebook) as a small tree of immutable values, and the fonts in which it is set."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from carddb.core.names import slug
from carddb.findings import Finding, warning
from carddb.game.parts import GROUND, marked
from carddb.layout.text.fonts import Font, FontBook
from carddb.layout.text.scripts import JOINERS

IdPlace = Literal["text", "margin", "nowhere"]
"""The place of rule ids: after sentences, in the outer margin, or nowhere. The sign of a ruling is always printed."""
BOLD = 650
"""The weight of bold text in a sentence, where semi-bold reads better than bold if a family has both."""
HEAVY = 700
HEAVIEST = 800


@dataclass(frozen=True)
class DocumentFonts:
    """The names of font families in `book`, by purpose."""

    book: FontBook
    heading: str
    text: str
    label: str
    code: str = ""
    """The family for text that the user types; if empty, the family of labels is used."""

    def font(self, role: str, weight: int = 400, italic: bool = False) -> Font:
        """Returns the font for `role`, which is `heading`, `text`, `label` or `code`."""
        return self.book.pick(getattr(self, role) or self.label, weight, italic)

    def runs(self, text: str, font: Font) -> tuple[list[tuple[Font, str]], str]:
        """Returns `text` as pairs of a font and the text to set in it, and the characters that no font has (left out).

        A character that `font` and the fallbacks of the font book lack is taken from the font for `text`.
        """
        return self.book.split(text, font, self.font("text", font.weight, font.italic))


_UNSEEN, _SPACES = ("Cc", "Cs", "Cn"), re.compile(r"[^\S\u00a0]+")
LOZENGE = "◊"
"""The sign printed in place of a character that no font has."""


class PrintedTexts:
    """Makes texts of users printable, and collects the characters that no font has."""

    def __init__(self, fonts: DocumentFonts) -> None:
        self._fonts = fonts
        self._missing: dict[str, None] = {}

    def plain(self, text: str) -> str:
        """Returns `text` as one line, with a lozenge in place of each character that no font has.

        Control characters become spaces, and marks of the writing direction are left out. No-break spaces stay.
        """
        kinds = [(unicodedata.category(char), char) for char in text]
        seen = (" " if kind in _UNSEEN else char for kind, char in kinds if kind != "Cf" or char in JOINERS)
        line = _SPACES.sub(" ", "".join(seen)).strip()
        for role in ("text", "label"):
            missing = self._fonts.runs(line, self._fonts.font(role))[1]
            self._missing.update(dict.fromkeys(missing))
            line = line.translate({ord(char): "" if unicodedata.combining(char) else LOZENGE for char in missing})
        return line

    def span(self, text: str, *, bold: bool = False, quiet: bool = False) -> Span:
        """Returns a span of the text that `plain` returns for `text`."""
        return Span(self.plain(text), bold=bold, quiet=quiet)

    def quiet(self, text: str) -> Paragraph:
        """Returns a paragraph of small grey text."""
        return Paragraph((self.span(text, quiet=True),))

    def said(self, text: str) -> Paragraph:
        """Returns a paragraph of plain text."""
        return Paragraph((self.span(text),))

    def heading(self, title: str, aside: str) -> Heading:
        """Returns a heading of level 2, followed by the `aside` in small grey text."""
        return Heading(2, (self.span(title), Span("   "), self.span(aside, quiet=True)))

    def fact(self, label: str, text: str, aside: str = "") -> tuple[Block, ...]:
        """Returns a fact for one column of a `Beside`: its label, its text, and the `aside` unless that is empty."""
        return (self.quiet(label), Heading(3, (self.span(text),)), *([self.quiet(aside)] if aside else []))

    def findings(self, subject: str, fix: str = "Write the text with other characters.") -> list[Finding]:
        """Returns a list with one warning about the characters that no font has in `subject`; empty if none."""
        if not self._missing:
            return []
        message = f"{subject}: {LOZENGE} is printed in place of {' '.join(self._missing)}, which no font has"
        return [warning("glyph_missing", message, fix=fix)]


_TOGETHER = 3
_NAME = 24
"""The greatest average length of texts, in characters, up to which they count as names."""


@dataclass(frozen=True, slots=True)
class Span:
    """A text in one style."""

    text: str
    bold: bool = False
    italic: bool = False
    code: bool = False
    """True if the text is code, that is, typed or shown on a screen literally."""
    link: str = ""
    """A link to another document of the same book: its file name, with or without `#section`."""
    quiet: bool = False
    """True if the text is smaller and grey, as for a reference, a label or an aside."""
    disc: str = ""
    """The colour of a disc on which the text, a number of one or two digits, is printed in white; empty for no disc."""
    is_ring: bool = False
    """True if the disc is an open ring, with the number in its colour."""


@dataclass(frozen=True, slots=True)
class RuleIds:
    """The ids of the rules that the preceding text states.

    `line` is the line of the source text (0 if unknown); `decided` are the ids of rules that have a ruling. If not
    `is_signed`, the sign of a ruling is printed at the head of the section or of the table instead.
    """

    rules: tuple[str, ...]
    line: int = 0
    decided: frozenset[str] = frozenset()
    is_signed: bool = True

    @property
    def sign(self) -> str:
        """The sign that rules have a ruling, if any of these has one; else empty."""
        return marked("", self.decided and self.is_signed)

    @property
    def text(self) -> str:
        """The ids, separated by commas and each marked if it has a ruling; three at a time stay on one line."""
        ids = [marked(rule, rule in self.decided) for rule in self.rules]
        groups = [ids[at : at + _TOGETHER] for at in range(0, len(ids), _TOGETHER)]
        return ", ".join(",\u00a0".join(group) for group in groups)


@dataclass(frozen=True, slots=True)
class Squares:
    """A row of `count` squares before a text, `filled` of them filled; `text` is the count in words."""

    count: int
    filled: int
    text: str = ""
    size: float = 1.0
    """The size of the squares, relative to their usual size."""


TAB = Span("\t")
"""A space that moves the text after it to the far end of the paragraph's first line."""
Inline = tuple[Span | RuleIds | Squares, ...]
"""The content of one paragraph; Squares can only be its first part, and there can be one TAB."""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading; level 1 is the document's title or, in a `Beside`, a large number.

    Such a number is aligned to the right in a column as wide as the text `widest`.
    """

    level: int
    content: Inline
    widest: str = ""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph; in a list, a small grey `label` is at its left; in an index, it may be a part `under` an entry."""

    content: Inline
    label: str = ""
    under: Inline = ()


@dataclass(frozen=True, slots=True)
class Listing:
    """A list; `start` is the number of its first item, or None for a bulleted list.

    If `disc` is a colour, numbers are white on discs of that colour, or, for the last `rings` items, in open rings;
    then hairlines separate the items, and the list spans the page.
    """

    items: tuple[tuple[Block, ...], ...]
    start: int | None = None
    disc: str = ""
    rings: int = 0


@dataclass(frozen=True, slots=True)
class Note:
    """An aside, such as an example; `label` may be empty."""

    label: Inline
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Code:
    """Lines of code or of a terminal; `kind` is the first word after the opening fence, such as `console` or `yaml`."""

    lines: tuple[str, ...]
    kind: str = ""

    def is_typed(self, line: str) -> bool:
        """Returns whether the user types this line, as opposed to reading it as output."""
        return self.kind == "console" and line.startswith("$ ")


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture that carddb draws, named by `source`, such as `face:EG-CAR-001`; `line` is its line in the source text.

    `text` is the alternative text for readers who cannot see the picture, and `caption` is printed below it. A composed
    picture has a `plan` in YAML, which says what is placed where; its `source` is `figure:` and a digest of the plan. A
    `framed` picture gets a thin line around it.
    """

    source: str
    text: str
    caption: str = ""
    line: int = 0
    plan: str = ""
    framed: bool = True


@dataclass(frozen=True, slots=True)
class Figure:
    """One picture, or several pictures side by side."""

    pictures: tuple[Picture, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table with one header row; `align` is left, center or right for each column. A cell may contain a picture.

    If `titled`, only the first header cell has a text, which spans all columns as a title. `scale` enlarges the text. A
    `wide` table always spans the whole page, and may be broken between any rows. A title with an `accent`, the colour
    of the line below it, is set as a heading. `air` is added above and below the texts of the rows, in points.
    """

    head: tuple[Inline, ...]
    rows: tuple[tuple[Inline | Picture, ...], ...]
    align: tuple[str, ...]
    titled: bool = False
    scale: float = 1.0
    wide: bool = False
    accent: str = ""
    air: float = 0.0


@dataclass(frozen=True, slots=True)
class Beside:
    """Blocks in columns side by side, which span the page and are never split between two pages.

    `lines` are the hairlines that are drawn. `shares` are the relative widths of the columns, 0 for a column that is as
    wide as its content; if empty, all are equal. The first column has the background colour `ground`. If `pinned`, the
    columns are at the foot of the page, and the blocks after them are placed above.
    """

    columns: tuple[tuple[Block, ...], ...]
    lines: tuple[Literal["between", "below", "above", "around"], ...] = ()
    shares: tuple[int, ...] = ()
    ground: str = ""
    pinned: bool = False


@dataclass(frozen=True, slots=True)
class ContentsLine:
    """A line of a table of contents: text, depth (0 is a document), page number, link target, number of the section."""

    text: str
    depth: int
    page: str
    link: str
    number: str = ""


@dataclass(frozen=True, slots=True)
class Contents:
    """A table of contents of a book, with page numbers."""

    lines: tuple[ContentsLine, ...]


Block = Heading | Paragraph | Listing | Table | Note | Code | Figure | Beside | Contents


@dataclass(frozen=True, slots=True)
class Section:
    """A heading of level 2 with the blocks below it. Blocks before the first heading form section 0 without heading."""

    number: int
    heading: Heading | None
    anchor: str
    blocks: tuple[Block, ...]

    @property
    def title(self) -> str:
        """The heading's text, or an empty text if there is no heading."""
        return plain(self.heading.content) if self.heading else ""


@dataclass(frozen=True, slots=True)
class Document:
    """A document for painters: `facts` are shown beside the title, `lead` below it, and `notice` at the end.

    `footnote` explains a symbol at the bottom of every page, `accent` is the colour of small marks (#rrggbb), `ground`
    the colour behind a web page, and `fingerprint` a short hash of the content.
    """

    title: str
    blocks: tuple[Block, ...]
    lead: Inline = ()
    facts: tuple[str, ...] = ()
    notice: str = ""
    footnote: str = ""
    fingerprint: str = ""
    lang: str = "en"
    accent: str = "#000000"
    ground: str = GROUND
    numbered: bool = True
    """True if headings of level 2 are numbered."""
    is_cover: bool = False
    """True for a booklet's cover: title, `plate` or pictures of its blocks, lead and facts, without head and foot."""
    has_title: bool = True
    """True if the first page begins with the title; False after a cover, where it looks like the others."""
    plate: str = ""
    """The source of a picture below the title, if there is one."""
    closing: str = ""
    """The source of a picture at the foot of the page, if there is one."""
    compact: bool = False
    """True if the document is for reference rather than for reading, and so has small text and little space."""
    size: float = 10.0
    """The size of its text in points."""
    leading: float = 13.0
    """The distance of its lines of text in points."""
    ids: IdPlace = "text"
    indexed: tuple[str, ...] = ()
    """The rule ids, in order, that an index at the end of a PDF lists with their pages; empty for no index."""
    index_title: str = ""
    columns: int = 2
    """The number of columns on a page."""
    file: str = ""
    """The document's file name in a book, which other documents use in links."""

    @property
    def is_reference(self) -> bool:
        """True for a chapter of a book in which readers look up keys; each page names its first and last key."""
        return self.compact and bool(self.file)

    @property
    def name(self) -> str:
        """The title and the kind of document, for window titles and lists of documents."""
        return ": ".join((self.title, *self.facts[:1]))

    @property
    def sections(self) -> tuple[Section, ...]:
        """The sections in order, each with a unique anchor."""
        return tuple(_sections(self.blocks))


def plain(content: Inline) -> str:
    """Returns the text of `content` without rule ids."""
    return "".join(part.text for part in content if isinstance(part, Span)).strip()


def names_rows(table: Table) -> bool:
    """Returns whether the first column contains names and not sentences, so that it may be set bolder."""
    words = [plain(cell) for cell, *_ in table.rows if not isinstance(cell, Picture)]
    return not table.titled and sum(map(len, words)) <= _NAME * len(words)


def is_row_head(row: Sequence[Inline | Picture]) -> bool:
    """Returns whether a row of a table is a heading for the rows below it: bold text in an otherwise empty row."""
    first, *others = row
    return not any(others) and not isinstance(first, Picture) and any(isinstance(p, Span) and p.bold for p in first)


def rule_ids(blocks: Sequence[Block]) -> Iterator[RuleIds]:
    """Yields all RuleIds in a document, in reading order."""
    for content in contents(blocks):
        yield from (part for part in content if isinstance(part, RuleIds))


def walk(blocks: Sequence[Block]) -> Iterator[Block]:
    """Yields the blocks in reading order, each followed by the blocks inside it."""
    for block in blocks:
        yield block
        match block:
            case Listing(items=inside) | Beside(columns=inside):
                for part in inside:
                    yield from walk(part)
            case Note():
                yield from walk(block.blocks)


def contents(blocks: Sequence[Block]) -> Iterator[Inline]:
    """Yields the words of every paragraph, heading, cell and other line of text in a document, in reading order."""
    for block in walk(blocks):
        match block:
            case Heading() | Paragraph():
                yield block.content
            case Table():
                yield from block.head
                for row in block.rows:
                    yield from (cell for cell in row if not isinstance(cell, Picture))
            case Note():
                yield block.label
            case Code():
                yield from ((Span(line, code=True),) for line in block.lines)
            case Figure():
                yield from ((Span(picture.caption, italic=True),) for picture in block.pictures if picture.caption)
            case Contents():
                yield from ((Span(f"{line.text} {line.page}", link=line.link),) for line in block.lines)


def pictures(blocks: Sequence[Block]) -> Iterator[Picture]:
    """Yields every picture of a document, in reading order."""
    for block in walk(blocks):
        if isinstance(block, Figure):
            yield from block.pictures


def _sections(blocks: Sequence[Block]) -> Iterator[Section]:
    starts = [at for at, block in enumerate(blocks) if isinstance(block, Heading) and block.level == 2]
    first = starts[0] if starts else len(blocks)
    if first:
        yield Section(0, None, "", tuple(blocks[:first]))
    taken: set[str] = set()
    for number, (start, end) in enumerate(pairwise([*starts, len(blocks)]), start=1):
        heading = blocks[start]
        assert isinstance(heading, Heading)
        base = slug(plain(heading.content)) or "section"
        anchor, times = base, 1
        while anchor in taken:
            times += 1
            anchor = f"{base}-{times}"
        taken.add(anchor)
        yield Section(number, heading, anchor, tuple(blocks[start + 1 : end]))
