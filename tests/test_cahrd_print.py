"""C.A.H.R.D.: cards, backs and components as they are printed, drawn from the game's own data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from carddb.findings import CardCount, Finding
from carddb.games.cahrd import components, emblem, faces
from carddb.games.cahrd.emblems.chance import Chance
from carddb.games.cahrd.emblems.geometry import Window
from carddb.games.coverage import coverage
from carddb.layout.display import Face, Group, Path, Run, Shape, walk
from carddb.layout.face import Drawn, draw
from carddb.part import replaced
from carddb.pool import Card
from carddb.press.workshop import Workshop, open_workshop
from carddb.units import Size, mm
from tests.cahrd_samples import GAME, OWN, SPEC

POKER = Size.parse("63.5x88.9mm")
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
FOR_TWO = {
    "PC-3": 2, "PC-4": 2, "PC-5": 2, "PC-6": 2, "PC-7": 2, "PC-8": 40, "PC-9": 8, "PC-10": 6, "PC-11": 32,
    "PC-12": 52, "PC-13": 2, "PC-14": 1, "PC-15": 2, "PC-16": 2, "PC-17": 1,
}  # fmt: skip
"""What two players need of each component; PC-18 is made from a deck."""


@lru_cache(maxsize=1)
def workshop() -> Workshop:
    return open_workshop(GAME)


def card(kind: str, name: str = "Ada Example", **values: Any) -> Card:
    own = {key: value for key, value in OWN[kind].items() if key not in values}
    return SPEC.card(f"X-{kind}", {"name": name, "type": kind, **own, **values})


def face_of(one: Card) -> Drawn:
    template = f"cahrd/{SPEC.types[one.type].face}"
    return draw(workshop().studio, template, faces.face_data(one, SPEC), CardCount(one.ref, one.name))


def component(name: str, extra: Mapping[str, Any] | None = None, game: Any = SPEC) -> Drawn:
    """A component by its template's name."""
    return draw(
        workshop().studio, f"cahrd/{name}.svg", components.component_data(name, game, extra or {}), CardCount("", name)
    )


def words(face: Face) -> list[str]:
    return [shape.text.strip() for shape in walk(face.shapes) if isinstance(shape, Run)]


def told(face: Face) -> str:
    return " ".join(words(face))


def every_component() -> list[tuple[str, dict[str, Any], str]]:
    return list(_faces())


def _faces() -> Iterator[tuple[str, dict[str, Any], str]]:
    for part in SPEC.components.values():
        for template in filter(None, (part.template, part.back)):
            for row in part.rows or ({},):
                yield template.removesuffix(".svg"), dict(row), part.size


def messages(findings: tuple[Finding, ...]) -> list[str]:
    return [finding.message for finding in findings]


# Faces


@pytest.mark.parametrize("kind", OWN)
def test_face_draws_without_a_finding(kind: str) -> None:
    """A card with nothing but what it must have is a poker card on which all can be read (PC-1)."""
    result = face_of(card(kind))
    assert messages(result.findings) == []
    assert result.face.size == POKER


@pytest.mark.parametrize("kind", OWN)
@pytest.mark.parametrize("flavour", ["", "A short line.", "A line of flavour text that is told at great length. " * 4])
def test_long_texts_fit(kind: str, flavour: str) -> None:
    """The longest texts and a name of forty letters fit, whatever else the card says."""
    assert len(LONG_NAME) == 40
    long = card(kind, LONG_NAME, **LONG[kind], flavor=flavour, era="Early modern", source="after an old chronicle")
    assert messages(face_of(long).findings) == []


def test_officer_without_a_trait_fits() -> None:
    """A missing trait leaves its place to the flavour text, or empty."""
    for values in ({"trait": ""}, {"trait": "", "flavor": "She asked for no mercy."}):
        assert messages(face_of(card("officer", **values)).findings) == []


@pytest.mark.parametrize("name", ["Ada Example", LONG_NAME])
@pytest.mark.parametrize("native", ["", "Αδα"])
@pytest.mark.parametrize("realm", ["", "Kush", "The United Kingdoms of the Upper and the Lower River, and the Isles"])
def test_head_of_an_officer_fits(name: str, native: str, realm: str) -> None:
    """Name, name in its own script, realm and date stand in the head together; what has no room is left out."""
    assert messages(face_of(card("officer", name, native=native, realm=realm, date="1st century BCE")).findings) == []


