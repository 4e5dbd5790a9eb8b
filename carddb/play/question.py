"""Questions to the referee: functions of a game's rules, whose parameters are the fields of the question."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import cached_property
from types import MappingProxyType, ModuleType
from typing import Annotated, Any, Generic, Literal, ParamSpec, TypeVar, get_args, get_origin, get_type_hints

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    Strict,
    ValidationError,
    ValidationInfo,
    create_model,
)
from pydantic.fields import FieldInfo
from pydantic.json_schema import SkipJsonSchema
from pydantic_core import CoreSchema, ErrorDetails, PydanticCustomError, core_schema

from carddb.cards.cards import Card, Deck, Entry, Pool
from carddb.core.dates import day as iso_day
from carddb.core.names import Vocabulary, fold_word
from carddb.game.frozen import as_plain
from carddb.game.game import GameSpec
from carddb.game.parts import Fault, FieldSpec, OptionSpec

T = TypeVar("T")

Many = Annotated[tuple[T, ...], Strict(False)]
"""A JSON list of values of one type."""

Known = Annotated[T | str, Field(union_mode="left_to_right")]
"""A word of the list `T`, or any other text, which the rules then refuse with a code of their own."""

Count = Annotated[int, Field(ge=0)]
Positive = Annotated[int, Field(ge=1)]
FromZero = Annotated[int, Field(description="A position, counted from 0.")]
Die = Annotated[int, Field(ge=1, le=6)]
Object = dict[str, Any]
"""A JSON object whose keys are checked by the rules, not by the question's form."""
LIST = "carddb_words"
"""The metadata key under which a field's schema names the game's list of further words."""
Day = Annotated[date, BeforeValidator(lambda day: date.fromisoformat(iso_day(day)) if isinstance(day, str) else day)]
"""A date as 2026-06-20."""


class Words:
    """Annotates a `Literal` with the name of the game's list whose labels and aliases are accepted as well."""

    def __init__(self, list_: str) -> None:
        self.list = list_

    def __get_pydantic_core_schema__(self, source: Any, handler: Callable[[Any], Any]) -> Any:
        schema = handler(source)
        return {**schema, "metadata": {**schema.get("metadata", {}), LIST: self.list}}


UNKNOWN_WORD = "unknown_word"
"""The pydantic error type for a word that is not in its list."""

_INNER = ("schema", "choices", "items_schema", "keys_schema", "values_schema")
"""The keys under which a schema contains other schemas."""
_BY_NAME = {"model-fields": "fields", "tagged-union": "choices"}
"""The types of schemas that contain other schemas by name, each with the key under which these are."""


def with_folded_words(schema: Any, part: type) -> Any:
    """Returns the schema of the class `part`, with literals that ignore case; the classes in it already do so."""
    if isinstance(schema, list | tuple):
        return type(schema)(with_folded_words(inner, part) for inner in schema)
    if not isinstance(schema, dict) or schema.get("cls", part) is not part:
        return schema
    if schema["type"] == "literal":
        return _word(schema)
    if key := _BY_NAME.get(schema["type"]):
        return {**schema, key: {name: with_folded_words(inner, part) for name, inner in schema[key].items()}}
    return {**schema, **{key: with_folded_words(schema[key], part) for key in _INNER if key in schema}}


def _word(schema: Any) -> Any:
    """Returns the schema of a literal that accepts exact words or, for Python values, the game's words in any case."""
    keys = tuple(word for word in schema["expected"] if isinstance(word, str))
    list_ = schema.get("metadata", {}).get(LIST)

    def key_of(value: Any, info: ValidationInfo) -> Any:
        if not isinstance(value, str):
            return value
        vocabulary = info.context.vocabulary(keys, list_) if info.context else Vocabulary(keys)
        key = vocabulary.find(value)
        if key is None:
            # The nearest word is looked up later, because only one of maybe 60,000 unknown words is reported.
            # The word is in a tuple, because pydantic cannot hold a text with a lone surrogate directly.
            raise PydanticCustomError(UNKNOWN_WORD, "unknown word", {"words": vocabulary, "word": (value,)})
        return key

    folded = core_schema.with_info_before_validator_function(key_of, schema)
    return core_schema.union_schema([schema, folded], mode="left_to_right") if keys else schema


