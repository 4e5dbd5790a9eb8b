"""A log of ban lists with everything that can stand in one, and names that try to get out of their place."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from carddb.bans.log import Announcement, Change, GroupSpec, LevelSpec, ListSpec, Log

HOSTILE = {
    "H-1": '<script>alert("1")</script> & Sons',
    "H-2": "@everyone `rm -rf` *bold* _under_ ||spoiler||",
    "H-3": "\u202eegnartS\u2066 Lady\u200f",
    "H-4": "Fire \U0001f525 Ship, {icon:x} **loud** {{ 7 * 7 }}",
    "H-5": "Two\nLines\r\nand\x07 a bell",
    "../H/6": "<@123> <#45> [link](https://x.example) # head",
    "H-7": "Ünïcödé’s “Ĺongest” Name, Which Goes On and On Until Nobody Who Reads It Remembers How It Began",
    "H-8": "ואהבת",
}
NAMES = {
    **HOSTILE,
    "CAH-089": "Greek Fire",
    "CAH-101": "Forged Orders",
    "CAH-102": "Double Agent",
    "CAH-080": "Signal Drums",
    "CAH-097": "Signal Fires",
    "CAH-111": "Feigned Retreat",
    "CAH-114": "Ambush",
}
REASON = "It wins before <b>anyone</b> moves; @here \\ ]]> --> &amp; 100 %.\n\n* really *"


def levels() -> dict[int, LevelSpec]:
    """Three levels that are a proposal."""
    return {number: LevelSpec(number, copies, "proposal") for number, copies in ((1, 2), (2, 1), (3, 0))}


def step(card: str, before: int, after: int, why: str = REASON, on: str = "short") -> Change:
    """A card's change."""
    return Change(on, card, "", before, after, why)


def log() -> Log:
    """Two lists, three groups, a withdrawal, a correction, a waiver, changes ahead."""
    lists = {
        "short": ListSpec("short", "Battle", "America/New_York", "battle"),
        "long": ListSpec("long", "War", "UTC", "war"),
    }
    groups = {
        "fire-and-paper": GroupSpec("fire-and-paper", ("CAH-089", "CAH-101"), at_most_different=1),
        "all_quiet": GroupSpec("all_quiet", ("CAH-080", "CAH-097", "CAH-111"), at_most=3),
        "one <rules>": GroupSpec("one <rules>", ("H-1", "CAH-114"), anchor="H-1"),
    }
    first = tuple(step(ref, 0, 1 + at % 3) for at, ref in enumerate(HOSTILE))
    plain = (step("CAH-089", 0, 1, "The second copy decided most games."), step("CAH-080", 0, 2, ""))
    both = step("CAH-101", 0, 3, "Nobody could answer it.", "long")
    announcements = (
        told("2026-01-05-a", 5, (*plain, both), source="https://example.org/a?b=1&c=2", author="The <Council>"),
        told("2026-02-01-a", 9, first),
        told("2026-03-01-a", 7, (Change("short", "", "fire-and-paper", 0, 1, "Apart they are fair."),
                                  Change("short", "", "one <rules>", 0, 1, REASON))),
        told("2026-03-03-a", 2, (step("CAH-089", 1, 2),), waiver="A *bug* in @everyone's list"),
        told("2026-03-20-a", 6, (step("CAH-080", 2, 1, "It is fair now."),
                                  Change("short", "", "all_quiet", 0, 1, ""))),
        told("2026-03-22-a", 4, (), kind="withdrawal", target="2026-03-03-a"),
        told("2026-04-02-a", 4, (step("CAH-089", 0, 3),), kind="correction", target="2026-03-20-a"),
        told("2026-05-10-a", 12, (step("CAH-102", 0, 2, "Everybody plays it."), step("CAH-111", 0, 1, "So is this."))),
    )  # fmt: skip
    return Log(lists, levels(), groups, announcements)


def told(id_: str, days: int, changes: tuple[Change, ...], **rest: str) -> Announcement:
    made = date.fromisoformat(id_[:10])
    moment = datetime(made.year, made.month, made.day, 18, tzinfo=UTC)
    return Announcement(id_, moment, made + timedelta(days), changes=changes, **rest)  # type: ignore[arg-type]
