"""Files for others: what is printed as one file, and a folder that stands on the web while it is written."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from carddb.app.workspace.workspace import Notice, Workspace
from carddb.core.errors import OutputError, UsageError
from carddb.core.files import locked, write_file
from carddb.findings import Finding

if TYPE_CHECKING:
    from carddb.press.sheets.card_sheets import Ink

MANIFEST = "publication.json"
"""The names of the files that carddb wrote into the folder: it removes no others."""
_SCHEMA = "carddb.publication/1"
_NOT_CHANGED = "Choose another folder: what lies there is left as it is."


def write_folder(project: Workspace, folder: Path, files: Mapping[str, bytes], entrances: Iterable[str]) -> None:
    """Writes the files of a publication by path, and removes those of the last one that are no longer in it.

    New files come first, then those that changed; `entrances`, by which readers come in, are last. Only then are files
    removed. Whoever stops in between leaves a folder that the next publication puts right. Raises OutputError.
    """
    with locked(folder / MANIFEST):
        earlier = _manifest(folder)
        # Named before they are written: so nothing is forgotten where the program is stopped.
        _write_manifest(project, folder, {*earlier, *files})
        for path in _order(folder, files, tuple(entrances)):
            # What the power took is written again by the next publication, which compares.
            project.write(folder / path, files[path], durable=False)
        for path in sorted(earlier - files.keys()):
            _remove(folder, path)
        _write_manifest(project, folder, set(files))


def _order(folder: Path, files: Mapping[str, bytes], entrances: tuple[str, ...]) -> list[str]:
    """Returns the files to write, in their order: what is the same already is left out."""
    changed = {}
    for path, data in files.items():  # one at a time: a folder may hold hundreds of megabytes
        content = _content(folder / path)
        if content != data:
            changed[path] = content is not None
    place = {path: number for number, path in enumerate(entrances, start=1)}
    return sorted(changed, key=lambda path: (place.get(path, 0), changed[path], path.endswith(".html"), path))


def _content(path: Path) -> bytes | None:
    """Returns the bytes of a file; None where there is none."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as fault:
        raise OutputError(f"{path} cannot be read: {fault.strerror or fault}", _NOT_CHANGED) from fault


def _manifest(folder: Path) -> set[str]:
    """Returns the files of the last publication; none where there was no other.

    Raises OutputError for a faulty manifest.
    """
    data = _content(folder / MANIFEST)
    if data is None:
        return set()
    try:
        manifest = json.loads(data)
        names = manifest["files"]
        if manifest["schema"] != _SCHEMA or not all(isinstance(name, str) for name in names):
            raise ValueError
    except (ValueError, KeyError, TypeError, RecursionError) as fault:
        raise OutputError(f"{folder / MANIFEST} is no list of published files", _NOT_CHANGED) from fault
    paths = {name: PurePosixPath(name) for name in names if "\\" not in name}
    return {  # those inside the folder
        name for name, path in paths.items()
        if name == str(path) and not path.is_absolute() and not {"..", "."} & {*path.parts}
    }  # fmt: skip


def _write_manifest(project: Workspace, folder: Path, names: set[str]) -> None:
    data = f"{json.dumps({'schema': _SCHEMA, 'files': sorted(names)}, indent=1)}\n".encode()
    if _content(folder / MANIFEST) != data:
        project.write(folder / MANIFEST, data)


def _remove(folder: Path, name: str) -> None:
    """Removes a file, and the folders that are empty without it."""
    path = folder / name
    if path.resolve() != folder.resolve() / name:  # a link leads elsewhere
        return
    try:
        path.unlink(missing_ok=True)
    except OSError as fault:
        raise OutputError(f"{path} cannot be removed: {fault.strerror or fault}", "Remove it by hand.") from fault
    with suppress(OSError):
        for parent in path.relative_to(folder).parents[:-1]:
            (folder / parent).rmdir()


_STRANGE = re.compile(r"[\s\x00-\x20\x7f-\x9f<>\"'\\^`{|}]")


def checked_address(address: str) -> str:
    """Returns the address, where it is one of http or https, or a path beside what is written. Raises UsageError."""
    remedy = "Write it as https://example.org/cards, or as a path: cards."
    try:
        parts = urlsplit(address)
    except ValueError as fault:
        raise UsageError(f"{address!r} is no address: {fault}", remedy) from fault
    on_the_web = parts.scheme in ("http", "https") and parts.netloc
    if not (on_the_web or (not parts.scheme and not parts.netloc)) or _STRANGE.search(address):
        raise UsageError(f"{address!r} is no address of the web", remedy)
    return address


@dataclass(frozen=True, slots=True)
class PrintedFile:
    """The bytes of a file, what is on its pages, and what there is to say about it.

    `cards` are the cards or pieces on it; `pages` is 0 for a web page. `data` is empty where findings forbid it.
    """

    data: bytes
    pages: int = 0
    sheets: int = 0
    cards: int = 0
    findings: tuple[Finding, ...] = ()
    notices: tuple[Notice, ...] = ()
    summary: str = ""
    """One line of what is in it."""
    runs: tuple[str, ...] = ()
    """Which pages to print on what, a line for each run of the printer; empty where all pages are alike."""
    ink: Callable[[], Ink] | None = field(default=None, repr=False)
    """Estimates the ink that it takes."""
    project: Workspace | None = field(default=None, repr=False)

    def write(self, path: Path | str) -> None:
        """Writes the file whole. Raises OutputError, also where nothing was printed or `path` was read for it."""
        write_printed(self.project, Path(path), self.data)


def write_printed(project: Workspace | None, path: Path, data: bytes) -> None:
    """Writes what was printed. Raises OutputError."""
    if not data:
        raise OutputError(f"nothing was printed for {path}", "The findings of the result say why.")
    if project:
        project.write(path, data)
    else:
        write_file(path, data)
