"""The sample set of C.A.H.R.D.: its people, its costs, its words and its decks."""

from __future__ import annotations

import re
from collections import Counter
from datetime import date
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from typing import Any

from carddb.cards.cards import Card
from carddb.deck import Context, check
from carddb.findings import Place, Severity, verdict
from carddb.games.cahrd.play.setup import chance_of_hand, officers_needed
from carddb.games.cahrd.rules import OPERATIONS
from carddb.layout.text.text_setting import Setter, Style
from carddb.press.faces.workshop import font_book
from carddb.read.decks.text import read_deck
from carddb.read.decks.writer import write_deck
from tests.games.cahrd.sample_cards import FINDINGS, GAME, POOL, SPEC, STATS, cards, rules_text
from tests.rows import every

DECKS = GAME.folder.decks
TERMS: list[dict[str, Any]] = SPEC.data["keywords"]["terms"]
COSTS: dict[str, Any] = SPEC.data["costs"]
OFFICERS = cards("officer")
SOUTH_AMERICA = {"Inca Empire", "Mapuche", "Upper Peru", "Gran Colombia"}

# What the rulebook's glossary and its rules of battle give a meaning of its own.
OWN_WORDS = [
    *("on the field", "battling", "battled", "battle damage", "disregard", "excavate", "random", "reveal", "search"),
    *("discard pile", "set", "vanguard", "attacked marker", "direct", "reserves", "in response", "damage counter"),
]
# Width in millimetres, type size in points, and the lines there are for it beside picture and numbers.
ROOM = {"trait": (53.7, 8.25, 4), "effect": (52.3, 8.5, 6), "requirement": (44, 8.25, 2)}
POINT = 352.778
NAMED = {
    "Julius Caesar", "Oda Nobunaga", "George Washington", "Zhang Fei", "Serpent Spear of Zhang Fei", "Crescent Blade"
}  # fmt: skip
NAME_LETTERS, FLAVOUR_LETTERS = 30, 66


def test_the_set_loads_without_a_finding() -> None:
    """All cards are samples but those that the documents name; their references run from CAH-001 without a gap."""
    assert FINDINGS == []
    assert {card.name for card in POOL if card.set == "documents"} == NAMED
    assert {card.set for card in POOL if card.name not in NAMED} == {"sample"}
    assert [card.ref for card in POOL] == [f"CAH-{number:03}" for number in range(1, len(POOL) + 1)]


def test_the_set_has_what_a_table_needs() -> None:
    """At least 48 officers, 40 items, 36 tactics and 16 strategies, no two with one name."""
    counts = Counter(card.type for card in POOL)
    assert all(
        counts[kind] >= least for kind, least in {"officer": 48, "item": 40, "tactic": 36, "strategy": 16}.items()
    )
    assert all(len(POOL.folded(card.name)) == 1 for card in POOL)


def test_every_card_is_valid_and_usual() -> None:
    """The game finds nothing wrong and nothing unusual with a sample card."""
    for card in POOL:
        values = {key: list(value) if isinstance(value, tuple) else value for key, value in card.values.items()}
        found = OPERATIONS["validate_card"].ask(SPEC, {"card": values})
        assert found == {"ok": True, "valid": True, "violations": [], "warnings": []}, card.ref


def test_what_is_unusual_is_told_when_a_file_is_loaded() -> None:
    """C-15, C-19: an officer without a trait and an item of an uneven cost are warnings with their place."""
    cards = [Card("cahrd", ref, {"name": ref, "type": kind, "reserve_cost": 1500})
             for ref, kind in (("Ladder", "item"), ("Anna", "officer"))]  # fmt: skip
    found = GAME.faults_of((card, Place("mine.csv", line)) for line, card in enumerate(cards, 2))
    assert [(one.code, one.severity, one.where[0].line) for one in found] == [
        ("cost_not_round", Severity.WARNING, 2),
        ("trait_missing", Severity.WARNING, 3),
    ]


