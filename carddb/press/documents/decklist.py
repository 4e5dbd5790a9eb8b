"""The validated deck list as a document: its verdict, findings, cards with tick boxes, and fingerprint."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any

from carddb.cards.cards import Entry
from carddb.core.errors import UsageError
from carddb.core.groups import grouped
from carddb.core.units import Size, mm, to_mm
from carddb.findings import CardCount, Finding, Severity, gravest_first
from carddb.game.game import GameSpec
from carddb.game.parts import ACCENT
from carddb.game.rule_parts import SectionSpec
from carddb.layout.display_list import Face, Path
from carddb.layout.documents.blocks import (
    BOLD,
    HEAVY,
    TAB,
    Beside,
    Block,
    Document,
    DocumentFonts,
    Figure,
    Heading,
    Inline,
    Listing,
    Paragraph,
    Picture,
    PrintedTexts,
    Span,
    Squares,
    Table,
)
from carddb.layout.drawing.face import DrawingKit, draw
from carddb.layout.drawing.path import parse_path, place, qr_code
from carddb.layout.stock import paper_label, paper_size
from carddb.layout.templates.template import BASE
from carddb.paint.documents.pdf import PdfResources, fitted_pdf
from carddb.paint.documents.pieces import Figures
from carddb.press.documents.decklist_text import (
    LONGEST_NAME,
    CheckedDeck,
    clipped,
    deck_words,
    finding_words,
    verdict_words,
)
from carddb.press.faces.workshop import Workshop, families_of, house_fonts, house_kit

_TEMPLATE = f"{BASE}/verdict.svg"
_PANEL, _CALM, _STACKED, _CODE = Size(mm(54), mm(27)), Size(mm(54), mm(14.4)), Size(mm(34), mm(44)), mm(15.6)
"""The size of the verdict's panel with few findings, with none, and with many; and the side of a QR code."""
_LEAST_PAPER = Size(mm(190), mm(240))
_LINES = (
    (1.2, 2.0, 2), (1.16, 1.2, 2), (1.1, 0.6, 2), (1.06, 0.2, 2), (1.06, -0.4, 2),
    (1.1, 0.6, 3), (1.06, 0.0, 3), (1.06, -0.4, 3),
)  # fmt: skip
"""The scale of the cards' lines, the space around them, and the number of columns, most readable first. The last rows
are 13 points high."""
_SHOWN, _ALL_SHOWN, _BRIEF, _HIGHEST = 8, 12, 1500, 4000
"""The number of findings beside the verdict if the others are at the end of the list; the most findings that are all
beside it, and the most characters of these with their fixes; the most characters for which a page is high enough."""
_MOST_PRINTED = 100
"""The most findings that are printed, and the most unknown cards."""
_MOST_NUMBERS = 4
"""The most numbers of findings shown beside a card."""
_BRIEF_AIR, _GAP = 1.0, Span(" \u00a0\u00a0")
"""The space around the cards' lines below which many findings have fixes on the same line; the gap before a note."""
_LONG = 36
"""A finding about this many lines of a deck or more is not marked beside any of them."""
_MOST_SQUARES = 9
_FEW, _CELLS = 4, 4
"""The most findings with which the panel is low, and the most totals side by side."""
_APART, _BOX = " \u00a0\u00a0\u00a0", 1.4
"""The space before a number on a disc, and the relative size of a box to tick."""
_FOOT = (2, 8, 4, 4)
"""The relative widths of the columns at the end of the list: code, fingerprint, boxes to tick, line for a signature."""


def deck_lists_pdf(
    lists: Sequence[tuple[Workshop, CheckedDeck]], paper: str = "letter", creation: int = 0
) -> tuple[bytes, int, list[Finding]]:
    """Returns one PDF with the lists of all decks, its number of pages, and the findings about the lists.

    Decks of one game are set in its fonts, decks of several games in carddb's. Raises UsageError for too small paper.
    """
    size = paper_size(paper)
    if size.width < _LEAST_PAPER.width or size.height < _LEAST_PAPER.height:
        raise UsageError(f"a deck list needs paper of {_LEAST_PAPER} or more, not {size}", "Use letter or a4.")
    workshops, decks = zip(*lists, strict=True)
    first, *others = {workshop.game.key: workshop for workshop in workshops}.values()
    kit, fonts = first.kit, DocumentFonts(first.kit.book, *families_of(first.game.spec))
    if others:
        kit, fonts = house_kit(), house_fonts()
    faces: dict[str, Face] = {}
    layouts: list[list[Document]] = []
    findings: list[Finding] = []
    for workshop, checked in zip(workshops, decks, strict=True):
        deck = _DeckList(workshop, checked, fonts, lists[0][0].lang)
        number = str(len(layouts))
        faces[f"verdict {number}"] = deck.panel(kit)
        if checked.code:
            code = qr_code(checked.code)
            modules = place(parse_path(code.path), (_CODE / code.size, 0, 0, _CODE / code.size, 0, 0))
            faces[f"code {number}"] = Face(Size(_CODE, _CODE), (Path(modules, "#000000"),))
        layouts.append([deck.document(*lines, number) for lines in _LINES])
        findings += deck.findings(f"the list of {checked.deck.name or 'the deck'}")
    label = f"{paper_label(size)} · print at 100 %"
    figures = Figures.of(faces, fonts.book)
    data, pages = fitted_pdf(layouts, PdfResources(fonts, size, label, creation, figures))
    return data, pages, findings


