"""Reads a query; every error gives a position and what was possible there."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NoReturn, Protocol

from carddb.cards.query.terms import ORDER, All, Compare, Either, Node, Not, Test, Value, Words, folded
from carddb.core.errors import QueryError
from carddb.core.names import YES_AND_NO, Vocabulary, fold_word

MAX_LENGTH = 10_000
MAX_NESTING = 100
_NOT_READ = ("ref", "name", "type", "set", "art", "emblem", "face_image", "game")
"""Texts that words are not searched in: what they say is no sentence of a card, or the name, which comes first."""


class FieldLike(Protocol):
    """What a query needs of a field: its type, its values (all of them where it is closed), and the words for them."""

    @property
    def type(self) -> str: ...
    @property
    def of(self) -> Sequence[str]: ...
    @property
    def closed(self) -> Sequence[str]: ...
    @property
    def words(self) -> Vocabulary: ...
    def without_unit(self, text: str) -> str: ...


class Query:
    """A query that has been read: `matches(card)` is the predicate, the rest is for narrowing a search first."""

    __slots__ = ("_node", "matches", "text")

    def __init__(self, text: str, node: Node) -> None:
        self.text = text
        self._node = node
        self.matches: Test = node.test()

    def words(self) -> list[str]:
        """Folded words; for each, the name or a text of every hit has a word that begins with it."""
        return sorted(self._node.words())

    def fields(self) -> frozenset[str]:
        """The fields that it names."""
        return self._node.fields()

    def equal(self, field: str) -> frozenset[str] | None:
        """The values among which a text or choice field of every hit is; None where the query does not say."""
        return self._node.equal(field)

    def bounds(self) -> list[tuple[str, str, float]]:
        """Number fields with an operator of order and a limit that the value of every hit keeps."""
        return self._node.bounds()

    def texts(self) -> frozenset[tuple[str, str]]:
        """What a hit must or may hold: fields with texts that they are compared with, and folded words of none ("")."""
        return self._node.texts()

    def __str__(self) -> str:
        return self.text


def searched_fields(fields: Mapping[str, FieldLike]) -> list[str]:
    """The fields in which bare words are searched: the name, and every text that is read on a card."""
    return ["name", *(name for name, spec in fields.items() if spec.type == "text" and name not in _NOT_READ)]


def parse(
    text: str,
    fields: Mapping[str, FieldLike],
    values: Sequence[Value] | None = None,
    names: Vocabulary | None = None,
) -> Query:
    """Read a query over these fields; `names` are all the words for them, by default their keys.

    Where `values` is not None, a value written `{}` stands for any of those. The empty query matches every card.
    Raises QueryError with the position and what was possible there.
    """
    return Query(text.strip(), _Parser(text, fields, values, names or Vocabulary(fields)).query())


def quoted(text: str) -> str:
    """A text as a query has it where each of its signs stands for itself."""
    return '"' + re.sub(r'(["\\])', r"\\\1", text) + '"'


_SPACE = re.compile(r"\s*")
_WORD = re.compile(r'(?:[^\s()":=<>!]|!(?!=))+')
_OPERATOR = re.compile(r"\s*(!=|<=|>=|[:=<>])\s*")
_COMMA = re.compile(r"\s*,\s*")
_VALUE = re.compile(r'[^\s()",]+')
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_NUMBER = re.compile(r"[-+]?\d{1,30}(\.\d{1,30})?(e[-+]?\d{1,3})?", re.IGNORECASE | re.ASCII)


class _Parser:
    def __init__(
        self, text: str, fields: Mapping[str, FieldLike], values: Sequence[Value] | None, names: Vocabulary
    ) -> None:
        self.text = text
        self.fields = fields
        self.searched = searched_fields(fields)
        self.names = names
        self.values = values
        self.at = 0
        self.depth = 0

    def fail(self, message: str, at: int | None = None, remedy: str = "") -> NoReturn:
        raise QueryError(message, self.text, self.at if at is None else at, remedy)

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        match = pattern.match(self.text, self.at)
        if match:
            self.at = match.end()
        return match

    def next(self) -> str:
        """The next character that is not a space; empty at the end."""
        self.take(_SPACE)
        return self.text[self.at : self.at + 1]

    def query(self) -> Node:
        if len(self.text) > MAX_LENGTH:
            length, self.text = len(self.text), self.text[:60] + " ..."
            self.fail(f"the query has {length:,} characters, at most {MAX_LENGTH:,} are read", 0, "Shorten it.")
        if not self.next():
            return All(())
        node = self.either()
        if self.next():
            self.fail("this bracket closes nothing", remedy='Remove it, or put it in quotes: ")".')
        return node

    def either(self) -> Node:
        terms = [self.every()]
        while self.at_word("or"):
            self.at += 2
            terms.append(self.every())
        return terms[0] if len(terms) == 1 else Either(tuple(terms))

    def at_word(self, joining: str) -> bool:
        """Whether a word that joins terms is next, and not a field of that name."""
        self.take(_SPACE)
        word = _WORD.match(self.text, self.at)
        return word is not None and word[0].lower() == joining and not _OPERATOR.match(self.text, word.end())

    def every(self) -> Node:
        terms: list[Node] = []
        while self.next() not in ("", ")") and not self.at_word("or"):
            if terms and self.at_word("and"):
                self.at += len("and")
            else:
                terms.append(self.term())
        if not terms:
            self.fail("a search term is missing here", remedy=f"Write a word, or a field: {self.example()}.")
        return terms[0] if len(terms) == 1 else All(tuple(terms))

    def term(self) -> Node:
        if self.text[self.at] != "-":
            return self.plain()
        self.at += 1
        if self.text[self.at : self.at + 1].strip() in ("", "-", ")"):
            remedy = f"Write -word or -{self.example()}."
            self.fail("a minus stands directly before the one term that it excludes", self.at - 1, remedy)
        return Not(self.plain())

    def plain(self) -> Node:
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

    def group(self) -> Node:
        start = self.at
        self.depth += 1
        if self.depth > MAX_NESTING:
            self.fail(f"brackets lie {self.depth} deep, at most {MAX_NESTING} are read", remedy="Use fewer brackets.")
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

    def words(self, text: str, start: int) -> Node:
        if not folded(text):
            self.fail("there is no letter or digit to search for", start, "Write a word of the name or the text.")
        return Words(text, self.searched)

    def comparison(self, field: str, op: str, start: int) -> Node:
        name = self.names.find(field)
        if name is None:
            near = self.names.nearest(field)
            hint = f"Did you mean {near}? " if near else ""
            self.fail(f"there is no field {field}", start, f"{hint}Fields here: {', '.join(self.fields)}.")
        field, spec = name, self.fields[name]
        if op in ORDER and spec.type not in ("text", "integer", "number"):
            self.fail(f"{field} has no order, so {op} cannot be asked of it", start, _possible(field, spec))
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
            self.fail(f"none has no order, so {op} cannot be asked of it", start, _possible(field, spec))
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
            self.fail(f"{field} cannot be {text or 'empty'}", start, _possible(field, spec))
        if spec.type == "text" and op == ":" and not folded(text):
            self.fail("there is no letter or digit to look for", start, _possible(field, spec))
        return value

    def example(self) -> str:
        choice = next((name for name, spec in self.fields.items() if spec.type == "choice" and spec.of), "")
        return f"{choice}:{self.fields[choice].of[0]}" if choice else "name:word"


def _typed(text: str, spec: FieldLike) -> Value:
    """A value as the field's type has it; None where it cannot be one."""
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
    """The comparisons that a field allows, as a remedy."""
    forms = {
        "integer": f"a number: {field}:3, {field}>=4 or {field}:none",
        "number": f"a number: {field}:3, {field}>=4 or {field}:none",
        "boolean": f"{field}:true or {field}:false",
        "choice": f"{field}: and one of {', '.join(spec.of)}" if spec.of else f"{field}:value or {field}:none",
        "list": f"{field}:member or {field}:none",
        "object": f"{field}:none or {field}!=none",
    }
    return "Possible here: " + forms.get(spec.type, f'{field}:word, {field}="exactly this" or {field}:none') + "."
