"""Writes a document as one self-contained web page: semantic HTML with embedded fonts and without scripts.

The page is readable on phones, on desktops and on paper. All texts are escaped.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from typing import NamedTuple

from carddb.core.plain_text import is_right_to_left
from carddb.core.units import Size
from carddb.game.parts import SIGN
from carddb.layout.documents.blocks import (
    BOLD,
    HEAVIEST,
    HEAVY,
    Beside,
    Block,
    Code,
    Contents,
    Document,
    DocumentFonts,
    Figure,
    Heading,
    Inline,
    Listing,
    Note,
    Paragraph,
    Picture,
    RuleIds,
    Section,
    Span,
    Squares,
    Table,
    names_rows,
)
from carddb.layout.text.fonts import Font
from carddb.layout.text.scripts import needs_shaping
from carddb.paint.documents.pieces import Figures
from carddb.paint.font_subset import cut_for_web, outlined

_DIRECTION = ' dir="rtl"'
_STYLES = Path(__file__).with_name("styles")
_FEATURES = ("kern", "lnum", "tnum")
_LARGEST = 60_000
"""The largest font subset that is embedded, in bytes; in place of a larger one, the reader's own fonts are used."""


_PIXELS = 96 / 25_400
"""CSS pixels per micrometre."""
_FINE = 192
"""The resolution of a figure in pixels per inch, two per CSS pixel."""
_ROOM, _APART = Size(600, 480), 20
"""The largest size of a figure, and the gap between its pictures, in CSS pixels."""
_LOWEST = 200
"""The least height of pictures side by side, in CSS pixels; if they would be smaller, they wrap to another row."""


class Chapter(NamedTuple):
    """A document of a book, as an entry of its navigation."""

    title: str
    file: str


NO_ICON = '<link rel="icon" href="data:,">'
"""Declares an empty icon, because browsers would otherwise request one from the server."""


def html_document(
    document: Document, fonts: DocumentFonts, figures: Figures | None = None, chapters: Sequence[Chapter] = ()
) -> bytes:
    """Returns a document as HTML in UTF-8; the same input gives the same bytes.

    `figures` are the pictures in it, and `chapters` the documents of its book, which are pages in the same folder.
    Raises FontError if a font family is unknown.
    """
    return _HtmlWriter(document, fonts, figures or Figures(), chapters).html().encode()


