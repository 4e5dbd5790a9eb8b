"""The game of the handbook's chapter "Your game in an evening", as far as its steps have brought it.

A step is a block of code whose first words name the kind and the file: `yaml game.yaml`. Each of its lines takes the
place of the line that begins alike, up to the first colon, bracket or equals sign; where there is none, it comes last.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from carddb.app.games.new_game import game_folder, small_game
from carddb.core import assets
from carddb.core.errors import GameError
from carddb.games import Game, load

CHAPTER = "evening.md"
KEY = "night-market"
_BLOCK = re.compile(r"^```(?P<kind>\w+)(?: (?P<file>[\w./-]+))?\n(?P<text>.*?)^```$", re.M | re.S)
_BEGINNING = re.compile(r"[^:(=]*[:(=]")


class Step(NamedTuple):
    """A block of the chapter: commands, or lines of a file of the game."""

    file: str
    lines: tuple[str, ...]


def steps() -> Iterator[Step]:
    """The blocks of the chapter that are run, in their order; those without a file are commands."""
    text = (assets.handbook() / CHAPTER).read_text("utf-8")
    for block in _BLOCK.finditer(text):
        if block["file"] or block["kind"] == "console":
            yield Step(block["file"] or "", tuple(block["text"].splitlines()))


def take(step: Step, folder: Path) -> None:
    """Writes the lines of a step into its file of the game in a folder."""
    path = folder / step.file
    lines = path.read_text("utf-8").splitlines()
    for line in step.lines:
        match = _BEGINNING.match(line)
        at = next((n for n, old in enumerate(lines) if match and old.startswith(match[0])), None)
        if at is None:
            lines.append(line)
        else:
            lines[at] = line
    path.write_text("\n".join(lines) + "\n", "utf-8")


def evening_games(folder: Path) -> dict[str, Game]:
    """The game as it is at the end, and with a number behind its key after so many changes of its files."""
    changes = sum(bool(step.file) for step in steps())
    games = {f"{KEY}-{number}": evening_game(folder / str(number), number) for number in (0, 1)}
    return {KEY: evening_game(folder / "end", changes), **games}


def evening_game(folder: Path, changes: int) -> Game:
    """The game after so many changes, written into a folder. Raises GameError where a step spoils it."""
    place = folder / KEY
    for name, data in small_game(KEY).items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_bytes(data)
    for step in [step for step in steps() if step.file][:changes]:
        take(step, place)
    game, findings = load(game_folder(place)._replace(trusted=True))
    if game is None:
        raise GameError("the game of the evening cannot be used", findings=findings)
    return game
