"""How a battle ends, and a War."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import Annotated

from pydantic import Field

from carddb.core.vocabulary import fold_word
from carddb.game.game import GameSpec
from carddb.play.fields import Count, Many
from carddb.play.question import Answer, BadInput, Options, Part, operation, refuse

DRAW = "draw"


class Side(Part):
    """What a player has lost so far; `lieutenants_lost` are the tokens that the enemy holds."""

    commander_defeated: bool = False
    lieutenants_lost: Count = 0
    grain: int = 4000
    deck_out: bool = False


def only_two(players: Collection[str], spec: GameSpec) -> None:
    """Raises BadInput for more players than a battle is told for, and says what is told (C-71)."""
    if len(players) > spec.players[1]:
        refusal = BadInput("players")
        refusal.details["hint"] = spec.data["more_players"]
        raise refusal


def losses(side: Side, spec: GameSpec) -> list[str]:
    """The ways in which a player has lost (C-75, C-128 to C-130)."""
    rows = {row["key"]: row for row in spec.data["victory"]["losses"]}
    holds = {
        "commander": side.commander_defeated,
        "lieutenants": side.lieutenants_lost >= rows["lieutenants"]["tokens"],
        "grain": side.grain <= 0,
        "deck_out": side.deck_out,
    }
    return [key for key in rows if holds[key]]


@operation("C-69", "C-71", "C-75", "C-127", "C-128", "C-129", "C-130", "C-131")
def victory(players: Annotated[dict[str, Side], Field(min_length=2)], *, spec: GameSpec) -> Answer:
    """Whether a battle is over: won by whoever has not lost, drawn where both have."""
    only_two(players, spec)
    lost = {name: losses(side, spec) for name, side in players.items()}
    losers = [name for name in players if lost[name]]
    if len(losers) != 1:
        return {"state": "draw" if losers else "open", "winner": None, "reasons": []}
    (winner,) = players.keys() - losers
    return {"state": "won", "winner": winner, "reasons": lost[losers[0]]}


@operation("C-68", "C-71", "C-132", "C-133")
def war_status(
    players: Annotated[Many[str], Field(min_length=2)],
    results: Many[str],
    *,
    spec: GameSpec,
    options: Options,
) -> Answer:
    """How a War stands, and who says who starts its next battle: whoever lost the last one."""
    only_two(players, spec)
    if len(set(players)) < len(players) or DRAW in players:
        raise BadInput("players")
    results = tuple(DRAW if name not in players and fold_word(name) == DRAW else name for name in results)
    for at, result in enumerate(results):
        if result not in (*players, DRAW):
            raise BadInput(f"results.{at}")
    war, endless = spec.data["war"], options["replay_draws"]
    refuse(
        too_many_battles=len(results) > war["battles"] and not endless,
        war_already_decided=_champion(results[:-1], war["wins"]) is not None,
    )
    champion = _champion(results, war["wins"])
    over = len(results) >= war["battles"] and not endless
    state = "won" if champion else "drawn" if over else "open"
    last = results[-1] if results and state == "open" else DRAW
    won = Counter(results)
    return {
        "state": state,
        "winner": champion,
        "wins": {name: won[name] for name in players},
        "next_chooser": None if last == DRAW else next(name for name in players if name != last),
    }


def _champion(results: tuple[str, ...], wins: int) -> str | None:
    """The player who has won often enough."""
    won = Counter(result for result in results if result != DRAW)
    return next((name for name, number in won.items() if number >= wins), None)
