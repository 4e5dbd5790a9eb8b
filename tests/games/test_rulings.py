"""What was decided for this printing: each ruling has a reading and a reason, and stands apart from the source."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from pypdfium2 import PdfDocument

from carddb.findings import has_errors
from carddb.games import Game, folders, load
from carddb.games.opening.cross_references import unknown_options
from carddb.games.printed_words import decision, with_signs
from carddb.layout.documents.blocks import RuleIds, Span, Table, contents, plain, rule_ids
from carddb.press.documents.guide import print_guide, read_guide
from tests.conftest import OUTSIDE, Told
from tests.rows import every, usually

Call = Callable[..., Told]
COUNTS = {"cahrd": 56, "cdg-solo": 70, "empires-and-generals": 44, "guarda": 40, "rishar": 55}
"""The rulings of each game; an entry more or less is a change of what is printed as decided."""


@pytest.fixture(scope="module", params=COUNTS)
def bundled(request: pytest.FixtureRequest) -> Game:
    """Each bundled game."""
    game, findings = load(folders()[request.param])
    assert game is not None and not has_errors(findings)
    return game


def test_every_ruling_has_a_reading_and_a_reason(bundled: Game) -> None:
    """A ruling says how the rule is read and why, each in sentences; the rules' own words hold no ruling."""
    rulings = {key: rule.ruling for key, rule in bundled.rule_book.rules.items() if rule.ruling}
    assert len(rulings) == COUNTS[bundled.key]
    for key, ruling in rulings.items():
        assert ruling.reading.strip().endswith((".", ")", "*")) and ruling.why.strip().endswith((".", ")")), key
    assert not [key for key, rule in bundled.rule_book.rules.items() if "Ruling" in rule.text]


def test_a_ruling_names_an_option_of_the_game(bundled: Game) -> None:
    """The option that changes a ruling exists, and what an option reads otherwise is a rule with a ruling.

    But for the variants of Commands & Colors, which the source itself has.
    """
    assert unknown_options(bundled) == []
    rules = bundled.rule_book.rules
    without = [key for key, option in bundled.spec.options.items() if not any(rules[r].ruling for r in option.rules)]
    assert without == (["augment_variant"] if bundled.key == "cdg-solo" else [])


@every(
    "key, rule",
    [("cahrd", "C-24"), ("cahrd", "C-41"), ("empires-and-generals", "E-95"), ("guarda", "G-43"), ("guarda", "G-78")],
)
def test_an_inference_is_no_word_of_the_author(key: str, rule: str) -> None:
    """What only follows from the source is a ruling: who has a strategy's effect, where one attacks from."""
    game, _ = load(folders()[key])
    assert game and decision(game, rule)


@pytest.mark.parametrize(
    ("key", "rule", "options"),
    [
        ("empires-and-generals", "E-95", ["attack_from_warcamp", "group_attack"]),
        ("guarda", "G-45", ["diagonals", "bend"]),
    ],
)
def test_every_option_that_names_a_rule_changes_its_ruling(call: Call, key: str, rule: str, options: list[str]) -> None:
    """A ruling of two readings has both options, by title in the sheet, by key in `explain`, its own one first."""
    game, _ = load(folders()[key])
    assert game
    ruling = decision(game, rule)
    assert ruling and list(ruling.options) == options
    sheet = re.sub("<[^>]*>", "", print_guide(game, read_guide(game), "html").data.decode())
    shown = call("explain", rule, "--game", key)
    for option in options:
        assert game.spec.options[option].label in sheet and f"--option {option}=" in shown.out
    (entry,) = call("explain", rule, "--game", key, "--json").json()["entries"]
    assert list(entry["ruling"]["options"]) == options and entry["ruling"]["changed_by"] == options[0]


def test_explain_labels_what_was_decided(call: Call) -> None:
    """The source's words first, then the reading with the sign, its reason, and the option that changes it."""
    shown = call("explain", "C-13", "--game", "cahrd").out
    assert "C-13°" in shown and "our reading: S is treated" in shown and "why: Every stat" in shown
    assert "changed by: --option allow_printed_s=true" in shown and "Ruling" not in shown
    (entry,) = call("explain", "G-8", "--game", "guarda", "--json").json()["entries"]
    assert entry["text"] == "" and entry["ruling"]["option"] == "friendly_fire" and entry["ruling"]["changed_by"] == ""
    plain = call("explain", "C-1", "--game", "cahrd")
    assert "°" not in plain.out and "our reading" not in plain.out


