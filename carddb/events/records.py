"""What `events.db` holds, as values: events, players, and the versions of a player's deck list."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import Any


class Author(StrEnum):
    """Who recorded a version of a deck list."""

    PLAYER = "player"
    ORGANISER = "organiser"


@dataclass(frozen=True, slots=True)
class EventTerms:
    """What players are told before: the game, the format (None: that of each deck), the day, and until when decks
    are taken, as a moment in UTC that is shown in `zone`."""

    name: str
    game: str
    format: str | None
    day: date
    deadline: datetime
    zone: str
    editions: tuple[str, ...] = ()
    options: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """An event. `join_code` lets a player register himself where `registration` is on.

    `locked` closes all lists before the deadline; `open_lists` shows the opened ones to every player.
    """

    id: int
    key: str
    terms: EventTerms
    registration: bool
    open_lists: bool
    locked: bool
    join_code: str
    secret_hash: str | None
    made_at: datetime

    @property
    def name(self) -> str:
        return self.terms.name


@dataclass(frozen=True, slots=True)
class Player:
    """A player of an event. `locked`: True closes his list, False opens it even after the deadline, None: as the event.

    Of his link only the hash is stored.
    """

    id: int
    event_id: int
    name: str
    token_hash: str
    locked: bool | None
    open_list: bool
    registered_at: datetime


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a check said of a deck list.

    `findings` are the first ones as JSON, `counts` those of all by severity, `reason` the first grave one in words.
    `legal_until` is the last day on which a deck is legal that will not be on the event's. `basis` is a digest of the
    cards and ban lists that it was checked against.
    """

    deck: str
    fingerprint: str
    verdict: str
    reason: str
    findings: tuple[Mapping[str, Any], ...]
    counts: Mapping[str, int]
    legal_until: date | None
    basis: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One version of a player's deck list, counted from 1. It has had its verdict since `since`."""

    id: int
    player_id: int
    version: int
    text: str
    recorded_at: datetime
    recorded_by: Author
    verdict: Verdict
    since: datetime
    checked_at: datetime
    objection: str
