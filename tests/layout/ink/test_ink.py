"""Faces with little ink: what stays, what becomes of colours, and how much ink there is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from io import BytesIO
from pathlib import Path as File

import pikepdf
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageStat

from carddb.cards.cards import Pool
from carddb.core.units import Box, Size
from carddb.games import Game, folders, load
from carddb.layout.display_list import Face, Group, Path, PlacedImage, Run, Shape, Stroke, rectangle, walk
from carddb.layout.drawing.bleed import span_of
from carddb.layout.drawing.legibility import notes
from carddb.layout.drawing.path import Extent, ellipse, place
from carddb.layout.ink import _RHYTHMS, InkSaver, coverage, hatch_of, hatching, level, paler_lines
from carddb.paint.rasterizer import png
from carddb.press.components.components import print_components
from carddb.press.faces.bank import FaceBank
from carddb.press.faces.workshop import Workshop, open_workshop
from carddb.press.sheets.options import SheetOptions
from carddb.press.sheets.sheets import print_cards
from carddb.read.cards.file import CardReading, read_cards
from tests.benchmarks.inputs import COLOURS, write_project
from tests.paint.display_dump import dump
from tests.paint.samples import CARD, book, picture, run
from tests.rows import every, usually

Numbers = Callable[[FaceBank], dict[str, int | None]]
"""The numbers of some faces in a bank, by their names."""
Choose = Callable[[Game, slice], tuple[Workshop, Numbers]]

HUES = ("#b03030", "#d08020", "#e0c020", "#309040", "#20a0a0", "#3060b0", "#8040a0", "#b03080", "#202020", "#888888")
KEY, DATA = picture()


def box(x: int, y: int, width: int, height: int, fill: str | None, stroke: Stroke | None = None) -> Path:
    return Path(rectangle(Box(x, y, width, height)), fill, stroke)


def words(text: str, x: int, y: int, colour: str, size: int = 3175) -> Run:
    return run(text, x, y, size=size)._replace(colour=colour)


def colours(shapes: Sequence[Shape]) -> set[str]:
    """Every colour that some shapes are drawn with."""
    found: set[str] = set()
    for shape in walk(tuple(shapes)):
        if isinstance(shape, Path):
            found |= {colour for colour in (shape.fill, shape.stroke and shape.stroke.colour) if colour}
        elif isinstance(shape, Run):
            found.add(shape.colour)
    return found


def raster(face: Face, dpi: int = 300) -> Image.Image:
    """A face as pixels."""
    return Image.open(BytesIO(png(face, book(), {KEY: DATA}, dpi))).convert("RGB")


def dark(image: Image.Image) -> float:
    """The mean darkness of an image, 0 to 1."""
    return 1 - sum(ImageStat.Stat(image).mean) / 765


lengths = st.integers(0, 90_000)
hexes = st.integers(0, 0xFFFFFF).map(lambda number: f"#{number:06x}")
boxes = st.builds(Box, lengths, lengths, st.integers(1, 60_000), st.integers(1, 60_000))
dashes = st.lists(st.integers(0, 6000), max_size=4).map(tuple)
strokes = st.builds(Stroke, hexes, st.integers(1, 6000), dash=dashes)
paths = st.builds(Path, boxes.map(rectangle), st.none() | hexes, st.none() | strokes, st.booleans(), st.none())
discs = st.builds(
    lambda x, y, r, fill: Path(place(ellipse(x, y, r, r), (1, 0, 0, 1, 0, 0)), fill),
    lengths, lengths, st.integers(1, 20_000), hexes,
)  # fmt: skip
texts = st.builds(words, st.just("Sacred Band"), lengths, lengths, hexes, st.integers(2117, 9000))
pictures = st.builds(PlacedImage, st.just(KEY), boxes, boxes)
leaves = st.one_of(paths, discs, texts, pictures)
groups = st.builds(
    Group, st.lists(leaves, max_size=4).map(tuple), st.just(()) | boxes.map(rectangle), st.booleans(),
    st.integers(0, 1000),
)  # fmt: skip
faces = st.builds(Face, st.just(CARD), st.lists(leaves | groups, max_size=8).map(tuple))


@given(faces)
def test_text_mode_knows_black_and_white_and_no_picture(face: Face) -> None:
    """Whatever is drawn, in text mode it is black or white, and no picture is left."""
    bare = InkSaver("text").face(face)
    assert colours(bare.shapes) <= {"#000000", "#ffffff"}
    assert not any(isinstance(shape, PlacedImage) for shape in walk(bare.shapes))


@given(faces)
def test_light_mode_is_grey_and_loses_no_word_that_was_seen(face: Face) -> None:
    """In light mode every colour is a grey; texts stay at their places, and all but faint groups keep theirs."""
    light = InkSaver("light").face(face)
    assert all(c[1:3] == c[3:5] == c[5:7] for c in colours(light.shapes))
    shown = [s for s in face.shapes if not (isinstance(s, Group) and s.opacity < 350)]
    before = [(s.x, s.y, s.text) for s in walk(tuple(shown)) if isinstance(s, Run)]
    assert [(s.x, s.y, s.text) for s in walk(light.shapes) if isinstance(s, Run)] == before


@given(faces, st.sampled_from(["light", "text"]))
def test_a_face_is_lightened_the_same_each_time(face: Face, mode: str) -> None:
    """Anew, or by a lightener that has seen it and others before: the same shapes."""
    kept = InkSaver(mode)
    assert dump(InkSaver(mode).face(face)) == dump(kept.face(face)) == dump(kept.face(face))


@given(faces)
def test_full_is_the_face_itself(face: Face) -> None:
    """Full ink changes nothing."""
    assert InkSaver("full").face(face) is face


@given(st.integers(0, 359), st.integers(0, 359), st.floats(0.4, 1), st.floats(0.3, 1))
def test_hues_far_apart_have_different_patterns(one: int, other: int, saturation: float, value: float) -> None:
    """Hues more than 90° apart never share a pattern, and a colour always has the same."""
    import colorsys

    def colour(hue: int) -> str:
        return "#" + "".join(f"{round(c * 255):02x}" for c in colorsys.hsv_to_rgb(hue / 360, saturation, value))

    first, second = hatch_of(colour(one)), hatch_of(colour(other))
    assert hatch_of(colour(one)) == first
    if first and second and 92 < abs(one - other) < 268:
        assert first.pattern != second.pattern


def test_ten_colours_have_ten_patterns() -> None:
    """Ten colours that one can name are told apart, and those that heraldry names as it tells them."""
    marks = [hatch_of(hue) for hue in HUES]
    assert len({m.pattern for m in marks if m}) == len({_RHYTHMS[m.pattern] for m in marks if m}) == len(HUES)
    named = {
        "#d00000": "vertical",
        "#0000d0": "horizontal",
        "#008000": "falling",
        "#800080": "rising",
        "#e0c000": "dots",
    }
    assert {colour: m.pattern for colour in named if (m := hatch_of(colour))} == named
    assert hatch_of("#ffffff") is None


@given(st.sampled_from(HUES), boxes)
def test_hatchings_stay_in_their_rectangle_and_go_on_in_each_other(hue: str, area: Box) -> None:
    """The lines of a hatching begin and end in its rectangle, dashes at most a pitch before it."""
    sign = hatch_of(hue)
    assert sign
    for path in hatching(sign, Extent(area.x, area.y, area.right, area.bottom), "#808080", 100):
        for _, (x, y) in path.ops:
            assert area.x - 2 * sign.pitch <= x <= area.right and area.y <= y <= area.bottom


@every("mode", ["light", "text"])
@every("ground, ink", [("#8b1a1a", "#ffffff"), ("#101010", "#eeeeee"), ("#f0e8d0", "#301008")])
def test_words_can_be_read_on_what_their_ground_became(mode: str, ground: str, ink: str) -> None:
    """Light words on a dark ground and dark ones on a light ground pass inspection, and stand on clear white."""
    title = words("Hannibal", 12000, 30000, ink, 5000)
    face = Face(CARD, (box(5000, 10000, 60000, 30000, ground), title))
    light = InkSaver(mode).face(face)
    assert notes(light) == []
    bare = Face(CARD, tuple(shape for shape in light.shapes if not isinstance(shape, Run)))
    left, top, right, foot = (round(n * 300 / 25400) for n in (title.x, title.y - 3500, title.x + title.width, title.y))
    around = raster(bare).crop((left, top, right, foot))
    assert dark(around) < 0.001


def test_a_white_sign_on_a_dark_ground_is_still_seen() -> None:
    """Large white shapes keep their outline, thin ones become dark."""
    ground = box(0, 0, 76200, 127000, "#20406a")
    large, thin = box(20000, 20000, 20000, 20000, "#ffffff"), box(20000, 60000, 20000, 600, "#ffffff")
    shapes = InkSaver("text").face(Face(CARD, (ground, large, thin))).shapes
    made = {shape.ops: shape for shape in shapes if isinstance(shape, Path)}
    assert made[large.ops].stroke is not None
    assert made[thin.ops].fill == "#000000"


def test_a_sign_of_an_enlarged_drawing_stays_filled_as_at_its_own_size() -> None:
    """A bar that is solid at the size of its drawing is solid where the drawing is enlarged; else it is an outline."""
    bar = box(20000, 60000, 20000, 600, "#000000")
    enlarged, drawn = (InkSaver("text").face(Face(CARD, (bar,), scale=scale)).shapes[0] for scale in (1.7, 1.0))
    assert isinstance(enlarged, Path) and isinstance(drawn, Path)
    assert (enlarged.fill, drawn.fill) == ("#000000", "#ffffff")


def test_a_sign_on_a_hatching_stands_on_white_up_to_the_edge_near_by() -> None:
    """A small group on a hatched area gets white under it, up to the edges near by; a large one does not."""
    stripe = box(0, 0, 13000, 60000, "#b03030")
    sign = Group((box(4000, 9000, 5000, 3000, "#ffffff"),))
    _, white, _ = InkSaver("text").face(Face(CARD, (Group((stripe,)), sign))).shapes
    assert isinstance(white, Path) and white.fill == "#ffffff"
    span = span_of(white)
    assert span and span.left < 100 and span.right > 12900 and 8000 < span.top < span.bottom < 13000
    wide = Group((box(0, 0, 60000, 60000, "#b03030"),))
    large = Group((box(9000, 9000, 30000, 30000, "#ffffff"),))
    assert len(InkSaver("text").face(Face(CARD, (wide, large))).shapes) == 2


def test_a_coloured_band_stays_white_within_its_outline() -> None:
    """An area that is low and long, as behind a name, has no hatching; its outline is half a point in light."""
    band = box(3000, 3000, 60000, 10000, "#3b69a4")
    [white] = InkSaver("light").face(Face(CARD, (band,))).shapes
    assert isinstance(white, Path) and white.fill == "#ffffff" and white.stroke and white.stroke.width == 176
    assert len(InkSaver("light").face(Face(CARD, (box(3000, 3000, 60000, 40000, "#3b69a4"),))).shapes) > 1


def test_text_leaves_drawings_out_of_their_windows() -> None:
    """A clipped drawing and its frame are left out in text, and stay in light; of a narrow one the outline stays."""
    window = box(8000, 20000, 50000, 30000, "#ffffff").ops
    inner = (box(0, 0, 30000, 60000, "#b03030"), box(30000, 0, 30000, 60000, "#3b69a4"))
    drawing, frame = Group(inner, window), Path(window, None, Stroke("#000000", 500))
    assert InkSaver("text").face(Face(CARD, (drawing, frame))).shapes == ()
    emblem = Group(inner, box(8000, 20000, 20000, 30000, "#ffffff").ops)
    outline = InkSaver("text").face(Face(CARD, (emblem,))).shapes
    assert {shape.ops for shape in outline if isinstance(shape, Path)} == {emblem.clip}
    [kept] = InkSaver("light").face(Face(CARD, (drawing,))).shapes
    assert isinstance(kept, Group)


def test_a_grey_copy_tells_two_colours_apart() -> None:
    """Red and green of one grey, which a grey copy would make the same, differ in every third pixel or more."""
    red, green = "#c03030", "#238023"
    assert abs(level(red) - level(green)) < 12
    prints = [
        raster(InkSaver("light").face(Face(Size(20000, 20000), (box(-1, -1, 20002, 20002, colour),))), 300).convert("1")
        for colour in (red, green)
    ]
    one, two = (image.tobytes() for image in prints)
    assert sum((a ^ b).bit_count() for a, b in zip(one, two, strict=True)) > 2000


@given(faces)
def test_coverage_is_a_share(face: Face) -> None:
    """An estimate is between nothing and all, whatever is drawn."""
    assert 0 <= coverage(face) <= 1


@pytest.mark.parametrize("colour", ["#000000", "#808080", "#c03030"])
def test_coverage_of_plain_fills_is_exact(colour: str) -> None:
    """Half a page in a colour, partly covered by white: to a thousandth."""
    size = Size(60000, 90000)
    shapes = (box(0, 0, 30000, 90000, colour), box(0, 0, 15000, 90000, "#ffffff"))
    channels = sum(int(colour[i : i + 2], 16) for i in (1, 3, 5))
    assert abs(coverage(Face(size, shapes)) - Fraction(765 - channels, 765 * 4)) <= Fraction(1, 1000)


@pytest.mark.full
def test_coverage_agrees_with_pixels(workshop: Workshop, pool: Pool) -> None:
    """Of sample cards the estimate is within a seventh of the darkness of their pixels, and 0.3 % of the card."""
    for mode in ("full", "light", "text"):
        bank = FaceBank(workshop, ink=mode)
        for card in list(pool)[::40]:
            face = bank[bank.front(card)]
            image = Image.open(BytesIO(png(face, workshop.kit.book, {}, 300))).convert("RGB")
            real = dark(image)
            assert abs(float(coverage(face)) - real) <= real / 7 + 0.003


def tidewrack(folder: File) -> tuple[Workshop, Pool]:
    """A game with coloured frames and art: nine of its cards, all with one picture."""
    project = write_project(folder, 60, pictures=False)
    game, _ = load(folders([(folder / "tidewrack", True)])["tidewrack"])
    assert game
    file = read_cards(project.cards, CardReading(game.spec, "s", folder))
    Image.new("RGB", (600, 420), "#5a6a78").save(folder / "sea.png")
    pool = Pool(game.spec.card(record.ref, {**record.values, "art": "sea.png"}) for record in file.records[:9])
    return open_workshop(game, pool, folder), pool


def test_cards_in_colour_need_a_quarter_of_the_ink(tmp_path: File) -> None:
    """Cards with a frame in colour and art take less than a quarter of their ink, and pass inspection."""
    workshop, pool = tidewrack(tmp_path)
    full, light = FaceBank(workshop), FaceBank(workshop, ink="light")
    whole = sum(coverage(full[full.front(card)]) for card in pool)
    less = sum(coverage(light[light.front(card)]) for card in pool)
    assert 0 < 4 * less < whole
    assert light.findings == []
    assert all(notes(light[number]) == [] for number in range(len(list(pool))))


def card_faces(game: Game, some: slice) -> tuple[Workshop, Numbers]:
    """Some cards of a game and a back."""
    cards = [*game.own_cards][some]
    return open_workshop(game, cards), lambda bank: {
        **{card.ref: bank.front(card) for card in cards},
        "back": bank.back(cards[0]),
    }


def component_faces(game: Game, some: slice) -> tuple[Workshop, Numbers]:
    """Some faces of the components of a game."""
    faces = [
        (f"{name} {number} {template}", template, row)
        for name, part in game.spec.components.items()
        for number, row in enumerate(part.faces)
        for template in dict.fromkeys((part.template, part.back))
        if template and template != "same"
    ][some]
    return open_workshop(game, ()), lambda bank: {
        name: bank.plain(template, {**row, "deck": {}}, name) for name, template, row in faces
    }


@usually("key", sorted(folders()), "rishar")
@usually(("choose", "some"), [(card_faces, slice(10, None, 100)), (component_faces, slice(3, None, 30))])
def test_text_takes_the_least_ink_and_light_less_than_full(choose: Choose, some: slice, key: str) -> None:
    """Of some cards, backs and components of every game, text takes no more ink than light, light no more than full."""
    check_ink(key, choose, some)


@pytest.mark.full
@pytest.mark.parametrize("key", sorted(folders()))
@pytest.mark.parametrize("choose", [card_faces, component_faces])
def test_no_face_takes_more_ink_in_light_or_text(choose: Choose, key: str) -> None:
    """Of every card and every face of a component, text takes no more ink than light, and light no more than full."""
    check_ink(key, choose, slice(None))


def check_ink(key: str, choose: Choose, some: slice) -> None:
    game, _ = load(folders()[key])
    assert game
    workshop, numbers = choose(game, some)
    inks: dict[str, dict[str, Fraction]] = {}
    for mode in ("full", "light", "text"):
        bank = FaceBank(workshop, ink=mode)
        inks[mode] = {name: coverage(bank[number]) for name, number in numbers(bank).items() if number is not None}
    for name, full in inks["full"].items():
        assert inks["text"][name] <= inks["light"][name] <= full, name


@pytest.mark.parametrize("mode", ["light", "text"])
def test_a_black_ground_of_a_whole_face_is_white(mode: str) -> None:
    """Light drawings on black stand on bare paper: no hatching runs through them."""
    ground, star = box(-1, -1, 10002, 10002, "#121110"), box(4000, 4000, 800, 2000, "#ffffff")
    face = Face(Size(10000, 10000), (ground, star))
    assert [shape.fill for shape in walk(InkSaver(mode).face(face).shapes) if isinstance(shape, Path)] == [
        "#ffffff",
        "#000000",
    ]


def test_an_ornament_is_left_out_of_text() -> None:
    """In black alone a line that hardly stood out from its ground is gone, another thinner if it was grey."""
    strokes = (Stroke("#aebbc8", 100), Stroke("#5c6468", 200), Stroke("#000000", 200))
    shapes = tuple(Path(rectangle(Box(9000 * n, 9000, 5000, 5000)), None, one) for n, one in enumerate(strokes))
    kept = [shape.stroke for shape in InkSaver("text").face(Face(CARD, shapes, "")).shapes if isinstance(shape, Path)]
    assert len(kept) == 2 and kept[0] and kept[1] and kept[0].width < kept[1].width


def test_types_of_card_keep_different_marks() -> None:
    """The six frames that colours told apart are six patterns."""
    assert len({hatch_of(colour) for colour in COLOURS.values()}) == len(COLOURS)


def operators(data: bytes) -> set[str]:
    """The colour operators of a PDF's pages and forms."""
    pdf = pikepdf.open(BytesIO(data))
    streams = [*pdf.pages, *(o for o in pdf.objects if isinstance(o, pikepdf.Stream) and o.get("/Subtype") == "/Form")]
    names = {str(each.operator) for stream in streams for each in pikepdf.parse_content_stream(stream)}
    return names & {"rg", "RG", "k", "K", "sc", "SC", "scn", "SCN", "gs", "sh"}


