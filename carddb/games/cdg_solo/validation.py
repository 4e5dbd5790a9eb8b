"""The checks of modules, decks, printed kits and tables, which report all faults, by code and place (SD-7)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import chain
from typing import Annotated, Any, Literal, get_args

from pydantic import Field

from carddb.cards.cards import Deck as CardDeck
from carddb.cards.cards import Entry, Pool
from carddb.core.groups import grouped
from carddb.core.names import capital, did_you_mean
from carddb.core.plain_text import amount, listed
from carddb.deck import Context
from carddb.findings import Finding, Place, Severity
from carddb.game.game import GameSpec
from carddb.games.cdg_solo.module import Game, Module, Patched, module_of, raw_module
from carddb.games.cdg_solo.play.cards import CardText, CardTexts, cards_of, printed_number, titled, with_ids
from carddb.games.cdg_solo.play.deal import NO_EXTRAS, SETUP_UP, Extras, deck_mode_fits, extras_for, over_four
from carddb.games.cdg_solo.play.display import (
    FACES,
    LIMIT,
    RESULTS,
    SPACES,
    Beside,
    Common,
    Display,
    Slot,
    Slots,
    SlotText,
    Space,
    has_c,
    result_of,
    slots,
)
from carddb.games.printed_words import finding
from carddb.play.question import Answer, BadInput, Count, Many, Object, Part, Record, operation, read

Flaw = tuple[str, str, Mapping[str, object]]
"""A fault before its texts are filled in: its key in `findings.yaml`, its dotted path, and the words to fill in."""


def fault_of(spec: GameSpec, flaw: Flaw) -> Finding:
    """Returns a fault as a finding with its texts filled in; its dotted path is the `column_name` of its place."""
    key, where, words = flaw
    return finding(spec, key, Place(column_name=where), words=words, fixes=words.get("fixes", ()))


def card_at_fault(fault: Finding) -> int | None:
    """Returns the index of the card at fault; None if the fault is not about a single card."""
    head, _, at = fault.where[0].column_name.partition(".")
    return int(at) if head == "cards" else None


def in_order(faults: Iterable[Finding]) -> list[Finding]:
    """Returns the faults without duplicates, sorted by code, place and message."""
    distinct = {(fault.code, fault.where, fault.message): fault for fault in faults}
    return [distinct[key] for key in sorted(distinct)]


def answer(faults: Iterable[Finding]) -> Answer:
    """Returns the answer to a question that checks something: the distinct codes of its faults, and every fault."""
    listed = in_order(faults)
    return {"codes": list(dict.fromkeys(fault.code for fault in listed)), "findings": [*map(_answered, listed)]}


def _answered(fault: Finding) -> dict[str, str]:
    severity = "warn" if fault.severity is Severity.WARNING else "error"
    fields = {"code": fault.code, "severity": severity, "where": fault.where[0].column_name, "message": fault.message}
    return {**fields, "fix": fault.fix} if fault.fix else fields


OFF_DISPLAY_KINDS = frozenset({"home", "tactician"})
"""The kinds of card that are never placed on a display, so that they do not count towards filling it."""


class DeckCard(CardText):
    """A card of a deck as a user wrote it; `number` and `ops` may be of any type, because their faults have codes."""

    number: Any = None
    ops: Any = None
    order_max: int | None = None

    def deck_in(self, module: Module) -> str:
        """Returns the deck to which the card belongs: its own `deck`, else the common deck, else its side's."""
        return self.deck or ("main" if "main" in module.decks else self.side or "")


Deck = Sequence[DeckCard]


@operation()
def validate_deck(base: str, cards: Many[DeckCard], patch: Object = {}, *, spec: GameSpec) -> Answer:  # noqa: B006
    """Checks the cards of all decks of the module `base`, in which `patch` replaces values by their dotted paths."""
    return answer(deck_faults(module_of(spec, Patched(base=base, patch=patch), ""), cards, spec))


def deck_faults(module: Module, deck: Deck, spec: GameSpec) -> Iterator[Finding]:
    """Yields every fault of the cards of a module's decks."""
    yield from (fault_of(spec, flaw) for flaw in _deck(module, [with_ids(module, card) for card in deck], spec))


