"""Components: which are printed, and the page before them that lists them."""

from __future__ import annotations

import pypdfium2
import pytest
from pydantic import ValidationError

from carddb.cards.cards import Card, Deck, Entry
from carddb.core.errors import UsageError
from carddb.core.plain_text import as_ranges
from carddb.core.units import Box, Size, mm
from carddb.game.frozen import replaced
from carddb.game.game import GameSpec
from carddb.game.parts import ComponentSpec, VariantSpec
from carddb.games import Game, folders, load
from carddb.layout.display_list import Face, Group, Path, rectangle
from carddb.layout.ink import has_tinted_edge
from carddb.layout.sheets.crop_marks import EDGES, Marking, cut_order, segments
from carddb.layout.sheets.grid import BLEED, sheet_grid, turn_axis, whole_page
from carddb.layout.sheets.imposition import impose, renumber, tiles
from carddb.layout.sheets.shared_sheets import Batch, share_sheets
from carddb.layout.stock import PAPERS, STOCKS, card_size
from carddb.press.components.components import BLANK, ComponentLine, contents_pages, deck_facts, print_components
from carddb.press.components.selection import (
    EVERY_MODULE,
    ComponentChoice,
    default_module,
    module_advice,
    modules_of,
    only_when_named,
    select_components,
    variants,
)
from carddb.press.components.sheets import PrintedPiece, PrintRun, material_of, print_runs, spares
from carddb.press.faces.bank import FaceBank
from carddb.press.faces.workshop import Workshop, open_workshop
from carddb.press.sheets.options import SheetOptions
from carddb.read.documents.strict_models import checked
from tests.rows import every, usually

PARTS = {
    "mat": ComponentSpec(id="T-1", rows=({"module": "north"}, {"module": "south"})),
    "card": ComponentSpec(id="T-2", rows=({"n": 4}, {"n": 5}, {"n": 6})),
    "deck": ComponentSpec(id="T-2", each="type:soldier"),
    "die": ComponentSpec(id="T-3", when_named=True),
}
CARDS = [
    Card("test", f"{kind}-{n}", {"type": kind, "n": n}) for kind, n in (("soldier", 5), ("soldier", 6), ("kingdom", 5))
]


@pytest.fixture
def spec(game: Game) -> GameSpec:
    return replaced(game.spec, components=PARTS, variants={"n": VariantSpec(default=5, label="a {}×{} field")})


def picked(spec: GameSpec, choice: ComponentChoice) -> list[tuple[str, int]]:
    return [(part.key, len(part.faces) + len(part.cards)) for part in select_components(spec, choice, CARDS)]


def test_what_is_printed_when_named_is_not_printed_with_the_rest(spec: GameSpec) -> None:
    """Without names all others are printed; by key or id what was left out; an id may be that of several."""
    assert picked(spec, ComponentChoice()) == [("mat", 2), ("card", 1), ("deck", 1)]
    assert picked(spec, ComponentChoice(["die"])) == picked(spec, ComponentChoice(["t-3"])) == [("die", 1)]
    assert picked(spec, ComponentChoice(["T-2"])) == [("card", 1), ("deck", 1)]


def test_a_module_has_its_rows_and_what_all_modules_have(spec: GameSpec) -> None:
    """Rows of other modules are left out, those of none stay."""
    assert picked(spec, ComponentChoice(module="north")) == [("mat", 1), ("card", 1), ("deck", 1)]


def test_one_variant_is_printed(spec: GameSpec) -> None:
    """Of what a game prints in variants there is that of the default, or of the value set, named or not."""
    assert [part.faces for part in select_components(spec, ComponentChoice(["card"]), CARDS)] == [({"n": 5},)]
    assert [part.faces for part in select_components(spec, ComponentChoice(["card"], values={"n": "6"}), CARDS)] == [
        ({"n": 6},)
    ]
    assert variants(spec, CARDS) == [{"n": "4"}, {"n": "5"}, {"n": "6"}]
    assert ComponentChoice().in_words(spec) == ["a 5×5 field"]
    assert ComponentChoice(values={"n": "6"}, module="north").in_words(spec) == ["a 6×6 field", "module north"]


