"""Cards in another language: their words where there are any, those of the game where there are none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from carddb.app.workspace.clock import today
from carddb.app.workspace.workspace import Workspace
from carddb.cards.cards import Card
from carddb.core.plain_text import amount
from carddb.game.game import GameSpec
from carddb.game.parts import PICTURES
from carddb.games import Game

Words = Mapping[str, Mapping[str, Any]]
"""Values in another language, by the reference of the card."""


def cards_in_language(
    project: Workspace,
    game: Game,
    cards: Sequence[Card],
    lang: str,
    on: date | None = None,
    *,
    names_only: bool = False,
) -> list[Card]:
    """The cards with their words in a language on a day (default: today).

    A notice says once what has none; with `names_only` which names, where nothing else is shown.
    """
    if not game.spec.is_foreign(lang):
        return list(cards)
    with project.catalog() as catalog:
        words = catalog.translations(game.spec, lang, day=on or today())
    notify_lacking(project, game.spec, cards, words, lang, names_only)
    return [with_words(card, words) for card in cards]


def with_words(card: Card, words: Words) -> Card:
    """A card with its words in another language."""
    own = words.get(card.ref)
    return card._replace(values={**card.values, **own}) if own else card


def lacking(spec: GameSpec, card: Card, words: Words) -> Iterator[str]:
    """The fields of a card that have words and no translation."""
    own, fields = words.get(card.ref, {}), spec.fields_of(card.type)
    for name in spec.translatable_of(card.type):
        value = card.get(name)
        is_default = name in fields and value == fields[name].default
        if name not in PICTURES and name not in own and not is_default and _has_letters(value):
            yield name


def notify_lacking(
    project: Workspace, spec: GameSpec, cards: Iterable[Card], words: Words, lang: str, names_only: bool = False
) -> None:
    """Says which fields of how many cards stay in the language of the game."""
    unique = {card.ref: card for card in cards}.values()
    fields = Counter(name for card in unique for name in lacking(spec, card, words))
    order = ["name"] if names_only else spec.all_fields()
    if not fields.keys().isdisjoint(order):
        listed = ", ".join(f"{name} of {amount(fields[name], 'card')}" for name in order if name in fields)
        message = f"not translated into {lang}, and shown in {spec.language}: {listed}"
        project.notify("not_translated", message)


def _has_letters(value: Any) -> bool:
    """Returns whether a value holds any text that could be translated."""
    if isinstance(value, str):
        return any(map(str.isalpha, value))
    inner = value.values() if isinstance(value, Mapping) else value if isinstance(value, list | tuple) else ()
    return any(map(_has_letters, inner))
