"""The chances of a roll as bars: for a space, for nominated cards, for the first round."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from pydantic import Field

from carddb.game.game import GameSpec
from carddb.games.cdg_solo.module import module_of
from carddb.games.cdg_solo.play import odds
from carddb.games.cdg_solo.play.display import Space
from carddb.play import chance
from carddb.play.question import Answer, operation

Letters = Annotated[str, Field(pattern="^[A-E]{1,5}$")]


@operation("S-10", "SD-28")
def space(space: Space, rolls: odds.Rolls = 1, *, spec: GameSpec) -> Answer:
    """The chances that a card in a space can be played after a roll, and that a face-down card stays face down."""
    module = module_of(spec, spec.data["template"])
    of_space = partial(odds.of_space, module)
    bars = [
        chance.bar("named by the letters", odds.letter_chance(space)),
        chance.bar("a down card is playable for any purpose", odds.down_playable(module, space)),
        chance.bar("an up card that is lowest, for any purpose", of_space("up_lowest", space, None, "any")),
        chance.bar("an up card that is not lowest, for any purpose", of_space("up_not_lowest", space, None, "any")),
        chance.bar("an up card that is not lowest, at least as event", of_space("up_not_lowest", space, None, "event")),
        chance.bar(
            f"a down card is still down after {'one roll' if rolls == 1 else f'{rolls} rolls'}",
            odds.stays_down_all([space]) ** rolls,
        ),
    ]
    return {"title": f"Space {space}", "bars": bars, "notes": ["Exact: each of the six results has 1/6."]}


@operation("S-82", "SD-28")
def nominated(spaces: Letters) -> Answer:
    """The chances of nominated Combat cards to take effect; the spaces are written together, as in AD."""
    listed: list[Any] = list(spaces)
    bars = [chance.bar(f"the card in {one}", odds.takes_effect([one], True)) for one in listed]
    bars += [
        chance.bar("at least one", odds.takes_effect(listed, False)),
        chance.bar("every one", odds.takes_effect(listed, True)),
    ]
    return {"title": f"Nominated in {', '.join(listed)}", "bars": bars, "notes": ["Only the letters count."]}


@operation("S-13", "SD-28")
def first_round(*, spec: GameSpec) -> Answer:
    """The number of the five cards that are face down after the first round."""
    downs = odds.first_round_down(module_of(spec, spec.data["template"]))
    return {
        "title": "Cards down after the first round",
        "bars": [chance.bar(str(count), downs[count]) for count in sorted(downs)],
        "notes": ["Whatever card is picked.", f"Mean: {chance.text(chance.mean(downs))}."],
    }
