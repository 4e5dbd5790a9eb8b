"""Which template a face is drawn from: by the card's type or the game's own choice, and by the size of the card."""

from __future__ import annotations

import re

from carddb.cards import Card
from carddb.games import Game
from carddb.layout.stock import CARDS
from carddb.press.workshop import Workshop
from carddb.units import Size

_CARD = re.compile(r"""{[{%][^}]*(?<![\w."'])(?<!macro )card(?![\w"'])""")
_TAKEN_IN = re.compile(r"""{%-?\s*(?:include|import|extends|from)\s+["']([^"']+)["']""")


def templates_of(game: Game, card: Card) -> tuple[str, str]:
    """Front and back of a card: by the game's own `templates_of`, else as the type has them; empty where none."""
    choose = game.hook("templates_of")
    kind = game.spec.types.get(card.type)
    front, back = choose(card, game.spec) if choose else (kind.face, kind.back) if kind else ("", "")
    return str(front), str(back)


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
        if _CARD.search(sources[name]):
            return True
        waiting += _TAKEN_IN.findall(sources[name])
    return False
