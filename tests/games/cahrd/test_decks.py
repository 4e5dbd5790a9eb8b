"""C.A.H.R.D.: deck construction, the same for a question and for a deck that is read from a file."""

from __future__ import annotations

import csv
import io
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from carddb.cards.cards import Pool
from carddb.deck import Context, check
from carddb.findings import Severity
from carddb.read.cards.file import CardReading, read_cards
from carddb.read.decks.text import read_deck
from tests.games.cahrd.samples import GAME, SPEC, ask, card, cards, judged, main, violations
from tests.rows import every


@every("size, found", [(39, True), (40, False), (60, False), (61, True)])
def test_main_deck_size(size: int, found: bool) -> None:
    """C-32: a main deck has forty to sixty cards."""
    answer = ask("validate_deck", main=main(size=size), strategy=[])
    assert answer["violations"] == (["main_deck_size"] if found else []) and answer["main_count"] == size


@every("size, found", [(0, False), (1, False), (10, False), (11, True)])
def test_strategy_deck_size(size: int, found: bool) -> None:
    """C-37: a strategy deck has up to ten cards, or there is none."""
    answer = judged(strategy=cards("strategy", size))
    assert answer["violations"] == (["strategy_deck_size"] if found else []) and answer["strategy_count"] == size


def test_strategies_do_not_count_toward_the_main_deck() -> None:
    """C-38: sixty cards and ten strategies beside them are a legal deck."""
    answer = ask("validate_deck", main=main(size=60), strategy=cards("strategy", 10))
    assert answer["valid"] and (answer["main_count"], answer["strategy_count"]) == (60, 10)
    assert "main_deck_size" in ask("validate_deck", main=main(size=39), strategy=cards("strategy", 1))["violations"]


@pytest.mark.parametrize(
    ("kind", "most", "code"),
    [("officer", 1, "officer_copies"), ("item", 3, "item_copies"), ("tactic", 3, "tactic_copies")],
)
def test_copies(kind: str, most: int, code: str) -> None:
    """C-34, C-35, C-36, C-40: one copy of an officer, three of an item or a tactic, summed over lines and lists."""
    one = card(kind, "Own")
    assert violations([one, most]) == []
    assert violations([one, most + 1]) == [code]
    assert violations([one, most], [one, 1]) == [code]
    assert violations([one, most], strategy=[[one, 1]]) == sorted([code, "non_strategy_in_strategy_deck"])


def test_strategy_copies() -> None:
    """C-33, C-39, C-40: one copy of a strategy, the one that strayed into the main deck among them."""
    siege = card("strategy", "Siege")
    assert violations(strategy=[[siege, 1]]) == []
    assert violations(strategy=[[siege, 2]]) == ["strategy_copies"]
    assert violations([siege, 1], strategy=[[siege, 1]]) == ["strategy_copies", "strategy_in_main"]


@every(
    "name, same",
    [
        ("Ada Example", True),
        ("  ADA   example ", True),
        ("ada\texample", True),
        ("Ada-Example", False),
        ("Ada Example, aged", False),
        ("Ádá Example", False),
    ],
)
def test_the_same_card(name: str, same: bool) -> None:
    """C-40: cards are the same by name, whatever its case and spaces, and differ by any other sign."""
    found = violations([card("officer", "Ada Example"), 1], [card("officer", name), 1])
    assert found == (["officer_copies"] if same else [])


def test_the_same_card_is_of_one_type_whatever_its_picture() -> None:
    """C-40: another id, picture or text is the same card; another type under one name is another card."""
    assert violations([card("item", "Own", id="a-1"), 2], [card("item", "Own", id="b-1", effect="F"), 2]) == [
        "item_copies"
    ]
    assert violations([card("item", "Own"), 3], [card("tactic", "Own"), 3]) == []


@pytest.mark.parametrize(("officers", "found"), [(2, True), (3, False)])
def test_officer_minimum(officers: int, found: bool) -> None:
    """C-41: three officers in the main deck at least, those of the strategy deck not counted; or only a warning."""
    lines = [*cards("officer", officers), *cards("item", 40 - officers, 3)]
    answer = ask("validate_deck", main=lines, strategy=[])
    assert answer["violations"] == (["officer_minimum"] if found else [])
    elsewhere = ask("validate_deck", main=lines, strategy=cards("officer", 1, prefix="other "))
    assert ("officer_minimum" in elsewhere["violations"]) is found
    mild = ask("validate_deck", main=lines, strategy=[], options={"officer_minimum_is_warning": True})
    assert (mild["valid"], mild["warnings"]) == (True, ["officer_minimum"] if found else [])


def test_where_cards_belong() -> None:
    """C-33, C-37: strategies lie in the strategy deck and nothing else does; misplaced cards count where they lie."""
    assert violations([card("strategy", "Siege"), 1]) == ["strategy_in_main"]
    for kind in ("officer", "item", "tactic"):
        assert violations(strategy=[[card(kind, "Own"), 1]]) == ["non_strategy_in_strategy_deck"]
    full = judged(strategy=[*cards("strategy", 10), [card("item", "Own"), 1]])
    assert full["violations"] == ["non_strategy_in_strategy_deck", "strategy_deck_size"]
    short = ask("validate_deck", main=[*main(size=39), [card("strategy", "Siege"), 1]], strategy=[])
    assert short["violations"] == ["strategy_in_main"] and short["main_count"] == 40


