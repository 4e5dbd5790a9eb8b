"""The organiser's desk: the list of events, the table of one event, one player's page, and actions on a whole event."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from functools import partial
from itertools import chain, pairwise
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode
from zoneinfo import ZoneInfo

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from carddb.app.events import entries as tournament_checks
from carddb.app.events import notes as player_notes
from carddb.app.events import player_table as tournament_table
from carddb.app.events import tournament
from carddb.app.events.entries import (
    LineChange,
    Outcome,
    PlayerDeck,
    event_checks,
    file_deck,
    line_changes,
    list_of_event,
    pasted_decks,
    submit_all,
)
from carddb.app.events.player_table import PlayerRow, export_archive, print_event_lists, print_player_list, table_csv
from carddb.app.events.tournament import accepts
from carddb.app.workspace.clock import now, to_day
from carddb.app.workspace.workspace import Workspace
from carddb.core.errors import CarddbError, UsageError
from carddb.core.plain_text import whole
from carddb.events.store import Author, Entry, Event, Events, EventTerms, NoteKind, Player
from carddb.findings import VERDICTS
from carddb.layout.qr_code import qr_code
from carddb.read.decks.pasted import divide
from carddb.web.events.player_page import (
    Draft,
    base_of,
    event_file,
    event_of,
    event_page,
    fault_page,
    in_event,
    mended,
    seen_version,
    shown_list,
    upload_of,
)
from carddb.web.http.answers import SentForm, refuse_others
from carddb.web.http.modes import Unknown
from carddb.web.http.pages import front_of

_MOST_DIFFERENCES = 20
"""The number of latest versions whose differences are shown."""


class Version(NamedTuple):
    """A version of a list, with the changed lines since the version before it."""

    entry: Entry
    changes: list[LineChange]


async def show(request: Request) -> Response:
    """Shows the page of one player, with his deck list."""
    return event_page("events/desk_player.html", request, **await in_event(request, _shown_of(request)))


def _shown_of(request: Request, draft: Draft | None = None) -> Any:
    def work(project: Workspace, events: Events, event: Event) -> dict[str, Any]:
        every = events.versions(_player(events, event, request))
        shown = shown_list(project, events, event, every[0] if every else None, draft)
        rows = tournament_table.table(project, events, event)
        row = _row(rows, request)
        at = rows.index(row)
        latest = pairwise(every[: _MOST_DIFFERENCES + 1])
        versions = [Version(entry, line_changes(before.text, entry.text)) for entry, before in latest]
        versions += [Version(entry, []) for entry in every[len(versions) :]]
        return {
            **shown, "event": event, "row": row, "player": row.player, "verdicts": VERDICTS, "versions": versions,
            "note_kinds": player_notes.NOTE_KINDS, "words": "", "kind": "",
            "before": rows[at - 1] if at else None, "after": rows[at + 1] if at + 1 < len(rows) else None,
        }  # fmt: skip

    return work


def _row(rows: Sequence[PlayerRow], request: Request) -> PlayerRow:
    """Returns the row of the player in the URL. Raises Unknown if the event has no such player."""
    for row in rows:
        if row.player.id == request.path_params["player"]:
            return row
    raise Unknown("there is no such player", "Look at the table.")


def _player(events: Events, event: Event, request: Request) -> Player:
    player = events.player(event, request.path_params["player"])
    if player is None:
        raise Unknown("there is no such player", "Look at the table.")
    return player


def _refuse_other(player: Player, upload: SentForm) -> None:
    """Raises Unknown if a form was made for another player, of whom this number was in another file."""
    whose = upload.fields.get("whose", player.name)
    if whose != player.name:
        raise Unknown(f"this form is of {whose}, and this page of {player.name}", "Look at the table.")


async def correct(request: Request) -> Response:
    """Stores a list that the organiser has corrected as a new version. Its player sees what was changed."""
    upload = await upload_of(request)
    text, version = upload.fields.get("deck", ""), seen_version(upload)

    def work(project: Workspace, events: Events, event: Event) -> None:
        player = _player(events, event, request)
        _refuse_other(player, upload)
        with event_checks(project, event.terms) as checks:
            tournament_checks.submit(checks, events, event, player, text, Author.ORGANISER, version)

    try:
        await in_event(request, work)
    except Unknown:
        raise
    except CarddbError as fault:
        shown = await in_event(request, _shown_of(request, Draft(text, judged=False)))
        return fault_page("events/desk_player.html", request, fault, **shown)
    return RedirectResponse(request.url.path.rpartition("/")[0], status_code=303)


async def note(request: Request) -> Response:
    """Adds a note, a message or a penalty on a player, or takes one back."""
    upload = await upload_of(request)
    words, kind, undone = (upload.fields.get(name, "") for name in ("words", "kind", "undo"))

    def work(_: Workspace, events: Events, event: Event) -> None:
        player = _player(events, event, request)
        _refuse_other(player, upload)
        if undone:
            player_notes.undo_note(events, event, player, whole(undone) or 0)
        else:
            player_notes.add_note(events, event, [player], kind, words)

    try:
        await in_event(request, work)
    except UsageError as fault:
        shown = await in_event(request, _shown_of(request)) | {"words": words, "kind": kind}
        return fault_page("events/desk_player.html", request, fault, **shown)
    return RedirectResponse(request.url.path.rpartition("/")[0], status_code=303)


async def mend(request: Request) -> Response:
    """Shows the player's page with a remedy applied to the text in the form, without storing it."""
    upload = await upload_of(request)

    def work(project: Workspace, events: Events, event: Event) -> Draft:
        _refuse_other(_row(tournament_table.table(project, events, event), request).player, upload)
        return mended(project, event, upload.fields)

    draft = await in_event(request, work)
    return event_page("events/desk_player.html", request, **await in_event(request, _shown_of(request, draft)))


