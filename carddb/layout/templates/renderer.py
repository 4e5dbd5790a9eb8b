"""Renders face templates with Jinja in a restricted sandbox, which is strict about undefined names."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Generator, Iterator, Mapping
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType
from typing import Any, cast

import jinja2
from jinja2 import ChainableUndefined, StrictUndefined, utils
from jinja2.environment import TemplateModule
from jinja2.filters import FILTERS
from jinja2.runtime import BlockReference, Context
from jinja2.sandbox import ImmutableSandboxedEnvironment

from carddb.core.errors import TemplateError
from carddb.core.names import did_you_mean
from carddb.layout.templates.card_values import FAULTS, CardValues


class UnknownName(StrictUndefined):
    """An undefined name in a template. Its message consists of a sentence, a newline and a remedy."""

    @property
    def _undefined_message(self) -> str:
        name, holder = self._undefined_name, self._undefined_obj
        if self._undefined_hint is None and isinstance(holder, Mapping):
            return f"the mapping has no key {name!r}\n{did_you_mean(str(name), map(str, holder))}"
        if self._undefined_hint is None and isinstance(holder, TemplateModule):
            names = [key for key in vars(holder) if not key.startswith("_")]
            return f"{vars(holder)['__name__']} has no macro {name!r}\n{did_you_mean(str(name), names)}"
        return super()._undefined_message


class AbsentField(ChainableUndefined):
    """A field that the game has but the card does not.

    It prints as empty, is undefined, equals None and "", and is neither less nor greater than any value.
    """

    def _never(self, *_: Any, **__: Any) -> Any:
        return False

    __lt__ = __le__ = __gt__ = __ge__ = _never

    def __eq__(self, other: Any) -> bool:
        return other is None or other == "" or isinstance(other, AbsentField)

    def __ne__(self, other: Any) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash("")


def absent(values: CardValues, field: str) -> AbsentField | UnknownName:
    """Returns the value of a field that a card does not have: AbsentField if the game has it, else UnknownName."""
    if field in values.fields:
        return AbsentField(f"{values.name} has no {field}", values, field)
    names = sorted({*values, *values.fields})
    near = did_you_mean(field, names)
    return UnknownName(f"{values.name}: there is no field {field!r}\n{near} Fields: {', '.join(names)}.")


_TEXTLESS = "it prints a function or another object without a text\nCall the function, or print a value of the object."


class _Textless:
    """An object that cannot be printed as text, because Python would print its address, which differs in each run."""

    def __repr__(self) -> str:
        raise jinja2.TemplateRuntimeError(_TEXTLESS)


class _Function(_Textless):
    """A function that a template can call, or a method of a value."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        return self.function(*arguments, **options)


class _Rows(_Textless):
    """The values that a filter returns one by one, which can be read only once."""

    def __init__(self, values: Iterator[Any]) -> None:
        self._values = values

    def __iter__(self) -> Iterator[Any]:
        return self._values


class Cycler(_Textless, utils.Cycler):
    pass


class Joiner(_Textless, utils.Joiner):
    pass


_FUNCTIONS = (FunctionType, MethodType, BuiltinFunctionType, functools.partial, BlockReference)


def _reproducible(value: Any) -> Any:
    """Returns a value that prints alike in every run: functions cannot be printed, and sets become sorted lists."""
    if isinstance(value, _FUNCTIONS):
        return _Function(value)
    return sorted(value, key=repr) if isinstance(value, frozenset | set) else value


def _row_filter(name: str) -> Callable[..., Any]:
    """Returns Jinja's filter `name`; values that it yields one by one are put into an object that cannot be printed."""
    apply = FILTERS[name]

    @functools.wraps(apply)
    def filtered(*arguments: Any, **options: Any) -> Any:
        values = apply(*arguments, **options)
        return _Rows(values) if isinstance(values, Iterator) else values

    return filtered


class _TemplateContext(Context):
    """The names that a template can use."""

    def super(self, name: str, current: Callable[[Context], Iterator[str]]) -> Any:
        return _reproducible(super().super(name, current))


MAX_RENDERED = 400_000
"""The most characters in a rendered template, twice as many as in the largest symbol file of the bundled games."""
ERRORS = (jinja2.TemplateError, *FAULTS)
"""The exceptions that a faulty template can raise."""