@every("count", [0, -1, 1.0, "2", True, None, [1], {}])
def test_bad_count(count: Any) -> None:
    """C-42: an entry whose count is no whole number of at least 1 adds nothing to any total."""
    found = judged([card("officer", "Own"), count], [card("officer", "Own"), 1])
    assert found["violations"] == ["bad_count"] and found["main_count"] == 40


def test_a_huge_count_is_a_count() -> None:
    """C-42: there is no largest count, only decks that are too large."""
    found = ask("validate_deck", main=[[card("tactic", "Own"), 10**30]], strategy=[])
    assert found["main_count"] == 10**30 and "tactic_copies" in found["violations"]


def test_card_codes_of_a_deck() -> None:
    """C-5, C-21, C-42: every code of a listed card is one of the deck, once, also of entries that add nothing."""
    costly = card("tactic", "Costly", reserve_cost=1000)
    assert violations([costly, 1], [{**costly, "name": "Other"}, 1]) == ["tactic_has_cost"]
    assert violations([card("strategy", "Siege", effect=""), 0]) == ["bad_count", "effect_missing", "strategy_in_main"]
    assert judged([card("hero", "Own"), 1])["violations"] == ["unknown_card_type"]
    assert violations(strategy=[[card("hero", "Own"), 1]]) == ["unknown_card_type"]


def test_printed_s_in_a_deck() -> None:
    """C-13: the option that lets a printed stat be S holds in decks too."""
    legend = [card("officer", "Legend", war="S"), 1]
    assert violations(legend) == ["officer_stat_range"]
    assert violations(legend, options={"allow_printed_s": True}) == []


def test_match_formats_share_the_deck_rules() -> None:
    """C-148: battle and war have the same deck rules, and battle is the default."""
    matches: tuple[dict[str, Any], ...] = ({}, {"match": "battle"}, {"match": "war"})
    for match in matches:
        assert violations(**match) == []
        assert violations([card("officer", "Own"), 2], **match) == ["officer_copies"]
    assert (SPEC.default_format, list(SPEC.formats)) == ("battle", ["battle", "war"])


# A deck read from a file


def pool_of(entries: list[list[Any]], folder: Path) -> Pool:
    """The cards of a deck, loaded from a spreadsheet."""
    cards_ = {(one["type"], one["name"]): one for one, _ in entries}.values()
    columns = list(dict.fromkeys(key for one in cards_ for key in one))
    out = io.StringIO()
    writer = csv.DictWriter(out, columns)
    writer.writeheader()
    writer.writerows(cards_)
    path = folder / "cards.csv"
    path.write_text(out.getvalue(), "utf-8")
    read = read_cards(path, CardReading(SPEC, "test", folder))
    assert [finding for finding in read.findings if finding.severity is Severity.ERROR] == []
    return Pool(SPEC.card(record.ref, record.values) for record in read.records)


def codes_of_file(sections: dict[str, list[list[Any]]], folder: Path, options: dict[str, Any]) -> dict[str, list[str]]:
    """The codes by severity that a deck file has, read and checked as `carddb check` does it."""
    pool = pool_of([entry for lines in sections.values() for entry in lines], folder)
    text = "".join(
        f"## {SPEC.sections[key].label}\n" + "".join(f"{count} {one['name']}\n" for one, count in lines)
        for key, lines in sections.items()
    )
    deck, findings = read_deck(text, SPEC, pool, "own.deck")
    findings += check(deck, SPEC, pool, Context(date(2026, 6, 20), options=options), GAME.checks)
    return {
        severity: sorted({finding.code for finding in findings if finding.severity == severity})
        for severity in ("error", "warning")
    }


FILES: list[tuple[dict[str, list[list[Any]]], dict[str, Any]]] = [
    ({"main": main(), "strategy": cards("strategy", 3)}, {}),
    ({"main": main(size=39), "strategy": []}, {}),
    ({"main": main([card("officer", "Own"), 2], [card("item", "Thing"), 4], [card("tactic", "Trick"), 4])}, {}),
    ({"main": main([card("strategy", "Siege"), 1]), "strategy": [[card("item", "Thing"), 12]]}, {}),
    ({"main": cards("item", 42, 3), "strategy": cards("strategy", 1)}, {}),
    ({"main": cards("item", 42, 3), "strategy": cards("strategy", 1)}, {"officer_minimum_is_warning": True}),
    ({"main": main([card("officer", "Plain", trait=None), 1], [card("item", "Odd", reserve_cost=1500), 1])}, {}),
    ({"main": main(), "strategy": [[card("strategy", "Siege"), 2]]}, {}),
]


@pytest.mark.parametrize(("sections", "options"), FILES, ids=range(len(FILES)))
def test_a_deck_file_has_the_codes_of_the_question(
    sections: dict[str, list[list[Any]]], options: dict[str, Any], tmp_path: Path
) -> None:
    """C-32 to C-42: the referee and the check of a file find the same in the same deck."""
    asked = ask("validate_deck", **{"strategy": [], **sections}, options=options)
    found = codes_of_file(sections, tmp_path, options)
    assert (found["error"], found["warning"]) == (asked["violations"], asked["warnings"])


def test_findings_beside_the_codes() -> None:
    """C-35: beside its codes an answer has findings with numbers, cards and remedies."""
    (finding,) = judged([card("item", "Thing"), 5])["findings"]
    assert finding["code"] == "item_copies" and finding["data"] == {"count": 5, "limit": 3}
    assert finding["cards"][0]["name"] == "Thing" and finding["fixes"][0]["remove"][0]["count"] == 2
