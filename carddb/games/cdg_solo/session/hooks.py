"""The hooks of events (§7.8) at the table, and the conditions that a player declares met."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from carddb.games.cdg_solo import effects
from carddb.games.cdg_solo.cards import exceptions_for
from carddb.games.cdg_solo.chits import Chits
from carddb.games.cdg_solo.hooks import HOOKS, Name, run
from carddb.games.cdg_solo.plays import destination
from carddb.games.cdg_solo.session.plays import completed, label, sent, up_card, without_discarded
from carddb.games.cdg_solo.session.rounds import down_at, place_of
from carddb.games.cdg_solo.session.session import Session
from carddb.games.cdg_solo.session.state import ANY_STEP, CardFlags, Play, Side
from carddb.play.fields import Object
from carddb.play.question import BadInput, Refusal, refuse
from carddb.play.table.action import action


@action("SR-28", at=ANY_STEP - {"setup"})
def set_flag(session: Session, card: str, value: bool = True) -> Session:
    """Declare that a card's conditions are met, or not met any more; an up card may be named by its place."""
    if session.table.active and place_of(card):
        card = up_card(session, session.active, card)
    if card not in session.table.cards:
        raise BadInput("card")
    for side in session.module.side_ids:
        flags = {**session.side(side).flags, card: CardFlags(conditions_met=value)}
        session = session.with_side(side, flags=flags)
    return session.say(f"The conditions of {label(session, card)} are {'met' if value else 'not met'}.")


@action(
    *("S-116", "S-148", "S-149", "S-160", "S-161", "S-164", "S-171", "S-172", "S-178", "S-179", "S-187", "S-189"),
    *("SR-43", "SR-50", "SR-51", "SR-56", "SR-61", "SR-62", "SR-64"),
    at=["choosing", "resolving"],
    serves=lambda session: bool(session.module.exceptions),
)
def hook(session: Session, name: Name, params: Object | None = None) -> Session:
    """Carry out what an event does to displays and chits; displays, piles and rolls are filled in by the session."""
    refuse(wrong_step=session.table.step == "choosing" and name != "exchange_632")
    fields = _with_cards(session, dict(params or {}))
    session, answer = _answer(session, name, fields)
    return _EFFECTS[name](session, fields, answer)


def _with_cards(session: Session, params: dict[str, Any]) -> dict[str, Any]:
    """The player's parameters with the ids of cards: an up card by its id or place, a down one by its place alone.

    Every other name gets the same refusal, so that an attempt reveals nothing of hidden cards.
    """
    params.pop("event_card", None)
    if isinstance(params.get("card"), str):
        params["card"] = up_card(session, session.active, params["card"])
    if isinstance(params.get("flip_card"), str):
        params["flip_card"] = down_at(session.display(session.active), params["flip_card"], "params.flip_card")
    return params


def _answer(session: Session, name: Name, params: Mapping[str, Any]) -> tuple[Session, dict[str, Any]]:
    """The hook's answer about the table as it lies; the chart is rolled on again until a roll picks a card."""
    rule = _rule(session, name)
    while True:
        session, rolls = _rolls(session, name, params)
        answer = dict(run(session.module, name, {**_on_table(session, name), **rolls, **params}, rule))
        if not answer.get("reroll"):
            return session, answer
        if params.get("chart_roll") is not None:
            raise Refusal("reroll")


def _rule(session: Session, name: str) -> Mapping[str, Any] | None:
    """What the exception of the card that is being played says of the hook."""
    play = session.table.pending.play
    if play is None:
        return None
    entries = exceptions_for(session.module, session.table.cards[play.card])
    return next((entry.params for entry in entries if entry.hook == name), None)


def _rolls(session: Session, name: str, params: Mapping[str, Any]) -> tuple[Session, dict[str, int]]:
    """The dice that a hook may need and the player has not typed."""
    fields = HOOKS[name].form.model_fields
    rolls: dict[str, int] = {}
    for field in ("success_roll", "chart_roll"):
        if field in fields and field not in params:
            candidates = len(session.display(session.opponent).ups())
            session, (rolls[field],) = session.rolled(sides=max(6, candidates) if field == "chart_roll" else 6)
    return session, rolls


def usage(name: str) -> list[str]:
    """The parameters of a hook that the player gives; optional ones in brackets."""
    fields = {key: field for key, field in HOOKS[name].form.model_fields.items() if key not in ON_TABLE}
    needed = [f"{key}=..." for key, field in fields.items() if field.is_required()]
    return [*needed, *(f"[{key}=...]" for key, field in fields.items() if not field.is_required())]


def _own(session: Session) -> Side:
    return session.side(session.active)


def _opponents(session: Session) -> Side:
    return session.side(session.opponent)


ON_TABLE: Mapping[str, Callable[[Session], Any]] = {
    "display": lambda session: _own(session).display,
    "taker_display": lambda session: _own(session).display,
    "opponent_display": lambda session: _opponents(session).display,
    "victim_display": lambda session: _opponents(session).display,
    "chits": lambda session: _own(session).chits,
    "taker_chits": lambda session: _own(session).chits,
    "opponent_chits": lambda session: _opponents(session).chits,
    "victim_chits": lambda session: _opponents(session).chits,
    "pile": lambda session: session.table.common and session.table.common.pile,
    "event_card": lambda session: session.table.pending.play and session.table.pending.play.card,
    "opponent_last_discard": lambda session: next(iter(_opponents(session).discard[-1:]), None),
    "cards": lambda session: session.table.cards,
}
"""The parameters of hooks that the session fills in, from the table as it lies; None where there is no such thing."""


