"""Values in templates: whatever they are, they are escaped, and come out the same each time."""

from __future__ import annotations

import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup, escape

from carddb.layout.sandbox import ERRORS, Sandbox

SANDBOX = Sandbox(
    {"one.svg": "<t>{{ value }}</t>", "macro.svg": "{% macro m(v) %}<b>{{ v }}</b>{% endmacro %}{{ m(value) }}"}
)
PLAIN = st.none() | st.booleans() | st.integers(-5, 5) | st.floats(-2, 2) | st.text("<&\"'>a1", max_size=80)
VALUES = PLAIN | st.lists(PLAIN, max_size=3) | st.tuples(PLAIN) | st.text("<&a").map(Markup)


@given(st.lists(VALUES, min_size=1, max_size=12))
def test_every_value_is_escaped_as_jinja_does(values: list[object]) -> None:
    """Also one that is like another that was drawn before: 1, 1.0 and true, 0.0 and -0.0, a text and a marked one."""
    for value in (*values, *values[::-1]):
        assert "".join(SANDBOX.draw("one.svg", {"value": value})) == f"<t>{escape(value)}</t>"
        assert "".join(SANDBOX.draw("macro.svg", {"value": value})) == f"<b>{escape(value)}</b>"


def test_values_can_be_told_from_the_template() -> None:
    """What a card gives comes as `Markup`, and what the template says as plain text."""
    for value in ("a < b", 7, "long " * 50, 1.5):
        before, drawn, after = SANDBOX.draw("one.svg", {"value": value})
        assert type(drawn) is Markup
        assert (type(before), type(after)) == (str, str)


@pytest.mark.parametrize(
    "body",
    [
        "{{ '{:999999999}'.format(1) }}",
        "{{ '{:.999999999f}'.format(1) }}",
        "{{ '{:{}}'.format(1, 999999999) }}",
        "{{ '{x:999999999}'.format_map({'x': 1}) }}",
        "{{ ('{:999999999}' | safe).format(1) }}",
        "{{ ('{0}' * 30000).format('a' * 90000) }}",
        "{{ '%999999999d' % 1 }}",
        "{{ '%.999999999f' % 1 }}",
        "{{ '%999999999d' | format(1) }}",
        "{{ 'a' * 1000000000 }}",
        "{{ 1000000000 * 'a' }}",
        "{{ [1] * 1000000000 }}",
        "{{ 9 ** 999999999 }}",
        "{{ range(1000000000) | list }}",
        "{{ 'a' | center(1000000000) }}",
        "{{ 'a' | indent(1000000000) }}",
        "{{ 'a' | wordwrap(1, wrapstring='a' * 90000) }}",
        "{{ 'a'.ljust(1000000000) }}",
        "{{ 'a'.rjust(1000000000) }}",
        "{{ 'a'.center(1000000000) }}",
        "{{ 'a'.zfill(1000000000) }}",
        "{{ '\t'.expandtabs(1000000000) }}",
        "{{ ('a' * 90000).replace('a', 'a' * 90000) }}",
        "{{ ('a' * 90000) | replace('a', 'a' * 90000) }}",
        "{{ range(90000) | join('a' * 90000) }}",
        "{{ ([{'x': 'a' * 90000}] * 90000) | join(attribute='x') }}",
        "{{ [1] | batch(1000000000, 'a') | list }}",
        "{{ [1] | slice(1000000000) | list }}",
        "{{ 1.5 | round(1000000000, 'floor') }}",
        "{{ lipsum(1000000000) }}",
        "{% set n = namespace(a='a') %}{% for _ in range(40) %}{% set n.a = n.a ~ n.a %}{% endfor %}",
        "{% set n = namespace(a='a') %}{% for _ in range(40) %}{% set n.a = n.a + n.a %}{% endfor %}",
        "{% set n = namespace(a=[1]) %}{% for _ in range(40) %}{% set n.a = n.a + n.a %}{% endfor %}",
    ],
)
def test_nothing_large_is_made_before_it_is_refused(body: str) -> None:
    """Widths, precisions, repeats and growing texts are refused in a few megabytes."""
    sandbox = Sandbox({"one.svg": body})
    tracemalloc.start()
    try:
        with pytest.raises(ERRORS):
            sandbox.draw("one.svg", {})
        assert tracemalloc.get_traced_memory()[1] < 16_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("{{ '{:>6.2f}|{x}'.format(1.5, x='<') }}", "  1.50|&lt;"),
        ("{{ ('<b>{}</b>' | safe).format('<') }}", "<b>&lt;</b>"),
        ("{{ '{x:03}'.format_map({'x': 7}) }}", "007"),
        ("{{ 'a' * 3 ~ [1, 2] | join(', ') }}", "aaa1, 2"),
        ("{{ 'aba'.replace('a', 'c', 1) }}{{ 'aba' | replace('a', 'c') }}", "cbacbc"),
        ("{{ 2.345 | round(1) }} {{ [1, 2, 3] | batch(2) | list }}", "2.3 [[1, 2], [3]]"),
    ],
)
def test_small_texts_are_made_as_jinja_does(body: str, text: str) -> None:
    """Bounds change nothing below them."""
    assert "".join(Sandbox({"one.svg": body}).draw("one.svg", {})) == text
