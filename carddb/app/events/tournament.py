"""Creating, finding and changing events, their players, and the notes on players; `events.db` stores them."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from carddb.app.decks.check import CheckRequest, check_deck
from carddb.app.workspace.clock import is_zone, now
from carddb.app.workspace.workspace import Workspace
from carddb.core.errors import CarddbError, UsageError
from carddb.core.names import did_you_mean, slug, strip_accents
from carddb.core.plain_text import without_controls, without_invisibles
from carddb.events.store import MOST_SEED, DeskNote, Event, Events, EventTerms, NoteKind, Player, RoundTerms
from carddb.findings import Finding, warning
from carddb.game.frozen import replaced
from carddb.game.parts import RoundsSpec
from carddb.rounds.model import SYSTEMS

FILE = "events.db"
_SECRET_BYTES = 24
"""The bytes (192 bits) of a secret or a link, which make it impossible to guess."""
_CODE_SIGNS = "abcdefghjkmnpqrstuvwxyz23456789"
"""The characters of codes; none of them is easily mistaken for another."""
_CODE_LENGTH = 10
CODE_MINUTES = 10
"""The time, in minutes, for which a code for signing in is valid."""
_LONGEST_NAME = 80
_PRIZE = re.compile(r"\s*(\d{1,3})(?:\s*[-–]\s*(\d{1,3}))?\s*:\s*(\S.{0,79})")
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d")


def events_path(project: Workspace) -> Path:
    """Returns the path of the database of events; the catalogue can thus be copied without names of players."""
    return project.catalog_path.with_name(FILE)


def open_events(project: Workspace) -> Events:
    """Opens the database of events, or creates it if it is missing. Raises CatalogError if it cannot be opened."""
    return Events(events_path(project))


@dataclass(frozen=True, slots=True)
class OpenEvent(Event):
    """An event, with its project and the open database in which it is stored."""

    project: Workspace = field(kw_only=True, repr=False, compare=False)
    store: Events = field(kw_only=True, repr=False, compare=False)


def event_called(project: Workspace, events: Events, key: str) -> OpenEvent:
    """Returns the event with the key `key`. Raises UsageError, suggesting the nearest key, if there is none."""
    event = events.event(key)
    if event is None:
        keys = [each.key for each in events.events()]
        raise UsageError(f"there is no event {key!r}", did_you_mean(key, keys) or "Make one: carddb event new.")
    values = {each.name: getattr(event, each.name) for each in fields(Event)}
    return OpenEvent(**values, project=project, store=events)


@contextmanager
def open_event(project: Workspace, key: str) -> Iterator[OpenEvent]:
    """Opens the database of events, and yields the event `key`. Raises CatalogError, UsageError if there is none."""
    with open_events(project) as events:
        yield event_called(project, events, key)


def new_event(
    project: Workspace, events: Events, terms: EventTerms, key: str = "", registration: bool = True,
    rounds: RoundTerms | None = None,
) -> OpenEvent:  # fmt: skip
    """Adds an event. Without `key`, its key is made from its name; if `rounds` has no seed, one is drawn.

    Raises UsageError if the key is taken, if decks cannot be checked by `terms`, or if `rounds` are impossible.
    """
    terms = _tested(project, terms)
    key, rounds = slug(key or terms.name), rounds or RoundTerms()
    rounds = replace(rounds, seed=rounds.seed or 1 + secrets.randbelow(MOST_SEED))
    rules_of(project, terms, rounds)
    with events.step():
        if events.event(key):
            raise UsageError(f"there is an event {key!r} already", "Give it another key.")
        events.add(
            "event", key=key, terms=terms, registration=registration, open_lists=False, locked=False,
            join_code=new_code(_CODE_LENGTH), made_at=now(), rounds=rounds,
        )  # fmt: skip
    _notify_remarks(project, terms)
    return event_called(project, events, key)


def change_terms(event: OpenEvent, **changes: Any) -> OpenEvent:
    """Changes terms of an event, and returns the event. Raises UsageError if decks cannot be checked by new terms."""
    terms = _tested(event.project, replace(event.terms, **changes))
    event.store.change(event, terms=terms)
    _notify_remarks(event.project, terms)
    return event_called(event.project, event.store, event.key)


def rules_of(project: Workspace, terms: EventTerms, rounds: RoundTerms) -> RoundsSpec:
    """Returns the rules of an event's matches: the game's, changed by `rounds`.

    Raises UsageError if they are impossible.
    """
    own = {name: value for name in ("best_of", "draws") if (value := getattr(rounds, name)) is not None}
    rules = replaced(project.game(terms.game).spec.rounds, **own)
    for _, problem, remedy in rules.misfits():
        raise UsageError(problem, remedy)
    if rounds.system not in SYSTEMS:
        raise UsageError(f"rounds cannot be paired by {rounds.system!r}", did_you_mean(rounds.system, SYSTEMS))
    prizes(rounds.prizes)
    return rules


def prizes(lines: Sequence[str]) -> dict[int, str]:
    """Returns the prizes by place (from 1), from lines such as `2-4: a booster`. Raises UsageError for another form."""
    by_place: dict[int, str] = {}
    for line in lines:
        match = _PRIZE.fullmatch(line)
        if not match:
            raise UsageError(f"{line!r} is not a prize", "Write the places and what they win, such as 2-4: a booster.")
        for place in range(int(match[1]), int(match[2] or match[1]) + 1):
            by_place[place] = match[3].strip()
    return by_place


def new_secret(event: OpenEvent) -> str:
    """Replaces the secret of an event's organiser, and returns the new one, of which only the hash is stored."""
    secret = new_token()
    event.store.change(event, secret_hash=token_hash(secret))
    return secret


