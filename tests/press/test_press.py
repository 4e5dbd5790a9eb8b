"""Whole jobs: sheets, components, pictures, deck lists."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path

import pypdfium2
import pytest
import segno
from PIL import Image

from carddb.cards.cards import Card, Pool
from carddb.core.errors import UsageError
from carddb.core.units import Size, mm
from carddb.deck import Context, check
from carddb.findings import Severity, error
from carddb.games import Game, folders, load
from carddb.layout.display_list import PlacedImage, walk
from carddb.press.components.components import print_components
from carddb.press.components.selection import ComponentChoice, select_components
from carddb.press.documents.decklist import deck_lists_pdf
from carddb.press.documents.decklist_text import CheckedDeck
from carddb.press.faces.bank import FaceBank
from carddb.press.faces.workshop import Workshop, open_workshop
from carddb.press.sheets.options import SheetOptions
from carddb.press.sheets.sheets import print_cards
from carddb.read.cards.file import CardReading, read_cards
from carddb.read.decks.text import read_deck
from tests.conftest import OUTSIDE
from tests.paint.display_dump import dump
from tests.rows import every, usually

DECK_DAY = date(2026, 11, 21)


def page_text(data: bytes, page: int = 0) -> str:
    """The text of a page as a reader copies it."""
    return str(pypdfium2.PdfDocument(data)[page].get_textpage().get_text_bounded())


def some(pool: Pool, count: int) -> list[tuple[Card, int]]:
    """Cards of every type, one copy each."""
    by_type: dict[str, list[Card]] = {}
    for card in pool:
        by_type.setdefault(card.type, []).append(card)
    return [(cards[0], 1) for cards in by_type.values()][:count]


def test_every_sample_card_is_drawn_without_a_finding(workshop: Workshop, pool: Pool) -> None:
    """All sample cards pass inspection at 3 × 5 inches and at playing-card size."""
    for size in (None, Size(mm(63.5), mm(88.9))):
        bank = FaceBank(workshop, size)
        for card in pool:
            bank.front(card)
            bank.back(card)
        assert [finding.message for finding in bank.findings] == []


def test_every_component_is_drawn_without_a_finding(workshop: Workshop) -> None:
    """All components pass inspection."""
    printed = print_components(workshop, [], SheetOptions(), players=2)
    assert printed.findings == ()


@pytest.mark.parametrize("ref", ["EG-CAR-001", "EG-CAR-016", "EG-MAL-051", "EG-HAN-061", "EG-AOG-001", "EG-MYS-001"])
def test_faces_are_as_they_were(workshop: Workshop, pool: Pool, golden: Callable[[str, str], None], ref: str) -> None:
    """The display list of a face is the golden: every shape and every word at its place."""
    card = pool.get(ref)
    assert card is not None
    bank = FaceBank(workshop)
    text = dump(bank[bank.front(card)])
    words = "\n".join(line for line in text.splitlines() if " run " in f" {line} " or line.startswith("face"))
    golden(f"faces/{ref}.txt", words + "\n")


def test_the_same_card_has_the_same_emblem_and_another_empire_another(workshop: Workshop, pool: Pool) -> None:
    """A face depends on its card alone."""
    card = pool.get("EG-CAR-011")
    assert card is not None
    one, two = FaceBank(workshop), FaceBank(workshop)
    assert dump(one[one.front(card)]) == dump(two[two.front(card)])
    other = Card(card.game, card.ref, {**card.values, "empire": "Mali"})
    three = FaceBank(workshop)
    assert dump(three[three.front(other)]) != dump(one[0])


@pytest.mark.door
def test_two_runs_give_the_same_bytes(game: Game, pool: Pool) -> None:
    """The same cards make the same file, byte for byte."""
    cards = some(pool, 9)
    one = print_cards(open_workshop(game, pool), cards, SheetOptions(), "t", "d")
    two = print_cards(open_workshop(game, pool), cards, SheetOptions(), "t", "d")
    assert one.data == two.data


def test_a_folded_sheet_has_fronts_and_backs_on_one_side(workshop: Workshop, pool: Pool) -> None:
    """Cards of a folded job, with their backs, are one page that says its cards' words."""
    printed = print_cards(workshop, some(pool, 3), SheetOptions(card_size="poker", fold=True), "t")
    assert (printed.pages, printed.sheets) == (1, 1)
    assert some(pool, 1)[0][0].name in page_text(printed.data)


