"""Everything that is wrong with the faces of a job, found before any paper is spent."""

from __future__ import annotations

from collections.abc import Sequence

from carddb.cards.cards import Card
from carddb.findings import CardCount, Finding
from carddb.layout.drawing.safe_zone import SafeArea, outside_printable
from carddb.paint.pdf.images import PdfImages
from carddb.press.faces.art import prepare_pictures, undrawn
from carddb.press.faces.streams import FaceStreams
from carddb.press.faces.workshop import Workshop
from carddb.press.sheets.card_sheets import card_sheets, face_bank
from carddb.press.sheets.options import SheetOptions
from carddb.press.sheets.proof import SAFE


def preflight(workshop: Workshop, cards: Sequence[Card], options: SheetOptions) -> list[Finding]:
    """Findings of the job as it would be printed, and of words too near the cut.

    Faces and pictures are made as for printing, because what a picture lacks is known only at its printed size.
    Raises UsageError, TemplateError, FontError.
    """
    bank = face_bank(workshop, options, lenient=True)
    sheets = card_sheets(bank, [(card, 1) for card in cards], options)
    subjects: dict[int, CardCount] = {}
    for card, copy in zip(cards, sheets.copies, strict=True):
        for number in copy:
            if number is not None:
                subjects.setdefault(number, CardCount(card.ref, card.name))
    streams, area = FaceStreams(bank), SafeArea(SAFE, "the safe zone of an eighth of an inch")
    album = PdfImages(workshop.images, options.art_dpi, tight=options.tight)
    for number in dict.fromkeys(placed.face for page in sheets.pages() for placed in page.placed):
        _ = streams[number]
        area.check(bank[number], subjects[number])
        prepare_pictures(bank[number], album)
    unprinted = outside_printable((bank[number] for number in sheets.bare_faces), options.unprinted)
    return [
        *bank.findings, *([unprinted] if unprinted else []), *undrawn(album, workshop.images), *area.findings()
    ]  # fmt: skip
