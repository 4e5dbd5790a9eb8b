"""What the hooks of events (§7.8) do to the table: each takes the hook's answer and gives the session after it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from carddb.games.cdg_solo.play import effects
from carddb.games.cdg_solo.play.chits import Chits
from carddb.games.cdg_solo.play.plays import destination
from carddb.games.cdg_solo.play.refusals import why_not
from carddb.games.cdg_solo.session.plays import completed, label, sent, without_discarded
from carddb.games.cdg_solo.session.rounds import situation
from carddb.games.cdg_solo.session.session import Session
from carddb.games.cdg_solo.session.state import Play
from carddb.play.question import Refusal, refuse, refuse_for


def _with_row(session: Session, side: str, row: Mapping[str, int]) -> Session:
    return session.with_chits(side, Chits.model_validate(row)) if session.module.counts_chits else session


def _play(session: Session) -> Play:
    """The play that is being resolved. Refuses `wrong_step` without one."""
    if session.table.pending.play is None:
        raise Refusal("wrong_step")
    return session.table.pending.play


def _complete(session: Session) -> Session:
    """The play is complete: the hook's effects replaced those of an ordinary play."""
    return session.with_pending(play=_play(session).with_(open=False))


Effect = Callable[[Session, str, Mapping[str, Any], Mapping[str, Any]], Session]
"""The session after a hook, from the side whose event it is, the player's parameters and the hook's answer."""


def _reveal(session: Session, side: str, params: Mapping[str, Any], answer: Mapping[str, Any]) -> Session:
    other = session.other(side)
    session = session.with_display(other, session.display(other).turned_up(answer["flipped"]))
    return session.say(f"{other} turns everything up.")


def _add(session: Session, side: str, params: Mapping[str, Any], answer: Mapping[str, Any]) -> Session:
    gaining = session.module.side(params.get("side") or side, "params.side")
    session = session.with_chits_added(gaining, 1).with_side(gaining, hand=session.side(gaining).hand + 1)
    return session.say(f"{gaining} gets a chit.")


def _flip(session: Session, side: str, params: Mapping[str, Any], answer: Mapping[str, Any]) -> Session:
    other = session.other(side)
    if not session.side(other).chits.unflipped:
        raise Refusal("no_target_chit", hint="Go on without it: next.")
    return _with_row(session, other, answer["chits"]).say(f"A chit of {other} is flipped.")


def _take(session: Session, side: str, params: Mapping[str, Any], answer: Mapping[str, Any]) -> Session:
    play, card, other = _play(session), answer["taken"], session.other(side)
    if card is None:
        return completed(session).say("No card is taken.")
    session = session.with_supply(other)
    session = session.with_display(other, effects.remove(session.display(other), card).display)
    session = _in_place_of_event(session, play, card)
    for owner, key in ((side, "active"), (other, "opponent")):
        session = _with_row(session, owner, answer["chits"][key])
    return session.say(f"{side} takes {label(session, card)} from {other}.")


def _in_place_of_event(session: Session, play: Play, card: str) -> Session:
    """A card laid up in the place of the event, which leaves; that replaces what follows an ordinary play."""
    _, display = effects.replace_card(session.display(play.side), play.card, card)
    return _complete(sent(session.with_display(play.side, display), play.side, play.card, play.to))


def _lose(session: Session, side: str, params: Mapping[str, Any], answer: Mapping[str, Any]) -> Session:
    other = session.other(side)
    session = _with_row(session, other, answer["chits"])
    card = answer["discarded"] or answer.get("played")
    if card is None:
        return session.say(f"{other} discards nothing.")
    session = session.with_supply(other)
    session = session.with_display(other, effects.remove(session.display(other), card).display)
    to = destination(session.cards(other)[card], "event" if answer.get("played") else "discard")
    session = sent(session, other, card, to)
    words = "plays" if answer.get("played") else "discards"
    return session.say(f"{other} {words} {label(session, card)}.")


def _exchange(session: Session, side: str, params: Mapping[str, Any], answer: Mapping[str, Any]) -> Session:
    cards, old, new = session.cards(side), answer["discarded"], answer["taken"]
    refuse(not_lowest="ops" not in cards[old].kinds and cards[old].ops is None, no_event="ops" in cards[new].kinds)
    refuse_for(why_not(situation(session), old, "ops"))
    return _swapped(session, side, old, new, session.other(side)).say("The round goes on under the same result.")


def _swap_bonus(session: Session, side: str, params: Mapping[str, Any], answer: Mapping[str, Any]) -> Session:
    return _swapped(session, side, answer["discarded"], answer["taken"], side)


def _swapped(session: Session, side: str, old: str, new: str, owner: str) -> Session:
    """A card of a display changed for one of the discards of a side, its owner, which lies up."""
    session = without_discarded(session, new, owner)
    _, display = effects.replace_card(session.display(side), old, new)
    session = sent(session.with_display(side, display), side, old, "discard")
    return session.say(f"{label(session, new)} lies in the place of {label(session, old)}.")


def _draw(session: Session, side: str, params: Mapping[str, Any], answer: Mapping[str, Any]) -> Session:
    new = answer["taken"]
    owners = [owner for owner in session.module.side_ids if new in session.side(owner).discard]
    session = without_discarded(session, new, owners[0] if owners else side)
    return _in_place_of_event(session, _play(session), new).say(
        f"{side} takes {label(session, new)} from the discards."
    )


def _redraw(session: Session, side: str, params: Mapping[str, Any], answer: Mapping[str, Any]) -> Session:
    play = _play(session)
    session = session.with_supply(side)
    session = session.with_display(side, effects.remove(session.display(side), play.card, "up").display)
    session = _complete(sent(session, side, play.card, play.to))
    return session.at("choosing").say(f"{side} plays the round again under the same result.")


EFFECTS: Mapping[str, Effect] = {
    "reveal_opponent": _reveal,
    "add_chit": _add,
    "flip_opponent_chit": _flip,
    "take_card": _take,
    "opponent_discard": _lose,
    "opponent_random_discard": _lose,
    "exchange_632": _exchange,
    "swap_bonus": _swap_bonus,
    "draw_from_discard": _draw,
    "tournament_redraw": _redraw,
}
