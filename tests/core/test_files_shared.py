"""Several programs at one file, and programs that were killed: nothing is lost, and nobody is kept from writing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from carddb.app.printing.printers import open_book
from carddb.core import files
from carddb.core.errors import OutputError
from carddb.core.files import locked, write_file
from carddb.games import folders
from tests.conftest import Told

Call = Callable[..., Told]
KILLED = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no such signal here")


@pytest.fixture(autouse=True)
def fresh_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """Folders are swept once a run: each test is one. Nobody waits."""
    files._sweep.cache_clear()
    monkeypatch.setattr("carddb.core.files.PATIENCE", 0)


def killed(program: str, *arguments: str) -> None:
    """Runs a Python program that kills itself."""
    end = "\nimport os, signal; os.kill(os.getpid(), signal.SIGKILL)"
    done = subprocess.run([sys.executable, "-c", program + end, *arguments], check=False)
    assert done.returncode == -signal.SIGKILL


@pytest.mark.door
@KILLED
def test_what_a_killed_program_left_is_removed(tmp_path: Path) -> None:
    """The next write into the folder removes the unfinished file, and no file of others."""
    others = [tmp_path / name for name in (".sheets.pdf.7", ".sheets.pdf.swp", "sheets.pdf~")]
    for other in others:
        other.write_bytes(b"")
    killed(
        "import sys\nfrom pathlib import Path\nfrom carddb.core.files import begin\nbegin(Path(sys.argv[1]))",
        str(tmp_path / "sheets.pdf"),
    )
    assert len(list(tmp_path.iterdir())) == len(others) + 1
    write_file(tmp_path / "list.pdf", b"x")
    assert sorted(tmp_path.iterdir()) == sorted([*others, tmp_path / "list.pdf"])


def test_a_file_that_is_being_written_is_left_alone(tmp_path: Path) -> None:
    """What another program is still writing is not swept."""
    beside, file = files.begin(tmp_path / "sheets.pdf")
    write_file(tmp_path / "list.pdf", b"x")
    assert beside.exists()
    file.close()


def test_one_number_of_a_process_is_no_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two programs of the same number, as in two containers, write the same file at once under two names."""
    monkeypatch.setattr(os, "getpid", lambda: 1)
    (one, first), (other, second) = (files.begin(tmp_path / "sheets.pdf") for _ in range(2))
    assert one != other
    first.close()
    second.close()


def test_two_at_once_wait_or_are_refused(tmp_path: Path) -> None:
    """Who finds a path locked for too long is told so; afterwards it is free, and nothing lies about."""
    with locked(tmp_path / "new" / "x.json"):
        with pytest.raises(OutputError, match="being changed by another carddb"), locked(tmp_path / "new/x.json"):
            pass
        with locked(tmp_path / "new" / "y.json"):
            pass
    with locked(tmp_path / "new" / "x.json"):
        pass
    assert not list((tmp_path / "new").iterdir())


@pytest.mark.door
@KILLED
def test_a_lock_ends_with_its_program(tmp_path: Path) -> None:
    """A killed program's lock holds nobody up."""
    killed(
        "import sys\nfrom pathlib import Path\nfrom carddb.core.files import locked\n"
        "locked(Path(sys.argv[1])).__enter__()",
        str(tmp_path / "x.json"),
    )
    with locked(tmp_path / "x.json"):
        pass


@pytest.mark.door
@pytest.mark.full
def test_two_readings_of_printers_are_both_stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of programs that store a printer at once, each has stored it or says that it could not."""
    monkeypatch.setenv("CARDDB_PRINTERS", str(tmp_path / "printers.json"))
    command = [sys.executable, "-m", "carddb", "-q", "printer", "set"]
    running = [
        subprocess.Popen([*command, f"p{number}", "--measured", "100mm,100.1mm"], stdout=subprocess.DEVNULL)
        for number in range(6)
    ]
    codes = [process.wait() for process in running]
    assert len(open_book().printers) == codes.count(0) > 0 and set(codes) <= {0, 3}


def test_a_session_that_is_played_elsewhere_is_not_changed(call: Call) -> None:
    """An action of a second program is refused while the first is at it."""
    assert call("solo", "new", "--module", "generic-separate", "--seed", "5").code == 0
    before = Path("solo.json").read_bytes()
    with locked(Path("solo.json")):
        told = call("solo", "start-phase")
        assert told.code == 3 and "solo.json is being changed by another carddb" in told.err
        assert call("solo", "undo").code == 3
    assert Path("solo.json").read_bytes() == before
    assert call("solo", "start-phase").code == 0


def test_a_deck_that_was_fixed_already_keeps_its_backup(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two programs that mend the same deck at once the second leaves the backup of the first."""
    from carddb.app.decks import help as deck_help

    write_back = deck_help.write_back
    original = folders()["cahrd"].decks[0].read_bytes().replace(b"\n1 ", b"\n9 ", 1)
    Path("a.deck").write_bytes(original)
    monkeypatch.setattr(deck_help, "write_back", lambda *pair: (write_back(*pair), write_back(*pair))[1])
    assert call("decks", "fix", "a.deck", "--write").code == 0
    assert Path("a.deck~").read_bytes() == original != Path("a.deck").read_bytes()
