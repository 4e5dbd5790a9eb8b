"""Deck lists handed in, replaced and corrected: every version stays, and nobody overwrites what he has not seen."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import NamedTuple

from carddb.app.events.checks import EventChecks
from carddb.app.events.gate import Closed, Overtaken, refuse_closed
from carddb.app.workspace.clock import now
from carddb.core.dates import moment_text
from carddb.core.errors import UsageError
from carddb.events.records import Author, Entry, Event, Player
from carddb.events.store import Events

MOST_BYTES, MOST_LINES = 200_000, 1_000
"""Of one deck list."""
MOST_VERSIONS = 200
LONGEST_OBJECTION = 500


class Submission(NamedTuple):
    """The version that stands now, and whether it is new: the same text again makes no version."""

    entry: Entry
    is_new: bool


class LineChange(NamedTuple):
    """A line of the earlier text and what stands there in the later one; `line` counts from 1 in the later text."""

    line: int
    before: str
    after: str


def submit(
    checks: EventChecks, events: Events, event: Event, player: Player, text: str, author: Author,
    seen_version: int | None = None,
) -> Submission:  # fmt: skip
    """Hands a deck list in as the next version, with its verdict.

    `seen_version` is the version that the author had before him (0: none; None: he need not know). Raises Closed for a
    player who may not any more, Overtaken where there is a newer version, UsageError for a text that is no list.
    """
    text = _tested(text)
    if author is Author.PLAYER:
        refuse_closed(event, player, now())
    verdict = checks.verdict(text)
    with events.step():
        versions = events.versions(player)
        latest = versions[0] if versions else None
        if seen_version is not None and seen_version != (latest.version if latest else 0):
            raise Overtaken("there is a newer version of this list", "Look at it, and change that one.")
        if latest and latest.text == text:
            return Submission(latest, False)
        if author is Author.PLAYER:
            _refuse_now(events, event, player)
            if len(versions) >= MOST_VERSIONS:
                raise UsageError(f"there are {MOST_VERSIONS} versions of this list", "Ask at the desk.")
        number = latest.version + 1 if latest else 1
        events.add_entry(player, number, text, author, verdict, moment_text(now()))
        return Submission(events.versions(player)[0], True)


def _refuse_now(events: Events, event: Event, player: Player) -> None:
    """Raises Closed by what stands in the file now: it may have been locked while the deck was checked."""
    event_now, player_now = events.event(event.key), events.player(event, player.id)
    if event_now is None or player_now is None:
        raise Closed("this list is not kept any more", "Ask at the desk.")
    refuse_closed(event_now, player_now, now())


def object_to(events: Events, player: Player, words: str) -> None:
    """Notes what a player says against the organiser's correction of his list. Raises UsageError."""
    words = " ".join(words.split())
    if not words or len(words) > LONGEST_OBJECTION:
        raise UsageError(f"a note has 1 to {LONGEST_OBJECTION} characters", "Say in a sentence what was meant.")
    with events.step():
        versions = events.versions(player)
        if not versions or versions[0].recorded_by is not Author.ORGANISER:
            raise UsageError("the desk has corrected nothing in this list", "Replace the list instead.")
        events.change_objection(versions[0], words)


def line_changes(before: str, after: str) -> list[LineChange]:
    """The lines in which two versions differ, paired in their order.

    Of 200 lines and more, those that come often are not matched: two lists of a thousand equal lines took 10 s.
    """
    old, new = before.splitlines(), after.splitlines()
    changes = []
    for kind, first, end, begin, stop in SequenceMatcher(None, old, new).get_opcodes():
        if kind == "equal":
            continue
        for at in range(max(end - first, stop - begin)):
            left = old[first + at] if first + at < end else ""
            right = new[begin + at] if begin + at < stop else ""
            changes.append(LineChange(min(begin + at, len(new)) + 1, left, right))
    return changes


def _tested(text: str) -> str:
    """A text that can be a deck list, with line feeds at its line ends. Raises UsageError."""
    if len(text.encode("utf-8", "replace")) > MOST_BYTES:
        raise UsageError(f"a deck list has at most {MOST_BYTES // 1000} kB", "Send the list alone.")
    text = text.replace("\r\n", "\n").replace("\r", "\n").strip("\n")
    if text.count("\n") >= MOST_LINES:
        raise UsageError(f"a deck list has at most {MOST_LINES} lines", "Send the list alone.")
    if not text.strip():
        raise UsageError("there is no deck list", "Paste it, or choose its file.")
    return text
