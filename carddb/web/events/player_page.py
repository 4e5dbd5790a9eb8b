"""The pages of players at an event: registration, their lists, the lists of others; and what all its pages share."""

from __future__ import annotations

import hmac
from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple, TypeVar

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from carddb.app.decks.page import DeckPage
from carddb.app.events import entries, player_table, tournament
from carddb.app.events.entries import Outcome, event_checks, file_deck, line_changes
from carddb.app.events.player_table import STATES, PlayerRow, print_player_list
from carddb.app.events.player_table import table as table_table
from carddb.app.events.tournament import accepts, event_called, is_open, open_events, request_of, token_hash
from carddb.app.workspace.clock import now
from carddb.app.workspace.workspace import Workspace
from carddb.core.errors import CarddbError, UsageError
from carddb.events.store import Author, Entry, Event, Events, Player
from carddb.layout.qr_code import qr_code
from carddb.web.http.answers import SentForm, as_file, read_form, status_of
from carddb.web.http.modes import (
    SESSION_HOURS,
    EventMode,
    Forbidden,
    client_of,
    cookie_name,
    form_token,
    session_cookie,
    unknown,
)
from carddb.web.http.pages import front_of, page

T = TypeVar("T")

_MOST_FILES, _MOST_FIELDS, _MOST_TEXT = 200, 1000, 10_000_000


async def in_event(request: Request, work: Callable[[Workspace, Events, Event], T]) -> T:
    """Does some work with the event of an address. Raises Unknown where there is none, CarddbError."""
    front, key = front_of(request), request.path_params.get("key") or front_of(request).options.event

    def job() -> T:
        project = front.project()
        with open_events(project) as events:
            with unknown():
                event = event_called(events, key)
            return work(project, events, event)

    return await front.run(job)


async def event_of(request: Request) -> Event:
    """Returns the event of an address. Raises Unknown where there is none."""
    return await in_event(request, lambda _project, _events, event: event)


def credential_of(request: Request) -> str:
    """Returns the secret with which a page was opened: its link, else the session's cookie; none on one's own front."""
    link = request.path_params.get("token") or request.path_params.get("code")
    return link or session_cookie(request.headers)


def event_page(template: str, request: Request, *, status: int = 200, **values: Any) -> HTMLResponse:
    """Returns a page about events."""
    front = front_of(request)
    common = {
        "alone": bool(front.options.event),
        "form_token": form_token(front.form_token, credential_of(request)),
        "day_words": player_table.day_words, "moment_words": player_table.moment_words, "grouped": player_table.grouped,
        "left_words": player_table.left_words, "now": now(), "is_draft": False, "fault": None, "states": STATES,
    }  # fmt: skip
    response = page(template, front, "events", **{**common, **values})
    response.status_code = status
    return response


def fault_page(template: str, request: Request, fault: CarddbError, **values: Any) -> HTMLResponse:
    """Returns a page about events that says what is wrong, with the status of the fault."""
    return event_page(template, request, status=status_of(fault), fault=fault, **values)


def event_file(data: bytes, name: str, media_type: str) -> Response:
    """Returns a file of an event to be saved, which no cache keeps."""
    response = as_file(data, name, media_type)
    response.headers["Cache-Control"] = "no-store"
    return response


def base_of(request: Request) -> str:
    """Returns the address of this front, as the browser wrote it."""
    return f"{request.url.scheme}://{request.headers['host']}"


async def upload_of(request: Request) -> SentForm:
    """Reads the form of a request. Raises Forbidden without the token of its page, UsageError."""
    token = form_token(front_of(request).form_token, credential_of(request))
    return await read_form(request, token, _MOST_FIELDS, _MOST_FILES, _MOST_TEXT)


def seen_version(upload: SentForm) -> int:
    """Returns the version that a form was made from; 0 for none."""
    seen = upload.fields.get("seen", "")
    return int(seen) if seen.isdecimal() and len(seen) < 6 else 0


_GRAVE = ("error", "not_checkable")


class NumberedFinding(NamedTuple):
    """A stored finding, the place that it has among all, and remedies in words.

    Those that keep a deck from being legal have a number.
    """

    number: int
    at: int
    finding: Mapping[str, Any]
    remedies: list[str]

    @property
    def lines(self) -> list[int]:
        """The lines that it is about."""
        return [place["line"] for place in self.finding["where"] if place["line"]]


def numbered(project: Workspace, event: Event, entry: Entry | None) -> list[NumberedFinding]:
    """Returns the findings of a list, the grave ones numbered."""
    if entry is None:
        return []
    deck = _deck(project, event, entry)
    number, result = 0, []
    for at, finding in enumerate(entry.verdict.findings):
        is_grave = finding["severity"] in _GRAVE
        number += is_grave
        today = deck.report.findings
        # A check of today may find something else in the place of a stored finding: then it has no remedy.
        is_same = at < len(today) and today[at].code == finding["code"]
        remedies = [remedy.words for remedy in deck.remedies(today[at])] if is_same else []
        result.append(NumberedFinding(number if is_grave else 0, at, finding, remedies))
    return result


