"""What many decks say together: cards, pairs, archetypes, drafts, mends; on the terminal, as a page, as tables."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from datetime import date
from functools import partial
from pathlib import Path
from shutil import copytree

import pytest

import carddb
from carddb.app.decks.check import CheckRequest
from carddb.deck.help.statistics import archetypes, card_pairs, card_shares
from carddb.games import folders
from carddb.web import decks as meta_room
from tests.conftest import Told
from tests.games.cahrd.samples import raiding_deck
from tests.web.front import Answer, Server, serving

Call = Callable[..., Told]
CAHRD = folders()["cahrd"].path / "decks"
DRAFT = """\
announcements:
- id: draft-1
  made: 2026-12-10T18:00:00Z
  effective: 2026-12-20
  changes:
  - {list: long, card: CAH-023, from: 0, to: 3, why: "=It ends games."}
"""


def test_shares_and_copies() -> None:
    """A card is held by a part of the decks, in so many copies each; cards of most decks come first."""
    first, second, third = card_shares([{"a": 3, "b": 1}, {"a": 1}, {"a": 3, "c": 2}, {"b": 2}])
    assert (first.ref, first.decks, first.copies, first.share) == ("a", 3, 7, 0.75)
    assert first.by_copies == {1: 1, 3: 2} and round(first.average, 2) == 2.33
    assert [second.ref, third.ref] == ["b", "c"]


def test_pairs_beyond_chance() -> None:
    """Lift and leverage are those of the textbook; cards that are in every deck are no pair, nor is a single deck."""
    decks = [{"a": 1, "b": 1, "x": 1}] * 3 + [{"c": 1, "x": 1}] * 2 + [{"d": 1, "e": 1, "x": 1}]
    (pair,) = card_pairs(decks, card_shares(decks), 9)
    assert (pair.first, pair.second, pair.decks, pair.share) == ("a", "b", 3, 0.5)
    assert pair.lift == 2.0 and pair.leverage == 0.25


def test_planted_archetypes_are_found() -> None:
    """Decks around three cores, each with cards of its own, are told apart, in any order; a deck alone is in none."""
    chance = random.Random(5)
    cores = {name: [f"{name}{number}" for number in range(12)] for name in "abc"}
    planted = [name for name, number in (("a", 30), ("b", 20), ("c", 8)) for _ in range(number)]
    decks = []
    for name in planted:
        own = {ref: chance.randint(2, 4) for ref in cores[name] if chance.random() < 0.85}
        decks.append({**own, **{f"x{chance.randrange(60)}": 1 for _ in range(6)}, "staple": 4})
    decks.append({"lone": 3, "staple": 4})
    order = [*range(len(decks))]
    for _ in range(3):
        found = archetypes([decks[at] for at in order])
        assert [len(each.decks) for each in found] == [30, 20, 8]
        for each, name in zip(found, "abc", strict=True):
            assert {planted[order[at]] for at in each.decks} == {name}
            assert all(ref.startswith(name) for ref in each.named_by)
            assert "staple" in {card.ref for card in each.core}
        chance.shuffle(order)


def test_equal_decks_and_none() -> None:
    """Decks that are all the same are one archetype; no decks have none."""
    assert [len(each.decks) for each in archetypes([{"a": 1}] * 4)] == [4]
    assert archetypes([]) == []


@pytest.fixture
def club(tmp_path: Path) -> carddb.Project:
    """A project with the example decks of a game, one of another, one that cannot be read, and a draft."""
    copytree(CAHRD, tmp_path / "decks")
    (tmp_path / "decks" / "grain-roads.deck").write_text(raiding_deck(), "utf-8")
    (tmp_path / "decks" / "other.deck").write_text("Game: rishar\n\n1 Nobody\n", "utf-8")
    (tmp_path / "decks" / "torn.deck").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "decks" / "mine.deck").write_text("Name: =1+1<b>\nPlayer: @Ann\nGame: cahrd\n\n1 Nobody\n", "utf-8")
    (tmp_path / "draft.yaml").write_text(DRAFT, "utf-8")
    return carddb.open(tmp_path)


def test_a_folder_of_decks(club: carddb.Project) -> None:
    """Decks of the game of most are counted; what is none of them is named with the reason, not dropped."""
    meta = club.meta("decks", on="2026-12-10", draft="draft.yaml")
    assert meta.game.key == "cahrd" and len(meta.decks) == 5 and meta.exit_code == 3
    assert {Path(file).name for file, _ in meta.unread} == {"other.deck", "torn.deck"}
    assert [deck.name for deck in meta.affected] == ["The Long Game"]
    ((day, finding),) = meta.affected[0].coming
    assert day.isoformat() == "2026-12-20" and finding.fix == "Remove 1 Æthelflæd."
    assert meta.mends_by_draft() == [("Remove 1 Æthelflæd.", 1)]
    assert ("Remove 2 Raid on the Depots.", 1) in meta.mends()
    assert meta.to_json() == json.loads(json.dumps(meta.to_json()))


def test_a_draft_that_cannot_be_announced(club: carddb.Project) -> None:
    """A draft with an error is refused with its findings, as by `bans announce`."""
    (club.folder / "draft.yaml").write_text(DRAFT.replace("2026-12-20", "2027-12-20"), "utf-8")
    with pytest.raises(carddb.InputError) as refused:
        club.meta("decks", on="2026-12-10", draft="draft.yaml")
    assert "ban_window" in {finding.code for finding in refused.value.findings}


def test_the_page_and_the_tables(club: carddb.Project) -> None:
    """The same decks give the same bytes; the page lets nothing in, and no text is markup or a formula."""
    meta = club.meta("decks", on="2026-12-10", draft="draft.yaml")
    files = meta.files()
    assert files == club.meta("decks", on="2026-12-10", draft="draft.yaml").files()
    page = files["index.html"].decode()
    assert "default-src 'none'" in page and "<script" not in page and "<b>" not in page and " style=" not in page
    assert set(re.findall(r'href="([^"]+)"', page)) == {"data:,", *files} - {"index.html"}
    assert b"'=1+1<b>" in files["decks.csv"] and b"'@Ann" in files["decks.csv"]
    assert files["draft.csv"].count(b"\n") == 2
    meta.write(club, club.folder / "report")
    assert (club.folder / "report" / "cards.csv").read_bytes() == files["cards.csv"]


def test_the_verb(call: Call, tmp_path: Path) -> None:
    """Charts have at most 80 columns, and what is not counted is said."""
    copytree(CAHRD, tmp_path / "decks")
    (tmp_path / "decks" / "torn.deck").write_bytes(b"\xff\xfe\x00")
    words = ("meta", str(tmp_path / "decks"), "--on", "2026-12-10")
    told = call(*words)
    assert told.code == 3 and "torn.deck: " in told.out
    charts = [line for line in told.out.splitlines() if " %" in line]
    assert len(charts) > 30 and max(map(len, charts)) <= 80
    assert json.loads(call(*words, "--json").out)["schema"] == "carddb.meta/1"
    written = call(*words, "-o", str(tmp_path / "report"))
    assert written.code == 3 and (tmp_path / "report" / "index.html").is_file()


@pytest.mark.door
def test_the_room_of_the_browser(tmp_path: Path) -> None:
    """An owner's front shows what the decks of the project's folder say, with their tables; a public one does not."""
    with serving(tmp_path) as own:
        missing = own.ask("/check/meta/")
        assert missing.status == 400 and b"no folder decks" in missing.body
        copytree(CAHRD, tmp_path / "decks")
        shown = own.ask("/check/meta/")
        assert shown.status == 200 and b"Forged Orders" in shown.body and b"<script" not in shown.body
        assert b'<nav aria-label="Rooms">' in shown.body and b"<style" not in shown.body
        assert own.ask("/check/meta/report.css").headers["content-type"].startswith("text/css")
        assert b'href="/check/meta/cards.csv?game=cahrd"' in own.ask("/check/meta/?game=cahrd").body
        table = own.ask("/check/meta/cards.csv")
        assert table.body.startswith(b"ref,card,decks") and own.ask("/check/meta/none.csv").status == 404
    with serving(tmp_path, public=True) as public:
        assert public.ask("/check/meta/").status == 404


@pytest.mark.door
def test_a_draft_is_sent_to_the_room(club: carddb.Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page says what the draft would forbid and of whom, or why it cannot be announced; nothing is stored."""
    monkeypatch.setattr(meta_room, "CheckRequest", partial(CheckRequest, on=date(2026, 12, 10)))
    with serving(club.folder) as own:
        before = own.ask("/check/meta/")
        assert b'type="file" name="draft"' in before.body and b"The draft forbids" not in before.body
        shown = sent_draft(own, DRAFT)
        assert shown.status == 200 and b"The draft would forbid 1 of 5 decks" in shown.body
        assert b"The Long Game" in shown.body and b"Remove 1 \xc3\x86thelfl\xc3\xa6d." in shown.body
        refused = sent_draft(own, DRAFT.replace("CAH-023", "CAH-999"))
        assert b'role="alert"' in refused.body and b"draft has errors" in refused.body
        assert own.ask("/check/meta/").body == before.body


def sent_draft(own: Server, draft: str) -> Answer:
    """The answer to the form with a draft as its file."""
    parts = (f'name="form_token"\r\n\r\n{own.front.form_token}', f'name="draft"; filename="d.yaml"\r\n\r\n{draft}')
    body = "".join(f"--part\r\nContent-Disposition: form-data; {part}\r\n" for part in parts) + "--part--\r\n"
    headers = {"Content-Type": "multipart/form-data; boundary=part", "Origin": own.address}
    return own.ask("/check/meta/", body.encode(), headers=headers)
