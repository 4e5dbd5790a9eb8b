"""The rules that the table of a Battle stands for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from carddb.game.game import GameSpec
from carddb.games.rishar.session.table_game import TABLE


def stands_for(spec: GameSpec) -> Mapping[str, Sequence[str]]:
    """The rules that the actions at the table stand for, by place."""
    return {f"battle {name.replace('_', '-')}": action.rules for name, action in TABLE.actions.items()}
