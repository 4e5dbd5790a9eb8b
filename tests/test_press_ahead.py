"""Workers that draw ahead of the program: what comes of a job is the same with any number of them."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from mmap import mmap
from pathlib import Path
from typing import Any

import psutil
import pytest
from art_samples import corners, saved
from hypothesis import given
from hypothesis import strategies as st

from carddb.app.project import Project
from carddb.cards import Card, Pool
from carddb.cli import progress
from carddb.errors import TemplateError
from carddb.games import Game
from carddb.layout.face import DrawnFace
from carddb.press import face_bank as drawing
from carddb.press import foreign_templates, forked_workers
from carddb.press.card_sheets import face_bank
from carddb.press.face_streams import FaceStreams
from carddb.press.forked_workers import ForkedWorkers, forked_worker_count, shared_out
from carddb.press.print_record import print_job
from carddb.press.sheet_options import SheetOptions
from carddb.press.sheets import PrintedSheets, print_cards
from carddb.press.workshop import open_workshop
from carddb.print_history import PrintJob

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="workers are copies of the process")

OPTIONS = SheetOptions(card_size="poker", flip="long-edge")


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever asks waits until the workers have done all they were given."""
    monkeypatch.setattr(forked_workers.select, "select", lambda read, *_: (read, [], []))


@pytest.fixture
def few_are_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers are started for a handful of things already."""
    monkeypatch.setattr(forked_workers, "_WORTH", 1)
    monkeypatch.setattr(forked_workers.sys, "platform", "linux")


@pytest.fixture
def no_orphans() -> Iterator[None]:
    """After the test no worker is left, running or unburied; the process that draws foreign templates is none."""
    foreign_templates._child(os.getpid()).end()
    yield
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


def odd_cards(pool: Pool, folder: Path) -> list[tuple[Card, int]]:
    """Cards in several scripts and numbers of copies, with pictures good, alike, missing and broken, and long texts."""
    for name in ("a.jpg", "b.jpg"):
        (folder / name).write_bytes(saved(corners(600, 420), "JPEG"))
    (folder / "c.png").write_bytes(saved(corners(900, 600), "PNG")[:3000])
    arts = ["a.jpg", "b.jpg", "c.png", "gone.png", "a.jpg"]
    out = []
    for at, card in enumerate([card for card in pool if card.type in ("soldier", "strategy")][:40]):
        odd = {"name": f"{card.name} Žižka Ωé“—” {chr(0x100 + at)}{chr(0x391 + at)}", "art": arts[at % 5]}
        if at % 13 == 7:
            odd["text"] = "Every soldier may attack again. " * 60
        out.append((Card(card.game, card.ref, {**card.values, **odd}), 1 + at % 3))
    return out


def job(game: Game, cards: list[tuple[Card, int]], folder: Path, processes: int = 1) -> tuple[PrintedSheets, PrintJob]:
    workshop = open_workshop(game, art_folder=folder)
    options = OPTIONS._replace(processes=processes)
    streams = FaceStreams(face_bank(workshop, options), digesting=True)
    printed = print_cards(workshop, cards, options, "t", "deck", streams)
    return printed._replace(ink=None), print_job(streams, cards, options, "t")


@pytest.mark.usefixtures("no_orphans", "few_are_enough")
@pytest.mark.parametrize("workers", [1, 2, 3])
def test_workers_change_nothing(game: Game, pool: Pool, tmp_path: Path, workers: int) -> None:
    """The file, the findings and what is remembered of it are the same as without them, whoever is faster."""
    cards = odd_cards(pool, tmp_path)
    alone = job(game, cards, tmp_path)
    assert len({finding.code for finding in alone[0].findings}) > 2
    assert job(game, cards, tmp_path, 1 + workers) == alone


@pytest.mark.usefixtures("no_orphans", "patient", "few_are_enough")
@pytest.mark.parametrize("workers", [1, 3])
def test_workers_may_do_it_all(
    game: Game, pool: Pool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, workers: int
) -> None:
    """Where every face comes from a worker, that changes nothing either."""
    cards = odd_cards(pool, tmp_path)
    alone = job(game, cards, tmp_path)
    drawn: list[str] = []
    original = drawing.draw
    monkeypatch.setattr(drawing, "draw", lambda *args: drawn.append(args[1]) or original(*args))
    assert job(game, cards, tmp_path, 1 + workers) == alone
    assert len(drawn) <= 2


@pytest.mark.usefixtures("no_orphans", "patient", "few_are_enough")
def test_a_fault_is_told_by_the_program(
    game: Game, pool: Pool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A card that cannot be drawn ends the job with the same words, although a worker came upon it first."""
    cards = [(card, 1) for card in list(pool)[:30]]
    original = drawing.draw

    def draw(*args: Any) -> DrawnFace:
        if args[3].ref == cards[20][0].ref:
            raise TemplateError("no such thing", "a.svg", 3)
        return original(*args)

    monkeypatch.setattr(drawing, "draw", draw)
    with pytest.raises(TemplateError) as alone:
        job(game, cards, tmp_path)
    with pytest.raises(TemplateError) as helped:
        job(game, cards, tmp_path, 2)
    assert str(helped.value) == str(alone.value)


