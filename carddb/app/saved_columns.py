"""What headings mean, written into `carddb.toml` for the next load; every other line of the file stays as it is."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from typing import TYPE_CHECKING

from carddb.app.settings import FILE
from carddb.errors import OutputError
from carddb.files import write_file

if TYPE_CHECKING:
    from carddb.app.project import Project
    from carddb.games import Game


def save_columns(project: Project, game: Game, columns: Mapping[str, str]) -> None:
    """Adds headings and their fields under `[columns.GAME]`, in place of those that stand there.

    Raises OutputError where the file says its columns in another form, with the lines to write.
    """
    if not columns:
        return
    path = (project.settings.root or project.folder) / FILE
    before = path.read_text("utf-8") if path.is_file() else ""
    after = _with_columns(before, game.key, columns)
    try:
        saved = tomllib.loads(after)["columns"][game.key]
    except (tomllib.TOMLDecodeError, KeyError, TypeError):
        saved = {}
    if not columns.items() <= saved.items():
        lines = "; ".join(_line(*pair) for pair in columns.items())
        raise OutputError(f"the columns of {path} could not be written", f"Write under [columns.{game.key}]: {lines}")
    write_file(path, after.encode())
    project.notify("columns_saved", f"{path}: [columns.{game.key}] has what --map says")


def _with_columns(text: str, key: str, columns: Mapping[str, str]) -> str:
    """The text of a project file with lines for these columns."""
    head = re.search(rf'^\[columns\.(?:{re.escape(key)}|"{re.escape(key)}")\][ \t]*(?:#.*)?$', text, re.MULTILINE)
    new = "".join(f"{_line(*pair)}\n" for pair in columns.items())
    if not head:
        return f"{text.rstrip()}\n\n[columns.{key}]\n{new}".lstrip("\n")
    end = re.compile(r"^\[", re.MULTILINE).search(text, head.end())
    stop = end.start() if end else len(text)
    others = [line for line in text[head.end() : stop].splitlines() if _heading(line) not in columns]
    body = "\n".join(others).strip("\n")
    rest = text[stop:]
    return f"{text[: head.end()]}\n{body + chr(10) if body else ''}{new}{chr(10) if rest else ''}{rest}"


def _heading(line: str) -> str | None:
    """The heading of which a line says the field."""
    try:
        return next(iter(tomllib.loads(line)), None)
    except tomllib.TOMLDecodeError:
        return None


def _line(heading: str, field: str) -> str:
    # A JSON string without characters beyond ASCII is one of TOML.
    return f"{json.dumps(heading)} = {json.dumps(field)}"
