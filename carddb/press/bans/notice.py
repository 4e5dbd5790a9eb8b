"""Printable pages of a ban list: the notice of an announcement, the list to hang up, and the list as a card."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

from carddb.bans.edition import Edition, LevelChange, ListedCard, ListedGroup, budget_words
from carddb.core.names import capital
from carddb.core.plain_text import amount
from carddb.core.units import Box, Size, mm
from carddb.findings import Finding
from carddb.layout.display_list import Face
from carddb.layout.display_list import PlacedImage as Image
from carddb.layout.documents.blocks import (
    Beside,
    Block,
    Document,
    DocumentFonts,
    Heading,
    Inline,
    Note,
    Paragraph,
    Picture,
    PrintedTexts,
    Span,
    Squares,
    Table,
)
from carddb.layout.stock import card_size
from carddb.paint.documents.pdf import PdfResources, cards_pdf, fitted_pdf
from carddb.paint.documents.pieces import Figures
from carddb.paint.pdf.images import PdfImages
from carddb.press.bans.pictures import SIGN, CardPicture
from carddb.press.bans.wording import (
    SAMPLE,
    Publication,
    allowance,
    by_level,
    day,
    facts,
    group_flag,
    group_limit,
    group_reason,
    group_step,
    group_title,
    grouped,
    headline,
    level_line,
    level_name,
    list_title,
    marks,
    one_line,
    registered,
    squares,
    status_line,
    status_words,
    summary,
)

Pictures = Mapping[str, CardPicture]

RED = "#8e1b2e"
_FIX = "The web pages, the data and the feed have every letter, and the reference stands beside each name."
_DPI = 300
"""The resolution of the cards' faces, in pixels per inch."""
_FACE = 9.5
"""The width of a face in mm."""
_MEMBERS = 20
"""The most members of a group in one frame."""


class Look(NamedTuple):
    """One way to lay out a list: the scale of the names, the number of columns, and whether faces are shown."""

    scale: float
    columns: int
    faces: bool = False


_NOTICE = (
    *(Look(1.35, 2, True), Look(1.1, 2, True), Look(0.9, 3, True)),
    *(Look(1.35, 2), Look(1.1, 2), Look(1.0, 3), Look(0.85, 3)),
)
_LIST = (
    *(Look(2.2, 1, True), Look(1.35, 2, True), Look(1.15, 2, True), Look(1.0, 2, True)),
    *(Look(1.35, 2), Look(1.15, 2), Look(1.1, 3), Look(0.9, 3)),
)


Printed = tuple[bytes, list[Finding]]
"""A PDF, and findings about characters that no font has."""


def notice_pdf(printing: PdfResources, pictures: Pictures, edition: Edition, publication: Publication) -> Printed:
    """Returns the notice of the announcement that `edition` is about, followed by the whole list.

    Faces are shown beside the changes if they need no additional page. Raises FontError if a font is missing.
    """
    parts = ListParts(edition, publication, printing.fonts, pictures)
    whole = f"Whole list from {day(edition.day)}"
    documents = [
        parts.document(look, parts.groups(edition.groups, look.scale), parts.whole(whole, look._replace(faces=False)))
        for look in _NOTICE
        if pictures or not look.faces
    ]
    return parts.fitted(documents, printing), parts.findings(headline(edition), _FIX)


def list_pdf(printing: PdfResources, pictures: Pictures, edition: Edition, publication: Publication) -> Printed:
    """Returns the list on the edition's day, as large as fits one page, with faces beside the names if they fit too.

    Raises FontError if a font is missing.
    """
    parts = ListParts(edition, publication, printing.fonts, pictures)
    documents = [
        parts.document(look, parts.whole("The whole list", look), parts.groups(edition.in_force, look.scale))
        for look in _LIST
        if pictures or not look.faces
    ]
    return parts.fitted(documents, printing), parts.findings(f"{list_title(edition)} on {day(edition.day)}", _FIX)


