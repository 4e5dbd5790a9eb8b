"""A project in other processes: those of this machine open it again, those of a cluster get its files as bytes."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from carddb.app import clock
from carddb.app.settings import Settings
from carddb.app.workspace import CATALOGUE, Workspace
from carddb.errors import UsageError
from carddb.games import GameFolder, folders

if TYPE_CHECKING:
    from carddb.executors.choice import ExecutorRequest
    from carddb.executors.executor import Executor

Task = TypeVar("Task")
Result = TypeVar("Result")
ProjectWork = Callable[[Workspace, Task], Iterable[Result]]
"""A function of a module that does a task of a project."""

_DAY = (1980, 1, 1, 0, 0, 0)
_MANIFEST = "project.json"
_SETTINGS = ("game", "options", "columns", "defaults")
"""The settings that hold no path."""


class Needs(NamedTuple):
    """What work needs of a project: games by key (None: any), whether its catalogue, and picture files by name."""

    games: Collection[str] | None = None
    catalog: bool = False
    pictures: Mapping[str, Path] = {}


@dataclass(frozen=True, slots=True)
class _OpenedAgain:
    """A project for processes of this machine."""

    folder: Path
    catalog: Path | None
    games: tuple[Path, ...]

    def open(self) -> Workspace:
        return Workspace(self.folder, catalog=self.catalog, games=self.games)


@dataclass(frozen=True, slots=True)
class _Packed:
    """A project for other machines: a ZIP of what work needs of it."""

    archive: bytes

    def open(self) -> Workspace:
        place = TemporaryDirectory(prefix="carddb-")
        root = Path(place.name)
        with zipfile.ZipFile(io.BytesIO(self.archive)) as archive:
            archive.extractall(root)
        about = json.loads((root / _MANIFEST).read_text("utf-8"))
        catalog = root / CATALOGUE
        project = _Unpacked(root / "files", catalog=catalog if catalog.exists() else None)
        project.place = place
        outside = [(root / "games" / str(at), trusted) for at, trusted in enumerate(about["trusted"])]
        project.settings = Settings(root=project.folder, catalog=catalog, **about["settings"])
        project.folders = folders(outside)
        return project


class _Unpacked(Workspace):
    """A project in a folder that goes with it."""

    place: TemporaryDirectory[str]


def map_project(
    project: Workspace,
    request: ExecutorRequest,
    executor: Executor,
    work: ProjectWork[Task, Result],
    tasks: Iterable[Task],
    needs: Needs,
) -> Iterator[Result]:
    """The results of all tasks, in their order; this process alone uses the project as it is.

    Raises UsageError where a `rules.py` of one's own would go to a cluster without trust, and what the work raises.
    """
    if not (executor.workers or executor.is_remote):
        for task in tasks:
            yield from work(project, task)
        return
    if executor.is_remote:
        copy: _Packed | _OpenedAgain = _packed(project, needs, request.trust)
    else:
        copy = _OpenedAgain(project.folder.absolute(), project.explicit_catalog, project.game_folders)
    yield from executor.map(_with_project, (copy, clock.moment(), work), tasks)


def _with_project(shared: tuple[Any, clock.Moment, ProjectWork[Task, Result]], task: Task) -> Iterator[Result]:
    """Does a task at the moment at which all of them began, whatever the clock of this machine says."""
    copy, moment, work = shared
    with clock.standing_at(moment):
        yield from work(_opened(copy), task)


@lru_cache(maxsize=2)
def _opened(copy: _Packed | _OpenedAgain) -> Workspace:
    """The project of a copy, open for the next task too."""
    from carddb.app.shared_cards import SharedCards

    class CardsOfTheBeginning(SharedCards):
        """All tasks are done with the cards of the first: a catalogue that is merely opened looks changed."""

        def refresh(self, catalogue: Path) -> None:
            pass

    project = copy.open()
    project.shared_cards = CardsOfTheBeginning()
    return project


def _packed(project: Workspace, needs: Needs, trust: bool) -> _Packed:
    outside = [
        folder
        for key, folder in project.folders.items()
        if not folder.bundled and (needs.games is None or key in needs.games)
    ]
    for folder in outside:
        _check_trust(folder, trust)
    settings = {name: getattr(project.settings, name) for name in _SETTINGS}
    about = {"trusted": [folder.trusted for folder in outside], "settings": _plain(settings)}
    files = {_MANIFEST: json.dumps(about).encode()}
    for at, folder in enumerate(outside):
        for path in sorted(folder.path.rglob("*")):
            part = path.relative_to(folder.path)
            if path.is_file() and not any(name.startswith((".", "__pycache__")) for name in part.parts):
                files[f"games/{at}/{folder.path.resolve().name}/{part.as_posix()}"] = path.read_bytes()
    if needs.catalog:
        with project.catalog() as catalog:
            files[CATALOGUE] = catalog.to_bytes()
    files |= {f"files/{PurePosixPath(name)}": path.read_bytes() for name, path in needs.pictures.items()}
    return _Packed(_zip(files))


def _check_trust(folder: GameFolder, trust: bool) -> None:
    if folder.trusted and folder.has_rules and not trust:
        raise UsageError(
            f"the game {folder.key} has a rules.py, which the workers of the cluster would run",
            "Say that you trust it: --trust.",
        )


def _plain(value: Any) -> Any:
    """Frozen mappings as JSON takes them."""
    return {key: _plain(each) for key, each in value.items()} if isinstance(value, Mapping) else value


def _zip(files: Mapping[str, bytes]) -> bytes:
    """The same bytes for the same files."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name, _DAY), data, zipfile.ZIP_DEFLATED)
    return out.getvalue()