_UNKNOWN_KEY = "extra_forbidden"
_BOUNDS = {"ge": "least", "le": "most", "gt": "above", "lt": "below"}
"""The bounds of numbers: the name in an annotation, and the key in an answer."""

Step = int | str


def describe(form: type[BaseModel], fault: ValidationError, data: Any) -> tuple[str, dict[str, Any]]:
    """Returns the path of the first fault (unknown keys come first), and `details` as BadInput has them."""
    faults = fault.errors(include_url=False, include_input=False)
    if extra := next((one for one in faults if one["type"] == _UNKNOWN_KEY), None):
        *place, key = extra["loc"]
        forms = [part for field in _fields_at(form, place) for part in _forms_in(field.annotation)] or [form]
        keys = Vocabulary(info.alias or name for part in forms for name, info in part.model_fields.items())
        return _path(extra, data), {"did_you_mean": keys.nearest(str(key))}
    path = _path(faults[0], data)
    same_place = [one for one in faults if _path(one, data) == path]
    if unknown := next((one["ctx"] for one in same_place if one["type"] == UNKNOWN_WORD), None):
        words: Vocabulary = unknown["words"]
        return path, {"did_you_mean": words.nearest(*unknown["word"]), "words": list(words.keys)}
    return path, next(filter(None, (_numbers(form, one) for one in same_place)), {})


def sentence(details: Mapping[str, Any]) -> str:
    """Returns a clause about a fault in a question, from the `details` of its refusal: `cell.1 must be 1 to 5`."""
    path, possible = details.get("path", ""), possible_values(details)
    if possible:
        return f"{path} must be {possible}"
    return f"{path} is missing or has a wrong value" if path else "the input is not understood"


def possible_values(details: Mapping[str, Any]) -> str:
    """Returns the values that `details` of a refusal allow: `1 to 6`, `0 or more`, `one of flip, add`; else ""."""
    if details.get("words"):
        return f"one of {', '.join(map(str, details['words']))}"
    if "least" in details and "most" in details:
        return f"{details['least']} to {details['most']}"
    words = {"least": "{} or more", "above": "more than {}", "most": "{} or less", "below": "less than {}"}
    return " and ".join(text.format(details[key]) for key, text in words.items() if key in details)


def _numbers(form: type[BaseModel], fault: ErrorDetails) -> dict[str, Any]:
    """Returns the numbers allowed in place of a wrong one: `words`, or bounds as in BadInput; empty for other faults.

    If several types of number with different bounds are allowed there, only the violated bound is returned.
    """
    kinds = [kind for field in _fields_at(form, fault["loc"]) for kind in _kinds(field.annotation, field.metadata)]
    if fault["type"] == "literal_error":
        lists = [get_args(kind) for kind, _ in kinds if get_origin(kind) is Literal]
        return next(({"words": [*choices]} for choices in lists if all(type(each) is int for each in choices)), {})
    beyond = {word: fault["ctx"][name] for name, word in _BOUNDS.items() if name in fault.get("ctx", {})}
    if not beyond:
        return {}
    bounds = [each for each in (_bounds(metadata) for _, metadata in kinds) if beyond.items() <= each.items()]
    return bounds[0] if bounds and all(each == bounds[0] for each in bounds) else beyond


def _bounds(metadata: Iterable[Any]) -> dict[str, Any]:
    return {word: getattr(part, name) for part in metadata for name, word in _BOUNDS.items() if hasattr(part, name)}


def _kinds(kind: Any, metadata: Sequence[Any] = ()) -> Iterator[tuple[Any, Sequence[Any]]]:
    """Yields a type annotation, and the types inside it, each with its metadata."""
    yield kind, metadata
    if get_origin(kind) is Annotated:
        inner, *metadata = get_args(kind)
        parts = (each.metadata if isinstance(each, FieldInfo) else [each] for each in metadata)
        yield from _kinds(inner, [part for some in parts for part in some])
    else:
        for part in get_args(kind):
            yield from _kinds(part)


def _fields_at(form: type[BaseModel], place: Sequence[Step]) -> list[FieldInfo]:
    """Returns the last fields on the path `place`: one, or one from each branch of a union that has this field."""
    forms, fields = [form], list[FieldInfo]()
    for step in place:
        hits = [field for part in forms for name, field in part.model_fields.items() if step in (name, field.alias)]
        fields = hits or fields
        forms = [part for field in hits for part in _forms_in(field.annotation)] or forms
    return fields


