"""The games, each in its own folder."""

from carddb.games.opening.folder import GameFolder, folders
from carddb.games.opening.game import Game, load

__all__ = ["Game", "GameFolder", "folders", "load"]
