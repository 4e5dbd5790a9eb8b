"""The studio: the card table, the faces and the rule sheet of a game, read again when its files are saved."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from watchfiles import awatch

from carddb.app.documents import print_rule_sheet
from carddb.app.studio.drafted_file import Drafts
from carddb.app.studio.faces import (
    FaceFault,
    FaceLook,
    FileFault,
    StudioFace,
    StudioFaces,
    fault_of,
    finding_faults,
    rules_fault,
)
from carddb.app.studio.sitting import FIXED, CardTable, Sitting, TableRow
from carddb.app.workspace.workspace import Workspace
from carddb.cards.changes import TextChange, word_changes
from carddb.core import assets
from carddb.core.errors import CarddbError, GameError
from carddb.core.files import FileState, file_state
from carddb.findings import Finding, in_order
from carddb.games import Game, load
from carddb.layout.templates.template import BASE
from carddb.press.faces.art import pictures_missing

_DEBOUNCE, _STEP = 50, 10
"""The time for which changes are collected, and between two looks for them, in ms; a save is reported within 21 ms."""
_KINDS = {
    ".svg": "template", ".csv": "cards", ".tsv": "cards", ".xlsx": "cards", ".ods": "cards", ".json": "cards",
    ".yaml": "game", ".yml": "game", ".md": "guide", ".ttf": "font", ".otf": "font", ".png": "art", ".jpg": "art",
    ".jpeg": "art", ".webp": "art", ".gif": "art", ".bmp": "art", ".tif": "art", ".tiff": "art", ".db": "catalogue",
}  # fmt: skip
"""The kinds of files on which a face may depend, by suffix; an SVG picture is `art`, and other files do not matter."""


def watched_folders(project: Workspace, game: Game) -> list[Path]:
    """Returns the folders of a game's cards and faces; folders are watched, because a saved file may be a new file."""
    folders = (project.art_folder, game.folder.path, game.folder.template_folder, assets.templates() / BASE)
    there = [folder.resolve() for folder in folders if folder.is_dir()]
    return [
        one for one in dict.fromkeys(there) if not any(one != other and one.is_relative_to(other) for other in there)
    ]


def kind_of(path: Path, project: Workspace) -> str:
    """Returns the kind of a file on which a face may depend (see `_KINDS`); empty for other files."""
    if path.name.startswith("."):
        return ""
    kind = _KINDS.get(path.suffix.lower(), "")
    if kind == "template" and path.is_relative_to(project.art_folder.resolve()) and path.parent.name != "templates":
        return "art"
    return kind


async def saved_files(project: Workspace, game: Game) -> AsyncIterator[dict[str, str]]:
    """Yields the files that were saved, created or removed together, as `{name: kind}`: `{"unit.svg": "template"}`.

    The first mapping is empty, and means that the folders are watched from now on; the caller must look for earlier
    changes itself. The generator runs until it is closed.
    """
    folders = watched_folders(project, game)
    is_watching = False
    async for changes in awatch(*folders, debounce=_DEBOUNCE, step=_STEP, rust_timeout=500, yield_on_timeout=True):
        saved = {path.name: kind for _, name in changes if (kind := kind_of(path := Path(name), project))}
        if saved or not is_watching:
            is_watching = True
            yield saved


@dataclass(frozen=True, slots=True)
class GuideView:
    """The rule sheet as a web page (empty if there never was one), and the faults in the present `guide.md`."""

    data: bytes
    faults: tuple[FileFault, ...] = ()


class TableColumn(NamedTuple):
    """A column of the card table: the field, its displayed name, and whether and how it is edited."""

    field: str
    label: str
    editable: bool
    is_number: bool
    choices: tuple[str, ...]
    is_long: bool


class StudioView(NamedTuple):
    """The columns and rows of the card table that a query finds, the whole `table`, and the faults of files."""

    game: Game
    columns: tuple[TableColumn, ...]
    rows: tuple[TableRow, ...]
    table: CardTable
    faults: tuple[FileFault, ...]
    findings: tuple[Finding, ...]

    @property
    def drafted(self) -> list[TableRow]:
        """The rows with a draft, including those that the query does not find."""
        return [row for row in self.table.rows.values() if row.drafts]

    @property
    def draft_count(self) -> int:
        return sum(len(row.drafts) for row in self.drafted)

    @property
    def faulty_count(self) -> int:
        """The number of cells with an error or a conflict."""
        return sum(len(row.faults) + len(row.conflicts) for row in self.table.rows.values())

    @property
    def news_count(self) -> int:
        """The number of cards without a draft that differ from the catalogue: another program changed their file."""
        rows = self.table.rows.values()
        return sum(1 for row in rows if not row.drafts and row.card and (row.stored is None or row.changed))