def test_a_component_may_be_cards_of_the_game(spec: GameSpec) -> None:
    """A query picks the cards that it consists of, and the variant those of its value."""
    assert [
        [card.ref for card in part.cards] for part in select_components(spec, ComponentChoice(["deck"]), CARDS)
    ] == [["soldier-5"]]
    assert select_components(spec, ComponentChoice(["deck"])) == []


@pytest.mark.parametrize(
    ("choice", "remedy"),
    [
        (ComponentChoice(["cart"]), "card"),
        (ComponentChoice(module="norht"), "north"),
        (ComponentChoice(values={"m": "6"}), "module"),
        (ComponentChoice(values={"n": "7"}), "4, 5, 6"),
    ],
)
def test_what_is_unknown_is_answered_with_the_nearest(spec: GameSpec, choice: ComponentChoice, remedy: str) -> None:
    """An unknown name, module, key or value is refused with what is known."""
    with pytest.raises(UsageError) as told:
        select_components(spec, choice, CARDS)
    assert remedy in told.value.remedy


def test_a_query_that_cannot_be_read_is_a_fault_of_the_game() -> None:
    """The query of a component is tested when its game is loaded."""
    data = {"key": "x", "prefix": "x", "name": "X", "components": {"deck": {"each": "weight:3"}}}
    with pytest.raises(ValidationError, match=r"component deck.*weight:3"):
        checked(GameSpec, data)


def test_a_name_without_rows_of_the_module_is_refused(spec: GameSpec) -> None:
    """What is not printed for the module that is named is said so, not left out in silence."""
    other = replaced(spec, components={**PARTS, "map": ComponentSpec(id="T-4", rows=({"module": "south"},))})
    with pytest.raises(UsageError, match=r"'T-4' is not made for module = north"):
        select_components(other, ComponentChoice(["card", "T-4"], module="north"))


def test_what_may_be_named_is_of_the_module(spec: GameSpec) -> None:
    """The list of what is printed when named leaves out what other modules have, and what was named."""
    counters = ComponentSpec(id="T-5", rows=({"module": "south"},), when_named=True)
    other = replaced(spec, components={**PARTS, "counters": counters})
    assert list(only_when_named(other, ComponentChoice(module="north"))) == ["die"]
    assert list(only_when_named(other, ComponentChoice(["die"], module="south"))) == ["counters"]


def test_modules_are_named_for_one_game_alone(spec: GameSpec) -> None:
    """The list before all components names the modules that can be printed alone."""
    assert modules_of(spec) == {"north": "north", "south": "south"}


def test_modules_to_choose_are_told(spec: GameSpec) -> None:
    """Of a game with several modules the first is printed where none is chosen, and the words say how to choose."""
    advice = module_advice(spec, ComponentChoice())
    assert "--deck" in advice and "--module all" in advice and "north, south" in advice
    assert default_module(spec, ComponentChoice()) == "north" and default_module(spec, ComponentChoice(["mat"])) == ""
    for choice in (ComponentChoice(["mat"]), ComponentChoice(module="north"), ComponentChoice(module=EVERY_MODULE)):
        assert not module_advice(spec, choice)
    assert not module_advice(replaced(spec, components={"die": PARTS["die"]}), ComponentChoice())


def test_what_to_bring_is_words_or_a_number_of_something(game: Game) -> None:
    """An entry of `bring` is a text, or a thing with its number."""
    data = {"key": "x", "prefix": "x", "name": "X", "bring": ["a pen", {"what": "dice", "count": 2, "per": "player"}]}
    found = checked(GameSpec, data).brought
    assert [(item.what, item.count, item.per) for item in found] == [("a pen", 0, "table"), ("dice", 2, "player")]


@pytest.fixture
def rishar() -> Game:
    loaded, findings = load(folders()["rishar"])
    assert loaded is not None, findings
    return loaded


def test_cards_of_the_game_may_be_a_component(rishar: Game) -> None:
    """A component without a template prints the game's own cards that match its query, with their backs."""
    printed = print_components(open_workshop(rishar), ["known-cards"], SheetOptions())
    assert (printed.cards, printed.sheets, printed.pages, printed.findings) == (4, 1, 2, ())
    assert "Spearmen" in first_page(printed.data)


