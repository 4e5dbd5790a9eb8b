"""The main job on bundled data, from a catalogue to printed sheets."""

from __future__ import annotations

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
    from carddb.press.decklist_words import Judged

GAME = "empires-and-generals"
_PICTURES = 6


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
    """Do the main job on sample data: load, check a legal and an illegal deck, print sheets, cards and deck list."""
    game = session.game(GAME)
    session.named_catalog = session.named_catalog or output / "demo.db"
    made: list[tuple[str, str, str]] = []
    with show.progress("making the catalogue", session.quiet) as step:
        legal, illegal = _decks(session, game, output)
        cards = _catalogue(session)
        step("checking two decks")
        judged, context = _check(session, game, legal)
        _check(session, game, illegal)
        made.append(
            (
                str(session.named_catalog),
                f"catalogue with {cards} sample cards",
                "carddb --catalog FILE cards 'type:general'",
            )
        )
        made.append((str(legal), "a legal deck", "carddb check FILE"))
        made.append((str(illegal), "a deck that is not legal", "carddb check FILE"))
        made.extend(_print(session, game, judged, context, output, step))
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


def _check(session: Session, game: Game, path: Path) -> tuple[Judged, Context]:
    from carddb.cli.judging import judge, sentence

    _, judged, context = judge(session, path, GAME, None, None, (), ())
    click.echo(click.style(f"\ncarddb check {path}", bold=True))
    least = Severity.INFO if session.verbose else Severity.WARNING
    show.findings(judged.findings, least=least)
    click.echo(sentence(game, judged))
    return judged, context


def _print(
    session: Session, game: Game, judged: Judged, context: Context, output: Path, step: show.Step
) -> list[tuple[str, str, str]]:
    """Sheets, reference cards, deck list and a few pictures; a row of the last table for each."""
    from carddb.cli.decks import list_bytes
    from carddb.press.components import deck_facts, print_components
    from carddb.press.pictures import card_pngs
    from carddb.press.sheets import SheetOptions, print_cards
    from carddb.press.workshop import open_workshop

    on, deck = judged.on, judged.deck
    rows: list[tuple[str, str, str]] = []
    copies = [(entry.card, entry.count) for entry in deck.entries if entry.card]
    workshop = open_workshop(game)
    for name, stock, how in (
        ("sheets.pdf", "plain", "Letter, 100 %, both sides, flip on the long edge; cut at the marks"),
        ("sheets-avery-5388.pdf", "avery-5388", "Avery 5388 cards, 100 %, both sides, flip on the long edge"),
    ):
        step(f"drawing {name}")
        printed = print_cards(
            workshop,
            copies,
            SheetOptions(stock=stock, creation=creation(on)),
            f"{game.spec.name}: {deck.name}",
            deck.name,
        )
        session.write(output / name, printed.data)
        rows.append((str(output / name), f"{printed.cards} cards on {printed.sheets} sheets", how))
    step("drawing the reference cards")
    references = [key for key, component in game.spec.components.items() if component.reference]
    facts = deck_facts(deck, game.spec)
    printed = print_components(workshop, references, SheetOptions(creation=creation(on)), 1, facts)
    session.write(output / "reference-cards.pdf", printed.data)
    rows.append(
        (
            str(output / "reference-cards.pdf"),
            f"{printed.cards} reference cards",
            "Letter, 100 %, one side; a set for each player",
        )
    )
    step("writing the deck list")
    session.write(output / "decklist.pdf", list_bytes(game, judged, context, "pdf", "letter")[0])
    rows.append(
        (str(output / "decklist.pdf"), "the validated deck list", "Letter, 100 %; for the neighbour who checks it")
    )
    cards = [card for card, _ in copies][:: max(1, len(copies) // _PICTURES)][:_PICTURES]
    step("drawing pictures of cards")
    card_pngs(workshop, cards, SheetOptions(), output / "cards", 200)
    rows.append((str(output / "cards"), f"{len(cards)} pictures of cards", "to look at or to send"))
    return rows
