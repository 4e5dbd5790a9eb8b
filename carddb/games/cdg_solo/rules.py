"""The CDG solo method: what its folder computes, for the house to find."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from carddb.deck import Check
from carddb.game import GameSpec
from carddb.games.cdg_solo import (
    chits,
    choices,
    combat,
    deal,
    decks,
    die,
    hooks,
    module,
    odds,
    odds_shown,
    phase,
    plays,
    rounds,
    selection,
    validate_deck,
    validate_module,
    validate_print,
    validate_state,
)
from carddb.games.cdg_solo.components import component_data
from carddb.games.cdg_solo.faces import face_data
from carddb.games.cdg_solo.own import own_module
from carddb.games.cdg_solo.sheet import component_findings
from carddb.play.question import Refusal, operations

CHECKS: list[Check] = [decks.module_deck]

OPERATIONS = operations(
    *(die, deal, rounds, choices, plays, combat, chits, phase, hooks, selection, module, odds),
    *(validate_module, validate_deck, validate_state, validate_print),
)

ODDS = operations(odds_shown)


_RULE = re.compile(r"\b(?:S|SR|SD)-[0-9]+\b")

SESSION = {
    "solo new": ("SD-2", "SD-5"),
    "solo status": ("S-6", "SD-13", "SD-25"),
    "solo undo": ("SD-13", "SD-24"),
    "solo table": ("SD-10", "SD-11", "SD-12", "SD-14", "SD-15", "SD-16", "SD-19", "SD-23", "SD-26"),
}
"""The rules that a session stands for as a whole."""


def stands_for(spec: GameSpec) -> Mapping[str, Sequence[str]]:
    """The rules that the actions of a session and the modules stand for, by place."""
    from carddb.games.cdg_solo.session import ACTIONS

    actions = {f"solo {name.replace('_', '-')}": action.rules for name, action in ACTIONS.items()}
    modules = {f"module {key}": _RULE.findall(str(module)) for key, module in spec.data["modules"].items()}
    return {**SESSION, **actions, **modules}


def play_example(example: Mapping[str, Any], spec: GameSpec) -> Mapping[str, Any]:
    """What an action comes to in a saved session: the reason of its refusal, or the warnings on the table after it."""
    from carddb.games.cdg_solo.session import act, load

    try:
        session = load(spec, json.dumps(example["session"]))
        after = act(session, example["action"], example.get("input", {}))
    except Refusal as refusal:
        return {"error": refusal.reason}
    return {"warnings": after.table.warnings}


__all__ = [
    "CHECKS",
    "ODDS",
    "OPERATIONS",
    "component_data",
    "component_findings",
    "face_data",
    "own_module",
    "play_example",
    "stands_for",
]
