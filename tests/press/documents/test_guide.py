"""The rule sheets of the games: what they tell, and how they are written."""

from __future__ import annotations

import io
import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from html import escape
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from PIL import ImageChops

import carddb
from carddb.core.errors import UsageError
from carddb.game.frozen import build, replaced
from carddb.game.game import GameSpec
from carddb.games import Game, folders, load
from carddb.games.opening.spec_reader import rule_ids
from carddb.layout.documents.blocks import Figure, Span, contents, pictures
from carddb.press.documents.guide import Guide, RuleSheet, print_guide, read_guide
from carddb.press.faces.workshop import families_of
from tests.conftest import OUTSIDE, Told
from tests.paint.documents.samples import words_on_paper, words_on_the_web
from tests.rows import usually

Call = Callable[..., Told]
WITH_A_GUIDE = [key for key, folder in folders().items() if folder.guide_file.is_file()]


@pytest.fixture(scope="module", params=WITH_A_GUIDE)
def told(request: pytest.FixtureRequest) -> Game:
    """Each game that has a rule sheet."""
    game, findings = load(folders()[request.param])
    assert game is not None, findings
    return game


@pytest.fixture
def lanterns(folder: Path) -> Callable[[str], Path]:
    """The toy game with another rule sheet."""

    def made(text: str) -> Path:
        shutil.copytree(OUTSIDE / "lanterns", folder / "lanterns")
        (folder / "lanterns" / "guide.md").write_text(text, "utf-8")
        return folder / "lanterns"

    return made


guide_of = cache(read_guide)


@cache
def printed(game: Game, kind: str, paper: str) -> RuleSheet:
    """A game's rule sheet as it is printed."""
    return print_guide(game, guide_of(game), kind, paper)


def test_a_rule_sheet_is_without_findings(told: Game) -> None:
    """It is read whole, and names only rules that the game has."""
    assert guide_of(told).findings == ()


def test_every_printed_rule_is_printed(told: Game) -> None:
    """Each rule tagged P is told by the reference, or shown by a component or by the faces of the cards."""
    printed = set(read_guide(told, voice="reference").rules)
    printed |= {rule for path, rule in rule_ids(told.spec) if path[0] in ("components", "face_rules")}
    wanted = {name for name, rule in told.rule_book.rules.items() if "P" in (rule.tag, *rule.also)}
    assert wanted - printed == set()


def without_pictures(guide: Guide) -> Guide:
    """A rule sheet without its pictures, which have words of their own."""
    blocks = tuple(block for block in guide.document.blocks if not isinstance(block, Figure))
    return replace(guide, document=replace(guide.document, blocks=blocks))


@usually("paper", ["letter", "a4"])
@usually("told", WITH_A_GUIDE, "guarda", indirect=True)
def test_a_rule_sheet_has_the_same_words_on_paper_and_on_the_web(told: Game, paper: str) -> None:
    """The PDF and the page tell the same, and every letter of it is found."""
    guide = without_pictures(guide_of(told))
    sheet, page = print_guide(told, guide, "pdf", paper), print_guide(told, guide, "html", "letter")
    assert sheet.findings == page.findings == ()
    on_paper, on_the_web = words_on_paper(sheet.data), words_on_the_web(page.data)
    assert sorted({*on_paper} - {"(continued)"}) == sorted(set(on_the_web))  # a table that goes on has its title again
    assert len(on_paper) >= len(on_the_web)  # heads of tables come again in the next column
    assert sheet.pages == len(pypdfium2.PdfDocument(sheet.data))


@usually("told", WITH_A_GUIDE, "guarda", indirect=True)
@pytest.mark.full
def test_what_a_picture_shows_is_said_on_paper_and_on_the_web(told: Game) -> None:
    """Every picture of a rule sheet has words for who does not see it, in the PDF and in the page."""
    words = [picture.text for picture in pictures(guide_of(told).document.blocks)]
    page = printed(told, "html", "letter").data.decode()
    with pikepdf.open(io.BytesIO(printed(told, "pdf", "letter").data)) as sheet:
        alternatives = {
            str(each["/Alt"]) for each in sheet.objects if isinstance(each, pikepdf.Dictionary) and "/Alt" in each
        }
    assert all(f'alt="{escape(text)}"' in page and text in alternatives for text in words)


@usually("paper", ["letter", "a4"])
def test_a_summary_is_one_page(told: Game, paper: str) -> None:
    """The rules in short have their ids, no finding, and one page on either paper."""
    guide = read_guide(told, voice="summary")
    sheet = print_guide(told, guide, "pdf", paper)
    assert guide.findings == sheet.findings == () and len(guide.rules) > 20
    assert sheet.pages == 1