def _on_table(session: Session, name: str) -> dict[str, Any]:
    values = {field: ON_TABLE[field](session) for field in HOOKS[name].form.model_fields if field in ON_TABLE}
    return {field: value for field, value in values.items() if value is not None}


def _with_row(session: Session, side: str, row: Mapping[str, int]) -> Session:
    return session.with_chits(side, Chits.model_validate(row)) if session.module.counts_chits else session


def _play(session: Session) -> Play:
    """The play that is being resolved. Refuses `wrong_step` without one."""
    if session.table.pending.play is None:
        raise Refusal("wrong_step")
    return session.table.pending.play


def _done(session: Session) -> Session:
    """The play is complete: the hook's effects replace those of an ordinary play."""
    return session.with_pending(play=_play(session).with_(open=False))


Effect = Callable[[Session, Mapping[str, Any], Mapping[str, Any]], Session]
"""The session after a hook, from the player's parameters and the hook's answer."""


def _reveal(session: Session, params: Mapping[str, Any], answer: Mapping[str, Any]) -> Session:
    other = session.opponent
    session = session.with_display(other, session.display(other).turned_up(answer["flipped"]))
    return session.say(f"{other} turns everything up.")


def _add(session: Session, params: Mapping[str, Any], answer: Mapping[str, Any]) -> Session:
    side = session.module.side(params.get("side") or session.active, "params.side")
    session = session.with_chits_added(side, 1).with_side(side, hand=session.side(side).hand + 1)
    return session.say(f"{side} gets a chit.")


def _flip(session: Session, params: Mapping[str, Any], answer: Mapping[str, Any]) -> Session:
    other = session.opponent
    refuse(no_target_chit=not session.side(other).chits.unflipped)
    return _with_row(session, other, answer["chits"]).say(f"A chit of {other} is flipped.")


def _take(session: Session, params: Mapping[str, Any], answer: Mapping[str, Any]) -> Session:
    play, card = _play(session), answer["taken"]
    if card is None:
        return completed(session).say("No card is taken.")
    active, other = session.active, session.opponent
    session = session.with_supply(other)
    session = session.with_display(other, effects.remove(session.display(other), card).display)
    _, display = effects.replace_card(session.display(active), play.card, card)
    session = sent(session.with_display(active, display), active, play.card, play.to)
    for side, key in ((active, "active"), (other, "opponent")):
        session = _with_row(session, side, answer["chits"][key])
    return _done(session).say(f"{active} takes {label(session, card)} from {other}.")


def _lose(session: Session, params: Mapping[str, Any], answer: Mapping[str, Any]) -> Session:
    other = session.opponent
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


def _exchange(session: Session, params: Mapping[str, Any], answer: Mapping[str, Any]) -> Session:
    active, other = session.active, session.opponent
    old, new = answer["discarded"], answer["taken"]
    kinds = session.cards(active)[old].kinds, session.cards(active)[new].kinds
    refuse(not_lowest="ops" not in kinds[0] and session.cards(active)[old].ops is None, no_event="ops" in kinds[1])
    return _swap(session, old, new, other).say("The round goes on under the same result.")


def _swap_bonus(session: Session, params: Mapping[str, Any], answer: Mapping[str, Any]) -> Session:
    return _swap(session, answer["discarded"], answer["taken"], None)


def _swap(session: Session, old: str, new: str, from_side: str | None) -> Session:
    """A card of the display changes places with one of the discards, which lies up."""
    session = without_discarded(session, new, from_side or session.active)
    active = session.active
    _, display = effects.replace_card(session.display(active), old, new)
    session = sent(session.with_display(active, display), active, old, "discard")
    return session.say(f"{label(session, new)} lies in the place of {label(session, old)}.")


def _draw(session: Session, params: Mapping[str, Any], answer: Mapping[str, Any]) -> Session:
    play, new = _play(session), answer["taken"]
    owners = [side for side in session.module.side_ids if new in session.side(side).discard]
    session = without_discarded(session, new, owners[0] if owners else session.active)
    active = session.active
    _, display = effects.replace_card(session.display(active), play.card, new)
    session = sent(session.with_display(active, display), active, play.card, play.to)
    return _done(session).say(f"{active} takes {label(session, new)} from the discards.")


def _redraw(session: Session, params: Mapping[str, Any], answer: Mapping[str, Any]) -> Session:
    play, active = _play(session), session.active
    refuse(no_event=not session.module.options.tournament_634)
    session = session.with_supply(active)
    session = session.with_display(active, effects.remove(session.display(active), play.card, "up").display)
    session = _done(sent(session, active, play.card, play.to))
    return session.at("choosing").say(f"{active} plays the round again under the same result.")


_EFFECTS: Mapping[str, Effect] = {
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
