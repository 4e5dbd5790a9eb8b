"""The parts of a query: terms that test a card, and values that narrow a search."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Protocol

from carddb.core.names import is_ideograph, strip_accents


class CardLike(Protocol):
    """What a query needs of a card: a field's value, None where it has none, and what its printings have for it."""

    def get(self, key: str, /) -> Any: ...
    def printed(self, key: str, /) -> Sequence[str]: ...


Value = str | int | float | bool | None
Test = Callable[[CardLike], bool]

ORDER: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_PRINTED = ("ref", "set")
"""Fields that each printing of a card has for itself."""
_SEPARATORS = bytes(code if chr(code).isalnum() else 32 for code in range(128)) + bytes(range(128, 256))


@lru_cache(maxsize=1 << 16)
def folded(text: str) -> str:
    """The words of a text, without case, accents and punctuation, each with a space before it.

    What is written without spaces counts as words of one character.
    """
    if text.isascii():
        plain = text.lower().replace("&", " and ").encode().translate(_SEPARATORS).decode()
    else:
        plain = re.sub(r"[^\w]+|_", " ", strip_accents(text))
        if not plain.isascii() and any(map(is_ideograph, plain)):
            plain = "".join([f" {char} " if is_ideograph(char) else char for char in plain])
    words = " ".join(plain.split())
    return f" {words}" if words else ""


class Node:
    """A part of a query."""

    def test(self) -> Test:
        """The predicate."""
        raise NotImplementedError

    def words(self) -> frozenset[str]:
        """As `Query.words`."""
        return frozenset()

    def equal(self, field: str) -> frozenset[str] | None:
        """As `Query.equal`."""
        return None

    def bounds(self) -> list[tuple[str, str, float]]:
        """As `Query.bounds`."""
        return []

    def fields(self) -> frozenset[str]:
        """As `Query.fields`."""
        return frozenset()

    def texts(self) -> frozenset[tuple[str, str]]:
        """As `Query.texts`."""
        return frozenset()


class Words(Node):
    """A bare word or a phrase, as written, and the fields in which it is searched."""

    def __init__(self, text: str, searched: Sequence[str]) -> None:
        self.text = text
        self.searched = searched

    def test(self) -> Test:
        words, searched = folded(self.text), self.searched

        def matches(card: CardLike) -> bool:
            texts = (card.get(field) for field in searched)
            return any(isinstance(text, str) and words in folded(text) for text in texts)

        return matches

    def words(self) -> frozenset[str]:
        return frozenset(folded(self.text).split())

    def texts(self) -> frozenset[tuple[str, str]]:
        return frozenset(("", word) for word in folded(self.text).split())


class Compare(Node):
    """`field op value,value`, for a field of type `kind`; None among the values is `none`."""

    def __init__(self, field: str, kind: str, op: str, values: tuple[Value, ...]) -> None:
        self.field = field
        self.kind = kind
        self.op = op
        self.values = values

    def test(self) -> Test:
        field, absent = self.field, None in self.values
        hit = self._hit([value for value in self.values if value is not None])
        if field in _PRINTED:
            return self._in_any_printing(hit, absent)
        if self.op == "!=":
            return lambda card: (value := card.get(field)) is not None and not hit(value)
        return lambda card: absent if (value := card.get(field)) is None else hit(value)

    def _in_any_printing(self, hit: Callable[[Any], bool], absent: bool) -> Test:
        """As `test`, for a field that each printing of a card has for itself."""
        field, negated = self.field, self.op == "!="

        def matches(card: CardLike) -> bool:
            value = card.get(field)
            if value is None:
                return absent and not negated
            return negated != (hit(value) or any(map(hit, card.printed(field))))

        return matches

    def _hit(self, values: list[Any]) -> Callable[[Any], bool]:
        """Whether a value that is there is any of `wanted`, in the sense of kind and operator (`!=` as `=`)."""
        if order := ORDER.get(self.op):
            types = (str,) if self.kind == "text" else (int, float)
            return lambda value: type(value) in types and any(order(value, limit) for limit in values)
        if self.kind in ("integer", "number"):
            return lambda value: type(value) in (int, float) and value in values
        if self.kind == "boolean":
            return lambda value: isinstance(value, bool) and value in values
        if self.op == ":" and self.kind == "text":
            parts = [folded(text).lstrip() for text in values]
            return lambda value: isinstance(value, str) and any(part in folded(value) for part in parts)
        if self.op == ":" and self.kind == "list":
            members = {folded(text) for text in values}
            return lambda value: any(folded(str(member)) in members for member in value)
        if self.kind == "list":
            return lambda value: any(member in values for member in value)
        return lambda value: isinstance(value, str) and value in values

    def fields(self) -> frozenset[str]:
        return frozenset({self.field})

    def texts(self) -> frozenset[tuple[str, str]]:
        if self.op not in (":", "=") or self.kind not in ("text", "choice"):
            return frozenset()
        return frozenset((self.field, value) for value in self.values if isinstance(value, str))

    def equal(self, field: str) -> frozenset[str] | None:
        exact = self.kind in ("text", "choice") and (self.op == "=" or (self.op == ":" and self.kind == "choice"))
        if field != self.field or not exact or None in self.values:
            return None
        return frozenset(value for value in self.values if isinstance(value, str))

    def bounds(self) -> list[tuple[str, str, float]]:
        if self.kind not in ("integer", "number") or self.op == "!=" or None in self.values:
            return []
        numbers = [value for value in self.values if isinstance(value, int | float)]
        if self.op in ORDER:
            loosest = min(numbers) if self.op.startswith(">") else max(numbers)
            return [(self.field, self.op, loosest)]
        return [(self.field, ">=", min(numbers)), (self.field, "<=", max(numbers))]


class Not(Node):
    """Whatever does not match `term`."""

    def __init__(self, term: Node) -> None:
        self.term = term

    def test(self) -> Test:
        test = self.term.test()
        return lambda card: not test(card)

    def fields(self) -> frozenset[str]:
        return self.term.fields()


class _Several(Node):
    def __init__(self, terms: tuple[Node, ...]) -> None:
        self.terms = terms

    def fields(self) -> frozenset[str]:
        return frozenset().union(*(term.fields() for term in self.terms))

    def texts(self) -> frozenset[tuple[str, str]]:
        return frozenset().union(*(term.texts() for term in self.terms))


class All(_Several):
    """Every one of the terms; without terms, every card."""

    def test(self) -> Test:
        tests = [term.test() for term in self.terms]
        return lambda card: all(test(card) for test in tests)

    def words(self) -> frozenset[str]:
        return frozenset().union(*(term.words() for term in self.terms))

    def equal(self, field: str) -> frozenset[str] | None:
        narrowed = [values for term in self.terms if (values := term.equal(field)) is not None]
        return frozenset.intersection(*narrowed) if narrowed else None

    def bounds(self) -> list[tuple[str, str, float]]:
        return [bound for term in self.terms for bound in term.bounds()]


class Either(_Several):
    """At least one of the terms."""

    def test(self) -> Test:
        tests = [term.test() for term in self.terms]
        return lambda card: any(test(card) for test in tests)

    def words(self) -> frozenset[str]:
        return frozenset.intersection(*(term.words() for term in self.terms))

    def equal(self, field: str) -> frozenset[str] | None:
        narrowed = [values for term in self.terms if (values := term.equal(field)) is not None]
        return frozenset().union(*narrowed) if len(narrowed) == len(self.terms) else None
