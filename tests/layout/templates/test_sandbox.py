"""Values in templates: whatever they are, they are escaped, and come out the same each time."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup, escape

from carddb.layout.templates.renderer import Sandbox
from tests.rows import every

SANDBOX = Sandbox(
    {"one.svg": "<t>{{ value }}</t>", "macro.svg": "{% macro m(v) %}<b>{{ v }}</b>{% endmacro %}{{ m(value) }}"}
)
PLAIN = st.none() | st.booleans() | st.integers(-5, 5) | st.floats(-2, 2) | st.text("<&\"'>a1", max_size=80)
VALUES = PLAIN | st.lists(PLAIN, max_size=3) | st.tuples(PLAIN) | st.text("<&a").map(Markup)


@given(st.lists(VALUES, min_size=1, max_size=12))
def test_every_value_is_escaped_as_jinja_does(values: list[object]) -> None:
    """Also one that is like another that was drawn before: 1, 1.0 and true, 0.0 and -0.0, a text and a marked one."""
    for value in (*values, *values[::-1]):
        assert SANDBOX.draw("one.svg", {"value": value}) == f"<t>{escape(value)}</t>"
        assert SANDBOX.draw("macro.svg", {"value": value}) == f"<b>{escape(value)}</b>"


@every(
    "body, text",
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
    assert Sandbox({"one.svg": body}).draw("one.svg", {}) == text
