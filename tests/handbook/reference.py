"""The reference chapters of the handbook as the program makes them: commands, profiles, games, codes, Python."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import click

import carddb as door
from carddb.app.workspace.workspace import Workspace
from carddb.cards.cards import SAMPLE
from carddb.cli.main import VERBS, carddb
from carddb.cli.printing.paper import paper_options
from carddb.core.groups import grouped
from carddb.game.frozen import as_plain
from carddb.games import folders, load
from carddb.games.opening.spec_reader import CodeText, shared_codes
from carddb.press.shops.shops import profiles
from carddb.read.cards.file import CardReading, read_cards
from tests.handbook.faces import faces
from tests.handbook.rules import rules_as_data

_LINE = 48
"""The letters of a line of code in a column of the handbook."""
_BOUND = ("self", "cls")
_MARKUP = re.compile(r"([\\*_\[\]<>|])")
_CODE = re.compile(r"(`[^`]*`|\{[^{}`]*\})")
_CHOICE = re.compile(r" \[?([a-z0-9_.-]+(?:\|[a-z0-9_.-]+)+)\]?$")
_FULL = re.compile(r"[:.](?=\s|$)")
_TYPED = re.compile(
    r"^\w+( \[?\w+=\.\.\.\]?)*$|(^|(?<=; ))(?!.* alone)[^:;\n]+(?=: )|\b[A-Z]{4,}\b|\w+(\|\w+)+|^[\d ]+\d"
    r"|\b(favor|influence|morale|off|def)\b",
    re.M,
)
"""In a line that shows a usage, the words to be typed: all, those before a colon, those in capitals, and choices."""
_LITERAL = re.compile(r"``(.*?)``")


def chapters() -> dict[str, str]:
    """The text of every generated chapter by its file name."""
    made = {
        "commands.md": commands,
        "shops.md": shops,
        "games.md": games,
        "codes.md": codes,
        "names.md": names,
        "rules-as-data.md": rules_as_data,
        "faces.md": faces,
    }
    return {name: make().rstrip() + "\n" for name, make in made.items()}


def every_command() -> Iterator[tuple[click.Command, click.Context]]:
    """Every verb, and after it the commands of a verb that has some."""
    top = click.Context(carddb, info_name="carddb")
    for name in VERBS:
        command = carddb.get_command(top, name)
        assert command is not None
        context = click.Context(command, info_name=name, parent=top)
        yield command, context
        if isinstance(command, click.Group):
            for key in command.list_commands(context):
                part = command.get_command(context, key)
                assert part is not None
                yield part, click.Context(part, info_name=key, parent=context)


def options_of(command: click.Command, context: click.Context) -> dict[str, str]:
    """The options of a command but `--help`, each as it is written, with its sentence."""
    records = (
        parameter.get_help_record(context)
        for parameter in command.get_params(context)
        if isinstance(parameter, click.Option) and "--help" not in parameter.opts
    )
    return dict(record for record in records if record)


def commands() -> str:
    """Every verb with its arguments, options and help."""
    paper = click.Command("paper")
    paper_options(paper)
    # Decorators add the last option first.
    shared = dict(reversed(options_of(paper, click.Context(paper, info_name="paper")).items()))
    top = click.Context(carddb, info_name="carddb")
    listed = [
        (f"[`{context.info_name}`](commands.md#carddb-{context.info_name})", _words(_FULL.split(command.help or "")[0]))
        for command, context in every_command()
        if context.command_path.count(" ") == 1
    ]
    parts = [
        "# Commands",
        "Every command with its arguments and options. A word in capitals stands for something that you fill in: a "
        "file, a name, a day. Words in brackets may be left out, and `...` means one or more.",
        _table(("Command", "What it does"), listed),
        "## Before the command",
        "These options stand between `carddb` and the command.",
        _table(("Option", "What it does"), _options(options_of(carddb, top))),
        "## Options of paper",
        "Every command that draws cards or components has these options.",
        _table(("Option", "What it does"), _options(shared)),
    ]
    for command, context in every_command():
        own = options_of(command, context)
        lacking = dict(shared.items() - own.items())
        on_paper = len(lacking) <= 1
        usage = " ".join(command.get_usage(context).removeprefix("Usage: ").split())
        parts += [f"## `{context.command_path}`", f"```text\n{usage}\n```", _prose(command.help or "")]
        rows = {name: text for name, text in own.items() if not on_paper or name not in shared}
        if len(rows) > 1:
            parts.append(_table(("Option", "What it does"), _options(rows)))
        else:
            parts += [f"**{name}** {text}" for name, text in _options(rows)]
        if on_paper:
            but = "".join(f", but not {_literal(name)}" for name in lacking)
            parts.append(f"It has the [options of paper](commands.md#options-of-paper) too{but}.")
    return "\n\n".join(parts)


def _options(options: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Rows of a table of options; the values to choose from stand before the sentence, and a number is `N`."""
    for name, text in options.items():
        sentence = _words(_spoken(text))
        choice = _CHOICE.search(name)
        values = choice[1].split("|") if choice else []
        for value in values:
            sentence = re.sub(rf"(?<![\w-]){re.escape(value)}(?=:)", _literal(value), sentence)
        *others, last = map(_literal, values or [""])
        key = _CHOICE.sub("", name).replace("INTEGER RANGE", "N").replace("INTEGER", "N").replace("|", " | ")
        yield _literal(key), f"{', '.join(others)} or {last}. {sentence}" if values else sentence


