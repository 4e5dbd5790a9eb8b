"""The events that reach into the method: one function for each hook (§7.8), asked by its name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from carddb.game import GameSpec
from carddb.games.cdg_solo import effects
from carddb.games.cdg_solo.cards import cards_of
from carddb.games.cdg_solo.chits import ChitsText
from carddb.games.cdg_solo.display import Display, DisplayText, slots
from carddb.games.cdg_solo.hook_params import (
    AddChit,
    DrawFromDiscard,
    Exchange632,
    FlipOpponentChit,
    OpponentDiscard,
    OpponentRandomDiscard,
    Params,
    Pile,
    RevealOpponent,
    Rule,
    SwapBonus,
    TakeCard,
    TournamentRedraw,
)
from carddb.games.cdg_solo.module import Game, Module, module_of
from carddb.games.cdg_solo.module_parts import CardException
from carddb.games.cdg_solo.selection import pick
from carddb.play.fields import Object
from carddb.play.question import Answer, BadInput, operation, read, refuse


@dataclass(frozen=True)
class Asked:
    """The module, and what its exceptions say of the hook."""

    module: Module
    rule: Rule

    def display(self, text: DisplayText, pile: Pile = None) -> Display:
        """A display of the question, with the common pile where it is given apart."""
        return effects.drawn_from(text.on(self.module.layout), None if pile is None else slots(pile))


def reveal_opponent(asked: Asked, given: RevealOpponent) -> Answer:
    """Every down card of the opponent's display is turned up, the top of its pile included (S-116)."""
    display = asked.display(given.opponent_display)
    down = [slot.card for _, slot in display if not slot.up]
    return {"flipped": down, "chit_flips": effects.flips(), "display": display.turned_up(down).to_json()}


def add_chit(asked: Asked, given: AddChit) -> Answer:
    """A side's row grows by an unflipped chit (S-136, S-171). Refuses `chit_over_limit`."""
    asked.module.side(given.side, "params.side")
    row = given.chits.row("params.chits").add(asked.rule.count)
    return {"chit_flips": effects.flips(), "chits": row.to_json()}


def flip_opponent_chit(asked: Asked, given: FlipOpponentChit) -> Answer:
    """One chit of the opponent is turned over; with none left there is no effect (S-149)."""
    row, count = effects.flipped(given.opponent_chits.row("params.opponent_chits"), asked.rule.count)
    return {"chit_flips": effects.flips(opponent=count), "chits": row.to_json()}


def take_card(asked: Asked, given: TakeCard) -> Answer:
    """The chart picks an up card of the opponent, which goes up to the place of the event (S-163, S-164, S-172).

    Without success, an up card or an unflipped chit of the opponent the event is an ordinary play (SR-50, SR-56).
    """
    taker = asked.display(given.taker_display, given.pile)
    victim = asked.display(given.victim_display, given.pile)
    mine, theirs = given.taker_chits.row("params.taker_chits"), given.victim_chits.row("params.victim_chits")
    event = effects.place_of(taker, given.event_card)
    success = asked.rule.success
    if success and given.success_roll is None:
        raise BadInput("params.success_roll")
    failed = success and not success[0] <= (given.success_roll or 0) <= success[1]
    candidates = effects.up_cards(victim)
    if failed or not candidates or not theirs.unflipped:
        played = effects.taken_off(taker, given.event_card)
        after, count = effects.flipped(mine, asked.rule.failed.active_flip)
        return {
            "taken": None,
            "refills": effects.refill("active", played.space, played.refill),
            "chit_flips": effects.flips(count),
            "chits": {"active": after.to_json(), "opponent": theirs.to_json()},
        }
    card = pick(candidates, given.chart_roll, "params.chart_roll")
    if card is None:
        return {"reroll": True}
    taken = effects.taken_off(victim, card)
    own, other = asked.rule.active_chits, asked.rule.opponent_chits
    my_row, my_flips = effects.flipped(mine.add(own.add), own.flip)
    their_row, their_flips = effects.flipped(theirs.remove(other.remove), other.flip)
    return {
        "taken": card,
        "taken_up": True,
        "taker_space": event,
        "refills": effects.refill("opponent", taken.space, taken.refill),
        "chit_flips": effects.flips(my_flips, their_flips),
        "chits": {"active": my_row.to_json(), "opponent": their_row.to_json()},
    }


def opponent_discard(asked: Asked, given: OpponentDiscard) -> Answer:
    """The opponent discards a card, the chart picking among several up ones, and turns a chit (S-161, S-162, SR-51)."""
    victim = asked.display(given.victim_display, given.pile)
    row = given.victim_chits.row("params.victim_chits")
    ups = [card for card in effects.up_cards(victim) if given.candidates is None or card in given.candidates]
    only = given.candidates if not given.random and given.candidates and len(given.candidates) == 1 else ups
    if not only or not row.unflipped:
        return {"discarded": None, "refills": [], "chit_flips": effects.flips(), "chits": row.to_json()}
    card = pick(only, given.chart_roll, "params.chart_roll")
    return {"reroll": True} if card is None else {"discarded": card, **_lost(asked, victim, card, given)}


