"""The rule sheet of a game, as PDF or web page: `guide.md` with the game's values and figures filled in."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal

from carddb.core.errors import InputError, UsageError
from carddb.core.names import did_you_mean
from carddb.core.plain_text import is_right_to_left
from carddb.core.units import Size, mm
from carddb.findings import Finding, Place, error, warning
from carddb.games import Game
from carddb.layout.documents.blocks import (
    Block,
    Document,
    DocumentFonts,
    Heading,
    IdPlace,
    Inline,
    Listing,
    Paragraph,
    Picture,
    Span,
    Table,
    contents,
    pictures,
    plain,
    rule_ids,
)
from carddb.layout.documents.markdown import parse
from carddb.layout.stock import paper_label, paper_size
from carddb.paint.documents.html import html_document
from carddb.paint.documents.pdf import Binding, BoundBook, Edge, PdfResources, booklet_pdf, bound_pdf, document_pdf
from carddb.paint.documents.pieces import MM, NO_FIGURES, Figures, columns_of
from carddb.press import sheet_endings
from carddb.press.documents.figures import draw_figures
from carddb.press.faces.workshop import fonts_of, template_source, templates_of_game

Voice = Literal["whole", "rulebook", "reference", "rulings", "summary"]
"""A form of a game's rules: the whole in one document, or a selection; `VOICES` explains each."""


@dataclass(frozen=True, slots=True)
class Form:
    """A form of a game's rules: its help text, its title in the head of pages, and the place of rule ids.

    `footnote` names the field of the game's `sheet_words` with the footnote that explains the sign of a ruling. `size`
    is the type size of the text and `leading` the distance of its lines, in points.
    """

    help: str
    title: str = "Rules"
    ids: IdPlace = "text"
    footnote: str = "rulings_footnote"
    size: float = 10.0
    leading: float = 13.0


VOICES: Mapping[str, Form] = {
    "whole": Form("Write everything in one document.", "Rules and reference", footnote="footnote"),
    "rulebook": Form("Write the rules to be read through, without their ids.", ids="nowhere"),
    "reference": Form("Write the rules with their ids in the margin.", "Reference", "margin"),
    "rulings": Form("Write the decisions about open rules, with their reasons, and the credits.", "Rulings", "margin"),
    "summary": Form("Write the rules on one page.", "Summary", "nowhere", size=11, leading=13.2),
}
_TITLE = "Booklet test"
_PAGES = (
    ("1, the front", "Print this sheet on both sides, turned over its short edge, at 100 %.",
     ("Fold it in the middle, so that this page is in front.", "Open it: 2 lies at the {before}, 3 at the {behind}.",
      "Close it: 4 is the back.")),
    ("2, inside {before}", "This page stands upright behind page 1.",
     ("Is it upside down? Choose the other edge: short edge, also called “flip on the short side” or “tumble”.",
      "Is the other side empty? Print on both sides, or lay the sheet in again by hand.")),
    ("3, inside {behind}", "This page faces page 2.",
     ("Is it smaller than page 1? Print at 100 %, not “fit to page”.",
      "Does the fold miss the middle? Push the guides of the tray against the paper.")),
    ("4, the back", "This page is behind page 3.",
     ("All four as they say? Print the booklet in the same way.", "Lay its sheets in one another, page 1 in front.",
      "Staple twice through the fold, from outside.")),
)  # fmt: skip


def booklet_test_pdf(fonts: DocumentFonts, paper: Size, accent: str, creation: int = 0, fold: Edge = "left") -> bytes:
    """Returns a sheet with which players test booklet printing, as PDF; the same input gives the same bytes.

    `fold` is the edge at which booklets are folded. Raises FontError if a font is missing.
    """
    before, behind = ("left", "right") if fold == "left" else ("right", "left")
    documents = [
        Document(
            title.format(before=before, behind=behind),
            (Listing(tuple((Paragraph((Span(line.format(before=before, behind=behind)),)),) for line in lines), 1),),
            (Span(lead),), (_TITLE,), accent=accent,
        )
        for title, lead, lines in _PAGES
    ]  # fmt: skip
    return booklet_pdf(documents, PdfResources(fonts, paper, f"half of {paper_label(paper)}", creation, fold=fold))[0]


