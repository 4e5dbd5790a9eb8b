"""The rule sheet of a game at the studio: set again when its files were saved, the last good one kept."""

from __future__ import annotations

from dataclasses import dataclass

from carddb.app.documents.rule_sheet import print_rule_sheet
from carddb.app.studio.template_faults import FileFault, fault_of, finding_faults
from carddb.app.workspace.workspace import Workspace
from carddb.core.errors import CarddbError
from carddb.core.files import file_state
from carddb.games import Game


@dataclass(frozen=True, slots=True)
class GuideView:
    """The rule sheet as a web page (empty: never set), and what keeps the present `guide.md` from being set."""

    data: bytes
    faults: tuple[FileFault, ...] = ()


class StudioGuide:
    """The rule sheet of one game. It is not for several threads at once."""

    def __init__(self, project: Workspace) -> None:
        self._project = project
        self._last: tuple[object, GuideView] | None = None

    def view(self, game: Game) -> GuideView:
        """The rule sheet as its files are now; where they are at fault, the last good one with the faults."""
        state = (id(game), [file_state(path) for path in (game.folder.guide_file, *game.folder.data_files)])
        if self._last is None or self._last[0] != state:
            self._last = state, self._set(game, self._last[1].data if self._last else b"")
        return self._last[1]

    def _set(self, game: Game, last: bytes) -> GuideView:
        try:
            sheet = print_rule_sheet(self._project, game.key, "html", "a4", "en")
        except CarddbError as error:
            return GuideView(last, (fault_of(game, error),))
        if not sheet.data:
            return GuideView(last, tuple(finding_faults(sheet.findings, game.folder.path)))
        return GuideView(sheet.data)
