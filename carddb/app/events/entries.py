"""The deck lists of an event: submitting, replacing and correcting them. Every version is stored, with its verdict."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, timedelta
from difflib import SequenceMatcher
from functools import cached_property
from pathlib import PurePath
from typing import NamedTuple

from carddb.app.decks.check import Report, check_deck
from carddb.app.decks.check_many import first_reason
from carddb.app.decks.forecast import forecast
from carddb.app.decks.lists import convert_deck
from carddb.app.events import tournament
from carddb.app.workspace.clock import now
from carddb.app.workspace.day_cards import DayCards, day_cards
from carddb.bans.edition import fingerprint
from carddb.bans.state import state
from carddb.catalog.store import Catalog
from carddb.core.errors import CarddbError, CatalogError, GameError, UsageError
from carddb.core.plain_text import escaped
from carddb.core.version import __version__
from carddb.events.store import Author, Events, EventTerms, ListVersion, Player, Verdict
from carddb.findings import counts
from carddb.read.decks.pasted import PastedDeck, player_named_in
from carddb.read.decks.text import OpenedDeck
from carddb.read.source import decode

_MOST_FINDINGS = 100
"""The most findings of a deck that are stored; the stored counts include the others."""


@dataclass(frozen=True, slots=True)
class Recheck:
    """The result of checking all decks again: their number, and each changed verdict, as player, old, new."""

    decks: int
    changed: tuple[tuple[Player, str, str], ...]


class ListOfDay(NamedTuple):
    """A ban list as it is on the day of an event: its title, format and fingerprint."""

    title: str
    format: str
    fingerprint: str


class EventChecks:
    """The checks of decks by the terms of one event, which read the cards and the ban lists only once."""

    def __init__(self, event: tournament.OpenEvent, cards: DayCards | None = None) -> None:
        self.event = event
        self._cards = cards

    @cached_property
    def basis(self) -> str:
        """The digest of the cards and ban lists that decks are checked against; see the function `basis`."""
        return basis(self.event)

    def report(self, text: str) -> Report:
        """Returns the report of the deck `text`. Raises UsageError or InputError if the event's terms allow none."""
        return check_deck(self.event.project, f"{text}\n", tournament.request_of(self.event.terms), self._cards)

    def verdict(self, text: str) -> Verdict:
        """Returns the verdict on the deck `text`, in the form in which it is stored. Raises what `report` raises."""
        report = self.report(text)
        return Verdict(
            deck=report.deck.name,
            fingerprint=report.fingerprint,
            verdict=report.verdict,
            reason=first_reason(report),
            findings=tuple(finding.to_json() for finding in report.findings[:_MOST_FINDINGS]),
            counts=counts(report.findings),
            legal_until=self._legal_until(text) if report.verdict == "illegal" else None,
            basis=self.basis,
        )

    def _legal_until(self, text: str) -> date | None:
        """Returns the last legal day of a deck that is legal today, but no longer on the event's day; else None."""
        terms, today = self.event.terms, tournament.today_there(self.event.terms)
        if today >= terms.day:
            return None
        ahead = forecast(self.event.project, f"{text}\n", tournament.request_of(terms, today), terms.day, self._cards)
        days = [day for day, _ in ahead.coming]
        return min(days) - timedelta(1) if days and not ahead.findings else None


@contextmanager
def event_checks(event: tournament.OpenEvent) -> Iterator[EventChecks]:
    """Opens the catalogue within the block, and yields the checks of an event's decks. Raises CatalogError."""
    with day_cards(event.project) as cards:
        yield EventChecks(event, cards)


def basis(event: tournament.OpenEvent) -> str:
    """Returns a digest (16 hex digits) of what decks are checked against: cards, ban lists and carddb's version."""
    with event.project.catalog() as catalog:
        cards = catalog.revision_hash(event.terms.game, event.terms.day)
        lists = [each.fingerprint for each in lists_of_day(catalog, event.terms)]
    return hashlib.sha256("\n".join([__version__, cards, *lists]).encode()).hexdigest()[:16]


