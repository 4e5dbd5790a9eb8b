"""Who plays: the number of players, their teams, their sides, and the win mode."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from carddb.cards.cards import Deck, Pool
from carddb.core.amounts import amount
from carddb.core.names import did_you_mean
from carddb.deck import Context
from carddb.findings import Finding, Place, Severity, codes_of, error, warning
from carddb.game.game import GameSpec
from carddb.games.guarda.play.variant import STANDARD, ModeName, Name
from carddb.play.fields import Known, Many
from carddb.play.question import Answer, Part, operation, refuse

TEAM_RULES = ("G-27",)
NO_PLACE = Place()


class Member(Part):
    """A player, with a team or without."""

    id: Name
    team: Name | None = None


def wrong_number(spec: GameSpec, players: int) -> bool:
    """Whether a number of players is too low or too high (G-1)."""
    fewest, most = spec.players
    return not fewest <= players <= most


def seats(spec: GameSpec, players: int) -> list[str]:
    """The default sides in clockwise order (G-26)."""
    return list(spec.data["seating"][str(players)])


def number_findings(spec: GameSpec, players: int, place: Place = NO_PLACE) -> Iterator[Finding]:
    """The finding for a number of players that is too low or too high (G-1)."""
    if wrong_number(spec, players):
        fewest, most = spec.players
        yield error(
            "player_count",
            f"{amount(players, 'player')}, {fewest} to {most} can play",
            place,
            data={"count": players, "least": fewest, "most": most},
            fix=f"Play with {fewest} to {most}.",
            rules=("G-1",),
        )


def mode_findings(spec: GameSpec, mode: str, place: Place = NO_PLACE) -> Iterator[Finding]:
    """The finding for an unknown win mode (G-93)."""
    modes = list(spec.data["modes"])
    if mode not in modes:
        message = f"There is no win mode {mode or 'without a name'}"
        fix = did_you_mean(mode, modes)
        yield error("mode_unknown", message, place, data={"modes": modes}, fix=fix, rules=("G-93",))


def team_findings(players: Sequence[Member], place: Place = NO_PLACE) -> Iterator[Finding]:
    """Everything wrong with the teams, where there are any (G-27)."""
    sizes = Counter(player.team for player in players if player.team is not None)
    if not sizes:
        return
    if len(sizes) < 2:
        data = {"count": len(sizes), "limit": 2}
        yield error(
            "team_count", "1 team, at least 2 are needed", place, data=data, fix="Form another team.", rules=TEAM_RULES
        )
    if alone := [player.id for player in players if player.team is None]:
        message = f"Without a team, while others have one: {', '.join(map(str, alone))}"
        yield _unassigned(message, place, alone, "Give every player a team.")
    if len(set(sizes.values())) > 1:
        counts = ", ".join(f"team {team} has {amount(size, 'player')}" for team, size in sizes.items())
        yield warning(
            "team_unequal",
            f"Teams of different size: {counts}",
            place,
            data={"teams": {str(team): size for team, size in sizes.items()}},
            fix="This is allowed.",
            rules=TEAM_RULES,
        )


def _unassigned(message: str, place: Place, players: Sequence[Name], fix: str) -> Finding:
    return error("team_player_unassigned", message, place, data={"players": players}, fix=fix, rules=TEAM_RULES)


def game_check(deck: Deck, spec: GameSpec, pool: Pool, context: Context) -> list[Finding]:
    """What is wrong with the game that the lines Players, Teams and Mode of a deck describe (G-1, G-27, G-93).

    `Players: 4` or `Players: Ann; Bo; Cy; Di`, `Teams: Ann, Cy; Bo, Di`, `Mode: king`.
    """
    headers = deck.headers
    place = {key: deck.places.get(key, Place(deck.file)) for key in ("players", "teams", "mode")}
    teams = headers.get("teams", "")
    players = _members(headers.get("players", ""), teams)
    findings: list[Finding] = []
    if "players" in headers:
        findings += number_findings(spec, len(players), place["players"])
    if "teams" in headers:
        findings += (*team_findings(players, place["teams"]), *_in_two_teams(teams, place["teams"]))
    if "mode" in headers:
        findings += mode_findings(spec, _mode(spec, headers["mode"]), place["mode"])
    return findings


def _mode(spec: GameSpec, name: str) -> str:
    """The key of a mode by any word for it; an unknown name stays."""
    return spec.vocabulary(tuple(spec.data["modes"]), "modes").find(name) or name


def _in_two_teams(teams: str, place: Place) -> Iterator[Finding]:
    """The players that stand in more than one team; each belongs to exactly one (G-27)."""
    counts = Counter(name for team in _parts(teams, ";") for name in dict.fromkeys(_parts(team, ",")))
    if twice := [name for name, count in counts.items() if count > 1]:
        message = f"In more than one team: {', '.join(twice)}"
        yield _unassigned(message, place, twice, "Give every player exactly one team.")


def _members(players: str, teams: str) -> list[Member]:
    """The players of two header lines: a number of players or their names, and whoever else is in a team."""
    between = ";" if ";" in players else ","
    names = [str(at) for at in range(1, int(players) + 1)] if _is_count(players) else _parts(players, between)
    team_of: dict[str, str] = {}
    for number, team in enumerate(_parts(teams, ";"), 1):
        for name in _parts(team, ","):
            team_of.setdefault(name, str(number))
    return [Member(id=name, team=team_of.get(name)) for name in dict.fromkeys([*names, *team_of])]


def _is_count(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 4


def _parts(text: str, mark: str) -> list[str]:
    return [part.strip() for part in text.split(mark) if part.strip()]


@operation("G-1", "G-4", "G-26", "G-109")
def seating(players: int, *, spec: GameSpec) -> Answer:
    """The sides that so many players take, clockwise."""
    refuse(player_count=wrong_number(spec, players))
    return {"seats": seats(spec, players)}


@operation("G-1", "G-27", "G-93", "G-109")
def check_game(players: Many[Member], mode: Known[ModeName] = STANDARD, *, spec: GameSpec) -> Answer:
    """What is wrong with the players, their teams and the win mode."""
    findings = [*number_findings(spec, len(players)), *team_findings(players), *mode_findings(spec, mode)]
    return {"errors": codes_of(findings, Severity.ERROR), "warnings": codes_of(findings, Severity.WARNING)}
