"""The games: one folder each."""

from carddb.games.opening.folder import GameFolder, folders
from carddb.games.opening.game import Game
from carddb.games.opening.loading import load

__all__ = ["Game", "GameFolder", "folders", "load"]