@usually("told", WITH_A_GUIDE, "guarda", indirect=True)
@pytest.mark.full
def test_only_the_reference_has_ids_and_they_stand_in_its_margins(told: Game) -> None:
    """The rulebook has no id of a rule, but the signs of rulings and a line that leads to them."""
    rulebook, reference = (read_guide(told, voice=voice) for voice in ("rulebook", "reference"))
    words = " ".join(words_on_paper(print_guide(told, without_pictures(rulebook), "pdf").data))
    assert not [rule for rule in rulebook.rules if re.search(rf"\b{rule}\b", words)]
    assert rulebook.rules == reference.rules and {*reference.rules} <= {*guide_of(told).rules}, "rulings may name more"
    assert "°" in words and "see the Rulings" in rulebook.document.footnote
    shown = without_pictures(reference)
    sheet = " ".join(words_on_paper(print_guide(told, shown, "pdf").data))
    assert all(re.search(rf"\b{rule}\b", sheet) for rule in shown.rules)
    assert told.spec.sheet_words.index in sheet.split() and told.spec.sheet_words.index not in words.split()


@usually("told", WITH_A_GUIDE, "rishar", indirect=True)
def test_rulings_are_a_file_of_their_own(told: Game) -> None:
    """The appendix has every ruling with its reason and the credits, which no other sheet but the whole one has."""
    whole = [section.title for section in guide_of(told).document.sections]
    apart = [section.title for section in read_guide(told, voice="rulings").document.sections]
    assert apart and whole[-len(apart) :] == apart
    assert not set(apart) & {section.title for section in read_guide(told, voice="reference").document.sections}


@pytest.mark.full
def test_a_form_of_the_rules_is_chosen_by_an_option(call: Call, folder: Path) -> None:
    """Command line and Python write the same file; a reference is no booklet, and an unknown form is misuse."""
    call("guide", "guarda", "--reference", "-o", "a.pdf")
    assert carddb.open().guide("guarda", voice="reference").data == (folder / "a.pdf").read_bytes()
    refused = call("guide", "guarda", "--reference", "--booklet", "-o", "b.pdf")
    assert refused.code == 2 and not (folder / "b.pdf").exists()
    with pytest.raises(UsageError, match="rulebok"):
        carddb.open().guide("guarda", voice="rulebok")  # type: ignore[arg-type]


def test_a_summary_knows_no_readings_of_ones_own(call: Call, folder: Path) -> None:
    """It is printed as the game has it: another reading is misuse, and nothing is written."""
    refused = call("guide", "rishar", "--summary", "--option", "savant_stack=once", "-o", folder / "s.pdf")
    assert refused.code == 2 and "no house readings" in refused.err and not (folder / "s.pdf").exists()


@usually("told", WITH_A_GUIDE, "guarda", indirect=True)
def test_no_text_leaves_its_column(told: Game) -> None:
    """Every character of a rule sheet lies within the margins of its page, and none is smaller than six points."""
    for sheet in pypdfium2.PdfDocument(printed(told, "pdf", "letter").data):
        text = sheet.get_textpage()
        boxes = [text.get_charbox(at) for at in range(text.count_chars()) if not text.get_text_range(at, 1).isspace()]
        assert min(box[0] for box in boxes) > 52 and max(box[2] for box in boxes) < sheet.get_width() - 52
        sizes = {pypdfium2.raw.FPDFText_GetFontSize(text, at) for at in range(text.count_chars())}
        assert min(size for size in sizes if size > 1) >= 6


def test_figures_come_from_the_data(game: Game) -> None:
    """A figure of the game that changes changes in its rule sheet."""
    before = read_guide(game)
    spec = game.spec
    changed = Game(game.folder, replaced(spec, data={**spec.data, "hand": 11}))
    after = read_guide(changed)

    def words(guide: object) -> str:
        return "".join(part.text for line in contents(guide.document.blocks) for part in line if isinstance(part, Span))  # type: ignore[attr-defined]

    assert "Draw 7 cards" in words(before) and "Draw 11 cards" in words(after)
    assert before.document.fingerprint != after.document.fingerprint


def test_a_guide_is_written_by_its_ending(call: Call, folder: Path) -> None:
    """A PDF or a page of the web; the report on standard error names what was told."""
    for name, start in (("g.pdf", b"%PDF-1.7"), ("g.html", b"<!doctype html>"), ("G.HTM", b"<!doctype html>")):
        done = call("guide", "empires-and-generals", "-o", name)
        assert done.code == 0 and done.out == "" and name in done.err
        assert (folder / name).read_bytes().startswith(start)
    assert not (folder / "carddb.db").exists()


