"""The lines of a card file: which column or key contains which field, and where."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from types import MappingProxyType
from typing import Any

from carddb.core.errors import DataFault, UsageError
from carddb.core.names import did_you_mean, fold_word, nearest
from carddb.core.plain_text import amount, language_tag, listed
from carddb.findings import Finding, Place, error, info, warning
from carddb.game.game import GameSpec
from carddb.game.parts import LEFT_OUT
from carddb.read import source
from carddb.read.cards.values import shown
from carddb.read.documents.located_document import LocatedDocument, value_at
from carddb.read.documents.parse_notes import Path_
from carddb.read.tables import grid, xlsx_and_ods
from carddb.read.tables.grid import Cell, Row, Sheet, unescaped_text

MAX_HEADINGS = 1_000
"""The most columns of a table, or unknown keys of a document; a file with more is not a list of cards."""
EVERY_OTHER = "*"
"""The heading that means all unknown headings."""
OLDER = "older"
"""The column of a translators' table that lists the fields whose original has changed; it is not read."""
_MAX_PLACES = 20
_MAX_SUGGESTIONS = 100
"""The most unknown headings for which a known one is suggested; each takes a millisecond."""
_IN_BRACKETS = re.compile(r"(?<!\s)\s*+\([^()]*+\)$")
"""A unit or abbreviation after a heading: `Recruitment Cost (men)`, `Leadership (LDR)`."""


class RawCard(ABC):
    """One card as a file gives it: raw values by field, without empty ones."""

    __slots__ = ("cells", "faults")
    label = ""
    """`card 3`, if several cards have the same place; otherwise empty."""
    originals: Mapping[str, str] = MappingProxyType({})
    """In a translators' file, the original texts that the translator saw, by field."""

    def __init__(self, cells: dict[str, Any], faults: Sequence[Finding] = ()) -> None:
        self.cells = cells
        self.faults = faults
        """Findings about the line as a whole."""

    @property
    @abstractmethod
    def fields(self) -> Collection[str]:
        """The fields that the file has for this card, including empty ones; all others keep their stored values."""

    @abstractmethod
    def place(self, field: str = "") -> Place:
        """Returns the place of a field's value, or of the whole card if `field` is empty."""

    @property
    def columns(self) -> Mapping[str, int]:
        """The column, from 0, of each field with a column of its own; empty for other files than tables."""
        return {}

    def typed(self, field: str) -> Any:
        """Returns a field's value with the type that the file gives it; for fields that hold JSON."""
        return self.cells[field]

    def column_missing(self, field: str) -> Finding | None:
        """Returns the finding that a table lacks a field's column; None if each card has keys of its own."""
        return None


def labelled(label: str, message: str) -> str:
    """Returns a message about a line after the line's label, or alone if the label is empty."""
    return f"{label}: {message}" if label else message


_MOST_JOINED = 100
"""The most headings into a second file that are offered."""


@dataclass(frozen=True)
class Join:
    """A second file. The value of `key` in the card file selects one of its `rows`.

    Headings that lead into it begin with `name`. `missing` collects the values of `key` that select no row.
    """

    name: str
    key: str
    rows: Mapping[str, Mapping[str, Any]]
    missing: set[str] = field(default_factory=set)

    @property
    def headings(self) -> list[str]:
        """The headings that lead into the first row of the second file, such as `packs.name`; at most 100."""

        def paths(value: Any, path: str) -> Iterator[str]:
            if isinstance(value, Mapping):
                for key, inside in value.items():
                    yield from paths(inside, f"{path}.{key}")
            else:
                yield path

        return list(islice(paths(next(iter(self.rows.values()), {}), self.name), _MOST_JOINED))

    def values(self, key: Any, headings: Headings) -> Iterator[tuple[str, str, Any]]:
        """Yields (heading, field, value in the row for `key`) for each mapped heading that leads into this file."""
        text = str(key).strip()
        if text not in self.rows:
            self.missing.add(text)
            return
        for heading, name in headings.paths.items():
            file, _, path = heading.partition(".")
            if file == self.name and (hit := value_at(self.rows[text], path.split("."))):
                is_number = isinstance(hit[1], int | float) and not isinstance(hit[1], bool)
                yield heading, name, str(hit[1]) if is_number else hit[1]

    def unmatched(self, file: str) -> Iterator[Finding]:
        """Yields a warning if values of `key` have selected no row, and then forgets these values."""
        missing = sorted(self.missing)
        self.missing.clear()
        if missing:
            message = f"{self.name} has no row for {amount(len(missing), 'value')} of {self.key}: {listed(missing[:5])}"
            fix = f"Add a row for each value to {self.name}, or correct {self.key} in the cards."
            yield warning("join_unmatched", message, Place(file), data={"values": missing[:100]}, fix=fix)


