"""Whether the colours by which a game tells things apart do so for everybody, and in a grey print."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from carddb.core.plain_text import listed
from carddb.findings import Finding, error, info, warning
from carddb.game.game import GameSpec
from carddb.game.parts import ColourCodeSpec
from carddb.layout.colours import VISIONS, contrast, difference, lightness, shades
from carddb.layout.drawing.bleed import PAPER
from carddb.layout.drawing.legibility import LEAST_CONTRAST

APART = 15
"""How far two colours have to be from each other in CIELAB for every eye: six times what can just be seen (2.3)."""
GREYS_APART = 10
"""How far two greys have to be from each other in L*: a step of the scale of Munsell."""
GREY = "grey"
_MOST_PAIRS = 6
_COLOUR = re.compile("#[0-9a-fA-F]{6}")

Colours = Mapping[str, str]
Pair = tuple[str, str]


def colour_findings(spec: GameSpec, symbols: Collection[str]) -> list[Finding]:
    """What is wrong with the colour codes of a game and with its accent; `symbols` are the ids that its faces share.

    Both figures are in each finding, that of the colours and the least, and a colour that would do.
    """
    findings = list(_accent(spec.accent))
    for code in spec.colour_codes:
        for where, entries in _tables(spec.data, code.colours):
            colours = {key: _colour(entry, code.shade) for key, entry in entries.items()}
            wrong = [key for key, colour in colours.items() if not _COLOUR.fullmatch(colour)]
            if wrong or not entries:
                message = f"colour code {where}: {listed(wrong, 6) or 'nothing'} has no colour"
                findings.append(error("colour_code_wrong", message, fix="Correct colours and shade in game.yaml."))
                continue
            findings += _signs_wrong(where, code, entries, symbols)
            findings += _alike(where, colours, _signs(code, entries))
    return findings


def _accent(accent: str) -> Iterator[Finding]:
    ratio = contrast(accent, PAPER)
    if ratio < LEAST_CONTRAST:
        better = next(shade for shade in shades(accent) if contrast(shade, PAPER) >= LEAST_CONTRAST)
        message = f"the accent {accent} on {PAPER}: contrast {ratio:.2f}; at least {LEAST_CONTRAST} can be read"
        yield warning("contrast_low", message, fix=f"Use {better} in game.yaml.",
                      data={"ratio": round(ratio, 2), "least": LEAST_CONTRAST})  # fmt: skip


def _tables(data: Mapping[str, Any], path: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The tables of colours that a path leads to; a last `*` stands for each entry of what is before it."""
    *steps, last = path.split(".")
    here: Any = data
    for step in steps if last == "*" else [*steps, last]:
        here = here.get(step) if isinstance(here, Mapping) else None
    tables = here.items() if last == "*" and isinstance(here, Mapping) else [("", here)]
    for key, table in tables:
        yield ".".join(filter(None, (path.removesuffix(".*"), key))), _entries(table)


def _entries(table: Any) -> Mapping[str, Any]:
    if isinstance(table, Mapping):
        return {str(key): value for key, value in table.items()}
    return {str(at): value for at, value in enumerate(table or (), start=1)}


def _colour(entry: Any, shade: str) -> str:
    value = entry.get(shade) if shade and isinstance(entry, Mapping) else entry
    return value if isinstance(value, str) else ""


def _signs(code: ColourCodeSpec, entries: Mapping[str, Any]) -> Mapping[str, str | None]:
    """What tells the entries apart beside their colour; an entry without a sign has None."""
    if code.signs:
        return dict(zip(entries, code.signs, strict=False))
    return {
        key: str(entry[code.sign]) if isinstance(entry, Mapping) and code.sign in entry else None
        for key, entry in entries.items()
    }


def _signs_wrong(
    where: str, code: ColourCodeSpec, entries: Mapping[str, Any], symbols: Collection[str]
) -> Iterator[Finding]:
    unknown = [sign for sign in code.signs if sign.startswith("#") and sign[1:] not in symbols]
    fix = "Correct signs in game.yaml."
    if unknown:
        yield error("colour_code_wrong", f"colour code {where}: no symbol {listed(unknown, 6)}", fix=fix)
    if code.signs and len(code.signs) != len(entries):
        message = f"colour code {where}: {len(code.signs)} signs for {len(entries)} colours"
        yield error("colour_code_wrong", message, fix=fix)


def _alike(where: str, colours: Colours, signs: Mapping[str, str | None]) -> Iterator[Finding]:
    """The pairs that are too near to each other; where a sign tells them apart they are only remarked on."""
    for vision in ("", *VISIONS, GREY):
        least = GREYS_APART if vision == GREY else APART
        near = [pair for pair in combinations(colours, 2) if _apart(*_both(colours, pair), vision) < least]
        signed = [pair for pair in near if None not in _both(signs, pair) and len({*_both(signs, pair)}) == 2]
        bare = [pair for pair in near if pair not in signed]
        for say, pairs in ((warning, bare), (info, signed)):
            if pairs:
                yield _finding(say, where, vision, colours, pairs, least)


def _both(table: Mapping[str, Any], pair: Pair) -> tuple[Any, Any]:
    return table.get(pair[0]), table.get(pair[1])


def _finding(
    say: Callable[..., Finding],
    where: str,
    vision: str,
    colours: Colours,
    pairs: Sequence[Pair],
    least: int,
) -> Finding:
    eyes = {"": "every eye", GREY: "a grey print"}.get(vision, vision)
    figures = [(one, other, round(_apart(colours[one], colours[other], vision), 1)) for one, other in pairs]
    words = [f"{one} and {other} ({figure})" for one, other, figure in figures]
    message = f"colour code {where}, for {eyes} at least {least} apart: {listed(words, _MOST_PAIRS)}"
    better = "A sign tells them apart: nothing has to change."
    if say is not info:
        better = _better(colours, pairs[0], least, vision)
    return say(
        "colours_alike",
        message,
        fix=better,
        data={"vision": vision or "every", "least": least, "pairs": [list(each) for each in figures]},
    )


def _better(colours: Colours, pair: Pair, least: int, vision: str) -> str:
    """The nearest shade of one of two colours that is far enough from all others for every eye, or in grey."""
    eyes = (GREY,) if vision == GREY else ("", *VISIONS)
    for near in zip(*(shades(colours[key]) for key in pair), strict=True):
        for key, shade in zip(pair, near, strict=True):
            others = [colour for other, colour in colours.items() if other != key]
            if all(_apart(shade, other, eye) >= least for other in others for eye in eyes):
                return f"Use {shade} for {key}."
    return "Choose other colours, or give each a sign."


def _apart(one: str, other: str, vision: str) -> float:
    """How far two colours are from each other for an eye, or in grey."""
    return abs(lightness(one) - lightness(other)) if vision == GREY else difference(one, other, vision)
