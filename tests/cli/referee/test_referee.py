"""Questions from the command line: judge, odds, simulate, rules coverage."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

import carddb
from carddb.core.errors import GameError, UsageError
from carddb.games.referee import Referee
from tests.conftest import OUTSIDE, Told
from tests.games.referee_samples import cases
from tests.rows import usually

SPEARMEN = ("--off", "Spearmen", "--def", "Soldier")


Call = Callable[..., Told]


# judge


def test_a_question_from_a_file(call: Call) -> None:
    """A question in a file is answered on standard output; a refusal is an answer and exit 0."""
    Path("q.json").write_text('{"hand": 9, "options": {}}', "utf-8")
    told = call("judge", "eg.hand_discard", "q.json")
    assert told.code == 0 and told.json() == {"ok": True, "discard": 2, "hand": 7}
    Path("q.json").write_text('{"hand": -1}', "utf-8")
    told = call("judge", "eg.hand_discard", "q.json")
    assert told.code == 0 and told.json() == {"ok": False, "reason": "bad_input", "path": "hand", "least": 0}
    assert list(Path().iterdir()) == [Path("q.json")], "no catalogue is made"


@pytest.mark.parametrize(
    ("arguments", "text", "code", "says"),
    [
        (("judge", "eg.hand_discard", "q.json"), "{", 2, "not JSON"),
        (("judge", "eg.hand_discards", "q.json"), "{}", 2, "Did you mean eg.hand_discard?"),
        (("judge", "chess.move", "q.json"), "{}", 2, "no operation"),
        (("judge", "eg.hand_discard", "gone.json"), "{}", 3, "gone.json"),
        (("judge",), "{}", 2, "no operation was named"),
        (("judge", "--batch", "gone.jsonl"), "{}", 3, "gone.jsonl"),
        (("judge", "--list", "chess"), "{}", 2, "no operation"),
        (("odds", "chess"), "", 2, "no game"),
        (("odds", "empires-and-generals"), "", 2, "computes no chances for Empires and Generals"),
        (("odds", "rishar", "nothing"), "", 2, "has no chances called"),
        (("odds", "rishar", "--off", "Spearman", "--def", "Soldier"), "", 2, "Did you mean Spearmen?"),
        (("odds", "rishar", "skirmish", "--off", "Spearmen"), "", 2, "--def is needed"),
        (("odds", "rishar", *SPEARMEN, "--luck", "1"), "", 2, "no field --luck"),
        (("odds", "rishar", "skirmish", "--off"), "", 2, "--off has no value"),
        (("odds", "rishar", "skirmish", "Spearmen", "x"), "", 2, "is not the value of a field"),
        (("simulate", "rishar"), "", 2, "carddb cannot play Rishar\nChoose a game that it can play: guarda."),
        (("simulate", "guarda", "--n", "99"), "", 2, "--n cannot be '99'; it is 3 to 9\n"),
        (("odds", "guarda", "cover", "--cell", "2,9"), "", 2, "--cell cannot be '2,9'; cell.1 is 1 to 5\n"),
        (("rules", "coverage", "chess"), "", 2, "no game"),
    ],
)
def test_misuse_is_a_sentence(call: Call, arguments: tuple[str, ...], text: str, code: int, says: str) -> None:
    """Bad JSON, unknown names and missing fields are misuse, a missing file is exit 3; all with a sentence."""
    Path("q.json").write_text(text, "utf-8")
    told = call(*arguments)
    assert told.code == code and says in told.err


def test_a_batch_is_answered_line_by_line(call: Call) -> None:
    """Every line is answered in order; one that is no question has an error, and the batch goes on to exit 1."""
    lines = [
        '{"id": 1, "op": "eg.hand_discard", "input": {"hand": 9}}',
        '{"id": "two", "op": "cdg.die_result", "input": {"face": 9}}',
        "{",
        "",
        '{"id": 5, "op": "eg.nothing", "input": {}}',
        '{"id": 6, "op": "eg.hand_discard"}',
        '{"id": 7, "op": ["eg"], "input": {}}',
        '{"op": "eg.hand_discard", "input": {"hand": 1}}',
        "[1]",
        '{"id": 10, "op": "eg.hand_discard", "input": 3}',
        '{"id": null, "op": "rishar.tactician_choices", "input": {}}',
    ]
    Path("q.jsonl").write_text("\n".join(lines), "utf-8")
    told = call("judge", "--batch", "q.jsonl")
    answers = [json.loads(line) for line in told.out.splitlines()]
    assert told.code == 1 and len(answers) == len(lines)
    assert answers[0] == {"id": 1, "result": {"ok": True, "discard": 2, "hand": 7}}
    assert answers[1] == {"id": "two", "result": {"error": "die_face_invalid"}}
    assert [answer["id"] for answer in answers[2:]] == [None, None, 5, 6, 7, None, None, 10, None]
    assert all(answer["error"].startswith(f"line {n}: ") for n, answer in enumerate(answers[2:10], 3))
    assert "result" in answers[10]
    Path("q.jsonl").write_text("\n".join([lines[0], lines[1], ""]), "utf-8")
    assert call("judge", "--batch", "q.jsonl").code == 0


@pytest.mark.door
def test_a_batch_from_a_stream(folder: Path) -> None:
    """`-` is standard input, for one question and for many; deep nesting and broken text are answered too."""

    def asked(given: bytes, *arguments: str) -> subprocess.CompletedProcess[bytes]:
        command = [sys.executable, "-m", "carddb", "judge", *arguments]
        return subprocess.run(command, input=given, capture_output=True, check=False, cwd=folder)

    assert json.loads(asked(b'{"hand": 8}', "eg.hand_discard").stdout)["discard"] == 1
    deep = b'{"id": 1, "op": "eg.hand_discard", "input": {"hand": ' + b"[" * 20000 + b"]" * 20000 + b"}}"
    done = asked(b"\n".join([deep, b'\xff{"id": 2}', b"[" * 5000]), "--batch", "-")
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert answers[0] == {"id": 1, "result": {"ok": False, "reason": "bad_input", "path": "hand"}}
    assert [set(answer) for answer in answers[1:]] == [{"id", "error"}] * 2 and done.returncode == 1


def test_the_library_answers_too() -> None:
    """`carddb.judge` is the same referee; an unknown operation is a UsageError."""
    assert carddb.judge("eg.hand_discard", {"hand": 7}) == {"ok": True, "discard": 0, "hand": 7}
    with pytest.raises(UsageError):
        carddb.judge("eg.hand", {})


def test_operations_are_listed_with_their_fields(call: Call) -> None:
    """The list names every operation with its fields and the parts of them; a game or one operation may be chosen."""
    every = call("judge", "--list").out
    assert {f"{prefix}." for prefix in ("cahrd", "eg", "rishar", "guarda", "cdg")} <= {
        w[: w.find(".") + 1] for w in every.split()
    }
    one = call("judge", "--list", "eg.compare").out
    assert one.splitlines()[0].startswith("eg.compare  ") and "Unit: strength: a whole number from 0" in one
    assert "eg.compare" in call("judge", "--list", "empires-and-generals").out
    assert "rishar." not in call("judge", "--list", "eg").out


@pytest.mark.full
def test_the_schema_of_questions_takes_the_cases(call: Call) -> None:
    """The JSON Schema of a game's operations has one definition an operation, and takes the questions of its cases."""
    schema = call("judge", "--list", "rishar", "--json").json()
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    asked = [case for case in cases() if case.game == "rishar" and case.expect.get("reason") != "bad_input"]
    assert {f"rishar.{case.op}" for case in asked} <= set(schema["$defs"]) and len(asked) > 50
    for case in asked:
        validator.validate({"id": 1, "op": f"rishar.{case.op}", "input": case.given})
    assert not validator.is_valid({"id": 1, "op": "rishar.rout_odds", "input": {"units": "three"}})


