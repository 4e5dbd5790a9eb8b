"""The games: one folder each, found, loaded and asked."""

from carddb.games.book import codes_named, rules_named, shared_codes
from carddb.games.folder import GameFolder, folders
from carddb.games.loaded import Game
from carddb.games.loading import load

__all__ = ["Game", "GameFolder", "codes_named", "folders", "load", "rules_named", "shared_codes"]
