"""The commands of `event` that manage tournaments, their players and deck lists without a browser."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import click

from carddb.app.decks.check import CheckRequest
from carddb.app.decks.check_many import deck_files
from carddb.app.events import entries, player_table, tournament
from carddb.app.events.entries import EntryOutcome, PlayerDeck, file_deck, line_changes, submit_all
from carddb.app.events.player_table import moment_words, player_json
from carddb.app.events.rounds import change_rounds
from carddb.app.events.tournament import OpenEvent
from carddb.app.workspace.clock import local_zone
from carddb.cli import show
from carddb.cli.decks.check import BY
from carddb.cli.event_rounds import event_verb, round_changes, round_options
from carddb.cli.options import DAY, FILE, declared_options, json_option, paper_option, taken, verb
from carddb.cli.session import Session
from carddb.core.errors import UsageError, check_kind
from carddb.core.plain_text import amount, json_bytes
from carddb.events.store import EventTerms, NoteKind, RoundTerms
from carddb.findings import VERDICTS
from carddb.read import source
from carddb.read.decks.builder import MAX_BYTES


@verb()
@click.argument("name")
@click.option("--day", "day", type=DAY, required=True, help="The day of the event, for which decks are checked.")
@click.option("--key", default="", help="The event's name in commands and addresses (default: made from its name).")
@click.option("--game", "game", metavar="G", help="The game.")
@declared_options(CheckRequest, BY)
@click.option(
    "--deadline", default="", metavar="MOMENT", help="The deadline for decks (default: the beginning of the day)."
)
@click.option("--zone", default="", metavar="ZONE", help="The time zone, as in Europe/Berlin (default: the system's).")
@click.option("--no-registration", "closed", is_flag=True, help="Let players in only by links that you give them.")
@round_options
@json_option
def new(
    session: Session, /, name: str, day: date, key: str, game: str | None, deadline: str, zone: str,
    closed: bool, json_: bool, **options: Any,
) -> None:  # fmt: skip
    """Make an event with its name, day, format and deadline for decks."""
    project, zone = session.project, zone or local_zone()
    ends = tournament.to_deadline(deadline, day, zone)
    chosen = project.only_game(game).key
    terms = EventTerms(name, chosen, day=day, deadline=ends, zone=zone, **taken(CheckRequest, options))
    with tournament.open_events(project) as events:
        record = tournament.new_event(project, events, terms, key, not closed, RoundTerms(**round_changes(options)))
    if json_:
        return show.as_json(tournament.event_json(record))
    show.echo(record.key)
    until = tournament.deadline_words(record.terms)
    session.say(f"{tournament.events_path(project)}: decks for {day} are taken until {until}")


@verb("list")
@json_option
def list_(session: Session, json_: bool) -> None:
    """List the events, the latest day first."""
    with tournament.open_events(session.project) as events:
        every = events.events()
        rows = [
            (each.key, each.name, each.terms.game, each.terms.day, amount(len(events.players(each)), "player"))
            for each in every
        ]
    if json_:
        return show.as_json({"schema": "carddb.events/1", "events": [tournament.event_json(each) for each in every]})
    show.table(("key", "name", "game", "day", "players"), rows)
    if not rows:
        session.say("there is no event yet; make one: carddb event new NAME --day DAY")


@event_verb("show")
@click.option("--state", type=click.Choice(list(player_table.STATES)), help="Only decks in this state.")
@click.option("--search", default="", metavar="WORDS", help="Words to find in player, deck, card or fingerprint.")
@click.option(
    "--sort",
    default="verdict",
    show_default=True,
    metavar="COLUMN",
    help="The column to sort by; -COLUMN for descending order.",
)
@click.option("--csv", "file", type=FILE, metavar="FILE", help="Also write the table as CSV, with more columns.")
@json_option
def show_(
    session: Session, event: OpenEvent, state: str | None, search: str, sort: str, file: Path | None, json_: bool
) -> None:
    """Show a table of the players with the verdict, fingerprint and first finding of their decks."""
    every = player_table.table(event)
    rows = player_table.in_order(player_table.filtered(every, state or "", search), sort)
    if json_:
        show.as_json(player_table.table_json(event, rows))
    else:
        cells = [
            (row.player.name, row.words, row.verdict.fingerprint, show.one_line(row.verdict.reason, 60)) for row in rows
        ]
        show.table(("player", "verdict", "fingerprint", "first reason"), cells)
        show.echo(f"{event.name}, {event.terms.day}: {player_table.sentence(every)}")
    if file:
        session.write(file, player_table.table_csv(rows))


@event_verb()
@json_option
def recheck(session: Session, event: OpenEvent, json_: bool) -> None:
    """Check every deck list again, for example after an announcement, and say whose verdict has changed."""
    result = entries.recheck(event)
    changed = [{"player": player.name, "before": old, "after": new} for player, old, new in result.changed]
    if json_:
        return show.as_json({"schema": "carddb.event-recheck/1", "decks": result.decks, "changed": changed})
    show.table(
        ("player", "before", "after"),
        [(each["player"], VERDICTS[each["before"]].lower(), VERDICTS[each["after"]].lower()) for each in changed],
    )
    session.say(f"{amount(result.decks, 'deck')} checked, {amount(len(changed), 'verdict')} changed")


@event_verb("print")
@show.output_option("The deck lists, a PDF.")
@paper_option
@click.option("--only", type=click.Choice(["illegal"]), help="Only the lists of illegal decks, with the reasons.")
@click.option("--address", default="", metavar="URL", help="The address to put before the fingerprint in each QR code.")
def print_(session: Session, event: OpenEvent, output: Path, paper: str, only: str | None, address: str) -> None:
    """Write all deck lists, or the illegal ones, as one PDF. Each list has its fingerprint as a QR code."""
    printed = player_table.print_event_lists(event, paper, only == "illegal", address)
    session.write_printed(output, printed)


@event_verb()
@show.output_option("A .json file with everything, or a .zip file that also has each list as text, and the table.")
def export(session: Session, event: OpenEvent, output: Path) -> None:
    """Write an event with every version of every deck list."""
    kind = output.suffix.lower()
    check_kind("an event is", kind or "a file without ending", (".json", ".zip"))
    value = player_table.export_json(event)
    data = player_table.export_archive(event) if kind == ".zip" else json_bytes(value)
    session.write(output, data)
    session.say(f"{output}: {amount(len(value['players']), 'player')}")


@event_verb()
@click.argument("decks", nargs=-1, required=True, type=FILE, metavar="DECK...")
@click.option(
    "--player", "name", metavar="NAME", help="The owner of the deck (default: its Player: line, or else the file name)."
)
@json_option
def submit(session: Session, event: OpenEvent, decks: tuple[Path, ...], name: str | None, json_: bool) -> int:
    """Hand in deck lists as the organiser: files, or folders of them. Each becomes the player's next version."""
    files = [Path(str(path)) for deck in decks for path in (deck_files(deck)[0] if deck.is_dir() else [deck])]
    if name and len(files) != 1:
        message = f"--player is for exactly one deck, not for {amount(len(files), 'deck')}"
        raise UsageError(message, "Leave --player out: each deck list names its player.")
    player_decks = [_player_deck(path, name) for path in files]
    outcomes = submit_all(event, player_decks)
    if json_:
        show.as_json({"schema": "carddb.event-submit/1", "decks": [_json(each) for each in outcomes]})
    else:
        show.table(("player", "version", "verdict", "first reason"), [_row(each) for each in outcomes])
    return 1 if any(each.fault for each in outcomes) else 0


