"""A document as a small tree of frozen values, and the fonts that it is set in: what is read rather than played."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from carddb.core.names import slug
from carddb.game.parts import marked
from carddb.layout.text.fonts import Font, FontBook, append_char

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
        """Returns the font for `heading`, `text`, `label` or `code`."""
        return self.book.pick(getattr(self, role) or self.label, weight, italic)

    def runs(self, text: str, font: Font) -> tuple[list[tuple[Font, str]], str]:
        """Returns `text` as runs of fonts that have its characters, and the characters that none has (left out).

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
                append_char(borrowed, owner, piece)
        return borrowed, absent


_TOGETHER = 3
_NAME = 24
"""The letters of a long name."""


@dataclass(frozen=True, slots=True)
class Span:
    """Words of one style."""

    text: str
    bold: bool = False
    italic: bool = False
    code: bool = False
    """What is typed, or read on a screen, letter by letter."""
    link: str = ""
    """The file of another document of the same book, with or without `#section`."""
    quiet: bool = False
    """Whether it is smaller and grey: a reference, a label, an aside."""


@dataclass(frozen=True, slots=True)
class RuleIds:
    """The ids of the rules that the words before them tell; `line` is where they were written, 0 is not known.

    `decided` are those of them that have a ruling.
    """

    rules: tuple[str, ...]
    line: int = 0
    decided: frozenset[str] = frozenset()

    @property
    def text(self) -> str:
        """The ids with commas, signed where there is a ruling; none goes to another line alone."""
        ids = [marked(rule, rule in self.decided) for rule in self.rules]
        groups = [ids[at : at + _TOGETHER] for at in range(0, len(ids), _TOGETHER)]
        return ", ".join(",\u00a0".join(group) for group in groups)


@dataclass(frozen=True, slots=True)
class Squares:
    """Little squares before words, the first of them filled; they count what is then said in words."""

    count: int
    filled: int
    text: str = ""


Inline = tuple[Span | RuleIds | Squares, ...]
"""Words of one paragraph; squares may only begin it."""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading; level 1 is the title of the document."""

    level: int
    content: Inline


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph."""

    content: Inline


@dataclass(frozen=True, slots=True)
class Listing:
    """A list: `start` is the number of its first entry, None where entries have a bullet."""

    items: tuple[tuple[Block, ...], ...]
    start: int | None = None


@dataclass(frozen=True, slots=True)
class Note:
    """Something said aside, such as an example; `label` is empty where it has none."""

    label: Inline
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Code:
    """Lines as they are typed or read on a screen; `kind` is the first word of what the block says of itself."""

    lines: tuple[str, ...]
    kind: str = ""

    def is_typed(self, line: str) -> bool:
        """Says whether a line is typed by the user, and not an answer."""
        return self.kind == "console" and line.startswith("$ ")


@dataclass(frozen=True, slots=True)
class Picture:
    """Something that carddb draws: `source` names it, such as `face:EG-CAR-001`; `line` is where it was written.

    `text` says in words what is seen, for who does not see it; the caption stands below. A composed picture has a
    `plan` of what lies where, as YAML; its source is `figure:` and a digest of that.
    """

    source: str
    text: str
    caption: str = ""
    line: int = 0
    plan: str = ""


