"""Empires and Generals: its files say every rule, code and option, and show each code by an example."""

from __future__ import annotations

import json
import re
from pathlib import Path

from carddb.cards.cards import Pool
from carddb.deck import Context, check
from carddb.deck.context import ANY_DAY
from carddb.findings import Finding, Severity
from carddb.game.frozen import as_plain
from carddb.games import folders, load
from carddb.games.empires_and_generals.rules import CHECKS
from carddb.press.documents.guide import print_guide, read_guide
from carddb.read.cards.file import CardReading, read_cards
from carddb.read.decks.text import load_deck
from tests.games.empires_and_generals.samples import BALANCED, BOOK, SPEC
from tests.rows import every

HERE = Path(__file__).parent
EXAMPLES = sorted((HERE / "codes").iterdir())


def test_examples_of_codes() -> None:
    """Every code of the book that names an example has the file, and every file is named."""
    named = {entry["example"] for entry in BOOK["codes"].values() if entry["example"]}
    assert named == {path.name for path in EXAMPLES}


@every("path", EXAMPLES)
def test_file_example_shows_its_code(path: Path) -> None:
    """The example deck or card file of a code raises that code, and no other error than it."""
    found = _read(path)
    assert path.stem in {finding.code for finding in found}
    grave = {finding.code for finding in found if finding.severity in (Severity.ERROR, Severity.NOT_CHECKABLE)}
    assert grave <= {path.stem}


def _read(path: Path) -> list[Finding]:
    if path.suffix == ".csv":
        return read_cards(path, CardReading(SPEC, "test", HERE)).findings
    cards = read_cards(HERE / "cards.csv", CardReading(SPEC, "test", HERE))
    assert cards.findings == []
    pool = Pool(SPEC.card(record.ref, record.values) for record in cards.records)
    deck, findings = load_deck(path, SPEC, pool)
    return [*findings, *check(deck, SPEC, pool, Context(ANY_DAY), CHECKS)]


def test_book() -> None:
    """The book has every rule from E-1 to E-143 with tag, section and words; codes and data name only such rules."""
    assert list(BOOK["rules"]) == [f"E-{number}" for number in range(1, 144)]
    for rule in BOOK["rules"].values():
        assert rule["tag"] in ("S", "P", "H") and rule["section"] and (rule["text"] or rule["ruling"])
    named = re.findall(r"\bE-\d+\b", json.dumps([BOOK, as_plain(SPEC)]))
    assert set(named) <= set(BOOK["rules"])


def test_every_option_names_its_rule() -> None:
    """Every option says which rule it reads otherwise; only people apply those marked for players."""
    assert len(SPEC.options) == 18
    for name, option in SPEC.options.items():
        (rule,) = option.rules
        assert BOOK["rules"][rule]["ruling"]["option"] == ("attack_from_warcamp" if name == "group_attack" else name)
    players = {name for name, option in SPEC.options.items() if option.players}
    assert players == {"draw_source", "resource_delay", "one_general", "battlefield_first"}


def test_six_reference_cards() -> None:
    """E-18: the game prints the six reference cards that are advised."""
    assert sum(part.reference for part in SPEC.components.values()) == BALANCED["reference"]


@every(
    "words",
    [
        "how the values of a group join, only its cards can say",
        "unless a card says otherwise, and pushes it forward",
        "As a rule no CH is lost",
        "Acts of God not counted: 3 of them need 15, so 18 cards in all",
        "the first of them is the Act of God Expansion",
        "a soldier may say that it has none",
    ],
)
def test_the_sheet_tells_what_the_document_tells(words: str) -> None:
    """The rule sheet has the document's exceptions and examples: cards that say otherwise, three Acts of God."""
    game, _ = load(folders()["empires-and-generals"])
    assert game
    sheet = re.sub(r"<sup.*?</sup>|<[^>]*>", "", print_guide(game, read_guide(game), "html").data.decode())
    assert words in " ".join(sheet.split())
