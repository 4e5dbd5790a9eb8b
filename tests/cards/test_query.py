"""The query language: what it matches, what it refuses, what it promises a search."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from carddb.cards.cards import Card
from carddb.cards.query import MAX_LENGTH, MAX_NESTING, Query, parse
from carddb.core.errors import QueryError
from carddb.game.parts import FieldSpec
from tests.rows import every

FIELDS: Mapping[str, FieldSpec] = {
    "ref": FieldSpec(),
    "name": FieldSpec(),
    "text": FieldSpec(),
    "date": FieldSpec(),
    "type": FieldSpec(type="choice", of=("general", "soldier", "capitol")),
    "set": FieldSpec(type="choice"),
    "war": FieldSpec(type="integer"),
    "price": FieldSpec(type="number"),
    "pull": FieldSpec(type="boolean"),
    "traits": FieldSpec(type="list"),
    "prices": FieldSpec(type="object"),
}


def card(ref: str = "T-1", **values: Any) -> Card:
    return Card("test", ref, values)


def matches(query: str, /, **values: Any) -> bool:
    return parse(query, FIELDS).matches(card(**values))


def refused(text: str) -> QueryError:
    with pytest.raises(QueryError) as caught:
        parse(text, FIELDS)
    return caught.value


def test_empty() -> None:
    """The empty query matches every card and narrows nothing."""
    for text in ("", "  \n "):
        query = parse(text, FIELDS)
        assert query.matches(card()) and not query.words() and query.equal("type") is None and query.text == ""


@every("text", ["siege", "SIEGE", "sieg", '"siege ladder"', '"siege lad"', "Siége", '"ladder when"'])
def test_words_search_name_and_text(text: str) -> None:
    """A word is the beginning of a word of name or text, a phrase stands in one piece; both are folded."""
    assert matches(text, name="A Siege Ladder") or matches(text, name="x", text="ladder when")


@every("text", ["iege", '"ladder siege"', "siegeladder", '"ladder x"'])
def test_words_that_do_not_hit(text: str) -> None:
    """The middle of a word, another order, and a phrase across name and text are no hits."""
    assert not matches(text, name="Siege Ladder", text="x of siege")


@every("text", ["灯", "港の灯", "静か", "カード", "かーと", "港 灯", "name:の灯"])
def test_words_written_without_spaces_are_found_within_a_line(text: str) -> None:
    """An ideograph is a word, as is each letter of kana; voiced sounds and the shape of kana's width are accents."""
    assert matches(text, name="静かな港の灯", text="この灯がともったら、カードを引く。かーと")


@every(
    "text, values, hit",
    [
        ("name:iege", {"name": "Siege"}, True),
        ('name="Siege"', {"name": "Siege"}, True),
        ("name=siege", {"name": "Siege"}, False),
        ("name=Sie", {"name": "Siege"}, False),
        ("name!=siege", {"name": "Siege"}, True),
        ("type:SOLDIER", {"type": "soldier"}, True),
        ("type:general,soldier", {"type": "soldier"}, True),
        ("type!=general,soldier", {"type": "soldier"}, False),
        ("set:sam", {"set": "sample"}, False),
        ("set:sample", {"set": "sample"}, True),
        ("war:4", {"war": 4}, True),
        ("war=4", {"war": 4.0}, True),
        ("war:4", {"war": "4"}, False),
        ("war:1", {"war": True}, False),
        ("war >= 4", {"war": 4}, True),
        ("war>4", {"war": 4}, False),
        ("war<-3", {"war": -4}, True),
        ("war>3, 9", {"war": 4}, True),
        ("price>=2.5", {"price": 2.5}, True),
        ("pull:true", {"pull": True}, True),
        ("pull:false", {"pull": True}, False),
        ("pull!=true", {}, False),
        ("traits:Reach", {"traits": ["reach", "undead"]}, True),
        ("traits=Reach", {"traits": ["reach"]}, False),
        ("traits!=undead", {"traits": ["reach"]}, True),
        ("date>=2011-10-06", {"date": "2011-10-06"}, True),
        ("date<2011-10-06", {"date": "2011-09-30"}, True),
        ("date<2011-10-06", {}, False),
        ("war:none", {}, True),
        ("war:none", {"war": 0}, False),
        ("war=none,3", {"war": 3}, True),
        ("war!=none", {"war": 3}, True),
        ("war!=none,3", {"war": 3}, False),
        ("war!=none", {}, False),
        ("war!=3", {}, False),
        ('name:"none"', {"name": "None shall pass"}, True),
        ("prices:none", {}, True),
        ("prices!=none", {"prices": {"a": 1}}, True),
        ("-war>=4", {}, True),
        ("-war>=4", {"war": 5}, False),
        ("war:1 or war:2 pull:true", {"war": 1}, True),
        ("(war:1 or war:2) pull:true", {"war": 1}, False),
        ("-(war:1 OR war:2)", {"war": 3}, True),
        ("ref:t-1", {}, True),
    ],
)
def test_comparisons(text: str, values: dict[str, Any], hit: bool) -> None:
    """Each operator means what the grammar says for each type of field."""
    assert matches(text, **values) is hit


