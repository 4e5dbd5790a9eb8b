"""A Battle in progress: its turns and Phases, how armies enter it, and how it ends."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from pydantic import Field

from carddb.cards.cards import Card, Entry, Pool
from carddb.findings import Severity, codes_of
from carddb.game.game import GameSpec
from carddb.games.rishar.battle.engagement import ArmyState, Engagement, react, use_healer
from carddb.games.rishar.battle.record import MAX_CARDS, Healing, Host, Mending, Turn, step
from carddb.games.rishar.play import morale
from carddb.games.rishar.play.armies import army_findings, read_army
from carddb.games.rishar.play.fields import Army, Choice, Previous, Side, enemy, is_unit
from carddb.games.rishar.play.powers import badly_chosen, power_of
from carddb.play.question import EMPTY, Answer, BadInput, Count, Part, Refusal, operation, refuse

PhaseNumber = Annotated[int, Field(ge=1, le=2, description="A Phase, counted from 1.")]
LAST_PHASE = 2


class Outcome(Part):
    """The state of an army when the Battle is over."""

    kills: Count
    morale: Count
    routed: bool = False


@operation()
def turn(
    offense_can_play: bool,
    offense_choice: Choice,
    phase: PhaseNumber = 1,
    defense_can_play: bool | None = None,
    defense_choice: Choice | None = None,
    previous: Previous = "none",
    *,
    spec: GameSpec,
) -> Answer:
    """Resolves a turn: a Skirmish, an Unopposed attack, a Pass, or nothing."""
    may_choose(offense_can_play, offense_choice)
    nobody_can = offense_choice == "unable" and (previous == "unable" or defense_can_play is False)
    both_pass = offense_choice == previous == "pass"
    result: str = offense_choice
    if offense_choice == "play":
        if defense_can_play is None or defense_choice is None:
            raise BadInput("defense_can_play" if defense_can_play is None else "defense_choice")
        may_choose(defense_can_play, defense_choice)
        silent = "unopposed" if spec.readings["unable_defense"] == "unopposed" else "no_defender"
        result = {"play": "skirmish", "pass": "unopposed", "unable": silent}[defense_choice]
    return {
        "result": result,
        "off_morale_loss": spec.data["morale"]["pass"] if result == "pass" else 0,
        "phase_ends": nobody_can,
        "battle_ends": both_pass or (nobody_can and phase == LAST_PHASE),
    }


def may_choose(can_play: bool, choice: Choice) -> None:
    """Refuses a Pass or a play by a Commander who cannot play, and Unable by one who can (R-15, R-16)."""
    refuse(cannot_play=choice != "unable" and not can_play, able_to_play=choice == "unable" and can_play)


@operation()
def phase_two_first(last_defense_by: Army | None, first_turn: Army) -> Answer:
    """The army that begins the second Phase: the last on Defense, or else the one that did not begin the first."""
    return {"first": last_defense_by or enemy(first_turn)}


@operation()
def battle_result(a: Outcome, b: Outcome) -> Answer:
    """The winner of a Battle, and the reason: a rout, kills or Morale."""
    sides: dict[Army, Outcome] = {"a": a, "b": b}
    routed: list[Army] = [army for army, side in sides.items() if side.routed]
    if routed:
        return _won(enemy(routed[0]), "rout") if len(routed) == 1 else _won(None, "double_rout")
    for by in ("kills", "morale"):
        ours, theirs = getattr(a, by), getattr(b, by)
        if ours != theirs:
            return _won("a" if ours > theirs else "b", by)
    return _won(None, "double_loss")


def _won(winner: Army | None, by: str) -> dict[str, Any]:
    return {"winner": winner, "by": by}


@operation()
def engage(
    same_armies: bool,
    routed_today: bool,
    minutes_since: Annotated[float, Field(ge=0)] | None = None,
    *,
    spec: GameSpec,
) -> Answer:
    """Checks whether two armies may start a Battle now."""
    if same_armies and minutes_since is None:
        raise BadInput("minutes_since")
    refuse(
        routed_today=routed_today,
        too_soon=same_armies and minutes_since is not None and minutes_since < spec.data["minutes_between_battles"],
    )
    return {}


def cards_of_host(spec: GameSpec, army: Army, host: Host, pool: Pool = EMPTY) -> tuple[list[Entry], set[str]]:
    """Returns an army's cards, and the codes of errors in their fields. Raises BadInput for too many cards."""
    entries, codes = read_army(spec, host.cards, f"{army}.cards", pool)
    if sum(entry.count for entry in entries) > MAX_CARDS:
        raise BadInput(f"{army}.cards")
    return entries, codes


