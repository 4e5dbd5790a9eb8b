"""The effects that events have on displays and chits beyond an ordinary play: one function for each hook (§7.8)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, get_args

from pydantic import Field

from carddb.game.game import GameSpec
from carddb.games.cdg_solo.module import Game, Module, module_of
from carddb.games.cdg_solo.play.cards import CardTexts, cards_of
from carddb.games.cdg_solo.play.deal import pick
from carddb.games.cdg_solo.play.display import Chits, Display, DisplayText, RefillMode, Slot, SlotText, Space, slots
from carddb.play.question import (
    Answer,
    Count,
    Die,
    Many,
    Object,
    Part,
    Positive,
    Record,
    form_of,
    given,
    operation,
    read,
    refuse,
)


class ChitChanges(Record):
    """The numbers of chits that a hook flips, adds or removes."""

    flip: Count
    add: Count = 0
    remove: Count = 0


class Failure(Record):
    """The number of chits that the active side flips if a hook has no effect."""

    active_flip: Count = 1


class HookRule(Record):
    """The parameters that a card's exception sets for its hook."""

    count: Count = 1
    success: Many[Die] | None = Field(default=None, min_length=2, max_length=2)
    failed: Failure = Failure()
    active_chits: ChitChanges = ChitChanges(flip=1)
    opponent_chits: ChitChanges = ChitChanges(flip=0)
    opponent_chit_flips: Count = 1


Who = Literal["active", "opponent"]


def space_of(display: Display, card: str, *, up: bool = True) -> Space:
    """Returns the space of a card. Refuses with `card_not_on_display`, and `card_face_down` if `up` is required."""
    place = display.find(card)
    refuse(card_not_on_display=place is None)
    assert place is not None
    refuse(card_face_down=up and not place[1].up)
    return place[0]


def remove(
    display: Display, card: str, who: Who = "active", entry: RefillMode = "keep"
) -> tuple[Display, list[dict[str, Any]]]:
    """Returns the display of `who` without `card`, and a list of the refilled space, empty if no card could fill it."""
    space = space_of(display, card, up=False)
    rest, refill = display.without(card).refilled(space, entry)
    return rest, [] if refill is None else [{"side": who, **refill.filling(space)}]


def replace_card(display: Display, old: str, new: str) -> tuple[Space, Display]:
    """Returns the space of the card `old`, and the display with the card `new` there instead, face up."""
    space = space_of(display, old, up=False)
    return space, display.without(old).with_card(space, Slot(new, True))


def chit_flips(active: int = 0, opponent: int = 0) -> dict[str, int]:
    """Returns the numbers of chits flipped by the active side and by its opponent, as an answer lists them."""
    return {"active": active, "opponent": opponent}


def flip(row: Chits, count: int = 1) -> tuple[Chits, int]:
    """Returns the row after flipping chits, and the number of chits really flipped."""
    after = row.flip(count)
    return after, after.flipped - row.flipped


Pile = Many[SlotText] | None
NO_CARDS: CardTexts = {}


@dataclass(frozen=True)
class HookContext:
    """The module, and the parameters that its exception for the card sets for the hook."""

    module: Module
    rule: HookRule

    def display(self, text: DisplayText, pile: Pile = None) -> Display:
        """Returns a display of the question, with the common pile if that is given separately."""
        display = text.on(self.module.layout)
        return display if pile is None else Display(display.layout, display.spaces, slots(pile))


def reveal_opponent(context: HookContext, *, opponent_display: DisplayText) -> Answer:
    """Turns up every face-down card of the opponent's display, including the top of its pile (S-116)."""
    display = context.display(opponent_display)
    down = [slot.card for _, slot in display if not slot.up]
    return {"flipped": down, "chit_flips": chit_flips(), "display": display.turned_up(down).to_json()}


def add_chit(context: HookContext, *, side: str | None = None, chits: Chits) -> Answer:
    """Adds unflipped chits to a side's row (S-136, S-171). Refuses with `chit_over_limit` if it gets too long."""
    context.module.side(side, "params.side")
    row = chits.checked("params.chits").add(context.rule.count)
    return {"chit_flips": chit_flips(), "chits": row.model_dump()}


