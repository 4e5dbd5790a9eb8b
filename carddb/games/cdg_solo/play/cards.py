"""The cards of a question, with the effects of the module's exceptions for them (SD-2, SD-3, SD-9)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cache
from math import inf
from typing import Annotated, Any, Literal, Self, TypeVar

from pydantic import Field, ValidationInfo, model_validator

from carddb.core.names import fold
from carddb.games.cdg_solo.module import CardException, CardFilter, Module
from carddb.games.cdg_solo.play.display import Display, DisplayText
from carddb.play.question import BadInput, Count, Known, Many, Part, Words, by_field, given

Kind = Annotated[
    Literal[
        "ops", "event", "combat", "response", "scoring", "mandatory", "first_opportunity", "home", "first_round_only",
        "future_offensive_able", "campaign", "battle", "section", "tactics", "first_strike", "tactician",
    ],
    Words("kinds"),
]  # fmt: skip
"""The kinds that a card may have (SD-3)."""
MANDATORY = frozenset({"mandatory", "first_opportunity"})
"""The kinds that make a card Mandatory; First Opportunity implies Mandatory (SD-3)."""
ADDED_KINDS = ("mandatory", "first_opportunity", "first_round_only")
"""The hooks that add the kind of the same name to a card."""
FLAGS = ("no_discard", "discard_allowed", "reshuffle_if_oc_or_discard")
"""The hooks that add the flag of the same name to a card."""
FIRST_PHASE_ONLY = "first_phase_only"
"""The flag of a card whose event may be played only in the first round of the game, not of every phase (S-111)."""


class CardText(Part, extra="ignore"):
    """A card in a question; its keys may be the headings of a cards file, and its title may be called `name`."""

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
    """A card as one side may play it, with the effects of its exceptions."""

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
        """True if the card may not be discarded at will: Mandatory or `no_discard`, unless `discard_allowed` (S-84)."""
        return "discard_allowed" not in self.flags and (self.mandatory or "no_discard" in self.flags)

    def met(self, conditions_met: Collection[str]) -> bool:
        """Returns whether the card has no conditions, or the player has declared them met (SR-28)."""
        return not self.conditional or self.id in conditions_met

    def in_first_round(self, first_round: bool, first_phase: bool) -> bool:
        """Returns whether this card, which is for first rounds only, may be played as its event now (S-93, S-111)."""
        return first_round and (first_phase or FIRST_PHASE_ONLY not in self.flags)

    def fits(self, filter_: CardFilter) -> bool:
        """Returns whether the card passes a filter of kinds and ops values."""
        if filter_.ops is not None and (self.ops is not None) != (filter_.ops == "with"):
            return False
        of_kind = filter_.kinds is None or not self.kinds.isdisjoint(filter_.kinds)
        return of_kind and self.kinds.isdisjoint(filter_.not_kinds)


class Cards(dict[str, Card]):
    """The cards of a question by id. Raises BadInput for an id that the question lacks."""

    def __missing__(self, id_: str) -> Card:
        raise BadInput(f"cards.{id_}")

    def up(self, display: Display, holds: Callable[[Card], bool]) -> list[str]:
        """Returns the face-up cards on a display for which `holds` is true, from A to E."""
        return [id_ for id_ in display.ups() if holds(self[id_])]

    def mandatory_up(self, display: Display, conditions_met: Collection[str]) -> list[str]:
        """Returns the face-up Mandatory cards whose conditions are met (S-87)."""
        return self.up(display, lambda card: card.mandatory and card.met(conditions_met))


def cards_of(module: Module, texts: Mapping[str, CardText], side: str | None) -> Cards:
    """Returns the cards of a question as `side` may play them; if it is None, the exceptions of both sides apply."""
    return Cards({id_: card_of(module, id_, with_ids(module, text), side) for id_, text in texts.items()})


def with_ids(module: Module, text: TextOf) -> TextOf:
    """Returns the card with the ids of its deck and its side, where the question names these."""
    deck, side = module.side_or_deck(text.deck), module.side_or_deck(text.side)
    return text if (deck, side) == (text.deck, text.side) else text.model_copy(update={"deck": deck, "side": side})


def card_of(module: Module, id_: str, text: CardText, side: str | None) -> Card:
    """Returns the card with the effects that the module's exceptions have for `side`."""
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
    """Returns the exceptions for a card, found by its title, else by its deck and number (SD-6)."""
    by_title = [entry for entry in module.exceptions if card.title and titled(entry, card.title)]
    if by_title:
        decks = [entry for entry in by_title if card.deck in (None, entry.deck)] or by_title
        return [entry for entry in decks if card.number in (None, entry.number)] or decks
    if card.number is None:
        return []
    deck = card.deck or ("main" if "main" in module.decks else card.side)
    return [entry for entry in module.exceptions if (entry.deck, entry.number) == (deck, card.number)]


def titled(entry: CardException, title: str) -> bool:
    """Returns whether `title` is the title of an exception, or one of its aliases."""
    return fold(title) in _spellings(entry.title, entry.aliases)


@cache
def _spellings(title: str, aliases: tuple[str, ...]) -> frozenset[str]:
    return frozenset(map(fold, (title, *aliases)))


def _holds_for(entry: CardException, side: str | None) -> bool:
    """Returns whether an exception applies to a side; in a common deck it may apply to one side only (S-120)."""
    if entry.hook not in (*ADDED_KINDS, *FLAGS) or side is None:
        return True
    return entry.params.get("side") in (None, entry.deck, side)


def chits_left(module: Module, u: int | None) -> float:
    """Returns `u`, the unflipped chits; infinity in a game without chits (SR-68). Raises BadInput if `u` is missing."""
    return given(u, "u") if module.counts_chits else inf


@dataclass(frozen=True)
class Position:
    """The position of a side: its module, its display, the cards by id, and how many unflipped chits are `left`."""

    module: Module
    display: Display
    cards: Cards
    left: float = inf

    @classmethod
    def asked(
        cls, module: Module, display: DisplayText, cards: CardTexts, u: int | None, side: str | None, **further: Any
    ) -> Self:
        """Returns the position in a question; a subclass adds `further` fields. Raises BadInput if `u` is missing."""
        return cls(module, display.on(module.layout), cards_of(module, cards, side), chits_left(module, u), **further)

    def why_not_up(self, card: str, chits: int = 1) -> str | None:
        """Returns the reason why a card of the display cannot be played if that needs `chits` chits; None if it can."""
        place = self.display.find(card)
        if self.left < chits:
            return "no_chits_left"
        if place is None:
            return "card_not_on_display"
        return None if place[1].up else "card_face_down"


def printed_number(deck: str | None, number: object) -> str:
    """Returns a card's number as printed: `CP#1` with the id of a side's own deck, `#1` of a common deck (SD-2)."""
    return f"{'' if deck in (None, 'main') else deck}#{number}"
