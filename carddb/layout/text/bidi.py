"""Texts of mixed directions: the Unicode Bidirectional Algorithm (UAX 9), and the words of a line in visual order."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

from carddb.layout.text.words import Levels, Paragraphs, Token

_STRONG = frozenset({"L", "R", "AL"})
_EMBEDDINGS = {"LRE": ("", 0), "RLE": ("", 1), "LRO": ("L", 0), "RLO": ("R", 1)}
"""`{class: (override for the characters inside, 1 if their level is odd else 0)}`."""
_ISOLATES = frozenset({"LRI", "RLI", "FSI"})
_REMOVED = frozenset({*_EMBEDDINGS, "PDF", "BN"})
"""Classes of characters that rule X9 removes."""
_NEUTRAL = frozenset({"B", "S", "WS", "ON", "PDI", *_ISOLATES})
MARKS = "\u200e\u200f"
"""The left-to-right and the right-to-left mark, which act like letters of zero width."""
CONTROLS = frozenset(f"{MARKS}\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Characters whose only purpose is to set the direction of other characters."""
_DEEPEST = 125
_MOST_BRACKETS = 63
_PAIRS = (
    "()[]{}༺༻༼༽᚛᚜⁅⁆⁽⁾₍₎⌈⌉⌊⌋\u2329\u232a❨❩❪❫❬❭❮❯❰❱❲❳❴❵⟅⟆⟦⟧⟨⟩⟪⟫⟬⟭⟮⟯⦃⦄⦅⦆⦇⦈⦉⦊⦋⦌⦍⦐⦏⦎⦑⦒⦓⦔⦕⦖⦗⦘⧘⧙⧚⧛⧼⧽"
    "⸢⸣⸤⸥⸦⸧⸨⸩⹕⹖⹗⹘⹙⹚⹛⹜\u3008\u3009《》「」『』【】〔〕〖〗〘〙〚〛﹙﹚﹛﹜﹝﹞（）［］｛｝｟｠｢｣"
)
"""Opening brackets, each followed by its closing bracket (BidiBrackets.txt)."""
_CLOSING = dict(zip(_PAIRS[::2], _PAIRS[1::2], strict=True))
_MIRRORED = {**_CLOSING, **{closing: opening for opening, closing in _CLOSING.items()}, "<": ">", ">": "<"}
_MIRRORED |= {"«": "»", "»": "«", "‹": "›", "›": "‹", "≤": "≥", "≥": "≤"}
_EQUIVALENT = {"\u232a": "\u3009"}
"""Closing brackets that count as equal to another closing bracket."""


def is_right_to_left(char: str) -> bool:
    """Returns whether a character is a letter of a right-to-left script, or a mark that acts like such a letter."""
    return unicodedata.bidirectional(char) in ("R", "AL")


def reversed_text(text: str) -> str:
    """Returns right-to-left punctuation in visual order: reversed, with brackets and the like mirrored (L4)."""
    return "".join([_MIRRORED.get(char, char) for char in reversed(text)])


def first_strong(text: str) -> int | None:
    """Returns the level (0 or 1) of a paragraph by its first letter outside isolates (P2, P3); None without letters."""
    depth = 0
    for char in text:
        kind = unicodedata.bidirectional(char)
        if kind in _ISOLATES:
            depth += 1
        elif kind == "PDI":
            depth = max(0, depth - 1)
        elif kind in _STRONG and not depth:
            return int(kind != "L")
    return None


def levels(text: str, base: int) -> list[int]:
    """Returns the level of each character in a paragraph of level `base` (0 or 1); odd levels run right to left.

    A character that rule X9 removes gets the level of the preceding character.
    """
    kinds = [unicodedata.bidirectional(char) or "L" for char in text]
    explicit, classes, partner = _explicit(text, kinds, base)
    out = list(explicit)
    for sequence in _sequences(explicit, kinds, partner, base):
        _resolve(sequence, text, classes, out)
    for at, kind in enumerate(kinds):
        if kind in _REMOVED:
            out[at] = out[at - 1] if at else base
    _reset_blanks(kinds, out, base)
    return out


def visual_order(levels: Sequence[int]) -> list[int]:
    """Returns the indices of a line's items in order from left to right, given their levels (L2)."""
    order = list(range(len(levels)))
    lowest = min((level for level in levels if level % 2), default=1)
    for level in range(max(levels, default=0), lowest - 1, -1):
        start = 0
        while start < len(order):
            end = start
            while end < len(order) and levels[order[end]] >= level:
                end += 1
            order[start:end] = reversed(order[start:end])
            start = end + 1
    return order


