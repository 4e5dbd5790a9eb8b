"""The ban lists of a project: finding one by name, its state on a day and its changes, as text and as data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from functools import cached_property
from typing import Any
from zoneinfo import ZoneInfo

from carddb.app.cards.translations import cards_in_language
from carddb.app.workspace.clock import now, to_day
from carddb.app.workspace.day_cards import bans_not_loaded
from carddb.app.workspace.words import notebook
from carddb.app.workspace.workspace import Workspace
from carddb.bans.edition import bounds_copies, budget_words, fingerprint, price_words, query_words, surcharge_words
from carddb.bans.log import (
    YEARS,
    Announcement,
    Change,
    GroupSpec,
    LevelSpec,
    ListSpec,
    Log,
    level_text,
    local_day,
    parts_of,
    plain_announcement,
    plain_change,
)
from carddb.bans.state import HistoryEntry, Hold, ListState, difference, history, holds, state, upcoming, with_members
from carddb.cards.cards import Pool
from carddb.cards.query import parse
from carddb.catalog.store import Catalog
from carddb.core.dates import moment_text
from carddb.core.errors import QueryError, UsageError
from carddb.core.names import Vocabulary, did_you_mean
from carddb.core.plain_text import amount, listed
from carddb.games import Game


def card_name(pool: Pool, ref: str) -> str:
    """Returns the name of the card `ref`, or `ref` itself if the card is unknown."""
    card = pool.get(ref)
    return card.name if card else ref


def level_words(spec: LevelSpec | None, level: int) -> str:
    """Returns a level's meaning in words, as `level 2: at most 1 copy (proposal)`; None is not known."""
    most = spec.most if spec else None
    if spec is None or most is None:
        return f"level {level}: its meaning is not known"
    many = f"at most {amount(most, 'copy')}" if most else "no copy"
    return f"level {level}: {', '.join([*([many] if bounds_copies(spec) else []), *price_words(spec)])} ({spec.status})"


def terms_words(ban_list: ListSpec) -> str:
    """Returns a list's budget of points and its surcharges in words; empty if it has neither."""
    return " ".join(filter(None, (budget_words(ban_list), surcharge_words(ban_list))))


def group_words(group: GroupSpec, pool: Pool) -> str:
    """Returns what a group limits, such as `at most 2 copies in all of A, B and C`."""
    if group.anchor is not None:
        others = [card_name(pool, ref) for ref in group.cards if ref != group.anchor]
        return f"a deck with {card_name(pool, group.anchor)} may have none of {listed(others, len(others))}"
    names = [card_name(pool, ref) for ref in group.cards]
    names += filter(None, [query_words(group)])
    if group.at_most is not None:
        limit = f"{amount(group.at_most, 'copy')} in all"
    elif group.max_copies is not None:
        limit = f"{amount(group.max_copies, 'copy')} of each"
    else:
        return f"at most {group.most_different} of {listed(names, len(names))}, in any number of copies"
    return f"at most {limit} of {listed(names, len(names))}"


def change_words(change: Change, pool: Pool) -> str:
    """Returns a change in words, such as `Archer [X-1]: 0 -> 2 REASON`; the levels of a group are `off` and `on`."""
    parts = (
        f"group {change.group}" if change.group else "",
        f"{card_name(pool, change.card)} [{change.card}]" if change.card else "",
    )
    subject = ", ".join(filter(None, parts))
    old, new = (level_text(level, bool(change.group)) for level in (change.before, change.after))
    return f"{subject}: {old} -> {new}" + (f"  {change.why}" if change.why else "")


def made_words(announcement: Announcement) -> str:
    """Returns when an announcement was made, in UTC, as `2026-05-22 20:00`, or `not known`."""
    return f"{announcement.made:%Y-%m-%d %H:%M}" if announcement.made_known else "not known"


