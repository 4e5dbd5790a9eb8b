"""A Battle of Rishar from the command line: the table, typed unseen, the files, and the campaign sheet."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from carddb.games.rishar.table.game import TABLE
from carddb.play.table.engine import load
from tests.cli.pseudo_terminal import PseudoTerminal
from tests.conftest import Told
from tests.games.rishar.samples import GAME, SPEC
from tests.same_work.jobs import ADA, BO

Call = Callable[..., Told]


@pytest.fixture
def armies(folder: Path) -> tuple[str, str]:
    """Two deck files: the worked example of the rules, with a Ritual."""
    (folder / "ada.deck").write_text(ADA, "utf-8")
    (folder / "bo.deck").write_text(BO, "utf-8")
    return "ada.deck", "bo.deck"


def typed(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    """Lines on standard input, which is no terminal."""
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))


def bundled(name: str) -> str:
    return str(GAME.folder.path / "decks" / f"{name}.deck")


# Files and verbs


def test_the_worked_example_from_a_script(call: Call, armies: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """R-165: lines on standard input play it; the record is the question that the referee answers with the same."""
    typed(monkeypatch, "spear", "soldier", "4 2 3", "", "2 soldier", "", "")
    told = call("battle", *armies, "--first", "a", "--seed", "1")
    assert told.code == 0 and "7 to 5: Spearmen wins. Spearmen Exhausted, Soldier #1 Disabled." in told.out
    question = call("battle", "record").out
    Path("question.json").write_text(question, "utf-8")
    answer = call("judge", "rishar.replay", "question.json").json()
    assert answer["turns"][0]["skirmish"]["totals"] == {"off": 7, "def": 5} and answer["next"] == "b"
    view = call("battle", "status", "--json").json()
    assert view["schema"] == "carddb.battle/1" and view["armies"]["b"]["piles"]["disabled"] == [
        "Soldier #1",
        "Soldier #2",
    ]
    assert "Bo discards Soldier #2" in call("battle", "log").out


def test_every_action_is_a_command(call: Call, armies: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Single commands play too; a refusal is exit 1 with its reason, and the file stays as it was."""
    typed(monkeypatch)
    assert call("battle", *armies, "--first", "a").code == 0
    before = Path("battle.json").read_bytes()
    told = call("battle", "play", "oath")
    assert told.code == 1 and "ritual_in_skirmish" in told.err and "Now: a card face down" in told.err
    assert call("battle", "roll").code == 1 and Path("battle.json").read_bytes() == before
    assert call("battle", "play", "spear").code == call("battle", "play", "soldier").code == 0
    assert "taken back: play. Bo lays a card face down" in call("battle", "undo").out
    assert "Oath of the Line" in call("battle", "hand", "ada").out


