"""The variables of the face templates of Empires and Generals: measures by card size, and emblems."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any

from carddb.cards.cards import Card
from carddb.core.names import Identity, fold_space
from carddb.game.game import GameSpec
from carddb.games.printed_words import first_match

Measures = Mapping[str, Any]


def fronts(faces: Mapping[str, Any]) -> dict[str, Measures]:
    """Returns the measures of fronts by card size: `width` and `height` are the card's, in the units of its drawing."""
    return _fronts(Identity(faces))


@lru_cache(maxsize=8)
def _fronts(tables: Identity[Mapping[str, Any]]) -> dict[str, Measures]:
    faces = tables.value
    table = faces["metrics"]
    return {size: _moved(_chain(table, size), _chain(table, size), faces["moves"]) for size in table}


def references(faces: Mapping[str, Any], reference: Mapping[str, Any]) -> dict[str, Measures]:
    """Returns the further measures of the reference cards by card size; the measures of each card are under its
    name.
    """
    return _references(Identity(faces), Identity(reference))


@lru_cache(maxsize=8)
def _references(tables: Identity[Mapping[str, Any]], further: Identity[Mapping[str, Any]]) -> dict[str, Measures]:
    faces, reference = tables.value, further.value
    table = reference["metrics"]
    return {size: _moved(_chain(table, size), _chain(faces["metrics"], size), reference["moves"]) for size in table}


def backs(reference: Mapping[str, Any]) -> dict[str, Measures]:
    """Returns the measures of the backs by card size."""
    return {size: _merged(_chain(reference["backs"], size)) for size in reference["backs"]}


def _chain(table: Mapping[str, Measures], size: str) -> list[Measures]:
    """Returns the measures of the size from which `size` is derived, followed by the changes for each size down to
    `size`.
    """
    own = table.get(size, {})
    return [*(_chain(table, own["of"]) if "of" in own else ()), own]


def _merged(chain: list[Measures]) -> dict[str, Any]:
    """Merges measures group by group; later ones replace earlier ones."""
    merged: dict[str, Any] = {}
    for own in chain:
        for name, value in own.items():
            merged[name] = {**merged.get(name, {}), **value} if isinstance(value, Mapping) else value
    return merged


def _moved(chain: list[Measures], sheets: list[Measures], moves: Mapping[str, list[str]]) -> dict[str, Any]:
    """Returns the merged measures of a chain, with those named in `moves` shifted with the edges of the sheet.

    Measures that a derived size sets itself are not shifted.
    """
    moved = _merged(chain)
    if len(chain) == 1:
        return moved
    own, first, sheet = _merged(chain[1:]), sheets[0], _merged(sheets)
    wider, higher = sheet["width"] - first["width"], sheet["height"] - first["height"]
    column = first["right"] - first["left"]
    ways: Mapping[str, Callable[[float], float]] = {
        "right": lambda x: x + wider,
        "foot": lambda y: y + higher,
        "grow": lambda x: x + wider * (x - first["left"]) / column,
    }
    for way, names in moves.items():
        for group, _, name in (path.rpartition(".") for path in names):
            if name in (own.get(group, {}) if group else own):
                continue
            place = moved[group] if group else moved
            place[name] = _each(ways[way], place[name])
    return moved


def _each(move: Callable[[float], float], value: Any) -> Any:
    return [_each(move, part) for part in value] if isinstance(value, list) else round(move(value), 2)


@dataclass(frozen=True, slots=True)
class Emblem:
    """An emblem: the ids of the frame, the division and the charge, two tinctures, the rarity's border, the blazon."""

    frame: str
    colour: str
    metal: str
    division: str
    swapped: bool
    charge: str
    rarity: str
    blazon: str


def frame_of(card: Card) -> str:
    """Returns the frame of a card: that of its flag, such as `act_of_god`, else that of its type."""
    if card.get("act_of_god"):
        return "act_of_god"
    return "great_mystery" if card.get("great_mystery") else card.type


