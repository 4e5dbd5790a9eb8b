"""Checking many decks, in one process or several: a report for each deck, a table, a web page and a summary."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from operator import attrgetter
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import IO, Any, Literal, NamedTuple, TypeVar

from carddb.app.decks.check import CheckRequest, DeckSource, Report, check_deck, is_single
from carddb.app.workspace.day_cards import DayCards, day_cards
from carddb.app.workspace.project_copy import Needs, map_project
from carddb.app.workspace.words import notebook, report_templates
from carddb.app.workspace.workspace import Workspace
from carddb.cards.cards import Deck
from carddb.core.errors import CarddbError, CatalogError, GameError, UsageError
from carddb.core.executors import HERE, Executor, ExecutorRequest, open_executor
from carddb.core.files import unreadable
from carddb.core.plain_text import amount, json_text
from carddb.deck.check.forecast import AHEAD, GRAVE
from carddb.findings import VERDICTS, Finding, gravest_first
from carddb.press import Step, unreported
from carddb.read.decks.line import lines_of
from carddb.read.decks.line_reader import find_table
from carddb.read.decks.text import XML_SUFFIXES, OpenedDeck, open_deck
from carddb.read.tables.grid import csv_rows, csv_table

_AT_ONCE = 50
"""The number of reports passed to one call of an `Answerer`; abandoned work stops between two calls."""
_MOST_AT_ONCE = 1_000
"""The most decks in one task of a process."""
_PAYS_FROM = 500
"""The fewest decks for which a process is started; with fewer, starting it takes more time than it saves."""

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class UnreadableDeck:
    """A deck file that could not be read, and why."""

    file: str
    error: CarddbError

    verdict = "unreadable"
    exit_code = 3

    def to_json(self) -> dict[str, Any]:
        return {
            "schema": "carddb.check/1",
            "deck": {"name": "", "file": self.file, "fingerprint": ""},
            "verdict": self.verdict,
            "error": self.error.message,
            "remedy": self.error.remedy,
        }


Answerer = Callable[["Workspace", Iterable["Report | UnreadableDeck"]], Answer]
"""A function that makes an answer from some reports. The function and its answers are pickled for other processes."""

_Source = DeckSource | OpenedDeck | UnreadableDeck
"""A deck to check; its file may already have been read, or found to be unreadable."""


def answers_of(
    project: Workspace,
    decks: Sequence[DeckSource],
    request: CheckRequest,
    executor: ExecutorRequest,
    answer: Answerer[Answer],
    step: Step,
) -> Iterator[Answer]:
    """Checks decks, calls `answer` with the reports of up to `_AT_ONCE` decks at a time, and yields what it returns.

    The order is that of the decks, and the answers are the same for any number of processes. Raises CatalogError if the
    catalogue cannot be read, GameError if a game is faulty.
    """
    names = iter(decks)
    with open_executor(executor, _process_tasks(executor, len(decks))) as processes:
        tasks: Iterable[Iterable[_Source]] = [decks]
        if processes.workers:
            tasks = (
                [_opened(project, deck, processes.is_remote) for deck in decks[at : at + size]]
                for at, size in _shares(len(decks), processes)
            )
        needs = Needs(None if request.game is None else [request.game], catalog=True)
        for number, value in map_project(project, processes, partial(_answered, request, answer), tasks, needs):
            for _ in range(number):
                step(_name(next(names)))
            yield value


def reports_of(
    project: Workspace, decks: Sequence[DeckSource], request: CheckRequest, step: Step = unreported
) -> Iterator[Report | UnreadableDeck]:
    """Checks decks in this process, and yields their reports in order. Raises what `answers_of` raises."""
    for part in answers_of(project, decks, request, HERE, lambda _, reports: [*reports], step):
        yield from part


def _process_tasks(executor: ExecutorRequest, decks: int) -> int:
    """Returns how many processes have work: one for `_PAYS_FROM` decks, or `_AT_ONCE` if users chose a number."""
    return -(-decks // _AT_ONCE) if executor.processes else decks // _PAYS_FROM


def _shares(decks: int, processes: Executor) -> Iterator[tuple[int, int]]:
    """Yields the tasks into which a list of decks is divided, as pairs of the first index and the number of decks.

    Tasks are small at first, so that all processes soon have work, and at the end, so that all finish together.
    """
    at = 0
    while at < decks:
        even = min(at, decks - at) // (2 * max(1, processes.workers))
        size = min(max(even, _AT_ONCE), _MOST_AT_ONCE)
        yield at, size
        at += size


def _opened(project: Workspace, deck: DeckSource, is_remote: bool) -> _Source:
    """Returns a deck to send to another process: the path of its file, or, for another machine, its contents."""
    if isinstance(deck, Path):
        project.protect(deck)
        if is_remote or str(deck) == "-":
            try:
                return open_deck(deck)
            except CarddbError as fault:
                return UnreadableDeck(_name(deck), fault)
    return deck


def _answered(
    request: CheckRequest, answer: Answerer[Answer], project: Workspace, sources: Iterable[_Source]
) -> Iterator[tuple[int, Answer]]:
    """Checks the decks of a task, and yields each answer, after the number of decks that it is about."""
    rest = iter(sources)
    with day_cards(project) as cards:
        while some := list(islice(rest, _AT_ONCE)):
            yield len(some), answer(project, (_report(project, source, request, cards) for source in some))


def _report(project: Workspace, source: _Source, request: CheckRequest, cards: DayCards) -> Report | UnreadableDeck:
    if isinstance(source, UnreadableDeck):
        return source
    try:
        return check_deck(project, source, request, cards)
    except (CatalogError, GameError):
        raise
    except CarddbError as fault:
        return UnreadableDeck(_name(source), fault)


def _name(deck: DeckSource | OpenedDeck) -> str:
    name = str(deck) if isinstance(deck, str | Path) else deck.file
    return "" if "\n" in name else name


_WORDS = {**VERDICTS, UnreadableDeck.verdict: "Unreadable"}
_EXIT_CODES = {UnreadableDeck.verdict: UnreadableDeck.exit_code, "illegal": 1, "not_checkable": 4}
"""The exit codes of verdicts other than legal, the most serious first."""
COLUMNS = ("player", "deck", "verdict", "first reason", "fingerprint", "file")


class DeckRow(NamedTuple):
    """The row of one deck in a table of many decks. `reason` is the first reason why it is not legal."""

    player: str
    deck: str
    verdict: str
    reason: str
    fingerprint: str
    file: str


@dataclass(slots=True)
class DeckCounts:
    """The number of decks by verdict, and the names of the files that were skipped because they are not decks."""

    verdicts: Counter[str] = field(default_factory=Counter)
    skipped: list[str] = field(default_factory=list)

    @property
    def exit_code(self) -> int:
        """The exit code of the worst verdict, in this order: 3 unreadable, 1 illegal, 4 not checkable, 0 legal."""
        return next((code for verdict, code in _EXIT_CODES.items() if self.verdicts[verdict]), 0)

    @property
    def summary(self) -> dict[str, Any]:
        """The numbers of all decks and of those with each verdict, and the skipped files, as in `check --json`."""
        verdicts = {verdict: self.verdicts[verdict] for verdict in _WORDS}
        return {"decks": self.verdicts.total(), **verdicts, "skipped": self.skipped}

    @property
    def sentence(self) -> str:
        """A summary such as `40 decks: 37 legal, 2 not legal, 1 unreadable.`"""
        parts = [f"{self.verdicts[key]} {word.lower()}" for key, word in _WORDS.items() if self.verdicts[key]]
        return f"{amount(self.verdicts.total(), 'deck')}: {', '.join(parts) or 'none'}."


def deck_row(report: Report | UnreadableDeck) -> DeckRow:
    """Returns the row of a deck in a table of many decks."""
    if isinstance(report, UnreadableDeck):
        return DeckRow("", Path(report.file).stem, report.verdict, report.error.message, "", report.file)
    deck = report.deck
    # The reason of a deck that is legal is the warning that it will be illegal by the event, if there is one.
    reason = first_reason(report) or next((f.message for f in report.findings if f.code in AHEAD), "")
    return DeckRow(
        deck.headers.get("player", ""), deck.name or Path(deck.file).stem, VERDICTS[report.verdict].lower(), reason,
        report.fingerprint, deck.file,
    )  # fmt: skip


def first_reason(report: Report) -> str:
    """Returns the message of the first finding that makes the deck not legal or not checkable; empty if it is legal."""
    return next((finding.message for finding in grave_findings(report)), "")


def grave_findings(report: Report) -> list[Finding]:
    """Returns the findings that make a deck not legal or not checkable."""
    return [finding for finding in report.findings if finding.severity in GRAVE]


_SIGNS = {"legal": "✓", "illegal": "✕", "not_checkable": "?", "unreadable": "!"}
_SHOWN = 3
"""The number of findings of a deck that the page shows at first; the reader can unfold the others."""


def checks_page(counts: DeckCounts, rows: Iterable[str]) -> Iterator[bytes]:
    """Yields the web page of the decks in parts; `rows` are HTML. It has no script, and texts of decks are escaped."""
    summary = counts.summary
    totals = [(summary["decks"], "deck" if summary["decks"] == 1 else "decks")]
    totals += [(summary[key], word.lower()) for key, word in _WORDS.items() if summary[key]]
    for part in report_templates().get_template("checks.html").generate(totals=totals, rows=rows):
        yield part.encode("utf-8", "replace")


def page_row(report: Report | UnreadableDeck) -> str:
    """Returns the row of a deck as HTML, with its findings and their fixes, of which the first few are unfolded."""
    return report_templates().get_template("checked-deck.html").render(
        report=report, row=deck_row(report), sign=_SIGNS[report.verdict], word=_WORDS[report.verdict],
        grave=gravest_first(report.findings) if isinstance(report, Report) else None, shown=_SHOWN,
    )  # fmt: skip


DECK_SUFFIXES = (".deck", ".txt", ".json", ".dec", ".csv", *XML_SUFFIXES)
"""The endings of deck files in a folder; files with other endings are reported and skipped."""


class Reports(list["Report | UnreadableDeck"]):
    """The reports of many decks, in the order of the decks; `skipped` are the names of files that are not decks."""

    def __init__(self, reports: Iterable[Report | UnreadableDeck], skipped: Sequence[str] = ()) -> None:
        super().__init__(reports)
        self.skipped = list(skipped)

    @property
    def counts(self) -> DeckCounts:
        """The number of decks by verdict."""
        return DeckCounts(Counter(report.verdict for report in self), self.skipped)

    @property
    def exit_code(self) -> int:
        """The exit code of the worst verdict, in this order: 3 unreadable, 1 illegal, 4 not checkable, 0 legal."""
        return self.counts.exit_code

    @property
    def summary(self) -> dict[str, Any]:
        """The numbers of all decks and of those with each verdict, and the skipped files, as in `check --json`."""
        return self.counts.summary

    @property
    def sentence(self) -> str:
        """A summary such as `40 decks: 37 legal, 2 not legal, 1 unreadable.`"""
        return self.counts.sentence

    def rows(self) -> list[DeckRow]:
        """Returns the rows of the table, one for each deck."""
        return [deck_row(report) for report in self]

    def to_json(self) -> dict[str, Any]:
        """Returns what `check --json` shows for many decks, by the schema `carddb.checks/1`."""
        return checks_json([report.to_json() for report in self], self.counts)

    def to_csv(self) -> bytes:
        """Returns the table as CSV, with its texts escaped for spreadsheet programs."""
        return csv_table(COLUMNS, self.rows())

    def to_page(self) -> bytes:
        """Returns the table as a web page in UTF-8, with the findings of each deck."""
        return b"".join(checks_page(self.counts, map(page_row, self)))

    def _repr_html_(self) -> str:
        """Returns HTML with a table that has a row for each deck, and the summary."""
        return notebook("checked_decks", self, COLUMNS)


def checks_json(reports: list[dict[str, Any]], counts: DeckCounts) -> dict[str, Any]:
    """Returns what `check --json` shows for many decks (schema `carddb.checks/1`), from their reports as JSON."""
    return {"schema": "carddb.checks/1", "reports": reports, "summary": counts.summary}


def check_decks(project: Workspace, decks: DeckSource | Iterable[DeckSource], request: CheckRequest) -> Reports:
    """Checks each deck in a folder or a list, even if others cannot be read. Raises UsageError if there is no deck."""
    sources, skipped = deck_sources(project, decks)
    with project.working("checking", len(sources)) as step:
        return Reports(reports_of(project, sources, request, step), skipped)


def deck_sources(project: Workspace, decks: DeckSource | Iterable[DeckSource]) -> tuple[list[DeckSource], list[str]]:
    """Returns the decks in a folder or a list, and the names of the files in folders that are not decks.

    A notice names these files too. Raises UsageError if no file is a deck, InputError if a folder cannot be read.
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
        project.notify("files_skipped", f"not a deck file, and skipped: {', '.join(skipped)}")
    if not sources:
        raise UsageError("there is no deck file to check", f"Name files that end in {', '.join(DECK_SUFFIXES)}.")
    return sources, skipped


