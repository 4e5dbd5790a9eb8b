"""The variables of the face template of Rishar."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from typing import Any

from carddb.cards.cards import Card
from carddb.core.names import capital
from carddb.game.game import GameSpec
from carddb.game.parts import SIGN
from carddb.games.printed_words import first_match, signed, with_signs
from carddb.games.rishar.play.cards import specials
from carddb.games.rishar.play.fields import is_unit
from carddb.games.rishar.play.powers import power_of


def face_data(card: Card, spec: GameSpec) -> dict[str, Any]:
    """Returns the variables of a card's face: reference and fields, Path and Role, and its texts as markup (R-164).

    `sigil` is the charge on the shield, `field` the ability that divides the shield, `turned` the transformation of the
    background; `trained` is empty if the card cannot be trained.
    """
    faces = spec.data["faces"]
    path, role = card.get("path"), card.type
    charge = sigil(card, spec)
    return {
        "card": {"ref": card.ref, **card.values},
        "ink": faces["ink"],
        "quiet": faces["quiet"],
        "path": {**tones(spec, path), **spec.data["paths"][path]},
        "role": {"label": spec.label_of(role)},
        "traits": card.get("traits") or (),
        "trait_words": ", ".join(trait_label(spec, trait) for trait in card.get("traits") or ()),
        "sigil": charge,
        "sigil_size": faces["sigil_on"][role] * faces["sigil_scale"].get(charge, 1),
        "field": _field(card, spec),
        "turned": _turned(card),
        "most_studs": faces["most_studs"],
        "sizes": faces["sizes"],
        "points": faces["points"],
        "words": list(_words(card, spec)),
        "reminders": list(_reminders(card, spec)),
        "discard": signed(card.get("discard_bonus")) if card.get("discard_bonus") else "",
        "note": _note(card, spec),
        "upkeep_sign": SIGN if _upkeep_is_ours(card, spec) else "",
        "reminder": _together(role_words(spec, role), spec),
        "trained": trained_words(spec) if is_unit(role) and card.get("strength") is not None else "",
    }


def tones(spec: GameSpec, path: str) -> Mapping[str, str]:
    """Returns the three tones of a Path: `line`, `middle`, `tint`."""
    tones: Mapping[str, str] = spec.data["faces"]["paths"][path]
    return tones


def trait_label(spec: GameSpec, trait: str) -> str:
    """Returns the label of a trait; an unknown trait as the card writes it (R-26)."""
    label = spec.data["traits"].get(trait, {}).get("label")
    return str(label or trait.replace("_", " ").capitalize())


def role_words(spec: GameSpec, role: str) -> str:
    """Returns what distinguishes a Role, in a sentence that names the side if it matters (R-179)."""
    faces, cells = spec.data["faces"], role_cells(spec, role)
    if role not in spec.data["dice"]:
        cells["both"] = faces["unplayable"]
    return sentence("; ".join(faces["told"][side].format(words=words) for side, words in cells.items()))


def role_cells(spec: GameSpec, role: str) -> dict[str, str]:
    """Returns a Role's unusual cells in the table of Roles, by column: `off` and `def`, or `both`; and `otherwise`."""
    faces, row = spec.data["faces"], spec.data["roles"][role]
    alike = row["def"] in (row["off"], faces["the_same"])
    sides = {"both": row["off"]} if alike else {"off": row["off"], "def": row["def"]}
    cells = {**sides, "otherwise": row["otherwise"]}
    return {side: words for side, words in cells.items() if words not in faces["untold"]}


def sentence(words: str) -> str:
    """Returns `words` with a capital, a full stop and typographic apostrophes."""
    return f"{capital(words)}{'' if words[-1:] in '.!?' else '.'}".replace("'", "\u2019")


def _words(card: Card, spec: GameSpec) -> Iterator[str]:
    """Yields the card's paragraphs: special texts, who grants it, and protections that no special text mentions."""
    faces, texts = spec.data["faces"], specials(card)
    for special in texts:
        name = str(special.get("name") or "").strip()
        lead = f"**{sentence(name)}** " if name else ""
        yield _together(lead + str(special.get("text") or "").strip(), spec)
    granted = card.get("granted_by")
    sentences = [with_signs(faces["granted"], spec).format(label=power_of(spec, granted)["label"])] if granted else []
    text = " ".join(str(special.get("text")) for special in texts).casefold()
    protections = {
        ("never_killed", "killed"): spec.data["keywords"]["enduring"]["wording"],
        ("no_damage", "damage"): faces["no_damage"],
    }
    sentences += [words for (name, word), words in protections.items() if card.get(name) and word not in text]
    if sentences:
        yield " ".join(sentences)


def _upkeep_is_ours(card: Card, spec: GameSpec) -> bool:
    """Returns whether the card's Upkeep was set by this project, not by the card's maker (R-154)."""
    return bool(card.get("upkeep")) and card.get("set") in spec.data["faces"]["own_sets"]


def _note(card: Card, spec: GameSpec) -> str:
    """Returns the line at the card's foot: signs of rulings (R-38, R-154), and the mark of placeholders (R-31)."""
    ours = spec.data["faces"]["ours"]
    granted, upkeep = bool(card.get("granted_by")), _upkeep_is_ours(card, spec)
    signs = ours["granted"] if granted else ours["upkeep"] if upkeep else ""
    return ", ".join(filter(None, (signs, spec.data["placeholder_mark"] if card.get("placeholder") else "")))


def _reminders(card: Card, spec: GameSpec) -> Iterator[str]:
    """Yields a reminder of what each trait of the card does (R-26, R-27)."""
    for trait in card.get("traits") or ():
        if text := spec.data["traits"].get(trait, {}).get("text"):
            yield _together(f"**{trait_label(spec, trait)}.** {sentence(text)}", spec)


def _together(text: str, spec: GameSpec) -> str:
    return re.sub(spec.data["faces"]["unbroken"], "\u00a0", text)


def sigil(card: Card, spec: GameSpec) -> str:
    """Returns the charge of the shield: by the card's emblem, else by its name, else the sign of its Path."""
    signs = {*(f"path-{path}" for path in spec.data["paths"]), *(f"role-{role}" for role in spec.types)}
    emblem = str(card.get("emblem") or "")
    if emblem in signs:
        return emblem
    words = spec.data["charges"]["words"]
    charge = first_match(words, emblem) or first_match(words, card.name)
    return f"charge-{charge}" if charge else f"path-{card.get('path')}"


def _field(card: Card, spec: GameSpec) -> str:
    """Returns the keyword of the card's first special text that is an ability; empty if there is none."""
    abilities = {word["label"]: key for key, word in spec.data.get("keywords", {}).items() if word["kind"] == "ability"}
    return next((key for item in specials(card) if (key := abilities.get(str(item.get("name"))))), "")


def _turned(card: Card) -> str:
    """Returns an SVG transformation of the background that depends on the reference, so that similar cards differ."""
    digest = hashlib.sha256(f"rishar {card.ref}".encode()).digest()[0]
    if card.get("path") == "mind":
        return f"rotate({round(digest * 360 / 256)})"
    if card.get("path") == "magic":
        return f"scale({1 if digest % 2 else -1} {1 if digest % 4 < 2 else -1})"
    return ""


def trained_words(spec: GameSpec) -> str:
    """Returns what training adds, in words."""
    return str(spec.data["faces"]["trained"]).format(adds=signed(spec.data["training"]["adds"]))
