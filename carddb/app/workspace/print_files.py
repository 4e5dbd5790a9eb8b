"""What is printed as one file, for whoever asked for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from carddb.app.workspace.notices import Notice
from carddb.app.workspace.workspace import Workspace
from carddb.core.errors import OutputError
from carddb.core.files import write_file
from carddb.findings import Finding

if TYPE_CHECKING:
    from carddb.press.sheets.ink_estimate import Ink


@dataclass(frozen=True, slots=True)
class PrintedFile:
    """The bytes of a file, what is on its pages, and what there is to say about it.

    `cards` are the cards or pieces on it; `pages` is 0 for a web page. `data` is empty where findings forbid it.
    """

    data: bytes
    pages: int = 0
    sheets: int = 0
    cards: int = 0
    findings: tuple[Finding, ...] = ()
    notices: tuple[Notice, ...] = ()
    summary: str = ""
    """One line of what is in it."""
    runs: tuple[str, ...] = ()
    """Which pages to print on what, a line for each run of the printer; empty where all pages are alike."""
    ink: Callable[[], Ink] | None = field(default=None, repr=False)
    """Estimates the ink that it takes."""
    project: Workspace | None = field(default=None, repr=False)

    def write(self, path: Path | str) -> None:
        """Writes the file whole. Raises OutputError, also where nothing was printed or `path` was read for it."""
        write_printed(self.project, Path(path), self.data)


def write_printed(project: Workspace | None, path: Path, data: bytes) -> None:
    """Writes what was printed. Raises OutputError."""
    if not data:
        raise OutputError(f"nothing was printed for {path}", "The findings of the result say why.")
    if project:
        project.write(path, data)
    else:
        write_file(path, data)
