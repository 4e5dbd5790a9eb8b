"""The kinds of tables that a front has: what each is played with, who sits there, and what a seat may say."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from carddb.app.tables.battle.beginning import KEY as BATTLE_GAME
from carddb.app.tables.battle.beginning import battle_file
from carddb.app.tables.file import TableFile
from carddb.app.tables.solo.beginning import KEY as SOLO_GAME
from carddb.app.tables.solo.beginning import solo_file
from carddb.app.tables.tables import WATCHER
from carddb.app.workspace.workspace import Workspace
from carddb.core.errors import InputError
from carddb.play.playtest.table_game import TABLE
from carddb.play.question import refuse

ONE = "1"
"""The seat of who plays alone."""
_OF_ARMY = ("discard", "use", "heal", "pray")
"""The actions of a Battle whose `army` is who acts; at all others only who is asked acts."""
_ANYBODY = ("roll", "text")
"""The actions of a Battle that either Commander may do for both."""


@dataclass(frozen=True)
class TableKind:
    """A kind of table; `usual_file` is the name of its save in a project."""

    key: str
    label: str
    usual_file: str
    file: Callable[[Workspace, Path, str], TableFile[Any]]
    seats: Callable[[Any], Sequence[str]]
    """The seats of a session, without the watcher."""
    seated: Callable[[Any, str, str, Mapping[str, Any]], dict[str, Any]]
    """The input of an action as a seat may say it. Refuses `not_your_turn`."""


def _solo_input(_session: Any, _seat: str, _action: str, fields: Mapping[str, Any]) -> dict[str, Any]:
    return dict(fields)


def _battle_input(session: Any, seat: str, action: str, fields: Mapping[str, Any]) -> dict[str, Any]:
    if action in _OF_ARMY:
        return {**fields, "army": seat}
    decider = session.deciders[:1]
    refuse(not_your_turn=bool(decider) and action not in _ANYBODY and seat not in decider)
    return dict(fields)


def _playtest_input(_session: Any, seat: str, _action: str, fields: Mapping[str, Any]) -> dict[str, Any]:
    return {**fields, "seat": int(seat)}


def playtest_file(project: Workspace, path: Path, game: str) -> TableFile[Any]:
    """The file of a playtest table of a game."""
    return TableFile(project, path, game, "Begin one in the browser: carddb serve.", TABLE)


SOLO = TableKind(
    "solo", "Solo", "solo.json", lambda project, path, _: solo_file(project, path), lambda _: [ONE], _solo_input
)
BATTLE = TableKind(
    "battle", "Battle", "battle.json", lambda project, path, _: battle_file(project, path),
    lambda session: list(session.table.names), _battle_input,
)  # fmt: skip
PLAYTEST = TableKind(
    "playtest", "Playtest", "playtest.json", playtest_file,
    lambda session: [str(number) for number, _ in enumerate(session.table.seats, 1)], _playtest_input,
)  # fmt: skip
KINDS: Mapping[str, TableKind] = {kind.key: kind for kind in (SOLO, BATTLE, PLAYTEST)}


def seats_of(kind: TableKind, session: Any) -> list[str]:
    """The seats of a table that get a link: that of the watcher too where several play."""
    seats = list(kind.seats(session))
    return seats if len(seats) == 1 else [WATCHER, *seats]


def kind_of_save(text: str) -> tuple[TableKind, str]:
    """The kind of table that a save is of, and the game. Raises InputError."""
    try:
        data = json.loads(text)
        owner = data.get("game") if isinstance(data, dict) else None
    except (ValueError, RecursionError):
        owner = None
    games = {SOLO_GAME: (SOLO, SOLO_GAME), BATTLE_GAME: (BATTLE, BATTLE_GAME)}
    if owner in games:
        return games[owner]
    if owner == "playtest" and isinstance(data.get("of"), str):
        return PLAYTEST, data["of"]
    raise InputError("this is no save of a table", "Take a file that a table was saved in: solo.json, battle.json.")
