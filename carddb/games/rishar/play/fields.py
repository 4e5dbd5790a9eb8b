"""The types of fields that several questions about Rishar share, and units in a Skirmish."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, get_args

from pydantic import Field, model_validator

from carddb.cards.cards import Card
from carddb.core.names import Vocabulary
from carddb.game.game import GameSpec
from carddb.play.question import Answer, Count, Known, Many, Part, Words, operation

_Paths = Literal["steel", "magic", "faith", "nature", "mind"]
Path = Annotated[_Paths, Words("path")]
_Units = Literal["aggressor", "guardian", "healer", "savant", "equipment"]
UnitRole = Annotated[_Units, Words("types")]
Role = Annotated[Literal[_Units, "ritual"], Words("types")]
CommanderRole = Annotated[Literal["guardian", "healer", "aggressor", "savant"], Words("types")]
Guardians = Literal["tactician", "battlemage", "oathbound", "shapeshifter", "adept"]
Healers = Literal["chirurgeon", "necromancer", "cleric", "animist", "mender"]
Aggressors = Literal["master_of_arms", "evoker", "dervish", "scout", "mindblade"]
Savants = Literal["rogue", "illusionist", "chaplain", "shaman", "etherealist"]
Trait = Literal["reach", "ranged", "undead", "elemental"]
ClassName = Literal[Guardians, Healers, Aggressors, Savants]
Side = Annotated[Literal["off", "def"], Words("sides")]
Army = Annotated[Literal["a", "b"], Words("armies")]
Pile = Annotated[Literal["hand", "engaged", "exhausted", "disabled", "killed"], Words("piles")]
Choice = Annotated[Literal["play", "pass", "unable"], Words("choices")]
Previous = Annotated[Literal["none", "play", "pass", "unable"], Words("choices")]
"""The other Commander's choice in the turn before; `none` in the first turn."""
Currency = Annotated[Literal["favor", "influence", "morale"], Words("currencies")]
Kind = Annotated[Literal["pc", "npc"], Words("commanders")]
Cause = Annotated[Literal["skirmish", "rout"], Words("causes")]
PhaseEnd = Annotated[Literal["phase_end"], Words("results")]
Result = Annotated[Literal["win", "loss", "none", "phase_end"], Words("results")]
Timing = Annotated[
    Literal["in_skirmish", "after_skirmish", "phase_two_start", "before_battle", "battle_start"], Words("timings")
]

PATHS: tuple[str, ...] = get_args(_Paths)
UNIT_ROLES: tuple[UnitRole, ...] = get_args(_Units)

SIDES: tuple[Side, Side] = ("off", "def")
ARMIES: tuple[Army, Army] = ("a", "b")

Influence = Annotated[float, Field(ge=0, le=10**9, multiple_of=0.5)]
"""An amount of Influence, which is counted in halves (R-95)."""


def opposing(side: Side) -> Side:
    """Returns the other side of a Skirmish."""
    return "def" if side == "off" else "off"


def enemy(army: Army) -> Army:
    """Returns the other army of a Battle."""
    return "b" if army == "a" else "a"


class Opponent(Part):
    """The opponents that a Dervish chose for the Day: one Path or one Role (R-140)."""

    path: Path | None = None
    role: Role | None = None

    @model_validator(mode="before")
    @classmethod
    def _of_word(cls, value: Any) -> Any:
        """Converts a single word, as a deck's header has it, to a Path or a Role."""
        if not isinstance(value, str):
            return value
        return {"path" if Vocabulary(PATHS).find(value) else "role": value}

    @model_validator(mode="after")
    def _is_one_choice(self) -> Opponent:
        if (self.path is None) == (self.role is None):
            raise ValueError("a Path or a Role")
        return self

    def is_of(self, unit: Unit) -> bool:
        """Returns whether `unit` has the Path or the Role that was chosen."""
        return unit.path == self.path if self.path else unit.current_role == self.role


class Unit(Part):
    """A card on Offense or Defense; `role_as` is the Role that it takes for this Skirmish, if not its own (R-114)."""

    strength: Count | None = None
    trained: bool = False
    path: Path | None = None
    role: Known[Role]
    traits: Many[Known[Trait]] = ()
    role_as: Known[Role] | None = None
    oathbound: bool = False
    never_killed: bool = False
    no_damage: bool = False

    @property
    def current_role(self) -> str:
        """The Role that the unit has now: the Role taken for this Skirmish, else its own."""
        return self.role if self.role_as is None else self.role_as


class Leader(Part):
    """A Commander in a Skirmish: class, choices, the bonus of a Mindblade, and how many Role changes are left."""

    class_: ClassName | None = Field(default=None, alias="class")
    chosen: Known[ClassName] | None = None
    dervish: Opponent | None = None
    mindblade: Annotated[int, Field(ge=0, le=2)] = 0
    role_changes_left: Count = 1


class Modifier(Part):
    """A bonus or penalty, from a card or from a Commander's power."""

    to: Side
    add: int
    from_: Annotated[Literal["card", "commander"], Words("sources")] = Field(alias="from")


def modifier(to: Side, add: int, origin: Literal["card", "commander"] = "commander") -> Modifier:
    """Returns a bonus or penalty for the unit of the side `to`."""
    return Modifier.model_validate({"to": to, "add": add, "from": origin})


class Rolls(Part):
    """The dice that each side rolled."""

    off: Many[int] = ()
    def_: Many[int] = Field(default=(), alias="def")


def is_unit(role: str) -> bool:
    """Returns whether a card of `role` is a unit; all cards except Rituals are (R-9)."""
    return role != "ritual"


def grown(spec: GameSpec, strength: int, trained: bool) -> int:
    """Returns `strength` with the permanent gain from training, if `trained` (R-157)."""
    return strength + (int(spec.data["training"]["adds"]) if trained else 0)


def dice_of(spec: GameSpec, side: Side, role: str, against: str | None) -> int:
    """Returns how many dice a Role rolls; `against` is the other Role, None if Unopposed (R-80, R-98 to R-101)."""
    row: Mapping[str, Any] = spec.data["dice"][role]
    return int(row.get("against", {}).get(against, row[side]))


def unit_of(card: Card, role_as: str | None = None, oathbound: bool = False) -> Unit:
    """Returns a card as a unit of a Skirmish, in the Role `role_as` if that is given."""
    shown = {name: card.get(name) for name in ("strength", "path", "never_killed", "no_damage")}
    own = {"role": card.type, "traits": card.get("traits") or (), "trained": bool(card.get("training"))}
    return Unit.model_validate({**shown, **own, "role_as": role_as, "oathbound": oathbound})


@operation()
def dice(off_role: UnitRole, def_role: UnitRole, *, spec: GameSpec) -> Answer:
    """The number of dice that each side rolls."""
    return {"off": dice_of(spec, "off", off_role, def_role), "def": dice_of(spec, "def", def_role, off_role)}
