"""The chapter of the handbook about faces, as the code has them that draws them: parts, elements, attributes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from carddb import assets

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
        "A **face** is an SVG file with Jinja in it; the chapter [A game of your own](own-game.md#faces) tells how one "
        "is written. This chapter has all that may stand in it.",
        "## Parts",
        "Every game has these **parts**. A template takes them in and says which it wants; what is left out stands as "
        "on a poker card. Lengths are millimetres, sizes points. `style` holds colours and families: `parts.look`, or "
        "a copy of it with others.",
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
        blocks += [
            f"### `parts.{part.name}`",
            part.about,
            _call(part),
            f'![{part.about}](sample:{part.name} "{part.name}")',
        ]
    return "\n\n".join(blocks)


def _call(part: Part) -> str:
    """A call with every argument and its default."""
    arguments = re.split(r", (?=\w+=)|, (?=\w+$)", part.arguments)
    lines, line = [], f"parts.{part.name}("
    for number, argument in enumerate(arguments):
        piece = argument + ("," if number < len(arguments) - 1 else ")")
        if len(line) + len(piece) > 50:
            lines.append(line.rstrip())
            line = "    "
        line += f"{piece} "
    return "```text\n" + "\n".join([*lines, line.rstrip()]) + "\n```"
