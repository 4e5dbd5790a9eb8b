"""The twenty classes of Commanders as they are printed: cards, the grid, the sheet of powers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from carddb.game.game import GameSpec
from carddb.games.rishar.play.morale import starting
from carddb.games.rishar.play.powers import choices, class_of, ritual_limits
from carddb.games.rishar.print.faces import sentence, tones

_LONGEST = 10
"""Digits that a Progression on paper has fewer than."""


def classes(spec: GameSpec) -> dict[str, dict[str, Any]]:
    """Every class by key, in the order of the grid: label, Role, Path, its text and its facts (R-123, R-177)."""
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
    """When a power works, how often, and what it costs, in words."""
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
    """How often a power works; empty where that is any number of times."""
    per = spec.data["reference"]["per"]
    uses = [words.format(n=power["uses"][key]) for key, words in per.items() if key in power.get("uses", {})]
    limit = str(power.get("limit", "none"))
    return ", ".join(uses) or ("" if limit == "none" else limit)


def card(spec: GameSpec, extra: Mapping[str, Any]) -> dict[str, Any]:
    """The card of a class: the class, its boxes to tick and lines to write on, its place in the grid."""
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
        "grid": spec.data["powers"]["grid"],
        "note": spec.data["powers"]["note"],
    }


def _choices(spec: GameSpec, of: str) -> list[dict[str, str]]:
    """What may be chosen: classes in words, opponents by the drawing of their Path or Role (R-126, R-140)."""
    if of == "classes":
        return [{"label": spec.data["powers"]["classes"][key]["label"], "sign": ""} for key in choices(spec)]
    paths = [{"label": path["label"], "sign": f"path-{key}"} for key, path in spec.data["paths"].items()]
    return [*paths, *({"label": spec.label_of(role), "sign": f"role-{role}"} for role in spec.data["dice"])]


def grid(spec: GameSpec, extra: Mapping[str, Any]) -> dict[str, Any]:
    """The names of the classes by Role and Path (R-123)."""
    return {"classes": classes(spec), "grid": spec.data["powers"]["grid"], "note": spec.data["powers"]["note"]}


def of_role(spec: GameSpec, extra: Mapping[str, Any]) -> dict[str, Any]:
    """The classes of one Role, with their texts (R-178)."""
    role = extra["role"]
    return {
        "classes": [class_ for class_ in classes(spec).values() if class_["role"] == role],
        "role": role,
        "note": spec.data["powers"]["note"],
        "figures": {"role": spec.label_of(role)},
    }


def leader(spec: GameSpec, headers: Mapping[str, str]) -> dict[str, Any]:
    """The Commander in the header of an army, for the sheet; empty where the header lacks it (R-163, R-177)."""

    def header(key: str) -> str:
        return headers.get(key, "")

    path, role = header("path").casefold(), header("role").casefold()
    class_ = classes(spec).get(class_of(spec, path, role) or "", {})
    digits = header("progression")
    is_number = len(digits) < _LONGEST and digits.isascii() and digits.isdigit()
    return {
        "fields": [header("commander"), header("player"), class_.get("label", "")],
        "path": path if class_ else "",
        "role": role if class_ else "",
        "kind": header("kind").casefold(),
        "power": class_.get("text", ""),
        "progression": digits if is_number else "",
        "morale": starting(spec, int(digits)) if is_number else None,
        "tactician": header("chosen").replace("_", " ").capitalize(),
        "dervish": header("dervish").capitalize(),
    }


def ritual_boxes(spec: GameSpec) -> dict[str, int]:
    """The boxes of a Phase for Rituals: those of everybody, and those of an Animist (R-112, R-136)."""
    return {"all": ritual_limits(spec, None)["phase"], "most": ritual_limits(spec, "animist")["phase"]}


def most_uses(spec: GameSpec) -> dict[str, Any]:
    """The boxes that fit any class: the most uses of a Battle and of a Day, who has them, further boxes by class.

    Source: R-177.
    """
    powers = spec.data["powers"]["classes"].values()
    uses = {per: {power["label"]: power.get("uses", {}).get(per, 0) for power in powers} for per in ("battle", "day")}
    return {
        "most": {per: max(counts.values()) for per, counts in uses.items()},
        "users": {per: _users(counts) for per, counts in uses.items()},
        "known": {key: row["boxes"] for key, row in spec.data["reference"]["boxes"].items()},
        "leaders": list(spec.data["powers"]["grid"]),
    }


def _users(counts: Mapping[str, int]) -> str:
    """The classes whose uses are ticked, the most first, each with its number where that is more than one."""
    ordered = sorted((label for label, count in counts.items() if count), key=lambda label: -counts[label])
    return ", ".join(f"{label} {counts[label]}" if counts[label] > 1 else label for label in ordered)