def test_given_values() -> None:
    """`{}` stands for any of the values given, none of them reads as syntax, and no values match nothing."""
    query = parse("name={}", FIELDS, ['a" or war>0', "b"])
    assert query.matches(card(name='a" or war>0')) and not query.matches(card(name="a", war=9))
    assert parse("war<{}", FIELDS, [3]).matches(card(war=2))
    with pytest.raises(QueryError):
        parse("war<{}", FIELDS, ["3"])
    assert not parse("name={}", FIELDS, []).matches(card(name=""))
    assert parse("name={}", FIELDS).matches(card(name="{}"))


@every(
    "text, position, remedy",
    [
        ("wax>3", 0, "war"),
        ("war:x", 4, "number"),
        ("war:1,x", 6, "number"),
        ("war:1,", 6, "number"),
        ("war:" + "9" * 31, 4, "number"),
        ("war:1e999", 4, "number"),
        ("type:king", 5, "general, soldier, capitol"),
        ("pull:maybe", 5, "pull:true"),
        ("type>general", 0, "type:"),
        ("pull<true", 0, "pull:true"),
        ("war>none", 4, "war:none"),
        ("prices:3", 7, "prices:none"),
        ("name:***", 5, "name="),
        ("***", 0, "word"),
        (":3", 0, "field"),
        ("a or", 4, "word"),
        ("or a", 0, "word"),
        ("()", 1, "word"),
        ("(a", 0, ")"),
        ("a)", 1, "Remove"),
        ('"a', 0, '"'),
        ("a - b", 2, "-word"),
        ("--a", 0, "-word"),
        ("war:(1 or 2)", 4, "number"),
    ],
)
def test_refusals_point_at_the_character(text: str, position: int, remedy: str) -> None:
    """A query that cannot be read is refused with the position and what was possible there."""
    error = refused(text)
    assert error.position == position
    assert remedy in error.remedy


def test_bounds() -> None:
    """Length and nesting are bounded, and the deepest query allowed still runs."""
    assert "10,000" in refused("a " * MAX_LENGTH).reason
    assert str(MAX_NESTING) in refused("(" * (MAX_NESTING + 1) + "a" + ")" * (MAX_NESTING + 1)).reason
    deep = parse("-(war:1 or a " * MAX_NESTING + "b" + ")" * MAX_NESTING, FIELDS)
    assert isinstance(deep.matches(card()), bool) and deep.equal("war") is None


def test_narrowing() -> None:
    """`words` and `equal` say what every hit has in common, and nothing more."""
    query = parse('set:sample (type:general,soldier or type:capitol war:1) "Siege Ladder" -wall name:x', FIELDS)
    assert query.words() == {"ladder", "siege"}
    assert query.equal("set") == frozenset({"sample"})
    assert query.equal("type") == frozenset({"general", "soldier", "capitol"})
    assert parse("siege or siege ladder", FIELDS).words() == {"siege"}
    assert not parse("siege or war:1", FIELDS).words()
    assert parse("ref:T-1", FIELDS).equal("ref") is None
    assert parse("ref=T-1", FIELDS).equal("ref") == frozenset({"T-1"})
    assert parse("-ref=T-1", FIELDS).equal("ref") is None
    assert parse("type:general war:1 or war:2", FIELDS).equal("type") is None
    assert parse("type:general type:soldier", FIELDS).equal("type") == frozenset()
    assert parse("type:general,none", FIELDS).equal("type") is None


# A tree is a tuple, drawn beside its text, and judged by an evaluator that shares nothing with the parser.

