"""Whether a player may still replace his deck list."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from carddb.core.errors import CarddbError
from carddb.events.records import Event, Player


class Closed(CarddbError):
    """A deck list that its player may not replace any more, or not yet."""


class Overtaken(CarddbError):
    """A deck list of which there is a newer version than the one that was changed."""


def accepts(event: Event, now: datetime) -> bool:
    """Whether the event takes lists: neither locked nor after the deadline."""
    return not event.locked and now < event.terms.deadline


def is_open(event: Event, player: Player, now: datetime) -> bool:
    """Whether a player may replace his list: opened alone, or neither locked nor after the deadline."""
    if player.locked is not None:
        return not player.locked
    return accepts(event, now)


def refuse_closed(event: Event, player: Player, now: datetime) -> None:
    """Raises Closed where a player may not replace his list, with the reason."""
    if is_open(event, player, now):
        return
    if player.locked or event.locked:
        raise Closed("the organiser has locked this list", "Ask at the desk.")
    local = event.terms.deadline.astimezone(ZoneInfo(event.terms.zone))
    raise Closed(f"lists were closed at {local:%H:%M} on {local.day} {local:%B}", "Ask at the desk.")