def test_what_an_outside_game_raises_is_told_with_its_file(tmp_path: Path) -> None:
    """A question to a game of one's own is answered; what its program raises is a GameError that names the file."""
    game = tmp_path / "toy"
    game.mkdir()
    (game / "game.yaml").write_text("key: toy\nprefix: toy\nname: Toy\n", "utf-8")
    (game / "rules.py").write_text(
        "from carddb.play.question import Answer, operation, operations\n\n\n"
        '@operation("T-1")\ndef half(number: int) -> Answer:\n    """Half."""\n    return {"half": 10 // number}\n\n\n'
        "OPERATIONS = operations(half)\n",
        "utf-8",
    )
    from carddb.games import folders

    referee = Referee(folders([(game, True)]).values())
    assert referee.ask("toy.half", {"number": 5}) == {"ok": True, "half": 2}
    with pytest.raises(GameError, match=r"rules\.py: the game's own program failed in toy\.half \(ZeroDivisionError"):
        referee.ask("toy.half", {"number": 0})


# odds and simulate


def test_odds_are_drawn(call: Call) -> None:
    """Named cards of the bundled set are compared: bars, per cent with one decimal, the exact fraction."""
    told = call("odds", "rishar", *SPEARMEN)
    assert told.code == 0 and "57.9 %  125/216" in told.out and "█" in told.out
    exact = call("odds", "rishar", *SPEARMEN, "--json").json()
    assert {"label": "Soldier Killed", "chance": "125/216"} in exact["bars"]
    assert not Path("carddb.db").exists()


def test_chances_need_no_cards_in_the_catalogue(call: Call) -> None:
    """Where the catalogue is that of another game, the cards that come with the game are asked of."""
    assert call("init", "other", "--game", "cahrd").code == 0
    told = call("--catalog", "other/carddb.db", "odds", "rishar", "--off", "spearmen", "--def", "soldier")
    assert told.code == 0 and told.out.startswith("Spearmen against Soldier")


def test_odds_say_which_texts_they_leave_out(call: Call) -> None:
    """What a card's own text adds is not read; the odds name it, and the field that takes it. Discards stay away."""
    told = call("odds", "rishar", "--off", "Hill Lancers", "--def", "Soldier").out
    assert "“Charge: On Offense: +2 Strength.” is not counted; if it applies, add it with --off-mod" in told
    assert "Watch Out!" not in told


