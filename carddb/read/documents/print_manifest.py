"""Manifests, which say what a job put on paper: JSON beside the file, with which the next job is compared."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

from carddb.cards.print_history import PrintedCard, PrintJob
from carddb.core.errors import InputError
from carddb.read.documents.located_document import load


def manifest_text(job: PrintJob, on: date, revision: str) -> str:
    """Returns the manifest of a print job as JSON."""
    manifest = {
        "schema": "carddb.printed/1",
        "game": job.game,
        "title": job.title,
        "size": job.size,
        "on": on.isoformat(),
        "revision": revision,
        "cards": [card._asdict() for card in job.cards],
    }
    return json.dumps(manifest, ensure_ascii=False, indent=1) + "\n"


def read_manifest(path: Path) -> PrintJob:
    """Returns the print job of a manifest. Raises InputError if the file is no manifest."""
    document, findings = load(path)
    if document is None:
        fault = findings[0]
        raise InputError(f"{path} cannot be read: {fault.message}", fault.fix)
    from carddb.read.documents.manifest_parts import manifest_of  # Pydantic, 40 ms, not needed to write one

    try:
        manifest = manifest_of(document.value)
    except ValueError as wrong:
        remedy = "Name a file that carddb sheets has written with --manifest."
        raise InputError(f"{path} is no manifest: {wrong}", remedy) from wrong
    cards = [PrintedCard(**card.model_dump()) for card in manifest.cards]
    looks = {card.look: card for card in cards}
    return PrintJob(manifest.game, manifest.title, manifest.size, tuple(looks.values()))
