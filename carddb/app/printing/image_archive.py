"""Pictures of cards in one file, a ZIP or a shop's PDF, and pages of a PDF as pictures."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

from carddb.app.decks.check import CheckRequest
from carddb.app.printing.card_images import write_images
from carddb.app.printing.image_request import ImageRequest
from carddb.app.printing.options import PaperOptions, sheet_options
from carddb.app.printing.selection import select
from carddb.app.printing.sheet_job import SheetJob
from carddb.app.workspace.clock import today
from carddb.app.workspace.published_folder import PrintedFile
from carddb.app.workspace.workspace import Workspace
from carddb.core.executors import HERE
from carddb.core.units import Size
from carddb.paint.raster_job import RasterJob, pixels, raster_page
from carddb.paint.rasterizer import page_size, png_images
from carddb.press.sheets.sheets import CutFile
from carddb.press.shops.shops import profile

Kind = Literal["png", "svg", "tts", "pdf"]
_DAY = (1980, 1, 1, 0, 0, 0)
_PREVIEW_DPI = 150


def image_file(job: SheetJob, kind: Kind, request: ImageRequest) -> PrintedFile:
    """Returns the card images of a job as a ZIP, or as the one PDF that a print shop wants.

    If faces have errors, the result's `data` is empty. `request` sets how images are drawn; its paths are not used.
    Raises UsageError, TemplateError, FontError.
    """
    with TemporaryDirectory() as name, job.project.recording() as notices:
        place = Path(name) / "pictures"
        png, svg, tts, pdf = (place if name == kind else None for name in ("png", "svg", "tts", "pdf"))
        request = replace(request, png=png, svg=svg, tts=tts, pdf=pdf)
        request.check()
        findings = tuple(write_images(job, request))
        data = place.read_bytes() if place.is_file() else zipped(place) if any(place.rglob("*")) else b""
    messages = tuple(notice._replace(message=notice.message.replace(f"{place}: ", "")) for notice in notices)
    return PrintedFile(data, cards=len(job.cards), findings=findings, notices=messages, project=job.project)


def order_file(
    project: Workspace, arguments: Sequence[str], key: str | None, on: date | None, format_: str | Path | None,
    editions: Sequence[str], options: Mapping[str, Any], *, allow_illegal: bool, allow_faults: bool,
    profile_name: str, paper: PaperOptions,
) -> PrintedFile:  # fmt: skip
    """Returns an order of a selection for a print shop, drawn by this process: a ZIP or a PDF, as `image_file` does.

    A deck that is not legal is not printed, unless `allow_illegal` is given.
    """
    day = on or today()
    images = ImageRequest(profile=profile_name, executor=HERE)
    with project.recording() as notices:
        request = CheckRequest(key, format_, day, None, tuple(editions), options)
        sheets = sheet_options(project, paper, day)
        job = SheetJob(project, select(project, arguments, day, request), sheets, day, allow_illegal, allow_faults)
        may_print = job.may_print()
    kind: Kind = "pdf" if "pdf" in profile(profile_name).shop.takes else "png"
    printed = image_file(job, kind, images) if may_print else PrintedFile(b"", project=project)
    findings = (*job.selection.findings, *printed.findings)
    return replace(printed, findings=findings, notices=(*notices, *printed.notices))


def example_pictures(job: SheetJob, kind: Kind, request: ImageRequest) -> list[bytes]:
    """Returns previews of the first card of a job as PNG: its front, and its back if the shop gets one."""
    first = job.copies[0][0]
    selection = job.selection._replace(copies=[(first, 1)], findings=[])
    example = SheetJob(job.project, selection, job.options, job.on, allow_faults=True)
    if kind == "pdf":
        data, size = image_file(example, "pdf", request).data, profile(request.profile).page
        return [page_png(data, number, size, _PREVIEW_DPI) for number in (1, 0)]  # the front first
    if not request.profile:
        kind, request = "png", replace(request, url="", dpi=_PREVIEW_DPI)
    with zipfile.ZipFile(io.BytesIO(image_file(example, kind, replace(request, executor=HERE)).data)) as archive:
        return [archive.read(name) for name in sorted(archive.namelist(), reverse=True) if name.endswith(".png")]


def with_cut_files(name: str, pdf: bytes, cut_files: Sequence[CutFile]) -> bytes:
    """Returns a ZIP with a PDF and its files with cut lines; `name` is their name without an ending."""
    return _zip({f"{name}.pdf": pdf, **{f"{name}{each.ending}": each.data for each in cut_files}})


def zipped(folder: Path) -> bytes:
    """Returns the files of a folder as a ZIP."""
    paths = filter(Path.is_file, sorted(folder.rglob("*")))
    return _zip({path.relative_to(folder).as_posix(): path.read_bytes() for path in paths})


def _zip(files: Mapping[str, bytes]) -> bytes:
    """Returns files, by their paths, as a ZIP; the same files give the same bytes."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for path, data in files.items():
            entry = zipfile.ZipInfo(path, _DAY)
            packed = path.endswith((".png", ".jpg"))  # pictures are compressed already
            entry.compress_type = zipfile.ZIP_STORED if packed else zipfile.ZIP_DEFLATED
            entry.create_system = 3
            archive.writestr(entry, data)
    return stream.getvalue()


def page_png(pdf: bytes, page: int, size: Size, dpi: int) -> bytes:
    """Returns a page of a PDF as PNG; `page` counts from 0, `size` is in micrometres."""
    return next(png_images(RasterJob(pdf, (raster_page(page, pixels(size, dpi), dpi, Path("page.png")),))))


def whole_page_png(pdf: bytes, page: int, dpi: int) -> bytes:
    """Returns a page of a PDF as PNG in its own size; `page` counts from 0."""
    return page_png(pdf, page, page_size(pdf, page), dpi)
