"""Cards as players type them: `soldier`, `2 spear`, any beginning of a word that only one card has."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection

from carddb.core.names import fold
from carddb.games.rishar.battle.army_state import ArmyState
from carddb.games.rishar.play.fields import Pile
from carddb.play.question import Refusal, refuse

_COPY = re.compile(r"(?:(?P<before>\d+)\s+(?P<name>.+)|(?P<first>.+?)\s*(?:#|\s)\s*(?P<after>\d+))")


def card_key(state: ArmyState, text: str, *piles: Pile) -> str:
    """Returns the card of an army that a text means; of several that fit, those in these piles come first.

    Refuses `no_such_card`, and `card_ambiguous` with what it may have been, where that is no secret.
    """
    if text in state.cards:
        return text
    name, copy = _parts(text)
    lying = [key for key in state.cards if state.where[key] in piles]
    hits = _hits(state, name, lying, state.cards)
    if copy is not None:
        hits = [key for key in hits if key.partition("#")[2] == copy]
    refuse(no_such_card=not hits)
    refs = {key.partition("#")[0] for key in hits}
    if len(refs) > 1:
        names = sorted({state.cards[key].name for key in hits if "hand" not in piles})
        raise Refusal("card_ambiguous", **({"hint": f"It may be {' or '.join(names)}."} if names else {}))
    return state.find(min(refs), *piles) if copy is None else hits[0]


def _parts(text: str) -> tuple[str, str | None]:
    """Returns a name and the number of a copy, which stands before or behind it."""
    match = _COPY.fullmatch(text.strip())
    if not match:
        return fold(text), None
    return fold(match["name"] or match["first"]), match["before"] or match["after"]


def _hits(state: ArmyState, name: str, *lists: Collection[str]) -> list[str]:
    """Returns the cards of that name, else those whose name or a word of it begins so; an earlier list comes first."""
    names = {key: (fold(state.cards[key].name), fold(key.partition("#")[0])) for key in state.cards}
    fits: tuple[Callable[[str], bool], ...] = (
        lambda key: any(one.startswith(name) for one in names[key]),
        lambda key: f" {name}" in names[key][0],
    )
    exact = [key for key in state.cards if name in names[key]]
    by_fit = ([key for key in keys if fit(key)] for keys in lists for fit in fits)
    return exact or next(filter(None, by_fit), [])
