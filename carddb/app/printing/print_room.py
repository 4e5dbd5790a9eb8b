"""The print room of a web server: the choices in its forms with their labels, and the results of its last jobs."""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date
from fractions import Fraction
from typing import Any, NamedTuple

from carddb.app.printing.card_images import image_file
from carddb.app.printing.component_prints import ComponentRequest, print_game_components
from carddb.app.printing.options import PAPER, ImageRequest, Kind, PaperOptions, sheet_options
from carddb.app.printing.printers import FIRST_TRAY, open_book
from carddb.app.printing.sheet_job import PrintResult, SheetJob
from carddb.app.workspace.clock import today
from carddb.app.workspace.published_folder import PrintedFile
from carddb.app.workspace.workspace import Workspace, catalogue_state
from carddb.core import assets
from carddb.core.cache import LruCache
from carddb.core.executors import HERE
from carddb.core.files import FileState, file_state
from carddb.core.names import capital
from carddb.games import Game
from carddb.layout.stock import CARDS, PAPERS, STOCKS, describe, paper_label, paper_name
from carddb.paint.rasterizer import page_png
from carddb.press.components.selection import EVERY_MODULE, modules_of, variants
from carddb.press.faces.art import picture_paths
from carddb.press.faces.bank import FaceStreams
from carddb.press.sheets.card_sheets import card_sheets, face_bank, ink_area, percent
from carddb.press.sheets.sheets import PrintedSheets
from carddb.press.shops.shops import profile, profiles


class OptionChoice(NamedTuple):
    """A value that can be chosen for an option of a form (empty for the default), its label, and a remark."""

    value: str
    label: str
    remark: str = ""


_KINDS = [
    OptionChoice("", "Sheets to cut, a PDF"),
    OptionChoice("png", "Pictures of each card, PNG"),
    OptionChoice("svg", "Drawings of each card, SVG"),
    OptionChoice("tts", "Tabletop Simulator"),
]
BOX = "box."
"""The prefix of the names of products that are boxes."""
_BOXES = [
    OptionChoice(f"{BOX}tuck", "A box with a lid to tuck in"),
    OptionChoice(f"{BOX}two-part", "A box with a lid to take off"),
    OptionChoice(f"{BOX}dividers", "Dividers with tabs"),
]


class PrintChoices:
    """The choices for the options of printing in a project, by the name of the option."""

    def __init__(self, project: Workspace) -> None:
        self._defaults = project.settings.defaults

    def __getitem__(self, name: str) -> list[OptionChoice]:
        """Returns the choices of an option, first its default. Raises InputError if the printers cannot be read."""
        option = PAPER[name]
        if name in _DEFINED_ELSEWHERE:
            choices = _DEFINED_ELSEWHERE[name]()
        else:
            choices = [OptionChoice(key, *option.labels.get(key, (key,))) for key in option.choices]
        if option.hint:  # the user types a value, and the choices are only suggestions
            return choices
        own = self._defaults.get(name) or option.default or "none"
        first = [choice._replace(value="") for choice in choices if choice.value == own]
        return [
            *(first or [OptionChoice("", *option.labels.get("", (own,)))]),
            *(choice for choice in choices if choice.value != own),
        ]

    def preselected(self, chosen: Mapping[str, str]) -> dict[str, str]:
        """Returns the calibrated printer that a form proposes, with its paper, flip and tray if they are not default.

        It is empty if the form or the project has chosen a printer, or if no printer is calibrated for the values in
        `chosen`. Raises InputError if the file of printers cannot be used.
        """
        if "printer" in chosen or self._defaults.get("printer"):
            return {}
        usual = {name: str(self._defaults.get(name) or PAPER[name].default or "") for name in ("paper", "flip", "tray")}
        usual["tray"] = usual["tray"] or FIRST_TRAY
        book, fitting = open_book(), list[tuple[int, dict[str, str]]]()
        for printer in book.printers:
            for feed, _ in book.entries(printer):
                values = {"paper": paper_name(feed.paper), "flip": feed.flip, "tray": feed.tray}
                if values["paper"] in PAPERS and all(chosen.get(name) in (None, "", values[name]) for name in values):
                    others = {name: value for name, value in values.items() if value != usual[name]}
                    fitting.append((len(others), {"printer": printer, **others}))
        return min(fitting, key=lambda each: each[0], default=(0, {}))[1]

    @property
    def products(self) -> dict[str, list[OptionChoice]]:
        """The products that can be printed, by heading: sheets, pictures and boxes, then the cards of print shops."""
        products = {"Here": _KINDS, "For these cards": _BOXES}
        for name, offer in profiles().items():
            label = f"{capital(offer.key.replace('-', ' '))}, {describe(offer.trim)}"
            products.setdefault(offer.shop.name, []).append(OptionChoice(name, label, offer.upload))
        return products


