"""The text deck format, both ways."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from carddb.cards.cards import Card, Deck, Entry, Pool
from carddb.core.errors import InputError
from carddb.core.plain_text import without_controls
from carddb.findings import Finding, Severity
from carddb.game.game import GameSpec
from carddb.game.parts import TypeSpec
from carddb.game.rule_parts import SectionSpec
from carddb.read.decks.text import load_deck, read_deck
from carddb.read.decks.writer import write_deck
from carddb.read.source import decode
from tests.rows import every

SPEC = GameSpec(
    key="trial",
    prefix="tr",
    name="The Trial",
    types={
        "soldier": TypeSpec(plural="Soldiers", aliases=("trooper",)),
        "act_of_god": TypeSpec(plural="Acts of God"),
        "resource": TypeSpec(),
    },
    sections={
        "playing": SectionSpec(label="Playing deck", types=("soldier",), aliases=("deck", "main")),
        "resource": SectionSpec(types=("resource", "act_of_god")),
    },
    header={"editions": "editions", "base-bonus": "base_bonus"},
)


def card(ref: str, name: str, kind: str = "soldier", *, home: str = "s", aliases: tuple[str, ...] = ()) -> Card:
    return SPEC.card(ref, {"name": name, "type": kind, "set": home}, aliases)


NAMES = [
    "7 Samurai",
    "Sleeper: Risen",
    "One, Two",
    "This/That",
    "Grey (II)",
    "Malcolm x3",
    "x Marks",
    "3x3",
    "Foo [BAR]",
    "Format: Zero",
    "1984",
    "King’s Guard",
    "King's Guard",
    "a  b",
    "# hash",
    "// slash",
    "Main (3)",
    "Soldiers:",
    "Grain, 3",
    "Élan",
    "ナポレオン！",
    "２つ",
    '"Quoted"',
    "{Braced}",
    "- dash",
    "> angle",
    "; semi",
    "-5",
    "×",
]
POOL = Pool(
    [
        card("T-001", "Longbow"),
        card("T-002", "Old Guard", aliases=("Young Guard",)),
        card("T-003", "Grain", "resource"),
        card("T-004", "Flood", "act_of_god"),
        card("T-005", "Twin"),
        card("ANT-14", "Twin", home="Antiquity"),
        *(card(f"N-{index}", name) for index, name in enumerate(NAMES)),
    ]
)


def read(text: str) -> tuple[Deck, list[Finding]]:
    return read_deck(text, SPEC, POOL, "deck.txt")


def cards(text: str) -> list[tuple[int, str]]:
    deck, findings = read(text)
    assert {finding.severity for finding in findings} <= {Severity.INFO}, findings
    return [(entry.count, entry.ref) for entry in deck.entries]


def finding(text: str, code: str) -> Finding:
    _, findings = read(text)
    (found,) = [item for item in findings if item.code == code]
    return found


def codes(text: str) -> list[str]:
    return [item.code for item in read(text)[1]]


@every(
    "line",
    [
        "2 Longbow T-001",
        "2 Longbow \\[T-001\\]",
        "- 2 Longbow \\[T-001\\] *(stricter)*",
        "2x Longbow [T-001] (level 2)",
        "\u20682 Longbow\u2069 [T-001]",
        "2 \u202aLongbow\u202c",
    ],
)
def test_lines_as_ban_lists_are_published(line: str) -> None:
    """Pasted back from a page, a sheet or a message a line says the same card, whatever its form there added."""
    assert cards(line) == [(2, "T-001")]


def test_a_bare_reference_that_is_wrong_is_told() -> None:
    """A reference without brackets that belongs to another card, or to none, is not passed over."""
    assert codes("2 Longbow T-002") == codes("2 Longbow T-999") == ["name_and_reference_differ"]
    assert codes("2 Longbow [T-001], 1 Grain [T-003]") == ["name_and_reference_differ"]


@every(
    "line",
    [
        "3 Longbow",
        "3x Longbow",
        "3 x Longbow",
        "x3 Longbow",
        "(3) Longbow",
        "Longbow x3",
        "Longbow ×3",
        "- 3 Longbow",
        "* 3 Longbow",
        "• 3 Longbow",
        "3\tLongbow",
        "3,Longbow",
        "3, Longbow",
        "Longbow,3",
        "Longbow\t3",
        "3\tLongbow\tT-001",
        '"Longbow",T-001,3',
        "3 Longbow [T-001]",
        "3 Longbow {T-001}",
        "3 Longbow (T) 001",
        "3 Longbow (s) 001",
        "Longbow [T-001] x3",
        "Longbow x3 [T-001]",
        "3 [T-001]",
        "3 T-001",
        "> 3 Longbow",
        ">> 3 Longbow",
        "\u00a03\u00a0Longbow",
        "３ Longbow",
        "3 “Longbow”",
        "  3   Longbow  ",
        "03 Longbow",
    ],
)
def test_every_form_of_a_card_line(line: str) -> None:
    """Each way to write three copies of a card is read as such, and without a finding."""
    assert cards(line) == [(3, "T-001")]
    assert codes(line) == []


@every("name", NAMES)
def test_names_that_look_like_something_else(name: str) -> None:
    """A name with digits, colons, commas, slashes, brackets or an x in it is read exactly."""
    ref = f"N-{NAMES.index(name)}"
    for line in (f"2 {name}", f"2 {name} [{ref}]", f"2x {name} {{{ref}}}"):
        assert cards(line) == [(2, ref)]
        assert codes(line) == []


@every(
    "line, ref",
    [
        ("1 longbow", "T-001"),
        ("1 The Longbow", "T-001"),
        ("1 Long-bow", None),
        ("1 elan", "N-19"),
        ("1 young guard", "T-002"),
        ("1 Young Guard [T-002]", "T-002"),
        ("1 longbow [T-001]", "T-001"),
        ("1 sleeper risen", "N-1"),
    ],
)
def test_a_repaired_spelling_is_said(line: str, ref: str | None) -> None:
    """Names that match only folded, or as a former name, are read with a remark; anything less is not."""
    deck, findings = read(line)
    if ref is None:
        assert [item.code for item in findings] == ["card_unknown"]
    else:
        assert [(item.code, item.severity) for item in findings] == [("spelling_repaired", Severity.INFO)]
        assert deck.entries[0].ref == ref


def test_an_unknown_card_stays_in_the_deck() -> None:
    """An unknown card is an error with the nearest names, and stays in the deck."""
    deck, _ = read("2 Lonbow\n1 Longbow\n")
    assert [(entry.ref, entry.count) for entry in deck.entries] == [("?lonbow", 2), ("T-001", 1)]
    found = finding("2 Lonbow\n1 Longbow\n", "card_unknown")
    assert found.data["nearest"] == ["Longbow"]
    assert (found.where[0].line, found.where[0].column, found.where[0].text) == (1, 3, "2 Lonbow")


def test_an_ambiguous_name_lists_the_cards() -> None:
    """A name of several cards is an error that lists them; a reference or a set settles it."""
    found = finding("1 Twin", "card_ambiguous")
    assert [item.ref for item in found.cards] == ["T-005", "ANT-14"]
    assert cards("1 Twin (Antiquity) 14\n1 Twin [T-005]") == [(1, "ANT-14"), (1, "T-005")]


@every("line", ["1 Longbow [T-003]", "1 Longbow [T-999]", "1 Lonbow [T-003]", "1 Longbow (Antiquity) 14"])
def test_name_and_reference_that_differ(line: str) -> None:
    """A reference that is not the name's own is an error."""
    assert codes(line) == ["name_and_reference_differ"]


