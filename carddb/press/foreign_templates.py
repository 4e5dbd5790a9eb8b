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
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from itertools import chain, count
from threading import Lock
from types import MappingProxyType
from typing import Any, BinaryIO, NamedTuple, cast

from carddb.errors import CarddbError, TemplateError
from carddb.layout.template import Rendered, Templates
from carddb.messages import receive, send

_CODE = "import sys; sys.path[:] = {path!r}; from carddb.press.template_child import serve; serve({pipes!r})"
_FRAME = re.compile(r'File "(.+)", line (\d+) in ')
_NEW_GROUP = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
_NUMBERS = count()


class ForeignTemplates(Templates):
    """The same as `Templates`, of which nothing runs in this process."""

    renders_together = True

    def __init__(self, sources: Mapping[str, str]) -> None:
        self.sources = dict(sources)
        self._number = next(_NUMBERS)
        self._begun: _Child | None = None

    def prepare(self, workers: int = 0) -> None:
        """The process takes 0.06 s to start, meanwhile this one does other things; its copies take nothing."""
        self._begun = _child(os.getpid())
        with self._begun.lock:
            self._begun.start(workers)

    def prepared(self, worker: int) -> None:
        if self._begun:
            if worker < len(self._begun.copies):
                _child(os.getpid()).channel = self._begun.copies.pop(worker)
            self._begun.leave()

    def pieces_together(self, jobs: Sequence[tuple[str, Mapping[str, Any]]]) -> list[Rendered | None]:
        """In one message: 540 cards, nine at a time, take 0.75 s of processor in both processes, one by one 0.85."""
        drawings = [_Drawing(name, context) for name, context in jobs]
        with suppress(TemplateError):
            return [_rendered(answer) if "pieces" in answer else None for answer in self._answers(drawings)]
        return [None] * len(jobs)

    def pieces(self, name: str, context: Mapping[str, Any]) -> Rendered:
        return self._one(_Drawing(name, context))

    def _drawn(self, name: str, context: Mapping[str, Any], marked: bool) -> list[str]:
        return self._one(_Drawing(name, context, marked)).pieces

    def _one(self, drawing: _Drawing) -> Rendered:
        (answer,) = self._answers([drawing])
        if "error" not in answer:
            return _rendered(answer)
        if answer["refused"] and isinstance(drawing.raised, CarddbError):
            raise drawing.raised
        message, template, line, remedy = answer["error"]
        raise TemplateError(str(drawing.raised) if answer["refused"] else message, template, line, remedy)

    def _answers(self, drawings: Sequence[_Drawing]) -> list[dict[str, Any]]:
        child = _child(os.getpid())
        with child.lock:
            return child.draw(self._number, self.sources, drawings)


@dataclass
class _Drawing:
    """A template to fill in, and what one of the functions of its context raised."""

    name: str
    context: Mapping[str, Any]
    marked: bool = False
    raised: Exception | None = None

    def function(self, name: str) -> Callable[..., Any]:
        return cast(Callable[..., Any], self.context[name])


def _rendered(answer: Mapping[str, Any]) -> Rendered:
    return Rendered(answer["pieces"], answer["kinds"])


def _job(drawing: _Drawing, sent: dict[str, Any]) -> dict[str, Any]:
    """What the child is told of a drawing; values that were `sent` before are not sent again."""
    context = drawing.context
    functions = [key for key, value in context.items() if callable(value) and not isinstance(value, str)]
    names = [key for key in context if key not in functions]
    new = {key: context[key] for key in names if key not in sent or sent[key] is not context[key]}
    sent.update(new)
    return {
        "template": drawing.name, "marked": drawing.marked, "new": new, "names": names, "functions": functions
    }  # fmt: skip


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


class _Channel(NamedTuple):
    """How a process is asked and answers."""

    questions: BinaryIO
    answers: BinaryIO

    def close(self) -> None:
        for pipe in self:
            with suppress(OSError):
                pipe.close()


