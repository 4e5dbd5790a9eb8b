"""The games: one folder each, found, loaded and asked."""

from carddb.games.book import shared_codes
from carddb.games.folder import GameFolder, folders
from carddb.games.loaded import Game
from carddb.games.loading import load, rules_named

__all__ = ["Game", "GameFolder", "folders", "load", "rules_named", "shared_codes"]
