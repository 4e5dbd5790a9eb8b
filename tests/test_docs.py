"""The README tells what the program does, in the program's own words."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from carddb.cli.app import VERBS, carddb
from carddb.games import Game

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"


def reference() -> str:
    """Every verb with its arguments, options and help, as Markdown."""
    context = click.Context(carddb, info_name="carddb")
    parts = []
    for name in VERBS:
        command = carddb.get_command(context, name)
        assert command is not None
        parts.append(_section(command, click.Context(command, info_name=name, parent=context)))
    return "\n\n".join(parts)


def _section(command: click.Command, context: click.Context) -> str:
    usage = command.get_usage(context).removeprefix("Usage: ")
    lines = [f"### `{' '.join(usage.split())}`", "", (command.help or "").strip().replace("\n    ", "\n"), ""]
    for parameter in command.get_params(context):
        if isinstance(parameter, click.Option) and "--help" not in parameter.opts:
            record = parameter.get_help_record(context)
            assert record is not None
            lines.append(f"* `{record[0]}` {record[1]}")
    return "\n".join(lines).rstrip()


def replaced(text: str, mark: str, body: str) -> str:
    """The text between two marks of the README, replaced."""
    return re.sub(rf"(<!-- {mark} -->\n).*?(<!-- /{mark} -->)", lambda m: f"{m[1]}{body}\n{m[2]}", text, flags=re.S)


def illegal_check(folder: Path, game: Game) -> str:
    """The real output of checking the bundled deck that is not legal."""
    deck = (game.folder.path / "decks" / "demo" / "illegal.deck").read_text("utf-8")
    (folder / "river.deck").write_text(deck, "utf-8")
    result = CliRunner().invoke(carddb, ["check", "river.deck", "--on", "2026-11-21"], standalone_mode=False)
    assert result.return_value == 1, result.output
    return f"```console\n$ carddb check river.deck\n{result.stdout.strip()}\n```"


def test_the_readme_is_not_stale(folder: Path, game: Game, request: pytest.FixtureRequest) -> None:
    """The command reference and the check in the README are what the program prints today."""
    text = README.read_text("utf-8")
    fresh = replaced(replaced(text, "commands", reference()), "check", illegal_check(folder, game))
    if request.config.getoption("--update-goldens"):
        README.write_text(fresh, "utf-8")
    assert README.read_text("utf-8") == fresh, "run pytest --update-goldens and look at the difference"


def test_every_verb_has_help_and_is_documented() -> None:
    """No verb and no option is without a sentence."""
    context = click.Context(carddb, info_name="carddb")
    for name in VERBS:
        command = carddb.get_command(context, name)
        assert command is not None and command.help
        assert f"`carddb {name}" in README.read_text("utf-8")
        for parameter in command.params:
            if isinstance(parameter, click.Option):
                assert parameter.help, f"{name} {parameter.name}"


def test_the_readme_promises_the_two_commands_and_shows_a_sheet() -> None:
    """The first screen has the two commands and a picture that exists."""
    first = "\n".join(README.read_text("utf-8").splitlines()[:14])
    assert "pip install . && carddb demo" in first
    assert 'pip install -e ".[dev]" && pytest' in first
    picture = re.search(r"!\[.*?\]\((.*?)\)", first)
    assert picture and (ROOT / picture[1]).is_file()


def test_the_readme_lists_every_font_with_its_licence(game: Game) -> None:
    """Each family that is used stands in the README beside its package and licence."""
    from carddb.press.workshop import document_fonts

    text = README.read_text("utf-8")
    for family, spec in {**game.spec.fonts, **document_fonts()}.items():
        assert re.search(rf"\| {family}.* \| `{spec.package.replace('_', '-')}` \| {spec.licence} \|", text), family
