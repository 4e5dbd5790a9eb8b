"""A game as loaded: what its files say, and what its program computes."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from carddb.cards.cards import SAMPLE, Card, Pool
from carddb.core import cache
from carddb.core.errors import GameError, InputError
from carddb.findings import Finding, Place
from carddb.game import game, parts, rule_parts
from carddb.game.frozen import as_plain, build
from carddb.game.game import GameSpec, game_in_language
from carddb.games.opening.folder import GameFolder

if TYPE_CHECKING:
    from carddb.games.opening.rulebook import RuleBook
    from carddb.play.question import Operation
    from carddb.play.table.engine import TableGame
    from carddb.read.cards.file import CardFile

_MEND_RULES = "Mend the game's rules.py."


class Game:
    """A game as loaded: what its files say and what its rules compute."""

    def __init__(self, folder: GameFolder, spec: GameSpec) -> None:
        self.folder = folder
        self.spec = spec

    @property
    def key(self) -> str:
        return self.spec.key

    def in_language(self, lang: str) -> Game:
        """Returns the game with its words in a language, as far as it has them; its program is the same."""
        spec = game_in_language(self.spec, lang)
        if spec is self.spec:
            return self
        game = Game(self.folder, spec)
        game.__dict__["rules"] = self.rules
        return game

    @cached_property
    def rules(self) -> ModuleType | None:
        """The module of the game's `rules.py`, where there is one that may run."""
        if not self.has_rules or not self.folder.trusted:
            return None
        if self.folder.bundled:
            return bundled_rules(self.folder)
        return _import_file(self.folder.path / "rules.py", f"carddb_game_{self.folder.path.name}")

    @property
    def has_rules(self) -> bool:
        return self.folder.has_rules

    def hook(self, name: str) -> Any:
        """Returns a function that the game's rules define under a name the house knows; None without it.

        What a function of an outside game raises is a GameError that names its file.
        """
        function = getattr(self.rules, name, None)
        return function if function is None or self.folder.bundled else self._guarded(function, name)

    def picture_folders(self, project_folder: Path | None) -> tuple[Path, ...]:
        """Returns where pictures of its cards are looked for: in a project, if there is one, then in the game's folder.

        In the folder of a bundled game there are none.
        """
        own = () if self.folder.bundled else (self.folder.path,)
        return (project_folder, *own) if project_folder else own

    @cached_property
    def own_file(self) -> CardFile | None:
        """The game's own file of cards, which are samples, as it is read; None where it has none."""
        return self.read_own_file((self.folder.path,))

    def read_own_file(self, picture_folders: tuple[Path, ...]) -> CardFile | None:
        """Returns the game's own file of cards, anew, with pictures in some folders; None where it has none."""
        # Readers of tables, 8 ms, which a catalogue with cards does without.
        from carddb.read.cards.file import read_cards

        path = self.folder.cards_file
        if path is None:
            return None
        return read_cards(self.folder.source(path), self.spec, default_set=SAMPLE, images_root=picture_folders)

    @cached_property
    def own_cards(self) -> Pool:
        """The cards of the game's own file."""
        return Pool(self.spec.card(row.ref, row.values) for row in (self.own_file.records if self.own_file else ()))

    def in_print(self, cards: Iterable[Card]) -> list[Card]:
        """Returns those of some cards that are played with as the options have it."""
        belongs = self.hook("in_print")
        return [card for card in cards if belongs is None or belongs(card, self.spec)]

    @cached_property
    def checks(self) -> list[Callable[..., list[Finding]]]:
        """The checks of decks that data cannot say. Raises GameError where CHECKS is no list of functions."""
        return self._checks("CHECKS")

    @cached_property
    def card_checks(self) -> list[Callable[..., list[Finding]]]:
        """Returns the checks of one card beyond its single fields: each takes a card, its place and the game's spec.

        Raises GameError where CARD_CHECKS is no list of functions.
        """
        return self._checks("CARD_CHECKS")

    def faults_of(self, cards: Iterable[tuple[Card, Place]]) -> list[Finding]:
        """Returns what the game's checks of cards find wrong with those of a file, each with its place."""
        checks = self.card_checks
        return [finding for card, place in (cards if checks else ()) for check in checks
                for finding in check(card, place, self.spec)]  # fmt: skip

    @cached_property
    def ban_check(self) -> Callable[..., list[Finding]]:
        """The check of decks against the game's ban lists: its own BAN_CHECK, else the one for any game."""
        from carddb.deck.check.bans import check  # the check of ban lists, 5 ms, for a deck alone

        own = getattr(self.rules, "BAN_CHECK", None)
        if own is None or self.folder.bundled:
            return own or check
        return self._checked(self._guarded(own, "BAN_CHECK"))

    def with_rules(self, findings: Sequence[Finding]) -> list[Finding]:
        """Returns the findings; those that name no rule have the ones that the rule book gives for their codes."""
        if all(finding.rules for finding in findings):
            return list(findings)
        codes = self.rule_book.codes
        return [f._replace(rules=f.rules or codes[f.code].rules) if f.code in codes else f for f in findings]

    @property
    def operations(self) -> Mapping[str, Operation[Any]]:
        """The questions that the game's rules answer, by name. Raises GameError where they are something else."""
        return self._questions("OPERATIONS")

    @property
    def odds(self) -> Mapping[str, Operation[Any]]:
        """The chances that the game shows to people, by name. Raises GameError where they are something else."""
        return self._questions("ODDS")

    @cached_property
    def table(self) -> TableGame[Any] | None:
        """Returns the game's table; None where it has none. Raises GameError where SESSION gives no table."""
        from carddb.play.table.engine import TableGame  # Pydantic, 40 ms, for play alone

        give = self.hook("SESSION")
        table = None if give is None else give()
        if table is not None and not isinstance(table, TableGame):
            raise GameError(f"{self._rules_file}: SESSION does not give a TableGame", _MEND_RULES)
        return table

    def _questions(self, name: str) -> Mapping[str, Operation[Any]]:
        from carddb.play.question import Operation  # Pydantic, 40 ms, for questions alone

        questions = getattr(self.rules, name, {})
        if not isinstance(questions, Mapping) or not all(isinstance(item, Operation) for item in questions.values()):
            raise GameError(f"{self._rules_file}: {name} is not what operations() gives", _MEND_RULES)
        return questions

    def _checks(self, name: str) -> list[Callable[..., list[Finding]]]:
        checks = getattr(self.rules, name, ())
        if self.folder.bundled:
            return list(checks)
        if not isinstance(checks, list | tuple):
            raise GameError(f"{self._rules_file}: {name} is not a list of functions", _MEND_RULES)
        return [self._checked(self._guarded(check, getattr(check, "__name__", "a check"))) for check in checks]

    @property
    def _rules_file(self) -> Path:
        return self.folder.path / "rules.py"

    def _guarded(self, function: Any, name: str) -> Callable[..., Any]:
        if not callable(function):
            raise GameError(f"{self._rules_file}: {name} is not a function", _MEND_RULES)

        def call(*arguments: Any) -> Any:
            try:
                return function(*arguments)
            except (Exception, SystemExit) as error:  # somebody else's program: say whose it is
                raise GameError(f"{self._rules_file}: {name} raised {_error_text(error)}", _MEND_RULES) from error

        return call

    def _checked(self, check: Callable[..., Any]) -> Callable[..., list[Finding]]:
        def call(*arguments: Any) -> list[Finding]:
            findings = check(*arguments)
            if not isinstance(findings, list | tuple) or not all(isinstance(item, Finding) for item in findings):
                raise GameError(f"{self._rules_file}: a check did not give a list of findings", _MEND_RULES)
            return list(findings)

        return call

    @cached_property
    def rule_book(self) -> RuleBook:
        """`rules.yaml`: rule ids with tag and text, and the codes of the game. Raises GameError."""
        # Pydantic, 40 ms, which a check without findings does without.
        from carddb.games.opening.rulebook import RULES_FILE, read_book

        path = self.folder.path / RULES_FILE
        book, findings = read_book(self.folder)
        if book is None:
            raise GameError(f"{path} cannot be used: {findings[0].message}", "Mend the file.")
        return book


