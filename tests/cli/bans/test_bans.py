"""Ban lists on the command line, with lists and announcements of one's own."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest
import yaml

from carddb.games import folders
from tests.conftest import Told

Call = Callable[..., Told]

LISTS = """\
note: Invented for a test.
lists:
  long: {title: War, zone: America/New_York, format: war}
  short: {title: Battle, zone: America/New_York, format: battle}
levels:
  1: {max_copies: 2, status: proposal}
  2: {max_copies: 1, status: official}
  3: {max_copies: 0, status: proposal}
groups:
  sieges: {members: [CAH-091, CAH-092], at_most: 3}
announcements:
- id: first
  made: 2026-06-01T16:00:00Z
  effective: 2026-06-10
  source: https://example.org/1
  changes:
  - {list: short, card: CAH-091, from: 0, to: 1, why: Too heavy}
  - {list: short, group: sieges, from: off, to: on, why: Together}
- id: second
  made: 2026-06-20T16:00:00Z
  effective: 2026-06-30
  changes:
  - {list: short, card: CAH-091, from: 1, to: 3, why: Still too heavy}
  - {list: long, card: CAH-136, from: 0, to: 2}
"""
THIRD = """\
id: third
made: 2026-07-01T16:00:00Z
effective: 2026-07-08
changes:
- {list: short, card: CAH-092, from: 0, to: 2, why: Next}
"""


@pytest.fixture
def carddb(folder: Path, call: Call) -> Call:
    """A project of C.A.H.R.D. with the sample cards and ban lists of its own."""
    (folder / "carddb.toml").write_text('game = "cahrd"\n', "utf-8")
    (folder / "bans.yaml").write_text(LISTS, "utf-8")
    (folder / "third.yaml").write_text(THIRD, "utf-8")
    told = call("load", "bans.yaml")
    assert told.code == 0, told.err
    assert "2 announcements added, 0 known already; lists, levels and groups set as in the file" in told.err
    return call


def test_load_takes_lists_once(carddb: Call) -> None:
    """Loading an unchanged file again adds nothing, and `--json` tells it."""
    told = carddb("load", "bans.yaml", "--json").json()
    assert told["bans"] == [{"file": "bans.yaml", "added": [], "unchanged": ["first", "second"], "terms": False}]


def test_show_tells_a_day(carddb: Call) -> None:
    """A list is shown with levels, their meaning and status, groups, since when, and what is to come."""
    told = carddb("bans", "show", "short", "--on", "2026-06-15")
    assert told.code == 0
    for line in (
        "Battle list (short) of C.A.H.R.D., on 2026-06-15 (America/New_York)",
        "Level 1: at most 2 copies (proposal)",
        "  Trebuchet [CAH-091]  since 2026-06-10, by first",
        "Group sieges  since 2026-06-10, by first",
        "  at most 3 copies in all of Trebuchet and Siege Train",
        "From 2026-06-30, by second",
        "  Trebuchet [CAH-091]: 1 -> 3  Still too heavy",
        "Invented for a test.",
    ):
        assert line in told.out.splitlines()
    assert "The list is empty." in carddb("bans", "show", "cahrd:short", "--on", "2026-06-09").out


def test_show_by_what_was_known(carddb: Call) -> None:
    """`--known-at` leaves out what was announced later; a day stands for its end where the list is."""

    def cards(moment: str) -> list[tuple[str, int]]:
        told = carddb("bans", "show", "short", "--on", "2026-07-01", "--known-at", moment, "--json").json()
        return [(card["ref"], card["level"]) for card in told["cards"]]

    assert cards("2026-05-31") == []
    assert cards("2026-06-19") == cards("2026-06-20T15:59:59Z") == [("CAH-091", 1)]
    assert cards("2026-06-20") == cards("2026-06-20T16:00:00Z") == cards("2026-06-20T12:00:00") == [("CAH-091", 3)]


def test_show_as_data(carddb: Call) -> None:
    """The JSON of a list has its cards, groups, levels, fingerprint and what is to come."""
    told = carddb("bans", "show", "short", "--on", "2026-06-15", "--json").json()
    assert told["schema"] == "carddb.ban-list/1" and len(told["fingerprint"]) == 10
    assert told["levels"]["2"] == {"max_copies": 1, "status": "official"}
    assert told["cards"] == [
        {
            "ref": "CAH-091",
            "name": "Trebuchet",
            "level": 1,
            "since": "2026-06-10",
            "announcement": "first",
            "why": "Too heavy",
        }
    ]
    assert told["groups"][0]["members"] == ["CAH-091", "CAH-092"]
    assert [each["id"] for each in told["upcoming"]] == ["second"]


def test_a_list_that_does_not_exist(carddb: Call) -> None:
    """A wrong name is answered with the nearest."""
    told = carddb("bans", "show", "shrot")
    assert told.code == 2 and "Did you mean short?" in told.err


def test_diff_tells_two_days(carddb: Call) -> None:
    """What changed between two days, from what to what and why."""
    told = carddb("bans", "diff", "short", "2026-06-09", "2026-06-30")
    assert told.out.splitlines()[1:] == [
        "  Trebuchet [CAH-091]: 0 -> 3  Still too heavy",
        "  group sieges: off -> on  Together",
    ]
    assert "nothing changed" in carddb("bans", "diff", "short", "2026-06-10", "2026-06-29").out
    back = carddb("bans", "diff", "short", "2026-06-30", "2026-06-10", "--json").json()
    assert back["changes"] == [{"list": "short", "card": "CAH-091", "from": 3, "to": 1, "why": "Too heavy"}]


@pytest.mark.parametrize("moment", ["2026", "9999-12-31", "0001-01-01T00:00:00Z"])
def test_a_moment_that_is_none(carddb: Call, moment: str) -> None:
    """A moment that no zone has a day for is misuse."""
    assert carddb("bans", "show", "short", "--known-at", moment).code == 2


def test_why_names_level_group_and_source(carddb: Call) -> None:
    """A card is told by name or reference; of a pair the group that holds both."""
    told = carddb("bans", "why", "trebuchet", "--on", "2026-06-15")
    assert "  Trebuchet [CAH-091], level 1: at most 2 copies (proposal)" in told.out
    assert "since 2026-06-10, announced 2026-06-01 16:00 UTC as first, https://example.org/1" in told.out
    pair = carddb("bans", "why", "CAH-091", "CAH-092", "--on", "2026-06-15", "--json").json()
    assert [(hold["list"], hold.get("group"), hold["why"]) for hold in pair["holds"]] == [
        ("short", None, "Too heavy"),
        ("short", "sieges", "Together"),
    ]
    assert "nothing restricts Siege Train and Parley" in carddb("bans", "why", "Siege Train", "Parley").out
    assert carddb("bans", "why", "Trebuched").code == 2


@pytest.mark.parametrize("words", [("short", "trebuchet"), ("trebuchet", "short"), ("cahrd:short", "trebuchet")])
def test_why_takes_the_name_of_a_list(words: tuple[str, ...], carddb: Call) -> None:
    """A list's name before or behind the card leaves the other lists out; a list alone is misuse."""
    told = carddb("bans", "why", *words, "--on", "2026-06-15").out
    assert "Battle list (short)" in told and "War list" not in told
    assert "Trebuchet [CAH-091], level 1" in told
    assert "Name a card too" in carddb("bans", "why", "short").err


