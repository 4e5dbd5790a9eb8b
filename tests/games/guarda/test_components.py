"""Guarda: what is printed beside the cards has the game's own figures, for every size of field; the rule sheet."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from datetime import date
from functools import lru_cache
from itertools import pairwise
from typing import Any

import pypdfium2
import pytest

from carddb.core.errors import UsageError
from carddb.core.units import Size, to_mm
from carddb.deck import Context, check
from carddb.findings import CardCount
from carddb.game.frozen import replaced
from carddb.game.game import GameSpec
from carddb.games import Game
from carddb.games.guarda import print
from carddb.games.guarda.print import component_data, figures, mapping
from carddb.games.guarda.rules import CHECKS
from carddb.layout.display_list import Face, Path, Run, walk
from carddb.layout.drawing.face import DrawnFace, draw
from carddb.layout.templates.renderer import Sandbox
from carddb.press.components.components import BLANK, print_components
from carddb.press.components.selection import ComponentChoice, select_components
from carddb.press.sheets.options import SheetOptions
from carddb.read.decks.text import load_deck
from carddb.read.decks.writer import write_deck
from tests.conftest import Told
from tests.games.guarda.samples import BOOK, SIZES, SPEC, ask, pool, workshop
from tests.games.referee_samples import game
from tests.press.documents.guide_words import without_figures
from tests.rows import every, usually

Call = Callable[..., Told]
FOLDER = game("guarda").folder.path
PLAYERS = 2
CARDS = game("guarda").in_print(pool())
CARD = Size.parse("63x88mm")
REFERENCE = ("quick-reference", "advice", "mapping-aid", "mapping-table", "mode-card", "seats")


def drawn(stem: str, extra: Mapping[str, Any] | None = None, spec: GameSpec = SPEC) -> DrawnFace:
    """A component by its template, as it is drawn."""
    data = component_data(stem, spec, extra or {})
    return draw(workshop().kit, f"guarda/{stem}.svg", data, CardCount("", stem))


def words(face: Face) -> list[str]:
    return [shape.text.strip() for shape in walk(face.shapes) if isinstance(shape, Run)]


def text(stem: str, extra: Mapping[str, Any] | None = None, spec: GameSpec = SPEC) -> str:
    return " ".join(words(drawn(stem, extra, spec).face))


# --- what there is, and how many of it


def test_every_component_in_its_number() -> None:
    """Two players get what section 12 lists: a deck, aids and a mat for each, the field, modes and tokens (G-99)."""
    numbers = {
        key: part.count * len(cards or faces) * (PLAYERS if part.per == "player" else 1)
        for key, part, faces, cards in select_components(SPEC, ComponentChoice(), CARDS)
    }
    assert numbers == {
        "pattern-cards": 96,
        "grid-cards": 6,
        "player-mat": 2,
        "quick-reference": 2,
        "mapping-aid": 2,
        "mode-card": 1,
        "pawns": 8,
        "first-player": 1,
        "markers": 4,
    }


@every("n", SIZES)
def test_one_size_of_field_is_printed(n: int) -> None:
    """What depends on the field is that of the size set, and 5×5 where none is; the rest is as ever (G-100, G-104)."""
    found = select_components(SPEC, ComponentChoice(values={"n": str(n)}), CARDS)
    assert {face.get("n") for part in found for face in part.faces} == {n, None}
    assert {card.get("n") for part in found for card in part.cards} == {n}
    assert [part.key for part in found] == [part.key for part in select_components(SPEC, ComponentChoice(), CARDS)]
    assert (select_components(SPEC, ComponentChoice(), CARDS) == found) == (n == print.standard_size(SPEC) == 5)


@every("n", SIZES)
def test_a_player_gets_a_whole_deck(n: int) -> None:
    """The pattern cards of a field are those its deck needs, each in its number, and six grid cards (G-11 to G-16)."""
    parts = {part.key: part for part in select_components(SPEC, ComponentChoice(values={"n": str(n)}), CARDS)}
    deck, grid = parts["pattern-cards"], parts["grid-cards"]
    counts = {str(card.get("id")): deck.component.count for card in deck.cards}
    assert ask("check_deck", n=n, patterns=counts, grid_cards=len(grid.cards))["errors"] == []
    assert (deck.component.per, grid.component.per) == ("player", "table")


def test_every_printed_rule_has_a_place() -> None:
    """Each rule that is to be printed is named by a component, or shown by the cards themselves (G-33 to G-106)."""
    placed = {rule for part in SPEC.components.values() for rule in part.rules} | set(SPEC.face_rules)
    asked = {name for name, rule in BOOK["rules"].items() if "P" in (rule["tag"], *rule.get("also", ()))}
    assert asked and asked <= placed


@usually("paper", ["letter", "a4"], "a4")
def test_two_players_print_all_they_need(paper: str) -> None:
    """Everything fits Letter and A4 without a finding: 116 pieces on 16 sheets, the first of which lists them."""
    printed = print_components(workshop(), (), SheetOptions(paper=paper), PLAYERS)
    assert (printed.findings, printed.cards, printed.sheets) == ((), 116, 16)


@pytest.mark.full
def test_the_field_lies_as_one_picture() -> None:
    """The six grid cards stand together on one sheet, in two rows of three, so that they can stay uncut."""
    document = pypdfium2.PdfDocument(print_components(workshop(), (), SheetOptions(), PLAYERS).data)
    texts = [document[number].get_textpage().get_text_bounded() for number in range(len(document))]
    (page,) = (number for number, text in enumerate(texts) if number and re.search(r"F\d of", text))
    places = document[page].get_textpage()
    at = [places.get_charbox(places.search(f"F{k} of").get_next()[0]) for k in range(1, 7)]
    assert len({round(box[1]) for box in at[:3]}) == len({round(box[1]) for box in at[3:]}) == 1
    assert [box[0] for box in at[:3]] == sorted(box[0] for box in at[:3])


def test_an_empty_back_has_no_marks() -> None:
    """The back that keeps a two-sided sheet in step behind a mat says that it stays blank, without a ruler."""
    printed = print_components(workshop(), ["player-mat", "mode-card"], SheetOptions(), 1)
    document = pypdfium2.PdfDocument(printed.data)
    texts = [document[number].get_textpage().get_text_bounded() for number in range(len(document))]
    assert texts[1].strip() == BLANK and all(texts)


@pytest.mark.full
def test_only_what_has_a_back_is_folded() -> None:
    """On paper that is folded a mat without a back has the whole sheet, and the first page says which are folded."""
    printed = print_components(workshop(), (), SheetOptions(fold=True), PLAYERS)
    text = pypdfium2.PdfDocument(printed.data)[0].get_textpage().get_text_bounded()
    assert printed.findings == () and printed.pages == printed.sheets
    assert "to fold" in text and "both sides" not in text


def test_what_does_not_fit_is_named() -> None:
    """Paper too small for a component is refused with the component's name and both sizes."""
    with pytest.raises(UsageError, match=r"Player mat: a piece of 265 × 196 mm does not fit on A5") as told:
        print_components(workshop(), ["player-mat"], SheetOptions(paper="a5"))
    assert told.value.remedy == "Choose a larger --paper, or a smaller --margin."  # its size is its own


