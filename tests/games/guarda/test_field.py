"""Guarda: how cards lie on the field, on every size of field and from every side."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.games.guarda.samples import CLOCKWISE, FULL, ORIENTATIONS, SIZES, SPEC, ask, column, patterns, row
from tests.rows import every

# The table of G-23: what the line k is from a seat; "-" counts from the other end.
MAPPING = {
    ("S", "V", "attack"): "column k",
    ("S", "H", "attack"): "row k",
    ("S", "V", "defence"): "column -k",
    ("S", "H", "defence"): "row -k",
    ("W", "V", "attack"): "row k",
    ("W", "H", "attack"): "column -k",
    ("W", "V", "defence"): "row -k",
    ("W", "H", "defence"): "column k",
    ("N", "V", "attack"): "column -k",
    ("N", "H", "attack"): "row -k",
    ("N", "V", "defence"): "column k",
    ("N", "H", "defence"): "row k",
    ("E", "V", "attack"): "row -k",
    ("E", "H", "attack"): "column k",
    ("E", "V", "defence"): "row k",
    ("E", "H", "defence"): "column -k",
}

sizes = st.sampled_from(SIZES)
seats = st.sampled_from(CLOCKWISE)
orientations = st.sampled_from(ORIENTATIONS)


@st.composite
def card_and_size(draw: st.DrawFn) -> tuple[str, int]:
    n = draw(sizes)
    return draw(st.sampled_from(patterns(n))), n


@st.composite
def cell_and_size(draw: st.DrawFn) -> tuple[list[int], int]:
    n = draw(sizes)
    line = st.integers(1, n)
    return [draw(line), draw(line)], n


def cells(card: str, orientation: str, seat: str, n: int) -> list[list[int]]:
    answer = ask("cells", card=card, orientation=orientation, seat=seat, n=n, options=FULL)
    assert answer["ok"]
    return list(answer["cells"])


@every("n", SIZES)
@every("held, where", MAPPING.items())
def test_lines_lie_as_the_table_says(held: tuple[str, str, str], where: str, n: int) -> None:
    """Every line of every field from every seat is the row or column of the table (G-19 to G-23, G-92)."""
    seat, kind, orientation = held
    line, _, number = where.partition(" ")
    for k in range(1, n + 1):
        at = n + 1 - k if number == "-k" else k
        found = cells(f"{kind}{k}", orientation, seat, n)
        assert found == (row(n, at) if line == "row" else column(n, at))


@every("n", SIZES)
def test_shapes(n: int) -> None:
    """A line has n cells, X 2n-1 or 2n, ALL n times n, and lists are in order (G-11, G-15, G-16, G-109)."""
    sizes_of = {card: len(cells(card, "attack", "S", n)) for card in patterns(n)}
    assert sizes_of.pop("ALL") == n * n and sizes_of.pop("X") == (2 * n - 1 if n % 2 else 2 * n)
    assert set(sizes_of.values()) == {n} and len(sizes_of) == 2 * n
    every = cells("ALL", "attack", "S", n)
    assert every == sorted(every)


@given(sizes, seats, orientations)
def test_x_and_all_are_the_same_for_everybody(n: int, seat: str, orientation: str) -> None:
    """X and ALL do not depend on seat and orientation (G-24)."""
    for card in ("X", "ALL"):
        assert cells(card, orientation, seat, n) == cells(card, "attack", "S", n)


@given(card_and_size(), seats)
def test_defence_is_the_attack_of_the_opposite_seat(held: tuple[str, int], seat: str) -> None:
    """What a card defends is what it attacks from the other side (G-21, G-24)."""
    card, n = held
    opposite = CLOCKWISE[(CLOCKWISE.index(seat) + 2) % 4]
    assert cells(card, "defence", seat, n) == cells(card, "attack", opposite, n)


@given(card_and_size(), seats, orientations)
def test_the_next_seat_turns_the_pattern_clockwise(held: tuple[str, int], seat: str, orientation: str) -> None:
    """From S to W to N to E the pattern turns by 90 degrees clockwise, seen from above (G-24, G-26)."""
    card, n = held
    following = CLOCKWISE[(CLOCKWISE.index(seat) + 1) % 4]
    turned = sorted([column, n + 1 - row] for row, column in cells(card, orientation, seat, n))
    assert cells(card, orientation, following, n) == turned


@given(card_and_size(), cell_and_size(), seats)
def test_a_card_defends_a_cell_when_it_hits_the_inverse(
    held: tuple[str, int], at: tuple[list[int], int], seat: str
) -> None:
    """A card covers a cell in defence exactly when it covers the inverse cell in attack (G-25)."""
    (cell, n), card = at, held[0]
    if card not in patterns(n):
        card = "V1"
    inverse = ask("inverse", cell=cell, n=n)["cell"]
    assert inverse == [n + 1 - cell[0], n + 1 - cell[1]] and ask("inverse", cell=inverse, n=n)["cell"] == cell
    asked = {"card": card, "seat": seat, "n": n, "options": FULL}
    defends = ask("covers", orientation="defence", cell=cell, **asked)["covers"]
    assert defends == ask("covers", orientation="attack", cell=inverse, **asked)["covers"]


@every("n", SIZES)
def test_only_the_middle_of_an_odd_field_is_its_own_inverse(n: int) -> None:
    """One cell of an odd field is its own inverse, none of an even one (G-25)."""
    every = cells("ALL", "attack", "S", n)
    own = [cell for cell in every if ask("inverse", cell=cell, n=n)["cell"] == cell]
    assert own == ([[n // 2 + 1] * 2] if n % 2 else [])


@given(cell_and_size(), seats, orientations, st.sampled_from(["lines", "lines_x_all"]))
def test_cards_that_cover_a_cell(at: tuple[list[int], int], seat: str, orientation: str, reading: str) -> None:
    """A cell is covered by a column, a row, ALL, and X on a diagonal: 3 or 4 types; `covers` says the same (G-17)."""
    cell, n = at
    asked: dict[str, Any] = {"seat": seat, "orientation": orientation, "cell": cell, "n": n}
    options = {"patterns": reading}
    found = ask("cards_covering", options=options, **asked)["cards"]
    diagonal = cell[0] == cell[1] or sum(cell) == n + 1
    assert [card[0] for card in found] == (["V", "H"] if reading == "lines" else [*"VHXA"] if diagonal else [*"VHA"])
    assert found == [card for card in patterns(n) if ask("covers", card=card, options=options, **asked).get("covers")]
    odds = ask("cover_odds", cell=cell, n=n, cards=1, options=options)
    assert (odds["types"], odds["copies"]) == (len(found), 4 * len(found))


@every("n", SIZES)
def test_the_centre(n: int) -> None:
    """The centre of an odd field is its middle cell, that of an even one the four middle cells (G-89, G-90)."""
    hill = [cell for cell in cells("ALL", "attack", "S", n) if ask("hill", cell=cell, n=n)["hill"]]
    half = n // 2
    middle = [half + 1] if n % 2 else [half, half + 1]
    assert hill == [[row, column] for row in middle for column in middle]


@every("n", SIZES)
@every("reading", ["lines", "lines_x_all", None])
def test_decks(n: int, reading: str | None) -> None:
    """Every field has its types, four cards of each, a hand of n, first one of 6 or n (G-11, G-12, G-16, G-36)."""
    options = {"patterns": reading} if reading else {}
    answer = ask("config", n=n, options=options)
    lines = reading == "lines" or (reading is None and n == 6)
    types = 2 * n if lines else 2 * n + 2
    assert answer == {
        "ok": True,
        "types": types,
        "deck": 4 * types,
        "grid_cards": 6,
        "hand": n,
        "opening_hand": max(6, n),
    }
    full = dict.fromkeys(patterns(n)[:types], 4)
    assert ask("check_deck", n=n, patterns=full, grid_cards=6, options=options)["errors"] == []
    five = ask("config", n=n, options={**options, "opening_hand": 5})
    assert five["opening_hand"] == max(5, n)


@given(card_and_size())
def test_cards_with_their_own_cells_are_right(held: tuple[str, int]) -> None:
    """A card is right with the cells that it attacks from the south, where the pointer is at the top (G-15, G-20)."""
    card, n = held
    found = ask("check_card", n=n, id=card, cells=cells(card, "attack", "S", n), pointers=1, options=FULL)
    assert found["errors"] == []


def test_formats_are_the_fields() -> None:
    """The formats of the game are the fields that can be played on (G-16, G-92)."""
    assert list(SPEC.formats) == [f"{n}x{n}" for n in SIZES]
    for n in range(-1, 12):
        refused = ask("config", n=n).get("reason") == "grid_size_unsupported"
        assert refused == (n not in SIZES)


@every("count", range(2, 9))
def test_seating_is_clockwise_with_two_on_a_side_at_most(count: int) -> None:
    """Seats go round the field once, one player to a seat and two to a side at most (G-4, G-26)."""
    found = ask("seating", players=count)["seats"]
    assert len(found) == count and found == sorted(found, key=CLOCKWISE.index)
    assert all(found.count(seat) <= 2 for seat in CLOCKWISE)


@every("word", ["x", "X", "Diagonals", "DIAGONALS"])
def test_a_pattern_is_named_as_it_is_printed(word: str) -> None:
    """A card in a question is meant by its id or its printed name, in any case; answers have the id (G-15)."""
    usual = ask("cells", card="X", orientation="attack", seat="S")
    assert ask("cells", card=word, orientation="attack", seat="S") == usual
    assert ask("place", seat="S", drawn=["v 1", word]) == ask("place", seat="S", drawn=["V1", "X"])
    prepared = ask("guard_action", action="prepare", phase="act", card=word)
    assert prepared["guard"]["card"] == "X"
    counts = {**dict.fromkeys(patterns(5), 4), "X": 2, word.lower(): 2}
    assert ask("check_deck", patterns=counts, grid_cards=6)["errors"] == []
    assert ask("cells", card="Column 9", orientation="attack", seat="S")["reason"] == "pattern_unknown"
    assert ask("cells", card="column 3", orientation="attack", seat="S") == ask(
        "cells", card="V3", orientation="attack", seat="S"
    )