@dataclass(frozen=True, slots=True)
class BanList:
    """One ban list of a game, with the announcements for all lists of the game (`log`) and all cards of the game."""

    game: Game
    log: Log
    spec: ListSpec
    pool: Pool

    @property
    def today(self) -> date:
        """The current date in the time zone of the list."""
        return local_day(now(), self.spec.zone)

    @property
    def title(self) -> str:
        """The title of the list, with its key and the name of its game."""
        return f"{self.spec.name} ({self.spec.key}) of {self.game.spec.name}"

    def on(self, day: date | str | None = None, known_at: date | datetime | None = None) -> BanListState:
        """Returns the state of the list on `day` (default: today in its time zone), with that day's levels and groups.

        Announcements made after `known_at` are left out (for a day: those made after the end of the day).
        """
        on = to_day(day) or self.today
        log = self.log.on(on)
        now_ = state(log, self.spec.key, on, self.moment(known_at))
        return BanListState(replace(self, log=with_members(log, now_)), now_)

    def known(self, known_at: date | datetime) -> BanList:
        """Returns the list without the announcements made after `known_at` (for a day: after the end of the day)."""
        return replace(self, log=self.log.announced_by(self.moment(known_at)))

    def changes(
        self, first: date | str, last: date | str, known_at: date | datetime | None = None
    ) -> tuple[Change, ...]:
        """Returns how the list on the day `last` differs from that on the day `first`; `known_at` is as for `on`."""
        moment, days = self.moment(known_at), (to_day(first), to_day(last))
        return difference(*(state(self.log, self.spec.key, day, moment) for day in days if day))

    def moment(self, known_at: date | datetime | None) -> datetime | None:
        """Returns `known_at` as a moment in UTC; None for None.

        A day becomes its last second in the list's time zone. A moment without a time zone is taken to be in that zone.
        Raises UsageError for years outside those of ban lists.
        """
        if known_at is None:
            return None
        if known_at.year not in YEARS:
            raise UsageError(f"no ban list has the year {known_at.year}", f"Write one from {YEARS[0]} to {YEARS[-1]}.")
        zone = ZoneInfo(self.spec.zone)
        if not isinstance(known_at, datetime):
            return datetime.combine(known_at + timedelta(1), time(), zone).astimezone(UTC) - timedelta(seconds=1)
        return (known_at if known_at.tzinfo else known_at.replace(tzinfo=zone)).astimezone(UTC)

    def _repr_html_(self) -> str:
        return self.on()._repr_html_()


@dataclass(frozen=True)
class BanListState:
    """The state of a ban list on a day."""

    ban_list: BanList
    state: ListState

    @property
    def day(self) -> date:
        return self.state.day

    @cached_property
    def fingerprint(self) -> str:
        """A short text that is equal for equal states, so that players can see that they have the same list."""
        return fingerprint(self.state, self.ban_list.log.levels, self.ban_list.log.groups)

    def level(self, ref: str) -> int:
        """Returns the level of the card `ref`; 0 if it is not on the list."""
        standing = self.state.levels.get(ref)
        return standing.level if standing else 0

    def group_words(self) -> list[str]:
        """Returns the limits of the groups in force, one text for each group, beginning with its key."""
        groups = self.ban_list.log.groups
        return [f"{key}: {group_words(groups[key], self.ban_list.pool)}" for key in self.state.groups if key in groups]

    def coming(self) -> Iterator[tuple[Announcement, tuple[Change, ...]]]:
        """Yields the announcements that are not yet in force, each with the changes that it makes."""
        before = self.state
        for announcement in upcoming(self.ban_list.log, before.list, before.day, before.known_at):
            after = state(self.ban_list.log, before.list, announcement.effective, before.known_at)
            yield announcement, difference(before, after)
            before = after

    def to_json(self) -> dict[str, Any]:
        """Returns what `bans show --json` shows."""
        ban_list, now_ = self.ban_list, self.state
        log, parts = ban_list.log, parts_of(ban_list.log)
        return {
            "schema": "carddb.ban-list/1",
            "game": ban_list.game.key,
            "list": {"key": ban_list.spec.key, **parts["lists"][ban_list.spec.key]},
            "on": now_.day.isoformat(),
            "known_at": moment_text(now_.known_at) if now_.known_at else None,
            "fingerprint": self.fingerprint,
            "note": log.note,
            "levels": parts["levels"],
            "cards": [
                {"ref": ref, "name": card_name(ban_list.pool, ref), **_standing(standing)}
                for ref, standing in now_.levels.items()
            ],
            "groups": [
                {"key": key, **parts["groups"].get(key, {}), **_standing(standing)}
                for key, standing in now_.groups.items()
            ],
            "upcoming": [plain_announcement(each) for each in upcoming(log, now_.list, now_.day, now_.known_at)],
        }

    def _repr_html_(self) -> str:
        """Returns HTML with a table of the cards on the list, a row for each, and the groups in force."""
        rows = [(card["name"], card["ref"], card["level"], card["since"]) for card in self.to_json()["cards"]]
        return notebook("ban_list", self, rows)


