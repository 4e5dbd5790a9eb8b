"""Reading the lines of a deck in order: each as the first kind of line that fits, or as a row of a table."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from carddb.cards.cards import Entry
from carddb.core.names import Vocabulary, did_you_mean, fold, nearest
from carddb.findings import Finding, Place, Severity, error
from carddb.read.decks import line as syntax
from carddb.read.decks import pasted
from carddb.read.decks.builder import MAX_COUNT, SIDEBOARD, Builder
from carddb.read.decks.card_match import CardMatch, printing_of
from carddb.read.decks.line import HeadingLine, LineReading, forgiven, only_count, unquoted
from carddb.read.decks.pasted import MAX_LINE, SHOWN, LineShape, ListLines, line_shape, shape_of, shown
from carddb.read.source import control_characters, lines_with_places
from carddb.read.tables.grid import unescaped_text

COLUMNS = ("count", "name", "reference", "section")
_WORDS = Vocabulary(
    (*COLUMNS, "set", "number"),
    aliases={
        "count": ("qty", "quantity", "copies", "amount", "cards", "#", "deck qty", "anzahl", "quantité", "cantidad"),
        "name": ("card", "card name", "title", "karte", "nom", "nombre"),
        "reference": ("ref", "card id", "id", "code"),
        "section": ("zone", "board", "deck"),
        "set": ("edition", "set name", "expansion", "set code", "edition code"),
        "number": ("collector number", "card number", "collector #"),
    },
)
_SEPARATORS = ",;\t|"
_RULE = re.compile(r"[-:|\s=+]+")
_DECIMALS = re.compile(r"[.,]0{1,6}$")
_TOTALS = ("total", "sum", "cards", "total cards", "summe")
_LOOKED_AT = 100
"""The number of lines at the beginning that are searched for the heading row of a table."""


@dataclass(frozen=True, slots=True)
class TableHeading:
    """The heading row of a table: the index of its line, the separator, and which content has which column (from 0)."""

    row: int
    separator: str
    columns: dict[str, int]

    def is_heading(self, cells: Sequence[str]) -> bool:
        """Returns whether cells repeat the heading row, as web pages do above each part of a long table."""
        words = {word: _WORDS.find(cells[index]) for word, index in self.columns.items() if index < len(cells)}
        return all(words.get(word) == word for word in self.columns)


def find_table(lines: Sequence[str]) -> TableHeading | None:
    """Returns the table whose heading row names a column of names or references and another one; None without one."""
    for row, line in enumerate(lines[:_LOOKED_AT]):
        for separator in _SEPARATORS:
            if separator not in line:
                continue
            cells = _cells(line, separator)
            words = [_WORDS.find(cell) for cell in cells]
            columns = {word: index for index, word in reversed(list(enumerate(words))) if word}
            # Tables of other programs have many columns that have nothing to do with a deck.
            is_of_cards = 2 * len(columns) >= len(cells) or {"name", "count"} < columns.keys()
            if is_of_cards and len(columns) > 1 and columns.keys() & {"name", "reference"}:
                return TableHeading(row, separator, columns)
    return None


def read_row(table: TableHeading, line: str, place: Place, builder: Builder) -> bool:
    """Reads a row into `builder`; returns False, for it to be read as text, if it is one cell or names no card."""
    cells = _cells(line, table.separator)
    if len([cell for cell in cells if cell]) < 2:
        return not any(cells) or bool(_RULE.fullmatch(line))
    if _RULE.fullmatch("".join(cells)) or table.is_heading(cells):
        return True
    fields = {word: cells[index] for word, index in table.columns.items() if index < len(cells)}
    name, ref = fields.get("name", ""), fields.get("reference", "")
    if not name and not ref:
        return False
    count = fields.get("count", "")
    number = only_count(_DECIMALS.sub("", forgiven(count)))  # a spreadsheet may write `3,0`
    if count and number is None:
        builder.bad_count(count, place)
    elif fold(name) in _TOTALS and not count:
        builder.pass_over("a row of totals", line.strip(), place)
    elif fold(name) in _TOTALS:
        builder.claims.size(number or 0, line.strip(), place)
    else:
        if section := fields.get("section", ""):
            builder.begin(section, place)
        readings = [LineReading(number, name, ref)]
        if not ref and (home := fields.get("set", "")):
            readings.insert(0, LineReading(number, name, "", home, fields.get("number", "")))
        builder.listed(readings, place)
    return True


def _cells(line: str, separator: str, keep: bool = False) -> list[str]:
    line = line if keep else unquoted(line.strip(" \r\n"))
    if separator == "|":
        return [cell.strip() for cell in line.strip("| ").split("|")]
    try:
        return [unescaped_text(cell.strip()) for cell in next(csv.reader([line], delimiter=separator), [])]
    except csv.Error:
        return [line]


_MAIN_WORDS = ("deck", "main", "maindeck", "main deck", "mainboard")
_OTHER_WORDS = (SIDEBOARD, "side board", "side", "maybeboard", "considering", "commander", "companion", "tokens")
"""Headings that other programs write above parts of a deck, each on a line of its own."""
_OWN_COMMENTS = ("# carddb", "# fingerprint")
_COUNTS = {str(count): count for count in range(1, MAX_COUNT + 1)}
_NAME = re.compile(r"Name\s+(\S.*)")
_SIDE = re.compile(r"SB:\s*(?=\S)", re.I)
"""The mark that other programs put before each card of a sideboard."""


class LineReader:
    """Reads the lines of a deck into a builder; how a line is read may depend on its neighbours."""

    def __init__(self, lines: Sequence[str], builder: Builder) -> None:
        self._lines = ListLines(lines)
        self._builder = builder
        self._written = builder.pool.written
        text = "".join(lines)
        self._is_printable = text.isprintable()
        self._table = find_table(lines) if any(map(text.__contains__, _SEPARATORS)) else None
        self._sideboard = self._lines.sideboard_gap() if builder.has_sideboard else None
        self._mail_ended = False
        self._about = False

    def read(self) -> None:
        """Reads every line."""
        builder = self._builder
        for index, line in enumerate(self._lines.raw):
            if index == self._sideboard:
                builder.heading(HeadingLine("", ((SIDEBOARD, None),)), Place(builder.file, index + 1))
            if self._table:
                if line and not self._row(index, line):
                    cells = [cell for cell in _cells(line, ",", keep=True) if cell]
                    self._line(index, cells[0] if len(cells) == 1 else line)
            elif line and not self._own_line(index, line):
                self._line(index, line)

    def control_characters(self) -> list[Finding]:
        """Returns a list with a finding for characters that control a terminal; empty if there are none."""
        if self._is_printable:
            return []
        return control_characters(lines_with_places(self._lines.raw, self._builder.file), Severity.INFO)

    def _own_line(self, index: int, raw: str) -> bool:
        """Reads a card line as carddb writes it, `3 Name [REF]`; returns False for any other line.

        This path is for checks of many decks: without it a deck takes five times as long to read.
        """
        count, _, rest = raw.partition(" ")
        card = self._written.get(rest)
        if card is None or count not in _COUNTS:
            return False
        if len(raw) > SHOWN or ":" in raw or "：" in raw:  # it may be a header line, or longer than findings show
            return False
        builder, ref = self._builder, card.ref
        name = rest[: -len(ref) - 3]
        place = Place(builder.file, index + 1, raw.find(name) + 1, raw)
        printing = printing_of(card, LineReading(None, name, ref)) if card.printings else ""
        builder.add(Entry(builder.section, _COUNTS[count], name, card, place, printing))
        return True

    def _row(self, index: int, line: str) -> bool:
        """Reads a line as a row of the table; returns False if it is not one."""
        if self._table is None or index < self._table.row or len(line) > MAX_LINE:
            return False
        place = Place(self._builder.file, index + 1, 1, shown(line))
        return index == self._table.row or read_row(self._table, line, place, self._builder)

    def _line(self, index: int, raw: str) -> None:
        place = Place(self._builder.file, index + 1, len(raw) - len(raw.lstrip()) + 1, shown(raw))
        if len(raw) > MAX_LINE:
            message = f"the line has {len(raw):,} characters, but at most {MAX_LINE:,} are read"
            self._builder.findings.append(error("line_too_long", message, place, fix="Write one card per line."))
        elif not raw.startswith(_OWN_COMMENTS):
            self._shaped(index, line_shape(raw), place)

    def _shaped(self, index: int, shape: LineShape, place: Place, marked: bool = True) -> None:
        """Reads a line of any kind that is not too long; `marked` means that there may still be markup around it."""
        line, heading = shape.text, shape.heading
        if not line or line.startswith(_OWN_COMMENTS):
            return
        if heading and self._builder.heading(heading, place):
            return
        if heading and heading.mark == "#":
            if not self._marked_title(index, heading, place):
                self._builder.unknown_heading(heading, place)
        elif line.startswith(("#", "//", ";")):
            return
        elif pasted.is_struck(line):
            self._builder.pass_over("struck out", line, place)
        elif not (shape.pair and self._builder.header.take(*shape.pair, place)):
            self._read_content(index, shape, place, marked)

    def _read_content(self, index: int, shape: LineShape, place: Place, marked: bool) -> None:
        """Reads a line that is no heading: a card, or text."""
        builder, raw, line = self._builder, shape.raw, shape.text
        card = _SIDE.sub("", line, count=1)
        typed = syntax.unquoted(raw.strip())
        # A card's name may contain what tidying removes.
        as_typed = syntax.readings(typed) if typed != line else iter(())
        match = builder.matcher.match(chain(as_typed, syntax.readings(card)))
        tidied: list[LineReading] = []
        if match.how == "unknown":
            tidied = [*syntax.readings(card)]
            tidied = [syntax.without_sign(tidied[0]), *tidied]
            match = CardMatch("unknown", tidied[0])
            if self._several(raw, place) or (marked and self._marked(index, line, place)):
                return
        if self._plain_heading(index, line, match, place):
            return
        if match.how == "unknown" and (
            self._text(index, line, tidied, place) or self._no_card(shape, tidied[0], place)
        ):
            return
        at = place.text.find(match.reading.name) if match.reading.name else -1
        at_name = place._replace(column=place.column + max(at, 0))
        builder.card(match, tidied, at_name, side=card != line)

    def _several(self, raw: str, place: Place) -> bool:
        """Reads a line of several known cards, each with a count: `3 Spearmen, 2 Pike Square`; else returns False."""
        parts = [list(syntax.readings(part)) for part in syntax.parts(raw)]
        matches = [self._builder.matcher.match(part) for part in parts]
        if len(parts) < 2 or not all(match.card and match.reading.count is not None for match in matches):
            return False
        for match, part in zip(matches, parts, strict=True):
            self._builder.card(match, part, place)
        return True

    def _marked(self, index: int, line: str, place: Place) -> bool:
        """Reads a line without the markup around it; returns False if there is none."""
        plain = self._lines.plain(index, line)
        if not plain or pasted.is_rule(line):
            self._builder.pass_over("markup of the page that the list was copied from", line, place)
        elif plain != line:
            self._shaped(index, shape_of(plain, plain), place, marked=False)
        return plain != line or pasted.is_rule(line)

    def _plain_heading(self, index: int, line: str, match: CardMatch, place: Place) -> bool:
        """Reads a heading without a mark, `Soldiers (13)` or `Deck`, above card lines; else returns False."""
        builder = self._builder
        heading = syntax.unmarked_heading(line)
        whole = match.how == "exact" and match.reading.count is None
        bare = match.how == "unknown" and match.reading.count is None
        if whole or not (heading or bare):
            return False
        following = list(syntax.readings(self._lines.next(index)))
        if following[0].count is None and builder.matcher.match(following).how == "unknown":
            return False
        if heading:
            if builder.heading(heading, place):
                return True
            if match.how == "unknown" and syntax.begins_with_count(self._lines.next(index)):
                builder.unknown_heading(heading, place)
                return True
        if not bare:
            return False
        label = line.strip("*_ ")
        plain = HeadingLine("", ((label, None),))
        if builder.heading(plain, place):
            return True
        if fold(label) in _MAIN_WORDS:
            builder.zone(0, label, place)
        elif fold(label) in _OTHER_WORDS:
            builder.unknown_heading(plain, place)
        return fold(label) in (*_MAIN_WORDS, *_OTHER_WORDS)

    def _text(self, index: int, line: str, tidied: Sequence[LineReading], place: Place) -> bool:
        """Reads a line that matches no card as text, such as a greeting or a title; returns False if it is not text."""
        builder = self._builder
        counted = tidied[0].count is not None
        text = f"{tidied[0].count} {tidied[0].name}" if counted else line
        if (size := pasted.deck_size(text)) is not None:
            builder.claims.size(size, line, place)
            return True
        # Arena begins a list with `About` and then `Name River Defence`.
        if fold(line) == "about" and _NAME.fullmatch(self._lines.next(index)):
            self._about = True
            return True
        name = _NAME.fullmatch(line) if self._about else None
        if name and builder.header.take("name", name[1], place):
            return True
        kind = pasted.kind_of(text, counted)
        if kind:
            self._mail_ended = kind in pasted.ENDS_MAIL or self._mail_ended
        elif not counted and syntax.could_be_card(tidied[0]):
            if self._mail_ended:
                kind = "a line of a signature"
            elif pasted.is_sentence(line) and not builder.matcher.suggest(tidied):
                kind = "a sentence"
            elif self._is_title(index, line, tidied):
                builder.header.take_title(line, place)
                return True
        if kind:
            builder.pass_over(kind, line, place)
        return bool(kind)

    def _no_card(self, shape: LineShape, reading: LineReading, place: Place) -> bool:
        """Adds the finding for a line that is neither text nor a card; returns False if it may be a card after all."""
        builder, line, heading, pair = self._builder, shape.text, shape.heading, shape.pair
        if heading and (heading.mark in "[=" or (line.endswith(":") and reading.count is None)):
            builder.unknown_heading(heading, place)
        elif pair and reading.count is None:
            fix = did_you_mean(pair[0], builder.header.keys)
            builder.unread(f"{pair[0]!r} is not a key of the header, and no card is called {line[:80]!r}", place, fix)
        elif not syntax.could_be_card(reading):
            builder.unread(f"{line[:80]!r} is neither a card, a heading nor a comment", place)
        else:
            return False
        return True

    def _marked_title(self, index: int, heading: HeadingLine, place: Place) -> bool:
        """Reads a first line `## "River Defence"`, with which NetrunnerDB begins a list in Markdown.

        Returns False for any other heading, such as one above counted cards, unless it is in quotes.
        """
        label = heading.labels[0][0]
        title = label.strip('"')
        readings = list(syntax.readings(title))
        quoted = title != label or not syntax.begins_with_count(self._lines.next(index))
        if not (title and quoted and self._is_title(index, title, readings)):
            return False
        self._builder.header.take_title(title, place)
        return True

    def _is_title(self, index: int, line: str, readings: Sequence[LineReading]) -> bool:
        """Returns whether a first line is a title: it is alone or above headings, and counted cards follow.

        A line that is nearly a card's name is not a title, unless it is underlined.
        """
        following = self._lines.beside(index)
        if following is None:
            return False
        pair = syntax.key_value(following)
        heading = syntax.heading(following) or syntax.unmarked_heading(following)
        begins_part = self._builder.has_label(heading or HeadingLine("", ((following, None),)))
        alone = not following or bool(pair and self._builder.header.knows(pair[0])) or begins_part
        key, colon, _ = line.partition(":")
        near_key = colon and nearest(key, self._builder.header.keys, 1)
        first = self._lines.is_first(index) and self._builder.untitled and not near_key
        if not (alone and first and self._lines.counts_follow(index)):
            return False
        return self._lines.is_underlined(index) or not self._builder.matcher.suggest(readings)
