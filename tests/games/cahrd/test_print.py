"""C.A.H.R.D.: every component in its number, drawn from the game's own data."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import Any

import pypdfium2
import pytest

from carddb.cards.cards import Deck, Entry, Pool
from carddb.core.units import Size, mm
from carddb.deck import Context
from carddb.findings import Severity
from carddb.game.frozen import replaced
from carddb.games.cahrd.deck import opening_hand
from carddb.games.cahrd.print import components
from carddb.games.opening.cross_references import coverage
from carddb.layout.display_list import Path as Outline
from carddb.layout.display_list import Run, walk
from carddb.layout.stock import card_size
from carddb.press.faces.bank import FaceBank
from tests.conftest import Told
from tests.games.cahrd.print_samples import POKER, card, component, messages, told, words, workshop
from tests.games.cahrd.samples import GAME, SPEC
from tests.rows import every

Call = Callable[..., Told]

FOR_TWO = {
    "PC-3": 2, "PC-4": 2, "PC-5": 2, "PC-6": 2, "PC-7": 4, "PC-8": 40, "PC-9": 8, "PC-10": 6, "PC-11": 32,
    "PC-12": 52, "PC-13": 2, "PC-14": 1, "PC-15": 2, "PC-16": 2, "PC-17": 1,
}  # fmt: skip
"""What two players need of each component; PC-18 is made from a deck."""


def every_component() -> list[tuple[str, dict[str, Any], str]]:
    return list(_faces())


def _faces() -> Iterator[tuple[str, dict[str, Any], str]]:
    for part in SPEC.components.values():
        for template in (name for name in (part.template, part.back) if name not in ("", "same")):
            for row in part.rows or ({},):
                yield template.removesuffix(".svg"), dict(row), part.size


@every("name, row, size", every_component())
def test_component_has_no_finding(name: str, row: dict[str, Any], size: str) -> None:
    """Every component draws at its own size with nothing cut off, too small, too faint or missing."""
    result = component(name, row)
    assert messages(result.findings) == []
    assert result.face.size == (Size.parse(size) if size else POKER)
    assert result.face.title


def test_two_players_get_their_numbers() -> None:
    """Every component of the table is printed in its number for two players."""
    counts: dict[str, int] = {}
    for part in SPEC.components.values():
        if part.template:
            copies = part.count * (2 if part.per == "player" else 1) * len(part.rows or ({},))
            counts[part.id] = counts.get(part.id, 0) + copies
    assert counts == FOR_TWO
    assert SPEC.components["deck-list"].id == "PC-18"


@pytest.mark.full
def test_a_sheet_holds_all_reference_cards(call: Call) -> None:
    """What two players need of reference cards stands on one sheet, none with a blank back; folded, each on its own."""
    assert call("components", "cahrd", "--players", "2", "-o", "two.pdf").code == 0
    pages = [page.get_textpage().get_text_bounded() for page in pypdfium2.PdfDocument(Path("two.pdf").read_bytes())]
    (cards,) = (text for text in pages if text.count("The turn") == 2)
    backs = pages[pages.index(cards) + 1]
    assert all(cards.count(title) == 2 for title in ("Winning", "Words"))
    assert all(backs.count(title) == 2 for title in ("Timing", "The table", "Words"))
    call("components", "cahrd", "turn", "victory", "glossary", "--players", "2", "--fold", "-o", "two.pdf")
    pages = [page.get_textpage().get_text_bounded() for page in pypdfium2.PdfDocument(Path("two.pdf").read_bytes())]
    assert not any("The turn" in text and "Words" in text for text in pages)


def test_reserve_counters_have_their_numbers() -> None:
    """There are 20, 12, 12 and 8 counters of 1k, 5k, 10k and 25k for two (PC-12)."""
    parts = [part for part in SPEC.components.values() if part.id == "PC-12"]
    assert [(part.rows[0]["value"], 2 * part.count) for part in parts] == [
        ("1k", 20), ("5k", 12), ("10k", 12), ("25k", 8),
    ]  # fmt: skip
    assert len({part.rows[0]["outline"] for part in parts}) == 4


def test_every_printed_rule_is_on_paper() -> None:
    """Every rule that is to be printed is told by a component or by the faces."""
    assert [row.rule for row in coverage(GAME) if "P" in row.missing] == []


def test_grain_track_has_41_boxes() -> None:
    """The track goes from 4,000 by hundreds down to 0 (PC-7)."""
    text = words(component("grain").face)
    values = [f"{value:,}" for value in range(4000, -1, -100)]
    assert len(values) == 41
    assert all(value in text for value in values)
    other = replaced(SPEC, data={**SPEC.data, "setup": {**SPEC.data["setup"], "grain": 2000}})
    assert "4,000" not in words(component("grain", game=other).face)


def test_conversion_strip_has_all_sums() -> None:
    """The strip tells the men of 1 to 25 CHM and the grain of base WAR 1 to 5 (PC-15)."""
    text = words(component("conversion").face)
    assert all(f"{n * 1000:,}" in text for n in range(1, 26))
    assert all(str(n * 100) in text for n in range(1, 6))


def test_turn_card_tells_every_step() -> None:
    """The steps stand in their order, the parts of the battle among them (PC-4)."""
    text = words(component("turn").face)
    numbers = ["1", "2", "3", "4a", "4b", "4c", "5"]
    assert [word for word in text if word in numbers] == numbers
    joined = " ".join(text)
    assert all(step["name"].upper() in joined for step in SPEC.data["turn"]["steps"])
    assert "strategist: by a card" in joined
    assert "1,000" in joined


def test_timing_card_is_a_ladder() -> None:
    """The card has the three speeds, the last played on top (PC-5)."""
    text = words(component("timing").face)
    assert [word for word in text if word in "123"] == ["3", "2", "1"]
    for speed in SPEC.data["chain"]["speeds"]:
        assert speed["name"] in text
        assert str(speed["may_be"]).split(",")[0].split(";")[0] in " ".join(text)


def test_table_card_tells_every_zone() -> None:
    """The card has every zone of the mat with its place, for a table without a mat (PC-6)."""
    text = told(component("zones").face)
    assert all(f"{zone['name']} {zone['place'].split('{')[0]}" in text for zone in SPEC.data["mat"]["zones"])


def test_victory_card_tells_how_a_battle_ends() -> None:
    """The card has every way to win, the draw, the War, and what to bring (PC-6, C-26, C-27, C-29, C-30)."""
    text = told(component("victory").face)
    table = SPEC.data["victory"]
    assert all(part in text for part in (*(loss["says"] for loss in table["losses"]), table["draw"], table["war"]))
    assert all(thing in text for thing in SPEC.data["sheets"]["bring"])


def test_glossary_has_every_word_once() -> None:
    """Each word of the glossary stands on one side of one card (PC-16)."""
    sides = [(name, row) for row in SPEC.components["glossary"].rows for name in ("glossary", "glossary-back")]
    text = " ".join(told(component(name, row).face) for name, row in sides)
    labels = [str(term["label"]) for term in components.terms(SPEC)]
    assert len(labels) >= 12
    assert all(text.count(f"{label}.") == 1 for label in labels)
    rules = {rule for term in components.terms(SPEC) for rule in term["rules"]}
    assert {"C-25", "C-60", "C-106", "C-107", "C-123", *(f"C-{n}" for n in range(134, 141))} <= rules


def test_tracking_sheet_has_its_rows() -> None:
    """The sheet has five officers with boxes for their men, and twenty turns (PC-13)."""
    text = words(component("tracking").face)
    sheet = SPEC.data["sheets"]["tracking"]
    headings = (*sheet["heading"], *sheet["officers"]["columns"], *sheet["turns"]["columns"])
    assert all(heading.upper() in text for heading in headings)
    assert [word for word in text if word.isdigit()] == [str(n) for n in range(1, 21)]
    assert sheet["officers"]["rows"] == 5


def test_war_score_sheet_has_three_battles() -> None:
    """The sheet asks of each battle who started, who won and how, and who won the War (PC-14)."""
    text = words(component("war-score").face)
    sheet = SPEC.data["sheets"]["war_score"]
    assert set(sheet["rows"]) <= set(text)
    assert all(column.upper() in text for column in sheet["columns"])
    assert sheet["last"] in text


def test_imd_sheet_tells_the_levels() -> None:
    """The sheet has both lists, the columns, what the levels allow, and that this is a proposal (PC-17, C-150)."""
    text = words(component("imd").face)
    assert all(column.upper() in text for column in SPEC.data["sheets"]["imd"])
    assert {"at most 2 copies", "at most 1 copy", "none in a deck"} <= set(text)
    joined = " ".join(text)
    assert "proposal" in joined and "3 to 14 days" in joined
    assert "Long list" in joined and "Short list" in joined


def boxes() -> dict[str, list[float]]:
    places = SPEC.data["reference"]["mat"]
    zones = {key: zone["box"] for key, zone in places["zones"].items()}
    second, third = places["lieutenants"]
    return {**zones, "in_play": places["in_play"], "second": second, "third": third, "grain": places["grain"],
            "title": places["title"], "tokens": places["tokens"]}  # fmt: skip


def test_mat_has_every_zone() -> None:
    """The mat shows the numbers and names of all zones, and the place of reserves and grain (PC-3)."""
    text = words(component("mat").face)
    for zone in SPEC.data["mat"]["zones"]:
        assert zone["key"] in SPEC.data["reference"]["mat"]["zones"]
        if zone["number"].isdigit():
            assert zone["number"] in text and zone["name"] in text
    assert {"Reserves", "Grain", "1k", "5k", "10k", "25k"} <= set(text)
    assert "the strategist: 1–4°, at the start 2" in text


def test_mat_has_room_for_cards() -> None:
    """No two boxes overlap, all lie on the mat, and every zone takes a card of full size."""
    width, height = SPEC.data["reference"]["mat"]["size"]
    placed = list(boxes().items())
    for i, (key, (x, y, wide, high)) in enumerate(placed):
        assert x >= 0 and y >= 0 and x + wide <= width and y + high <= height
        for _, (x2, y2, wide2, high2) in placed[:i]:
            assert x + wide <= x2 or x2 + wide2 <= x or y + high <= y2 or y2 + high2 <= y
        if key not in ("reserves", "grain", "tokens"):
            assert wide >= 63.5 and high >= 88.9


def test_mat_puts_zones_where_the_rules_want_them() -> None:
    """Tactics, Strategist, Commander, Items stand in a row from left to right (C-54, C-56)."""
    found = boxes()
    row = [found[key] for key in SPEC.data["mat"]["row"]]
    assert [box[0] for box in row] == sorted(box[0] for box in row)
    assert len({box[1] for box in row}) == 1
    assert found["in_play"][0] == found["strategy_deck"][0] and found["in_play"][1] < found["strategy_deck"][1]


def test_mat_is_cut_between_its_zones() -> None:
    """No box and no word of the mat is cut where its parts are joined."""
    (across,), (down,) = SPEC.components["mat"].seams
    for x, y, wide, high in boxes().values():
        assert not x < across < x + wide and not y < down < y + high
    for run in walk(component("mat").face.shapes):
        if isinstance(run, Run):
            assert not run.x < mm(across) < run.x + run.width
            assert not run.y - run.size < mm(down) < run.y


def test_mat_parts_fit_letter_and_a4() -> None:
    """Each part with its overlap lies on Letter or A4 turned."""
    lengths = SPEC.data["reference"]["mat"]["size"]
    for seams, length, room in zip(SPEC.components["mat"].seams, lengths, (263, 189), strict=True):
        assert all(end - start + 2 * 5 <= room for start, end in pairwise([0, *seams, length]))


def test_stat_counters_point_to_their_corner() -> None:
    """There is a counter for each stat, the word of the stat on it, up on one side and down on the other (PC-11)."""
    rows = SPEC.components["stat"].rows
    texts = [tuple(words(component(side, row).face)) for side in ("stat", "stat-back") for row in rows]
    assert len(set(texts)) == 8
    assert {word for text in texts for word in text} == {"+1", "−1", "LDR", "WAR", "INT", "CHM"}


def test_deck_list_tells_the_officer_odds() -> None:
    """A deck's list tells how often an opening hand has three officers (PC-18): 20 of 40 cards give 79.6 %."""
    entries = [Entry("main", 1, f"O{n}", card("officer", f"O{n}")) for n in range(20)]
    entries += [Entry("main", 1, f"I{n}", card("item", f"I{n}")) for n in range(20)]
    deck = Deck(SPEC.key, tuple(entries))
    (told_,) = opening_hand(deck, SPEC, Pool(()), Context(date(2026, 6, 20)))
    assert "20 officers" in told_.message and "79.6 %" in told_.message
    assert told_.severity is Severity.INFO
    assert opening_hand(replace(deck, entries=()), SPEC, Pool(()), Context(date(2026, 6, 20))) == []


@pytest.mark.parametrize("size", ["index-3x5", "index-5x7"])
def test_reference_cards_are_drawn_anew_for_larger_cards(size: str) -> None:
    """On a larger card the frame of a reference card reaches its edges, and every word fits."""
    whole = card_size(size)
    bank = FaceBank(workshop(), whole)
    glossary = [(name, row) for row in SPEC.components["glossary"].rows for name in ("glossary", "glossary-back")]
    for name, row in [("turn", {}), ("timing", {}), ("victory", {}), ("zones", {}), *glossary]:
        face = bank[bank.plain(f"{name}.svg", row, name)]
        ground = next(shape for shape in walk(face.shapes) if isinstance(shape, Outline))
        xs, ys = zip(*(numbers for _, numbers in ground.ops if numbers), strict=True)
        assert min(xs) <= 20 and max(xs) >= whole.width - 20 and min(ys) <= 20 and max(ys) >= whole.height - 20
    assert list(bank.findings) == []