class _Status(NamedTuple):
    """An entry of the directional status stack."""

    level: int
    override: str
    is_isolate: bool


def _explicit(text: str, kinds: list[str], base: int) -> tuple[list[int], list[str], dict[int, int]]:
    """Returns levels and classes of characters after the rules X1 to X8, and `{index of isolate: index of its PDI}`."""
    classes = list(kinds)
    out = [base] * len(kinds)
    partner = _isolate_partners(kinds)
    stack = [_Status(base, "", False)]
    lost_isolates = lost_embeddings = isolates = 0
    for at, kind in enumerate(kinds):
        last = stack[-1]
        out[at] = last.level
        if kind in _EMBEDDINGS:
            override, parity = _EMBEDDINGS[kind]
            level = _next_level(last.level, parity)
            if level <= _DEEPEST and not lost_isolates and not lost_embeddings:
                stack.append(_Status(level, override, False))
            elif not lost_isolates:
                lost_embeddings += 1
        elif kind in _ISOLATES:
            classes[at] = last.override or kind
            if lost_isolates or lost_embeddings:
                lost_isolates += 1
                continue
            parity = int(kind == "RLI") if kind != "FSI" else first_strong(text[at + 1 : partner.get(at)]) or 0
            level = _next_level(last.level, parity)
            if level <= _DEEPEST:
                isolates += 1
                stack.append(_Status(level, "", True))
            else:
                lost_isolates += 1
        elif kind == "PDI":
            if lost_isolates:
                lost_isolates -= 1
            elif isolates:
                lost_embeddings = 0
                while not stack[-1].is_isolate:
                    stack.pop()
                stack.pop()
                isolates -= 1
            out[at] = stack[-1].level
            classes[at] = stack[-1].override or kind
        elif kind == "PDF":
            if lost_isolates:
                continue
            if lost_embeddings:
                lost_embeddings -= 1
            elif not last.is_isolate and len(stack) > 1:
                stack.pop()
        elif kind == "B":
            out[at] = base
        elif last.override and kind != "BN":
            classes[at] = last.override
    return out, classes, partner


def _next_level(level: int, parity: int) -> int:
    """Returns the next higher level that is even (`parity` 0) or odd (1)."""
    return level + 1 if (level + 1) % 2 == parity else level + 2


def _isolate_partners(kinds: list[str]) -> dict[int, int]:
    """Returns `{index of isolate: index of its PDI}` (BD9)."""
    partner: dict[int, int] = {}
    begun: list[int] = []
    for at, kind in enumerate(kinds):
        if kind in _ISOLATES:
            begun.append(at)
        elif kind == "PDI" and begun:
            partner[begun.pop()] = at
    return partner


class _Sequence(NamedTuple):
    """An isolating run sequence (BD13): indices of its characters, its level, and the directions before and after."""

    places: list[int]
    level: int
    before: str
    after: str

    @property
    def embedding(self) -> str:
        return _direction(self.level)


def _direction(level: int) -> str:
    return "R" if level % 2 else "L"


def _sequences(levels: list[int], kinds: list[str], partner: dict[int, int], base: int) -> Iterator[_Sequence]:
    """Yields the isolating run sequences of a paragraph (X10)."""
    left = [at for at, kind in enumerate(kinds) if kind not in _REMOVED]
    preceding = {at: before for before, at in pairwise(left)}
    following = dict(pairwise(left))
    runs: list[list[int]] = []
    for at in left:
        if runs and levels[runs[-1][-1]] == levels[at]:
            runs[-1].append(at)
        else:
            runs.append([at])
    run_of = {run[0]: run for run in runs}
    closing = set(partner.values())
    for run in runs:
        if run[0] in closing:
            continue
        places = list(run)
        while (end := partner.get(places[-1])) is not None:
            places += run_of[end]
        level = levels[places[0]]
        before, after = preceding.get(places[0]), following.get(places[-1])
        if kinds[places[-1]] in _ISOLATES:
            after = None
        edges = [max(level, base if place is None else levels[place]) for place in (before, after)]
        yield _Sequence(places, level, *map(_direction, edges))


