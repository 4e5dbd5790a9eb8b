"""How card files are read, written into `carddb.toml` for the next load; every other line of it stays as it is."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path

from carddb.app.workspace.settings import FILE
from carddb.app.workspace.workspace import Workspace
from carddb.core.errors import OutputError
from carddb.core.files import write_file
from carddb.games import Game


def save_columns(project: Workspace, game: Game, columns: Mapping[str, str], html: bool = False) -> None:
    """Adds headings and their fields under `[columns.GAME]`, in place of those that stand there.

    With `html` also that texts hold it, under `[load.GAME]`. Raises OutputError where the file says it in another form,
    with the lines to write.
    """
    path = (project.settings.root or project.folder) / FILE
    text = path.read_text("utf-8") if path.is_file() else ""
    tables: dict[str, Mapping[str, str | bool]] = {"columns": columns, "load": {"html": True} if html else {}}
    for table, values in tables.items():
        if values:
            text = _with_values(path, text, table, game.key, values)
    if columns or html:
        write_file(path, text.encode())
        options = [option for option, is_said in (("--map", columns), ("--html", html)) if is_said]
        project.notify("columns_saved", f"{path} has what {' and '.join(options)} said")


def _with_values(path: Path, text: str, table: str, key: str, values: Mapping[str, str | bool]) -> str:
    """The text of a project file with values in the table of a game. Raises OutputError."""
    after = _with_lines(text, table, key, values)
    try:
        saved = tomllib.loads(after)[table][key]
    except (tomllib.TOMLDecodeError, KeyError, TypeError):
        saved = {}
    if not values.items() <= saved.items():
        lines = "; ".join(_line(*pair) for pair in values.items())
        raise OutputError(f"the {table} of {path} could not be written", f"Write under [{table}.{key}]: {lines}")
    return after


def _with_lines(text: str, table: str, key: str, values: Mapping[str, str | bool]) -> str:
    """The text of a project file with lines for these values."""
    head = re.search(rf'^\[{table}\.(?:{re.escape(key)}|"{re.escape(key)}")\][ \t]*(?:#.*)?$', text, re.MULTILINE)
    new = "".join(f"{_line(*pair)}\n" for pair in values.items())
    if not head:
        return f"{text.rstrip()}\n\n[{table}.{key}]\n{new}".lstrip("\n")
    end = re.compile(r"^\[", re.MULTILINE).search(text, head.end())
    stop = end.start() if end else len(text)
    others = [line for line in text[head.end() : stop].splitlines() if _key(line) not in values]
    body = "\n".join(others).strip("\n")
    rest = text[stop:]
    return f"{text[: head.end()]}\n{body + chr(10) if body else ''}{new}{chr(10) if rest else ''}{rest}"


def _key(line: str) -> str | None:
    """The key of which a line says the value."""
    try:
        return next(iter(tomllib.loads(line)), None)
    except tomllib.TOMLDecodeError:
        return None


def _line(key: str, value: str | bool) -> str:
    # JSON without characters beyond ASCII is TOML, for texts and for truth values.
    return f"{json.dumps(key)} = {json.dumps(value)}"
