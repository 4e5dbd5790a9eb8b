"""Every game is put to the same checks, and each check finds what it is for."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from carddb.core.errors import FontError
from carddb.findings import Severity
from carddb.game.parts import FontSpec
from carddb.games import folders
from carddb.layout.text.fonts import Font
from carddb.press.conform import CHECKS, CheckResult, conform
from carddb.press.faces import workshop
from carddb.press.faces.workshop import load_family
from tests.conftest import OUTSIDE, Told
from tests.rows import usually

DAY = date(2026, 6, 20)
BANS = """\
lists: {red: {title: Red, zone: UTC}}
levels: {1: {max_copies: 1, status: proposal}}
announcements:
- {id: a, made: 2026-06-01T12:00:00Z, effective: 2026-06-10, changes: [{list: red, card: L-98, from: 0, to: 1}]}
"""
"""A ban list of a card that there is not."""


@pytest.fixture
def lanterns(tmp_path: Path) -> Path:
    """A copy of the small game outside, to be spoiled."""
    return Path(shutil.copytree(OUTSIDE / "lanterns", tmp_path / "lanterns"))


def found(path: Path, trusted: bool = True) -> list[tuple[str, str, Severity]]:
    """Check, code and severity of what is said of a game outside."""
    return [
        (result.name, finding.code, finding.severity)
        for result in results(path, trusted)
        for finding in result.findings
    ]


def results(path: Path, trusted: bool = True) -> list[CheckResult]:
    """What each check says of a game outside."""
    return list(conform(folders([(path, trusted)])[path.name], DAY))


def replace(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


@pytest.mark.usefixtures("usual_size_only")
@pytest.mark.full
@pytest.mark.parametrize("key", folders())
def test_bundled_games_conform(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bundled game passes every check without an error, with the fonts of a plain installation, without extras."""
    conforms(key, monkeypatch)


