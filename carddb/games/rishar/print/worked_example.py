"""The worked example as printed; the game's operations compute every sum and result (R-165 to R-167)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from carddb.game.game import GameSpec
from carddb.games.printed_words import signed
from carddb.games.rishar.battle.battle import battle_result
from carddb.games.rishar.battle.clash import fighter_of
from carddb.games.rishar.battle.skirmish import NOBODY, skirmish
from carddb.games.rishar.play.fields import ARMIES, SIDES, Side, Unit, enemy, opposing
from carddb.games.rishar.play.morale import starting
from carddb.games.rishar.print.faces import tones


def example(spec: GameSpec, extra: Mapping[str, Any]) -> dict[str, Any]:
    """Both cards, the rows of the sum, the outcome before and after the discard, and the two tables of R-167."""
    data = spec.data["example"]
    cards = {side: data[side] for side in SIDES}
    discard = data["discard"]
    units = {side: {key: value for key, value in cards[side].items() if key != "name"} for side in SIDES}
    before, after = (
        skirmish.ask(spec, {**units, "rolls": data["rolls"], "mods": modifiers}) for modifiers in ([], [discard])
    )
    words = spec.data["reference"]["components"]["worked-skirmish"]
    tables = {army: _table(spec, words, data["tables"][army]) for army in ARMIES}
    result = battle_result.ask(
        spec, {army: {"kills": 0, "morale": tables[army]["now"], "routed": False} for army in ARMIES}
    )
    return {
        "cards": {side: {"traits": (), **cards[side], "tone": tones(spec, cards[side]["path"])} for side in SIDES},
        "rolls": data["rolls"],
        "rows": _rows(spec, {side: Unit.model_validate(units[side]) for side in SIDES}, data["rolls"], before),
        "discard": signed(discard["add"]),
        "discard_to": discard["to"],
        "totals": after["totals"],
        "tables": tables,
        "figures": {
            **_outcome("before", cards, before),
            **_outcome("after", cards, after),
            "name": cards[discard["to"]]["name"],
            "ahead": str(result["winner"]).upper(),
            "behind": enemy(result["winner"]).upper(),
        },
    }


def _outcome(when: str, cards: Mapping[Side, Mapping[str, Any]], answer: Mapping[str, Any]) -> dict[str, object]:
    """Who won the Skirmish before or after the discard, by how much, and what became of both cards."""
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


def _rows(
    spec: GameSpec, units: Mapping[Side, Unit], rolls: Mapping[Side, list[int]], answer: Mapping[str, Any]
) -> dict[str, dict[Side, str]]:
    """What adds up on each side: Strength, what the cards' own texts add, the better die, the sum."""
    leaders = dict.fromkeys(SIDES, NOBODY)
    fighters = {side: fighter_of(spec, spec.option_defaults, side, units, leaders) for side in SIDES}
    added = {side: fighters[side].before_dice - (units[side].strength or 0) for side in SIDES}
    return {
        "strength": {side: str(units[side].strength) for side in SIDES},
        "reach": {side: signed(added[side]) if added[side] else "" for side in SIDES},
        "dice": {side: signed(max(rolls[side])) for side in SIDES},
        "sum": {side: str(answer["totals"][side]) for side in SIDES},
    }


def _table(spec: GameSpec, words: Mapping[str, str], table: Mapping[str, Any]) -> dict[str, Any]:
    """One side of R-167: the Morale it began with, and the Progressions that give it."""
    began = starting(spec, table["progression"])
    same = [number for number in range(table["progression"] + 3) if starting(spec, number) == began]
    figures = {**table, "began": began, "least": min(same), "most": max(same), "lies_on": table["pile"].capitalize()}
    return {**figures, "morale": words["morale"].format(**figures), "lies": words["lies"].format(**figures)}
