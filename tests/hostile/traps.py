"""Files of a folder that lead out of it, or have no end, in the place of those that a game or a project has."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

SECRET = "TOPSECRET"
"""The word of a file outside that nothing may quote."""
_SECRET = f"{SECRET}: hidden\n# {SECRET}\n1 {SECRET}\n<svg>{SECRET}</svg>\n"
_GIANT = 20 << 30
"""Bytes of a file without any content."""


def _link(path: Path) -> None:
    outside = Path("outside").absolute()
    outside.mkdir(exist_ok=True)
    for name in (path.name, "secret.svg", "secret.deck"):
        (outside / name).write_text(_SECRET, "utf-8")
    path.symlink_to(outside / path.name if path.suffix else outside)


def _giant(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(_GIANT)


TRAPS: Mapping[str, Callable[[Path], None]] = {
    "link": _link,
    "loop": lambda path: path.symlink_to(path.name),
    "device": lambda path: path.symlink_to("/dev/zero"),
    "pipe": os.mkfifo,
    "giant": _giant,
}
READERS: Mapping[str, tuple[str, ...]] = {
    "lanterns/game.yaml": ("games", "lanterns"),
    "lanterns/rules.yaml": ("games", "lanterns"),
    "lanterns/tables/more.json": ("games", "lanterns"),
    "lanterns/labels.de.yaml": ("games", "lanterns"),
    "lanterns/bans.yaml": ("conform", "lanterns"),
    "lanterns/cards.csv": ("conform", "lanterns"),
    "lanterns/decks/lamps.deck": ("conform", "lanterns"),
    "lanterns/decks/quiet.deck": ("init", "new", "--game", "lanterns"),
    "lanterns/decks": ("conform", "lanterns"),
    "lanterns/guide.md": ("guide", "lanterns", "-o", "out.html"),
    "lanterns/templates/card.svg": ("components", "lanterns", "-o", "out.pdf"),
    "lanterns/templates": ("components", "lanterns", "-o", "out.pdf"),
    "lanterns/fonts/own.ttf": ("components", "lanterns", "-o", "out.pdf"),
    "lanterns/cards.patch.csv": ("load", "lanterns/cards.csv", "--game", "lanterns"),
    "more/cards.csv": ("load", "more", "--game", "lanterns"),
    "carddb.toml": ("games", "lanterns"),
}
"""The files of a game and a project, with a verb that reads each."""


def lay(name: str, trap: str) -> None:
    """Puts a trap in the place of a file of the game in the working folder, or of its project."""
    path = Path(name)
    path.parent.mkdir(exist_ok=True)
    if path.is_dir():
        shutil.rmtree(path)
    path.unlink(missing_ok=True)
    if path.suffix == ".ttf":
        game = path.parent.parent / "game.yaml"
        game.write_text(
            f"{game.read_text('utf-8')}\nfonts: {{Own: {{files: {{'400': fonts/{path.name}}}}}}}\n", "utf-8"
        )
    TRAPS[trap](path)
