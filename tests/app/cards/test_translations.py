"""Cards in other languages: loaded, revised by themselves, shown with the game's own words where there are none."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path
from shutil import copytree

import pypdfium2
import pytest

from carddb.app.cards.translations import cards_in_language
from carddb.cards.cards import Card
from carddb.catalog.store import Catalog
from carddb.core.plain_text import language_chain, language_of_stem, language_tag
from carddb.door import Project
from carddb.game.frozen import replaced
from carddb.game.game import game_in_language, language_misfits
from carddb.game.parts import LanguageSpec
from carddb.games import folders
from carddb.games import load as load_game
from carddb.read.cards.translations import PoEntry, po_bytes, po_entries
from tests.catalog.samples import SPEC
from tests.conftest import OUTSIDE, Told
from tests.rows import usually

Call = Callable[..., Told]
GAME = "empires-and-generals"
CARDS = """\
ref,name,type,rarity,strength,life,set,text,name.ru
M-1,Rider,soldier,common,3,3,first,Rides ahead.,Всадник
M-2,Guard,soldier,common,2,4,first,Stands fast.,Стражник
M-3,Scout,soldier,common,1,1,first,,
"""
JAPANESE = "ref,name,text\nM-1,騎兵,先に進む。\nM-2,衛兵,\n"


@pytest.fixture
def carddb(folder: Path, call: Call) -> Call:
    """A project with three cards, of which two have Russian names beside them and Japanese ones in a file."""
    (folder / "carddb.toml").write_text(f'game = "{GAME}"\n', "utf-8")
    (folder / "cards.csv").write_text(CARDS, "utf-8")
    (folder / "cards.ja.csv").write_text(JAPANESE, "utf-8")
    loaded = call("load", "cards.csv", "cards.ja.csv")
    assert loaded.code == 0, loaded.err
    assert "cards.ja.csv: translations ja: 2 added, 0 changed, 0 unchanged" in loaded.err
    assert "cards.csv: translations ru: 2 added, 0 changed, 1 unchanged" in loaded.err
    return call


def pdf_text(path: Path) -> str:
    """The words of all pages."""
    return " ".join(page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(path))


def names(folder: Path, lang: str, on: date | None = None) -> dict[str, str]:
    """The names of the cards in a language on a day."""
    project = Project(folder)
    return {card.ref: card.name for card in in_language(project, lang, on) if card.ref.startswith("M-")}


def in_language(project: Project, lang: str, on: date | None = None) -> list[Card]:
    return cards_in_language(project, project.game(GAME), project.cards(game=GAME, on=on), lang, on)


def test_cards_have_words_in_two_languages(carddb: Call, folder: Path) -> None:
    """A file beside the cards and a column in them give names, and each field without one stays as it was."""
    assert names(folder, "ja") == {"M-1": "騎兵", "M-2": "衛兵", "M-3": "Scout"}
    assert names(folder, "ru") == {"M-1": "Всадник", "M-2": "Стражник", "M-3": "Scout"}
    texts = {card.ref: card.get("text") for card in in_language(Project(folder), "ja")}
    assert (texts["M-1"], texts["M-2"]) == ("先に進む。", "Stands fast.")


def test_a_gap_is_told_once(carddb: Call, folder: Path) -> None:
    """One notice counts what stays in the language of the game; the game's own language has no gaps."""
    project = Project(folder)
    cards = project.cards("set:first", game=GAME)
    with project.recording() as notices:
        cards_in_language(project, project.game(GAME), cards, "ja")
        cards_in_language(project, project.game(GAME), cards, "en")
    told = [notice.message for notice in notices if notice.code == "not_translated"]
    assert told == ["not translated into ja, and shown in en: name of 1 card, text of 1 card"]


def test_a_translation_is_revised_without_its_card(carddb: Call, folder: Path) -> None:
    """A change is in force from its day, earlier days keep their words, and the card has no new revision."""
    (folder / "cards.ja.csv").write_text("ref,name\nM-1,騎士\nM-2,衛兵\n", "utf-8")
    told = carddb("load", "cards.ja.csv", "--from", "2030-01-01")
    assert "ja: 0 added, 1 changed, 1 unchanged" in told.err
    assert [names(folder, "ja", day)["M-1"] for day in (date(2029, 12, 31), date(2030, 1, 1))] == ["騎兵", "騎士"]
    later = {card.ref: card.get("text") for card in in_language(Project(folder), "ja", date(2030, 1, 1))}
    assert later["M-1"] == "先に進む。"
    history = json.loads(carddb("history", "M-1", "--json").out)["revisions"]
    assert [revision["kind"] for revision in history] == ["added"]


