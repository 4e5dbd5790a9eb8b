"""Roles: is each played by exactly one card?"""

from __future__ import annotations

from carddb.cards.cards import Entry
from carddb.core.amounts import amount
from carddb.deck import fixes
from carddb.deck.view import View, copies, last, places
from carddb.findings import Finding, error
from carddb.game.rule_parts import RoleSpec


def check(view: View) -> list[Finding]:
    """A finding for each role that the game names and that not exactly one card plays."""
    return [
        _finding(view, key, role, entries)
        for key, role in view.spec.roles.items()
        for entries in [view.players(role)]
        if copies(entries) != 1 and not (role.optional and not entries)
    ]


def _finding(view: View, key: str, role: RoleSpec, entries: list[Entry]) -> Finding:
    count, name = copies(entries), role.label or key.replace("_", " ").capitalize()
    section = {"section": role.over[0]} if role.over else {}
    remedy = fixes.add(1, f"as {name}", match=role.match, **section)
    return error(
        role.code,
        f"{name}: {amount(count)}, exactly 1 is needed",
        *(places(entries) or (view.file,)),
        data={"role": key, "count": count, "limit": 1},
        rules=role.rules,
        **fixes.offered(fixes.remove(last(entries, count - 1)) if count else remedy),
    )
