"""How fast the referee answers and a whole game of Guarda is played: `python -m tests.benchmarks.play`.

Whole processes, warm: the time of a small job is taken off that of a large one, so that starting costs nothing. The
reference row reads and writes the same lines as JSON and does nothing with them.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from carddb.games import folders
from carddb.games.referee import open_game
from tests.games.referee_samples import cases

LINES = 60_000
GAMES = 400
LONGEST = 600
"""Characters of a simple question."""
NOT_SIMPLE = ("simulate", "replay", "check_army", "validate_deck", "validate_module", "validate_state")
"""Questions about whole games, decks, modules and tables."""

_JSON_ONLY = """
import json, sys
for line in open(sys.argv[1], "rb"):
    sys.stdout.write(json.dumps(json.loads(line)) + "\\n")
"""


def seconds(*command: str) -> float:
    """Processor time of a command, the best of three runs."""
    best = float("inf")
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        best = min(best, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return best


def questions(number: int) -> list[str]:
    """Simple questions of every game in turn, as lines of a batch."""
    prefixes = {key: open_game(folder).spec.prefix for key, folder in folders().items()}
    simple = [
        {"op": f"{prefixes[case.game]}.{case.op}", "input": case.given}
        for case in cases()
        if len(json.dumps(case.given)) <= LONGEST and case.op not in NOT_SIMPLE
    ]
    return [json.dumps({"id": at, **simple[at % len(simple)]}) for at in range(number)]


def batch(folder: Path) -> None:
    """Answers a second, and how much longer they take than the JSON alone."""
    small, large = folder / "small.jsonl", folder / "large.jsonl"
    small.write_text("\n".join(questions(LINES // 10)), "utf-8")
    large.write_text("\n".join(questions(LINES)), "utf-8")
    number = LINES - LINES // 10
    carddb = (sys.executable, "-m", "carddb", "judge", "--batch")
    ours = seconds(*carddb, str(large)) - seconds(*carddb, str(small))
    plain = (sys.executable, "-c", _JSON_ONLY)
    json_alone = seconds(*plain, str(large)) - seconds(*plain, str(small))
    print(f"questions a second to judge --batch  {number / ours:9,.0f}")
    print(f"its time, in times of the JSON alone  {ours / json_alone:.1f}")


def guarda() -> None:
    """Milliseconds for a game of two on five by five, and how many simple answers that is."""
    command = (sys.executable, "-m", "carddb", "-q", "simulate", "guarda", "--n", "5", "--players", "2", "--games")
    for policy in ("greedy", "random"):
        long = seconds(*command, str(GAMES), "--policy", policy)
        short = seconds(*command, str(GAMES // 10), "--policy", policy)
        each = (long - short) / (GAMES - GAMES // 10)
        print(f"a game of Guarda, played by {policy}  {each * 1000:9.2f} ms")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        batch(Path(made))
    guarda()
