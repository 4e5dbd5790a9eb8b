"""A seat at an open table: what is done from it, in words or by a form, and what it is told."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

from carddb.app.tables.file import TableFile, front_of
from carddb.app.tables.tables import MOST_BYTES, WATCHER, Remark, Tables, UnknownTable
from carddb.app.workspace.clock import today
from carddb.app.workspace.day_cards import day_cards
from carddb.app.workspace.workspace import Workspace
from carddb.cards.cards import Card
from carddb.core.errors import InputError, OutputError, UsageError
from carddb.core.names import capital
from carddb.deck.context import json_or_text
from carddb.play.playtest.front import PLAYTEST
from carddb.play.question import Refusal
from carddb.play.table.engine import Action, act, refusal_of, undo
from carddb.play.table.front import Board, Front

YES = ("yes", "true", "1")
"""The words that mean yes where an action asks."""


def branches(field: dict[str, Any]) -> list[dict[str, Any]]:
    """Returns the alternatives of a form's field, but for null."""
    return [part for part in field.get("anyOf", [field]) if part.get("type") != "null"]


def is_many(field: dict[str, Any]) -> bool:
    """Returns a list, or values by name (`CP=7`)."""
    return any(part.get("type") in ("array", "object") for part in branches(field))


def input_of(action: Action[Any, Any], words: dict[str, Any]) -> dict[str, Any]:
    """Returns the words as the action wants them, a list of them for each list; what was not said is left out."""
    fields = action.form.model_json_schema().get("properties", {})
    out: dict[str, Any] = {}
    for name, word in words.items():
        if word is None or word == ():
            continue
        parts = branches(fields[name])
        if any(part.get("type") == "object" for part in parts):
            out[name] = dict(pair(text) for text in word)
        elif is_many(fields[name]):
            numbers = any(part.get("items", {}).get("type") == "integer" for part in parts)
            out[name] = [_number(item) if numbers else item for item in word]
        elif any(part.get("type") == "integer" for part in parts):
            out[name] = _number(word)
        else:
            out[name] = word
    return out


def _number(word: Any) -> Any:
    return int(word) if str(word).lstrip("-").isdecimal() else word


def pair(text: str) -> tuple[str, Any]:
    """Returns `NAME=VALUE` as the name and the value, which is JSON where it parses.

    Raises UsageError for anything else.
    """
    name, equals, value = text.partition("=")
    if not equals:
        raise UsageError(f"{text!r} is no NAME=VALUE", "Write it as CP=7.")
    return name, json_or_text(value)


def words_of(action: Action[Any, Any], texts: Mapping[str, str]) -> dict[str, Any]:
    """Returns the fields of a form as the words of an action: lists are cut at commas, `hands.S1` is a value by name.

    Empty fields and those that the action does not have are left out.
    """
    fields = action.form.model_json_schema().get("properties", {})
    words: dict[str, Any] = {}
    for name, text in texts.items():
        head, _, inner = name.partition(".")
        if head not in fields or not text.strip():
            continue
        parts = branches(fields[head])
        if inner or any(part.get("type") == "object" for part in parts):
            pairs = [f"{inner}={text.strip()}"] if inner else text.split()
            words[head] = (*words.get(head, ()), *pairs)
        elif is_many(fields[head]):
            # Between commas, or where there are none between blanks.
            items = [item.strip() for item in text.split(",") if item.strip()] if "," in text else text.split()
            words[head] = (*words.get(head, ()), *items)
        elif any(part.get("type") == "boolean" for part in parts):
            words[head] = text.strip().casefold() in YES
        else:
            words[head] = text.strip()
    return words


UNDO = "undo"
_STALE = "The table was played on meanwhile: look at it, and do it again."