def test_a_place_that_nobody_knows_is_told() -> None:
    """A campaign of known places and one written out has no finding; a slip is a warning with the nearest names."""
    march = {"name": "Anna", "type": "officer", "trait": "None."}
    cards = [Card("cahrd", ref, {**march, "campaign": places})
             for ref, places in (("A", ("Thebes", "Dvin 40.0 44.6")), ("B", ("Theebes", "Dvin")))]  # fmt: skip
    findings = GAME.faults_of((card, Place("mine.csv", line)) for line, card in enumerate(cards, 2))
    (finding,) = [finding for finding in findings if finding.code == "campaign_place_unknown"]
    assert (finding.where[0].line, finding.data["places"]) == (3, ["Theebes", "Dvin"]) and "Thebes" in finding.fix


def test_officers_come_from_every_age_and_every_inhabited_continent() -> None:
    """Eight ages and more; Africa, the Americas north and south, Asia, Europe, Oceania, each with several people."""
    assert len({officer.get("era") for officer in OFFICERS}) >= 8
    regions = Counter(str(officer.get("region")) for officer in OFFICERS)
    assert all(regions[region] >= 3 for region in SPEC.fields_of("officer")["region"].of)
    realms = {officer.get("realm") for officer in OFFICERS if officer.get("region") == "americas"}
    assert len(realms & SOUTH_AMERICA) >= 3 and len(realms - SOUTH_AMERICA) >= 3


def test_an_officer_is_told_in_full() -> None:
    """Every officer has era, date, realm, region, trait, flavour and emblem; every item flavour and emblem."""
    for card in OFFICERS:
        assert all(card.get(field) for field in ("era", "date", "realm", "region", "trait", "flavor", "emblem")), (
            card.name
        )
    assert all(card.get("flavor") and card.get("emblem") for card in cards("item"))


def test_every_rank_and_every_post_has_its_officers() -> None:
    """Each stat occurs in four ranks at least, and each post has ten officers made for it."""
    for stat in STATS:
        assert len({officer.get(stat) for officer in OFFICERS}) >= 4, stat
    posts = Counter(post for officer in OFFICERS for post in officer.get("trait_positions") or ())
    assert all(posts[post] >= 10 for post in SPEC.fields_of("officer")["trait_positions"].of)


def test_no_officer_dominates_another() -> None:
    """Who is at least as good in all four stats costs more, so no two have the same four."""
    for one, other in permutations(OFFICERS, 2):
        as_good = all(one.get(stat) >= other.get(stat) for stat in STATS)
        assert not as_good or one.get("recruitment_cost") > other.get("recruitment_cost"), (one.name, other.name)


def test_no_officer_is_the_same_for_less() -> None:
    """Of two officers with the same four stats, the one who costs less has fewer men or the lesser trait."""
    worth = COSTS["trait"]
    for one, other in permutations(OFFICERS, 2):
        if [one.get(stat) for stat in STATS] == [other.get(stat) for stat in STATS]:
            gains = (one.get("men") - other.get("men"), worth[one.get("worth")] - worth[other.get("worth")])
            assert one.get("recruitment_cost") >= other.get("recruitment_cost") or min(gains) < 0, (
                one.name,
                other.name,
            )


def test_a_recruitment_cost_is_the_sum_of_its_parts() -> None:
    """Stats, men and trait at the prices of the game's table, less the allowance."""
    prices = COSTS["officer"]
    for officer in OFFICERS:
        total = sum(price * officer.get(part) for part, price in prices.items()) + COSTS["trait"][officer.get("worth")]
        assert officer.get("recruitment_cost") == total - COSTS["allowance"], officer.name


def test_an_item_costs_the_sum_of_its_parts() -> None:
    """The parts that its worth names, at the prices of the game's table; every price is of some item's."""
    used = set()
    for item in cards("item"):
        parts = [part.partition(" ") for part in item.get("worth").split("; ")]
        assert item.get("reserve_cost") == sum(COSTS["item"][key] * int(times or 1) for key, _, times in parts), (
            item.name
        )
        used |= {key for key, _, _ in parts}
    assert used == set(COSTS["item"])


