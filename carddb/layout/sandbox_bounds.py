"""How much an expression of a template may make: checked before it is made."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any

import jinja2
from jinja2.filters import do_join, do_replace, make_attrgetter
from jinja2.nodes import EvalContext
from jinja2.runtime import markup_join
from jinja2.sandbox import SandboxedEscapeFormatter, SandboxedFormatter

MAX_RENDERED = 4_000_000
"""Characters of one drawing, and of a text that is joined for it."""
MAX_REPEATED = 100_000
"""Characters or elements that a repeat or a format makes."""
_NUMBER = re.compile(r"\d+")


def check_length(length: int, most: int = MAX_REPEATED) -> None:
    """Raises TemplateRuntimeError for more than that."""
    if length > most:
        raise jinja2.TemplateRuntimeError(f"an expression makes more than {most:,} characters or elements")


def length_of(value: Any) -> int:
    """Of a text or a list; 0 for anything else."""
    return len(value) if isinstance(value, str | list | tuple) else 0


def concatenated(parts: Iterable[Any]) -> str:
    """What `~` makes."""
    text: str = markup_join(parts)
    check_length(len(text), MAX_RENDERED)
    return text


def _check_replacement(text: str, old: str, new: str) -> None:
    check_length(len(text) + text.count(old) * len(new), MAX_RENDERED)


@jinja2.pass_eval_context
def replace_filter(context: EvalContext, text: Any, old: Any, new: Any, count: int | None = None) -> str:
    """The filter `replace`."""
    _check_replacement(str(text), str(old), str(new))
    return do_replace(context, text, old, new, count)


def replace_method(text: str, old: str, new: str, count: int = -1) -> str:
    """The method `replace` of a text."""
    _check_replacement(text, old, new)
    return text.replace(old, new, count)


@jinja2.pass_eval_context
def join_filter(context: EvalContext, value: Iterable[Any], d: str = "", attribute: str | int | None = None) -> str:
    """The filter `join`."""
    items = list(value if attribute is None else map(make_attrgetter(context.environment, attribute), value))
    check_length(sum(map(length_of, items)) + len(items) * len(d), MAX_RENDERED)
    joined: str = do_join(context, items, d)
    return joined


def bounded_filter(function: Callable[..., Any]) -> Callable[..., Any]:
    """A filter whose numbers are bounded."""

    @wraps(function)
    def bounded(*arguments: Any, **options: Any) -> Any:
        check_length(max((each for each in (*arguments, *options.values()) if isinstance(each, int)), default=0))
        return function(*arguments, **options)

    return bounded


class Formatter(SandboxedFormatter):
    """Formats one text, and refuses widths and precisions without measure before anything is made."""

    _length = 0

    def format_field(self, value: Any, format_spec: str) -> Any:
        check_length(self._length + max(map(int, _NUMBER.findall(format_spec)), default=0))
        text = super().format_field(value, format_spec)
        self._length += len(text)
        return text


class MarkupFormatter(Formatter, SandboxedEscapeFormatter):
    """The same for a text that is marked up."""
