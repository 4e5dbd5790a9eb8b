"""The rules that a session stands for."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from carddb.game.game import GameSpec
from carddb.games.cdg_solo.session.table_game import TABLE

_RULE = re.compile(r"\b(?:S|SR|SD)-[0-9]+\b")

AS_A_WHOLE = {
    "solo new": ("SD-2", "SD-5"),
    "solo status": ("S-6", "SD-13", "SD-25"),
    "solo undo": ("SD-13", "SD-24"),
    "solo table": ("SD-10", "SD-11", "SD-12", "SD-14", "SD-15", "SD-16", "SD-19", "SD-23", "SD-26"),
}
"""The rules that a session stands for as a whole."""


def stands_for(spec: GameSpec) -> Mapping[str, Sequence[str]]:
    """The rules that the actions of a session and the modules stand for, by place."""
    actions = {f"solo {name.replace('_', '-')}": action.rules for name, action in TABLE.actions.items()}
    modules = {f"module {key}": _RULE.findall(str(module)) for key, module in spec.data["modules"].items()}
    return {**AS_A_WHOLE, **actions, **modules}
