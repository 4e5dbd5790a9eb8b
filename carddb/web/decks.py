"""The deck checker, which shows each finding beside its line, the builder, and charts over all decks of a folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from fractions import Fraction
from functools import cached_property
from io import BytesIO
from typing import Any, BinaryIO, NamedTuple
from urllib.parse import urlencode

from starlette.responses import RedirectResponse, Response

from carddb.app.decks.check import CheckRequest
from carddb.app.decks.forecast import Forecast
from carddb.app.decks.lists import deck_list
from carddb.app.decks.meta import Meta, meta, meta_body, meta_tables, meta_title
from carddb.app.decks.odds import DeckStatistics
from carddb.app.decks.page import FOLDER, MOST_REMEDIED, DeckPage, LineNote, chosen_text, deck_choices
from carddb.app.workspace.clock import today
from carddb.app.workspace.words import report_templates
from carddb.app.workspace.workspace import Workspace, root_of
from carddb.core.dates import later, spoken
from carddb.core.errors import InputError, UsageError
from carddb.core.groups import grouped
from carddb.core.plain_text import amount, whole
from carddb.deck.check.forecast import GRAVE
from carddb.findings import VERDICTS, Finding, Severity
from carddb.game.game import GameSpec
from carddb.web.cards import SEARCH_FIELDS, found_cards, tile
from carddb.web.http.answers import Asked, as_file, check_request, deck_of, route, text_of
from carddb.web.http.modes import Unknown
from carddb.web.http.pages import page
from carddb.web.printing.print_room import HOUSE_OPTION, prefixed

_MOST_RECENT = 6
"""The number of own decks that the first page offers."""
_MOST_DAYS = 14
"""The number of days that the time line shows."""
MOST_LINES = 1000
"""The most lines of a deck shown as text with notes beside it; a longer deck is in a plain field, with notes below."""


class DeckLine(NamedTuple):
    """A line of the deck, counted from 1: the text before its fault, the faulty rest, and the notes shown beside it."""

    number: int
    text: str
    faulty: str
    is_card: bool
    notes: list[LineNote]


class VerdictSpan(NamedTuple):
    """A part of the time line with one verdict: its first column, the column after its last, and its text."""

    first: int
    last: int
    legal: bool
    words: str


@dataclass(frozen=True)
class Checked:
    """A checked deck, with what its page shows about it."""

    deck: DeckPage

    @cached_property
    def is_long(self) -> bool:
        """True if the deck has so many lines that only those with notes are shown."""
        return len(self.deck.text.splitlines()) > MOST_LINES

    @property
    def further(self) -> int:
        """The number of findings without a note, because there are too many of them."""
        return max(0, len(self.deck.report.findings) - MOST_REMEDIED)

    def lines(self, notes: Sequence[LineNote]) -> list[DeckLine]:
        """Returns the lines of the deck, each with its notes; a finding about several lines belongs to the first."""
        beside = grouped((note.finding.where[0].line, note) for note in notes if note.finding.where)
        cards = {entry.place.line for entry in self.deck.report.deck.entries}
        lines = []
        for number, text in enumerate(self.deck.text.splitlines(), 1):
            own = beside[number]
            if self.is_long and not own:
                continue
            columns = [
                note.finding.where[0].column for note in own if note.kind != "hint" and len(note.finding.where) == 1
            ]
            start = min((column for column in columns if column), default=0)
            right = text[: start - 1] if start else text
            lines.append(DeckLine(number, right, text[len(right) :], number in cards, own))
        return lines

    @property
    def sums(self) -> str:
        """The counts of faults and warnings, such as `5 faults, 1 warning`."""
        findings = self.deck.report.findings
        faults = sum(finding.severity in GRAVE for finding in findings)
        warnings = sum(finding.severity is Severity.WARNING for finding in findings)
        parts = [amount(faults, "fault") if faults else "no faults"]
        return ", ".join([*parts, *([amount(warnings, "warning")] if warnings else [])]).capitalize()

    @property
    def seal(self) -> str:
        report = self.deck.report
        return f"{VERDICTS[report.verdict]} · {report.format} · {spoken(report.context.on)} · ".upper()

    @cached_property
    def days(self) -> list[date]:
        """The days of the time line, from the day of the check: at least 7 and at most 14.

        It ends on the day of the event or the last day on which something changes, whichever is later.
        """
        forecast = self.deck.forecast
        turning = [day for day, _, _ in self.coming]
        last = max([self.deck.request.event or forecast.on, *turning, later(forecast.on, 6)])
        length = min((last - forecast.on).days + 1, _MOST_DAYS)
        return [later(forecast.on, number) for number in range(length)]

    @cached_property
    def rows(self) -> list[tuple[str, list[VerdictSpan]]]:
        """The rows of the time line by label: the deck as it is and, if it can be fixed, the deck with its fixes."""
        rows = [("As it is", self._spans(self.deck))]
        remedied = None if self.is_long or self.deck.report.verdict == "legal" else self.deck.with_remedies()
        return [*rows, ("With the fixes", self._spans(remedied))] if remedied else rows

    @cached_property
    def coming(self) -> list[tuple[date, list[Finding], bool]]:
        """Each day on which something changes, its new findings, and True if the deck is legal again from then on."""
        forecast = self.deck.forecast
        findings = dict(forecast.by_day())
        again = forecast.legal_again
        days = sorted({*findings, *([again] if again else [])})
        return [(day, findings.get(day, []), day == again) for day in days]

    def _spans(self, deck: DeckPage) -> list[VerdictSpan]:
        """Returns the spans of a deck on the time line. Changes after its end are placed in its last columns."""
        turns, end = _turns(deck.forecast), len(self.days) + 1
        starts = [1]
        for number, (day, _) in enumerate(turns[1:], 1):
            column = min((day - deck.forecast.on).days + 1, end - len(turns) + number)
            starts.append(max(column, starts[-1] + 1))
        return [
            VerdictSpan(first, last, legal, _span_words(turns, number) or Checked(deck).sums)
            for number, ((_, legal), first, last) in enumerate(zip(turns, starts, [*starts[1:], end], strict=True))
        ]


def _turns(forecast: Forecast) -> list[tuple[date, bool]]:
    """Returns the day of the check and the later days on which the verdict changes; True where the deck is legal."""
    turns = [(forecast.on, not forecast.findings)]
    changes = {day: False for day, _ in forecast.coming}
    if forecast.legal_again:
        changes[forecast.legal_again] = True
    for day, legal in sorted(changes.items()):
        if legal != turns[-1][1]:
            turns.append((day, legal))
    return turns


def _span_words(turns: Sequence[tuple[date, bool]], number: int) -> str:
    """Returns the text of a span. It is empty for a first span that is not legal, where faults are counted instead."""
    day, legal = turns[number]
    if not legal:
        return "Not legal" if number else ""
    if number:
        return f"Legal again from {spoken(day)}"
    return f"Legal until {spoken(turns[1][0] - timedelta(1))}" if turns[1:] else "Legal"


def show(asked: Asked) -> Response:
    """Shows the first page: the deck checker with an empty form, and the games with a deck each to try."""
    fields = {name: asked.query_params.get(name, "") for name in ("game", "format", "on")}
    return page("decks/checker.html", asked.front, "check", **_first_page(asked, fields))


def _first_page(asked: Asked, fields: Mapping[str, str]) -> dict[str, Any]:
    """Returns the template's values for a page without a deck: the games, an example deck of each, and recent decks."""
    choices = deck_choices(asked.project, own=not asked.front.public)
    own = [choice for choice in choices if choice.is_own]
    recent = sorted(own, key=lambda choice: choice.path.stat().st_mtime, reverse=True)[:_MOST_RECENT]
    usual = {game.key: game.spec.default_format for game in asked.project.all_games()}
    examples = [choice for choice in reversed(choices) if not choice.is_own]
    examples.sort(key=lambda choice: choice.format == usual[choice.game])
    return {
        "fields": fields, "text": _text(fields), "checked": None, "fault": None, "proposed": None, "before": "",
        "games": asked.project.all_games(), "recent": recent, "most_lines": MOST_LINES, "today": today(),
        "samples": {choice.game: choice for choice in examples},  # the last of a game stands for it
    }  # fmt: skip


