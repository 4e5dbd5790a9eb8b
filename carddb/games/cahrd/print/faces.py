"""The variables of the face templates of C.A.H.R.D."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from carddb.cards.cards import Card
from carddb.game.game import GameSpec
from carddb.games.cahrd.play.stats import S, printed_scale
from carddb.games.cahrd.print import emblem
from carddb.games.cahrd.print.emblems.geometry import Window

_MARKED = ("trait", "effect", "requirement", "extra_cost")


def face_data(card: Card, spec: GameSpec) -> dict[str, Any]:
    """The variables of a face template: the card, its words as markup, and what composes its picture.

    `picture` takes the window that the picture fills: left, top, width and height in millimetres.
    """
    faces = spec.data["faces"]
    colour = colours(spec)[card.type]
    how = faces["words"]["how"].get(card.type, "")
    palette = {**faces["palette"], **colour}
    return {
        "card": {"ref": card.ref, **card.values},
        "faces": faces,
        "colour": colour,
        "head": {"type": spec.label_of(card.type), "lines": lines_of(card), "how": how},
        "text": {field: marked_up(str(card.get(field) or ""), spec) for field in _MARKED},
        "flavour": flavour_of(card),
        "chips": [chip for chip in faces["chips"] if card.get(chip["field"])],
        "picture": lambda *window: emblem.compose(card, Window(*window), spec.data, palette),
        "stats": stats_of(card, spec) if card.type == "officer" else [],
        "posts": posts_of(card, spec),
        "cost": cost_of(card),
    }


def colours(spec: GameSpec) -> dict[str, Mapping[str, str]]:
    """Line, tint and middle tone of each type's face (C-6, C-7, C-8, C-9)."""
    faces = spec.data["faces"]["colours"]
    return {key: faces[look["face"]] for key, look in spec.data["sheets"]["looks"].items()}


def lines_of(card: Card) -> list[str]:
    """Where and when, the fullest first: realm and date, or one of them alone; else the era."""
    words = [str(card.get(field)) for field in ("realm", "date") if card.get(field)]
    return [", ".join(words), *words] if words else [str(card.get("era"))] if card.get("era") else []


def flavour_of(card: Card) -> str:
    """The flavour text and where it comes from."""
    parts = [str(card.get(field)).strip() for field in ("flavor", "source") if card.get(field)]
    return " \u2014 ".join(parts) if card.get("flavor") else ""


def stats_of(card: Card, spec: GameSpec) -> list[dict[str, Any]]:
    """The four stats in the order of the Stat Diamond: word, printed rank, length from 0 to 1 (C-11, C-12)."""
    top = printed_scale(spec)[1]
    order = spec.data["sheets"]["looks"][card.type]["order"]
    labels = spec.fields_of(card.type)
    ranks = {key: card.get(key) for key in order}
    reach = {key: 1.0 if rank == S else min(1.0, int(rank or 0) / top) for key, rank in ranks.items()}
    return [{"key": k, "word": labels[k].label, "rank": str(ranks[k]), "reach": reach[k]} for k in order]


def posts_of(card: Card, spec: GameSpec) -> list[dict[str, str]]:
    """The positions in which the trait counts; all of them where the card names none (C-16)."""
    words: Mapping[str, str] = spec.data["faces"]["positions"]
    positions = card.get("trait_positions") or words
    return [{"key": key, "word": word} for key, word in words.items() if key in positions]


def cost_of(card: Card) -> dict[str, str]:
    """A cost in men as printed: `25` and `k`, or the whole number where it is not in thousands (C-18, C-19)."""
    cost = card.get("recruitment_cost") if card.type == "officer" else card.get("reserve_cost")
    if cost is None:
        return {}
    if cost and cost % 1000 == 0:
        return {"figure": str(cost // 1000), "unit": "k"}
    return {"figure": f"{cost:,}", "unit": ""}


_BOLD_FIRST = re.compile(r"(^|(?<=[.:;!?)] ))((?:If|When)\b|Heads:|Tails:)", re.M)
_COUNTED = re.compile(r"(?<![\w*,])(\d[\d,]*) (grain|men)\b")
_COUNTED_ICONS = {"grain": "grain", "men": "reserve"}
_SIGNED = re.compile(r"(?<![\w*])([+\u2212-])(\d+|X)\b ?")


def marked_up(text: str, spec: GameSpec) -> str:
    """Card text as markup: a stat is its icon and its bold word, a number of grain or men is followed by the icon.

    Clauses that must fire begin bold (C-120, C-122).
    """
    text = _BOLD_FIRST.sub(r"\1**\2**", text)
    text = _COUNTED.sub(lambda match: f"**{match[1]}**\u00a0{{icon:{_COUNTED_ICONS[match[2]]}}}", text)
    text = text.replace("\u00d7 ", "\u00d7\u00a0")
    text = _SIGNED.sub(lambda match: f"**{match[1].replace('-', chr(0x2212))}{match[2]}**\u00a0", text)
    labels = {spec.types["officer"].fields[key].label: key for key in spec.data["stats"]}
    words = re.compile(rf"(?<![\w*}}])({'|'.join(labels)})\b")
    return words.sub(lambda match: f"{{icon:{labels[match[1]]}}} **{match[1]}**", text)
