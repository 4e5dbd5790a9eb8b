"""Guarda: what `carddb check` says of a deck is what the referee says, with lines and remedies."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carddb.cards.cards import Card, Deck, Entry, Pool
from carddb.deck import Context, check
from carddb.findings import Finding, Place, Severity
from carddb.games.guarda.rules import CHECKS
from carddb.play import question
from carddb.read.decks.text import load_deck, read_deck
from tests.games.guarda.samples import FULL, SIZES, SPEC, ask, patterns, pool
from tests.games.referee_samples import game

GRID = [f"F{number}" for number in range(1, 7)]


def pattern(n: int, card: str, **values: Any) -> Card:
    """A pattern card as a file has it; its cells are written `row,column`."""
    found = ask("cells", card=card, orientation="attack", seat="S", n=n, options=FULL).get("cells", [[1, 1]])
    cells = [f"{row},{column}" for row, column in found]
    return SPEC.card(f"{n}-{card}", {"name": card, "type": "pattern", "id": card, "n": n, "cells": cells, **values})


def grid(n: int, card: str) -> Card:
    at = GRID.index(card)
    place = {"column": at % 3 + 1, "row": at // 3 + 1}
    return SPEC.card(f"{n}-{card}", {"name": card, "type": "grid", "id": card, "n": n, **place})


def every(*sizes: int) -> Pool:
    return Pool(card for n in sizes for card in (*(pattern(n, p) for p in patterns(n)), *(grid(n, g) for g in GRID)))


def deck(n: int, counts: Mapping[str, int], grids: int = 6, **headers: str) -> Deck:
    lines = [Entry("pattern", count, card, pattern(n, card)) for card, count in counts.items() if count]
    lines += [Entry("grid", 1, GRID[at % 6], grid(n, GRID[at % 6])) for at in range(grids)]
    return Deck(SPEC.key, tuple(lines), {"format": f"{n}x{n}", **headers})


def checked(found: Deck, **given: Any) -> list[Finding]:
    return check(found, SPEC, Pool(()), Context(DAY, options=given), CHECKS)


def codes(findings: list[Finding], severity: Severity = Severity.ERROR) -> list[str]:
    return sorted({finding.code for finding in findings if finding.severity is severity})


DAY = date(2026, 1, 1)


@pytest.mark.parametrize("n", SIZES)
def test_a_complete_deck_is_legal(n: int) -> None:
    """Four of each pattern and six grid cards are a legal deck of every field (G-11, G-12, G-13, G-16)."""
    lines = patterns(n) if n != 6 else patterns(n)[:-2]
    assert checked(deck(n, dict.fromkeys(lines, 4))) == []
    assert checked(deck(n, dict.fromkeys(patterns(n), 4)), patterns="lines_x_all") == []
    assert checked(deck(n, dict.fromkeys(patterns(n)[:-2], 4)), patterns="lines") == []


@given(
    st.sampled_from(SIZES),
    st.lists(st.integers(0, 5), min_size=20, max_size=20),
    st.integers(0, 8),
    st.sampled_from(["lines", "lines_x_all", "by field"]),
)
def test_check_and_referee_agree(n: int, counts: list[int], grids: int, reading: str) -> None:
    """Whatever the numbers, `check` finds the codes that the referee answers with (G-11 to G-16)."""
    numbers = {card: count for card, count in zip(patterns(n), counts, strict=False) if count}
    given_options = {} if reading == "by field" else {"patterns": reading}
    answer = ask("check_deck", n=n, patterns=numbers, grid_cards=grids, options=given_options)
    assert codes(checked(deck(n, numbers, grids), **given_options)) == answer["errors"]


def test_findings_name_cards_and_remedies() -> None:
    """A finding names both numbers and the guilty cards, and says what mends it (G-11, G-12)."""
    found = {f.code: f for f in checked(deck(3, {**dict.fromkeys(patterns(3), 4), "V1": 5, "H2": 3, "X": 0}))}
    copies = found["pattern_copies"]
    assert "5 of V1 and 3 of H2" in copies.message and [card.ref for card in copies.cards] == ["3-V1", "3-H2"]
    assert copies.fix == "Remove 1 × “V1” and add 1 × “Row 2 of 3×3”."
    assert copies.fixes == ({"remove": [{"ref": "3-V1", "count": 1}], "add": [{"ref": "3-H2", "count": 1}]},)
    assert found["pattern_missing"].fix == "Add 4 × “Diagonals of 3×3”."
    assert "1 of 8" in found["pattern_missing"].message
    assert "28 pattern cards, but needs 32" in found["deck_total"].message
    assert all(finding.rules and finding.fix.endswith(".") for finding in found.values())


def test_findings_have_their_numbers_and_fixes_as_data() -> None:
    """What a finding says in words it holds as data too, and taking its fix mends it (G-11 to G-13)."""
    found = {f.code: f for f in checked(deck(3, {**dict.fromkeys(patterns(3), 4), "V1": 5, "X": 0}, grids=4))}
    assert {code: finding.data for code, finding in found.items()} == {
        "pattern_missing": {"count": 7, "limit": 8, "patterns": ["X"]},
        "pattern_copies": {"limit": 4, "patterns": {"V1": 5}},
        "deck_total": {"count": 29, "limit": 32},
        "grid_card_count": {"count": 4, "limit": 6},
    }
    out, lacking = {"ref": "3-V1", "count": 1}, {"ref": "3-X", "count": 4}
    assert found["deck_total"].fixes == ({"remove": [out], "add": [lacking]},) and found["deck_total"].cards == ()
    assert found["grid_card_count"].fixes == ({"add": [{"ref": f"3-{card}", "count": 1} for card in ("F5", "F6")]},)
    (more,) = checked(deck(3, dict.fromkeys(patterns(3), 4), grids=8))
    assert more.fixes == ({"remove": [{"ref": f"3-{card}", "count": 1} for card in ("F1", "F2")]},)


def test_cards_of_another_field() -> None:
    """A card of another field is no pattern of this one, and its grid cards are not this field's (G-13, G-15)."""
    mixed = deck(3, dict.fromkeys(patterns(3), 4), grids=5)
    other = (Entry("pattern", 1, "V1", pattern(5, "V1")), Entry("grid", 1, "F1", grid(5, "F1")))
    found = {f.code: f for f in checked(Deck(SPEC.key, (*mixed.entries, *other), mixed.headers))}
    assert set(found) == {"pattern_unknown", "deck_total", "grid_card_count", "grid_card_of_other_field"}
    assert [card.ref for card in found["pattern_unknown"].cards] == ["5-V1"]


