"""Finding and loading games, a sixth one among them."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from carddb.core.errors import GameError
from carddb.games import folders, load
from carddb.games.opening.spec_reader import shared_codes
from carddb.games.referee import open_game
from tests.conftest import GAME, OUTSIDE


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
    with pytest.raises(
        GameError, match=r"rules\.py: CHECKS\[0\] is not a function" if "[5]" in rules else r"rules\.py"
    ):
        for check in game.checks:
            check(None, game.spec, None, None)


def test_checks_of_single_cards_are_guarded_too(tmp_path: Path) -> None:
    """Whatever a check of cards of an outside game does wrong is an error that names its file."""
    shutil.copytree(OUTSIDE / "lanterns", tmp_path / "lanterns")
    (tmp_path / "lanterns" / "rules.py").write_text("CARD_CHECKS = [lambda *a: 1 / 0]\n", "utf-8")
    game, _ = load(folders([(tmp_path, True)])["lanterns"])
    assert game is not None and game.checks == []
    with pytest.raises(GameError, match=r"rules\.py"):
        game.card_checks[0](None, None, game.spec)


def test_a_game_names_its_table(tmp_path: Path) -> None:
    """A game that is played at a table gives it by SESSION; what is no table is an error that names its file."""
    tables = {key: open_game(folder).table for key, folder in folders().items()}
    assert tables["guarda"] is None
    assert {key: table.key for key, table in tables.items() if table} == {"cdg-solo": "cdg-solo", "rishar": "rishar"}
    shutil.copytree(OUTSIDE / "lanterns", tmp_path / "lanterns")
    for rules in ("SESSION = 5", "SESSION = lambda: 5", "SESSION = lambda: 1 / 0"):
        (tmp_path / "lanterns" / "rules.py").write_text(rules + "\n", "utf-8")
        game, _ = load(folders([(tmp_path, True)])["lanterns"])
        assert game is not None
        with pytest.raises(GameError, match=r"rules\.py: .*SESSION"):
            _ = game.table


def test_every_code_that_the_program_raises_is_explained() -> None:
    """Each finding code in the source stands in the shared codes or in a game's rule book."""
    source = "\n".join(path.read_text("utf-8") for path in (Path(__file__).parents[2] / "carddb").rglob("*.py"))
    raised = set(re.findall(r'(?:\berror|warning|info|Finding|Note|fault)\(\s*"([a-z]+_[a-z_]+)"', source))
    books = [open_game(folder).rule_book for folder in folders().values()]
    assert len(raised) > 30
    assert raised - set(shared_codes()) - {code for book in books for code in book.codes} == set()


@pytest.mark.parametrize(
    ("old", "new", "key", "said", "fix"),
    [
        ("of: light", "of: ligth", "of:", "limit too_bright: there is no field ligth", "light"),
        ("of: light, ", "", "budget:", "limit too_bright: there is no field named", ""),
        ("max: 2,", "max: 2, by: nme,", "by:", "limit too_many_copies: there is no field nme", "name"),
        ("unless: bright_night", "unless: brightnight", "unless:", "limit too_bright: there is no option", "bright_"),
        (
            "unless: bright_night",
            "when: dark=yes",
            "when:",
            "limit too_bright: there is no option dark",
            "bright_night",
        ),
        (
            "code: not_red,",
            "code: not_red, when: red_night,",
            "must:",
            "format red: there is no option red_night",
            "ht",
        ),
        ("types: [lamp, wind]", "types: [lump, wind]", "sections:", "section main: there is no type lump", "lamp"),
        (
            "types: [lamp, wind]",
            "types: [lamp], wrong: [{match: 'type:wind', code: no, unless: x}]",
            "sections:",
            "section main: there is no option x",
            "bright_night",
        ),
        ("size: [4, 12]", "size: [12, 4]", "sections:", "section main: at least 12, at most 4", "Swap"),
        ("identity: [name]", "identity: [nam]", "identity:", "identity: there is no field nam", "name"),
        ("identity: [name]", "default_format: rad", "default_format:", "default_format: there is no format rad", "red"),
        ("prefix: lan", "prefix: L-n", "prefix:", "prefix: 'L-n' cannot be a prefix", "small letters"),
        ("size: 15x15mm", "size: 15by15mm", "components:", "component token: '15by15mm' is not a size", ""),
        ("card_size: poker", "card_size: 63x88", "card_size:", "card_size: '63x88' is not a size", ""),
        ("type:lamp", "type:lamb", "budget:", "limit too_bright: ", "lamp"),
    ],
)
def test_parts_that_do_not_fit_are_found(tmp_path: Path, old: str, new: str, key: str, said: str, fix: str) -> None:
    """A name that means nothing, and a value that cannot be, is found in its line, with the nearest that could be."""
    text = changed_game(tmp_path, old, new)
    game, (finding,) = load(folders([(tmp_path, True)])["lanterns"])
    assert game is None and finding.code == "document_invalid"
    assert finding.message.startswith(said) and fix in finding.fix
    line = text.splitlines()[finding.where[0].line - 1]
    assert key in line or new in line