def test_copies_of_a_deck_are_all_printed(workshop: Workshop, pool: Pool) -> None:
    """Three cards in two, three and one copies fill two sheets of four, with backs."""
    cards = [(card, n) for (card, _), n in zip(some(pool, 3), (2, 3, 1), strict=True)]
    printed = print_cards(workshop, cards, SheetOptions(), "t")
    assert (printed.cards, printed.sheets, printed.pages) == (6, 2, 4)
    assert page_text(printed.data).count(cards[0][0].name) >= 2


def test_the_text_of_a_sheet_can_be_copied(workshop: Workshop, pool: Pool) -> None:
    """Names, rules text and the footer extract as they were typed."""
    card = pool.get("EG-HAN-062")
    assert card is not None
    text = page_text(print_cards(workshop, [(card, 1)], SheetOptions(), "t", "My deck").data)
    for words in (card.name, "EG-HAN-062", "HAN CHINA", "My deck", "sheet 1 of 1"):
        assert words in " ".join(text.split())


def test_a_picture_on_many_cards_is_read_once(game: Game, pool: Pool, tmp_path: Path) -> None:
    """Art replaces the emblem, and one file on two cards is one image."""
    Image.new("RGB", (600, 400), "#336699").save(tmp_path / "sea.png")
    cards = [Card(c.game, c.ref, {**c.values, "art": "sea.png"}) for c, _ in some(pool, 2)]
    workshop = open_workshop(game, cards, tmp_path)
    bank = FaceBank(workshop)
    for card in cards:
        shown = [shape for shape in walk(bank[bank.front(card)].shapes) if isinstance(shape, PlacedImage)]
        assert len(shown) == 1
    assert bank.findings == []
    assert len(workshop.images) == 1


def test_components_are_found_by_name_and_by_id(game: Game) -> None:
    """PE-7 is the Attack Resolution card."""
    assert [part.key for part in select_components(game.spec, ComponentChoice(["PE-7"]))] == ["attack-resolution"]
    assert [part.key for part in select_components(game.spec, ComponentChoice(["pe-6"]))] == [
        "play-map-card",
        "play-map",
    ]


@pytest.mark.parametrize("names", [["deck-list"], ["deck-list", "title"]])
def test_what_is_not_drawn_is_refused(workshop: Workshop, names: list[str]) -> None:
    """A deck list is a document: it is refused by name, with others too, and told where it is made."""
    with pytest.raises(UsageError, match="no drawing of Deck list") as told:
        print_components(workshop, names, SheetOptions())
    assert "carddb decklist" in told.value.remedy


def test_a_mat_larger_than_the_paper_is_cut_over_pages(workshop: Workshop) -> None:
    """The play map takes three Letter pages with joining marks, and one page of A3, which speaks of no parts."""
    three = print_components(workshop, ["play-map"], SheetOptions(), 1)
    whole = print_components(workshop, ["play-map"], SheetOptions(paper="a3"), 1)
    assert (three.pages, whole.pages) == (3, 1)
    assert "part 1 of 3: cut and join" in words(three.data) and "part 1" not in words(whole.data)


def words(data: bytes) -> str:
    """The text of a PDF's first page."""
    return str(pypdfium2.PdfDocument(data)[0].get_textpage().get_text_bounded())


def judged(game: Game, pool: Pool, text: str) -> CheckedDeck:
    """A deck text with its findings."""
    deck, found = read_deck(text, game.spec, pool, "a.deck")
    findings = [*found, *check(deck, game.spec, pool, Context(on=DECK_DAY), game.hook("CHECKS"))]
    return CheckedDeck(deck, tuple(findings), "Free For All", DECK_DAY, "abcd1234")