def check(asked: Asked) -> Response:
    """Checks a deck.

    With `fix`, first applies one remedy; with `mend`, shows the smallest change that makes the deck legal, or makes it;
    with `more`, adds or removes a copy of a card; with `undo`, goes back to the text before such a change. With
    `sample`, checks a deck of the first page.
    """
    project, form = asked.project, asked.fields
    values = _first_page(asked, form)
    try:
        if form.get("sample"):
            choices = deck_choices(project, own=not asked.front.public)
            form["deck"] = values["text"] = chosen_text(choices, form["sample"])
        deck = deck_of_form(project, form)
        if form.get("mend") == "look":
            values["proposed"] = deck
        elif any(form.get(name) for name in ("fix", "mend", "more")):
            values["before"] = deck.text
            deck = DeckPage(project, mended(deck, form), deck.request)
            values["text"] = deck.text
        values |= _shown(Checked(deck)) | _beyond(deck, form)
    except UsageError as fault:
        values["fault"] = fault
    return page("decks/checker.html", asked.front, "check", **values)


def print_list(asked: Asked) -> Response:
    """Answers with the printable deck list as PDF."""
    report = deck_of_form(asked.project, asked.fields).report
    data = deck_list(asked.project, report, "pdf", asked.fields.get("paper") or "letter").data
    return as_file(data, f"{report.deck.name or 'deck'}.pdf")


