"""The variables of the templates of Empires and Generals: of faces, emblems and components."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from carddb.cards.cards import Card
from carddb.core.names import fold_space
from carddb.game.game import GameSpec
from carddb.games.printed_words import fill, first_match, imprint, sign_note, signed, with_signs

Measures = Mapping[str, Any]


def measures(table: Mapping[str, Measures]) -> dict[str, Measures]:
    """Returns the measures of each card size; a size that is `of` another adds or changes measures of that size."""
    return {size: _of_size(table, size) for size in table}


def _of_size(table: Mapping[str, Measures], size: str) -> dict[str, Any]:
    own = table[size]
    merged = _of_size(table, own["of"]) if "of" in own else {}
    for name, value in own.items():
        merged[name] = {**merged.get(name, {}), **value} if isinstance(value, Mapping) else value
    return merged


def frame_of(card: Card) -> str:
    """Returns the name of a card's frame: `act_of_god` or `great_mystery` if it has this flag, else its type."""
    if card.get("act_of_god"):
        return "act_of_god"
    return "great_mystery" if card.get("great_mystery") else card.type


def tinctures(card: Card, table: Mapping[str, Any]) -> tuple[str, str]:
    """Returns the names of colour and metal of a card's empire; for an empire not in `table`, its name decides."""
    empire = card.get("empire")
    if not empire or card.get("unaffiliated"):
        pairs = table["unaffiliated"]
        colour, metal = pairs.get(frame_of(card), pairs["other"])
    elif empire in table["empires"]:
        colour, metal = table["empires"][empire]
    else:
        digest = _digest("eg-empire-1", fold_space(str(empire)))
        colour, metal = _pick(table["other_colours"], digest[0]), _pick(table["other_metals"], digest[1])
    return str(colour), str(metal)


def _digest(*parts: str) -> bytes:
    return hashlib.sha256("|".join(parts).encode()).digest()


def _pick(choices: Sequence[str], number: int) -> str:
    return str(choices[number % len(choices)])


def _blazon(table: Mapping[str, Any], colour: str, metal: str, division: str, swapped: bool, charge: str) -> str:
    charge = table["charges"].get(charge, f"a {charge}")
    name = table["divisions"].get(division, division.replace("_", " "))
    first, second = (metal, colour) if swapped else (colour, metal)
    if division == "plain":
        text = f"{colour}, {charge} {metal}"
    elif division in table["pieces"]:
        text = f"{second}, a {name} {first}, {charge}"
    else:
        text = f"{name} {first} and {second}, {charge}"
    return text[0].upper() + text[1:]


def face_data(card: Card, spec: GameSpec) -> dict[str, Any]:
    """Returns the variables of a face: `card` (reference and fields), its emblem, its head, its text as markup."""
    faces = spec.data["faces"]
    harvest = with_signs(faces["harvest"]["continuous" if card.get("continuous") else "once"], spec)
    return {
        "card": {"ref": card.ref, **card.values},
        "faces": {**faces, "metrics": measures(faces["metrics"])},
        **emblem_data(card, spec),
        "tinctures": spec.data["emblem"]["tinctures"],
        "head": _head(card, spec),
        "body": body(card, faces["keywords"]),
        "harvest": harvest,
        "harvest_note": sign_note(harvest, spec),
    }


def emblem_data(card: Card, spec: GameSpec) -> dict[str, Any]:
    """Returns a card's `emblem` (names, blazon in words), the `box` in which it is drawn, its line colour `accent`."""
    table = spec.data["emblem"]
    digest, frame = _digest("eg-emblem-1", card.ref), frame_of(card)
    colour, metal = tinctures(card, table)
    rarity = str(card.get("rarity") or "common")
    division = _pick(table["divisions"][rarity], digest[0])
    swapped = bool(digest[1] % 2) and division != "plain"
    charge = first_match(table["words"], card.name) or first_match(table["words"], str(card.get("emblem") or ""))
    charge = charge or _pick(table["pool"][frame], digest[2])
    return {
        "emblem": {
            "frame": frame,
            "colour": colour,
            "metal": metal,
            "division": division,
            "swapped": swapped,
            "charge": charge,
            "rarity": rarity,
            "blazon": _blazon(table["blazon"], colour, metal, division, swapped, charge),
        },
        "box": table["boxes"][frame],
        "accent": table["tinctures"][colour]["line"],
    }


def templates_of(card: Card, spec: GameSpec) -> tuple[str, str]:
    """Returns the front and back template's names; an Act of God without resources has its own (E-134, E-139)."""
    act_of_god = spec.types["act_of_god"]
    kind = spec.types[card.type]
    if not card.get("act_of_god"):
        return kind.face, kind.back
    return (kind.face if card.get("amount") else act_of_god.face), act_of_god.back


def _head(card: Card, spec: GameSpec) -> dict[str, Any]:
    faces, frame, era = spec.data["faces"], frame_of(card), card.get("era")
    words = [faces["eras"].get(era, str(era).capitalize())] if era else []
    if card.get("date"):
        words.append(str(card.get("date")))
    return {
        "empire": card.get("empire") or (spec.name if card.type == "reference" else faces["no_empire"]),
        "line": " · ".join(words),
        "era": faces["drawn_eras"].get(era, faces["other_era"]) if era else faces["no_era"],
        "era_name": words[0] if era else "",
        "right": head_right(card, spec, faces["heads"].get(frame) or faces["heads"].get(card.type)),
        "type": "Great Mystery" if frame == "great_mystery" else spec.kind_of(card),
        "rarity": str(card.get("rarity", "")).replace("_", " "),
    }