def _deck(module: Module, deck: Deck, spec: GameSpec) -> Iterator[Flaw]:
    for at, card in enumerate(deck):
        yield from _card(module, card, f"cards.{at}", spec)
    seen: set[tuple[str, int]] = set()
    for at, card in enumerate(deck):
        if _is_number(card.number):
            name, number = key = (card.deck_in(module), card.number)
            if key in seen:
                yield "card_number_duplicate", f"cards.{at}", {"deck": name, "number": number}
            seen.add(key)
    yield from _sizes(module, deck, spec)
    yield from _exceptions(module, deck)


def _card(module: Module, card: DeckCard, where: str, spec: GameSpec) -> Iterator[Flaw]:
    """Yields every fault of one card, whose dotted path is `where`."""
    if card.number is None:
        yield "card_number_missing", where, {}
    elif not _is_number(card.number):
        yield "card_number_invalid", where, {"number": repr(card.number)}
    if not card.title or not card.title.strip():
        yield "card_title_missing", where, {}
    if card.side not in (fitting := _sides_of(module, card)):
        sides = " or ".join(fitting or module.side_ids)
        yield "card_side_unknown", where, {"side": card.side or "empty", "deck": card.deck_in(module), "sides": sides}
    if card.ops is None and "ops" in card.kinds:
        yield "card_ops_missing", where, {}
    elif card.ops is not None and not (type(card.ops) is int and card.ops >= 0):
        yield "card_ops_invalid", where, {"ops": repr(card.ops)}
    kinds = spec.fields["kinds"].of
    if not card.kinds:
        yield "card_kind_missing", where, {"kinds": ", ".join(kinds)}
    if unknown := [kind for kind in card.kinds if kind not in kinds]:
        yield "card_kind_unknown", where, {"unknown": " or ".join(unknown), "near": did_you_mean(unknown[0], kinds)}
    for kind, others in spec.data["kind_conflicts"].items():
        against = set(card.kinds) - {kind} if others is None else set(card.kinds) & set(others)
        if kind in card.kinds and against:
            yield "card_kind_conflict", where, {"kind": kind, "others": " and ".join(sorted(against))}
    if "first_opportunity" in card.kinds and not (card.conditions or "").strip():
        yield "card_condition_missing", where, {}


def _is_number(value: Any) -> bool:
    return type(value) is int and value >= 1


def _sides_of(module: Module, card: DeckCard) -> tuple[str, ...]:
    """Returns the sides that a card may have, given its deck."""
    deck = card.deck_in(module)
    if module.deck_mode == "separate":
        return (deck,) if deck in module.side_ids else ()
    return (*module.side_ids, "both")


def least(module: Module, spec: GameSpec) -> dict[str, int]:
    """Returns the smallest number of cards, by deck, that the decks of a module need; extra cards are included."""
    first, second = (module.hand.default.get(side) for side in module.side_ids)
    fixed = module.extras_on_display and first is not None and second is not None
    extras = extras_for((first or 0, second or 0)) if fixed else NO_EXTRAS
    base = spec.data["deck_sizes"][module.deck_mode if module.layout == "pile_in_c" else module.layout]
    if module.deck_mode != "separate":
        return {"main": base + len(extras.spaces)}
    return {side: base + len(extras.of(at)) for at, side in enumerate(module.side_ids)}


def _sizes(module: Module, deck: Deck, spec: GameSpec) -> Iterator[Flaw]:
    counts = Counter(card.deck_in(module) for card in deck)
    filling = Counter(card.deck_in(module) for card in deck if OFF_DISPLAY_KINDS.isdisjoint(card.kinds))
    for name, needed in least(module, spec).items():
        there = filling[name]
        missing = needed - there
        words = {"deck": name, "there": amount(there), "needed": needed, "missing": amount(missing)}
        words["fixes"] = ({"add": [{"section": name, "count": missing}]},)
        if not counts[name]:
            yield "deck_empty", name, words
        if there < needed:
            yield "deck_too_small", name, words


def _exceptions(module: Module, deck: Deck) -> Iterator[Flaw]:
    """Yields faults for exceptions whose card is missing or has another title or number (SR-41)."""
    unknown: list[str] = []
    for entry in {(entry.deck, entry.number): entry for entry in module.exceptions if entry.number}.values():
        number = printed_number(entry.deck, entry.number)
        same_title = [card for card in deck if card.title and titled(entry, card.title)]
        same_number = [card for card in deck if (card.deck_in(module), card.number) == (entry.deck, entry.number)]
        words = {"number": number, "title": entry.title}
        if not same_title and not same_number:
            unknown.append(f"{entry.title} ({number})")
        elif same_number and not any(card in same_title for card in same_number):
            yield "exception_number_mismatch", number, {**words, "other": same_number[0].title}
        elif not same_number:
            other = f"{same_title[0].deck or ''}#{same_title[0].number}"
            yield "exception_title_mismatch", number, {**words, "other": other}
    if unknown:
        words = {"cards": listed(unknown, 12), "missing": amount(len(unknown))}
        yield "exception_card_unknown", "deck", words