class _Child:
    """A process that is started when it is needed, and again after a drawing has ended it.

    `copies` are the channels of copies that it made of itself, for workers.
    """

    def __init__(self) -> None:
        self.lock = Lock()
        self.channel: _Channel | None = None
        self.copies: list[_Channel] = []
        self._process: subprocess.Popen[bytes] | None = None
        self._sent: dict[int, dict[str, Any]] = {}
        """The values that it has, by the number of the templates: large ones are sent once."""

    def draw(self, number: int, sources: Mapping[str, str], drawings: Sequence[_Drawing]) -> list[dict[str, Any]]:
        """The answers for some templates. Raises TemplateError where the process ends at one of them."""
        channel = self.start()
        is_new = number not in self._sent
        sent = self._sent.setdefault(number, {})
        jobs = [_job(drawing, sent) for drawing in drawings]
        try:
            send(channel.questions, _packed((number, sources if is_new else None, jobs)))
            return self._conversed(channel, drawings)
        except (EOFError, OSError) as fault:
            raise self._ended(sources, drawings[0].name) from fault
        except BaseException:  # an interrupted talk is not taken up again
            self.end()
            raise

    @staticmethod
    def _conversed(channel: _Channel, drawings: Sequence[_Drawing]) -> list[dict[str, Any]]:
        """The answers of the child; until they come, it may ask for functions."""
        while True:
            answer = json.loads(receive(channel.answers))
            if isinstance(answer, list):
                return answer
            from carddb.layout.sandbox import ERRORS  # it brings Jinja, which this process seldom needs

            drawing, value = drawings[answer["job"]], None
            try:
                value = drawing.function(answer["ask"])(*answer["arguments"], **answer["options"])
            except (CarddbError, *ERRORS) as fault:
                drawing.raised = fault
            send(channel.questions, _packed((drawing.raised is not None, value)))

    def start(self, copies: int = 0) -> _Channel:
        """The channel to the process, which is started where there is none. Raises CarddbError."""
        if not self.channel:
            self._sent.clear()
            theirs, own = _pipes(copies)
            self._process = _started(theirs)
            for pipe in chain.from_iterable(theirs):
                os.close(pipe)
            self.channel = _Channel(_pipe(self._process.stdin), _pipe(self._process.stdout))
            self.copies = own
        return self.channel

    def _ended(self, sources: Mapping[str, str], name: str) -> TemplateError:
        """Why the child ended while it drew a template."""
        process = self._process
        errors = process.stderr.read().decode("utf-8", "replace") if process and process.stderr else ""
        self.end()
        place = next(((file, int(line)) for file, line in _FRAME.findall(errors) if file in sources), (name, 0))
        from carddb.layout.sandbox import Sandbox

        line = Sandbox(sources).template_line(*place) if place[1] else 0
        return TemplateError("the drawing takes too long, or too much memory", place[0], line, "Draw less on one face.")

    def end(self) -> None:
        """Ends the process, wherever it is; copies end when nobody asks them."""
        process = self._process
        if process:
            process.kill()
            process.wait()
        self.leave()

    def leave(self) -> None:
        """Lets go of the process and its copies, which end when nobody else holds their pipes."""
        process, self._process = self._process, None
        channels = [*([self.channel] if self.channel else []), *self.copies]
        self.channel, self.copies = None, []
        self._sent.clear()
        for channel in channels:
            channel.close()
        if process:
            with suppress(OSError):
                _pipe(process.stderr).close()


def _pipes(count: int) -> tuple[list[tuple[int, int]], list[_Channel]]:
    """Pairs of pipes, for each of some processes its ends and ours."""
    theirs, own = [], []
    for _ in range(count):
        (source, questions), (answers, out) = os.pipe(), os.pipe()
        theirs.append((source, out))
        own.append(_Channel(os.fdopen(questions, "wb"), os.fdopen(answers, "rb")))
    return theirs, own


def _started(pipes: Sequence[tuple[int, int]]) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
            [sys.executable, "-I", "-c", _CODE.format(path=sys.path, pipes=[*pipes])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=[*chain.from_iterable(pipes)],
            process_group=0 if os.name == "posix" else None,
            creationflags=_NEW_GROUP,
        )
    except OSError as fault:
        raise CarddbError(
            f"no further process can be started: {fault}", "A game that is not trusted is drawn in one."
        ) from fault


def _pipe(stream: object) -> BinaryIO:
    return cast(BinaryIO, stream)
