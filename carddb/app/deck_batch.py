"""The reports of many decks, made by this process, by several, or on other machines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from carddb.app.clock import today
from carddb.app.day_cards import DayCards, day_cards
from carddb.app.deck_check import CheckRequest, DeckSource, Report, check_deck
from carddb.app.notices import Step
from carddb.cards import Deck, Entry, Pool
from carddb.errors import CarddbError, CatalogError, GameError
from carddb.executors.choice import ExecutorRequest, open_executor
from carddb.file_entries import CardLine, CardLines, FileEntries, LineWords
from carddb.findings import Finding, Place
from carddb.read.deck_file import OpenedDeck, open_deck

if TYPE_CHECKING:
    from carddb.app.project import Project
    from carddb.deck.context import Context
    from carddb.executors.executor import Executor

_DECKS_AT_ONCE = 200
"""Decks that one process checks together."""


@dataclass(frozen=True, slots=True)
class Unreadable:
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


class _Source(NamedTuple):
    """A deck, and its name where it cannot be read; without a deck it could not be opened."""

    name: str
    deck: DeckSource | OpenedDeck | None
    error: CarddbError | None = None


class _Task(NamedTuple):
    """Decks that one process checks together."""

    sources: Sequence[_Source]
    request: CheckRequest


_PackedLines = tuple[str, int, list[LineWords]]
"""Card lines of a section: where they begin, and what each says."""
_PackedEntry = tuple[str, int, str, str, tuple[Any, ...], str]
"""An entry with the reference of its card, and its place."""


class _PackedReport(NamedTuple):
    """A report without what every process has: the game, the cards, the ban lists.

    Lines are plain tuples with references; one that several decks have is one object, which pickle sends once. Entries
    are made when somebody looks into a report: most reports are only counted.
    """

    deck: Deck
    parts: Sequence[_PackedLines | _PackedEntry]
    findings: tuple[Finding, ...]
    context: Context
    format: str


def reports_of(
    project: Project, decks: Sequence[DeckSource], request: CheckRequest, executor: ExecutorRequest, step: Step
) -> Iterator[Report | Unreadable]:
    """The report of each deck, in order. Raises CatalogError, GameError."""
    with open_executor(executor, -(-len(decks) // _DECKS_AT_ONCE)) as processes, day_cards(project) as cards:
        if not (processes.workers or processes.is_remote):
            for deck in decks:
                step(str(deck) if isinstance(deck, Path) else "")
                yield _report(project, _Source(_name(deck), deck), request, cards)
            return
        lines: dict[str, _Lines] = {}
        for report in _from_elsewhere(project, decks, request, executor, processes):
            step(report.name if isinstance(report, _Source) else report.deck.file)
            yield _unpacked(project, report, request.on or today(), cards, lines)


def _from_elsewhere(
    project: Project, decks: Sequence[DeckSource], request: CheckRequest, executor: ExecutorRequest, processes: Executor
) -> Iterator[_PackedReport | _Source]:
    """What other processes found, for each deck."""
    from carddb.app.project_copy import Needs, map_project

    tasks = (
        _Task([_opened(project, deck, processes.is_remote) for deck in decks[at : at + _DECKS_AT_ONCE]], request)
        for at in range(0, len(decks), _DECKS_AT_ONCE)
    )
    needs = Needs(None if request.game is None else [request.game], catalog=True)
    yield from map_project(project, executor, processes, _packed_reports, tasks, needs)


def _opened(project: Project, deck: DeckSource, is_remote: bool) -> _Source:
    """A deck as it goes to another process: a file of this machine, to another machine what is in it."""
    name = _name(deck)
    if not isinstance(deck, Path) or not (is_remote or str(deck) == "-"):
        if isinstance(deck, Path):
            project.protect(deck)
        return _Source(name, deck)
    project.protect(deck)
    try:
        return _Source(name, open_deck(deck))
    except CarddbError as fault:
        return _Source(name, None, fault)


def _packed_reports(project: Project, task: _Task) -> Iterator[_PackedReport | _Source]:
    with day_cards(project) as cards:
        for source in task.sources:
            report = _report(project, source, task.request, cards)
            if isinstance(report, Unreadable):
                yield _Source(report.file, None, report.error)
            else:
                yield _packed(report)


def _report(project: Project, source: _Source, request: CheckRequest, cards: DayCards) -> Report | Unreadable:
    if source.deck is None:
        assert source.error
        return Unreadable(source.name, source.error)
    try:
        return check_deck(project, source.deck, request, cards)
    except (CatalogError, GameError):
        raise
    except CarddbError as fault:
        return Unreadable(source.name, fault)


def _name(deck: DeckSource) -> str:
    return "" if isinstance(deck, str) and "\n" in deck else str(deck)


def _packed(report: Report) -> _PackedReport:
    entries = report.deck.entries
    parts = [*map(_packed_part, entries.parts if isinstance(entries, FileEntries) else entries)]
    context = replace(report.context, bans=None)
    return _PackedReport(replace(report.deck, entries=()), parts, report.findings, context, report.format)


def _packed_part(part: CardLines | Entry) -> _PackedLines | _PackedEntry:
    if isinstance(part, CardLines):
        return part.section, part.start, [line.words for line in part.lines]
    ref = part.card.ref if part.card else ""
    return part.section, part.count, part.name, ref, tuple(part.place), part.printing


class _Lines(dict[LineWords, CardLine]):
    """Card lines that other processes have read, each made once."""

    def __init__(self, pool: Pool) -> None:
        super().__init__()
        self.pool = pool
        self._numbers: dict[str, int] = {}

    def __missing__(self, words: LineWords) -> CardLine:
        number = self._numbers.setdefault(words.ref, len(self._numbers))
        line = self[words] = CardLine(words.copies, self.pool[words.ref], number, words)
        return line


def _unpacked(
    project: Project, packed: _PackedReport | _Source, on: date, cards: DayCards, lines: dict[str, _Lines]
) -> Report | Unreadable:
    if isinstance(packed, _Source):
        assert packed.error
        return Unreadable(packed.name, packed.error)
    game = project.game(packed.deck.game)
    if game.key not in lines:
        lines[game.key] = _Lines(cards.pool(game, on))
    parts = (_unpacked_part(part, lines[game.key]) for part in packed.parts)
    entries = FileEntries(packed.deck.file, parts)
    context = replace(packed.context, bans=cards.bans(game, on))
    return Report(game, replace(packed.deck, entries=entries), packed.findings, context, packed.format)


def _unpacked_part(part: _PackedLines | _PackedEntry, lines: _Lines) -> CardLines | Entry:
    if len(part) == 3:
        section, start, words = part
        return CardLines(section, start, [lines[each] for each in words])
    section, count, name, ref, place, printing = part
    return Entry(section, count, name, lines.pool.get(ref) if ref else None, Place(*place), printing)
