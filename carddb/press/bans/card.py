"""A list as a card in the game's own size, as many on a page as it holds, to cut out and hand round."""

from __future__ import annotations

from collections.abc import Iterator

from carddb.bans.edition import Edition
from carddb.bans.level_words import budget_words
from carddb.core.names import capital
from carddb.findings import Finding
from carddb.layout.documents.blocks import Block, Document, Paragraph, Table
from carddb.layout.stock import card_size, paper_size
from carddb.paint.documents.pdf import cards_pdf
from carddb.press.bans.notice import RED, ListParts, Paper, unset
from carddb.press.bans.word_forms import day, grouped
from carddb.press.bans.wording import Publication, by_level, group_limit, level_name, list_title, status_words

_SCALES = (1.02, 0.95, 0.88, 0.81, 0.75, 0.71)
"""Sizes of the words, the best first."""
_MEMBERS = 30
"""Members of a group that stand together."""


def card_pdf(paper: Paper, edition: Edition, publication: Publication) -> tuple[bytes, list[Finding]]:
    """Pages of cards as PDF and what is wrong with their letters.

    Raises UsageError where a card of the game does not go on the paper, FontError.
    """
    parts = ListParts(edition, publication, (0, 0), paper.fonts, {})
    documents = [_card(parts, scale) for scale in _SCALES]
    size, card = paper_size(paper.paper), card_size(publication.game.card_size)
    data = cards_pdf(documents, paper.fonts, card, size, paper.creation)
    return data, unset(f"{list_title(edition)} on {day(edition.day)}, card", parts.lost)


def _card(parts: ListParts, scale: float) -> Document:
    edition, sample = parts.edition, parts.publication.sample
    notes = ["Sample, not official." if sample else "", status_words(edition), budget_words(edition.list)]
    return Document(
        parts.plain(list_title(edition)),
        tuple(_blocks(parts, scale)),
        facts=(parts.plain(parts.publication.game.name), day(edition.day)),
        notice=parts.plain(" ".join(filter(None, notes))),
        footnote=f"Changes on {day(edition.until)}" if edition.until else "",
        fingerprint=grouped(edition.fingerprint),
        accent=RED,
        numbered=False,
        compact=True,
    )


def _blocks(parts: ListParts, scale: float) -> Iterator[Block]:
    edition = parts.edition
    for level, places in by_level(edition).items():
        yield parts.listed(level_name(edition, level), level, [edition.rows[place] for place in places], scale)
    if not edition.rows:
        yield Paragraph((parts.span("No card is on the list."),))
    for group in edition.in_force:
        names = [member.name for member in group.members]
        for at in range(0, max(1, len(names)), _MEMBERS):
            limit = (parts.span(capital(group_limit(group))),)
            members = (parts.span("; ".join(names[at : at + _MEMBERS])),)
            yield Table((limit,), ((members,),), ("left",), titled=True, scale=scale) if names else Paragraph(limit)
