"""The actions of a solo session: phases and deals, rounds and plays, events and combats."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Literal, cast

from carddb.games.cdg_solo.play import deal, hooks, phase, plays
from carddb.games.cdg_solo.play.cards import Card, Position
from carddb.games.cdg_solo.play.combat import Fight, Role, chit_flips, chits_added, has_role, hit, lowest_values
from carddb.games.cdg_solo.play.combat import why_not as why_not_fight
from carddb.games.cdg_solo.play.display import WINGS, Chits, Display, RefillMode, Result, Space, has_c, laid_out
from carddb.games.cdg_solo.play.hooks import Name, form, run
from carddb.games.cdg_solo.play.rounds import RoundFlags, Start, flip, start, why_not_alternative
from carddb.games.cdg_solo.table.session import ANY_STEP, CardFlags, DueEvent, Laid, Pending, Play, Roll, SoloSession
from carddb.play.question import BadInput, Count, Die, Many, Object, Refusal, refuse, refuse_for
from carddb.play.table.engine import action

_PLACE = re.compile("([A-E])([12])?")


def begin(session: SoloSession, side: str) -> SoloSession:
    """Begins a side's round, with a roll or with a forced play."""
    session = session.with_(active=side, roll=None, round_no=session.table.round_no + 1, step="round_ready")
    session = session.with_(pending=Pending(reshuffle=session.table.pending.reshuffle))
    session = session.with_side(side, rounds=session.side(side).rounds + 1)
    beginning = opening(session, side)
    if beginning.step == "forced":
        session = session.at("forced").say(f"{side} must play {' or '.join(beginning.cards)}.")
    return session


def opening(session: SoloSession, side: str) -> Start:
    """Returns how a side's round begins under the rules."""
    return start(session.position(side, Position), flags(session, side))


def flags(session: SoloSession, side: str) -> RoundFlags:
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


def has_cards(session: SoloSession, side: str) -> bool:
    """Returns whether a side can still play in this phase: it has not passed, and it has plays left."""
    return not session.side(side).passed and session.plays_left(side) >= 1


@action(
    at=["round_ready", "choose_flip", "choosing"],
    serves=lambda session: any(why_not_instead(session, code) is None for code in session.module.alternatives),
)
def alternative(session: SoloSession, code: str) -> SoloSession:
    """Do what the game allows instead of playing a card: a 1-Ops activation, a free round, a Pass."""
    refuse_for(why_not_instead(session, code))
    side, rule = session.active, session.module.alternative_rules[code]
    session = session.with_side(side, passed=rule.ends_phase_for_side, bars_next=rule.bars_next_phase)
    return session.at("resolving").say(f"{side}: {code.replace('_', ' ')}, no card is played.")


@action(
    at=["round_ready"],
    otherwise=lambda session: "roll_barred_forced_play" if session.step == "forced" else "wrong_step",
)
def roll(session: SoloSession, face: Die | None = None, more: Many[Die] = ()) -> SoloSession:
    """Roll the method die, or type what the die on the table shows; if several dice are used, what each shows."""
    refuse(no_chits_left=not has_cards(session, session.active))
    typed = [*([] if face is None else [face]), *more]
    session, rolled = session.rolled(session.module.options["dice_count"], typed, path="more")
    if len(set(rolled)) == 1:
        return _used(session, rolled, rolled[0])
    session = session.say(f"{session.active} rolls {', '.join(map(str, rolled))}: pick one.")
    return session.with_(roll=Roll(dice=rolled)).at("choose_die")


@action(at=["choose_die"])
def pick(session: SoloSession, face: Die) -> SoloSession:
    """Choose which of several method dice is used."""
    rolled = session.table.roll.dice if session.table.roll else ()
    if face not in rolled:
        raise BadInput("face")
    return _used(session, rolled, face)


def _used(session: SoloSession, dice: tuple[int, ...], face: int) -> SoloSession:
    result: Result = session.module.table[str(face)]
    session = session.with_(roll=Roll(dice=dice, result=result)).say(f"{session.active} rolls {face}: {result}.")
    if any(why_not_home(session, home.used) is None for home in _home_cards(session)):
        return session.at("choose_home").say("A Home card may be played instead of turning up card C.")
    return flipped(session)


def why_not_instead(session: SoloSession, code: str) -> str | None:
    """Returns the reason why the active side may not choose the alternative `code` now; None if it may."""
    side = session.active
    reason = why_not_alternative(session.module, code, session.plays_left(side), flags(session, side))
    if reason is None and session.step != "round_ready" and not session.module.alternative_rules[code].after_roll:
        return "wrong_step"
    return reason


def result_of(session: SoloSession) -> Result:
    """Returns the result of the round. Refuses with `wrong_step` before the roll."""
    if session.result is None:
        raise Refusal("wrong_step")
    return session.result


def _home_cards(session: SoloSession) -> list[plays.HomeCard]:
    beside = session.side(session.active).off_display
    return [plays.HomeCard(card=card, used=card in beside.home_used) for card in (*beside.home, *beside.home_used)]


def situation(session: SoloSession) -> plays.Situation:
    """Returns the position of the active side before it chooses a card, with the result and the player's statements."""
    side, pending = session.active, session.table.pending
    choice_flags = plays.ChoiceFlags(
        conditions_met=session.side(side).conditions_met,
        home=tuple(_home_cards(session)),
        fo=session.side(side).off_display.fo,
        c_flipped=pending.c_flipped,
        first_round=session.side(side).rounds == 1,
        first_phase=session.table.phase_no == 1,
        order_counts=pending.order_counts,
        c_unplayable=pending.c_unplayable,
    )
    return session.position(side, plays.Situation, result=result_of(session), flags=choice_flags)


@action(at=["choose_home"])
def no_home(session: SoloSession) -> SoloSession:
    """Play no Home card; then the cards of the roll are turned up."""
    return flipped(session)


def why_not_home(session: SoloSession, used: bool = False) -> str | None:
    """Returns the reason why a Home card may not be played under the result of the round; None if it may."""
    now = situation(session)
    return plays.why_not_beside(now.module, now.result, now.flags, "home", used)


