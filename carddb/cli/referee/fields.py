"""Questions whose fields are options of a command line: --FIELD VALUE."""

from __future__ import annotations

from carddb.core.errors import UsageError

FREE = {"ignore_unknown_options": True, "allow_extra_args": True}
"""The settings of a verb that takes such fields."""


def fields(words: list[str]) -> dict[str, str]:
    """`--off-mod 2 --n=5` as fields with their texts. Raises UsageError."""
    values: dict[str, str] = {}
    rest = iter(words)
    for word in rest:
        if not word.startswith("--"):
            raise UsageError(f"{word!r} belongs to no field", "Write --FIELD VALUE.")
        name, equals, value = word.removeprefix("--").partition("=")
        text = value if equals else next(rest, None)
        if text is None:
            raise UsageError(f"--{name} has no value", "Write --FIELD VALUE.")
        values[name.replace("-", "_")] = text
    return values
