"""Work on a real Dask scheduler with two workers on the loopback."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack
from itertools import islice
from pathlib import Path

import pytest
from PIL import Image

from carddb.app.cards.faces import CardFaces
from carddb.cards.cards import Pool
from carddb.core import cluster
from carddb.core.errors import CarddbError, UsageError
from carddb.core.executors import ExecutorRequest, open_executor
from carddb.door import Project
from carddb.games import Game, folders
from tests.conftest import OUTSIDE, Told
from tests.rows import usually

pytestmark = pytest.mark.door

pytest.importorskip("distributed", reason="the extra carddb[cluster] is not installed")

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a scheduler with two workers, which see these tests too."""
    from distributed import Client

    folder = tmp_path_factory.mktemp("dask")
    file = folder / "scheduler.json"
    scheduler = ("dask_scheduler", "--host", "127.0.0.1", "--port", "0")
    worker = ("dask_worker", "--nthreads", "1", "--no-nanny", "--local-directory", str(folder))
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with ExitStack() as stack:
        for name, *options in (scheduler, worker, worker):
            words = [sys.executable, "-m", f"distributed.cli.{name}", *options, "--no-dashboard"]
            process = subprocess.Popen(
                [*words, "--scheduler-file", str(file)],
                env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )  # fmt: skip
            stack.callback(process.wait)
            stack.callback(process.terminate)
        with Client(scheduler_file=str(file), timeout=60, set_as_default=False) as client:
            client.wait_for_workers(2, timeout=60)
        yield json.loads(file.read_text())["address"]


def doubled(folder: str, number: int) -> Iterator[int]:
    """A task of two results; the worker that is first to come to number 3 is killed there."""
    if number == 3:
        try:
            (Path(folder) / "killed").touch(exist_ok=False)
        except FileExistsError:
            pass
        else:
            os.kill(os.getpid(), signal.SIGKILL)
    yield from (number, 2 * number)


def endless(_: None, number: int) -> Iterator[int]:
    """A task that ends only where it is stopped, and fills no memory; number 0 has one result and ends."""
    yield number
    while number:
        yield sum(range(300_000))


@pytest.mark.full
def test_a_cluster_gives_the_bytes_of_one_machine(address: str, call: Callable[..., Told], tmp_path: Path) -> None:
    """Games, checked decks, answers and pictures: whoever makes them, they are the same."""
    decks = tmp_path / "decks"
    decks.mkdir()
    for path in [path for folder in folders().values() for path in folder.decks[:2]]:
        (decks / path.name).write_bytes(path.read_bytes())
    (decks / "unreadable.deck").write_text("Game: nobody's\n1 Card\n", "utf-8")
    batch = tmp_path / "questions.jsonl"
    question = {"op": "guarda.simulate", "input": {"seed": 1, "log": False}}
    lines = (json.dumps({"id": 1, **question}), "{", json.dumps({"id": 2, **question, "why": True}))
    batch.write_text("\n".join(lines))
    pictures = ("sheets", "set:documents", "--game", "cahrd")
    for words in (
        ("simulate", "guarda", "--games", "20", "--json"),
        ("decks", "odds", str(decks / "grain-roads.deck"), "--holds", "1 type:tactic", "--games", "9", "--json"),
        ("check", str(decks), "--json"),
        ("judge", "--batch", str(batch)),
        (*pictures, "--dpi", "60", "--png"),
    ):
        told = []
        for name, who in (("one", ("--jobs", "1")), ("many", ("--cluster", address))):
            place = tmp_path / name
            result = call(*words, *((str(place),) if words[0] == "sheets" else ()), *who)
            files = {path.name: path.read_bytes() for path in sorted(place.glob("*"))}
            told.append((result.code, result.out, files))
        assert told[0] == told[1] and any(told[0][1:]), words