@pytest.mark.parametrize(
    ("word", "name"),
    [("officer minimum", "officer_minimum"), ("Officer-Minimum", "officer_minimum"), ("E 95", "E-95"), ("c41", "C-41"),
     ("Card Unknown", "card_unknown")],
)  # fmt: skip
def test_codes_and_rules_are_known_folded(call: Call, word: str, name: str) -> None:
    """A code, also one of all games, and a rule id are found however they are spaced, and shown canonical."""
    (entry,) = call("explain", word, "--json").json()["entries"]
    assert entry["name"] == name


def test_a_code_shows_the_rulings_behind_it(call: Call) -> None:
    """A code that rests on a ruling says so with it."""
    shown = call("explain", "officer_minimum").out
    assert "C-41°:" in shown and "our reading: At least 3 officers" in shown
    (entry,) = call("explain", "officer_minimum", "--json").json()["entries"]
    assert entry["rulings"]["C-41"]["values"] == [True]


@usually("bundled", COUNTS, "rishar", indirect=True)
def test_a_rule_sheet_signs_the_rulings_that_it_cites_and_lists_all(bundled: Game) -> None:
    """Each ruling that the guide names has the sign there, and the last part has the reading of every ruling there is.

    Tweak sheets and components rest on rulings that the guide does not cite.
    """
    guide = read_guide(bundled)
    cited = {rule for rule in guide.rules if decision(bundled, rule)}
    marks = " ".join(mark.text for mark in rule_ids(guide.document.blocks))
    (section,) = [s for s in guide.document.sections if s.title == bundled.spec.sheet_words.decided]
    told = [row for block in section.blocks if isinstance(block, Table) for row in block.rows]
    pairs = [cells for row in told if len(cells := [cell for cell in row if isinstance(cell, tuple)]) == 2]
    readings = {mark.rules[0]: why for reading, why in pairs for mark in reading if isinstance(mark, RuleIds)}
    italics = [any(isinstance(span, Span) and span.italic for span in why) for why in readings.values()]
    listed = [*readings]
    assert listed == [rule for rule, entry in bundled.rule_book.rules.items() if entry.ruling]
    assert len(cited) > 10 and cited <= set(listed)
    assert all(f"{rule}°" in marks for rule in cited)
    assert all(italics)


@usually("bundled", COUNTS, "rishar", indirect=True)
@usually("kind", ["html", "pdf"])
def test_the_sign_and_its_footnote_survive_on_paper_and_on_the_web(bundled: Game, kind: str) -> None:
    """The sign can be read out of the file behind a rule's id, and each page of paper with it says what it means."""
    sheet = print_guide(bundled, read_guide(bundled), kind)
    footnote = f"° {bundled.spec.sheet_words.footnote}"
    first = next(rule for rule in read_guide(bundled).rules if decision(bundled, rule))
    if kind == "html":
        page = re.sub("<[^>]*>", "", sheet.data.decode())
        assert page.count(footnote) == 1 and f"{first}°" in page
        return
    pages = [page.get_textpage().get_text_bounded() for page in PdfDocument(sheet.data)]
    assert all(footnote in page for page in pages if "°" in page.replace(footnote, ""))
    assert any(f"{first}°" in page for page in pages)


@usually("bundled", COUNTS, "rishar", indirect=True)
def test_a_rule_sheet_ends_with_the_credits(bundled: Game) -> None:
    """The last section names who made the game and its version; no reading of ours stands in it."""
    section = read_guide(bundled).document.sections[-1]
    words = " ".join(plain(line) for line in contents(section.blocks))
    spec = bundled.spec
    assert section.title == spec.sheet_words.credits
    assert spec.credits.by and spec.credits.by in words and spec.credits.version in words
    assert not list(rule_ids(section.blocks))


def test_games_shows_the_credits(call: Call) -> None:
    """`games KEY` and its JSON tell who made a game, its version and its thanks."""
    shown = call("games", "cahrd").out
    assert "Version: Rulebook 1.0" in shown and "Tabletop Simulator" in shown
    (entry,) = call("games", "rishar", "--json").json()["games"]
    assert entry["credits"]["date"] == "August 2019" and "Dan Pierz" in entry["credits"]["by"]