def module_deck(deck: CardDeck, spec: GameSpec, pool: Pool, context: Context) -> list[Finding]:
    """Returns the findings about a deck's cards by the rules of the module that is the deck's format (SD-7)."""
    key = context.format or deck.headers.get("format")
    if key is None:
        return [finding(spec, "format_unknown", Place(deck.file), words={"modules": ", ".join(spec.data["modules"])})]
    if key not in spec.data["modules"]:
        return []
    module = module_of(spec, key)
    entries = [entry for entry in deck.entries if entry.card and entry.section in module.decks]
    cards = [deck_card({**entry.card.values, "deck": entry.section}) for entry in entries if entry.card]
    faults = list(deck_faults(module, cards, spec))
    empty = {fault.where for fault in faults if fault.code == "deck_empty"}
    # The same fault of several cards is one finding.
    guilty: dict[tuple[str, str], tuple[Finding, list[Entry]]] = {}
    for entry in deck.entries:
        if entry.section not in module.decks:
            words = {"module": module.title, "decks": ", ".join(module.decks), "deck": entry.section}
            fault = fault_of(spec, ("card_misplaced", "", words))
            guilty.setdefault((fault.code, fault.message), (fault, []))[1].append(entry)
    for fault in faults:
        at = card_at_fault(fault)
        if at is not None or fault.code != "deck_too_small" or fault.where not in empty:
            wrong = guilty.setdefault((fault.code, fault.message), (fault, []))[1]
            wrong += [] if at is None else [entries[at]]
    return [
        as_finding(fault, *([at.place for at in wrong] or [Place(deck.file)]), name=listed([at.name for at in wrong]))
        for fault, wrong in guilty.values()
    ]


def as_finding(fault: Finding, *places: Place, name: str = "") -> Finding:
    """Returns a fault as it is reported: at `places` in files, and with `name`, the names of the cards at fault."""
    return fault._replace(message=f"{name}: {fault.message}" if name else capital(fault.message), where=places)


def deck_card(values: Mapping[str, Any]) -> DeckCard:
    """Returns a card from its fields, for the checks; a field with an invalid value is left out."""
    fields = {name: value for name, value in values.items() if name in DeckCard.model_fields}
    fields["title"] = values.get("title") or values.get("name")
    try:
        return read(DeckCard, fields, "")
    except BadInput as fault:
        wrong = fault.path.partition(".")[0]
        return read(DeckCard, {name: value for name, value in fields.items() if name != wrong}, "")


KEBAB = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
CHOSEN = ("layout", "deck_mode", "chit_mode", "jolly_roger", "hand_adjustment", "end_discard")
"""The fields that have a fixed set of values."""

Raw = Mapping[str, Any]


@operation()
def validate_module(base: str, patch: Object = {}, *, spec: GameSpec) -> Answer:  # noqa: B006
    """Checks the bundled module `base`, in which `patch` replaces values by their dotted paths."""
    return answer(module_faults(raw_module(spec, Patched(base=base, patch=patch), ""), spec))


def module_faults(raw: Raw, spec: GameSpec) -> Iterator[Finding]:
    """Yields every fault of a module's data."""
    flaws = chain(_identity(raw), _words(raw), _hands(raw), _die(raw, spec), _cards(raw, spec.data["mechanics"]))
    yield from (fault_of(spec, flaw) for flaw in flaws)


def _identity(raw: Raw) -> Iterator[Flaw]:
    id_ = raw.get("id")
    if not isinstance(id_, str) or not KEBAB.fullmatch(id_):
        yield "module_id_missing", "id", {}
    sides = side_ids(raw)
    if len(sides) != 2:
        yield "module_sides_not_two", "sides", {"count": len(sides)}
    elif sides[0] == sides[1]:
        yield "module_side_duplicate", "sides", {"side": sides[0]}