@pytest.mark.full
@pytest.mark.door
def test_the_same_guide_gives_the_same_bytes(call: Call, folder: Path) -> None:
    """Two runs write one file; SOURCE_DATE_EPOCH is the date in it."""
    for name in ("a.pdf", "b.pdf", "a.html", "b.html"):
        assert call("guide", "empires-and-generals", "-o", name, "--paper", "a4").code == 0
    assert (folder / "a.pdf").read_bytes() == (folder / "b.pdf").read_bytes()
    assert (folder / "a.html").read_bytes() == (folder / "b.html").read_bytes()
    with pikepdf.open(folder / "a.pdf") as file:
        assert str(file.docinfo["/CreationDate"]).startswith("D:20231114")
        assert [round(float(side)) for side in file.pages[0].MediaBox] == [0, 0, 595, 842]


def test_a_guide_as_json_tells_what_was_written(call: Call) -> None:
    """Title, pages, sections, rules, fingerprint and findings."""
    report = call("guide", "empires-and-generals", "-o", "g.pdf", "--lang", "de", "--json").json()
    assert report["schema"] == "carddb.guide/1" and report["file"] == "g.pdf" and report["pages"] >= 3
    assert "Winning" in report["sections"] and "E-106" in report["rules"] and report["findings"] == []
    assert re.fullmatch("[0-9a-f]{4}-[0-9a-f]{4}", report["fingerprint"])


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("guide", "empires-and-generals", "-o", "g.txt"), 2, "Name a .pdf or .html"),
        (("guide", "empires-and-generals", "-o", "g"), 2, "Name a .pdf or .html"),
        (("guide", "empires-and-generals", "-o", "-"), 2, "--format pdf"),
        (("guide", "empires-and-generals", "-o", "g.pdf", "--format", "html"), 2, "End the file's name in .html"),
        (
            ("guide", "empires-and-generals", "-o", "-", "--format", "pdf", "--json"),
            2,
            "would both write to standard output",
        ),
        (("guide", "empires-and-generals", "-o", "g.pdf", "--paper", "a3"), 2, "letter"),
        (("guide", "empires"), 2, "-o"),
        (("guide", "empire", "-o", "g.pdf"), 2, "empires-and-generals"),
    ],
)
def test_misuse_is_answered_with_what_is_accepted(call: Call, arguments: tuple[str, ...], code: int, said: str) -> None:
    """A wrong ending, a stream without a kind, an unknown game or paper."""
    done = call(*arguments)
    assert done.code == code and said in done.err


def test_a_rule_sheet_shows_what_its_game_prints(call: Call, folder: Path, lanterns: Callable[[str], Path]) -> None:
    """Figures name faces and components of the game; on paper they are drawn, on the web they are images."""
    text = '# L\n\n![A lamp](face:{}) ![A token](component:lanterns/token "Four each")\n'
    ref = re.search(r"^([^,\n]*\d),", (OUTSIDE / "lanterns" / "cards.csv").read_text("utf-8"), re.M)
    assert ref
    path = str(lanterns(text.format(ref[1])))
    for name in ("l.pdf", "l.html"):
        done = call("--games", path, "guide", "lanterns", "-o", name)
        assert done.code == 0, done.err
    assert (folder / "l.html").read_text("utf-8").count("<img ") == 2
    assert "Four each" in " ".join(words_on_paper((folder / "l.pdf").read_bytes()))


def test_a_game_without_a_rule_sheet_says_so(call: Call, folder: Path, lanterns: Callable[[str], Path]) -> None:
    """One sentence and what to do; nothing is written."""
    place = lanterns("")
    (place / "guide.md").unlink()
    done = call("--games", str(place), "guide", "lanterns", "-o", "l.pdf")
    assert done.code == 3 and "Lanterns has no rule sheet" in done.err and not (folder / "l.pdf").exists()


def test_an_outside_game_has_a_rule_sheet_too(call: Call, folder: Path) -> None:
    """A game in its owner's folder is printed like any other."""
    assert call("--games", str(OUTSIDE), "guide", "lanterns", "-o", "l.html").code == 0
    assert "Light your lamps" in (folder / "l.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("text", "code", "place"),
    [
        ("# L\n\nSay [this](x).\n", "markup_unknown", "guide.md:3"),
        ("# L\n\nSay this. {L-5}\n\nAnd that. {L-77}\n", "guide_rule_unknown", "guide.md:5"),
        ("{% for n in range(3) %}\n- n\n{% endfor %}\n\n[x](y)\n", "markup_unknown", "guide.md:5"),
        ("{% for n in range(2) %}\n- n {L-77}\n{% endfor %}\n", "guide_rule_unknown", "guide.md:2"),
    ],
)
def test_a_fault_names_the_line_that_was_written(
    call: Call, folder: Path, lanterns: Callable[[str], Path], text: str, code: str, place: str
) -> None:
    """Also after loops, the line is that of the file; nothing is written."""
    done = call("--games", str(lanterns(text)), "guide", "lanterns", "-o", "l.pdf")
    assert done.code == 1 and f"{place}: error {code}" in done.err and not (folder / "l.pdf").exists()
    assert call("explain", code).code == 0


