"""Which field each column of a file means: by itself, or most likely."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from difflib import SequenceMatcher
from typing import NamedTuple

from carddb.core.names import fold
from carddb.read.cards.lines import Headings

OWN, NAME, WORD, SEVERAL, OUT, NEAR, INNER, NONE = "own", "name", "word", "several", "out", "near", "inner", "none"
"""How a heading is understood: by the user's own words, as the name of a field, as another word for it, as several
fields, as left out; by its nearest field; inside an object that need not be read; not at all."""
_MOST_NEAR = 100
"""Headings for which the nearest field is looked for, which takes a millisecond each."""
_ALIKE = 0.7
"""How much a heading must look like a word to be taken for it: `Nmae` 0.75, `id` like `Kind` 0.67 not."""


_OF_OTHERS = {
    "ref": ("code", "card id", "card code"),
    "name": ("title", "card name"),
    "set": ("pack", "pack code", "set code", "set name", "expansion"),
}
"""What other databases call the fields of every game."""
_CODE = " code"


class ColumnMeaning(NamedTuple):
    """A heading and how it is understood, one of the words above.

    `fields` are those that it means by itself, `near` the field that is proposed for one that means none.
    """

    heading: str
    basis: str
    fields: tuple[str, ...] = ()
    near: str = ""


def column_meanings(headings: Headings, names: Iterable[str], inner: Collection[str] = ()) -> list[ColumnMeaning]:
    """What the headings of a file mean, in their order; a field is proposed once, and none that a heading means.

    `inner` are those that lead into objects of a document.
    """
    objects = {name.partition(".")[0] for name in inner}
    meanings = [_by_itself(headings, name, name in inner) for name in dict.fromkeys(names)]
    taken = {field for meaning in meanings for field in meaning.fields}
    left = _MOST_NEAR
    for index, meaning in enumerate(meanings):
        if meaning.basis not in (NONE, INNER) or meaning.heading in objects or not left:
            continue
        left -= 1
        near = _last_word(headings, meaning.heading) if meaning.basis == INNER else _near(headings, meaning.heading)
        if near and near not in taken:
            taken.add(near)
            meanings[index] = meaning._replace(basis=NEAR, near=near)
    opened = {
        each.heading.partition(".")[0] for each in meanings if each.heading in inner and (each.fields or each.near)
    }
    return [each._replace(basis=INNER) if each.basis == NONE and each.heading in opened else each for each in meanings]


def _near(headings: Headings, heading: str) -> str | None:
    """The field that other databases call so, `title` or `faction_code`; else the nearest, if it looks much alike."""
    text = fold(heading[:100])
    other = next((field for field, words in _OF_OTHERS.items() if text in words), None)
    if other or (text.endswith(_CODE) and (other := headings.field(text.removesuffix(_CODE)))):
        return other
    field = headings.nearest(heading)
    words = headings.words_of(field) if field else ()
    return field if any(SequenceMatcher(None, text, fold(word)).ratio() >= _ALIKE for word in words) else None


def _last_word(headings: Headings, heading: str) -> str | None:
    """The field that the last key of `attributes.text` means."""
    return headings.field(heading.rpartition(".")[2])


def proposed_columns(meanings: Iterable[ColumnMeaning]) -> Mapping[str, str]:
    """The headings that mean no field, with the fields that are proposed for them."""
    return {meaning.heading: meaning.near for meaning in meanings if meaning.near}


def _by_itself(headings: Headings, name: str, is_inner: bool) -> ColumnMeaning:
    if field := headings.field(name):
        if headings.is_own(name):
            return ColumnMeaning(name, OWN, (field,))
        return ColumnMeaning(name, NAME if headings.is_name(name) else WORD, (field,))
    if headings.leaves_out(name):
        return ColumnMeaning(name, OUT)
    if fields := headings.joined(name):
        return ColumnMeaning(name, SEVERAL, fields)
    return ColumnMeaning(name, INNER if is_inner else NONE)
