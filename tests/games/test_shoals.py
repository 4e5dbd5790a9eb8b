"""A game of 400 cards without a line of Python: limits, formats with days, lists, printings, languages."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from carddb.bans.log import Log
from carddb.cards.cards import Pool
from carddb.deck import Context, check
from carddb.deck.check.bans import check as check_bans
from carddb.findings import Finding
from carddb.games import Game, folders, load
from carddb.read.cards.file import CardReading, read_cards
from carddb.read.decks.text import read_deck
from carddb.read.documents.bans import read_bans
from tests.conftest import Told
from tests.games.shoals_game import Row, deck_text, faulty_decks, legal_deck, rows, write_game

Call = Callable[..., Told]
CARDS: dict[str, Row] = {row["ref"]: row for row in rows()}
FAULTY = dict(faulty_decks(CARDS))
DAYS = {"not_alone": date(2026, 4, 1), "not_singleton": date(2026, 4, 1)}
"""The days of the decks whose format is not played from the beginning."""


@pytest.fixture(scope="module")
def shoals(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the game."""
    return write_game(tmp_path_factory.mktemp("games") / "shoals")


@pytest.fixture(scope="module")
def game(shoals: Path) -> Game:
    """The game, none of whose files is at fault."""
    made, findings = load(folders([(shoals, True)])["shoals"])
    assert made and not findings
    return made


@pytest.fixture(scope="module")
def pool(game: Game) -> Pool:
    """Its cards."""
    file = read_cards(game.folder.path / "cards.csv", CardReading(game.spec, "core", game.folder.path))
    assert not file.findings and len(file.records) == 400
    return Pool(game.spec.card(row.ref, row.values) for row in file.records)


@pytest.fixture(scope="module")
def log(game: Game) -> Log:
    """Its ban lists."""
    read = read_bans(game.folder.path / "bans.yaml")
    assert not read.findings
    return read.log


def findings(text: str, game: Game, pool: Pool, log: Log | None = None, on: date = date(2025, 12, 1)) -> list[Finding]:
    """What the game says of a deck."""
    deck, faults = read_deck(text, game.spec, pool)
    return [*faults, *check(deck, game.spec, pool, Context(on, bans=log), [check_bans])]


def codes(text: str, game: Game, pool: Pool, log: Log | None, on: str) -> list[str]:
    return [finding.code for finding in findings(text, game, pool, log, date.fromisoformat(on))]


@pytest.mark.parametrize("code", FAULTY)
def test_each_rule_is_broken_alone(code: str, game: Game, pool: Pool) -> None:
    """Every limit, section and format of the game is data, and each is broken by a deck that breaks nothing else."""
    on = DAYS.get(code, date(2025, 12, 1))
    assert [finding.code for finding in findings(FAULTY[code], game, pool, on=on)] == [code]


def test_what_a_captain_is_takes_effect(game: Game, pool: Pool) -> None:
    """Bounds follow the captain, and no remedy takes the captain out."""
    (finding,) = findings(FAULTY["influence"], game, pool)
    assert finding.message.endswith("at most 15 may be spent (Influence limit of Tin Captain of Morning 1)")
    for text in FAULTY.values():
        for each in findings(text, game, pool):
            removed = [card["ref"] for fix in each.fixes for card in fix.get("remove", ())]
            assert each.code == "one_captain" or not any(CARDS[ref]["type"] == "captain" for ref in removed)


def test_a_museum_lets_more_legends_in(game: Game, pool: Pool) -> None:
    """A card of the deck may put another bound in a limit's place."""
    museum = next(card["name"] for card in CARDS.values() if card["name"] == "Salt Museum")
    assert codes(FAULTY["legends"], game, pool, None, "2025-12-01") == ["legends"]
    assert "legends" not in codes(f"{FAULTY['legends']}1 {museum}\n", game, pool, None, "2025-12-01")


def test_the_lists_of_the_formats(game: Game, pool: Pool, log: Log) -> None:
    """Each format has its list: levels, groups by a query and with moving members, points with a budget."""
    storm = legal_deck(CARDS, "SHO-004")
    assert codes(deck_text(storm, CARDS), game, pool, log, "2026-01-14") == []
    assert codes(deck_text(storm, CARDS), game, pool, log, "2026-01-15") == ["ban_restricted"]
    eternal = {**storm, "SHO-020": 3}
    assert codes(deck_text(eternal, CARDS, "eternal"), game, pool, log, "2026-01-15") == ["ban_points"]
    assert codes(deck_text({**storm, "SHO-020": 2}, CARDS, "eternal"), game, pool, log, "2026-01-15") == ["too_small"]
    reef = {ref: count for ref, count in legal_deck(CARDS, "SHO-002").items() if ref not in ("SHO-030", "SHO-042")}
    reef |= {"SHO-184": 3, "SHO-050": 1, "SHO-054": 1}
    for day, wanted in (("2026-01-14", []), ("2026-01-15", ["ban_group"]), ("2026-05-08", [])):
        assert [code for code in codes(deck_text(reef, CARDS), game, pool, log, day) if code == "ban_group"] == wanted