def _spoken(text: str) -> str:
    """An option's sentence with its bounds and its default as people write them, at its end."""
    text = " ".join(re.sub(r"x>=(\d+)", r"\1 or more", re.sub(r"(\d+)<=x<=(\d+)", r"\1 to \2", text)).split())
    if not text.endswith("]"):
        return text
    about, _, more = re.sub(r"default: \((\S+)\)", r"default: \1", text[:-1]).rpartition(" [")
    about = re.sub(r"(?<!\.)\.$", "", about)
    if more == "required":
        return f"{about}. Required."
    more = re.sub(r"\d{5,}", lambda number: f"{int(number[0]):,}", more)
    return f"{about[:-1]}; {more})." if about.endswith(")") else f"{about} ({more})."


def shops() -> str:
    """The print shops' profiles, and where their figures come from."""
    rows = [
        (_literal(name), str(p.upload), str(p.trim), f"{p.bleed / 1000:g} mm", f"{p.safe / 1000:g} mm",
         p.shop.products[p.key].sure)
        for name, p in profiles().items()
    ]  # fmt: skip
    sources = [
        f"- {shop.name}: {_words(shop.source)}, read {shop.read}."
        for shop in {p.shop.name: p.shop for p in profiles().values()}.values()
    ]
    head = ("Profile", "Upload", "Cut to", "Bleed", "Safe", "How sure")
    return "\n\n".join(
        (
            "# Print shops",
            "The cards that print shops sell, as `carddb sheets --profile NAME` prepares them.",
            _table(head, rows),
            "## Where the figures come from",
            "\n".join(sources),
            "Shops change their sizes: compare with the shop's own figures before you order.",
        )
    )


