"""Commands that find cards: `cards`, `show`, `history`, `export`."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import click

from carddb.app.cards import search
from carddb.app.cards.gallery import field_words, shown_fields
from carddb.app.workspace.words import printing_words
from carddb.cli import options
from carddb.cli import show as display
from carddb.cli.session import Session
from carddb.core.names import capital
from carddb.core.plain_text import amount

_WIDEST = 40
"""The most characters of a cell that the table of cards shows."""


@options.verb(cls=options.QueryCommand)
@options.query_argument()
@options.game_option("One game only.")
@options.LANG
@options.CARDS_DAY
@click.option("--sort", "order", metavar="FIELDS", default="", help="The fields to sort by, as in `rarity,-strength`.")
@click.option("--columns", "columns", metavar="FIELDS", default="", help="The columns, as in `name,strength,life`.")
@options.json_option
def cards(
    session: Session,
    query: tuple[str, ...],
    key: str | None,
    lang: str,
    day: date | None,
    order: str,
    columns: str,
    json_: bool,
) -> int:
    """Search the catalogue: `carddb cards 'type:soldier strength>=6 -rarity:rare'`.

    Words are searched in the name and every text. A field is followed by : (contains, or equals a number or choice), =
    (exactly), != < <= > or >=. Commas separate alternative values, and `none` means that the field is absent. A minus
    excludes, `or` and brackets combine conditions, quotes keep words together.
    """
    project, words = session.project, " ".join(query)
    hits = search.search(project, words, key, day, lang)
    keys = dict.fromkeys(card.game for card in hits) or [game.key for game in project.searched_games(key)]
    specs = [project.game(each).spec for each in keys]
    hits = search.sorted_cards(hits, specs, order)
    shown = search.columns(hits, specs, columns)
    if json_:
        display.as_json(search.cards_json(hits, shown if columns else ()))
    else:
        of_game = {spec.key: spec for spec in specs}
        cells = ((field_words(of_game[card.game], card, *column.of(card))[1] for column in shown) for card in hits)
        rows = [[display.one_line(words, _WIDEST) for words in row] for row in cells]
        display.table([column.name for column in shown], rows)
        session.say(amount(len(hits), "card"))
    if not hits and not json_:
        if near := search.near_query(project, words, key, day):
            session.say(f"Did you mean {near[0]}? ({amount(near[1], 'card')})")
        else:
            session.say("To show a card by its reference, use carddb show REF.")
    return 0 if hits else 1


@options.verb()
@click.argument("ref")
@options.REF_GAME
@options.LANG
@click.option("--on", "day", type=options.DAY, help="The card as of this day (default: today).")
@options.json_option
def show(session: Session, ref: str, key: str | None, lang: str, day: date | None, json_: bool) -> None:
    """Show one card with all its fields."""
    game, card = search.find(session.project, ref, key, day, lang)
    if json_:
        return display.as_json(search.card_json(card))
    display.echo(
        display.style(f"{card.name} [{card.ref}]", bold=True) + f"  {game.spec.name}, {game.spec.kind_of(card)}"
    )
    rows = [(capital(label), str(value)) for label, value in shown_fields(game.spec, card, whole=True)]
    for word, names in (("Formerly", card.aliases), ("Translated", card.translated_names)):
        rows += [(word, ", ".join(names))] if names else []
    display.labelled([*rows, *(("Printed", printing_words(printing)) for printing in card.printings)])


@options.verb()
@click.argument("ref")
@options.REF_GAME
@options.lang_option("Show the history of its translations into this language.")
@options.json_option
def history(session: Session, ref: str, key: str | None, lang: str, json_: bool) -> None:
    """Show the history of a card: who changed what, when, from which file, and from which day it applies."""
    game, revisions = search.history(session.project, ref, key, lang)
    if json_:
        about = {"schema": "carddb.history/1", "game": game.key, "ref": ref}
        return display.as_json({**about, "revisions": [revision.to_json() for revision in revisions]})
    for revision in revisions:
        since = revision.in_force_from or "always"
        display.echo(
            display.style(f"{since}: {revision.kind}", bold=True)
            + f"  by {revision.author} from {revision.source}, {revision.recorded_at:%Y-%m-%d %H:%M} UTC"
        )
        for name, (old, new) in revision.changes.items() if revision.kind != "added" else ():
            display.echo(f"    {name}: {display.one_line(old)} -> {display.one_line(new)}")


@options.verb(cls=options.QueryCommand)
@options.query_argument()
@display.output_option("The file: .csv, .tsv, .xlsx, .json or .yaml; - for standard output.")
@options.game_option()
@click.option("--format", "format_", metavar="F", help="The format, if the file name does not show it.")
@options.CARDS_DAY
@click.option("--printings", is_flag=True, help="Write the printings of the cards instead of the cards.")
@options.lang_option("Write the texts with their translations into this language, to be completed; also as .po.")
def export(
    session: Session,
    query: tuple[str, ...],
    output: Path,
    key: str | None,
    format_: str | None,
    day: date | None,
    printings: bool,
    lang: str,
) -> int:
    """Write cards to a file. If the file is loaded again unchanged, no card changes."""
    kind = format_ or output.suffix.lower().removeprefix(".") or "csv"
    data, count = search.export_cards(session.project, " ".join(query), kind, key, day, printings=printings, lang=lang)
    if not count:
        session.say("no card matches the query, and nothing was written")
        return 1
    session.write(output, data)
    session.say(f"{output}: {amount(count)}")
    return 0