_TAG = re.compile(r"{%.*?(?:%}|\Z)|{{.*?(?:}}|\Z)|{#.*?(?:#}|\Z)", re.S)
_STATEMENT = re.compile(r"[ \t]*{[%#]")
_INCLUDED = re.compile(r"""{%-?\s*include\s+["'](_[\w-]+\.md)["']""")
"""The inclusion of a file beside the guide: a part that the guide shares with its summary, such as a figure."""
_NUMBER = re.compile("\ue000([0-9]+)\ue001")
"""A line number put before each line while the template is filled in, so that findings can name the source line."""


@dataclass(frozen=True, slots=True)
class RuleSheet:
    """A rule sheet as a file, with findings about missing characters. `pages` is 0 for a web page."""

    data: bytes
    pages: int
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Guide:
    """A rule sheet as a document, with the findings about it and its drawn figures."""

    document: Document
    findings: tuple[Finding, ...]
    figures: Figures = NO_FIGURES
    back: Document | None = None
    """The summary, for the last pages of a booklet."""

    @property
    def rules(self) -> tuple[str, ...]:
        """The ids of the rules that the rule sheet mentions, each once, in the order of their first mention."""
        return _rules_of((Paragraph(self.document.lead), *self.document.blocks))


def read_guide(
    game: Game, lang: str = "", changed: Sequence[str] = (), room: Size | None = None, *, voice: Voice = "whole",
    for_phones: bool = False,
) -> Guide:  # fmt: skip
    """Reads the rule sheet of a game in the form `voice`. `changed` are the names of options that the user has changed.

    If `room`, the room on the pages of a booklet, is given, figures are arranged for it, and the summary and the cover
    picture are included; otherwise figures are arranged for whole pages. A rulebook always has the cover picture. With
    `for_phones`, figures are also drawn for phones. Raises InputError if there is no such rule sheet or it would be
    empty, TemplateError if it cannot be filled in.
    """
    document, findings = guide_document(game, lang, changed, voice=voice)
    back = None
    if room and voice != "summary" and not changed and game.folder.guide_in(lang, summary=True).is_file():
        back, faults = guide_document(game, lang, voice="summary")
        back = replace(
            back, title=VOICES["summary"].title, lead=(), facts=document.facts, notice="", size=document.size,
            leading=document.leading,
        )  # fmt: skip
        findings = (*findings, *faults)
    shown = [
        (str(game.folder.guide_in(lang, summary=each is back or voice == "summary")), picture)
        for each in (document, back)
        if each
        for picture in pictures(each.blocks)
    ]
    if (room or voice == "rulebook") and game.folder.has_cover:
        document = replace(document, plate=f"cover:{game.key}")
        shown.append((str(game.folder.path), Picture(document.plate, document.title)))
    if room:
        document = replace(document, closing=f"sign:{game.key}")
        shown.append((str(game.folder.path), Picture(document.closing, document.title)))
    if not shown:
        return Guide(document, findings, back=back)
    figures, undrawn = draw_figures(
        shown, lambda: {game.key: game}, room, width=mm(columns_of(document).whole / MM), for_phones=for_phones
    )
    return Guide(document, (*findings, *undrawn), figures, back)


