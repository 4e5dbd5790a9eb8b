"""One running front: the project that it shows, how it is run, and the one thread that works for all requests."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from secrets import token_urlsafe
from tempfile import TemporaryDirectory
from typing import TypeVar

from carddb.app.cards.card_import import Imports
from carddb.app.cards.faces import CardFaces
from carddb.app.documents import Documents
from carddb.app.printing.recent import RecentPrints
from carddb.app.referee import referee
from carddb.app.studio.studio import StudioRoom
from carddb.app.tables.tables import Tables
from carddb.app.workspace.workspace import SharedCards, Workspace
from carddb.games.referee import Referee
from carddb.web.http.event_stream import EventStreams
from carddb.web.http.modes import EventMode, HttpError, Mode, OwnerMode
from carddb.web.http.worker import Worker, WorkerOptions

T = TypeVar("T")

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
"""The hosts of a front on one's own machine."""
_MOST_WAITING = 64
"""Requests that may wait for the working thread; a further one is told to come again."""


@dataclass(frozen=True, slots=True)
class FrontOptions:
    """The options of a front: `public` is read-only and for strangers, else it is one's own and asks for the token.

    `hosts` are the names by which it may be reached, without port. `sheets` allows a public front to print, `tables`
    to have tables; their files lie in `table_folder`, without one in a folder of the front's own. `event` is the key of
    the one event that the front is for: then it asks the organiser for a secret and players for their links.
    """

    public: bool = False
    hosts: tuple[str, ...] = LOOPBACK
    sheets: bool = False
    event: str = ""
    tables: bool = False
    table_folder: Path | None = None


class Front:
    """A project on show. All of carddb's work is done in one thread, so that a catalogue stays open for it."""

    def __init__(self, project: Workspace, options: FrontOptions = FrontOptions(), form_token: str = "") -> None:
        self.options = options
        self.token = token_urlsafe(24)
        """The token that the owner's browser shows once, in exchange for a cookie."""
        self.form_token = form_token or token_urlsafe(24)
        """The token of every form of the front's own pages, or the secret from which those of its sessions are made."""
        self.mode = EventMode(options.event) if options.event else Mode() if options.public else OwnerMode(self.token)
        self.faces = CardFaces()
        self.prints = RecentPrints()
        self.documents = Documents()
        self.imports = Imports()
        self.streams = EventStreams()
        self.studios: dict[str, StudioRoom] = {}
        """The studio by game."""
        self._project = project.fork()
        self._project.shared_cards = SharedCards()
        self._worker = ThreadPoolExecutor(1, "carddb")
        self._waiting = 0
        self._own_folder: TemporaryDirectory[str] | None = None

    @property
    def public(self) -> bool:
        return self.options.public

    @property
    def may_print(self) -> bool:
        """True where sheets are printed."""
        return self.options.sheets or not self.public

    @property
    def has_worker(self) -> bool:
        """True where requests come from others, and are answered in a process that has limits."""
        return self.public or bool(self.options.event)

    def project(self) -> Workspace:
        """Returns the project for one request: its games and settings are shared, its notices are not."""
        return self._project.fork()

    @cached_property
    def referee(self) -> Referee:
        """The referee of the project's games."""
        return referee(self._project)

    @property
    def has_tables(self) -> bool:
        """True where one may play at tables."""
        return self.options.tables or not self.has_worker

    @cached_property
    def tables(self) -> Tables:
        """The open tables; those of a folder of the front's own end with it."""
        folder = self.options.table_folder
        if folder is None:
            self._own_folder = TemporaryDirectory(prefix="carddb-tables-")
            folder = Path(self._own_folder.name)
        folder.mkdir(parents=True, exist_ok=True)
        return Tables(folder)

    @cached_property
    def worker(self) -> Worker:
        """The process that answers the requests of others."""
        project, options = self._project, self.options
        folder, catalog = project.folder.absolute(), project.explicit_catalog
        tables = self.tables.folder if self.has_tables else None
        return Worker(
            WorkerOptions(folder, catalog, project.game_folders, options.sheets, options.event, self.form_token, tables)
        )

    async def run(self, work: Callable[[], T]) -> T:
        """Does some work of carddb in the working thread. Raises HttpError where too much waits already."""
        if self._waiting >= _MOST_WAITING:
            raise HttpError("too many requests are waiting", "Come again in a few seconds.")
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._worker, work)
        finally:
            self._waiting -= 1

    def close(self) -> None:
        """Ends the worker at once, and the working thread when its work is done."""
        if "worker" in self.__dict__:
            self.worker.end()
        if self._own_folder is not None:
            self._own_folder.cleanup()
        self._worker.shutdown(cancel_futures=True)


def environment_hosts() -> tuple[str, ...]:
    """Returns the names by which a front for others may be reached, as CARDDB_HOSTS has them."""
    return tuple(name.strip().lower() for name in os.environ.get("CARDDB_HOSTS", "").split(",") if name.strip())