def new_code(length: int) -> str:
    """Returns a random code that is easy to type."""
    return "".join(secrets.choice(_CODE_SIGNS) for _ in range(length))


def clean_code(text: str) -> str:
    """Returns a typed code as `new_code` writes it: in small letters, without spaces and hyphens."""
    return re.sub(r"[\s-]", "", text).lower()


def new_token() -> str:
    """Returns a random text for an address, which cannot be guessed."""
    return secrets.token_urlsafe(_SECRET_BYTES)


def token_hash(token: str) -> str:
    """Returns the SHA-256 of a secret or a link, to be stored; such a long random text needs no slower hash."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def request_of(terms: EventTerms, on: date | None = None) -> CheckRequest:
    """Returns the request for checking the decks of an event, on the day `on` (None: the day of the event)."""
    return CheckRequest(
        terms.game, terms.format, on or terms.day, None, terms.editions, dict(terms.options), files=False
    )


def to_deadline(text: str, day: date, zone: str) -> datetime:
    """Returns a deadline such as `2026-11-29 18:00` in `zone` as a moment in UTC; without `text`, the start of the day.

    Raises UsageError if the zone or the moment is invalid.
    """
    if not is_zone(zone):
        raise UsageError(f"there is no time zone {zone!r}", "Write a name such as Europe/Berlin.")
    try:
        if text and not _MOMENT.fullmatch(text):
            raise ValueError
        local = datetime.fromisoformat(text) if text else datetime.combine(day, time())
        return local.replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)
    except (ValueError, OverflowError):
        raise UsageError(f"{text!r} is not a date with a time", "Write a time such as 2026-11-28T18:00.") from None


def deadline_words(terms: EventTerms) -> str:
    """Returns the deadline of an event in words, such as `2026-11-28 18:00 Europe/Berlin`."""
    return f"{terms.deadline.astimezone(ZoneInfo(terms.zone)):%Y-%m-%d %H:%M} {terms.zone}"


def late_deadline(terms: EventTerms) -> Finding | None:
    """Returns a warning if the deadline is after the day of the event, else None."""
    if terms.deadline.astimezone(ZoneInfo(terms.zone)).date() <= terms.day:
        return None
    message = f"decks are taken until {deadline_words(terms)}, which is after the day of the event, {terms.day}"
    return warning("deadline_late", message, fix="Move the deadline if that is not intended.")


def _notify_remarks(project: Workspace, terms: EventTerms) -> None:
    if remark := late_deadline(terms):
        project.notify("event_remarks", "", [remark])


def today_there(terms: EventTerms) -> date:
    """Returns the current date in the time zone of the event."""
    return now().astimezone(ZoneInfo(terms.zone)).date()


def event_json(event: Event) -> dict[str, Any]:
    """Returns an event as `event list --json` shows it."""
    terms = event.terms
    return {
        "key": event.key, "name": terms.name, "game": terms.game, "format": terms.format, "day": terms.day.isoformat(),
        "deadline": terms.deadline.isoformat(), "zone": terms.zone, "editions": list(terms.editions),
        "options": dict(terms.options), "registration": event.registration, "open_lists": event.open_lists,
        "locked": event.locked, "rounds": {**asdict(event.rounds), "prizes": list(event.rounds.prizes)},
    }  # fmt: skip


def _tested(project: Workspace, terms: EventTerms) -> EventTerms:
    """Returns the terms, with the game's default format if they have none, after checking an empty deck by them.

    Raises UsageError if the name is empty or too long, or if decks cannot be checked by the terms.
    """
    name = " ".join(terms.name.split())
    if not name or len(name) > _LONGEST_NAME:
        raise UsageError(f"the name has {len(name)} characters", f"Write 1 to {_LONGEST_NAME} characters.")
    report = check_deck(project, "\n", request_of(terms))
    return replace(terms, name=name, format=report.context.format or report.game.spec.default_format or None)


class Closed(CarddbError):
    """Raised if a player may not register or replace a deck list now."""


class Overtaken(CarddbError):
    """Raised if a deck list or a result has been changed by somebody else since it was shown."""


def accepts(event: Event, now: datetime) -> bool:
    """Returns whether an event accepts deck lists: it is not locked, and its deadline has not passed."""
    return not event.locked and now < event.terms.deadline


def may_register(event: Event, now: datetime) -> bool:
    """Returns whether players may register themselves: while deck lists are accepted, or always without deck lists."""
    return event.registration and (not event.rounds.lists or accepts(event, now))


def is_open(event: Event, player: Player, now: datetime) -> bool:
    """Returns whether a player may replace the deck list: the player's own lock decides, or else the event."""
    if player.locked is not None:
        return not player.locked
    return accepts(event, now)


