"""The desk's pages of the rounds: check-in, pairings, results, the clock for the hall, standings, and papers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from starlette.responses import RedirectResponse, Response

from carddb.app.events import rounds
from carddb.app.events.tournament import OpenEvent, event_called, prizes
from carddb.app.workspace.clock import now
from carddb.core.errors import CarddbError, UsageError
from carddb.core.names import strip_accents
from carddb.core.plain_text import whole
from carddb.rounds.model import SYSTEMS, possible_results
from carddb.rounds.standings import TIEBREAKS, Standings
from carddb.web.events.player_page import event_file, event_page, event_route
from carddb.web.http.answers import Asked

_MOST_LINES = 15
"""The number of changes in the log that are shown."""


def _shown(event: OpenEvent, number: int = 0) -> dict[str, Any]:
    """Returns the template's values for round `number`; 0 means the present one."""
    state = rounds.tournament_of(event)
    shown = state.rounds[number - 1] if 0 < number <= len(state.rounds) else state.present
    waiting = [player for player in event.store.players(event) if player.id not in state.entrants]
    return {
        "event": event, "state": state, "shown": shown, "names": {key: e.name for key, e in state.entrants.items()},
        "results": possible_results(state.rules, bool(shown and shown.is_elimination)), "waiting": waiting,
        "entrants": sorted(state.entrants.values(), key=lambda each: strip_accents(each.name)),
        "missing": sum(match.result is None for match in shown.matches) if shown else 0,
        "log": rounds.log_of(event)[:_MOST_LINES], "ends": rounds.round_end(shown),
        "winner": Standings(state).winner, "papers": rounds.PAPERS, "systems": SYSTEMS, "changes": [],
    }  # fmt: skip


def show(asked: Asked, event: OpenEvent) -> Response:
    """Shows the present round, or the one that the query names."""
    number = whole(asked.query("round").get("round", "")) or 0
    return event_page("events/rounds.html", asked, **_shown(event, number))


def change(asked: Asked, event: OpenEvent) -> Response:
    """Does what the form asks for, and shows what changed, or why it was refused."""
    fields = asked.sent.fields
    number = whole(fields.get("round", "")) or 0
    try:
        changes = _changed(event, fields, number)
    except UsageError as fault:
        return event_page("events/rounds.html", asked, fault, **_shown(event, number))
    if changes:
        shown = _shown(event_called(event.project, event.store, event.key), number)
        return event_page("events/rounds.html", asked, **{**shown, "changes": changes})
    query = f"?round={number}" if number and fields.get("do") == "results" else ""
    return RedirectResponse(f"{asked.url.path}{query}", status_code=303)


def _changed(event: OpenEvent, fields: Mapping[str, str], number: int) -> list[str]:
    """Does what a form asks for, and returns sentences about what else changed. Raises UsageError for a wrong value."""
    what, player = fields.get("do", ""), whole(fields.get("player", "")) or 0
    if what in ("pair", "again"):
        paired = rounds.pair(event, number or None, what == "again")
        return [f"{line}." for line in paired.changes]
    if what == "results":
        return _entered(event, fields, number)
    act = partial(rounds.act, event)
    names = (fields.get("names") or fields.get("name", "")).splitlines()
    actions: Mapping[str, Callable[[], object]] = {
        "check-in": lambda: rounds.check_in(event, [name for name in names if name.strip()]),
        "check-in-all": lambda: rounds.check_in(event, [player.name for player in event.store.players(event)]),
        "drop": lambda: act("drop", player=player), "rejoin": lambda: act("rejoin", player=player),
        "bye": lambda: act("bye", player=player, given=True), "no-bye": lambda: act("bye", player=player, given=False),
        "table": lambda: act("table", player=player, table=whole(fields.get("table", ""), 3) or 0),
        "terms": lambda: rounds.change_rounds(event, **_terms(fields)),
        "cut": lambda: rounds.cut(
            event, whole(fields.get("size", ""), 3) or 0,
            "double" if fields.get("double") else "single",
        ),
        "timer": lambda: rounds.start_timer(event, whole(fields.get("minutes", ""), 3)),
        "stop": lambda: rounds.start_timer(event, 0),
        "undo": lambda: rounds.undo(event, whole(fields.get("act", "")) or 0),
    }  # fmt: skip
    if what not in actions:
        raise UsageError("there is no such action for rounds", "Press one of the buttons.")
    actions[what]()
    return []


def _terms(fields: Mapping[str, str]) -> dict[str, Any]:
    """Returns the form's fields that belong to `RoundTerms`; for an empty field, the game's usual value applies."""
    return {
        "system": fields.get("system", "swiss"), "best_of": whole(fields.get("best_of", ""), 1),
        "draws": {"yes": True, "no": False}.get(fields.get("draws", "")),
        "accelerated": bool(fields.get("accelerated")), "lists": bool(fields.get("lists")),
        "standings": bool(fields.get("standings")),
        "prizes": tuple(line.strip() for line in fields.get("prizes", "").splitlines() if line.strip()),
    }  # fmt: skip


def _entered(event: OpenEvent, fields: Mapping[str, str], number: int) -> list[str]:
    """Enters the results of a form that differ from those on its page, each separately.

    Returns sentences about what corrections change, and about results that were not entered.
    """
    changes: list[str] = []
    for name, text in fields.items():
        table = whole(name.removeprefix("table-")) if name.startswith("table-") else None
        seen = fields.get(f"seen-{table}", "")
        if table is None or not text or text == seen:
            continue
        try:
            changes += rounds.enter_result(event, table, rounds.to_result(text), number, seen)
        except CarddbError as fault:
            changes.append(f"Not entered: {fault.message}.")
    return changes


def papers(asked: Asked, event: OpenEvent) -> Response:
    """Answers with a paper of the present round as PDF: pairings, slips, table numbers or standings."""
    fields = asked.query("kind", "paper")
    kind, state = fields.get("kind", "list"), rounds.tournament_of(event)
    data = rounds.print_round(event, state, [kind], fields.get("paper", "a4")).data
    return event_file(data, f"{event.key}-{kind}.pdf")


def standings(asked: Asked, event: OpenEvent) -> Response:
    """Shows the standings, and for each figure the sum from which it results."""
    state = rounds.tournament_of(event)
    breaks = {name: TIEBREAKS[name] for name in state.rules.tiebreaks}
    rows, gifts = Standings(state).rows, prizes(event.rounds.prizes)
    return event_page("events/standings.html", asked, event=event, state=state, rows=rows, breaks=breaks, gifts=gifts)


def standings_file(asked: Asked, event: OpenEvent) -> Response:
    """Answers with the standings as PDF, CSV or JSON."""
    kind = asked.path_params["kind"]
    data = rounds.standings_file(event, rounds.tournament_of(event), f".{kind}")
    return event_file(data, f"{event.key}-standings.{kind}")


def timer(asked: Asked, event: OpenEvent) -> Response:
    """Shows the clock of the present round, large, for the hall."""
    shown = rounds.tournament_of(event).present
    ends = rounds.round_end(shown)
    left = max(0, int((ends - now()).total_seconds())) if ends else None
    return event_page("events/timer.html", asked, event=event, shown=shown, left=left)


ROUTES = [
    event_route("/events/{key}/rounds", show),
    event_route("/events/{key}/rounds", change, ["POST"]),
    event_route("/events/{key}/rounds/papers.pdf", papers),
    event_route("/events/{key}/standings", standings),
    event_route("/events/{key}/standings.{kind}", standings_file),
    event_route("/events/{key}/timer", timer),
]
