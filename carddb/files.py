"""Writing a file whole or not at all."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from carddb.errors import OutputError


def write_file(path: Path, data: bytes) -> None:
    """Writes beside the file and renames, so that a reader sees the old bytes or the new ones.

    A link is followed; a device or a pipe is written to as it is. Raises OutputError; whatever was at `path`
    before is then untouched.
    """
    try:
        target = path.resolve()
        if target.is_dir():
            raise OutputError(f"{path} is a folder, not a file", "Name a file in it.")
        if target.exists() and not target.is_file():
            target.write_bytes(data)
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        _replace(target, data)
    except (OSError, ValueError, RuntimeError) as fault:
        reason = getattr(fault, "strerror", None) or str(fault)
        raise OutputError(f"{path} cannot be written: {reason}", "Choose another place, or make room.") from fault


def _replace(path: Path, data: bytes) -> None:
    beside = path.with_name(f".{path.name[:60]}.{os.getpid()}")
    mode = path.stat().st_mode & 0o777 if path.exists() else None
    file = beside.open("xb")
    try:
        with file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            beside.chmod(mode)
        beside.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            beside.unlink()
        raise


def same_file(one: Path, other: Path) -> bool:
    """Whether two paths lead to one file; not where either is missing."""
    try:
        return one.samefile(other)
    except (OSError, ValueError):
        return False
