"""Finding cards: every hit, no invented data by accident, always in the same order."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carddb.cards.cards import ReadCard
from carddb.cards.query import parse
from carddb.catalog.store import Catalog
from carddb.findings import Place
from carddb.game.frozen import replaced
from carddb.game.parts import FieldSpec, TypeSpec
from tests.catalog.samples import DAY, NOW, SPEC, load, new_catalog, opened, refs_of, row

LATER = date(2026, 7, 1)


def test_cards_are_complete(tmp_path: Path) -> None:
    """A card has what was given and the defaults of its type; an export has what was given."""
    with opened(new_catalog(tmp_path / "c.db", row("A", "Ann", war=3))) as catalog:
        (card,) = catalog.search(SPEC, day=DAY)
        given = {"name": "Ann", "type": "unit", "set": "base", "war": 3}
        assert card.game == "test" and card.values == {**given, "pull": True}
        assert catalog.given(SPEC, day=DAY) == [("A", given)]
        assert catalog.card(SPEC, "A", day=DAY) == card and catalog.card(SPEC, "a", day=DAY) is None


def test_order(tmp_path: Path) -> None:
    """Cards come by set, then by reference, numbers by their size."""
    refs = ["EG-10", "EG-9", "EG-009", "eg-2", "X", "9" * 5000]
    path = new_catalog(tmp_path / "c.db", *(row(ref) for ref in refs), row("A", set="base 10"), row("B", set="base 2"))
    with opened(path) as catalog:
        assert refs_of(catalog, "") == ["9" * 5000, "eg-2", "EG-009", "EG-9", "EG-10", "X", "B", "A"]
        assert list(catalog.sets("test", day=DAY)) == ["base", "base 2", "base 10"]


@pytest.mark.parametrize(
    ("query", "hits"),
    [
        ("siege", ["A"]),
        ("sieg lad", ["A"]),
        ("SIÈGE", ["A"]),
        ("wall", ["A", "B"]),
        ("-wall", ["C"]),
        ("siege or other", ["A", "C"]),
        ('"the wall"', ["B"]),
        ("ref:A,C", ["A", "C"]),
        ("type:place", ["C"]),
        ("set:more", ["C"]),
        ('name="Wall"', ["B"]),
        ("war>=3", ["A"]),
        ("edge", ["B"]),
        ("ædge aedg", ["B"]),
    ],
)
def test_queries(tmp_path: Path, query: str, hits: list[str]) -> None:
    """Words, fields and their mixtures find what they say."""
    rows = [
        row("A", "Siege Ladder", text="Up the Great Wall.", war=3),
        row("B", "Wall", text="The wall's (ædge) EDGE"),
        row("C", "Other", set="more", type="place"),
    ]
    with opened(new_catalog(tmp_path / "c.db", *rows)) as catalog:
        assert sorted(refs_of(catalog, query)) == hits


WORDS = st.sampled_from(
    ["the", "Wall", "wal", "Ærø", "straße", "o'er", "x-y", "3/4", "naïve", "織田信長", "ⅷ", "q_r", "é"]
)
TEXTS = st.lists(WORDS, min_size=1, max_size=4).map(" ".join)
CARDS = st.fixed_dictionaries(
    {"name": TEXTS, "set": st.sampled_from(["base", "more", "sample"]), "type": st.sampled_from(["unit", "place"])},
    optional={"text": TEXTS, "war": st.integers(0, 3)},
)
TERMS = (
    WORDS
    | st.sampled_from(["set:more", "set:sample", "type:unit", "war>1", "ref:C-1,C-2", '"the wall"'])
    | st.sampled_from(['name="Wall"', 'name="straße x-y",ⅷ,"織田信長"', "name=none", 'name="!"'])
)
QUERIES = st.recursive(
    TERMS,
    lambda inner: (
        st.builds("({} {})".format, inner, inner)
        | st.builds("({} or {})".format, inner, inner)
        | inner.map("-{}".format).filter(lambda text: not text.startswith("--"))
    ),
    max_leaves=4,
)


@given(st.lists(st.lists(CARDS, max_size=4), min_size=1, max_size=3), QUERIES)
def test_narrowing_loses_nothing(tmp_path_factory: pytest.TempPathFactory, loads: list[Any], query: str) -> None:
    """Whatever is asked, of whatever day, the search finds what the predicate finds among all cards."""
    wanted = parse(query, SPEC.all_fields())
    with Catalog.create(tmp_path_factory.mktemp("c") / "c.db") as catalog:
        for month, cards in enumerate(loads, 1):
            rows = [ReadCard(f"C-{number}", values, Place()) for number, values in enumerate(cards)]
            load(catalog, rows, date(2026, month, 1), prune=True, sets={"base", "more", "sample"})
        for day in (date(2025, 1, 1), date(2026, 1, 1), date(2026, 2, 1), date(2026, 9, 1)):
            everything = catalog.search(SPEC, day=day, with_sample=True)
            expected = [card.ref for card in everything if wanted.matches(card)]
            assert refs_of(catalog, query, day, with_sample=True) == expected


def test_samples_stand_back(tmp_path: Path) -> None:
    """Sample cards are there until the game has others, and then where they are named."""
    with opened(new_catalog(tmp_path / "c.db", row("S", set="sample"))) as catalog:
        assert refs_of(catalog, "") == ["S"]
        load(catalog, [row("A")], LATER)
        assert refs_of(catalog, "") == refs_of(catalog, "card") == ["A"]
        assert refs_of(catalog, "set:sample") == ["S"] and refs_of(catalog, "set:sample,base") == ["A", "S"]
        assert refs_of(catalog, "", with_sample=True) == ["A", "S"]
        assert catalog.card(SPEC, "S", day=DAY) and catalog.sets("test", day=DAY) == {"base": 1, "sample": 1}


def test_samples_do_not_come_back(tmp_path: Path) -> None:
    """Sample cards stay back where all cards of one's own are retired."""
    with opened(new_catalog(tmp_path / "c.db", row("S", set="sample"), row("A"))) as catalog:
        load(catalog, [], prune=True)
        assert refs_of(catalog, "") == []


