"""Numbers that look like chance and are the same on every machine."""

from __future__ import annotations

_BITS = 0xFFFFFFFF
_BASIS, _PRIME = 0x811C9DC5, 0x01000193
_WARM_UP = 4


class Chance:
    """FNV-1a (32 bits) of a seed's UTF-8, then xorshift32; the first numbers are thrown away."""

    def __init__(self, seed: str) -> None:
        state = _BASIS
        for byte in seed.encode():
            state = ((state ^ byte) * _PRIME) & _BITS
        self.state = state or 1
        for _ in range(_WARM_UP):
            self.unit()

    def unit(self) -> float:
        """A number from 0 up to, not including, 1."""
        state = self.state
        state ^= (state << 13) & _BITS
        state ^= state >> 17
        state ^= (state << 5) & _BITS
        self.state = state
        return state / (_BITS + 1)

    def between(self, low: float, high: float) -> float:
        return low + (high - low) * self.unit()

    def below(self, count: int) -> int:
        """A whole number from 0 up to, not including, `count`."""
        return int(self.unit() * count)
