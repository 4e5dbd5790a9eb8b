"""The manifest of pictures made for a print shop: which file is which card, and how many copies it needs."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

FILE = "manifest.json"


class Ordered(BaseModel):
    """One picture: the front of a card, or a back that several cards may share."""

    model_config = ConfigDict(extra="forbid")

    file: str
    """The picture."""
    side: Literal["front", "back"]
    """Which side it is."""
    ref: str = ""
    """The reference of the card; a back has none."""
    name: str
    """The card in words."""
    copies: int = Field(ge=1)
    """How often it is needed."""
    pixels: tuple[int, int]
    """Its width and height."""
    sha256: str = Field(pattern="^[0-9a-f]{64}$")
    """A digest of the file."""
    back: str = ""
    """The picture of a front's back."""
    pile: str = ""
    """The section of a front, in words."""


class OrderManifest(BaseModel):
    """All pictures of a folder."""

    model_config = ConfigDict(
        extra="forbid", alias_generator=lambda name: name.rstrip("_"), validate_by_name=True, serialize_by_alias=True
    )

    schema_: Literal["carddb.order/1"] = "carddb.order/1"
    """The kind of file."""
    profile: str
    """The shop's card."""
    game: str
    """The key of the game."""
    title: str
    """What is ordered, in words."""
    revision: str
    """The hash of the cards."""
    dpi: int
    """Dots per inch."""
    trim: tuple[int, int]
    """The card in the pictures, in pixels."""
    pictures: list[Ordered]
    """All pictures."""
