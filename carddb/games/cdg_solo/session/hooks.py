"""What events do to the table by their hooks (§7.8), and what the player declares of a card."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from carddb.games.cdg_solo import effects
from carddb.games.cdg_solo.cards import exceptions_for
from carddb.games.cdg_solo.chits import Chits
from carddb.games.cdg_solo.display import Display
from carddb.games.cdg_solo.hooks import HOOKS, Name, run
from carddb.games.cdg_solo.session.action import ANY_STEP, action
from carddb.games.cdg_solo.session.plays import completed, known, named, sent, without_discarded
from carddb.games.cdg_solo.session.rounds import down_at, place_of
from carddb.games.cdg_solo.session.session import Session
from carddb.games.cdg_solo.session.state import Flags, Play
from carddb.play.fields import Object
from carddb.play.question import BadInput, Refusal, refuse


@action("SR-28", at=ANY_STEP - {"setup"})
def set_flag(session: Session, card: str, value: bool = True) -> Session:
    """Declare that a card's conditions are met, or not met any more; an up card may be named by its place."""
    if session.table.active and place_of(card):
        card = known(session, session.active, card)
    if card not in session.table.cards:
        raise BadInput("card")
    for side in session.module.side_ids:
        flags = {**session.side(side).flags, card: Flags(conditions_met=value)}
        session = session.with_side(side, flags=flags)
    return session.say(f"The conditions of {named(session, card)} are {'met' if value else 'not met'}.")


@action(
    *("S-116", "S-148", "S-149", "S-160", "S-161", "S-164", "S-171", "S-172", "S-178", "S-179", "S-187", "S-189"),
    *("SR-43", "SR-50", "SR-51", "SR-56", "SR-61", "SR-62", "SR-64"),
    at=["choosing", "resolving"],
    serves=lambda module: bool(module.exceptions),
)
def hook(session: Session, name: Name, params: Object | None = None) -> Session:
    """Carry out what an event does to displays and chits; displays, piles and rolls are filled in by the session."""
    refuse(wrong_step=session.table.step == "choosing" and name != "exchange_632")
    said = _told(session, dict(params or {}))
    answer = _asked(session, name, said)
    return _APPLIED[name](answer[0], said, answer[1])


def _told(session: Session, said: dict[str, Any]) -> dict[str, Any]:
    """What the player says: a card that lies up by its id or place, a down one by its place alone.

    Whatever else is named is answered alike, so that asking tells nothing of hidden cards.
    """
    said.pop("event_card", None)
    if isinstance(said.get("card"), str):
        said["card"] = known(session, session.active, said["card"])
    if isinstance(said.get("flip_card"), str):
        said["flip_card"] = down_at(session.display(session.active), said["flip_card"], "params.flip_card")
    return said


def _asked(session: Session, name: Name, said: dict[str, Any]) -> tuple[Session, dict[str, Any]]:
    """The hook's answer about the table as it lies; a roll on the chart is made until it picks."""
    rule = _rule(session, name)
    typed = said.get("chart_roll")
    while True:
        session, rolls = _rolls(session, name, said)
        params = {**_known(session, name), **rolls, **said}
        answer = dict(run(session.module, name, params, rule))
        if not answer.get("reroll"):
            return session, answer
        if typed is not None:
            raise Refusal("reroll")


def _rule(session: Session, name: str) -> Mapping[str, Any] | None:
    """What the exception of the card that is being played says of the hook."""
    play = session.table.pending.play
    if play is None:
        return None
    found = exceptions_for(session.module, session.table.cards[play.card])
    return next((entry.params for entry in found if entry.hook == name), None)


def _rolls(session: Session, name: str, said: Mapping[str, Any]) -> tuple[Session, dict[str, int]]:
    """The dice that a hook may ask for and the player has not typed."""
    fields = HOOKS[name].form.model_fields
    rolls: dict[str, int] = {}
    for field in ("success_roll", "chart_roll"):
        if field in fields and field not in said:
            candidates = len(session.display(session.other(session.active)).ups())
            session, rolls[field] = session.die(None, max(6, candidates) if field == "chart_roll" else 6)
    return session, rolls


def said_of(name: str) -> list[str]:
    """What the player says of a hook: the parameters that do not lie on the table; in brackets what may be left out."""
    fields = {key: field for key, field in HOOKS[name].form.model_fields.items() if key not in ON_TABLE}
    needed = [f"{key}=..." for key, field in fields.items() if field.is_required()]
    return [*needed, *(f"[{key}=...]" for key, field in fields.items() if not field.is_required())]


ON_TABLE = frozenset(
    {
        *("display", "taker_display", "opponent_display", "victim_display", "chits", "taker_chits", "opponent_chits"),
        *("victim_chits", "pile", "event_card", "opponent_last_discard", "cards"),
    }
)
"""The parameters of hooks that the session fills in."""


def _known(session: Session, name: str) -> dict[str, Any]:
    """The parameters of a hook that lie on the table."""
    active, other = session.active, session.other(session.active)
    play = session.table.pending.play
    own = session.table.common is None
    mine, theirs = (_lying(session.display(side), own) for side in (active, other))
    chits = {side: session.side(side).chits.model_dump() for side in (active, other)}
    last = session.side(other).discard[-1:]
    every: dict[str, Any] = {
        "display": mine,
        "taker_display": mine,
        "opponent_display": theirs,
        "victim_display": theirs,
        "chits": chits[active],
        "taker_chits": chits[active],
        "opponent_chits": chits[other],
        "victim_chits": chits[other],
        "pile": None if own else [str(slot) for slot in session.display(active).stock],
        "event_card": play.card if play else None,
        "opponent_last_discard": last[0] if last else None,
        "cards": {card: text.model_dump() for card, text in session.table.cards.items()},
    }
    return {field: every[field] for field in HOOKS[name].form.model_fields if every.get(field) is not None}


