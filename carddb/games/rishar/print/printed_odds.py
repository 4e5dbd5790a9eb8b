"""The tables of section 15 as they are printed: exact chances in percent with one decimal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from carddb.core.names import capital
from carddb.game.game import GameSpec
from carddb.games.printed_words import signed
from carddb.games.rishar.battle.clash import Fighter
from carddb.games.rishar.play.fields import UNIT_ROLES, Side
from carddb.games.rishar.play.odds import clash_chances, damage_chances, rout_chances
from carddb.games.rishar.play.units import dice_of
from carddb.play import chance

DIFFERENCES = range(-6, 7)
TOTALS = range(13)
ENDS = ("off_kill", "off_disable", "def_disable", "def_kill", "stalemate")


def percent(share: Fraction) -> str:
    """A chance in percent with one decimal (R-181)."""
    return f"{float(share * 100):.1f}"


def pairings(spec: GameSpec) -> dict[tuple[int, int], list[tuple[str, str]]]:
    """The pairs of Roles by the dice on Offense and on Defense, most dice together first (R-168)."""
    by_dice: dict[tuple[int, int], list[tuple[str, str]]] = {}
    for off in UNIT_ROLES:
        for against in UNIT_ROLES:
            dice = dice_of(spec, "off", off, against), dice_of(spec, "def", against, off)
            by_dice.setdefault(dice, []).append((off, against))
    return dict(sorted(by_dice.items(), key=lambda item: (-min(item[0]), -sum(item[0]), -item[0][0])))


def clash(spec: GameSpec, extra: Mapping[str, Any]) -> dict[str, Any]:
    """One table of Skirmishes, for the pair of dice with the number `table`, from 1 (R-168).

    Rows by difference of base Strength; the column of stalemates is left out where there are none.
    """
    dice, roles = list(pairings(spec).items())[extra["table"] - 1]
    rows = {d: _ends(spec, dice, d) for d in DIFFERENCES}
    ends = [end for end in ENDS if end != "stalemate" or any(chances[end] for chances in rows.values())]
    return {
        "dice": dice,
        "ends": ends,
        "rows": [
            _row(signed(d), (chances[end] for end in ends), percent(chances["off_kill"] + chances["off_disable"]))
            for d, chances in rows.items()
        ],
        "figures": {
            "off": _dice_words(spec, dice[0], True),
            "def": _dice_words(spec, dice[1]),
            "pairs": _pairs(spec, roles),
        },
    }


def _row(head: str, shares: Iterable[Fraction], last: str) -> dict[str, Any]:
    return {"head": head, "cells": [percent(share) for share in shares], "last": last}


def _mean(chances: Mapping[int, Fraction]) -> str:
    return f"{float(chance.mean(chances)):.2f}"


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
    text = str(words["more" if number > 1 else "one"]).format(n=spec.data["words"][number])
    return capital(text) if begins else text


def unopposed(spec: GameSpec, extra: Mapping[str, Any]) -> dict[str, Any]:
    """The Morale that an Unopposed card costs, by its number of `dice` and its total before them (R-169)."""
    dice = extra["dice"]
    damage = {total: damage_chances(spec, total, dice) for total in TOTALS}
    points = range(max(max(chances) for chances in damage.values()) + 1)
    rows = [
        _row(str(total), (chances.get(n, Fraction(0)) for n in points), _mean(chances))
        for total, chances in damage.items()
    ]
    return {"number": dice, "points": list(points), "rows": rows, "figures": {"dice": _dice_words(spec, dice)}}


def rout(spec: GameSpec, extra: Mapping[str, Any]) -> dict[str, Any]:
    """How many units die in a rout, by the number at risk (R-170)."""
    words = spec.data["reference"]["components"]["odds-rout"]
    most = int(words["most"])
    rows = []
    for units in range(1, int(words["units"]) + 1):
        chances = rout_chances(spec, units)
        shares = [chances.get(dead, Fraction(0)) for dead in range(most)]
        rows.append(_row(str(units), [*shares, chance.at_least(chances, most)], _mean(chances)))
    return {"points": [*range(most), f"{most}+"], "rows": rows}


def dice(spec: GameSpec, extra: Mapping[str, Any]) -> dict[str, Any]:
    """How many dice each pair of Roles rolls, Offense down and Defense across (R-168)."""
    roles = UNIT_ROLES
    cells = [[(dice_of(spec, "off", off, other), dice_of(spec, "def", other, off)) for other in roles] for off in roles]
    return {"fighters": roles, "cells": cells}


def sheet(spec: GameSpec, extra: Mapping[str, Any]) -> dict[str, Any]:
    """All tables on two sheets: those of Skirmishes, then those of Unopposed attacks, the rout, the dice (R-181)."""
    words = spec.data["reference"]["components"]
    clashes = [clash(spec, {"table": number}) for number in range(1, len(pairings(spec)) + 1)]
    return {
        "number": extra["sheet"],
        "clashes": clashes,
        "attacks": [unopposed(spec, {"dice": number}) for number in (1, 2, 0)],
        "rout": rout(spec, {}),
        "dice": dice(spec, {}),
        "texts": {name: words[name] for name in ("odds", "odds-unopposed", "odds-rout", "odds-dice")},
    }
