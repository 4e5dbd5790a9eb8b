"""The organiser's desk: the list of events, the table of one event, one player's page, and actions on a whole event."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from itertools import chain, pairwise
from typing import Any
from urllib.parse import quote, urlencode
from zoneinfo import ZoneInfo

from starlette.responses import RedirectResponse, Response

from carddb.app.events import entries, player_table, tournament
from carddb.app.workspace.clock import local_zone, now, to_day
from carddb.app.workspace.workspace import Workspace
from carddb.core.errors import CarddbError, UsageError
from carddb.core.options import pairs
from carddb.core.plain_text import whole
from carddb.events.store import Author, EventTerms, NoteKind, Player
from carddb.findings import VERDICTS
from carddb.layout.drawing.path import qr_code
from carddb.read.decks.pasted import divide
from carddb.web.events.player_page import (
    ListDraft,
    ListPage,
    base_of,
    event_file,
    event_page,
    event_route,
    find_address,
    shown_list,
    upload_of,
)
from carddb.web.http.answers import Asked, SentForm, route
from carddb.web.http.modes import Unknown

_MOST_DIFFERENCES = 20
"""The number of latest versions whose differences are shown."""


def _shown(asked: Asked, event: tournament.OpenEvent, draft: ListDraft | None) -> dict[str, Any]:
    """Returns the template's values for the page of one player."""
    player = _player(asked, event)
    every = event.store.versions(player)
    shown = shown_list(event, every[0] if every else None, draft)
    rows = player_table.table(event)
    at = next(at for at, row in enumerate(rows) if row.player.id == player.id)
    latest = pairwise(every[: _MOST_DIFFERENCES + 1])
    versions = [(entry, entries.line_changes(before.text, entry.text)) for entry, before in latest]
    versions += [(entry, []) for entry in every[len(versions) :]]
    return {
        **shown, "event": event, "row": rows[at], "player": player, "verdicts": VERDICTS, "versions": versions,
        "note_kinds": tournament.NOTE_KINDS, "words": "", "kind": "",
        "before": rows[at - 1] if at else None, "after": rows[at + 1] if at + 1 < len(rows) else None,
    }  # fmt: skip


def _player(asked: Asked, event: tournament.OpenEvent) -> Player:
    """Returns the player in the URL. Raises Unknown if there is none, or if the form was made for another player."""
    player = event.store.player(event, asked.path_params["player"])
    if player is None:
        raise Unknown("the event has no such player", "Choose a player in the table of the event.")
    whose = asked.sent.fields.get("whose", player.name)
    if whose != player.name:
        message = f"this form was made for {whose}, but its address is now that of {player.name}"
        raise Unknown(message, "Choose the player in the table of the event, and try again.")
    return player


def note(asked: Asked, event: tournament.OpenEvent) -> Response:
    """Adds a note, a message or a penalty to a player, or takes one back."""
    words, kind, undone = (asked.sent.fields.get(name, "") for name in ("words", "kind", "undo"))

    def work(player: Player) -> None:
        if undone:
            tournament.undo_note(event, player, whole(undone) or 0)
        else:
            tournament.add_note(event, [player], kind, words)

    return _DESK.answered(asked, event, work, words=words, kind=kind)


def act(asked: Asked, event: tournament.OpenEvent) -> Response:
    """Locks, unlocks or publishes a player's list, makes a new link for them, or deletes their personal data."""
    what, player = asked.sent.fields.get("do", ""), _player(asked, event)
    if what == "link":
        link = tournament.new_link(event.store, player)
        links = [(link.player.name, f"{base_of(asked)}/p/{link.token}")]
        return event_page("events/event_links.html", asked, event=event, links=links, qr_code=qr_code)
    if what == "forget":
        done = "forget-copies" if tournament.forget(event.store, player) else "forget"
        return RedirectResponse(f"/events/{event.key}?done={done}", status_code=303)
    return _DESK.answered(asked, event, lambda player: _picked(event, what, [player], ""))


def version(asked: Asked, event: tournament.OpenEvent) -> Response:
    """Answers with the text of one version of a player's list. Raises Unknown if there is no such version."""
    player, number = _player(asked, event), asked.path_params["version"]
    for entry in event.store.versions(player):
        if entry.version == number:
            return event_file(f"{entry.text}\n".encode(), f"{player.name} {number}.deck")
    raise Unknown(f"the list of {player.name} has no version {number}", "Choose a version on the player's page.")


_VIEW = ("show", "q", "sort", "done")


def events(asked: Asked, fault: CarddbError | None = None) -> Response:
    """Shows all events, and the form for a new event, with what was sent if it had a fault."""
    with tournament.open_events(asked.project) as opened:
        every = [(event, len(opened.players(event))) for event in opened.events()]
    values = {"events": every, "games": asked.project.all_games(), "zone": local_zone(), "fields": asked.sent.fields}
    return event_page("events/events.html", asked, fault, **values)


