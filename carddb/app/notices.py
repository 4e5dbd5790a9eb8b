"""What a use case says on its way: notices, and how far long work has come."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol

from carddb.findings import Finding


class Notice(NamedTuple):
    """Something a user should know that is no fault: `code` for programs, `message` for people.

    `findings` are the remarks that it is about, such as those on the files of a game. Codes are stable words in
    snake_case: `catalogue_made`, `catalogue_upgraded`, `nothing_changed`, `pictures_coarser`, `not_remembered`, ...
    """

    code: str
    message: str
    findings: tuple[Finding, ...] = ()


class Progress(NamedTuple):
    """How far long work has come: `done` steps of `total` (None: nobody knows), and the name of the present step."""

    title: str
    step: str = ""
    done: int = 0
    total: int | None = None
    finished: bool = False


NoticeListener = Callable[[Notice], None]
ProgressListener = Callable[[Progress], None]


class Step(Protocol):
    """Called at each step of long work, with its name where it has one."""

    def __call__(self, name: str = "", /) -> None: ...