# --- as drawn


@usually("stem", [*REFERENCE, "field-sheet", "player-mat"])
@usually("n", SIZES)
def test_nothing_overflows(stem: str, n: int) -> None:
    """Every sheet and reference card draws for every field with nothing cut off, too small, too faint or missing."""
    found = drawn(stem, {"n": n})
    assert [finding.message for finding in found.findings] == []
    sizes = {"field-sheet": "189x176mm", "player-mat": "265x196mm"}
    assert found.face.size == (Size.parse(sizes[stem]) if stem in sizes else CARD)
    for run in (shape for shape in walk(found.face.shapes) if isinstance(shape, Run)):
        edge = 4 if stem in REFERENCE else 1.9
        reach = to_mm(run.width) if run.angle == 0 else 0
        assert edge <= to_mm(run.x) and to_mm(run.x) + reach <= to_mm(found.face.size.width) - edge, run.text
        assert to_mm(run.y) <= to_mm(found.face.size.height) - 2, run.text


def test_quick_reference_has_phases_and_answers() -> None:
    """The card tells the four phases in order and what each answer to an attack does (G-103)."""
    told = text("quick-reference")
    names = ["Draw", "Move", "Act", "Settle", "UNDER ATTACK", "Hand cards", "Block", "Counter", "Guard still preparing"]
    places = [told.index(name) for name in names]
    assert all(a < b for a, b in pairwise(places))
    for part in ("hold 5 cards", "1 health more", "2 for the attacker", "3 instead of 2", "hit by 2 or more cards"):
        assert part in told
    assert "hold 7 cards" in text("quick-reference", {"n": 7})


def test_words_take_their_figures_from_the_game() -> None:
    """A game whose guard strikes harder says so on card and mat; no figure is written a second time."""
    other = replaced(SPEC, data={**SPEC.data, "guard": {**SPEC.data["guard"], "counter": 4}})
    assert "4 for the attacker" in text("quick-reference", spec=other)
    assert "4 for the attacker" in text("player-mat", spec=other)
    assert figures(SPEC, 6)["hand"] == 6


