"""CDG solo: tweak sheets, kits, the faces of cards and the guide, made from the data of the modules."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from carddb import judge
from carddb.core.errors import UsageError
from carddb.findings import CardCount
from carddb.game.frozen import replaced
from carddb.games.cdg_solo.print import tweak_sheet
from carddb.games.cdg_solo.print.components import component_data
from carddb.games.cdg_solo.print.faces import face_data, plate_of
from carddb.games.opening.cross_references import coverage
from carddb.layout import display_list
from carddb.layout.display_list import Run, walk
from carddb.layout.documents.blocks import Figure, Paragraph, plain
from carddb.layout.drawing.face import draw
from carddb.layout.templates.template import Templates
from carddb.press.components.selection import ComponentChoice, select_components
from carddb.press.documents.guide import Guide, print_guide, read_guide
from tests.games.cdg_solo.print_samples import GAMES, KEY, PAGE, boxes, drawn, row_of, spec, text, words, workshop
from tests.games.referee_samples import game
from tests.press.documents.guide_words import without_figures
from tests.rows import every, usually

# §7.8: every card with a rule of its own, as its number is printed.
EXCEPTIONS = {
    "paths-of-glory": {"CP#1": "Guns of August", "CP#22": "Mata Hari", "AP#23": "Cloak and Dagger"},
    "for-the-people": {"#14": "Red River Campaign", "#81": "Emancipation Proclamation", "#82": "Foreign Intervention"},
    "empire-of-the-sun": {
        "JP#3": "Col. Tsuji", "JP#17": "Japanese Counterattack at Savo Island", "JP#33": "Imperial Intervention",
        "JP#43": "Tojo Resigns", "JP#47": "VADM Kondo", "JP#59": "Central Force",
        "JP#67": "Japanese Army/Navy Central Agreement", "JP#68": "Japanese Army/Navy Central Agreement",
        "US#4": "Arcadia Conference", "US#30": "Operation Sandcrab-Cottage", "US#52": "Roosevelt-Nimitz-MacArthur",
        "US#60": "20th Bomber Command", "US#67": "Curtis LeMay", "US#72": "Halsey", "US#79": "Soviets Invade Manchuria",
    },
    "wilderness-war": {
        "#6": "Surrender!", "#35": "Courier Intercepted!", "#36": "Francois Bigot", "#37": "British Ministerial Crises",
        "#62": "Quiberon Bay", "#67": "William Pitt", "#69": "Diplomatic Revolution",
    },
    "germany": {"#1": "Dispatches Compromised", "#2": "Declaration of War", "#28": "France Intervenes"},
    "washingtons-war": {
        "#84": "George Rogers Clark", "#97": "Admiral Suffren", "#102": "Admiral Rodney", "#106": "John Paul Jones",
        "#109": "Edward Bancroft",
    },
    "commands-and-colors": {},
}  # fmt: skip
BY_TITLE = {"washingtons-war": {"DOI", "Franklin"}}


@usually("module", GAMES)
def test_sheet_has_every_exception(module: str) -> None:
    """Every card with a rule of its own stands on the sheet of its game with number and title (§7.8)."""
    listed = tweak_sheet.exceptions(spec(), module)
    assert {card.tag: card.title for card in listed if card.tag} == EXCEPTIONS[module]
    assert {card.title for card in listed if not card.tag} == BY_TITLE.get(module, set())
    said = text(drawn("K-8", row_of("K-8", module=module), back=True).face)
    for tag, title in EXCEPTIONS[module].items():
        assert tag in said and title in said
    assert all(title in said for title in BY_TITLE.get(module, ()))


def test_exceptions_are_thirty_six_numbered_cards() -> None:
    """The sheets have 36 numbered cards in all, and two by title."""
    assert sum(len(cards) for cards in EXCEPTIONS.values()) == 36
    assert sum(len(tweak_sheet.exceptions(spec(), module)) for module in GAMES) == 38


@every("module", GAMES)
def test_every_exception_is_explained(module: str) -> None:
    """Each of those cards is also told in full: a paragraph of the sheet names it."""
    said = " ".join(f"{p.head} {p.body}" for p in tweak_sheet.paragraphs(spec(), module))
    for title in [*EXCEPTIONS[module].values(), *BY_TITLE.get(module, ())]:
        assert title in said


@usually("module", GAMES)
def test_sheet_has_six_results(module: str) -> None:
    """The front of a sheet tells all six results in full; D or E has the mark where a game's sheet says C or D."""
    results = tweak_sheet.results(spec(), module)
    assert {result.result for result in results} == {"C_JR", "AB", "DE", "ABC", "CDE", "UP"}
    assert all(result.flip and result.play and result.fill for result in results)
    assert "**C** or **D**" not in " ".join(result.play for result in results)
    slip = "°" if module in ("paths-of-glory", "for-the-people", "germany") else ""
    assert (
        next(result.play for result in results if result.result == "DE")
        == f"the card in **D** or **E**{slip}. Any purpose."
    )
    said = text(drawn("K-8", row_of("K-8", module=module)).face)
    for result in results:
        assert f"die shows {result.face}" in said
        for part in (result.flip, result.play, result.fill):
            assert set(re.findall(r"\w+", part)) <= set(re.findall(r"\w+", said))


