"""What is shown of many checked decks: a table, JSON, a page; a million decks take no memory."""

from __future__ import annotations

import pickle
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from tempfile import SpooledTemporaryFile
from typing import IO, Literal, NamedTuple

from carddb.app.decks.batch import Unreadable, answers_of
from carddb.app.decks.check import CheckRequest, Report
from carddb.app.decks.checks import checks_json, deck_sources
from carddb.app.decks.checks_page import checks_page, page_row
from carddb.app.decks.reading import DeckSource
from carddb.app.decks.rows import COLUMNS, DeckCounts, DeckRow, deck_row
from carddb.app.workspace.workspace import Workspace
from carddb.core.executors import HERE, ExecutorRequest
from carddb.core.plain_text import json_text
from carddb.read.tables.formula_text import csv_rows, csv_table

Form = Literal["rows", "json", "html"]
_IN_MEMORY = 16_000_000
"""Bytes of what is shown that need no file."""


class _Part(NamedTuple):
    """Some decks in the forms that are wanted: the rows of a table, reports as JSON, rows of a page."""

    counts: DeckCounts
    rows: list[DeckRow]
    json: str
    html: list[str]


class CheckedDecks:
    """Many decks in their order, in the forms that were wanted, and how many have each verdict.

    Their parts are in a file, which is gone through once for each form.
    """

    def __init__(self, file: IO[bytes], counts: DeckCounts) -> None:
        self.counts = counts
        self._file = file

    def _parts(self) -> Iterator[_Part]:
        end = self._file.seek(0, 2)
        self._file.seek(0)
        while self._file.tell() < end:
            yield pickle.load(self._file)

    def __iter__(self) -> Iterator[DeckRow]:
        """The rows of the table."""
        for part in self._parts():
            yield from part.rows

    def json(self) -> Iterator[str]:
        """The shape `carddb.checks/1` of the contract, as text in several parts."""
        head, tail = json_text(checks_json([], self.counts)).split("[]", 1)
        yield f"{head}["
        comma = ""
        for part in self._parts():
            yield comma + part.json
            comma = ","
        yield f"\n ]{tail}\n"

    def csv(self) -> Iterator[bytes]:
        """The table as CSV, its texts escaped for spreadsheet programs."""
        yield csv_table(COLUMNS, ())
        for part in self._parts():
            yield csv_rows(part.rows)

    def page(self) -> Iterator[bytes]:
        """The table as a page of HTML, with the reasons of each deck."""
        return checks_page(self.counts, (row for part in self._parts() for row in part.html))


@contextmanager
def check_many(
    project: Workspace,
    decks: DeckSource | Iterable[DeckSource],
    request: CheckRequest,
    forms: Collection[Form],
    executor: ExecutorRequest = HERE,
) -> Iterator[CheckedDecks]:
    """Checks the decks of a folder or a list, to show them. A file that cannot be read does not stop the others.

    Who checks them makes no difference. Raises UsageError where no file is a deck, and for what cannot be right for any
    of them.
    """
    sources, skipped = deck_sources(project, decks)
    counts = DeckCounts(skipped=skipped)
    with SpooledTemporaryFile(max_size=_IN_MEMORY) as file:
        with project.working("checking", len(sources)) as step:
            for part in answers_of(project, sources, request, executor, partial(_part, frozenset(forms)), step):
                counts.merge(part.counts)
                pickle.dump(part, file, pickle.HIGHEST_PROTOCOL)
        yield CheckedDecks(file, counts)


def _part(forms: Collection[Form], _: Workspace, reports: Iterable[Report | Unreadable]) -> _Part:
    counts, rows, json, html = DeckCounts(), list[DeckRow](), list[str](), list[str]()
    for report in reports:
        counts.add(report)
        if "rows" in forms:
            rows.append(deck_row(report))
        if "json" in forms:
            json.append(json_text(report.to_json()).replace("\n", "\n  "))
        if "html" in forms:
            html.append(page_row(report))
    return _Part(counts, rows, ",".join(f"\n  {each}" for each in json), html)