def lines_of(entry: Entry | None, findings: Sequence[NumberedFinding]) -> list[tuple[str, list[NumberedFinding]]]:
    """Returns every line of a list with the numbered findings that are about it."""
    beside: dict[int, list[NumberedFinding]] = {}
    for each in findings:
        for line in dict.fromkeys(each.lines if each.number else ()):
            beside.setdefault(line, []).append(each)
    texts = entry.text.split("\n") if entry else []
    return [(text, beside.get(number, [])) for number, text in enumerate(texts, 1)]


def mended(project: Workspace, event: Event, entry: Entry | None, fix: str) -> str:
    """Returns the text of a list after a remedy, which a button names by finding and way. Raises UsageError."""
    number, _, way = fix.partition(":")
    if entry is None or not (number.isdecimal() and way.isdecimal()) or len(fix) > 12:
        raise UsageError("this is no remedy", "Press one of the buttons.")
    return _deck(project, event, entry).mended(int(number), int(way)).rstrip("\n")


def _deck(project: Workspace, event: Event, entry: Entry) -> DeckPage:
    return DeckPage(project, f"{entry.text}\n", request_of(event.terms))


async def show(request: Request) -> Response:
    """Shows the player's list with its verdict, or the form to hand one in."""
    return event_page("events/player.html", request, **await in_event(request, _shown_of(request)))


async def submit(request: Request) -> Response:
    """Hands the list in as the next version."""
    upload = await upload_of(request)
    text = upload.fields.get("deck", "")
    for name, data in [*chain(*upload.files.values())][:1]:
        deck = file_deck(name, data)
        if isinstance(deck, Outcome):
            raise UsageError(str(deck.fault), "Save it as text.")
        text = deck.text

    def work(project: Workspace, events: Events, event: Event) -> None:
        player, version = _player(events, event, request), seen_version(upload)
        with event_checks(project, event.terms) as checks:
            entries.submit(checks, events, event, player, text, Author.PLAYER, version)

    return await _answered(request, work, text)


async def object_to(request: Request) -> Response:
    """Notes what the player says against a correction."""
    upload = await upload_of(request)
    words = upload.fields.get("words", "")

    def work(_: Workspace, events: Events, event: Event) -> None:
        entries.object_to(events, _player(events, event, request), words)

    return await _answered(request, work, None)


async def mend(request: Request) -> Response:
    """Shows the player's page with a remedy made in the text, which he hands in himself."""
    upload = await upload_of(request)

    def work(project: Workspace, events: Events, event: Event) -> str:
        versions = events.versions(_player(events, event, request))
        return mended(project, event, versions[0] if versions else None, upload.fields.get("fix", ""))

    shown = await in_event(request, _shown_of(request, await in_event(request, work)))
    return event_page("events/player.html", request, **shown, fault=None, is_draft=True)


async def _answered(request: Request, work: Any, draft: str | None) -> Response:
    """Does some work, and leads back to the player's page; of a fault it shows the page with his text still there."""
    try:
        await in_event(request, work)
    except Forbidden:
        raise
    except CarddbError as fault:
        return fault_page("events/player.html", request, fault, **await in_event(request, _shown_of(request, draft)))
    return RedirectResponse(f"/p/{request.path_params['token']}", status_code=303)


def _player(events: Events, event: Event, request: Request) -> Player:
    """Returns the player whose link this is. Raises Forbidden for any other address."""
    player = tournament.player_of_link(events, event, request.path_params["token"])
    if player is None:
        raise Forbidden("this link opens no list", "Ask at the desk for another one.")
    return player


def _shown_of(request: Request, draft: str | None = None) -> Any:
    """Returns work that returns the template's values for the player's list."""

    def work(project: Workspace, events: Events, event: Event) -> dict[str, Any]:
        player = _player(events, event, request)
        versions = events.versions(player)
        entry = versions[0] if versions else None
        corrected = entry is not None and entry.recorded_by is Author.ORGANISER and len(versions) > 1
        open_now = is_open(event, player, now())
        findings = numbered(project, event, entry)
        opened = [row for row in _opened(project, events, event) if row.player.id != player.id]
        here = f"/p/{request.path_params['token']}"
        return {
            "event": event, "player": player, "entry": entry, "findings": findings,
            "lines": lines_of(entry, findings), "is_open": open_now,
            "left": event.terms.deadline - now(), "accepts": accepts(event, now()),
            "code": qr_code(_find(request, event) + entry.verdict.fingerprint) if entry else None,
            "changes": line_changes(versions[1].text, versions[0].text) if corrected else [],
            "game": project.game(event.terms.game), "opened": opened, "address": f"{base_of(request)}{here}",
            "here": here,
            "state_of_list": f"{entry.version if entry else 0} {entry.checked_at if entry else ''} {open_now}",
            "draft": draft if draft is not None else entry.text if entry else "",
        }  # fmt: skip

    return work


