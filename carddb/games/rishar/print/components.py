"""The variables of Rishar's component templates: Commanders, tables of chances, and the worked example."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import reduce
from operator import getitem
from typing import Any

from carddb.core.names import capital
from carddb.core.plain_text import whole
from carddb.game.game import GameSpec
from carddb.games.printed_words import fill, sign_note, sign_of, signed, with_signs
from carddb.games.rishar.battle.skirmish import Fighter, fighter_of, skirmish
from carddb.games.rishar.battle.state import battle_result
from carddb.games.rishar.play.fields import ARMIES, SIDES, UNIT_ROLES, Side, Unit, dice_of, enemy, opposing
from carddb.games.rishar.play.morale import starting
from carddb.games.rishar.play.odds import LEADERS, clash_chances, damage_chances, rout_chances
from carddb.games.rishar.play.powers import choices, class_of, ritual_limits
from carddb.games.rishar.print.faces import role_cells, sentence, tones, trained_words
from carddb.play import chance

DIFFERENCES = range(-6, 7)
TOTALS = range(13)
ENDS = ("off_kill", "off_disable", "def_disable", "def_kill", "stalemate")


def percent(share: Fraction) -> str:
    """Returns a chance in percent with one decimal (R-181)."""
    return f"{float(share * 100):.1f}"


def pairings(spec: GameSpec) -> dict[tuple[int, int], list[tuple[str, str]]]:
    """Returns the pairs of Roles by their numbers of dice, `{(offense, defense): pairs}`, most dice first (R-168)."""
    by_dice: dict[tuple[int, int], list[tuple[str, str]]] = {}
    for off in UNIT_ROLES:
        for against in UNIT_ROLES:
            dice = dice_of(spec, "off", off, against), dice_of(spec, "def", against, off)
            by_dice.setdefault(dice, []).append((off, against))
    return dict(sorted(by_dice.items(), key=lambda item: (-min(item[0]), -sum(item[0]), -item[0][0])))


def clash(spec: GameSpec, extra: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the table of Skirmishes for the pair of dice with the number `extra["table"]`, counted from 1 (R-168).

    There is one row for each difference of base Strength; the column of stalemates is left out if there are none.
    """
    dice, roles = list(pairings(spec).items())[extra["table"] - 1]
    fighters = {d: (Fighter(dice[0], d, d), Fighter(dice[1], 0, 0)) for d in DIFFERENCES}
    rows = {d: clash_chances(spec, {"off": off, "def": against}) for d, (off, against) in fighters.items()}
    ends = [end for end in ENDS if end != "stalemate" or any(chances[end] for chances in rows.values())]
    return {
        "dice": dice,
        "ends": ends,
        "rows": [
            _row(signed(d), (chances[end] for end in ends), percent(chances["off_kill"] + chances["off_disable"]))
            for d, chances in rows.items()
        ],
        "figures": {
            "off": capital(_dice_words(spec, dice[0])),
            "def": _dice_words(spec, dice[1]),
            "pairs": _pairs(spec, roles),
        },
    }


def _row(head: str, shares: Iterable[Fraction], last: str) -> dict[str, Any]:
    return {"head": head, "cells": [percent(share) for share in shares], "last": last}


def _mean(chances: Mapping[int, Fraction]) -> str:
    return f"{float(chance.mean(chances)):.2f}"


def _pairs(spec: GameSpec, roles: Iterable[tuple[str, str]]) -> str:
    """Returns pairs of Roles as text, with the pairs of the same Role on Offense grouped."""
    by_off: dict[str, list[str]] = {}
    for off, against in roles:
        by_off.setdefault(off, []).append(spec.label_of(against))
    by_def: dict[tuple[str, ...], list[str]] = {}
    for off, others in by_off.items():
        by_def.setdefault(tuple(others), []).append(spec.label_of(off))
    return "; ".join(f"{', '.join(offs)} : {', '.join(others)}" for others, offs in by_def.items())


