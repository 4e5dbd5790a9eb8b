"""What Healers and Rituals do outside a Skirmish."""

from __future__ import annotations

from carddb.game.game import GameSpec
from carddb.games.rishar.play.fields import ClassName, Path, Pile, Role, Timing
from carddb.games.rishar.play.morale import is_routed
from carddb.games.rishar.play.powers import ritual_limits
from carddb.games.rishar.play.units import grown, is_unit
from carddb.play.fields import Count, Known, Many, Positive
from carddb.play.question import Answer, BadInput, Part, operation, refuse


class Patient(Part):
    """A card that a Healer takes back into hand."""

    strength: Count | None = None
    trained: bool = False
    pile: Pile

    def grown(self, spec: GameSpec) -> int:
        """Its Strength with training; none counts as 0, trained or not (R-104)."""
        return 0 if self.strength is None else grown(spec, self.strength, self.trained)


class HealerCard(Patient):
    """The card that is discarded for it."""

    role: Role


class Member(Part, extra="ignore"):
    """A card of an army, as far as Rituals look at it; what else is written on it does not matter."""

    role: Role
    path: Path | None = None
    count: Positive = 1


@operation("R-102", "R-103", "R-104")
def heal(healer: HealerCard, target: Patient, morale: Count, timing: Known[Timing], *, spec: GameSpec) -> Answer:
    """A Healer and a point of Morale for a card from the own Disabled or Exhausted pile."""
    healing = spec.data["healing"]
    refuse(
        not_a_healer=healer.role != "healer",
        healer_not_in_hand=healer.pile != "hand",
        wrong_time=timing != "after_skirmish",
        no_morale=morale < healing["cost"],
        target_pile=target.pile not in ("disabled", "exhausted"),
        target_too_strong=target.grown(spec) > healing["reach"] * healer.grown(spec),
    )
    left = morale - int(healing["cost"])
    return {"morale_after": left, "routed": is_routed(left), "healer_pile": "disabled", "target_pile": "hand"}


@operation("R-35", "R-36", "R-77", "R-112", "R-113", "R-136")
def ritual(
    card: Member,
    army: Many[Member],
    class_: ClassName | None = None,
    played_this_phase: Count = 0,
    played_this_battle: Count = 0,
    *,
    spec: GameSpec,
) -> Answer:
    """Whether a Ritual may be played now, and where it goes."""
    limits = ritual_limits(spec, class_)
    refuse(not_a_ritual=is_unit(card.role))
    if card.path is None:
        raise BadInput("card.path")
    of_its_path = sum(member.count for member in army if is_unit(member.role) and member.path == card.path)
    refuse(
        ritual_path_unsupported=of_its_path < spec.data["rituals"]["support"],
        ritual_phase_limit=played_this_phase >= limits["phase"],
        ritual_battle_limit=played_this_battle >= limits["battle"],
    )
    return {"pile": "disabled"}