def _resolve(sequence: _Sequence, text: str, classes: list[str], out: list[int]) -> None:
    """Computes the final levels of the characters of one sequence, and stores them in `out`."""
    kinds = [classes[at] for at in sequence.places]
    original = list(kinds)
    _resolve_weak(kinds, sequence.before)
    _resolve_brackets(sequence, text, kinds, original)
    _resolve_neutral(kinds, sequence)
    for at, kind in zip(sequence.places, kinds, strict=True):
        if sequence.level % 2:
            out[at] = sequence.level + (kind != "R")
        else:
            out[at] = sequence.level + {"L": 0, "R": 1}.get(kind, 2)


def _resolve_weak(kinds: list[str], before: str) -> None:
    """Applies rules W1 to W7 to `kinds`, in place."""
    last = before
    strong = before
    for at, kind in enumerate(kinds):
        if kind == "NSM":  # W1
            kinds[at] = "ON" if last in _ISOLATES or last == "PDI" else last
        last = kinds[at]
        if last in _STRONG:
            strong = last
        elif last == "EN" and strong == "AL":  # W2
            kinds[at] = "AN"
    kinds[:] = ["R" if kind == "AL" else kind for kind in kinds]  # W3
    for at in range(1, len(kinds) - 1):  # W4
        both = {kinds[at - 1], kinds[at + 1]}
        if (kinds[at] in ("ES", "CS") and both == {"EN"}) or (kinds[at] == "CS" and both == {"AN"}):
            kinds[at] = kinds[at - 1]
    for start, end in _stretches(kinds, frozenset({"ET"})):  # W5
        if "EN" in (kinds[start - 1] if start else "", kinds[end] if end < len(kinds) else ""):
            kinds[start:end] = ["EN"] * (end - start)
    strong = before
    for at, kind in enumerate(kinds):
        if kind in ("ES", "ET", "CS"):  # W6
            kinds[at] = "ON"
        elif kind in ("L", "R"):
            strong = kind
        elif kind == "EN" and strong == "L":  # W7
            kinds[at] = "L"


def _resolve_brackets(sequence: _Sequence, text: str, kinds: list[str], original: list[str]) -> None:
    """Applies rule N0: both brackets of a pair get the direction of their contents, or else of the text before them."""
    embedding = sequence.embedding
    for opening, closing in _bracket_pairs([text[at] for at in sequence.places], kinds):
        inside = {_strong(kind) for kind in kinds[opening + 1 : closing]} - {""}
        if not inside:
            continue
        way = embedding
        if embedding not in inside:
            before = next((s for kind in reversed(kinds[:opening]) if (s := _strong(kind))), sequence.before)
            way = before if before != embedding else embedding
        for place in (opening, closing):
            kinds[place] = way
            for mark in range(place + 1, len(kinds)):
                if original[mark] != "NSM":
                    break
                kinds[mark] = way


def _bracket_pairs(chars: list[str], kinds: list[str]) -> list[tuple[int, int]]:
    """Returns the indices of paired brackets, in the order of the opening brackets (BD16)."""
    begun: list[tuple[str, int]] = []
    pairs: list[tuple[int, int]] = []
    for at, char in enumerate(chars):
        if kinds[at] != "ON":
            continue
        if char in _CLOSING:
            if len(begun) == _MOST_BRACKETS:
                return []
            closing = _CLOSING[char]
            begun.append((_EQUIVALENT.get(closing, closing), at))
        else:
            closed = _EQUIVALENT.get(char, char)
            for depth in range(len(begun) - 1, -1, -1):
                if begun[depth][0] == closed:
                    pairs.append((begun[depth][1], at))
                    del begun[depth:]
                    break
    return sorted(pairs)


def _strong(kind: str) -> str:
    """Returns the direction ("L", "R", "" if neutral) of a class in N0 to N2, where numbers count as right-to-left."""
    return kind if kind in ("L", "R") else "R" if kind in ("EN", "AN") else ""


def _resolve_neutral(kinds: list[str], sequence: _Sequence) -> None:
    """Applies rules N1 and N2 to `kinds`, in place."""
    for start, end in _stretches(kinds, _NEUTRAL):
        before = _strong(kinds[start - 1]) if start else sequence.before
        after = _strong(kinds[end]) if end < len(kinds) else sequence.after
        kinds[start:end] = [before if before == after else sequence.embedding] * (end - start)


