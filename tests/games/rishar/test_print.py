"""Rishar: faces, backs and the printed components, drawn from the game's own data."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import product
from typing import Any

import pytest

from carddb.cards.query import parse
from carddb.core.units import Size
from carddb.findings import CardCount
from carddb.game.frozen import replaced
from carddb.game.game import GameSpec
from carddb.games.rishar.print.components import component_data, pairings
from carddb.games.rishar.print.faces import face_data, sigil
from carddb.layout.display_list import Face, Run, walk
from carddb.layout.display_list import Path as Outline
from carddb.layout.drawing.face import DrawnFace, draw
from carddb.press.faces.workshop import Workshop, open_workshop
from tests.games.rishar.samples import BOOK, GAME, HERE, sample_pool
from tests.games.rishar.samples import SPEC as PLAIN
from tests.rows import every, usually

POKER = Size.parse("63.5x88.9mm")
WORDS = {
    f"word-{n}": {"label": f"Word {n}", "text": "What a word of the rules means, told in a sentence.", "rules": []}
    for n in range(36)
}
SPEC = replaced(PLAIN, data={**PLAIN.data, "keywords": PLAIN.data.get("keywords") or WORDS})
ROLES = ("aggressor", "guardian", "healer", "savant", "equipment", "ritual")
PATHS = ("steel", "magic", "faith", "nature", "mind")
LONG = "While this card is on Defense and the opposing card has neither Reach nor Ranged, its own text adds nothing. "

# Section 18: what is printed, for whom, and how many; a reference card has two sides.
NUMBERS = {
    "known-cards": ("table", 4),
    "blank-unit": ("player", 1),
    "blank-ritual": ("player", 1),
    "battle-mat": ("player", 1),
    "commander": ("table", 20),
    "commander-sheet": ("player", 1),
    "power-grid": ("player", 1),
    "power-cards": ("player", 2),
    "power-sheet": ("table", 1),
    "role-reference": ("player", 1),
    "quick-reference": ("player", 1),
    "glossary": ("player", 3),
    "odds": ("table", 4),
    "odds-unopposed": ("table", 1),
    "odds-rout": ("table", 1),
    "odds-dice": ("table", 1),
    "odds-sheet": ("table", 2),
    "worked-skirmish": ("table", 1),
    "campaign-sheet": ("player", 1),
    "token-morale": ("table", 2),
    "token-base-morale": ("table", 2),
    "token-phase": ("table", 1),
    "token-last-on-defense": ("table", 1),
    "token-first-turn": ("table", 1),
    "token-oathbound": ("table", 2),
    "token-mindblade-1": ("table", 2),
    "token-mindblade-2": ("table", 2),
    "token-power-use": ("table", 6),
    "token-plus-1": ("table", 6),
    "token-plus-2": ("table", 4),
}
# the boxes of a Commander's card.
BOXES = {
    "evoker": 3, "illusionist": 2, "shapeshifter": 1, "necromancer": 1, "etherealist": 1, "mender": 1, "cleric": 1,
    "battlemage": 2, "mindblade": 3, "animist": 4,
}  # fmt: skip


@lru_cache(maxsize=1)
def workshop() -> Workshop:
    return open_workshop(GAME)


def component(
    key: str, row: Mapping[str, Any] | None = None, spec: GameSpec = SPEC, size: Size | None = None
) -> DrawnFace:
    """The front of a component by its key, with one of its rows, at its own or another size."""
    known = spec.components[key]
    return side(known.template, {**known.data, **(row or {})}, spec, size)


def side(template: str, row: Mapping[str, Any], spec: GameSpec = SPEC, size: Size | None = None) -> DrawnFace:
    """One side of a component, drawn by its template."""
    stem = template.removesuffix(".svg")
    return draw(workshop().kit, f"rishar/{template}", component_data(stem, spec, row), CardCount("", stem), size)


def both_sides(key: str) -> str:
    """All words on the fronts and backs of a component, in one line."""
    known = SPEC.components[key]
    return " ".join(told(side(template, row).face) for row in known.faces for template in (known.template, known.back))


def card(role: str = "aggressor", path: str = "steel", **values: Any) -> DrawnFace:
    """The front of a card."""
    made = SPEC.card("T-1", {"name": "Watch of the Ford", "type": role, "path": path, **values})
    return draw(workshop().kit, "rishar/card.svg", face_data(made, SPEC), CardCount(made.ref, made.name))


def back() -> Face:
    return draw(workshop().kit, "rishar/back.svg", component_data("back", SPEC, {}), CardCount("", "back")).face


def words(face: Face) -> list[str]:
    return [shape.text.strip() for shape in walk(face.shapes) if isinstance(shape, Run)]


def told(face: Face) -> str:
    """All words of a face in one line."""
    return " ".join(" ".join(words(face)).split())


def outlines(face: Face) -> Counter[object]:
    """The outlines of a face without their colours."""
    return Counter(shape.ops for shape in walk(face.shapes) if isinstance(shape, Outline))


def faults(drawn: DrawnFace) -> list[str]:
    return [finding.message for finding in drawn.findings]


def every_component() -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Every face that is not a card's."""
    for key, known in SPEC.components.items():
        if not known.each:
            yield from ((key, row) for row in known.rows or ({},))


