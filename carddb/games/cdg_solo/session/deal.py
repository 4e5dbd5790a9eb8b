"""The time before the first round and between phases: setup cards, hands, the deal, the chits."""

from __future__ import annotations

from carddb.games.cdg_solo.play.deal import EXTRA_ORDER, SETUP_UP, Extras, cut, deal, extras_for, over_four
from carddb.games.cdg_solo.play.display import laid_out
from carddb.games.cdg_solo.play.phase import hand_range, why_not_hand
from carddb.games.cdg_solo.session.rounds import begin
from carddb.games.cdg_solo.session.session import Laid, Session
from carddb.play.question import BadInput, Count, Refusal, refuse
from carddb.play.table.engine import action

BETWEEN = ("setup", "end_phase")
"""The steps at which a phase may begin."""


@action("S-94", "S-111", "SR-30", at=["setup"])
def place_first_round(session: Session, card: str) -> Session:
    """Lay a first-round-only card up on its side's pile before the deal, to play its event first."""
    owners = [side for side in session.module.side_ids if _holds(session, side, card)]
    owner = next((side for side in owners if "first_round_only" in session.cards(side)[card].kinds), None)
    if owner is None:
        raise BadInput("card")
    laid = Laid(side=owner, card=card, space="C")
    session = session.with_side(owner, first_round_card=card)
    return session.with_(laid=(*session.table.laid, laid)).say(f"{card} will lie up on the pile of {owner}.")


def _holds(session: Session, side: str, card: str) -> bool:
    return card in session.table.decks.get(session.module.deck_of(side), ())


@action(
    "S-126",
    "S-127",
    "S-128",
    "S-129",
    "S-130",
    at=["setup"],
    serves=lambda session: bool(session.module.setup_exceptions),
)
def set_up(session: Session, key: str) -> Session:
    """Lay the cards up that a scenario asks for, by the key of the module's setup."""
    if key not in session.module.setup_exceptions:
        raise BadInput("key", words=list(session.module.setup_exceptions))
    laid = {card.card: card for card in session.table.laid}
    for entry in session.module.setup_exceptions[key]:
        refuse(card_not_on_display=not _holds(session, entry.side, entry.card))
        laid[entry.card] = Laid(side=entry.side, card=entry.card, space=entry.space)
    return session.with_(laid=tuple(laid.values())).say(f"Set up for {key.replace('_', ' ')}.")


@action("S-32", "S-74", "S-113", "S-117", "S-121", "S-150", "S-173", "S-191", "SR-4", "SR-5", "SR-35", at=BETWEEN)
def start_phase(session: Session, hands: dict[str, Count] | None = None, first: str | None = None) -> Session:
    """Begin a phase: hand sizes, and in the first one the deal; then the chits are laid out.

    `first` takes the first round, else the first side of the module.
    """
    first = session.module.side(first, "first") or session.module.side_ids[0]
    listed = {session.module.side(side, f"hands.{side}"): size for side, size in (hands or {}).items()}
    sizes = {side: _hand(session, side, listed) for side in session.module.side_ids}
    session = _counted(session, sizes)
    fresh = session.table.phase_no == 0 or session.module.options.redeal_each_phase
    session = _dealt(session) if fresh else _grown(session)
    apart = session.module.extras_on_display and over_four(list(sizes.values()))
    warnings = ("hand_difference_over_four",) if apart else ()
    session = session.with_(phase_no=session.table.phase_no + 1, round_no=0, warnings=warnings)
    sizes_text = ", ".join(f"{side} {size}" for side, size in sizes.items())
    return begin(session.say(f"Phase {session.table.phase_no}: hands of {sizes_text}."), first)


def _hand(session: Session, side: str, hands: dict[str, int]) -> int:
    """Returns a side's hand size for the phase: from `hands`, else the last one, else the module's.

    Refuses a size outside the module's range. Raises BadInput if no size is known.
    """
    size = hands.get(side, session.side(side).hand or session.module.hand.default.get(side))
    if size is None:
        raise BadInput(f"hands.{side}", hint=f"how many cards does {side} hold? Say {side}=NUMBER")
    if why_not_hand(session.module, size):
        least, most = hand_range(session.module)
        raise Refusal("hand_size_out_of_range", hint=f"A hand of {side} has {least} to {most} cards, not {size}.")
    return size


