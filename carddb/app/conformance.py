"""Whether games do what every game must."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any

from carddb.errors import UsageError
from carddb.findings import Finding, counts, exit_code

if TYPE_CHECKING:
    from carddb.app.project import Project
    from carddb.press.conform import Result


@dataclass(frozen=True, slots=True)
class Conformance:
    """The checks of one game with what they found."""

    key: str
    results: tuple[Result, ...]

    @property
    def findings(self) -> list[Finding]:
        return [finding for result in self.results for finding in result.findings]

    def to_json(self) -> dict[str, Any]:
        """The entry of `conform --json`."""
        checks = [
            {
                "name": result.name,
                "claim": result.claim,
                "counts": counts(result.findings),
                "findings": [finding.to_json() for finding in result.findings],
            }
            for result in self.results
        ]
        findings = self.findings
        return {"game": self.key, "ok": exit_code(findings) == 0, "counts": counts(findings), "checks": checks}


def conform(project: Project, keys: Sequence[str], on: date) -> Iterator[Conformance]:
    """Puts games to the same checks, those with these keys or all, one after the other. Raises UsageError."""
    from carddb.press.conform import conform as check_game

    folders = project.folders
    for key in keys:
        if key not in folders:
            raise UsageError(f"there is no game {key!r}", project.where_games_are(key))
    for key in keys or folders:
        with project.working(key) as step:
            results = []
            for result in check_game(folders[key], on):
                step(f"{key}: {result.name}")
                results.append(result)
        yield Conformance(key, tuple(results))
