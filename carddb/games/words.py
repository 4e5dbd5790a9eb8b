"""Sentences of a game's data with its figures in them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_FIGURE = re.compile(r"\{(\w+)\}")


def filled(words: Any, figures: Mapping[str, object]) -> Any:
    """The words, or lists and tables of words, with every `{figure}` put in.

    Markup such as `{icon:die}` and names that are no figure stay.
    """
    if isinstance(words, str):
        return _FIGURE.sub(lambda found: str(figures.get(found[1], found[0])), words)
    if isinstance(words, Mapping):
        return {key: filled(value, figures) for key, value in words.items()}
    return [filled(value, figures) for value in words] if isinstance(words, list | tuple) else words
