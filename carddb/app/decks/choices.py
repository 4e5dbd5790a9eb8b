"""Decks that a page offers by name: those of a project's folder, and the examples of the games."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from carddb.app.workspace.workspace import Workspace
from carddb.core.errors import UsageError
from carddb.read.decks.file import game_of_deck

FOLDER = "decks"
"""Where a project keeps its decks."""


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
