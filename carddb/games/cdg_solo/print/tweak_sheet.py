"""The tweak sheet of a game: its front and its back, from the module's data (S-21, S-22)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from carddb.core.names import capital
from carddb.findings import CardCount, Finding, error
from carddb.game.game import GameSpec
from carddb.games.cdg_solo.module.module import module_of
from carddb.games.cdg_solo.module.parts import CardException
from carddb.games.cdg_solo.play.cards import printed_number
from carddb.games.cdg_solo.play.die import has_c
from carddb.games.cdg_solo.print.words import alternatives, as_read, phase_name, side_name, signed_words, typeset
from carddb.games.printed_words import sign_of

OVERFLOW = "sheet_overflow"
"""The field of the text that does not fit, and the code of its finding (SD-7)."""

TOO_MUCH = ("text_overflow", "text_outside", "contrast_low")
"""What the faces call text that has no room, also where it lies over the dark tags below it."""

_RULES = re.compile(r"(?:\s*\{[A-Z]+-\d+\})+")
_ID = re.compile(r"[A-Z]+-\d+")


class Paragraph(NamedTuple):
    """A paragraph of a sheet: what it is about, and what it says."""

    head: str
    body: str


class Exceptional(NamedTuple):
    """A card with a rule of its own: its number as printed, title, sides, what is different (§7.8)."""

    tag: str
    title: str
    side: str | None
    what: str


def paragraphs(spec: GameSpec, key: str) -> list[Paragraph]:
    """The module's own paragraphs without rule ids; the sign stands for those that have a ruling.

    An option may change them, and a paragraph that it adds takes the place of the module's with the same head.
    """
    module, words = module_of(spec, key), spec.data["print"]["option_paragraphs"]
    c_faces = _listed(face for face, result in module.table.items() if has_c(result))

    def paragraph(text: str) -> Paragraph:
        signed = _RULES.sub(lambda marks: sign_of(_ID.findall(marks[0]), spec), text.replace("{c_faces}", c_faces))
        head, _, body = typeset(signed).partition(": ")
        return Paragraph(head, capital(body))

    own = [paragraph(text) for text in as_read(spec.data["modules"][key]["sheet_back"], module.options)]
    added = [paragraph(text) for text in as_read(words, module.options) if text]
    heads = {part.head for part in added}
    return [*(part for part in own if part.head not in heads), *added]


def _listed(faces: Iterable[str]) -> str:
    """Faces of the die as a sentence has them: 1, 4 or 5."""
    *some, last = sorted(faces)
    return f"{', '.join(some)} or {last}"


def front(spec: GameSpec, key: str) -> dict[str, Any]:
    """The parts of the front beside the results: chits, places, start of a round, terms, notes."""
    every, module = signed_words(spec, key), module_of(spec, key)
    words = every["sheet"]
    own = {paragraph.head: paragraph.body for paragraph in paragraphs(spec, key)}
    begun = [head for head in words["start_of"] if head in own]
    follows = all(words["start_of"][head] == "after" for head in begun)
    chits = [own[words["chits"]]] if words["chits"] in own else []
    general = words["begin"].format(alternatives="".join(instead(spec, key)))
    value = words["value"][module.lowest.by]
    return {
        "chits": [*chits, words["chits_rest"]] if module.counts_chits else chits,
        "places": [*words["places"][module.layout], *_before(spec, key)],
        "start": [*([general] if follows else []), *(f"**{head}.** {own[head]}" for head in begun)],
        "terms": [term.replace("{value}", value) for term in words["terms"]],
        "notes": [
            words["played_c"][module.layout],
            words["bar"],
            every["jolly_roger"][module.jolly_roger].replace("{kinds}", ", ".join(module.special_kinds)),
            words["leaves"],
            *filter(None, [words["no_play"]]),
            *([words["stays"].format(phase=phase_name(spec, key))] if module.counts_chits else ()),
        ],
    }


def instead(spec: GameSpec, key: str) -> list[str]:
    """What may be done instead of rolling, each as it goes on after "roll"."""
    return [spec.data["print"]["sheet"]["or"].format(said=words) for words in alternatives(spec, key)]


def _before(spec: GameSpec, key: str) -> Iterator[str]:
    """The cards that are laid up before the deal (S-94, S-127 to S-130)."""
    for hook, sentence in spec.data["print"]["sheet"]["before"].items():
        titles = [entry.title for entry in module_of(spec, key).exceptions if entry.hook == hook]
        if titles:
            yield sentence.format(titles=", ".join(titles))


def back(spec: GameSpec, key: str) -> list[Paragraph]:
    """The paragraphs that do not stand on the front."""
    words = spec.data["print"]["sheet"]
    return [part for part in paragraphs(spec, key) if part.head not in (words["chits"], *words["start_of"])]


def exceptions(spec: GameSpec, key: str) -> list[Exceptional]:
    """The cards that the module has exceptions for, each once, in the order of decks and numbers."""
    module = module_of(spec, key)
    cards: dict[tuple[str, int, str], list[CardException]] = {}
    decks = [*module.decks, *(module.side_ids if "main" not in module.decks else ())]
    for entry in module.exceptions:
        deck = entry.deck or "main"
        place = (f"{decks.index(deck)}" if deck in decks else deck, entry.number or 1000, entry.title)
        cards.setdefault(place, []).append(entry)
    return [_exceptional(spec, key, entries) for _, entries in sorted(cards.items())]


def _exceptional(spec: GameSpec, key: str, entries: Sequence[CardException]) -> Exceptional:
    first = entries[0]
    tag = "" if first.number is None else printed_number(first.deck, first.number)
    whats = dict.fromkeys(_what(spec, key, entry) for entry in entries)
    side = first.deck if first.deck in module_of(spec, key).side_ids else None
    return Exceptional(tag, first.title, side, "; ".join(whats))


def _what(spec: GameSpec, key: str, entry: CardException) -> str:
    """The few words for a hook; the side that it concerns is named where it is one of two."""
    words = signed_words(spec, key)
    side = entry.params.get("side")
    others = [other for other in module_of(spec, key).side_ids if other != entry.deck]
    figures = {
        "side": side_name(spec, key, side) if side else "",
        "opponent": side_name(spec, key, others[0]),
        "space": entry.params.get("space", ""),
        "up": words["facings"]["up" if entry.params.get("up") else "down"],
        "scope": words["scopes"][entry.params.get("scope", "phase")],
    }
    text = str(words["hooks"].get(entry.hook, entry.hook.replace("_", " ")))
    has_side = "{side}" in text or entry.deck == side or not side
    return (text if has_side else text + words["hook_side"]).format(**figures)


def component_findings(findings: Iterable[Finding]) -> list[Finding]:
    """The findings of printed components, with one `sheet_overflow` for a page that has more text than it holds."""
    others: list[Finding] = []
    over: dict[tuple[CardCount, ...], Finding] = {}
    for finding in findings:
        if finding.code in TOO_MUCH and finding.data.get("field") == OVERFLOW:
            over.setdefault(finding.cards, finding)
        else:
            others.append(finding)
    return [*others, *(_overflow(finding) for finding in over.values())]


def _overflow(finding: Finding) -> Finding:
    page = finding.cards[0].name if finding.cards else ""
    message = f"The sheet has more text than its front and back hold ({page})"
    fix = "Shorten the paragraphs of the module, or leave some out."
    return error(OVERFLOW, message, fix=fix, cards=finding.cards, rules=("S-3", "S-21"))
