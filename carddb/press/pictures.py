"""A picture a card: PNG files drawn by several processes, SVG texts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

from carddb.findings import Finding
from carddb.layout.display import Face
from carddb.paint.pdf import faces_pdf
from carddb.paint.pictures import Album
from carddb.paint.raster import Job, page_canvas, pixels
from carddb.paint.svg import svg
from carddb.pool import Card
from carddb.press.art import undrawn
from carddb.press.crew import press, processes
from carddb.press.faces import FaceBank
from carddb.press.sheets import SheetOptions, face_bank
from carddb.press.workshop import Workshop
from carddb.units import Size

CHUNK = 24
"""Faces a job: enough that their fonts are embedded for several, few enough that no helper is left the last one."""

Step = Callable[[], None]
"""Called after each picture."""


class Pages:
    """The faces of a bank as PDFs, a few to each; their pictures are as fine as `dpi` needs."""

    def __init__(self, bank: FaceBank, dpi: int) -> None:
        self.bank = bank
        self.dpi = dpi
        self._images = bank.workshop.images
        self._faulty = Album(self._images)

    @property
    def findings(self) -> list[Finding]:
        """What is wrong with the faces and their pictures, as far as they were drawn."""
        return [*self.bank.findings, *undrawn(self._faulty, self._images)]

    def pdf(self, faces: Sequence[Face], bleed: int = 0) -> bytes:
        """One page a face, `bleed` in micrometres. Raises InputError, FontError."""
        album = Album(self._images, self.dpi)
        data = faces_pdf(faces, self.bank.workshop.studio.book, album, bleed=bleed)
        self._faulty.faults.update(album.faults)
        return data

    def jobs(
        self, numbers: Iterable[int], files: Iterable[Path], bleed: int = 0, size: tuple[int, int] | None = None,
        turn: int = 0,
    ) -> Iterator[Job]:  # fmt: skip
        """A picture a face, drawn when it is asked for; `size` in pixels where it is not the face's own, `turn` in
        quarter turns. Raises UsageError for a picture too large."""
        pairs = zip(numbers, files, strict=False)
        while part := list(islice(pairs, CHUNK)):
            faces = [self.bank[number] for number, _ in part]
            canvases = tuple(
                page_canvas(page, size or pixels(bled(face.size, bleed), self.dpi), self.dpi, file, turn)
                for page, (face, (_, file)) in enumerate(zip(faces, part, strict=True))
            )
            yield Job(self.pdf(faces, bleed), canvases)


def card_pngs(
    workshop: Workshop, cards: Sequence[Card], options: SheetOptions, folder: Path, dpi: int,
    jobs: int | None = None, step: Step = lambda: None,
) -> list[Finding]:  # fmt: skip
    """Writes the front of each card with as much bleed as the options ask for, and gives what is wrong with the faces.

    Raises UsageError, OutputError.
    """
    pages = Pages(face_bank(workshop, options), dpi)
    files = [folder / name for name in file_names(cards, ".png")]
    work = pages.jobs((pages.bank.front(card) for card in cards), files, options.bleed or 0)
    for _ in press(work, processes(jobs, -(-len(cards) // CHUNK))):
        step()
    return pages.findings


def card_svgs(
    workshop: Workshop, cards: Sequence[Card], options: SheetOptions
) -> tuple[Iterator[tuple[str, bytes]], FaceBank]:
    """An SVG file name and its bytes for each card, and the bank with what is wrong. Raises UsageError."""
    bank = face_bank(workshop, options)

    def drawn(card: Card) -> bytes:
        face = bank[bank.front(card)]
        return svg(face, workshop.studio.book, workshop.images, lang=options.lang).encode()

    return ((name, drawn(card)) for name, card in zip(file_names(cards, ".svg"), cards, strict=True)), bank


def bled(size: Size, bleed: int) -> Size:
    """A trim size with bleed on every side."""
    return Size(size.width + 2 * bleed, size.height + 2 * bleed)


def file_names(cards: Sequence[Card], ending: str) -> list[str]:
    """One file name a card from its reference; names that differ only in case or odd characters get a number."""
    seen: dict[str, int] = {}
    names = []
    for card in cards:
        stem = re.sub(r"[^\w.-]+", "-", card.ref).strip(".-") or "card"
        number = seen[stem.casefold()] = seen.get(stem.casefold(), 0) + 1
        names.append(f"{stem}-{number}{ending}" if number > 1 else f"{stem}{ending}")
    return names
