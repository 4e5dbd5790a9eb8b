"""A loaded game: the content of its files, and the functions of its program."""

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
from carddb.findings import CardCount, Finding, Place, warning
from carddb.game import game, parts, rule_parts
from carddb.game.frozen import as_plain, build
from carddb.game.game import GameSpec, game_in_language
from carddb.games.opening.folder import GameFolder
from carddb.layout.text.markup import unread_marks, unread_words

if TYPE_CHECKING:
    from carddb.games.opening.spec_reader import RuleBook
    from carddb.play.question import Operation
    from carddb.play.table.engine import TableGame
    from carddb.read.cards.file import CardFile

MEND_RULES = "Correct the rules.py of the game, or report the fault to the maker of the game."


class Game:
    """A loaded game: the content of its files, and the functions of its rules."""

    def __init__(self, folder: GameFolder, spec: GameSpec) -> None:
        self.folder = folder
        self.spec = spec

    @property
    def key(self) -> str:
        return self.spec.key

    def in_language(self, lang: str) -> Game:
        """Returns the game with the same program, and with its texts in the language `lang` as far as they exist."""
        spec = game_in_language(self.spec, lang)
        if spec is self.spec:
            return self
        game = Game(self.folder, spec)
        game.__dict__["rules"] = self.rules
        return game

    @cached_property
    def rules(self) -> ModuleType | None:
        """The module of the game's `rules.py`; None if there is none, or if it may not be run."""
        if not self.has_rules or not self.folder.trusted:
            return None
        if self.folder.bundled:
            return bundled_rules(self.folder)
        return _import_file(self.folder.path / "rules.py", f"carddb_game_{self.folder.path.name}")

    @property
    def has_rules(self) -> bool:
        return self.folder.has_rules

    def hook(self, name: str) -> Any:
        """Returns a function of `rules.py`; None without one. In an outside game, its exceptions become GameErrors."""
        function = getattr(self.rules, name, None)
        return function if function is None or self.folder.bundled else self._guarded(function, name)

    def picture_folders(self, project_folder: Path | None) -> tuple[Path, ...]:
        """Returns the folders to search for pictures: the project's, if any, and the game's unless it is bundled."""
        own = () if self.folder.bundled else (self.folder.path,)
        return (project_folder, *own) if project_folder else own

    @cached_property
    def own_file(self) -> CardFile | None:
        """The content of the game's own file of sample cards; None if there is no such file."""
        return self.read_own_file((self.folder.path,))

    def read_own_file(self, picture_folders: tuple[Path, ...]) -> CardFile | None:
        """Reads the game's own file of cards, with pictures in `picture_folders`; None if there is no such file."""
        # This imports the readers of tables (8 ms), which are not needed if a catalogue has cards.
        from carddb.read.cards.file import CardReading, read_cards

        path = self.folder.cards_file
        if path is None:
            return None
        return read_cards(self.folder.source(path), CardReading(self.spec, SAMPLE, picture_folders))

    @cached_property
    def own_cards(self) -> Pool:
        """The pool of the cards in the game's own file."""
        return Pool(self.spec.card(row.ref, row.values) for row in (self.own_file.records if self.own_file else ()))

    def in_print(self, cards: Iterable[Card]) -> list[Card]:
        """Returns the cards in use: all, unless the game's `in_print` leaves some out under its options."""
        belongs = self.hook("in_print")
        return [card for card in cards if belongs is None or belongs(card, self.spec)]

    @cached_property
    def checks(self) -> list[Callable[..., list[Finding]]]:
        """The game's own checks of decks. Raises GameError if CHECKS is not a list of functions."""
        return self._checks("CHECKS")

    @cached_property
    def card_checks(self) -> list[Callable[..., list[Finding]]]:
        """The game's own checks of single cards. Raises GameError if CARD_CHECKS is not a list of functions."""
        return self._checks("CARD_CHECKS")

    def faults_of(self, cards: Iterable[tuple[Card, Place]]) -> list[Finding]:
        """Returns the findings about `cards` from the game's card checks, and about markup that is not understood."""
        checks = self.card_checks
        fields = self.spec.all_fields().items()
        marked = [name for name, field in fields if field.type == "text" and field.markup == "marks" and name != "name"]
        findings: list[Finding] = []
        for card, place in cards:
            for name in marked:
                text = card.get(name)
                if isinstance(text, str) and ("{" in text or "**" in text):
                    findings += _unread(card, name, text, place)
            for check in checks:
                findings += check(card, place, self.spec)
        return findings

    @cached_property
    def ban_check(self) -> Callable[..., list[Finding]]:
        """The check of decks against ban lists: the game's own BAN_CHECK, else the general one."""
        from carddb.deck.check.bans import check  # the check of ban lists, 5 ms, only for decks

        own = getattr(self.rules, "BAN_CHECK", None)
        if own is None or self.folder.bundled:
            return own or check
        return self._checked(self._guarded(own, "BAN_CHECK"))

    def with_rules(self, findings: Sequence[Finding]) -> list[Finding]:
        """Returns the findings; those without rules get the rules that the rule book has for their codes."""
        if all(finding.rules for finding in findings):
            return list(findings)
        codes = self.rule_book.codes
        return [f._replace(rules=f.rules or codes[f.code].rules) if f.code in codes else f for f in findings]

    @property
    def operations(self) -> Mapping[str, Operation[Any]]:
        """The questions that the game's rules answer, by name. Raises GameError if OPERATIONS is of a wrong type."""
        return self._questions("OPERATIONS")

    @property
    def odds(self) -> Mapping[str, Operation[Any]]:
        """The questions about chances, by name. Raises GameError if ODDS is of a wrong type."""
        return self._questions("ODDS")

    @cached_property
    def table(self) -> TableGame[Any] | None:
        """The game's table; None if it has none. Raises GameError if SESSION returns something else."""
        from carddb.play.table.engine import TableGame  # Pydantic, 40 ms, only for play

        give = self.hook("SESSION")
        table = None if give is None else give()
        if table is not None and not isinstance(table, TableGame):
            raise GameError(f"{self._rules_file}: SESSION does not return a TableGame", MEND_RULES)
        return table

    def rules_behind(self, question: Operation[Any]) -> tuple[str, ...]:
        """Returns the ids of the rules behind a question's answer, named by its function or by the rule book."""
        return (*question.rules, *self.rule_book.implements.get(f"{self.spec.prefix}.{question.name}", ()))

    def _questions(self, name: str) -> Mapping[str, Operation[Any]]:
        from carddb.play.question import Operation  # Pydantic, 40 ms, only for questions

        questions = getattr(self.rules, name, {})
        if not isinstance(questions, Mapping) or not all(isinstance(item, Operation) for item in questions.values()):
            raise GameError(f"{self._rules_file}: {name} is not a value that operations() returns", MEND_RULES)
        return questions

    def _checks(self, name: str) -> list[Callable[..., list[Finding]]]:
        checks = getattr(self.rules, name, ())
        if self.folder.bundled:
            return list(checks)
        if not isinstance(checks, list | tuple):
            raise GameError(f"{self._rules_file}: {name} is not a list of functions", MEND_RULES)
        titles = [getattr(check, "__name__", f"{name}[{number}]") for number, check in enumerate(checks)]
        return [self._checked(self._guarded(check, title)) for check, title in zip(checks, titles, strict=True)]

    @property
    def _rules_file(self) -> Path:
        return self.folder.path / "rules.py"

    def _guarded(self, function: Any, name: str) -> Callable[..., Any]:
        if not callable(function):
            raise GameError(f"{self._rules_file}: {name} is not a function", MEND_RULES)

        def call(*arguments: Any) -> Any:
            try:
                return function(*arguments)
            except (Exception, SystemExit) as error:  # foreign code: the message names its file
                message = f"{self._rules_file}: the game's own program failed in {name} ({_error_text(error)})"
                raise GameError(message, MEND_RULES) from error

        return call

    def _checked(self, check: Callable[..., Any]) -> Callable[..., list[Finding]]:
        def call(*arguments: Any) -> list[Finding]:
            findings = check(*arguments)
            if not isinstance(findings, list | tuple) or not all(isinstance(item, Finding) for item in findings):
                raise GameError(f"{self._rules_file}: a check did not return a list of findings", MEND_RULES)
            return list(findings)

        return call

    @cached_property
    def rule_book(self) -> RuleBook:
        """The content of `rules.yaml`: the game's rules and codes. Raises GameError if the file is invalid."""
        # This imports Pydantic (40 ms), which a check without findings does not need.
        from carddb.games.opening.spec_reader import RULES_FILE, read_book

        path = self.folder.path / RULES_FILE
        book, findings = read_book(self.folder)
        if book is None:
            raise GameError(f"{path} cannot be used: {findings[0].message}", findings[0].fix or "Correct the file.")
        return book


