"""`carddb.toml`, the settings file of a project."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Container, Iterator, Mapping, Sequence, Set
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from carddb.core import cache
from carddb.core.errors import InputError, OutputError
from carddb.core.files import read_file, read_inside, write_file
from carddb.core.names import did_you_mean
from carddb.game.parts import LEFT_OUT

FILE = "carddb.toml"
_MOST_BYTES = 1_000_000
Values = Mapping[str, str | bool | Sequence[str]]
"""Values that may be written into a project file, by their keys."""
_MOST_DOTS = 3_000
"""The most dots in a project file: a key of 39,000 dotted parts took 6 GB, since the parser stores each beginning."""


class Settings(NamedTuple):
    """The settings in a project file, which is in the folder `root`.

    `options` and `load` are, by game, the values of its options and how its card files are read. `columns` maps
    headings of card files to fields; a mapping under the key of a game is for that game only. `defaults` are default
    options for printing. `keep_samples` are the games (True: all) whose samples stay in use beside the user's cards.
    """

    root: Path | None = None
    catalog: Path | None = None
    game: str | None = None
    games: tuple[Path, ...] = ()
    options: Mapping[str, Mapping[str, Any]] = MappingProxyType({})
    columns: Mapping[str, str | Mapping[str, str]] = MappingProxyType({})
    defaults: Mapping[str, str] = MappingProxyType({})
    load: Mapping[str, Mapping[str, Any]] = MappingProxyType({})
    keep_samples: tuple[str, ...] | bool = ()

    def keeps_samples(self, game: str) -> bool:
        """Returns whether a game's sample cards stay in use beside the user's own cards."""
        return self.keep_samples if isinstance(self.keep_samples, bool) else game in self.keep_samples

    def reads_html(self, game: str) -> bool:
        """Returns whether the texts in a game's card files contain simple HTML, as other card databases export it."""
        return bool(self.load.get(game, {}).get("html", False))

    def replaced_in(self, game: str) -> Mapping[str, str]:
        """Returns the texts that replace symbols of other databases in a game's card files, as `{symbol: text}`."""
        replaced: Mapping[str, str] = self.load.get(game, {}).get("replace", {})
        return replaced

    def columns_of(self, game: str, fields: Container[str]) -> dict[str, str]:
        """Returns the fields of a game's headings, by heading: its own, and general ones about one of `fields`."""
        own = self.columns.get(game, {})
        texts = {header: field for header, field in self.columns.items() if isinstance(field, str)}
        shared = {
            word: field for word, field in texts.items() if field in fields or field == LEFT_OUT or word in fields
        }
        return shared | (dict(own) if isinstance(own, Mapping) else {})


def find_settings(start: Path) -> Settings:
    """Returns the settings in the nearest project file at or above `start`, or defaults. Raises InputError."""
    for folder in (start, *start.parents):
        path = folder / FILE
        if path.is_file():
            return _read(path)
    return Settings()


def _read(path: Path) -> Settings:
    """Returns the settings in a project file; the parsed values are cached by the contents of the file."""
    try:
        data = read_file(path, _MOST_BYTES, path.parent)
    except OSError as error:
        raise _unreadable(path, error) from error
    if len(data) > _MOST_BYTES:
        problem = f"{path} is too large for a project file, which may have at most {_MOST_BYTES:,} bytes"
        raise InputError(problem, "Keep only settings in the file.")
    key = cache.key_of([data])
    values = cache.fetch_value("project", key)
    if values is None:
        try:
            values = _tested(path, data)
        except ValueError as error:
            raise _unreadable(path, error) from error
        cache.keep_value("project", key, values)
    root, kept = path.parent, values.get("keep_samples", ())
    own = {
        "catalog": root / (values.get("catalog") or "carddb.db"),
        "games": tuple(root / entry for entry in values.get("games", ())),
        "keep_samples": kept if isinstance(kept, bool) else tuple(kept),
    }
    return Settings(root, **{**values, **own})


def _parsed(text: str) -> dict[str, Any]:
    """Returns the values of a TOML text. Raises ValueError if it is not TOML."""
    import tomllib  # 5 ms, only if the file is not in the cache

    try:
        values = tomllib.loads(text)
        repr(values)  # hexadecimal numbers are read with more digits than Python writes
        return values
    except RecursionError as fault:
        raise ValueError("its values are nested too deep") from fault
    except tomllib.TOMLDecodeError:
        raise
    except ValueError as fault:
        raise ValueError(f"a number in it has more than {sys.get_int_max_str_digits():,} digits") from fault


