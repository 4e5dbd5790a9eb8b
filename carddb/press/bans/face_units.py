"""Faces of cards beside their names on printed notices and lists. Lengths are millimetres."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from carddb.press.bans.pictures import CardPicture, art_name

Pictures = Mapping[str, CardPicture]

BESIDE_CHANGE = 11.0
"""How wide a face stands beside what is said of its card."""
AIR = 1.2
"""What stays free over and under a face."""
_GAP = 3.0
"""Between a face and the words beside it."""


def face_beside(pictures: Pictures, ref: str, wide: float) -> dict[str, Any] | None:
    """A face of this width for a template, with its height and where words begin beside it, if there is one."""
    picture = pictures.get(ref)
    if picture is None:
        return None
    return {"art": art_name(ref), "wide": wide, "tall": wide * picture.ratio, "words": wide + _GAP}