def _dice_words(spec: GameSpec, number: int) -> str:
    """Returns a number of dice in words, for example "one die", "two dice"."""
    words = spec.data["reference"]["dice"]
    return str(words["more" if number > 1 else "one"]).format(n=spec.data["words"][number])


def unopposed(spec: GameSpec, extra: Mapping[str, Any]) -> dict[str, Any]:
    """Returns, by total, the chance of each loss of Morale by an Unopposed card with `extra["dice"]` dice (R-169)."""
    dice = extra["dice"]
    damage = {total: damage_chances(spec, total, dice) for total in TOTALS}
    points = range(max(max(chances) for chances in damage.values()) + 1)
    rows = [
        _row(str(total), (chances.get(n, Fraction(0)) for n in points), _mean(chances))
        for total, chances in damage.items()
    ]
    return {"number": dice, "points": list(points), "rows": rows, "figures": {"dice": _dice_words(spec, dice)}}


def rout(spec: GameSpec, extra: Mapping[str, Any]) -> dict[str, Any]:
    """Returns, by number at risk, the chance of each number of Killed units in a rout (R-170)."""
    words = spec.data["reference"]["components"]["odds-rout"]
    most = int(words["most"])
    rows = []
    for units in range(1, int(words["units"]) + 1):
        chances = rout_chances(spec, units)
        shares = [chances.get(dead, Fraction(0)) for dead in range(most)]
        rows.append(_row(str(units), [*shares, chance.at_least(chances, most)], _mean(chances)))
    return {"points": [*range(most), f"{most}+"], "rows": rows}


