"""Guarda on paper: pattern cards, the back that tells nothing, the field on six cards, for every size of field."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from carddb.cards.cards import Card
from carddb.core.units import Size, to_mm, to_points
from carddb.findings import CardCount
from carddb.games.guarda import print
from carddb.layout.display_list import Face, Op, Run, walk
from carddb.layout.display_list import Path as Outline
from carddb.layout.drawing.face import DrawnFace, draw
from carddb.layout.ink import InkSaver
from carddb.layout.stock import card_size
from carddb.paint.rasterizer import png
from carddb.press.faces.bank import FaceBank
from carddb.press.faces.workshop import templates_of
from tests.games.guarda import cardfile as guarda_cardfile
from tests.games.guarda.samples import SIZES, SPEC, ask, pool, workshop
from tests.games.referee_samples import game
from tests.rows import every, usually

FOLDER = game("guarda").folder.path
INK, SIGNAL = SPEC.data["faces"]["colours"]["ink"], SPEC.data["faces"]["colours"]["signal"]
WIDTH, HEIGHT = 63, 88
POSTER = (3 * WIDTH, 2 * HEIGHT)
GRIDS = ("F1", "F2", "F3", "F4", "F5", "F6")
EVERY = [f"{n}-{card}" for n in SIZES for card in ("V1", "V2", f"V{n}", "H1", f"H{n}", "X", "ALL", *GRIDS)]

Point = tuple[float, float]
Bands = dict[int, tuple[float, float]]


def card(ref: str) -> Card:
    found = pool().get(ref)
    assert found is not None
    return found


@lru_cache(maxsize=200)
def drawn(ref: str) -> DrawnFace:
    """The front of a card."""
    template = templates_of(game("guarda"), card(ref))[0]
    return draw(workshop().kit, f"guarda/{template}", print.face_data(card(ref), SPEC), CardCount(ref, ""))


@lru_cache(maxsize=4)
def back(size: Size | None = None) -> Face:
    words = {"words": SPEC.data["reference"]["back"]}
    context = {**print.field_data(SPEC, 5), **words}
    return draw(workshop().kit, "guarda/back.svg", context, CardCount("", "back"), size).face


def outlines(face: Face) -> list[Outline]:
    return [shape for shape in walk(face.shapes) if isinstance(shape, Outline)]


def points(ops: Iterable[Op]) -> list[Point]:
    """Every point of an outline in millimetres, those between the ends of curves too."""
    return [(to_mm(n[at]), to_mm(n[at + 1])) for _, n in ops for at in range(0, len(n), 2)]


def middle(outline: Outline) -> Point:
    xs, ys = zip(*points(outline.ops), strict=True)
    return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2


def extent(outline: Outline) -> Point:
    xs, ys = zip(*points(outline.ops), strict=True)
    return max(xs) - min(xs), max(ys) - min(ys)


def near(one: Point, other: Point) -> bool:
    return abs(one[0] - other[0]) < 0.01 and abs(one[1] - other[1]) < 0.01


# --- the card file


def test_the_card_file_is_what_is_computed(request: pytest.FixtureRequest) -> None:
    """cards.csv has exactly the cards that the fields' sizes give (G-15, G-16, G-95, G-96)."""
    path = FOLDER / "cards.csv"
    if request.config.getoption("--update-goldens"):
        path.write_text(guarda_cardfile.text(SPEC), "utf-8")
    assert path.read_text("utf-8") == guarda_cardfile.text(SPEC), "run pytest --update-goldens"


@every("n", SIZES)
def test_every_field_has_its_cards(n: int) -> None:
    """A field has 2n + 2 patterns, each as the referee wants it, and six grid cards (G-15, G-16, G-96)."""
    mine = [found for found in pool() if found.get("n") == n]
    assert Counter(found.type for found in mine) == {"pattern": 2 * n + 2, "grid": 6}
    for found in mine:
        if found.type == "pattern":
            cells = [list(map(int, cell.split(","))) for cell in found.get("cells")]
            given = {"id": found.get("id"), "cells": cells, "pointers": found.get("pointers"), "n": n}
            assert ask("check_card", **given, options={"patterns": "lines_x_all"}) == {"ok": True, "errors": []}
    places = [(found.get("column"), found.get("row")) for found in mine if found.type == "grid"]
    assert places == [(column, row) for row in (1, 2) for column in (1, 2, 3)]


