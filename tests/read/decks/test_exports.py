"""Decks in the formats of other programs, both ways."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from carddb.cards.cards import Deck, Entry, Pool
from carddb.findings import Finding, Severity
from carddb.game.game import GameSpec
from carddb.games import folders
from carddb.press.shops.tabletop import HIDDEN, FaceSheet, saved_object
from carddb.read.decks.builder import default_section
from carddb.read.decks.programs import WRITERS, export_deck, note_of, piles_of, remarks
from carddb.read.decks.text import read_deck
from tests.read.decks.pasted_lists import bundled
from tests.read.decks.test_text import POOL, SPEC, decks
from tests.rows import every, usually

KINDS = [*sorted(WRITERS), "tts.json"]


SAID = {"card_unknown", "card_ambiguous", "line_repeated", "control_character"}
"""What a reader may say of any names."""


def reads_back(deck: Deck, pool: Pool, spec: GameSpec, kind: str) -> None:
    """A deck is written, read as the same deck, and written again as the same text."""
    text = written(deck, spec, kind)
    again, findings = read_deck(text, spec, pool, "deck.json" if kind == "json-slots" else f"deck.{kind}")
    assert {item.code for item in findings} <= SAID, findings
    assert (again.tally(), again.headers, again.fingerprint()) == (deck.tally(), deck.headers, deck.fingerprint())
    assert written(again, spec, kind) == text


def for_kind(deck: Deck, spec: GameSpec, kind: str) -> Deck:
    """The deck, with fewer copies where each copy is written by itself, and in the sections that slots can hold."""
    if kind == "json-slots":
        return replace(deck, entries=tuple(replace(e, section=default_section(e.card, spec)) for e in deck.entries))
    if kind != "tts.json":
        return deck
    return replace(deck, entries=tuple(replace(entry, count=entry.count % 9 + 1) for entry in deck.entries))


def written(deck: Deck, spec: GameSpec, kind: str) -> str:
    """The text of a file of a kind; a saved object without its pictures."""
    if kind != "tts.json":
        return export_deck(deck, spec, kind)[0]
    piles = piles_of(deck, spec)
    cards = list({card.ref: card for pile in piles.values() for card, _ in pile}.values())
    sheets = [
        FaceSheet(at, tuple(cards[start : start + HIDDEN]), 0, f"faces-{at}.png", "back.png")
        for at, start in enumerate(range(0, len(cards), HIDDEN), 1)
    ]
    return json.dumps(saved_object("A: deck", piles, sheets, note=note_of(deck, spec)), ensure_ascii=False)


@usually("kind", KINDS)
@settings(max_examples=25, deadline=None)
@given(st.data())
def test_every_format_reads_back(kind: str, data: st.DataObject) -> None:
    """Reading a written file gives the same deck in every format, for any names, references and headers."""
    deck, pool = data.draw(decks())
    reads_back(for_kind(deck, SPEC, kind), pool, SPEC, kind)


UNKNOWN = ["Nobody & <Sons>", 'A "Quoted" One', "=SUM(A1)", "Zzyzx; Road"]


@st.composite
def game_decks(draw: st.DrawFn, key: str) -> Deck:
    spec, pool = bundled(key)
    names = st.sampled_from([*pool])
    sections = st.sampled_from([*spec.sections])
    cards = draw(st.lists(st.tuples(sections, st.integers(1, 1200), names), min_size=1, max_size=12))
    entries = [Entry(section, count, card.name, card) for section, count, card in cards]
    unknown = draw(
        st.lists(st.sampled_from(["Nobody & <Sons>", 'A "Quoted" One', "=SUM(A1)", "Zzyzx; Road"]), max_size=2)
    )
    entries += [Entry(draw(sections), 2, name) for name in unknown]
    return Deck(key, tuple(entries), {"name": draw(st.sampled_from(["A, B", "<x> & y", '"q"', "Plain"]))})


@cache
def keys() -> list[str]:
    return sorted(folders())


@pytest.mark.parametrize("kind", KINDS)
@usually("key", keys(), "empires-and-generals")
@settings(max_examples=8, deadline=None)
@given(data=st.data())
def test_decks_of_every_game_read_back(key: str, kind: str, data: st.DataObject) -> None:
    """Random decks of every bundled game come back whole, unknown cards and large counts too."""
    spec, pool = bundled(key)
    reads_back(for_kind(data.draw(game_decks(key)), spec, kind), pool, spec, kind)


def remarks_of(deck: Deck, kind: str) -> list[Finding]:
    """What a program will not know of a deck."""
    return list(remarks(deck, kind))


@pytest.mark.parametrize("kind", ["cod", "o8d", "tts.json"])
def test_a_card_that_other_programs_do_not_know_is_named(kind: str) -> None:
    """A card that the game does not know is written by its name, and named."""
    deck, _ = read_deck("2 Lonbow\n1 Longbow\n", SPEC, POOL)
    (found,) = remarks_of(deck, kind)
    assert (found.code, found.severity) == ("card_by_name_only", Severity.WARNING)
    assert [card.name for card in found.cards] == ["Lonbow"]
    assert "Lonbow" in written(deck, SPEC, kind)


def test_cards_of_one_name_are_named() -> None:
    """Two cards of one name, which Cockatrice takes for one, are named; carddb tells them apart again."""
    deck, _ = read_deck("1 Twin [T-005]\n1 Twin [ANT-14]\n", SPEC, POOL)
    (found,) = remarks_of(deck, "cod")
    assert (found.code, [card.ref for card in found.cards]) == ("name_not_unique", ["T-005", "ANT-14"])
    assert remarks_of(deck, "o8d") == []


COCKATRICE = """<?xml version="1.0" encoding="UTF-8"?>
<cockatrice_deck version="1">
    <lastLoadedTimestamp>x</lastLoadedTimestamp>
    <deckname>River</deckname>
    <comments>Player: Anna
