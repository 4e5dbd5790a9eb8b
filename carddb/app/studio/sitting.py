"""Editing the cards of one game in the studio: the table of cards in the catalogue and in files, with the drafts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from carddb.app.cards.load import LoadRequest, card_reading, load_files
from carddb.app.studio.drafted_file import (
    CardFileNow,
    Cell,
    CellDraft,
    DraftedFile,
    Drafts,
    FileContents,
    checked_file,
    contents_of,
    drafted_file,
    error_messages,
    files_of,
    findings_by_cell,
    loose_file,
    name_of,
    next_reference,
    read_contents,
    takes_new_cards,
    with_drafts,
)
from carddb.app.workspace.clock import now, today
from carddb.app.workspace.words import user
from carddb.app.workspace.workspace import Workspace, catalogue_state
from carddb.cards.cards import Card, ReadCard
from carddb.catalog.search import UNFILED, CardChange
from carddb.catalog.store import UnfiledEdits
from carddb.core.cache import LruCache
from carddb.core.errors import OutputError, UsageError
from carddb.core.files import locked, write_file
from carddb.core.names import did_you_mean
from carddb.core.plain_text import amount
from carddb.findings import Finding, has_errors
from carddb.game.game import GameSpec
from carddb.games import Game
from carddb.read.cards.export import cell_text
from carddb.read.cards.file import CardReading
from carddb.read.cards.joined import patch_path


@dataclass(frozen=True, slots=True)
class StoredCards:
    """The cards of a game in the catalogue, and their given values, by reference; and the edits that are in no file.

    `sources` are the files from which the revisions of each card were loaded.
    """

    values: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    cards: Mapping[str, Card] = field(default_factory=dict)
    edits: UnfiledEdits = field(default_factory=dict)
    sources: Mapping[str, list[str]] = field(default_factory=dict)


FIXED = ("ref", "set")
"""The fields that are shown but cannot be edited, because they identify the card."""
T = TypeVar("T")


class TableRow(NamedTuple):
    """A card in the table. Everything in mappings is by field.

    `texts` are its cells with their drafts, and `stored_texts` the cells as they are in the catalogue. `conflicts` are
    the texts that another program has written into the file since the draft was begun. `card` is the card that would be
    stored, or None if its row has an error; `stored` is the card in the catalogue, or None if it is new. `findings` are
    those about the row, and `faults` the messages of errors (empty field: the whole row).
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
        """The card whose face is shown: as it would be stored, or if it has an error, as it is (None: it is new)."""
        return self.card or self.stored

    @property
    def changed(self) -> list[str]:
        """The fields in which the card differs from the catalogue; if it is new or has an error, those with a draft."""
        if self.card is None or self.stored is None:
            return list(self.drafts)
        now, then = self.card.values, self.stored.values
        return [name for name in dict.fromkeys([*now, *then]) if now.get(name) != then.get(name)]


@dataclass(frozen=True, slots=True)
class CardTable:
    """The table of a game's cards: its columns (`fields`), and its rows by reference, in the order of the files."""

    fields: tuple[str, ...]
    rows: Mapping[str, TableRow]
    files: tuple[DraftedFile, ...] = ()
    loose: tuple[Cell, ...] = ()
    """The cells with a draft whose cards are stored, but are in no existing file."""
    loose_records: Sequence[ReadCard] = ()
    """The cards of these cells as they would be stored, without those that have errors."""


def card_table(
    game: Game,
    files: Sequence[DraftedFile],
    stored: StoredCards,
    drafts: Mapping[Cell, CellDraft],
    reading: CardReading,
) -> CardTable:
    """Returns the table of the cards in `files`, followed by the stored cards that are in none of them."""
    rows: dict[str, TableRow] = {}
    for file in files:
        for ref, row in _rows(game, file, stored, drafts):
            rows.setdefault(ref, row)
    drafted = _by_card(drafts)
    loose = {ref: card for ref, card in stored.cards.items() if ref not in rows}
    then = loose_file({cell: draft for cell, draft in drafts.items() if cell[0] in loose}, reading)
    of_cards = _by_card(findings_by_cell(checked_file(game, then, {}), game)[0])
    changed = {row.ref: game.spec.card(row.ref, row.values) for row in then.cards.records}
    for ref, card in loose.items():
        texts, mine, of_card = _stored_texts(ref, stored.values[ref]), drafted.get(ref, {}), of_cards.get(ref, {})
        now = texts | {name: draft.text for name, draft in mine.items()}
        faults, findings = error_messages(of_card), tuple(chain.from_iterable(of_card.values()))
        shown = None if faults else changed.get(ref, card)
        rows[ref] = TableRow(ref, "", 0, now, texts, mine, {}, shown, card, findings, faults)
    cells = tuple(then.patch_values())
    for ref, mine in drafted.items():
        if ref not in rows:  # the card is not stored, and its file is missing
            texts = {name: draft.text for name, draft in mine.items()} | {"ref": ref}
            file_name = mine["ref"].text if "ref" in mine else "the file of this card"
            faults = {"ref": f"{file_name} does not exist, or no line can be added to it"}
            rows[ref] = TableRow(ref, "", 0, texts, {}, mine, {}, None, None, (), faults)
    return CardTable(_fields(game.spec, rows.values(), files), rows, tuple(files), cells, then.cards.records)


