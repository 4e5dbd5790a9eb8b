"""Ranks: what a printed stat and a current stat are worth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from carddb.game.game import GameSpec
from carddb.play.fields import Many
from carddb.play.question import Answer, BadInput, Options, operation, refuse

S: Literal["S"] = "S"
Rank = int | Literal["S"]
"""A stat as it is written: a number, or the letter at the top of the scale (C-13)."""

Scale = tuple[int, int]


def printed_scale(spec: GameSpec) -> Scale:
    """The lowest and the highest number that may be printed (C-12)."""
    field = spec.types["officer"].fields[spec.data["stats"][0]]
    return int(field.min or 0), int(field.max or 0)


def current_scale(spec: GameSpec, options: Options) -> Scale:
    """The lowest and the highest current stat (C-141)."""
    return options["stat_floor"], spec.data["rank_s"]


def printed_value(rank: Rank, path: str, spec: GameSpec, options: Options) -> int:
    """What a base stat is worth. Raises BadInput for one that cannot be printed."""
    if rank == S and options["allow_printed_s"]:
        return int(spec.data["rank_s"])
    return _within(rank, path, printed_scale(spec))


def current_value(rank: Rank, path: str, spec: GameSpec, options: Options) -> int:
    """What a current stat is worth. Raises BadInput for one off the scale."""
    scale = current_scale(spec, options)
    return scale[1] if rank == S else _within(rank, path, scale)


def _within(rank: Rank, path: str, scale: Scale) -> int:
    if not isinstance(rank, int) or not scale[0] <= rank <= scale[1]:
        raise BadInput(path, least=scale[0], most=scale[1])
    return rank


def changed(base: int, modifiers: Sequence[int], spec: GameSpec, options: Options) -> int:
    """A stat with every effect that applies now (C-14)."""
    least, most = current_scale(spec, options)
    return max(least, min(most, base + sum(modifiers)))


@operation("C-12", "C-13")
def stat_value(rank: Rank, printed: bool = False, *, spec: GameSpec, options: Options) -> Answer:
    """The number that a rank counts as; S is the top of the scale, reached in play and not printed."""
    (lowest, highest), top = printed_scale(spec), spec.data["rank_s"]
    refuse(stat_out_of_scale=rank != S and not lowest <= rank <= top)
    value = top if rank == S else rank
    allowed = rank == S and options["allow_printed_s"]
    refuse(not_printable=printed and value > highest and not allowed)
    return {"value": value}


@operation("C-13", "C-14", "C-141")
def current_stat(base: Rank, modifiers: Many[int], *, spec: GameSpec, options: Options) -> Answer:
    """The printed number plus every effect, kept on the scale."""
    value = changed(printed_value(base, "base", spec, options), modifiers, spec, options)
    return {"value": value, "label": S if value == spec.data["rank_s"] else str(value)}
