"""The proof itself: every verb that writes is in it, what is done is not done twice, and a fault is told."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import click
import pytest

from carddb.cli.main import carddb
from tests.hostile.fuzzing import fuzz
from tests.hostile.mutation import mutated_archive, mutated_json
from tests.hostile.report import Row
from tests.hostile.results import Piece, add_result, pieces, read_results, summed
from tests.hostile.surface import DONE, Bench, Surface
from tests.hostile.surfaces import MUTATIONS, SURFACES
from tests.hostile.writing_verbs import KILLS, VERBS

_OUT = {"output", "write", "report", "png", "svg"}
"""The options of commands that write a file which is named."""


def _writing(command: click.Command, words: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    context = click.Context(command)
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            part = command.get_command(context, name)
            assert part
            yield from _writing(part, (*words, name))
    elif _OUT & {option.lstrip("-") for parameter in command.params for option in parameter.opts}:
        yield words


def test_every_verb_that_writes_a_file_is_killed() -> None:
    """A verb with an option for a file, and those that write the catalogue, printers, projects and sessions."""
    tried = {tuple(word for word in verb.command if word.isalpha()) for verb in VERBS}
    others = [("load",), ("init",), ("bans", "announce"), ("printer", "set"), ("printer", "forget"), ("solo", "new")]
    others += [("restore",)]
    for words in (*_writing(carddb), *others):
        assert any(set(words) <= set(command) for command in tried), words


def test_a_whole_run_is_large_enough() -> None:
    """The cases of the surfaces and verbs add up; what games, sessions and printers are read from has its fewest."""
    assert sum(surface.cases for surface in SURFACES) >= MUTATIONS
    assert sum(verb.kills for verb in VERBS) >= KILLS
    assert all(surface.cases >= surface.least for surface in SURFACES)


def _bench(_folder: Path) -> Bench:
    def direct(data: bytes) -> str:
        if b"4" in data:
            raise KeyError(data.decode())
        return DONE

    return Bench([b"{}"], None, direct)


def _digits(_seeds: Sequence[bytes], choose: random.Random) -> bytes:
    return str(choose.randrange(10)).encode()


def test_a_traceback_is_a_fault_with_its_number() -> None:
    """Every input is tried and counted; one that raises is told with seed and number, and is the same each time."""
    surface = Surface("digits", 40, _bench, _digits)
    row = fuzz(surface, 1, range(40))
    assert row.tried == 40 and row.ends["crash"] == len(row.faults) > 0
    number = int(row.faults[0].split(":")[0].rpartition("/")[2])
    assert fuzz(surface, 1, range(number, number + 1)).faults == row.faults[:1]


def test_results_are_added_up_and_done_once(tmp_path: Path) -> None:
    """Each piece is a line of a file; the last line of a piece counts."""
    file = tmp_path / "run.jsonl"
    first, second = pieces("mutations", "decks", 1, 3_000, 2_000)
    assert (first.stop, second) == (2_000, Piece("mutations", "decks", 1, 2_000, 3_000))
    for piece, ends, faults in ((first, 2_000, ["one"]), (second, 1_000, []), (first, 2_000, [])):
        row = Row("mutations", "decks", faults=list(faults))
        row.ends["done"] = ends
        add_result(file, piece, row, 1.0)
    [row] = summed(read_results([file]))
    assert (row.tried, row.faults) == (3_000, [])


@pytest.mark.parametrize("make", [mutated_json, mutated_archive])
def test_an_input_is_that_of_its_number(make: object) -> None:
    """The same seeds and number make the same input, another number another one."""
    surface = next(each for each in SURFACES if each.make is make)
    seeds = [_SEEDS[surface.make is mutated_archive]]
    inputs = [surface.make(seeds, random.Random(f"x/{number}")) for number in (1, 1, *range(2, 12))]
    assert inputs[0] == inputs[1] and len(set(inputs)) > 5


def _archive() -> bytes:
    from carddb.read.tables.xlsx_writer import write_workbook

    return write_workbook("A", ("ref", "name"), [("X-1", "A")])


_SEEDS = (b'{"a": [1, 2], "b": {"c": "d"}}', _archive())