def test_components_know_the_header_of_a_deck(rishar: Game) -> None:
    """A component is told a deck's name, its header and its commonest texts, whatever else its cards hold."""
    entries = [Entry("army", 2, card.name, card) for card in rishar.own_cards if card.get("traits")]
    header = {"name": "Host", "role": "healer", "path": "steel"}
    facts = deck_facts(Deck("rishar", tuple(entries), header), rishar.spec)
    assert (facts["name"], facts["role"], facts["path"], facts["set"]) == ("Host", "healer", "steel", "sample")
    assert "traits" not in facts and "strength" not in facts


def test_a_query_of_a_component_is_read_with_the_game() -> None:
    """A query that cannot be read is a misfit of the game, with its place."""
    data = {"key": "x", "prefix": "x", "name": "X", "components": {"all": {"each": "strenth>3"}}}
    with pytest.raises(ValidationError, match="component all: there is no field strenth"):
        checked(GameSpec, data)


def test_what_fits_the_paper_is_in_no_parts() -> None:
    """A face that may be cut over pages and need not be says nothing of parts to join."""
    size = Size(mm(200), mm(150))
    (whole,) = tiles([0], size, PAPERS["letter"], mm(6))
    parts = tiles([0], size, PAPERS["a5"], mm(6))
    assert whole.grid.label == "Letter"
    assert [f"part {n} of {len(parts)}" in part.grid.label for n, part in enumerate(parts, 1)] == [True] * len(parts)


def test_narrow_parts_of_two_mats_share_a_page() -> None:
    """The narrow last part of two players' mats is printed once for both, inside the margins and apart."""
    size, seams = Size(mm(406), mm(266)), ((162.5, 324.5), ())
    alone, shared = (tiles(faces, size, PAPERS["a4"], mm(6), seams) for faces in ([0], [0, 1]))
    assert [[each.face for each in page.placed] for page in alone] == [[0]] * 3
    assert [[each.face for each in page.placed] for page in shared] == [[0], [0], [1], [1], [0, 1]]
    left, right = shared[-1].slots
    assert left.x >= mm(6) and left.right + mm(6) <= right.x and right.right <= PAPERS["a4"].width - mm(6)


def first_page(data: bytes) -> str:
    return str(pypdfium2.PdfDocument(data)[0].get_textpage().get_text_bounded())


@usually("paper", ["letter", "a4"])
def test_the_first_page_lists_every_component_with_its_sheets(workshop: Workshop, paper: str) -> None:
    """The contents name each component, how many pieces, their sheets, and what else to bring."""
    printed = print_components(workshop, [], SheetOptions(paper=paper), players=2)
    text = first_page(printed.data)
    spec = workshop.game.spec
    for part in select_components(spec, ComponentChoice()):
        assert part.component.label in text
    for item in spec.brought:
        assert item.what[1:] in text
    assert f"{printed.cards} pieces on {printed.sheets} sheets" in text
    assert all(f"carddb {verb}" in text for verb in ("guide empires-and-generals", "sheets DECK", "decklist DECK"))
    assert printed.findings == ()


@pytest.mark.full
def test_pages_have_one_number(workshop: Workshop) -> None:
    """The contents, the terminal and the margin of each page number the pages of the file, fronts and blanks alike."""
    backed = replaced(workshop.game.spec.components["title"], back="same")
    others = {key: part for key, part in workshop.game.spec.components.items() if key != "counters"}
    parts = {**others, "title": backed}
    game = Game(workshop.game.folder, replaced(workshop.game.spec, components=parts))
    printed = print_components(open_workshop(game), [], SheetOptions())
    document = pypdfium2.PdfDocument(printed.data)
    texts = [str(page.get_textpage().get_text_bounded()) for page in document]
    last = printed.runs[-1].split(":")[0]
    assert last.startswith("pages ") and f"{last} · 3 × 5 in · PE-3" in texts[0]
    first, end = (int(number) for number in last.removeprefix("pages ").split("–"))
    assert texts[first - 2].strip() == BLANK and len(document) == end
    assert all(f"page {number} of {end}" in texts[number - 1] for number in (first, end))


