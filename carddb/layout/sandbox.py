"""The Jinja that face templates run in: no way into Python, and no drawing without end."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable, Mapping, MutableMapping
from functools import lru_cache
from types import CodeType
from typing import Any, cast

import jinja2
from jinja2.runtime import markup_join, new_context, str_join
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.utils import Namespace
from markupsafe import Markup, escape

from carddb.layout import template_budget
from carddb.layout.card_values import CardValues
from carddb.layout.sandbox_filters import SHORT, filters_of, tests_of
from carddb.layout.sandbox_methods import format_method, method_of
from carddb.layout.template_budget import Budget, BudgetExceeded
from carddb.layout.template_meter import MeteredCode, charges
from carddb.layout.undefined_names import AbsentField, UnknownName

_MAX_BASE, _MAX_POWER, _MAX_NUMBER = 100_000, 64, 2**128
_NUMBERS = (int, float)
_PLAIN = {bool, float, int, str}
_MAPPINGS = {dict, CardValues}
_OF_MAPPINGS = frozenset(dir(dict))

ERRORS = (
    jinja2.TemplateError, TypeError, ValueError, ArithmeticError, LookupError, AttributeError, RecursionError,
    MemoryError, AssertionError,
)  # fmt: skip
"""What a template can raise that is at fault; Jinja asserts what its filters take."""


@lru_cache(maxsize=4_096)
def _cached_escape(value: str | int) -> Markup:
    return escape(value)


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
        template.root_render_func.__globals__.update(cast(Sandbox, environment).text_functions)
        return template


class Sandbox(ImmutableSandboxedEnvironment):
    """Strict about undefined names, autoescaping; nothing is made that is without measure. It draws one at a time."""

    template_class = _Template
    code_generator_class = MeteredCode
    intercepted_binops = frozenset({"**", "*", "%", "+"})

    def __init__(self, sources: Mapping[str, str], compiled: jinja2.BytecodeCache | None = None) -> None:
        super().__init__(
            loader=jinja2.FunctionLoader(lambda name: (sources[name], name, None) if name in sources else None),
            undefined=UnknownName,
            autoescape=True,
            trim_blocks=True,
            lstrip_blocks=True,
            bytecode_cache=compiled,
        )
        self.budget = Budget()
        self.filters: dict[str, Callable[..., Any]] = {**filters_of(self.budget), **charges(self.budget)}
        self.tests = cast(Any, tests_of(self.budget))
        self.globals = {"range": range, "dict": self._dict, "namespace": Namespace, "cycler": jinja2.utils.Cycler,
                        "joiner": jinja2.utils.Joiner}  # fmt: skip
        self.text_functions = {
            "escape": self._escape, "str": self._text, "markup_join": self._markup_join, "str_join": self._str_join
        }  # fmt: skip
        """What the code of a template makes texts with."""
        self._globals = dict(self.globals)

    def draw(self, name: str, context: Mapping[str, Any]) -> list[str]:
        """The text of a template in pieces. Raises what Jinja raises, and BudgetExceeded for one without end."""
        template = self.get_template(name)
        self.budget.refill()
        variables = new_context(self, template.name, template.blocks, {**self._globals, **context}, shared=True)
        drawing = cast(Generator[str], template.root_render_func(variables))
        pieces: list[str] = []
        size = 0
        try:
            for piece in drawing:
                size += len(piece)
                if size > template_budget.MAX_RENDERED:
                    drawing.throw(BudgetExceeded(f"it has more than {template_budget.MAX_RENDERED:,} characters"))
                pieces.append(piece)
        except ERRORS:
            self.handle_exception()
        return pieces

    def _compile(self, source: str, filename: str) -> CodeType:
        """The code of a template. Raises TemplateSyntaxError for what Jinja takes and Python does not."""
        try:
            return super()._compile(source, filename)
        except (SyntaxError, RecursionError, MemoryError) as fault:
            message = fault.msg if isinstance(fault, SyntaxError) else "it is nested too deeply"
            line = _template_line(source, getattr(fault, "lineno", None) or 0)
            raise jinja2.TemplateSyntaxError(message, line, filename) from fault

    def template_line(self, name: str, code_line: int) -> int:
        """The line of a template that a line of its code was made from."""
        assert self.loader
        source, file, _ = self.loader.get_source(self, name)
        return _template_line(self.compile(source, name, file, raw=True), code_line)

    def getattr(self, obj: Any, attribute: str) -> Any:
        """A field of a card first: an attribute of a mapping is its item, but for the few that Python gives it."""
        kind = type(obj)
        if kind in _MAPPINGS and attribute in obj and attribute not in _OF_MAPPINGS:
            return obj[attribute]
        if kind is AbsentField:
            return obj
        value = getattr(obj, attribute, None)
        if type(value) in _PLAIN and attribute[0] != "_":  # a quarter of the time of 240 faces
            return value
        value = super().getattr(obj, attribute)
        return obj.absent(attribute) if kind is CardValues and isinstance(value, jinja2.Undefined) else value

    def getitem(self, obj: Any, argument: Any) -> Any:
        value = super().getitem(obj, self.budget.key(argument) if type(argument) is tuple else argument)
        return obj.absent(argument) if type(obj) is CardValues and isinstance(value, jinja2.Undefined) else value

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        if isinstance(left, _NUMBERS) and isinstance(right, _NUMBERS):
            return self._calculated(operator, left, right)
        if operator == "*":
            text, times = (right, left) if isinstance(left, int) else (left, right)
            if isinstance(times, int) and isinstance(text, str | list | tuple):
                self.budget.make(text, len(text) * max(0, times))
        elif operator == "%" and isinstance(left, str):
            raise jinja2.TemplateRuntimeError("% does not format texts here; join them with ~")
        elif operator == "+":
            for part in (left, right):
                if isinstance(part, str | list | tuple):
                    self.budget.make(part, len(part))
        return super().call_binop(context, operator, left, right)

    def _calculated(self, operator: str, left: float, right: float) -> float:
        if operator == "**" and (abs(left) > _MAX_BASE or abs(right) > _MAX_POWER):
            raise jinja2.TemplateRuntimeError("the power is too large")
        result: float = self.binop_table[operator](left, right)
        if operator != "+" and type(result) is int and abs(result) > _MAX_NUMBER:
            raise jinja2.TemplateRuntimeError("the number is too large")
        return result

    def wrap_str_format(self, value: Any) -> Callable[..., str] | None:
        """The methods `format` and `format_map` of a text, charged; None for anything else."""
        if super().wrap_str_format(value) is None:
            return None
        return format_method(self.budget, self, value.__self__, value.__name__)

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        """Texts, numbers, lists and mappings give the methods that are named; other objects none of Python's own."""
        if not super().is_safe_attribute(obj, attr, value):
            return False
        return not callable(value) or type(obj).__module__.startswith("jinja2")

    def unsafe_undefined(self, obj: Any, attribute: str) -> Any:
        """A method that templates may call, charged; else what says that it is refused."""
        return method_of(self.budget, obj, attribute) or super().unsafe_undefined(obj, attribute)

    def _dict(self, *pairs: Any, **fields: Any) -> dict[Any, Any]:
        return dict(*map(self.budget.loop, pairs), **fields)

    def _escape(self, value: Any) -> Markup:
        """What `escape` gives: figures and short texts come again on every card (4 % of the time of 540 cards)."""
        kind = type(value)
        if kind is int or (kind is str and len(value) <= SHORT):
            return _cached_escape(value)
        if kind is Markup:
            return cast(Markup, value)
        if kind is not float:
            self.budget.weigh(value)
        return escape(value)

    def _text(self, value: Any = "") -> str:
        self.budget.weigh(value)
        return str(value)

    def concat(self, parts: Iterable[str]) -> str:  # what Jinja's class holds as a function
        """The text of a macro or of a block that is kept."""
        pieces = list(parts)
        self.budget.write(sum(map(len, pieces)))
        return "".join(pieces)

    def _markup_join(self, parts: Iterable[Any]) -> str:
        """What `~` makes."""
        pieces = list(parts)
        self.budget.weigh(pieces)
        return markup_join(pieces)

    def _str_join(self, parts: Iterable[Any]) -> str:
        pieces = list(parts)
        self.budget.weigh(pieces)
        return str_join(pieces)


def _template_line(code: str, code_line: int) -> int:
    """The line of the template that a line of its code was made from; Jinja writes which are which at the end."""
    lines = [tuple(map(int, pair.split("="))) for pair in re.findall(r"\d+=\d+", code.rpartition("debug_info = ")[2])]
    return max((line for line, made in lines if made <= code_line), default=0)