class ListParts(PrintedTexts):
    """Makes the parts of notices and lists."""

    def __init__(self, edition: Edition, publication: Publication, fonts: DocumentFonts, pictures: Pictures) -> None:
        super().__init__(fonts)
        self.edition, self.publication, self.pictures = edition, publication, pictures

    def document(self, look: Look, *blocks: Iterable[Block]) -> Document:
        """Returns the document: what changes, the facts about the list, `blocks`, and the foot."""
        edition = self.edition
        news = edition.news
        about = [self.publication.game.name, f"announcement {one_line(news.announcement.id)}" if news else ""]
        words = [*([SAMPLE] if self.publication.sample else []), *marks(edition)]
        first = [Beside(((Note((self.span(" · ".join(words)),), ()),),))] if words else []
        columns = [self.fact(*each) for each in facts(edition, self.publication)]
        tables = (*self.changes(look), Beside(tuple(columns), ("below", "between")), *chain(*blocks), *self.foot())
        return Document(
            self.plain(list_title(edition)),
            (*first, *tables),
            facts=tuple(self.plain(fact) for fact in about if fact),
            fingerprint=grouped(edition.fingerprint),
            lead=(self.span(capital(summary(edition))),) if news else (),
            accent=RED,
            numbered=False,
            columns=look.columns,
        )

    def fitted(self, documents: Sequence[Document], printing: PdfResources) -> bytes:
        """Returns the first of the documents that needs no more pages than the last, as PDF with the cards' faces."""
        return fitted_pdf([documents], printing._replace(figures=card_figures(self.pictures, printing.fonts)))[0]

    def changes(self, look: Look) -> Iterator[Block]:
        """Yields tables of what becomes stricter or softer, and of groups whose cards change, all with reasons."""
        news, groups = self.edition.news, [group for group in self.edition.groups if group.is_news]
        if news and (news.stricter or news.softer or groups):
            yield self.heading("What changes", f"from {day(self.edition.day)}")
            for title, steps, turn in (
                ("More restricted", news.stricter, "stricter"), ("Less restricted", news.softer, "softer"),
                ("Other cards", (), ""),
            ):  # fmt: skip
                turned = [group for group in groups if group.turn == turn]
                if steps or turned:
                    yield Heading(3, (Span(title),))
                    yield self._steps(steps, turned, look)

    def _steps(self, steps: Sequence[LevelChange], groups: Sequence[ListedGroup], look: Look) -> Table:
        faces = look.faces and any(step.ref in self.pictures for step in steps)
        head = tuple((Span(label),) for label in ("Card", "Until now", "From then on", "Why"))
        rows: list[tuple[Inline, ...]] = [
            (
                (self.span(step.name, bold=True), Span("  "), self.span(step.ref, quiet=True)),
                self._state(step.before),
                self._state(step.after, bold=True),
                (self.span(step.why),),
            )
            for step in steps
        ]
        for group in groups:
            before, after = map(capital, group_step(group))
            name = (self.span(group_title(group.spec.key), bold=True), Span("  "), self.span("group", quiet=True))
            rows.append((name, (self.span(before),), (self.span(after, bold=True),), (self.span(group_reason(group)),)))
        refs = [*(step.ref for step in steps), *("" for _ in groups)]
        table = Table(head, tuple(rows), ("left",) * 4, wide=True, scale=look.scale)
        return self._with_faces(table, refs, faces)

    def _with_faces(self, table: Table, refs: Sequence[str], faces: bool) -> Table:
        """Returns the table, with a column of faces added at the left if `faces` is true."""
        if not faces:
            return table
        pictures = map(self.pictures.get, refs)
        cells = [Picture(ref, picture.words) if picture else () for ref, picture in zip(refs, pictures, strict=True)]
        rows = tuple((cell, *row) for cell, row in zip(cells, table.rows, strict=True))
        head = (table.head[0], (), *table.head[1:]) if table.titled else ((), *table.head)
        return replace(table, head=head, rows=rows, align=("left", *table.align))

    def _state(self, level: int, *, bold: bool = False) -> Inline:
        """Returns the squares that show a level, and what the level allows, such as the number of copies."""
        of, filled = squares(self.edition, level)
        words = self.span(allowance(self.edition, level), bold=bold)
        return (Squares(of, filled), words) if of else (words,)

    def groups(self, groups: Sequence[ListedGroup], scale: float) -> Iterator[Block]:
        """Yields the groups, two side by side (an odd last one in the full width), with their names at this scale."""
        if groups:
            yield self.heading("Groups", "cards that are held together")
        notes = [self._group(part, end, scale) for group in groups for part, end in _parts(group)]
        for at in range(0, len(notes), 2):
            yield Beside(tuple((note,) for note in notes[at : at + 2]))

    def _group(self, group: ListedGroup, end: str, scale: float) -> Note:
        flag = group_flag(group)
        label = (self.span(f"{group_title(group.spec.key)}{end}{f' · {flag}' if flag else ''}"),)
        why, table = group_reason(group), self.members(group, scale)
        return Note(label, (table if table.rows else Paragraph(table.head[0]), *([self.said(why)] if why else [])))

    def members(self, group: ListedGroup, scale: float) -> Table:
        """Returns a table of the cards of a group, headed by its limit."""
        rows = tuple(
            ((self.span(member.name, bold=member.ref == group.spec.anchor),), (self.span(member.ref, quiet=True),))
            for member in group.members
        )
        return Table(((self.span(capital(group_limit(group))),), ()), rows, ("left", "right"), titled=True, scale=scale)

    def whole(self, title: str, look: Look) -> Iterator[Block]:
        """Yields the heading `title`, then all cards on the list by level, the strictest level first."""
        edition = self.edition
        yield self.heading(title, amount(len(edition.rows), "card"))
        if not edition.rows:
            yield self.said("No card is on the list.")
        for level, places in by_level(edition).items():
            rows = [edition.rows[place] for place in places]
            table = self.listed(level_line(edition, level), level, rows, look.scale)
            yield self._with_faces(table, [row.ref for row in rows], look.faces)

    def listed(self, title: str, level: int, cards: Sequence[ListedCard], scale: float) -> Table:
        """Returns a table of the cards at a level, headed by the level's squares and `title`."""
        of, filled = squares(self.edition, level)
        head: Inline = (Squares(of, filled), self.span(title)) if of else (self.span(title),)
        rows = tuple((self._name(row), (self.span(row.ref, quiet=True),)) for row in cards)
        return Table((head, ()), rows, ("left", "right"), titled=True, scale=scale)

    def _name(self, row: ListedCard) -> Inline:
        turned = (Span("  "), self.span(row.turn, quiet=True)) if row.turn else ()
        return (self.span(row.name, bold=bool(row.turn)), *turned)

    def foot(self) -> Iterator[Block]:
        """Yields advice on decks already registered, the meaning of the levels, and the fingerprints."""
        edition = self.edition
        source = edition.news.announcement.source if edition.news else ""
        about = self.publication.note
        yield Beside((
            (Heading(3, (Span("Is your deck registered?"),)), self.said(registered(edition)),
             *([self.quiet(f"Source: {one_line(source)}")] if source else [])),
            (Heading(3, (Span("What the levels mean"),)), self.said(status_line(edition)),
             *([self.said(about)] if about else [])),
        ))  # fmt: skip
        prints = [("Fingerprint of this list", edition.fingerprint), ("Of the list before it", edition.previous)]
        yield Beside(tuple(
            self.fact(label, grouped(print_)) if print_ else () for label, print_ in prints
        ))  # fmt: skip