@usually("size", ["", "poker"])
@usually("mode", ["light", "text"])
def test_no_coloured_operator_is_printed(workshop: Workshop, pool: Pool, mode: str, size: str) -> None:
    """Cards of every type and their backs, furniture included, are printed with the grey operators alone."""
    cards = list({card.type: card for card in pool}.values())
    options = SheetOptions(ink=mode, card_size=size)
    printed = print_cards(workshop, [(card, 1) for card in cards], options, "t")
    assert operators(printed.data) == set() and printed.findings == ()
    again = print_cards(workshop, [(card, 1) for card in cards], options, "t")
    assert again.data == printed.data
    assert printed.ink and "of the page" in str(printed.ink())


@pytest.mark.full
def test_components_and_sample_cards_pass_inspection_with_little_ink(workshop: Workshop, pool: Pool) -> None:
    """What `--ink` makes of components and cards reads as well: contrast, size and place."""
    printed = print_components(workshop, [], SheetOptions(ink="text"))
    assert operators(printed.data) == set()
    for mode in ("light", "text"):
        bank = FaceBank(workshop, ink=mode)
        for card in list(pool)[::6]:
            assert notes(bank[bank.front(card)]) == []


@pytest.mark.parametrize("mode", ["light", "text"])
def test_counters_are_outlined_in_black_half_a_point_wide(mode: str) -> None:
    """A black or coloured counter is white with a black outline of 0.5 pt: no hatching, and no hairline at the cut."""
    size, red = Size(16_000, 16_000), "#8c2332"
    for fill, stroke in (("#1e1b18", None), (red, None), (None, Stroke(red, 500))):
        (outline,) = InkSaver(mode).shapes((box(2000, 2000, 12_000, 12_000, fill, stroke),), size)
        assert isinstance(outline, Path) and outline.fill in (None, "#ffffff")
        assert outline.stroke and (outline.stroke.colour, outline.stroke.width) == ("#000000", 176)


def test_hairlines_of_a_small_picture_are_paler() -> None:
    """A line half as wide as the least one has half its colour; wide lines and fills stay, in groups too."""
    ops = rectangle(Box(0, 0, 1000, 1000))
    thin, wide, filled = (
        Path(ops, stroke=Stroke("#000000", 50)),
        Path(ops, stroke=Stroke("#000000", 100)),
        Path(ops, "#000000"),
    )
    (group,) = paler_lines((Group((thin, wide, filled)),), 100)
    assert isinstance(group, Group)
    assert group.shapes == (Path(ops, stroke=Stroke("#808080", 50)), wide, filled)