def _stretches(kinds: list[str], of: frozenset[str]) -> Iterator[tuple[int, int]]:
    """Yields (start, end) of each run of characters whose classes are all in `of`."""
    start = 0
    while start < len(kinds):
        end = start
        while end < len(kinds) and kinds[end] in of:
            end += 1
        if end > start:
            yield start, end
        start = end + 1


def _reset_blanks(kinds: list[str], out: list[int], base: int) -> None:
    """Applies rule L1 to `out`: separators, and blanks before one or at the end, get the level `base`."""
    at_end = True
    for at in range(len(kinds) - 1, -1, -1):
        kind = kinds[at]
        if kind in ("B", "S"):
            at_end = True
        elif kind not in ("WS", "PDI", *_ISOLATES, *_REMOVED):
            at_end = False
        if at_end:
            out[at] = base


_ICON = "\ufffc"
"""The character that represents an icon in a text (object replacement character)."""
_FIRST_RIGHT_TO_LEFT = "\u0590"


def runs_right_to_left(text: str) -> bool:
    """Returns whether a text contains a right-to-left letter."""
    if text.isascii() or max(text) < _FIRST_RIGHT_TO_LEFT:
        return False
    return any(map(is_right_to_left, text))


def paragraph_level(text: str, is_right_to_left: bool) -> int:
    """Returns the bidi level of a paragraph, 0 or 1 (right-to-left).

    This is 1 if its language is written from right to left and the text has right-to-left letters, else the level of
    its first letter, or 0 without letters.
    """
    return 1 if is_right_to_left and runs_right_to_left(text) else first_strong(text) or 0


def directed(tokens: Sequence[Token], base: int) -> tuple[Token, ...]:
    """Returns a paragraph's words with their bidi levels, split where these change; `base` is the paragraph's level."""
    return tuple(token for _, token in directed_parts(tokens, base))


def directed_parts(tokens: Sequence[Token], base: int) -> Iterator[tuple[int, Token]]:
    """Yields the words as `directed` returns them, each after the index of the token of which it is a part."""
    text = "".join([(" " if token.spaced else "") + (_ICON if token.icon else token.text) for token in tokens])
    char_levels = levels(text, base)
    at = 0
    for place, token in enumerate(tokens):
        space = char_levels[at] if token.spaced else base
        at += token.spaced
        if token.icon or not token.text:
            level = char_levels[at] if token.icon else base
            yield place, token._replace(levels=Levels(level, space, base))
            at += token.icon
            continue
        stretches = groupby(zip(token.text, char_levels[at:], strict=False), key=lambda pair: pair[1])
        for number, (level, stretch) in enumerate(stretches):
            part = "".join([char for char, _ in stretch if char not in CONTROLS])
            piece = token._replace(text=_marked(part, level), levels=Levels(level, space, base))
            yield place, piece if not number else piece._replace(spaced=False, breaks=False, starts_line=False)
        at += len(token.text)


def _marked(text: str, level: int) -> str:
    """Returns a text of one level, preceded by a direction mark if its letters alone do not give its direction."""
    if (first_strong(text) or 0) == level % 2:
        return text
    return MARKS[level % 2] + text


def directed_paragraphs(paragraphs: Paragraphs, base: int | None, is_right_to_left: bool) -> Paragraphs:
    """Returns the paragraphs of a text, each as `directed` returns it for the level `base`.

    If `base` is None, each paragraph gets the level that `paragraph_level` returns. A paragraph without letters, and a
    line after `{br}`, keep the level of the paragraph or line before them.
    """
    out: list[tuple[Token, ...]] = []
    level = base or 0
    for tokens in paragraphs:
        text = " ".join([token.text for token in tokens if not token.icon])
        if base is None and not tokens[0].starts_line and first_strong(text) is not None:
            level = paragraph_level(text, is_right_to_left)
        out.append(directed(tokens, level))
    return tuple(out)


def visual_items(tokens: Sequence[Token], start: int, end: int) -> list[tuple[int, bool]]:
    """Returns (index of a token, is this the space before it) for a line, in visual order from left to right."""
    items: list[tuple[int, bool]] = []
    levels: list[int] = []
    for at in range(start, end):
        token = tokens[at]
        if token.spaced and at > start:
            items.append((at, True))
            levels.append(token.levels.space)
        items.append((at, False))
        levels.append(token.levels.word)
    return [items[place] for place in visual_order(levels)] if any(levels) else items