a remark</comments>
    <bannerCard providerId="">Longbow</bannerCard>
    <zone name="main">
        <card number="3" name="Longbow"/>
        <card name="Old Guard" setShortName="s" collectorNumber="002" uuid=""/>
        <card number="many" name="Grain"/>
    </zone>
    <zone name="side"><card number="2" name="Grain"/></zone>
    <zone name="tokens"><card number="1" name="Flood"/></zone>
</cockatrice_deck>
"""


def test_a_deck_that_cockatrice_wrote() -> None:
    """Main deck and sideboard are the first two sections; a bad count, a missing one and a strange zone are said."""
    deck, findings = read_deck(COCKATRICE, SPEC, POOL)
    assert deck.headers == {"name": "River", "player": "Anna"}
    assert [(entry.section, entry.count, entry.ref) for entry in deck.entries] == [
        ("playing", 3, "T-001"),
        ("playing", 1, "T-002"),
        ("resource", 2, "T-003"),
        ("resource", 1, "T-004"),
    ]
    assert [(item.code, item.where[0].line) for item in findings] == [
        ("bad_count", 11),
        ("section_unknown", 14),
        ("count_assumed", 10),
    ]


def test_a_deck_that_octgn_wrote() -> None:
    """Sections are found by name, cards by name where the id is another program's."""
    text = """<?xml version="1.0" encoding="utf-8" standalone="yes"?>
<deck game="a6c8d2e8-7cd8-11dd-8f94-e62b56d89593">
  <section name="Main" shared="False">
    <card qty="3" id="d40f1fae-3f7d-4a7c-9c59-0a8d2f0c1c11">Longbow</card>
  </section>
  <section name="Resource" shared="False"><card qty="1" id="no">Grain</card></section>
  <notes><![CDATA[Name: River]]></notes>
</deck>"""
    deck, findings = read_deck(text, SPEC, POOL)
    assert findings == []
    assert deck.tally() == {("playing", "T-001"): 3, ("resource", "T-003"): 1}
    assert deck.name == "River"


def test_a_deck_that_magic_online_wrote() -> None:
    """The `.dek` of Magic Online is read, sideboard and all."""
    text = """<?xml version="1.0" encoding="utf-8"?>
<Deck><NetDeckID>0</NetDeckID>
<Cards CatID="1" Quantity="4" Sideboard="false" Name="Longbow" Annotation="0" />
<Cards CatID="2" Quantity="1" Sideboard="true" Name="Grain" Annotation="0" />
</Deck>"""
    deck, findings = read_deck(text, SPEC, POOL, "x.dek")
    assert (deck.tally(), findings) == ({("playing", "T-001"): 4, ("resource", "T-003"): 1}, [])


