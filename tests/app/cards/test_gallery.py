"""What is told of a card on its page."""

from __future__ import annotations

from typing import Any

from carddb.app.cards.gallery import shown_fields
from carddb.games import folders, load
from tests.rows import every


@every(
    "key, type_, values, words",
    [
        ("cahrd", "officer", {"region": "south_asia", "recruitment_cost": 26_000}, {"South Asia", "26,000"}),
        ("empires-and-generals", "general", {"rarity": "ultra_rare", "year": -350}, {"Ultra rare", "350 BCE"}),
        ("empires-and-generals", "kingdom", {"year": 1054}, {"1054"}),
        ("guarda", "pattern", {"cells": ["1,5", "2,5"]}, {"1,5; 2,5"}),
        (
            "rishar",
            "unit",
            {"special": {"name": "Rescue", "text": "Discard it."}},
            {"Rescue: Discard it."},
        ),
    ],
)
def test_values_are_told_in_words(key: str, type_: str, values: dict[str, Any], words: set[str]) -> None:
    """No word of a file stands there: choices, years, pairs and cells are told as people write them."""
    game, findings = load(folders()[key])
    assert game is not None, findings
    card = game.spec.card("X-1", {"name": "X", "type": type_, **values})
    assert words <= {str(value) for _, value in shown_fields(game.spec, card)}
