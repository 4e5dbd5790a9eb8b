"""Several files read as one: JSON files of one card each."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Sequence
from pathlib import Path

from carddb.core.files import NamedBytes, read_file
from carddb.findings import Place
from carddb.read.cards.lines import is_one_card

_MOST_BYTES = 1 << 20
"""The most bytes of a file of one card."""


class JoinedFiles(NamedBytes):
    """JSON files of one object each, read as one list that is called after their folder."""

    def __init__(self, folder: Path, files: Sequence[tuple[Path, str]]) -> None:
        super().__init__(("[\n" + "\n,\n".join(text for _, text in files) + "\n]\n").encode(), str(folder))
        self._paths = [path for path, _ in files]
        self._starts = [1]
        for _, text in files:
            self._starts.append(self._starts[-1] + text.count("\n") + 2)

    @property
    def path(self) -> Path:
        """The folder's name with the suffix of its files, so that it says set, language and kind as a file's does."""
        return Path(f"{Path(self.name).resolve()}.json")

    def place(self, place: Place) -> Place:
        """Returns a place in the list as the place in its own file."""
        at = bisect_right(self._starts, place.line - 1) - 1
        if place.file != self.name or not 0 <= at < len(self._paths):
            return place
        return place._replace(file=str(self._paths[at]), line=place.line - self._starts[at])


def object_text(path: Path) -> str | None:
    """Returns the text of a JSON file that is one object, and no list of cards under a key; None for any other file."""
    if path.suffix.lower() != ".json":
        return None
    data = read_file(path, _MOST_BYTES)
    if len(data) > _MOST_BYTES or not data.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{"):
        return None
    try:
        text = data.decode("utf-8-sig")
        return text if is_one_card(json.loads(text)) else None
    except (ValueError, RecursionError):
        return None
