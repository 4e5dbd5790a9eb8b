"""What holds cards back, and by which announcement."""

from __future__ import annotations

from datetime import date, datetime
from typing import TYPE_CHECKING, Any

import click

from carddb.cli import show as display
from carddb.cli.banlists import (
    BanList,
    card_name,
    change_words,
    every_card,
    group_words,
    known_option,
    level_words,
    logs,
    opened,
)
from carddb.cli.clock import DAY
from carddb.cli.session import Session
from carddb.dates import moment_text
from carddb.errors import UsageError
from carddb.names import did_you_mean

if TYPE_CHECKING:
    from carddb.bans.why import Hold
    from carddb.cards import Pool
    from carddb.catalog.store import Catalog


_ANSWERED = {"withdrawal": "withdrawn by", "correction": "corrected by", "change": "superseded by"}


@click.command()
@click.argument("cards", nargs=-1, required=True, metavar="CARD...")
@click.option("--game", "key", metavar="G", help="The game.")
@click.option("--on", "day", type=DAY, help="On this day (default: today, where the list is).")
@known_option
@click.option("--json", "json_", is_flag=True, help="As JSON.")
@click.pass_obj
def why(
    session: Session,
    cards: tuple[str, ...],
    key: str | None,
    day: date | None,
    moment: date | datetime | None,
    json_: bool,
) -> int:
    """Say what holds a card back, or several together: by which announcement, since when, and why."""
    from carddb.bans.state import state
    from carddb.bans.why import holds

    told = []
    with session.catalog() as catalog:
        game, refs = _cards_named(session, catalog, cards, key)
        lists = [opened(session, catalog, game, name, day) for name in catalog.ban_log(game).lists]
    for listed in lists:
        found = listed.on(day or listed.today)
        now_ = state(found.log, found.spec.key, day or found.today, found.moment(moment))
        held = holds(found.log, now_, refs)
        told += [{"list": found.spec.key, **_hold(hold, found)} for hold in held]
        if not json_:
            click.echo(click.style(found.title, bold=True) + f", on {now_.day}")
            for hold in held:
                _tell_hold(hold, found)
            if not held:
                click.echo(f"  nothing holds {' and '.join(card_name(found.pool, ref) for ref in refs)} back")
            _tell_history(found, refs, found.moment(moment))
    if json_:
        display.as_json({"schema": "carddb.ban-why/1", "cards": refs, "holds": told})
    return 0


def _cards_named(session: Session, catalog: Catalog, cards: tuple[str, ...], key: str | None) -> tuple[str, list[str]]:
    """The game with ban lists that has all these cards, and their references. Raises UsageError."""
    pools = {name: every_card(catalog, session.game(name)) for name in logs(session, catalog, key)}
    for game, pool in pools.items():
        refs = [_ref(pool, card) for card in cards]
        if all(refs):
            return game, [ref for ref in refs if ref]
    for card in cards:
        if not any(_ref(pool, card) for pool in pools.values()):
            names = [name for pool in pools.values() for each in pool for name in (each.name, each.ref)]
            near = did_you_mean(card, names)
            raise UsageError(f"no game with ban lists has a card {card!r}", near if near.startswith("Did") else "")
    raise UsageError("no game has all of these cards", "Name cards of one game.")


def _ref(pool: Pool, card: str) -> str | None:
    if pool.get(card):
        return card
    named = pool.folded(card) or pool.formerly(card)
    return named[0].ref if named else None


def _hold(hold: Hold, found: BanList) -> dict[str, Any]:
    made = moment_text(hold.announcement.made) if hold.announcement else None
    what = {"group": hold.group.key} if hold.group else {"card": hold.card, "level": hold.standing.level}
    return {
        **what,
        "since": hold.standing.since.isoformat(),
        "announcement": hold.standing.announcement,
        "announced": made,
        "source": hold.announcement.source if hold.announcement else "",
        "why": hold.standing.why,
    }


def _tell_hold(hold: Hold, found: BanList) -> None:
    if hold.group:
        words = f"group {hold.group.key}: {group_words(hold.group, found.pool)}"
    else:
        level = level_words(found.log.levels.get(hold.standing.level), hold.standing.level)
        words = f"{card_name(found.pool, hold.card)} [{hold.card}], {level}"
    click.echo(f"  {words}")
    told = hold.announcement
    announced = f", announced {told.made:%Y-%m-%d %H:%M} UTC as {told.id}" if told else ""
    click.echo(f"    since {hold.standing.since}{announced}" + (f", {told.source}" if told and told.source else ""))
    if hold.standing.why:
        click.echo(f"    {hold.standing.why}")


def _tell_history(found: BanList, refs: list[str], known_at: datetime | None) -> None:
    from carddb.bans.why import history

    known = found.log.announced_by(known_at)
    steps = dict.fromkeys(step for ref in refs for step in history(known, found.spec.key, ref))
    if steps:
        click.echo("  announced so far")
    for step in steps:
        told = step.announcement
        said = ", ".join((told.id, *(f"{_ANSWERED[kind]} {id_}" for kind, id_ in known.answers(told.id))))
        click.echo(f"    {told.effective}, {said}: {change_words(step.change, found.pool)}")
