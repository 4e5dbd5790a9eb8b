"""The changes of a game between two days, or since a print or an exported file, and what must be printed again."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from functools import cached_property
from pathlib import Path
from typing import Annotated

from carddb.app.bans.lists import change_words, lists_on
from carddb.app.cards.faces import CardFaces, FaceRequest
from carddb.app.cards.load import LoadRequest, card_reading
from carddb.app.printing.options import PaperOptions, sheet_options
from carddb.app.printing.selection import Selection, own_count, previous_job
from carddb.app.printing.sheet_job import PrintResult, SheetJob
from carddb.app.workspace.clock import today
from carddb.app.workspace.workspace import Workspace
from carddb.cards.cards import Card
from carddb.cards.changes import CardChange, Values, compare
from carddb.cards.print_history import GONE, PrintJob, Pull
from carddb.core.errors import CarddbError, InputError, UsageError, check_kind
from carddb.core.files import file_state, read_inside
from carddb.core.options import Option
from carddb.core.plain_text import json_bytes, whole
from carddb.findings import has_errors
from carddb.games import Game
from carddb.press.documents.changes import ChangeNotes, changes_feed, changes_page, notes_markdown, notes_text
from carddb.press.faces.workshop import fonts_of
from carddb.press.sheets.sheets import size_name
from carddb.read.cards.file import read_cards

PRINT = "print"
"""The word for the state of the cards at the last print."""
_OTHERS = "Compare with a day, such as 2026-06-20, or with an exported card file."
"""The remedy if no print is recorded."""
_MOST_FACES = 200
"""The most cards of which a page shows the faces."""
_HEADING = re.compile(r"^## +(.+?) *$", re.M)


@dataclass(frozen=True, slots=True)
class ChangeRequest:
    """A request for the changes of the cards that `query` finds, between two states: days, prints or card files.

    `guide` is an earlier rule sheet; the sections of the present one are compared with it.
    """

    # fmt: off
    query: str = ""
    game: Annotated[str | None, Option("The game whose changes are listed.", metavar="G")] = None
    since: Annotated[str, Option(
        "The earlier state: a day, the last print, the print with the number N, or an exported card file.",
        PRINT, flag="--from", metavar="DAY|last|print:N|FILE")] = PRINT
    until: Annotated[str, Option(
        "The later state: the end of a day (default: today), a print, or an exported card file.",
        flag="--to", metavar="DAY|last|print:N|FILE")] = ""
    guide: Annotated[Path | None, Option("An earlier guide.md, to compare the rule sheet with.", metavar="FILE")] = None
    # fmt: on


@dataclass(frozen=True)
class ChangeReport:
    """The changes of a game's cards, ban lists (in words, by title) and rules, and the cards before and after."""

    project: Workspace
    game: Game
    request: ChangeRequest
    first: str
    last: date
    changes: tuple[CardChange, ...]
    bans: Mapping[str, tuple[str, ...]]
    rules: tuple[CardChange, ...]
    before: Values
    after: Values
    paper: PaperOptions = field(default_factory=PaperOptions)
    file: str = ""
    """The name of the file with the last state; empty if this is the state on a day."""

    @cached_property
    def notes(self) -> ChangeNotes:
        """The changes, with what must be printed again; to find this, faces are drawn and compared."""
        old, now = self._prints()
        since_then, again = now.changes_since(old)
        alone = {} if _is_print(self.request.since) else {each.ref: each for each in self.changes if each.is_one_sided}
        new, gone = ([ref for ref in alone if ref in values] for values in (self.after, self.before))
        pulls = [Pull(card.ref, card.name, count, GONE) for card, count in self._copies(self.before, gone)]
        return ChangeNotes(
            self.game.spec, self.request.query, self.first, self.last, self.changes, self.bans, self.rules,
            (*again, *self._copies(self.after, new)), (*since_then.pulls, *pulls), self.file,
        )  # fmt: skip

    def _prints(self) -> tuple[PrintJob, SheetJob]:
        """Returns an earlier print, and the job with the cards to compare with it.

        For changes since a print, these are the recorded print and a job of all cards. Otherwise, the print has the
        changed cards as they were before, as if they had been printed, and the job has the same cards as they are now.
        """
        if _is_print(self.request.since):
            now = self._job(self._copies(self.after, list(self.after)))
            size = size_name(self.game.spec, now.options)
            if number := print_number(self.request.since):
                _, old = _numbered(self.project, self.game, number)
                if old.size != size:
                    problem = f"the cards of print {number} measure {old.size}, and those to compare measure {size}"
                    raise UsageError(problem, "Choose the card size of that print with --card-size.")
                return old._replace(whole=False), now  # the print may have had other cards than the query finds
            last = previous_job(self.project, "last", self.game, self.request.query, size)
            if last is None:
                raise UsageError(f"no print of cards of {size} is recorded", _OTHERS)
            return last, now
        refs = [each.ref for each in self.changes if not each.is_one_sided]
        earlier, now = (self._job(self._copies(values, refs)) for values in (self.before, self.after))
        return earlier.record(), now

    def _copies(self, values: Values, refs: Sequence[str]) -> list[tuple[Card, int]]:
        cards = [self.game.spec.card(ref, values[ref]) for ref in refs]
        return [(card, own_count(self.game, card)) for card in cards]

    def _job(self, copies: list[tuple[Card, int]], title: str = "") -> SheetJob:
        """Returns a job that prints only the fronts of cards."""
        paper = PaperOptions(**{**self.paper, "flip": "none"})
        options = sheet_options(self.project, paper, self.last)
        chosen = Selection(self.game, copies, title or self.request.query, [], {})
        return SheetJob(self.project, chosen, options, self.last, allow_faults=True)

    def faces(self) -> dict[str, tuple[bytes, bytes]]:
        """Returns the fronts of changed cards before and after, as SVG by reference; empty if there was no card."""
        drawer, shown = CardFaces(), self.changes[:_MOST_FACES]

        def drawn(values: Values, ref: str) -> bytes:
            if ref not in values:
                return b""
            card = self.game.spec.card(ref, values[ref])
            return drawer.draw(self.project, self.game, card, FaceRequest(lang=self.paper.get("lang", "")))

        with self.project.working("drawing faces", len(shown)) as step:
            out = {}
            for change in shown:
                out[change.ref] = drawn(self.before, change.ref), drawn(self.after, change.ref)
                step("")
        return out

    def page(self) -> bytes:
        """Returns the changes as a web page that shows the faces before and after."""
        return changes_page(self.notes, self.faces(), fonts_of(self.game, self.paper.get("lang", "")))

    def errata(self) -> PrintResult:
        """Prints the fronts that look different now, at card size with cut marks, to paste over the old ones."""
        span = f" of {self.last}" if Path(self.first).suffix else f", {self.first} to {self.last}"
        job = self._job(list(self.notes.to_print), f"Errata{span}")
        return job.print_sheets() if job.copies else PrintResult(job, None, ())


