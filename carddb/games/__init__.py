"""The games: one folder each."""

from carddb.games.folder import GameFolder, folders
from carddb.games.game import Game
from carddb.games.loading import load

__all__ = ["Game", "GameFolder", "folders", "load"]
