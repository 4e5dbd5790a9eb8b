"""A demonstration with bundled data, from a catalogue to printed sheets."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from carddb.app.decks.check import CheckRequest, Report, check_deck
from carddb.app.decks.lists import deck_list
from carddb.app.workspace.ban_file import load_samples
from carddb.app.workspace.clock import creation
from carddb.app.workspace.workspace import Workspace
from carddb.catalog.store import Catalog
from carddb.core.executors import InProcess
from carddb.press import Step
from carddb.press.components.components import deck_facts, print_components
from carddb.press.documents.guide import print_guide, read_guide
from carddb.press.faces.bank import FaceStreams
from carddb.press.faces.card_pictures import Pages, card_pngs
from carddb.press.faces.workshop import open_workshop
from carddb.press.sheets.card_sheets import face_bank
from carddb.press.sheets.options import SheetOptions
from carddb.press.sheets.sheets import print_cards

GAME = "empires-and-generals"
_PICTURES = 6
Product = tuple[str, str, str]
"""A file that the demonstration made: its path, what it is, and how to print or use it."""


def demonstrate(project: Workspace, folder: Path) -> tuple[dict[Path, Report], list[Product]]:
    """Makes a catalogue with sample cards, checks two decks, and prints cards and documents into `folder`.

    Returns the reports of a legal and of an illegal deck by file, and all files that were made.
    """
    game = project.game(GAME)
    project.explicit_catalog = project.explicit_catalog or folder / "demo.db"
    with project.working("making the catalogue") as step:
        legal, illegal = folder / "legal.deck", folder / "illegal.deck"
        for path in (legal, illegal):
            project.write(path, (game.folder.path / "decks" / "demo" / path.name).read_bytes())
        with Catalog.open(project.catalog_path, must_exist=False) as catalog:
            cards = load_samples(catalog, [game])
        step("checking two decks")
        request = CheckRequest(GAME)
        reports = {path: check_deck(project, path, request) for path in (legal, illegal)}
        products = [
            (str(project.catalog_path), f"catalogue with {cards} sample cards",
                    "carddb --catalog FILE cards 'type:general'"),
            (str(legal), "a legal deck", "carddb check FILE"),
            (str(illegal), "a deck that is not legal", "carddb check FILE"),
            *_print(project, reports[legal], folder, step),
        ]  # fmt: skip
    return reports, products


def _print(project: Workspace, report: Report, folder: Path, step: Step) -> Iterator[Product]:
    """Prints sheets, reference cards, a deck list, the rule sheet and some pictures, and yields each file."""
    deck, game, created = report.deck, report.game, creation(report.context.on)
    workshop = open_workshop(game)
    copies = [(entry.card, entry.count) for entry in deck.entries if entry.card]
    for name, stock, how in (
        ("sheets.pdf", "plain", "Letter, 100 %, both sides, flip on the long edge; cut at the marks"),
        ("sheets-avery-5388.pdf", "avery-5388", "Avery 5388 cards, 100 %, both sides, flip on the long edge"),
    ):
        step(f"drawing {name}")
        options = SheetOptions(stock=stock, creation=created)
        printed = print_cards(workshop, copies, options, f"{game.spec.name}: {deck.name}", deck.name)
        project.write(folder / name, printed.data)
        yield (str(folder / name), f"{printed.cards} cards on {printed.sheets} sheets", how)
    step("drawing the reference cards")
    references = [key for key, component in game.spec.components.items() if component.reference]
    printed = print_components(workshop, references, SheetOptions(creation=created), 1, deck_facts(deck, game.spec))
    path = folder / "reference-cards.pdf"
    project.write(path, printed.data)
    yield (str(path), f"{printed.cards} reference cards", "Letter, 100 %, one side; a set for each player")
    step("writing the deck list and the rule sheet")
    path = folder / "decklist.pdf"
    deck_list(project, report, "pdf", "letter").write(path)
    yield (str(path), "the validated deck list", "Letter, 100 %; for whoever checks the deck")
    path = folder / "rules.pdf"
    project.write(path, print_guide(game, read_guide(game, "en"), "pdf", "letter", created).data)
    yield (str(path), "the rule sheet", "Letter, both sides")
    step("drawing pictures of cards")
    cards, path = [card for card, _ in copies], folder / "cards"
    some = cards[:: max(1, len(cards) // _PICTURES)][:_PICTURES]
    card_pngs(Pages(FaceStreams(face_bank(workshop, SheetOptions())), 200), some, path, InProcess())
    yield (str(path), f"{len(some)} pictures of cards", "to look at or to send")
