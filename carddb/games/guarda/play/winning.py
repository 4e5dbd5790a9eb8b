"""Who is out, and who has won."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from typing import NamedTuple, Protocol

from carddb.game.game import GameSpec
from carddb.games.guarda.play.variant import Mode, ModeName, Name, mode_of
from carddb.play.fields import Count, Known, Many
from carddb.play.question import Answer, Options, Part, operation, refuse


class Standing(Protocol):
    """What a player has reached."""

    @property
    def id(self) -> Name: ...
    @property
    def team(self) -> Name | None: ...
    @property
    def points(self) -> int: ...
    @property
    def hill(self) -> int: ...


class Verdict(NamedTuple):
    """The winning team or player, or a draw; neither while the game goes on."""

    winner: Name | None = None
    draw: bool = False


class Contender(Part):
    """A player in a position that is judged; what is absent is not counted."""

    id: Name
    team: Name | None = None
    health: int | None = None
    points: Count = 0
    hill: Count = 0
    draw_pile: Count | None = None


def exhausted(exhaust_on: str, draw: int | None, missing: int = 0) -> bool:
    """Whether a draw pile puts its owner out: with its last card, or when a card is missing (G-87, G-88)."""
    return missing > 0 if exhaust_on == "failed_draw" else draw == 0


def is_out(mode: Mode, health: int | None, without_cards: bool) -> bool:
    """Whether a player leaves the game (G-84, G-87)."""
    return mode.eliminates and ((health is not None and health <= 0) or (mode.exhausts and without_cards))


def side(player: Standing) -> tuple[bool, Name]:
    """A team, or a player without one; a team is never the same side as a player of its name."""
    return (False, player.id) if player.team is None else (True, player.team)


def verdict(mode: Mode, players: Iterable[Standing], out: Collection[Name]) -> Verdict:
    """Whether the goal of the mode is reached, or one side left, or none (G-67, G-84 to G-91)."""
    totals: dict[tuple[bool, Name], int] = defaultdict(int)
    left, fallen = set(), set(out)
    for player in players:
        if mode.score:
            totals[side(player)] += getattr(player, mode.score)
        if player.id not in fallen:
            left.add(side(player))
    best = max(totals.values(), default=0)
    if mode.goal and best >= mode.goal:
        return _sole_winner([each for each, total in totals.items() if total == best])
    return _sole_winner(list(left)) if mode.eliminates and len(left) < 2 else Verdict()


def _sole_winner(sides: list[tuple[bool, Name]]) -> Verdict:
    """The only side that is first wins; several, or none, have drawn."""
    return Verdict(winner=sides[0][1]) if len(sides) == 1 else Verdict(draw=True)


@operation(*(f"G-{number}" for number in (67, 84, 85, 86, 87, 88, 89, 90, 91, 93, 112)))
def victory(mode: Known[ModeName], players: Many[Contender], *, spec: GameSpec, options: Options) -> Answer:
    """A position after an attack or a turn: who is out, who has won, or that it is drawn."""
    refuse(mode_unknown=mode not in spec.data["modes"])
    rules = mode_of(spec, mode)
    out = [
        player.id
        for player in players
        if is_out(rules, player.health, exhausted(options["exhaust_on"], player.draw_pile))
    ]
    return {"eliminated": out, **verdict(rules, players, out)._asdict()}
