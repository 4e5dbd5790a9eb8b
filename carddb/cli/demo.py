"""The main job on bundled data, from a catalogue to printed sheets."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from carddb.cli import show
from carddb.cli.clock import creation
from carddb.cli.session import Session
from carddb.findings import Severity

if TYPE_CHECKING:
    from carddb.deck.context import Context
    from carddb.games import Game
    from carddb.press.decklist_text import CheckedDeck
    from carddb.press.workshop import Workshop

GAME = "empires-and-generals"
_PICTURES = 6

Row = tuple[str, str, str]
"""Of the last table: a file, what it is, and how to use it."""


@click.command()
@click.option(
    "--output",
    default=Path("output"),
    type=click.Path(path_type=Path, file_okay=False),
    show_default=True,
    metavar="DIR",
    help="Where the files go.",
)
@click.pass_obj
def demo(session: Session, output: Path) -> int:
    """Do the main job on sample data: load, check a legal and an illegal deck, print sheets, cards, lists and rules."""
    game = session.game(GAME)
    session.named_catalog = session.named_catalog or output / "demo.db"
    made: list[Row] = []
    with show.progress("making the catalogue", session.quiet) as step:
        legal, illegal = _decks(session, game, output)
        cards = _catalogue(session)
        step("checking two decks")
        judged, context = _check(session, game, legal)
        _check(session, game, illegal)
        what = f"catalogue with {cards} sample cards"
        made += [
            (str(session.named_catalog), what, "carddb --catalog FILE cards 'type:general'"),
            (str(legal), "a legal deck", "carddb check FILE"),
            (str(illegal), "a deck that is not legal", "carddb check FILE"),
            *_print(session, game, judged, context, output, step),
        ]
    click.echo("")
    show.table(("file", "what it is", "how to use or print it"), made)
    return 0


def _catalogue(session: Session) -> int:
    """A fresh catalogue with the sample set."""
    from carddb.catalog.store import Catalog
    from carddb.cli.samples import load_samples

    with Catalog.open(session.catalog_path, must_exist=False) as catalog:
        return load_samples(session, catalog, GAME)


def _decks(session: Session, game: Game, output: Path) -> tuple[Path, Path]:
    legal, illegal = output / "legal.deck", output / "illegal.deck"
    for path in (legal, illegal):
        session.write(path, (game.folder.path / "decks" / "demo" / path.name).read_bytes())
    return legal, illegal


def _check(session: Session, game: Game, path: Path) -> tuple[CheckedDeck, Context]:
    from carddb.cli.judging import judge, sentence

    _, judged, context = judge(session, path, GAME, None, None, (), ())
    click.echo(click.style(f"\ncarddb check {path}", bold=True))
    least = Severity.INFO if session.verbose else Severity.WARNING
    show.findings(judged.findings, least=least)
    click.echo(sentence(game, judged))
    return judged, context


def _print(
    session: Session, game: Game, judged: CheckedDeck, context: Context, output: Path, step: show.Step
) -> list[Row]:
    """Sheets, reference cards, deck list, rule sheet and a few pictures; a row of the last table for each."""
    from carddb.press.workshop import open_workshop

    workshop = open_workshop(game)
    rows = list(_sheets(session, workshop, judged, output, step))
    step("drawing the reference cards")
    rows.append(_references(session, workshop, judged, output / "reference-cards.pdf"))
    step("writing the deck list and the rule sheet")
    rows += _documents(session, game, judged, context, output)
    step("drawing pictures of cards")
    rows.append(_pictures(workshop, judged, output / "cards"))
    return rows


def _sheets(session: Session, workshop: Workshop, judged: CheckedDeck, output: Path, step: show.Step) -> Iterator[Row]:
    from carddb.press.sheet_options import SheetOptions
    from carddb.press.sheets import print_cards

    deck = judged.deck
    copies = [(entry.card, entry.count) for entry in deck.entries if entry.card]
    for name, stock, how in (
        ("sheets.pdf", "plain", "Letter, 100 %, both sides, flip on the long edge; cut at the marks"),
        ("sheets-avery-5388.pdf", "avery-5388", "Avery 5388 cards, 100 %, both sides, flip on the long edge"),
    ):
        step(f"drawing {name}")
        options = SheetOptions(stock=stock, creation=creation(judged.on))
        printed = print_cards(workshop, copies, options, f"{workshop.game.spec.name}: {deck.name}", deck.name)
        session.write(output / name, printed.data)
        yield str(output / name), f"{printed.cards} cards on {printed.sheets} sheets", how


def _references(session: Session, workshop: Workshop, judged: CheckedDeck, path: Path) -> Row:
    from carddb.press.components import deck_facts, print_components
    from carddb.press.sheet_options import SheetOptions

    spec = workshop.game.spec
    names = [key for key, component in spec.components.items() if component.reference]
    options = SheetOptions(creation=creation(judged.on))
    printed = print_components(workshop, names, options, 1, deck_facts(judged.deck, spec))
    session.write(path, printed.data)
    return str(path), f"{printed.cards} reference cards", "Letter, 100 %, one side; a set for each player"


def _documents(session: Session, game: Game, judged: CheckedDeck, context: Context, output: Path) -> list[Row]:
    from carddb.cli.decks import list_bytes
    from carddb.press.guide import print_guide, read_guide

    decklist, rules = output / "decklist.pdf", output / "rules.pdf"
    session.write(decklist, list_bytes(game, judged, context, "pdf", "letter")[0])
    session.write(rules, print_guide(game, read_guide(game, "en"), "pdf", "letter", creation(judged.on)).data)
    return [
        (str(decklist), "the validated deck list", "Letter, 100 %; for the neighbour who checks it"),
        (str(rules), "the rule sheet", "Letter, both sides"),
    ]


def _pictures(workshop: Workshop, judged: CheckedDeck, folder: Path) -> Row:
    from carddb.press.card_pictures import Pages, card_pngs
    from carddb.press.card_sheets import face_bank
    from carddb.press.sheet_options import SheetOptions
    from carddb.press.worker_pool import worker_pool

    cards = [entry.card for entry in judged.deck.entries if entry.card]
    some = cards[:: max(1, len(cards) // _PICTURES)][:_PICTURES]
    with worker_pool(0) as alone:
        card_pngs(Pages(face_bank(workshop, SheetOptions()), 200), some, folder, alone)
    return str(folder), f"{len(some)} pictures of cards", "to look at or to send"
