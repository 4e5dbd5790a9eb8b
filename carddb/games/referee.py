"""The referee, which answers questions with the operations of games; each game is loaded when it is first needed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any

from carddb.core.errors import GameError, UsageError
from carddb.core.names import did_you_mean
from carddb.findings import has_errors
from carddb.game.frozen import as_plain
from carddb.games import Game, GameFolder, folders, load
from carddb.games.opening.game import MEND_RULES
from carddb.play.question import Operation, refusal_of

Opener = Callable[[GameFolder], Game]


def open_game(folder: GameFolder) -> Game:
    """Returns a game from its folder. Raises GameError, with the first fault, if it cannot be used."""
    game, findings = load(folder)
    if game is None or has_errors(findings):
        fix = findings[0].fix or "Correct the files of the game."
        raise GameError(f"the game {folder.key} cannot be used: {findings[0].message}", fix)
    return game


class Referee:
    """Answers questions about the games in its folders."""

    def __init__(self, games: Iterable[GameFolder], open_: Opener = open_game) -> None:
        self._folders = list(games)
        self._open = open_
        self._operations: dict[str, tuple[Operation[Any], Game]] = {}

    def find(self, name: str) -> tuple[Operation[Any], Game]:
        """Returns the operation with a full name such as `eg.compare`, and its game. Raises UsageError if unknown."""
        if name not in self._operations:
            prefix = name.partition(".")[0]
            for folder in self._folders:
                if folder.prefix == prefix:
                    self._operations |= self._of(folder)
        if name not in self._operations:
            raise UsageError(f"there is no operation {name!r}", did_you_mean(name, self.operations()))
        return self._operations[name]

    def ask(self, name: str, question: Any, why: bool = False) -> dict[str, Any]:
        """Returns the answer of the operation `name` to a question, in JSON values; a refusal is an answer, too.

        With `why`, the answer has the `rules` on which it is based. Raises UsageError for an unknown operation, and
        GameError if the program of a game outside carddb fails.
        """
        operation, game = self.find(name)
        try:
            answer = operation.ask(game.spec, question)
        except Exception as error:  # code from outside carddb, so the message names its file
            if game.folder.bundled:
                raise
            fault = f"the game's own program failed in {name} ({type(error).__name__}: {error})"
            raise GameError(f"{game.folder.path / 'rules.py'}: {fault}", MEND_RULES) from error
        return {**answer, "rules": rules_of(operation, game, answer)} if why else answer

    def operations(self) -> Mapping[str, tuple[Operation[Any], Game]]:
        """Returns every operation with its game, by the full name of the operation."""
        for folder in self._folders:
            self._operations |= self._of(folder)
        return self._operations

    def _of(self, folder: GameFolder) -> dict[str, tuple[Operation[Any], Game]]:
        game = self._open(folder)
        return {f"{game.spec.prefix}.{name}": (operation, game) for name, operation in game.operations.items()}


def rules_of(operation: Operation[Any], game: Game, answer: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Returns the rules behind an answer, with `id`, `text` and any `ruling`; for a refusal, also those of its code."""
    book = game.rule_book
    code = book.codes.get(refusal_of(game.spec, answer) or "")
    ids = dict.fromkeys((*game.rules_behind(operation), *(code.rules if code else ())))
    rules = {name: book.rules[name] for name in ids if name in book.rules}
    return [
        {"id": name, "text": rule.text} | ({"ruling": as_plain(rule.ruling)} if rule.ruling else {})
        for name, rule in rules.items()
    ]


@cache
def _bundled() -> Referee:
    return Referee(folders().values())


def judge(operation: str, question: Mapping[str, Any], why: bool = False) -> dict[str, Any]:
    """Returns the answer of a bundled game: `judge("eg.hand_discard", {"hand": 9})["discard"]` is 2.

    A refusal is an answer, too. With `why`, the answer has the `rules` on which it is based, each with `id` and `text`.
    Raises UsageError for an unknown operation.
    """
    return _bundled().ask(operation, question, why)
