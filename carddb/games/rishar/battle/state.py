"""A Battle under way: its turns step by step, its Phases, and how it ends."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, field
from typing import Any, Literal

from carddb.game.game import GameSpec
from carddb.games.rishar.battle import battle
from carddb.games.rishar.battle.army_state import ArmyState
from carddb.games.rishar.battle.engagement import Engagement
from carddb.games.rishar.battle.healing import use_healer
from carddb.games.rishar.battle.reactions import react_in_turn
from carddb.games.rishar.battle.record import Healing, Turn, step
from carddb.games.rishar.play.fields import Army, Choice, Side, enemy
from carddb.play.question import Answer, BadInput, Options, refuse

CLASHES = ("skirmish", "unopposed")


@dataclass
class BattleState:
    """A Battle under way, and the turn that is played: its `choice` on Offense, its `result`, the cards on the table.

    A turn is `begin`, `lay_offense`, `lay_defense`, what happens to the `engaged` cards, `conclude`, `heal` and
    `end_turn`; then `settle`. `play` does a turn from its record.
    """

    spec: GameSpec
    options: Options
    states: Mapping[Army, ArmyState]
    first_turn: Army
    phase: int = 1
    previous: Literal["none", "play", "pass", "unable"] = "none"
    last_defense: Army | None = None
    ended: str | None = None
    log: list[dict[str, Any]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.active = self.first_turn
        self.choice: Choice = "unable"
        self.result = ""
        self.morale_loss = 0
        self.ends_battle = False
        self._open_table()

    def _open_table(self) -> None:
        states: dict[Side, ArmyState] = {"off": self.states[self.active], "def": self.states[enemy(self.active)]}
        self.engaged = Engagement(self.spec, self.options, states)

    def copy(self) -> BattleState:
        """The same Battle, which may take another course."""
        twin = copy(self)
        twin.states = {army: state.copy() for army, state in self.states.items()}
        twin.engaged = self.engaged.copy(twin.states)
        twin.log = [*self.log]
        return twin

    # A turn

    def play(self, turn: Turn) -> None:
        """One turn from its record (R-46)."""
        self.begin(turn.by)
        for at, prayer in enumerate(turn.prayers):
            with step(f"prayers.{at}"):
                self.states[prayer.by].pray(prayer.card)
        if self.ends_in_rout():
            return
        self.lay_offense(turn.choice, turn.card, turn.role_as)
        reply = turn.defense
        self.lay_defense(*((reply.choice, reply.card, reply.role_as) if reply else (None, None, None)))
        refuse(
            wrong_time=turn.reactions and self.result not in CLASHES,
            not_killed=turn.saves and self.result != "skirmish",
        )
        self.conclude(self._clash(turn) if self.result in CLASHES else {})
        for at, healing in enumerate(turn.heals):
            with step(f"heals.{at}"):
                self.heal(healing)
        self.end_turn()

    def begin(self, by: Army) -> None:
        """The turn of an army begins."""
        refuse(battle_over=self.ended is not None, not_your_turn=by != self.active)
        for state in self.states.values():
            state.used_in_skirmish.clear()
        self._open_table()

    def lay_offense(self, choice: Choice, card: str | None, role_as: str | None = None) -> None:
        """What the active Commander does: a card face down, a Pass, or nothing where it is Unable (R-47 to R-49)."""
        battle.may_choose(self.states[self.active].can_play, choice)
        self.choice = choice
        if choice == "play":
            self.engaged.lay("off", card, role_as)

    def lay_defense(self, choice: Choice | None, card: str | None, role_as: str | None = None) -> None:
        """What the other Commander answers, and what both choices make of the turn (R-50 to R-52)."""
        if self.choice == "play" and choice is None:
            raise BadInput("defense")
        answer = battle.turn(
            offense_can_play=self.choice != "unable",
            offense_choice=self.choice,
            phase=self.phase,
            defense_can_play=self.states[enemy(self.active)].can_play,
            defense_choice=choice,
            previous=self.previous,
            spec=self.spec,
            options=self.options,
        )
        self.result, self.morale_loss = answer["result"], answer["off_morale_loss"]
        self.ends_battle = answer["battle_ends"]
        if self.result == "skirmish":
            self.engaged.lay("def", card, role_as, "defense.card")
            self.last_defense = enemy(self.active)
        elif self.result == "no_defender":
            self.engaged.clear({"off": self.options["unopposed_card"]})

    def _clash(self, turn: Turn) -> dict[str, Any]:
        """What happens to the cards on the table, from the record of the turn (R-65)."""
        table = self.engaged
        table.texts.update(turn.texts)
        react_in_turn(table, turn.reactions)
        if self.ends_in_rout():
            return {}
        if self.result == "unopposed":
            return table.hit(turn.rolls)
        answer = table.resolve(table.fight(turn.rolls, turn.rerolls), turn.saves)
        for side in table.plunderers(answer["fate"]):
            table.states[side].plunder(turn.rogue.get(side))
        return answer

    def conclude(self, outcome: Answer) -> None:
        """Notes what came of the turn; a Pass costs Morale (R-48)."""
        cards = {"cards": dict(self.engaged.cards)} if self.result in CLASHES else {}
        clash = {self.result: outcome} if outcome else {}
        self.log.append({"by": self.active, "phase": self.phase, "result": self.result, **cards, **clash})
        self.states[self.active].lose(self.morale_loss)

    def heal(self, healing: Healing) -> None:
        """A Healer after a Skirmish or an Unopposed attack, for a point of Morale (R-102 to R-104)."""
        refuse(battle_over=self.ends_in_rout())
        timing = "after_skirmish" if self.result in CLASHES else self.result
        use_healer(self.states[healing.by], healing, timing)

    def end_turn(self) -> None:
        """The turn goes to the other Commander; two Passes running end the Battle (R-46, R-59, R-60)."""
        self.previous, self.active = self.choice, enemy(self.active)
        if self.ends_battle and not self.ends_in_rout():
            self.ended = "both_pass"

    # Phases and the end

    def settle(self) -> bool:
        """Ends the Battle on a rout, and the Phase as soon as nobody has a card to play (R-54, R-58, R-61).

        True where the second Phase opens: then Necromancers have their time, and it is to be settled again.
        """
        if self.ends_in_rout() or self.ended or any(state.can_play for state in self.states.values()):
            return False
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
            return False
        self._open_second_phase()
        return True

    def _open_second_phase(self) -> None:
        """The Exhausted come back, and whoever was last on Defense begins (R-55, R-56)."""
        self.phase += 1
        self.previous = "none"
        self.active = battle.phase_two_first(last_defense_by=self.last_defense, first_turn=self.first_turn)["first"]
        for state in self.states.values():
            state.take_back("exhausted")
            state.used_in_phase.clear()
            state.results.append("phase_end")

    def ends_in_rout(self) -> bool:
        """Ends the Battle where an army is Routed and takes engaged cards back; True if it ended so (R-61, R-89)."""
        if any(state.routed for state in self.states.values()):
            self.ended = "rout"
            for state in self.states.values():
                state.take_back("engaged")
        return self.ended == "rout"
