"""Help with decks of the bundled games: fix, fill, new, diff, stats, by script and by command."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

import carddb
from carddb.app.decks.check import CheckRequest, ReadDeck, deck_and_context
from carddb.app.decks.help import HelpRequest, fix_deck
from carddb.cards.cards import Deck, Entry
from carddb.cli.decks.help import in_steps
from carddb.deck.help.building import with_card, without
from carddb.deck.help.statistics import difference
from carddb.findings import Place
from carddb.games import folders
from tests.conftest import Told
from tests.rows import every, usually

Call = Callable[..., Told]
GAMES = {key: folder for key, folder in folders().items() if folder.bundled}
EXAMPLES = [(key, path) for key, folder in GAMES.items() for path in folder.decks]
MALI = GAMES["empires-and-generals"].path / "decks" / "mali-gold-and-salt.deck"
HEADERS = {"cdg-solo": "generic-separate"}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> carddb.Project:
    """A project with the samples of all games."""
    return carddb.open(tmp_path_factory.mktemp("help"))


def faulty(read: ReadDeck, seed: int) -> Deck:
    """The deck with three random faults: copies too many or too few, foreign, misplaced and unknown cards."""
    chance = random.Random(seed)
    deck, spec = read.deck, read.game.spec
    for _ in range(3):
        entry = chance.choice([entry for entry in deck.entries if entry.card])
        assert entry.card
        fault = chance.choice(["more", "less", "foreign", "misplaced", "unknown"])
        if fault == "more":
            deck = with_card(deck, entry.section, entry.card, chance.randint(1, 4))
        elif fault == "less":
            deck = without(deck, entry.section, entry.ref)
        elif fault == "foreign":
            deck = with_card(deck, entry.section, chance.choice(list(read.pool)))
        elif fault == "misplaced":
            section = chance.choice(list(spec.sections))
            deck = with_card(without(deck, entry.section, entry.ref), section, entry.card)
        else:
            deck = replace(deck, entries=(*deck.entries, Entry(entry.section, 1, "Nobody at all")))
    lines = (replace(entry, place=Place(deck.file, line)) for line, entry in enumerate(deck.entries, 1))
    return replace(deck, entries=tuple(lines))


@usually("game, path", EXAMPLES, *EXAMPLES[::6], ids=lambda value: value if isinstance(value, str) else value.stem)
def test_three_random_faults_are_fixed(game: str, path: Path, project: carddb.Project) -> None:
    """An example deck with three faults is made legal, and by no more copies than taking the faults back."""
    faults_are_fixed(game, path, project, 0)


@pytest.mark.full
@pytest.mark.parametrize(("game", "path"), EXAMPLES, ids=lambda value: value if isinstance(value, str) else value.stem)
def test_random_faults_are_fixed_at_full_size(game: str, path: Path, project: carddb.Project) -> None:
    """The same for nine further sets of faults; and any part of the deck is filled until it is legal."""
    read, _ = deck_and_context(project, path, CheckRequest(game))
    for seed in range(1, 10):
        faults_are_fixed(game, path, project, seed)
        part = replace(read.deck, entries=tuple(random.Random(seed).sample(read.deck.entries, 5)))
        filled = project.fill(part, seed=seed)
        assert filled.legal, [fault.message for fault in filled.result.faults]
        assert all(filled.deck.tally()[key] >= count for key, count in part.tally().items())


def faults_are_fixed(game: str, path: Path, project: carddb.Project, seed: int) -> None:
    """An example deck with three random faults becomes legal by no more copies than taking them back."""
    read, _ = deck_and_context(project, path, CheckRequest(game))
    broken = faulty(read, seed)
    proposal = fix_deck(project, broken, HelpRequest(CheckRequest(game)))
    assert proposal.legal, [fault.message for fault in proposal.result.faults]
    assert proposal.result.difference.copies <= difference(broken, read.deck).copies
    report = project.check(proposal.deck, game=game)
    assert isinstance(report, carddb.Report) and report.verdict == "legal"


@usually(("game", "path"), EXAMPLES, ids=lambda value: value if isinstance(value, str) else value.stem)
def test_an_example_deck_is_legal_after_every_announcement(game: str, path: Path, project: carddb.Project) -> None:
    """No announcement of the sample lists that is still to come forbids an example deck."""
    report = project.check(path, game=game, on="2027-12-31")
    assert isinstance(report, carddb.Report) and report.verdict == "legal"


@usually(("game", "path"), EXAMPLES, ids=lambda value: value if isinstance(value, str) else value.stem)
def test_an_example_deck_stays_as_it_is(game: str, path: Path, project: carddb.Project) -> None:
    """A legal deck is neither fixed nor filled."""
    for proposal in (project.fix(path), project.fill(path)):
        assert proposal.legal and not proposal.result.difference.changes


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.full
def test_half_a_deck_is_filled(game: str, project: carddb.Project) -> None:
    """The first example deck without every second line is legal again, and what was there is there still."""
    path = GAMES[game].decks[0]
    read, _ = deck_and_context(project, path, CheckRequest(game))
    half = replace(read.deck, entries=read.deck.entries[::2])
    proposal = project.fill(half)
    assert proposal.legal, [fault.message for fault in proposal.result.faults]
    assert all(proposal.deck.tally()[key] >= count for key, count in half.tally().items())
    assert proposal.deck.fingerprint() == project.fill(half).deck.fingerprint()


def test_more_than_one_card_at_once_is_filled(project: carddb.Project) -> None:
    """A fault that several added cards heal together is healed so, though taking one out would be less."""
    part = "Game: rishar\nPath: faith\nRole: healer\n1 Blessing of Shields [RIS-044]\n"
    filled = project.fill(part)
    assert filled.legal and filled.result.difference.copies > 1


def test_an_unknown_card_of_a_filled_deck_has_the_remedy_of_the_check(project: carddb.Project) -> None:
    """What a filled deck says of a card that nobody knows is what the check says: the nearest names."""
    filled = project.fill("Game: empires-and-generals\n2 Hasdrubal\n")
    (unknown,) = [fault for fault in filled.result.faults if fault.code == "card_unknown"]
    assert unknown.fix.startswith("Did you mean Hasdrubal the Fair")


def new(call: Call, game: str, *words: str) -> Told:
    """A new deck of a game."""
    format_ = ("--format", HEADERS[game]) if game in HEADERS else ()
    return call("decks", "new", "--game", game, *format_, *words, "-o", "new.deck")


@usually("game", GAMES, "rishar", "guarda")
def test_a_new_deck_is_legal(game: str, call: Call) -> None:
    """A deck from nothing is checked by its own file and is legal; the same seed gives the same bytes."""
    assert new(call, game, "--balanced").code == 0
    first = Path("new.deck").read_bytes()
    assert call("check", "new.deck").code == 0
    assert new(call, game, "--balanced").code == 0 and Path("new.deck").read_bytes() == first


@usually("ending", ["csv", "cod", "json"])
def test_a_new_deck_is_written_by_its_ending(ending: str, call: Call) -> None:
    """The file has the format that its ending says, and is the same legal deck."""
    assert call("decks", "new", "--game", "guarda", "--format", "3x3", "-o", f"new.{ending}").code == 0
    assert call("decks", "new", "--game", "guarda", "--format", "3x3", "-o", "new.deck").code == 0
    prints = {call("check", f"new.{end}", "--json").json()["deck"]["fingerprint"] for end in (ending, "deck")}
    assert len(prints) == 1 and not Path(f"new.{ending}").read_text("utf-8").startswith("# carddb")


def test_an_unknown_header_of_a_new_deck_is_refused(call: Call) -> None:
    """A word that is no header is misuse, with those that are."""
    said = call("decks", "new", "--game", "rishar", "--header", "comander=Anna", "-o", "new.deck")
    assert said.code == 2 and "Did you mean commander?" in said.err and not Path("new.deck").exists()


@usually(
    "game, text",
    [
        ("cahrd", "4 Sargon of Akkad\n3 Grain Barges\n1 Siege in Depth\n"),
        ("cdg-solo", "Format: generic-separate\nDeck of side 1\n2 Muster of the Towns\n1 Millers' Contract\n"),
        ("empires-and-generals", "6 Libyan Spearmen\n2 Hannibal Barca\n2 Eclipse of Thales\n"),
        ("guarda", "Format: 3x3\n5 Column 1 of 3x3\n2 Field 1 of 3x3\n"),
    ],
    ("guarda", "Format: 3x3\n5 Column 1 of 3x3\n2 Field 1 of 3x3\n"),
)
def test_the_beginning_of_a_deck_is_fixed(game: str, text: str, project: carddb.Project) -> None:
    """A few lines, of which some are too many, become a legal deck: what is too much goes, and what lacks comes."""
    proposal = project.fix(text, game=game)
    assert proposal.legal and proposal.result.difference.copies > 8


def test_another_seed_chooses_other_cards(call: Call) -> None:
    """The seed decides among cards that serve equally well."""
    made = set()
    for seed in ("0", "1"):
        assert new(call, "cahrd", "--seed", seed).code == 0
        made.add(Path("new.deck").read_bytes())
    assert len(made) == 2


def test_a_balanced_deck_follows_the_advice_of_the_game(call: Call) -> None:
    """A balanced deck of Empires and Generals lacks nothing but the reference cards, which the samples have none of."""
    new(call, "empires-and-generals", "--balanced")
    (remark,) = call("check", "new.deck", "--json").json()["findings"]
    assert {kind: by for kind, by in remark["data"]["difference"].items() if by} == {"reference": -6}


def test_fix_shows_and_writes(call: Call) -> None:
    """Without --write the file stays; with it the legal deck stands there and the old one beside it."""
    text = MALI.read_text("utf-8").replace("3 Gold of Bouré", "7 Gold of Bouré")
    Path("mine.deck").write_text(text, "utf-8")
    shown = call("decks", "fix", "mine.deck")
    assert shown.code == 0 and "1. Remove 4 Gold of Bouré" in shown.out and "E-22" in shown.out
    assert "4 copies changed; no smaller change makes the deck legal." in shown.out
    assert Path("mine.deck").read_text("utf-8") == text
    assert call("decks", "fix", "mine.deck", "--write").code == 0
    assert Path("mine.deck~").read_text("utf-8") == text
    assert call("check", "mine.deck").code == 0
    assert call("decks", "fix", "mine.deck", "--write").code == 0 and Path("mine.deck~").read_text("utf-8") == text


def refusals() -> Iterator[tuple[str, str]]:
    """Files that are not written back, and a part of what is said."""
    yield "mine.json", "mine.json is not deck text, so it cannot be overwritten with the changed deck"
    yield "unread.deck", "has lines that cannot be read and would be lost"


@pytest.mark.parametrize(("name", "words"), list(refusals()))
def test_write_refuses_what_would_be_lost(name: str, words: str, call: Call) -> None:
    """A file of another kind, and one with lines that were not understood, stay as they are."""
    text = MALI.read_text("utf-8").replace("3 Gold of Bouré", "7 Gold of Bouré")
    if name == "mine.json":
        text = '{"game": "guarda", "format": "3x3", "sections": {"pattern": [{"ref": "3-V1", "count": 4}]}}'
    else:
        text += "\n0 Gold of Bambuk\n"
    Path(name).write_text(text, "utf-8")
    said = call("decks", "fix", name, "--write")
    assert said.code in (2, 3) and words in said.err
    assert Path(name).read_text("utf-8") == text


def test_a_faulty_header_does_not_stand_in_the_way(call: Call) -> None:
    """The cards are mended and written; what the header needs is listed, and the exit code stays 1."""
    text = "Game: rishar\nPath: steel\nRole: nobody\n2 Spearmen [RIS-001]\n1 Nobody at All\n"
    Path("mine.deck").write_text(text, "utf-8")
    said = call("decks", "fix", "mine.deck", "--write")
    assert said.code == 1 and "commander_role_unknown" in said.out and "1. Remove 1 Nobody at All" in said.out
    assert "The listed faults of the header remain." in said.out
    assert "Nobody" not in Path("mine.deck").read_text("utf-8")
    findings = call("check", "mine.deck", "--json").json()["findings"]
    assert [finding["code"] for finding in findings if finding["severity"] == "error"] == ["commander_role_unknown"]


def test_a_misspelt_card_is_read_as_the_nearest(call: Call) -> None:
    """A name with one near card is read as that card, which is said and changes no copy."""
    text = MALI.read_text("utf-8").replace("3 Salt of Taghaza [EG-MAL-051]", "3 Salt of Taghazza")
    Path("mine.deck").write_text(text, "utf-8")
    said = call("decks", "fix", "mine.deck", "--json")
    assert said.json()["respelled"][0]["ref"] == "EG-MAL-051" and said.json()["copies"] == 0


def test_diff_lists_by_side(call: Call) -> None:
    """Cards of one deck alone, of the other alone, and other counts, each with its section."""
    Path("a.deck").write_text("Game: rishar\n2 Spearmen [RIS-001]\n1 Soldier [RIS-002]\n", "utf-8")
    Path("b.deck").write_text("Game: rishar\n3 Spearmen [RIS-001]\n1 Pike Square [RIS-007]\n", "utf-8")
    said = call("decks", "diff", "a.deck", "b.deck")
    assert said.out.splitlines() == [
        "Only in a.deck",
        "  army: 1 Soldier [RIS-002]",
        "Only in b.deck",
        "  army: 1 Pike Square [RIS-007]",
        "In both, with different counts",
        "  army: 2 → 3 Spearmen [RIS-001]",
    ]
    json = call("decks", "diff", "a.deck", "b.deck", "--json").json()
    assert json["copies"] == 3 and [row["ref"] for row in json["only_b"]] == ["RIS-007"]
    assert "the same cards" in call("decks", "diff", "a.deck", "a.deck").out


def test_odds_of_an_opening_hand_are_exact(project: carddb.Project) -> None:
    """The chances of each type sum to one, and are those of drawing without putting back."""
    result = project.stats(GAMES["cahrd"].path / "decks" / "grain-roads.deck")
    assert result.hand and (result.hand.drawn, result.hand.total) == (7, 40)
    assert all(sum(chances.values()) == 1 for chances in result.hand.chances.values())
    none = Fraction(1)
    for card in range(7):
        none *= Fraction(20 - card, 40 - card)
    assert result.hand.chances["Officer"][0] == none


@pytest.mark.parametrize(
    ("game", "hands"),
    [
        ("cahrd", [("Main deck", 7)]),
        ("empires-and-generals", [("Playing deck", 7)]),
        ("guarda", [("Pattern cards", 6)]),
        ("cdg-solo", [("Deck of side 1", 5), ("Deck of side 2", 5)]),
        ("rishar", []),
    ],
)
def test_opening_hands_are_those_of_the_game(game: str, hands: list[tuple[str, int]], project: carddb.Project) -> None:
    """The size of a first hand is the game's, by field or module; where there is none, a note says so."""
    path = next(path for path in GAMES[game].decks if game != "guarda" or path.stem == "five-by-five")
    result = project.stats(path)
    assert [(hand.section, hand.drawn) for hand in result.hands] == hands
    assert bool(result.notes) == (game in ("rishar", "empires-and-generals"))
    assert [hand.drawn for hand in project.stats(path, hand=3).hands] == [3] * max(1, len(hands))