def deck_files(folder: Path) -> tuple[list[DeckSource], list[str]]:
    """Returns the deck files in a folder, and the names of its other files without hidden ones. Raises InputError."""
    try:
        entries = sorted((each for each in folder.iterdir() if not each.name.startswith(".")), key=attrgetter("name"))
    except OSError as fault:
        raise unreadable(str(folder), fault) from fault
    decks = [path for path in entries if path.suffix.lower() in DECK_SUFFIXES and not path.is_dir() and _counts(path)]
    names = {path.name for path in decks}
    return list(decks), [path.name for path in entries if path.name not in names]


def _counts(path: Path) -> bool:
    """Returns whether a file may be a deck. A CSV table must have a column of counts, which no table of cards has."""
    if path.suffix.lower() != ".csv":
        return True
    text, _, findings = open_deck(path)
    table = find_table(lines_of(text)) if text is not None else None
    return bool(findings) or (table is not None and "count" in table.columns)


Form = Literal["rows", "json", "html"]
_IN_MEMORY = 16_000_000
"""The most bytes of results that are kept in memory; more are written to a temporary file."""


class _BatchPart(NamedTuple):
    """The results for some decks: their verdicts, rows of the table, reports as JSON, and rows of the web page."""

    verdicts: Counter[str]
    rows: list[DeckRow]
    json: str
    html: list[str]


