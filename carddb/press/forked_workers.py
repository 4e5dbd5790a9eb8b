"""Work on a long row of things by several processes: the program goes from the first to the last, workers before it.

Workers take stretches that lie further on and leave some between them to the program, whose work it is too to put all
together; then they take of what was left to it, from the last on. Nothing is started that the program has passed, and
it never waits for a worker: what is not there when it comes, it makes itself. So it makes no difference to the result
whether there are any, how fast they are, or whether one of them fails.

Workers are started only where a caller allows more than one process, because a copy of a process with threads may find
their locks closed. They need what the program has in memory (cards, templates, a game's own functions), which the fresh
interpreters of `carddb.executors.local_processes` could not be sent; so the two stay apart.
"""

from __future__ import annotations

import gc
import os
import pickle
import select
import signal
import struct
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from mmap import mmap
from typing import Generic, NoReturn, TypeVar

from carddb.executors.local_processes import MOST

_WORTH = 100
"""Things for which it pays to start workers."""
_STRETCH = 16
"""Things that a worker makes one after the other, and sends together."""
_OWN = (20, 9, 5, 3)
"""Of twenty stretches, how many are left to the program beside so many workers."""
_ROOM = 1 << 20
"""Bytes that a worker may send before they are read, where the system allows it."""
_NUMBER = struct.Struct("<Q")

Result = TypeVar("Result")
Work = Callable[[Sequence[int]], Sequence[Result]]
"""Makes the results for some numbers together."""


def forked_worker_count(processes: int, things: int) -> int:
    """How many workers to start, so that at most so many processes work on so many things together with this one.

    None for few things, and where a process cannot copy itself safely.
    """
    if things < _WORTH or sys.platform != "linux":
        return 0
    return max(0, min(processes, MOST) - 1)


class ForkedWorkers(Generic[Result]):
    """The results of `function` for `numbers`, asked for in this order, as far as workers have them.

    `begin` is called in each worker first, with its number; `received` with each result when it comes, whether it is
    asked for or not.
    """

    def __init__(
        self,
        function: Work[Result],
        numbers: Sequence[int],
        workers: int,
        begin: Callable[[int], None] = lambda _: None,
        received: Callable[[Result], None] = lambda _: None,
    ) -> None:
        self._workers: list[_Worker[Result]] = []
        self._places = {number: place for place, number in enumerate(numbers)}
        self._reached = mmap(-1, _NUMBER.size)
        """The place of the number that the program has come to; every worker sees it."""
        with suppress(OSError):  # where the system gives no more processes, those that there are do
            for number, share in enumerate(shared_out(len(numbers), workers)):
                work = partial(_serve, partial(self._begin, begin, number), function, numbers, share, self._reached)
                self._workers.append(_Worker(work, received))

    def _begin(self, begin: Callable[[int], None], number: int) -> None:
        """What a worker does first: it leaves the pipes of those before it to the program."""
        for worker in self._workers:
            os.close(worker.pipe)
        begin(number)

    def take(self, number: int) -> Result | None:
        """The result for a number, once; None where no worker has it yet."""
        if number not in self._places:
            return None
        if self._workers:
            self._reached[:] = _NUMBER.pack(self._places[number])
        for worker in self._workers:
            result = worker.take(number)
            if result is not None:
                return result
        return None

    def end(self) -> None:
        """Ends the workers."""
        for worker in self._workers:
            worker.end()
        self._reached.close()


def shared_out(things: int, workers: int) -> list[list[range]]:
    """The places that each worker works on, a stretch after the other."""
    stretches = [range(start, min(start + _STRETCH, things)) for start in range(0, things, _STRETCH)]
    own = _OWN[min(workers, len(_OWN) - 1)]
    left = [stretch for at, stretch in enumerate(stretches) if at * own % _OWN[0] < own]
    ahead = [stretch for at, stretch in enumerate(stretches) if at * own % _OWN[0] >= own]
    return [[*ahead[at::workers], *left[::-1][at::workers]] for at in range(workers)]


class _Worker(Generic[Result]):
    """A copy of this process that makes its share in order, sends it and ends."""

    def __init__(self, serve: Callable[[int], NoReturn], received: Callable[[Result], None]) -> None:
        self._received = received
        self._results: dict[int, Result] = {}
        self.pipe, write_end = os.pipe()
        _widen(write_end)
        try:
            self._process = _copied()
        except OSError:
            os.close(self.pipe)
            os.close(write_end)
            raise
        if not self._process:
            os.close(self.pipe)  # only the program reads, so that a worker ends at its next answer when the program has
            serve(write_end)
        os.close(write_end)
        self._busy = True

    def take(self, number: int) -> Result | None:
        """What it made for a number."""
        while self._busy and select.select([self.pipe], [], [], 0)[0]:
            data = _read(self.pipe)
            if not data:
                self.end()
            else:
                for at, result in pickle.loads(data):
                    self._received(result)
                    self._results[at] = result
        return self._results.pop(number, None)

    def end(self) -> None:
        """Stops it wherever it is."""
        if self._busy:
            self._busy = False
            os.close(self.pipe)
            os.kill(self._process, signal.SIGKILL)
            os.waitpid(self._process, 0)


def _widen(pipe: int) -> None:
    """Gives a pipe room."""
    if sys.platform == "linux":
        import fcntl

        with suppress(OSError):
            fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _ROOM)


def _copied() -> int:
    """The number of a new copy of this process; 0 in the copy. Raises OSError."""
    return os.fork()


def _serve(
    begin: Callable[[], None],
    function: Work[Result],
    numbers: Sequence[int],
    share: Sequence[range],
    reached: mmap,
    pipe: int,
) -> NoReturn:
    """What a worker does. It ends at a fault: the program meets the same fault itself and reports it."""
    with suppress(BaseException):
        begin()
        gc.freeze()  # what is old is not looked at again, and so not copied
        for stretch in share:
            (here,) = _NUMBER.unpack(reached)
            batch = [numbers[place] for place in stretch if place >= here]
            if not batch:
                continue
            data = pickle.dumps([*zip(batch, function(batch), strict=True)], pickle.HIGHEST_PROTOCOL)
            message = memoryview(_NUMBER.pack(len(data)) + data)
            while message:
                message = message[os.write(pipe, message) :]
    os._exit(0)


def _read(pipe: int) -> bytes:
    """What a worker sent together; empty where it has ended."""
    head = _whole(pipe, _NUMBER.size)
    return _whole(pipe, *_NUMBER.unpack(head)) if head else b""


def _whole(pipe: int, length: int) -> bytes:
    parts: list[bytes] = []
    while length:
        part = os.read(pipe, length)
        if not part:
            return b""
        parts.append(part)
        length -= len(part)
    return b"".join(parts)