@dataclass(frozen=True, slots=True)
class Figure:
    """One picture, or several side by side."""

    pictures: tuple[Picture, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table with one head row; `align` is left, center or right for each column. A cell may show a picture.

    `titled`: the head has words in its first column alone, which go across as the title of the rows. `scale` enlarges
    the words, and `wide` tables go across the page whatever is in them.
    """

    head: tuple[Inline, ...]
    rows: tuple[tuple[Inline | Picture, ...], ...]
    align: tuple[str, ...]
    titled: bool = False
    scale: float = 1.0
    wide: bool = False


@dataclass(frozen=True, slots=True)
class Beside:
    """Blocks in columns of the same width side by side across the page, which stay together on it.

    `ruled`: between lines, as facts stand under a title.
    """

    columns: tuple[tuple[Block, ...], ...]
    ruled: bool = False


@dataclass(frozen=True, slots=True)
class ContentsLine:
    """A heading in a list of contents: how deep it is (0 is a document), its page, and where its words lead."""

    text: str
    depth: int
    page: str
    link: str


@dataclass(frozen=True, slots=True)
class Contents:
    """The headings of a book with their pages."""

    lines: tuple[ContentsLine, ...]


Block = Heading | Paragraph | Listing | Table | Note | Code | Figure | Beside | Contents


@dataclass(frozen=True, slots=True)
class Section:
    """A heading of level 2 and what stands under it; what stands before the first one has none and the number 0."""

    number: int
    heading: Heading | None
    anchor: str
    blocks: tuple[Block, ...]

    @property
    def title(self) -> str:
        """The heading's words."""
        return plain(self.heading.content) if self.heading else ""


@dataclass(frozen=True, slots=True)
class Document:
    """A document for painters: `facts` stand beside the title, `lead` under it, `notice` at the end.

    `footnote` explains a sign, at the foot of each page; `accent` is the colour of small marks (#rrggbb),
    `fingerprint` a short hash of the content.
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
    numbered: bool = True
    """Whether headings of level 2 are numbered."""
    compact: bool = False
    """Whether it is looked up rather than read: small words, little air."""
    columns: int = 2
    """Of a page."""
    file: str = ""
    """The name of its file in a book, by which other documents link to it."""

    @property
    def name(self) -> str:
        """The title and what kind of document it is, as windows and shelves show it."""
        return ": ".join((self.title, *self.facts[:1]))

    @property
    def sections(self) -> tuple[Section, ...]:
        """The sections in order, each with an anchor of its own."""
        return tuple(_sections(self.blocks))


def plain(content: Inline) -> str:
    """Returns the words of a line without their rule ids."""
    return "".join(part.text for part in content if isinstance(part, Span)).strip()


def names_rows(table: Table) -> bool:
    """Says whether the first column holds names, not sentences, and may be heavier than the rest."""
    words = [plain(cell) for cell, *_ in table.rows if not isinstance(cell, Picture)]
    return not table.titled and sum(map(len, words)) <= _NAME * len(words)


def rule_ids(blocks: Sequence[Block]) -> Iterator[RuleIds]:
    """Yields every rule id that a document tells, in its order."""
    for content in contents(blocks):
        yield from (part for part in content if isinstance(part, RuleIds))


def contents(blocks: Sequence[Block]) -> Iterator[Inline]:
    """Yields every line of words in a document, in reading order."""
    for block in blocks:
        match block:
            case Heading() | Paragraph():
                yield block.content
            case Listing():
                for item in block.items:
                    yield from contents(item)
            case Table():
                yield from block.head
                for row in block.rows:
                    yield from (cell for cell in row if not isinstance(cell, Picture))
            case Note():
                yield block.label
                yield from contents(block.blocks)
            case Code():
                yield from ((Span(line, code=True),) for line in block.lines)
            case Figure():
                yield from ((Span(picture.caption, italic=True),) for picture in block.pictures if picture.caption)
            case Beside():
                for column in block.columns:
                    yield from contents(column)
            case Contents():
                yield from ((Span(f"{line.text} {line.page}", link=line.link),) for line in block.lines)


def pictures(blocks: Sequence[Block]) -> Iterator[Picture]:
    """Yields every picture of a document, in reading order."""
    for block in blocks:
        match block:
            case Figure():
                yield from block.pictures
            case Listing():
                for item in block.items:
                    yield from pictures(item)
            case Note():
                yield from pictures(block.blocks)


def _sections(blocks: Sequence[Block]) -> Iterator[Section]:
    starts = [at for at, block in enumerate(blocks) if isinstance(block, Heading) and block.level == 2]
    first = starts[0] if starts else len(blocks)
    if first:
        yield Section(0, None, "", tuple(blocks[:first]))
    taken: set[str] = set()
    for number, (start, end) in enumerate(pairwise([*starts, len(blocks)]), start=1):
        heading = blocks[start]
        assert isinstance(heading, Heading)
        yield Section(number, heading, _anchor(plain(heading.content), taken), tuple(blocks[start + 1 : end]))


def _anchor(text: str, taken: set[str]) -> str:
    """Returns a name for a place in a page, used once."""
    base = slug(text) or "section"
    anchor, number = base, 1
    while anchor in taken:
        number += 1
        anchor = f"{base}-{number}"
    taken.add(anchor)
    return anchor