def test_results_follow_the_layout() -> None:
    """Where the pile lies in C its top fills places; where one card lies there, a new card comes (S-43 to S-58)."""
    fills = {
        key: [text.fill for text in tweak_sheet.results(spec(), key)] for key in ("paths-of-glory", "wilderness-war")
    }
    up, down, lies = "the card flipped in C, left **up**", "the top of the pile, **left down**", "as it lies"
    assert fills["paths-of-glory"][:5] == [f"{up}°", down, down, up, up], "what the Jolly Roger leaves is SR-11"
    assert lies in fills["paths-of-glory"][5]
    assert set(fills["wilderness-war"]) == {"a new card from the common pile, **down**"}


def test_results_of_single_games() -> None:
    """What a game does otherwise is in its results: discards, order counts, Future Offensives, kept facings."""
    said = {key: {r.result: r for r in tweak_sheet.results(spec(), key)} for key in GAMES}
    assert "discard **any up Event card**" in said["washingtons-war"]["C_JR"].play
    assert "play or discard **any up Event card**" in said["washingtons-war"]["UP"].play
    assert "order count" in said["commands-and-colors"]["C_JR"].play
    assert "Tactics card" in said["commands-and-colors"]["UP"].play
    fo = {result for result, text_ in said["empire-of-the-sun"].items() if "FO card" in text_.play}
    assert fo == {"C_JR", "ABC", "CDE"}
    assert all("as it lies" in said["empire-of-the-sun"][result].fill for result in ("AB", "DE", "UP"))


@usually("module", GAMES)
def test_sheet_is_readable(module: str) -> None:
    """Body text of a sheet is not below 8 points; only the foot is smaller (K-8)."""
    for back in (False, True):
        for shape in walk(drawn("K-8", row_of("K-8", module=module), back).face.shapes):
            if isinstance(shape, Run) and shape.y < 262_000:
                assert shape.size >= 2.8 * 1000, shape.text


@every("module", GAMES)
@pytest.mark.full
def test_sheet_can_be_trimmed(module: str) -> None:
    """Text of a sheet keeps inside 7.5 × 10.5 inches, so that it can be trimmed to 8 × 11 (S-3, K-8)."""
    for back in (False, True):
        for shape in walk(drawn("K-8", row_of("K-8", module=module), back).face.shapes):
            if isinstance(shape, Run):
                assert shape.x >= 12_700 - 5 and shape.x + shape.width <= PAGE.width - 12_700 + 20
                assert 6350 <= shape.y <= PAGE.height - 6350