def test_odds_name_the_field_and_the_word(call: Call) -> None:
    """A card that nobody knows is told with the field that names it, and the nearest card."""
    told = call("odds", "rishar", "--off", "spearmn", "--def", "Soldier")
    assert told.code == 2 and "--off 'spearmn': No card" in told.err and "Did you mean Spearmen?" in told.err


def test_odds_are_explained_without_fields(call: Call) -> None:
    """Without fields the kinds of chance of a game are listed; a kind may be named."""
    assert "unopposed" in call("odds", "rishar").out
    assert "101/141" in call("odds", "guarda", "placement").out
    assert "383/481" in call("odds", "cahrd", "--officers=20").out


def test_odds_of_cards_of_ones_own(call: Call) -> None:
    """Where there is a catalogue, its cards are meant."""
    Path("mine.csv").write_text("ref,name,type,strength,path\nM-1,Old Guard,guardian,4,steel\n", "utf-8")
    assert call("load", "mine.csv", "--game", "rishar").code == 0
    told = call("odds", "rishar", "--off", "old guard", "--def", "3 healer")
    assert told.code == 0 and "Old Guard" in told.out


@pytest.mark.full
def test_whole_games_are_reported(call: Call) -> None:
    """Simulated games give lengths, what the first turn is worth, and shares with intervals; the same seed the same."""
    told = call("simulate", "guarda", "--games", "40", "--json")
    again = call("simulate", "guarda", "--games", "40", "--json")
    report = told.json()
    assert told.code == 0 and told.out == again.out
    assert report["games"] == report["finished"] == 40 and report["violations"] == 0
    assert set(report["wins"]) == {"a", "b"} and report["even"] == 0.5
    for part in (report["first"], *report["wins"].values()):
        assert 0 <= part["low"] <= part["share"] <= part["high"] <= 1
    assert "who begins" in call("simulate", "guarda", "--games", "5", "--players", "3").out


# rules


@usually("key", ["cahrd", "empires-and-generals", "rishar", "guarda", "cdg-solo"])
def test_coverage_lists_every_rule(call: Call, key: str) -> None:
    """Each rule stands in the report once with its tag and where it is checked; no checkable one without a place."""
    report = call("rules", "coverage", key, "--json").json()
    ids = [row["id"] for row in report["rules"]]
    assert len(ids) == len(set(ids)) > 100
    assert report["counts"]["S"]["missing"] == 0
    told = call("rules", "coverage", key)
    assert told.code == 0 and "left to the players" in told.out


def test_a_rule_names_the_questions_that_it_answers(call: Call) -> None:
    """`explain` of a rule names the operations to ask."""
    assert "carddb judge rishar.skirmish" in call("explain", "R-66").out


def test_words_are_explained_by_the_rules_that_have_them(call: Call) -> None:
    """A word that is no code and no id lists the rules and codes with it, each with its game; a wrong id does not."""
    told = call("explain", "vanguard")
    assert told.code == 0 and told.out == call("explain", "--search", "vanguard").out and "cahrd" in told.out
    assert call("explain", "common_copyes").code == call("explain", "R-9999").code == 2


def test_an_outside_game_has_coverage_too(call: Call) -> None:
    """A game in a folder of its owner's is reported like any other."""
    assert call("--games", str(OUTSIDE), "rules", "coverage", "lanterns").code == 0


def test_an_answer_says_why(call: Call) -> None:
    """`--why` adds the operation's rules and, to a refusal, those of its code; in a batch a line may ask for itself."""
    question = {"choice": "pass", "passed_last_turn": True}
    line = {"id": 1, "op": "eg.declare_turn", "input": question}
    Path("q.json").write_text(json.dumps(question), "utf-8")
    answer = call("judge", "eg.declare_turn", "q.json", "--why").json()
    assert answer["reason"] == "pass_twice" and answer == carddb.judge("eg.declare_turn", question, why=True)
    assert answer["rules"][0]["id"] == "E-57" and all(rule["text"] or rule["ruling"] for rule in answer["rules"])
    Path("q.jsonl").write_text(f"{json.dumps(line)}\n{json.dumps({**line, 'why': True})}\n", "utf-8")
    plain, why = (json.loads(text)["result"] for text in call("judge", "--batch", "q.jsonl").out.splitlines())
    assert "rules" not in plain and why == answer
    both = [json.loads(text)["result"] for text in call("judge", "--batch", "q.jsonl", "--why").out.splitlines()]
    assert both == [answer, answer]


def test_options_are_listed(call: Call) -> None:
    """`--list` shows each option of a game with its values and its default, `--json` too."""
    assert 'tie_rule: defender_wins|life_holds = "defender_wins"' in call("judge", "--list", "eg.compare").out
    options = call("judge", "--list", "eg.compare", "--json").json()["$defs"]["eg.options"]["properties"]
    assert options["tie_rule"]["enum"] == ["defender_wins", "life_holds"]