# What is printed


@every("key", NUMBERS)
def test_components_in_their_numbers(key: str) -> None:
    """R-175 to R-183: every component is printed, for a player or a table, in the number of section 18."""
    known = SPEC.components[key]
    wanted = parse(known.each, SPEC.all_fields())
    faces = sum(map(wanted.matches, sample_pool())) if known.each else len(known.faces)
    assert (known.per, known.count * faces) == NUMBERS[key]


def test_no_other_component() -> None:
    """R-175 to R-183: nothing is printed that the numbers do not name."""
    assert set(SPEC.components) == set(NUMBERS)


def test_every_rule_to_print_is_told() -> None:
    """R-175: every rule with the tag P is in the rules of a component or of the faces."""
    printed = {rule for rule, entry in BOOK["rules"].items() if entry["tag"] == "P"}
    listed = {rule for known in SPEC.components.values() for rule in known.rules} | set(SPEC.face_rules)
    assert printed <= listed


@pytest.mark.full
@every("key, row", list(every_component()))
def test_component_has_no_finding(key: str, row: Mapping[str, Any]) -> None:
    """Every component draws at its own size with nothing cut off, too small, too faint or missing."""
    drawn = component(key, row)
    assert faults(drawn) == []
    assert drawn.face.size == (Size.parse(SPEC.components[key].size) if SPEC.components[key].size else POKER)


@usually(("key", "row"), [(key, row) for key, row in every_component() if not SPEC.components[key].size])
def test_card_component_fits_the_smaller_card(key: str, row: Mapping[str, Any]) -> None:
    """R-164: printed at 63 by 88 mm, a reference card is still readable, its back too."""
    known = SPEC.components[key]
    for template in (known.template, known.back):
        assert faults(side(template, {**known.data, **row}, size=Size.parse("63x88mm"))) == []


def test_no_card_has_a_blank_back() -> None:
    """A reference card has its next page on the back; a Commander, and the grid by itself, the back of every card."""
    assert all(known.back for known in SPEC.components.values() if not known.size and not known.each)


def test_odds_are_printed_once() -> None:
    """R-181: by default the odds are on sheets; their cards, and the grid by itself, are printed when named."""
    named = [key for key, known in SPEC.components.items() if known.when_named]
    assert sorted(named) == ["odds", "odds-dice", "odds-rout", "odds-unopposed", "power-grid"]


def test_reference_cards_have_the_size_of_cards() -> None:
    """R-164: a reference card lies in the same sleeve as the cards."""
    assert all(not known.size for known in SPEC.components.values() if known.reference)


# Faces


