"""The commands of `bans`: lists on a day, their changes and reasons, and the log of announcements."""

from __future__ import annotations

from datetime import date, datetime
from pathlib import Path

import click

from carddb.app.bans import announcements, lists
from carddb.app.decks.forecast import affected_decks
from carddb.app.workspace.ban_file import in_sums
from carddb.bans.log import Announcement
from carddb.bans.state import Hold
from carddb.cli import show as display
from carddb.cli.options import DAY, FILE, LANG, PATH, game_option, json_option, known_option, verb
from carddb.cli.session import Session
from carddb.core.plain_text import amount, tally
from carddb.findings import Severity, counts, exit_code


@verb()
@click.argument("name", metavar="LIST")
@click.option("--on", "day", type=DAY, help="The list on this day (default: today in the list's time zone).")
@known_option
@LANG
@json_option
def show(session: Session, name: str, day: date | None, moment: date | datetime | None, lang: str, json_: bool) -> None:
    """Show a ban list on a day: its cards, groups and levels, and the changes announced for later."""
    in_game = lists.ban_list(session.project, name, day)
    listed = lists.ban_list_in_language(session.project, in_game, lang, day or in_game.today).on(day, moment)
    if json_:
        return display.as_json(listed.to_json())
    state, log, pool, spec = listed.state, listed.ban_list.log, listed.ban_list.pool, listed.ban_list.spec
    as_known = f", as known at {state.known_at:%Y-%m-%d %H:%M} UTC" if state.known_at else ""
    display.echo(display.style(listed.ban_list.title, bold=True) + f", on {state.day} ({spec.zone}){as_known}")
    display.echo(f"fingerprint {listed.fingerprint}")
    for level in sorted({standing.level for standing in state.levels.values()}, reverse=True):
        display.echo(f"\n{lists.level_words(log.levels.get(level), level).capitalize()}")
        cards = [(ref, standing) for ref, standing in state.levels.items() if standing.level == level]
        for ref, standing in sorted(cards, key=lambda pair: lists.card_name(pool, pair[0])):
            bold = display.style(lists.card_name(pool, ref), bold=True)
            display.echo(f"  {bold} [{ref}]  since {standing.since}, by {standing.announcement}")
    for key, standing in state.groups.items():
        display.echo(f"\nGroup {key}  since {standing.since}, by {standing.announcement}")
        if group := log.groups.get(key):
            display.echo(f"  {lists.group_words(group, pool)}")
    if not (state.levels or state.groups):
        display.echo("\nThe list is empty.")
    if log.levels:
        display.echo("\n" + "; ".join(lists.level_words(log.levels[level], level) for level in sorted(log.levels)))
    if terms := lists.terms_words(spec):
        display.echo(terms)
    for announcement, changes in listed.coming():
        if changes:
            display.echo(f"\nFrom {announcement.effective}, by {announcement.id}")
            for change in changes:
                display.echo(f"  {lists.change_words(change, pool)}")
    if log.note:
        display.echo()
        display.paragraph(log.note, 100)


@verb()
@click.argument("name", metavar="LIST")
@click.argument("first", type=DAY, metavar="DAY")
@click.argument("last", type=DAY, metavar="DAY")
@known_option
@json_option
def diff(session: Session, name: str, first: date, last: date, moment: date | datetime | None, json_: bool) -> None:
    """Show what changed on a ban list from one day to another."""
    listed = lists.ban_list(session.project, name)
    changes = listed.changes(first, last, moment)
    if json_:
        return display.as_json(lists.changes_json(listed, first, last, changes))
    display.echo(display.style(listed.title, bold=True) + f", from {first} to {last}")
    for change in changes:
        display.echo(f"  {lists.change_words(change, listed.pool)}")
    if not changes:
        display.echo("  nothing changed")


_ANSWERED = {"withdrawal": "withdrawn by", "correction": "corrected by", "change": "superseded by"}


@verb()
@click.argument("words", nargs=-1, required=True, metavar="[LIST] CARD...")
@game_option()
@click.option("--on", "day", type=DAY, help="The day to ask about (default: today in the list's time zone).")
@known_option
@json_option
def why(
    session: Session,
    words: tuple[str, ...],
    key: str | None,
    day: date | None,
    moment: date | datetime | None,
    json_: bool,
) -> None:
    """Show which announcement restricts a card, or several cards together, since when, and why.

    If a list is named before the cards, only that list is searched.
    """
    refs, reports = lists.holds_of(session.project, words, key, day, moment)
    if json_:
        holds = [hold for report in reports for hold in report.to_json()]
        return display.as_json({"schema": "carddb.ban-why/1", "cards": refs, "holds": holds})
    for report in reports:
        _show_why(report)


def _show_why(report: lists.HoldReport) -> None:
    listed = report.state.ban_list
    display.echo(display.style(listed.title, bold=True) + f", on {report.state.day}")
    for hold in report.holds:
        _show_hold(hold, listed)
    if not report.holds:
        display.echo(f"  nothing restricts {' and '.join(lists.card_name(listed.pool, ref) for ref in report.refs)}")
    if report.history:
        display.echo("  changes announced so far")
    for announcement, change in report.history:
        answers = (f"{_ANSWERED[kind]} {id_}" for kind, id_ in report.known.answers(announcement.id))
        words = lists.change_words(change, listed.pool)
        display.echo(f"    {announcement.effective}, {', '.join((announcement.id, *answers))}: {words}")


