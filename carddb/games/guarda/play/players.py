"""Players and winners: win modes, teams, seats, and who is out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal, NamedTuple, Protocol

from carddb.cards.cards import Deck, Pool
from carddb.core.groups import totals
from carddb.core.names import did_you_mean
from carddb.core.plain_text import amount, whole
from carddb.deck import Context
from carddb.findings import Finding, Place, Severity, codes_of
from carddb.game.game import GameSpec
from carddb.games.printed_words import finding
from carddb.play.question import Answer, Count, Known, Many, Part, Words, operation, refuse

ModeName = Annotated[Literal["elimination", "victory", "exhaustion", "king"], Words("modes")]
STANDARD: ModeName = "elimination"
"""The default mode (G-84)."""

Name = str | int
"""The name of a player or a team."""


@dataclass(frozen=True, slots=True)
class Mode:
    """A win mode: a player's health, and texts on losing and winning; `{goal}` stands for the goal (G-84 to G-90)."""

    label: str
    out: str
    wins: str
    eliminates: bool
    reshuffle: bool
    health: int | None = None
    score: str = ""
    goal: int = 0
    exhausts: bool = False


def mode_of(spec: GameSpec, name: str) -> Mode:
    """Returns the win mode with the key `name`."""
    return Mode(**spec.data["modes"][name])


NO_PLACE = Place()


class Member(Part):
    """A player, with or without a team."""

    id: Name
    team: Name | None = None


def wrong_number(spec: GameSpec, players: int) -> bool:
    """Returns whether there are too few or too many players (G-1)."""
    fewest, most = spec.players
    return not fewest <= players <= most


def seats(spec: GameSpec, players: int) -> list[str]:
    """Returns the default seats, clockwise, for a number of players (G-26)."""
    return list(spec.data["seating"][str(players)])


def number_findings(spec: GameSpec, players: int, place: Place = NO_PLACE) -> Iterator[Finding]:
    """Yields a finding if there are too few or too many players (G-1)."""
    if wrong_number(spec, players):
        data = dict(zip(("count", "least", "most"), (players, *spec.players), strict=True))
        yield finding(spec, "player_count", place, data=data, words={"players": amount(players, "player")})


def mode_findings(spec: GameSpec, mode: str, place: Place = NO_PLACE) -> Iterator[Finding]:
    """Yields a finding if the win mode is unknown (G-93)."""
    modes = list(spec.data["modes"])
    if mode not in modes:
        words = {"mode": repr(mode), "near": did_you_mean(mode, modes)}
        yield finding(spec, "mode_unknown", place, data={"modes": modes}, words=words)


def team_findings(spec: GameSpec, players: Sequence[Member], place: Place = NO_PLACE) -> Iterator[Finding]:
    """Yields the findings about the teams; none if nobody has a team (G-27)."""
    sizes = Counter(player.team for player in players if player.team is not None)
    if not sizes:
        return
    if len(sizes) < 2:
        yield finding(spec, "team_count", place, data={"count": len(sizes), "limit": 2})
    if alone := [player.id for player in players if player.team is None]:
        words = {"names": ", ".join(map(str, alone))}
        yield finding(spec, "team_player_unassigned", place, data={"players": alone}, words=words)
    if len(set(sizes.values())) > 1:
        counts = ", ".join(f"team {team} has {amount(size, 'player')}" for team, size in sizes.items())
        data = {"teams": {str(team): size for team, size in sizes.items()}}
        yield finding(spec, "team_unequal", place, data=data, words={"sizes": counts})


def game_check(deck: Deck, spec: GameSpec, pool: Pool, context: Context) -> list[Finding]:
    """Returns the findings about the header lines Players, Teams and Mode of a deck (G-1, G-27, G-93).

    Examples: `Players: 4` or `Players: Ann; Bo; Cy; Di`, `Teams: Ann, Cy; Bo, Di`, `Mode: king`.
    """
    headers = deck.headers
    place = {key: deck.places.get(key, Place(deck.file)) for key in ("players", "teams", "mode")}
    teams = headers.get("teams", "")
    players = _members(headers.get("players", ""), teams)
    findings: list[Finding] = []
    if "players" in headers:
        findings += number_findings(spec, len(players), place["players"])
    if "teams" in headers:
        findings += team_findings(spec, players, place["teams"])
        counts = Counter(name for team in _parts(teams, ";") for name in dict.fromkeys(_parts(team, ",")))
        if twice := [name for name, count in counts.items() if count > 1]:
            words = {"names": ", ".join(twice)}
            findings.append(finding(spec, "team_player_twice", place["teams"], data={"players": twice}, words=words))
    if "mode" in headers:
        word = headers["mode"]
        mode = spec.vocabulary(tuple(spec.data["modes"]), "modes").find(word) or word
        findings += mode_findings(spec, mode, place["mode"])
    return findings