def army_before_battle(spec: GameSpec, army: Army, host: Host, entries: list[Entry], codes: set[str]) -> ArmyState:
    """Returns a legal army before the first turn: every card in hand, and its current Morale (R-33, R-45)."""
    refuse_illegal(spec, host, entries, codes)
    own = morale.starting(spec, int(host.commander.progression or 0)) if host.own is None else host.own
    base = host.commander.base_bonus if host.base is None else host.base
    state = ArmyState(spec, army, host.commander, copies(entries), own, base, host.used_day)
    refuse(tactician_choice=badly_chosen(spec, state.class_, host.commander.chosen))
    if host.oathbound is not None:
        name_oathbound(state, host.oathbound)
    return state


def refuse_illegal(spec: GameSpec, host: Host, entries: list[Entry], codes: set[str]) -> None:
    """Refuses an army that has errors in `codes` or in its deck check (R-33 to R-40)."""
    findings = army_findings(spec, host.commander, entries)
    if errors := {*codes, *codes_of(findings, Severity.ERROR)}:
        raise Refusal("army_illegal", errors=sorted(errors))


def name_oathbound(state: ArmyState, name: str) -> None:
    """Makes the card `name` the unit that the Oathbound of this army protects (R-128, R-129)."""
    key = state.in_hand(name)
    refuse(not_your_power=state.power != "oathbound", not_a_unit=not is_unit(state.cards[key].type))
    state.oathbound = key


def copies(entries: Iterable[Entry]) -> dict[str, Card]:
    """Returns every card of an army by key: `soldier` for a single card, `soldier#1`, `soldier#2` for copies."""
    every = [(entry.ref, entry.card) for entry in entries if entry.card for _ in range(entry.count)]
    total = Counter(ref for ref, _ in every)
    cards, numbered = {}, Counter[str]()
    for ref, card in every:
        numbered[ref] += 1
        cards[f"{ref}#{numbered[ref]}" if total[ref] > 1 else ref] = card
    return cards


def use_mender(spec: GameSpec, state: ArmyState, other: ArmyState, mending: Mending | None) -> None:
    """Lets a Mender see cards of the enemy's hand (all of a small hand), and have one of them Disabled (R-137)."""
    if mending is None:
        return
    state.use("mender", "before_battle", disable=mending.disable is not None)
    shown = {other.in_hand(name) for name in mending.shown}
    number = min(len(other.lying("hand")), power_of(spec, "mender")["shows"])
    refuse(wrong_cards_shown=not len(mending.shown) == len(shown) == number)
    if mending.disable is not None:
        disabled = other.in_hand(mending.disable)
        refuse(not_shown=disabled not in shown)
        other.where[disabled] = "disabled"


CLASHES = ("skirmish", "unopposed")


