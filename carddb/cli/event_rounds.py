"""The commands of `event` about its rounds: check-in, pairings, results, standings, without a browser."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from carddb.app.events import rounds, tournament
from carddb.cli import show
from carddb.cli.decks.meta import show_meta
from carddb.cli.options import json_option
from carddb.cli.session import Session
from carddb.events.store import RoundTerms
from carddb.rounds.model import SYSTEMS, Tournament

_OPTIONS: tuple[Callable[[Any], Any], ...] = (
    click.option("--best-of", type=click.IntRange(1, 9), help="The most games of a match (default: as the game says)."),
    click.option("--draws/--no-draws", default=None, help="Matches can be drawn, or not (default: as the game says)."),
    click.option("--system", type=click.Choice(list(SYSTEMS)), help="How rounds are paired (default: swiss)."),
    click.option("--accelerated/--not-accelerated", default=None, help="Let the first half meet in rounds 1 and 2."),
    click.option(
        "--minutes",
        type=click.IntRange(1, rounds.MOST_MINUTES),
        help=f"The length of a round (default: {RoundTerms().minutes}).",
    ),
    click.option(
        "--seed", type=click.IntRange(1, tournament.MOST_SEED), help="Decides all that is random (default: drawn)."
    ),
    click.option("--lists/--no-lists", default=None, help="Ask for deck lists, or not (default: ask)."),
    click.option("--standings/--hide-standings", default=None, help="Show the standings to everybody, or not."),
    click.option("--prize", "prizes", multiple=True, metavar="PLACES", help="A prize, as '2-4: a booster'."),
)
"""The options of `event new` and `event change` about the rounds."""


def round_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds the options about the rounds of an event to a command."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def round_changes(options: dict[str, Any]) -> dict[str, Any]:
    """Returns the options about rounds that were given."""
    return {name: value for name, value in options.items() if value not in (None, ())}


@click.command("check-in")
@click.argument("key")
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@click.pass_obj
def check_in(session: Session, key: str, names: tuple[str, ...]) -> int:
    """Check players in, also after the first round; a name that is not known yet is registered."""
    with tournament.open_event(session.project, key) as (events, event):
        checked = rounds.check_in(session.project, events, event, names)
        for each in checked:
            new = ", a new player" if each.link else ""
            missing = ", no deck list yet" if event.rounds.lists and not each.has_list else ""
            show.echo(f"{each.player.name}: in{new}{missing}")
    return 0


def _act(session: Session, key: str, name: str, what: str, words: str, **details: Any) -> int:
    with tournament.open_event(session.project, key) as (events, event):
        player = tournament.player_called(events, event, name)
        rounds.act(session.project, events, event, what, player=player.id, **details)
    session.say(f"{player.name}: {words}")
    return 0


@click.command()
@click.argument("key")
@click.argument("name")
@click.option("--back", is_flag=True, help="The player is back, and is paired again.")
@click.pass_obj
def drop(session: Session, key: str, name: str, back: bool) -> int:
    """Leave a player out of the rounds to come; the results so far stay."""
    return _act(session, key, name, *(("rejoin", "plays again") if back else ("drop", "has dropped out")))


@click.command()
@click.argument("key")
@click.argument("name")
@click.option("--not", "taken", is_flag=True, help="Give no bye after all.")
@click.pass_obj
def bye(session: Session, key: str, name: str, taken: bool) -> int:
    """Give a player a bye in the next round."""
    words = "no bye" if taken else "a bye in the next round"
    return _act(session, key, name, "bye", words, given=not taken)


@click.command()
@click.argument("key")
@click.argument("name")
@click.argument("number", type=click.IntRange(0, 999))
@click.pass_obj
def table(session: Session, key: str, name: str, number: int) -> int:
    """Give a player a table of the player's own, from the next pairing on; 0 for any table."""
    return _act(session, key, name, "table", f"table {number}" if number else "any table", table=number)


@click.command()
@click.argument("key")
@click.option("--again", is_flag=True, help="Pair the present round anew, as after a corrected result.")
@click.pass_obj
def pair(session: Session, key: str, again: bool) -> int:
    """Pair the next round, and say why each pair was made. The first of a day checks every deck again."""
    with tournament.open_event(session.project, key) as (events, event):
        paired = rounds.pair(session.project, events, event, again=again)
        for line in paired.changes:
            session.say(line)
        _show_pairings(rounds.tournament_of(session.project, events, event), True)
    return 0


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


