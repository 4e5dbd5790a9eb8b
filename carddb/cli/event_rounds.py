"""The commands of `event` that run its rounds without a browser: check-in, pairings, results, standings."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import click

from carddb.app.events import rounds, tournament
from carddb.app.events.tournament import OpenEvent
from carddb.cli import show
from carddb.cli.decks.meta import show_meta
from carddb.cli.options import declared_options, json_option, paper_option
from carddb.cli.session import Session
from carddb.core.errors import UsageError
from carddb.core.plain_text import amount, whole
from carddb.events.store import MOST_MINUTES, RoundTerms
from carddb.rounds.model import Tournament

round_options = declared_options(RoundTerms)
"""A decorator that adds the options about the rounds of an event to a command."""


def round_changes(options: dict[str, Any]) -> dict[str, Any]:
    """Returns the options about rounds that the user has set."""
    return {name: value for name, value in options.items() if value not in (None, ())}


def event_verb(name: str | None = None) -> Callable[[Callable[..., int | None]], click.Command]:
    """Returns a decorator that makes a command, with an event's key as argument, of a function of session and event."""

    def make(work: Callable[..., int | None]) -> click.Command:
        @click.argument("key")
        @click.pass_obj
        @wraps(work)
        def opened(session: Session, /, key: str, **values: Any) -> int | None:
            with tournament.open_event(session.project, key) as event:
                return work(session, event, **values)

        return click.command(name)(opened)

    return make


@event_verb("check-in")
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@json_option
def check_in(session: Session, event: OpenEvent, names: tuple[str, ...], json_: bool) -> None:
    """Check players in, even after the first round. A player who is not known yet is registered."""
    checked = rounds.check_in(event, names)
    if json_:
        players = [{"name": each.player.name, "new": bool(each.link), "list": each.has_list} for each in checked]
        return show.as_json({"schema": "carddb.check-in/1", "players": players})
    for each in checked:
        new = ", a new player" if each.link else ""
        missing = ", no deck list yet" if event.rounds.lists and not each.has_list else ""
        show.echo(f"{each.player.name}: checked in{new}{missing}")


def _act(session: Session, event: OpenEvent, name: str, json_: bool, what: str, words: str, **details: Any) -> None:
    player = tournament.player_called(event, name)
    rounds.act(event, what, player=player.id, **details)
    if json_:
        show.as_json(rounds.standings_json(event, rounds.tournament_of(event)))
    session.say(f"{player.name}: {words}")


@event_verb()
@click.argument("name")
@click.option("--back", is_flag=True, help="Let the player come back and be paired again.")
@json_option
def drop(session: Session, event: OpenEvent, name: str, back: bool, json_: bool) -> None:
    """Leave a player out of later rounds; the results so far stay. With --json, show the standings."""
    what, words = ("rejoin", "plays again") if back else ("drop", "has dropped out")
    _act(session, event, name, json_, what, words)


@event_verb()
@click.argument("name")
@click.option("--not", "without", is_flag=True, help="Give no bye after all.")
def bye(session: Session, event: OpenEvent, name: str, without: bool) -> None:
    """Give a player a bye in the next round."""
    words = "gets no bye" if without else "gets a bye in the next round"
    _act(session, event, name, False, "bye", words, given=not without)


@event_verb()
@click.argument("name")
@click.argument("number", type=click.IntRange(0, 999))
def table(session: Session, event: OpenEvent, name: str, number: int) -> None:
    """Reserve a table for a player from the next pairing on; with 0, the player sits at any table."""
    words = f"sits at table {number}" if number else "sits at any table"
    _act(session, event, name, False, "table", words, table=number)


@event_verb()
@click.option("--again", is_flag=True, help="Pair the present round again, for example after a corrected result.")
@json_option
def pair(session: Session, event: OpenEvent, again: bool, json_: bool) -> None:
    """Pair the next round, and say why each pair was made. The first pairing of a day checks every deck again."""
    paired = rounds.pair(event, again=again)
    for line in paired.changes:
        session.say(line)
    state = rounds.tournament_of(event)
    if json_:
        return show.as_json(rounds.pairings_json(state))
    _show_pairings(state, True)


def _show_pairings(state: Tournament, with_reasons: bool) -> None:
    assert state.present
    rows = []
    for match in state.present.matches:
        names = [state.entrants[player].name for player in match.players]
        cells = [str(match.table or ""), names[0], names[1] if len(names) > 1 else "(bye)", str(match.result or "")]
        if match.is_disputed:
            cells[3] = "disputed"
        rows.append((*cells, *([match.why] if with_reasons else [])))
    show.table(("table", "player", "against", "result", *(["why"] if with_reasons else [])), rows)


