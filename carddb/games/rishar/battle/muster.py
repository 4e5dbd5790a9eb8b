"""Armies before the first turn: every card in hand, what their Commanders have chosen, a Mender's look."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from carddb.cards.cards import Card, Entry, Pool
from carddb.findings import Severity, codes_of
from carddb.game.game import GameSpec
from carddb.games.rishar.battle.army_state import ArmyState
from carddb.games.rishar.battle.record import MAX_CARDS, Host, Mending
from carddb.games.rishar.play import morale
from carddb.games.rishar.play.armies import army_findings, read_army
from carddb.games.rishar.play.fields import Army
from carddb.games.rishar.play.powers import badly_chosen, power_of
from carddb.games.rishar.play.units import is_unit
from carddb.play.question import EMPTY, BadInput, Options, Refusal, refuse


def cards_of_host(spec: GameSpec, army: Army, host: Host, pool: Pool = EMPTY) -> tuple[list[Entry], set[str]]:
    """The cards that an army brings, and the codes of their fields. Raises BadInput, also for too many cards."""
    entries, codes = read_army(spec, host.cards, f"{army}.cards", pool)
    if sum(entry.count for entry in entries) > MAX_CARDS:
        raise BadInput(f"{army}.cards")
    return entries, codes


def army_before_battle(
    spec: GameSpec, options: Options, army: Army, host: Host, entries: list[Entry], codes: set[str]
) -> ArmyState:
    """An army before the first turn: every card in hand, and Morale as it is now (R-33, R-45)."""
    refuse_illegal(spec, options, host, entries, codes)
    own = morale.starting(spec, int(host.commander.progression or 0)) if host.own is None else host.own
    base = host.commander.base_bonus if host.base is None else host.base
    state = ArmyState(spec, options, army, host.commander, copies(entries), own, base, host.used_day)
    refuse(tactician_choice=badly_chosen(spec, state.class_, host.commander.chosen))
    if host.oathbound is not None:
        name_oathbound(state, host.oathbound)
    return state


def refuse_illegal(spec: GameSpec, options: Options, host: Host, entries: list[Entry], codes: set[str]) -> None:
    """Refuses an army in which a check finds errors (R-33 to R-40)."""
    findings = army_findings(spec, options, host.commander, entries)
    if errors := {*codes, *codes_of(findings, Severity.ERROR)}:
        raise Refusal("army_illegal", errors=sorted(errors))


def name_oathbound(state: ArmyState, name: str) -> None:
    """Names the unit that an Oathbound protects (R-128, R-129)."""
    key = state.in_hand(name)
    refuse(not_your_power=state.power != "oathbound", not_a_unit=not is_unit(state.cards[key].type))
    state.oathbound = key


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