def _members(players: str, teams: str) -> list[Member]:
    """Returns the players in the header Players (a number, or names), then those that only the header Teams names."""
    between = ";" if ";" in players else ","
    count = whole(players, 3)
    names = _parts(players, between) if count is None else [str(at) for at in range(1, count + 1)]
    team_of: dict[str, str] = {}
    for number, team in enumerate(_parts(teams, ";"), 1):
        for name in _parts(team, ","):
            team_of.setdefault(name, str(number))
    return [Member(id=name, team=team_of.get(name)) for name in dict.fromkeys([*names, *team_of])]


def _parts(text: str, mark: str) -> list[str]:
    return [part.strip() for part in text.split(mark) if part.strip()]


@operation()
def seating(players: int, *, spec: GameSpec) -> Answer:
    """The sides of the field that a number of players take, clockwise."""
    refuse(player_count=wrong_number(spec, players))
    return {"seats": seats(spec, players)}


@operation()
def check_game(players: Many[Member], mode: Known[ModeName] = STANDARD, *, spec: GameSpec) -> Answer:
    """Checks the players, their teams and the win mode."""
    findings = [*number_findings(spec, len(players)), *team_findings(spec, players), *mode_findings(spec, mode)]
    return {"errors": codes_of(findings, Severity.ERROR), "warnings": codes_of(findings, Severity.WARNING)}


class Standing(Protocol):
    """The values that decide whether a player has won: team, points and turns on the hill."""

    id: Name
    team: Name | None
    points: int
    hill: int


class Verdict(NamedTuple):
    """The winning team or player, or a draw; both are unset while the game goes on."""

    winner: Name | None = None
    draw: bool = False


class Contender(Part):
    """A player in a position that is to be judged; values that are missing do not count."""

    id: Name
    team: Name | None = None
    health: int | None = None
    points: Count = 0
    hill: Count = 0
    draw_pile: Count | None = None


def exhausted(exhaust_on: str, draw: int | None, missing: int = 0) -> bool:
    """Returns whether a draw pile eliminates its owner: if empty or, by option, if a card is missing (G-87, G-88)."""
    return missing > 0 if exhaust_on == "failed_draw" else draw == 0


def is_out(mode: Mode, health: int | None, without_cards: bool) -> bool:
    """Returns whether `mode` eliminates a player by health, or by being without cards to draw (G-84, G-87)."""
    return mode.eliminates and ((health is not None and health <= 0) or (mode.exhausts and without_cards))


def side(player: Standing) -> tuple[bool, Name]:
    """Returns the key of a player's side: (True, team), or (False, id) for a player without a team."""
    return (False, player.id) if player.team is None else (True, player.team)


def verdict(mode: Mode, players: Sequence[Standing], out: Collection[Name]) -> Verdict:
    """Returns the verdict: a game ends when the goal is reached, or at most one side is left (G-67, G-84 to G-91)."""
    left = {side(player) for player in players if player.id not in out}
    scores = totals((side(player), getattr(player, mode.score)) for player in players if mode.score)
    best = max(scores.values(), default=0)
    if mode.goal and best >= mode.goal:
        return _sole_winner([each for each, score in scores.items() if score == best])
    return _sole_winner(list(left)) if mode.eliminates and len(left) < 2 else Verdict()


def _sole_winner(sides: list[tuple[bool, Name]]) -> Verdict:
    """Returns a win for the only side in `sides`, which are keys of `side`; a draw if there are several, or none."""
    return Verdict(winner=sides[0][1]) if len(sides) == 1 else Verdict(draw=True)


@operation()
def victory(mode: Known[ModeName], players: Many[Contender], *, spec: GameSpec) -> Answer:
    """Judges a position after an attack or a turn: who is out, who has won, or whether it is a draw."""
    refuse(mode_unknown=mode not in spec.data["modes"])
    rules = mode_of(spec, mode)
    out = [
        player.id
        for player in players
        if is_out(rules, player.health, exhausted(spec.readings["exhaust_on"], player.draw_pile))
    ]
    return {"eliminated": out, **verdict(rules, players, out)._asdict()}
