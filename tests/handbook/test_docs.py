"""README and handbook tell what the program does, in the program's own words."""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from carddb.app import documents
from carddb.app.documents import print_handbook
from carddb.cli.main import carddb
from carddb.core import assets
from carddb.door import Project
from carddb.games import Game
from carddb.layout.documents.blocks import Code, Span, contents
from carddb.layout.documents.markdown import parse
from carddb.press.documents.figures import Games
from carddb.press.documents.handbook import Handbook, read_handbook
from tests.handbook.reference import chapters, every_command
from tests.rows import every

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
HANDBOOK = assets.handbook()
WRITTEN = [README, *sorted(HANDBOOK.glob("*.md"))]
"""What people write; the rest is generated."""
MOST_LINES = 250
FENCE = re.compile(r"^```(console|python) run\n(.*?)^```$", re.M | re.S)
FREE = {"judge", "odds", "simulate"}
"""Commands whose further options are the fields of a question."""


def _has_examples(path: Path) -> bool:
    return bool(FENCE.search(path.read_text("utf-8")))


def test_the_readme_is_short_and_shows_a_picture() -> None:
    """The first screen has the two commands and a picture that exists, and the whole is read in ten minutes."""
    lines = README.read_text("utf-8").splitlines()
    assert len(lines) <= MOST_LINES
    first = "\n".join(lines[:16])
    assert "pip install . && carddb demo" in first
    assert 'pip install -e ".[dev]" && pytest' in first
    picture = re.search(r"!\[.+?\]\((.*?)\)", first)
    assert picture and (ROOT / picture[1]).is_file()


def test_links_of_the_readme_lead_somewhere() -> None:
    """Every file that the README names in a link is there."""
    for address in re.findall(r"\]\(([^)#]+)\)", README.read_text("utf-8")):
        assert address.startswith("http") or (ROOT / address).exists(), address


@pytest.mark.parametrize("name", sorted(path.name for path in (HANDBOOK / "generated").glob("*.md")))
def test_generated_chapters_are_not_stale(name: str, request: pytest.FixtureRequest) -> None:
    """The reference chapters are what the program says of itself today."""
    path, fresh = HANDBOOK / "generated" / name, _fresh()[name]
    if request.config.getoption("--update-goldens"):
        path.write_text(fresh, "utf-8")
    assert path.read_text("utf-8") == fresh, "run pytest --update-goldens and look at the difference"


@cache
def _fresh() -> dict[str, str]:
    return chapters()


def test_every_verb_has_help_and_is_documented() -> None:
    """No verb and no option is without a sentence, and each has a section of the handbook."""
    text = (HANDBOOK / "generated" / "commands.md").read_text("utf-8")
    for command, context in every_command():
        assert command.help
        assert f"## `{context.command_path}`\n" in text
        for parameter in command.params:
            if isinstance(parameter, click.Option):
                assert parameter.help, f"{context.command_path} {parameter.name}"


@every("path", WRITTEN)
def test_commands_in_the_text_exist(path: Path) -> None:
    """Every command that is shown is a verb of the program, with options that it has."""
    for line in _command_lines(path):
        for part in line.split(" && "):
            command = part.rpartition(" | ")[2]
            if command.startswith("carddb "):
                _look_up(shlex.split(command, comments=True)[1:])


def _command_lines(path: Path) -> Iterator[str]:
    """Commands in blocks for a console, and within sentences."""
    blocks, _ = parse(path.read_text("utf-8"), links=True)
    for block in blocks:
        if isinstance(block, Code):
            yield from (line.removeprefix("$ ") for line in block.lines if block.is_typed(line))
    for part in (part for content in contents(blocks) for part in content):
        if isinstance(part, Span) and part.code and part.text.startswith("carddb "):
            yield part.text


def _look_up(words: list[str]) -> None:
    """Fails where a command or an option is not known."""
    context = click.Context(carddb, info_name="carddb")
    command: click.Command = carddb
    known = _flags(carddb, context)
    rest = iter(words)
    for word in rest:
        if word.startswith("-") and word != "-":
            flag = word.split("=")[0]
            assert flag in known or context.info_name in FREE, f"{context.command_path} has no {flag}"
            if known.get(flag):
                next(rest, None)
        elif isinstance(command, click.Group) and word.islower():
            found = command.get_command(context, word)
            assert found is not None, f"{context.command_path} has no {word}"
            context = click.Context(found, info_name=word, parent=context)
            command, known = found, {**known, **_flags(found, context)}


def _flags(command: click.Command, context: click.Context) -> dict[str, bool]:
    """The options of a command, and whether each takes a value."""
    options = (part for part in command.get_params(context) if isinstance(part, click.Option))
    return {
        flag: not (option.is_flag or option.count)
        for option in options
        for flag in (*option.opts, *option.secondary_opts)
    }