def test_a_hand_that_is_not_known_is_said(project: carddb.Project) -> None:
    """A module without a fixed hand, a deck without a module, and a deck smaller than a hand are said."""
    text = "Game: cdg-solo\n1 Muster of the Towns\n"
    for header, words in (("", "names no module"), ("Format: wilderness-war\n", "does not fix the number")):
        result = project.stats(header + text)
        assert not result.hands and words in result.notes[0]
    assert "An opening hand has 7 cards" in project.stats("Game: cahrd\n2 Sargon of Akkad\n").notes[0]


@every(
    "curve, bars",
    [
        ({2: 1, 4: 3}, {"2": 1, "3": 0, "4": 3}),
        ({1000: 1, 5000: 2}, {"1000": 1, "5000": 2}),
        (dict.fromkeys(range(40), 1), {f"from {start}": 5 for start in range(0, 40, 5)}),
        ({-0.5: 2, 0.5: 1}, {"-0.5": 2, "0.5": 1}),
    ],
)
def test_a_curve_is_drawn_in_order(curve: dict[int | float, int], bars: dict[str, int]) -> None:
    """Gaps between whole numbers are empty bars, and many values are drawn in round steps."""
    assert in_steps(curve) == bars


def test_stats_count_and_draw(call: Call) -> None:
    """Sections, types, choices and curves are counted, and shown as bars; the JSON has fractions."""
    said = call("decks", "stats", str(MALI))
    for word in ("Sections", "Types", "Rarity", "Strength", "Playing deck", "An opening hand of 7"):
        assert word in said.out
    json = call("decks", "stats", str(MALI), "--json").json()
    assert json["cards"] == sum(json["sections"].values()) == sum(json["types"].values())
    assert "/" in json["opening_hand"]["chances"]["General"]["0"]


def test_only_what_is_owned_is_added(call: Call) -> None:
    """With --owned nothing comes in that the player lacks, and the deck is not made legal where that is too little."""
    Path("mine.deck").write_text("Game: guarda\nFormat: 3x3\n4 Column 1 of 3×3 [3-V1]\n", "utf-8")
    Path("owned.csv").write_text("ref,count\n3-V1,4\n3-V2,4\n", "utf-8")
    said = call("decks", "fill", "mine.deck", "--owned", "owned.csv", "--json")
    assert said.code == 1
    assert {row["ref"] for row in said.json()["added"]} <= {"3-V2"}
    assert call("decks", "fill", "mine.deck", "--write").code == 0 and call("check", "mine.deck").code == 0