def guide_document(
    game: Game, lang: str = "", changed: Sequence[str] = (), *, voice: Voice = "whole"
) -> tuple[Document, tuple[Finding, ...]]:
    """Returns a rule sheet in the form `voice`, without drawn figures, and the findings about its text.

    A summary does not mention changed options. Rulings with their reasons, and the credits, are only in the forms
    `whole` and `rulings`. Raises InputError if there is no such file or the form `rulings` would be empty,
    TemplateError if the file cannot be filled in, UsageError for an unknown form.
    """
    if voice not in VOICES:
        raise UsageError(f"a rule sheet cannot be written as {voice!r}", did_you_mean(voice, VOICES))
    form = VOICES[voice]
    game, summary = game.in_language(lang), voice == "summary"
    path = game.folder.guide_in(lang, summary=summary)
    spec, words = game.spec, game.spec.sheet_words
    if not path.is_file():
        what = "summary" if summary else "rule sheet"
        raise InputError(f"{spec.name} has no {what}: there is no {path}", "Write one in Markdown.")
    text, lines = _filled(game, path, changed)
    decided = frozenset(key for key, rule in game.rule_book.rules.items() if rule.ruling)
    once = form.ids != "text"
    blocks, findings = parse(text, str(path), lines, decided, once=once)
    title, lead, rest = opening(blocks)
    rules = _rules_of(blocks)
    endings = (sheet_endings.decided(game, changed), sheet_endings.credits(game))
    facts = (form.title, spec.credits.version, f"by {spec.by}" if spec.by else "")
    head = "" if summary else sheet_endings.own_readings(game, changed)
    end = "\n\n".join(filter(None, endings)) if voice in ("whole", "rulings") else ""
    if voice == "rulebook" and any(endings):
        end = f"> {words.elsewhere}"
    if voice == "rulings":
        if not end:
            raise InputError(f"{spec.name} has no rulings and no credits", "Add `ruling:` to a rule in rules.yaml.")
        lead, rest, head, rules = (), (), "", ()
    document = Document(
        title=title or spec.name,
        blocks=(
            *parse(head, decided=decided, once=once)[0],
            *rest,
            *(
                replace(block, wide=True) if isinstance(block, Table) else block
                for block in parse(end, decided=decided if voice == "whole" else frozenset())[0]
            ),
        ),
        lead=lead,
        facts=tuple(filter(None, facts)),
        notice=" ".join(spec.notice.split()),
        numbered=voice not in ("summary", "rulings"),
        footnote="" if decided.isdisjoint(rules) else getattr(words, form.footnote),
        size=form.size,
        leading=form.leading,
        ids=form.ids,
        indexed=tuple(game.rule_book.rules) if voice == "reference" else (),
        index_title=words.index,
        fingerprint=fingerprint(spec.name, spec.by, spec.notice, head, text, end),
        lang=spec.language if path in game.folder.own_guides else lang or spec.language,
        accent=spec.accent,
        ground=spec.ground,
    )
    return document, (*findings, *_unknown_rules(game, blocks, path))


def _filled(game: Game, path: Path, changed: Sequence[str]) -> tuple[str, list[int]]:
    """Returns the guide's text with the game's values filled in, and for each line its number in the file.

    Raises TemplateError if a value cannot be filled in.
    """
    spec, name = game.spec, path.name
    context = {
        "game": spec,
        "data": spec.data,
        "options": {key: option.default for key, option in spec.options.items()},
        "changed": changed,
        "judge": partial(_judge, game),
        "card": partial(_card, game),
    }
    source = template_source(game.folder.source(path))
    sources = {part: template_source(game.folder.source(path.parent / part)) for part in _INCLUDED.findall(source)}
    text = templates_of_game(game, {**sources, name: _numbered(source)}).render(name, context)
    lines, number = [], 1
    for line in text.split("\n"):
        numbers = _NUMBER.findall(line)
        number = int(numbers[0]) if numbers else number
        lines.append(number)
    return _NUMBER.sub("", text), lines


