"""Whether a deck of cards serves a module: every fault of its cards, and of the exceptions that name them (§9)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from carddb.core.amounts import amount
from carddb.core.names import did_you_mean
from carddb.game.game import GameSpec
from carddb.games.cdg_solo.module.faults import Fault, answer
from carddb.games.cdg_solo.module.module import Module, Patched, module_of
from carddb.games.cdg_solo.module.parts import CardException
from carddb.games.cdg_solo.play.cards import CardText, printed_number, titled, with_ids
from carddb.games.cdg_solo.play.deal import NO_EXTRAS, extras_for
from carddb.play.fields import Many, Object
from carddb.play.question import Answer, operation

OFF_DISPLAY_KINDS = frozenset({"home", "tactician"})
"""Cards of these kinds never lie on a display, so they do not fill one."""
NUMBER_IT = "Give it the number that is printed on it."


class DeckCard(CardText):
    """A card of a deck as its maker wrote it; values that have codes of their own may be anything."""

    number: Any = None
    ops: Any = None
    order_max: int | None = None

    def deck_in(self, module: Module) -> str:
        """The deck that it belongs to: as it says, else the common one, else its side's."""
        return self.deck or ("main" if "main" in module.decks else self.side or "")


Deck = Sequence[DeckCard]


@operation("S-131", "SR-41", "SD-2", "SD-3", "SD-6", "SD-7")
def validate_deck(base: str, cards: Many[DeckCard], patch: Object = {}, *, spec: GameSpec) -> Answer:  # noqa: B006
    """What is wrong with the cards of a module's decks."""
    module = module_of(spec, Patched(base=base, patch=patch), "")
    return answer(faults(module, cards, spec))


def faults(module: Module, deck: Deck, spec: GameSpec) -> Iterator[Fault]:
    """Every fault of the cards of a module's decks."""
    deck = [with_ids(module, card) for card in deck]
    for at, card in enumerate(deck):
        yield from card_faults(module, card, f"cards.{at}", spec)
    yield from _numbered_twice(module, deck)
    yield from _sizes(module, deck, spec)
    yield from exception_faults(module, deck)


def card_faults(module: Module, card: DeckCard, where: str, spec: GameSpec) -> Iterator[Fault]:
    """Every fault of one card."""
    if card.number is None:
        yield Fault("card_number_missing", where, "the card has no number", NUMBER_IT, ("SD-2",))
    elif not _is_number(card.number):
        message = f"{card.number!r} is not a whole number of at least 1"
        yield Fault("card_number_invalid", where, message, NUMBER_IT, ("SD-2",))
    if not card.title or not card.title.strip():
        yield Fault("card_title_missing", where, "the card has no title", "Fill in its title.", ("SD-2",))
    if card.side not in (fitting := _sides_of(module, card)):
        message = f"the side {card.side!r} does not belong to the deck {card.deck_in(module)}"
        yield Fault("card_side_unknown", where, message, f"Write {' or '.join(fitting or module.side_ids)}.", ("SD-2",))
    yield from _ops_faults(card, where)
    yield from _kind_faults(card, where, spec)


def _ops_faults(card: DeckCard, where: str) -> Iterator[Fault]:
    if card.ops is None and "ops" in card.kinds:
        fix = "Fill in its ops value, or take ops out of its kinds."
        yield Fault("card_ops_missing", where, "an Ops card has a value", fix, ("SD-2",))
    elif card.ops is not None and not (type(card.ops) is int and card.ops >= 0):
        message = f"{card.ops!r} is not a whole number of at least 0"
        yield Fault("card_ops_invalid", where, message, "Fill in the ops value that is printed on it.", ("SD-2",))


