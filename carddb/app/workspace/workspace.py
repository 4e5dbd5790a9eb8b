"""A workspace: settings, games, catalogue, notices and writing, which every use case of carddb takes."""

from __future__ import annotations

import copy
import os
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import date
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Self

from carddb.app.workspace.notices import NoticeListener, Notices, ProgressListener
from carddb.app.workspace.settings import Settings, find_settings
from carddb.bans.log import Log
from carddb.cards.cards import Pool
from carddb.core.errors import GameError, OutputError, UsageError
from carddb.core.files import FileState, NamedBytes, file_state, read_inside, same_file, write_file
from carddb.core.names import did_you_mean
from carddb.findings import has_errors
from carddb.games import Game, GameFolder, folders, load

if TYPE_CHECKING:
    from carddb.catalog.store import Catalog

_MOST_POOLS = 12
"""Pools that are kept between requests; anybody may ask for any day, so there is an end."""


class SharedCards:
    """The cards and ban lists that the requests of a front share, until the catalogue changes.

    A deck that is right takes 4 ms with them, where each check reads its cards anew 18 ms; opening takes 1 ms of it.
    """

    def __init__(self) -> None:
        self.pools: dict[tuple[str, date], Pool] = {}
        self.bans: dict[tuple[str, date], Log] = {}
        self._state: tuple[FileState, ...] = ()

    def refresh(self, catalogue: Path) -> None:
        """Forgets what may be old, or is too much. Another program may write between two requests."""
        state = catalogue_state(catalogue)
        if state != self._state or len(self.pools) > _MOST_POOLS:
            self._state = state
            self.pools.clear()
            self.bans.clear()


def catalogue_state(catalogue: Path) -> tuple[FileState, ...]:
    """Returns the state of a catalogue's files, which differs after any program has written to it."""
    return file_state(catalogue), file_state(catalogue.with_name(f"{catalogue.name}-wal"))


CATALOGUE = "carddb.db"


