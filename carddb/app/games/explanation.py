"""Information about games: their parts, the meaning of rule ids and codes, and the rules that answer a question."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from math import sqrt
from typing import Any, NamedTuple

from carddb.app.workspace.words import WordSearch
from carddb.app.workspace.workspace import Workspace
from carddb.catalog.search import phrase_scores
from carddb.core.errors import UsageError
from carddb.core.names import Vocabulary, did_you_mean, fold
from carddb.core.plain_text import amount, language_of_stem
from carddb.game.frozen import as_plain
from carddb.game.parts import RULE_MARK
from carddb.games import Game
from carddb.games.opening.spec_reader import shared_codes
from carddb.games.printed_words import decision
from carddb.read.documents.bans import read_bans


def game_summary(game: Game) -> dict[str, Any]:
    """Returns the parts of a game: cards by type, sizes, ban lists, guides, languages, and how many others it has."""
    # Imported here, because it is only needed to show one game, not a list of games.
    from carddb.press.faces.workshop import layout_sizes

    spec, folder = game.spec, game.folder
    own_sizes = [kind.size for kind in spec.types.values() if kind.size]
    guides = [spec.language] if folder.guide_file.is_file() else []
    guides += [tag for file in sorted(folder.path.glob("guide.*.md")) if (tag := language_of_stem(file.stem))]
    cards = Counter(card.type for card in game.own_cards)
    bans = read_bans(folder.source(folder.bans_file)).log if folder.bans_file else None
    templates = [path.name for path in folder.template_folder.glob("*.svg")]
    own_languages = [tag for path in folder.path.glob("cards.*.csv") if (tag := language_of_stem(path.stem))]
    return {
        "cards": {key: cards[key] for key in spec.types if cards[key]},
        "double_faced": [key for key, kind in spec.types.items() if kind.reverse],
        # The default size, the sizes of card types, and those for which the game's templates have a layout.
        "sizes": list(dict.fromkeys((spec.card_size, *own_sizes, *layout_sizes(game, templates)))),
        "fields": len(spec.all_fields()),
        "sections": len(spec.sections),
        "limits": len(spec.limits),
        "formats": len(spec.formats),
        "lists": {key: ban_list.title for key, ban_list in bans.lists.items()} if bans else {},
        "options": len(spec.options),
        "decks": len(folder.decks),
        "components": len(spec.components),
        "guides": guides,
        "rules": len(game.rule_book.rules),
        "codes": len(game.rule_book.codes),
        "operations": len(game.operations),
        "odds": len(game.odds),
        "fonts": {family: font.licence for family, font in spec.fonts.items() if not font.stands_in},
        "languages": list(dict.fromkeys((spec.language, *spec.languages, *sorted(own_languages)))),
        "program": game.has_rules,
    }


def summary_words(game: Game) -> Iterator[tuple[str, str]]:
    """Yields pairs for a table about a game: a heading, and what the game has of it in words (empty if nothing)."""
    summary, spec = game_summary(game), game.spec
    plurals = {key: spec.plural_of(key) for key in spec.types}
    cards = [f"{count} {plurals.get(kind, kind)}" for kind, count in summary["cards"].items()]
    yield "cards", f"{amount(sum(summary['cards'].values()), 'sample')}: {', '.join(cards)}" if cards else ""
    yield "fields", str(summary["fields"])
    yield "two faces", ", ".join(spec.label_of(kind) for kind in summary["double_faced"])
    yield "sizes", ", ".join(summary["sizes"])
    parts = {"decks": "sample deck", "sections": "section", "limits": "limit", "formats": "format", "options": "option"}
    yield "decks", ", ".join(amount(summary[part], word) for part, word in parts.items() if summary[part])
    yield "ban lists", ", ".join(f"{key} ({title})" for key, title in summary["lists"].items())
    drawn = sum(component.drawn for component in spec.components.values())
    yield "components", f"{summary['components']}, {drawn} of them drawn" if summary["components"] else ""
    yield "rule sheet", ", ".join(summary["guides"])
    yield "rules", f"{summary['rules']}, and {amount(summary['codes'], 'finding code')}" if summary["rules"] else ""
    questions = {"operations": "operation", "odds": "odds question"}
    yield "referee", ", ".join(amount(summary[part], word) for part, word in questions.items() if summary[part])
    fonts = (f"{family} ({licence})" if licence else family for family, licence in summary["fonts"].items())
    yield "fonts", ", ".join(fonts)
    yield "languages", ", ".join(summary["languages"])
    yield "program", "rules.py" if summary["program"] else "none, only data"


ANY_GAME = "any game"
_COUNT = re.compile(r"\s*\([^)]*\)|(\s+of)?\s+\d+\b.*")
"""The text after the term in a heading: ` 2 of 5×5` in `Column 2 of 5×5`, ` (40)` in `Deck (40)`."""


def games_json(games: Sequence[Game], with_parts: bool = False) -> dict[str, Any]:
    """Returns what `games --json` shows; `with_parts` adds the parts of each game (`game_summary`)."""
    rows = [_game_json(game) | ({"has": game_summary(game)} if with_parts else {}) for game in games]
    return {"schema": "carddb.games/1", "games": rows}


def explain(project: Workspace, name: str, key: str | None) -> list[dict[str, Any]]:
    """Returns the entries of a code, a rule id or a term of the rules, in the game `key` or in all games.

    Case, spaces and hyphens in `name` do not matter. Raises UsageError, suggesting the nearest name, if there is none.
    """
    games = [project.game(key)] if key else project.all_games()
    entries = [entry for game in games for entry in entries_of(game, name)]
    shared = shared_codes()
    if not entries and (code := Vocabulary(shared).find(name)):
        entries = [{"kind": "code", "game": ANY_GAME, "name": code, **as_plain(shared[code], whole=True)}]
    if not entries:
        books = [game.rule_book for game in games]
        names = [each for book in books for part in (book.codes, book.rules, book.terms) for each in part]
        by_words = f"Every finding has a code. To find a rule by its words: carddb explain --search {name}."
        raise UsageError(f"no code, rule or term is called {name!r}", did_you_mean(name, [*names, *shared], by_words))
    return entries


def explain_or_find(project: Workspace, words: str, key: str | None) -> list[dict[str, Any]]:
    """Returns the entries of a code or rule id, or else the entries with these words. Raises UsageError for none."""
    try:
        return explain(project, words, key)
    except UsageError:
        # A text with a digit, such as E-14x, is meant as an id, so its words are not searched for.
        entries = [] if any(map(str.isdigit, words)) else find_entries(project, words, key)
        if not entries:
            raise
        return entries


def _game_json(game: Game) -> dict[str, Any]:
    spec = game.spec
    return {
        "key": spec.key,
        "name": spec.name,
        "by": spec.by,
        "credits": as_plain(spec.credits, whole=True),
        "notice": spec.notice,
        "players": list(spec.players),
        "sections": {key: {"size": list(s.size), "types": list(s.types)} for key, s in spec.sections.items()},
        "formats": {key: {"label": f.label, "name": f.name} for key, f in spec.formats.items()},
        "options": {key: {"default": o.default, "rules": list(o.rules)} for key, o in spec.options.items()},
        "components": {key: {"id": c.id, "label": c.label, "per": c.per} for key, c in spec.components.items()},
        "variants": {key: v.default for key, v in spec.variants.items()},
        "operations": sorted(f"{spec.prefix}.{name}" for name in game.operations),
        "odds": sorted(game.odds),
        "fields": {key: {"type": f.type, "of": list(f.of)} for key, f in spec.all_fields().items()},
    }


def entries_of(game: Game, name: str) -> list[dict[str, Any]]:
    """Returns a game's entries for a name, which may be a finding code, a rule id or a term of the rules."""
    book = game.rule_book
    out: list[dict[str, Any]] = []
    if key_of_code := Vocabulary(book.codes).find(name):
        code = book.codes[key_of_code]
        rules = {rule: book.rules[rule] for rule in code.rules if rule in book.rules}
        texts = {key: rule.text for key, rule in rules.items()}
        rulings = {key: _ruling_json(game, key) for key, rule in rules.items() if rule.ruling}
        entry = {"kind": "code", "game": game.key, "name": key_of_code, **as_plain(code, whole=True)}
        out.append({**entry, "texts": texts, "rulings": rulings})
    terms = Vocabulary(book.terms)
    term = terms.find(name) or terms.find(_COUNT.sub("", name))
    rule_id = Vocabulary(book.rules).find(name)
    for key in (rule_id,) if rule_id else book.terms[term] if term else ():
        operations = [
            f"{game.spec.prefix}.{word}" for word, o in game.operations.items() if key in game.rules_behind(o)
        ]
        rule = as_plain(book.rules[key], whole=True)
        rule["ruling"] = _ruling_json(game, key)
        out.append({"kind": "rule", "game": game.key, "name": key, **rule, "judge": operations})
    return out


