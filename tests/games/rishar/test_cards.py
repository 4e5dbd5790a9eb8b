"""The sample set of Rishar: its cards, what they are worth, and its armies."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from itertools import permutations
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from carddb.cards.cards import Card, Deck
from carddb.deck import Context, check
from carddb.deck.context import ANY_DAY
from carddb.findings import Place, Severity, verdict
from carddb.games.rishar.play.armies import class_in, commander_check, deck_sums
from carddb.games.rishar.play.cards import findings, specials
from carddb.games.rishar.play.fields import is_unit
from carddb.games.rishar.print.faces import sigil
from carddb.games.rishar.rules import CHECKS
from carddb.read.cards.file import CardReading, read_cards
from carddb.read.decks.text import read_deck
from carddb.read.decks.writer import write_deck
from tests.games.rishar.samples import BOOK, GAME, SPEC, ask, clash, host, replay, sample_pool, where
from tests.games.rishar.samples import card as unit
from tests.rows import every

POOL = sample_pool()
KEYWORDS: Mapping[str, Any] = SPEC.data["keywords"]
BUDGET: Mapping[str, Any] = SPEC.data["budget"]
ABILITIES = {word["label"]: key for key, word in KEYWORDS.items() if word["kind"] == "ability"}
KNOWN = ("Spearmen", "Soldier", "Alchemy Lab", "Mediating Chaplain")
ADVANTAGES = ("reach", "ranged")
"""The traits that can only help; of the others some cards and Commanders think well and some ill."""
DECKS = GAME.folder.decks


class Ability(NamedTuple):
    """What a special text gives: its keyword, its number, and the sort of unit it is for or against."""

    key: str
    number: int
    whom: str


def ability(card: Card) -> Ability | None:
    """The ability of a card, read from its special text; None where it has none."""
    special = card.get("special")
    if special is None:
        return None
    key = ABILITIES[special["name"]]
    pattern = re.escape(KEYWORDS[key]["wording"])
    pattern = pattern.replace(r"\{n\}", r"(?P<n>\d+)").replace(r"\{whom\}", "(?P<whom>.+)")
    found = re.fullmatch(pattern, special["text"])
    assert found, special["text"]
    parts = found.groupdict()
    return Ability(key, int(parts.get("n") or 0), parts.get("whom") or "")


def worth(card: Card) -> int:
    """What a card is worth by the budget."""
    less = BUDGET["no_die"] if card.type == "equipment" else 0
    points = BUDGET["strength"][max(0, (card.get("strength") or 0) - less)]
    points += sum(BUDGET["traits"][trait] for trait in card.get("traits") or ())
    if told := ability(card):
        price = BUDGET["abilities"][told.key]
        points += price.get("each", 0) * told.number + price.get("flat", 0)
    return int(points)


def as_good(card: Card, other: Card) -> bool:
    """Whether a card is at least as good as another in all that can be compared."""
    mine, theirs = ability(card), ability(other)
    text = theirs is None or (mine is not None and mine[::2] == theirs[::2] and mine.number >= theirs.number)
    traits = {*(other.get("traits") or ())} & {*ADVANTAGES} <= {*(card.get("traits") or ())}
    return text and traits and _strength(card) >= _strength(other)


def _is_discard(card: Card) -> bool:
    told = ability(card)
    return told is not None and KEYWORDS[told.key]["text"].startswith("Discard")


def _strength(card: Card) -> int:
    strength = card.get("strength")
    return -1 if strength is None else int(strength)


def test_findings_of_a_card_name_both_numbers() -> None:
    """R-25, R-26, R-62, R-161, R-162: what is amiss with a card names its figure, the limit and the fix."""
    long = SPEC.card("x", {"name": "N" * 41, "type": "ritual", "path": "mind", "strength": 21, "traits": ["flying"]})
    found = {finding.code: finding for finding in findings(long, Place("cards.csv", 2), SPEC)}
    assert set(found) == {"name_missing", "strength_unusual", "trait_unknown", "ritual_with_strength"}
    assert found["name_missing"].data == {"letters": 41, "limit": 40}
    assert found["strength_unusual"].data == {"strength": 21, "limit": 20}
    assert all(finding.fix and finding.rules and finding.where[0].line == 2 for finding in found.values())


@pytest.mark.parametrize(("class_", "chosen", "wrong"), [("guardian", "evoker", True), ("guardian", "rogue", False)])
def test_a_tactician_chooses_among_seven(class_: str, chosen: str, wrong: bool) -> None:
    """R-126, R-163: the class that a header chooses is one that a Tactician may have."""
    deck = Deck("rishar", (), {"path": "steel", "role": class_, "chosen": chosen})
    found = [finding for finding in commander_check(deck, SPEC, POOL, Context(ANY_DAY)) if "R-126" in finding.rules]
    assert bool(found) == wrong


def test_a_card_may_have_several_special_texts(tmp_path: Path) -> None:
    """R-162: `special` is a list of names and texts, or one alone; anything else in the list is refused."""
    twice = '[{"name": "Hold", "text": "On Defense: +2 Strength."}, {"name": "Aid", "text": "Discard this card."}]'
    for special, codes in ((twice, []), (twice.replace('"text"', '"words"', 1), ["field_invalid"])):
        path = tmp_path / "cards.json"
        card = '[{"id": "a", "name": "A", "role": "guardian", "strength": 1, "path": "mind", "special": %s}]'
        path.write_text(card % special, "utf-8")
        (row,) = read_cards(path, CardReading(SPEC, "own", tmp_path)).records
        made = SPEC.card(row.ref, row.values)
        assert len(specials(made)) == 2
        assert [finding.code for finding in findings(made, row.place, SPEC)] == codes


def test_the_set_begins_with_the_four_known_cards() -> None:
    """R-30, R-31: the four known cards are the first four and a set of their own; the others are samples."""
    cards = list(POOL)
    assert tuple(card.name for card in cards[:4]) == KNOWN
    assert [card.ref for card in cards] == [f"RIS-{number:03}" for number in range(1, len(cards) + 1)]
    assert {card.set for card in cards[:4]} == {"documents"} and {card.set for card in cards[4:]} == {"sample"}


def test_every_path_has_every_role() -> None:
    """R-21, R-22: each Path has the same number of cards of each Role, besides those that a class grants."""
    counts = Counter((card.get("path"), card.type) for card in POOL if not card.get("granted_by"))
    for path in SPEC.data["paths"]:
        found = {role: counts[path, role] for role in SPEC.types}
        assert found == {"aggressor": 3, "guardian": 3, "healer": 2, "savant": 2, "equipment": 2, "ritual": 2}
    assert len(POOL) == 72


def test_every_trait_is_used() -> None:
    """R-26: each of the four traits is on three cards or more, and no other word is."""
    traits = Counter(trait for card in POOL for trait in card.get("traits") or ())
    assert set(traits) == set(SPEC.data["traits"]) and min(traits.values()) >= 3


def test_names_are_unambiguous() -> None:
    """A deck may name any sample card without its reference."""
    assert all(len(POOL.folded(card.name)) == 1 for card in POOL)


@every("card", [*POOL])
def test_the_referee_finds_nothing_amiss(card: Card) -> None:
    """R-162: no sample card has an error or a warning."""
    values = {name: card.get(name) for name in SPEC.fields if card.get(name) is not None and name != "special"}
    special = [card.get("special")] if card.get("special") else []
    asked = {"strength": None, **values, "id": card.ref.lower(), "name": card.name, "role": card.type}
    assert ask("check_card", card={**asked, "special": special}) == {"ok": True, "errors": [], "warnings": []}


@every("card", [*POOL])
def test_fields_say_what_the_text_says(card: Card) -> None:
    """R-75, R-132: discard bonus and protection are those of the text; a Ritual has no Strength; names have charges."""
    told = ability(card) or Ability("", 0, "")
    sign = {"watch_out": 1, "aid": 1, "hinder": -1}.get(told.key)
    assert card.get("discard_bonus") == (told.number * sign if sign else None)
    assert bool(card.get("never_killed")) == (told.key == "enduring" or card.name == "Alchemy Lab")
    assert is_unit(card.type) or card.get("strength") is None
    assert sigil(card, SPEC).startswith("charge-")


@every("card", [*POOL])
def test_a_text_fits_its_card(card: Card) -> None:
    """A name has 30 letters at most, a special text 110, so that both stand on a poker card without shrinking much."""
    special = card.get("special") or {"name": "", "text": ""}
    assert len(card.name) <= 30 and len(f"{special['name']}. {special['text']}") <= 110


def test_one_keyword_for_one_idea() -> None:
    """Every special text is worded as its keyword says, for a Path, a Role or a trait, and every keyword is used."""
    sorts = [*SPEC.data["paths"].values(), *SPEC.data["traits"].values()]
    known = {sort["label"] for sort in sorts} | {SPEC.label_of(role) for role in SPEC.data["dice"]}
    used = [told for card in POOL if (told := ability(card))]
    for told in used:
        assert not told.whom or re.sub(r"^an? | unit$", "", told.whom) in known
    assert {told.key for told in used} == set(ABILITIES.values()) == set(BUDGET["abilities"])


def test_keywords_have_a_meaning_and_rules() -> None:
    """Each keyword has a label of its own, a short meaning and rules of the book; traits are named as in the tables."""
    assert len({word["label"] for word in KEYWORDS.values()}) == len(KEYWORDS)
    for word in KEYWORDS.values():
        assert word["kind"] in ("term", "trait", "ability") and len(word["text"]) <= 90 and word["text"].endswith(".")
        assert word["rules"] and set(word["rules"]) <= set(BOOK["rules"])
        assert ("wording" in word) == (word["kind"] == "ability")
    traits = {key: word["label"] for key, word in KEYWORDS.items() if word["kind"] == "trait"}
    assert traits == {key: trait["label"] for key, trait in SPEC.data["traits"].items()}


@every("card", [card for card in POOL if not card.get("placeholder")])
def test_a_card_costs_what_it_is_worth(card: Card) -> None:
    """R-154, R-156: Upkeep is what the budget says; the price is so many Days of it, where there is no quest."""
    if not is_unit(card.type):
        assert worth(card) == BUDGET["ritual"]
        assert (card.get("upkeep"), card.get("recruit_cost"), card.get("recruit_quest")) == (0, None, None)
        return
    assert card.get("upkeep") == worth(card) > 0
    price = card.get("recruit_cost")
    assert (price is None) == bool(card.get("recruit_quest"))
    assert price in (None, worth(card) * BUDGET["recruiting"])


@every("card", [card for card in POOL if _is_discard(card)])
def test_the_referee_carries_every_discard(card: Card) -> None:
    """R-75, R-113: a replay plays each card that is discarded for something, and finds what its text promises.

    First a's runner beats b's walker; then b's rider meets a's guard, and the card is discarded.
    """
    told = ability(card)
    assert told
    mine = "a" if told.key == "regroup" else "b"
    hands = {"a": {"runner": 3, "guard": 2, "reserve": 1}, "b": {"walker": 2, "rider": 4}}
    armies = {
        key: [unit(name, strength, path=card.get("path")) for name, strength in hand.items()]
        for key, hand in hands.items()
    }
    spent = {"id": "spent", "name": card.name, "strength": card.get("strength"), "role": card.type}
    armies[mine].append({**spent, "path": card.get("path"), "discard_bonus": card.get("discard_bonus")})
    reaction = {"by": mine, "discard": "spent", **_effect(told)}
    turns = clash("a", "runner", "walker"), clash("b", "rider", "guard", reactions=[reaction])
    answer = replay(host(*armies["a"]), host(*armies["b"]), *turns)
    assert answer["ok"] and where(answer, mine)["spent"] == "disabled", answer
    for move in reaction.get("moves", ()):
        assert where(answer, move["army"])[move["card"]] == move["to"]
    before = ask("morale_start", progression=4)["total"]
    for key in armies:
        assert answer[key]["morale"]["total"] == before + reaction.get("morale", {}).get(key, 0)


def _effect(told: Ability) -> dict[str, Any]:
    """What a discard does, as a record of a Battle has it."""
    moves = {
        "rescue": {"army": "b", "card": "walker", "to": "exhausted"},
        "regroup": {"army": "a", "card": "runner", "to": "hand"},
        "harry": {"army": "a", "card": "runner", "to": "disabled"},
    }
    if told.key in moves:
        return {"moves": [moves[told.key]]}
    if told.key in ("inspire", "dread"):
        return {"morale": {"b": told.number} if told.key == "inspire" else {"a": -told.number}}
    return {"to": "def" if told.key == "hinder" else "off"}


def test_abilities_stand_where_they_may() -> None:
    """An ability that the budget keeps for some Roles is on no other card."""
    for card in POOL:
        told = ability(card)
        assert told is None or card.type in BUDGET["abilities"][told.key].get("on", SPEC.types), card.name


def test_no_card_is_better_in_everything_and_no_dearer() -> None:
    """Of two cards of a Role none is as good in all and better in one without costing more Upkeep."""
    for card, other in permutations(POOL, 2):
        if card.type == other.type and not (card.get("placeholder") or other.get("placeholder")):
            better = as_good(card, other) and not as_good(other, card)
            assert not (better and card.get("upkeep") <= other.get("upkeep")), (card.name, other.name)


def army(path: Path) -> Deck:
    """A sample army, read without any finding."""
    deck, findings = read_deck(path.read_text("utf-8"), SPEC, POOL, path.name)
    assert findings == []
    return deck


@every("path", DECKS)
def test_every_sample_army_is_legal(path: Path) -> None:
    """A sample army is legal, without as much as a warning, and stands in the canonical form."""
    deck = army(path)
    findings = check(deck, SPEC, POOL, Context(on=ANY_DAY), CHECKS)
    assert verdict(findings) == "legal" and not [f for f in findings if f.severity is not Severity.INFO]
    assert write_deck(deck, SPEC) == path.read_text("utf-8")


def test_four_armies_of_four_classes() -> None:
    """Four armies under Commanders of four Paths, Roles and classes, one of them no player's."""
    decks = [army(path) for path in DECKS]
    for key in ("path", "role"):
        assert len({deck.headers[key] for deck in decks}) == len(decks) == 4
    assert None not in {class_in(deck, SPEC) for deck in decks}
    assert Counter(deck.headers["kind"] for deck in decks) == {"pc": 3, "npc": 1}


