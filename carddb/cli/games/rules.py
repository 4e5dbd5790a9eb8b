"""The rules of a game as a whole: rules coverage."""

from __future__ import annotations

import click

from carddb.app.games.rule_coverage import coverage_json, rule_coverage
from carddb.app.workspace.words import TAGS
from carddb.cli import show
from carddb.cli.session import Session
from carddb.games.coverage import Coverage, counts


@click.group()
def rules() -> None:
    """Look at the rules of a game as a whole."""


@rules.command()
@click.argument("game")
@click.option("--missing", is_flag=True, help="Only the rules that nothing stands for yet.")
@click.option("--json", "json_", is_flag=True, help="As JSON.")
@click.pass_obj
def coverage(session: Session, game: str, missing: bool, json_: bool) -> int:
    """List each rule with its tag and where it is checked, printed or left to the players."""
    loaded = session.project.game(game)
    rows = rule_coverage(loaded)
    shown = [row for row in rows if row.missing] if missing else rows
    if json_:
        show.as_json(coverage_json(loaded, rows, shown))
        return 0
    show.table(("rule", "", "where"), [(row.rule, "".join(row.tags), _where(row)) for row in shown])
    for tag, number in counts(rows).items():
        lack = f", {number['missing']} of them nowhere yet" if number["missing"] else ""
        session.say(f"{tag}  {TAGS[tag]}: {number['rules']} rules{lack}")
    return 0


def _where(row: Coverage) -> str:
    parts = []
    if "S" in row.tags:
        parts.append("checked: " + (", ".join(row.checked) or "nowhere yet"))
    if "P" in row.tags:
        parts.append("printed: " + (", ".join(row.printed) or "nowhere yet"))
    if "H" in row.tags:
        parts.append("left to the players")
    return "; ".join(parts)