@dataclass
class BattleState:
    """A Battle in progress, and the current turn: the `choice` on Offense, the rules' `answer`, the `engaged` cards.

    The methods of a turn are called in this order: `begin`, `lay_offense`, `lay_defense`, those of `engaged`,
    `conclude`, `heal`, `end_turn`, `settle`. `play` does all of them but `settle`, from a turn's record.
    """

    spec: GameSpec
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
        self.answer: Answer = {}
        self._open_table()

    def _open_table(self) -> None:
        states: dict[Side, ArmyState] = {"off": self.states[self.active], "def": self.states[enemy(self.active)]}
        self.engaged = Engagement(self.spec, states)

    def copy(self) -> BattleState:
        """Returns a copy of the Battle; changes to the copy leave this Battle as it is."""
        shared = {id(entry): entry for entry in self.log}
        for state in self.states.values():
            shared |= state.shared
        return deepcopy(self, shared)

    # A turn

    def play(self, turn: Turn) -> None:
        """Plays one turn from its record (R-46)."""
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
        """Begins the turn of the army `by`. Refuses if the Battle is over or it is the other army's turn."""
        refuse(battle_over=self.ended is not None, not_your_turn=by != self.active)
        for state in self.states.values():
            state.used_in_skirmish.clear()
        self._open_table()

    def lay_offense(self, choice: Choice, card: str | None, role_as: str | None = None) -> None:
        """Makes the active Commander's choice: a card face down, a Pass, or Unable (R-47 to R-49)."""
        may_choose(self.states[self.active].can_play, choice)
        self.choice = choice
        if choice == "play":
            self.engaged.lay("off", card, role_as)

    def lay_defense(self, choice: Choice | None, card: str | None, role_as: str | None = None) -> None:
        """Records the defending Commander's choice, which decides the result of the turn (R-50 to R-52).

        `choice` is None if no card was played on Offense. Raises BadInput if it is None although one was played.
        """
        if self.choice == "play" and choice is None:
            raise BadInput("defense")
        self.answer = turn(
            offense_can_play=self.choice != "unable",
            offense_choice=self.choice,
            phase=self.phase,
            defense_can_play=self.states[enemy(self.active)].can_play,
            defense_choice=choice,
            previous=self.previous,
            spec=self.spec,
        )
        self.result = self.answer["result"]
        if self.result == "skirmish":
            self.engaged.lay("def", card, role_as, "defense.card")
            self.last_defense = enemy(self.active)
        elif self.result == "no_defender":
            self.engaged.clear({"off": self.spec.readings["unopposed_card"]})

    def _clash(self, turn: Turn) -> dict[str, Any]:
        """Resolves the clash of a recorded turn; returns its outcome, empty after a rout (R-65)."""
        table = self.engaged
        table.texts.update(turn.texts)
        for at, reaction in enumerate(turn.reactions):
            with step(f"reactions.{at}"):
                react(table, reaction)
            if self.ends_in_rout():
                return {}
        if self.result == "unopposed":
            return table.hit(turn.rolls)
        answer = table.resolve(table.fight(turn.rolls, turn.rerolls), turn.saves)
        for side in table.plunderers(answer["fate"]):
            table.states[side].plunder(turn.rogue.get(side))
        return answer

    def conclude(self, outcome: Answer) -> None:
        """Adds the outcome of the turn to the log, and subtracts the Morale that a Pass costs (R-48)."""
        cards = {"cards": dict(self.engaged.cards)} if self.result in CLASHES else {}
        clash = {self.result: outcome} if outcome else {}
        self.log.append({"by": self.active, "phase": self.phase, "result": self.result, **cards, **clash})
        self.states[self.active].lose(self.answer["off_morale_loss"])

    def heal(self, healing: Healing) -> None:
        """Uses a Healer after a Skirmish or an Unopposed attack, for 1 Morale (R-102 to R-104)."""
        refuse(battle_over=self.ends_in_rout())
        use_healer(self.states[healing.by], healing, "after_skirmish" if self.result in CLASHES else self.result)

    def end_turn(self) -> None:
        """Passes the turn to the other Commander; ends the Battle after two consecutive Passes (R-46, R-59, R-60)."""
        self.previous, self.active = self.choice, enemy(self.active)
        if self.answer["battle_ends"] and not self.ends_in_rout():
            self.ended = "both_pass"

    # Phases and the end

    def settle(self) -> bool:
        """Ends the Battle on a rout, and the Phase as soon as neither army has a card to play (R-54, R-58, R-61).

        Returns True if the second Phase opens: Necromancers may then act, and `settle` has to be called again.
        """
        if self.ends_in_rout() or self.ended or any(state.can_play for state in self.states.values()):
            return False
        if self.phase == LAST_PHASE:
            self.ended = "both_unable"
            return False
        # The Exhausted come back to hand; the army that was last on Defense begins.
        self.phase += 1
        self.previous = "none"
        self.active = phase_two_first(last_defense_by=self.last_defense, first_turn=self.first_turn)["first"]
        for state in self.states.values():
            state.take_back("exhausted")
            state.used_in_phase.clear()
            state.results.append("phase_end")
        return True

    def ends_in_rout(self) -> bool:
        """Ends the Battle and takes engaged cards back if an army is Routed; returns whether one is (R-61, R-89)."""
        if any(state.routed for state in self.states.values()):
            self.ended = "rout"
            for state in self.states.values():
                state.take_back("engaged")
        return self.ended == "rout"

    def report(self) -> dict[str, Any]:
        """Returns the state of both armies, and who has won if the Battle is over (R-115 to R-120)."""
        states, over = self.states, self.ended is not None
        kills = {army: states[enemy(army)].lost for army in states}
        ends = {army: Outcome(kills=kills[army], morale=own.morale, routed=own.routed) for army, own in states.items()}
        result = battle_result(**ends) if over else {"winner": None, "by": None}
        return {
            "over": over,
            "ended_by": self.ended,
            **result,
            "phase": self.phase,
            "next": None if over else self.active,
            **{army: state.report(kills[army]) for army, state in states.items()},
            "turns": self.log,
        }
