"""What is wrong with a deck, as findings with lines and remedies."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from carddb.cards import Card, Deck, Entry, Pool
from carddb.deck import Context, fixes
from carddb.deck.deck_view import View, cards, copies, last, places
from carddb.findings import CardCount, Finding, Place, error
from carddb.game import GameSpec
from carddb.games.guarda.cardfile import name_on
from carddb.games.guarda.decks import Fault, card_faults, deck_faults, size_faults
from carddb.games.guarda.field import Point
from carddb.games.guarda.form import Form, form

_SQUARE = re.compile(r"(\d{1,3})x\1")
_CELL = re.compile(r"\s*(\d{1,3})\s*,\s*(\d{1,3})\s*")
_NOWHERE = (0, 0)

Entries = Mapping[str, list[Entry]]


def deck_check(deck: Deck, spec: GameSpec, pool: Pool, context: Context) -> list[Finding]:
    """Four cards of each pattern of the field, six grid cards, and each card as it has to be (G-9 to G-16)."""
    key = context.format or deck.headers.get("format") or spec.default_format or ""
    size = _SQUARE.fullmatch(key)
    if size is None:
        return []
    n, whole = int(size[1]), Place(deck.file)
    unsupported = [_finding(fault, [], whole, fix=fault.fix) for fault in size_faults(n)]
    if unsupported:
        return unsupported
    game = form(spec, View(deck, spec, context).options, n)
    patterns = _by_id(deck, "pattern", n)
    unread = copies(patterns.pop("", ()))
    here = {card: entries for card, entries in _by_id(deck, "grid", n).items() if not _of_other_field(entries, n)}
    grids: dict[str, list[Entry]] = {**{card: [] for card in spec.types["grid"].fields["id"].of}, **here}
    findings = []
    for fault in deck_faults(game, _counts(patterns), _counts(grids), unread):
        guilty = [] if fault.whole else [entry for card in fault.surplus for entry in patterns.get(card, ())]
        remedy = _remedy(spec, fault.surplus, n, {**patterns, **grids}) if fault.surplus else {"fix": fault.fix}
        if fault.code == "pattern_unknown" and (meant := _only_field(deck)) not in (n, None):
            remedy = {"fix": f"Write Format: {meant}x{meant}, which all of these cards are for."}
        findings.append(_finding(fault, guilty, whole, **remedy))
    for entry in (entries[0] for card, entries in patterns.items() if card in game.cards):
        faults = _faults_of(game, entry.card) if entry.card else []
        findings += [_finding(fault, [entry], whole, fix=fault.fix) for fault in faults]
    return findings


def card_check(card: Card, place: Place, spec: GameSpec) -> list[Finding]:
    """What is wrong with a pattern card of a file: its id, its cells, its pointer (G-9, G-10, G-15)."""
    if card.type != "pattern":
        return []
    every = form(spec, {**spec.option_defaults, "patterns": "lines_x_all"}, int(card.get("n")))
    return [_finding(fault, [], place, fix=fault.fix) for fault in _faults_of(every, card)]


def _by_id(deck: Deck, kind: str, n: int) -> dict[str, list[Entry]]:
    """The entries of a type by the id of their card; those of unknown cards under no id."""
    found: dict[str, list[Entry]] = defaultdict(list)
    for entry in _of_kind(deck, kind):
        found[_id(entry, n)].append(entry)
    return found


def _of_other_field(entries: Sequence[Entry], n: int) -> bool:
    return any(entry.card and entry.card.get("n") != n for entry in entries)


def _only_field(deck: Deck) -> int | None:
    """The field that every card of the deck is for, where it is one."""
    sizes = {entry.card.get("n") for entry in deck.entries if entry.card}
    return sizes.pop() if len(sizes) == 1 else None


def _counts(entries: Entries) -> dict[str, int]:
    return {card: copies(those) for card, those in entries.items()}


def _of_kind(deck: Deck, kind: str) -> list[Entry]:
    """The entries of a type; unknown cards are of the type that their section holds."""
    return [entry for entry in deck.entries if (entry.card.type if entry.card else entry.section) == kind]


def _id(entry: Entry, n: int) -> str:
    """The id of a card of this field, the reference of one of another field, nothing for an unknown card."""
    if entry.card is None:
        return ""
    return str(entry.card.get("id")) if entry.card.get("n") == n else entry.ref


def _faults_of(game: Form, card: Card) -> list[Fault]:
    return list(card_faults(game, str(card.get("id")), _cells(card), card.get("pointers")))


def _cells(card: Card) -> list[Point]:
    """The cells of a card, written `row,column`; one that cannot be read lies nowhere."""
    read = [_CELL.fullmatch(str(cell)) for cell in card.get("cells", ())]
    return [(int(cell[1]), int(cell[2])) if cell else _NOWHERE for cell in read]


def _finding(fault: Fault, guilty: list[Entry], whole: Place, **remedy: Any) -> Finding:
    message = fault.message[:1].upper() + fault.message[1:]
    where = places(guilty) or (whole,)
    return error(fault.code, message, *where, cards=cards(guilty), data=fault.data, rules=fault.rules, **remedy)


def _remedy(spec: GameSpec, surplus: Mapping[str, int], n: int, entries: Entries) -> dict[str, Any]:
    """Takes out what is too much and puts in what is missing."""
    out = [card for name, count in surplus.items() if count > 0 for card in last(entries[name], count)]
    lacking = [CardCount(f"{n}-{name}", name_on(spec, n, name), -count) for name, count in surplus.items() if count < 0]
    words = [f"{verb} {fixes.named(them)}" for verb, them in (("remove", out), ("add", lacking)) if them]
    data = {verb: _refs(them) for verb, them in (("remove", out), ("add", lacking)) if them}
    text = " and ".join(words)
    return {"fix": text[:1].upper() + text[1:] + ".", "fixes": (data,)}


def _refs(them: Sequence[CardCount]) -> list[dict[str, Any]]:
    return [{"ref": card.ref, "count": card.count} for card in them]
