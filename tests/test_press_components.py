"""Components: which are printed, and the page before them that lists them."""

from __future__ import annotations

import pypdfium2
import pytest

from carddb.errors import UsageError
from carddb.game import GameSpec
from carddb.game_parts import ComponentSpec
from carddb.games import Game
from carddb.layout.stock import PAPERS
from carddb.part import replaced
from carddb.part_schema import checked
from carddb.press.chosen import Choice, chosen, left_to_name, modules_of
from carddb.press.components import print_components
from carddb.press.contents import Line, contents_pages, in_words
from carddb.press.sheets import SheetOptions
from carddb.press.workshop import Workshop
from carddb.units import Size, mm

PARTS = {
    "mat": ComponentSpec(id="T-1", rows=({"module": "north"}, {"module": "south"})),
    "card": ComponentSpec(id="T-2", data={"n": 5}),
    "other": ComponentSpec(id="T-2", rows=({"n": 4}, {"n": 6}), when_named=True),
    "die": ComponentSpec(id="T-3", when_named=True),
}


@pytest.fixture
def spec(game: Game) -> GameSpec:
    return replaced(game.spec, components=PARTS)


def picked(spec: GameSpec, choice: Choice) -> list[tuple[str, int]]:
    return [(part.key, len(part.faces)) for part in chosen(spec, choice)]


def test_what_is_printed_when_named_is_not_printed_with_the_rest(spec: GameSpec) -> None:
    """Without names all others are printed; by key or id what was left out."""
    assert picked(spec, Choice()) == [("mat", 2), ("card", 1)]
    assert picked(spec, Choice(["die"])) == picked(spec, Choice(["t-3"])) == [("die", 1)]
    assert picked(spec, Choice(["T-2"])) == [("card", 1), ("other", 2)]


def test_a_module_has_its_rows_and_what_all_modules_have(spec: GameSpec) -> None:
    """Rows of other modules are left out, those of none stay."""
    assert picked(spec, Choice(module="north")) == [("mat", 1), ("card", 1)]


def test_a_value_takes_the_place_of_the_default(spec: GameSpec) -> None:
    """Rows with the value are printed instead of those with another one; what lacks the key is printed as ever."""
    assert picked(spec, Choice(values={"n": "6"})) == [("mat", 2), ("other", 1)]
    assert picked(spec, Choice(values={"n": "5"})) == [("mat", 2), ("card", 1)]


@pytest.mark.parametrize(
    ("choice", "remedy"),
    [
        (Choice(["cart"]), "card"),
        (Choice(module="norht"), "north"),
        (Choice(values={"m": "6"}), "module"),
        (Choice(values={"n": "7"}), "5, 4, 6"),
    ],
)
def test_what_is_unknown_is_answered_with_the_nearest(spec: GameSpec, choice: Choice, remedy: str) -> None:
    """An unknown name, module, key or value is refused with what is known."""
    with pytest.raises(UsageError) as told:
        chosen(spec, choice)
    assert remedy in told.value.remedy


def test_a_name_without_rows_of_the_module_is_refused(spec: GameSpec) -> None:
    """What is not printed for the module that is named is said so, not left out in silence."""
    other = replaced(spec, components={**PARTS, "map": ComponentSpec(id="T-4", rows=({"module": "south"},))})
    with pytest.raises(UsageError, match=r"'T-4' is not one for module = north"):
        chosen(other, Choice(["card", "T-4"], module="north"))


def test_what_may_be_named_is_of_the_module(spec: GameSpec) -> None:
    """The list of what is printed when named leaves out what other modules have, and what was named."""
    counters = ComponentSpec(id="T-5", rows=({"module": "south"},), when_named=True)
    other = replaced(spec, components={**PARTS, "counters": counters})
    assert list(left_to_name(other, Choice(module="north"))) == ["other", "die"]
    assert list(left_to_name(other, Choice(["die"], module="south"))) == ["other", "counters"]


def test_modules_are_named_for_one_game_alone(spec: GameSpec) -> None:
    """The list before all components names the modules that can be printed alone."""
    assert modules_of(spec) == {"north": "north", "south": "south"}


def test_what_to_bring_is_words_or_a_number_of_something(game: Game) -> None:
    """An entry of `bring` is a text, or a thing with its number."""
    data = {"key": "x", "prefix": "x", "name": "X", "bring": ["a pen", {"what": "dice", "count": 2, "per": "player"}]}
    found = checked(GameSpec, data).brought
    assert [(item.what, item.count, item.per) for item in found] == [("a pen", 0, "table"), ("dice", 2, "player")]


def first_page(data: bytes) -> str:
    return pypdfium2.PdfDocument(data)[0].get_textpage().get_text_bounded()


@pytest.mark.parametrize("paper", ["letter", "a4"])
def test_the_first_page_lists_every_component_with_its_sheets(workshop: Workshop, paper: str) -> None:
    """The contents name each component, how many pieces, their sheets, and what else to bring."""
    printed = print_components(workshop, [], SheetOptions(paper=paper), players=2)
    text = first_page(printed.data)
    spec = workshop.game.spec
    for part in chosen(spec, Choice()):
        assert not part.component.template or part.component.label in text
    for item in spec.brought:
        assert item.what[1:] in text
    assert f"{printed.cards} pieces on {printed.sheets} sheets" in text
    assert printed.findings == ()


def test_contents_can_be_left_out(workshop: Workshop) -> None:
    """There is no such page where it is not wanted, where something is named, and on index cards."""
    whole = print_components(workshop, [], SheetOptions()).pages
    assert print_components(workshop, [], SheetOptions(), contents=False).pages < whole
    assert "To bring" not in first_page(print_components(workshop, ["title"], SheetOptions()).data)
    line = Line("title", workshop.game.spec.components["title"], Size(mm(10), mm(10)), 1, (1,))
    assert contents_pages(workshop, [line], 1, "1 player", Size(mm(127), mm(76))) == []


def test_contents_take_as_many_pages_as_they_need(workshop: Workshop) -> None:
    """A long list goes on, no heading stands alone, and the sheets count its own pages."""
    part = workshop.game.spec.components["title"]
    lines = [Line(f"part {n}", part, Size(mm(10), mm(10)), 1, (n,)) for n in range(1, 101)]
    pages = contents_pages(workshop, lines, 100, "1 player", PAPERS["a4"])
    assert len(pages) == 3
    told = [item for page in pages for item in page["items"] if item["kind"] == "part"]
    assert [item["sheets"] for item in told] == [str(n + 3) for n in range(1, 101)]
    assert all(page["items"][-1]["kind"] != "heading" for page in pages)
    assert pages[0]["sheets"] == 103


def test_lines_draw_together_where_that_saves_a_page(workshop: Workshop) -> None:
    """A list a little too long for one page has lower lines, and never more pages than it needs."""
    part = workshop.game.spec.components["title"]
    for count, pages, lower in ((25, 1, False), (31, 1, True), (50, 2, False)):
        lines = [Line(f"part {n}", part, Size(mm(10), mm(10)), 1, (n,)) for n in range(count)]
        told = contents_pages(workshop, lines, count, "1 player", PAPERS["a4"])
        heights = {item["height"] for page in told for item in page["items"] if item["kind"] == "part"}
        assert (len(told), max(heights) < 6.4) == (pages, lower)


def test_numbers_in_a_row_are_drawn_together() -> None:
    """Sheets 2, 3, 4 and 7 are 2–4, 7."""
    assert in_words({7, 3, 2, 4}) == "2–4, 7"