@pytest.mark.parametrize(
    ("rows", "effective", "said"),
    [
        ("pools.other", "day", "no rows under pools.other"),
        ("pools.red", "date", "date in a row of pools.red is 'None', not a day"),
    ],
)
def test_snapshots_of_a_format_that_cannot_be_read_are_told(
    tmp_path: Path, rows: str, effective: str, said: str
) -> None:
    """A name that leads to no rows, and a row without a day, are findings in the line of the format."""
    rotation = f"rotation: {{snapshots: {{rows: {rows}, effective: {effective}, legal: sets}}}}, pool"
    changed_game(tmp_path, "pool", rotation)
    (tmp_path / "lanterns" / "pools").mkdir()
    (tmp_path / "lanterns" / "pools" / "red.json").write_text('[{"day": "2026-01-01", "sets": ["a"]}]', "utf-8")
    _, (finding,) = load(folders([(tmp_path, True)])["lanterns"])
    assert said in finding.message and finding.where[0].line == 29 and "formats/standard.json" in finding.fix


def test_all_that_does_not_fit_is_found_at_once(tmp_path: Path) -> None:
    """Several misfits of a game file are as many findings."""
    changed_game(tmp_path, "of: light", "of: ligth")
    path = tmp_path / "lanterns" / "game.yaml"
    path.write_text(path.read_text("utf-8").replace("prefix: lan", "prefix: Lan"), "utf-8")
    _, findings = load(folders([(tmp_path, True)])["lanterns"])
    assert [finding.where[0].line for finding in findings] == [23, 2]


def test_a_key_that_nothing_uses_is_told(tmp_path: Path) -> None:
    """`lists` of game.yaml is read, as it always was, and a warning at its line says that it has no effect."""
    text = changed_game(tmp_path, "key: lanterns\n", "key: lanterns\nlists: {short: Short}\n")
    game, (finding,) = load(folders([(tmp_path, True)])["lanterns"])
    assert game is not None and (finding.code, finding.severity) == ("key_without_effect", "warning")
    assert text.splitlines()[finding.where[0].line - 1].startswith("lists:") and "bans.yaml" in finding.fix


def test_rules_that_are_not_written_are_warned_of(tmp_path: Path) -> None:
    """A rule id that rules.yaml lacks is a warning with its line and the nearest; the game loads all the same."""
    changed_game(tmp_path, "rules: [L-2]", "rules: [L-22]")
    game, (finding,) = load(folders([(tmp_path, True)])["lanterns"])
    assert game is not None
    assert (finding.code, finding.severity, finding.where[0].line) == ("rule_unknown", "warning", 22)
    assert "L-22" in finding.message and "L-2" in finding.fix
    (tmp_path / "lanterns" / "rules.yaml").unlink()
    assert load(folders([(tmp_path, True)])["lanterns"])[1] == []


@pytest.mark.parametrize("text", ["rules: 5\n", "rules: [\n", "5\n", "rules: {L-1: {tag: X, text: x}}\n"])
def test_a_faulty_rule_book_is_found_with_the_game(tmp_path: Path, text: str) -> None:
    """Faults of rules.yaml are findings in that file, and asking for the book is an error that names it."""
    changed_game(tmp_path, "", "")
    (tmp_path / "lanterns" / "rules.yaml").write_text(text, "utf-8")
    game, findings = load(folders([(tmp_path, True)])["lanterns"])
    assert game is not None and {finding.severity for finding in findings} == {"error"}
    assert all(finding.where[0].file.endswith("rules.yaml") for finding in findings)
    with pytest.raises(GameError, match=r"rules\.yaml cannot be used"):
        _ = game.rule_book


def changed_game(folder: Path, old: str, new: str) -> str:
    """A copy of the game lanterns in which one text is replaced; the text of its game.yaml."""
    shutil.copytree(OUTSIDE / "lanterns", folder / "lanterns")
    path = folder / "lanterns" / "game.yaml"
    assert not old or path.read_text("utf-8").count(old) == 1
    path.write_text(path.read_text("utf-8").replace(old, new, 1), "utf-8")
    return path.read_text("utf-8")
