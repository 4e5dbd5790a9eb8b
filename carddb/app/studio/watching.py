"""Which files were saved: of the project, the game and its templates, as it happens."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

from watchfiles import awatch

from carddb.app.workspace.workspace import Workspace
from carddb.core import assets
from carddb.games import Game
from carddb.press.faces.workshop import BASE

_DEBOUNCE, _STEP = 50, 10
"""Milliseconds that changes are gathered, and between two looks: a save is told after 10 to 21 ms."""
_KINDS = {
    ".svg": "template", ".csv": "cards", ".tsv": "cards", ".xlsx": "cards", ".ods": "cards", ".json": "cards",
    ".yaml": "game", ".yml": "game", ".md": "guide", ".ttf": "font", ".otf": "font", ".png": "art", ".jpg": "art",
    ".jpeg": "art", ".webp": "art", ".gif": "art", ".bmp": "art", ".tif": "art", ".tiff": "art", ".db": "catalogue",
}  # fmt: skip
"""What a file of an ending may mean to a face; others mean nothing."""


def watched_folders(project: Workspace, game: Game) -> list[Path]:
    """The folders whose files cards and faces of a game come from: folders, since a watched file is lost by a save."""
    folders = (project.art_folder, game.folder.path, game.folder.template_folder, assets.templates() / BASE)
    there = [folder.resolve() for folder in folders if folder.is_dir()]
    return [
        one for one in dict.fromkeys(there) if not any(one != other and one.is_relative_to(other) for other in there)
    ]


def kind_of(path: Path, project: Workspace) -> str:
    """What a file may mean to the faces; empty where nothing."""
    if path.name.startswith("."):
        return ""
    kind = _KINDS.get(path.suffix.lower(), "")
    if kind == "template" and path.is_relative_to(project.art_folder.resolve()) and path.parent.name != "templates":
        return "art"
    return kind


async def saved_files(project: Workspace, game: Game) -> AsyncIterator[dict[str, str]]:
    """The files that were saved, made or removed together, by name, and what each may mean: `unit.svg`, `template`.

    First an empty one, as soon as the folders are watched: what was saved just before is seen by looking then. It ends
    when it is closed.
    """
    folders = watched_folders(project, game)
    is_watching = False
    async for changes in awatch(*folders, debounce=_DEBOUNCE, step=_STEP, rust_timeout=500, yield_on_timeout=True):
        saved = {path.name: kind for _, name in changes if (kind := kind_of(path := Path(name), project))}
        if saved or not is_watching:
            is_watching = True
            yield saved
