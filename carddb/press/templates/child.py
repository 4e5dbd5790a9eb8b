"""The process that fills in the templates of games that are not trusted, with limits on its memory and time.

It is a fresh interpreter. It reads pickled messages from its standard input, which its parent writes, and answers in
JSON, so that its answers can be nothing but data. It ends when its input ends. A drawing that takes too long ends it
too; its stack, with the current line, is then on its standard error.
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
"""The bytes that the process may use in addition to those at its start, for templates, values and a drawing."""
SECONDS = 0.5
"""The processor time in seconds that a drawing may take; on Windows, the elapsed time."""
_CLOCK = 5.0
"""The elapsed time in seconds that a drawing may take if the processor is busy with other work."""
_MAX_REASON = 1_000
"""The most characters of an error message that are sent."""


def serve() -> None:
    """Answers messages until the input ends."""
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
                gc.collect()  # an exception keeps the values of the drawing alive, in a cycle with its own frames
    os._exit(0)


def _answer(renderer: TemplateRenderer, job: dict[str, Any]) -> dict[str, Any]:
    """Returns a job's answer: the filled-in text, the template's line for a line of its compiled code, or the error."""
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
    """Lets the parent call a function, and returns its result. Raises TemplateRuntimeError if the function failed."""
    _send({"ask": function, "arguments": arguments, "options": options})
    is_refused, value = pickle.loads(receive(sys.stdin.buffer))
    if is_refused:
        raise jinja2.TemplateRuntimeError(function)
    return value


def _send(message: Any) -> None:
    send(sys.stdout.buffer, json.dumps(message).encode())


def _prepare() -> None:
    """Limits the memory of this process, if the system can, and has its stack printed if a signal ends it."""
    gc.freeze()  # later collections need not look through these objects
    faulthandler.enable(all_threads=False)
    if sys.platform == "win32":
        return
    for number in (signal.SIGPROF, signal.SIGALRM):
        faulthandler.register(number, all_threads=False, chain=True)
    with suppress(OSError, ValueError):  # outside Linux, the size of the process is not known here
        pages = int(Path("/proc/self/statm").read_text("ascii").split(maxsplit=1)[0])
        most = pages * resource.getpagesize() + MEMORY
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


@contextmanager
def _bounded_time() -> Iterator[None]:
    """Ends the process if a drawing takes too long."""
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
