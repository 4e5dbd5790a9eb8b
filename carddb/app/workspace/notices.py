"""What a use case says on its way: notices, and how far long work has come."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from carddb.core.version import __version__
from carddb.findings import Finding
from carddb.press.progress import Step


class Notice(NamedTuple):
    """Something a user should know that is no fault: `code` for programs, `message` for people.

    `findings` are the remarks that it is about, such as those on the files of a game. Codes are stable words in
    snake_case: `catalogue_made`, `catalogue_upgraded`, `nothing_changed`, `pictures_coarser`, `not_remembered`, ...
    """

    code: str
    message: str
    findings: tuple[Finding, ...] = ()


class Progress(NamedTuple):
    """The progress of long work: `done` steps of `total` (None: not known), and the name of the present step."""

    title: str
    step: str = ""
    done: int = 0
    total: int | None = None
    finished: bool = False


NoticeListener = Callable[[Notice], None]
ProgressListener = Callable[[Progress], None]


class Notices:
    """The part of a `Workspace` by which a use case says something on its way, to listeners where there are any."""

    def __init__(self, on_notice: NoticeListener | None, on_progress: ProgressListener | None) -> None:
        self.notices: list[Notice] = []
        self._left_out: list[str] = []
        self._on_notice = on_notice
        self._on_progress = on_progress

    def notify(self, code: str, message: str, findings: Sequence[Finding] = ()) -> None:
        """Adds a notice, and shows it to the listener."""
        if code in self._left_out:
            return
        notice = Notice(code, message, tuple(findings))
        self.notices.append(notice)
        if self._on_notice:
            self._on_notice(notice)

    @contextmanager
    def without(self, code: str) -> Iterator[None]:
        """A part of a use case in which notices with this code are left out: one before it says the same of all."""
        self._left_out.append(code)
        try:
            yield
        finally:
            self._left_out.remove(code)

    @contextmanager
    def recording(self) -> Iterator[list[Notice]]:
        """The notices of one use case: the list is complete when the block ends."""
        before = len(self.notices)
        notices: list[Notice] = []
        try:
            yield notices
        finally:
            notices += self.notices[before:]

    @contextmanager
    def working(self, title: str, total: int | None = None) -> Iterator[Step]:
        """Long work, of so many steps where that is known: a function to call at each step with its name."""
        done = 0

        def report(step: str, finished: bool = False) -> None:
            if self._on_progress:
                self._on_progress(Progress(title, step, done, total, finished))

        def step(name: str = "", /) -> None:
            nonlocal done
            done += 1
            report(name)

        report("")
        try:
            yield step
        finally:
            report("", finished=True)


def crash_words(task: str, fault: Exception, evidence: str) -> tuple[str, str]:
    """The error and the remedy for a task that raised a fault; `evidence` is what a report should have with it."""
    if isinstance(fault, MemoryError):
        return f"{task} needs more memory than there is", "Do less at once, or close other programs."
    if isinstance(fault, RecursionError):
        return f"{task} met something that is nested too deeply", "Flatten the file, if it is yours."
    error = f"{task} could not be done: a fault of carddb's own ({type(fault).__name__})"
    return error, f"Please report it to those you have carddb {__version__} from, with {evidence}."
