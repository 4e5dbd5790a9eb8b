"""The commands that write documents: `guide`, `credits`, `handbook` and `bans publish`."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path
from typing import Any

import click

from carddb.app.bans.publication import publish as publish_lists
from carddb.app.documents import PAPERS, print_credits, print_handbook, print_rule_sheet
from carddb.app.workspace.published_folder import write_folder
from carddb.cli import show
from carddb.cli.options import CARDS_DAY, DAY, FILE, LANG, known_option, reading_option, verb
from carddb.cli.session import Session
from carddb.core.errors import UsageError
from carddb.core.options import pairs
from carddb.core.plain_text import amount
from carddb.findings import exit_code
from carddb.paint.documents.pdf import Binding
from carddb.press.documents.guide import VOICES, Voice

ENDINGS = {"pdf": "pdf", "html": "html", "htm": "html"}
"""The endings of a document's file, and the kind of document that each means."""


def kind_of(output: Path, format_: str | None) -> str:
    """Returns the kind of a document, `pdf` or `html`, by the file's ending or, for standard output, by `--format`.

    Raises UsageError if neither gives the kind, or if they contradict each other.
    """
    ending = output.suffix.lower().removeprefix(".")
    if str(output) == "-":
        if format_ is None:
            message = "standard output has no file name from which to choose the format"
            raise UsageError(message, "Add --format pdf or --format html.")
        return format_
    if ending not in ENDINGS:
        message = f"a document cannot be written as {ending or 'a file without an ending'}"
        raise UsageError(message, "Name a .pdf or .html file.")
    if format_ and format_ != ENDINGS[ending]:
        message = f"{output} ends in .{ending}, but --format is {format_}"
        raise UsageError(message, f"End the file's name in .{format_}, or leave --format out.")
    return ENDINGS[ending]


def _voice_options(verb: Callable[..., Any]) -> Callable[..., Any]:
    """Adds to a command an option for each form of a rule sheet except `rulebook`, the default, and `whole`."""
    for voice in reversed([voice for voice in VOICES if voice not in ("whole", "rulebook")]):
        verb = click.option(f"--{voice}", "voice", flag_value=voice, help=VOICES[voice].help)(verb)
    return verb


_paper = click.option(
    "--paper", type=click.Choice(PAPERS), default="letter", show_default=True, help="The paper of a PDF."
)


@verb()
@click.argument("key", metavar="GAME")
@show.output_option("The file: .pdf or .html.")
@click.option("--format", "format_", type=click.Choice(["pdf", "html"]), help="The format for standard output (-o -).")
@_paper
@_voice_options
@click.option(
    "--booklet", "binding", flag_value="booklet", help="Write sheets to fold and staple, printed on both sides."
)
@click.option(
    "--booklet-test",
    "binding",
    flag_value="booklet-test",
    help="Write one sheet to test how the printer prints a booklet.",
)
@click.option("--lang", default="", help="The language of the sheet, as in ja (default: the game's).")
@reading_option
@click.option("--on", "day", type=DAY, help="The creation date of a PDF (default: none).")
@click.option("--json", "json_", is_flag=True, help="Report the files written, as JSON.")
def guide(
    session: Session,
    /,
    key: str,
    output: Path,
    format_: str | None,
    paper: str,
    voice: Voice | None,
    binding: Binding | None,
    lang: str,
    options: tuple[str, ...],
    day: date | None,
    json_: bool,
) -> int:
    """Write the rule sheet of a game: every rule that people need, to read or to look up by its id."""
    kind = kind_of(output, format_)
    if json_ and str(output) == "-":
        message = "--json and -o - would both write to standard output"
        raise UsageError(message, "Write the rule sheet to a file: -o rules.pdf.")
    sheet = print_rule_sheet(
        session.project, key, kind, paper, lang, pairs(options, "--option"), day, binding or "none",
        voice=voice or "rulebook",
    )  # fmt: skip
    if sheet.data:
        session.write(output, sheet.data)
        session.say(f"{output}: {sheet.summary}")
    show.findings(sheet.findings, err=True)
    if json_:
        show.as_json(sheet.to_json(str(output)))
    return exit_code(sheet.findings)


@verb("credits")
@click.argument("key", metavar="GAME")
@show.output_option("The file: .pdf or .html.")
@_paper
@CARDS_DAY
def credits_(session: Session, /, key: str, output: Path, paper: str, day: date | None) -> int:
    """Write the credits of a game's pictures (artist, source, licence), and warn about incomplete ones."""
    return session.write_printed(output, print_credits(session.project, key, kind_of(output, None), paper, day))


@verb()
@click.option("-o", "--output", required=True, type=FILE, metavar="FILE|DIR", help="A PDF, or a folder for web pages.")
@_paper
def handbook(session: Session, /, output: Path, paper: str) -> int:
    """Write this manual: as PDF with contents and index, or as web pages into a folder."""
    ending = output.suffix.lower()
    is_pdf = str(output) == "-" or ending == ".pdf"
    if ending and not (is_pdf or output.is_dir()):
        raise UsageError(f"the handbook cannot be written as {ending}", "Name a .pdf file, or a folder for web pages.")
    printed = print_handbook(session.project, "pdf" if is_pdf else "html", paper)
    if is_pdf:
        for data in printed.files.values():
            session.write(output, data)
    else:
        printed.write(output)
    session.say(f"{output if is_pdf else output / 'index.html'}: {printed.summary}")
    show.findings(printed.findings, err=True)
    return exit_code(printed.findings)


@verb()
@click.argument("lists", metavar="LIST...", nargs=-1, required=True)
@show.output_option("The folder to write to.", folder=True)
@click.option("--paper", type=click.Choice(PAPERS), help="The paper of the PDFs (default: one PDF for each).")
@click.option("--on", "day", type=DAY, help="The day of the published list (default: today in the list's time zone).")
@LANG
@known_option
@click.option("--url", default="", help="The address of the folder on the web, for the feed.")
def publish(
    session: Session,
    /,
    lists: tuple[str, ...],
    output: Path,
    paper: str | None,
    lang: str,
    day: date | None,
    moment: date | datetime | None,
    url: str,
) -> int:
    """Publish ban lists: web pages, a notice, a sheet and cards to print, JSON, a feed, and text for Discord.

    LIST is a name such as short or long, or GAME:LIST. Several lists of a game share their pages.
    """
    publication = publish_lists(session.project, lists, day, moment, paper, url, lang)
    write_folder(session.project, output, publication.files, publication.entrances)
    session.say(f"{output / 'index.html'}: {amount(len(publication.files), 'file')} for {publication.on}")
    show.findings(publication.findings, err=True)
    return exit_code(publication.findings)
