"""The chapter of the handbook about faces, as the code has them that draws them: parts, elements, attributes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from textwrap import wrap
from typing import NamedTuple

from carddb.core import assets
from carddb.layout.drawing import svg_parser
from carddb.layout.templates.renderer import Sandbox
from tests.handbook.face_words import ATTRIBUTES, ELEMENTS, VARIABLES

_LINE = 48
"""The letters of a line of code that stand in a column of the handbook."""
FOLDER = assets.templates() / "_parts"
_MACRO = re.compile(r"{# (?P<about>[^#]*?) #}\n{% macro (?P<name>\w+)\((?P<arguments>.*?)\) %}", re.DOTALL)


class Part(NamedTuple):
    """A part of faces: what it is, its name, and its arguments as they are written."""

    name: str
    about: str
    arguments: str


def parts() -> Iterator[Part]:
    """Every part of the library, in its order."""
    for match in _MACRO.finditer((FOLDER / "parts.svg").read_text("utf-8")):
        yield Part(match["name"], match["about"], match["arguments"])


def faces() -> str:
    """Every part with its call and its picture."""
    blocks = [
        "# Faces",
        "A **face** is an SVG file with Jinja in it; the chapter [A game of your own](own-game.md#faces) explains how "
        "to write one. This chapter has everything that may be in it.",
        "## Parts",
        "Every game can use these **parts**. A template imports them and calls those that it needs; arguments that are "
        "left out have values for a poker card. Lengths are in millimetres, type sizes in points. `style` holds the "
        "colours and font families: `parts.look`, or a copy of it with changes. If the copy has `dir=dir`, the parts "
        "are mirrored in languages written from right to left; for a card that is not 63.5 mm wide it also needs the "
        "`width`.",
        "```svg\n"
        '{% import "_parts/parts.svg" as parts %}\n'
        '{% set style = dict(parts.look, accent="#7a3b2e") %}\n'
        '<svg xmlns="http://www.w3.org/2000/svg"\n'
        '  viewBox="0 0 63.5 88.9">\n'
        '{{ parts.frame("lines", style=style) }}\n'
        "{{ parts.title_bar(card.name, style=style) }}\n"
        "{{ parts.text_box(card.text, card.flavour, style=style) }}\n"
        "</svg>\n```",
    ]
    for part in parts():
        call = wrap(f"parts.{part.name}({part.arguments})", 50, subsequent_indent="    ", break_on_hyphens=False)
        blocks += [
            f"### `parts.{part.name}`",
            part.about,
            "\n".join(("```text", *call, "```")),
            f"![{part.about}](sample:{part.name})",
        ]
    return "\n\n".join((*blocks, *_elements(), *_variables()))


def sample(name: str) -> str:
    """The lines of a sample between the first and the last tag; the whole of that of the face itself."""
    text = (FOLDER / "samples" / f"element-{name}.svg").read_text("utf-8").strip()
    shown = text if name == "svg" else text.partition("\n")[2].rpartition("\n")[0]
    lines = re.sub(r"\n  +", " ", shown).split("\n")
    return "\n".join(
        part for line in lines for part in wrap(line, _LINE, subsequent_indent="  ", break_on_hyphens=False)
    )


def _elements() -> Iterator[str]:
    """Every element with its own attributes and its sample, then the attributes that all have."""
    yield "## Elements"
    yield "Lengths without a unit are units of the `viewBox`, on cards millimetres; others are `pt`, `mm` and `in`."
    for name, own in svg_parser.ATTRIBUTES.items():
        yield f"### `<{name}>`"
        yield ELEMENTS[name]
        if own:
            yield _attributes(sorted(own))
        yield f"```svg\n{sample(name)}\n```"
        yield f"![{ELEMENTS[name]}](sample:element-{name})"
    yield "## Attributes of every element"
    yield "Colours, lines and letters that are set on a group apply to everything in it."
    yield _attributes(sorted(svg_parser.COMMON))


def _attributes(names: Iterable[str]) -> str:
    rows = [f"| `{name}` | {ATTRIBUTES[name]}{_accepted(name)} |" for name in names]
    return "\n".join(("| Attribute | What it is |", "|---|---|", *rows))


def _accepted(name: str) -> str:
    values = svg_parser.VALUES.get(name)
    return f": {', '.join(f'`{value}`' for value in values)}" if values else ""


def _variables() -> Iterator[str]:
    """What templates see and may use."""
    yield "## What a template sees"
    yield "`face_data` in `rules.py` may add more."
    rows = [f"| `{name}` | {about} |" for name, about in VARIABLES.items()]
    yield "\n".join(("| Name | What it is |", "|---|---|", *rows))
    filters = sorted(Sandbox({}).filters)
    yield f"**Filters** follow a vertical bar, `{{{{ card.name | upper }}}}`: {', '.join(f'`{n}`' for n in filters)}."
