"""A play: the destination of the card, the card that fills its place, the chits it turns over (§5.2 to §5.4)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Literal

from carddb.game.game import GameSpec
from carddb.games.cdg_solo.module.module import Game, Module, module_of
from carddb.games.cdg_solo.play.cards import Card, Cards, CardTexts, cards_of
from carddb.games.cdg_solo.play.choices import ChoiceFlags, Situation, why_not_beside
from carddb.games.cdg_solo.play.combat import chit_flips as combat_flips
from carddb.games.cdg_solo.play.combat import chits_added
from carddb.games.cdg_solo.play.die import Result
from carddb.games.cdg_solo.play.display import Display, DisplayText, RefillMode, Slot, Space, refill_json
from carddb.games.cdg_solo.play.refusals import Use, serves_in_combat, why_not, why_not_unrolled
from carddb.games.cdg_solo.play.rounds import RoundFlags, chits_left
from carddb.play.fields import Count, Many
from carddb.play.question import Answer, BadInput, operation, refuse, refuse_for

Destination = Literal["discard", "removed", "home", "fo"]


class PlayFlags(ChoiceFlags):
    """What the player says of a play; `surplus` are the spaces above their target (SR-35).

    `first_round` is not known where it is not said: a play without a roll is then taken for one of the first round.
    """

    draw2: bool = False
    surplus: Many[Space] = ()
    side: str | None = None
    first_round_card: str | None = None

    def of_round(self) -> RoundFlags:
        """The same for the beginning of a round."""
        return RoundFlags(
            conditions_met=self.conditions_met,
            first_round=self.first_round or "first_round" not in self.model_fields_set,
            first_phase=self.first_phase,
            first_round_card=self.first_round_card,
            side=self.side,
        )


@dataclass(frozen=True)
class PlayResult:
    """The display after a play, and the destination of the card."""

    display: Display
    destination: Destination
    chit_flips: int
    space: Space | None = None
    refill: Slot | None = None
    chits_added: int = 0


def refill_mode(module: Module, result: Result | None, draw2: bool = False) -> RefillMode:
    """How the card comes that fills the place after a play; without a roll as after `AB` (SR-11, SR-12, S-204)."""
    if draw2 and module.draws.two_refill_up:
        return "up"
    if module.layout == "card_in_c":
        return "down"
    if result == "C_JR" and module.options.jr_refill == "down":
        return "under"
    how = module.forms[result or "AB"].refill
    return "down" if how == "keep" and result != "UP" and module.options.refill_force_down else how


def left_down(module: Module) -> RefillMode:
    """How a card comes that is left down: as it lies, or turned down by the option (SR-12)."""
    return "down" if module.options.refill_force_down else "keep"


def destination(card: Card, use: Use) -> Destination:
    """Where a played card goes (S-23)."""
    if use == "fo_hold":
        return "fo"
    if use == "discard":
        return "discard"
    if card.remove_after == "always" or (card.remove_after == "event" and use == "event"):
        return "removed"
    return "home" if "home" in card.kinds else "discard"


def chit_flips(module: Module, card: Card, use: Use, left: float = 1) -> int:
    """The chits that a play turns over: one, whatever the use, but for a card that draws one (S-33, S-135)."""
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
    """A card of the display played; a space above its target is not refilled (SR-35)."""
    place = display.find(card.id)
    if place is None:
        raise BadInput("card")
    space = place[0]
    rest, refill = display.without(card.id), None
    if space not in surplus:
        rest, refill = rest.refilled(space, refill_mode(module, result, draw2))
    return PlayResult(rest, destination(card, use), chit_flips(module, card, use), space, refill)


def play_home(module: Module, display: Display, card: Card, use: Use, left: float) -> PlayResult:
    """A Home card played: it comes back, nothing is refilled (S-88, SR-29)."""
    flips = module.options.home_flips_chit and module.off_display_rules["home"].flips_chit
    return PlayResult(display, destination(card, use), chit_flips(module, card, "other", left) if flips else 0)


def play_fo(module: Module, display: Display, card: Card, use: Use) -> PlayResult:
    """A Future Offensives card played from beside the display: no chit, nothing refilled (S-140, SR-45, S-136)."""
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
    """The display after a play, where the card goes, the chits that turn, and the card that fills the place."""
    module = module_of(spec, game)
    lying, left = display.on(module.layout), chits_left(module, u)
    held = cards_of(module, cards, module.side(flags.side, "flags.side"))
    if lying.find(card) is None:
        buried = card in (slot.card for slot in lying.stock)
        refuse(card_not_on_display=card not in held or buried)
        done = _played_beside(module, lying, held[card], mode, result, flags, left)
    else:
        refuse_for(_why_not(module, lying, held, left, flags, card, mode, result))
        done = play(module, lying, held[card], mode, result, draw2=flags.draw2, surplus=flags.surplus)
    in_combat = result is None and done.space is not None and serves_in_combat(module, held[card], mode)
    answer: dict[str, Any] = {
        "display": done.display.to_json(),
        "destination": done.destination,
        "chit_flips": combat_flips(module, held[card], mode == "discard") if in_combat else done.chit_flips,
        "refill": refill_json(done.space, done.refill) if done.space and done.refill else None,
    }
    return {**answer, "chits_added": done.chits_added} if done.chits_added else answer


def _played_beside(
    module: Module, display: Display, card: Card, use: Use, result: Result | None, flags: PlayFlags, left: float
) -> PlayResult:
    """A Home or Future Offensives card played from beside the display. Refuses."""
    home = "home" in card.kinds
    used = any(other.card == card.id and other.used for other in flags.home)
    refuse_for(why_not_beside(module, result, flags, "home" if home else "future_offensives", used))
    return play_home(module, display, card, use, left) if home else play_fo(module, display, card, use)


def _why_not(
    module: Module,
    display: Display,
    cards: Cards,
    left: float,
    flags: PlayFlags,
    card: str,
    use: Use,
    result: Result | None,
) -> str | None:
    """Why a card of the display may not be played, with or without a roll, or None."""
    if result is None:
        return why_not_unrolled(module, display, cards, left, flags.of_round(), card, use)
    return why_not(Situation(module, result, display, cards, left, flags), card, use)
