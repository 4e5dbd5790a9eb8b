"""A solo session from the command line: the actions, the table, the file, and what is never shown."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from importlib import resources
from pathlib import Path

import click
import pytest

from carddb.cli.tables import bundled_table
from carddb.games.cdg_solo.table.game import TABLE
from tests.cli.pseudo_terminal import PseudoTerminal
from tests.conftest import Told
from tests.games.cdg_solo.solo_session import load
from tests.games.referee_samples import game
from tests.rows import usually

solo_verbs = bundled_table("solo")
SPEC = game("cdg-solo").spec
Call = Callable[..., Told]


def solo(call: Call, *lines: str) -> Told:
    """Several solo commands after each other; the last one's answer."""
    told = Told(0, "", "")
    for line in lines:
        told = call("solo", *line.split())
    return told


NEW = "new --module generic-separate --seed 5"


def test_a_session_from_its_beginning(call: Call) -> None:
    """A session is begun with the bundled demonstration deck, and played a round by single commands."""
    assert "110 cards" in solo(call, NEW).out
    assert "hands of S1 5, S2 5" in solo(call, "start-phase").out
    assert "rolls 1: C_JR" in solo(call, "roll 1").out
    assert solo(call, "play A ops").code == 0
    assert "The round is S2's" in solo(call, "next").out
    view = solo(call, "status --json").json()
    assert view["active"] == "S2" and view["step"] == "round_ready"
    assert view["sides"]["S1"]["chits"] == {"total": 5, "flipped": 1}


def test_a_refusal_is_told_with_its_reason(call: Call) -> None:
    """A refused action is exit 1 with the reason and its sentence, and the file stays as it was."""
    solo(call, NEW, "start-phase", "roll 2")
    before = Path("solo.json").read_bytes()
    told = solo(call, "play D ops")
    assert told.code == 1 and "card_face_down: " in told.err
    assert "wrong_step: " in solo(call, "roll").err
    assert "bad_input" in solo(call, "roll 7").err or "wrong_step" in solo(call, "roll 7").err
    assert Path("solo.json").read_bytes() == before


def test_no_hidden_card_is_ever_shown(call: Call) -> None:
    """What is printed by any command names no card that lies down, nor one of a pile."""
    solo(call, NEW, "start-phase")
    for line in (
        "status",
        "status --json",
        "log",
        "log --json",
        "roll 2",
        "play B ops",
        "next",
        "roll 6",
        "status",
        "log",
    ):
        told = solo(call, line)
        session = load(SPEC, Path("solo.json").read_text("utf-8"))
        sides = session.module.side_ids
        hidden = {slot.card for side in sides for _, slot in session.display(side) if not slot.up}
        hidden |= {slot.card for side in sides for slot in session.display(side).stock if not slot.up}
        titles = {session.table.cards[card].title for card in hidden}
        assert not [title for title in titles if title and title in told.out + told.err]


def test_a_refusal_says_what_is_to_be_done(call: Call) -> None:
    """At the wrong step the right one is named; a hand out of range is told with the range, a hand unsaid by name."""
    solo(call, NEW, "start-phase", "roll 2")
    assert "Now: play a card" in solo(call, "roll").err
    solo(call, "new --module wilderness-war --seed 1 --force --decks " + common_deck())
    assert "how many cards does BR have in hand? Add BR=NUMBER" in solo(call, "start-phase").err
    assert "A hand of FR has 7 to 9 cards, not 12." in solo(call, "start-phase BR=8 FR=12").err


def test_a_place_is_discarded_as_a_phase_ends(call: Call) -> None:
    """S-72: no side is active then, so a place is discarded with its side; without it the sides are named."""
    solo(call, NEW, "start-phase", "end-phase")
    told = solo(call, "discard A")
    assert told.code == 1 and "A of which side? Add side=S1 or side=S2" in told.err
    assert "S2 discards S2#" in solo(call, "discard A side=S2").out
    assert solo(call, "status --json").json()["sides"]["S2"]["discard"]


