"""Empires and Generals: the printed components, drawn from the game's own data."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from carddb.core import assets
from carddb.core.units import Size
from carddb.findings import CardCount
from carddb.game.frozen import replaced
from carddb.game.game import GameSpec
from carddb.games import folders
from carddb.games.empires_and_generals import components
from carddb.games.printed_words import signed
from carddb.games.referee import open_game
from carddb.layout.display_list import UNSEEN, Face, Run, walk
from carddb.layout.display_list import Path as Outline
from carddb.layout.drawing import svg_parser
from carddb.layout.drawing.face import DrawingKit, DrawnFace, draw
from carddb.layout.templates.template import Templates
from carddb.layout.text.fonts import Font, FontBook
from carddb.press.components.components import print_components
from carddb.press.faces.workshop import open_workshop
from carddb.press.sheets.options import SheetOptions
from tests.rows import every, usually

POKER = Size.parse("63.5x88.9mm")
INK = "#000000"
PILES = {"#2b5c92", "#a85d1f"}
RED = {"#a63a2b", "#f8e4de"}
TYPES = {"quick": 3, "normal": 5, "epic": 8}
DECK = {"deck": {"name": "Salt and Gold", "empire": "Mali", "edition": "Medieval"}}


@lru_cache(maxsize=1)
def spec() -> GameSpec:
    return open_game(folders()["empires-and-generals"]).spec


@lru_cache(maxsize=1)
def kit() -> DrawingKit:
    sources = {f"{p.parent.name}/{p.name}": p.read_text("utf-8") for p in sorted(assets.templates().glob("*/*.svg"))}
    templates = Templates(sources)
    fonts = [
        Font(f"{family} {style}", family, style, assets.font_file(known.package, file).read_bytes())
        for family, known in spec().fonts.items()
        if not known.extra
        for style, file in known.files.items()
    ]
    shared = sorted(name for name in sources if name.startswith("empires_and_generals/symbols"))
    library = svg_parser.Library([svg_parser.parse(templates.render(name, {})) for name in shared])
    return DrawingKit(templates, FontBook(fonts), library)


def drawn(name: str, extra: dict[str, Any] | None = None, size: str = "", game: GameSpec | None = None) -> DrawnFace:
    """A component by its key, a back by its template's name, at its own size or as it is laid out for another."""
    known = spec().components.get(name)
    stem = known.template.removesuffix(".svg") if known else name
    data = components.component_data(stem, game or spec(), extra or {})
    return draw(kit(), f"empires_and_generals/{stem}.svg", {**data, "size": size}, CardCount("", stem))


def words(face: Face) -> list[str]:
    return [shape.text.strip() for shape in walk(face.shapes) if isinstance(shape, Run)]


def every_component() -> list[tuple[str, dict[str, Any]]]:
    found: list[tuple[str, dict[str, Any]]] = []
    for name, component in spec().components.items():
        if component.template:
            found.extend((name, dict(row)) for row in component.rows or ({},))
    return [*found, ("title", DECK), ("back-playing", {}), ("back-resource", {})]


def poker_components() -> list[tuple[str, dict[str, Any]]]:
    parts = spec().components
    return [pair for pair in every_component() if pair[0] not in parts or not parts[pair[0]].size]


@usually(("name", "extra"), every_component())
def test_component_has_no_finding(name: str, extra: dict[str, Any]) -> None:
    """Every component draws at its own size with nothing cut off, too small, too faint or missing."""
    result = drawn(name, extra)
    assert [finding.message for finding in result.findings] == []
    size = spec().components[name].size if name in spec().components else ""
    assert result.face.size == Size.parse(size or "3x5in")
    assert result.face.title


@usually(("name", "extra"), poker_components())
def test_poker_component_has_no_finding(name: str, extra: dict[str, Any]) -> None:
    """Every component with a playing-card size is readable at it: drawn for it, not scaled down."""
    result = drawn(name, extra, "poker")
    assert [finding.message for finding in result.findings] == []
    assert result.face.size == POKER


def test_same_input_draws_the_same() -> None:
    """A component is a pure function of its data."""
    assert drawn("title", DECK).face == drawn("title", DECK).face


@every("size", ["", "poker"])
@every("name", ["back-playing", "back-resource"])
def test_back_is_the_same_after_a_half_turn(name: str, size: str) -> None:
    """A back cannot tell which way up its card lies (PE-2)."""
    face = drawn(name, size=size).face
    points = {point for shape in walk(face.shapes) if isinstance(shape, Outline) for point in ends(shape)}
    turned = {(face.size.width - x, face.size.height - y) for x, y in points}
    assert all(near(point, turned) for point in points)
    texts = sorted((run.text, run.angle) for run in walk(face.shapes) if isinstance(run, Run))
    assert texts == sorted((text, (angle + 180) % 360) for text, angle in texts)