_FILTERS = (
    "abs", "batch", "capitalize", "count", "d", "default", "dictsort", "e", "escape", "filesizeformat", "first",
    "float", "forceescape", "groupby", "int", "items", "join", "last", "length", "list", "lower", "map", "max", "min",
    "reject", "rejectattr", "replace", "reverse", "round", "safe", "select", "selectattr", "slice", "sort", "string",
    "striptags", "sum", "title", "trim", "truncate", "unique", "upper", "urlencode", "wordcount",
)  # fmt: skip
"""Jinja's filters, except for those that are not reproducible (`random`), access attributes (`attr`), or are useless on
paper (`tojson`, `urlize`)."""
_ROW_FILTERS = (
    "batch", "items", "map", "reject", "rejectattr", "reverse", "select", "selectattr", "slice", "unique",
)  # fmt: skip
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
    """Jinja's sandbox, autoescaping and strict about undefined names; a card's fields take precedence over methods."""

    context_class = _TemplateContext
    intercepted_binops = frozenset({"*", "**"})
    """Operators that `call_binop` evaluates, always at run time, because during compilation the line is not known."""

    def __init__(self, sources: Mapping[str, str], compiled: jinja2.BytecodeCache | None = None) -> None:
        super().__init__(
            loader=jinja2.FunctionLoader(lambda name: (sources[name], name, None) if name in sources else None),
            undefined=UnknownName,
            autoescape=True,
            trim_blocks=True,
            lstrip_blocks=True,
            bytecode_cache=compiled,
            optimized=False,  # faster with an empty cache: all bundled templates take 1.7 s instead of 2.0
        )
        self.filters = {name: FILTERS[name] for name in _FILTERS}
        self.filters |= {name: _row_filter(name) for name in _ROW_FILTERS} | {"thousands": "{:,}".format}
        self.globals |= {"range": _reproducible(self.globals["range"]), "cycler": Cycler, "joiner": Joiner}
        del self.globals["lipsum"]

    def draw(self, name: str, context: Mapping[str, Any]) -> str:
        """Returns the text of the rendered template `name`. Raises one of ERRORS; its traceback has template lines."""
        drawing = cast("Generator[str]", self.get_template(name).generate(context))
        pieces: list[str] = []
        size = 0
        for piece in drawing:
            size += len(piece)
            if size > MAX_RENDERED:
                drawing.throw(jinja2.TemplateRuntimeError(f"the drawing has more than {MAX_RENDERED:,} characters"))
            pieces.append(piece)
        return "".join(pieces)

    def _compile(self, source: str, filename: str) -> CodeType:
        """Compiles a template's Python code. Raises TemplateSyntaxError for code of Jinja that Python rejects."""
        try:
            return super()._compile(source, filename)
        except (SyntaxError, RecursionError, MemoryError) as fault:
            message = fault.msg if isinstance(fault, SyntaxError) else "the template is nested too deeply"
            line = _template_line(source, getattr(fault, "lineno", None) or 0)
            raise jinja2.TemplateSyntaxError(message, line, filename) from fault

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        """Returns a product or a power. Raises TemplateRuntimeError if it is too large, before memory runs out."""
        if operator == "**" and (abs(left) > _MAX_BASE or abs(right) > _MAX_POWER):
            raise jinja2.TemplateRuntimeError(f"a power is above {_MAX_BASE:,} ** {_MAX_POWER}")
        if not isinstance(left, int | float) or not isinstance(right, int | float):
            values, times = (right, left) if isinstance(left, int) else (left, right)
            if isinstance(values, str | list | tuple) and isinstance(times, int) and len(values) * times > MAX_RENDERED:
                raise jinja2.TemplateRuntimeError(f"a product has more than {MAX_RENDERED:,} items or characters")
        result = super().call_binop(context, operator, left, right)
        if type(result) is int and abs(result) > _MAX_NUMBER:
            raise jinja2.TemplateRuntimeError("the result of a multiplication or power is above 2 ** 128")
        return result

    def getattr(self, obj: Any, attribute: str) -> Any:
        """Returns an attribute; of a mapping, the item with this key, unless mappings have a method of this name."""
        kind = type(obj)
        if kind in _MAPPINGS and attribute in obj and attribute not in _OF_MAPPINGS:
            return obj[attribute]
        if kind is AbsentField:
            return obj
        value = getattr(obj, attribute, None)
        if type(value) in _PLAIN and attribute[0] != "_":  # saves a sixth of the time for the faces of C.A.H.R.D.
            return value
        value = _reproducible(super().getattr(obj.function if kind is _Function else obj, attribute))
        return absent(obj, attribute) if kind is CardValues and isinstance(value, jinja2.Undefined) else value

    def getitem(self, obj: Any, argument: Any) -> Any:
        value = _reproducible(super().getitem(obj, argument))
        return absent(obj, argument) if type(obj) is CardValues and isinstance(value, jinja2.Undefined) else value

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        """Returns whether a template may call a method: one in _METHODS on plain values, any on Jinja's own objects."""
        if not super().is_safe_attribute(obj, attr, value):
            return False
        if not callable(value) or type(obj).__module__.startswith("jinja2") or isinstance(obj, _Textless):
            return True
        return attr in _METHODS and isinstance(obj, str | int | float | list | tuple | dict)


