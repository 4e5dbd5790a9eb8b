"""What could not be checked of a deck, said as findings: nothing that was not checked is called legal."""

from __future__ import annotations

from collections.abc import Sequence

from carddb.cards.cards import Deck, Pool
from carddb.deck import check as check_by_data
from carddb.deck.context import Check, Context
from carddb.findings import Finding, Severity, in_order
from carddb.game.game import GameSpec
from carddb.games import folders


def rules_not_run(key: str, fix: str = "Name its folder with --games, or in CARDDB_GAMES, to run them.") -> Finding:
    """The rules.py of a game was not run."""
    message = f"the checks in the rules.py of {key} were left out"
    return Finding("rules_not_run", Severity.NOT_CHECKABLE, message, fix=fix)


def bans_not_given(key: str) -> Finding:
    """The ban lists of a game were not at hand."""
    message = f"the ban lists of {key} were not given"
    fix = "Use carddb.open(), or pass them: Context(bans=catalog.ban_log(key, day=on))."
    return Finding("bans_not_given", Severity.NOT_CHECKABLE, message, fix=fix)


def check(deck: Deck, spec: GameSpec, pool: Pool, context: Context, checks: Sequence[Check] = ()) -> list[Finding]:
    """What a game's sections, limits and formats say of a deck, and the `checks` that are passed.

    `checks` are those of the game's rules.py (`game.checks` and `game.ban_check`); without them, and without
    `context.bans`, the deck is not checkable where the game has any. `carddb.open().check(deck)` needs none of this.
    Sorted by file, line and code.
    """
    findings = check_by_data(deck, spec, pool, context, checks)
    folder = folders().get(spec.key)
    if not checks and (folder is None or (folder.path / "rules.py").is_file()):
        findings.append(rules_not_run(spec.key, "Use carddb.open(), or pass game.checks and game.ban_check."))
    if context.bans is None and (folder is None or folder.bans_file):
        findings.append(bans_not_given(spec.key))
    return in_order(findings)
