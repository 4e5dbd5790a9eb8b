"""The sample set of Empires and Generals, its decks, and what the program explains of the game."""

from __future__ import annotations

import re
from collections import Counter
from datetime import date
from pathlib import Path

import pytest
from click.testing import CliRunner

from carddb.cards.cards import Card, Pool
from carddb.cli.games.games import explain
from carddb.cli.session import Session
from carddb.deck import Context, check
from carddb.findings import Severity, verdict
from carddb.games import Game
from carddb.games.empires_and_generals.components import face_data
from carddb.games.opening.spec_reader import shared_codes
from carddb.read.decks.text import read_deck
from tests.games.referee_samples import game
from tests.rows import every

PLAYING = ("general", "soldier", "kingdom", "strategy", "tactics")
UNITS = ("general", "soldier")
GAME = game("empires-and-generals")
DECKS = GAME.folder.decks


def empire(pool: Pool, name: str) -> list[Card]:
    return [card for card in pool if card.get("empire") == name]


def test_an_act_of_god_is_called_so_whatever_its_type(pool: Pool) -> None:
    """The guest star, a kingdom card by its type, is an Act of God in captions; a Great Mystery keeps its type."""
    kinds = {card.ref: GAME.spec.kind_of(card) for card in pool}
    assert kinds["EG-AOG-005"] == kinds["EG-AOG-008"] == kinds["EG-AOG-001"] == "Act of God"
    assert kinds["EG-MYS-001"] == "Kingdom"


def test_the_set_has_what_the_game_needs(pool: Pool) -> None:
    """At least 160 cards: all rarities, flags, continuous resources, capitols, cards dated after 1910."""
    assert len(pool) >= 160
    assert set(Counter(card.get("rarity") for card in pool)) == {"common", "uncommon", "rare", "ultra_rare"}
    for flag in ("act_of_god", "great_mystery", "unaffiliated", "continuous"):
        assert any(card.get(flag) for card in pool), flag
    assert any((card.get("year") or 0) > 1910 for card in pool)
    assert any(card.type == "capitol" for card in pool)
    assert {card.set for card in pool} == {"sample"}


def test_four_empires_two_of_each_era(pool: Pool) -> None:
    """Two empires of Antiquity and two Medieval ones, each with every type of playing card and resources."""
    eras = {card.get("empire"): card.get("era") for card in pool if card.get("empire") and card.type in PLAYING}
    assert Counter(eras.values()) == {"antiquity": 2, "medieval": 2}
    for name in eras:
        types = Counter(card.type for card in empire(pool, name))
        assert all(types[kind] >= 4 for kind in PLAYING), name
        assert types["resource"] >= 4 and types["capitol"] >= 1


def test_names_are_unambiguous(pool: Pool) -> None:
    """A deck may name any sample card without its reference."""
    assert all(len(pool.folded(card.name)) == 1 for card in pool)


def test_no_unit_is_better_in_everything_and_cheaper(pool: Pool) -> None:
    """Within an empire no unit has more Strength and more Life than another for less."""
    for name in {card.get("empire") for card in pool if card.get("empire")}:
        units = [card for card in empire(pool, name) if card.type in UNITS]
        for one in units:
            for other in units:
                better = one.get("strength") > other.get("strength") and one.get("life") > other.get("life")
                assert not (better and one.get("play_cost") < other.get("play_cost")), (one.name, other.name)


def test_an_ability_has_a_cost_and_a_cost_an_ability(pool: Pool) -> None:
    """A text with "Ability:" has ability_cost, and no other text has."""
    for card in pool:
        assert ("Ability:" in str(card.get("text", ""))) == bool(card.get("ability_cost")), card.ref


@every("path", DECKS)
def test_every_sample_deck_is_legal_in_the_format_it_names(path: Path, game: Game, pool: Pool) -> None:
    """A sample deck names a format and is legal in it."""
    deck, found = read_deck(path.read_text("utf-8"), game.spec, pool, path.name)
    assert deck.headers["format"] in game.spec.formats
    findings = [*found, *check(deck, game.spec, pool, Context(on=date(2026, 11, 21)), game.hook("CHECKS"))]
    assert verdict(findings) == "legal", [f.message for f in findings if f.severity is Severity.ERROR]


def test_two_decks_per_empire(pool: Pool) -> None:
    """Each empire has two sample decks."""
    names = {card.get("empire").lower().replace(" ", "-") for card in pool if card.get("empire")}
    assert {name: sum(path.stem.startswith(name) for path in DECKS) for name in names} == dict.fromkeys(names, 2)


@pytest.fixture(scope="module")
def session() -> Session:
    """One run of the program, which loads the games once however often it is asked."""
    return Session(None, (), quiet=False, verbose=False)


@pytest.mark.door
def test_every_rule_and_code_is_explained(session: Session, subtests: pytest.Subtests) -> None:
    """`explain` answers for every rule id and every finding code."""
    for what in (*GAME.rule_book.rules, *GAME.rule_book.codes, *shared_codes()):
        with subtests.test(what):
            told = CliRunner().invoke(explain, [what], obj=session, standalone_mode=False)
            assert told.return_value == 0, told.exception
            assert what in told.stdout and len(told.stdout) > 40


def test_a_face_names_no_other_phase_than_its_text(pool: Pool) -> None:
    """The phase at the upper right is the one that the card's own text plays it in, where it names one (E-101)."""
    told = {card.name: (card, face_data(card, GAME.spec)["head"]["right"]) for card in pool}
    for card, right in told.values():
        named = re.search(r"Play in your (\w+ Phase|turn)", str(card.get("text", "")))
        if named and right:
            assert right[1] == named[1].replace("turn", "your turn"), card.name
    assert sum("Play in your" in str(card.get("text", "")) for card, _ in told.values()) >= 14
    assert all(right[1] == "any phase" for card, right in told.values() if "Play when" in str(card.get("text", "")))