@pytest.mark.full
def test_translations_write_no_card_again(carddb: Call, folder: Path) -> None:
    """Twelve languages add rows of translations alone, and none when they are loaded again."""
    for at in range(12):
        lang = f"{chr(97 + at)}{'cz'[at % 2]}"
        (folder / f"all.{lang}.csv").write_text(f"ref,name\nM-1,Name {at}\n", "utf-8")
    files = [str(path.name) for path in folder.glob("all.*.csv")]
    first, again = carddb("load", *files, "--json"), carddb("load", *files, "--json")
    assert sum(len(file["changes"]) for file in json.loads(first.out)["translations"]) == 12
    assert sum(len(file["changes"]) for file in json.loads(again.out)["translations"]) == 0
    with Catalog.open(Project(folder).catalog_path, must_exist=True) as catalog:
        rows = catalog._connection.execute("SELECT count(*) FROM revision WHERE source LIKE '%all.%'").fetchone()
        langs = catalog._connection.execute("SELECT count(DISTINCT lang) FROM translation").fetchone()
        assert rows == (0,) and langs == (14,)


def test_an_empty_cell_takes_words_back(carddb: Call, folder: Path) -> None:
    """A column with an empty cell clears its field, a column that is not there leaves it."""
    (folder / "cards.ja.csv").write_text("ref,name\nM-1,\n", "utf-8")
    assert "ja: 0 added, 1 changed" in carddb("load", "cards.ja.csv").err
    card = next(card for card in in_language(Project(folder), "ja") if card.ref == "M-1")
    assert (card.name, card.get("text")) == ("Rider", "先に進む。")


def test_missing_pictures_of_translations_are_one_warning(carddb: Call, folder: Path) -> None:
    """As those of a card file: one finding with the place of each."""
    (folder / "more.ja.csv").write_text("ref,art\nM-1,a.png\nM-2,b.png\n", "utf-8")
    findings = json.loads(carddb("load", "more.ja.csv", "--dry-run", "--json").out)["findings"]
    (missing,) = [finding for finding in findings if finding["code"] == "image_missing"]
    assert missing["message"] == "there is no picture a.png; there is no picture b.png"
    assert [place["line"] for place in missing["where"]] == [2, 3]


def test_a_dry_run_stores_no_words(carddb: Call, folder: Path) -> None:
    """New cards and their translations may be looked at together without being stored."""
    (folder / "more.csv").write_text("ref,name,type,rarity,strength,life\nM-4,Hero,soldier,common,1,1\n", "utf-8")
    (folder / "more.de.csv").write_text("ref,name\nM-4,Held\n", "utf-8")
    told = carddb("load", "more.csv", "more.de.csv", "--dry-run")
    assert told.code == 0 and "would be de: 1 added" in told.err
    assert set(names(folder, "de").values()) == {"Rider", "Guard", "Scout"}


def test_a_file_of_any_name_is_in_the_language_that_is_named(carddb: Call, folder: Path) -> None:
    """`--lang` says what a file's name does not, and JSON and the game's own words beside are read too."""
    rows = [{"ref": "M-3", "name.en": "Scout", "name": "Dòthaire", "strength": 1}]
    (folder / "words.json").write_text(json.dumps(rows), "utf-8")
    assert "gd: 1 added" in carddb("load", "words.json", "--lang", "gd").err
    assert names(folder, "gd")["M-3"] == "Dòthaire"
    assert carddb("load", "words.json", "--lang", "gaelic").code == 2