async def act(request: Request) -> Response:
    """Locks, unlocks or publishes a player's list, makes a new link for him, or deletes his personal data."""
    upload = await upload_of(request)
    what = upload.fields.get("do", "")

    def work(_: Workspace, events: Events, event: Event) -> tuple[Event, tournament.Link | str]:
        player = _player(events, event, request)
        _refuse_other(player, upload)
        if what == "link":
            return event, tournament.new_link(events, player)
        if what == "forget":
            copies = tournament.forget(events, player)
            return event, f"/events/{event.key}?done={'forget-copies' if copies else 'forget'}"
        if what in ("open-list", "close-list"):
            tournament.open_list(events, player, what == "open-list")
        else:
            tournament.lock_player(events, player, {"lock": True, "unlock": False}.get(what))
        return event, f"/events/{event.key}/players/{player.id}"

    event, done = await in_event(request, work)
    if isinstance(done, tournament.Link):
        links = [(done.player.name, f"{base_of(request)}/p/{done.token}")]
        return event_page("events/event_links.html", request, event=event, links=links, qr_code=qr_code)
    return RedirectResponse(done, status_code=303)


async def print_list(request: Request) -> Response:
    """Answers with a player's printable deck list as PDF, with its code."""
    key = request.path_params["key"]
    address = f"{base_of(request)}/events/{key}/find?q="

    def work(project: Workspace, events: Events, event: Event) -> tuple[bytes, str]:
        row = _row(tournament_table.table(project, events, event), request)
        return print_player_list(project, row, "a4", address).data, row.player.name

    data, name = await in_event(request, work)
    return event_file(data, f"{name}.pdf", "application/pdf")


async def version(request: Request) -> Response:
    """Answers with the text of one version of a player's list. Raises Unknown if there is no such version."""

    def work(_: Workspace, events: Events, event: Event) -> tuple[str, str]:
        player = _player(events, event, request)
        for entry in events.versions(player):
            if entry.version == request.path_params["version"]:
                return entry.text, player.name
        raise Unknown("there is no such version", "Look at the player.")

    text, name = await in_event(request, work)
    file = f"{name} {request.path_params['version']}.deck"
    return event_file(f"{text}\n".encode(), file, "text/plain; charset=utf-8")