def test_samples_of_another_game(tmp_path: Path) -> None:
    """The cards of one game leave the samples of another alone."""
    other = replaced(SPEC, key="other")
    with opened(new_catalog(tmp_path / "c.db", row("S", set="sample"))) as catalog:
        catalog.load(other, [row("A")], day=DAY, sets=(), author="", source="", recorded_at=NOW)
        assert refs_of(catalog, "") == ["S"] and catalog.games() == ["other", "test"]


def test_former_names(tmp_path: Path) -> None:
    """A renamed card answers to every name it had up to the day, and to none it gets later."""
    with opened(new_catalog(tmp_path / "c.db", row("A", "Ann"), row("B", "Bea"))) as catalog:
        load(catalog, [row("A", "Anna")], LATER)
        load(catalog, [row("A", "Annie")], date(2026, 8, 1))
        load(catalog, [row("A", "Ann")], date(2026, 9, 1))
        months = (6, 7, 8, 9)
        pools = [catalog.pool(SPEC, day=date(2026, month, 1)) for month in months]
        aliases = [card.aliases for pool in pools if (card := pool.get("A"))]
        assert aliases == [(), ("Ann",), ("Ann", "Anna"), ("Anna", "Annie")]
        assert [card.ref for card in pools[2].formerly("ann")] == ["A"]
        card = catalog.card(SPEC, "A", day=date(2026, 8, 1))
        assert card and card.aliases == ("Ann", "Anna")


def test_words_that_the_game_gives(tmp_path: Path) -> None:
    """A text that stands in game.yaml and not on the card is found too."""
    spec = replaced(SPEC, types={"unit": TypeSpec(fields={"text": FieldSpec(default="Flies.")}), "place": TypeSpec()})
    with opened(new_catalog(tmp_path / "c.db", row("A"))) as catalog:
        assert len(catalog.search(spec, parse("flies", spec.all_fields()), day=DAY)) == 1


def test_many_words_and_values(tmp_path: Path) -> None:
    """A query as long as queries may be is answered."""
    with opened(new_catalog(tmp_path / "c.db", row("A", "Ann"))) as catalog:
        assert refs_of(catalog, "ann " * 2000) == ["A"]
        assert refs_of(catalog, " ".join(f"w{n}" for n in range(1500))) == []
        assert refs_of(catalog, "ref:A," + ",".join(f"R{n}" for n in range(1500))) == ["A"]


def test_revision_hash(tmp_path: Path) -> None:
    """The hash follows what the cards say on the day, and nothing else."""
    one, two = new_catalog(tmp_path / "1.db", row("A"), row("B")), new_catalog(tmp_path / "2.db", row("B"))
    with opened(one) as first, opened(two) as second:
        before = first.revision_hash("test", DAY)
        assert len(before) == 10 and second.revision_hash("test", DAY) != before
        load(second, [row("S", set="sample"), row("A")], author="Bob", source="d.csv")
        assert second.revision_hash("test", DAY) == before
        load(first, [row("A", "Anna")], LATER)
        assert first.revision_hash("test", DAY) == before != first.revision_hash("test", LATER)
        assert first.revision_hash("none", DAY) == second.revision_hash("none", LATER)


def test_another_game(tmp_path: Path) -> None:
    """A game without cards has none, and its answers are empty."""
    other = replaced(SPEC, key="other")
    with opened(new_catalog(tmp_path / "c.db", row("A"))) as catalog:
        assert len(catalog.pool(other, day=DAY)) == 0 and catalog.history("other", "A") == []
        assert catalog.sets("other", day=DAY) == {} and catalog.card(other, "A", day=DAY) is None
