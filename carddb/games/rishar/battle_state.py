"""A Battle under way: its turns and Phases, one after the other, and how it ends."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, cast

from carddb.game import GameSpec
from carddb.games.rishar import battle
from carddb.games.rishar.army_state import ArmyState
from carddb.games.rishar.battle_record import Healing, Prayer, Turn, step
from carddb.games.rishar.engagement import Engagement
from carddb.games.rishar.fields import Army, Role, enemy
from carddb.games.rishar.powers import may_become
from carddb.games.rishar.roles import HealerCard, Patient, heal
from carddb.play.question import Answer, BadInput, Options, refuse

CLASHES = ("skirmish", "unopposed")


@dataclass
class BattleState:
    """A Battle under way; `returned` are the cards that Necromancers bring back as the second Phase opens."""

    spec: GameSpec
    options: Options
    states: Mapping[Army, ArmyState]
    first_turn: Army
    returned: Mapping[Army, str | None]
    phase: int = 1
    previous: Literal["none", "play", "pass", "unable"] = "none"
    last_defense: Army | None = None
    ended: str | None = None
    log: list[dict[str, Any]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.active = self.first_turn

    def play(self, turn: Turn) -> None:
        """One turn, up to the beginning of the next (R-46)."""
        refuse(battle_over=self.ended is not None, not_your_turn=turn.by != self.active)
        for state in self.states.values():
            state.used_in_skirmish.clear()
        for at, prayer in enumerate(turn.prayers):
            with step(f"prayers.{at}"):
                self._pray(prayer)
        if self._ends_in_rout():
            return
        answer = self._answer(turn)
        outcome = self._play_cards(turn, answer["result"])
        self.log.append({"by": turn.by, "phase": self.phase, "result": answer["result"], **outcome})
        self.states[turn.by].lose(answer["off_morale_loss"])
        for at, healing in enumerate(turn.heals):
            with step(f"heals.{at}"):
                self._heal(healing, answer["result"])
        self.previous, self.active = turn.choice, enemy(turn.by)
        self.settle()
        if answer["battle_ends"] and not self.ended:
            self.ended = "both_pass"

    def _answer(self, turn: Turn) -> Answer:
        """What the choices of both make of the turn."""
        offense, defense = self.states[turn.by], self.states[enemy(turn.by)]
        reply = turn.defense
        if turn.choice == "play" and offense.can_play and reply is None:
            raise BadInput("defense")
        return battle.turn(
            offense_can_play=offense.can_play,
            offense_choice=turn.choice,
            phase=self.phase,
            defense_can_play=defense.can_play,
            defense_choice=reply.choice if reply else None,
            previous=self.previous,
            spec=self.spec,
            options=self.options,
        )

    def _play_cards(self, turn: Turn, result: str) -> Mapping[str, Any]:
        """Puts the cards on the table and clears it again."""
        refuse(wrong_time=turn.reactions and result not in CLASHES, not_killed=turn.saves and result != "skirmish")
        if turn.choice != "play":
            return {}
        table = Engagement(self.spec, self.options, {"off": self.states[turn.by], "def": self.states[enemy(turn.by)]})
        table.play("off", turn.card, turn.role_as)
        if result == "no_defender":
            table.lay({"off": self.options["unopposed_card"]})
            return {}
        if result == "skirmish" and turn.defense:
            table.play("def", turn.defense.card, turn.defense.role_as, "defense.card")
            self.last_defense = enemy(turn.by)
        table.react(turn.reactions)
        cards = {"cards": dict(table.cards)}
        if self._ends_in_rout():
            return cards
        return {**cards, result: table.fight(turn) if result == "skirmish" else table.attack(turn)}

    def _pray(self, prayer: Prayer) -> None:
        """A Cleric takes a Killed card back, while no Skirmish is being resolved (R-134, R-135)."""
        state = self.states[prayer.by]
        state.use("cleric", "any")
        key = state.find(prayer.card, "killed")
        refuse(target_pile=state.where[key] != "killed")
        state.put(key, "hand")

    def _heal(self, healing: Healing, result: str) -> None:
        """A Healer after a Skirmish or an Unopposed attack, for a point of Morale (R-102 to R-104)."""
        refuse(battle_over=self._ends_in_rout())
        state = self.states[healing.by]
        healer, target = state.find(healing.healer, "hand"), state.find(healing.target, "disabled", "exhausted")
        unit, patient = state.unit(healer, healing.role_as), state.unit(target)
        refuse(role_change_not_allowed=not may_become(self.spec, unit, state.leader))
        answer = heal(
            healer=HealerCard(
                role=cast(Role, unit.current_role),
                strength=unit.strength,
                trained=unit.trained,
                pile=state.where[healer],
            ),
            target=Patient(strength=patient.strength, trained=patient.trained, pile=state.where[target]),
            morale=state.morale,
            timing="after_skirmish" if result in CLASHES else result,
            spec=self.spec,
        )
        state.lose(state.morale - answer["morale_after"])
        state.changed_role(unit)
        state.discard(healer, healing.roll)
        state.put(target, answer["target_pile"])

    def settle(self) -> None:
        """Ends the Battle on a rout, and each Phase as soon as nobody has a card to play (R-54, R-58, R-61)."""
        while not self._ends_in_rout() and not self.ended and not any(state.can_play for state in self.states.values()):
            answer = battle.turn(
                offense_can_play=False,
                offense_choice="unable",
                phase=self.phase,
                defense_can_play=False,
                previous=self.previous,
                spec=self.spec,
                options=self.options,
            )
            if answer["battle_ends"]:
                self.ended = "both_unable"
            else:
                self._open_second_phase()

    def _open_second_phase(self) -> None:
        """The Exhausted come back, and whoever was last on Defense begins (R-55, R-56)."""
        self.phase += 1
        self.previous = "none"
        self.active = battle.phase_two_first(last_defense_by=self.last_defense, first_turn=self.first_turn)["first"]
        for army, state in self.states.items():
            state.take_back("exhausted")
            state.used_in_phase.clear()
            state.results.append("phase_end")
            name = self.returned[army]
            if name is not None:
                with step("returned", army=army):
                    state.use("necromancer", "phase_two_start")
                    key = state.find(name, "disabled")
                    refuse(target_pile=state.where[key] != "disabled")
                    state.put(key, "hand")

    def _ends_in_rout(self) -> bool:
        """Ends the Battle where an army is Routed and takes engaged cards back; True if it ended so (R-61, R-89)."""
        if any(state.routed for state in self.states.values()):
            self.ended = "rout"
            for state in self.states.values():
                state.take_back("engaged")
        return self.ended == "rout"
