"""What a check of a game says that could not be done: a template or program that fails, and whose it is."""

from __future__ import annotations

from collections.abc import Sequence

from carddb.cards.cards import Card
from carddb.core.errors import CarddbError
from carddb.deck import fixes
from carddb.findings import CardCount, Finding, Severity, error
from carddb.games import Game

_MOST_NAMES = 12
"""Cards that a finding names which is the same of many."""


def cause_of(fault: Exception, card: Card) -> str:
    """What is wrong, whichever card it is seen on."""
    message = fault.message if isinstance(fault, CarddbError) else str(fault)
    return message.replace(f"{card.name}: ", "").replace(card.name, "").replace(card.ref, "")


def not_drawn(cause: str, parts: Sequence[tuple[Card, Exception]], how: str) -> Finding:
    """The finding for one cause, with every card that is not drawn for it."""
    cards = tuple(CardCount(card.ref, card.name, 1) for card, _ in parts)
    card, fault = parts[0]
    if len(parts) == 1:
        return failed(f"{card.name} [{card.ref}]{how}", fault)._replace(cards=cards)
    words = [f"{each.name} [{each.ref}]" for each in cards]
    names = fixes.listed(words, _MOST_NAMES)
    message = f"{_kind(fault)}{cause.strip(' .')}; {len(cards)} cards{how}: {names}"
    return error("conform_failed", message, cards=cards, fix=_remedy(fault))


def failed(what: str, fault: Exception) -> Finding:
    """The finding for something that a check could not do."""
    message = fault.message if isinstance(fault, CarddbError) else str(fault)
    return error("conform_failed", f"{what}: {_kind(fault)}{message}", fix=_remedy(fault))


def _kind(fault: Exception) -> str:
    """The class of a fault that is not carddb's own, before its message."""
    return "" if isinstance(fault, CarddbError) else f"{type(fault).__name__}: "


def _remedy(fault: Exception) -> str:
    return fault.remedy if isinstance(fault, CarddbError) else ""


def rules_not_run(game: Game) -> Finding:
    """The finding for a game whose program was not run, for nobody named its folder."""
    message = f"the program of {game.key}, rules.py, was not run"
    return Finding("rules_not_run", Severity.NOT_CHECKABLE, message, fix="Name its folder with --games to run it.")
