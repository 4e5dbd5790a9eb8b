"""What the sheet of a module says of a card with a rule of its own."""

from __future__ import annotations

import re
from collections.abc import Sequence

from carddb.core.names import capital, fold
from carddb.game.game import GameSpec
from carddb.games.cdg_solo.module.module import Game, module_of, raw_module
from carddb.games.cdg_solo.module.parts import CardException
from carddb.games.cdg_solo.print.words import as_read

_RULES = re.compile(r"(?:\s*\{[A-Z]+-\d+\})+")


def sentence(spec: GameSpec, game: Game, entries: Sequence[CardException]) -> str:
    """The paragraphs of the sheet whose heads name the card, without rule ids; empty where there are none."""
    titles = {fold(entry.title) for entry in entries}
    texts = as_read(raw_module(spec, game)["sheet_back"], module_of(spec, game).options)
    paragraphs = (_RULES.sub("", text).partition(": ") for text in texts)
    bodies = [body for head, _, body in paragraphs if any(title in fold(head) for title in titles)]
    return " ".join(capital(body) for body in bodies)
