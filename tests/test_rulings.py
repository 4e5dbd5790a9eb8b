"""What was decided for this printing: each ruling has a reading and a reason, and stands apart from the source."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from conftest import Told

from carddb.findings import has_errors
from carddb.games import Game, folders, load
from carddb.games.cross_references import unknown_options
from carddb.games.rulings import decision

Call = Callable[..., Told]
COUNTS = {"cahrd": 56, "cdg-solo": 70, "empires-and-generals": 35, "guarda": 40, "rishar": 54}
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
    """The option that changes a ruling exists, and each option that reads a rule otherwise is named by that rule."""
    assert unknown_options(bundled) == []
    named = {rule.ruling.option for rule in bundled.rule_book.rules.values() if rule.ruling}
    assert set(bundled.spec.options) <= named


@pytest.mark.parametrize(
    ("key", "rule"),
    [("cahrd", "C-24"), ("cahrd", "C-41"), ("empires-and-generals", "E-95"), ("guarda", "G-43"), ("guarda", "G-78")],
)
def test_an_inference_is_no_word_of_the_author(key: str, rule: str) -> None:
    """What only follows from the source is a ruling: who has a strategy's effect, where one attacks from."""
    game, _ = load(folders()[key])
    assert game and decision(game, rule)


def test_explain_labels_what_was_decided(call: Call) -> None:
    """The source's words first, then the reading with the sign, its reason, and the option that changes it."""
    shown = call("explain", "C-13", "--game", "cahrd").out
    assert "C-13°" in shown and "our reading: S is treated" in shown and "why: Every stat" in shown
    assert "changed by: --option allow_printed_s=true" in shown and "Ruling" not in shown
    (entry,) = call("explain", "G-8", "--game", "guarda", "--json").json()["entries"]
    assert entry["text"] == "" and entry["ruling"]["option"] == "friendly_fire" and entry["ruling"]["changed_by"] == ""
    plain = call("explain", "C-1", "--game", "cahrd")
    assert "°" not in plain.out and "our reading" not in plain.out


def test_a_code_shows_the_rulings_behind_it(call: Call) -> None:
    """A code that rests on a ruling says so with it."""
    shown = call("explain", "officer_minimum").out
    assert "C-41°:" in shown and "our reading: At least 3 officers" in shown
    (entry,) = call("explain", "officer_minimum", "--json").json()["entries"]
    assert entry["rulings"]["C-41"]["values"] == [True]