UP, DOWN = [1, 2, 3, 4, 5], [5, 4, 3, 2, 1]
TABLE = {
    "attack": [("S", "col", UP, "row", UP), ("W", "row", UP, "col", DOWN),
               ("N", "col", DOWN, "row", DOWN), ("E", "row", DOWN, "col", UP)],
    "defence": [("S", "col", DOWN, "row", DOWN), ("W", "row", DOWN, "col", UP),
                ("N", "col", UP, "row", UP), ("E", "row", UP, "col", DOWN)],
}  # fmt: skip


def test_mapping_aid_is_the_table() -> None:
    """For 5×5 the aid has exactly the lines of the rules' table (G-104)."""
    found = {
        way: [(row["seat"], row["V"][0], row["V"][1], row["H"][0], row["H"][1]) for row in rows]
        for way, rows in mapping(5).items()
    }
    assert found == TABLE


@every("n", SIZES)
def test_mapping_aid_agrees_with_the_referee(n: int) -> None:
    """Each number on the aid is the line that the referee gives for the card, the side and the way (G-23, G-104)."""
    for way, rows in mapping(n).items():
        for row in rows:
            for family in "VH":
                kind, numbers = row[family]
                for k, number in enumerate(numbers, 1):
                    given = {"card": f"{family}{k}", "orientation": way, "seat": row["seat"], "n": n}
                    cells = ask("cells", **given)["cells"]
                    assert {cell[0 if kind == "row" else 1] for cell in cells} == {number}
    shown = words(drawn("mapping-table", {"n": n}).face)
    assert Counter(word for word in shown if word.isdigit()) == {str(k): 20 for k in range(1, n + 1)}


def test_mapping_aid_shades_its_example() -> None:
    """The front shows V2 of side W attacking: row 2 of the field, with the 2 of that side marked (G-104)."""
    data = component_data("mapping-aid", SPEC, {})
    assert {row for row, _ in data["shaded"]} == {2} and len(data["shaded"]) == 5
    assert [word for word in words(drawn("mapping-aid").face) if word.startswith("SIDE")] == [
        "SIDE S", "SIDE W", "SIDE N", "SIDE E",
    ]  # fmt: skip


def test_mode_card_has_the_table() -> None:
    """Each mode has its health, who goes out, what wins and whether the burn pile is reshuffled (G-105)."""
    told = text("mode-card")
    for row in (
        "10 health ELIMINATION Out: health 0 Wins: last side Burn pile is reshuffled",
        "– health VICTORY Out: never Wins: 20 points 1 point for each damage you do Burn pile is reshuffled",
        "5 health EXHAUSTION Out: health 0 or draw pile empty° Wins: last side No reshuffle",
        "10 health KING OF THE HILL Out: health 0 Wins: 5 points on the centre, or last side",
    ):
        assert row in re.sub(r"\s+", " ", told)


def test_seats_show_every_number_of_players() -> None:
    """The back of the mode card seats two to eight players, each with a number (G-26)."""
    shown = Counter(word for word in words(drawn("seats").face) if word.isdigit())
    assert shown == {str(k): sum(players >= k for players in range(2, 9)) + (k > 1) for k in range(1, 9)}


def test_player_mat_has_its_zones() -> None:
    """Draw pile, burn pile, guard both ways, played cards, health 0 to 10 and points 0 to 20 (G-101, G-102)."""
    found = words(drawn("player-mat").face)
    assert {"DRAW PILE", "BURN PILE", "GUARD", "PLAYED CARDS", "HEALTH", "POINTS", "SET: UPRIGHT"} <= set(found)
    assert found.count("PREPARING: SIDEWAYS") == 2
    boxes = [word for word in found if word.isdigit()]
    phases = range(1, 5)
    assert Counter(boxes) == Counter(map(str, [*range(11), *range(21), *phases]))
    tracks = component_data("player-mat", SPEC, {})["tracks"]
    assert (tracks["health"]["marked"], tracks["points"]["marked"]) == ([0, 5, 10], [5, 20])
    assert "start 10, in Exhaustion 5" in found and "Victory: 20 win. King of the Hill: 5 win." in found


def test_pawns_have_own_numbers_and_shapes() -> None:
    """As many pawns as players at most, no two alike: each has a number and a shape of its own (G-106)."""
    rows = SPEC.components["pawns"].rows
    faces = [drawn("pawn", row).face for row in rows]
    assert [words(face) for face in faces] == [[str(k)] for k in range(1, SPEC.players[1] + 1)]
    shapes = {next(o.ops for o in walk(face.shapes) if isinstance(o, Path) and o.fill == INK) for face in faces}
    assert len(shapes) == len(faces)


INK = SPEC.data["faces"]["colours"]["ink"]


