"""The file of a session at a table: read whole or refused, and written whole."""

from __future__ import annotations

from contextlib import AbstractContextManager
from functools import cached_property
from pathlib import Path
from typing import Any, Generic, TypeVar

from carddb.app.workspace.workspace import Workspace
from carddb.core.errors import GameError, InputError
from carddb.core.files import write_file
from carddb.core.locks import locked
from carddb.games import Game
from carddb.play.faults import sentence
from carddb.play.question import Refusal
from carddb.play.table.engine import TableGame
from carddb.play.table.saves import load, save
from carddb.play.table.session import TableSession

S = TypeVar("S", bound="TableSession[Any]")


class TableFile(Generic[S]):
    """The file of a session, and the game that it is played by; `beginning` says how one is begun.

    `table` is how it is played, where that is not the game's own way.
    """

    def __init__(
        self, project: Workspace, path: Path, key: str, beginning: str, table: TableGame[S] | None = None
    ) -> None:
        self.project = project
        self.path = path
        self.key = key
        self.beginning = beginning
        self._table = table
        self._last: tuple[str, S] | None = None
        """The text that was read or written last with its session, which is frozen: to read one takes 11 ms."""

    @cached_property
    def game(self) -> Game:
        return self.project.game(self.key)

    @cached_property
    def table(self) -> TableGame[S]:
        """How the game is played at a table. Raises GameError for a game that has no table."""
        if self._table is not None:
            return self._table
        if self.game.table is None:
            raise GameError(f"{self.key} has no table", "Its rules.py names none: SESSION.")
        return self.game.table

    def locked(self) -> AbstractContextManager[None]:
        """Within, no other process changes the session. Raises OutputError where one is doing so."""
        return locked(self.path)

    def load(self) -> S:
        """The session as saved. Raises InputError."""
        try:
            text = self.path.read_text("utf-8")
        except FileNotFoundError:
            raise InputError(f"there is no session {self.path}", self.beginning) from None
        except UnicodeDecodeError:
            raise InputError(f"{self.path} is no saved session: it is no text") from None
        except OSError as fault:
            raise InputError(f"{self.path} cannot be read: {fault.strerror}") from None
        if self._last is not None and self._last[0] == text:
            return self._last[1]
        try:
            session = load(self.table, self.game.spec, text)
        except Refusal as refusal:
            raise InputError(f"{self.path} is not used, {self.reason(refusal)}") from None
        self._last = text, session
        return session

    def is_changed(self) -> bool:
        """Whether somebody else has written the file since it was read or written here; not where it cannot be read."""
        try:
            return self._last is not None and self.path.read_text("utf-8") != self._last[0]
        except (OSError, UnicodeDecodeError):
            return False

    def text(self) -> str:
        """The text of the file as it was read or written last; it is read where that was never. Raises InputError."""
        if self._last is None:
            self.load()
        return "" if self._last is None else self._last[0]

    def save(self, session: S) -> None:
        """Writes the session whole."""
        text = save(session)
        write_file(self.path, text.encode())
        self._last = text, session

    def reason(self, refusal: Refusal) -> str:
        """A refusal in words: its code, its cause as the game's rule book has it, and what it says of this case."""
        hint = str(refusal.details.get("hint", ""))
        if refusal.reason == "bad_input":
            return f"bad_input: {hint or sentence(refusal.details)}"
        text = self.game.rule_book.codes.get(refusal.reason)
        cause = text.cause if text else refusal.reason.replace("_", " ").capitalize() + "."
        return f"{refusal.reason}: {cause} {hint}".rstrip()