def _forms_in(annotation: Any) -> list[type[BaseModel]]:
    """Returns the types of objects in a field's annotation."""
    return [kind for kind, _ in _kinds(annotation) if isinstance(kind, type) and issubclass(kind, BaseModel)]


def _path(fault: ErrorDetails, data: Any) -> str:
    """Returns the keys and positions that lead to a fault, joined by dots, without the names of union branches."""
    steps, at = [], data
    for number, step in enumerate(fault["loc"]):
        missing = fault["type"] == "missing" and number == len(fault["loc"]) - 1
        inside = isinstance(at, Mapping) and step in at
        inside = inside or (isinstance(at, list | tuple) and isinstance(step, int) and step < len(at))
        if inside:
            at = at[step]
        if inside or missing:
            steps.append(str(step))
    return ".".join(steps)


MAX_NESTING = 50
EMPTY = Pool(())

Answer = Mapping[str, Any]
Options = Mapping[str, Any]
"""The value in force of every option of the game, by name."""

P = ParamSpec("P")
_INJECTED = ("spec", "options", "pool")
_Hidden = SkipJsonSchema[Any]
_CONTAINERS = (dict, list, tuple)


class Refusal(Exception):
    """A negative answer: the `reason`, a code, and in `details` the other keys of the answer."""

    def __init__(self, reason: str, **details: Any) -> None:
        super().__init__(reason)
        self.reason = reason
        self.details = details


class BadInput(Refusal):
    """A key is missing or unknown, or a value has a wrong type or is out of range.

    `path` leads to it: keys and positions from 0, joined by dots. For an unknown key or word, `details` have
    `did_you_mean` (the nearest, or None), and for a word also `words` (all known ones); for a number out of range,
    `least` and `most`, or the exclusive bounds `above` and `below`.
    """

    def __init__(self, path: str, **details: Any) -> None:
        super().__init__("bad_input", path=path, **details)
        self.path = path


def given(value: T | None, path: str) -> T:
    """Returns `value`, which the question need not have, but this case requires. Raises BadInput if it is None."""
    if value is None:
        raise BadInput(path)
    return value


def first_reason(**reasons: object) -> str | None:
    """Returns the name of the first of the `reasons` whose value is true, or None."""
    return next((reason for reason, applies in reasons.items() if applies), None)


def refuse(**reasons: object) -> None:
    """Raises Refusal with the name of the first of the `reasons` whose value is true; does nothing if none is."""
    refuse_for(first_reason(**reasons))


def refuse_for(reason: str | None) -> None:
    """Raises Refusal with `reason`, unless it is None."""
    if reason is not None:
        raise Refusal(reason)


class Record(BaseModel):
    """The base class of objects in modules, cards and saves: types are strict, and unknown keys are ignored."""

    model_config = ConfigDict(strict=True, frozen=True, extra="ignore", allow_inf_nan=False, populate_by_name=True)


class Part(Record):
    """The base class of objects inside a question: unknown keys are faults, and the case of words is ignored."""

    model_config = ConfigDict(extra="forbid")

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        schema: CoreSchema = with_folded_words(handler(source), cls)
        return schema


RecordT = TypeVar("RecordT", bound=Record)