BACK = """\
id: back
made: 2026-06-22T16:00:00Z
effective: 2026-06-29
kind: withdrawal
target: second
"""


@pytest.mark.parametrize("name", ["war lists.yaml", "log.json"])
def test_a_log_is_loaded_whatever_its_file_is_called(carddb: Call, folder: Path, name: str) -> None:
    """A file of ban lists is known by how it begins, so that any log that is written can be loaded."""
    assert carddb("bans", "log", "-o", name).code == 0
    assert "0 announcements added, 2 known already" in carddb("load", name).err
    (folder / "more.yml").write_text("# Lists.\n---\n" + LISTS, "utf-8")
    assert "0 announcements added, 2 known already" in carddb("load", "more.yml").err


def test_the_log_as_json(carddb: Call) -> None:
    """The JSON of the log has its lists, levels, groups and announcements, in the words of bans.yaml."""
    told = carddb("bans", "log", "--json").json()
    assert told["schema"] == "carddb.ban-log/1" and told["game"] == "cahrd"
    assert [each["id"] for each in told["announcements"]] == ["first", "second"]
    assert told["levels"]["2"] == {"max_copies": 1, "status": "official"}


def test_why_tells_what_became_of_an_announcement(carddb: Call, folder: Path) -> None:
    """What was announced and taken back again is told with the announcement that took it back."""
    (folder / "back.yaml").write_text(BACK, "utf-8")
    assert carddb("bans", "announce", "back.yaml").code == 0
    told = carddb("bans", "why", "CAH-136", "--on", "2026-07-05").out
    assert "nothing restricts Parley" in told
    assert "2026-06-30, second, withdrawn by back: Parley [CAH-136]: 0 -> 2" in told
    known = carddb("bans", "why", "CAH-136", "--on", "2026-07-05", "--known-at", "2026-06-21").out
    assert "2026-06-30, second: Parley [CAH-136]: 0 -> 2" in known