def test_a_saved_object_of_another_maker() -> None:
    """Cards are found by name in decks, bags and alone; a deck's name gives a section; foreign notes are left."""
    cards = [{"Name": "Card", "Nickname": name, "GMNotes": '{"id": "7"}'} for name in ("Longbow", "Longbow", "Lonbow")]
    side = {"Name": "Deck", "Nickname": "Mine: Resource", "ContainedObjects": [{"Name": "Card", "Nickname": "Grain"}]}
    bag = {"Name": "Bag", "Nickname": "Box", "ContainedObjects": [{"Name": "Deck", "ContainedObjects": cards}, side]}
    alone = {"Name": "CardCustom", "Nickname": "Flood"}
    value = {"ObjectStates": [bag, alone, 7, {"Name": "Die_6"}], "Note": "Bring dice!", "SaveName": ""}
    deck, findings = read_deck(json.dumps(value), SPEC, POOL, "x.json")
    assert [(entry.section, entry.count, entry.name) for entry in deck.entries] == [
        ("playing", 2, "Longbow"), ("playing", 1, "Lonbow"), ("resource", 1, "Grain"), ("resource", 1, "Flood"),
    ]  # fmt: skip
    assert [(item.code, item.where[0].line > 0) for item in findings] == [("card_unknown", True)]


_LAUGHS = "".join(f'<!ENTITY l{n} "&l{n - 1};&l{n - 1};">' for n in range(1, 30))


@every(
    "text, code",
    [
        (f'<?xml version="1.0"?><!DOCTYPE d [{_LAUGHS}]><deck>&l29;</deck>', "document_syntax"),
        ('<!DOCTYPE d SYSTEM "file:///etc/passwd"><deck/>', "document_syntax"),
        ("<deck>" * 5_000, "nesting_too_deep"),
        ("<deck>" + "<section/>" * 30_000 + "</deck>", "file_too_large"),
        ("<deck>&nothing;</deck>", "document_syntax"),
        ('<cockatrice_deck a="1" a="2"/>', "document_syntax"),
        ("<cockatrice_deck", "document_syntax"),
        ("<deck>\x00</deck>", "document_syntax"),
        ("<deck>\ud800</deck", "document_syntax"),
        ("<!DOCTYPE html><html></html>", "document_syntax"),
        ('<?xml version="1.0"?><html/>', "document_invalid"),
        ('<?xml version="1.0" encoding="utf-99"?><deck', "document_syntax"),
    ],
)
def test_hostile_xml_is_one_finding(text: str, code: str) -> None:
    """Entities, document types, deep nesting and broken documents give one finding and no cards.

    A character that steers a terminal is told besides.
    """
    deck, findings = read_deck(text, SPEC, POOL)
    assert [item.code for item in findings if item.code != "control_character"] == [code]
    assert deck.entries == ()


@pytest.mark.full
def test_huge_attributes_are_bounded() -> None:
    """A name of a megabyte is an unknown card, shown short."""
    deck, findings = read_deck(
        f'<cockatrice_deck><zone name="main"><card name="{"x" * 900_000}"/></zone></cockatrice_deck>', SPEC, POOL
    )
    assert len(deck.entries) == 1
    assert all(len(item.message) < 400 for item in findings)


def test_what_a_declaration_says_of_the_encoding_does_not_matter() -> None:
    """A text is decoded before it is parsed, so that a wrong declaration is no fault."""
    text = '\n<?xml version="1.0" encoding="ISO-8859-1"?>\n<cockatrice_deck><zone name="main">'
    text += '<card number="1" name="Élan"/></zone></cockatrice_deck>'
    deck, findings = read_deck(text, SPEC, POOL)
    assert [entry.ref for entry in deck.entries] == ["N-19"]
    assert findings == []


def test_a_table_with_other_columns() -> None:
    """Columns that are not known are passed over; sections and sets are taken."""
    text = (
        "Quantity;Card Name;Rarity;Edition;Zone\n3;Longbow;common;s;Main\n2;Grain;;;Resource\n1;Twin;;Antiquity;Main\n"
    )
    deck, findings = read_deck(text, SPEC, POOL)
    assert findings == []
    assert deck.tally() == {("playing", "T-001"): 3, ("resource", "T-003"): 2, ("playing", "ANT-14"): 1}


def test_a_count_in_a_table_that_is_none() -> None:
    """A count that is no number is a bad count, an empty one is one copy."""
    deck, findings = read_deck("Name,Count\nLongbow,many\nGrain,\n", SPEC, POOL)
    assert [item.code for item in findings] == ["bad_count", "count_assumed"]
    assert deck.tally() == {("resource", "T-003"): 1}