def _ruling_json(game: Game, rule: str) -> dict[str, Any] | None:
    """Returns the ruling on a point that the author of a rule left open, with the options that change it, or None.

    `changed_by` and `values` are the first of these options and its values; they are empty if nothing can be chosen.
    """
    ruling, decided = game.rule_book.rules[rule].ruling, decision(game, rule)
    if ruling is None or decided is None:
        return None
    options = {name: list(values) for name, values in decided.options.items()}
    first = next(iter(options), "")
    return {**as_plain(ruling, whole=True), "changed_by": first, "values": options.get(first, []), "options": options}


def find_entries(project: Workspace, words: str, key: str | None, with_answers: bool = False) -> list[dict[str, Any]]:
    """Returns the entries with the name `words`, as `explain` does, then the rules and codes that contain these words.

    If `words` is the id of a rule, only this rule is returned. `with_answers` puts rules that answer `words` as a
    question first, and leaves out rules for programs. Raises UsageError for an unknown game.
    """
    games = [project.game(key)] if key else project.all_games()
    first: list[dict[str, Any]] = []
    with suppress(UsageError):
        first = explain(project, words, key)
    if any(entry["kind"] == "rule" for entry in first):
        return first
    answers = ask(project, words, key, _MOST_FOUND) if with_answers and fold(words) else []
    for answer in answers:
        is_said = not answer.game.rule_book.is_for_programs(answer.rule)
        if is_said and answer.score >= _WEAKEST * answers[0].score:
            first += entries_of(answer.game, answer.rule)
    search = WordSearch(words)
    books = [(game, game.rule_book) for game in games]
    rules = (
        (game, name, f"{rule.section} {rule.words}")
        for game, book in books
        for name, rule in book.rules.items()
        if not (with_answers and book.is_for_programs(name))
    )
    codes = ((game, name, f"{name} {c.cause} {c.fix}") for game, book in books for name, c in book.codes.items())
    fitting = ((game, name) for game, name, text in (*rules, *codes) if search.fits(text))
    entries = (entry for game, name in fitting for entry in entries_of(game, name))
    return [*first, *(entry for entry in entries if entry not in first)]


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
"""The weight of a phrase by its number of words. With these weights, 219 of 225 test questions found a right rule among
the first three; the other six do so since their words are in `asked`."""
_SYNONYM = 0.5
"""The weight of a word for which the question has a synonym."""
_MOST_FOUND, _WEAKEST = 12, 0.4
"""The most rules that a page shows for a question, and their lowest score, as a share of the best rule's score."""