@pytest.mark.full
def test_a_scenario_says_its_keys(call: Call, folder: Path) -> None:
    """S-126: `?` and the refusal of a wrong key list the setups of the module."""
    solo(call, "new --module empire-of-the-sun --decks " + own_deck(call, "empire-of-the-sun"))
    told = solo(call, "set-up historical")
    assert told.code == 1 and "key must be one of historical_arcadia, historical_japanese_hand" in told.err
    with PseudoTerminal(folder, "solo", "table") as terminal:
        assert "set-up south_pacific\n" in terminal.type("?")
    assert "Set up for south pacific." in solo(call, "set-up south_pacific").out


def own_deck(call: Call, module: str) -> str:
    """A file with the cards of a module, all of the value 2."""
    call("solo", "template", module, "-o", "cards.csv")
    with Path("cards.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    with Path("cards.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows({**row, "ops": 2} for row in rows)
    return "cards.csv"


@pytest.mark.full
def test_wrong_lines_at_the_table(call: Call, folder: Path) -> None:
    """What is said of a wrong line stays within 80 columns, no line ends the table, `quit` does with words after it."""
    solo(call, NEW)
    with PseudoTerminal(folder, "solo", "table") as terminal:
        assert "not 0" in terminal.type("start-phase S1=0").replace("\n", " ")
        for line in ("", "play A", "next", "4 4", "pass", "founder's", "undo 50", "undo x", "hook", "set-flag zz"):
            terminal.type(line)
        assert "face must be a whole number from 1 to 6" in terminal.type("9" * 3000)
        assert "No event is waiting" in terminal.type("hook card=A from_discard=1").replace("\n", " ")
        assert "a quotation mark is not closed" in terminal.type('"B ops')
        answers = [line for line in terminal.shown.split("\n") if "999" not in line]
        assert [line for line in answers if len(line) > 80] == []
        assert "now:" not in terminal.type("quit now")


def common_deck() -> str:
    """A file with a common deck for a game of two sides."""
    rows = [f"x/{n},Card {n},card,main,{n},both,{n % 3 + 1},ops; event" for n in range(1, 41)]
    Path("common.csv").write_text("ref,name,type,deck,number,side,ops,kinds\n" + "\n".join(rows), "utf-8")
    return "common.csv"


def test_cards_are_named_as_it_comes(call: Call) -> None:
    """A card's number goes without its deck and its mark; a flag is set, and an order counted, at a place."""
    solo(call, NEW, "start-phase", "roll 2")
    card = solo(call, "status --json").json()["sides"]["S1"]["display"]["A"][0]["id"]
    number = card.partition("#")[2]
    for name in (number, f"s1{number}", f"S1-{number}", card):
        assert solo(call, f"play {name} ops").code == 0
        solo(call, "undo")
    assert "The conditions of " + card in solo(call, "set-flag A").out
    assert "card_not_on_display" in solo(call, "play 999 ops").err


@pytest.mark.full
def test_the_screen_is_no_wider_than_80_columns(call: Call) -> None:
    """A long title in C and many cards out of the game go on in further lines."""
    rows = [f"x/{n},{'Long title ' * 4}{n},card,CP,{n},CP,3,ops; event; response" for n in range(1, 41)]
    rows += [row.replace("CP", "AP").replace("x/", "y/") for row in rows]
    Path("long.csv").write_text("ref,name,type,deck,number,side,ops,kinds\n" + "\n".join(rows), "utf-8")
    solo(call, "new --module paths-of-glory --seed 3 --decks long.csv", "start-phase")
    shown = ""
    for _ in range(7):
        shown += solo(call, "roll 4", "status").out
        shown += solo(call, "play C event to=removed", "status").out
        solo(call, "next", "alternative one_ops", "next")
    assert "pile of" in shown and "out of the game" in shown
    assert [line for line in shown.splitlines() if len(line) > 80] == []


@pytest.mark.full
def test_a_side_that_held_its_card_may_not_pass(call: Call) -> None:
    """S-153: who has Passed with the last chit sees in the next season that it may not, and is refused."""
    solo(call, "new --module wilderness-war --seed 9 --decks " + common_deck(), "start-phase BR=7 FR=7 first=FR")
    for _ in range(12):
        assert solo(call, "roll 2", "play A ops", "next").code == 0
    assert "may not pass" not in solo(call, "alternative pass_last_chit", "status").out
    told = solo(call, "next", "alternative pass_last_chit", "end-phase", "start-phase first=FR")
    assert told.out.count("may not pass") == 2
    assert "pass_not_available" in solo(call, "alternative pass_last_chit").err


def test_two_dice_are_typed_both(call: Call) -> None:
    """Where two dice are rolled, what each shows is typed; one alone is refused (SR-65)."""
    new = "new --module commands-and-colors --seed 1 --option dice_count=2 --decks "
    solo(call, new + section_deck(), "start-phase S1=5 S2=5")
    assert "2 dice are rolled: give numbers from 1 to 6" in solo(call, "roll 4").err
    assert "rolls 4, 2: pick one" in solo(call, "roll 4 2").out


def section_deck() -> str:
    """A file with a Command deck."""
    rows = [f"x/{n},Order {n},card,main,{n},both,section,{n % 4}" for n in range(1, 41)]
    Path("orders.csv").write_text("ref,name,type,deck,number,side,kinds,order_max\n" + "\n".join(rows), "utf-8")
    return "orders.csv"


def test_the_table_shows_the_words_of_cards(call: Call) -> None:
    """An up card's conditions and note are shown, and what is out of the game; of a down card nothing."""
    solo(call, NEW, "start-phase")
    session = load(SPEC, Path("solo.json").read_text("utf-8"))
    shown = " ".join(solo(call, "status").out.split())
    for side in session.module.side_ids:
        for _, slot in session.display(side):
            note = session.table.cards[slot.card].note
            assert not note or (note in shown) == slot.up


def test_the_table_shows_whether_conditions_are_met(call: Call) -> None:
    """Every up card with conditions says whether they are declared met, and how to declare it."""
    rows = [f"x/{n},Card {n},card,main,{n},both,2,ops; event,The river is frozen." for n in range(1, 31)]
    header = "ref,name,type,deck,number,side,ops,kinds,conditions\n"
    Path("cold.csv").write_text(header + "\n".join(rows), "utf-8")
    solo(call, "new --module generic-card --seed 1 --decks cold.csv", "start-phase")
    assert solo(call, "status").out.count("if: The river is frozen. (not met; set-flag)") == 4
    out = solo(call, "set-flag B").out
    assert out.count("(not met; set-flag)") == 3 and out.count("frozen. (met)") == 1


def test_a_place_at_the_wrong_step_is_a_play(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    """At the table a place or a card is always a play: before the roll the answer names the roll."""
    solo(call, NEW, "start-phase")
    monkeypatch.setattr("sys.stdin", io.StringIO("A ops\n"))
    assert "Now: roll" in call("solo", "table").err


def test_what_is_taken_back_is_told(call: Call) -> None:
    """Undo names every action that it takes back, the last first."""
    solo(call, NEW, "start-phase", "roll 3")
    out = solo(call, "undo 2").out
    assert out.index("taken back: roll. S1 rolls 3: DE.") < out.index("taken back: start-phase.")


def test_what_hooks_are_told_is_told(call: Call) -> None:
    """The help of a hook lists what the player may say of each; at the table only those of the module."""
    out = solo(call, "hook --help").out
    assert "\n  take_card [chart_roll=...] [success_roll=...]\n" in out
    assert "\n  swap_bonus from_discard=... [card=...] [flip_card=...]\n" in out


def test_undo_and_log(call: Call) -> None:
    """Actions are logged in words and can be taken back, one or several; before the first there is nothing."""
    solo(call, NEW, "start-phase", "roll 3")
    assert solo(call, "log").out.count("\n") == 2
    solo(call, "undo")
    assert solo(call, "status --json").json()["step"] == "round_ready"
    solo(call, "undo 1")
    told = solo(call, "undo")
    assert told.code == 1 and "nothing" in told.err


@pytest.mark.parametrize(
    ("line", "code", "says"),
    [
        ("status", 3, "there is no session"),
        ("roll", 3, "there is no session"),
        ("rol", 2, "Did you mean roll?"),
        ("new --module chess", 2, "there is no module chess"),
        ("new --module paths-of-glory", 2, "--decks FILE"),
        ("new --module generic-separate --decks gone.csv", 3, "gone.csv"),
        ("new --module generic-separate --option luck", 2, "'luck' has no value"),
        ("new --module gone.json", 3, "gone.json"),
    ],
)
def test_misuse(call: Call, line: str, code: int, says: str) -> None:
    """A missing session, an unknown module or action, a missing deck: a sentence and the right exit code."""
    told = solo(call, line)
    assert told.code == code and says in told.err


def test_a_session_is_not_written_over(call: Call) -> None:
    """A second session needs another file or --force; a broken file is told as such and kept."""
    solo(call, NEW)
    assert solo(call, NEW).code == 2
    assert solo(call, "--session other.json " + NEW).code == 0
    assert solo(call, NEW + " --force").code == 0
    Path("solo.json").write_text('{"version": 1}', "utf-8")
    told = solo(call, "roll")
    assert told.code == 3 and "save_corrupt" in told.err
    Path("solo.json").write_text('{"version": 9}', "utf-8")
    assert "save_version_unknown" in solo(call, "status").err


def test_decks_of_ones_own(call: Call) -> None:
    """A table of one's own cards is read for a module; their numbers are the ids; a faulty file is told."""
    rows = [
        f"paths-of-glory/{s}-{n},Card {s} {n},card,{s},{n},{s},{n % 4 + 1},ops; event"
        for s in ("CP", "AP")
        for n in range(1, 21)
    ]
    header = "ref,name,type,deck,number,side,ops,kinds\n"
    Path("mine.csv").write_text(header + "\n".join(rows), "utf-8")
    assert "40 cards" in solo(call, "new --module paths-of-glory --decks mine.csv --seed 1").out
    assert solo(call, "start-phase").code == 0
    assert "CP#" in solo(call, "status").out
    Path("mine.csv").write_text(header + rows[0].replace("ops; event", "opps") + "\n", "utf-8")
    told = solo(call, "new --module paths-of-glory --decks mine.csv --force")
    assert told.code in (2, 3)


def test_decks_from_lists_of_loaded_cards(call: Call) -> None:
    """A deck list names cards of the catalogue; several files may follow --decks; an unknown card is a finding."""
    one = "\n".join(f"1 [generic-separate:S1-{n}]" for n in range(1, 11))
    two = "\n".join(f"1 [generic-separate:S2-{n}]" for n in range(1, 11))
    Path("one.deck").write_text(f"Game: cdg-solo\n\n## S1\n{one}\n", "utf-8")
    Path("two.deck").write_text(f"Game: cdg-solo\n\n## S2\n{two}\n", "utf-8")
    told = solo(call, "new --module generic-separate --decks one.deck two.deck")
    assert "20 cards" in told.out
    Path("two.deck").write_text("Game: cdg-solo\n\n## S2\n1 Nobody's Card\n", "utf-8")
    told = solo(call, "new --module generic-separate --decks two.deck --force")
    assert told.code == 3 and "card_unknown" in told.err


def test_a_module_of_ones_own_is_checked_whole(call: Call) -> None:
    """A file with a whole module begins a session; every fault of one is a finding with place, fix and rules (SD-7)."""
    own = {**SPEC.data["modules"]["generic-separate"], "id": "mine", "title": "Mine"}
    Path("own.json").write_text(json.dumps(own), "utf-8")
    assert "Mine, 110 cards" in solo(call, "new --module own.json --seed 1").out
    wrong = {**own, "layout": "heap", "mechanics": ["m9"], "hand": {"default": {"S1": 13, "S2": 5}}}
    Path("own.json").write_text(json.dumps(wrong), "utf-8")
    told = solo(call, "new --module own.json --seed 1 --force")
    assert told.code == 3
    assert "own.json:layout: error layout_unknown" in told.err and "mechanic_unknown" in told.err
    assert (
        "own.json:hand.default.S1: error hand_size_out_of_range: The hand size of S1 is 13, but must be from 1 to 12"
        in told.err
    )
    assert "fix: Write pile_in_c, virtual_c or card_in_c.   rules: SR-2, SD-1" in told.err
    for text in ("[]", '{"base": 7}', '{"exceptions": [[]]}', "{", '{"options": {"luck": true}}'):
        Path("own.json").write_text(text, "utf-8")
        assert solo(call, "new --module own.json --force").code in (2, 3)


@pytest.mark.full
def test_a_bundled_module_begins_ones_own(call: Call) -> None:
    """A module is shown whole, its options with their values among it, and its file begins a session as it is."""
    for key, module in SPEC.data["modules"].items():
        shown = solo(call, f"modules {key}")
        assert shown.json() == {**module, "options": shown.json()["options"]}
        assert {*module["own_options"], "jr_refill", "on_empty"} <= set(shown.json()["options"])
        Path("own.json").write_text(shown.out, "utf-8")
        told = solo(call, "new --module own.json --force")
        assert told.code == 0 or f"there are no cards for {key}" in told.err


def test_a_deck_is_checked_before_it_is_played(call: Call) -> None:
    """What `check` calls an error keeps a session from beginning, but for a card with a rule of its own (SD-7)."""
    rows = [f"x/{s}-{n},{s} {n},card,{s},{n},{s},2,ops; event" for s in ("CP", "AP") for n in range(2, 8)]
    header = "ref,name,type,deck,number,side,ops,kinds\n"
    Path("mine.csv").write_text(header + "\n".join(rows), "utf-8")
    told = solo(call, "new --module paths-of-glory --decks mine.csv")
    assert told.code == 0 and "warning exception_card_unknown: The deck lacks 3 cards" in told.err
    assert "special rule: Guns of August (CP#1)" in told.err
    rows[0] = rows[0].replace("ops; event", "home; mandatory")
    Path("mine.csv").write_text(header + "\n".join(rows[:10]), "utf-8")
    told = solo(call, "new --module paths-of-glory --decks mine.csv --force")
    assert told.code == 3 and "card_kind_conflict: CP 2:" in told.err and "Add 1 card to the deck AP." in told.err


@pytest.mark.parametrize("module", ["generic-split", "generic-virtual", "generic-card"])
def test_the_demonstration_deck_serves_every_template(call: Call, module: str) -> None:
    """A template with a common deck is tried with the demonstration deck, its cards numbered through."""
    assert "110 cards" in solo(call, f"new --module {module} --seed 3").out
    assert solo(call, "start-phase", "roll 4").code == 0
    ids = load(SPEC, Path("solo.json").read_text("utf-8")).table.decks["main"]
    assert ids == tuple(f"#{number}" for number in range(1, 111))


@usually("module", sorted(SPEC.data["modules"]))
def test_a_deck_template_wants_values_only(call: Call, module: str) -> None:
    """The template of every module begins a session once its values are typed, and lacks no card with a rule."""
    told = solo(call, f"template {module} --cards 40 -o cards.csv")
    assert "40 cards" in told.err or "80 cards" in told.err
    whole = solo(call, f"template {module} -o cards.csv")
    assert whole.code == 0 and "--cards" in whole.err
    with Path("cards.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for number, row in enumerate(rows):
        row["ops" if "ops" in row else "order_max"] = "" if row["kinds"] == "event" else str(number % 4 + 1)
    with Path("cards.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    begun = solo(call, f"new --module {module} --decks cards.csv --seed 1")
    assert begun.code == 0 and begun.err == ""


def test_a_deck_template_for_decks_of_ones_own_size(call: Call) -> None:
    """The cards of each deck are counted as the owner says; a deck or a size that cannot be is told."""
    solo(call, "template paths-of-glory --cards 30 --cards CP=65 -o cards.json")
    rows = json.loads(Path("cards.json").read_text("utf-8"))
    assert [sum(row["deck"] == deck for row in rows) for deck in ("CP", "AP")] == [65, 30]
    assert next(row["name"] for row in rows if row["ref"] == "paths-of-glory:CP-22") == "Mata Hari"
    for line, says in (
        ("template chess -o a.csv", "there is no module chess"),
        ("template germany --cards AUS=3 -o a.csv", "one of its decks: main."),
        ("template germany --cards 0 -o a.csv", "1 to 999 cards"),
        ("template germany --cards many -o a.csv", "is not a number of cards"),
        ("template germany -o a.pdf", "cannot be written as pdf"),
    ):
        told = solo(call, line)
        assert told.code == 2 and says in told.err, line
    assert solo(call, "template germany -o -").out.startswith("ref,name,type")


def test_hands_and_options(call: Call) -> None:
    """Hands are said as SIDE=NUMBER; an option of the method changes the module for this session."""
    solo(call, NEW + " --option jr_refill=down")
    told = solo(call, "start-phase S1=6 S2=4")
    assert "hands of S1 6, S2 4" in told.out
    assert solo(call, "start-phase S1").code in (1, 2)
    session = load(SPEC, Path("solo.json").read_text("utf-8"))
    assert session.module.options["jr_refill"] == "down"


def test_the_table_is_a_loop(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    """At the table Enter does the usual, a number is a typed die, a place plays its card; wrong lines do not end it."""
    solo(call, NEW)
    typed = "\n\n2\nB ops\nhelp\nnonsense\nplay Z\n'\nundo\nstatus\nlog\nquit\nroll 1\n"
    monkeypatch.setattr("sys.stdin", io.StringIO(typed.replace("\n\n2", "\n2")))
    told = call("solo", "table")
    assert told.code == 0
    assert "rolls 2: AB" in told.out and "plays" in told.out
    assert "combat CARD" in told.out, "help lists what may be done"
    assert "there is no action 'nonsense'" in told.err
    assert "rolls 1" not in told.out, "nothing is read after quit"
    view = solo(call, "status --json").json()
    assert view["step"] == "choosing"


def test_names_of_actions_as_they_are_spoken(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    """At the table the name of an action may be two words, and its values may be named."""
    solo(call, NEW)
    monkeypatch.setattr(
        "sys.stdin", io.StringIO("start phase S1=4 S2=4 first=S2\n2\nset flag A value=no\nA mode=ops\n")
    )
    out = call("solo", "table").out
    assert "hands of S1 4, S2 4" in out and "* S2" in out
    assert "are not met" in out and "(ops)" in out


def test_modules_are_listed(call: Call) -> None:
    """Every bundled module stands in the list with its layout."""
    out = solo(call, "modules").out
    assert all(key in out for key in SPEC.data["modules"]) and "virtual_c" in out
    assert "Did you mean germany?" in solo(call, "modules germanny").err
    listed = solo(call, "modules --json").json()
    assert listed["schema"] == "carddb.solo-modules/1"
    assert [module["id"] for module in listed["modules"]] == list(SPEC.data["modules"])


def test_every_action_is_a_command(call: Call) -> None:
    """Each action of a session can be taken from the command line, and has help."""
    for name in TABLE.actions:
        told = call("solo", name.replace("_", "-"), "--help")
        assert told.code == 0 and "Usage" in told.out


def test_the_handbook_has_every_verb_and_option() -> None:
    """The chapter of the manual names each verb of a session, and each option of those that begin one."""
    chapter = (resources.files("carddb") / "handbook" / "solo.md").read_text("utf-8")
    verbs = [*verbs_of(solo_verbs), *(name.replace("_", "-") for name in TABLE.actions)]
    assert [verb for verb in verbs if f"`carddb solo {verb}`" not in chapter] == []
    options = {option for verb in ("new", "template") for option in options_of(solo_verbs.commands[verb])}
    assert [option for option in sorted({*options, "--session"}) if option not in chapter] == []


def verbs_of(group: click.Group) -> list[str]:
    return list(group.commands)


def options_of(command: click.Command) -> set[str]:
    """The long options of a command."""
    options = [param for param in command.params if isinstance(param, click.Option)]
    return {name for option in options for name in option.opts if name.startswith("--") and name != "--output"}


def test_the_file_holds_the_whole_session(call: Call) -> None:
    """The file is JSON of version 1 with the stream of chance; a copy of it goes on in the same way."""
    solo(call, NEW, "start-phase")
    data = Path("solo.json").read_bytes()
    assert json.loads(data)["version"] == 1
    Path("copy.json").write_bytes(data)
    one, other = solo(call, "roll").out, solo(call, "--session copy.json roll").out
    assert one == other and Path("solo.json").read_bytes() == Path("copy.json").read_bytes()