@every("role, path", list(product(ROLES, PATHS)))
@pytest.mark.full
def test_faces_by_role_and_path(role: str, path: str) -> None:
    """R-164: every Role of every Path has a face without a fault, which says both in words."""
    drawn = card(role, path, strength=3 if role != "ritual" else None, traits=["reach", "undead"])
    assert faults(drawn) == []
    assert drawn.face.size == POKER
    assert {role.capitalize(), path.upper()} <= set(words(drawn.face))


@every("role", ROLES)
def test_paths_differ_without_colour(role: str) -> None:
    """R-164: a Path is told by drawings too, so that a copy in grey tells it."""
    faces = [outlines(card(role, path, strength=2).face) for path in PATHS]
    assert all(one != other for at, one in enumerate(faces) for other in faces[:at])


@every("path", PATHS)
def test_roles_differ_without_colour(path: str) -> None:
    """R-164: a Role is told by the outline of the shield and the ends of the band."""
    faces = [outlines(card(role, path, strength=2).face) for role in ROLES]
    assert all(one != other for at, one in enumerate(faces) for other in faces[:at])


def test_least_card() -> None:
    """R-162: a card with nothing but name, Role and Path has a face."""
    drawn = card("ritual", "mind")
    assert faults(drawn) == []


@every("strength", [0, 7, 20, 120])
def test_strength_is_shown(strength: int) -> None:
    """R-164: Strength stands large in the ring, a nought too."""
    drawn = card(strength=strength)
    assert faults(drawn) == []
    run = next(shape for shape in walk(drawn.face.shapes) if isinstance(shape, Run) and shape.text == str(strength))
    assert run.size >= Size.parse("4x4mm").width


def test_no_strength_is_a_dash() -> None:
    """R-24, R-164: a card without Strength shows a drawn dash and no figure, and no box for training."""
    shown = words(card("savant", upkeep=0).face)
    assert [word for word in shown if word.isdigit()] == ["0"]
    assert not any("trained" in word for word in shown)


def test_longest_texts_fit() -> None:
    """R-162: forty letters of a name, four traits, two long texts and the mark of a placeholder fit, smaller."""
    special = [{"name": "Steadfast", "text": LONG * 2}, {"name": "Relentless", "text": LONG}]
    drawn = card(
        "guardian", "magic", name="Wardens of the Thousand and One Bridges", strength=20, special=special,
        traits=["reach", "ranged", "undead", "elemental"], placeholder=True, discard_bonus=10, upkeep=120,
    )  # fmt: skip
    assert {finding.code for finding in drawn.findings} == {"text_shrunk"}


@pytest.mark.full
def test_text_too_long_is_told() -> None:
    """A text that does not fit is a finding, never cut off in silence."""
    drawn = card(special={"name": "Endless", "text": LONG * 12}, strength=1)
    assert {finding.code for finding in drawn.findings} == {"text_overflow"}


def test_known_cards() -> None:
    """R-30, R-31: every card that comes with the game has a face without a fault, placeholders with their mark."""
    mark = SPEC.data["placeholder_mark"]
    for known in sample_pool():
        drawn = draw(workshop().kit, "rishar/card.svg", face_data(known, SPEC), CardCount(known.ref, known.name))
        assert faults(drawn) == []
        assert (mark in told(drawn.face)) == bool(known.get("placeholder"))


def test_protection_is_told_once() -> None:
    """R-132, R-146: what protects a card stands on it, in the keyword's words, unless its own text says it."""
    wording = PLAIN.data["keywords"]["enduring"]["wording"]
    hold = {"name": "Hold", "text": "On Defense: +2 Strength."}
    assert wording in told(card(strength=1, never_killed=True, special=hold).face)
    own = {"name": "Deathless", "text": "It is never Killed."}
    assert wording not in told(card(strength=1, never_killed=True, special=own).face)
    assert "neither deals nor takes damage" in told(card(strength=1, no_damage=True, special=hold).face)


def test_trained_card_has_a_tick() -> None:
    """R-157, R-164: training adds a tick to the front and nothing else; the back is the same for all."""
    plain, trained = outlines(card(strength=2).face), outlines(card(strength=2, training=1).face)
    assert sum((trained - plain).values()) == 1 and not plain - trained
    assert {kind.back for kind in SPEC.types.values()} == {"back.svg"}


