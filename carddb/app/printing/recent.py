"""The last print jobs of a web server, kept so that changing only the sheets does not draw the faces again."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from datetime import date
from fractions import Fraction
from typing import Any

from carddb.app.printing.component_prints import ComponentRequest, print_game_components
from carddb.app.printing.image_archive import Kind, example_pictures
from carddb.app.printing.image_request import ImageRequest
from carddb.app.printing.options import PaperOptions, sheet_options
from carddb.app.printing.sheet_job import PrintResult, SheetJob
from carddb.app.workspace.clock import today
from carddb.app.workspace.published_folder import PrintedFile
from carddb.app.workspace.workspace import Workspace, catalogue_state
from carddb.core import assets
from carddb.core.cache import LruCache
from carddb.core.files import FileState, file_state
from carddb.press.faces.art import picture_paths
from carddb.press.faces.bank import FaceStreams
from carddb.press.sheets.card_sheets import card_sheets, face_bank, ink_area, percent
from carddb.press.sheets.sheets import PrintedSheets

_MOST = 2
"""The number of jobs of each kind that are kept: the current one, and the one before."""
_MOST_AREAS = 64
"""The number of measured areas of ink that are kept, each for one set of faces."""


class RecentPrints:
    """The results of the last print jobs, valid while cards, catalogue and files are unchanged.

    Not for several threads.
    """

    def __init__(self) -> None:
        self._streams: LruCache[str, FaceStreams] = LruCache(_MOST)
        self._sheets: LruCache[str, PrintedSheets] = LruCache(_MOST)
        self._results: LruCache[str, PrintResult] = LruCache(_MOST)
        self._examples: LruCache[str, list[bytes]] = LruCache(_MOST)
        self._areas: LruCache[str, Fraction] = LruCache(_MOST_AREAS)
        self._components: LruCache[str, PrintedFile] = LruCache(_MOST)

    def sheet(self, job: SheetJob, number: int) -> PrintedSheets:
        """Returns a sheet of a job, identical to that in the file of all sheets; `number` counts from 1.

        Raises UsageError, TemplateError, FontError.
        """
        self._share_faces(job)
        return self._sheets.get(_digest(_faces(job), job.options, job.title, number), lambda: job.sheet(number))

    def example(self, job: SheetJob, kind: Kind, request: ImageRequest) -> list[bytes]:
        """Returns previews of the first card of a job. Raises UsageError, TemplateError, FontError."""
        self._share_faces(job)
        return self._examples.get(
            _digest(_faces(job), job.options, kind, request), lambda: example_pictures(job, kind, request)
        )

    def result(self, job: SheetJob, since: str | None = None) -> PrintResult:
        """Returns the result of a job that may be printed. Raises UsageError, TemplateError, FontError."""
        self._share_faces(job)
        written = catalogue_state(job.project.catalog_path) if since else ()
        key = _digest(_faces(job), job.options, job.title, job.allow_faults, since, written)

        def printed() -> PrintResult:
            with job.project.recording() as notices:
                result = job.print_sheets(since)
            return replace(result, notices=tuple(notices))

        return self._results.get(key, printed)

    def ink(self, job: SheetJob, mode: str) -> str:
        """Returns the share of the pages covered by ink, as text; `mode` is an ink mode, not necessarily the job's."""
        self._share_faces(job)
        sheets = card_sheets(job.streams.bank, job.copies, job.options)
        area = self._areas.get(_digest(_faces(job, mode)), lambda: _ink_area(job, mode))
        return percent(area / (sheets.page_count * sheets.paper.width * sheets.paper.height))

    def components(
        self, project: Workspace, request: ComponentRequest, on: date | None, paper: PaperOptions
    ) -> PrintedFile:
        """Prints components, or returns the last print of them. Raises UsageError, TemplateError, FontError."""
        game, day = project.game(request.game), on or today()
        files = [file_state(path) for path in sorted(game.folder.path.rglob("*")) if path.is_file()]
        own = project.settings.options.get(game.key)
        key = _digest(request, sheet_options(project, paper, day), own, _base_templates(), files)
        return self._components.get(key, lambda: print_game_components(project, request, on, paper))

    def _share_faces(self, job: SheetJob) -> None:
        """Lets a job reuse the faces that another job of the same cards has drawn."""
        job.streams = self._streams.get(_digest(_faces(job)), lambda: job.streams)


def _ink_area(job: SheetJob, mode: str) -> Fraction:
    options = job.options._replace(ink=mode)
    bank = job.streams.bank if mode == job.options.ink else face_bank(job.workshop, options, lenient=True)
    return ink_area(bank, card_sheets(bank, job.copies, options).faces)


def _faces(job: SheetJob, ink: str = "") -> list[Any]:
    """Returns everything that determines how the faces of a job look, and their order."""
    options = job.options
    cards = [(card.ref, sorted(card.values.items()), count) for card, count in job.copies]
    both = options.fold or options.flip != "none"
    sizes = [options.card_size, options.stock, options.press]
    own = sorted(job.game.folder.template_folder.glob("*.svg"))
    pictures = picture_paths(job.game.spec, job.cards, job.project.picture_folders(job.game))
    files = [*_base_templates(), *(file_state(path) for path in (*own, *pictures))]
    return [job.game.key, cards, both, *sizes, options.lang, ink or options.ink, files]


def _base_templates() -> list[FileState]:
    return [file_state(path) for path in sorted((assets.templates() / "_base").glob("*.svg"))]


def _digest(*parts: Any) -> str:
    return hashlib.sha256(repr(parts).encode()).hexdigest()