@action(
    at=["choose_home"],
    otherwise=lambda session: (why_not_home(session) if session.step == "choosing" else None) or "wrong_step",
)
def home(session: SoloSession, card: str) -> SoloSession:
    """Play a Home card instead of turning up card C."""
    side, beside = session.active, session.side(session.active).off_display
    refuse(home_used=card in beside.home_used, card_not_on_display=card not in beside.home)
    options = session.module.options
    if options["home_other_flips"]:
        session = flipped(session, spare_c=True)
    session = session.with_side(side, off_display=beside.without(card).with_(home_used=(*beside.home_used, card)))
    session = session.with_flips(side, int(options["home_flips_chit"]))
    return session.at("resolving").say(f"{side} plays the Home card {card}.")


def flipped(session: SoloSession, choice: str | None = None, spare_c: bool = False) -> SoloSession:
    """Turns up the cards of the roll, and goes to the next step; `choice` and `spare_c` are passed to `flip`."""
    side, result = session.active, result_of(session)
    if has_c(result) and not spare_c:
        session = session.with_supply(side)
    if session.module.options["jr_before_flip"] and result == "C_JR" and plays.choices(situation(session)).forced:
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


def choosing(session: SoloSession) -> SoloSession:
    """Goes to the step at which a card is chosen; if nothing may be played, the round passes (SR-17)."""
    try:
        offered = plays.choices(situation(session))
    except Refusal:
        return session.at("choosing").say("Say how many units each Section card would order.")
    rows = session.module.forms[result_of(session)].choices
    # Declaring the card in C unplayable may let more cards be played (SR-67).
    declares_c = not session.table.pending.c_unplayable and any(row.when and row.when.c_unplayable for row in rows)
    if offered.choices or offered.off_display or declares_c:
        return session.at("choosing")
    session = session.with_flips(session.active, int(session.module.options["no_legal_card_flips_chit"]))
    return session.at("resolving").say("Nothing may be played: the round passes.")


@action(at=["choose_flip"])
def choose_flip(session: SoloSession, place: str) -> SoloSession:
    """Turn up a face-down card, named by its space: `D`, or `D2` for the second card of a space."""
    return flipped(session, choice=down_at(session.display(session.active), place, "place"))


def place_of(text: str) -> tuple[Space, int] | None:
    """Returns the space and the index in it, from 0, for a place as players write it (`D`, `D2`); else None."""
    match = _PLACE.fullmatch(text.upper())
    return (cast(Space, match[1]), int(match[2] == "2")) if match else None


def down_at(display: Display, text: str, path: str) -> str:
    """Returns the face-down card at a place; `C` for an empty C. Refuses with `flip_not_down`, to reveal nothing."""
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


def without_excess(session: SoloSession, turned: tuple[str, ...]) -> SoloSession:
    """Puts surplus Mandatory cards in `turned` back into the pile, and turns up other cards instead (S-185, SR-60)."""
    side, cards = session.active, session.cards[session.active]
    while session.module.mandatory.excess_returns:
        display = session.display(side)
        mandatory = [card for card in display.ups() if cards[card].mandatory]
        fresh = [card for card in mandatory if card in turned]
        back = phase.excess(session.plays_left(side), len(mandatory) - len(fresh), fresh)
        if not back:
            break
        stream = session.stream()
        spaces = [hooks.space_of(display, card) for card in back]
        for card in back:
            display = display.without(card)
        pile = deal.shuffled_with(display.stock, back, stream)
        if all(cards[slot.card].mandatory for slot in pile):
            return session.warn("pile_empty").say("The pile holds only Mandatory cards: they stay up.")
        session = session.with_stream(stream).with_display(side, replace(display, pile=pile))
        turned = ()
        for space in spaces:
            filled, card_up = session.display(side).refilled(space, "up")
            session = session.with_display(side, filled)
            turned += (card_up.card,) if card_up else ()
        session = session.say(
            f"Too many Mandatory cards: {', '.join(back)} back into the pile; up now: {', '.join(turned) or 'none'}."
        )
    return session


@action(at=["setup"])
def place_first_round(session: SoloSession, card: str) -> SoloSession:
    """Place a first-round-only card face up on its side's pile before the deal, to play its event first."""
    owners = [side for side in session.module.side_ids if _holds(session, side, card)]
    owner = next((side for side in owners if "first_round_only" in session.cards[side][card].kinds), None)
    if owner is None:
        raise BadInput("card")
    laid = Laid(side=owner, card=card, space="C")
    session = session.with_side(owner, first_round_card=card)
    return session.with_(laid=(*session.table.laid, laid)).say(f"{card} will lie up on the pile of {owner}.")


def _holds(session: SoloSession, side: str, card: str) -> bool:
    return card in session.table.decks.get(session.module.deck_of(side), ())


@action(at=["setup"], serves=lambda session: bool(session.module.setup_exceptions))
def set_up(session: SoloSession, key: str) -> SoloSession:
    """Place the cards of a scenario face up before the deal; the scenario is named by its key in the module."""
    if key not in session.module.setup_exceptions:
        raise BadInput("key", words=list(session.module.setup_exceptions))
    laid = {card.card: card for card in session.table.laid}
    for entry in session.module.setup_exceptions[key]:
        refuse(card_not_on_display=not _holds(session, entry.side, entry.card))
        laid[entry.card] = Laid(side=entry.side, card=entry.card, space=entry.space)
    return session.with_(laid=tuple(laid.values())).say(f"Set up for {key.replace('_', ' ')}.")