def side_ids(raw: Raw) -> list[Any]:
    """Returns the ids of the sides as written, None for a side without an id."""
    return [side.get("id") if isinstance(side, dict) else None for side in _part(raw, "sides", list)]


def _part(raw: Raw, key: str, kind: type) -> Any:
    """Returns the field `key` of a module, or an empty value of the type `kind` if it is of another type."""
    value = raw.get(key)
    return value if isinstance(value, kind) else kind()


def _words(raw: Raw) -> Iterator[Flaw]:
    for key in CHOSEN:
        if raw.get(key) not in words(key):
            yield "value_unknown", key, {"field": key, "value": repr(raw.get(key)), "words": ", ".join(words(key))}
    layout, deck_mode = raw.get("layout"), raw.get("deck_mode")
    valid = layout in words("layout") and deck_mode in words("deck_mode")
    if valid and not deck_mode_fits(str(layout), str(deck_mode)):
        yield "deck_mode_layout_mismatch", "deck_mode", {"deck_mode": deck_mode, "layout": layout}
    if raw.get("jolly_roger") == "play_special" and not raw.get("special_kinds"):
        yield "special_kind_missing", "special_kinds", {}


def words(key: str) -> tuple[str, ...]:
    """Returns the allowed values of a module's field `key`."""
    return get_args(Module.model_fields[key].annotation)


def _hands(raw: Raw) -> Iterator[Flaw]:
    hand = _part(raw, "hand", dict)
    sizes = _part(hand, "default", dict)
    least, most = _number(hand.get("min")), _number(hand.get("max"))
    low, high = max(1, least or 1), min(LIMIT, LIMIT if most is None else most)
    for side in dict.fromkeys(map(str, side_ids(raw))):
        size, where = sizes.get(side), f"hand.default.{side}"
        if size is None:
            if raw.get("chit_mode") == "fixed":
                yield "hand_size_missing", where, {"side": side}
        elif _number(size) is None or not low <= size <= high:
            yield "hand_size_out_of_range", where, {"side": side, "size": repr(size), "least": low, "most": high}
    for key, bound in (("min", least), ("max", most)):
        if bound is not None and not 1 <= bound <= LIMIT:
            yield "hand_bound_out_of_range", f"hand.{key}", {"bound": key, "size": bound, "most": LIMIT}
    if least is not None and most is not None and least > most:
        yield "hand_range_inverted", "hand", {"least": least, "most": most}


def _number(value: Any) -> int | None:
    return value if type(value) is int else None


def _die(raw: Raw, spec: GameSpec) -> Iterator[Flaw]:
    yield from _die_table("die_table", raw.get("die_table"), spec)
    chosen = _part(raw, "options", dict).get("die_table")
    if chosen is not None:
        yield from _die_table("options.die_table", chosen, spec)
    for code in _part(raw, "results", dict):
        if code not in RESULTS:
            yield "die_result_unknown", f"results.{code}", {"result": repr(code)}


def _die_table(where: str, table: Any, spec: GameSpec) -> Iterator[Flaw]:
    """Yields the faults of a die table, which maps the faces of the die to results (SR-9)."""
    template = spec.data["modules"][spec.data["template"]]["die_table"]
    usual = {face for face, result in template.items() if has_c(result)}
    results = {face: result_of(spec, word) for face, word in table.items()} if isinstance(table, Mapping) else {}
    texts = [result if isinstance(result, str) else "" for result in results.values()]
    if sorted(results) != list(FACES) or Counter(texts) != Counter(RESULTS):
        yield "die_table_invalid", where, {}
    elif {face for face, result in results.items() if has_c(result)} != usual:
        yield "die_table_c_results_changed", where, {"faces": ", ".join(sorted(usual))}


def option_values(spec: GameSpec, values: Raw) -> tuple[Raw, list[Finding]]:
    """Returns option values with the die table's results as codes, and the findings about that table (SR-9)."""
    table = values["die_table"]
    if table is None:
        return values, []
    faults = [fault_of(spec, flaw) for flaw in _die_table("die_table", table, spec)]
    results = {face: result_of(spec, word) for face, word in table.items()}
    return {**values, "die_table": results}, [as_finding(fault, *fault.where) for fault in faults]


