"""A table that a game from outside brings: its verb on the command line, its place and its page in the browser."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.conftest import OUTSIDE, Told
from tests.web.front import Server, serving
from tests.web.tables.client import begun

Call = Callable[..., Told]

RULES = '''
from typing import Literal

from carddb.play.table.engine import action
from carddb.play.table.engine import TableGame
from carddb.play.table.front import ONE, Board, Front, Parameter, Shown, Verb
from carddb.play.table.session import Rng, TableSession, TableState


class Town(TableState):
    game: Literal["lanterns"] = "lanterns"
    version: Literal[1] = 1
    step: Literal["dusk"] = "dusk"
    lamps: int
    lit: int = 0


@action(at={"dusk"}, otherwise=lambda _: "wrong_step")
def light(session: TableSession[Town], count: int = 1) -> TableSession[Town]:
    """Light some lamps."""
    return session.with_(lit=session.table.lit + count).say(f"{count} more burn.")


GAME = TableGame(
    key="lanterns", actions={"light": light}, steps={"dusk": "light"}, usual=lambda _: "light",
    initial=lambda session: session.with_(lit=0, log=()),
    view=lambda session: {"lit": session.table.lit, "lamps": session.table.lamps},
    form=Town, restore=lambda spec, table: TableSession(spec, table), faults=lambda _: (),
)


class Lit(Board):
    direct = {"light"}


def begin(host, seed, lamps=3, options=None):
    return TableSession(host.spec, Town(lamps=lamps, rng=Rng(seed=seed)))


FRONT = Front(
    verb="lamps", label="Lamps", help="Light the lamps of a town.", file_help="The town.",
    taken=("{path} is there", "Name another."), hint="Begin one: carddb lamps new.", table=lambda: GAME,
    begin=Verb("new", "Begin at dusk.", begin, (Parameter("--lamps", "How many.", "whole"),)),
    begun=lambda session: f"{session.table.lamps} lamps.",
    seats=lambda _: {ONE: ""}, seated=lambda session, seat, action, fields: dict(fields), board=Lit,
    screen=lambda view: [f"{view['lit']} of {view['lamps']} burn"], line=lambda _, words: words,
    fields=lambda _, words: words,
    verbs=(Verb("count", "Count them.", lambda host: Shown(json=host.load().table.lamps)),),
)


def SESSION():
    return GAME


def TABLE():
    return FRONT
'''
PAGE = """{% extends "tables/_table.html" %}
{% from "tables/_table_parts.html" import hidden_fields, press with context %}
{% block board %}<form method="post">{{ hidden_fields() }}<p>{{ board.view.lit }} lamps burn</p>
{{ press(do("light"), "Light") }}</form>{% endblock %}
"""
BEGIN = '<form method="post" action="/tables/begin/lamps">{{ token() }}<input name="lamps"></form>'


@pytest.fixture
def town(tmp_path: Path) -> Path:
    """A project whose game has a table of its own."""
    game = tmp_path / "games" / "lanterns"
    shutil.copytree(OUTSIDE / "lanterns", game)
    with (game / "rules.py").open("a", encoding="utf-8") as rules:
        rules.write(RULES)
    table = game / "table"
    table.mkdir()
    for name, text in (("verb.txt", "lamps: Light the lamps of a town.\n"), ("page.html", PAGE), ("begin.html", BEGIN)):
        (table / name).write_text(text, "utf-8")
    return tmp_path


@pytest.mark.door
def test_a_game_from_outside_has_a_verb_for_its_table(town: Path, call: Call) -> None:
    """The verb is there for who names the game's folder, with its options, its own verbs and its actions."""
    games = ("--games", str(town / "games"))
    save = str(town / "lamps.json")
    assert "5 lamps" in call(*games, "lamps", "--session", save, "new", "--lamps", "5").out
    told = call(*games, "lamps", "--session", save, "light", "2")
    assert told.code == 0 and "2 more burn." in told.out and "2 of 5 burn" in told.out
    assert call(*games, "lamps", "--session", save, "count").json() == 5
    assert "--lamps" in call(*games, "lamps", "new", "--help").out
    assert call("lamps", "new").code == 2


@pytest.fixture
def server(town: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("CARDDB_GAMES", str(town / "games"))
    with serving(town) as server:
        yield server


@pytest.mark.full
def test_a_game_from_outside_has_a_place_and_a_page(town: Path, server: Server) -> None:
    """The room of tables begins it by its form with numbers, its page plays it, the save is one of the project."""
    assert "/tables/begin/lamps" in server.ask("/tables").body.decode()
    client = begun(server, "lamps", save="own.json", lamps="5")
    assert "0 lamps burn" in client.page()
    client.press("light")
    assert "1 lamps burn" in client.page()
    assert json.loads((town / "own.json").read_text("utf-8"))["lit"] == 1
    assert json.loads((town / "own.json").read_text("utf-8"))["lamps"] == 5
