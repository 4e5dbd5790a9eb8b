"""The table of a solo session on a terminal; what knows the session is imported when there is one.

The list of modules and the template of a deck need none, and are there in three quarters of the time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from carddb.cli.tables.terminal import Front
from carddb.games.lazy import LazyPackage

if TYPE_CHECKING:
    from carddb.games.cdg_solo.session import Session

ALIASES = {"next": "next_round", "flip": "choose_flip", "flag": "set_flag", "hold": "hold_as_fo", "fo": "play_fo"}

_solo = LazyPackage("carddb.cli.tables.solo")

FRONT: Front[Session] = Front(
    verb="solo",
    schema="carddb.solo",
    table=_solo.function("session_words", "table"),
    screen=_solo.function("screen", "screen"),
    line=_solo.function("session_words", "words_of"),
    fields=_solo.function("session_words", "with_cards"),
    aliases=ALIASES,
    usages=_solo.function("session_words", "usages"),
)