def ends(shape: Outline) -> Iterator[tuple[int, int]]:
    return ((n[-2], n[-1]) for _, n in shape.ops if n)


def near(point: tuple[int, int], others: set[tuple[int, int]]) -> bool:
    reach = range(-2, 3)
    return any((point[0] + dx, point[1] + dy) in others for dx in reach for dy in reach)


@every("size", ["", "poker"])
@every("name", ["back-playing", "back-resource"])
def test_back_keeps_clear_of_the_trim(name: str, size: str) -> None:
    """A back has a lattice over every trim, all else is 7 mm inside it, so a slip of the cut still looks meant."""
    face = drawn(name, size=size).face
    lattice, *drawing = [
        list(ends(shape)) for shape in walk(face.shapes) if isinstance(shape, Outline) and shape.stroke
    ]
    for along, length in enumerate((face.size.width, face.size.height)):
        assert min(end[along] for end in lattice) < 0 < length < max(end[along] for end in lattice)
        assert all(7000 <= end[along] <= length - 7000 for shape in drawing for end in shape)


def test_words_are_ink_and_lines_have_few_colours() -> None:
    """Words of components are ink on white; frames, rules and zones are of one colour, piles and counters of theirs."""
    own = {"play-map": PILES, "counters": {"#2b5c92"}}
    for name, extra in every_component():
        if name in ("title", "back-playing", "back-resource"):
            continue
        shapes = list(walk(drawn(name, extra).face.shapes))
        assert {shape.colour for shape in shapes if isinstance(shape, Run)} <= {INK, ""}, name
        lines = [shape for shape in shapes if isinstance(shape, Outline)]
        colours = {line.fill for line in lines} | {line.stroke.colour for line in lines if line.stroke}
        assert colours <= {INK, "#ffffff", UNSEEN, None} | RED | own.get(name, set()), name


def test_title_card_tells_whose_deck_it_is() -> None:
    """The title card names game, designer, empire, deck and edition, and that copying is welcome (PE-3, E-1, E-2)."""
    text = " ".join(words(drawn("title", DECK).face))
    for part in ("Empires", "Generals", "Pauly Hart", "MALI", "Salt and Gold", "Copy it"):
        assert part in text
    assert "a deck from the Medieval edition" in text


def test_title_card_tells_what_it_knows() -> None:
    """What a deck does not say leaves no mark on its title card: a name alone is the heading, nothing is the game's."""
    empty = {"name": "", "empire": "", "edition": ""}
    assert drawn("title", {"deck": empty}).face == drawn("title").face
    assert any(word.startswith("for ") for word in words(drawn("title").face))
    named = words(drawn("title", {"deck": {**empty, "name": "Salt and Gold"}}).face)
    assert "SALT AND GOLD" in named
    assert not any("edition" in word for word in named)


@every(
    "facts, frieze",
    [
        ({"edition": "Medieval"}, "medieval"),
        ({"edition": "Act of God", "era": "antiquity"}, "antiquity"),
        ({"edition": "Modern"}, "later"),
        ({"edition": "Act of God"}, "none"),
        ({}, "none"),
    ],
)
def test_title_card_has_the_frieze_of_its_era(facts: dict[str, str], frieze: str) -> None:
    """The frieze is that of the deck's era, or of its edition where no era is told."""
    assert components.component_data("title", spec(), {"deck": facts})["frieze"] == frieze


def test_title_card_shows_the_empire() -> None:
    """The emblem on a title card has the colours of the deck's empire; without one it belongs to nobody."""
    assert components.component_data("title", spec(), DECK)["emblem"]["colour"] == "vert"
    assert components.component_data("title", spec(), {})["emblem"]["colour"] == "cendrée"


def test_title_card_survives_long_names() -> None:
    """An empire and a deck of long names are set smaller, not cut off."""
    deck = {"name": "The Long Road to the Far Sea", "empire": "Ostrogoths and Visigoths", "edition": "Medieval"}
    assert drawn("title", {"deck": deck}).findings == ()


def test_instructions_take_their_limits_from_the_game() -> None:
    """Deck sizes and copies on the Instructions card are those that decks are checked against (PE-4, E-14…E-24)."""
    text = " ".join(words(drawn("instructions").face))
    assert "25–75" in text
    rows = components.component_data("instructions", spec(), {})["limits"]
    assert [(row["rarity"], row["max"] or row["total"]) for row in rows] == [
        ("common", 5), ("uncommon", 3), ("rare", 1), ("ultra_rare", 1),
    ]  # fmt: skip
    playing = replaced(spec().sections["playing"], size=(30, 60))
    other = replaced(spec(), sections={**spec().sections, "playing": playing})
    assert "30–60" in " ".join(words(drawn("instructions", game=other).face))


