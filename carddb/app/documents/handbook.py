"""The manual of carddb, set by carddb itself: one PDF, or a folder of web pages.

The game of its chapter "Your game in an evening" is made of the chapter's steps. A step is a block of code whose first
words name the kind and the file: `yaml game.yaml`. Each of its lines takes the place of the line that begins alike, up
to the first colon, bracket or equals sign; where there is none, it comes last.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from carddb.app.games.new_game import game_folder, small_game
from carddb.app.workspace.clock import creation
from carddb.app.workspace.published_folder import write_folder
from carddb.app.workspace.words import amount
from carddb.app.workspace.workspace import Workspace
from carddb.core import assets
from carddb.core.errors import GameError, UsageError
from carddb.findings import Finding, has_errors
from carddb.games import Game, folders, load
from carddb.press.documents.handbook import handbook_html, handbook_pdf, read_handbook

KINDS = ("pdf", "html")
PAPERS = ("letter", "a4")
_FIRST_PAGE = "index.html"
"""The page that leads to all others: it is written last."""


@dataclass(frozen=True, slots=True)
class HandbookFiles:
    """The handbook as files by name: one PDF, or web pages that link to each other and to nothing else.

    There are none where findings forbid it.
    """

    project: Workspace
    files: dict[str, bytes]
    summary: str
    """One line of what is in it."""
    findings: tuple[Finding, ...] = ()
    pages: int = 0
    """Of a PDF."""

    def write(self, path: Path | str) -> None:
        """Writes the PDF to a file, or the web pages into a folder. Raises OutputError.

        In the folder no page points at any moment to what is not there; pages of an earlier handbook go.
        """
        if self.pages:
            self.project.write(Path(path), *self.files.values())
        elif self.files:
            write_folder(self.project, Path(path), self.files, (_FIRST_PAGE,))


def print_handbook(project: Workspace, kind: str = "pdf", paper: str = "letter") -> HandbookFiles:
    """The handbook as `pdf` or `html`, its figures drawn from the games that carddb comes with.

    Raises UsageError for an unknown kind or paper, FontError.
    """
    if kind not in KINDS:
        raise UsageError(f"the handbook is not written as {kind}", f"Known: {', '.join(KINDS)}.")
    if paper not in PAPERS:
        raise UsageError(f"the handbook is not set on {paper}", f"Known: {', '.join(PAPERS)}.")
    with project.working("setting the handbook"), TemporaryDirectory() as place:
        shown = cache(lambda: {**{key: project.game(key) for key in folders()}, **evening_games(Path(place))})
        handbook = read_handbook(assets.handbook(), shown)
        if has_errors(handbook.findings):
            return HandbookFiles(project, {}, "nothing was written: mend the chapters first", handbook.findings)
        if kind == "pdf":
            data, pages = handbook_pdf(handbook, paper, creation(None))
            return HandbookFiles(project, {"handbook.pdf": data}, amount(pages, "page"), handbook.findings, pages)
        files = dict(handbook_html(handbook))
        return HandbookFiles(project, files, amount(len(files), "web page"), handbook.findings)


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
