"""The playtest table: cards are conserved, undo takes back, a save is its actions, and nobody sees what is hidden."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from carddb.play.playtest.front import TABLE, view
from carddb.play.playtest.session import DeckLine, PlaytestSession, SeatDeck, new, seat_deck, zones_of
from carddb.play.question import BadInput, Refusal
from carddb.play.table.engine import act, load, public_log, save, undo
from tests.games.referee_samples import game
from tests.rows import every

EXAMPLES = 12
"""Tables that are tried for each property."""
SPEC = game("cahrd").spec
LINES = tuple(DeckLine(ref=f"X-{n}", name=f"Card {n}", count=1 + n % 3) for n in range(12))
Step = tuple[str, dict[str, Any]]


def seat(name: str) -> SeatDeck:
    return seat_deck(SPEC, name, {"main": LINES, "strategy": LINES[:2]}, [("main", 7)])


def table(players: int = 2, seed: int = 5) -> PlaytestSession:
    return new(SPEC, [seat(name) for name in ("Ada", "Ben")[:players]], seed)


def done(session: PlaytestSession, *steps: Step) -> PlaytestSession:
    for name, fields in steps:
        session = act(TABLE, session, name, fields)
    return session


def pieces(session: PlaytestSession) -> list[int]:
    return sorted(piece.number for pile in session.piles.values() for piece in pile)


@st.composite
def steps(draw: st.DrawFn) -> list[Step]:
    """Actions of two seats, many of which fit; what does not is refused."""
    zones = [f"{key}.{number}" for key in zones_of(SPEC) for number in (1, 2)]
    places = st.builds("{}:{}".format, st.sampled_from(zones), st.integers(1, 9))
    cards = st.lists(places, min_size=1, max_size=4)
    who = st.integers(1, 2)
    one = st.one_of(
        st.tuples(st.just("draw"), st.fixed_dictionaries(
            {"seat": who, "zone": st.just("deck"), "to": st.just("hand"), "count": st.integers(1, 4)})),
        st.tuples(st.just("move"), st.fixed_dictionaries(
            {"seat": who, "cards": cards, "to": st.sampled_from(zones), "at": st.sampled_from(["top", "bottom"]),
             "face": st.sampled_from([None, "up", "down"])})),
        st.tuples(st.just("shuffle"), st.fixed_dictionaries({"seat": who, "zone": st.sampled_from(zones)})),
        st.tuples(st.sampled_from(["flip", "turn"]), st.fixed_dictionaries({"seat": who, "cards": cards})),
        st.tuples(st.just("look"), st.fixed_dictionaries({"seat": who, "zone": st.sampled_from(zones)})),
        st.tuples(st.just("counter"), st.fixed_dictionaries(
            {"seat": who, "cards": cards, "name": st.sampled_from(["men", "hit"]), "by": st.integers(-2, 3)})),
        st.tuples(st.sampled_from(["pass", "roll", "look_away"]), st.fixed_dictionaries({"seat": who})),
    )  # fmt: skip
    return draw(st.lists(one, max_size=14))


def played(chosen: list[Step]) -> PlaytestSession:
    session = table()
    for step in chosen:
        try:
            session = done(session, step)
        except Refusal:
            continue
    return session


@settings(max_examples=EXAMPLES, deadline=None)
@given(steps())
def test_cards_are_conserved(chosen: list[Step]) -> None:
    """Whatever is done, every card lies in exactly one place."""
    assert pieces(played(chosen)) == pieces(table())


@settings(max_examples=EXAMPLES, deadline=None)
@given(steps())
def test_a_save_is_the_table(chosen: list[Step]) -> None:
    """A table that is saved and read again is the same, for it is played again from its seed."""
    session = played(chosen)
    again = load(TABLE, SPEC, save(session))
    assert (again.table, again.piles, again.counters, again.looked_at) == (
        session.table, session.piles, session.counters, session.looked_at
    )  # fmt: skip
    assert (again.turn, again.active) == (session.turn, session.active)


@settings(max_examples=EXAMPLES, deadline=None)
@given(steps(), st.integers(1, 3))
def test_undo_takes_the_last_actions_back(chosen: list[Step], count: int) -> None:
    """After an undo the table is what it was before these actions, shuffles and dice among them."""
    states = [table()]
    for step in chosen:
        try:
            states.append(done(states[-1], step))
        except Refusal:
            continue
    if len(states) > count:
        back = undo(TABLE, states[-1], count)
        assert (back.table, back.piles) == (states[-1 - count].table, states[-1 - count].piles)


@settings(max_examples=EXAMPLES, deadline=None)
@given(steps(), st.randoms(use_true_random=False))
def test_what_a_seat_does_not_see_is_not_in_its_view(chosen: list[Step], chance: Any) -> None:
    """Tables that differ only in cards that a seat does not see look the same to it, and to all."""
    session = played(chosen)
    for who in (1, 2, None):
        hidden = [
            piece.number for name, pile in session.piles.items() for piece in pile if not session.sees(who, name, piece)
        ]
        mixed = list(hidden)
        chance.shuffle(mixed)
        names = dict(zip(hidden, mixed, strict=True))
        cards = tuple(session.cards[names.get(number, number)] for number in range(len(session.cards)))
        assert view(replace(session, cards=cards), who) == view(session, who)


def test_the_opening_hand_is_that_of_the_data() -> None:
    """Each seat begins with as many cards in hand as the game's data say, out of its shuffled deck."""
    session = table()
    total = sum(line.count for line in LINES)
    assert [len(session.piles[name]) for name in ("hand.1", "deck.1", "hand.2")] == [7, total - 7, 7]
    assert len(session.piles["strategy_deck.1"]) == 3


