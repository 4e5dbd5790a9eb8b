"""Finding and loading games, a sixth one among them."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from conftest import GAME, OUTSIDE

from carddb.errors import GameError
from carddb.games import folders, load, shared_codes


def test_the_bundled_game_is_found_by_its_folder() -> None:
    """A bundled game's key is its folder's name."""
    assert GAME in folders()


@pytest.mark.parametrize("path", [OUTSIDE, OUTSIDE / "lanterns"])
def test_a_game_outside_is_found_in_its_folder_or_the_one_above(path: Path) -> None:
    """`--games` takes a game or a folder of games."""
    assert "lanterns" in folders([(path, True)])


def test_a_folder_without_a_game_is_an_error(tmp_path: Path) -> None:
    """An empty folder is answered with what a game is."""
    with pytest.raises(GameError, match="no game in"):
        folders([(tmp_path, True)])


def test_rules_of_an_outside_game_run_only_when_named() -> None:
    """A program in somebody's folder is not run because a project file mentions it."""
    trusted, _ = load(folders([(OUTSIDE, True)])["lanterns"])
    wary, _ = load(folders([(OUTSIDE, False)])["lanterns"])
    assert trusted is not None and wary is not None
    assert len(trusted.checks) == 1
    assert wary.checks == []
    assert wary.has_rules


def test_faults_of_a_game_file_are_findings_with_their_line(tmp_path: Path) -> None:
    """A misspelt key in game.yaml is found with file, line and the nearest key."""
    shutil.copytree(OUTSIDE / "lanterns", tmp_path / "lanterns")
    path = tmp_path / "lanterns" / "game.yaml"
    path.write_text(path.read_text("utf-8").replace("sections:", "sektions:"), "utf-8")
    game, findings = load(folders([(tmp_path, True)])["lanterns"])
    assert game is None
    assert any(finding.where and finding.where[0].line > 1 for finding in findings)
    assert any("sections" in finding.fix for finding in findings)


def test_broken_rules_say_whose_they_are(tmp_path: Path) -> None:
    """An exception in somebody's rules.py names that file."""
    shutil.copytree(OUTSIDE / "lanterns", tmp_path / "lanterns")
    (tmp_path / "lanterns" / "rules.py").write_text("1 / 0\n", "utf-8")
    game, _ = load(folders([(tmp_path, True)])["lanterns"])
    assert game is not None
    with pytest.raises(GameError, match=r"rules\.py: ZeroDivisionError"):
        _ = game.checks


@pytest.mark.parametrize(
    "rules",
    ["CHECKS = [lambda *a: 1 / 0]", "CHECKS = [lambda *a: None]", "CHECKS = 5", "CHECKS = [5]", "CHECKS = [exit]"],
)
def test_a_check_that_fails_is_no_verdict(tmp_path: Path, rules: str) -> None:
    """Whatever a check of an outside game does wrong is an error that names its file, never a legal deck."""
    shutil.copytree(OUTSIDE / "lanterns", tmp_path / "lanterns")
    (tmp_path / "lanterns" / "rules.py").write_text(rules + "\n", "utf-8")
    game, _ = load(folders([(tmp_path, True)])["lanterns"])
    assert game is not None
    with pytest.raises(GameError, match=r"rules\.py"):
        for check in game.checks:
            check(None, game.spec, None, None)


def test_every_code_that_the_program_raises_is_explained() -> None:
    """Each finding code in the source stands in the shared codes or in a game's rule book."""
    source = "\n".join(path.read_text("utf-8") for path in (Path(__file__).parent.parent / "carddb").rglob("*.py"))
    raised = set(re.findall(r'(?:\berror|warning|info|Finding|Note|fault)\(\s*"([a-z]+_[a-z_]+)"', source))
    game, _ = load(folders()[GAME])
    assert game is not None and len(raised) > 30
    assert raised - set(shared_codes()) - set(game.rule_book.codes) == set()
