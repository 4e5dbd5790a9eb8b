"""The activation of cards, and chains: foundation, responses, counter, and which effects happen in the end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import Field

from carddb.game.game import GameSpec
from carddb.games.cahrd.play.turn import Kind
from carddb.play.question import Answer, BadInput, Count, Many, Part, Refusal, operation, refuse


def is_ready(set_: bool, set_this_turn: bool, spec: GameSpec) -> bool:
    """Returns whether a tactic may be used: it is set and, by option, was not set in this turn (C-22)."""
    return set_ and not (set_this_turn and spec.readings["tactic_set_delay"] == "next_turn")


@operation()
def activate(
    kind: Kind,
    reserves: Count,
    cost: Count = 0,
    set: bool = False,
    requirement_met: bool = True,
    search: bool = False,
    search_target: bool = True,
    disregarded: bool = False,
    continuous: bool = False,
    set_this_turn: bool = False,
    *,
    spec: GameSpec,
) -> Answer:
    """Activates a card: its cost is paid and its effect happens. The effect of a disregarded card does not happen."""
    refuse(
        tactic_not_set=kind == "tactic" and not is_ready(set, set_this_turn, spec),
        requirement_not_met=kind == "strategy" and not requirement_met,
        no_search_target=search and not search_target,
        item_cost_missing=kind == "item" and cost < 1,
        insufficient_reserves=reserves < cost,
    )
    lasts = kind == "strategy" or continuous
    stays = kind == "trait" or (lasts and not disregarded)
    return {"reserves": reserves - cost, "effect": not disregarded, "goes_to": "field" if stays else "discard"}


@operation()
def strategy_status(controller_meets: bool, opponent_meets: bool, replaced: bool = False, *, spec: GameSpec) -> Answer:
    """Checks whether an active strategy stays in play, and which players have its effect."""
    stays = controller_meets and not replaced
    open_ = stays and (opponent_meets or not spec.readings["strategy_needs_both"])
    return {"stays": stays, "controller_benefits": open_, "opponent_benefits": open_ and opponent_meets}


class Link(Part):
    """A card or trait used in a chain; `targets` is the number, from 1, of an earlier link, by default the previous."""

    player: str
    kind: Kind
    disregards: bool = False
    trigger: bool = False
    set: bool = False
    targets: int | None = None
    set_this_turn: bool = False


@operation()
def check_chain(
    players: Annotated[Many[str], Field(min_length=2)],
    initiative: str,
    links: Many[Link],
    target: str | None = None,
    *,
    spec: GameSpec,
) -> Answer:
    """Checks whether every link of a chain may be played, and resolves the chain from the last link back."""
    order = _response_order(players, initiative, target)
    for at, link in enumerate(links):
        if link.player not in order and link.player != initiative:
            raise BadInput(f"links.{at}.player")
    refuse(chain_empty=not links)
    # For each link, the number of the link at which it is aimed; 0 for the first link.
    aims = [number if link.targets is None else link.targets for number, link in enumerate(links)]
    responses: dict[int, Link] = {}  # by place in the order of responses
    counters = 0
    opens = {"triggered": links[0].trigger, "never": False, "always": True}[spec.readings["tactic_may_open"]]
    for number, link in enumerate(links, 1):
        own, seat = link.player == initiative, order.get(link.player, -1)
        # No link may follow a counter or, by option, as many counters as there are responses (C-118).
        enough = len(responses) if spec.readings["counter_per_response"] else counters
        closed = {"chain_closed": 0 < counters == enough}
        if number == 1:
            faults = {
                "not_initiative": not own and not link.trigger,
                "tactic_cannot_open": not _fits("foundation", link, spec) and not opens,
            }
        elif own:
            faults = {
                **closed,
                "no_response_to_counter": not responses,
                "counter_must_be_disregard_tactic": not _fits("counter", link, spec),
            }
        else:
            faults = {
                **closed,
                "already_responded": seat in responses,
                "response_out_of_order": seat < next(reversed(responses), -1),
                "response_too_slow": not _fits("first_response", link, spec),
            }
        astray = link.targets is not None and not 0 < link.targets < number
        try:
            refuse(
                tactic_not_set=link.kind == "tactic" and not is_ready(link.set, link.set_this_turn, spec),
                **faults,
                bad_target=astray or (own and number > 1 and links[aims[number - 1] - 1].player == link.player),
            )
        except Refusal as refusal:
            raise Refusal(refusal.reason, index=number) from None
        if not own:
            responses[seat] = link
        elif number > 1:
            counters += 1
    disregarded = _disregarded(links, aims)
    resolved = list(range(len(links), 0, -1))
    return {
        "order": resolved,
        "disregarded": sorted(disregarded),
        "effective": [number for number in resolved if number not in disregarded],
    }


def _response_order(players: Sequence[str], initiative: str, target: str | None) -> dict[str, int]:
    """Returns each responder's place, from 0: clockwise from the target, if any, else from `initiative` (C-116)."""
    if len(set(players)) < len(players):
        raise BadInput("players")
    for name, player in (("initiative", initiative), ("target", target)):
        if player is not None and player not in players:
            raise BadInput(name)
    first = players.index(initiative if target is None else target)
    clockwise = [player for player in (*players[first:], *players[:first]) if player != initiative]
    return {player: seat for seat, player in enumerate(clockwise)}


def _fits(speed: str, link: Link, spec: GameSpec) -> bool:
    """Returns whether a link is fast enough for the role `speed`, such as `counter` (C-114, C-117, C-118)."""
    rule: dict[str, Any] = next(row for row in spec.data["chain"]["speeds"] if row["key"] == speed)
    return link.kind in rule.get("plain", ()) or (link.disregards and link.kind in rule.get("disregarding", ()))


def _disregarded(links: Sequence[Link], aims: Sequence[int]) -> set[int]:
    """Returns the numbers, from 1, of links cancelled by a link that is not itself cancelled (C-113, C-123)."""
    disregarded: set[int] = set()
    for number in range(len(links), 0, -1):
        if links[number - 1].disregards and number not in disregarded:
            disregarded.add(aims[number - 1])
    return disregarded - {0}