@action(at=["setup", "end_phase"])
def start_phase(session: SoloSession, hands: dict[str, Count] | None = None, first: str | None = None) -> SoloSession:
    """Begin a phase: set the hand sizes and lay out the chits; the cards are dealt in the first phase.

    `first` is the side that takes the first round, by default the first side of the module.
    """
    first = session.module.side(first, "first") or session.module.side_ids[0]
    listed = {session.module.side(side, f"hands.{side}"): size for side, size in (hands or {}).items()}
    sizes = {side: _hand(session, side, listed) for side in session.module.side_ids}
    session = _counted(session, sizes)
    fresh = session.table.phase_no == 0 or session.module.options["redeal_each_phase"]
    session = _dealt(session) if fresh else _grown(session)
    apart = session.module.extras_on_display and deal.over_four(list(sizes.values()))
    warnings = ("hand_difference_over_four",) if apart else ()
    session = session.with_(phase_no=session.table.phase_no + 1, round_no=0, warnings=warnings)
    sizes_text = ", ".join(f"{side} {size}" for side, size in sizes.items())
    return begin(session.say(f"Phase {session.table.phase_no}: hands of {sizes_text}."), first)


def _hand(session: SoloSession, side: str, hands: dict[str, int]) -> int:
    """Returns a side's hand size: from `hands`, else that of the last phase, else the module's.

    Refuses a size outside the module's range. Raises BadInput if no size is known.
    """
    size = hands.get(side, session.side(side).hand or session.module.hand.default.get(side))
    if size is None:
        raise BadInput(f"hands.{side}", hint=f"how many cards does {side} have in hand? Add {side}=NUMBER")
    least, most = phase.hand_range(session.module)
    if not least <= size <= most:
        raise Refusal("hand_size_out_of_range", hint=f"A hand of {side} has {least} to {most} cards, not {size}.")
    return size


def _counted(session: SoloSession, sizes: dict[str, int]) -> SoloSession:
    """Gives each side its hand size and new chits, and resets what the last phase has left."""
    doubled = deal.extras_for(list(sizes.values())) if session.module.extras_on_display else deal.Extras()
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
            chits=laid_out(size) if session.module.counts_chits else old.chits,
        )
    return session


def _dealt(session: SoloSession) -> SoloSession:
    """Shuffles the decks, cuts a common deck if each side has a pile, and deals the displays.

    In the first phase all cards take part, except Home and Tactician cards and those placed before the deal (SR-30);
    in later phases only the cards on displays and in piles.
    """
    module, table, stream, sides = session.module, session.table, session.stream(), session.module.side_ids
    first = table.phase_no == 0
    laid_up = table.laid if first else ()
    if first:
        apart = {id_ for id_, card in table.cards.items() if not {"home", "tactician"}.isdisjoint(card.kinds)}
        dealt = table.cards.keys() - apart - {laid.card for laid in laid_up}
    else:
        dealt = {slot.card for side in sides for _, slot in session.display(side)}
        dealt |= {slot.card for pile in session.stock().piles for slot in pile}
    decks = [[card for card in table.decks[name] if card in dealt] for name in module.decks]
    for deck in decks:
        stream.shuffle(deck)
    if module.deck_mode == "common_split":
        decks = [list(half) for half in deal.cut(decks[0])]
    laid = [{card.space: card.card for card in laid_up if card.side == side} for side in sides]
    doubled = [session.side(side).targets for side in sides]
    displays, pile = deal.deal(module.layout, decks, doubled, laid, module.options["deal_alternate_sides"])
    session = session.with_stream(stream)
    for side, display in zip(sides, displays, strict=True):
        session = session.with_display(side, replace(display, pile=pile or display.pile))
        if first:
            home, tactician = _beside(session, side, "home"), _beside(session, side, "tactician")
            beside = session.side(side).off_display.with_(home=home, tactician=tactician)
            session = session.with_side(side, off_display=beside)
    return session


def _beside(session: SoloSession, side: str, kind: str) -> tuple[str, ...]:
    """Returns the cards of a kind that belong beside a side's display."""
    module, cards = session.module, session.table.cards
    # A card of a common deck that belongs to neither side lies beside the first side's display.
    nobodys = module.deck_mode == "separate" or side == module.side_ids[0]
    owners = {side, *({card.side for card in cards.values()} - {*module.side_ids} if nobodys else ())}
    deck = session.table.decks[module.deck_of(side)]
    return tuple(card for card in deck if kind in cards[card].kinds and cards[card].side in owners)


def _grown(session: SoloSession) -> SoloSession:
    """Deals the extra cards that a larger difference of the hands requires; surplus cards stay (SR-35)."""
    for side in session.module.side_ids:
        for space in (space for space in deal.EXTRA_ORDER if space in session.side(side).targets):
            if len(session.display(side).at(space)) < 2:
                session = _refilled(session, side, space, "up" if space in deal.SETUP_UP else "down")
    return session


def _refilled(session: SoloSession, side: str, space: Space, entry: RefillMode) -> SoloSession:
    """Adds a card to a space of a side's display, if there is one to draw."""
    session = session.with_supply(side)
    display, _ = session.display(side).refilled(space, entry)
    return session.with_display(side, display)


FoUse = Literal["ec", "oc", "reaction"]
"""The purpose for which a Future Offensives card is played; `reaction` needs no result (S-141)."""


def _may_hold(session: SoloSession) -> bool:
    """Returns whether a face-up card of the active side may be set aside as a Future Offensives card."""
    cards, ups = session.cards[session.active], session.display(session.active).ups()
    able = any("future_offensive_able" in cards[card].kinds for card in ups)
    return able and "future_offensives" in session.module.off_display


def _by_order_count(session: SoloSession) -> bool:
    return session.module.lowest.by == "order_count"


@action(
    at=["choosing", "forced"],
    otherwise=lambda session: "flip_required" if session.table.step == "choose_flip" else "wrong_step",
)
def play(
    session: SoloSession,
    card: str,
    mode: plays.Use | None = None,
    to: Literal["discard", "removed"] | None = None,
    draw2: bool = False,
) -> SoloSession:
    """Play a card of the display: as its event, for its ops value, for another use, or by discarding it if allowed."""
    card = up_card(session, session.active, card)
    mode = mode or _only_mode(session, card)
    if session.table.step == "forced":
        refuse_for(plays.why_not_forced(opening(session, session.active), card, mode))
    else:
        refuse_for(plays.why_not(situation(session), card, mode))
    return _begun(session, card, mode, to, draw2)