def make(asked: Asked) -> Response:
    """Creates an event from the form and redirects to its table."""
    project, fields = asked.project, asked.sent.fields
    try:
        with tournament.open_events(project) as opened:
            terms = _terms(project, fields)
            event = tournament.new_event(project, opened, terms, "", bool(fields.get("registration")))
    except CarddbError as fault:
        return events(asked, fault)
    return RedirectResponse(f"/events/{event.key}", status_code=303)


def _terms(project: Workspace, fields: Any) -> EventTerms:
    """Returns the terms of a new event from the form. Raises UsageError if a field is missing or wrong."""
    day = to_day(fields.get("day") or None)
    if not isinstance(day, date):
        raise UsageError("the event has no day", "Choose the day of the event.")
    zone = fields.get("zone", "").strip() or local_zone()
    readings = filter(None, map(str.strip, fields.get("options", "").splitlines()))
    return EventTerms(
        fields.get("name", ""),
        project.only_game(fields.get("game") or None).key,
        fields.get("format", "").strip() or None,
        day,
        tournament.to_deadline(fields.get("deadline", ""), day, zone),
        zone,
        tuple(name.strip() for name in fields.get("editions", "").split(",") if name.strip()),
        pairs(readings, "the house reading", "Write name=value."),
    )


def table(asked: Asked, event: tournament.OpenEvent) -> Response:
    """Shows the event's table, filtered, searched and sorted by the query of the URL."""
    fields = asked.query(*_VIEW)
    view = {name: fields.get(name, "") for name in _VIEW}
    return event_page("events/desk.html", asked, **shown_table(event, view))


def shown_table(event: tournament.OpenEvent, view: Mapping[str, str]) -> dict[str, Any]:
    """Returns the template's values for the event's table; `view` has the URL's fields that filter and sort it."""
    every = player_table.table(event)
    sort = view["sort"] or "verdict"
    chosen = player_table.filtered(every, view["show"], view["q"])
    game = event.project.game(event.terms.game)
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
        "ban_list": entries.list_of_event(event),
        "every": every, "rows": player_table.in_order(chosen, sort), "view": {**view, "sort": sort},
        "tally": player_table.tally(every), "outdated": sum(row.is_outdated for row in every),
        "left": event.terms.deadline - now(), "accepts": tournament.accepts(event, now()),
        "late": tournament.late_deadline(event.terms), "address": address,
        "deadline": f"{event.terms.deadline.astimezone(ZoneInfo(event.terms.zone)):%Y-%m-%dT%H:%M}",
        "words": "",
        "lists_in": sum(row.entry is not None for row in every),
    }  # fmt: skip


def find(asked: Asked, event: tournament.OpenEvent) -> Response:
    """Redirects from the fingerprint on a paper list to its player; to the table unless exactly one list has it."""
    words, place = asked.query("q").get("q", ""), f"/events/{event.key}"
    rows = player_table.with_fingerprint(player_table.table(event), words)
    place += f"/players/{rows[0].player.id}" if len(rows) == 1 else f"?q={quote(words)}"
    return RedirectResponse(place, status_code=303)


def csv(asked: Asked, event: tournament.OpenEvent) -> Response:
    """Answers with the event's table as CSV."""
    return event_file(player_table.table_csv(player_table.table(event)), f"{event.key}.csv")


def export(asked: Asked, event: tournament.OpenEvent) -> Response:
    """Answers with all data of the event as a ZIP archive."""
    return event_file(player_table.export_archive(event), f"{event.key}.zip")


_OF_LISTS: Mapping[str, Mapping[str, bool | None]] = {
    "lock": {"locked": True}, "unlock": {"locked": False}, "follow": {"locked": None}, "open-list": {"open_list": True},
    "close-list": {"open_list": False},
}  # fmt: skip
_ACCESS: Mapping[str, Mapping[str, bool]] = {
    "registration": {"registration": True}, "no-registration": {"registration": False},
    "show-lists": {"open_lists": True}, "hide-lists": {"open_lists": False},
}  # fmt: skip
"""The columns of the database that each action changes: those of a player, and those of the event."""


def bring(asked: Asked, event: tournament.OpenEvent) -> Response:
    """Submits uploaded deck files or pasted lists. For pasted text, first shows how it is divided into decks."""
    fields, values, files = asked.sent
    text = fields.get("text", "")
    division = divide(text) if text.strip() else None
    decks: list[entries.PlayerDeck | entries.EntryOutcome] = [
        entries.file_deck(name, data) for name, data in chain(*files.values())
    ]
    if division and fields.get("take"):
        decks += entries.pasted_decks(division.decks, values.get("player", ()))
    outcomes = entries.submit_all(event, decks) if decks else []
    shown = None if fields.get("take") else division
    return event_page("events/event_batch.html", asked, event=event, outcomes=outcomes, division=shown, text=text)