_VIEW = ("show", "q", "sort", "done")
_WHOLE: Mapping[str, str] = dict.fromkeys(_VIEW, "")


async def events(request: Request) -> Response:
    """Shows all events, and the form for a new one."""
    return event_page("events/events.html", request, **await _listed(request), fields={})


async def make(request: Request) -> Response:
    """Creates an event from the form and redirects to its table."""
    upload, front = await upload_of(request), front_of(request)
    fields = upload.fields

    def work() -> Event:
        project = front.project()
        with tournament.open_events(project) as opened:
            return tournament.new_event(project, opened, _terms(project, fields), "", bool(fields.get("registration")))

    try:
        event = await front.run(work)
    except CarddbError as fault:
        return fault_page("events/events.html", request, fault, **await _listed(request), fields=fields)
    return RedirectResponse(f"/events/{event.key}", status_code=303)


async def _listed(request: Request) -> dict[str, Any]:
    front = front_of(request)

    def work() -> dict[str, Any]:
        project = front.project()
        with tournament.open_events(project) as opened:
            every = [(event, len(opened.players(event))) for event in opened.events()]
        return {"events": every, "games": project.all_games(), "zone": tournament.usual_zone()}

    return await front.run(work)


def _terms(project: Workspace, fields: Any) -> EventTerms:
    """Returns the terms of a new event from the form. Raises UsageError if one is missing or wrong."""
    day = to_day(fields.get("day") or None)
    if not isinstance(day, date):
        raise UsageError("an event has a day", "Choose it.")
    zone = fields.get("zone", "").strip() or tournament.usual_zone()
    return EventTerms(
        fields.get("name", ""),
        project.only_game(fields.get("game") or None).key,
        fields.get("format", "").strip() or None,
        day,
        tournament.to_deadline(fields.get("deadline", ""), day, zone),
        zone,
        tuple(name.strip() for name in fields.get("editions", "").split(",") if name.strip()),
        _readings(fields.get("options", "")),
    )


def _readings(text: str) -> dict[str, str]:
    """Reads house readings, one `name=value` on each line. Raises UsageError if a line has no `=`."""
    readings = {}
    for line in filter(None, map(str.strip, text.splitlines())):
        name, equals, value = line.partition("=")
        if not equals:
            raise UsageError(f"the house reading {line!r} has no value", "Write name=value.")
        readings[name.strip()] = value.strip()
    return readings


async def table(request: Request) -> Response:
    """Shows the event's table, filtered, searched and sorted as the URL's query says."""
    view = {name: request.query_params.get(name, "") for name in _VIEW}
    refuse_others(request.query_params, *_VIEW)
    return event_page("events/desk.html", request, **await in_event(request, partial(shown_table, view=view)))


def shown_table(project: Workspace, opened: Events, event: Event, view: Mapping[str, str] = _WHOLE) -> dict[str, Any]:
    """Returns the template's values for the event's table."""
    every = tournament_table.table(project, opened, event)
    sort = view["sort"] or "verdict"
    chosen = tournament_table.filtered(every, view["show"], view["q"])
    game = project.game(event.terms.game)
    format_key = event.terms.format or ""
    spec = game.spec.formats.get(format_key)

    def address(view: dict[str, str], **changes: str) -> str:
        parts = {**view, **changes, "done": ""}
        if parts["sort"] == "verdict":
            parts["sort"] = ""
        query = "&".join(f"{name}={quote(value)}" for name, value in parts.items() if value)
        return f"/events/{event.key}" + (f"?{query}" if query else "")

    return {
        "event": event, "game": game, "format": (spec.name if spec and spec.name else format_key) or "no format",
        "ban_list": list_of_event(project, event.terms),
        "every": every, "rows": tournament_table.in_order(chosen, sort), "view": {**view, "sort": sort},
        "tally": tournament_table.tally(every), "outdated": sum(row.is_outdated for row in every),
        "left": event.terms.deadline - now(), "accepts": accepts(event, now()),
        "late": tournament.late_deadline(event.terms), "address": address,
        "deadline": f"{event.terms.deadline.astimezone(ZoneInfo(event.terms.zone)):%Y-%m-%dT%H:%M}",
        "words": "",
        "lists_in": sum(row.entry is not None for row in every),
    }  # fmt: skip


