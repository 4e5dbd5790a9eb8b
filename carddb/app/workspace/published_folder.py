"""Writing a printed file, a ZIP, and a folder of files that may be served on the web while it is written."""

from __future__ import annotations

import io
import json
import re
import zipfile
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
    from carddb.press.sheets.sheets import CutFile

MANIFEST = "publication.json"
"""The name of the file that lists what carddb wrote into the folder; carddb removes no other files from it."""
_SCHEMA = "carddb.publication/1"
_NOT_CHANGED = "Choose another folder. The files in this one are left as they are."


def write_folder(project: Workspace, folder: Path, files: Mapping[str, bytes], entrances: Iterable[str]) -> None:
    """Writes the files of a publication, and removes those of the previous publication that are no longer part of it.

    New files come first, then changed ones, then the `entrances` where readers begin; last, files are removed. If the
    program is stopped in between, the next publication repairs the folder. Raises OutputError for any file.
    """
    with locked(folder / MANIFEST):
        earlier = _manifest(folder)
        # The names are stored before the files are written, so that none is forgotten if the program is stopped.
        _write_manifest(project, folder, {*earlier, *files})
        for path in _order(folder, files, tuple(entrances)):
            # Files lost by a power failure are written again by the next publication, which compares them.
            project.write(folder / path, files[path], durable=False)
        for path in sorted(earlier - files.keys()):
            _remove(folder, path)
        _write_manifest(project, folder, set(files))


def _order(folder: Path, files: Mapping[str, bytes], entrances: tuple[str, ...]) -> list[str]:
    """Returns the paths of the files that are new or differ from those in the folder, in the order of writing."""
    changed = {}
    for path, data in files.items():  # one at a time, because a folder may contain hundreds of megabytes
        content = _content(folder / path)
        if content != data:
            changed[path] = content is not None
    place = {path: number for number, path in enumerate(entrances, start=1)}
    return sorted(changed, key=lambda path: (place.get(path, 0), changed[path], path.endswith(".html"), path))


def _content(path: Path) -> bytes | None:
    """Returns the bytes of a file; None if it does not exist."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as fault:
        raise OutputError(f"{path} cannot be read: {fault.strerror or fault}", _NOT_CHANGED) from fault


def _manifest(folder: Path) -> set[str]:
    """Returns the paths of the files of the previous publication, if any. Raises OutputError for a faulty manifest."""
    data = _content(folder / MANIFEST)
    if data is None:
        return set()
    try:
        manifest = json.loads(data)
        names = manifest["files"]
        if manifest["schema"] != _SCHEMA or not all(isinstance(name, str) for name in names):
            raise ValueError
    except (ValueError, KeyError, TypeError, RecursionError) as fault:
        raise OutputError(f"{folder / MANIFEST} does not list published files", _NOT_CHANGED) from fault
    paths = {name: PurePosixPath(name) for name in names if "\\" not in name}
    return {  # only paths inside the folder
        name for name, path in paths.items()
        if name == str(path) and not path.is_absolute() and not {"..", "."} & {*path.parts}
    }  # fmt: skip


def _write_manifest(project: Workspace, folder: Path, names: set[str]) -> None:
    data = f"{json.dumps({'schema': _SCHEMA, 'files': sorted(names)}, indent=1)}\n".encode()
    if _content(folder / MANIFEST) != data:
        project.write(folder / MANIFEST, data)


def _remove(folder: Path, name: str) -> None:
    """Removes a file, and the folders that become empty."""
    path = folder / name
    if path.resolve() != folder.resolve() / name:  # the path goes through a link to another place
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
    """Returns `address` if it is an http or https address, or a relative path. Raises UsageError if it is neither."""
    remedy = "Write an address such as https://example.org/cards, or a path such as cards."
    try:
        parts = urlsplit(address)
    except ValueError as fault:
        raise UsageError(f"{address!r} is not an address: {fault}", remedy) from fault
    on_the_web = parts.scheme in ("http", "https") and parts.netloc
    if not (on_the_web or (not parts.scheme and not parts.netloc)) or _STRANGE.search(address):
        raise UsageError(f"{address!r} is not a web address", remedy)
    return address


@dataclass(frozen=True, slots=True)
class PrintedFile:
    """The bytes of a printed file (empty if a finding forbids printing), facts about its pages, findings and notices.

    `cards` is the number of cards or other pieces in it; `pages` is 0 for a web page.
    """

    data: bytes
    pages: int = 0
    sheets: int = 0
    cards: int = 0
    findings: tuple[Finding, ...] = ()
    notices: tuple[Notice, ...] = ()
    summary: str = ""
    """One line about the contents."""
    runs: tuple[str, ...] = ()
    """The pages to print on each paper, a line for each run of the printer; empty if all pages have the same paper."""
    ink: Callable[[], Ink] | None = field(default=None, repr=False)
    """Returns an estimate of the ink needed."""
    project: Workspace | None = field(default=None, repr=False)
    cut_files: tuple[CutFile, ...] = ()
    """The files with cut lines for a machine."""

    def write(self, path: Path | str) -> None:
        """Writes the file as a whole, and the files with cut lines beside it.

        Raises OutputError if nothing was printed, if `path` cannot be written, or if it was an input of this print.
        """
        write_printed(self.project, Path(path), self.data, self.cut_files)


def write_printed(project: Workspace | None, path: Path, data: bytes, cut_files: Iterable[CutFile] = ()) -> None:
    """Writes a printed file, and files with cut lines beside it. Raises OutputError, also if `data` is empty."""
    if not data:
        raise OutputError(f"nothing was printed, and {path} is not written", "Correct the errors among the findings.")
    write = project.write if project else write_file
    write(path, data)
    for each in cut_files:
        write(each.beside(path), each.data)


_DAY = (1980, 1, 1, 0, 0, 0)
"""The date of all files in a ZIP, so that the same files give the same bytes."""


def zip_folder(folder: Path) -> bytes:
    """Returns a ZIP of all files in a folder and below it."""
    paths = filter(Path.is_file, sorted(folder.rglob("*")))
    return zip_files({path.relative_to(folder).as_posix(): path.read_bytes() for path in paths})


def zip_files(files: Mapping[str, bytes]) -> bytes:
    """Returns a ZIP of files, given by their paths in it. The same files give the same bytes."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for path, data in files.items():
            entry = zipfile.ZipInfo(path, _DAY)
            packed = path.endswith((".png", ".jpg"))  # pictures are compressed already
            entry.compress_type = zipfile.ZIP_STORED if packed else zipfile.ZIP_DEFLATED
            entry.create_system = 3
            archive.writestr(entry, data)
    return stream.getvalue()
