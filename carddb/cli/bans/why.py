"""What holds cards back, and by which announcement."""

from __future__ import annotations

from datetime import date, datetime

import click

from carddb.app.bans.lists import BanList, HoldReport, holds_of
from carddb.app.bans.words import card_name, change_words, group_words, level_words, made_words
from carddb.bans.why import Hold
from carddb.cli import show as display
from carddb.cli.options.arguments import DAY
from carddb.cli.options.moment import known_option
from carddb.cli.session import Session

_ANSWERED = {"withdrawal": "withdrawn by", "correction": "corrected by", "change": "superseded by"}


@click.command()
@click.argument("words", nargs=-1, required=True, metavar="[LIST] CARD...")
@click.option("--game", "key", metavar="G", help="The game.")
@click.option("--on", "day", type=DAY, help="On this day (default: today, where the list is).")
@known_option
@click.option("--json", "json_", is_flag=True, help="As JSON.")
@click.pass_obj
def why(
    session: Session,
    words: tuple[str, ...],
    key: str | None,
    day: date | None,
    moment: date | datetime | None,
    json_: bool,
) -> int:
    """Say what holds a card back, or several together: by which announcement, since when, and why.

    A list's name beside the cards leaves the other lists out.
    """
    refs, reports = holds_of(session.project, words, key, day, moment)
    if json_:
        holds = [hold for report in reports for hold in report.to_json()]
        display.as_json({"schema": "carddb.ban-why/1", "cards": refs, "holds": holds})
        return 0
    for report in reports:
        _show(report)
    return 0


def _show(report: HoldReport) -> None:
    ban_list = report.state.ban_list
    display.echo(display.style(ban_list.title, bold=True) + f", on {report.state.day}")
    for hold in report.holds:
        _show_hold(hold, ban_list)
    if not report.holds:
        display.echo(f"  nothing holds {' and '.join(card_name(ban_list.pool, ref) for ref in report.refs)} back")
    if report.history:
        display.echo("  announced so far")
    for announcement, change in report.history:
        answers = (f"{_ANSWERED[kind]} {id_}" for kind, id_ in report.known.answers(announcement.id))
        words = change_words(change, ban_list.pool)
        display.echo(f"    {announcement.effective}, {', '.join((announcement.id, *answers))}: {words}")


def _show_hold(hold: Hold, ban_list: BanList) -> None:
    if hold.group:
        words = f"group {hold.group.key}: {group_words(hold.group, ban_list.pool)}"
    else:
        level = level_words(ban_list.log.levels.get(hold.standing.level), hold.standing.level)
        words = f"{display.style(card_name(ban_list.pool, hold.card), bold=True)} [{hold.card}], {level}"
    display.echo(f"  {words}")
    announced = source = ""
    if announcement := hold.announcement:
        moment = f" {made_words(announcement)} UTC" if announcement.made_known else ""
        announced = f", announced{moment} as {announcement.id}"
        source = f", {announcement.source}" if announcement.source else ""
    display.echo(f"    since {hold.standing.since}{announced}{source}")
    if hold.standing.why:
        display.echo(f"    {hold.standing.why}")