@usually(
    ("rows", "code"),
    [
        ("ref,name\nM-9,騎兵\n", "translation_of_no_card"),
        ("ref,name\n,騎兵\n", "translation_of_no_card"),
        ("ref,name\nM-1,騎兵\nM-1,騎士\n", "translation_repeated"),
        ("ref,nmae\nM-1,騎兵\n", "header_unknown"),
        ("name\n騎兵\n", "header_missing"),
        (f"ref,name\nM-1,{'騎' * 600}\n", "field_invalid"),
    ],
)
def test_faults_of_a_file_of_translations(carddb: Call, folder: Path, rows: str, code: str) -> None:
    """Every fault has its place, and nothing of the file is stored."""
    (folder / "next.ja.csv").write_text(rows, "utf-8")
    told = carddb("load", "next.ja.csv")
    assert told.code == 1 and code in told.err and "next.ja.csv" in told.err, told.err
    assert names(folder, "ja")["M-1"] == "騎兵"


def test_a_region_falls_back_to_its_language(carddb: Call, folder: Path) -> None:
    """`ja-JP` has its own words first, then those of `ja`, then those of the game."""
    (folder / "cards.ja-JP.csv").write_text("ref,name\nM-2,番兵\n", "utf-8")
    assert carddb("load", "cards.ja-JP.csv").code == 0
    assert names(folder, "ja_jp") == {"M-1": "騎兵", "M-2": "番兵", "M-3": "Scout"}


def test_tags_of_languages() -> None:
    """Tags are written one way; a file's name ends with a short one, other words are none."""
    assert [language_tag(tag) for tag in ("pt_br", "ZH-hant-tw", "ja", "gaelic", "")] == [
        "pt-BR", "zh-Hant-TW", "ja", "", "",
    ]  # fmt: skip
    assert language_chain("zh-hant-tw") == ("zh-Hant-TW", "zh-Hant", "zh")
    stems = ("cards.ja", "a.pt-BR", "base.set", "ja", "core.printings")
    assert [language_of_stem(stem) for stem in stems] == ["ja", "pt-BR", "", "", ""]


LABELS = """\
name: 帝国と将軍
types: {soldier: 兵士}
fields: {strength: 武力}
values: {rarity: {common: 並}}
sections: {draw: 山札}
"""


def test_cards_are_searched_and_shown_in_a_language(carddb: Call) -> None:
    """Words and names of a query are those of the language, with those of the game where it has none."""
    for query, refs in (("騎兵", ["M-1"]), ("先", ["M-1"]), ("name=衛兵", ["M-2"]), ("stands", ["M-2"]), ("rider", [])):
        told = json.loads(carddb("cards", query, "--lang", "ja", "--json").out or '{"cards": []}')
        assert [card["ref"] for card in told["cards"]] == refs, query
    assert [card["ref"] for card in json.loads(carddb("cards", "衛兵 stands", "--lang", "ja", "--json").out)["cards"]]
    assert carddb("cards", "騎兵").code == 1
    shown = carddb("show", "M-1", "--lang", "ja")
    assert shown.out.startswith("騎兵 [M-1]") and "先に進む。" in shown.out
    assert json.loads(carddb("show", "M-1", "--lang", "ru", "--json").out)["name"] == "Всадник"


def test_a_search_says_what_has_no_words(carddb: Call) -> None:
    """What a search shows in the game's own language is said beside it, once."""
    told = carddb("cards", "set:first", "--lang", "ja")
    assert told.err.count("not translated into ja") == 1 and "not translated" not in carddb("cards", "M").err


def test_decks_name_cards_in_any_language(carddb: Call, folder: Path) -> None:
    """A deck with names in two languages has the fingerprint of one with references; near names are proposed."""
    fingerprints = set()
    for lines in (("[M-1]", "[M-2]"), ("騎兵", "Стражник"), ("Всадник [M-1]", "衛兵 [M-2]"), ("Rider", "стражник")):
        text = f"Game: {GAME}\n\n## Playing\n2 {lines[0]}\n1 {lines[1]}\n"
        (folder / "my.deck").write_text(text, "utf-8")
        report = json.loads(carddb("check", "my.deck", "--json").out)
        assert "card_unknown" not in {finding["code"] for finding in report["findings"]}
        fingerprints.add(report["deck"]["fingerprint"])
    assert len(fingerprints) == 1
    (folder / "my.deck").write_text(f"Game: {GAME}\n\n## Playing\n2 Стражники\n", "utf-8")
    assert "Стражник" in carddb("check", "my.deck").out


