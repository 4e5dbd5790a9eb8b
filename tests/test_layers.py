"""Imports go one way, the pure rooms stay pure, and commands import only what they use."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Collection
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.claims import docstrings
from tests.rows import every, usually

ROOT = Path(__file__).parent.parent
GAMES = ("cahrd", "cdg_solo", "empires_and_generals", "guarda", "rishar")
PURE = (
    "bans",
    "deck",
    "play",
    "rounds",
    "layout",
    "cards",
    "game",
    "core/dates.py",
    "core/names.py",
    "core/units.py",
    "findings.py",
    *(f"games/{game}" for game in GAMES),
)
IMPURE_MODULES = {"time", "random", "os", "secrets", "uuid", "socket", "sqlite3", "subprocess", "getpass"}


def test_the_layer_contract_holds() -> None:
    """Every import follows the picture in the README; import-linter says so."""
    result = subprocess.run(
        [str(Path(sys.executable).parent / "lint-imports"), "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr


class Facts(NamedTuple):
    """What a module imports and calls, from one walk through its syntax tree."""

    imports: tuple[ast.Import | ast.ImportFrom, ...]
    inside: tuple[ast.Import | ast.ImportFrom, ...]
    """The imports that stand inside functions."""
    by_name: tuple[str, ...]
    """The modules that are imported by a name that is written there."""
    calls: frozenset[str]


@cache
def _facts(path: Path) -> Facts:
    """Returns the facts of a module; each file is read once a process."""
    imports: list[ast.Import | ast.ImportFrom] = []
    inside: list[ast.Import | ast.ImportFrom] = []
    calls = []
    waiting: list[tuple[ast.AST, bool]] = [(ast.parse(path.read_text("utf-8")), False)]
    while waiting:
        node, within = waiting.pop()
        if isinstance(node, ast.Import | ast.ImportFrom):
            imports.append(node)
            inside += [node] if within else []
        elif isinstance(node, ast.Call):
            calls.append(node)
        within = within or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        waiting += [(child, within) for child in ast.iter_child_nodes(node)]
    named = {ast.unparse(call.func): call for call in calls if isinstance(call.func, ast.Name | ast.Attribute)}
    importing = [call for call in calls if getattr(call.func, "attr", getattr(call.func, "id", "")) == "import_module"]
    by_name = [str(part.value) for call in importing for part in call.args if isinstance(part, ast.Constant)]
    return Facts(tuple(imports), tuple(inside), tuple(by_name), frozenset(named))


def _modules(part: str) -> list[Path]:
    path = ROOT / "carddb" / part
    modules = [path] if path.is_file() else sorted(path.rglob("*.py"))
    assert modules, f"{part} is no room"
    return modules


@every("part", PURE)
def test_pure_rooms_have_no_clock_no_chance_and_no_environment(part: str) -> None:
    """A pure module imports nothing that could make two runs differ, and opens no file."""
    for path in _modules(part):
        facts = _facts(path)
        names = {alias.name for node in facts.imports if isinstance(node, ast.Import) for alias in node.names}
        names |= {node.module or "" for node in facts.imports if isinstance(node, ast.ImportFrom)}
        assert not {name.split(".")[0] for name in names} & IMPURE_MODULES, path
        assert "open" not in facts.calls, path
        text = path.read_text("utf-8")
        assert not re.search(r"\.(today|now|read_text|read_bytes|write_text|write_bytes)\(", text), path


_MOST_INSIDE = 78
_WITHOUT_REASONS = "carddb.door"
"""Its own docstring has the one reason of all: a use case is imported when it is asked for."""


def _all_modules() -> dict[str, Path]:
    """Returns the file of every module of carddb by the module's name."""
    paths = sorted((ROOT / "carddb").rglob("*.py"))
    return {".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path for path in paths}


def _imported(facts: Facts, modules: Collection[str]) -> set[str]:
    """Returns the modules of carddb that a module imports, also those that it imports by name."""
    names = {alias.name for node in facts.imports if isinstance(node, ast.Import) for alias in node.names}
    for node in facts.imports:
        if isinstance(node, ast.ImportFrom):
            parts = [f"{node.module}.{alias.name}" for alias in node.names]
            names |= {part if part in modules else str(node.module) for part in parts}
    return names.union(facts.by_name).intersection(modules)


def test_no_module_imports_itself_through_others() -> None:
    """Imports have no circle, those for types alone and those inside functions counted too."""
    modules = _all_modules()
    left = {name: _imported(_facts(path), modules) - {name} for name, path in modules.items()}
    while ends := {name for name, imported in left.items() if not imported & left.keys()}:
        left = {name: imported for name, imported in left.items() if name not in ends}
    assert not left, "in a circle, or above one"


def test_imports_stand_at_the_top() -> None:
    """Few imports stand inside functions, each with its reason beside it: what it costs, and who does without."""
    inside: list[str] = []
    silent: list[str] = []
    for name, path in _all_modules().items():
        lines = path.read_text("utf-8").splitlines()
        for node in _facts(path).inside:
            inside.append(f"{name}:{node.lineno}")
            beside = "".join(lines[node.lineno - 2 : node.end_lineno])
            if "#" not in beside and name != _WITHOUT_REASONS:
                silent.append(f"{name}:{node.lineno}")
    assert len(inside) <= _MOST_INSIDE, inside
    assert not silent


_WRITING = {"sqlalchemy", "sqlmodel"}
_PRINTING = {"jinja2", "reportlab", "PIL", "uharfbuzz"}
_TESTING = {"pydantic", "yaml", "tomllib", "importlib.metadata"}
_RARE = {"rustworkx", "fontTools", "rich", "pypdfium2", "markdown_it"}
_HEAVY = {"click", "sqlite3"} | _WRITING | _PRINTING | _TESTING | _RARE

_PROGRAM = """
import sys
from carddb.__main__ import main
for arguments in {commands!r}:
    sys.argv[1:] = arguments
    try:
        main()
    except SystemExit as end:
        print("\\n@@", end.code, *({watched!r} & sys.modules.keys()), flush=True)
"""


def loaded(*commands: str, cwd: Path) -> list[set[str]]:
    """Which of the heavy modules the commands of one process have imported when each of them ends."""
    program = _PROGRAM.format(commands=[command.split() for command in commands], watched=_HEAVY)
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "CARDDB_CACHE": str(cwd / "cache")}
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=cwd, env=environment, capture_output=True, text=True, check=True
    )
    ends = [line.split()[1:] for line in done.stdout.splitlines() if line.startswith("@@")]
    assert [end[0] for end in ends] == ["0"] * len(commands), done.stderr
    return [set(end[1:]) for end in ends]


