"""A deck file for a module: each section is one of its decks, and the format is the module."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from carddb.cards.cards import Deck, Entry, Pool
from carddb.core.names import capital
from carddb.deck import Context
from carddb.findings import Finding, Place, Severity, error
from carddb.game.game import GameSpec
from carddb.games.cdg_solo.module.faults import WARNINGS, Fault
from carddb.games.cdg_solo.module.module import Module, module_of
from carddb.games.cdg_solo.module.validate_deck import DeckCard, faults
from carddb.play.question import BadInput, read

RULES = ("SD-2", "SD-7")


def module_deck(deck: Deck, spec: GameSpec, pool: Pool, context: Context) -> list[Finding]:
    """Every fault of a deck's cards for the module that is its format (SD-7)."""
    key = context.format or deck.headers.get("format")
    if key is None:
        modules = ", ".join(spec.data["modules"])
        message = "The deck names no module, so nothing of it was checked but its form"
        where = Place(deck.file)
        fix = f"Name one with --format, or in the deck as Format: one of {modules}."
        return [Finding("format_unknown", Severity.NOT_CHECKABLE, message, (where,), fix=fix, rules=RULES)]
    if key not in spec.data["modules"]:
        return []
    module = module_of(spec, key)
    return [*_sections(deck, module), *_faults(deck, module, spec)]


def _sections(deck: Deck, module: Module) -> Iterator[Finding]:
    for entry in deck.entries:
        if entry.section not in module.decks:
            decks = ", ".join(module.decks)
            message = f"{module.title} has no deck {entry.section}: {entry.name}"
            yield error("card_misplaced", message, entry.place, fix=f"Its decks: {decks}.", rules=RULES)


def _faults(deck: Deck, module: Module, spec: GameSpec) -> Iterator[Finding]:
    entries = [entry for entry in deck.entries if entry.card and entry.section in module.decks]
    for fault in faults(module, [_card(entry) for entry in entries], spec):
        guilty = entries[fault.card] if fault.card is not None else None
        place = guilty.place if guilty else Place(deck.file)
        yield as_finding(fault, place, guilty.name if guilty else "")


def as_finding(fault: Fault, place: Place, name: str = "") -> Finding:
    """A fault of a module or its cards as a finding; `name` is that of the card at fault."""
    severity = Severity.WARNING if fault.code in WARNINGS else Severity.ERROR
    message = f"{name}: {fault.message}" if name else capital(fault.message)
    return Finding(fault.code, severity, message, (place,), fix=fault.fix, rules=fault.rules)


def _card(entry: Entry) -> DeckCard:
    """A card of the deck for the checks: its section is its deck, its name its title."""
    assert entry.card is not None
    return deck_card({**entry.card.values, "deck": entry.section})


def deck_card(values: Mapping[str, Any]) -> DeckCard:
    """A card for the checks, from its fields; a value that no card can have is left out."""
    fields = {name: value for name, value in values.items() if name in DeckCard.model_fields}
    fields["title"] = values.get("title") or values.get("name")
    try:
        return read(DeckCard, fields, "")
    except BadInput as fault:
        wrong = fault.path.partition(".")[0]
        return read(DeckCard, {name: value for name, value in fields.items() if name != wrong}, "")
