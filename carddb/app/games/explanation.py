"""What carddb knows of games: their parts, their rules, what codes mean."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from carddb.app.games.summary import game_summary
from carddb.app.workspace.word_search import WordSearch
from carddb.app.workspace.workspace import Workspace
from carddb.core.errors import UsageError
from carddb.core.names import did_you_mean
from carddb.core.vocabulary import Vocabulary
from carddb.game.frozen import as_plain
from carddb.games import Game
from carddb.games.opening.rulebook import shared_codes
from carddb.games.rulings import decision

ANY_GAME = "any game"


def games_json(games: Sequence[Game]) -> dict[str, Any]:
    """The shape of `games --json`."""
    return {"schema": "carddb.games/1", "games": [_game_json(game) for game in games]}


def game_json(game: Game) -> dict[str, Any]:
    """The shape of `games KEY --json`: as that of several, with what the game has of each kind of part."""
    return {"schema": "carddb.games/1", "games": [{**_game_json(game), "has": game_summary(game)}]}


def explain(project: Workspace, name: str, key: str | None) -> list[dict[str, Any]]:
    """The entries of a code or a rule id, folded, in one game or in all. Raises UsageError with the nearest."""
    games = [project.game(key)] if key else project.all_games()
    entries = [entry for game in games for entry in _entries(game, name)]
    shared = shared_codes()
    if not entries and (code := Vocabulary(shared).find(name)):
        entries = [{"kind": "code", "game": ANY_GAME, "name": code, **as_plain(shared[code], whole=True)}]
    if not entries:
        names = [each for game in games for part in (game.rule_book.codes, game.rule_book.rules) for each in part]
        near = did_you_mean(name, [*names, *shared])
        by_words = f"Codes stand in every finding; by words of a rule: carddb explain --search {name}."
        raise UsageError(f"nothing is called {name!r}", near if near.startswith("Did") else by_words)
    return entries


def explain_or_find(project: Workspace, words: str, key: str | None) -> list[dict[str, Any]]:
    """The entries of a code or a rule id; where there is none, what has these words in its text.

    Raises UsageError with the nearest where nothing has them either.
    """
    try:
        return explain(project, words, key)
    except UsageError:
        # A digit is part of an id: the words of E-14x are not looked for.
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


def _entries(game: Game, name: str) -> list[dict[str, Any]]:
    book = game.rule_book
    out: list[dict[str, Any]] = []
    if key_of_code := Vocabulary(book.codes).find(name):
        code = book.codes[key_of_code]
        rules = {rule: book.rules[rule] for rule in code.rules if rule in book.rules}
        texts = {key: rule.text for key, rule in rules.items()}
        rulings = {key: _ruling_json(game, key) for key, rule in rules.items() if rule.ruling}
        entry = {"kind": "code", "game": game.key, "name": key_of_code, **as_plain(code, whole=True)}
        out.append({**entry, "texts": texts, "rulings": rulings})
    if rule_id := Vocabulary(book.rules).find(name):
        operations = [f"{game.spec.prefix}.{key}" for key, o in game.operations.items() if rule_id in o.rules]
        rule = as_plain(book.rules[rule_id], whole=True)
        rule["ruling"] = _ruling_json(game, rule_id)
        out.append({"kind": "rule", "game": game.key, "name": rule_id, **rule, "judge": operations})
    return out


def _ruling_json(game: Game, rule: str) -> dict[str, Any] | None:
    """What was decided where the author left something open, and the values that each option gives it instead.

    `changed_by` and `values` are the first of these options, and empty where nothing can be chosen.
    """
    ruling, decided = game.rule_book.rules[rule].ruling, decision(game, rule)
    if ruling is None or decided is None:
        return None
    options = {name: list(values) for name, values in decided.options.items()}
    first = next(iter(options), "")
    return {**as_plain(ruling, whole=True), "changed_by": first, "values": options.get(first, []), "options": options}


def find_entries(project: Workspace, words: str, key: str | None) -> list[dict[str, Any]]:
    """What is called so, then the rules and codes of one game, or of all, whose text has all these words.

    Each is as `explain` gives it. The id of a rule asks for that rule alone. Raises UsageError for an unknown game.
    """
    games = [project.game(key)] if key else project.all_games()
    try:
        by_name = explain(project, words, key)
    except UsageError:
        by_name = []
    if any(entry["kind"] == "rule" for entry in by_name):
        return by_name
    search = WordSearch(words)
    names = [(game, name) for game in games for name, rule in game.rule_book.rules.items() if search.fits(rule.text)]
    names += [
        (game, name)
        for game in games
        for name, code in game.rule_book.codes.items()
        if search.fits(f"{name} {code.cause} {code.fix}")
    ]
    entries = (entry for game, name in names for entry in _entries(game, name))
    return [*by_name, *(entry for entry in entries if entry not in by_name)]
