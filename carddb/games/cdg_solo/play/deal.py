"""The method die, cutting, dealing, shuffling, and random selection (S-25 to S-30, S-67 to S-71, S-104 to S-108)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Annotated, Any, Literal

from pydantic import Field

from carddb.game.game import GameSpec
from carddb.games.cdg_solo.module import DeckMode, Game, OnEmpty, module_of
from carddb.games.cdg_solo.play.display import WINGS, Display, Layout, Result, Slot, Slots, Space, letters, result_of
from carddb.play.chance import SIDES, Stream
from carddb.play.question import Answer, BadInput, Count, Many, Part, Positive, operation, refuse

Wing = Literal["A", "B", "D", "E"]

SETUP_UP = ("A", "B")
"""The spaces whose cards are dealt face up; all others are dealt face down."""
EXTRA_ORDER: tuple[Wing, ...] = ("A", "D", "B", "E")
"""The spaces in the order in which they get extra cards: the first `n` for a difference of `n` (S-100, SR-4)."""


@operation()
def die_result(face: int, die_table: dict[str, Result] | None = None, *, spec: GameSpec) -> Answer:
    """The result that a face of the method die stands for, by `die_table` or by the usual table."""
    refuse(die_face_invalid=face not in SIDES)
    template = spec.data["modules"][spec.data["template"]]
    usual: Mapping[str, Any] = spec.options["die_table"].default or template["die_table"]
    table = die_table or {face: result_of(spec, word) for face, word in usual.items()}
    if str(face) not in table:
        raise BadInput(f"die_table.{face}")
    result = table[str(face)]
    places = letters(result)
    return {"result": result, "letters": places, "jolly_roger": result == "C_JR", "c_result": "C" in places}


SideNumber = Annotated[Literal[0, 1], Field(description="A side, counted from 0.")]
LaidCards = Mapping[Space, str]
"""The cards that are placed face up before the deal, by space (S-94, S-127 to S-130)."""


class Extras(Part):
    """The side with the larger hand, and its spaces that get an extra card."""

    side: SideNumber | None = None
    spaces: Many[Wing] = ()

    def of(self, side: int) -> tuple[Space, ...]:
        """Returns the spaces of `side` that get an extra card."""
        return self.spaces if side == self.side else ()


NO_EXTRAS = Extras()


def extras_for(hands: Sequence[int]) -> Extras:
    """Returns the extra cards for two hand sizes: one for each card of the difference, at most four (S-100, SR-33)."""
    first, second = hands
    if first == second:
        return NO_EXTRAS
    count = min(abs(first - second), len(EXTRA_ORDER))
    return Extras(side=0 if first > second else 1, spaces=tuple(sorted(EXTRA_ORDER[:count])))


def over_four(hands: Sequence[int]) -> bool:
    """Returns whether the difference of the hands exceeds the number of spaces for extra cards."""
    return abs(hands[0] - hands[1]) > len(EXTRA_ORDER)


@operation()
def extras(hands: Many[Count]) -> Answer:
    """The side (0 or 1) with the larger of two `hands`, and the spaces in which it gets extra cards."""
    if len(hands) != 2:
        raise BadInput("hands")
    extra = extras_for(hands)
    answer: dict[str, Any] = {"side": extra.side, "spaces": list(extra.spaces)}
    return answer | {"warning": "hand_difference_over_four"} if over_four(hands) else answer


def halves(n: int) -> tuple[int, int]:
    """Returns the sizes of the two parts of a deck of `n` cards that is cut in half, the larger first (SR-20)."""
    return n - n // 2, n // 2


@operation()
def split(n: Count, kind: Literal["setup", "rebalance", "reshuffle"]) -> Answer:
    """The sizes of a deck's halves: first the half for the first side or, in a rebalance, for the side out of cards."""
    return {"sizes": list(halves(n))}


def dealt(layout: Layout, doubled: Sequence[Space] = ()) -> list[Space]:
    """Returns the spaces in the order of the deal (SR-4); `doubled` spaces get a second card at the end."""
    single: list[Space] = ["A", "B", "C", "D", "E"] if layout == "card_in_c" else list(WINGS)
    return single + [space for space in EXTRA_ORDER if space in doubled]