def opponent_random_discard(asked: Asked, given: OpponentRandomDiscard) -> Answer:
    """The opponent discards an up card at random and turns a chit; a Mandatory one is played (S-187, S-189, SR-61)."""
    victim = asked.display(given.victim_display, given.pile)
    row = given.victim_chits.row("params.victim_chits")
    candidates = effects.up_cards(victim)
    nothing: dict[str, Any] = {"discarded": None, "played": None, "refills": []}
    if not candidates or not row.unflipped:
        after, count = effects.flipped(row)
        return {**nothing, "chit_flips": effects.flips(opponent=count), "chits": after.to_json()}
    card = pick(candidates, given.chart_roll, "params.chart_roll")
    if card is None:
        return {"reroll": True}
    held = cards_of(asked.module, given.cards, None)
    mandatory = card in held and held[card].mandatory
    return {**nothing, ("played" if mandatory else "discarded"): card, **_lost(asked, victim, card, given)}


def _lost(asked: Asked, victim: Display, card: str, given: OpponentDiscard | OpponentRandomDiscard) -> Answer:
    """The opponent's place filled again, and its chit."""
    taken = effects.taken_off(victim, card)
    row = given.victim_chits.row("params.victim_chits")
    after, count = effects.flipped(row, asked.rule.opponent_chit_flips)
    return {
        "refills": effects.refill("opponent", taken.space, taken.refill),
        "chit_flips": effects.flips(opponent=count),
        "chits": after.to_json(),
    }


def exchange_632(asked: Asked, given: Exchange632) -> Answer:
    """The opponent's discarded Event card lies up in the place of the Ops card, which is discarded (S-178, SR-62)."""
    display = asked.display(given.display)
    effects.place_of(display, given.card)
    return _swapped(display, given.card, given.opponent_last_discard, given.chits)


def swap_bonus(asked: Asked, given: SwapBonus) -> Answer:
    """A card of the discards lies up in the place of an up card; with none up, of one turned up (S-148, SR-47)."""
    display = asked.display(given.display)
    if given.card is not None:
        effects.place_of(display, given.card)
        return {"flipped": [], **_swapped(display, given.card, given.from_discard, None)}
    if given.flip_card is None:
        raise BadInput("params.card")
    refuse(
        card_face_down=bool(display.ups()) and given.flip_card in display.downs(),
        flip_not_down=given.flip_card not in display.downs(),
    )
    turned = display.turned_up((given.flip_card,))
    return {"flipped": [given.flip_card], **_swapped(turned, given.flip_card, given.from_discard, None)}


def draw_from_discard(asked: Asked, given: DrawFromDiscard) -> Answer:
    """The card taken from the discards lies up in the place of the event, whose play turns no chit (S-160)."""
    answer = dict(_swapped(asked.display(given.display), given.event_card, given.from_discard, given.chits))
    del answer["discarded"]
    return answer


def _swapped(display: Display, old: str, new: str, row: ChitsText | None) -> Answer:
    space, after = effects.in_its_place(display, old, new)
    answer: dict[str, Any] = {
        "taken": new,
        "taken_up": True,
        "taker_space": space,
        "discarded": old,
        "refills": [],
        "chit_flips": effects.flips(),
        "display": after.to_json(),
    }
    return answer if row is None else {**answer, "chits": row.row("params.chits").to_json()}


def tournament_redraw(asked: Asked, given: TournamentRedraw) -> Answer:
    """A new card comes up into the place of the event; only the play after it turns a chit (S-179)."""
    display = asked.display(given.display, given.pile)
    effects.place_of(display, given.event_card)
    taken = effects.taken_off(display, given.event_card, "up")
    return {
        "refills": effects.refill("active", taken.space, taken.refill),
        "chit_flips": effects.flips(),
        "display": taken.display.to_json(),
    }


HOOKS: Mapping[str, tuple[type[Params], Callable[[Asked, Any], Answer]]] = {
    "reveal_opponent": (RevealOpponent, reveal_opponent),
    "add_chit": (AddChit, add_chit),
    "flip_opponent_chit": (FlipOpponentChit, flip_opponent_chit),
    "take_card": (TakeCard, take_card),
    "opponent_discard": (OpponentDiscard, opponent_discard),
    "opponent_random_discard": (OpponentRandomDiscard, opponent_random_discard),
    "exchange_632": (Exchange632, exchange_632),
    "swap_bonus": (SwapBonus, swap_bonus),
    "draw_from_discard": (DrawFromDiscard, draw_from_discard),
    "tournament_redraw": (TournamentRedraw, tournament_redraw),
}

Name = Literal[
    "reveal_opponent", "add_chit", "flip_opponent_chit", "take_card", "opponent_discard",
    "opponent_random_discard", "exchange_632", "swap_bonus", "draw_from_discard", "tournament_redraw",
]  # fmt: skip


def run(module: Module, name: Name, params: Mapping[str, Any], rule: Mapping[str, Any] | None = None) -> Answer:
    """The effects of a hook; `rule` are the parameters of the card's own exception, else of the module's first."""
    kind, function = HOOKS[name]
    given = read(kind, params, "params")
    found = rule if rule is not None else next((entry.params for entry in _of(module, name)), {})
    return function(Asked(module, read(Rule, found, "game.patch.exceptions")), given)


def _of(module: Module, name: str) -> list[CardException]:
    return [entry for entry in module.exceptions if entry.hook == name]


@operation(
    *(
        "S-116",
        "S-136",
        "S-148",
        "S-149",
        "S-160",
        "S-161",
        "S-162",
        "S-163",
        "S-164",
        "S-171",
        "S-172",
        "S-178",
        "S-179",
    ),
    *("S-187", "S-188", "S-189", "SR-36", "SR-47", "SR-50", "SR-51", "SR-56", "SR-61", "SR-62", "SR-63"),
)
def hook(name: Name, game: Game, params: Object, *, spec: GameSpec) -> Answer:
    """What an event does by a hook: cards taken, discarded, played or turned up, places filled, chits changed."""
    return run(module_of(spec, game), name, params)
