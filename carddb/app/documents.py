"""Documents as web pages, set once and kept: rule sheets and the handbook."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from carddb.app.project import Project


@dataclass
class Documents:
    """The documents of a front. Setting one takes a second and more, so each is set when it is first asked for."""

    _sheets: dict[str, bytes] = field(default_factory=dict)
    _chapters: dict[str, bytes] = field(default_factory=dict)

    def rule_sheet(self, project: Project, key: str) -> bytes:
        """The rule sheet of a game as a web page. Raises UsageError for an unknown game."""
        if key not in self._sheets:
            self._sheets[key] = project.guide(key, kind="html").data
        return self._sheets[key]

    def handbook(self, project: Project) -> Mapping[str, bytes]:
        """The chapters of the handbook by file name."""
        if not self._chapters:
            self._chapters = dict(project.handbook(kind="html").files)
        return self._chapters