def test_a_deck_of_another_field_is_told_its_format() -> None:
    """Where all cards are of one other field, the remedy is to say so (G-15, G-16)."""
    lines = deck(6, dict.fromkeys(patterns(6)[:-2], 4))
    found = {f.code: f for f in checked(Deck(SPEC.key, lines.entries))}
    assert found["pattern_unknown"].fix == "Write Format: 6x6, because all of the cards are for this field."
    assert (found["grid_card_count"].data["count"], checked(lines)) == (0, [])


def test_unknown_cards_count_in_the_total_alone() -> None:
    """A card that nobody knows counts toward the total and toward nothing else (G-12)."""
    whole = deck(3, dict.fromkeys(patterns(3), 4))
    unknown = Deck(SPEC.key, (*whole.entries, Entry("pattern", 1, "Zed")), whole.headers)
    assert codes(checked(unknown)) == ["deck_total"]


@pytest.mark.parametrize("key", ["2x2", "10x10", "99x99"])
def test_a_field_that_cannot_be_played(key: str) -> None:
    """A deck for a field of 2 or 10 has that fault and no other of the deck (G-16)."""
    assert codes(checked(Deck(SPEC.key, (), {"format": key}))) == ["grid_size_unsupported"]


@pytest.mark.parametrize("key", ["5x6", "five", "5", ""])
def test_a_format_that_is_no_square(key: str) -> None:
    """What names no field at all is an unknown format, and the deck is not judged (G-16)."""
    found = checked(Deck(SPEC.key, (), {"format": key} if key else {}))
    assert codes(found) == ([] if key else ["deck_total", "grid_card_count", "pattern_missing"])


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({}, []),
        ({"cells": []}, ["pattern_empty"]),
        ({"cells": ["1,1", "2,1"]}, ["pattern_cells"]),
        ({"cells": ["1,1", "2,1", "4,1"]}, ["cell_off_grid", "pattern_cells"]),
        ({"cells": ["1,1", "2,1", "three"]}, ["cell_off_grid", "pattern_cells"]),
        ({"pointers": 2}, ["pointer_count"]),
    ],
)
def test_a_wrong_card_is_found_in_a_deck(values: dict[str, Any], expected: list[str]) -> None:
    """A card of a deck is judged as the referee judges a card (G-9, G-10, G-15)."""
    whole = deck(3, dict.fromkeys(patterns(3), 4))
    entries = (Entry("pattern", 4, "V1", pattern(3, "V1", **values)), *whole.entries[1:])
    assert codes(checked(Deck(SPEC.key, entries, whole.headers))) == expected


