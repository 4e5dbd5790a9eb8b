"""The file of a solo session, and what is read from it."""

from __future__ import annotations

from contextlib import AbstractContextManager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from carddb.errors import InputError

if TYPE_CHECKING:
    from carddb.app.project import Project
    from carddb.games import Game
    from carddb.games.cdg_solo.session import Session

KEY = "cdg-solo"


class SoloFile:
    """The file of a session, and the game that it is read by."""

    def __init__(self, project: Project, path: Path) -> None:
        self.project = project
        self.path = path

    @cached_property
    def game(self) -> Game:
        return self.project.game(KEY)

    def locked(self) -> AbstractContextManager[None]:
        """Within, no other process changes the session. Raises OutputError where one is doing so."""
        from carddb.locks import locked

        return locked(self.path)

    def load(self) -> Session:
        """The session as saved. Raises InputError."""
        from carddb.games.cdg_solo.session import load
        from carddb.play.question import Refusal

        try:
            text = self.path.read_text("utf-8")
        except FileNotFoundError:
            raise InputError(
                f"there is no session {self.path}", "Begin one: carddb solo new --module MODULE."
            ) from None
        except (OSError, UnicodeDecodeError) as fault:
            raise InputError(f"{self.path} cannot be read: {fault}") from None
        try:
            return load(self.game.spec, text)
        except Refusal as refusal:
            raise InputError(f"{self.path}: {self.reason(refusal.reason)}") from None

    def save(self, session: Session) -> None:
        """Writes the session whole."""
        from carddb.files import write_file
        from carddb.games.cdg_solo.session import save

        write_file(self.path, save(session).encode())

    def reason(self, code: str, path: str = "") -> str:
        """A refusal in words."""
        text = self.game.rule_book.codes.get(code)
        if (code, path) == ("bad_input", "mode"):
            return "how? Say event, ops or other after the card"
        if (code, path) == ("bad_input", "more"):
            return "how many dice? Say what each of them shows: roll 4 2"
        if path.startswith("hands."):
            side = path.removeprefix("hands.")
            return f"how many cards does {side} hold? Say {side}=NUMBER"
        if code == "bad_input":
            return f"bad_input: say {path} otherwise, or at all" if path else "bad_input: not understood here"
        return f"{code}: {text.cause}" if text else code.replace("_", " ")
