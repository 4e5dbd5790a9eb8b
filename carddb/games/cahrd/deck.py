"""Checks of C.A.H.R.D. cards and decks, with the restricted list and the chance of a good opening hand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date
from typing import Any, Literal

from carddb.cards.cards import Card, Deck, Entry, Pool
from carddb.core.groups import grouped
from carddb.core.names import fold_space
from carddb.core.plain_text import amount, listed
from carddb.deck import Context, check
from carddb.deck.check import bans
from carddb.deck.check.bans import BanCodes, ListInForce
from carddb.deck.context import ANY_DAY, cards, name_of, places
from carddb.findings import Finding, Place, Severity, codes_of
from carddb.game.game import GameSpec
from carddb.game.parts import FieldSpec
from carddb.games.cahrd.play import imd
from carddb.games.cahrd.play.battle import S
from carddb.games.cahrd.play.imd import changes_of, limits_asked
from carddb.games.cahrd.play.setup import chance_of_hand, officers_needed
from carddb.games.printed_words import finding
from carddb.play import question
from carddb.play.chance import text
from carddb.play.question import Answer, BadInput, Day, Many, Object, bad_field, by_field, checked, operation


def read(spec: GameSpec, value: Any, path: str) -> tuple[Card, list[str]]:
    """Returns the card `value`, at `path` in a question, and its faults' codes. Raises BadInput for other faults."""
    value = by_field(spec, value, path)
    word = value.get("type")
    kind = spec.type_words.find(word) if isinstance(word, str) else None
    if kind is None:
        unknown = str(word or "")
        return Card(spec.key, f"?{unknown}", {"name": str(value.get("name", "")), "type": unknown}), [spec.type_code]
    name = question.text(value, "name", path)
    fields = spec.fields_of(kind)
    values = {**value, "trait": _trait(value, path)}
    values = {key: checked(field, values.get(key))[0] for key, field in fields.items()}
    codes = [] if name else [spec.name_code]
    codes += _faults(spec, fields, values, path)
    values = {key: value for key, value in values.items() if value is not None}
    return spec.card(f"?{kind} {fold_space(name)}", {"name": name, "type": kind, **values}), codes


def _trait(card: Mapping[str, Any], path: str) -> str | list[str] | None:
    """Returns a card's trait; a list of one counts as that trait, an empty list as None, a longer list stays (C-15)."""
    trait = card.get("trait")
    if trait is None or isinstance(trait, str):
        return trait
    if not isinstance(trait, list | tuple) or not all(isinstance(word, str) for word in trait):
        raise BadInput(f"{path}.trait")
    return list(trait) if len(trait) > 1 else next(iter(trait), None)


def _faults(spec: GameSpec, fields: Mapping[str, FieldSpec], values: Mapping[str, Any], path: str) -> Iterator[str]:
    for name, field in fields.items():
        value = values.get(name)
        if value == S and name in spec.data["stats"] and spec.readings["allow_printed_s"]:
            continue
        fault = field.fault(value)
        closed_list = field.type == "list" and not field.open
        not_a_choice = fault is None and closed_list and not set(value or ()) <= set(field.of)
        if not_a_choice or (fault and fault not in field.codes):
            raise bad_field(field, fault, f"{path}.{name}")
        if fault:
            yield field.codes[fault]


def remarks(card: Card, spec: GameSpec) -> list[str]:
    """Returns the codes of unusual but legal values of a card (C-15, C-19)."""
    cost = card.get("reserve_cost")
    uneven = card.type == "item" and type(cost) is int and cost > 0 and cost % spec.data["round_cost"] != 0
    traitless = card.type == "officer" and not str(card.get("trait") or "").strip()
    return [*(["trait_missing"] if traitless else []), *(["cost_not_round"] if uneven else [])]


@operation()
def validate_card(card: Object, *, spec: GameSpec) -> Answer:
    """Checks a card for faults, and for values that are unusual but legal."""
    card_, codes = read(spec, card, "card")
    return {"valid": not codes, "violations": sorted(set(codes)), "warnings": sorted(remarks(card_, spec))}


_CODES = BanCodes("imd", level_rules=("C-143", "C-147"), group_rules=("C-149",), unknown_rules=("C-150",))


