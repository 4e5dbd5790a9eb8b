"""Workers that draw ahead of the program: what comes of a job is the same with any number of them."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from carddb.cards.cards import Card, Pool
from carddb.cards.print_history import PrintJob
from carddb.cli import session
from carddb.core import executors as executor_pool
from carddb.core.errors import TemplateError
from carddb.door import Project
from carddb.games import Game
from carddb.layout.drawing.face import DrawnFace
from carddb.layout.drawing.face import draw as draw_face
from carddb.press.faces import bank as drawing
from carddb.press.faces.bank import FaceStreams
from carddb.press.faces.workshop import open_workshop
from carddb.press.sheets.card_sheets import face_bank
from carddb.press.sheets.options import SheetOptions
from carddb.press.sheets.sheets import PrintedSheets, print_cards, print_job
from tests.conftest import Calls
from tests.press.faces.art_samples import corners, saved
from tests.rows import usually

pytestmark = [
    pytest.mark.door,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="workers are copies of the process"),
]

CAN_COPY = executor_pool.can_copy
OPTIONS = SheetOptions(card_size="poker", flip="long-edge")


@pytest.fixture
def few_are_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers are started for a handful of things already, and beside the threads of whoever runs the tests."""
    monkeypatch.setattr(drawing, "_WORTH", 1)
    monkeypatch.setattr(executor_pool, "can_copy", lambda: True)


@pytest.fixture
def no_orphans() -> Iterator[None]:
    """After the test no worker is left, running or unburied."""
    yield
    assert not multiprocessing.active_children()


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
    streams = FaceStreams(face_bank(workshop, options), with_digests=True)
    printed = print_cards(workshop, cards, options, "t", "deck", streams)
    return printed._replace(ink=None), print_job(streams, cards, options, "t")


@pytest.mark.usefixtures("no_orphans", "few_are_enough")
@usually("processes", [2, 3])
def test_workers_change_nothing(game: Game, pool: Pool, tmp_path: Path, calls_to: Calls, processes: int) -> None:
    """The file, the findings and what is remembered of it are the same as without them; this process draws little."""
    cards = odd_cards(pool, tmp_path)
    alone = job(game, cards, tmp_path)
    assert len({finding.code for finding in alone[0].findings}) > 2
    drawn = calls_to(drawing, "draw")
    assert job(game, cards, tmp_path, processes) == alone
    assert len(drawn) <= 2


@pytest.mark.usefixtures("no_orphans", "few_are_enough")
@usually("workers_end", [False, True])
def test_a_fault_is_told_by_the_program(
    game: Game, pool: Pool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, workers_end: bool
) -> None:
    """A card that cannot be drawn ends the job with the same words, whether a worker says so or ends at it."""
    cards = [(card, 1) for card in list(pool)[:30]]
    program = os.getpid()

    def draw(*args: Any) -> DrawnFace:
        if args[3].ref == cards[20][0].ref:
            if workers_end and os.getpid() != program:
                os._exit(1)
            raise TemplateError("no such thing", "a.svg", 3)
        return draw_face(*args)

    monkeypatch.setattr(drawing, "draw", draw)
    with pytest.raises(TemplateError) as alone:
        job(game, cards, tmp_path)
    with pytest.raises(TemplateError) as helped:
        job(game, cards, tmp_path, 2)
    assert str(helped.value) == str(alone.value)


@pytest.mark.usefixtures("no_orphans", "few_are_enough")
@pytest.mark.full
def test_where_no_process_is_to_be_had_it_is_done_without(
    game: Game, pool: Pool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A system that gives no more processes, or not as many as asked for, costs time alone."""
    cards = [(card, 1) for card in list(pool)[:40]]
    alone, original = job(game, cards, tmp_path), os.fork
    for possible in (0, 1):
        times = iter(range(possible))

        def fork(times: Iterator[int] = times) -> int:
            if next(times, None) is None:
                raise BlockingIOError
            return original()

        monkeypatch.setattr(os, "fork", fork)
        assert job(game, cards, tmp_path, 2) == alone


@pytest.mark.usefixtures("few_are_enough")
@usually(("worth", "processes", "threads", "forks"), [
    (1, 2, False, True), (999, 2, False, False), (1, 1, False, False), (1, 2, True, False)
])  # fmt: skip
def test_a_process_is_copied_where_it_pays_and_is_safe(
    game: Game, pool: Pool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, calls_to: Calls,
    worth: int, processes: int, threads: bool, forks: bool,
) -> None:  # fmt: skip
    """For many faces, where the caller allows it, and where no thread may hold a lock that a copy finds closed."""
    copies = calls_to(os, "fork")
    monkeypatch.setattr(drawing, "_WORTH", worth)
    if threads:
        monkeypatch.setattr(threading, "active_count", lambda: 2)
        monkeypatch.setattr(executor_pool, "can_copy", CAN_COPY)
    job(game, [(card, 1) for card in list(pool)[:40]], tmp_path, processes)
    assert bool(copies) == forks


def test_a_progress_bar_starts_no_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process with threads is not copied without danger, so that the bar of the command line has none."""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    before = threading.active_count()
    project = Project(on_progress=session.Bars(quiet=False).update)
    for total in (None, 2):
        with project.working("drawing", total) as step:
            step("sheet 1 of 2")
            assert threading.active_count() == before


PRINTING = """
import os
from itertools import count
from carddb.core.executors import ProcessPool
from carddb.press.templates.foreign_templates import ForeignTemplates
def draw(templates, number):
    yield os.getpid(), templates.render("a.svg", {"x": number})
templates = ForeignTemplates({"a.svg": "{{ x }}"})
assert templates.render("a.svg", {"x": 1}) == "1"
workers = set()
for worker, _ in ProcessPool(2).map(draw, templates, count()):
    if worker not in workers:
        workers.add(worker)
        print(len(workers), flush=True)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="there are workers on Linux alone")
def test_nothing_is_left_of_a_program_that_was_killed() -> None:
    """Workers, the process of templates and those of the workers end when nobody reads and asks any more."""
    program = subprocess.Popen([sys.executable, "-c", PRINTING], stdout=subprocess.PIPE)
    assert program.stdout and [program.stdout.readline() for _ in range(2)] == [b"1\n", b"2\n"]
    others = psutil.Process(program.pid).children(recursive=True)
    program.kill()
    program.wait()
    program.stdout.close()
    _, left = psutil.wait_procs(others, timeout=60)
    assert len(others) == 5 and not left
