"""The worked example as it is printed, every sum and every result by the game's own operations (R-165 to R-167)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from carddb.game import GameSpec
from carddb.games.rishar.battle import battle_result
from carddb.games.rishar.clash import played
from carddb.games.rishar.faces import signed, tones
from carddb.games.rishar.morale import starting
from carddb.games.rishar.skirmish import NOBODY, skirmish
from carddb.games.rishar.words import ARMIES, SIDES, Side, Unit, enemy, opposing


def example(spec: GameSpec, extra: Mapping[str, Any]) -> dict[str, Any]:
    """Both cards, the rows of the sum, the outcome before and after the discard, and the two tables of R-167."""
    given = spec.data["example"]
    cards = {side: given[side] for side in SIDES}
    before = _asked(spec, given, [])
    after = _asked(spec, given, [given["discard"]])
    words = spec.data["reference"]["components"]["worked-skirmish"]
    tables = {army: _table(spec, words, given["tables"][army]) for army in ARMIES}
    won = battle_result.ask(
        spec, {army: {"kills": 0, "morale": tables[army]["now"], "routed": False} for army in ARMIES}
    )
    return {
        "cards": {side: {"traits": (), **cards[side], "tone": tones(spec, cards[side]["path"])} for side in SIDES},
        "rolls": given["rolls"],
        "rows": _rows(spec, given, before),
        "discard": signed(given["discard"]["add"]),
        "discard_to": given["discard"]["to"],
        "totals": after["totals"],
        "tables": tables,
        "figures": {
            **_told("before", cards, before),
            **_told("after", cards, after),
            "name": given[given["discard"]["to"]]["name"],
            "ahead": str(won["winner"]).upper(),
            "behind": enemy(won["winner"]).upper(),
        },
    }


def _asked(spec: GameSpec, given: Mapping[str, Any], mods: list[Mapping[str, Any]]) -> Mapping[str, Any]:
    cards = {side: {key: value for key, value in given[side].items() if key != "name"} for side in SIDES}
    return skirmish.ask(spec, {**cards, "rolls": given["rolls"], "mods": mods})


def _told(when: str, cards: Mapping[Side, Mapping[str, Any]], answer: Mapping[str, Any]) -> dict[str, object]:
    winner: Side = answer["winner"]
    loser = opposing(winner)
    totals = answer["totals"]
    return {
        f"{when}_apart": abs(totals["off"] - totals["def"]),
        f"{when}_winner": cards[winner]["name"],
        f"{when}_won": str(answer["fate"][winner]).capitalize(),
        f"{when}_loser": cards[loser]["name"],
        f"{when}_fate": str(answer["fate"][loser]).capitalize(),
    }


def _rows(spec: GameSpec, given: Mapping[str, Any], answer: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    """What adds up on each side: Strength, what the cards' own texts add, the better die, the sum."""
    units: dict[Side, Unit] = {
        side: Unit.model_validate({key: value for key, value in given[side].items() if key != "name"}) for side in SIDES
    }
    leaders = dict.fromkeys(SIDES, NOBODY)
    standing = {side: played(spec, spec.option_defaults, side, units, leaders).standing for side in SIDES}
    own = {side: standing[side] - (units[side].strength or 0) for side in SIDES}
    return {
        "strength": {side: str(units[side].strength) for side in SIDES},
        "reach": {side: signed(own[side]) if own[side] else "" for side in SIDES},
        "dice": {side: signed(max(given["rolls"][side])) for side in SIDES},
        "sum": {side: str(answer["totals"][side]) for side in SIDES},
    }


def _table(spec: GameSpec, words: Mapping[str, str], table: Mapping[str, Any]) -> dict[str, Any]:
    """One side of R-167: the Morale it began with, and the Progressions that give it."""
    began = starting(spec, table["progression"])
    same = [number for number in range(table["progression"] + 3) if starting(spec, number) == began]
    found = {**table, "began": began, "least": min(same), "most": max(same), "lies_on": table["pile"].capitalize()}
    return {**found, "morale": words["morale"].format(**found), "lies": words["lies"].format(**found)}
