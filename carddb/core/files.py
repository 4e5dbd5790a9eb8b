"""Reading files of untrusted folders, writing files whole or not at all, and locks on files."""

from __future__ import annotations

import contextlib
import io
import os
import re
import stat
import sys
import time
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import BinaryIO

from carddb.core.errors import InputError, OutputError

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
    for more than PATIENCE seconds, or no file can be created there.
    """
    try:
        target = path.resolve()
        target.parent.mkdir(parents=True, exist_ok=True)
        beside = target.with_name(f".{target.name}.lock")
        descriptor = _acquired(beside, time.monotonic() + PATIENCE)
    except BlockingIOError as fault:
        message = f"{path} is being changed by another carddb"
        raise OutputError(message, "Wait until that one is done, and run this again.") from fault
    except (OSError, ValueError, RuntimeError) as fault:
        raise _unwritable(path, fault) from fault
    try:
        yield
    finally:
        # Removed while still held, so that no other process's lock file is removed.
        with contextlib.suppress(OSError):
            beside.unlink()
        os.close(descriptor)


def _acquired(path: Path, until: float) -> int:
    """Returns the descriptor of the locked file. Raises BlockingIOError if another process holds it at `until`."""
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o666)
        is_ours = False
        try:
            lock(descriptor)
            is_ours = os.path.samestat(path.stat(), os.fstat(descriptor))
        except FileNotFoundError:  # another process removed it before it was locked
            continue
        except (BlockingIOError, PermissionError) as fault:
            if time.monotonic() > until:
                raise BlockingIOError from fault
            time.sleep(_PAUSE)
        finally:
            if not is_ours:
                os.close(descriptor)
        if is_ours:
            return descriptor


MOST_BYTES = 64 << 20
"""The size of the largest file that is read, such as a card file or a font, in bytes."""
_READ = os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)


class NamedBytes(io.BytesIO):
    """A file in memory, with the name of the file that it was read from.

    `folder` is the folder of that file, where the files that go with it are looked for; None if there is no folder.
    """

    def __init__(self, data: bytes, name: str, folder: Path | None = None) -> None:
        super().__init__(data)
        self.name = name
        self.folder = folder

    @property
    def path(self) -> Path:
        """The name as a path, for its suffix and stem."""
        return Path(self.name)


def read_file(path: Path, most: int = MOST_BYTES, folder: Path | None = None) -> bytes:
    """Returns the bytes of a regular file, at most the first `most` + 1. It never waits for a pipe or a device.

    With a `folder`, the file must be inside it, and no part of the path below `folder` may be a link, so that a folder
    from others can only give its own files. Raises InputError for other files, OSError if one cannot be opened or read.
    """
    descriptor = os.open(path, _READ) if folder is None else _opened_inside(folder, path)
    try:
        about = os.fstat(descriptor)
        if stat.S_ISDIR(about.st_mode):
            raise InputError(f"{path} is a folder", "Name a file in it.")
        if not stat.S_ISREG(about.st_mode):
            remedy = "Save its contents in a file, or pipe them in and write - for the name of the file."
            raise InputError(f"{path} is not a regular file", remedy)
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            return file.read(min(most, about.st_size or most) + 1)
    finally:
        os.close(descriptor)


def _opened_inside(folder: Path, path: Path) -> int:
    """Returns the descriptor of a file, opened folder by folder, so that nobody can put a link in between meanwhile."""
    outside = InputError(f"{path} leads out of the folder {folder}", "Put the file itself there, not a link to it.")
    parts = path.relative_to(folder).parts if path.is_relative_to(folder) else ("..",)
    steps = [folder.joinpath(*parts[:number]) for number in range(1, len(parts) + 1)]
    if ".." in parts:
        raise outside
    if os.open not in os.supports_dir_fd:
        if any(step.is_symlink() for step in steps):
            raise outside
        return os.open(path, _READ)
    descriptor = os.open(folder, _READ | os.O_DIRECTORY)
    for step in steps:
        is_folder = os.O_DIRECTORY if step != steps[-1] else 0
        try:
            following = os.open(step.name, _READ | _NO_LINK | is_folder, dir_fd=descriptor)
        except OSError:
            if step.is_symlink():
                raise outside from None
            raise
        finally:
            os.close(descriptor)
        descriptor = following
    return descriptor


def read_inside(folder: Path | None, path: Path, most: int = MOST_BYTES) -> bytes:
    """Reads a file in `folder` like `read_file`, but raises InputError where that raises OSError."""
    try:
        return read_file(path, most, folder)
    except (OSError, ValueError) as fault:
        raise unreadable(str(path), fault) from fault


def file_inside(folder: Path, path: Path, most: int = MOST_BYTES) -> NamedBytes:
    """Returns a file in a folder with at most its first `most` + 1 bytes. Raises InputError as `read_inside` does."""
    return NamedBytes(read_inside(folder, path, most), str(path), path.parent)


def folder_of(source: Path | BinaryIO) -> Path | None:
    """Returns the folder of a file, where files that go with it are looked for; None if it exists only in memory."""
    return source.parent if isinstance(source, Path) else source.folder if isinstance(source, NamedBytes) else None


def settings_folder() -> Path | None:
    """Returns carddb's settings folder in XDG_CONFIG_HOME or ~/.config, existing or not; None without a home folder."""
    base = os.environ.get("XDG_CONFIG_HOME", "")
    if not Path(base).is_absolute():
        base = str(Path(os.path.expanduser("~")) / ".config")  # noqa: PTH111
    return Path(base) / "carddb" if Path(base).is_absolute() else None


def unreadable(name: str, fault: Exception) -> InputError:
    """Returns the error for a file that the system does not open or read."""
    return InputError(f"{name} cannot be read: {reason(fault).lower()}", "Check its name and its permissions.")


def _unwritable(path: Path, fault: Exception) -> OutputError:
    return OutputError(f"{path} cannot be written: {reason(fault)}", "Choose another place, or free space on the disk.")


def reason(fault: Exception) -> str:
    """Returns the cause of an error in the system's words."""
    return getattr(fault, "strerror", None) or str(fault)


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
        raise _unwritable(path, fault) from fault


def replace(path: Path, data: bytes | Iterable[bytes], *, durable: bool = True, like: Path | None = None) -> None:
    """Replaces `path` by a new file with its permissions or those of `like`. Raises OSError, with `path` untouched."""
    _sweep(path.parent)
    old = like or path
    mode = old.stat().st_mode & 0o777 if old.exists() else None
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
    """Returns the files being written in `folder`, or whose writer was killed. Raises OSError if it is unreadable."""
    with os.scandir(folder) as entries:
        return sorted(Path(entry.path) for entry in entries if _UNFINISHED.fullmatch(entry.name))


def same_file(one: Path, other: Path) -> bool:
    """Returns whether both paths lead to the same file. Returns False if either is missing."""
    try:
        return one.samefile(other)
    except (OSError, ValueError):
        return False


def file_state(path: Path) -> FileState:
    """Returns the state of a file, which changes whenever the file is written or replaced; zeros for a missing file."""
    try:
        about = path.stat()
    except OSError:
        return 0, 0, 0
    return about.st_ino, about.st_size, about.st_mtime_ns