def tinctures(card: Card, table: Mapping[str, Any]) -> tuple[str, str]:
    """Returns the colour and the metal of the card's empire; an empire without its own pair gets one from its name."""
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


def compose(card: Card, table: Mapping[str, Any]) -> Emblem:
    """Returns the emblem of a card; `table` is the game's `emblem.yaml`."""
    digest = _digest("eg-emblem-1", card.ref)
    frame = frame_of(card)
    colour, metal = tinctures(card, table)
    rarity = str(card.get("rarity") or "common")
    division = _pick(table["divisions"][rarity], digest[0])
    swapped = bool(digest[1] % 2) and division != "plain"
    charge = first_match(table["words"], card.name) or first_match(table["words"], str(card.get("emblem") or ""))
    charge = charge or _pick(table["pool"][frame], digest[2])
    blazon = _blazon(table["blazon"], colour, metal, division, swapped, charge)
    return Emblem(frame, colour, metal, division, swapped, charge, rarity, blazon)


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
    """Returns a face's variables: `card` (reference and fields), its emblem, its head, its text as markup."""
    faces = spec.data["faces"]
    return {
        "card": {"ref": card.ref, **card.values},
        "faces": {**faces, "metrics": fronts(faces)},
        **emblem_data(card, spec),
        "tinctures": spec.data["emblem"]["tinctures"],
        "head": _head(card, spec),
        "body": body(card, faces["keywords"]),
        "harvest": faces["harvest"]["continuous" if card.get("continuous") else "once"],
    }


def emblem_data(card: Card, spec: GameSpec) -> dict[str, Any]:
    """Returns the emblem of a card, the box in which it is drawn, and the colour of its lines."""
    table = spec.data["emblem"]
    drawing = compose(card, table)
    return {
        "emblem": asdict(drawing),
        "box": table["boxes"][drawing.frame],
        "accent": table["tinctures"][drawing.colour]["line"],
    }


def templates_of(card: Card, spec: GameSpec) -> tuple[str, str]:
    """Returns the front and the back: Acts of God have their own face, and go into the Supply Pile (E-134, E-139)."""
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
    flags = {"act_of_god": "Act of God", "great_mystery": "Great Mystery"}
    return {
        "empire": card.get("empire") or (spec.name if card.type == "reference" else faces["no_empire"]),
        "line": " · ".join(words),
        "era": faces["drawn_eras"].get(era, faces["other_era"]) if era else faces["no_era"],
        "right": head_right(card, spec, faces["heads"].get(frame) or faces["heads"].get(card.type)),
        "type": flags.get(frame) or spec.label_of(card.type),
        "rarity": str(card.get("rarity", "")).replace("_", " "),
    }


_PLAYED_IN = re.compile(r"\bplay (?:it |this card )?in (?:your|any|the|an opponent[’']s) (turn\b|\w+ phase\b)", re.I)


def head_right(card: Card, spec: GameSpec, usual: Sequence[str] | None) -> list[str] | None:
    """Returns the zone or type at the upper right, and the phase; the card's text overrides its type (E-101)."""
    if usual is None:
        return None
    phase_text = _PLAYED_IN.search(str(card.get("text", "")))
    phases = {f"{phase['name']} Phase".lower(): f"{phase['name']} Phase" for phase in spec.data["phases"]}
    phases["turn"] = spec.data["faces"]["own_turn"]
    when = phases.get(phase_text[1].lower()) if phase_text else None
    return list(usual) if when is None else [usual[0], when]


_TOGETHER = re.compile(
    r"(?<=Strength) (?=[+\u2212]?\d)|(?<=Life) (?=[+\u2212]?\d)"
    r"|(?<=\d) (?=resource|Cultural|cards?\b|more)|(?<=Cultural) (?=Health)|(?<=No) (?=Pull)"
)
"""The spaces at which no line may break: between a number and the word that it counts, and within a term."""


def body(card: Card, keywords: Mapping[str, str]) -> str:
    """Returns the rules text as markup: a leading keyword is bold, after its icon."""
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