def listed(workshop: Workshop, checked: CheckedDeck, paper: str = "letter") -> tuple[int, str]:
    """The number of pages of a deck list about whose pages nothing is found, and their words."""
    data, _, findings = deck_lists_pdf([(workshop, checked)], paper)
    assert findings == []
    pages = len(pypdfium2.PdfDocument(data))
    return pages, " ".join(" ".join(page_text(data, page).split()) for page in range(pages))


@usually("name", ["legal", "illegal"])
@usually("paper", ["letter", "a4"])
def test_the_deck_list_shows_the_verdict(workshop: Workshop, game: Game, pool: Pool, name: str, paper: str) -> None:
    """Verdict with day and format, fingerprint and every card, on one page, or two of a long illegal list."""
    text = (game.folder.path / "decks" / "demo" / f"{name}.deck").read_text("utf-8")
    answer = judged(game, pool, text)
    pages, words = listed(workshop, answer, paper)
    assert pages == 1 or (name == "illegal" and pages == 2)
    assert ("Not legal" in words) == (name == "illegal")
    assert "21 November 2026" in words
    for entry in answer.deck.entries:
        assert (entry.card.name if entry.card else entry.name) in words
    assert answer.deck.fingerprint()[8:12] in words


def test_the_qr_code_of_a_deck_list_is_printed_as_it_is(workshop: Workshop, game: Game, pool: Pool) -> None:
    """Every module of the code is dark or light on paper as the encoder has it, with nothing else beside it."""
    text = (game.folder.path / "decks" / "demo" / "legal.deck").read_text("utf-8")
    answer = replace(judged(game, pool, text), code="http://192.168.1.5:8765/events/cup/find?q=carddb1:7f3a9c21d0")
    data, _, findings = deck_lists_pdf([(workshop, answer)], "a4")
    assert findings == []
    page = pypdfium2.PdfDocument(data)[0]
    words = page.get_textpage()
    match = words.search("Fingerprint").get_next()
    assert match
    left, _, _, top = words.get_charbox(match[0])
    dots = 300 / 72
    shown = page.render(scale=dots).to_pil().convert("L").point(lambda shade: 255 * (shade < 128))
    above = round((page.get_height() - top - 6) * dots)
    code = shown.crop((0, above, round((left - 10) * dots), above + round(56 * dots)))
    code = code.crop(code.getbbox())
    bits = segno.make(answer.code, error="m", micro=False).matrix
    module = 15.6 / 25.4 * 72 / len(bits) * dots
    assert abs(code.width - module * len(bits)) < 3 and abs(code.height - module * len(bits)) < 3
    places = [
        [(round((x + 0.5) * module), round((y + 0.5) * module)) for x in range(len(bits))] for y in range(len(bits))
    ]
    assert [[bool(code.getpixel(place)) for place in row] for row in places] == [
        [bool(bit) for bit in row] for row in bits
    ]


def test_a_long_deck_list_goes_on_to_further_pages(workshop: Workshop, game: Game, pool: Pool) -> None:
    """Every sample card once is more than a page holds; no card is lost, the foot stands once."""
    lines = "\n".join(f"1 {card.name} [{card.ref}]" for card in pool)
    pages, words = listed(workshop, judged(game, pool, f"Game: {game.key}\n## Playing\n{lines}\n"))
    assert pages > 1 and words.count("Fingerprint") == 1
    assert all(card.name in words for card in pool)


@pytest.mark.full
@pytest.mark.parametrize("paper", ["letter", "a4"])
def test_every_sample_deck_has_its_list_on_one_page(workshop: Workshop, game: Game, pool: Pool, paper: str) -> None:
    """Every sample deck takes one page, and a second only from forty different cards on."""
    for path in game.folder.decks:
        checked = judged(game, pool, path.read_text("utf-8"))
        pages = listed(workshop, checked, paper)[0]
        assert pages == 1 or (pages == 2 and len({entry.ref for entry in checked.deck.entries}) >= 40), path.name


