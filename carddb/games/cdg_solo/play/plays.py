"""Plays: the cards that a side may play (§5, S-63, S-85), where they go, and what refills their spaces (SD-12)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from pydantic import Field

from carddb.game.game import GameSpec
from carddb.games.cdg_solo.module import ChoiceRow, Game, Module, module_of
from carddb.games.cdg_solo.play.cards import Card, CardTexts, Position, cards_of, chits_left
from carddb.games.cdg_solo.play.combat import Fight, Role, augments, chits_added
from carddb.games.cdg_solo.play.combat import chit_flips as combat_flips
from carddb.games.cdg_solo.play.combat import why_not as why_not_fight
from carddb.games.cdg_solo.play.display import Display, DisplayText, RefillMode, Result, Slot, Space, letters
from carddb.games.cdg_solo.play.rounds import RoundFlags, Start, specials, start
from carddb.play.question import Answer, Count, Many, Part, Words, first_reason, given, operation, refuse, refuse_for


class HomeCard(Part):
    """A Home card beside the display."""

    card: str
    used: bool = False


class ChoiceFlags(Part):
    """The player's statements about a choice; `first_phase` means the first phase of the game (S-111)."""

    conditions_met: Many[str] = ()
    home: Many[HomeCard] = ()
    fo: Many[str] = ()
    c_flipped: bool = False
    first_round: bool = False
    first_phase: bool = True
    order_counts: dict[str, Count] = Field(default_factory=dict)
    c_unplayable: bool = False


@dataclass(frozen=True, kw_only=True)
class Situation(Position):
    """The position of a side that chooses a card after the flips, with the result and the player's statements."""

    result: Result
    flags: ChoiceFlags = field(default_factory=ChoiceFlags)


@dataclass(frozen=True, slots=True)
class Choice:
    """A card that may be played, its space, and the modes of play that are allowed: `any`, `event`, `discard`."""

    space: Space
    card: str
    modes: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        return {"space": self.space, "card": self.card, "modes": list(self.modes)}


@dataclass(frozen=True, slots=True)
class Choices:
    """The cards that may be played, on the display (from A to E) and beside it; `forced` is why only these may be."""

    choices: tuple[Choice, ...]
    forced: str | None = None
    off_display: tuple[str, ...] = ()


def choices(now: Situation) -> Choices:
    """Returns the cards that may be played now. Refuses with `order_count_needed` if an order count is missing."""
    beside = tuple(off_display(now))
    if now.left < 1:
        return Choices((), None, beside)
    forced, reason, mode = forced_plays(now)
    if forced:
        return Choices(_choices(now, dict.fromkeys(forced, (mode,))), reason)
    if due := reserved(now):
        return Choices(_choices(now, dict.fromkeys(due, ("event",))), None, beside)
    return Choices(_choices(now, {card: _modes(granted(now, card)) for card in now.display.ups()}), None, beside)


def forced_plays(now: Situation) -> tuple[list[str], str | None, str]:
    """Returns the cards of which one must be played (none if no play is forced), with reason and mode (S-63, S-85)."""
    if cards := specials(now, now.result):
        return cards, "jolly_roger_special", "any"
    if cards := first_opportunities(now):
        return cards, "first_opportunity", "event"
    return [], None, ""


def _choices(now: Situation, offered: Mapping[str, tuple[str, ...]]) -> tuple[Choice, ...]:
    return tuple(
        Choice(space, slot.card, modes) for space, slot in now.display if (modes := offered.get(slot.card)) and slot.up
    )


def by_result(now: Situation, id_: str) -> set[str]:
    """Returns the modes in which the result's rows of choices allow the face-up card `id_` to be played."""
    lies = {space for space, slot in now.display if slot.card == id_}
    # Rows about other spaces are skipped, because card C needs no order counts of the other cards (S-193).
    return {row.mode for row in rows(now) if lies & set(row.spaces) and id_ in candidates(now, row)}