class Headings:
    """The column headings that a game understands: the user's own, then the key, label and aliases of every field.

    `columns` maps the user's own headings to fields, or to LEFT_OUT for columns to ignore; the heading EVERY_OTHER
    stands for all unknown ones. A heading with dots leads into the objects and lists of a document, `attributes.text`,
    or if it begins with the name of a join, into that second file; it may be a key or a value of `columns`. A field
    followed by a language, `name.ja`, is its translation. Raises UsageError for an unknown field.
    """

    def __init__(
        self, spec: GameSpec, columns: Mapping[str, str] = MappingProxyType({}), joins: Sequence[Join] = ()
    ) -> None:
        self.joins = joins
        self._words = spec.field_words
        self._language = language_tag(spec.language)
        self.translatable = spec.translatable
        self.in_languages: set[str] = set()
        """The translated fields, such as `name.ja`, among the headings looked up so far."""
        self.names = list(self._words.keys)
        self.typed = len(spec.types) > 1
        self.identifying: Sequence[str] = ("name", spec.name_from)
        """The fields that can identify cards; a table needs one of them. The usual one is first."""
        pairs = [self._own_field(header, name) for header, name in columns.items()]
        self._own = {fold_word(header): field for header, field in pairs}
        self.paths = {header: field for header, field in pairs if "." in header and field != LEFT_OUT}
        """Headings that lead into a document, and their fields."""
        self._fields: dict[str, str | None] = {}
        self._suggestions = 0

    def _own_field(self, header: str, name: str) -> tuple[str, str]:
        """Returns a user's heading and the field that it means. Raises UsageError for an unknown field."""
        if name == LEFT_OUT:
            return header, name
        field = self._words.find(name) or self._in_language(name)
        if field is None and "." in name and (field := self._words.find(header)):
            return name, field
        if field is None:
            raise UsageError(f"the column {header!r} cannot mean {name!r}, which is not a field", self._remedy(name))
        return header, field

    def field(self, header: str) -> str | None:
        """Returns the field that a heading means; None if it means none or is to be left out."""
        if header not in self._fields:  # cached, since the keys of a document are looked up for every card
            own = self._own.get(fold_word(header))
            without_unit = _IN_BRACKETS.sub("", header)
            field = own or self._words.find(header) or self._words.find(without_unit) or self._in_language(header)
            self._fields[header] = None if field == LEFT_OUT else field
        return self._fields[header]

    def is_own(self, header: str) -> bool:
        """Returns whether the user has said what a heading means."""
        return fold_word(header) in self._own

    def _in_language(self, header: str) -> str | None:
        """Returns `name.ja` for a heading of field and language, `name` for the game's own language, else None."""
        base, _, tail = header.rpartition(".")
        lang, field = language_tag(tail), self._words.find(base) if base else None
        if not (lang and field in self.translatable):
            return None
        if lang == self._language:
            return field
        self.in_languages.add(f"{field}.{lang}")
        return f"{field}.{lang}"

    def is_of_game(self, header: str) -> bool:
        """Returns whether a heading ends with the tag of the game's own language: `name.en`."""
        return header not in self._words and language_tag(header.rpartition(".")[2]) == self._language

    def leaves_out(self, header: str) -> bool:
        """Returns whether a heading that means no field is ignored, as the user or the format demands."""
        return header == OLDER or LEFT_OUT in (self._own.get(fold_word(header)), self._own.get(EVERY_OTHER))

    def nearest(self, header: str) -> str | None:
        """Returns the field whose words look most like an unknown heading, if any; None for one such as `cost.ja`."""
        return None if self._unvaried(header) else self._words.nearest(header)

    def _unvaried(self, header: str) -> str | None:
        """Returns the field of a heading such as `cost.ja` if its values are the same in every language, or None."""
        base, _, tail = header.rpartition(".")
        return self._words.find(base) if base and language_tag(tail) else None

    def words_of(self, field: str) -> list[str]:
        """Returns the headings that mean a field, its key first."""
        return self._words.words_of(field)

    def joined(self, header: str) -> tuple[str, ...]:
        """Returns the fields that a heading such as `Strength/Life` names; empty if any of them is unknown."""
        fields = [self.field(part) for part in header.split("/")]
        return tuple(field for field in fields if field) if len(fields) > 1 and all(fields) else ()

    def unknown(self, header: str, *where: Place, label: str = "") -> Finding:
        """Returns the finding for an unknown heading; `label` is the label of the first line that has it."""
        times = f" ({len(where)} times)" if len(where) > 1 else ""
        message = labelled(label, f"the game has no field {shown(header)!r}{times}")
        self._suggestions += 1
        fix = self._remedy(header) if self._suggestions <= _MAX_SUGGESTIONS else ""
        return error("header_unknown", message, *where[:_MAX_PLACES], fix=fix)

    @staticmethod
    def check_number(number: int, what: str, place: Place) -> None:
        """Raises DataFault if `number` is above MAX_HEADINGS; `what` names in the message what is counted."""
        if number > MAX_HEADINGS:
            message = f"there are more than {MAX_HEADINGS:,} {what}; no more are read"
            raise DataFault("header_unknown", message, "Remove those that are not fields of the game.", place)

    def _remedy(self, name: str) -> str:
        if field := self._unvaried(name):
            return f"{field} is the same in every language: remove the column, or ignore it with --map {shown(name)}=-."
        return self._words.remedy(name)