@pytest.mark.parametrize(("men", "cost"), [(1, 0), (8, 25_000), (9, 7_500), (120, 125_000)])
def test_any_figure_fits(men: int, cost: int) -> None:
    """Men and costs of any size fit, and the cost is told in thousands where it is round (C-17, C-18)."""
    face = face_of(card("officer", men=men, recruitment_cost=cost))
    assert messages(face.findings) == []
    assert str(men) in words(face.face)
    assert (f"{cost:,}" if cost % 1000 or not cost else str(cost // 1000)) in words(face.face)


def test_stats_form_the_diamond() -> None:
    """LDR stands above, WAR right, INT below, CHM left, each rank in its plate under its own word (C-11)."""
    face = face_of(card("officer", ldr=1, war=2, int=3, chm=4, men=6)).face
    at = {run.text: (run.x, run.y) for run in walk(face.shapes) if isinstance(run, Run) and run.text in "1234"}
    middle = (POKER.width // 2, (at["1"][1] + at["3"][1]) // 2)
    assert at["1"][1] < middle[1] < at["3"][1]
    assert at["4"][0] < middle[0] < at["2"][0]
    assert {"LDR", "WAR", "INT", "CHM"} <= set(words(face))


def test_printed_s_stays_in_its_ring() -> None:
    """A printed S is drawn as far out as the highest number (C-13)."""
    stats = faces.stats_of(card("officer", ldr="S", war=5, int=1, chm=1), SPEC)
    assert [stat["reach"] for stat in stats] == [1, 1, 0.2, 0.2]
    assert stats[0]["rank"] == "S"


def test_faces_have_the_colours_of_the_rules() -> None:
    """Officers are white, items blue, tactics purple, strategies brown (C-6, C-7, C-8, C-9)."""
    colours = faces.colours(SPEC)
    grounds = {kind: next(s.fill for s in walk(face_of(card(kind)).face.shapes) if isinstance(s, Path)) for kind in OWN}
    assert grounds == {kind: colours[kind]["tint"] for kind in OWN}
    assert grounds["officer"] == "#ffffff"
    assert len(set(grounds.values())) == 4


def test_types_are_told_without_colour() -> None:
    """Each type has its own mark at the head, and all but the officer their name beside it."""
    for kind in ("item", "tactic", "strategy"):
        assert kind.upper() in words(face_of(card(kind)).face)
    marks = {kind: outlines(face_of(card(kind)).face, mm(4.5), mm(5), mm(13), mm(13)) for kind in OWN}
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


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("It has +1 WAR.", "It has **+1**\u00a0{icon:war} **WAR**."),
        ("It has -2 INT.", "It has **\u22122**\u00a0{icon:int} **INT**."),
        ("If it falls, stop. When it stands, go.", "**If** it falls, stop. **When** it stands, go."),
        ("Heads: draw 2 cards. Tails: lose 400 grain.", "**Heads:** draw 2 cards. **Tails:** lose **400\u00a0grain**."),
        ("WARDEN of 3-4", "WARDEN of 3-4"),
        ("**WAR** and {icon:war} stay.", "**WAR** and {icon:war} stay."),
    ],
)
def test_rules_text_is_marked_up(text: str, marked: str) -> None:
    """Stats get their icon, changes and costs are bold, and what is marked up already stays as it is."""
    assert faces.marked_up(text, SPEC) == marked


# Pictures of cards without art


def picture(one: Card) -> Any:
    return faces.face_data(one, SPEC)["picture"]


@pytest.mark.parametrize("kind", OWN)
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
    assert emblem.charge_of(card("item", "Grain Barges", emblem="key"), table) == "key"
    assert emblem.charge_of(card("item", "Grain Barges"), table) == "barge"
    assert emblem.charge_of(card("officer", era="Bronze Age"), table) == "wheel"
    assert emblem.charge_of(card("officer", emblem="no such thing"), table) == table["other_age"]


def test_every_charge_is_drawn() -> None:
    """Every drawing that the tables name is among the shared ones."""
    known = workshop().studio.library.by_id
    assert {f"charge-{charge}" for charge in emblem._known(SPEC.data["emblem"])} <= set(known)


def test_officers_of_a_realm_share_their_cloth() -> None:
    """The banner's cloth follows the region, else the realm."""
    table = SPEC.data["emblem"]
    for region, cloth in table["regions"].items():
        assert emblem.region_of(card("officer", region=region), table) == cloth
    one, other = (emblem.region_of(card("officer", name, realm="Lydia"), table) for name in ("Gyges", "Alyattes"))
    assert one == other


def test_plan_tells_what_a_tactic_does() -> None:
    """A tactic that disregards shows an interception, others what their name says."""
    table = SPEC.data["emblem"]
    assert emblem.plan_of(card("tactic", "Feigned Retreat"), table) == "feint"
    assert emblem.plan_of(card("tactic", "Feigned Retreat", disregards=True), table) == "intercept"
    for name in table["manoeuvres"]:
        plan = {**table, "plan_pool": [name]}
        assert emblem.compose(card("tactic", "Xyz"), Window(5, 18, 50, 27), plan, palette("tactic"))


def palette(kind: str) -> dict[str, str]:
    return {**SPEC.data["faces"]["palette"], **faces.colours(SPEC)[kind]}


@given(st.sampled_from(list(OWN)), st.text(min_size=1, max_size=20))
@settings(max_examples=20, deadline=None)
def test_picture_keeps_to_its_window(kind: str, name: str) -> None:
    """Whatever the name, all of a picture lies in its window: what would reach out is cut off."""
    window = Window(5, 18, 52, 25)
    parts = emblem.compose(card(kind, name), window, SPEC.data["emblem"], palette(kind))
    assert parts[0].kind == "clip"
    assert all(part.kind in ("clip", "path") for part in parts)


def test_long_text_takes_the_picture_s_room() -> None:
    """The picture shrinks as the text grows, and is left out where it would be a strip."""
    room = SPEC.data["faces"]["windows"]["officer"]
    heights = [faces.window_of(card("officer", trait="word " * count), room).height for count in range(0, 140, 5)]
    assert heights[0] == room["height"]
    assert all(later <= earlier for earlier, later in pairwise(heights))
    assert heights[-1] == 0
    assert all(height == 0 or height >= room["least"] for height in heights)


@pytest.mark.parametrize("kind", OWN)
def test_art_takes_the_place_of_the_picture(kind: str) -> None:
    """A card with art shows it in the same window; one whose file is missing says so."""
    assert [finding.code for finding in face_of(card(kind, art="missing.png")).findings] == ["image_missing"]


# Backs


@pytest.mark.parametrize("name", ["back-main", "back-strategy"])
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


def test_main_deck_has_one_back() -> None:
    """Officers, items and tactics share a back that is not black; the strategy's is black (C-9, C-10)."""
    backs = {kind: spec.back for kind, spec in SPEC.types.items()}
    assert backs["officer"] == backs["item"] == backs["tactic"] != backs["strategy"]
    looks = SPEC.data["sheets"]["looks"]
    assert looks["officer"]["back"] == looks["item"]["back"] == looks["tactic"]["back"] == "dark red"
    assert looks["strategy"]["back"] == "black"
    ground = next(shape.fill for shape in walk(component("back-strategy").face.shapes) if isinstance(shape, Path))
    assert ground == "#121110"


# Components


@pytest.mark.parametrize(("name", "row", "size"), every_component())
def test_component_has_no_finding(name: str, row: dict[str, Any], size: str) -> None:
    """Every component draws at its own size with nothing cut off, too small, too faint or missing."""
    result = component(name, row)
    assert messages(result.findings) == []
    assert result.face.size == (Size.parse(size) if size else POKER)
    assert result.face.title


def test_two_players_get_their_numbers() -> None:
    """Every component of the table is printed in its number for two players."""
    counts: dict[str, int] = {}
    for part in SPEC.components.values():
        if part.template:
            copies = part.count * (2 if part.per == "player" else 1) * len(part.rows or ({},))
            counts[part.id] = counts.get(part.id, 0) + copies
    assert counts == FOR_TWO
    assert SPEC.components["deck-list"].id == "PC-18"


def test_reserve_counters_have_their_numbers() -> None:
    """There are 20, 12, 12 and 8 counters of 1k, 5k, 10k and 25k for two (PC-12)."""
    parts = [part for part in SPEC.components.values() if part.id == "PC-12"]
    assert [(part.rows[0]["value"], 2 * part.count) for part in parts] == [
        ("1k", 20), ("5k", 12), ("10k", 12), ("25k", 8),
    ]  # fmt: skip
    assert len({part.rows[0]["outline"] for part in parts}) == 4


def test_every_printed_rule_is_on_paper() -> None:
    """Every rule that is to be printed is told by a component or by the faces."""
    assert [row.rule for row in coverage(GAME) if "P" in row.missing] == []


def test_grain_track_has_41_boxes() -> None:
    """The track goes from 4,000 by hundreds down to 0 (PC-7)."""
    text = words(component("grain").face)
    values = [f"{value:,}" for value in range(4000, -1, -100)]
    assert len(values) == 41
    assert all(value in text for value in values)
    other = replaced(SPEC, data={**SPEC.data, "setup": {**SPEC.data["setup"], "grain": 2000}})
    assert "4,000" not in words(component("grain", game=other).face)


def test_conversion_strip_has_all_sums() -> None:
    """The strip tells the men of 1 to 25 CHM and the grain of base WAR 1 to 5 (PC-15)."""
    text = words(component("conversion").face)
    assert all(f"{n * 1000:,}" in text for n in range(1, 26))
    assert all(str(n * 100) in text for n in range(1, 6))


def test_turn_card_tells_every_step() -> None:
    """The steps stand in their order, the parts of the battle among them (PC-4)."""
    text = words(component("turn").face)
    numbers = ["1", "2", "3", "4", "4a", "4b", "4c", "5"]
    assert [word for word in text if word in numbers] == numbers
    joined = " ".join(text)
    assert all(f"{step['name']}." in joined for step in SPEC.data["turn"]["steps"])
    assert "1,000" in joined


def test_timing_card_is_a_ladder() -> None:
    """The card has the three speeds, the last played on top (PC-5)."""
    text = words(component("timing").face)
    assert [word for word in text if word in "123"] == ["3", "2", "1"]
    for speed in SPEC.data["chain"]["speeds"]:
        assert speed["name"] in text
        assert str(speed["may_be"]).split(",")[0].split(";")[0] in " ".join(text)


def test_victory_card_tells_how_a_battle_ends() -> None:
    """The card has every way to win, the draw, the War, and what to bring (PC-6, C-26, C-27, C-29, C-30)."""
    text = told(component("victory").face)
    table = SPEC.data["victory"]
    assert all(part in text for part in (*(loss["says"] for loss in table["losses"]), table["draw"], table["war"]))
    assert all(thing in text for thing in SPEC.data["sheets"]["bring"])


def test_glossary_has_every_word_once() -> None:
    """Each word of the glossary stands on one of the card's two sides (PC-16)."""
    text = told(component("glossary").face) + " " + told(component("glossary-back").face)
    labels = [str(term["label"]) for term in components.terms(SPEC)]
    assert len(labels) >= 12
    assert all(text.count(f"{label}.") == 1 for label in labels)
    rules = {rule for term in components.terms(SPEC) for rule in term["rules"]}
    assert {"C-25", "C-60", "C-106", "C-107", "C-123", *(f"C-{n}" for n in range(134, 141))} <= rules


def test_tracking_sheet_has_its_rows() -> None:
    """The sheet has five officers with boxes for their men, and twenty turns (PC-13)."""
    text = words(component("tracking").face)
    sheet = SPEC.data["sheets"]["tracking"]
    headings = (*sheet["heading"], *sheet["officers"]["columns"], *sheet["turns"]["columns"])
    assert all(heading.upper() in text for heading in headings)
    assert [word for word in text if word.isdigit()] == [str(n) for n in range(1, 21)]
    assert sheet["officers"]["rows"] == 5


def test_war_score_sheet_has_three_battles() -> None:
    """The sheet asks of each battle who started, who won and how, and who won the War (PC-14)."""
    text = words(component("war-score").face)
    sheet = SPEC.data["sheets"]["war_score"]
    assert set(sheet["rows"]) <= set(text)
    assert all(column.upper() in text for column in sheet["columns"])
    assert sheet["last"] in text


def test_imd_sheet_tells_the_levels() -> None:
    """The sheet has both lists, the columns, what the levels allow, and that this is a proposal (PC-17, C-150)."""
    text = words(component("imd").face)
    assert all(column.upper() in text for column in SPEC.data["sheets"]["imd"])
    assert {"at most 2 copies", "at most 1 copy", "none in a deck"} <= set(text)
    joined = " ".join(text)
    assert "proposal" in joined and "3 to 14 days" in joined
    assert "Long list" in joined and "Short list" in joined


def boxes() -> dict[str, list[float]]:
    places = SPEC.data["reference"]["mat"]
    zones = {key: zone["box"] for key, zone in places["zones"].items()}
    second, third = places["lieutenants"]
    return {**zones, "in_play": places["in_play"], "second": second, "third": third, "grain": places["grain"],
            "title": places["title"], "tokens": places["tokens"]}  # fmt: skip


def test_mat_has_every_zone() -> None:
    """The mat shows the numbers and names of all zones, and the place of reserves and grain (PC-3)."""
    text = words(component("mat").face)
    for zone in SPEC.data["mat"]["zones"]:
        assert zone["key"] in SPEC.data["reference"]["mat"]["zones"]
        if zone["number"].isdigit():
            assert zone["number"] in text and zone["name"] in text
    assert {"Reserves", "Grain", "1k", "5k", "10k", "25k"} <= set(text)
    assert "less the strategist: 2–4" in text


def test_mat_has_room_for_cards() -> None:
    """No two boxes overlap, all lie on the mat, and every zone takes a card of full size."""
    width, height = SPEC.data["reference"]["mat"]["size"]
    placed = list(boxes().items())
    for i, (key, (x, y, wide, high)) in enumerate(placed):
        assert x >= 0 and y >= 0 and x + wide <= width and y + high <= height
        for _, (x2, y2, wide2, high2) in placed[:i]:
            assert x + wide <= x2 or x2 + wide2 <= x or y + high <= y2 or y2 + high2 <= y
        if key not in ("reserves", "grain", "tokens"):
            assert wide >= 63.5 and high >= 88.9


def test_mat_puts_zones_where_the_rules_want_them() -> None:
    """Tactics, Strategist, Commander, Items stand in a row from left to right (C-54, C-56)."""
    found = boxes()
    row = [found[key] for key in SPEC.data["mat"]["row"]]
    assert [box[0] for box in row] == sorted(box[0] for box in row)
    assert len({box[1] for box in row}) == 1
    assert found["in_play"][0] == found["strategy_deck"][0] and found["in_play"][1] < found["strategy_deck"][1]


def test_mat_is_cut_between_its_zones() -> None:
    """No box and no word of the mat is cut where its parts are joined."""
    (across,), (down,) = SPEC.components["mat"].seams
    for x, y, wide, high in boxes().values():
        assert not x < across < x + wide and not y < down < y + high
    for run in walk(component("mat").face.shapes):
        if isinstance(run, Run):
            assert not run.x < mm(across) < run.x + run.width
            assert not run.y - run.size < mm(down) < run.y


def test_mat_parts_fit_letter_and_a4() -> None:
    """Each part with its overlap lies on Letter or A4 turned."""
    lengths = SPEC.data["reference"]["mat"]["size"]
    for seams, length, room in zip(SPEC.components["mat"].seams, lengths, (263, 189), strict=True):
        assert all(end - start + 2 * 5 <= room for start, end in pairwise([0, *seams, length]))


def test_stat_counters_point_to_their_corner() -> None:
    """There is a counter up and down for each stat, the word of the stat on it, solid for up (PC-11)."""
    rows = SPEC.components["stat"].rows
    texts = [tuple(words(component("stat", row).face)) for row in rows]
    assert len(set(texts)) == 8
    assert {word for text in texts for word in text} == {"+1", "−1", "LDR", "WAR", "INT", "CHM"}


def test_groups_are_only_for_cutting() -> None:
    """No face hides words behind a clip: what is cut to an outline is drawing."""
    for kind in OWN:
        for shape in face_of(card(kind)).face.shapes:
            if isinstance(shape, Group) and shape.clip:
                assert not any(isinstance(inner, Run) for inner in walk(shape.shapes))
