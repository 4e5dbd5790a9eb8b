"""Events during a play: the hooks of cards (§7.8), combats and reactions (mechanics #3 and #3a)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal

from carddb.games.cdg_solo.play import hooks
from carddb.games.cdg_solo.play.combat import Fight, Role, chit_flips, chits_added, has_role, hit, lowest_values
from carddb.games.cdg_solo.play.combat import why_not as why_not_fight
from carddb.games.cdg_solo.play.display import Chits, Space
from carddb.games.cdg_solo.play.hooks import Name, form, run
from carddb.games.cdg_solo.play.plays import destination, left_down, why_not
from carddb.games.cdg_solo.table.plays import completed, label, sent, surplus, up_card, without_discarded
from carddb.games.cdg_solo.table.rounds import down_at, place_of, situation
from carddb.games.cdg_solo.table.session import (
    ANY_STEP,
    CardFlags,
    DueEvent,
    Play,
    Session,
    due,
    with_done,
    with_reaction,
)
from carddb.play.question import BadInput, Die, Many, Object, Refusal, refuse, refuse_for
from carddb.play.table.engine import action


def _with_row(session: Session, side: str, row: Mapping[str, int]) -> Session:
    return session.with_side(side, chits=Chits.model_validate(row)) if session.module.counts_chits else session


def _play(session: Session) -> Play:
    """Returns the play that is being resolved. Refuses `wrong_step` if there is none."""
    if session.table.pending.play is None:
        raise Refusal("wrong_step")
    return session.table.pending.play


def _complete(session: Session) -> Session:
    """Marks the play as complete, because the hook's effects have replaced those of an ordinary play."""
    return session.with_pending(play=_play(session).with_(open=False))


Effect = Callable[[Session, str, Mapping[str, Any], Mapping[str, Any]], Session]
"""A function from the session, the event's side, the player's parameters and the hook's answer to the new session."""


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
    session = session.with_display(other, hooks.remove(session.display(other), card).display)
    session = _in_place_of_event(session, play, card)
    for owner, key in ((side, "active"), (other, "opponent")):
        session = _with_row(session, owner, answer["chits"][key])
    return session.say(f"{side} takes {label(session, card)} from {other}.")


def _in_place_of_event(session: Session, play: Play, card: str) -> Session:
    """Replaces the event by a face-up card, instead of the effects of an ordinary play."""
    _, display = hooks.replace_card(session.display(play.side), play.card, card)
    return _complete(sent(session.with_display(play.side, display), play.side, play.card, play.to))


def _lose(session: Session, side: str, params: Mapping[str, Any], answer: Mapping[str, Any]) -> Session:
    other = session.other(side)
    session = _with_row(session, other, answer["chits"])
    card = answer["discarded"] or answer.get("played")
    if card is None:
        return session.say(f"{other} discards nothing.")
    session = session.with_supply(other)
    session = session.with_display(other, hooks.remove(session.display(other), card).display)
    to = destination(session.cards(other)[card], "event" if answer.get("played") else "discard")
    session = sent(session, other, card, to)
    words = "plays" if answer.get("played") else "discards"
    return session.say(f"{other} {words} {label(session, card)}.")


def _exchange(session: Session, side: str, params: Mapping[str, Any], answer: Mapping[str, Any]) -> Session:
    cards, old, new = session.cards(side), answer["discarded"], answer["taken"]
    refuse(not_lowest="ops" not in cards[old].kinds and cards[old].ops is None, no_event="ops" in cards[new].kinds)
    refuse_for(why_not(situation(session), old, "ops"))
    return _swapped(session, side, old, new, session.other(side)).say("The round goes on under the same result.")


def _swapped(session: Session, side: str, old: str, new: str, owner: str) -> Session:
    """Replaces the display card `old` by the card `new` from the discards of the side `owner`, face up."""
    session = without_discarded(session, new, owner)
    _, display = hooks.replace_card(session.display(side), old, new)
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
    session = session.with_display(side, hooks.remove(session.display(side), play.card, "up").display)
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
    "swap_bonus": lambda session, side, _, answer: _swapped(session, side, answer["discarded"], answer["taken"], side),
    "draw_from_discard": _draw,
    "tournament_redraw": _redraw,
}