class Operation(Generic[P]):
    """A question that a game answers, and the ids of the rules on which the answer is based."""

    def __init__(self, function: Callable[P, Answer], rules: Sequence[str], further: Sequence[str] = ()) -> None:
        self.function = function
        self.rules = tuple(rules)
        self.further = further
        self.name = function.__name__.rstrip("_")
        self._wants = {name for name in _INJECTED if name in inspect.signature(function).parameters}
        self.wants_cards = "pool" in self._wants
        """True if the answer depends on the game's cards."""

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> Answer:
        return self.function(*args, **kwargs)

    @property
    def about(self) -> str:
        """The first line of the function's docstring."""
        return (inspect.getdoc(self.function) or "").partition("\n")[0]

    @cached_property
    def question(self) -> type[Part]:
        """The form of the question, with the field `options` that every question has."""
        any_value: Any = (Any, None)
        further = dict.fromkeys(self.further, any_value)
        return form_of(self.function, without=_INJECTED, options=(_Hidden, None), **further)

    def ask(self, spec: GameSpec, data: Any, pool: Pool = EMPTY) -> dict[str, Any]:
        """Returns the answer to the question `data` as plain JSON values; a refused question gets an answer too."""
        try:
            answer = self.function(**self._arguments(spec, data, pool))  # type: ignore[call-arg]
        except Refusal as refusal:
            refused = {} if spec.refusal_key == "error" else {"ok": False}
            return {**refused, spec.refusal_key: refusal.reason, **refusal.details}
        return dict(answer) if spec.refusal_key == "error" else {"ok": True, **answer}

    def _arguments(self, spec: GameSpec, data: Any, pool: Pool) -> dict[str, Any]:
        if not isinstance(data, Mapping):
            raise BadInput("")
        for key, value in data.items():
            if isinstance(value, _CONTAINERS) and _deeper(value, MAX_NESTING):
                raise BadInput(str(key))
        values = dict(read(self.question, data, spec=spec).__dict__)
        options = options_in_force(spec, values.pop("options"))
        of_table = spec if options is spec.readings else spec.with_defaults(options)
        injected = {"spec": of_table, "options": options, "pool": pool}
        return values | {name: injected[name] for name in self._wants}


def refusal_of(spec: GameSpec, answer: Mapping[str, Any]) -> str | None:
    """Returns the reason if `answer` is a refusal, or None if it is any other answer."""
    reason = answer.get(spec.refusal_key) if answer.get("ok") is not True else None
    return reason if isinstance(reason, str) else None


class Chances(Operation[P]):
    """A question about chances, whose answer has a title, bars and notes to be shown to people."""


def form_of(function: Callable[..., Any], without: Collection[str], **further: Any) -> type[Part]:
    """Returns a form with a function's parameters except `without`, and with `further` fields as (type, default)."""
    hints = get_type_hints(function, include_extras=True)
    fields: dict[str, Any] = {}
    for name, parameter in inspect.signature(function).parameters.items():
        if name not in without and parameter.kind is not parameter.VAR_KEYWORD:
            default = ... if parameter.default is parameter.empty else parameter.default
            fields[name] = (hints[name], Field(default, alias=name.rstrip("_")))
    form = create_model(function.__name__.rstrip("_"), __base__=Part, **fields, **further)
    form.__doc__ = inspect.getdoc(function)
    return form


def operation(*rules: str, further: Sequence[str] = ()) -> Callable[[Callable[P, Answer]], Operation[P]]:
    """Makes a function an Operation; `rules` are ids of rules that it implements, if the rule book does not list them.

    `further` are names of fields, of any type, that the function takes as `**fields`.
    """
    return lambda function: Operation(function, rules, further)


def chances(*rules: str) -> Callable[[Callable[P, Answer]], Chances[P]]:
    """Makes a function a question about chances; `rules` are ids of rules that the rule book does not list for it."""
    return lambda function: Chances(function, rules)


def operations(
    *holders: ModuleType | Operation[Any], kind: type[Operation[Any]] = Operation
) -> dict[str, Operation[Any]]:
    """Returns the operations of exactly the class `kind` by name; `holders` are operations, or modules with some."""
    operations_: list[Operation[Any]] = []
    for holder in holders:
        values: Iterable[Any] = [holder] if isinstance(holder, Operation) else vars(holder).values()
        home = getattr(holder, "__name__", None)
        operations_ += [value for value in values if type(value) is kind and home in (None, value.function.__module__)]
    return {operation_.name: operation_ for operation_ in operations_}


def options_in_force(spec: GameSpec, options: Any) -> Options:
    """Returns the value of every option of the game: the one given in `options`, or else the default.

    Raises BadInput for an unknown option or value; refuses (`option_not_supported`) a value that is only documented.
    """
    defaults = spec.readings
    if options is None:
        return defaults
    if not isinstance(options, Mapping):
        raise BadInput("options")
    values = dict(defaults)
    documented = False
    for key, value in options.items():
        name = spec.option_words.find(str(key))
        if name is None:
            raise BadInput(f"options.{key}", did_you_mean=spec.option_words.nearest(str(key)))
        option = spec.options[name]
        try:
            values[name] = option.value_of(value)
        except ValueError:
            documented |= option.documents(value)
            if not option.documents(value):
                raise BadInput(f"options.{key}", **_values_near(option, value)) from None
    refuse(option_not_supported=documented)
    return MappingProxyType(values)


