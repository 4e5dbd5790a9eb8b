"""Cards for the rules: the attributes of the deck, and what the module's exceptions add (SD-2, SD-3, SD-9)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Literal, TypeVar

from pydantic import Field, ValidationInfo, model_validator

from carddb.core.names import fold
from carddb.games.cdg_solo.module.module import CardException, CardFilter, Module
from carddb.games.cdg_solo.play.display import Display
from carddb.play.question import BadInput, Count, Known, Many, Part, Words, by_field

Kind = Annotated[
    Literal[
        "ops", "event", "combat", "response", "scoring", "mandatory", "first_opportunity", "home", "first_round_only",
        "future_offensive_able", "campaign", "battle", "section", "tactics", "first_strike", "tactician",
    ],
    Words("kinds"),
]  # fmt: skip
"""What a card may be of (SD-3)."""
MANDATORY = frozenset({"mandatory", "first_opportunity"})
"""The second implies the first (SD-3)."""
ADDED_KINDS = ("mandatory", "first_opportunity", "first_round_only")
"""The hooks that add their kind to a card."""
FLAGS = ("no_discard", "discard_allowed", "reshuffle_if_oc_or_discard")
"""The hooks that add a flag to a card."""
FIRST_PHASE_ONLY = "first_phase_only"
"""The flag of a card whose event is for the first round of the game, not of each phase (S-111)."""


class CardText(Part, extra="ignore"):
    """A card's attributes in a question; its keys may be the headings of a card file, its title may be its name."""

    deck: str | None = None
    number: int | None = None
    title: str | None = None
    side: str | None = None
    ops: Count | None = None
    kinds: Many[Known[Kind]] = ()
    conditions: str | None = None
    remove_after: Literal["never", "event", "always"] = "never"
    no_discard: bool = False
    draws_card: bool = False
    order_max: Annotated[int, Field(ge=0)] | None = None
    note: str | None = None

    @model_validator(mode="before")
    @classmethod
    def _by_field(cls, value: Any, info: ValidationInfo) -> Any:
        if info.context is None or not isinstance(value, Mapping):
            return value
        card = by_field(info.context, value, "")
        return card if card.get("title") or "name" not in card else {**card, "title": card["name"]}


CardTexts = dict[str, CardText]
TextOf = TypeVar("TextOf", bound=CardText)


@dataclass(frozen=True, slots=True)
class Card:
    """A card with everything that its exceptions add, for one side."""

    id: str
    ops: int | None = None
    kinds: frozenset[str] = frozenset()
    conditional: bool = False
    remove_after: str = "never"
    draws_card: bool = False
    flags: frozenset[str] = frozenset()
    hooks: tuple[str, ...] = ()

    @property
    def mandatory(self) -> bool:
        return bool(self.kinds & MANDATORY)

    @property
    def bound(self) -> bool:
        """Returns whether it can never be discarded at will: a Mandatory card, or one marked so (S-84)."""
        return "discard_allowed" not in self.flags and (self.mandatory or "no_discard" in self.flags)

    def met(self, conditions_met: Collection[str]) -> bool:
        """Returns whether its conditions hold: it has none, or the player says so (SR-28)."""
        return not self.conditional or self.id in conditions_met

    def in_first_round(self, first_round: bool, first_phase: bool) -> bool:
        """Returns whether its first-round-only event may be played: in that of a phase or of the game (S-93, S-111)."""
        return first_round and (first_phase or FIRST_PHASE_ONLY not in self.flags)

    def fits(self, filter_: CardFilter) -> bool:
        """Returns whether it passes a filter of kinds and ops values."""
        if filter_.ops is not None and (self.ops is not None) != (filter_.ops == "with"):
            return False
        of_kind = filter_.kinds is None or not self.kinds.isdisjoint(filter_.kinds)
        return of_kind and self.kinds.isdisjoint(filter_.not_kinds)


class Cards(dict[str, Card]):
    """The cards of a question by id; a card that the rules need and the question lacks is bad input."""

    def __missing__(self, id_: str) -> Card:
        raise BadInput(f"cards.{id_}")

    def up(self, display: Display, holds: Callable[[Card], bool]) -> list[str]:
        """Returns the cards that lie up on a display and pass, from A to E."""
        return [id_ for id_ in display.ups() if holds(self[id_])]

    def mandatory_up(self, display: Display, conditions_met: Collection[str]) -> list[str]:
        """Returns the Mandatory cards that lie up with their conditions met (S-87)."""
        return self.up(display, lambda card: card.mandatory and card.met(conditions_met))


def cards_of(module: Module, texts: Mapping[str, CardText], side: str | None) -> Cards:
    """Returns the cards of a question as one side holds them; without a side no exception is left out."""
    return Cards({id_: card_of(module, id_, with_ids(module, text), side) for id_, text in texts.items()})


def with_ids(module: Module, text: TextOf) -> TextOf:
    """Returns a card with the ids of the deck and the side that it names."""
    deck, side = module.side_or_deck(text.deck), module.side_or_deck(text.side)
    return text if (deck, side) == (text.deck, text.side) else text.model_copy(update={"deck": deck, "side": side})


def card_of(module: Module, id_: str, text: CardText, side: str | None) -> Card:
    """Returns a card with what the module's exceptions add to it."""
    entries = [entry for entry in exceptions_for(module, text) if _holds_for(entry, side)]
    added = {entry.hook for entry in entries}
    flags = added.intersection(FLAGS) | ({"no_discard"} if text.no_discard else set())
    if any(entry.hook == "first_round_only" and entry.params.get("scope") == "game" for entry in entries):
        flags.add(FIRST_PHASE_ONLY)
    return Card(
        id_,
        text.ops,
        frozenset(text.kinds) | added.intersection(ADDED_KINDS),
        bool(text.conditions) or any(entry.params.get("conditional") for entry in entries),
        text.remove_after,
        text.draws_card,
        frozenset(flags),
        tuple(entry.hook for entry in entries),
    )


def exceptions_for(module: Module, card: CardText) -> list[CardException]:
    """Returns the exceptions of a card: by title first, then by deck and number (SD-6)."""
    if not module.exceptions:
        return []
    if card.title:
        folded = fold(card.title)
        by_title = [entry for entry in module.exceptions if folded in _spellings(entry.title, entry.aliases)]
        if by_title:
            decks = [entry for entry in by_title if card.deck in (None, entry.deck)] or by_title
            return [entry for entry in decks if card.number in (None, entry.number)] or decks
    if card.number is None:
        return []
    deck = card.deck or ("main" if "main" in module.decks else card.side)
    return [entry for entry in module.exceptions if (entry.deck, entry.number) == (deck, card.number)]


def titled(entry: CardException, title: str) -> bool:
    """Returns whether a title is that of an exception, misprints and other spellings included."""
    return fold(title) in _spellings(entry.title, entry.aliases)


@cache
def _spellings(title: str, aliases: tuple[str, ...]) -> frozenset[str]:
    return frozenset(map(fold, (title, *aliases)))


def _holds_for(entry: CardException, side: str | None) -> bool:
    """Returns whether an exception binds a side: on a card of a common deck it may bind one side only (S-120)."""
    if entry.hook not in (*ADDED_KINDS, *FLAGS) or side is None:
        return True
    return entry.params.get("side") in (None, entry.deck, side)


def printed_number(deck: str | None, number: object) -> str:
    """Returns a card's number as printed: `CP#1` with the id of a side's own deck, `#1` of a common deck (SD-2)."""
    return f"{'' if deck in (None, 'main') else deck}#{number}"
