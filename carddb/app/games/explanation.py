"""Information about games: their parts, their rules, and the meaning of codes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from carddb.app.workspace.words import WordSearch
from carddb.app.workspace.workspace import Workspace
from carddb.core.errors import UsageError
from carddb.core.names import Vocabulary, did_you_mean
from carddb.core.plain_text import amount, language_of_stem
from carddb.game.frozen import as_plain
from carddb.games import Game
from carddb.games.opening.spec_reader import shared_codes
from carddb.games.printed_words import decision
from carddb.read.documents.bans import read_bans


def game_summary(game: Game) -> dict[str, Any]:
    """Returns the parts of a game: cards by type, sizes, ban lists, guides, languages, and the number of other parts.

    `programmed` are the parts that its `rules.py` computes.
    """
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
        # The default size, those of card types, and those for which its templates have a layout.
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
    """Yields pairs of a kind of part and its number as text; the text is empty if the game has none."""
    summary, spec = game_summary(game), game.spec
    plurals = {key: kind.plural or spec.label_of(key) for key, kind in spec.types.items()}
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
    yield "program", "rules.py" if summary["program"] else "none, data alone"


ANY_GAME = "any game"
_COUNT = re.compile(r"\s*\([^)]*\)|(\s+of)?\s+\d+\b.*")
"""The part of a heading that is not its term: ` 2 of 5×5` in `Column 2 of 5×5`, ` (40)` in `Deck (40)`."""


def games_json(games: Sequence[Game]) -> dict[str, Any]:
    """Returns what `games --json` shows."""
    return {"schema": "carddb.games/1", "games": [_game_json(game) for game in games]}


def game_json(game: Game) -> dict[str, Any]:
    """Returns what `games KEY --json` shows: as for several games, and what the game has of each kind of part."""
    return {"schema": "carddb.games/1", "games": [{**_game_json(game), "has": game_summary(game)}]}


def explain(project: Workspace, name: str, key: str | None) -> list[dict[str, Any]]:
    """Returns the entries of a code, a rule id or a term of the document, in any spelling, in one game or in all.

    Raises UsageError, suggesting the nearest name, if there is none.
    """
    games = [project.game(key)] if key else project.all_games()
    entries = [entry for game in games for entry in entries_of(game, name)]
    shared = shared_codes()
    if not entries and (code := Vocabulary(shared).find(name)):
        entries = [{"kind": "code", "game": ANY_GAME, "name": code, **as_plain(shared[code], whole=True)}]
    if not entries:
        books = [game.rule_book for game in games]
        names = [each for book in books for part in (book.codes, book.rules, book.terms) for each in part]
        near = did_you_mean(name, [*names, *shared])
        by_words = f"Codes stand in every finding; by words of a rule: carddb explain --search {name}."
        raise UsageError(f"nothing is called {name!r}", near if near.startswith("Did") else by_words)
    return entries


def explain_or_find(project: Workspace, words: str, key: str | None) -> list[dict[str, Any]]:
    """Returns the entries of a code or a rule id, or else the entries whose text contains these words.

    Raises UsageError, suggesting the nearest name, if nothing is found.
    """
    try:
        return explain(project, words, key)
    except UsageError:
        # A text with a digit is meant as an id, so the words of E-14x are not searched for.
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
    """Returns what a game says of a name: of a finding code, of a rule, or of both."""
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
        operations = [f"{game.spec.prefix}.{word}" for word, o in game.operations.items() if key in o.rules]
        rule = as_plain(book.rules[key], whole=True)
        rule["ruling"] = _ruling_json(game, key)
        out.append({"kind": "rule", "game": game.key, "name": key, **rule, "judge": operations})
    return out


def _ruling_json(game: Game, rule: str) -> dict[str, Any] | None:
    """Returns the ruling on a point that the author left open, with the other values that each option allows.

    `changed_by` and `values` are the first of these options and its values; they are empty if nothing can be chosen.
    """
    ruling, decided = game.rule_book.rules[rule].ruling, decision(game, rule)
    if ruling is None or decided is None:
        return None
    options = {name: list(values) for name, values in decided.options.items()}
    first = next(iter(options), "")
    return {**as_plain(ruling, whole=True), "changed_by": first, "values": options.get(first, []), "options": options}


def find_entries(project: Workspace, words: str, key: str | None) -> list[dict[str, Any]]:
    """Returns the entries with the name `words`, then the rules and codes of one game or all games with these words.

    Entries are as in `explain`. For the id of a rule, only that rule is returned. Raises UsageError for an unknown
    game.
    """
    games = [project.game(key)] if key else project.all_games()
    try:
        by_name = explain(project, words, key)
    except UsageError:
        by_name = []
    if any(entry["kind"] == "rule" for entry in by_name):
        return by_name
    search = WordSearch(words)
    names = [
        (game, name)
        for game in games
        for name, rule in game.rule_book.rules.items()
        if search.fits(f"{rule.section} {rule.words}")
    ]
    names += [
        (game, name)
        for game in games
        for name, code in game.rule_book.codes.items()
        if search.fits(f"{name} {code.cause} {code.fix}")
    ]
    entries = (entry for game, name in names for entry in entries_of(game, name))
    return [*by_name, *(entry for entry in entries if entry not in by_name)]
