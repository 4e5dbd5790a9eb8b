"""The variables of the templates of Rishar's components: the game's tables with their figures as printed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from carddb.game.game import GameSpec
from carddb.games.placeholders import fill
from carddb.games.printed_words import sign_note, sign_of, with_signs
from carddb.games.rishar.play.morale import starting
from carddb.games.rishar.print import commanders, printed_odds, worked_example
from carddb.games.rishar.print.faces import role_cells, sentence, tones, trained_words

_STARTS = 12
"""How many values of starting Morale a Commander sheet lists."""


def component_data(name: str, spec: GameSpec, extra: Mapping[str, Any]) -> dict[str, Any]:
    """The variables of the template `name` (without its suffix).

    Always `ink`, `quiet`, `house`, `paths`, `roles`, `tones`, `sigil_on`, `sizes`, `game`, `foot` and `words` (the
    component's own, figures filled in); beside them the tables that it shows, and in `texts` the words of other
    components that it repeats. `extra` is the component's own data or row. Raises KeyError for a class, a Role or a
    token that is not in the data.
    """
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
        "words": filled,
        **tables,
        "texts": texts,
    }


def figures(spec: GameSpec) -> dict[str, object]:
    """The numbers in the sentences of several components."""
    data = spec.data
    morale, training, rituals = data["morale"], data["training"], data["rituals"]
    numbers = data["words"]
    return {
        "start": morale["start"],
        "pass": morale["pass"],
        "unopposed": morale["unopposed"],
        "margin": data["kill_margin"],
        "rout": data["rout_kills_from"],
        "heal_cost": data["healing"]["cost"],
        "heal_reach": data["times"][data["healing"]["reach"]],
        "cleric": data["powers"]["classes"]["cleric"]["cost"],
        "mender": data["powers"]["classes"]["mender"]["cost_to_disable"],
        "favor": data["saves"]["pc"]["favor"],
        "npc": data["saves"]["npc"]["morale"],
        "support": numbers[rituals["support"]],
        "ritual_phase": numbers[rituals["phase"]],
        "minutes": data["minutes_between_battles"],
        "items": training["items"],
        "alchemy": training["alchemy_counts"],
        "build_points": training["build_points"],
        "dice": data["six_sided_dice"],
    }


def _role_reference(spec: GameSpec, extra: Mapping[str, Any]) -> dict[str, Any]:
    """A row a Role: its dice on either side, None where it is never played, and what else sets it apart."""
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
    boxes = commanders.ritual_boxes(spec)
    return {"zones": zones, "top": top, "rituals": boxes, "least": starting(spec, 0)}


def _commander_sheet(spec: GameSpec, extra: Mapping[str, Any]) -> dict[str, Any]:
    """Starting Morale by Progression (R-43), the boxes to tick, and the Commander of the deck."""
    step = int(spec.data["morale"]["progression"])
    steps = [
        {"progression": f"{low}\u2013{low + step - 1}", "morale": starting(spec, low)}
        for low in range(0, _STARTS * step, step)
    ]
    return {"steps": steps, "led": commanders.leader(spec, extra.get("deck") or {}), **commanders.most_uses(spec)}


def _campaign_sheet(spec: GameSpec, extra: Mapping[str, Any]) -> dict[str, Any]:
    """What is written into the head and the tables; nothing on a sheet that is printed empty (R-183)."""
    empty: dict[str, Any] = {"head": ("",) * 4, "battles": (), "upkeep": (), "killed": (), "bases": ()}
    return {"filled": {**empty, **(extra.get("filled") or {})}}


def _token(spec: GameSpec, extra: Mapping[str, Any]) -> dict[str, Any]:
    return {"token": {"figure": "", "sign": "", "word": "", **spec.data["reference"]["tokens"][extra["token"]]}}


def _glossary(spec: GameSpec, extra: Mapping[str, Any]) -> dict[str, Any]:
    """The words of one card, shared out so that each card has about the same amount of text."""
    pages = len(spec.components["glossary"].rows)
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
    "commander": commanders.card,
    "commander-sheet": _commander_sheet,
    "power-grid": commanders.grid,
    "power-cards": commanders.of_role,
    "power-sheet": commanders.grid,
    "role-reference": _role_reference,
    "battle-mat": _battle_mat,
    "campaign-sheet": _campaign_sheet,
    "token": _token,
    "marker": _token,
    "odds": printed_odds.clash,
    "odds-unopposed": printed_odds.unopposed,
    "odds-rout": printed_odds.rout,
    "odds-dice": printed_odds.dice,
    "odds-sheet": printed_odds.sheet,
    "worked-skirmish": worked_example.example,
    "glossary": _glossary,
}
