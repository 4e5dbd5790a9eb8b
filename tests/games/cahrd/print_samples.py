"""Faces and components of C.A.H.R.D. as they are drawn, for the tests of its print."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from carddb.cards.cards import Card
from carddb.core.units import Size
from carddb.findings import CardCount, Finding
from carddb.games.cahrd.print import components, faces
from carddb.layout.display_list import Face, Run, walk
from carddb.layout.drawing.face import DrawnFace, draw
from carddb.press.faces.workshop import Workshop, open_workshop
from tests.games.cahrd.samples import GAME, OWN, SPEC

POKER = Size.parse("63.5x88.9mm")


@lru_cache(maxsize=1)
def workshop() -> Workshop:
    return open_workshop(GAME)


def card(kind: str, name: str = "Ada Example", **values: Any) -> Card:
    own = {key: value for key, value in OWN[kind].items() if key not in values}
    return SPEC.card(f"X-{kind}", {"name": name, "type": kind, **own, **values})


def face_of(one: Card) -> DrawnFace:
    template = f"cahrd/{SPEC.types[one.type].face}"
    return draw(workshop().kit, template, faces.face_data(one, SPEC), CardCount(one.ref, one.name))


def component(name: str, extra: Mapping[str, Any] | None = None, game: Any = SPEC) -> DrawnFace:
    """A component by its template's name."""
    return draw(
        workshop().kit, f"cahrd/{name}.svg", components.component_data(name, game, extra or {}), CardCount("", name)
    )


def words(face: Face) -> list[str]:
    return [shape.text.strip() for shape in walk(face.shapes) if isinstance(shape, Run)]


def told(face: Face) -> str:
    return " ".join(words(face))


def messages(findings: tuple[Finding, ...]) -> list[str]:
    return [finding.message for finding in findings]