def _papers() -> list[OptionChoice]:
    return [OptionChoice(name, paper_label(size), describe(size)) for name, size in PAPERS.items()]


def calibrated_papers() -> list[OptionChoice]:
    """Returns the papers, and the cards that are fed one by one, on which a calibration page can be printed."""
    sizes = [stock.paper for stock in STOCKS.values() if stock.paper and stock.paper not in PAPERS.values()]
    return _papers() + [OptionChoice(paper_name(size), "Index cards", describe(size)) for size in sizes]


_STOCK_WORDS = {"plain": "Plain, to cut", "card": "Single cards, a page each"}
_DEFINED_ELSEWHERE: Mapping[str, Callable[[], list[OptionChoice]]] = {
    "paper": _papers,
    "stock": lambda: [OptionChoice(key, _STOCK_WORDS.get(key, capital(stock.label))) for key, stock in STOCKS.items()],
    "card_size": lambda: [OptionChoice(name, describe(size)) for name, size in CARDS.items()],
    "printer": lambda: [OptionChoice(name, name) for name in open_book().printers],
}
"""The values of options that are defined in other modules: papers, stocks, card sizes, and calibrated printers."""


def module_choices(game: Game) -> list[OptionChoice]:
    """Returns the choices of a module for components: the deck's module, each module, and all; none without modules."""
    modules = [OptionChoice(*pair) for pair in modules_of(game.spec).items()]
    return (
        [OptionChoice("", "the deck’s, or the first"), *modules, OptionChoice(EVERY_MODULE, "every module")]
        if modules
        else []
    )


def variant_choices(game: Game) -> dict[str, list[OptionChoice]]:
    """Returns the choices of each property in which components differ; the default is first, with an empty value."""
    spec, values = game.spec, dict[str, list[OptionChoice]]()
    for key, value in (pair for variant in variants(spec, game.in_print(game.own_cards)) for pair in variant.items()):
        is_default, label = value == str(spec.variants[key].default), spec.variants[key].label.replace("{}", value)
        choices = values.setdefault(key, [])
        choices.insert(0 if is_default else len(choices), OptionChoice("" if is_default else value, label))
    return values


_MOST = 2
"""The number of results of each kind that are kept: of the present job, and of the one before."""
_PREVIEW_DPI = 150
_MOST_AREAS = 64
"""The most measured areas of ink that are kept, each for one set of faces."""


