"""The games and sample cards against which pasted lists are read."""

from __future__ import annotations

from functools import cache

from carddb.cards import Pool
from carddb.game import GameSpec
from carddb.games import folders, load


@cache
def bundled(key: str) -> tuple[GameSpec, Pool]:
    """A bundled game and its sample cards."""
    game, findings = load(folders()[key])
    assert game is not None and game.own_file is not None, findings
    records = game.own_file.records
    return game.spec, Pool(game.spec.card(record.ref, record.values) for record in records)
