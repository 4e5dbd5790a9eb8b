"""Documents as web pages, set once and kept: rule sheets until their files are saved, and the handbook."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from carddb.app.documents.handbook import print_handbook
from carddb.app.documents.rule_sheet import print_rule_sheet
from carddb.app.documents.search import Hit, Passage, handbook_passages, rule_passages, search_passages
from carddb.app.workspace.workspace import Workspace
from carddb.core.files import file_state


@dataclass
class Documents:
    """The documents of a front. Setting one takes a second and more, so each is set when it is first asked for."""

    _sheets: dict[str, tuple[object, bytes]] = field(default_factory=dict)
    _chapters: dict[str, bytes] = field(default_factory=dict)
    _passages: dict[str, list[Passage]] = field(default_factory=dict)

    def rule_sheet(self, project: Workspace, key: str) -> bytes:
        """The rule sheet of a game as a web page. Raises UsageError for an unknown game."""
        folder = project.game(key).folder
        state = [file_state(path) for path in (folder.guide_file, *folder.data_files)]
        if key not in self._sheets or self._sheets[key][0] != state:
            self._sheets[key] = state, print_rule_sheet(project, key, "html", "letter", "").data
        return self._sheets[key][1]

    def handbook(self, project: Workspace) -> Mapping[str, bytes]:
        """The chapters of the handbook by file name."""
        if not self._chapters:
            self._chapters = dict(print_handbook(project, "html").files)
        return self._chapters

    def search(self, project: Workspace, words: str, key: str | None) -> list[Hit]:
        """The sections that have every word: of the rule sheet of one game or of all, then of the handbook.

        Raises UsageError for an unknown game.
        """
        keys = [key] if key else [game.key for game in project.all_games()]
        return [hit for each in (*keys, "") for hit in search_passages(self._of(project, each), words)]

    def _of(self, project: Workspace, key: str) -> list[Passage]:
        """The sections of a rule sheet, or of the handbook where no game is named; read when first asked for."""
        if key not in self._passages:
            self._passages[key] = rule_passages(project, key) if key else handbook_passages()
        return self._passages[key]
