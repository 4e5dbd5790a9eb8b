"""A manifest: what a job put on paper, as JSON beside the file, for the next job to be compared with."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from carddb.cards.print_history import PrintedCard, PrintJob
from carddb.core.errors import InputError
from carddb.read.documents.located_document import load

_DIGEST = "^[0-9a-f]*$"


class ManifestCard(BaseModel):
    """A card on paper: the name on it, its copies, and digests of its sides; no `back` where none was printed.

    A card with the pictures of several printings is there once with each.
    """

    model_config = ConfigDict(extra="forbid", strict=True)

    ref: str = Field(min_length=1)
    """The reference of the card."""
    name: str
    """The name on it."""
    copies: int = Field(ge=1)
    """How many copies."""
    front: str = Field(pattern=_DIGEST, min_length=1)
    """A digest of its front."""
    back: str = Field(default="", pattern=_DIGEST)
    """A digest of its back; empty where none was printed."""


class Manifest(BaseModel):
    """A print job: of the cards as they stood `on` a day, `revision` the hash of the catalogue then."""

    model_config = ConfigDict(extra="forbid", strict=True, populate_by_name=True, serialize_by_alias=True)

    schema_: Literal["carddb.printed/1"] = Field(default="carddb.printed/1", alias="schema")
    """The kind of file."""
    game: str
    """The key of the game."""
    title: str
    """What was printed, in words."""
    size: str
    """The size of the cards."""
    on: str
    """The day of which the cards are."""
    revision: str = ""
    """The hash of the catalogue then."""
    cards: list[ManifestCard]
    """The cards on paper."""


def manifest_text(job: PrintJob, on: date, revision: str) -> str:
    """The manifest of a print job."""
    cards = [ManifestCard(**card._asdict()) for card in job.cards]
    manifest = Manifest(
        game=job.game, title=job.title, size=job.size, on=on.isoformat(), revision=revision, cards=cards
    )
    return json.dumps(manifest.model_dump(), ensure_ascii=False, indent=1) + "\n"


def read_manifest(path: Path) -> PrintJob:
    """A print job from its manifest. Raises InputError for a file that is none."""
    document, findings = load(path)
    if document is None:
        fault = findings[0]
        raise InputError(f"{path} cannot be read: {fault.message}", fault.fix)
    try:
        manifest = Manifest.model_validate(document.value)
    except ValidationError as wrong:
        first = wrong.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"])) or "the file"
        remedy = "Name a file that carddb sheets has written with --manifest."
        raise InputError(f"{path} is no manifest: {where}: {first['msg'].lower()}", remedy) from wrong
    cards = [PrintedCard(**card.model_dump()) for card in manifest.cards]
    looks = {card.look: card for card in cards}
    return PrintJob(manifest.game, manifest.title, manifest.size, tuple(looks.values()))
