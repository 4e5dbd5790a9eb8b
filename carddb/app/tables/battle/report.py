"""The campaign sheets of Battles: as a table of rows, and as pages in the form of the printed sheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any

from carddb.app.printing.options import PaperOptions, sheet_options
from carddb.app.tables.battle.beginning import KEY, battle_file
from carddb.app.workspace.clock import today
from carddb.app.workspace.print_files import PrintedFile
from carddb.app.workspace.workspace import Workspace
from carddb.core.errors import InputError, UsageError
from carddb.core.plain_text import escaped
from carddb.game.frozen import replaced
from carddb.games import Game
from carddb.games.rishar.session import Session
from carddb.games.rishar.session.campaign import CampaignSheet, campaign_sheets
from carddb.press.components.components import print_components
from carddb.press.faces.workshop import open_workshop
from carddb.read.tables.formula_text import escaped_text
from carddb.read.tables.workbook import write_workbook

KINDS = ("pdf", "xlsx", "csv")
COLUMNS = ("commander", "part", "what", "number", "note")
SHEET = "campaign-sheet"

Row = tuple[str, str, str, int | float, str]


def sheets_of(project: Workspace, files: Sequence[Path]) -> list[CampaignSheet]:
    """The campaign sheets of the Battles in some files, of one Day. Raises InputError, also for one not begun."""
    sessions: list[Session] = []
    for path in files:
        session = battle_file(project, path).load()
        if session.battle is None:
            raise InputError(f"in {path} no army stands yet", "Make the choices before the Battle first.")
        sessions.append(session)
    return campaign_sheets(sessions)


def rows(sheets: Sequence[CampaignSheet]) -> Iterator[Row]:
    """The sheets as rows: Battles, what is left, units with their Upkeep, losses, units that can be trained."""
    for sheet in sheets:
        name = sheet.commander
        for opponent, result, units in sheet.battles:
            yield name, "battle", opponent, units, result
        left: dict[str, int | float] = {"Morale": sheet.own, "Base Morale": sheet.base, "Favors": sheet.favors}
        left |= {"Base Morale used": sheet.base_used, "Influence": sheet.influence}
        yield from ((name, "left", what, number, "") for what, number in left.items())
        for unit, count in sheet.units.items():
            yield name, "upkeep", unit, sheet.upkeep[unit], f"{count} used"
        yield name, "upkeep due", "all units", sheet.due, "for the Day (R-151)"
        for unit, by in sheet.killed:
            yield name, "killed", unit, 1, f"by {by}"
        for unit, count in sheet.trainable.items():
            yield name, "can be trained", unit, count, sheet.training


def table_file(sheets: Sequence[CampaignSheet], kind: str) -> bytes:
    """The rows as CSV or XLSX. Raises UsageError for another kind."""
    if kind not in KINDS[1:]:
        raise UsageError(f"a campaign sheet is not written as {kind!r}", f"Known: {', '.join(KINDS)}.")
    if kind == "xlsx":
        return write_workbook("campaign", COLUMNS, rows(sheets))
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(
        [escaped_text(escaped(cell)) if isinstance(cell, str) else cell for cell in row] for row in rows(sheets)
    )
    return stream.getvalue().encode()


def sheet_pages(project: Workspace, sheets: Sequence[CampaignSheet], paper: PaperOptions) -> PrintedFile:
    """The printed campaign sheet of each Commander, filled in; what does not fit goes on on a further page."""
    game = project.game(KEY)
    parts = game.spec.data["reference"]["components"][SHEET]
    filled = [{"filled": page} for sheet in sheets for page in _pages(sheet, parts)]
    component = replaced(game.spec.components[SHEET], rows=tuple(filled))
    spec = replaced(game.spec, components={**game.spec.components, SHEET: component})
    options = sheet_options(project, paper, today())
    workshop = open_workshop(Game(game.folder, spec), art_folder=project.art_folder, lang=options.lang)
    printed = print_components(workshop, [SHEET], options, players=1)
    return PrintedFile(
        printed.data, printed.pages, printed.sheets, printed.cards, printed.findings, project=project,
        summary=f"campaign sheets of {' and '.join(sheet.commander for sheet in sheets)}",
    )  # fmt: skip


def _pages(sheet: CampaignSheet, parts: Any) -> list[dict[str, Any]]:
    """What is written into each table of the printed sheet, page by page."""
    units = [(f"{count} {unit}", str(sheet.upkeep[unit]), "") for unit, count in sheet.units.items()]
    battles = [(opponent, "", "", result, f"{number} units") for opponent, result, number in sheet.battles]
    left = f"Favors {sheet.favors}, Influence {sheet.influence:g}"
    tables: dict[str, Sequence[Sequence[str]]] = {
        "battles": [*battles[:-1], (*battles[-1][:-1], f"{battles[-1][-1]}; left: {left}")],
        "upkeep": [*units, ("all", str(sheet.due), "")],
        "killed": sheet.killed,
        "bases": [("", str(sheet.base + sheet.base_used), str(sheet.base_used))] if sheet.base_used else [],
    }
    shares = {name: _cut(lines, parts[name]["rows"]) for name, lines in tables.items()}
    head = ("", sheet.commander, str(sheet.progression), sheet.morale)
    return [
        {"head": head, **dict(zip(shares, page, strict=True))} for page in zip_longest(*shares.values(), fillvalue=[])
    ]


def _cut(lines: Sequence[Sequence[str]], length: int) -> list[Sequence[Sequence[str]]]:
    """Lines in parts of so many."""
    return [lines[at : at + length] for at in range(0, len(lines), length)]