@every("line", ["0 Longbow", "1000 Longbow", "-3 Longbow", "Longbow x0", "99999999999999999999 Longbow"])
def test_a_bad_count_adds_nothing(line: str) -> None:
    """A count outside 1 to 999 is an error and adds no card."""
    deck, findings = read(line)
    assert [item.code for item in findings] == ["bad_count", "deck_empty"]
    assert deck.entries == ()


def test_assumed_counts_are_one_remark() -> None:
    """All lines without a count are listed in one remark."""
    found = finding("Longbow\n7 Samurai\n2 Grain\n[T-004]\n", "count_assumed")
    assert [place.line for place in found.where] == [1, 2, 4]
    assert cards("7 Samurai") == [(1, "N-0")]


@every(
    "heading",
    [
        "## Resource",
        "##Resource (2)",
        "### resource - 2",
        "// Resource (2 cards)",
        "[Resource]",
        "[Resource] (2)",
        "[Resource (2)]",
        "Resource:",
        "Resource (2):",
        "Resource: 2",
        "RESOURCE: (2)",
        "## Resource: 2 cards",
        "## Resource ##",
    ],
)
def test_every_form_of_a_heading(heading: str) -> None:
    """Each form of heading begins its section, with or without a count."""
    deck, findings = read(f"1 Longbow\n{heading}\n2 Grain\n")
    assert findings == []
    assert [(entry.section, entry.ref) for entry in deck.entries] == [("playing", "T-001"), ("resource", "T-003")]