@event_verb()
@show.output_option("A PDF file.", required=False)
@click.option(
    "--kind", "kinds", multiple=True, type=click.Choice(list(rounds.PAPERS)), default=("list", "slips"),
    show_default=True, help="What to print: the list to post, slips to sign, table numbers, standings.",
)  # fmt: skip
@paper_option
@json_option
def pairings(
    session: Session, event: OpenEvent, output: Path | None, kinds: tuple[str, ...], paper: str, json_: bool
) -> None:
    """Show the present round: tables, players, results and disputes; or print it."""
    state = rounds.tournament_of(event)
    if output:
        printed = rounds.print_round(event, state, kinds, paper)
        session.write_printed(output, printed)
    elif json_:
        show.as_json(rounds.pairings_json(state))
    elif state.present is None:
        session.say(f"no round has been paired yet; pair the first round: carddb event pair {event.key}")
    else:
        show.echo(f"Round {state.present.number}")
        _show_pairings(state, False)


@event_verb()
@click.argument("meeting", nargs=-1, required=True, metavar="TABLE|PLAYER PLAYER")
@click.argument("result", metavar="RESULT")
@click.option("--round", "round_", type=click.IntRange(1), help="A round before the present one, to correct it.")
@json_option
def result(
    session: Session, event: OpenEvent, meeting: tuple[str, ...], result: str, round_: int | None,
    json_: bool,
) -> None:  # fmt: skip
    """Enter or correct a result, and say what it changes.

    Name both players or their table, and then the games that each has won, as in 2-1.
    """
    games = rounds.to_result(result)
    if len(meeting) == 2:
        match = rounds.match_between(event, meeting, round_)
        number = match.table
        if match.first != tournament.player_called(event, meeting[0]).id:
            games = games.turned
    else:
        number = whole(meeting[0]) or 0
        if len(meeting) > 2 or not number:
            remedy = "Write the number of a table, or the names of both players, each in quotes."
            raise UsageError(f"{' '.join(meeting)!r} is not the number of a table", remedy)
    changes = rounds.enter_result(event, number, games, round_)
    if json_:
        state = rounds.tournament_of(event)
        return show.as_json(rounds.pairings_json(state) | {"changes": changes})
    for line in changes:
        show.echo(line)
    session.say(f"table {number}: {games}")


@event_verb()
@show.output_option("A PDF, CSV or JSON file.", required=False)
@paper_option
@json_option
def standings(session: Session, event: OpenEvent, output: Path | None, paper: str, json_: bool) -> None:
    """Show the standings: points, tie-breaks (in JSON also how each was computed) and prizes."""
    state = rounds.tournament_of(event)
    if output:
        session.write(output, rounds.standings_file(event, state, output.suffix.lower(), paper))
    elif json_:
        show.as_json(rounds.standings_json(event, state))
    else:
        heads, rows = rounds.standings_table(event, state)
        show.table(tuple(heads), [tuple(row) for row in rows])


@event_verb()
@click.argument("size", type=click.IntRange(2))
@click.option("--double", is_flag=True, help="Play a double elimination: two losses put a player out.")
@json_option
def cut(session: Session, event: OpenEvent, size: int, double: bool, json_: bool) -> None:
    """End the Swiss rounds; the best players go on in an elimination, the first seed against the last."""
    system: Any = "double" if double else "single"
    seeds = rounds.cut(event, size, system)
    if json_:
        state = rounds.tournament_of(event)
        return show.as_json(rounds.standings_json(event, state) | {"seeds": seeds})
    for seed, name in enumerate(seeds, 1):
        show.echo(f"{seed}. {name}")


@event_verb()
@click.argument("minutes", type=click.IntRange(0, MOST_MINUTES), required=False)
def timer(session: Session, event: OpenEvent, minutes: int | None) -> None:
    """Start the clock of the present round, for the event's minutes or the given ones; 0 stops it."""
    present = rounds.start_timer(event, minutes)
    words = f"ends in {amount(present.timer[1], 'minute')}" if present.timer else "is stopped"
    session.say(f"the clock of round {present.number} {words}")


@event_verb()
def log(session: Session, event: OpenEvent) -> None:
    """Show every change of the rounds, the latest first, with the number that `event undo` needs."""
    lines = rounds.log_of(event)
    rows = [(str(e.act.id), e.act.at[:16], e.by, f"{e.words}{' (taken back)' if e.is_undone else ''}") for e in lines]
    show.table(("number", "time (UTC)", "by", "change"), rows)


@event_verb()
@click.argument("number", type=int, required=False)
def undo(session: Session, event: OpenEvent, number: int | None) -> None:
    """Take back the last change of the rounds, or the change with this number. It stays in the log."""
    act = rounds.undo(event, number)
    words = next(line.words for line in rounds.log_of(event) if line.act.id == act.id)
    session.say(f"taken back: {words}")


@event_verb()
@click.option("--top", type=click.IntRange(1), default=20, show_default=True, help="Number of entries of each kind.")
@json_option
def field(session: Session, event: OpenEvent, top: int, json_: bool) -> None:
    """Summarise all decks of the event: archetypes, cards, pairs, as `carddb meta` does for a folder."""
    metagame = rounds.field(event)
    if json_:
        return show.as_json(metagame.to_json())
    show_meta(metagame, top)
