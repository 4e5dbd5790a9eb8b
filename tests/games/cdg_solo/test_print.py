"""CDG solo: the printed parts of the method, each in its number and size (§10)."""

from __future__ import annotations

from itertools import pairwise

import pytest

from carddb.core.units import Size
from carddb.game.frozen import replaced
from carddb.games.cdg_solo.print.components import component_data
from carddb.games.cdg_solo.print.faces import signed_words
from carddb.layout.display_list import Face, Run, walk
from tests.games.cdg_solo.print_samples import (
    PAGE,
    Row,
    boxes,
    drawn,
    every_face,
    named,
    row_of,
    rows,
    spec,
    text,
    words,
)
from tests.rows import every, usually

# Ids, sizes and counts of the printed parts (§10): a page for each row of data, and how many faces are on it.
SIZES = {
    "K-1": "8.5x11in", "K-2": "8.5x11in", "K-3": "8.5x11in", "K-4": "8.5x11in", "K-4d": "8.5x11in", "K-5": "8.5x11in",
    "K-5d": "8.5x11in", "K-6": "3x1.5in", "K-7": "2.5x3.5in", "K-8": "8.5x11in", "K-8c": "8.5x11in", "K-9": "2.5x3.5in",
    "K-10": "3.5x5in",
    "K-11": "0.625x0.625in", "K-12": "8.5x11in",
}  # fmt: skip


@pytest.mark.full
@every("key, row, back", list(every_face()))
def test_component_has_no_finding(key: str, row: Row, back: bool) -> None:
    """Every printed part draws with nothing cut off, too small, too faint or missing, and has a title to be read."""
    result = drawn(key, row, back)
    assert [finding.message for finding in result.findings] == []
    assert result.face.size == Size.parse(spec().components[key].size)
    assert result.face.title


def test_every_component_of_the_table_is_there() -> None:
    """K-1 to K-12 are printed, each at its size (SR-70)."""
    components = {component.id: component.size for component in spec().components.values() if component.id}
    assert components == SIZES


@usually("key", ["K-1", "K-2", "K-3", "K-4", "K-5", "K-8", "K-12"], "K-3", "K-5")
@pytest.mark.full
def test_page_keeps_inside_both_papers(key: str) -> None:
    """What is on a page keeps inside 8.0 × 10.5 inches, but for cutting marks, so that A4 takes it at 100 %."""
    for row in rows(key):
        for x, y, width, height in boxes(drawn(key, row).face, marks=False):
            assert x >= 6350 - 1 and x + width <= PAGE.width - 6350 + 1
            assert y >= 6350 - 1 and y + height <= PAGE.height - 6350 + 1


@pytest.mark.full
@pytest.mark.parametrize("component", [key for key, size in SIZES.items() if size == "8.5x11in"])
def test_page_has_a_ruler_of_an_inch(component: str) -> None:
    """Every page has a scale bar of one inch: four pieces of a quarter."""
    for row in rows(component):
        face = drawn(component, row).face
        assert "1 in = 25.4 mm" in words(face)
        assert len([box for box in boxes(face) if box[2:] == (6350, 1100)]) == 4


@usually("component", ["K-1", "K-2", "K-3"])
@pytest.mark.full
def test_mat_has_five_places_for_cards(component: str) -> None:
    """A mat has places of 2.625 × 3.625 inches in three columns and two rows, a sixteenth and an eighth apart."""
    for row in rows(component):
        places = {box for box in boxes(drawn(component, row).face) if box[2:] == (66675, 92075)}
        lefts, tops = sorted({box[0] for box in places}), sorted({box[1] for box in places})
        assert len(places) == 5
        assert [b - a for a, b in pairwise(lefts)] == pytest.approx([68262, 68262], abs=1)
        assert [b - a for a, b in pairwise(tops)] == [92075 + 3175]
        assert lefts[0] == 6350 and lefts[-1] + 66675 == pytest.approx(PAGE.width - 6350, abs=1)


@usually("component", ["K-1", "K-2", "K-3"], "K-3")
def test_mat_leaves_the_margin_of_a4(component: str) -> None:
    """On A4, 210 mm wide, a mat is 195 mm wide, and its places still hold a card of 2.5 inches."""
    for row in rows(component):
        face = drawn(component, {**row, "paper_width": 210}).face
        found = boxes(face, marks=False)
        assert min(box[0] for box in found) >= (PAGE.width - 195000) // 2 - 1
        assert max(box[0] + box[2] for box in found) <= (PAGE.width + 195000) // 2 + 1
        assert len({box[:2] for box in boxes(face) if abs(box[2] - 65000) < 2 and box[3] == 92075}) == 5


