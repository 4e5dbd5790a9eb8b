"""Card-pool formats: which format a deck is played in, and which cards it excludes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from carddb.cards.cards import Entry
from carddb.core.errors import UsageError
from carddb.core.groups import grouped
from carddb.core.names import fold_word, nearest
from carddb.core.plain_text import amount, listed
from carddb.deck.context import Fix, View, any_values_of, cards, copies, finding
from carddb.findings import Finding, Severity, error
from carddb.game.game import GameSpec
from carddb.game.rule_parts import FilterSpec, FormatSpec, MustSpec, RotationSpec

_KINDS = {"boolean": "true or false", "integer": "a whole number", "list": "a list of texts"}


class Played(NamedTuple):
    """The format in force: its key (None if it is custom or there is none), its demands, and findings on its name."""

    key: str | None = None
    spec: FormatSpec | None = None
    findings: tuple[Finding, ...] = ()


def in_force(view: View) -> Played:
    """Returns the format of the check: a custom one, or the user's choice, or the deck's, or the game's default."""
    custom, rules = view.context.custom, view.spec.format_rules
    if custom is not None:
        fix = "Correct the file of the format, or name one of the game's own."
        filters = {"filters": list(view.spec.filters)}
        messages = (f"The custom format cannot be used: {fault}" for fault in custom_faults(view.spec, custom))
        faults = [error("format_invalid", words, view.file, data=filters, fix=fix, rules=rules) for words in messages]
        if faults:
            return Played(findings=tuple(faults))
        values = {name: value for name, value in custom.items() if value is not None and name != "name"}
        filters = {name: filter_.default for name, filter_ in view.spec.filters.items()} | values
        return Played(spec=FormatSpec(name=str(custom.get("name") or "Custom format"), filters=filters))
    candidates = (view.context.format, view.deck.headers.get("format"), view.spec.default_format)
    key = next((key for key in candidates if key is not None), None)
    if key is None:
        return Played()
    canonical = view.spec.format_words.find(key)
    if canonical is not None:
        return Played(canonical, view.spec.formats[canonical])
    message = f"{view.spec.name} has no format {key}, so no format was checked"
    place = view.file if view.context.format else view.deck.places.get("format", view.file)
    data, fix = {"format": key, "formats": list(view.spec.formats)}, _suggested(view.spec, key)
    unknown = Finding("format_unknown", Severity.NOT_CHECKABLE, message, (place,), data=data, fix=fix, rules=rules)
    return Played(findings=(unknown,))


def check(view: View, played: FormatSpec) -> list[Finding]:
    """Returns a finding for each demand that cards fail, each illegal value, and for a day when it is not played."""
    findings = [*_not_played(view, played), *_rotated(view, played)]
    for must, value in demands(view, played):
        values = tuple(value) if isinstance(value, list | tuple) else (value,)
        failing = view.failing(must.must, values)
        if failing:
            demand = (must.label or must.must).replace("{}", listed([str(item) for item in values]) or "nothing")
            words = f"{played.name}: {demand}; {amount(copies(failing))} outside it, 0 allowed"
            findings.append(_outside(must, words, values, failing))
    return findings


def _not_played(view: View, played: FormatSpec) -> Iterator[Finding]:
    """Yields a finding if the format is not played on the context's day."""
    if not played.holds_on(view.context.on):
        days = [f"from {played.since}"] if played.since else []
        days += [f"until {played.until}, that day not included"] if played.until else []
        message = f"{played.name} is not played on {view.context.on}: {' and '.join(days)}"
        place = view.deck.places.get("format", view.file)
        data, fix = {"from": played.since or None, "until": played.until or None}, "Choose another format or day."
        yield error("format_not_played", message, place, data=data, fix=fix, rules=played.rules)


def _outside(rule: MustSpec | RotationSpec, words: str, values: Sequence[Any], entries: list[Entry]) -> Finding:
    """Returns the finding about cards that a rule of a format excludes; `words` begins its message."""
    guilty, data = cards(entries), {"count": copies(entries), "limit": 0, "value": list(values)}
    message = f"{words}: {Fix.counted(guilty)}"
    return finding(rule.code, message, entries, data, Fix.remove(guilty), rules=rule.rules)