def test_armies_are_a_match_for_each_other() -> None:
    """R-43, R-112, R-151: all sample armies have the same Upkeep, Progression, number of units and of Rituals."""
    sizes = set()
    for deck in map(army, DECKS):
        cards = [entry.card for entry in deck.entries for _ in range(entry.count) if entry.card]
        units = sum(is_unit(card.type) for card in cards)
        upkeep = sum(card.get("upkeep") for card in cards)
        sizes.add((upkeep, deck.headers["progression"], units, len(cards) - units))
    assert sizes == {(60, "8", 16, SPEC.data["rituals"]["battle"])}


@every(
    "headers, figures",
    [
        ({"path": "steel", "role": "guardian", "progression": "9", "commander": "Ada"}, ["Ada", "9", "7", "60"]),
        ({"progression": "many"}, ["60"]),
        ({"progression": "9" * 9999}, ["60"]),
        ({}, ["0", "3", "60"]),
    ],
)
def test_an_army_list_says_what_it_has_and_costs(headers: dict[str, str], figures: list[str]) -> None:
    """R-43, R-123, R-152: the Commander's name and class, Progression, Morale at the start, Upkeep for a Day."""
    deck = army(next(path for path in DECKS if path.stem == "the-long-wall"))
    sums = deck_sums(Deck("rishar", deck.entries, headers), SPEC)
    assert [figure for figure, _, _ in sums] == figures
    assert ("Tactician, Guardian of Steel" in [note for _, _, note in sums]) == ("commander" in headers)


def test_a_card_of_the_documents_answers_to_its_former_set() -> None:
    """The four printed units were samples once: a deck that names them so, or by their set of today, finds them."""
    for set_ in ("Sample", "sample", "Documents"):
        text = f"Game: rishar\n\n## Army\n1 Spearmen ({set_})\n1 Soldier ({set_})\n"
        deck, findings = read_deck(text, SPEC, POOL)
        assert [entry.ref for entry in deck.entries] == ["RIS-001", "RIS-002"] and not findings
    deck, findings = read_deck("Game: rishar\n\n## Army\n1 Long Pikes (Documents)\n", SPEC, POOL)
    assert [finding.code for finding in findings] == ["card_unknown"]
