"""Many deck lists at once, brought by the organiser: files, or mails pasted into one text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from tempfile import TemporaryDirectory
from typing import NamedTuple

from carddb.app.decks.convert import convert_deck
from carddb.app.events.checks import EventChecks, event_checks
from carddb.app.events.entries import Submission, submit
from carddb.app.events.players import add_players, clean_name, folded_name
from carddb.app.workspace.workspace import Workspace
from carddb.core.errors import CarddbError, CatalogError, GameError, UsageError
from carddb.events.records import Author, Event
from carddb.events.store import Events
from carddb.read.decks.pasted.mail import PastedDeck, player_named_in
from carddb.read.source import decode


class PlayerDeck(NamedTuple):
    """A deck list that was brought: whose it is, its text, and its file's name, by whose ending JSON is known."""

    player: str
    text: str
    file: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one deck list: the version that stands now, or why it was not taken."""

    player: str
    submission: Submission | None
    fault: CarddbError | None = None


def file_deck(name: str, data: bytes) -> PlayerDeck | Outcome:
    """A deck file: its player is named by its `Player:` line, else by its own name."""
    text, findings = decode(data, name)
    stem = PurePath(name.replace("\\", "/")).stem
    if text is None:
        return Outcome(stem, None, CarddbError(findings[0].message, findings[0].fix))
    return PlayerDeck(player_named_in(text) or stem, text, name)


def pasted_decks(decks: Sequence[PastedDeck], players: Sequence[str] = ()) -> list[PlayerDeck | Outcome]:
    """The decks of a pasted text; one whose player is not named cannot be taken.

    `players` are names that the organiser gives them, in their order; they count where there are as many.
    """
    unnamed = CarddbError("no line says whose deck this is", "Write Player: NAME above it.")
    names = players if len(players) == len(decks) else [deck.player for deck in decks]
    return [
        PlayerDeck(name, deck.text) if name.strip() else Outcome(f"line {deck.line}", None, unnamed)
        for name, deck in zip(names, decks, strict=True)
    ]


def submit_all(
    project: Workspace, events: Events, event: Event, decks: Sequence[PlayerDeck | Outcome]
) -> list[Outcome]:
    """Hands in each deck list for its player, who is added where he is new. One that is refused stops no other."""
    with event_checks(project, event.terms) as checks:
        return [each if isinstance(each, Outcome) else _outcome(checks, events, event, each) for each in decks]


def _outcome(checks: EventChecks, events: Events, event: Event, deck: PlayerDeck) -> Outcome:
    try:
        name = clean_name(deck.player)
        player = events.player_called(event, folded_name(name)) or add_players(events, event, [name])[0].player
        text = _from_json(checks, deck.text) if deck.file.lower().endswith(".json") else deck.text
        return Outcome(player.name, submit(checks, events, event, player, text, Author.ORGANISER))
    except (CatalogError, GameError):
        raise
    except CarddbError as fault:
        return Outcome(deck.player, None, fault)


def _from_json(checks: EventChecks, text: str) -> str:
    """A deck in JSON as the text that is stored and corrected. Raises UsageError for one that cannot be read."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "deck.json"
        path.write_text(text, "utf-8")
        converted = convert_deck(checks.project, path, "deck", checks.terms.game, checks.terms.day)
    fault = next((f for f in converted.findings if f.code.startswith("document_")), None)
    if fault:
        raise UsageError(fault.message, fault.fix)
    return converted.data.decode()
