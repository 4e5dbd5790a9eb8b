"""The cards on the table in one turn of a replay: reactions, the dice, and where the cards go."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from carddb.game import GameSpec
from carddb.games.rishar.army_state import ArmyState
from carddb.games.rishar.battle_record import Reaction, Turn, step
from carddb.games.rishar.fields import SIDES, Army, ClassName, Currency, Modifier, Pile, Side, Unit, opposing
from carddb.games.rishar.powers import power_of
from carddb.games.rishar.roles import Member, ritual
from carddb.games.rishar.skirmish import AttackModifier, may_stand, skirmish, unopposed
from carddb.games.rishar.units import dice_of, is_unit
from carddb.play.question import BadInput, Options, refuse


@dataclass
class Engagement:
    """What is on the table: each side's card, the Role that it takes, and the modifiers so far."""

    spec: GameSpec
    options: Options
    states: Mapping[Side, ArmyState]
    cards: dict[Side, str] = field(default_factory=dict)
    roles: dict[Side, str | None] = field(default_factory=dict)
    modifiers: list[Modifier] = field(default_factory=list)

    def play(self, side: Side, name: str | None, role_as: str | None = None, path: str = "card") -> None:
        """Puts a card from hand on the table (R-47, R-50). Raises BadInput where none is named."""
        if name is None:
            raise BadInput(path)
        state = self.states[side]
        key = state.in_hand(name)
        may_stand(self.spec, state.unit(key, role_as), state.leader)
        state.put(key, "engaged")
        self.cards[side], self.roles[side] = key, role_as

    def unit(self, side: Side) -> Unit:
        """A side's card as it fights."""
        return self.states[side].unit(self.cards[side], self.roles[side])

    # Reactions

    def react(self, reactions: tuple[Reaction, ...]) -> None:
        """The opportunities in turn, the attacker's first, until two refusals in a row (R-76).

        Whose opportunity it is and who does nothing has refused it. Ends early where somebody is routed.
        """
        side, refusals = SIDES[0], 0
        for at, reaction in enumerate(reactions):
            reacting = self._side_of(reaction.by)
            refusals += reacting != side
            with step(f"reactions.{at}"):
                refuse(opportunity_over=refusals >= len(SIDES))
                self._react(reacting, reaction)
            refusals = refusals + 1 if reaction.decline else 0
            side = opposing(reacting)
            if self.somebody_is_routed:
                return

    def _side_of(self, army: Army) -> Side:
        return next(side for side, state in self.states.items() if state.army == army)

    def _react(self, side: Side, reaction: Reaction) -> None:
        if reaction.decline:
            return
        if reaction.power is not None:
            self._use_power(side, reaction.power, reaction)
        elif reaction.discard is not None:
            self._discard(self.states[side], reaction.discard, reaction)
        else:
            raise BadInput("discard")

    def _discard(self, state: ArmyState, name: str, reaction: Reaction) -> None:
        """A card spent for what its text gives, a Ritual among them (R-75, R-77, R-78, R-113)."""
        key = state.in_hand(name)
        card = state.cards[key]
        add = card.get("discard_bonus") if reaction.add is None else reaction.add
        if is_unit(card.type):
            refuse(no_discard_power=add is None and not reaction.morale and not reaction.moves)
        else:
            self._play_ritual(state, key)
        state.discard(key, reaction.roll)
        if add:
            self._modify(reaction.to, add, "card")
        for army, points in reaction.morale.items():
            gainer = self.states[self._side_of(army)]
            (gainer.gain if points > 0 else gainer.lose)(abs(points))
        for move in reaction.moves:
            owner = self.states[self._side_of(move.army)]
            moved = owner.find(move.card)
            refuse(card_engaged="engaged" in (owner.where[moved], move.to))
            owner.put(moved, move.to)

    def _play_ritual(self, state: ArmyState, key: str) -> None:
        ritual(
            card=_member(state, key),
            army=tuple(_member(state, other) for other in state.cards),
            class_=cast(ClassName, state.power),
            played_this_phase=state.used_in_phase["ritual"],
            played_this_battle=state.used["ritual"],
            spec=self.spec,
        )
        state.count("ritual")

    def _use_power(self, side: Side, power: str, reaction: Reaction) -> None:
        """Evoker, Illusionist and Etherealist; the others have their own time (R-79)."""
        state = self.states[side]
        state.use(power, "in_skirmish")
        if power == "evoker":
            self._modify(reaction.to, power_of(self.spec, power)["adds"], "commander")
        elif power == "illusionist":
            if reaction.roll is None:
                raise BadInput("roll")
            self._modify(reaction.to, reaction.roll, "commander")
        else:
            refuse(wrong_time=power != "etherealist" or len(self.cards) < len(SIDES))
            self._swap(side, reaction.card)

    def _swap(self, side: Side, newcomer: str | None) -> None:
        """Another unit takes the place; the modifiers of the replaced one are lost (R-149, R-150)."""
        replaced = self.cards[side]
        self.play(side, newcomer)
        self.states[side].put(replaced, "hand")
        self.modifiers = [modifier for modifier in self.modifiers if modifier.to != side]

    def _modify(self, to: Side | None, add: int, origin: str) -> None:
        if to is None:
            raise BadInput("to")
        refuse(not_engaged=to not in self.cards)
        self.modifiers.append(Modifier.model_validate({"to": to, "add": add, "from": origin}))

    # Resolution

    def attack(self, turn: Turn) -> dict[str, Any]:
        """An Unopposed attack: Morale damage, and the attacker's pile (R-51, R-53)."""
        attacker, defender = self.states["off"], self.states["def"]
        unit = self.unit("off")
        if turn.rolls is None and dice_of(self.spec, "off", unit.current_role, against=None):
            raise BadInput("rolls")
        answer = unopposed(
            off=unit,
            rolls=turn.rolls.off if turn.rolls else (),
            mods=tuple(AttackModifier.model_validate(modifier.model_dump()) for modifier in self.modifiers),
            off_commander=attacker.leader,
            spec=self.spec,
            options=self.options,
        )
        self.lay({"off": answer["pile"]})
        defender.lose(answer["damage"])
        for state in self.states.values():
            state.results.append("none")
        return dict(answer)

    def fight(self, turn: Turn) -> dict[str, Any]:
        """A Skirmish: who wins, who is saved, where the cards go, and what a Rogue gains (R-65)."""
        answer = skirmish(
            off=self.unit("off"),
            def_=self.unit("def"),
            rolls=turn.rolls,
            rerolls=turn.rerolls,
            mods=tuple(self.modifiers),
            off_commander=self.states["off"].leader,
            def_commander=self.states["def"].leader,
            spec=self.spec,
            options=self.options,
        )
        fates = {side: self._fate(side, answer["fate"][side], turn.saves) for side in SIDES}
        self.lay(fates)
        for side, state in self.states.items():
            won = None if answer["winner"] is None else answer["winner"] == side
            state.results.append({True: "win", False: "loss", None: "none"}[won])
            if fates[opposing(side)] == "killed" and not state.routed:
                state.plunder(turn.rogue.get(side))
        return {**answer, "fate": fates}

    def _fate(self, side: Side, fate: Pile, saves: Mapping[Side, Currency]) -> Pile:
        """The pile of a side's card; a Killed unit is Disabled instead where its owner pays (R-92 to R-94)."""
        if side not in saves:
            return fate
        refuse(not_killed=fate != "killed")
        return self.states[side].save(saves[side], "skirmish")

    def lay(self, piles: Mapping[Side, Pile]) -> None:
        """Clears the table; a Role that was taken lapses (R-114)."""
        for side, pile in piles.items():
            self.states[side].changed_role(self.unit(side))
            self.states[side].put(self.cards[side], pile)

    @property
    def somebody_is_routed(self) -> bool:
        """Whether the Battle is over at once (R-61)."""
        return any(state.routed for state in self.states.values())


def _member(state: ArmyState, key: str) -> Member:
    card = state.cards[key]
    return Member.model_validate({"role": card.type, "path": card.get("path")})
