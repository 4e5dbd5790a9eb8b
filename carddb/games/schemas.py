"""JSON Schemas of files and questions, generated from the models that read them."""

from __future__ import annotations

import ast
import inspect
import json
import textwrap
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any, get_args

from pydantic import BaseModel, ConfigDict
from pydantic.json_schema import JsonSchemaMode, models_json_schema

from carddb.game.frozen import Frozen, as_plain
from carddb.game.frozen import fields_of as part_fields
from carddb.game.game import GameSpec
from carddb.game.parts import OptionSpec
from carddb.games import Game, folders
from carddb.games.opening.spec_reader import RuleBook
from carddb.games.referee import open_game
from carddb.layout.sheets.grid import Flip
from carddb.play.question import Operation
from carddb.read.documents.ban_parts import BanFile
from carddb.read.documents.manifest_parts import Manifest, OrderManifest
from carddb.read.documents.strict_models import model_of

Part = type[Frozen] | type[BaseModel]


def described(schema: dict[str, Any], root: Part) -> dict[str, Any]:
    """Returns the schema of the class `root` with a description of each key whose field has a docstring below it."""
    parts = {part.__name__: part for part in _parts(root, set())}
    objects = {root.__name__: schema, **schema.get("$defs", {})}
    for name, values in objects.items():
        if part := parts.get(name):
            texts, written = descriptions(part), _written(part)
            for key, value in values.get("properties", {}).items():
                if text := texts.get(written.get(key, key)):
                    value["description"] = text
    return schema


def with_key_texts(schema: dict[str, Any], texts: Mapping[str, Mapping[str, str]]) -> dict[str, Any]:
    """Returns the schema of questions or records with the game's descriptions of their keys, from `texts[object][key]`.

    `texts["all"]` applies to all objects; the texts under an object's name take precedence. A description that a key
    already has is kept.
    """
    objects = {str(schema.get("title", "")): schema, **schema.get("$defs", {})}
    for name, values in objects.items():
        own = {**texts.get("all", {}), **texts.get(name.rpartition(".")[2], {})}
        for key, value in values.get("properties", {}).items():
            if "description" not in value and key in own:
                value["description"] = own[key]
    return schema


def descriptions(part: Part) -> dict[str, str]:
    """Returns the docstrings below the fields of a class and its base classes, each as one line: `{field: text}`."""
    out: dict[str, str] = {}
    for kind in reversed(part.__mro__):
        if kind in (Frozen, BaseModel) or not issubclass(kind, Frozen | BaseModel):
            continue
        (definition,) = ast.parse(textwrap.dedent(inspect.getsource(kind))).body
        assert isinstance(definition, ast.ClassDef)
        for field, below in pairwise(definition.body):
            if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and isinstance(below, ast.Expr):
                out[field.target.id] = " ".join(ast.literal_eval(below.value).split())
    return out


def _parts(part: Part, seen: set[Part]) -> Iterator[Part]:
    """Yields a class and all classes that its fields use, except those in `seen`, to which it adds them."""
    seen.add(part)
    yield part
    if issubclass(part, Frozen):
        hints = list(part_fields(part).values())
    else:
        hints = [field.annotation for field in part.model_fields.values()]
    for kind in (kind for hint in hints for kind in _classes(hint)):
        if kind not in seen:
            yield from _parts(kind, seen)


def _classes(hint: Any) -> Iterator[Part]:
    if isinstance(hint, type) and not get_args(hint) and issubclass(hint, Frozen | BaseModel):
        yield hint
    for inside in get_args(hint):
        yield from _classes(inside)


def _written(part: Part) -> Mapping[str, str]:
    """Returns, by its key in files, the name of each field whose key is not its name."""
    if issubclass(part, Frozen):
        return {word: name for name, word in part.written.items()}
    return {field.alias: name for name, field in part.model_fields.items() if field.alias}


DIALECT = "https://json-schema.org/draft/2020-12/schema"


class PrintDefaults(BaseModel):
    """The printing options that a project uses by default."""

    model_config = ConfigDict(extra="forbid", strict=True)

    paper: str | None = None
    """The paper: `a4`, `letter`, or a size."""
    stock: str | None = None
    """The sheets that are printed on, such as `avery-5388`."""
    flip: Flip | None = None
    """The way in which the paper is turned for the backs."""
    printer: str | None = None
    """The printer, by the name under which it was calibrated."""
    tray: str | None = None
    """The tray of the printer."""


class LoadDefaults(BaseModel):
    """The settings for reading card files of a game."""

    model_config = ConfigDict(extra="forbid", strict=True)

    html: bool = False
    """True if texts have the basic HTML of other databases, which is converted to markup."""
    replace: dict[str, str] = {}
    """Signs of other databases in texts and their replacements, such as `{icon:coin}` for `[coin]`."""


class ProjectFile(BaseModel):
    """`carddb.toml`; paths are relative to its folder."""

    model_config = ConfigDict(extra="forbid", strict=True)

    catalog: str | None = None
    """The path of the project's catalogue."""
    game: str | None = None
    """The game of decks and files that do not name one."""
    games: list[str] = []
    """Folders of further games."""
    options: dict[str, dict[str, Any]] = {}
    """House readings: values of the options of a game's rules, by game and option."""
    columns: dict[str, str | dict[str, str]] = {}
    """The fields that headings of card files stand for, by heading; under the key of a game, only for that game."""
    load: dict[str, LoadDefaults] = {}
    """The settings for reading card files, by game."""
    keep_samples: list[str] | bool = []
    """The games whose sample cards are kept beside the user's own cards; true for all games."""
    defaults: PrintDefaults = PrintDefaults()
    """The printing options that the project uses by default."""


