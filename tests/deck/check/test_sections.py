"""Sections: sizes and misplaced cards."""

from __future__ import annotations

from carddb.cards.cards import Deck
from carddb.findings import Severity
from tests.deck.samples import card, codes, deck, entry, game, judge

UNIT, SPELL, AID = card("Lancer"), card("Bolt", "spell"), card("Chart", "aid")
GAME = game()


def test_sizes_within_bounds() -> None:
    """A section at its least, and one at its most, is no finding."""
    assert judge(GAME, deck(entry(3, UNIT))) == []
    assert judge(GAME, deck(entry(5, UNIT), entry(2, SPELL, "side"))) == []


def test_too_few() -> None:
    """A section under its least size is one finding with both numbers and what to add."""
    (found,) = judge(GAME, deck(entry(1, UNIT)))
    assert found.code == "main_size" and found.message == "Main deck: 1 card, at least 3 are needed"
    assert found.data == {"section": "main", "count": 1, "limit": 3}
    assert found.fixes == ({"add": [{"count": 2, "section": "main"}]},) and found.fix == "Add 2 cards to Main deck."


def test_too_many() -> None:
    """A section over its most points at the last lines and would remove no more than the surplus."""
    (found,) = judge(GAME, deck(entry(4, UNIT), entry(1, SPELL), entry(1, card("Spark", "spell"))))
    assert found.data == {"section": "main", "count": 6, "limit": 5}
    assert [place.line for place in found.where] == [3]
    assert found.fixes == ({"remove": [{"ref": "spark", "count": 1}]},)
    assert found.fix == "Remove 1 Spark."


def test_generic_size_code() -> None:
    """A section without a code of its own has the generic one."""
    assert codes(judge(GAME, deck(entry(3, UNIT), entry(3, SPELL, "side")))) == ["section_size"]


def test_unknown_and_misplaced_cards_count_toward_sizes() -> None:
    """Whatever is listed in a section counts toward its size, known or not."""
    assert judge(GAME, deck(entry(3, "Nobody"))) == []
    assert codes(judge(GAME, deck(entry(2, UNIT), entry(1, AID)))) == ["aid_in_main"]


def test_misplaced_by_rule() -> None:
    """The first rule of a section that matches gives the code; one finding lists all its lines."""
    chart, table = AID, card("Table", "aid", cost=10)
    (found,) = judge(GAME, deck(entry(1, chart), entry(3, UNIT), entry(1, table)))
    assert found.code == "aid_in_main" and [place.line for place in found.where] == [1, 3]
    assert found.fixes == (
        {"move": [{"ref": "chart", "count": 1, "to": "aids"}, {"ref": "table", "count": 1, "to": "aids"}]},
    )


def test_misplaced_without_a_home() -> None:
    """A card that fits no section is to be removed."""
    (found,) = judge(GAME, deck(entry(3, UNIT), entry(1, card("Dragon", cost=10))))
    assert found.code == "too_dear" and found.fixes == ({"remove": [{"ref": "dragon", "count": 1}]},)


def test_misplaced_by_type() -> None:
    """A section without rules refuses every other type; where it does not count this is only a warning."""
    findings = judge(GAME, deck(entry(3, UNIT), entry(1, UNIT, "side"), entry(1, SPELL, "aids")))
    assert [(f.code, f.severity) for f in findings] == [
        ("card_misplaced", Severity.ERROR),
        ("card_misplaced", Severity.WARNING),
    ]
    assert findings[0].fixes == ({"move": [{"ref": "lancer", "count": 1, "to": "main"}]},)


def test_unknown_types_are_not_misplaced() -> None:
    """A card of a type that the game does not have counts toward the size and toward nothing else."""
    assert judge(GAME, deck(entry(3, card("Thing", "gadget")))) == []


def test_conditional_rule() -> None:
    """A rule of a section obeys its option."""
    sections = {
        "main": {
            "types": ["unit"],
            "wrong": [{"match": "type:spell", "code": "spell_in_main", "unless": "mixed"}],
        }
    }
    mixed = game(sections=sections, options={"mixed": {"default": False}})
    pile = deck(entry(3, SPELL))
    assert codes(judge(mixed, pile)) == ["spell_in_main"]
    assert judge(mixed, pile, options={"mixed": True}) == []


def test_empty_deck() -> None:
    """A deck without cards is short of cards, and that is all."""
    assert codes(judge(GAME, Deck("test-game", ()))) == ["main_size"]