@pytest.mark.parametrize("component", ["K-1", "K-2", "K-3"])
@pytest.mark.full
def test_mat_has_its_bar_and_twelve_boxes(component: str) -> None:
    """The title bar is 8 × 0.5 inches, and twelve boxes of three quarters of an inch are numbered 1 to 12."""
    for row in rows(component):
        face = drawn(component, row).face
        found = boxes(face)
        assert any(box[2:] == (203200, 12700) for box in found)
        assert len([box for box in found if box[2:] == (19050, 19050)]) == 12
        assert {str(n) for n in range(1, 13)} <= set(words(face))


def test_mats_for_each_game_and_side() -> None:
    """Each of the seven games has a mat of its layout for both sides; so has a game of one's own."""
    for component, layout in (("K-1", "pile_in_c"), ("K-2", "card_in_c"), ("K-3", "virtual_c")):
        listed = [(row["module"], row["side"]) for row in rows(component)]
        assert len(set(listed)) == len(listed)
        for key, module in spec().data["modules"].items():
            own = {side for name, side in listed if name == key}
            assert own == ({side["id"] for side in module["sides"]} if module["layout"] == layout else set())


def test_mat_tells_its_layout() -> None:
    """C is the Draw Pile, one card face down, or empty until drawn (S-25 to S-30, S-60)."""
    said = {component: text(drawn(component, rows(component)[0]).face) for component in ("K-1", "K-2", "K-3")}
    assert "your Draw Pile" in said["K-1"] and "common draw pile" not in said["K-1"]
    assert "common draw pile off the mats" in said["K-2"]
    assert "pile top comes here, face up, when drawn" in said["K-3"]
    assert said["K-1"].count("one card, face up") == 2 and said["K-1"].count("one card, face down") == 2
    assert said["K-2"].count("one card, face up") == 2 and said["K-2"].count("one card, face down") == 3
    assert said["K-3"].count("second card, if hands differ") == 4


def test_mat_shows_the_hand_of_its_game() -> None:
    """The row of chits is drawn for the largest hand of the module."""
    hands = {"paths-of-glory": 7, "empire-of-the-sun": 7, "wilderness-war": 9, "for-the-people": 12}
    for key, hand in hands.items():
        component = "K-2" if key == "wilderness-war" else "K-1"
        assert component_data("mat", spec(), dict(row_of(component, module=key)))["hand"] == hand


COUNTERS = {"K-4": 15875, "K-5": 12700}


@usually("component", COUNTERS)
def test_counters_are_48_faces(component: str) -> None:
    """48 faces in 6 columns and 8 rows: for both sides 1 to 6 and 7 to 12, to be played and played (S-19, S-20).

    They stand twice, the second set to spare.
    """
    for row in rows(component):
        data = component_data("counters", spec(), {**spec().components[named(component)].data, **row})
        low, high = list(range(1, 7)), list(range(7, 13))
        assert [line["numbers"] for line in data["rows"]] == [low, low, high, high] * 2
        assert [line["played"] for line in data["rows"]] == [False, True] * 4
        assert [line["side"]["round"] for line in data["rows"]] == [False] * 4 + [True] * 4
        assert sorted(w for w in words(drawn(component, row).face) if w.isdigit()) == sorted(
            str(n) for n in [*low, *high] for _ in range(8)
        )


@pytest.mark.parametrize(("component", "across", "down"), [("K-4", 95250, 127000), ("K-5", 76200, 101600)])
def test_counter_grid_has_its_size(component: str, across: int, down: int) -> None:
    """The cutting marks stand round exactly two sets of 6 × 8, or 6 × 4, faces, and 3 mm between two groups."""
    for name, rows_down in ((component, 8), (f"{component}d", 4)):
        face = drawn(name, rows(name)[0]).face
        marks = next(box for box in boxes(face) if box[2] == 2 * across + 9200)
        gutters = 3 if rows_down == 8 else 1
        assert marks[3] == down * rows_down // 8 + gutters * 3000 + 9200
        assert marks[0] + marks[2] // 2 == pytest.approx(PAGE.width // 2, abs=2)


