"""The card files of a game, and the drafts of their cells: new texts that are not in a file yet."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from carddb.app.cards.load import keep_edits
from carddb.app.workspace.workspace import Workspace
from carddb.catalog.search import UNFILED
from carddb.catalog.store import UnfiledEdits
from carddb.core.errors import DataFault, InputError, UsageError
from carddb.core.files import NamedBytes, file_inside, read_file, write_file
from carddb.findings import Finding, Severity, has_errors
from carddb.game.game import GameSpec
from carddb.games import Game
from carddb.read.cards.file import MAX_BYTES, PATCH, CardFile, CardReading, format_of, read_card_bytes, with_patch
from carddb.read.cards.joined import is_patch, patch_path, patch_values, write_patch
from carddb.read.source import decode, read_bytes
from carddb.read.tables.cell_edit import WRITABLE, CellEdit, CellText, append_row, write_cells
from carddb.read.tables.grid import escaped_text
from carddb.read.tables.grid import rows as delimited_rows

FILE = ".carddb-drafts.json"
_SCHEMA = "carddb.drafts/1"

Cell = tuple[str, str]
"""A cell of the table: the reference of a card and a field."""


class CellDraft(NamedTuple):
    """A draft of a cell: its new text, its text in the file before the first edit, and the time of the last edit."""

    text: str
    before: str
    edited_at: str


class Drafts:
    """A project's drafts by game and cell, written to their file at each change. Raises InputError, OutputError."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE
        self.revision = 0
        """The number of changes since the drafts were read."""
        self._games: dict[str, dict[Cell, CellDraft]] = _read(self.path)

    def of(self, game: str) -> Mapping[Cell, CellDraft]:
        """Returns the drafts of a game, the oldest first."""
        return self._games.get(game, {})

    def set(self, game: str, cell: Cell, draft: CellDraft) -> None:
        """Stores the draft of a cell, replacing an earlier one."""
        self._games.setdefault(game, {})[cell] = draft
        self._write()

    def drop(self, game: str, *cells: Cell) -> None:
        """Removes the drafts of `cells`; cells without a draft are ignored."""
        of_game = self._games.get(game, {})
        if [of_game.pop(cell) for cell in cells if cell in of_game]:
            self._write()

    def _write(self) -> None:
        self.revision += 1
        rows = [
            {"game": game, "ref": ref, "field": field, **draft._asdict()}
            for game, drafts in self._games.items()
            for (ref, field), draft in drafts.items()
        ]
        if rows:
            text = json.dumps({"schema": _SCHEMA, "drafts": rows}, ensure_ascii=False, indent=1) + "\n"
            write_file(self.path, text.encode(), durable=False)
        else:
            self.path.unlink(missing_ok=True)


def _read(path: Path) -> dict[str, dict[Cell, CellDraft]]:
    games: dict[str, dict[Cell, CellDraft]] = {}
    try:
        document = json.loads(read_file(path, folder=path.parent))
        if document["schema"] != _SCHEMA:
            raise ValueError(document["schema"])
        for row in document["drafts"]:
            draft = CellDraft(*(str(row[name]) for name in CellDraft._fields))
            games.setdefault(str(row["game"]), {})[str(row["ref"]), str(row["field"])] = draft
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, KeyError, TypeError) as fault:
        raise InputError(f"{path} cannot be read as drafts of the studio", "Repair it, or move it away.") from fault
    return games


_USUAL_NAMES = ("cards.csv", "cards.xlsx", "cards.ods", "cards.tsv", "cards.json", "cards.yaml")


class FileContents(NamedTuple):
    """The bytes of a card file, and of the patch file beside it (empty if there is none)."""

    data: bytes
    patch: bytes


class CardFileNow(NamedTuple):
    """A card file with its displayed name, its format, its contents, and the cards in it."""

    path: Path
    name: str
    fmt: str
    contents: FileContents
    cards: CardFile

    def patch_values(self) -> dict[tuple[str, str], str]:
        """Returns the values in the patch file, as `{(reference, field): text}`."""
        return patch_values(self.contents.patch) if self.contents.patch else {}


def files_of(project: Workspace, game: Game, sources: Mapping[str, Collection[str]]) -> list[Path]:
    """Returns the existing card files of a game: those from which cards were loaded, and those with a usual name."""
    root = project.art_folder
    source_names = {source for of_card in sources.values() for source in of_card}
    own = [] if game.folder.bundled else [game.folder.path / name for name in _USUAL_NAMES]
    usual = [root / name for name in _USUAL_NAMES] if project.settings.game == game.key else []
    paths = [path for source in sorted(source_names) if (path := path_of(project, source))]
    paths += [path for path in (*usual, *own) if path.is_file() and not path.is_symlink()]
    return list(dict.fromkeys(path for path in paths if not is_patch(path)))


