"""Templates by chance, from Jinja's grammar, with a liking for what grows.

Two of three fit together: each expression is of the kind that its place takes, and only what the sandbox offers is
used. They reach what draws. In the third, whatever can be parsed stands anywhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

_KINDS = ("text", "number", "row", "fields")
_ATOMS = {
    "text": ("t", "n.a", "'a'", "'<b>'", "'é'", "card.name", "'ab cd'", "'1,2'", "''", "('a' * 99)"),
    "number": ("i", "1", "0", "2.5", "-3", "99999", "(t | length)", "card.k[0]", "true"),
    "row": ("r", "[]", "range(9)", "[1, 2, 3]", "['b', 'a']", "card.k", "(t | list)", "range(200)",
            "[[1, 'b'], [2, 'a']]"),
    "fields": ("{}", "{'k': t, 'l': i}", "card", "{'k': r, 'm': n.a}", "{'a': {'k': i}}"),
}  # fmt: skip
_WILD = (
    "loop.index", "range(10 ** 9)", "none", "gone", "n", "caller", "self", "'a' * 99999", "(t, 2)", "-(-1)", "(not i)",
    "10 ** 99", "[r] * 999", "joiner()", "cycler(1)", "t.upper", "range", "(r | map('string'))",
)  # fmt: skip
_BINARY = ("+", "-", "*", "/", "//", "%", "**", "~", "==", "<", "in", "not in", "and", "or", ">=")
_FILTERS: Mapping[str, Mapping[str, Sequence[str]]] = {
    "text": {
        "text": ("capitalize", "e", "lower", "upper", "title", "trim", "string", "safe", "striptags", "forceescape",
                 "replace('a', t)", "replace('', n.a)", "truncate(9)", "urlencode", "default(t)", "reverse"),
        "number": ("string", "round(1) | string", "thousands"),
        "row": ("join", "join(t)", "map('string') | join(', ')", "string"),
        "fields": ("items | string", "length | string", "dictsort | string"),
    },
    "number": {
        "text": ("length", "wordcount", "int", "float", "count"),
        "number": ("abs", "int", "float", "round", "default(1)"),
        "row": ("length", "count"),
        "fields": ("length",),
    },
    "row": {
        "text": ("list", "batch(3) | list", "map('upper') | list", "unique | list", "sort"),
        "number": ("string | list",),
        "row": ("list", "reverse | list", "batch(2, i) | list", "slice(3) | list", "select | list",
                "reject('none') | list", "map('string') | list", "map('string') | sort",
                "map('string') | unique | list"),
        "fields": ("items | list", "list", "dictsort"),
    },
    "fields": {"fields": ("default({})",)},
}  # fmt: skip
"""What makes a kind, by the kind that it is made of."""
_METHODS = {
    "text": ("upper()", "replace('a', t)", "strip()", "lstrip('a')", "title()", "format(t)",
             "format(1, k=t)", "lower()"),
    "row": ("split(',')", "split()", "partition('a')"),
}  # fmt: skip
_CALCULATED = ("+", "-", "*", "// 3 +", "/ 7 -")
_TESTS = ("defined", "none", "iterable", "string", "mapping", "number", "sameas(t)", "sequence", "eq(t)", "boolean")
_ODD_FILTERS = (
    "center(99999)", "format(t)", "random", "tojson", "attr('__class__')", "sum(start=t)", "batch(i, t)",
    "groupby('k')", "map('string') | groupby(0)", "first", "last",
    "map(attribute='k')", "min", "max", "sum", "sort(attribute='k')", "indent(999)", "xmlattr", "slice(i)",
)  # fmt: skip
_ODD_METHODS = (
    "__class__", "mro()", "k", "a", "format_map(t)", "append(t)", "get(t)", "keys()", "values()", "items()", "count(i)",
    "encode()", "to_bytes(3, 'big')", "index(t)",
)  # fmt: skip


class _Grammar:
    """The sentences of one template; `wild` ones fit together by chance alone."""

    def __init__(self, chance: Random, wild: bool) -> None:
        self.chance = chance
        self.wild = wild
        self.in_macro = False

    def expression(self, kind: str, depth: int) -> str:
        """An expression of a kind, in so many levels."""
        chance = self.chance
        if self.wild and chance.random() < 0.15:
            return self.odd(depth)
        if depth <= 0:
            return chance.choice(_ATOMS[kind])
        match chance.randrange(6):
            case 0 | 1:
                source = chance.choice(list(_FILTERS[kind]))
                return f"({self.expression(source, depth - 1)} | {chance.choice(_FILTERS[kind][source])})"
            case 2 if kind in _METHODS:
                text = f"({self.expression('text', depth - 1)} ~ 'a')"
                return f"{text}.{chance.choice(_METHODS[kind])}"
            case 3:
                one, other = self.expression(kind, depth - 1), self.expression(kind, chance.randrange(depth))
                return f"({one} if {self.condition(depth - 1)} else {other})"
            case 4:
                return self.looked_up(kind, depth)
            case _:
                return self.joined(kind, depth)

    def joined(self, kind: str, depth: int) -> str:
        """Two of a kind as one."""
        one, other = self.expression(kind, depth - 1), self.expression(kind, self.chance.randrange(depth))
        match kind:
            case "text":
                return f"({one} ~ {other})"
            case "number":
                return f"({one} {self.chance.choice(_CALCULATED)} {other})"
            case "row":
                longer = f"(({one} | list) + ({other} | list))"
                return self.chance.choice((f"[{one}, {other}]", longer, f"({one} | list)[1:]"))
            case _:
                return f"{{'k': {one}, 'l': {other}}}"

    def looked_up(self, kind: str, depth: int) -> str:
        """One of a kind out of something that holds it."""
        one = self.expression(kind, depth - 1)
        choices = [f"{{'k': {one}}}.k", f"{{'k': {one}}}['k']", f"[{one}][0]", f"[{one}, 1] | first"]
        choices += [f"({one} | string)[::-1]", f"({one} | string)[1:9]"] if kind == "text" else []
        return f"({self.chance.choice(choices)})"

    def condition(self, depth: int) -> str:
        """What is true or false."""
        kind, chance = self.chance.choice(_KINDS), self.chance
        one = self.expression(kind, depth)
        number, other = self.expression("number", 0), self.expression("number", 0)
        text, longer = self.expression("text", 0), self.expression("text", 0)
        return chance.choice((
            f"{one} is {chance.choice(_TESTS)}", f"{one} == {self.expression(kind, 0)}", f"not {one}",
            f"{number} < {other} and {one}", f"{text} in {longer}",
        ))  # fmt: skip

    def odd(self, depth: int) -> str:
        """An expression that may be refused."""
        if depth <= 0:
            return self.chance.choice(_WILD)
        one, other = (self.expression(self.chance.choice(_KINDS), depth - 1) for _ in range(2))
        match self.chance.randrange(5):
            case 0:
                return f"({one} {self.chance.choice(_BINARY)} {other})"
            case 1:
                return f"({one} | {self.chance.choice(_ODD_FILTERS)})"
            case 2:
                return f"({one}).{self.chance.choice(_ODD_METHODS)}"
            case 3:
                return f"({one})[{self.chance.choice((other, ':', '1:', '::-1', ':9'))}]"
            case _:
                return self.chance.choice((f"{{{one}: {other}}}", f"m({one})", f"({one}, {other})", f"dict(k={one})"))

    def statement(self, depth: int) -> str:
        """A statement, with others in it."""
        chance, level = self.chance, self.chance.randrange(4)
        if depth <= 0:
            text, number = self.expression("text", level), self.expression("number", level)
            return chance.choice((
                f"{{{{ {text} }}}}", f"{{{{ {number} }}}}", f"{{{{ {self.expression('row', level)} }}}}",
                f"{{% set n.a = {text} %}}", f"{{% set t = {text} %}}", f"{{% set i = {number} %}}", "text < & ",
            ))  # fmt: skip
        body = "".join(self.statement(depth - 1) for _ in range(chance.randrange(1, 4)))
        text, row = self.expression("text", level), f"{self.expression('row', level)} | map('string')"
        match chance.randrange(8):
            case 0 | 1:
                more = chance.choice(("", "", f" if {self.condition(1)}"))
                return f"{{% for i in {row} | map('length'){more} %}}{body}{{% endfor %}}"
            case 2:
                return f"{{% for t in {row} %}}{{{{ loop.index }}}}{body}{{% endfor %}}"
            case 3:
                return f"{{% if {self.condition(level)} %}}{body}{{% else %}}{body}{{% endif %}}"
            case 4:
                return f"{{% set t %}}{body}{{% endset %}}"
            case 5:
                return f"{{% filter {chance.choice(_FILTERS['text']['text'])} %}}{body}{{% endfilter %}}"
            case 6:
                return f"{{% call w({text}) %}}{body}{{% endcall %}}"
            case _:
                call = "" if self.in_macro and not self.wild else "{{ m(t) }}"
                return f"{{% with t = {text} %}}{body}{call}{{% endwith %}}"

    def macro(self) -> str:
        """The macro `m`, which calls itself in wild templates alone."""
        self.in_macro = True
        body = self.statement(1)
        self.in_macro = False
        begin = "{% macro m(t) %}{% set n = namespace(a='a') %}{% set i = 1 %}{% set r = [t] %}"
        return f"{begin}{body}{{% endmacro %}}"


_BEGIN = (
    "{% set n = namespace(a='a') %}{% set i = 1 %}{% set t = 'ab' %}{% set r = [1, 2] %}"
    "{% macro w(t) %}{% set i = 2 %}{{ t }}{{ caller() }}{% endmacro %}"
)


def template(seed: int) -> str:
    """The template of a number; the same each time."""
    chance = Random(seed)
    grammar = _Grammar(chance, wild=chance.random() < 1 / 3)
    macro = grammar.macro()
    body = "".join(grammar.statement(chance.randrange(1, 4)) for _ in range(chance.randrange(1, 4)))
    return f"{_BEGIN}{macro}{body}"