def test_charges_are_drawn() -> None:
    """Every charge that a name may have is drawn, and the sample cards bear few of them twice."""
    words = SPEC.data["charges"]["words"]
    assert {f"charge-{charge}" for _, charge in words} <= set(workshop().kit.library.by_id)
    counts = Counter(sigil(known, SPEC) for known in sample_pool())
    assert len(counts) >= 64 and max(counts.values()) <= 2


@every("name, emblem, expected", [
        ("Wolf Pack", "", "charge-wolf"), ("Wolf Pack", "owl", "charge-owl"), ("Wolf Pack", "path-mind", "path-mind"),
        ("Zzz", "", "path-steel"), ("Old Wardens of the Wood", "", "charge-oak"),
    ])  # fmt: skip
def test_charge_by_emblem_then_name(name: str, emblem: str, expected: str) -> None:
    """A shield bears what the emblem says, else the charge of the name, else the sign of the Path."""
    values = {"name": name, "type": "guardian", "path": "steel", **({"emblem": emblem} if emblem else {})}
    assert sigil(SPEC.card("R-1", values), SPEC) == expected


def test_role_line_never_moves() -> None:
    """R-179: a Role's line stands at the same place whatever the text, at 7.5 pt or more."""
    places = set()
    for text in ("Short.", LONG, LONG * 2):
        for role in ROLES:
            drawn = card(role, special={"name": "Steadfast", "text": text})
            runs = [shape for shape in walk(drawn.face.shapes) if isinstance(shape, Run)]
            assert min(run.size for run in runs if run.field == "reminder") >= 2645
            places.add(next(run.y for run in runs if run.field == "type"))
    assert len(places) == 1


def test_emblem_stands_for_the_sigil() -> None:
    """A card bears the drawing that it names as its emblem, else the sigil of its Path."""
    assert card(strength=1, emblem="path-steel").face == card(strength=1).face
    assert card(strength=1, emblem="no such drawing").face == card(strength=1).face
    assert outlines(card(strength=1, emblem="path-mind").face) != outlines(card(strength=1).face)


def test_abilities_differ_without_reading() -> None:
    """Each ability divides the shield in its own way, and a text of one's own leaves it plain."""
    abilities = [word["label"] for word in PLAIN.data["keywords"].values() if word["kind"] == "ability"]
    faces = [outlines(card("guardian", strength=2, special={"name": name, "text": "T"}).face) for name in abilities]
    assert all(one != other for at, one in enumerate(faces) for other in faces[:at])
    plain = outlines(card("guardian", strength=2, special={"name": "Proud", "text": "T"}).face)
    other = outlines(card("guardian", strength=2, special={"name": "Humble", "text": "T"}).face)
    assert plain == other and plain not in faces


def test_a_ritual_says_where_it_may_not_lie() -> None:
    """R-62: a Ritual can be played, though never on Offense or Defense, and its card says so."""
    assert "Never on Offense or Defense; one per Phase" in told(card("ritual").face)


def test_back_is_the_same_after_a_half_turn() -> None:
    """R-164: a back does not tell which way up its card lies."""
    face = back()
    points = {point for shape in walk(face.shapes) if isinstance(shape, Outline) for point in ends(shape)}
    turned = {(face.size.width - x, face.size.height - y) for x, y in points}
    assert all(near(point, turned) for point in points)


def ends(shape: Outline) -> Iterator[tuple[int, int]]:
    return ((n[-2], n[-1]) for _, n in shape.ops if n)


def near(point: tuple[int, int], others: set[tuple[int, int]]) -> bool:
    reach = range(-8, 9)
    return any((point[0] + dx, point[1] + dy) in others for dx in reach for dy in reach)


# Components