@every(
    "size, material",
    [("15x15mm", "thick card"), ("63x88mm", "card"), ("5x8in", "card"), ("254x88mm", "paper"), ("8.5x11in", "paper")],
)
def test_a_component_is_printed_on_what_suits_its_size(workshop: Workshop, size: str, material: str) -> None:
    """Tokens are cut from thick card, cards from card, mats and sheets from paper, unless they say otherwise."""
    part = workshop.game.spec.components["title"]
    assert material_of(part, Size.parse(size)) == material
    assert material_of(replaced(part, on="labels"), Size.parse(size)) == "labels"


def test_the_first_page_says_what_to_print_on_what(workshop: Workshop) -> None:
    """Each run has its pages in the file, its sheets, its material and its sides; both sides begin on a first side."""
    grid = sheet_grid(card_size("poker"), STOCKS["plain"], PAPERS["a4"])
    one, both = (tuple(impose([(0, back)] * 10, grid)) for back in (None, 1))
    runs = [PrintRun("paper", "one side", one), PrintRun("card", "both sides", both)]
    (page,) = contents_pages(workshop, [], runs, "1 player", PAPERS["a4"], ComponentChoice(), ())
    shown = [item for item in page["items"] if item["kind"] == "run"]
    told = [(item["pages"], item["sheets"], item["on"], item["sides"], item["edge"]) for item in shown]
    assert told == [("2–3", 2, "paper", "one side", ""), ("5–8", 2, "card", "both sides", "long edge")]
    pages = renumber([*impose([(0, None)], whole_page(PAPERS["a4"])), *one, *both])
    assert [page.side for page in pages] == ["front", "front", "front", "back", *["front", "back"] * 2]


class Faces(FaceBank):
    """Four faces with nothing but a size, of which some may be tinted."""

    def __init__(self, tinted: tuple[int, ...] = ()) -> None:
        self.tinted = tinted

    def size_of(self, number: int) -> Size:
        return (Size(mm(16), mm(16)), Size(mm(17), mm(17)), Size(mm(63), mm(88)), Size(mm(63), mm(88)))[number]

    def has_tinted_edge(self, number: int) -> bool:
        return number in self.tinted


def runs_of(*pieces: tuple[int, int | None, int]) -> tuple[list[PrintRun], list[PrintedPiece]]:
    given = [PrintedPiece(f"p{front}", ComponentSpec(), front, back, copies) for front, back, copies in pieces]
    return print_runs(Faces(), given, SheetOptions()), given


def test_pieces_of_one_thickness_share_a_sheet() -> None:
    """Chits of 16 and 17 mm lie in bands of one sheet, cards on another; no row of chits has an empty place."""
    runs, given = runs_of((0, None, 30), (1, None, 12), (2, None, 3))
    assert [(run.material, run.sides, run.sheets) for run in runs] == [
        ("thick card", "one side", 1),
        ("card", "one side", 1),
    ]
    (chits,) = runs[0].pages
    assert [len(band.slots) for band in chits.grid.bands] == [22, 36] and len(chits.placed) == 58
    assert spares(runs, given) == {0: 6, 1: 10}