@action("SR-28", at=ANY_STEP - {"setup"})
def set_flag(session: Session, card: str, value: bool = True) -> Session:
    """Declare that a card's conditions are met, or not met any more; an up card may be named by its place."""
    if session.table.active and place_of(card):
        card = up_card(session, session.active, card)
    if card not in session.table.cards:
        raise BadInput("card", hint=f"there is no card {card}")
    for side in session.module.side_ids:
        flags = {**session.side(side).flags, card: CardFlags(conditions_met=value)}
        session = session.with_side(side, flags=flags)
    return session.say(f"The conditions of {label(session, card)} are {'met' if value else 'not met'}.")


@action(
    *("S-116", "S-148", "S-149", "S-160", "S-161", "S-164", "S-171", "S-172", "S-178", "S-179", "S-187", "S-189"),
    *("SR-43", "SR-50", "SR-51", "SR-56", "SR-61", "SR-62", "SR-64"),
    at=["round_ready", "choosing", "resolving"],
    serves=lambda session: bool(due(session)) or may_exchange(session),
)
def hook(session: Session, name: Name | None = None, params: Object | None = None) -> Session:
    """Carry out what an event that is being played does to displays and chits, once; without a name, what is next."""
    event = _event(session, name)
    side = event.play.side if event else session.active
    chosen = event.hook if event else "exchange_632"
    rule = event.rule if event else None
    fields = _with_cards(session, side, dict(params or {}))
    if rule and rule.get("side") and "side" in form(chosen).model_fields:
        fields = {"side": rule["side"], **fields}  # the side that the card names, if the player has named none
    try:
        session, answer = _answer(session, side, chosen, fields, rule)
    except BadInput as fault:
        fault.details.setdefault("hint", f"more is to be said: hook {' '.join([chosen, *usage(chosen)])}")
        raise
    session = EFFECTS[chosen](session, side, fields, answer)
    return with_done(session, event) if event else session.with_pending(exchanged=True)


def _event(session: Session, name: Name | None) -> DueEvent | None:
    """Returns the pending event with a hook, by default the next. Refuses `wrong_step`, `no_event`."""
    waiting = due(session)
    event = next((event for event in waiting if name in (None, event.hook)), None)
    if event is None and name == "exchange_632" and name in session.module.hooks:
        refuse(wrong_step=not may_exchange(session))
    elif event is None:
        hint = f"Waiting: hook {waiting[0].hook}." if waiting else "No event is waiting to be carried out."
        raise Refusal("no_event", hint=hint)
    return event


def may_exchange(session: Session) -> bool:
    """Returns whether an Ops card may be exchanged for the other side's last discard, once in a round (S-178)."""
    pending = session.table.pending
    return "exchange_632" in session.module.hooks and session.step == "choosing" and not pending.exchanged


def _with_cards(session: Session, side: str, params: dict[str, Any]) -> dict[str, Any]:
    """Returns the player's parameters with card ids. A face-up card may be given by id or place, others only by place.

    All other names get the same refusal, so that an attempt reveals nothing about hidden cards.
    """
    params.pop("event_card", None)
    if isinstance(params.get("card"), str):
        params["card"] = up_card(session, side, params["card"])
    if isinstance(params.get("flip_card"), str):
        params["flip_card"] = down_at(session.display(side), params["flip_card"], "params.flip_card")
    return params


def _answer(
    session: Session, side: str, name: Name, params: Mapping[str, Any], rule: Mapping[str, Any] | None
) -> tuple[Session, dict[str, Any]]:
    """Returns the session after the rolls, and the hook's answer; the chart is re-rolled until it picks a card.

    Refuses `reroll` if the player entered a chart roll that picks no card.
    """
    while True:
        rolled, rolls = _rolls(session, side, name, params)
        fields = [field for field in form(name).model_fields if field in ON_TABLE]
        table = {field: value for field in fields if (value := ON_TABLE[field](session, side)) is not None}
        answer = dict(run(session.module, name, {**table, **rolls, **params}, rule))
        if not answer.get("reroll"):
            picked = any(answer.get(key) for key in ("taken", "discarded", "played"))
            return _with_rolls_logged(rolled, side, rolls, bool(rule and rule.get("success")), picked), answer
        if params.get("chart_roll") is not None:
            raise Refusal("reroll")
        session = rolled


