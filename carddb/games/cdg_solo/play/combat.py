"""Cards played in combat and in reaction, by either side (mechanics #3 and #3a, S-132 to S-136, S-180 to S-182)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

from carddb.core.groups import grouped
from carddb.game.game import GameSpec
from carddb.games.cdg_solo.module import Game, Module, module_of
from carddb.games.cdg_solo.play.cards import Card, CardTexts, Position, cards_of
from carddb.games.cdg_solo.play.display import SPACES, DisplayText, Result, Space, letters
from carddb.play.question import Answer, Count, Many, Part, Words, first_reason, operation

Role = Annotated[Literal["attacker", "defender", "active", "inactive"], Words("roles")]
Variant = Literal[0, 1, 2]

BATTLE_ROLES = ("attacker", "defender")
SIDE_OF = {"attacker": "active", "defender": "inactive"}


class CombatFlags(Part):
    """The player's statements about a combat."""

    result: Result | None = None
    already_played: bool | Count | Many[str] = 0
    variant: Variant | None = None
    off_display: bool | Many[str] = False
    conditions_met: Many[str] = ()
    side: str | None = None


@dataclass(frozen=True, kw_only=True)
class Fight(Position):
    """A side that may play a card in a combat or a reaction; `played` is how many cards it has played there so far."""

    role: Role
    met: Collection[str] = ()
    played: int = 0
    result: Result | None = None
    variant: Variant | None = None


def augments(module: Module, result: Result | None, variant: Variant | None = None) -> bool:
    """Returns whether `result` lets the active side play Tactician, Combat and First Strike cards (S-200 to S-203)."""
    allowed = module.combat_detail.active_results
    chosen = module.options["augment_variant"] if variant is None else variant
    results = None if allowed is None else allowed[str(chosen)]
    return results is None or result in results


def why_not(fight: Fight, card: Card, discard: bool = False, beside: bool = False) -> str | None:
    """Returns why a card on or `beside` a display may not be played, or with `discard` discarded; None if it may."""
    if not beside:
        if reason := fight.why_not_up(card.id, fight.module.combat_detail.min_chits):
            return reason
        if short_of_chits(fight, card, discard):
            return "chit_reserve_for_mandatory"
    return _wrong_card(fight, card, discard, beside) or _wrong_time(fight, card, discard)


def _wrong_card(fight: Fight, card: Card, discard: bool, beside: bool) -> str | None:
    module = fight.module
    if discard:
        rule = module.combat_detail.discard
        if rule is None:
            return "not_combat_card"
        if card.bound:
            return "mandatory_no_discard"
        return None if card.fits(rule) else "not_combat_card"
    if beside and "future_offensives" in module.off_display:
        return None
    return "not_combat_card" if card.kinds.isdisjoint(module.combat_kinds) else None


def _wrong_time(fight: Fight, card: Card, discard: bool) -> str | None:
    module, limit = fight.module, fight.module.combat.limit_per_side
    is_active = SIDE_OF.get(fight.role, fight.role) == "active"
    return first_reason(
        not_in_combat=not has_role(module, fight.role),
        battle_limit_one=limit is not None and fight.played >= limit,
        jolly_roger_needed=is_active and not augments(module, fight.result, fight.variant),
        conditions_not_met=not discard and not card.met(fight.met),
    )


def has_role(module: Module, role: Role) -> bool:
    """Returns whether a side in `role` may play cards in combat or reaction.

    If the module names other roles too, attacker and defender count as the active and the inactive side.
    """
    roles = module.combat_roles
    return role in roles if set(roles) <= set(BATTLE_ROLES) else SIDE_OF.get(role, role) in roles


def short_of_chits(fight: Fight, card: Card, discard: bool) -> bool:
    """Returns whether the play would leave too few chits for the face-up Mandatory cards (S-133, S-145, SR-59)."""
    others = [id_ for id_ in fight.cards.mandatory_up(fight.display, fight.met) if id_ != card.id]
    if not others or fight.module.reserve == "none":
        return False
    if fight.module.reserve == "one":
        return fight.left < fight.module.combat_detail.min_chits + 1
    flips_ = chit_flips(fight.module, card, discard)
    return flips_ > 0 and fight.left - flips_ < len(others)


