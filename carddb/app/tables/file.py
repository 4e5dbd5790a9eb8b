"""The saved session of a game at a table: creating, reading and writing its file."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from functools import cached_property
from pathlib import Path
from secrets import randbelow
from typing import Any, Generic, TypeVar

from carddb.app.decks.check import CheckRequest, check_deck, read_deck
from carddb.app.workspace.clock import today
from carddb.app.workspace.day_cards import cards_at_hand
from carddb.app.workspace.workspace import Workspace
from carddb.cards.cards import Deck, Pool
from carddb.core.errors import GameError, InputError, UsageError
from carddb.core.files import locked, read_file, unreadable, write_file
from carddb.findings import Finding
from carddb.game.game import GameSpec
from carddb.games import Game
from carddb.play.question import Refusal, sentence
from carddb.play.table.engine import TableGame, load, save
from carddb.play.table.front import FilledSheets, Front, Host
from carddb.play.table.session import TableSession

S = TypeVar("S", bound="TableSession[Any]")


def front_of(game: Game) -> Front[Any] | None:
    """Returns the `Front` of a game's table, which starts, controls and displays it; None if the game has no table.

    Raises GameError if the game's TABLE does not return a `Front`.
    """
    give = game.hook("TABLE")
    front = None if give is None else give()
    if front is not None and not isinstance(front, Front):
        raise GameError(f"TABLE in the rules.py of {game.key} does not return a Front", "Correct the game's rules.py.")
    return front


class TableFile(Host, Generic[S]):
    """The file of a saved session, with the game that is played in it and its `front`."""

    def __init__(self, project: Workspace, path: Path, game: Game, front: Front[S], is_own: bool = True) -> None:
        self.project = project
        self.path = path
        self.game = game
        self.front = front
        self.is_own = is_own
        self._last: tuple[str, S] | None = None
        """The text that was last read or written, and its session, which is immutable; parsing it again takes 11 ms."""

    @cached_property
    def table(self) -> TableGame[S]:
        """The game at the table: its actions, and the state in which it begins."""
        return self.front.table()

    @property
    def spec(self) -> GameSpec:
        return self.game.spec

    @property
    def house_readings(self) -> Mapping[str, Any]:
        return self.project.settings.options.get(self.game.key, {})

    @property
    def codes(self) -> Mapping[str, Any]:
        return self.game.rule_book.codes

    def notify(self, code: str, text: str, findings: Sequence[Finding] = ()) -> None:
        self.project.notify(code, text, findings)

    def protect(self, path: Path) -> None:
        self.project.protect(path)

    def cards_at_hand(self) -> Pool:
        return cards_at_hand(self.project, self.game)

    def read_deck(self, deck: str | Path) -> tuple[Deck, Sequence[Finding]]:
        read = read_deck(self.project, deck, self.game.key, today())
        return read.deck, read.findings

    def checked_deck(self, deck: str | Path, readings: Mapping[str, Any]) -> tuple[Deck, str, Sequence[Finding]]:
        request = CheckRequest(game=self.game.key, options=readings, files=isinstance(deck, Path))
        report = check_deck(self.project, deck, request)
        return report.deck, report.verdict, report.findings

    def saved(self, path: Path) -> S:
        return TableFile(self.project, path, self.game, self.front).load()

    def filled_sheets(self, paths: Sequence[Path]) -> FilledSheets:
        """Returns score sheets filled in from saved sessions. Raises InputError if a file cannot be used."""
        assert self.front.sheets is not None
        return self.front.sheets.fill(self.spec, [(path, self.saved(path)) for path in paths])

    def begin(self, values: Mapping[str, Any], force: bool = False) -> S:
        """Starts and saves a new session.

        `values` are the parameters that the game's `Front` declares; if they have no `seed`, a random one is drawn.
        Raises UsageError if the file has a session already, unless `force` is given, and whatever the game raises.
        """
        self._refuse_old(force)
        seed = values.get("seed")
        session: S = self.front.begin.run(self, **{**values, "seed": randbelow(1 << 62) if seed is None else seed})
        with self.locked():
            self._refuse_old(force)
            self.save(session)
        return session

    def _refuse_old(self, force: bool) -> None:
        if not self.path.exists():
            return
        if not force:
            raise UsageError(*(text.format(path=self.path) for text in self.front.taken))
        try:
            data = json.loads(read_file(self.path))
        except (OSError, ValueError, RecursionError):
            data = None
        if not isinstance(data, dict) or not {"version", "log"} <= data.keys():
            message = f"{self.path} is not a saved table, so it was not overwritten"
            raise UsageError(message, "Name another file, or move this one away.")

    def locked(self) -> AbstractContextManager[None]:
        """Returns a context in which only this process can change the file. Raises OutputError if another locked it."""
        return locked(self.path)

    def load(self) -> S:
        try:
            text = read_file(self.path).decode()
        except FileNotFoundError:
            raise InputError(f"there is no session {self.path}", self.front.hint) from None
        except UnicodeDecodeError:
            raise InputError(f"{self.path} is not a saved session, because it is not text", self.front.hint) from None
        except OSError as fault:
            raise unreadable(str(self.path), fault) from None
        if self._last is not None and self._last[0] == text:
            return self._last[1]
        try:
            session = load(self.table, self.game.spec, text)
        except Refusal as refusal:
            raise InputError(f"{self.path} cannot be used: {self.reason(refusal)}") from None
        self._last = text, session
        return session

    def is_changed(self) -> bool:
        """Returns whether another process has written the file since this one used it; False if it cannot be read."""
        try:
            return self._last is not None and read_file(self.path).decode() != self._last[0]
        except (OSError, UnicodeDecodeError, InputError):
            return False

    def text(self) -> str:
        """Returns the text of the file. Raises InputError if it cannot be read."""
        self.load()
        return "" if self._last is None else self._last[0]

    def save(self, session: S) -> None:
        """Writes the session to the file as a whole."""
        text = save(session)
        write_file(self.path, text.encode())
        self._last = text, session

    def reason(self, refusal: Refusal) -> str:
        hint = str(refusal.details.get("hint", ""))
        if refusal.reason == "bad_input":
            return f"bad_input: {hint or sentence(refusal.details)}"
        text = self.game.rule_book.codes.get(refusal.reason)
        cause = text.cause if text else refusal.reason.replace("_", " ").capitalize() + "."
        return f"{refusal.reason}: {cause} {hint}".rstrip()
