"""What a face depends on: its card, the templates it is made of, the game's data, fonts and pictures.

A digest of them all says whether a face has to be drawn again once a file was saved.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import jinja2
from jinja2 import meta

from carddb.cards.cards import Card
from carddb.core import assets
from carddb.core.files import FileState, file_state
from carddb.games import Game
from carddb.press.faces.card_art import picture_paths
from carddb.press.faces.face_templates import back_of, shown_size, template_for, templates_of
from carddb.press.faces.workshop import BASE, Workshop, context_of

_FONTS = (".ttf", ".otf")
_RECKONED_FAMILY = re.compile(r"""font-family\s*[=:]\s*["']?[^"';]*\{""")
"""A family of which the template itself holds no name: `font-family="{{ family }}"`."""


def workshop_stamps(game: Game) -> dict[str, FileState]:
    """The stamps of the templates and fonts that all faces of a game are drawn with."""
    folders = (game.folder.template_folder, assets.templates() / BASE)
    files = [path for folder in folders for path in sorted(folder.glob("*.svg"))]
    files += [path for path in sorted(game.folder.path.rglob("*")) if path.suffix.lower() in _FONTS]
    return {str(path): file_state(path) for path in files}


@lru_cache(maxsize=512)
def _referenced(source: str) -> frozenset[str | None]:
    """The templates that a template names, None for a name that is reckoned; none for one that cannot be read."""
    try:
        return frozenset(meta.find_referenced_templates(jinja2.Environment().parse(source)))
    except (jinja2.TemplateError, RecursionError):
        return frozenset()


def template_sources(sources: Mapping[str, str], name: str) -> list[str]:
    """The names of the templates that a face is made of: its own, and those that they name in turn."""
    names, left = {name}, [name]
    while left:
        referenced = _referenced(sources.get(left.pop(), ""))
        new = (set(sources) if None in referenced else {str(each) for each in referenced}) - names
        names |= new
        left += new
    symbols = {each for each in sources if each.split("/")[-1].startswith("symbols")}
    return sorted((names | symbols) & sources.keys() | {name})


class FaceKeys:
    """The digests of faces as they would be drawn in a workshop; what is the same on many cards is reckoned once."""

    def __init__(self, workshop: Workshop, stamps: Mapping[str, FileState], folders: Sequence[Path]) -> None:
        self._workshop = workshop
        self._game = workshop.game
        self._folders = folders
        folder = self._game.folder.path
        self._families = {
            family: (spec.stands_in, repr([stamps.get(str(folder / file)) for file in spec.files.values()]))
            for family, spec in self._game.spec.fonts.items()
        }
        self._templates: dict[str, str] = {}
        self._contexts: dict[str, str] = {}
        self._shared: dict[int, tuple[Any, str]] = {}

    def key(self, card: Card, side: str, size: str, ink: str) -> str:
        """The digest of one face of a card; empty where its type has none."""
        file, shown = back_of(self._workshop, card) if side == "back" else (templates_of(self._game, card)[0], card)
        if not file:
            return ""
        template = template_for(self._workshop, file, shown_size(self._game.spec, card, size))
        parts = [self._template(template), side, size, ink]
        if shown:
            parts += [card.ref, self._context(shown), *self._pictures(shown)]
        return _digest(parts)

    def _template(self, name: str) -> str:
        if name not in self._templates:
            sources = self._workshop.studio.templates.sources
            names = template_sources(sources, name)
            texts = [sources.get(each, "") for each in names]
            self._templates[name] = _digest([*names, *texts, *self._fonts_of("".join(texts))])
        return self._templates[name]

    def _fonts_of(self, source: str) -> Iterable[str]:
        """The stamps of the families that a template names, of all where it reckons one, and of those that stand in."""
        is_reckoned = _RECKONED_FAMILY.search(source)
        return [stamp for family, (stands_in, stamp) in sorted(self._families.items())
                if stands_in or is_reckoned or family in source]  # fmt: skip

    def _context(self, card: Card) -> str:
        values = _digest([card.ref, json.dumps(dict(card.values), sort_keys=True, default=str)])
        if values not in self._contexts:
            context = context_of(self._workshop, card)
            self._contexts[values] = _digest([name + self._value(part) for name, part in sorted(context.items())])
        return self._contexts[values]

    def _value(self, part: Any) -> str:
        """A part of a context; a table that many cards share is written out once."""
        if not isinstance(part, Mapping | list | tuple):
            return repr(part)
        if id(part) not in self._shared:
            text = _digest([json.dumps(part, sort_keys=True, default=str)])
            if part is not self._game.spec.data:
                return text
            self._shared[id(part)] = part, text
        return self._shared[id(part)][1]

    def _pictures(self, card: Card) -> Iterable[str]:
        paths = picture_paths(self._game.spec, [card], self._folders)
        return [f"{path} {file_state(path)}" for path in paths]


def _digest(parts: Iterable[str]) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()[:20]
