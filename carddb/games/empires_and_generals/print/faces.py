"""The variables of the face templates of Empires and Generals."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from carddb.cards.cards import Card
from carddb.game.game import GameSpec
from carddb.games.empires_and_generals.print import emblem, measures


def face_data(card: Card, spec: GameSpec) -> dict[str, Any]:
    """The variables of a face template: `card` (reference and fields), its emblem, its head, its text as markup."""
    faces = spec.data["faces"]
    return {
        "card": {"ref": card.ref, **card.values},
        "faces": {**faces, "metrics": measures.fronts(faces)},
        **emblem_data(card, spec),
        "tinctures": spec.data["emblem"]["tinctures"],
        "head": _head(card, spec),
        "body": body(card, faces["keywords"]),
        "harvest": faces["harvest"]["continuous" if card.get("continuous") else "once"],
    }


def emblem_data(card: Card, spec: GameSpec) -> dict[str, Any]:
    """The emblem of a card, the box that it stands in, the colour of its lines."""
    table = spec.data["emblem"]
    drawing = emblem.compose(card, table)
    return {
        "emblem": asdict(drawing),
        "box": table["boxes"][drawing.frame],
        "accent": table["tinctures"][drawing.colour]["line"],
    }


def templates_of(card: Card, spec: GameSpec) -> tuple[str, str]:
    """Front and back: Acts of God have a face of their own and lie in the Supply Pile (E-134, E-139)."""
    act_of_god = spec.types["act_of_god"]
    kind = spec.types[card.type]
    if not card.get("act_of_god"):
        return kind.face, kind.back
    return (kind.face if card.get("amount") else act_of_god.face), act_of_god.back


def _head(card: Card, spec: GameSpec) -> dict[str, Any]:
    faces, frame, era = spec.data["faces"], emblem.frame_of(card), card.get("era")
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
    """The zone or type at the upper right, and the phase: what the card's own text says wins over its type (E-101)."""
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
"""Spaces at which no line may end: between a number and what it counts, within a term."""


def body(card: Card, keywords: Mapping[str, str]) -> str:
    """The rules text as markup: a leading keyword is set bold behind its icon."""
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