def _template_line(code: str, code_line: int) -> int:
    """Returns the line of a template for a line of its compiled code, by the table at the end of this code."""
    pairs = _DEBUG_INFO.findall(code.rpartition("debug_info = ")[2])
    lines = [tuple(map(int, pair.split("="))) for pair in pairs]
    return max((line for line, made in lines if made <= code_line), default=0)


_TAG = re.compile(r"({%.*?(?:%}|\Z)|{{.*?(?:}}|\Z)|{#.*?(?:#}|\Z)|<!--.*?(?:-->|\Z))|<([a-zA-Z]+)", re.S)
_ADDRESS = re.compile(" at 0x[0-9a-fA-F]+(?:>|&gt;)")
"""The end of the text that Python prints for an object, with a memory address that differs in each run."""
_COMMON = "_"
"""The first letter of the folders whose templates are shared by all games."""


class TemplateRenderer:
    """Renders templates by name; `compiled` is a cache of code compiled in earlier runs."""

    def __init__(self, sources: Mapping[str, str], compiled: jinja2.BytecodeCache | None = None) -> None:
        self._sources = sources
        self._plain = Sandbox(sources, compiled)
        self._marked: Sandbox | None = None

    def render(self, name: str, context: Mapping[str, Any], marked: bool) -> str:
        """Returns the text of a rendered template; if `marked`, each tag in it has a `data-at` with its file and line.

        Raises TemplateError with file and line if the template is missing or faulty.
        """
        if marked and self._marked is None:
            self._marked = Sandbox({name: _mark(name, source) for name, source in self._sources.items()})
        environment = self._marked if marked and self._marked else self._plain
        try:
            text = environment.draw(name, {key: _reproducible(value) for key, value in context.items()})
        except jinja2.TemplateNotFound as error:
            remedy = "Correct the name, or put the template into the game's templates folder."
            raise TemplateError("there is no such template", str(error.name), remedy=remedy) from error
        except jinja2.TemplateSyntaxError as error:
            raise TemplateError(error.message or "a syntax error", error.name or name, error.lineno) from error
        except ERRORS as error:
            words = {MemoryError: "it needs more memory than is available", RecursionError: "it is nested too deeply"}
            message, _, remedy = (words.get(type(error)) or str(error) or type(error).__name__).partition("\n")
            raise TemplateError(message, *self._place(error, name), remedy) from error
        if _ADDRESS.search(text):
            message, _, remedy = _TEXTLESS.partition("\n")
            raise TemplateError(message, name, remedy=remedy)
        return text

    def template_line(self, name: str, code_line: int) -> int:
        """Returns the line of a template that corresponds to a line of its compiled code."""
        return self._plain.get_template(name).get_corresponding_lineno(code_line)

    def _place(self, error: BaseException, name: str) -> tuple[str, int]:
        """Returns the template and the line of an error, found in its traceback, in which Jinja puts template lines.

        Shared templates are assumed to be correct, so for an error inside a shared template, the innermost template of
        the game is returned.
        """
        places, trace = [(name, 0)], error.__traceback__
        while trace:
            places.append((trace.tb_frame.f_code.co_filename, trace.tb_lineno))
            trace = trace.tb_next
        templates = [place for place in places if place[0] in self._sources]
        own = [place for place in templates if not place[0].startswith(_COMMON)]
        return (own or templates or places)[-1]


def _mark(name: str, source: str) -> str:
    def mark(match: re.Match[str]) -> str:
        if match[1]:
            return match[1]
        return f'<{match[2]} data-at="{name}:{source.count(chr(10), 0, match.start()) + 1}"'

    return _TAG.sub(mark, source)
