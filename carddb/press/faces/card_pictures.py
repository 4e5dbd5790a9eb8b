"""Makes a picture of each card: as SVG, or as PNG files that an executor draws in jobs of several pictures."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

from carddb.cards.cards import Card
from carddb.core.executors import Executor
from carddb.core.names import file_stems
from carddb.core.units import Size
from carddb.findings import Finding
from carddb.paint.pdf.content_stream import ContentStream, pictures
from carddb.paint.pdf.images import PdfImages
from carddb.paint.pdf.operators import clipped
from carddb.paint.pdf.sheets import streams_pdf
from carddb.paint.raster_job import RasterJob, RasterPage, pixels, raster_page, write_picture
from carddb.paint.svg import svg
from carddb.press import Step, unreported
from carddb.press.faces.art import undrawn
from carddb.press.faces.bank import FaceBank, FaceStreams

MOST_AT_ONCE = 48
"""The most pictures in a job. Larger jobs would save starts and fonts, but their first pictures would come late."""
_WORTH = 24
"""The number of pictures from which another process is worth starting."""


def job_count(pictures: int) -> int:
    """Returns how many jobs are worth starting for this number of pictures."""
    return -(-pictures // _WORTH)


def share(executor: Executor, pictures: int) -> int:
    """Returns the number of pictures to put into each job, so that all workers have equal work."""
    workers = max(1, executor.workers)
    rounds = max(1, -(-pictures // (workers * MOST_AT_ONCE)))
    return max(1, -(-pictures // (workers * rounds)))


def draw_files(executor: Executor, jobs: Iterable[RasterJob]) -> Iterator[RasterPage]:
    """Draws and writes the pictures of all jobs, and yields them in order. Raises CarddbError if one cannot be drawn.

    Local processes write the files themselves; remote processes send the bytes, and this process writes the files.
    """
    if not executor.is_remote:
        yield from executor.map(_write, None, jobs)
        return
    pages: deque[RasterPage] = deque()

    def noted() -> Iterator[RasterJob]:
        for job in jobs:
            pages.extend(job.pages)
            yield job

    for data in executor.map(_draw, None, noted()):
        page = pages.popleft()
        write_picture(page, data)
        yield page


def _write(_: None, job: RasterJob) -> Iterator[RasterPage]:
    for page, data in zip(job.pages, _draw(None, job), strict=True):
        write_picture(page, data)
        yield page


def _draw(_: None, job: RasterJob) -> Iterator[bytes]:
    from carddb.paint.rasterizer import png_images  # PDFium takes 50 ms, spent in the workers if there are any

    return png_images(job)


class Pages:
    """Makes small PDFs with a face on each page, from which pictures with the resolution `dpi` are drawn."""

    def __init__(self, streams: FaceStreams, dpi: int) -> None:
        self.streams = streams
        self.bank = streams.bank
        self.dpi = dpi
        self._images = self.bank.workshop.images
        self._faulty = PdfImages(self._images)

    @property
    def findings(self) -> list[Finding]:
        """The findings about all faces and pictures drawn so far."""
        return [*self.bank.findings, *undrawn(self._faulty, self._images)]

    def inspect(self, numbers: Iterable[int], processes: int = 1) -> list[Finding]:
        """Draws faces with up to `processes` processes, decodes the pictures on them, and returns all findings.

        Raises TemplateError or FontError if a face cannot be drawn.
        """
        album = PdfImages(self._images, self.dpi, prepress=self.bank.prepress)
        ahead = list(dict.fromkeys(numbers))
        with self.streams.drawn_ahead(ahead, processes):
            for number in ahead:
                for picture in pictures(self.streams[number].items):
                    album.use(picture)
        self._faulty.faults.update(album.faults)
        return self.findings

    def pdf(self, faces: Sequence[ContentStream], bleed: int = 0) -> bytes:
        """Returns a PDF with a page for each face, with `bleed` micrometres around it. Raises InputError if empty."""
        album = PdfImages(self._images, self.dpi)
        data = streams_pdf(faces, self.bank.workshop.kit.book, album, bleed=bleed)
        self._faulty.faults.update(album.faults)
        return data

    def jobs(
        self, numbers: Iterable[int], files: Iterable[Path], at_once: int, bleed: int = 0,
        size: tuple[int, int] | None = None,
    ) -> Iterator[RasterJob]:  # fmt: skip
        """Yields jobs of up to `at_once` pictures, one for each face. A job's faces are drawn when it is requested.

        `size` is the size of every picture in pixels; None means the size of the face. If only one of picture and face
        is in landscape format, the face is turned by 90°. Raises UsageError if a picture is too large.
        """
        pairs = zip(numbers, files, strict=False)
        while part := list(islice(pairs, at_once)):
            faces = [self.streams[number] if bleed else self._cut_out(number) for number, _ in part]
            canvases = []
            for page, (face, (_, file)) in enumerate(zip(faces, part, strict=True)):
                wide, high = size or pixels(Size(face.size.width + 2 * bleed, face.size.height + 2 * bleed), self.dpi)
                turned = (face.size.width > face.size.height) != (wide > high)
                canvases.append(raster_page(page, (wide, high), self.dpi, file, int(turned)))
            yield RasterJob(self.pdf(faces, bleed), tuple(canvases))

    def _cut_out(self, number: int) -> ContentStream:
        """Returns a face without what lies outside its outline."""
        stream, outline = self.streams[number], self.bank.outline_of(number)
        return clipped(stream, outline.path) if outline else stream


def card_pngs(
    pages: Pages, cards: Sequence[Card], folder: Path, executor: Executor, bleed: int = 0, step: Step = unreported
) -> None:
    """Writes each card's front as PNG with `bleed` µm around it. Raises UsageError if it is too large, OutputError."""
    files = [folder / name for name in file_names(cards, ".png")]
    jobs = pages.jobs(map(pages.bank.front, cards), files, share(executor, len(files)), bleed)
    for _ in draw_files(executor, jobs):
        step("")
    pages.bank.save_cache()


def card_svgs(bank: FaceBank, cards: Sequence[Card]) -> Iterator[tuple[str, bytes]]:
    """Yields the front of each card as (file name, SVG bytes)."""
    book, images = bank.workshop.kit.book, bank.workshop.images
    for name, card in zip(file_names(cards, ".svg"), cards, strict=True):
        yield name, svg(bank.cut_out(bank.front(card)), book, images, lang=bank.workshop.lang).encode()


def file_names(cards: Sequence[Card], ending: str) -> list[str]:
    """Returns a file name for each card, made from its reference."""
    return [f"{stem}{ending}" for stem in file_stems(card.ref for card in cards)]
