"""The README tells what the program does, in the program's own words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from carddb.cards import SAMPLE
from carddb.cli.main import VERBS, carddb
from carddb.games import Game, folders, load
from carddb.press.shops import profiles
from carddb.read.card_file import read_cards

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"


def reference() -> str:
    """Every verb with its arguments, options and help, as Markdown."""
    return "\n\n".join(_section(command, context) for command, context in every_command())


def every_command() -> Iterator[tuple[click.Command, click.Context]]:
    """Every verb, and in its place the commands of a verb that has some."""
    top = click.Context(carddb, info_name="carddb")
    for name in VERBS:
        command = carddb.get_command(top, name)
        assert command is not None
        context = click.Context(command, info_name=name, parent=top)
        if isinstance(command, click.Group):
            parts = [
                (part, click.Context(part, info_name=key, parent=context)) for key, part in command.commands.items()
            ]
        else:
            parts = [(command, context)]
        yield from parts


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


def said(*arguments: str) -> str:
    """A command and what it says, as it stands in the README."""
    result = CliRunner().invoke(carddb, list(arguments), standalone_mode=False)
    words = " ".join(word if re.fullmatch(r"[\w./-]+", word) else f'"{word}"' for word in arguments)
    return f"```console\n$ carddb {words}\n{result.stdout.strip()}\n```"


def question(folder: Path) -> str:
    """A question from a file, and its answer."""
    text = '{"attacker": {"strength": 7, "life": 8}, "defender": {"strength": 5, "life": 6}}'
    (folder / "chariot.json").write_text(text, "utf-8")
    told = said("judge", "eg.compare", "chariot.json")
    return told.replace("$ carddb", f"$ cat chariot.json\n{text}\n$ carddb", 1)


def profile_table() -> str:
    """The print shops' profiles, and where their figures come from."""
    rows = [
        f"| `{name}` | {found.upload} | {found.trim} | {found.bleed / 1000:g} mm | {found.safe / 1000:g} mm "
        f"| {found.shop.products[found.key].sure} |"
        for name, found in profiles().items()
    ]
    shops = {found.shop.name: found.shop for found in profiles().values()}.values()
    sources = "; ".join(f"{shop.name}: {shop.source}, read {shop.read}" for shop in shops)
    head = ("| `--profile` | upload | cut to | bleed | safe | sure |", "| --- | --- | --- | --- | --- | --- |")
    return "\n".join(
        (*head, *rows, "", f"Sources: {sources}. Shops change their sizes; look at theirs before you order.")
    )


def game_table() -> str:
    """What comes with each game."""
    rows = []
    for key, folder in folders().items():
        found, _ = load(folder)
        assert found and folder.cards_file
        cards = read_cards(folder.cards_file, found.spec, default_set=SAMPLE, images_root=folder.path)
        drawn = [part for part in found.spec.components.values() if part.template]
        rows.append(f"| {found.spec.name} | `{key}` | {len(cards.records)} | {len(folder.decks)} | {len(drawn)} |")
    head = ("| game | key | sample cards | decks | components |", "| --- | --- | --- | --- | --- |")
    return "\n".join((*head, *rows))


def test_the_readme_is_not_stale(folder: Path, game: Game, request: pytest.FixtureRequest) -> None:
    """The command reference and the examples in the README are what the program prints today."""
    fresh = README.read_text("utf-8")
    for mark, body in (
        ("commands", reference()),
        ("check", illegal_check(folder, game)),
        ("judge", question(folder)),
        ("profiles", profile_table()),
        ("games", game_table()),
        ("odds", said("odds", "rishar", "--off", "Spearmen", "--def", "Soldier")),
    ):
        fresh = replaced(fresh, mark, body)
    if request.config.getoption("--update-goldens"):
        README.write_text(fresh, "utf-8")
    assert README.read_text("utf-8") == fresh, "run pytest --update-goldens and look at the difference"


def test_every_verb_has_help_and_is_documented() -> None:
    """No verb and no option is without a sentence."""
    for command, context in every_command():
        assert command.help
        assert f"`{context.command_path}" in README.read_text("utf-8")
        for parameter in command.params:
            if isinstance(parameter, click.Option):
                assert parameter.help, f"{context.command_path} {parameter.name}"


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