async def find(request: Request) -> Response:
    """Redirects from the fingerprint on a paper list to its player, or to the table unless exactly one list matches."""
    refuse_others(request.query_params, "q")
    words = request.query_params.get("q", "")

    def work(project: Workspace, opened: Events, event: Event) -> str:
        rows = tournament_table.with_fingerprint(tournament_table.table(project, opened, event), words)
        place = f"/events/{event.key}"
        return f"{place}/players/{rows[0].player.id}" if len(rows) == 1 else f"{place}?q={quote(words)}"

    return RedirectResponse(await in_event(request, work), status_code=303)


async def csv(request: Request) -> Response:
    """Answers with the event's table as CSV."""
    rows = await in_event(request, tournament_table.table)
    return event_file(table_csv(rows), f"{request.path_params['key']}.csv", "text/csv; charset=utf-8")


async def export(request: Request) -> Response:
    """Answers with all data of the event as a ZIP archive."""
    return event_file(await in_event(request, export_archive), f"{request.path_params['key']}.zip", "application/zip")


_LOCKS = {"lock": True, "unlock": False, "follow": None}
_ACCESS = {
    "registration": {"registration": True},
    "no-registration": {"registration": False},
    "show-lists": {"open_lists": True},
    "hide-lists": {"open_lists": False},
}


async def bring(request: Request) -> Response:
    """Submits uploaded deck files or pasted lists. For pasted text, first shows how it is divided among players."""
    upload = await upload_of(request)
    text = upload.fields.get("text", "")
    division = divide(text) if text.strip() else None
    decks: list[PlayerDeck | Outcome] = [file_deck(name, data) for name, data in chain(*upload.files.values())]
    if division and upload.fields.get("take"):
        decks += pasted_decks(division.decks, upload.values.get("player", ()))

    def work(project: Workspace, events: Events, event: Event) -> tuple[Event, list[Outcome]]:
        return event, submit_all(project, events, event, decks) if decks else []

    event, outcomes = await in_event(request, work)
    shown = None if upload.fields.get("take") else division
    return event_page("events/event_batch.html", request, event=event, outcomes=outcomes, division=shown, text=text)


async def names(request: Request) -> Response:
    """Adds the new players among names, one on each line, and shows their links, which cannot be shown again later."""
    upload = await upload_of(request)
    lines = [line for line in upload.fields.get("names", "").splitlines() if line.strip()]
    base = base_of(request)

    def work(_: Workspace, events: Events, event: Event) -> tuple[Event, list[tuple[str, str]], list[str]]:
        links, left_out = tournament.links_for_new(events, event, lines)
        return event, [(link.player.name, f"{base}/p/{link.token}") for link in links], left_out

    try:
        event, links, left_out = await in_event(request, work)
    except UsageError as fault:
        event = await event_of(request)
        return fault_page("events/event_links.html", request, fault, event=event, links=[], qr_code=qr_code)
    return event_page("events/event_links.html", request, event=event, links=links, left_out=left_out, qr_code=qr_code)


async def poster(request: Request) -> Response:
    """Shows a poster with the URL and QR code at which players register."""
    event = await event_of(request)
    address = f"{base_of(request)}/join/{event.join_code}"
    return event_page("events/event_poster.html", request, event=event, join=address, code=qr_code(address))


async def act_on_event(request: Request) -> Response:
    """Does an action on the event, on all its lists, or on the lists picked in the table."""
    upload = await upload_of(request)
    view = {name: upload.fields.get(name, "") for name in _VIEW}
    try:
        done = await in_event(request, partial(_acted_on_event, upload))
    except UsageError as fault:
        shown = await in_event(request, partial(shown_table, view=view)) | {"words": upload.fields.get("words", "")}
        return fault_page("events/desk.html", request, fault, **shown)
    query = urlencode({name: value for name, value in {**view, "done": done}.items() if value})
    return RedirectResponse(f"/events/{request.path_params['key']}?{query}", status_code=303)


