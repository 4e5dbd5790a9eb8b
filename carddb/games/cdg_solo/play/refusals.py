"""Why a card of the display may not be played now: the refusals of SD-12, from the same source as the legal choices."""

from __future__ import annotations

from typing import Annotated, Literal

from carddb.games.cdg_solo.module.module import Module
from carddb.games.cdg_solo.play.cards import Card, Cards
from carddb.games.cdg_solo.play.choices import (
    Situation,
    by_result,
    combat_alone,
    event_fault,
    forced_plays,
    granted,
    needs_symbol,
    reserved,
    thrown_away,
    without_ops,
)
from carddb.games.cdg_solo.play.combat import Fight, Role
from carddb.games.cdg_solo.play.combat import why_not as why_not_fight
from carddb.games.cdg_solo.play.display import Display
from carddb.games.cdg_solo.play.rounds import RoundFlags, start
from carddb.play.fields import Words

Use = Annotated[Literal["event", "ops", "other", "discard", "fo_hold"], Words("uses")]
"""How a card is played; `any` purpose is all of them but a discard."""

FORCED = {
    "jolly_roger_special": "special_must_be_played",
    "first_opportunity": "first_opportunity_must_be_played",
    "mandatory_last": "mandatory_must_be_played",
    "scoring_last": "mandatory_must_be_played",
    "first_round_event": "roll_barred_forced_play",
}
"""The refusal of any other play, by the reason of a forced one."""


def why_not(now: Situation, card: str, use: Use) -> str | None:
    """Why a card of the display may not be played so under the result, or None. Refuses `order_count_needed`."""
    if reason := why_not_on_display(now.display, now.left, card):
        return reason
    held = now.cards[card]
    if use == "discard" and held.bound and not thrown_away(held, by_result(now, card)):
        return "mandatory_no_discard"
    forced, reason, mode = forced_plays(now)
    if reason:
        return None if card in forced and (mode == "any" or use == mode) else FORCED[reason]
    if (due := reserved(now)) and (card not in due or use != "event"):
        return "chit_reserve_for_mandatory"
    return _fault(now, held, use)


def _fault(now: Situation, card: Card, use: Use) -> str | None:
    if use == "discard":
        return None if "discard" in granted(now, card.id) else "discard_kind"
    if use == "fo_hold" and not _may_be_held(now, card):
        return "future_offensive_unable"
    if needs_symbol(now, card):
        return "jolly_roger_needed"
    modes = by_result(now, card.id)
    if use == "event" and modes & {"any", "event"}:
        return event_fault(now, card)
    if use != "event" and "any" in modes:
        return _of_no_use(now, card, use)
    return _not_offered(now, card, use, "event" in modes)


def _may_be_held(now: Situation, card: Card) -> bool:
    """Whether a card may be put aside as a Future Offensives card (S-138)."""
    return "future_offensives" in now.module.off_display and "future_offensive_able" in card.kinds


def _of_no_use(now: Situation, card: Card, use: Use) -> str | None:
    """Why a card that may be played for any purpose does not serve this one, or None (S-75)."""
    if combat_alone(now.module, card):
        return "combat_only"
    return "event_only" if use == "ops" and without_ops(now.module, card) else None


def _not_offered(now: Situation, card: Card, use: Use, as_event: bool) -> str:
    """Why the result does not let a card be played."""
    if now.result == "UP":
        if as_event and event_fault(now, card) is None:
            return "event_only"
        return (use == "event" and event_fault(now, card)) or "not_lowest"
    if now.result == "C_JR":
        return "no_legal_card" if any(slot.card == card.id for slot in now.display.at("C")) else "not_lowest"
    return "space_not_named"


def why_not_on_display(display: Display, left: float, card: str) -> str | None:
    """Why nothing can be played from the display, or not this card, whatever the die shows."""
    place = display.find(card)
    if left < 1:
        return "no_chits_left"
    if place is None:
        return "card_not_on_display"
    return None if place[1].up else "card_face_down"


def why_not_unrolled(
    module: Module, display: Display, cards: Cards, left: float, flags: RoundFlags, card: str, use: Use
) -> str | None:
    """Why a card of the display may not be played without a roll, or None.

    It may be where the round begins with a forced play, to go first, or in a combat or a reaction.
    """
    if reason := why_not_on_display(display, left, card):
        return reason
    beginning = start(module, display, cards, left, flags)
    if card in beginning.cards and beginning.reason:
        return why_not_forced(beginning.cards, beginning.reason, card, use)
    held = cards[card]
    if serves_in_combat(module, held, use):
        return why_not_fight(fight_of(module, display, cards, left, flags), held, use == "discard")
    if beginning.step == "forced" and beginning.reason:
        return FORCED[beginning.reason]
    if "first_round_only" in held.kinds and use == "event":
        return None if held.in_first_round(flags.first_round, flags.first_phase) else "first_round_event_only"
    return why_not_first(module, held, flags)


def serves_in_combat(module: Module, card: Card, use: Use) -> bool:
    """Whether a play without a roll is one in a combat or a reaction."""
    if use == "discard":
        return module.combat_detail.discard is not None
    return use == "event" and not card.kinds.isdisjoint(module.combat_kinds)


def fight_of(module: Module, display: Display, cards: Cards, left: float, flags: RoundFlags) -> Fight:
    """The side as it plays a card in a combat or a reaction, in a role in which the game has such plays."""
    roles: tuple[Role, ...] = ("inactive", "defender", "active", "attacker")
    role = next(role for role in roles if role in module.combat_roles)
    return Fight(module, role, display, cards, left, flags.conditions_met)


def why_not_first(module: Module, card: Card, flags: RoundFlags) -> str | None:
    """Why a card may not be played before the roll to go first, or None (S-177)."""
    rule = module.goes_first
    fits = rule is not None and card.fits(rule) and flags.side in (None, *rule.sides)
    return None if fits and flags.first_round else "wrong_step"


def why_not_forced(forced: tuple[str, ...], reason: str, card: str, use: Use) -> str | None:
    """Why a card may not be played where the round began with a forced play, or None (S-87, S-95, S-99)."""
    return None if card in forced and use == "event" else FORCED[reason]
