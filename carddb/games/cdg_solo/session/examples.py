"""One action in a saved session, for the examples that show each finding code."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from carddb.game.game import GameSpec
from carddb.games.cdg_solo.session import act, load
from carddb.play.question import Refusal


def play_example(example: Mapping[str, Any], spec: GameSpec) -> Mapping[str, Any]:
    """What an action leads to in a saved session: the reason of its refusal, or the warnings on the table after it."""
    try:
        session = load(spec, json.dumps(example["session"]))
        after = act(session, example["action"], example.get("input", {}))
    except Refusal as refusal:
        return {"error": refusal.reason}
    return {"warnings": after.table.warnings}
