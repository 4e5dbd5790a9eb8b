"""Placeholders in the sentences of a game's data: `{figure}` stands for a value."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_FIGURE = re.compile(r"\{(\w+)\}")


def fill(words: Any, figures: Mapping[str, object]) -> Any:
    """The words, or lists and tables of words, with every `{figure}` put in.

    Markup such as `{icon:die}` and names that are no figure stay.
    """
    if isinstance(words, str):
        return _FIGURE.sub(lambda match: str(figures.get(match[1], match[0])), words)
    if isinstance(words, Mapping):
        return {key: fill(value, figures) for key, value in words.items()}
    return [fill(value, figures) for value in words] if isinstance(words, list | tuple) else words
