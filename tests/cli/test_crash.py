"""No traceback: whatever goes wrong is a sentence on standard error and an exit code."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from carddb.app.workspace.published_folder import checked_address
from carddb.cli import main
from carddb.cli.games import games
from carddb.core.errors import UsageError
from tests.rows import every

FULL = Path("/dev/full")


def _fail(monkeypatch: pytest.MonkeyPatch, fault: BaseException) -> None:
    def broken(*_: object, **__: object) -> None:
        raise fault

    monkeypatch.setattr(games.games, "callback", broken)
    monkeypatch.delenv(main.SHOW_CRASH)


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (ZeroDivisionError("secret"), "a fault in carddb itself (ZeroDivisionError)"),
        (MemoryError(), "more memory than there is"),
        (RecursionError("depth"), "nested too deeply"),
    ],
)
def test_a_fault_of_its_own_is_a_sentence(
    fault: Exception, words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It says which verb could not do its work, and exits with 3; how it came to it stands there only with -v."""
    _fail(monkeypatch, fault)
    assert main.run(["games"]) == 3
    error = capsys.readouterr().err
    assert error.startswith("error: carddb games") and words in error
    assert "Traceback" not in error and "secret" not in error
    assert main.run(["-v", "games"]) == 3
    assert "Traceback" in capsys.readouterr().err


def test_the_end_of_a_file_is_no_interruption(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file that ends too early is an error, not exit code 130."""
    _fail(monkeypatch, EOFError("too early"))
    assert main.run(["games"]) == 3
    assert "a file ends too early" in capsys.readouterr().err


def test_tests_see_a_crash(monkeypatch: pytest.MonkeyPatch) -> None:
    """With CARDDB_SHOW_CRASH, which a test run sets, nothing is hidden."""
    _fail(monkeypatch, ZeroDivisionError())
    monkeypatch.setenv(main.SHOW_CRASH, "yes")
    with pytest.raises(ZeroDivisionError):
        main.run(["games"])


@pytest.mark.door
@pytest.mark.skipif(not FULL.exists(), reason="there is no full device here")
def test_standard_error_may_be_full(tmp_path: Path) -> None:
    """The exit code is the same, and nothing is said where nothing can be said."""
    command = [sys.executable, "-m", "carddb", "check", "nowhere.deck"]
    with FULL.open("w") as full:
        run = subprocess.run(
            command, stdout=subprocess.PIPE, stderr=full, cwd=tmp_path, env=dict(os.environ), check=False
        )
    assert (run.returncode, run.stdout) == (3, b"")


@every("address", ["", "https://example.org/a?b=", "http://h:1/", "cards/print", "../x", "a.b/c"])
def test_addresses_of_the_web(address: str) -> None:
    """http, https and relative paths are taken as they are."""
    assert checked_address(address) == address


@every("address", ["javascript:alert(1)", "file:///etc/passwd", "//evil.org/x", "https://", "a b", "data:text/html,x",
                "https://x/\n", "x\"onload=", "http://[::1", "C:\\x", "JaVaScRiPt:x", "https:\\\\x"])  # fmt: skip
def test_other_addresses_are_misuse(address: str) -> None:
    """Any other scheme, and characters that no address has."""
    with pytest.raises(UsageError):
        checked_address(address)
