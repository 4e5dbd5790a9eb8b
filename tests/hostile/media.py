"""Full and read-only disks, streams that take nothing, and damaged caches."""

from __future__ import annotations

import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.hostile.kills import disturbed, environment
from tests.hostile.mutation import mutated
from tests.hostile.report import Row
from tests.hostile.writing_verbs import Verb

_ROOM = (0, 4_096, 60_000)
"""The bytes that a file may have on a full disk."""


def full_disk(verb: Verb) -> Row:
    """A writing verb on a disk that is full, and with streams that take nothing."""
    row = Row("disks", verb.name)
    with Path("/dev/full").open("wb") as nowhere:
        rooms = {f"room for {room}": {"preexec_fn": _limit(room)} for room in _ROOM}
        disturbed(verb, row, {**rooms, "2> /dev/full": {"stderr": nowhere}, "> /dev/full": {"stdout": nowhere}})
    return row


def _limit(room: int) -> Callable[[], None]:
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))


def read_only() -> Row:
    """Reading verbs on media that cannot be written, and writing ones, which say so."""
    row = Row("disks", "read-only")
    commands = (
        ("cards", "type:officer", 0), ("check", "a.deck", 0), ("doctor", 0), ("bans", "show", "short", 0),
        ("export", "--game", "cahrd", "-o", "out.csv", 3), ("load", "mine.csv", "--game", "empires-and-generals", 3),
        ("solo", "new", "--module", "generic-separate", 3), ("bans", "publish", "short", "-o", "site", 3),
        ("sheets", "a.deck", "-o", "out.pdf", 3),
    )  # fmt: skip
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "disk"
        folder.mkdir()
        (folder / "mine.csv").write_text("ref,name,type,rarity,strength,life\nM-1,Mine,soldier,common,3,3\n", "utf-8")
        from carddb.games import folders

        shutil.copy(folders()["cahrd"].decks[0], folder / "a.deck")
        _run(("cards", "type:officer"), folder)
        with _without_writing(folder) as possible:
            for *command, code in commands if possible else ():
                done = _run(tuple(map(str, command)), folder)
                row.add("done" if done.returncode == 0 else "refused")
                if done.returncode != code or b"Traceback" in done.stderr:
                    row.faults.append(f"{' '.join(map(str, command))}: {done.returncode} {done.stderr[-200:].decode()}")
    return row


@contextmanager
def _without_writing(folder: Path) -> Iterator[bool]:
    """The folder without a right to write; as root it is mounted so. False where neither can be had."""
    if os.geteuid():
        folder.chmod(0o555)
        yield True
        folder.chmod(0o755)
        return
    mounted = _mount("--bind", folder, folder) and _mount("-o", "remount,ro,bind", folder)
    try:
        yield mounted
    finally:
        subprocess.run(["umount", str(folder)], check=False, stderr=subprocess.DEVNULL)


def _mount(*arguments: object) -> bool:
    if not shutil.which("mount"):
        return False
    return subprocess.run(["mount", *map(str, arguments)], check=False, stderr=subprocess.DEVNULL).returncode == 0


def caches(seed: int, rounds: range) -> Row:
    """Commands with a cache whose files were changed give the same answers as without one."""
    row = Row("caches", "damaged")
    commands = (("games", "--json"), ("check", "a.deck", "--json"), ("proof", "CAH-001", "-o", "face.svg"))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        from carddb.games import folders

        shutil.copy(folders()["cahrd"].decks[0], folder / "a.deck")
        sound = [_run(command, folder).stdout for command in commands]
        for number in rounds:
            choose = random.Random(f"caches/{seed}/{number}")
            for path in sorted((folder / ".cache").glob("*-*")):
                if choose.random() < 0.5:
                    path.write_bytes(mutated([path.read_bytes()], choose))
            for command, expected in zip(commands, sound, strict=True):
                done = _run(command, folder)
                row.add("done")
                if done.stdout != expected or done.returncode or b"Traceback" in done.stderr:
                    row.faults.append(f"round {seed}/{number}: {command[0]}: {done.returncode} {done.stderr[-200:]!r}")
    return row


def _run(command: tuple[str, ...], folder: Path) -> subprocess.CompletedProcess[bytes]:
    variables = environment(folder)
    if not os.access(folder, os.W_OK):
        variables["CARDDB_CACHE"] = ""
    return subprocess.run(
        [sys.executable, "-m", "carddb", "-q", *command], cwd=folder, env=variables, capture_output=True, check=False
    )