def test_a_sheet_without_rulings_has_no_sign(call: Call, folder: Path) -> None:
    """A game whose book has no ruling is printed without sign, footnote and list."""
    assert call("--games", str(OUTSIDE), "guide", "lanterns", "-o", "l.html").code == 0
    page = (folder / "l.html").read_text("utf-8")
    assert "°" not in page and "Decided" not in page


@every("key", ["cahrd", "empires-and-generals", "guarda", "rishar"])
def test_components_sign_what_was_decided(key: str) -> None:
    """Reference cards and mats have the sign where they tell a ruling, say what it means, and show no mark of it."""
    game, _ = load(folders()[key])
    assert game
    faces = [
        repr(game.hook("component_data")(part.template.removesuffix(".svg"), game.spec, dict(row)))
        for part in game.spec.components.values()
        if part.template and part.reference
        for row in part.rows or ({},)
    ]
    signed = [face for face in faces if "°" in face]
    assert signed and all(f"° {game.spec.sheet_words.card_footnote}" in face for face in signed)


@pytest.mark.parametrize("module", ["paths-of-glory", "germany", "for-the-people"])
def test_tweak_sheets_sign_what_was_decided(module: str) -> None:
    """A paragraph that rests on a ruling ends with the sign, no rule id is left, and the foot explains it."""
    game, _ = load(folders()["cdg-solo"])
    assert game
    back = game.hook("component_data")("tweak-back", game.spec, {"module": module})
    bodies = [paragraph.body for paragraph in back["paragraphs"]]
    assert any(body.endswith("°") for body in bodies) and not re.search(r"\{S", "".join(bodies))
    assert back["author"].endswith(f"° {game.spec.sheet_words.card_footnote}")


@every("part", ["die-card", "mat", "quick-front", "quick-back", "selection", "tweak-front"])
def test_parts_of_the_solo_method_sign_what_was_decided(part: str) -> None:
    """The faces of the die (SR-9), displays that stay (SR-5), the order A to E (SR-36) are author has not said so."""
    game, _ = load(folders()["cdg-solo"])
    assert game
    data = game.hook("component_data")(part, game.spec, {"module": "wilderness-war", "side": "BR", "component": "K-2"})
    template = (game.folder.template_folder / f"{part}.svg").read_text("utf-8")
    assert "°" in repr(data["print"]) and "{SR-" not in repr(data)
    assert data["sign_note"] == f"° {game.spec.sheet_words.card_footnote}"
    assert "sign_note" in template or part == "tweak-front"


def test_a_tweak_sheet_signs_no_word_of_its_author() -> None:
    """What to flip where no card is up stands on two sheets; for the others it was decided (S-176, S-195, SR-13)."""
    game, _ = load(folders()["cdg-solo"])
    assert game
    signed = {}
    for key in ("washingtons-war", "commands-and-colors", "wilderness-war", "paths-of-glory"):
        rows = game.hook("component_data")("tweak-front", game.spec, {"module": key})["results"]
        signed[key] = [row.result for row in rows if "°" in row.flip + row.play + row.fill]
    assert signed == {
        "washingtons-war": [],
        "commands-and-colors": [],
        "wilderness-war": ["UP"],
        "paths-of-glory": ["C_JR", "DE", "UP"],
    }


@pytest.mark.full
def test_the_guide_of_the_solo_method_signs_the_faces_of_the_die() -> None:
    """Which face stands for which result was decided (SR-9): the source fixes only 1, 4 and 5 (S-37)."""
    game, _ = load(folders()["cdg-solo"])
    assert game
    guide = read_guide(game, voice="reference")
    marks = [mark.text for mark in rule_ids(guide.document.blocks)]
    assert sum("SR-9°" in text for text in marks) == 1  # with the sentence on the first column


def test_a_sign_goes_with_its_ruling() -> None:
    """A mark of a rule in printed words is the sign where the rule has a ruling, and nothing where it has none."""
    game, _ = load(folders()["cahrd"])
    assert game
    words = ["Attack once {C-94}, from turn 2{C-84, C-85}.", {"a": "Draw{C-75}. {icon:war} {figure}"}]
    assert with_signs(words, game.spec) == ["Attack once°, from turn 2°.", {"a": "Draw. {icon:war} {figure}"}]
