"""The values and objects that several questions about Rishar have as fields."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from carddb.play.fields import Count, Many
from carddb.play.question import Part

Path = Literal["steel", "magic", "faith", "nature", "mind"]
UnitRole = Literal["aggressor", "guardian", "healer", "savant", "equipment"]
Role = UnitRole | Literal["ritual"]
Guardians = Literal["tactician", "battlemage", "oathbound", "shapeshifter", "adept"]
Healers = Literal["chirurgeon", "necromancer", "cleric", "animist", "mender"]
Aggressors = Literal["master_of_arms", "evoker", "dervish", "scout", "mindblade"]
Savants = Literal["rogue", "illusionist", "chaplain", "shaman", "etherealist"]
ClassName = Guardians | Healers | Aggressors | Savants
Side = Literal["off", "def"]
Army = Literal["a", "b"]
Pile = Literal["hand", "engaged", "exhausted", "disabled", "killed"]
Choice = Literal["play", "pass", "unable"]
Currency = Literal["favor", "influence", "morale"]
Kind = Literal["pc", "npc"]

SIDES: tuple[Side, Side] = ("off", "def")
ARMIES: tuple[Army, Army] = ("a", "b")

Influence = Annotated[float, Field(ge=0, le=10**9, multiple_of=0.5)]
"""Influence is counted in halves (R-95)."""


def opposing(side: Side) -> Side:
    """The other side of a Skirmish."""
    return "def" if side == "off" else "off"


def enemy(army: Army) -> Army:
    """The other army of a Battle."""
    return "b" if army == "a" else "a"


class Opponent(Part):
    """What a Dervish chose for the Day: one Path or one Role (R-140)."""

    path: Path | None = None
    role: Role | None = None

    @model_validator(mode="after")
    def _is_one_choice(self) -> Opponent:
        if (self.path is None) == (self.role is None):
            raise ValueError("a Path or a Role")
        return self


class Unit(Part):
    """A card on Offense or Defense; `role_as` is the Role that it takes for this Skirmish (R-114)."""

    strength: Count | None = None
    trained: bool = False
    path: Path | None = None
    role: str
    traits: Many[str] = ()
    role_as: str | None = None
    oathbound: bool = False
    never_killed: bool = False
    no_damage: bool = False

    @property
    def current_role(self) -> str:
        """The Role that counts now."""
        return self.role if self.role_as is None else self.role_as


class Leader(Part):
    """What a Commander brings into a Skirmish."""

    class_: ClassName | None = Field(default=None, alias="class")
    chosen: str | None = None
    dervish: Opponent | None = None
    mindblade: Annotated[int, Field(ge=0, le=2)] = 0
    role_changes_left: Count = 1


class Modifier(Part):
    """A bonus or penalty, from a card or from a Commander's power."""

    to: Side
    add: int
    from_: Literal["card", "commander"] = Field(alias="from")


class Rolls(Part):
    """What each side rolled."""

    off: Many[int] = ()
    def_: Many[int] = Field(default=(), alias="def")
