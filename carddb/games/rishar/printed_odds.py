"""The tables of section 15 as they are printed: exact chances in percent with one decimal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, get_args

from carddb.game import GameSpec
from carddb.games.rishar.clash import Fighter
from carddb.games.rishar.faces import signed
from carddb.games.rishar.odds import clash_chances, damage_chances, rout_chances
from carddb.games.rishar.units import dice_of
from carddb.games.rishar.words import Side, UnitRole
from carddb.play import chance

DIFFERENCES = range(-6, 7)
TOTALS = range(13)
ENDS = ("off_kill", "off_disable", "def_disable", "def_kill", "stalemate")


def percent(share: Fraction) -> str:
    """A chance in percent with one decimal (R-181)."""
    return f"{float(share * 100):.1f}"


def pairings(spec: GameSpec) -> dict[tuple[int, int], list[tuple[str, str]]]:
    """The pairs of Roles by the dice on Offense and on Defense, most dice together first (R-168)."""
    found: dict[tuple[int, int], list[tuple[str, str]]] = {}
    for off in get_args(UnitRole):
        for against in get_args(UnitRole):
            dice = dice_of(spec, "off", off, against), dice_of(spec, "def", against, off)
            found.setdefault(dice, []).append((off, against))
    return dict(sorted(found.items(), key=lambda item: (-min(item[0]), -sum(item[0]), -item[0][0])))


def clash(spec: GameSpec, extra: Mapping[str, Any]) -> dict[str, Any]:
    """One table of Skirmishes: the pair of dice that `extra` counts by `table`, from 1 (R-168)."""
    found = list(pairings(spec).items())
    dice, roles = found[extra["table"] - 1]
    return {
        **_clash(spec, dice),
        "figures": {
            "off": _dice_words(spec, dice[0], True),
            "def": _dice_words(spec, dice[1]),
            "pairs": _pairs(spec, roles),
        },
    }


def _clash(spec: GameSpec, dice: tuple[int, int]) -> dict[str, Any]:
    """Rows by difference of base Strength; the column of stalemates is left out where there are none."""
    rows = {d: _ends(spec, dice, d) for d in DIFFERENCES}
    ends = [end for end in ENDS if end != "stalemate" or any(chances[end] for chances in rows.values())]
    table = [
        {
            "head": signed(d),
            "cells": [percent(chances[end]) for end in ends],
            "last": percent(chances["off_kill"] + chances["off_disable"]),
        }
        for d, chances in rows.items()
    ]
    return {"dice": dice, "ends": ends, "rows": table}


def _ends(spec: GameSpec, dice: tuple[int, int], difference: int) -> dict[str, Fraction]:
    fighters: dict[Side, Fighter] = {
        "off": Fighter(dice[0], difference, difference),
        "def": Fighter(dice[1], 0, 0),
    }
    return clash_chances(spec, spec.option_defaults, fighters)


def _pairs(spec: GameSpec, roles: Iterable[tuple[str, str]]) -> str:
    """Pairs of Roles in words, those with the same Role on Offense together."""
    by_off: dict[str, list[str]] = {}
    for off, against in roles:
        by_off.setdefault(off, []).append(spec.label_of(against))
    by_def: dict[tuple[str, ...], list[str]] = {}
    for off, others in by_off.items():
        by_def.setdefault(tuple(others), []).append(spec.label_of(off))
    return "; ".join(f"{', '.join(offs)} : {', '.join(others)}" for others, offs in by_def.items())


def _dice_words(spec: GameSpec, number: int, begins: bool = False) -> str:
    """A number of dice in words: no die, one die, two dice; with a capital where a sentence `begins`."""
    words = spec.data["reference"]["dice"]
    told = str(words["more" if number > 1 else "one"]).format(n=spec.data["words"][number])
    return told[:1].upper() + told[1:] if begins else told


def unopposed(spec: GameSpec, extra: Mapping[str, Any]) -> dict[str, Any]:
    """The Morale that an Unopposed card with so many `dice` costs, by its total before them (R-169)."""
    return _unopposed(spec, extra["dice"])


def _unopposed(spec: GameSpec, dice: int) -> dict[str, Any]:
    found = {s: damage_chances(spec, s, dice) for s in TOTALS}
    points = range(max(max(shares) for shares in found.values()) + 1)
    rows = [
        {
            "head": str(s),
            "cells": [percent(shares.get(n, Fraction(0))) for n in points],
            "last": f"{float(chance.mean(shares)):.2f}",
        }
        for s, shares in found.items()
    ]
    return {"number": dice, "points": list(points), "rows": rows, "figures": {"dice": _dice_words(spec, dice)}}


def rout(spec: GameSpec, extra: Mapping[str, Any]) -> dict[str, Any]:
    """How many units die in a rout, by the number at risk (R-170)."""
    words = spec.data["reference"]["components"]["odds-rout"]
    most = int(words["most"])
    found = {n: rout_chances(spec, n) for n in range(1, int(words["units"]) + 1)}
    rows = [
        {
            "head": str(n),
            "cells": [percent(shares.get(k, Fraction(0))) for k in range(most)]
            + [percent(chance.at_least(shares, most))],
            "last": f"{float(chance.mean(shares)):.2f}",
        }
        for n, shares in found.items()
    ]
    return {"points": [*range(most), f"{most}+"], "rows": rows}


def dice(spec: GameSpec, extra: Mapping[str, Any]) -> dict[str, Any]:
    """How many dice each pair of Roles rolls, Offense down and Defense across (R-168)."""
    roles = get_args(UnitRole)
    cells = [[(dice_of(spec, "off", off, other), dice_of(spec, "def", other, off)) for other in roles] for off in roles]
    return {"fighters": roles, "cells": cells}


def sheet(spec: GameSpec, extra: Mapping[str, Any]) -> dict[str, Any]:
    """All tables on two sheets: those of Skirmishes, then those of Unopposed attacks, the rout, the dice (R-181)."""
    words = spec.data["reference"]["components"]
    clashes = [clash(spec, {"table": number}) for number in range(1, len(pairings(spec)) + 1)]
    return {
        "number": extra["sheet"],
        "clashes": clashes,
        "attacks": [_unopposed(spec, number) for number in (1, 2, 0)],
        "rout": rout(spec, {}),
        "dice": dice(spec, {}),
        "texts": {name: words[name] for name in ("odds", "odds-unopposed", "odds-rout", "odds-dice")},
    }
