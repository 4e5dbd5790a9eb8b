"""Models of manifests, which test whether these are valid: the cards that a job printed, the pictures of an order."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from carddb.cards.print_history import PrintedCard, PrintJob
from carddb.core.errors import InputError
from carddb.read.documents.located_document import load

_DIGEST = "^[0-9a-f]*$"


class ManifestCard(BaseModel):
    """A printed card: the name on it, its copies, and digests of its sides.

    A card that was printed with several pictures is listed once with each.
    """

    model_config = ConfigDict(extra="forbid", strict=True)

    ref: str = Field(min_length=1)
    """The reference of the card."""
    name: str
    """The name on it."""
    copies: int = Field(ge=1)
    """Number of copies."""
    front: str = Field(pattern=_DIGEST, min_length=1)
    """A digest of its front."""
    back: str = Field(default="", pattern=_DIGEST)
    """A digest of its back; empty if none was printed."""


class Manifest(BaseModel):
    """A print job: the cards as they were `on` a day, with the hash of the catalogue on that day in `revision`."""

    model_config = ConfigDict(extra="forbid", strict=True, populate_by_name=True, serialize_by_alias=True)

    schema_: Literal["carddb.printed/1"] = Field(default="carddb.printed/1", alias="schema")
    """The kind of file."""
    game: str
    """The key of the game."""
    title: str
    """A description of what was printed."""
    size: str
    """The size of the cards."""
    on: str
    """The day whose cards were printed."""
    revision: str = ""
    """The hash of the catalogue on that day."""
    cards: list[ManifestCard]
    """The printed cards."""


def read_manifest(path: Path) -> PrintJob:
    """Returns the print job of a manifest. Raises InputError if the file is not a manifest."""
    document, findings = load(path)
    if document is None:
        raise InputError(f"{path} cannot be read: {findings[0].message}", findings[0].fix)
    try:
        manifest = Manifest.model_validate(document.value)
    except ValidationError as wrong:
        first = wrong.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"])) or "the file"
        remedy = "Name a file that carddb sheets has written with --manifest."
        raise InputError(f"{path} is not a manifest: {where}: {first['msg'].lower()}", remedy) from wrong
    cards = [PrintedCard(**card.model_dump()) for card in manifest.cards]
    looks = {card.look: card for card in cards}
    return PrintJob(manifest.game, manifest.title, manifest.size, tuple(looks.values()))


FILE = "manifest.json"


class Ordered(BaseModel):
    """A picture of an order: the front of a card, or a back that several cards may share."""

    model_config = ConfigDict(extra="forbid")

    file: str
    """The file of the picture."""
    side: Literal["front", "back"]
    """The side that the picture shows."""
    ref: str = ""
    """The reference of the card; a back has none."""
    name: str
    """The name of the card or the back."""
    copies: int = Field(ge=1)
    """Number of copies needed."""
    pixels: tuple[int, int]
    """Its width and height in pixels."""
    sha256: str = Field(pattern="^[0-9a-f]{64}$")
    """A digest of the file."""
    back: str = ""
    """The file of the back that belongs to a front."""
    pile: str = ""
    """The name of the deck's section that has the card of a front."""


class OrderManifest(BaseModel):
    """The pictures in a folder for a shop's order."""

    model_config = ConfigDict(
        extra="forbid", alias_generator=lambda name: name.rstrip("_"), validate_by_name=True, serialize_by_alias=True
    )

    schema_: Literal["carddb.order/1"] = "carddb.order/1"
    """The kind of file."""
    profile: str
    """The shop's kind of card."""
    game: str
    """The key of the game."""
    title: str
    """A description of the order."""
    revision: str
    """The hash of the cards."""
    dpi: int
    """Dots per inch."""
    trim: tuple[int, int]
    """The size of the trimmed card in the pictures, in pixels."""
    pictures: list[Ordered]
    """All pictures."""