class _DeckList(PrintedTexts):
    """Makes the list of one deck from its texts and the findings that a judge must see."""

    def __init__(self, workshop: Workshop, checked: CheckedDeck, fonts: DocumentFonts, lang: str) -> None:
        super().__init__(fonts)
        self.checked, self.spec, self.fonts, self.lang = checked, workshop.game.spec, fonts, lang
        self.grave = gravest_first(checked.findings)
        self.errors = sum(each.severity is not Severity.WARNING for each in self.grave)
        lengths = [*accumulate((len(each.message) + len(each.fix) for each in self.grave), initial=0)]
        most = _ALL_SHOWN if len(self.grave) <= _ALL_SHOWN and lengths[-1] <= _BRIEF else _SHOWN
        self.shown = min(len(self.grave), max(1, sum(length <= _HIGHEST for length in lengths[1 : most + 1])))
        self.words = deck_words(checked, workshop.game)
        self.verdict = verdict_words(checked, self.grave)
        self.colour = ACCENT if self.verdict["illegal"] else "#1a1a1c"

    def panel(self, kit: DrawingKit) -> Face:
        """Draws the panel with the verdict, in the heading font if that is bold enough to be read a metre away."""
        is_bold = self.fonts.font("heading", HEAVY).weight >= BOLD
        size = _STACKED if len(self.grave) > _FEW else _PANEL if self.grave else _CALM
        context: dict[str, Any] = {
            "verdict": self.verdict, "colour": self.colour, "width": to_mm(size.width), "height": to_mm(size.height),
            "family": self.fonts.heading if is_bold else self.fonts.label, "label": self.fonts.label,
        }  # fmt: skip
        return draw(kit, _TEMPLATE, context, CardCount("", "verdict")).face

    def document(self, scale: float, air: float, columns: int, number: str) -> Document:
        """Returns the list with cards' lines of this scale, this space around them, and columns; `number` names it."""
        deck, spec = self.checked.deck, self.spec
        lines = self.words["lines"][bool(deck.name) :]  # the name of the deck is the title
        findings = self.grave[:_MOST_PRINTED]
        is_brief = air < _BRIEF_AIR and len(self.grave) > _FEW
        rows_alone = [each for each in self.words["totals"] if each[0][:1].isalpha()]
        totals = [each for each in self.words["totals"] if each not in rows_alone]
        widest = max((figure for figure, *_ in totals), key=len, default="")
        across = -(-len(totals) // max(1, -(-len(totals) // _CELLS))) or 1
        rows = [
            *([each] for each in rows_alone),
            *([*totals[at : at + across]] for at in range(0, len(totals), across)),
        ]
        return Document(
            self.plain(self.words["name"]),
            (
                Beside(tuple((Beside((self.fact(label, text),), ("below",)),) for label, text in lines)),
                *self._verdict(number, is_brief),
                *(Beside(tuple(self._total(widest, *each) for each in row), ("between",)) for row in rows),
                *self._cards(scale, air),
                *self._foot(number),
                *self._further(findings[self.shown :], len(self.grave) - len(findings), is_brief),
            ),
            facts=(f"Deck list: {self.verdict['word']}", *map(self.plain, (spec.name, *self.words["context"]))),
            fingerprint=self.plain(deck.fingerprint()),
            lang=self.lang,
            accent=spec.accent,
            numbered=False,
            columns=columns,
            compact=True,
        )

    def _verdict(self, number: str, is_brief: bool) -> Iterator[Beside]:
        """Yields the panel of the verdict beside the first findings; without findings, beside a sentence and advice."""
        panel = Figure((Picture(f"verdict {number}", self.verdict["word"], framed=False),))
        beside: list[Block] = [self.said(self.verdict["calm"]), *map(self.quiet, filter(None, [self.words["advice"]]))]
        if self.grave:
            beside = [self._numbered(self.grave[: self.shown], 1, is_brief)]
        if more := len(self.grave) - self.shown:
            beside.append(self.quiet(f"and {more} more at the end of the list"))
        ground = self.colour if self.verdict["illegal"] else ""
        yield Beside(((panel,), tuple(beside)), ("around",), (0, 1), ground)

    def _numbered(self, findings: Sequence[Finding], first: int, is_brief: bool) -> Listing:
        """Returns findings as a list numbered from `first`, each with its fix and rules, on one line if `is_brief`."""
        items = []
        for words in map(finding_words, findings):
            rules = (TAB, self.span(words["rules"], quiet=True)) if words["rules"] else ()
            fix = (self.span(words["fix"]),) if words["fix"] else ()
            line = (self.span(words["message"], bold=True), *((Span(" "), *fix) if is_brief else ()), *rules)
            items.append((Paragraph(line), *([Paragraph(fix, "fix")] if fix and not is_brief else [])))
        rings = sum(each.severity is Severity.WARNING for each in findings)
        return Listing(tuple(items), first, self.colour, rings)

    def _total(self, widest: str, figure: str, label: str, note: str) -> tuple[Block, ...]:
        """Returns a total with its label beside it, or below if `figure` is a word; `widest` is the widest figure."""
        if figure[:1].isalpha():
            return Heading(1, (self.span(figure),)), self.quiet(f"{label}: {note}" if note else label)
        heading = Heading(1, (self.span(figure),), self.plain(widest))
        return (Beside(((heading,), (Paragraph((self.span(label), _GAP, self.span(note, quiet=True))),)), (), (0, 1)),)

    def _foot(self, number: str) -> Iterator[Block]:
        """Yields the fingerprint, the boxes that a judge ticks, and the line for a signature."""
        words = self.words
        about = "of this list as sorted; the same cards in any order give the same line"
        columns: list[tuple[Block, ...]] = []
        if self.checked.code:
            about = "of this list as sorted; the code finds it at the desk"
            columns.append((Figure((Picture(f"code {number}", "The code of this list", framed=False),)),))
        ticks = Listing(tuple((Paragraph((Squares(1, 0, size=_BOX), self.span(tick))),) for tick in words["ticks"]))
        asides = filter(None, (about, " · ".join(filter(None, (words["rarities"], words["catalogue"])))))
        prints = (*self.fact("Fingerprint", words["fingerprint"]), *map(self.quiet, asides))
        columns += [prints, (ticks,), (Beside(((self.quiet(words["sign"]), Heading(3, ())),), ("below",)),)]
        yield Beside(tuple(columns), ("above",), _FOOT[-len(columns) :], pinned=True)

    def _further(self, findings: Sequence[Finding], unprinted: int, is_brief: bool) -> Iterator[Block]:
        """Yields the findings that are not beside the verdict; `unprinted` further ones are only counted."""
        if findings:
            yield Heading(2, (Span("Further findings"),))
            yield self._numbered(findings, self.shown + 1, is_brief)
        if unprinted:
            yield self.quiet(f"and {unprinted} more, which carddb check shows")

    def _cards(self, scale: float, air: float) -> Iterator[Table]:
        """Yields a table for each section and type of cards."""
        spec, entries = self.spec, self.checked.deck.entries
        numbers = self._numbers()
        used = dict.fromkeys(entry.section for entry in entries)
        for section, part in spec.sections.items():
            groups = grouped(
                (spec.shown_type(entry.card) if entry.card else "", entry)
                for entry in entries
                if entry.section == section
            )
            aside = (part.label or section) if len(used) > 1 and len(part.types) != 1 else ""
            for kind in dict.fromkeys((*spec.types, *groups)):
                if group := groups.get(kind):
                    heading, beside = _heading(section, part, kind, spec, aside)
                    count = self.span(str(sum(entry.count for entry in group)), bold=True)
                    head = (self.span(heading), TAB, self.span(beside, quiet=True), Span(_APART), count)
                    shown = group if kind else group[:_MOST_PRINTED]
                    rows = [self._row(entry, numbers.get(entry.place.line or 0, ())) for entry in shown]
                    if more := len(group) - len(shown):
                        rows.append(((), (self.span(f"and {more} more, which carddb check shows", quiet=True),), ()))
                    sides = ("right", "left", "right")
                    yield Table((head, (), ()), tuple(rows), sides, True, scale, False, spec.accent, air)

    def _numbers(self) -> dict[int, list[int]]:
        """Returns the numbers of the findings about a line of the deck's text, by the line's number."""
        return grouped(
            (line, number)
            for number, finding in enumerate(self.grave[:_MOST_PRINTED], start=1)
            for line in {each.line for each in finding.where if each.line and len(finding.where) < _LONG}
        )

    def _row(self, entry: Entry, numbers: Sequence[int]) -> tuple[Inline, ...]:
        """Returns the count of a card, its name with the numbers of findings about it, and a box for each copy."""
        name = self.plain(clipped(entry.card.name if entry.card else entry.name, LONGEST_NAME))
        marks = [
            span
            for number in numbers[:_MOST_NUMBERS]
            for span in (Span(_APART), Span(str(number), disc=self.colour, is_ring=number > self.errors))
        ]
        more = (Span(f"+{entry.count - _MOST_SQUARES}"),) if entry.count > _MOST_SQUARES else ()
        squares = Squares(min(entry.count, _MOST_SQUARES), 0, size=_BOX)
        return (Span(str(entry.count), bold=True),), (Span(name), *marks), (squares, *more)


def _heading(section: str, part: SectionSpec, kind: str, spec: GameSpec, aside: str) -> tuple[str, str]:
    """Returns the heading for cards of a type in a section, and the name of the section to show beside it.

    In a section for only one type, the heading is the section's name. For cards of a type that does not belong in the
    section, the heading says so.
    """
    label = part.label or section
    if kind not in spec.types:
        return "Unknown cards", aside or label
    name = spec.plural_of(kind)
    if kind not in part.types:
        return f"{name} in {label}", ""
    return (label, "") if len(part.types) == 1 else (name, aside)
