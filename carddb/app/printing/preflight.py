"""Inspecting faces before they are printed, and proofs: one face, or several cards as they are held in a hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from carddb.app.cards.search import KINDS as KINDS_OF_CARDS
from carddb.app.cards.search import find
from carddb.app.cards.translations import (
    CardToTranslate,
    cards_to_translate,
    lacking_findings,
    translation_bytes,
    with_words,
)
from carddb.app.decks.check import CheckRequest
from carddb.app.printing.options import PaperOptions, sheet_options
from carddb.app.printing.selection import select
from carddb.app.workspace.clock import today
from carddb.app.workspace.published_folder import PrintedFile
from carddb.app.workspace.workspace import Workspace
from carddb.core.errors import UsageError, check_kind
from carddb.core.plain_text import amount
from carddb.findings import Finding, counts, verdict
from carddb.games import Game
from carddb.press.faces.workshop import open_workshop
from carddb.press.sheets.proof import MOST_IN_HAND, preflight, proof_bytes

PROOF_KINDS = ("pdf", "png", "svg")


@dataclass(frozen=True, slots=True)
class Preflight:
    """The result of inspecting the faces of a selection: the findings about the faces and about the decks."""

    game: Game
    title: str
    on: date
    cards: int
    findings: tuple[Finding, ...]
    lang: str = ""
    to_translate: Sequence[CardToTranslate] = ()
    """The cards with a text whose translation into `lang` is missing or outdated."""

    def table(self, kind: str) -> bytes:
        """Returns the texts to translate as a file to fill in: `csv`, `tsv`, `xlsx`, `json`, `yaml` or `po`.

        Raises UsageError for another kind, or if no language was chosen.
        """
        check_kind("translations are", kind, (*KINDS_OF_CARDS, "po"))
        if not self.lang:
            raise UsageError("no language is chosen for the translations", "Choose a foreign one, such as --lang ja.")
        return translation_bytes(self.game.spec, self.to_translate, self.lang, "yaml" if kind == "yml" else kind)

    def to_json(self) -> dict[str, Any]:
        """Returns what `preflight --json` shows."""
        return {
            "schema": "carddb.preflight/1",
            "game": self.game.key,
            "title": self.title,
            "on": self.on.isoformat(),
            "cards": self.cards,
            **({"untranslated": {row.card.ref: list(row.lacking) for row in self.to_translate}} if self.lang else {}),
            "verdict": verdict(self.findings),
            "counts": counts(self.findings),
            "findings": [finding.to_json() for finding in self.findings],
        }


def inspect_faces(
    project: Workspace, selection: Sequence[str], key: str | None, on: date | None, paper: PaperOptions
) -> Preflight:
    """Inspects the faces of a selection as they would be printed. Raises UsageError, TemplateError, FontError."""
    day = on or today()
    options = sheet_options(project, paper, day)
    selected = select(project, selection, CheckRequest(key, on=day))
    spec, cards = selected.game.spec, list({card.ref: card for card, _ in selected.copies}.values())
    findings = list(selected.findings)
    rows: list[CardToTranslate] = []
    if cards and spec.is_foreign(options.lang):
        with project.catalog() as catalog:
            words = catalog.translations(spec, options.lang, day=day)
            older = catalog.older_translations(spec.key, options.lang, day=day)
        rows = [row for row in cards_to_translate(spec, cards, words, older) if row.lacking or row.older]
        cards = [with_words(card, words) for card in cards]
        findings += lacking_findings(spec, rows, options.lang)
    if cards:
        with project.working(f"looking at {len(cards)} cards"):
            workshop = open_workshop(selected.game, cards, project.art_folder, options.lang)
            findings += preflight(workshop, cards, options)
    lang = options.lang if spec.is_foreign(options.lang) else ""
    return Preflight(selected.game, selected.title, day, len(cards), tuple(findings), lang, rows)


def print_proof(
    project: Workspace, selection: Sequence[str], key: str | None, on: date | None, kind: str, dpi: int,
    paper: PaperOptions, *, fan: bool = False,
) -> PrintedFile:  # fmt: skip
    """Returns a proof as `pdf`, `png` or `svg`: one face, with lines that show where it is cut and its safe area.

    With `fan`, it shows the first `MOST_IN_HAND` cards of a selection as they are held in a hand, without types whose
    cards form one picture on the table. Raises UsageError for an unknown kind or card, or if no card matches.
    """
    day = on or today()
    check_kind("a proof is", kind, PROOF_KINDS)
    if fan:
        selected = select(project, selection, CheckRequest(key, on=day))
        held = {key for key, type_ in selected.game.spec.types.items() if type_.mosaic == (1, 1)}
        every = [card for card, count in selected.copies for _ in range(count) if card.type in held]
        if not every:
            raise UsageError("none of the chosen cards is held in a hand", "Choose other cards, by a query or a deck.")
        game, cards = selected.game, every[:MOST_IN_HAND]
        more = f", the first of {len(every)}" if len(every) > len(cards) else ""
        summary = f"{amount(len(cards), 'card')} in a hand{more}"
    else:
        game, card = find(project, " ".join(selection), key, day, paper.get("lang", ""))
        cards, summary = [card], f"{card.name} [{card.ref}]"
    options = sheet_options(project, paper, day)
    workshop = open_workshop(game, cards, project.art_folder, options.lang)
    data, findings = proof_bytes(workshop, cards, options, kind, dpi, in_hand=fan)
    return PrintedFile(data, 1, 1, len(cards), tuple(findings), summary=summary, project=project)