def _rolls(session: Session, side: str, name: Name, params: Mapping[str, Any]) -> tuple[Session, dict[str, int]]:
    """Rolls the dice that a hook needs and the player has not entered."""
    fields = form(name).model_fields
    rolls: dict[str, int] = {}
    for field in ("success_roll", "chart_roll"):
        if field in fields and field not in params:
            faces = max(6, _candidates(session, side)) if field == "chart_roll" else 6
            session, (rolls[field],) = session.rolled(sides=faces)
    return session, rolls


def _candidates(session: Session, side: str) -> int:
    """Returns the number of cards among which the chart picks: the other side's face-up cards."""
    return len(session.display(session.other(side)).ups())


def _with_rolls_logged(session: Session, side: str, rolls: Mapping[str, int], risky: bool, picked: bool) -> Session:
    """Logs the rolls: for success if that is needed, and on the chart if it picked among several cards."""
    if "success_roll" in rolls and risky:
        session = session.say(f"Rolled {rolls['success_roll']}.")
    if "chart_roll" in rolls and picked and _candidates(session, side) > 1:
        session = session.say(f"The chart shows {rolls['chart_roll']}.")
    return session


def usage(name: str) -> list[str]:
    """Returns the parameters of a hook that the player enters, optional ones in brackets."""
    fields = {key: field for key, field in form(name).model_fields.items() if key not in ON_TABLE}
    needed = [f"{key}=..." for key, field in fields.items() if field.is_required()]
    return [*needed, *(f"[{key}=...]" for key, field in fields.items() if not field.is_required())]


ON_TABLE: Mapping[str, Callable[[Session, str], Any]] = {
    "display": lambda session, side: session.side(side).display,
    "taker_display": lambda session, side: session.side(side).display,
    "opponent_display": lambda session, side: session.side(session.other(side)).display,
    "victim_display": lambda session, side: session.side(session.other(side)).display,
    "chits": lambda session, side: session.side(side).chits,
    "taker_chits": lambda session, side: session.side(side).chits,
    "opponent_chits": lambda session, side: session.side(session.other(side)).chits,
    "victim_chits": lambda session, side: session.side(session.other(side)).chits,
    "pile": lambda session, _: session.table.common and session.table.common.pile,
    "event_card": lambda session, _: session.table.pending.play and session.table.pending.play.card,
    "opponent_last_discard": lambda session, side: next(iter(session.side(session.other(side)).discard[-1:]), None),
    "cards": lambda session, _: session.table.cards,
}
"""The parameters of hooks that the session fills in from the table; None if the table does not have them.

Each function takes the session and the event's side.
"""


FIGHTING = ("resolving",)


def _owner(session: Session, role: Role) -> str:
    """Returns the side that has a role; the attacker is the active side."""
    return session.active if role in ("attacker", "active") else session.opponent


def _role_of(session: Session, card: str) -> Role:
    """Returns the role of the side that has the card face up, or beside its display."""
    other = session.opponent
    others = (*session.display(other).ups(), *session.side(other).off_display.tactician)
    return "defender" if card in others or not has_role(session.module, "attacker") else "attacker"


def fight(session: Session, role: Role) -> Fight:
    """Returns the situation of a side that may play a card in a combat or a reaction."""
    owner = _owner(session, role)
    side = session.side(owner)
    roll = session.table.roll
    return Fight(
        session.module,
        role,
        session.display(owner),
        session.cards(owner),
        session.plays_left(owner),
        side.conditions_met,
        side.fought,
        roll.result if roll else None,
    )


@action(
    *("S-66", "S-75", "S-76", "S-77", "S-132", "S-133", "S-134", "S-145", "S-154", "S-167", "S-180", "S-182", "S-200"),
    *("SR-24", "SR-44"),
    at=FIGHTING,
)
def combat(session: Session, card: str, role: Role | None = None, mode: Literal["play", "discard"] = "play") -> Session:
    """Play a card in a combat or a reaction, or discard one where that helps; its place is filled when it ends.

    Without a role a card is played by the side that has it; a place is the active side's, where that plays such cards.
    """
    role = role or _role_of(session, card)
    owner = _owner(session, role)
    beside = card in session.side(owner).off_display.tactician
    card = card if beside else up_card(session, owner, card)
    late = role == "attacker" and session.side(session.other(owner)).fought > 0
    play = session.table.pending.play
    being_played = play is not None and play.open and play.card == card
    refuse(wrong_step=being_played or late)
    details = session.cards(owner)[card]
    refuse_for(why_not_fight(fight(session, role), details, mode == "discard", beside))
    flips = chit_flips(session.module, details, mode == "discard", beside)
    session = _moved(session, owner, card, beside).with_flips(owner, flips)
    session = session.with_chits_added(owner, chits_added(session.module, details) if beside else 0)
    session = session.with_side(owner, fought=session.side(owner).fought + 1)
    if mode == "play":
        session = with_reaction(session, owner, card)
    words = "discards" if mode == "discard" else "plays"
    return session.say(f"{owner} {words} {label(session, card)} in the combat.")


