"""The state of a list against a second reading of the rules, on histories of every kind, in zones of every kind."""

from __future__ import annotations

import random
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from carddb.bans.log import Announcement, Change, ListSpec, Log
from carddb.bans.state import state
from tests.bans.samples import LEVELS
from tests.rows import every

ZONES = ("America/New_York", "America/Sao_Paulo", "Australia/Lord_Howe", "Asia/Kathmandu", "Europe/London",
         "Pacific/Apia", "Pacific/Kiritimati", "UTC")  # fmt: skip
BEGINNINGS = (
    datetime(2011, 12, 20, tzinfo=UTC),  # Samoa has no 30 December
    datetime(2026, 3, 1, tzinfo=UTC),  # clocks change in America and Europe
    datetime(2025, 10, 25, tzinfo=UTC),
)
TARGETS = (("A", ""), ("B", ""), ("", "g"), ("", "h"))


class Reading:
    """The rules as they are written (C-146, C-147), one announcement asked after the other."""

    def __init__(self, log: Log, list_: str, day: date, known_at: datetime | None) -> None:
        self.told = [each for each in log.announcements if known_at is None or each.made <= known_at]
        self.zone = ZoneInfo(log.lists[list_].zone)
        self.list, self.day, self.window = list_, day, log.window

    def says(self) -> dict[tuple[str, str], int]:
        """Every card and group with its level, but for those that are off."""
        found: dict[tuple[str, str], tuple[date, int]] = {}
        for announcement in self.told:
            for change in announcement.changes:
                key = (change.card, change.group)
                if change.list == self.list and self._holds(announcement, key) and (
                    key not in found or found[key][0] <= announcement.effective
                ):  # fmt: skip
                    found[key] = (announcement.effective, change.after)
        return {key: level for key, (_, level) in found.items() if level}

    def _made_on(self, announcement: Announcement) -> date:
        return announcement.made.astimezone(self.zone).date()

    def _valid(self, announcement: Announcement) -> bool:
        if announcement.waiver or announcement.kind == "correction":
            return True
        if announcement.kind == "withdrawal":
            target = next((each for each in self.told if each.id == announcement.target), None)
            if target and announcement.effective <= target.effective:
                return True
        return self.window.least <= (announcement.effective - self._made_on(announcement)).days <= self.window.most

    def _holds(self, announcement: Announcement, key: tuple[str, str]) -> bool:
        in_force = self._valid(announcement) and announcement.effective <= self.day
        return in_force and not self._taken_back(announcement) and not self._superseded(announcement, key)

    def _taken_back(self, announcement: Announcement) -> bool:
        return any(
            other.target == announcement.id and self._valid(other) and not self._taken_back(other)
            and (other.effective <= self.day or (other.kind == "correction" and self._early(other, announcement)))
            for other in self._later(announcement)
        )  # fmt: skip

    def _superseded(self, announcement: Announcement, key: tuple[str, str]) -> bool:
        return any(
            other.supersedes == announcement.id and self._valid(other) and not self._taken_back(other)
            and (self.list, *key) in [change.target for change in other.changes]
            and (other.effective <= self.day or self._early(other, announcement))
            for other in self._later(announcement)
        )  # fmt: skip

    def _early(self, other: Announcement, announcement: Announcement) -> bool:
        return self._made_on(other) < announcement.effective

    def _later(self, announcement: Announcement) -> list[Announcement]:
        return self.told[self.told.index(announcement) + 1 :]


def history(chance: random.Random) -> tuple[Log, datetime]:
    """A log of one to seven announcements on two lists, and when it begins."""
    begins = moment = chance.choice(BEGINNINGS)
    told: list[Announcement] = []
    for number in range(chance.randint(1, 7)):
        moment += timedelta(minutes=chance.choice([0, 10, 300, 1440, 4000, 6000]))
        days = chance.choice([1, 2, 3, 3, 4, 5, 7, 14, 15]) if chance.random() < 0.9 else -chance.randint(0, 4)
        effective = (moment + timedelta(hours=chance.choice([-12, 0, 12]))).date() + timedelta(days)
        kind, target, supersedes = "change", "", ""
        if told and chance.random() < 0.35:
            kind, aim = chance.choice(["withdrawal", "correction"]), chance.choice(told)
            target, effective = aim.id, aim.effective if chance.random() < 0.4 else effective
        elif told and chance.random() < 0.3:
            supersedes = chance.choice(told).id
        waiver = "agreed" if chance.random() < 0.1 else ""
        changes = () if kind == "withdrawal" else tuple(_changes(chance))
        told.append(
            Announcement(f"a{number}", moment, effective, kind, target, supersedes, waiver, changes=changes)  # type: ignore[arg-type]
        )
    lists = {key: ListSpec(key, key, chance.choice(ZONES), key) for key in ("long", "short")}
    return Log(lists, LEVELS, {}, tuple(told)), begins


def _changes(chance: random.Random) -> list[Change]:
    return [
        Change(chance.choice(["long", "short"]), card, group, 0, chance.randint(0, 1 if group else 3))
        for card, group in chance.sample(TARGETS, chance.randint(1, 3))
    ]


@every("seed", range(8))
def test_the_state_is_what_the_rules_say(seed: int) -> None:
    """C-146, C-147: whatever was announced says what is written, seen from any day and any moment."""
    chance = random.Random(seed)
    for _ in range(150):
        log, begins = history(chance)
        list_, day = chance.choice(["long", "short"]), begins.date() + timedelta(chance.randint(0, 40))
        known_at = None if chance.random() < 0.5 else begins + timedelta(hours=chance.randint(0, 600))
        found = state(log, list_, day, known_at)
        said = {(ref, ""): held.level for ref, held in found.levels.items()}
        said |= {("", key): held.level for key, held in found.groups.items()}
        assert said == Reading(log, list_, day, known_at).says(), (log, list_, day, known_at)
