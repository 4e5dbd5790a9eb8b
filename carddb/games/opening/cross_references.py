"""References between the files of a game (rules, finding codes, cards in ban lists), and the coverage of its rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from carddb.bans.lint import KnownCards, allows_waivers, lint
from carddb.cards.cards import Pool
from carddb.core.groups import grouped
from carddb.core.names import did_you_mean
from carddb.findings import Finding, Place, error
from carddb.game.parts import RULE_MARK
from carddb.games.opening.game import Game
from carddb.games.opening.spec_reader import RULES_FILE, finding_codes, rule_ids, shared_codes
from carddb.read.documents.bans import read_bans

_WORDS = {"face_rules": "card faces", "format_rules": "formats", "bring": "list of components"}
_WORDS |= {"rounds": "rounds of a tournament"}
"""The words in messages for the parts of a game that have no entries with names."""


def codes_unexplained(game: Game) -> list[Finding]:
    """Returns an error for each finding code that the game uses without explaining its cause and its fix."""
    book = {**shared_codes(), **game.rule_book.codes}
    return [
        error(
            "code_unexplained",
            f"the finding code {code} has no cause or no fix",
            Place(str(game.folder.path / RULES_FILE)),
            fix="Write both under codes in the file.",
        )
        for code in sorted({*finding_codes(game.spec), *game.rule_book.codes})
        if code not in book or not (book[code].cause and book[code].fix)
    ]


def unknown_rules(game: Game) -> list[Finding]:
    """Returns an error for each rule that the guide, the data or the program names but the rule book lacks."""
    book = game.rule_book.rules
    unknown: dict[str, Place] = {}
    for rule, place in chain(((rule, Place(text=part)) for rule, part, _ in rule_mentions(game)), _in_guide(game)):
        if rule not in book:
            unknown.setdefault(rule, place)
    return [
        error(
            "rule_unknown",
            f"{RULES_FILE} has no rule {rule}" + (f", to which {place.text!r} refers" if place.text else ""),
            place,
            fix=did_you_mean(rule, book),
        )
        for rule, place in unknown.items()
    ]


def rule_mentions(game: Game) -> Iterator[tuple[str, str, bool]]:
    """Yields each mention of a rule as (id, part of the game that names it, whether that part is printed)."""
    spec, book = game.spec, game.rule_book
    verb, _ = game.folder.table_verb or ("table", "")
    actions = game.table.actions if game.table else {}
    stands_for = game.hook("stands_for")
    places = {
        **{f"{spec.prefix}.{name}": operation.rules for name, operation in game.operations.items()},
        **{f"odds {name}": operation.rules for name, operation in game.odds.items()},
        **{f"{verb} {name.replace('_', '-')}": action.rules for name, action in actions.items()},
    }
    parts = chain(places.items(), book.implements.items(), (stands_for(spec) if stands_for else {}).items())
    yield from ((rule, part, False) for part, rules in parts for rule in rules)
    for path, rule in rule_ids(spec):
        yield rule, _place(spec, path), path[0] in ("components", "bring", "face_rules")
    yield from ((rule, f"code {code}", False) for code, text in book.codes.items() for rule in text.rules)
    yield from ((rule, f"term {term}", False) for term, rules in book.terms.items() for rule in rules)


def _place(spec: Any, path: tuple[str | int, ...]) -> str:
    part = str(path[0])
    if part in _WORDS:
        return _WORDS[part]
    name = spec.limits[path[1]].code if part == "limits" else path[1]
    return f"{part.removesuffix('s')} {name}"


def unknown_options(game: Game) -> list[Finding]:
    """Returns an error for each ruling that names an option that the game does not have."""
    return [
        error(
            "ruling_option_unknown",
            f"the ruling of {key} names the option {rule.ruling.option}, which {game.spec.name} does not have",
            Place(str(game.folder.path / RULES_FILE)),
            fix=did_you_mean(rule.ruling.option, game.spec.options),
        )
        for key, rule in game.rule_book.rules.items()
        if rule.ruling and rule.ruling.option and rule.ruling.option not in game.spec.options
    ]


def _in_guide(game: Game) -> Iterator[tuple[str, Place]]:
    path = game.folder.path / "guide.md"
    lines = game.folder.read(path).decode("utf-8", "replace").splitlines() if path.is_file() else []
    for number, line in enumerate(lines, start=1):
        for mark in RULE_MARK.findall(line):
            yield from ((rule.strip(), Place(str(path), number)) for rule in mark.split(","))


def ban_file_findings(game: Game, path: Path, pool: Pool) -> list[Finding]:
    """Returns the findings about a file of ban lists, also on cards not in `pool` and formats not in the game."""
    read, spec = read_bans(game.folder.source(path)), game.spec
    waivers = allows_waivers(spec.readings)
    cards = KnownCards({card.ref for card in pool}, read.places, spec.all_fields(), spec.formats, waivers)
    return [*read.findings, *lint(read.log, cards)]


@dataclass(frozen=True, slots=True)
class Coverage:
    """The coverage of a rule: its tags, the parts of the game that check or compute it, and the parts that print it."""

    rule: str
    tags: tuple[str, ...]
    checked: tuple[str, ...]
    printed: tuple[str, ...]

    @property
    def missing(self) -> tuple[str, ...]:
        """The tags of the rule for which no part of the game covers it; never `H`, for which people do."""
        places = {"S": self.checked, "P": self.printed, "H": ("people",)}
        return tuple(tag for tag in self.tags if not places[tag])


def coverage(game: Game, guide_rules: Iterable[str] = ()) -> list[Coverage]:
    """Returns the coverage of every rule in the rule book; `guide_rules` are those on the game's rule sheet."""
    on_sheet = ((rule, "rule sheet", True) for rule in guide_rules)
    mentions = grouped(((rule, printed), place) for rule, place, printed in chain(rule_mentions(game), on_sheet))
    places = {key: tuple(dict.fromkeys(listed)) for key, listed in mentions.items()}
    return [
        Coverage(name, (rule.tag, *rule.also), places.get((name, False), ()), places.get((name, True), ()))
        for name, rule in game.rule_book.rules.items()
    ]


def counts(rows: list[Coverage]) -> dict[str, dict[str, int]]:
    """Returns, for each tag, the number of its `rules`, and how many no part of the game covers (`missing`)."""
    every = Counter(tag for row in rows for tag in row.tags)
    missing = Counter(tag for row in rows for tag in row.missing)
    return {tag: {"rules": every[tag], "missing": missing[tag]} for tag in ("S", "P", "H")}


def gaps(game: Game) -> list[str]:
    """Returns the parts that a game lacks, each as a text that ends with the file or key where the part belongs."""
    spec, folder = game.spec, game.folder
    faceless = [kind.label or key for key, kind in spec.types.items() if not kind.face and not game.has_rules]
    has = {
        "types of cards: types in game.yaml": spec.types,
        "cards: cards.csv": game.own_cards,
        f"faces of {', '.join(faceless)}: face of the type in game.yaml, and its file in templates": not faceless,
        "parts of a deck: sections in game.yaml": spec.sections,
        "limits of a deck: limits in game.yaml": spec.limits or game.has_rules,
        "a deck: a file in decks": folder.decks,
        f"rules and what codes mean: {RULES_FILE}": (folder.path / RULES_FILE).is_file(),
        "a rule sheet: guide.md": folder.guide_file.is_file(),
    }
    return [part for part, there in has.items() if not there]
