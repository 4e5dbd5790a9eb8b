"""Before the Battle: what Commanders choose, the Mender's look, and who begins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from carddb.games.rishar.battle.record import Mending
from carddb.games.rishar.battle.state import BattleState, army_before_battle, cards_of_host, name_oathbound, use_mender
from carddb.games.rishar.play.fields import ARMIES, Army, ClassName, Opponent, enemy
from carddb.games.rishar.play.powers import badly_chosen, class_of, power_of
from carddb.games.rishar.session.session import Session
from carddb.games.rishar.session.steps.turns import open_turn
from carddb.games.rishar.session.typed_cards import card_key
from carddb.play.question import Many, refuse
from carddb.play.table.engine import action


def prepare(session: Session) -> Session:
    """Returns the session at the next choice that its Commanders have to make before the Battle."""
    spec, leaders = session.spec, {army: session.hosts[army].commander for army in ARMIES}
    classes = {army: class_of(spec, leader.path or "", leader.role or "") for army, leader in leaders.items()}
    if deciders := [army for army in ARMIES if badly_chosen(spec, classes[army], leaders[army].chosen)]:
        return session.at("tactician", deciders)
    if deciders := [army for army in ARMIES if classes[army] == "dervish" and leaders[army].dervish is None]:
        return session.at("dervish", deciders)
    states = {
        army: army_before_battle(session.spec, session.options, army, host, *cards_of_host(session.spec, army, host))
        for army, host in session.hosts.items()
    }
    session = replace(session, battle=BattleState(session.spec, session.options, states, first_turn=ARMIES[0]))
    return _ask(session, "oathbound")


def _ask(session: Session, power: str, armies: Sequence[Army] = ARMIES) -> Session:
    """Returns the session where the armies that have a power decide on its use, Oathbound first, then Mender."""
    deciders = [army for army in armies if session.army(army).power == power]
    if power == "oathbound":
        return session.at("oath", deciders) if deciders else _ask(session, "mender")
    if deciders:
        return session.at("mender", deciders)
    # The armies stand: one Commander is chosen at random, who decides who begins.
    if session.table.first is not None:
        return _opened(session, session.table.first)
    session, (drawn,) = session.rolled(sides=len(ARMIES))
    chosen = ARMIES[drawn - 1]
    return session.at("first", [chosen]).say(f"By lot {session.name(chosen)} decides who has the first turn.")


def _opened(session: Session, first: Army) -> Session:
    battle = session.fought
    return open_turn(replace(session, battle=BattleState(battle.spec, battle.options, battle.states, first)))


@action("R-126", at=["tactician"])
def choose(session: Session, power: ClassName) -> Session:
    """Choose the power that a Tactician has for this Battle: one of the Guardian row or the Steel column."""
    army = session.decider
    refuse(tactician_choice=badly_chosen(session.spec, session.spec.data["powers"]["chooser"], power))
    session = session.with_commander(army, chosen=power)
    return prepare(session.say(f"{session.name(army)} has the power of {session.power_words(power)}."))


@action("R-140", at=["dervish"])
def against(session: Session, opponent: Opponent) -> Session:
    """Choose the Path or the Role against which a Dervish's units are stronger today."""
    army = session.decider
    paths = {key: path["label"] for key, path in session.spec.data["paths"].items()}
    word = paths[opponent.path] if opponent.path else session.spec.label_of(opponent.role or "")
    session = session.with_commander(army, dervish=opponent)
    return prepare(session.say(f"{session.name(army)} is stronger against {word}: {session.power_words('dervish')}."))


@action("R-128", "R-129", at=["oath"])
def name(session: Session, card: str) -> Session:
    """Name the unit that the Oathbound protects in this Battle."""
    army, session = session.decider, session.moving()
    key = card_key(session.army(army), card, "hand")
    name_oathbound(session.army(army), key)
    words = f"{session.name(army)} protects {session.card(army, key)}: {session.power_words('oathbound')}."
    return _ask(session.with_host(army, oathbound=key).say(words), "oathbound", session.deciders[1:])


@action("R-137", at=["mender"])
def look(session: Session, cards: Many[str] = ()) -> Session:
    """See two cards of the other hand, drawn by chance or named; all of them where it holds fewer."""
    army = session.decider
    other = session.army(enemy(army))
    hand = other.lying("hand")
    number = min(len(hand), power_of(session.spec, "mender")["shows"])
    if cards:
        shown = tuple(card_key(other, card, "hand") for card in cards)
    else:
        stream = session.stream()
        stream.shuffle(hand)
        session, shown = session.with_stream(stream), tuple(hand[:number])
    refuse(wrong_cards_shown=not len(shown) == len(set(shown)) == number)
    names = " and ".join(session.card(enemy(army), key) for key in shown)
    session = replace(session, shown=shown).at("mending", session.deciders)
    return session.say(f"{session.name(army)} sees {names}: {session.power_words('mender')}.")


@action("R-137", at=["mending"])
def disable(session: Session, card: str) -> Session:
    """Have one of the cards that the Mender sees Disabled, for a point of Morale."""
    key = card_key(session.army(enemy(session.decider)), card, "hand")
    return mended(session, Mending(shown=session.shown, disable=key))


def mended(session: Session, mending: Mending | None) -> Session:
    """Returns the session after a Mender's look, or without one."""
    army, session = session.decider, session.moving()
    state, other = session.army(army), session.army(enemy(army))
    before = state.morale
    use_mender(session.spec, state, other, mending)
    if mending is not None and mending.disable is not None:
        session = session.say(f"{session.card(enemy(army), mending.disable)} is Disabled.").say_morale(army, before)
    return _ask(session.with_host(army, mender=mending), "mender", session.deciders[1:])


@action("R-41", at=["first"])
def begin(session: Session, army: Army | None = None) -> Session:
    """Begin the Battle: who was drawn has the first turn, or leaves it to the other (a or b)."""
    return _opened(session, army or session.decider)
