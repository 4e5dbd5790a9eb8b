"""The lists whose words the closed fields of questions take: a `Literal` has the keys, the game's file the other words.

Step = Annotated[Literal["draw", "battle"], Words("steps")]    # what the game's `words: steps:` says is taken too
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

LIST = "carddb_words"
"""Where the schema of a field says from which list of the game its further words are."""


class Words:
    """Beside a `Literal`: the list of the game whose labels and aliases are taken too; `types` are its card types."""

    def __init__(self, list_: str) -> None:
        self.list = list_

    def __get_pydantic_core_schema__(self, source: Any, handler: Callable[[Any], Any]) -> Any:
        schema = handler(source)
        return {**schema, "metadata": {**schema.get("metadata", {}), LIST: self.list}}
