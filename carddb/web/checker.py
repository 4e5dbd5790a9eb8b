"""The deck checker: a deck as set text, each finding beside its line, and what rules and ban lists make of it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, NamedTuple

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from carddb.app.deck_lists import deck_list
from carddb.app.deck_page import DeckPage
from carddb.app.project import Project
from carddb.errors import UsageError
from carddb.findings import VERDICTS, Finding, Severity
from carddb.games import Game
from carddb.read.deck_edits import Remedy
from carddb.web.answers import as_file
from carddb.web.charts import bars, columns
from carddb.web.forms import form_of
from carddb.web.gallery import tile
from carddb.web.pages import front_of, page
from carddb.web.requests import check_request, deck_of

_OPTION = "option."
_MOST_DAYS = 14
"""Days that the time line shows one by one."""


class Note(NamedTuple):
    """A finding as it stands beside a line: numbered where it keeps the deck from being legal; `at` in the report."""

    number: int
    at: int
    finding: Finding
    remedies: list[Remedy]

    @property
    def mark(self) -> str:
        """The number of a fault; a warning has a sign, an info none."""
        return str(self.number) if self.number else "!" if self.finding.severity is Severity.WARNING else "i"

    @property
    def kind(self) -> str:
        return {"error": "", "not_checkable": "", "warning": "warn"}.get(self.finding.severity, "hint")

    def edits(self, remedy: Remedy) -> str:
        """The edits of a remedy for the script."""
        return json.dumps(remedy.edits)


class Line(NamedTuple):
    """A line of the deck: what of it is right, the faulty rest, and the notes that stand beside it."""

    text: str
    faulty: str
    is_card: bool
    notes: list[Note]


class Span(NamedTuple):
    """A part of the forecast: from one day of the time line to another, and what the deck is then."""

    first: int
    last: int
    legal: bool
    words: str


@dataclass(frozen=True)
class Checked:
    """What the page shows of a deck."""

    deck: DeckPage

    @property
    def notes(self) -> list[Note]:
        number, notes = 0, []
        for index, finding in enumerate(self.deck.report.findings):
            grave = finding.severity in (Severity.ERROR, Severity.NOT_CHECKABLE)
            number += grave
            notes.append(Note(number if grave else 0, index, finding, self.deck.remedies(finding)))
        return notes

    def lines(self, notes: Sequence[Note]) -> list[Line]:
        """Every line of the text with its notes; a note stands at the first line that it is about."""
        beside: dict[int, list[Note]] = {}
        for note in notes:
            if note.finding.where:
                beside.setdefault(note.finding.where[0].line, []).append(note)
        cards = {entry.place.line for entry in self.deck.report.deck.entries}
        return [
            _line(text, number in cards, beside.get(number, []))
            for number, text in enumerate(self.deck.text.splitlines(), 1)
        ]

    def of_all(self, notes: Sequence[Note]) -> list[Note]:
        """The notes that are about the whole deck."""
        return [note for note in notes if not note.finding.where or not note.finding.where[0].line]

    @property
    def sums(self) -> str:
        """`5 faults, 1 warning`."""
        found = self.deck.report.findings
        faults = sum(finding.severity in (Severity.ERROR, Severity.NOT_CHECKABLE) for finding in found)
        warnings = sum(finding.severity is Severity.WARNING for finding in found)
        parts = [_amount(faults, "fault"), *([_amount(warnings, "warning")] if warnings else [])]
        return ", ".join(parts).capitalize()

    @property
    def seal(self) -> str:
        report = self.deck.report
        return f"{VERDICTS[report.verdict]} · {report.format} · {spoken(report.context.on)} · ".upper()

    @property
    def time_line(self) -> tuple[list[date], list[Span]]:
        """The days from now to the end of the forecast, and what the deck is on them."""
        forecast = self.deck.forecast
        turning = [day for day, _ in forecast.coming]
        last = max([self.deck.request.event or forecast.on, *turning, forecast.on + timedelta(6)])
        length = min((last - forecast.on).days + 1, _MOST_DAYS)
        days = [forecast.on + timedelta(number) for number in range(length)]
        if forecast.findings:
            return days, [Span(1, length + 1, False, self.sums)]
        ends = min((day for day, _ in forecast.coming), default=None)
        if ends is None:
            return days, [Span(1, length + 1, True, "Legal")]
        at = max(2, min((ends - forecast.on).days + 1, length))
        legal = Span(1, at, True, f"Legal until {spoken(ends - timedelta(1))}")
        return days, [legal, Span(at, length + 1, False, "Not legal")]


def spoken(day: date) -> str:
    """`5 December 2026`."""
    return f"{day.day} {day:%B %Y}"


def _amount(count: int, noun: str) -> str:
    return f"{count or 'no'} {noun}{'' if count == 1 else 's'}"


def _line(text: str, is_card: bool, notes: list[Note]) -> Line:
    columns = [note.finding.where[0].column for note in notes if note.kind != "hint" and len(note.finding.where) == 1]
    start = min((column for column in columns if column), default=0)
    right = text[: start - 1] if start else text
    return Line(right, text[len(right) :], is_card, notes)


# Requests.


async def show(request: Request) -> Response:
    """The empty checker."""
    front = front_of(request)
    fields = {"game": request.query_params.get("game", "")}
    games = await front.run(lambda: front.project().all_games())
    return page("checker.html", front, "check", games=games, fields=fields, text="", checked=None, fault=None)


async def check(request: Request) -> Response:
    """A deck checked; with `fix` one remedy is made first, with `mend` the smallest legal change."""
    front, form = front_of(request), await form_of(request)

    def work() -> dict[str, Any]:
        project = front.project()
        values = {"games": project.all_games(), "fields": form, "text": _text(form), "checked": None, "fault": None}
        try:
            deck = _deck(project, form)
            if form.get("fix") or form.get("mend") or form.get("more"):
                deck = DeckPage(project, _mended(deck, form), deck.request)
                values["text"] = deck.text
            return values | _shown(Checked(deck)) | _beyond(deck, form)
        except UsageError as fault:
            return values | {"fault": fault}

    return page("checker.html", front, "check", **await front.run(work))


async def print_list(request: Request) -> Response:
    """The deck list as PDF."""
    front, form = front_of(request), await form_of(request)

    def work() -> tuple[bytes, str]:
        project = front.project()
        report = _deck(project, form).report
        return deck_list(project, report, "pdf", form.get("paper") or "letter").data, report.deck.name

    data, name = await front.run(work)
    return as_file(data, f"{name or 'deck'}.pdf", "application/pdf")


def _text(form: Mapping[str, str]) -> str:
    return form.get("file") or form.get("deck", "")


def _deck(project: Project, form: Mapping[str, str]) -> DeckPage:
    """The deck of a form, with what it is to be checked by. Raises UsageError."""
    options = {name.removeprefix(_OPTION): value for name, value in form.items() if name.startswith(_OPTION) and value}
    fields: dict[str, Any] = {name: form.get(name) for name in ("game", "format", "on", "event")}
    fields |= {"deck": _text(form).replace("\r\n", "\n").rstrip("\n"), "options": options}
    fields["editions"] = [name.strip() for name in form.get("editions", "").split(",") if name.strip()]
    return DeckPage(project, deck_of(fields), check_request(fields))


def _mended(deck: DeckPage, form: Mapping[str, str]) -> str:
    """The text after a remedy, with a copy more or fewer, or as the smallest change makes it legal."""
    if form.get("mend"):
        from carddb.app.deck_help import HelpRequest, fix_deck

        return fix_deck(deck.project, deck.text, HelpRequest(deck.request)).text.decode()
    if form.get("more"):
        ref, _, more = form["more"].rpartition(":")
        return deck.with_copies(ref, -1 if more == "-1" else 1)
    number, _, way = form["fix"].partition(":")
    if not (number.isdecimal() and way.isdecimal()):
        raise UsageError("this is no remedy", "Press one of the buttons.")
    return deck.mended(int(number), int(way))


def _shown(checked: Checked) -> dict[str, Any]:
    """What the template sees of a checked deck."""
    deck, notes = checked.deck, checked.notes
    days, spans = checked.time_line
    game: Game = deck.report.game
    return {
        "checked": checked,
        "report": deck.report,
        "verdict": VERDICTS[deck.report.verdict],
        "lines": checked.lines(notes),
        "notes_of_all": checked.of_all(notes),
        "days": days,
        "spans": spans,
        "coming": deck.forecast.by_day(),
        "game": game,
        "statistics": deck.statistics,
        "hands": columns(deck.statistics),
        "curves": bars(deck.statistics),
        "spoken": spoken,
    }


def _beyond(deck: DeckPage, form: Mapping[str, str]) -> dict[str, Any]:
    """A hand that was dealt for a try, and another deck beside this one."""
    seed = form.get("hand", "")
    hand = deck.trial_hand(int(seed)) if seed.isdecimal() else []
    other = form.get("other", "").replace("\r\n", "\n")
    difference = deck.difference(other + "\n") if other.strip() else None
    game = deck.report.game
    return {"hand": [tile(game, card) for card in hand], "seed": int(seed) if hand else 0, "difference": difference}


ROUTES = [
    Route("/check", show),
    Route("/check", check, methods=["POST"]),
    Route("/check/list", print_list, methods=["POST"]),
]