def lists_of_day(catalog: Catalog, terms: EventTerms) -> list[ListOfDay]:
    """Returns the ban lists of an event's game, as they are on the day of the event."""
    log = catalog.ban_log(terms.game, day=terms.day)
    return [
        ListOfDay(spec.title, spec.format, fingerprint(state(log, key, terms.day, None), log.levels, log.groups))
        for key, spec in log.lists.items()
    ]


def list_of_event(event: tournament.OpenEvent) -> ListOfDay | None:
    """Returns the ban list by which the decks of an event are checked; None if its format has none."""
    with event.project.catalog() as catalog:
        return next((each for each in lists_of_day(catalog, event.terms) if each.format == event.terms.format), None)


def recheck(event: tournament.OpenEvent) -> Recheck:
    """Checks all deck lists of an event again, and stores the new verdicts. Raises what `EventChecks.report` raises."""
    entries = event.store.entries(event)
    players = {player.id: player for player in event.store.players(event)}
    with event_checks(event) as checks:
        verdicts = [(entry, checks.verdict(entry.text)) for entry in entries.values()]
    with event.store.step():
        for entry, verdict in verdicts:
            event.store.change_verdict(entry, verdict, now())
    pairs = ((players[entry.player_id], entry.verdict.verdict, new.verdict) for entry, new in verdicts)
    return Recheck(len(verdicts), tuple((player, old, new) for player, old, new in pairs if new != old))


MOST_BYTES, MOST_LINES = 200_000, 1_000
"""The most bytes and the most lines of one deck list."""
MOST_VERSIONS = 200


class Submission(NamedTuple):
    """The current version of a deck list, and whether it is new: the same text again makes no new version."""

    entry: ListVersion
    is_new: bool


class LineChange(NamedTuple):
    """A line that differs between two versions of a text; `line` is its number in the later version, from 1."""

    line: int
    before: str
    after: str


def submit(
    checks: EventChecks, player: Player, text: str, author: Author, seen_version: int | None = None
) -> Submission:
    """Checks the deck list `text`, and stores it as the next version of the player's list.

    `seen_version` is the version that the author saw before (0: none; None: not checked). Raises Closed if the player
    may not submit lists now, Overtaken if there is a newer version, UsageError if the text is empty or too long.
    """
    text, event = _tested(text), checks.event
    if author is Author.PLAYER:
        tournament.refuse_closed(event, player, now())
    verdict = checks.verdict(text)
    with event.store.step():
        versions = event.store.versions(player)
        latest = versions[0] if versions else None
        if seen_version is not None and seen_version != (latest.version if latest else 0):
            raise tournament.Overtaken("this deck list has changed since you opened it", "Change the newer version.")
        if latest and latest.text == text:
            return Submission(latest, False)
        if author is Author.PLAYER:
            # The stored state counts, because the list may have been locked while the deck was checked.
            event_now, player_now = event.store.event(event.key), event.store.player(event, player.id)
            if event_now is None or player_now is None:
                raise tournament.Closed("this deck list has been deleted", "Ask at the desk.")
            tournament.refuse_closed(event_now, player_now, now())
            if len(versions) >= MOST_VERSIONS:
                raise UsageError(f"this deck list has {MOST_VERSIONS} versions, the most allowed", "Ask at the desk.")
        number = latest.version + 1 if latest else 1
        moment = now()
        event.store.add(
            "entry", player_id=player.id, version=number, text=text, recorded_at=moment, recorded_by=author,
            since=moment, checked_at=moment, verdict=verdict,
        )  # fmt: skip
        return Submission(event.store.versions(player)[0], True)


def object_to(events: Events, player: Player, words: str) -> None:
    """Stores a player's objection to the organiser's correction of the player's list.

    Raises UsageError if the objection is empty or too long, or if the latest version is not from the organiser.
    """
    words = tournament.clean_note(words)
    with events.step():
        versions = events.versions(player)
        if not versions or versions[0].recorded_by is not Author.ORGANISER:
            raise UsageError("the desk has not corrected this deck list", "To change the list, replace it.")
        events.change(versions[0], objection=words)


