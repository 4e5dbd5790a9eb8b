"""Cards as pictures: PNG and SVG, orders for print shops, and decks for Tabletop Simulator."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, get_args

from carddb.app.decks.check import DeckSource, read_deck
from carddb.app.decks.lists import TABLETOP, ConvertedDeck, summary_of
from carddb.app.printing.options import DPI, ImageRequest, Kind
from carddb.app.printing.sheet_job import PrintRequest, SheetJob, open_job
from carddb.app.workspace.clock import today
from carddb.app.workspace.published_folder import PrintedFile, zip_folder
from carddb.app.workspace.workspace import Workspace
from carddb.core.errors import UsageError
from carddb.core.executors import HERE, MOST, InProcess, open_executor
from carddb.core.plain_text import amount, json_bytes
from carddb.findings import Finding
from carddb.press.faces.bank import FaceBank, FaceStreams
from carddb.press.faces.card_pictures import Pages, card_pngs, card_svgs, job_count
from carddb.press.faces.workshop import open_workshop
from carddb.press.sheets.card_sheets import prepress_for
from carddb.press.shops.order import ShopOrder, order_files, order_pdf, order_pictures
from carddb.press.shops.shops import Profile, profile
from carddb.press.shops.tabletop import DPI as SHEET_DPI
from carddb.press.shops.tabletop import UPLOAD, file_stem, sheet_count, tabletop_deck
from carddb.read.decks.programs import note_of, piles_of, remarks
from carddb.read.documents.manifest_parts import FILE


def write_images(job: SheetJob, request: ImageRequest) -> Sequence[Finding]:
    """Writes pictures unless faces have errors, and returns the findings. Raises OutputError, UsageError for CMYK."""
    if request.shop:
        return _order(job, request, request.shop)
    if job.options.press:
        raise UsageError("pictures can only be in RGB; CMYK is for PDFs", "Use -o FILE.pdf, or leave out --colour.")
    ((kind, folder),) = request.places.items()
    if kind == "png":
        return _pngs(job, request, folder)
    return _svgs(job, folder) if kind == "svg" else _tabletop(job, request, folder)


def _pngs(job: SheetJob, request: ImageRequest, folder: Path) -> Sequence[Finding]:
    dpi, cards = request.dpi or DPI, job.cards
    with open_executor(request.executor, job_count(len(cards))) as executor:
        pages = Pages(job.streams, dpi)
        processes = min(job.options.processes, request.executor.processes or MOST)
        if faults := job.faces_refused(lambda: pages.inspect(map(pages.bank.front, cards), processes)):
            return faults
        with job.project.working("drawing", len(cards)) as step:
            card_pngs(pages, cards, folder, executor, job.options.bleed or 0, step)
    job.project.notify("images_written", f"{folder}: {amount(len(cards), 'picture')} at {dpi} dpi")
    return pages.findings


def _svgs(job: SheetJob, folder: Path) -> Sequence[Finding]:
    pages, cards = Pages(job.streams, dpi=0), job.cards
    if faults := job.faces_refused(lambda: pages.inspect(map(pages.bank.front, cards))):
        return faults
    with job.project.working("drawing", len(cards)) as step:
        for name, data in card_svgs(pages.bank, cards):
            job.project.write(folder / name, data)
            step("")
    job.project.notify("images_written", f"{folder}: {amount(len(cards), 'drawing')}")
    return pages.findings


def _order(job: SheetJob, request: ImageRequest, profile: Profile) -> Sequence[Finding]:
    """Writes an order for a print shop (`profile`), as pictures with a manifest or a PDF, and returns the findings."""
    copies = [copy for pile in job.piles.values() for copy in pile]
    project, options = job.project, job.options
    if options.press:
        options = options._replace(press=profile.press(options.press))
    prepress = prepress_for(job.game.spec, options)
    ((kind, place),) = request.places.items()
    order = ShopOrder(job.workshop, profile, copies, options, prepress)
    if kind == "pdf":
        if faults := job.faces_refused(order.inspect):
            return faults
        with project.working(f"drawing {len(order.cards)} cards"):
            printed = order_pdf(order, f"{job.game.spec.name}: {job.title}")
        project.write(place, printed.data)
        what = f"{amount(printed.cards, 'card')} on {printed.pages} pages of {profile.upload}, backs before fronts"
        if prepress:
            what = f"{what}, {prepress.label}"
        project.notify("images_written", f"{place}: {what}; {profile.label}")
        findings: Sequence[Finding] = printed.findings
    else:
        backs = len(set(order.backs.values()))
        faces = len(order.cards) + backs
        with open_executor(request.executor, job_count(faces)) as executor:
            if faults := job.faces_refused(order.inspect):
                return faults
            with project.working("drawing", faces) as step:
                manifest = order_pictures(order, place, job.title, executor, step)
        pile_of = {card.ref: name for name, pile in job.piles.items() for card, _ in pile}
        for picture in manifest.pictures:
            picture.pile = pile_of.get(picture.ref, "")
        written = {FILE: json_bytes(manifest.model_dump(mode="json")), **order_files(profile, manifest)}
        for name, data in written.items():
            project.write(place / name, data)
        what = f"{amount(len(order.cards), 'front')} and {amount(backs, 'back')} of {profile.upload}"
        project.notify("images_written", f"{place}: {what} for {profile.label}; {', '.join(written)}")
        findings = order.findings
    if order.turned:
        project.notify("cards_turned", f"{amount(order.turned, 'card')} rotated by 90° to fit {profile.upload}")
    if profile.shop.caution and not prepress:
        project.notify("shop_caution", profile.shop.caution)
    return findings


def _tabletop(job: SheetJob, request: ImageRequest, folder: Path) -> Sequence[Finding]:
    project, pages = job.project, Pages(job.streams, SHEET_DPI)
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


def tabletop_deck_file(
    project: Workspace, deck: DeckSource, file: Path, game: str | None = None, on: date | None = None, url: str = ""
) -> ConvertedDeck:
    """Returns a deck as a saved object of Tabletop Simulator, and writes its pictures beside `file`.

    Tabletop Simulator will load the pictures from `url`. Unknown cards are listed in the object's note. Raises
    InputError if the deck cannot be read, UsageError if it has no card of the game, OutputError if writing fails.
    """
    read = read_deck(project, deck, game, on or today())
    piles, note = piles_of(read.deck, read.game.spec), note_of(read.deck, read.game.spec)
    if not piles:
        raise UsageError("the deck has no known card, so the table would be empty", "Correct the names of its cards.")
    cards = {card.ref: card for pile in piles.values() for card, _ in pile}
    pages = Pages(FaceStreams(FaceBank(open_workshop(read.game, cards.values(), project.art_folder))), SHEET_DPI)
    title = file.name[: -len(TABLETOP) - 1]
    with project.working(f"drawing {amount(len(cards), 'card')}"):
        value, pictures = tabletop_deck(pages, piles, file.parent, title, InProcess(), url, note)
    if not url:
        project.notify("upload_needed", UPLOAD)
    findings = (*read.findings, *remarks(read.deck, TABLETOP), *pages.findings)
    return ConvertedDeck(json_bytes(value), findings, summary_of(read), tuple(pictures))


def image_file(job: SheetJob, kind: Kind, request: ImageRequest) -> PrintedFile:
    """Returns the pictures of a job as a ZIP, or as the PDF for a print shop; its `data` is empty if faces have errors.

    `request` says how pictures are drawn; its paths are ignored. Raises UsageError, TemplateError, FontError.
    """
    with TemporaryDirectory() as name, job.project.recording() as notices:
        place = Path(name) / "pictures"
        places: dict[str, Any] = {each: place if each == kind else None for each in get_args(Kind)}
        request = replace(request, **places)
        request.check()
        findings = tuple(write_images(job, request))
        data = place.read_bytes() if place.is_file() else zip_folder(place) if any(place.rglob("*")) else b""
    messages = tuple(notice._replace(message=notice.message.replace(f"{place}: ", "")) for notice in notices)
    return PrintedFile(data, cards=len(job.cards), findings=findings, notices=messages, project=job.project)


def order_file(project: Workspace, profile_name: str, request: PrintRequest) -> PrintedFile:
    """Returns an order for a print shop as one file, drawn in this process; see `Project.order`."""
    images = ImageRequest(profile=profile_name, executor=HERE)
    with project.recording() as notices:
        job = open_job(project, request, on_sheets=False)
        may_print = job.may_print()
    kind: Kind = "pdf" if "pdf" in profile(profile_name).shop.takes else "png"
    printed = image_file(job, kind, images) if may_print else PrintedFile(b"", project=project)
    findings = (*job.selection.findings, *printed.findings)
    return replace(printed, findings=findings, notices=(*notices, *printed.notices))