@every("module", GAMES)
def test_sheet_names_its_game(module: str) -> None:
    """Front and back begin with the game's title; the foot names publisher and the sheet's author."""
    raw = spec().data["modules"][module]
    said = text(drawn("K-8", row_of("K-8", module=module)).face)
    assert raw["title"].partition(" (")[0].replace("'", "’") in said
    assert raw["publisher"].split(",")[0] in said
    assert raw["sheet_author"] in said


@pytest.mark.full
def test_sheet_of_ones_own_game_has_room() -> None:
    """The back of a template's sheet tells the common mechanics, each with what to fill in, and has lines for cards."""
    for module in sorted(set(spec().data["modules"]) - set(GAMES)):
        row = row_of("K-8", module=module)
        front, back = drawn("K-8", row), drawn("K-8", row, back=True)
        assert "Your own game" in text(front.face) and text(front.face).count("die shows") == 6
        told = text(back.face)
        assert all(f"#{number}" in told for number in ("1", "2", "3", "3a", "4", "5", "6", "7", "8"))
        assert "On the Jolly Roger an up one must be played" in told and told.count("Which cards:") == 4
        assert "Cards with rules of their own" in told and "Chances of one roll" in told
        assert "an up Scoring card must be played instead" in text(front.face)


def test_front_says_what_comes_before_dealing() -> None:
    """Where cards are laid up first, the setup on the front sends the reader to the back (S-94, S-127 to S-130)."""
    told_ = {
        module
        for module in GAMES
        if any("before you deal" in line for line in tweak_sheet.front(spec(), module)["places"])
    }
    assert told_ == {"paths-of-glory", "empire-of-the-sun"}


def test_chart_is_on_the_sheets_that_use_it() -> None:
    """The random selection chart is part of two sheets: Wilderness War, and the second one of Washington's War."""
    rows = [*({"module": module} for module in GAMES), *spec().components["tweak-sheet-cards"].faces]
    with_chart = [row for row in rows if component_data("tweak-back", spec(), row)["chart"]]
    assert with_chart == [{"module": "wilderness-war"}, {"more": True, "module": "washingtons-war"}]


def test_germany_leaves_a_blank_for_prussia() -> None:
    """The chits of Prussia are not known: the sheet has a blank to write them in (SR-53)."""
    assert "Prussia: ____" in text(drawn("K-8", row_of("K-8", module="germany")).face)


def test_jolly_roger_line() -> None:
    """Six sheets say that the Jolly Roger does nothing more, one that it lets cards be added (S-64, S-65)."""
    nothing = {m for m in GAMES if any("no further effect" in note for note in tweak_sheet.front(spec(), m)["notes"])}
    assert nothing == set(GAMES) - {"commands-and-colors"}


def test_jolly_roger_plays_a_special_card_of_ones_own_game() -> None:
    """In a game of one's own the row of the Jolly Roger names a face-up Scoring card first, in either form (S-98)."""
    for form in ("long", "short"):
        plays = {text.result: text.play for text in tweak_sheet.results(spec(), "generic-card", form)}
        assert plays["C_JR"].replace("*", "").startswith("an up Scoring card°")
        assert not any("Scoring" in play for result, play in plays.items() if result != "C_JR")


def test_too_long_a_sheet_is_a_finding() -> None:
    """A sheet with more text than front and back hold is a finding, sheet_overflow, never a third page (SD-7)."""
    modules = spec().data["modules"]
    long = {
        **modules["germany"],
        "sheet_back": [*modules["germany"]["sheet_back"], *["More: " + "and more " * 300] * 9],
    }
    other = replaced(spec(), data={**spec().data, "modules": {**modules, "germany": long}})
    data = component_data("tweak-back", other, {"module": "germany"})
    result = draw(workshop().kit, "cdg_solo/tweak-back.svg", data, CardCount("", "tweak-back"))
    (found,) = tweak_sheet.component_findings(result.findings)
    assert (found.code, found.severity) == ("sheet_overflow", "error") and found.fix and found.rules


