"""What keeps faces from being drawn, for the eye: file, line, the lines round it, and what mends it."""

from __future__ import annotations

import re
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from carddb.core import assets
from carddb.core.errors import CarddbError, GameError, TemplateError
from carddb.core.names import nearest
from carddb.findings import Finding, Severity
from carddb.games import Game
from carddb.press.faces.workshop import BASE

_AROUND = 1
_UNKNOWN_TAG = re.compile(r"unknown tag '(\w+)'")
_OPEN_TAG = re.compile(r"needs to be closed is '(\w+)'")
_EXPECTED = re.compile(r"'(\w+)'")
_TAGS = ("block", "endblock", "extends", "include", "import", "from", "macro", "endmacro", "set", "if", "elif", "else",
         "endif", "for", "endfor", "call", "endcall", "filter", "endfilter", "with", "endwith")  # fmt: skip
_LONGEST = 160


class SourceLine(NamedTuple):
    """A line of a file: its number, its text, whether the fault is in it."""

    number: int
    text: str
    is_faulty: bool


class FileFault(NamedTuple):
    """A fault of a file that others depend on: its name, its line (0: not known), the lines round it, and a remedy."""

    file: str
    line: int
    lines: tuple[SourceLine, ...]
    message: str
    fix: str

    def to_json(self) -> dict[str, Any]:
        """The fault for a page."""
        return {**self._asdict(), "lines": [list(line) for line in self.lines]}


def fault_of(game: Game, error: CarddbError) -> FileFault:
    """An error of drawing as the fault of a file."""
    if not isinstance(error, TemplateError):
        return FileFault("", 0, (), error.message, error.remedy)
    path = _path_of(game, error.template)
    return FileFault(path.name, error.line, _lines(path, error.line), error.reason, error.remedy or _fix(error))


def finding_fault(finding: Finding, root: Path) -> FileFault:
    """A finding of a game's file as its fault."""
    place = finding.where[0] if finding.where else None
    if place is None:
        return FileFault("", 0, (), finding.message, finding.fix)
    path = root / place.file
    return FileFault(path.name, place.line, _lines(path, place.line), finding.message, finding.fix)


def rules_fault(path: Path, error: GameError) -> FileFault:
    """What a game's `rules.py` raised as the fault of its line."""
    cause = error.__cause__
    frames = traceback.extract_tb(cause.__traceback__ if cause else None)
    lines = [frame.lineno or 0 for frame in frames if frame.filename == str(path)]
    line = (cause.lineno or 0) if isinstance(cause, SyntaxError) else lines[-1] if lines else 0
    return FileFault(path.name, line, _lines(path, line), error.message, error.remedy)


def finding_faults(findings: Sequence[Finding], root: Path) -> list[FileFault]:
    """The errors among the findings of a game's files."""
    return [finding_fault(finding, root) for finding in findings if finding.severity is Severity.ERROR]


def _path_of(game: Game, template: str) -> Path:
    prefix, _, name = template.partition("/")
    if not name:
        return Path(template)
    return (assets.templates() / BASE if prefix == BASE else game.folder.template_folder) / name


def _lines(path: Path, line: int) -> tuple[SourceLine, ...]:
    """The faulty line of a file and those round it; none where it cannot be read."""
    try:
        texts = path.read_text("utf-8").split("\n")
    except (OSError, UnicodeDecodeError):
        return ()
    numbers = range(max(1, line - _AROUND), min(len(texts), line + _AROUND) + 1) if line else ()
    return tuple(SourceLine(number, texts[number - 1][:_LONGEST], number == line) for number in numbers)


def _fix(error: TemplateError) -> str:
    """What mends a fault of Jinja's syntax, as far as its message tells."""
    tag, open_tag = _UNKNOWN_TAG.search(error.reason), _OPEN_TAG.search(error.reason)
    _, _, expected = error.reason.partition("following tags:")
    words = _EXPECTED.findall(expected.partition(".")[0])
    if tag:
        near = nearest(tag[1], words or _TAGS, 1)
        return f"Write {{% {near[0]} %}} in line {error.line}." if near else "Take the tag out."
    if open_tag:
        return f"Close it: {{% end{open_tag[1]} %}}."
    if "end of print statement" in error.reason:
        return "Close it: }}."
    return "" if not error.line else f"Mend line {error.line}, or bring back the last version of the file."