def test_a_session_is_not_written_over(call: Call, armies: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A Battle that is there already stays, unless --force; another file is another Battle."""
    typed(monkeypatch)
    assert call("battle", *armies).code == 0
    again = call("battle", *armies)
    assert again.code == 2 and "--session battle.json table" in again.err
    assert call("battle", *armies, "--session", "two.json").code == 0 and Path("two.json").exists()
    assert call("battle", *armies, "--force").code == 0


def test_armies_are_checked_first(call: Call, armies: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """An army that is not legal is refused with its findings, and there is no session; so is a wrong reading."""
    typed(monkeypatch)
    Path("bad.deck").write_text(BO + "1 Mediating Chaplain [RIS-004]\n", "utf-8")
    told = call("battle", "ada.deck", "bad.deck")
    assert told.code == 3 and "granted_card_not_entitled" in told.err and not Path("battle.json").exists()
    assert call("battle", *armies, "--option", "unable_defense=never").code == 2
    assert call("battle", "ada.deck", "none.deck").code == 3
    assert call("battle", "table").code == 3 and "Begin a Battle" in call("battle", "table").err


def test_damaged_saves_are_refused(call: Call, armies: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A save that is no JSON, of another game, or against the rules is refused with one sentence, and stays."""
    typed(monkeypatch)
    call("battle", *armies, "--first", "a")
    good = json.loads(Path("battle.json").read_text("utf-8"))
    wrong = {**good, "log": [{"action": "play", "input": {"card": "oath"}, "told": ""}]}
    for text in ("{", json.dumps({**good, "game": "cdg-solo"}), json.dumps(wrong)):
        Path("battle.json").write_text(text, "utf-8")
        told = call("battle", "status")
        assert told.code == 3 and "save_corrupt" in told.err and Path("battle.json").read_text("utf-8") == text


# The campaign sheet


def fought(call: Call, monkeypatch: pytest.MonkeyPatch, armies: tuple[str, str], *options: str) -> None:
    """A Battle in which Ada Kills a Soldier and both Pass."""
    typed(monkeypatch, "spear", "soldier", "6 1 1", "", "", "next", "4", "pass", "pass")
    assert "Ada wins by kills" in call("battle", *armies, "--first", "a", "--seed", "1", *options).out


def test_the_campaign_sheet(call: Call, armies: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """R-151, R-157, R-183: result, Upkeep due, the Killed, Morale, Favors, what can be trained, as CSV, XLSX, PDF."""
    fought(call, monkeypatch, armies)
    assert call("battle", "report", "-o", "campaign.csv").code == 0
    rows = list(csv.reader(io.StringIO(Path("campaign.csv").read_text("utf-8"))))[1:]
    of = {(name, part, what): (number, note) for name, part, what, number, note in rows}
    assert of["Ada", "battle", "Bo"] == ("2", "won by kills") and of["Bo", "battle", "Ada"] == ("3", "lost by kills")
    assert of["Ada", "upkeep due", "all units"][0] == "5" and of["Bo", "upkeep", "Soldier"] == ("6", "3 used")
    assert of["Bo", "killed", "Soldier #1"] == ("1", "by Spearmen") and of["Bo", "can be trained", "Soldier"][0] == "2"
    assert of["Ada", "left", "Morale"][0] == "8" and of["Bo", "left", "Favors"][0] == "1"
    assert call("battle", "report", "-o", "campaign.xlsx").code == 0
    told = call("battle", "report", "-o", "campaign.pdf")
    assert told.code == 0, told.err
    assert Path("campaign.pdf").read_bytes().startswith(b"%PDF") and "killed" in call("battle", "report").out
    assert call("battle", "report", "-o", "campaign.doc").code == 2


def test_two_battles_of_a_day(call: Call, armies: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """R-45, R-115, R-152: Morale and losses are carried over; a unit in both Battles costs its Upkeep once."""
    fought(call, monkeypatch, armies)
    typed(monkeypatch, "spear", "pass", "6 5", "", "", "pass", "pass")
    told = call("battle", *armies, "--first", "a", "--session", "two.json", "--after", "battle.json")
    assert "Morale 8   hand 3" in told.out and "Morale 4   hand 2" in told.out
    report = call("battle", "report", "battle.json", "two.json", "-o", "day.csv")
    assert report.code == 0
    text = Path("day.csv").read_text("utf-8")
    assert "Bo,upkeep,Soldier,6,3 used" in text and text.count("Bo,battle,Ada") == 2
    unfinished = call("battle", *armies, "--session", "three.json", "--after", "none.json")
    assert unfinished.code == 3


# At a pseudo-terminal


@pytest.fixture
def table(armies: tuple[str, str], folder: Path) -> Callable[..., PseudoTerminal]:
    """Sits down at a terminal in the folder of the armies."""

    def sit_down(*arguments: str) -> PseudoTerminal:
        return PseudoTerminal(folder, "battle", *arguments)

    return sit_down


@pytest.mark.full
def test_cards_go_down_unseen(table: Callable[..., PseudoTerminal], armies: tuple[str, str]) -> None:
    """R-47, R-50, R-63: what is typed at Offense and Defense is not shown; with --open it is; the reveal shows both."""
    with table(*armies, "--first", "a", "--seed", "1") as terminal:
        down = terminal.type("spear")
        assert "spear" not in down.lower() and "Ada lays a card face down" in down and "a card, face down" in down
        assert "Spearmen against Soldier #1" in terminal.type("2 soldier") or "Soldier #2" in terminal.shown
        assert "4 2 3" in terminal.type("4 2 3")
        terminal.type("quit")
    with table(*armies, "--first", "a", "--force", "--open") as terminal:
        assert "spear" in terminal.type("spear")
        terminal.type("quit")


@pytest.mark.full
def test_a_battle_from_the_sheet_right_and_wrong(table: Callable[..., PseudoTerminal], armies: tuple[str, str]) -> None:
    """R-65, R-76, R-92, R-144: a turn with every kind of mistake, each answered with what may be done instead."""
    with table(*armies, "--first", "a", "--seed", "1") as terminal:
        assert "no_such_card" in terminal.type("archers") and "ritual_in_skirmish" in terminal.type("oath")
        assert "able_to_play" in terminal.type("unable") and "R-" not in terminal.type("?").split("Now")[0]
        terminal.type("spear")
        assert "wrong_step" in terminal.type("roll")
        terminal.type("soldier")
        assert "roll" in terminal.type("?")
        assert "3 dice are rolled" in terminal.type("4 2") and "refused" in terminal.type("9 2 3")
        assert "It stands 9 to 2: Spearmen Exhausted, Soldier #1 Killed." in terminal.type("6 2 1")
        assert "no_such_card" in terminal.type("spearmen") or "not_in_hand" in terminal.shown
        terminal.type()
        assert "[Enter: next]" in terminal.type()
        assert "wrong_currency" in terminal.type("morale") and "insufficient" in terminal.type("influence")
        assert "Rogue (R-144) rolls 5. Ada gains 1 Morale, has 9." in terminal.type() + terminal.type("5")
        assert "taken back: roll" in terminal.type("undo") and "Ada gains" in terminal.type("5")
        terminal.type("pass")
        assert "Ada wins by kills (R-117)" in terminal.type("pass")
        assert "battle_over" in terminal.type("play soldier") or "wrong_step" in terminal.shown
        terminal.type("quit")


@pytest.mark.full
def test_names_with_of_are_discarded_as_they_are_printed(table: Callable[..., PseudoTerminal]) -> None:
    """R-75, R-113: `wall of fire` is a card and no word of the line; what `?` says stays within 80 columns."""
    decks = (bundled("the-barrow-host"), bundled("the-long-wall"))
    with table(*decks, "--first", "a", "--seed", "3", "--open") as terminal:
        for line in ("name pike", "barrow riders", "spear"):
            terminal.type(line)
        assert "discards Wall of Fire. Spearmen has -3." in terminal.type("wall of fire")
        assert "discards Oath of the Line." in terminal.type("discard oath of the line to def")
        assert "of must be one of a, b" in terminal.type("lightning move wall of fire pile disabled of c")
        terminal.type("?")
        terminal.type("log")
        assert [line for line in terminal.shown.splitlines() if len(line) > 80] == []
        terminal.type("quit")


def test_a_hand_fits_the_screen(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    """The table of a hand is no wider than 80 columns, however long the names of the cards are."""
    typed(monkeypatch)
    assert call("battle", bundled("the-barrow-host"), bundled("the-quiet-voice")).code == 0
    for army in ("a", "b"):
        assert max(map(len, call("battle", "hand", army).out.splitlines())) in range(60, 80)


PAIRS = (
    ("the-quiet-voice", "the-long-wall"),
    ("the-barrow-host", "the-long-wall"),
    ("wolves-of-the-weald", "the-quiet-voice"),
)
"""The armies of whole Battles."""


@pytest.mark.full
@pytest.mark.parametrize("seed", range(3))
def test_whole_battles_at_the_terminal(table: Callable[..., PseudoTerminal], folder: Path, seed: int) -> None:
    """R-54, R-58, R-116 to R-120: Battles of the bundled armies come to their ends on 80 columns."""
    for names in [PAIRS[seed]]:
        with table(*map(bundled, names), "--seed", str(seed), "--force") as terminal:
            for _ in range(400):
                if "Now: the Battle is over" in terminal.shown:
                    break
                terminal.type(next_line(folder / "battle.json"))
            assert "wins by" in terminal.shown or "have lost" in terminal.shown or "both lose" in terminal.shown
            assert [line for line in terminal.shown.splitlines() if len(line) > 80] == []
            terminal.type("quit")


def next_line(path: Path) -> str:
    """What a player would type now: the strongest card of the hand face down, at every other step Enter."""
    session = load(TABLE, SPEC, path.read_text("utf-8"))
    if session.step not in ("offense", "defense", "oath") or TABLE.usual(session):
        return ""
    state = session.army(session.decider)
    fit = {key: state.cards[key].get("strength") for key in state.lying("hand") if state.cards[key].type != "ritual"}
    return max((key for key in fit if fit[key] is not None), key=lambda key: (fit[key], key))