def test_sheet_has_no_rule_ids() -> None:
    """The sheets tell rules, not the ids of rules."""
    for module in GAMES:
        assert not any(re.search(r"\bSR?-\d", f"{p.head} {p.body}") for p in tweak_sheet.paragraphs(spec(), module))


@pytest.mark.full
def test_printed_kit_passes_its_own_check() -> None:
    """The measures and texts that are printed are those that the kit is checked for (SD-8, S-20)."""
    mm = component_data("record", spec(), {})["mm"]
    mat, across, cells = mm["mat"], spec().data["print"]["columns"], {"K-4": 8, "K-4d": 4, "K-5": 8, "K-5d": 4}
    sizes: dict[str, dict[str, Any]] = {
        **{k: {"place": mat["place"], "title_bar": mat["bar"], "chit": mat["chit"]} for k in ("K-1", "K-2", "K-3")},
        **{k: {"face": [z, z], "grid": [z * across, z * cells[k]]} for k, z in mm["counter"].items()},
    }
    for key, known in spec().components.items():
        if known.id not in sizes and known.id in spec().data["printed"]:
            size = drawn(key, (known.rows or ({},))[0]).face.size
            part = "grid" if known.id == "K-6" else "face"
            sizes[known.id] = {part: [size.width / 1000, size.height / 1000]}
    assert sizes.keys() == spec().data["printed"].keys()
    parts = [
        {"id": key, "part": part, "width": size[0], "height": size[1]}
        for key, measured in sizes.items()
        for part, size in measured.items()
    ]
    sheets = [
        {"texts": {text.result: text.flip + text.play + text.fill for text in tweak_sheet.results(spec(), module)}}
        for module in GAMES
    ]
    assert judge("cdg.validate_print", {"kit": {"parts": parts, "sheets": sheets}})["codes"] == []


@every("module", GAMES)
def test_kit_of_a_game(module: str) -> None:
    """A kit is two mats, counters or hand-size markers, an aid for the die, the sheet, the card, the chart (SD-8).

    With it come the markers and the record that serve any game.
    """
    rules = spec().data["modules"][module]
    mats = f"mat-{rules['layout'].replace('_', '-')}"
    counters = {"hand-markers": 2} if module == "commands-and-colors" else {"counters-5-8": 1}
    chart = {"random-selection": 1} if rules["selection_chart"]["in_kit"] else {}
    cards = {"tweak-sheet-cards": 1} if module in ("empire-of-the-sun", "washingtons-war") else {}
    kit = {mats: 2, **counters, "die-card": 1, "tweak-sheet": 1, **cards, **chart, "quick-reference": 1}
    found = {part.key: len(part.faces) for part in select_components(spec(), ComponentChoice(module=module))}
    assert found == {**kit, "markers": 10, "session-record": 1}


@pytest.mark.parametrize("layout", ["pile_in_c", "virtual_c", "card_in_c"])
def test_kit_of_a_template(layout: str) -> None:
    """Each template has mats, counters, a sheet to write on and a quick reference of its own, as a game has (SD-6)."""
    for module in sorted(set(spec().data["modules"]) - set(GAMES)):
        if spec().data["modules"][module]["layout"] == layout:
            found = {part.key: len(part.faces) for part in select_components(spec(), ComponentChoice(module=module))}
            mats = f"mat-{layout.replace('_', '-')}"
            assert found.items() >= {mats: 2, "counters-5-8": 1, "tweak-sheet": 1, "quick-reference": 1}.items()


def test_kit_has_what_is_named_besides() -> None:
    """Other counters and the stickers are printed when they are named, for one module alone too."""
    named = select_components(spec(), ComponentChoice(["counters-1-2-duplex", "K-6"], module="germany"))
    assert [(part.key, len(part.faces)) for part in named] == [("counters-1-2-duplex", 1), ("die-stickers", 1)]
    with pytest.raises(UsageError, match="germanny"):
        select_components(spec(), ComponentChoice(module="germanny"))


