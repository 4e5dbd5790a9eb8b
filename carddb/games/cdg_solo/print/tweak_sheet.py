"""The tweak sheet of a game: its front and its back, with the texts of the six results (S-21, S-22)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from carddb.core.names import capital, fold
from carddb.findings import CardCount, Finding, error
from carddb.game.game import GameSpec
from carddb.game.parts import SIGN
from carddb.games.cdg_solo.module import CardException, ChoiceRow, Game, Module, module_of, raw_module
from carddb.games.cdg_solo.play.cards import printed_number
from carddb.games.cdg_solo.play.display import FACES, SPACES, Result, has_c, letters
from carddb.games.cdg_solo.play.plays import refill_mode
from carddb.games.cdg_solo.print.faces import as_read, phase_name, side_name, signed_words, typeset
from carddb.games.printed_words import sign_of

_RULES = re.compile(r"(?:\s*\{[A-Z]+-\d+\})+")


def sentence(spec: GameSpec, game: Game, entries: Sequence[CardException]) -> str:
    """Returns the texts of the sheet's paragraphs whose headings name a card of `entries`, joined, without rule ids."""
    titles = {fold(entry.title) for entry in entries}
    texts = as_read(raw_module(spec, game)["sheet_back"], module_of(spec, game).options)
    paragraphs = (_RULES.sub("", text).partition(": ") for text in texts)
    bodies = [body for head, _, body in paragraphs if any(title in fold(head) for title in titles)]
    return " ".join(capital(body) for body in bodies)


Words = Mapping[str, Any]
_TIED = "\u00a0"
"""A space at which no line may break."""


class ResultText(NamedTuple):
    """One result: its face on the die, and its text in the parts `flip`, `play` and `fill` (S-38 to S-61)."""

    face: str
    result: Result
    has_c: bool
    name: str
    flip: str
    play: str
    fill: str


def results(spec: GameSpec, key: str, form: str = "long") -> list[ResultText]:
    """Returns the results of a module in the order of its die table; `form` is `long` or `short`."""
    module, words = module_of(spec, key), _words(spec, key, form)
    names = spec.data["print"]["results"]["names"]
    keeping = {name for name, own in spec.data["modules"][key]["results"].items() if own.get("refill")}
    return [
        ResultText(
            face=face,
            result=result,
            has_c=has_c(result),
            name=names[result],
            flip=_flip(module, result, words),
            play=_play(module, result, words),
            fill=_fill(module, result, words, result in keeping),
        )
        for face in FACES
        for result in [module.table[face]]
    ]


def notes(spec: GameSpec, key: str) -> list[str]:
    """Returns two lines below the short results: what to flip if no card is up, and when spaces are not refilled."""
    first, second = signed_words(spec, key)["star"][module_of(spec, key).layout]
    return [_none_up(spec, key, first), second]


def _words(spec: GameSpec, key: str, form: str) -> Words:
    words = signed_words(spec, key)
    own = words["results"]
    return {
        **own[form],
        "flip_none": _none_up(spec, key, own[form]["flip_none"]),
        "kinds": {**words["card"]["kinds"], **own["kinds"]},
        "slips": own["slips"].get(key, {}),
    }


def _none_up(spec: GameSpec, key: str, text: str) -> str:
    """Returns `text`, on the flip if no card is up, without the ruling's sign if the source has the rule (SR-13)."""
    return text.replace(SIGN, "") if key in spec.data["print"]["results"]["none_up_in_source"] else text


def listed(spaces: Sequence[str], last: str) -> str:
    """Returns letters in bold, as a list in a sentence: A, B or C."""
    bold = [f"**{space}**" for space in spaces]
    return bold[0] if len(bold) == 1 else f"{', '.join(bold[:-1])} {last} {bold[-1]}"


def _flip(module: Module, result: Result, words: Words) -> str:
    if result == "UP":
        return str(words["flip_none"])
    c = words["flip_c"][module.layout] if has_c(result) else ""
    rest = [space for space in letters(result) if space != "C"]
    if not rest:
        return str(c)
    sentence = words["flip_both" if c else "flip"]
    return str(sentence.format(c=c, letters=listed(rest, "and"), plain=f"{_TIED}and{_TIED}".join(rest)))


