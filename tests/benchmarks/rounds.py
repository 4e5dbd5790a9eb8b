"""What a round costs: `python -m tests.benchmarks.rounds`.

The slowest of nine Swiss rounds of 8, 40, 128 and 512 players of a game with sides, and the standings after them.
Seconds of processor.
"""

from __future__ import annotations

import sys
from functools import partial
from random import Random

from carddb.rounds.log import next_round
from carddb.rounds.model import Tournament
from carddb.rounds.standings import Standings
from tests.benchmarks.timing import seconds
from tests.rounds.samples import SIDED, finished, tournament

PLAYERS = (8, 40, 128, 512)
ROUNDS, BOUND = 9, 2.0


def _standings(state: Tournament) -> None:
    assert Standings(state).rows


def main() -> int:
    is_slow = False
    for players in PLAYERS:
        state, dice, spent = tournament(players, SIDED), Random(players), []
        for _ in range(min(ROUNDS, players - 1)):
            spent.append(seconds(partial(next_round, state)).processor)
            state = finished(state, dice)
        standings = seconds(partial(_standings, state)).processor
        print(f"a round of {players} players  {max(spent):.2f} s  at most {BOUND:.0f} s", flush=True)
        print(f"the standings of {players} players  {standings:.2f} s", flush=True)
        is_slow = is_slow or max(spent) > BOUND
    return int(is_slow)


if __name__ == "__main__":
    sys.exit(main())
