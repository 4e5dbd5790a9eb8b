"""A whole Battle from its record: every step by the rules of its own operation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Annotated, Any

from pydantic import Field

from carddb.cards import Card, Entry
from carddb.findings import Severity
from carddb.game import GameSpec
from carddb.games.rishar import morale
from carddb.games.rishar.armies import enlisted, judged
from carddb.games.rishar.battle import Outcome, battle_result
from carddb.games.rishar.camp import Camp
from carddb.games.rishar.course import Course
from carddb.games.rishar.powers import badly_chosen, power_of
from carddb.games.rishar.record import MAX_CARDS, MAX_TURNS, Flight, Flights, Host, Mending, Turn, step
from carddb.games.rishar.units import is_unit
from carddb.games.rishar.words import Army, enemy
from carddb.play.question import Answer, BadInput, Options, Refusal, operation, refuse


@operation(
    *("R-2", "R-3", "R-10", "R-11", "R-12", "R-13", "R-14", "R-33", "R-41", "R-44", "R-45", "R-46", "R-55", "R-58"),
    *(
        "R-61",
        "R-75",
        "R-76",
        "R-77",
        "R-78",
        "R-79",
        "R-85",
        "R-87",
        "R-89",
        "R-108",
        "R-115",
        "R-120",
        "R-129",
        "R-133",
    ),
    *("R-134", "R-135", "R-137", "R-144", "R-149", "R-150", "R-165", "R-166", "R-167", "R-174"),
)
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
    cards = {army: _enlisted(spec, army, host) for army, host in hosts.items()}
    camps: dict[Army, Camp] = {}
    for army, host in hosts.items():
        with step(army, army=army, index=None):
            camps[army] = muster(spec, options, army, host, *cards[army])
    for army, host in hosts.items():
        with step(army, army=army, index=None):
            mend(spec, camps[army], camps[enemy(army)], host.mender)
    course = Course(spec, options, camps, first_turn, {army: host.returned for army, host in hosts.items()})
    with step("opening", index=None):
        course.settle()
    for index, turn in enumerate(turns):
        with step(f"turns.{index}", index=index):
            course.play(turn)
    for army, camp in camps.items():
        if camp.routed:
            with step(f"rout.{army}", army=army, index=None):
                flee(spec, camp, camps[enemy(army)], getattr(rout or Flights(), army))
    return _report(course)


def _enlisted(spec: GameSpec, army: Army, host: Host) -> tuple[list[Entry], set[str]]:
    entries, codes = enlisted(spec, host.cards, f"{army}.cards")
    if sum(entry.count for entry in entries) > MAX_CARDS:
        raise BadInput(f"{army}.cards")
    return entries, codes


def muster(spec: GameSpec, options: Options, army: Army, host: Host, entries: list[Entry], codes: set[str]) -> Camp:
    """An army before the first turn: every card in hand, and Morale as it is now (R-33, R-45)."""
    found = judged(spec, options, host.commander, entries)
    errors = {finding.code for finding in found if finding.severity is Severity.ERROR} | codes
    if errors:
        raise Refusal("army_illegal", errors=sorted(errors))
    own = morale.starting(spec, int(host.commander.progression or 0)) if host.own is None else host.own
    base = host.commander.base_bonus if host.base is None else host.base
    camp = Camp(spec, options, army, host.commander, copies(entries), own, base, host.used_day)
    refuse(tactician_choice=badly_chosen(spec, camp.class_, host.commander.chosen))
    if host.oathbound is not None:
        camp.oathbound = camp.in_hand(host.oathbound)
        refuse(
            not_your_power=camp.power != "oathbound",
            not_a_unit=not is_unit(camp.cards[camp.oathbound].type),
        )
    return camp


def copies(entries: Iterable[Entry]) -> dict[str, Card]:
    """Every card of an army by a name of its own: `soldier`, or `soldier#1`, `soldier#2` where there are several."""
    total = Counter[str]()
    for entry in entries:
        total[entry.ref] += entry.count
    cards, numbered = {}, Counter[str]()
    for entry in entries:
        for _ in range(entry.count):
            numbered[entry.ref] += 1
            name = f"{entry.ref}#{numbered[entry.ref]}" if total[entry.ref] > 1 else entry.ref
            if entry.card:
                cards[name] = entry.card
    return cards


def mend(spec: GameSpec, camp: Camp, other: Camp, mending: Mending | None) -> None:
    """A Mender looks at cards of the other hand and may have one Disabled; with fewer, at all of them (R-137)."""
    if mending is None:
        return
    camp.use("mender", "before_battle", disable=mending.disable is not None)
    shown = {other.in_hand(name) for name in mending.shown}
    due = min(len(other.lying("hand")), power_of(spec, "mender")["shows"])
    refuse(wrong_cards_shown=len(mending.shown) != due or len(shown) != due)
    if mending.disable is not None:
        disabled = other.in_hand(mending.disable)
        refuse(not_shown=disabled not in shown)
        other.put(disabled, "disabled")


def flee(spec: GameSpec, camp: Camp, victor: Camp, flight: Flight) -> None:
    """What a rout costs: the victor's dice, protections, saves, and the victor's Rogue for the dead (R-88 to R-90)."""
    fallen = [_fallen(camp, key) for key in camp.cards]
    answer = morale.rout(units=tuple(fallen), rolls=flight.rolls, spec=spec)
    for key in answer["protected"]:
        camp.put(key, "disabled")
    saves = {camp.find(name, "disabled", "exhausted"): pay for name, pay in flight.saves.items()}
    refuse(not_killed=not set(saves) <= set(answer["killed"]))
    for key in answer["killed"]:
        camp.put(key, camp.save(saves[key], "rout") if key in saves else "killed")
    dead = [key for key in answer["killed"] if key not in saves]
    if victor.power == "rogue" and not victor.routed:
        refuse(wrong_dice_count=len(flight.rogue) != len(dead))
        for die in flight.rogue:
            victor.plunder(die)


def _fallen(camp: Camp, key: str) -> morale.Fallen:
    unit = camp.unit(key)
    shields = {"oathbound": unit.oathbound, "never_killed": unit.never_killed}
    return morale.Fallen(id=key, pile=camp.where[key], role=unit.role, **shields)


def _report(course: Course) -> dict[str, Any]:
    """Where both armies stand, and who has won where the Battle is over (R-115 to R-120)."""
    camps, over = course.camps, course.ended is not None
    standings = {army: camp.report(kills=camps[enemy(army)].lost) for army, camp in camps.items()}
    outcomes = {
        army: Outcome(kills=told["kills"], morale=told["morale"]["total"], routed=told["routed"])
        for army, told in standings.items()
    }
    result = battle_result(**outcomes) if over else {"winner": None, "by": None}
    return {
        "over": over,
        "ended_by": course.ended,
        **result,
        "phase": course.phase,
        "next": None if over else course.active,
        "a": standings["a"],
        "b": standings["b"],
        "turns": course.log,
    }