TABLE_FORMATS = ("csv", "tsv", "xlsx", "ods")
_SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "vertical bars"}


class SheetLine(RawCard):
    """A row of a table."""

    __slots__ = ("_line", "_table")

    def __init__(self, table: _Table, line: int, cells: dict[str, Any], faults: Sequence[Finding]) -> None:
        super().__init__(cells, faults)
        self._table = table
        self._line = line

    @property
    def fields(self) -> Collection[str]:
        return self._table.positions.keys()

    @property
    def columns(self) -> Mapping[str, int]:
        return {field: column for column, field in self._table.fields.items()}

    def place(self, field: str = "") -> Place:
        if not field:
            return Place(self._table.file, self._line, sheet=self._table.sheet)
        column = self._table.positions.get(field, -1)
        text = shown(self.cells[field]) if field in self.cells else ""
        header = self._table.headers.get(column, field)
        return Place(self._table.file, self._line, column + 1, text, self._table.sheet, header)

    def column_missing(self, field: str) -> Finding | None:
        return self._table.missing(field)


class _Table:
    """One sheet of a table: its header row, and which column contains which field."""

    def __init__(self, file: str, sheet: str, row: Row, headings: Headings) -> None:
        self.file = file
        self.sheet = sheet
        self.line = row.line
        self.headers = headers_of(row)
        self.width = max(self.headers, default=-1)
        self.fields: dict[int, str] = {}
        self.joined: dict[int, tuple[str, ...]] = {}
        self.positions: dict[str, int] = {}
        self._headings = headings

    def name_columns(self) -> Iterator[Finding]:
        """Yields the faults of the header row. Raises DataFault if there are far too many columns."""
        self._headings.check_number(len(self.headers), "columns", Place(self.file, self.line, sheet=self.sheet))
        for column, header in sorted(self.headers.items()):
            place = Place(self.file, self.line, column + 1, header, self.sheet, header)
            field = self._headings.field(header)
            fields = (field,) if field else self._headings.joined(header)
            if not fields and self._headings.leaves_out(header):
                continue
            if not fields:
                yield self._headings.unknown(header, place)
            elif repeated := next((name for name in fields if name in self.positions), None):
                first = self.positions[repeated]
                message = f"the columns {first + 1} and {column + 1} both mean {repeated}"
                yield error("header_repeated", message, place, fix="Remove one of the two columns.")
            else:
                self.positions |= dict.fromkeys(fields, column)
                if field:
                    self.fields[column] = field
                else:
                    self.joined[column] = fields

    @property
    def needed(self) -> Sequence[str]:
        """The fields for which new cards need a column: a name, and the type if the game has several."""
        name = [] if self.is_named else [self._headings.identifying[0]]
        return [*name, "type"] if self._headings.typed else name

    @property
    def is_named(self) -> bool:
        """True if one of the columns can identify cards."""
        return not self.positions.keys().isdisjoint(self._headings.identifying)

    def missing(self, field: str) -> Finding:
        """Returns the finding for a table that has no column for a field."""
        headers = list(self.headers.values())
        place = Place(self.file, self.line, 0, "; ".join(headers)[:80], self.sheet)
        message = f'no column is called "{field}"'
        if len(headers) == 1 and (sign := _separator_in(headers[0])):
            message += f"; the columns seem to be separated by {_SEPARATORS[sign]}"
            return error("header_missing", message, place, fix=_resaved(sign, self.file))
        near = nearest(field, [header[:100] for header in headers if self._headings.field(header) is None], 1)
        fix = f'Rename the column "{near[0]}" to "{field}".' if near else f'Add a column "{field}" to the header row.'
        return error("header_missing", message, place, fix=fix)


