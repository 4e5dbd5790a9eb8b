"""The form of the components of a game: its fields as what is printed, and as the command that makes the same file."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import cast

from carddb.app.printing.component_prints import ComponentRequest
from carddb.app.printing.options import PaperOptions, check_words
from carddb.app.printing.selection import is_deck_file
from carddb.app.workspace.workspace import Workspace
from carddb.core.errors import UsageError
from carddb.core.names import did_you_mean
from carddb.press.components.selection import EVERY_MODULE, modules_of
from carddb.web.http.requests import day_of, refuse_others
from carddb.web.printing.paper_form import (
    FACES,
    HOUSE_OPTION,
    SHEET_SWITCHES,
    SHEETS,
    house_option_words,
    house_options_of,
    number_of,
    option_words,
    project_words,
    text_of_field,
    texts_of,
    typed_options,
)

_PART, _VALUE = "part.", "set."
"""What the names of fields begin with that choose a component, and the value of a variant."""
_CHOICE = ("game", "players", "deck", "deck_name", "deck_text", "module", "no_contents", "on")
FIELDS = (*_CHOICE, *FACES, *SHEETS, *SHEET_SWITCHES, "own_paper", "spreadsheet", "quick")
_PREFIXES = (_PART, _VALUE, HOUSE_OPTION)
MEASURES = ("own_paper", "card_size", "bleed", "gutter", "margin", "lang", "art_dpi", "max_mb", "tray", *SHEET_SWITCHES)
"""The options that are seldom chosen."""
_MOST_PLAYERS = 20


@dataclass(frozen=True)
class ComponentForm:
    """The fields of the form by name, as texts; those that are empty say nothing."""

    fields: Mapping[str, str]

    def __post_init__(self) -> None:
        refuse_others({name: value for name, value in self.fields.items() if not name.startswith(_PREFIXES)}, *FIELDS)
        check_words(self.fields)

    @property
    def names(self) -> list[str]:
        """The components that were chosen, by key; none is all of them."""
        return [name.removeprefix(_PART) for name, value in self.fields.items() if name.startswith(_PART) and value]

    @property
    def house_options(self) -> dict[str, str]:
        """The readings of the game's rules that the table has chosen."""
        return house_options_of(self.fields)

    @property
    def has_measures(self) -> bool:
        """Whether one of the options is chosen that a form shows below the others."""
        return any(text_of_field(self.fields, name) for name in MEASURES)

    @property
    def on(self) -> date | None:
        """The day of the sheets. Raises UsageError."""
        return day_of(self.fields, "on")

    @property
    def paper(self) -> PaperOptions:
        """How the sheets are printed. Raises UsageError."""
        return cast(PaperOptions, typed_options(self.fields, texts_of(self.fields, (*FACES, *SHEETS)), SHEET_SWITCHES))

    def request(self, project: Workspace) -> ComponentRequest:
        """What is printed. No file of the server is named by it. Raises UsageError."""
        key, module = text_of_field(self.fields, "game"), text_of_field(self.fields, "module")
        modules = modules_of(project.game(key).spec)
        if module and module not in (*modules, EVERY_MODULE):
            raise UsageError(f"there is no module {module!r}", did_you_mean(module, modules))
        contents = not self.fields.get("no_contents")
        return ComponentRequest(
            key, tuple(self.names), self._players, self._deck, module, self._values, contents, self.house_options
        )

    def command(self, project: Workspace | None) -> str:
        """The command that makes the same file; `project` where its own files are told."""
        words = ["carddb", *(project_words(project) if project else ()), "components"]
        words += [text_of_field(self.fields, "game"), *self.names, *self._choice_words()]
        words += house_option_words(self.house_options)
        words += ["--no-contents"] if self.fields.get("no_contents") else []
        words += option_words(self.paper)
        return shlex.join([*words, "-o", f"components.{'xlsx' if self.fields.get('spreadsheet') else 'pdf'}"])

    @property
    def _players(self) -> int | None:
        text = text_of_field(self.fields, "players")
        players = int(number_of("players", text)) if text else None
        if players is not None and players > _MOST_PLAYERS:
            raise UsageError(f"{text} players are too many", f"Components are printed for at most {_MOST_PLAYERS}.")
        return players

    @property
    def _deck(self) -> str:
        """The text of the deck that was opened, else the name of a deck. Raises UsageError for the name of a file."""
        if text := text_of_field(self.fields, "deck_text"):
            return text.replace("\r\n", "\n") + "\n"
        name = text_of_field(self.fields, "deck")
        if is_deck_file(name):
            raise UsageError(f"{name!r} is the name of a file", "Open the deck with the button.")
        return name

    @property
    def _values(self) -> dict[str, str]:
        return {
            name.removeprefix(_VALUE): value for name, value in self.fields.items() if name.startswith(_VALUE) and value
        }

    def _choice_words(self) -> Iterator[str]:
        deck = text_of_field(self.fields, "deck_name") if self.fields.get("deck_text") else ""
        options = {"players": text_of_field(self.fields, "players"), "deck": deck or self._deck,
                   "module": text_of_field(self.fields, "module"), "on": text_of_field(self.fields, "on")}  # fmt: skip
        yield from option_words({name: value for name, value in options.items() if value})
        for key, value in self._values.items():
            yield from ("--set", f"{key}={value}")