def flip_opponent_chit(context: HookContext, *, opponent_chits: Chits) -> Answer:
    """Flips chits of the opponent; there is no effect if none is left (S-149)."""
    row, count = flip(opponent_chits.checked("params.opponent_chits"), context.rule.count)
    return {"chit_flips": chit_flips(opponent=count), "chits": row.model_dump()}


def take_card(
    context: HookContext,
    *,
    taker_display: DisplayText,
    event_card: str,
    victim_display: DisplayText,
    victim_chits: Chits,
    taker_chits: Chits,
    chart_roll: Positive | None = None,
    success_roll: Die | None = None,
    pile: Pile = None,
) -> Answer:
    """Moves a face-up card of the opponent, picked by the chart, to the event's space (S-163, S-164, S-172).

    If the roll fails, or the opponent has no face-up card or unflipped chit, it is an ordinary play (SR-50, SR-56).
    """
    rule = context.rule
    taker, victim = context.display(taker_display, pile), context.display(victim_display, pile)
    own_row, victim_row = taker_chits.checked("params.taker_chits"), victim_chits.checked("params.victim_chits")
    event = space_of(taker, event_card)
    failed = rule.success and not rule.success[0] <= given(success_roll, "params.success_roll") <= rule.success[1]
    if failed or not victim.ups() or not victim_row.unflipped:
        after, count = flip(own_row, rule.failed.active_flip)
        return {
            "taken": None,
            "refills": remove(taker, event_card)[1],
            "chit_flips": chit_flips(count),
            "chits": {"active": after.model_dump(), "opponent": victim_row.model_dump()},
        }
    card = pick(victim.ups(), chart_roll, "params.chart_roll")
    if card is None:
        return {"reroll": True}
    own, other = rule.active_chits, rule.opponent_chits
    own_row, own_flips = flip(own_row.add(own.add), own.flip)
    victim_row, victim_flips = flip(victim_row.remove(other.remove), other.flip)
    return {
        "taken": card,
        "taken_up": True,
        "taker_space": event,
        "refills": remove(victim, card, "opponent")[1],
        "chit_flips": chit_flips(own_flips, victim_flips),
        "chits": {"active": own_row.model_dump(), "opponent": victim_row.model_dump()},
    }


def opponent_discard(
    context: HookContext,
    *,
    random: bool = True,
    victim_display: DisplayText,
    pile: Pile = None,
    victim_chits: Chits,
    chart_roll: Positive | None = None,
    candidates: Many[str] | None = None,
) -> Answer:
    """Discards a face-up card of the opponent and flips one of its chits (S-161, S-162, SR-51).

    The chart picks among several cards. `candidates` are the cards of the kind that the event names; a single candidate
    may be face down, unless the discard is `random`.
    """
    victim = context.display(victim_display, pile)
    row = victim_chits.checked("params.victim_chits")
    ups = [card for card in victim.ups() if candidates is None or card in candidates]
    among = candidates if not random and candidates and len(candidates) == 1 else ups
    if not among or not row.unflipped:
        return {"discarded": None, "refills": [], "chit_flips": chit_flips(), "chits": row.model_dump()}
    card = pick(among, chart_roll, "params.chart_roll")
    return {"reroll": True} if card is None else {"discarded": card, **_loss(context, victim, card, row)}


def opponent_random_discard(
    context: HookContext,
    *,
    victim_display: DisplayText,
    pile: Pile = None,
    victim_chits: Chits,
    cards: CardTexts = NO_CARDS,
    chart_roll: Positive | None = None,
) -> Answer:
    """Discards a random face-up card of the opponent; a Mandatory card is played instead (S-187, S-189, SR-61)."""
    victim = context.display(victim_display, pile)
    row = victim_chits.checked("params.victim_chits")
    nothing: dict[str, Any] = {"discarded": None, "played": None, "refills": []}
    if not victim.ups() or not row.unflipped:
        after, count = flip(row)
        return {**nothing, "chit_flips": chit_flips(opponent=count), "chits": after.model_dump()}
    card = pick(victim.ups(), chart_roll, "params.chart_roll")
    if card is None:
        return {"reroll": True}
    by_id = cards_of(context.module, cards, None)
    mandatory = card in by_id and by_id[card].mandatory
    return {**nothing, ("played" if mandatory else "discarded"): card, **_loss(context, victim, card, row)}


