"""Reading the cards that a player owns: a table with columns for reference or name and count, or a deck file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from carddb.cards.cards import Card, Pool
from carddb.core.errors import DataFault
from carddb.core.files import NamedBytes
from carddb.core.names import did_you_mean, fold_word
from carddb.findings import Finding, Place, Severity, error, warning
from carddb.game.game import GameSpec
from carddb.read import source
from carddb.read.cards.lines import TABLE_FORMATS, card_list, sheets_of
from carddb.read.decks.card_match import Matcher
from carddb.read.decks.line import LineReading
from carddb.read.decks.text import read_deck
from carddb.read.documents.located_document import LocatedDocument, parse_all
from carddb.read.tables.grid import Sheet

MAX_BYTES = 64 << 20
MAX_ROWS = 100_000
_MAX_UNKNOWN = 1_000
"""The most rows without a known card that are reported one by one."""
_COLUMNS = {
    "ref": "ref", "reference": "ref", "name": "name", "card": "name",
    "count": "count", "owned": "count", "copies": "count", "quantity": "count",
}  # fmt: skip
_COPIES = re.compile(r"\d{1,6}(\.0+)?")

Owned = list[tuple[Card, int]]


_Row = tuple[Place, Mapping[str, str]]
"""The place of a card, and its cells by column."""


def read_owned(path: Path | NamedBytes, spec: GameSpec, pool: Pool) -> tuple[Owned, list[Finding]]:
    """Returns `{card: count}` of the owned cards, and findings: warnings for unknown cards, errors for unreadable rows.

    Raises InputError if the file cannot be read.
    """
    data, findings = source.read_bytes(path, MAX_BYTES)
    if findings:
        return [], findings
    file = source.name_of(path)
    fmt = Path(file).suffix.lower().removeprefix(".")
    if fmt in TABLE_FORMATS:
        try:
            rows = _of_sheets(sheets_of(data, file, fmt, findings) or (), file, findings)
            return _counted(rows, pool, findings), findings
        except DataFault as end:
            return [], [*findings, end.finding]
    text, findings = source.decode(data, file)
    if text is None:
        return [], findings
    if fmt in ("json", "yaml", "yml"):
        document, findings = parse_all(text, file, "json" if fmt == "json" else "yaml")
        if document is None:
            return [], findings
        if not (isinstance(document.value, Mapping) and "sections" in document.value):
            try:
                return _counted(_of_document(document, findings), pool, findings), findings
            except DataFault as end:
                return [], [end.finding]
    deck, findings = read_deck(text, spec, pool, file)
    faults = [finding for finding in findings if finding.severity is not Severity.INFO]
    for at, finding in enumerate(faults):
        if finding.code == "card_unknown":
            faults[at] = warning("owned_unknown", finding.message, *finding.where, fix=finding.fix)
    return [(entry.card, entry.count) for entry in deck.entries if entry.card], faults


def _of_sheets(sheets: Iterable[Sheet], file: str, findings: list[Finding]) -> Iterator[_Row]:
    for sheet in sheets:
        columns: dict[int, str] = {}
        for row in sheet.rows:
            cells = {column: str(cell).strip() for column, cell in row.cells.items() if str(cell).strip()}
            if not cells:
                continue
            if not columns:
                columns = {column: name for column, text in cells.items() if (name := _COLUMNS.get(fold_word(text)))}
                place = Place(file, row.line, text="; ".join(cells.values())[:80], sheet=sheet.name)
                if fault := _lacking(columns.values(), place):
                    findings.append(fault)
                    break
                continue
            fields = {name: cells[column] for column, name in columns.items() if column in cells}
            yield Place(file, row.line, text=" ".join(cells.values())[:80], sheet=sheet.name), fields


def _of_document(document: LocatedDocument, findings: list[Finding]) -> Iterator[_Row]:
    path, items = card_list(document)
    if items is None:
        message, fix = "a file of owned cards must contain a list of cards", 'Write [{"ref": ..., "count": ...}, ...].'
        findings.append(error("document_invalid", message, document.place(path), fix=fix))
        return
    for number, item in enumerate(items):
        place = document.place((*path, number))
        if not isinstance(item, Mapping):
            findings.append(error("document_invalid", f"card {number + 1} must be a mapping of keys to values", place))
            continue
        fields = {
            name: str(value) for key, value in item.items() if (name := _COLUMNS.get(fold_word(key))) and value != ""
        }
        if fault := _lacking(fields, place):
            findings.append(fault)
        else:
            yield place, fields


def _lacking(names: Iterable[str], place: Place) -> Finding | None:
    """Returns the finding for a table without the columns that a collection must have, or None."""
    names = set(names)
    if "count" in names and names & {"ref", "name"}:
        return None
    missing = "`count`" if names & {"ref", "name"} else "`ref` or `name`"
    fix = "Give each card its `count`, and its `ref` or `name`."
    return error("header_missing", f"{missing} is missing", place, fix=fix)


def _counted(rows: Iterable[_Row], pool: Pool, findings: list[Finding]) -> Owned:
    """Returns the cards in the rows, each with its count. Raises DataFault if there are too many rows."""
    matcher = Matcher(pool)
    owned: Owned = []
    unknown = 0
    for number, (place, cells) in enumerate(rows):
        if number == MAX_ROWS:
            message = f"there are more than {MAX_ROWS:,} rows; no more are read"
            raise DataFault("file_too_large", message, "Remove the cards of other games.", place)
        count = cells.get("count", "0")
        if not _COPIES.fullmatch(count):
            fix = "Write the number of copies as a whole number."
            findings.append(error("bad_count", f"{count[:40]!r} is not a number of copies", place, fix=fix))
            continue
        card, fault = _card(place, cells, matcher, pool)
        if card:
            owned.append((card, int(float(count))))
        elif fault:
            unknown += 1
            if unknown <= _MAX_UNKNOWN:
                findings.append(fault)
    if unknown > _MAX_UNKNOWN:
        message = f"further rows that name no card of the catalogue: {unknown - _MAX_UNKNOWN:,}"
        findings.append(warning("owned_unknown", message, fix="Remove the cards of other games."))
    return owned


def _card(place: Place, cells: Mapping[str, str], matcher: Matcher, pool: Pool) -> tuple[Card | None, Finding | None]:
    """Returns the card of a row, found by its reference or else its name, and a finding if there is none."""
    ref, name = cells.get("ref", ""), cells.get("name", "")
    if not ref and not name:
        return None, error("header_missing", "the row names no card", place, fix="Fill in ref or name.")
    card = pool.get(ref) if ref else None
    if card or not name:
        return card, None if card else _unknown(ref, [card.ref for card in pool], place)
    reading = LineReading(None, name)
    match = matcher.match([reading])
    if match.how == "ambiguous":
        refs = ", ".join(card.ref for card in match.cards)
        fix = f"Write its reference, one of {refs}, into a column ref."
        return None, error("card_ambiguous", f"{len(match.cards)} cards are called {name[:80]}", place, fix=fix)
    return match.card, None if match.card else _unknown(name, matcher.suggest([reading]), place)


def _unknown(text: str, near: Iterable[str], place: Place) -> Finding:
    message = f"no card of the catalogue is {text[:80]!r}; the row was ignored"
    return warning("owned_unknown", message, place, fix=did_you_mean(text[:80], near, ""))