@every("row", SPEC.components["commander"].rows)
@pytest.mark.full
def test_commander_cards(row: Mapping[str, Any]) -> None:
    """R-177: a Commander's card says class, Path, Role and power, and has a box for each use."""
    data = component_data("commander", SPEC, row)
    power = SPEC.data["powers"]["classes"][row["class"]]
    shown = told(component("commander", row).face)
    assert power["label"] in shown and power["text"].split()[0] in shown
    assert len(data["ticked"]["boxes"] if data["ticked"] else ()) == BOXES.get(row["class"], 0)
    assert bool(data["line_label"]) == (row["class"] == "oathbound")
    assert len(data["choice"]["of"] if data["choice"] else ()) == {"tactician": 7, "dervish": 10}.get(row["class"], 0)


def test_commander_sheet_is_filled_in_from_an_army() -> None:
    """R-43, R-163, R-177: the sheet of an army has its Commander, class, power and Morale; that of none is blank."""
    header = {"commander": "Ada", "path": "Magic", "role": "healer", "kind": "npc", "progression": "9"}
    led = component_data("commander-sheet", SPEC, {"deck": header})["led"]
    assert (led["fields"], led["kind"], led["morale"]) == (["Ada", "", "Necromancer"], "npc", 7)
    drawn = component("commander-sheet", {"deck": header})
    assert faults(drawn) == [] and {"Ada", "Necromancer"} <= set(words(drawn.face))
    for odd in ({}, {"path": "fire", "role": "king", "progression": "9" * 9999, "kind": "x", "chosen": "y"}):
        led = component_data("commander-sheet", SPEC, {"deck": odd})["led"]
        assert (led["path"], led["power"], led["progression"], led["morale"]) == ("", "", "", None)
        assert faults(component("commander-sheet", {"deck": odd})) == []


def test_power_reference() -> None:
    """R-123, R-178: grid, cards and sheet name all twenty classes, and say that bonuses set off no Savant."""
    labels = {power["label"] for power in SPEC.data["powers"]["classes"].values()}
    for shown in (told(component("power-grid").face), told(component("power-sheet").face), both_sides("power-cards")):
        assert all(label in shown for label in labels)
        assert SPEC.data["powers"]["note"] in shown


def test_role_reference() -> None:
    """R-179: the card has the dice of each Role on either side, and what the table of Roles says besides."""
    rows = component_data("role-reference", SPEC, {})["rows"]
    assert [row["role"] for row in rows] == list(ROLES)
    assert [(row["dice"]["off"], row["dice"]["def"]) for row in rows[:5]] == [(2, 1), (1, 2), (1, 1), (1, 1), (0, 0)]
    assert rows[5]["dice"] is None
    assert rows[0]["text"] == "2 dice, keep better; 1 against a Guardian."


def test_quick_reference_has_ten_steps() -> None:
    """R-180: the turn has ten numbered steps."""
    shown = words(component("quick-reference", {"page": "turn"}).face)
    assert [word for word in shown if word.isdigit() and len(word) < 3][:10] == [str(n) for n in range(1, 11)]


def test_figures_come_from_the_tables() -> None:
    """Another figure in the game's tables is another figure on the cards."""
    morale = {**SPEC.data["morale"], "unopposed": 7}
    other = replaced(SPEC, data={**SPEC.data, "morale": morale, "kill_margin": 9})
    shown = told(component("quick-reference", {"page": "turn"}, other).face)
    assert "for each 7 whole points" in shown and "9 or more apart" in shown


def test_battle_mat() -> None:
    """R-42, R-176: the piles lie as Exhausted, Disabled, Killed, Morale; tracks go to 20 and 10, four Ritual boxes."""
    face = component("battle-mat").face
    names = ["Exhausted", "Disabled", "Killed", "Morale"]
    runs = {shape.text: shape.x for shape in walk(face.shapes) if isinstance(shape, Run) and shape.text in names}
    assert sorted(names, key=lambda name: runs[name]) == names
    counted = Counter(words(face))
    assert all(counted[str(n)] >= (2 if n <= 10 else 1) for n in range(21))
    assert {"Routed", "In Skirmish", "Base Morale", "Last on Defense", "Rituals used"} <= set(counted)


