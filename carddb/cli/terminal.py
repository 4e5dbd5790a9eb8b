"""The terminal: an output that survives a closed pipe, and lines no wider than it."""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Iterator, Sequence
from typing import Any, TextIO

from carddb.core.errors import OutputError


class Descriptor(io.RawIOBase):
    """An open file descriptor: a closed pipe swallows what comes, any other failure is an OutputError, once.

    Where it `never_fails`, every failure is swallowed: there is no other place to report it.
    """

    def __init__(self, descriptor: int, never_fails: bool = False) -> None:
        super().__init__()
        self._descriptor = descriptor
        self._never_fails = never_fails
        self._silent = False

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._descriptor

    def isatty(self) -> bool:
        return os.isatty(self._descriptor)

    def write(self, data: Any) -> int:
        """Writes bytes, all of them."""
        view = memoryview(data).cast("B")
        done = 0
        while done < len(view) and not self._silent:
            try:
                done += os.write(self._descriptor, view[done:])
            except OSError as fault:
                self._silent = True
                if not (self._never_fails or isinstance(fault, BrokenPipeError)):
                    message = f"standard output cannot be written: {fault.strerror or fault}"
                    raise OutputError(message, "Make room, or write elsewhere.") from fault
        return len(view)


def install() -> None:
    """Puts both outputs behind a Descriptor; a program started without a stream writes to nowhere."""
    sys.stderr = _stream(sys.stderr, never_fails=True)
    sys.stdout = _stream(sys.stdout)


def _stream(stream: TextIO | None, never_fails: bool = False) -> TextIO:
    if stream is None:
        return open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123
    raw = Descriptor(stream.fileno(), never_fails)
    at_once = never_fails or raw.isatty()
    return io.TextIOWrapper(io.BufferedWriter(raw), stream.encoding, "backslashreplace", line_buffering=at_once)


_LABELLED = re.compile(r"(\s*\S+(?: \S+){0,4}?\s{2,})\S")
"""Words, a gap, and the text that the words are about."""
_WIDEST_LABEL = 0.4
"""The part of a line that a label may take for the text to go on beside it."""
_HANG = _GAP = 2
_PIECES = re.compile(r"\s+|\S+")


def wrapped(text: str, width: int, unseen: re.Pattern[str]) -> str:
    """Breaks the lines of a text at spaces, `unseen` being characters that take no place.

    A line goes on two columns further in, or, where it begins with a label and a gap, beside the label. A word that is
    wider than the room stays whole: it is a path or an address.
    """
    return "\n".join(part for line in text.split("\n") for part in _lines(line, width, unseen))


def _lines(line: str, width: int, unseen: re.Pattern[str]) -> Iterator[str]:
    if columns(unseen.sub("", line)) <= width:
        yield line
        return
    hang = _hang(unseen.sub("", line), width)
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


def _hang(line: str, width: int) -> int:
    """Returns the column at which a line goes on."""
    label = _LABELLED.match(line)
    if label and columns(label[1]) <= width * _WIDEST_LABEL:
        return columns(label[1])
    return min(len(line) - len(line.lstrip()) + _HANG, width // 2)


def broken(text: str, width: int) -> list[str]:
    """Returns the words of a cell on lines of `width` columns; a word that is wider is broken."""
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
    """Narrows the widths of a table's columns until a line has at most `most` columns, gaps with them.

    The widest gives first, and none gets below its floor.
    """
    out = list(widths)
    while sum(out) + _GAP * (len(out) - 1) > most:
        give = [at for at, (width, floor) in enumerate(zip(out, floors, strict=True)) if width > floor]
        if not give:
            break
        out[max(give, key=out.__getitem__)] -= 1
    return out


def columns(text: str) -> int:
    """Returns the columns of a terminal that a text takes."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len  # 25 ms, for letters beyond ASCII alone

    return cell_len(text)
