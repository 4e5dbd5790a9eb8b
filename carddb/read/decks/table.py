"""Decks as tables of count, name, reference and section, read and written; a heading row names the columns."""

from __future__ import annotations

import csv
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from carddb.cards.cards import Deck
from carddb.core.names import Vocabulary, fold
from carddb.findings import Place
from carddb.game.game import GameSpec
from carddb.read.decks.builder import Builder
from carddb.read.decks.line import Reading, forgiven, only_count, unquoted
from carddb.read.decks.writer import header_pairs, sections_of, summed
from carddb.read.tables.grid import csv_text, escaped_text, unescaped_text

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
"""The number of lines that are searched for a heading row."""


@dataclass(frozen=True, slots=True)
class Table:
    """The heading row of a table: its line index, the separator, and the column index of each kind of content."""

    row: int
    separator: str
    columns: dict[str, int]

    def cells(self, line: str) -> list[str]:
        """Returns the cells of a row."""
        return _cells(line, self.separator)

    def is_heading(self, cells: Sequence[str]) -> bool:
        """Returns whether cells repeat the heading row, as pages do above a further part of the table."""
        words = {word: _WORDS.find(cells[index]) for word, index in self.columns.items() if index < len(cells)}
        return all(words.get(word) == word for word in self.columns)


def has_separator(text: str) -> bool:
    """Returns whether a text contains a character that can separate columns."""
    return any(map(text.__contains__, _SEPARATORS))


def find_table(lines: Sequence[str]) -> Table | None:
    """Returns the table of the first line that names columns: names or references, and at least one more; or None."""
    for row, line in enumerate(lines[:_LOOKED_AT]):
        for separator in _SEPARATORS:
            if separator not in line:
                continue
            cells = _cells(line, separator)
            words = [_WORDS.find(cell) for cell in cells]
            columns = {word: index for index, word in reversed(list(enumerate(words))) if word}
            if _are_columns(columns, len(cells)):
                return Table(row, separator, columns)
    return None


def _are_columns(columns: Collection[str], cells: int) -> bool:
    """Returns whether the known words in a row of `cells` cells make it the heading of a table of cards.

    Tables of other programs have many columns that have nothing to do with a deck.
    """
    words = {*columns}
    names = bool(words & {"name", "reference"})
    return names and len(words) > 1 and (2 * len(words) >= cells or {"name", "count"} < words)


def read_row(table: Table, line: str, place: Place, builder: Builder) -> bool:
    """Reads a row; returns False if it has only one cell, so that it is read as a line of text."""
    cells = table.cells(line)
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
        builder.pass_over("a row of sums", line.strip(), place)
    elif fold(name) in _TOTALS:
        builder.claims.size(number or 0, line.strip(), place)
    else:
        if section := fields.get("section", ""):
            builder.begin(section, place)
        readings = [Reading(number, name, ref)]
        if not ref and (home := fields.get("set", "")):
            readings.insert(0, Reading(number, name, "", home, fields.get("number", "")))
        builder.listed(readings, place)
    return True


def single_cell(line: str) -> str:
    """Returns the only cell of a row; other lines are returned unchanged."""
    cells = [cell for cell in _cells(line, ",", keep=True) if cell]
    return cells[0] if len(cells) == 1 else line


def _cells(line: str, separator: str, keep: bool = False) -> list[str]:
    line = line if keep else unquoted(line.strip(" \r\n"))
    if separator == "|":
        return [cell.strip() for cell in line.strip("| ").split("|")]
    try:
        return [unescaped_text(cell.strip()) for cell in next(csv.reader([line], delimiter=separator), [])]
    except csv.Error:
        return [line]


def write_table(deck: Deck, spec: GameSpec) -> str:
    """Returns a deck as CSV: one single-cell row per header line, then the table."""
    rows: list[Sequence[object]] = [[f"{key}: {value}"] for key, value in header_pairs(deck, spec)]
    rows.append(COLUMNS)
    for section in sections_of(deck, spec):
        for count, entry in summed(deck, section, spec):
            ref = entry.card.ref if entry.card else ""
            rows.append([count, escaped_text(entry.name), escaped_text(ref), section])
    return csv_text(rows)
