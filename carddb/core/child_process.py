"""A second Python interpreter that can be killed at any moment; messages in pipes are preceded by their length."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
from contextlib import suppress
from typing import BinaryIO, cast

from carddb.core.errors import CarddbError

_LENGTH = struct.Struct("<Q")
_NEW_GROUP = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
_CODE = "import sys; sys.path[:] = {path!r}; from {module} import serve; serve()"


class ChildProcess:
    """An interpreter that runs `serve()` of a module.

    It has a process group of its own, so that Ctrl-C reaches only its parent, and it ends when its input is closed.
    """

    def __init__(self, module: str, *options: str, keeps_errors: bool = False) -> None:
        """Starts the interpreter with `options`; if `keeps_errors`, its errors are not shown. Raises CarddbError."""
        try:
            self._process = subprocess.Popen(
                [sys.executable, *options, "-c", _CODE.format(path=sys.path, module=module)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE if keeps_errors else None,
                process_group=0 if os.name == "posix" else None,
                creationflags=_NEW_GROUP,
            )
        except OSError as fault:
            message = f"no further process can be started: {fault}"
            raise CarddbError(message, "Close other programs, or try again later.") from fault

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    def send(self, message: bytes) -> None:
        """Sends a message. Raises OSError if the process has ended."""
        send(cast(BinaryIO, self._process.stdin), message)

    def receive(self) -> bytes:
        """Waits for the next message and returns it. Raises EOFError if the process ends first."""
        return receive(cast(BinaryIO, self._process.stdout))

    def errors(self) -> str:
        """Waits for the end of a process with `keeps_errors`, and returns what it wrote to its standard error."""
        return cast(BinaryIO, self._process.stderr).read().decode("utf-8", "replace")

    def kill(self) -> None:
        """Kills the process, whatever it is doing, even while another thread waits for its answer."""
        self._process.kill()

    def end(self) -> None:
        """Kills the process, waits for its end and closes its pipes."""
        self.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            with suppress(OSError):
                pipe and pipe.close()


def send(stream: BinaryIO, message: bytes) -> None:
    """Writes a message to a pipe, preceded by its length. Raises OSError if the pipe is closed."""
    stream.write(_LENGTH.pack(len(message)) + message)
    stream.flush()


def receive(stream: BinaryIO) -> bytes:
    """Reads the next message from a pipe. Raises EOFError if the pipe ends before the message is complete."""
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        raise EOFError
    (length,) = _LENGTH.unpack(head)
    message = stream.read(length)
    if len(message) < length:
        raise EOFError
    return message