def restricted(deck: Deck, spec: GameSpec, pool: Pool, context: Context) -> list[Finding]:
    """Returns a deck's findings under the restricted list for its format, on the day of the check (C-143 to C-150)."""
    log = context.bans
    option: dict[str, Any] = context.options.get(imd.LIMITS, {})
    if log is not None and option and option != spec.options[imd.LIMITS].default:
        context = replace(context, bans=imd.with_limits(log.on(context.on), imd.limits_of(option, spec)))
    return bans.check(deck, spec, pool, context, _CODES)


def imd_findings(
    deck: Deck, spec: GameSpec, changes: imd.Changes, list_: str, day: date, limits: imd.Limits
) -> Iterator[Finding]:
    """Yields a deck's findings under the list `list_` on `day`, and warnings about all invalid `changes` (C-143)."""
    for change in changes:
        name = change.card if isinstance(change, imd.LevelChange) else change.group
        days, allowed = imd.notice(change.announced, change.effective), spec.data["imd"]["notice"]
        data = {"name": name, "list": change.list, "days": days, **allowed}
        words = {"announced": change.announced, "effective": change.effective}
        yield from (finding(spec, code, data=data, words=words) for code in imd.faults(change, spec))
    log = imd.ChangeLog(changes, limits, spec)
    state = log.state(list_, day)
    list_in_force = ListInForce(
        state, lambda entry: fold_space(name_of(entry)), log.level_of, log.groups(state), _CODES, with_source=False,
        name=f"{list_} list",
    )  # fmt: skip
    yield from bans.state_findings(deck, spec, list_in_force, Context(day))


def unusual_cards(deck: Deck, spec: GameSpec, pool: Pool, context: Context) -> list[Finding]:
    """Returns one warning for each way in which cards of a deck are unusual but legal (C-15, C-19)."""
    cards = ((entry, entry.card) for entry in deck.entries if entry.card)
    by_code = grouped((code, entry) for entry, card in cards for code in remarks(card, spec))
    return [_remark(spec, code, entries) for code, entries in by_code.items()]


def unusual_card(card: Card, place: Place, spec: GameSpec) -> list[Finding]:
    """Returns a warning for each way in which a card of a card file is unusual but legal (C-15, C-19)."""
    entry = Entry("", 1, card.name, card, place)
    return [_remark(spec, code, [entry]) for code in remarks(card, spec)]


def _remark(spec: GameSpec, code: str, entries: list[Entry]) -> Finding:
    unusual = cards(entries)
    words = {"names": listed([card.name for card in unusual]), "round": f"{spec.data['round_cost']:,}"}
    return finding(spec, code, *places(entries), data={"count": len(unusual)}, words=words, cards=unusual)


@operation()
def validate_deck(
    main: Many[Any],
    strategy: Many[Any] = (),
    match: Literal["battle", "war"] = "battle",
    date: Day | None = None,
    imd: Any = None,
    *,
    spec: GameSpec,
) -> Answer:
    """Checks a deck. Sections are lists of `[card, count]`; `imd` has changes of restricted lists, for `date`."""
    limits = limits_asked(spec)
    deck, codes = question.deck(spec, {"main": main, "strategy": strategy}, read)
    findings = check(deck, spec, Pool(()), Context(date or ANY_DAY, match), [unusual_cards])
    if date and imd is not None:
        list_ = spec.data["imd"]["lists"][match]
        findings += imd_findings(deck, spec, changes_of(imd, spec), list_, date, limits)
    violations = {*codes, *codes_of(findings, Severity.ERROR)}
    return {
        "valid": not violations,
        "violations": sorted(violations),
        "warnings": codes_of(findings, Severity.WARNING, Severity.NOT_CHECKABLE),
        "main_count": deck.size("main"),
        "strategy_count": deck.size("strategy"),
        "findings": [each.to_json() for each in findings],
    }


def opening_hand(deck: Deck, spec: GameSpec, pool: Pool, context: Context) -> list[Finding]:
    """Returns a finding on the chance of enough officers in the opening hand; none for too few cards (C-63, C-64)."""
    size, hand, need = deck.size("main"), spec.data["setup"]["hand"], officers_needed(spec)
    officers = sum(e.count for e in deck.entries if e.section == "main" and e.card and e.card.type == "officer")
    if size < hand:
        return []
    chance = chance_of_hand(size, officers, hand, need)
    data = {"officers": officers, "size": size, "chance": text(chance)}
    words = {"hand": hand, "need": need, "odds": f"{float(100 * chance):.1f}", "officers": amount(officers, "officer")}
    return [finding(spec, "opening_hand", Place(deck.file), data=data, words=words)]
