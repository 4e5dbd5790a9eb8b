"""Both doors agree: what a script is answered is what the command line says, and the files are the same bytes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from itertools import cycle, islice, product
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import carddb
from carddb.app.printing.options import PAPER, PaperOptions
from carddb.games import folders, load
from carddb.games.schemas import PrintDefaults
from tests.conftest import Told
from tests.rows import usually

Call = Callable[..., Told]

GAMES = tuple(folders())
ON = date(2026, 6, 20)
DAYS = ("2026-06-10", "2026-06-20", "2027-01-15")
"""Before, between and after changes of the sample ban lists."""
PAPERS: dict[str, tuple[PaperOptions, ...]] = {
    "paper": ({}, {"paper": "a4"}, {"stock": "avery-5388"}, {"paper": "tabloid", "gutter": "3mm"}),
    "ink": ({}, {"ink": "light"}, {"ink": "text"}),
    "flip": ({}, {"flip": "short-edge"}, {"fold": True}, {"flip": "none", "marks": "none"}),
}


class Case(NamedTuple):
    """A deck and how it is checked."""

    game: str
    deck: Path
    format: str | None
    option: tuple[str, Any] | None
    on: str

    def __str__(self) -> str:
        option = self.option[0] if self.option else "plain"
        return f"{self.deck.stem}-{self.format or 'default'}-{option}-{self.on}"


def values(key: str) -> tuple[list[Path], list[str | None], list[tuple[str, Any] | None]]:
    """The example decks of a game, its formats, and an option of each with another value than its own."""
    game, _ = load(folders()[key])
    assert game
    decks = [*game.folder.decks, *sorted((game.folder.path / "decks").glob("*/*.deck"))]
    options = [
        (name, not option.default) for name, option in game.spec.options.items() if isinstance(option.default, bool)
    ]
    return decks, [None, *game.spec.formats], [None, *options]


def cases(whole: bool = False) -> Iterator[Case]:
    """Every value at least once; with `whole` every combination."""
    for key in GAMES:
        parts: tuple[Sequence[Any], ...] = (*values(key), DAYS)
        if whole:
            rows: Iterator[tuple[Any, ...]] = product(*parts)
        else:
            rows = islice(zip(*map(cycle, parts), strict=False), max(map(len, parts)))
        yield from (Case(key, *row) for row in rows)


def agree(case: Case, call: Call) -> None:
    """Compares the report of a script with the JSON of the command line."""
    words = ["check", str(case.deck), "--game", case.game, "--on", case.on, "--json"]
    words += ["--format", case.format] if case.format else []
    words += ["--option", f"{case.option[0]}={json.dumps(case.option[1])}"] if case.option else []
    said = call(*words)
    report = carddb.open().check(
        case.deck, game=case.game, format=case.format, on=case.on, options=dict([case.option] if case.option else [])
    )
    assert isinstance(report, carddb.Report)
    assert report.to_json() == said.json()
    assert report.exit_code == said.code


@pytest.fixture(scope="module")
def catalogue(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A catalogue with the samples of all games, made once."""
    path = tmp_path_factory.mktemp("doors") / "carddb.db"
    project = carddb.open(path.parent)
    project.cards("type:general")
    return path


@pytest.fixture
def cli(call: Call, catalogue: Path, monkeypatch: pytest.MonkeyPatch) -> Call:
    """The command line, with that catalogue."""
    monkeypatch.setenv("CARDDB_CATALOG", str(catalogue))
    return call


@pytest.mark.door
@pytest.mark.parametrize("case", list(cases()), ids=str)
def test_both_doors_check_alike(case: Case, cli: Call) -> None:
    """Verdict, findings, context and exit code are the same for every example deck, format, option and ban day."""
    agree(case, cli)


@pytest.mark.full
def test_both_doors_check_alike_in_every_combination(cli: Call) -> None:
    """The same for all decks with all formats, options and days."""
    for case in cases(whole=True):
        agree(case, cli)


def test_a_project_may_say_what_options_declare_so() -> None:
    """The defaults of a print that `carddb.toml` may name are the options that are declared as such."""
    assert {name for name, option in PAPER.items() if option.by_project} == set(PrintDefaults.model_fields)


def jobs() -> Iterator[tuple[str, PaperOptions]]:
    """A print job for each game, all values of the paper options among them."""
    rows = zip(*map(cycle, PAPERS.values()), strict=False)
    for key, parts in islice(zip(cycle(GAMES), rows, strict=False), 2 * len(GAMES)):
        options: PaperOptions = {}
        for part in parts:
            options |= part
        if options.get("fold"):
            options.pop("stock", None)  # a stock with slots is not folded
        yield key, options


def paper_words(options: PaperOptions) -> list[str]:
    """Paper options as words of the command line."""
    words = []
    for name, value in options.items():
        words += [f"--{name.replace('_', '-')}", *([] if value is True else [str(value)])]
    return words


@pytest.mark.door
@pytest.mark.parametrize(("key", "options"), list(jobs()), ids=lambda value: value if isinstance(value, str) else "")
def test_both_doors_print_alike(key: str, options: PaperOptions, cli: Call) -> None:
    """Sheets of a few cards are the same bytes, with the same findings."""
    query = "-type:reference" if key == "empires-and-generals" else "set:sample"
    refs = [card.ref for card in carddb.open().cards(query, game=key)][:5]
    said = cli("-q", "sheets", *refs, "--game", key, "--on", "2026-06-20", "--no-remember", "-o", "a.pdf",
               *paper_words(options))  # fmt: skip
    result = carddb.open().sheets(*refs, game=key, on=ON, **options)
    assert result.data == Path("a.pdf").read_bytes(), said.err


@pytest.mark.door
@usually("key", GAMES, "guarda")
def test_both_doors_write_the_other_files_alike(key: str, cli: Call) -> None:
    """A component, the rule sheet and a deck list are the same bytes."""
    project, on = carddb.open(), ON
    game, _ = load(folders()[key])
    assert game
    name = next(iter(game.spec.components))
    cli("components", key, name, "-o", "c.pdf", "--on", "2026-06-20")
    assert project.components(key, name, on=on).data == Path("c.pdf").read_bytes()
    cli("guide", key, "-o", "g.html")
    assert project.guide(key, kind="html").data == Path("g.html").read_bytes()
    deck = game.folder.decks[0]
    cli("decklist", str(deck), "--game", key, "--on", "2026-06-20", "-o", "d.pdf")
    assert project.decklist(deck, game=key, on=on).data == Path("d.pdf").read_bytes()


def test_both_doors_judge_and_list_alike(cli: Call) -> None:
    """The referee's answers and the ban lists are those of the command line."""
    project = carddb.open()
    Path("q.json").write_text('{"hand": 9}')
    assert project.judge("eg.hand_discard", {"hand": 9}) == cli("judge", "eg.hand_discard", "q.json").json()
    shown = cli("bans", "show", "short", "--on", "2026-06-20", "--json").json()
    assert project.bans("short").on("2026-06-20").to_json() == shown
    assert [card.ref for card in project.cards("type:general")] == [
        card["ref"] for card in cli("cards", "type:general", "--json").json()["cards"]
    ]