@action(at=["round_ready"], serves=lambda session: session.module.goes_first is not None)
def go_first(session: SoloSession, card: str, to: Literal["discard", "removed"] | None = None) -> SoloSession:
    """Play a card that lets its side go first, before the roll."""
    card = up_card(session, session.active, card)
    side = session.active
    beginning = flags(session, side).model_copy(update={"first_round": session.table.round_no == 1})
    refuse_for(plays.why_not_unrolled(session.position(side, Position), beginning, card, "other"))
    return _begun(session, card, "other", to, False)


def _begun(
    session: SoloSession, card: str, mode: plays.Use, to: Literal["discard", "removed"] | None, draw2: bool
) -> SoloSession:
    """Begins the play of a card; it is completed at once, unless a hook of its event replaces the usual effects."""
    details = session.cards[session.active][card]
    open_ = mode == "event" and session.is_replaced(session.active, card)
    place = to or plays.destination(details, mode)
    pending = Play(side=session.active, card=card, mode=mode, to=place, draw2=draw2, open=open_)
    session = session.with_pending(play=pending, reshuffle=_due(session, details, mode)).at("resolving")
    name = label(session, card)
    words = {"fo_hold": f"holds {name}", "discard": f"discards {name}"}.get(mode, f"plays {name} ({mode})")
    session = session.say(f"{session.active} {words}.")
    return session if open_ else completed(session)


def up_card(session: SoloSession, side: str, card: str, down: str = "card_face_down") -> str:
    """Returns the id of a face-up card, from its id or its place (`A`, `A2`).

    Refuses with `card_not_on_display` for every other id, so that an attempt reveals nothing. For a place whose card is
    face down, `down` is the code of the refusal.
    """
    display = session.display(side)
    if card in display.ups():
        return card
    place = place_of(card)
    if place is None:
        raise Refusal("card_not_on_display")
    slot = next(iter(display.at(place[0])[place[1] :]), None)
    if slot is None:
        raise Refusal("card_not_on_display")
    if not slot.up:
        raise Refusal(down)
    return slot.card


def _only_mode(session: SoloSession, card: str) -> plays.Use:
    """Returns the mode of a play for which the player gave none. Raises BadInput if several modes are possible."""
    if session.table.step == "forced":
        return "event"
    modes = {choice.card: choice.modes for choice in plays.choices(situation(session)).choices}.get(card, ("event",))
    if modes == ("any",) and "event" in session.cards[session.active][card].kinds:
        raise BadInput("mode", hint="the card can be played in several ways. Add event, ops or other after the card")
    if modes == ("any",):
        return "other" if plays.without_ops(session.module, session.cards[session.active][card]) else "ops"
    return cast(plays.Use, modes[0])


def surplus(session: SoloSession, side: str) -> list[Space]:
    """Returns the spaces with more cards than their target, which are not refilled after a play (SR-35)."""
    targets, display = session.side(side).targets, session.display(side)
    return [space for space in WINGS if len(display.at(space)) > (2 if space in targets else 1)]


def completed(session: SoloSession) -> SoloSession:
    """Completes the play: the card leaves, its space is refilled, a chit is flipped (S-11, S-12, S-33)."""
    play = _play(session)
    side = play.side
    session = session.with_supply(side)
    result = plays.play(
        session.module,
        session.display(side),
        session.cards[side][play.card],
        play.mode,
        session.result,
        draw2=play.draw2,
        surplus=surplus(session, side),
    )
    session = sent(session.with_display(side, result.display), side, play.card, play.to)
    return session.with_flips(side, result.chit_flips).with_pending(play=play.with_(open=False))


def settled(session: SoloSession) -> SoloSession:
    """Completes the play of an event if it is still open, because no hook has replaced its usual effects."""
    play = session.table.pending.play
    return completed(session) if play is not None and play.open else session


def _due(session: SoloSession, card: Card, mode: plays.Use) -> tuple[str, ...]:
    """Returns the cards that cause a reshuffle at the phase's end, with `card` if it does so too (S-146, S-158)."""
    due = session.table.pending.reshuffle
    thrown = "reshuffle_if_oc_or_discard" in card.flags and mode in ("ops", "other", "discard")
    asks = thrown or "reshuffle_end_season" in card.hooks
    return (*due, card.id) if asks and card.id not in due else due


def sent(session: SoloSession, side: str, card: str, to: str) -> SoloSession:
    """Moves a card that has left the display to `removed` or `fo`, by default to the discards (S-23)."""
    own = session.side(side)
    if to == "removed":
        return session.with_side(side, removed=(*own.removed, card))
    if to == "fo":
        return session.with_side(side, off_display=own.off_display.with_(fo=(*own.off_display.fo, card)))
    return session.with_side(side, discard=(*own.discard, card))


def label(session: SoloSession, card: str) -> str:
    """Returns the number and the title of a card."""
    title = session.table.cards[card].title
    return f"{card} {title}" if title else card


def without_discarded(session: SoloSession, card: str, side: str) -> SoloSession:
    """Takes a card from a side's discards. Refuses with `card_not_on_display` if it is not there."""
    discards = session.side(side).discard
    refuse(card_not_on_display=card not in discards)
    return session.with_side(side, discard=tuple(other for other in discards if other != card))


@action(at=["choosing"], serves=_may_hold)
def hold_as_fo(session: SoloSession, card: str) -> SoloSession:
    """Put a card aside as a Future Offensives card; this counts as the play of the round."""
    return play(session, card, "fo_hold")


