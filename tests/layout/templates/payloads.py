"""Templates that would run or swell without end, by the manner in which they do it: at least ten of each.

`python -m tests.layout.templates.payloads MANNER...` draws those of some manners, and prints those that are not
refused.
"""

from __future__ import annotations

import os
import sys

from carddb.core.errors import TemplateError
from carddb.press.templates import child as template_child
from carddb.press.templates import foreign_templates
from carddb.press.templates.foreign_templates import ForeignTemplates


def grown(step: str, start: str = "'a'", times: int = 60, end: str = "") -> str:
    """A template that makes `n.a` anew from itself, again and again."""
    loop = f"{{% for _ in range({times}) %}}{{% set n.a = {step} %}}{{% endfor %}}"
    return f"{{% set n = namespace(a={start}) %}}{loop}{end}"


def macro(body: str, call: str, parameters: str = "n") -> str:
    """A template that calls a macro `m`."""
    return f"{{% macro m({parameters}) %}}{body}{{% endmacro %}}{{{{ {call} }}}}"


def looped(body: str, over: str = "range(199)", deep: int = 3) -> str:
    """Loops in loops."""
    return "".join(f"{{% for x{n} in {over} %}}" for n in range(deep)) + body + "{% endfor %}" * deep


TEXT = "('a' * 390000)"
LIST = "(range(99000) | list)"
NESTED = "[n.a, n.a]"
TWO = "{% set n = namespace(a=[1], b=[1]) %}{% for _ in range(60) %}"
TWO += "{% set n.a = [n.a, n.a] %}{% set n.b = [n.b, n.b] %}{% endfor %}"
MOST_MEMORY = 128 << 10
"""Kilobytes that the process of templates may have, beside which it begins with 30,000."""
_SECONDS = 0.05
"""A shorter time for each than usual; whether that is enough makes no difference to a template without end."""

