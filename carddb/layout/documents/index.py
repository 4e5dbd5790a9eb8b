"""The index of a book: the terms that its documents explain, and where they do so.

A term is a bold text in a sentence, the code in a heading, or a command such as `carddb check` that has a heading in
the book.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from carddb.layout.documents.blocks import (
    Block,
    Document,
    Figure,
    Heading,
    Inline,
    Listing,
    Note,
    Paragraph,
    Span,
    Table,
    contents,
    plain,
)

_COMMAND = "carddb "


class Mention(NamedTuple):
    """A term and a place where it is explained: the text shown for the place, and the link to it."""

    term: str
    place: str
    link: str


def terms(content: Inline) -> Iterator[str]:
    """Yields the bold texts and the commands in `content`."""
    for part in content:
        if isinstance(part, Span) and (part.text.startswith(_COMMAND) if part.code else part.bold):
            yield part.text.strip(" .,:;")


def heading_terms(content: Inline) -> Iterator[str]:
    """Yields the code in a heading, that is, what its section describes."""
    return (part.text for part in content if isinstance(part, Span) and part.code)


def terms_of(blocks: Sequence[Block]) -> Iterator[str]:
    """Yields the terms in `blocks`, except for labels of notes, which explain nothing."""
    for block in blocks:
        match block:
            case Listing():
                for item in block.items:
                    yield from terms_of(item)
            case Note():
                yield from terms_of(block.blocks)
            case Heading():
                yield from heading_terms(block.content)
            case Paragraph() | Table() | Figure():
                for content in contents((block,)):
                    yield from terms(content)


def commands(documents: Iterable[Document]) -> tuple[str, ...]:
    """Returns the commands that are named in headings of the book, the longest first."""
    headings = {
        plain(block.content)
        for document in documents
        for block in document.blocks
        if isinstance(block, Heading) and plain(block.content).startswith(_COMMAND)
    }
    return tuple(sorted(headings, key=lambda command: (-len(command), command)))


def index(title: str, mentions: Iterable[Mention], commands: Sequence[str]) -> Document:
    """Returns the index as a document: a section for each letter, a paragraph for each term, a link for each place."""
    entries: dict[str, tuple[str, dict[str, str]]] = {}
    for mention in mentions:
        term = _term(mention.term, commands)
        if term:
            key = _sorted_as(term)
            shown, places = entries.setdefault(key, (term, {}))
            places.setdefault(mention.place, mention.link)
            entries[key] = (max(shown, term), places)  # prefer the lower-case spelling if both occur
    blocks: list[Block] = []
    for letter, keys in groupby(sorted(entries), key=_initial):
        blocks.append(Heading(2, (Span(letter),)))
        blocks += [Paragraph(_entry(*entries[key])) for key in keys]
    return Document(title, tuple(blocks), numbered=False, compact=True)


def _entry(term: str, places: dict[str, str]) -> Inline:
    shown = Span(term, code=term.startswith(_COMMAND))
    out: list[Span] = [shown]
    for number, (place, link) in enumerate(places.items()):
        out += [Span(", " if number else "  "), Span(place, link=link)]
    return tuple(out)


def _term(term: str, commands: Sequence[str]) -> str:
    """Returns `term`, or of a longer command line only the command that a heading names ("" if there is none)."""
    if not term.startswith(_COMMAND):
        return term
    return next((command for command in commands if f"{term} ".startswith(f"{command} ")), "")


def _sorted_as(term: str) -> str:
    """Returns the sort key of a term: without accents and capitals, and without punctuation at its beginning."""
    folded = unicodedata.normalize("NFKD", term).encode("ascii", "ignore").decode().casefold()
    return folded.lstrip("-[]`'\"./ ") or folded


def _initial(key: str) -> str:
    return key[:1].upper() if key[:1].isalpha() else "0–9"


def mentions_by_section(documents: Iterable[Document]) -> Iterator[Mention]:
    """Yields every term with the title and the link of its section, for a book without page numbers."""
    for document in documents:
        for section in document.sections:
            place = section.title or document.title
            link = f"{document.file}#{section.anchor}" if section.anchor else document.file
            heading = (section.heading,) if section.heading else ()
            yield from (Mention(term, place, link) for term in terms_of((*heading, *section.blocks)))
