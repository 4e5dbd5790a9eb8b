"""The filters and tests that templates may use, charged for what they look at before they look at it.

`lipsum` and `random` are not among them, because the same input would no longer give the same bytes, nor are those that
make a text of any width (`center`, `format`, `indent`, ...) or are of no use on paper (`tojson`, `urlize`, ...).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from typing import Any, cast

from jinja2.environment import Environment
from jinja2.filters import FILTERS, do_join, do_replace, make_attrgetter
from jinja2.nodes import EvalContext
from jinja2.tests import TESTS
from jinja2.utils import pass_environment, pass_eval_context
from markupsafe import escape

from carddb.layout.template_budget import Budget, BudgetExceeded

Function = Callable[..., Any]

_TESTS = cast("Mapping[str, Function]", TESTS)
SHORT = 60
"""Characters of a text that costs no more than the step it is used in."""
_MAX_DIGITS = 40
"""Characters of a text that is read as a number."""
_MAX_PLACES = 30
"""Decimal places that a number is rounded to."""
_MAX_TAGGED = 50_000
"""Characters of a text whose tags are taken out, which takes the square of the time."""
_FREE = ("abs", "count", "d", "default", "filesizeformat", "first", "last", "length")
_OF_TEXTS = (
    "capitalize", "e", "escape", "forceescape", "lower", "safe", "string", "title", "truncate", "upper", "urlencode",
    "wordcount",
)  # fmt: skip
_OF_ELEMENTS = (
    "batch", "dictsort", "items", "list", "map", "reject", "rejectattr", "reverse", "select", "selectattr", "slice"
)  # fmt: skip
_ORDERING = ("groupby", "max", "min", "sort", "unique")
_COMPARING_TESTS = (
    "!=", "<", "<=", "==", ">", ">=", "eq", "equalto", "ge", "greaterthan", "gt", "le", "lessthan", "lt", "ne"
)  # fmt: skip


def thousands(number: int) -> str:
    """4000 as 4,000."""
    return f"{number:,}"


def filters_of(budget: Budget) -> dict[str, Function]:
    """Every filter by name."""
    own = {name: FILTERS[name] for name in _FREE} | {"thousands": thousands, "round": _rounded}
    own |= {name: _of_text(budget, FILTERS[name]) for name in _OF_TEXTS}
    own |= {name: _of_elements(budget, FILTERS[name]) for name in _OF_ELEMENTS}
    own |= {name: _ordering(budget, FILTERS[name]) for name in _ORDERING}
    own |= {name: _of_number(FILTERS[name]) for name in ("float", "int")}
    own["striptags"] = _of_text(budget, FILTERS["striptags"], _MAX_TAGGED)
    return own | _growing(budget)


def tests_of(budget: Budget) -> dict[str, Function]:
    """Every test by name."""
    compared = {name: _comparing(budget, _TESTS[name]) for name in _COMPARING_TESTS}
    return {**_TESTS, **compared, "in": lambda value, values: value in budget.search(value, values)}


def replaced_length(text: str, old: str, new: str) -> int:
    """The characters of a text in which another is replaced, at most; what is put in may be escaped before."""
    if len(text) * (1 + len(new)) <= SHORT:
        return SHORT
    return len(text) + text.count(old) * len(escape(new))


def _place(function: Function) -> int:
    """Where a filter's value stands among its arguments: behind the environment, where it takes that."""
    return 1 if hasattr(function, "jinja_pass_arg") else 0


def _of_text(budget: Budget, function: Function, most: int | None = None) -> Function:
    """A filter of a text, or of what is shown as one."""
    place = _place(function)

    @wraps(function)
    def charged(*arguments: Any, **options: Any) -> Any:
        value = arguments[place]
        if type(value) is str and len(value) <= SHORT:
            return function(*arguments, **options)
        budget.weigh(value)
        if most and len(str(value)) > most:
            raise BudgetExceeded(f"the filter takes texts of at most {most:,} characters")
        result = function(*arguments, **options)
        if isinstance(result, str):
            budget.write(len(result))
        return result

    return charged


