"""The rule sheet of C.A.H.R.D.: that it is complete, and that its figures come from the game."""

from __future__ import annotations

import re

from jinja2 import StrictUndefined
from jinja2.sandbox import SandboxedEnvironment

from tests.games.cahrd.sample_cards import GAME, SPEC
from tests.press.documents.guide_words import without_figures
from tests.rows import every

SOURCE = without_figures((GAME.folder.path / "guide.md").read_text("utf-8"))
NUMBERS = "two|three|four|five|six|seven|eight|nine|ten|forty|sixty|hundred|thousand"


def rendered() -> str:
    """The sheet as Markdown, every figure in it."""
    environment = SandboxedEnvironment(undefined=StrictUndefined)
    environment.filters["thousands"] = lambda number: f"{number:,}"
    return environment.from_string(SOURCE).render(game=SPEC, data=SPEC.data, options=SPEC.readings, changed=())


def named(text: str) -> set[str]:
    """The rule ids in single braces."""
    return {rule for braces in re.findall(r"\{(C-\d+(?:, C-\d+)*)\}", text) for rule in braces.split(", ")}


def test_every_rule_of_the_book_is_told() -> None:
    """The sheet tells each rule, whoever acts on it, and names none that does not exist."""
    assert named(rendered()) == set(GAME.rule_book.rules)


def test_no_figure_stands_in_the_words() -> None:
    """Outside of Jinja and of rule ids there is no digit and no number word of the game's."""
    words = re.sub(r"\{\{.*?\}\}|\{%.*?%\}|\{C-[^}]*\}", "", SOURCE, flags=re.S)
    assert re.findall(r"\d+", re.sub(r"^\d\. ", "", words, flags=re.M)) == []
    assert re.findall(rf"\b(?:{NUMBERS})\b", re.sub("six-sided", "", words)) == []


def test_a_sentence_that_tells_a_rule_ends_with_its_id() -> None:
    """Rule ids stand before a stop or a comma, or at the end of a row or an entry."""
    assert re.findall(r"\{C-[^}]*\}(?!\.|,|:| \||$| as soon as)", rendered(), flags=re.M) == []


def test_known_figures_come_out() -> None:
    """The sheet says what the rulebook says: deck sizes, hand, grain, men for charm."""
    told = rendered()
    for words in ("From 40 to 60 officers", "Draw 7 cards", "at 4,000", "1,000 men join", "at most 10 strategies"):
        assert words in told, words


@every(
    "words",
    [
        "Men Under Command",
        "the Recruitment Cost: what you pay",
        "25k is 25,000 men",
        "A commander is never replaced",
        "in battle and for effects {C-13}",
        "They do not count towards the main deck {C-38}",
        "slowest first {C-110}",
        "later also on a website {C-145}",
        "a tactic only if triggered {C-114, C-126}",
    ],
)
def test_the_sheet_tells_what_the_rulebook_tells(words: str) -> None:
    """The rulebook's own terms and lesser rules stand on the sheet, and a ruling's id where its reading is told."""
    assert words in rendered()