def changes(project: Workspace, request: ChangeRequest, paper: PaperOptions | None = None) -> ChangeReport:
    """Returns the changes of a game, of cards that the query finds before or after them; see `Project.changes`."""
    game = project.only_game(request.game)
    spec = game.spec
    query = spec.query(request.query)
    (day, before), (until, after) = (_state(project, game, text) for text in (request.since, request.until))
    last = until or today()
    refs = {ref for state in (before, after) for ref, values in state.items() if query.matches(spec.card(ref, values))}
    before, after = ({ref: state[ref] for ref in state if ref in refs} for state in (before, after))
    first = day.isoformat() if day else Path(request.since).name
    bans = _ban_changes(project, game, day, last) if day else {}
    rules = _rule_changes(project, game, request.guide) if request.guide else ()
    return ChangeReport(
        project, game, request, first, last, compare(before, after), bans, rules, before, after,
        paper or PaperOptions(), "" if until else Path(request.until).name,
    )  # fmt: skip


def changes_file(report: ChangeReport, kind: str, url: str = "") -> bytes:
    """Returns the changes as `md`, `txt`, `json`, `html`, `xml` (Atom) or `pdf` (errata; empty if no face changed).

    Raises UsageError for another kind.
    """
    writers: dict[str, Callable[[], bytes]] = {
        "md": lambda: notes_markdown(report.notes).encode(),
        "txt": lambda: notes_text(report.notes).encode(),
        "json": lambda: json_bytes(report.notes.to_json()),
        "html": report.page,
        "xml": lambda: feed(report.project, report.request, url),
        "pdf": lambda: report.errata().data,
    }
    check_kind("changes are", kind, writers)
    return writers[kind]()


def watched(project: Workspace, path: Path, key: str | None, ticks: Iterable[object]) -> Iterator[ChangeNotes]:
    """Yields the changes in a card file whenever it is saved: first since it was loaded, then since the last save.

    For each of `ticks`, the file is looked at once. If it has errors, a notice says so. Stored cards of sets that are
    not in the file are not compared. Raises UsageError for an unknown game.
    """
    game, seen = project.only_game(key), None
    last: Values | None = None
    for _ in ticks:
        if (state := file_state(path)) == seen:
            continue
        seen = state
        try:
            after = cards_of_file(project, game, path)
        except CarddbError as fault:
            project.notify("file_faulty", str(fault), fault.findings)
            continue
        if last is None:
            sets = {values.get("set") for values in after.values()}
            stored = state_on(project, game, today())
            last = {ref: values for ref, values in stored.items() if values.get("set") in sets}
        yield ChangeNotes(game.spec, "", "the last look", today(), compare(last, after), {}, ())
        last = after