def path_of(project: Workspace, source: str) -> Path | None:
    """Returns the path of the card file from which a revision was loaded; None if there is no such card file now."""
    for folder in (project.art_folder, project.folder.absolute(), Path.cwd()):
        path = folder / source
        try:
            format_of(path)
            if path.is_file():
                return path.resolve()
        except (UsageError, OSError, ValueError):
            continue
    return None


def contents_of(path: Path) -> FileContents:
    """Returns the bytes of a card file and of its patch file. Raises InputError if one cannot be read."""
    patch = patch_path(path)
    return FileContents(_bytes(path), _bytes(file_inside(path.parent, patch, MAX_BYTES)) if patch.is_file() else b"")


def _bytes(file: Path | NamedBytes) -> bytes:
    data, findings = read_bytes(file, MAX_BYTES)
    if findings:
        raise InputError(findings[0].message, findings[0].fix)
    return data


def read_contents(path: Path, name: str, contents: FileContents, reading: CardReading) -> CardFileNow:
    """Reads the cards in the contents of a file, with their places. Raises InputError if the file is damaged."""
    fmt = format_of(path)
    cards = read_card_bytes(contents.data, name, fmt, reading._replace(with_sources=True))
    if contents.patch:
        cards = with_patch(cards, contents.patch, patch_path(Path(name)).as_posix(), reading)
    return CardFileNow(path, name, fmt, contents, cards)


def name_of(project: Workspace, path: Path) -> str:
    """Returns the displayed name of a file: its path from the project's folder, or its full path if it is outside."""
    root = project.art_folder.resolve()
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path)


_NUMBERS = ("integer", "number")
_LAST_NUMBER = re.compile(r"\d+(?=\D*$)")


def takes_new_cards(file: CardFileNow) -> bool:
    """Returns whether a line can be added to a file: it is CSV, TSV or XLSX, and its cards have references."""
    return file.fmt in WRITABLE and any("ref" in source.columns for source in file.cards.sources.values())


def new_cards(file: CardFileNow, drafts: Mapping[Cell, CellDraft]) -> dict[str, dict[str, CellDraft]]:
    """Returns the drafts of the new cards of a file, by reference and field; their drafts of `ref` are its name."""
    refs = {ref for (ref, name), draft in drafts.items() if name == "ref" and draft.text == file.name}
    new: dict[str, dict[str, CellDraft]] = defaultdict(dict)
    for (ref, name), draft in drafts.items():
        if ref in refs and ref not in file.cards.sources:
            new[ref][name] = draft
    return new


def with_new_cards(
    file: CardFileNow, data: bytes, spec: GameSpec, cards: Mapping[str, Mapping[str, CellDraft]]
) -> tuple[bytes, dict[Cell, str]]:
    """Returns the bytes `data` of a file with a line added for each new card, and the texts for which it has no column.

    A file to which no line can be added is returned unchanged.
    """
    if not cards or not takes_new_cards(file):
        return data, {}
    last = [source for source in file.cards.sources.values() if "ref" in source.columns][-1]
    without_column: dict[Cell, str] = {}
    for ref, drafts in cards.items():
        texts = {name: draft.text for name, draft in drafts.items()} | {"ref": ref}
        cells = {last.columns[name]: raw_text(spec, name, text) for name, text in texts.items() if name in last.columns}
        try:
            data = append_row(data, file.fmt, last.place().sheet, cells)
        except DataFault:
            continue
        without_column |= {(ref, name): text for name, text in texts.items() if name not in last.columns}
    return data, without_column


def raw_text(spec: GameSpec, name: str, text: str) -> CellText:
    """Returns the text of the field `name` as a cell of a table file has it: as a number, or as escaped text."""
    is_number = getattr(spec.all_fields().get(name), "type", "") in _NUMBERS
    return CellText(text if is_number else escaped_text(text), is_number)


def next_reference(file: CardFileNow, taken: Collection[str]) -> str:
    """Returns the next free reference after the last one in a file, `L-08` after `L-07`; empty if it has no number."""
    last = next(reversed(list(file.cards.sources)), "")
    number = _LAST_NUMBER.search(last)
    ref = last
    while number and ref in taken:
        ref = f"{ref[: number.start()]}{int(number[0]) + 1:0{len(number[0])}}{last[number.end() :]}"
        number = _LAST_NUMBER.search(ref)
    return ref if number else ""


