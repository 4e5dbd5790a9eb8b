"""A form that prints: its fields as options, and as words of the command line."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, ClassVar, Self, cast

from carddb.app.printing.options import PAPER, PaperOptions, PrintOption
from carddb.app.workspace.workspace import Workspace
from carddb.core.options import Option
from carddb.web.http.requests import day_of, refuse_others

HOUSE_OPTION = "option."
"""What the names of fields begin with that are readings of the game's rules."""
_AT_ONCE = ("paper", "stock", "printer", "ink", "flip", "marks")
"""The options that a page shows at once and places itself."""
_OF_OWNER = tuple(name for name, option in PAPER.items() if option.group == "printer")


@dataclass(frozen=True)
class PaperForm:
    """The fields of a form by name, as texts; those that are empty say nothing.

    A kind of form has `OWN` fields beside those of the paper, of which `RARE` ones are seldom chosen, `OF_OWNER` ones
    are not for strangers, and many may begin with one of the `PREFIXES`. Raises UsageError for an unknown field or
    word.
    """

    fields: Mapping[str, str]
    OWN: ClassVar[tuple[str, ...]] = ()
    RARE: ClassVar[tuple[str, ...]] = ()
    OF_OWNER: ClassVar[tuple[str, ...]] = ()
    PREFIXES: ClassVar[tuple[str, ...]] = (HOUSE_OPTION,)

    def __post_init__(self) -> None:
        refuse_others([name for name in self.fields if not name.startswith(self.PREFIXES)], *self._names())
        for name, option in PAPER.items():
            if option.choices and self.fields.get(name):
                option.value(self.fields[name])

    @classmethod
    def of(cls, fields: Mapping[str, str], public: bool) -> Self:
        """The form without the fields that are not its own, and for strangers without those of the owner."""
        left_out = (*_OF_OWNER, *cls.OF_OWNER) if public else ()
        names = set(cls._names()).difference(left_out)
        return cls({name: text for name, text in fields.items() if name in names or name.startswith(cls.PREFIXES)})

    @classmethod
    def _names(cls) -> tuple[str, ...]:
        return (*cls.OWN, *PAPER, *cls.RARE, "own_paper", "quick")

    @property
    def has_measures(self) -> bool:
        """Whether one of the options is chosen that a form shows below the others."""
        return any(self.text(name) for name in ("own_paper", *self.RARE, *PAPER) if name not in _AT_ONCE)

    @property
    def house_options(self) -> dict[str, str]:
        """The readings of the game's rules that the table has chosen."""
        return house_options_of(self.fields)

    @property
    def on(self) -> date | None:
        """The day of the sheets. Raises UsageError."""
        return day_of(self.fields, "on")

    @property
    def paper(self) -> PaperOptions:
        """How faces and sheets are printed. Raises UsageError."""
        return cast("PaperOptions", self.typed(PAPER.values()))

    def text(self, name: str) -> str:
        """What a field says; empty where it says nothing."""
        return self.fields.get(name, "").strip()

    def typed(self, options: Iterable[Option]) -> dict[str, Any]:
        """What the form says of options, by name. A paper of one's own goes before the one that was chosen.

        Raises UsageError for a text that is no number.
        """
        own = self.text("own_paper")
        texts = ((option, own if own and option.name == "paper" else self.text(option.name)) for option in options)
        return {option.name: option.of_text(text) for option, text in texts if text}


def seldom_chosen(public: bool) -> dict[str, list[PrintOption]]:
    """The options that a form shows below the others: those of faces, of sheets, switches last, and of words."""
    rare = [option for name, option in PAPER.items() if name not in (_AT_ONCE + _OF_OWNER if public else _AT_ONCE)]
    return {
        "faces": [option for option in rare if option.of_faces and option.group != "words"],
        "sheets": sorted((option for option in rare if not option.of_faces), key=lambda option: option.is_switch),
        "words": [option for option in rare if option.group == "words"],
    }


def house_options_of(fields: Mapping[str, str]) -> dict[str, str]:
    """The readings of the game's rules that the table has chosen."""
    return {
        name.removeprefix(HOUSE_OPTION): value
        for name, value in fields.items()
        if name.startswith(HOUSE_OPTION) and value
    }


def option_words(options: Mapping[str, Any]) -> Iterator[str]:
    """Options as words of the command line; pairs as `--option name=value`, and those that say nothing not at all."""
    for name, value in options.items():
        flag = f"--{name.replace('_', '-')}"
        if isinstance(value, Mapping):
            for key, part in value.items():
                yield from (flag, f"{key}={part}")
        elif value:
            yield from (flag,) if value is True else (flag, str(value))


def command_line(project: Workspace | None, *words: str) -> str:
    """A command of carddb; with `project` it names its catalogue and its folders of games, where it must."""
    own: list[str] = []
    if project and project.explicit_catalog:
        own += ["--catalog", str(project.explicit_catalog)]
    for folder in project.game_folders if project else ():
        own += ["--games", str(folder)]
    return shlex.join(["carddb", *own, *words])
