"""How the closed fields of an object take their words folded: every `Literal` of texts, by key, label or alias."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pydantic import ValidationInfo
from pydantic_core import PydanticCustomError, core_schema

from carddb.core.vocabulary import Vocabulary
from carddb.play.fields import LIST

UNKNOWN_WORD = "unknown_word"
"""The type of the fault of a word that a list does not have."""

_INNER = ("schema", "choices", "items_schema", "keys_schema", "values_schema")
"""The keys under which the schema of a field holds other schemas."""
_BY_NAME = {"model-fields": "fields", "tagged-union": "choices"}
"""The schemas that hold others by name, and under which key."""


def with_folded_words(schema: Any, part: type) -> Any:
    """The schema of an object whose closed fields take words folded; objects inside have seen to theirs."""
    if isinstance(schema, list | tuple):
        return type(schema)(with_folded_words(inner, part) for inner in schema)
    if not isinstance(schema, dict) or schema.get("cls", part) is not part:
        return schema
    if schema["type"] == "literal":
        return _word(schema)
    if key := _BY_NAME.get(schema["type"]):
        return {**schema, key: {name: with_folded_words(inner, part) for name, inner in schema[key].items()}}
    return {**schema, **{key: with_folded_words(schema[key], part) for key in _INNER if key in schema}}


def _word(schema: Any) -> Any:
    """A literal that is compared exactly first, and folded where that fails: a key costs no call into Python."""
    keys = tuple(word for word in schema["expected"] if isinstance(word, str))
    if not keys:
        return schema
    folded = core_schema.with_info_before_validator_function(
        _finder(keys, schema.get("metadata", {}).get(LIST)), schema
    )
    return core_schema.union_schema([schema, folded], mode="left_to_right")


def _finder(keys: tuple[str, ...], list_: str | None) -> Callable[[Any, ValidationInfo], Any]:
    """What turns a word into its key; the context of the validation is the game, where it is known."""

    def key_of(value: Any, info: ValidationInfo) -> Any:
        if not isinstance(value, str):
            return value
        vocabulary = info.context.vocabulary(keys, list_) if info.context else Vocabulary(keys)
        key = vocabulary.find(value)
        if key is None:
            # The nearest is looked for where it is told: a question of 60,000 unknown words has one that is.
            # In a tuple, because pydantic cannot hold a text with half a character (a lone surrogate) itself.
            raise PydanticCustomError(UNKNOWN_WORD, "unknown word", {"words": vocabulary, "word": (value,)})
        return key

    return key_of
