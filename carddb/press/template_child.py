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
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

import jinja2
from markupsafe import Markup

from carddb.errors import TemplateError
from carddb.layout.template import Templates
from carddb.messages import receive, send

MEMORY = 48 << 20
"""Bytes that one drawing may take beside what the process has."""
SECONDS = 0.5
"""Time of the processor that one drawing may take; on Windows, of the clock."""


TEXT, VALUE = "tv"
"""Signs for the pieces of a drawing: a text of the template, and a value."""


class Refused(jinja2.TemplateRuntimeError):
    """A function of the parent raised something; the parent knows what."""


def serve() -> None:
    """Answers until nobody asks any more."""
    source, out = sys.stdin.buffer, sys.stdout.buffer
    opened: dict[int, tuple[Templates, dict[str, Any]]] = {}
    _prepare()
    with suppress(EOFError, OSError):
        while True:
            number, sources, jobs = pickle.loads(receive(source))
            if sources is not None:
                opened[number] = (Templates(sources), {})
            templates, values = opened[number]
            answers = [
                _answer(templates, values, job, partial(_ask, source, out, place)) for place, job in enumerate(jobs)
            ]
            send(out, json.dumps(answers).encode())
    os._exit(0)


def _answer(
    templates: Templates, values: dict[str, Any], job: dict[str, Any], ask: Callable[..., Any]
) -> dict[str, Any]:
    """The drawing of a job as pieces, and a sign for each: whether it is a value; or what is wrong."""
    values.update(job["new"])
    context = {name: values[name] for name in job["names"]}
    context |= {name: partial(ask, name) for name in job["functions"]}
    _limit()
    try:
        if job["marked"]:
            return {"pieces": [templates.render(job["template"], context, marked=True)], "kinds": TEXT}
        pieces = templates.pieces(job["template"], context)
        return {"pieces": pieces, "kinds": "".join([VALUE if type(piece) is Markup else TEXT for piece in pieces])}
    except TemplateError as fault:
        refused = isinstance(fault.__cause__, Refused)
        return {"error": [fault.reason, fault.template, fault.line, fault.remedy], "refused": refused}
    finally:
        _unlimit()


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


def _limit() -> None:
    """Bounds what comes next, as far as the system can."""
    if not hasattr(signal, "setitimer"):
        faulthandler.dump_traceback_later(SECONDS, exit=True)
        return
    import resource

    with suppress(OSError, ValueError):  # elsewhere than on Linux the size of the process is not known here
        pages = int(Path("/proc/self/statm").read_text("ascii").split(maxsplit=1)[0])
        most = pages * resource.getpagesize() + MEMORY
        resource.setrlimit(resource.RLIMIT_AS, (most, resource.getrlimit(resource.RLIMIT_AS)[1]))
    signal.setitimer(signal.ITIMER_PROF, SECONDS)


def _unlimit() -> None:
    """Lifts the bounds, so that the answer can be sent and the next question read."""
    if not hasattr(signal, "setitimer"):
        faulthandler.cancel_dump_traceback_later()
        return
    import resource

    signal.setitimer(signal.ITIMER_PROF, 0)
    with suppress(OSError, ValueError):
        most = resource.getrlimit(resource.RLIMIT_AS)[1]
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
