"""A whole Battle from its record: every step by the operation for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Annotated, Any

from pydantic import Field

from carddb.cards import Card, Entry
from carddb.findings import Severity, codes_of
from carddb.game import GameSpec
from carddb.games.rishar import morale
from carddb.games.rishar.armies import army_findings, read_army
from carddb.games.rishar.army_state import ArmyState
from carddb.games.rishar.battle import Outcome, battle_result
from carddb.games.rishar.battle_record import MAX_CARDS, MAX_TURNS, Flights, Host, Mending, Turn, step
from carddb.games.rishar.battle_state import BattleState
from carddb.games.rishar.fields import Army, enemy
from carddb.games.rishar.powers import badly_chosen, power_of
from carddb.games.rishar.rout import resolve_rout
from carddb.games.rishar.units import is_unit
from carddb.play.question import Answer, BadInput, Options, Refusal, operation, refuse

RULES = (2, 3, *range(10, 15), 33, 41, *range(44, 47), 55, 58, 61, *range(75, 80), 85, 87, 89, 108, 115, 120, 129)
RULES += (*range(133, 136), 137, 144, 149, 150, *range(165, 168), 174)


@operation(*(f"R-{number}" for number in RULES))
def replay(
    a: Host,
    b: Host,
    first_turn: Army,
    turns: Annotated[tuple[Turn, ...], Field(max_length=MAX_TURNS, strict=False)],
    rout: Flights | None = None,
    *,
    spec: GameSpec,
    options: Options,
) -> Answer:
    """Where a Battle stands after the turns that are written down, or the first step that the rules refuse.

    Cards are named by `id`; copies are `soldier#1`, `soldier#2`, and `soldier` is the first copy that lies where the
    step needs one. A Phase ends by itself as soon as neither Commander has a card to play: the Exhausted come back,
    and the second time the Battle is over. After a rout, `rout` holds the victor's dice. A refusal has the `index` of
    its turn, null before the first turn and in a rout, where `army` says whose step it was.
    """
    hosts: dict[Army, Host] = {"a": a, "b": b}
    cards = {army: _entries(spec, army, host) for army, host in hosts.items()}
    states: dict[Army, ArmyState] = {}
    for army, host in hosts.items():
        with step(army, army=army, index=None):
            states[army] = army_before_battle(spec, options, army, host, *cards[army])
    for army, host in hosts.items():
        with step(army, army=army, index=None):
            use_mender(spec, states[army], states[enemy(army)], host.mender)
    battle = BattleState(spec, options, states, first_turn)
    with step("opening", index=None):
        _settle(battle, hosts)
    for index, turn in enumerate(turns):
        with step(f"turns.{index}", index=index):
            battle.play(turn)
            _settle(battle, hosts)
    for army, state in states.items():
        if state.routed:
            with step(f"rout.{army}", army=army, index=None):
                resolve_rout(state, states[enemy(army)], getattr(rout or Flights(), army))
    return _report(battle)


def _settle(battle: BattleState, hosts: Mapping[Army, Host]) -> None:
    """Ends Phases and the Battle where it is time; the cards that Necromancers bring back are in the record."""
    while battle.settle():
        for army, host in hosts.items():
            if host.returned is not None:
                with step("returned", army=army):
                    battle.states[army].bring_back(host.returned)


def _entries(spec: GameSpec, army: Army, host: Host) -> tuple[list[Entry], set[str]]:
    entries, codes = read_army(spec, host.cards, f"{army}.cards")
    if sum(entry.count for entry in entries) > MAX_CARDS:
        raise BadInput(f"{army}.cards")
    return entries, codes


def army_before_battle(
    spec: GameSpec, options: Options, army: Army, host: Host, entries: list[Entry], codes: set[str]
) -> ArmyState:
    """An army before the first turn: every card in hand, and Morale as it is now (R-33, R-45)."""
    findings = army_findings(spec, options, host.commander, entries)
    if errors := {*codes, *codes_of(findings, Severity.ERROR)}:
        raise Refusal("army_illegal", errors=sorted(errors))
    own = morale.starting(spec, int(host.commander.progression or 0)) if host.own is None else host.own
    base = host.commander.base_bonus if host.base is None else host.base
    state = ArmyState(spec, options, army, host.commander, copies(entries), own, base, host.used_day)
    refuse(tactician_choice=badly_chosen(spec, state.class_, host.commander.chosen))
    if host.oathbound is not None:
        state.oathbound = state.in_hand(host.oathbound)
        refuse(
            not_your_power=state.power != "oathbound",
            not_a_unit=not is_unit(state.cards[state.oathbound].type),
        )
    return state


def copies(entries: Iterable[Entry]) -> dict[str, Card]:
    """Every card of an army by a name of its own: `soldier`, or `soldier#1`, `soldier#2` where there are several."""
    every = [(entry.ref, entry.card) for entry in entries if entry.card for _ in range(entry.count)]
    total = Counter(ref for ref, _ in every)
    cards, numbered = {}, Counter[str]()
    for ref, card in every:
        numbered[ref] += 1
        cards[f"{ref}#{numbered[ref]}" if total[ref] > 1 else ref] = card
    return cards


def use_mender(spec: GameSpec, state: ArmyState, other: ArmyState, mending: Mending | None) -> None:
    """A Mender looks at cards of the other hand and may have one Disabled; with fewer, at all of them (R-137)."""
    if mending is None:
        return
    state.use("mender", "before_battle", disable=mending.disable is not None)
    shown = {other.in_hand(name) for name in mending.shown}
    number = min(len(other.lying("hand")), power_of(spec, "mender")["shows"])
    refuse(wrong_cards_shown=not len(mending.shown) == len(shown) == number)
    if mending.disable is not None:
        disabled = other.in_hand(mending.disable)
        refuse(not_shown=disabled not in shown)
        other.put(disabled, "disabled")


def _report(battle: BattleState) -> dict[str, Any]:
    """Where both armies stand, and who has won where the Battle is over (R-115 to R-120)."""
    states, over = battle.states, battle.ended is not None
    standings = {army: state.report(kills=states[enemy(army)].lost) for army, state in states.items()}
    outcomes = {
        army: Outcome(kills=standing["kills"], morale=standing["morale"]["total"], routed=standing["routed"])
        for army, standing in standings.items()
    }
    result = battle_result(**outcomes) if over else {"winner": None, "by": None}
    return {
        "over": over,
        "ended_by": battle.ended,
        **result,
        "phase": battle.phase,
        "next": None if over else battle.active,
        "a": standings["a"],
        "b": standings["b"],
        "turns": battle.log,
    }