def test_headings_are_known_by_key_label_and_alias() -> None:
    """A section answers to its key, its label and its aliases."""
    for label in ("playing", "Playing Deck", "Main", "deck"):
        assert read(f"## Resource\n1 Grain\n## {label}\n1 Longbow\n")[0].entries[1].section == "playing"


def test_categories_leave_cards_where_they_are() -> None:
    """A card type as heading only claims a count; the cards stay in their section."""
    text = "## Main (6)\nSoldiers (3):\n2 Longbow\n// Acts of God (3)\n3 Flood\nTroopers: 1\n1 Twin [T-005]\n"
    text += "## Resource (1)\n1 Grain\n"
    deck, findings = read(text)
    assert [(entry.section, entry.count) for entry in deck.entries] == [
        ("playing", 2),
        ("playing", 3),
        ("playing", 1),
        ("resource", 1),
    ]
    assert [(item.code, item.severity, item.where[0].line, item.data) for item in findings] == [
        ("count_claim_differs", Severity.WARNING, 2, {"count": 2, "claimed": 3})
    ]


def test_a_section_claim_counts_its_categories() -> None:
    """A section's claim is checked against all its cards."""
    found = finding("## Main (5)\nSoldiers:\n2 Longbow\n## Resource\n1 Grain\n", "count_claim_differs")
    assert found.data == {"count": 2, "claimed": 5}


@every("heading", ["## Sidebord (3)", "[Sidebord]", "Sidebord:", "Sidebord (3):"])
def test_an_unknown_heading_is_said(heading: str) -> None:
    """A heading that nobody knows is an error; the cards stay where they were."""
    deck, findings = read(f"## Resource\n1 Grain\n{heading}\n1 Longbow\n")
    assert [(item.code, item.severity, item.where[0].line) for item in findings] == [
        ("section_unknown", Severity.ERROR, 3)
    ]
    assert [entry.section for entry in deck.entries] == ["resource", "resource"]


def test_cards_without_headings_go_by_type() -> None:
    """Without any section heading a card goes where its type belongs, an unknown one to the first section."""
    deck, _ = read("2 Grain\n1 Longbow\nActs of God:\n1 Flood\n1 Lonbow\n")
    assert [entry.section for entry in deck.entries] == ["resource", "playing", "resource", "playing"]


