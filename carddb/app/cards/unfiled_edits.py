"""Edits that stand in the catalogue and in no file: loading the old file again does not undo them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from carddb.catalog.store import UnfiledEdits
from carddb.findings import Finding, warning
from carddb.read.cards.file import CardFile, CardRow


def keep_edits(file: CardFile, edits: UnfiledEdits) -> Iterator[Finding]:
    """Puts edits over the values that a file still has from before them; each such card is the finding `edit_kept`.

    A value that differs from both was changed in the file since, and counts.
    """
    for number, row in enumerate(file.records):
        edited = {name: new for name, (old, new) in edits.get(row.ref, {}).items() if row.values.get(name) == old}
        if edited:
            values = {name: value for name, value in {**row.values, **edited}.items() if value is not None}
            file.records[number] = row._replace(values=values)
            yield _finding(file, row, tuple(edited))


def _finding(file: CardFile, row: CardRow, fields: Sequence[str]) -> Finding:
    message = f"{row.ref} keeps {', '.join(fields)} as edited in the studio; {file.file} has the value before that"
    fix = "Write the edit into the file, or load it with --force to undo the edit."
    return warning("edit_kept", message, row.place, data={"ref": row.ref, "fields": list(fields)}, fix=fix)