def findings_by_cell(file: CardFileNow, game: Game) -> tuple[dict[Cell, list[Finding]], list[Finding]]:
    """Returns the findings about rows of a file, by card and field (empty: the whole row), and the other findings."""
    at: dict[tuple[str, int], str] = {}
    columns: dict[int, str] = {}
    for ref, source in file.cards.sources.items():
        at[source.place().sheet, source.place().line] = ref
        columns |= {column + 1: name for name, column in source.columns.items()}
    patch = patch_path(Path(file.name)).as_posix()
    text, _ = decode(file.contents.patch, "")
    rows = delimited_rows(text or "", "", ",")
    patch_lines = {row.line: (str(row.cells.get(0, "")), str(row.cells.get(1, ""))) for row in rows if row.line > 1}
    of_cells: dict[Cell, list[Finding]] = defaultdict(list)
    of_file: list[Finding] = []
    for finding in game.with_rules(file.cards.findings):
        place = finding.where[0] if finding.where else None
        if place and place.file == patch and place.line in patch_lines:
            of_cells[patch_lines[place.line]].append(finding)
        elif place and (ref := at.get((place.sheet, place.line), "")):
            of_cells[ref, columns.get(place.column, "") if place.column else place.column_name].append(finding)
        else:
            of_file.append(finding)
    return of_cells, of_file


def error_messages(findings: Mapping[str, Sequence[Finding]]) -> dict[str, str]:
    """Returns the message of the first error of each field that has one, as `{field: message}`."""
    wrong = {name: [f.message for f in of_cell if f.severity is Severity.ERROR] for name, of_cell in findings.items()}
    return {name: messages[0] for name, messages in wrong.items() if messages}


@dataclass(frozen=True, slots=True)
class DraftedFile:
    """A card file as it is on disk (`now`), and as it would be with its drafts (`then`).

    `cells` are the cells with a draft, `sound` the cells with a draft that has no error.
    """

    now: CardFileNow
    then: CardFileNow
    cells: tuple[Cell, ...] = ()
    sound: tuple[Cell, ...] = ()
    findings: tuple[Finding, ...] = ()
    """The findings about the file as a whole, such as those about headings, quotes and repeated cards."""


def drafted_file(
    game: Game, now: CardFileNow, reading: CardReading, drafts: Mapping[Cell, CellDraft], edits: UnfiledEdits
) -> DraftedFile:
    """Returns a card file with the drafts of its cells. `now`, the file on disk, must come from `checked_file`.

    If a draft of a new card has an error, none of the card's drafts is sound.
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
    """Returns the file, with `edits` (which are only in the catalogue) applied, and the game's own findings added."""
    list(keep_edits(file.cards, edits))
    pairs = ((game.spec.card(row.ref, row.values), row.place) for row in file.cards.records)
    file.cards.findings.extend(game.faults_of(pairs))
    return file


def with_drafts(file: CardFileNow, spec: GameSpec, drafts: Mapping[Cell, CellDraft]) -> FileContents:
    """Returns the contents of a file with drafts: in cells if possible, else in the patch file, and new cards last."""
    new = new_cards(file, drafts)
    old = {cell: draft for cell, draft in drafts.items() if cell[0] not in new}
    patch = file.patch_values()
    edits: dict[Cell, CellEdit] = {}
    for (ref, name), draft in old.items():
        source = file.cards.sources[ref]
        # A field that has no cell, or is in a file whose cells cannot be written, goes into the patch file.
        if (ref, name) not in patch and file.fmt in WRITABLE and name in source.columns:
            raw = raw_text(spec, name, draft.text)
            place = source.place()
            edits[ref, name] = CellEdit(place.sheet, place.line, source.columns[name], raw.text, raw.is_number)
    data, refused = _written(file, edits)
    patch |= {cell: draft.text for cell, draft in old.items() if cell in refused or cell not in edits}
    data, without_column = with_new_cards(file, data, spec, new)
    patch |= without_column
    return FileContents(data, write_patch(patch) if patch else b"")


def _written(file: CardFileNow, edits: Mapping[Cell, CellEdit]) -> tuple[bytes, set[Cell]]:
    """Returns the bytes of a file with the cells of `edits` written, and those of the cells that cannot be written."""
    data = file.contents.data
    try:
        return (write_cells(data, file.fmt, list(edits.values())) if edits else data), set()
    except DataFault:
        refused = set()
    for cell, edit in edits.items():
        try:
            data = write_cells(data, file.fmt, [edit])
        except DataFault:
            refused.add(cell)
    return data, refused


def loose_file(drafts: Mapping[Cell, CellDraft], reading: CardReading) -> CardFileNow:
    """Returns a patch file in memory with `drafts`, those of cards that are in no file."""
    data = write_patch({cell: draft.text for cell, draft in drafts.items()})
    path = Path(UNFILED)
    cards = read_card_bytes(data, str(patch_path(path)), PATCH, reading._replace(with_sources=True))
    return CardFileNow(path, UNFILED, PATCH, FileContents(b"", data), cards)
