"""The cards of a game as a table: what is stored, what their files say now, and over it the drafts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from carddb.app.studio.card_files import CardFileNow, FileContents, read_contents
from carddb.app.studio.drafts import Cell, CellDraft
from carddb.app.unfiled_edits import keep_edits
from carddb.cards import Card
from carddb.catalog.revisions import UNFILED
from carddb.findings import Finding, Severity, has_errors
from carddb.read.card_file import PATCH, read_card_bytes
from carddb.read.cell_edit import WRITABLE, CellEdit, CellNotWritable, write_cells
from carddb.read.delimited import rows as delimited_rows
from carddb.read.export import cell_text
from carddb.read.formula_text import escaped_text
from carddb.read.grid import Flaw
from carddb.read.patch_file import patch_path, write_patch
from carddb.read.source import decode

if TYPE_CHECKING:
    from carddb.catalog.store import UnfiledEdits
    from carddb.game import GameSpec
    from carddb.games import Game
    from carddb.read.card_file import CardReading, CardRow

FIXED = ("ref", "set")
"""Fields that are shown and not edited: they say which card it is."""
T = TypeVar("T")
_NUMBERS = ("integer", "number")


class TableRow(NamedTuple):
    """A card of the table.

    `texts` are its cells as they are now, `stored_texts` as the catalogue has them, `drafts` the fields with a draft,
    `conflicts` those whose file has meanwhile another text, with that text. `card` is what would be stored, None where
    its row has an error; `stored` is what the catalogue has, None for a card that is new. `findings` are those of its
    row, `faults` their messages by field (empty name: of the whole row).
    """

    ref: str
    file: str
    line: int
    texts: Mapping[str, str]
    stored_texts: Mapping[str, str]
    drafts: Mapping[str, CellDraft]
    conflicts: Mapping[str, str]
    card: Card | None
    stored: Card | None
    findings: tuple[Finding, ...] = ()
    faults: Mapping[str, str] = {}

    @property
    def shown(self) -> Card | None:
        """The card whose face is shown: as it would be, else as it is stored."""
        return self.card or self.stored

    @property
    def changed(self) -> list[str]:
        """The fields in which the card differs from what is stored; those with a draft where it has an error."""
        if self.card is None or self.stored is None:
            return list(self.drafts)
        now, then = self.card.values, self.stored.values
        return [name for name in dict.fromkeys([*now, *then]) if now.get(name) != then.get(name)]

    @property
    def has_errors(self) -> bool:
        return has_errors(self.findings)


@dataclass(frozen=True, slots=True)
class DraftedFile:
    """A card file with its drafts: `now` as it is on disk, `then` as it would be, and the cells with a sound draft."""

    now: CardFileNow
    then: CardFileNow
    cells: tuple[Cell, ...] = ()
    sound: tuple[Cell, ...] = ()
    findings: tuple[Finding, ...] = ()
    """What is wrong with the file beside the cards of the table: headings, quotes, cards that stand twice."""


@dataclass(frozen=True, slots=True)
class CardTable:
    """The cards of a game: rows by reference, those of each file in its order, and the files."""

    fields: tuple[str, ...]
    rows: Mapping[str, TableRow]
    files: tuple[DraftedFile, ...] = ()
    loose: tuple[Cell, ...] = ()
    """The cells with a draft whose card is in no file that is there."""
    loose_records: Sequence[CardRow] = ()
    """Those cards as they would be, where they have no error."""


@dataclass(frozen=True, slots=True)
class StoredCards:
    """What the catalogue has of a game: values and frozen cards by reference, and edits that stand in no file."""

    values: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    cards: Mapping[str, Card] = field(default_factory=dict)
    edits: UnfiledEdits = field(default_factory=dict)


def drafted_file(
    game: Game, now: CardFileNow, reading: CardReading, drafts: Mapping[Cell, CellDraft], edits: UnfiledEdits
) -> DraftedFile:
    """A card file as it would be with the drafts of its cards; those that are in error are left out of `sound`."""
    keep = {cell: draft for cell, draft in drafts.items() if cell[0] in now.cards.sources}
    then = _checked(game, now, edits)
    if keep:
        contents = with_drafts(now, game.spec, keep)
        then = _checked(game, read_contents(now.path, now.name, contents, reading), edits)
    of_cells, of_file = _by_cell(then, game)
    wrong = {cell for cell, of_row in of_cells.items() if has_errors(of_row)}
    sound = tuple(cell for cell in keep if cell not in wrong and (cell[0], "") not in wrong)
    return DraftedFile(now, then, tuple(keep), sound, tuple(of_file))


def _checked(game: Game, file: CardFileNow, edits: UnfiledEdits) -> CardFileNow:
    """A file with the game's own findings, and with edits that it lacks."""
    list(keep_edits(file.cards, edits))
    pairs = ((game.spec.card(row.ref, row.values), row.place) for row in file.cards.records)
    file.cards.findings.extend(game.faults_of(pairs))
    return file


