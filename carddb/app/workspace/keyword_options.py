"""Options that are given by name, as the Python door takes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from carddb.core.errors import UsageError
from carddb.core.names import did_you_mean


def refuse_unknown(options: Mapping[str, Any], kind: type) -> None:
    """Raises UsageError for an option that `kind`, a TypedDict, does not have; the nearest is named."""
    for name in options:
        if name not in kind.__annotations__:
            raise UsageError(f"there is no option {name!r}", did_you_mean(name, kind.__annotations__))
