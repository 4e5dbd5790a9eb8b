"""What is to be printed: deck files, references, or one query."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from carddb.errors import InputError, UsageError
from carddb.findings import Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from carddb.cards import Card
    from carddb.cli.session import Session
    from carddb.games import Game

_MOST_CARDS = 200_000
_SUFFIX = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,7}")


class Terms(NamedTuple):
    """By what a deck is judged: the format, editions and options of the command line."""

    format_: str | None = None
    editions: tuple[str, ...] = ()
    options: tuple[str, ...] = ()


class Selected(NamedTuple):
    """Cards with their copies, a title, how the decks were judged, and by reference where cards stand in them."""

    game: Game
    copies: list[tuple[Card, int]]
    title: str
    found: list[Finding]
    sections: dict[str, str]


def select(session: Session, selection: Sequence[str], key: str | None, on: date, terms: Terms) -> Selected:
    """What deck files, references and one query name."""
    if terms != Terms() and not any(map(is_deck_file, selection)):
        raise UsageError("only a deck is judged", "Leave --format, --edition and --option out, or name a deck file.")
    copies: list[tuple[Card, int]] = []
    found: list[Finding] = []
    words: list[str] = []
    titles: list[str] = []
    games: list[Game] = []
    sections: dict[str, str] = {}
    for argument in selection:
        if is_deck_file(argument):
            game, cards, title, faults, places = _from_deck(session, argument, key, on, terms)
            found.extend(faults)
            sections |= places
        else:
            hit = _by_reference(session, argument, key, on)
            if hit is None:
                words.append(argument)
                continue
            game, cards, title = hit[0], [(hit[1], 1)], hit[1].name
        games.append(game)
        copies.extend(cards)
        titles.append(title)
    if words:
        from carddb.cli.lookup import search

        query = " ".join(words)
        hits = search(session, query, key, on)
        copies.extend((card, 1) for card in hits)
        games.extend(map(session.game, dict.fromkeys(card.game for card in hits)))
        titles.append(query)
    total = sum(count for _, count in copies)
    if total > _MOST_CARDS:
        raise UsageError(
            f"{total:,} cards were chosen, and at most {_MOST_CARDS:,} are printed at once", "Print in parts."
        )
    keys = {game.key for game in games}
    if len(keys) > 1:
        raise UsageError(
            "the selection holds cards of several games", f"Name one with --game: {', '.join(sorted(keys))}."
        )
    game = games[0] if games else session.all_games()[0]
    return Selected(game, copies, ", ".join(titles), found, sections)


def stamp_of(found: Sequence[Finding], on: date) -> str:
    """`NOT LEGAL on 2026-06-20: Maharbal: 6 copies, at most 5 of a common card (E-21), and 2 more`; empty if legal."""
    faults = [finding for finding in found if finding.severity is Severity.ERROR]
    if not faults:
        return ""
    first, more = faults[0], len(faults) - 1
    rules = f" ({', '.join(first.rules)})" if first.rules else ""
    return f"NOT LEGAL on {on.isoformat()}: {first.message}{rules}" + (f", and {more} more" if more else "")


def is_deck_file(argument: str) -> bool:
    """Whether a selection names a file: it exists, is `-`, or has a path separator or a suffix."""
    path = Path(argument)
    if argument == "-" or "/" in argument or "\\" in argument or _SUFFIX.fullmatch(path.suffix):
        return True
    try:
        return path.is_file()
    except OSError:
        return False


def _from_deck(session: Session, argument: str, key: str | None, on: date, terms: Terms) -> Selected:
    from carddb.cli.judging import judge

    path = Path(argument)
    if argument != "-" and not path.is_file():
        raise InputError(f"there is no deck file {argument}", "A query must not look like a file name.")
    game, judged, _ = judge(session, path, key, terms.format_, on, terms.editions, terms.options)
    deck = judged.deck
    cards = [(entry.card, entry.count) for entry in deck.entries if entry.card]
    labels = {name: section.label or name for name, section in game.spec.sections.items()}
    sections = {entry.ref: labels.get(entry.section, entry.section) for entry in reversed(deck.entries)}
    found = [finding for finding in judged.findings if finding.severity is not Severity.INFO]
    return Selected(game, cards, deck.name or path.stem, found, sections)


def _by_reference(session: Session, ref: str, key: str | None, on: date) -> tuple[Game, Card] | None:
    with session.catalog() as catalog:
        hits = [(game, card) for game in session.games_meant(key) if (card := catalog.card(game.spec, ref, day=on))]
    return hits[0] if hits else None
