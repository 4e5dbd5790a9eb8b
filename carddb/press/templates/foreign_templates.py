"""The templates of a game that is not trusted, filled in by a separate process. One process serves the whole run."""

from __future__ import annotations

import atexit
import copyreg
import io
import json
import os
import pickle
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import count
from threading import Lock
from time import thread_time
from types import MappingProxyType
from typing import Any

from carddb.core.child_process import ChildProcess
from carddb.core.errors import CarddbError, TemplateError
from carddb.layout.templates.card_values import FAULTS
from carddb.layout.templates.template import Templates

_FRAME = re.compile(r'File "(.+)", line (\d+) in ')
_NUMBERS = count()
_PROGRAM = "carddb.press.templates.child"
_MOST_OPEN = 4
"""The most sets of templates that the process has at a time. Each takes some megabytes of its memory."""
_SECONDS = 1.0
"""The processor time in seconds that the context's functions may take for one drawing, of which fonts take 0.2 s."""
_ENDLESS = "the drawing takes too long, or too much memory"
_REMEDY = "Draw less on one face."


class ForeignTemplates(Templates):
    """Templates that never run in this process. One that took too much time or memory is not tried again."""

    def __init__(self, sources: Mapping[str, str]) -> None:
        super().__init__(sources)
        self._number = next(_NUMBERS)
        self._given_up: dict[str, CarddbError] = {}

    def render(self, name: str, context: Mapping[str, Any], marked: bool = False) -> str:
        if name in self._given_up:
            raise self._given_up[name].with_traceback(None)
        drawing = _Drawing(name, context, marked)
        child = _child(os.getpid())
        with child.lock:
            child.draw(self._number, self.sources, drawing)
        if drawing.fault and drawing.gives_up:
            self._given_up[name] = drawing.fault
        if drawing.text is None:
            assert drawing.fault
            raise drawing.fault.with_traceback(None)
        return drawing.text


@dataclass
class _Drawing:
    """A template to fill in, and the resulting text or error. If `gives_up` is true, it is pointless to try again."""

    name: str
    context: Mapping[str, Any]
    marked: bool = False
    text: str | None = None
    fault: CarddbError | None = None
    gives_up: bool = False
    _raised: Exception | None = None

    def job(self) -> dict[str, Any]:
        """Returns the message to the child process: the values of the context, and the names of its functions."""
        functions = [key for key, value in self.context.items() if callable(value) and not isinstance(value, str)]
        values = {key: value for key, value in self.context.items() if key not in functions}
        return {"template": self.name, "marked": self.marked, "values": values, "functions": functions}

    def ask(self, question: Mapping[str, Any], until: float) -> tuple[bool, Any]:
        """Calls a function of the context. Returns (False, its result), or (True, None) if it raised an exception.

        A call after `until`, a processor time of this thread in seconds, counts as an exception too.
        """
        try:
            self.gives_up = thread_time() > until
            if self.gives_up:
                raise ValueError(_ENDLESS)
            return False, self.context[question["ask"]](*question["arguments"], **question["options"])
        except (CarddbError, *FAULTS) as fault:
            self._raised = fault
            return True, None

    def take(self, answer: Mapping[str, Any]) -> None:
        """Stores the child's answer, which is a text or an error."""
        if "text" in answer:
            self.text = str(answer["text"])
            return
        message, template, line, remedy = answer["error"]
        raised = self._raised
        here = TemplateError(str(raised or message), template, line, remedy)
        self.fault = raised if isinstance(raised, CarddbError) else here
        self.gives_up = self.gives_up or answer["cause"] == "MemoryError"


def _packed(value: Any) -> bytes:
    """Pickles a value for the child. Read-only views of dictionaries are sent as dictionaries."""
    stream = io.BytesIO()
    pickler = pickle.Pickler(stream)
    pickler.dispatch_table = {**copyreg.dispatch_table, MappingProxyType: lambda view: (dict, (dict(view),))}
    pickler.dump(value)
    return stream.getvalue()


@cache
def _child(process: int) -> _Child:
    """Returns the child of the process with this id, because a forked process needs a child of its own."""
    child = _Child()
    atexit.register(child.end)
    return child


class _Child:
    """A child process that is started when it is needed, and again after a drawing has ended it."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.process: ChildProcess | None = None
        self._opened: set[int] = set()
        """The numbers of the template sets that the process has."""

    def draw(self, number: int, sources: Mapping[str, str], drawing: _Drawing) -> None:
        """Lets the process fill in a drawing, which sets its text or error. `number` is that of the set `sources`."""
        is_new = number not in self._opened
        if is_new and len(self._opened) >= _MOST_OPEN:
            self.end()
        process, until = self.start(), thread_time() + _SECONDS
        self._opened.add(number)
        try:
            process.send(_packed((number, sources if is_new else None, drawing.job())))
            while "ask" in (answer := json.loads(process.receive())):
                process.send(_packed(drawing.ask(answer, until)))
            drawing.take(answer)
        except (EOFError, OSError):
            drawing.fault, drawing.gives_up = self._ended(number, sources, drawing.name), True
        except BaseException:  # an interrupted exchange cannot be continued
            self.end()
            raise

    def start(self) -> ChildProcess:
        """Returns the process, and starts it if there is none. Raises CarddbError if it cannot be started."""
        if not self.process:
            self.process = ChildProcess(_PROGRAM, "-I", "-W", "ignore", keeps_errors=True)
        return self.process

    def _ended(self, number: int, sources: Mapping[str, str], name: str) -> TemplateError:
        """Returns the error that ended the process, found in the stack on its standard error, innermost frame first."""
        assert self.process
        frames = [(file, int(line)) for file, line in _FRAME.findall(self.process.errors()) if file in sources]
        self.end()
        if not frames:
            return TemplateError(_ENDLESS, name, remedy=_REMEDY)
        name, code_line = frames[0]
        return TemplateError(_ENDLESS, name, self._template_line(number, sources, name, code_line), _REMEDY)

    def _template_line(self, number: int, sources: Mapping[str, str], name: str, code_line: int) -> int:
        """Returns the template's line for a line of its compiled code, found by a new process; 0 if that ends too."""
        process = self.start()
        self._opened.add(number)
        try:
            process.send(_packed((number, sources, {"template": name, "code_line": code_line})))
            return int(json.loads(process.receive()).get("line", 0))
        except (EOFError, OSError):
            self.end()
            return 0

    def end(self) -> None:
        """Ends the process, whatever it is doing."""
        process, self.process = self.process, None
        self._opened.clear()
        if process:
            process.end()
