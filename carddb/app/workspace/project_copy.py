"""A project in other processes: those of this machine open it again, those of a cluster receive its files as bytes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import lru_cache, partial
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import NamedTuple, TypeVar
from weakref import finalize

from carddb.app.workspace import clock
from carddb.app.workspace.settings import Settings
from carddb.app.workspace.workspace import CATALOGUE, SharedCards, Workspace
from carddb.core.errors import UsageError
from carddb.core.executors import Executor
from carddb.games import folders

Task = TypeVar("Task")
Result = TypeVar("Result")
ProjectWork = Callable[[Workspace, Task], Iterable[Result]]
"""A module-level function that does a task with a project, and returns the results."""
_Copy = Callable[[], Workspace]
"""A function that opens a project in another process."""


class Needs(NamedTuple):
    """The parts of a project that work needs: games by key (None: all), the catalogue, pictures as `{name: file}`."""

    games: Collection[str] | None = None
    catalog: bool = False
    pictures: Mapping[str, Path] = {}


def map_project(
    project: Workspace, executor: Executor, work: ProjectWork[Task, Result], tasks: Iterable[Task], needs: Needs
) -> Iterator[Result]:
    """Yields the results of all tasks, in the order of the tasks; without other processes, this one does the work.

    Raises UsageError if a cluster would run an external `rules.py` without trust, and whatever the work raises.
    """
    if not executor.workers:
        for task in tasks:
            yield from work(project, task)
        return
    if executor.is_remote:
        copy = _packed(project, needs, executor.trust)
    else:
        if needs.catalog:
            with project.catalog():
                pass  # so that only this process creates a missing catalogue
        copy = partial(
            Workspace, project.folder.absolute(), catalog=project.explicit_catalog, games=project.game_folders
        )
    yield from executor.map(_with_project, (copy, clock.moment(), work), tasks)


def _with_project(shared: tuple[_Copy, clock.Moment, ProjectWork[Task, Result]], task: Task) -> Iterator[Result]:
    """Does a task in another process, with the clock stopped at the moment when the whole job began."""
    copy, moment, work = shared
    with clock.standing_at(moment):
        yield from work(_opened(copy), task)


@lru_cache(maxsize=2)
def _opened(copy: _Copy) -> Workspace:
    """Opens a project, once for all tasks of a job."""
    project = copy()
    project.shared_cards = _CardsOfTheBeginning()
    return project


class _CardsOfTheBeginning(SharedCards):
    """The shared cards of a job, which are read only once, because opening a catalogue makes it look changed."""

    def refresh(self, catalogue: Path, kept: object) -> None:
        pass


def _packed(project: Workspace, needs: Needs, trust: bool) -> _Copy:
    """Returns a function that opens a copy of the project; it contains the files that the work needs, as bytes.

    Hidden and compiled files of games are left out. Raises UsageError if a game has a `rules.py`, and `trust` is False.
    """
    files = {f"files/{PurePosixPath(name)}": path.read_bytes() for name, path in needs.pictures.items()}
    trusted: dict[str, bool] = {}
    for key, folder in project.folders.items():
        if folder.bundled or (needs.games is not None and key not in needs.games):
            continue
        if folder.trusted and folder.has_rules and not trust:
            problem = f"the game {key} has a rules.py, which the workers of the cluster would run"
            raise UsageError(problem, "If you trust it, add --trust.")
        place = f"games/{len(trusted)}/{folder.path.resolve().name}"
        trusted[place] = folder.trusted
        for path in sorted(folder.path.rglob("*")):
            part = path.relative_to(folder.path)
            if path.is_file() and not any(name.startswith((".", "__pycache__")) for name in part.parts):
                files[f"{place}/{part.as_posix()}"] = folder.read(path)
    if needs.catalog:
        with project.catalog() as catalog:
            files[CATALOGUE] = catalog.to_bytes()
    return partial(_unpacked, project.settings._replace(root=None, catalog=None, games=()), trusted, files)


def _unpacked(settings: Settings, trusted: Mapping[str, bool], files: Mapping[str, bytes]) -> Workspace:
    """Writes files into a temporary folder, and opens a project there; the folder is deleted with the project.

    `trusted` maps the folder of each game to whether its `rules.py` may run.
    """
    place = TemporaryDirectory(prefix="carddb-")
    root = Path(place.name)
    for name, data in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    catalog = root / CATALOGUE
    project = Workspace(root / "files", catalog=catalog if catalog.exists() else None)
    project.settings = settings._replace(root=project.folder, catalog=catalog)
    project.folders = folders([(root / path, trust) for path, trust in trusted.items()])
    finalize(project, place.cleanup)
    return project