_PLAYED_IN = re.compile(r"\bplay (?:it |this card )?in (?:your|any|the|an opponent[’']s) (turn\b|\w+ phase\b)", re.I)


def head_right(card: Card, spec: GameSpec, usual: Sequence[str] | None) -> list[str] | None:
    """Returns `usual`, zone and phase at the upper right, but with any phase that the card's text names (E-101)."""
    if usual is None:
        return None
    phase_text = _PLAYED_IN.search(str(card.get("text", "")))
    phases = {f"{phase['name']} Phase".lower(): f"{phase['name']} Phase" for phase in spec.data["phases"]}
    phases["turn"] = spec.data["faces"]["own_turn"]
    when = phases.get(phase_text[1].lower()) if phase_text else None
    return list(usual) if when is None else [usual[0], when]


_TOGETHER = re.compile(
    r"(?<=Strength) (?=[+\u2212]?\d)|(?<=Life) (?=[+\u2212]?\d)"
    r"|(?<=\d) (?=resource|Cultural|cards?\b|more)|(?<=No) (?=Pull)"
)
"""The spaces at which no line may break: between a number and the word that it counts, and within a term."""


def body(card: Card, keywords: Mapping[str, str]) -> str:
    """Returns the rules text as markup: a leading keyword is bold, after the icon that `keywords` has for it."""
    paragraphs = str(card.get("text", "")).split("\n")
    return "\n".join(_paragraph(paragraph.strip(), card, keywords) for paragraph in paragraphs)


def _paragraph(text: str, card: Card, keywords: Mapping[str, str]) -> str:
    word, colon, rest = text.partition(":")
    icon = keywords.get(word) if colon else None
    if icon is None:
        return _together(text)
    if icon == "coin":
        icon = f"coin-{card.get('ability_cost', 0)}"
    return f"{{icon:{icon}}} **{_together(word)}** {_together(rest.strip())}"


def _together(text: str) -> str:
    return _TOGETHER.sub("\u00a0", text)


def component_data(name: str, spec: GameSpec, extra: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the variables of the template `name` (without its suffix).

    All templates have `faces`, `reference` (sizes and texts), `ink`, `tinctures`, `game` and `words` (the texts of the
    component, with numbers filled in), then their own variables. `extra` is the component's data or row in `game.yaml`
    and, for the title card, `deck` with `name`, `empire` and `edition`. Raises KeyError for an unknown `game_type`.
    """
    faces, reference = spec.data["faces"], spec.data["reference"]
    tables = _TABLES[name](spec, extra) if name in _TABLES else extra
    figures = {**_figures(spec), **tables.get("figures", {})}
    tables = with_signs(tables, spec)
    words = with_signs(fill(reference["components"].get(name, {}), figures), spec)
    note = sign_note((words, tables), spec)
    return {
        "faces": {**faces, "metrics": measures(faces["metrics"])},
        "reference": {**reference, **{part: measures(reference[part]) for part in ("metrics", "backs")}},
        "ink": faces["ink"],
        "tinctures": spec.data["emblem"]["tinctures"],
        "game": imprint(spec),
        "words": {**words, "footer": note} if note else words,
        **tables,
    }


def _figures(spec: GameSpec) -> dict[str, object]:
    """Returns the numbers that are filled into the texts of components, by placeholder."""
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
    """Returns the declaration and the six phases, with the phrases listed in `signs` replaced by their markup."""
    signs = spec.data["reference"]["components"]["phase-chart"]["signs"]
    words = re.compile(rf"\b({'|'.join(map(re.escape, signs))})\b")
    declare, *phases = (
        {**phase, "does": words.sub(lambda match: signs[match[0]], phase["does"])} for phase in spec.data["phases"]
    )
    return {"declare": declare, "phases": phases}


def _zones(spec: GameSpec, extra: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the zones with their places on the mat and their numbers; the number of the shared zone is empty."""
    places = spec.data["reference"]["mat"]["zones"]
    return {
        "zones": [
            {**zone, **places[zone["key"]], "number": zone["zone"] if zone["zone"].isdigit() else ""}
            for zone in spec.data["zones"]
        ]
    }


def _type_row(kind: Mapping[str, Any]) -> dict[str, Any]:
    """Returns a game type with its track: a line for each score from the top down, with the life left at that score."""
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
    # The card has no room for hints.
    "play-map-card": lambda spec, extra: {"zones": [{**zone, "hint": ""} for zone in _zones(spec, extra)["zones"]]},
    "play-map": _zones,
    "figure-map": lambda spec, extra: {**_zones(spec, extra), **extra},
    "attack-resolution": lambda spec, extra: {"rows": spec.data["attack_resolution"]},
    "cultural-health": _track,
    "predestination": _formats,
    "game-types": _types,
    "score-sheet": _sheet,
}
