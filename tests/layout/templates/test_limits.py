"""The limits of a drawing: whatever a template does, it ends soon, in little memory, with a sentence."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from carddb.core.errors import TemplateError
from carddb.layout.templates.template import Templates
from carddb.press.templates import foreign_templates
from carddb.press.templates.foreign_templates import ForeignTemplates
from tests.layout.templates.grammar import template
from tests.layout.templates.payloads import PAYLOADS
from tests.rows import every, usually


@pytest.mark.door
@usually("manner", PAYLOADS, "macros")
def test_what_has_no_end_is_refused(manner: str) -> None:
    """Every known payload of a manner is refused with the template's name, and in little memory."""
    assert len(PAYLOADS[manner]) >= 10
    command = [sys.executable, "-m", "tests.layout.templates.payloads", manner]
    run = subprocess.run(command, check=False, capture_output=True, text=True, cwd=Path(__file__).parents[3])
    assert (run.stdout, run.stderr, run.returncode) == ("", "", 0)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Drawings have less time than usual."""
    monkeypatch.setattr(foreign_templates, "_PROGRAM", "tests.layout.templates.payloads")
    foreign_templates._child(os.getpid()).end()
    yield
    foreign_templates._child(os.getpid()).end()


def _draw(seed: int) -> None:
    with suppress(TemplateError):
        ForeignTemplates({"one.svg": template(seed)}).render("one.svg", {"card": {"name": "A & B", "k": [1, 2]}})


@pytest.mark.full
def test_templates_by_chance_end(quick: None) -> None:
    """Templates from the grammar are drawn, or refused with an error of their own."""
    for seed in range(50):
        _draw(seed)


@pytest.mark.full
def test_many_templates_by_chance_end(quick: None) -> None:
    """So are 20,000 of them."""
    for seed in range(20_000):
        _draw(seed)


@usually(
    ("source", "line"),
    [
        ("a\nb{% for x in range(10 ** 9) %}{% endfor %}", 2),
        ("\n\n{% for x in range(9999) %}{% for y in range(9999) %}{% endfor %}{% endfor %}", 3),
        ("\n\n{{ 'a' * 10 ** 9 }}", 3),
        ("\n{% macro a(x, x) %}{% endmacro %}", 2),
        ("\n\n{{ [1] | lipsum }}", 3),
        ("\n{{ ('word ' * 9) | truncate(0) }}", 2),
    ],
)
def test_the_line_is_named(source: str, line: int) -> None:
    """What is refused names the template and the line where it went wrong."""
    with pytest.raises(TemplateError) as caught:
        ForeignTemplates({"one.svg": source}).render("one.svg", {})
    assert (caught.value.template, caught.value.line) == ("one.svg", line)


@every("name", ["lipsum", "random", "attr", "tojson", "urlize", "format", "center", "indent"])
def test_only_named_filters_and_functions_are_there(name: str) -> None:
    """What is not on the list is refused as if it did not exist."""
    for body in (f"{{{{ 'a' | {name} }}}}", f"{{{{ {name}('a') }}}}"):
        with pytest.raises(TemplateError):
            Templates({"one.svg": body}).render("one.svg", {})


@every("body", [
        "{{ (5).to_bytes(3, 'big') }}", "{{ 'a'.encode() }}", "{{ 'a'.maketrans('a', 'b') }}", "{{ {}.update(a=1) }}",
        "{{ [].append(1) }}", "{{ {}.fromkeys([1]) }}", "{{ 'a'.__len__() }}", "{{ x.values.__globals__ }}",
        "{{ x.secret() }}", "{{ x._hidden }}",
    ])  # fmt: skip
def test_only_named_methods_are_called(body: str) -> None:
    """Of texts, numbers, lists and mappings a few; of other objects none."""

    class Thing:
        _hidden = 1

        def secret(self) -> str:
            return "secret"

    with pytest.raises(TemplateError):
        Templates({"one.svg": body}).render("one.svg", {"x": Thing()})


@pytest.mark.parametrize("value", ["x", "'' ~ [x]"])
def test_addresses_are_not_shown(value: str) -> None:
    """An object without a text, which the program of a game gave, would be another text in each run."""
    for body in (f"{{{{ {value} }}}}", f"{{{{ {value} | string | safe }}}}"):
        with pytest.raises(TemplateError, match="without a text"):
            Templates({"one.svg": body}).render("one.svg", {"x": object()})


@every("value", [
        "'a'.upper", "'a'['upper']", "'a'.format", "[1] | map('string')", "{'a': 1} | items", "[1] | reverse",
        "[1] | batch(2)", "[cycler(1)]", "joiner()", "cycler(1).next", "['a'] | map(attribute='upper') | list",
        "{'k': joiner()}", "range", "self.b", "super", "super.super", "f", "[f]",
    ])  # fmt: skip
def test_functions_have_no_text(value: str) -> None:
    """Nor has a generator or a helper of Jinja's own, whatever is done with it before it is shown."""
    sources = {"a": "{% block b %}{% endblock %}", "b": "{% extends 'a' %}{% block b %}{% endblock %}"}
    done = ("safe", "replace(' at 0x', '')", "upper", "length", "urlencode")
    shown = [value, f"'{{}}'.format({value}) | list", f"{{}}[({value}) ~ '']"]
    for body in (*shown, *(f"({value}) | string | {change}" for change in done)):
        source = f"{{% extends 'b' %}}{{% block b %}}{{{{ {body} }}}}{{% endblock %}}"
        with pytest.raises(TemplateError, match="without a text"):
            Templates({**sources, "one.svg": source}).render("one.svg", {"f": len})


