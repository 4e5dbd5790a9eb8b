"""A seat at an open table: what it sees, the actions that it takes through a form, and the messages to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

from carddb.app.tables.file import TableFile, front_of
from carddb.app.tables.tables import MOST_BYTES, WATCHER, Remark, Tables, UnknownTable
from carddb.app.workspace.clock import today
from carddb.app.workspace.day_cards import day_cards
from carddb.app.workspace.workspace import Workspace
from carddb.cards.cards import Card, Pool
from carddb.core.errors import InputError, OutputError, UsageError
from carddb.core.names import capital
from carddb.core.options import json_or_text
from carddb.core.plain_text import whole
from carddb.play.playtest.front import PLAYTEST
from carddb.play.question import Refusal
from carddb.play.table.engine import Action, act, public_view, refusal_of, undo
from carddb.play.table.front import Board, Front

YES = ("yes", "true", "1")
"""The words that mean yes for a field of an action."""


def branches(field: dict[str, Any]) -> list[dict[str, Any]]:
    """Returns the alternatives in the JSON schema of a field, except null."""
    return [part for part in field.get("anyOf", [field]) if part.get("type") != "null"]


def takes(field: dict[str, Any], *types: str) -> bool:
    """Returns whether a field takes values of one of the JSON types."""
    return any(part.get("type") in types for part in branches(field))


def input_of(action: Action[Any, Any], words: dict[str, Any]) -> dict[str, Any]:
    """Returns an action's input: typed words by field, converted to what the fields take, without empty ones."""
    fields = action.fields
    out: dict[str, Any] = {}
    for name, word in words.items():
        if word is None or word == ():
            continue
        if takes(fields[name], "object"):
            out[name] = dict(pair(text) for text in word)
        elif takes(fields[name], "array"):
            numbers = any(takes(part.get("items", {}), "integer") for part in branches(fields[name]))
            out[name] = [_number(item) if numbers else item for item in word]
        elif takes(fields[name], "integer"):
            out[name] = _number(word)
        else:
            out[name] = word
    return out


def _number(word: Any) -> Any:
    """Returns a word as an integer if it is one; otherwise the word, so that the game can say what is wrong with it."""
    text = str(word)
    number = whole(text.removeprefix("-"))
    return word if number is None else -number if text.startswith("-") else number


def pair(text: str) -> tuple[str, Any]:
    """Returns name and value of `NAME=VALUE`; a value that is valid JSON is parsed. Raises UsageError without `=`."""
    name, equals, value = text.partition("=")
    if not equals:
        raise UsageError(f"{text!r} does not have the form NAME=VALUE", "Write a name and a value, such as CP=7.")
    return name, json_or_text(value)


def words_of(action: Action[Any, Any], texts: Mapping[str, str]) -> dict[str, Any]:
    """Returns the fields of a form as words for `input_of`.

    Lists are split at commas, or if there are none, at spaces. A field such as `hands.S1` is one value of a mapping.
    Empty fields, and fields that the action does not have, are left out.
    """
    fields = action.fields
    words: dict[str, Any] = {}
    for name, text in texts.items():
        head, _, inner = name.partition(".")
        if head not in fields or not text.strip():
            continue
        if inner or takes(fields[head], "object"):
            pairs = [f"{inner}={text.strip()}"] if inner else text.split()
            words[head] = (*words.get(head, ()), *pairs)
        elif takes(fields[head], "array"):
            items = [item.strip() for item in text.split(",") if item.strip()] if "," in text else text.split()
            words[head] = (*words.get(head, ()), *items)
        elif takes(fields[head], "boolean"):
            words[head] = text.strip().casefold() in YES
        else:
            words[head] = text.strip()
    return words


UNDO = "undo"
_STALE = "Somebody has played in the meantime: look at the table, then do it again."