class TableSeat:
    """A seat that a link leads to. Raises UnknownTable for a link that leads nowhere."""

    def __init__(self, project: Workspace, tables: Tables, link: str) -> None:
        self.project = project
        self.tables = tables
        self.table, self.seat = tables.find(link)

    @cached_property
    def front(self) -> Front[Any]:
        """The front of the table. Raises UnknownTable where its game has none any more."""
        front = PLAYTEST if self.table.kind == PLAYTEST.verb else front_of(self.project.game(self.table.game))
        if front is None:
            raise UnknownTable
        return front

    @cached_property
    def file(self) -> TableFile[Any]:
        """The save, with the game that it is played by."""
        table = self.table
        return self.tables.file(
            table, lambda: TableFile(self.project, table.path, self.project.game(table.game), self.front)
        )

    @cached_property
    def board(self) -> Board:
        """The board that the page of the seat shows."""
        return self.front.board(self.session, None if self.is_watcher else self.seat, self.why_not)

    def pictures(self) -> Mapping[str, Card]:
        """Returns the cards of the catalogue that the seat sees, by the keys that its page has for them."""
        with day_cards(self.project) as cards:
            pool = cards.pool(self.file.game, today())
        return self.board.pictures(pool)

    def why_not(self, action: str, **fields: Any) -> str | None:
        """Returns why an action would be refused, in words; None where it would be accepted."""
        refusal = refusal_of(self.file.table, self.session, action, fields)
        return None if refusal is None else self.words(refusal)

    @cached_property
    def session(self) -> Any:
        """The session as it is saved. Raises InputError."""
        return self.file.load()

    @property
    def mark(self) -> str:
        """The mark of the table as it is now; a page that shows another mark is out of date."""
        self.file.load()
        return self.table.mark(self.file.text())

    @property
    def is_watcher(self) -> bool:
        return self.seat == WATCHER

    def play(self, action: str, texts: Mapping[str, str], mark: str) -> None:
        """Carries out an action from the fields of a form, and saves; a refusal changes nothing and is a remark.

        `mark` is that of the page: an action at a table that has changed meanwhile is not carried out.
        """

        def work() -> Any:
            before = self.file.load()
            if action not in self.file.table.actions:
                raise UsageError(f"there is no action {action!r} at this table", "Use the buttons of its page.")
            words = words_of(self.file.table.actions[action], texts)
            own = input_of(self.file.table.actions[action], words)
            fields = self.front.seated(before, self.seat, action, own)
            return act(self.file.table, before, action, fields)

        try:
            self._change(work, mark)
        except Refusal as refusal:
            self._refused(action, refusal)

    def undo(self, mark: str) -> None:
        """Takes the last action back, whoever did it; all seats are told."""
        try:
            after = self._change(lambda: undo(self.file.table, self.file.load()), mark)
        except Refusal as refusal:
            self._refused(UNDO, refusal)
            return
        if after is not None:
            text = capital(after.message)
            self._tell(Remark(len(after.log), text, action=UNDO), *self.table.seats)

    def _change(self, work: Callable[[], Any], mark: str) -> Any:
        """Returns the session after some work, saved; None where it was not done. Raises Refusal."""
        if self.is_watcher:
            raise UsageError("who watches does not play", "Open the link of a seat.")
        try:
            with self.file.locked():
                if self.mark != mark:
                    self._tell(Remark(len(self.file.load().log), _STALE))
                    return None
                after = work()
                if not self.table.is_own and len(after.table.model_dump_json()) > MOST_BYTES:
                    raise InputError("this table has grown too large", "Save it, and go on with it on your machine.")
                self.file.save(after)
        except OutputError as fault:
            self._tell(Remark(len(self.file.load().log), f"{fault.message}. {fault.remedy}"))
            return None
        self.__dict__.pop("session", None)
        self.tables.touch(self.table)
        return after

    def _refused(self, action: str, refusal: Refusal) -> None:
        code, words = refusal.reason, self.words(refusal)
        text = self.file.game.rule_book.codes.get(code)
        rules = tuple(text.rules) if text else ()
        self._tell(Remark(len(self.file.load().log), words, code, rules, action))

    def words(self, refusal: Refusal) -> str:
        """Returns a refusal in words, without its code."""
        return self.file.reason(refusal).partition(": ")[2]

    def _tell(self, remark: Remark, *seats: str) -> None:
        self.tables.remark(self.table, remark, *(seats or (self.seat,)))
        self.table = self.tables.find(self.table.link(self.seat))[0]