def test_rows_are_never_under_thirteen_points(workshop: Workshop, game: Game, pool: Pool) -> None:
    """A deck of sixty different cards fits on one Letter page; one of ninety takes a second page, not lower rows."""
    plain = [card for card in pool if card.get("rarity") != "ultra_rare"]
    for count, pages in ((60, 1), (90, 2)):
        lines = "\n".join(f"1 {card.name}" for card in plain[:count])
        assert listed(workshop, judged(game, pool, f"Game: {game.key}\n{lines}\n"))[0] == pages


def test_findings_of_a_deck_list_are_whole(workshop: Workshop, game: Game, pool: Pool) -> None:
    """However long findings are, all of their words stand on paper."""
    long = " ".join(f"word{number}" for number in range(70))
    findings = tuple(error(f"code_{number}", long, rules=("E-1",), fix=long[:200]) for number in range(12))
    checked = replace(judged(game, pool, f"Game: {game.key}\n1 Maharbal\n"), findings=findings)
    _, words = listed(workshop, checked)
    assert (words.count("word69"), words.count("word24")) == (12, 24)


def test_brief_findings_stand_beside_the_verdict(workshop: Workshop, game: Game, pool: Pool) -> None:
    """Up to twelve brief findings stand beside the verdict; of thirteen, eight do, and the others follow the cards."""
    checked = judged(game, pool, f"Game: {game.key}\n1 Maharbal\n")
    for count, following in ((12, ""), (13, "9")):
        findings = tuple(error(f"code_{number}", f"Fault {number}.", fix="Mend it.") for number in range(count))
        _, words = listed(workshop, replace(checked, findings=findings))
        _, _, further = words.partition("Further findings")
        assert further.split()[:1] == following.split()


@pytest.mark.full
def test_the_printed_findings_are_bounded(workshop: Workshop, game: Game, pool: Pool) -> None:
    """A deck of 900 unknown cards is printed with a hundred of them and of its findings; the list tells the rest."""
    lines = "\n".join(f"1 Nobody{number}" for number in range(900))
    checked = judged(game, pool, f"Game: {game.key}\n{lines}\n")
    _, words = listed(workshop, checked)
    more = sum(finding.severity is not Severity.INFO for finding in checked.findings) - 100
    assert f"and {more} more, which carddb check shows" in words and "and 800 more, which" in words
    assert len(re.findall(r"\b1 Nobody\d+", words)) == 100
    assert "100" in words and "101 " not in words.partition("Further findings")[2]


@pytest.mark.full
def test_the_sections_of_a_deck_list_carry_their_names(workshop: Workshop, game: Game, pool: Pool) -> None:
    """Over cards of a type stands the type with its section; over what does not belong there, that it is in it."""
    legal = (game.folder.path / "decks" / "demo" / "legal.deck").read_text("utf-8")
    illegal = (game.folder.path / "decks" / "demo" / "illegal.deck").read_text("utf-8")
    _, words = listed(workshop, judged(game, pool, legal))
    assert all(heading in words for heading in ("Generals", "Playing deck", "Resources", "Resource deck"))
    _, words = listed(workshop, judged(game, pool, illegal))
    assert "Resources in Playing deck" in words and "Unknown cards" in words
    assert "Alexios I Komnenos 5 6 Soldiers" in words
    cdg, _ = load(folders()["cdg-solo"])
    assert cdg is not None
    demonstration = judged(cdg, Pool(cdg.own_cards), cdg.folder.decks[0].read_text("utf-8"))
    _, words = listed(open_workshop(cdg, cdg.own_cards), demonstration, "a4")
    assert "Deck of side 1 55" in words and "Deck of side 2 55" in words and "Japanese" not in words