def deal(
    layout: Layout,
    decks: Sequence[Sequence[str]],
    doubled: Sequence[Sequence[Space]] = ((), ()),
    laid: Sequence[LaidCards] = ({}, {}),
    alternate: bool = False,
) -> tuple[tuple[Display, Display], Slots | None]:
    """Returns both displays, dealt from each side's deck or from one common deck, and the common pile that is left.

    The pile is None if each side has its own. `doubled` are each side's spaces for two cards, `laid` the cards placed
    before: each replaces the first card dealt to its space; in C of `pile_in_c` it lies face up on the pile (SR-30).
    `alternate` deals to the sides in turn, a card each time.
    """
    orders = [dealt(layout, extra) for extra in doubled]
    for order, own in zip(orders, laid, strict=True):
        for space in own:
            if space in order:
                order.remove(space)
    steps = [(side, space) for side in (0, 1) for space in orders[side]]
    if alternate:
        pairs = zip_longest(*orders)
        steps = [(side, space) for pair in pairs for side, space in enumerate(pair) if space is not None]
    piles = [list(deck) for deck in decks]
    hands: list[dict[Space, Slots]] = [{space: (Slot(card, True),) for space, card in own.items()} for own in laid]
    for side, space in steps:
        pile = piles[side % len(piles)]
        if pile:
            hands[side][space] = (*hands[side].get(space, ()), Slot(pile.pop(0), space in SETUP_UP))
    rest = [tuple(Slot(card) for card in pile) for pile in piles]
    if layout != "pile_in_c":
        return (Display(layout, hands[0], None), Display(layout, hands[1], None)), rest[0]
    tops = [hand.pop("C", ()) for hand in hands]
    first, second = (Display(layout, hands[side], (*tops[side], *rest[side])) for side in (0, 1))
    return (first, second), None


def cut(deck: Sequence[Any], size: int | None = None) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """Returns the top part and the rest of a deck. The top part is half of it, or `size` cards if given (SR-20)."""
    at = halves(len(deck))[0] if size is None else size
    return tuple(deck[:at]), tuple(deck[at:])


@operation()
def setup(
    layout: Layout,
    deck_mode: DeckMode,
    decks: Many[Many[str]],
    extras: Extras | None = None,
    game: Game | None = None,
    *,
    spec: GameSpec,
) -> Answer:
    """Deals both displays from shuffled decks, top card first; the answer has a pile if it lies off the displays.

    The sides are dealt to in turn, a card each time, if an option of the game says so (SR-4).
    """
    if len(decks) != (2 if deck_mode == "separate" else 1):
        raise BadInput("decks")
    refuse(deck_mode_layout_mismatch=not deck_mode_fits(layout, deck_mode))
    halved = cut(decks[0]) if deck_mode == "common_split" else decks
    in_turn = game is not None and module_of(spec, game).options["deal_alternate_sides"]
    displays, pile = deal(layout, halved, [(extras or NO_EXTRAS).of(side) for side in (0, 1)], alternate=in_turn)
    answer: dict[str, Any] = {"displays": [display.to_json() for display in displays]}
    return answer if pile is None else {**answer, "pile": [str(slot) for slot in pile]}


def deck_mode_fits(layout: str, deck_mode: str) -> bool:
    """Returns whether a layout and a deck mode fit together: only `pile_in_c` has a pile for each side."""
    return (layout == "pile_in_c") == (deck_mode != "common_off")


