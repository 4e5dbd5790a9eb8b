"""A card file with the drafts of its cards: what it would hold, and which of them are sound."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from carddb.app.cards.unfiled_edits import keep_edits
from carddb.app.studio.card_files import CardFileNow, FileContents, read_contents
from carddb.app.studio.drafts import Cell, CellDraft
from carddb.app.studio.new_cards import new_cards, raw_text, with_new_cards
from carddb.catalog.revisions import UNFILED
from carddb.catalog.store import UnfiledEdits
from carddb.core.errors import CellFault
from carddb.findings import Finding, Severity, has_errors
from carddb.game.game import GameSpec
from carddb.games import Game
from carddb.read.cards.file import PATCH, CardReading, read_card_bytes
from carddb.read.cards.patch_file import patch_path, write_patch
from carddb.read.source import decode
from carddb.read.tables.cell_edit import WRITABLE, write_cells
from carddb.read.tables.delimited import rows as delimited_rows
from carddb.read.tables.grid import CellEdit


def findings_by_cell(file: CardFileNow, game: Game) -> tuple[dict[Cell, list[Finding]], list[Finding]]:
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


def error_messages(findings: Mapping[str, Sequence[Finding]]) -> dict[str, str]:
    """The message of the first error of each field."""
    wrong = {name: [f.message for f in of_cell if f.severity is Severity.ERROR] for name, of_cell in findings.items()}
    return {name: messages[0] for name, messages in wrong.items() if messages}


@dataclass(frozen=True, slots=True)
class DraftedFile:
    """A card file with its drafts: `now` as it is on disk, `then` as it would be, and the cells with a sound draft."""

    now: CardFileNow
    then: CardFileNow
    cells: tuple[Cell, ...] = ()
    sound: tuple[Cell, ...] = ()
    findings: tuple[Finding, ...] = ()
    """What is wrong with the file beside the cards of the table: headings, quotes, cards that stand twice."""


def drafted_file(
    game: Game, now: CardFileNow, reading: CardReading, drafts: Mapping[Cell, CellDraft], edits: UnfiledEdits
) -> DraftedFile:
    """A card file as it would be with the drafts of its cards; those that are in error are left out of `sound`.

    Of a new card all drafts are sound, or none. `now` is a checked file.
    """
    new = new_cards(now, drafts)
    in_file = {cell: draft for cell, draft in drafts.items() if cell[0] in now.cards.sources and cell[1] != "ref"}
    applied = in_file | {(ref, name): draft for ref, cells in new.items() for name, draft in cells.items()}
    then = now
    if applied:
        contents = with_drafts(now, game.spec, applied)
        then = checked_file(game, read_contents(now.path, now.name, contents, reading), edits)
    of_cells, of_file = findings_by_cell(then, game)
    wrong = {cell for cell, of_row in of_cells.items() if has_errors(of_row)}
    left = {ref for ref in new if ref not in then.cards.sources} | {ref for ref, _ in wrong if ref in new}
    sound = tuple(cell for cell in applied if not {cell, (cell[0], "")} & wrong and cell[0] not in left)
    return DraftedFile(now, then, tuple(applied), sound, tuple(of_file))


def checked_file(game: Game, file: CardFileNow, edits: UnfiledEdits) -> CardFileNow:
    """A file with the game's own findings, and with edits that it lacks."""
    list(keep_edits(file.cards, edits))
    pairs = ((game.spec.card(row.ref, row.values), row.place) for row in file.cards.records)
    file.cards.findings.extend(game.faults_of(pairs))
    return file


def with_drafts(file: CardFileNow, spec: GameSpec, drafts: Mapping[Cell, CellDraft]) -> FileContents:
    """The contents of a file with drafts written: into its cells where that can be, else into its patch file.

    New cards are lines at its end.
    """
    new = new_cards(file, drafts)
    old = {cell: draft for cell, draft in drafts.items() if cell[0] not in new}
    patch = file.patch_values()
    edits = {cell: _edit_of(file, spec, *cell, draft.text) for cell, draft in old.items() if cell not in patch}
    data, refused = _written(file, {cell: edit for cell, edit in edits.items() if edit})
    for cell, draft in old.items():
        if cell in refused or edits.get(cell) is None:
            patch[cell] = draft.text
    data, without_column = with_new_cards(file, data, spec, new)
    patch |= without_column
    return FileContents(data, write_patch(patch) if patch else b"")


def _written(file: CardFileNow, edits: Mapping[Cell, CellEdit]) -> tuple[bytes, set[Cell]]:
    """The bytes of a file with some cells written, and the cells that cannot be."""
    data = file.contents.data
    try:
        return (write_cells(data, file.fmt, list(edits.values())) if edits else data), set()
    except CellFault:
        refused = set()
    for cell, edit in edits.items():
        try:
            data = write_cells(data, file.fmt, [edit])
        except CellFault:
            refused.add(cell)
    return data, refused


def _edit_of(file: CardFileNow, spec: GameSpec, ref: str, name: str, text: str) -> CellEdit | None:
    """The cell of a field; None where the file has none for it alone, or cannot be written cell by cell."""
    source = file.cards.sources[ref]
    if file.fmt not in WRITABLE or name not in source.columns:
        return None
    raw = raw_text(spec, name, text)
    return CellEdit(source.place.sheet, source.place.line, source.columns[name], raw.text, raw.is_number)


def loose_file(drafts: Mapping[Cell, CellDraft], reading: CardReading) -> CardFileNow:
    """Drafts of cards that are in no file, as a patch file of their own."""
    data = write_patch({cell: draft.text for cell, draft in drafts.items()})
    path = Path(UNFILED)
    cards = read_card_bytes(data, str(patch_path(path)), PATCH, reading._replace(with_sources=True))
    return CardFileNow(path, UNFILED, PATCH, FileContents(b"", data), cards)