def test_a_list_replaced_as_a_whole(log: Log) -> None:
    """What a whole replacement comes to is one announcement with its changes."""
    replaced = next(each for each in log.announcements if each.id == "eternal-2026")
    assert {change.card: (change.before, change.after) for change in replaced.changes} == {
        "SHO-021": (2, 0), "SHO-022": (1, 0), "SHO-023": (1, 0), "SHO-030": (0, 2), "SHO-032": (0, 5)
    }  # fmt: skip


def test_formats_rotate(game: Game, pool: Pool) -> None:
    """A set leaves the format on its day and another comes."""
    ebb, gale = (deck_text(legal_deck(CARDS, "SHO-002", (set_, "flow")), CARDS) for set_ in ("ebb", "gale"))
    assert [codes(ebb, game, pool, None, day) for day in ("2026-08-31", "2026-09-01")] == [[], ["rotated"]]
    assert codes(deck_text({**legal_deck(CARDS, "SHO-002"), "SHO-330": 1}, CARDS), game, pool, None, "2026-08-31")
    assert codes(gale, game, pool, None, "2026-09-01") == []


def test_a_project_of_it(folder: Path, call: Call, shoals: Path) -> None:
    """Cards, printings, words and lists are loaded; decks, forecasts and searches speak of them."""
    assert call("init", "--games", str(shoals)).code == 0
    files = ("cards", "core.printings", "cards.de", "cards.fr", "cards.es")
    loaded = call("load", *(str(shoals / f"{name}.csv") for name in files))
    assert loaded.code == 0, loaded.err
    assert all(f"translations {language}: 267 added" in loaded.err for language in ("de", "fr", "es"))
    assert call("load", str(shoals / "bans.yaml")).code == 0
    Path("storm.deck").write_text(deck_text(legal_deck(CARDS, "SHO-004"), CARDS), "utf-8")
    assert call("check", "storm.deck", "--on", "2026-01-14").code == 0
    assert "from 2026-01-15" in call("forecast", "storm.deck", "--on", "2025-12-01").out
    again = next(row for row in CARDS.values() if row["set"] == "ebb" and int(row["ref"][4:]) % 8 == 0)
    found = call("cards", f'set:core name:"{again["name"]}"')
    assert again["ref"] in found.out
    assert again["name"] in call("show", "90000").out


def test_what_the_game_can_do_is_told(call: Call, shoals: Path) -> None:
    """`games KEY` says what a game has: cards, two faces, lists, languages, no program; in 80 columns, and as JSON."""
    shown = call("--games", str(shoals), "games", "shoals")
    assert shown.code == 0 and max(map(len, shown.out.splitlines())) <= 80
    assert "400 samples: 20 Captains, 60 Cargo, 70 Ports, 90 Ships, 160 Crew" in " ".join(shown.out.split())
    has = call("--games", str(shoals), "games", "shoals", "--json").json()["games"][0]["has"]
    assert has["double_faced"] == ["captain"] and has["languages"] == ["en", "de", "es", "fr"]
    assert has["lists"] == {"standard": "Standard", "eternal": "Eternal"} and has["program"] is False
    assert (has["limits"], has["decks"], has["codes"]) == (8, 4, 15)


@pytest.mark.full
def test_it_conforms(shoals: Path, call: Call) -> None:
    """The game does what every game must, an example for each of its codes among it."""
    found = call("conform", "shoals", "--games", str(shoals), "--on", "2025-12-01")
    assert found.code == 0, found.out


def test_a_claim_may_leave_out_the_leader_and_what_does_not_count(game: Game, pool: Pool) -> None:
    """Sites count a deck without the card that leads it, or without its sideboard; any other number is told."""
    spec = game.spec
    ports = [card for card in pool if card.type == "port"][:3]
    captain = next(card for card in pool if card.type == "captain")
    spare, *main = ports
    parts = [
        f"## {spec.section_label('leader')}", f"1 {captain.name} [{captain.ref}]",
        f"## {spec.section_label('main')}", *(f"3 {card.name} [{card.ref}]" for card in main),
        f"## {spec.section_label('side')}", f"2 {spare.name} [{spare.ref}]",
    ]  # fmt: skip
    for claimed in range(12):
        _, remarks = read_deck("\n".join([*parts, f"{claimed} cards (min 45)"]), spec, pool)
        told = any(remark.code == "count_claim_differs" for remark in remarks)
        assert told == (claimed not in {9, 8, 7, 6, 2}), claimed
