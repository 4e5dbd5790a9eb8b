"""`python -m tests.same_work`: exit 1 where anything that carddb gives is not what it was before a change.

Write the sums with `--write` before the change, and compare after it. Each line of `manifest.txt`, which git ignores,
names what was done, the kind of what is summed, and the sum. `--only PART` does some parts, and `--keep DIR` leaves all
that was written, pages as pictures and objects as text, so that two states of the program can be laid side by side.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
import traceback
from collections import defaultdict
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from tests.same_work.jobs import PARTS, Play, scenes
from tests.same_work.running import Line, Scene, prepare

MANIFEST = Path(__file__).parent / "manifest.txt"
_SHOWN = 200
"""The differences that are shown."""


def main() -> int:
    """Does the parts and compares what came out, or writes it down."""
    options = _options()
    if not options.write and not MANIFEST.is_file():
        print("There are no sums to compare with. Write them before the change: --write.", file=sys.stderr)
        return 2
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="same-work-") as folder:
        work = Path(folder).resolve()
        prepare(work)
        chosen = [(name, play) for name, play in scenes() if _part(name) in (options.only or PARTS)]
        lines = _played(chosen, work, options.keep and options.keep.resolve(), options.jobs)
    kept = [line for line in _read() if options.only and _part(line.name) not in options.only]
    print(f"{len(lines)} sums in {time.monotonic() - began:.0f} s by the clock", file=sys.stderr)
    if options.write:
        order = {part: number for number, part in enumerate(PARTS)}
        whole = sorted([*kept, *lines], key=lambda line: order[_part(line.name)])
        MANIFEST.write_text("".join(f"{line}\n" for line in whole), "utf-8")
        return 0
    differences = list(_differences([line for line in _read() if line not in set(kept)], lines))
    for difference in differences[:_SHOWN]:
        print(difference)
    more = f", {_SHOWN} of them shown" if len(differences) > _SHOWN else ""
    print(f"{len(differences)} differences{more}" if differences else "the same work is done")
    return int(bool(differences))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.same_work")
    parser.add_argument("--write", action="store_true", help="write the sums to compare with, of --only parts alone")
    parser.add_argument("--only", action="append", default=[], choices=PARTS, help="a part; several times")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="leave all that was written in a folder")
    parser.add_argument("-j", "--jobs", type=int, default=1, help="processes")
    return parser.parse_args()


def _part(name: str) -> str:
    return name.partition(":")[0].partition("/")[0]


def _played(chosen: Sequence[tuple[str, Play]], work: Path, kept: Path | None, jobs: int) -> list[Line]:
    """Returns the lines of the scenes, in their order."""
    if jobs == 1:
        return [line for name, play in chosen for line in _play(name, play, work, kept)]
    with ProcessPoolExecutor(jobs, mp_context=get_context("fork")) as pool:
        waiting = [pool.submit(_play, name, play, work, kept) for name, play in chosen]
        return [line for scene in waiting for line in scene.result()]


def _play(name: str, play: Play, work: Path, kept: Path | None) -> list[Line]:
    began = _processor()
    scene = Scene(name, work, kept)
    try:
        play(scene)
    except Exception:  # a scene that cannot go on is a difference; the others go on
        traceback.print_exc()
        scene.add("scene", "was broken off", "yes")
    print(f"{_processor() - began:6.1f} s  {name}, {len(scene.lines)} sums", file=sys.stderr, flush=True)
    return scene.lines


def _processor() -> float:
    """Returns the seconds of processor time of this process and of all that it has waited for."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def _read() -> list[Line]:
    if not MANIFEST.is_file():
        return []
    return [Line(*line.split("\t")) for line in MANIFEST.read_text("utf-8").splitlines()]


def _differences(before: Iterable[Line], after: Iterable[Line]) -> Iterable[str]:
    """Yields each sum that differs, is missing or is new."""
    old, new = _by_name(before), _by_name(after)
    for name, kind in dict.fromkeys([*old, *new]):
        was, now = old.get((name, kind), []), new.get((name, kind), [])
        if was != now:
            how = "differs" if was and now else "is missing" if was else "is new"
            yield f"{name}: {kind} {how}: {' '.join(was) or '-'} -> {' '.join(now) or '-'}"


def _by_name(lines: Iterable[Line]) -> dict[tuple[str, str], list[str]]:
    found = defaultdict(list)
    for line in lines:
        found[line.name, line.kind].append(line.value)
    return found


if __name__ == "__main__":
    sys.exit(main())
