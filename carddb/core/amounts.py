"""Numbers and lists in words: `3 copies`, `a, b and c`, `a, b and 4 more`."""

from __future__ import annotations

from collections.abc import Sequence


def amount(count: int, noun: str = "card") -> str:
    """Returns a number with its noun: `1 card`, `2 cards`, `3 copies`."""
    return f"{count} {noun if count == 1 else plural(noun)}"


def plural(noun: str) -> str:
    """Returns a noun in the plural: `cards`, `copies`, `days`."""
    return noun[:-1] + "ies" if noun.endswith("y") and noun[-2:-1] not in "aeou" else noun + "s"


def listed(words: Sequence[str], most: int = 6) -> str:
    """Returns `a, b and c`; past `most` words the rest is only counted, as the last of them."""
    if len(words) > most:
        words = [*words[: most - 1], f"{len(words) - most + 1} more"]
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)


def first_of(words: Sequence[str], most: int) -> str:
    """Returns the first `most` words, `a, b, c`, and how many there are beside: `a, b, c and 4 more`."""
    more = f" and {len(words) - most} more" if len(words) > most else ""
    return ", ".join(words[:most]) + more
