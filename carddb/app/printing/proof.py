"""One face as a proof, looked at before it is printed."""

from __future__ import annotations

from datetime import date

from carddb.app.cards.search import find
from carddb.app.printing.options import PaperOptions, sheet_options
from carddb.app.workspace.clock import today
from carddb.app.workspace.print_files import PrintedFile
from carddb.app.workspace.workspace import Workspace
from carddb.core.errors import UsageError
from carddb.press.faces.workshop import open_workshop
from carddb.press.sheets.proof import proof_bytes

KINDS = ("pdf", "png", "svg")


def print_proof(
    project: Workspace, ref: str, key: str | None, on: date | None, kind: str, dpi: int, paper: PaperOptions
) -> PrintedFile:
    """One face with its trim and safe lines as `pdf`, `png` or `svg`. Raises UsageError."""
    day = on or today()
    game, card = find(project, ref, key, day, paper.get("lang", ""))
    if kind not in KINDS:
        raise UsageError(f"a proof is not written as {kind!r}", f"Known: {', '.join(KINDS)}.")
    options = sheet_options(project, paper, day)
    workshop = open_workshop(game, [card], project.art_folder, options.lang)
    data, findings = proof_bytes(workshop, card, options, kind, dpi)
    return PrintedFile(data, 1, 1, 1, tuple(findings), summary=f"{card.name} [{card.ref}]", project=project)
