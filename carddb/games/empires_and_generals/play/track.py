"""Cultural Health, and how a game ends."""

from __future__ import annotations

from carddb.game.game import GameSpec
from carddb.games.empires_and_generals.play.words import GameType
from carddb.play.fields import Known, Many
from carddb.play.question import Answer, Options, Part, operation, refuse


class Player(Part):
    """A player with the score on the track."""

    id: str
    ch: int
    resigned: bool = False


def length(spec: GameSpec, game_type: str) -> int:
    """How many points the track reaches up and down (E-48 to E-50). Refuses `unknown_game_type`."""
    types = spec.data["game_types"]
    refuse(unknown_game_type=game_type not in types)
    return int(types[game_type]["n"])


def lose_at(top: int, slaughterhouse: bool, options: Options) -> int:
    """The score at which a player is out (E-53)."""
    return 0 if slaughterhouse and options["slaughterhouse_lose_at"] == "middle" else -top


@operation("E-3", "E-4", "E-12", "E-48", "E-49", "E-50", "E-51", "E-52", "E-53", "E-68")
def ch_track(
    game_type: Known[GameType], slaughterhouse: bool = False, players: int = 2, *, spec: GameSpec, options: Options
) -> Answer:
    """Where the track of a game type starts and ends."""
    fewest, most = spec.players
    refuse(too_few_players=players < fewest)
    top = length(spec, game_type)
    return {
        "start": top if slaughterhouse else 0,
        "win_at": None if slaughterhouse else top,
        "lose_at": lose_at(top, slaughterhouse, options),
        "lines": 2 * top + 1,
        "warnings": ["player_count_unusual"] if players > most else [],
    }


@operation("E-53", "E-124", "E-125")
def apply_ch(
    ch: int, delta: int, game_type: Known[GameType], slaughterhouse: bool = False, *, spec: GameSpec, options: Options
) -> Answer:
    """A score after a change; it never leaves the track."""
    top = length(spec, game_type)
    score = max(-top, min(top, ch + delta))
    return {"ch": score, "remaining": score + top, "out": score <= lose_at(top, slaughterhouse, options)}


@operation("E-3", "E-51", "E-53", "E-125", "E-126", "E-127", "E-128", "E-129", "E-131")
def victory(
    game_type: Known[GameType],
    players: Many[Player],
    active: str,
    slaughterhouse: bool = False,
    *,
    spec: GameSpec,
    options: Options,
) -> Answer:
    """Whether somebody has won: who is out, then the last one standing, then the top line."""
    top = length(spec, game_type)
    refuse(too_few_players=len(players) < spec.players[0])
    bottom = lose_at(top, slaughterhouse, options)
    out = [player for player in players if _is_out(player, bottom)]
    standing = [player for player in players if not _is_out(player, bottom)]
    at_top = [] if slaughterhouse else [player.id for player in standing if player.ch >= top]
    state, winner, kind = "open", None, None
    if not standing:
        state = "draw"
    elif len(standing) == 1:
        resigned = all(player.resigned and player.ch > bottom for player in out)
        state, winner, kind = "won", standing[0].id, "sissy" if resigned else "warlord"
    elif len(at_top) == 1 or active in at_top:
        state, winner, kind = "won", active if active in at_top else at_top[0], "chancellor"
    elif at_top:
        state = "undecided"
    return {"state": state, "winner": winner, "type": kind, "out": [player.id for player in out]}


@operation("E-130")
def second_place(
    first: str,
    players: Many[Player],
    game_type: Known[GameType],
    slaughterhouse: bool = False,
    *,
    spec: GameSpec,
    options: Options,
) -> Answer:
    """Who is second when the others play on after a Chancellor Victory."""
    bottom = lose_at(length(spec, game_type), slaughterhouse, options)
    left = [player.id for player in players if player.id != first and not _is_out(player, bottom)]
    state = "draw" if not left else "decided" if len(left) == 1 else "open"
    return {"state": state, "second": left[0] if state == "decided" else None}


def _is_out(player: Player, bottom: int) -> bool:
    return player.resigned or player.ch <= bottom
