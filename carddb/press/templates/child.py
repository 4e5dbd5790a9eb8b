"""The process that renders the templates of games that nobody vouched for: little memory, little time, nothing else.

It is a fresh interpreter. It reads pickled messages from its standard input, which its parent writes, and answers in
JSON, so that nothing it says can be more than data. It ends with its input. A drawing that takes too long ends it:
what it was at then stands on its standard error, with the line.
"""

from __future__ import annotations

import faulthandler
import gc
import json
import os
import pickle
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

import jinja2

from carddb.core.child_process import receive, send
from carddb.core.errors import TemplateError
from carddb.layout.templates.renderer import TemplateRenderer
from carddb.press.templates.bytecode_cache import BytecodeCache

if sys.platform != "win32":
    import resource

MEMORY = 48 << 20
"""Bytes that the process may have beside what it begins with: its templates, their values and one drawing."""
SECONDS = 0.5
"""Time of the processor that one drawing may take; on Windows, of the clock."""
_CLOCK = 5.0
"""Time of the clock that it may take where the processor has others to serve."""
_MAX_REASON = 1_000
"""Characters of what is told of a fault."""


class Refused(jinja2.TemplateRuntimeError):
    """A function of the parent raised something; the parent knows what."""


def serve() -> None:
    """Answers until nobody asks any more."""
    _prepare()
    opened: dict[int, TemplateRenderer] = {}
    with suppress(EOFError, OSError):
        while True:
            number, sources, job = pickle.loads(receive(sys.stdin.buffer))
            if sources is not None:
                opened[number] = TemplateRenderer(sources, BytecodeCache())
            answer = _answer(opened[number], job)
            _send(answer)
            if "error" in answer:
                gc.collect()  # a fault holds what the drawing had, and is held by its own frames
    os._exit(0)


def _answer(renderer: TemplateRenderer, job: dict[str, Any]) -> dict[str, Any]:
    """Does a job: the text of a template, or what is wrong with it; or the line that a line of its code comes from."""
    try:
        with _bounded_time():
            if "code_line" in job:
                return {"line": renderer.template_line(job["template"], job["code_line"])}
            context = job["values"] | {name: partial(_ask, name) for name in job["functions"]}
            return {"text": renderer.render(job["template"], context, job["marked"])}
    except TemplateError as fault:
        error = [fault.reason[:_MAX_REASON], fault.template, fault.line, fault.remedy[:_MAX_REASON]]
        return {"error": error, "cause": type(fault.__cause__).__name__}


def _ask(function: str, *arguments: Any, **options: Any) -> Any:
    """Returns what a function of the parent gives. Raises Refused."""
    _send({"ask": function, "arguments": arguments, "options": options})
    is_refused, value = pickle.loads(receive(sys.stdin.buffer))
    if is_refused:
        raise Refused(function)
    return value


def _send(message: Any) -> None:
    send(sys.stdout.buffer, json.dumps(message).encode())


def _prepare() -> None:
    """Bounds the memory of this process, as far as the system can, and has its frames told where a signal ends it."""
    gc.freeze()  # what is there now is not looked through after each fault
    faulthandler.enable(all_threads=False)
    if sys.platform == "win32":
        return
    for number in (signal.SIGPROF, signal.SIGALRM):
        faulthandler.register(number, all_threads=False, chain=True)
    with suppress(OSError, ValueError):  # elsewhere than on Linux the size of the process is not known here
        pages = int(Path("/proc/self/statm").read_text("ascii").split(maxsplit=1)[0])
        most = pages * resource.getpagesize() + MEMORY
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


@contextmanager
def _bounded_time() -> Iterator[None]:
    """Ends the process where a drawing takes too long."""
    if sys.platform == "win32":
        faulthandler.dump_traceback_later(SECONDS, exit=True)
        try:
            yield
        finally:
            faulthandler.cancel_dump_traceback_later()
        return
    timers = {signal.ITIMER_PROF: SECONDS, signal.ITIMER_REAL: _CLOCK}
    try:
        for timer, seconds in timers.items():
            signal.setitimer(timer, seconds)
        yield
    finally:
        for timer in timers:
            signal.setitimer(timer, 0)
