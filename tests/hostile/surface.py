"""What a surface is: a place where input comes in, with sound inputs and the readers of a mutated one."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from carddb.door import Project
from carddb.findings import Finding, has_errors
from tests.hostile.mutation import mutated

ROOT = Path(__file__).parent.parent
LANTERNS = ROOT / "outside" / "lanterns"

Command = Sequence[str]
Reader = Callable[[bytes], str]
"""Reads an input inside the process. Gives DONE or TOLD; what carddb refuses, it raises."""

DONE, TOLD, REFUSED = "done", "told", "refused"


class Bench(NamedTuple):
    """A surface made ready in a folder of its own.

    `seeds` are sound inputs. `commands` writes an input where it is expected and gives the commands that read it.
    `direct` reads it with a project that is open: that takes a tenth of the time, so that most inputs go that way.
    Where there is no `direct`, every input is read by the commands, and the reverse.
    """

    seeds: Sequence[bytes]
    commands: Callable[[bytes], Sequence[Command]] | None = None
    direct: Reader | None = None


@dataclass(frozen=True)
class Surface:
    """A place where input comes in.

    `cases` are its inputs in a whole run, `least` the fewest that a whole run may have. `make` makes an input of the
    seeds.
    """

    name: str
    cases: int
    prepare: Callable[[Path], Bench]
    make: Callable[[Sequence[bytes], random.Random], bytes] = mutated
    least: int = 0


def outcome(findings: Iterable[Finding]) -> str:
    """How an input ends of which something is found."""
    return TOLD if has_errors(list(findings)) else DONE


def written(name: str, *commands: Command) -> Callable[[bytes], Sequence[Command]]:
    """Writes an input to a file that the commands read."""

    def write(data: bytes) -> Sequence[Command]:
        Path(name).write_bytes(data)
        return commands

    return write


def read_from(name: str, read: Callable[[Path], str]) -> Reader:
    """Writes an input to a file that a function reads."""
    path = Path(name)

    def reader(data: bytes) -> str:
        path.write_bytes(data)
        return read(path)

    return reader


def open_project() -> Project:
    """The project of the working folder, with the games that carddb comes with; its catalogue is made."""
    project = Project()
    with project.catalog():
        return project