def _player_deck(path: Path, name: str | None) -> PlayerDeck | EntryOutcome:
    stream = source.standard_input() if str(path) == "-" else path
    data, findings = source.read_bytes(stream, MAX_BYTES)
    if findings:
        raise UsageError(findings[0].message, findings[0].fix)
    deck = file_deck(path.name, data)
    return deck._replace(player=name) if name and isinstance(deck, PlayerDeck) else deck


def _row(outcome: EntryOutcome) -> tuple[str, ...]:
    if outcome.submission is None:
        return outcome.player, "-", "not taken", outcome.fault.message if outcome.fault else ""
    entry = outcome.submission.entry
    word, reason = VERDICTS[entry.verdict.verdict].lower(), show.one_line(entry.verdict.reason, 80)
    return outcome.player, str(entry.version), word, reason


def _json(outcome: EntryOutcome) -> dict[str, object]:
    if outcome.submission is None:
        error = outcome.fault.message if outcome.fault else ""
        return {"player": outcome.player, "version": None, "error": error}
    entry, is_new = outcome.submission
    return {
        "player": outcome.player, "version": entry.version, "new": is_new, "verdict": entry.verdict.verdict,
        "reason": entry.verdict.reason, "fingerprint": entry.verdict.fingerprint,
    }  # fmt: skip


