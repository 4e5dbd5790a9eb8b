"""Why something is so: explain, the cause of a finding's code and the text of a rule."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import click

from carddb.app.games.explanation import explain_or_find, find_entries
from carddb.app.workspace.words import TAGS
from carddb.cli import show
from carddb.cli.session import Session
from carddb.game.sheet_parts import marked


@click.command()
@click.argument("what", metavar="CODE-OR-RULE-ID", nargs=-1, required=True)
@click.option("--search", is_flag=True, help="The rules and codes whose texts have all these words.")
@click.option("--game", "key", metavar="G", help="One game only.")
@click.option("--json", "json_", is_flag=True, help="As JSON.")
@click.pass_obj
def explain(session: Session, what: tuple[str, ...], search: bool, key: str | None, json_: bool) -> int:
    """Explain a finding's code or a rule: cause, fix, example, and the rule's text.

    Words that are neither list the rules and codes that have them.
    """
    words = " ".join(what)
    entries = (find_entries if search else explain_or_find)(session.project, words, key)
    if not entries:
        session.say(f"no rule or code has the words {words!r}")
        return 1
    if json_:
        show.as_json({"schema": "carddb.explain/1", "entries": entries})
        return 0
    for entry in entries:
        _print(entry)
    return 0


def _print(entry: Mapping[str, Any]) -> None:
    if entry["kind"] == "rule":
        ruling = entry["ruling"]
        show.echo(
            show.style(marked(entry["name"], ruling), bold=True)
            + f"  {entry['game']}: {entry.get('section', '')}; {TAGS.get(entry.get('tag', ''), '')}"
        )
        if entry["text"]:
            _prose(entry["text"])
        _print_ruling(ruling)
        if entry["judge"]:
            _prose(f"ask: carddb judge {', '.join(entry['judge'])}")
        return
    show.echo(show.style(entry["name"], bold=True) + f"  {entry['game']}")
    for label in ("cause", "fix"):
        if entry.get(label):
            _prose(f"{label}: {entry[label]}")
    if entry.get("example"):
        folder = entry["game"].replace("-", "_")
        show.echo(f"  example: tests/games/{folder}/codes/{entry['example']}, in the sources")
    for rule, text in entry.get("texts", {}).items():
        ruling = entry["rulings"].get(rule)
        _prose(f"{marked(rule, ruling)}: {text}".rstrip())
        _print_ruling(ruling)


def _print_ruling(ruling: Mapping[str, Any] | None) -> None:
    """What was decided where the game's author left something open, told apart from the author's words."""
    if ruling:
        _prose(f"our reading: {ruling['reading']}")
        _prose(f"why: {ruling['why']}")
        for option, values in ruling["options"].items():
            _prose(f"changed by: --option {option}={', '.join(map(show.setting, values)) or '...'}")


def _prose(text: str) -> None:
    """A paragraph without its Markdown, wrapped and indented."""
    as_plain = re.sub(r"\*\*|`", "", " ".join(str(text).split()))
    show.paragraph(as_plain, 100, "  ", "  ")
