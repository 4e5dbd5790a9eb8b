"""What the organiser does with a whole event: bring lists, add players, lock, check again, print."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from carddb.app.events import checks as tournament_checks
from carddb.app.events import players as tournament_players
from carddb.app.events import tournament
from carddb.app.events.batch import Outcome, PlayerDeck, file_deck, pasted_decks, submit_all
from carddb.app.events.prints import print_event_lists
from carddb.app.workspace.workspace import Workspace
from carddb.core.errors import UsageError
from carddb.events.records import Event
from carddb.events.store import Events
from carddb.layout.qr_code import qr_code
from carddb.read.decks.pasted.mail import divide
from carddb.web.events.desk import shown_table
from carddb.web.events.pages import Upload, base_of, event_file, event_page, fault_page, in_event, upload_of

_LOCKS = {"lock": True, "unlock": False, "follow": None}
_ACCESS = {
    "registration": {"registration": True},
    "no-registration": {"registration": False},
    "show-lists": {"open_lists": True},
    "hide-lists": {"open_lists": False},
}
_ALL = {"lock": True, "unlock": False}


async def bring(request: Request) -> Response:
    """Hands in dropped files, or a pasted text: of a text it is shown first how it is divided."""
    upload = await upload_of(request)
    text = upload.fields.get("text", "")
    division = divide(text) if text.strip() else None
    decks: list[PlayerDeck | Outcome] = [file_deck(name, data) for name, data in upload.files]
    if division and upload.fields.get("take"):
        decks += pasted_decks(division.decks, upload.values.get("player", ()))

    def work(project: Workspace, events: Events, event: Event) -> tuple[Event, list[Outcome]]:
        return event, submit_all(project, events, event, decks) if decks else []

    event, outcomes = await in_event(request, work)
    shown = None if upload.fields.get("take") else division
    return event_page("events/event_batch.html", request, event=event, outcomes=outcomes, division=shown, text=text)


async def names(request: Request) -> Response:
    """Adds players by name, a line each, and shows their links, which nobody sees again."""
    upload = await upload_of(request)
    lines = [line for line in upload.fields.get("names", "").splitlines() if line.strip()]
    base = base_of(request)

    def work(_: Workspace, events: Events, event: Event) -> tuple[Event, list[tuple[str, str]]]:
        links = tournament_players.add_players(events, event, lines)
        return event, [(link.player.name, f"{base}/p/{link.token}") for link in links]

    try:
        event, links = await in_event(request, work)
    except UsageError as fault:
        event = await in_event(request, _event)
        return fault_page("events/event_links.html", request, fault, event=event, links=[], qr_code=qr_code)
    return event_page("events/event_links.html", request, event=event, links=links, qr_code=qr_code)


def _event(_project: Workspace, _events: Events, event: Event) -> Event:
    return event


async def poster(request: Request) -> Response:
    """The address and the code at which players register, to hang up."""
    event = await in_event(request, _event)
    address = f"{base_of(request)}/join/{event.join_code}"
    return event_page("events/event_poster.html", request, event=event, join=address, code=qr_code(address))


async def act(request: Request) -> Response:
    """Locks, opens, or checks again: all lists, or those that are picked in the table."""
    upload = await upload_of(request)

    def work(project: Workspace, events: Events, event: Event) -> str:
        return _acted(project, events, event, upload)

    try:
        done = await in_event(request, work)
    except UsageError as fault:
        return fault_page("events/desk.html", request, fault, **await in_event(request, shown_table))
    return RedirectResponse(f"/events/{request.path_params['key']}?done={done}", status_code=303)


def _acted(project: Workspace, events: Events, event: Event, upload: Upload) -> str:
    """What was done, as a word of the address. Raises UsageError."""
    what = upload.fields.get("do", "")
    if what == "recheck":
        return f"recheck-{len(tournament_checks.recheck(project, events, event).changed)}"
    if what in _ACCESS:
        tournament.change_access(events, event, **_ACCESS[what])
        return what
    if what == "deadline":
        return _moved(project, events, event, upload.fields.get("deadline", ""))
    if what.startswith("all-") and what[4:] in _ALL:
        tournament_players.lock_all(events, event, _ALL[what[4:]])
        return what
    return _picked(events, event, what, upload.values.get("pick", ()))


def _moved(project: Workspace, events: Events, event: Event, text: str) -> str:
    terms = event.terms
    deadline = tournament.to_deadline(text, terms.day, terms.zone)
    tournament.change_terms(project, events, event, deadline=deadline)
    return "deadline"


def _picked(events: Events, event: Event, what: str, ids: Sequence[str]) -> str:
    """Does something with the lists that are picked. Raises UsageError."""
    entries = [events.player(event, int(each)) for each in ids if each.isdecimal() and len(each) < 18]
    players = [player for player in entries if player]
    if not players:
        raise UsageError("no list is picked", "Pick some in the table.")
    for player in players:
        if what in _LOCKS:
            tournament_players.lock_player(events, player, _LOCKS[what])
        elif what in ("open-list", "close-list"):
            tournament_players.open_list(events, player, what == "open-list")
        else:
            raise UsageError("this is nothing that is done with lists", "Press one of the buttons.")
    return f"{what}-{len(players)}"


async def print_lists(request: Request) -> Response:
    """All deck lists as one PDF, or the failing ones, each with a code that leads to it."""
    upload, key = await upload_of(request), request.path_params["key"]
    address = f"{base_of(request)}/events/{key}/find?q="
    only, paper = upload.fields.get("only") == "illegal", upload.fields.get("paper") or "a4"

    def work(project: Workspace, events: Events, event: Event) -> bytes:
        return print_event_lists(project, events, event, paper, only, address).data

    return event_file(await in_event(request, work), f"{key}{'-failing' if only else ''}.pdf", "application/pdf")


ROUTES = [
    Route("/events/{key}/bring", bring, methods=["POST"]),
    Route("/events/{key}/names", names, methods=["POST"]),
    Route("/events/{key}/poster", poster),
    Route("/events/{key}/act", act, methods=["POST"]),
    Route("/events/{key}/print", print_lists, methods=["POST"]),
]
