"""Runs commands one after the other in a folder of their own, and sums what each said and wrote.

Each command runs in a fork of this process, which has imported the program already, through the same door as
`python -m carddb`: a command costs a few hundredths of a second, and leaves nothing behind for the next one.
"""

from __future__ import annotations

import gc
import importlib
import os
import re
import shutil
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple, NoReturn

from tests.same_work.sums import digest, file_sums, is_text, keep

REPOSITORY = Path(__file__).parents[2]
EPOCH = "1700000000"
_MOMENT = re.compile(rb"\b(\d{4}-\d\d-\d\d)([T ])(\d\d:\d\d)(:\d\d)?(Z|\+00:00)?")
_BEGAN = time.time() - 2
_OWN_FILES = re.compile(r"\.db(-wal|-shm|-journal)?$|\.lock$|~$")
"""What a command keeps for itself: databases are compared by what the commands say that read them."""


class Line(NamedTuple):
    """One line of the manifest: what was done, the kind of the sum, and the sum."""

    name: str
    kind: str
    value: str

    def __str__(self) -> str:
        return "\t".join(self)


class Said(NamedTuple):
    """What a command said."""

    code: int
    out: bytes
    err: bytes


def prepare(work: Path) -> None:
    """Sets the environment of every command, and imports what the program needs, as its verbs name it."""
    for name in [name for name in os.environ if name.startswith("CARDDB_")]:
        del os.environ[name]
    home = work / "home"
    home.mkdir(parents=True)
    os.environ.update(
        CARDDB_CACHE=str(work / "cache"), HOME=str(home), XDG_CONFIG_HOME=str(home), XDG_CACHE_HOME=str(home),
        SOURCE_DATE_EPOCH=EPOCH, TZ="UTC", LANG="C.UTF-8", LC_ALL="C.UTF-8", USER="tester", LOGNAME="tester",
        USERNAME="tester", COLUMNS="100", LINES="40", TERM="dumb", NO_COLOR="1",
    )  # fmt: skip
    sys.path.insert(0, str(REPOSITORY))
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (str(REPOSITORY), os.environ.get("PYTHONPATH"))))
    empty = work / "first"
    empty.mkdir()
    for number, arguments in enumerate(
        (["cards", "name:none"], ["guide", "guarda", "-o", "guide.pdf"], ["judge", "--list", "guarda"])
    ):
        modules = empty / f"modules-{number}"
        _forked(lambda modules=modules, arguments=arguments: _run_and_list(arguments, modules), empty)  # type: ignore[misc]
        for name in modules.read_text("utf-8").split():
            importlib.import_module(name)
    gc.freeze()


def _run_and_list(arguments: Sequence[str], file: Path) -> int:
    code = _program(arguments)
    names = [name for name, module in sys.modules.items() if name != "__main__" and getattr(module, "__spec__", None)]
    file.write_text("\n".join(name for name in names if not name.startswith("tests.")), "utf-8")
    return code


def _program(arguments: Sequence[str]) -> int:
    from carddb.__main__ import main

    sys.argv = ["carddb", *arguments]
    try:
        main()
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    return 0


def _forked(work: Callable[[], int], folder: Path, given: bytes = b"") -> Said:
    """Does work in a child that stands in a folder; its standard input is `given`."""
    with tempfile.TemporaryFile() as stdin, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        stdin.write(given)
        stdin.seek(0)
        sys.stdout.flush()
        sys.stderr.flush()
        child = os.fork()
        if not child:
            _in_child(work, folder, (stdin.fileno(), out.fileno(), err.fileno()))
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        out.seek(0)
        err.seek(0)
        return Said(code, out.read(), err.read())


def _in_child(work: Callable[[], int], folder: Path, streams: Sequence[int]) -> NoReturn:
    code = 70
    try:
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
        sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
        sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
        sys.stderr = os.fdopen(2, "w", encoding="utf-8", closefd=False)
        os.chdir(folder)
        os.environ["PWD"] = str(folder)
        code = work()
        sys.stdout.flush()
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(code)


