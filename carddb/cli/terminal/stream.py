"""Standard output that survives a closed pipe and says clearly when it cannot be written; errors that never fail."""

from __future__ import annotations

import io
import os
import sys
from typing import Any, TextIO

from carddb.core.errors import OutputError


class Descriptor(io.RawIOBase):
    """An open file descriptor: a closed pipe swallows what comes, any other failure is an OutputError, once.

    Where it `never_fails`, every failure is swallowed: there is no other place to report it.
    """

    def __init__(self, descriptor: int, never_fails: bool = False) -> None:
        super().__init__()
        self._descriptor = descriptor
        self._never_fails = never_fails
        self._silent = False

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._descriptor

    def isatty(self) -> bool:
        return os.isatty(self._descriptor)

    def write(self, data: Any) -> int:
        """Writes bytes, all of them."""
        view = memoryview(data).cast("B")
        done = 0
        while done < len(view) and not self._silent:
            done += self._put(view[done:])
        return len(view)

    def _put(self, view: memoryview) -> int:
        try:
            return os.write(self._descriptor, view)
        except OSError as fault:
            self._silent = True
            if self._never_fails or isinstance(fault, BrokenPipeError):
                return 0
            message = f"standard output cannot be written: {fault.strerror or fault}"
            raise OutputError(message, "Make room, or write elsewhere.") from fault


def install() -> None:
    """Puts both outputs behind a Descriptor; a program started without a stream writes to nowhere."""
    sys.stderr = _stream(sys.stderr, never_fails=True)
    sys.stdout = _stream(sys.stdout)


def _stream(stream: TextIO | None, never_fails: bool = False) -> TextIO:
    if stream is None:
        return open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123
    raw = Descriptor(stream.fileno(), never_fails)
    at_once = never_fails or raw.isatty()
    return io.TextIOWrapper(io.BufferedWriter(raw), stream.encoding, "backslashreplace", line_buffering=at_once)
