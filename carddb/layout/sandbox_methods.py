"""The methods that templates may call on texts, lists and mappings, charged like filters."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from jinja2.sandbox import SandboxedEnvironment, SandboxedEscapeFormatter, SandboxedFormatter
from markupsafe import Markup

from carddb.layout.sandbox_filters import SHORT, replaced_length, stripped_cost
from carddb.layout.template_budget import Budget

_OF_TEXTS = {"capitalize", "endswith", "isdigit", "lower", "lstrip", "partition", "rpartition", "rstrip"}
_OF_TEXTS |= {"replace", "split", "startswith", "strip", "title", "upper"}
_FREE = {"is_integer", "items", "keys", "values"}
_OF_LISTS = {"copy", "count", "index"}
_NUMBER = re.compile(r"\d+")


def method_of(budget: Budget, value: Any, name: str) -> Callable[..., Any] | None:
    """A method of a text, a number, a list or a mapping; None where templates may not call it."""
    if isinstance(value, str):
        return _of_text(budget, value, name) if name in _OF_TEXTS else None
    if name in _FREE and isinstance(value, dict | float):
        method: Callable[..., Any] = getattr(value, name)
        return method
    if name == "get" and isinstance(value, dict):
        return lambda key, default=None: value.get(budget.key(key), default)
    return _of_list(budget, value, name) if name in _OF_LISTS and isinstance(value, dict | list | tuple) else None


def format_method(budget: Budget, environment: SandboxedEnvironment, text: str, name: str) -> Callable[..., str]:
    """The methods `format` and `format_map` of a text."""

    def call(*arguments: Any, **fields: Any) -> str:
        budget.write(len(text))
        budget.spend(text.count("{"))
        values, names = ((), *arguments) if name == "format_map" else (arguments, fields)
        if isinstance(text, Markup):
            return type(text)(_MarkupFormatter(environment, budget, escape=text.escape).vformat(text, values, names))
        return type(text)(_Formatter(environment, budget).vformat(text, values, names))

    return call


def _of_text(budget: Budget, text: str, name: str) -> Callable[..., Any]:
    method = getattr(text, name)

    def call(*arguments: Any, **options: Any) -> Any:
        if len(text) > SHORT or arguments:
            budget.weigh(arguments)
            budget.write(len(text))
        if name == "replace":
            budget.write(replaced_length(text, *(*arguments, *options.values())[:2]))
        elif name.endswith("strip"):
            budget.write(stripped_cost(text, *arguments))
        elif name == "split":
            budget.spend(len(text))
        return method(*arguments, **options)

    return call


def _of_list(budget: Budget, value: Any, name: str) -> Callable[..., Any]:
    method = getattr(value, name)

    def call(*arguments: Any) -> Any:
        budget.weigh(value)
        return method(*arguments)

    return call


class _Formatter(SandboxedFormatter):
    """Formats one text; a width or a precision is charged before anything is made."""

    def __init__(self, environment: SandboxedEnvironment, budget: Budget, **options: Any) -> None:
        super().__init__(environment, **options)
        self._budget = budget

    def format_field(self, value: Any, format_spec: str) -> Any:
        self._budget.weigh(value)
        self._budget.write(max(map(int, _NUMBER.findall(format_spec)), default=0))
        return super().format_field(value, format_spec)

    def convert_field(self, value: Any, conversion: Any) -> Any:
        self._budget.weigh(value)
        return super().convert_field(value, conversion)


class _MarkupFormatter(_Formatter, SandboxedEscapeFormatter):
    """The same for a text that is marked up."""
