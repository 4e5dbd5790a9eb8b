"""A project in other processes: those of this machine open it again, those of a cluster get its files as bytes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import NamedTuple, TypeVar

from carddb.app import clock
from carddb.app.day_cards import SharedCards
from carddb.app.project import CATALOGUE, Project
from carddb.app.settings import Settings
from carddb.errors import UsageError
from carddb.executors import Executor
from carddb.games import GameFolder, folders

Task = TypeVar("Task")
Result = TypeVar("Result")
ProjectWork = Callable[[Project, Task], Iterable[Result]]
"""A function of a module that does a task of a project."""


class Needs(NamedTuple):
    """What work needs of a project: games by key (None: any), whether its catalogue, and picture files by name."""

    games: Collection[str] | None = None
    catalog: bool = False
    pictures: Mapping[str, Path] = {}


def map_project(
    project: Project, executor: Executor, work: ProjectWork[Task, Result], tasks: Iterable[Task], needs: Needs
) -> Iterator[Result]:
    """Yields the results of all tasks, in their order; this process alone uses the project as it is.

    Raises UsageError where a `rules.py` of one's own would go to a cluster without trust, and what the work raises.
    """
    if not executor.workers:
        for task in tasks:
            yield from work(project, task)
        return
    if executor.is_remote:
        copy: _Copy = _packed(project, needs, executor.trust)
    else:
        copy = _OpenedAgain(project.folder.absolute(), project.explicit_catalog, project.game_folders)
    yield from executor.map(_with_project, (copy, clock.moment(), work), tasks)


class _Copy:
    """A project as it goes to another process, which opens it once."""

    @cached_property
    def project(self) -> Project:
        project = self.open()
        project.shared_cards = _CardsOfTheBeginning()
        return project

    def open(self) -> Project:
        raise NotImplementedError


class _CardsOfTheBeginning(SharedCards):
    """All tasks are done with the cards of the first: a catalogue that is merely opened looks changed."""

    def refresh(self, catalogue: Path) -> None:
        pass


@dataclass
class _OpenedAgain(_Copy):
    """A project for processes of this machine."""

    folder: Path
    catalog: Path | None
    games: tuple[Path, ...]

    def open(self) -> Project:
        return Project(self.folder, catalog=self.catalog, games=self.games)


@dataclass
class _Packed(_Copy):
    """A project for other machines: what work needs of its files, and which of its games are trusted."""

    settings: Settings
    trusted: Mapping[str, bool]
    files: Mapping[str, bytes]

    def open(self) -> Project:
        self.place = TemporaryDirectory(prefix="carddb-")  # it goes with this copy
        root = Path(self.place.name)
        for name, data in self.files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        catalog = root / CATALOGUE
        project = Project(root / "files", catalog=catalog if catalog.exists() else None)
        project.settings = self.settings._replace(root=project.folder, catalog=catalog)
        project.folders = folders([(root / path, trusted) for path, trusted in self.trusted.items()])
        return project


def _with_project(shared: tuple[_Copy, clock.Moment, ProjectWork[Task, Result]], task: Task) -> Iterator[Result]:
    """Does a task at the moment at which all of them began, whatever the clock of this machine says."""
    copy, moment, work = shared
    with clock.standing_at(moment):
        yield from work(copy.project, task)


def _packed(project: Project, needs: Needs, trust: bool) -> _Packed:
    """Packs what work needs. Raises UsageError for a `rules.py` without trust."""
    files = {f"files/{PurePosixPath(name)}": path.read_bytes() for name, path in needs.pictures.items()}
    trusted: dict[str, bool] = {}
    for key, folder in project.folders.items():
        if not folder.bundled and (needs.games is None or key in needs.games):
            _check_trust(folder, trust)
            place = f"games/{len(trusted)}/{folder.path.resolve().name}"
            trusted[place] = folder.trusted
            files |= {f"{place}/{name}": data for name, data in _files(folder.path)}
    if needs.catalog:
        with project.catalog() as catalog:
            files[CATALOGUE] = catalog.to_bytes()
    return _Packed(project.settings._replace(root=None, catalog=None, games=()), trusted, files)


def _check_trust(folder: GameFolder, trust: bool) -> None:
    if folder.trusted and folder.has_rules and not trust:
        raise UsageError(
            f"the game {folder.key} has a rules.py, which the workers of the cluster would run",
            "Say that you trust it: --trust.",
        )


def _files(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Yields the files of a game's folder by path, without what is hidden or compiled."""
    for path in sorted(folder.rglob("*")):
        part = path.relative_to(folder)
        if path.is_file() and not any(name.startswith((".", "__pycache__")) for name in part.parts):
            yield part.as_posix(), path.read_bytes()