def test_long_names_stay_on_their_lines(workshop: Workshop, game: Game, pool: Pool) -> None:
    """A long deck, player or card name is broken or cut, and takes no further page."""
    long = "The Most Excellent and Far Travelled Company of the Western Isles"
    text = f"Name: {long}\nPlayer: {long}\nEvent: {long}\nGame: {game.key}\n3 {long} {long} {long}\n"
    assert listed(workshop, judged(game, pool, text))[0] == 1


def test_a_sixth_game_is_printed_with_its_own_folder_alone(tmp_path: Path) -> None:
    """A game outside the package has faces, backs and components without an edit of the package."""
    shutil.copytree(OUTSIDE / "lanterns", tmp_path / "lanterns")
    game, findings = load(folders([(tmp_path, True)])["lanterns"])
    assert game is not None and not findings
    file = read_cards(tmp_path / "lanterns" / "cards.csv", CardReading(game.spec, "mine", tmp_path))
    cards = [game.spec.card(record.ref, record.values) for record in file.records]
    workshop = open_workshop(game, cards)
    printed = print_cards(workshop, [(card, 2) for card in cards], SheetOptions(), "Lanterns")
    assert printed.findings == ()
    assert (printed.sheets, printed.pages) == (1, 2)
    assert print_components(workshop, [], SheetOptions(), 1).cards == 4


def test_a_deck_list_needs_room(workshop: Workshop, game: Game, pool: Pool) -> None:
    """A paper too small for a deck list is refused, not filled with fragments."""
    with pytest.raises(UsageError, match="needs paper"):
        deck_lists_pdf([(workshop, judged(game, pool, "3 Maharbal\n"))], "a5")


def test_a_picture_that_cannot_be_read_stops_no_other_card(game: Game, pool: Pool, tmp_path: Path) -> None:
    """A truncated picture is a finding that names the card; the face is drawn all the same."""
    Image.new("RGB", (300, 200), "#336699").save(tmp_path / "whole.png")
    (tmp_path / "half.png").write_bytes((tmp_path / "whole.png").read_bytes()[:200])
    cards = [Card(c.game, c.ref, {**c.values, "art": "half.png"}) for c, _ in some(pool, 1)]
    printed = print_cards(open_workshop(game, cards, tmp_path), [(cards[0], 1)], SheetOptions(), "t")
    assert [finding.code for finding in printed.findings] == ["image_invalid"]
    assert cards[0].ref in printed.findings[0].message


def test_a_page_sized_component_stands_in_the_middle_of_other_paper(workshop: Workshop) -> None:
    """The score sheet is a Letter page; on A4 it is centred, at its size, with nothing around it."""
    options = (SheetOptions(paper="letter"), SheetOptions(paper="a4"))
    made = [print_components(workshop, ["score-sheet"], option).data for option in options]
    pages = [pypdfium2.PdfDocument(data)[0] for data in made]
    assert [round(n) for n in pages[1].get_size()] == [595, 842]
    texts = [page.get_textpage().get_text_bounded() for page in pages]
    assert texts[0] == texts[1] and "50 mm" not in texts[1]


@every(
    "kind", ["general", "soldier", "kingdom", "strategy", "tactics", "resource", "capitol", "act_of_god", "reference"]
)
def test_every_type_has_a_face_at_every_size(game: Game, workshop: Workshop, kind: str) -> None:
    """A card of each of the nine types with the least it may have is drawn at all three sizes of the game."""
    values = {
        "name": "Plain",
        "type": kind,
        "strength": 1,
        "life": 1,
        "amount": 1,
        "text": "Effect: nothing.",
        "set": "x",
    }
    own = {**game.spec.fields_of(kind), "name": None, "type": None, "set": None}
    card = game.spec.card("P-1", {name: value for name, value in values.items() if name in own})
    for size in (None, Size(mm(63.5), mm(88.9)), Size(mm(127), mm(177.8))):
        bank = FaceBank(workshop, size)
        bank.front(card)
        assert bank.back(card) is not None
        assert bank.findings == []
