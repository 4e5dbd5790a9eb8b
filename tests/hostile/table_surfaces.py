"""Saved sessions at a table: solo sessions and Battles."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from carddb.app.tables.file import TableFile, front_of
from carddb.cli.main import run
from carddb.games import folders
from carddb.play.question import Refusal
from carddb.play.table.engine import act, public_log, public_view
from tests.hostile.surface import DONE, TOLD, Bench, Reader, open_project, read_from, written

_SOLO = ("solo", "--session", "solo.json")
_BATTLE = ("battle", "--session", "battle.json")


def solo_saves(_folder: Path) -> Bench:
    """Saved solo sessions, from which one goes on."""
    begin = (*_SOLO, "new", "--module", "generic-separate", "--seed", "5")
    seeds = _saves(_SOLO, begin, ("start-phase", "roll 1", "play A ops", "next-round", "roll 2"))
    commands = written("solo.json", (*_SOLO, "status"), (*_SOLO, "roll"))
    return Bench(seeds, commands, _reader(_file("cdg-solo", _path(_SOLO))))


def battle_saves(_folder: Path) -> Bench:
    """Saved Battles, from which one goes on."""
    decks = [str(path) for path in folders()["rishar"].decks[2:4]]
    begin = ("battle", "new", *decks, "--session", "battle.json", "--seed", "5", "--first", "a")
    seeds = _saves(_BATTLE, begin, ("pass", "pass", "unable", "pass", "roll"))
    commands = written("battle.json", (*_BATTLE, "status"), (*_BATTLE, "pass"))
    return Bench(seeds, commands, _reader(_file("rishar", _path(_BATTLE))))


def _file(key: str, path: Path) -> TableFile[Any]:
    project = open_project()
    game = project.game(key)
    front = front_of(game)
    assert front is not None
    return TableFile(project, path, game, front)


def _path(verb: Sequence[str]) -> Path:
    return Path(verb[2])


def _saves(verb: Sequence[str], begin: Sequence[str], lines: Sequence[str]) -> list[bytes]:
    """The save after each action; one that is not allowed at that moment changes nothing."""
    seeds = []
    for command in (begin, *((*verb, *line.split()) for line in lines)):
        run(["-q", *command])
        seeds.append(_path(verb).read_bytes())
    return list(dict.fromkeys(seeds))


def _reader(file: TableFile[Any]) -> Reader:
    """Reads the save, shows it, and tries every action without further words."""

    def read(_path: Path) -> str:
        session = file.load()
        view = public_view(file.table, session)
        public_log(session)
        done = 0
        for name in view["actions"]:
            try:
                act(file.table, session, name, {})
                done += 1
            except Refusal as refusal:
                file.reason(refusal)
        return DONE if done else TOLD

    return read_from(str(file.path), read)
