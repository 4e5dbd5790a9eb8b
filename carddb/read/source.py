"""Bytes in, text out: opening what a command names, and decoding it."""

from __future__ import annotations

import codecs
import io
import os
import re
import stat
import sys
from pathlib import Path
from typing import BinaryIO

from carddb.core.errors import InputError
from carddb.findings import Finding, Place, error

_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
_UTF16 = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}


class Unreadable(Exception):
    """The rest of a file cannot be read, and this is why."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.message)
        self.finding = finding


class NamedBytes(io.BytesIO):
    """A file that is held in memory, with the name that it had where it came from."""

    def __init__(self, data: bytes, name: str) -> None:
        super().__init__(data)
        self.name = name

    @property
    def path(self) -> Path:
        """The name, for its ending and stem."""
        return Path(self.name)


def is_address(text: str) -> bool:
    """Whether a text is the address of something on the web, of whatever scheme."""
    return bool(_ADDRESS.match(text))


def name_of(source: Path | BinaryIO) -> str:
    """How findings call a source: the path as it was given, the name of a file in memory, `-` for a stream."""
    return source.name if isinstance(source, NamedBytes) else str(source) if isinstance(source, Path) else "-"


def read_bytes(source: Path | BinaryIO, limit: int) -> tuple[bytes, list[Finding]]:
    """All of a file or stream, or the finding `file_too_large` where it is over `limit` bytes.

    Raises InputError where it cannot be opened or read, or is neither a regular file nor the standard input.
    """
    name = name_of(source)
    try:
        if isinstance(source, Path):
            _refuse_others(source)
            with source.open("rb") as stream:
                data = stream.read(limit + 1)
        else:
            data = source.read(limit + 1)
    except (OSError, ValueError) as fault:
        reason = (getattr(fault, "strerror", None) or str(fault)).lower()
        raise InputError(f"{name} cannot be read: {reason}", "Check the name and that the file may be read.") from fault
    if len(data) <= limit:
        return data, []
    message = f"the file is larger than {size_in_words(limit)}, the most that is read"
    return b"", [error("file_too_large", message, Place(name), data={"limit": limit}, fix="Split it into several.")]


def _refuse_others(path: Path) -> None:
    """Raises InputError for a folder, a device or a pipe other than a shell's `<(...)`: opening could wait for ever."""
    status = path.stat()
    if stat.S_ISDIR(status.st_mode):
        raise InputError(f"{path} is a folder", "Name a file in it.")
    if stat.S_ISREG(status.st_mode):
        return
    if not _is_standard_input(status) and path.parent != Path("/dev/fd"):
        raise InputError(f"{path} is no regular file", "Write it to a file first, or pipe it in and name it -.")


def _is_standard_input(status: os.stat_result) -> bool:
    """Whether this is what `/dev/stdin` means."""
    try:
        return os.path.samestat(status, os.fstat(0))
    except OSError:
        return False


def size_in_words(size: int) -> str:
    """`16777216` -> `16 MB`."""
    return f"{size >> 20} MB" if size >= 1 << 20 else f"{size >> 10} kB"


def encoding_of(data: bytes) -> tuple[bytes, str]:
    """The byte order mark that a text begins with, empty where it has none, and its encoding."""
    if data.startswith(codecs.BOM_UTF8):
        return codecs.BOM_UTF8, "utf-8"
    return (data[:2], _UTF16[data[:2]]) if data[:2] in _UTF16 else (b"", "utf-8")


def decode(data: bytes, file: str) -> tuple[str | None, list[Finding]]:
    """Text from UTF-8, with or without a byte order mark, or from UTF-16 with one.

    Anything else is the finding `wrong_encoding`, which names the byte offset (from 0) and the line.
    """
    mark, encoding = encoding_of(data)
    start = len(mark)
    try:
        return data[start:].decode(encoding), []
    except UnicodeDecodeError as fault:
        before = data[start : start + fault.start].decode(encoding, "replace")
        offset, line = start + fault.start, before.count("\n") + 1
        place = Place(file, line, len(before) - before.rfind("\n"), f"0x{data[offset]:02x}")
        message = f"byte {offset}, in line {line}, is not {encoding.upper()} text"
        fix = "Save the file as UTF-8 (in a spreadsheet program: CSV UTF-8)."
        return None, [error("wrong_encoding", message, place, data={"offset": offset, "line": line}, fix=fix)]


def standard_input() -> BinaryIO:
    """The bytes of standard input. Raises InputError where the program was started without one."""
    if sys.stdin is None:
        raise InputError("there is no standard input to read from", "Name a file, or pipe something in.")
    return sys.stdin.buffer