@click.command()
@click.argument("key")
@click.option("-o", "--output", type=click.Path(path_type=Path, allow_dash=True), metavar="FILE", help="A PDF file.")
@click.option(
    "--kind", "kinds", multiple=True, type=click.Choice(list(rounds.PAPERS)), default=("list", "slips"),
    show_default=True, help="What is printed: the list to post, slips to sign, table numbers, standings.",
)  # fmt: skip
@click.option("--paper", default="letter", show_default=True, help="letter, a4, ...")
@json_option
@click.pass_obj
def pairings(
    session: Session, key: str, output: Path | None, kinds: tuple[str, ...], paper: str, json_: bool
) -> int:  # fmt: skip
    """Show the present round: tables, players, results and disputes; or print it."""
    with tournament.open_event(session.project, key) as (events, event):
        state = rounds.tournament_of(session.project, events, event)
        if output:
            printed = rounds.print_round(session.project, event, state, kinds, paper)
            session.write_printed(output, printed)
        elif json_:
            show.as_json(rounds.pairings_json(state))
        elif state.present is None:
            session.say(f"no round is paired yet; pair the first one: carddb event pair {key}")
        else:
            show.echo(f"Round {state.present.number}")
            _show_pairings(state, False)
    return 0


@click.command()
@click.argument("key")
@click.argument("number", type=click.IntRange(1, 999), metavar="TABLE")
@click.argument("result", metavar="RESULT")
@click.option("--round", "round_", type=click.IntRange(1), help="A round before the present one, to correct it.")
@click.pass_obj
def result(session: Session, key: str, number: int, result: str, round_: int | None) -> int:
    """Enter or correct the result of a table, as 2-1 with the first player's games first; say what it changes."""
    with tournament.open_event(session.project, key) as (events, event):
        for line in rounds.enter_result(session.project, events, event, number, rounds.to_result(result), round_):
            show.echo(line)
    session.say(f"table {number}: {result}")
    return 0


@click.command()
@click.argument("key")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path, allow_dash=True), metavar="FILE", help="A PDF, CSV or JSON file."
)
@click.option("--paper", default="letter", show_default=True, help="letter, a4, ...")
@json_option
@click.pass_obj
def standings(session: Session, key: str, output: Path | None, paper: str, json_: bool) -> int:
    """Show the standings: points and tie-breaks, in JSON with their sums, and prizes."""
    with tournament.open_event(session.project, key) as (events, event):
        state = rounds.tournament_of(session.project, events, event)
        if output:
            session.write(output, rounds.standings_file(session.project, event, state, output.suffix.lower(), paper))
        elif json_:
            show.as_json(rounds.standings_json(event, state))
        else:
            heads, rows = rounds.standings_table(event, state)
            show.table(tuple(heads), [tuple(row) for row in rows])
    return 0


@click.command()
@click.argument("key")
@click.argument("size", type=click.IntRange(2))
@click.option("--double", is_flag=True, help="A double elimination: two losses put a player out.")
@click.pass_obj
def cut(session: Session, key: str, size: int, double: bool) -> int:
    """End the Swiss: the best players go on by elimination, the first seed against the last."""
    system: Any = "double" if double else "single"
    with tournament.open_event(session.project, key) as (events, event):
        for seed, name in enumerate(rounds.cut(session.project, events, event, size, system), 1):
            show.echo(f"{seed}. {name}")
    return 0


@click.command()
@click.argument("key")
@click.argument("minutes", type=click.IntRange(0, rounds.MOST_MINUTES), required=False)
@click.pass_obj
def timer(session: Session, key: str, minutes: int | None) -> int:
    """Start the clock of the present round, with the event's minutes or others; 0 stops it."""
    with tournament.open_event(session.project, key) as (events, event):
        shown = rounds.start_timer(session.project, events, event, minutes)
    words = f"{shown.timer[1]} minutes from now" if shown.timer else "stopped"
    session.say(f"round {shown.number}: {words}")
    return 0


@click.command()
@click.argument("key")
@click.pass_obj
def log(session: Session, key: str) -> int:
    """Show every change of the rounds, the latest first, with the number by which `event undo` takes it back."""
    with tournament.open_event(session.project, key) as (events, event):
        lines = rounds.log_of(session.project, events, event)
    rows = [(str(e.act.id), e.act.at[:16], e.by, f"{e.words}{' (taken back)' if e.is_undone else ''}") for e in lines]
    show.table(("number", "time (UTC)", "by", "change"), rows)
    return 0


@click.command()
@click.argument("key")
@click.argument("number", type=int, required=False)
@click.pass_obj
def undo(session: Session, key: str, number: int | None) -> int:
    """Take back the last change of the rounds, or one by its number; it stays in the log."""
    with tournament.open_event(session.project, key) as (events, event):
        act = rounds.undo(session.project, events, event, number)
        words = next(line.words for line in rounds.log_of(session.project, events, event) if line.act.id == act.id)
    session.say(f"taken back: {words}")
    return 0


@click.command()
@click.argument("key")
@click.option("--top", type=click.IntRange(1), default=20, show_default=True, help="Number of entries of each kind.")
@json_option
@click.pass_obj
def field(session: Session, key: str, top: int, json_: bool) -> int:
    """Show what the field plays: archetypes, cards, pairs, as `carddb meta` does of a folder of decks."""
    with tournament.open_event(session.project, key) as (events, event):
        metagame = rounds.field(session.project, events, event)
    if json_:
        show.as_json(metagame.to_json())
    else:
        show_meta(metagame, top)
    return 0
