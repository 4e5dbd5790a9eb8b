"""The process that fills in the templates of games that nobody vouched for: little memory, little time, nothing else.

It is a fresh interpreter. It reads pickled messages from its standard input, which its parent writes, and answers in
JSON, so that nothing it says can be more than data. It ends with its input. A drawing that takes too long ends it:
what it was at then stands on its standard error, with the line.
"""

from __future__ import annotations

import faulthandler
import json
import os
import pickle
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

import jinja2

from carddb.errors import TemplateError
from carddb.layout.template import TEXT, Templates
from carddb.messages import receive, send
from carddb.press.bytecode_cache import BytecodeCache

MEMORY = 48 << 20
"""Bytes that the drawings of one message may take beside what the process has."""
SECONDS = 0.5
"""Time of the processor that one drawing may take; on Windows, of the clock."""


class Refused(jinja2.TemplateRuntimeError):
    """A function of the parent raised something; the parent knows what."""


def serve(pipes: Sequence[tuple[int, int]] = ()) -> None:
    """Answers until nobody asks any more; for each of some further pairs of pipes a copy of this process does."""
    _prepare()
    source, out = _copied(pipes)
    opened: dict[int, tuple[Templates, dict[str, Any]]] = {}
    with suppress(EOFError, OSError):
        while True:
            number, sources, jobs = pickle.loads(receive(source))
            if sources is not None:
                opened[number] = (Templates(sources, BytecodeCache), {})
            templates, values = opened[number]
            with bounded_memory():
                answers = [
                    _answer(templates, values, job, partial(_ask, source, out, place)) for place, job in enumerate(jobs)
                ]
            send(out, json.dumps(answers).encode())
    os._exit(0)


def _copied(pipes: Sequence[tuple[int, int]]) -> tuple[BinaryIO, BinaryIO]:
    """Where this process reads and writes; a copy has a pair of its own, and nothing else of its parent's."""
    with suppress(OSError):  # where the system gives no more processes, those who wait for them start their own
        for at, (source, out) in enumerate(pipes):
            signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody asks how a copy ended
            if not os.fork():
                for others in pipes[at + 1 :]:
                    _close(others)
                nothing = os.open(os.devnull, os.O_RDWR)
                for number in (0, 1, 2):
                    os.dup2(nothing, number)
                return os.fdopen(source, "rb"), os.fdopen(out, "wb")
            _close((source, out))
    return sys.stdin.buffer, sys.stdout.buffer


def _close(pipes: tuple[int, int]) -> None:
    for pipe in pipes:
        os.close(pipe)


def _answer(
    templates: Templates, values: dict[str, Any], job: dict[str, Any], ask: Callable[..., Any]
) -> dict[str, Any]:
    """The drawing of a job as pieces, and a sign for each: whether it is a value; or what is wrong."""
    values.update(job["new"])
    context = {name: values[name] for name in job["names"]}
    context |= {name: partial(ask, name) for name in job["functions"]}
    try:
        with _bounded_time():
            if job["marked"]:
                return {"pieces": [templates.render(job["template"], context, marked=True)], "kinds": TEXT}
            return templates.pieces(job["template"], context)._asdict()
    except TemplateError as fault:
        refused = isinstance(fault.__cause__, Refused)
        return {"error": [fault.reason, fault.template, fault.line, fault.remedy], "refused": refused}


def _ask(source: BinaryIO, out: BinaryIO, place: int, function: str, *arguments: Any, **options: Any) -> Any:
    """What a function of the parent gives to the job at a place. Raises Refused."""
    send(out, json.dumps({"ask": function, "job": place, "arguments": arguments, "options": options}).encode())
    refused, value = pickle.loads(receive(source))
    if refused:
        raise Refused(function)
    return value


def _prepare() -> None:
    faulthandler.enable(all_threads=False)
    if hasattr(signal, "setitimer"):
        faulthandler.register(signal.SIGPROF, all_threads=False, chain=True)


@contextmanager
def bounded_memory() -> Iterator[None]:
    """Bounds the memory of some drawings, as far as the system can; then answers are sent and questions read."""
    if not hasattr(signal, "setitimer"):
        yield
        return
    import resource

    most = resource.getrlimit(resource.RLIMIT_AS)[1]
    with suppress(OSError, ValueError):  # elsewhere than on Linux the size of the process is not known here
        pages = int(Path("/proc/self/statm").read_text("ascii").split(maxsplit=1)[0])
        resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + MEMORY, most))
    try:
        yield
    finally:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_AS, (most, most))


@contextmanager
def _bounded_time() -> Iterator[None]:
    """Ends the process where a drawing takes too long."""
    if not hasattr(signal, "setitimer"):
        faulthandler.dump_traceback_later(SECONDS, exit=True)
        try:
            yield
        finally:
            faulthandler.cancel_dump_traceback_later()
        return
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
