"""Drafts: new values of cells that stand in no file yet, kept beside the project so that none is lost."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from carddb.core.errors import InputError
from carddb.core.files import write_file

FILE = ".carddb-drafts.json"
_SCHEMA = "carddb.drafts/1"

Cell = tuple[str, str]
"""A cell of the table: the reference of a card and a field."""


class CellDraft(NamedTuple):
    """What a cell is to hold, what its file held when it was edited first, and when it was edited last (ISO)."""

    text: str
    before: str
    edited_at: str


class Drafts:
    """The drafts of a project by game and cell; every change is written at once.

    Raises InputError where the file holds something else, and OutputError where it cannot be written.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE
        self.revision = 0
        """Counts the changes."""
        self._games: dict[str, dict[Cell, CellDraft]] = _read(self.path)

    def of(self, game: str) -> Mapping[Cell, CellDraft]:
        """The drafts of a game, the oldest first."""
        return self._games.get(game, {})

    def set(self, game: str, cell: Cell, draft: CellDraft) -> None:
        """Keeps a draft."""
        self._games.setdefault(game, {})[cell] = draft
        self._write()

    def drop(self, game: str, *cells: Cell) -> None:
        """Forgets drafts; those that are none are passed over."""
        of_game = self._games.get(game, {})
        if [of_game.pop(cell) for cell in cells if cell in of_game]:
            self._write()

    def _write(self) -> None:
        self.revision += 1
        rows = list(self._rows())
        if rows:
            text = json.dumps({"schema": _SCHEMA, "drafts": rows}, ensure_ascii=False, indent=1) + "\n"
            write_file(self.path, text.encode(), durable=False)
        else:
            self.path.unlink(missing_ok=True)

    def _rows(self) -> Iterator[dict[str, str]]:
        for game, drafts in self._games.items():
            for (ref, field), draft in drafts.items():
                yield {"game": game, "ref": ref, "field": field, **draft._asdict()}


def _read(path: Path) -> dict[str, dict[Cell, CellDraft]]:
    games: dict[str, dict[Cell, CellDraft]] = {}
    try:
        document = json.loads(path.read_text("utf-8"))
        if document["schema"] != _SCHEMA:
            raise ValueError(document["schema"])
        for row in document["drafts"]:
            draft = CellDraft(*(str(row[name]) for name in CellDraft._fields))
            games.setdefault(str(row["game"]), {})[str(row["ref"]), str(row["field"])] = draft
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, KeyError, TypeError) as fault:
        raise InputError(f"{path} cannot be read as drafts of the studio", "Move it away, or mend it.") from fault
    return games
