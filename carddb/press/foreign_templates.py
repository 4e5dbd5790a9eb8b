"""The templates of a game that nobody vouched for, filled in by a process of their own; one process serves a run."""

from __future__ import annotations

import atexit
import copyreg
import io
import json
import os
import pickle
import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from itertools import count
from threading import Lock
from types import MappingProxyType
from typing import Any, BinaryIO, cast

from markupsafe import Markup

from carddb.errors import CarddbError, TemplateError
from carddb.layout.sandbox import ERRORS, Sandbox
from carddb.layout.template import Templates
from carddb.messages import receive, send

_CODE = "import sys; sys.path[:] = {path!r}; from carddb.press.template_child import serve; serve()"
_FRAME = re.compile(r'File "(.+)", line (\d+) in ')
_NEW_GROUP = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
_NUMBERS = count()


class ForeignTemplates(Templates):
    """The same as `Templates`, of which nothing runs in this process."""

    def __init__(self, sources: Mapping[str, str]) -> None:
        self.sources = dict(sources)
        self._number = next(_NUMBERS)

    def _drawn(self, name: str, context: Mapping[str, Any], marked: bool) -> list[str]:
        child = _child(os.getpid())
        with child.lock:
            return child.draw(self._number, self.sources, name, context, marked)


def _packed(value: Any) -> bytes:
    """A value for the child, in which the views of dictionaries that games are made of are dictionaries."""
    stream = io.BytesIO()
    pickler = pickle.Pickler(stream)
    pickler.dispatch_table = {**copyreg.dispatch_table, MappingProxyType: lambda view: (dict, (dict(view),))}
    pickler.dump(value)
    return stream.getvalue()


@cache
def _child(process: int) -> _Child:
    """The child of a process; a copy of the process has one of its own."""
    child = _Child()
    atexit.register(child.end)
    return child


class _Child:
    """A process that is started when it is needed, and again after a drawing has ended it."""

    def __init__(self) -> None:
        self.lock = Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._sent: dict[int, dict[str, Any]] = {}
        """The values that it has, by the number of the templates: large ones are sent once."""

    def draw(
        self, number: int, sources: Mapping[str, str], name: str, context: Mapping[str, Any], marked: bool
    ) -> list[str]:
        """The pieces of a template. Raises TemplateError, and what the functions of the context raise."""
        functions = {key: value for key, value in context.items() if callable(value) and not isinstance(value, str)}
        values = {key: value for key, value in context.items() if key not in functions}
        process = self._process = self._process or self._started()
        sent = self._sent.get(number)
        new = {key: value for key, value in values.items() if sent is None or sent.get(key, self) is not value}
        job = {"template": name, "marked": marked, "new": new, "names": list(values), "functions": list(functions)}
        try:
            send(_pipe(process.stdin), _packed((number, sources if sent is None else None, job)))
            self._sent.setdefault(number, {}).update(new)
            return self._conversed(process, functions)
        except (EOFError, OSError) as fault:
            raise self._ended(process, sources, name) from fault
        except TemplateError:
            raise
        except BaseException:  # an interrupted talk is not taken up again
            self.end()
            raise

    def _conversed(self, process: subprocess.Popen[bytes], functions: Mapping[str, Callable[..., Any]]) -> list[str]:
        """The answer of the child; until it comes, it may ask for functions."""
        raised: Exception | None = None
        while True:
            answer = json.loads(receive(_pipe(process.stdout)))
            if "ask" in answer:
                value = None
                try:
                    value = functions[answer["ask"]](*answer["arguments"], **answer["options"])
                except (CarddbError, *ERRORS) as fault:
                    raised = fault
                send(_pipe(process.stdin), _packed((raised is not None, value)))
            elif "error" in answer:
                if answer["refused"] and isinstance(raised, CarddbError):
                    raise raised
                message, template, line, remedy = answer["error"]
                raise TemplateError(str(raised) if answer["refused"] else message, template, line, remedy)
            else:
                return [Markup(piece) if is_value else piece for is_value, piece in answer["pieces"]]

    def _started(self) -> subprocess.Popen[bytes]:
        self._sent.clear()
        try:
            return subprocess.Popen(
                [sys.executable, "-I", "-c", _CODE.format(path=sys.path)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                process_group=0 if os.name == "posix" else None,
                creationflags=_NEW_GROUP,
            )
        except OSError as fault:
            raise CarddbError(
                f"no further process can be started: {fault}", "A game that is not trusted is drawn in one."
            ) from fault

    def _ended(self, process: subprocess.Popen[bytes], sources: Mapping[str, str], name: str) -> TemplateError:
        """Why the child ended while it drew a template."""
        errors = process.stderr.read().decode("utf-8", "replace") if process.stderr else ""
        self.end()
        place = next(((file, int(line)) for file, line in _FRAME.findall(errors) if file in sources), (name, 0))
        line = Sandbox(sources).template_line(*place) if place[1] else 0
        return TemplateError("the drawing takes too long, or too much memory", place[0], line, "Draw less on one face.")

    def end(self) -> None:
        """Ends the process, wherever it is."""
        process, self._process = self._process, None
        self._sent.clear()
        if process:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout, process.stderr):
                with suppress(OSError):
                    pipe and pipe.close()


def _pipe(stream: object) -> BinaryIO:
    return cast(BinaryIO, stream)
