"""The query language of searches, formats, limits and print selections.

    query = and {"or" and}          and = term {["and"] term}
    term  = ["-"] ( "(" query ")" | field op value {"," value} | word | "phrase" )       op = : = != < <= > >=

A bare word or phrase is searched in the name and in every text field, where it must begin at the beginning of a word.
`:` means contains for text, equals for choice, number and boolean, and has the member for lists. `=` compares exactly.
Commas mean any of the values. `field:none` matches cards without the field, which fail every other comparison. `ref`
and `set` are also compared with those of each printing. Quotes make `"none"`, `"or"` and `"and"` plain text.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, NoReturn, Protocol

from carddb.cards.cards import Card
from carddb.core.errors import QueryError
from carddb.core.names import YES_AND_NO, Vocabulary, fold_word, is_ideograph, nearest, strip_accents

Value = str | int | float | bool | None
Test = Callable[[Card], bool]

ORDER: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_SEPARATORS = bytes(code if chr(code).isalnum() else 32 for code in range(128)) + bytes(range(128, 256))


@lru_cache(maxsize=1 << 16)
def folded(text: str) -> str:
    """Returns the words of a text without case, accents and punctuation, each preceded by a space.

    In scripts written without spaces, each character counts as a word.
    """
    if text.isascii():
        plain = text.lower().replace("&", " and ").encode().translate(_SEPARATORS).decode()
    else:
        plain = re.sub(r"[^\w]+|_", " ", strip_accents(text))
        if not plain.isascii() and any(map(is_ideograph, plain)):
            plain = "".join([f" {char} " if is_ideograph(char) else char for char in plain])
    words = " ".join(plain.split())
    return f" {words}" if words else ""


class Query:
    """A parsed query, or a part of one: `matches(card)` is its predicate.

    All methods but `test` help to narrow a search.
    """

    text = ""
    """The whole query as it was typed."""

    @cached_property
    def matches(self) -> Test:
        return self.test()

    def test(self) -> Test:
        """Returns a predicate that is true for matching cards."""
        raise NotImplementedError

    def words(self) -> frozenset[str]:
        """Returns folded words, each of which begins a word of the name or of a text field of every matching card."""
        return frozenset()

    def equal(self, field: str) -> frozenset[str] | None:
        """Returns values; every matching card has one of them in the text or choice `field`. None means any value."""
        return None

    def fields(self) -> frozenset[str]:
        """Returns the names of the fields that are compared."""
        return frozenset()

    def texts(self) -> frozenset[tuple[str, str]]:
        """Returns pairs of field and text that the query looks for; a bare word is folded, and its field is `""`."""
        return frozenset()


@dataclass(eq=False)
class QueryWords(Query):
    """A bare word or a phrase, as written, and the fields in which it is searched."""

    phrase: str
    searched: Sequence[str]

    def test(self) -> Test:
        words, searched = folded(self.phrase), self.searched

        def matches(card: Card) -> bool:
            texts = (card.get(field) for field in searched)
            return any(isinstance(text, str) and words in folded(text) for text in texts)

        return matches

    def words(self) -> frozenset[str]:
        return frozenset(folded(self.phrase).split())

    def texts(self) -> frozenset[tuple[str, str]]:
        return frozenset(("", word) for word in folded(self.phrase).split())


@dataclass(eq=False)
class Compare(Query):
    """`field op value,value`, for a field of type `kind`; the value `none` is None."""

    field: str
    kind: str
    op: str
    values: tuple[Value, ...]

    def test(self) -> Test:
        field, absent, negated = self.field, None in self.values, self.op == "!="
        hit = self._hit([value for value in self.values if value is not None])

        def matches(card: Card) -> bool:
            value = card.get(field)
            if value is None:
                return absent and not negated
            return negated != (hit(value) or any(map(hit, card.printed(field))))

        return matches

    def _hit(self, values: list[Any]) -> Callable[[Any], bool]:
        """Returns the test of a card's value against `values`, by type and operator; for `!=` it is that of `=`."""
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


@dataclass(eq=False)
class Not(Query):
    """Matches the cards that do not match `term`."""

    term: Query

    def test(self) -> Test:
        test = self.term.test()
        return lambda card: not test(card)

    def fields(self) -> frozenset[str]:
        return self.term.fields()


@dataclass(eq=False)
class Joined(Query):
    """Matches the cards that match all `terms` (without terms, every card), or if not `every`, at least one of them."""

    terms: tuple[Query, ...]
    every: bool

    def test(self) -> Test:
        tests, enough = [term.test() for term in self.terms], all if self.every else any
        return lambda card: enough(test(card) for test in tests)

    def words(self) -> frozenset[str]:
        words = [term.words() for term in self.terms]
        return frozenset().union(*words) if self.every else frozenset.intersection(*words)

    def equal(self, field: str) -> frozenset[str] | None:
        narrowed = [values for term in self.terms if (values := term.equal(field)) is not None]
        if self.every:
            return frozenset.intersection(*narrowed) if narrowed else None
        return frozenset().union(*narrowed) if len(narrowed) == len(self.terms) else None

    def fields(self) -> frozenset[str]:
        return frozenset().union(*(term.fields() for term in self.terms))

    def texts(self) -> frozenset[tuple[str, str]]:
        return frozenset().union(*(term.texts() for term in self.terms))