class _HtmlWriter:
    """Writes one page, and records which characters are used in each font."""

    def __init__(self, document: Document, fonts: DocumentFonts, figures: Figures, chapters: Sequence[Chapter]) -> None:
        self.document, self.fonts = document, fonts
        self.figures, self.chapters = figures, chapters
        self.used: dict[str, tuple[Font, set[str]]] = {}
        self._is_right_to_left = is_right_to_left(document.lang)
        mirrored = ["right-to-left"] if self._is_right_to_left else []
        self.styles = dict.fromkeys(["page", *(["book"] if chapters else []), *mirrored])
        """The names of the style sheets that the page needs, in order."""

    def html(self) -> str:
        """Returns the whole page; the style is made last, because it contains the fonts."""
        document = self.document
        head, navigation = self._header(), self._navigation()
        main = ("<main>", *map(self._section, document.sections), "</main>")
        body = "\n".join((head, navigation, *main, self._footer()))
        lines = (
            "<!doctype html>",
            f'<html lang="{escape(document.lang)}"{_DIRECTION if self._is_right_to_left else ""}>',
            "<head>",
            '<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            NO_ICON,
            f"<title>{escape(document.name)}</title>",
            f"<style>\n{''.join(self._faces())}{self._style()}</style>",
            "</head>",
            f"<body>\n{body}\n</body>",
            "</html>",
        )
        return "\n".join(lines) + "\n"

    def _header(self) -> str:
        document = self.document
        facts = "".join(
            f"\n<p>{self._text(fact, 'label', BOLD if not at else 400)}</p>" for at, fact in enumerate(document.facts)
        )
        lead = f'\n<p class="lead">{self._inline(document.lead, "text", italic=True)}</p>' if document.lead else ""
        title = self._text(document.title, "heading", HEAVIEST)
        mast = f'<div class="mast">\n<h1>{title}</h1>\n<div class="facts">{facts}\n</div>\n</div>'
        return f"<header>\n{mast}{lead}\n</header>"

    def _navigation(self) -> str:
        if self.chapters:
            entries = (f"<li>{self._chapter(chapter)}</li>" for chapter in self.chapters)
            return "\n".join(('<nav aria-label="Chapters">', "<ul>", *entries, "</ul>", "</nav>"))
        links = self._links()
        if len(links) < 2:
            return ""
        return "\n".join(('<nav aria-label="Sections">', "<ul>", *links, "</ul>", "</nav>"))

    def _chapter(self, chapter: Chapter) -> str:
        """Returns the link to a chapter of the book, followed by links to its sections if it is this page."""
        here = chapter.file == self.document.file
        title = f"<span>{self._text(chapter.title, 'label', BOLD if here else 400)}</span>"
        if not here:
            return f'<a href="{_address(chapter.file)}">{title}</a>'
        links = self._links()
        inside = f"\n<ul>{''.join(links)}</ul>" if len(links) > 1 and not self.document.compact else ""
        return f'<a href="{_address(chapter.file)}" aria-current="page">{title}</a>{inside}'

    def _links(self) -> list[str]:
        """Returns a list item with a link for each section that has a heading."""
        out: list[str] = []
        for section in self.document.sections:
            if section.heading:
                title = self._text(section.title, "label")
                out.append(f'<li><a href="#{section.anchor}">{self._number(section)}<span>{title}</span></a></li>')
        return out

    def _section(self, section: Section) -> str:
        content = "\n".join(self._blocks(section.blocks))
        if not section.heading:
            return content
        heading = f"{self._number(section)}<span>{self._inline(section.heading.content, 'heading', HEAVY)}</span>"
        name = f"{section.anchor}-h"
        opening = f'<section id="{section.anchor}" aria-labelledby="{name}">'
        return "\n".join((opening, f'<h2 id="{name}">{heading}</h2>', content, "</section>"))

    def _number(self, section: Section) -> str:
        if not self.document.numbered:
            return ""
        return f'<span class="n">{self._text(str(section.number), "label", BOLD)} </span>'

    def _footer(self) -> str:
        document = self.document
        parts = [f"<p>{self._text(document.notice, 'label')}</p>"] if document.notice else []
        if document.fingerprint:
            parts.append(f'<p class="print">{self._text(f"hash {document.fingerprint}", "label")}</p>')
        if document.footnote:
            parts.append(f'<p class="print">{self._text(f"{SIGN} {document.footnote}", "label")}</p>')
        return "\n".join(("<footer>", *parts, "</footer>"))

    def _blocks(self, blocks: Sequence[Block], role: str = "text") -> Iterator[str]:
        for block in blocks:
            match block:
                case Heading():
                    yield f"<h3>{self._inline(block.content, 'label', BOLD)}</h3>"
                case Paragraph():
                    yield f"<p>{self._inline(block.content, role)}</p>"
                case Listing():
                    yield self._listing(block)
                case Table():
                    yield self._table(block)
                case Note():
                    yield self._note(block)
                case Code():
                    yield self._code(block)
                case Figure():
                    yield self._figure(block)
                case Beside():
                    for column in block.columns:
                        yield from self._blocks(column, role)
                case Contents():
                    yield self._contents(block)

    def _code(self, code: Code) -> str:
        """Returns lines of code unchanged; those that the user types at a console are bold."""
        self.styles["code"] = None
        lines = [
            f"<b>{self._text(line, 'code', BOLD)}</b>" if code.is_typed(line) else self._text(line, "code")
            for line in code.lines
        ]
        return f"<pre>{chr(10).join(lines)}</pre>"

    def _figure(self, figure: Figure) -> str:
        self.styles["figure"] = None
        sizes = [self.figures.size(picture.source) for picture in figure.pictures]
        width = _ROOM.width - _APART * (len(sizes) - 1)
        beside = max(_LOWEST, width / sum(size.width / size.height for size in sizes))
        height = min(_ROOM.height, beside, max(size.height for size in sizes) * _PIXELS)
        return f'<div class="figures">{"".join(self._picture(picture, height) for picture in figure.pictures)}</div>'

    def _picture(self, picture: Picture, height: float) -> str:
        """Returns a picture of the given height, in CSS pixels."""
        caption = self._inline((Span(picture.caption),), "label", italic=True) if picture.caption else ""
        caption = f"<figcaption>{caption}</figcaption>" if caption else ""
        size = self.figures.size(picture.source)
        scale = height / size.height
        data = base64.b64encode(self.figures.png(picture.source, round(_FINE * scale / _PIXELS))).decode()
        place = f'width="{round(size.width * scale)}" height="{round(height)}" alt="{escape(picture.text)}"'
        kind = ' class="plan"' if picture.plan else ""
        return f'<figure{kind}><img src="data:image/png;base64,{data}" {place}>{caption}</figure>'

    def _contents(self, block: Contents) -> str:
        lines = (
            f'<li class="d{line.depth}"><a href="{_address(line.link)}">{self._text(line.text, "text")}</a>'
            f" {self._text(line.page, 'label')}</li>"
            for line in block.lines
        )
        return "\n".join(("<ul>", *lines, "</ul>"))

    def _note(self, note: Note) -> str:
        label = [f'<p class="label">{self._inline(note.label, "label", BOLD)}</p>'] if note.label else []
        return "\n".join(('<div class="note" role="note">', *label, *self._blocks(note.blocks), "</div>"))

    def _listing(self, listing: Listing) -> str:
        if listing.start is None:
            opening, closing = "<ul>", "</ul>"
        else:
            start = f' start="{listing.start}"' if listing.start != 1 else ""
            opening, closing = f"<ol{start}>", "</ol>"
            self._text("0123456789.", "label", BOLD)
        return "\n".join((opening, *(f"<li>{self._entry(item)}</li>" for item in listing.items), closing))

    def _entry(self, item: Sequence[Block]) -> str:
        """Returns the blocks of a list item; a single paragraph gets no element of its own."""
        match item:
            case (Paragraph() as first, *rest) if not any(isinstance(block, Paragraph) for block in rest):
                return "\n".join((self._inline(first.content, "text"), *self._blocks(rest)))
        return "\n".join(self._blocks(item))

    def _table(self, table: Table) -> str:
        head = "".join(
            f'<th scope="col"{_align(align)}>{self._inline(cell, "label", BOLD)}</th>'
            if cell
            else f"<td{_align(align)}></td>"
            for cell, align in zip(table.head, table.align, strict=True)
        )
        weight, kind = (BOLD, "") if names_rows(table) else (400, ' class="plain"')
        rows = []
        for first, *rest in table.rows:
            cells = [f'<th scope="row"{_align(table.align[0])}>{self._cell(first, weight)}</th>']
            cells += [
                f"<td{_align(align)}>{self._cell(cell)}</td>" for cell, align in zip(rest, table.align[1:], strict=True)
            ]
            rows.append(f"<tr>{''.join(cells)}</tr>")
        body = "\n".join(rows)
        content = f"<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>"
        return f'<div class="table"><table{kind}>\n{content}\n</table></div>'

    def _cell(self, content: Inline | Picture, weight: int = 400) -> str:
        if isinstance(content, Picture):
            return self._picture(content, self.figures.size(content.source).height * _PIXELS)
        return self._inline(content, "label", weight)

    def _inline(self, content: Inline, role: str, weight: int = 400, italic: bool = False) -> str:
        out = []
        for part in content:
            if isinstance(part, RuleIds):
                out.append(f"&nbsp;{self._rule_ids(part)}")
                continue
            if isinstance(part, Squares):
                continue
            role_ = "code" if part.code else role
            text = self._text(part.text, role_, max(weight, BOLD) if part.bold else weight, italic != part.italic)
            text = f"<em>{text}</em>" if part.italic else text
            text = f"<strong>{text}</strong>" if part.bold else text
            if part.code:
                self.styles["code"] = None
                text = f"<code>{text}</code>"
            out.append(f'<a href="{_address(part.link)}">{text}</a>' if part.link else text)
        return "".join(out)

    def _rule_ids(self, ids: RuleIds) -> str:
        """Returns rule ids, not broken within a group; a tooltip explains the sign of a ruling."""
        groups = " ".join(f"<small>{self._text(text, 'label')}</small>" for text in ids.text.split(" "))
        return groups.replace(SIGN, f'<abbr title="{escape(self.document.footnote)}">{SIGN}</abbr>')

    def _text(self, text: str, role: str, weight: int = 400, italic: bool = False) -> str:
        """Returns the text escaped, and records its characters for the fonts."""
        for font, run in self.fonts.runs(text, self.fonts.font(role, weight, italic))[0]:
            self.used.setdefault(font.key, (font, set()))[1].update(run)
        return escape(text)

    def _faces(self) -> Iterator[str]:
        for font, chars in self.used.values():
            data = cut_for_web(outlined(font), chars, _FEATURES)
            if len(data) <= _LARGEST:
                source = base64.b64encode(data).decode()
                style = "italic" if font.italic else "normal"
                yield (
                    f'@font-face{{font-family:"{_css_name(font.family)}";font-weight:{font.weight};font-style:{style};'
                    f'font-display:swap;src:url("data:font/ttf;base64,{source}") format("truetype")}}\n'
                )

    def _style(self) -> str:
        fonts = self.fonts
        lenders = [font.family for font, chars in self.used.values() if needs_shaping("".join(chars))]
        stacks = {}
        for role in ("heading", "text", "label"):
            families = dict.fromkeys((getattr(fonts, role), fonts.text, *lenders))
            stacks[role] = ",".join((*(f'"{_css_name(family)}"' for family in families), "serif"))
        values = {
            "accent": self.document.accent,
            **stacks,
            **({"code": f'"{_css_name(fonts.code or fonts.label)}",monospace'} if "code" in self.styles else {}),
            "title-weight": fonts.font("heading", HEAVIEST).weight,
            "heading-weight": fonts.font("heading", HEAVY).weight,
            "label-weight": fonts.font("label", BOLD).weight,
            "strong-weight": fonts.font("text", BOLD).weight,
        }
        styles = "".join((_STYLES / f"{name}.css").read_text("utf-8") for name in self.styles)
        return f":root{{{''.join(f'--{name}:{value};' for name, value in values.items())}}}\n{styles}"


def _address(link: str) -> str:
    """Returns the URL of a document of the same book, or of one of its sections."""
    file, mark, section = link.partition("#")
    return escape(f"{file.removesuffix('.md')}.html{mark}{section}")


def _css_name(family: str) -> str:
    """Returns a family's name without characters that are not allowed in a style sheet."""
    return re.sub(r"[^\w -]", "", family)


def _align(align: str) -> str:
    return "" if align == "left" else f' class="{align}"'