def test_costs_are_round_and_can_be_paid() -> None:
    """Costs are whole thousands; three officers of middling charm pay any officer within four turns."""
    costs = [int(card.get("recruitment_cost") or card.get("reserve_cost") or 0) for card in POOL]
    assert all(cost % SPEC.data["round_cost"] == 0 for cost in costs)
    assert max(costs) <= 4 * 3 * 3 * SPEC.data["men_per_chm"]


def test_a_trait_begins_with_its_moment() -> None:
    """A trait is an active effect: it says how often or when it is used (C-25)."""
    assert all(re.match(r"(Once each (turn|battle), |When )", officer.get("trait")) for officer in OFFICERS)


def test_a_tactic_answers_or_names_its_moment() -> None:
    """A tactic responds, or names a moment and is marked as triggered (C-117, C-126)."""
    for tactic in cards("tactic"):
        named = bool(re.match(r"(When|In your \w+ Step)\b", tactic.get("effect")))
        assert named is bool(tactic.get("trigger")), tactic.name
        assert named or tactic.get("effect").startswith("In response to "), tactic.name


def test_flags_say_what_the_text_says() -> None:
    """A card disregards, lasts or waits for a moment exactly where its text does (C-82, C-86, C-123)."""
    lasting = re.compile(r"as long as|until your next|discard this card and", re.I)
    for card in [*cards("item"), *cards("tactic")]:
        effect = card.get("effect")
        assert bool(card.get("continuous")) is bool(lasting.search(effect)), card.name
        assert bool(card.get("disregards")) is ("disregard it" in effect), card.name
        assert card.type == "tactic" or bool(card.get("trigger")) is effect.startswith("When "), card.name


def test_tactics_disregard_every_kind_of_link() -> None:
    """Items, tactics, traits and strategies can each be answered; a sixth of the tactics disregard (C-23, C-118)."""
    told = " ".join(tactic.get("effect") for tactic in cards("tactic") if tactic.get("disregards"))
    assert all(kind in told for kind in ("item", "tactic", "trait", "strategy"))
    assert 6 * sum(bool(tactic.get("disregards")) for tactic in cards("tactic")) >= len(cards("tactic"))


def test_amounts_are_those_of_track_and_counters() -> None:
    """Men come in thousands, grain in the steps of its track, cards in figures."""
    for card in POOL:
        for amount, what in re.findall(r"(\d[\d,]*) (men|grain)\b", rules_text(card)):
            step = SPEC.data["round_cost"] if what == "men" else SPEC.data["grain_per_war"]
            assert int(amount.replace(",", "")) % step == 0, card.name
        assert not re.search(r"\b(one|two|three) (more )?cards?\b", rules_text(card)), card.name


def test_cards_name_steps_that_exist() -> None:
    """A step named on a card is one of the turn's."""
    steps = {step["name"] for step in SPEC.data["turn"]["steps"]}
    assert set(re.findall(r"(\w+) Step\b", "\n".join(map(rules_text, POOL)))) <= steps


def test_words_with_a_meaning_are_in_the_list_of_keywords() -> None:
    """What the rulebook gives a meaning, and a card uses, is a form of a keyword."""
    forms = {form for term in TERMS for form in term["forms"]}
    told = "\n".join(map(rules_text, POOL)).lower()
    assert {word for word in OWN_WORDS if re.search(rf"\b{word}\b", told)} <= forms


def test_one_keyword_for_one_idea() -> None:
    """No card uses a word that a keyword stands in place of, and every form of a keyword is on some card."""
    told = "\n".join(map(rules_text, POOL)).lower()
    avoided = [word for term in TERMS for word in term.get("instead_of", ())]
    assert [word for word in avoided if re.search(rf"\b{word.lower()}\b", told)] == []
    unused = [form for term in TERMS for form in term["forms"] if not re.search(rf"\b{form.lower()}\b", told)]
    assert unused == []