def _play(module: Module, result: Result, words: Words) -> str:
    """Returns the rows of choices as one sentence, which says "for any purpose" once for adjacent rows."""
    rows = module.forms[result].choices
    groups = [(free, list(some)) for free, some in groupby(rows, key=lambda row: row.mode == "any")]
    if len(groups) == 1:
        sentence = words["all_purposes"].format(said=_joined(module, rows, words))
    else:
        parts = [
            (words["purpose"] if free else "{said}").format(said=_joined(module, some, words)) for free, some in groups
        ]
        sentence = words["several"].format(said="; or ".join(parts))
    if result == "C_JR" and module.jolly_roger == "play_special":
        sentence = words["special"].format(kinds=_kind_names(module, words["kinds"]), said=sentence)
    return " ".join([sentence, *_beside(module, result, words)])


def _joined(module: Module, rows: Sequence[ChoiceRow], words: Words) -> str:
    """Returns one text for choice rows of the same kind of play; playing and discarding an event share a wording."""
    if {row.mode for row in rows} == {"event", "discard"}:
        return str(words["event_or_discard"].format(kind=_name(rows[0].kinds, words)))
    always = [_phrase(module, row, words) for row in rows if not (row.when and row.when.no_up)]
    unless = [words["unless"].format(kind=_name(r.when.no_up.kinds, words)) for r in rows if r.when and r.when.no_up]
    return "; or ".join([", or ".join(always), *unless])


def _phrase(module: Module, row: ChoiceRow, words: Words) -> str:
    if row.pick == "lowest":
        by = "orders" if module.lowest.by == "order_count" else "lowest"
        extent = "all" if len(row.spaces) == len(SPACES) else "some"
        return _filled(words[f"{by}_{extent}"], row.spaces, kind=_name(module.lowest.kinds, words))
    if row.mode == "any" and row.kinds is None:
        return _filled(words["card"], row.spaces) + str(words["slips"].get("".join(row.spaces), ""))
    if row.mode == "event" and row.ops is None:
        return str(words["event"])
    key = {"any": "kind", "event": "event_kind", "discard": "discard"}[row.mode]
    return str(words[key].format(kind=_name(row.kinds, words)))


def _name(kinds: Sequence[str] | None, words: Words) -> str:
    """Returns the name of the first of `kinds`, to precede the word card; empty if any kind is allowed."""
    return f"{words['kinds'].get(kinds[0], kinds[0])} " if kinds else ""


def _filled(pattern: str, spaces: Sequence[str], kind: str = "") -> str:
    plain = f"{', '.join(spaces[:-1])} or {spaces[-1]}" if len(spaces) > 1 else spaces[0]
    return pattern.format(letters=listed(spaces, "or"), either=plain, spaced=f"**{_TIED.join(spaces)}**", kind=kind)


def _beside(module: Module, result: Result, words: Words) -> Iterator[str]:
    """Yields texts about the cards beside the display that may be played under this result (S-65, S-124)."""
    used = (module.combat_detail.active_results or {}).get("0") or ()
    for name in module.off_display:
        rule = module.off_display_rules[name]
        allowed = used if name == "tactician" else (rule.results or ())
        if result in allowed and words["beside"].get(name):
            yield str(words["beside"][name])


def _fill(module: Module, result: Result, words: Words, keeps: bool) -> str:
    """Returns the text on refilling; `keeps` is true if the module has a rule for it (S-49, S-52, S-56, S-125)."""
    how = refill_mode(module, result)
    if module.layout == "card_in_c":
        return str(words["fill_new"])
    if how == "under":
        return str(words["fill_under"][module.layout])
    if module.layout == "virtual_c":
        return str(words[f"fill_virtual_{how}"])
    if how == "up":
        return str(words["fill_jolly_roger" if result == "C_JR" else "fill_up"])
    if how == "keep" and not keeps and result != "UP":
        return str(words["fill_left"])
    return str(words[f"fill_{how}"])


_ROOM, _OF_A_CARD, _OF_THE_CHART = 4500, 100, 600
"""The room for text on the back of a sheet, and what the line of a card and the chart take of it, in characters."""


def is_long(raw: Mapping[str, Any]) -> bool:
    """Returns whether the back of a module's sheet has no room for its cards, which are then on a second sheet."""
    cards, chart = len(raw.get("exceptions", ())), bool(raw["selection_chart"]["on_sheet"])
    texts = sum(len(str(text)) for text in raw.get("sheet_back", ()))
    return texts + cards * _OF_A_CARD + chart * _OF_THE_CHART > _ROOM


