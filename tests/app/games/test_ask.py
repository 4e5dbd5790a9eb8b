"""Questions in players' words find the rules that answer them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from carddb.app.games.explanation import answers_json, ask, find_entries
from carddb.app.workspace.workspace import Workspace
from carddb.core.errors import UsageError

QUESTIONS = sorted((Path(__file__).parent / "questions").glob("*.yaml"))


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    return Workspace(tmp_path_factory.mktemp("ask"))


@pytest.mark.parametrize("file", QUESTIONS, ids=lambda path: path.stem)
def test_nine_of_ten_questions_find_a_right_rule_among_the_first_three(file: Path, project: Workspace) -> None:
    """Of the questions about a game, nine of ten have a rule that answers them among the first three."""
    questions: list[dict[str, Any]] = yaml.safe_load(file.read_text("utf-8"))
    assert len(questions) >= 30
    missed = [
        question["ask"]
        for question in questions
        if not {answer.rule for answer in ask(project, question["ask"], file.stem, 3)} & set(question["rules"])
    ]
    assert len(missed) <= len(questions) / 10, missed


def test_a_question_that_names_a_game_is_asked_of_that_game(project: Workspace) -> None:
    """`... in Rishar?` is answered by rules of Rishar alone, and its name is no word that is looked for."""
    answers = ask(project, "who goes first in Rishar?")
    assert answers and {answer.game.key for answer in answers} == {"rishar"}


def test_an_answer_says_that_it_is_a_reading(project: Workspace) -> None:
    """The JSON has the text of a rule and tells whether some of it was decided for this printing."""
    answers = answers_json(ask(project, "does the strategist take part in battle", "cahrd"))["answers"]
    told = {answer["id"]: answer for answer in answers}
    assert told["C-93"]["reading"] and told["C-93"]["text"] and told["C-93"]["game"] == "cahrd"
    assert not told["C-51"]["reading"]


def test_words_that_no_rule_has_find_nothing(project: Workspace) -> None:
    """Nothing is made up: an unknown word has no answer, a question without words a remedy."""
    assert ask(project, "xyzzy plugh", "guarda") == []
    with pytest.raises(UsageError, match="no words"):
        ask(project, "???")


def test_the_pages_find_a_rule_by_its_name_and_by_a_sentence(project: Workspace) -> None:
    """A name or words that one rule has all are looked up; any other words are asked."""
    assert [entry["name"] for entry in find_entries(project, "C-93", "cahrd", True)] == ["C-93"]
    assert "C-93" in [entry["name"] for entry in find_entries(project, "can my strategist attack?", "cahrd", True)][:3]