class TableSeat:
    """The seat at a table to which a link leads. Raises UnknownTable if the link is invalid."""

    def __init__(self, project: Workspace, tables: Tables, link: str) -> None:
        self.project = project
        self.tables = tables
        self.table, self.seat = tables.find(link)

    @cached_property
    def front(self) -> Front[Any]:
        """The `Front` of the table's game. Raises UnknownTable if the game no longer has one."""
        front = PLAYTEST if self.table.kind == PLAYTEST.verb else front_of(self.project.game(self.table.game))
        if front is None:
            raise UnknownTable
        return front

    @cached_property
    def file(self) -> TableFile[Any]:
        """The file of the table's session, with its game."""
        path, game = self.table.path, self.table.game
        return self.tables.files.get(path, lambda: TableFile(self.project, path, self.project.game(game), self.front))

    @cached_property
    def board(self) -> Board[Any]:
        """The board that the page of the seat shows."""
        view = public_view(self.file.table, self.session)
        return self.front.board(view, self.session, None if self.is_watcher else self.seat, self.why_not)

    def pictures(self) -> Mapping[str, Card]:
        """Returns the cards in the catalogue that the seat sees, by the keys that its page uses for them."""
        return self.board.pictures(self._pool)

    def backs(self) -> Mapping[str, Card]:
        """Returns, for each zone of a playtest, a card whose back is shown for all cards that lie face down there.

        It is the first card in the catalogue of the zone's section, so it reveals nothing about the cards in the zone.
        """
        spec, backs = self.file.game.spec, dict[str, Card]()
        for key, zone in spec.zones.items():
            section = spec.sections[zone.sections[0] if zone.sections else next(iter(spec.sections))]
            card = next((card for card in self._pool if card.type in section.types), None)
            if card and spec.types[card.type].back:
                backs[key] = card
        return backs

    @cached_property
    def _pool(self) -> Pool:
        with day_cards(self.project) as cards:
            return cards.pool(self.file.game, today())

    def why_not(self, action: str, **fields: Any) -> str | None:
        """Returns why an action would be refused, as text; None if it would be accepted."""
        refusal = refusal_of(self.file.table, self.session, action, fields)
        return None if refusal is None else self.words(refusal)

    @cached_property
    def session(self) -> Any:
        """The saved session. Raises InputError if it cannot be read."""
        return self.file.load()

    @property
    def mark(self) -> str:
        """A digest of the present state of the table; a page that has a different one is out of date."""
        return self.table.mark(self.file.text())

    @property
    def is_watcher(self) -> bool:
        return self.seat == WATCHER

    def play(self, action: str, texts: Mapping[str, str], mark: str) -> None:
        """Takes an action with the fields of a form (`texts`), and saves the session.

        A refused action changes nothing, and gives a remark; so does an action on a page whose `mark` is out of date.
        """

        def work() -> Any:
            before = self.file.load()
            if action not in self.file.table.actions:
                raise UsageError(f"there is no action {action!r} at this table", "Use the buttons of the table's page.")
            words = words_of(self.file.table.actions[action], texts)
            own = input_of(self.file.table.actions[action], words)
            fields = self.front.seated(before, self.seat, action, own)
            return act(self.file.table, before, action, fields)

        self._change(action, work, mark)

    def undo(self, mark: str) -> None:
        """Undoes the last action of any seat, and notifies all seats."""
        after = self._change(UNDO, lambda: undo(self.file.table, self.file.load()), mark)
        if after is not None:
            text = capital(after.message)
            self._tell(Remark(len(after.log), text, action=UNDO), *self.table.seats)

    def _change(self, action: str, work: Callable[[], Any], mark: str) -> Any:
        """Saves and returns the session that `work` makes; None if it refuses, `mark` is old, or the file is locked."""
        if self.is_watcher:
            raise UsageError("a spectator cannot play", "Open the link of a seat.")
        try:
            with self.file.locked():
                if self.mark != mark:
                    self._tell(Remark(len(self.file.load().log), _STALE))
                    return None
                after = work()
                if not self.table.is_own and len(after.table.model_dump_json()) > MOST_BYTES:
                    problem = f"the session would be larger than {MOST_BYTES // 1_000_000} MB, the most allowed here"
                    raise InputError(problem, "Save the session, and go on with it on your own machine.")
                self.file.save(after)
        except OutputError as fault:
            self._tell(Remark(len(self.file.load().log), f"{fault.message}. {fault.remedy}"))
            return None
        except Refusal as refusal:
            self._refused(action, refusal)
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
        """Returns a refusal as a sentence, without its code."""
        return self.file.reason(refusal).partition(": ")[2]

    def _tell(self, remark: Remark, *seats: str) -> None:
        self.tables.remark(self.table, remark, *(seats or (self.seat,)))
        self.table = self.tables.find(self.table.link(self.seat))[0]