def _show_hold(hold: Hold, listed: lists.BanList) -> None:
    if hold.group:
        words = f"group {hold.group.key}: {lists.group_words(hold.group, listed.pool)}"
    else:
        level = lists.level_words(listed.log.levels.get(hold.standing.level), hold.standing.level)
        words = f"{display.style(lists.card_name(listed.pool, hold.card), bold=True)} [{hold.card}], {level}"
    display.echo(f"  {words}")
    announced = source = ""
    if announcement := hold.announcement:
        moment = f" {lists.made_words(announcement)} UTC" if announcement.made_known else ""
        announced = f", announced{moment} as {announcement.id}"
        source = f", {announcement.source}" if announcement.source else ""
    display.echo(f"    since {hold.standing.since}{announced}{source}")
    if hold.standing.why:
        display.echo(f"    {hold.standing.why}")


_game = game_option("The game, if several have ban lists.")


@verb()
@click.argument("file", type=FILE)
@_game
@click.option("--from", "day", type=DAY, help="The day from which changed lists and levels apply (default: today).")
@click.option("--dry-run", is_flag=True, help="Show the effect, without changing anything.")
@click.option("--decks", "folder", type=PATH, metavar="FOLDER", help="List the decks in a folder that become illegal.")
@json_option
def announce(
    session: Session, file: Path, key: str | None, day: date | None, dry_run: bool, folder: Path | None, json_: bool
) -> int:
    """Add the announcements in a file to the log: all of them, or none if the file has faults.

    The file has one announcement, or a list of them. Announcements are never changed or removed: to correct a mistake,
    announce a correction or a withdrawal.
    """
    report = announcements.announce(session.project, file, key, day, dry_run)
    decks = affected_decks(session.project, report, folder) if folder else []
    if json_:
        affected = {"decks": [deck.to_json() for deck in decks]} if folder else {}
        display.as_json({**report.to_json(), **affected})
        return exit_code(report.findings)
    display.findings(report.findings, err=True, least=Severity.INFO if session.verbose else Severity.WARNING)
    if report.result.refused:
        session.say(f"nothing was announced: {tally(counts(report.findings))}")
        return 1
    for starts, list_, changes in report.effects():
        display.echo(display.style(f"{report.result.log.lists[list_].title}, from {starts}", bold=True))
        for change in changes:
            display.echo(f"  {lists.change_words(change, report.pool)}")
        if not changes:
            display.echo("  nothing changes")
    for deck in decks:
        display.echo(display.style(f"{deck.name} ({deck.file})", bold=True))
        for starts, finding in deck.coming:
            display.echo(f"  from {starts}: {finding.message}" + (f"\n    fix: {finding.fix}" if finding.fix else ""))
    if folder and not decks:
        display.echo("no deck in the folder becomes illegal")
    session.say(f"{file}: {'would be: ' if dry_run else ''}{in_sums(report.result)}")
    return 0


@verb()
@click.argument("file", type=FILE, required=False)
@_game
@json_option
def lint(session: Session, file: Path | None, key: str | None, json_: bool) -> int:
    """Check the log or a file to be loaded for wrong notice, levels or order, unknown cards, needless waivers."""
    findings = announcements.lint(session.project, file, key)
    if json_:
        display.as_json({"schema": "carddb.ban-lint/1", "findings": [finding.to_json() for finding in findings]})
        return exit_code(findings)
    display.findings(findings, least=Severity.WARNING if session.quiet else Severity.INFO)
    session.say(tally(counts(findings)))
    return exit_code(findings)


@verb()
@display.output_option("A file for the whole log: .yaml or .json.", required=False)
@_game
@json_option
def log(session: Session, output: Path | None, key: str | None, json_: bool) -> int:
    """List all announcements in the order in which they were made, or write them to a file that can be loaded."""
    game, whole = announcements.game_log(session.project, key)
    if output:
        session.write(output, announcements.log_file(whole, output.suffix.lower().removeprefix(".")))
        session.say(f"{output}: {amount(len(whole.announcements), 'announcement')}")
        return 0
    if json_:
        display.as_json({"schema": "carddb.ban-log/1", "game": game.key, **announcements.log_json(whole)})
        return 0
    rows = [
        (each.id, lists.made_words(each), each.effective, each.kind, " ".join(whole.touched(each)), _note(each))
        for each in whole.announcements
    ]
    display.table(("id", "made (UTC)", "in force", "kind", "lists", ""), rows)
    return 0 if rows else 1


def _note(announcement: Announcement) -> str:
    notes = {"target": "of", "supersedes": "supersedes", "waiver": "waiver:"}
    words = [f"{word} {text}" for name, word in notes.items() if (text := getattr(announcement, name))]
    count = len(announcement.changes)
    return "; ".join([*([amount(count, "change")] if count else []), *words])
