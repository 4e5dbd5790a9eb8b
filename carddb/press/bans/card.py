"""A list as a card in the game's own size, as many on a page as it holds, to cut out and hand round."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from carddb.bans.edition import Edition
from carddb.bans.level_words import budget_words
from carddb.core.errors import UsageError
from carddb.core.names import capital
from carddb.core.units import to_mm
from carddb.findings import Finding
from carddb.layout.stock import card_size
from carddb.press.bans.paper import Document
from carddb.press.bans.typeset import LABEL, PT, TEXT, Look, Typesetter, Unit, paged
from carddb.press.bans.word_forms import day, grouped, one_line
from carddb.press.bans.wording import Publication, by_level, group_limit, level_name, list_title, squares, status_words
from carddb.press.faces.workshop import BASE, Workshop

_TEMPLATE = f"{BASE}/ban-card.svg"
_TOP, _FOOT, _SIDE, _MARGIN = 14.6, 9.2, 4.0, 6.0
_SIZES = (9.0, 8.4, 7.8, 7.2, 6.7, 6.3)
"""Type in points, the best first."""
_MEMBER_LINES = 6
"""Lines of a group's members that stand together."""


def card_pdf(
    workshop: Workshop, edition: Edition, publication: Publication, paper: str, creation: int
) -> tuple[bytes, list[Finding]]:
    """Pages of cards as PDF and what is wrong with them; `creation` is seconds since 1970.

    Raises UsageError where a card of the game does not go on the paper, FontError.
    """
    title = f"{list_title(edition)} on {day(edition.day)}"
    document = Document(workshop, edition, publication, title, paper, creation)
    card = card_size(workshop.game.spec.card_size)
    wide, tall = to_mm(card.width), to_mm(card.height)
    page_wide, page_tall = to_mm(document.size.width), to_mm(document.size.height)
    across, down = int((page_wide - 2 * _MARGIN) // wide), int((page_tall - 2 * _MARGIN) // tall)
    if not across or not down:
        raise UsageError(f"a card of {card} does not go on paper of {document.size}", "Name a larger paper.")
    faces = [
        {"number": number, "units": units}
        for number, units in enumerate(_laid(edition, document.setter, wide - 2 * _SIDE, tall), start=1)
    ]
    left, top = (page_wide - across * wide) / 2, (page_tall - down * tall) / 2
    places = [(left + column * wide, top + row * tall) for row in range(down) for column in range(across)]
    page = {
        "width": page_wide, "height": page_tall, "title": title, "left": left, "top": top,
        "right": left + across * wide, "bottom": top + down * tall,
        "columns": [left + at * wide for at in range(across + 1)], "lines": [top + at * tall for at in range(down + 1)],
    }  # fmt: skip
    head = _head(edition, publication, document.setter, wide - 2 * _SIDE)
    for start in range(0, len(faces), len(places)):
        part = faces[start : start + len(places)]
        copies = part * (len(places) // len(part))
        cells = [{"face": face, "x": x, "y": y} for face, (x, y) in zip(copies, places, strict=False)]
        context = {"page": page, "cells": cells, "head": head, "faces": len(faces), "card_width": wide,
                   "card_height": tall}  # fmt: skip
        document.draw(_TEMPLATE, context, f"{title}, card")
    return document.pdf(f"{title}, card")


def _head(edition: Edition, publication: Publication, setter: Typesetter, inside: float) -> dict[str, Any]:
    on = day(edition.day)
    room = inside - setter.width(on, Look(LABEL, 6.6, 8)) - 2
    game, _ = setter.fitted(publication.game.name, Look(LABEL, 6.6, 8, 600), room, 6.6)
    title, size = setter.fitted(list_title(edition), Look(TEXT, 12, 14, 600), inside, 8)
    notes = ["Sample, not official." if publication.sample else "", status_words(edition), budget_words(edition.list)]
    note, _ = setter.fitted(" ".join(filter(None, notes)), Look(LABEL, 6, 7), inside, 6)
    until = f"Changes on {day(edition.until)}" if edition.until else ""
    print_ = grouped(edition.fingerprint)
    return {"game": game, "day": on, "title": title, "size": size, "note": note, "print": print_, "until": until}


def _laid(edition: Edition, setter: Typesetter, inside: float, tall: float) -> list[list[dict[str, Any]]]:
    """What stands on each face, at the largest size with which one face is enough, else at the smallest."""
    laid = []
    for size in _SIZES:
        laid = paged(list(_units(edition, setter, inside, size)), _TOP, _TOP, tall - _FOOT)
        if len(laid) == 1:
            break
    lead = size * 1.24 * PT
    return [
        [{"kind": each.unit.kind, "y": each.y, "height": each.unit.height, "data": each.unit.data, "lead": lead}
         for each in page]
        for page in laid
    ]  # fmt: skip


def _units(edition: Edition, setter: Typesetter, inside: float, size: float) -> Iterator[Unit]:
    row = size * 1.32 * PT
    for first, (level, places) in enumerate(by_level(edition).items()):
        of, filled = squares(edition, level)
        state = {"squares": of, "filled": filled}
        side = size * 0.24
        room = inside - (of * side * 1.2 + 1 if of else 0)
        title, again = (
            {"state": state, "words": fitted, "size": fit, "side": side}
            for words in (level_name(edition, level), f"{level_name(edition, level)}, continued")
            for fitted, fit in [setter.fitted(words, Look(LABEL, size, 9, 600), room, 5.5)]
        )
        yield Unit("level", row + 0.3, title, row * 0.35 if first else 0, True)
        yield from _names(edition, places, setter, inside, size, Unit("level", row + 0.3, again))
    if not edition.rows:
        yield Unit("name", row, {"name": "No card is on the list.", "ref": "", "size": size, "ref_size": 6})
    for group in edition.in_force:
        limit = setter.lines(capital(group_limit(group)), Look(LABEL, size, 9, 600), inside - 1.8)
        names = "; ".join(one_line(member.name) for member in group.members)
        members = setter.lines(names, Look(LABEL, size, 9), inside - 1.8)
        for at in range(0, max(1, len(members)), _MEMBER_LINES):
            part = members[at : at + _MEMBER_LINES]
            head = [] if at else limit
            tall = (len(head) + len(part)) * size * 1.24 * PT + 0.4
            yield Unit("group", tall, {"limit": head, "members": part, "size": size}, 0 if at else row * 0.4)


def _names(
    edition: Edition, places: Sequence[int], setter: Typesetter, inside: float, size: float, again: Unit
) -> Iterator[Unit]:
    for place in places:
        row = edition.rows[place]
        ref, ref_size = setter.fitted(row.ref, Look(LABEL, max(6.0, size - 1.4), 8), inside * 0.4)
        room = inside - setter.width(ref, Look(LABEL, ref_size, 8)) - 1.5
        name, name_size = setter.fitted(row.name, Look(LABEL, size, 9), room, 6.2)
        data = {"name": name, "size": name_size, "ref": ref, "ref_size": ref_size}
        yield Unit("name", size * 1.32 * PT, data, under=again)