def _text(form: Mapping[str, str]) -> str:
    return form.get("file") or form.get("before" if form.get("undo") else "deck", "")


def deck_of_form(project: Workspace, form: Mapping[str, str]) -> DeckPage:
    """Returns the deck of the form with the request to check it. Raises UsageError for a wrong field."""
    fields: dict[str, Any] = {name: form.get(name) for name in ("game", "format", "on", "event")}
    fields |= {"deck": _text(form).replace("\r\n", "\n").rstrip("\n"), "options": prefixed(form, HOUSE_OPTION)}
    fields["editions"] = [name.strip() for name in form.get("editions", "").split(",") if name.strip()]
    return DeckPage(project, deck_of(fields), check_request(fields))


def mended(deck: DeckPage, form: Mapping[str, str]) -> str:
    """Returns the deck's text after the form's `fix`, `mend` or `more`. Raises UsageError if `fix` is malformed."""
    if form.get("mend"):
        return deck.made_legal(bool(form.get("drop")))
    if form.get("more"):
        ref, _, more = form["more"].rpartition(":")
        return deck.with_copies(ref, -1 if more == "-1" else 1)
    return deck.mended(form["fix"])


def _shown(checked: Checked) -> dict[str, Any]:
    """Returns the template's values for a checked deck."""
    deck, notes = checked.deck, checked.deck.notes
    of_all = [note for note in notes if not note.finding.where or not note.finding.where[0].line]
    return {
        "checked": checked, "report": deck.report, "verdict": VERDICTS[deck.report.verdict], "game": deck.report.game,
        "notes": notes, "lines": checked.lines(notes), "notes_of_all": of_all,
        "days": checked.days, "rows": checked.rows, "coming": checked.coming,
        "copies": deck.copies, "statistics": deck.statistics,
        "hands": hands(deck.statistics), "curves": curves(deck.statistics, deck.report.game.spec),
    }  # fmt: skip


def _beyond(deck: DeckPage, form: Mapping[str, str]) -> dict[str, Any]:
    """Returns the template's values for a sample hand and for the difference from another deck, if they are wanted.

    The form's `hand` is the seed of the hand, and `other` the text of the other deck.
    """
    seed = whole(form.get("hand", ""), 18)
    hand = deck.trial_hand(seed) if seed is not None else []
    other = form.get("other", "").replace("\r\n", "\n")
    difference = deck.difference(other + "\n") if other.strip() else None
    game = deck.report.game
    return {"hand": [tile(game, card) for card in hand], "seed": seed if hand else 0, "difference": difference}


class BarChart(NamedTuple):
    """A bar chart: its title, its caption, and for each bar its label, its value, and the text written at it."""

    title: str
    caption: str
    bars: Sequence[tuple[str, int | Fraction, str]]

    @property
    def is_flat(self) -> bool:
        """True if at most one bar has a height, so that a sentence can replace the chart."""
        return sum(bool(value) for _, value, _ in self.bars) < 2


def hands(statistics: DeckStatistics) -> list[BarChart]:
    """Returns a chart of the odds of an opening hand for each type of card; none if the deck has no opening hand."""
    hand = statistics.hand
    if hand is None:
        return []
    caption = f"How many are among {hand.drawn} of the {hand.total} cards of the {hand.section}, in per cent of deals."
    return [
        BarChart(kind, caption, [(str(count), chance, f"{float(chance):.0%}") for count, chance in chances.items()])
        for kind, chances in hand.chances.items()
    ]


def curves(statistics: DeckStatistics, spec: GameSpec) -> list[BarChart]:
    """Returns, for each number field, a chart of cards by value, unless its several values are equally common."""
    charts, fields = [], spec.all_fields()
    for name, curve in statistics.numbers.curves.items():
        if len(curve) > 1 == len({*curve.values()}):
            continue  # every value on as many cards
        # A label must fit the width of its column, so 23,000 is written as 23k.
        labels = [
            fields[name].year(value) or (f"{value / 1000:g}k" if abs(value) >= 1000 else f"{value:g}")
            for value in curve
        ]
        bars = [(label, count, str(count)) for label, count in zip(labels, curve.values(), strict=True)]
        charts.append(BarChart(statistics.labels.get(name, name), "", bars))
    return charts


