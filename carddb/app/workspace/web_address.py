"""The address of a place on the web, as a user names it."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from carddb.core.errors import UsageError

_STRANGE = re.compile(r"[\s\x00-\x20\x7f-\x9f<>\"'\\^`{|}]")


def checked_address(address: str) -> str:
    """The address, where it is one of http or https, or a path beside what is written. Raises UsageError."""
    remedy = "Write it as https://example.org/cards, or as a path: cards."
    try:
        parts = urlsplit(address)
    except ValueError as fault:
        raise UsageError(f"{address!r} is no address: {fault}", remedy) from fault
    on_the_web = parts.scheme in ("http", "https") and parts.netloc
    if not (on_the_web or (not parts.scheme and not parts.netloc)) or _STRANGE.search(address):
        raise UsageError(f"{address!r} is no address of the web", remedy)
    return address