def _cards(raw: Raw, mechanics: Sequence[str]) -> Iterator[Flaw]:
    for code in _part(raw, "mechanics", list):
        if code not in mechanics:
            yield "mechanic_unknown", "mechanics", {"mechanic": repr(code)}
    seen: set[tuple[str, ...]] = set()
    for at, entry in enumerate(_part(raw, "exceptions", list)):
        if not isinstance(entry, dict):
            raise BadInput(f"patch.exceptions.{at}")
        number = entry.get("number")
        card = entry.get("title") if number is None else number
        key = (str(entry.get("deck")), str(card), str(entry.get("hook")))
        if key in seen:
            yield "exception_duplicate", f"exceptions.{at}", dict(zip(("deck", "card", "hook"), key, strict=True))
        seen.add(key)


Length = Annotated[float, Field(gt=0, le=2000)]
TOLERANCE = Fraction("0.2")
"""The allowed deviation of a printed length, in millimetres."""
PAGES = 2
"""The number of pages of a tweak sheet, front and back (S-3, S-21)."""


class Printed(Part):
    """A printed part of a component, with its width and height in millimetres."""

    id: str
    part: str = "face"
    width: Length
    height: Length


class Sheet(Part):
    """A tweak sheet: its number of pages, and the text of each result."""

    pages: Count = PAGES
    overflow: bool = False
    texts: dict[str, str | None] | None = None


class Kit(Part):
    """The printed parts and sheets of a game."""

    parts: Many[Printed] = ()
    sheets: Many[Sheet] = ()


@operation()
def validate_print(kit: Kit, *, spec: GameSpec) -> Answer:
    """Checks the sizes of a kit's printed parts, and the pages and the texts of its sheets."""
    return answer(fault_of(spec, flaw) for flaw in chain(_sheet_sizes(kit, spec.data["printed"]), _sheets(kit)))


def _sheet_sizes(kit: Kit, sizes: Mapping[str, Any]) -> Iterator[Flaw]:
    for at, part in enumerate(kit.parts):
        if part.id not in sizes:
            raise BadInput(f"kit.parts.{at}.id")
        if part.part not in sizes[part.id]:
            raise BadInput(f"kit.parts.{at}.part")
        width, height = sizes[part.id][part.part]
        pairs = ((part.width, width), (part.height, height))
        if any(abs(Fraction(str(actual)) - Fraction(str(nominal))) > TOLERANCE for actual, nominal in pairs):
            size, usual = f"{part.width:g} × {part.height:g}", f"{width:g} × {height:g}"
            words = {"part": f"{part.id} {part.part}", "size": size, "usual": usual}
            yield "component_size_wrong", f"kit.parts.{at}", words


def _sheets(kit: Kit) -> Iterator[Flaw]:
    for at, sheet in enumerate(kit.sheets):
        if sheet.overflow or sheet.pages > PAGES:
            yield "sheet_overflow", f"kit.sheets.{at}", {}
        for result in RESULTS if sheet.texts is not None else ():
            if not ((sheet.texts or {}).get(result) or "").strip():
                yield "text_missing", f"kit.sheets.{at}.{result}", {"result": result}


class ChitRow(Record):
    """A row of chits, with the numbers of the flipped chits if the question has them."""

    total: Count
    flipped: Count = 0
    flipped_numbers: Many[int] | None = None


class CardFlags(Record):
    """The player's statements about a card."""

    conditions_met: bool = False


class SideText(Record):
    """The belongings of one side of a table: its cards, its chits, and the player's statements."""

    display: dict[str, Many[SlotText]]
    discard: Many[str] = ()
    removed: Many[str] = ()
    chits: ChitRow | None = None
    hand: Count | None = None
    off_display: Beside = Beside()
    flags: dict[str, CardFlags] = Field(default_factory=dict)
    first_round_card: str | None = None
    surplus: Many[Space] = ()
    chit_flips_logged: Count | None = None


class TableText(Record):
    """The whole table; `home`, `fo` (Future Offensives) and `tactician` list the cards of these kinds."""

    sides: dict[str, SideText]
    deck: dict[str, Many[str]] | None = None
    common: Common | None = None
    pile: Many[SlotText] | None = None
    home: Many[str] = ()
    fo: Many[str] = ()
    tactician: Many[str] = ()
    pending: Many[Any] = ()
    cards: CardTexts = Field(default_factory=dict)
    conditions_met: Many[str] = ()
    hands: dict[str, Count] = Field(default_factory=dict)
    at_setup: bool = False
    phase_ended: bool = False
    step: str | None = None
    chit_flips_logged: Count | dict[str, Count] | None = None
    first_round_card: str | dict[str, str | None] | None = None