def games() -> str:
    """What comes with each game."""
    rows, parts = [], []
    for key, folder in folders().items():
        game, _ = load(folder)
        assert game and folder.cards_file
        spec = game.spec
        cards = read_cards(folder.cards_file, CardReading(spec, SAMPLE, folder.path))
        drawn = [part for part in spec.components.values() if part.drawn]
        rows.append((spec.name, _literal(key), str(len(cards.records)), str(len(folder.decks)), str(len(drawn))))
        parts.append(f"## {spec.name}")
        if spec.notice:
            parts.append(_words(spec.notice))
        of = f"of {spec.name}"
        alike = grouped(((_bounds(*s.size), ", ".join(s.types)), _literal(name)) for name, s in spec.sections.items())
        sections = [(", ".join(names), *facts) for facts, names in alike.items()]
        parts += _part(f"Sections {of}", ("Section", "Cards", "Types"), sections)
        formats = [(_literal(name), _words(f.name), _words(f.label)) for name, f in spec.formats.items()]
        told = 3 if any(f.label not in name for name, f in spec.formats.items()) else 2
        parts += _part(f"Formats {of}", ("Format", "Name", "Label")[:told], [row[:told] for row in formats])
        options = [
            (_literal(name), f"{_words(o.label)}.{told.format(_literal(_json(o.default)))}{_rules(o.rules)}")
            for name, o in spec.options.items()
            for told in ["" if o.default is False else " Default:\u00a0{}"]
        ]
        parts += _part(f"Options {of}", ("Option", "What it decides"), options)
        pieces = [
            (c.per.removeprefix("row-per-"), _literal(name), f"{_words(c.label or name)} ({c.id})".removesuffix(" ()"))
            for name, c in spec.components.items()
        ]
        for per in dict.fromkeys(piece[0] for piece in pieces):
            own = [piece[1:] for piece in pieces if piece[0] == per]
            parts += _part(f"Components {of}, per {per}", ("Name", "What it is"), own)
        operations = [(_literal(f"{spec.prefix}.{name}"), _words(o.about)) for name, o in game.operations.items()]
        parts += _part(f"Questions {of}", ("Operation", "What it answers"), operations)
    head = ("Game", "Key", "Sample cards", "Decks", "Components")
    lead = "What comes with each game, as `carddb games KEY` shows it. An option without a default is `false`."
    return "\n\n".join(("# The games in detail", lead, _table(head, rows), *parts))


