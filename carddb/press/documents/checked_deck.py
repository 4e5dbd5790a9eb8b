"""What a deck list is made of: a deck, and what was found in it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from carddb.cards.cards import Deck
from carddb.findings import Finding


@dataclass(frozen=True, slots=True)
class CheckedDeck:
    """A deck with its findings, the format and day it was judged by, and the catalogue it was judged against.

    `code` is what a QR code beside the fingerprint says; without it there is none.
    """

    deck: Deck
    findings: tuple[Finding, ...]
    format: str
    on: date
    catalogue: str = ""
    code: str = ""