def state_on(project: Workspace, game: Game, day: date) -> Values:
    """Returns the given values (without defaults) of a game's cards, as they were at the end of a day, by reference."""
    with project.catalog() as catalog:
        later = catalog.added_after(game.key, day=day)
        return {ref: values for ref, values in catalog.given(game.spec, day=day) if ref not in later}


def feed(project: Workspace, request: ChangeRequest, url: str = "") -> bytes:
    """Returns an Atom feed with the changes of each day. Raises UsageError if the request is about a file of cards."""
    game = project.only_game(request.game)
    (day, _), (last, _) = (_state(project, game, text) for text in (request.since, request.until))
    if day is None or last is None:
        raise UsageError("a feed must begin and end on a day, not with a file", "Name days, such as --from 2026-06-20.")
    with project.catalog() as catalog:
        days = catalog.change_days(game.key, day, last)
    for listed in lists_on(project, game.key, last):
        days += [each.effective for each in listed.ban_list.log.announcements if day < each.effective <= last]
    notes = []
    for on in sorted(set(days)):
        of_day = changes(
            project, replace(request, since=(on - timedelta(1)).isoformat(), until=on.isoformat(), guide=None)
        )
        notes.append(ChangeNotes(game.spec, request.query, of_day.first, on, of_day.changes, of_day.bans, ()))
    return changes_feed(game.spec, notes, last, url)


def print_number(since: str) -> int:
    """Returns the number N in `print:N`; 0 for any other text."""
    return whole(since.removeprefix(f"{PRINT}:")) or 0 if since.startswith(f"{PRINT}:") else 0


def _is_print(since: str) -> bool:
    return since in (PRINT, "last") or print_number(since) > 0


def _numbered(project: Workspace, game: Game, number: int) -> tuple[date, PrintJob]:
    """Returns the day and the cards of the print `number` of a game. Raises UsageError if it is not recorded."""
    with project.catalog() as catalog:
        numbered = catalog.numbered_print(game.key, number)
    if numbered is None:
        raise UsageError(f"no print {number} of {game.spec.name} is recorded", _OTHERS)
    return numbered


def _state(project: Workspace, game: Game, text: str) -> tuple[date | None, Values]:
    """Returns the day of the state `text` (None for a file, today for an empty text), and the cards in this state."""
    day: date | None
    if not text:
        day = today()
    elif number := print_number(text):
        day, _ = _numbered(project, game, number)
    elif _is_print(text):
        with project.catalog() as catalog:
            day = catalog.last_print_day(game.key)
        if day is None:
            raise UsageError(f"no print of {game.spec.name} is recorded", _OTHERS)
    else:
        try:
            day = date.fromisoformat(text)
        except ValueError:
            return None, _state_in_file(project, game, text)
    return day, state_on(project, game, day)


def _state_in_file(project: Workspace, game: Game, text: str) -> Values:
    path = Path(text)
    if not path.is_file():
        remedy = "Write last, print:1, a day such as 2026-06-20, or the name of an exported file."
        raise UsageError(f"{text} is neither a print, a day, nor a file", remedy)
    project.protect(path)
    return cards_of_file(project, game, path)


def cards_of_file(project: Workspace, game: Game, path: Path) -> Values:
    """Returns the values of the cards in a file, by reference. Raises InputError with the errors in the file."""
    reading = card_reading(project, game, path.stem, LoadRequest(game.key), None)
    file = read_cards(path, reading)
    if has_errors(file.findings):
        raise InputError(f"{path} has errors, so its cards are not compared", "Correct the errors.", file.findings)
    return {row.ref: row.values for row in file.records}


def _ban_changes(project: Workspace, game: Game, first: date, last: date) -> dict[str, tuple[str, ...]]:
    """Returns the changes of each ban list that changed, in words, by the title of the list."""
    lists = [listed.ban_list for listed in lists_on(project, game.key, last)]
    words = [(each.spec.title, [change_words(one, each.pool) for one in each.changes(first, last)]) for each in lists]
    return {title: tuple(of_list) for title, of_list in words if of_list}


def _rule_changes(project: Workspace, game: Game, earlier: Path) -> tuple[CardChange, ...]:
    """Returns the sections of a game's rule sheet that differ from an earlier one. Raises InputError for a bad file."""
    project.protect(earlier)
    present = game.folder.guide_file
    if not present.is_file():
        raise InputError(f"{game.spec.name} has no rule sheet: there is no {present}", "Leave out --guide.")
    return compare(_sections(earlier), _sections(present))


def _sections(file: Path) -> dict[str, dict[str, str]]:
    """Returns a Markdown file's sections as values for `compare`, by heading. Raises InputError if it is unreadable."""
    first, *parts = _HEADING.split(read_inside(None, file).decode("utf-8-sig", "replace"))
    pairs = zip(["", *parts[::2]], [first, *parts[1::2]], strict=True)
    return {title: {"name": title or "Beginning", "text": body.strip()} for title, body in pairs if body.strip()}
