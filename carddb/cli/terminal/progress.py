"""Long work on a terminal: a bar, or a turning mark where nobody knows how long; nothing in a pipe."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

from carddb.app.workspace.notices import Progress
from carddb.core.plain_text import escaped_line

if TYPE_CHECKING:
    from rich.progress import Progress as Display
    from rich.progress import TaskID


_SECONDS_BETWEEN = 0.1
"""How long a bar stands before it is drawn again."""


class Bars:
    """Draws the progress of one work at a time, and takes it away when the work ends."""

    def __init__(self, quiet: bool) -> None:
        self._quiet = quiet
        self._display: Display | None = None
        self._task: TaskID | None = None
        self._drawn = 0.0

    def update(self, progress: Progress) -> None:
        """Shows how far the work has come."""
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
    """A bar without a thread of its own: processes may be forked while it stands."""
    from rich import console, progress  # 30 ms, which what is written into a pipe does without

    spinner = () if counted else (progress.SpinnerColumn(),)
    words = progress.TextColumn("{task.description}", markup=False)
    columns = (*spinner, words, progress.BarColumn(), progress.TimeElapsedColumn())
    screen = console.Console(stderr=True)
    return progress.Progress(*columns, console=screen, transient=True, auto_refresh=False)
