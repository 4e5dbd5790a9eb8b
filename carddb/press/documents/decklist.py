"""The validated deck list: verdict, findings, cards with tick boxes, fingerprint; as pages or as JSON."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from carddb.core.errors import UsageError
from carddb.core.units import Size, mm, points, to_mm
from carddb.findings import CardCount, Finding, gravest_first
from carddb.layout.display_list import Face
from carddb.layout.documents.blocks import BOLD, HEAVY
from carddb.layout.documents.flow import FlowPage
from carddb.layout.drawing.face import draw
from carddb.layout.stock import paper_label, paper_size
from carddb.layout.text.fonts import FontBook
from carddb.layout.text.text_setting import Style
from carddb.paint.pdf.sheets import faces_pdf
from carddb.press.documents.checked_deck import CheckedDeck
from carddb.press.documents.decklist_layout import CELLS, LATER_TOP, heading_of, planned, type_of
from carddb.press.documents.decklist_text import deck_words, verdict_words
from carddb.press.faces.workshop import BASE, Families, Workshop, families_of

_TEMPLATE = f"{BASE}/deck-list.svg"

_LABEL = "IBM Plex Sans Condensed"
_LEAST_PAPER = Size(mm(190), mm(240))


def deck_list_pdf(
    workshop: Workshop, checked: CheckedDeck, paper: str = "letter", lang: str = "en", creation: int = 0
) -> tuple[bytes, list[Finding]]:
    """The deck list as PDF, and what is wrong with its pages. Raises UsageError for a paper it does not fit."""
    faces, findings = deck_list_faces(workshop, checked, paper)
    title = f"Deck list: {checked.deck.name or 'unnamed'}"
    data = faces_pdf(faces, workshop.kit.book, workshop.images, title=title, lang=lang, creation=creation)
    return data, findings


def deck_lists_pdf(
    lists: Iterable[tuple[Workshop, CheckedDeck]], paper: str = "letter", lang: str = "en", creation: int = 0
) -> tuple[bytes, int, list[Finding]]:
    """The lists of many decks one after the other in one PDF, its pages, and what is wrong with them.

    Raises UsageError for a paper that a list does not fit.
    """
    pages: list[Face] = []
    findings: list[Finding] = []
    workshops: list[Workshop] = []
    for workshop, checked in lists:
        faces, faults = deck_list_faces(workshop, checked, paper)
        pages += faces
        findings += faults
        workshops.append(workshop)
    book = FontBook(font for workshop in workshops for font in workshop.kit.book.fonts.values())
    data = faces_pdf(pages, book, {}, title=f"{len(workshops)} deck lists", lang=lang, creation=creation)
    return data, len(pages), findings


def deck_list_faces(workshop: Workshop, checked: CheckedDeck, paper: str) -> tuple[list[Face], list[Finding]]:
    """The pages of the list, and what is wrong with them."""
    size = paper_size(paper)
    if size.width < _LEAST_PAPER.width or size.height < _LEAST_PAPER.height:
        raise UsageError(f"a deck list needs paper of {_LEAST_PAPER} or more, not {size}", "Use letter or a4.")
    game = workshop.game
    height = to_mm(size.height)
    grave = gravest_first(checked.findings)
    words = deck_words(checked, game)
    families = _families(workshop)
    plan = planned(checked, game.spec, grave, height, len(words["totals"]), workshop.kit.setter, families.label)
    more = len(grave) - len(plan.findings)
    rows = [words["totals"][at : at + CELLS] for at in range(0, len(words["totals"]), CELLS)]
    common = {
        "game": {"name": game.spec.name, "accent": game.spec.accent},
        "fonts": {**families._asdict(), "verdict": _verdict_family(workshop, families)},
        "deck": {**words, "box": plan.box, "panel": plan.panel, "rows": rows},
        "verdict": {
            **verdict_words(checked, grave),
            "findings": plan.findings,
            "more": more,
        },
    }
    page = {
        "width": to_mm(size.width),
        "height": height,
        "total": len(plan.pages) + len(plan.rest),
        "lists": len(plan.pages),
        "paper": paper_label(size),
        "row": plan.row,
        "type": type_of(plan.row),
        "head": heading_of(plan.row)[0],
    }
    pages: list[dict[str, Any]] = [
        {"items": _listed(flowed), "top": plan.top if number == 0 else LATER_TOP, "rest": []}
        for number, flowed in enumerate(plan.pages)
    ]
    pages += [{"items": [], "top": LATER_TOP, "rest": findings} for findings in plan.rest]
    drawn = [
        draw(
            workshop.kit, _TEMPLATE, {**common, "page": {**page, "number": number, "top": own["top"]}, **own},
            CardCount("", f"deck list, page {number}"),
        )
        for number, own in enumerate(pages, start=1)
    ]  # fmt: skip
    return [each.face for each in drawn], [finding for each in drawn for finding in each.findings]


def _families(workshop: Workshop) -> Families:
    """The game's families; for labels that of the house, where the figures of the game's differ in width.

    Counts stand under each other, and in a family of old-style figures `0` reads as a letter.
    """
    families = families_of(workshop.game.spec)
    widths = {workshop.kit.setter.width(figure, Style(families.label, points(10))) for figure in "0123456789"}
    return families if len(widths) == 1 else families._replace(label=_LABEL)


def _verdict_family(workshop: Workshop, families: Families) -> str:
    """The family of the verdict, which is to be seen from a metre: that of headings where it has a bold style."""
    bold = workshop.kit.book.pick(families.heading, HEAVY, False)
    return families.heading if bold.weight >= BOLD else families.label


def _listed(page: FlowPage) -> list[dict[str, Any]]:
    return [
        {"kind": each.piece.flowable.kind, "column": int(each.x), "y": to_mm(round(each.y)),
         "value": each.piece.flowable.value}
        for each in page.placed
    ]  # fmt: skip
