"""House readings: what `--option K=V` and the `options` of an operation may say."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from carddb.errors import UsageError
from carddb.game import GameSpec
from carddb.game_parts import OptionSpec
from carddb.names import did_you_mean


def options(spec: GameSpec, given: Mapping[str, str]) -> dict[str, Any]:
    """Every option of the game with its value; `given` values are JSON where they parse, else text.

    Raises UsageError for an unknown option, with the accepted ones, and for a value that the option cannot have.
    """
    values = {name: option.default for name, option in spec.options.items()}
    for name, text in given.items():
        option = spec.options.get(name)
        if option is None:
            raise UsageError(f"{spec.name} has no option {name}", _unknown(name, spec))
        try:
            values[name] = option_value(option, _read(text))
        except ValueError:
            raise UsageError(f"the option {name} cannot be {text}", f"Accepted: {accepted(option)}.") from None
    return values


def option_value(option: OptionSpec, value: Any) -> Any:
    """A value as the option has it. Raises ValueError where it cannot have it."""
    if option.type == "choice":
        written = str(value).lower() if isinstance(value, bool) else str(value)
        if isinstance(value, str | int | float) and written in option.of:
            return written
    elif option.type == "text":
        if isinstance(value, str | int | float):
            return str(value)
    elif type(value) is {"boolean": bool, "integer": int, "object": dict}[option.type]:
        return value
    raise ValueError(f"not {accepted(option)}: {value!r}")


def accepted(option: OptionSpec) -> str:
    """The values of an option in words."""
    if option.type == "choice":
        return ", ".join(option.of)
    return {"boolean": "true, false", "integer": "a whole number", "object": "a JSON object"}.get(option.type, "a text")


def _read(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _unknown(name: str, spec: GameSpec) -> str:
    near = did_you_mean(name, spec.options)
    accepted_ones = f"Accepted: {', '.join(spec.options)}." if spec.options else "It has none."
    return f"{near} {accepted_ones}" if near.startswith("Did") else accepted_ones
