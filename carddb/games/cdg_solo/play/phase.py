"""The end of a phase, and surplus Mandatory cards (S-72 to S-74, S-112 to S-114, S-168, S-185)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from carddb.game.game import GameSpec
from carddb.games.cdg_solo.module import Game, Module, module_of
from carddb.games.cdg_solo.play.cards import MANDATORY, Card, CardTexts, Kind, Position
from carddb.games.cdg_solo.play.display import LIMIT, Display, DisplayText, Space
from carddb.games.cdg_solo.play.plays import left_down
from carddb.play.question import Answer, Count, Known, Many, Part, first_reason, given, operation, refuse, refuse_for


class PhaseFlags(Part):
    """The player's statements about a phase that ends."""

    conditions_met: Many[str] = ()
    side: str | None = None


def why_not_discard(now: Position, listed: Sequence[str]) -> str | None:
    """Returns the reason why `listed` may not be discarded now; None if they may (S-72, S-84, SR-23, SR-54)."""
    places = [now.display.find(card) for card in listed]
    return first_reason(
        no_chits_in_game=not now.module.counts_chits,
        card_not_on_display=None in places or len(set(listed)) < len(listed),
        discard_limit=len(listed) > now.left,
        discard_face_down=any(place is not None and not place[1].up for place in places),
    ) or first_reason(
        mandatory_no_discard=any(now.cards[card].bound for card in listed),
        discard_kind=not all(discardable(now.module, now.cards[card]) for card in listed),
    )


def discardable(module: Module, card: Card) -> bool:
    """Returns whether a card of this kind may be discarded at the end of a phase in this game."""
    if module.end_discard == "combat_up":
        return not card.kinds.isdisjoint(module.combat_kinds)
    if module.end_discard == "ops_unless_must_play":
        return "ops" in card.kinds or card.ops is not None
    return module.end_discard == "any_up"


def hand_range(module: Module) -> tuple[int, int]:
    """Returns the smallest and the largest hand size of a module."""
    return max(1, module.hand.min or 1), min(module.hand.max or LIMIT, LIMIT)


def discard(module: Module, display: Display, cards: Collection[str], surplus: Collection[Space] = ()) -> Display:
    """Returns the display without `cards`, refilled from A to E except in `surplus` (S-73, S-78, S-81, S-114)."""
    spaces = [place[0] for card in cards if (place := display.find(card)) and place[0] not in surplus]
    for card in cards:
        display = display.without(card)
    for space in sorted(spaces):
        display, _ = display.refilled(space, left_down(module))
    return display


@operation()
def end_phase(
    game: Game,
    display: DisplayText,
    cards: CardTexts,
    discards: Many[str],
    u: Count | None = None,
    capacity: int | None = None,
    side: str | None = None,
    flags: PhaseFlags = PhaseFlags(),  # noqa: B008
    *,
    spec: GameSpec,
) -> Answer:
    """Ends a side's phase: discards the cards, refills their spaces and lays out the chits of the next phase.

    `u` is the number of unflipped chits, the most cards that may be discarded; `capacity` is the next hand size.
    """
    module = module_of(spec, game)
    of = module.side(side, "side") or module.side(flags.side, "flags.side")
    now = Position.asked(module, display, cards, u, of)
    refuse_for(why_not_discard(now, discards))
    sizes = {module.hand.default.get(each) for each in (module.side_ids if of is None else (of,))}
    usual = sizes.pop() if len(sizes) == 1 else None
    hand = given(usual if capacity is None else capacity, "capacity")
    least, most = hand_range(module)
    refuse(hand_size_out_of_range=not least <= hand <= most)
    after = discard(module, now.display, discards)
    unplayed = [card for card in now.cards.mandatory_up(now.display, flags.conditions_met) if card not in discards]
    answer: dict[str, Any] = {
        "display": after.to_json(),
        "discarded": list(discards),
        "chits": {"total": hand, "flipped": 0},
    }
    return {**answer, "warnings": ["mandatory_unplayed"]} if unplayed else answer


class TurnedUp(Part):
    """A card just turned up, its space if the cards are not in letter order, and whether it is Mandatory."""

    card: str
    space: Space | None = None
    mandatory: bool | None = None
    kinds: Many[Known[Kind]] = ()


@operation()
def mandatory_excess(u: Count, up_before: Count, flipped: Many[TurnedUp]) -> Answer:
    """The Mandatory cards just turned up that go back into the pile because they outnumber the unflipped chits."""
    mandatory = [
        turned.card
        for turned in sorted(flipped, key=lambda turned: turned.space or "")
        if (not MANDATORY.isdisjoint(turned.kinds) if turned.mandatory is None else turned.mandatory)
    ]
    return {"back": excess(u, up_before, mandatory)}


def excess(left: float, up_before: int, turned: Sequence[str]) -> list[str]:
    """Returns the Mandatory cards of `turned`, in letter order, for which no unflipped chits are left (SR-60).

    `left` is the number of unflipped chits, `up_before` the number of Mandatory cards that were face up before.
    """
    return [card for number, card in enumerate(turned, up_before + 1) if number > left]
