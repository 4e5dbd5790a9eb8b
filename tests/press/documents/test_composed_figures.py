"""Composed pictures of rule sheets: what lies where, what is refused, and whose figures they show."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carddb.core.units import Box, Size, mm, points
from carddb.findings import Finding
from carddb.games import Game
from carddb.games.opening.folder import folders
from carddb.games.referee import open_game
from carddb.layout.display_list import Group, Run, Shape
from carddb.layout.documents.blocks import Figure, Picture, pictures
from carddb.layout.documents.markdown import parse
from carddb.layout.drawing.path import Extent, letter_box
from carddb.layout.sheets.imposition import Placed
from carddb.paint.documents.html import figure_png
from carddb.paint.documents.pieces import Figures
from carddb.press.documents.figure_layout import stacked
from carddb.press.documents.figure_plan import read_plan
from carddb.press.documents.figures import draw_figures, readable
from carddb.press.documents.guide import read_guide
from carddb.press.faces.bank import FaceBank
from carddb.press.faces.workshop import open_workshop
from tests.rows import every


@pytest.fixture(scope="module")
def guarda() -> Game:
    return open_game(folders()["guarda"])


def drawn(game: Game, plan: str, room: Size | None = None) -> tuple[Figures, list[Finding]]:
    picture = Picture("figure:plan", "What is seen.", line=7, plan=plan)
    return draw_figures([("guide.md", picture)], lambda: {game.key: game}, room)


def test_what_a_plan_shows_lies_where_it_says(guarda: Game) -> None:
    """A face has its place, its width and its turn, in millimetres of the figure."""
    figures, findings = drawn(guarda, 'items: [{show: "face:5-V3", at: [10, 20], width: 31.5, turn: 180}]')
    card, over = figures.pages["figure:plan"].page.placed
    assert (findings, card.box, card.angle) == ([], Box(mm(10), mm(20), mm(31.5), mm(44)), 180)
    assert over.box == Box(0, 0, mm(170), mm(64.6))


def test_a_card_with_call_outs_stands_between_its_words(guarda: Game) -> None:
    """A call-out stands on the side that is nearer to what it points at, and its words are drawn."""
    plan = """
        items: [{show: "face:5-V3", width: 44}]
        call_outs:
          - {at: [5, 10], label: Left of it, text: Some words.}
          - {at: [60, 10], label: Right of it}
    """
    figures, findings = drawn(guarda, plan)
    page = figures.pages["figure:plan"]
    assert findings == [] and page.page.placed[0].box == Box(mm(63), 0, mm(44), mm(44) * 88 // 63)
    assert figure_png(figures, "figure:plan", 30) and page.page.placed[1].box.width == mm(170)


def test_a_scheme_draws_what_would_be_too_small_as_a_picture(guarda: Game) -> None:
    """Every game has the drawing `scheme`: a card in outline with its name, or a scene of several things."""
    kinds = (
        "{face: 1, sign: 5}, {back: 1, turn: 90}, {pile: 1}, {place: here}, {die: 6}, {men: 2}, {text: a}, {disc: 2}"
    )
    parts = kinds.replace("}", ", at: [1, 2]}") + ", {arrow: [9, 9], at: [1, 1]}"
    plan = f"""
        items:
          - {{show: "drawing:guarda/scheme", at: [0, 0], values: {{size: [21, 30], name: A card of two, kind: Card}}}}
          - {{show: "drawing:guarda/scheme", at: [30, 0], values: {{size: [34, 23], parts: [{parts}]}}}}
    """
    figures, findings = drawn(guarda, plan)
    card, scene, _ = figures.pages["figure:plan"].page.placed
    assert (
        findings == []
        and (card.box.width, scene.box.width) == (mm(21), mm(34))
        and figure_png(figures, "figure:plan", 30)
    )


def test_no_two_texts_of_a_figure_intersect(guarda: Game) -> None:
    """Below a text or face of the figure no line of a face is left, nor one that would be too small to read."""
    bank = FaceBank(open_workshop(guarda))
    face = bank[next(number for card in guarda.own_cards if (number := bank.front(card)) is not None)]
    box = Box(0, 0, *face.size)
    lines = texts(face.shapes)
    lowest = letter_box(max(lines, key=lambda run: run.y))
    assert texts(readable(face, Placed(0, box, box, 0), 1.0, []).shapes) == lines
    left = texts(readable(face, Placed(0, box, box, 0), 1.0, [lowest]).shapes)
    assert left and not any(letter_box(run).overlaps(lowest) for run in left)
    turned = readable(face, Placed(0, box, box, 180), 1.0, [Extent(0, 0, box.width, box.height // 2)])
    assert {run.text for run in texts(turned.shapes)} == {run.text for run in lines if run.y < box.height // 2}
    small = readable(face, Placed(0, box, box, 0), 0.3, [])
    assert all(run.size * 0.3 >= points(6.4) for run in texts(small.shapes))


def texts(shapes: Iterable[Shape]) -> list[Run]:
    """Returns the lines of type among shapes."""
    found = (texts(each.shapes) if isinstance(each, Group) else [each] for each in shapes)
    return [run for part in found for run in part if isinstance(run, Run)]


def test_a_strip_has_its_steps_side_by_side(guarda: Game) -> None:
    """Pictures of a strip stand in a row, none higher than asked, in their order."""
    plan = """
        strip_height: 30
        strip: [{show: "face:5-V1", label: One}, {label: Two}, {show: "face:5-V2", label: Three, turn: 90}]
    """
    figures, findings = drawn(guarda, plan)
    first, third, _ = figures.pages["figure:plan"].page.placed
    assert findings == [] and first.box.right < third.box.x and third.angle == 90
    assert max(first.box.height, third.box.height) <= mm(30)


@pytest.mark.parametrize(
    ("plan", "line", "words"),
    [
        ("items: []\nbadges: [{at: [1, 2], text: a, colour: red}]", 9, "colour"),
        ("width: 5000", 8, "5000 mm wide"),
        ('items: [{show: "face:5-V1", at: [1.0e9, 0]}]', 8, "far outside"),
        ("call_outs: [{at: [1, 2], label: A}]", 8, "nothing to point at"),
        ("strip: [{label: A}]\nsteps: [{label: B}]", 8, "a strip cannot be combined with other parts"),
        ("items: [", 9, "not YAML"),
        ("arrows: [{points: []}]", 8, "fewer than two points"),
        ("words: [{at: [1, 2], text: a, size: 0}]", 8, "set at 0 pt in a width of 40 mm"),
        ("words: [{at: [.nan, 2], text: a}]", 8, "item 1 of at must be a number"),
        ('items: [{show: ""}]', 8, "shows nothing"),
        ('items: [{show: "face:5-V1", width: -3}]', 8, "-3 mm wide"),
        (f"strip: [{', '.join(['{label: A}'] * 9)}]", 8, "9 steps"),
        ("height: 500", 8, "500 mm high"),
        (f"badges: [{', '.join(['{at: [1, 2], text: a}'] * 65)}]", 8, "65 badges"),
        ('items: [{show: "face:nobody"}]', 7, "no game comes with a card"),
        ('items: [{show: "sheet:guarda/x"}]', 7, "cannot be drawn"),
        ('items: [{show: "drawing:guarda/none"}]', 7, "no such template"),
    ],
)
def test_a_faulty_plan_is_told_at_its_line(guarda: Game, plan: str, line: int, words: str) -> None:
    """An unknown key, a figure too large, something that is not there: a finding each, and nothing is drawn."""
    figures, findings = drawn(guarda, plan)
    assert figures.pages == {}
    assert findings and findings[0].where[0].line == line
    assert words in findings[0].message


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("faces:5-V1", "'faces:5-V1' cannot be drawn"),
        ("face:5-V1?ink=lite", "there is no ink 'lite'"),
        ("back:5-V1?paper=a4", "the picture of a back has no key 'paper'"),
        ("component:guarda/nothing", "nothing"),
        ("charges:nothing", "no family of charges"),
        ("sample:nothing", "no sample"),
        ("sheet:guarda/nothing", "comes with no deck"),
        ("component:chess/mat", "no game 'chess'"),
    ],
)
def test_a_figure_that_is_not_there_is_told_at_its_line(guarda: Game, source: str, words: str) -> None:
    """Whatever kind of picture it names, a finding says what there is not."""
    figures, (finding,) = draw_figures([("guide.md", Picture(source, "", line=7))], lambda: {"guarda": guarda})
    assert figures.pages == {} and finding.where[0].line == 7 and words in finding.message


def test_a_card_is_named_with_its_game(guarda: Game) -> None:
    """`guarda/5-V1` is that card of that game, by itself and in a composed picture."""
    figures, findings = draw_figures([("guide.md", Picture("face:guarda/5-V1", ""))], lambda: {"guarda": guarda})
    assert findings == [] and figures.pages
    assert drawn(guarda, 'items: [{show: "face:guarda/5-V1"}]')[1] == []


def test_a_figure_says_what_is_seen() -> None:
    """The words beside its name are its alternative text; without them it is left out with a finding."""
    blocks, findings = parse("```figure A card.\nwidth: 40\n```\n\n```figure\nwidth: 40\n```", "guide.md")
    assert [picture.text for picture in pictures(blocks)] == ["A card."]
    assert isinstance(blocks[0], Figure) and [finding.where[0].line for finding in findings] == [5]


@given(st.lists(st.tuples(st.integers(0, 90_000), st.integers(3_000, 20_000)), max_size=12))
def test_stacked_words_never_overlap(parts: list[tuple[int, int]]) -> None:
    """Whatever they point at, call-outs stand below one another, in order, none above the figure."""
    tops = sorted(top for top, _ in parts)
    heights = [height for _, height in parts]
    places = stacked(tops, heights, 88_000)
    ends = [top + height for top, height in zip(places, heights, strict=True)]
    assert all(end < top for end, top in zip(ends, places[1:], strict=False))
    assert not places or places[0] >= 0


def test_the_figures_of_an_example_are_those_of_the_referee(guarda: Game) -> None:
    """The attack that is drawn in the rule sheet of Guarda ends as its referee says."""
    opponent = {
        "id": "n",
        "seat": "N",
        "cell": [2, 3],
        "health": 8,
        "hand": ["V3"],
        "reaction": {"type": "hand", "cards": ["V3"]},
    }
    question = {"attacker": {"seat": "S", "cell": [4, 2], "health": 10}, "cards": ["V3", "H2"], "opponents": [opponent]}
    result = guarda.operations["attack"].ask(guarda.spec, question)["targets"]["n"]
    plans = [picture.plan for picture in pictures(read_guide(guarda).document.blocks)]
    text = f"{result['hits']} − {result['negated']} = {result['damage']} damage"
    assert any(text in plan and f"from 8 to {result['health']}" in plan for plan in plans)


@every("key", sorted(folders()))
def test_every_rule_sheet_is_drawn_without_a_finding(key: str) -> None:
    """What is read about a game that comes with carddb shows pictures, on its sheet or its summary, none faulty."""
    sheets = [read_guide(open_game(folders()[key]), voice=voice) for voice in ("whole", "summary")]
    assert [sheet.findings for sheet in sheets] == [(), ()]
    assert any(sheet.figures and sheet.figures.pages for sheet in sheets)


HALF_LETTER = Size(mm(111.7), mm(170.9))


def test_a_strip_goes_on_in_a_second_row_on_a_narrow_page(guarda: Game) -> None:
    """On a page of a booklet a strip is as wide as the page, its cards larger than one row would have them."""
    plan = "strip: [" + ", ".join(f'{{show: "face:5-V{at}", label: Step {at}}}' for at in range(1, 6)) + "]"
    whole, narrow = (drawn(guarda, plan, room)[0].pages["figure:plan"].page for room in (None, HALF_LETTER))
    assert narrow.size.width == HALF_LETTER.width
    assert len({placed.box.y for placed in narrow.placed[:5]}) == 2
    assert narrow.placed[0].box.width > whole.placed[0].box.width


def test_call_outs_are_numbers_with_a_list_on_a_narrow_page(guarda: Game) -> None:
    """On a page of a booklet a card keeps its width, and all words about it are there in their own size."""
    calls = ", ".join(f"{{at: [{at * 6}, 20], label: Part {at}, text: Some words.}}" for at in range(1, 10))
    plan = f'items: [{{show: "face:5-V3", width: 60}}]\ncall_outs: [{calls}]'
    figures, findings = drawn(guarda, plan, HALF_LETTER)
    page = figures.pages["figure:plan"].page
    assert findings == [] and page.size.width == HALF_LETTER.width
    assert page.placed[0].box.width == mm(60) and page.size.height > page.placed[0].box.height


def test_a_figure_has_a_narrow_form_for_phones_if_its_parts_can_be_moved(guarda: Game) -> None:
    """Steps go on in further rows of a narrow picture; cards in fixed places are only the wide one."""
    steps, table = 'strip: [{show: "face:5-V1", label: One}]', 'items: [{show: "face:5-V3", at: [90, 0]}]'
    given = [("guide.md", Picture(plan, "", line=7, plan=plan)) for plan in (steps, table)]
    figures, findings = draw_figures(given, lambda: {"guarda": guarda}, for_phones=True)
    assert findings == [] and [*figures.narrow] == [steps]
    assert figures.narrow[steps].page.size.width < figures.pages[steps].page.size.width


def test_a_figure_that_fits_a_narrow_page_is_as_on_any_other(guarda: Game) -> None:
    """One no wider than the page is not arranged anew."""
    plan = 'width: 100\nitems: [{show: "face:5-V3", width: 30}]\nsteps: [{label: One}]'
    whole, narrow = (drawn(guarda, plan, room)[0].pages["figure:plan"].page for room in (None, HALF_LETTER))
    assert whole.placed == narrow.placed and whole.size == narrow.size


@pytest.mark.parametrize("words", ["steps: [{label: One}, {label: Two}]", "call_outs: [{at: [5, 20], label: A}]"])
def test_words_stand_beside_a_small_card_on_a_narrow_page(guarda: Game, words: str) -> None:
    """Where there is room beside what is shown, nothing stands below it."""
    page = (
        drawn(guarda, f'items: [{{show: "face:5-V3", width: 30}}]\n{words}', HALF_LETTER)[0].pages["figure:plan"].page
    )
    assert page.size.width == HALF_LETTER.width
    assert page.size.height < page.placed[0].box.bottom + mm(2) and page.placed[0].box.x < mm(10)


def test_what_has_places_is_made_smaller_for_a_narrow_page(guarda: Game) -> None:
    """Two cards wider than the page together are as wide as the page, and the steps stand below."""
    plan = """
        items: [{show: "face:5-V3", at: [0, 0], width: 70}, {show: "face:5-V2", at: [80, 0], width: 70}]
        words: [{at: [0, 100], text: Some words., width: 60}]
        steps: [{label: One}, {label: Two}]
    """
    page = drawn(guarda, plan, HALF_LETTER)[0].pages["figure:plan"].page
    first, second, _ = page.placed
    assert first.box.width < mm(70) and first.box.width == second.box.width
    assert second.box.right <= HALF_LETTER.width + 1000 and page.size.height > first.box.bottom + mm(5)


def test_steps_stand_below_what_is_shown_on_a_narrow_page(guarda: Game) -> None:
    """On a page of a booklet two cards keep their width, and the steps beside them stand below."""
    plan = """
        items: [{show: "face:5-V3", at: [0, 0], width: 46}, {show: "face:5-V2", at: [56, 0], width: 46}]
        steps_at: 110
        steps: [{label: One, text: Some words.}, {label: Two}, {label: Three}]
    """
    page = drawn(guarda, plan, HALF_LETTER)[0].pages["figure:plan"].page
    assert [placed.box.width for placed in page.placed[:2]] == [mm(46), mm(46)]
    assert page.size.height > page.placed[0].box.bottom + mm(10)


def test_a_figure_is_broken_where_its_plan_says_on_a_narrow_page(guarda: Game) -> None:
    """On a page of a booklet what lies right of the break stands below the rest, as large as before, in the middle."""
    plan = """
        items: [{show: "face:5-V3", at: [4, 0], width: 40}, {show: "face:5-V2", at: [100, 0], width: 40}]
        break_at: 90
    """
    first, second, _ = drawn(guarda, plan, HALF_LETTER)[0].pages["figure:plan"].page.placed
    left, right = first.box.x - mm(4), HALF_LETTER.width - second.box.right
    assert second.box.x - first.box.x == mm(6) and abs(left - right) <= 2
    assert second.box.y > first.box.bottom and second.box.width == mm(40)


def test_a_figure_that_may_be_narrower_is_broken_only_below_the_width_that_its_plan_says(guarda: Game) -> None:
    """On a narrow page a figure with a lesser `break_below` is reduced instead, and one with a greater is broken."""
    items = 'items: [{show: "face:5-V3", at: [0, 0], width: 40}, {show: "face:5-V2", at: [120, 0], width: 40}]'
    for below, is_broken in ((90, False), (140, True)):
        plan = f"{items}\nbreak_at: 85\nbreak_below: {below}"
        first, second, _ = drawn(guarda, plan, Size(mm(100), mm(120)))[0].pages["figure:plan"].page.placed
        assert (second.box.y > first.box.bottom) is is_broken


def test_a_mat_is_as_wide_as_a_narrow_page(guarda: Game) -> None:
    """On a page of a booklet a wide figure is reduced to the width of the page, upright like the text around it."""
    plan = 'items: [{show: "face:5-V3", at: [0, 0], width: 80}, {show: "face:5-V2", at: [90, 0], width: 80}]'
    page = drawn(guarda, plan, HALF_LETTER)[0].pages["figure:plan"].page
    first, second, _ = page.placed
    assert page.size.width == HALF_LETTER.width and (first.angle, second.angle) == (0, 0)
    assert first.box.y == second.box.y and first.box.right < second.box.x


def test_words_of_a_component_that_nobody_could_read_are_left_out(guarda: Game) -> None:
    """A player mat has its words at its own size, and none where it is so small that they would not have 6.5 points."""
    plan = 'items: [{{show: "component:guarda/player-mat", at: [0, 0], width: {}}}]'
    small, whole = (drawn(guarda, plan.format(width))[0].pages["figure:plan"] for width in (60, 265))
    letters = [sum(page.streams[page.page.placed[0].face].letters.values()) for page in (small, whole)]
    assert letters[0] == 0 < letters[1]


def test_a_plan_is_read_from_its_line_on() -> None:
    """A plan of a file begins behind the line of its block."""
    plan, findings = read_plan("width: 40", "guide.md", 12)
    assert plan and plan.width == 40 and findings == []
