"""Faces looked at before printing: one as a proof, those of a selection by preflight."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any

from carddb.app.card_search import find
from carddb.app.card_words import selection_in_language
from carddb.app.clock import today
from carddb.app.deck_check import CheckRequest
from carddb.app.print_files import PrintedFile
from carddb.app.print_options import PaperOptions, sheet_options
from carddb.app.selection import select
from carddb.errors import UsageError
from carddb.findings import Finding, counts, verdict

if TYPE_CHECKING:
    from carddb.app.project import Project
    from carddb.games import Game

KINDS = ("pdf", "png", "svg")


def print_proof(
    project: Project, ref: str, key: str | None, on: date | None, kind: str, dpi: int, paper: PaperOptions
) -> PrintedFile:
    """One face with its trim and safe lines as `pdf`, `png` or `svg`. Raises UsageError."""
    from carddb.press.proof import proof_bytes
    from carddb.press.workshop import open_workshop

    day = on or today()
    game, card = find(project, ref, key, day, paper.get("lang", ""))
    if kind not in KINDS:
        raise UsageError(f"a proof is not written as {kind!r}", f"Known: {', '.join(KINDS)}.")
    options = sheet_options(project, paper, day)
    workshop = open_workshop(game, [card], project.art_folder, options.lang)
    data, findings = proof_bytes(workshop, card, options, kind, dpi)
    return PrintedFile(data, 1, 1, 1, tuple(findings), summary=f"{card.name} [{card.ref}]", project=project)


@dataclass(frozen=True, slots=True)
class Preflight:
    """What is wrong with the faces of a selection, and with its decks."""

    game: Game
    title: str
    on: date
    cards: int
    findings: tuple[Finding, ...]

    def to_json(self) -> dict[str, Any]:
        """The shape of `preflight --json`."""
        return {
            "schema": "carddb.preflight/1",
            "game": self.game.key,
            "title": self.title,
            "on": self.on.isoformat(),
            "cards": self.cards,
            "verdict": verdict(self.findings),
            "counts": counts(self.findings),
            "findings": [finding.to_json() for finding in self.findings],
        }


def inspect_faces(
    project: Project, selection: Sequence[str], key: str | None, on: date | None, paper: PaperOptions
) -> Preflight:
    """Looks at the faces of a selection as they would be printed. Raises UsageError, TemplateError, FontError."""
    from carddb.press.preflight import preflight
    from carddb.press.workshop import open_workshop

    day = on or today()
    options = sheet_options(project, paper, day)
    selected = select(project, selection, day, CheckRequest(key, on=day))
    selected = selection_in_language(project, selected, options.lang, day)
    cards = list({card.ref: card for card, _ in selected.copies}.values())
    findings = list(selected.findings)
    if cards:
        with project.working(f"looking at {len(cards)} cards"):
            workshop = open_workshop(selected.game, cards, project.art_folder, options.lang)
            findings += preflight(workshop, cards, options)
    return Preflight(selected.game, selected.title, day, len(cards), tuple(findings))
