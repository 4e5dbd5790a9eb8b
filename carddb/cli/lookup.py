"""Looking cards up: search, one card, its history."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import click

from carddb.cli import show as display
from carddb.cli.arguments import QueryCommand, query_argument
from carddb.cli.clock import DAY, today
from carddb.cli.session import Session
from carddb.errors import QueryError, UsageError
from carddb.names import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Collection

    from carddb.cards import Card
    from carddb.catalog.store import Catalog, Revision
    from carddb.games import Game


@click.command(cls=QueryCommand)
@query_argument()
@click.option("--game", "key", metavar="G", help="One game only.")
@click.option("--on", "day", type=DAY, help="The cards as they stood on this day (default: today).")
@click.option("--json", "json_", is_flag=True, help="As JSON.")
@click.pass_obj
def cards(session: Session, query: tuple[str, ...], key: str | None, day: date | None, json_: bool) -> int:
    """Search the catalogue: `carddb cards 'type:soldier strength>=6 -rarity:rare'`.

    Words search name and text. A field takes : (contains, or equal for numbers and choices), = (exactly), != < <= >
    >=; commas mean any of, `none` means absent. A minus excludes, `or` and brackets join, quotes keep words together.
    """
    found = search(session, " ".join(query), key, day or today())
    if json_:
        display.as_json(
            {"schema": "carddb.cards/1", "cards": [{"game": c.game, "ref": c.ref, **c.values} for c in found]}
        )
    else:
        rows = [(c.ref, c.name, c.type, c.get("rarity", ""), c.set) for c in found]
        display.table(("ref", "name", "type", "rarity", "set"), rows)
        session.say(f"{len(found)} card{'' if len(found) == 1 else 's'}")
    if not found and not json_:
        session.say("For one card by its reference: carddb show REF.")
    return 0 if found else 1


def search(session: Session, text: str, key: str | None, day: date) -> list[Card]:
    """The cards of one game, or of every game whose fields the query fits. Raises QueryError where it fits none."""
    from carddb.query import parse

    games = session.games_meant(key)
    faults: list[QueryError] = []
    found: list[Card] = []
    with session.catalog() as catalog:
        for game in games:
            try:
                wanted = parse(text, game.spec.all_fields())
            except QueryError as fault:
                faults.append(fault)
                continue
            found.extend(catalog.search(game.spec, wanted, day=day))
    if faults and len(faults) == len(games):
        raise max(faults, key=lambda fault: fault.position)
    return found


def find(session: Session, catalog: Catalog, ref: str, key: str | None, day: date) -> tuple[Game, Card]:
    """The card with a reference in any game. Raises UsageError where it is in none, or in several."""
    games = _games(session, key)
    hits = {game.key: (game, card) for game in games if (card := catalog.card(game.spec, ref, day=day))}
    _refuse_several(ref, hits)
    for hit in hits.values():
        return hit
    refs = [card.ref for game in games for card in catalog.pool(game.spec, day=day)]
    near = did_you_mean(ref, refs)
    raise UsageError(
        f"no card has the reference {ref!r}", near if near.startswith("Did") else "Search with `carddb cards`."
    )


@click.command()
@click.argument("ref")
@click.option("--game", "key", metavar="G", help="The game, where several have the reference.")
@click.option("--on", "day", type=DAY, help="The card as it stood on this day (default: today).")
@click.option("--json", "json_", is_flag=True, help="As JSON.")
@click.pass_obj
def show(session: Session, ref: str, key: str | None, day: date | None, json_: bool) -> int:
    """Show one card with all its fields."""
    with session.catalog() as catalog:
        game, card = find(session, catalog, ref, key, day or today())
    if json_:
        display.as_json(
            {
                "schema": "carddb.card/1",
                "game": card.game,
                "ref": card.ref,
                **card.values,
                "aliases": list(card.aliases),
            }
        )
        return 0
    click.echo(
        click.style(f"{card.name} [{card.ref}]", bold=True) + f"  {game.spec.name}, {game.spec.label_of(card.type)}"
    )
    own = game.spec.fields_of(card.type)
    for name in game.spec.all_fields():
        as_ever = name in own and card.get(name) == own[name].default
        if name in ("ref", "name", "type") or card.get(name) is None or as_ever:
            continue
        value = display.plain(card.get(name)).replace("\n", "\n" + " " * 18)
        click.echo(f"  {name:<15} {value}")
    if card.aliases:
        click.echo(f"  {'formerly':<15} {', '.join(card.aliases)}")
    return 0


@click.command()
@click.argument("ref")
@click.option("--game", "key", metavar="G", help="The game, where several have the reference.")
@click.option("--json", "json_", is_flag=True, help="As JSON.")
@click.pass_obj
def history(session: Session, ref: str, key: str | None, json_: bool) -> int:
    """Show who changed what of a card, when, from which file, in force from which day."""
    with session.catalog() as catalog:
        game, revisions = _ever(session, catalog, ref, key)
    if json_:
        display.as_json(
            {"schema": "carddb.history/1", "game": game.key, "ref": ref, "revisions": [r.to_json() for r in revisions]}
        )
        return 0
    for revision in revisions:
        since = revision.in_force_from or "always"
        click.echo(
            click.style(f"{since}: {revision.kind}", bold=True)
            + f"  by {revision.author} from {revision.source}, {revision.recorded_at:%Y-%m-%d %H:%M} UTC"
        )
        for name, (old, new) in revision.changes.items():
            if revision.kind == "added":
                continue
            click.echo(f"    {name}: {display.one_line(old)} -> {display.one_line(new)}")
    return 0


def _ever(session: Session, catalog: Catalog, ref: str, key: str | None) -> tuple[Game, list[Revision]]:
    """The game in which a reference is or was a card, with its history. Raises UsageError."""
    histories = {game.key: (game, catalog.history(game.key, ref)) for game in _games(session, key)}
    hits = {name: hit for name, hit in histories.items() if hit[1]}
    _refuse_several(ref, hits)
    for hit in hits.values():
        return hit
    find(session, catalog, ref, key, today())
    raise UsageError(f"no card has the reference {ref!r}")


def _games(session: Session, key: str | None) -> list[Game]:
    return [session.game(key)] if key else session.all_games()


def _refuse_several(ref: str, games: Collection[str]) -> None:
    if len(games) > 1:
        raise UsageError(f"{ref} is a card of several games", f"Name one with --game: {', '.join(games)}.")