def granted(now: Situation, id_: str) -> set[str]:
    """Returns the modes in which the face-up card `id_` may be played under the result if no play is forced."""
    card = now.cards[id_]
    if needs_symbol(now, card):
        return set()
    modes = by_result(now, id_)
    if event_fault(now, card):
        modes.discard("event")
    if combat_alone(now.module, card):
        modes.discard("any")
    return modes | ({"discard"} if thrown_away(card, modes) else set())


def thrown_away(card: Card, modes: Collection[str]) -> bool:
    """Returns whether a card may be discarded instead of played: always (S-147), or if `modes` has `any` (S-146)."""
    return "discard_allowed" in card.flags or ("reshuffle_if_oc_or_discard" in card.flags and "any" in modes)


def combat_alone(module: Module, card: Card) -> bool:
    """Returns whether a card has no use outside combat: only an event for combat, and no ops value (S-75)."""
    return without_ops(module, card) and not card.kinds.isdisjoint(module.combat_detail.combat_only_kinds)


def without_ops(module: Module, card: Card) -> bool:
    """Returns whether a card has no ops value, in a game whose cards have ops values (SR-66)."""
    return module.lowest.by == "ops" and card.ops is None


def _modes(modes: Collection[str]) -> tuple[str, ...]:
    """Returns the modes as an answer lists them; `any` stands for all others."""
    return ("any",) if "any" in modes else tuple(mode for mode in ("event", "discard") if mode in modes)


def rows(now: Situation) -> Iterator[ChoiceRow]:
    """Yields the result's rows of choices whose conditions are met."""
    for row in now.module.forms[now.result].choices:
        when = row.when
        if when and when.c_unplayable not in (None, now.flags.c_unplayable):
            continue
        if when and when.no_up and _up_in(now, when.no_up.spaces, when.no_up.kinds):
            continue
        yield row


def _up_in(now: Situation, spaces: Collection[Space], kinds: Collection[str] | None) -> list[str]:
    up = [slot.card for space, slot in now.display if space in spaces and slot.up]
    return [id_ for id_ in up if kinds is None or not now.cards[id_].kinds.isdisjoint(kinds)]


def candidates(now: Situation, row: ChoiceRow) -> list[str]:
    """Returns the face-up cards that a row of choices allows; if several are lowest, the player chooses one (S-40)."""
    fitting = [id_ for id_ in _up_in(now, row.spaces, None) if now.cards[id_].fits(row)]
    return lowest(now, fitting) if row.pick == "lowest" else fitting


def lowest(now: Situation, among: Collection[str]) -> list[str]:
    """Returns the cards with the lowest value (SR-15). Refuses with `order_count_needed` if a count is missing."""
    rule, counts = now.module.lowest, now.flags.order_counts
    ranked = [id_ for id_ in among if rule.kinds is None or not now.cards[id_].kinds.isdisjoint(rule.kinds)]
    if rule.by == "order_count":
        refuse(order_count_needed=len(ranked) > 1 and any(id_ not in counts for id_ in ranked))
        values = {id_: counts.get(id_, 0) for id_ in ranked}
    else:
        values = {id_: value for id_ in ranked if (value := now.cards[id_].ops) is not None}
    least = min(values.values(), default=None)
    return [id_ for id_, value in values.items() if value == least]


def event_fault(now: Situation, card: Card) -> str | None:
    """Returns the reason why a card cannot be played as its event; None if it can (SR-17, S-75, SR-30)."""
    # The kinds of card with an event; empty in games in which every card has one.
    rows_ = now.module.forms["UP"].choices
    kinds = {kind for row in rows_ if row.mode == "event" for kind in row.kinds or ()}
    is_late = not card.in_first_round(now.flags.first_round, now.flags.first_phase)
    return first_reason(
        combat_only=not card.kinds.isdisjoint(now.module.combat_detail.combat_only_kinds),
        no_event=kinds and card.kinds.isdisjoint(kinds),
        conditions_not_met=not card.met(now.flags.conditions_met),
        first_round_event_only="first_round_only" in card.kinds and is_late,
    )


