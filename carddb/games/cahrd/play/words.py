"""The closed lists of the game's questions; further words for them stand in game.yaml."""

from __future__ import annotations

from typing import Annotated, Literal

from carddb.play.fields import Words

CardType = Annotated[Literal["officer", "item", "tactic", "strategy"], Words("types")]
Kind = Annotated[Literal["item", "tactic", "trait", "strategy"], Words("types")]
"""What is used in a chain or activated: a card, or an officer's trait."""
Step = Annotated[Literal["draw", "recruitment", "strategy", "battle", "end"], Words("steps")]
Position = Annotated[Literal["commander", "strategist", "lieutenant"], Words("zones")]
Target = Annotated[Literal["lieutenant", "commander", "strategist", "grain"], Words("zones")]
Zone = Annotated[
    Literal[
        "hand",
        "deck",
        "discard",
        "strategy_deck",
        "commander",
        "strategist",
        "lieutenant",
        "tactics",
        "items",
        "reserves",
    ],
    Words("zones"),
]
Action = Annotated[
    Literal[
        "draw_card", "reveal_officers", "gain_reserves", "clear_attacked", "play_item", "set_item", "set_tactic",
        "recruit", "play_strategy", "view_strategy_deck", "activate_tactic", "use_trait", "declare_attack",
        "choose_vanguard", "resolve_outstanding",
    ],
    Words("actions"),
]  # fmt: skip
Chooser = Annotated[Literal["opponent", "attacker"], Words("choosers")]
"""Who names what meets an attack."""
RestrictedList = Annotated[Literal["long", "short"], Words("restricted_lists")]
