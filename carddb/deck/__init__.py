"""May I play this deck? Sections, limits and formats of any game, checked as its `game.yaml` says."""

from carddb.deck.check.check import check, check_format
from carddb.deck.check.formats import format_key
from carddb.deck.context import Check, Context

__all__ = ["Check", "Context", "check", "check_format", "format_key"]
