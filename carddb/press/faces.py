"""Cards and components to faces: which template, at what size, drawn once each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from carddb.errors import GameError
from carddb.findings import CardCount, Finding
from carddb.games import Game
from carddb.layout.display import Face
from carddb.layout.face import Drawn, draw
from carddb.layout.stock import CARDS
from carddb.pool import Card
from carddb.press.workshop import Workshop, context_of
from carddb.units import Size

_OF_THE_TEMPLATE = ("text_too_small", "contrast_low")


@dataclass
class FaceBank:
    """Faces of a job in the order first asked for; a face is drawn once, whatever its copies."""

    workshop: Workshop
    size: Size | None = None
    faces: list[Face] = field(default_factory=list)
    _findings: list[Finding] = field(default_factory=list)
    _index: dict[str, int] = field(default_factory=dict)

    @property
    def findings(self) -> list[Finding]:
        """What is wrong with the faces: one finding for a fault that the template repeats on many cards."""
        return merged(self._findings)

    def front(self, card: Card) -> int:
        """The number of a card's front."""
        template = templates_of(self.workshop.game, card)[0]
        if not template:
            raise GameError(f"{self.workshop.game.spec.name} has no face for the type {card.type!r}")
        subject = CardCount(card.ref, card.name)
        return self._draw(f"front {card.ref}", template, subject, lambda: context_of(self.workshop.game, card))

    def back(self, card: Card) -> int | None:
        """The number of a card's back; None where its type has none."""
        template = templates_of(self.workshop.game, card)[1]
        return self.plain(template) if template else None

    def plain(self, template: str, extra: Mapping[str, Any] | None = None, key: str = "") -> int:
        """The number of a face without a card: a back or a component; `key` tells those of one template apart."""
        stem = template.removesuffix(".svg")
        spec = self.workshop.game.spec
        make = self.workshop.game.hook("component_data")

        def context() -> dict[str, Any]:
            if make:
                return dict(make(stem, spec, dict(extra or {})))
            return {"data": spec.data, "game": {"name": spec.name, "by": spec.by}, **(extra or {})}

        return self._draw(f"plain {template} {key}", template, CardCount("", stem), context)

    def _draw(self, key: str, template: str, subject: CardCount, context: Any) -> int:
        if key not in self._index:
            drawn = self._drawn(template, context(), subject)
            self._index[key] = len(self.faces)
            self.faces.append(drawn.face)
            self._findings.extend(drawn.findings)
        return self._index[key]

    def _drawn(self, template: str, context: Mapping[str, Any], subject: CardCount) -> Drawn:
        name = f"{self.workshop.prefix}/{template}"
        return draw(self.workshop.studio, self._for_size(name), context, subject, self.size)

    def _for_size(self, name: str) -> str:
        """`unit.poker.svg` where it exists and poker is the size asked for; else `unit.svg`."""
        if self.size is None:
            return name
        stem = name.removesuffix(".svg")
        variants = (f"{stem}.{size}.svg" for size, known in CARDS.items() if known == self.size)
        return next((variant for variant in variants if variant in self.workshop.studio.templates), name)


def templates_of(game: Game, card: Card) -> tuple[str, str]:
    """Front and back of a card: by the game's own `templates_of`, else as the type has them."""
    choose = game.hook("templates_of")
    kind = game.spec.types.get(card.type)
    face, back = choose(card, game.spec) if choose else (kind.face, kind.back) if kind else ("", "")
    return str(face), str(back)


def merged(findings: Iterable[Finding]) -> list[Finding]:
    """Findings of one code and field that come from the template, not from a card's own words, become one."""
    groups: dict[object, list[Finding]] = {}
    for number, finding in enumerate(findings):
        alike = finding.code in _OF_THE_TEMPLATE
        groups.setdefault((finding.code, finding.data.get("field")) if alike else number, []).append(finding)
    return [_one(group) for group in groups.values()]


def _one(group: list[Finding]) -> Finding:
    first = group[0]
    cards = tuple(dict.fromkeys(card for finding in group for card in finding.cards))
    if len(cards) < 2:
        return first
    more = f"{first.message}; the same on {len(cards) - 1} more face{'s' if len(cards) > 2 else ''}"
    return replace(first, message=more, cards=cards)
