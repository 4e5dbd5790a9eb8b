"""CDG solo: deck files, whose format is a module and whose sections are its decks."""

from __future__ import annotations

from datetime import date
from typing import Any

from carddb.cards.cards import Deck, Entry, Pool
from carddb.deck import Context, check
from carddb.findings import Finding
from tests.games.referee_samples import game

KEY = "cdg-solo"


def entry(section: str, number: int, count: int = 1, **more: Any) -> Entry:
    values = {"name": f"{section} {number}", "type": "card", "number": number, "ops": 2, "kinds": ["ops", "event"]}
    values |= {"side": "both" if section == "main" else section, **more}
    card = game(KEY).spec.card(
        f"{section}-{number}", {key: value for key, value in values.items() if value is not None}
    )
    return Entry(section, count, card.name, card)


def found(entries: list[Entry], module: str | None, **headers: str) -> list[Finding]:
    spec, checks = game(KEY).spec, game(KEY).checks
    deck = Deck(KEY, tuple(entries), headers)
    return check(deck, spec, Pool(()), Context(date(2026, 1, 1), format=module), checks)


def codes(entries: list[Entry], module: str | None, **headers: str) -> list[str]:
    return sorted({finding.code for finding in found(entries, module, **headers)})


TWO = [entry(side, number) for side in ("S1", "S2") for number in range(1, 6)]
COMMON = [entry("main", number) for number in range(1, 13)]


def test_decks_of_a_module_are_legal() -> None:
    """Two decks, or a common one, that are large enough have no finding (SD-2)."""
    assert found(TWO, "generic-separate") == []
    assert found(COMMON, None, format="generic-card") == []


def test_a_deck_without_a_module_is_not_checkable() -> None:
    """Without a module there is no verdict, and an unknown one is told once (SD-1)."""
    (finding,) = found(COMMON, None)
    assert (finding.code, finding.severity) == ("format_unknown", "not_checkable")
    assert codes(COMMON, "chess") == ["format_unknown"]


def test_faults_of_a_deck_file() -> None:
    """A deck that the module lacks, a second copy, and what is wrong with a card are found in their lines (SD-7)."""
    assert codes([*TWO, entry("main", 1)], "generic-separate") == ["card_misplaced"]
    assert codes([*COMMON, entry("main", 13, 2)], "generic-card") == ["card_copies"]
    assert codes([*COMMON, entry("main", 12)], "generic-card") == ["card_copies", "card_number_duplicate"]
    assert codes([*COMMON, entry("main", 13, side="S9")], "generic-card") == ["card_side_unknown"]
    assert codes(COMMON[:10], "generic-card") == ["deck_too_small"]
    assert codes([*COMMON, entry("main", 13, ops="x")], "generic-card") == ["card_ops_invalid"]
    assert codes([*COMMON, entry("main", 13, remove_after="later")], "generic-card") == []


def test_a_cause_is_told_once_for_all_its_cards() -> None:
    """An empty deck is not too small besides, and cards that share a fault are named together with all their lines."""
    assert codes(TWO[:5], "generic-separate") == ["deck_empty"]
    (lost,) = [f for f in found([*TWO, *COMMON[:3]], "generic-separate") if f.code == "card_misplaced"]
    assert lost.message.startswith("main 1, main 2 and main 3: ") and len(lost.where) == 3
    (bare,) = found([*COMMON, *[entry("main", n, ops=None) for n in (21, 22, 23, 24)]], "generic-card")
    assert bare.message == "main 21, main 22, main 23 and main 24: the card is of the kind ops, but has no ops value"
    (lacks,) = [f for f in found(COMMON, "washingtons-war") if f.code == "exception_card_unknown"]
    assert "Admiral Rodney (#102)" in lacks.message and "John Paul Jones (#106)" in lacks.message


def test_every_fault_says_what_mends_it() -> None:
    """Each finding has a fix with the figures of its deck, and its own rules (SD-7)."""
    (short,) = found(COMMON[:10], "generic-card")
    assert short.message == "The deck main has 10 cards that can lie on a display, but needs at least 11"
    assert short.fix == "Add 1 card to the deck main."
    (odd,) = found([*COMMON, entry("main", 13, kinds=["ops", "evnt"])], "generic-card")
    assert (odd.fix, odd.rules) == ("Did you mean event?", ("SD-3",))
    (other,) = found([*TWO, entry("S1", 6, side="S2")], "generic-separate")
    assert other.fix == "Write S1."
    wrong = [
        entry("main", 21, ops=None),
        entry("main", 22, kinds=["section", "tactics"]),
    ]
    assert all(finding.fix and finding.rules for finding in found([*COMMON[:5], *wrong], "germany"))


def test_warnings_do_not_make_a_deck_illegal() -> None:
    """A First-Opportunity card without conditions, or an exception under another title, is a warning (SR-28, SR-41)."""
    (finding,) = found([*COMMON, entry("main", 13, kinds=["event", "first_opportunity"])], "generic-card")
    assert (finding.code, finding.severity) == ("card_condition_missing", "warning")
    ids = {1: "Dispatches Compromised", 2: "Declaration of War", 28: "Peace"}
    cards = [entry("main", number) for number in range(3, 13)] + [entry("main", n, name=t) for n, t in ids.items()]
    assert [(f.code, f.severity) for f in found(cards, "germany")] == [("exception_title_mismatch", "warning")]
    titled = [entry("main", 28, title="France Intervenes"), *cards[:-1]]
    assert codes(titled, "germany") == []