class Scene:
    """A folder with its files, in which commands run one after the other; their sums are its lines."""

    def __init__(self, name: str, work: Path, kept: Path | None) -> None:
        self.name = name
        self.lines: list[Line] = []
        self.folder = work / "scenes" / name.replace("/", "-") / "club"
        self._kept = kept
        self.folder.mkdir(parents=True)
        if (catalogue := work / "first" / "carddb.db").is_file():
            shutil.copyfile(catalogue, self.folder / "carddb.db")

    def put(self, name: str, content: Path | bytes | str) -> str:
        """Lays a file, or a folder, of the repository into the scene, and returns its name there."""
        target = self.folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, Path) and content.is_dir():
            shutil.copytree(content, target, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
        elif isinstance(content, Path):
            shutil.copyfile(content, target)
        else:
            target.write_bytes(content.encode() if isinstance(content, str) else content)
        return name

    def run(
        self,
        *arguments: str,
        name: str = "",
        given: bytes | str = b"",
        pages: bool = True,
        quiet: bool = False,
        within: str = ".",
    ) -> Said:
        """Runs a command, and sums its exit code, what it said, and every file that it wrote or changed.

        `quiet`: what it said is not summed, because it is summed elsewhere. `within`: the folder of the scene where
        it runs.
        """
        name = name or " ".join(arguments)
        before = self._files()
        said = _forked(
            lambda: _program(arguments), self.folder / within, given.encode() if isinstance(given, str) else given
        )
        if b"Traceback" in said.err:
            print(f"{self.name}: {name}\n{said.err.decode()}", file=sys.stderr)
        if not quiet:
            self.add(name, "exit code", str(said.code))
            for kind, words in (("output", said.out), ("errors", said.err)):
                if words:
                    plain = self.plain(words)
                    self.add(name, kind, digest(plain))
                    self.keep(f"said/{name.replace('/', '_')} {kind}.txt", plain)
        for path, state in self._files().items():
            if before.get(path) != state:
                self._add_file(name, path, pages)
        return said

    def ask(self, name: str, work: Callable[[], Mapping[str, str | bytes]]) -> None:
        """Does work in a child that stands in the folder, as a script of a user would; each text is a line."""

        def printed() -> int:
            for key, text in work().items():
                data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
                sys.stdout.buffer.write(f"{len(data)} {key}\n".encode() + data)
            return 0

        said = _forked(printed, self.folder)
        if said.code:
            print(f"{self.name}: {name}\n{said.err.decode()}", file=sys.stderr)
            self.add(name, "exit code", str(said.code))
        for key, data in _read_back(said.out):
            words = self.plain(data)
            self.add(f"{name} {key}", "text", digest(words))
            self.keep(f"said/{f'{name} {key}'.replace('/', '_')}.txt", words)

    def add(self, name: str, kind: str, value: str) -> None:
        """Adds a line to the manifest."""
        one_line = re.sub(r"\s+", " ", name.replace(str(self.folder), "."))
        self.lines.append(Line(f"{self.name}: {one_line}", kind, value))

    def sum(self, words: bytes) -> str:
        """Returns the sum of words, without what is of this machine and this run."""
        return digest(self.plain(words))

    def keep(self, name: str, data: bytes) -> None:
        """Writes what was summed for a reader, where that was asked for."""
        if self._kept:
            words = [re.sub(r"[^\w.=-]+", "_", part)[:120] for part in name.split("/")]
            keep(self._kept / self.name, "/".join(words), data)

    def plain(self, words: bytes) -> bytes:
        """Returns words without the places of this machine and without the moment of this run."""
        for path, put in ((self.folder, b"FOLDER"), (self.folder.parents[2], b"WORK"), (REPOSITORY, b"REPOSITORY")):
            words = words.replace(str(path).encode(), put)
        return _MOMENT.sub(self._without_now, words)

    def _without_now(self, found: re.Match[bytes]) -> bytes:
        words = f"{found[1].decode()}T{found[3].decode()}{(found[4] or b':59').decode()}+00:00"
        try:
            at = datetime.fromisoformat(words).timestamp()
        except ValueError:
            return found[0]
        return b"NOW" if _BEGAN <= at <= time.time() + 120 else found[0]

    def _files(self) -> dict[str, tuple[int, int, int]]:
        found = {}
        for path in sorted(self.folder.rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts and not _OWN_FILES.search(path.name):
                state = path.stat()
                found[path.relative_to(self.folder).as_posix()] = (state.st_mtime_ns, state.st_size, state.st_ino)
        return found

    def _add_file(self, name: str, path: str, pages: bool) -> None:
        data = (self.folder / path).read_bytes()
        if is_text(path, data):
            data = self.plain(data)
        for kind, value in file_sums(path, data, pages):
            self.add(path, kind, value)
        self.keep(path, data)


def _read_back(data: bytes) -> Iterator[tuple[str, bytes]]:
    while data:
        head, _, data = data.partition(b"\n")
        length, _, key = head.partition(b" ")
        yield key.decode(), data[: int(length)]
        data = data[int(length) :]