@event_verb()
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@click.option(
    "--address", default="", metavar="URL", help="The address of the server for players, as http://192.168.1.5:8765."
)
@click.option("--new", "only_new", is_flag=True, help="Leave out players who have a link, which stays valid.")
@json_option
def links(
    session: Session, event: OpenEvent, names: tuple[str, ...], address: str, only_new: bool, json_: bool
) -> None:
    """Make a link for each named player, by which the player can send a deck list.

    An unknown player is registered; a known player's old link stops working (see --new). Each link is shown only once.
    Whoever has a link can read and replace that player's list until the deadline.
    """
    if only_new:
        links, left_out = tournament.links_for_new(event, names)
        if left_out:
            session.say(f"left out, because they have a link already: {', '.join(left_out)}")
    else:
        links = [tournament.link_for(event, name) for name in names]
    rows = [(link.player.name, f"{address.rstrip('/')}/p/{link.token}") for link in links]
    if json_:
        return show.as_json({"schema": "carddb.event-links/1", "links": [{"player": n, "address": a} for n, a in rows]})
    show.table(("player", "address"), rows)


@event_verb()
@click.argument("name")
@click.option("--json", "json_", is_flag=True, help="As JSON, with the text of every version.")
def player(session: Session, event: OpenEvent, name: str, json_: bool) -> None:
    """Show a player's deck list: all findings, the versions with their differences, and the notes."""
    record = tournament.player_called(event, name)
    if json_:
        return show.as_json({"schema": "carddb.event-player/1", **player_json(event, record)})
    versions, notes = event.store.versions(record), event.store.notes(event).get(record.id, [])
    for finding in versions[0].verdict.findings if versions else ():
        line = next((place["line"] for place in finding["where"] if place["line"]), "")
        show.echo(f"{line}: {finding['severity']} {finding['code']}: {finding['message']}".removeprefix(": "))
    for entry, before in zip(versions, [*versions[1:], None], strict=True):
        word = VERDICTS[entry.verdict.verdict].lower()
        moment = moment_words(event.terms, entry.recorded_at)
        show.echo(f"version {entry.version}, by the {entry.recorded_by}, {moment}: {word}")
        for change in line_changes(before.text, entry.text) if before else ():
            show.echo(f"  line {change.line}: {change.before or '(none)'} -> {change.after or '(none)'}")
    for number, note in enumerate(notes, 1):
        moments = {"read": note.read_at, "taken back": note.undone_at}
        ends = "".join(f", {word} {moment_words(event.terms, moment)}" for word, moment in moments.items() if moment)
        kind, moment = tournament.NOTE_KINDS[note.kind].lower(), moment_words(event.terms, note.recorded_at)
        show.echo(f"{number}. {kind}, {moment}{ends}: {note.text}")