class Answer(NamedTuple):
    """A rule that may answer a question, and how well it fits (`score`)."""

    game: Game
    rule: str
    score: float


def ask(project: Workspace, question: str, key: str | None = None, most: int = 5) -> list[Answer]:
    """Returns up to `most` rules that may answer a question, the best first, in the game `key` or in all games.

    If the question names a game, only its rules are returned. Raises UsageError for an unknown game, or without words.
    """
    words = fold(question).split()
    if not words:
        raise UsageError("the question has no words", 'Ask in words: carddb ask "can my strategist attack?"')
    games = [project.game(key)] if key else project.all_games()
    titles = [(game, title) for game in games if (title := _title_in(game, words))]
    questions = [(game, f" {' '.join(words)} ".replace(f" {title} ", " ").split()) for game, title in titles]
    answers = [answer for each in questions or [(game, words) for game in games] for answer in _answers(*each)]
    return sorted(answers, key=lambda answer: -answer.score)[:most]


def answers_json(answers: Sequence[Answer]) -> dict[str, Any]:
    """Returns what `ask --json` shows; `reading` is true if carddb's authors decided part of the rule."""
    read = [(each.rule, each.game.key, each.game.rule_book.rules[each.rule]) for each in answers]
    rules = [{"id": id_, "game": key, "text": rule.words, "reading": bool(rule.ruling)} for id_, key, rule in read]
    return {"schema": "carddb.ask/1", "answers": rules}


