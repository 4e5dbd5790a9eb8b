"""The closed lists of the game's questions; further words for them stand in game.yaml."""

from __future__ import annotations

from typing import Annotated, Literal

from carddb.play.fields import Words

CardType = Annotated[
    Literal[
        "general", "soldier", "kingdom", "strategy", "tactics", "resource", "capitol", "act_of_god", "reference",
    ],
    Words("types"),
]  # fmt: skip
Rarity = Annotated[Literal["common", "uncommon", "rare", "ultra_rare"], Words("rarity")]
Phase = Annotated[Literal["declare", "draw", "harvest", "kingdom", "army", "attack", "resolve"], Words("phases")]
"""The six phases, and the declaration before them, in which nothing is played (E-64)."""
Zone = Annotated[
    Literal[
        "draw_pile", "supply_pile", "cultural_health", "strategy", "warcamp", "kingdom", "supply_line", "capitol",
        "discard", "battlefield", "hand", "removed",
    ],
    Words("zones"),
]  # fmt: skip
"""The zones of the table, the hand, and where a card is that is removed from the game."""
GameType = Annotated[Literal["quick", "normal", "epic"], Words("game_types")]
