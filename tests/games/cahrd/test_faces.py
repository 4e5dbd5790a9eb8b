"""C.A.H.R.D.: fronts with their pictures, and backs."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations, pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from carddb.cards.cards import Card
from carddb.core.units import mm, to_points
from carddb.findings import CardCount
from carddb.games.cahrd.print import faces
from carddb.games.cahrd.print.campaign import CampaignPlace, Region, chart_of, land_in, places_of
from carddb.games.cahrd.print.pen import Chance, PictureWindow, Point, inside
from carddb.games.cahrd.print.requisition import COMPOSITIONS
from carddb.layout.display_list import Face, Group, Path, Run, Shape, walk
from carddb.layout.drawing.face import draw
from carddb.layout.stock import card_size
from carddb.paint.rasterizer import png
from carddb.press.faces.bank import FaceBank
from tests.games.cahrd.print_samples import POKER, card, component, face_of, messages, told, words, workshop
from tests.games.cahrd.sample_cards import POOL
from tests.games.cahrd.samples import OWN, SPEC
from tests.golden.comparison import png_picture
from tests.rows import every, usually

LONG_NAME = "Maria Theresia of the Danubian Marches I"
SENTENCE = (
    "When an enemy officer declares an attack, choose one of your lieutenants: it has +1 WAR until the End Step. "
)
LONG: Mapping[str, dict[str, Any]] = {
    "officer": {"trait": SENTENCE * 5, "native": "Βασίλισσα", "realm": "The Holy Roman Empire", "date": "1717–1780"},
    "item": {"effect": SENTENCE * 6, "disregards": True, "trigger": True, "continuous": True, "reserve_cost": 12345},
    "tactic": {"effect": SENTENCE * 5, "extra_cost": "Discard two cards from your hand.", "disregards": True},
    "strategy": {"requirement": SENTENCE, "effect": SENTENCE * 4, "disregards": True},
}


@every("kind", OWN)
def test_face_draws_without_a_finding(kind: str) -> None:
    """A card with nothing but what it must have is a poker card on which all can be read (PC-1)."""
    result = face_of(card(kind))
    assert messages(result.findings) == []
    assert result.face.size == POKER


@every("kind", OWN)
@every("flavour", ["", "A short line.", "A line of flavour text that is told at great length. " * 4])
def test_long_texts_fit(kind: str, flavour: str) -> None:
    """The longest texts and a name of forty letters fit, and a size much below its own is told."""
    assert len(LONG_NAME) == 40
    long = card(kind, LONG_NAME, **LONG[kind], flavor=flavour, era="Early modern", source="after an old chronicle")
    assert {finding.code for finding in face_of(long).findings} <= {"text_shrunk"}


@pytest.mark.full
def test_every_sample_card_prints_its_flavour() -> None:
    """No sample card's text is so long that its flavour text is left out, and none draws with a finding."""
    for one in POOL:
        result = face_of(one)
        assert messages(result.findings) == [], one.name
        assert str(one.get("flavor")).split()[-1] in told(result.face), one.name


@pytest.mark.parametrize("kind", [kind for kind in OWN if kind != "officer"])
def test_words_take_the_room_of_a_picture_left_out(kind: str) -> None:
    """In text ink, which leaves pictures out, the rules of a card begin higher and are larger."""
    drawn = [FaceBank(workshop(), ink=ink) for ink in ("full", "text")]
    runs = [[run for run in walk(bank[bank.front(card(kind))].shapes) if isinstance(run, Run)] for bank in drawn]
    full, text = (next(run for run in side if run.field in ("effect", "requirement")) for side in runs)
    assert text.y < full.y - mm(10) and text.size > full.size


def test_officer_without_a_trait_fits() -> None:
    """A missing trait leaves its place to the flavour text, or empty."""
    for values in ({"trait": ""}, {"trait": "", "flavor": "She asked for no mercy."}):
        assert messages(face_of(card("officer", **values)).findings) == []


@every("name", ["Ada Example", LONG_NAME])
@every("native", ["", "Αδα"])
@every("realm", ["", "Kush", "The United Kingdoms of the Upper and the Lower River, and the Isles"])
def test_head_of_an_officer_fits(name: str, native: str, realm: str) -> None:
    """Name, name in its own script, realm and date stand in the head together; what has no room is left out."""
    assert messages(face_of(card("officer", name, native=native, realm=realm, date="1st century BCE")).findings) == []


