"""Many decks checked by this process, by several, or on other machines.

A report is larger than what is wanted of it, and costs more to send than a legal deck costs to check. So who asks gives
a function that is called where the decks are checked, and only what it returns comes back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from carddb.app.decks.check import CheckRequest, Report, check_deck
from carddb.app.decks.reading import DeckSource
from carddb.app.workspace.day_cards import DayCards, day_cards
from carddb.app.workspace.notices import Step
from carddb.app.workspace.project_copy import Needs, map_project
from carddb.app.workspace.workspace import Workspace
from carddb.core.errors import CarddbError, CatalogError, GameError
from carddb.core.executors import Executor, ExecutorRequest, open_executor
from carddb.read.decks.file import OpenedDeck, open_deck

_AT_ONCE = 50
"""Decks whose reports one answer is of; work that nobody waits for stops between two answers."""
_MOST_AT_ONCE = 1_000
"""Decks that a process is given together, at most."""
_PAYS_FROM = 500
"""Decks for each process, below which the start of another costs more than it saves."""

Answer = TypeVar("Answer")


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


Answerer = Callable[["Workspace", Iterable["Report | Unreadable"]], Answer]
"""What is wanted of some reports; where other processes check, it goes there by pickle, and its answer comes back."""


class _Source(NamedTuple):
    """A deck, and its name where it cannot be read; without a deck it could not be opened."""

    name: str
    deck: DeckSource | OpenedDeck | None
    error: CarddbError | None = None


def reports_of(
    project: Workspace, decks: Sequence[DeckSource], request: CheckRequest, step: Step
) -> Iterator[Report | Unreadable]:
    """The report of each deck, in order, by this process. Raises CatalogError, GameError."""
    with day_cards(project) as cards:
        for deck in decks:
            step(_shown_name(deck))
            yield _report(project, _Source(_name(deck), deck), request, cards)


def answers_of(
    project: Workspace,
    decks: Sequence[DeckSource],
    request: CheckRequest,
    executor: ExecutorRequest,
    answer: Answerer[Answer],
    step: Step,
) -> Iterator[Answer]:
    """The answers to the reports of all decks, of some decks each, in order; it makes no difference who checks them.

    Raises CatalogError, GameError.
    """
    names = iter(decks)
    for number, value in _answers(project, decks, request, executor, answer):
        for _ in range(number):
            step(_shown_name(next(names)))
        yield value


def _answers(
    project: Workspace,
    decks: Sequence[DeckSource],
    request: CheckRequest,
    executor: ExecutorRequest,
    answer: Answerer[Answer],
) -> Iterator[tuple[int, Answer]]:
    """The answers, each with the number of its decks."""
    with open_executor(executor, _process_tasks(executor, len(decks))) as processes:
        if not processes.workers:
            with day_cards(project) as cards:
                sources = (_Source(_name(deck), deck) for deck in decks)
                yield from _answered(project, sources, request, answer, cards)
            return
        tasks = (
            [_opened(project, deck, processes.is_remote) for deck in decks[at : at + size]]
            for at, size in _shares(len(decks), processes)
        )
        needs = Needs(None if request.game is None else [request.game], catalog=True)
        yield from map_project(project, processes, partial(_answers_elsewhere, request, answer), tasks, needs)


def _process_tasks(executor: ExecutorRequest, decks: int) -> int:
    """How many processes have enough to do; a number that is asked for is only limited by the answers."""
    return -(-decks // _AT_ONCE) if executor.processes else decks // _PAYS_FROM


def _shares(decks: int, processes: Executor) -> Iterator[tuple[int, int]]:
    """The decks that a process is given together: where they begin, and how many.

    Few at first, so that all processes soon have work, and at the end, so that all end at the same time.
    """
    at = 0
    while at < decks:
        even = min(at, decks - at) // (2 * max(1, processes.workers))
        size = min(max(even, _AT_ONCE), _MOST_AT_ONCE)
        yield at, size
        at += size


def _opened(project: Workspace, deck: DeckSource, is_remote: bool) -> _Source:
    """A deck as it goes to another process: a file of this machine, to another machine what is in it."""
    name = _name(deck)
    if not isinstance(deck, Path):
        return _Source(name, deck)
    project.protect(deck)
    if not (is_remote or str(deck) == "-"):
        return _Source(name, deck)
    try:
        return _Source(name, open_deck(deck))
    except CarddbError as fault:
        return _Source(name, None, fault)


def _answers_elsewhere(
    request: CheckRequest, answer: Answerer[Answer], project: Workspace, sources: Sequence[_Source]
) -> Iterator[tuple[int, Answer]]:
    with day_cards(project) as cards:
        yield from _answered(project, sources, request, answer, cards)


def _answered(
    project: Workspace, sources: Iterable[_Source], request: CheckRequest, answer: Answerer[Answer], cards: DayCards
) -> Iterator[tuple[int, Answer]]:
    rest = iter(sources)
    while some := list(islice(rest, _AT_ONCE)):
        yield len(some), answer(project, (_report(project, source, request, cards) for source in some))


def _report(project: Workspace, source: _Source, request: CheckRequest, cards: DayCards) -> Report | Unreadable:
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


def _shown_name(deck: DeckSource) -> str:
    return str(deck) if isinstance(deck, Path) else ""
