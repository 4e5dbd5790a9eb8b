"""Many decks in one go: a report each and a summary; catalogue, games and ban lists are read once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from operator import attrgetter
from pathlib import Path
from typing import Any

from carddb.app.decks.batch import Unreadable, reports_of
from carddb.app.decks.check import CheckRequest, Report
from carddb.app.decks.checks_page import checks_page, page_row
from carddb.app.decks.reading import DeckSource, is_single
from carddb.app.decks.rows import COLUMNS, DeckCounts, DeckRow, counts_of, deck_row
from carddb.app.workspace.html import table_html
from carddb.app.workspace.workspace import Workspace
from carddb.cards.cards import Deck
from carddb.core.errors import InputError, UsageError
from carddb.read.decks.file import XML_SUFFIXES, open_deck
from carddb.read.decks.forms.table import find_table
from carddb.read.decks.line import lines_of
from carddb.read.tables.formula_text import csv_table

TABLE_SUFFIX = ".csv"
DECK_SUFFIXES = (".deck", ".txt", ".json", ".dec", TABLE_SUFFIX, *XML_SUFFIXES)
"""The endings of the deck files of a folder; files with others are named and passed over."""


class Reports(list["Report | Unreadable"]):
    """The reports of many decks, in the order of their files; `skipped` are files that are no decks."""

    def __init__(self, reports: Iterable[Report | Unreadable], skipped: Sequence[str] = ()) -> None:
        super().__init__(reports)
        self.skipped = list(skipped)

    @property
    def counts(self) -> DeckCounts:
        """How many decks have each verdict."""
        return counts_of(self, self.skipped)

    @property
    def exit_code(self) -> int:
        """The worst of all: 3 unreadable, 1 illegal, 4 not checkable, 0 legal."""
        return self.counts.exit_code

    @property
    def summary(self) -> dict[str, Any]:
        """How many decks have each verdict, and what was passed over."""
        return self.counts.summary

    @property
    def sentence(self) -> str:
        """`40 decks: 37 legal, 2 not legal, 1 unreadable.`"""
        return self.counts.sentence

    def rows(self) -> list[DeckRow]:
        """A row a deck: player, deck, verdict in words, first reason, fingerprint, file."""
        return [deck_row(report) for report in self]

    def to_json(self) -> dict[str, Any]:
        """The shape `carddb.checks/1` of the contract."""
        return checks_json([report.to_json() for report in self], self.counts)

    def to_csv(self) -> bytes:
        """The table as CSV, its texts escaped for spreadsheet programs."""
        return csv_table(COLUMNS, self.rows())

    def to_page(self) -> bytes:
        """The table as a page of HTML, with the reasons of each deck."""
        return b"".join(checks_page(self.counts, map(page_row, self)))

    def _repr_html_(self) -> str:
        """A row a deck, and the sums."""
        return f"{table_html(COLUMNS, self.rows())}<p>{escape(self.sentence)}</p>"


def checks_json(reports: list[dict[str, Any]], counts: DeckCounts) -> dict[str, Any]:
    """The shape `carddb.checks/1` of the contract."""
    return {"schema": "carddb.checks/1", "reports": reports, "summary": counts.summary}


def check_decks(project: Workspace, decks: DeckSource | Iterable[DeckSource], request: CheckRequest) -> Reports:
    """A report of each deck of a folder or a list. A file that cannot be read does not stop the others.

    Raises UsageError where no file is a deck, and for what cannot be right for any of them.
    """
    sources, skipped = deck_sources(project, decks)
    with project.working("checking", len(sources)) as step:
        return Reports(reports_of(project, sources, request, step), skipped)


def deck_sources(project: Workspace, decks: DeckSource | Iterable[DeckSource]) -> tuple[list[DeckSource], list[str]]:
    """The decks of a folder or a list, and the names of files that are none, which a notice says.

    Raises UsageError where no file is a deck, InputError.
    """
    sources: list[DeckSource] = []
    skipped: list[str] = []
    for deck in [decks] if isinstance(decks, str | Path | Deck) else decks:
        if isinstance(deck, Deck) or is_single(deck):
            sources.append(deck)
        else:
            files, others = deck_files(Path(deck))
            sources += files
            skipped += others
    if skipped:
        project.notify("files_skipped", f"passed over, not deck files: {', '.join(skipped)}")
    if not sources:
        raise UsageError("there is no deck file to check", f"Deck files end in {', '.join(DECK_SUFFIXES)}.")
    return sources, skipped


def deck_files(folder: Path) -> tuple[list[DeckSource], list[str]]:
    """The deck files of a folder by name, and what else lies there but hidden files. Raises InputError."""
    try:
        entries = sorted((each for each in folder.iterdir() if not each.name.startswith(".")), key=attrgetter("name"))
    except OSError as fault:
        raise InputError(f"{folder} cannot be read: {fault.strerror}") from fault
    decks = [path for path in entries if path.suffix.lower() in DECK_SUFFIXES and not path.is_dir() and _counts(path)]
    names = {path.name for path in decks}
    return list(decks), [path.name for path in entries if path.name not in names]


def _counts(path: Path) -> bool:
    """Whether a file may be a deck: a table only where it has counts, for a table of cards has none."""
    if path.suffix.lower() != TABLE_SUFFIX:
        return True
    text, _, findings = open_deck(path)
    table = find_table(lines_of(text)) if text is not None else None
    return bool(findings) or (table is not None and "count" in table.columns)
