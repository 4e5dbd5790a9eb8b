"""The beginning of a round: whether a side rolls, and the cards that the roll turns up (S-35, §5.2 to §5.4)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Literal

from carddb.game.game import GameSpec
from carddb.games.cdg_solo.module import Game, Module, module_of
from carddb.games.cdg_solo.play.cards import CardTexts, Position, cards_of
from carddb.games.cdg_solo.play.display import SPACES, Display, DisplayText, Layout, Result, letters
from carddb.play.question import Answer, Count, Many, Part, operation, refuse


class RoundFlags(Part):
    """The player's statements about a round that begins."""

    conditions_met: Many[str] = ()
    first_round: bool = False
    first_phase: bool = True
    first_round_card: str | None = None
    pass_available: bool | None = None
    pass_barred: bool = False
    side: str | None = None


@dataclass(frozen=True, slots=True)
class Start:
    """The beginning of a round: a roll, a forced play, or nothing because the side is out of cards.

    A forced play has a reason and the `cards` of which one must be played. A roll has the reason
    `first_round_event_only` if it is too late for the event of the card chosen for the first round (S-111).
    """

    step: Literal["roll", "forced", "out_of_cards"]
    reason: str | None = None
    cards: tuple[str, ...] = ()
    alternatives: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        answer: dict[str, Any] = {"step": self.step, "alternatives": list(self.alternatives)}
        return answer if self.reason is None else {**answer, "reason": self.reason, "cards": list(self.cards)}


def start(now: Position, flags: RoundFlags) -> Start:
    """Returns how a side's round begins: with a roll, with a forced play, or not at all (S-35, S-87, S-95, S-99)."""
    module, left = now.module, now.left
    if left < 1:
        return Start("out_of_cards")
    first = flags.first_round_card if flags.first_round else None
    late = None
    if first is not None and first in now.display.ups():
        if now.cards[first].in_first_round(flags.first_round, flags.first_phase):
            return Start("forced", "first_round_event", (first,))
        late = "first_round_event_only"
    reason, forced = last_chance(now, flags.conditions_met)
    if forced:
        return Start("forced", reason, forced)
    # The alternatives that the side may choose instead of rolling (S-110, S-122, S-151, S-153, S-165).
    others = tuple(code for code in module.alternatives if why_not_alternative(module, code, left, flags) is None)
    return Start("roll", late, alternatives=others)


def last_chance(now: Position, met: Collection[str]) -> tuple[str, tuple[str, ...]]:
    """Returns reason and cards of a play forced by the few chits left; no cards if no play is forced (SR-26, SR-59)."""
    is_last = now.left == 1
    mandatory = now.cards.mandatory_up(now.display, met)
    scoring = now.cards.up(now.display, lambda card: is_last and "scoring" in card.kinds and card.met(met))
    by_count = now.module.mandatory.forced_when == "chits_equal_mandatory"
    due = mandatory if is_last or (by_count and len(mandatory) >= now.left) else []
    reason = "mandatory_last" if due else "scoring_last"
    return reason, tuple(card for card in now.display.ups() if card in due or card in scoring)


def why_not_alternative(module: Module, code: str, left: float, flags: RoundFlags) -> str | None:
    """Returns the reason why a side may not choose the alternative `code` instead of a roll; None if it may."""
    if code not in module.alternatives:
        return "pass_not_available"
    rule = module.alternative_rules[code]
    unavailable = flags.pass_available is False or (rule.available == "player" and not flags.pass_available)
    if unavailable or rule.chits_left not in (None, left):
        return "pass_not_available"
    return "pass_barred" if rule.bars_next_phase and flags.pass_barred else None


@operation()
def round_start(
    game: Game,
    display: DisplayText,
    cards: CardTexts,
    u: Count | None = None,
    flags: RoundFlags = RoundFlags(),  # noqa: B008
    *,
    spec: GameSpec,
) -> Answer:
    """The beginning of a side's round: a roll or an alternative, a forced play, or nothing if no cards are left."""
    module = module_of(spec, game)
    return start(Position.asked(module, display, cards, u, module.side(flags.side, "flags.side")), flags).to_json()


@dataclass(frozen=True)
class Flips:
    """The cards that a roll turns up (none as long as the player has to choose one), and the display afterwards."""

    flipped: tuple[str, ...]
    needs_choice: bool
    display: Display


def flip(display: Display, result: Result, choice: str | None = None, spare_c: bool = False) -> Flips:
    """Returns the cards that a result turns up. With `spare_c`, card C is not turned, because of a Home card (S-90).

    Under `UP` with at most one card face up, the player chooses a face-down card. `choice` is its id or its space; if a
    virtual C is empty, the space C means the top of the pile. Refuses with `flip_not_down` if it is not face down.
    """
    down, downs = display.down(), display.downs()
    if result == "UP":
        if len(display.ups()) > 1 or not downs:
            return Flips((), False, display)
        if choice is None:
            return Flips((), True, display)
        if choice in SPACES and not display.find(choice):
            choice = next(iter(down[choice]), choice)
        refuse(flip_not_down=choice not in downs)
        return Flips((choice,), False, display.turned_up((choice,)))
    spaces = [space for space in letters(result) if not (spare_c and space == "C")]
    flipped = tuple(card for space in spaces for card in down[space])
    return Flips(flipped, False, display.turned_up(flipped))


def specials(now: Position, result: Result) -> list[str]:
    """Returns the face-up Special cards of which the Jolly Roger forces one to be played; else none (S-63, SR-19)."""
    if result != "C_JR" or now.module.jolly_roger != "play_special":
        return []
    return now.cards.up(now.display, lambda card: not card.kinds.isdisjoint(now.module.special_kinds))


@operation()
def flips(
    layout: Layout,
    result: Result,
    display: DisplayText,
    choice: str | None = None,
    home: bool = False,
    game: Game | None = None,
    cards: CardTexts | None = None,
    *,
    spec: GameSpec,
) -> Answer:
    """The cards that a result turns up before a card is chosen for play, and the display afterwards.

    `home` means that a Home card is played. Options count only if `game` is given, Special cards only with `cards`.
    """
    lying, is_kept_down = display.on(layout), False
    if game is not None:
        # An option may prevent the flips, because of a Home card or a face-up Special card (SR-19, SR-29).
        module = module_of(spec, game)
        special = specials(Position(module, lying, cards_of(module, cards or {}, None)), result)
        is_kept_down = home and not module.options["home_other_flips"]
        is_kept_down = is_kept_down or (module.options["jr_before_flip"] and bool(special))
    turned = Flips((), False, lying) if is_kept_down else flip(lying, result, choice, home)
    return {
        "flipped": list(turned.flipped),
        "needs_choice": turned.needs_choice,
        "display": turned.display.to_json(),
    }