@dataclass(frozen=True)
class Stock:
    """The piles and the discards: those of each side, or one common pile with common discards."""

    piles: tuple[Slots, ...]
    discards: tuple[tuple[str, ...], ...]

    def replenished(
        self, side: int, on_empty: OnEmpty, stream: Stream, size: int | None = None
    ) -> tuple[Stock, str | None]:
        """Returns the stock from which a side can draw a card, and how its empty pile was filled.

        The second value is `rebalance`, `reshuffle`, `stop` (ask the player), `pile_empty` (there are no cards), or
        None if the pile was not empty (SR-21, SR-55). `size` is the size of the top part if the player cuts the pile.
        """
        own = side % len(self.piles)
        if self.piles[own]:
            return self, None
        if on_empty == "stop":
            return self, "stop"
        if on_empty == "rebalance_then_reshuffle" and len(self.piles) > 1:
            # The other side's pile is cut in two; the side that ran out gets the top part (S-68).
            top, rest = _set_aside(self.piles[1 - own])
            mine, others = cut(rest, size)
            if mine:
                piles = (mine, top + others) if own == 0 else (top + others, mine)
                return replace(self, piles=piles), "rebalance"
        mixed = self.reshuffled_own(own, stream) if on_empty == "reshuffle_own" else self.reshuffled(stream, size)
        return (mixed, "reshuffle") if mixed.piles[own] else (self, "pile_empty")

    def reshuffled_own(self, own: int, stream: Stream) -> Stock:
        """Returns the stock with the discards of the side with the index `own` shuffled into its pile."""
        pile = shuffled_with(self.piles[own], self.discards[own], stream)
        piles = tuple(pile if at == own else old for at, old in enumerate(self.piles))
        return Stock(piles, tuple(() if at == own else old for at, old in enumerate(self.discards)))

    def reshuffled(self, stream: Stream, size: int | None = None) -> Stock:
        """Returns the stock with all piles and discards shuffled, and cut if each side has a pile (S-69, S-170)."""
        aside = [_set_aside(pile) for pile in self.piles]
        under = [slot for _, rest in aside for slot in rest]
        mixed = shuffled_with(tuple(under), [card for discard in self.discards for card in discard], stream)
        parts = cut(mixed, size) if len(self.piles) > 1 else (mixed,)
        piles = tuple(top + part for (top, _), part in zip(aside, parts, strict=True))
        return Stock(piles, tuple(() for _ in self.discards))


def shuffled_with(pile: Slots, cards: Sequence[str], stream: Stream) -> Slots:
    """Returns a pile with `cards` shuffled in, all face down; a face-up top card stays on top (SR-22, S-146)."""
    top, rest = _set_aside(pile)
    mixed = [*(slot.card for slot in rest), *cards]
    stream.shuffle(mixed)
    return top + tuple(Slot(card) for card in mixed)


def _set_aside(pile: Slots) -> tuple[Slots, Slots]:
    return (pile[:1], pile[1:]) if pile and pile[0].up else ((), pile)


CHARTED = range(1, 6)
"""The numbers of cards for which the random selection chart has a row."""


def ranges(n: int) -> list[list[int]]:
    """Returns, for each of `n` cards (1 to 6), the first and last face of a six-sided die that picks it.

    Every card gets equally many faces; the rest are rolled again. Empty for one card, which needs no roll.
    """
    each = len(SIDES) // n
    return [[first, first + each - 1] for first in range(1, n * each + 1, each)] if n > 1 else []


def rerolled(n: int) -> list[int]:
    """Returns the faces that pick none of `n` cards, so that the die is rolled again."""
    return [face for face in SIDES if 1 < n <= len(SIDES) and face > n * (len(SIDES) // n)]


def picked(n: int, roll: int | None, path: str) -> int | None:
    """Returns the index, from 0, that a roll picks among `n` cards; None to roll again.

    For up to six cards the roll is a die; for more it is a uniform draw from 1 to `n`. Raises BadInput for other rolls.
    """
    if n == 1:
        return 0
    most = max(n, len(SIDES))
    if roll is None or not 1 <= roll <= most:
        raise BadInput(path, least=1, most=most)
    if n > len(SIDES):
        return roll - 1
    return next((at for at, (first, last) in enumerate(ranges(n)) if first <= roll <= last), None)


def pick(candidates: Sequence[str], roll: int | None, path: str) -> str | None:
    """Returns the card that a roll picks from `candidates`; None to roll again."""
    at = picked(len(candidates), roll, path)
    return None if at is None else candidates[at]


@operation()
def random_select(n: Count, roll: Positive | None = None) -> Answer:
    """The index, from 0 in the order A to E, of the card that a roll picks among `n` cards."""
    if n == 0:
        return {"none": True}
    at = picked(n, roll, "roll")
    if at is None:
        return {"reroll": True}
    return {"index": at, "no_roll": True} if n == 1 else {"index": at}


@operation()
def chart_text() -> Answer:
    """The rows of the random selection chart."""
    rows: list[dict[str, Any]] = [{"n": n, "ranges": ranges(n), "reroll": rerolled(n)} for n in CHARTED]
    rows[0]["no_roll"] = True
    return {"rows": rows}