def first_opportunities(now: Situation) -> list[str]:
    """Returns the First-Opportunity cards that may be played; one of them must be played (S-85, SR-27)."""
    spaces, met = letters(now.result), now.flags.conditions_met
    nominated = {slot.card for space, slot in now.display if space in spaces}
    by_value = not now.module.options["first_opportunity_letters_only"]
    return [
        id_
        for id_ in now.cards.up(now.display, lambda card: "first_opportunity" in card.kinds and card.met(met))
        if (by_value and (now.result == "UP" or "any" in granted(now, id_))) or id_ in nominated
    ]


def reserved(now: Situation) -> list[str]:
    """Returns the playable Mandatory cards if any other play would leave too few chits for them (SR-59, SD-26)."""
    if now.module.reserve != "each":
        return []
    due = now.cards.mandatory_up(now.display, now.flags.conditions_met)
    if len(due) <= now.left - 1:
        return []
    return [card for card in due if granted(now, card) and event_fault(now, now.cards[card]) is None]


def needs_symbol(now: Situation, card: Card) -> bool:
    """Returns whether the card is a First Strike card that the result does not let the active side play (S-200)."""
    return "first_strike" in card.kinds and not augments(now.module, now.result)


def off_display(now: Situation) -> Iterator[str]:
    """Yields the Home and Future Offensives cards that may be played under the result (S-90, S-124)."""
    for home in now.flags.home:
        if why_not_beside(now.module, now.result, now.flags, "home", home.used) is None:
            yield home.card
    for card in now.flags.fo:
        if why_not_beside(now.module, now.result, now.flags, "future_offensives") is None:
            yield card


def why_not_beside(
    module: Module, result: Result | None, flags: ChoiceFlags, area: str, used: bool = False
) -> str | None:
    """Returns the reason why a card beside the display may not be played under `result`; None if it may.

    `area` is `home` or `future_offensives`, `result` None without a roll, `used` true for a Home card already played.
    """
    if area not in module.off_display:
        return "card_not_on_display"
    rule = module.off_display_rules[area]
    if result is None and rule.without_roll:
        return None
    if rule.results is not None and result not in rule.results:
        return {"home": "home_needs_c_result"}.get(area, "fo_needs_c_result")
    if rule.replaces_c_flip and flags.c_flipped:
        return "home_after_flip"
    return "home_used" if rule.once_per_phase and used else None


@operation()
def legal_choices(
    game: Game,
    result: Result,
    display: DisplayText,
    cards: CardTexts,
    u: Count | None = None,
    flags: ChoiceFlags = ChoiceFlags(),  # noqa: B008
    side: str | None = None,
    *,
    spec: GameSpec,
) -> Answer:
    """The cards that may be played under a result, with the modes of play; if a play is forced, only those."""
    module = module_of(spec, game)
    now = Situation.asked(module, display, cards, u, module.side(side, "side"), result=result, flags=flags)
    all_choices = choices(now)
    answer: dict[str, Any] = {
        "choices": [choice.to_json() for choice in all_choices.choices],
        "forced": all_choices.forced,
        "off_display": list(all_choices.off_display),
    }
    if all_choices.choices:
        return answer
    if now.left < 1:
        return {**answer, "reason": "no_chits_left", "chit_flips": 0}
    return {**answer, "reason": "no_legal_card", "chit_flips": int(module.options["no_legal_card_flips_chit"])}


Use = Annotated[Literal["event", "ops", "other", "discard", "fo_hold"], Words("uses")]
"""The use for which a card is played; the mode `any` allows every use but `discard`."""

FORCED = {
    "jolly_roger_special": "special_must_be_played",
    "first_opportunity": "first_opportunity_must_be_played",
    "mandatory_last": "mandatory_must_be_played",
    "scoring_last": "mandatory_must_be_played",
    "first_round_event": "roll_barred_forced_play",
}
"""The code that refuses every other play while a play is forced, by the reason for the forced play."""


