"""The play of a round, cards beside the display, and the end of a round and of a phase."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, cast

from carddb.games.cdg_solo.play.cards import Card
from carddb.games.cdg_solo.play.deal import shuffled_with
from carddb.games.cdg_solo.play.display import WINGS, Space
from carddb.games.cdg_solo.play.phase import discard as without_discards
from carddb.games.cdg_solo.play.phase import why_not_discard
from carddb.games.cdg_solo.play.plays import (
    Use,
    choices,
    destination,
    why_not,
    why_not_beside,
    why_not_forced,
    why_not_unrolled,
    without_ops,
)
from carddb.games.cdg_solo.play.plays import play as play_result
from carddb.games.cdg_solo.play.plays import play_fo as fo_result
from carddb.games.cdg_solo.table.rounds import begin, choosing, flags, has_cards, opening, place_of, situation
from carddb.games.cdg_solo.table.session import Play, Session, replaces_play, with_reaction
from carddb.play.question import BadInput, Count, Many, Refusal, refuse, refuse_for
from carddb.play.table.engine import action

FoUse = Literal["ec", "oc", "reaction"]
"""The purpose for which a Future Offensives card is played; `reaction` needs no result (S-141)."""


def _may_hold(session: Session) -> bool:
    """Returns whether a face-up card of the active side may be set aside as a Future Offensives card."""
    cards, ups = session.cards(session.active), session.display(session.active).ups()
    able = any("future_offensive_able" in cards[card].kinds for card in ups)
    return able and "future_offensives" in session.module.off_display


def _by_order_count(session: Session) -> bool:
    return session.module.lowest.by == "order_count"


@action(
    *("S-9", "S-11", "S-12", "S-33", "S-42", "S-87", "S-95", "S-99", "SR-6", "SR-26", "SD-12", "SD-16", "SD-17"),
    at=["choosing", "forced"],
    otherwise=lambda session: "flip_required" if session.table.step == "choose_flip" else "wrong_step",
)
def play(
    session: Session,
    card: str,
    mode: Use | None = None,
    to: Literal["discard", "removed"] | None = None,
    draw2: bool = False,
) -> Session:
    """Play a card of the display: as its event, for its ops value, otherwise, or discard it where that is its play."""
    card = up_card(session, session.active, card)
    mode = mode or _only_mode(session, card)
    if session.table.step == "forced":
        beginning = opening(session, session.active)
        refuse(wrong_step=beginning.reason is None)
        refuse_for(why_not_forced(beginning.cards, beginning.reason or "", card, mode))
    else:
        refuse_for(why_not(situation(session), card, mode))
    return _begun(session, card, mode, to, draw2)


@action("S-177", at=["round_ready"], serves=lambda session: session.module.goes_first is not None)
def go_first(session: Session, card: str, to: Literal["discard", "removed"] | None = None) -> Session:
    """Play a card that lets its side go first, before the roll."""
    card = up_card(session, session.active, card)
    side = session.active
    first = session.table.round_no == 1
    beginning = flags(session, side).model_copy(update={"first_round": first})
    left, display, cards = session.plays_left(side), session.display(side), session.cards(side)
    refuse_for(why_not_unrolled(session.module, display, cards, left, beginning, card, "other"))
    return _begun(session, card, "other", to, False)


def _begun(session: Session, card: str, mode: Use, to: Literal["discard", "removed"] | None, draw2: bool) -> Session:
    """Begins the play of a card; it is completed at once, unless the card's event decides what follows."""
    details = session.cards(session.active)[card]
    open_ = mode == "event" and replaces_play(session, session.active, card)
    place = to or destination(details, mode)
    pending = Play(side=session.active, card=card, mode=mode, to=place, draw2=draw2, open=open_)
    session = session.with_pending(play=pending, reshuffle=_due(session, details, mode)).at("resolving")
    words = {"fo_hold": "holds", "discard": "discards"}.get(mode, "plays")
    session = session.say(f"{session.active} {words} {label(session, card)}{'' if words != 'plays' else f' ({mode})'}.")
    return session if open_ else completed(session)


def up_card(session: Session, side: str, card: str, down: str = "card_face_down") -> str:
    """Returns the id of a face-up card, from its id or its place (`A`, `A2`).

    Refuses `card_not_on_display` for every other id, so that an attempt reveals nothing, and `down` for a place whose
    card is face down.
    """
    display = session.display(side)
    if card in display.ups():
        return card
    place = place_of(card)
    if place is None:
        raise Refusal("card_not_on_display")
    slot = next(iter(display.at(place[0])[place[1] :]), None)
    if slot is None:
        raise Refusal("card_not_on_display")
    if not slot.up:
        raise Refusal(down)
    return slot.card


def _only_mode(session: Session, card: str) -> Use:
    """Returns the mode of a play without a given mode, if only one is possible. Raises BadInput if several are."""
    if session.table.step == "forced":
        return "event"
    modes = {choice.card: choice.modes for choice in choices(situation(session)).choices}.get(card, ("event",))
    if modes == ("any",) and "event" in session.cards(session.active)[card].kinds:
        raise BadInput("mode", hint="how? Say event, ops or other after the card")
    if modes == ("any",):
        return "other" if without_ops(session.module, session.cards(session.active)[card]) else "ops"
    return cast(Use, modes[0])


def surplus(session: Session, side: str) -> list[Space]:
    """Returns the spaces with more cards than their target, which are not refilled after a play (SR-35)."""
    targets = session.side(side).targets
    display = session.display(side)
    return [space for space in WINGS if len(display.at(space)) > (2 if space in targets else 1)]