def demands(view: View, played: FormatSpec) -> list[tuple[MustSpec, Any]]:
    """Returns every demand in force, with the value that the format gives its filter (True for the format's own)."""
    parts: list[tuple[MustSpec, Any]] = [(must, True) for must in played.pool]
    for name, value in played.filters.items():
        if value is not None and value is not False:
            parts += [(must, value) for must in view.spec.filters[name].pool]
    return [(must, value) for must, value in parts if view.applies(must) and must.holds_on(view.context.on)]


def format_key(spec: GameSpec, key: str) -> str:
    """Returns the key of the format with this key, name, alias or label. Raises UsageError, which names the nearest."""
    canonical = spec.format_named(key)
    if canonical is not None:
        return canonical
    raise UsageError(f"{spec.name} has no format {key}", _suggested(spec, key))


def _suggested(spec: GameSpec, text: str) -> str:
    """Returns the remedy for an unknown format, or for a label that several formats share (E-44)."""
    if not spec.formats:
        return "This game has no formats: leave the format out."
    keys = [key for key, format_ in spec.formats.items() if text and fold_word(text) == fold_word(format_.label)]
    if text and not keys:  # `10` is a part of `10a`
        labels = {key: format_.label for key, format_ in spec.formats.items()}
        keys = [key for key, label in labels.items() if label.startswith(text) and label[len(text) :].isalpha()]
    if len(keys) > 1:
        choices = " or ".join(f"{key} ({spec.formats[key].label})" for key in keys)
        return f"{text} is ambiguous: write {choices}."
    return spec.format_words.remedy(text)


def custom_faults(spec: GameSpec, values: Mapping[str, Any]) -> list[str]:
    """Returns the faults of a user's custom format, one sentence each."""
    faults = []
    for name, value in values.items():
        if name == "name":
            continue
        if name not in spec.filters:
            near = nearest(str(name), spec.filters) or list(spec.filters)
            faults.append(f"there is no filter {name}; possible: {', '.join(near)}")
        elif not filter_takes(spec.filters[name], value):
            faults.append(f"{name} is {value!r:.60}, but must be {_KINDS[spec.filters[name].type]}")
    return faults


def filter_takes(filter_: FilterSpec, value: Any) -> bool:
    """Returns whether a value has the type of a filter; so has None, which switches it off."""
    if value is None:
        return True
    if filter_.type == "list":
        return isinstance(value, list | tuple) and all(isinstance(item, str) for item in value)
    return type(value) is {"boolean": bool, "integer": int}[filter_.type]


def _rotated(view: View, played: FormatSpec) -> Iterator[Finding]:
    """Yields a finding for each value of the rotation's field, usually a set, that is not legal on the day."""
    if played.rotation is None:
        return
    by_values = grouped((any_values_of(entry, played.rotation.of), entry) for entry in view.pooled())
    for values, entries in by_values.items():
        legal = (days for value in values for days in played.rotation.periods.get(str(value), ()))
        if not any(days.holds_on(view.context.on) for days in legal):
            reasons = listed([_reason(view, played.rotation, str(value)) for value in values])
            of = f"of {played.rotation.of} {reasons}" if reasons else f"without {played.rotation.of}"
            words = f"{played.name} on {view.context.on}: {amount(copies(entries))} {of}"
            yield _outside(played.rotation, words, values, entries)


def _reason(view: View, rotation: RotationSpec, value: str) -> str:
    """Returns a value, followed by why it is not legal."""
    periods, on = rotation.periods.get(value), view.context.on.isoformat()
    if not periods:
        return f"{value} (never legal)"
    if coming := next((days for days in periods if days.since > on), None):
        return f"{value} (legal from {coming.since})"
    return f"{value} (legal until {periods[-1].until}, that day not included)"
