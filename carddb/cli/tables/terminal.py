"""A table on a terminal: what of it is a game's own, and how an action is taken, saved and told."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from carddb.app.tables.file import TableFile
from carddb.cli import show
from carddb.play.question import Refusal
from carddb.play.table.action import Action
from carddb.play.table.engine import TableGame, act
from carddb.play.table.session import TableSession

WIDTH = 79
"""Columns of a line on a terminal of 80."""

S = TypeVar("S", bound="TableSession[Any]")


@dataclass(frozen=True)
class Front(Generic[S]):
    """What of a table on the terminal is a game's own."""

    verb: str
    """The verb of the command line."""
    schema: str
    """The first word of the schemas of its JSON: `carddb.solo`."""
    table: Callable[[], TableGame[S]]
    """The table; imported when it is first asked for."""
    screen: Callable[[S], str]
    """The public view as lines."""
    line: Callable[[S, list[str]], list[str]]
    """What a short line means at the step: its words as a command with its arguments."""
    fields: Callable[[S, dict[str, Any]], dict[str, Any]]
    """What a player said, with the names of cards as the rules know them."""
    aliases: Mapping[str, str] = field(default_factory=dict)
    """Short words for actions that are often taken."""
    usages: Callable[[Action[S, Any], S | None], Sequence[str]] = lambda _action, _session: ()
    """Further lines of the help of an action; without a session, all there may ever be."""
    unseen: Callable[[S], bool] = lambda _: False
    """Whether the next line is typed unseen, because another player may not know it."""
    width: int = 0
    """The letters after which what is said goes on in a new line; with 0 only on a terminal, where they are its own."""
    always: Sequence[str] = ()
    """Further words that may be typed at any step."""

    def action(self, word: str) -> Action[S, Any] | None:
        """The action that a word of the command line means."""
        return self.table().actions.get(self.aliases.get(word, word).replace("-", "_"))


@dataclass(frozen=True)
class Terminal(Generic[S]):
    """A file with a session, and how it is shown.

    `quiet` shows no table after an action; with `open` what is to be typed unseen is shown too.
    """

    file: TableFile[S]
    front: Front[S]
    quiet: bool = False
    open: bool = False

    def take(self, action: Action[S, Any], words: dict[str, Any]) -> int:
        """An action taken, saved and told; a refusal changes nothing and is exit 1."""
        try:
            with self.file.locked():
                before = self.file.load()
                session = act(self.file.table, before, action.name, self.front.fields(before, words))
                self.file.save(session)
        except Refusal as refusal:
            return self.refused(refusal)
        self.say(session.message)
        if not self.quiet:
            self.show(session)
        return 0

    def say(self, text: str, err: bool = False, indent: str = "") -> None:
        """A text, each of its lines on as many of the front's width as it needs, with the indent from the second on."""
        width = self.front.width or (WIDTH if sys.stdin.isatty() else 0)
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
        show.echo(self.front.screen(session))
