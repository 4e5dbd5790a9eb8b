"""The Jinja that templates run in: its own sandbox, with the names that give the same result each time.

It keeps templates away from Python and from files. It bounds neither time nor memory: the templates of a game that
nobody vouched for are rendered in a process that has bounds (`carddb.press.templates.foreign_templates`).
"""

from __future__ import annotations

import re
from collections.abc import Generator, Mapping
from types import CodeType
from typing import Any, cast

import jinja2
from jinja2.filters import FILTERS
from jinja2.runtime import Context
from jinja2.sandbox import ImmutableSandboxedEnvironment

from carddb.layout.templates.card_values import FAULTS, CardValues
from carddb.layout.templates.undefined_names import AbsentField, UnknownName, absent

MAX_RENDERED = 400_000
"""Characters of a rendered template: twice the largest file of symbols of the bundled games."""
ERRORS = (jinja2.TemplateError, *FAULTS)
"""What a template at fault can raise."""

_FILTERS = (
    "abs", "batch", "capitalize", "count", "d", "default", "dictsort", "e", "escape", "filesizeformat", "first",
    "float", "forceescape", "groupby", "int", "items", "join", "last", "length", "list", "lower", "map", "max", "min",
    "reject", "rejectattr", "replace", "reverse", "round", "safe", "select", "selectattr", "slice", "sort", "string",
    "striptags", "sum", "title", "trim", "truncate", "unique", "upper", "urlencode", "wordcount",
)  # fmt: skip
"""Jinja's filters without those that differ from run to run (`random`), reach for attributes (`attr`), or are of no use
on paper (`tojson`, `urlize`)."""
_METHODS = {
    "capitalize", "copy", "count", "endswith", "format", "format_map", "get", "index", "is_integer", "isdigit", "items",
    "keys", "lower", "lstrip", "partition", "replace", "rpartition", "rstrip", "split", "startswith", "strip", "title",
    "upper", "values",
}  # fmt: skip
"""The methods of texts, numbers, lists and mappings that templates may call."""
_MAX_BASE, _MAX_POWER, _MAX_NUMBER = 100_000, 64, 2**128
_PLAIN = {bool, float, int, str}
_MAPPINGS = {dict, CardValues}
_OF_MAPPINGS = frozenset(dir(dict))
_DEBUG_INFO = re.compile(r"\d+=\d+")


class Sandbox(ImmutableSandboxedEnvironment):
    """Jinja's sandbox, strict about undefined names and autoescaping; fields of cards go before methods."""

    intercepted_binops = frozenset({"*", "**"})
    """What is worked out by `call_binop`, and never while a template is compiled, when its line is not known."""

    def __init__(self, sources: Mapping[str, str], compiled: jinja2.BytecodeCache | None = None) -> None:
        super().__init__(
            loader=jinja2.FunctionLoader(lambda name: (sources[name], name, None) if name in sources else None),
            undefined=UnknownName,
            autoescape=True,
            trim_blocks=True,
            lstrip_blocks=True,
            bytecode_cache=compiled,
            optimized=False,  # who prints with an empty cache waits for it: all bundled templates 1.7 s, not 2.0
        )
        self.filters = {**{name: FILTERS[name] for name in _FILTERS}, "thousands": "{:,}".format}
        del self.globals["lipsum"]

    def draw(self, name: str, context: Mapping[str, Any]) -> str:
        """Renders a template. Raises one of ERRORS, whose traceback has lines of templates."""
        drawing = cast("Generator[str]", self.get_template(name).generate(context))
        pieces: list[str] = []
        size = 0
        for piece in drawing:
            size += len(piece)
            if size > MAX_RENDERED:
                drawing.throw(jinja2.TemplateRuntimeError(f"it has more than {MAX_RENDERED:,} characters"))
            pieces.append(piece)
        return "".join(pieces)

    def _compile(self, source: str, filename: str) -> CodeType:
        """Compiles the code of a template. Raises TemplateSyntaxError for what Jinja takes and Python does not."""
        try:
            return super()._compile(source, filename)
        except (SyntaxError, RecursionError, MemoryError) as fault:
            message = fault.msg if isinstance(fault, SyntaxError) else "it is nested too deeply"
            line = _template_line(source, getattr(fault, "lineno", None) or 0)
            raise jinja2.TemplateSyntaxError(message, line, filename) from fault

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        """Works out a product or a power, so that a slip is told with its line before it fills the memory."""
        if operator == "**" and (abs(left) > _MAX_BASE or abs(right) > _MAX_POWER):
            raise jinja2.TemplateRuntimeError("the power is too large")
        if not isinstance(left, int | float) or not isinstance(right, int | float):
            values, times = (right, left) if isinstance(left, int) else (left, right)
            if isinstance(values, str | list | tuple) and isinstance(times, int) and len(values) * times > MAX_RENDERED:
                raise jinja2.TemplateRuntimeError(f"it has more than {MAX_RENDERED:,} parts")
        result = super().call_binop(context, operator, left, right)
        if type(result) is int and abs(result) > _MAX_NUMBER:
            raise jinja2.TemplateRuntimeError("the number is too large")
        return result

    def getattr(self, obj: Any, attribute: str) -> Any:
        """Looks up a field of a card first: an attribute of a mapping is its item, but for the methods of mappings."""
        kind = type(obj)
        if kind in _MAPPINGS and attribute in obj and attribute not in _OF_MAPPINGS:
            return obj[attribute]
        if kind is AbsentField:
            return obj
        value = getattr(obj, attribute, None)
        if type(value) in _PLAIN and attribute[0] != "_":  # a sixth of the time of the faces of C.A.H.R.D.
            return value
        value = super().getattr(obj, attribute)
        return absent(obj, attribute) if kind is CardValues and isinstance(value, jinja2.Undefined) else value

    def getitem(self, obj: Any, argument: Any) -> Any:
        value = super().getitem(obj, argument)
        return absent(obj, argument) if type(obj) is CardValues and isinstance(value, jinja2.Undefined) else value

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        """Allows the named methods of plain values and all of Jinja's own objects; other objects have fields alone."""
        if not super().is_safe_attribute(obj, attr, value):
            return False
        if not callable(value) or type(obj).__module__.startswith("jinja2"):
            return True
        return attr in _METHODS and isinstance(obj, str | int | float | list | tuple | dict)


def _template_line(code: str, code_line: int) -> int:
    """Returns the line of the template that a line of its code was made from; Jinja lists both at the code's end."""
    pairs = _DEBUG_INFO.findall(code.rpartition("debug_info = ")[2])
    lines = [tuple(map(int, pair.split("="))) for pair in pairs]
    return max((line for line, made in lines if made <= code_line), default=0)
