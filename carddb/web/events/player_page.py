"""The players' pages at an event: registration, own list, published lists; and helpers that all event pages share."""

from __future__ import annotations

import hmac
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, NamedTuple
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from carddb.app.decks.page import DeckPage
from carddb.app.events import entries, player_table, rounds, tournament
from carddb.app.workspace.clock import now
from carddb.core.errors import CarddbError
from carddb.core.groups import grouped
from carddb.core.plain_text import escaped, whole
from carddb.events.store import Author, Event, ListVersion, Player
from carddb.layout.drawing.path import qr_code
from carddb.web.http.answers import Asked, SentForm, as_file, as_json, read_form, route, status_of
from carddb.web.http.front import Front
from carddb.web.http.modes import (
    SESSION_HOURS,
    EventMode,
    Forbidden,
    HttpError,
    client_of,
    cookie_name,
    form_token,
    session_cookie,
    unknown,
)
from carddb.web.http.pages import front_of, page

_KEPT = "kept."
"""The prefix of the names of fields whose values wait until the organiser has signed in."""
_MOST_FILES, _MOST_FIELDS, _MOST_TEXT = 200, 1000, 10_000_000


def event_route(
    path: str, answer: Callable[[Asked, tournament.OpenEvent], Response], methods: Sequence[str] = ("GET",)
) -> Route:
    """Returns the route of a page about an event: the event in the URL, or else the server's event."""

    def opened(asked: Asked) -> Response:
        with opened_event(asked) as event:
            return answer(asked, event)

    return route(path, opened, methods, upload_of)


@contextmanager
def opened_event(asked: Asked) -> Iterator[tournament.OpenEvent]:
    """Yields the event in the URL, or else the server's, with its database open. Raises Unknown if there is none."""
    with tournament.open_events(asked.project) as events:
        with unknown():
            event = tournament.event_called(
                asked.project, events, asked.path_params.get("key") or asked.front.options.event
            )
        yield event


async def event_of(request: Request) -> tournament.OpenEvent:
    """Returns the event in the URL, or else the event for which the server runs. Raises Unknown if there is none."""
    asked = Asked(request, SentForm({}, {}, {}))

    def work() -> tournament.OpenEvent:
        with opened_event(asked) as event:
            return event

    return await asked.front.run(work)


def credential_of(request: Request) -> str:
    """Returns the secret that opened a page: in its link, or else in the session cookie; empty for the owner."""
    link = request.path_params.get("token") or request.path_params.get("code")
    return link or session_cookie(request.headers)


def event_page(template: str, request: Request, fault: CarddbError | None = None, **values: Any) -> HTMLResponse:
    """Returns a page about events, with the values that all of them need; for an error, with its HTTP status."""
    front = front_of(request)
    common = {
        "alone": bool(front.options.event),
        "form_token": form_token(front.form_token, credential_of(request)),
        "day_words": player_table.day_words, "moment_words": player_table.moment_words, "grouped": player_table.grouped,
        "left_words": player_table.left_words, "states": player_table.STATES, "ways": partial(_ways, front),
        "now": now(), "is_draft": False, "fault": fault, "status": status_of(fault),
    }  # fmt: skip
    return page(template, front, "events", **{**common, **values})


def _ways(front: Front, event: Event) -> list[tuple[str, str]]:
    """Returns label and URL of the sections that show things as of the event's day; none on the owner's server."""
    if not front.options.event:
        return []
    terms = event.terms
    judged = urlencode({"game": terms.game, "format": terms.format or "", "on": terms.day.isoformat()})
    seen = urlencode({"game": terms.game, "on": terms.day.isoformat()})
    return [
        ("Check a deck", f"/check?{judged}"), ("Cards", f"/cards?{seen}"), ("Rules", f"/rules/{terms.game}"),
        ("Ban lists", "/bans"),
    ]  # fmt: skip


def event_file(data: bytes, name: str) -> Response:
    """Returns an event's file as a download that must not be cached."""
    response = as_file(data, name)
    response.headers["Cache-Control"] = "no-store"
    return response


def base_of(request: Request) -> str:
    """Returns the base URL of this server as the browser wrote it."""
    return f"{request.url.scheme}://{request.headers['host']}"


async def upload_of(request: Request) -> SentForm:
    """Reads the form of a request. Raises Forbidden if it lacks the right token, UsageError if it is too large."""
    token = form_token(front_of(request).form_token, credential_of(request))
    return await read_form(request, token, _MOST_FIELDS, _MOST_FILES, _MOST_TEXT)


def seen_version(upload: SentForm) -> int:
    """Returns the version of the list that a form was made from; 0 if there was no list."""
    return whole(upload.fields.get("seen", "")) or 0


