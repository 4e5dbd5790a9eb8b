"""The deck checker: a deck as set text, each finding beside its line, and charts of what it is made of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from carddb.app.decks.help import HelpRequest, fix_deck
from carddb.app.decks.lists import deck_list
from carddb.app.decks.page import DeckPage
from carddb.app.decks.statistics import DeckStatistics
from carddb.app.workspace.workspace import Workspace
from carddb.core.errors import UsageError
from carddb.findings import VERDICTS
from carddb.games import Game
from carddb.web.cards.gallery import tile
from carddb.web.decks.checked_deck import MOST_LINES, Checked
from carddb.web.http.answers import as_file
from carddb.web.http.forms import form_of
from carddb.web.http.pages import front_of, page
from carddb.web.http.requests import check_request, deck_of
from carddb.web.printing.paper_form import house_options_of


async def show(request: Request) -> Response:
    """The empty checker."""
    front = front_of(request)
    fields = {"game": request.query_params.get("game", "")}
    games = await front.run(lambda: front.project().all_games())
    empty = {"fields": fields, "text": "", "checked": None, "fault": None}
    return page("decks/checker.html", front, "check", games=games, most_lines=MOST_LINES, **empty)


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

    return page("decks/checker.html", front, "check", most_lines=MOST_LINES, **await front.run(work))


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


def _deck(project: Workspace, form: Mapping[str, str]) -> DeckPage:
    """The deck of a form, with what it is to be checked by. Raises UsageError."""
    fields: dict[str, Any] = {name: form.get(name) for name in ("game", "format", "on", "event")}
    fields |= {"deck": _text(form).replace("\r\n", "\n").rstrip("\n"), "options": house_options_of(form)}
    fields["editions"] = [name.strip() for name in form.get("editions", "").split(",") if name.strip()]
    return DeckPage(project, deck_of(fields), check_request(fields))


def _mended(deck: DeckPage, form: Mapping[str, str]) -> str:
    """The text after a remedy, with a copy more or fewer, or as the smallest change makes it legal."""
    if form.get("mend"):
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
    game: Game = deck.report.game
    return {
        "checked": checked,
        "report": deck.report,
        "verdict": VERDICTS[deck.report.verdict],
        "notes": notes,
        "lines": checked.lines(notes),
        "notes_of_all": checked.of_all(notes),
        "days": checked.days,
        "rows": checked.rows,
        "coming": checked.coming,
        "game": game,
        "statistics": deck.statistics,
        "hands": columns(deck.statistics),
        "curves": bars(deck.statistics),
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


_HEIGHT, _STEP, _WIDTH = 100, 40, 32
"""The highest column, the way from one to the next, and how wide one is."""
_ROOM = 320


class Column(NamedTuple):
    """One column: where it stands, how high it is, what it counts, and its figure."""

    x: int
    y: float
    height: float
    label: str
    figure: str


class Chart(NamedTuple):
    """Columns of one thing, all of them in words too."""

    title: str
    caption: str
    width: int
    columns: list[Column]

    @property
    def words(self) -> str:
        return f"{self.title}: " + ", ".join(f"{column.label}: {column.figure or '0'}" for column in self.columns)


def columns(statistics: DeckStatistics) -> list[Chart]:
    """The odds of an opening hand, a chart for each type of card."""
    hand = statistics.hand
    if hand is None:
        return []
    charts = []
    for kind, chances in hand.chances.items():
        most = max(chances.values())
        drawn = [(str(count), float(chance), float(chance / most)) for count, chance in chances.items()]
        shapes = [_column(at, label, share, f"{chance:.0%}") for at, (label, chance, share) in enumerate(drawn)]
        caption = f"Among {hand.drawn} cards of {hand.total} in the {hand.section}, in per cent of all deals."
        charts.append(Chart(kind, caption, max(_ROOM, len(shapes) * _STEP), shapes))
    return charts


def bars(statistics: DeckStatistics) -> list[Chart]:
    """The curve of each number field."""
    charts = []
    for name, curve in statistics.numbers.curves.items():
        most = max(curve.values())
        shapes = [
            _column(at, _short(value), count / most, str(count)) for at, (value, count) in enumerate(curve.items())
        ]
        title = statistics.labels.get(name, name)
        charts.append(Chart(title, "", max(_ROOM, len(shapes) * _STEP), shapes))
    return charts


def _short(value: int | float) -> str:
    """`23k` for 23,000: a label has the room of its column."""
    return f"{value / 1000:g}k" if abs(value) >= 1000 else f"{value:g}"


def _column(at: int, label: str, share: float, figure: str) -> Column:
    height = round(share * _HEIGHT, 1)
    return Column(at * _STEP + 4, round(122 - height, 1), height, label, figure)