@dataclass(frozen=True, slots=True)
class HoldReport:
    """A ban list's restrictions on some cards on a day (`holds`), and all announced changes of them (`history`)."""

    state: BanListState
    refs: tuple[str, ...]
    holds: tuple[Hold, ...]
    history: tuple[HistoryEntry, ...]
    known: Log
    """The log without the announcements that were made after the moment of the report."""

    def to_json(self) -> list[dict[str, Any]]:
        """Returns the restrictions in `holds` as `bans why --json` shows them."""
        found = []
        for hold in self.holds:
            by, standing = hold.announcement, hold.standing
            what = {"group": hold.group.key} if hold.group else {"card": hold.card, "level": standing.level}
            found.append({
                "list": self.state.ban_list.spec.key, **what, "since": standing.since.isoformat(),
                "announcement": standing.announcement,
                "announced": moment_text(by.made) if by and by.made_known else None,
                "source": by.source if by else "", "why": standing.why,
            })  # fmt: skip
        return found


def ban_list(project: Workspace, name: str, day: date | None = None) -> BanList:
    """Returns the ban list with the name `name`, as `LIST` or `GAME:LIST`, and its levels as defined on `day`.

    Without `day`, the latest levels are used. Raises UsageError if no game, or more than one, has the list.
    """
    key, _, bare = name.rpartition(":")
    with project.catalog() as catalog:
        logs = ban_logs(project, catalog, key or None)
        matches = _lists(project, logs, f"{project.game(key).key}:{bare}" if key else bare)
        if not matches:
            names = [spec if len(logs) == 1 else f"{game}:{spec}" for game, log in logs.items() for spec in log.lists]
            remedy = did_you_mean(name, names) or "Load a file with ban lists first: carddb load bans.yaml --game GAME."
            raise UsageError(f"there is no ban list {name!r}", remedy)
        if len(matches) > 1:
            raise UsageError(f"several games have a ban list {bare}", f"Write {' or '.join(map(':'.join, matches))}.")
        game = project.game(matches[0][0])
        project.notify_once(bans_not_loaded(game, logs[game.key], each=True))
        return _list_of(project, catalog, *matches[0], day)


def ban_logs(project: Workspace, catalog: Catalog, key: str | None = None) -> dict[str, Log]:
    """Returns the log of every game that has ban lists, or only of the game `key`, as `{game's key: log}`."""
    keys = [project.game(key).key] if key else list(project.folders)
    logs = {name: catalog.ban_log(name) for name in keys}
    for name, log in logs.items():
        if project.folders[name].bans_file:
            project.notify_once(bans_not_loaded(project.game(name), log))
    return {name: log for name, log in logs.items() if log.lists}


def every_card(catalog: Catalog, game: Game, day: date | None = None) -> Pool:
    """Returns all cards of a game on a day (default: today in UTC), even samples: a ban list may name any card."""
    return catalog.pool(game.spec, day=day or local_day(now(), "UTC"), with_sample=True)


def holds_of(
    project: Workspace, words: Sequence[str], key: str | None, day: date | None, known_at: date | datetime | None
) -> tuple[list[str], list[HoldReport]]:
    """Returns the references of the cards that `words` name, and for each list a report on how it restricts them.

    Words that name lists limit the reports to these lists. `day` and `known_at` are as for `BanList.on`. Raises
    UsageError for unknown cards, or for no card.
    """
    with project.catalog() as catalog:
        game, refs, names = _cards_and_lists(project, catalog, words, key)
        lists = [_list_of(project, catalog, game, name, day) for name in names]
    return refs, [hold_report(listed.on(day, known_at), refs) for listed in lists]


def lists_on(project: Workspace, key: str, day: date | None) -> list[BanListState]:
    """Returns every list of a game with its state on `day` (default: today in the list's time zone)."""
    with project.catalog() as catalog:
        log = ban_logs(project, catalog, key).get(key)
        names = log.lists if log else ()
        return [_list_of(project, catalog, key, name, day).on(day) for name in names]


def hold_report(listed: BanListState, refs: Sequence[str]) -> HoldReport:
    """Returns a report on how a list restricts the cards with the references `refs`, and how they came onto it."""
    log, key = _with_queried(listed, refs), listed.state.list
    announced = log.announced_by(listed.state.known_at)
    steps = tuple(dict.fromkeys(step for ref in refs for step in history(announced, key, ref)))
    return HoldReport(listed, tuple(refs), tuple(holds(log, listed.state, refs)), steps, announced)