def bundled_rules(folder: GameFolder) -> ModuleType:
    """Returns the `rules.py` module of a bundled game, without reading the game's other files."""
    return importlib.import_module(f"carddb.games.{folder.path.name}.rules")


def _import_file(path: Path, name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise GameError(f"{path} cannot be run as a Python program", MEND_RULES)
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:  # foreign code: the message names its file
        raise GameError(f"{path}: {_error_text(error)}", MEND_RULES) from error
    return module


def _error_text(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"


_KIND = "game"
_PARTS = (game, parts, rule_parts)
"""The modules that define the parts of a game; a change of one of them invalidates the cache."""


def load(folder: GameFolder) -> tuple[Game | None, list[Finding]]:
    """Returns a game, or None if it is unusable, and all faults. Raises InputError for unreadable files."""
    key = _key(folder)
    spec = _cached_spec(key)
    if spec:
        return Game(folder, spec), []
    from carddb.games.opening.spec_reader import read_spec  # Pydantic and PyYAML, 60 ms, for files that changed

    spec, findings = read_spec(folder)
    if spec is None:
        return None, findings
    if not findings and key == _key(folder):  # nothing was changed meanwhile
        cache.keep_value(_KIND, key, as_plain(spec))
    return Game(folder, spec), findings


def _key(folder: GameFolder) -> str:
    """Returns the cache key of a game, made from its files and this program; empty if the files cannot be read."""
    try:
        files = [part for path in folder.data_files for part in (f"{path.parent.name}/{path.name}", folder.read(path))]
        return cache.key_of([folder.key, *cache.source_stamps(*_PARTS), *files])
    except (OSError, InputError):
        return ""


def _cached_spec(key: str) -> GameSpec | None:
    data = cache.fetch_value(_KIND, key)
    try:
        return build(GameSpec, data) if data else None
    except (AttributeError, TypeError, ValueError):
        return None


def _unread(card: Card, name: str, text: str, place: Place) -> list[Finding]:
    """Returns a warning for each part of the text of the field `name` that looks like markup but is printed as is."""
    findings = []
    for mark in unread_marks(text):
        message, fix = unread_words(mark)
        where, about = place._replace(column=0, column_name=name, text=mark), (CardCount(card.ref, card.name),)
        findings.append(warning("icon_unread", message, where, cards=about, data={"field": name}, fix=fix))
    return findings