def _moved(session: Session, owner: str, card: str, beside: bool) -> Session:
    """Moves a card played in a combat to its destination; its space is refilled when the combat ends."""
    side = session.side(owner)
    if beside:
        return sent(session.with_side(owner, off_display=side.off_display.without(card)), owner, card, "removed")
    display = session.display(owner)
    place = display.find(card)
    assert place is not None
    space, refilled = place[0], place[0] not in surplus(session, owner)
    session = session.with_display(owner, display.without(card))
    if refilled:
        session = session.with_side(owner, waiting=(*side.waiting, space))
    return sent(session, owner, card, destination(session.cards(owner)[card], "event"))


def _nominates(session: Session) -> bool:
    return bool(session.module.options["combat_rule"] == "experimental")


@action("S-79", "S-80", "SR-25", at=FIGHTING, serves=_nominates)
def nominate(session: Session, cards: Many[str], role: Role = "attacker") -> Session:
    """Name up Combat cards that may take part, by the experimental rule; the method die decides which do."""
    refuse(not_in_combat=not _nominates(session))
    owner = _owner(session, role)
    if role == "defender":
        # The top of the pile, or the card in C, is turned up (S-80).
        session = session.with_supply(owner)
        display = session.display(owner)
        if down := [slot.card for slot in display.at("C") if not slot.up]:
            session = session.with_display(owner, display.turned_up(down)).say(f"{owner} turns its card in C up.")
    cards = tuple(up_card(session, owner, card) for card in cards)
    for card in cards:
        refuse_for(why_not_fight(fight(session, role), session.cards(owner)[card]))
    labels = ", ".join(label(session, card) for card in cards) or "nothing"
    nominated = {**session.table.pending.nominated, owner: tuple(cards)}
    return session.with_pending(nominated=nominated).say(f"{owner} nominates {labels}.")


@action("S-78", "S-81", "S-82", "S-83", "S-181", at=FIGHTING)
def combat_end(session: Session, faces: dict[str, Die] | None = None, keep: Many[str] = ()) -> Session:
    """End the combat: nominated cards are rolled for, and the places of the cards played are filled.

    `faces` are method dice typed in, by side; `keep` names nominated cards that are not played where a side has too
    few chits for all.
    """
    waits = any(side.waiting or side.fought for side in session.table.sides.values())
    refuse(not_in_combat=not waits and not session.table.pending.nominated)
    for side, cards in session.table.pending.nominated.items():
        if cards:
            session = _rolled_for(session, side, [card for card in cards if card not in keep], (faces or {}).get(side))
    session = session.with_pending(nominated={})
    for side in session.module.side_ids:
        for space in sorted(session.side(side).waiting):
            session = session.with_supply(side)
            display, _ = session.display(side).refilled(space, left_down(session.module))
            session = session.with_display(side, display)
        session = session.with_side(side, waiting=(), fought=0)
    return session.say("The combat is over.")


def _rolled_for(session: Session, side: str, cards: list[str], face: int | None) -> Session:
    session, (rolled,) = session.rolled(1, () if face is None else (face,))
    result = session.module.table[str(rolled)]
    display, by_id = session.display(side), session.cards(side)
    at: dict[str, Space] = {card: place[0] for card in cards if (place := display.find(card))}
    values = lowest_values((space, by_id[card]) for card, space in at.items())
    spaces = hit(result, list(at.values()), session.module.options["m3a_lowest"], values)
    session = session.say(f"{side} rolls {rolled}: {result}.")
    for card, space in at.items():
        if space in spaces:
            if session.plays_left(side) < 1:
                raise BadInput("keep")
            flips = chit_flips(session.module, by_id[card])
            session = _moved(session, side, card, False).with_flips(side, flips)
            session = session.with_side(side, fought=session.side(side).fought + 1)
            session = with_reaction(session, side, card).say(f"{label(session, card)} is played.")
    return session
