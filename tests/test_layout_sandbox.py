"""Values in templates: whatever they are, they are escaped, and come out the same each time."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup, escape

from carddb.layout.sandbox import Sandbox

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
