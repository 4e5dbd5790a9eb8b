"""Templates of games that nobody vouched for: drawn by a process of their own, with the same result or an error."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from carddb.core.errors import FontError, TemplateError
from carddb.games import Game, folders, load
from carddb.layout.templates.template import Templates
from carddb.press.documents.guide import read_guide
from carddb.press.faces.bank import FaceBank
from carddb.press.faces.workshop import open_workshop, templates_of_game
from carddb.press.templates import foreign_templates
from carddb.press.templates.foreign_templates import ForeignTemplates
from tests.conftest import OUTSIDE, Calls, Told
from tests.layout.templates.payloads import TWO
from tests.rows import every

HANGING = TWO + "\n\n{% for i in [n.a, n.b] %}\n{{ loop.changed(i) }}{% endfor %}"
"""Python itself compares lists in lists, without a step of the template."""


def own_game(trusted: bool) -> Game:
    """The small game outside, without its program."""
    game, findings = load(folders([(OUTSIDE / "lanterns", trusted)])["lanterns"])
    assert game and not findings
    game.__dict__["rules"] = None
    return game


def test_a_foreign_game_is_drawn_alike() -> None:
    """Every face, back and rule sheet is the same whether it is filled in here or by the other process."""
    drawn = []
    for trusted in (True, False):
        game = own_game(trusted)
        bank = FaceBank(open_workshop(game))
        sides = [side for card in game.own_cards for side in (bank.front(card), bank.back(card))]
        faces = [bank[side] for side in sides if side is not None]
        drawn.append((faces, bank.findings, read_guide(game).document))
        assert isinstance(bank.workshop.kit.templates, ForeignTemplates) is not trusted
    assert drawn[0] == drawn[1]


def test_values_and_functions_are_the_same() -> None:
    """Texts, numbers, lists and functions of the drawing reach the template."""
    source = {"a.svg": "<t a='{{ x }}'>{% for y in ys %}{{ wide(y, by=2) }},{% endfor %}</t>"}
    context = {"x": "<é>", "ys": ["a", "bc"], "wide": lambda text, by: len(text) * by}
    here, there = Templates(source), ForeignTemplates(source)
    for _ in range(2):
        assert there.render("a.svg", context) == here.render("a.svg", context)
    assert there.render("a.svg", context, marked=True) == here.render("a.svg", context, marked=True)
    assert there.render("a.svg", {**context, "x": 1}) == here.render("a.svg", {**context, "x": 1})


@every("body", ["\n{{ gone }}", "\n{% for %}", "{% include 'gone.svg' %}", "\n\n{{ 'a' * 10 ** 9 }}"])
def test_errors_are_the_same(body: str) -> None:
    """Template, line, words and remedy."""
    seen = []
    for templates in (Templates({"a.svg": body}), ForeignTemplates({"a.svg": body})):
        with pytest.raises(TemplateError) as caught:
            templates.render("a.svg", {})
        seen.append((str(caught.value), caught.value.template, caught.value.line, caught.value.remedy))
    assert seen[0] == seen[1]


def test_what_takes_too_long_is_ended() -> None:
    """A drawing that takes too long is an error with its line, and the next one is drawn."""
    templates = ForeignTemplates({"bad.svg": HANGING, "good.svg": "<t>{{ x }}</t>"})
    for _ in range(2):
        with pytest.raises(TemplateError) as caught:
            templates.render("bad.svg", {})
        assert (caught.value.template, caught.value.line) == ("bad.svg", 4)
        assert templates.render("good.svg", {"x": 1}) == "<t>1</t>"


@pytest.mark.full
def test_what_took_too_long_is_not_tried_again(calls_to: Calls) -> None:
    """One face tells what is wrong with a template; the others of the run do not take as long once more."""
    templates = ForeignTemplates({"bad.svg": HANGING, "good.svg": "<t>{{ x }}</t>"})
    asked = calls_to(foreign_templates._Drawing, "job")
    for _ in range(2):
        with pytest.raises(TemplateError, match="too long"):
            templates.render("bad.svg", {})
        assert templates.render("good.svg", {"x": 1}) == "<t>1</t>"
    assert [drawing.name for (drawing,) in asked] == ["bad.svg", "good.svg", "good.svg"]


def test_functions_of_the_drawing_do_not_work_without_end() -> None:
    """The time of this process is bounded like that of the other, with the line of the template that takes it."""

    def text_width(text: str) -> int:
        return len(sorted(text * 20_000))

    templates = ForeignTemplates({"a.svg": "\n{% for _ in range(99999) %}{{ text_width('abcdefghij') }}{% endfor %}"})
    with pytest.raises(TemplateError, match=r"a\.svg:2: .*too long"):
        templates.render("a.svg", {"text_width": text_width})


@every("call", [
        "text_known('\u3400' * 300000, 'Spectral')", "text_width('a' * 20001, 'Spectral', 9)",
        "text_lines('a' * 20001, 50, 'Spectral', 9)", "text_fit('ab ' * 5000, 50, 'Spectral', [[9, 9]] * 100)",
    ])  # fmt: skip
def test_functions_that_measure_are_bounded(call: str) -> None:
    """A text that is too long, or set too often, is refused by its template and line before it is measured."""
    measures = open_workshop(own_game(trusted=False)).kit.measures
    with pytest.raises(TemplateError, match=r"a\.svg:2: a text has more than"):
        ForeignTemplates({"a.svg": f"\n{{{{ {call} }}}}"}).render("a.svg", measures)


@pytest.mark.skipif(sys.platform != "linux", reason="the size of a process is known on Linux alone")
@pytest.mark.full
def test_memory_is_bounded_for_all_drawings_together() -> None:
    """What one drawing took is not added to what the next may take."""
    grows = "{% set n = namespace(a=[]) %}{% for i in range(9999) %}{% set n.a = [n.a, [i] * 9999] %}{% endfor %}"
    templates = ForeignTemplates({f"{number}.svg": f"{grows}{number}" for number in range(8)})
    for name in templates.sources:
        with pytest.raises(TemplateError, match=f"{name}:1: it needs more memory than is available"):
            templates.render(name, {})
    process = foreign_templates._child(os.getpid()).process
    assert process
    status = Path(f"/proc/{process.pid}/status").read_text("ascii")
    (peak,) = re.findall(r"VmPeak:\s+(\d+) kB", status)
    assert int(peak) < 128 << 10


def test_errors_of_the_drawing_come_through() -> None:
    """What a function of the drawing raises is the same error; a wrong call is one of the template."""

    def text_width(text: str) -> float:
        raise FontError(f"no font for {text}")

    templates = ForeignTemplates({"a.svg": "\n{{ text_width('x') }}", "b.svg": "\n{{ text_width() }}"})
    with pytest.raises(FontError, match="no font for x"):
        templates.render("a.svg", {"text_width": text_width})
    with pytest.raises(TemplateError, match=r"b\.svg:2: .*missing 1 required"):
        templates.render("b.svg", {"text_width": text_width})


@pytest.mark.door
def test_nothing_is_left_behind() -> None:
    """One process serves all templates of a run, and it ends with the run."""
    program = (
        "import os\n"
        "from carddb.press.templates import foreign_templates as foreign\n"
        "for _ in range(3):\n"
        "    foreign.ForeignTemplates({'a': '{{ x }}'}).render('a', {'x': 1})\n"
        "    print(foreign._child(os.getpid()).process.pid)\n"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    (number,) = set(run.stdout.split())
    assert not Path(f"/proc/{number}").exists()


def test_trust_decides() -> None:
    """Trusted games are filled in by this process."""
    game = own_game(trusted=True)
    assert type(templates_of_game(game, {})) is Templates
    game.folder = game.folder._replace(trusted=False)
    assert type(templates_of_game(game, {})) is ForeignTemplates


@pytest.mark.full
def test_a_rule_sheet_of_a_foreign_game_is_written(call: Callable[..., Told], folder: Path) -> None:
    """Whatever the views of its data are made of, from the command line too; a template that is not UTF-8 is told."""
    shutil.copytree(OUTSIDE / "lanterns", "lanterns")
    Path("carddb.toml").write_text('games = ["lanterns"]\n', "utf-8")
    assert call("guide", "lanterns", "-o", "foreign.html").code == 0
    assert call("--games", "lanterns", "guide", "lanterns", "-o", "trusted.html").code == 0
    assert Path("foreign.html").read_bytes() == Path("trusted.html").read_bytes()
    with Path("lanterns/templates/card.svg").open("ab") as template:
        template.write(b"\n<!-- \xe4 -->")
    lines = Path("lanterns/templates/card.svg").read_bytes().count(b"\n") + 1
    call("load", "lanterns/cards.csv", "--game", "lanterns")
    told = call("proof", "L-01", "-o", "face.svg", "--game", "lanterns")
    assert told.code == 3 and f"card.svg:{lines}" in told.err


def test_templates_are_the_same_as_in_this_process() -> None:
    """Values that come again, functions that are asked for and templates of several kinds give the same texts."""
    sources = {"a.svg": "<t>{{ x }}{{ wide(x) }}</t>", "b.svg": "<b>{{ x }}</b>"}
    jobs: list[tuple[str, dict[str, Any]]] = [
        ("a.svg", {"x": "é", "wide": len}),
        ("b.svg", {"x": 7}),
        ("a.svg", {"x": "é&", "wide": str.upper}),
    ]
    here, there = Templates(sources), ForeignTemplates(sources)
    for _ in range(2):
        assert [there.render(*job) for job in jobs] == [here.render(*job) for job in jobs]


@pytest.mark.full
def test_many_sets_of_templates_fit() -> None:
    """The process has room for some sets of templates, and is begun anew for more."""
    opened = [
        ForeignTemplates({"a.svg": f"{number} {{{{ x }}}}"}) for number in range(foreign_templates._MOST_OPEN + 1)
    ]
    for _ in range(2):
        assert [templates.render("a.svg", {"x": 1}) for templates in opened] == [f"{n} 1" for n in range(len(opened))]
