"""One action in a saved Battle, for the examples that show each finding code."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from carddb.game.game import GameSpec
from carddb.games.rishar.session.table_game import TABLE
from carddb.play.question import Refusal
from carddb.play.table.engine import act
from carddb.play.table.saves import load


def play_example(example: Mapping[str, Any], spec: GameSpec) -> Mapping[str, Any]:
    """What an action leads to in a saved Battle: the reason of its refusal, or the step after it."""
    try:
        session = load(TABLE, spec, json.dumps(example["session"]))
        return {"step": act(TABLE, session, example["action"], example.get("input", {})).step}
    except Refusal as refusal:
        return {"reason": refusal.reason}