MAX_LENGTH = 10_000
MAX_NESTING = 100
_NOT_READ = ("ref", "name", "type", "set", "art", "emblem", "face_image", "game")
"""Text fields in which words are not searched, because they are not text to read. The name is searched separately."""


class FieldLike(Protocol):
    """A field as queries see it: its type, its known values (`of`), the only ones allowed (`closed`), their words."""

    @property
    def type(self) -> str: ...
    @property
    def of(self) -> Sequence[str]: ...
    @property
    def closed(self) -> Sequence[str]: ...
    @property
    def words(self) -> Vocabulary: ...
    def without_unit(self, text: str) -> str: ...


def searched_fields(fields: Mapping[str, FieldLike]) -> list[str]:
    """Returns the fields in which bare words are searched: the name, and every text that is printed to be read."""
    return ["name", *(name for name, spec in fields.items() if spec.type == "text" and name not in _NOT_READ)]


def parse(
    text: str, fields: Mapping[str, FieldLike], values: Sequence[Value] | None = None, names: Vocabulary | None = None
) -> Query:
    """Parses a query over `fields`; `names` are the words for the fields, by default their keys.

    If `values` is given, a value written as `{}` stands for any of them. The empty query matches every card. Raises
    QueryError with the position and what was possible there.
    """
    query = _Parser(text, fields, values, names or Vocabulary(fields)).query()
    query.text = text.strip()
    return query


def quoted(text: str) -> str:
    """Returns a text quoted for a query, so that none of its characters has a special meaning."""
    return '"' + re.sub(r'(["\\])', r"\\\1", text) + '"'


_SPACE = re.compile(r"\s*")
_WORD = re.compile(r'(?:[^\s()":=<>!]|!(?!=))+')
_OPERATOR = re.compile(r"\s*(!=|<=|>=|[:=<>])\s*")
_COMMA = re.compile(r"\s*,\s*")
_VALUE = re.compile(r'[^\s()",]+')
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_NUMBER = re.compile(r"[-+]?\d{1,30}(\.\d{1,30})?(e[-+]?\d{1,3})?", re.IGNORECASE | re.ASCII)


