"""The Jinja that face templates run in: no way into Python, and no drawing without end."""

from __future__ import annotations

from collections.abc import Callable, Mapping, MutableMapping
from functools import lru_cache
from itertools import islice
from types import CodeType
from typing import Any, cast

import jinja2
from jinja2.runtime import new_context
from jinja2.sandbox import ImmutableSandboxedEnvironment
from markupsafe import Markup, escape

MAX_RENDERED = 4_000_000
"""Characters of one drawing."""
MAX_STEPS = 200_000
"""Numbers that all the ranges of one drawing give, and pieces that it is put together from."""
_AT_ONCE = 1_000
"""Pieces that are taken before they are counted."""
_SHORT = 60
"""Characters of a text that is remembered."""
_MAX_REPEATED = 100_000
_MAX_POWER = 64
_TEXT_METHODS = {"capitalize", "endswith", "isdigit", "lower", "lstrip", "partition", "replace", "rpartition", "rstrip"}
_TEXT_METHODS |= {"split", "startswith", "strip", "title", "upper"}
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
def _known(value: str | int) -> Markup:
    return escape(value)


def _escaped(value: Any) -> Markup:
    """What `escape` gives: figures and short texts come again on every card, and are looked up."""
    kind = type(value)
    if kind is str:
        return _known(value) if len(value) <= _SHORT else escape(value)
    if kind is int:
        return _known(value)
    return cast(Markup, value) if kind is Markup else escape(value)


class _Template(jinja2.Template):
    """A template that escapes by looking up."""

    @classmethod
    def from_code(
        cls,
        environment: jinja2.Environment,
        code: CodeType,
        globals: MutableMapping[str, Any],
        uptodate: Callable[[], bool] | None = None,
    ) -> jinja2.Template:
        template = super().from_code(environment, code, globals, uptodate)
        template.root_render_func.__globals__["escape"] = _escaped
        return template


class Sandbox(ImmutableSandboxedEnvironment):
    """Strict about undefined names, autoescaping; ranges, powers and repeated texts are bounded."""

    template_class = _Template
    intercepted_binops = frozenset({"**", "*", "%"})

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
        self.filters["thousands"] = thousands
        self._steps = 0
        self._ready: dict[str, jinja2.Template] = {}
        """Templates that were asked for: Jinja, which keeps them too, takes a lock each time."""
        self._globals = dict(self.globals)
        for name in _UNBOUNDED_FILTERS:
            self.filters.pop(name, None)

    def draw(self, name: str, context: Mapping[str, Any]) -> list[str]:
        """The text of a template in pieces. Raises what Jinja raises, and TemplateRuntimeError for one without end."""
        self._steps = 0
        template = self._ready.get(name) or self._ready.setdefault(name, self.get_template(name))
        known = new_context(self, template.name, template.blocks, {**self._globals, **context}, shared=True)
        drawing = template.root_render_func(known)
        pieces: list[str] = []
        size = 0
        try:
            while some := list(islice(drawing, _AT_ONCE)):
                pieces += some
                size += sum(map(len, some))
                if size > MAX_RENDERED or len(pieces) > MAX_STEPS:
                    raise jinja2.TemplateRuntimeError(f"the drawing has more than {MAX_RENDERED:,} characters")
        except ERRORS:
            self.handle_exception()
        return pieces

    def getattr(self, obj: Any, attribute: str) -> Any:
        """A field of a card first: an attribute of a mapping is its item, but for the few that Python gives it."""
        if type(obj) is dict and attribute in obj and attribute not in _OF_MAPPINGS:
            return obj[attribute]
        return super().getattr(obj, attribute)

    def _range(self, *bounds: int) -> range:
        numbers = range(*bounds)
        self._steps += len(numbers) + 1
        if self._steps > MAX_STEPS:
            raise jinja2.TemplateRuntimeError(f"the ranges of the drawing give more than {MAX_STEPS:,} numbers")
        return numbers

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        if operator == "**" and not (abs(left) <= _MAX_REPEATED and abs(right) <= _MAX_POWER):
            raise jinja2.TemplateRuntimeError("the power is too large")
        if operator == "*" and not (isinstance(left, int | float) and isinstance(right, int | float)):
            self._check_repeated(left, right)
        if operator == "%" and isinstance(left, str):
            raise jinja2.TemplateRuntimeError("% does not format texts here; join them with ~")
        return super().call_binop(context, operator, left, right)

    @staticmethod
    def _check_repeated(left: Any, right: Any) -> None:
        length = max(len(part) for part in (left, right, "") if hasattr(part, "__len__"))
        times = max((part for part in (left, right) if isinstance(part, int)), default=1)
        if length * times > _MAX_REPEATED:
            raise jinja2.TemplateRuntimeError(f"a text is repeated to more than {_MAX_REPEATED:,} characters")

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        if isinstance(obj, str) and callable(value):
            return attr in _TEXT_METHODS
        return super().is_safe_attribute(obj, attr, value)
