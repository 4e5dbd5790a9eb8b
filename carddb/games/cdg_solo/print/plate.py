"""Which woodcut stands on a card: by the words of its title, else by its kinds, else by chance that stays the same."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from carddb.games.printed_words import first_match


class Plate(NamedTuple):
    """A drawing of the template folder, without its height; `mirrored` is drawn from right to left.

    Only what has no other composition is mirrored: each drawing and each of its mirrors takes time and room in a file.
    """

    name: str
    mirrored: bool


def plate_of(title: str, kinds: Iterable[str], table: Mapping[str, Any]) -> Plate:
    """The plate of a card; `table` is the game's `plates.yaml`. Cards of one title have the same."""
    digest = hashlib.sha256(f"cdg-plate {title}".encode()).digest()
    motif = first_match(table["words"], title) or next(
        (table["kinds"][kind] for kind in kinds if kind in table["kinds"]), ""
    )
    motif = motif or table["others"][digest[0] % len(table["others"])]
    count = table["compositions"][motif]
    return Plate(f"{motif}-{digest[1] % count + 1}", count == 1 and bool(digest[2] % 2))