class ListDraft(NamedTuple):
    """A changed list that has not been submitted.

    `before` is the text before a remedy, or empty. If the draft is `judged`, the page shows the verdict on it.
    """

    text: str
    before: str = ""
    judged: bool = True


def shown_list(event: tournament.OpenEvent, entry: ListVersion | None, draft: ListDraft | None) -> dict[str, Any]:
    """Returns the template's values for a list: its verdict, findings and lines as of today.

    A list that was checked against other cards or ban lists is checked again, and the new verdict is stored. With a
    judged `draft`, the verdict and the findings are those of its text. The findings that make a list illegal are
    numbered from 1.
    """
    text = entry.text if entry else ""
    values = {"draft": draft.text if draft else text, "before": draft.before if draft else ""}
    draft = draft if draft and draft.judged else None
    if entry is None:
        return {**values, "entry": None, "judged": None, "is_draft": False, "findings": [], "lines": []}
    with entries.event_checks(event) as checks:
        if entry.verdict.basis != checks.basis:
            verdict = checks.verdict(entry.text)
            with event.store.step():
                event.store.change_verdict(entry, verdict, now())
            entry = event.store.entries(event)[entry.player_id]
        text, judged = (draft.text, checks.verdict(draft.text)) if draft else (text, entry.verdict)
    numbered = _deck(event, text).notes
    beside = grouped((line, each) for each in numbered if each.number for line in dict.fromkeys(each.lines))
    lines = [(escaped(line), beside[number]) for number, line in enumerate(text.split("\n"), 1)]
    own = {"entry": entry, "judged": judged, "is_draft": draft is not None}
    return {**values, **own, "findings": numbered, "lines": lines}


def mended(event: tournament.OpenEvent, fields: Mapping[str, str]) -> ListDraft:
    """Returns a draft of the form's list after its remedy or, with `undo`, before. Raises UsageError for no remedy."""
    text = fields.get("before" if fields.get("undo") else "deck", "").replace("\r\n", "\n").strip("\n")
    if fields.get("undo"):
        return ListDraft(text)
    return ListDraft(_deck(event, text).mended(fields.get("fix", "")).rstrip("\n"), text)


def _deck(event: tournament.OpenEvent, text: str) -> DeckPage:
    """Returns a deck that is checked by the terms of an event."""
    return DeckPage(event.project, f"{text}\n", tournament.request_of(event.terms))


class ListPage(NamedTuple):
    """The page of one player's list: the desk's page or the player's own.

    `player` returns the player of a request, and `shown` the values of the template; `here` is the page's address with
    the parameters of the route. The methods answer requests.
    """

    template: str
    here: str
    author: Author
    player: Callable[[Asked, tournament.OpenEvent], Player]
    shown: Callable[[Asked, tournament.OpenEvent, ListDraft | None], dict[str, Any]]

    def show(self, asked: Asked, event: tournament.OpenEvent) -> Response:
        """Shows the list with its verdict, or the form to submit one."""
        return event_page(self.template, asked, **self.shown(asked, event, None))

    def mend(self, asked: Asked, event: tournament.OpenEvent) -> Response:
        """Shows the page with a remedy applied to the text as typed, without storing it."""
        self.player(asked, event)
        return event_page(self.template, asked, **self.shown(asked, event, mended(event, asked.sent.fields)))

    def submit(self, asked: Asked, event: tournament.OpenEvent) -> Response:
        """Submits the list as its next version. If the organiser does, the player sees what was changed."""
        text = asked.fields.get("file") or asked.fields.get("deck", "")

        def work(player: Player) -> None:
            with entries.event_checks(event) as checks:
                entries.submit(checks, player, text, self.author, seen_version(asked.sent))

        return self.answered(asked, event, work, ListDraft(text, judged=False))

    def print_list(self, asked: Asked, event: tournament.OpenEvent) -> Response:
        """Answers with the printable deck list as PDF, with its code."""
        player, address = self.player(asked, event), find_address(asked, event)
        data = player_table.print_event_lists(event, "a4", address=address, player=player).data
        return event_file(data, f"{player.name}.pdf")

    def answered(
        self,
        asked: Asked,
        event: tournament.OpenEvent,
        work: Callable[[Player], object],
        draft: ListDraft | None = None,
        **values: str,
    ) -> Response:
        """Runs `work` for the player, and redirects to the page.

        If `work` fails, shows the error, with the `draft` and further `values` of the template still in the form.
        """
        player = self.player(asked, event)
        try:
            work(player)
        except CarddbError as fault:
            return event_page(self.template, asked, fault, **self.shown(asked, event, draft) | values)
        return RedirectResponse(self.here.format(**asked.path_params), status_code=303)


def object_to(asked: Asked, event: tournament.OpenEvent) -> Response:
    """Stores the player's objection to a correction by the organiser."""
    words = asked.sent.fields.get("words", "")
    return _OWN.answered(asked, event, lambda player: entries.object_to(event.store, player, words))