def _values_near(option: OptionSpec, value: Any) -> dict[str, Any]:
    """Returns the nearest choice as `did_you_mean` and all choices as `words`; empty if the option has no choices."""
    if option.type != "choice" or not isinstance(value, str | int):
        return {}
    near = {"did_you_mean": Vocabulary(map(str, option.of)).nearest(value)} if isinstance(value, str) else {}
    return {**near, "words": list(option.of)}


def read(kind: type[RecordT], data: Any, path: str = "", spec: GameSpec | None = None) -> RecordT:
    """Returns `data` as an object of the class `kind`. It is a question, or the object at `path` in a question.

    For words, labels and aliases of the game `spec` are accepted too. Raises BadInput with the path in the question.
    """
    try:
        return kind.model_validate(data, context=spec)
    except ValidationError as fault:
        place, details = describe(kind, fault, data)
        raise BadInput(".".join(filter(None, (path, place))), **details) from None


def _deeper(value: Any, levels: int) -> bool:
    """Returns whether a container is nested deeper than `levels` levels, itself included."""
    for item in value.values() if isinstance(value, dict) else value:
        if isinstance(item, _CONTAINERS) and (levels == 1 or _deeper(item, levels - 1)):
            return True
    return False


def card(spec: GameSpec, value: Any, path: str) -> tuple[Card, list[str]]:
    """Returns a card that is written inside a question at `path`, and the codes of its faults.

    If its type is unknown, the type's code is the only one. Raises BadInput for a fault that has no code in the game.
    """
    value = by_field(spec, value, path)
    name, ref = (text(value, key, path) for key in ("name", "ref"))
    kind = value.get("type")
    if kind is not None and not isinstance(kind, str):
        raise BadInput(f"{path}.type")
    key = None if kind is None else spec.type_words.find(kind)
    if key is None:
        fields = spec.all_fields()
        fit = {key: item for key, item in value.items() if key in fields and fields[key].fault(item) is None}
        fit.pop("ref", None)
        return Card(spec.key, ref or "?", {**fit, "name": name, "type": str(kind)}), [spec.type_code]
    values, codes = _values(spec, key, value, path)
    missing = [code for word, code in ((ref, spec.ref_code), (name, spec.name_code)) if not word]
    return spec.card(ref or "?" + name, {"name": name, "type": key, **values}), [*missing, *codes]


def by_field(spec: GameSpec, card: Any, path: str) -> Mapping[str, Any]:
    """Returns a card whose keys, which may be labels (`Men Under Command`), are replaced by fields (`men`).

    Unknown keys stay. Of a field and its label, the field counts. Raises BadInput unless `card` is an object.
    """
    if not isinstance(card, Mapping):
        raise BadInput(path)
    words = spec.field_words
    exact = {key: value for key, value in card.items() if key in words.keys}
    if len(exact) == len(card):
        return card
    return {words.find(str(key)) or key: value for key, value in card.items()} | exact


def text(card: Mapping[str, Any], key: str, path: str) -> str:
    """Returns the text under `key` of a card at `path`, empty if missing or blank. Raises BadInput for other types."""
    value = card.get(key)
    if value is not None and not isinstance(value, str):
        raise BadInput(f"{path}.{key}")
    return value if value and value.strip() else ""


def _values(spec: GameSpec, kind: str, card: Mapping[str, Any], path: str) -> tuple[dict[str, Any], list[str]]:
    values, codes = {}, []
    for name, field in spec.fields_of(kind).items():
        value, fault = checked(field, card.get(name))
        if fault is None:
            values[name] = value
        # An unknown text in a choice field has the right type.
        elif fault in field.codes and (fault != "invalid" or (field.type == "choice" and isinstance(value, str))):
            codes.append(field.codes[fault])
            if fault == "invalid":
                values[name] = value
        else:
            raise bad_field(field, fault, f"{path}.{name}")
    return values, codes


def bad_field(field: FieldSpec, fault: Fault | None, path: str) -> BadInput:
    """Returns the exception for a field's wrong value at `path`. If `fault` is `range`, it has the allowed range."""
    bounds = {"least": field.min, "most": field.max} if fault == "range" else {}
    whole = {word: int(n) if n == int(n) else n for word, n in bounds.items() if n is not None}
    return BadInput(path, **whole)


