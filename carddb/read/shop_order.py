"""The manifest of pictures made for a print shop: which file is which card, and how many copies it needs."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

FILE = "manifest.json"


class Ordered(BaseModel):
    """One picture: the front of a card, or a back that several cards may share.

    `copies` is how often it is needed, `back` the file of a front's back; a back has no `ref`.
    `pile` is the section that a front belongs to, in words.
    """

    model_config = ConfigDict(extra="forbid")

    file: str
    side: Literal["front", "back"]
    ref: str = ""
    name: str
    copies: int = Field(ge=1)
    pixels: tuple[int, int]
    sha256: str = Field(pattern="^[0-9a-f]{64}$")
    back: str = ""
    pile: str = ""


class OrderManifest(BaseModel):
    """All pictures of a folder; `trim` is the card in them, in pixels, `revision` that of the cards, as on sheets."""

    model_config = ConfigDict(
        extra="forbid", alias_generator=lambda name: name.rstrip("_"), validate_by_name=True, serialize_by_alias=True
    )

    schema_: Literal["carddb.order/1"] = "carddb.order/1"
    profile: str
    game: str
    title: str
    revision: str
    dpi: int
    trim: tuple[int, int]
    pictures: list[Ordered]