def test_sides_are_told_without_colour() -> None:
    """The first side has square marks, the second round ones, in every game: colour only helps."""
    for module in GAMES:
        data = component_data("counters", spec(), {"component": "K-4", "faces": "both", "module": module})
        assert [side["round"] for side in data["sides"]] == [False, True]


def samples() -> list[dict[str, str]]:
    with (game(KEY).folder.path / "cards.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_demonstration_decks_are_55_cards_a_side() -> None:
    """The invented decks have 55 cards a side, numbered without a gap, each with title, side, kinds and ops or none."""
    for side in ("S1", "S2"):
        cards = [card for card in samples() if card["side"] == side]
        assert [int(card["number"]) for card in cards] == list(range(1, 56))
        assert len({card["name"] for card in cards}) == 55
        assert all(card["kinds"] and card["set"] == "sample" for card in cards)
        assert all(card["ops"] or "scoring" in card["kinds"] for card in cards)


@pytest.mark.full
def test_sample_faces_have_no_finding() -> None:
    """Every sample card's face shows number, title, ops and note whole."""
    for line in samples():
        values: dict[str, Any] = {key: value for key, value in line.items() if value and key != "ref"}
        values |= {"number": int(line["number"]), "kinds": line["kinds"].split("; ")}
        values |= {"ops": int(line["ops"])} if line["ops"] else {}
        card = spec().card(line["ref"], values)
        result = draw(workshop().kit, "cdg_solo/card.svg", face_data(card, spec()), CardCount(card.ref, card.name))
        assert [finding.message for finding in result.findings] == []
        said = text(result.face)
        assert card.name in said and f"#{line['number']}" in said
        assert not line["ops"] or line["ops"] in words(result.face)
        assert "Sample card" in said and "generic-separate" not in said


def test_plates_are_drawn_at_both_heights() -> None:
    """Every composition that a title, a kind or chance may name is in the template folder, low and high."""
    table = spec().data["plates"]
    named = {motif for _, motif in table["words"]} | set(table["kinds"].values()) | set(table["others"])
    motifs = {motif.rstrip("-123456789") for motif in named}
    assert set(table["compositions"]) <= motifs
    drawn = {name for name in workshop().kit.library.by_id if name.startswith("plate-")}
    heights = ("low", "high")
    counts = [(motif, table["compositions"].get(motif, 1)) for motif in motifs]
    assert drawn == {
        f"plate-{m}-{n}-{height}" for m, count in counts for n in range(1, count + 1) for height in heights
    }


@every("title, kinds, motif", [
        ("The Gorge Railway", (), "viaduct"), ("Foundry Orders", (), "foundry"), ("Gunboats on the Flank", (), "fleet"),
        ("Pontoon Train", (), "pontoon"),
        ("Zzz", ("ops", "response"), "telegraph"), ("Reckonings", ("scoring",), "map"),
    ])  # fmt: skip
def test_plate_by_title_then_by_kind(title: str, kinds: tuple[str, ...], motif: str) -> None:
    """A plate shows what the title names, else what the kind is about; the same title always has the same plate."""
    plate = plate_of(title, kinds, spec().data["plates"])
    assert plate.name.rpartition("-")[0] == motif
    assert plate == plate_of(title, kinds, spec().data["plates"])


def test_faces_use_all_compositions() -> None:
    """The sample decks show every composition but few, so that a hand does not repeat itself."""
    table = spec().data["plates"]
    used = {plate_of(line["name"], line["kinds"].split("; "), table).name for line in samples()}
    assert len(used) >= sum(table["compositions"].values()) - 2


@pytest.mark.full
def test_sides_of_a_face_differ_without_colour() -> None:
    """The block of the operations value is square for the first side, round for the second, cut for both."""
    blocks = []
    for side in ("S1", "S2", "both"):
        values = {"name": "Zzz", "number": 1, "side": side, "ops": 2, "kinds": ["ops"]}
        card = spec().card("generic-separate:1", {"type": "card", **values})
        face = draw(workshop().kit, "cdg_solo/card.svg", face_data(card, spec()), CardCount(card.ref, card.name)).face
        blocks.append({shape.ops for shape in walk(face.shapes) if isinstance(shape, display_list.Path)})
    assert blocks[0] != blocks[1] != blocks[2] != blocks[0]


def test_face_of_a_common_deck() -> None:
    """A card of a common deck shows its number alone; one of either side has a mark of its own."""
    values = {"name": "Both", "type": "card", "deck": "main", "number": 14, "side": "both", "ops": 2, "kinds": ["ops"]}
    data = face_data(spec().card("germany:14", values), spec())
    assert data["number"] == "#14"
    assert data["side"]["round"] is None
    assert data["game"] == "Germany"


def test_back_is_the_same_after_a_half_turn() -> None:
    """A back cannot tell which way up its card lies, and each end has the name."""
    face = draw(workshop().kit, "cdg_solo/back.svg", component_data("back", spec(), {}), CardCount("", "back")).face
    assert words(face) == [spec().data["print"]["method"]] * 2
    found = {(x, y, w, h) for x, y, w, h in boxes(face)}
    for x, y, w, h in found:
        turned = (face.size.width - x - w, face.size.height - y - h, w, h)
        assert any(max(abs(a - b) for a, b in zip(turned, other, strict=True)) <= 2 for other in found)


def guide() -> str:
    path = Path(game(KEY).folder.path) / "guide.md"
    source = path.read_text("utf-8")
    return rendered(source, spec().data)


def rendered(source: str, data: Mapping[str, Any]) -> str:
    cards = {card.ref: {**card.values, "name": card.name} for card in game(KEY).own_cards}
    context = {
        "game": spec(),
        "data": data,
        "options": spec().readings,
        "judge": lambda operation, question: game(KEY).operations[operation].ask(spec(), question),
        "card": cards.__getitem__,
    }
    return Templates({"guide.md": without_figures(source)}).render("guide.md", context)


def test_guide_names_known_rules() -> None:
    """Every rule id of the guide is one of the rule book."""
    known = game(KEY).rule_book.rules
    told_ = re.findall(r"[A-Z]+-\d+", " ".join(re.findall(r"\{([^{}]*)\}", guide())))
    assert told_ and set(told_) <= set(known)


def test_every_printed_rule_is_told() -> None:
    """Every rule that is to be printed is told by the guide or on a component."""
    told_ = set(re.findall(r"[A-Z]+-\d+", guide()))
    missing = [row.rule for row in coverage(game(KEY)) if "P" in row.missing and row.rule not in told_]
    assert missing == []


@usually("paper", ["letter", "a4"], "a4")
@pytest.mark.full
def test_guide_is_two_pages(paper: str) -> None:
    """Without pictures and what leads to them, the method's rules fit on two pages, on Letter and on A4 (S-3)."""
    found = read_guide(game(KEY), voice="rulebook")
    assert found.findings == ()
    blocks = found.document.blocks
    words = tuple(
        block
        for block, following in pairwise((*blocks, None))
        if block
        and not isinstance(block, Figure)
        and not (isinstance(following, Figure) and isinstance(block, Paragraph) and plain(block.content).endswith(":"))
    )
    document = replace(found.document, blocks=words, plate="")
    assert print_guide(game(KEY), Guide(document, ()), "pdf", paper).pages == 2


def test_guide_has_no_figure_of_its_own() -> None:
    """A die table of another order changes the guide's table: its figures come from the data."""
    modules = spec().data["modules"]
    turned = {
        **modules["generic-separate"],
        "die_table": {"1": "UP", "2": "AB", "3": "DE", "4": "ABC", "5": "CDE", "6": "C_JR"},
    }
    data = {**spec().data, "modules": {**modules, "generic-separate": turned}}
    source = (Path(game(KEY).folder.path) / "guide.md").read_text("utf-8")
    other = rendered(source, data)
    assert "| **1** face up" in other and "| **1** C, Jolly Roger" in guide()