@action(
    at=["choosing", "round_ready", "resolving"],
    serves=lambda session: any(side.off_display.fo for side in session.table.sides.values()),
)
def play_fo(
    session: SoloSession, card: str, use: FoUse = "ec", mode: plays.Use = "event", side: str | None = None
) -> SoloSession:
    """Play a Future Offensives card from beside the display: for EC or OC after a C-result, in reaction at any time."""
    has_it = [name for name in (session.active, session.opponent) if card in session.side(name).off_display.fo]
    owner = session.module.side(side, "side") or (has_it[0] if has_it else session.active)
    beside = session.side(owner).off_display
    refuse(card_not_on_display=card not in beside.fo)
    if use != "reaction":
        refuse(wrong_side=owner != session.active, wrong_step=session.table.step == "resolving")
        refuse(fo_needs_c_result=session.table.step == "round_ready")
        now = situation(session)
        refuse_for(plays.why_not_beside(now.module, now.result, now.flags, "future_offensives"))
    result = plays.play_fo(session.module, session.display(owner), session.cards[owner][card], mode)
    session = session.with_side(owner, off_display=beside.without(card))
    session = sent(session, owner, card, result.destination)
    session = session.with_chits_added(owner, result.chits_added).say(
        f"{owner} plays {label(session, card)} from its Future Offensives ({use})."
    )
    if mode == "event":
        session = session.with_reaction(owner, card)
    return session if use == "reaction" else session.at("resolving")


@action(at=["choosing"], serves=_by_order_count)
def order_count(session: SoloSession, card: str, count: Count) -> SoloSession:
    """Say how many units a face-up card would order on the board as it stands."""
    card = up_card(session, session.active, card)
    counts = {**session.table.pending.order_counts, card: count}
    return choosing(session.with_pending(order_counts=counts).say(f"{label(session, card)} would order {count}."))


@action(at=["choosing"], serves=_by_order_count)
def c_unplayable(session: SoloSession) -> SoloSession:
    """Declare that the card in C cannot be played."""
    return choosing(session.with_pending(c_unplayable=True).say("The card in C cannot be played."))


@action(at=["round_ready", "forced", "resolving"])
def next_round(session: SoloSession, side: str | None = None) -> SoloSession:
    """Go on to the next round: of the side named, else of the opponent; a side without cards is skipped."""
    side = session.module.side(side, "side")
    if session.table.step != "resolving" and side in (None, session.active):
        raise Refusal("wrong_step")
    if fighting(session):
        raise Refusal("wrong_step", hint="End the combat first: combat-end.")
    session = settled(session)
    refuse(no_chits_left=side is not None and not has_cards(session, side))
    order = [side] if side else [session.opponent, session.active]
    following = next((name for name in order if has_cards(session, name)), None)
    if following is None:
        return session.at("phase_over").say("Neither side has a card left to play: the phase is over.")
    if session.table.step != "resolving":
        # The round that was about to begin is dropped, because the other side goes first.
        rounds = session.side(session.active).rounds - 1
        session = session.with_side(session.active, rounds=rounds).with_(round_no=session.table.round_no - 1)
    return begin(session.say(f"The round is {following}'s."), following)


def fighting(session: SoloSession) -> bool:
    """Returns whether a combat has begun but not ended."""
    return any(side.waiting for side in session.table.sides.values()) or bool(session.table.pending.nominated)


@action(at=["round_ready", "forced", "resolving", "phase_over"])
def end_phase(session: SoloSession) -> SoloSession:
    """End the phase; face-up cards may then be discarded until the next phase begins."""
    refuse(no_chits_in_game=not session.module.counts_chits, wrong_step=fighting(session))
    session = settled(session)
    for name in session.module.side_ids:
        unplayed = session.cards[name].mandatory_up(session.display(name), session.side(name).conditions_met)
        if unplayed:
            session = session.warn("mandatory_unplayed").say(f"{name} has not played {', '.join(unplayed)}.")
    session = _shuffled(session)
    session = session.with_(active=None, roll=None).with_pending(play=None, reshuffle=(), discarded={}, c_flipped=False)
    return session.at("end_phase").say("The phase ends.")


def _shuffled(session: SoloSession) -> SoloSession:
    """Carries out the reshuffles that cards played in this phase cause (S-146, S-158, SR-46)."""
    for card in session.table.pending.reshuffle:
        owner = next((n for n in session.module.side_ids if card in session.side(n).discard), None)
        if owner is None:
            continue
        if (
            "reshuffle_end_season" in session.cards[owner][card].hooks
            or session.module.options["reshuffle_with_discards"]
        ):
            session = reshuffle(session, owner)
        else:
            stream, display = session.stream(), session.display(owner)
            pile = deal.shuffled_with(display.stock, [card], stream)
            session = without_discarded(session, card, owner).with_stream(stream)
            session = session.with_display(owner, replace(display, pile=pile))
            session = session.say(f"{label(session, card)} is shuffled into the pile of {owner}.")
    return session


@action(at=["round_ready", "choosing", "resolving", "phase_over", "end_phase"])
def reshuffle(session: SoloSession, side: str) -> SoloSession:
    """Shuffle the discards into the pile: a side's own where decks are separate, else all of both sides."""
    side = session.module.side(side, "side")
    stream, stock = session.stream(), session.stock()
    if session.module.deck_mode == "separate":
        stock = stock.reshuffled_own(session.module.side_ids.index(side), stream)
    else:
        stock = stock.reshuffled(stream)
    return session.with_stock(stock).with_stream(stream).say("The discards are shuffled in.")


@action(at=["end_phase"])
def discard(session: SoloSession, cards: Many[str], side: str | None = None) -> SoloSession:
    """Discard face-up cards of one side at the end of the phase, at most as many as its unflipped chits."""
    if not cards:
        raise BadInput("cards")
    if side is None and place_of(cards[0]):
        raise BadInput("side", hint=f"{cards[0]} of which side? Add side={' or side='.join(session.module.side_ids)}")
    owner = side or next((name for name in session.module.side_ids if cards[0] in session.display(name).ups()), None)
    if owner is None:
        raise Refusal("card_not_on_display")
    owner = session.module.side(owner, "side")
    listed = [up_card(session, owner, card, "discard_face_down") for card in cards]
    before = session.table.pending.discarded.get(owner, 0)
    now = session.position(owner, Position)
    refuse_for(phase.why_not_discard(replace(now, left=now.left - before), listed))
    discarded_now = {**session.table.pending.discarded, owner: before + len(listed)}
    session = session.with_supply(owner)
    after = phase.discard(session.module, session.display(owner), listed, surplus(session, owner))
    session = session.with_display(owner, after).with_pending(discarded=discarded_now)
    for card in listed:
        session = sent(session, owner, card, "discard")
    return session.say(f"{owner} discards {', '.join(label(session, card) for card in listed)}.")