def line_changes(before: str, after: str) -> list[LineChange]:
    """Returns the lines in which two versions of a list differ, in order, with hidden characters written out.

    Frequent lines of a text of 200 lines or more are not matched, since two lists of a thousand equal lines took 10 s.
    """
    old, new = before.splitlines(), after.splitlines()
    changes = []
    for kind, first, end, begin, stop in SequenceMatcher(None, old, new).get_opcodes():
        if kind == "equal":
            continue
        for at in range(max(end - first, stop - begin)):
            left = old[first + at] if first + at < end else ""
            right = new[begin + at] if begin + at < stop else ""
            changes.append(LineChange(min(begin + at, len(new)) + 1, escaped(left), escaped(right)))
    return changes


def _tested(text: str) -> str:
    """Returns the text of a deck list with `\\n` as line end. Raises UsageError if the text is empty or too long."""
    if (size := len(text.encode("utf-8", "replace"))) > MOST_BYTES:
        raise UsageError(f"{size:,} bytes are too many for a deck list", f"Send at most {MOST_BYTES:,}: only the list.")
    text = text.replace("\r\n", "\n").replace("\r", "\n").strip("\n")
    if (lines := text.count("\n") + 1) > MOST_LINES:
        raise UsageError(f"{lines:,} lines are too many for a deck list", f"Send at most {MOST_LINES}: only the list.")
    if not text.strip():
        raise UsageError("the deck list is empty", "Paste the list, or choose its file.")
    return text


class PlayerDeck(NamedTuple):
    """A deck list to submit: the player's name, the text, and the name of its file (`.json` if it is JSON)."""

    player: str
    text: str
    file: str = ""


@dataclass(frozen=True, slots=True)
class EntryOutcome:
    """The outcome for one deck list: its current version, or the reason why it was refused (`fault`)."""

    player: str
    submission: Submission | None
    fault: CarddbError | None = None


def file_deck(name: str, data: bytes) -> PlayerDeck | EntryOutcome:
    """Returns a file as a deck list of the player in its `Player:` line or else its name; a refusal if not text."""
    text, findings = decode(data, name)
    stem = PurePath(name.replace("\\", "/")).stem
    if text is None:
        return EntryOutcome(stem, None, CarddbError(findings[0].message, findings[0].fix))
    return PlayerDeck(player_named_in(text) or stem, text, name)


def pasted_decks(decks: Sequence[PastedDeck], players: Sequence[str] = ()) -> list[PlayerDeck | EntryOutcome]:
    """Returns pasted decks as deck lists to submit; a deck without the name of its player becomes a refusal.

    `players` are names given by the organiser, in the order of the decks; they only count if there is one for each.
    """
    unnamed = CarddbError("no line says whose deck this is", "Write a line Player: NAME above the deck.")
    names = players if len(players) == len(decks) else [deck.player for deck in decks]
    return [
        PlayerDeck(name, deck.text) if name.strip() else EntryOutcome(f"line {deck.line}", None, unnamed)
        for name, deck in zip(names, decks, strict=True)
    ]


def submit_all(event: tournament.OpenEvent, decks: Sequence[PlayerDeck | EntryOutcome]) -> list[EntryOutcome]:
    """Submits deck lists, and registers new players. A list that is refused does not stop the others."""
    with event_checks(event) as checks:
        return [each if isinstance(each, EntryOutcome) else _outcome(checks, each) for each in decks]


def _outcome(checks: EventChecks, deck: PlayerDeck) -> EntryOutcome:
    event = checks.event
    try:
        name = tournament.clean_name(deck.player)
        player = tournament.player_named(event, name) or tournament.add_players(event, [name])[0].player
        text = _from_json(event, deck.text) if deck.file.lower().endswith(".json") else deck.text
        return EntryOutcome(player.name, submit(checks, player, text, Author.ORGANISER))
    except (CatalogError, GameError):
        raise
    except CarddbError as fault:
        return EntryOutcome(deck.player, None, fault)


def _from_json(event: tournament.OpenEvent, text: str) -> str:
    """Returns a deck in JSON as deck text, the form in which it is stored. Raises UsageError if it cannot be read."""
    deck = OpenedDeck(text, "deck.json", [])
    converted = convert_deck(event.project, deck, "deck", event.terms.game, event.terms.day)
    fault = next((f for f in converted.findings if f.code.startswith("document_")), None)
    if fault:
        raise UsageError(fault.message, fault.fix)
    return converted.data.decode()
