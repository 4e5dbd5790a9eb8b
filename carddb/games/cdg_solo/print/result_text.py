"""The text of the six results, from a module's data: the flips, the choices, the card that fills the place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from carddb.game.game import GameSpec
from carddb.game.sheet_parts import SIGN
from carddb.games.cdg_solo.module.module import Module, module_of
from carddb.games.cdg_solo.module.parts import ChoiceRow
from carddb.games.cdg_solo.play.die import FACES, Result, has_c, letters
from carddb.games.cdg_solo.play.display import SPACES
from carddb.games.cdg_solo.play.plays import refill_mode
from carddb.games.cdg_solo.print.words import signed_words

Words = Mapping[str, Any]
_TIED = "\u00a0"
"""A space at which no line ends."""


class ResultText(NamedTuple):
    """One result: the face that stands for it and its text in three parts (S-38 to S-61)."""

    face: str
    result: Result
    has_c: bool
    name: str
    flip: str
    play: str
    fill: str

    @property
    def text(self) -> str:
        """The whole of it."""
        return f"{self.flip}. {self.play} {self.fill}."


def results(spec: GameSpec, key: str, form: str = "long") -> list[ResultText]:
    """The results of a module in the order of its die table; `form` is `long` or `short`."""
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
    """The two lines below the results in short: what is flipped where no card is up, and when nothing is filled."""
    first, second = signed_words(spec, key)["star"][module_of(spec, key).layout]
    return [_none_up(spec, key, first), second]


def _words(spec: GameSpec, key: str, form: str) -> Words:
    words = signed_words(spec, key)
    own = words["results"]
    all_words = {**own[form], "kinds": {**words["card"]["kinds"], **own["kinds"]}}
    return {**all_words, "flip_none": _none_up(spec, key, all_words["flip_none"])}


def _none_up(spec: GameSpec, key: str, text: str) -> str:
    """What is flipped where no card is up, without the sign for the games whose own sheets say it (SR-13)."""
    return text.replace(SIGN, "") if key in spec.data["print"]["results"]["none_up_in_source"] else text


def listed(spaces: Sequence[str], last: str) -> str:
    """Letters in bold as a sentence has them: A, B or C."""
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
    return str(sentence.format(c=c, letters=listed(rest, "and"), plain=", ".join(rest)))


def _play(module: Module, result: Result, words: Words) -> str:
    """The rows of choices as one sentence; neighbours that allow any purpose share the words for it."""
    rows = module.forms[result].choices
    groups = [(free, list(some)) for free, some in groupby(rows, key=lambda row: row.mode == "any")]
    if len(groups) == 1:
        sentence = words["all_purposes"].format(said=_joined(module, rows, words))
    else:
        parts = [
            (words["purpose"] if free else "{said}").format(said=_joined(module, some, words)) for free, some in groups
        ]
        sentence = words["several"].format(said="; or ".join(parts))
    return " ".join([sentence, *_beside(module, result, words)])


def _joined(module: Module, rows: Sequence[ChoiceRow], words: Words) -> str:
    """Rows of one kind of play; an event and its discard share the words."""
    if {row.mode for row in rows} == {"event", "discard"}:
        return str(words["event_or_discard"].format(kind=_kind(rows[0], words)))
    always = [_phrase(module, row, words) for row in rows if not (row.when and row.when.no_up)]
    unless = [words["unless"].format(kind=_name(r.when.no_up.kinds, words)) for r in rows if r.when and r.when.no_up]
    return "; or ".join([", or ".join(always), *unless])


def _phrase(module: Module, row: ChoiceRow, words: Words) -> str:
    if row.pick == "lowest":
        by = "orders" if module.lowest.by == "order_count" else "lowest"
        extent = "all" if len(row.spaces) == len(SPACES) else "some"
        return _filled(words[f"{by}_{extent}"], row.spaces, kind=_name(module.lowest.kinds, words))
    if row.mode == "any" and row.kinds is None:
        return _filled(words["card"], row.spaces)
    if row.mode == "event" and row.ops is None:
        return str(words["event"])
    key = {"any": "kind", "event": "event_kind", "discard": "discard"}[row.mode]
    return str(words[key].format(kind=_kind(row, words)))


def _kind(row: ChoiceRow, words: Words) -> str:
    return _name(row.kinds, words)


def _name(kinds: Sequence[str] | None, words: Words) -> str:
    """The first of some kinds, before the word card; nothing where any kind will do."""
    return f"{words['kinds'].get(kinds[0], kinds[0])} " if kinds else ""


def _filled(pattern: str, spaces: Sequence[str], kind: str = "") -> str:
    plain = f"{', '.join(spaces[:-1])} or {spaces[-1]}" if len(spaces) > 1 else spaces[0]
    return pattern.format(letters=listed(spaces, "or"), either=plain, spaced=f"**{_TIED.join(spaces)}**", kind=kind)


def _beside(module: Module, result: Result, words: Words) -> Iterator[str]:
    """Cards off the display that this result lets be played as well (S-65, S-124)."""
    used = (module.combat_detail.active_results or {}).get("0") or ()
    for name in module.off_display:
        rule = module.off_display_rules[name]
        allowed = used if name == "tactician" else (rule.results or ())
        if result in allowed and words["beside"].get(name):
            yield str(words["beside"][name])


def _fill(module: Module, result: Result, words: Words, keeps: bool) -> str:
    """What fills the place; `keeps`: the module keeps the facing (S-49, S-52, S-56, S-125)."""
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
