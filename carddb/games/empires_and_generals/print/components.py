"""The variables of the templates of the game's components: its tables with their figures as printed."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from carddb.cards.cards import Card
from carddb.game.game import GameSpec
from carddb.games.empires_and_generals.print.faces import backs, emblem_data, fronts, references
from carddb.games.printed_words import fill, imprint, sign_note, signed, with_signs


def component_data(name: str, spec: GameSpec, extra: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the variables of the template `name` (without its suffix).

    Always `faces`, `reference` (measures and words), `ink`, `tinctures`, `game`, `words` (the component's own, figures
    filled in); beside them the tables that it shows. `extra` is the component's own data or row (`game_type`) and, for
    the title card, `deck` with `name`, `empire` and `edition`. Raises KeyError for a game type that is not in the data.
    """
    faces, reference = spec.data["faces"], spec.data["reference"]
    tables = _TABLES[name](spec, extra) if name in _TABLES else {}
    figures = {**_figures(spec), **tables.get("figures", {})}
    tables = with_signs(tables, spec)
    words = with_signs(fill(reference["components"].get(name, {}), figures), spec)
    note = sign_note((words, tables), spec)
    return {
        "faces": {**faces, "metrics": fronts(faces)},
        "reference": {
            **reference,
            "metrics": references(faces, reference),
            "backs": backs(reference),
        },
        "ink": faces["ink"],
        "tinctures": spec.data["emblem"]["tinctures"],
        "game": imprint(spec),
        "words": {**words, "footer": note} if note else words,
        **tables,
    }


def _figures(spec: GameSpec) -> dict[str, object]:
    """Returns the numbers in the sentences of several components."""
    types = {key: kind["n"] for key, kind in spec.data["game_types"].items()}
    fewest, most = spec.players
    least, largest = spec.sections["playing"].size
    return {
        "by": spec.by,
        "hand": spec.data["hand"],
        "fewest": fewest,
        "most": most,
        "deck_least": least,
        "deck_most": largest,
        "win": signed(types["normal"]),
        "out": signed(-types["normal"]),
        **types,
    }


def _title(spec: GameSpec, extra: Mapping[str, Any]) -> dict[str, Any]:
    deck: Mapping[str, Any] = extra.get("deck") or {}
    empire, name, edition = deck.get("empire"), deck.get("name"), deck.get("edition")
    era = deck.get("era") or str(edition or "").lower()
    faces = spec.data["faces"]
    values = {"type": "general", "rarity": "rare", "name": name or empire or spec.name, "empire": empire}
    card = Card(spec.key, f"title {empire or ''}", {key: value for key, value in values.items() if value})
    return {
        **emblem_data(card, spec),
        "frieze": faces["drawn_eras"].get(era, faces["other_era"] if era in faces["eras"] else faces["no_era"]),
        "heading": empire or name or "",
        "named": name if empire and name else "",
        "edition": edition or "",
        "figures": {"edition": edition},
    }


def _instructions(spec: GameSpec, extra: Mapping[str, Any]) -> dict[str, Any]:
    limits = {limit.code: limit.max for limit in spec.limits if limit.when is None}
    rarities = spec.fields["rarity"].of
    copies = [{"rarity": r, "max": limits.get(f"{r}_copies"), "total": limits.get(f"{r}_total")} for r in rarities]
    return {"limits": copies}


def _phases(spec: GameSpec, extra: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the six phases after the declaration; a whole word with a sign of its own gets it."""
    signs = spec.data["reference"]["components"]["phase-chart"]["signs"]
    words = re.compile(rf"\b({'|'.join(map(re.escape, signs))})\b")
    declare, *phases = (
        {**phase, "does": words.sub(lambda match: signs[match[0]], phase["does"])} for phase in spec.data["phases"]
    )
    return {"declare": declare, "phases": phases}


def _zones(spec: GameSpec, extra: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the zones with their places on the mat and their numbers; the shared one has none."""
    places = spec.data["reference"]["mat"]["zones"]
    return {
        "zones": [
            {**zone, **places[zone["key"]], "number": zone["zone"] if zone["zone"].isdigit() else ""}
            for zone in spec.data["zones"]
        ]
    }


def _small_zones(spec: GameSpec, extra: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the zones without the hints on the mat, for which the card has no room."""
    return {"zones": [{**zone, "hint": ""} for zone in _zones(spec, extra)["zones"]]}


def _type_row(kind: Mapping[str, Any]) -> dict[str, Any]:
    """Returns a game type and its track: a line for each score from the top down, with the life that is left there."""
    top = int(kind["n"])
    marks = {top: "win", 0: "start", -top: "out"}
    track = [{"score": signed(n), "life": n + top, "mark": marks.get(n, "")} for n in range(top, -top - 1, -1)]
    return {**kind, "win": signed(top), "out": signed(-top), "track": track}


def _track(spec: GameSpec, extra: Mapping[str, Any]) -> dict[str, Any]:
    kind = _type_row(spec.data["game_types"][extra.get("game_type", "normal")])
    return {"type": kind, "figures": {"win": kind["win"], "out": kind["out"], "name": str(kind["label"]).lower()}}


def _types(spec: GameSpec, extra: Mapping[str, Any]) -> dict[str, Any]:
    return {"types": [_type_row(kind) for kind in spec.data["game_types"].values()]}


def _formats(spec: GameSpec, extra: Mapping[str, Any]) -> dict[str, Any]:
    chosen = {key for limit in spec.limits if limit.chosen for key in limit.formats or ()}
    flags = spec.data["reference"]["components"]["predestination"]["flags"]
    rows = [
        {
            "label": form.label,
            "name": form.name,
            "chosen": key in chosen,
            "eras": list(form.filters.get("eras") or ()),
            "before": form.filters.get("before_year"),
            "released": bool(form.filters.get("released_only")),
            "out": [flag for flag in flags if form.filters.get(f"no_{flag}")],
        }
        for key, form in spec.formats.items()
    ]
    years = [row["before"] for row in rows if row["before"]]
    return {"rows": rows, "figures": {"year": min(years, default="")}}


def _sheet(spec: GameSpec, extra: Mapping[str, Any]) -> dict[str, Any]:
    points = [int(kind["n"]) for kind in spec.data["game_types"].values()]
    scores = range(-max(points), max(points) + 1)
    return {
        **_types(spec, extra),
        "scores": [{"score": signed(n), "heavy": n == 0, "end": abs(n) in points} for n in scores],
        "players": spec.players[1],
    }


_TABLES: Mapping[str, Callable[[GameSpec, Mapping[str, Any]], dict[str, Any]]] = {
    "title": _title,
    "instructions": _instructions,
    "phase-chart": _phases,
    "play-map-card": _small_zones,
    "play-map": _zones,
    "attack-resolution": lambda spec, extra: {"rows": spec.data["attack_resolution"]},
    "cultural-health": _track,
    "predestination": _formats,
    "game-types": _types,
    "score-sheet": _sheet,
}
