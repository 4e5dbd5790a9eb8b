"""A workspace: the settings, games, catalogue, notices and output files that every use case works with."""

from __future__ import annotations

import copy
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from datetime import date
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple, Self

from carddb.app.workspace.settings import Settings, find_settings
from carddb.bans.log import Log
from carddb.cards.cards import Pool
from carddb.core.errors import GameError, OutputError, UsageError
from carddb.core.files import FileState, file_state, same_file, write_file
from carddb.core.names import Vocabulary, did_you_mean
from carddb.core.version import __version__
from carddb.findings import Finding, has_errors
from carddb.games import Game, GameFolder, folders, load
from carddb.press import Step

if TYPE_CHECKING:
    from carddb.catalog.store import Catalog


class Notice(NamedTuple):
    """A message to the user that is not a fault: `code` is for programs, `message` for people.

    Codes are stable words in snake_case, such as `catalogue_made`, `nothing_changed` or `pictures_coarser`. A notice
    that only passes on `findings`, such as remarks on the files of a game, has no message.
    """

    code: str
    message: str
    findings: tuple[Finding, ...] = ()


class Progress(NamedTuple):
    """The progress of long work: `done` steps of `total` (None: unknown), and the name of the current step."""

    title: str
    step: str = ""
    done: int = 0
    total: int | None = None
    finished: bool = False


NoticeListener = Callable[[Notice], None]
ProgressListener = Callable[[Progress], None]


class Notices:
    """The part of a `Workspace` by which use cases send notices and report progress to listeners, if there are any."""

    def __init__(self, on_notice: NoticeListener | None, on_progress: ProgressListener | None) -> None:
        self.notices: list[Notice] = []
        self._left_out: list[str] = []
        self._on_notice = on_notice
        self._on_progress = on_progress

    def notify(self, code: str, message: str, findings: Sequence[Finding] = ()) -> None:
        """Adds a notice and passes it to the listener, unless notices with this code are suppressed."""
        if code in self._left_out:
            return
        notice = Notice(code, message, tuple(findings))
        self.notices.append(notice)
        if self._on_notice:
            self._on_notice(notice)

    def notify_once(self, findings: Sequence[Finding]) -> None:
        """Adds findings as one notice, unless there are none or an earlier notice has the same findings."""
        if findings and all(notice.findings != (*findings,) for notice in self.notices):
            self.notify(findings[0].code, "", findings)

    @contextmanager
    def without(self, code: str) -> Iterator[None]:
        """Suppresses notices with the code `code` within the block, because an earlier notice says the same."""
        self._left_out.append(code)
        try:
            yield
        finally:
            self._left_out.remove(code)

    @contextmanager
    def recording(self) -> Iterator[list[Notice]]:
        """Yields a list; when the block has ended, it contains the notices sent within the block."""
        before = len(self.notices)
        notices: list[Notice] = []
        try:
            yield notices
        finally:
            notices += self.notices[before:]

    @contextmanager
    def working(self, title: str, total: int | None = None) -> Iterator[Step]:
        """Begins work of `total` steps (None: unknown), and yields a function to call at each step with its name."""
        done = 0

        def report(step: str, finished: bool = False) -> None:
            if self._on_progress:
                self._on_progress(Progress(title, step, done, total, finished))

        def step(name: str) -> None:
            nonlocal done
            done += 1
            report(name)

        report("")
        try:
            yield step
        finally:
            report("", finished=True)


def crash_words(task: str, fault: Exception, evidence: str) -> tuple[str, str]:
    """Returns message and remedy for an unexpected exception in `task`; `evidence` is what a user should report."""
    if isinstance(fault, MemoryError):
        return f"{task} needs more memory than there is", "Do less at once, or close other programs."
    if isinstance(fault, RecursionError):
        return f"{task} met values that are nested too deeply", "Nest the values in your file less deeply."
    error = f"{task} could not be done, because of a fault in carddb itself ({type(fault).__name__})"
    return error, f"Please report it to whoever gave you carddb {__version__}, with {evidence}."


_MOST_POOLS = 12
"""The most pools stored for later requests; without a limit, requests for many days would fill the memory."""