@pytest.mark.door
@usually(
    "command, absent",
    [
        ("--version", {"click", "importlib.metadata"}),
        ("explain E-24", _WRITING | _PRINTING),
        ("judge --list eg", _WRITING | _PRINTING | {"sqlite3"}),
        ("odds rishar rout --units=3", _WRITING | _PRINTING | {"sqlite3"}),
        ("printer list", _WRITING | _PRINTING | {"sqlite3"}),
        ("solo modules", _WRITING | _PRINTING | {"sqlite3"}),
        ("sheets empire:mali --game empires-and-generals --png out --dpi 30 --jobs 2", {"pypdfium2"}),
    ],
    ("explain E-24", _WRITING | _PRINTING),
    ("solo modules", _WRITING | _PRINTING | {"sqlite3"}),
)
def test_a_command_imports_only_what_it_uses(command: str, absent: set[str], tmp_path: Path) -> None:
    """Start-up pays for nothing that the verb does not need."""
    assert not loaded(command, cwd=tmp_path)[0] & absent


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project in which everything was done once, so that what can be kept has been kept."""
    folder = tmp_path_factory.mktemp("project")
    (folder / "carddb.toml").write_text('game = "empires-and-generals"\n', "utf-8")
    decks = ROOT / "carddb" / "games" / "empires_and_generals" / "decks"
    shutil.copy(decks / "mali-gold-and-salt.deck", folder / "my.deck")
    (folder / "question.json").write_text('{"hand": 9}', "utf-8")
    loaded("export hannibal -o some.csv", *_READ, *_LOAD, *_PRINT, *_ASK, cwd=folder)
    return folder


_READ = ("cards hannibal", "show EG-CAR-001", "history EG-CAR-001", "check my.deck", "decklist my.deck -o my.txt")
_LOAD = ("load some.csv", "load some.csv --prune --dry-run")
_PRINT = (
    "sheets my.deck -o sheets.pdf",
    "components empires-and-generals counters -o components.pdf",
    "decklist my.deck -o my.pdf",
    "proof EG-CAR-001 -o proof.pdf",
)
_ASK = ("judge eg.hand_discard question.json",)


@pytest.mark.door
@usually(
    "commands, absent",
    [
        (_READ, _TESTING | _RARE | _WRITING | _PRINTING),
        (_LOAD, _TESTING | _RARE | _WRITING | _PRINTING),
        (_PRINT, _TESTING | _RARE | _WRITING),
        (_ASK, _RARE | _WRITING | _PRINTING | {"yaml", "tomllib", "sqlite3"}),
    ],
    (_ASK, _RARE | _WRITING | _PRINTING | {"yaml", "tomllib", "sqlite3"}),
)
@pytest.mark.full
def test_what_was_read_once_is_not_tested_again(commands: tuple[str, ...], absent: set[str], project: Path) -> None:
    """A verb that reads, in a project that has not changed, imports nothing that reads or tests its files."""
    found = loaded(*commands, cwd=project)
    assert [modules & absent for modules in found] == [set()] * len(commands)


_GAMES_PROGRAM = """
import sys
from datetime import date
from carddb.deck import Context
from carddb.games import folders, load
from carddb.read.decks.text import load_deck

