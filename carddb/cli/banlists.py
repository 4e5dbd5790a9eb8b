"""Ban lists for the verbs: finding one by its name, days and moments of its time zone, and what it says in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import click

from carddb.bans.log import YEARS, GroupSpec, Log, local_day
from carddb.bans.log_data import level_text
from carddb.cli.clock import now
from carddb.errors import UsageError
from carddb.names import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Sequence

    from carddb.bans.log import Change, LevelSpec, ListSpec
    from carddb.cards import Pool
    from carddb.catalog.store import Catalog
    from carddb.cli.session import Session
    from carddb.games import Game


class MomentType(click.ParamType[date | datetime]):
    """A day, or a moment as 2026-06-20T12:00:00Z; without a time zone it is of the list's."""

    name = "moment"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> date | datetime:
        if isinstance(value, date):
            return value
        try:
            found = date.fromisoformat(value) if len(value) == len("2026-06-20") else datetime.fromisoformat(value)
            if found.year in YEARS:
                return found
        except ValueError:
            pass
        self.fail(f"{value!r} is no moment; write it as 2026-06-20T12:00:00Z, or a day.", param, ctx)


known_option = click.option(
    "--known-at",
    "moment",
    type=MomentType(),
    metavar="MOMENT",
    help="By what was announced up to this moment, or by the end of this day (default: everything).",
)


@dataclass(frozen=True, slots=True)
class BanList:
    """One list of a game, with the game's log and all its cards."""

    game: Game
    log: Log
    spec: ListSpec
    pool: Pool

    @property
    def today(self) -> date:
        """The day it is now where the list is."""
        return local_day(now(), self.spec.zone)

    @property
    def title(self) -> str:
        """The list and its game."""
        return f"{self.spec.title}, the {self.spec.key} list of {self.game.spec.name}"

    def on(self, day: date) -> BanList:
        """The same list by the terms in force on a day."""
        return replace(self, log=self.log.on(day))

    def moment(self, given: date | datetime | None) -> datetime | None:
        """A moment as it was given; a day stands for its end where the list is."""
        if given is None:
            return None
        zone = ZoneInfo(self.spec.zone)
        if not isinstance(given, datetime):
            return datetime.combine(given + timedelta(1), time(), zone).astimezone(UTC) - timedelta(seconds=1)
        return (given if given.tzinfo else given.replace(tzinfo=zone)).astimezone(UTC)


def logs(session: Session, catalog: Catalog, key: str | None = None) -> dict[str, Log]:
    """The log of every game that has ban lists, or of the one named."""
    keys = [session.game(key).key] if key else list(session.folders)
    found = {name: catalog.ban_log(name) for name in keys}
    return {name: log for name, log in found.items() if log.lists}


def list_named(session: Session, catalog: Catalog, name: str, day: date | None = None) -> BanList:
    """The list of a name such as `long`, or `cahrd:long` where several games have one. Raises UsageError."""
    key, _, bare = name.rpartition(":")
    found = logs(session, catalog, key or None)
    games = [game for game, log in found.items() if bare in log.lists]
    if not games:
        known = [spec if len(found) == 1 else f"{game}:{spec}" for game, log in found.items() for spec in log.lists]
        remedy = did_you_mean(name, known) or "Load one first: carddb load bans.yaml --game G."
        raise UsageError(f"there is no ban list {name!r}", remedy)
    if len(games) > 1:
        raise UsageError(f"several games have a list {bare}", f"Write {' or '.join(f'{g}:{bare}' for g in games)}.")
    return opened(session, catalog, games[0], bare, day)


def opened(session: Session, catalog: Catalog, key: str, list_key: str, day: date | None = None) -> BanList:
    """A list of a game, by the terms in force on a day (None: the latest)."""
    game = session.game(key)
    log = catalog.ban_log(key, day=day or date.max)
    return BanList(game, log, log.lists[list_key], every_card(catalog, game, day))


def every_card(catalog: Catalog, game: Game, day: date | None = None) -> Pool:
    """The cards of a game, samples too: what a list may name."""
    return catalog.pool(game.spec, day=day or local_day(now(), "UTC"), with_sample=True)


def card_name(pool: Pool, ref: str) -> str:
    """A card's name; its reference where it is not known."""
    card = pool.get(ref)
    return card.name if card else ref


def level_words(spec: LevelSpec | None, level: int) -> str:
    """`level 2: at most 1 copy (proposal)`."""
    most = spec.most if spec else None
    if spec is None or most is None:
        return f"level {level}: its meaning is not known"
    many = f"at most {most} {'copy' if most == 1 else 'copies'}" if most else "no copy"
    return f"level {level}: {many} ({spec.status})"


def group_words(group: GroupSpec, pool: Pool) -> str:
    """`at most 1 different card of A, B and C`."""
    from carddb.deck.fixes import amount, listed

    if group.anchor is not None:
        others = [card_name(pool, ref) for ref in group.cards if ref != group.anchor]
        return f"beside {card_name(pool, group.anchor)} none of {listed(others, len(others))}"
    names = [card_name(pool, ref) for ref in group.cards]
    if group.at_most is not None:
        limit = f"{amount(group.at_most, 'copy')} in all"
    else:
        limit = amount(group.most_different, "different card")
    return f"at most {limit} of {listed(names, len(names))}"


def change_words(change: Change, pool: Pool) -> str:
    """`Archer [X-1]: 0 -> 2 (why)`."""
    named = f"group {change.group}" if change.group else f"{card_name(pool, change.card)} [{change.card}]"
    old, new = (level_text(level, bool(change.group)) for level in (change.before, change.after))
    return f"{named}: {old} -> {new}" + (f"  {change.why}" if change.why else "")


def effects(before: Log, after: Log, ids: Sequence[str]) -> Iterator[tuple[date, str, tuple[Change, ...]]]:
    """What announcements that turn one log into another change, by day and list."""
    from carddb.bans.state import difference, state

    for key in after.lists:
        days = sorted({each.effective for each in after.announcements if each.id in ids and key in after.touched(each)})
        for day in days:
            changes = difference(state(before, key, day), state(after, key, day))
            yield day, key, changes