def _separator_in(header: str) -> str | None:
    """Returns the separator that seems to be in a header which was read as a single cell, or None."""
    separator = header.casefold().removeprefix("sep=")
    if separator != header.casefold():
        return separator if separator in _SEPARATORS else None
    return max((sign for sign in _SEPARATORS if sign in header), key=header.count, default=None)


def _resaved(sign: str, file: str) -> str:
    """Returns the remedy for a file whose cells are separated by `sign`: how to save or rename it."""
    if sign == "|":
        return "Save it as .csv, with commas between the columns."
    ending = ".tsv" if sign == "\t" else ".csv"
    is_text = file.lower().endswith((".csv", ".tsv", ".txt"))
    return f"Rename the file to end in {ending}." if is_text else f"Save it as a text file that ends in {ending}."


def sheets_of(data: bytes, file: str, fmt: str, findings: list[Finding]) -> Iterable[Sheet] | None:
    """Returns the sheets of a file in one of TABLE_FORMATS; None, and a finding in `findings`, if it cannot be decoded.

    Raises InputError for a broken file, and DataFault also later while the sheets are read.
    """
    if fmt in ("xlsx", "ods"):
        return xlsx_and_ods.sheets(data, file, fmt)
    text, faults = source.decode(data, file)
    findings.extend(faults)
    if text is None:
        return None
    delimiter, text = grid.delimiter_of(text, fmt)
    return [Sheet("", grid.rows(text, file, delimiter))]


def only_sheet(sheets: Iterable[Sheet], name: str, file: str) -> Iterator[Sheet]:
    """Yields the one sheet called `name`. Raises UsageError if there is none, and what reading the sheets raises."""
    others: list[str] = []
    for sheet in sheets:
        if sheet.name == name:
            yield sheet
            return
        others += [sheet.name] if sheet.name else []
    raise UsageError(f"{file} has no sheet {name!r}", did_you_mean(name[:100], others) or "Leave out --sheet.")


def header_row(sheet: Sheet) -> Row | None:
    """Returns the first row of a sheet that is not empty, or None. The rows after it remain in `sheet.rows`."""
    filled = (
        row for row in sheet.rows if any(not isinstance(cell, str) or cell.strip() for cell in row.cells.values())
    )
    return next(filled, None)


def headers_of(row: Row) -> dict[int, str]:
    """Returns `{column, from 0: heading}` for a header row."""
    return {column: text for column, cell in row.cells.items() if (text := shown(cell).strip())}


def from_sheets(sheets: Iterable[Sheet], file: str, headings: Headings, findings: list[Finding]) -> Iterator[RawCard]:
    """Yields the cards of sheets with a column that identifies cards, or with `ref` and else only known columns."""
    any_read = False
    skipped: list[_Table] = []
    for each in sheets:
        sheet, first = each, header_row(each)
        if first is None:
            continue
        if headings.joins:
            first, sheet = _with_joined(first, sheet, headings)
        table = _Table(file, sheet.name, first, headings)
        faults = list(table.name_columns())
        if not (table.is_named or ("ref" in table.positions and not faults)):
            skipped.append(table)
            continue
        any_read = True
        findings.extend(faults)
        yield from _lines(table, sheet.rows, findings)
    column = headings.identifying[0]
    for table in skipped:
        if any_read:
            message = f"the sheet {table.sheet} was not read, because its first row names no column {column}"
            findings.append(info("sheet_skipped", message, Place(file, table.line, sheet=table.sheet)))
        else:
            findings.append(table.missing(column))
    if not (any_read or skipped):
        findings.append(error("header_missing", "the file is empty", Place(file), fix="Begin it with a header row."))