def test_brackets_in_a_translation_are_no_name_of_a_set(carddb: Call, folder: Path) -> None:
    """A line with a set that nobody knows means its card, though a translation of that card ends in brackets."""
    (folder / "cards.fr.csv").write_text("ref,name\nM-2,Guard (vieux)\n", "utf-8")
    assert carddb("load", "cards.fr.csv").code == 0
    (folder / "own.deck").write_text(f"Game: {GAME}\n\n## Playing\n2 Guard (Some Box)\n", "utf-8")
    told = json.loads(carddb("check", "own.deck", "--json").out)
    assert "card_unknown" not in [finding["code"] for finding in told["findings"]]


def test_a_deck_list_is_written_in_a_language(carddb: Call, folder: Path) -> None:
    """The list has the names of the language, and the deck that it is has the same cards."""
    (folder / "my.deck").write_text(f"Game: {GAME}\n\n## Playing\n2 Rider\n1 Scout\n", "utf-8")
    told = carddb("decklist", "my.deck", "--lang", "ru", "-o", "my.txt")
    text = (folder / "my.txt").read_text("utf-8")
    assert "Всадник" in text and "name of 1 card" in told.err
    assert carddb("decklist", "my.deck", "--lang", "ru", "-o", "my.pdf").code == told.code


def test_a_game_has_its_words_in_a_language() -> None:
    """Labels, names of values and sections are those of the language, the rest stays, and decks know the sections."""
    spec = replaced(SPEC, languages={"ja": LanguageSpec(types={"unit": "部隊"}, fields={"war": "武力"}, name="試験")})
    translated = game_in_language(spec, "ja-JP")
    assert (translated.name, translated.label_of("unit"), translated.label_of("place")) == ("試験", "部隊", "Place")
    assert translated.all_fields()["war"].label == "武力" and translated.key == "test"
    assert game_in_language(spec, "en") is spec and game_in_language(spec, "ru") is spec
    misfits = language_misfits(spec, LanguageSpec(fields={"wra": "武力"}))
    assert [(path, fix) for path, _, fix in misfits] == [(("fields", "wra"), "Did you mean war?")]


@pytest.mark.full
def test_sheets_and_faces_are_printed_in_a_language(carddb: Call, folder: Path) -> None:
    """The sheets of a selection have the words of the language, and say once what has none."""
    told = carddb("sheets", "set:first", "--lang", "ru", "-o", "ru.pdf")
    assert told.code == 0 and told.err.count("not translated into ru") == 1
    assert "Всадник" in pdf_text(folder / "ru.pdf") and "Rider" not in pdf_text(folder / "ru.pdf")
    assert carddb("sheets", "set:first", "-o", "en.pdf").code == 0
    assert "Rider" in pdf_text(folder / "en.pdf")
    assert carddb("proof", "M-1", "--lang", "ru", "-o", "one.svg").code == 0


def test_what_is_not_translated_is_a_table_to_fill_in(carddb: Call, folder: Path) -> None:
    """Preflight names what has no words, in fields, cards and labels, and writes a table to fill in and to load."""
    told = carddb("preflight", "set:first", "--lang", "ja", "--translations", "todo.ja.csv", "--json")
    report = json.loads(told.out)
    assert report["untranslated"] == {"M-2": ["text"], "M-3": ["name"]}
    assert {"translation_missing", "label_missing"} <= {finding["code"] for finding in report["findings"]}
    assert "not translated into" not in told.err
    table = (folder / "todo.ja.csv").read_text("utf-8")
    assert table.splitlines() == [
        "ref,name.en,name.ja,text.en,text.ja", "M-2,Guard,衛兵,Stands fast.,", "M-3,Scout,,,",
    ]  # fmt: skip
    (folder / "todo.ja.csv").write_text(
        table.replace("fast.,", "fast.,動かない。").replace("Scout,", "Scout,斥候"), "utf-8"
    )
    assert "ja: 1 added, 1 changed, 0 unchanged" in carddb("load", "todo.ja.csv").err
    assert json.loads(carddb("preflight", "set:first", "--lang", "ja", "--json").out)["untranslated"] == {}


@usually("ending", ["csv", "tsv", "xlsx", "json", "yaml", "po"])
def test_an_export_of_translations_changes_nothing(carddb: Call, ending: str) -> None:
    """What `export --lang` writes in any format loads as unchanged."""
    assert carddb("export", "set:first", "--lang", "ja", "-o", f"all.ja.{ending}").code == 0
    assert "ja: 0 added, 0 changed, 3 unchanged" in carddb("load", f"all.ja.{ending}").err


