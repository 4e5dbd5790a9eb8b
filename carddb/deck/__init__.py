"""May I play this deck? Sections, limits and formats of any game, judged from its `game.yaml`."""

from carddb.deck.check import check, check_format
from carddb.deck.context import Check, Context
from carddb.deck.formats import known_format
from carddb.deck.options import options

__all__ = ["Check", "Context", "check", "check_format", "known_format", "options"]
