"""What is read about a game rather than played: the rule sheet."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from carddb.cli import show
from carddb.cli.clock import creation, today
from carddb.cli.session import Session
from carddb.errors import UsageError
from carddb.findings import Finding, counts, exit_code, has_errors

if TYPE_CHECKING:
    from carddb.press.guide import Guide, RuleSheet

KINDS = {"pdf": "pdf", "html": "html", "htm": "html"}
"""The endings of a document's file, and what is written for them."""


def kind_of(output: Path, named: str | None) -> str:
    """What a file is written as: by its ending, or as `named` for a stream. Raises UsageError."""
    ending = output.suffix.lower().removeprefix(".")
    if str(output) == "-":
        if named is None:
            raise UsageError("a stream has no ending that says what to write", "Name it: --format pdf, --format html.")
        return named
    if ending not in KINDS:
        raise UsageError(
            f"a rule sheet is not written as {ending or 'a file without an ending'}", "Known: .pdf, .html."
        )
    if named and named != KINDS[ending]:
        raise UsageError(f"{output} is not a name for {named}", f"End it in .{named}, or leave --format out.")
    return KINDS[ending]


@click.command()
@click.argument("key", metavar="GAME")
@show.output_option("PDF or HTML by its ending.")
@click.option("--format", "named", type=click.Choice(["pdf", "html"]), help="What is written to a stream (-o -).")
@click.option(
    "--paper", type=click.Choice(["letter", "a4"]), default="letter", show_default=True, help="The paper of a PDF."
)
@click.option("--lang", default="en", show_default=True, help="The language of the sheet, as the file tells it.")
@click.option("--json", "json_", is_flag=True, help="What was written, as JSON.")
@click.pass_obj
def guide(session: Session, /, key: str, output: Path, named: str | None, paper: str, lang: str, json_: bool) -> int:
    """Write the rule sheet of a game: every rule that people need, each with its id."""
    from carddb.press.guide import print_guide, read_guide

    kind = kind_of(output, named)
    if json_ and str(output) == "-":
        raise UsageError("standard output takes the rule sheet or the JSON, not both", "Use -o FILE.")
    game = session.game(key)
    session.keep(game.folder.guide_file)
    told = read_guide(game, lang)
    found = list(told.findings)
    sheet = None
    if has_errors(found):
        session.say(f"nothing was written: mend {game.folder.guide_file} first")
    else:
        with show.progress("setting the words", session.quiet):
            sheet = print_guide(game, told, kind, paper, creation(today()))
        found += sheet.findings
        session.write(output, sheet.data)
        pages = f" on {show.amount(sheet.pages, 'page')}" if sheet.pages else ""
        session.say(f"{output}: {show.amount(len(told.rules), 'rule')} told{pages}")
    show.findings(found, err=True)
    if json_:
        show.as_json(_report(game.key, output, kind, told, sheet, found))
    return exit_code(found)


def _report(
    key: str, output: Path, kind: str, told: Guide, sheet: RuleSheet | None, found: list[Finding]
) -> dict[str, Any]:
    """What was written, as data."""
    return {
        "schema": "carddb.guide/1",
        "game": key,
        "title": told.document.title,
        "file": str(output) if sheet else None,
        "format": kind,
        "pages": sheet.pages if sheet else 0,
        "fingerprint": told.document.fingerprint,
        "sections": [section.title for section in told.document.sections if section.heading],
        "rules": told.rules,
        "counts": counts(found),
        "findings": [finding.to_json() for finding in found],
    }