def names(asked: Asked, event: tournament.OpenEvent) -> Response:
    """Registers the new players among names, one on a line, and shows their links, which cannot be shown again."""
    lines = [line for line in asked.sent.fields.get("names", "").splitlines() if line.strip()]
    shown: dict[str, Any] = {"event": event, "qr_code": qr_code}
    try:
        added, left_out = tournament.links_for_new(event, lines)
    except UsageError as fault:
        return event_page("events/event_links.html", asked, fault, links=[], **shown)
    links = [(link.player.name, f"{base_of(asked)}/p/{link.token}") for link in added]
    return event_page("events/event_links.html", asked, links=links, left_out=left_out, **shown)


def poster(asked: Asked, event: tournament.OpenEvent) -> Response:
    """Shows a poster with the URL and QR code at which players register."""
    address = f"{base_of(asked)}/join/{event.join_code}"
    return event_page("events/event_poster.html", asked, event=event, join=address, code=qr_code(address))


def act_on_event(asked: Asked, event: tournament.OpenEvent) -> Response:
    """Does an action on the event, on all its lists, or on the lists picked in the table."""
    view = {name: asked.sent.fields.get(name, "") for name in _VIEW}
    try:
        done = _acted_on_event(asked.sent, event)
    except UsageError as fault:
        shown = shown_table(event, view) | {"words": asked.sent.fields.get("words", "")}
        return event_page("events/desk.html", asked, fault, **shown)
    query = urlencode({name: value for name, value in {**view, "done": done}.items() if value})
    return RedirectResponse(f"/events/{event.key}?{query}", status_code=303)


def _acted_on_event(upload: SentForm, event: tournament.OpenEvent) -> str:
    """Does what the form asks, and returns the word for it in the next URL. Raises UsageError if it cannot."""
    what = upload.fields.get("do", "")
    if what == "recheck":
        return f"recheck-{len(entries.recheck(event).changed)}"
    if what in _ACCESS:
        event.store.change(event, **_ACCESS[what])
        return what
    if what == "deadline":
        deadline = tournament.to_deadline(upload.fields.get("deadline", ""), event.terms.day, event.terms.zone)
        tournament.change_terms(event, deadline=deadline)
        return what
    if what in ("all-lock", "all-unlock"):
        tournament.lock_all(event, what == "all-lock")
        return what
    ids, words = upload.values.get("pick", ()), upload.fields.get("words", "")
    if "all" in ids:
        rows = player_table.table(event)
        shown = player_table.filtered(rows, upload.fields.get("show", ""), upload.fields.get("q", ""))
        return _picked(event, what, [row.player for row in shown], words)
    numbers = [number for number in map(whole, ids) if number is not None]
    players = [player for number in numbers if (player := event.store.player(event, number))]
    return _picked(event, what, players, words)


def _picked(event: tournament.OpenEvent, what: str, players: Sequence[Player], words: str) -> str:
    """Does an action on the lists of `players`, or sends these a message. Returns the word for it in the next URL.

    Raises UsageError if none is picked, the action is unknown, or the message is empty or too long.
    """
    if not players:
        raise UsageError("no list is picked", "Tick at least one player in the table.")
    if what == "message":
        tournament.add_note(event, players, NoteKind.MESSAGE, words)
        return f"{what}-{len(players)}"
    if what not in _OF_LISTS:
        raise UsageError("there is no such action for lists", "Press one of the buttons.")
    for player in players:
        event.store.change(player, **_OF_LISTS[what])
    return f"{what}-{len(players)}"


def print_lists(asked: Asked, event: tournament.OpenEvent) -> Response:
    """Answers with all deck lists, or only the illegal ones, as one PDF. Each has a code that leads to its player."""
    fields, address = asked.sent.fields, find_address(asked, event)
    only = fields.get("only") == "illegal"
    data = player_table.print_event_lists(event, fields.get("paper") or "a4", only, address).data
    return event_file(data, f"{event.key}{'-failing' if only else ''}.pdf")


_DESK = ListPage("events/desk_player.html", "/events/{key}/players/{player}", Author.ORGANISER, _player, _shown)
ROUTES = [
    route("/events", events),
    route("/events", make, ["POST"], upload_of),
    event_route("/events/{key}", table),
    event_route("/events/{key}/find", find),
    event_route("/events/{key}/table.csv", csv),
    event_route("/events/{key}/export.zip", export),
    event_route("/events/{key}/players/{player:int}", _DESK.show),
    event_route("/events/{key}/players/{player:int}/versions/{version:int}", version),
    event_route("/events/{key}/players/{player:int}/correct", _DESK.submit, ["POST"]),
    event_route("/events/{key}/players/{player:int}/notes", note, ["POST"]),
    event_route("/events/{key}/players/{player:int}/mend", _DESK.mend, ["POST"]),
    event_route("/events/{key}/players/{player:int}/act", act, ["POST"]),
    event_route("/events/{key}/players/{player:int}/list.pdf", _DESK.print_list),
    event_route("/events/{key}/bring", bring, ["POST"]),
    event_route("/events/{key}/names", names, ["POST"]),
    event_route("/events/{key}/poster", poster),
    event_route("/events/{key}/act", act_on_event, ["POST"]),
    event_route("/events/{key}/print", print_lists, ["POST"]),
]