def test_names_are_unambiguous() -> None:
    """A deck may name any card without its reference."""
    assert all(len(pool().folded(found.name)) == 1 for found in pool())


# --- pattern cards


@pytest.mark.full
@every("ref", EVERY)
def test_nothing_overflows(ref: str) -> None:
    """Every card of every field draws at 63 × 88 mm with nothing cut off, too small, too faint or missing (G-97)."""
    found = drawn(ref)
    assert [finding.message for finding in found.findings] == []
    assert (to_mm(found.face.size.width), to_mm(found.face.size.height)) == (WIDTH, HEIGHT)
    assert found.face.title == card(ref).name


@usually("n", SIZES)
@usually("pattern", ["V1", "H2", "X", "ALL"])
def test_lit_cells_are_those_of_the_pattern(n: int, pattern: str) -> None:
    """The dark tiles of a card stand in the cells that it affects, floor(50 / n) mm wide and centred (G-15, G-97)."""
    cell = 50 // n
    left, top = (WIDTH - n * cell) / 2, (HEIGHT - n * cell) / 2
    tiles = [o for o in outlines(drawn(f"{n}-{pattern}").face) if o.fill == INK and len(points(o.ops)) == 6]
    lit = {(int((y - top) // cell) + 1, int((x - left) // cell) + 1) for x, y in map(middle, tiles)}
    asked = ask("cells", card=pattern, orientation="attack", seat="S", n=n, options={"patterns": "lines_x_all"})
    assert lit == {(row, column) for row, column in asked["cells"]}
    assert len(tiles) == len(lit) and all(max(extent(tile)) < cell for tile in tiles)


@every("n", SIZES)
def test_one_pointer_points_to_the_top_edge(n: int) -> None:
    """A pattern card has one triangle, 10 mm wide, centred above the grid, its tip to the top edge (G-10, G-97)."""
    triangles = [o for o in outlines(drawn(f"{n}-X").face) if o.fill and len(points(o.ops)) == 3]
    (pointer,) = triangles
    corners = points(pointer.ops)
    tip = min(corners, key=lambda point: point[1])
    assert pointer.fill == SIGNAL and near((extent(pointer)[0], tip[0]), (10, WIDTH / 2))
    assert max(y for _, y in corners) < (HEIGHT - n * (50 // n)) / 2


def test_id_stands_in_the_bottom_right_corner_and_shows_in_a_hand() -> None:
    """The id is at the lower right: upside down it tells that the card defends (G-97); and large at the upper left."""
    runs = [run for run in walk(drawn("5-V3").face.shapes) if isinstance(run, Run)]
    shown, told = [run for run in runs if run.text == "V3"]
    assert to_mm(told.x) > WIDTH / 2 and to_mm(told.y) > HEIGHT * 0.9
    assert to_mm(shown.x + shown.width) < 10 and to_mm(shown.y) < 10 and round(to_points(shown.size)) == 14


# --- the back


def test_every_pattern_card_has_the_same_back() -> None:
    """All pattern cards of all fields share one back; that of a grid card shows its place (G-98)."""
    backs = {found.type: templates_of(game("guarda"), found)[1] for found in pool()}
    assert backs == {"pattern": "back.svg", "grid": "field-back.svg"}
    assert not any(isinstance(shape, Run) for shape in walk(back().shapes))


def marks(face: Face, turned: bool) -> list[tuple[str, str, int, frozenset[Point]]]:
    """Fill, line and points of every shape in tenths of a millimetre, as it is or turned by half a turn."""
    width, height = to_mm(face.size.width), to_mm(face.size.height)

    def at(point: Point) -> Point:
        x, y = (width - point[0], height - point[1]) if turned else point
        return round(x, 1) + 0.0, round(y, 1) + 0.0

    return [
        (o.fill or "", o.stroke.colour if o.stroke else "", o.stroke.width if o.stroke else 0, frozenset(ends))
        for o in outlines(face)
        for ends in [[at(point) for point in points(o.ops)]]
    ]


def twins(face: Face, of: Face) -> Iterator[bool]:
    """For each shape whether the other face has one where it comes to lie by half a turn."""
    here = marks(of, False)
    for *paint, ends in marks(face, True):
        yield any(paint == other and _close(ends, theirs) for *other, theirs in here)


def _close(ends: frozenset[Point], theirs: frozenset[Point]) -> bool:
    return all(any(abs(x - a) < 0.15 and abs(y - b) < 0.15 for a, b in theirs) for x, y in ends)


def test_back_is_the_same_after_a_half_turn() -> None:
    """Turned by 180 degrees the back has every shape where it had one before, so it tells no orientation (G-98)."""
    assert all(twins(back(), back()))


def picture(face: Face) -> Image.Image:
    return Image.open(io.BytesIO(png(face, workshop().kit.book, {}, 200))).convert("L")


@usually("size", ["63x88mm", "2.5x3.5in", "3x5in", "5x8in"])
@usually("ink", ["full", "light", "text"])
def test_back_looks_the_same_after_a_half_turn(ink: str, size: str) -> None:
    """The back and the same turned differ by no more than edges do, in little ink and on large cards too (G-98).

    Every shape has its twin. On the largest card, for which there is no layout, up to 16 pixels at the corners of thin
    lines are some shades lighter or darker.
    """
    face = InkSaver(ink).face(back(Size.parse(size)))
    assert all(twins(face, face))
    shown = Image.open(io.BytesIO(png(face, workshop().kit.book, {}, 200))).convert("L")
    turned = shown.transpose(Image.Transpose.ROTATE_180)
    shades = ImageChops.difference(shown, turned).histogram()
    assert sum(shades[11:]) <= (16 if size == "5x8in" else 0)
    assert sum(shades[33:]) == 0


# --- the field on six cards

FIVE_COLUMNS = (
    {1: (9.5, 43.5), 2: (43.5, 63)},
    {2: (0, 14.5), 3: (14.5, 48.5), 4: (48.5, 63)},
    {4: (0, 19.5), 5: (19.5, 53.5)},
)
FIVE_ROWS = ({1: (3, 37), 2: (37, 71), 3: (71, 88)}, {3: (0, 17), 4: (17, 51), 5: (51, 85)})
SIX_COLUMNS = (
    {1: (10.5, 38.5), 2: (38.5, 63)},
    {2: (0, 3.5), 3: (3.5, 31.5), 4: (31.5, 59.5), 5: (59.5, 63)},
    {5: (0, 24.5), 6: (24.5, 52.5)},
)
SIX_ROWS = ({1: (4, 32), 2: (32, 60), 3: (60, 88)}, {4: (0, 28), 5: (28, 56), 6: (56, 84)})


def bands(edges: Iterable[float], size: int) -> Bands:
    """The cells between lines, each with what of it lies on a card of that size, numbered from 1."""
    cells = enumerate(pairwise(sorted(edges)), 1)
    shown = {k: (max(0.0, a), min(float(size), b)) for k, (a, b) in cells}
    return {k: span for k, span in shown.items() if span[1] - span[0] > 0.01}


def lines(face: Face, axis: int, n: int) -> set[float]:
    """Where the lines of the field stand on a face: those between the cells, and the frame."""
    long = n * (170 // n)
    found: set[float] = set()
    for outline in outlines(face):
        if outline.stroke and outline.stroke.colour == INK:
            first = outline.ops[0][1]
            ops = [("L", first) if letter == "Z" else (letter, n) for letter, n in outline.ops if letter in "MLZ"]
            ends = [(letter, to_mm(n[axis]), to_mm(n[1 - axis])) for letter, n in ops]
            for (_, place, start), (letter, same, end) in pairwise(ends):
                if letter == "L" and abs(place - same) < 0.01 and abs(end - start) > long - 0.01:
                    found.add(round(place, 2))
    return found


@pytest.mark.parametrize(("n", "columns", "rows"), [(5, FIVE_COLUMNS, FIVE_ROWS), (6, SIX_COLUMNS, SIX_ROWS)])
def test_grid_cards_are_cut_as_the_tables_say(n: int, columns: tuple[Bands, ...], rows: tuple[Bands, ...]) -> None:
    """On F1 to F6 the columns and rows of the field lie where the tables for 5×5 and 6×6 have them (G-100)."""
    for at, name in enumerate(GRIDS):
        face = drawn(f"{n}-{name}").face
        assert bands(lines(face, 0, n), WIDTH) == columns[at % 3], name
        assert bands(lines(face, 1, n), HEIGHT) == rows[at // 3], name


@usually("n", SIZES)
def test_grid_cards_make_one_picture(n: int) -> None:
    """Cells are floor(170 / n) mm wide and centred on three by two cards, whatever the field (G-100)."""
    cell = 170 // n
    for at, name in enumerate(GRIDS):
        for axis, (place, whole, size) in enumerate(zip((at % 3, at // 3), POSTER, (WIDTH, HEIGHT), strict=True)):
            first = (whole - n * cell) / 2 - place * size
            expected = [round(first + k * cell, 2) for k in range(n + 1)]
            assert sorted(lines(drawn(f"{n}-{name}").face, axis, n)) == expected, name


@usually("n", SIZES)
@usually(("one", "other"), [("F1", "F6"), ("F2", "F5"), ("F3", "F4")])
def test_grid_cards_are_three_faces(n: int, one: str, other: str) -> None:
    """F6 is F1 turned by half a turn, F5 is F2, F4 is F3 (G-100)."""
    assert all(twins(drawn(f"{n}-{one}").face, drawn(f"{n}-{other}").face))


@every("n", SIZES)
def test_a_ring_marks_the_hill(n: int) -> None:
    """The ring for King of the Hill lies in the centre cell, on an even field in the middle of four (G-90, G-100)."""
    circles = [o for o in outlines(drawn(f"{n}-F2").face) if o.stroke and o.stroke.colour == SIGNAL]
    (ring,) = circles
    assert near(middle(ring), (WIDTH / 2, HEIGHT))
    reach = max(((to_mm(n[-2]) - WIDTH / 2) ** 2 + (to_mm(n[-1]) - HEIGHT) ** 2) ** 0.5 for _, n in ring.ops if n)
    most = (170 // n) * (0.5 if n % 2 else 1)
    assert 0.6 * most < reach < most


def test_diagonals_are_marked_where_they_count() -> None:
    """Diagonal cells are marked on the field where the usual deck has X, and not where it has lines alone (G-16)."""
    assert print.field_data(SPEC, 5)["crossed"] and not print.field_data(SPEC, 6)["crossed"]


# --- sample decks


def test_a_deck_for_every_format() -> None:
    """Each field has one sample deck that names it as its format."""
    told = [Path(path).read_text("utf-8") for path in game("guarda").folder.decks]
    formats = [line.partition(": ")[2] for text in told for line in text.splitlines() if line.startswith("Format")]
    assert sorted(formats) == list(SPEC.formats)


@pytest.mark.parametrize("size", ["index-3x5", "index-5x7"])
def test_larger_card_has_measures_of_its_own(size: str) -> None:
    """On a larger card pattern, back and field fill the card, and the cells share more than they would enlarged."""
    whole = card_size(size)
    bank = FaceBank(workshop(), whole)
    for ref in ("5-V3", "8-X", "5-F1"):
        one = card(ref)
        for number in (bank.front(one), bank.back(one)):
            if number is not None:
                face = bank[number]
                ground = next(shape for shape in walk(face.shapes) if isinstance(shape, Outline))
                xs, ys = zip(*(numbers for _, numbers in ground.ops if numbers), strict=True)
                assert min(xs) <= 20 and max(xs) >= whole.width - 20
                assert min(ys) <= 20 and max(ys) >= whole.height - 20
    assert list(bank.findings) == []
    usual, larger = (SPEC.data["faces"]["sizes"][key] for key in ("usual", size))
    enlarged = min(larger["width"] / usual["width"], larger["height"] / usual["height"])
    assert larger["pattern"]["room"] > usual["pattern"]["room"] * enlarged


def test_reference_cards_are_drawn_anew_for_3x5() -> None:
    """On a card of 3 × 5 inches a reference card fills the whole card, and every word fits."""
    whole = card_size("index-3x5")
    bank = FaceBank(workshop(), whole)
    for name in ("quick-reference", "advice", "mapping-aid", "mapping-table", "mode-card", "seats"):
        face = bank[bank.plain(f"{name}.svg", {}, name)]
        ground = next(shape for shape in walk(face.shapes) if isinstance(shape, Outline))
        ys = [numbers[-1] for _, numbers in ground.ops if numbers]
        assert min(ys) <= 50 and max(ys) >= whole.height - 50
    assert list(bank.findings) == []