@pytest.mark.parametrize("stem", ["first-player", "marker", "field-tile"])
def test_tokens_have_no_finding(stem: str) -> None:
    """Markers and whole-cell grid cards draw clean (G-100, G-106)."""
    assert drawn(stem).findings == ()


def test_six_cards_of_whole_cells_make_six_by_six() -> None:
    """Two by three cells on each of three by two cards make the field of the traditional game (G-3, G-100)."""
    tile, grid = SPEC.data["faces"]["field_tile"], SPEC.types["grid"].fields
    assert tile["across"] * grid["column"].max == tile["down"] * grid["row"].max == SPEC.data["lines_only"][0]
    assert SPEC.components["field-tiles"].count == SPEC.data["grid_cards"]


# --- decks and rule sheet


@every("path", game("guarda").folder.decks)
def test_every_sample_deck_is_legal(path: Any) -> None:
    """Each sample deck is legal in the format it names, and is written in the canonical form (G-11 to G-13)."""
    deck, found = load_deck(path, SPEC, pool())
    assert [*found, *check(deck, SPEC, pool(), Context(date(2026, 1, 1)), CHECKS)] == []
    assert write_deck(deck, SPEC) == path.read_text("utf-8")


@lru_cache(maxsize=1)
def guide() -> str:
    """The rule sheet with its figures filled in."""
    files = ("guide.md", "_lines.md")
    sandbox = Sandbox({name: without_figures((FOLDER / name).read_text("utf-8")) for name in files})
    return sandbox.draw(
        "guide.md", {"game": SPEC, "data": SPEC.data, "judge": lambda operation, asked: ask(operation, **asked)}
    )


def test_rule_sheet_tells_every_rule_of_play() -> None:
    """The sheet names each rule from G-1 to G-94 and those of printing, and no other (G-97 to G-106)."""
    told = {rule for group in re.findall(r"\{(G-[^}]*)\}", guide()) for rule in group.split(", ")}
    assert told == {f"G-{number}" for number in (*range(1, 95), *range(97, 107))}


def test_rule_sheet_writes_no_figure_by_hand() -> None:
    """Numbers in the sheet's source are ids, list numbers, card names, and the 1 that one card stands for."""
    source = re.sub(
        r"\{[{%].*?[%}]\}|\{G-[^}]*\}", "", without_figures((FOLDER / "guide.md").read_text("utf-8")), flags=re.S
    )
    source = re.sub(r"(?m)^\d+\. |\b[VHF]\d\b|\bn\+1\b", "", source)
    assert set(re.findall(r"\d+", source)) <= {"1", "0"}


def test_rule_sheet_has_the_figures_of_the_game() -> None:
    """Deck, hand, ways to win and guard stand in the sheet as the game's data have them."""
    for part in (
        "2 to 8 people",
        "48 pattern cards, 4 of each of the 12 patterns",
        "every player draws 6 cards",
        "until you hold 5 cards",
        "20 points win",
        "| King of the Hill | 10 | health 0 | 5 points on the centre, or last side{G-90} | yes {G-105} |",
        "fill 6 pages, 9 to a page",
        "A cell is 34 mm wide",
    ):
        assert part in guide()


@pytest.mark.parametrize(("option", "n", "count"), [("lines", 5, 10), ("lines", 9, 18), ("lines_x_all", 6, 14)])
def test_printed_patterns_follow_the_option(option: str, n: int, count: int) -> None:
    """With columns and rows only there is no X and no ALL to print; the other way round the 6×6 field has them too."""
    own = Game(game("guarda").folder, SPEC.with_defaults({"patterns": option}))
    parts = select_components(own.spec, ComponentChoice(("pattern-cards",), values={"n": str(n)}), own.in_print(pool()))
    ids = {card.get("id") for card in parts[0].cards}
    assert len(ids) == count and ("X" in ids) == ("ALL" in ids) == (option == "lines_x_all")
    counts = dict.fromkeys(ids, 4)
    asked = {"n": n, "patterns": counts, "grid_cards": 6, "options": {"patterns": option}}
    assert ask("check_deck", **asked)["errors"] == []


def test_sheets_of_a_query_follow_the_option(call: Call) -> None:
    """A query prints the patterns that the table plays with, and says which it leaves out."""
    query = ("sheets", "game:guarda type:pattern n:5", "--dry-run", "--json")
    assert call(*query).json()["cards"] == 12
    own = call(*query, "--option", "patterns=lines")
    assert own.json()["cards"] == 10 and "2 cards left out, because they are not played with patterns lines" in own.err
    refused = call("sheets", "game:rishar type:guardian", "--dry-run", "--option", "tie_base=printed")
    assert refused.code == 2 and "only a deck can be checked" in refused.err