def _with_row(session: SoloSession, side: str, row: Mapping[str, int]) -> SoloSession:
    return session.with_side(side, chits=Chits.model_validate(row)) if session.module.counts_chits else session


def _play(session: SoloSession) -> Play:
    """Returns the play that is being resolved. Refuses with `wrong_step` if there is none."""
    if session.table.pending.play is None:
        raise Refusal("wrong_step")
    return session.table.pending.play


Effect = Callable[[SoloSession, str, Mapping[str, Any], Mapping[str, Any]], SoloSession]
"""A function from the session, the event's side, the player's parameters and the hook's answer to the new session."""


def _reveal(session: SoloSession, side: str, params: Mapping[str, Any], answer: Mapping[str, Any]) -> SoloSession:
    other = session.other(side)
    session = session.with_display(other, session.display(other).turned_up(answer["flipped"]))
    return session.say(f"{other} turns everything up.")


def _add(session: SoloSession, side: str, params: Mapping[str, Any], answer: Mapping[str, Any]) -> SoloSession:
    gaining = session.module.side(params.get("side") or side, "params.side")
    session = session.with_chits_added(gaining, 1).with_side(gaining, hand=session.side(gaining).hand + 1)
    return session.say(f"{gaining} gets a chit.")


def _flip(session: SoloSession, side: str, params: Mapping[str, Any], answer: Mapping[str, Any]) -> SoloSession:
    other = session.other(side)
    if not session.side(other).chits.unflipped:
        raise Refusal("no_target_chit", hint="Go on to the next round: next.")
    return _with_row(session, other, answer["chits"]).say(f"A chit of {other} is flipped.")


def _take(session: SoloSession, side: str, params: Mapping[str, Any], answer: Mapping[str, Any]) -> SoloSession:
    play, card, other = _play(session), answer["taken"], session.other(side)
    if card is None:
        return completed(session).say("No card is taken.")
    session = _in_place_of_event(_without(session, other, card), play, card)
    for owner, key in ((side, "active"), (other, "opponent")):
        session = _with_row(session, owner, answer["chits"][key])
    return session.say(f"{side} takes {label(session, card)} from {other}.")


def _in_place_of_event(session: SoloSession, play: Play, card: str) -> SoloSession:
    """Puts a card face up in the place of the event; this replaces the usual effects of the play."""
    _, display = hooks.replace_card(session.display(play.side), play.card, card)
    session = sent(session.with_display(play.side, display), play.side, play.card, play.to)
    return session.with_pending(play=play.with_(open=False))


def _without(session: SoloSession, side: str, card: str, entry: RefillMode = "keep") -> SoloSession:
    """Takes a card from a side's display and refills its space."""
    session = session.with_supply(side)
    after, _ = hooks.remove(session.display(side), card, entry=entry)
    return session.with_display(side, after)


def _lose(session: SoloSession, side: str, params: Mapping[str, Any], answer: Mapping[str, Any]) -> SoloSession:
    other = session.other(side)
    session = _with_row(session, other, answer["chits"])
    card = answer["discarded"] or answer.get("played")
    if card is None:
        return session.say(f"{other} discards nothing.")
    session = _without(session, other, card)
    to = plays.destination(session.cards[other][card], "event" if answer.get("played") else "discard")
    session = sent(session, other, card, to)
    words = "plays" if answer.get("played") else "discards"
    return session.say(f"{other} {words} {label(session, card)}.")


def _exchange(session: SoloSession, side: str, params: Mapping[str, Any], answer: Mapping[str, Any]) -> SoloSession:
    cards, old, new = session.cards[side], answer["discarded"], answer["taken"]
    refuse(not_lowest="ops" not in cards[old].kinds and cards[old].ops is None, no_event="ops" in cards[new].kinds)
    refuse_for(plays.why_not(situation(session), old, "ops"))
    return _swapped(session, side, old, new, session.other(side)).say("The round goes on under the same result.")


def _swapped(session: SoloSession, side: str, old: str, new: str, owner: str) -> SoloSession:
    """Replaces the display card `old` by the card `new` from the discards of the side `owner`, face up."""
    session = without_discarded(session, new, owner)
    _, display = hooks.replace_card(session.display(side), old, new)
    session = sent(session.with_display(side, display), side, old, "discard")
    return session.say(f"{label(session, new)} lies in the place of {label(session, old)}.")


def _draw(session: SoloSession, side: str, params: Mapping[str, Any], answer: Mapping[str, Any]) -> SoloSession:
    new = answer["taken"]
    owners = [owner for owner in session.module.side_ids if new in session.side(owner).discard]
    session = without_discarded(session, new, owners[0] if owners else side)
    return _in_place_of_event(session, _play(session), new).say(
        f"{side} takes {label(session, new)} from the discards."
    )


def _redraw(session: SoloSession, side: str, params: Mapping[str, Any], answer: Mapping[str, Any]) -> SoloSession:
    play = _play(session)
    session = sent(_without(session, side, play.card, "up"), side, play.card, play.to)
    session = session.with_pending(play=play.with_(open=False)).at("choosing")
    return session.say(f"{side} plays the round again under the same result.")


EFFECTS: Mapping[str, Effect] = {
    "reveal_opponent": _reveal,
    "add_chit": _add,
    "flip_opponent_chit": _flip,
    "take_card": _take,
    "opponent_discard": _lose,
    "opponent_random_discard": _lose,
    "exchange_632": _exchange,
    "swap_bonus": lambda session, side, _, answer: _swapped(session, side, answer["discarded"], answer["taken"], side),
    "draw_from_discard": _draw,
    "tournament_redraw": _redraw,
}


