"""What every verb shares: settings, the games, the catalogue, the day, and what may be said on the terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import click

from carddb.cli.project import Project, find_project
from carddb.errors import GameError, OutputError, UsageError
from carddb.names import did_you_mean

if TYPE_CHECKING:
    from carddb.catalog.store import Catalog
    from carddb.games import Game, GameFolder


class Session:
    """One run of the program."""

    def __init__(self, catalog: Path | None, game_folders: tuple[Path, ...], quiet: bool, verbose: bool) -> None:
        self.named_catalog = catalog
        self.game_folders = game_folders
        self.quiet = quiet
        self.verbose = verbose
        self._games: dict[str, Game] = {}
        self._kept: list[Path] = []
        self._catalog_seen = False  # one look whether there is a catalogue is enough for a run

    @cached_property
    def project(self) -> Project:
        """The project file found by walking up, or an empty one."""
        return find_project(Path.cwd())

    @property
    def catalog_path(self) -> Path:
        """Option, environment, project file, `carddb.db` here."""
        named = self.named_catalog or os.environ.get("CARDDB_CATALOG")
        return Path(named) if named else self.project.catalog or Path("carddb.db")

    @cached_property
    def folders(self) -> dict[str, GameFolder]:
        """Every game that can be found, by key."""
        from carddb.games import folders

        named = [Path(part) for part in os.environ.get("CARDDB_GAMES", "").split(os.pathsep) if part]
        trusted = [(path, True) for path in (*self.game_folders, *named)]
        return folders([*((path, False) for path in self.project.games), *trusted])

    def game(self, key: str) -> Game:
        """A game by key. Raises UsageError for an unknown key, GameError where its files are faulty."""
        if key not in self._games:
            from carddb.cli import show
            from carddb.findings import has_errors
            from carddb.games import load

            if key not in self.folders:
                raise UsageError(f"there is no game {key!r}", did_you_mean(key, self.folders))
            game, findings = load(self.folders[key])
            if game is None or has_errors(findings):
                show.findings(findings, err=True)
                raise GameError(f"the game {key} cannot be used as it is", "Mend what is listed above.")
            if not self.quiet:
                show.findings(findings, err=True)
            self._games[key] = game
        return self._games[key]

    def all_games(self) -> list[Game]:
        """Every game, loaded."""
        return [self.game(key) for key in self.folders]

    def games_meant(self, given: str | None) -> list[Game]:
        """The game named, else the project's, else every game."""
        return [self.only_game(given)] if given or self.project.game else self.all_games()

    def say(self, text: str) -> None:
        """A line on standard error, unless the program is to be quiet."""
        if not self.quiet:
            click.echo(text, err=True)

    def keep(self, path: Path) -> None:
        """A file that was read and must not be written over."""
        self._kept.append(path)

    def write(self, path: Path, data: bytes) -> None:
        """Writes a file whole, or to standard output for `-`. Raises OutputError, also for a file that was read."""
        if str(path) == "-":
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()
            return
        if any(_same(path, kept) for kept in (*self._kept, self.catalog_path)):
            raise OutputError(f"{path} was read for this and is not overwritten", "Name another file with -o.")
        from carddb.files import write_file

        write_file(path, data)

    @contextmanager
    def catalog(self, create: bool = False, keep: bool = True) -> Iterator[Catalog]:
        """The catalogue, open. The default one is made where it is missing; a named one only with `create`.

        Without `keep` a missing one is made elsewhere and thrown away.
        """
        from carddb.catalog.store import Catalog

        path = self.catalog_path
        with ExitStack() as passing:
            if not self._catalog_seen and not Catalog.exists(path) and (create or not self.named_catalog):
                path = path if keep else _passing_folder(passing) / "carddb.db"
                self._make(path, say=keep)
            with Catalog.open(path, must_exist=True) as catalog:
                if catalog.backup:
                    self.say(f"brought {path} up to date; the old one is {catalog.backup}")
                self._catalog_seen = keep
                yield catalog

    def _make(self, path: Path, say: bool) -> None:
        """Makes a catalogue; the default one gets the sample cards."""
        from carddb.catalog.store import Catalog
        from carddb.cli.samples import load_samples

        with Catalog.create(path) as catalog:
            loaded = 0 if self.named_catalog else load_samples(self, catalog)
        if say:
            self.say(f"made the catalogue {path}" + (f" with {loaded} sample cards" if loaded else ""))

    def only_game(self, given: str | None) -> Game:
        """The game named, else the project's, else the only one there is. Raises UsageError."""
        key = given or self.project.game
        if key is None and len(self.folders) == 1:
            key = next(iter(self.folders))
        if key is None:
            raise UsageError("which game?", f"Name it with --game: {', '.join(self.folders)}.")
        return self.game(key)


def _passing_folder(stack: ExitStack) -> Path:
    import tempfile

    return Path(stack.enter_context(tempfile.TemporaryDirectory()))


def user() -> str:
    """Who changes the catalogue, for its history."""
    import getpass

    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return "unknown"


def _same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except (OSError, ValueError):
        return False