def test_a_po_file_is_filled_in_by_a_translator(carddb: Call, folder: Path) -> None:
    """References and fields are contexts, the head names the language, and fuzzy translations are left out."""
    assert carddb("export", "set:first", "--lang", "ja", "-o", "words.po").code == 0
    text = (folder / "words.po").read_text("utf-8")
    assert 'msgctxt "M-3/name"\nmsgid "Scout"\nmsgstr ""\n' in text and '"Language: ja\\n"' in text
    text = text.replace('msgid "Scout"\nmsgstr ""', 'msgid "Scout"\nmsgstr "斥"\n"候"')
    text = text.replace('msgctxt "M-2/text"', '#, fuzzy\nmsgctxt "M-2/text"')
    text = text.replace('"Stands fast."\nmsgstr ""', '"Stands fast."\nmsgstr "?"')
    (folder / "words.po").write_text(text + '\n#~ msgid "gone"\n#~ msgstr "x"\n', "utf-8")
    report = json.loads(carddb("load", "words.po", "--json").out)
    assert [finding["code"] for finding in report["findings"]] == ["po_fuzzy"]
    assert names(folder, "ja")["M-3"] == "斥候"
    assert next(card for card in in_language(Project(folder), "ja") if card.ref == "M-2").get("text") == "Stands fast."