def report(asked: Asked, event: tournament.OpenEvent) -> Response:
    """Stores the result that the player sends of their match."""
    fields = asked.sent.fields

    def work(player: Player) -> None:
        result, number = rounds.to_result(fields.get("result", "")), whole(fields.get("round", "")) or 0
        rounds.report(event, player, number, result)

    return _OWN.answered(asked, event, work)


def standings(asked: Asked, event: tournament.OpenEvent) -> Response:
    """Shows the standings to everybody, as a page or as data. Raises Forbidden if the event does not publish them."""
    if not event.rounds.standings:
        raise Forbidden("the standings are not public", "Ask the organiser for them.")
    state = rounds.tournament_of(event)
    if asked.url.path.endswith(".json"):
        return as_json(rounds.standings_json(event, state))
    table = rounds.standings_table(event, state)
    return event_page("events/standings_public.html", asked, event=event, state=state, table=table)


def read_notes(asked: Asked, event: tournament.OpenEvent) -> Response:
    """Stores that the player has read the notes of the desk."""
    last = whole(asked.sent.fields.get("last", "")) or 0
    return _OWN.answered(asked, event, lambda player: tournament.read_notes(event, player, last))


def _player(asked: Asked, event: tournament.OpenEvent) -> Player:
    """Returns the player whose link was opened. Raises Forbidden if the link belongs to nobody."""
    player = tournament.player_of_link(event, asked.path_params["token"])
    if player is None:
        raise Forbidden("this link opens no deck list", "Ask the organiser for a new link.")
    return player


def _shown(asked: Asked, event: tournament.OpenEvent, draft: ListDraft | None) -> dict[str, Any]:
    """Returns the template's values for the player's page."""
    player = _player(asked, event)
    versions = event.store.versions(player)
    shown = shown_list(event, versions[0] if versions else None, draft)
    entry = shown["entry"]
    corrected = entry is not None and entry.recorded_by is Author.ORGANISER and len(versions) > 1
    open_now = tournament.is_open(event, player, now())
    own = rounds.own_match(rounds.tournament_of(event), player)
    opened = [row for row in _opened(event) if row.player.id != player.id]
    here = f"/p/{asked.path_params['token']}"
    return {
        **shown, "event": event, "player": player, "is_open": open_now,
        "left": event.terms.deadline - now(), "accepts": tournament.accepts(event, now()),
        "code": qr_code(find_address(asked, event) + entry.verdict.fingerprint) if entry else None,
        "changes": entries.line_changes(versions[1].text, versions[0].text) if corrected else [],
        "game": event.project.game(event.terms.game), "opened": opened, "address": f"{base_of(asked)}{here}",
        "own": own,
        "here": here, "note_kinds": tournament.NOTE_KINDS,
        "notes": tournament.shown_to_player(event.store.notes(event).get(player.id, [])),
        "state_of_list": f"{entry.version if entry else 0} {entry.checked_at if entry else ''} {open_now} {own}",
    }  # fmt: skip


def find_address(request: Request, event: Event) -> str:
    """Returns the beginning of the desk's URL for a list; the list's fingerprint has to be appended."""
    return f"{base_of(request)}/events/{event.key}/find?q="


def _opened(event: tournament.OpenEvent) -> list[player_table.PlayerRow]:
    """Returns the rows of the lists that the organiser has published to all players, sorted by the players' names."""
    if not event.open_lists:
        return []
    rows = (row for row in player_table.table(event) if row.player.open_list and row.entry)
    return sorted(rows, key=lambda row: row.player.name)


def open_list(asked: Asked, event: tournament.OpenEvent) -> Response:
    """Shows the list of another player. Raises Forbidden if the organiser has not published it."""
    _player(asked, event)
    for row in _opened(event):
        if row.player.id == asked.path_params["player"]:
            here = f"/p/{asked.path_params['token']}"
            return event_page("events/open_list.html", asked, event=event, row=row, here=here)
    raise Forbidden("this list is not open to other players", "Go back to your own page.")


def show_registration(asked: Asked, event: tournament.OpenEvent) -> Response:
    """Shows the registration form, in which a player enters their name."""
    _check_code(asked, event)
    opens, left = tournament.may_register(event, now()), event.terms.deadline - now()
    return event_page("events/join.html", asked, event=event, opens=opens, left=left, name="")


def register(asked: Asked, event: tournament.OpenEvent) -> Response:
    """Registers a player and redirects to the player's own page."""
    _check_code(asked, event)
    name = asked.sent.fields.get("name", "")
    try:
        token = tournament.register(event, name).token
    except CarddbError as fault:
        shown = {"event": event, "opens": event.registration, "left": event.terms.deadline - now(), "name": name}
        return event_page("events/join.html", asked, fault, **shown)
    return RedirectResponse(f"/p/{token}", status_code=303)