@pytest.mark.parametrize(
    ("values", "code", "fix"),
    [
        ({"cells": ["1,1", "2,1"]}, "pattern_cells", "Highlight exactly the cells 1,1; 2,1; 3,1 (row,column)."),
        ({"cells": ["1,1", "2,1", "3,1", "4,1"]}, "cell_off_grid", "Write row,column, each from 1 to 3, such as 1,3."),
        ({"id": "V4"}, "pattern_unknown", "Write one of V1, V2, V3, H1, H2, H3, X, ALL."),
        ({"pointers": 2}, "pointer_count", "Set pointers to 1."),
    ],
)
def test_a_wrong_card_is_found_in_a_file(values: dict[str, Any], code: str, fix: str) -> None:
    """A card file is judged before it is loaded, with the place and what mends it (G-9, G-10, G-15)."""
    place = Place("cards.csv", 7)
    found = {f.code: f for f in game("guarda").faults_of([(pattern(3, "V1", **values), place)])}
    assert (found[code].where, found[code].fix) == ((place,), fix)


def test_the_cards_of_the_game_are_right() -> None:
    """Nothing is wrong with any card of the bundled file, X and ALL of 6×6 among them (G-16)."""
    assert game("guarda").faults_of((card, Place()) for card in pool()) == []


@pytest.mark.parametrize(
    ("headers", "errors", "warnings"),
    [
        ({"players": "4", "mode": "king"}, [], []),
        ({"players": "Ann; Bo"}, [], []),
        ({"players": "1"}, ["player_count"], []),
        ({"players": "9"}, ["player_count"], []),
        ({"players": "0"}, ["player_count"], []),
        ({"players": "Ann; Bo; Cy; Di", "teams": "Ann, Cy; Bo, Di"}, [], []),
        ({"players": "4", "teams": "1, 3; 2, 4"}, [], []),
        ({"teams": "Ann, Cy; Bo"}, [], ["team_unequal"]),
        ({"players": "3", "teams": "1; 2"}, ["team_player_unassigned"], []),
        ({"players": "2", "teams": "1, 2"}, ["team_count"], []),
        ({"mode": "elimination"}, [], []),
        ({"mode": "King of the Hill"}, [], []),
        ({"mode": "VICTORY"}, [], []),
        ({"mode": "race"}, ["mode_unknown"], []),
        ({"teams": "Ann, Bo; Cy, Bo"}, ["team_player_unassigned"], ["team_unequal"]),
    ],
)
def test_headers_say_who_plays(headers: dict[str, Any], errors: list[str], warnings: list[str]) -> None:
    """The lines Players, Teams and Mode of a deck are judged as the referee judges a game (G-1, G-27, G-93)."""
    found = checked(deck(3, dict.fromkeys(patterns(3), 4), **headers))
    assert (codes(found), codes(found, Severity.WARNING)) == (errors, warnings)


