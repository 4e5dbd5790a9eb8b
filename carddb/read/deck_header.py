"""The header lines of a deck: `Key: value` by the keys of every game and of its own."""

from __future__ import annotations

from carddb.findings import Finding, Place, error, info
from carddb.game import GameSpec
from carddb.names import fold
from carddb.plain_text import without_controls
from carddb.vocabulary import Vocabulary

HEADER_KEYS = ("name", "game", "format", "player", "event", "date")


class Header:
    """The header of one deck: `values` and `places` by the names of fields, `keys` as users write them."""

    def __init__(self, spec: GameSpec, findings: list[Finding]) -> None:
        self.values: dict[str, str] = {}
        self.places: dict[str, Place] = {}
        self.keys = (*HEADER_KEYS, *spec.header)
        self._findings = findings
        self._spec = spec
        self._words = Vocabulary(self.keys, aliases=spec.words.get("header"))

    def knows(self, key: str) -> bool:
        """Whether header lines may begin with a word."""
        return self._words.find(key) is not None

    def has(self, name: str) -> bool:
        """Whether a field has a value."""
        return name in self.values

    def take(self, key: str, value: str, place: Place) -> bool:
        """Takes a header line; False where the key is not known."""
        word = self._words.find(key)
        if word is None:
            return False
        name = self._spec.header.get(word, word)
        if name == "format":
            value = self._spec.format_words.find(value) or value
        if name == "game":
            self._check_game(value, place)
        elif self.values.get(name, value) != value:
            self._findings.append(unread(f"{key} is given twice; the first counts", place, "Keep one of them."))
        elif value:
            self._set(name, value, place)
        return True

    def take_title(self, text: str, place: Place) -> None:
        """Takes a first line that is the name of the deck, as other programs write it."""
        self._set("name", text, place)
        fix = f"Write Name: {text[:80]}"
        self._findings.append(info("title_assumed", f"{text[:80]!r} was read as the name of the deck", place, fix=fix))

    def _set(self, name: str, value: str, place: Place) -> None:
        self.values[name] = without_controls(value)
        self.places[name] = place

    def _check_game(self, value: str, place: Place) -> None:
        if value and fold(value) not in (fold(self._spec.key), fold(self._spec.name)):
            message = f"the deck says that it is for {value[:80]}, but it is read as one for {self._spec.key}"
            fix = f"Name the right game, or change the line to Game: {self._spec.key}."
            self._findings.append(error("game_differs", message, place, fix=fix))


def unread(message: str, place: Place, fix: str = "") -> Finding:
    """The finding for a line that cannot be read."""
    return error("line_unread", message, place, fix=fix or "Write cards as 3 Name [REF], comments with # in front.")
