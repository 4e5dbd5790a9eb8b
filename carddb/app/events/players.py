"""The players of an event: registered by themselves or by the organiser, each with a link that nobody can guess."""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from carddb.app.events.gate import Closed, accepts
from carddb.app.events.tournament import new_token, token_hash
from carddb.app.workspace.clock import now
from carddb.core.errors import UsageError
from carddb.core.names import did_you_mean, strip_accents
from carddb.core.plain_text import without_controls
from carddb.events.records import Event, Player
from carddb.events.store import Events

LONGEST_NAME = 60
MOST_PLAYERS = 500


class Link(NamedTuple):
    """A player and the text of his link, which is known only now: its hash is what is stored."""

    player: Player
    token: str


def register(events: Events, event: Event, name: str) -> Link:
    """Registers a player who gave his own name. Raises Closed, UsageError for a name that there is already."""
    if not event.registration:
        raise Closed("players do not register themselves here", "Ask the organiser for your link.")
    if not accepts(event, now()):
        raise Closed("registration is over", "Ask the organiser.")
    return add_players(events, event, [name])[0]


def add_players(events: Events, event: Event, names: Sequence[str]) -> list[Link]:
    """Registers players: all of them, or none. Raises UsageError for a name that there is already."""
    with events.step():
        if len(events.players(event)) + len(names) > MOST_PLAYERS:
            raise UsageError(f"an event has at most {MOST_PLAYERS} players", "Make a second event.")
        return [_add(events, event, clean_name(name)) for name in names]


def _add(events: Events, event: Event, name: str) -> Link:
    if events.player_called(event, folded_name(name)):
        raise UsageError(f"there is a player called {name} already", "Add a second name, or ask for a new link.")
    token = new_token()
    return Link(events.add_player(event, name, folded_name(name), token_hash(token), now()), token)


def clean_name(name: str) -> str:
    """A name on one line, without what could steer a terminal. Raises UsageError for an empty or long one."""
    clean = " ".join(without_controls(name).split())
    if not clean or len(clean) > LONGEST_NAME:
        raise UsageError(f"a name has 1 to {LONGEST_NAME} characters", "Write it as it is to be called out.")
    return clean


def folded_name(name: str) -> str:
    """The form in which the names of players are compared: no case, no accents."""
    return " ".join(strip_accents(name).split())


def player_called(events: Events, event: Event, name: str) -> Player:
    """The player with a name. Raises UsageError, with the nearest."""
    player = events.player_called(event, folded_name(name))
    if player is None:
        names = [each.name for each in events.players(event)]
        raise UsageError(f"there is no player {name!r}", did_you_mean(name, names) if names else "There is none yet.")
    return player


def player_of_link(events: Events, event: Event, token: str) -> Player | None:
    """The player whose link this is. Compared by hashes, so that the time it takes tells nothing of a link."""
    digest = token_hash(token)
    player = events.player_of_link(event, digest)
    return player if player and hmac.compare_digest(player.token_hash, digest) else None


def new_link(events: Events, player: Player) -> Link:
    """Another link for a player; the one before leads nowhere from now on."""
    token = new_token()
    with events.step():
        events.change_player(player, token_hash=token_hash(token))
    return Link(player, token)


def link_for(events: Events, event: Event, name: str) -> Link:
    """A link for a player by name, who is added where he is new. Raises UsageError."""
    name = clean_name(name)
    player = events.player_called(event, folded_name(name))
    return new_link(events, player) if player else add_players(events, event, [name])[0]


def lock_all(events: Events, event: Event, locked: bool) -> None:
    """Locks or opens the lists of all players, also of those that were locked or opened alone."""
    with events.step():
        events.change_event(event, locked=locked)
        events.follow_event(event)


def lock_player(events: Events, player: Player, locked: bool | None) -> None:
    """Locks one list, opens it even after the deadline, or lets it follow the event (None)."""
    with events.step():
        events.change_player(player, locked=locked)


def open_list(events: Events, player: Player, is_open: bool) -> None:
    """Shows a list to every player of the event, while its lists are open, or hides it."""
    with events.step():
        events.change_player(player, open_list=is_open)


def forget(events: Events, player: Player) -> list[Path]:
    """Removes a person with all versions from the file for good; gives the copies of older files that still have him.

    Raises CatalogError.
    """
    with events.step():
        events.remove_player(player)
    events.wipe()
    return sorted(events.path.parent.glob(f"{events.path.name}.bak-*"))