def test_a_game_is_told_in_words_and_numbers() -> None:
    """Findings about players and teams name both numbers, or who is meant (G-1, G-27)."""
    found = checked(deck(3, dict.fromkeys(patterns(3), 4), players="1", teams="1"))
    assert [(f.message, f.data) for f in found] == [
        ("The game has 1 player, but needs 2 to 8", {"count": 1, "least": 2, "most": 8}),
        ("There is only 1 team, but at least 2 are needed", {"count": 1, "limit": 2}),
    ]
    found = checked(deck(3, dict.fromkeys(patterns(3), 4), teams="Ann, Bo; Cy"))
    assert [(f.message, f.data) for f in found] == [
        ("The teams have different sizes: team 1 has 2 players, team 2 has 1 player", {"teams": {"1": 2, "2": 1}})
    ]


def test_a_deck_from_a_file(tmp_path: Path) -> None:
    """A deck file with its header lines is read and judged, and a finding stands on its line (G-27)."""
    path = tmp_path / "river.deck"
    cards = [f"4 {card} [3-{card}]" for card in patterns(3)]
    lines = ["Name: River", "Format: 3x3", "Players: 3", "Teams: 1, 3; 2", "Mode: king", "## Pattern", *cards]
    path.write_text("\n".join([*lines, "## Grid", *(f"1 {card} [3-{card}]" for card in GRID)]), "utf-8")
    found, findings = load_deck(path, SPEC, every(3))
    assert findings == [] and found.headers["mode"] == "king"
    result = checked(found)
    assert [(f.code, f.where[0].line) for f in result] == [("team_unequal", 4)]


def test_an_id_alone_is_answered_with_the_references() -> None:
    """V1 is the card of the deck's own field; where that has none, the references that end so are offered (G-15)."""
    deck, found = read_deck("Format: 3x3\n## Pattern\n4 V1\n4 V7\n4 Q9\n", SPEC, pool(), "x.deck")
    near = [finding.data["nearest"] for finding in found if finding.code == "card_unknown"]
    assert near == [["7-V7", "8-V7", "9-V7"], []]
    assert deck.entries[0].ref == "3-V1"


@pytest.mark.parametrize("n", SIZES)
def test_pattern_card_fields(n: int) -> None:
    """A pattern card has id, size of field, cells, one pointer and four copies, each with its code (G-95)."""
    card = {"ref": f"{n}-V1", "name": "V1", "type": "pattern", "id": "V1", "n": n, "cells": ["1,1"]}
    assert question.card(SPEC, card, "card")[1] == []
    for change, expected in (
        ({"id": None}, "pattern_unknown"),
        ({"n": 2}, "grid_size_unsupported"),
        ({"n": 10}, "grid_size_unsupported"),
        ({"pointers": 0}, "pointer_count"),
        ({"pointers": 2}, "pointer_count"),
        ({"copies": 3}, "pattern_copies"),
        ({"cells": None}, "pattern_empty"),
    ):
        assert question.card(SPEC, {**card, **change}, "card")[1] == [expected]


def test_grid_card_fields() -> None:
    """A grid card is F1 to F6 with size of field, column 1 to 3 and row 1 to 2 (G-96)."""
    fields = SPEC.fields_of("grid")
    assert list(fields["id"].of) == GRID
    for name, low, high in (("column", 1, 3), ("row", 1, 2), ("n", SIZES[0], SIZES[-1])):
        assert [fields[name].fault(value) for value in (low - 1, low, high, high + 1)] == ["range", None, None, "range"]
        assert fields[name].fault(None) == "missing"


def test_options_from_the_command_line() -> None:
    """Every option is off by default and takes the values of its table (G-16, G-35, G-45, G-78, G-88)."""
    defaults = SPEC.readings_with({})
    assert {name: value for name, value in defaults.items() if name != "patterns"} == {
        "opening_hand": 6,
        "diagonals": False,
        "bend": False,
        "health_cap": 10,
        "exhaust_on": "last_card",
        "friendly_fire": "no",
        "simultaneous": "draw",
        "counter_blockable": "no",
        "field_layout": "poster",
    }
    chosen = {"patterns": "lines", "opening_hand": "5", "health_cap": "none", "exhaust_on": "failed_draw"}
    assert SPEC.readings_with({**chosen, "bend": "true"}) == {**defaults, **chosen, "opening_hand": 5, "bend": True}