def bundled_rules(folder: GameFolder) -> ModuleType:
    """Returns the module of the `rules.py` of a bundled game, whose files need not be read for it."""
    return importlib.import_module(f"carddb.games.{folder.path.name}.rules")


def _import_file(path: Path, name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise GameError(f"{path} cannot be run")
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:  # somebody else's program: say whose it is
        raise GameError(f"{path}: {_error_text(error)}", _MEND_RULES) from error
    return module


def _error_text(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"


_KIND = "game"
_PARTS = (game, parts, rule_parts, parts)
"""The modules of what a game consists of."""


def load(folder: GameFolder) -> tuple[Game | None, list[Finding]]:
    """Returns a game from its folder, or every fault of its files. Raises InputError where a file cannot be read.

    A game without any fault is kept in the user's cache.
    """
    key = _key(folder)
    spec = _cached_spec(key)
    if spec:
        return Game(folder, spec), []
    from carddb.games.opening.spec_reader import read_spec  # Pydantic and PyYAML, 60 ms, for files that changed

    spec, findings = read_spec(folder)
    if spec is None:
        return None, findings
    if not findings and key == _key(folder):  # nothing was changed meanwhile
        cache.keep_plain(_KIND, key, as_plain(spec))
    return Game(folder, spec), findings


def _key(folder: GameFolder) -> str:
    """Returns the key of a game made from these files by this program; empty where they cannot be read."""
    try:
        files = [part for path in folder.data_files for part in (f"{path.parent.name}/{path.name}", folder.read(path))]
        return cache.key_of([folder.key, *cache.source_stamps(*_PARTS), *files])
    except (OSError, InputError):
        return ""


def _cached_spec(key: str) -> GameSpec | None:
    data = cache.fetch_plain(_KIND, key)
    try:
        return build(GameSpec, data) if data else None
    except (AttributeError, TypeError, ValueError):
        return None
