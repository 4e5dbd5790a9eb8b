"""Cards as pictures: PNG and SVG files, orders for a print shop, decks for Tabletop Simulator."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from carddb.app.web_address import checked_address
from carddb.app.words import amount
from carddb.errors import UsageError
from carddb.executors import CORES, MOST, ExecutorRequest, open_executor
from carddb.findings import Finding
from carddb.plain_text import json_bytes

if TYPE_CHECKING:
    from carddb.app.sheet_job import SheetJob
    from carddb.press.card_pictures import Pages
    from carddb.press.shops import Profile

_DPI = 300
_ENDINGS = {"png": ".png", "svg": ".svg", "tts": ".json"}
"""Of the files in the folder of each option."""


@dataclass(frozen=True, slots=True)
class ImageRequest:
    """Where pictures go, one place, and how: `png`, `svg` and `tts` are folders, `pdf` is a file for a shop.

    `profile` names a print shop's product; `executor` says who draws.
    """

    png: Path | None = None
    svg: Path | None = None
    tts: Path | None = None
    pdf: Path | None = None
    profile: str = ""
    colour: Literal["rgb", "cmyk"] | None = None
    dpi: int | None = None
    executor: ExecutorRequest = CORES
    url: str = ""

    def check(self) -> None:
        """Raises UsageError for what does not go together."""
        if sum(place is not None for place in (self.pdf, self.png, self.svg, self.tts)) != 1:
            raise UsageError("name one place for the result", "Use -o FILE.pdf, --png DIR, --svg DIR or --tts DIR.")
        self._check_folders()
        self.executor.check()
        if self.url and self.tts is None:
            raise UsageError("--url goes with --tts", "It is where Tabletop Simulator finds the sheets.")
        checked_address(self.url)
        shop = self.shop
        if shop is None:
            if self.colour == "cmyk":
                raise UsageError("CMYK is not written yet", "Leave out --colour.")
            return
        if self.tts is not None:
            raise UsageError("--profile is for print shops", "Leave it out: --tts has its own sizes.")
        shop.accepts("png" if self.png else "svg" if self.svg else "pdf", self.colour)
        if self.dpi not in (None, shop.shop.dpi):
            raise UsageError(f"{shop.name} takes {shop.shop.dpi} dpi, not {self.dpi}", "Leave out --dpi.")

    def _check_folders(self) -> None:
        """Raises UsageError for a new folder with the name of one of the files that are written into it."""
        for option, folder in (("png", self.png), ("svg", self.svg), ("tts", self.tts)):
            if folder and folder.suffix.lower() == _ENDINGS[option] and not folder.is_dir():
                raise UsageError(
                    f"--{option} takes a folder, not {folder}", f"Name one, as --{option} {folder.with_suffix('')}."
                )

    @property
    def shop(self) -> Profile | None:
        if not self.profile:
            return None
        from carddb.press.shops import profile

        return profile(self.profile)

    @property
    def place(self) -> Path | None:
        """Where the result goes."""
        return self.pdf or self.png or self.svg or self.tts


def write_images(job: SheetJob, request: ImageRequest) -> Sequence[Finding]:
    """Draws and writes pictures, unless faces are refused; gives what is wrong with them. Raises OutputError."""
    if request.shop:
        return _order(job, request, request.shop)
    if request.png is not None:
        return _pngs(job, request, request.png)
    if request.svg is not None:
        return _svgs(job, request.svg)
    assert request.tts is not None
    return _tabletop(job, request, request.tts)


def _pngs(job: SheetJob, request: ImageRequest, folder: Path) -> Sequence[Finding]:
    from carddb.press.picture_jobs import job_count

    dpi, cards = request.dpi or _DPI, job.cards
    with open_executor(request.executor, job_count(len(cards))) as executor:
        from carddb.press.card_pictures import card_pngs  # while the workers get ready

        pages = _pages(job, dpi)
        processes = min(job.options.processes, request.executor.processes or MOST)
        if faults := job.faces_refused(lambda: pages.inspect(map(pages.bank.front, cards), processes)):
            return faults
        with job.project.working("drawing", len(cards)) as step:
            card_pngs(pages, cards, folder, executor, job.options.bleed or 0, step)
    job.project.notify("images_written", f"{folder}: {amount(len(cards), 'picture')} at {dpi} dpi")
    return pages.findings


def _svgs(job: SheetJob, folder: Path) -> Sequence[Finding]:
    from carddb.press.card_pictures import card_svgs

    pages, cards = _pages(job, dpi=0), job.cards
    if faults := job.faces_refused(lambda: pages.inspect(map(pages.bank.front, cards))):
        return faults
    with job.project.working("drawing", len(cards)) as step:
        for name, data in card_svgs(pages.bank, cards):
            job.project.write(folder / name, data)
            step()
    job.project.notify("images_written", f"{folder}: {amount(len(cards), 'drawing')}")
    return pages.findings


def _pages(job: SheetJob, dpi: int) -> Pages:
    from carddb.press.card_pictures import Pages

    return Pages(job.streams, dpi)


def _order(job: SheetJob, request: ImageRequest, profile: Profile) -> Sequence[Finding]:
    """Pictures and their manifest, or the PDF of a shop that takes one."""
    from carddb.press.picture_jobs import job_count
    from carddb.press.shop_order import ShopOrder, order_pdf, order_pictures
    from carddb.read.shop_order import FILE

    copies = [copy for pile in job.piles.values() for copy in pile]
    project, order = job.project, ShopOrder(job.workshop, profile, copies, job.options)
    if request.pdf is not None:
        if faults := job.faces_refused(order.inspect):
            return faults
        with project.working(f"drawing {len(order.cards)} cards"):
            printed = order_pdf(order, f"{job.game.spec.name}: {job.title}")
        project.write(request.pdf, printed.data)
        what = f"{amount(printed.cards, 'card')} on {printed.pages} pages of {profile.upload}, backs before fronts"
        project.notify("images_written", f"{request.pdf}: {what}; {profile.label}")
        findings: Sequence[Finding] = printed.findings
    else:
        assert request.png is not None
        backs = len(set(order.backs.values()))
        faces = len(order.cards) + backs
        with open_executor(request.executor, job_count(faces)) as executor:
            if faults := job.faces_refused(order.inspect):
                return faults
            with project.working("drawing", faces) as step:
                manifest = order_pictures(order, request.png, job.title, executor, step)
        pile_of = {card.ref: name for name, pile in job.piles.items() for card, _ in pile}
        for picture in manifest.pictures:
            picture.pile = pile_of.get(picture.ref, "")
        project.write(request.png / FILE, json_bytes(manifest.model_dump(mode="json")))
        what = f"{amount(len(order.cards), 'front')} and {amount(backs, 'back')} of {profile.upload}"
        project.notify("images_written", f"{request.png}: {what} for {profile.label}, and {FILE}")
        findings = order.findings
    if profile.shop.caution:
        project.notify("shop_caution", profile.shop.caution)
    return findings


def _tabletop(job: SheetJob, request: ImageRequest, folder: Path) -> Sequence[Finding]:
    from carddb.press.tabletop import DPI, UPLOAD, file_stem, sheet_count, tabletop_deck

    project, pages = job.project, _pages(job, DPI)
    bank = pages.bank
    backs = dict.fromkeys(back for back in map(bank.back, job.cards) if back is not None)
    if faults := job.faces_refused(lambda: pages.inspect([*map(bank.front, job.cards), *backs])):
        return faults
    with (
        project.working(f"drawing {amount(len(job.cards), 'card')}"),
        open_executor(request.executor, sheet_count(bank, job.cards)) as executor,
    ):
        deck, files = tabletop_deck(pages, job.piles, folder, job.title, executor, request.url)
    project.write(folder / f"{file_stem(job.title)}.json", json_bytes(deck))
    count = amount(sum(count for _, count in job.copies), "card")
    project.notify("images_written", f"{folder}: {count} in {', '.join(files)}, as PNG")
    if not request.url:
        project.notify("upload_needed", UPLOAD)
    return pages.findings