def test_keywords_name_rules_of_the_book() -> None:
    """Each has label, meaning and rules; those of the glossary card cover all that it has to tell."""
    assert len({term["key"] for term in TERMS}) == len(TERMS)
    assert all(term["label"] and term["means"].endswith(".") and term["rules"] for term in TERMS)
    assert {rule for term in TERMS for rule in term["rules"]} <= set(GAME.rule_book.rules)
    printed = {rule for term in TERMS if term.get("glossary") for rule in term["rules"]}
    assert printed >= {f"C-{number}" for number in (12, 13, 25, 60, 106, 107, 123, 125, *range(134, 141), 142)}


def test_texts_are_no_longer_than_their_room() -> None:
    """Texts in full size need no more lines than a poker card has; a stat takes its icon's width besides."""
    setter = Setter(font_book(SPEC.fonts))
    for card in POOL:
        for field, (width, size, most) in ROOM.items():
            extra = f"Also pay: {card.get('extra_cost')}\n" if card.get("extra_cost") and field == "effect" else ""
            lines = re.sub(r"\b(LDR|WAR|INT|CHM)\b", r"— \1", f"{extra}{card.get(field) or ''}").split("\n")
            style = Style("IBM Plex Sans Condensed", round(size * POINT))
            needed = sum(setter.count_lines(line, style, round(width * 1000)) for line in lines if line)
            assert needed <= most, (card.name, field, needed)


def test_names_and_flavour_are_short() -> None:
    """A name fits its line, a flavour two lines."""
    assert [card.name for card in POOL if len(card.name) > NAME_LETTERS] == []
    assert [card.name for card in POOL if not 0 < len(str(card.get("flavor") or "")) <= FLAVOUR_LETTERS] == []


@every("form", SPEC.formats)
@every("path", DECKS)
def test_every_sample_deck_is_legal_in_both_formats(path: Path, form: str) -> None:
    """A sample deck is legal in a battle and in a War, without a warning."""
    deck, found = read_deck(path.read_text("utf-8"), SPEC, POOL, path.name)
    context = Context(on=date(2026, 11, 21), format=form)
    findings = [*found, *check(deck, SPEC, POOL, context, GAME.hook("CHECKS"))]
    assert verdict(findings) == "legal" and not [f for f in findings if f.severity is Severity.WARNING], findings


@every("path", DECKS)
def test_sample_decks_are_written_canonically(path: Path) -> None:
    """A sample deck is what the program writes of it, and has strategies."""
    deck, _ = read_deck(path.read_text("utf-8"), SPEC, POOL, path.name)
    assert write_deck(deck, SPEC) == path.read_text("utf-8")
    assert deck.size("strategy") >= 4


@every("path", DECKS)
def test_opening_hands_of_sample_decks_have_officers(path: Path) -> None:
    """At least three of four opening hands have the officers that set-up needs (C-64)."""
    deck, _ = read_deck(path.read_text("utf-8"), SPEC, POOL, path.name)
    officers = sum(entry.count for entry in deck.entries if entry.card and entry.card.type == "officer")
    chance = chance_of_hand(deck.size("main"), officers, SPEC.data["setup"]["hand"], officers_needed(SPEC))
    assert chance >= Fraction(3, 4)


def test_sample_decks_have_different_plans() -> None:
    """Four decks, no two of which share half of their cards; three of four sample cards are in one of them."""
    decks = [read_deck(path.read_text("utf-8"), SPEC, POOL, path.name)[0] for path in DECKS]
    refs = [{entry.ref for entry in deck.entries} for deck in decks]
    assert len(refs) == 4
    assert all(2 * len(one & other) < min(len(one), len(other)) for one, other in permutations(refs, 2))
    assert 4 * len(set().union(*refs)) >= 3 * len(POOL)
