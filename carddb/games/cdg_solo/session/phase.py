"""The end of a round and of a phase: the next side, reshuffles, discards."""

from __future__ import annotations

from dataclasses import replace

from carddb.games.cdg_solo.play.deal import shuffled_with
from carddb.games.cdg_solo.play.phase import discard as without_discards
from carddb.games.cdg_solo.play.phase import why_not_discard
from carddb.games.cdg_solo.session.plays import label, sent, settled, surplus, up_card, without_discarded
from carddb.games.cdg_solo.session.rounds import begin, has_cards, place_of
from carddb.games.cdg_solo.session.session import Session
from carddb.play.fields import Many
from carddb.play.question import BadInput, Refusal, refuse, refuse_for
from carddb.play.table.action import action


@action("S-34", "S-35", "SR-8", "SD-10", at=["round_ready", "forced", "resolving"])
def next_round(session: Session, side: str | None = None) -> Session:
    """Go on to the next round: of the side named, else of the other one; a side without cards is skipped."""
    side = session.module.side(side, "side")
    if session.table.step != "resolving" and side in (None, session.active):
        raise Refusal("wrong_step")
    if fighting(session):
        raise Refusal("wrong_step", hint="First: combat-end.")
    session = settled(session)
    refuse(no_chits_left=side is not None and not has_cards(session, side))
    order = [side] if side else [session.opponent, session.active]
    following = next((name for name in order if has_cards(session, name)), None)
    if following is None:
        return session.at("phase_over").say("Neither side has a card left to play: the phase is over.")
    if session.table.step != "resolving":
        session = _without_round(session)
    return begin(session.say(f"The round is {following}'s."), following)


def fighting(session: Session) -> bool:
    """Whether a combat has begun and not ended."""
    return any(side.waiting for side in session.table.sides.values()) or bool(session.table.pending.nominated)


def _without_round(session: Session) -> Session:
    """The session without the round that was about to begin, where the player lets the other side go first."""
    rounds = session.side(session.active).rounds - 1
    return session.with_side(session.active, rounds=rounds).with_(round_no=session.table.round_no - 1)


@action("S-72", "SD-10", "SR-48", at=["round_ready", "forced", "resolving", "phase_over"])
def end_phase(session: Session) -> Session:
    """End the phase; up cards may then be discarded, and the next phase begins with its hands."""
    refuse(no_chits_in_game=not session.module.counts_chits, wrong_step=fighting(session))
    session = settled(session)
    for name in session.module.side_ids:
        unplayed = session.cards(name).mandatory_up(session.display(name), session.side(name).conditions_met)
        if unplayed:
            session = session.warn("mandatory_unplayed").say(f"{name} has not played {', '.join(unplayed)}.")
    session = _shuffled(session)
    session = session.with_(active=None, roll=None).with_pending(play=None, reshuffle=(), discarded={}, c_flipped=False)
    return session.at("end_phase").say("The phase ends.")


def _shuffled(session: Session) -> Session:
    """The reshuffles that cards played in this phase cause (S-146, S-158, SR-46)."""
    for card in session.table.pending.reshuffle:
        owner = next((n for n in session.module.side_ids if card in session.side(n).discard), None)
        if owner is None:
            continue
        if "reshuffle_end_season" in session.cards(owner)[card].hooks or session.module.options.reshuffle_with_discards:
            session = reshuffle(session, owner)
        else:
            session = _shuffled_in(session, owner, card)
    return session


def _shuffled_in(session: Session, owner: str, card: str) -> Session:
    """One card shuffled back into its side's pile."""
    stream, display = session.stream(), session.display(owner)
    pile = shuffled_with(display.stock, [card], stream)
    session = without_discarded(session, card, owner).with_stream(stream)
    session = session.with_display(owner, replace(display, pile=pile))
    return session.say(f"{label(session, card)} is shuffled into the pile of {owner}.")


@action("S-69", "S-158", "S-170", "SR-22", at=["round_ready", "choosing", "resolving", "phase_over", "end_phase"])
def reshuffle(session: Session, side: str) -> Session:
    """Shuffle the discards into the pile: a side's own where decks are separate, else all of both sides."""
    side = session.module.side(side, "side")
    stream, stock = session.stream(), session.stock()
    if session.module.deck_mode == "separate":
        stock = stock.reshuffled_own(session.module.side_ids.index(side), stream)
    else:
        stock = stock.reshuffled(stream)
    return session.with_stock(stock).with_stream(stream).say("The discards are shuffled in.")


@action("S-72", "S-73", "S-112", "S-114", "S-120", "S-166", "S-168", "SR-23", "SR-54", at=["end_phase"])
def discard(session: Session, cards: Many[str], side: str | None = None) -> Session:
    """Discard up cards of one side at the end of the phase, at most as many as its unflipped chits."""
    if not cards:
        raise BadInput("cards")
    if side is None and place_of(cards[0]):
        raise BadInput("side", hint=f"whose place is {cards[0]}? Say side={' or side='.join(session.module.side_ids)}")
    owner = side or next((name for name in session.module.side_ids if cards[0] in session.display(name).ups()), None)
    if owner is None:
        raise Refusal("card_not_on_display")
    owner = session.module.side(owner, "side")
    refuse(no_chits_in_game=not session.module.counts_chits)
    listed = [up_card(session, owner, card, "discard_face_down") for card in cards]
    before = session.table.pending.discarded.get(owner, 0)
    left = session.plays_left(owner) - before
    refuse_for(why_not_discard(session.module, session.display(owner), session.cards(owner), left, listed))
    discarded_now = {**session.table.pending.discarded, owner: before + len(listed)}
    session = session.with_supply(owner)
    after = without_discards(session.module, session.display(owner), listed, surplus(session, owner))
    session = session.with_display(owner, after).with_pending(discarded=discarded_now)
    for card in listed:
        session = sent(session, owner, card, "discard")
    return session.say(f"{owner} discards {', '.join(label(session, card) for card in listed)}.")
