"""Decks that a page offers by name: those of a project's folder, and the examples of the games."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import NamedTuple

from carddb.app.decks.reading import read_deck
from carddb.app.workspace.workspace import Workspace
from carddb.core.errors import CarddbError, UsageError
from carddb.games import Game
from carddb.read.decks.file import game_of_deck

FOLDER = "decks"
"""Where a project keeps its decks."""
_MOST_SEARCHED = 300


class DeckChoice(NamedTuple):
    """A deck that can be chosen: its key on a page, the game that it belongs to, a name for people, its file."""

    key: str
    game: str
    label: str
    path: Path


def deck_choices(project: Workspace, own: bool = True) -> list[DeckChoice]:
    """The decks that can be chosen; `own`: also those of the project's folder, which come first."""
    choices = []
    folder = (project.settings.root or project.folder) / FOLDER
    keys = {game.key: game.key for game in project.all_games()}
    for path in sorted(folder.glob("*.deck")) if own else ():
        key = game_of_deck(path.read_text("utf-8", "replace"), path.name, keys)
        if key in keys:
            choices.append(DeckChoice(f"own:{path.name}", str(key), f"{path.stem} (yours)", path))
    for game in project.all_games():
        choices += [
            DeckChoice(f"{game.key}:{path.name}", game.key, path.stem.replace("-", " ").capitalize(), path)
            for path in game.folder.decks
        ]
    return choices


def chosen_text(choices: list[DeckChoice], key: str) -> str:
    """The text of a deck that was chosen. Raises UsageError."""
    path = next((choice.path for choice in choices if choice.key == key), None)
    if path is None:
        raise UsageError("there is no such deck", "Choose one of the list.")
    return path.read_text("utf-8") + "\n"


def decks_with(project: Workspace, game: Game, ref: str, on: date) -> list[tuple[str, int]]:
    """The decks of the project's folder that play a card, each with its copies; one that cannot be read plays none."""
    found = []
    for path in sorted(((project.settings.root or project.folder) / FOLDER).glob("*.deck"))[:_MOST_SEARCHED]:
        try:
            read = read_deck(project, path, None, on)
        except CarddbError:
            continue  # `check decks` says why
        count = sum(entry.count for entry in read.deck.entries if entry.ref == ref)
        if read.game.key == game.key and count:
            found.append((read.deck.name or Path(read.deck.file).stem, count))
    return found
