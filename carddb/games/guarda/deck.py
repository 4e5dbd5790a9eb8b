"""The checks of Guarda cards and decks: correct patterns, and complete decks."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from carddb.cards.cards import Card, Deck, Entry, Pool
from carddb.core.groups import totals
from carddb.core.names import capital
from carddb.core.plain_text import amount, listed
from carddb.deck import Context
from carddb.deck.context import Fix, View, cards, copies, last, places
from carddb.findings import CardCount, Finding, Place
from carddb.game.game import GameSpec
from carddb.games.guarda.play.field import (
    SIZES,
    PatternId,
    Point,
    Variant,
    name_on,
    on_field,
    pattern_id,
    plain,
    shapes,
    variant,
)
from carddb.games.printed_words import NO_WORDS, finding
from carddb.play.question import Answer, Count, Many, operation, refuse


class DeckFault(NamedTuple):
    """A fault of a card or a deck: its code, the data of its finding, and further words in its message.

    `surplus` maps card ids to the number of surplus cards, negative for missing ones; `whole` means that the fault
    concerns the whole deck, not single cards. `text` is the key of its texts, if that is not the code.
    """

    code: str
    data: Mapping[str, Any]
    words: Mapping[str, object] = NO_WORDS
    surplus: Mapping[str, int] = {}
    whole: bool = False
    text: str = ""


def size_faults(n: int) -> Iterator[DeckFault]:
    """Yields a fault if a field of `n` × `n` is too small or too large; then nothing else is checked (G-16)."""
    if n not in SIZES:
        yield DeckFault("grid_size_unsupported", {"n": n, "least": SIZES[0], "most": SIZES[-1]})


def deck_faults(
    game: Variant, patterns: Mapping[str, int], grids: Mapping[str, int], others: int = 0
) -> Iterator[DeckFault]:
    """Yields every fault of a deck, from the number of each pattern and grid card (G-11 to G-13).

    `others` is the number of unknown cards in the pattern section; unknown grid cards have an empty id.
    """
    types = len(game.cards)
    strange = {card: count for card, count in patterns.items() if card not in game.cards}
    if strange:
        yield DeckFault(
            "pattern_unknown", {"patterns": strange}, {"n": game.n, "cards": listed(list(strange))}, strange
        )
    missing = {card: -game.copies for card in game.cards if not patterns.get(card)}
    if missing:
        data = {"count": types - len(missing), "limit": types, "patterns": list(missing)}
        words = {"missing": len(missing), "cards": listed(list(missing))}
        yield DeckFault("pattern_missing", data, words, missing)
    counts = {card: count for card in game.cards if (count := patterns.get(card, 0)) not in (0, game.copies)}
    wrong = {card: count - game.copies for card, count in counts.items()}
    if wrong:
        words = {"there": listed([f"{count} of {card}" for card, count in counts.items()])}
        yield DeckFault("pattern_copies", {"patterns": counts, "limit": game.copies}, words, wrong)
    total = sum(patterns.values()) + others
    if total != game.deck:
        words = {"copies": game.copies, "types": types, "has": amount(total, "pattern card")}
        surplus = {**strange, **missing, **wrong}
        yield DeckFault("deck_total", {"count": total, "limit": game.deck}, words, surplus, whole=True)
    count = sum(grids.values())
    if count != game.grid_cards:
        spare = _spare(grids, count - game.grid_cards)
        words = {"has": amount(count, "grid card")}
        yield DeckFault("grid_card_count", {"count": count, "limit": game.grid_cards}, words, spare, whole=True)


def _spare(grids: Mapping[str, int], over: int) -> Mapping[str, int]:
    """Returns, by id, how many grid cards to remove if `over` is positive, or to add (-1) if it is negative."""
    if over < 0:
        return dict.fromkeys([card for card, count in grids.items() if count == 0][:-over], -1)
    spare: dict[str, int] = {}
    for card, count in grids.items():
        if card and count > 1 and over:
            spare[card] = min(count - 1, over)
            over -= spare[card]
    return spare


def card_faults(game: Variant, card: str, cells: Collection[Point], pointers: int) -> Iterator[DeckFault]:
    """Yields every fault of a pattern card (G-9, G-10, G-15)."""
    shape = shapes(game.n)[card] if card in game.cards else None
    is_right = shape is not None and set(cells) == shape
    words: dict[str, object] = {"card": card, "n": game.n}
    if shape is None:
        words["known"] = ", ".join(game.cards)
        yield DeckFault("pattern_unknown", {"patterns": [card]}, words, text="card_unknown")
    if not cells:
        yield DeckFault("pattern_empty", {"count": 0, "limit": 1}, words)
    elif shape is not None and not is_right:
        words |= {"there": amount(len(set(cells)), "cell"), "needed": len(shape)}
        words["written"] = "; ".join(f"{row},{column}" for row, column in sorted(shape))
        data = {"missing": plain(shape - set(cells)), "surplus": plain(set(cells) - shape)}
        yield DeckFault("pattern_cells", data, words)
    outside = [] if is_right else [cell for cell in cells if not on_field(game.n, cell)]
    if outside:
        yield DeckFault("cell_off_grid", {"cells": plain(set(outside)), "limit": game.n}, words)
    if pointers != 1:
        yield DeckFault("pointer_count", {"count": pointers, "limit": 1}, words)


@operation()
def config(n: int = 5, *, spec: GameSpec) -> Answer:
    """The requirements of a field size: patterns, cards in a deck, grid cards, and sizes of hand and opening hand."""
    refuse(grid_size_unsupported=n not in SIZES)
    game = variant(spec, n)
    return {
        "types": len(game.cards),
        "deck": game.deck,
        "grid_cards": game.grid_cards,
        "hand": game.hand,
        "opening_hand": game.opening_hand,
    }


@operation()
def check_card(id: PatternId, cells: Many[Point], pointers: int, n: int = 5, *, spec: GameSpec) -> Answer:
    """Checks a pattern card: its id, its cells, and how many pointers it has."""
    faults = list(size_faults(n)) or card_faults(variant(spec, n), id, cells, pointers)
    return {"errors": sorted(fault.code for fault in faults)}


@operation()
def check_deck(patterns: dict[str, Count], grid_cards: Count, n: int = 5, *, spec: GameSpec) -> Answer:
    """Checks a deck: the number of cards of each pattern, and the number of grid cards."""
    counts = totals((pattern_id(spec, word), count) for word, count in patterns.items())
    faults = list(size_faults(n)) or deck_faults(variant(spec, n), counts, {"": grid_cards})
    return {"errors": sorted(fault.code for fault in faults)}


_SQUARE = re.compile(r"(\d{1,3})x\1")
_CELL = re.compile(r"\s*(\d{1,3})\s*,\s*(\d{1,3})\s*")
_OFF_FIELD = (0, 0)

Entries = Mapping[str, list[Entry]]


def deck_check(deck: Deck, spec: GameSpec, pool: Pool, context: Context) -> list[Finding]:
    """Returns the findings about a deck: number of each pattern, grid cards, and faults of each card (G-9 to G-16)."""
    key = context.format or deck.headers.get("format") or spec.default_format or ""
    size = _SQUARE.fullmatch(key)
    if size is None:
        return []
    n, place = int(size[1]), Place(deck.file)
    unsupported = [_finding(spec, fault, [], place) for fault in size_faults(n)]
    if unsupported:
        return unsupported
    game = variant(spec.with_defaults(View(deck, spec, context).options), n)
    patterns = _by_id(deck, "pattern", n)
    unknown = copies(patterns.pop("", ()))
    grids: dict[str, list[Entry]] = {card: [] for card in spec.types["grid"].fields["id"].of}
    strange: list[Entry] = []
    for card, entries in _by_id(deck, "grid", n).items():
        if all(entry.card is None or entry.card.get("n") == n for entry in entries):
            grids[card] = entries
        else:
            strange += entries
    fields = {entry.card.get("n") for entry in deck.entries if entry.card}
    other: dict[str, Any] = {}
    if len(fields) == 1 and not fields <= {n, None}:
        other = {"fix": "Write Format: {0}x{0}, because all of the cards are for this field.".format(*fields)}
    findings = []
    if strange:
        words = {"n": n, "cards": listed([entry.name for entry in strange])}
        removed = {"remove": [{"ref": entry.ref, "count": entry.count} for entry in strange]}
        data = {"grid_cards": {entry.ref: entry.count for entry in strange}}
        fix = other or Fix.offered(Fix(f"remove {_counted(cards(strange))}", removed))
        findings.append(_finding(spec, DeckFault("grid_card_of_other_field", data, words), strange, place, **fix))
    for fault in deck_faults(game, _counts(patterns), _counts(grids), unknown):
        entries = [] if fault.whole else [entry for card in fault.surplus for entry in patterns.get(card, ())]
        fix = _fix(spec, fault.surplus, n, {**patterns, **grids}) if fault.surplus else {}
        if fault.code == "deck_total":  # the findings about single patterns name the cards
            fix.pop("fix", None)
        if fault.code == "pattern_unknown":
            fix = other or fix
        findings.append(_finding(spec, fault, entries, place, **fix))
    for entry in (entries[0] for card, entries in patterns.items() if card in game.cards):
        faults = _faults_of(game, entry.card) if entry.card else []
        findings += [_finding(spec, fault, [entry], place) for fault in faults]
    return findings


def card_check(card: Card, place: Place, spec: GameSpec) -> list[Finding]:
    """Returns the findings about a pattern card in a file: its id, its cells, its pointer (G-9, G-10, G-15)."""
    if card.type != "pattern":
        return []
    every = variant(spec.with_defaults({"patterns": "lines_x_all"}), int(card.get("n")))
    return [_finding(spec, fault, [], place) for fault in _faults_of(every, card)]


def _by_id(deck: Deck, kind: str, n: int) -> dict[str, list[Entry]]:
    """Returns the entries of cards of the type `kind`, by card id.

    Unknown cards in the section `kind` are under an empty id, cards of another size of field under their reference.
    """
    by_id: dict[str, list[Entry]] = defaultdict(list)
    for entry in deck.entries:
        if entry.card is None:
            if entry.section == kind:
                by_id[""].append(entry)
        elif entry.card.type == kind:
            by_id[str(entry.card.get("id")) if entry.card.get("n") == n else entry.ref].append(entry)
    return by_id


def _counts(entries: Entries) -> dict[str, int]:
    return {card: copies(entries_) for card, entries_ in entries.items()}


def _faults_of(game: Variant, card: Card) -> list[DeckFault]:
    """Returns the faults of a card; a cell that cannot be read as `row,column` counts as off the field."""
    parsed = [_CELL.fullmatch(str(cell)) for cell in card.get("cells", ())]
    cells = [(int(cell[1]), int(cell[2])) if cell else _OFF_FIELD for cell in parsed]
    return list(card_faults(game, str(card.get("id")), cells, card.get("pointers")))


def _finding(spec: GameSpec, fault: DeckFault, entries: list[Entry], place: Place, **fix: Any) -> Finding:
    """Returns a fault as a finding, at its entries or, without any, at `place`."""
    where, key = places(entries) or (place,), fault.text or fault.code
    whole = finding(spec, key, *where, data=fault.data, words=fault.words, cards=cards(entries), **fix)
    return whole._replace(message=capital(whole.message))


def _counted(cards: Iterable[CardCount]) -> str:
    """Returns cards as text, `5 × “All cells of 5×5”`: in quotation marks, because names end in numbers."""
    return listed([f"{card.count} × “{card.name}”" for card in cards])


def _fix(spec: GameSpec, surplus: Mapping[str, int], n: int, entries: Entries) -> dict[str, Any]:
    """Returns, as fields of a finding, the fix that removes surplus cards and adds missing ones."""
    surplus_cards = [card for name, count in surplus.items() if count > 0 for card in last(entries[name], count)]
    missing = [CardCount(f"{n}-{name}", name_on(spec, n, name), -count) for name, count in surplus.items() if count < 0]
    changes = {verb: changed for verb, changed in (("remove", surplus_cards), ("add", missing)) if changed}
    words = " and ".join(f"{verb} {_counted(changed)}" for verb, changed in changes.items())
    data = {verb: [{"ref": card.ref, "count": card.count} for card in changed] for verb, changed in changes.items()}
    return Fix.offered(Fix(words, data))
