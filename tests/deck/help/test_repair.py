"""The smallest change that makes a deck legal: minimal, legal, and never at the cost of a cornerstone."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest

from carddb.cards.cards import Card, Deck, Entry, Pool
from carddb.deck import Context
from carddb.deck.help.building import Candidates, fill
from carddb.deck.help.repair import repair
from carddb.deck.help.statistics import difference
from carddb.findings import Finding, error, verdict
from carddb.game.game import GameSpec
from tests.deck.samples import DAY, card, deck, entry, game, judge
from tests.rows import usually

LANCER, ARCHER, CAPTAIN = card("Lancer"), card("Archer", cost=4), card("Captain", cost=6)
BOLT, SPARK, CHART = card("Bolt", "spell"), card("Spark", "spell", cost=3), card("Chart", "aid")
CARDS = (LANCER, ARCHER, CAPTAIN, BOLT, SPARK, CHART)
LIMITS: list[dict[str, Any]] = [
    {"copies": "type:unit,spell", "max": 2, "code": "copies"},
    {"total": "type:unit", "min": 1, "code": "no_unit"},
    {"requires": "type:spell", "given": "cost>5", "min": 1, "code": "captain_needs_spell"},
    {"budget": "type:unit", "of": "cost", "max": 10, "code": "too_dear_in_all"},
]
GAME = game(limits=LIMITS)
Tally = tuple[tuple[tuple[str, str], int], ...]


def candidates(broken: Deck, spec: GameSpec = GAME, cards: Sequence[Card] = CARDS, **rest: Any) -> Candidates:
    """What may be made of a deck of the small game."""
    return Candidates(broken, spec, Pool(cards), Context(DAY), [], **rest)


def random_deck(seed: int) -> Deck:
    """A deck of at most six cards, of which some lie where they may not."""
    chance = random.Random(seed)
    copies = chance.randint(1, 6)
    picked = [(chance.choice(["main", "main", "main", "side", "aids"]), chance.choice(CARDS)) for _ in range(copies)]
    return deck(*(entry(1, card_, section) for section, card_ in picked))


def neighbours(tally: Tally) -> Iterator[Tally]:
    """Every deck that differs by one copy: removed, added, or moved."""
    counts = dict(tally)
    places = [(section, card_.ref) for section in GAME.sections for card_ in CARDS]

    def with_(*changes: tuple[tuple[str, str], int]) -> Tally:
        new = dict(counts)
        for place, by in changes:
            new[place] = new.get(place, 0) + by
        return tuple(sorted((place, count) for place, count in new.items() if count))

    for place in counts:
        yield with_((place, -1))
        yield from (with_((place, -1), (other, 1)) for other in places if other[1] == place[1] and other != place)
    yield from (with_((place, 1)) for place in places)


def of_tally(tally: Tally) -> Deck:
    """The deck with these copies."""
    by_ref = {card_.ref: card_ for card_ in CARDS}
    return deck(*(entry(count, by_ref[ref], section) for (section, ref), count in tally))


def refs(of: Deck) -> set[str]:
    """The cards of a deck."""
    return {entry_.ref for entry_ in of.entries}


def least_change(broken: Deck, stay: set[str], most: int) -> int | None:
    """The fewest copies that make a deck legal, by trying every deck; None where more than `most` are needed."""
    layer = {tuple(sorted(broken.tally().items()))}
    seen = set(layer)
    for copies in range(most + 1):
        for tally in layer:
            candidate = of_tally(tally)
            if stay <= refs(candidate) and verdict(judge(GAME, candidate)) == "legal":
                return copies
        layer = {new for tally in layer for new in neighbours(tally)} - seen
        seen |= layer
    return None


def is_smallest(broken: Deck) -> None:
    """What is proposed for a deck is legal, and a search through all decks finds nothing smaller."""
    result = repair(candidates(broken))
    every = candidates(broken)
    stay = {ref for ref in refs(broken) if every.is_cornerstone(ref)}
    least = least_change(broken, stay, 3)
    if least is None:
        assert not result.legal or result.difference.copies > 3
    else:
        assert result.legal and result.proven
        assert result.difference.copies == least
    if result.legal:
        assert verdict(judge(GAME, result.deck)) == "legal"
        assert stay <= refs(result.deck)
    assert sum(step.card.count for step in result.steps) == result.difference.copies
    assert all(step.words and step.reason and step.why for step in result.steps)


@usually("seed", range(8), 0, 1, 2)
def test_no_smaller_change_exists_on_small_decks(seed: int) -> None:
    """What is proposed is legal, keeps the cornerstones, and a search through all decks finds nothing smaller.

    The steps change as many copies as the two decks differ by, and each says its reason and why it is no larger.
    """
    is_smallest(random_deck(seed))


@pytest.mark.full
@pytest.mark.parametrize("seed", range(8, 320))
def test_no_smaller_change_exists_at_full_size(seed: int) -> None:
    """The same over 280 further decks."""
    is_smallest(random_deck(seed))


def test_a_legal_deck_stays_as_it_is() -> None:
    """Nothing is changed where nothing is wrong."""
    legal = deck(entry(2, LANCER), entry(1, ARCHER))
    result = repair(candidates(legal))
    assert result.deck is legal and result.legal and not result.steps


def test_the_only_officer_stays() -> None:
    """A card whose lack leaves nothing of what a rule needs is not taken out, where another way costs more."""
    spec = game(
        limits=[{"total": "cost>5", "min": 1, "code": "leader"}, {"copies": "type:unit", "max": 2, "code": "c"}]
    )
    built_on = deck(entry(5, CAPTAIN))
    result = repair(candidates(built_on, spec))
    assert result.legal and "captain" in refs(result.deck)
    assert [card_.ref for card_ in result.cornerstones] in (["captain"], [])


def test_a_forbidden_cornerstone_is_left_and_said() -> None:
    """Where only taking out the one leader would help, no change is proposed, and the card is named."""
    spec = game(limits=[{"total": "cost>5", "min": 1, "code": "leader"}, {"total": "cost=6", "max": 0, "code": "out"}])
    result = repair(candidates(deck(entry(1, CAPTAIN), entry(2, LANCER)), spec))
    assert not result.legal and [fault.code for fault in result.faults] == ["out"]
    assert [card_.ref for card_ in result.cornerstones] == ["captain"]


def test_only_what_is_owned_is_added() -> None:
    """A card that the player lacks is not proposed; without any nothing is."""
    short = deck(entry(2, LANCER))
    result = repair(candidates(short, owned=[(ARCHER, 1)]))
    assert refs(result.deck) == {"lancer", "archer"}
    assert not repair(candidates(short, owned=[])).legal


def test_an_unknown_card_goes() -> None:
    """A line that no card answers to is taken out, and something else comes in where the deck is too small."""
    result = repair(candidates(deck(entry(2, LANCER), entry(1, ARCHER), entry(1, "Nobody"))))
    assert [step.words for step in result.steps] == ["Remove 1 Nobody from Main deck"]
    assert result.proven and result.steps[0].code == "card_unknown"


@pytest.mark.full
def test_the_work_for_many_unknown_cards_is_bounded() -> None:
    """A deck of 300 unknown cards has a step for each, and its repair checks far fewer lines than all their orders."""
    made = candidates(deck(*(entry(1, f"Nobody {number}") for number in range(300)), entry(1, ARCHER)))
    fixed = repair(made)
    assert [step.change for step in fixed.steps].count("remove") == 300 and fixed.legal
    assert made.checked < 150_000


def test_unknown_cards_do_not_stand_in_the_way_of_a_proof() -> None:
    """What has to go in any case is no part of the search: the rest is ruled out as without it."""
    nobodies = [entry(3, "Nobody"), entry(2, "No one", "side")]
    broken = deck(entry(4, LANCER), entry(1, CAPTAIN), entry(1, CHART), *nobodies)
    result, plain = repair(candidates(broken)), repair(candidates(replace(broken, entries=broken.entries[:3])))
    assert result.proven and plain.proven
    assert result.difference.copies == plain.difference.copies + 5


def test_a_move_is_one_copy() -> None:
    """A card in the wrong section is moved, which changes one copy, not two."""
    result = repair(candidates(deck(entry(2, LANCER), entry(1, ARCHER), entry(1, CHART))))
    (step,) = result.steps
    assert (step.change, step.section, step.to, step.code) in (
        ("move", "main", "aids", "aid_in_main"),
        ("remove", "main", "", "aid_in_main"),
    )
    assert result.difference.copies == 1


def no_commander(_deck: Deck, *_: Any) -> list[Finding]:
    """A check that misses a header in every deck."""
    return [error("no_commander", "who leads?", data={"field": "commander"})]


def test_a_fault_of_a_header_is_left_to_the_player() -> None:
    """The cards are mended all the same, by as little as without it, and the fault is said beside them."""
    broken = deck(entry(1, LANCER), entry(1, "Nobody"))
    result = repair(Candidates(broken, GAME, Pool(CARDS), Context(DAY), [no_commander]))
    plain = repair(candidates(broken))
    assert result.deck.tally() == plain.deck.tally() and result.proven == plain.proven
    assert not result.faults and not result.legal
    assert [fault.code for fault in result.header_faults] == ["no_commander"]
    assert "mends the cards" in result.sentence and "The listed faults of the header remain" in result.sentence
    filled = fill(Candidates(deck(entry(1, LANCER)), GAME, Pool(CARDS), Context(DAY), [no_commander]))
    assert not filled.faults and filled.header_faults and "no fault of the cards is left" in filled.sentence


def test_legal_cards_under_a_faulty_header_stay() -> None:
    """Where only the header is wrong no card is changed."""
    sound = deck(entry(2, LANCER), entry(1, ARCHER))
    result = repair(Candidates(sound, GAME, Pool(CARDS), Context(DAY), [no_commander]))
    assert result.deck is sound and not result.steps and not result.legal
    assert result.sentence.startswith("No fault of the cards was found.")


def test_difference_counts_copies_once() -> None:
    """A move counts once, a swap twice; the lists are by side."""
    before = deck(entry(2, LANCER), entry(1, BOLT))
    after = deck(entry(1, LANCER), entry(1, BOLT, "side"), entry(1, ARCHER))
    result = difference(before, after)
    assert result.copies == 3
    assert [change.ref for change in result.only_before] == ["bolt"]
    assert [(change.section, change.ref) for change in result.only_after] == [("main", "archer"), ("side", "bolt")]
    assert [(change.ref, change.before, change.after) for change in result.counts] == [("lancer", 2, 1)]
    same = replace(before, entries=(Entry("main", 1, "Lancer", LANCER), *before.entries[1:], entry(1, LANCER)))
    assert difference(before, same).changes == ()