def _find(request: Request, event: Event) -> str:
    """Returns the desk's address that finds a list by its fingerprint, which is to be put behind it."""
    return f"{base_of(request)}/events/{event.key}/find?q="


def _opened(project: Workspace, events: Events, event: Event) -> list[PlayerRow]:
    """Returns the rows of the lists that are open to all players."""
    if not event.open_lists:
        return []
    rows = (row for row in table_table(project, events, event) if row.player.open_list and row.entry)
    return sorted(rows, key=lambda row: row.player.name)


async def print_list(request: Request) -> Response:
    """Answers with the deck list as PDF."""

    def work(project: Workspace, events: Events, event: Event) -> tuple[bytes, str]:
        player = _player(events, event, request)
        row = next(row for row in table_table(project, events, event) if row.player.id == player.id)
        return print_player_list(project, row, "a4", _find(request, event)).data, player.name

    data, name = await in_event(request, work)
    return event_file(data, f"{name}.pdf", "application/pdf")


async def open_list(request: Request) -> Response:
    """Shows the list of another player, where the organiser has opened it to all."""

    def work(project: Workspace, events: Events, event: Event) -> dict[str, Any]:
        _player(events, event, request)
        for row in _opened(project, events, event):
            if row.player.id == request.path_params["player"]:
                return {"event": event, "row": row, "here": f"/p/{request.path_params['token']}"}
        raise Forbidden("this list is not open", "Look at your own.")

    return event_page("events/open_list.html", request, **await in_event(request, work))


async def show_registration(request: Request) -> Response:
    """Shows the form for one's name."""
    event = await _joined(request)
    opens = event.registration and accepts(event, now())
    left = event.terms.deadline - now()
    return event_page("events/join.html", request, event=event, opens=opens, left=left, name="")


async def register(request: Request) -> Response:
    """Registers a player, and goes to his own page."""
    upload = await upload_of(request)
    name = upload.fields.get("name", "")
    event = await _joined(request)
    try:
        token = await in_event(request, lambda _, events, event: tournament.register(events, event, name).token)
    except CarddbError as fault:
        left = event.terms.deadline - now()
        return fault_page(
            "events/join.html", request, fault, event=event, opens=event.registration, left=left, name=name
        )
    return RedirectResponse(f"/p/{token}", status_code=303)


async def _joined(request: Request) -> Event:
    """Returns the event, for who has its code. Raises Forbidden."""
    event = await event_of(request)
    code = request.path_params["code"].lower().replace("-", "")
    if not hmac.compare_digest(code.encode(), event.join_code.encode()):
        raise Forbidden("this is not the code of the event", "Look at the notice of the organiser.")
    return event


async def begin(request: Request) -> Response:
    """Says what this front is to who has no link; the organiser who is signed in goes on to the desk."""
    mode = _mode(request)
    if mode.is_organiser(request.headers):
        return RedirectResponse(mode.desk, status_code=303)
    event = await event_of(request)
    return event_page("events/sign_in.html", request, event=event, form=request.url.path != "/")


async def sign_in(request: Request) -> Response:
    """Begins a session for who has the secret."""
    upload, mode = await upload_of(request), _mode(request)
    secret = upload.fields.get("secret", "").strip()
    event = await event_of(request)
    if not hmac.compare_digest(token_hash(secret), event.secret_hash or ""):
        mode.faults.note(client_of(request.scope))
        fault = Forbidden("this is not the secret", "It stood in the terminal when the front was started.")
        return fault_page("events/sign_in.html", request, fault, event=event, form=True)
    response = RedirectResponse(mode.desk, status_code=303)
    response.set_cookie(
        cookie_name(request.headers), mode.sessions.begin(), max_age=SESSION_HOURS * 3600, httponly=True,
        samesite="strict", secure=request.url.scheme == "https",
    )  # fmt: skip
    return response


async def sign_out(request: Request) -> Response:
    """Ends the session."""
    await upload_of(request)
    _mode(request).sessions.end(session_cookie(request.headers))
    response = RedirectResponse("/sign-in", status_code=303)
    response.delete_cookie(cookie_name(request.headers), httponly=True, samesite="strict")
    return response


def _mode(request: Request) -> EventMode:
    mode = front_of(request).mode
    assert isinstance(mode, EventMode)
    return mode


ROUTES = [
    Route("/p/{token}", show),
    Route("/p/{token}", submit, methods=["POST"]),
    Route("/p/{token}/mend", mend, methods=["POST"]),
    Route("/p/{token}/note", object_to, methods=["POST"]),
    Route("/p/{token}/list.pdf", print_list),
    Route("/p/{token}/lists/{player:int}", open_list),
    Route("/join/{code}", show_registration),
    Route("/join/{code}", register, methods=["POST"]),
]
SIGN_IN_ROUTES = [
    Route("/", begin),
    Route("/sign-in", begin),
    Route("/sign-in", sign_in, methods=["POST"]),
    Route("/sign-out", sign_out, methods=["POST"]),
]
