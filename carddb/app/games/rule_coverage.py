"""Whether every rule of a game stands somewhere: checked, printed, or left to the players."""

from __future__ import annotations

from typing import Any

from carddb.games import Game
from carddb.games.coverage import Coverage, counts, coverage
from carddb.press.documents.guide import rules_in_guide


def rule_coverage(game: Game) -> list[Coverage]:
    """Each rule of a game with where it is checked, printed, or left to the players."""
    return coverage(game, rules_in_guide(game))


def coverage_json(game: Game, rows: list[Coverage], shown: list[Coverage]) -> dict[str, Any]:
    """The shape of `rules coverage --json`: the sums of all rows, and those that are shown."""
    rules = [
        {"id": row.rule, "tags": row.tags, "checked": row.checked, "printed": row.printed, "missing": row.missing}
        for row in shown
    ]
    return {"schema": "carddb.coverage/1", "game": game.key, "counts": counts(rows), "rules": rules}
