"""C.A.H.R.D.: what its folder computes."""

from __future__ import annotations

from carddb.games.lazy import LazyPackage

cahrd = LazyPackage("carddb.games.cahrd")

CHECKS = [cahrd.function("decks", "unusual_cards"), cahrd.function("advice", "opening_hand")]
CARD_CHECKS = [cahrd.function("decks", "unusual_card"), cahrd.function("emblem", "unknown_places")]
BAN_CHECK = cahrd.function("imd_decks", "restricted")

OPERATIONS = cahrd.operations(
    "cards",
    "decks",
    "stats",
    "setup",
    "turn",
    "recruiting",
    "zones",
    "effects",
    "battle",
    "chain",
    "victory",
    "imd_questions",
)
ODDS = cahrd.operations("odds_shown")

kept_hand = cahrd.function("setup", "kept_hand")
component_data = cahrd.function("components", "component_data")
component_form = cahrd.function("forms", "component_form")
face_data = cahrd.function("faces", "face_data")