def _of_elements(budget: Budget, function: Function) -> Function:
    """A filter that looks at every element of its value."""
    place = _place(function)

    @wraps(function)
    def charged(*arguments: Any, **options: Any) -> Any:
        values = budget.loop(arguments[place])
        budget.spend(max(0, *(each for each in (0, *arguments, *options.values()) if type(each) is int)))
        return function(*arguments[:place], values, *arguments[place + 1 :], **options)

    return charged


def _ordering(budget: Budget, function: Function) -> Function:
    """A filter that compares the elements of its value, or one attribute of them, with each other."""
    first = {"groupby": 0, "sort": 2, "unique": 1}.get(function.__name__.removeprefix("do_"), 1)

    @wraps(function)
    def charged(environment: Environment, values: Iterable[Any], *arguments: Any, **options: Any) -> Any:
        elements = list(budget.loop(values))
        attribute = options.get("attribute", arguments[first] if len(arguments) > first else None)
        for name in str(attribute).split(",") if attribute is not None else ():
            key = make_attrgetter(environment, name)
            budget.weigh([len(elements).bit_length() * [key(element)] for element in elements])
        if attribute is None:
            budget.weigh(len(elements).bit_length() * [elements])
            for element in elements:
                budget.key(element)
        return function(environment, elements, *arguments, **options)

    return charged


def _of_number(function: Function) -> Function:
    """A filter that reads a number."""

    @wraps(function)
    def bounded(value: Any, *arguments: Any, **options: Any) -> Any:
        if isinstance(value, str) and len(value) > _MAX_DIGITS:
            raise BudgetExceeded(f"a number has at most {_MAX_DIGITS} digits")
        return function(value, *arguments, **options)

    return bounded


def _rounded(value: float, precision: int = 0, method: str = "common") -> Any:
    if abs(precision) > _MAX_PLACES:
        raise BudgetExceeded(f"a number is rounded to at most {_MAX_PLACES} places")
    return FILTERS["round"](value, precision, method)


def _comparing(budget: Budget, function: Function) -> Function:
    def charged(value: Any, other: Any) -> Any:
        budget.weigh(value)
        return function(value, other)

    return charged


def _growing(budget: Budget) -> dict[str, Function]:
    """The filters whose result may be much longer than their value."""

    @pass_eval_context
    def join(context: EvalContext, value: Iterable[Any], d: str = "", attribute: str | int | None = None) -> str:
        elements = list(budget.loop(value))
        if attribute is not None:
            elements = list(map(make_attrgetter(context.environment, attribute), elements))
        budget.weigh(elements)
        budget.write(len(elements) * len(str(d)))
        joined: str = do_join(context, elements, d)
        return joined

    @pass_eval_context
    def replace(context: EvalContext, text: Any, old: Any, new: Any, count: int | None = None) -> str:
        budget.weigh((text, old, new))
        text, old, new = (part if isinstance(part, str) else str(part) for part in (text, old, new))
        budget.write(replaced_length(text, old, new))
        return do_replace(context, text, old, new, count)

    @pass_environment
    def summed(
        environment: Environment, values: Iterable[Any], attribute: str | int | None = None, start: Any = 0
    ) -> Any:
        elements = budget.loop(values)
        if attribute is not None:
            elements = map(make_attrgetter(environment, attribute), elements)
        if not isinstance(start, int | float):
            raise BudgetExceeded("only numbers are summed")
        return sum(elements, start)

    def trim(value: Any, chars: str | None = None) -> str:
        budget.weigh(value)
        text: str = value if isinstance(value, str) else str(value)
        budget.write(stripped_cost(text, chars))
        return text.strip(chars)

    return {"join": join, "replace": replace, "sum": summed, "trim": trim}


def stripped_cost(text: str, chars: str | None = None) -> int:
    """The characters that are compared to take those of `chars` off a text, at most."""
    cost = len(text) * len(chars) if chars else len(text)
    return cost if cost > SHORT else 0
