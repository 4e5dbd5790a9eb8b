"""`Front`, one running web server of carddb: its project, its options, and the single thread that does its work."""

from __future__ import annotations

import asyncio
import os
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from secrets import token_urlsafe
from tempfile import TemporaryDirectory
from typing import TypeVar

from carddb.app.cards.card_import import Imports
from carddb.app.cards.faces import CardFaces
from carddb.app.documents import Documents
from carddb.app.events.tournament import open_events
from carddb.app.printing.print_room import RecentPrints
from carddb.app.referee import referee
from carddb.app.studio.studio import StudioRoom
from carddb.app.tables.tables import Tables
from carddb.app.workspace.workspace import SharedCards, Workspace
from carddb.games.referee import Referee
from carddb.web.http.event_stream import EventStreams
from carddb.web.http.modes import EventMode, HttpError, Memory, OwnerMode, ServerMode, memory_path
from carddb.web.http.worker import Worker

T = TypeVar("T")

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
"""The host names of a server on the owner's machine."""
_MOST_WAITING, _MOST_OF_ONE = 64, 32
"""The most requests that may wait for the working thread: from all clients, and from one. Others are refused."""


class Turns:
    """Decides whose work is next: the clients take turns, however much work of one is waiting.

    The client `""`, which is the owner or the organiser, is always next.
    """

    def __init__(self) -> None:
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}
        self._is_taken = False

    def count(self, client: str) -> int:
        """Returns the number of turns for which a client waits."""
        return sum(not turn.done() for turn in self._waiting.get(client, ()))

    async def take(self, client: str) -> None:
        """Waits for a turn of `client`. The turn must be ended by `end`."""
        if not self._is_taken:
            self._is_taken = True
            return
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(client, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():
                self.end()  # it came just now
            raise

    def make_room(self, client: str, refusal: Exception) -> bool:
        """Takes a turn from the client that waits for most turns; its work gets `refusal`.

        Does so only if that client waits for at least two turns more than `client`, otherwise returns False.
        """
        greediest = max(filter(None, self._waiting), key=self.count, default="")
        if self.count(greediest) < self.count(client) + 2:
            return False
        next(turn for turn in reversed(self._waiting[greediest]) if not turn.done()).set_exception(refusal)
        return True

    def end(self) -> None:
        """Ends the turn that was taken, and begins the next."""
        while self._waiting:
            client = "" if "" in self._waiting else next(iter(self._waiting))
            queue = self._waiting.pop(client)
            turn = queue.popleft()
            if queue:
                self._waiting[client] = queue  # behind all others
            if not turn.done():  # its client has not left
                turn.set_result(None)
                return
        self._is_taken = False


@dataclass(frozen=True, slots=True)
class FrontOptions:
    """The options of a server. A `public` server is read-only and open to strangers; others need the owner's token.

    `hosts` are the host names, without port, by which the server may be reached. `sheets` lets a public server print,
    and `tables` lets it have tables, whose files are kept in `table_folder` or else in a temporary folder. If `event`
    is the key of an event, the server serves only that event: it asks the organiser for a secret, and players for their
    links.
    """

    public: bool = False
    hosts: tuple[str, ...] = LOOPBACK
    sheets: bool = False
    event: str = ""
    tables: bool = False
    table_folder: Path | None = None


class Front:
    """A running web server with its project. All work is done in one thread, so that the catalogue can stay open."""

    def __init__(self, project: Workspace, options: FrontOptions = FrontOptions(), form_token: str = "") -> None:
        self.options = options
        self.token = token_urlsafe(24)
        """The token that the owner's programs send. In an address it opens one browser."""
        is_known = options.public or form_token  # a worker is given the token of its server
        memory = Memory(None if is_known else memory_path(project.catalog_path))
        self.form_token = form_token or memory.token("forms")
        """The token in every form of this server, or at an event the secret from which each session's token is made."""
        self.mode: ServerMode = ServerMode() if options.public else OwnerMode(self.token, memory.token("owner"))
        if options.event:
            with open_events(project) as events:
                event = events.event(options.event)
            self.mode = EventMode(options.event, memory, (event.secret_hash or "") if event else "")
        self.faces = CardFaces()
        self.prints = RecentPrints()
        self.documents = Documents()
        self.imports = Imports()
        self.streams = EventStreams()
        self.studios: dict[str, StudioRoom] = {}
        """The studios, by the key of their game."""
        self._project = project.fork()
        self._project.shared_cards = SharedCards()
        self._worker = ThreadPoolExecutor(1, "carddb")
        self._turns = Turns()
        self._waiting = 0
        self._own_folder: TemporaryDirectory[str] | None = None

    @property
    def public(self) -> bool:
        """True if the server serves others than the owner: read-only, by a separate process with limits."""
        return self.options.public or bool(self.options.event)

    @property
    def may_print(self) -> bool:
        """True if this server may print sheets."""
        return self.options.sheets or not self.public

    def entry(self) -> str:
        """Returns a new token for an address that opens one browser, or at an event, a code with which to sign in."""
        if isinstance(self.mode, EventMode):
            return self.mode.code.make()
        return self.mode.entry() if isinstance(self.mode, OwnerMode) else ""

    def project(self) -> Workspace:
        """Returns a copy of the project for one request, which shares games and settings but has its own notices."""
        return self._project.fork()

    @cached_property
    def referee(self) -> Referee:
        """The referee for the project's games."""
        return referee(self._project)

    @property
    def has_tables(self) -> bool:
        """True if this server has tables for play."""
        return self.options.tables or not self.public

    @cached_property
    def tables(self) -> Tables:
        """The open tables. Without a table folder, they are in a temporary one that is deleted when the server ends."""
        folder = self.options.table_folder
        if folder is None:
            self._own_folder = TemporaryDirectory(prefix="carddb-tables-")
            folder = Path(self._own_folder.name)
        folder.mkdir(parents=True, exist_ok=True)
        return Tables(folder)

    @cached_property
    def worker(self) -> Worker:
        """The separate process that answers requests of others than the owner."""
        project, tables = self._project, self.tables.folder if self.has_tables else None
        place = {"catalog": project.explicit_catalog, "games": project.game_folders}
        return Worker((project.folder.absolute(), place, replace(self.options, table_folder=tables), self.form_token))

    async def run(self, work: Callable[[], T], client: str = "") -> T:
        """Runs `work` in the working thread when it is the turn of `client`, and returns what it returns.

        Raises HttpError if too many requests wait, from all clients together or from this client.
        """
        refusal = HttpError("too many requests are waiting", "Try again in a few seconds.")
        is_greedy = bool(client) and self._turns.count(client) >= _MOST_OF_ONE
        if is_greedy or (self._waiting >= _MOST_WAITING and not self._turns.make_room(client, refusal)):
            raise refusal
        self._waiting += 1
        try:
            await self._turns.take(client)
            try:
                return await asyncio.get_running_loop().run_in_executor(self._worker, work)
            finally:
                self._turns.end()
        finally:
            self._waiting -= 1

    def close(self) -> None:
        """Ends the worker process at once, and the working thread as soon as its current work is done."""
        if "worker" in self.__dict__:
            self.worker.end()
        if self._own_folder is not None:
            self._own_folder.cleanup()
        self._worker.shutdown(cancel_futures=True)


def environment_hosts() -> tuple[str, ...]:
    """Returns the host names in CARDDB_HOSTS, in lower case."""
    return tuple(name.strip().lower() for name in os.environ.get("CARDDB_HOSTS", "").split(",") if name.strip())