class StudioRoom:
    """One game in the studio. Threads must not share it."""

    def __init__(self, project: Workspace, game: Game, drafts: Drafts) -> None:
        self.project = project
        self.sitting = Sitting(project, game, drafts)
        self.faces = StudioFaces(project)
        self._guide: tuple[object, GuideView] = None, GuideView(b"")
        self._stamps = _stamps(game)
        self._game_faults: tuple[FileFault, ...] = ()

    @property
    def game(self) -> Game:
        return self.sitting.game

    def refresh(self) -> tuple[FileFault, ...]:
        """Reads the files of the game and its templates again if any was saved, and returns their faults.

        If there are faults, the files as they were read before stay in use.
        """
        stamps = _stamps(self.game)
        if stamps != self._stamps:
            self._stamps = stamps
            self._game_faults = self._reload()
        table = self.sitting.table()
        fault = self.faces.refresh(self.game, (row.shown for row in table.rows.values() if row.shown))
        return (*self._game_faults, *([fault] if fault else []))

    def _reload(self) -> tuple[FileFault, ...]:
        """Loads the game again, and returns its faults; without faults, it is used from now on."""
        try:
            game, findings = load(self.game.folder)
        except CarddbError as error:
            return (FileFault("", 0, (), error.message, error.remedy),)
        faults = tuple(finding_faults(findings, self.game.folder.path))
        if game is None or faults:
            return faults
        try:
            _ = game.checks, game.card_checks  # runs the `rules.py`, if it may run
        except GameError as error:
            return (rules_fault(game.folder.path / "rules.py", error),)
        self.sitting.game = game
        self.project.use_game(game)
        return ()

    def guide(self) -> GuideView:
        """Returns the rule sheet; if its files have faults, the last sheet without faults, and the faults."""
        self.refresh()
        game = self.game
        state = (id(game), [file_state(path) for path in (game.folder.guide_file, *game.folder.data_files)])
        if self._guide[0] != state:
            last = self._guide[1].data
            try:
                sheet = print_rule_sheet(self.project, game.key, "html", "a4", "en", voice="whole")
            except CarddbError as error:
                view = GuideView(last, (fault_of(game, error),))
            else:
                faults = () if sheet.data else tuple(finding_faults(sheet.findings, game.folder.path))
                view = GuideView(sheet.data or last, faults)
            self._guide = state, view
        return self._guide[1]

    def view(self, query: str) -> StudioView:
        """Returns what a query finds in the card table. Raises QueryError, CatalogError, InputError for a card file."""
        faults = self.refresh()
        table = self.sitting.table()
        matches = self.game.spec.query(query).matches
        rows = [row for row in table.rows.values() if row.shown is None or matches(row.shown)]
        shown = [row.shown for row in rows if row.shown]
        missing = pictures_missing(self.game.spec, shown, self.project.picture_folders(self.game))
        findings = [*in_order(finding for file in table.files for finding in file.findings), *missing]
        columns = tuple(self._columns(table))
        return StudioView(self.game, columns, tuple(rows), table, faults, tuple(findings))

    def _columns(self, table: CardTable) -> Iterable[TableColumn]:
        fields = self.game.spec.all_fields()
        for name in table.fields:
            spec = fields.get(name)
            kind = spec.type if spec else "text"
            label = (spec.label if spec else "") or name.replace("_", " ")
            closed = tuple(self.game.spec.types) if name == "type" else tuple(spec.closed) if spec else ()
            is_long = kind in ("text", "object") and any(len(r.texts.get(name, "")) > 40 for r in table.rows.values())
            yield TableColumn(name, label, name not in FIXED, kind in ("integer", "number"), closed, is_long)

    def face(self, ref: str, state: str, look: FaceLook) -> StudioFace | FaceFault | None:
        """Returns a face of the card `ref` as it is in the catalogue (`state` is `stored`), or with its drafts (`now`).

        Returns None if there is no such card in the catalogue. Raises UsageError for an unknown reference.
        """
        self.refresh()
        row = self.sitting.row(ref)
        card = row.stored if state == "stored" else row.shown
        return self.faces.face(self.game, card, look) if card else None


def _stamps(game: Game) -> Mapping[Path, FileState]:
    files = [*game.folder.data_files, game.folder.path / "rules.py"]
    return {path: file_state(path) for path in files}


def as_json(room: StudioRoom, view: StudioView, look: FaceLook) -> dict[str, Any]:
    """Returns a view as the page of the studio gets it; the rows have the keys of faces with the look `look`."""
    return {
        "columns": [column._asdict() for column in view.columns],
        "rows": [row_json(room, row, look) for row in view.rows],
        "faults": [fault.to_json() for fault in view.faults],
        "findings": [finding.to_json() for finding in view.findings],
        "drafts": view.draft_count,
        "faulty": view.faulty_count,
        "news": view.news_count,
    }


def row_differences(row: TableRow) -> Iterator[tuple[str, list[TextChange]]]:
    """Yields the fields in which a card differs from the catalogue, each with the changed words."""
    for name in dict.fromkeys([*row.changed, *row.drafts]):
        old, new = row.stored_texts.get(name, ""), row.texts.get(name, "")
        if old != new and row.stored is not None:
            yield name, word_changes(old, new)


def row_json(room: StudioRoom, row: TableRow, look: FaceLook) -> dict[str, Any]:
    """Returns a row of the card table as the page of the studio gets it; `look` is as for `as_json`."""
    shown = row.shown
    return {
        "ref": row.ref,
        "name": row.texts.get("name", ""),
        "file": row.file,
        "line": row.line,
        "texts": dict(row.texts),
        "differences": dict(row_differences(row)),
        "drafts": {name: draft.before for name, draft in row.drafts.items()},
        "conflicts": dict(row.conflicts),
        "faults": dict(row.faults),
        "findings": [finding.to_json() for finding in row.findings],
        "changed": row.changed,
        "is_new": row.stored is None,
        "now": room.faces.key(shown, look) if shown else "",
        "before": room.faces.key(row.stored, look) if row.stored and row.changed else "",
    }