PAYLOADS = {
    "loops": [
        looped("", deep=5),
        looped("x", over="'" + "a" * 999 + "'"),
        looped("", over="[1] * 999"),
        looped("", over="range(999) | list"),
        looped("{% if false %}{% endif %}", over="range(999)"),
        "{% for x in range(10 ** 9) %}{% endfor %}",
        "{% for x in range(10 ** 9) if false %}{% endfor %}",
        "{% for x in range(10 ** 9) %}{{ loop.index }}{% endfor %}",
        looped("", over="range(99) | select('odd')", deep=5),
        "{% for x in range(999) %}{% for y in range(999) %}{% for z in range(999) if false %}" + "{% endfor %}" * 3,
        "{% for x in [1, 2] recursive %}{{ loop([1, 2] if loop.depth < 40 else []) }}{% endfor %}",
        "{% for x in [[1] * 400] * 60000 recursive %}"
        "{% if x is iterable %}{{ loop(x) }}{{ loop(x) }}{% endif %}{% endfor %}",
        "{% for x in range(99000) %}" + "{{ 1.5 ~ x }}" * 300 + "{% endfor %}",
        "{% for x in 'a' * 1000000 %}{% endfor %}",
        "{% for a, b in {1: 2}.items() %}{% for c in range(10 ** 8) %}{% endfor %}{% endfor %}",
    ],
    "macros": [
        macro("{{ m(n - 1) ~ m(n - 1) if n else '' }}", "m(60)"),
        macro("{% if n %}{{ m(n - 1) }}{{ m(n - 1) }}{% endif %}", "m(60)"),
        macro("{% for _ in range(3) %}{% if n %}{{ m(n - 1) }}{% endif %}{% endfor %}", "m(60)"),
        macro("{{ m(n) }}", "m(1)"),
        macro("{% if n %}{% call m(n - 1) %}{% endcall %}{% call m(n - 1) %}{% endcall %}{% endif %}", "m(50)"),
        macro("{{ caller() }}{{ caller() }}", "1") + "{% call m(1) %}" * 24 + "x" + "{% endcall %}" * 24,
        macro("{{ n * 20 }}", "m(m(m(m(m('aaaa')))))"),
        macro("{% for _ in range(100) %}{{ n }}{% endfor %}", "m(m(m(m('aaaa'))))"),
        macro("{% set t %}{{ n }}{{ n }}{% endset %}{{ m(t) }}", "m('aa')"),
        macro("{{ m(n, *varargs, *varargs, 1) }}", "m(1, 2)"),
        macro("{{ m(**dict(n=n, **kwargs)) }}{{ kwargs }}", "m(1)"),
        "{% block a %}{{ self.a() }}{{ self.a() }}{% endblock %}",
        "{% set n = namespace(d=0) %}{% block a scoped %}{% set n.d = n.d + 1 %}{% if n.d < 10 ** 9 %}"
        "{{ self.b() }}{{ self.b() }}{% endif %}{% endblock %}{% block b scoped %}{% if n.d % 90 %}{{ self.a() }}"
        "{{ self.a() }}{% endif %}{% endblock %}",
        "{% include 'one.svg' %}{% include 'one.svg' %}",
        "{% extends 'one.svg' %}",
        "{% import 'one.svg' as one %}{{ one }}",
    ],
    "joined": [
        grown("n.a ~ n.a"),
        grown("n.a ~ 'b' ~ n.a"),
        grown("n.a + n.a"),
        grown("n.a + n.a", start="'<' | safe"),
        grown("n.a + n.a", start="[1]"),
        grown("n.a + n.a", start="(1,)"),
        grown("n.a + n.a | safe"),
        grown("[n.a, n.a] | join"),
        grown("(n.a, n.a) | join('-')"),
        grown("n.a ~ [n.a]"),
        grown("{n.a: n.a} ~ ''"),
        grown("n.a ~ (n.a | e)", start="'<'"),
        grown("[n.a] | join(n.a ~ 'b') ~ n.a"),
        "{% set t = 'a' * 400000 %}{{ t ~ t ~ t ~ t ~ t ~ t ~ t }}",
        "{% autoescape false %}" + grown("n.a ~ n.a") + "{% endautoescape %}",
    ],
    "repeated": [
        "{{ 'a' * 1000000000 }}",
        "{{ 1000000000 * 'a' }}",
        "{{ [1] * 1000000000 }}",
        "{{ 1000000000 * (1, 2) }}",
        "{{ ('a' * 9999) * 9999 }}",
        "{{ ([1] * 9999) * 9999 }}",
        "{{ ('<' | safe) * 1000000000 }}",
        grown("n.a * 9"),
        grown("n.a * 9", start="[1]"),
        grown("9 * n.a", start="(1,)"),
        "{{ [[1] * 9999] * 9999 }}",
        "{{ [['a' * 9999] * 9999] * 99 }}",
        "{{ true * 'a' * 1000000000 }}",
    ],
    "numbers": [
        "{{ 9 ** 999999999 }}",
        "{{ 9 ** 9 ** 9 ** 9 }}",
        "{{ 2 ** -999999999 ** 9 }}",
        grown("n.a * n.a", start="3"),
        grown("n.a * n.a * n.a", start="3"),
        grown("n.a ** 9", start="3"),
        grown("n.a * 10 ** 60", start="3", times=9999),
        "{{ ('9' * 900000) | int }}",
        "{{ ('f' * 900000) | int(base=16) }}",
        "{{ ('9' * 900000) | float }}",
        "{{ 1.5 | round(1000000000, 'floor') }}",
        "{{ 1.5 | round(1000000000, 'ceil') }}",
        "{{ 15 | round(-1000000000) }}",
        "{{ (5).to_bytes(1000000000, 'big') }}",
        "{{ range(10 ** 30) | length }}",
        "{{ [10 ** 38] * 150000 }}{{ [10 ** 38] * 150000 }}",
    ],
    "replaced": [
        f"{{{{ {TEXT}.replace('a', 'a' * 900000) }}}}",
        f"{{{{ {TEXT} | replace('a', 'a' * 900000) }}}}",
        "{{ ('a' * 99999).replace('', 'b' * 99) }}",
        "{{ ('a' * 99999) | replace('', 'b' * 99) }}",
        grown("n.a.replace('a', 'aa')"),
        grown("n.a | replace('a', 'aa')"),
        grown("n.a.replace('a', n.a)", start="'aa'"),
        grown("n.a | replace('a', n.a)", start="'aa'"),
        grown("n.a.replace('', n.a)", start="'aa'"),
        grown("(n.a | safe).replace('a', '<<<aa')"),
        "{{ ('a' * 99999) | safe | replace('a', '<' * 40) }}",
        "{{ ('ab' * 99999).replace(old='b', new='a' * 999) }}",
    ],
    "formatted": [
        "{{ '{:999999999}'.format(1) }}",
        "{{ '{:.999999999f}'.format(1) }}",
        "{{ '{:{}}'.format(1, 999999999) }}",
        "{{ '{x:999999999}'.format_map({'x': 1}) }}",
        "{{ ('{:999999999}' | safe).format(1) }}",
        "{{ ('{0}' * 30000).format('a' * 90000) }}",
        "{{ '%999999999d' % 1 }}",
        "{{ '%.999999999f' % 1 }}",
        "{{ '%*d' % (999999999, 1) }}",
        "{{ '%999999999d' | format(1) }}",
        "{{ '{0!r:>999999999}'.format('a') }}",
        "{{ '{0[0]:^999999999}'.format([1]) }}",
        grown("'{0}{0}'.format(n.a)"),
        grown("('{0}{0}' | safe).format(n.a)"),
        grown("'{a}{a}'.format_map({'a': n.a})"),
        grown("'{}{}'.format(n.a, n.a)", end="{{ n.a }}"),
        grown(NESTED, end="{{ '{!r}'.format(n.a) }}"),
        grown(NESTED, end="{{ '{}'.format(n.a) }}"),
        "{% for x in range(99999) %}{{ '{:99999}'.format(1) }}{% endfor %}",
    ],
    "padded": [
        "{{ 'a' | center(1000000000) }}",
        "{{ 'a' | indent(1000000000) }}",
        "{{ 'a' | wordwrap(1, wrapstring='a' * 90000) }}",
        "{{ 'a'.ljust(1000000000) }}",
        "{{ 'a'.rjust(1000000000) }}",
        "{{ 'a'.center(1000000000) }}",
        "{{ 'a'.zfill(1000000000) }}",
        "{{ '\t'.expandtabs(1000000000) }}",
        "{{ ('a' | safe).ljust(1000000000) }}",
        "{{ [[[1]]] | tojson(indent=1000000000) }}",
        "{{ {'a': 1} | xmlattr }}{{ 'a' | pprint }}",
        "{{ 'a'.translate({97: 'a' * 1000000}) }}",
        "{{ 'a'.encode('utf-16') }}",
        "{{ 'a'.join(['a'] * 1000000) }}",
    ],
    "listed": [
        "{{ range(1000000000) | list }}",
        "{{ [1] | batch(1000000000, 'a') | list }}",
        "{{ [1] | slice(1000000000) | list }}",
        "{{ [1] | batch(-10 ** 18) | list }}{% for x in range(10 ** 9) %}{% endfor %}",
        "{{ [1] | slice(-10 ** 18) | list }}{{ 'a' * -10 ** 18 }}{% for x in range(10 ** 9) %}{% endfor %}",
        "{{ range(10 ** 8) | slice(3) | list }}",
        "{{ range(10 ** 8) | batch(3) | list }}",
        "{{ range(10 ** 8) | map('string') | list }}",
        "{{ range(10 ** 8) | select('odd') | list }}",
        "{{ range(10 ** 8) | reject('odd') | first }}{{ range(10 ** 8) | sum }}",
        "{{ range(10 ** 8) | sort }}",
        "{{ range(10 ** 8) | max }}",
        "{{ range(10 ** 8) | unique | list }}",
        "{{ range(10 ** 8) | groupby('x') }}",
        "{{ range(10 ** 8) | reverse | list }}",
        "{{ range(10 ** 8) | join }}",
        "{{ range(90000) | join('a' * 90000) }}",
        "{{ ([{'x': 'a' * 90000}] * 90000) | join(attribute='x') }}",
        "{{ dict(range(10 ** 8) | batch(2)) }}",
        "{{ ('a ' * 400000).split() }}",
        "{{ ('a' * 400000) | list }}",
        "{{ [[1] * 999] * 999 | sum(start=[]) }}",
        "{{ cycler(*range(10 ** 8)) }}",
        "{{ 1.5 in range(10 ** 8) }}",
    ],
    "nested": [
        grown(NESTED, end="{{ n.a }}"),
        grown(NESTED, end="{{ n.a ~ '' }}"),
        grown(NESTED, end="{{ n.a | string }}"),
        grown(NESTED, end="{{ n.a | upper }}"),
        grown(NESTED, end="{{ n.a | e }}"),
        grown(NESTED, end="{{ [n.a] | join }}"),
        grown("(n.a, n.a)", end="{{ n.a }}"),
        grown("{'x': n.a, 'y': n.a}", end="{{ n.a }}"),
        grown("{'x': n.a, 'y': n.a}", end="{{ n.a.items() }}"),
        grown("namespace(x=n.a, y=n.a)", end="{{ n.a }}"),
        grown("(n.a, n.a)", end="{{ {n.a: 1} | length }}"),
        grown("(n.a, n.a)", end="{{ {1: 1}[n.a] }}"),
        grown("(n.a, n.a)", end="{{ {1: 1}.get(n.a) }}"),
        grown("(n.a, n.a)", end="{{ n.a in {1: 1} }}"),
        grown("(n.a,)", times=60000, end="{{ {n.a: 1} | length }}{{ [n.a] | unique | list }}"),
        grown("[n.a]", times=60000, end="{{ n.a }}"),
        TWO + "{{ n.a == n.b }}",
        TWO + "{{ n.a is eq(n.b) }}",
        TWO + "{{ [n.a, n.b] | sort }}",
        TWO + "{{ n.a in [n.b] }}",
        TWO + "{{ [n.a].index(n.b) }}",
        grown("(n.a, n.a)", end="{{ [n.a] | unique | list | length }}"),
        "{% autoescape false %}" + grown(NESTED, end="{{ n.a }}") + "{% endautoescape %}",
    ],
    "compared": [
        f"{{% set a, b = {TEXT} ~ 'b', {TEXT} ~ 'c' %}}" + looped("{{ a == b }}", over="range(9999)", deep=2),
        f"{{% set a, b = {TEXT} ~ 'b', {TEXT} ~ 'c' %}}" + looped("{{ a < b }}", over="range(9999)", deep=2),
        f"{{% set a = {TEXT} %}}" + looped("{{ 'b' in a }}", over="range(9999)", deep=2),
        f"{{% set a = {TEXT} %}}" + looped("{{ 'b' not in a }}", over="range(9999)", deep=2),
        f"{{% set a = {TEXT} %}}" + looped("{{ 'b' is in(a) }}", over="range(9999)", deep=2),
        f"{{% set a = {LIST} %}}" + looped("{{ 'b' in a }}", over="range(9999)", deep=2),
        f"{{% set a = {LIST} %}}" + looped("{{ a.index(98999) }}", over="range(9999)", deep=2),
        f"{{% set a = {TEXT} %}}" + looped("{{ a[1:] | length }}", over="range(9999)", deep=2),
        f"{{% set a = {TEXT} %}}" + looped("{{ a[::-1] | length }}", over="range(9999)", deep=2),
        f"{{% set a = {LIST} %}}" + looped("{{ a[1:] | length }}", over="range(9999)", deep=2),
        f"{{% set a = {TEXT} %}}" + looped("{{ a.strip(a ~ 'b') }}", over="range(9999)", deep=2),
        f"{{% set a = {TEXT} %}}{{{{ a | trim(a ~ 'b') }}}}{{{{ a.lstrip('b' * 900000) }}}}",
        f"{{% set a = {TEXT} %}}" + looped("{{ a | upper | length }}", over="range(9999)", deep=2),
        f"{{% set a = {TEXT} %}}" + looped("{{ a | wordcount }}", over="range(9999)", deep=2),
        f"{{% set a = {TEXT} %}}" + looped("{{ a.title() | length }}", over="range(9999)", deep=2),
        "{{ ('<!---->' * 120000) | striptags }}",
        f"{{% set a, b = {TEXT} ~ 'b', {TEXT} ~ 'c' %}}{{{{ ([a, b] * 999) | sort | length }}}}",
        f"{{% set a, b = {TEXT} ~ 'b', {TEXT} ~ 'c' %}}"
        "{{ ([{'x': a}, {'x': b}] * 999) | sort(attribute='x') }}",
        f"{{% set a, b = {TEXT} ~ 'b', {TEXT} ~ 'c' %}}{{{{ ([a, b] * 999) | max | length }}}}",
    ],
    "written": [
        "{% for x in range(99999) %}0123456789{% endfor %}",
        "{% for x in range(19999) %}" + "0123456789" * 10 + "{% endfor %}",
        "{% set t = '<' * 900000 %}{{ t }}{{ t }}{{ t }}",
        "{% set t = 'a' * 900000 %}{{ t }}{{ t }}",
        macro("{% for _ in range(9999) %}{{ n }}{% endfor %}", "m('a' * 9999)"),
        "{% set b %}" + looped("0123456789abcdef", over="range(9999)", deep=2) + "{% endset %}{{ b | length }}",
        "{% filter upper %}" + looped("0123456789abcdef", over="range(9999)", deep=2) + "{% endfilter %}",
        "{{ lipsum(1000000000) }}",
        "{{ lipsum(n=99, html=false, max=1000000) }}",
        "{{ range(9) | random }}",
        "{% set t = '\U0001f600' * 900000 %}{{ t ~ t ~ t }}",
        "{{ ('é' * 900000) | urlencode }}",
    ],
    "uncharged": [
        "{{ [-10 ** 15] | map('#step') | list }}" + looped("", deep=5),
        looped("{{ loop.changed(x0) }}{{ loop.changed(range(x1) | list) }}", over="range(9999)", deep=2),
        f"{{% set a = {LIST} %}}" + looped("{{ loop.changed(a, a) }}", over="range(9999)", deep=2),
        f"{{% set d = dict({LIST} | map('string') | batch(2)) %}}"
        + looped("{% set x = d | dictsort(by='value') %}", over="range(9999)", deep=2),
        f"{{% set d = dict({LIST} | map('string') | batch(2)) %}}"
        + looped("{% set x = dict(**d) %}", over="range(9999)", deep=2),
        f"{{% set d = dict({LIST} | map('string') | batch(2)) %}}" + grown("[n.a, namespace(**d)]", times=9999),
        f"{{% set d = dict({LIST} | map('string') | batch(2)) %}}" + grown("[n.a, dict(**d)]", times=9999),
        "{{ 1.5 in range(10 ** 10) }}",
        looped("{{ 1.5 in range(99999) }}", over="range(9999)", deep=2),
        "{{ 10 | round(-400000000) }}",
        f"{{% set a = {LIST} %}}" + looped("{{ a | groupby('real') | length }}", over="range(9999)", deep=2),
    ],
    "compiled": [
        "{% macro a(x, x) %}{% endmacro %}",
        "{{ " + "(" * 5000 + "1" + ")" * 5000 + " }}",
        "{{ " + "-" * 5000 + "1 }}",
        "{{ " + "not " * 5000 + "1 }}",
        "{{ " + "[" * 500 + "]" * 500 + " }}",
        looped("", over="[1]", deep=100),
        "{% if 1 %}" * 500 + "{% endif %}" * 500,
        "{{ " + "9" * 10_000 + " }}",
        "{{ a" + ".b" * 5000 + " }}",
        "{{ 1" + " + 1" * 5000 + " }}",
        "{{ 'a'" + " | upper" * 5000 + " }}",
        "{% block a %}{% endblock %}{% block a %}{% endblock %}",
        "{% set n.a = 1 %}",
        "{% break %}",
        "{{ f(" + ", ".join(f"x{n}={n}" for n in range(300)) + ", x1=2) }}",
        "{% for loop in [1] %}{% endfor %}",
        "{{ x" * 5000,
    ],
}  # fmt: skip


def serve() -> None:
    """Renders templates as the usual process does, in less time."""
    template_child.SECONDS = _SECONDS
    template_child.serve()


def is_refused(body: str) -> bool:
    """Draws a template; whether that ends with a sentence that names it."""
    try:
        ForeignTemplates({"one.svg": body}).render("one.svg", {})
    except TemplateError as refusal:
        return refusal.template == "one.svg"
    return False


def most_memory() -> int:
    """Returns the most kilobytes that a process of templates had, where the system tells them; else 0."""
    if sys.platform != "linux":
        return 0
    import resource

    foreign_templates._child(os.getpid()).end()
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss


if __name__ == "__main__":
    foreign_templates._PROGRAM = "tests.layout.templates.payloads"
    print(*(body for manner in sys.argv[1:] for body in PAYLOADS[manner] if not is_refused(body)), sep="\n", end="")
    if most_memory() > MOST_MEMORY:
        print(f"{most_memory()} kB")
