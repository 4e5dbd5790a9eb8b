"""Notes on the players of an event: remarks of the desk, penalties, and messages to a player."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from carddb.app.workspace.clock import now
from carddb.core.errors import UsageError
from carddb.core.names import did_you_mean
from carddb.core.plain_text import without_controls
from carddb.events.store import Event, Events, Note, NoteKind, Player

LONGEST_NOTE = 500
MOST_NOTES = 200
"""The greatest number of notes on one player."""
NOTE_KINDS = {
    NoteKind.NOTE: "Note", NoteKind.MESSAGE: "Message", NoteKind.WARNING: "Warning", NoteKind.GAME_LOSS: "Game loss",
    NoteKind.MATCH_LOSS: "Match loss", NoteKind.DISQUALIFICATION: "Disqualification",
}  # fmt: skip
"""The words for each kind of note."""


def clean_note(text: str) -> str:
    """Returns the text of a note on one line, without control characters. Raises UsageError if it is empty or long."""
    clean = " ".join(without_controls(text).split())
    if not clean or len(clean) > LONGEST_NOTE:
        raise UsageError(f"a note has 1 to {LONGEST_NOTE} characters", "Say in a sentence what is meant.")
    return clean


def add_note(events: Events, event: Event, players: Sequence[Player], kind: str, text: str) -> None:
    """Adds the same note on each of the players, or on none.

    Raises UsageError if its kind is unknown, its text empty or too long, or if a player has too many notes.
    """
    if kind not in NOTE_KINDS:
        raise UsageError(f"there is no kind of note {kind!r}", did_you_mean(kind, NOTE_KINDS))
    clean = clean_note(text)
    with events.step():
        notes = events.notes(event)
        for player in players:
            if len(notes.get(player.id, [])) >= MOST_NOTES:
                raise UsageError(f"there are {MOST_NOTES} notes on {player.name}", "Write the rest on paper.")
            events.add_note(player, NoteKind(kind), clean, now())


def undo_note(events: Events, event: Event, player: Player, number: int) -> None:
    """Takes back the note of a player that has this number, counted from 1. It stays in the log with the time.

    Raises UsageError if there is no such note, or if it was taken back already.
    """
    with events.step():
        notes = events.notes(event).get(player.id, [])
        if not 1 <= number <= len(notes) or notes[number - 1].undone_at:
            raise UsageError(f"there is no note {number} on {player.name} to take back", "Look at the notes.")
        events.change_note(notes[number - 1], undone_at=now())


def read_notes(events: Events, event: Event, player: Player, last: int) -> None:
    """Stores that a player has read the notes that are shown to him, up to the one with the row id `last`."""
    with events.step():
        for note in shown_to_player(events.notes(event).get(player.id, [])):
            if note.id <= last and not note.read_at:
                events.change_note(note, read_at=now())


def shown_to_player(notes: Sequence[Note]) -> list[Note]:
    """Returns the messages and penalties that a player sees: those that were not taken back, the latest first."""
    return [note for note in reversed(notes) if note.kind is not NoteKind.NOTE and not note.undone_at]


def note_json(note: Note) -> dict[str, Any]:
    """Returns a note as it is exported."""
    return {
        "kind": note.kind.value, "text": note.text, "recorded_at": note.recorded_at.isoformat(),
        "undone_at": note.undone_at.isoformat() if note.undone_at else None,
        "read_at": note.read_at.isoformat() if note.read_at else None,
    }  # fmt: skip
