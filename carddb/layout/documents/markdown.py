"""Parses the Markdown of documents into blocks: CommonMark with tables and without HTML.

Supported are headings, paragraphs, lists, tables, quotations (as notes), code blocks and figures; within a line, bold,
italic, `code`, links to other documents, and `{C-24, C-25}` for the rules that the preceding text states. A figure is a
paragraph of pictures that carddb draws, such as `![A soldier](face:EG-CAR-001 "Caption")`, or a code block called
`figure`, whose info string is the alternative text and whose lines are the plan of the picture. Anything else gives a
finding with its line.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import replace
from itertools import groupby

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

from carddb.findings import Finding, Place, error
from carddb.layout.documents.blocks import (
    Block,
    Code,
    Figure,
    Heading,
    Inline,
    Listing,
    Note,
    Paragraph,
    Picture,
    RuleIds,
    Span,
    Squares,
    Table,
    plain,
)

_BRACES = re.compile(r"(?<!\s)\s*+\{([^{}]*+)\}")
_BAR = re.compile(r"(?<!\\)\|")
_RULE = re.compile(r"\|\s*:?-{2,}:?\s*\|")
"""The line between the header and the rows of a table."""
_SPACES = re.compile("[ \t\n]+")
_RULES = re.compile(r"[A-Z]+-\d+(?:, ?[A-Z]+-\d+)*")
_DEEPEST = 3
"""The deepest level of headings that is allowed."""
_PICTURE = re.compile(r"(?:face|back|component|charges|sample|sheet):\S+")
_CHAPTER = re.compile(r"[a-z0-9_/-]+\.md(?:#[a-z0-9-]+)?")
"""A link to another document of the book, or to a section of it."""
_KINDS = ("", "console", "csv", "json", "markdown", "python", "svg", "text", "toml", "yaml")
"""The languages that a code block may name."""
_NAMES = {
    "code_block": "an indented block", "hr": "a horizontal line", "link": "a link", "image": "a picture",
    "hardbreak": "a break within a paragraph",
}  # fmt: skip
_FIX = (
    "Use only headings up to ###, paragraphs, lists, tables, > notes, ``` code, *italic*, **bold**, `code`, "
    "{C-24} for rules, paragraphs of ![words](face:REF), and ```figure What is seen."
)


def parse(
    text: str,
    file: str = "",
    lines: Sequence[int] = (),
    decided: Set[str] = frozenset(),
    *,
    links: bool = False,
    once: bool = False,
) -> tuple[tuple[Block, ...], list[Finding]]:
    """Returns the blocks of a Markdown text, and findings for everything in it that cannot be shown, which is left out.

    `lines` has, for each line of the text, its line number in `file`; it is empty if both numbers are the same.
    `decided` are the rules that have a ruling. With `links`, the text is part of a book and may link to other documents
    by file name; folders in links are ignored. With `once`, the rule ids of a paragraph are moved to its end, and if
    all rules of a section or table have a ruling, only its head has the sign.
    """
    reader = MarkdownIt("commonmark", {"html": False, "typographer": links}).enable(["table", "smartquotes"])
    reader.disable(["reference", "html_block", "html_inline", "autolink"])
    tree = SyntaxTreeNode(reader.parse(text))
    markdown = _MarkdownReader(text.split("\n"), file, lines, decided, links, once)
    return markdown.blocks(tree.children), markdown.findings


class _MarkdownReader:
    """The state of parsing one text: its findings so far, and the current line."""

    def __init__(
        self, text: Sequence[str], file: str, lines: Sequence[int], decided: Set[str], links: bool, once: bool
    ) -> None:
        self.text = text
        self.links, self.once, self.is_signed = links, once, True
        self.file = file
        self.lines = lines
        self.decided = decided
        self.line = 0
        self.findings: list[Finding] = []

    def blocks(self, nodes: Sequence[SyntaxTreeNode]) -> tuple[Block, ...]:
        return tuple(block for node in nodes for block in self.block(node))

    def block(self, node: SyntaxTreeNode) -> Iterator[Block]:
        if node.map:
            self.line = node.map[0]
        match node.type:
            case "heading":
                level = int(node.tag[1:])
                if level > _DEEPEST or (level == 1 and node.previous_sibling):
                    self.unknown("a second title" if level == 1 else f"a heading of level {level}")
                elif content := self.inline(node):
                    at = node.map[0] if node.map else 0
                    heads = [(each.map[0], each.tag) for each in node.siblings if each.type == "heading" and each.map]
                    end, tag = next((head for head in heads if head[0] > at), (None, node.tag))
                    mark = self.head_mark(at, end) if tag <= node.tag else None
                    self.is_signed = mark is None
                    yield Heading(level, (*content, mark) if mark else content)
            case "paragraph" if self.is_figure(node):
                yield Figure(tuple(self.picture(child) for child in node.children[0].children if child.type == "image"))
            case "fence":
                kind = node.info.partition(" ")[0]
                if kind == "figure":
                    yield from self.composed(node)
                elif kind in _KINDS:
                    yield Code(tuple(node.content.rstrip("\n").split("\n")), kind)
                else:
                    self.unknown(f"a block of code called {kind}")
            case "paragraph":
                first, content = self.line, self.inline(node)
                if _RULE.search(plain(content)):
                    self.line = first
                    self.unknown("a table whose header and rows are not on separate lines")
                elif content:
                    yield Paragraph(content)
            case "bullet_list" | "ordered_list":
                start = int(node.attrs.get("start", 1)) if node.type == "ordered_list" else None
                yield Listing(tuple(self.blocks(item.children) for item in node.children), start)
            case "blockquote":
                if inside := self.blocks(node.children):
                    yield self.note(inside)
            case "table":
                yield self.table(node)
            case _:
                self.unknown(_NAMES.get(node.type, node.type))

    def is_figure(self, node: SyntaxTreeNode) -> bool:
        """Returns whether a paragraph consists only of pictures that carddb draws."""
        children = node.children[0].children
        images = [child for child in children if child.type == "image"]
        others = [child for child in children if child.type not in ("image", "softbreak") and child.content.strip()]
        return bool(images) and not others and all(_PICTURE.fullmatch(str(image.attrs["src"])) for image in images)

    def picture(self, node: SyntaxTreeNode) -> Picture:
        source, title = str(node.attrs["src"]), str(node.attrs.get("title", ""))
        return Picture(source, _SPACES.sub(" ", node.content), _SPACES.sub(" ", title), self.where.line or 0)

    def composed(self, node: SyntaxTreeNode) -> Iterator[Figure]:
        """Yields the figure of a code block called `figure`, whose lines are the plan of the picture.

        The rest of the info string is the alternative text, and the words before a colon in this text are the caption.
        """
        text = node.info.partition(" ")[2].strip()
        if not text:
            self.unknown("a figure without an alternative text")
            return
        source = f"figure:{hashlib.sha256(node.content.encode('utf-8', 'replace')).hexdigest()[:16]}"
        caption = text.partition(":")[0] if ":" in text else ""
        yield Figure((Picture(source, text, caption, self.where.line or 0, node.content, framed=False),))

    def note(self, blocks: tuple[Block, ...]) -> Note:
        """Returns a quotation as a note; a bold text at its very beginning becomes the label."""
        first = blocks[0] if blocks else None
        if isinstance(first, Paragraph) and first.content and isinstance(first.content[0], Span):
            label, rest = first.content[0], _trimmed(first.content[1:])
            if label.bold:
                return Note((label,), (*([Paragraph(rest)] if rest else []), *blocks[1:]))
        return Note((), blocks)

    def table(self, node: SyntaxTreeNode) -> Table:
        rows = [row for part in node.children for row in part.children]
        mark = self.head_mark(*node.map) if node.map and self.is_signed else None
        was_signed, self.is_signed = self.is_signed, self.is_signed and mark is None
        # `style="text-align:right"` means right; without a style the cell is aligned left.
        align = tuple(str(cell.attrs.get("style", "")).rpartition(":")[2] or "left" for cell in rows[0].children)
        cells = []
        for row in rows:
            self.line = row.map[0] if row.map else self.line
            cells.append(tuple(self.inline(cell) for cell in row.children))
            if len(_BAR.split(self.text[self.line].strip(" |>"))) > len(align):
                self.unknown("a row of more cells than the header of its table")
        self.is_signed = was_signed
        head = ((*cells[0][0], mark), *cells[0][1:]) if mark else cells[0]
        return Table(head, tuple(cells[1:]), align)

    def head_mark(self, start: int, end: int | None) -> RuleIds | None:
        """Returns the sign for the head of lines with several rules if all of these have rulings, else None."""
        inside = [*filter(_RULES.fullmatch, _BRACES.findall("\n".join(self.text[start:end])))]
        rules = {rule for braces in inside for rule in re.split(", ?", braces)}
        return RuleIds((), 0, frozenset(rules)) if self.once and len(inside) > 1 and rules <= self.decided else None

    def inline(self, node: SyntaxTreeNode) -> Inline:
        """Returns the text in a node, with adjacent spans of the same style joined, and no spaces at its ends."""
        parts = [part for child in node.children for part in self.parts(child.children, False, False)]
        marks = [part for part in parts if isinstance(part, RuleIds)]
        if self.once and marks:
            rules = tuple(dict.fromkeys(rule for mark in marks for rule in mark.rules))
            whole = RuleIds(rules, marks[0].line, frozenset(rules) & self.decided, self.is_signed)
            parts = [*(part for part in parts if isinstance(part, Span)), whole]
        joined: list[Span | RuleIds] = []
        for style, group in groupby(parts, key=_style):
            if style is None:
                joined.extend(group)
            else:
                joined.append(Span(_SPACES.sub(" ", "".join(part.text for part in group)), *style))
        return _trimmed(joined)

    def parts(self, nodes: Sequence[SyntaxTreeNode], bold: bool, italic: bool) -> Iterator[Span | RuleIds]:
        for node in nodes:
            match node.type:
                case "text":
                    yield from self.marked(node.content, bold, italic)
                case "softbreak":
                    self.line += 1
                    yield Span(" ", bold, italic)
                case "strong":
                    yield from self.parts(node.children, True, italic)
                case "em":
                    yield from self.parts(node.children, bold, True)
                case "code_inline":
                    yield Span(node.content, bold, italic, code=True)
                case "link" if self.links and _CHAPTER.fullmatch(str(node.attrs["href"])):
                    link = str(node.attrs["href"]).rpartition("/")[2]
                    for part in self.parts(node.children, bold, italic):
                        yield replace(part, link=link) if isinstance(part, Span) else part
                case _:
                    self.unknown(_NAMES.get(node.type, node.type))

    def marked(self, text: str, bold: bool, italic: bool) -> Iterator[Span | RuleIds]:
        """Yields the parts of `text`: spans, and the rule ids in braces between them."""
        end = 0
        for braces in _BRACES.finditer(text):
            if braces.start() > end:
                yield Span(text[end : braces.start()], bold, italic)
            end = braces.end()
            if _RULES.fullmatch(braces[1]):
                rules = tuple(re.split(", ?", braces[1]))
                yield RuleIds(rules, self.where.line, frozenset(rules) & self.decided)
            else:
                self.unknown(f"{{{braces[1]}}}")
        if text[end:]:
            yield Span(text[end:], bold, italic)

    @property
    def where(self) -> Place:
        line = self.lines[self.line] if self.line < len(self.lines) else self.line + 1
        return Place(self.file, line)

    def unknown(self, what: str) -> None:
        self.findings.append(
            error("markup_unknown", f"{what} cannot be used in a document, and was left out", self.where, fix=_FIX)
        )


def _style(part: Span | RuleIds) -> tuple[bool, bool, bool, str] | None:
    """Returns the style that adjacent spans must share to be joined; None for rule ids, which are never joined."""
    return (part.bold, part.italic, part.code, part.link) if isinstance(part, Span) else None


def _trimmed(parts: Iterable[Span | RuleIds | Squares]) -> Inline:
    """Returns the parts without spaces before the first and after the last, and without empty parts."""
    out = list(parts)
    if out and isinstance(out[0], Span):
        out[0] = replace(out[0], text=out[0].text.lstrip())
    if out and isinstance(out[-1], Span):
        out[-1] = replace(out[-1], text=out[-1].text.rstrip())
    return tuple(part for part in out if part.text)
