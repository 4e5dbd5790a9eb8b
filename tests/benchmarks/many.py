"""What further processes and a cluster bring: `python -m tests.benchmarks.many [--games N] [--decks N] [--hands N]`.

Games of Guarda, legal decks of a catalogue of 5,400 cards and hands of one of them, by this process, by two processes
of this machine and by two workers of a Dask cluster on it; with 0 a row is left out. The efficiency is the time of one
over twice that of two: by the clock, and by the processors, which tells what sending costs where others use the
machine too.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import date
from hashlib import sha256
from pathlib import Path
from random import Random

import psutil
from distributed import Client

from carddb.app.decks.check import CheckRequest
from carddb.app.decks.check_many import check_many
from carddb.app.decks.odds import HandRequest, deck_odds
from carddb.app.referee import simulate
from carddb.cards.cards import Pool
from carddb.core.executors import HERE, ExecutorRequest
from carddb.door import Project
from carddb.games import folders, load
from carddb.read.decks.writer import write_deck
from tests.benchmarks.decks import CARDS, drawn, made
from tests.benchmarks.inputs import KEY, barred, rows, write_project
from tests.benchmarks.timing import ENVIRONMENT, Spent, carddb, seconds

DIFFERENT = 2_000
"""Decks, of which as many as wanted are checked in turn."""

Work = Callable[[ExecutorRequest], object]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.many")
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--decks", type=int, default=20_000)
    parser.add_argument("--hands", type=int, default=1_000_000)
    numbers = parser.parse_args()
    with tempfile.TemporaryDirectory() as place, cluster(Path(place)) as (address, workers):
        project, texts = prepared(Path(place))
        if numbers.games:
            compare(f"{numbers.games:,} games", games(project, numbers.games), address, workers)
        if numbers.decks:
            compare(f"{numbers.decks:,} decks", decks(project, texts, numbers.decks), address, workers)
        if numbers.hands:
            compare(f"{numbers.hands:,} hands", hands(project, texts[0], numbers.hands), address, workers)


@contextmanager
def cluster(folder: Path) -> Iterator[tuple[str, list[psutil.Process]]]:
    """The address of a scheduler with two workers, and these."""
    file = folder / "scheduler.json"
    scheduler = ("dask_scheduler", "--host", "127.0.0.1", "--port", "0")
    worker = ("dask_worker", "--nthreads", "1", "--no-nanny", "--local-directory", str(folder))
    with ExitStack() as stack:
        processes = []
        for name, *options in (scheduler, worker, worker):
            words = (sys.executable, "-m", f"distributed.cli.{name}", *options, "--no-dashboard")
            process = subprocess.Popen(
                [*words, "--scheduler-file", str(file)], env=ENVIRONMENT, stderr=subprocess.DEVNULL
            )
            stack.callback(process.wait)
            stack.callback(process.terminate)
            processes.append(psutil.Process(process.pid))
        with Client(scheduler_file=str(file), set_as_default=False) as client:
            client.wait_for_workers(2)
            yield client.scheduler.address, processes


def games(project: Project, number: int) -> Work:
    """Plays whole games of Guarda."""
    return lambda request: simulate(project, "guarda", number, 1, {}, request).sums


def prepared(folder: Path) -> tuple[Project, list[str]]:
    """A project with the catalogue, and the texts of legal decks of its cards."""
    cards = write_project(folder, CARDS, pictures=False).cards
    carddb("load", str(cards), folder=folder)()
    os.environ["CARDDB_GAMES"] = str(folder / KEY)
    project = Project(folder)
    game, _ = load(folders([(folder / KEY, True)])[KEY])
    assert game
    spec = game.spec
    table = list(rows(CARDS))
    rarity = {str(card["name"]): str(card["rarity"]) for card in table}
    banned = set(barred(CARDS))
    allowed = [str(card["name"]) for card in table if card["ref"] not in banned]
    pool = Pool(spec.card(str(card["ref"]), {**card, "set": "all"}) for card in table)
    random = Random(7)
    texts = [write_deck(made(drawn(allowed, rarity, random), pool), spec) for _ in range(DIFFERENT)]
    return project, texts


def decks(project: Project, texts: list[str], number: int) -> Work:
    """Checks legal decks, from their texts to the rows of their table."""
    sources = [texts[at % len(texts)] for at in range(number)]
    request = CheckRequest(game=KEY, on=date(2026, 6, 20))

    def check(executor: ExecutorRequest) -> object:
        with check_many(project, sources, request, ["rows"], executor) as checked:
            assert checked.counts.verdicts == {"legal": number}, checked.counts
            return sha256(b"".join(checked.csv())).digest()

    return check


def hands(project: Project, text: str, number: int) -> Work:
    """Deals hands of a deck, and counts what they hold."""
    request = HandRequest(["1 rarity:rare", "2 type:sailor"], draws=[3], hand=7, games=number)
    return lambda executor: deck_odds(project, text, request, KEY, executor=executor).tally


def compare(title: str, work: Work, address: str, workers: list[psutil.Process]) -> None:
    """Prints what each way takes, and its efficiency."""
    answers = []
    alone = spent(lambda: answers.append(work(HERE)), [])
    two = spent(lambda: answers.append(work(ExecutorRequest(processes=2))), [])
    cluster_ = spent(lambda: answers.append(work(ExecutorRequest(cluster=address))), workers)
    assert answers[0] == answers[1] == answers[2]
    print(f"{title + ', one process':44} {alone.wall:8.1f} s  {alone.processor:8.1f} s")
    for name, each in (("two processes", two), ("two workers", cluster_)):
        clock, processors = alone.wall / each.wall / 2, alone.processor / each.processor
        print(
            f"{f'{title}, {name}':44} {each.wall:8.1f} s  {each.processor:8.1f} s  {clock:.2f}  {processors:.2f}",
            flush=True,
        )


def spent(job: Callable[[], object], workers: list[psutil.Process]) -> Spent:
    """What a job takes, with what `workers` do meanwhile."""
    before = sum(sum(worker.cpu_times()[:2]) for worker in workers)
    own = seconds(job)
    return Spent(own.wall, own.processor + sum(sum(worker.cpu_times()[:2]) for worker in workers) - before)


if __name__ == "__main__":
    main()