@pytest.mark.full
def test_a_changed_original_makes_its_translation_older(
    carddb: Call, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Preflight names it, a table and a PO file mark it; new words, or a translator's look, make it current again."""
    moments = iter(datetime(2030, 1, day, tzinfo=UTC) for day in range(1, 20))
    monkeypatch.setattr("carddb.app.cards.load.now", lambda: next(moments))

    def older() -> list[str]:
        report = json.loads(carddb("preflight", "set:first", "--lang", "ja", "--json").out)
        found = [f for f in report["findings"] if f["code"] == "translation_older"]
        return [f"{card['ref']} {f['message'].split()[0]}" for f in found for card in f["cards"]]

    def po() -> str:
        assert carddb("export", "set:first", "--lang", "ja", "-o", "todo.po").code == 0
        return (folder / "todo.po").read_text("utf-8")

    assert older() == [] and "fuzzy" not in po()
    changed = CARDS.replace("Rides ahead.", "Rides far ahead.").replace("Guard,", "Warden,")
    (folder / "cards.csv").write_text(changed, "utf-8")
    assert carddb("load", "cards.csv").code == 0
    assert older() == ["M-2 name", "M-1 text"]
    assert '#, fuzzy\nmsgctxt "M-1/text"' in po() and po().count("fuzzy") == 2
    carddb("export", "set:first", "--lang", "ja", "-o", "todo.ja.csv")
    table = (folder / "todo.ja.csv").read_text("utf-8")
    assert table.splitlines()[0].startswith("ref,older,") and "M-1,text," in table
    assert carddb("load", "todo.ja.csv").code == 0 and carddb("load", "todo.po").code == 0
    assert older() == ["M-2 name", "M-1 text"], "what comes back as it went changes nothing"
    stale = po().replace("#, fuzzy\n", "").replace("Rides far ahead.", "Rides ahead.")
    (folder / "stale.ja.po").write_text(stale, "utf-8")
    (folder / "todo.po").write_text(po().replace("#, fuzzy\n", ""), "utf-8")
    assert carddb("load", "stale.ja.po").code == 0 and older() == ["M-1 text"]
    assert carddb("load", "todo.po").code == 0 and older() == []
    (folder / "cards.csv").write_text(changed.replace("far ahead", "away"), "utf-8")
    assert carddb("load", "cards.csv").code == 0 and older() == ["M-1 text"]
    assert carddb("load", "cards.ja.csv").code == 0 and older() == ["M-1 text"]
    assert carddb("load", "cards.ja.csv", "--reviewed").code == 0 and older() == []


def test_entries_of_po_files() -> None:
    """Escapes, several lines and quotes come back; a line that is no part of an entry is a finding."""
    entries = [PoEntry("A/text", 'One "word"\nand\tanother \\ line', "x\ny"), PoEntry("A/name", "A", "")]
    read = list(po_entries(po_bytes(entries, "ja").decode(), "a.po"))
    assert [entry[:3] for entry in read[1:] if isinstance(entry, PoEntry)] == [entry[:3] for entry in entries]
    faulty = list(po_entries('msgid "a"\nmsgstr "b\nnonsense\n', "a.po"))
    assert {getattr(each, "code", "") for each in faulty} >= {"po_invalid"}


def test_words_have_a_history(carddb: Call, folder: Path) -> None:
    """`history --lang` says what changed of a card's words, from which file and day; other languages have their own."""
    (folder / "cards.ja.csv").write_text("ref,name\nM-1,騎士\n", "utf-8")
    assert carddb("load", "cards.ja.csv", "--from", "2030-01-01").code == 0
    told = carddb("history", "M-1", "--lang", "ja").out
    assert "always: added" in told and "2030-01-01: changed" in told and "name: 騎兵 -> 騎士" in told
    assert len(json.loads(carddb("history", "M-1", "--lang", "ru", "--json").out)["revisions"]) == 1
    assert carddb("history", "M-1", "--lang", "fr").code == 2
    assert json.loads(carddb("show", "M-1", "--json").out)["translated_names"] == ["騎兵", "Всадник"]


@pytest.mark.full
def test_a_ban_list_is_shown_and_published_in_a_language(carddb: Call, folder: Path) -> None:
    """Terminal and pages have the names of the language, and one line says which cards have none."""
    (folder / "bans.yaml").write_text(
        """\
lists: {short: {title: Short, zone: UTC}}
levels: {3: {max_copies: 0, status: proposal}}
announcements:
  - {id: a, made: 2026-01-01T12:00:00Z, effective: 2026-01-05, kind: change,
     changes: [{list: short, card: M-1, from: 0, to: 3}, {list: short, card: M-3, from: 0, to: 3}]}
""",
        "utf-8",
    )
    assert carddb("load", "bans.yaml").code == 0
    shown = carddb("bans", "show", f"{GAME}:short", "--lang", "ru")
    assert "Всадник [M-1]" in shown.out and "Scout [M-3]" in shown.out and "Rider" not in shown.out
    told = carddb("bans", "publish", f"{GAME}:short", "--lang", "ru", "--paper", "a4", "-o", "site")
    page = (folder / "site" / "short" / "index.html").read_text("utf-8")
    assert "Всадник" in page and "Rider" not in page and "Scout" in page
    assert told.err.count("not translated into ru, and shown in en: name of 1 card") == 1


def own_game(folder: Path) -> Path:
    """The folder of a small game outside, with words of its own."""
    game = Path(copytree(OUTSIDE / "lanterns", folder / "lanterns"))
    (game / "labels.ja.yaml").write_text("name: 灯\ntypes: {lamp: 灯火}\nfields: {light: 光}\n", "utf-8")
    (game / "guide.md").write_text("# Lanterns\n\nLight them.\n", "utf-8")
    (game / "guide.ja.md").write_text("# 灯\n\n灯をともす。\n", "utf-8")
    return game


def test_labels_stand_beside_the_game(folder: Path) -> None:
    """`labels.ja.yaml` gives the words of a language and is no table; a key that the game lacks has its line."""
    game, findings = load_game(folders([(own_game(folder), True)])["lanterns"])
    assert game and not findings and "labels.ja" not in game.spec.data
    assert game.in_language("ja").spec.label_of("lamp") == "灯火" and game.in_language("ru") is game
    (folder / "lanterns" / "labels.ja.yaml").write_text("fields:\n  lihgt: 光\n", "utf-8")
    _, findings = load_game(folders([(folder / "lanterns", True)])["lanterns"])
    assert [(finding.code, finding.where[0].line) for finding in findings] == [("document_invalid", 2)]
    (folder / "lanterns" / "labels.ja.yaml").write_text(
        "page_words:\n  cards: 灯\n  several_cards: '{cnt}枚'\n", "utf-8"
    )
    _, findings = load_game(folders([(folder / "lanterns", True)])["lanterns"])
    assert [(each.code, each.where[0].line, each.fix) for each in findings] == [
        ("document_invalid", 3, "Did you mean count?")
    ]


@pytest.mark.full
def test_a_field_may_be_the_same_in_every_language(folder: Path, call: Call) -> None:
    """What a game marks so is no gap and in no table, a value for it is told, and words from before are not shown."""
    game = own_game(folder)
    (folder / "carddb.toml").write_text('game = "lanterns"\ngames = ["lanterns"]\n', "utf-8")
    (folder / "cards.ja.csv").write_text("ref,name,text\nL-01,赤い灯,輝く。\nL-02,青い灯,輝く。\n", "utf-8")
    assert call("load", "lanterns/cards.csv", "cards.ja.csv").code == 0
    text = (game / "game.yaml").read_text("utf-8")
    (game / "game.yaml").write_text(text.replace("text: {type: text}", "text: {type: text, translate: false}"), "utf-8")
    told = call("load", "cards.ja.csv")
    assert (told.code, told.err.count("field_not_translated")) == (0, 1) and "cards.ja.csv:2" in told.err, told.err
    (folder / "more.csv").write_text("ref,name,text.ja\nL-01,Red Lamp,輝く。\n", "utf-8")
    assert "text is the same in every language: remove the column" in call("load", "more.csv").err
    assert "Shines." in call("show", "L-01", "--lang", "ja").out
    assert "text is not translated" not in call("preflight", "type:lamp", "--lang", "ja").err
    assert call("export", "--lang", "ja", "-o", "all.ja.csv").code == 0
    assert (folder / "all.ja.csv").read_text("utf-8").startswith("ref,name.en,name.ja,"), "with the colours, a list"
    assert "text" not in (folder / "all.ja.csv").read_text("utf-8").split("\n")[0]


def test_a_rule_sheet_is_written_in_a_language(folder: Path, call: Call) -> None:
    """`guide.ja.md` is the sheet of that language; another language has the game's own, and is told so."""
    games = ("--games", str(own_game(folder)))
    told = call(*games, "guide", "lanterns", "--lang", "ja", "-o", "ja.html")
    assert "灯をともす" in (folder / "ja.html").read_text("utf-8") and 'lang="ja"' in (folder / "ja.html").read_text(
        "utf-8"
    )
    assert told.code == 0 and "no rule sheet" not in told.err
    told = call(*games, "guide", "lanterns", "--lang", "ru", "-o", "ru.html")
    assert "Light them." in (folder / "ru.html").read_text("utf-8") and told.err.count("no rule sheet in ru") == 1


def test_languages_within_a_document_are_mapped(carddb: Call, folder: Path) -> None:
    """`--map name.ja=name.ja` leads into an object that has a name for each language."""
    rows = [{"ref": "M-3", "name": {"en": "Scout", "ja": "斥候"}}]
    (folder / "words.json").write_text(json.dumps(rows), "utf-8")
    told = carddb("load", "words.json", "--map", "name.en=name", "--map", "name.ja=name.ja")
    assert "ja: 1 added" in told.err, told.err
    assert names(folder, "ja")["M-3"] == "斥候" and names(folder, "en")["M-3"] == "Scout"


@pytest.mark.full
def test_cards_among_the_components_are_in_the_language(folder: Path, call: Call) -> None:
    """A component that is made of the game's own cards has their words of the catalogue."""
    game = Path(copytree(OUTSIDE / "lanterns", folder / "lanterns"))
    text = (game / "game.yaml").read_text("utf-8")
    parts = "components:\n  lamps: {label: Lamps, each: 'type:lamp', per: table}\n"
    (game / "game.yaml").write_text(text.replace("components:\n", parts), "utf-8")
    (game / "cards.de.csv").write_text("ref,name\nL-01,Rote Laterne\n", "utf-8")
    own = ("--games", "lanterns")
    assert call(*own, "load", "lanterns/cards.csv", "lanterns/cards.de.csv", "--game", "lanterns").code == 0
    for lang, name in (("de", "Rote Laterne"), ("", "Red Lamp")):
        options = ("--lang", lang) if lang else ()
        printed = call(*own, "components", "lanterns", "lamps", "-o", "a.pdf", *options)
        assert printed.code == 0 and name in pdf_text(folder / "a.pdf")
        assert ("not translated into de" in printed.err) == bool(lang)