CardPlace = tuple[str, str]
"""A card's id, and the dotted path of its place."""


@dataclass(frozen=True)
class PlayingTable:
    """The cards and displays on a playing table, with the module whose rules apply to them."""

    module: Module
    text: TableText

    @cached_property
    def common_pile(self) -> Slots:
        """The pile that both sides share; a question has it with the common discards, separately, or in a display."""
        if self.text.common is not None:
            return slots(self.text.common.pile)
        if self.text.pile is not None:
            return slots(self.text.pile)
        piles = [slots(side.display.get("pile", ())) for side in self.text.sides.values()]
        return max(piles, key=len, default=())

    @cached_property
    def displays(self) -> Mapping[str, Display]:
        """The displays by side."""
        displays, layout = {}, self.module.layout
        for name, side in self.text.sides.items():
            spaces = {space: slots(side.display.get(space, ())) for space in SPACES}
            pile = slots(side.display.get("pile", ())) if layout == "pile_in_c" else self.common_pile
            displays[name] = Display(layout, spaces, pile)
        return displays

    def off_display(self, area: Literal["home", "tactician", "fo"]) -> set[str]:
        """Returns the cards that belong beside a display: those listed there, and those of the kind `area`."""
        beside = [card for side in self.text.sides.values() for card in getattr(side.off_display, area)]
        of_kind = [id_ for id_, card in self.text.cards.items() if area in OFF_DISPLAY_KINDS & {*card.kinds}]
        return {*getattr(self.text, area), *beside, *of_kind}

    def flips_logged(self, side: str) -> int | None:
        """Returns how many chit flips of a side are logged in this phase.

        None if the question does not say it, or gives one number for both sides that equals their flipped chits.
        """
        logged, own = self.text.chit_flips_logged, self.text.sides[side].chit_flips_logged
        if own is not None:
            return own
        if isinstance(logged, dict):
            return logged.get(side)
        flipped = sum(text.chits.flipped for text in self.text.sides.values() if text.chits)
        return None if logged == flipped else logged

    @cached_property
    def hands(self) -> tuple[int, int] | None:
        """Both hand sizes: those in the question, else the numbers of chits; None if it has neither for a side."""
        sizes = {side: text.chits.total for side, text in self.text.sides.items() if text.chits}
        sizes |= {side: text.hand for side, text in self.text.sides.items() if text.hand is not None} | self.text.hands
        first, second = (sizes.get(side, 0) if side in self.text.sides else 0 for side in self.module.side_ids)
        return (first, second) if first and second else None

    @cached_property
    def extras(self) -> Extras:
        """The extra cards that the displays should have."""
        return extras_for(self.hands if self.hands and self.module.extras_on_display else (0, 0))

    def buried(self) -> Iterator[tuple[str, Slot]]:
        """Yields (place, card) for the cards of every pile, except a top card that counts as the card in C."""
        if self.module.layout != "pile_in_c":
            yield from (("pile", slot) for slot in self.common_pile)
        else:
            for side, display in self.displays.items():
                yield from ((f"sides.{side}.pile", slot) for slot in display.stock[1:])

    def lying(self, side: str) -> Iterator[CardPlace]:
        """Yields a side's cards in its spaces (even unknown ones), its pile, its discards, and its removed cards."""
        for space, lying in self.text.sides[side].display.items():
            if space != "pile":
                yield from ((slot.card, f"sides.{side}.{space}") for slot in slots(lying))
        if self.module.layout == "pile_in_c":
            yield from ((slot.card, f"sides.{side}.pile") for slot in self.displays[side].stock)
        for name in ("discard", "removed"):
            yield from ((card, f"sides.{side}.{name}") for card in getattr(self.text.sides[side], name))

    def shared(self) -> Iterator[CardPlace]:
        """Yields the cards of the common pile and of the common discards."""
        if self.module.layout != "pile_in_c":
            yield from ((slot.card, "pile") for slot in self.common_pile)
        if self.text.common is not None:
            yield from ((card, "common.discard") for card in self.text.common.discard)

    def beside(self, side: str) -> set[str]:
        """Returns the cards beside a side's display, and the cards of either side that are being resolved."""
        own = self.text.sides[side].off_display.cards
        listed = {*own, *self.text.home, *self.text.fo, *self.text.tactician}
        pending = {card for card in self.text.pending if isinstance(card, str)}
        resolving = {str(part["card"]) for part in self.text.pending if isinstance(part, dict) and "card" in part}
        return listed | pending | resolving

    def drawable(self, side: str) -> bool:
        """Returns whether a side could draw a card, from its pile or after a rebalance or a reshuffle (SR-21)."""
        sides = [side] if self.module.deck_mode == "separate" else list(self.text.sides)
        if any(self.displays[name].stock or self.text.sides[name].discard for name in sides):
            return True
        return bool(self.text.common and self.text.common.discard)

    def first_round_cards(self) -> Iterator[tuple[str, str | None]]:
        """Yields the cards chosen for the first round, each with its side, or with None if the question names none."""
        chosen = self.text.first_round_card
        by_side = chosen if isinstance(chosen, dict) else {None: chosen}
        yield from ((card, side) for side, card in by_side.items() if card)
        yield from ((text.first_round_card, side) for side, text in self.text.sides.items() if text.first_round_card)


