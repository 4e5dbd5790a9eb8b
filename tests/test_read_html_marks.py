"""Basic HTML of other databases becomes marks."""

from __future__ import annotations

import pytest

from carddb.card_fields import FieldSpec
from carddb.layout.markup import plain
from carddb.read.html_marks import to_marks
from carddb.read.values import converter


@pytest.mark.parametrize(
    ("html", "marks"),
    [
        ("Draw <strong>two</strong> cards, <em>then</em> burn one.", "Draw **two** cards, *then* burn one."),
        ("<b>Hit:</b> 1 * 2 &amp; {x}", r"**Hit:** 1 \* 2 & \{x\}"),
        ("one<br/>two<br>three", "one{br}two{br}three"),
        ("<p>First.</p>\n<p>Second.</p>", "First.\nSecond."),
        ("<ul><li>one<li>two</ul>", "• one\n• two"),
        ("<ol><li>one</li><li>two</li></ol>", "1. one\n2. two"),
        ("<span class='x'>Kept</span> words", "Kept words"),
        ("a < 3 * 2", "a < 3 * 2"),
        ("already **bold**", "already **bold**"),
    ],
)
def test_html_becomes_marks(html: str, marks: str) -> None:
    """Tags that have a mark become it, others go, and no word is lost; a text without tags stays as it is."""
    assert to_marks(html) == marks


def test_a_field_is_converted_where_the_game_asks_for_it() -> None:
    """`markup: html` converts a text when it is loaded; other fields keep theirs."""
    html = "<strong>Hit</strong> & run"
    assert converter("text", FieldSpec(markup="html"))(html) == "**Hit** & run"
    assert converter("text", FieldSpec())(html) == html
    assert plain("**Hit** & run") == "Hit & run"
