"""What a game has not got yet, in the order in which a designer makes it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from carddb.games.opening.game import Game


def gaps(game: Game) -> list[str]:
    """What is missing, each with the file or key where it goes; empty where a game has a part of everything."""
    return list(_gaps(game))


def _gaps(game: Game) -> Iterator[str]:
    spec, folder = game.spec, game.folder
    if not spec.types:
        yield "types of cards: types in game.yaml"
    if not game.own_cards:
        yield "cards: cards.csv"
    if faceless := [kind.label or key for key, kind in spec.types.items() if not kind.face and not game.has_rules]:
        yield f"faces of {', '.join(faceless)}: face of the type in game.yaml, and its file in templates"
    if not spec.sections:
        yield "parts of a deck: sections in game.yaml"
    if not spec.limits and not game.has_rules:
        yield "limits of a deck: limits in game.yaml"
    if not folder.decks:
        yield "a deck: a file in decks"
    if not (folder.path / "rules.yaml").is_file():
        yield "rules and what codes mean: rules.yaml"
    if not folder.guide_file.is_file():
        yield "a rule sheet: guide.md"