def _loss(context: HookContext, victim: Display, card: str, row: Chits) -> Answer:
    """Returns, for an answer, what the opponent loses with `card`: the refilled space, the flips, its chits."""
    after, count = flip(row, context.rule.opponent_chit_flips)
    return {
        "refills": remove(victim, card, "opponent")[1],
        "chit_flips": chit_flips(opponent=count),
        "chits": after.model_dump(),
    }


def exchange_632(
    context: HookContext, *, display: DisplayText, card: str, opponent_last_discard: str, chits: Chits
) -> Answer:
    """Discards an Ops card, and puts the opponent's last discard face up in its place (S-178, SR-62)."""
    before = context.display(display)
    space_of(before, card)
    return _swap(before, card, opponent_last_discard, chits)


def swap_bonus(
    context: HookContext,
    *,
    display: DisplayText,
    card: str | None = None,
    flip_card: str | None = None,
    from_discard: str,
) -> Answer:
    """Replaces a face-up card by a discarded one; if no card is face up, one is turned up first (S-148, SR-47)."""
    before = context.display(display)
    if card is not None:
        space_of(before, card)
        return {"flipped": [], **_swap(before, card, from_discard, None)}
    flip_card = given(flip_card, "params.card")
    refuse(
        card_face_down=bool(before.ups()) and flip_card in before.downs(),
        flip_not_down=flip_card not in before.downs(),
    )
    return {"flipped": [flip_card], **_swap(before.turned_up((flip_card,)), flip_card, from_discard, None)}


def draw_from_discard(
    context: HookContext, *, display: DisplayText, event_card: str, from_discard: str, chits: Chits
) -> Answer:
    """Puts a card from the discards face up in the event's space; the event flips no chit (S-160)."""
    answer = _swap(context.display(display), event_card, from_discard, chits)
    return {key: value for key, value in answer.items() if key != "discarded"}


def _swap(display: Display, old: str, new: str, row: Chits | None) -> Answer:
    space, after = replace_card(display, old, new)
    answer: dict[str, Any] = {
        "taken": new,
        "taken_up": True,
        "taker_space": space,
        "discarded": old,
        "refills": [],
        "chit_flips": chit_flips(),
        "display": after.to_json(),
    }
    return answer if row is None else {**answer, "chits": row.checked("params.chits").model_dump()}


def tournament_redraw(context: HookContext, *, display: DisplayText, event_card: str, pile: Pile = None) -> Answer:
    """Refills the event's space with a new face-up card; only the play after it flips a chit (S-179)."""
    before = context.display(display, pile)
    space_of(before, event_card)
    after, refills = remove(before, event_card, entry="up")
    return {"refills": refills, "chit_flips": chit_flips(), "display": after.to_json()}


Name = Literal[
    "reveal_opponent", "add_chit", "flip_opponent_chit", "take_card", "opponent_discard",
    "opponent_random_discard", "exchange_632", "swap_bonus", "draw_from_discard", "tournament_redraw",
]  # fmt: skip

HOOKS: Mapping[str, Callable[..., Answer]] = {name: globals()[name] for name in get_args(Name)}


@cache
def form(name: str) -> type[Part]:
    """Returns the class of the parameters that a question gives for a hook."""
    return form_of(HOOKS[name], without=("context",))


def run(module: Module, name: Name, params: Mapping[str, Any], rule: Mapping[str, Any] | None = None) -> Answer:
    """Returns the effects of a hook; `rule` has the parameters of its exception, by default the module's first."""
    fields = read(form(name), params, "params").__dict__
    if rule is None:
        rule = next((entry.params for entry in module.exceptions if entry.hook == name), {})
    return HOOKS[name](HookContext(module, read(HookRule, rule, "game.patch.exceptions")), **fields)


@operation()
def hook(name: Name, game: Game, params: Object, *, spec: GameSpec) -> Answer:
    """Carries out the hook of an event: takes, discards, plays or turns up cards, refills spaces, changes chits."""
    return run(module_of(spec, game), name, params)
