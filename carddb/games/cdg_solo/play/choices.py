"""The choices under a result: its rows, and the forced plays (§5, S-63, S-85)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from math import inf
from typing import Any

from pydantic import Field

from carddb.game.game import GameSpec
from carddb.games.cdg_solo.module import ChoiceRow, Game, Module, module_of
from carddb.games.cdg_solo.play.cards import Card, Cards, CardTexts, cards_of
from carddb.games.cdg_solo.play.combat import augments
from carddb.games.cdg_solo.play.die import Result, letters
from carddb.games.cdg_solo.play.display import Display, DisplayText, Space
from carddb.games.cdg_solo.play.rounds import chits_left, specials
from carddb.play.question import Answer, Count, Many, Part, operation, refuse


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


@dataclass(frozen=True)
class Situation:
    """A side before its choice: the display after the flips, the result, chits left, the player's statements."""

    module: Module
    result: Result
    display: Display
    cards: Cards
    left: float = inf
    flags: ChoiceFlags = field(default_factory=ChoiceFlags)

    def met(self, card: Card) -> bool:
        return card.met(self.flags.conditions_met)


@dataclass(frozen=True, slots=True)
class Choice:
    """A card that may be played, and its modes."""

    space: Space
    card: str
    modes: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        return {"space": self.space, "card": self.card, "modes": list(self.modes)}


@dataclass(frozen=True, slots=True)
class Choices:
    """All cards that may be played, from A to E; if a play is forced, only the forced cards."""

    choices: tuple[Choice, ...]
    forced: str | None = None
    off_display: tuple[str, ...] = ()


def choices(now: Situation) -> Choices:
    """Returns the cards that may be played now. Refuses `order_count_needed` if order counts are missing."""
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
    """Returns the cards of which one must be played, reason and mode; Jolly Roger first (S-63, S-85)."""
    if cards := specials(now.module, now.result, now.display, now.cards):
        return cards, "jolly_roger_special", "any"
    if cards := first_opportunities(now):
        return cards, "first_opportunity", "event"
    return [], None, ""


def _choices(now: Situation, offered: Mapping[str, tuple[str, ...]]) -> tuple[Choice, ...]:
    return tuple(
        Choice(space, slot.card, modes) for space, slot in now.display if (modes := offered.get(slot.card)) and slot.up
    )


def by_result(now: Situation, id_: str) -> set[str]:
    """Returns the modes that the rows of the result give to the face-up card `id_`."""
    lies = {space for space, slot in now.display if slot.card == id_}
    # Rows about other spaces are skipped, because card C needs no order counts of the other cards (S-193).
    return {row.mode for row in rows(now) if lies & set(row.spaces) and id_ in candidates(now, row)}


def granted(now: Situation, id_: str) -> set[str]:
    """Returns the modes in which the result lets the face-up card `id_` be played if no play is forced."""
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
    """Returns whether a card may be discarded instead of played, at any time (S-147) or as its play (S-146)."""
    return "discard_allowed" in card.flags or ("reshuffle_if_oc_or_discard" in card.flags and "any" in modes)


def combat_alone(module: Module, card: Card) -> bool:
    """Returns whether a card is useless outside combat, as a combat-only event without an ops value (S-75)."""
    return without_ops(module, card) and not card.kinds.isdisjoint(module.combat_detail.combat_only_kinds)


def without_ops(module: Module, card: Card) -> bool:
    """Returns whether a card has no ops value, in a game whose cards have ops values (SR-66)."""
    return module.lowest.by == "ops" and card.ops is None


def _modes(modes: Collection[str]) -> tuple[str, ...]:
    """Returns the modes for an answer; `any` includes all others."""
    return ("any",) if "any" in modes else tuple(mode for mode in ("event", "discard") if mode in modes)


def rows(now: Situation) -> Iterator[ChoiceRow]:
    """Yields the rows of the result whose conditions are met."""
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
    """Returns the face-up cards that a row lets be played; if several are lowest, the player chooses one (S-40)."""
    fitting = [id_ for id_ in _up_in(now, row.spaces, None) if now.cards[id_].fits(row)]
    return lowest(now, fitting) if row.pick == "lowest" else fitting