class CheckedDecks:
    """The results for many decks in the requested forms, and the number of decks by verdict (`counts`).

    The results are stored in a temporary file, which is read again for each form.
    """

    def __init__(self, file: IO[bytes], counts: DeckCounts) -> None:
        self.counts = counts
        self._file = file

    def _parts(self) -> Iterator[_BatchPart]:
        end = self._file.seek(0, 2)
        self._file.seek(0)
        while self._file.tell() < end:
            yield pickle.load(self._file)

    def __iter__(self) -> Iterator[DeckRow]:
        """Yields the rows of the table."""
        for part in self._parts():
            yield from part.rows

    def json(self) -> Iterator[str]:
        """Yields what `check --json` shows for many decks (schema `carddb.checks/1`), as text in several parts."""
        head, tail = json_text(checks_json([], self.counts)).split("[]", 1)
        yield f"{head}["
        comma = ""
        for part in self._parts():
            yield comma + part.json
            comma = ","
        yield f"\n ]{tail}\n"

    def csv(self) -> Iterator[bytes]:
        """Yields the table as CSV, with its texts escaped for spreadsheet programs."""
        yield csv_table(COLUMNS, ())
        for part in self._parts():
            yield csv_rows(part.rows)

    def page(self) -> Iterator[bytes]:
        """Yields the table as a web page in UTF-8, with the findings of each deck."""
        return checks_page(self.counts, (row for part in self._parts() for row in part.html))


