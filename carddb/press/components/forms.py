"""Components as spreadsheets to fill in."""

from __future__ import annotations

from collections.abc import Sequence

from carddb.core.errors import UsageError
from carddb.games import Game
from carddb.read.tables.workbook import Formula, write_form


def spreadsheets(game: Game) -> list[str]:
    """The components of a game that can be spreadsheets to fill in, by key."""
    component_form = game.hook("component_form")
    return [key for key in game.spec.components if component_form and component_form(key, game.spec) is not None]


def form_xlsx(game: Game, keys: Sequence[str]) -> bytes:
    """The spreadsheet of one component, by its key. Raises UsageError for another number, or one that is none."""
    component_form, tables = game.hook("component_form"), spreadsheets(game)
    remedy = f"Spreadsheets of {game.spec.name}: {', '.join(tables) or 'none'}."
    if len(keys) != 1 or keys[0] not in tables:
        raise UsageError("a spreadsheet holds one component, and one that is a table to fill in", remedy)
    lines = component_form(keys[0], game.spec)
    cells = [
        [Formula(cell[1:]) if isinstance(cell, str) and cell[:1] == "=" else cell for cell in line] for line in lines
    ]
    headings = {number for number, line in enumerate(lines) if isinstance(line, list)}
    return write_form(game.spec.components[keys[0]].label, cells, headings, f"{game.spec.name} · {game.spec.by}")