SAVE_VERSION = 1
ENDED = ("phase_over", "end_phase")
"""The steps of a session in which a phase has ended."""


@operation(further=tuple(TableText.model_fields))
def validate_state(
    base: str | None = None,
    patch: Object = {},  # noqa: B006
    version: Any = None,
    module: Any = None,
    *,
    spec: GameSpec,
    **fields: Any,
) -> Answer:
    """Checks the cards and chits on a table or, with a `version`, in a saved session.

    The rules are those of the module `base`, in which `patch` replaces values by their dotted paths, else of `module`,
    an id or a patched module. `fields` are the other parts of a table, such as `sides` and `deck`.
    """
    fields = {name: value for name, value in fields.items() if value is not None}
    saved = version is not None
    if saved and version != SAVE_VERSION:
        words = {"known": SAVE_VERSION, "version": repr(version)}
        return answer([fault_of(spec, ("save_version_unknown", "version", words))])
    try:
        game: Game
        if base is not None:
            game, where = Patched(base=base, patch=patch), ""
        elif module is not None:
            game, where = module if isinstance(module, str) else read(Patched, module, "module"), "module"
        else:
            raise BadInput("base")
        table = PlayingTable(module_of(spec, game, where), read(TableText, fields, ""))
        if unknown := sorted(set(table.text.sides) - set(table.module.side_ids)):
            raise BadInput(f"sides.{unknown[0]}")
    except BadInput as fault:
        if not saved:
            raise
        return answer([fault_of(spec, ("save_corrupt", fault.path, {}))])
    faults = [fault_of(spec, flaw) for flaw in _state(table)]
    if saved and any(fault.severity is Severity.ERROR for fault in faults):
        faults.append(fault_of(spec, ("save_impossible", "", {})))
    return answer(faults)


def _state(table: PlayingTable) -> Iterator[Flaw]:
    """Yields every fault of a table."""
    for side in table.text.sides:
        yield from _spaces(table, side)
        yield from _chits(table, side)
        for space, slot in table.displays[side] if table.text.at_setup else ():
            if slot.up != (space in SETUP_UP) and not (slot.up and _laid_up(table, side, space, slot)):
                words = {"card": slot.card, "facing": "up" if slot.up else "down"}
                yield "setup_facing", f"sides.{side}.{space}", words
        if table.text.phase_ended or table.text.step in ENDED:
            yield from _unplayed(table, side)
    yield from (("pile_face_up", where, {"card": slot.card}) for where, slot in table.buried() if slot.up)
    yield from _off_display(table)
    yield from _places(table)
    yield from _first_round(table)
    if table.module.extras_on_display and table.hands and over_four(table.hands):
        yield "hand_difference_over_four", "sides", {}


