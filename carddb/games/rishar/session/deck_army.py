"""The army of a deck, as a record has it."""

from __future__ import annotations

from collections import Counter
from typing import Any

from carddb.cards.cards import Card, Deck
from carddb.core.names import slug
from carddb.game.frozen import as_plain
from carddb.game.game import GameSpec
from carddb.games.rishar.battle.record import Host
from carddb.games.rishar.play.armies import Commander
from carddb.games.rishar.play.cards import specials
from carddb.play.question import read


def army_of_deck(deck: Deck, spec: GameSpec) -> tuple[str, Host]:
    """What the army is called, and the army. Raises BadInput for a header that a check would refuse.

    A card's id is its name in small letters, or its reference where another card of the deck has that name too.
    """
    counts = Counter[str]()
    by_ref = {entry.card.ref: entry.card for entry in deck.entries if entry.card}
    for entry in deck.entries:
        if entry.card:
            counts[entry.card.ref] += entry.count
    names = [slug(card.name) for card in by_ref.values()]
    cards = [
        _card(card, spec, slug(ref if names.count(slug(card.name)) > 1 else card.name)) | {"count": counts[ref]}
        for ref, card in by_ref.items()
    ]
    header = {key: value for key, value in deck.headers.items() if key in spec.header.values()}
    commander = read(Commander, header, "commander", spec=spec)
    return commander.name or deck.name or deck.file, Host(commander=commander, cards=tuple(cards))


def _card(card: Card, spec: GameSpec, id_: str) -> dict[str, Any]:
    values: dict[str, Any] = {name: as_plain(card.get(name)) for name in spec.fields if card.get(name) is not None}
    if "special" in values:
        values["special"] = [dict(text) for text in specials(card)]
    return {"id": id_, "name": card.name, "role": card.type, "strength": card.get("strength"), **values}