class RecentPrints:
    """The results of the last print jobs, used until cards, catalogue or files change. Threads must not share it."""

    def __init__(self) -> None:
        self._streams: LruCache[str, FaceStreams] = LruCache(_MOST)
        self._sheets: LruCache[str, PrintedSheets] = LruCache(_MOST)
        self._results: LruCache[str, PrintResult] = LruCache(_MOST)
        self._examples: LruCache[str, list[bytes]] = LruCache(_MOST)
        self._areas: LruCache[str, Fraction] = LruCache(_MOST_AREAS)
        self._components: LruCache[str, PrintedFile] = LruCache(_MOST)

    def sheet(self, job: SheetJob, number: int) -> PrintedSheets:
        """Returns sheet `number` (from 1) of a job, from memory if printed before. Raises UsageError, TemplateError."""
        self._share_faces(job)
        return self._sheets.get(_digest(_faces(job), job.options, job.title, number), lambda: job.sheet(number))

    def example(self, job: SheetJob, kind: Kind, request: ImageRequest) -> list[bytes]:
        """Returns PNGs of a job's first card: its front, and for a print shop its back.

        Raises UsageError, TemplateError and FontError.
        """
        self._share_faces(job)
        return self._examples.get(
            _digest(_faces(job), job.options, kind, request), lambda: _example_pictures(job, kind, request)
        )

    def result(self, job: SheetJob, since: str | None = None) -> PrintResult:
        """Returns the result of `job.print_sheets(since)`, or raises its error; from memory if nothing has changed."""
        self._share_faces(job)
        written = catalogue_state(job.project.catalog_path) if since else ()
        key = _digest(_faces(job), job.options, job.title, job.allow_faults, since, written)

        def printed() -> PrintResult:
            with job.project.recording() as notices:
                result = job.print_sheets(since)
            return replace(result, notices=tuple(notices))

        return self._results.get(key, printed)

    def ink(self, job: SheetJob, mode: str) -> str:
        """Returns the share of the pages that ink covers, as text, if they are printed in the ink mode `mode`."""
        self._share_faces(job)
        sheets = card_sheets(job.streams.bank, job.copies, job.options)
        area = self._areas.get(_digest(_faces(job, mode)), lambda: _ink_area(job, mode))
        return percent(area / (sheets.page_count * sheets.paper.width * sheets.paper.height))

    def components(
        self, project: Workspace, request: ComponentRequest, on: date | None, paper: PaperOptions
    ) -> PrintedFile:
        """Prints components, or returns them from memory. Raises UsageError, TemplateError, FontError."""
        game, day = project.game(request.game), on or today()
        files = [file_state(path) for path in sorted(game.folder.path.rglob("*")) if path.is_file()]
        own = project.settings.options.get(game.key)
        key = _digest(request, sheet_options(project, paper, day), own, _base_templates(), files)
        return self._components.get(key, lambda: print_game_components(project, request, on, paper))

    def _share_faces(self, job: SheetJob) -> None:
        """Lets a job reuse the faces that an earlier job of the same cards has drawn."""
        job.streams = self._streams.get(_digest(_faces(job)), lambda: job.streams)


def _example_pictures(job: SheetJob, kind: Kind, request: ImageRequest) -> list[bytes]:
    """Returns pictures of the first card of a job as PNG: its front, and its back if it is printed for a shop."""
    first = job.copies[0][0]
    selection = job.selection._replace(copies=[(first, 1)], findings=[])
    example = SheetJob(job.project, selection, job.options, job.on, allow_faults=True)
    if kind == "pdf":
        data, size = image_file(example, "pdf", request).data, profile(request.profile).page
        return [page_png(data, number, _PREVIEW_DPI, size) for number in (1, 0)]  # the front first
    if not request.profile:
        kind, request = "png", replace(request, url="", dpi=_PREVIEW_DPI)
    with zipfile.ZipFile(io.BytesIO(image_file(example, kind, replace(request, executor=HERE)).data)) as archive:
        return [archive.read(name) for name in sorted(archive.namelist(), reverse=True) if name.endswith(".png")]


def _ink_area(job: SheetJob, mode: str) -> Fraction:
    options = job.options._replace(ink=mode)
    bank = job.streams.bank if mode == job.options.ink else face_bank(job.workshop, options, lenient=True)
    return ink_area(bank, card_sheets(bank, job.copies, options).faces)


def _faces(job: SheetJob, ink: str = "") -> list[Any]:
    """Returns all values on which the looks of a job's faces, and their order, depend, for a digest."""
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
