"""New cards: drafts that are to be a line of their own at the end of a card file."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Mapping

from carddb.app.studio.card_files import CardFileNow
from carddb.app.studio.drafts import Cell, CellDraft
from carddb.core.errors import CellFault
from carddb.game.game import GameSpec
from carddb.read.tables.cell_edit import WRITABLE, append_row
from carddb.read.tables.formula_text import escaped_text
from carddb.read.tables.grid import CellText

_NUMBERS = ("integer", "number")
_LAST_NUMBER = re.compile(r"\d+(?=\D*$)")


def takes_new_cards(file: CardFileNow) -> bool:
    """Whether a line can be added to a file: it is CSV, TSV or XLSX, and its cards have references."""
    return file.fmt in WRITABLE and any("ref" in source.columns for source in file.cards.sources.values())


def new_cards(file: CardFileNow, drafts: Mapping[Cell, CellDraft]) -> dict[str, dict[str, CellDraft]]:
    """The drafts of the cards that are new in a file: their draft of `ref` names it."""
    refs = {ref for (ref, name), draft in drafts.items() if name == "ref" and draft.text == file.name}
    new: dict[str, dict[str, CellDraft]] = defaultdict(dict)
    for (ref, name), draft in drafts.items():
        if ref in refs and ref not in file.cards.sources:
            new[ref][name] = draft
    return new


def with_new_cards(
    file: CardFileNow, data: bytes, spec: GameSpec, cards: Mapping[str, Mapping[str, CellDraft]]
) -> tuple[bytes, dict[Cell, str]]:
    """The bytes of a file with a line for each new card, and the texts for which it has no column.

    A file that takes no lines stays as it is.
    """
    if not cards or not takes_new_cards(file):
        return data, {}
    last = [source for source in file.cards.sources.values() if "ref" in source.columns][-1]
    without_column: dict[Cell, str] = {}
    for ref, drafts in cards.items():
        texts = {name: draft.text for name, draft in drafts.items()} | {"ref": ref}
        cells = {last.columns[name]: raw_text(spec, name, text) for name, text in texts.items() if name in last.columns}
        try:
            data = append_row(data, file.fmt, last.place.sheet, cells)
        except CellFault:
            continue
        without_column |= {(ref, name): text for name, text in texts.items() if name not in last.columns}
    return data, without_column


def raw_text(spec: GameSpec, name: str, text: str) -> CellText:
    """The text of a field as a cell of a table file holds it."""
    is_number = getattr(spec.all_fields().get(name), "type", "") in _NUMBERS
    return CellText(text if is_number else escaped_text(text), is_number)


def next_reference(file: CardFileNow, taken: Collection[str]) -> str:
    """A free reference in the manner of the last one of a file: `L-08` after `L-07`; empty where it has no number."""
    last = next(reversed(list(file.cards.sources)), "")
    number = _LAST_NUMBER.search(last)
    ref = last
    while number and ref in taken:
        ref = f"{ref[: number.start()]}{int(number[0]) + 1:0{len(number[0])}}{last[number.end() :]}"
        number = _LAST_NUMBER.search(ref)
    return ref if number else ""