@pytest.mark.parametrize("label", ["Mainboard", "maindeck", "Main Deck"])
def test_the_first_section_as_other_programs_call_it(label: str) -> None:
    """A word of theirs alone on a line, over cards, begins the first section of the game, and is no finding."""
    deck, findings = read(f"{label}\n1 Grain\n")
    assert [entry.section for entry in deck.entries] == ["playing"] and findings == []


def test_cards_before_the_first_heading() -> None:
    """With headings, what stands before the first goes to the first section."""
    deck, _ = read("1 Grain\n## Resource\n1 Grain\n")
    assert [entry.section for entry in deck.entries] == ["playing", "resource"]


def test_comments_and_marks_are_passed_over() -> None:
    """Comments, blank lines, the format's own marks, BOM and every line end mean nothing."""
    text = "\ufeff# carddb deck 1\r\n# Main\r; 3 Twin\n// 3 Twin\n\n1 Longbow\n# fingerprint carddb1:0\n"
    assert cards(text) == [(1, "T-001")]
    assert codes(text) == []


def test_header_lines() -> None:
    """Known keys become headers, whatever their case, hyphens and spaces; values stay as typed."""
    text = "Name: “River” x3\nGAME: Trial\nformat : 5x5\nBase Bonus: 3\nPlayer:\nEditions: a; b\n1 Longbow\n"
    deck, findings = read(text)
    assert findings == []
    assert deck.headers == {"name": "“River” x3", "format": "5x5", "base_bonus": "3", "editions": "a; b"}


def test_another_game_is_said() -> None:
    """A header that names another game is an error; the game's own name is not."""
    assert codes("Game: cahrd\n1 Longbow") == ["game_differs"]
    assert codes("Game: The Trial\n1 Longbow") == []


@every("line", ["Autor: Bob", "17", "-=-", "3", "x3", "?!", "Name: A\nName: B"])
def test_lines_that_mean_nothing_are_said(line: str) -> None:
    """A line that cannot be read is an error with its line, never silence."""
    found = finding(f"1 Longbow\n{line}\n", "line_unread")
    assert found.severity is Severity.ERROR
    assert found.where[0].line == 2 + line.count("\n")


def test_an_unknown_key_suggests_the_nearest() -> None:
    """An unknown key is answered with the nearest that is known."""
    assert finding("formt: 5x5", "line_unread").fix == "Did you mean format?"


def test_repeated_lines_are_one_remark() -> None:
    """A card that stands twice in a section is remarked once, with every line; both count."""
    text = "1 Longbow\n2 longbow\n"
    found = finding(text, "line_repeated")
    assert ([place.line for place in found.where], found.cards[0].count) == ([1, 2], 3)
    assert read(text)[0].size("playing") == 3


def test_an_empty_deck_is_an_error() -> None:
    """A deck without cards is an error."""
    assert codes("") == ["deck_empty"]
    assert codes("Name: x\n## Main (0)\n") == ["deck_empty"]


def test_bounds_of_a_deck() -> None:
    """Lines over 2,000 characters and files over 1 MB are findings."""
    assert codes("1 " + "x" * 2_000) == ["line_too_long", "deck_empty"]
    assert codes("\n" * 20_000) == ["file_too_large"]
    assert codes("1 Longbow\n" + "x" * (1 << 20)) == ["file_too_large"]


def test_decode_names_the_byte() -> None:
    """A deck that is no UTF-8 text is a finding with offset and line."""
    text, (found,) = decode(b"1 A\n1 \xff\n", "deck.txt")
    assert (text, found.code, found.data) == (None, "wrong_encoding", {"offset": 6, "line": 2})


