"""Checking whether games do what every game must, and whether every rule is checked or printed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from carddb.app.workspace.catalogue_gaps import catalogue_gaps
from carddb.app.workspace.workspace import Workspace
from carddb.core.errors import UsageError
from carddb.findings import Finding, exit_code
from carddb.findings import counts as findings_counts
from carddb.games import Game, load
from carddb.games.opening.cross_references import Coverage, counts, coverage, gaps
from carddb.press.conform import Result
from carddb.press.conform import conform as check_game
from carddb.press.documents.guide import rules_in_guide


def rule_coverage(game: Game) -> list[Coverage]:
    """Returns, for each rule of a game, whether it is checked, printed, or left to the players."""
    return coverage(game, rules_in_guide(game))


def coverage_json(game: Game, rows: list[Coverage], shown: list[Coverage]) -> dict[str, Any]:
    """Returns what `rules coverage --json` shows: the counts of all `rows`, and the rules of those `shown`."""
    rules = [
        {"id": row.rule, "tags": row.tags, "checked": row.checked, "printed": row.printed, "missing": row.missing}
        for row in shown
    ]
    return {"schema": "carddb.coverage/1", "game": game.key, "counts": counts(rows), "rules": rules}


@dataclass(frozen=True, slots=True)
class Conformance:
    """The results of the checks of one game, and the parts that it still lacks, in the order in which to make them."""

    key: str
    results: tuple[Result, ...]
    missing: tuple[str, ...] = ()

    @property
    def findings(self) -> list[Finding]:
        return [finding for result in self.results for finding in result.findings]

    @property
    def waiting(self) -> dict[str, list[str]]:
        """The checks that were left out because a file is missing, as `{file: [check]}`."""
        files = dict.fromkeys(result.waits_for for result in self.results if result.waits_for)
        return {file: [result.name for result in self.results if result.waits_for == file] for file in files}

    def to_json(self) -> dict[str, Any]:
        """Returns the entry of this game in `conform --json`."""
        checks = [
            {
                "name": result.name,
                "claim": result.claim,
                "counts": findings_counts(result.findings),
                "findings": [finding.to_json() for finding in result.findings],
                **({"waits_for": result.waits_for} if result.waits_for else {}),
            }
            for result in self.results
        ]
        findings = self.findings
        report = {
            "game": self.key,
            "ok": exit_code(findings) == 0,
            "counts": findings_counts(findings),
            "checks": checks,
        }
        return {**report, "missing": list(self.missing)}


def conform(project: Workspace, keys: Sequence[str], on: date) -> Iterator[Conformance]:
    """Yields the results of the checks for each game in `keys` (default: all).

    Raises UsageError for an unknown game.
    """
    folders = project.folders
    for key in keys:
        if key not in folders:
            raise UsageError(f"there is no game {key!r}", project.where_games_are(key))
    for key in keys or folders:
        with project.working(key) as step:
            results = []
            for result in check_game(folders[key], on, project.art_folder):
                step(f"{key}: {result.name}")
                results.append(result)
            game, _ = load(folders[key])
            if game and (gaps_ := catalogue_gaps(project, [game])):
                claim = "The project's catalogue has the game's ban lists, and no cards of types that are gone."
                results.append(Result("catalogue_fits", claim, gaps_))
        yield Conformance(key, tuple(results), tuple(gaps(game)) if game else ())