def test_a_hand_is_its_owners_alone() -> None:
    """The owner sees the names of the hand; the other seat sees as many cards, and nothing of them."""
    own, other = (view(table(), who)["zones"]["hand.1"]["cards"] for who in (1, 2))
    assert all(card["name"] for card in own)
    assert other == [{"hidden": True, "turned": False, "counters": {}, "note": ""}] * 7


def test_words_name_only_what_all_see() -> None:
    """The log says how many cards were drawn, and names a card when it is played for all to see."""
    session = table()
    name = session.cards[session.piles["hand.1"][0].number].name
    session = done(session, ("draw", {"seat": 1, "zone": "deck", "to": "hand", "count": 2}))
    session = done(session, ("move", {"seat": 1, "cards": ["hand.1:2"], "to": "commander.1", "face": "down"}))
    session = done(session, ("move", {"seat": 1, "cards": ["hand.1:1"], "to": "strategist.1"}))
    assert [entry["told"] for entry in public_log(session)] == [
        "Ada draws 2 cards from Deck to Hand.",
        "Ada moves a card from Hand to Commander.",
        f"Ada moves {name} from Hand to Strategist.",
    ]


def test_a_shuffle_forgets_who_looked() -> None:
    """Who looked at a pile sees its cards by name until the pile is shuffled; the others never do."""
    looked = done(table(), ("look", {"seat": 2, "zone": "deck.2", "count": 3}))
    shown = [card["hidden"] for card in view(looked, 2)["zones"]["deck.2"]["cards"]]
    assert shown[:4] == [False, False, False, True]
    assert all(card["hidden"] for card in view(looked, 1)["zones"]["deck.2"]["cards"])
    mixed = done(looked, ("shuffle", {"seat": 2, "zone": "deck.2"}))
    assert all(card["hidden"] for card in view(mixed, 2)["zones"]["deck.2"]["cards"])


def test_marks_do_not_follow_a_card_into_a_pile() -> None:
    """Counters and notes stay on a card in play, and come off where it is hidden among others."""
    session = done(
        table(),
        ("move", {"seat": 1, "cards": ["hand.1:1"], "to": "commander.1"}),
        ("counter", {"seat": 1, "cards": ["commander.1:1"], "name": "men", "by": 12}),
        ("note", {"seat": 1, "cards": ["commander.1:1"], "text": "tired"}),
        ("move", {"seat": 1, "cards": ["commander.1:1"], "to": "strategist.1"}),
    )
    assert view(session)["zones"]["strategist.1"]["cards"][0]["counters"] == {"men": 12}
    back = done(session, ("move", {"seat": 1, "cards": ["strategist.1:1"], "to": "deck.1"}))
    piece = back.piles["deck.1"][0]
    assert not (piece.turned or piece.counters or piece.note)


@every(
    "name, fields, reason",
    [
        ("move", {"seat": 1, "cards": ["hand.1:99"], "to": "deck.1"}, "no_such_card"),
        ("move", {"seat": 1, "cards": ["hand.1:1"], "to": "attic.1"}, "no_such_zone"),
        ("move", {"seat": 1, "cards": ["../x:1"], "to": "deck.1"}, "bad_input"),
        ("move", {"seat": 1, "cards": [], "to": "deck.1"}, "bad_input"),
        ("draw", {"seat": 1, "zone": "discard", "to": "hand"}, "pile_empty"),
        ("pass", {"seat": 3}, "no_such_seat"),
        ("roll", {"seat": 1, "dice": [7]}, "bad_input"),
        ("burn", {"seat": 1}, "bad_input"),
    ],
)
def test_what_cannot_be_done_is_refused(name: str, fields: dict[str, Any], reason: str) -> None:
    """What no table could do is refused with a reason."""
    with pytest.raises(Refusal) as caught:
        done(table(), (name, fields))
    assert caught.value.reason == reason
    assert reason != "bad_input" or isinstance(caught.value, BadInput)


def test_a_save_that_was_edited_is_refused() -> None:
    """A save whose log cannot be played again, or whose zones are not there, is refused with a sentence."""
    data = json.loads(save(done(table(), ("pass", {"seat": 1}))))
    changes: tuple[dict[str, Any], ...] = (
        {"log": [{"action": "pass", "input": {"seat": 4}}]},
        {"seats": [{"name": "A", "cards": {"attic": [{"name": "x"}]}}]},
        {"seats": []},
        {"game": "cahrd"},
        {"seats": [{"name": "A", "cards": {"deck": [{"name": "x", "count": 1000}] * 2}}]},
    )
    for change in changes:
        with pytest.raises(Refusal) as caught:
            load(TABLE, SPEC, json.dumps({**data, **change}))
        assert caught.value.reason == "save_corrupt"
        assert caught.value.details["hint"]


def test_a_game_without_zones_has_the_usual_ones() -> None:
    """Without zones of its own a game has a shuffled pile for each section, a hand, a place in play, discards."""
    plain = zones_of(replace_zones())
    assert [zone.label for zone in plain.values()] == ["Main deck", "Strategy deck", "Hand", "In play", "Discards"]
    assert [zone.sections for zone in plain.values()][:2] == [("main",), ("strategy",)]


def replace_zones() -> Any:
    from carddb.game.frozen import replaced

    return replaced(SPEC, zones={})


@every("key", ["cahrd", "cdg-solo", "empires-and-generals", "guarda", "rishar"])
def test_every_section_of_a_bundled_game_has_its_zone(key: str) -> None:
    """Each section of a game's decks begins in exactly one zone, and no two zones have one label."""
    spec = game(key).spec
    sections = [section for zone in spec.zones.values() for section in zone.sections]
    assert sorted(sections) == sorted(spec.sections)
    assert len({zone.label for zone in spec.zones.values()}) == len(spec.zones)
