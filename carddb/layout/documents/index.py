"""The index of a book: the terms that its documents explain, and the places where they are explained.

A term is a short bold text in a sentence, or the code in a heading, such as the command `carddb check`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from string import digits
from typing import NamedTuple

from carddb.layout.documents.blocks import (
    TAB,
    Beside,
    Block,
    Document,
    Figure,
    Heading,
    Inline,
    Paragraph,
    Span,
    Table,
    contents,
    walk,
)

_COMMAND = "carddb "
_PART = re.compile(r"(carddb \S+(?= )|\w+(?=\.))[ .](?!(?:db|toml|yaml)$)(\S+)")
"""A name and a part of it, such as `carddb decks` and `odds`, or `Deck` and `size`; not the name of a file."""
_ARTICLES = frozenset(("a", "an", "the"))
_LEAD = (Span("Words in "), Span("letters of a typewriter", code=True), Span(" are commands, typed after carddb."))
_MOST_WORDS = 3
_ACROSS = 5
"""The columns of an index of rule ids."""
_NO_TERMS = frozenset(["his", "her", "its", "their", "my", "your", "this", "that", "who", "whose"])
"""Words that refer to something mentioned before; a text that contains one is no term, since nobody looks it up."""


class Mention(NamedTuple):
    """A term, and a place where it is explained: the text that the index shows for the place, and the link to it."""

    term: str
    place: str
    link: str


def terms(content: Inline) -> Iterator[str]:
    """Yields the bold texts in `content` that name a thing, without their article; not clauses and numbers.

    The capital at the beginning of a sentence becomes small.
    """
    for part in content:
        if isinstance(part, Span) and part.bold and not part.code:
            words = part.text.strip(" .,:;").split()
            if words and words[0].casefold() in _ARTICLES:
                del words[0]
            if 0 < len(words) <= _MOST_WORDS and words[0][0].isalpha() and not _NO_TERMS & {*words}:
                term = " ".join(words)
                yield term.lower() if term[1:].islower() else term  # a capital further on shows a proper name


def heading_terms(content: Inline) -> Iterator[str]:
    """Yields the code in a heading, which is what its section describes; no tags, which have a section together."""
    return (part.text for part in content if isinstance(part, Span) and part.code and not part.text.startswith("<"))


def terms_of(blocks: Sequence[Block]) -> Iterator[str]:
    """Yields the terms in `blocks`, except for labels of notes, which explain nothing."""
    for block in walk(blocks):
        match block:
            case Heading():
                yield from heading_terms(block.content)
            case Paragraph() | Table() | Figure():
                for content in contents((block,)):
                    yield from terms(content)


def index(title: str, mentions: Iterable[Mention]) -> Document:
    """Returns the index as a document: a section for each letter, a paragraph for each term, a link for each place.

    Commands are listed without `carddb`, with their parts below, plurals under their singular, classes without parts.
    """
    mentions = list(mentions)
    words = {_folded(mention.term) for mention in mentions}
    names = {part[1] for mention in mentions if (part := _PART.fullmatch(mention.term))}
    entries: dict[tuple[str, str, str], tuple[str, dict[str, str]]] = {}
    for term, place, link in mentions:
        part = _PART.fullmatch(term)
        if part and not term.startswith(_COMMAND):
            continue
        whole = part[1] if part else term
        name = whole if whole in names or term.startswith(_COMMAND) else ""
        word = _folded(whole)
        word = word[:-1] if not name and word[-1:] == "s" and word[:-1] in words else word
        key = (word, name, part[2] if part else "")
        shown, places = entries.setdefault(key, (term, {}))
        places.setdefault(place, link)
        entries[key] = (min(shown, term, key=lambda text: (len(text), text.swapcase())), places)
    blocks: list[Block] = []
    for letter, keys in groupby(sorted(entries), lambda key: _head(key[0])):
        blocks.append(Heading(2, (Span(letter),)))
        blocks += [_entry(key[2], *entries[key]) for key in keys]
    return Document(title, tuple(blocks), _LEAD, numbered=False, compact=True, columns=4)


def _folded(term: str) -> str:
    """Returns `term` as it is sorted: in small letters without accents, and without punctuation at its beginning."""
    term = unicodedata.normalize("NFKD", term.removeprefix(_COMMAND))
    folded = term.encode("ascii", "ignore").decode().casefold()
    return folded.lstrip("-[]`'\"./ ") or folded


def _head(key: str) -> str:
    """Returns the heading of the section to which a term belongs."""
    return key[:1].upper() if key[:1].isalpha() else "0–9" if key[:1].isdigit() else "Signs"


def _entry(part: str, term: str, places: dict[str, str]) -> Paragraph:
    out = [Span("\u2003" * bool(part)), Span(part or term.removeprefix(_COMMAND), code=term.startswith(_COMMAND))]
    for number, (place, link) in enumerate(places.items()):
        out += [Span(", " if number else "\u2003"), Span(place, link=link)]
    return Paragraph(tuple(out), under=(Span(term.split()[1], code=True),) if part else ())


def rule_index(document: Document, places: Mapping[str, str]) -> tuple[Block, ...]:
    """Returns the index of the rule ids of a document as a section; `places` is `{id: its pages, as text}`.

    Consecutive ids on the same pages share a line, such as S-1–7. The lines are in narrow columns, read downwards.
    """
    lines, rules = [], sorted(document.indexed, key=lambda rule: rule.rstrip(digits))  # S-1 to S-9, then SR-1
    for (place, stem), run in groupby(rules, lambda rule: (places.get(rule), rule.rstrip(digits))):
        first, *others = run
        name = f"{first}–{others[-1].removeprefix(stem)}" if others else first
        lines += [Paragraph((Span(name), TAB, Span(place)))] if place else []
    down = -(-len(lines) // _ACROSS)
    columns = [tuple(lines[at * down : (at + 1) * down]) for at in range(_ACROSS)]
    return (Heading(2, (Span(document.index_title),)), Beside(tuple(columns))) if lines else ()


def mentions_by_section(documents: Iterable[Document]) -> Iterator[Mention]:
    """Yields a mention for every term, with the title and the link of its section: for a book without page numbers."""
    for document in documents:
        for section in document.sections:
            place = section.title or document.title
            link = f"{document.file}#{section.anchor}" if section.anchor else document.file
            heading = (section.heading,) if section.heading else ()
            yield from (Mention(term, place, link) for term in terms_of((*heading, *section.blocks)))