def _part(title: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    return [f"### {title}", _table(head, rows)] if rows else []


def _rules(ids: Sequence[str]) -> str:
    """Rule ids as a document shows them."""
    return f" {{{', '.join(ids)}}}" if ids else ""


def _json(value: Any) -> str:
    """A value as `--option` takes it."""
    plain = as_plain(value)
    return plain if isinstance(plain, str) else json.dumps(plain, ensure_ascii=False)


def _bounds(least: int, most: int | None) -> str:
    return f"{least} to {most}" if most else f"{least} or more" if least else "any number"


def codes() -> str:
    """Every finding code: those of all games, then those of each."""
    parts = [
        "# Finding codes",
        "Every finding has a code that does not change. Here is the cause of each code, and how to fix it. "
        "`carddb explain CODE` shows the same for one code, with the text of its rules.",
        "## Codes of every game",
        _code_table(shared_codes()),
    ]
    for folder in folders().values():
        game, _ = load(folder)
        assert game
        if game.rule_book.codes:
            parts += [f"## {game.spec.name}", _code_table(game.rule_book.codes)]
    return "\n\n".join(parts)


def _code_table(entries: Mapping[str, CodeText]) -> str:
    rows = [
        (_literal(code), f"{_words(entry.cause)}{_rules(entry.rules)}", _words(entry.fix))
        for code, entry in sorted(entries.items())
    ]
    return _table(("Code", "Cause", "Fix"), rows)


def names() -> str:
    """Every public name of the Python door, with what it says of itself."""
    parts = [
        "# The Python API",
        "Everything that a script may rely on in the package `carddb`. How to use it: [Python](python.md).",
    ]
    for name in door.__all__:
        value = getattr(door, name)
        parts.append(f"## `{name}`" if inspect.isclass(value) else f"## `{name}()`")
        if inspect.isclass(value):
            parts.append(_prose(inspect.getdoc(value) or ""))
            ours = [part for part in value.__mro__ if part in (value, Workspace)]
            for key, member in (item for part in ours for item in vars(part).items()):
                parts += _member(value, key, member)
        else:
            parts += [_signature(f"carddb.{name}", value), _prose(inspect.getdoc(value) or "")]
    return "\n\n".join(part for part in parts if part)


def _member(owner: type, key: str, member: Any) -> list[str]:
    """A public method or property, with its docstring; those without one say nothing that their name does not."""
    if isinstance(member, classmethod | staticmethod):
        member = member.__func__
    about = inspect.getdoc(member) if callable(member) or isinstance(member, property) else ""
    if key.startswith("_") or not about or inspect.isclass(member):
        return []
    title = f"### `{owner.__name__}.{key}`"
    return [title, _prose(about)] if isinstance(member, property) else [title, _signature(key, member), _prose(about)]


def _signature(name: str, function: Callable[..., Any]) -> str:
    """A function's call, a parameter a line where it is long."""
    signature = inspect.signature(function)
    parts = [_parameter(part) for part in signature.parameters.values() if part.name not in _BOUND]
    kinds = [part.kind for part in signature.parameters.values() if part.name not in _BOUND]
    if inspect.Parameter.KEYWORD_ONLY in kinds and inspect.Parameter.VAR_POSITIONAL not in kinds:
        parts.insert(kinds.index(inspect.Parameter.KEYWORD_ONLY), "*")
    returns = signature.return_annotation
    arrow = "" if returns is signature.empty else f" -> {_type(returns)}"
    line = f"{name}({', '.join(parts)}){arrow}"
    if parts and len(line) > _LINE:
        line = "\n".join((f"{name}(", *(f"    {part}," for part in parts), f"){arrow}"))
    return f"```python\n{line}\n```"


def _parameter(part: inspect.Parameter) -> str:
    star = "*" if part.kind is part.VAR_POSITIONAL else "**" if part.kind is part.VAR_KEYWORD else ""
    kind = "" if part.annotation is part.empty else f": {_type(part.annotation)}"
    default = "" if part.default is part.empty else f" = {_default(part.default)}"
    return f"{star}{part.name}{kind}{default}"


def _type(annotation: Any) -> str:
    """An annotation without the modules of its names."""
    text = annotation.__name__ if inspect.isclass(annotation) else str(annotation)
    return re.sub(r"\b(?:\w+\.)+(?=[A-Z]|date)", "", text)


def _default(value: Any) -> str:
    """A default as it is written; a function by its name."""
    written = repr(dict(value) if isinstance(value, Mapping) else value)
    return getattr(value, "__name__", "...") if callable(value) else _type(written)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    first, *others = (f"| {' | '.join(cells)} |" for cells in (head, *rows))
    return "\n".join((first, f"|{'---|' * len(head)}", *others))


def _literal(text: str) -> str:
    return f"`{text.replace('|', chr(92) + '|')}`"


def _prose(text: str) -> str:
    """The paragraphs of a help or a docstring; what is indented or listed keeps its lines."""
    out = []
    for paragraph in re.split(r"\n\s*\n", inspect.cleandoc(text)):
        lines = paragraph.split("\n")
        if lines[0] == "\b":  # each line is a usage of its own
            typed = _TYPED.sub(r"``\g<0>``", "\n".join(lines[1:]))
            out.append("\n".join(f"- {_words(line)}" for line in typed.split("\n")))
        elif all(line.startswith("    ") for line in lines):
            out.append("\n".join(("```text", *(line.removeprefix("    ") for line in lines), "```")))
        elif lines[0].lstrip().startswith(("- ", "* ")):
            items = re.split(r"\n\s*[-*] ", f"\n{paragraph.lstrip()}")
            out.append("\n".join(f"- {_words(item)}" for item in items if item.strip()))
        else:
            out.append(_words(paragraph))
    return "\n\n".join(out)


def _words(text: str) -> str:
    """Words as Markdown shows them: signs of markup as they are, braces as code."""
    parts = _CODE.split(_LITERAL.sub(r"`\1`", " ".join(text.replace("\b", "").split())))
    for at, part in enumerate(parts):
        parts[at] = f"`{part.strip('`')}`".replace("|", r"\|") if at % 2 else _MARKUP.sub(r"\\\1", part)
    return "".join(parts)