@contextmanager
def check_many(
    project: Workspace,
    decks: DeckSource | Iterable[DeckSource],
    request: CheckRequest,
    forms: Collection[Form],
    executor: ExecutorRequest = HERE,
) -> Iterator[CheckedDecks]:
    """Checks decks as `check_decks` does, and yields the results in `forms`, the same for any number of processes."""
    sources, skipped = deck_sources(project, decks)
    counts = DeckCounts(skipped=skipped)
    with SpooledTemporaryFile(max_size=_IN_MEMORY) as file:
        with project.working("checking", len(sources)) as step:
            for part in answers_of(project, sources, request, executor, partial(_part, frozenset(forms)), step):
                counts.verdicts += part.verdicts
                pickle.dump(part, file, pickle.HIGHEST_PROTOCOL)
        yield CheckedDecks(file, counts)


def _part(forms: Collection[Form], _: Workspace, reports: Iterable[Report | UnreadableDeck]) -> _BatchPart:
    verdicts, rows, json, html = Counter[str](), list[DeckRow](), list[str](), list[str]()
    for report in reports:
        verdicts[report.verdict] += 1
        if "rows" in forms:
            rows.append(deck_row(report))
        if "json" in forms:
            json.append(json_text(report.to_json()).replace("\n", "\n  "))
        if "html" in forms:
            html.append(page_row(report))
    return _BatchPart(verdicts, rows, ",".join(f"\n  {each}" for each in json), html)