def _parts(group: ListedGroup) -> Iterator[tuple[ListedGroup, str]]:
    """Yields parts of a group small enough for one page, each with what its title ends with, such as `, 2 of 3`."""
    starts = range(0, max(1, len(group.members)), _MEMBERS)
    for number_, start in enumerate(starts, start=1):
        end = f", {number_} of {len(starts)}" if len(starts) > 1 else ""
        yield group._replace(members=group.members[start : start + _MEMBERS]), end


def card_figures(pictures: Pictures, fonts: DocumentFonts, width: float = _FACE) -> Figures:
    """Returns the pictures, `width` mm wide, as figures for a document, by the card's reference."""
    faces = {}
    for ref, picture in pictures.items():
        wide, high = picture.size
        size = Size(mm(width), mm(width * (high / wide)))
        box = Box(0, 0, size.width, size.height)
        faces[ref] = Face(size, (Image(ref, box, box),))
    return Figures.of(faces, fonts.book, PdfImages({ref: each.printed for ref, each in pictures.items()}, _DPI))


_CARD_SCALE, _CARD_AIR = 1.0, 0.3
"""The scale of the text on all cards, and the space added above and below each name, in points."""


def card_pdf(printing: PdfResources, edition: Edition, publication: Publication) -> Printed:
    """Returns pages of cards that show the list, as PDF, with the reasons for groups if these need no further card.

    Raises UsageError if a card does not fit the paper, FontError if a font is missing.
    """
    parts = ListParts(edition, publication, printing.fonts, {})
    documents = [_card(parts, reasons=reasons) for reasons in (True, False)]
    data = cards_pdf(documents, card_size(publication.game.card_size), printing)
    return data, parts.findings(f"{list_title(edition)} on {day(edition.day)}, card", _FIX)


def _card(parts: ListParts, *, reasons: bool) -> Document:
    edition, sample = parts.edition, parts.publication.sample
    notes = ["Sample, not official." if sample else "", status_words(edition), budget_words(edition.list)]
    return Document(
        parts.plain(list_title(edition)),
        tuple(_blocks(parts, reasons=reasons)),
        facts=(parts.plain(parts.publication.game.name), day(edition.day)),
        notice=parts.plain(" ".join(filter(None, notes))),
        footnote=f"Changes on {day(edition.until)}" if edition.until else "",
        fingerprint=grouped(edition.fingerprint),
        accent=parts.publication.game.accent,
        numbered=False,
        plate=SIGN,
        compact=True,
    )


def _blocks(parts: ListParts, *, reasons: bool) -> Iterator[Block]:
    """Yields the levels and groups that a card shows, the groups with their reasons if `reasons` is True."""
    edition = parts.edition
    for level, places in by_level(edition).items():
        cards = [edition.rows[place] for place in places]
        yield replace(parts.listed(level_name(edition, level), level, cards, _CARD_SCALE), air=_CARD_AIR)
    if not edition.rows:
        yield Paragraph((parts.span("No card is on the list."),))
    for group in edition.in_force:
        members = parts.members(group, _CARD_SCALE)
        yield replace(members, air=_CARD_AIR) if members.rows else Paragraph(members.head[0])
        if reasons and group.why:
            yield Note((Span("Why"),), (parts.said(group.why),))