def test_loading_from_file_and_stream(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A deck is read from a path or from standard input; a missing file is an input error."""
    path = tmp_path / "deck.txt"
    path.write_text("3 Longbow\n")
    assert load_deck(path, SPEC, POOL)[0].entries[0].place.file == str(path)
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(b"3 Longbow\n")))
    assert load_deck("-", SPEC, POOL)[0].entries[0].place.file == "-"
    path.write_bytes(b"\xff\xff\xff")
    assert [item.code for item in load_deck(path, SPEC, POOL)[1]] == ["wrong_encoding"]
    with pytest.raises(InputError):
        load_deck(tmp_path / "absent.txt", SPEC, POOL)


def test_the_json_form(tmp_path: Path) -> None:
    """A JSON deck has headers and sections, and the same findings with places."""
    data = {
        "name": "R",
        "game": "trial",
        "base-bonus": 3,
        "sections": {
            "main": [{"ref": "T-001", "count": 3}, {"name": "Twin", "count": 1}, {"name": "Grain"}, 3],
            "side": [{"ref": "T-003", "count": 1.5}, {"ref": "T-003", "count": 0}],
        },
    }
    path = tmp_path / "deck.json"
    path.write_text(json.dumps(data, indent=1))
    deck, findings = load_deck(path, SPEC, POOL)
    assert deck.headers == {"name": "R", "base_bonus": "3"}
    assert [(entry.section, entry.ref, entry.count) for entry in deck.entries] == [
        ("playing", "T-001", 3),
        ("playing", "?twin", 1),
        ("playing", "T-003", 1),
    ]
    assert [item.code for item in findings] == [
        "card_ambiguous",
        "line_unread",
        "section_unknown",
        "bad_count",
        "bad_count",
        "count_assumed",
    ]
    assert all(item.where[0].line for item in findings)
    path.write_text("[1")
    assert [item.code for item in load_deck(path, SPEC, POOL)[1]] == ["document_syntax"]


def test_the_canonical_form() -> None:
    """What is written has headers, sections in the game's order, cards by type and name, and the fingerprint."""
    deck, _ = read("## Resource\n1 Flood\n2 Grain\n## Main\n1 Twin [T-005]\n1 Longbow\n2 longbow\n1 Zzz\nName: River\n")
    assert write_deck(deck, SPEC) == (
        "# carddb deck 1\nName: River\nGame: trial\n\n"
        "## Playing deck (5)\n3 Longbow [T-001]\n1 Twin [T-005]\n1 Zzz\n\n"
        "## Resource (3)\n1 Flood [T-004]\n2 Grain [T-003]\n\n"
        f"# fingerprint {deck.fingerprint()}\n"
    )


def test_totals_beyond_a_line() -> None:
    """More copies than a line may have are written as several lines."""
    deck = Deck("trial", tuple(Entry("playing", 999, "Longbow", POOL.get("T-001")) for _ in range(2)))
    text = write_deck(deck, SPEC)
    assert text.count("999 Longbow [T-001]") == 2
    assert read(text)[0].tally() == deck.tally()


_CHARACTERS = st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"])
_ANY_NAME = st.sampled_from(NAMES) | st.text(_CHARACTERS, max_size=12)
_NAME = _ANY_NAME.map(lambda text: " ".join(text.split())).filter(bool)
_REF = _NAME.filter(lambda text: not set(text) & set("[]{}"))
_VALUE = st.text(_CHARACTERS, max_size=12).map(without_controls).map(str.strip).filter(bool)
_HEADERS = st.dictionaries(
    st.sampled_from(["name", "format", "player", "event", "date", "editions", "base_bonus"]), _VALUE
)


@st.composite
def decks(draw: st.DrawFn) -> tuple[Deck, Pool]:
    refs = draw(st.lists(_REF, min_size=1, max_size=5, unique=True))
    pool = Pool([card(ref, draw(_NAME), draw(st.sampled_from(["soldier", "resource"]))) for ref in refs])
    sections = st.sampled_from(["playing", "resource"])
    entries = [Entry(draw(sections), draw(st.integers(1, 999)), found.name, found) for found in pool]
    return Deck("trial", tuple(draw(st.permutations(entries))), draw(_HEADERS)), pool


def reading_is_the_inverse(deck: Deck, pool: Pool) -> None:
    text = write_deck(deck, SPEC)
    again, findings = read_deck(text, SPEC, pool)
    assert [item.code for item in findings if item.severity is not Severity.INFO] == []
    assert (again.tally(), again.headers, again.fingerprint()) == (deck.tally(), deck.headers, deck.fingerprint())
    assert write_deck(again, SPEC) == text


@settings(max_examples=25, deadline=None)
@given(decks())
def test_reading_what_was_written_gives_the_same_deck(made: tuple[Deck, Pool]) -> None:
    """Reading the canonical form gives the same deck, for any names and references."""
    reading_is_the_inverse(*made)


@pytest.mark.full
@settings(max_examples=2000, deadline=None)
@given(decks())
def test_reading_what_was_written_at_full_size(made: tuple[Deck, Pool]) -> None:
    """The same over two thousand decks."""
    reading_is_the_inverse(*made)


_PIECES = st.sampled_from(
    [
        "3",
        "x",
        "×",
        " ",
        "\t",
        ",",
        "Longbow",
        "Twin",
        "[T-001]",
        "{",
        "(s) 1",
        ":",
        "##",
        "//",
        "- ",
        ">",
        "Main",
        "Soldiers",
        "(2)",
        "“",
        "’",
        "é",
        "０",
        "\n",
        "Name",
        "Foo",
        "\u00a0",
        "\u200b",
        "#",
        "1 ",
    ]
)
_TEXT = st.lists(_PIECES, max_size=30).map("".join)


def writing_is_settled(text: str) -> None:
    deck, findings = read(text)
    written = write_deck(deck, SPEC)
    again, _ = read(written)
    assert again.tally() == deck.tally()
    assert write_deck(again, SPEC) == written
    assert all(item.where and item.where[0].file == "deck.txt" for item in findings)


@every("line", ["---", "=======", "* * *", "____", "[/list]", "<ul>", "~~2 Longbow~~"])
def test_marks_of_a_page_are_named(line: str) -> None:
    """A ruled line, a tag alone and a card that is struck out add nothing, and are named."""
    deck, findings = read(f"1 Longbow\n{line}\n2 Grain\n")
    assert [(entry.count, entry.ref) for entry in deck.entries] == [(1, "T-001"), (2, "T-003")]
    assert [(item.code, item.where[0].line) for item in findings] == [("text_passed_over", 2)]


@every(
    "line",
    [
        "[*]3 [b]Longbow[/b]",
        "<li>3 <i>Longbow</i></li>",
        "- [x] 3 Longbow",
        "3 [Longbow](https://example.org/1)",
        "**3 Longbow**",
        "✅ 3 Longbow",
        "3 Longbow $1.50",
        "3 Longbow – 1,50 €",
        "3 copies of Longbow",
        "3 Stück Longbow",
        "3 × « Longbow »",
        "3 ‚Longbow‘",
    ],
)
def test_what_a_page_puts_around_a_line_is_taken_away(line: str) -> None:
    """Tags, boxes, links, symbols, prices and units around a card are no part of it."""
    deck, findings = read(f"{line}\n")
    assert (deck.tally(), findings) == ({("playing", "T-001"): 3}, [])


@every("line", ["❌ 3 Longbow", "three Longbow", "3. Longbow\n2. Grain", "1. Longbow\n2. Grain"])
def test_what_may_mean_another_thing_is_only_suggested(line: str) -> None:
    """A cross in front, a count in words, and a number that is no place in a list stay unknown cards."""
    assert set(codes(f"{line}\n")) == {"card_unknown", "count_assumed"}


def test_the_numbers_of_a_list_are_no_counts() -> None:
    """Lines numbered 1, 2, 3 are one copy each, where no count stands behind the number."""
    deck, findings = read("1. Longbow\n2. Old Guard x2\n3. 3x Grain\n")
    assert [(entry.count, entry.ref) for entry in deck.entries] == [(1, "T-001"), (2, "T-002"), (3, "T-003")]
    assert [item.code for item in findings] == ["count_assumed"]


def test_two_numbers_beside_counts() -> None:
    """Two numbered lines are a list where another line has its count without a dot: one copy each."""
    deck, findings = read("3 Longbow\n1. Old Guard\n2. Grain\n")
    assert [(entry.count, entry.ref) for entry in deck.entries] == [(3, "T-001"), (1, "T-002"), (1, "T-003")]
    assert [item.code for item in findings] == ["count_assumed"]
    assert set(codes("3 Longbow\n2. Old Guard\n3. Grain\n")) == {"card_unknown", "count_assumed"}


@every("line", ["2 × Longbov", "2 x Longbov", "2× Longbov", "2 × × Longbov"])
def test_the_sign_of_a_count_is_no_part_of_an_unknown_name(line: str) -> None:
    """A name that no card has is told without the sign × between it and its count."""
    deck, (unknown,) = read(line)
    assert (deck.entries[0].count, deck.entries[0].name, unknown.message) == (
        2, "Longbov", "no card is called 'Longbov'",
    )  # fmt: skip
    writing_is_settled(line)


def test_a_line_of_several_cards() -> None:
    """Cards with their counts side by side are read one by one, where each is a card of the game."""
    deck, findings = read("3 Longbow, 2 Old Guard; 1 Grain\n1 Élan    2 Flood\n")
    assert [(entry.count, entry.ref) for entry in deck.entries] == [
        (3, "T-001"), (2, "T-002"), (1, "T-003"), (1, "N-19"), (2, "T-004"),
    ]  # fmt: skip
    assert findings == []
    assert codes("3 Longbow, 2 Nobody\n") == ["card_unknown"]


def test_a_set_that_nobody_knows() -> None:
    """The name decides, with a warning; neither where cards are of the set nor where brackets tell cards apart."""
    deck, (found,) = read("3 Longbow (Core Set)\n")
    assert (deck.tally(), found.code, found.severity) == ({("playing", "T-001"): 3}, "set_unknown", Severity.WARNING)
    assert codes("1 Longbow (Antiquity)\n") == ["card_unknown"]
    assert codes("1 Grey (III)\n") == ["card_unknown"]


def test_sideboard_marks() -> None:
    """`SB:` means the second section where the card may lie there; else the card stays, and one finding says so."""
    deck, findings = read("2 Longbow\nSB: 3 Grain\n")
    assert (deck.tally(), findings) == ({("playing", "T-001"): 2, ("resource", "T-003"): 3}, [])
    deck, (found,) = read("2 Longbow\nSB: 1 Old Guard\nSB: 1 Élan\n")
    assert deck.size("playing") == 4
    assert (found.code, [place.line for place in found.where]) == ("section_unknown", [2, 3])


@every("line", ["\\\x1f;A", "[T-001]×3×3", "3 3 [T-001]", "3[T-001]", "3 [T-001] ×3", "3[T-001]×3"])
def test_a_doubtful_line_is_settled(line: str) -> None:
    """A line with more than one count, or with a control character within a mark, reads the same when it is written."""
    writing_is_settled(line)


@example("[T-001],1 Soldiers")
@example(",x ×")
@example("[T-001],1 [T-001]##")
@example("x[T-001],1 3")
@given(_TEXT)
def test_any_text_is_read_and_settles(text: str) -> None:
    """Any text gives a deck; writing what was read is a form that stays the same."""
    writing_is_settled(text)


@example("[T-001],1 Soldiers")
@example(",x ×")
@example("[T-001],1 [T-001]##")
@example("x[T-001],1 3")
@pytest.mark.full
@settings(max_examples=20_000, deadline=None)
@given(_TEXT | st.text(max_size=60))
def test_any_text_settles_at_full_size(text: str) -> None:
    """The same over ten thousand texts."""
    writing_is_settled(text)