@every("number", range(8))
def test_odds_cards(number: int) -> None:
    """R-168, R-181: each card has a table of section 15, in percent with one decimal."""
    dice = list(pairings(SPEC))[number]
    data = component_data("odds", SPEC, {"table": number + 1})
    with (HERE / "skirmish_odds.csv").open(encoding="utf-8", newline="") as file:
        wanted = [row for row in csv.DictReader(file) if row["dice"] == "".join(map(str, dice))]
    shown = {row["head"].replace("\u2212", "-").lstrip("+"): row for row in data["rows"]}
    assert len(wanted) == len(shown) == 13
    for row in wanted:
        line = shown[row["d"].lstrip("+")]
        cells = [float(eval_fraction(row[end])) * 100 for end in data["ends"]]
        assert line["cells"] == [f"{cell:.1f}" for cell in cells]
        assert float(line["last"]) == pytest.approx(float(row["percent"]), abs=0.051)


def eval_fraction(text: str) -> float:
    above, _, below = text.partition("/")
    return int(above) / int(below or 1)


def test_tokens_say_what_they_are() -> None:
    """R-182: every token has a word or a figure."""
    for key, known in SPEC.components.items():
        if "token" in known.data:
            assert told(component(key).face)


def test_campaign_sheet() -> None:
    """R-183: the campaign sheet has its seven parts."""
    shown = told(component("campaign-sheet").face)
    parts = ("DAY", "Battles of the Day", "ENDED AT", "RESULT", "UNITS USED", "Upkeep", "DUE", "PAID", "Killed")
    more = ("Training", "ITEMS DESTROYED", "BUILD POINTS", "Recruits", "PRICE", "QUEST", "Base pools used up today")
    assert all(part in shown for part in (*parts, *more))


def test_worked_skirmish() -> None:
    """R-165 to R-167: the sums are 7 to 4, with the discard 7 to 5; A would win on Morale."""
    data = component_data("worked-skirmish", SPEC, {})
    assert data["rows"]["sum"] == {"off": "7", "def": "4"}
    assert data["totals"] == {"off": 7, "def": 5}
    shown = told(component("worked-skirmish").face)
    assert "the Soldier would be Killed" in shown and "the Soldier goes to Disabled, the Spearmen to Exhausted" in shown
    assert "6 began with 8 Morale (Progression 10 or 11)" in shown
    assert "4 began with 5 Morale (Progression 4 or 5)" in shown
    assert "Commander A would win on Morale" in shown


def test_worked_skirmish_is_about_the_known_cards() -> None:
    """R-30, R-165: the cards of the example are as the cards file has them."""
    for side in ("off", "def"):
        given = SPEC.data["example"][side]
        (known,) = sample_pool().named(given["name"])
        assert known.type == given["role"]
        assert (known.get("strength"), known.get("path")) == (given["strength"], given["path"])
        assert list(known.get("traits") or ()) == list(given.get("traits", ()))


def test_glossary_has_every_word_once() -> None:
    """Every word of the game stands on one side of the glossary's cards, in their order."""
    stems = ("glossary", "glossary-back")
    rows = SPEC.components["glossary"].rows
    pages = [component_data(stem, SPEC, row)["entries"] for row in rows for stem in stems]
    shown = [entry["label"] for page in pages for entry in page]
    assert shown == [word["label"] for word in SPEC.data["keywords"].values()]
    assert max(map(len, pages)) < 2 * min(map(len, pages))


def test_glossary_without_words() -> None:
    """A game without a list of words prints an empty glossary and no fault."""
    bare = replaced(SPEC, data={key: value for key, value in SPEC.data.items() if key != "keywords"})
    assert faults(component("glossary", {"card": 1}, bare)) == []


@pytest.mark.full
def test_the_upkeep_of_a_bundled_card_is_marked_as_ours() -> None:
    """No figure of Upkeep is the rules' (R-154): a bundled card says so, where it has Upkeep."""
    for known in sample_pool():
        said = told(draw(workshop().kit, "rishar/card.svg", face_data(known, SPEC), CardCount(known.ref, "")).face)
        assert ("° our Upkeep" in said) == bool(known.get("upkeep")), known.ref