def test_phase_chart_has_the_declaration_and_six_phases() -> None:
    """The chart tells the declaration, then the six phases in their order (PE-5, E-57, E-64)."""
    text = words(drawn("phase-chart").face)
    names = ["Draw", "Harvest", "Kingdom", "Army", "Attack", "Resolve"]
    assert "First declare" in text
    assert [word for word in text if word in names] == names


@pytest.mark.parametrize("name", ["play-map-card", "play-map"])
def test_play_map_has_nine_zones_and_the_battlefield(name: str) -> None:
    """Card and mat show every zone with its number, what it holds and its limit (PE-6, E-65…E-76)."""
    text = words(drawn(name).face)
    joined = " ".join(text).lower()
    assert {str(n) for n in range(1, 10)} <= set(text)
    for zone in spec().data["zones"]:
        assert zone["name"].lower() in joined
        assert zone["holds"].lower() in joined
        limit = zone["limit"] if name == "play-map" else zone["limit"].removesuffix(" at start")
        assert limit == "—" or limit in joined


def test_mat_has_room_for_the_cards() -> None:
    """No two zones of the mat overlap, all lie on it, each takes a 3 × 5 card, and 3.6 mm are between them."""
    zones = components.component_data("play-map", spec(), {})["zones"]
    boxes = [zone["box"] for zone in zones]
    for i, (x, y, width, height) in enumerate(boxes):
        assert x >= 0 and y >= 0 and x + width <= 406 and y + height <= 266.5
        for x2, y2, width2, height2 in boxes[:i]:
            assert x + width <= x2 or x2 + width2 <= x or y + height <= y2 or y2 + height2 <= y
    assert all(zone["box"][2] >= 76.2 and zone["box"][3] >= 127 for zone in zones if zone["number"])
    box = {zone["key"]: zone["box"] for zone in zones}
    x, y, width, height = box["supply_pile"]
    assert box["draw_pile"][0] - x - width == pytest.approx(3.6)
    assert box["cultural_health"][1] - y - height == pytest.approx(3.6)


def extents(face: Face) -> Iterator[tuple[int, int, int, int]]:
    """Left, top, right and bottom of all that is printed: text an em high, a path with half its line around it."""
    for shape in walk(face.shapes):
        if isinstance(shape, Run):
            yield shape.x, shape.y - shape.size * 3 // 4, shape.x + shape.width, shape.y + shape.size // 4
        elif isinstance(shape, Outline) and (shape.stroke or shape.fill != "#ffffff"):
            half = shape.stroke.width // 2 if shape.stroke else 0
            xs, ys = zip(*ends(shape), strict=True)
            yield min(xs) - half, min(ys) - half, max(xs) + half, max(ys) + half


def test_mat_is_cut_between_its_zones() -> None:
    """No word, number or picture of the mat is cut where it is joined, only the lines that lead to the table."""
    across, down = spec().components["play-map"].seams
    assert not down
    for left, _, right, _ in extents(drawn("play-map").face):
        assert not any(left < seam * 1000 < right for seam in across) or (left <= 0 and right >= 406_000)


@every("paper, sheets", [("letter", 3), ("a4", 3), ("tabloid", 1), ("a3", 1)])
@pytest.mark.full
def test_mat_is_on_few_sheets(paper: str, sheets: int) -> None:
    """A mat takes three sheets of Letter or A4, or one of twice that size, inside the margins of the printer."""
    workshop = open_workshop(open_game(folders()["empires-and-generals"]))
    printed = print_components(workshop, ["play-map"], SheetOptions(paper=paper), 1)
    assert printed.sheets == sheets and printed.findings == ()


def test_mat_puts_piles_where_the_rules_want_them() -> None:
    """Supply Pile and Cultural Health lie at the left, the Draw Pile beside the Supply Pile (E-7, E-8, E-11)."""
    box = {zone["key"]: zone["box"] for zone in components.component_data("play-map", spec(), {})["zones"]}
    leftmost = min(b[0] for key, b in box.items() if key != "battlefield")
    assert box["supply_pile"][0] == box["cultural_health"][0] == leftmost
    assert box["draw_pile"][1] == box["supply_pile"][1]
    assert min(b[0] for b in box.values() if b[0] > leftmost) == box["draw_pile"][0]


