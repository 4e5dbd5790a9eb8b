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


@pytest.mark.door
@pytest.mark.parametrize("manner", PAYLOADS)
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


def test_templates_by_chance_end(quick: None) -> None:
    """Templates from the grammar are drawn, or refused with an error of their own."""
    for seed in range(50):
        _draw(seed)


@pytest.mark.full
def test_many_templates_by_chance_end(quick: None) -> None:
    """So are 20,000 of them."""
    for seed in range(20_000):
        _draw(seed)


@pytest.mark.parametrize(
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


@pytest.mark.parametrize("name", ["lipsum", "random", "attr", "tojson", "urlize", "format", "center", "indent"])
def test_only_named_filters_and_functions_are_there(name: str) -> None:
    """What is not on the list is refused as if it did not exist."""
    for body in (f"{{{{ 'a' | {name} }}}}", f"{{{{ {name}('a') }}}}"):
        with pytest.raises(TemplateError):
            Templates({"one.svg": body}).render("one.svg", {})


@pytest.mark.parametrize(
    "body",
    [
        "{{ (5).to_bytes(3, 'big') }}", "{{ 'a'.encode() }}", "{{ 'a'.maketrans('a', 'b') }}", "{{ {}.update(a=1) }}",
        "{{ [].append(1) }}", "{{ {}.fromkeys([1]) }}", "{{ 'a'.__len__() }}", "{{ x.values.__globals__ }}",
        "{{ x.secret() }}", "{{ x._hidden }}",
    ],
)  # fmt: skip
def test_only_named_methods_are_called(body: str) -> None:
    """Of texts, numbers, lists and mappings a few; of other objects none."""

    class Thing:
        _hidden = 1

        def secret(self) -> str:
            return "secret"

    with pytest.raises(TemplateError):
        Templates({"one.svg": body}).render("one.svg", {"x": Thing()})


@pytest.mark.parametrize("value", ["'a'.upper", "[1] | map('string')", "[cycler(1)]", "x", "'' ~ [x]"])
def test_addresses_are_not_shown(value: str) -> None:
    """A function, a generator or another object without a text would be another text in each run."""
    for body in (f"{{{{ {value} }}}}", f"{{{{ {value} | string | safe }}}}"):
        with pytest.raises(TemplateError, match="without a text"):
            Templates({"one.svg": body}).render("one.svg", {"x": object()})


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