_LEAVES: list[tuple[str, tuple[Any, ...]]] = [
    ("war>=2", ("war", lambda v: v >= 2)),
    ("war:1,3", ("war", lambda v: v in (1, 3))),
    ("war!=1", ("war", lambda v: v != 1)),
    ("war:none", ("none", "war")),
    ("type:general", ("type", lambda v: v == "general")),
    ("pull:false", ("pull", lambda v: v is False)),
    ("traits:reach", ("traits", lambda v: "reach" in v)),
    ("date<2012", ("date", lambda v: v < "2012")),
    ('name="Siege Ladder"', ("name", lambda v: v == "Siege Ladder")),
    ("ladder", ("word", "ladder")),
    ('"or"', ("word", "or")),
]
_TREES = st.recursive(
    st.sampled_from(_LEAVES),
    lambda inner: st.one_of(
        st.tuples(inner).map(lambda t: (f"-({t[0][0]})", ("not", t[0][1]))),
        st.lists(inner, min_size=2, max_size=3).map(
            lambda ts: (" ".join(f"({t[0]})" for t in ts), ("and", *(t[1] for t in ts)))
        ),
        st.lists(inner, min_size=2, max_size=3).map(
            lambda ts: (" or ".join(t[0] for t in ts), ("or", *(t[1] for t in ts)))
        ),
    ),
    max_leaves=12,
)
_CARDS = st.fixed_dictionaries(
    {"name": st.sampled_from(["Siege Ladder", "Ladders", "Or", "Spear"])},
    optional={
        "text": st.sampled_from(["a ladder or two", "nothing"]),
        "war": st.integers(0, 4),
        "type": st.sampled_from(["general", "soldier"]),
        "pull": st.booleans(),
        "traits": st.lists(st.sampled_from(["reach", "undead"])),
        "date": st.sampled_from(["2011-10-06", "2013"]),
    },
)


def naive(tree: tuple[Any, ...], values: dict[str, Any]) -> bool:
    kind, *rest = tree
    if kind == "not":
        return not naive(rest[0], values)
    if kind == "and":
        return all(naive(part, values) for part in rest)
    if kind == "or":
        return any(naive(part, values) for part in rest)
    if kind == "none":
        return rest[0] not in values
    if kind == "word":
        words = (values["name"] + " " + values.get("text", "")).lower().split()
        return any(word.startswith(rest[0]) for word in words)
    return kind in values and rest[0](values[kind])


@given(_TREES, _CARDS)
def test_matches_agrees_with_a_naive_evaluator(tree: tuple[str, tuple[Any, ...]], values: dict[str, Any]) -> None:
    """The predicate, that of the query as text again, and the narrowing agree with an evaluator over the tree."""
    query = parse(tree[0], FIELDS)
    again = parse(query.text, FIELDS)
    hit = naive(tree[1], values)
    assert query.matches(card(**values)) is hit
    assert again.matches(card(**values)) is hit and again.text == query.text
    if hit:
        _narrowing_keeps(query, values)


def _narrowing_keeps(query: Query, values: dict[str, Any]) -> None:
    words = (values["name"] + " " + values.get("text", "")).lower().split()
    assert all(any(word.startswith(wanted) for word in words) for wanted in query.words())
    kinds = query.equal("type")
    assert kinds is None or values.get("type") in kinds


@given(st.one_of(st.text(max_size=40), st.text('wartype:=<>!-()", 1orn\\', max_size=30)))
def test_parse_raises_nothing_else(text: str) -> None:
    """Whatever is typed, the answer is a query or a QueryError inside the text; a query reads back as itself."""
    try:
        query = parse(text, FIELDS)
    except QueryError as error:
        assert 0 <= error.position <= len(text)
        return
    query.matches(card(name="war", war=1))
    assert parse(query.text, FIELDS).text == query.text


@pytest.mark.full
@settings(max_examples=10_000, deadline=None)
@given(st.text('wartype:=<>!-()", 1orn\\', max_size=60))
def test_parse_raises_nothing_else_at_length(text: str) -> None:
    """The same over many more texts."""
    try:
        assert parse(text, FIELDS)
    except QueryError as error:
        assert 0 <= error.position <= len(text)


def test_and_joins_as_nothing_does() -> None:
    """`and` between two terms says what their neighbourhood says; in quotes it is a word, and so is it in front."""
    guild = {"name": "Salt", "type": "soldier", "war": 4}
    assert matches("type:soldier and war>=4", **guild) and not matches("type:soldier and war>=5", **guild)
    assert matches("war>=5 or type:soldier and war=4", **guild)
    assert not matches('type:soldier "and"', **guild)
    assert matches('type:soldier "and"', **{**guild, "name": "Hand and Foot"})
    assert not matches("and", **guild)