class Workspace(Notices):
    """A folder with its settings, the games it can use, and its catalogue.

    `folder` is where `carddb.toml` is looked for, at or above it. `catalog` names the catalogue, which must exist
    then, except for loading; otherwise CARDDB_CATALOG, the settings, or `carddb.db` in the folder say it, and a missing
    one is made with the sample cards. `games` are folders of further games, whose `rules.py` may run.
    """

    def __init__(
        self,
        folder: Path | str = ".",
        *,
        catalog: Path | str | None = None,
        games: Iterable[Path | str] = (),
        on_notice: NoticeListener | None = None,
        on_progress: ProgressListener | None = None,
    ) -> None:
        super().__init__(on_notice, on_progress)
        self.folder = Path(folder)
        self.explicit_catalog = None if catalog is None else Path(catalog)
        self.game_folders = tuple(map(Path, games))
        self.shared_cards: SharedCards | None = None
        """What the requests of a front share; a script reads its cards anew."""
        self._games: dict[str, Game] = {}
        self._sources: list[Path] = []
        self._catalog_seen = False  # one look whether there is a catalogue is enough

    # What a project consists of.

    @cached_property
    def settings(self) -> Settings:
        """The settings of the project file, or none. Raises InputError for a file that cannot be read."""
        return find_settings(self.folder.absolute())

    @property
    def catalog_path(self) -> Path:
        """The path of the catalogue, which need not exist yet."""
        explicit = self.explicit_catalog or os.environ.get("CARDDB_CATALOG")
        return Path(explicit) if explicit else self.settings.catalog or self.folder / CATALOGUE

    @property
    def art_folder(self) -> Path:
        """The folder of the pictures of cards."""
        return self.settings.root or self.folder.absolute()

    def picture_folders(self, game: Game) -> tuple[Path, ...]:
        """Returns the folders of pictures of a game's cards: the project's, then the game's own."""
        return game.picture_folders(self.art_folder)

    @cached_property
    def folders(self) -> dict[str, GameFolder]:
        """Every game that can be found, by key. Raises GameError for a folder that is not there."""
        # Beside each, whether its programs may run: not where a settings file names it.
        outside = [(path, False) for path in self.settings.games]
        outside += [(path, True) for path in (*self.game_folders, *environment_folders())]
        return folders(outside)

    def game(self, key: str) -> Game:
        """A game by key. Raises UsageError for an unknown key, GameError with findings where its files are faulty."""
        if key not in self._games:
            if key not in self.folders:
                raise UsageError(f"there is no game {key!r}", self.where_games_are(key))
            game, findings = load(self.folders[key])
            if game is None or has_errors(findings):
                raise GameError(f"the game {key} cannot be used as it is", "Mend what is listed above.", findings)
            if findings:
                self.notify("game_remarks", "", findings)
            self._games[key] = game
        return self._games[key]

    def where_games_are(self, key: str) -> str:
        """Returns the remedy for the key of an unknown game: the nearest keys, and where games are looked for."""
        places = {
            "games of carddb.toml": self.settings.games,
            "CARDDB_GAMES": environment_folders(),
            "--games": self.game_folders,
        }
        searched = [f"{name} ({', '.join(map(str, paths)) or 'nothing'})" for name, paths in places.items()]
        return f"{did_you_mean(key, self.folders)} Games are looked for in carddb itself, {', '.join(searched)}."

    def use_game(self, game: Game) -> None:
        """Takes a game that was read again in the place of the one before, for every fork of this project too."""
        self._games[game.key] = game

    def all_games(self) -> list[Game]:
        """Every game, loaded."""
        return [self.game(key) for key in self.folders]

    def bundled_games(self) -> list[Game]:
        """The games that come with carddb, loaded."""
        return [self.game(key) for key, folder in self.folders.items() if folder.bundled]

    def searched_games(self, key: str | None) -> list[Game]:
        """The game with this key, else the project's, else every game."""
        return [self.only_game(key)] if key or self.settings.game else self.all_games()

    def only_game(self, key: str | None = None) -> Game:
        """The game with this key, else the project's, else the only one there is. Raises UsageError."""
        key = key or self.settings.game
        if key is None and len(self.folders) == 1:
            key = next(iter(self.folders))
        if key is None:
            raise UsageError("which game?", f"Name it with --game: {', '.join(self.folders)}.")
        return self.game(key)

    @contextmanager
    def catalog(self, *, create: bool = False, temporary: bool = False) -> Iterator[Catalog]:
        """The catalogue, open. The default one is made where it is missing; an explicit one only with `create`.

        With `temporary` a missing one is made elsewhere and thrown away. Raises CatalogError.
        """
        store, path = self._store, self.catalog_path
        with ExitStack() as stack:
            if not self._catalog_seen and not store.exists(path) and (create or not self.explicit_catalog):
                if temporary:
                    path = Path(stack.enter_context(TemporaryDirectory())) / CATALOGUE
                count = self._create_catalog(path)
                if not temporary:
                    cards = f" with {count} sample cards" if count else ""
                    self.notify("catalogue_made", f"made the catalogue {path}{cards}")
            with store.open(path, must_exist=True) as catalog:
                if catalog.backup:
                    self.notify("catalogue_upgraded", f"brought {path} up to date; the old one is {catalog.backup}")
                self._catalog_seen = not temporary
                yield catalog

    def has_catalog(self) -> bool:
        """Returns whether there is a catalogue to read, or one was named."""
        return bool(self.explicit_catalog) or self._store.exists(self.catalog_path)

    @property
    def _store(self) -> type[Catalog]:
        """The class that opens catalogues."""
        from carddb.catalog.store import Catalog  # SQLite and its SQL, 8 ms, which the referee does without

        return Catalog

    def _create_catalog(self, path: Path) -> int:
        """Makes a catalogue; the number of its sample cards, which one that was asked for has not."""
        from carddb.app.workspace.ban_file import create_catalog  # the reader of ban lists, which most never need

        return create_catalog(path, () if self.explicit_catalog else self.bundled_games())

    # What is said on the way.

    def fork(self) -> Self:
        """Returns the same workspace with notices of its own that no listener gets: one for each request of a front.

        Loaded games are shared; the project file is read again.
        """
        fork = copy.copy(self)
        fork.__dict__.pop("settings", None)
        fork.notices, fork._sources = [], []
        fork._on_notice = fork._on_progress = None
        return fork

    # Files.

    def protect(self, path: Path) -> None:
        """A file that was read for this and must not be written over."""
        self._sources.append(path)

    def write(self, path: Path, data: bytes | Iterable[bytes], *, durable: bool = True) -> None:
        """Writes a file whole, also one that comes in parts. Raises OutputError, also for a file that was read."""
        if any(same_file(path, source) for source in (*self._sources, self.catalog_path)):
            raise OutputError(f"{path} was read for this and is not overwritten", "Name another file with -o.")
        write_file(path, data, durable=durable)


def environment_folders() -> list[Path]:
    """The folders that the environment names."""
    return [Path(part) for part in os.environ.get("CARDDB_GAMES", "").split(os.pathsep) if part]


def file_of(project: Workspace, path: Path) -> NamedBytes:
    """Returns a file of the project's folder that nobody named, as readers take it. Raises InputError."""
    return NamedBytes(read_inside(project.settings.root or project.folder, path), str(path))
