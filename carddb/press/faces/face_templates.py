"""Which template a face is drawn from: by the card's type or the game's own choice, and by the size of the card."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from carddb.cards.cards import Card
from carddb.core.units import Size
from carddb.game.game import GameSpec
from carddb.games import Game
from carddb.layout.stock import CARDS, card_size
from carddb.press.faces.workshop import Workshop

_CARD = re.compile(r"""{[{%][^}]*(?<![\w."'])(?<!macro )card(?![\w"'])""")
_TAKEN_IN = re.compile(r"""{%-?\s*(?:include|import|extends|from)\s+["']([^"']+)["']""")
_SHARED = ("type", "set")
"""Fields that both faces have alike."""


def templates_of(game: Game, card: Card) -> tuple[str, str]:
    """Front and back of a card: by the game's own `templates_of`, else as the type has them; empty where none."""
    choose = game.hook("templates_of")
    kind = game.spec.types.get(card.type)
    front, back = choose(card, game.spec) if choose else (kind.face, kind.back) if kind else ("", "")
    return str(front), str(back)


def back_of(workshop: Workshop, card: Card) -> tuple[str, Card | None]:
    """The template of a card's back, empty where it has none, and the card it shows; None where it is one for all.

    The back of a double-faced card shows its other face.
    """
    game = workshop.game
    if reverse := reverse_of(game.spec, card):
        return game.spec.types[card.type].reverse_face or templates_of(game, reverse)[0], reverse
    template = templates_of(game, card)[1]
    return template, card if template and mentions_card(workshop, template) else None


def own_sizes(spec: GameSpec) -> dict[str, Size]:
    """The types of cards that have a size of their own. Raises UsageError for an unknown name."""
    return {key: card_size(kind.size) for key, kind in spec.types.items() if kind.size}


def shown_size(spec: GameSpec, card: Card, name: str) -> Size | None:
    """The size of a card's face where one is named for cards: its type's own goes before; None for its template's."""
    return own_sizes(spec).get(card.type) or (card_size(name) if name else None)


def layout_sizes(game: Game, templates: Iterable[str]) -> list[str]:
    """The card sizes that a game's templates have a layout for besides the usual one, by name."""
    variants = (name.removesuffix(".svg").rpartition(".")[2] for name in sorted(templates))
    return list(dict.fromkeys(name for name in (*game.spec.layouts, *variants) if name in CARDS))


def template_for(workshop: Workshop, file: str, size: Size | None) -> str:
    """The template for a card size: `unit.poker.svg` where it exists and `size` is poker, else `unit.svg`."""
    name = f"{workshop.prefix}/{file}"
    stem = name.removesuffix(".svg")
    variants = (f"{stem}.{size_name}.svg" for size_name, card_size in CARDS.items() if card_size == size)
    return next((variant for variant in variants if variant in workshop.studio.templates), name)


def mentions_card(workshop: Workshop, file: str) -> bool:
    """Whether a template, or one that it takes in, speaks of the card; a back that does not is the same for all."""
    sources = workshop.studio.templates.sources
    waiting, seen = [f"{workshop.prefix}/{file}"], set[str]()
    while waiting:
        name = waiting.pop()
        if name in seen or name not in sources:
            continue
        seen.add(name)
        speaks, taken_in = _scanned(sources[name])
        if speaks:
            return True
        waiting += taken_in
    return False


@lru_cache(maxsize=256)
def _scanned(source: str) -> tuple[bool, list[str]]:
    """Returns whether a template speaks of the card, and the templates that it takes in; every card's back asks."""
    return bool(_CARD.search(source)), _TAKEN_IN.findall(source)


def reverse_of(spec: GameSpec, card: Card) -> Card | None:
    """The other face of a card as a card; None where the card has none of its fields."""
    kind = spec.types.get(card.type)
    values = {field: card.get(own) for field, own in kind.reverse.items()} if kind else {}
    values = {field: value for field, value in values.items() if value not in (None, "")}
    if not values:
        return None
    shared = {name: card.get(name) for name in _SHARED if card.get(name)}
    return spec.card(card.ref, {"name": card.name, **shared, **values})