def _acted_on_event(upload: SentForm, project: Workspace, events: Events, event: Event) -> str:
    """Does the action that the form asks for. Returns the word that names it in the next URL.

    Raises UsageError if no list is picked, or if the action is unknown.
    """
    what = upload.fields.get("do", "")
    if what == "recheck":
        return f"recheck-{len(tournament_checks.recheck(project, events, event).changed)}"
    if what in _ACCESS:
        tournament.change_access(events, event, **_ACCESS[what])
        return what
    if what == "deadline":
        deadline = tournament.to_deadline(upload.fields.get("deadline", ""), event.terms.day, event.terms.zone)
        tournament.change_terms(project, events, event, deadline=deadline)
        return what
    if what in ("all-lock", "all-unlock"):
        tournament.lock_all(events, event, what == "all-lock")
        return what
    ids, words = upload.values.get("pick", ()), upload.fields.get("words", "")
    if "all" in ids:
        rows = tournament_table.table(project, events, event)
        shown = tournament_table.filtered(rows, upload.fields.get("show", ""), upload.fields.get("q", ""))
        return _picked(events, event, what, [row.player for row in shown], words)
    numbers = [number for number in map(whole, ids) if number is not None]
    players = [player for number in numbers if (player := events.player(event, number))]
    return _picked(events, event, what, players, words)


def _picked(events: Events, event: Event, what: str, players: Sequence[Player], words: str) -> str:
    """Does an action on the lists that are picked, or sends their players a message.

    Raises UsageError if none is picked, the action is unknown, or the message is empty or too long.
    """
    if not players:
        raise UsageError("no list is picked", "Pick some in the table.")
    if what == "message":
        player_notes.add_note(events, event, players, NoteKind.MESSAGE, words)
        return f"{what}-{len(players)}"
    for player in players:
        if what in _LOCKS:
            tournament.lock_player(events, player, _LOCKS[what])
        elif what in ("open-list", "close-list"):
            tournament.open_list(events, player, what == "open-list")
        else:
            raise UsageError("there is no such action for lists", "Press one of the buttons.")
    return f"{what}-{len(players)}"


async def print_lists(request: Request) -> Response:
    """Answers with all deck lists, or only the illegal ones, as one PDF. Each has a code that leads to its player."""
    upload, key = await upload_of(request), request.path_params["key"]
    address = f"{base_of(request)}/events/{key}/find?q="
    only, paper = upload.fields.get("only") == "illegal", upload.fields.get("paper") or "a4"

    def work(project: Workspace, events: Events, event: Event) -> bytes:
        return print_event_lists(project, events, event, paper, only, address).data

    return event_file(await in_event(request, work), f"{key}{'-failing' if only else ''}.pdf", "application/pdf")


ROUTES = [
    Route("/events", events),
    Route("/events", make, methods=["POST"]),
    Route("/events/{key}", table),
    Route("/events/{key}/find", find),
    Route("/events/{key}/table.csv", csv),
    Route("/events/{key}/export.zip", export),
    Route("/events/{key}/players/{player:int}", show),
    Route("/events/{key}/players/{player:int}/versions/{version:int}", version),
    Route("/events/{key}/players/{player:int}/correct", correct, methods=["POST"]),
    Route("/events/{key}/players/{player:int}/notes", note, methods=["POST"]),
    Route("/events/{key}/players/{player:int}/mend", mend, methods=["POST"]),
    Route("/events/{key}/players/{player:int}/act", act, methods=["POST"]),
    Route("/events/{key}/players/{player:int}/list.pdf", print_list),
    Route("/events/{key}/bring", bring, methods=["POST"]),
    Route("/events/{key}/names", names, methods=["POST"]),
    Route("/events/{key}/poster", poster),
    Route("/events/{key}/act", act_on_event, methods=["POST"]),
    Route("/events/{key}/print", print_lists, methods=["POST"]),
]
