"""Finds the games: one folder each, bundled or outside the package, and nothing registered anywhere.

A folder is data. Its `rules.py` is a program: bundled ones always run, outside ones only when the caller
says that the folder was named by the user (`trusted`).
"""

from __future__ import annotations

import importlib
import importlib.util
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

from pydantic import ValidationError

from carddb import assets
from carddb.errors import GameError
from carddb.findings import Finding, Place, has_errors, warning
from carddb.game import GameSpec
from carddb.game_parts import Part
from carddb.games.book import CodeText, RuleBook
from carddb.names import did_you_mean
from carddb.play.question import Operation
from carddb.read import document
from carddb.read.schema_faults import pydantic_findings

GAME_FILE = "game.yaml"
RULES_FILE = "rules.yaml"
_PREFIX = re.compile(r"^prefix:\s*[\"']?(\w+)", re.MULTILINE)
_MEND_RULES = "Mend the game's rules.py."
_OWN_FILES = {GAME_FILE, RULES_FILE, "bans.yaml"}


@dataclass(frozen=True)
class GameFolder:
    """Where a game lies. `trusted`: its `rules.py` may run."""

    key: str
    path: Path
    bundled: bool
    trusted: bool

    @property
    def cards_file(self) -> Path | None:
        path = self.path / "cards.csv"
        return path if path.is_file() else None

    @cached_property
    def prefix(self) -> str:
        """The prefix of the game's operations, found without reading the whole of its file."""
        found = _PREFIX.search((self.path / GAME_FILE).read_text("utf-8", "replace"))
        return found[1] if found else ""

    @property
    def decks(self) -> list[Path]:
        return sorted((self.path / "decks").glob("*.deck"))

    @property
    def template_folder(self) -> Path:
        """The game's own templates: beside the bundled ones, or in the folder itself."""
        return assets.templates() / self.path.name if self.bundled else self.path / "templates"


@dataclass(frozen=True)
class Game:
    """A game as loaded: what its files say and what its rules compute."""

    folder: GameFolder
    spec: GameSpec
    _lazy: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)

    @property
    def key(self) -> str:
        return self.spec.key

    @cached_property
    def rules(self) -> ModuleType | None:
        """The module of the game's `rules.py`, where there is one that may run."""
        if not self.has_rules or not self.folder.trusted:
            return None
        if self.folder.bundled:
            return importlib.import_module(f"carddb.games.{self.folder.path.name}.rules")
        return _import_file(self.folder.path / "rules.py", f"carddb_game_{self.folder.path.name}")

    @property
    def has_rules(self) -> bool:
        return (self.folder.path / "rules.py").is_file()

    def hook(self, name: str) -> Any:
        """A function that the game's rules define under a name the house knows; None without it.

        What a function of an outside game raises is a GameError that names its file.
        """
        found = getattr(self.rules, name, None) if self.rules else None
        return found if found is None or self.folder.bundled else self._guarded(found, name)

    @cached_property
    def checks(self) -> list[Callable[..., list[Finding]]]:
        """The checks of decks that data cannot say. Raises GameError where CHECKS is no list of functions."""
        found = getattr(self.rules, "CHECKS", ()) if self.rules else ()
        if self.folder.bundled:
            return list(found)
        if not isinstance(found, list | tuple):
            raise GameError(f"{self._rules_file}: CHECKS is not a list of functions", _MEND_RULES)
        return [self._checked(self._guarded(check, getattr(check, "__name__", "a check"))) for check in found]

    @property
    def operations(self) -> Mapping[str, Operation[Any]]:
        """The questions that the game's rules answer, by name. Raises GameError where they are something else."""
        return self._questions("OPERATIONS")

    @property
    def odds(self) -> Mapping[str, Operation[Any]]:
        """The chances that the game shows to people, by name. Raises GameError where they are something else."""
        return self._questions("ODDS")

    def _questions(self, name: str) -> Mapping[str, Operation[Any]]:
        found = getattr(self.rules, name, {}) if self.rules else {}
        if not isinstance(found, Mapping) or not all(isinstance(item, Operation) for item in found.values()):
            raise GameError(f"{self._rules_file}: {name} is not what operations() gives", _MEND_RULES)
        return found

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
                raise GameError(f"{self._rules_file}: {name} raised {_named(error)}", _MEND_RULES) from error

        return call

    def _checked(self, check: Callable[..., Any]) -> Callable[..., list[Finding]]:
        def call(*arguments: Any) -> list[Finding]:
            found = check(*arguments)
            if not isinstance(found, list | tuple) or not all(isinstance(item, Finding) for item in found):
                raise GameError(f"{self._rules_file}: a check did not give a list of findings", _MEND_RULES)
            return list(found)

        return call

    @cached_property
    def rule_book(self) -> RuleBook:
        """`rules.yaml`: rule ids with tag and text, and the codes of the game. Raises GameError."""
        path = self.folder.path / RULES_FILE
        book, findings = _rule_book(path)
        if book is None:
            raise GameError(f"{path} cannot be used: {findings[0].message}", "Mend the file.")
        return book


