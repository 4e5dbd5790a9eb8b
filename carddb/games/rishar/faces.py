"""What the face template of Rishar is told about a card."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any

from carddb.game import GameSpec
from carddb.games.rishar.units import is_unit
from carddb.pool import Card


def face_data(card: Card, spec: GameSpec) -> dict[str, Any]:
    """The variables of a face template: `card` (reference and fields), its Path and Role, its words as markup (R-164).

    `sigil` is the drawing on the shield and `turned` how the ground behind it lies; `trained` is empty where a card
    cannot be trained.
    """
    faces = spec.data["faces"]
    path, role = card.get("path"), card.type
    strength = card.get("strength")
    sigil = _sigil(card, faces)
    return {
        "card": {"ref": card.ref, **card.values},
        "ink": faces["ink"],
        "quiet": faces["quiet"],
        "path": {**faces["paths"][path], **spec.data["paths"][path]},
        "role": {"label": spec.label_of(role)},
        "traits": card.get("traits") or (),
        "trait_words": ", ".join(trait_label(spec, trait) for trait in card.get("traits") or ()),
        "sigil": sigil,
        "sigil_size": faces["sigil_on"][role] * faces["sigil_scale"].get(sigil, 1),
        "turned": _turned(card),
        "most_studs": faces["most_studs"],
        "body": "\n".join(_paragraphs(card, spec)),
        "discard": signed(card.get("discard_bonus")) if card.get("discard_bonus") else "",
        "placeholder": spec.data["placeholder_mark"],
        "reminder": role_words(spec, role),
        "trained": _filled(faces["trained"], adds=signed(spec.data["training"]["adds"]))
        if is_unit(role) and strength is not None
        else "",
    }


def signed(number: int) -> str:
    """A bonus or a difference as it is printed: +1, 0, −2 with a true minus."""
    return f"+{number}" if number > 0 else str(number).replace("-", "\u2212")


def trait_label(spec: GameSpec, trait: str) -> str:
    """A trait in words; one without an effect of its own as it is written (R-26)."""
    known: Mapping[str, Any] = spec.data["traits"].get(trait, {})
    return str(known.get("label") or trait.replace("_", " ").capitalize())


def role_words(spec: GameSpec, role: str) -> str:
    """What sets a Role apart, in a sentence: the cells of the table of Roles that say more than the usual (R-179)."""
    faces, row = spec.data["faces"], spec.data["roles"][role]
    told = [faces["told"][side].format(words=row[side]) for side in ("off", "def", "otherwise") if _says_more(row, side, faces)]
    words = "; ".join(told)
    return f"{words[:1].upper()}{words[1:]}."


def _says_more(row: Mapping[str, str], side: str, faces: Mapping[str, Any]) -> bool:
    return row[side] not in faces["untold"] and not (side == "def" and row[side] == row["off"])


def _paragraphs(card: Card, spec: GameSpec) -> Iterator[str]:
    """The words of the card: its special text, its traits, what it is granted by and protected from."""
    faces = spec.data["faces"]
    for special in _specials(card):
        name = str(special.get("name") or "").strip()
        lead = f"**{name}{'' if name[-1:] in '!?.' else '.'}** " if name else ""
        yield lead + str(special.get("text") or "").strip()
    for trait in card.get("traits") or ():
        if text := spec.data["traits"].get(trait, {}).get("text"):
            yield f"**{trait_label(spec, trait)}.** {text[:1].upper()}{text[1:]}."
    sentences = []
    if granted := card.get("granted_by"):
        sentences.append(_filled(faces["granted"], label=spec.data["powers"]["classes"][granted]["label"]))
    sentences += [faces[name] for name in ("never_killed", "no_damage") if card.get(name)]
    if sentences:
        yield " ".join(sentences)


def _specials(card: Card) -> list[Mapping[str, Any]]:
    special = card.get("special")
    return [special] if isinstance(special, Mapping) else list(special or ())


def _sigil(card: Card, faces: Mapping[str, Any]) -> str:
    """The drawing that the card names as its emblem, else the sigil of its Path."""
    emblem = str(card.get("emblem") or "").strip().lower().replace(" ", "-")
    return emblem if emblem in faces["emblems"] else str(card.get("path"))


def _turned(card: Card) -> str:
    """How the ground behind the shield lies: told by the reference, so that neighbours differ a little."""
    digest = hashlib.sha256(f"rishar {card.ref}".encode()).digest()[0]
    if card.get("path") == "mind":
        return f"rotate({round(digest * 360 / 256)})"
    if card.get("path") == "magic":
        return f"scale({1 if digest % 2 else -1} {1 if digest % 4 < 2 else -1})"
    return ""


def _filled(words: str, **figures: object) -> str:
    return words.format(**figures)
