"""One run of the program: the project that it works on, and what is said on the terminal."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from carddb.app.workspace.notices import Notice
from carddb.app.workspace.workspace import Workspace
from carddb.cli import show
from carddb.cli.terminal.progress import Bars


class Session:
    """The project, and how much is said: `quiet` only errors, `verbose` infos too."""

    def __init__(self, catalog: Path | None, game_folders: tuple[Path, ...], quiet: bool, verbose: bool) -> None:
        self.quiet = quiet
        self.verbose = verbose
        self.project = Workspace(
            catalog=catalog, games=game_folders, on_notice=self._show_notice, on_progress=Bars(quiet).update
        )

    def say(self, text: str) -> None:
        """A line on standard error, unless the program is to be quiet."""
        if not self.quiet:
            show.echo(text, err=True)

    def write(self, path: Path, data: bytes | Iterable[bytes]) -> None:
        """Writes a file whole, or to standard output for `-`. Raises OutputError, also for a file that was read."""
        if str(path) == "-":
            for part in (data,) if isinstance(data, bytes) else data:
                show.stream(part)
        else:
            self.project.write(path, data)

    def _show_notice(self, notice: Notice) -> None:
        if notice.code != "game_remarks" or not self.quiet:
            show.findings(notice.findings, err=True)
        if notice.message:
            self.say(notice.message)
