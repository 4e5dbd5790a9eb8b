"""Writing a file whole or not at all, and noticing that one was written."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import BinaryIO

from carddb.core.errors import OutputError
from carddb.core.locks import lock

_UNFINISHED = re.compile(r"\..*\.[0-9a-f]{16}\.carddb")
"""The name of a file that is being written, or was when its program was killed."""
FileState = tuple[int, int, int]
"""Number, size and time of a file."""


def write_file(path: Path, data: bytes | Iterable[bytes], *, durable: bool = True) -> None:
    """Writes beside the file and renames, so that a reader sees the old bytes or the new ones.

    A link is followed; a device or a pipe is written to as it is. A file that is not `durable` may be lost with the
    power. Raises OutputError; whatever was at `path` before is then untouched.
    """
    try:
        target = path.resolve()
        if target.is_dir():
            raise OutputError(f"{path} is a folder, not a file", "Name a file in it.")
        if target.exists() and not target.is_file():
            with target.open("wb") as device:
                device.writelines(_parts(data))
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        replace(target, data, durable=durable)
    except (OSError, ValueError, RuntimeError) as fault:
        reason = getattr(fault, "strerror", None) or str(fault)
        raise OutputError(f"{path} cannot be written: {reason}", "Choose another place, or make room.") from fault


def replace(path: Path, data: bytes | Iterable[bytes], *, durable: bool = True) -> None:
    """Puts a new file in the place of `path`, with the old one's rights.

    Raises OSError; `path` is then untouched.
    """
    _sweep(path.parent)
    mode = path.stat().st_mode & 0o777 if path.exists() else None
    beside, file = begin(path)
    try:
        with file:
            file.writelines(_parts(data))
            file.flush()
            if durable:
                os.fsync(file.fileno())
            if mode is not None:
                beside.chmod(mode)
            if os.name == "nt":  # which renames no open file
                file.close()
            beside.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            beside.unlink()
        raise


def _parts(data: bytes | Iterable[bytes]) -> Iterable[bytes]:
    return (data,) if isinstance(data, bytes) else data


def begin(path: Path) -> tuple[Path, BinaryIO]:
    """A new file beside `path`, locked as a sign that its writer lives; it is to be renamed when it is whole.

    Its name is random: in two containers the numbers of processes are the same.
    """
    while True:
        beside = path.with_name(f".{path.name[:40]}.{os.urandom(8).hex()}.carddb")
        file = beside.open("xb")
        with contextlib.suppress(OSError):
            lock(file.fileno())
        if os.fstat(file.fileno()).st_nlink:
            return beside, file
        file.close()  # it was swept before it was locked


@cache
def _sweep(folder: Path) -> None:
    """Removes what killed programs left unfinished in a folder, once a run."""
    with contextlib.suppress(OSError):
        for path in unfinished(folder):
            with contextlib.suppress(OSError), path.open("r+b") as file:
                lock(file.fileno())
                path.unlink()


def unfinished(folder: Path) -> list[Path]:
    """The files of a folder that are being written, or were when their program was killed. Raises OSError."""
    with os.scandir(folder) as entries:
        return sorted(Path(entry.path) for entry in entries if _UNFINISHED.fullmatch(entry.name))


def same_file(one: Path, other: Path) -> bool:
    """Whether two paths lead to one file; not where either is missing."""
    try:
        return one.samefile(other)
    except (OSError, ValueError):
        return False


def file_state(path: Path) -> FileState:
    """Tells one state of a file from the next: it differs once the file was written or replaced."""
    try:
        about = path.stat()
    except OSError:
        return 0, 0, 0
    return about.st_ino, about.st_size, about.st_mtime_ns