def refuse_closed(event: Event, player: Player, now: datetime) -> None:
    """Raises Closed, with the reason, if a player may not replace the deck list."""
    if is_open(event, player, now):
        return
    if player.locked or event.locked:
        raise Closed("the organiser has locked this deck list", "Ask at the desk.")
    local = event.terms.deadline.astimezone(ZoneInfo(event.terms.zone))
    raise Closed(f"deck lists were closed at {local:%H:%M} on {local.day} {local:%B}", "Ask at the desk.")


LONGEST_NAME = 60
MOST_PLAYERS = 500


class PlayerLink(NamedTuple):
    """A player and the secret part of the player's new link (`token`), of which only the hash is stored."""

    player: Player
    token: str


def register(event: OpenEvent, name: str) -> PlayerLink:
    """Registers a player who asks for it. Raises Closed if this is not allowed now, UsageError if the name is taken."""
    if not event.registration:
        raise Closed("players cannot register themselves for this event", "Ask the organiser for your link.")
    if not may_register(event, now()):
        raise Closed("registration is over", "Ask the organiser.")
    return add_players(event, [name])[0]


def add_players(event: OpenEvent, names: Sequence[str]) -> list[PlayerLink]:
    """Registers players, and returns their links. Raises UsageError, registering none, if a name is taken."""
    with event.store.step():
        if (count := len(event.store.players(event)) + len(names)) > MOST_PLAYERS:
            problem = f"the event would have {count} players, and at most {MOST_PLAYERS} are allowed"
            raise UsageError(problem, "Make a second event for the others.")
        links = []
        for name in map(clean_name, names):
            if player_named(event, name):
                problem = f"there is a player called {name} already"
                raise UsageError(problem, "Write a second name; or if this is you, ask the organiser for a new link.")
            token = new_token()
            links.append(
                PlayerLink(event.store.add_player(event, name, folded_name(name), token_hash(token), now()), token)
            )
        return links


def links_for_new(event: OpenEvent, names: Sequence[str]) -> tuple[list[PlayerLink], list[str]]:
    """Registers the players in `names` who are new. Returns their links, and the names left out.

    Left out are names of players who are registered already, and names that occur before in `names`.
    """
    registered = {folded_name(player.name) for player in event.store.players(event)}
    new: list[str] = []
    left_out: list[str] = []
    for name in map(clean_name, names):
        (left_out if folded_name(name) in registered else new).append(name)
        registered.add(folded_name(name))
    return add_players(event, new), left_out


def clean_name(name: str) -> str:
    """Returns a name on one line, without control characters. Raises UsageError if it is empty or too long."""
    clean = " ".join(without_controls(name).split())
    if not folded_name(clean) or len(clean) > LONGEST_NAME:
        raise UsageError(f"a player's name must have 1 to {LONGEST_NAME} characters", "Write it as it is called out.")
    return clean


def folded_name(name: str) -> str:
    """Returns the form in which names are compared: without case, accents and invisible characters."""
    return " ".join(strip_accents(without_invisibles(name)).split())


def player_named(event: OpenEvent, name: str) -> Player | None:
    """Returns the player called `name`, ignoring case and accents; None if there is none."""
    return event.store.player(event, folded_name(name), "folded_name")


