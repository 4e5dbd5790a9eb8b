"""Questions in a player's words: the rules that answer them, best first."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from math import sqrt
from typing import Any, NamedTuple

from carddb.app.games.explanation import entries_of, explain, find_entries
from carddb.app.workspace.workspace import Workspace
from carddb.catalog.search import phrase_scores
from carddb.core.errors import UsageError
from carddb.core.names import fold
from carddb.game.frozen import as_plain
from carddb.game.parts import RULE_MARK
from carddb.games import Game

_COMMON_WORDS = """
    a about after all allowed also am an and any anything are as at be been before being but by can cannot could did do
    does doing done each else ever every for from get give go goes got had happen happens has have he her his how i if
    in into is it its just kind let like long make many may me mean means more most much must my need no not of on once
    one only or other our out over own player players same say she should so some still take than that the their them
    then there they thing this time to too turn two up us use used was we were what when where which while who whose
    why will with without work works would you your
"""
_COMMON = frozenset(_COMMON_WORDS.split())
"""Words so common in questions that they do not help to find a rule."""
_WEIGHTS = (1.0, 0.3, 0.3, 3.0)
"""The weight of a word in a rule's text, in its section title, in other texts about it, and in its `asked`."""
_PHRASES = {1: 1.0, 2: 0.6, 3: 0.5}
"""The weight of a phrase by its number of words. With these, 219 of 225 questions found a right rule among the first
three; the other six do since their words stand in `asked`."""
_SYNONYM = 0.5
"""The weight of a word for which the question has a synonym."""
_MOST_FOUND = 12
"""The most rules that a page shows for a question."""


class Answer(NamedTuple):
    """A rule that may answer a question."""

    game: Game
    rule: str
    score: float


def ask(project: Workspace, question: str, key: str | None = None, most: int = 5) -> list[Answer]:
    """Returns up to `most` rules that answer a question, best first; of one game, or of all.

    A question that names a game is asked only of that game. Raises UsageError if `key` is no game, or if the question
    has no words.
    """
    words = fold(question).split()
    if not words:
        raise UsageError("a question without words", 'Ask as you would a judge: carddb ask "can my strategist attack?"')
    games = [project.game(key)] if key else project.all_games()
    named = [(game, title) for game in games if (title := _title_in(game, words))]
    asked = [(game, f" {' '.join(words)} ".replace(f" {title} ", " ").split()) for game, title in named]
    answers = [answer for each in asked or [(game, words) for game in games] for answer in _answers(*each)]
    return sorted(answers, key=lambda answer: -answer.score)[:most]


def found_rules(project: Workspace, words: str, key: str | None) -> list[dict[str, Any]]:
    """Returns the rule called `words`; else a code of that name, then the answers, then all rules with these words.

    Entries are as in `explain`. Raises UsageError if `key` is no game.
    """
    found: list[dict[str, Any]] = []
    with suppress(UsageError):
        found = explain(project, words, key)
    if any(entry["kind"] == "rule" for entry in found):
        return found
    for answer in ask(project, words, key, _MOST_FOUND) if fold(words) else ():
        found += entries_of(answer.game, answer.rule)
    return [*found, *(entry for entry in find_entries(project, words, key) if entry not in found)]


def answers_json(answers: Sequence[Answer]) -> dict[str, Any]:
    """Returns the JSON of `ask --json`. `reading` is true if part of the text was decided for this printing."""
    shown = []
    for answer in answers:
        rule = answer.game.rule_book.rules[answer.rule]
        is_read = rule.ruling is not None
        shown.append({"id": answer.rule, "game": answer.game.key, "text": rule.words, "reading": is_read})
    return {"schema": "carddb.ask/1", "answers": shown}


def _title_in(game: Game, words: Sequence[str]) -> str:
    """Returns the title or key of the game if it is among `words`, else an empty text."""
    asked = f" {' '.join(words)} "
    return next((title for title in (fold(game.spec.name), fold(game.key)) if f" {title} " in asked), "")


def _answers(game: Game, words: Sequence[str]) -> Iterator[Answer]:
    """Yields the rules of a game in which any word of a question occurs; those with more of them score higher."""
    rules, beside = game.rule_book.rules, _said_beside(game)
    texts = ((rule.words, rule.section, beside[name], rule.asked) for name, rule in rules.items())
    phrases = dict(_phrases(words))
    others = [word for word, same in game.rule_book.synonyms.items() if not phrases.keys().isdisjoint(map(fold, same))]
    scores: dict[int, float] = defaultdict(float)
    found = Counter[int]()
    for phrase, fitting in phrase_scores(texts, _WEIGHTS, [*phrases, *others]).items():
        weight = phrases.get(phrase, _SYNONYM)
        for number, score in fitting.items():
            scores[number] += weight * score
            found[number] += weight == 1
    wanted = sum(weight == 1 for weight in phrases.values())
    names = list(rules)
    for number, score in scores.items():
        yield Answer(game, names[number], score * sqrt((found[number] + 0.5) / max(wanted, 1)))


def _phrases(words: Sequence[str]) -> Iterator[tuple[str, float]]:
    """Yields the phrases of a question that have an uncommon word, each with its weight."""
    for length, weight in _PHRASES.items():
        for start in range(len(words) - length + 1):
            phrase = words[start : start + length]
            if not _COMMON.issuperset(phrase):
                yield " ".join(phrase), weight


@lru_cache(maxsize=16)
def _said_beside(game: Game) -> Mapping[str, str]:
    """Returns, by rule id, the texts about a rule outside its own: in the rule sheet, data, finding
    codes and questions.

    They are kept, since a player who asks in the browser would wait for them at every question (44 of 101 ms with
    the five games).
    """
    said: dict[str, list[str]] = defaultdict(list)
    if game.folder.guide_file.is_file():
        *marked, _ = RULE_MARK.split(game.folder.read(game.folder.guide_file).decode("utf-8", "replace"))
        for passage, ids in zip(marked[::2], marked[1::2], strict=True):
            for rule in re.split(", ?", ids):
                said[rule].append(re.split("[{}]", passage)[-1])  # without what the template fills in
    for part in (as_plain(game.spec, whole=True), *map(as_plain, game.rule_book.codes.values())):
        for rule, text in _texts_by_rule(part):
            said[rule].append(text)
    for term, rules in game.rule_book.terms.items():
        for rule in rules:
            said[rule].append(term)
    for operation in game.operations.values():
        for rule in operation.rules:
            said[rule].append(operation.about)
    return defaultdict(str, {rule: " ".join(texts) for rule, texts in said.items()})


def _texts_by_rule(part: Any) -> Iterator[tuple[str, str]]:
    """Yields (rule id, texts) for each rule listed under a key `rules` anywhere in `part`; the texts
    are its neighbours.
    """
    if isinstance(part, Mapping):
        rules = part.get("rules")
        if isinstance(rules, list):
            text = " ".join(_texts([value for name, value in part.items() if name != "rules"]))
            yield from ((str(rule), text) for rule in rules)
    if isinstance(part, Mapping | list):
        for value in part.values() if isinstance(part, Mapping) else part:
            yield from _texts_by_rule(value)


def _texts(part: Any) -> Iterator[str]:
    if isinstance(part, str):
        yield part
    elif isinstance(part, Mapping | list):
        for value in part.values() if isinstance(part, Mapping) else part:
            yield from _texts(value)