@pytest.mark.full
@pytest.mark.parametrize("key", folders())
def test_bundled_games_conform_in_every_size(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same for every size of card that the game has layouts for."""
    conforms(key, monkeypatch)


def conforms(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tries a bundled game with the fonts of a plain installation."""
    monkeypatch.setattr(workshop, "load_family", plain_fonts)
    results = list(conform(folders()[key], DAY))
    assert len(results) == len(CHECKS) + 1
    grave = [f for result in results for f in result.findings if f.severity in (Severity.ERROR, Severity.NOT_CHECKABLE)]
    assert [f"{finding.code}: {finding.message}" for finding in grave] == []
    drawn = [f for result in results if result.name in ("faces_draw", "components_print") for f in result.findings]
    assert [finding.message for finding in drawn] == []


def plain_fonts(family: str, spec: FontSpec, folder: Path | None = None) -> list[Font]:
    """The fonts of a plain installation."""
    if spec.extra:
        raise FontError(f"{family} is not installed")
    return load_family(family, spec, folder)


def test_a_game_outside_conforms(lanterns: Path) -> None:
    """A newcomer's game passes the same checks, its examples beside its game.yaml."""
    assert found(lanterns) == []


def test_checks_say_what_they_ask() -> None:
    """Each check has a claim of one line."""
    assert all((check.__doc__ or "").strip().endswith(".") for check in CHECKS)


@usually(
    ("check", "code", "file", "old", "new"),
    [
        ("files_sound", "document_invalid", "game.yaml", "prefix: lan", "prefix: lan\ncolour: red"),
        ("cards_load", "field_range", "cards.csv", "wind,,", "wind,7,"),
        ("faces_draw", "conform_failed", "templates/card.svg", "</svg>", "{{ nothing }}</svg>"),
        ("faces_draw", "face_absent", "game.yaml", "plural: Winds, face: card.svg, ", ""),
        ("components_print", "conform_failed", "templates/token.svg", "</svg>", "{{ nothing }}</svg>"),
        ("codes_explained", "code_unexplained", "rules.yaml", "fix: Take out a lamp., ", ""),
        ("codes_shown", "code_not_shown", "examples/no_wind.deck", "2 Red Lamp", "2 Night Wind"),
        ("codes_shown", "example_invalid", "examples/question.json", "", '{"op": "lan.x"}'),
        ("bans_name_cards", "ban_card_unknown", "bans.yaml", "", "groups: {a: {members: [L-01, L-99]}}"),
        ("bans_name_cards", "ban_card_unknown", "bans.yaml", "", BANS),
        ("bans_name_cards", "document_invalid", "bans.yaml", "", "announcements: [{changes: [{card: L-01}]}]"),
        ("rules_named", "rule_unknown", "guide.md", "{L-5}", "{L-5, L-50}"),
        ("rules_named", "rule_unknown", "game.yaml", "per: player", "rules: [L-9], per: player"),
        ("decks_legal", "too_many_copies", "decks/quiet.deck", "2 Red", "3 Red"),
    ],
)
def test_each_check_finds_its_fault(lanterns: Path, check: str, code: str, file: str, old: str, new: str) -> None:
    """A game with a fault is told of it by the check that is for it."""
    if old:
        replace(lanterns / file, old, new)
    else:
        (lanterns / file).write_text(new, "utf-8")
    assert (check, code) in [(name, said) for name, said, _ in found(lanterns)]


@pytest.mark.full
def test_a_fault_stops_no_other_check(lanterns: Path) -> None:
    """Faults of several kinds are found in one run; one cause is one finding with every card by its name."""
    replace(lanterns / "templates" / "card.svg", "</svg>", "{{ nothing }}</svg>")
    replace(lanterns / "guide.md", "{L-5}", "{L-50}")
    assert [name for name, _, _ in found(lanterns)] == ["faces_draw", "rules_named"]
    faces = next(result for result in results(lanterns) if result.name == "faces_draw")
    (finding,) = faces.findings
    assert [card.ref for card in finding.cards] == ["L-01", "L-02", "L-03", "L-04"]
    assert all(f"[{card.ref}]" in finding.message for card in finding.cards)


@pytest.mark.full
def test_one_cause_is_told_once(lanterns: Path) -> None:
    """What a fault of rules.yaml, or missing cards, would bring with them is not told; it waits for the file."""
    replace(lanterns / "rules.yaml", "text: A deck has", "txt: A deck has")
    waiting = {result.name: result.waits_for for result in results(lanterns) if result.waits_for}
    assert waiting == dict.fromkeys(("rules_named", "codes_explained", "codes_shown"), "rules.yaml")
    assert [name for name, _, _ in found(lanterns)] == ["files_sound"]
    (lanterns / "cards.csv").unlink()
    names = [result.name for result in results(lanterns) if result.waits_for == "cards.csv"]
    assert names == ["faces_draw", "emblems_draw", "decks_legal", "bans_name_cards"]


@pytest.mark.parametrize(
    ("old", "new", "message", "fix"),
    [
        ("card_size: poker", "card_size: pokr", "card_size: there is no card size 'pokr'", "Did you mean poker?"),
        ("size: 15x15mm", "size: tarto", "component token: there is no card size 'tarto'", "Did you mean tarot?"),
        (
            "prefix: lan",
            'prefix: lan\nfonts: {Mine: {files: {"400": fonts/No.ttf}}}',
            "font fonts/No.ttf cannot be used",
            "TrueType",
        ),
    ],
)
@pytest.mark.full
def test_what_nothing_can_be_drawn_with_is_told_once(
    lanterns: Path, old: str, new: str, message: str, fix: str
) -> None:
    """A size or font that there is not is one error of game.yaml with its remedy; what draws waits for the file."""
    replace(lanterns / "game.yaml", old, new)
    assert found(lanterns) == [("files_sound", "conform_failed", Severity.ERROR)]
    (finding,) = next(result for result in results(lanterns) if result.findings).findings
    assert message in finding.message and fix in finding.fix
    assert Path(finding.where[0].file).name == "game.yaml" and "\n" not in finding.message
    waiting = {result.name for result in results(lanterns) if result.waits_for == "game.yaml"}
    assert waiting == {"faces_draw", "emblems_draw", "colours_tell", "components_print"}


def test_what_is_missing_is_told_in_order(call: Callable[..., Told], tmp_path: Path) -> None:
    """A game that has been begun is told what to make next; one with a part of everything is told nothing."""
    game = tmp_path / "games" / "begun"
    game.mkdir(parents=True)
    (game / "game.yaml").write_text("key: begun\nprefix: beg\nname: Begun\n", "utf-8")
    report = call("conform", "begun", "--games", str(game.parent), "--json").json()["games"][0]
    files = [missing.rpartition(": ")[2] for missing in report["missing"]]
    assert files == [
        "types in game.yaml", "cards.csv", "sections in game.yaml", "limits in game.yaml", "a file in decks",
        "rules.yaml", "guide.md",
    ]  # fmt: skip
    shown = call("conform", "begun", "--games", str(game.parent))
    assert shown.code == 0 and "Still to make, in this order:\n  1. types of cards" in shown.out


def test_a_picture_is_not_all_that_a_card_has(lanterns: Path) -> None:
    """A card with a picture is drawn without it too."""
    replace(lanterns / "cards.csv", "ref,name,type,light,colours,text", "ref,name,type,light,colours,text,art")
    replace(lanterns / "cards.csv", "red,Shines.", "red,Shines.,a.svg")
    (lanterns / "a.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>', "utf-8")
    broken = "{% if card.ref == 'L-01' and not card.art %}{{ nothing }}{% endif %}</svg>"
    replace(lanterns / "templates" / "card.svg", "</svg>", broken)
    assert ("emblems_draw", "conform_failed", Severity.ERROR) in found(lanterns)


def test_a_template_that_is_broken_is_told_once(lanterns: Path) -> None:
    """A tag that is not closed is one finding for all cards, also of those that are drawn without a picture too."""
    replace(lanterns / "cards.csv", "ref,name,type,light,colours,text", "ref,name,type,light,colours,text,art")
    replace(lanterns / "cards.csv", "red,Shines.", "red,Shines.,a.svg")
    (lanterns / "a.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>', "utf-8")
    replace(lanterns / "templates" / "card.svg", "</svg>", "{% if card.text %}<g>{% endif %}<g></svg>")
    assert [code for _, code, _ in found(lanterns)].count("conform_failed") == 1


@pytest.mark.full
def test_pictures_are_looked_for_in_the_project_and_the_game(call: Callable[..., Told], lanterns: Path) -> None:
    """A picture that is missing is expected at both places, as `load` says; one of the project is not missing."""
    replace(lanterns / "cards.csv", "ref,name,type,light,colours,text", "ref,name,type,light,colours,text,art")
    replace(lanterns / "cards.csv", "red,Shines.", "red,Shines.,a.svg")
    conform = call("--games", str(lanterns), "conform", "lanterns").out
    load = call("--games", str(lanterns), "load", str(lanterns / "cards.csv"), "--game", "lanterns", "--dry-run").err
    expected = f"Put it at {Path('a.svg').resolve()} or {lanterns / 'a.svg'}."
    assert expected in conform and expected in load
    Path("a.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>', "utf-8")
    assert "image_missing" not in call("--games", str(lanterns), "conform", "lanterns").out


def test_a_program_that_may_not_run_is_told(lanterns: Path) -> None:
    """Of a game whose rules.py was not run, that is not checkable, and none of its codes is missed."""
    told = found(lanterns, trusted=False)
    assert told == [("files_sound", "rules_not_run", Severity.NOT_CHECKABLE)]


def test_the_verb_reports_and_exits_by_what_it_finds(call: Callable[..., Told], lanterns: Path) -> None:
    """`conform` is 0 for a game that passes and 1 for one with an error, named by its check, as text and as JSON."""
    passed = call("conform", "lanterns", "--games", str(lanterns), "--on", "2026-06-20")
    assert passed.code == 0 and passed.out == "lanterns: 11 checks, no findings\n"
    replace(lanterns / "guide.md", "{L-5}", "{L-6}")
    failed = call("conform", "--games", str(lanterns), "lanterns")
    assert (
        failed.code == 1 and "rules_named: Every rule" in failed.out and "guide.md:3: error rule_unknown" in failed.out
    )
    report = call("--games", str(lanterns), "conform", "lanterns", "--json").json()
    (game,) = report["games"]
    assert report["schema"] == "carddb.conform/1" and not game["ok"] and game["counts"]["error"] == 1
    assert [check["name"] for check in game["checks"] if check["findings"]] == ["rules_named"]
    unknown = call("conform", "lantern", "--games", str(lanterns))
    assert unknown.code == 2 and "Did you mean lanterns?" in unknown.err