@action(at=ANY_STEP - {"setup"})
def set_flag(session: SoloSession, card: str, value: bool = True) -> SoloSession:
    """Declare that a card's conditions are met, or no longer met; a face-up card may be named by its place."""
    if session.table.active and place_of(card):
        card = up_card(session, session.active, card)
    if card not in session.table.cards:
        raise BadInput("card", hint=f"there is no card {card}")
    for side in session.module.side_ids:
        session = session.with_side(side, flags={**session.side(side).flags, card: CardFlags(conditions_met=value)})
    return session.say(f"The conditions of {label(session, card)} are {'met' if value else 'not met'}.")


@action(at=["round_ready", "choosing", "resolving"], serves=lambda session: bool(session.due) or may_exchange(session))
def hook(session: SoloSession, name: Name | None = None, params: Object | None = None) -> SoloSession:
    """Carry out what the event being played does to displays and chits; without a name, its next effect."""
    event = _event(session, name)
    side = event.play.side if event else session.active
    chosen = event.hook if event else "exchange_632"
    rule = event.rule if event else None
    fields = _with_cards(session, side, dict(params or {}))
    if rule and rule.get("side") and "side" in form(chosen).model_fields:
        fields = {"side": rule["side"], **fields}  # the side that the card names, if the player has named none
    try:
        session, answer = _answer(session, side, chosen, fields, rule)
    except BadInput as fault:
        fault.details.setdefault("hint", f"write hook {' '.join([chosen, *usage(chosen)])}")
        raise
    session = EFFECTS[chosen](session, side, fields, answer)
    return session.with_done(event) if event else session.with_pending(exchanged=True)


def _event(session: SoloSession, name: Name | None) -> DueEvent | None:
    """Returns the pending event with a hook, by default the next; None for an exchange. Refuses with `no_event`."""
    waiting = session.due
    event = next((event for event in waiting if name in (None, event.hook)), None)
    if event is None and name == "exchange_632" and name in session.module.hooks:
        refuse(wrong_step=not may_exchange(session))
    elif event is None:
        hint = f"Waiting: hook {waiting[0].hook}." if waiting else "No event is waiting to be carried out."
        raise Refusal("no_event", hint=hint)
    return event


def may_exchange(session: SoloSession) -> bool:
    """Returns whether an Ops card may be exchanged for the other side's last discard, once in a round (S-178)."""
    pending = session.table.pending
    return "exchange_632" in session.module.hooks and session.step == "choosing" and not pending.exchanged


def _with_cards(session: SoloSession, side: str, params: dict[str, Any]) -> dict[str, Any]:
    """Returns the player's parameters with card ids. A face-up card may be given by id or place, others only by place.

    All other names get the same refusal, so that an attempt reveals nothing about hidden cards.
    """
    params.pop("event_card", None)
    if isinstance(params.get("card"), str):
        params["card"] = up_card(session, side, params["card"])
    if isinstance(params.get("flip_card"), str):
        params["flip_card"] = down_at(session.display(side), params["flip_card"], "params.flip_card")
    return params


def _answer(
    session: SoloSession, side: str, name: Name, params: Mapping[str, Any], rule: Mapping[str, Any] | None
) -> tuple[SoloSession, dict[str, Any]]:
    """Returns the session after rolling what the player has not entered, and the hook's answer; the rolls are logged.

    The chart is rolled again until it picks a card. Refuses with `reroll` if the player entered a roll that picks none.
    """
    fields = form(name).model_fields
    among = len(session.display(session.other(side)).ups())  # the cards among which the chart picks
    faces = {"success_roll": 6, "chart_roll": max(6, among)}
    rolled = [field for field in faces if field in fields and field not in params]
    table = {
        field: value for field in fields if field in ON_TABLE and (value := ON_TABLE[field](session, side)) is not None
    }
    answer: dict[str, Any] = {"reroll": True}
    while answer.get("reroll"):
        rolls: dict[str, int] = {}
        for field in rolled:
            session, (rolls[field],) = session.rolled(sides=faces[field])
        answer = dict(run(session.module, name, {**table, **rolls, **params}, rule))
        if answer.get("reroll") and params.get("chart_roll") is not None:
            raise Refusal("reroll", hint="This roll picks no card; enter another roll.")
    if "success_roll" in rolls and rule and rule.get("success"):
        session = session.say(f"Rolled {rolls['success_roll']}.")
    if "chart_roll" in rolls and among > 1 and any(answer.get(key) for key in ("taken", "discarded", "played")):
        session = session.say(f"The chart shows {rolls['chart_roll']}.")
    return session, answer


def usage(name: str) -> list[str]:
    """Returns the parameters of a hook that the player enters, optional ones in brackets."""
    fields = {key: field for key, field in form(name).model_fields.items() if key not in ON_TABLE}
    needed = [f"{key}=..." for key, field in fields.items() if field.is_required()]
    return [*needed, *(f"[{key}=...]" for key, field in fields.items() if not field.is_required())]


ON_TABLE: Mapping[str, Callable[[SoloSession, str], Any]] = {
    **dict.fromkeys(("display", "taker_display"), lambda session, side: session.side(side).display),
    **dict.fromkeys(
        ("opponent_display", "victim_display"), lambda session, side: session.side(session.other(side)).display
    ),
    **dict.fromkeys(("chits", "taker_chits"), lambda session, side: session.side(side).chits),
    **dict.fromkeys(("opponent_chits", "victim_chits"), lambda session, side: session.side(session.other(side)).chits),
    "pile": lambda session, _: session.table.common and session.table.common.pile,
    "event_card": lambda session, _: session.table.pending.play and session.table.pending.play.card,
    "opponent_last_discard": lambda session, side: next(iter(session.side(session.other(side)).discard[-1:]), None),
    "cards": lambda session, _: session.table.cards,
}
"""The parameters of hooks that the session fills in from the table; None if the table does not have them.

Each function takes the session and the event's side.
"""


