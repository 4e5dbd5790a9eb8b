"""Caches: recently used values in memory, and on disk results computed from files that have not changed.

The disk cache is a folder of small files: the environment variable `CARDDB_CACHE`, else `carddb` in `XDG_CACHE_HOME`,
else `~/.cache/carddb`. If `CARDDB_CACHE` is set but empty, nothing is stored. A folder that others may write to is not
used, and an entry that cannot be read, or whose checksum is wrong, counts as missing.
"""

from __future__ import annotations

import contextlib
import marshal
import os
import re
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from types import ModuleType
from typing import Any, Generic, TypeVar

from carddb.core import files
from carddb.core.version import __version__

Key = TypeVar("Key")
Value = TypeVar("Value")


class LruCache(Generic[Key, Value]):
    """Values by key in memory; beyond the limit, the least recently used are dropped. Not safe for several threads.

    `most` limits the sum of the sizes that `size` returns for the values, 1 by default. The last value added stays.
    """

    def __init__(self, most: int, size: Callable[[Value], int] = lambda _: 1) -> None:
        self._most = most
        self._size = size
        self._total = 0
        self._values: OrderedDict[Key, Value] = OrderedDict()

    def get(self, key: Key, make: Callable[[], Value]) -> Value:
        """Returns the value of `key`, made by `make` if it is missing. Raises what `make` raises."""
        if key not in self._values:
            self.put(key, make())
        self._values.move_to_end(key)
        return self._values[key]

    def __iter__(self) -> Iterator[Key]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def find(self, key: Key) -> Value | None:
        """Returns the value of `key`, or None if it is missing or was dropped."""
        if key in self._values:
            self._values.move_to_end(key)
        return self._values.get(key)

    def put(self, key: Key, value: Value) -> None:
        """Stores `value` under `key`, replacing an earlier value."""
        self.pop(key)
        self._values[key] = value
        self._total += self._size(value)
        while self._total > self._most and len(self._values) > 1:
            self._total -= self._size(self._values.popitem(last=False)[1])

    def pop(self, key: Key) -> None:
        """Removes `key` and its value, if present."""
        if key in self._values:
            self._total -= self._size(self._values.pop(key))


MOST = 400
"""The most entries that stay on disk; beyond it the oldest are removed."""
MOST_BYTES = 100_000_000
"""The most bytes of all entries together; beyond it, too, the oldest are removed."""
_ENTRY = re.compile(r"[a-z]+-[0-9a-f]{64}")
_SEAL = sha256().digest_size
_FORMAT = 4
"""The version of the marshal format, which reads or writes a 4 MB entry in 2 ms (compressed JSON: 19 and 39 ms)."""


def key_of(parts: Iterable[str | bytes]) -> str:
    """Returns a key of 64 hex digits that depends on `parts` and on the version of the program."""
    digest = sha256()
    for part in (__version__, *parts):
        data = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        digest.update(b"%d:" % len(data))
        digest.update(data)
    return digest.hexdigest()


def source_stamps(*modules: ModuleType) -> list[str]:
    """Returns when modules were modified, for a key: a checkout changes without a new version. Raises OSError."""
    return [str(Path(str(module.__file__)).stat().st_mtime_ns) for module in modules]


@lru_cache(maxsize=1)
def program_stamps() -> list[str]:
    """Returns the stamps of all modules of carddb, for keys of results that depend on many. Raises OSError."""
    return folder_stamps(Path(__file__).parent.parent, lambda name: name.endswith(".py"))


def folder_stamps(folder: Path, counts: Callable[[str], bool]) -> list[str]:
    """Returns `PATH TIME SIZE` (ns, bytes) of each file below `folder` whose name passes `counts`. Raises OSError."""
    stamps = []
    waiting = [str(folder)]
    start = len(waiting[0]) + 1
    while waiting:
        with os.scandir(waiting.pop()) as entries:  # 867 modules take 4 ms, with Path.rglob 10 ms
            for entry in entries:
                if entry.is_dir():
                    waiting += [entry.path] if entry.name != "__pycache__" else []
                elif counts(entry.name):
                    status = entry.stat()
                    stamps.append(f"{entry.path[start:]} {status.st_mtime_ns} {status.st_size}")
    return sorted(stamps)


def fetch(kind: str, key: str) -> memoryview | None:
    """Returns the bytes that `keep` stored; None if they are missing or damaged, `key` is empty, or caching is off."""
    folder = location()
    if folder is None or not key or not is_ours(folder):
        return None
    try:
        sealed = (folder / f"{kind}-{key}").read_bytes()
    except OSError:
        return None
    return _opened(sealed)


def damaged(folder: Path) -> list[Path]:
    """Returns the cache files whose checksum is wrong. Readers treat them as missing, so they are made again."""
    wrong = []
    for path in sorted(path for path in folder.iterdir() if _ENTRY.fullmatch(path.name)):
        with contextlib.suppress(FileNotFoundError):
            if _opened(path.read_bytes()) is None:
                wrong.append(path)
    return wrong


def _opened(sealed: bytes) -> memoryview | None:
    """Returns the content of a cache file without its checksum, or None if the checksum is wrong."""
    data = memoryview(sealed)[_SEAL:]
    return data if sha256(data).digest() == sealed[:_SEAL] else None


def keep(kind: str, key: str, data: bytes) -> None:
    """Stores `data` in the file `KIND-KEY` of the cache, whole or not at all. A failure to write is ignored."""
    folder = location()
    if folder is None or not key:
        return
    with contextlib.suppress(OSError):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if is_ours(folder):
            files.replace(folder / f"{kind}-{key}", (sha256(data).digest(), data), durable=False)
            _remove_oldest(folder)


def fetch_value(kind: str, key: str) -> Any:
    """Returns the plain data that `keep_value` stored under `kind` and `key`; None if they are missing or damaged."""
    data = fetch(kind, key)
    try:
        return marshal.loads(data) if data else None
    except (ValueError, EOFError, TypeError):
        return None


def keep_value(kind: str, key: str, value: Any) -> None:
    """Stores plain data, which may contain bytes and tuples. A value that is not plain data is not stored."""
    with contextlib.suppress(ValueError):
        keep(kind, key, marshal.dumps(value, _FORMAT))


def location() -> Path | None:
    """Returns the folder of the cache, which need not exist, or None if caching is off."""
    configured = os.environ.get("CARDDB_CACHE")
    if configured is not None:
        return Path(configured) if configured else None
    base = os.environ.get("XDG_CACHE_HOME", "")
    try:
        return (Path(base) if Path(base).is_absolute() else Path.home() / ".cache") / "carddb"
    except RuntimeError:  # the user has no home folder
        return None


def is_ours(folder: Path) -> bool:
    """Returns whether nobody but the user may write to the folder; False if it is missing."""
    try:
        status = folder.stat()
    except (OSError, ValueError):
        return False
    return not hasattr(os, "geteuid") or (status.st_uid == os.geteuid() and not status.st_mode & 0o022)


def _remove_oldest(folder: Path) -> None:
    """Removes the oldest files of the cache `folder` beyond MOST files or MOST_BYTES."""
    with os.scandir(folder) as entries:
        states = [(entry.stat(), entry.path) for entry in entries if _ENTRY.fullmatch(entry.name)]
    total = 0
    newest_first = sorted(((state.st_mtime_ns, path, state.st_size) for state, path in states), reverse=True)
    for number, (_, path, size) in enumerate(newest_first, start=1):
        total += size
        if number > MOST or total > MOST_BYTES:
            Path(path).unlink(missing_ok=True)
