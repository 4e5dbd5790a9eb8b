"""Looking cards up: search, one card, its history."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import date
from typing import Any

from carddb.app.cards.table import Column
from carddb.app.cards.words import cards_in_language, notify_lacking
from carddb.app.workspace.clock import today
from carddb.app.workspace.workspace import Workspace
from carddb.cards.cards import Card
from carddb.cards.query import Query
from carddb.catalog.revisions import Revision
from carddb.catalog.store import Catalog
from carddb.core.errors import QueryError, UsageError
from carddb.core.names import did_you_mean
from carddb.games import Game


def search(project: Workspace, query: str, key: str | None, on: date | None, lang: str = "") -> list[Card]:
    """The cards of one game, or of every game whose fields the query fits. Raises QueryError where it fits none.

    A query that names a game with `game:` finds its cards in the folder of another game's project too. With `lang` the
    query is about the cards in that language; a notice says what has no words in it.
    """
    searched = project.searched_games(key)
    mentioned = "game" in query.casefold()
    faults: list[tuple[Game, QueryError]] = []
    queries: list[tuple[Game, Query]] = []
    for game in _games(project, key) if mentioned else searched:
        try:
            parsed = game.spec.query(query)
        except QueryError as fault:
            faults.append((game, fault))
            continue
        if game in searched or "game" in parsed.fields():
            queries.append((game, parsed))
    if faults and not queries:
        raise _nearest_fault(query, faults, searched)
    with project.catalog() as catalog:
        return [card for game, parsed in queries for card in _hits(project, catalog, game, parsed, on or today(), lang)]


def _hits(project: Workspace, catalog: Catalog, game: Game, query: Query, day: date, lang: str) -> list[Card]:
    cards = catalog.search(game.spec, query, day=day, lang=lang)
    if game.spec.is_foreign(lang):
        notify_lacking(project, game.spec, cards, catalog.translations(game.spec, lang, day=day), lang)
    return cards


def _nearest_fault(query: str, faults: Sequence[tuple[Game, QueryError]], searched: Collection[Game]) -> QueryError:
    """The fault that comes last, of a game that the query names, else of one that is searched."""
    of_game = [fault for game, fault in faults if game.key in query.casefold()]
    return max(of_game or [fault for game, fault in faults if game in searched], key=lambda fault: fault.position)


def find(project: Workspace, ref: str, key: str | None, on: date | None, lang: str = "") -> tuple[Game, Card]:
    """The card with a reference, and its game, both in a language as far as they have words in it.

    Raises UsageError where no game has it, or several.
    """
    with project.catalog() as catalog:
        game, card = _find(project, catalog, ref, key, on or today())
    return game.in_language(lang), cards_in_language(project, game, [card], lang, on)[0]


def by_reference(project: Workspace, ref: str, key: str | None, on: date) -> tuple[Game, Card] | None:
    """The card with a reference in the games that are searched; None where none has it."""
    with project.catalog() as catalog:
        games = project.searched_games(key)
        return next(((game, card) for game in games if (card := catalog.card(game.spec, ref, day=on))), None)


def history(project: Workspace, ref: str, key: str | None, lang: str = "") -> tuple[Game, list[Revision]]:
    """The revisions of what is or was a card, or of its words in `lang`, and its game. Raises UsageError."""
    with project.catalog() as catalog:
        games = _games(project, key)
        hits = {
            game.key: (game, revisions) for game in games if (revisions := _revisions(catalog, game.key, ref, lang))
        }
        _refuse_several(ref, hits)
        for hit in hits.values():
            return hit
        game, card = _find(project, catalog, ref, key, today())
    if lang:
        raise UsageError(f"{card.ref} of {game.spec.name} has no words in {lang}", "Load some: carddb load --lang.")
    raise UsageError(f"no card has the reference {ref!r}")


def _revisions(catalog: Catalog, game: str, ref: str, lang: str) -> list[Revision]:
    """The revisions of the card with a reference, or else with a printing of this code."""
    return catalog.history(game, ref, lang) or catalog.history(game, catalog.reference_of(game, ref) or ref, lang)


def cards_json(cards: Iterable[Card], columns: Sequence[Column] = ()) -> dict[str, Any]:
    """The shape of `cards --json`: every field of the cards, or only those of the columns."""
    return {"schema": "carddb.cards/1", "cards": [_card_json(card, columns) for card in cards]}


def _card_json(card: Card, columns: Sequence[Column]) -> dict[str, Any]:
    head = {"game": card.game, "ref": card.ref}
    if not columns:
        return {**head, **card.values}
    values = {column.names.get(card.game, column.name): column.value(card) for column in columns}
    return {**head, **{name: value for name, value in values.items() if value is not None}}


def card_json(card: Card) -> dict[str, Any]:
    """The shape of `show --json`."""
    head = {"schema": "carddb.card/1", "game": card.game, "ref": card.ref}
    printings = [printing.to_json() for printing in card.printings]
    also = {"printings": printings, "translated_names": list(card.translated_names)}
    return {
        **head,
        **card.values,
        "aliases": list(card.aliases),
        **{key: value for key, value in also.items() if value},
    }


def history_json(game: Game, ref: str, revisions: Iterable[Revision]) -> dict[str, Any]:
    """The shape of `history --json`."""
    return {"schema": "carddb.history/1", "game": game.key, "ref": ref, "revisions": [r.to_json() for r in revisions]}


def _find(project: Workspace, catalog: Catalog, ref: str, key: str | None, on: date) -> tuple[Game, Card]:
    games = _games(project, key)
    hits = {game.key: (game, card) for game in games if (card := catalog.card(game.spec, ref, day=on))}
    _refuse_several(ref, hits)
    for hit in hits.values():
        return hit
    pools = [(game, catalog.pool(game.spec, day=on)) for game in games]
    folded = {game.key: (game, card) for game, pool in pools if (card := pool.by_reference(ref))}
    _refuse_several(ref, folded)
    for hit in folded.values():
        return hit
    near = did_you_mean(ref, [card.ref for _, pool in pools for card in pool])
    remedy = near if near.startswith("Did") else "Search with `carddb cards`."
    raise UsageError(f"no card has the reference {ref!r}", remedy)


def _games(project: Workspace, key: str | None) -> list[Game]:
    return [project.game(key)] if key else project.all_games()


def _refuse_several(ref: str, games: Collection[str]) -> None:
    if len(games) > 1:
        raise UsageError(f"{ref} is a card of several games", f"Name one with --game: {', '.join(games)}.")