def test_one_side_and_both_sides_lie_apart() -> None:
    """What has no back shares a sheet with what has one only where that saves a sheet; no back is empty."""
    for plain, expected in ((1, ["both sides"]), (9, ["one side", "both sides"]), (10, ["one side", "both sides"])):
        runs, _ = runs_of((2, 2, 8), (2, None, plain))
        assert [run.sides for run in runs] == expected
        assert all(page.placed for run in runs for page in run.pages)
        assert sum(run.sheets for run in runs) == -(-(8 + plain) // 9)


def test_tinted_pieces_have_a_gutter() -> None:
    """What is tinted to its edge, on front or back, lies apart by twice the bleed, and is bled all round."""
    piece = PrintedPiece("p", ComponentSpec(), 2, 3, 7)
    for tinted, gap in (((), 0), ((2,), 3000), ((3,), 3000)):
        for page in print_runs(Faces(tinted), [piece], SheetOptions())[0].pages:
            one, two = sorted(placed.box for placed in page.placed)[:: len(page.placed) - 1]
            assert page.grid.gutter == Size(gap, gap) and one.right + gap <= two.x
            if gap:
                assert all(placed.clip == placed.box.grown(BLEED) for placed in page.placed)


def test_what_lies_alone_where_two_fit_lies_there_twice() -> None:
    """A lone sheet to write on has a spare beside it, and page-sized ones lie two up on paper of twice their size."""

    class Sheets(Faces):
        def size_of(self, number: int) -> Size:
            return (Size(mm(130), mm(190)), PAPERS["letter"])[number]

    for paper, number, copies in (("letter", 0, 1), ("tabloid", 1, 1), ("a3", 1, 3), ("letter", 1, 3)):
        given = [PrintedPiece("p", ComponentSpec(), number, None, copies)]
        runs = print_runs(Sheets(), given, SheetOptions(paper=paper))
        pages = runs[0].pages
        two_up = (paper, number) != ("letter", 1)
        assert [len(page.placed) for page in pages] == ([2] * -(-copies // 2) if two_up else [1] * copies)
        assert spares(runs, given)[number] == (copies % 2 if two_up else 0)
        if two_up:
            one, other = (placed.box for placed in pages[0].placed)
            assert (one.bottom == other.y and one.y + other.bottom == pages[0].size.height) or number == 0


def test_bleed_goes_on_into_empty_places() -> None:
    """Beside a place with nothing on this side of the sheet a face is bled, beside another it is not."""
    runs, _ = runs_of((2, 2, 8), (2, None, 1))
    front, back = runs[0].pages
    assert front.placed[7].clip.bottom - front.placed[7].box.bottom == BLEED
    last = back.placed[7]
    assert len(back.placed) == 8 and last.box.x - last.clip.x == BLEED and last.clip.right == last.box.right


def test_a_tinted_ground_is_found() -> None:
    """Colour at most of the edge is a ground; a frame inside, white, or colour under white is none."""
    size = Size(mm(63), mm(88))
    whole, inner = Box(0, 0, *size), Box(mm(3), mm(3), mm(57), mm(82))
    red, white, frame = (
        Path(rectangle(box), colour) for box, colour in ((whole, "#802020"), (whole, "#ffffff"), (inner, "#802020"))
    )
    assert [has_tinted_edge(Face(size, shapes)) for shapes in ((red,), (white, frame), (red, white), ())] == [
        True, False, False, False,
    ]  # fmt: skip
    assert has_tinted_edge(Face(size, (Group((red,), rectangle(whole)),)))
    assert not has_tinted_edge(Face(size, (Group((red,), rectangle(inner)),)))


@every("flip", ["long-edge", "short-edge"])
@every("size", [PAPERS["letter"], PAPERS["letter"].turned])
def test_backs_of_a_shared_sheet_lie_behind_their_fronts(flip: str, size: Size) -> None:
    """However the sheet is turned, each back covers the trim of its front, in every band."""
    batches = [Batch(Size(mm(n), mm(n)), ((n, n + 100),) * count) for n, count in ((16, 14), (25, 9), (63, 2))]
    (sheet,) = share_sheets(batches, size, mm(6))
    front, back = impose(sheet.items, sheet.grid, flip)
    axis = turn_axis(sheet.grid.paper, flip)
    assert [(each.face + 100, axis.mirror(each.box)) for each in front.placed] == [
        (each.face, each.box) for each in back.placed
    ]


def test_a_shared_sheet_is_cut_right_through() -> None:
    """Cuts across go through the whole sheet and touch no piece; those down stay in their band, as do their marks."""
    batches = [Batch(Size(mm(n), mm(n)), ((n, None),) * count) for n, count in ((16, 14), (25, 9), (63, 2))]
    (sheet,) = share_sheets(batches, PAPERS["letter"], mm(6))
    (page,) = impose(sheet.items, sheet.grid)
    for cut in cut_order(sheet.grid):
        assert cut.through == (cut.axis == "across")
        for slot in sheet.grid.slots:
            first, last = (slot.y, slot.bottom) if cut.axis == "across" else (slot.x, slot.right)
            assert not first < cut.position < last or not (cut.through or cut.covers(slot))
    for marking in (EDGES, Marking("cards", guides=True)):
        marks = segments(page, marking)
        assert not any(mark.overlaps(slot) for mark in marks for slot in sheet.grid.slots)


def test_fewer_sheets_lie_on_their_side() -> None:
    """Long strips of two heights share a sheet of lying paper where upright paper has no room for them."""
    batches = [Batch(Size(mm(254), mm(88)), ((0, None),)), Batch(Size(mm(254), mm(44)), ((1, None),) * 2)]
    (sheet,) = share_sheets(batches, PAPERS["letter"], mm(6))
    assert sheet.grid.paper == PAPERS["letter"].turned
    assert [len(band.slots) for band in sheet.grid.bands] == [1, 2]
    assert share_sheets(batches, PAPERS["a5"], mm(6)) == []
    cards = Batch(Size(mm(63), mm(44)), ((2, None),) * 3)
    (sheet,) = share_sheets([*batches, cards], PAPERS["a5"], mm(6))
    assert sheet.batches == (cards,)


def test_backs_never_lie_on_turned_paper() -> None:
    """The back of a sheet of turned paper is not corrected for its printer, so pieces with backs take none."""
    batches = [Batch(Size(mm(254), mm(88)), ((0, 1),)), Batch(Size(mm(254), mm(44)), ((2, None),))]
    assert share_sheets(batches, PAPERS["letter"], mm(6)) == []


@pytest.mark.full
def test_contents_can_be_left_out(workshop: Workshop) -> None:
    """There is no such page where it is not wanted, where something is named, and on index cards."""
    assert "To bring" in first_page(print_components(workshop, [], SheetOptions()).data)
    assert "To bring" not in first_page(print_components(workshop, [], SheetOptions(), contents=False).data)
    assert "To bring" not in first_page(print_components(workshop, ["title"], SheetOptions()).data)
    line = ComponentLine("title", workshop.game.spec.components["title"], Size(mm(10), mm(10)), 1, (1,))
    assert contents_pages(workshop, [line], [], "1 player", Size(mm(127), mm(76)), ComponentChoice(), ()) == []


def test_contents_take_as_many_pages_as_they_need(workshop: Workshop) -> None:
    """A long list goes on, no heading stands alone, and the number of sheets includes its own pages."""
    part = workshop.game.spec.components["title"]
    lines = [ComponentLine(f"part {n}", part, Size(mm(10), mm(10)), 1, (n,)) for n in range(1, 101)]
    pages = contents_pages(workshop, lines, [], "1 player", PAPERS["a4"], ComponentChoice(), ())
    assert len(pages) == 3
    told = [item for page in pages for item in page["items"] if item["kind"] == "part"]
    assert [item["face"] for item in told] == list(range(1, 101))
    assert all(page["items"][-1]["kind"] != "heading" for page in pages)
    assert pages[0]["sheets"] == 3


def test_lines_draw_together_where_that_saves_a_page(workshop: Workshop) -> None:
    """A list a little too long for one page has lower lines, and never more pages than it needs."""
    part = workshop.game.spec.components["title"]
    for count, pages, lower in ((6, 1, False), (20, 1, True), (30, 2, False)):
        lines = [ComponentLine(f"part {n}", part, Size(mm(10), mm(10)), 1, (n,)) for n in range(count)]
        told = contents_pages(workshop, lines, [], "1 player", PAPERS["a4"], ComponentChoice(), ())
        heights = {item["height"] for page in told for item in page["items"] if item["kind"] == "part"}
        assert (len(told), max(heights) < 16) == (pages, lower)


def test_numbers_in_a_row_are_drawn_together() -> None:
    """Sheets 2, 3, 4 and 7 are 2–4, 7."""
    assert as_ranges({7, 3, 2, 4}) == "2–4, 7"