def test_levels_that_change_later_are_shown_as_they_are(
    carddb: Call, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a level will mean from a day on is not shown before that day, though no day is named."""
    (folder / "bans.yaml").write_text(LISTS.replace("1: {max_copies: 2", "1: {max_copies: 1"), "utf-8")
    assert carddb("load", "bans.yaml", "--from", "2026-06-12").code == 0
    for moment, words in (("2026-06-11", "at most 2 copies"), ("2026-06-12", "at most 1 copy")):
        monkeypatch.setattr(
            "carddb.app.bans.lists.now", lambda at=moment: datetime.fromisoformat(f"{at}T16:00:00+00:00")
        )
        assert f"Level 1: {words} (proposal)" in carddb("bans", "show", "short").out
        assert f"Trebuchet [CAH-091], level 1: {words} (proposal)" in carddb("bans", "why", "trebuchet").out


def test_an_empty_list_is_shown_with_its_levels(carddb: Call) -> None:
    """C-150: what the levels mean, and whether that is official, is told with every list."""
    told = carddb("bans", "show", "long", "--on", "2026-06-01").out
    assert "The list is empty." in told
    assert (
        "level 1: at most 2 copies (proposal); level 2: at most 1 copy (official); level 3: no copy (proposal)" in told
    )


def test_announce_tells_the_effect_and_adds(carddb: Call) -> None:
    """A dry run tells what would change and adds nothing; then it is added, once."""
    told = carddb("bans", "announce", "third.yaml", "--dry-run")
    assert told.code == 0
    assert told.out.splitlines() == ["Battle, from 2026-07-08", "  Siege Train [CAH-092]: 0 -> 2  Next"]
    assert "third" not in carddb("bans", "log").out
    added = carddb("bans", "announce", "third.yaml", "--json").json()
    assert added["added"] == ["third"] and added["effects"][0]["on"] == "2026-07-08"
    assert "third" in carddb("bans", "log").out
    assert "0 announcements added, 1 known already" in carddb("bans", "announce", "third.yaml").err


@pytest.mark.parametrize("ending", ["yaml", "json"])
def test_a_bare_list_of_announcements_is_announced(carddb: Call, folder: Path, ending: str) -> None:
    """A list at the top of the file holds announcements; a fault in it names its place."""
    items = [yaml.safe_load(THIRD)]
    items[0]["made"] = "2026-07-01T16:00:00Z"
    items[0]["effective"] = "2026-07-08"
    text = json.dumps(items) if ending == "json" else "- " + THIRD.strip().replace("\n", "\n  ") + "\n"
    (folder / f"list.{ending}").write_text(text, "utf-8")
    assert "1 announcement added" in carddb("bans", "announce", f"list.{ending}").err
    (folder / "bad.yaml").write_text("- {id: x, kind: chnge}\n", "utf-8")
    assert "bad.yaml:1:" in carddb("bans", "announce", "bad.yaml").err


def test_announce_refuses_with_everything_at_once(carddb: Call, folder: Path) -> None:
    """Every fault is told with its line, and nothing of the file is added."""
    (folder / "bad.yaml").write_text(
        "announcements:\n"
        "- id: good\n  made: 2026-07-01T16:00:00Z\n  effective: 2026-07-08\n"
        "  changes: [{list: short, card: CAH-092, from: 0, to: 2}]\n"
        "- id: bad\n  made: 2026-07-02T16:00:00Z\n  effective: 2026-07-03\n"
        "  changes:\n  - {list: short, card: CAH-091, from: 1, to: 2}\n"
        "  - {list: short, card: NOBODY, from: 0, to: 2}\n",
        "utf-8",
    )
    told = carddb("bans", "announce", "bad.yaml")
    assert told.code == 1
    for said in (
        "bad.yaml:6:3: error ban_window",
        "1 day of notice, but 3 to 14 days are allowed",
        "rules: C-146",
        "bad.yaml:10:5: error ban_from_differs",
        "but the log has 3 for that day, set on 2026-06-30 by second",
        "bad.yaml:11:5: error ban_card_unknown",
        "nothing was announced: 3 errors",
    ):
        assert said in told.err, said
    assert "good" not in carddb("bans", "log").out


def test_lint_tests_log_and_files(carddb: Call, folder: Path) -> None:
    """The log of the catalogue, a whole file, and a file of further announcements can be tested."""
    assert carddb("bans", "lint").code == carddb("bans", "lint", "bans.yaml").code == 0
    assert carddb("bans", "lint", "third.yaml").code == 0
    (folder / "late.yaml").write_text(THIRD.replace("2026-07-08", "2026-07-16"), "utf-8")
    told = carddb("bans", "lint", "late.yaml", "--json")
    assert told.code == 1 and [finding["code"] for finding in told.json()["findings"]] == ["ban_window"]


@pytest.mark.parametrize("name", ["out/bans.yaml", "out/bans.json"])
@pytest.mark.full
def test_log_writes_what_can_be_loaded(carddb: Call, folder: Path, name: str) -> None:
    """The log that is written says the same when it is loaded into another catalogue."""
    (folder / "out").mkdir()
    assert carddb("bans", "log", "-o", name).code == 0
    shown = carddb("bans", "show", "short", "--on", "2026-06-15", "--json").json()
    other = ("--catalog", "other.db")
    cards = folder / "cards.csv"
    assert carddb("export", "set:sample", "-o", str(cards)).code == 0
    assert carddb(*other, "load", str(cards), "--set", "sample").code == 0
    assert carddb(*other, "load", name).code == 0
    assert carddb(*other, "bans", "show", "short", "--on", "2026-06-15", "--json").json() == shown


def test_no_lists(folder: Path, call: Call) -> None:
    """Where a game has no ban lists that is said, with what to do."""
    told = call("bans", "show", "cdg-solo:short")
    assert told.code == 2 and "there is no ban list" in told.err


# Decks


DECK = """\
Game: cahrd
Format: battle
Name: Siege

3 Trebuchet
2 Siege Train
"""


@pytest.fixture
def deck(folder: Path) -> Path:
    path = folder / "siege.deck"
    path.write_text(DECK, "utf-8")
    return path


def codes(told: Told) -> dict[str, str]:
    return {found["code"]: found["message"] for found in told.json()["findings"] if "size" not in found["code"]}


@pytest.mark.parametrize(
    ("day", "format_", "wanted"),
    [
        ("2026-06-09", "battle", set()),
        ("2026-06-10", "battle", {"imd_copies", "imd_group"}),
        ("2026-06-30", "battle", {"imd_banned", "imd_group"}),
        ("2026-06-30", "war", set()),
    ],
)
def test_check_judges_by_the_list_of_format_and_day(
    carddb: Call, deck: Path, day: str, format_: str, wanted: set[str]
) -> None:
    """C-143, C-144, C-149: a deck is judged by the list of its format as it is in force on the day."""
    told = carddb("check", str(deck), "--on", day, "--format", format_, "--json")
    assert {code for code in codes(told) if code.startswith("imd_")} == wanted


def test_check_by_another_meaning_of_levels(carddb: Call, deck: Path) -> None:
    """C-143: the option gives levels another meaning for announced lists too."""
    limits = "imd_level_limits=" + json.dumps({"1": 3, "2": 2, "3": 1})
    told = carddb("check", str(deck), "--on", "2026-06-10", "--option", limits, "--json")
    assert "imd_copies" not in codes(told) and "imd_group" in codes(told)


def test_check_judges_by_the_day_where_the_list_is(carddb: Call, deck: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """C-147: where no day is named, it is still yesterday for a list in New York when it is today in Greenwich."""
    for moment, wanted in (("2026-06-10T03:59:59+00:00", []), ("2026-06-10T04:00:00+00:00", ["imd_copies"])):
        monkeypatch.setattr("carddb.app.decks.check.now", lambda moment=moment: datetime.fromisoformat(moment))
        found = carddb("check", str(deck), "--json").json()
        assert found["context"]["on"] == ("2026-06-10" if wanted else "2026-06-09")
        assert [each["code"] for each in found["findings"] if each["code"] == "imd_copies"] == wanted


def test_check_warns_of_an_event(carddb: Call, deck: Path) -> None:
    """What becomes illegal before the event is a warning that names the day and the announcement."""
    told = carddb("check", str(deck), "--on", "2026-06-09", "--event", "2026-06-15", "--json").json()
    ahead = [found for found in told["findings"] if found["code"] == "ban_ahead"]
    assert {found["severity"] for found in ahead} == {"warning"}
    assert [found["data"]["from"] for found in ahead] == ["2026-06-10"] * 2
    assert all("Not legal from 2026-06-10, by first" in found["message"] for found in ahead)
    before = carddb("check", str(deck), "--on", "2026-06-08", "--event", "2026-06-09", "--json").json()
    assert "ban_ahead" not in [found["code"] for found in before["findings"]]
    assert carddb("check", str(deck), "--on", "2026-06-09", "--event", "2026-06-08").code == 2


def test_forecast_tells_the_day(carddb: Call, deck: Path) -> None:
    """A deck's forecast names each day that forbids more of it, and by which announcement."""
    told = carddb("forecast", str(deck), "--on", "2026-06-01")
    lines = [line for line in told.out.splitlines() if line.startswith("Not legal from")]
    assert lines == ["Not legal from 2026-06-10, by first", "Not legal from 2026-06-30, by second"]
    assert (
        "No announced change forbids the deck until 2026-06-05."
        in carddb("forecast", str(deck), "--on", "2026-06-01", "--until", "2026-06-05").out
    )
    now = carddb("forecast", str(deck), "--on", "2026-06-15").out
    assert "Not legal on 2026-06-15.\nNot legal from 2026-06-30, by second\n" in now
    data = carddb("forecast", str(deck), "--on", "2026-06-01", "--json").json()
    assert [found["from"] for found in data["ahead"]] == ["2026-06-10", "2026-06-10", "2026-06-30"]


def test_an_announcement_names_the_decks_that_it_makes_illegal(carddb: Call, folder: Path) -> None:
    """With `--decks` a dry run says which decks of a folder a draft hurts, from what day; others are not named."""
    (folder / "decks").mkdir()
    (folder / "decks" / "hurt.deck").write_text("Name: Hurt\nGame: cahrd\n\n3 Siege Train\n", "utf-8")
    (folder / "decks" / "safe.deck").write_text("Name: Safe\nGame: cahrd\n\n1 Siege Train\n", "utf-8")
    answer = json.loads(carddb("bans", "announce", "third.yaml", "--dry-run", "--decks", "decks", "--json").out)
    assert [deck["deck"] for deck in answer["decks"]] == ["Hurt"]
    assert answer["decks"][0]["ahead"][0]["from"] == "2026-07-08"
    assert "Hurt" in carddb("bans", "announce", "third.yaml", "--dry-run", "--decks", "decks").out


def test_a_withdrawal_is_told_on_the_day_that_it_forestalls(carddb: Call, folder: Path) -> None:
    """What was announced and is taken back before its day is shown on that day, not as a day without a change."""
    assert carddb("bans", "announce", "third.yaml").code == 0
    (folder / "back.yaml").write_text(
        "- {id: back, made: 2026-07-02T10:00:00Z, effective: 2026-07-04, kind: withdrawal, target: third}\n", "utf-8"
    )
    told = carddb("bans", "announce", "back.yaml", "--dry-run").out
    assert "from 2026-07-08" in told and "2026-07-04" not in told and "nothing changes" not in told


def test_a_table_of_decks_says_what_is_to_come(carddb: Call, folder: Path) -> None:
    """With `--event` the reason of a deck that is legal today is what is announced to make it illegal by then."""
    deck = folders()["cahrd"].path / "decks" / "walls-and-passes.deck"
    ref = re.findall(r"\[(CAH-[0-9]+)\]", deck.read_text("utf-8"))[0]
    words = THIRD.replace("third", "fourth").replace("CAH-092", ref).replace("to: 2", "to: 3")
    (folder / "fourth.yaml").write_text(words, "utf-8")
    assert carddb("bans", "announce", "fourth.yaml").code == 0
    shown = carddb("check", str(deck), str(deck), "--format", "battle", "--on", "2026-07-02", "--event", "2026-07-09")
    assert shown.code == 0 and "2 decks: 2 legal." in shown.out
    assert shown.out.count("Not legal from 2026-07-08, by fourth") == 2