def _fields(spec: GameSpec, rows: Iterable[TableRow], files: Iterable[DraftedFile]) -> tuple[str, ...]:
    """Returns the columns of the table in the game's order: fields for which a card has a text, or a file a column."""
    used = {name for row in rows for name, text in row.texts.items() if text}
    used |= {name for file in files for source in file.now.cards.sources.values() for name in source.columns}
    own = [name for name in spec.all_fields() if name in used]
    first = [name for name in ("ref", "name", "type") if name in used or name == "ref"]
    return tuple(dict.fromkeys([*first, *own]))


def _rows(
    game: Game, file: DraftedFile, stored: StoredCards, drafts: Mapping[Cell, CellDraft]
) -> Iterator[tuple[str, TableRow]]:
    records = {row.ref: row.values for row in file.then.cards.records}
    of_cells, _ = findings_by_cell(file.then, game)
    of_cards = _by_card(of_cells)
    drafted, patched = _by_card(drafts), _by_card(file.now.patch_values())
    for ref, source in {**file.then.cards.sources, **file.now.cards.sources}.items():
        values, mine = stored.values.get(ref, {}), drafted.get(ref, {})
        is_new = ref not in file.now.cards.sources
        raw = {} if is_new else {name: source.cells.get(name) for name in source.fields}
        own = {name: "" if isinstance(cell, Finding) else cell_text(cell) for name, cell in raw.items()}
        own |= patched.get(ref, {})
        elsewhere = {name: cell_text(value) for name, value in values.items() if name not in own}
        edited = {name: value for name, (_, value) in stored.edits.get(ref, {}).items() if name not in mine}
        unfiled = {name: cell_text(v) for name, v in edited.items() if records.get(ref, {}).get(name) == v}
        texts = {**elsewhere, **own, **unfiled, "ref": ref}
        conflicts = {name: texts.get(name, "") for name, draft in mine.items()
                     if name != "ref" and texts.get(name, "") not in (draft.before, draft.text)}  # fmt: skip
        now = texts | {name: draft.text for name, draft in mine.items() if name != "ref"}
        card = game.spec.card(ref, records[ref]) if ref in records else None
        yield ref, TableRow(
            ref, file.now.name, source.place().line, now, _stored_texts(ref, values), mine, conflicts, card,
            stored.cards.get(ref), tuple(chain.from_iterable(of_cards[ref].values())), error_messages(of_cards[ref]),
        )  # fmt: skip


def _by_card(cells: Mapping[Cell, T]) -> dict[str, dict[str, T]]:
    by_card: dict[str, dict[str, T]] = defaultdict(dict)
    for (ref, name), value in cells.items():
        by_card[ref][name] = value
    return by_card


def _stored_texts(ref: str, values: Mapping[str, Any]) -> dict[str, str]:
    return {name: cell_text(value) for name, value in values.items()} | ({"ref": ref} if values else {})


class StoreReport(NamedTuple):
    """The result of storing drafts: the changes of cards, the files written, and the cards whose edits are in no file.

    `refused` are sentences about what was not stored and why; `findings` are the errors in files.
    """

    changes: tuple[CardChange, ...] = ()
    files: tuple[str, ...] = ()
    unfiled: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()