@dataclass
class _Parser:
    text: str
    fields: Mapping[str, FieldLike]
    values: Sequence[Value] | None
    names: Vocabulary
    at: int = 0
    depth: int = 0

    def fail(
        self, message: str, at: int | None = None, remedy: str = "", *, word: str = "", near: str | None = None
    ) -> NoReturn:
        hint = f"Did you mean {near}? " if near else ""
        raise QueryError(message, self.text, self.at if at is None else at, hint + remedy, word=word, near=near or "")

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        match = pattern.match(self.text, self.at)
        if match:
            self.at = match.end()
        return match

    def next(self) -> str:
        """Skips spaces and returns the next character, or an empty text at the end."""
        self.take(_SPACE)
        return self.text[self.at : self.at + 1]

    def query(self) -> Query:
        if len(self.text) > MAX_LENGTH:
            length, self.text = len(self.text), self.text[:60] + " ..."
            self.fail(f"the query has {length:,} characters, but at most {MAX_LENGTH:,} are read", 0, "Shorten it.")
        if not self.next():
            return Joined((), every=True)
        node = self.either()
        if self.next():
            self.fail("this bracket closes nothing", remedy='Remove it, or put it in quotes: ")".')
        return node

    def either(self) -> Query:
        terms = [self.every()]
        while self.at_word("or"):
            self.at += 2
            terms.append(self.every())
        return terms[0] if len(terms) == 1 else Joined(tuple(terms), every=False)

    def at_word(self, joining: str) -> bool:
        """Returns whether `joining` (`or`, `and`) comes next as a word, and not as the name of a field."""
        self.take(_SPACE)
        word = _WORD.match(self.text, self.at)
        return word is not None and word[0].lower() == joining and not _OPERATOR.match(self.text, word.end())

    def every(self) -> Query:
        terms: list[Query] = []
        while self.next() not in ("", ")") and not self.at_word("or"):
            if terms and self.at_word("and"):
                self.at += len("and")
            else:
                terms.append(self.term())
        if not terms:
            self.fail("a search term is missing here", remedy=f"Write a word, or a field: {self.example()}.")
        return terms[0] if len(terms) == 1 else Joined(tuple(terms), every=True)

    def term(self) -> Query:
        if self.text[self.at] != "-":
            return self.plain()
        self.at += 1
        if self.text[self.at : self.at + 1].strip() in ("", "-", ")"):
            remedy = f"Write -word or -{self.example()}."
            self.fail("a minus must stand directly before the term that it excludes", self.at - 1, remedy)
        return Not(self.plain())

    def plain(self) -> Query:
        start = self.at
        if self.text[start] == "(":
            return self.group()
        if self.text[start] == '"':
            phrase, op = self.quoted(), self.take(_OPERATOR)
            return self.comparison(phrase, op[1], start) if op else self.words(phrase, start)
        word, op = self.take(_WORD), self.take(_OPERATOR)
        if word and op:
            return self.comparison(word[0], op[1], start)
        if not word:
            self.fail("a field is missing before the comparison", start, f"Write a field first: {self.example()}.")
        return self.words(word[0], start)

    def group(self) -> Query:
        start = self.at
        self.depth += 1
        if self.depth > MAX_NESTING:
            self.fail(f"brackets are {self.depth} deep, but at most {MAX_NESTING} are read", remedy="Use fewer.")
        self.at += 1
        node = self.either()
        if self.next() != ")":
            self.fail("this bracket is never closed", start, "Add ) where the group ends.")
        self.at += 1
        self.depth -= 1
        return node

    def quoted(self) -> str:
        match = self.take(_QUOTED)
        if not match:
            self.fail("this quotation mark is never closed", remedy='Add " where the phrase ends.')
        return re.sub(r"\\(.)", r"\1", match[1], flags=re.DOTALL)

    def words(self, text: str, start: int) -> Query:
        if not folded(text):
            self.fail("there is no letter or digit to search for", start, "Write a word of the name or the text.")
        return QueryWords(text, searched_fields(self.fields))

    def comparison(self, field: str, op: str, start: int) -> Query:
        name = self.names.find(field)
        if name is None:
            remedy = f"Known fields: {', '.join(self.fields)}."
            self.fail(f"there is no field {field}", start, remedy, word=field, near=self.names.nearest(field))
        field, spec = name, self.fields[name]
        if op in ORDER and spec.type not in ("text", "integer", "number"):
            self.fail(f"{field} has no order, so it cannot be compared with {op}", start, _possible(field, spec))
        values = [*self.value(field, spec, op)]
        while self.take(_COMMA):
            values += self.value(field, spec, op)
        return Compare(field, spec.type, op, tuple(values))

    def value(self, field: str, spec: FieldLike, op: str) -> Iterator[Value]:
        start = self.at
        if self.text.startswith('"', start):
            yield self.typed(self.quoted(), field, spec, op, start)
            return
        raw = self.take(_VALUE)
        if raw is None:
            self.fail(f"a value is missing after {field}{op}", start, _possible(field, spec))
        if raw[0] == "{}" and self.values is not None:
            yield from self.fitting(self.values, field, spec, start)
        elif raw[0].lower() != "none":
            yield self.typed(raw[0], field, spec, op, start)
        elif op in ORDER:
            self.fail(f"the value none cannot be compared with {op}", start, _possible(field, spec))
        else:
            yield None

    def fitting(self, values: Sequence[Value], field: str, spec: FieldLike, start: int) -> Iterator[Value]:
        kinds = {"integer": (int, float), "number": (int, float), "boolean": (bool,)}.get(spec.type, (str,))
        for value in values:
            if type(value) not in kinds:
                self.fail(f"{field} cannot be {value!r}", start, _possible(field, spec))
            yield value

    def typed(self, text: str, field: str, spec: FieldLike, op: str, start: int) -> Value:
        value = _typed(text, spec)
        if value is None:
            near = next(iter(nearest(text, spec.of, 1)), None)
            self.fail(f"{field} cannot be {text or 'empty'}", start, _possible(field, spec), word=text, near=near)
        if spec.type == "text" and op == ":" and not folded(text):
            self.fail("there is no letter or digit to look for", start, _possible(field, spec))
        return value

    def example(self) -> str:
        choice = next((name for name, spec in self.fields.items() if spec.type == "choice" and spec.of), "")
        return f"{choice}:{self.fields[choice].of[0]}" if choice else "name:word"


def _typed(text: str, spec: FieldLike) -> Value:
    """Returns a value converted to the field's type, or None if it does not fit."""
    if spec.type in ("integer", "number"):
        return _number(spec.without_unit(text))
    if spec.type == "boolean":
        return YES_AND_NO.get(fold_word(text))
    if spec.type == "choice" and spec.closed:
        return spec.words.find(text)
    if spec.type == "object":
        return None
    return spec.words.find(text) or text


def _number(text: str) -> int | float | None:
    match = _NUMBER.fullmatch(text)
    if match and not (match[1] or match[2]):
        return int(text)
    value = float(text) if match else math.inf
    return value if math.isfinite(value) else None


def _possible(field: str, spec: FieldLike) -> str:
    """Returns a remedy that lists the comparisons which a field allows."""
    forms = {
        **dict.fromkeys(("integer", "number"), f"a number: {field}:3, {field}>=4 or {field}:none"),
        "boolean": f"{field}:true or {field}:false",
        "choice": f"{field}: and one of {', '.join(spec.of)}" if spec.of else f"{field}:value or {field}:none",
        "list": f"{field}:member or {field}:none",
        "object": f"{field}:none or {field}!=none",
    }
    return "Possible here: " + forms.get(spec.type, f'{field}:word, {field}="exactly this" or {field}:none') + "."