def each(function: Callable[[int], str]) -> Callable[[Sequence[int]], list[str]]:
    """Work on some numbers, one after the other."""
    return lambda numbers: list(map(function, numbers))


def squares(number: int) -> str:
    return f"{number} {number * number} " * 2000


def failing(number: int) -> str:
    if number == 6:
        raise ValueError(number)
    return str(number)


def vanishing(number: int) -> str:
    if number == 6:
        os._exit(1)
    return str(number)


@pytest.mark.usefixtures("no_orphans", "patient")
@given(st.lists(st.integers(0, 90), unique=True, max_size=70), st.integers(0, 4))
def test_every_number_is_made_once(numbers: list[int], workers: int) -> None:
    """However many share the work, and however long the answers are, each is the right one, and given once."""
    work = ForkedWorkers(each(squares), numbers, workers)
    took = [work.take(number) for number in numbers]
    assert took == [squares(number) if workers else None for number in numbers]
    assert [work.take(number) for number in numbers] == [None] * len(numbers)
    work.end()


@pytest.mark.usefixtures("no_orphans", "patient")
@pytest.mark.parametrize("make", [failing, vanishing])
def test_a_worker_that_fails_leaves_the_rest(make: Callable[[int], str]) -> None:
    """What it told before stays; nothing comes of it after that, and nobody waits for it."""
    work = ForkedWorkers(each(make), range(40), 1)
    assert [work.take(number) for number in (2, 6, 20, 39)] == [None, None, "20", "39"]
    work.end()


@given(st.integers(0, 1000), st.integers(0, 4))
def test_all_is_shared_out(things: int, workers: int) -> None:
    """Every place is in one share; what the program comes to first is begun last."""
    shares = shared_out(things, workers)
    assert len(shares) == workers
    places = [place for share in shares for stretch in share for place in stretch]
    assert sorted(places) == (list(range(things)) if workers else [])
    assert not (workers and things) or any(share and share[-1].start == 0 for share in shares)


