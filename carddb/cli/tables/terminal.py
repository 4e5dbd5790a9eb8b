"""A table on a terminal: what of it is a game's own, and how an action is taken, saved and told."""

from __future__ import annotations

import sys
import textwrap
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from carddb.app.tables.file import TableFile
from carddb.cli import show
from carddb.play.question import Refusal
from carddb.play.table.action import Action
from carddb.play.table.engine import act
from carddb.play.table.front import WIDTH
from carddb.play.table.session import TableSession

S = TypeVar("S", bound="TableSession[Any]")


@dataclass(frozen=True)
class Terminal(Generic[S]):
    """A file with a session, and how it is shown.

    `quiet` shows no table after an action; with `open` what is to be typed unseen is shown too.
    """

    file: TableFile[S]
    quiet: bool = False
    open: bool = False

    def take(self, action: Action[S, Any], words: dict[str, Any]) -> int:
        """An action taken, saved and told; a refusal changes nothing and is exit 1."""
        try:
            with self.file.locked():
                before = self.file.load()
                session = act(self.file.table, before, action.name, self.file.front.fields(before, words))
                self.file.save(session)
        except Refusal as refusal:
            return self.refused(refusal)
        self.say(session.message)
        if not self.quiet:
            self.show(session)
        return 0

    def say(self, text: str, err: bool = False, indent: str = "") -> None:
        """A text, each of its lines on as many of the front's width as it needs, with the indent from the second on."""
        width = self.file.front.width or (WIDTH if sys.stdin.isatty() else 0)
        lines = text.split("\n")
        if width:
            lines = [textwrap.fill(line, width, subsequent_indent=indent, break_on_hyphens=False) for line in lines]
        show.echo("\n".join(lines), err=err)

    def refused(self, refusal: Refusal) -> int:
        """Why an action is refused, and what may be done instead."""
        self.say(f"refused, {self.file.reason(refusal)}", err=True)
        if now := refusal.details.get("now"):
            self.say(f"Now: {now}", err=True)
        return 1

    def show(self, session: S) -> None:
        """The table on the terminal."""
        show.echo(self.file.front.screen(session))
