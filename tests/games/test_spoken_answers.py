"""Questions to the referee as people read them: a title and sentences for every operation of the bundled games."""

from __future__ import annotations

from carddb.app.referee import spoken_answer
from carddb.games import folders
from tests.games.referee_samples import cases, game
from tests.rows import every


@every("key", folders())
def test_every_question_has_a_title_and_its_answers_sentences(key: str) -> None:
    """Each operation has a title of its own and sentences, and no other name has."""
    texts = game(key).rule_book.questions
    assert set(texts) == set(game(key).operations)
    assert all(text.says for text in texts.values())
    assert len({text.title for text in texts.values()}) == len(texts)


@every("key", folders())
def test_every_answer_is_said(key: str) -> None:
    """In every case of the game, an answer that is no refusal is a sentence with all its values filled in."""
    for case in cases():
        if case.game == key:
            asked = game(key)
            answer = asked.operations[case.op].ask(asked.spec, case.given)
            if answer.get("ok") is True or not answer.get(asked.spec.refusal_key):
                spoken = spoken_answer(asked.rule_book.questions[case.op].says, case.given, answer)
                assert spoken.endswith(".") and "{" not in spoken, (case.claim, spoken)


def test_an_answer_names_who_wins_and_what_follows() -> None:
    """The officers' battle says who wins, who is defeated and who gets the token."""
    asked = game("cahrd")
    question = {
        "attacker": {"war": 5, "men": 2, "position": "commander"},
        "defender": {"war": 1, "men": 1, "position": "lieutenant"},
    }
    answer = asked.operations["resolve_officer_battle"].ask(asked.spec, question)
    spoken = spoken_answer(asked.rule_book.questions["resolve_officer_battle"].says, question, answer)
    assert spoken.startswith("The attacker's officer wins. The defending lieutenant is defeated.")
    assert spoken.endswith("The attacker gets the token.")
