"""A card file as tables of texts, read without regard to a game, and which field of a game each heading means."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from difflib import SequenceMatcher
from typing import Any, NamedTuple

from carddb.core.names import fold, fold_word
from carddb.read.cards.lines import (
    MAX_HEADINGS,
    TABLE_FORMATS,
    Headings,
    card_list,
    header_row,
    headers_of,
    is_one_card,
    sheets_of,
)
from carddb.read.cards.values import shown
from carddb.read.documents.located_document import LocatedDocument, parse_bytes
from carddb.read.documents.parse_notes import Path_
from carddb.read.tables.grid import Row

_DEEPEST = 3
"""The depth down to which keys of nested objects count as headings."""


class RawCell(NamedTuple):
    """The displayed text of a cell, and its line and column from 1."""

    text: str
    line: int
    column: int


class RawRow(NamedTuple):
    """A card as its file gives it: its line, its column (0 in a sheet), and its filled cells by index of heading."""

    line: int
    column: int
    cells: Mapping[int, RawCell]


class RawTable(NamedTuple):
    """A sheet, or a document's list of cards: its headings in order, and its rows, which can be read only once.

    `line` is the line of the header row, and `columns` are the columns of the headings, from 1; a document has neither.
    `inner` are headings that lead into an object of a document, such as `attributes.text`.
    """

    sheet: str
    line: int
    headings: tuple[str, ...]
    columns: tuple[int, ...]
    inner: frozenset[str]
    rows: Iterator[RawRow]


def raw_tables(data: bytes, file: str, fmt: str) -> Iterator[RawTable]:
    """Yields the tables of a file in one of FORMATS, or nothing if its text or document cannot be read.

    Leaves out a table with more than MAX_HEADINGS headings. Raises InputError, and DataFault even while rows are read.
    """
    if fmt in TABLE_FORMATS:
        for sheet in sheets_of(data, file, fmt, []) or ():
            header = header_row(sheet)
            headers = headers_of(header) if header else {}
            if header and 0 < len(headers) <= MAX_HEADINGS:
                columns = sorted(headers)
                names, numbers = tuple(headers[at] for at in columns), tuple(at + 1 for at in columns)
                yield RawTable(sheet.name, header.line, names, numbers, frozenset(), _rows(sheet.rows, columns))
        return
    document, _ = parse_bytes(data, file, fmt, len(data)) if data else (None, [])
    if document is not None:
        yield from _of_document(document)


def _rows(rows: Iterable[Row], columns: list[int]) -> Iterator[RawRow]:
    for row in rows:
        cells = {
            index: RawCell(shown(row.cells[column]), row.line, column + 1)
            for index, column in enumerate(columns)
            if column in row.cells
        }
        if cells:
            yield RawRow(row.line, 0, cells)


def _of_document(document: LocatedDocument) -> Iterator[RawTable]:
    if is_one_card(document.value):
        document = document.in_list()
    path, items = card_list(document)
    cards = [(index, item) for index, item in enumerate(items or ()) if isinstance(item, Mapping)]
    headings: dict[str, bool] = {}
    for _, item in cards:
        for keys, _ in _values(item):
            headings.setdefault(".".join(keys), len(keys) > 1)
        if len(headings) > MAX_HEADINGS:
            return
    names = tuple(headings)
    inner = frozenset(name for name, is_inner in headings.items() if is_inner)
    if names:
        yield RawTable("", 0, names, (), inner, _items(document, path, cards, names))


def _values(item: Mapping[str, Any], depth: int = 1) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yields (keys that lead to it, value) for each value of a card; an object comes before the values inside it."""
    for key, value in item.items():
        yield (key,), value
        if isinstance(value, Mapping) and depth < _DEEPEST:
            yield from (((key, *keys), inner) for keys, inner in _values(value, depth + 1))