def _with_joined(first: Row, sheet: Sheet, headings: Headings) -> tuple[Row, Sheet]:
    """Returns the header row and the sheet, each with one more column for every mapped heading of a second file."""
    headers = headers_of(first)
    keys = [(join, at) for join in headings.joins for at, text in headers.items() if text == join.key]
    names = [path for path in headings.paths if path.partition(".")[0] in {join.name for join, _ in keys}]
    columns = {name: max(headers, default=-1) + 1 + number for number, name in enumerate(names)}

    def joined(row: Row) -> Row:
        values = [value for join, at in keys for value in join.values(row.cells.get(at, ""), headings)]
        added = {columns[name]: value for name, _, value in values if value not in (None, "")}
        return row._replace(cells={**row.cells, **added})

    head = first._replace(cells={**first.cells, **{at: name for name, at in columns.items()}})
    return head, Sheet(sheet.name, map(joined, sheet.rows))


def _lines(table: _Table, rows: Iterable[Row], findings: list[Finding]) -> Iterator[RawCard]:
    nameless: set[int] = set()
    row = None
    for row in rows:
        cells: dict[str, Any] = {}
        over = 0
        for column, raw in row.cells.items():
            cell = unescaped_text(raw.strip()) if isinstance(raw, str) else raw
            if cell == "":
                continue
            if column in table.fields:
                cells[table.fields[column]] = cell
            elif column in table.joined:
                cells |= _parts(table.joined[column], cell)
            elif column > table.width:
                over = max(over, column + 1)
            elif column not in table.headers and column not in nameless:
                nameless.add(column)
                place = Place(table.file, row.line, column + 1, shown(cell), table.sheet)
                message = f"column {column + 1} has no name in the header row, but line {row.line} has a value in it"
                fix = "Name the column in the header row, or empty its cells."
                findings.append(error("header_unknown", message, place, fix=fix))
        faults = []
        if over:
            place = Place(table.file, row.line, over, shown(row.cells[over - 1]), table.sheet)
            message = f"the row has {over} cells, but the header row only {table.width + 1}"
            of_text = "Put quotes around each cell that contains the separator."
            fix = "Name all columns in the header row, or empty the surplus cells." if table.sheet else of_text
            faults = [error("row_too_long", message, place, fix=fix)]
        if cells or faults:
            yield SheetLine(table, row.line, cells, faults)
    if row is None:
        findings.extend(table.missing(name) for name in table.needed if name not in table.positions)


def _parts(fields: Sequence[str], cell: Cell) -> dict[str, Any]:
    """Returns the parts of a cell such as `5/6` by field; if there are more or fewer, the first field gets it whole."""
    parts = [part.strip() for part in cell.split("/")] if isinstance(cell, str) else []
    if len(parts) != len(fields):
        return {fields[0]: cell}
    return {field: part for field, part in zip(fields, parts, strict=True) if part}


_DECIMAL = re.compile(r"[-+.0-9eE]+|[A-Za-z]+")
_MOST_OTHERS = 100
"""The most items of a list that may be other things than mappings; a list with more is no list of cards."""
_LISTS = {
    "json": 'Write [{"name": ...}, {"name": ...}], or {"cards": [...]}.',
    "yaml": "Begin each card with a hyphen: - name: ...",
}


