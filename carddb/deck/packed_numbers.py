"""Small numbers as the fields of one integer: added all at once, and compared with all bounds at once."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence

_BITS = 32
_ZERO = 1 << _BITS - 1
"""What a field is raised by, so that it is never negative."""
_FAR = _ZERO >> 1
"""A bound that no sum reaches."""
MOST_NUMBER = 1 << 19
MOST_ADDED = 1 << 11
"""What a number is less than, up or down, and how many may be added: with more a field could run into the next."""


def packed(numbers: Sequence[int]) -> int:
    """Numbers as fields, the first in the lowest bits; a negative one borrows from the next."""
    return sum(number << _BITS * place for place, number in enumerate(numbers))


class PackedBounds:
    """The least and the most of each field."""

    def __init__(self, bounds: Sequence[tuple[int, int | None]]) -> None:
        self._lower = packed([_ZERO - max(-_FAR, min(least, _FAR)) for least, _ in bounds])
        self._upper = packed([_ZERO + (_FAR if most is None else max(-_FAR, min(most, _FAR))) for _, most in bounds])
        self._zeros = packed([_ZERO] * len(bounds))
        self._bytes = struct.Struct(f"<{len(bounds)}i")

    def hold(self, total: int) -> bool:
        """Whether all fields lie between their bounds."""
        return (self._upper - total) & (self._lower + total) & self._zeros == self._zeros

    def broken(self, total: int) -> Iterator[int]:
        """The places of the fields that do not."""
        beyond = ~((self._upper - total) & (self._lower + total)) & self._zeros
        while beyond:
            place = beyond.bit_length() // _BITS - 1
            yield place
            beyond ^= _ZERO << _BITS * place

    def numbers(self, total: int) -> Sequence[int]:
        """The fields as numbers."""
        return self._bytes.unpack((total + self._zeros ^ self._zeros).to_bytes(self._bytes.size, "little"))
