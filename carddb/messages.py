"""Messages between processes by a pipe, each with its length before it."""

from __future__ import annotations

import struct
from typing import BinaryIO

_LENGTH = struct.Struct("<Q")


def send(stream: BinaryIO, message: bytes) -> None:
    """Writes a message with its length. Raises OSError."""
    stream.write(_LENGTH.pack(len(message)) + message)
    stream.flush()


def receive(stream: BinaryIO) -> bytes:
    """The next message. Raises EOFError where there is none, or not all of it."""
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        raise EOFError
    (length,) = _LENGTH.unpack(head)
    message = stream.read(length)
    if len(message) < length:
        raise EOFError
    return message
