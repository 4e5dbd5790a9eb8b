"""One process at a time: a lock on an open file, which ends with the process that holds it, however it ends."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from carddb.core.errors import OutputError

PATIENCE = 4.0
"""The seconds to wait for another process."""
_PAUSE = 0.02
"""The seconds between two attempts: `flock` itself knows no time limit."""

if sys.platform == "win32":
    import msvcrt

    def lock(descriptor: int) -> None:
        """Locks an open file at once. Raises OSError where another process holds it."""
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def lock(descriptor: int) -> None:
        """Locks an open file at once. Raises OSError where another process holds it."""
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Within, no other process that asks for the same path: what is read there is still so when it is written.

    The lock is a file beside `path`, `.NAME.lock`, removed at the end. Raises OutputError where another process holds
    it for longer than PATIENCE, or where no file can be made there.
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
        # Removed while it is still held, so that nobody's lock is taken away.
        with contextlib.suppress(OSError):
            beside.unlink()
        os.close(descriptor)


def _acquired(path: Path, until: float) -> int:
    """The locked file, open. Raises BlockingIOError where another process holds it up to `until`."""
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
    """Whether an open file still has its name: another process may have removed it before it was locked."""
    try:
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False
