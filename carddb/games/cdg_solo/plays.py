"""A play: the destination of the card, the card that fills its place, the chits it turns over (§5.2 to §5.4)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Literal

from carddb.game import GameSpec
from carddb.games.cdg_solo.cards import Card, CardTexts, cards_of
from carddb.games.cdg_solo.combat import chits_added
from carddb.games.cdg_solo.die import Result
from carddb.games.cdg_solo.display import Display, DisplayText, RefillMode, Slot, Space, refill_json
from carddb.games.cdg_solo.module import Game, Module, module_of
from carddb.games.cdg_solo.refusals import Use
from carddb.games.cdg_solo.rounds import chits_left
from carddb.play.fields import Count, Many
from carddb.play.question import Answer, BadInput, Part, operation, refuse

Destination = Literal["discard", "removed", "home", "fo"]


class PlayFlags(Part):
    """What the player says of a play; `surplus` are the spaces above their target (SR-35)."""

    draw2: bool = False
    surplus: Many[Space] = ()
    side: str | None = None


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
    place = lying.find(card)
    held = cards_of(module, cards, module.side(flags.side, "flags.side"))
    if place is None:
        refuse(card_not_on_display=card not in held)
        beside = held[card]
        buried = card in (slot.card for slot in lying.stock)
        fo = "future_offensives" in module.off_display and not buried
        refuse(card_not_on_display=not fo and "home" not in beside.kinds)
        done = play_fo(module, lying, beside, mode) if fo else play_home(module, lying, beside, mode, left)
    else:
        played = held[card]
        refuse(
            no_chits_left=left < 1,
            card_face_down=not place[1].up,
            mandatory_no_discard=mode == "discard"
            and played.bound
            and "reshuffle_if_oc_or_discard" not in played.flags,
        )
        done = play(module, lying, played, mode, result, draw2=flags.draw2, surplus=flags.surplus)
    answer: dict[str, Any] = {
        "display": done.display.to_json(),
        "destination": done.destination,
        "chit_flips": done.chit_flips,
        "refill": refill_json(done.space, done.refill) if done.space and done.refill else None,
    }
    return {**answer, "chits_added": done.chits_added} if done.chits_added else answer
