"""The course of a Battle: its turns and Phases, one after the other, and how it ends."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from carddb.game import GameSpec
from carddb.games.rishar import battle
from carddb.games.rishar.camp import Camp
from carddb.games.rishar.engagement import Engagement
from carddb.games.rishar.powers import may_become
from carddb.games.rishar.record import Healing, Prayer, Turn, step
from carddb.games.rishar.roles import HealerCard, Patient, heal
from carddb.games.rishar.words import Army, enemy
from carddb.play.question import Answer, BadInput, Options, refuse

CLASHES = ("skirmish", "unopposed")


@dataclass
class Course:
    """A Battle under way; `returned` are the cards that Necromancers bring back as the second Phase opens."""

    spec: GameSpec
    options: Options
    camps: Mapping[Army, Camp]
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
        for camp in self.camps.values():
            camp.used_in_skirmish.clear()
        for at, prayer in enumerate(turn.prayers):
            with step(f"prayers.{at}"):
                self._pray(prayer)
        if self._routs():
            return
        answer = self._answer(turn)
        told = self._take(turn, answer["result"])
        self.log.append({"by": turn.by, "phase": self.phase, "result": answer["result"], **told})
        self.camps[turn.by].lose(answer["off_morale_loss"])
        for at, healing in enumerate(turn.heals):
            with step(f"heals.{at}"):
                self._heal(healing, answer["result"])
        self.previous, self.active = turn.choice, enemy(turn.by)
        self.settle()
        if answer["battle_ends"] and not self.ended:
            self.ended = "both_pass"

    def _answer(self, turn: Turn) -> Answer:
        """What the choices of both make of the turn."""
        mine, theirs = self.camps[turn.by], self.camps[enemy(turn.by)]
        reply = turn.defense
        if turn.choice == "play" and mine.can_play and reply is None:
            raise BadInput("defense")
        return battle.turn(
            offense_can_play=mine.can_play,
            offense_choice=turn.choice,
            phase=self.phase,
            defense_can_play=theirs.can_play,
            defense_choice=reply.choice if reply else None,
            previous=self.previous,
            spec=self.spec,
            options=self.options,
        )

    def _take(self, turn: Turn, result: str) -> Mapping[str, Any]:
        """Puts the cards on the table and clears it again."""
        refuse(wrong_time=turn.reactions and result not in CLASHES, not_killed=turn.saves and result != "skirmish")
        if turn.choice != "play":
            return {}
        table = Engagement(self.spec, self.options, {"off": self.camps[turn.by], "def": self.camps[enemy(turn.by)]})
        table.play("off", turn.card, turn.role_as)
        if result == "no_defender":
            table.lay({"off": self.options["unopposed_card"]})
            return {}
        if result == "skirmish" and turn.defense:
            table.play("def", turn.defense.card, turn.defense.role_as, "defense.card")
            self.last_defense = enemy(turn.by)
        table.react(turn.reactions)
        cards = {"cards": dict(table.cards)}
        if self._routs():
            return cards
        return {**cards, result: table.fight(turn) if result == "skirmish" else table.attack(turn)}

    def _pray(self, prayer: Prayer) -> None:
        """A Cleric takes a Killed card back, while no Skirmish is being resolved (R-134, R-135)."""
        camp = self.camps[prayer.by]
        camp.use("cleric", "any")
        key = camp.find(prayer.card, "killed")
        refuse(target_pile=camp.where[key] != "killed")
        camp.put(key, "hand")

    def _heal(self, healing: Healing, result: str) -> None:
        """A Healer after a Skirmish or an Unopposed attack, for a point of Morale (R-102 to R-104)."""
        refuse(battle_over=self._routs())
        camp = self.camps[healing.by]
        healer, target = camp.find(healing.healer, "hand"), camp.find(healing.target, "disabled", "exhausted")
        one, other = camp.unit(healer, healing.role_as), camp.unit(target)
        refuse(role_change_not_allowed=not may_become(self.spec, one, camp.leader))
        answer = heal(
            healer=HealerCard(
                role=one.current_role, strength=one.strength, trained=one.trained, pile=camp.where[healer]
            ),
            target=Patient(strength=other.strength, trained=other.trained, pile=camp.where[target]),
            morale=camp.morale,
            timing="after_skirmish" if result in CLASHES else result,
            spec=self.spec,
        )
        camp.lose(camp.morale - answer["morale_after"])
        camp.changed_role(one)
        camp.discard(healer, healing.roll)
        camp.put(target, answer["target_pile"])

    def settle(self) -> None:
        """Ends the Battle on a rout, and each Phase as soon as nobody has a card to play (R-54, R-58, R-61)."""
        while not self._routs() and not self.ended and not any(camp.can_play for camp in self.camps.values()):
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
        for army, camp in self.camps.items():
            camp.take_back("exhausted")
            camp.used_in_phase.clear()
            camp.results.append("phase_end")
            name = self.returned[army]
            if name is not None:
                with step("returned", army=army):
                    camp.use("necromancer", "phase_two_start")
                    key = camp.find(name, "disabled")
                    refuse(target_pile=camp.where[key] != "disabled")
                    camp.put(key, "hand")

    def _routs(self) -> bool:
        """Whether somebody is Routed; whatever is engaged then goes back to hand (R-61, R-89)."""
        if any(camp.routed for camp in self.camps.values()):
            self.ended = "rout"
            for camp in self.camps.values():
                camp.take_back("engaged")
        return self.ended == "rout"