def with_drafts(file: CardFileNow, spec: GameSpec, drafts: Mapping[Cell, CellDraft]) -> FileContents:
    """The contents of a file with drafts written: into its cells where that can be, else into its patch file."""
    patch = file.patch_values()
    edits = {cell: _edit_of(file, spec, *cell, draft.text) for cell, draft in drafts.items() if cell not in patch}
    data, refused = _written(file, {cell: edit for cell, edit in edits.items() if edit})
    for cell, draft in drafts.items():
        if cell in refused or edits.get(cell) is None:
            patch[cell] = draft.text
    return FileContents(data, write_patch(patch) if patch else b"")


def _written(file: CardFileNow, edits: Mapping[Cell, CellEdit]) -> tuple[bytes, set[Cell]]:
    """The bytes of a file with some cells written, and the cells that cannot be."""
    data = file.contents.data
    try:
        return (write_cells(data, file.fmt, list(edits.values())) if edits else data), set()
    except CellNotWritable:
        refused = set()
    for cell, edit in edits.items():
        try:
            data = write_cells(data, file.fmt, [edit])
        except CellNotWritable:
            refused.add(cell)
    return data, refused


def _edit_of(file: CardFileNow, spec: GameSpec, ref: str, name: str, text: str) -> CellEdit | None:
    """The cell of a field; None where the file has none for it alone, or cannot be written cell by cell."""
    source = file.cards.sources[ref]
    if file.fmt not in WRITABLE or name not in source.columns:
        return None
    is_number = getattr(spec.all_fields().get(name), "type", "") in _NUMBERS
    raw = text if is_number else escaped_text(text)
    return CellEdit(source.place.sheet, source.place.line, source.columns[name], raw, is_number)


def card_table(
    game: Game,
    files: Sequence[DraftedFile],
    stored: StoredCards,
    drafts: Mapping[Cell, CellDraft],
    reading: CardReading,
) -> CardTable:
    """The table of some files and of the stored cards that are in none of them."""
    rows: dict[str, TableRow] = {}
    for file in files:
        for ref, row in _rows(game, file, stored, drafts):
            rows.setdefault(ref, row)
    drafted = _by_card(drafts)
    loose = {ref: card for ref, card in stored.cards.items() if ref not in rows}
    then = _loose_file({cell: draft for cell, draft in drafts.items() if cell[0] in loose}, reading)
    of_cells, _ = _by_cell(_checked(game, then, {}), game)
    changed = {row.ref: game.spec.card(row.ref, row.values) for row in then.cards.records}
    rows |= {
        ref: _loose_row(changed.get(ref, card), stored, drafted.get(ref, {}), of_cells) for ref, card in loose.items()
    }
    cells = tuple(then.patch_values())
    return CardTable(_fields(game.spec, rows.values()), rows, tuple(files), cells, then.cards.records)


def _loose_file(drafts: Mapping[Cell, CellDraft], reading: CardReading) -> CardFileNow:
    """Drafts of cards that are in no file, as a patch file of their own."""
    data = write_patch({cell: draft.text for cell, draft in drafts.items()})
    path = Path(UNFILED)
    cards = read_card_bytes(data, str(patch_path(path)), PATCH, reading._replace(with_sources=True))
    return CardFileNow(path, UNFILED, PATCH, FileContents(b"", data), cards)


def _fields(spec: GameSpec, rows: Iterable[TableRow]) -> tuple[str, ...]:
    """The columns of the table: those that any card fills, and those that a file has, in the order of the game."""
    used = {name for row in rows for name, text in row.texts.items() if text}
    own = [name for name in spec.all_fields() if name in used]
    first = [name for name in ("ref", "name", "type") if name in used or name == "ref"]
    return tuple(dict.fromkeys([*first, *own]))


