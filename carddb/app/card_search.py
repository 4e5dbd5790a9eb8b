"""Looking cards up: search, one card, its history."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import date
from typing import TYPE_CHECKING, Any

from carddb.app.clock import today
from carddb.errors import QueryError, UsageError
from carddb.names import did_you_mean

if TYPE_CHECKING:
    from carddb.app.project import Project
    from carddb.cards import Card
    from carddb.catalog.revisions import Revision
    from carddb.catalog.store import Catalog
    from carddb.games import Game


def search(project: Project, query: str, key: str | None, on: date | None) -> list[Card]:
    """The cards of one game, or of every game whose fields the query fits. Raises QueryError where it fits none."""
    from carddb.query import parse

    games = project.searched_games(key)
    faults: list[QueryError] = []
    cards: list[Card] = []
    with project.catalog() as catalog:
        for game in games:
            try:
                parsed = parse(query, game.spec.query_fields())
            except QueryError as fault:
                faults.append(fault)
                continue
            cards.extend(catalog.search(game.spec, parsed, day=on or today()))
    if faults and len(faults) == len(games):
        raise max(faults, key=lambda fault: fault.position)
    return cards


def find(project: Project, ref: str, key: str | None, on: date | None) -> tuple[Game, Card]:
    """The card with a reference, and its game. Raises UsageError where no game has it, or several."""
    with project.catalog() as catalog:
        return _find(project, catalog, ref, key, on or today())


def by_reference(project: Project, ref: str, key: str | None, on: date) -> tuple[Game, Card] | None:
    """The card with a reference in the games that are searched; None where none has it."""
    with project.catalog() as catalog:
        games = project.searched_games(key)
        return next(((game, card) for game in games if (card := catalog.card(game.spec, ref, day=on))), None)


def history(project: Project, ref: str, key: str | None) -> tuple[Game, list[Revision]]:
    """The revisions of what is or was a card, and its game. Raises UsageError."""
    with project.catalog() as catalog:
        games = _games(project, key)
        hits = {game.key: (game, revisions) for game in games if (revisions := catalog.history(game.key, ref))}
        _refuse_several(ref, hits)
        for hit in hits.values():
            return hit
        _find(project, catalog, ref, key, today())
    raise UsageError(f"no card has the reference {ref!r}")


def cards_json(cards: Iterable[Card]) -> dict[str, Any]:
    """The shape of `cards --json`."""
    return {"schema": "carddb.cards/1", "cards": [{"game": c.game, "ref": c.ref, **c.values} for c in cards]}


def card_json(card: Card) -> dict[str, Any]:
    """The shape of `show --json`."""
    head = {"schema": "carddb.card/1", "game": card.game, "ref": card.ref}
    return {**head, **card.values, "aliases": list(card.aliases)}


def history_json(game: Game, ref: str, revisions: Iterable[Revision]) -> dict[str, Any]:
    """The shape of `history --json`."""
    return {"schema": "carddb.history/1", "game": game.key, "ref": ref, "revisions": [r.to_json() for r in revisions]}


def _find(project: Project, catalog: Catalog, ref: str, key: str | None, on: date) -> tuple[Game, Card]:
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


def _games(project: Project, key: str | None) -> list[Game]:
    return [project.game(key)] if key else project.all_games()


def _refuse_several(ref: str, games: Collection[str]) -> None:
    if len(games) > 1:
        raise UsageError(f"{ref} is a card of several games", f"Name one with --game: {', '.join(games)}.")
