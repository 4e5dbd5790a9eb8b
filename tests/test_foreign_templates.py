"""Templates of games that nobody vouched for: drawn by a process of their own, with the same result or an error."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Told

from carddb.errors import FontError, TemplateError
from carddb.games import Game, folders, load
from carddb.layout.template import TEXT, VALUE, Rendered, Templates
from carddb.press.face_bank import FaceBank
from carddb.press.foreign_templates import ForeignTemplates
from carddb.press.guide import read_guide
from carddb.press.workshop import open_workshop, templates_of_game
from tests.conftest import OUTSIDE
from tests.template_payloads import TWO, grown

HANGING = TWO + "\n\n{% for i in [n.a, n.b] %}\n{{ loop.changed(i) }}{% endfor %}"
"""What no budget sees: Jinja itself compares lists in lists."""


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
        assert isinstance(bank.workshop.studio.templates, ForeignTemplates) is not trusted
    assert drawn[0] == drawn[1]


def test_values_functions_and_pieces_are_the_same() -> None:
    """Texts, numbers, lists and functions of the drawing reach the template; values come out as values."""
    source = {"a.svg": "<t a='{{ x }}'>{% for y in ys %}{{ wide(y, by=2) }},{% endfor %}</t>"}
    context = {"x": "<é>", "ys": ["a", "bc"], "wide": lambda text, by: len(text) * by}
    here, there = Templates(source), ForeignTemplates(source)
    for _ in range(2):
        assert there.pieces("a.svg", context) == here.pieces("a.svg", context)
    assert there.render("a.svg", context, marked=True) == here.render("a.svg", context, marked=True)
    assert there.render("a.svg", {**context, "x": 1}) == here.render("a.svg", {**context, "x": 1})


@pytest.mark.parametrize("body", ["\n{{ gone }}", "\n{% for %}", "{% include 'gone.svg' %}", "\n\n{{ 'a' * 10 ** 9 }}"])
def test_errors_are_the_same(body: str) -> None:
    """Template, line, words and remedy."""
    seen = []
    for templates in (Templates({"a.svg": body}), ForeignTemplates({"a.svg": body})):
        with pytest.raises(TemplateError) as caught:
            templates.render("a.svg", {})
        seen.append((str(caught.value), caught.value.template, caught.value.line, caught.value.remedy))
    assert seen[0] == seen[1]


def test_what_the_budget_does_not_see_is_ended() -> None:
    """A drawing that takes too long is an error with its line, and the next one is drawn."""
    templates = ForeignTemplates({"bad.svg": HANGING, "good.svg": "<t>{{ x }}</t>"})
    for _ in range(2):
        with pytest.raises(TemplateError) as caught:
            templates.render("bad.svg", {})
        assert (caught.value.template, caught.value.line) == ("bad.svg", 4)
        assert templates.render("good.svg", {"x": 1}) == "<t>1</t>"


@pytest.mark.skipif(sys.platform != "linux", reason="the size of a process is known on Linux alone")
def test_memory_is_bounded() -> None:
    """Where the budget were no bound, memory would be: an error with its line, and the process lives on."""
    program = (
        "from carddb.errors import TemplateError\n"
        "from carddb.layout import template_budget\n"
        "from carddb.layout.template import Templates\n"
        "from carddb.press.template_child import bounded_memory\n"
        "template_budget.STEPS = template_budget.CHARACTERS = 10 ** 12\n"
        f"templates = Templates({{'a': {grown('n.a ~ n.a')!r}, 'b': 'ok'}})\n"
        "for name in ('a', 'b'):\n"
        "    with bounded_memory():\n"
        "        try:\n"
        "            print(templates.render(name, {}))\n"
        "        except TemplateError as fault:\n"
        "            print(fault.reason, fault.line)\n"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.splitlines() == ["it needs more memory than there is 1", "ok"]


def test_errors_of_the_drawing_come_through() -> None:
    """What a function of the drawing raises is the same error; a wrong call is one of the template."""

    def text_width(text: str) -> float:
        raise FontError(f"no font for {text}")

    templates = ForeignTemplates({"a.svg": "\n{{ text_width('x') }}", "b.svg": "\n{{ text_width() }}"})
    with pytest.raises(FontError, match="no font for x"):
        templates.render("a.svg", {"text_width": text_width})
    with pytest.raises(TemplateError, match=r"b\.svg:2: .*missing 1 required"):
        templates.render("b.svg", {"text_width": text_width})


def test_nothing_is_left_behind() -> None:
    """One process serves all templates of a run, and it ends with the run."""
    program = (
        "import os\n"
        "from carddb.press import foreign_templates as foreign\n"
        "for _ in range(3):\n"
        "    foreign.ForeignTemplates({'a': '{{ x }}'}).render('a', {'x': 1})\n"
        "    print(foreign._child(os.getpid())._process.pid)\n"
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


def test_templates_together_are_the_same_as_alone() -> None:
    """Values that come again, functions that are asked for and templates of several kinds give the same pieces."""
    sources = {"a.svg": "<t>{{ x }}{{ wide(x) }}</t>", "b.svg": "<b>{{ x }}</b>"}
    jobs = [("a.svg", {"x": "é", "wide": len}), ("b.svg", {"x": 7}), ("a.svg", {"x": "é&", "wide": str.upper})]
    alone, together = Templates(sources), ForeignTemplates(sources)
    for _ in range(2):
        assert together.pieces_together(jobs) == [alone.pieces(*job) for job in jobs]
    assert not alone.renders_together and alone.pieces_together(jobs) == [None] * 3


def test_a_template_with_a_fault_is_left_to_be_rendered_alone() -> None:
    """What is wrong with one does not keep the others; where one ends the process, all are left."""
    sources = {"good.svg": "<t>{{ x }}</t>", "gone.svg": "{{ gone }}", "hangs.svg": HANGING}
    templates = ForeignTemplates(sources)
    good = ("good.svg", {"x": 1})
    drawn = Rendered(["<t>", "1", "</t>"], f"{TEXT}{VALUE}{TEXT}")
    assert templates.pieces_together([good, ("gone.svg", {}), good]) == [drawn, None, drawn]
    assert templates.pieces_together([good, ("hangs.svg", {})]) == [None, None]
    assert templates.pieces_together([good]) == [drawn]
