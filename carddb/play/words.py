"""Words of closed lists in questions: every `Literal` of texts takes its words folded, and an answer shows the key.

Step = Annotated[Literal["draw", "battle"], Words("steps")]    # what the game's `words: steps:` says is taken too
choice: Known[Literal["play", "pass"]]                         # another word is left to the rules
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, TypeVar, cast

from pydantic import Field, GetCoreSchemaHandler, ValidationInfo
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from carddb.vocabulary import Vocabulary

UNKNOWN_WORD = "unknown_word"
"""The type of the fault of a word that a list does not have."""

_LIST = "carddb_words"
_INNER = ("schema", "fields", "choices", "items_schema", "keys_schema", "values_schema")
"""The keys under which the schema of a field holds other schemas."""

T = TypeVar("T")

Known = Annotated[T | str, Field(union_mode="left_to_right")]
"""A word of a list, or any other text, for which the rules have a code of their own."""


class Words:
    """Beside a `Literal`: the list of the game whose labels and aliases are taken too; `types` are its card types."""

    def __init__(self, list_: str) -> None:
        self.list = list_

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        schema: Any = handler(source)
        schema["metadata"] = {**schema.get("metadata", {}), _LIST: self.list}
        return cast(CoreSchema, schema)


def with_folded_words(schema: Any) -> Any:
    """The schema of an object whose closed fields take words folded; objects inside have seen to theirs."""
    if isinstance(schema, list | tuple):
        return type(schema)(with_folded_words(part) for part in schema)
    if not isinstance(schema, dict):
        return schema
    if schema.get("type") == "literal":
        return _word(schema)
    if "type" not in schema:
        return {name: with_folded_words(part) for name, part in schema.items()}
    inner = {key: with_folded_words(schema[key]) for key in _INNER if key in schema and not _is_part(schema[key])}
    return {**schema, **inner}


def _is_part(schema: Any) -> bool:
    return isinstance(schema, dict) and schema.get("type") == "model"


def _word(schema: Any) -> Any:
    """A literal that is compared exactly first, and folded where that fails: a key costs no call into Python."""
    keys = tuple(word for word in schema["expected"] if isinstance(word, str))
    if not keys:
        return schema
    folded = core_schema.with_info_before_validator_function(
        _finder(keys, schema.get("metadata", {}).get(_LIST)), schema
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
            details = {"did_you_mean": vocabulary.nearest(value), "words": list(keys)}
            raise PydanticCustomError(UNKNOWN_WORD, "unknown word", {"details": details})
        return key

    return key_of