def dice(spec: GameSpec, extra: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the dice of each pair of Roles: Offense in rows, Defense in columns (R-168)."""
    roles = UNIT_ROLES
    cells = [[(dice_of(spec, "off", off, other), dice_of(spec, "def", other, off)) for other in roles] for off in roles]
    return {"fighters": roles, "cells": cells}


def sheet(spec: GameSpec, extra: Mapping[str, Any]) -> dict[str, Any]:
    """Returns all tables for the two sheets: Skirmishes, Unopposed attacks, the rout, the dice (R-181)."""
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


def example(spec: GameSpec, extra: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the worked example of R-167: cards, sums, outcomes before and after a discard, and both armies."""
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
        "charges": data["charges"],
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
    """Returns who won the Skirmish before or after the discard, by how much, and the pile of each card."""
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
    """Returns the numbers that each side adds (Strength, bonuses of traits, the highest die), and their sum."""
    fighters = {side: fighter_of(spec, side, units, LEADERS) for side in SIDES}
    added = {side: fighters[side].before_dice - (units[side].strength or 0) for side in SIDES}
    return {
        "strength": {side: str(units[side].strength) for side in SIDES},
        "reach": {side: signed(added[side]) if added[side] else "" for side in SIDES},
        "dice": {side: signed(max(rolls[side])) for side in SIDES},
        "sum": {side: str(answer["totals"][side]) for side in SIDES},
    }


def _table(spec: GameSpec, words: Mapping[str, str], table: Mapping[str, Any]) -> dict[str, Any]:
    """Returns an army of the worked example: its Morale at the start, and the Progressions that give this Morale."""
    began = starting(spec, table["progression"])
    same = [number for number in range(table["progression"] + 3) if starting(spec, number) == began]
    figures = {**table, "began": began, "least": min(same), "most": max(same), "lies_on": table["pile"].capitalize()}
    return {**figures, "morale": words["morale"].format(**figures), "lies": words["lies"].format(**figures)}


def classes(spec: GameSpec) -> dict[str, dict[str, Any]]:
    """Returns every class by key, in the grid's order: label, Role, Path, text and facts (R-123, R-177)."""
    powers = spec.data["powers"]["classes"]
    return {
        key: {
            "key": key,
            "label": powers[key]["label"],
            "role": role,
            "path": path,
            "text": sentence(powers[key]["text"]),
            "facts": _facts(spec, powers[key]),
            "brief": _limit(spec, powers[key]) or _when(spec, powers[key]),
        }
        for role, row in spec.data["powers"]["grid"].items()
        for path, key in row.items()
    }


def _facts(spec: GameSpec, power: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Returns when a power works, how often, and what it costs, in words."""
    words = spec.data["reference"]
    cost = words["no_cost"]
    for key in ("cost", "cost_to_disable"):
        cost = words[key].format(n=power[key]) if key in power else cost
    values = {"when": _when(spec, power), "limit": _limit(spec, power) or words["no_limit"], "cost": cost}
    return [(words["facts"][key], value) for key, value in values.items()]


def _when(spec: GameSpec, power: Mapping[str, Any]) -> str:
    words, together = spec.data["reference"]["triggers"], " or ".join(power["trigger"])
    return str(words.get(together) or ", ".join(words[trigger] for trigger in power["trigger"]))


def _limit(spec: GameSpec, power: Mapping[str, Any]) -> str:
    """Returns how often a power may be used, in words; empty if there is no limit."""
    per = spec.data["reference"]["per"]
    uses = [words.format(n=power["uses"][key]) for key, words in per.items() if key in power.get("uses", {})]
    limit = str(power.get("limit", "none"))
    return ", ".join(uses) or ("" if limit == "none" else limit)


def card(spec: GameSpec, extra: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the card of the class `extra["class"]`: the class, its boxes to tick, and lines to write on."""
    words, key = spec.data["reference"], extra["class"]
    uses = spec.data["powers"]["classes"][key].get("uses", {})
    boxes = words["boxes"].get(key)
    for per, label in words["uses"].items():
        if per in uses:
            boxes = {"label": label, "boxes": [""] * uses[per]}
    choice = words["choices"].get(key)
    class_ = classes(spec)[key]
    return {
        "one": class_,
        "tone": tones(spec, class_["path"]),
        "ticked": boxes,
        "line_label": words["lines"].get(key, ""),
        "choice": choice and {"label": choice["label"], "of": _choices(spec, choice["of"])},
        "note": spec.data["powers"]["note"],
    }


def _choices(spec: GameSpec, of: str) -> list[dict[str, str]]:
    """Returns what a Commander may choose from: classes, or Paths and Roles with signs (R-126, R-140)."""
    if of == "classes":
        return [{"label": spec.data["powers"]["classes"][key]["label"], "sign": ""} for key in choices(spec)]
    paths = [{"label": path["label"], "sign": f"path-{key}"} for key, path in spec.data["paths"].items()]
    return [*paths, *({"label": spec.label_of(role), "sign": f"role-{role}"} for role in spec.data["dice"])]


def grid(spec: GameSpec, extra: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the classes, with their texts, and the grid of Roles and Paths (R-123)."""
    return {"classes": classes(spec), "grid": spec.data["powers"]["grid"], "note": spec.data["powers"]["note"]}


def named_grid(spec: GameSpec, extra: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the names of the classes by Role and Path, without their texts (R-123)."""
    table = grid(spec, extra)
    return {**table, "classes": {key: {"label": class_["label"]} for key, class_ in table["classes"].items()}}


def of_role(spec: GameSpec, extra: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the classes of the Role `extra["role"]`, with their texts (R-178)."""
    role = extra["role"]
    return {
        "classes": [class_ for class_ in classes(spec).values() if class_["role"] == role],
        "role": role,
        "note": spec.data["powers"]["note"],
        "figures": {"role": spec.label_of(role)},
    }


def leader(spec: GameSpec, headers: Mapping[str, str]) -> dict[str, Any]:
    """Returns the Commander in an army's header; missing fields are empty (R-163, R-177)."""
    header = defaultdict(str, headers)
    path, role = header["path"].casefold(), header["role"].casefold()
    class_ = classes(spec).get(class_of(spec, path, role) or "", {})
    progression = whole(header["progression"])
    return {
        "fields": [header["commander"], header["player"], class_.get("label", "")],
        "path": path if class_ else "",
        "role": role if class_ else "",
        "kind": header["kind"].casefold(),
        "power": class_.get("text", ""),
        "progression": "" if progression is None else header["progression"],
        "morale": None if progression is None else starting(spec, progression),
        "tactician": header["chosen"].replace("_", " ").capitalize(),
        "dervish": header["dervish"].capitalize(),
    }


def most_uses(spec: GameSpec) -> dict[str, Any]:
    """Returns how many boxes to tick the classes need: the most uses in a Battle and on a Day, and whose (R-177)."""
    powers = spec.data["powers"]["classes"].values()
    uses = {per: {power["label"]: power.get("uses", {}).get(per, 0) for power in powers} for per in ("battle", "day")}
    return {
        "most": {per: max(counts.values()) for per, counts in uses.items()},
        "users": {per: _users(counts) for per, counts in uses.items()},
        "known": {key: row["boxes"] for key, row in spec.data["reference"]["boxes"].items()},
        "leaders": list(spec.data["powers"]["grid"]),
    }


def _users(counts: Mapping[str, int]) -> str:
    """Returns the classes with limited uses, the most uses first, each with its number if that is more than one."""
    ordered = sorted((label for label, count in counts.items() if count), key=lambda label: -counts[label])
    return ", ".join(f"{label} {counts[label]}" if counts[label] > 1 else label for label in ordered)


_STARTS = 12
"""The number of values of starting Morale that a Commander sheet lists."""


def component_data(name: str, spec: GameSpec, extra: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the variables of the template `name` (without its suffix).

    All have `ink`, `quiet`, `house`, `paths`, `roles`, `tones`, `sigil_on`, `sizes`, `game`, `foot`, `sign_note` and
    `words` (the component's own texts, with numbers filled in), then the tables that the component shows, and `texts`
    (texts of other components that it repeats). `extra` is the component's own data or row; on a back, its first key
    has the value of `back`. Raises KeyError for a class, a Role or a token that is not in the data.
    """
    if name.endswith("-back"):
        name, extra = name.removesuffix("-back"), {**extra, next(iter(extra)): extra["back"]}
    faces, reference = spec.data["faces"], spec.data["reference"]
    tables = _TABLES[name](spec, extra) if name in _TABLES else {}
    words = reference["components"].get(name, {})
    words = words.get(extra.get("page"), words)
    numbers = {**figures(spec), **tables.get("figures", {})}
    tables = with_signs(tables, spec)
    filled, texts = (with_signs(fill(part, numbers), spec) for part in (words, tables.get("texts", {})))
    note = sign_note((filled, tables, texts), spec)
    return {
        "ink": faces["ink"],
        "quiet": faces["quiet"],
        "house": faces["house"],
        "paths": spec.data["paths"],
        "roles": {role: spec.label_of(role) for role in spec.types},
        "tones": {path: tones(spec, path) for path in spec.data["paths"]},
        "sigil_on": faces["sigil_on"],
        "sizes": faces["sizes"],
        "game": {"name": spec.name},
        "foot": fill(reference["foot_with_note"], {"note": note}) if note else reference["foot"],
        "sign_note": note,
        "words": filled,
        **tables,
        "texts": texts,
    }


def figures(spec: GameSpec) -> dict[str, object]:
    """Returns the numbers that are filled into the texts of components, by placeholder; some are written as words."""
    data = spec.data
    numbers, rituals = data["words"], data["rituals"]
    return {
        **{name: reduce(getitem, place.split("."), data) for name, place in data["reference"]["figures"].items()},
        "heal_reach": data["times"][data["healing"]["reach"]],
        "support": numbers[rituals["support"]],
        "ritual_phase": numbers[rituals["phase"]],
    }


def _role_reference(spec: GameSpec, extra: Mapping[str, Any]) -> dict[str, Any]:
    """Returns a row for each Role: its dice on Offense and Defense (None if never played), and its peculiarities."""
    rows = []
    for role in spec.types:
        dice = spec.data["dice"].get(role)
        words = [words for side, words in role_cells(spec, role).items() if dice or side == "otherwise"]
        rows.append({"role": role, "dice": dice, "text": sentence("; ".join(words))})
    return {"rows": rows}


def _battle_mat(spec: GameSpec, extra: Mapping[str, Any]) -> dict[str, Any]:
    zones = {
        zone["key"]: {**zone, "told": f"{sentence(zone['holds'])} {sentence(zone['note'])}"}
        for zone in spec.data["zones"]
    }
    top = {key: int(str(zone["size"]).split()[-1]) for key, zone in zones.items() if zone["size"].startswith("track")}
    # How many boxes for Rituals a Phase has: for most Commanders, and for an Animist.
    boxes = {key: ritual_limits(spec, name)["phase"] for key, name in (("all", None), ("most", "animist"))}
    return {"zones": zones, "top": top, "rituals": boxes, "least": starting(spec, 0)}


def _commander_sheet(spec: GameSpec, extra: Mapping[str, Any]) -> dict[str, Any]:
    """Returns starting Morale by Progression (R-43), the boxes to tick, and the Commander of the deck."""
    step = int(spec.data["morale"]["progression"])
    steps = [
        {"progression": f"{low}\u2013{low + step - 1}", "morale": starting(spec, low)}
        for low in range(0, _STARTS * step, step)
    ]
    return {"steps": steps, "led": leader(spec, extra.get("deck") or {}), **most_uses(spec)}


def _campaign_sheet(spec: GameSpec, extra: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the texts in the head and the tables of the campaign sheet; by default, empty texts (R-183)."""
    empty: dict[str, Any] = {"head": ("",) * 4, "battles": (), "upkeep": (), "killed": (), "bases": ()}
    return {"filled": {**empty, **(extra.get("filled") or {})}}


def _token(spec: GameSpec, extra: Mapping[str, Any]) -> dict[str, Any]:
    return {"token": {"figure": "", "sign": "", "word": "", **spec.data["reference"]["tokens"][extra["token"]]}}


def _glossary(spec: GameSpec, extra: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the words on one side of a card; the words are divided so that all sides have about as much text."""
    pages = 2 * len(spec.components["glossary"].rows)
    entries = [
        {
            "label": word["label"],
            "text": sentence(word.get("text") or word["meaning"]) + sign_of(word["rules"], spec),
            "sign": f"{{icon:{key}}}" if word.get("kind") == "ability" else "",
        }
        for key, word in spec.data.get("keywords", {}).items()
    ]
    lengths = [len(entry["label"]) + len(entry["text"]) + 12 for entry in entries]
    starts = [sum(lengths[:at]) for at in range(len(lengths))]
    total = sum(lengths) or 1
    pairs = zip(entries, starts, strict=True)
    on_card = [entry for entry, start in pairs if start * pages // total + 1 == extra["card"]]
    return {"entries": on_card, "figures": {"page": extra["card"], "pages": pages}}


_TABLES: Mapping[str, Callable[[GameSpec, Mapping[str, Any]], dict[str, Any]]] = {
    "blank-unit": lambda spec, extra: {"fighters": list(spec.data["dice"]), "trained": trained_words(spec)},
    "commander": card,
    "commander-sheet": _commander_sheet,
    "power-grid": named_grid,
    "power-cards": of_role,
    "power-sheet": grid,
    "role-reference": _role_reference,
    "battle-mat": _battle_mat,
    "campaign-sheet": _campaign_sheet,
    "token": _token,
    "marker": _token,
    "odds": clash,
    "odds-unopposed": unopposed,
    "odds-rout": rout,
    "odds-dice": dice,
    "odds-sheet": sheet,
    "worked-skirmish": example,
    "figure-turn": lambda spec, extra: {**example(spec, extra), **extra},
    "figure-mat": lambda spec, extra: {**_battle_mat(spec, extra), **extra},
    "figure-roles": lambda _, extra: {**extra},
    "glossary": _glossary,
}