def folders(outside: Iterable[tuple[Path, bool]] = ()) -> dict[str, GameFolder]:
    """Every game by key: the bundled ones, then those of outside folders (each a game or a folder of games).

    `outside` pairs a folder with whether it was named by the user. Raises GameError for a missing folder.
    """
    found: dict[str, GameFolder] = {}
    for path in sorted(Path(__file__).parent.iterdir()):
        if (path / GAME_FILE).is_file():
            found[_key(path)] = GameFolder(_key(path), path, True, True)
    for folder, trusted in outside:
        if not folder.is_dir():
            raise GameError(
                f"there is no folder {folder}", "Name a folder that holds a game, or a folder of such folders."
            )
        inside = [folder] if (folder / GAME_FILE).is_file() else sorted(p.parent for p in folder.glob(f"*/{GAME_FILE}"))
        if not inside:
            raise GameError(f"no game in {folder}", f"A game is a folder with a {GAME_FILE}.")
        for path in inside:
            found[_key(path)] = GameFolder(_key(path), path, False, trusted)
    return found


def _key(path: Path) -> str:
    return path.resolve().name.replace("_", "-")


def pick(known: Mapping[str, GameFolder], key: str) -> GameFolder:
    """The folder of a game by key. Raises GameError with the nearest."""
    if key not in known:
        raise GameError(f"there is no game {key!r}", did_you_mean(key, known))
    return known[key]


def load(folder: GameFolder) -> tuple[Game | None, list[Finding]]:
    """A game from its folder, or every fault of its files. Raises InputError where a file cannot be read."""
    parsed, findings = document.load(folder.path / GAME_FILE)
    if parsed is None or has_errors(findings):
        return None, findings
    tables, table_findings = _tables(folder.path)
    findings = [*findings, *table_findings]
    value = dict(parsed.value) if isinstance(parsed.value, dict) else {}
    try:
        spec = GameSpec.model_validate(value, strict=False)
    except ValidationError as fault:
        return None, [*findings, *pydantic_findings(fault, parsed, GameSpec)]
    if spec.key != folder.key:
        raise GameError(
            f"{folder.path / GAME_FILE}: the key is {spec.key!r}, the folder is {folder.key!r}", "Give both one name."
        )
    spec = spec.model_copy(update={"data": {**spec.data, **tables}})
    return Game(folder, spec), [*findings, *_rule_findings(folder.path / RULES_FILE, spec, parsed)]


def _tables(path: Path) -> tuple[dict[str, Any], list[Finding]]:
    """Every further YAML or JSON file of the folder, by its stem: the tables its rules and templates read.

    The files of a folder inside it are one table, by the folder's name.
    """
    out: dict[str, Any] = {}
    findings: list[Finding] = []
    for file in sorted((*path.glob("*.yaml"), *path.glob("*/*.yaml"), *path.glob("*/*.json"))):
        if file.parent == path and file.name in _OWN_FILES:
            continue
        parsed, faults = document.load(file)
        findings.extend(faults)
        if parsed is not None:
            (out if file.parent == path else out.setdefault(file.parent.name, {}))[file.stem] = parsed.value
    return out, findings


def _rule_book(path: Path) -> tuple[RuleBook | None, list[Finding]]:
    """A `rules.yaml`, empty where there is none, or every fault of it."""
    if not path.is_file():
        return RuleBook(), []
    parsed, findings = document.load(path)
    if parsed is None:
        return None, findings
    try:
        return RuleBook.model_validate(parsed.value, strict=False), findings
    except ValidationError as fault:
        return None, [*findings, *pydantic_findings(fault, parsed, RuleBook)]


def _rule_findings(path: Path, spec: GameSpec, parsed: document.Document) -> list[Finding]:
    """The faults of a `rules.yaml`, or a warning for each rule that the game names and it lacks."""
    book, findings = _rule_book(path)
    if book is None or not path.is_file():
        return findings
    strange: dict[str, list[Place]] = defaultdict(list)
    for where, rule in rules_named(spec):
        if rule not in book.rules:
            strange[rule].append(parsed.place(where))
    return findings + [
        warning("rule_unknown", f"{RULES_FILE} has no rule {rule}", *places, fix=did_you_mean(rule, book.rules))
        for rule, places in strange.items()
    ]


def rules_named(part: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Every rule id in a part of a game, and the keys that lead to it."""
    if isinstance(part, Part):
        for name in type(part).model_fields:
            value = getattr(part, name)
            if name in ("rules", "format_rules", "face_rules"):
                yield from (((*path, name, at), rule) for at, rule in enumerate(value))
            else:
                yield from rules_named(value, (*path, name))
    elif isinstance(part, Mapping):
        for key, value in part.items():
            yield from rules_named(value, (*path, key))
    elif isinstance(part, tuple):
        for at, value in enumerate(part):
            yield from rules_named(value, (*path, at))


def _mapping(path: Path) -> Mapping[str, Any]:
    if not path.is_file():
        return {}
    parsed, findings = document.load(path)
    if parsed is None or not isinstance(parsed.value, dict):
        raise GameError(f"{path} cannot be used", findings[0].message if findings else "It must be a mapping.")
    return parsed.value


def shared_codes() -> Mapping[str, CodeText]:
    """The finding codes that any game shares: cause and fix."""
    return RuleBook.model_validate({"codes": _mapping(Path(__file__).parent / "codes.yaml")}, strict=False).codes


def _import_file(path: Path, name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise GameError(f"{path} cannot be run")
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:  # somebody else's program: say whose it is
        raise GameError(f"{path}: {_named(error)}", _MEND_RULES) from error
    return module


def _named(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"
