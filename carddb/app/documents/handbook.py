"""The manual of carddb, set by carddb itself: one PDF, or a folder of web pages."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from carddb.app.games.evening import evening_games
from carddb.app.workspace.clock import creation
from carddb.app.workspace.published_folder import write_folder
from carddb.core import assets
from carddb.core.amounts import amount
from carddb.core.errors import UsageError
from carddb.findings import Finding, has_errors
from carddb.games import folders
from carddb.press.documents.handbook import handbook_html, handbook_pdf, read_handbook

if TYPE_CHECKING:
    from carddb.app.workspace.workspace import Workspace

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
