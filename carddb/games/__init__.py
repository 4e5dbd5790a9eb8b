"""The games: one folder each."""

from carddb.games.folder import GameFolder, folders
from carddb.games.game import Game
from carddb.games.loading import load
from carddb.games.rulebook import finding_codes, rule_ids, shared_codes

__all__ = ["Game", "GameFolder", "finding_codes", "folders", "load", "rule_ids", "shared_codes"]
