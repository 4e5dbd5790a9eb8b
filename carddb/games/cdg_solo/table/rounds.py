"""The beginning of a phase with its deal, and a round up to the choice of a card."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import cast

from carddb.games.cdg_solo.play.deal import (
    EXTRA_ORDER,
    SETUP_UP,
    Extras,
    cut,
    deal,
    extras_for,
    over_four,
    shuffled_with,
)
from carddb.games.cdg_solo.play.die import Result, has_c
from carddb.games.cdg_solo.play.display import Display, Space, laid_out
from carddb.games.cdg_solo.play.phase import excess, hand_range, why_not_hand
from carddb.games.cdg_solo.play.plays import ChoiceFlags, HomeCard, Situation, choices, why_not_beside
from carddb.games.cdg_solo.play.rounds import RoundFlags, Start, flip, start, why_not_alternative
from carddb.games.cdg_solo.table.session import Laid, Pending, Roll, Session
from carddb.play.question import BadInput, Count, Die, Many, Refusal, refuse, refuse_for
from carddb.play.table.engine import action

_PLACE = re.compile("([A-E])([12])?")


def begin(session: Session, side: str) -> Session:
    """Begins a side's round, with the die or with a forced play."""
    session = session.with_(active=side, roll=None, round_no=session.table.round_no + 1, step="round_ready")
    session = session.with_(pending=Pending(reshuffle=session.table.pending.reshuffle))
    session = session.with_side(side, rounds=session.side(side).rounds + 1)
    beginning = opening(session, side)
    if beginning.step == "forced":
        session = session.at("forced").say(f"{side} must play {' or '.join(beginning.cards)}.")
    return session


def opening(session: Session, side: str) -> Start:
    """Returns how a side's round begins under the rules."""
    left = session.plays_left(side)
    return start(session.module, session.display(side), session.cards(side), left, flags(session, side))


def flags(session: Session, side: str) -> RoundFlags:
    """Returns the flags of a round that begins: the player's statements, and what the session has counted."""
    own = session.side(side)
    return RoundFlags(
        conditions_met=own.conditions_met,
        first_round=own.rounds == 1,
        first_phase=session.table.phase_no == 1,
        first_round_card=own.first_round_card if session.table.phase_no == 1 else None,
        pass_available=True,
        pass_barred=own.pass_barred,
        side=side,
    )


def has_cards(session: Session, side: str) -> bool:
    """Returns whether a side still has rounds in this phase."""
    return not session.side(side).passed and session.plays_left(side) >= 1


@action(
    *("S-110", "S-122", "S-151", "S-152", "S-153", "S-165", "SR-8", "SR-52"),
    at=["round_ready", "choose_flip", "choosing"],
    serves=lambda session: any(why_not_instead(session, code) is None for code in session.module.alternatives),
)
def alternative(session: Session, code: str) -> Session:
    """Do what the game allows instead of playing a card: a 1-Ops activation, a free round, a Pass."""
    refuse_for(why_not_instead(session, code))
    side, rule = session.active, session.module.alternative_rules[code]
    session = session.with_side(side, passed=rule.ends_phase_for_side, bars_next=rule.bars_next_phase)
    return session.at("resolving").say(f"{side}: {code.replace('_', ' ')}, no card is played.")


@action(
    *("S-4", "S-35", "SR-9", "SR-65"),
    at=["round_ready"],
    otherwise=lambda session: "roll_barred_forced_play" if session.step == "forced" else "wrong_step",
)
def roll(session: Session, face: Die | None = None, more: Many[Die] = ()) -> Session:
    """Roll the method die, or type what a die on the table shows; of several dice, what each of them shows."""
    refuse(no_chits_left=not has_cards(session, session.active))
    typed = [*([] if face is None else [face]), *more]
    session, rolled = session.rolled(session.module.options["dice_count"], typed, path="more")
    if len(set(rolled)) == 1:
        return _used(session, rolled, rolled[0])
    session = session.say(f"{session.active} rolls {', '.join(map(str, rolled))}: pick one.")
    return session.with_(roll=Roll(dice=rolled)).at("choose_die")


