"""The commands `games`, `explain` and `ask`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import click

from carddb.app.games import explanation
from carddb.app.games.explanation import ask as find_answers
from carddb.app.workspace.words import TAGS, component_need
from carddb.cli import show
from carddb.cli.options import game_option, json_option, verb
from carddb.cli.session import Session
from carddb.core.plain_text import amount
from carddb.game.frozen import as_plain
from carddb.game.parts import OptionSpec, marked
from carddb.games import Game

_WIDTH = 80
"""The width of a description, in columns."""


@verb()
@click.argument("key", required=False)
@json_option
def games(session: Session, key: str | None, json_: bool) -> None:
    """List the games, or the parts of one: its formats, options, components, card fields, operations."""
    project = session.project
    if json_:
        games = [project.game(key)] if key else project.all_games()
        show.as_json(explanation.games_json(games, with_parts=bool(key)))
    elif key:
        _describe(project.game(key))
    else:
        rows = []
        for game in project.all_games():
            spec = game.spec
            kinds = {"formats": spec.formats, "components": spec.components, "operations": game.operations}
            numbers = ", ".join(f"{len(things)} {kind}" for kind, things in kinds.items() if things)
            rows.append((game.key, spec.name, spec.by, numbers))
        show.table(("key", "game", "by", ""), rows)
        session.say("`carddb games KEY` lists the parts of one.")


def _describe(game: Game) -> None:
    spec = game.spec
    show.echo(show.style(spec.name, bold=True) + (f", by {spec.by}" if spec.by else ""))
    fewest, most = spec.players
    show.echo(f"{fewest} to {most} players" if most > fewest else amount(fewest, "player"))
    for name, value in as_plain(spec.credits).items():
        words = f"{getattr(spec.sheet_words, name, name)}: {value if isinstance(value, str) else ' '.join(value)}"
        show.paragraph(words, _WIDTH, rest="  ")
    if spec.notice:
        show.paragraph(spec.notice, _WIDTH)
    _part("it has", [(kind, words) for kind, words in explanation.summary_words(game) if words])
    _part("sections", [(key, _bounds(s.size), ", ".join(s.types)) for key, s in spec.sections.items()])
    _part("formats", [(key, f.label, f.name) for key, f in spec.formats.items()])
    _part("options", [(key, _option(option)) for key, option in spec.options.items()])
    _part("components", [(key, c.id, c.label or key, component_need(c)) for key, c in spec.components.items()])
    _part("--set", [(key, str(v.default), v.label.replace("{}", key)) for key, v in spec.variants.items()])
    _part("to bring", [(f"{item.count or ''} {item.what}".strip(), f"per {item.per}") for item in spec.brought])
    fields = spec.all_fields().items()
    _part("card fields", [(key, f.type, ", ".join(filter(None, (f.label, *f.of)))) for key, f in fields])
    _part("operations", [(f"{spec.prefix}.{key}", o.about) for key, o in game.operations.items()])
    _part("odds", [(key, o.about) for key, o in game.odds.items()])


def _part(title: str, rows: list[tuple[str, ...]]) -> None:
    if rows:
        show.echo("")
        show.table((title, *("" for _ in rows[0][1:])), rows, width=_WIDTH)


def _bounds(size: tuple[int, int | None]) -> str:
    least, most = size
    return f"{least} or more" if most is None else f"{least} to {most}"


def _option(option: OptionSpec) -> str:
    """Returns an option with its default and its rules, such as `Steps go over corners too (default: false; G-45)`."""
    return f"{option.label} ({'; '.join([f'default: {show.setting(option.default)}', *option.rules])})".strip()


@verb()
@click.argument("what", metavar="CODE-OR-RULE-ID", nargs=-1, required=True)
@click.option("--search", is_flag=True, help="List the rules and codes whose texts have all these words.")
@game_option("One game only.")
@json_option
def explain(session: Session, what: tuple[str, ...], search: bool, key: str | None, json_: bool) -> int:
    """Explain a finding's code or a rule: cause, fix, example, and the rule's text.

    If the words are neither a code nor a rule, the rules and codes whose texts have the words are listed.
    """
    words = " ".join(what)
    entries = (explanation.find_entries if search else explanation.explain_or_find)(session.project, words, key)
    if not entries:
        session.say(f"no rule or code has all words of {words!r}; try fewer or other words")
        return 1
    if json_:
        show.as_json({"schema": "carddb.explain/1", "entries": entries})
    else:
        for entry in entries:
            _print(entry)
    return 0


@verb()
@click.argument("question", nargs=-1, required=True)
@game_option("One game only.")
@json_option
def ask(session: Session, question: tuple[str, ...], key: str | None, json_: bool) -> int:
    """Find the rules that answer a question in your own words, best first.

    If the question names a game, only that game is searched. ° marks rules with our reading of an open point.
    """
    answers = find_answers(session.project, " ".join(question), key)
    if json_:
        show.as_json(explanation.answers_json(answers))
    elif not answers:
        session.say("no rule has these words; try others, such as the game's own terms")
    else:
        for answer in answers:
            for entry in explanation.entries_of(answer.game, answer.rule):
                _print(entry)
    return 0 if answers else 1


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
    """Prints the ruling on a point that the game's author left open, separate from the author's text."""
    if ruling:
        _prose(f"our reading: {ruling['reading']}")
        _prose(f"why: {ruling['why']}")
        for option, values in ruling["options"].items():
            _prose(f"changed by: --option {option}={', '.join(map(show.setting, values)) or '...'}")


def _prose(text: str) -> None:
    """Prints a text without its Markdown as an indented paragraph."""
    as_plain = re.sub(r"\*\*|`", "", " ".join(str(text).split()))
    show.paragraph(as_plain, 100, "  ", "  ")
