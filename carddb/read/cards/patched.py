"""A card file and the patch file beside it, as one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from carddb.findings import Place, info
from carddb.read.cards.file import PATCH, CardFile, CardReading, read_card_bytes


def with_patch(base: CardFile, data: bytes, file: str, reading: CardReading) -> CardFile:
    """A card file with the values of its patch file, whose bytes and name these are; findings of both.

    How many values stand over those of the file is the finding `patch_applied`.
    """
    rows = {row.ref: row for row in base.records}

    def stored(ref: str) -> Mapping[str, Any]:
        return rows[ref].values if ref in rows else reading.stored(ref)

    patch = read_card_bytes(data, file, PATCH, reading._replace(stored=stored, with_sources=True))
    over = {row.ref: row for row in patch.records}
    records = [over.pop(row.ref, row) for row in base.records]
    findings = [*base.findings, *patch.findings]
    if patch.sources:
        count = sum(len(line.fields) for line in patch.sources.values())
        message = f"{count} value{'s' if count > 1 else ''} of {file} stand over those of {base.file}"
        findings.append(info("patch_applied", message, Place(file), data={"values": count}))
    words = {(row.ref, row.lang): row for row in base.translations}
    for row in patch.translations:
        words[row.ref, row.lang] = row.over(words[row.ref, row.lang]) if (row.ref, row.lang) in words else row
    translations = list(words.values())
    return replace(base, records=[*records, *over.values()], findings=findings, translations=translations)
