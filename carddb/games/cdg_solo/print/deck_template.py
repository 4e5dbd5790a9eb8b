"""The cards of a module's decks to be filled in: those with a rule of their own are, of the others the numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from carddb.game.game import GameSpec
from carddb.games.cdg_solo.module.module import Module, module_of
from carddb.games.cdg_solo.module.parts import CardException
from carddb.games.cdg_solo.module.validate_deck import least
from carddb.games.cdg_solo.play.cards import printed_number
from carddb.games.cdg_solo.print.tweak_sheet import exceptions

CONDITIONS = "as the card says"
"""What stands for the conditions of a card, whose own words are its publisher's."""


def rows(spec: GameSpec, key: str, sizes: Mapping[str, int]) -> Iterator[dict[str, Any]]:
    """A card for each number of each deck; `sizes` are the cards of decks, the fewest that serve where it is silent."""
    module = module_of(spec, key)
    whats = {card.tag: card.what for card in exceptions(spec, key)}
    fewest = least(module, spec)
    for deck in module.decks:
        own = _exceptions_of(module, deck)
        last = sizes.get(deck, max(fewest[deck], *own, 1))
        for number in range(1, last + 1):
            tag = printed_number(deck, number)
            yield _row(module, deck, number, own.get(number, []), whats.get(tag, ""))


def unnumbered(spec: GameSpec, key: str) -> list[str]:
    """The titles of cards with a rule of their own whose numbers the rules do not tell."""
    return [entry.title for entry in module_of(spec, key).exceptions if entry.number is None]


def _exceptions_of(module: Module, deck: str) -> dict[int, list[CardException]]:
    """The exceptions of a deck by the number of the card."""
    cards: dict[int, list[CardException]] = {}
    for entry in module.exceptions:
        if entry.number is not None and entry.deck == deck:
            cards.setdefault(entry.number, []).append(entry)
    return cards


def _row(module: Module, deck: str, number: int, own: list[CardException], what: str) -> dict[str, Any]:
    """One card; what is empty is to be typed, what is None is not of this game."""
    common = deck == "main"
    by_ops = module.lowest.by == "ops"
    return {
        "ref": f"{module.id}:{number}" if common else f"{module.id}:{deck}-{number}",
        "name": own[0].title if own else f"{'Card' if common else deck} {number}",
        "type": "card",
        "deck": deck,
        "number": number,
        "side": "both" if common else deck,
        "ops": "" if by_ops else None,
        "kinds": _kinds(module, bool(own)),
        "conditions": CONDITIONS if any(entry.params.get("conditional") for entry in own) else None,
        "remove_after": next((entry.params["remove_after"] for entry in own if "remove_after" in entry.params), None),
        "order_max": None if by_ops else "",
        "note": what or None,
    }


def _kinds(module: Module, exceptional: bool) -> list[str]:
    """The kinds that most cards of the game are of: both uses on one card, or cards of one kind each."""
    if module.lowest.kinds is None:
        return ["ops", "event"]
    return ["event"] if exceptional else list(module.lowest.kinds[:1])