@every("men, cost", [(1, 0), (8, 25_000), (9, 7_500), (120, 125_000)])
def test_any_figure_fits(men: int, cost: int) -> None:
    """Men and costs of any size fit, and the cost is told in thousands where it is round (C-17, C-18)."""
    face = face_of(card("officer", men=men, recruitment_cost=cost))
    assert messages(face.findings) == []
    assert str(men) in words(face.face)
    assert (f"{cost:,}" if cost % 1000 or not cost else str(cost // 1000)) in words(face.face)


def test_stats_form_the_diamond() -> None:
    """LDR stands above, WAR right, INT below, CHM left, each rank over its word (C-11), a printed S too (C-13)."""
    face = face_of(card("officer", ldr="S", war=2, int=3, chm=4, men=6)).face
    at = {run.text: run for run in walk(face.shapes) if isinstance(run, Run)}
    assert at["S"].y < at["2"].y == at["4"].y < at["3"].y
    assert at["4"].x < at["S"].x < at["2"].x and at["4"].x < at["3"].x < at["2"].x
    for rank, word in zip("S234", ("LDR", "WAR", "INT", "CHM"), strict=True):
        assert 0 < at[word].y - at[rank].y < mm(3)


def test_faces_have_the_colours_of_the_rules() -> None:
    """Officers are white, items blue, tactics purple, strategies brown (C-6, C-7, C-8, C-9)."""
    colours = faces.colours(SPEC)
    fills = {kind: [s.fill for s in walk(face_of(card(kind)).face.shapes) if isinstance(s, Path)] for kind in OWN}
    assert {fill[0] for fill in fills.values()} == {"#ffffff"} == {colours["officer"]["tint"]}
    assert all(colours[kind]["tint"] in fills[kind][:3] for kind in OWN)
    assert len({colours[kind]["tint"] for kind in OWN}) == 4


@every("kind", OWN)
def test_a_missed_cut_shows_no_sliver(kind: str) -> None:
    """Within two millimetres of the cut every face is white, so that a neighbour's edge is not seen beside it."""
    picture = png_picture(png(face_of(card(kind)).face, workshop().kit.book, {}, 100)).convert("L")
    wide, tall, edge = *picture.size, 7
    for strip in ((0, 0, wide, edge), (0, tall - edge, wide, tall), (0, 0, edge, tall), (wide - edge, 0, wide, tall)):
        assert picture.crop(strip).getextrema() == (255, 255)


def test_types_are_told_without_colour() -> None:
    """Each type has its own mark at the head, and all but the officer their name beside it."""
    for kind in ("item", "tactic", "strategy"):
        assert kind.upper() in words(face_of(card(kind)).face)
    marks = {kind: outlines(face_of(card(kind)).face, mm(3.8), mm(7.8), mm(10.1), mm(17.5)) for kind in OWN}
    assert all(marks.values())
    assert len({frozenset(found) for found in marks.values()}) == 4


def outlines(face: Face, left: int, top: int, right: int, bottom: int) -> set[object]:
    """The outlines that lie within a rectangle."""

    def held(shape: Shape) -> bool:
        points = [n[-2:] for _, n in shape.ops if n] if isinstance(shape, Path) else []
        return bool(points) and all(left <= x <= right and top <= y <= bottom for x, y in points)

    return {shape.ops for shape in walk(face.shapes) if isinstance(shape, Path) and held(shape)}


def test_tactic_says_that_it_is_set_first() -> None:
    """A tactic has the words and the sign of a card that must be set face-down (C-22)."""
    assert "set face-down first" in told(face_of(card("tactic")).face)


def test_strategy_tells_its_requirement_first() -> None:
    """The requirement stands above the effect, and whom the effect is for (C-24)."""
    text = told(face_of(card("strategy", requirement="Have three items.", effect="Draw one card.")).face)
    assert text.index("three items") < text.index("either player") < text.index("Draw one card")


def test_flags_have_words() -> None:
    """A card that is triggered, disregards or lasts says so in a word beside its sign."""
    text = told(face_of(card("item", trigger=True, disregards=True, continuous=True)).face)
    assert all(word in text for word in ("Triggered", "Disregards", "Lasts"))
    assert "Triggered" not in told(face_of(card("item")).face)


def test_trait_names_its_positions() -> None:
    """A trait names the positions it counts in; without a list it counts in all three (C-16)."""
    assert "Strategist" in words(face_of(card("officer", trait_positions=["strategist"])).face)
    assert "any of the three" in told(face_of(card("officer")).face)


@every(
    "text, marked",
    [
        ("It has +1 WAR.", "It has **+1**\u00a0{icon:war} **WAR**."),
        ("It has -2 INT.", "It has **\u22122**\u00a0{icon:int} **INT**."),
        ("If it falls, stop. When it stands, go.", "**If** it falls, stop. **When** it stands, go."),
        (
            "Heads: draw 2 cards. Tails: lose 400 grain.",
            "**Heads:** draw 2 cards. **Tails:** lose **400**\u00a0{icon:grain}.",
        ),
        ("WARDEN of 3-4", "WARDEN of 3-4"),
        ("**WAR** and {icon:war} stay.", "**WAR** and {icon:war} stay."),
    ],
)
def test_rules_text_is_marked_up(text: str, marked: str) -> None:
    """Stats get their icon, changes and costs are bold, and what is marked up already stays as it is."""
    assert faces.marked_up(text, SPEC) == marked


# Pictures of cards without art


def width_of(title: str, *font: object) -> float:
    return 1.3 * len(title)


def picture(one: Card) -> Any:
    return faces.face_data(one, SPEC)["picture"]((5, 18, 52, 25), width_of)


@every("kind", OWN)
def test_card_draws_the_same_picture_for_ever(kind: str) -> None:
    """A picture depends on the card alone, and another card has another."""
    assert picture(card(kind)) == picture(card(kind))
    assert picture(card(kind)) != picture(card(kind, "Bea Example"))


def test_chance_is_the_same_everywhere() -> None:
    """The numbers behind the pictures are fixed: FNV-1a, then xorshift, four thrown away."""
    chance = Chance("officer:ada")
    assert [chance.below(1000) for _ in range(5)] == [257, 41, 853, 720, 586]
    assert 0 <= Chance("").unit() < 1


def test_card_asks_for_its_charge() -> None:
    """The column `emblem` names the drawing; else an item's name does, and an officer's age."""
    table = SPEC.data["emblem"]
    assert faces.charge_of(card("item", "Grain Barges", emblem="key"), table) == "key"
    assert faces.charge_of(card("item", "Grain Barges"), table) == "barge"
    assert faces.charge_of(card("officer", era="Bronze Age"), table) == "wheel"
    assert faces.charge_of(card("officer", emblem="no such thing"), table) == table["other_age"]


def test_every_charge_is_drawn() -> None:
    """Every drawing that the tables name is among the shared ones."""
    known = workshop().kit.library.by_id
    assert {f"charge-{charge}" for charge in faces.charges(SPEC.data["emblem"])} <= set(known)


def test_officers_of_a_realm_share_their_cloth() -> None:
    """The banner's cloth follows the region, else the realm."""
    table = SPEC.data["emblem"]
    for region, cloth in table["regions"].items():
        assert faces.region_of(card("officer", region=region), table) == cloth
    one, other = (faces.region_of(card("officer", name, realm="Lydia"), table) for name in ("Gyges", "Alyattes"))
    assert one == other


def test_plan_tells_what_a_tactic_does() -> None:
    """A tactic shows what its name says, one that disregards how something is stopped."""
    table = SPEC.data["emblem"]
    assert faces.plan_of(card("tactic", "Feigned Retreat"), table) == "feint"
    stopped = {name for name, manoeuvre in table["manoeuvres"].items() if "stopped" in manoeuvre}
    for name in ("Feigned Retreat", "Forged Orders", "Double Agent"):
        assert faces.plan_of(card("tactic", name, disregards=True), table) in stopped
    known = {found for _, found in (*table["plans"], *table["disregarding"])}
    assert {*known, *table["plan_pool"], *table["disregarding_pool"]} <= set(table["manoeuvres"])
    for name in table["manoeuvres"]:
        plan = {**table, "plan_pool": [name]}
        data = {**SPEC.data, "emblem": plan}
        assert faces.compose(card("tactic", "Xyz"), PictureWindow(5, 18, 50, 27), data, palette("tactic"), width_of)


@every(
    "effect, composition",
    [
        ("Gain 400 grain. Draw 1 card.", "gain"),
        ("Add 2,000 men to your reserves.", "gain"),
        ("One enemy lieutenant takes 1 damage.", "strike"),
        ("When an enemy officer declares an attack, it has -1 WAR until the End Step.", "strike"),
        ("Search your deck for an item. Reveal it and take it into your hand.", "search"),
        ("When it is to take damage, discard this card and it takes none.", "ward"),
        ("Remove 1 damage counter from one of your officers.", "ward"),
        ("Your officers have +1 WAR until the End Step.", "raise"),
        ("Take the attacked marker off one of your officers.", "march"),
        ("In response to an item or a tactic, disregard it.", "annul"),
        ("Draw 2 cards.", "draw"),
        ("Something that nobody has thought of.", "gain"),
    ],
)
def test_item_is_composed_by_its_effect(effect: str, composition: str) -> None:
    """What an item does chooses what its picture looks like."""
    assert faces.composition_of(card("item", effect=effect), SPEC.data["emblem"]) == composition


def test_every_composition_is_another_picture() -> None:
    """Each composition is used by a sample item, fills low and high windows, and is unlike the others."""
    table = SPEC.data["emblem"]
    names = {name for _, name in table["compositions"]}
    assert names == set(COMPOSITIONS)
    assert names == {faces.composition_of(one, table) for one in POOL if one.type == "item"}
    for window in (PictureWindow(5, 18, 53, 10), PictureWindow(5, 18, 53, 42), PictureWindow(5, 18, 74, 71)):
        drawn = []
        for name in sorted(names):
            data = {"emblem": {**table, "compositions": [], "other_composition": name}}
            drawn.append(faces.compose(card("item"), window, data, palette("item"), width_of))
        assert all(one != other for one, other in combinations(drawn, 2))


def test_surroundings_tell_what_a_strategy_does() -> None:
    """Each of the surroundings can be drawn, and looks unlike the others."""
    table = SPEC.data["emblem"]
    kinds = {*(found for _, found in table["surroundings"]), *table["surroundings_pool"]}
    drawn = [
        faces.compose(
            card("strategy", "Xyz"),
            PictureWindow(5, 18, 50, 27),
            {"emblem": {**table, "surroundings_pool": [kind]}},
            palette("strategy"),
            width_of,
        )
        for kind in sorted(kinds)
    ]
    assert len(kinds) == 5 and all(one != other for one, other in pairwise(drawn))


def palette(kind: str) -> dict[str, str]:
    return {**SPEC.data["faces"]["palette"], **faces.colours(SPEC)[kind]}


@given(st.sampled_from(list(OWN)), st.text(min_size=1, max_size=20))
@settings(max_examples=20, deadline=None)
def test_picture_keeps_to_its_window(kind: str, name: str) -> None:
    """Whatever the name, all of a picture lies in its window: what would reach out is cut off."""
    window = PictureWindow(5, 18, 52, 25)
    parts = faces.compose(card(kind, name), window, SPEC.data, palette(kind), width_of)
    assert parts[0].kind == "clip"
    assert all(part.kind in ("clip", "path", "use") for part in parts)


def picture_height(one: Card) -> float:
    """How high the picture on a face is drawn; 0 where there is none."""
    heights: list[float] = []
    data = faces.face_data(one, SPEC)

    def picture(window: tuple[float, ...], *measure: object) -> object:
        heights.append(window[3])
        return data["picture"](window, *measure)

    draw(
        workshop().kit,
        f"cahrd/{SPEC.types[one.type].face}",
        {**data, "picture": picture},
        CardCount(one.ref, one.name),
    )
    return heights[0] if heights else 0


SIZES = SPEC.data["faces"]["sizes"]
LONG_FIELD = {"officer": "trait", "item": "effect", "tactic": "effect", "strategy": "effect"}


@usually("kind", [kind for kind in OWN if kind != "officer"])
@pytest.mark.full
def test_long_text_takes_the_picture_s_room(kind: str) -> None:
    """The picture shrinks by the millimetre as the text grows, and is left out where it would be a strip."""
    heights = heights_beside_longer_texts(kind)
    window = SPEC.data["faces"]["windows"]["effect" if kind in ("item", "tactic") else kind]
    assert heights[0] == window["most"] and heights[-1] == 0
    assert all(window["least"] <= height <= window["most"] for height in heights if height)
    assert all(later <= earlier for earlier, later in pairwise(heights)) and len(set(heights)) > 3


def test_maps_of_officers_have_two_heights() -> None:
    """The map of an officer is of one height, of a second one beside a long trait, and left out beside a longer one."""
    heights = heights_beside_longer_texts("officer")
    assert sorted(set(heights), reverse=True) == [*SIZES["poker"]["maps"], 0]
    assert heights == sorted(heights, reverse=True)


def heights_beside_longer_texts(kind: str) -> list[float]:
    long = [card(kind, **{LONG_FIELD[kind]: "word " * count}) for count in (1, 12, *range(16, 32, 2), 36, 60, 150)]
    return [picture_height(one) for one in long]


@usually("kind", OWN)
@usually("size", SIZES)
def test_rules_have_one_size_on_every_card(kind: str, size: str) -> None:
    """A short text is as large as a long one: nine points on a poker card, more on a larger one."""
    bank = FaceBank(workshop(), card_size(size))
    for count in (1, 12, 24):
        runs = walk(bank[bank.front(card(kind, **{LONG_FIELD[kind]: "word " * count}))].shapes)
        sizes = {to_points(run.size) for run in runs if isinstance(run, Run) and run.field == LONG_FIELD[kind]}
        assert [*sizes] == [pytest.approx(SIZES[size]["words"]["rules"], abs=0.05)]
    assert SIZES["poker"]["words"]["rules"] == 9


@pytest.mark.full
@pytest.mark.parametrize("size", ["index-3x5", "index-5x7"])
@pytest.mark.parametrize("kind", OWN)
def test_larger_card_is_drawn_anew(kind: str, size: str) -> None:
    """On a larger card a face and its back fill the whole card, and the picture has more of it than enlarged."""
    whole, long = card_size(size), LONG[kind]
    if (kind, size) == ("officer", "index-3x5"):  # its column for the hand leaves room for three sentences at 12 pt
        long = {**long, "trait": SENTENCE * 3}
    for card_ in (card(kind, flavor="A short line."), card(kind, LONG_NAME, **long)):
        bank = FaceBank(workshop(), whole)
        faces_ = [bank[number] for number in (bank.front(card_), bank.back(card_)) if number is not None]
        assert messages(tuple(bank.findings)) == []
        for face in faces_:
            ground = next(shape for shape in walk(face.shapes) if isinstance(shape, Path))
            xs, ys = zip(*(numbers for _, numbers in ground.ops if numbers), strict=True)
            assert face.size == whole
            assert min(xs) <= 20 and max(xs) >= whole.width - 20 and min(ys) <= 20 and max(ys) >= whole.height - 20
    assert SIZES[size]["height"] > SIZES["poker"]["height"]


@pytest.mark.full
@pytest.mark.parametrize("size", ["index-3x5", "index-5x7"])
def test_every_sample_card_fits_a_larger_card(size: str) -> None:
    """No sample card has a finding on a larger card, and each prints its flavour."""
    bank = FaceBank(workshop(), card_size(size))
    for one in POOL:
        assert str(one.get("flavor")).split()[-1] in told(bank[bank.front(one)]), one.name
    assert messages(tuple(bank.findings)) == []


@every("kind", OWN)
def test_art_takes_the_place_of_the_picture(kind: str) -> None:
    """A card with art shows it in the same window; one whose file is missing says so."""
    assert [finding.code for finding in face_of(card(kind, art="missing.png")).findings] == ["image_missing"]


def test_groups_are_only_for_cutting() -> None:
    """No face hides words behind a clip: what is cut to an outline is drawing."""
    for kind in OWN:
        for shape in face_of(card(kind)).face.shapes:
            if isinstance(shape, Group) and shape.clip:
                assert not any(isinstance(inner, Run) for inner in walk(shape.shapes))


# Maps of campaigns


CAMPAIGN = ["Memphis", "Gaza", "Megiddo"]
COASTS = SPEC.data["land"]["coasts"]


def test_sample_officer_has_a_campaign_on_real_ground() -> None:
    """Every sample officer's places are known, and no map leaves one of them outside its room."""
    gazetteer, sheet = SPEC.data["gazetteer"], PictureWindow(5, 15, 52, 23)
    for one in POOL:
        if one.type == "officer":
            places = places_of(one.get("campaign"), "", gazetteer)
            assert len(places) == len(one.get("campaign")) > 1, one.name
            chart = chart_of(places, sheet, sheet.inset(3))
            spots = [chart.at(place.east, place.north) for place in places]
            assert all(7.99 <= x <= 54.01 and 17.99 <= y <= 35.01 for x, y in spots), one.name


def test_places_are_named_or_written_out() -> None:
    """A place is one of the gazetteer or has its latitude and longitude; a realm that is a place stands for none."""
    gazetteer = SPEC.data["gazetteer"]
    assert places_of(["Dvin 40.0 44.6"], "", gazetteer) == [CampaignPlace("Dvin", 40.0, 44.6)]
    assert places_of(["nowhere", "Pole 95 10"], "", gazetteer) == []
    assert [place.name for place in places_of([], "Rome", gazetteer)] == ["Rome"]


@every(
    "north, east, land",
    [(41.9, 12.6, True), (40.0, 12.0, False), (-41.3, 175.3, True), (21.0, -157.0, False), (42.0, 50.5, False)],
)
def test_land_is_where_it_is(north: float, east: float, land: bool) -> None:
    """Rome and New Zealand are land; the Tyrrhenian, the Pacific and the Caspian Sea are not."""
    region = Region(east - 3, north - 3, east + 3, north + 3)
    assert sum(inside(Point(east, north), outline) for outline in land_in(region, COASTS)) % 2 == land


def test_campaign_crosses_the_date_line() -> None:
    """A march over the date line goes the short way."""
    suva, apia = places_of(["Suva -18.1 178.4", "Apia -13.8 -171.8"], "", SPEC.data["gazetteer"])
    assert (suva.east, apia.east) == pytest.approx((178.4, 188.2))


def test_land_goes_on_beyond_the_date_line() -> None:
    """A map about the date line has the coasts of both its sides."""
    easts = [point.x for outline in land_in(Region(170, -20, 195, -10), COASTS) for point in outline]
    assert min(easts) < 180 < max(easts)


@pytest.mark.full
@settings(max_examples=15, deadline=None)
@given(st.lists(st.tuples(st.floats(-79, 79), st.floats(-180, 180)), min_size=1, max_size=6), st.floats(10, 60))
def test_any_campaign_can_be_drawn(spots: list[tuple[float, float]], height: float) -> None:
    """Wherever a campaign goes, and however low the window, there is a map of it."""
    campaign = [f"P{n} {north:.2f} {east:.2f}" for n, (north, east) in enumerate(spots)]
    officer = card("officer", campaign=campaign)
    parts = faces.compose(officer, PictureWindow(5, 15, 54, height), SPEC.data, palette("officer"), width_of)
    assert {part.kind for part in parts} <= {"clip", "path", "title", "use"}


def test_map_is_named_by_where_a_campaign_begins_and_ends() -> None:
    """The first and the last place stand on the map in words."""
    assert "Memphis – Megiddo" in told(face_of(card("officer", campaign=CAMPAIGN)).face)
    assert "Memphis" not in told(face_of(card("officer", campaign=[])).face)


def test_every_goal_is_drawn() -> None:
    """What marks the end of a campaign is among the shared drawings."""
    goals = {CampaignPlace(name, *place).goal for name, place in SPEC.data["gazetteer"]["places"].items()}
    assert {f"charge-{goal}" for goal in goals} <= set(workshop().kit.library.by_id)


# Backs


@usually("name", ["back-main", "back-strategy"])
def test_back_is_the_same_after_a_half_turn(name: str) -> None:
    """A back cannot tell which way up its card lies (PC-2)."""
    result = component(name)
    assert messages(result.findings) == []
    size = result.face.size
    points = {n[-2:] for s in walk(result.face.shapes) if isinstance(s, Path) for _, n in s.ops if n}
    inside = {(x, y) for x, y in points if 0 < x < size.width and 0 < y < size.height}
    turned = {(size.width - x, size.height - y) for x, y in points}
    reach = range(-3, 4)
    assert all(any((x + dx, y + dy) in turned for dx in reach for dy in reach) for x, y in inside)
    runs = sorted((run.text, run.angle) for run in walk(result.face.shapes) if isinstance(run, Run))
    assert runs == sorted((text, (angle + 180) % 360) for text, angle in runs)


@pytest.mark.full
def test_main_deck_has_one_back() -> None:
    """Officers, items and tactics share a back that is not black; the strategy's is black (C-9, C-10)."""
    backs = {kind: spec.back for kind, spec in SPEC.types.items()}
    assert backs["officer"] == backs["item"] == backs["tactic"] != backs["strategy"]
    looks = SPEC.data["sheets"]["looks"]
    assert looks["officer"]["back"] == looks["item"]["back"] == looks["tactic"]["back"] == "dark red"
    assert looks["strategy"]["back"] == "black"
    ground = next(shape.fill for shape in walk(component("back-strategy").face.shapes) if isinstance(shape, Path))
    assert ground == "#121110"
