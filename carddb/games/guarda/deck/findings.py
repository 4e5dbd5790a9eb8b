"""The faults of decks and cards as findings, with places and fixes."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from carddb.cards.cards import Card, Deck, Entry, Pool
from carddb.core.names import capital
from carddb.deck import Context, fixes
from carddb.deck.view import View, cards, copies, last, places
from carddb.findings import CardCount, Finding, Place, error
from carddb.game.game import GameSpec
from carddb.games.guarda.deck.decks import Fault, card_faults, deck_faults, size_faults
from carddb.games.guarda.play.card_names import name_on
from carddb.games.guarda.play.field import Point
from carddb.games.guarda.play.variant import Variant, variant

_SQUARE = re.compile(r"(\d{1,3})x\1")
_CELL = re.compile(r"\s*(\d{1,3})\s*,\s*(\d{1,3})\s*")
_OFF_FIELD = (0, 0)

Entries = Mapping[str, list[Entry]]


def deck_check(deck: Deck, spec: GameSpec, pool: Pool, context: Context) -> list[Finding]:
    """Four cards of each pattern of the field, six grid cards, and each card as it has to be (G-9 to G-16)."""
    key = context.format or deck.headers.get("format") or spec.default_format or ""
    size = _SQUARE.fullmatch(key)
    if size is None:
        return []
    n, place = int(size[1]), Place(deck.file)
    unsupported = [_finding(fault, [], place, fix=fault.fix) for fault in size_faults(n)]
    if unsupported:
        return unsupported
    game = variant(spec, View(deck, spec, context).options, n)
    patterns = _by_id(deck, "pattern", n)
    unknown = copies(patterns.pop("", ()))
    grids: dict[str, list[Entry]] = {card: [] for card in spec.types["grid"].fields["id"].of}
    grids |= {card: entries for card, entries in _by_id(deck, "grid", n).items() if not _of_other_field(entries, n)}
    findings = []
    for fault in deck_faults(game, _counts(patterns), _counts(grids), unknown):
        entries = [] if fault.whole else [entry for card in fault.surplus for entry in patterns.get(card, ())]
        fix = _fix(spec, fault.surplus, n, {**patterns, **grids}) if fault.surplus else {"fix": fault.fix}
        if fault.code == "pattern_unknown" and (field := _only_field(deck)) not in (n, None):
            fix = {"fix": f"Write Format: {field}x{field}, which all of these cards are for."}
        findings.append(_finding(fault, entries, place, **fix))
    for entry in (entries[0] for card, entries in patterns.items() if card in game.cards):
        faults = _faults_of(game, entry.card) if entry.card else []
        findings += [_finding(fault, [entry], place, fix=fault.fix) for fault in faults]
    return findings


def card_check(card: Card, place: Place, spec: GameSpec) -> list[Finding]:
    """What is wrong with a pattern card of a file: its id, its cells, its pointer (G-9, G-10, G-15)."""
    if card.type != "pattern":
        return []
    every = variant(spec, {**spec.option_defaults, "patterns": "lines_x_all"}, int(card.get("n")))
    return [_finding(fault, [], place, fix=fault.fix) for fault in _faults_of(every, card)]


def _by_id(deck: Deck, kind: str, n: int) -> dict[str, list[Entry]]:
    """The entries of a type by the id of their card; unknown cards have an empty id and the type of their section."""
    by_id: dict[str, list[Entry]] = defaultdict(list)
    for entry in deck.entries:
        if (entry.card.type if entry.card else entry.section) == kind:
            by_id[_id(entry, n)].append(entry)
    return by_id


def _of_other_field(entries: Sequence[Entry], n: int) -> bool:
    return any(entry.card and entry.card.get("n") != n for entry in entries)


def _only_field(deck: Deck) -> int | None:
    """The field that every card of the deck is for, where it is one."""
    sizes = {entry.card.get("n") for entry in deck.entries if entry.card}
    return sizes.pop() if len(sizes) == 1 else None


def _counts(entries: Entries) -> dict[str, int]:
    return {card: copies(entries_) for card, entries_ in entries.items()}


def _id(entry: Entry, n: int) -> str:
    """The id of a card of this field, the reference of one of another field, empty for an unknown card."""
    if entry.card is None:
        return ""
    return str(entry.card.get("id")) if entry.card.get("n") == n else entry.ref


def _faults_of(game: Variant, card: Card) -> list[Fault]:
    return list(card_faults(game, str(card.get("id")), _cells(card), card.get("pointers")))


def _cells(card: Card) -> list[Point]:
    """The cells of a card, written `row,column`; one that cannot be read lies off the field."""
    parsed = [_CELL.fullmatch(str(cell)) for cell in card.get("cells", ())]
    return [(int(cell[1]), int(cell[2])) if cell else _OFF_FIELD for cell in parsed]


def _finding(fault: Fault, entries: list[Entry], place: Place, **fix: Any) -> Finding:
    """A fault as a finding: at its entries, else at the place."""
    message = capital(fault.message)
    where = places(entries) or (place,)
    return error(fault.code, message, *where, cards=cards(entries), data=fault.data, rules=fault.rules, **fix)


def _fix(spec: GameSpec, surplus: Mapping[str, int], n: int, entries: Entries) -> dict[str, Any]:
    """Removes what is too much and adds what is missing."""
    surplus_cards = [card for name, count in surplus.items() if count > 0 for card in last(entries[name], count)]
    missing = [CardCount(f"{n}-{name}", name_on(spec, n, name), -count) for name, count in surplus.items() if count < 0]
    changes = {verb: changed for verb, changed in (("remove", surplus_cards), ("add", missing)) if changed}
    words = " and ".join(f"{verb} {fixes.counted(changed)}" for verb, changed in changes.items())
    data = {verb: [{"ref": card.ref, "count": card.count} for card in changed] for verb, changed in changes.items()}
    return fixes.offered((words, data))