@pytest.mark.parametrize(
    "path",
    [pytest.param(path, marks=pytest.mark.door if path == README else ()) for path in filter(_has_examples, WRITTEN)],
    ids=lambda path: path.name,
)
def test_examples_run_and_say_what_is_shown(
    path: Path, folder: Path, game: Game, request: pytest.FixtureRequest
) -> None:
    """Blocks that are marked `run` are run, one after the other in one folder, and say what stands in the text."""
    (folder / "output").mkdir()  # as `carddb demo` leaves it
    for deck in (game.folder.path / "decks" / "demo").iterdir():
        (folder / "output" / deck.name).write_bytes(deck.read_bytes())
    text = path.read_text("utf-8")
    if path.name == "python.md":
        _run("carddb init mygame && cd mygame")
    fresh = FENCE.sub(lambda block: f"```{block[1]} run\n{_answered(block[1], block[2])}```", text)
    if request.config.getoption("--update-goldens"):
        path.write_text(fresh, "utf-8")
    assert path.read_text("utf-8") == fresh, "run pytest --update-goldens and look at the difference"


def _answered(kind: str, block: str) -> str:
    """A block with what its commands say today; a program only has to run."""
    if kind == "python":
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(block, "an example", "exec"), {"__name__": "__main__"})
        return block
    typed = [line for line in block.splitlines() if line.startswith("$ ")]
    return "".join(f"{line}\n{_run(line.removeprefix('$ '))}" for line in typed)


def _run(line: str) -> str:
    """What a line says on standard output."""
    out = ""
    for part in line.split(" && "):
        given, _, command = part.rpartition(" | ")
        verb, *words = shlex.split(command, comments=True)
        if verb == "cd":
            os.chdir(words[0])
        else:
            assert verb == "carddb", line
            piped = " ".join(shlex.split(given)[1:]) if given else None
            result = CliRunner().invoke(carddb, words, input=piped, standalone_mode=False)
            assert result.return_value in (None, 0, 1) and not result.exception, (line, result.output)
            out += f"{result.stdout.rstrip()}\n" if result.stdout.strip() else ""
    return out


@pytest.mark.full
def test_the_handbook_is_set_without_findings(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No link, figure or sign of it is unknown; as PDF it has pages, as web pages one for each chapter."""
    read: list[Handbook] = []  # its figures are drawn once for both
    monkeypatch.setattr(documents, "read_handbook", lambda *given: read[0] if read else read_once(*given))

    def read_once(place: Path, games: Games) -> Handbook:
        read.append(read_handbook(place, games))
        return read[0]

    printed = print_handbook(Project(folder))
    assert not printed.findings and printed.pages > 20
    assert printed.files["handbook.pdf"].startswith(b"%PDF")
    web = print_handbook(Project(folder), "html")
    assert not web.findings
    files = {path.stem for path in HANDBOOK.rglob("*.md")}
    assert {Path(name).stem for name in web.files} == files | {"terms"}, "a chapter that no line of index.md links to"


def test_each_path_through_the_handbook_is_short() -> None:
    """The chapters of a path at the head of the handbook have at most 6,000 words together."""
    index = (HANDBOOK / "index.md").read_text("utf-8")
    paths = re.findall(r"^## (\w+ \w+'s path)\n(.*?)(?=^## )", index, re.MULTILINE | re.DOTALL)
    assert len(paths) == 3
    for title, path in paths:
        chapters = re.findall(r"\]\((\w[\w-]*\.md)\)", path)
        assert sum(len((HANDBOOK / name).read_text("utf-8").split()) for name in chapters) <= 6_000, title


def test_the_handbook_lists_every_font_with_its_licence(game: Game) -> None:
    """Each family that is used stands in the chapter on installing, beside its package and licence."""
    from carddb.press.faces.workshop import document_fonts

    text = (HANDBOOK / "installing.md").read_text("utf-8")
    for family, spec in {**game.spec.fonts, **document_fonts()}.items():
        assert re.search(rf"\| {family}.* \| `{spec.package.replace('_', '-')}` \| {spec.licence} \|", text), family


def test_the_handbook_names_every_environment_variable() -> None:
    """What the program reads from its surroundings stands in the chapter on installing."""
    sources = [path.read_text("utf-8") for path in (ROOT / "carddb").rglob("*.py")]
    read = {name for text in sources for name in re.findall(r'environ(?:\.get\(|\[)"(\w+)"', text)} - {"TERM"}
    text = (HANDBOOK / "installing.md").read_text("utf-8")
    assert read and all(f"`{name}`" in text for name in read), read


def test_the_lines_for_nginx_let_no_client_say_who_asks() -> None:
    """The proxy writes its own X-Forwarded-For over what a client sends, and logs no path, which would open a page."""
    lines = (HANDBOOK / "browser.md").read_text("utf-8").partition("```text\nproxy_cache_path")[2].partition("```")[0]
    words = [line.split() for line in lines.replace(";", "").splitlines()]
    assert [line[2] for line in words if line[1:2] == ["X-Forwarded-For"]] == ["$remote_addr"]
    assert ["access_log", "off"] in words
