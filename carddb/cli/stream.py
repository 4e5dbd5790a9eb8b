"""Standard output that survives a closed pipe and says clearly when it cannot be written."""

from __future__ import annotations

import io
import os
import sys
from typing import Any

from carddb.errors import OutputError


class Descriptor(io.RawIOBase):
    """An open file descriptor: a closed pipe swallows what comes, any other failure is an OutputError, once."""

    def __init__(self, descriptor: int) -> None:
        super().__init__()
        self._descriptor = descriptor
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
        except BrokenPipeError:
            self._silent = True
            return 0
        except OSError as fault:
            self._silent = True
            message = f"standard output cannot be written: {fault.strerror or fault}"
            raise OutputError(message, "Make room, or write elsewhere.") from fault


def install() -> None:
    """Puts standard output behind a Descriptor; a program started without a stream writes to nowhere."""
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
        return
    raw = Descriptor(sys.stdout.fileno())
    encoding, errors = sys.stdout.encoding, "backslashreplace"
    sys.stdout = io.TextIOWrapper(io.BufferedWriter(raw), encoding, errors, line_buffering=raw.isatty())