HOOKS = "component_data component_form deck_sums face_data own_module stands_for".split()

def imported(package):
    return ",".join(sorted(name.removeprefix(package) for name in sys.modules if name.startswith(package)))

for folder in folders().values():
    package = f"carddb.games.{folder.path.name}."
    game, _ = load(folder)
    hooks = {name: game.hook(name) for name in HOOKS}
    checks = [*game.checks, game.ban_check]
    print(imported(package))
    hooks["face_data"](next(iter(game.own_cards)), game.spec)
    deck, _ = load_deck(folder.decks[0], game.spec, game.own_cards)
    for check in checks:
        check(deck, game.spec, game.own_cards, Context(on=date(2026, 1, 1)))
    print(imported(package))
"""

_ANSWERING = {
    "cahrd": {"play.chain"},
    "cdg_solo": {
        "play.combat",
        "play.hooks",
        "play.odds",
        "play.phase",
        "play.plays",
        "play.rounds",
        "table",
    },
    "empires_and_generals": {"play.decks", "play.turn"},
    "guarda": {"play.odds", "simulation", "play.turn"},
    "rishar": {"battle", "play.odds"},
}
"""Modules and folders of each game that answer questions only."""


@pytest.mark.door
def test_a_game_imports_a_module_when_a_job_needs_it() -> None:
    """A game that is opened has imported `rules` alone; a face and a check import nothing that answers questions."""
    done = subprocess.run([sys.executable, "-c", _GAMES_PROGRAM], cwd=ROOT, capture_output=True, text=True, check=True)
    lines = [set(line.split(",")) for line in done.stdout.splitlines()]
    paths = [ROOT / "carddb" / "games" / game / name.replace(".", "/") for game in GAMES for name in _ANSWERING[game]]
    assert [path for path in paths if not (path.is_dir() or path.with_suffix(".py").is_file())] == []
    assert lines[::2] == [{"rules"}] * len(GAMES)
    assert [used & _ANSWERING[game] for game, used in zip(GAMES, lines[1::2], strict=True)] == [set()] * len(GAMES)


def test_the_application_knows_no_terminal() -> None:
    """The room of the application neither prints, nor ends the program, nor reads a key."""
    calls = {
        f"{path.name}: {call}"
        for path in (ROOT / "carddb" / "app").rglob("*.py")
        for call in re.findall(r"\b(?:print|input)\(|\bsys\.(?:exit|stdout|stderr|argv)\b", path.read_text("utf-8"))
    }
    assert not calls


def test_platypus_stays_in_its_corner() -> None:
    """Only the painter of documents knows ReportLab's flowables."""
    knowing = {
        str(path.relative_to(ROOT / "carddb"))
        for path in (ROOT / "carddb").rglob("*.py")
        if re.search(r"^\s*(from|import) reportlab\.platypus", path.read_text("utf-8"), re.MULTILINE)
    }
    assert knowing and all(name.startswith("paint/documents/") for name in knowing)


@pytest.mark.door
def test_every_test_states_its_claim() -> None:
    """Each test's docstring begins with the claim it proves."""
    silent = [
        place for place, claim in docstrings().items() if place.rpartition(":")[2].startswith("test_") and not claim
    ]
    assert not silent


_PRINTING_CALLS = {"click.echo", "click.secho", "click.style", "print", "sys.stdout.write", "sys.stderr.write"}


def test_text_leaves_by_one_door() -> None:
    """Only `show` prints and styles, because it escapes: no verb calls Click, print or a stream by itself."""
    for path in sorted((ROOT / "carddb" / "cli").rglob("*.py")):
        others = _facts(path).calls & {
            "click.echo",
            "click.secho",
            "click.style",
            "print",
            "sys.stdout.write",
            "sys.stderr.write",
        }
        assert not others or path.name in ("show.py", "stream.py"), path