def lowest(now: Situation, among: Collection[str]) -> list[str]:
    """Returns the cards with the lowest value (SR-15). Refuses `order_count_needed` if such a count is missing."""
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
    """Returns why a card cannot be played as its event in a round, or None (SR-17, S-75, SR-30)."""
    # Empty if the game does not distinguish event cards from others.
    rows_ = now.module.forms["UP"].choices
    kinds = {kind for row in rows_ if row.mode == "event" for kind in row.kinds or ()}
    if not card.kinds.isdisjoint(now.module.combat_detail.combat_only_kinds):
        return "combat_only"
    if kinds and card.kinds.isdisjoint(kinds):
        return "no_event"
    if not now.met(card):
        return "conditions_not_met"
    if "first_round_only" in card.kinds and not card.in_first_round(now.flags.first_round, now.flags.first_phase):
        return "first_round_event_only"
    return None


def first_opportunities(now: Situation) -> list[str]:
    """Returns the First-Opportunity cards that may be played; one of them must be played (S-85, SR-27)."""
    spaces = letters(now.result)
    letters_only = now.module.options.first_opportunity_letters_only
    cards = []
    for space, slot in now.display:
        if slot.up and "first_opportunity" in now.cards[slot.card].kinds and now.met(now.cards[slot.card]):
            by_value = not letters_only and (now.result == "UP" or "any" in granted(now, slot.card))
            if space in spaces or by_value:
                cards.append(slot.card)
    return cards


def reserved(now: Situation) -> list[str]:
    """Returns the face-up Mandatory cards if another play leaves too few chits for them (SR-59, SD-26)."""
    if now.module.reserve != "each":
        return []
    due = now.cards.mandatory_up(now.display, now.flags.conditions_met)
    if len(due) <= now.left - 1:
        return []
    return [card for card in due if granted(now, card) and event_fault(now, now.cards[card]) is None]


def needs_symbol(now: Situation, card: Card) -> bool:
    """Returns whether a First Strike card lacks the die result that the active side needs for it (S-200)."""
    return "first_strike" in card.kinds and not augments(now.module, now.result)


def off_display(now: Situation) -> Iterator[str]:
    """Yields the Home and Future Offensives cards that the result lets be played (S-90, S-124)."""
    for home in now.flags.home:
        if why_not_beside(now.module, now.result, now.flags, "home", home.used) is None:
            yield home.card
    for card in now.flags.fo:
        if why_not_beside(now.module, now.result, now.flags, "future_offensives") is None:
            yield card


def why_not_beside(
    module: Module, result: Result | None, flags: ChoiceFlags, area: str, used: bool = False
) -> str | None:
    """Returns why a card beside the display may not be played after the roll (None: without one), or None."""
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


NO_FLAGS = ChoiceFlags()


@operation(
    *("S-9", "S-39", "S-40", "S-42", "S-45", "S-48", "S-51", "S-54", "S-55", "S-63", "S-64", "S-85", "S-86", "S-89"),
    *("S-90", "S-91", "S-93", "S-97", "S-98", "S-101", "S-118", "S-119", "S-124", "S-142", "S-175", "S-176", "S-183"),
    *("S-193", "S-194", "S-195", "S-198", "SR-1", "SR-10", "SR-14", "SR-15", "SR-16", "SR-17", "SR-19", "SR-27"),
    *("SR-28", "SR-29", "SR-31", "SR-57", "SR-58", "SR-66", "SR-67", "SD-21", "SD-22"),
)
def legal_choices(
    game: Game,
    result: Result,
    display: DisplayText,
    cards: CardTexts,
    u: Count | None = None,
    flags: ChoiceFlags = NO_FLAGS,
    side: str | None = None,
    *,
    spec: GameSpec,
) -> Answer:
    """The cards that may be played under a result, with the modes of play; if a play is forced, only those."""
    module = module_of(spec, game)
    held = cards_of(module, cards, module.side(side, "side"))
    now = Situation(module, result, display.on(module.layout), held, chits_left(module, u), flags)
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
    return {**answer, "reason": "no_legal_card", "chit_flips": int(module.options.no_legal_card_flips_chit)}