FILES: dict[str, tuple[Part, str]] = {
    "game.schema.json": (GameSpec, "game.yaml"),
    "rules.schema.json": (RuleBook, "rules.yaml"),
    "ban-log.schema.json": (BanFile, "bans.yaml"),
    "project.schema.json": (ProjectFile, "carddb.toml"),
    "printed.schema.json": (Manifest, "what sheets put on paper"),
    "order.schema.json": (OrderManifest, "manifest.json beside the pictures for a shop"),
}


def texts() -> dict[str, str]:
    """Returns the text of every generated schema file, by file name."""
    files = {}
    for name, (part, title) in FILES.items():
        model = model_of(part) if issubclass(part, Frozen) else part
        files[name] = {**described(model.model_json_schema(), part), "title": title}
    for folder in folders().values():
        game = open_game(folder)
        operations = {f"{game.spec.prefix}.{name}": (operation, game) for name, operation in game.operations.items()}
        title = f"the operations of {game.spec.name}"
        words = key_texts(game.spec)
        files[f"operations.{game.key}.schema.json"] = with_key_texts(operations_schema(operations, title), words)
        own = game.hook("schemas")
        for name, schema in own().items() if own else ():
            files[f"{name}.{game.key}.schema.json"] = with_key_texts(schema, words)
    heads = {name: f"urn:carddb:schema:{name.removesuffix('.schema.json')}" for name in files}
    return {
        name: json.dumps({"$schema": DIALECT, "$id": heads[name], **schema}, indent=1, ensure_ascii=False) + "\n"
        for name, schema in files.items()
    }


def key_texts(spec: GameSpec) -> Mapping[str, Mapping[str, str]]:
    """Returns the descriptions of keys in a game's `keys.yaml`, by the name of a question or object, then by key.

    Under the name `all` are the keys of all objects, with the labels that options have in `game.yaml`.
    """
    texts: Mapping[str, Mapping[str, str]] = spec.data.get("keys", {})
    options = {name: option.label for name, option in spec.options.items() if option.label}
    return {**texts, "all": {**options, **texts.get("all", {})}}


def operations_schema(operations: Mapping[str, tuple[Operation[Any], Game]], title: str) -> dict[str, Any]:
    """Returns the JSON Schema of one line of a batch of questions.

    Its `$defs` are the questions, by the full names of their operations, the objects inside the questions, by their
    names, and the options of each game, such as `eg.options`.
    """
    models: list[tuple[type[BaseModel], JsonSchemaMode]] = [
        (operation.question, "validation") for operation, _ in operations.values()
    ]
    places, schema = models_json_schema(models, ref_template="#/$defs/{model}")
    parts = schema.get("$defs", {})
    questions = {}
    for (name, (_, game)), key in zip(operations.items(), models, strict=True):
        question = parts.pop(places[key]["$ref"].rpartition("/")[2])
        options = f"{game.spec.prefix}.options"
        readings = {name: _option_schema(option) for name, option in game.spec.options.items()}
        parts[options] = {"type": "object", "additionalProperties": False, "properties": readings}
        properties = {
            **question.get("properties", {}),
            "options": {"$ref": f"#/$defs/{options}", "description": "House readings."},
        }
        questions[name] = {**question, "title": name, "properties": properties}
    line = {
        "type": "object",
        "required": ["id", "op", "input"],
        "properties": {
            "id": {"description": "Any value; the answer has it too."},
            "op": {"enum": list(questions), "description": "The operation."},
            "input": {"type": "object", "description": "The question."},
            "why": {"type": "boolean", "default": False, "description": "True to get the rules behind the answer."},
        },
        "allOf": [
            {
                "if": {"properties": {"op": {"const": name}}},
                "then": {"properties": {"input": {"$ref": f"#/$defs/{name}"}}},
            }
            for name in questions
        ],
    }
    return {"title": title, **line, "$defs": {**questions, **parts}}


def _option_schema(option: OptionSpec) -> dict[str, Any]:
    """Returns the schema of an option; it accepts values that are only documented, although questions refuse them."""
    schema: dict[str, Any] = {"title": option.label, "description": option.label} if option.label else {}
    if option.type == "choice":
        schema["enum"] = [form for value in (*option.of, *option.only_documented) for form in _forms(value)]
    else:
        schema["type"] = "string" if option.type == "text" else option.type
    if option.only_documented:
        refused = f"Documented values that cannot be chosen: {', '.join(map(str, option.only_documented))}."
        schema["description"] = f"{option.label}. {refused}" if option.label else refused
    return {**schema, "default": as_plain(option.default, whole=True)}


def _forms(value: str | int) -> list[str | int]:
    """Returns a value as a question may have it: a number also as a text, a text of digits also as a number."""
    digits = isinstance(value, str) and value.isdigit()
    return [value, int(value)] if digits else [value, str(value)] if isinstance(value, int) else [value]
