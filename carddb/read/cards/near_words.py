"""Values of open fields that are one letter away from a value that rules compare with: a slip, most likely."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set

from carddb.core.vocabulary import fold_word
from carddb.findings import Finding, Place, warning
from carddb.game.card_fields import FieldSpec
from carddb.game.game import GameSpec
from carddb.read.cards.file import CardRow

_SHORTEST = 5
"""Letters below which two words are often one letter apart without a slip."""


def near_words(spec: GameSpec, rows: Iterable[CardRow], stored: Mapping[str, Set[str]]) -> Iterator[Finding]:
    """A warning for each such value, once a field, with the place of the first card.

    `stored` are values by field that the catalogue has already: whoever stored one meant it.
    """
    fields = {name: field for name, field in spec.all_fields().items() if field.of and not field.closed}
    seen: set[tuple[str, str]] = set()
    for row in rows if fields else ():
        for name in sorted(fields.keys() & row.values.keys()):
            value = row.values[name]
            for word in value if isinstance(value, list) else [value]:
                if (name, word) in seen or word in stored.get(name, ()):
                    continue
                seen.add((name, word))
                if near := _near(word, fields[name]):
                    yield _slip(name, word, near, row.place._replace(text=word, column_name=name))


def _near(word: str, field: FieldSpec) -> str | None:
    """The value of a field that is one letter away."""
    folded = fold_word(word)
    if len(folded) < _SHORTEST or any(char.isdigit() for char in folded) or word in field.words:
        return None
    return next((value for value in field.of if one_letter_apart(folded, fold_word(value))), None)


def one_letter_apart(one: str, other: str) -> bool:
    """Whether one letter is changed, missing, too many, or two stand the wrong way round."""
    if abs(len(one) - len(other)) > 1 or one == other:
        return False
    start = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    rest, others = one[start:], other[start:]
    swapped = rest[:2] == others[1::-1] if len(others) > 1 else False
    return rest[1:] == others[1:] or rest[1:] == others or rest == others[1:] or (swapped and rest[2:] == others[2:])


def _slip(name: str, word: str, near: str, place: Place) -> Finding:
    message = f"{name} is {word!r}, one letter away from {near!r}, which rules compare with"
    return warning("value_near_known", message, place, data={"value": word, "near": near}, fix=f"Write {near}.")