def completed(session: Session) -> Session:
    """Completes the play: the card leaves, its space is refilled, a chit is flipped (S-11, S-12, S-33)."""
    play, roll = session.table.pending.play, session.table.roll
    assert play is not None
    side = play.side
    session = session.with_supply(side)
    result = play_result(
        session.module,
        session.display(side),
        session.cards(side)[play.card],
        play.mode,
        roll.result if roll else None,
        draw2=play.draw2,
        surplus=surplus(session, side),
    )
    session = sent(session.with_display(side, result.display), side, play.card, play.to)
    return session.with_flips(side, result.chit_flips).with_pending(play=play.with_(open=False))


def settled(session: Session) -> Session:
    """Returns the session without an open play: an event that no hook has replaced is completed."""
    play = session.table.pending.play
    return completed(session) if play is not None and play.open else session


def _due(session: Session, card: Card, mode: Use) -> tuple[str, ...]:
    """Returns the cards that cause a reshuffle for their side when the phase ends (S-146, S-158)."""
    due = session.table.pending.reshuffle
    thrown = "reshuffle_if_oc_or_discard" in card.flags and mode in ("ops", "other", "discard")
    asks = thrown or "reshuffle_end_season" in card.hooks
    return (*due, card.id) if asks and card.id not in due else due


def sent(session: Session, side: str, card: str, to: str) -> Session:
    """Moves a card that has left the display to its destination (S-23)."""
    own = session.side(side)
    if to == "removed":
        return session.with_side(side, removed=(*own.removed, card))
    if to == "fo":
        return session.with_side(side, off_display=own.off_display.with_(fo=(*own.off_display.fo, card)))
    return session.with_side(side, discard=(*own.discard, card))


def label(session: Session, card: str) -> str:
    """Returns the number and the title of a card."""
    title = session.table.cards[card].title
    return f"{card} {title}" if title else card


def without_discarded(session: Session, card: str, side: str) -> Session:
    """Takes a card from a side's discards. Refuses `card_not_on_display` if it is not there."""
    discards = session.side(side).discard
    refuse(card_not_on_display=card not in discards)
    return session.with_side(side, discard=tuple(other for other in discards if other != card))


@action("S-138", "S-139", at=["choosing"], serves=_may_hold)
def hold_as_fo(session: Session, card: str) -> Session:
    """Put a card aside as a Future Offensives card: that is the play of the round."""
    return play(session, card, "fo_hold")


@action(
    *("S-124", "S-136", "S-140", "S-141", "S-142", "SR-45"),
    at=["choosing", "round_ready", "resolving"],
    serves=lambda session: any(side.off_display.fo for side in session.table.sides.values()),
)
def play_fo(session: Session, card: str, use: FoUse = "ec", mode: Use = "event", side: str | None = None) -> Session:
    """Play a Future Offensives card from beside the display: for EC or OC after a C-result, in reaction at any time."""
    has_it = [name for name in (session.active, session.opponent) if card in session.side(name).off_display.fo]
    owner = session.module.side(side, "side") or (has_it[0] if has_it else session.active)
    beside = session.side(owner).off_display
    refuse(card_not_on_display=card not in beside.fo)
    if use != "reaction":
        refuse(wrong_side=owner != session.active, wrong_step=session.table.step == "resolving")
        refuse(fo_needs_c_result=session.table.step == "round_ready")
        now = situation(session)
        refuse_for(why_not_beside(now.module, now.result, now.flags, "future_offensives"))
    result = fo_result(session.module, session.display(owner), session.cards(owner)[card], mode)
    session = session.with_side(owner, off_display=beside.without(card))
    session = sent(session, owner, card, result.destination)
    session = session.with_chits_added(owner, result.chits_added).say(
        f"{owner} plays {label(session, card)} from its Future Offensives ({use})."
    )
    if mode == "event":
        session = with_reaction(session, owner, card)
    return session if use == "reaction" else session.at("resolving")


@action("S-198", "SR-66", at=["choosing"], serves=_by_order_count)
def order_count(session: Session, card: str, count: Count) -> Session:
    """Say how many units an up card would order on the board as it stands."""
    card = up_card(session, session.active, card)
    counts = {**session.table.pending.order_counts, card: count}
    return choosing(session.with_pending(order_counts=counts).say(f"{label(session, card)} would order {count}."))


@action("S-194", "SR-67", at=["choosing"], serves=_by_order_count)
def c_unplayable(session: Session) -> Session:
    """Declare that the card in C cannot be played."""
    return choosing(session.with_pending(c_unplayable=True).say("The card in C cannot be played."))


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
        # The round that was about to begin is dropped, because the other side goes first.
        rounds = session.side(session.active).rounds - 1
        session = session.with_side(session.active, rounds=rounds).with_(round_no=session.table.round_no - 1)
    return begin(session.say(f"The round is {following}'s."), following)


def fighting(session: Session) -> bool:
    """Returns whether a combat has begun but not ended."""
    return any(side.waiting for side in session.table.sides.values()) or bool(session.table.pending.nominated)


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
    """Carries out the reshuffles that cards played in this phase cause (S-146, S-158, SR-46)."""
    for card in session.table.pending.reshuffle:
        owner = next((n for n in session.module.side_ids if card in session.side(n).discard), None)
        if owner is None:
            continue
        if (
            "reshuffle_end_season" in session.cards(owner)[card].hooks
            or session.module.options["reshuffle_with_discards"]
        ):
            session = reshuffle(session, owner)
        else:
            stream, display = session.stream(), session.display(owner)
            pile = shuffled_with(display.stock, [card], stream)
            session = without_discarded(session, card, owner).with_stream(stream)
            session = session.with_display(owner, replace(display, pile=pile))
            session = session.say(f"{label(session, card)} is shuffled into the pile of {owner}.")
    return session


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