def _with_queried(listed: BanListState, refs: Sequence[str]) -> Log:
    """Returns the log with cards of `refs` added to groups whose query finds them, if their level is not exempt."""
    log, game, pool = listed.ban_list.log, listed.ban_list.game, listed.ban_list.pool
    exempt = {level for level, spec in log.levels.items() if spec.exempt}
    cards = [card for ref in refs if listed.level(ref) not in exempt and (card := pool.get(ref))]
    groups = dict(log.groups)
    for key, group in log.groups.items():
        if group.query:
            with suppress(QueryError):
                query = parse(group.query, game.spec.all_fields())
                queried = (card.ref for card in cards if query.matches(card))
                groups[key] = group._replace(members=tuple(dict.fromkeys((*group.members, *queried))))
    return log._replace(groups=groups)


def changes_json(listed: BanList, first: date, last: date, changes: Sequence[Change]) -> dict[str, Any]:
    """Returns what `bans diff --json` shows."""
    days = {"from": first.isoformat(), "to": last.isoformat()}
    plain = [plain_change(change) for change in changes]
    return {"schema": "carddb.ban-diff/1", "list": listed.spec.key, **days, "changes": plain}


def _list_of(project: Workspace, catalog: Catalog, key: str, list_key: str, day: date | None) -> BanList:
    game = project.game(key)
    log = catalog.ban_log(key, day=day or date.max)
    return BanList(game, log, log.lists[list_key], every_card(catalog, game, day))


def _cards_and_lists(
    project: Workspace, catalog: Catalog, words: Sequence[str], key: str | None
) -> tuple[str, list[str], list[str]]:
    """Finds the game that has all cards and lists in `words`.

    Returns its key, the cards' references and the lists' keys, all if none is named. Raises UsageError if there is
    none.
    """
    logs = ban_logs(project, catalog, key)
    pools = {name: every_card(catalog, project.game(name)) for name in logs}
    found = {word: _lists(project, logs, word) for word in words}
    cards = [word for word in words if any(_ref(pool, word) for pool in pools.values()) or not found[word]]
    if not cards:
        problem = f"no card is named, only the name of a ban list: {', '.join(words)}"
        raise UsageError(problem, "Name a card too, or see the whole list: carddb bans show LIST.")
    lists = [word for word in words if word not in cards]
    for game, pool in pools.items():
        refs = [_ref(pool, card) for card in cards]
        chosen = [name for listed in lists for of, name in found[listed] if of == game]
        if all(refs) and len(chosen) == len(lists):
            return game, [ref for ref in refs if ref], chosen or list(logs[game].lists)
    for card in cards:
        if not any(_ref(pool, card) for pool in pools.values()):
            names = [name for pool in pools.values() for each in pool for name in (each.name, each.ref)]
            remedy = did_you_mean(card, names, "Search for the card by a word of its name: carddb cards WORD.")
            raise UsageError(f"no game with ban lists has a card {card!r}", remedy)
    what = "cards and ban lists" if lists else "cards"
    raise UsageError(f"no game has all of these {what}: {', '.join(words)}", f"Name only {what} of one game.")


def _lists(project: Workspace, logs: Mapping[str, Log], word: str) -> list[tuple[str, str]]:
    """Returns the lists that `word` may mean, as pairs of the game's key and the list's key.

    `word` is a list's key or title, or another word for it in `game.yaml`; `GAME:` may come before it.
    """
    key, _, bare = word.rpartition(":")
    found = []
    for game, log in logs.items():
        titles = {name: listed.title for name, listed in log.lists.items()}
        words = Vocabulary(log.lists, titles, project.game(game).spec.words.get("ban_lists"))
        if key in ("", game) and (name := words.find(bare)):
            found.append((game, name))
    return found


def _ref(pool: Pool, card: str) -> str | None:
    if pool.get(card):
        return card
    match = next(iter(pool.folded(card) or pool.formerly(card)), None) or pool.by_reference(card)
    return match.ref if match else None


def _standing(standing: Any) -> dict[str, Any]:
    return {**standing._asdict(), "since": standing.since.isoformat()}


def ban_list_in_language(project: Workspace, listed: BanList, lang: str, on: date) -> BanList:
    """Returns a ban list with the names of its game and cards in a language. A notice counts names not translated."""
    if not listed.game.spec.is_foreign(lang):
        return listed
    refs = {change.card for announcement in listed.log.announcements for change in announcement.changes}
    refs |= {ref for group in listed.log.groups_ever for ref in group.cards}
    cards = [card for card in listed.pool if card.ref in refs]
    in_language = cards_in_language(project, listed.game, cards, lang, on, names_only=True)
    return replace(listed, game=listed.game.in_language(lang), pool=Pool([*listed.pool, *in_language]))