def _check_code(asked: Asked, event: Event) -> None:
    """Raises Forbidden if the URL does not contain the registration code of the event."""
    code = tournament.clean_code(asked.path_params["code"])
    if not hmac.compare_digest(code.encode(), event.join_code.encode()):
        raise Forbidden("this is not the registration code of the event", "Copy it from the organiser's notice.")


async def begin(request: Request) -> Response:
    """Shows the entrance of the server of an event, or redirects an organiser who is signed in to the desk."""
    mode = _mode(request)
    if mode.is_organiser(request.headers):
        return RedirectResponse(mode.desk, status_code=303)
    event = await event_of(request)
    form, then = request.url.path != "/", _place_after(request)
    return event_page("events/sign_in.html", request, event=event, form=form, then=then, typed={})


def _place_after(request: Request) -> str:
    """Returns the URL of the desk's page that the organiser wanted to open before signing in; empty if none."""
    then = request.query_params.get("then", "")
    return then if _mode(request).is_desk(then) and then.isascii() else ""


async def sign_in(request: Request) -> Response:
    """Signs the organiser in if the secret is right, and leads back. A form that was sent without a session is kept."""
    mode, event, then = _mode(request), await event_of(request), _place_after(request)
    try:
        upload = await upload_of(request)
    except Forbidden:
        if not then:
            raise
        typed = request.state.typed
        return event_page("events/sign_in.html", request, event=event, form=True, then=then, typed=typed)
    secret = upload.fields.get("secret", "").strip()
    kept = {name.removeprefix(_KEPT): texts for name, texts in upload.values.items() if name.startswith(_KEPT)}
    try:
        is_secret = hmac.compare_digest(tournament.token_hash(secret), event.secret_hash or "")
        if not is_secret and not mode.code.take(secret, client_of(request.scope)):
            remedy = "Make a new code on a device that is signed in, or use the secret."
            raise Forbidden("this is neither the secret nor a code that is valid now", remedy)
    except HttpError as fault:
        return event_page("events/sign_in.html", request, fault, event=event, form=True, then=then, typed=kept)
    session = mode.sessions.begin()
    response: Response = RedirectResponse(then or mode.desk, status_code=303)
    if kept and then:
        response = event_page(
            "events/refusal.html", request, message="you are signed in", remedy="Now send what you typed.", typed=kept,
            path=then, form_token=form_token(front_of(request).form_token, session),
        )  # fmt: skip
    response.set_cookie(
        cookie_name(request.headers), session, max_age=SESSION_HOURS * 3600, httponly=True,
        samesite="strict", secure=request.url.scheme == "https",
    )  # fmt: skip
    return response


async def show_code(request: Request) -> Response:
    """Shows a signed-in organiser a new code, with which one more device signs in."""
    await upload_of(request)
    event, address, code = await event_of(request), f"{base_of(request)}/sign-in", _mode(request).code.make()
    return event_page(
        "events/event_code.html", request, event=event, code=code, minutes=tournament.CODE_MINUTES, address=address,
        picture=qr_code(address),
    )  # fmt: skip


async def sign_out(request: Request) -> Response:
    """Signs the organiser out."""
    await upload_of(request)
    _mode(request).sessions.end(session_cookie(request.headers))
    response = RedirectResponse("/sign-in", status_code=303)
    response.delete_cookie(cookie_name(request.headers), httponly=True, samesite="strict")
    return response


def _mode(request: Request) -> EventMode:
    mode = front_of(request).mode
    assert isinstance(mode, EventMode)
    return mode


_OWN = ListPage("events/player.html", "/p/{token}", Author.PLAYER, _player, _shown)
ROUTES = [
    event_route(_OWN.here, _OWN.show),
    event_route(_OWN.here, _OWN.submit, ["POST"]),
    event_route("/p/{token}/mend", _OWN.mend, ["POST"]),
    event_route("/p/{token}/read", read_notes, ["POST"]),
    event_route("/p/{token}/note", object_to, ["POST"]),
    event_route("/p/{token}/result", report, ["POST"]),
    event_route("/standings", standings),
    event_route("/standings.json", standings),
    event_route("/p/{token}/list.pdf", _OWN.print_list),
    event_route("/p/{token}/lists/{player:int}", open_list),
    event_route("/join/{code}", show_registration),
    event_route("/join/{code}", register, ["POST"]),
]
SIGN_IN_ROUTES = [
    Route("/", begin),
    Route("/sign-in", begin),
    Route("/sign-in", sign_in, methods=["POST"]),
    Route("/sign-out", sign_out, methods=["POST"]),
    Route("/events/{key}/code", show_code, methods=["POST"]),
]