def _kind_faults(card: DeckCard, where: str, spec: GameSpec) -> Iterator[Fault]:
    kinds = spec.fields["kinds"].of
    if not card.kinds:
        yield Fault("card_kind_missing", where, "the card is of no kind", f"Known: {', '.join(kinds)}.", ("SD-3",))
    if unknown := [kind for kind in card.kinds if kind not in kinds]:
        message = f"no such kind: {', '.join(unknown)}"
        yield Fault("card_kind_unknown", where, message, did_you_mean(unknown[0], kinds), ("SD-3",))
    for kind, others in spec.data["kind_conflicts"].items():
        against = set(card.kinds) - {kind} if others is None else set(card.kinds) & set(others)
        if kind in card.kinds and against:
            conflicting = ", ".join(sorted(against))
            fix = f"Take {kind} out of its kinds, or {conflicting}."
            yield Fault("card_kind_conflict", where, f"{kind} does not go with {conflicting}", fix, ("SD-3",))
    if "first_opportunity" in card.kinds and not (card.conditions or "").strip():
        message = "a First-Opportunity card says under which conditions"
        yield Fault("card_condition_missing", where, message, "Fill in its conditions.", ("S-85", "SR-28"))


def _is_number(value: Any) -> bool:
    return type(value) is int and value >= 1


def _sides_of(module: Module, card: DeckCard) -> tuple[str, ...]:
    """The sides that a card of its deck may have."""
    deck = card.deck_in(module)
    if module.deck_mode == "separate":
        return (deck,) if deck in module.side_ids else ()
    return (*module.side_ids, "both")


def _numbered_twice(module: Module, deck: Deck) -> Iterator[Fault]:
    seen: set[tuple[str, int]] = set()
    for at, card in enumerate(deck):
        if _is_number(card.number):
            key = (card.deck_in(module), card.number)
            if key in seen:
                message = f"{key[0]} has the number {key[1]} twice"
                fix = "Correct one of the two."
                yield Fault("card_number_duplicate", f"cards.{at}", message, fix, ("SD-2",))
            seen.add(key)


def least(module: Module, spec: GameSpec) -> dict[str, int]:
    """How many cards each deck of a module needs at least, extra cards included."""
    first, second = (module.hand.default.get(side) for side in module.side_ids)
    fixed = module.extras_on_display and first is not None and second is not None
    extras = extras_for((first or 0, second or 0)) if fixed else NO_EXTRAS
    base = spec.data["deck_sizes"][module.deck_mode if module.layout == "pile_in_c" else module.layout]
    if module.deck_mode != "separate":
        return {"main": base + len(extras.spaces)}
    return {side: base + len(extras.of(at)) for at, side in enumerate(module.side_ids)}


def _sizes(module: Module, deck: Deck, spec: GameSpec) -> Iterator[Fault]:
    counts = Counter(card.deck_in(module) for card in deck)
    filling = Counter(card.deck_in(module) for card in deck if OFF_DISPLAY_KINDS.isdisjoint(card.kinds))
    for name, needed in least(module, spec).items():
        fix = f"Add {amount(needed - filling[name])} to {name}."
        if not counts[name]:
            yield Fault("deck_empty", name, f"the deck {name} has no card", fix, ("SD-7",))
        if filling[name] < needed:
            message = f"the deck {name} has {amount(filling[name])}, at least {needed} are needed"
            yield Fault("deck_too_small", name, message, fix, ("SD-7",))


def exception_faults(module: Module, deck: Deck) -> Iterator[Fault]:
    """Exceptions whose card the deck lacks, or has under another title or number (SR-41)."""
    for entry in {(entry.deck, entry.number): entry for entry in module.exceptions if entry.number}.values():
        name = printed_number(entry.deck, entry.number)
        same_title = [card for card in deck if card.title and titled(entry, card.title)]
        same_number = [card for card in deck if (card.deck_in(module), card.number) == (entry.deck, entry.number)]
        if not same_title and not same_number:
            fix = f"Add {entry.title} with the number {name}, or correct the card that stands for it."
            yield Fault("exception_card_unknown", name, f"the deck has no {entry.title} ({name})", fix, ("SD-6",))
        elif not any(card in same_title for card in same_number):
            fix = "Correct number or title, whichever is wrong; the title decides."
            message = _mismatch(entry, name, same_title, same_number)
            yield Fault("exception_title_mismatch", name, message, fix, ("SR-41",))


def _mismatch(entry: CardException, name: str, same_title: Deck, same_number: Deck) -> str:
    if same_number:
        return f"{name} is {same_number[0].title}, not {entry.title}"
    return f"{entry.title} is {same_title[0].deck or ''}#{same_title[0].number}, not {name}"