def test_an_undefined_name_is_told_with_its_line(call: Call, lanterns: Callable[[str], Path]) -> None:
    """A figure that the game does not have stops the writing."""
    done = call("--games", str(lanterns("# L\n\nYou have {{ data.wicks }}.\n")), "guide", "lanterns", "-o", "l.pdf")
    assert done.code == 3 and "guide.md:3" in done.err and "wicks" in done.err


def test_thousands_have_a_comma(call: Call, folder: Path, lanterns: Callable[[str], Path]) -> None:
    """The filter `thousands` writes figures as people read them, and values are words, not markup."""
    place = lanterns("# L\n\n{{ 4000 | thousands }} lamps & {{ '<b>' }} {{ game.name }}.\n")
    assert call("--games", str(place), "guide", "lanterns", "-o", "l.html").code == 0
    assert "4,000 lamps &amp; &lt;b&gt; Lanterns." in (folder / "l.html").read_text("utf-8")


def test_a_letter_that_no_font_has_is_told(call: Call, lanterns: Callable[[str], Path]) -> None:
    """The sheet is written without it, and the warning names it."""
    done = call("--games", str(lanterns("# L\n\nA sign: \U0001f3ee.\n")), "guide", "lanterns", "-o", "l.pdf")
    assert done.code == 0 and "glyph_missing" in done.err and "U+1F3EE" in done.err


def test_the_source_is_never_written_over(call: Call, lanterns: Callable[[str], Path]) -> None:
    """A rule sheet cannot be written onto what it is read from."""
    place = lanterns("# L\n")
    (place / "l.html").symlink_to(place / "guide.md")
    done = call("--games", str(place), "guide", "lanterns", "-o", str(place / "l.html"))
    assert done.code == 3 and (place / "guide.md").read_text("utf-8") == "# L\n"


def test_coverage_counts_what_the_rule_sheet_tells(call: Call) -> None:
    """A rule that the sheet names is printed there."""
    rows = {
        row["id"]: row["printed"] for row in call("rules", "coverage", "empires-and-generals", "--json").json()["rules"]
    }
    assert "rule sheet" in rows["E-54"]


@pytest.mark.parametrize(
    ("lines", "own"), [("", True), ("author: me\ncredits: {by: A. Body}\n", True), ("credits: {by: A. Body}\n", False)]
)
def test_rulings_of_the_author_are_not_told_as_those_of_another(
    call: Call, folder: Path, lanterns: Callable[[str], Path], lines: str, own: bool
) -> None:
    """Without credits, or with `author: me`, a game is its maker’s own; else the sheet says whose words are not."""
    place = lanterns("# L\n\nTwo of a name. {L-2}\n")
    ruled = "text: At most two of a name., ruling: {reading: Names count by letters, why: It is short}"
    rules = place / "rules.yaml"
    rules.write_text(rules.read_text("utf-8").replace("text: At most two of a name.", ruled), "utf-8")
    spec = place / "game.yaml"
    spec.write_text(spec.read_text("utf-8") + lines, "utf-8")
    assert call("--games", str(place), "guide", "lanterns", "--rulings", "-o", "l.html").code == 0
    text = (folder / "l.html").read_text("utf-8")
    assert "Names count by letters" in text and ("author has not said so" not in text) == own


def test_a_figure_is_cut_to_its_trim(call: Call, folder: Path, lanterns: Callable[[str], Path]) -> None:
    """What a face bleeds beyond its trim is not seen in a rule sheet: a red card is as wide and high as a card."""
    place = lanterns("# L\n\n![A lamp](face:L-01)\n")
    (place / "templates" / "card.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 63.5 88.9">'
        '<rect x="-5" y="-5" width="73.5" height="98.9" fill="#ff0000"/></svg>', "utf-8"
    )  # fmt: skip
    assert call("--games", str(place), "guide", "lanterns", "-o", "l.pdf").code == 0
    page = pypdfium2.PdfDocument(folder / "l.pdf")[0].render(scale=4).to_pil().convert("RGB")
    box = (
        ImageChops.subtract(page.getchannel("R"), page.getchannel("G"))
        .point(lambda value: 255 * (value > 200))
        .getbbox()
    )
    assert box is not None
    left, top, right, bottom = box
    assert abs((right - left) / (bottom - top) - 63.5 / 88.9) < 0.01


def test_the_body_is_not_set_in_a_font_for_titles() -> None:
    """A game's own font is for titles and labels; what is read has a family made for it, unless the game names one."""
    spec = build(GameSpec, {"key": "k", "prefix": "k", "name": "K", "fonts": {"Show": {"files": {"400": "s.ttf"}}}})
    assert families_of(spec) == ("Show", "Spectral", "Show")
    assert families_of(replaced(spec, furniture={"text": "Show"})).text == "Show"
