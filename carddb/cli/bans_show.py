"""A ban list on a day, and between two days."""

from __future__ import annotations

import textwrap
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

import click

from carddb.cli import show as display
from carddb.cli.banlists import BanList, card_name, change_words, group_words, known_option, level_words, list_named
from carddb.cli.clock import DAY
from carddb.cli.session import Session

if TYPE_CHECKING:
    from carddb.bans.state import State


@click.command()
@click.argument("name", metavar="LIST")
@click.option("--on", "day", type=DAY, help="The list on this day (default: today, where the list is).")
@known_option
@click.option("--json", "json_", is_flag=True, help="As JSON.")
@click.pass_obj
def show(session: Session, name: str, day: date | None, moment: date | datetime | None, json_: bool) -> int:
    """Show a list as it stands on a day, with what is to come."""
    from carddb.bans.fingerprint import fingerprint
    from carddb.bans.state import state

    with session.catalog() as catalog:
        found = list_named(session, catalog, name, day)
    on, known_at = day or found.today, found.moment(moment)
    found = found.on(on)
    now_ = state(found.log, found.spec.key, on, known_at)
    digest = fingerprint(now_, found.log.levels, found.log.groups)
    if json_:
        display.as_json(_as_json(found, now_, digest))
    else:
        _tell(found, now_, digest)
    return 0


def _as_json(found: BanList, now_: State, digest: str) -> dict[str, Any]:
    from carddb.bans.log_data import parts_of, plain_announcement
    from carddb.bans.state import upcoming
    from carddb.dates import moment_text

    log, parts = found.log, parts_of(found.log)
    coming = upcoming(log, now_.list, now_.day, now_.known_at)
    return {
        "schema": "carddb.ban-list/1",
        "game": found.game.key,
        "list": {"key": found.spec.key, **parts["lists"][found.spec.key]},
        "on": now_.day.isoformat(),
        "known_at": moment_text(now_.known_at) if now_.known_at else None,
        "fingerprint": digest,
        "note": log.note,
        "levels": parts["levels"],
        "cards": [
            {"ref": ref, "name": card_name(found.pool, ref), **_standing(standing)}
            for ref, standing in now_.levels.items()
        ],
        "groups": [
            {"key": key, **parts["groups"].get(key, {}), **_standing(standing)}
            for key, standing in now_.groups.items()
        ],
        "upcoming": [plain_announcement(announcement) for announcement in coming],
    }  # fmt: skip


def _standing(standing: Any) -> dict[str, Any]:
    return {**standing._asdict(), "since": standing.since.isoformat()}


def _tell(found: BanList, now_: State, digest: str) -> None:
    log, pool = found.log, found.pool
    known = f", as known at {now_.known_at:%Y-%m-%d %H:%M} UTC" if now_.known_at else ""
    click.echo(click.style(found.title, bold=True) + f", on {now_.day} ({found.spec.zone}){known}")
    click.echo(f"fingerprint {digest}")
    for level in sorted({standing.level for standing in now_.levels.values()}, reverse=True):
        click.echo(f"\n{level_words(log.levels.get(level), level).capitalize()}")
        cards = [(ref, standing) for ref, standing in now_.levels.items() if standing.level == level]
        for ref, standing in sorted(cards, key=lambda pair: card_name(pool, pair[0])):
            click.echo(f"  {card_name(pool, ref)} [{ref}]  since {standing.since}, by {standing.announcement}")
    for key, standing in now_.groups.items():
        click.echo(f"\nGroup {key}  since {standing.since}, by {standing.announcement}")
        if group := log.groups.get(key):
            click.echo(f"  {group_words(group, pool)}")
    if not (now_.levels or now_.groups):
        click.echo("\nNothing is on it.")
    if log.levels:
        click.echo("\n" + "; ".join(level_words(log.levels[level], level) for level in sorted(log.levels)))
    _tell_ahead(found, now_)
    if log.note:
        click.echo("\n" + textwrap.fill(log.note, 100))


def _tell_ahead(found: BanList, now_: State) -> None:
    """What has been announced and is not yet in force, day by day."""
    from carddb.bans.state import difference, state, upcoming

    before = now_
    for announcement in upcoming(found.log, now_.list, now_.day, now_.known_at):
        after = state(found.log, now_.list, announcement.effective, now_.known_at)
        if changes := difference(before, after):
            click.echo(f"\nFrom {announcement.effective}, by {announcement.id}")
            for change in changes:
                click.echo(f"  {change_words(change, found.pool)}")
        before = after


@click.command()
@click.argument("name", metavar="LIST")
@click.argument("first", type=DAY, metavar="DAY")
@click.argument("last", type=DAY, metavar="DAY")
@known_option
@click.option("--json", "json_", is_flag=True, help="As JSON.")
@click.pass_obj
def diff(session: Session, name: str, first: date, last: date, moment: date | datetime | None, json_: bool) -> int:
    """Show what changed on a list from one day to another."""
    from carddb.bans.log_data import plain_change
    from carddb.bans.state import difference, state

    with session.catalog() as catalog:
        found = list_named(session, catalog, name)
    known_at = found.moment(moment)
    changes = difference(*(state(found.log, found.spec.key, day, known_at) for day in (first, last)))
    if json_:
        told = [plain_change(change) for change in changes]
        days = {"from": first.isoformat(), "to": last.isoformat()}
        display.as_json({"schema": "carddb.ban-diff/1", "list": found.spec.key, **days, "changes": told})
        return 0
    click.echo(click.style(found.title, bold=True) + f", from {first} to {last}")
    for change in changes:
        click.echo(f"  {change_words(change, found.pool)}")
    if not changes:
        click.echo("  nothing changed")
    return 0
