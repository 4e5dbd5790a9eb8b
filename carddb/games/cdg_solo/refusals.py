"""Why a card of the display may not be played now: the refusals of SD-12, from the same source as the legal choices."""

from __future__ import annotations

from typing import Literal

from carddb.games.cdg_solo.cards import Card
from carddb.games.cdg_solo.choices import Situation, event_fault, forced_plays, granted, needs_symbol, reserved
from carddb.games.cdg_solo.display import Space

Use = Literal["event", "ops", "other", "discard", "fo_hold"]
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
    place = now.display.find(card)
    if now.left < 1:
        return "no_chits_left"
    if place is None:
        return "card_not_on_display"
    if not place[1].up:
        return "card_face_down"
    forced, reason, mode = forced_plays(now)
    if reason:
        return None if card in forced and (mode == "any" or use == mode) else FORCED[reason]
    if (due := reserved(now)) and (card not in due or use != "event"):
        return "chit_reserve_for_mandatory"
    return _fault(now, now.cards[card], place[0], use)


def _fault(now: Situation, card: Card, space: Space, use: Use) -> str | None:
    modes = granted(now, card.id)
    if use == "discard":
        return None if "discard" in modes else "mandatory_no_discard" if card.bound else "discard_kind"
    if use == "fo_hold" and "future_offensive_able" not in card.kinds:
        return "future_offensive_unable"
    if "any" in modes:
        return event_fault(now, card) if use == "event" else None
    if use == "event" and "event" in modes:
        return None
    return _not_offered(now, card, space, use, "event" in modes)


def _not_offered(now: Situation, card: Card, space: Space, use: Use, as_event: bool) -> str:
    """Why the result does not let a card be played."""
    if needs_symbol(now, card):
        return "jolly_roger_needed"
    if now.result == "UP":
        return "event_only" if as_event else (use == "event" and event_fault(now, card)) or "not_lowest"
    if now.result == "C_JR":
        return "no_legal_card" if space == "C" else "not_lowest"
    return "space_not_named"


def why_not_forced(forced: tuple[str, ...], reason: str, card: str, use: Use) -> str | None:
    """Why a card may not be played where the round began with a forced play, or None (S-87, S-95, S-99)."""
    return None if card in forced and use == "event" else FORCED[reason]
