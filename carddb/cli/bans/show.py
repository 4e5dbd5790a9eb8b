"""Commands that show ban lists: `bans show`, `bans diff`, `bans why`."""

from __future__ import annotations

from datetime import date, datetime

import click

from carddb.app.bans import lists
from carddb.bans.state import Hold
from carddb.cli import show as display
from carddb.cli.options import DAY, LANG, game_option, json_option, known_option, verb
from carddb.cli.session import Session


@verb()
@click.argument("name", metavar="LIST")
@click.option("--on", "day", type=DAY, help="The list on this day (default: today in the list's time zone).")
@known_option
@LANG
@json_option
def show(session: Session, name: str, day: date | None, moment: date | datetime | None, lang: str, json_: bool) -> int:
    """Show a list on a day, with announced changes."""
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
        display.echo("\nNothing is on it.")
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
    return 0


@verb()
@click.argument("name", metavar="LIST")
@click.argument("first", type=DAY, metavar="DAY")
@click.argument("last", type=DAY, metavar="DAY")
@known_option
@json_option
def diff(session: Session, name: str, first: date, last: date, moment: date | datetime | None, json_: bool) -> int:
    """Show what changed on a list from one day to another."""
    listed = lists.ban_list(session.project, name)
    changes = listed.changes(first, last, moment)
    if json_:
        return display.as_json(lists.changes_json(listed, first, last, changes))
    display.echo(display.style(listed.title, bold=True) + f", from {first} to {last}")
    for change in changes:
        display.echo(f"  {lists.change_words(change, listed.pool)}")
    if not changes:
        display.echo("  nothing changed")
    return 0


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
) -> int:
    """Show which announcement restricts a card, or several cards together, since when, and why.

    If a list is named beside the cards, only that list is asked.
    """
    refs, reports = lists.holds_of(session.project, words, key, day, moment)
    if json_:
        holds = [hold for report in reports for hold in report.to_json()]
        return display.as_json({"schema": "carddb.ban-why/1", "cards": refs, "holds": holds})
    for report in reports:
        _show_why(report)
    return 0


def _show_why(report: lists.HoldReport) -> None:
    listed = report.state.ban_list
    display.echo(display.style(listed.title, bold=True) + f", on {report.state.day}")
    for hold in report.holds:
        _show_hold(hold, listed)
    if not report.holds:
        display.echo(f"  nothing holds {' and '.join(lists.card_name(listed.pool, ref) for ref in report.refs)} back")
    if report.history:
        display.echo("  announced so far")
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
