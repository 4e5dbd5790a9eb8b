"""The lists that NetrunnerDB and arkham.build export: five forms of text, and JSON with counts by reference."""

from __future__ import annotations

import json

from carddb.cards.cards import Card, Pool
from carddb.findings import Severity
from carddb.game.game import GameSpec
from carddb.game.parts import TypeSpec
from carddb.game.rule_parts import SectionSpec
from carddb.read.decks.programs import export_deck
from carddb.read.decks.text import read_deck
from tests.rows import every

SPEC = GameSpec(
    key="net", prefix="n", name="Net",
    types={"identity": TypeSpec(), "event": TypeSpec(), "program": TypeSpec()},
    sections={
        "identity": SectionSpec(types=("identity",)),
        "deck": SectionSpec(types=("event", "program")),
        "extra": SectionSpec(types=("event", "program"), aliases=("sideboard",), counted=False),
    },
)  # fmt: skip


def card(ref: str, name: str, kind: str, keywords: str = "") -> Card:
    return SPEC.card(ref, {"name": name, "type": kind, "set": "First Light", "keywords": keywords}, ())


POOL = Pool(
    [
        card("01001", "Moth: Quiet Hand", "identity"),
        card("01003", "Break the Wall", "event"),
        card("01050", "Sure Thing", "event"),
        card("01007", "Rust", "program", "Icebreaker - Fracter"),
    ]
)
URL = "https://netrunnerdb.com/en/card"
BBCODE = f"""[b]Wheel: Moth[/b]

[url={URL}/01001]Moth: Quiet Hand[/url] (First Light)

[b]Event (5)[/b]
2x [url={URL}/01003]Break the Wall[/url] [i](First Light)[/i]\x20
3x [url={URL}/01050]Sure Thing[/url] [i](First Light)[/i] [color=#ff4500]•• •[/color]

[b]Icebreaker (2)[/b]
2x [url={URL}/01007]Rust[/url] [i](First Light)[/i]\x20
3 influence spent (max 15, available 12)
7 cards (min 45)
Cards up to First Light

Decklist [url={URL}/x]published on NetrunnerDB[/url].
"""
MARKDOWN = f"""## "Wheel: Moth"

[Moth: Quiet Hand]({URL}/01001) _(First Light)_

###Event (5)
* 2x [Break the Wall]({URL}/01003) _(First Light)_\x20
* 3x [Sure Thing]({URL}/01050) _(First Light)_ •• •

###Icebreaker (2)
* 2x [Rust]({URL}/01007) _(First Light)_\x20

3 influence spent (max 15, available 12)\x20\x20
7 cards (min 45)\x20\x20
Cards up to First Light\x20\x20

Deck built on [NetrunnerDB](https://netrunnerdb.com).
"""
PLAIN = """Wheel of Moth

Moth: Quiet Hand

Event (5)
2x Break the Wall
3x Sure Thing  •• •

Icebreaker (2)
2x Rust

3 influence spent (max 15-1★=14, available 11)
7 cards (min 45)
Cards up to First Light

Deck built on https://netrunnerdb.com.
"""
BY_SET = """Wheel of Moth

Moth: Quiet Hand

First Light (7)
2x Break the Wall
3x Sure Thing  •• •
2x Rust

7 cards (min 45)
Cards up to First Light

Deck built on https://netrunnerdb.com.
"""
JINTEKI = "1 Moth: Quiet Hand\n2 Break the Wall\n3 Sure Thing\n2 Rust\n"
SLOTS = {"01001": 1, "01003": 2, "01050": 3, "01007": 2}
FORMS = {
    "bbcode": BBCODE,
    "markdown": MARKDOWN,
    "markdown unquoted": MARKDOWN.replace('"', ""),
    "plain": PLAIN,
    "by set": BY_SET,
    "jinteki": JINTEKI,
    "database": json.dumps({"data": [{"id": 7, "name": "Wheel of Moth", "cards": SLOTS}], "total": 1}),
    "database 3": json.dumps({"data": {"id": "7", "attributes": {"name": "Wheel of Moth", "card_slots": SLOTS}}}),
    "arkham": json.dumps({"name": "Wheel of Moth", "slots": SLOTS, "sideSlots": [], "meta": "{}", "xp": None}),
    "leader": json.dumps({"investigator_code": "01001", "slots": {ref: SLOTS[ref] for ref in [*SLOTS][1:]}}),
}
TALLY = {
    ("identity", "01001"): 1,
    ("deck", "01003"): 2,
    ("deck", "01050"): 3,
    ("deck", "01007"): 2,
}


@every("form", FORMS)
def test_a_list_of_another_site_is_read_as_meant(form: str) -> None:
    """Each form gives the same cards in the same sections, the title as the name, and no error."""
    deck, findings = read_deck(FORMS[form], SPEC, POOL)
    assert deck.tally() == TALLY
    assert [item for item in findings if item.severity is Severity.ERROR] == []
    assert deck.name.startswith("Wheel") == (form not in ("jinteki", "leader"))


def test_an_unknown_heading_is_told_still() -> None:
    """A heading that is neither a section, a type, a set nor a value of a card's field remains an error."""
    codes = {item.code for item in read_deck("Gremlins (2)\n2 Rust\n", SPEC, POOL)[1]}
    assert codes == {"section_unknown"}
    codes = {item.code for item in read_deck("## Sideborad\n2 Rust\n", SPEC, POOL)[1]}
    assert codes == {"section_unknown"}


def test_slots_are_written_as_they_are_read() -> None:
    """A deck written as slots reads back as the same deck, sideboard, unknown cards and header included."""
    text = "Name: Moth\n## Identity\n1 Moth: Quiet Hand\n## Deck\n2 Rust\n3 Nobody\n## Sideboard\n1 Rust\n"
    deck, _ = read_deck(text.replace("3 Nobody\n", ""), SPEC, POOL)
    written, remarks = export_deck(deck, SPEC, "json-slots")
    assert json.loads(written)["slots"] == {"01001": 1, "01007": 2} and remarks == []
    again, findings = read_deck(written, SPEC, POOL)
    assert (again.fingerprint(), again.name, findings) == (deck.fingerprint(), "Moth", [])
    unknown, _ = read_deck(export_deck(read_deck(text, SPEC, POOL)[0], SPEC, "json-slots")[0], SPEC, POOL)
    assert [entry.name for entry in unknown.entries if entry.card is None] == ["Nobody"]


def test_sections_that_slots_cannot_hold_are_told() -> None:
    """A card outside the section of its type is named when a deck is written as slots."""
    deck, _ = read_deck("## Identity\n1 Rust\n", SPEC, POOL)
    _, remarks = export_deck(deck, SPEC, "json-slots")
    assert [item.code for item in remarks] == ["sections_not_kept"] and "Rust" in remarks[0].message


def test_slots_that_are_no_counts_are_told() -> None:
    """A count that is no number, and the keys that are no part of a deck, are findings with a place."""
    text = '{"name": "Moth",\n "tags": "fun",\n "slots": {"01007": "2",\n "01003": 1, "99999": 2}}'
    _, findings = read_deck(text, SPEC, POOL)
    found = {item.code: item.where[0].line for item in findings}
    assert found == {"text_passed_over": 1, "bad_count": 3, "card_unknown": 4}
