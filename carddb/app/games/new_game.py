"""The files of a game of one's own: a small one to grow, or one that is like another game."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from carddb.app.workspace.workspace import Workspace
from carddb.core import assets
from carddb.core.errors import UsageError
from carddb.games import GameFolder
from carddb.games.opening.folder import GAME_FILE, folders

SCHEMAS = "schema"
"""The folder of a project that holds the schemas by which editors complete and check its files."""
_SMALL_GAME = "_new_game"
_PLACEHOLDER = re.compile("@(key|prefix|name)@")
_FILE_SCHEMAS = {GAME_FILE: "game", "rules.yaml": "rules", "bans.yaml": "ban-log"}
_PROGRAM = '''"""The rules of {name} that data cannot say: those of {like}. Write others in their place."""

from carddb.games.{module}.rules import *
'''


def checked_key(key: str, project: Workspace) -> str:
    """The key of a new game. Raises UsageError where it cannot be one, or a game has it."""
    if not re.fullmatch("[a-z][a-z0-9]*(-[a-z0-9]+)*", key):
        raise UsageError(f"{key!r} cannot be the key of a game", "Use small letters, digits and strokes: night-market.")
    if key in project.folders or _prefix(key) in {folder.prefix for folder in project.folders.values()}:
        raise UsageError(f"there is a game {key!r} already, or one whose operations are called so", "Choose another.")
    return key


def small_game(key: str) -> dict[str, bytes]:
    """The files of a small game that works and can be grown, by their paths in its folder."""
    words = {"key": key, "prefix": _prefix(key), "name": _name(key)}
    source = assets.templates() / _SMALL_GAME
    texts = {path.relative_to(source).as_posix(): path.read_text("utf-8") for path in _files([source])}
    return {
        name: _PLACEHOLDER.sub(lambda match: words[match[1]], text).encode() for name, text in sorted(texts.items())
    }


def game_like(folder: GameFolder, key: str) -> dict[str, bytes]:
    """The files of a game that begins as a copy of another, under a key of its own, by their paths in its folder.

    What the other computes it computes too: its `rules.py` takes everything from there.
    """
    own = {path.relative_to(folder.path).as_posix(): path for path in _files_of(folder)}
    drawn = {f"templates/{path.name}": path for path in _files([folder.template_folder]) if path.suffix == ".svg"}
    files = {name: _renamed(name, path.read_text("utf-8"), folder, key) for name, path in {**own, **drawn}.items()}
    if folder.bundled and (folder.path / "rules.py").is_file():
        files["rules.py"] = _PROGRAM.format(name=_name(key), like=folder.key, module=folder.path.name)
    return {name: text.encode() for name, text in sorted(files.items())}


def schemas() -> dict[str, bytes]:
    """The schemas of the files that a project and its game consist of, by their paths in the project."""
    names = [f"{stem}.schema.json" for stem in (*_FILE_SCHEMAS.values(), "project")]
    return {f"{SCHEMAS}/{name}": (assets.schema() / name).read_bytes() for name in names}


def game_folder(path: Path) -> GameFolder:
    """The folder of the one game that was written there."""
    return folders([(path, False)])[path.name]


def _files_of(folder: GameFolder) -> list[Path]:
    further = [path for path in (folder.cards_file, folder.guide_file) if path and path.is_file()]
    program = folder.path / "rules.py"
    own_program = [program] if not folder.bundled and program.is_file() else []
    return [*folder.data_files, *further, *own_program, *_files([folder.path / "decks"])]


def _files(folders_: Iterable[Path]) -> list[Path]:
    return [path for folder in folders_ for path in sorted(folder.rglob("*")) if path.is_file()]


def _renamed(name: str, text: str, folder: GameFolder, key: str) -> str:
    """A file of a game as the new game has it: with its key where the other's stands."""
    old, place = re.escape(folder.key), re.escape(folder.path.name)
    changes: Mapping[str, tuple[str, str]] = {
        ".svg": (rf'(["\']){place}/(?=[\w.-]+\.svg["\'])', rf"\1{key}/"),
        ".md": (rf"\b(component|sheet):{old}/", rf"\1:{key}/"),
        ".deck": (rf"(?m)^(Game:\s*){old}\s*$", rf"\g<1>{key}"),
    }
    pattern, replacement = changes.get(Path(name).suffix, ("(?!)", ""))
    text = re.sub(pattern, replacement, text)
    if name == GAME_FILE:
        text = re.sub(rf"(?m)^key:\s*{old}\s*$", f"key: {key}", text)
        text = re.sub(r"(?m)^prefix:.*$", f"prefix: {_prefix(key)}", text)
        text = re.sub(r"(?m)^name:.*$", f"name: {_name(key)}", text, count=1)
    schema = _FILE_SCHEMAS.get(name)
    return f"# yaml-language-server: $schema=../{SCHEMAS}/{schema}.schema.json\n{text}" if schema else text


def _prefix(key: str) -> str:
    return key.replace("-", "_")


def _name(key: str) -> str:
    return key.replace("-", " ").title()
