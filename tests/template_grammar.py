"""Templates by chance, from Jinja's grammar, with a liking for what grows."""

from __future__ import annotations

from random import Random

_ATOMS = (
    "x", "n.a", "i", "1", "0", "2.5", "-3", "99999", "'a'", "'<b>'", "'é'", "true", "none", "[]", "{}", "gone",
    "loop.index", "range(9)", "range(10 ** 9)", "[1, 'b', x]", "(x, 2)", "{'k': x, 1: n.a}", "'a' * 999", "card",
    "card.name", "n",
)  # fmt: skip
_BINARY = (
    "+", "-", "*", "/", "//", "%", "**", "~", "==", "<", "in", "not in", "and", "or", ">=",
)  # fmt: skip
_FILTERS = (
    "abs", "batch", "batch(3, x)", "capitalize", "default(x)", "dictsort", "e", "first", "float", "groupby(0)",
    "int", "items", "join", "join(x)", "last", "length", "list", "lower", "map('upper')", "map(attribute='k')",
    "max", "min", "reject('odd')", "replace('a', x)", "replace('', n.a)", "reverse", "round(x)", "safe", "select",
    "slice(x)", "sort", "string", "striptags", "sum", "title", "trim(x)", "truncate(x)", "unique", "upper",
    "urlencode", "wordcount", "center(99999)", "format(x)", "random", "tojson", "attr('__class__')", "thousands",
    "sum(start=x)",
)  # fmt: skip
_METHODS = (
    "upper()", "replace('a', x)", "split(x)", "split()", "format(x)", "format(x, k=n.a)", "strip(x)", "items()",
    "get(x)", "keys()", "index(x)", "count(x)", "__class__", "mro()", "k", "a", "format_map(x)", "append(x)",
    "partition('a')",
)  # fmt: skip
_TESTS = (
    "defined", "none", "odd", "in(x)", "eq(n.a)", "iterable", "string", "mapping", "sameas(x)", "lt(x)",
    "divisibleby(x)",
)  # fmt: skip


def expression(chance: Random, depth: int) -> str:
    """An expression in so many levels."""
    if depth <= 0:
        return chance.choice(_ATOMS)
    inner, other = expression(chance, depth - 1), expression(chance, chance.randrange(depth))
    match chance.randrange(9):
        case 0 | 1 | 2:
            return f"({inner} {chance.choice(_BINARY)} {other})"
        case 3 | 4:
            return f"({inner} | {chance.choice(_FILTERS)})"
        case 5:
            return f"({inner}).{chance.choice(_METHODS)}"
        case 6:
            return f"({inner})[{chance.choice((other, ':', '1:', '::-1', ':9'))}]"
        case 7:
            return f"({inner} if {other} is {chance.choice(_TESTS)} else {other})"
        case _:
            return chance.choice((f"[{inner}, {other}]", f"{{{inner}: {other}}}", f"m({inner})", f"({inner}, {other})"))


def statement(chance: Random, depth: int) -> str:
    """A statement, with others in it."""
    value = expression(chance, chance.randrange(4))
    if depth <= 0:
        return chance.choice(
            (f"{{{{ {value} }}}}", f"{{% set n.a = {value} %}}", f"{{% set x = {value} %}}", "text < & ")
        )
    body = "".join(statement(chance, depth - 1) for _ in range(chance.randrange(1, 4)))
    recursive = chance.choice(("", "", " recursive", f" if {expression(chance, 1)}"))
    match chance.randrange(8):
        case 0 | 1 | 2:
            return f"{{% for i in {value}{recursive} %}}{body}{{% endfor %}}"
        case 3:
            return f"{{% if {value} %}}{body}{{% else %}}{body}{{% endif %}}"
        case 4:
            return f"{{% set x %}}{body}{{% endset %}}"
        case 5:
            return f"{{% filter {chance.choice(_FILTERS)} %}}{body}{{% endfilter %}}"
        case 6:
            return f"{{% call m({value}) %}}{body}{{% endcall %}}"
        case _:
            return f"{{% with x = {value} %}}{body}{{% endwith %}}"


def template(seed: int) -> str:
    """The template of a number; the same each time."""
    chance = Random(seed)
    macro = f"{{% macro m(x) %}}{{% set i = 1 %}}{statement(chance, 1)}{{% endmacro %}}"
    body = "".join(statement(chance, chance.randrange(1, 5)) for _ in range(chance.randrange(1, 5)))
    return f"{{% set n = namespace(a='a') %}}{{% set i = 1 %}}{{% set x = 'ab' %}}{macro}{body}"