class Sitting:
    """The editing of one game's cards. Threads must not share it."""

    def __init__(self, project: Workspace, game: Game, drafts: Drafts) -> None:
        self.project = project
        self.game = game
        self.drafts = drafts
        self._table: LruCache[object, CardTable] = LruCache(1)
        self._stored: LruCache[object, StoredCards] = LruCache(1)
        """The stored cards, read again if the catalogue has changed; 2,000 cards take 450 ms."""
        self._files: dict[Path, tuple[object, CardFileNow]] = {}
        """The files as last read, with the state by which they are known; reading 2,000 cards again takes 400 ms."""

    def table(self) -> CardTable:
        """Returns the table of the cards as they are now. Raises CatalogError, and InputError for a card file."""
        stored = self._stored_cards()
        contents = {path: contents_of(path) for path in files_of(self.project, self.game, stored.sources)}
        state = (id(self.game), id(stored), self.drafts.revision, *contents.items())
        return self._table.get(state, lambda: self._read(contents, stored))

    def _stored_cards(self) -> StoredCards:
        """Returns the cards in the catalogue; as long as nothing changes, this is the same object."""
        spec = self.game.spec

        def read() -> StoredCards:
            with self.project.catalog() as catalog:
                given = dict(catalog.given(spec, spec.query(""), day=today()))
                cards = {card.ref: card for card in catalog.search(spec, day=today())}
                return StoredCards(given, cards, catalog.unfiled_edits(spec.key), catalog.sources(spec.key))

        return self._stored.get((id(self.game), today(), catalogue_state(self.project.catalog_path)), read)

    def _read(self, contents: Mapping[Path, FileContents], stored: StoredCards) -> CardTable:
        game, drafts = self.game, self.drafts.of(self.game.key)
        files: list[DraftedFile] = []
        with self.project.catalog() as catalog:
            for path, of_file in contents.items():
                reading = card_reading(self.project, game, path.stem, LoadRequest(), catalog)
                state = (id(game), id(stored), of_file)
                if path not in self._files or self._files[path][0] != state:
                    file = read_contents(path, name_of(self.project, path), of_file, reading)
                    self._files[path] = state, checked_file(game, file, stored.edits)
                files.append(drafted_file(game, self._files[path][1], reading, drafts, stored.edits))
            reading = card_reading(self.project, game, UNFILED, LoadRequest(), catalog)
            return card_table(game, files, stored, drafts, reading)

    def row(self, ref: str) -> TableRow:
        """Returns the row of the card `ref`. Raises UsageError, suggesting the nearest reference, if there is none."""
        rows = self.table().rows
        if ref not in rows:
            raise UsageError(f"the table has no card {ref!r}", did_you_mean(ref, rows) or "Add the card first.")
        return rows[ref]

    def edit(self, cells: Mapping[Cell, str]) -> None:
        """Stores new texts as drafts, or removes drafts equal to the file. Raises UsageError for a fixed field."""
        fields = self.game.spec.all_fields()
        rows = {ref: self.row(ref) for ref, _ in cells}
        for (ref, name), text in cells.items():
            clean, present = text.replace("\r\n", "\n").replace("\r", "\n").strip(), rows[ref].texts.get(name, "")
            if clean == present.strip():
                continue
            if name in FIXED or (name not in fields and name not in ("name", "type")):
                raise UsageError(f"the field {name!r} of {ref} cannot be edited here", "Change it in the file.")
            draft = rows[ref].drafts.get(name)
            before = draft.before if draft else present
            if clean == before:
                self.drafts.drop(self.game.key, (ref, name))
            else:
                self.drafts.set(self.game.key, (ref, name), CellDraft(clean, before, now().isoformat("T", "seconds")))

    def places(self) -> dict[str, str]:
        """Returns the names of files to which a card can be added, each with a proposed reference (may be empty)."""
        table = self.table()
        return {
            file.now.name: next_reference(file.now, table.rows.keys())
            for file in table.files
            if takes_new_cards(file.now)
        }

    def add(self, ref: str, file: str, values: Mapping[str, str]) -> None:
        """Adds a new card as drafts; storing them writes it as a line at the end of the file called `file`.

        Raises UsageError if no card can be added to the file, or if the reference is taken or invalid.
        """
        ref, places = ref.strip(), self.places()
        if not places:
            problem = "no line can be added to any card file of this game"
            raise UsageError(problem, "Keep the cards in a CSV, TSV or XLSX file, or write it into their file by hand.")
        if file not in places:
            raise UsageError(f"no card can be added to {file!r}", did_you_mean(file, places))
        if ref in self.table().rows:
            raise UsageError(f"there is a card {ref} already", "Give the new one another reference.")
        edited_at = now().isoformat("T", "seconds")
        drafts = {"ref": file, **{name: text.strip() for name, text in values.items() if text.strip()}}
        for name, text in drafts.items():
            self.drafts.set(self.game.key, (ref, name), CellDraft(text, "", edited_at))
        if not self.table().rows[ref].file:
            self.drop((ref, "ref"))
            raise UsageError(f"{ref!r} cannot be a reference in {file}", "Use letters, digits, dots and hyphens.")

    def drop(self, *cells: Cell) -> None:
        """Removes drafts, so that cells have their file's text again; a new card is removed with the draft of `ref`."""
        drafts = self.drafts.of(self.game.key)
        whole = {ref for ref, name in cells if name == "ref"}
        self.drafts.drop(self.game.key, *cells, *(cell for cell in drafts if cell[0] in whole))

    def keep_mine(self, ref: str, name: str) -> None:
        """Ends the conflict of a draft with a changed file by keeping the draft. Raises UsageError without a draft."""
        row = self.row(ref)
        if name not in row.drafts:
            raise UsageError(f"{ref} has no draft of {name}", "Load the page again.")
        before = row.conflicts.get(name, row.drafts[name].before)
        self.drafts.set(self.game.key, (ref, name), row.drafts[name]._replace(before=before))

    def store(self) -> StoreReport:
        """Writes the drafts without errors into their files, and loads the files; each card gets one revision.

        Drafts stay drafts if they have errors, or if their file has errors elsewhere, or another program has changed
        one of their cells. If a file cannot be written, nor its patch file, the edits are stored only in the catalogue.
        """
        reports = [self._store_file(file.now.path) for file in self.table().files]
        reports.append(self._store_unfiled(self.table().loose, self.table().loose_records))
        return StoreReport(*(tuple(chain.from_iterable(parts)) for parts in zip(*reports, strict=True)))

    def _store_file(self, path: Path) -> StoreReport:
        with locked(path):
            file = next((file for file in self.table().files if file.now.path == path), None)
            rows = self.table().rows
            if file is None:
                return StoreReport()
            own = (row for row in rows.values() if row.file == file.now.name and not row.drafts)
            if not file.sound and not any(row.stored is None or row.changed for row in own):
                return StoreReport()  # neither a draft without errors, nor a change by another program
            conflicts = [cell for cell in file.cells if cell[0] in rows and cell[1] in rows[cell[0]].conflicts]
            if conflicts:
                cells = ", ".join(f"{name} of {ref}" for ref, name in conflicts[:5])
                refusal = f"another program has changed {cells} in {file.now.name}: choose whose text to keep"
                return StoreReport(refused=(refusal,))
            drafts = self.drafts.of(self.game.key)
            return self._write(file, {cell: drafts[cell] for cell in file.sound})

    def _write(self, file: DraftedFile, drafts: Mapping[Cell, CellDraft]) -> StoreReport:
        """Writes drafts into a file and its patch file, and loads it; if they cannot be written, into the catalogue."""
        path, before = file.now.path, file.now.contents
        contents = with_drafts(file.now, self.game.spec, drafts)
        with self.project.catalog() as catalog:
            reading = card_reading(self.project, self.game, path.stem, LoadRequest(), catalog)
            then = drafted_file(self.game, read_contents(path, file.now.name, contents, reading), reading, {}, {}).then
        wrong = [finding for finding in then.cards.findings if has_errors([finding])]
        if wrong:
            what = f"{file.now.name} has {amount(len(wrong), 'error')} besides the drafts: correct the file first"
            return StoreReport(refused=(what,), findings=tuple(wrong))
        refs = {ref for ref, _ in drafts}
        written = []
        try:
            for target, old, new in (
                (path, before.data, contents.data),
                (patch_path(path), before.patch, contents.patch),
            ):
                if new != old:
                    write_file(target, new)
                    written.append(name_of(self.project, target))
        except OutputError as fault:
            return self._store_unfiled(tuple(drafts), [row for row in then.cards.records if row.ref in refs], fault)
        here = Path.cwd().resolve()
        named = path.relative_to(here) if path.is_relative_to(here) else path  # as the command line would name it
        report = load_files(self.project, (named,), LoadRequest(self.game.key))
        if not report.ok:
            return StoreReport(refused=(report.refusal,), findings=report.findings)
        self.drop(*drafts)
        self.drafts.drop(self.game.key, *((ref, "ref") for ref in file.now.cards.sources))
        changes = [c for _, result in report.cards for c in (*result.added, *result.changed, *result.restored)]
        return StoreReport(tuple(changes), tuple(written))

    def _store_unfiled(
        self, cells: Sequence[Cell], records: Sequence[ReadCard], fault: OutputError | None = None
    ) -> StoreReport:
        """Stores `records` only in the catalogue, and drops their drafts in `cells`; `fault` says why not in a file."""
        if not cells:
            return StoreReport()
        refs = {row.ref for row in records}
        with self.project.catalog() as catalog:
            result = catalog.load(
                self.game.spec, records, day=today(), sets=frozenset(), author=user(), source=UNFILED,
                recorded_at=now(),
            )  # fmt: skip
        if result.refused:
            return StoreReport(refused=("the cards have errors, and were not stored",), findings=result.findings)
        self.drop(*(cell for cell in cells if cell[0] in refs))
        return StoreReport(result.changed, (), tuple(sorted(refs)), (fault.message,) if fault else ())