def _items(
    document: LocatedDocument, path: Path_, cards: Iterable[tuple[int, Mapping[str, Any]]], names: tuple[str, ...]
) -> Iterator[RawRow]:
    positions = {name: position for position, name in enumerate(names)}
    for index, item in cards:
        at = document.place((*path, index))
        cells = {}
        for keys, value in _values(item):
            place = document.place((*path, index, *keys))
            if value not in (None, ""):
                # Numbers stay as written. An object is shown as an ellipsis, since its keys are headings themselves.
                written = place.text if isinstance(value, int | float) and place.text else shown(value)
                text = "…" if isinstance(value, Mapping) else written
                cells[positions[".".join(keys)]] = RawCell(text, place.line, place.column)
        yield RawRow(at.line, at.column, cells)


OWN, NAME, WORD, SEVERAL, OUT, NEAR, INNER, NONE = "own", "name", "word", "several", "out", "near", "inner", "none"
"""The kinds of headings: a field by the user's own mapping, a field's name, another word for a field, several fields, a
heading to leave out, a heading for which a field is proposed, an unread part of an object, or none."""
_MOST_NEAR = 100
"""The number of headings for which a nearest field is looked up; each takes a millisecond."""
_ALIKE = 0.7
"""The least similarity of heading and word for a proposal: `Nmae` has 0.75, but `id` and `Kind` 0.67."""


_OF_OTHERS = {
    "ref": ("code", "card id", "card code"),
    "name": ("title", "card name"),
    "set": ("pack", "pack code", "set code", "set name", "expansion"),
}
"""Headings in other databases for the fields that every game has."""
_CODE = " code"


class ColumnMeaning(NamedTuple):
    """A heading and how it was understood; `basis` is one of the constants from OWN to NONE.

    `fields` are the fields that the heading means. If it means none, `near` is the field proposed for it.
    """

    heading: str
    basis: str
    fields: tuple[str, ...] = ()
    near: str = ""


def column_meanings(headings: Headings, names: Iterable[str], inner: Collection[str] = ()) -> list[ColumnMeaning]:
    """Returns what each heading of a file means, in order; `inner` are headings that lead into objects.

    A field that no heading means is proposed for one heading at most.
    """
    objects = {name.partition(".")[0] for name in inner}
    meanings = [_by_itself(headings, name, name in inner) for name in dict.fromkeys(names)]
    fields = {field for meaning in meanings for field in meaning.fields}
    left = _MOST_NEAR
    for index, meaning in enumerate(meanings):
        if meaning.basis not in (NONE, INNER) or meaning.heading in objects or not left:
            continue
        left -= 1
        last_key = meaning.heading.rpartition(".")[2]
        near = headings.field(last_key) if meaning.basis == INNER else _near(headings, meaning.heading)
        if near and near not in fields:
            fields.add(near)
            meanings[index] = meaning._replace(basis=NEAR, near=near)
    opened = {
        each.heading.partition(".")[0] for each in meanings if each.heading in inner and (each.fields or each.near)
    }
    return [each._replace(basis=INNER) if each.basis == NONE and each.heading in opened else each for each in meanings]


def _near(headings: Headings, heading: str) -> str | None:
    """Returns the field that other databases call so (`title`, `faction_code`), else one of a similar name, or None."""
    text = fold(heading[:100])
    other = next((field for field, words in _OF_OTHERS.items() if text in words), None)
    if other or (text.endswith(_CODE) and (other := headings.field(text.removesuffix(_CODE)))):
        return other
    field = headings.nearest(heading)
    words = headings.words_of(field) if field else ()
    return field if any(SequenceMatcher(None, text, fold(word)).ratio() >= _ALIKE for word in words) else None


def proposed_columns(meanings: Iterable[ColumnMeaning]) -> Mapping[str, str]:
    """Returns `{heading that means no field: field proposed for it}`."""
    return {meaning.heading: meaning.near for meaning in meanings if meaning.near}


def _by_itself(headings: Headings, name: str, is_inner: bool) -> ColumnMeaning:
    if field := headings.field(name):
        if headings.is_own(name):
            return ColumnMeaning(name, OWN, (field,))
        is_key = fold_word(name) in map(fold_word, headings.names)
        return ColumnMeaning(name, NAME if is_key else WORD, (field,))
    if headings.leaves_out(name):
        return ColumnMeaning(name, OUT)
    if fields := headings.joined(name):
        return ColumnMeaning(name, SEVERAL, fields)
    return ColumnMeaning(name, INNER if is_inner else NONE)