@pytest.mark.usefixtures("no_orphans")
def test_what_is_passed_is_not_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that the program has overtaken goes on from where the program is."""
    gate = mmap(-1, 1)

    def made(number: int) -> str:
        while not gate[0]:
            pass
        return str(number)

    work = ForkedWorkers(each(made), range(48), 1)
    assert work.take(40) is None
    gate[0] = 1
    monkeypatch.setattr(forked_workers.select, "select", lambda read, *_: (read, [], []))
    assert [work.take(number) for number in (41, 47, 32, 39, 0)] == ["41", "47", None, None, None]
    work.end()


@pytest.mark.usefixtures("no_orphans")
def test_workers_go_home_when_the_job_ends_early() -> None:
    """One that is in the middle of something, or waits for somebody to read, is stopped."""
    work = ForkedWorkers(each(squares), range(10_000), 3)
    work.end()
    work.end()


@pytest.mark.usefixtures("no_orphans", "patient")
def test_where_no_process_is_to_be_had_there_are_fewer(monkeypatch: pytest.MonkeyPatch) -> None:
    """The workers that could be started do their share, and nothing is left open of the others."""
    copies = iter([forked_workers._copied, forked_workers._copied, None])

    def copied() -> int:
        make = next(copies)
        if make is None:
            raise BlockingIOError
        return make()

    monkeypatch.setattr(forked_workers, "_copied", copied)
    monkeypatch.setattr(forked_workers, "_STRETCH", 1)
    before = len(list(Path("/dev/fd").iterdir()))
    work = ForkedWorkers(each(str), range(6), 4)
    assert [work.take(number) for number in range(6)] == ["0", "1", "2", None, None, "5"]
    work.end()
    assert len(list(Path("/dev/fd").iterdir())) == before


def test_a_short_job_has_no_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are started for many faces only, where a caller allows it, and where the system can copy itself."""
    monkeypatch.setattr(forked_workers.sys, "platform", "linux")
    assert (forked_worker_count(2, 99), forked_worker_count(2, 100)) == (0, 1)
    assert forked_worker_count(64, 100_000) == forked_workers.MOST - 1
    assert forked_worker_count(1, 100_000) == forked_worker_count(0, 100_000) == 0
    monkeypatch.setattr(forked_workers.sys, "platform", "win32")
    assert forked_worker_count(64, 100_000) == 0


@pytest.mark.usefixtures("no_orphans", "few_are_enough")
def test_nothing_is_copied_unless_the_caller_allows_it(
    game: Game, pool: Pool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, few_are_enough: None
) -> None:
    """A program that prints from Python has no process besides its own, until it names a number of them."""
    copies: list[int] = []
    original = forked_workers._copied
    monkeypatch.setattr(forked_workers, "_copied", lambda: copies.append(1) or original())
    cards = [(card, 1) for card in list(pool)[:40]]
    job(game, cards, tmp_path)
    assert not copies
    job(game, cards, tmp_path, 2)
    assert copies


def test_a_progress_bar_starts_no_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process with threads is not copied without danger, so that the bar of the command line has none."""
    monkeypatch.setattr(progress.sys.stderr, "isatty", lambda: True)
    before = threading.active_count()
    project = Project(on_progress=progress.Bars(quiet=False).update)
    for total in (None, 2):
        with project.working("drawing", total) as step:
            step("sheet 1 of 2")
            assert threading.active_count() == before


PRINTING = """
import sys
from carddb.press.foreign_templates import ForeignTemplates
from carddb.press.forked_workers import ForkedWorkers
templates = ForeignTemplates({"a.svg": "{{ x }}"})
templates.prepare()
assert templates.render("a.svg", {"x": 1}) == "1"
draw = lambda numbers: [templates.render("a.svg", {"x": "long " * 999}) for _ in numbers]
workers = ForkedWorkers(draw, range(100_000), 2)
print("begun", flush=True)
sys.stdin.read()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="there are workers on Linux alone")
def test_nothing_is_left_of_a_program_that_was_killed() -> None:
    """Workers, the process of templates and its copies end when nobody reads and asks any more."""
    program = subprocess.Popen([sys.executable, "-c", PRINTING], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert program.stdout and program.stdout.readline() == b"begun\n"
    others = psutil.Process(program.pid).children(recursive=True)
    program.kill()
    program.wait()
    program.stdout.close()
    _, left = psutil.wait_procs(others, timeout=60)
    assert len(others) == 5 and not left
