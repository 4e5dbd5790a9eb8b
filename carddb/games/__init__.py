"""The games: one folder each, found, loaded and asked."""

from carddb.games.folder import GameFolder, folders
from carddb.games.loaded import Game
from carddb.games.loading import load
from carddb.games.rulebook import codes_named, rules_named, shared_codes

__all__ = ["Game", "GameFolder", "codes_named", "folders", "load", "rules_named", "shared_codes"]