def why_not(now: Situation, card: str, use: Use) -> str | None:
    """Returns why a card may not be played for `use`, else None. Refuses with `order_count_needed` without a count."""
    if reason := now.why_not_up(card):
        return reason
    details = now.cards[card]
    if use == "discard" and details.bound and not thrown_away(details, by_result(now, card)):
        return "mandatory_no_discard"
    forced, reason, mode = forced_plays(now)
    if reason:
        return None if card in forced and (mode == "any" or use == mode) else FORCED[reason]
    if (due := reserved(now)) and (card not in due or use != "event"):
        return "chit_reserve_for_mandatory"
    return _fault(now, details, use)


def _fault(now: Situation, card: Card, use: Use) -> str | None:
    if use == "discard":
        return None if "discard" in granted(now, card.id) else "discard_kind"
    can_be_held = "future_offensives" in now.module.off_display and "future_offensive_able" in card.kinds
    if use == "fo_hold" and not can_be_held:
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
    """Returns the code that says why the result rolled does not allow this use of the card."""
    if now.result == "UP":
        if as_event and event_fault(now, card) is None:
            return "event_only"
        return (use == "event" and event_fault(now, card)) or "not_lowest"
    if now.result == "C_JR":
        return "no_legal_card" if any(slot.card == card.id for slot in now.display.at("C")) else "not_lowest"
    return "space_not_named"


def why_not_unrolled(now: Position, flags: RoundFlags, card: str, use: Use) -> str | None:
    """Returns the reason why a card of the display may not be played without a roll; None if it may.

    Such plays are forced plays at the beginning of a round, plays to go first, and plays in a combat or a reaction.
    """
    if reason := now.why_not_up(card):
        return reason
    beginning, module = start(now, flags), now.module
    if card in beginning.cards:
        return why_not_forced(beginning, card, use)
    details = now.cards[card]
    if serves_in_combat(module, details, use):
        # The question does not name the side's role, so it is one whose side may play such cards in this game.
        roles: tuple[Role, ...] = ("inactive", "defender", "active", "attacker")
        role = next(role for role in roles if role in module.combat_roles)
        fight = Fight(module, now.display, now.cards, now.left, role=role, met=flags.conditions_met)
        return why_not_fight(fight, details, use == "discard")
    if beginning.step == "forced":
        return why_not_forced(beginning, card, use)
    if "first_round_only" in details.kinds and use == "event":
        return None if details.in_first_round(flags.first_round, flags.first_phase) else "first_round_event_only"
    # A card may be played before the roll to go first (S-177).
    rule = module.goes_first
    fits = rule is not None and details.fits(rule) and flags.side in (None, *rule.sides)
    return None if fits and flags.first_round else "wrong_step"


def serves_in_combat(module: Module, card: Card, use: Use) -> bool:
    """Returns whether a play without a roll counts as a play in a combat or a reaction."""
    if use == "discard":
        return module.combat_detail.discard is not None
    return use == "event" and not card.kinds.isdisjoint(module.combat_kinds)


def why_not_forced(beginning: Start, card: str, use: Use) -> str | None:
    """Returns None for a forced card played as its event, else the code that refuses the play (S-87, S-95, S-99)."""
    is_forced = card in beginning.cards and use == "event"
    return None if is_forced else FORCED.get(beginning.reason or "", "wrong_step")


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
        """Returns the statements that also concern the beginning of the round."""
        shared = self.model_dump(include={"conditions_met", "first_phase", "first_round_card", "side"})
        return RoundFlags(**shared, first_round=self.first_round or "first_round" not in self.model_fields_set)


@dataclass(frozen=True)
class PlayResult:
    """The display after a play, where the card goes, how many chits are flipped, the card that refills the space."""

    display: Display
    destination: Destination
    chit_flips: int
    space: Space | None = None
    refill: Slot | None = None
    chits_added: int = 0


