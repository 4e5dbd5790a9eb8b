"""A run of the program: its project, its messages on the terminal, and progress bars."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from carddb.app.workspace.workspace import Notice, Progress, Workspace
from carddb.cli import show
from carddb.core.plain_text import escaped_line
from carddb.findings import exit_code

if TYPE_CHECKING:
    from rich.progress import Progress as Display
    from rich.progress import TaskID

    from carddb.app.printing.sheet_job import PrintResult
    from carddb.app.workspace.published_folder import PrintedFile

_SECONDS_BETWEEN = 0.1
"""The seconds between two updates of a progress bar."""


class Bars:
    """Draws the progress of one task at a time, and removes the bar when the task ends."""

    def __init__(self, quiet: bool) -> None:
        self._quiet = quiet
        self._display: Display | None = None
        self._task: TaskID | None = None
        self._drawn = 0.0

    def update(self, progress: Progress) -> None:
        """Shows the progress."""
        if self._quiet or not sys.stderr.isatty():
            return
        if self._display is None:
            self._display = _display(progress.total is not None)
            self._display.start()
            self._task = self._display.add_task("", total=progress.total)
        assert self._task is not None
        title = escaped_line(progress.step or progress.title)
        self._display.update(self._task, description=title, completed=progress.done)
        if time.monotonic() - self._drawn > _SECONDS_BETWEEN:
            self._display.refresh()
            self._drawn = time.monotonic()
        if progress.finished:
            self._display.stop()
            self._display = None


def _display(counted: bool) -> Display:
    """Returns a progress bar without a thread of its own, because processes may be forked while it is shown."""
    from rich import console, progress  # 30 ms, not if the output is a pipe

    spinner = () if counted else (progress.SpinnerColumn(),)
    words = progress.TextColumn("{task.description}", markup=False)
    columns = (*spinner, words, progress.BarColumn(), progress.TimeElapsedColumn())
    screen = console.Console(stderr=True)
    return progress.Progress(*columns, console=screen, transient=True, auto_refresh=False)


class Session:
    """A run of the program in a project. It prints only errors if `quiet`, and also minor remarks if `verbose`."""

    def __init__(self, catalog: Path | None, game_folders: tuple[Path, ...], quiet: bool, verbose: bool) -> None:
        self.quiet = quiet
        self.verbose = verbose
        self.project = Workspace(
            catalog=catalog, games=game_folders, on_notice=self._show_notice, on_progress=Bars(quiet).update
        )

    def say(self, text: str) -> None:
        """Prints a line on standard error, unless the session is quiet."""
        if not self.quiet:
            show.echo(text, err=True)

    def write(self, path: Path, data: bytes | Iterable[bytes]) -> None:
        """Writes a file, or to standard output for `-`. Raises OutputError if it cannot, or if `path` was read."""
        if str(path) == "-":
            for part in (data,) if isinstance(data, bytes) else data:
                show.stream(part)
        else:
            self.project.write(path, data)

    def write_sheets(self, output: Path, printed: PrintedFile | PrintResult) -> None:
        """Writes a printed file, and beside it the files with its cut lines. Says of each what it is."""
        self.write(output, printed.data)
        self.say(f"{output}: {printed.summary}")
        for each in printed.cut_files:
            path = each.beside(output)
            self.write(path, each.data)
            self.say(f"{path}: cut lines of sheet{'' if each.sheets.isdigit() else 's'} {each.sheets}")

    def write_printed(self, output: Path, printed: PrintedFile) -> int:
        """Writes a printed file, says what it is and how to print it, and returns the exit code for its findings."""
        self.write_sheets(output, printed)
        for run in printed.runs:
            self.say(run)
        if printed.ink and not self.quiet:
            self.say(str(printed.ink()))
        show.findings(printed.findings, err=True)
        return exit_code(printed.findings)

    def _show_notice(self, notice: Notice) -> None:
        if notice.code != "game_remarks" or not self.quiet:
            show.findings(notice.findings, err=True)
        if notice.message:
            self.say(notice.message)