def test_functions_and_rows_work_as_before() -> None:
    """What has no text is called, looped over and handed on as ever; sets are in the order of their members."""
    source = (
        "{% set up = 'a'.upper %}{{ up() }}{% set c = cycler(1, 2) %}{{ c.next() }}{{ c.next() }}{{ c.current }}"
        "{% set j = joiner('-') %}{{ j() }}{{ j() }}{{ f('abc') }}{{ up is callable }}{{ '{}!'.format(3) }}"
        "{% for x in [1, 2] | map('string') %}{{ loop.index }}{{ x }}{{ loop.changed(x) }}{% endfor %}"
        "{{ [1, 2] | reverse | list }}{{ 'ab' | reverse }}{{ [3, 4] | select('odd') | first }}{{ s }}{{ 2 in h.s }}"
    )
    holder = {"s": frozenset({"b", "a", 2})}
    drawn = Templates({"one.svg": source}).render("one.svg", {"f": len, "s": frozenset({3, 1, 2}), "h": holder})
    assert drawn == "A121-3True3!11True22True[2, 1]ba3[1, 2, 3]True"


def test_what_is_cheap_is_as_before() -> None:
    """Loops with conditions, chained comparisons, membership, slices and sorted rows give what Jinja gives."""
    source = (
        "{% for x in [3, 1, 2] if x > 1 %}{{ loop.index }}{{ x }},{% endfor %}{{ 1 < y < 3 }}{{ y not in [y] }}"
        "{{ 'abcd'[1:3] }}{{ [3, 1] | sort }}{{ {y: 1}[2] }}{{ 'x' in {'x': 1} }}"
        "{{ [{'k': 2}, {'k': 1}] | sort(attribute='k') }}"
        "{% for x in [[1, [2]]] recursive %}"
        "{% if x is iterable %}<{{ loop(x) }}>{% else %}{{ x }}{% endif %}{% endfor %}"
    )
    drawn = Templates({"one.svg": source}).render("one.svg", {"y": 2})
    assert drawn == "13,22,TrueFalsebc[1, 3]1True[{&#39;k&#39;: 1}, {&#39;k&#39;: 2}]<1<2>>"


def test_absent_fields_may_have_a_default() -> None:
    """What is grouped by a field that not every row has is drawn as Jinja does."""
    loop = "{% for k, rows in rows | groupby('k', default='z') %}{{ k }}{{ rows | length }}{% endfor %}"
    templates = Templates({"one.svg": f"{loop}{{{{ gone | default(1) }}}}"})
    assert templates.render("one.svg", {"rows": [{"k": "a"}, {}, {"k": "a"}]}) == "a2z11"