def refill_mode(module: Module, result: Result | None, draw2: bool = False) -> RefillMode:
    """Returns how the space of a played card is refilled; without a roll, as after `AB` (SR-11, SR-12, S-204)."""
    if draw2 and module.draws.two_refill_up:
        return "up"
    if module.layout == "card_in_c":
        return "down"
    if result == "C_JR" and module.options["jr_refill"] == "down":
        return "under"
    how = module.forms[result or "AB"].refill
    return "down" if how == "keep" and result != "UP" and module.options["refill_force_down"] else how


def left_down(module: Module) -> RefillMode:
    """Returns how the rules' "left down" refills a space: unchanged, or face down if the option says so (SR-12)."""
    return "down" if module.options["refill_force_down"] else "keep"


def destination(card: Card, use: Use) -> Destination:
    """Returns where a played card goes: `discard`, `removed`, `home`, or `fo` (Future Offensives) (S-23)."""
    if use == "fo_hold":
        return "fo"
    if use == "discard":
        return "discard"
    if card.remove_after == "always" or (card.remove_after == "event" and use == "event"):
        return "removed"
    return "home" if "home" in card.kinds else "discard"


def chit_flips(module: Module, card: Card, use: Use) -> int:
    """Returns how many chits a play flips: one, but none for an event that draws a card (S-33, S-135)."""
    draws = use == "event" and card.draws_card and not module.draws.one_flips_chit
    return int(module.counts_chits and not draws)


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
    """Returns the effects of playing a card of the display; a space in `surplus` is not refilled (SR-35)."""
    space, _ = given(display.find(card.id), "card")
    rest, refill = display.without(card.id), None
    if space not in surplus:
        rest, refill = rest.refilled(space, refill_mode(module, result, draw2))
    return PlayResult(rest, destination(card, use), chit_flips(module, card, use), space, refill)


def play_fo(module: Module, display: Display, card: Card, use: Use) -> PlayResult:
    """Returns the effects of playing a Future Offensives card, without flip or refill (S-136, S-140, SR-45)."""
    added = chits_added(module, card) if use == "event" else 0
    return PlayResult(display, destination(card, use), 0, chits_added=added)


@operation()
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
    by_id = cards_of(module, cards, module.side(flags.side, "flags.side"))
    if lying.find(card) is None:
        buried = card in (slot.card for slot in lying.stock)
        refuse(card_not_on_display=card not in by_id or buried)
        home = "home" in by_id[card].kinds
        used = any(other.card == card and other.used for other in flags.home)
        refuse_for(why_not_beside(module, result, flags, "home" if home else "future_offensives", used))
        if home:  # it comes back, and no space is refilled (S-88, SR-29)
            flips = module.options["home_flips_chit"] and module.off_display_rules["home"].flips_chit
            chits = chit_flips(module, by_id[card], "other") if flips and left >= 1 else 0
            outcome = PlayResult(lying, destination(by_id[card], mode), chits)
        else:
            outcome = play_fo(module, lying, by_id[card], mode)
    else:
        if result is None:
            reason = why_not_unrolled(Position(module, lying, by_id, left), flags.of_round(), card, mode)
        else:
            reason = why_not(Situation(module, lying, by_id, left, result=result, flags=flags), card, mode)
        refuse_for(reason)
        outcome = play(module, lying, by_id[card], mode, result, draw2=flags.draw2, surplus=flags.surplus)
    in_combat = result is None and outcome.space is not None and serves_in_combat(module, by_id[card], mode)
    answer: dict[str, Any] = {
        "display": outcome.display.to_json(),
        "destination": outcome.destination,
        "chit_flips": combat_flips(module, by_id[card], mode == "discard") if in_combat else outcome.chit_flips,
        "refill": outcome.refill.filling(outcome.space) if outcome.space and outcome.refill else None,
    }
    return {**answer, "chits_added": outcome.chits_added} if outcome.chits_added else answer
