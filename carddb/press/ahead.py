"""Work on a long row of things by several processes: the program goes from the first on, helpers from the last.

They need not agree on who does what: where they meet the helpers are sent home, and what one of them did not do, the
program does itself. It never waits for a helper. So it makes no difference to what comes of it whether there are any,
how fast they are, or whether one of them fails.
"""

from __future__ import annotations

import gc
import os
import pickle
import select
import signal
import struct
import sys
import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Generic, NoReturn, TypeVar

MOST = 4
"""More processes than this wait for the one that gives them work or puts it together."""
_WORTH = 100
"""Things for which it pays to start helpers."""
_BATCH = 16
"""Things that a helper tells at once."""
_LENGTH = struct.Struct("<Q")

Made = TypeVar("Made")


def spare(things: int) -> int:
    """How many helpers to start for so many things, so that a core is left to the program.

    A helper is a copy of this process, which not every system makes safely.
    """
    if things < _WORTH or sys.platform != "linux":
        return 0
    return min(len(os.sched_getaffinity(0)), MOST) - 1


class Ahead(Generic[Made]):
    """What `make` gives for each of `numbers`, as far as helpers have made it."""

    def __init__(self, make: Callable[[int], Made], numbers: Sequence[int], helpers: int) -> None:
        self._helpers: list[_Helper[Made]] = []
        with suppress(OSError):  # where the system gives no more processes, those that there are do
            for at in range(helpers):
                self._helpers.append(_Helper(make, numbers[-1 - at :: -helpers]))

    def take(self, number: int) -> Made | None:
        """What was made for a number, once; None where no helper has come so far."""
        for helper in self._helpers:
            made = helper.take(number)
            if made is not None:
                return made
        return None

    def end(self) -> None:
        """Sends the helpers home."""
        for helper in self._helpers:
            helper.end()


class _Helper(Generic[Made]):
    """A copy of this process that makes what is asked, in that order, and ends without a trace."""

    def __init__(self, make: Callable[[int], Made], numbers: Sequence[int]) -> None:
        self._made: dict[int, Made] = {}
        self._pipe, theirs = os.pipe()
        try:
            self._process = _copied()
        except OSError:
            os.close(self._pipe)
            os.close(theirs)
            raise
        if not self._process:
            _serve(make, numbers, theirs)
        os.close(theirs)
        self._busy = True

    def take(self, number: int) -> Made | None:
        """What it made for a number. Whoever asks has come to where it is: it is not needed any more."""
        while self._busy and select.select([self._pipe], [], [], 0)[0]:
            told = _read(self._pipe)
            if not told:
                self.end()
            else:
                self._made.update(pickle.loads(told))
        made = self._made.pop(number, None)
        if made is not None:
            self.end()
        return made

    def end(self) -> None:
        """Stops it wherever it is."""
        if self._busy:
            self._busy = False
            os.close(self._pipe)
            os.kill(self._process, signal.SIGKILL)
            os.waitpid(self._process, 0)


def _copied() -> int:
    """The number of a new copy of this process; 0 in the copy. Raises OSError."""
    with warnings.catch_warnings():
        # Python warns of threads whose locks a copy may find closed. There is one that draws how far the program has
        # come; a helper shares no lock with it.
        warnings.simplefilter("ignore", DeprecationWarning)
        return os.fork()


def _serve(make: Callable[[int], Made], numbers: Sequence[int], pipe: int) -> NoReturn:
    """What a helper does. A fault is left to the program, which comes upon it too, and tells of it in its turn."""
    with suppress(BaseException):
        gc.freeze()  # what is old is not looked at again, and so not copied
        for start in range(0, len(numbers), _BATCH):
            batch = [(number, make(number)) for number in numbers[start : start + _BATCH]]
            data = pickle.dumps(batch, pickle.HIGHEST_PROTOCOL)
            told = memoryview(_LENGTH.pack(len(data)) + data)
            while told:
                told = told[os.write(pipe, told) :]
    os._exit(0)


def _read(pipe: int) -> bytes:
    """What a helper tells at once; nothing where it has ended."""
    head = _whole(pipe, _LENGTH.size)
    return _whole(pipe, *_LENGTH.unpack(head)) if head else b""


def _whole(pipe: int, length: int) -> bytes:
    parts: list[bytes] = []
    while length:
        part = os.read(pipe, length)
        if not part:
            return b""
        parts.append(part)
        length -= len(part)
    return b"".join(parts)