def _judge(game: Game, operation: str, question: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the referee's answer to `question`, for guides' examples. Raises UsageError for an unknown operation."""
    rule = game.operations.get(operation)
    if rule is None:
        raise UsageError(
            f"{game.spec.name} has no operation {operation!r}",
            did_you_mean(operation, game.operations) or "Leave it out.",
        )
    return rule.ask(game.spec, dict(question))


def _card(game: Game, ref: str) -> dict[str, Any]:
    """Returns name, type and fields of a card that comes with the game. Raises UsageError for an unknown card."""
    cards = {card.ref: card for card in game.own_cards}
    if ref not in cards:
        raise UsageError(
            f"{game.spec.name} comes with no card {ref!r}", did_you_mean(ref, cards) or "Add it to its cards.csv."
        )
    card = cards[ref]
    return {**card.values, "name": card.name, "type": game.spec.label_of(card.type)}


def rules_in_guide(game: Game) -> tuple[str, ...]:
    """Returns the rule ids that the rule sheet of a game mentions; empty if the game has no rule sheet.

    Raises InputError if it cannot be read, TemplateError if it cannot be filled in.
    """
    if not game.folder.guide_file.is_file():
        return ()
    return Guide(*guide_document(game)).rules


def print_guide(
    game: Game, guide: Guide, kind: str, paper: str = "letter", creation: int = 0, binding: Binding = "none"
) -> RuleSheet:
    """Returns a rule sheet as a file of the kind `pdf` or `html`. `creation` is its time in seconds since 1970.

    With the binding `booklet`, the PDF has two pages on each side of a sheet; with `booklet-test`, it is instead a
    sheet to test booklet printing. Raises UsageError for unknown paper, FontError if a font is missing.
    """
    document = guide.document
    fonts = fonts_of(game, document.lang)
    findings = tuple(_unset(document, fonts))
    if kind == "html":
        return RuleSheet(html_document(document, fonts, guide.figures), 0, findings)
    size = paper_size(paper)
    fold: Edge = "right" if is_right_to_left(document.lang) else "left"
    if binding == "booklet-test":
        return RuleSheet(booklet_test_pdf(fonts, size, game.spec.accent, creation, fold), 4, findings)
    if binding == "booklet":
        half = f"half of {paper_label(size)}"
        cover = replace(document, is_cover=True, blocks=(), notice="", footnote="")
        imprint, _ = parse(sheet_endings.credits(game.in_language(document.lang)))
        body, title = replace(document, lead=(), plate="", closing="", has_title=False), game.spec.sheet_words.contents
        book = BoundBook(cover, body, title, guide.back, imprint)
        return RuleSheet(*bound_pdf(book, PdfResources(fonts, size, half, creation, guide.figures, fold)), findings)
    printing = PdfResources(fonts, size, paper_label(size), creation, guide.figures)
    return RuleSheet(*document_pdf(document, printing), findings)


def _rules_of(blocks: Sequence[Block]) -> tuple[str, ...]:
    """Returns the ids of the rules that blocks mention, each once."""
    return tuple(dict.fromkeys(rule for mark in rule_ids(blocks) for rule in mark.rules))


def opening(blocks: Sequence[Block]) -> tuple[str, Inline, tuple[Block, ...]]:
    """Returns a document's title, the paragraph under it (both empty if missing), and the remaining blocks."""
    title, rest = "", tuple(blocks)
    lead: Inline = ()
    match rest:
        case (Heading(level=1) as heading, *_):
            title, rest = plain(heading.content), rest[1:]
    match rest:
        case (Paragraph() as paragraph, *_):
            lead, rest = paragraph.content, rest[1:]
    return title, lead, rest


def _unknown_rules(game: Game, blocks: Sequence[Block], path: Path) -> Iterator[Finding]:
    rules = game.rule_book.rules
    for mark in rule_ids(blocks):
        for rule in mark.rules:
            if rule not in rules:
                place = Place(str(path), mark.line)
                message = f"{game.spec.name} has no rule {rule}"
                yield error("guide_rule_unknown", message, place, fix=did_you_mean(rule, rules))


def _unset(document: Document, fonts: DocumentFonts) -> Iterator[Finding]:
    """Yields a warning for each character that none of the document's fonts has."""
    font = fonts.font("text")
    words = "".join(part.text for content in (document.lead, *contents(document.blocks)) for part in content)
    text = "".join((document.title, *document.facts, document.notice, document.footnote, words))
    for char in dict.fromkeys(fonts.runs(text, font)[1]):
        message = f"no font of {document.title} has {char} (U+{ord(char):04X}), which is left out on paper"
        yield warning("glyph_missing", message, fix=fonts.book.hint(char))


def fingerprint(*content: str) -> str:
    """Returns the first eight hex digits of the content's SHA-256, in two groups."""
    digest = hashlib.sha256("\n".join(content).encode("utf-8", "replace")).hexdigest()
    return f"{digest[:4]}-{digest[4:8]}"


def _numbered(source: str) -> str:
    """Returns the source with each line's number before it, except for lines that begin with or within a Jinja tag."""
    inside = {at for tag in _TAG.finditer(source) for at in range(tag.start() + 1, tag.end())}
    out, at = [], 0
    for number, line in enumerate(source.splitlines(keepends=True), start=1):
        silent = at in inside or _STATEMENT.match(line) or not line.strip()
        out.append(line if silent else f"\ue000{number}\ue001{line}")
        at += len(line)
    return "".join(out)
