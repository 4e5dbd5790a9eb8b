"""From one Battle to the next: Morale, what was paid, uses of the Day, and the cards that are gone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from carddb.games.rishar.battle.army_state import ArmyState
from carddb.games.rishar.battle.battle import engage
from carddb.games.rishar.battle.record import Host
from carddb.games.rishar.play.fields import ARMIES, Army
from carddb.games.rishar.session.session import Session
from carddb.play.question import refuse


def carried(
    before: Session, hosts: Mapping[Army, Host], new_day: bool = False, refresh: bool = False
) -> dict[Army, Host]:
    """Armies with what an earlier Battle left of them; an army is the same where its Commander has the same name.

    Morale is as it was (R-45), unless it comes back by `refresh`; the Base's pool and the uses of the Day come back on
    a new Day (R-83, R-134). Killed cards are gone (R-115). Refuses `battle_not_over`, and on the same Day
    `routed_today` (R-91).
    """
    refuse(battle_not_over=before.step != "over")
    after = dict(hosts)
    for army in ARMIES:
        for old in ARMIES:
            if hosts[army].commander.name == before.hosts[old].commander.name:
                state = before.army(old)
                engage(same_armies=False, routed_today=state.routed and not new_day, spec=before.spec)
                after[army] = _left(hosts[army], state, new_day, refresh)
    return after


def _left(host: Host, state: ArmyState, new_day: bool, refresh: bool) -> Host:
    commander = host.commander.model_copy(update={"favors": state.favors, "influence": state.influence})
    gone = [key.partition("#")[0] for key in state.lying("killed")]
    own = None if refresh or (new_day and state.own == 0) else state.own
    return host.model_copy(
        update={
            "commander": commander,
            "cards": tuple(card for item in host.cards for card in _remaining(item, gone.count(item["id"]))),
            "own": own,
            "base": None if new_day else state.base,
            "used_day": 0 if new_day else state.used_day,
        }
    )


def _remaining(card: Mapping[str, Any], gone: int) -> list[dict[str, Any]]:
    """A line of an army list without the copies that are gone; none where all are."""
    left = int(card.get("count") or 1) - gone
    return [{**card, "count": left}] if left > 0 else []