def player_called(event: OpenEvent, name: str) -> Player:
    """Returns the player called `name`. Raises UsageError, suggesting the nearest name, if there is none."""
    player = player_named(event, name)
    if player is None:
        names = [each.name for each in event.store.players(event)]
        raise UsageError(f"there is no player {name!r}", did_you_mean(name, names) or "Add the player first.")
    return player


def player_of_link(event: OpenEvent, token: str) -> Player | None:
    """Returns the player to whom a link belongs; None if there is none. The time taken reveals nothing about links."""
    digest = token_hash(token)
    player = event.store.player(event, digest, "token_hash")
    return player if player and hmac.compare_digest(player.token_hash, digest) else None


def new_link(events: Events, player: Player) -> PlayerLink:
    """Gives a player a new link, and returns it; the old link no longer leads anywhere."""
    token = new_token()
    events.change(player, token_hash=token_hash(token))
    return PlayerLink(player, token)


def link_for(event: OpenEvent, name: str) -> PlayerLink:
    """Gives the player `name`, who is registered if new, a new link. Raises UsageError as `clean_name`."""
    name = clean_name(name)
    player = player_named(event, name)
    return new_link(event.store, player) if player else add_players(event, [name])[0]


def lock_all(event: OpenEvent, locked: bool) -> None:
    """Locks or opens the deck lists of all players, including those that were locked or opened separately."""
    with event.store.step():
        event.store.change(event, locked=locked)
        event.store.follow_event(event)


def forget(events: Events, player: Player) -> list[Path]:
    """Removes a player and all versions of the deck list for ever. Raises CatalogError if this is not possible.

    Returns the paths of older copies of the database, which may still contain the player.
    """
    events.remove_player(player)
    return sorted(events.path.parent.glob(f"{events.path.name}.bak-*"))


LONGEST_NOTE = 500
MOST_NOTES = 200
"""The most notes on one player."""
NOTE_KINDS = {kind: kind.replace("_", " ").capitalize() for kind in NoteKind}
"""The kinds of notes, each with the words for it."""


def clean_note(text: str) -> str:
    """Returns a note on one line, without control characters. Raises UsageError if it is empty or too long."""
    clean = " ".join(without_controls(text).split())
    if not clean or len(clean) > LONGEST_NOTE:
        raise UsageError(f"the text cannot have {len(clean)} characters", f"Write 1 to {LONGEST_NOTE} characters.")
    return clean


def add_note(event: OpenEvent, players: Sequence[Player], kind: str, text: str) -> None:
    """Adds the same note to all players, or none. Raises UsageError for an invalid kind or text, or too many notes."""
    if kind not in NOTE_KINDS:
        raise UsageError(f"there is no kind of note {kind!r}", did_you_mean(kind, NOTE_KINDS))
    clean = clean_note(text)
    with event.store.step():
        notes = event.store.notes(event)
        for player in players:
            if len(notes.get(player.id, [])) >= MOST_NOTES:
                problem = f"there are already {MOST_NOTES} notes on {player.name}, the most allowed"
                raise UsageError(problem, "Write the rest on paper.")
            event.store.add("note", player_id=player.id, kind=NoteKind(kind), text=clean, recorded_at=now())


def undo_note(event: OpenEvent, player: Player, number: int) -> None:
    """Takes back the note `number` on a player (the first is 1); it stays stored, with the time of taking it back.

    Raises UsageError if there is no such note, or if it was taken back before.
    """
    with event.store.step():
        notes = event.store.notes(event).get(player.id, [])
        if not 1 <= number <= len(notes) or notes[number - 1].undone_at:
            problem = f"there is no note {number} on {player.name} to take back"
            raise UsageError(problem, "Choose the number of a note that was not taken back before.")
        event.store.change(notes[number - 1], undone_at=now())


def read_notes(event: OpenEvent, player: Player, last: int) -> None:
    """Stores that a player has read the notes on the player's page, up to the note with the id `last`."""
    with event.store.step():
        for note in shown_to_player(event.store.notes(event).get(player.id, [])):
            if note.id <= last and not note.read_at:
                event.store.change(note, read_at=now())


def shown_to_player(notes: Sequence[DeskNote]) -> list[DeskNote]:
    """Returns the messages and penalties that the player sees, the latest first: all that were not taken back."""
    return [note for note in reversed(notes) if note.kind is not NoteKind.NOTE and not note.undone_at]


def note_json(note: DeskNote) -> dict[str, Any]:
    """Returns a note as it is written in the export of an event."""
    return {
        "kind": note.kind.value, "text": note.text, "recorded_at": note.recorded_at.isoformat(),
        "undone_at": note.undone_at.isoformat() if note.undone_at else None,
        "read_at": note.read_at.isoformat() if note.read_at else None,
    }  # fmt: skip