def _owner(session: SoloSession, role: Role) -> str:
    """Returns the side that has a role; the attacker is the active side."""
    return session.active if role in ("attacker", "active") else session.opponent


def _role_of(session: SoloSession, card: str) -> Role:
    """Returns the role of the side that has the card face up, or beside its display."""
    other = session.opponent
    others = (*session.display(other).ups(), *session.side(other).off_display.tactician)
    return "defender" if card in others or not has_role(session.module, "attacker") else "attacker"


def fight(session: SoloSession, role: Role) -> Fight:
    """Returns the situation of a side that may play a card in a combat or a reaction."""
    owner = _owner(session, role)
    side = session.side(owner)
    return session.position(owner, Fight, role=role, met=side.conditions_met, played=side.fought, result=session.result)


@action(at=["resolving"])
def combat(
    session: SoloSession, card: str, role: Role | None = None, mode: Literal["play", "discard"] = "play"
) -> SoloSession:
    """Play a card in a combat or a reaction, or discard it if the game allows; its space is refilled at the end.

    Without a role, the side that has the card plays it. A place such as A2 is on the active side's display, unless only
    the inactive side may play such cards.
    """
    role = role or _role_of(session, card)
    owner = _owner(session, role)
    beside = card in session.side(owner).off_display.tactician
    card = card if beside else up_card(session, owner, card)
    late = role == "attacker" and session.side(session.other(owner)).fought > 0
    play = session.table.pending.play
    being_played = play is not None and play.open and play.card == card
    refuse(wrong_step=being_played or late)
    details = session.cards[owner][card]
    refuse_for(why_not_fight(fight(session, role), details, mode == "discard", beside))
    flips = chit_flips(session.module, details, mode == "discard", beside)
    session = _moved(session, owner, card, beside).with_flips(owner, flips)
    session = session.with_chits_added(owner, chits_added(session.module, details) if beside else 0)
    session = session.with_side(owner, fought=session.side(owner).fought + 1)
    if mode == "play":
        session = session.with_reaction(owner, card)
    words = "discards" if mode == "discard" else "plays"
    return session.say(f"{owner} {words} {label(session, card)} in the combat.")


def _moved(session: SoloSession, owner: str, card: str, beside: bool) -> SoloSession:
    """Moves a card played in a combat to its destination; its space is refilled when the combat ends."""
    side = session.side(owner)
    if beside:
        return sent(session.with_side(owner, off_display=side.off_display.without(card)), owner, card, "removed")
    display = session.display(owner)
    space, spared = hooks.space_of(display, card), surplus(session, owner)
    session = session.with_display(owner, display.without(card))
    if space not in spared:
        session = session.with_side(owner, waiting=(*side.waiting, space))
    return sent(session, owner, card, plays.destination(session.cards[owner][card], "event"))


def _nominates(session: SoloSession) -> bool:
    return bool(session.module.options["combat_rule"] == "experimental")


@action(at=["resolving"], serves=_nominates)
def nominate(session: SoloSession, cards: Many[str], role: Role = "attacker") -> SoloSession:
    """Nominate face-up Combat cards by the experimental rule; the method die decides which of them are played."""
    refuse(not_in_combat=not _nominates(session))
    owner = _owner(session, role)
    if role == "defender":
        # The top of the pile, or the card in C, is turned up (S-80).
        session = session.with_supply(owner)
        display = session.display(owner)
        if down := [slot.card for slot in display.at("C") if not slot.up]:
            session = session.with_display(owner, display.turned_up(down)).say(f"{owner} turns its card in C up.")
    cards = tuple(up_card(session, owner, card) for card in cards)
    for card in cards:
        refuse_for(why_not_fight(fight(session, role), session.cards[owner][card]))
    labels = ", ".join(label(session, card) for card in cards) or "nothing"
    nominated = {**session.table.pending.nominated, owner: tuple(cards)}
    return session.with_pending(nominated=nominated).say(f"{owner} nominates {labels}.")


@action(at=["resolving"])
def combat_end(session: SoloSession, faces: dict[str, Die] | None = None, keep: Many[str] = ()) -> SoloSession:
    """End the combat: nominated cards are rolled for, and the places of the cards played are filled.

    `faces` are the method dice that the player has rolled, by side; `keep` are nominated cards that are not played,
    because their side has too few chits for all.
    """
    waits = any(side.waiting or side.fought for side in session.table.sides.values())
    refuse(not_in_combat=not waits and not session.table.pending.nominated)
    for side, cards in session.table.pending.nominated.items():
        if cards:
            session = _rolled_for(session, side, [card for card in cards if card not in keep], (faces or {}).get(side))
    session = session.with_pending(nominated={})
    for side in session.module.side_ids:
        for space in sorted(session.side(side).waiting):
            session = _refilled(session, side, space, plays.left_down(session.module))
        session = session.with_side(side, waiting=(), fought=0)
    return session.say("The combat is over.")


def _rolled_for(session: SoloSession, side: str, cards: list[str], face: int | None) -> SoloSession:
    session, (rolled,) = session.rolled(1, () if face is None else (face,))
    result = session.module.table[str(rolled)]
    display, by_id = session.display(side), session.cards[side]
    at: dict[str, Space] = {card: place[0] for card in cards if (place := display.find(card))}
    values = lowest_values((space, by_id[card]) for card, space in at.items())
    spaces = hit(result, list(at.values()), values if session.module.options["m3a_lowest"] else None)
    session = session.say(f"{side} rolls {rolled}: {result}.")
    for card, space in at.items():
        if space in spaces:
            if session.plays_left(side) < 1:
                raise BadInput("keep", hint=f"{side} has no chit left to play {card}. Add keep={card}")
            session = _moved(session, side, card, False).with_flips(side, chit_flips(session.module, by_id[card]))
            session = session.with_side(side, fought=session.side(side).fought + 1)
            session = session.with_reaction(side, card).say(f"{label(session, card)} is played.")
    return session
