"""Questions about the restricted list: a notice, and the level of a card on a day."""

from __future__ import annotations

from typing import Any

from carddb.bans.log import OFF
from carddb.core.names import fold_space
from carddb.game.game import GameSpec
from carddb.games.cahrd.play import imd
from carddb.games.cahrd.play.turn import RestrictedList
from carddb.play.question import Answer, BadInput, Day, Known, Many, Options, Part, Refusal, operation, read, refuse


class Changes(Part):
    """The changes of the restricted lists, in the order of their announcement."""

    imd: Many[imd.Change]


def changes_of(changes: Any, spec: GameSpec) -> imd.Changes:
    """The changes that a question gives. Raises BadInput."""
    return read(Changes, {"imd": changes}, spec=spec).imd


def limits_of(options: Options, spec: GameSpec) -> imd.Limits:
    """The copies that each level allows. Raises BadInput."""
    try:
        return imd.limits_of(options["imd_level_limits"], spec)
    except ValueError:
        raise BadInput("options.imd_level_limits") from None


@operation("C-146")
def imd_window(announced: Day, effective: Day, *, spec: GameSpec) -> Answer:
    """How many days pass between the announcement of a change and its effect."""
    days = imd.notice(announced, effective)
    if fault := imd.notice_fault(days, spec):
        raise Refusal(fault)
    return {"days": days}


@operation("C-40", "C-143", "C-144", "C-146", "C-147", "C-149", "C-150")
def imd_level(
    card: str, list: Known[RestrictedList], date: Day, changes: Many[imd.Change], *, spec: GameSpec, options: Options
) -> Answer:
    """The level of a card on a list on a day, and the copies it allows."""
    limits = limits_of(options, spec)
    levels = [change.level for change in changes if isinstance(change, imd.LevelChange)]
    refuse(
        imd_list_unknown=list not in spec.data["imd"]["lists"].values(),
        imd_level_unknown=not all(imd.is_known_level(level, spec) for level in levels),
    )
    log = imd.ChangeLog(changes, limits, spec)
    standing = log.state(list, date).levels.get(fold_space(card))
    level = log.level_of(standing)._asdict() if standing else {"level": OFF, "max_copies": None, "status": None}
    return {
        **level,
        "warnings": sorted({code for change in changes for code in imd.faults(change, spec)}),
    }