def _counted(session: Session, sizes: dict[str, int]) -> Session:
    """Gives each side its hand size and new chits, and resets what the last phase has left."""
    doubled = extras_for(list(sizes.values())) if session.module.extras_on_display else Extras()
    for at, (side, size) in enumerate(sizes.items()):
        old = session.side(side)
        beside = old.off_display.with_(home=(*old.off_display.home, *old.off_display.home_used), home_used=())
        session = session.with_side(
            side,
            hand=size,
            off_display=beside,
            rounds=0,
            passed=False,
            pass_barred=old.bars_next,
            bars_next=False,
            targets=doubled.of(at),
        )
        if session.module.counts_chits:
            session = session.with_chits(side, laid_out(size))
    return session


def _dealt(session: Session) -> Session:
    """Returns the session with decks shuffled, cut if necessary, and dealt, without the cards placed before (SR-30)."""
    module, stream = session.module, session.stream()
    first = session.table.phase_no == 0
    laid_up = session.table.laid if first else ()
    decks = []
    for name in module.decks:
        deck = _unlaid(session, name) if first else _gathered(session, name)
        stream.shuffle(deck)
        decks.append(deck)
    if module.deck_mode == "common_split":
        decks = [list(half) for half in cut(decks[0])]
    sides = module.side_ids
    laid = [{card.space: card.card for card in laid_up if card.side == side} for side in sides]
    doubled = [session.side(side).targets for side in sides]
    displays, pile = deal(module.layout, decks, doubled, laid, module.options.deal_alternate_sides)
    session = session.with_stream(stream)
    for side, display in zip(sides, displays, strict=True):
        session = session.with_display(side, display)
        if first:
            home, tactician = _beside(session, side, "home"), _beside(session, side, "tactician")
            beside = session.side(side).off_display.with_(home=home, tactician=tactician)
            session = session.with_side(side, off_display=beside)
    if session.table.common is not None and pile is not None:
        session = session.with_(common=session.table.common.with_(pile=tuple(str(slot) for slot in pile)))
    return session


def _unlaid(session: Session, deck: str) -> list[str]:
    """Returns the cards of a deck to shuffle: all except cards placed before the deal, Home and Tactician cards."""
    taken = {laid.card for laid in session.table.laid}
    taken |= {id_ for id_, card in session.table.cards.items() if not {"home", "tactician"}.isdisjoint(card.kinds)}
    return [card for card in session.table.decks[deck] if card not in taken]


def _gathered(session: Session, deck: str) -> list[str]:
    """Returns the cards of a deck that are on displays and in piles, to be dealt again."""
    stock = session.stock()
    lying = {slot.card for pile in stock.piles for slot in pile}
    for side in session.module.side_ids:
        lying |= {slot.card for _, slot in session.display(side)}
    return [card for card in session.table.decks[deck] if card in lying]


def _beside(session: Session, side: str, kind: str) -> tuple[str, ...]:
    """Returns the cards of a kind that belong beside a side's display."""
    cards, sides = session.table.cards, session.module.side_ids
    deck = session.table.decks[session.module.deck_of(side)]
    own = session.module.deck_mode == "separate"
    nobodys = own or side == sides[0]  # a card of a common deck that names no side lies beside the first
    return tuple(
        card
        for card in deck
        if kind in cards[card].kinds and (cards[card].side == side or (nobodys and cards[card].side not in sides))
    )


def _grown(session: Session) -> Session:
    """Deals new extra cards at once; a space with too many cards keeps them (SR-35)."""
    for side in session.module.side_ids:
        for space in (space for space in EXTRA_ORDER if space in session.side(side).targets):
            display = session.display(side)
            if len(display.at(space)) < 2:
                session = session.with_supply(side)
                display = session.display(side)
                filled, card = display.refilled(space, "up" if space in SETUP_UP else "down")
                if card:
                    session = session.with_display(side, filled)
    return session
