"""Until when and by whom deck lists of a tournament are replaced and seen: event change, lock, unlock, open."""

from __future__ import annotations

import click

from carddb.app.events import players as tournament_players
from carddb.app.events import tournament
from carddb.cli import show
from carddb.cli.session import Session

_key = click.argument("key")


@click.command()
@_key
@click.option("--deadline", metavar="MOMENT", help="Until when decks are taken, as 2026-11-28T18:00.")
@click.option("--registration/--no-registration", default=None, help="Whether players register themselves.")
@click.option("--open-lists/--hide-lists", default=None, help="Whether every player sees the lists that were opened.")
@click.option("--json", "json_", is_flag=True, help="As JSON.")
@click.pass_obj
def change(
    session: Session, key: str, deadline: str | None, registration: bool | None, open_lists: bool | None, json_: bool
) -> int:
    """Move the deadline, close registration, or show the opened lists."""
    with tournament.open_events(session.project) as events:
        event = tournament.event_called(events, key)
        if deadline is not None:
            moment = tournament.to_deadline(deadline, event.terms.day, event.terms.zone)
            tournament.change_terms(session.project, events, event, deadline=moment)
        tournament.change_access(events, event, registration=registration, open_lists=open_lists)
        event = tournament.event_called(events, key)
    if json_:
        show.as_json(tournament.event_json(event))
    else:
        registers = "players register themselves" if event.registration else "no registration"
        lists = "opened lists are shown" if event.open_lists else "no list is shown to others"
        session.say(f"{event.name}: until {tournament.deadline_words(event.terms)}; {registers}; {lists}")
    return 0


@click.command()
@_key
@click.option("--player", "name", metavar="NAME", help="This list alone.")
@click.pass_obj
def lock(session: Session, key: str, name: str | None) -> int:
    """Lock every deck list, or one: its player cannot replace it."""
    return _lock(session, key, name, True)


@click.command()
@_key
@click.option("--player", "name", metavar="NAME", help="This list alone, even after the deadline.")
@click.pass_obj
def unlock(session: Session, key: str, name: str | None) -> int:
    """Unlock every deck list until the deadline, or one even after it."""
    return _lock(session, key, name, False)


def _lock(session: Session, key: str, name: str | None, locked: bool) -> int:
    with tournament.open_events(session.project) as events:
        event = tournament.event_called(events, key)
        if name:
            tournament_players.lock_player(events, tournament_players.player_called(events, event, name), locked)
        else:
            tournament_players.lock_all(events, event, locked)
    session.say(f"{name or 'every list'}: {'locked' if locked else 'open'}")
    return 0


@click.command("open")
@_key
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@click.option("--hide", is_flag=True, help="Hide them again.")
@click.pass_obj
def open_(session: Session, key: str, names: tuple[str, ...], hide: bool) -> int:
    """Open the deck lists of these players to all players, as for a cut; `event change --open-lists` shows them."""
    with tournament.open_events(session.project) as events:
        event = tournament.event_called(events, key)
        players = [tournament_players.player_called(events, event, name) for name in names]
        for player in players:
            tournament_players.open_list(events, player, not hide)
    session.say(f"{', '.join(player.name for player in players)}: {'hidden' if hide else 'open to all players'}")
    return 0