def _spaces(table: PlayingTable, side: str) -> Iterator[Flaw]:
    """Yields a fault for each space that does not hold its target number of cards (SD-16)."""
    text, display = table.text.sides[side], table.displays[side]
    for name in text.display:
        if name not in (*SPACES, "pile"):
            yield "space_unknown", f"sides.{side}.{name}", {"space": name}
    doubled = table.extras.of(table.module.side_ids.index(side))
    counts = {space: len(display.spaces[space]) for space in SPACES}
    if doubled and table.module.extras_on_display:
        wrong = [
            space for space in ("A", "B", "D", "E")
            if (counts[space] == 2) != (space in doubled) and counts[space] in (1, 2) and space not in text.surplus
            and (counts[space] == 2 or table.drawable(side))
        ]  # fmt: skip
        if wrong:
            words = {"doubled": ", ".join(doubled), "wrong": ", ".join(wrong)}
            yield "hand_adjustment_mismatch", f"sides.{side}", words
    middle = {"pile_in_c": (0, 0), "virtual_c": (0, 1), "card_in_c": (1, 1)}[table.module.layout]
    for space in SPACES:
        fewest, most = middle if space == "C" else (1, 1)
        where = f"sides.{side}.{space}"
        if counts[space] < fewest and table.drawable(side):
            yield "space_empty", where, {"space": space, "count": counts[space], "fewest": fewest}
        most += 1 if doubled and space != "C" else 0
        if counts[space] > most and space not in text.surplus:
            yield "space_overfull", where, {"space": space, "count": amount(counts[space]), "most": most}


def _chits(table: PlayingTable, side: str) -> Iterator[Flaw]:
    row, where = table.text.sides[side].chits, f"sides.{side}.chits"
    if row is None:
        return
    if row.total > LIMIT:
        yield "chit_over_limit", where, {"total": row.total, "limit": LIMIT}
    numbers = row.flipped_numbers
    in_order = numbers is None or sorted(numbers) == list(range(1, len(numbers) + 1))
    if not in_order or (numbers is not None and len(numbers) != row.flipped) or row.flipped > row.total:
        yield "chit_order_broken", where, {"flipped": row.flipped, "total": row.total}
    logged = table.flips_logged(side)
    if logged is not None and logged != row.flipped:
        yield "chit_count_mismatch", where, {"flipped": row.flipped, "logged": logged}


def _laid_up(table: PlayingTable, side: str, space: Space, slot: Slot) -> bool:
    """Returns whether a card may be face up at setup: by a setup exception, or as a first-round card."""
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


def _unplayed(table: PlayingTable, side: str) -> Iterator[Flaw]:
    cards = cards_of(table.module, table.text.cards, side)
    met = {card for card, flag in table.text.sides[side].flags.items() if flag.conditions_met}
    met.update(table.text.conditions_met)
    for card in table.displays[side].ups():
        if card in cards and cards[card].mandatory and cards[card].met(met):
            yield "mandatory_unplayed", f"sides.{side}", {"card": card}


def _off_display(table: PlayingTable) -> Iterator[Flaw]:
    """Yields faults for cards that lie in a space or a pile although they belong beside the display."""
    areas = {
        "home_card_on_display": (table.off_display("home"), ("discard", "removed")),
        "tactician_on_display": (table.off_display("tactician"), ("discard", "removed")),
        "fo_card_on_display": (table.off_display("fo"), ("removed",)),
    }
    for side in table.text.sides:
        for card, where in chain(table.lying(side), table.shared()):
            for key, (cards, elsewhere) in areas.items():
                if card in cards and where.rpartition(".")[2] not in elsewhere:
                    yield key, where, {"card": card}


def _places(table: PlayingTable) -> Iterator[Flaw]:
    """Yields faults for cards in two places, in no place, or in play although not in the deck (SD-14)."""
    separate = table.module.deck_mode == "separate"
    groups = [[side] for side in table.text.sides] if separate else [list(table.text.sides)]
    for group in groups:
        places = grouped(chain(*(table.lying(side) for side in group), [] if separate else table.shared()))
        for card, where in places.items():
            if len(where) > 1:
                yield "card_duplicated", where[0], {"card": card, "places": " and in ".join(where)}
        if table.text.deck is None:
            continue
        deck = set(
            chain.from_iterable(table.text.deck.get(name, ()) for name in (group[:1] if separate else table.text.deck))
        )
        beside = set().union(*(table.beside(side) for side in group))
        for card in places.keys() - deck:
            yield "card_foreign", places[card][0], {"card": card}
        for card in deck - places.keys() - beside:
            yield "card_lost", f"deck.{card}", {"card": card}


def _first_round(table: PlayingTable) -> Iterator[Flaw]:
    if not table.text.at_setup:
        return
    for card, side in table.first_round_cards():
        displays = [display for name, display in table.displays.items() if side in (None, name)]
        if not any(Slot(card, True) in display.at("C") for display in displays):
            yield "first_round_card_not_on_top", f"sides.{side or ''}", {"card": card}