@action("SR-65", at=["choose_die"])
def pick(session: Session, face: Die) -> Session:
    """Choose which of several method dice is used."""
    rolled = session.table.roll.dice if session.table.roll else ()
    if face not in rolled:
        raise BadInput("face")
    return _used(session, rolled, face)


def _used(session: Session, dice: tuple[int, ...], face: int) -> Session:
    result: Result = session.module.table[str(face)]
    session = session.with_(roll=Roll(dice=dice, result=result)).say(f"{session.active} rolls {face}: {result}.")
    if any(why_not_home(session, home.used) is None for home in _home_cards(session)):
        return session.at("choose_home").say("A Home card may be played instead of turning up card C.")
    return flipped(session)


def why_not_instead(session: Session, code: str) -> str | None:
    """Returns why the active side may not use the alternative `code` now, or None."""
    side = session.active
    reason = why_not_alternative(session.module, code, session.plays_left(side), flags(session, side))
    if reason is None and session.step != "round_ready" and not session.module.alternative_rules[code].after_roll:
        return "wrong_step"
    return reason


def result_of(session: Session) -> Result:
    """Returns the result of the round. Refuses `wrong_step` before the roll."""
    roll_ = session.table.roll
    if roll_ is None or roll_.result is None:
        raise Refusal("wrong_step")
    return roll_.result


def _home_cards(session: Session) -> list[HomeCard]:
    beside = session.side(session.active).off_display
    return [HomeCard(card=card) for card in beside.home] + [HomeCard(card=c, used=True) for c in beside.home_used]


def situation(session: Session, result: Result | None = None) -> Situation:
    """Returns the active side's situation before its choice, as the rules need it."""
    side, pending = session.active, session.table.pending
    choice_flags = ChoiceFlags(
        conditions_met=session.side(side).conditions_met,
        home=tuple(_home_cards(session)),
        fo=session.side(side).off_display.fo,
        c_flipped=pending.c_flipped,
        first_round=session.side(side).rounds == 1,
        first_phase=session.table.phase_no == 1,
        order_counts=pending.order_counts,
        c_unplayable=pending.c_unplayable,
    )
    display, cards = session.display(side), session.cards(side)
    return Situation(
        session.module, result or result_of(session), display, cards, session.plays_left(side), choice_flags
    )


@action("S-91", "SR-29", at=["choose_home"])
def no_home(session: Session) -> Session:
    """Play no Home card: the flips follow."""
    return flipped(session)


def why_not_home(session: Session, used: bool = False) -> str | None:
    """Returns why a Home card may not be played under the result of the round, or None."""
    now = situation(session)
    return why_not_beside(now.module, now.result, now.flags, "home", used)


@action(
    *("S-88", "S-90", "S-92", "SR-29"),
    at=["choose_home"],
    otherwise=lambda session: (why_not_home(session) if session.step == "choosing" else None) or "wrong_step",
)
def home(session: Session, card: str) -> Session:
    """Play a Home card instead of turning up card C."""
    side, beside = session.active, session.side(session.active).off_display
    refuse(home_used=card in beside.home_used, card_not_on_display=card not in beside.home)
    options = session.module.options
    if options["home_other_flips"]:
        session = flipped(session, spare_c=True)
    used = beside.without(card).with_(home_used=(*beside.home_used, card))
    session = session.with_side(side, off_display=used)
    session = session.with_flips(side, int(options["home_flips_chit"]))
    return session.at("resolving").say(f"{side} plays the Home card {card}.")


def flipped(session: Session, choice: str | None = None, spare_c: bool = False) -> Session:
    """Flips the cards of the roll, and goes to the step that follows."""
    side, result = session.active, result_of(session)
    if has_c(result) and not spare_c:
        session = session.with_supply(side)
    if session.module.options["jr_before_flip"] and result == "C_JR" and choices(situation(session)).forced:
        return session.at("choosing")
    flips = flip(session.display(side), result, choice, spare_c)
    if flips.needs_choice:
        return session.at("choose_flip").say("Only one card is up, or none: choose a down card to turn up.")
    c_flipped = any(slot.card in flips.flipped for slot in flips.display.at("C")[:1])
    session = session.with_display(side, flips.display).with_pending(c_flipped=c_flipped)
    if flips.flipped:
        session = session.say(f"Turned up: {', '.join(flips.flipped)}.")
    session = without_excess(session, flips.flipped)
    return session.at("choosing") if spare_c else choosing(session)


