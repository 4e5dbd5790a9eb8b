"""Who plays: the number of players, their teams, their sides, and the win mode."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from carddb.cards import Deck, Pool
from carddb.deck import Context
from carddb.deck.fixes import amount
from carddb.findings import Finding, Place, Severity
from carddb.game import GameSpec
from carddb.games.guarda.form import STANDARD, Name
from carddb.names import did_you_mean, fold
from carddb.play.fields import Many
from carddb.play.question import Answer, Part, operation, refuse


class Member(Part):
    """A player, with a team or without."""

    id: Name
    team: Name | None = None


class Fault(NamedTuple):
    """What is wrong with a party, and what mends it; `header` is the line of a deck that says it."""

    code: str
    message: str
    fix: str
    header: str
    rules: tuple[str, ...]
    data: Mapping[str, Any]
    severity: Severity = Severity.ERROR


def wrong_number(spec: GameSpec, players: int) -> bool:
    """Whether the game cannot be played by so many (G-1)."""
    fewest, most = spec.players
    return not fewest <= players <= most


def seats(spec: GameSpec, players: int) -> list[str]:
    """The default sides in clockwise order (G-26)."""
    return list(spec.data["seating"][str(players)])


def party_faults(spec: GameSpec, players: Sequence[Member], mode: str | None) -> Iterator[Fault]:
    """Everything wrong with the players, their teams and the mode; no mode is no fault."""
    if wrong_number(spec, len(players)):
        fewest, most = spec.players
        message = f"{amount(len(players), 'player')}, {fewest} to {most} can play"
        data = {"count": len(players), "least": fewest, "most": most}
        yield Fault("player_count", message, f"Play with {fewest} to {most}.", "players", ("G-1",), data)
    yield from team_faults(players)
    if mode is not None and mode not in spec.data["modes"]:
        known = list(spec.data["modes"])
        message = f"there is no win mode {mode or 'without a name'}"
        yield Fault("mode_unknown", message, did_you_mean(mode, known), "mode", ("G-93",), {"modes": known})


def team_faults(players: Sequence[Member]) -> Iterator[Fault]:
    """Everything wrong with the teams, where there are any (G-27)."""
    sizes = Counter(player.team for player in players if player.team is not None)
    if not sizes:
        return
    alone = [player.id for player in players if player.team is None]
    if len(sizes) < 2:
        data = {"count": len(sizes), "limit": 2}
        yield Fault("team_count", "1 team, at least 2 are needed", "Form another team.", "teams", ("G-27",), data)
    if alone:
        message = f"without a team, while others have one: {', '.join(map(str, alone))}"
        fix = "Give every player a team."
        yield Fault("team_player_unassigned", message, fix, "teams", ("G-27",), {"players": alone})
    if len(set(sizes.values())) > 1:
        told = ", ".join(f"team {team} has {amount(size, 'player')}" for team, size in sizes.items())
        yield Fault(
            "team_unequal",
            f"teams of different size: {told}",
            "This is allowed.",
            "teams",
            ("G-27",),
            {"teams": {str(team): size for team, size in sizes.items()}},
            Severity.WARNING,
        )


def game_check(deck: Deck, spec: GameSpec, pool: Pool, context: Context) -> list[Finding]:
    """What the lines Players, Teams and Mode of a deck say of the game that it is meant for (G-1, G-27, G-93).

    `Players: 4` or `Players: Ann; Bo; Cy; Di`, `Teams: Ann, Cy; Bo, Di`, `Mode: king`.
    """
    told = deck.headers.keys() & {"players", "teams", "mode"}
    players = _members(deck.headers.get("players", ""), deck.headers.get("teams", ""))
    mode = deck.headers.get("mode")
    faults = (*party_faults(spec, players, mode and _mode(spec, mode)), *_twice(deck.headers.get("teams", "")))
    return [
        Finding(
            fault.code,
            fault.severity,
            fault.message[:1].upper() + fault.message[1:],
            (deck.places.get(fault.header, Place(deck.file)),),
            data=fault.data,
            fix=fault.fix,
            rules=fault.rules,
        )
        for fault in faults
        if fault.header in told
    ]


def _mode(spec: GameSpec, told: str) -> str:
    """The key of a mode that is called by its key or in words, in any case."""
    names: dict[str, str] = {
        fold(name): key for key, mode in spec.data["modes"].items() for name in (key, mode["label"])
    }
    return names.get(fold(told), told)


def _twice(teams: str) -> Iterator[Fault]:
    """The players that stand in more than one team; each belongs to exactly one (G-27)."""
    named = Counter(name for team in _parts(teams, ";") for name in dict.fromkeys(_parts(team, ",")))
    twice = [name for name, count in named.items() if count > 1]
    if twice:
        message = f"in more than one team: {', '.join(twice)}"
        fix = "Give every player exactly one team."
        yield Fault("team_player_unassigned", message, fix, "teams", ("G-27",), {"players": twice})


def _members(players: str, teams: str) -> list[Member]:
    """The players of two header lines: those named or numbered, and whoever is in a team beside them."""
    named = [str(at) for at in range(1, int(players) + 1)] if _is_count(players) else _parts(players, ";")
    team_of: dict[str, str] = {}
    for number, team in enumerate(_parts(teams, ";"), 1):
        for name in _parts(team, ","):
            team_of.setdefault(name, str(number))
    return [Member(id=name, team=team_of.get(name)) for name in dict.fromkeys([*named, *team_of])]


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
def check_game(players: Many[Member], mode: str = STANDARD, *, spec: GameSpec) -> Answer:
    """What is wrong with the players, their teams and the win mode."""
    found = list(party_faults(spec, players, mode))
    return {"errors": _codes(found, Severity.ERROR), "warnings": _codes(found, Severity.WARNING)}


def _codes(found: Collection[Fault], severity: Severity) -> list[str]:
    return sorted(fault.code for fault in found if fault.severity is severity)
