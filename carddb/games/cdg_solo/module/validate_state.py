"""Every fault of a table: displays, piles, cards and chits (§9, §12)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import chain
from typing import Any

from carddb.game.game import GameSpec
from carddb.games.cdg_solo.module.faults import Fault, answer
from carddb.games.cdg_solo.module.module import Patched, module_of
from carddb.games.cdg_solo.play.chits import LIMIT
from carddb.games.cdg_solo.play.deal import SETUP_UP, over_four
from carddb.games.cdg_solo.play.display import SPACES, Slot, Space
from carddb.games.cdg_solo.play.table import Table, TableText
from carddb.play.fields import Object
from carddb.play.question import Answer, BadInput, operation, read

SAVE_VERSION = 1
ENDED = ("phase_over", "end_phase")
"""The steps of a session in which a phase has ended."""
DISPLAY_KEYS: tuple[str, ...] = (*SPACES, "pile")


@operation(
    *("S-25", "S-26", "S-27", "S-28", "S-29", "S-36", "S-89", "S-94", "S-100", "SR-32", "SR-33", "SR-35"),
    *("SR-69", "SD-4", "SD-5", "SD-7", "SD-13", "SD-14", "SD-15", "SD-16", "SD-19"),
)
def validate_state(
    base: str | None = None,
    patch: Object = {},  # noqa: B006
    version: Any = None,
    module: Any = None,
    sides: Any = None,
    deck: Any = None,
    common: Any = None,
    pile: Any = None,
    home: Any = None,
    fo: Any = None,
    tactician: Any = None,
    pending: Any = None,
    cards: Any = None,
    conditions_met: Any = None,
    hands: Any = None,
    at_setup: Any = None,
    phase_ended: Any = None,
    step: Any = None,
    chit_flips_logged: Any = None,
    first_round_card: Any = None,
    *,
    spec: GameSpec,
) -> Answer:
    """What is wrong with a table, or with a whole session (with `version` and `module`)."""
    fields = {name: value for name, value in locals().items() if name in TableText.model_fields and value is not None}
    saved = version is not None
    if saved and version != SAVE_VERSION:
        message = f"saves of version {SAVE_VERSION} are read, this one is of {version!r}"
        return answer([Fault("save_version_unknown", "version", message)])
    try:
        table = Table(_module(spec, base, patch, module), read(TableText, fields, ""))
        if unknown := sorted(set(table.text.sides) - set(table.module.side_ids)):
            raise BadInput(f"sides.{unknown[0]}")
    except BadInput as fault:
        if not saved:
            raise
        return answer([Fault("save_corrupt", fault.path, "the save is not of the form of a session")])
    table_faults = list(faults(table))
    if saved and any(fault.severity == "error" for fault in table_faults):
        table_faults.append(Fault("save_corrupt", "", "the save tells of a table that cannot be"))
    return answer(table_faults)


def _module(spec: GameSpec, base: str | None, patch: dict[str, Any], module: Any) -> Any:
    if base is not None:
        return module_of(spec, Patched(base=base, patch=patch), "")
    if module is None:
        raise BadInput("base")
    return module_of(spec, module if isinstance(module, str) else read(Patched, module, "module"), "module")


def faults(table: Table) -> Iterator[Fault]:
    """Every fault of a table."""
    for side in table.text.sides:
        yield from _spaces(table, side)
        yield from _chits(table, side)
        if table.text.at_setup:
            yield from _facing(table, side)
        if table.text.phase_ended or table.text.step in ENDED:
            yield from _unplayed(table, side)
    yield from _piles(table)
    yield from _off_display(table)
    yield from _places(table)
    yield from _first_round(table)
    if table.module.extras_on_display and table.hands and over_four(table.hands):
        yield Fault("hand_difference_over_four", "sides", "the hands differ by more than 4, the extra cards by 4")


def _spaces(table: Table, side: str) -> Iterator[Fault]:
    """Spaces that do not hold their target (SD-16)."""
    text, display = table.text.sides[side], table.displays[side]
    for name in text.display:
        if name not in DISPLAY_KEYS:
            yield Fault("space_unknown", f"sides.{side}.{name}", f"there is no space {name}")
    doubled = table.extras.of(table.module.side_ids.index(side))
    held = {space: len(display.spaces[space]) for space in SPACES}
    if doubled and table.module.extras_on_display:
        wrong = [
            space for space in ("A", "B", "D", "E")
            if (held[space] == 2) != (space in doubled) and held[space] in (1, 2) and space not in text.surplus
            and (held[space] == 2 or table.drawable(side))
        ]  # fmt: skip
        if wrong:
            message = f"the extra cards belong in {', '.join(doubled)}; look at {', '.join(wrong)}"
            yield Fault("hand_adjustment_mismatch", f"sides.{side}", message)
    for space in SPACES:
        fewest, most = _bounds(table, space)
        where = f"sides.{side}.{space}"
        if held[space] < fewest and table.drawable(side):
            yield Fault("space_empty", where, f"{space} holds {held[space]} cards, {fewest} belong there")
        most += 1 if doubled and space != "C" else 0
        if held[space] > most and space not in text.surplus:
            yield Fault("space_overfull", where, f"{space} holds {held[space]} cards, at most {most} belong there")


def _bounds(table: Table, space: Space) -> tuple[int, int]:
    """The fewest and the most cards of a space without extras."""
    if space != "C":
        return 1, 1
    return {"pile_in_c": (0, 0), "virtual_c": (0, 1), "card_in_c": (1, 1)}[table.module.layout]


def _chits(table: Table, side: str) -> Iterator[Fault]:
    text = table.text.sides[side]
    row, where = text.chits, f"sides.{side}.chits"
    if row is None:
        return
    if row.total > LIMIT:
        yield Fault("chit_over_limit", where, f"a row of {row.total} chits; the counters stop at {LIMIT}")
    numbers = row.flipped_numbers
    in_order = numbers is None or sorted(numbers) == list(range(1, len(numbers) + 1))
    if not in_order or (numbers is not None and len(numbers) != row.flipped) or row.flipped > row.total:
        message = f"the flipped chits are not 1 to {row.flipped}, or more than {row.total}"
        yield Fault("chit_order_broken", where, message)
    logged = table.flips_logged(side)
    if logged is not None and logged != row.flipped:
        yield Fault("chit_count_mismatch", where, f"{row.flipped} chits are flipped, {logged} flips are logged")


def _facing(table: Table, side: str) -> Iterator[Fault]:
    """Cards that do not lie at setup as they are dealt (S-25 to S-29, SR-32)."""
    for space, slot in table.displays[side]:
        if slot.up != (space in SETUP_UP) and not (slot.up and _laid_up(table, side, space, slot)):
            lies = "up" if slot.up else "down"
            yield Fault("setup_facing", f"sides.{side}.{space}", f"{slot.card} lies {lies} at setup")


def _laid_up(table: Table, side: str, space: Space, slot: Slot) -> bool:
    """Whether a card may lie up at setup: by a setup exception of the module, or as a first-round card."""
    if space == "C" and any(card == slot.card and owner in (None, side) for card, owner in table.first_round_cards()):
        return True
    text = table.text.cards.get(slot.card)
    for entry in chain.from_iterable(table.module.setup_exceptions.values()):
        deck, _, number = entry.card.partition("#")
        names = {entry.card, number} if text is None or text.number is None else {entry.card}
        by_text = text is not None and (text.deck or deck, str(text.number)) == (deck, number)
        if (entry.side, entry.space, entry.up) == (side, space, True) and (slot.card in names or by_text):
            return True
    return False


def _unplayed(table: Table, side: str) -> Iterator[Fault]:
    cards = table.cards(side)
    for card in table.displays[side].ups():
        if card in cards and cards[card].mandatory and cards[card].met(table.conditions_met(side)):
            yield Fault("mandatory_unplayed", f"sides.{side}", f"{card} was to be played before the phase ended")


def _piles(table: Table) -> Iterator[Fault]:
    for where, pile, top_shows in table.piles():
        for at, slot in enumerate(pile):
            if slot.up and not (top_shows and at == 0):
                yield Fault("pile_face_up", where, f"{slot.card} lies up in the pile")


def _off_display(table: Table) -> Iterator[Fault]:
    """Cards that never lie on a display, or do not while they are held beside it."""
    home, tactician = table.of_kind("home", "home"), table.of_kind("tactician", "tactician")
    for side in table.text.sides:
        for card, where in chain(table.lying(side), table.shared()):
            spot = where.rpartition(".")[2]
            if card in home and spot not in ("discard", "removed"):
                yield Fault("home_card_on_display", where, f"{card} is a Home card and lies beside the display")
            if card in tactician and spot not in ("discard", "removed"):
                yield Fault("tactician_on_display", where, f"{card} is a Tactician card and lies off the display")
            if card in table.fo and spot != "removed":
                yield Fault("fo_card_on_display", where, f"{card} is held as a Future Offensives card")


def _places(table: Table) -> Iterator[Fault]:
    """Cards in two places, in none, or in play without being of the deck (SD-14)."""
    separate = table.module.deck_mode == "separate"
    groups = [[side] for side in table.text.sides] if separate else [list(table.text.sides)]
    for group in groups:
        places: dict[str, list[str]] = defaultdict(list)
        for card, place in chain(*(table.lying(side) for side in group), [] if separate else table.shared()):
            places[card].append(place)
        for card, where in places.items():
            if len(where) > 1:
                yield Fault("card_duplicated", where[0], f"{card} lies in {' and in '.join(where)}")
        deck = _deck(table, group)
        if deck is None:
            continue
        beside = set().union(*(table.beside(side) for side in group))
        for card in places.keys() - deck:
            yield Fault("card_foreign", places[card][0], f"{card} is not in the deck")
        for card in deck - places.keys() - beside:
            yield Fault("card_lost", f"deck.{card}", f"{card} of the deck lies nowhere")


def _deck(table: Table, group: list[str]) -> set[str] | None:
    """The cards of the deck that these sides draw from; None where the question has none."""
    if table.text.deck is None:
        return None
    if table.module.deck_mode != "separate":
        return {card for cards in table.text.deck.values() for card in cards}
    return set(table.text.deck.get(group[0], ()))


def _first_round(table: Table) -> Iterator[Fault]:
    if not table.text.at_setup:
        return
    for card, side in table.first_round_cards():
        displays = [display for name, display in table.displays.items() if side in (None, name)]
        if not any(Slot(card, True) in display.at("C") for display in displays):
            yield Fault("first_round_card_not_on_top", f"sides.{side or ''}", f"{card} does not lie up on the pile")
