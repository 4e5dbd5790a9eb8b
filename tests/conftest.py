"""What many tests share: the bundled game, its sample cards, small fonts and a small project."""

from __future__ import annotations

import gc
import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import settings

from carddb.app.workspace import ban_file
from carddb.app.workspace.workspace import Workspace
from carddb.cards.cards import Pool
from carddb.cli.main import run
from carddb.core import cache as disk_cache
from carddb.games import Game, folders, load
from carddb.layout.text.fonts import FontBook
from carddb.press.conform import Subject
from carddb.press.faces.workshop import Workshop as _Workshop
from carddb.press.faces.workshop import font_book, open_workshop
from carddb.read.cards.file import CardReading, read_cards
from tests import shelf

# The usual run is small and the same every time; `pytest --hypothesis-profile=full` tries much more, by chance.
settings.register_profile("small", max_examples=10, stateful_step_count=25, deadline=None, derandomize=True)
settings.register_profile("full", max_examples=400, deadline=None)
settings.load_profile("small")

OUTSIDE = Path(__file__).parent / "outside"
GAME = "empires-and-generals"
Calls = Callable[[object, str], list[tuple[Any, ...]]]


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--update-goldens` writes the golden files anew."""
    parser.addoption("--update-goldens", action="store_true", help="write the golden files anew")


def pytest_configure(config: pytest.Config) -> None:
    """No setting of the machine reaches a test; cache and settings are folders of this run, empty when the run begins.

    All workers of the run share them. What Python compiles is kept, or every second process would compile it again.
    """
    if not hasattr(config, "workerinput"):
        cache = TemporaryDirectory(prefix="carddb-tests-")
        config.add_cleanup(cache.cleanup)
        os.environ["CARDDB_CACHE"] = cache.name
        config_home = TemporaryDirectory(prefix="carddb-tests-")
        config.add_cleanup(config_home.cleanup)
        os.environ["XDG_CONFIG_HOME"] = config_home.name
    disk_cache.MOST = 5_000  # a whole run has more games, jobs and templates than a user
    sys.dont_write_bytecode = False
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    for name in ("CARDDB_CATALOG", "CARDDB_GAMES", "CARDDB_PRINTERS"):
        os.environ.pop(name, None)
    os.environ.update(SOURCE_DATE_EPOCH="1700000000", CARDDB_SHOW_CRASH="yes")


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Each worker of a whole run first compiles its share of the tests, so that none is compiled by each of them."""
    worker = getattr(session.config, "workerinput", None)
    folder = Path(__file__).parent
    if worker and [Path(path).absolute() for path in session.config.args] == [folder]:
        files = sorted(folder.rglob("test_*.py"))
        for path in files[int(worker["workerid"].removeprefix("gw")) :: worker["workercount"]]:
            import_module(".".join(path.relative_to(folder.parent).with_suffix("").parts))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves the claims at full size out of a run whose marks do not name them, `-m door` for example."""
    if config.option.markexpr and "full" not in config.option.markexpr:
        full = [item for item in items if item.get_closest_marker("full")]
        config.hook.pytest_deselected(items=full)
        items[:] = [item for item in items if not item.get_closest_marker("full")]


def pytest_collection_finish() -> None:
    """What was imported stays until the end: looking through it for garbage again and again finds none."""
    gc.freeze()
    gc.set_threshold(20_000, 50, 50)


@pytest.fixture(scope="session", autouse=True)
def _sample_catalogue(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The catalogue that a command makes with the sample cards is made once, and copied wherever one is made again.

    Not where games of one's own or another clock would make another one.
    """
    first = tmp_path_factory.mktemp("samples") / "carddb.db"
    create, clock, bundled = Workspace._create_catalog, vars(ban_file)["now"], folders()
    counts: list[int] = []

    def copied(project: Workspace, path: Path) -> int:
        usual = not project.explicit_catalog and project.folders == bundled and vars(ban_file)["now"] is clock
        if usual and counts and not path.exists():
            shutil.copyfile(first, path)
            return counts[0]
        count = create(project, path)
        if usual and not counts:
            shutil.copyfile(path, first)
            counts.append(count)
        return count

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Workspace, "_create_catalog", copied)
        yield


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """What served a file alone is forgotten when its last test is done."""
    if isinstance(item, pytest.Function) and (nextitem is None or nextitem.path != item.path):
        shelf.tidy(item.module)


@pytest.fixture(scope="session", autouse=True)
def _shelf() -> Iterator[None]:
    """What many tests make from the same things is made once."""
    with shelf.opened():
        yield


@pytest.fixture
def anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything is made anew, for a claim that what is made twice is the same."""
    monkeypatch.setattr(shelf, "is_open", False)


@pytest.fixture(scope="session")
def game() -> Game:
    """Empires and Generals."""
    loaded, findings = load(folders()[GAME])
    assert loaded is not None, findings
    return loaded


@pytest.fixture(scope="session")
def pool(game: Game) -> Pool:
    """Its sample cards."""
    assert game.folder.cards_file
    file = read_cards(game.folder.cards_file, CardReading(game.spec, "sample", game.folder.path))
    return Pool(game.spec.card(record.ref, record.values) for record in file.records)


@pytest.fixture(scope="session")
def book(game: Game) -> FontBook:
    """Its fonts, and those of documents."""
    return font_book(game.spec.fonts)


@pytest.fixture(scope="session")
def workshop(game: Game, pool: Pool) -> _Workshop:
    """Everything its faces are drawn with."""
    return open_workshop(game, pool)


@pytest.fixture
def usual_size_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game's conformity is tried with cards of the usual size alone."""
    all_sizes = vars(Subject)["sizes"].func
    monkeypatch.setattr(Subject, "sizes", property(lambda subject: all_sizes(subject)[:0]))


@pytest.fixture
def calls_to(monkeypatch: pytest.MonkeyPatch) -> Calls:
    """Records the arguments of each call to a function of a module or class, which answers as before."""

    def record(owner: object, name: str) -> list[tuple[Any, ...]]:
        calls: list[tuple[Any, ...]] = []
        original = getattr(owner, name)

        def recorded(*arguments: Any, **options: Any) -> Any:
            calls.append(arguments)
            return original(*arguments, **options)

        monkeypatch.setattr(owner, name, recorded)
        return calls

    return record


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Compares a text with a file under tests/golden, or writes it with --update-goldens."""

    def compare(name: str, text: str) -> None:
        path = Path(__file__).parent / "golden" / name
        if request.config.getoption("--update-goldens"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        assert text == path.read_text("utf-8"), f"{name} differs; look at it, then run pytest --update-goldens"

    return compare


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """An empty working folder."""
    before = Path.cwd()
    os.chdir(tmp_path)
    yield tmp_path
    os.chdir(before)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A Chromium for the tests of a file; not for longer, since while it runs no other event loop can."""
    from tests.web.chromium import launched

    with launched() as chromium:
        yield chromium


class Told:
    """The exit code of a run and what it said."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture
def call(folder: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., Told]:
    """Runs a command in an empty folder."""

    def made(*arguments: str) -> Told:
        capsys.readouterr()
        code = run(arguments)
        said = capsys.readouterr()
        assert "Traceback" not in said.err + said.out
        return Told(code, said.out, said.err)

    return made
