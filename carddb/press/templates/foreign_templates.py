"""The templates of a game that nobody vouched for, rendered by a process of their own; one process serves a run."""

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
"""The number of sets of templates that the process has at a time: each takes some megabytes of its memory."""
_SECONDS = 1.0
"""Time of the processor that this process works for the functions of one message: fonts are read at first, 0.2 s."""
_ENDLESS = "the drawing takes too long, or too much memory"
_REMEDY = "Draw less on one face."


class ForeignTemplates(Templates):
    """Templates of which nothing runs in this process; one that took too much time or memory is not tried again."""

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
    """A template to fill in, and what became of it; `gives_up` says that it is of no use to try again."""

    name: str
    context: Mapping[str, Any]
    marked: bool = False
    text: str | None = None
    fault: CarddbError | None = None
    gives_up: bool = False
    _raised: Exception | None = None

    def job(self) -> dict[str, Any]:
        """Returns what the child is told: the values of the context, and the names of its functions."""
        functions = [key for key, value in self.context.items() if callable(value) and not isinstance(value, str)]
        values = {key: value for key, value in self.context.items() if key not in functions}
        return {"template": self.name, "marked": self.marked, "values": values, "functions": functions}

    def ask(self, question: Mapping[str, Any], until: float) -> tuple[bool, Any]:
        """Calls a function of the context: whether it raised something, or this thread has worked `until` then, and
        else its value.
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
        """Takes the child's answer: a text, or what is wrong."""
        if "text" in answer:
            self.text = str(answer["text"])
            return
        message, template, line, remedy = answer["error"]
        raised = self._raised if answer["cause"] == "Refused" else None
        told = TemplateError(str(raised or message), template, line, remedy)
        self.fault = raised if isinstance(raised, CarddbError) else told
        self.gives_up = self.gives_up or answer["cause"] == "MemoryError"


def _packed(value: Any) -> bytes:
    """Pickles a value for the child; the views of dictionaries that games are made of become dictionaries."""
    stream = io.BytesIO()
    pickler = pickle.Pickler(stream)
    pickler.dispatch_table = {**copyreg.dispatch_table, MappingProxyType: lambda view: (dict, (dict(view),))}
    pickler.dump(value)
    return stream.getvalue()


@cache
def _child(process: int) -> _Child:
    """Returns the child of a process; a copy of the process has one of its own."""
    child = _Child()
    atexit.register(child.end)
    return child


class _Child:
    """A process that is started when it is needed, and again after a drawing has ended it."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.process: ChildProcess | None = None
        self._opened: set[int] = set()
        """The numbers of the templates that it has."""

    def draw(self, number: int, sources: Mapping[str, str], drawing: _Drawing) -> None:
        """Gives a drawing its text or its fault."""
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
        except BaseException:  # an interrupted talk is not taken up again
            self.end()
            raise

    def start(self) -> ChildProcess:
        """Returns the process, which is started where there is none. Raises CarddbError."""
        if not self.process:
            self.process = ChildProcess(_PROGRAM, "-I", "-W", "ignore", keeps_errors=True)
        return self.process

    def _ended(self, number: int, sources: Mapping[str, str], name: str) -> TemplateError:
        """Returns why the process ended: the last thing it wrote are the frames of its code, the innermost first."""
        assert self.process
        frames = [(file, int(line)) for file, line in _FRAME.findall(self.process.errors()) if file in sources]
        self.end()
        if not frames:
            return TemplateError(_ENDLESS, name, remedy=_REMEDY)
        name, code_line = frames[0]
        return TemplateError(_ENDLESS, name, self._template_line(number, sources, name, code_line), _REMEDY)

    def _template_line(self, number: int, sources: Mapping[str, str], name: str, code_line: int) -> int:
        """Returns the line of a template for one of its code, from a fresh process; 0 where that ends too."""
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