@event_verb()
@click.argument("name")
@click.argument("text", required=False, default="")
@click.option(
    "--kind",
    type=click.Choice([kind.value for kind in NoteKind]),
    default="note",
    show_default=True,
    help="A note for the organisers, a message to the player, or a penalty, which the player sees too.",
)
@click.option("--undo", "number", type=int, metavar="N", help="Take note N back; it stays in the log.")
def note(session: Session, event: OpenEvent, name: str, text: str, kind: str, number: int | None) -> None:
    """Write a note about a player, send a message, give a penalty, or take one of these back."""
    player = tournament.player_called(event, name)
    if number is not None:
        tournament.undo_note(event, player, number)
    else:
        tournament.add_note(event, [player], kind, text)
    session.say(f"{player.name}: {f'note {number} taken back' if number else tournament.NOTE_KINDS[NoteKind(kind)]}")


@event_verb()
@click.argument("name")
def forget(session: Session, event: OpenEvent, name: str) -> None:
    """Remove a player with every version of the deck list. Nothing of them is left in events.db."""
    copies = tournament.forget(event.store, tournament.player_called(event, name))
    session.say(f"{name}: removed with all versions of the deck list")
    if copies:
        session.say(f"older copies of the file still have the player; delete {', '.join(map(str, copies))}")


@event_verb()
@click.option("--deadline", metavar="MOMENT", help="The deadline for decks, as 2026-11-28T18:00.")
@click.option("--registration/--no-registration", default=None, help="Allow players to register themselves, or not.")
@click.option("--open-lists/--hide-lists", default=None, help="Show the opened lists to every player, or hide them.")
@round_options
@json_option
def change(
    session: Session, event: OpenEvent, deadline: str | None, registration: bool | None,
    open_lists: bool | None, json_: bool, **options: Any,
) -> None:  # fmt: skip
    """Move the deadline, close registration, show the opened lists, or change how rounds are played."""
    if deadline is not None:
        moment = tournament.to_deadline(deadline, event.terms.day, event.terms.zone)
        tournament.change_terms(event, deadline=moment)
    access = {"registration": registration, "open_lists": open_lists}
    event.store.change(event, **{name: value for name, value in access.items() if value is not None})
    if changes := round_changes(options):
        change_rounds(event, **changes)
    event = tournament.event_called(event.project, event.store, event.key)
    if json_:
        return show.as_json(tournament.event_json(event))
    registers = "players can register themselves" if event.registration else "players cannot register themselves"
    lists = "opened lists are shown to all" if event.open_lists else "no list is shown to other players"
    session.say(f"{event.name}: decks until {tournament.deadline_words(event.terms)}; {registers}; {lists}")


@event_verb()
@click.option("--player", "name", metavar="NAME", help="Only the list of this player.")
def lock(session: Session, event: OpenEvent, name: str | None) -> None:
    """Lock all deck lists, or one player's list, so that it cannot be replaced."""
    _lock(session, event, name, True)


@event_verb()
@click.option("--player", "name", metavar="NAME", help="Only the list of this player, even after the deadline.")
def unlock(session: Session, event: OpenEvent, name: str | None) -> None:
    """Unlock all deck lists until the deadline, or one player's list even after it."""
    _lock(session, event, name, False)


def _lock(session: Session, event: OpenEvent, name: str | None, locked: bool) -> None:
    if name:
        event.store.change(tournament.player_called(event, name), locked=locked)
    else:
        tournament.lock_all(event, locked)
    session.say(f"{name or 'every list'}: {'locked' if locked else 'unlocked'}")


@event_verb("open")
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@click.option("--hide", is_flag=True, help="Hide the lists again.")
def open_(session: Session, event: OpenEvent, names: tuple[str, ...], hide: bool) -> None:
    """Mark the lists of these players as open, as for a cut. `event change --open-lists` shows open lists to all."""
    players = [tournament.player_called(event, name) for name in names]
    for player in players:
        event.store.change(player, open_list=not hide)
    session.say(f"{', '.join(player.name for player in players)}: {'hidden again' if hide else 'marked as open'}")