def _tested(path: Path, data: bytes) -> dict[str, Any]:
    """Returns the values of a project file. Raises InputError if one is not allowed, ValueError if it is not TOML."""
    from pydantic import ValidationError  # 40 ms, only if the file is not in the cache

    from carddb.games.schemas import ProjectFile  # as above

    text = data.decode()
    if text.count(".") > _MOST_DOTS:
        raise ValueError(f"it has more than {_MOST_DOTS:,} dots")
    values = _parsed(text)
    try:
        return ProjectFile.model_validate(values).model_dump(exclude_unset=True)
    except ValidationError as fault:
        item = fault.errors(include_url=False)[0]
        key = ".".join(map(str, item["loc"]))
        unknown = item["type"] == "extra_forbidden"
        remedy = (
            did_you_mean(key, ProjectFile.model_fields)
            if unknown
            else "Write catalog and game as texts in quotes, and games as a list of such texts."
        )
        problem = "is not a setting" if unknown else "has a value of the wrong kind"
        raise InputError(f"{path}: {key} {problem}", remedy) from fault


def _unreadable(path: Path, error: Exception) -> InputError:
    return InputError(f"{path} cannot be read: {error}", "Correct the file, or run carddb in another folder.")


def write_settings(folder: Path, changes: Mapping[tuple[str, ...], Values]) -> Path:
    """Writes values into the project file of a folder, leaving the rest of the file as it is, and returns its path.

    The keys of `changes` are paths of tables, such as `("columns", "cahrd")`; the empty path means the part before the
    first table. Raises InputError if the file cannot be read. Raises OutputError, with the lines for the user to write,
    if a table is written in a form that carddb cannot change.
    """
    path = folder / FILE
    try:
        text = read_inside(folder, path, _MOST_BYTES).decode() if path.is_file() else ""
    except UnicodeDecodeError as fault:  # nothing of what the user wrote may be replaced
        raise InputError(f"{path} is not UTF-8", "Save the file in the encoding UTF-8.") from fault
    for table, values in changes.items():
        after = _with_values(text, table, values)
        if not _holds(after, table, values):
            head = [f"[{'.'.join(table)}]"] if table else []
            what = f"the table {head[0]} of {path}" if head else str(path)
            lines = ["Write these lines yourself, in place of those there now:", *head, *_lines(table, values)]
            raise OutputError(f"carddb cannot change {what} as it is written", "\n".join(lines))
        text = after
    write_file(path, text.encode())
    return path


def _holds(text: str, table: tuple[str, ...], values: Values) -> bool:
    """Returns whether a TOML text is valid and sets `values` in the table with the path `table`."""
    try:
        inside: Any = _parsed(text)
        for key in table:
            inside = inside[key]
    except (ValueError, KeyError, TypeError):
        return False
    return all(inside.get(key) == value for key, value in values.items())


def _with_values(text: str, table: tuple[str, ...], values: Values) -> str:
    """Returns the text of a project file with a line for each of `values` in a table, replacing lines of their keys."""
    start, new = 0, "".join(f"{line}\n" for line in _lines(table, values))
    if table:
        name = r"\.".join(f'(?:{re.escape(key)}|"{re.escape(key)}")' for key in table)
        head = re.search(rf"^\[{name}\][ \t]*(?:#.*)?$", text, re.MULTILINE)
        if not head:
            return f"{text.rstrip()}\n\n[{'.'.join(table)}]\n{new}".lstrip("\n")
        start = head.end()
    end = re.compile(r"^\[", re.MULTILINE).search(text, start)
    rest = text[end.start() :] if end else ""
    body = "\n".join(_others(text[start : len(text) - len(rest)], values)).strip("\n")
    before = f"{text[:start]}\n" if table else ""
    return f"{before}{body + chr(10) if body else ''}{new}{chr(10) if rest else ''}{rest}"


def _others(body: str, values: Values) -> Iterator[str]:
    """Yields the lines of a table that set none of the keys in `values`; a list over several lines is one piece."""
    lines = iter(body.splitlines())
    for first in lines:
        line = first
        key, _, value = first.partition("=")
        if key.strip() in values and value.lstrip().startswith("["):
            while not _keys(line) and (more := next(lines, None)) is not None:
                line = f"{line}\n{more}"
        if _keys(line).isdisjoint(values):
            yield line


def _keys(text: str) -> Set[str]:
    """Returns the keys that a TOML text sets; none if it is not valid, such as the first line of a longer list."""
    try:
        return _parsed(text).keys()
    except ValueError:
        return set()


def _lines(table: tuple[str, ...], values: Values) -> list[str]:
    """Returns the lines that set `values`. Keys in tables are quoted, because headings may have any characters."""
    # JSON that is all ASCII is also TOML, for texts, booleans and lists of texts.
    return [f"{json.dumps(key) if table else key} = {json.dumps(value)}" for key, value in values.items()]
