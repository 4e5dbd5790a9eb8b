"""Exact chances of a roll, calculated by applying the rules to each of the six results (§13)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Annotated, Any, Literal

from pydantic import Field

from carddb.game.game import GameSpec
from carddb.games.cdg_solo.module import Module, module_of
from carddb.games.cdg_solo.play.cards import Card, Cards
from carddb.games.cdg_solo.play.combat import hit
from carddb.games.cdg_solo.play.deal import deal, rerolled
from carddb.games.cdg_solo.play.display import RESULTS, Display, Result, Space, has_c, letters
from carddb.games.cdg_solo.play.plays import Situation, choices, play
from carddb.games.cdg_solo.play.rounds import flip
from carddb.play import chance
from carddb.play.chance import SIDES, Distribution, equally, mapped
from carddb.play.question import Answer, BadInput, Count, Many, chances, given, operation

Query = Literal[
    "named", "stays_down", "stays_down_k", "down_any_purpose", "up_not_lowest", "up_lowest", "up_lowest_abde_only",
    "stays_down_all", "nominated_any", "nominated_all", "first_round_down", "jolly_roger", "c_result", "chart_reroll",
]  # fmt: skip
Purpose = Literal["any", "event"]
"""The use for which a card may be played: any purpose, or at least its event."""
PurposeWord = Literal["any", "any_purpose", "event", "as_event", "at_least_event"]
"""The words that a question may use for a purpose."""
Rolls = Annotated[int, Field(ge=0, le=1000)]
SpaceList = Annotated[Many[Space], Field(max_length=100)]

ROLL: Distribution[Result] = equally(RESULTS)
"""The method die: each result has a chance of 1/6, whatever the die table (SR-9)."""


def chance_that(holds: Callable[[Result], bool]) -> Fraction:
    """Returns the chance that `holds` is true of a roll's result."""
    return mapped(ROLL, holds).get(True, Fraction(0))


def letter_chance(space: Space) -> Fraction:
    """Returns the chance that a space is among the letters of a roll."""
    return chance_that(lambda result: space in letters(result))


def stays_down_all(spaces: Collection[Space]) -> Fraction:
    """Returns the chance that a roll turns up no card in `spaces`, if the card that `UP` turns up lies elsewhere."""
    return chance_that(lambda result: not set(spaces) & set(letters(result)))


def takes_effect(spaces: Collection[Space], every: bool) -> Fraction:
    """Returns the chance that at least one card nominated in `spaces` takes effect, or all of them if `every` (#3a)."""
    test = all if every else any
    return chance_that(lambda result: test(space in hit(result, spaces) for space in spaces))


LOW, MIDDLE, HIGH = 1, 2, 3
"""Ops values of cards; only their order matters."""


def playable(module: Module, space: Space, own: int, others: int, c: int, purpose: Purpose) -> Fraction:
    """Returns the chance that a face-up card in `space` may be played for `purpose` after a roll.

    Ops values: `own` of this card, `c` of the card in C, `others` of all other cards.
    """
    fresh = _fresh(module)
    display = fresh.turned_up([slot.card for _, slot in fresh])
    card = display.at(space)[0].card
    cards = _cards({**{slot.card: others for _, slot in display}, display.at("C")[0].card: c, card: own})
    modes = {"any"} if purpose == "any" else {"any", "event"}

    def may(result: Result) -> bool:
        offered = choices(Situation(module, display, cards, result=result)).choices
        return any(choice.card == card and modes & set(choice.modes) for choice in offered)

    return chance_that(may)


def down_playable(module: Module, space: Space) -> Fraction:
    """Returns the chance that a face-down card may be played for any purpose, if `UP` turns up another card."""
    fresh = _fresh(module)
    spaces = {at: tuple(replace(slot, up=False) for slot in lying) for at, lying in fresh.spaces.items()}
    display = replace(fresh, spaces=spaces)
    card = display.at(space)[0].card
    cards = _cards({slot.card: LOW for _, slot in display})

    def may(result: Result) -> bool:
        turned = display if result == "UP" else flip(display, result).display
        return card in [choice.card for choice in choices(Situation(module, turned, cards, result=result)).choices]

    return chance_that(may)


def first_round_down(module: Module) -> Distribution[int]:
    """Returns the chance of each number of face-down cards after the first round, whichever card is played."""
    fresh = _fresh(module)
    cards = _cards({slot.card: LOW for _, slot in fresh})

    def after(result: Result) -> int:
        display = flip(fresh, result).display
        offered = choices(Situation(module, display, cards, result=result)).choices
        (down,) = {len(play(module, display, cards[choice.card], "ops", result).display.downs()) for choice in offered}
        return down

    return mapped(ROLL, after)


def _fresh(module: Module) -> Display:
    """Returns the first side's display after the deal, with the pile from which it draws."""
    decks = [[f"{side}{number}" for number in range(1, 15)] for side in module.side_ids]
    (display, _), pile = deal(module.layout, decks if module.layout == "pile_in_c" else decks[:1])
    return display if pile is None else replace(display, pile=pile)