def _rows(
    game: Game, file: DraftedFile, stored: StoredCards, drafts: Mapping[Cell, CellDraft]
) -> Iterator[tuple[str, TableRow]]:
    records = {row.ref: row.values for row in file.then.cards.records}
    of_cells, _ = _by_cell(file.then, game)
    of_cards = _by_card(of_cells)
    drafted, patched = _by_card(drafts), _by_card(file.now.patch_values())
    for ref, source in file.now.cards.sources.items():
        values, mine = stored.values.get(ref, {}), drafted.get(ref, {})
        own = {name: _raw_text(source.cells.get(name)) for name in source.fields} | patched.get(ref, {})
        elsewhere = {name: cell_text(value) for name, value in values.items() if name not in own}
        edited = {name: value for name, (_, value) in stored.edits.get(ref, {}).items() if name not in mine}
        unfiled = {name: cell_text(v) for name, v in edited.items() if records.get(ref, {}).get(name) == v}
        texts = {**elsewhere, **own, **unfiled, "ref": ref}
        conflicts = {name: texts.get(name, "") for name, draft in mine.items() if _differs(texts.get(name, ""), draft)}
        now = texts | {name: draft.text for name, draft in mine.items()}
        card = game.spec.card(ref, records[ref]) if ref in records else None
        yield ref, TableRow(
            ref, file.now.name, source.place.line, now, _stored_texts(ref, values), mine, conflicts,
            card, stored.cards.get(ref), tuple(chain.from_iterable(of_cards[ref].values())), _messages(of_cards[ref]),
        )  # fmt: skip


def _by_card(cells: Mapping[Cell, T]) -> dict[str, dict[str, T]]:
    by_card: dict[str, dict[str, T]] = defaultdict(dict)
    for (ref, name), value in cells.items():
        by_card[ref][name] = value
    return by_card


def _differs(text: str, draft: CellDraft) -> bool:
    """Whether a file holds neither what it held when a cell was edited, nor what the draft says."""
    return text not in (draft.before, draft.text)


def _raw_text(raw: Any) -> str:
    return "" if isinstance(raw, Flaw) else cell_text(raw)


def _stored_texts(ref: str, values: Mapping[str, Any]) -> dict[str, str]:
    return {name: cell_text(value) for name, value in values.items()} | ({"ref": ref} if values else {})


def _loose_row(
    card: Card, stored: StoredCards, drafts: Mapping[str, CellDraft], of_cells: Mapping[Cell, Sequence[Finding]]
) -> TableRow:
    """A stored card that is in no file that is there."""
    texts = _stored_texts(card.ref, stored.values[card.ref])
    now = texts | {name: draft.text for name, draft in drafts.items()}
    of_row = {name: findings for (ref, name), findings in of_cells.items() if ref == card.ref}
    findings = tuple(finding for of_cell in of_row.values() for finding in of_cell)
    faults = _messages(of_row)
    return TableRow(
        card.ref, "", 0, now, texts, drafts, {}, None if faults else card, stored.cards[card.ref], findings, faults
    )


def _messages(findings: Mapping[str, Sequence[Finding]]) -> dict[str, str]:
    """The message of the first error of each field."""
    wrong = {name: [f.message for f in of_cell if f.severity is Severity.ERROR] for name, of_cell in findings.items()}
    return {name: messages[0] for name, messages in wrong.items() if messages}


def _by_cell(file: CardFileNow, game: Game) -> tuple[dict[Cell, list[Finding]], list[Finding]]:
    """The findings of a file by card and field (empty: the whole row), and those of no card."""
    at: dict[tuple[str, int], str] = {}
    columns: dict[int, str] = {}
    for ref, source in file.cards.sources.items():
        at[source.place.sheet, source.place.line] = ref
        columns |= {column + 1: name for name, column in source.columns.items()}
    patch_lines = _patch_lines(file)
    of_cells: dict[Cell, list[Finding]] = defaultdict(list)
    of_file: list[Finding] = []
    for finding in game.with_rules(file.cards.findings):
        place = finding.where[0] if finding.where else None
        if place and place.file == file.patch_name and place.line in patch_lines:
            of_cells[patch_lines[place.line]].append(finding)
        elif place and (ref := at.get((place.sheet, place.line), "")):
            of_cells[ref, columns.get(place.column, "") if place.column else ""].append(finding)
        else:
            of_file.append(finding)
    return of_cells, of_file


def _patch_lines(file: CardFileNow) -> dict[int, Cell]:
    """The cells of its patch file by line."""
    text, _ = decode(file.contents.patch, "")
    rows = delimited_rows(text or "", "", ",")
    return {row.line: (str(row.cells.get(0, "")), str(row.cells.get(1, ""))) for row in rows if row.line > 1}
