"""Looking cards up: search, one card, its history."""

from __future__ import annotations

from datetime import date

import click

from carddb.app import card_search
from carddb.app.words import amount
from carddb.cli import show as display
from carddb.cli.arguments import QueryCommand, query_argument
from carddb.cli.day import DAY
from carddb.cli.session import Session


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
    hits = card_search.search(session.project, " ".join(query), key, day)
    if json_:
        display.as_json(card_search.cards_json(hits))
    else:
        rows = [(c.ref, c.name, c.type, c.get("rarity", ""), c.set) for c in hits]
        display.table(("ref", "name", "type", "rarity", "set"), rows)
        session.say(amount(len(hits), "card"))
    if not hits and not json_:
        session.say("For one card by its reference: carddb show REF.")
    return 0 if hits else 1


@click.command()
@click.argument("ref")
@click.option("--game", "key", metavar="G", help="The game, where several have the reference.")
@click.option("--on", "day", type=DAY, help="The card as it stood on this day (default: today).")
@click.option("--json", "json_", is_flag=True, help="As JSON.")
@click.pass_obj
def show(session: Session, ref: str, key: str | None, day: date | None, json_: bool) -> int:
    """Show one card with all its fields."""
    game, card = card_search.find(session.project, ref, key, day)
    if json_:
        display.as_json(card_search.card_json(card))
        return 0
    display.echo(
        display.style(f"{card.name} [{card.ref}]", bold=True) + f"  {game.spec.name}, {game.spec.label_of(card.type)}"
    )
    fields = game.spec.fields_of(card.type)
    for name in game.spec.all_fields():
        is_default = name in fields and card.get(name) == fields[name].default
        if name in ("ref", "name", "type") or card.get(name) is None or is_default:
            continue
        value = display.plain(card.get(name)).replace("\n", "\n" + " " * 18)
        display.echo(f"  {name:<15} {value}")
    if card.aliases:
        display.echo(f"  {'formerly':<15} {', '.join(card.aliases)}")
    return 0


@click.command()
@click.argument("ref")
@click.option("--game", "key", metavar="G", help="The game, where several have the reference.")
@click.option("--json", "json_", is_flag=True, help="As JSON.")
@click.pass_obj
def history(session: Session, ref: str, key: str | None, json_: bool) -> int:
    """Show who changed what of a card, when, from which file, in force from which day."""
    game, revisions = card_search.history(session.project, ref, key)
    if json_:
        display.as_json(card_search.history_json(game, ref, revisions))
        return 0
    for revision in revisions:
        since = revision.in_force_from or "always"
        display.echo(
            display.style(f"{since}: {revision.kind}", bold=True)
            + f"  by {revision.author} from {revision.source}, {revision.recorded_at:%Y-%m-%d %H:%M} UTC"
        )
        for name, (old, new) in revision.changes.items():
            if revision.kind == "added":
                continue
            display.echo(f"    {name}: {display.one_line(old)} -> {display.one_line(new)}")
    return 0
