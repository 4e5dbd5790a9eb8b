"""Files that are written whole or not at all, and locks on files."""

from __future__ import annotations

import contextlib
import os
import re
import sys
import time
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import BinaryIO

from carddb.core.errors import OutputError

PATIENCE = 4.0
"""Seconds to wait for a lock that another process holds."""
_PAUSE = 0.02
"""Seconds between two attempts to lock, because `flock` itself has no time limit."""

if sys.platform == "win32":
    import msvcrt

    def lock(descriptor: int) -> None:
        """Locks an open file at once. Raises OSError if another process holds the lock."""
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def lock(descriptor: int) -> None:
        """Locks an open file at once. Raises OSError if another process holds the lock."""
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Keeps other carddb processes from changing `path` while the block reads and rewrites it.

    The lock is a file beside `path`, `.NAME.lock`, removed at the end. Raises OutputError if another process holds it
    for longer than PATIENCE, or no file can be created there.
    """
    try:
        target = path.resolve()
        target.parent.mkdir(parents=True, exist_ok=True)
        beside = target.with_name(f".{target.name}.lock")
        descriptor = _acquired(beside, time.monotonic() + PATIENCE)
    except BlockingIOError as fault:
        raise OutputError(
            f"{path} is being changed by another carddb", "Wait until it is done, and run this again."
        ) from fault
    except (OSError, ValueError, RuntimeError) as fault:
        reason = getattr(fault, "strerror", None) or str(fault)
        raise OutputError(f"{path} cannot be written: {reason}", "Choose another place, or make room.") from fault
    try:
        yield
    finally:
        # Removed while still held, so that no other process's lock file is removed.
        with contextlib.suppress(OSError):
            beside.unlink()
        os.close(descriptor)


def _acquired(path: Path, until: float) -> int:
    """Returns the descriptor of the locked file. Raises BlockingIOError if
    another process still holds it at `until`."""
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o666)
        try:
            if _has_lock(descriptor, until) and _is_file_of(path, descriptor):
                return descriptor
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)


def _has_lock(descriptor: int, until: float) -> bool:
    while True:
        try:
            lock(descriptor)
            return True
        except (BlockingIOError, PermissionError) as fault:
            if time.monotonic() > until:
                raise BlockingIOError from fault
            time.sleep(_PAUSE)


def _is_file_of(path: Path, descriptor: int) -> bool:
    """Returns whether `path` still is the open file, since another process may have removed it before it was locked."""
    try:
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False


_UNFINISHED = re.compile(r"\..*\.[0-9a-f]{16}\.carddb")
"""The name of a file that is being written, or whose writer was killed."""
FileState = tuple[int, int, int]
"""The inode, the size in bytes and the modification time in nanoseconds of a file."""


def write_file(path: Path, data: bytes | Iterable[bytes], *, durable: bool = True) -> None:
    """Writes a new file beside `path` and renames it, so that a reader sees the old bytes or the new ones.

    Links are followed; a device or a pipe is written to directly. Without `durable`, the file may be lost in a power
    cut. Raises OutputError if the file cannot be written; what was at `path` is then untouched.
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
    """Replaces `path` by a new file with the same permissions. Raises OSError; `path` is then untouched."""
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
            if os.name == "nt":  # Windows renames no open file
                file.close()
            beside.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            beside.unlink()
        raise


def _parts(data: bytes | Iterable[bytes]) -> Iterable[bytes]:
    return (data,) if isinstance(data, bytes) else data


def begin(path: Path) -> tuple[Path, BinaryIO]:
    """Returns the path and the open stream of a new file beside `path`, to be renamed when it is complete.

    The file is locked as a sign that its writer is alive. Its name is random, because process ids repeat in containers.
    """
    while True:
        beside = path.with_name(f".{path.name[:40]}.{os.urandom(8).hex()}.carddb")
        file = beside.open("xb")
        with contextlib.suppress(OSError):
            lock(file.fileno())
        if os.fstat(file.fileno()).st_nlink:
            return beside, file
        file.close()  # another process swept it before it was locked


@cache
def _sweep(folder: Path) -> None:
    """Removes the files that killed programs left unfinished in `folder`, once per folder and run."""
    with contextlib.suppress(OSError):
        for path in unfinished(folder):
            with contextlib.suppress(OSError), path.open("r+b") as file:
                lock(file.fileno())
                path.unlink()


def unfinished(folder: Path) -> list[Path]:
    """Returns the files in `folder` that are being written, or whose writer was killed. Raises OSError."""
    with os.scandir(folder) as entries:
        return sorted(Path(entry.path) for entry in entries if _UNFINISHED.fullmatch(entry.name))


def same_file(one: Path, other: Path) -> bool:
    """Returns whether both paths lead to the same file. Returns False if either is missing."""
    try:
        return one.samefile(other)
    except (OSError, ValueError):
        return False


def file_state(path: Path) -> FileState:
    """Returns a state of a file that changes whenever the file is written or replaced."""
    try:
        about = path.stat()
    except OSError:
        return 0, 0, 0
    return about.st_ino, about.st_size, about.st_mtime_ns