def chit_flips(module: Module, card: Card, discard: bool = False, beside: bool = False) -> int:
    """Returns how many chits a play in combat or reaction flips; none for a card `beside` (S-134, S-182, SR-24)."""
    if not module.counts_chits or beside:
        return 0
    if discard:
        rule = module.combat_detail.discard
        return int(rule is not None and rule.flips_chit)
    return int(module.combat.flips_chit and (module.draws.one_flips_chit or not card.draws_card))


def chits_added(module: Module, card: Card) -> int:
    """Returns the number of chits that a card-drawing card played from beside the display adds to its side (S-136)."""
    return module.draws.one_off_display_adds_chits if card.draws_card else 0


@operation()
def combat_play(
    game: Game,
    role: Role,
    display: DisplayText,
    cards: CardTexts,
    card: str,
    u: Count | None = None,
    mode: Literal["play", "discard"] = "play",
    flags: CombatFlags = CombatFlags(),  # noqa: B008
    *,
    spec: GameSpec,
) -> Answer:
    """Checks whether a side may play or discard a card in a combat or a reaction, and how many chits that turns."""
    module = module_of(spec, game)
    before, off = flags.already_played, flags.off_display
    count = len(before) if isinstance(before, tuple) else int(before)
    own = {"met": flags.conditions_met, "result": flags.result, "variant": flags.variant}
    side = module.side(flags.side, "flags.side")
    fight = Fight.asked(module, display, cards, u, side, role=role, played=count, **own)
    on_display = fight.display.find(card) is not None
    if card not in fight.cards and not on_display:
        return {"allowed": False, "reason": "card_not_on_display", "chit_flips": 0}
    played, discard = fight.cards[card], mode == "discard"
    is_off = card in off if isinstance(off, tuple) else off
    beside = not on_display and (is_off or "tactician" in played.kinds)
    reason = why_not(fight, played, discard, beside)
    if reason:
        return {"allowed": False, "reason": reason, "chit_flips": 0}
    answer = {"allowed": True, "chit_flips": chit_flips(module, played, discard, beside)}
    added = chits_added(module, played) if beside else 0
    return {**answer, "chits_added": added} if added else answer


@operation()
def nominate(
    result: Result,
    nominated: Many[Space],
    game: Game | None = None,
    display: DisplayText | None = None,
    cards: CardTexts | None = None,
    *,
    spec: GameSpec,
) -> Answer:
    """The spaces whose nominated cards are played, that is, those that the result names (#3a).

    If the option `m3a_lowest` of the game is set, `UP` hits all nominated cards, and `C_JR` also the lowest of them.
    """
    module = None if game is None else module_of(spec, game)
    if module is None or not module.options["m3a_lowest"]:
        return {"played": hit(result, nominated)}
    by_id = cards_of(module, cards or {}, None)
    lying = () if display is None else display.on(module.layout)
    values = lowest_values((space, by_id[slot.card]) for space, slot in lying if slot.up and space in nominated)
    return {"played": hit(result, nominated, values)}


def lowest_values(cards: Iterable[tuple[Space, Card]]) -> dict[Space, int]:
    """Returns the lowest ops value in each space; cards without a value are ignored."""
    by_space = grouped((space, card.ops) for space, card in cards if card.ops is not None)
    return {space: min(values) for space, values in by_space.items()}


def hit(result: Result, nominated: Collection[Space], values: Mapping[Space, int] | None = None) -> list[Space]:
    """Returns the nominated spaces that a result hits, in the order of `nominated`.

    `values` are the lowest ops values by space, given only if the option `m3a_lowest` is set: `UP` then hits all
    spaces, and `C_JR` also those with the lowest value.
    """
    spaces: Collection[Space] = letters(result)
    if values is not None and result == "UP":
        spaces = SPACES
    elif values and result == "C_JR":
        least = min(values.values())
        spaces = {*spaces, *(space for space, value in values.items() if value == least)}
    return [space for space in nominated if space in spaces]