def _meta(asked: Asked, draft: BinaryIO | None = None) -> Meta:
    project, game = asked.project, text_of(asked.query("game"), "game")
    folder = root_of(project) / FOLDER
    if not folder.is_dir():
        raise UsageError(f"the project has no folder {FOLDER}", f"Put deck files into a new folder {folder}.")
    return meta(project, folder, CheckRequest(game, files=False), draft)


def index(asked: Asked) -> Response:
    """Shows the charts over all decks; for an uploaded draft, also the decks that it would forbid, or its refusal."""
    files, fault = asked.sent.files, None
    try:
        report = _meta(asked, BytesIO(files["draft"][-1].data) if "draft" in files else None)
    except InputError as refusal:
        if "draft" not in files:
            raise
        report, fault = _meta(asked), refusal
    game = text_of(asked.query_params, "game")
    values = {
        "game": report.game,
        "title": meta_title(report),
        "charts": meta_body(report),
        "tables": list(meta_tables(replace(report, draft=""))),  # the draft is not stored: it has no table
        "query": urlencode({"game": game}) if game else "",
        "fault": fault,
    }
    return page("decks/deck_meta.html", asked.front, "check", **values)


def style(_: Asked) -> Response:
    """Answers with the style sheet of the charts and tables, which is part of the page that `carddb meta` writes."""
    return Response(report_templates().get_template("report.css").render(), media_type="text/css")


def table(asked: Asked) -> Response:
    """Answers with one of the tables as CSV. Raises Unknown if there is no table with that name."""
    name, tables = asked.path_params["name"], meta_tables(_meta(asked))
    if name not in tables:
        raise Unknown(f"there is no table {name}", f"Choose one of {', '.join(tables)}.")
    return as_file(tables[name], name)


_JUDGED_BY = ("format", "on", "event", "editions")
"""The fields of the checker that say how a deck is checked, which the builder passes on."""


def build(asked: Asked) -> Response:
    """Shows the builder, the gallery of one game beside a deck: an empty one, or the one that `deck` names.

    Where neither a deck nor a game is named and the project has none of its own, leads to the cards of all games, with
    a button for each game.
    """
    fields, project = asked.query(*SEARCH_FIELDS, "deck"), asked.project
    if not (fields.get("game") or fields.get("deck") or project.settings.game):
        return RedirectResponse("/cards", 303)
    key, text = text_of(fields, "game"), ""
    if fields.get("deck"):
        text = chosen_text(deck_choices(project, own=not asked.front.public), fields["deck"])
    text = text or f"Game: {project.only_game(key).key}\n"
    return _builder(asked, fields, DeckPage(project, text, CheckRequest(key, files=False)))


def build_on(asked: Asked) -> Response:
    """Shows the builder with the deck of a form; with `more`, first adds or removes a copy of a card."""
    deck = deck_of_form(asked.project, asked.fields)
    if asked.fields.get("more"):
        deck = DeckPage(asked.project, mended(deck, asked.fields), deck.request)
    return _builder(asked, asked.fields, deck)


def _builder(asked: Asked, fields: Mapping[str, str], deck: DeckPage) -> Response:
    project, key = asked.project, deck.report.game.key
    search = found_cards(project, {**fields, "game": key})
    choices = deck_choices(project, own=not asked.front.public)

    def address(**changes: Any) -> str:
        parts = {"q": fields.get("q"), "game": key, "view": fields.get("view"), **changes}
        return "/build?" + urlencode({name: value for name, value in parts.items() if value})

    values = {
        **search,
        "building": True,
        "deck": deck,
        "copies": deck.copies,
        "most": deck.most_copies([each.ref for each in search["tiles"]]),
        "verdict": VERDICTS[deck.report.verdict],
        "sums": Checked(deck).sums,
        "choices": [choice for choice in choices if choice.game == key],
        "carried": {name: text for name, text in fields.items() if name in _JUDGED_BY or name.startswith(HOUSE_OPTION)},
    }
    return page("cards/gallery.html", asked.front, "cards", address=address, **values)


ROUTES = [
    route("/check", show),
    route("/check", check, ["POST"]),
    route("/check/list", print_list, ["POST"]),
    route("/build", build),
    route("/build", build_on, ["POST"]),
]
META_ROUTES = [
    route("/check/meta/", index, ["GET", "POST"]),
    route("/check/meta/report.css", style),
    route("/check/meta/{name}", table),
]
