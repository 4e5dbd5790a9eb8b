"""The fields of a form that say how sheets are printed, as options and as words of the command line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, cast

from carddb.app.workspace.workspace import Workspace
from carddb.core.errors import UsageError

HOUSE_OPTION = "option."
"""What the names of fields begin with that are readings of the game's rules."""
FACES = ("card_size", "ink", "lang", "flip", "bleed")
SHEETS = ("paper", "stock", "margin", "gutter", "marks", "art_dpi", "max_mb", "printer", "tray")
SHEET_SWITCHES = ("fold", "guides", "outlines")
_NUMBERS: Mapping[str, type[int] | type[float]] = {"art_dpi": int, "dpi": int, "max_mb": float, "players": int}


def text_of_field(fields: Mapping[str, str], name: str) -> str:
    """What a field says; empty where it says nothing."""
    return fields.get(name, "").strip()


def texts_of(fields: Mapping[str, str], names: tuple[str, ...]) -> dict[str, str]:
    """What the fields of these names say; a paper of one's own goes before the one that was chosen."""
    texts = {name: text_of_field(fields, name) for name in names}
    if "paper" in texts:
        texts["paper"] = text_of_field(fields, "own_paper") or texts["paper"]
    return texts


def typed_options(fields: Mapping[str, str], texts: Mapping[str, str], switches: tuple[str, ...]) -> dict[str, Any]:
    """The options by the names of the command line, with `_` for `-`; empty ones are left out. Raises UsageError."""
    values: dict[str, Any] = {name: number_of(name, text) for name, text in texts.items() if text}
    return values | {name: True for name in switches if fields.get(name)}


def house_options_of(fields: Mapping[str, str]) -> dict[str, str]:
    """The readings of the game's rules that the table has chosen."""
    return {
        name.removeprefix(HOUSE_OPTION): value
        for name, value in fields.items()
        if name.startswith(HOUSE_OPTION) and value
    }


def option_words(options: Mapping[str, Any]) -> Iterator[str]:
    """Options as words of the command line."""
    for name, value in options.items():
        yield from (dashed(name),) if value is True else (dashed(name), str(value))


def house_option_words(options: Mapping[str, str]) -> Iterator[str]:
    """Readings of the rules as words of the command line."""
    for name, value in options.items():
        yield from ("--option", f"{name}={value}")


def project_words(project: Workspace) -> Iterator[str]:
    """The catalogue and the folders of games that a command line must name."""
    if project.explicit_catalog:
        yield from ("--catalog", str(project.explicit_catalog))
    for folder in project.game_folders:
        yield from ("--games", str(folder))


def dashed(name: str) -> str:
    """The option of the command line for a field."""
    return f"--{name.replace('_', '-')}"


def number_of(name: str, text: str) -> str | int | float:
    """What a field says, as a number where it is one. Raises UsageError."""
    kind = _NUMBERS.get(name)
    try:
        number = kind(text) if kind else text
    except ValueError:
        raise UsageError(f"{name.replace('_', ' ')} is not {text!r}", "Write a number.") from None
    if kind and not 0 < cast(float, number) < 10_000:
        raise UsageError(f"{name.replace('_', ' ')} is not {text!r}", "Write a number above 0.")
    return number
