"""Imports go one way, the pure rooms stay pure, and commands import only what they use."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
GAMES = ("cahrd", "cdg_solo", "empires_and_generals", "guarda", "rishar")
PURE = ("deck", "play", "layout", "pool.py", "query", "game.py", "game_parts.py", "names.py", "units.py", "findings.py")
PURE += tuple(f"games/{game}" for game in GAMES)
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


def _modules(part: str) -> list[Path]:
    path = ROOT / "carddb" / part
    return [path] if path.is_file() else sorted(path.rglob("*.py"))


@pytest.mark.parametrize("path", [p for part in PURE for p in _modules(part)], ids=lambda p: str(p.relative_to(ROOT)))
def test_pure_rooms_have_no_clock_no_chance_and_no_environment(path: Path) -> None:
    """A pure module imports nothing that could make two runs differ, and opens no file."""
    tree = ast.parse(path.read_text("utf-8"))
    names = {
        alias.name.split(".")[0] for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names
    }
    names |= {(node.module or "").split(".")[0] for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert not names & IMPURE_MODULES
    calls = {node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    assert "open" not in calls
    assert not re.search(r"\.(today|now|read_text|read_bytes|write_text|write_bytes)\(", path.read_text("utf-8"))


def loaded(*arguments: str, cwd: Path) -> set[str]:
    """The modules that a command has imported when it ends."""
    code = (
        f"import sys\nfrom carddb.cli.app import run\nrun({list(arguments)!r})\nprint('\\n@@' + ' '.join(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=cwd, capture_output=True, text=True, check=True)
    return set(done.stdout.rsplit("@@", 1)[1].split())


@pytest.mark.parametrize(
    ("arguments", "absent"),
    [
        (("--version",), {"pydantic", "yaml", "sqlite3", "jinja2", "reportlab", "PIL", "rich"}),
        (("explain", "E-24"), {"sqlalchemy", "sqlmodel", "jinja2", "reportlab", "PIL"}),
        (("judge", "--list", "eg"), {"sqlalchemy", "sqlmodel", "sqlite3", "jinja2", "reportlab", "PIL", "uharfbuzz"}),
        (("odds", "rishar", "rout", "--units=3"), {"sqlalchemy", "sqlmodel", "sqlite3", "jinja2", "reportlab"}),
        (("printer", "list"), {"sqlalchemy", "sqlmodel", "sqlite3", "jinja2", "reportlab", "uharfbuzz"}),
        (("solo", "modules"), {"sqlalchemy", "sqlmodel", "sqlite3", "jinja2", "reportlab"}),
    ],
)
def test_a_command_imports_only_what_it_uses(arguments: tuple[str, ...], absent: set[str], tmp_path: Path) -> None:
    """Start-up pays for nothing that the verb does not need."""
    assert not loaded(*arguments, cwd=tmp_path) & absent


def test_no_module_outgrows_its_room() -> None:
    """No module is over 400 lines."""
    long = {str(p): n for p in (ROOT / "carddb").rglob("*.py") if (n := len(p.read_text("utf-8").splitlines())) > 400}
    assert not long


def test_every_test_states_its_claim() -> None:
    """Each test's docstring begins with the claim it proves."""
    silent = [
        f"{path.name}:{node.name}"
        for path in Path(__file__).parent.glob("test_*.py")
        for node in ast.parse(path.read_text("utf-8")).body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_") and not ast.get_docstring(node)
    ]
    assert not silent
