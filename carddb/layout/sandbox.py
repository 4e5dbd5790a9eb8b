"""The Jinja that face templates run in: no way into Python, and no drawing without end."""

from __future__ import annotations

from collections.abc import Callable, Mapping, MutableMapping
from functools import lru_cache, partial
from itertools import islice
from types import CodeType
from typing import Any, cast

import jinja2
from jinja2.runtime import new_context
from jinja2.sandbox import ImmutableSandboxedEnvironment
from markupsafe import Markup, escape

from carddb.layout import sandbox_bounds as bounds

MAX_STEPS = 200_000
"""Numbers that all the ranges of one drawing give, and pieces that it is put together from."""
_AT_ONCE = 1_000
"""Pieces that are taken before they are counted."""
_SHORT = 60
"""Characters of a text whose escaped form is kept."""
_MAX_BASE, _MAX_POWER = 100_000, 64
_TEXT_METHODS = {"capitalize", "endswith", "isdigit", "lower", "lstrip", "partition", "rpartition", "rstrip"}
_TEXT_METHODS |= {"replace", "split", "startswith", "strip", "title", "upper"}
_OF_MAPPINGS = frozenset(dir(dict))
_UNBOUNDED_FILTERS = ("center", "format", "indent", "pprint", "wordwrap", "xmlattr")

ERRORS = (
    jinja2.TemplateError, TypeError, ValueError, ArithmeticError, LookupError, AttributeError, RecursionError,
)  # fmt: skip
"""What a template can raise that is at fault."""


def thousands(number: int) -> str:
    """4000 as 4,000."""
    return f"{number:,}"


@lru_cache(maxsize=4_096)
def _cached_escape(value: str | int) -> Markup:
    return escape(value)


def _escape(value: Any) -> Markup:
    """What `escape` gives: figures and short texts come again on every card (4 % of the time of 540 cards)."""
    kind = type(value)
    if kind is int or (kind is str and len(value) <= _SHORT):
        return _cached_escape(value)
    return cast(Markup, value) if kind is Markup else escape(value)


class _Template(jinja2.Template):
    """A template whose texts do not grow without measure."""

    @classmethod
    def from_code(
        cls,
        environment: jinja2.Environment,
        code: CodeType,
        globals: MutableMapping[str, Any],
        uptodate: Callable[[], bool] | None = None,
    ) -> jinja2.Template:
        template = super().from_code(environment, code, globals, uptodate)
        template.root_render_func.__globals__.update(markup_join=bounds.concatenated, escape=_escape)
        return template


class Sandbox(ImmutableSandboxedEnvironment):
    """Strict about undefined names, autoescaping; nothing is made that is without measure."""

    template_class = _Template
    intercepted_binops = frozenset({"**", "*", "%", "+"})

    def __init__(self, sources: Mapping[str, str], compiled: jinja2.BytecodeCache | None = None) -> None:
        super().__init__(
            loader=jinja2.DictLoader(dict(sources)),
            undefined=jinja2.StrictUndefined,
            autoescape=True,
            trim_blocks=True,
            lstrip_blocks=True,
            bytecode_cache=compiled,
        )
        self.globals["range"] = self._range
        self.globals.pop("lipsum", None)
        self.filters.update(thousands=thousands, replace=bounds.replace_filter, join=bounds.join_filter)
        for name in ("batch", "round", "slice"):
            self.filters[name] = bounds.bounded_filter(self.filters[name])
        self._steps = 0
        self._globals = dict(self.globals)
        for name in _UNBOUNDED_FILTERS:
            self.filters.pop(name, None)

    def draw(self, name: str, context: Mapping[str, Any]) -> list[str]:
        """The text of a template in pieces. Raises what Jinja raises, and TemplateRuntimeError for one without end."""
        self._steps = 0
        template = self.get_template(name)
        variables = new_context(self, template.name, template.blocks, {**self._globals, **context}, shared=True)
        drawing = template.root_render_func(variables)
        pieces: list[str] = []
        size = 0
        try:
            while some := list(islice(drawing, _AT_ONCE)):
                pieces += some
                size += sum(map(len, some))
                if size > bounds.MAX_RENDERED or len(pieces) > MAX_STEPS:
                    raise jinja2.TemplateRuntimeError(f"the drawing has more than {bounds.MAX_RENDERED:,} characters")
        except ERRORS:
            self.handle_exception()
        return pieces

    def getattr(self, obj: Any, attribute: str) -> Any:
        """A field of a card first: an attribute of a mapping is its item, but for the few that Python gives it."""
        if type(obj) is dict and attribute in obj and attribute not in _OF_MAPPINGS:
            return obj[attribute]
        if attribute == "replace" and isinstance(obj, str):
            return partial(bounds.replace_method, obj)
        return super().getattr(obj, attribute)

    def _range(self, *bounds: int) -> range:
        numbers = range(*bounds)
        self._steps += len(numbers) + 1
        if self._steps > MAX_STEPS:
            raise jinja2.TemplateRuntimeError(f"the ranges of the drawing give more than {MAX_STEPS:,} numbers")
        return numbers

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        numbers = isinstance(left, int | float) and isinstance(right, int | float)
        if operator == "**" and not (numbers and abs(left) <= _MAX_BASE and abs(right) <= _MAX_POWER):
            raise jinja2.TemplateRuntimeError("the power is too large")
        if operator == "*" and not numbers:
            times = max((part for part in (left, right) if isinstance(part, int)), default=1)
            bounds.check_length(max(bounds.length_of(left), bounds.length_of(right)) * times)
        if operator == "%" and isinstance(left, str):
            raise jinja2.TemplateRuntimeError("% does not format texts here; join them with ~")
        if operator == "+" and not numbers:
            most = bounds.MAX_RENDERED if isinstance(left, str) else bounds.MAX_REPEATED
            bounds.check_length(bounds.length_of(left) + bounds.length_of(right), most)
        return super().call_binop(context, operator, left, right)

    def wrap_str_format(self, value: Any) -> Callable[..., str] | None:
        """The methods `format` and `format_map` of a text, bounded; None for anything else."""
        if super().wrap_str_format(value) is None:
            return None
        text = value.__self__
        markup = isinstance(text, Markup)
        formatter = bounds.MarkupFormatter(self, escape=text.escape) if markup else bounds.Formatter(self)
        if value.__name__ == "format_map":
            return lambda fields: type(text)(formatter.vformat(text, (), fields))
        return lambda *arguments, **fields: type(text)(formatter.vformat(text, arguments, fields))

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        if isinstance(obj, str) and callable(value):
            return attr in _TEXT_METHODS
        return super().is_safe_attribute(obj, attr, value)