class SharedCards:
    """The cards and ban lists that the requests to a web server share, until the catalogue changes.

    Checking a correct deck takes 4 ms with them, and 18 ms without, of which opening the catalogue takes 1 ms.
    """

    def __init__(self) -> None:
        self.pools: dict[tuple[str, date], Pool] = {}
        self.bans: dict[tuple[str, date], Log] = {}
        self._state: tuple[object, ...] = ()

    def refresh(self, catalogue: Path, kept: object) -> None:
        """Forgets all cards if they are too many, or the catalogue or `kept` (games that keep samples) has changed."""
        state = (*catalogue_state(catalogue), kept)
        if state != self._state or len(self.pools) > _MOST_POOLS:
            self._state = state
            self.pools.clear()
            self.bans.clear()


def catalogue_state(catalogue: Path) -> tuple[FileState, ...]:
    """Returns the state of a catalogue's files, which changes whenever any program writes to it."""
    return file_state(catalogue), file_state(catalogue.with_name(f"{catalogue.name}-wal"))


CATALOGUE = "carddb.db"


class Workspace(Notices):
    """A folder with the settings of a project, the games that it can use, and its catalogue; see `door.Project`."""

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
        """The cards that the requests to a web server share; None in a script, which reads its cards each time."""
        self._games: dict[str, Game] = {}
        self._sources: list[Path] = []
        self._catalog_seen = False  # whether a catalogue was found, so that this is checked only once

    # The parts of a project.

    @cached_property
    def settings(self) -> Settings:
        """The settings in the project file, or defaults. Raises InputError if the file cannot be read."""
        return find_settings(self.folder.absolute())

    @property
    def catalog_path(self) -> Path:
        """The path of the catalogue, which may not exist yet."""
        explicit = self.explicit_catalog or os.environ.get("CARDDB_CATALOG")
        return Path(explicit) if explicit else self.settings.catalog or self.folder / CATALOGUE

    @property
    def art_folder(self) -> Path:
        """The folder with the pictures of cards."""
        return self.settings.root or self.folder.absolute()

    def picture_folders(self, game: Game) -> tuple[Path, ...]:
        """Returns the folders with pictures of a game's cards: the project's, then the game's own."""
        return game.picture_folders(self.art_folder)

    @cached_property
    def folders(self) -> dict[str, GameFolder]:
        """Every game that can be found, by key. Raises GameError if a folder does not exist."""
        # True lets the folder's `rules.py` run; it may not if only a settings file names the folder.
        outside = [(path, False) for path in self.settings.games]
        outside += [(path, True) for path in (*self.game_folders, *environment_folders())]
        return folders(outside)

    def game(self, key: str) -> Game:
        """Returns the game with the key or name `key`, which is loaded only the first time.

        Raises UsageError if there is no such game, GameError with findings if the game's files have errors.
        """
        if key not in self._games:
            if key not in self.folders:
                if named := self.game_called(key):
                    return self.game(named)
                raise UsageError(f"there is no game {key!r}", self.where_games_are(key))
            game, findings = load(self.folders[key])
            if game is None or has_errors(findings):
                raise GameError(f"the game {key} has errors", "Correct the errors listed above.", findings)
            if findings:
                self.notify("game_remarks", "", findings)
            self._games[key] = game
        return self._games[key]

    def game_called(self, words: str) -> str | None:
        """Returns the key of the game with the key or name `words`; None if there is none.

        Case, spaces and hyphens do not matter, and a subtitle after a colon is ignored.
        """
        name = words.partition(":")[0]
        if key := Vocabulary(self.folders).find(name):
            return key
        return Vocabulary(self.folders, self._titles).find(name)

    @cached_property
    def _titles(self) -> Mapping[str, str]:
        """The names of the games that can be loaded, by key."""
        loaded = {key: self._games.get(key) or load(folder)[0] for key, folder in self.folders.items()}
        return {key: game.spec.name for key, game in loaded.items() if game}

    def where_games_are(self, key: str) -> str:
        """Returns the remedy for the unknown key `key` of a game: the nearest keys, and where games are looked for."""
        places = {
            "games of carddb.toml": self.settings.games,
            "CARDDB_GAMES": environment_folders(),
            "--games": self.game_folders,
        }
        searched = [f"{name} ({', '.join(map(str, paths)) or 'nothing'})" for name, paths in places.items()]
        return f"{did_you_mean(key, self.folders)} Games are looked for in carddb itself, {', '.join(searched)}."

    def use_game(self, game: Game) -> None:
        """Replaces the loaded game with the same key by `game`, here and in every fork of this workspace."""
        self._games[game.key] = game

    def all_games(self) -> list[Game]:
        """Returns every game, loaded."""
        return [self.game(key) for key in self.folders]

    def bundled_games(self) -> list[Game]:
        """Returns the games that come with carddb, loaded."""
        return [self.game(key) for key, folder in self.folders.items() if folder.bundled]

    def searched_games(self, key: str | None) -> list[Game]:
        """Returns the games to search: the game `key`, or else the project's game, or else every game."""
        return [self.only_game(key)] if key or self.settings.game else self.all_games()

    def only_game(self, key: str | None = None) -> Game:
        """Returns the game `key`, or else the project's game, or else the only game. Raises UsageError if unclear."""
        key = key or self.settings.game
        if key is None and len(self.folders) == 1:
            key = next(iter(self.folders))
        if key is None:
            raise UsageError("it is unclear which game is meant", f"Choose it with --game: {', '.join(self.folders)}.")
        return self.game(key)

    @contextmanager
    def catalog(self, *, create: bool = False, temporary: bool = False) -> Iterator[Catalog]:
        """Opens the catalogue within the block, creating it if it is missing.

        At a path that was given to the workspace, it is created only with `create`. With `temporary`, it is created in
        a temporary folder and deleted afterwards. Raises CatalogError if it cannot be opened.
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
                    self.notify("catalogue_upgraded", f"upgraded {path}; the catalogue from before is {catalog.backup}")
                self._catalog_seen = not temporary
                catalog.keeps_samples = self.settings.keeps_samples
                yield catalog

    def has_catalog(self) -> bool:
        """Returns whether the catalogue exists, or its path was given to the workspace."""
        return bool(self.explicit_catalog) or self._store.exists(self.catalog_path)

    @property
    def _store(self) -> type[Catalog]:
        """The class that opens catalogues."""
        from carddb.catalog.store import Catalog  # SQLite and its SQL, 8 ms, not for the referee

        return Catalog

    def _create_catalog(self, path: Path) -> int:
        """Creates a catalogue, with sample cards unless its path was given, and returns the number of cards."""
        from carddb.app.workspace.ban_file import load_samples  # the reader of ban lists, which most runs never need

        games = [] if self.explicit_catalog else self.bundled_games()
        with self._store.create(path) as catalog:
            return load_samples(catalog, games)

    # Notices.

    def fork(self) -> Self:
        """Returns the same workspace with its own notices, which no listener receives; each web request uses one.

        Loaded games are shared; the project file is read again.
        """
        fork = copy.copy(self)
        fork.__dict__.pop("settings", None)
        fork.notices, fork._sources = [], []
        fork._on_notice = fork._on_progress = None
        return fork

    # Files.

    def protect(self, path: Path) -> None:
        """Forbids `write` to overwrite a file, because it was read as input."""
        self._sources.append(path)

    def write(self, path: Path, data: bytes | Iterable[bytes], *, durable: bool = True) -> None:
        """Writes a file as a whole, from bytes or parts. Raises OutputError if it fails, or the file was an input."""
        if any(same_file(path, source) for source in (*self._sources, self.catalog_path)):
            raise OutputError(f"{path} was read by this command and is not overwritten", "Name another file with -o.")
        write_file(path, data, durable=durable)


def environment_folders() -> list[Path]:
    """Returns the folders of games in CARDDB_GAMES."""
    return [Path(part) for part in os.environ.get("CARDDB_GAMES", "").split(os.pathsep) if part]


def root_of(project: Workspace) -> Path:
    """Returns the folder of the project file, or else the folder that was opened."""
    return project.settings.root or project.folder
