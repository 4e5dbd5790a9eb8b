"""What carddb knows: games, explain."""

from __future__ import annotations

import json
import re
import textwrap
from typing import TYPE_CHECKING, Any

import click

from carddb.cli import show
from carddb.cli.rules import TAGS
from carddb.cli.session import Session
from carddb.errors import UsageError
from carddb.frozen import as_plain
from carddb.names import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping

    from carddb.game_parts import ComponentSpec
    from carddb.games import Game


@click.command()
@click.argument("key", required=False)
@click.option("--json", "json_", is_flag=True, help="As JSON.")
@click.pass_obj
def games(session: Session, key: str | None, json_: bool) -> int:
    """List the games, or one with its sections, formats, options and components."""
    if json_:
        chosen = [session.game(key)] if key else session.all_games()
        show.as_json({"schema": "carddb.games/1", "games": [_as_json(game) for game in chosen]})
    elif key:
        _describe(session.game(key))
    else:
        rows = [(g.key, g.spec.name, g.spec.by, _numbers(g)) for g in session.all_games()]
        show.table(("key", "game", "by", ""), rows)
        session.say("`carddb games KEY` tells more of one.")
    return 0


def _numbers(game: Game) -> str:
    """How much a game has of each kind that it has."""
    kinds = {"formats": game.spec.formats, "components": game.spec.components, "operations": game.operations}
    return ", ".join(f"{len(things)} {kind}" for kind, things in kinds.items() if things)


def _describe(game: Game) -> None:
    spec = game.spec
    click.echo(click.style(spec.name, bold=True) + (f", by {spec.by}" if spec.by else ""))
    fewest, most = spec.players
    click.echo(f"{fewest} to {most} players" if most > fewest else f"{fewest} player{'s' if most > 1 else ''}")
    if spec.notice:
        click.echo(spec.notice)
    _part("sections", [(key, _bounds(s.size), ", ".join(s.types)) for key, s in spec.sections.items()])
    _part("formats", [(key, f.label, f.name) for key, f in spec.formats.items()])
    _part("options", [(key, _default(o.default), o.label, ", ".join(o.rules)) for key, o in spec.options.items()])
    _part("components", [(key, c.id, c.label or key, _needed(c)) for key, c in spec.components.items()])
    _part("--set", [(key, str(v.default), v.label.replace("{}", key)) for key, v in spec.variants.items()])
    _part("to bring", [(f"{item.count or ''} {item.what}".strip(), f"per {item.per}") for item in spec.brought])
    _part("card fields", [(key, f.type, ", ".join(f.of)) for key, f in spec.all_fields().items()])
    _part("operations", [(f"{spec.prefix}.{key}", found.about) for key, found in game.operations.items()])
    _part("odds", [(key, found.about) for key, found in game.odds.items()])


def _part(title: str, rows: list[tuple[str, ...]]) -> None:
    if rows:
        click.echo("")
        show.table((title, *("" for _ in rows[0][1:])), rows)


def _bounds(size: tuple[int, int | None]) -> str:
    least, most = size
    return f"{least} or more" if most is None else f"{least} to {most}"


def _needed(component: ComponentSpec) -> str:
    """What a component is printed for."""
    per = f"per {component.per.removeprefix('row-per-')}"
    return f"{per}, when named" if component.when_named else per


def _default(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(as_plain(value))


def _as_json(game: Game) -> dict[str, Any]:
    spec = game.spec
    return {
        "key": spec.key,
        "name": spec.name,
        "by": spec.by,
        "notice": spec.notice,
        "players": list(spec.players),
        "sections": {key: {"size": list(s.size), "types": list(s.types)} for key, s in spec.sections.items()},
        "formats": {key: {"label": f.label, "name": f.name} for key, f in spec.formats.items()},
        "options": {key: {"default": o.default, "rules": list(o.rules)} for key, o in spec.options.items()},
        "components": {key: {"id": c.id, "label": c.label, "per": c.per} for key, c in spec.components.items()},
        "variants": {key: v.default for key, v in spec.variants.items()},
        "operations": sorted(f"{spec.prefix}.{name}" for name in game.operations),
        "odds": sorted(game.odds),
        "fields": {key: {"type": f.type, "of": list(f.of)} for key, f in spec.all_fields().items()},
    }


@click.command()
@click.argument("what", metavar="CODE-OR-RULE-ID")
@click.option("--game", "key", metavar="G", help="One game only.")
@click.option("--json", "json_", is_flag=True, help="As JSON.")
@click.pass_obj
def explain(session: Session, what: str, key: str | None, json_: bool) -> int:
    """Explain a finding's code or a rule: cause, fix, example, and the rule's text."""
    chosen = [session.game(key)] if key else session.all_games()
    hits = [entry for game in chosen for entry in _in_game(game, what)] or _shared(what)
    if not hits:
        from carddb.games import shared_codes

        known = [name for game in chosen for part in (game.rule_book.codes, game.rule_book.rules) for name in part]
        near = did_you_mean(what, [*known, *shared_codes()])
        raise UsageError(
            f"nothing is called {what!r}", near if near.startswith("Did") else "Codes stand in every finding."
        )
    if json_:
        show.as_json({"schema": "carddb.explain/1", "entries": hits})
        return 0
    for entry in hits:
        _print(entry)
    return 0


def _in_game(game: Game, what: str) -> list[dict[str, Any]]:
    book = game.rule_book
    out: list[dict[str, Any]] = []
    if what in book.codes:
        code = book.codes[what]
        texts = {rule: book.rules[rule].text for rule in code.rules if rule in book.rules}
        out.append({"kind": "code", "game": game.key, "name": what, **as_plain(code, whole=True), "texts": texts})
    name = next((rule for rule in book.rules if rule.casefold() == what.casefold()), None)
    if name:
        asked = [f"{game.spec.prefix}.{key}" for key, found in game.operations.items() if name in found.rules]
        out.append(
            {"kind": "rule", "game": game.key, "name": name, **as_plain(book.rules[name], whole=True), "judge": asked}
        )
    return out


def _shared(what: str) -> list[dict[str, Any]]:
    from carddb.games import shared_codes

    code = shared_codes().get(what)
    return [{"kind": "code", "game": "any game", "name": what, **as_plain(code, whole=True)}] if code else []


def _print(entry: Mapping[str, Any]) -> None:
    if entry["kind"] == "rule":
        click.echo(
            click.style(entry["name"], bold=True)
            + f"  {entry['game']}: {entry.get('section', '')}; {TAGS.get(entry.get('tag', ''), '')}"
        )
        click.echo(_prose(entry["text"]))
        if entry["judge"]:
            click.echo(_prose(f"ask: carddb judge {', '.join(entry['judge'])}"))
        return
    click.echo(click.style(entry["name"], bold=True) + f"  {entry['game']}")
    for label in ("cause", "fix"):
        if entry.get(label):
            click.echo(_prose(f"{label}: {entry[label]}"))
    if entry.get("example"):
        folder = entry["game"].replace("-", "_")
        click.echo(f"  example: tests/games/{folder}/codes/{entry['example']}, in the sources")
    for rule, text in entry.get("texts", {}).items():
        click.echo(_prose(f"{rule}: {text}"))


def _prose(text: str) -> str:
    """A paragraph without its Markdown, wrapped and indented."""
    as_plain = re.sub(r"\*\*|`", "", " ".join(str(text).split()))
    return textwrap.fill(as_plain, 100, initial_indent="  ", subsequent_indent="  ")