def numbers_at(face: Face) -> dict[tuple[int, int], str]:
    """The figures of counters by the column and row of the cell they stand in, the grid known by the page's middle."""
    runs = [shape for shape in walk(face.shapes) if isinstance(shape, Run) and shape.text.strip().isdigit()]
    tops = sorted({run.y for run in runs})
    size = min(b - a for a, b in pairwise(tops) if b - a > 5000)
    left = PAGE.width // 2 - 6 * size
    return {
        ((run.x + run.width // 2 - left) // size, round((run.y - tops[0]) / size)): run.text.strip() for run in runs
    }


@usually("component", ["K-4d", "K-5d"])
@pytest.mark.full
def test_counter_backs_lie_on_their_fronts(component: str) -> None:
    """Turned on the long edge, the back of every counter has the number and the side of its front (K-4d, K-5d)."""
    for row in rows(component):
        front, back = (numbers_at(drawn(component, row, back=turned).face) for turned in (False, True))
        assert len(front) == len(back) == 48
        assert {(11 - column, line): number for (column, line), number in back.items()} == front
        marks = [
            [w for w in words(drawn(component, row, turned).face) if w.isalpha() and w.isupper()]
            for turned in (False, True)
        ]
        assert marks[0] == marks[1]


def test_stickers_are_three_sets() -> None:
    """18 stickers in a grid of 6 × 3, each result three times (S-16)."""
    face = drawn("K-6", {}).face
    said = words(face)
    assert said.count("EV") == said.count("low") == 3
    assert said.count("A") == said.count("B") == said.count("D") == said.count("E") == 6
    assert said.count("C") == 9
    assert face.size == Size(6 * 12700, 3 * 12700)


def test_die_card_follows_the_table() -> None:
    """The conversion card has the results in the order of the die table; three of them have C (S-17, S-37, SR-9)."""
    results = component_data("die-card", spec(), {})["results"]
    table = spec().data["modules"][spec().data["template"]]["die_table"]
    assert {result.face: result.result for result in results} == table
    assert [result.face for result in results if result.has_c] == ["1", "4", "5"]


def test_other_die_table_prints_another_card() -> None:
    """A patched die table changes the conversion card: no number stands in the template."""
    modules = spec().data["modules"]
    turned = {
        **modules["generic-separate"],
        "die_table": {"6": "C_JR", "5": "AB", "4": "DE", "3": "ABC", "2": "CDE", "1": "UP"},
    }
    other = replaced(spec(), data={**spec().data, "modules": {**modules, "generic-separate": turned}})
    assert component_data("die-card", other, {})["results"][0].result == "UP"


def test_chart_has_five_rows() -> None:
    """The random selection chart tells for one to five cards what the die picks (S-104 to S-108)."""
    said = text(drawn("K-9", {}).face)
    for part in ("no roll", "1–3 4–6", "1–2 3–4 5–6", "roll again on 5 and 6", "1 2 3 4 5 roll again on 6"):
        assert part in said


def test_quick_reference_has_all_mechanics() -> None:
    """The quick-reference card has the round and six results; on its back #1 to #8 and a larger hand's extra cards."""
    row = row_of("K-10", module="generic-separate")
    front, back = text(drawn("K-10", row).face), words(drawn("K-10", row, back=True).face)
    assert len(component_data("quick-front", spec(), row)["results"]) == 6
    assert "Chit left?" in front and "no flip" in front and "6: one card up or none" in front
    lines = signed_words(spec(), "generic-separate")["quick"]["mechanics"]
    assert all(any(line[2] in word for word in back) for line in lines), "each of them is one line"
    assert [word for word in back if word.startswith("#")] == ["#1", "#2", "#3", "#3a", "#4", "#5", "#6", "#7", "#8"]
    assert component_data("quick-back", spec(), row)["extras"] == [
        [1, "A"],
        [2, "A, D"],
        [3, "A, B, D"],
        [4, "A, B, D, E"],
    ]


@pytest.mark.full
def test_quick_reference_is_of_its_game() -> None:
    """The card tells the round of its module: what fills a place, whether chits are counted, how a phase ends."""
    fronts = {row["module"]: text(drawn("K-10", row).face) for row in rows("K-10")}
    backs = {row["module"]: text(drawn("K-10", row, back=True).face) for row in rows("K-10")}
    assert set(fronts) == set(spec().data["modules"])
    for key, module in spec().data["modules"].items():
        one_card = module["layout"] == "card_in_c"
        assert ("new card, down" in fronts[key]) == one_card == ("Fill from the common pile" in fronts[key])
        assert ("Chit left?" in fronts[key]) == (module["chit_mode"] != "none")
        assert ("Discards of #2" in backs[key]) == (module["end_discard"] != "none")
    assert "or take a 1-Ops activation" in fronts["paths-of-glory"]
    assert "End of a season" in backs["wilderness-war"] and "up Combat card for each" in backs["paths-of-glory"]
    assert "a card is drawn after every play" in backs["commands-and-colors"]


def test_markers_are_ten() -> None:
    """Two markers for a used Home card, two for a held one, two for a reshuffle, four for conditions (K-11)."""
    said = [text(drawn("K-11", row).face) for row in rows("K-11")]
    assert {word: said.count(word) for word in said} == {
        "Home used": 2, "Held: no Pass": 2, "Reshuffle at end": 2, "Conditions met": 4,
    }  # fmt: skip


def test_record_has_room_for_both_sides() -> None:
    """The session record has, for every phase, a hand and twelve boxes a side, and lines for what was forced (K-12)."""
    said = words(drawn("K-12", {}).face)
    phases = spec().data["print"]["record_phases"]
    assert said.count("hand") == 2 * phases
    assert said.count("12") == 2 * phases
    assert said.count("Forced events and plays") == phases