class RecordLine(RawCard):
    """A card in a JSON or YAML list, which is a mapping."""

    __slots__ = ("_document", "_keys", "_path", "_typed", "label")

    def __init__(self, document: LocatedDocument, path: Path_, label: str) -> None:
        super().__init__({})
        self.label = label
        self._document = document
        self._path = path
        self._keys: dict[str, Path_] = {}
        self._typed: dict[str, Any] = {}

    @property
    def fields(self) -> Collection[str]:
        return self._keys.keys()

    def give(self, field: str, keys: Path_, value: Any) -> None:
        """Adds the value at the path `keys` to a field; a second value is a fault. Numbers stay as written: `007`."""
        if field in self._keys:
            message = labelled(self.label, f"the field {field} is given twice")
            self.faults = [*self.faults, error("header_repeated", message, self.place(field))]
            return
        self._keys[field] = keys
        if value is not None and (field == "ref" or value != ""):
            self._typed[field] = value
            self.cells[field] = self._written(value, (*self._path, *keys))

    def _written(self, value: Any, path: Path_) -> Any:
        if isinstance(value, list):
            return [
                item if isinstance(item, dict | list) else self._written(item, (*path, index))
                for index, item in enumerate(value)
            ]
        text = self._document.places[path].text if isinstance(value, int | float) else ""
        return text if _DECIMAL.fullmatch(text) else value

    def place(self, field: str = "") -> Place:
        keys = self._keys.get(field, (field,))
        at = self._document.place((*self._path, *keys) if field else self._path)
        text = shown(self.cells[field]) if field in self.cells else ""
        return Place(at.file, at.line, at.column, text, "", ".".join(map(str, keys)))

    def typed(self, field: str) -> Any:
        return self._typed[field]


def card_list(document: LocatedDocument) -> tuple[Path_, list[Any] | None]:
    """Returns the path and the items of the list of cards in a document; the items are None if it has no such list.

    The list is the document itself, or the value of `cards`, or the only list of mappings.
    """
    items = document.value
    if not isinstance(items, dict):
        return (), items if isinstance(items, list) else None
    lists = _lists_in(items)
    key = "cards" if "cards" in items else lists[0] if len(lists) == 1 else None
    return ((), None) if key is None else ((key,), items[key] if isinstance(items[key], list) else None)


def _lists_in(value: Mapping[str, Any]) -> list[str]:
    return [
        key for key, items in value.items() if isinstance(items, list) and any(type(each) is dict for each in items)
    ]


def is_one_card(value: Any) -> bool:
    """Returns whether the value of a document is a single card: a mapping without a list of mappings."""
    return isinstance(value, dict) and bool(value) and "cards" not in value and not _lists_in(value)


def from_document(
    document: LocatedDocument, fmt: str, headings: Headings, findings: list[Finding]
) -> Iterator[RawCard]:
    """Yields the cards of a document, which may also be a single card; `fmt` is `json` or `yaml`.

    Faults go to `findings`. Raises DataFault if there are far too many unknown keys, or items that are not mappings.
    """
    card = document.value
    if is_one_card(card) and (
        any(map(headings.field, card)) or any(value_at(card, path.split(".")) for path in headings.paths)
    ):
        document = document.in_list()
    path, items = card_list(document)
    if items is None:
        message = "a file of cards must contain a list of cards"
        findings.append(error("document_invalid", message, document.place(path), fix=_LISTS[fmt]))
        return
    strange: dict[str, list[RecordLine]] = defaultdict(list)
    others = 0
    starts = Counter(document.place((*path, index)).line for index in range(len(items)))
    for index, item in enumerate(items):
        crowded = starts[document.place((*path, index)).line] > 1
        line = RecordLine(document, (*path, index), f"card {index + 1}" if crowded else "")
        if isinstance(item, Mapping):
            _fill(line, item, headings, strange)
            yield line
        else:
            message = f"card {index + 1} must be a mapping of fields to values"
            findings.append(error("document_invalid", message, line.place()))
            others += 1
            if others > _MOST_OTHERS:
                message = f"more than {_MOST_OTHERS:,} items of the list are not mappings of fields to values"
                raise DataFault("document_invalid", message, _LISTS[fmt], line.place())
    for key, lines in strange.items():
        findings.append(headings.unknown(key, *(line.place(key) for line in lines), label=lines[0].label))


def _fill(line: RecordLine, item: Mapping[str, Any], headings: Headings, strange: dict[str, list[RecordLine]]) -> None:
    roots = {fold_word(path.partition(".")[0]) for path in headings.paths}
    for key, value in item.items():
        if fold_word(key) in roots and isinstance(value, Mapping | list):
            continue
        field = headings.field(key)
        if field is not None:
            line.give(field, (key,), value)
        elif not headings.leaves_out(key):
            strange[key].append(line)
            headings.check_number(len(strange), "keys that are not fields of the game", line.place(key))
    for path, field in headings.paths.items():
        if path not in item and (hit := value_at(item, path.split("."))):
            line.give(field, *hit)
    for join in headings.joins:
        if hit := value_at(item, join.key.split(".")):
            for _, field, value in join.values(hit[1], headings):
                line.give(field, hit[0], value)