def _title_in(game: Game, words: Sequence[str]) -> str:
    """Returns the folded name or key of a game, whichever `words` contain in a row; empty if neither."""
    question = f" {' '.join(words)} "
    return next((title for title in (fold(game.spec.name), fold(game.key)) if f" {title} " in question), "")


def _answers(game: Game, words: Sequence[str]) -> Iterator[Answer]:
    """Yields the rules of a game that contain a word of a question; rules with more of its words score higher."""
    rules, beside = game.rule_book.rules, _texts_beside(game)
    texts = ((rule.words, rule.section, beside[name], rule.asked) for name, rule in rules.items())
    phrases = dict(_phrases(words))
    others = [word for word, same in game.rule_book.synonyms.items() if not phrases.keys().isdisjoint(map(fold, same))]
    scores: dict[int, float] = defaultdict(float)
    word_counts = Counter[int]()
    for phrase, fitting in phrase_scores(texts, _WEIGHTS, [*phrases, *others]).items():
        weight = phrases.get(phrase, _SYNONYM)
        for number, score in fitting.items():
            scores[number] += weight * score
            word_counts[number] += weight == 1
    wanted = sum(weight == 1 for weight in phrases.values())
    names = list(rules)
    for number, score in scores.items():
        yield Answer(game, names[number], score * sqrt((word_counts[number] + 0.5) / max(wanted, 1)))


def _phrases(words: Sequence[str]) -> Iterator[tuple[str, float]]:
    """Yields the phrases of up to three words of a question that have an uncommon word, each with its weight."""
    for length, weight in _PHRASES.items():
        for start in range(len(words) - length + 1):
            phrase = words[start : start + length]
            if not _COMMON.issuperset(phrase):
                yield " ".join(phrase), weight


@lru_cache(maxsize=16)
def _texts_beside(game: Game) -> Mapping[str, str]:
    """Returns further texts about each rule, by rule id: from the rule sheet, the data, the codes and the questions.

    They are cached, because a player who asks in the browser waits for them (44 of 101 ms with the five games).
    """
    texts_of: dict[str, list[str]] = defaultdict(list)
    if game.folder.guide_file.is_file():
        *marked, _ = RULE_MARK.split(game.folder.read(game.folder.guide_file).decode("utf-8", "replace"))
        for passage, ids in zip(marked[::2], marked[1::2], strict=True):
            for rule in re.split(", ?", ids):
                texts_of[rule].append(re.split("[{}]", passage)[-1])  # only what follows the last placeholder
    for part in (as_plain(game.spec, whole=True), *map(as_plain, game.rule_book.codes.values())):
        for rule, text in _texts_by_rule(part):
            texts_of[rule].append(text)
    for term, rules in game.rule_book.terms.items():
        for rule in rules:
            texts_of[rule].append(term)
    for operation in game.operations.values():
        for rule in game.rules_behind(operation):
            texts_of[rule].append(operation.about)
    return defaultdict(str, {rule: " ".join(texts) for rule, texts in texts_of.items()})


def _texts_by_rule(part: Any) -> Iterator[tuple[str, str]]:
    """Yields pairs of rule id and text for each key `rules` inside `part`; the text is from the keys beside it."""
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
