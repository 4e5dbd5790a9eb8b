"""Questions in a player's words: the rules that answer them, best first."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from math import sqrt
from typing import Any, NamedTuple

from carddb.app.games.explanation import entries_of, find_entries
from carddb.app.workspace.workspace import Workspace
from carddb.catalog.text_index import TextIndex
from carddb.core.errors import UsageError
from carddb.core.names import fold
from carddb.game.frozen import as_plain
from carddb.games import Game

_TOLD = re.compile(r"([^{}]+)\{((?:[A-Z]+-\d+[a-z]?(?:, )?)+)\}")
"""A passage of a rule sheet, and the rules that it tells."""
_COMMON_WORDS = """
    a about after all allowed also am an and any anything are as at be been before being but by can cannot could did do
    does doing done each else ever every for from get give go goes got had happen happens has have he her his how i if
    in into is it its just kind let like long make many may me mean means more most much must my need no not of on once
    one only or other our out over own player players same say she should so some still take than that the their them
    then there they thing this time to too turn two up us use used was we were what when where which while who whose
    why will with without work works would you your
"""
_COMMON = frozenset(_COMMON_WORDS.split())
"""Words of questions that tell no rule from another."""
_WEIGHTS = (1.0, 0.3, 0.3, 3.0)
"""What a word counts in a rule's text, in its heading, in what else the game says of it, and in what is asked of it."""
_PHRASES = {1: 1.0, 2: 0.6, 3: 0.5}
"""What a phrase of so many words counts: so 219 of 225 questions about five games find a right rule among three."""
_SYNONYM = 0.5
"""What a synonym of a phrase counts."""
_MOST_FOUND = 12


class Answer(NamedTuple):
    """A rule that may answer a question."""

    game: Game
    rule: str
    score: float


def ask(project: Workspace, question: str, key: str | None = None, most: int = 5) -> list[Answer]:
    """Returns up to `most` rules that answer a question, best first; of one game, or of all.

    A question that names a game is asked of that game. Raises UsageError for a game that is not there, and for a
    question without words.
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
    """Returns the rules and codes of a name or with all of some words, else the rules that answer them as a question.

    Each is as `explain` gives it. Raises UsageError for a game that is not there.
    """
    if entries := find_entries(project, words, key):
        return entries
    answers = ask(project, words, key, _MOST_FOUND) if fold(words) else []
    return [entry for answer in answers for entry in entries_of(answer.game, answer.rule)]


def answers_json(answers: Sequence[Answer]) -> dict[str, Any]:
    """Returns the shape of `ask --json`; `reading` says that some of a text was decided for this printing."""
    rules = [(answer, answer.game.rule_book.rules[answer.rule]) for answer in answers]
    shown = [
        {
            "id": answer.rule,
            "game": answer.game.key,
            "text": f"{rule.text} {rule.ruling.reading if rule.ruling else ''}".strip(),
            "reading": rule.ruling is not None,
        }
        for answer, rule in rules
    ]
    return {"schema": "carddb.ask/1", "answers": shown}


def _title_in(game: Game, words: Sequence[str]) -> str:
    """Returns the game's title or key as a question names it; empty where it does not."""
    asked = f" {' '.join(words)} "
    return next((title for title in (fold(game.spec.name), fold(game.key)) if f" {title} " in asked), "")


def _answers(game: Game, words: Sequence[str]) -> Iterator[Answer]:
    """Yields the rules of a game that have any word of a question; the more of its words, the better."""
    rules, beside = game.rule_book.rules, _said_beside(game)
    index = TextIndex(
        (
            (f"{rule.text} {rule.ruling.reading if rule.ruling else ''}", rule.section, beside[name], rule.asked)
            for name, rule in rules.items()
        ),
        _WEIGHTS,
    )
    scores: dict[int, float] = defaultdict(float)
    found, wanted = Counter[int](), 0
    for phrase, weight in _phrases(words):
        wanted += weight == 1
        for number, score in index.scores(phrase).items():
            scores[number] += weight * score
            found[number] += weight == 1
        for word, others in game.rule_book.synonyms.items():
            if phrase in map(fold, others):
                for number, score in index.scores(word).items():
                    scores[number] += _SYNONYM * score
    names = list(rules)
    for number, score in scores.items():
        yield Answer(game, names[number], score * sqrt((found[number] + 0.5) / max(wanted, 1)))


def _phrases(words: Sequence[str]) -> Iterator[tuple[str, float]]:
    """Yields the phrases of a question that tell rules apart, each with what it counts."""
    for length, weight in _PHRASES.items():
        for start in range(len(words) - length + 1):
            phrase = words[start : start + length]
            if not _COMMON.issuperset(phrase):
                yield " ".join(phrase), weight


def _said_beside(game: Game) -> Mapping[str, str]:
    """Returns what a game says of each rule elsewhere: on its rule sheet, in its data, by findings and questions."""
    said: dict[str, list[str]] = defaultdict(list)
    guide = game.folder.guide_file
    for passage, told in _TOLD.findall(guide.read_text("utf-8")) if guide.is_file() else ():
        for rule in told.split(", "):
            said[rule].append(passage)
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
    """Yields each rule that a part of a game's data names, with the texts beside it."""
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
