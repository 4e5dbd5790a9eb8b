"""What a game can do: what it has of each kind of part, as `carddb games KEY` tells it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from carddb.core.amounts import amount
from carddb.core.languages import language_of_stem
from carddb.games import Game
from carddb.read.documents.bans import read_bans


def game_summary(game: Game) -> dict[str, Any]:
    """What a game has: cards by type, sizes, how many of its other parts, lists, guides, languages.

    `programmed` are the parts that its `rules.py` computes.
    """
    spec, folder = game.spec, game.folder
    cards = Counter(card.type for card in game.own_cards)
    bans = read_bans(folder.bans_file).log if folder.bans_file else None
    templates = [path.name for path in folder.template_folder.glob("*.svg")]
    own_languages = [tag for path in folder.path.glob("cards.*.csv") if (tag := language_of_stem(path.stem))]
    return {
        "cards": {key: cards[key] for key in spec.types if cards[key]},
        "double_faced": [key for key, kind in spec.types.items() if kind.reverse],
        "sizes": _sizes(game, templates),
        "fields": len(spec.all_fields()),
        "sections": len(spec.sections),
        "limits": len(spec.limits),
        "formats": len(spec.formats),
        "lists": {key: ban_list.title for key, ban_list in bans.lists.items()} if bans else {},
        "options": len(spec.options),
        "decks": len(folder.decks),
        "components": len(spec.components),
        "guides": _guides(game),
        "rules": len(game.rule_book.rules),
        "codes": len(game.rule_book.codes),
        "operations": len(game.operations),
        "odds": len(game.odds),
        "fonts": {family: font.licence for family, font in spec.fonts.items() if not font.stands_in},
        "languages": list(dict.fromkeys((spec.language, *spec.languages, *sorted(own_languages)))),
        "program": game.has_rules,
    }


def _sizes(game: Game, templates: list[str]) -> list[str]:
    """The sizes of its cards: the usual one, those of types, and those that its templates have a layout for."""
    # All that draws, for one game that is looked at; a list of games needs none.
    from carddb.press.faces.face_templates import layout_sizes

    own = [kind.size for kind in game.spec.types.values() if kind.size]
    return list(dict.fromkeys((game.spec.card_size, *own, *layout_sizes(game, templates))))


def _guides(game: Game) -> list[str]:
    """The languages that it has a rule sheet in."""
    files: list[Path] = sorted(game.folder.path.glob("guide.*.md"))
    own = [game.spec.language] if game.folder.guide_file.is_file() else []
    return [*own, *(tag for file in files if (tag := language_of_stem(file.stem)))]


def summary_words(game: Game) -> Iterator[tuple[str, str]]:
    """What a game has, in words: each kind of part with how much there is of it; what it lacks is left out."""
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
