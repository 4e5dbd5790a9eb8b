"""The checks, operations and template functions of C.A.H.R.D., each imported when it is first used."""

from __future__ import annotations

from carddb.games.lazy import LazyPackage

cahrd = LazyPackage("carddb.games.cahrd")

CHECKS = [cahrd.function("deck", "unusual_cards"), cahrd.function("deck", "opening_hand")]
CARD_CHECKS = [cahrd.function("deck", "unusual_card"), cahrd.function("print.faces", "unknown_places")]
BAN_CHECK = cahrd.function("deck", "restricted")

OPERATIONS = cahrd.operations("deck", "play.battle", "play.setup", "play.turn", "play.chain", "play.imd")
ODDS = cahrd.chances("play.setup")

kept_hand = cahrd.function("play.setup", "kept_hand")
component_data = cahrd.function("print.components", "component_data")
component_form = cahrd.function("print.components", "component_form")
face_data = cahrd.function("print.faces", "face_data")
