"""Reactions in a turn: whose opportunity it is, discards, Rituals, powers and Healers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from carddb.games.rishar.battle.army_state import ArmyState
from carddb.games.rishar.battle.engagement import Engagement
from carddb.games.rishar.battle.record import Healing, Reaction, step
from carddb.games.rishar.play.fields import SIDES, ClassName, Role, Side, is_unit, opposing
from carddb.games.rishar.play.powers import HealerCard, Member, Patient, heal, may_become, power_of, ritual
from carddb.play.question import BadInput, refuse


def use_healer(state: ArmyState, healing: Healing, timing: str) -> None:
    """Discards a Healer and pays 1 Morale to take a Disabled or Exhausted card back to hand (R-102 to R-104)."""
    healer, target = state.find(healing.healer, "hand"), state.find(healing.target, "disabled", "exhausted")
    unit, patient = state.unit(healer, healing.role_as), state.unit(target)
    refuse(role_change_not_allowed=not may_become(state.spec, unit, state.leader))
    answer = heal(
        healer=HealerCard(
            role=cast(Role, unit.current_role),
            strength=unit.strength,
            trained=unit.trained,
            pile=state.where[healer],
        ),
        target=Patient(strength=patient.strength, trained=patient.trained, pile=state.where[target]),
        morale=state.morale,
        timing=timing,
        spec=state.spec,
    )
    state.lose(state.morale - answer["morale_after"])
    state.changed_role(unit)
    state.discard(healer, healing.roll)
    state.put(target, answer["target_pile"])


def react_in_turn(table: Engagement, reactions: Iterable[Reaction]) -> None:
    """Carries out the reactions of a turn one by one, and stops as soon as an army is routed."""
    for at, reaction in enumerate(reactions):
        with step(f"reactions.{at}"):
            react(table, reaction)
        if any(state.routed for state in table.states.values()):
            return


def react(table: Engagement, reaction: Reaction) -> None:
    """Uses one opportunity to react. The attacker has the first, then the sides alternate until both refuse in a row
    (R-76).

    If the other side reacts instead, the side whose opportunity it was has refused.
    """
    side = table.side_of(reaction.by)
    refusals = table.refusals + (side != table.opportunity)
    refuse(opportunity_over=refusals >= len(SIDES))
    if reaction.power is not None and not reaction.decline:
        _use_power(table, side, reaction.power, reaction)
    elif reaction.discard is not None and not reaction.decline:
        _discard(table, side, reaction.discard, reaction)
    elif not reaction.decline:
        raise BadInput("discard")
    table.refusals = refusals + 1 if reaction.decline else 0
    table.opportunity = opposing(side)


def _discard(table: Engagement, side: Side, name: str, reaction: Reaction) -> None:
    """Discards the card `name`, which may be a Ritual, for the effects of its text (R-75, R-77, R-78, R-113)."""
    state = table.states[side]
    key = state.in_hand(name)
    card = state.cards[key]
    add = card.get("discard_bonus") if reaction.add is None else reaction.add
    if is_unit(card.type):
        refuse(no_discard_power=add is None and not reaction.morale and not reaction.moves)
    else:
        ritual(
            card=_member(state, key),
            army=tuple(_member(state, other) for other in state.cards),
            class_=cast(ClassName, state.power),
            played_this_phase=state.used_in_phase["ritual"],
            played_this_battle=state.used["ritual"],
            spec=table.spec,
        )
        state.count("ritual")
    state.discard(key, reaction.roll)
    if add:
        table.add(reaction.to, add, "card")
    for army, points in reaction.morale.items():
        gainer = table.states[table.side_of(army)]
        (gainer.gain if points > 0 else gainer.lose)(abs(points))
    for move in reaction.moves:
        owner = table.states[table.side_of(move.army)]
        moved = owner.find(move.card)
        refuse(card_engaged="engaged" in (owner.where[moved], move.to))
        owner.put(moved, move.to)


def _member(state: ArmyState, key: str) -> Member:
    card = state.cards[key]
    return Member.model_validate({"role": card.type, "path": card.get("path")})


def _use_power(table: Engagement, side: Side, power: str, reaction: Reaction) -> None:
    """Uses the power of an Evoker, Illusionist or Etherealist; other powers have their own times (R-79)."""
    state = table.states[side]
    state.use(power, "in_skirmish")
    if power == "evoker":
        table.add(reaction.to, power_of(table.spec, power)["adds"], "commander")
    elif power == "illusionist":
        if reaction.roll is None:
            raise BadInput("roll")
        table.add(reaction.to, reaction.roll, "commander")
    else:
        refuse(wrong_time=power != "etherealist" or len(table.cards) < len(SIDES))
        # Another unit replaces the card on the table, whose modifiers are lost.
        replaced = table.cards[side]
        table.lay(side, reaction.card)
        state.put(replaced, "hand")
        table.modifiers = [modifier for modifier in table.modifiers if modifier.to != side]
