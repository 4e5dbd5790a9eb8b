"""The terminal: output that survives a closed pipe, and wrapping lines at its width."""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Iterator, Sequence
from typing import Any, TextIO

from carddb.core.errors import OutputError


class Descriptor(io.FileIO):
    """A file descriptor to write to. Output to a closed pipe is dropped; the first other failure raises OutputError.

    With `never_fails`, all failures are ignored, because there is no other place to report them.
    """

    def __init__(self, descriptor: int, never_fails: bool = False) -> None:
        super().__init__(descriptor, "w", closefd=False)
        self._never_fails = never_fails
        self._silent = False

    def write(self, data: Any) -> int:
        """Writes all bytes, and returns their number."""
        view = memoryview(data).cast("B")
        done = 0
        while done < len(view) and not self._silent:
            try:
                done += os.write(self.fileno(), view[done:])
            except OSError as fault:
                self._silent = True
                if not (self._never_fails or isinstance(fault, BrokenPipeError)):
                    message = f"standard output cannot be written: {fault.strerror or fault}"
                    raise OutputError(message, "Free some space, or write to another place.") from fault
        return len(view)


def install() -> None:
    """Makes standard output and standard error write through a Descriptor; a missing one writes to the null device."""
    sys.stderr = _stream(sys.stderr, never_fails=True)
    sys.stdout = _stream(sys.stdout)


def _stream(stream: TextIO | None, never_fails: bool = False) -> TextIO:
    if stream is None:
        return open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123
    raw = Descriptor(stream.fileno(), never_fails)
    at_once = never_fails or raw.isatty()
    return io.TextIOWrapper(io.BufferedWriter(raw), stream.encoding, "backslashreplace", line_buffering=at_once)


_LABELLED = re.compile(r"(\s*\S+(?: \S+){0,4}?\s{2,})\S")
"""A label, a gap, and the text that the label is for."""
_WIDEST_LABEL = 0.4
"""The largest part of a line that a label and its gap may take up so that continued lines are placed beside them."""
_HANG = _GAP = 2
_PIECES = re.compile(r"\s+|\S+")


def wrapped(text: str, width: int, unseen: re.Pattern[str], lead: int = 0) -> str:
    """Returns a text with its lines wrapped at spaces. `unseen` matches characters that have no width.

    The rest of a wrapped line is indented by two more columns or, if the line begins with a label and a gap, placed
    beside the label. `lead` is the width of label and gap, 0 if unknown. Words that are too wide, such as paths and
    addresses, are not broken.
    """
    return "\n".join(part for line in text.split("\n") for part in _lines(line, width, unseen, lead))


def _lines(line: str, width: int, unseen: re.Pattern[str], lead: int) -> Iterator[str]:
    if columns(unseen.sub("", line)) <= width:
        yield line
        return
    hang = _hang(unseen.sub("", line), width, lead)
    current, used = "", 0
    for piece in _PIECES.findall(line):
        wide = columns(unseen.sub("", piece))
        if not piece.isspace() and used + wide > width and current.strip():
            yield current.rstrip()
            current, used = " " * hang, hang
        elif piece.isspace() and current and used == hang and not current.strip():
            continue
        current, used = current + piece, used + wide
    yield current.rstrip()


def _hang(line: str, width: int, lead: int) -> int:
    """Returns the indent of the lines that continue `line`, in columns."""
    label = _LABELLED.match(line)
    lead = lead or (columns(label[1]) if label else 0)
    if 0 < lead <= width * _WIDEST_LABEL:
        return lead
    return min(len(line) - len(line.lstrip()) + _HANG, width // 2)


def broken(text: str, width: int) -> list[str]:
    """Returns the lines of a cell's text wrapped to `width` columns. Words that are too wide are broken."""
    lines = [""]
    for word in text.split(" "):
        tried = f"{lines[-1]} {word}" if lines[-1] else word
        if columns(tried) <= width:
            lines[-1] = tried
            continue
        if lines[-1]:
            lines.append("")
        for char in word:
            if columns(lines[-1] + char) > width:
                lines.append("")
            lines[-1] += char
    return lines


def narrowed(widths: Sequence[int], most: int, floors: Sequence[int]) -> list[int]:
    """Returns the widths of a table's columns, reduced until a whole line with its gaps is at most `most` wide.

    The widest column is reduced first, and none below its width in `floors`. Widths are in columns of the terminal.
    """
    out = list(widths)
    while sum(out) + _GAP * (len(out) - 1) > most:
        give = [at for at, (width, floor) in enumerate(zip(out, floors, strict=True)) if width > floor]
        if not give:
            break
        out[max(give, key=out.__getitem__)] -= 1
    return out


def columns(text: str) -> int:
    """Returns the width of a text in a terminal, in columns."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len  # 25 ms, only for letters beyond ASCII

    return cell_len(text)