def test_faces_of_a_site_are_the_same(address: str, tmp_path: Path, game: Game, pool: Pool) -> None:
    """The pictures of the cards go to the workers too."""
    (tmp_path / "art").mkdir()
    Image.new("RGB", (90, 60), "#0571b0").save(tmp_path / "art" / "blue.png")
    cards = [card._replace(values={**card.values, "art": "art/blue.png"}) for card in list(pool)[:2]]
    project, request = Project(tmp_path), ExecutorRequest(cluster=address)
    with open_executor(request, 1) as executor:
        fronts = list(CardFaces().fronts(project, game, cards, executor=executor))
    assert fronts == list(CardFaces().fronts(project, game, cards))
    assert all(b"<image" in front for front in fronts)


def worker_of(_: None, number: int) -> Iterator[int]:
    """A task that takes a worker some hundredths of a second, and tells which it was."""
    yield os.getpid() if sum(range(2_000_000)) > number else 0


@pytest.mark.full
def test_all_workers_have_work(address: str) -> None:
    """Dask does not keep the tasks where the packet is that all of them share."""
    with open_executor(ExecutorRequest(cluster=address), 40) as executor:
        by_worker = Counter(executor.map(worker_of, None, range(40)))
    assert len(by_worker) == 2 and min(by_worker.values()) >= 10


@pytest.mark.full
def test_a_lost_worker_costs_its_task(address: str, tmp_path: Path) -> None:
    """Another worker does the task again, and all results come in their order."""
    with open_executor(ExecutorRequest(cluster=address), 8) as executor:
        results = list(executor.map(doubled, str(tmp_path), range(8)))
    assert results == [each for number in range(8) for each in (number, 2 * number)]
    assert (tmp_path / "killed").exists()


def test_work_that_nobody_waits_for_is_stopped(address: str, tmp_path: Path) -> None:
    """Tasks that would never end leave the workers to the next work, as after Ctrl-C."""
    (tmp_path / "killed").touch()
    with open_executor(ExecutorRequest(cluster=address), 8) as executor:
        # Dask may move a task that waits behind an endless one, so these are sent only after the first results.
        work = executor.map(endless, None, [0] * cluster._LEAST_AHEAD + [1] * 8)
        assert list(islice(work, 3)) == [0, 0, 0]
        assert isinstance(work, Generator)
        work.close()
        assert list(executor.map(doubled, str(tmp_path), [3, 4])) == [3, 6, 4, 8]


def test_another_version_is_refused(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Dask itself would only warn."""
    monkeypatch.setattr(cluster, "__version__", "99.0")
    refused = pytest.raises(CarddbError, match=r"the scheduler has carddb .*, but this machine has carddb 99\.0")
    with refused as told, open_executor(ExecutorRequest(cluster=address), 8):
        pass
    assert told.value.remedy == "Install the same version of carddb everywhere."


def test_a_program_of_ones_own_goes_only_with_trust(address: str, call: Callable[..., Told], tmp_path: Path) -> None:
    """The workers run a rules.py where --trust says so; the answers, and a site, are those of one machine."""
    game = OUTSIDE / "lanterns"
    decks = sorted((game / "decks").glob("*.deck"))
    words = ("--games", str(OUTSIDE), "check", *map(str, decks), str(decks[0]), "--json")
    assert call(*words, "--cluster", address).code == 2
    assert call(*words, "--cluster", address, "--trust").out == call(*words, "--jobs", "1").out != ""
    assert call("--games", str(OUTSIDE), "load", str(game / "cards.csv"), "--game", game.name).code == 0
    sites = []
    for name, who in (("one", ("--jobs", "1")), ("many", ("--cluster", address, "--trust"))):
        assert call("--games", str(OUTSIDE), "site", "-o", str(tmp_path / name), "--game", game.name, *who).code == 0
        paths = [path for path in (tmp_path / name).rglob("*") if path.is_file()]
        sites.append({path.relative_to(tmp_path / name): path.read_bytes() for path in paths})
    assert sites[0] == sites[1] and any(path.suffix == ".pdf" for path in sites[0])


@usually("address", ["tcp://192.0.2.7:8786", "tcp://scheduler:8786", "ucx://127.0.0.1:8786", "8786"])
def test_beyond_this_machine_only_with_encryption(address: str) -> None:
    """Whoever reaches a scheduler without certificates could run programs on all machines."""
    with pytest.raises(UsageError, match=r"tls://|is not the address"):
        ExecutorRequest(cluster=address).check()