OVERFLOW = "sheet_overflow"
"""The template's field with the text of the sheet, and the code of the finding if the text does not fit (SD-7)."""

TOO_MUCH = ("text_overflow", "text_outside", "contrast_low")
"""The codes of findings about text without enough room, or over the dark tags below it."""

_ID = re.compile(r"[A-Z]+-\d+")


class SheetParagraph(NamedTuple):
    """A paragraph of a sheet: its heading and its text."""

    head: str
    body: str


class Exceptional(NamedTuple):
    """A card with an exception: its printed number, title, side, and the difference in words (§7.8)."""

    tag: str
    title: str
    side: str | None
    what: str


def paragraphs(spec: GameSpec, key: str) -> list[SheetParagraph]:
    """Returns the module's own paragraphs, with the sign of a ruling instead of rule ids.

    Options may change them. A paragraph that an option adds replaces the module's paragraph with the same heading.
    """
    module, words = module_of(spec, key), spec.data["print"]["option_paragraphs"]
    *some, last = sorted(face for face, result in module.table.items() if has_c(result))
    c_faces = f"{', '.join(some)} or {last}"

    def paragraph(text: str) -> SheetParagraph:
        signed = _RULES.sub(lambda marks: sign_of(_ID.findall(marks[0]), spec), text.replace("{c_faces}", c_faces))
        head, _, body = typeset(signed).partition(": ")
        return SheetParagraph(head, capital(body))

    own = [paragraph(text) for text in as_read(spec.data["modules"][key]["sheet_back"], module.options)]
    added = [paragraph(text) for text in as_read(words, module.options) if text]
    heads = {part.head for part in added}
    return [*(part for part in own if part.head not in heads), *added]


def front(spec: GameSpec, key: str) -> dict[str, Any]:
    """Returns the front's texts by part, without results: `chits`, `places`, `start` of a round, `terms`, `notes`."""
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
            every["jolly_roger"][module.jolly_roger].replace("{kinds}", _kind_names(module, every["card"]["kinds"])),
            words["leaves"],
            *filter(None, [words["no_play"]]),
            *([words["stays"].format(phase=phase_name(spec, key))] if module.counts_chits else ()),
        ],
    }


def _kind_names(module: Module, kinds: Words) -> str:
    return " or ".join(kinds.get(kind, kind) for kind in module.special_kinds)


def instead(spec: GameSpec, key: str) -> list[str]:
    """Returns the alternatives to rolling, each as a continuation of a sentence about the roll."""
    words = spec.data["print"]
    return [words["sheet"]["or"].format(said=words["alternatives"][name]) for name in module_of(spec, key).alternatives]


def _before(spec: GameSpec, key: str) -> Iterator[str]:
    """Yields sentences about the cards that are placed face up before the deal (S-94, S-127 to S-130)."""
    for hook, sentence in spec.data["print"]["sheet"]["before"].items():
        titles = [entry.title for entry in module_of(spec, key).exceptions if entry.hook == hook]
        if titles:
            yield sentence.format(titles=", ".join(titles))


def back(spec: GameSpec, key: str) -> list[SheetParagraph]:
    """Returns the paragraphs that are not on the front."""
    words = spec.data["print"]["sheet"]
    return [part for part in paragraphs(spec, key) if part.head not in (words["chits"], *words["start_of"])]


def exceptions(spec: GameSpec, key: str) -> list[Exceptional]:
    """Returns the cards with exceptions, each once, in the order of decks and numbers."""
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
    """Returns a short text for a hook, with the side concerned if it is not the side of the card's deck."""
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
    """Returns the findings, with a single `sheet_overflow` for each page whose text is too long."""
    others: list[Finding] = []
    over: dict[tuple[CardCount, ...], None] = {}
    for finding in findings:
        if finding.code in TOO_MUCH and finding.data.get("field") == OVERFLOW:
            over[finding.cards] = None
        else:
            others.append(finding)
    fix = "Shorten the paragraphs of the module, or remove some."
    for cards in over:
        message = f"{cards[0].name if cards else 'The sheet'}: the text does not fit on the front and back"
        others.append(error(OVERFLOW, message, fix=fix, cards=cards, rules=("S-3", "S-21")))
    return others