def choosing(session: Session) -> Session:
    """Goes to the step of the choice; if nothing may be played, the round passes (SR-17)."""
    try:
        offered = choices(situation(session))
    except Refusal:
        return session.at("choosing").say("Say how many units each Section card would order.")
    rows = session.module.forms[result_of(session)].choices
    # Declaring the card in C unplayable may let more cards be played (SR-67).
    declares_c = not session.table.pending.c_unplayable and any(row.when and row.when.c_unplayable for row in rows)
    if offered.choices or offered.off_display or declares_c:
        return session.at("choosing")
    session = session.with_flips(session.active, int(session.module.options["no_legal_card_flips_chit"]))
    return session.at("resolving").say("Nothing may be played: the round passes.")


@action("S-53", "S-59", "SR-13", at=["choose_flip"])
def choose_flip(session: Session, place: str) -> Session:
    """Turn up a down card, named by its space: `D`, or `D2` for the second card of a space."""
    return flipped(session, choice=down_at(session.display(session.active), place, "place"))


def place_of(text: str) -> tuple[Space, int] | None:
    """Returns the space and the index in it for a place as players write it, `D` or `D2`; None for any other text."""
    match = _PLACE.fullmatch(text.upper())
    return (cast(Space, match[1]), int(match[2] == "2")) if match else None


def down_at(display: Display, text: str, path: str) -> str:
    """Returns the face-down card at a place. Refuses `flip_not_down` otherwise, which reveals no card."""
    place = place_of(text)
    if place is None:
        raise BadInput(path)
    space, second = place
    lying = display.at(space)
    if space == "C" and display.layout == "virtual_c" and not lying:
        return "C"
    slot = next(iter(lying[second:]), None)
    if slot is None or slot.up:
        raise Refusal("flip_not_down")
    return slot.card


def without_excess(session: Session, turned: tuple[str, ...]) -> Session:
    """Returns surplus Mandatory cards just turned up to the pile, and turns up others instead (S-185, SR-60)."""
    side, module = session.active, session.module
    if not module.mandatory.excess_returns:
        return session
    while back := _excess(session, turned):
        stream, display = session.stream(), session.display(side)
        places = [display.find(card) for card in back]
        for card in back:
            display = display.without(card)
        pile = shuffled_with(display.stock, back, stream)
        if all(session.cards(side)[slot.card].mandatory for slot in pile):
            return session.warn("pile_empty").say("The pile holds only Mandatory cards: they stay up.")
        session = session.with_stream(stream).with_display(side, replace(display, pile=pile))
        turned = ()
        for place in places:
            assert place is not None
            filled, card_up = session.display(side).refilled(place[0], "up")
            session = session.with_display(side, filled)
            turned += (card_up.card,) if card_up else ()
        session = session.say(
            f"Too many Mandatory cards: {', '.join(back)} back into the pile; up now: {', '.join(turned)}."
        )
    return session


def _excess(session: Session, turned: tuple[str, ...]) -> list[str]:
    """Returns the Mandatory cards just turned up, in letter order, for which no chit is left."""
    cards, ups = session.cards(session.active), session.display(session.active).ups()
    mandatory = [card for card in ups if cards[card].mandatory]
    fresh = [card for card in mandatory if card in turned]
    return excess(session.plays_left(session.active), len(mandatory) - len(fresh), fresh)


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
    fresh = session.table.phase_no == 0 or session.module.options["redeal_each_phase"]
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
            session = session.with_side(side, chits=laid_out(size))
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
    displays, pile = deal(module.layout, decks, doubled, laid, module.options["deal_alternate_sides"])
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
    apart = {laid.card for laid in session.table.laid}
    apart |= {id_ for id_, card in session.table.cards.items() if not {"home", "tactician"}.isdisjoint(card.kinds)}
    return [card for card in session.table.decks[deck] if card not in apart]


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