def checked(field: FieldSpec, value: Any) -> tuple[Any, Fault | None]:
    """Returns a value in the form in which the field stores it, and its fault or None.

    Known words are replaced by their keys, yes and no by booleans. A number written as a text has a wrong type.
    """
    if field.of and isinstance(value, list | tuple):
        return [field.words.find(item) or item if isinstance(item, str) else item for item in value], field.fault(value)
    if type(value) is str and field.type == "boolean":
        value = field.truth.get(fold_word(value), value)
    elif type(value) is str and field.of:
        value = field.words.find(value) or value
    return value, field.fault(value)


Reader = Callable[[GameSpec, Any, str], tuple[Card, list[str]]]
"""A function that reads a card, as `card` does: from the game, the value, and its path in the question."""


def deck(spec: GameSpec, sections: Mapping[str, Sequence[Any]], read: Reader = card) -> tuple[Deck, list[str]]:
    """Returns a deck, and the codes of faults in its cards and counts; `sections` are lists of `[card, count]` by key.

    A count that is not a whole number of at least 1 becomes 0. Raises BadInput if a section has another form.
    """
    entries, codes = [], []
    for section, rows in sections.items():
        for position, row in enumerate(rows):
            path = f"{section}.{position}"
            if not isinstance(row, list | tuple) or len(row) != 2:
                raise BadInput(path)
            card, faults = read(spec, row[0], f"{path}.0")
            codes += faults
            count = row[1] if type(row[1]) is int and row[1] >= 1 else 0
            entries.append(Entry(section, count, card.name, card))
            if not count:
                codes.append("bad_count")
    return Deck(spec.key, tuple(entries)), codes


def fields_of(operation: Operation[Any]) -> list[str]:
    """Returns the fields of a question in one line, followed by a line for each type of object in it."""
    schema = operation.question.model_json_schema()
    parts = [f"{name}: {_fields(part)}" for name, part in schema.get("$defs", {}).items()]
    return [_fields(schema) or "no fields", *parts]


def options_of(spec: GameSpec) -> list[str]:
    """Returns a line for each option: values and default, as `tie_rule: defender_wins|life_holds = "defender_wins"`."""
    return [
        f"{name}: {'|'.join(map(str, option.of)) or option.type} = {json.dumps(as_plain(option.default, whole=True))}"
        for name, option in spec.options.items()
    ]


def _fields(schema: Mapping[str, Any]) -> str:
    """Returns the fields of an object's JSON schema as text: `hand: a whole number; pull: true or false (optional)`."""
    defaults = {name: json.dumps(field.get("default")) for name, field in schema.get("properties", {}).items()}
    unless = {name: "optional" if value == "null" else f"default {value}" for name, value in defaults.items()}
    return "; ".join(
        f"{name}: {kind_words(field)}" + ("" if name in schema.get("required", ()) else f" ({unless[name]})")
        for name, field in schema.get("properties", {}).items()
    )


def kind_words(field: Mapping[str, Any]) -> str:
    """Returns a field's type in words, and from which number it counts; or its description if that has an example."""
    about = field.get("description", "")
    counted = re.search("counted (from [01])", about)
    return about if "such as" in about else _plain_kind(field) + (f" (counted {counted[1]})" if counted else "")


def _plain_kind(field: Mapping[str, Any]) -> str:
    if "anyOf" in field:
        without = {"type": "null"} if field.get("default", "") is None else None  # null is the same as nothing
        return " or ".join(kind_words(part) for part in field["anyOf"] if part != without)
    if "enum" in field or "const" in field:
        return "|".join(map(str, field.get("enum", [field.get("const")])))
    if "$ref" in field:
        return str(field["$ref"]).rpartition("/")[2]
    if field.get("type") == "array":
        return f"list of {kind_words(field.get('items', {})).removeprefix('a ')}"
    kind, low, high = str(field.get("type", "any")), field.get("minimum"), field.get("maximum")
    words = {"integer": "a whole number", "string": "a text", "boolean": "true or false"}.get(kind, kind)
    return words + ("" if low is None else f" from {low:,}") + ("" if high is None else f" to {high:,}")
