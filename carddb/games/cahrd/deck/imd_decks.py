"""Checks of a deck by the restricted list."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from typing import Any

from carddb.cards.cards import Deck, Pool
from carddb.core.names import fold_space
from carddb.deck.check import bans
from carddb.deck.check.list_in_force import BanCodes, ListInForce
from carddb.deck.context import Context
from carddb.deck.view import name_of
from carddb.findings import Finding, warning
from carddb.game.game import GameSpec
from carddb.games.cahrd.play import imd

_CODES = BanCodes("imd", level_rules=("C-143", "C-147"), group_rules=("C-149",), unknown_rules=("C-150",))


def restricted(deck: Deck, spec: GameSpec, pool: Pool, context: Context) -> list[Finding]:
    """The findings of the announced list for the deck's format, with the house reading of levels (C-143 to C-150)."""
    log = context.bans
    option: dict[str, Any] = context.options.get(imd.LIMITS, {})
    if log is not None and option and option != spec.options[imd.LIMITS].default:
        context = replace(context, bans=imd.with_limits(log.on(context.on), imd.limits_of(option, spec)))
    return bans.list_findings(deck, spec, pool, context, _CODES)


def findings(
    deck: Deck, spec: GameSpec, changes: imd.Changes, list_: str, day: date, limits: imd.Limits
) -> Iterator[Finding]:
    """The findings of a list of changes on a day, and a warning for each change passed over (C-143 to C-150)."""
    yield from _unsound(changes, spec)
    log = imd.ChangeLog(changes, limits, spec)
    state = log.state(list_, day)
    list_in_force = ListInForce(
        state, lambda entry: fold_space(name_of(entry)), log.level_of, log.groups(state), _CODES, with_source=False
    )
    yield from bans.state_findings(deck, spec, list_in_force, Context(day))


def _unsound(changes: imd.Changes, spec: GameSpec) -> Iterator[Finding]:
    for change in changes:
        name = change.card if isinstance(change, imd.LevelChange) else change.group
        days, allowed = imd.notice(change.announced, change.effective), spec.data["imd"]["notice"]
        wrong = {
            "imd_notice_invalid": f"{days} days' notice, {allowed['least']} to {allowed['most']} are needed",
            "imd_change_malformed": "there is no such list or level",
        }
        for code in imd.faults(change, spec):
            yield warning(
                code,
                f"The change for {name} of {change.announced}, in force from {change.effective}, is passed over: "
                f"{wrong[code]}",
                data={"name": name, "list": change.list, "days": days, **allowed},
                fix="Correct the change.",
                rules=("C-146", "C-147"),
            )
