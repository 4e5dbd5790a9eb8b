"""Basic HTML of other databases becomes marks."""

from __future__ import annotations

import csv
import io
import json
import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from carddb.game.parts import FieldSpec
from carddb.layout.text.markup import plain
from carddb.read.cards.values import HtmlTexts, converter, to_marks
from tests.conftest import OUTSIDE, Told
from tests.rows import every, usually

Call = Callable[..., Told]


@every(
    "html, marks",
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
    assert not HtmlTexts(in_all_fields=True).reads("text", FieldSpec(markup="plain"))


HTML = "<p>Draw <strong>two</strong>.</p><ul><li>a&amp;b</li></ul><a href='x'>Rules</a>"
MARKS = "Draw **two**.\n• a&b\nRules"


@usually("form", ["csv", "json", "ja"])
def test_a_file_is_converted_when_asked(call: Call, folder: Path, form: str) -> None:
    """`load --html` makes marks of every text, names lose their entities, and what has no mark is counted once."""
    card = {"ref": "L-9", "name": "Tea &amp; Lamp", "type": "lamp", "light": 1, "colours": "red", "text": HTML}
    words = {"ref": "L-9", "name": "Tea &amp; Lamp", "text": HTML}
    rows = [words] if form == "ja" else [card, {**card, "ref": "L-10"}]
    name = {"csv": "own.csv", "json": "own.json", "ja": "own.ja.csv"}[form]
    data = json.dumps(rows) if form == "json" else table(rows)
    (folder / "first.csv").write_text(table([{**card, "text": "x", "name": "Tea"}]), "utf-8")
    (folder / name).write_text(data, "utf-8")
    load = ("--games", str(OUTSIDE / "lanterns"), "load", "--game", "lanterns")
    assert call(*load, "first.csv").code == 0
    assert "html_unread" in call(*load, name, "--dry-run").err
    told = call(*load, name, "--html", "--save-map", "--json")
    report = json.loads(told.out)
    (finding,) = [each for each in report["findings"] if each["code"].startswith("html")]
    assert finding["code"] == "html_left_out" and finding["data"] == {"texts": len(rows), "tags": {"a": len(rows)}}
    lang = ("--lang", "ja") if form == "ja" else ()
    shown = call("--games", str(OUTSIDE / "lanterns"), "show", "L-9", "--game", "lanterns", "--json", *lang)
    assert json.dumps(MARKS, ensure_ascii=False)[1:-1] in shown.out and "Tea & Lamp" in shown.out
    assert tomllib.loads((folder / "carddb.toml").read_text("utf-8"))["load"] == {"lanterns": {"html": True}}
    again = json.loads(call(*load, name, "--json").out)
    assert not any(each.get("changed") or each.get("changes") for each in again["files"] + again["translations"])


def table(rows: Sequence[Mapping[str, object]]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def test_signs_of_other_databases_are_replaced(call: Call, folder: Path) -> None:
    """`replace` of a project puts icons of the game in the place of signs, with HTML and without."""
    (folder / "carddb.toml").write_text('[load.lanterns]\nreplace = {"[sun]" = "{icon:sun}"}\n', "utf-8")
    rows: list[dict[str, object]] = [
        {"ref": "L-9", "name": "A [sun]", "type": "lamp", "light": 1, "text": "<b>Pay</b> [sun][sun]."}
    ]
    (folder / "own.csv").write_text(table(rows), "utf-8")
    load = ("--games", str(OUTSIDE / "lanterns"), "load", "--game", "lanterns", "own.csv")
    for options, text in (((), "<b>Pay</b> {icon:sun}{icon:sun}."), (("--html",), "**Pay** {icon:sun}{icon:sun}.")):
        assert call(*load, *options).code == 0
        shown = call("--games", str(OUTSIDE / "lanterns"), "show", "L-9", "--game", "lanterns", "--json").out
        assert text in shown and "A [sun]" in shown
