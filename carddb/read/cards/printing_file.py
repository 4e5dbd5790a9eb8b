"""Files of printings in: the sets in which cards stand, with codes, positions and days of release."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO, NamedTuple

from carddb.cards.cards import Printing
from carddb.core.dates import day
from carddb.findings import Finding, Place, error
from carddb.game.card_fields import FieldSpec
from carddb.game.game import GameSpec
from carddb.read.cards.file import CardFile, CardRow, read_cards
from carddb.read.pictures.card_pictures import PictureFolders

_NAME = re.compile(r"(?:.+\.)?printings", re.IGNORECASE)
_COLUMNS = GameSpec(
    key="printings",
    prefix="printings",
    name="a file of printings",
    columns={"card": "name", "set code": "set", "number": "position", "release": "released"},
    fields={
        "code": FieldSpec(label="Code"),
        "position": FieldSpec(label="Position"),
        "released": FieldSpec(label="Released"),
        "quantity": FieldSpec(type="integer", min=1, label="Quantity"),
    },
    name_code="printing_without_card",
)
"""What a file of printings holds, read as a file of cards whose names are references."""


class PrintingRow(NamedTuple):
    """One printing as a file has it."""

    printing: Printing
    place: Place


def is_printing_file(path: Path) -> bool:
    """Whether a file is one of printings: it is called `printings.csv`, or `core.printings.csv`."""
    return bool(_NAME.fullmatch(path.stem))


def read_printings(
    source: Path | BinaryIO, path: Path, *, images_root: PictureFolders
) -> tuple[CardFile, list[PrintingRow]]:
    """The printings of a file: code, card, set, position, released, art, quantity. Every fault is a finding.

    `path` names the file, and the set of printings that name none. A printing without a code has that of set and
    position, `core-12`. Raises InputError, UsageError.
    """
    file = read_cards(source, _COLUMNS, default_set=_set_of(path), images_root=images_root)
    rows = [PrintingRow(_printing(row), row.place) for row in file.records]
    findings = [*map(_of_card, file.findings), *_faults(rows)]
    return replace(file, findings=findings), rows


def _set_of(path: Path) -> str:
    """The set of printings that name none: `core` for `core.printings.csv`."""
    return path.stem.rpartition(".")[0] or path.stem


def _printing(row: CardRow) -> Printing:
    values = row.values
    set_, position = str(values["set"]), str(values.get("position", ""))
    code = str(values.get("code", "")) or (f"{set_}-{position}" if position else "")
    released, art, quantity = (values.get(name) for name in ("released", "art", "quantity"))
    return Printing(code, str(values["name"]), set_, position, str(released or ""), str(art or ""), quantity)


def _of_card(finding: Finding) -> Finding:
    """A finding of a reader of cards, which speaks of names, in words of printings."""
    if finding.code == _COLUMNS.name_code:
        return finding._replace(message="the printing names no card", fix="Fill in the reference of the card.")
    message, fix = (text.replace('"name"', '"card"') for text in (finding.message, finding.fix))
    return finding._replace(message=message, fix=fix)


def _faults(rows: list[PrintingRow]) -> Iterator[Finding]:
    """Codes that are missing or stand twice, and days that are none."""
    first: dict[str, Place] = {}
    for printing, place in rows:
        if not printing.code:
            message = f"this printing of {printing.card} has neither code nor position"
            yield error("printing_code_missing", message, place, fix="Fill in one of them.")
        elif (other := first.setdefault(printing.code.casefold(), place)) is not place:
            message = f"the code {printing.code} stands twice"
            yield error("printing_code_repeated", message, place, other, fix="Give each printing a code of its own.")
        try:
            _ = printing.released and day(printing.released)
        except ValueError:
            message = f"{printing.released!r} is no day of release"
            where = place._replace(text=printing.released, column_name="released")
            yield error("release_invalid", message, where, fix="Write it as 2026-06-20.")
