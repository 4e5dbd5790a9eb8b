"""A play: where the card goes, the card that refills its space, and why a card may not be played now (SD-12)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from carddb.game.game import GameSpec
from carddb.games.cdg_solo.module import Game, Module, module_of
from carddb.games.cdg_solo.play.cards import Card, Cards, CardTexts, cards_of
from carddb.games.cdg_solo.play.choices import (
    ChoiceFlags,
    Situation,
    by_result,
    combat_alone,
    event_fault,
    forced_plays,
    granted,
    needs_symbol,
    reserved,
    thrown_away,
    why_not_beside,
    without_ops,
)
from carddb.games.cdg_solo.play.combat import Fight, Role, chits_added
from carddb.games.cdg_solo.play.combat import chit_flips as combat_flips
from carddb.games.cdg_solo.play.combat import why_not as why_not_fight
from carddb.games.cdg_solo.play.die import Result
from carddb.games.cdg_solo.play.display import Display, DisplayText, RefillMode, Slot, Space, refill_json
from carddb.games.cdg_solo.play.rounds import RoundFlags, chits_left, start
from carddb.play.question import Answer, BadInput, Count, Many, Words, operation, refuse, refuse_for

Use = Annotated[Literal["event", "ops", "other", "discard", "fo_hold"], Words("uses")]
"""The purpose of a play; `any` includes all uses except a discard."""

FORCED = {
    "jolly_roger_special": "special_must_be_played",
    "first_opportunity": "first_opportunity_must_be_played",
    "mandatory_last": "mandatory_must_be_played",
    "scoring_last": "mandatory_must_be_played",
    "first_round_event": "roll_barred_forced_play",
}
"""The refusal of any other play while a play is forced, by the reason of the forced play."""


def why_not(now: Situation, card: str, use: Use) -> str | None:
    """Returns why a card may not be played for `use` under the result, or None. Refuses `order_count_needed`."""
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
    held = "future_offensives" in now.module.off_display and "future_offensive_able" in card.kinds
    if use == "fo_hold" and not held:
        return "future_offensive_unable"
    if needs_symbol(now, card):
        return "jolly_roger_needed"
    modes = by_result(now, card.id)
    if use == "event" and modes & {"any", "event"}:
        return event_fault(now, card)
    if use != "event" and "any" in modes:
        if combat_alone(now.module, card):
            return "combat_only"
        return "event_only" if use == "ops" and without_ops(now.module, card) else None
    return _not_offered(now, card, use, "event" in modes)


def _not_offered(now: Situation, card: Card, use: Use, as_event: bool) -> str:
    """Returns why the result does not let a card be played."""
    if now.result == "UP":
        if as_event and event_fault(now, card) is None:
            return "event_only"
        return (use == "event" and event_fault(now, card)) or "not_lowest"
    if now.result == "C_JR":
        return "no_legal_card" if any(slot.card == card.id for slot in now.display.at("C")) else "not_lowest"
    return "space_not_named"


def why_not_on_display(display: Display, left: float, card: str) -> str | None:
    """Returns why the card cannot be played from the display with any result of the die, or None."""
    place = display.find(card)
    if left < 1:
        return "no_chits_left"
    if place is None:
        return "card_not_on_display"
    return None if place[1].up else "card_face_down"


def why_not_unrolled(
    module: Module, display: Display, cards: Cards, left: float, flags: RoundFlags, card: str, use: Use
) -> str | None:
    """Returns why a card of the display may not be played without a roll, or None.

    Such plays are allowed if the round begins with a forced play, to go first, or in a combat or a reaction.
    """
    if reason := why_not_on_display(display, left, card):
        return reason
    beginning = start(module, display, cards, left, flags)
    if card in beginning.cards and beginning.reason:
        return why_not_forced(beginning.cards, beginning.reason, card, use)
    held = cards[card]
    if serves_in_combat(module, held, use):
        # A side in a role in which the game has such plays.
        roles: tuple[Role, ...] = ("inactive", "defender", "active", "attacker")
        role = next(role for role in roles if role in module.combat_roles)
        fight = Fight(module, role, display, cards, left, flags.conditions_met)
        return why_not_fight(fight, held, use == "discard")
    if beginning.step == "forced" and beginning.reason:
        return FORCED[beginning.reason]
    if "first_round_only" in held.kinds and use == "event":
        return None if held.in_first_round(flags.first_round, flags.first_phase) else "first_round_event_only"
    # A card may be played before the roll to go first (S-177).
    rule = module.goes_first
    fits = rule is not None and held.fits(rule) and flags.side in (None, *rule.sides)
    return None if fits and flags.first_round else "wrong_step"


def serves_in_combat(module: Module, card: Card, use: Use) -> bool:
    """Returns whether a play without a roll counts as a play in a combat or a reaction."""
    if use == "discard":
        return module.combat_detail.discard is not None
    return use == "event" and not card.kinds.isdisjoint(module.combat_kinds)


def why_not_forced(forced: tuple[str, ...], reason: str, card: str, use: Use) -> str | None:
    """Returns why a card may not be played if the round begins with a forced play, or None (S-87, S-95, S-99)."""
    return None if card in forced and use == "event" else FORCED[reason]


Destination = Literal["discard", "removed", "home", "fo"]


class PlayFlags(ChoiceFlags):
    """The player's statements about a play; `surplus` are the spaces with more cards than their target (SR-35).

    If `first_round` is not given, a play without a roll counts as one in the first round.
    """

    draw2: bool = False
    surplus: Many[Space] = ()
    side: str | None = None
    first_round_card: str | None = None

    def of_round(self) -> RoundFlags:
        """Returns these flags as flags of the beginning of a round."""
        return RoundFlags(
            conditions_met=self.conditions_met,
            first_round=self.first_round or "first_round" not in self.model_fields_set,
            first_phase=self.first_phase,
            first_round_card=self.first_round_card,
            side=self.side,
        )


@dataclass(frozen=True)
class PlayResult:
    """The display after a play, the destination of the card, the chits flipped, and the card that refills the space."""

    display: Display
    destination: Destination
    chit_flips: int
    space: Space | None = None
    refill: Slot | None = None
    chits_added: int = 0


def refill_mode(module: Module, result: Result | None, draw2: bool = False) -> RefillMode:
    """Returns how a space is refilled; without a roll as after `AB` (SR-11, SR-12, S-204)."""
    if draw2 and module.draws.two_refill_up:
        return "up"
    if module.layout == "card_in_c":
        return "down"
    if result == "C_JR" and module.options.jr_refill == "down":
        return "under"
    how = module.forms[result or "AB"].refill
    return "down" if how == "keep" and result != "UP" and module.options.refill_force_down else how


def left_down(module: Module) -> RefillMode:
    """Returns the mode for a card that is left face down: unchanged, or turned down by the option (SR-12)."""
    return "down" if module.options.refill_force_down else "keep"


def destination(card: Card, use: Use) -> Destination:
    """Returns where a played card goes (S-23)."""
    if use == "fo_hold":
        return "fo"
    if use == "discard":
        return "discard"
    if card.remove_after == "always" or (card.remove_after == "event" and use == "event"):
        return "removed"
    return "home" if "home" in card.kinds else "discard"


def chit_flips(module: Module, card: Card, use: Use, left: float = 1) -> int:
    """Returns how many chits a play flips: one, but none for an event that draws a card (S-33, S-135)."""
    if not module.counts_chits or left < 1:
        return 0
    return 0 if use == "event" and card.draws_card and not module.draws.one_flips_chit else 1


def play(
    module: Module,
    display: Display,
    card: Card,
    use: Use,
    result: Result | None,
    *,
    draw2: bool = False,
    surplus: Collection[Space] = (),
) -> PlayResult:
    """Returns the result of playing a card of the display; a space in `surplus` is not refilled (SR-35)."""
    place = display.find(card.id)
    if place is None:
        raise BadInput("card")
    space = place[0]
    rest, refill = display.without(card.id), None
    if space not in surplus:
        rest, refill = rest.refilled(space, refill_mode(module, result, draw2))
    return PlayResult(rest, destination(card, use), chit_flips(module, card, use), space, refill)


def play_home(module: Module, display: Display, card: Card, use: Use, left: float) -> PlayResult:
    """Returns the result of playing a Home card: it comes back, and no space is refilled (S-88, SR-29)."""
    flips = module.options.home_flips_chit and module.off_display_rules["home"].flips_chit
    return PlayResult(display, destination(card, use), chit_flips(module, card, "other", left) if flips else 0)


def play_fo(module: Module, display: Display, card: Card, use: Use) -> PlayResult:
    """Returns the result of a Future Offensives card, without flip or refill (S-140, SR-45, S-136)."""
    added = chits_added(module, card) if use == "event" else 0
    return PlayResult(display, destination(card, use), 0, chits_added=added)


@operation(
    *("S-11", "S-12", "S-15", "S-23", "S-33", "S-43", "S-46", "S-49", "S-52", "S-56", "S-58", "S-61", "S-71", "S-88"),
    *("S-92", "S-96", "S-102", "S-125", "S-135", "S-136", "S-138", "S-139", "S-140", "S-157", "S-190", "S-204", "SR-6"),
    *("SR-11", "SR-12", "SR-18", "SR-29", "SR-30", "SR-35", "SR-41", "SR-45", "SR-57", "SD-18"),
)
def apply_play(
    game: Game,
    result: Result | None,
    display: DisplayText,
    cards: CardTexts,
    card: str,
    mode: Use,
    u: Count | None = None,
    flags: PlayFlags = PlayFlags(),  # noqa: B008
    *,
    spec: GameSpec,
) -> Answer:
    """Plays a card: the display afterwards, the card's new place, the chits turned, the card that fills its space."""
    module = module_of(spec, game)
    lying, left = display.on(module.layout), chits_left(module, u)
    held = cards_of(module, cards, module.side(flags.side, "flags.side"))
    if lying.find(card) is None:
        buried = card in (slot.card for slot in lying.stock)
        refuse(card_not_on_display=card not in held or buried)
        home = "home" in held[card].kinds
        used = any(other.card == card and other.used for other in flags.home)
        refuse_for(why_not_beside(module, result, flags, "home" if home else "future_offensives", used))
        done = play_home(module, lying, held[card], mode, left) if home else play_fo(module, lying, held[card], mode)
    else:
        if result is None:
            reason = why_not_unrolled(module, lying, held, left, flags.of_round(), card, mode)
        else:
            reason = why_not(Situation(module, result, lying, held, left, flags), card, mode)
        refuse_for(reason)
        done = play(module, lying, held[card], mode, result, draw2=flags.draw2, surplus=flags.surplus)
    in_combat = result is None and done.space is not None and serves_in_combat(module, held[card], mode)
    answer: dict[str, Any] = {
        "display": done.display.to_json(),
        "destination": done.destination,
        "chit_flips": combat_flips(module, held[card], mode == "discard") if in_combat else done.chit_flips,
        "refill": refill_json(done.space, done.refill) if done.space and done.refill else None,
    }
    return {**answer, "chits_added": done.chits_added} if done.chits_added else answer