def _lying(display: Display, with_pile: bool) -> dict[str, list[str]]:
    lying = display.to_json()
    return lying if with_pile else {space: cards for space, cards in lying.items() if space != "pile"}


def _with_row(session: Session, side: str, row: Mapping[str, int]) -> Session:
    return session.with_chits(side, Chits(row["total"], row["flipped"])) if session.module.counts_chits else session


def _play(session: Session) -> Play:
    """The play that is being resolved. Refuses `wrong_step` without one."""
    if session.table.pending.play is None:
        raise Refusal("wrong_step")
    return session.table.pending.play


def _done(session: Session) -> Session:
    """The play is carried out: what the hook did stands for what an ordinary play would have done."""
    return session.with_pending(play=_play(session).with_(open=False))


Applied = Callable[[Session, Mapping[str, Any], Mapping[str, Any]], Session]


def _reveal(session: Session, said: Mapping[str, Any], answer: Mapping[str, Any]) -> Session:
    other = session.other(session.active)
    session = session.with_display(other, session.display(other).turned_up(answer["flipped"]))
    return session.say(f"{other} turns everything up.")


def _add(session: Session, said: Mapping[str, Any], answer: Mapping[str, Any]) -> Session:
    side = said.get("side") or session.active
    if side not in session.module.side_ids:
        raise BadInput("params.side")
    session = session.with_chits_added(side, 1).with_side(side, hand=session.side(side).hand + 1)
    return session.say(f"{side} gets a chit.")


def _flip(session: Session, said: Mapping[str, Any], answer: Mapping[str, Any]) -> Session:
    other = session.other(session.active)
    refuse(no_target_chit=not session.side(other).row.unflipped)
    return _with_row(session, other, answer["chits"]).say(f"A chit of {other} is flipped.")


def _take(session: Session, said: Mapping[str, Any], answer: Mapping[str, Any]) -> Session:
    play, card = _play(session), answer["taken"]
    if card is None:
        return completed(session).say("No card is taken.")
    active, other = session.active, session.other(session.active)
    session = session.with_supply(other)
    session = session.with_display(other, effects.remove(session.display(other), card).display)
    _, display = effects.replace_card(session.display(active), play.card, card)
    session = sent(session.with_display(active, display), active, play.card, play.to)
    for side, key in ((active, "active"), (other, "opponent")):
        session = _with_row(session, side, answer["chits"][key])
    return _done(session).say(f"{active} takes {named(session, card)} from {other}.")


def _lose(session: Session, said: Mapping[str, Any], answer: Mapping[str, Any]) -> Session:
    other = session.other(session.active)
    session = _with_row(session, other, answer["chits"])
    card = answer["discarded"] or answer.get("played")
    if card is None:
        return session.say(f"{other} discards nothing.")
    session = session.with_supply(other)
    session = session.with_display(other, effects.remove(session.display(other), card).display)
    removed = answer.get("played") and session.table.cards[card].remove_after != "never"
    session = sent(session, other, card, "removed" if removed else "discard")
    words = "plays" if answer.get("played") else "discards"
    return session.say(f"{other} {words} {named(session, card)}.")


def _exchange(session: Session, said: Mapping[str, Any], answer: Mapping[str, Any]) -> Session:
    active, other = session.active, session.other(session.active)
    old, new = answer["discarded"], answer["taken"]
    kinds = session.cards(active)[old].kinds, session.cards(active)[new].kinds
    refuse(not_lowest="ops" not in kinds[0] and session.cards(active)[old].ops is None, no_event="ops" in kinds[1])
    return _swap(session, old, new, other).say("The round goes on under the same result.")


def _swap_bonus(session: Session, said: Mapping[str, Any], answer: Mapping[str, Any]) -> Session:
    return _swap(session, answer["discarded"], answer["taken"], None)


def _swap(session: Session, old: str, new: str, from_side: str | None) -> Session:
    """A card of the display changes places with one of the discards, which lies up."""
    session = without_discarded(session, new, from_side or session.active)
    active = session.active
    _, display = effects.replace_card(session.display(active), old, new)
    session = sent(session.with_display(active, display), active, old, "discard")
    return session.say(f"{named(session, new)} lies in the place of {named(session, old)}.")


def _draw(session: Session, said: Mapping[str, Any], answer: Mapping[str, Any]) -> Session:
    play, new = _play(session), answer["taken"]
    owners = [side for side in session.module.side_ids if new in session.side(side).discard]
    session = without_discarded(session, new, owners[0] if owners else session.active)
    active = session.active
    _, display = effects.replace_card(session.display(active), play.card, new)
    session = sent(session.with_display(active, display), active, play.card, play.to)
    return _done(session).say(f"{active} takes {named(session, new)} from the discards.")


def _redraw(session: Session, said: Mapping[str, Any], answer: Mapping[str, Any]) -> Session:
    play, active = _play(session), session.active
    refuse(no_event=not session.module.options.tournament_634)
    session = session.with_supply(active)
    session = session.with_display(active, effects.remove(session.display(active), play.card, "up").display)
    session = _done(sent(session, active, play.card, play.to))
    return session.at("choosing").say(f"{active} plays the round again under the same result.")


_APPLIED: Mapping[str, Applied] = {
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