def test_attack_card_has_fourteen_outcomes() -> None:
    """The Attack Resolution card says what each of W1–W7 and B1–B7 does (PE-7, E-108…E-122)."""
    lose, redirect, both = {"ch": -1}, {"redirect": True}, {"discard": ["attacker", "defender"]}
    rows = components.component_data("attack-resolution", spec(), {})["rows"]
    assert [(row["warcamp"], row["battlefield"]) for row in rows] == [
        (lose, redirect),
        (lose, redirect),
        ({"discard": ["defender"], "ch": -1}, {"discard": ["defender"]}),
        (both, both),
        ({"discard": ["attacker"]}, {"discard": ["attacker"]}),
        ({}, {}),
        ({}, {"stay": True}),
    ]
    text = words(drawn("attack-resolution").face)
    assert {">", "≥"} <= set(text)
    assert text.count("−1") == 3
    assert text.count("nothing") == 3


@pytest.mark.parametrize(("kind", "top"), TYPES.items())
def test_cultural_health_has_both_scales(kind: str, top: int) -> None:
    """The card has a line for each score from +N to −N with the life that is left beside it (PE-8, E-53)."""
    track = components.component_data("cultural-health", spec(), {"game_type": kind})["type"]["track"]
    assert [(line["score"], line["life"]) for line in track] == [(signed(n), n + top) for n in range(top, -top - 1, -1)]
    text = words(drawn("cultural-health", {"game_type": kind}).face)
    assert [word for word in text if word in (f"+{top}", "0", f"−{top}")][:1] == [f"+{top}"]
    assert any("Slaughterhouse" in word and f"+{top}" in word for word in text)


def test_predestination_card_has_the_thirteen_formats() -> None:
    """The card shows each format's label, name and filters as decks are judged by (PE-9, E-31…E-44)."""
    a, m = "antiquity", "medieval"
    acts, mysteries, others = "act_of_god", "great_mystery", "unaffiliated"
    rows = components.component_data("predestination", spec(), {})["rows"]
    assert [(r["label"], r["eras"], r["before"], r["out"], r["chosen"], r["released"]) for r in rows] == [
        ("1", [], None, [acts], True, False),
        ("2", [a], None, [], False, False),
        ("3", [a], None, [acts], False, False),
        ("4", [m], None, [], False, False),
        ("5", [m], None, [acts], False, False),
        ("6", [a, m], None, [mysteries], False, False),
        ("7", [a, m], None, [acts], False, False),
        ("8", [a, m], None, [acts, others], False, False),
        ("9", [], 1910, [], False, False),
        ("10a", [], 1910, [mysteries], False, False),
        ("10b", [], 1910, [acts], False, False),
        ("11", [], None, [], False, False),
        ("12", [], None, [], False, True),
    ]
    text = words(drawn("predestination").face)
    assert all(form.name in text and form.label in text for form in spec().formats.values())
    assert text.count("before 1910") == 3


def test_game_types_card_has_all_figures() -> None:
    """The card shows start, win and defeat of each type, and of its Slaughterhouse version (PE-10, E-48…E-52)."""
    text = words(drawn("game-types").face)
    for top in TYPES.values():
        assert text.count(f"+{top}") == text.count(f"−{top}") == 2
        assert f"{2 * top + 1} lines" in text


def test_ledger_has_its_columns() -> None:
    """The ledger has columns for reference number, name, player and turn (PE-11, E-26)."""
    assert {"NUMBER", "NAME", "PLAYER", "TURN"} <= set(words(drawn("ledger").face))


def test_score_sheet_has_room_for_six() -> None:
    """The score sheet has six players with a box for each score of the longest game, and every victory (PE-13)."""
    text = words(drawn("score-sheet").face)
    assert text.count("PLAYER") == text.count("Out") == text.count("Passed last turn") == text.count("PLACE") == 6
    assert all(text.count(signed(n)) == 6 for n in range(-8, 9) if n)
    assert {"Warlord", "Sissy", "Chancellor", "Epic Campaigner"} <= set(text)


def test_score_sheet_keeps_its_margins() -> None:
    """Nothing of the score sheet stands so near an edge that another paper of about its size would lose it."""
    face = drawn("score-sheet").face
    for left, top, right, bottom in extents(face):
        assert left >= 16_000 and right <= face.size.width - 16_000
        assert top >= 12_000 and bottom <= face.size.height - 12_000


@given(st.integers(-99, 99))
@settings(max_examples=25)
def test_signed_is_exact_and_has_a_true_minus(number: int) -> None:
    """A printed score reads back as the number and never has a hyphen for a minus."""
    text = signed(number)
    assert "-" not in text
    assert int(text.replace("−", "-")) == number