def _cards(values: Mapping[str, int]) -> Cards:
    """Returns a card with an event for each id in `values`, which maps ids to ops values."""
    return Cards({id_: Card(id_, value, frozenset({"ops", "event"})) for id_, value in values.items()})


LOWEST: Mapping[str, tuple[int, int, int]] = {
    "up_not_lowest": (HIGH, LOW, LOW),
    "up_lowest": (LOW, HIGH, HIGH),
    "up_lowest_abde_only": (MIDDLE, HIGH, LOW),
}
"""For each query, the ops values of the card that it is about, of the other cards around C, and of card C."""
ANY_SPACE: Mapping[str, Space] = {"up_lowest": "A", "up_lowest_abde_only": "A"}
"""The space of a query that names none, because the chance is the same in every space."""


@operation()
def probability(
    query: Query,
    space: Space | None = None,
    spaces: SpaceList | None = None,
    k: Rolls | None = None,
    n: Count | None = None,
    purpose: PurposeWord | None = None,
    mode: PurposeWord | None = None,
    nominated: SpaceList | None = None,
    *,
    spec: GameSpec,
) -> Answer:
    """The exact chance that `query` names, of one or several spaces, `k` rolls or `n` cards; `mode` means `purpose`."""
    module = module_of(spec, spec.data["template"])
    if query in ("jolly_roger", "c_result"):
        holds = has_c if query == "c_result" else lambda result: result == "C_JR"
        return {"value": str(chance_that(holds))}
    if query == "chart_reroll":
        return {"value": str(Fraction(len(rerolled(given(n, "n"))), len(SIDES)))}
    if query == "first_round_down":
        return {"value": str(first_round_down(module).get(given(n, "n"), Fraction(0)))}
    if query in ("stays_down_all", "nominated_any", "nominated_all"):
        listed = given(spaces or nominated or ((space,) if space else spaces), "spaces")
        every = query == "nominated_all"
        return {"value": str(stays_down_all(listed) if query == "stays_down_all" else takes_effect(listed, every))}
    at: Space | None = space or ANY_SPACE.get(query)
    wanted: Purpose = "event" if (purpose or mode or "any").endswith("event") else "any"
    return {"value": str(of_space(module, query, given(at, "space"), k, wanted))}


def of_space(module: Module, query: Query, space: Space, k: int | None, purpose: Purpose) -> Fraction:
    """Returns the chance that `query` names for a space. Raises BadInput if `k` is missing or the space not allowed."""
    if query in LOWEST:
        if query == "up_lowest_abde_only" and space == "C":
            raise BadInput("space")
        own, others, c = LOWEST[query]
        return playable(module, space, own, others, own if space == "C" else c, purpose)
    if query == "named":
        return letter_chance(space)
    if query == "down_any_purpose":
        return down_playable(module, space)
    return stays_down_all([space]) ** (given(k, "k") if query == "stays_down_k" else 1)


Letters = Annotated[str, Field(pattern="^[A-E]{1,5}$")]


@chances()
def space(space: Space, rolls: Rolls = 1, *, spec: GameSpec) -> Answer:
    """The chances that a card in a space can be played after a roll, and that a card stays down for `rolls` rolls."""
    module = module_of(spec, spec.data["template"])
    up = partial(of_space, module)
    bars = [
        chance.bar("named by the letters", letter_chance(space)),
        chance.bar("a down card is playable for any purpose", down_playable(module, space)),
        chance.bar("an up card that is lowest, for any purpose", up("up_lowest", space, None, "any")),
        chance.bar("an up card that is not lowest, for any purpose", up("up_not_lowest", space, None, "any")),
        chance.bar("an up card that is not lowest, at least as event", up("up_not_lowest", space, None, "event")),
        chance.bar(
            f"a down card is still down after {'one roll' if rolls == 1 else f'{rolls} rolls'}",
            stays_down_all([space]) ** rolls,
        ),
    ]
    return {"title": f"Space {space}", "bars": bars, "notes": ["Exact: each of the six results has 1/6."]}


@chances()
def nominated(spaces: Letters) -> Answer:
    """The chances that nominated Combat cards take effect; their spaces are written together, such as AD."""
    listed: list[Any] = list(spaces)
    bars = [chance.bar(f"the card in {one}", takes_effect([one], True)) for one in listed]
    bars += [
        chance.bar("at least one", takes_effect(listed, False)),
        chance.bar("every one", takes_effect(listed, True)),
    ]
    return {"title": f"Nominated in {', '.join(listed)}", "bars": bars, "notes": ["Only the letters count."]}


@chances()
def first_round(*, spec: GameSpec) -> Answer:
    """The chance of each number of face-down cards after the first round."""
    downs = first_round_down(module_of(spec, spec.data["template"]))
    return {
        "title": "Cards down after the first round",
        "bars": [chance.bar(str(count), downs[count]) for count in sorted(downs)],
        "notes": ["Whatever card is picked.", f"Mean: {chance.text(chance.mean(downs))}."],
    }
