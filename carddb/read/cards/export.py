"""Writing card files: CSV, TSV, XLSX, JSON and YAML, which read back to the same cards."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from carddb.cards.cards import Printing
from carddb.core.errors import OutputError, UsageError
from carddb.core.names import did_you_mean
from carddb.game.game import GameSpec
from carddb.read.cards.lines import OLDER
from carddb.read.cards.values import split_list
from carddb.read.tables.grid import csv_text, escaped_text
from carddb.read.tables.xlsx_writer import Cell, write_workbook

FORMATS = ("csv", "tsv", "xlsx", "json", "yaml")
_FIRST = ("ref", "name", "type", "set")
_LAST = ("art", "emblem", "face_image", "face_fit")
_OWN_TEXTS = ("flavor", "artist")
"""The columns of printings that are left out if no printing has them."""
_LONGEST_XLSX_CELL = 32_767

CardValues = tuple[str, Mapping[str, Any]]


def write_cards(cards: Iterable[CardValues], spec: GameSpec, fmt: str) -> bytes:
    """Returns the bytes of a card file in one of FORMATS, with the cards in the given order.

    Each card is a pair of reference and values. Columns are ref, name, type, set, used fields in the order of
    `game.yaml`, and pictures. Raises UsageError for an unknown format, and OutputError if a cell is too long for XLSX.
    """
    cards = list(cards)
    used = {name for _, values in cards for name, value in values.items() if value is not None}
    own = [name for name in spec.all_fields() if name in used and name not in (*_FIRST, *_LAST)]
    columns = [*_FIRST, *own, *(name for name in _LAST if name in used)]
    if fmt not in FORMATS:
        raise UsageError(f"cards cannot be written as {fmt}", did_you_mean(fmt, FORMATS))
    if fmt in ("json", "yaml"):
        named = ({"ref": ref, **values} for ref, values in cards)
        rows = [{name: fields[name] for name in columns if fields.get(name) is not None} for fields in named]
        return _document(rows, fmt)
    return _table(spec.key, columns, _rows(cards, columns, spec), fmt)


def write_printings(printings: Iterable[Printing], fmt: str) -> bytes:
    """Returns the bytes of a file of printings in one of FORMATS. Raises OutputError if a cell is too long for XLSX."""
    if fmt in ("json", "yaml"):
        return _document([{"card": each.card, **each.to_json()} for each in printings], fmt)
    printings = list(printings)
    columns = [
        name for name in Printing._fields if name not in _OWN_TEXTS or any(getattr(row, name) for row in printings)
    ]
    rows = ([_cell(getattr(each, name), False) for name in columns] for each in printings)
    return _table("printings", columns, rows, fmt)


def write_translations(
    cards: Sequence[tuple[str, Mapping[str, Any], Mapping[str, Any], Sequence[str]]],
    fields: Sequence[str],
    languages: tuple[str, str],
    fmt: str,
) -> bytes:
    """Returns the bytes of a file of translations in one of FORMATS.

    Raises OutputError if a cell is too long for XLSX. Each card is a tuple: its reference, its original values, its
    translated values, and the fields whose original has changed since it was translated. If any card has such fields,
    the column OLDER lists them. `languages` are the tags of the game's language and of the translation.
    """
    columns = ["ref", OLDER, *(f"{name}.{tag}" for name in fields for tag in languages)]
    rows: list[list[Any]] = []
    for ref, own, words, older in cards:
        rows.append([ref, "; ".join(older), *(side.get(name) for name in fields for side in (own, words))])
    if not any(older for *_, older in cards):
        for row in (columns, *rows):
            del row[1]
    if fmt in ("json", "yaml"):
        return _document([dict(zip(columns, row, strict=True)) for row in rows], fmt)
    return _table(languages[1], columns, ([escaped_text(value_text(value)) for value in row] for row in rows), fmt)


def value_text(value: Any) -> str:
    """Returns a value as the text of one cell; objects and lists of objects become JSON."""
    return cell_text(value, isinstance(value, list) and any(isinstance(item, Mapping) for item in value))


def _document(records: Sequence[Mapping[str, Any]], fmt: str) -> bytes:
    if fmt == "yaml":
        return yaml_bytes(records)
    return (json.dumps(records, ensure_ascii=False, indent=1) + "\n").encode()


def _table(title: str, columns: Sequence[str], rows: Iterable[Sequence[Cell]], fmt: str) -> bytes:
    if fmt == "xlsx":
        return write_workbook(title, columns, map(_short_enough, rows))
    texts = ([cell_text(cell) if isinstance(cell, bool) else cell for cell in row] for row in rows)
    return csv_text([columns, *texts], "," if fmt == "csv" else "\t").encode()


def _rows(cards: Sequence[CardValues], columns: Sequence[str], spec: GameSpec) -> Iterator[list[Cell]]:
    objects = {
        kind: {name for name, field in spec.fields_of(kind).items() if field.type == "object"}
        for kind in {str(values.get("type", "")) for _, values in cards}
    }
    for ref, values in cards:
        fields = {"ref": ref, **values}
        as_json = objects[str(values.get("type", ""))]
        yield [_cell(fields.get(name), name in as_json) for name in columns]


def _cell(value: Any, as_json: bool) -> Cell:
    """Returns a value as one cell (with `as_json`, as JSON); what looks like a formula is marked with an apostrophe."""
    if isinstance(value, bool | int | float) and not as_json:
        return value
    return escaped_text(cell_text(value, as_json))


def cell_text(value: Any, as_json: bool = False) -> str:
    """Returns the text of a value in a cell (with `as_json`, as JSON), without an added apostrophe; empty for None."""
    if value is None:
        return ""
    if isinstance(value, str) and not as_json:
        return value
    if as_json or isinstance(value, Mapping | bool | int | float):
        return json.dumps(value, ensure_ascii=False)
    items = list(value)
    text = "; ".join(items)
    return text if split_list(text) == items else json.dumps(items, ensure_ascii=False)


def _short_enough(row: Sequence[Cell]) -> Sequence[Cell]:
    """Returns the row. Raises OutputError if a text is too long for a cell of XLSX."""
    longest = max(len(cell) for cell in row if isinstance(cell, str))
    if longest > _LONGEST_XLSX_CELL:
        most = f"a cell of XLSX may have at most {_LONGEST_XLSX_CELL:,}"
        message = f"a text of the card {row[0]} has {longest:,} characters, but {most}"
        raise OutputError(message, "Export the cards as CSV, JSON or YAML instead.")
    return row


def yaml_bytes(value: Any) -> bytes:
    """Returns plain data as YAML in UTF-8 and in the given order, which reads back to equal data."""
    from carddb.read.documents.yaml_text import yaml_text  # PyYAML, 20 ms, not needed for tables and JSON

    return yaml_text(value).encode()
